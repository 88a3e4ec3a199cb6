"""Exceptions: one class for each status that a Python program may want to handle separately."""

from __future__ import annotations

import ctypes

from . import _raw
from ._library import core, lib


class TenonError(RuntimeError):
    """A call of the library failed. `status` and `name` are the number and the name of its status. `native_call` and
    `native_code` give the vendor function that failed and its error code, if there was one. `batch_index` is the index
    of the matrix in a batch that caused the error, else -1."""

    batch_index = -1

    def __init__(self, message: str, status: int = _raw.TENON_ERROR_INTERNAL, native_call: str = "",
                 native_code: int = 0):
        super().__init__(message)
        self.status = status
        self.name = lib.tenon_status_name(status).decode()
        self.native_call = native_call
        self.native_code = native_code


class InvalidArgument(TenonError, ValueError):
    """A value outside its documented domain."""


class OutOfMemory(TenonError, MemoryError):
    """Host or device memory ran out; the message states how much was requested, used and free."""


class Unsupported(TenonError, NotImplementedError):
    """A valid request that this device or build does not support; the message gives the reason."""


class NotFound(TenonError, LookupError):
    """No device, kernel, symbol or file of that name."""


class SizeOverflow(TenonError, OverflowError):
    """A size or product does not fit its type."""


class DTypeError(TenonError, TypeError):
    """Element types are incompatible."""


class ShapeError(TenonError, ValueError):
    """Ranks or extents are incompatible."""


class DeviceError(TenonError, ValueError):
    """The operands live on devices, or in contexts, that cannot be used together."""


class LayoutError(TenonError, ValueError):
    """Strides or alignment do not allow the operation without a copy."""


class ReadOnlyError(TenonError, ValueError):
    """A write to memory that was imported read-only."""


class OverlapError(TenonError, ValueError):
    """Operands share memory in a way the operation does not define."""


class CompileError(TenonError):
    """Source did not compile; `log` is the compiler's whole log, with the line numbers of the source."""

    log: str = ""

    def __str__(self) -> str:
        message = super().__str__()
        return f"{message}\n{self.log}" if self.log and self.log not in message else message


class MissingLibrary(TenonError):
    """A required library or program is missing; the message states what to install."""


class KernelFault(TenonError):
    """A kernel failed while it ran on the CPU device."""


class DeviceLost(TenonError):
    """The CUDA context is unusable after a fault; the CPU device still works."""


class LinAlgError(TenonError, ArithmeticError):
    """A factorisation did not converge, or the matrix was singular or had NaN or infinity in it."""


class NotReady(TenonError, TimeoutError):
    """The work is not complete: the call did not wait, or its time limit expired."""


class Cancelled(TenonError):
    """The work was cancelled before it was complete."""


class VersionError(TenonError, BufferError):
    """A struct, package or library has an incompatible version."""


CLASSES = {
    _raw.TENON_ERROR_INVALID_ARGUMENT: InvalidArgument,
    _raw.TENON_ERROR_OUT_OF_MEMORY: OutOfMemory,
    _raw.TENON_ERROR_UNSUPPORTED: Unsupported,
    _raw.TENON_ERROR_NOT_FOUND: NotFound,
    _raw.TENON_ERROR_OVERFLOW: SizeOverflow,
    _raw.TENON_ERROR_DTYPE: DTypeError,
    _raw.TENON_ERROR_SHAPE: ShapeError,
    _raw.TENON_ERROR_DEVICE: DeviceError,
    _raw.TENON_ERROR_CONTEXT: DeviceError,
    _raw.TENON_ERROR_LAYOUT: LayoutError,
    _raw.TENON_ERROR_READ_ONLY: ReadOnlyError,
    _raw.TENON_ERROR_OVERLAP: OverlapError,
    _raw.TENON_ERROR_COMPILE: CompileError,
    _raw.TENON_ERROR_MISSING_LIBRARY: MissingLibrary,
    _raw.TENON_ERROR_KERNEL_FAULT: KernelFault,
    _raw.TENON_ERROR_DEVICE_LOST: DeviceLost,
    _raw.TENON_ERROR_NOT_CONVERGED: LinAlgError,
    _raw.TENON_ERROR_SINGULAR: LinAlgError,
    _raw.TENON_ERROR_NOT_FINITE: LinAlgError,
    _raw.TENON_ERROR_NOT_READY: NotReady,
    _raw.TENON_ERROR_CANCELLED: Cancelled,
    _raw.TENON_ERROR_VERSION: VersionError,
}


def raise_last(status: int) -> None:
    """Raises the calling thread's most recent error, which had this status."""
    if status == _raw.TENON_ERROR_NOT_READY:  # a result, not an error: it is not recorded
        raise NotReady("the work is not done yet", status)
    message = lib.tenon_error_last_message().decode(errors="replace") or lib.tenon_status_name(status).decode()
    native_call, native_code, log, index = "", 0, "", ctypes.c_int64(-1)
    record = ctypes.c_void_p()
    if lib.tenon_error_last(ctypes.byref(record)) == 0 and record.value:
        call, code, text = ctypes.c_char_p(), ctypes.c_int64(), ctypes.c_char_p()
        if lib.tenon_error_native(record, ctypes.byref(call), ctypes.byref(code)) == 0:
            native_call, native_code = (call.value or b"").decode(errors="replace"), code.value
        if lib.tenon_error_log(record, ctypes.byref(text)) == 0:
            log = (text.value or b"").decode(errors="replace")
        lib.tenon_error_batch_index(record, ctypes.byref(index))
        lib.tenon_error_release(record)
    error = CLASSES.get(status, TenonError)(message, status, native_call, native_code)
    if isinstance(error, CompileError):
        error.log = log
    if index.value >= 0:
        error.batch_index = index.value
    raise error


core.set_hooks(raise_last)
check = core.check
