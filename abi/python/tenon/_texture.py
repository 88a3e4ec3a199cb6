"""Textures and surfaces: memory that kernels read by coordinates, with filtering, and write by texel."""

from __future__ import annotations

import ctypes
from typing import Any
from collections.abc import Sequence

from . import _raw
from ._array import Array
from ._creation import asarray
from ._device import Device
from ._errors import check
from ._handle import Fixed, Handle, make
from ._integers import integer
from ._library import lib
from ._produce import produce
from ._stream import as_stream, stream_handle

ADDRESSES = {"clamp": _raw.TENON_ADDRESS_CLAMP, "wrap": _raw.TENON_ADDRESS_WRAP, "mirror": _raw.TENON_ADDRESS_MIRROR,
             "border": _raw.TENON_ADDRESS_BORDER}
FILTERS = {"point": _raw.TENON_FILTER_POINT, "linear": _raw.TENON_FILTER_LINEAR}


def _choice(value: Any, among: dict[str, int], what: str) -> int:
    if value not in among:
        raise ValueError(f"{what} is one of {', '.join(among)}, not {value!r}")
    return among[value]


def _each(value: Any, count: int, what: str) -> list[Any]:
    """The value for each axis or channel: one for all, or a sequence."""
    values = list(value) if isinstance(value, (tuple, list)) else None
    if values is not None and len(values) > count:
        raise ValueError(f"{what} has {len(values)} entries: there are at most {count}")
    return [value] if values is None else values


class Texture(Handle):
    """A texture with the elements of an array, or of another library's tensor: the argument of a kernel for a parameter
    of type cudaTextureObject_t. The source's axes are the layers (if layered), the 6 faces (if cube), depth, height,
    width, as many as there are dimensions, and channels, if that is 2 or 4 (or 1).

    address: "clamp", "wrap", "mirror" or "border", for all axes or for x, y and z; wrap and mirror need normalized
    coordinates. filter: "point" or "linear". normalized: coordinates go from 0 to 1. normalized_reads: 8- and 16-bit
    integers are read as floats. border: a number, or one per channel. surface: kernels may also write the texture, as
    texture.surface. gather: for tex2Dgather. share: read the source's own memory instead of a copy; 1 dimension (then
    by tex1Dfetch) or 2.

        >>> image = tenon.Texture(tenon.asarray([[0, 1], [2, 3]], dtype="float32"), filter="linear")
        >>> middle = tenon.Kernel('''__global__ void middle(cudaTextureObject_t image, float* out) {
        ...   out[0] = tex2D<float>(image, 1.0f, 1.0f);
        ... }''', "middle")
        >>> out = tenon.empty(1, dtype="float32", device=image.device)
        >>> middle(1, 1, [image, out])
        >>> out.tolist()
        [1.5]
    """

    __slots__ = ("device", "shape", "dtype")
    _release = lib.tenon_texture_release
    device: Device
    shape: tuple[int, ...]
    dtype: Any

    def __new__(cls, source: Any, *, dimensions: int = 0, channels: int = 0, layered: bool = False, cube: bool = False,
                address: str | Sequence[str] = "clamp", filter: str = "point", normalized: bool = False,
                normalized_reads: bool = False, border: float | Sequence[float] = 0, surface: bool = False,
                gather: bool = False, share: bool = False, stream: Any = None) -> Texture:
        array = asarray(source)
        options = _raw.tenon_texture_options(
            dimensions=integer(dimensions, "dimensions", ctypes.c_int32),
            channels=integer(channels, "channels", ctypes.c_int32), layered=bool(layered), cube=bool(cube),
            normalized_coordinates=bool(normalized), normalized_reads=bool(normalized_reads), surface=bool(surface),
            gather=bool(gather), share=bool(share), filter=_choice(filter, FILTERS, "filter"))
        axes = _each(address, 3, "address")
        if not isinstance(address, (tuple, list)):
            axes *= max(1, min(3, dimensions or array.ndim - bool(layered) - bool(cube) - bool(channels)))
        for name, mode in zip(("address_x", "address_y", "address_z"), axes):
            setattr(options, name, _choice(mode, ADDRESSES, "address"))
        colors = _each(border, 4, "border")
        options.border[:] = [float(one) for one in (colors * 4 if len(colors) == 1 else colors + [0] * 4)[:4]]
        stream = as_stream(stream, array.device)
        self = object.__new__(cls)
        self._handle = make(lib.tenon_texture_create, array._handle, ctypes.byref(options), stream_handle(stream))
        self._set(device=array.device, shape=array.shape, dtype=array.dtype)
        return self

    def __init__(self, *_args: Any, **_keywords: Any) -> None:
        pass

    @property
    def surface(self) -> Surface:
        """The same memory as the argument of a kernel for a parameter of type cudaSurfaceObject_t."""
        return Surface._of(self)

    def update(self, source: Any, *, stream: Any = None) -> None:
        """Copies an array of the first source's dtype and shape into the texture."""
        array = asarray(source)
        check(lib.tenon_texture_update(self._handle, array._handle, stream_handle(as_stream(stream, self.device))))

    def read(self, *, out: Any = None, stream: Any = None) -> Array:
        """The texture's elements as an array."""
        return produce(lib.tenon_texture_read, self._handle, device=self.device, stream=stream, out=out)

    def info(self) -> _raw.tenon_texture_info:
        """Extents, flags and native objects: the fields of tenon_texture_info."""
        info = _raw.tenon_texture_info()
        check(lib.tenon_texture_get_info(self._handle, ctypes.byref(info)))
        return info

    def __repr__(self) -> str:
        return f"<tenon.Texture of shape {self.shape}, {self.dtype}, on {self.device}>"


class Surface(Fixed):
    """A surface with the elements of an array: the argument of a kernel for a parameter of type cudaSurfaceObject_t. The
    options are those of Texture. surface.texture is the same memory for reads by coordinates, surface.read() what
    kernels have written.

        >>> surface = tenon.Surface(tenon.zeros((2, 2), dtype="float32"))
        >>> surface.read().tolist()
        [[0.0, 0.0], [0.0, 0.0]]
    """

    __slots__ = ("texture",)
    texture: Texture

    def __init__(self, source: Any, **options: Any) -> None:
        self._set(texture=Texture(source, surface=True, **options))

    @classmethod
    def _of(cls, texture: Texture) -> Surface:
        self = object.__new__(cls)
        self._set(texture=texture)
        return self

    @property
    def device(self) -> Device:
        return self.texture.device

    def update(self, source: Any, *, stream: Any = None) -> None:
        """Copies an array of the first source's dtype and shape into the surface."""
        self.texture.update(source, stream=stream)

    def read(self, *, out: Any = None, stream: Any = None) -> Array:
        """The surface's elements as an array."""
        return self.texture.read(out=out, stream=stream)

    def __reduce__(self) -> Any:
        return self.texture.__reduce__()  # which says why not

    def __repr__(self) -> str:
        return f"<tenon.Surface of shape {self.texture.shape}, {self.texture.dtype}, on {self.device}>"
