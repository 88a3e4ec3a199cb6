"""DLPack tensors built field by field in ctypes, so that a test can make any field invalid, and capsules for them."""

import ctypes

import numpy

CPU, CUDA = 1, 2
INT, UINT, FLOAT, OPAQUE, BFLOAT, COMPLEX, BOOL = range(7)
READ_ONLY, IS_COPIED, SUBBYTE_PADDED = 1, 2, 4


class Tensor(ctypes.Structure):
    """DLTensor."""
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


class Managed(ctypes.Structure):
    """DLManagedTensor."""
    _fields_ = [("tensor", Tensor), ("manager_context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class ManagedVersioned(ctypes.Structure):
    """DLManagedTensorVersioned."""
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("manager_context", ctypes.c_void_p), ("deleter", ctypes.c_void_p),
                ("flags", ctypes.c_uint64), ("tensor", Tensor)]


assert (ctypes.sizeof(Tensor), ctypes.sizeof(Managed), ctypes.sizeof(ManagedVersioned)) == (48, 64, 80)

NAMES = {"legacy": b"dltensor", "versioned": b"dltensor_versioned"}
CLASSES = {"legacy": Managed, "versioned": ManagedVersioned}

new_capsule = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(("PyCapsule_New", ctypes.pythonapi))
capsule_name = ctypes.PYFUNCTYPE(ctypes.c_char_p, ctypes.py_object)(("PyCapsule_GetName", ctypes.pythonapi))
capsule_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))
set_name = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_SetName", ctypes.pythonapi))
Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


def int64s(values):
    return (ctypes.c_int64 * len(values))(*values)


class Producer:
    """A NumPy array exported through a handmade tensor. Keywords replace fields of the tensor or the managed struct;
    shape and strides may be lists, or None for NULL. Counts the calls of its deleter."""

    def __init__(self, host, form="versioned", **fields):
        self.host, self.form, self.deleted = host, form, 0
        KEPT.append(self)  # the library may call the deleter after the test has ended
        self.managed = CLASSES[form]()
        tensor = self.managed.tensor
        code = {"i": INT, "u": UINT, "f": FLOAT, "c": COMPLEX, "b": BOOL}[host.dtype.kind]
        values = dict(data=host.ctypes.data, device_type=CPU, device_id=0, ndim=host.ndim, code=code, bits=host.itemsize * 8, lanes=1,
                      shape=list(host.shape), strides=[stride // host.itemsize for stride in host.strides], byte_offset=0)
        if form == "versioned":
            values.update(major=1, minor=1, flags=0)
        self.callback = Deleter(self._delete)
        values["deleter"] = ctypes.cast(self.callback, ctypes.c_void_p).value
        values.update(fields)
        self.keep = []
        for name, value in values.items():
            if name in ("shape", "strides") and value is not None:
                value = int64s(value)
                self.keep.append(value)
                value = ctypes.cast(value, ctypes.POINTER(ctypes.c_int64))
            if value is None and name in ("shape", "strides"):
                value = ctypes.POINTER(ctypes.c_int64)()
            setattr(tensor if name in dict(Tensor._fields_) else self.managed, name, value)
        self.address = ctypes.addressof(self.managed)

    def _delete(self, address):
        assert address == self.address
        self.deleted += 1

    def capsule(self):
        """A capsule without a destructor: the test still owns a tensor that was not consumed."""
        return new_capsule(self.address, NAMES[self.form], None)


class Exported:
    """An opened capsule of Tenon's. Call delete() once, or leave that to the capsule."""

    def __init__(self, capsule):
        self.capsule, self.name = capsule, capsule_name(capsule)
        self.form = {name: form for form, name in NAMES.items()}[self.name]
        self.managed = CLASSES[self.form].from_address(capsule_pointer(capsule, self.name))
        self.tensor = self.managed.tensor

    @property
    def shape(self):
        return tuple(self.tensor.shape[:self.tensor.ndim]) if self.tensor.ndim else ()

    @property
    def strides(self):
        return tuple(self.tensor.strides[:self.tensor.ndim]) if self.tensor.ndim else ()

    def take(self):
        """Consumes the capsule like an importer: from here on the caller must delete the tensor."""
        self.used = b"used_" + self.name
        KEPT.append(self.used)
        set_name(self.capsule, self.used)

    def delete(self):
        Deleter(self.managed.deleter)(ctypes.addressof(self.managed))


KEPT = []  # objects to which C holds pointers: producers, and names of capsules


def aligned(count, dtype):
    """A zeroed NumPy array on a 64-byte boundary."""
    itemsize = numpy.dtype(dtype).itemsize
    raw = numpy.zeros(count * itemsize + 64, "uint8")
    start = -raw.ctypes.data % 64
    return raw[start:start + count * itemsize].view(dtype)
