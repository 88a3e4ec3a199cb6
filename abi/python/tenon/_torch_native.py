"""libtenon_torch.so (abi/torch): kernels of PyTorch's dispatcher that run operations without Python, and
PyTorch's caching allocator as the source of Tenon's memory."""

from __future__ import annotations

import ctypes
import functools
import os
from typing import Any

from . import _library, _raw
from ._errors import MissingLibrary, Unsupported, check
from ._library import lib

NAME = "libtenon_torch.so"


@functools.cache
def _opened() -> tuple[Any, int] | None:
    """The library and the address of the table of libtenon's functions; None if the library was not built."""
    package = os.path.dirname(os.path.realpath(__file__))
    build = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(_library.path))))
    for path in (os.path.join(package, NAME), os.path.join(build, "abi", "torch", NAME)):
        if os.path.exists(path):
            library = ctypes.CDLL(path)
            break
    else:
        return None
    library.tenon_torch_register.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int32,
                                             ctypes.POINTER(ctypes.c_void_p))
    library.tenon_torch_allocator.argtypes = (ctypes.c_void_p,)
    library.tenon_torch_release.argtypes = (ctypes.c_void_p,)
    library.tenon_torch_release.restype = None
    library.tenon_torch_message.restype = ctypes.c_char_p
    get_api = ctypes.CDLL(_library.path).tenon_get_api
    get_api.argtypes, get_api.restype = (ctypes.c_uint32,), ctypes.c_void_p
    return library, get_api(_raw.TENON_ABI_LEVEL)


class Kernel:
    """The kernel of one operation for the dispatch keys CPU and CUDA. `refusal` says why there is none; it is "" if there is."""

    def __init__(self, operation: Any, schema: str):
        self._kernel, self.refusal = ctypes.c_void_p(), f"{NAME} was not built"
        self._library: Any = None
        opened = _opened()
        if opened is None:
            return
        self._library, api = opened
        status = self._library.tenon_torch_register(api, operation._handle, schema.encode(), 0,
                                                    ctypes.byref(self._kernel))
        self.refusal = self._library.tenon_torch_message().decode() if status else ""

    def release(self) -> None:
        """Removes the kernel from the dispatcher."""
        if self._kernel:
            self._library.tenon_torch_release(self._kernel)
            self._kernel, self.refusal = ctypes.c_void_p(), "the kernel was released"


def use_allocator(device: Any) -> None:
    """Gives the device, which is a CUDA device, PyTorch's caching allocator."""
    opened = _opened()
    if opened is None:
        raise Unsupported(f"PyTorch's allocator needs {NAME}, which was not built", _raw.TENON_ERROR_UNSUPPORTED)
    library, allocator = opened[0], _raw.tenon_allocator()
    if status := library.tenon_torch_allocator(ctypes.byref(allocator)):
        raise MissingLibrary(library.tenon_torch_message().decode(), status)
    check(lib.tenon_device_use_allocator(device._handle, ctypes.byref(allocator)))
