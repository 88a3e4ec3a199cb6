/* abi/python/core/array.cpp: _core.Array, the part of tenon.Array that programs touch at every step: what an array is,
 * views by subscripts, single elements. The class of the package is derived from it and adds the rest in Python. */
#include <atomic>
#include <cstddef>
#include <cstring>
#include <optional>

#include "exchange.hpp"
#include "functions.hpp"
#include "handle.hpp"
#include "known.hpp"
#include "module.hpp"

namespace tenon_python {

PyTypeObject* array_type;

namespace {

PyTypeObject* base_type; /* _core.Array */
allocfunc allocate;

Array* as_array(PyObject* object) { return reinterpret_cast<Array*>(object); }

PyObject* own_as(PyTypeObject* type, allocfunc allocate_one, void* handle) {
  PyObject* object = allocate_one(type, 0);
  if (!object) {
    api->array_release(static_cast<tenon_array*>(handle));
    return nullptr;
  }
  as_array(object)->base.handle = handle;
  return object;
}

/* Array._own(handle): an array for a reference that is the caller's to give. */
PyObject* own(PyObject* type, PyObject* handle) {
  void* address;
  if (!address_in(handle, &address)) return nullptr;
  PyTypeObject* wanted = reinterpret_cast<PyTypeObject*>(type);
  return own_as(wanted,
                wanted == array_type ? allocate : reinterpret_cast<allocfunc>(PyType_GetSlot(wanted, Py_tp_alloc)),
                address);
}

void dealloc_array(PyObject* object) {
  Array* self = as_array(object);
  PyTypeObject* type = Py_TYPE(object);
  if (self->base.weak_references) PyObject_ClearWeakRefs(object);
  if (void* handle = std::exchange(self->base.handle, nullptr)) {
    PyObject *kind = nullptr, *value = nullptr, *traceback = nullptr;
    if (PyErr_Occurred()) PyErr_Fetch(&kind, &value, &traceback);
    {
      std::optional<Unlocked> unlocked;  // the end of an array may be waited for
      if (streams_call_python.load(std::memory_order_relaxed)) unlocked.emplace();
      api->array_release(static_cast<tenon_array*>(handle));
    }
    // the memory's owner may be Python code of another library, which fails
    if (kind || PyErr_Occurred()) PyErr_Restore(kind, value, traceback);
  }
  Py_XDECREF(self->shape);
  Py_XDECREF(self->strides);
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(object);
  Py_DECREF(as_object(type));
}

// --- what it is ---

PyObject* tuple_of(const int64_t* numbers, int32_t count) {
  Ref tuple(PyTuple_New(count));
  for (int32_t i = 0; tuple && i < count; i++) {
    PyObject* number = PyLong_FromLongLong(numbers[i]);
    if (!number || PyTuple_SetItem(tuple.get(), i, number)) return nullptr;
  }
  return tuple.release();
}

PyObject* kept_tuple(Array* self, PyObject*& kept, const int64_t* tenon_array_info::* numbers) {
  std::atomic_ref<PyObject*> place(kept);
  if (PyObject* known = place.load(std::memory_order_acquire)) return Py_NewRef(known);
  const tenon_array_info* info = info_of(self);
  Ref made(info ? tuple_of(info->*numbers, info->rank) : nullptr);
  PyObject* others = nullptr;  // of another thread, which was faster
  if (made && place.compare_exchange_strong(others, made.get(), std::memory_order_acq_rel)) others = made.release();
  return Py_XNewRef(others);
}

PyObject* get_shape(PyObject* self, void*) {
  return kept_tuple(as_array(self), as_array(self)->shape, &tenon_array_info::shape);
}
PyObject* get_strides(PyObject* self, void*) {
  return kept_tuple(as_array(self), as_array(self)->strides, &tenon_array_info::strides);
}

PyObject* get_ndim(PyObject* self, void*) {
  const tenon_array_info* info = info_of(as_array(self));
  return info ? PyLong_FromLong(info->rank) : nullptr;
}

PyObject* get_size(PyObject* self, void*) {
  const tenon_array_info* info = info_of(as_array(self));
  return info ? PyLong_FromLongLong(info->size) : nullptr;
}

PyObject* get_bytes(PyObject* self, void*) {
  const tenon_array_info* info = info_of(as_array(self));
  return info ? PyLong_FromUnsignedLongLong(info->bytes) : nullptr;
}

PyObject* get_flags(PyObject* self, void*) {
  const tenon_array_info* info = info_of(as_array(self));
  return info ? PyLong_FromUnsignedLong(info->flags) : nullptr;
}

/* flag: its bit, as the getter's closure. */
PyObject* get_flag(PyObject* self, void* flag) {
  const tenon_array_info* info = info_of(as_array(self));
  return info ? PyBool_FromLong(info->flags & static_cast<uint32_t>(reinterpret_cast<uintptr_t>(flag))) : nullptr;
}

PyObject* get_data(PyObject* self, void*) {
  const tenon_array_info* info = info_of(as_array(self));
  return info ? PyLong_FromVoidPtr(info->data) : nullptr;
}

PyObject* get_place(PyObject* self, void*) {
  const tenon_array_info* info = info_of(as_array(self));
  return info ? Py_BuildValue("(iii)", info->device_kind, info->device_index, info->memory_kind) : nullptr;
}

/* What `which` says of `key`, asked for once. */
PyObject* known_object(Known<uint64_t, PyObject*>& known, uint64_t key, Hook which, PyObject* argument) {
  Ref owned(argument);
  PyObject* made = argument ? PyObject_CallFunctionObjArgs(hook(which), argument, nullptr) : nullptr;
  return made ? Py_NewRef(known.add(key, made)) : nullptr;
}

PyObject* get_dtype(PyObject* self, void*) {
  static Known<uint64_t, PyObject*> known;
  const tenon_array_info* info = info_of(as_array(self));
  if (!info) return nullptr;
  if (PyObject** found = known.find(info->dtype)) return Py_NewRef(*found);
  return known_object(known, info->dtype, Hook::dtype, PyLong_FromUnsignedLong(info->dtype));
}

PyObject* get_device(PyObject* self, void*) {
  static Known<uint64_t, PyObject*> known;
  const tenon_array_info* info = info_of(as_array(self));
  if (!info) return nullptr;
  uint64_t key = static_cast<uint64_t>(info->device_kind) << 32 | static_cast<uint32_t>(info->device_index);
  if (PyObject** found = known.find(key)) return Py_NewRef(*found);
  const char* kind = info->device_kind == TENON_DEVICE_CPU ? "cpu" : "cuda";
  return known_object(known, key, Hook::device, PyUnicode_FromFormat("%s:%d", kind, info->device_index));
}

/* to_device(device, *, stream=None): the array itself where that is its device; anything else is Python's. */
PyObject* to_device(PyObject* self, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
  if (count == 1 && !names) {
    Ref own(get_device(self, nullptr));
    if (!own) return nullptr;
    if (own.get() == arguments[0]) return Py_NewRef(self);
  }
  static PyObject* name = PyUnicode_InternFromString("_to_device");
  Ref method(PyObject_GetAttr(self, name)), positional(PyTuple_New(count)), keywords(PyDict_New());
  if (!method || !positional || !keywords) return nullptr;
  for (Py_ssize_t i = 0; i < count; i++) PyTuple_SetItem(positional.get(), i, Py_NewRef(arguments[i]));
  for (Py_ssize_t i = 0; names && i < PyTuple_Size(names); i++)
    if (PyDict_SetItem(keywords.get(), PyTuple_GetItem(names, i), arguments[count + i])) return nullptr;
  return PyObject_Call(method.get(), positional.get(), keywords.get());
}

Py_ssize_t array_length(PyObject* self) {
  const tenon_array_info* info = info_of(as_array(self));
  if (info && info->rank) return static_cast<Py_ssize_t>(info->shape[0]);
  if (info) PyErr_SetString(PyExc_TypeError, "len() of an array without axes");
  return -1;
}

// --- subscripts ---

/* A subscript of integers, slices and `...`, spread over the axes. */
struct Subscript {
  int64_t starts[TENON_MAX_RANK], stops[TENON_MAX_RANK], steps[TENON_MAX_RANK];
  bool picked[TENON_MAX_RANK]; /* one index, whose axis is dropped */
  bool sliced = false;
  int32_t rank;
};

enum class Understood { yes, no, failed };

Understood read_slice(PyObject* entry, int64_t extent, int32_t axis, Subscript& subscript) {
  constexpr int64_t left_out = INT64_MIN, limit = int64_t{1} << 62;
  Py_ssize_t start, stop, step;
  if (PySlice_Unpack(entry, &start, &stop, &step)) return Understood::failed;
  Py_ssize_t count = PySlice_AdjustIndices(extent, &start, &stop, step);
  subscript.starts[axis] = count ? start : 0;
  subscript.stops[axis] = !count ? 0 : step < 0 && stop < 0 ? left_out : stop;
  subscript.steps[axis] = step > limit ? limit : step < -limit ? -limit : step;
  subscript.picked[axis] = false;
  subscript.sliced = true;
  return Understood::yes;
}

Understood read_index(PyObject* entry, int64_t extent, int32_t axis, Subscript& subscript) {
  int overflow;
  long long index = PyLong_AsLongLongAndOverflow(entry, &overflow);
  if (overflow || index < -extent || index >= extent) return Understood::no;  // an error: Python has the words
  subscript.starts[axis] = index < 0 ? index + extent : index;
  subscript.stops[axis] = subscript.starts[axis] + 1;
  subscript.steps[axis] = 1;
  subscript.picked[axis] = true;
  return Understood::yes;
}

void take_whole(const tenon_array_info& info, int32_t axis, Subscript& subscript) {
  subscript.starts[axis] = 0, subscript.stops[axis] = info.shape[axis], subscript.steps[axis] = 1;
  subscript.picked[axis] = false;
}

/* `no`: there is something else in it, or more than there are axes. */
Understood read_subscript(PyObject* const* entries, Py_ssize_t count, const tenon_array_info& info,
                          Subscript& subscript) {
  Py_ssize_t dots = 0;
  for (Py_ssize_t i = 0; i < count; i++) dots += entries[i] == Py_Ellipsis;
  if (dots > 1 || count - dots > info.rank) return Understood::no;
  int32_t axis = 0;
  subscript.rank = info.rank;
  for (Py_ssize_t i = 0; i < count; i++) {
    Understood understood = Understood::yes;
    if (entries[i] == Py_Ellipsis) {
      for (Py_ssize_t rest = info.rank - (count - 1); rest > 0; rest--) take_whole(info, axis++, subscript);
    } else if (PySlice_Check(entries[i])) {
      understood = read_slice(entries[i], info.shape[axis], axis, subscript), axis++;
    } else if (PyLong_CheckExact(entries[i])) {
      understood = read_index(entries[i], info.shape[axis], axis, subscript), axis++;
    } else {
      understood = Understood::no;
    }
    if (understood != Understood::yes) return understood;
  }
  while (axis < info.rank) take_whole(info, axis++, subscript);
  return Understood::yes;
}

int32_t view_of(const tenon_array* array, const Subscript& subscript, tenon_array** out) {
  tenon_array* view = nullptr;
  if (subscript.sliced || subscript.rank == 0)
    if (int32_t status =
            api->array_slice(array, subscript.rank, subscript.starts, subscript.stops, subscript.steps, &view))
      return status;
  for (int32_t axis = subscript.rank - 1; axis >= 0; axis--) {
    if (!subscript.picked[axis]) continue;
    tenon_array* next = nullptr;
    int32_t status = api->array_index(view ? view : array, axis, subscript.sliced ? 0 : subscript.starts[axis], &next);
    api->array_release(view);
    if (status) return status;
    view = next;
  }
  if (!view)  // nothing but `...`
    return api->array_slice(array, subscript.rank, nullptr, nullptr, nullptr, out);
  *out = view;
  return TENON_OK;
}

PyObject* subscript(PyObject* self, PyObject* key) {
  const tenon_array_info* info = info_of(as_array(self));
  if (!info) return nullptr;
  Subscript subscript;
  Understood understood = Understood::no;
  if (!PyTuple_CheckExact(key)) {
    understood = read_subscript(&key, 1, *info, subscript);
  } else if (PyTuple_Size(key) <= TENON_MAX_RANK + 1) {
    PyObject* entries[TENON_MAX_RANK + 1];
    Py_ssize_t count = PyTuple_Size(key);
    for (Py_ssize_t i = 0; i < count; i++) entries[i] = PyTuple_GetItem(key, i);
    understood = read_subscript(entries, count, *info, subscript);
  }
  if (understood == Understood::failed) return nullptr;
  // the class of the package knows more kinds of subscripts, and says what is wrong with others
  if (understood == Understood::no) {
    static PyObject* name = PyUnicode_InternFromString("_subscript");
    return PyObject_CallMethodObjArgs(self, name, key, nullptr);
  }
  tenon_array* view = nullptr;
  if (int32_t status = view_of(as_array(self)->get(), subscript, &view)) return fail(status);
  return own_array(view);
}

// --- elements ---

/* tobytes() */
PyObject* to_bytes(PyObject* self, PyObject*) {
  const tenon_array_info* info = info_of(as_array(self));
  if (!info) return nullptr;
  Ref bytes(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(info->bytes)));
  if (!bytes) return nullptr;
  int32_t status;
  {
    Unlocked unlocked;
    status = api->array_to_host(as_array(self)->get(), PyBytes_AsString(bytes.get()), info->bytes, nullptr);
  }
  return status ? fail(status) : bytes.release();
}

template <class T> T value_of(const char* data) {
  T value;
  std::memcpy(&value, data, sizeof value);
  return value;
}

/* NULL without an exception: a dtype that Python code takes apart. */
PyObject* number_of(uint32_t dtype, const char* data) {
  switch (dtype) {
    case TENON_BOOL: return PyBool_FromLong(*data);
    case TENON_INT8: return PyLong_FromLong(value_of<int8_t>(data));
    case TENON_INT16: return PyLong_FromLong(value_of<int16_t>(data));
    case TENON_INT32: return PyLong_FromLong(value_of<int32_t>(data));
    case TENON_INT64: return PyLong_FromLongLong(value_of<int64_t>(data));
    case TENON_UINT8: return PyLong_FromLong(value_of<uint8_t>(data));
    case TENON_UINT16: return PyLong_FromLong(value_of<uint16_t>(data));
    case TENON_UINT32: return PyLong_FromUnsignedLong(value_of<uint32_t>(data));
    case TENON_UINT64: return PyLong_FromUnsignedLongLong(value_of<uint64_t>(data));
    case TENON_FLOAT32: return PyFloat_FromDouble(value_of<float>(data));
    case TENON_FLOAT64: return PyFloat_FromDouble(value_of<double>(data));
    case TENON_COMPLEX64: return PyComplex_FromDoubles(value_of<float>(data), value_of<float>(data + 4));
    case TENON_COMPLEX128: return PyComplex_FromDoubles(value_of<double>(data), value_of<double>(data + 8));
    default: return nullptr;
  }
}

/* item() */
PyObject* item(PyObject* self, PyObject*) {
  const tenon_array_info* info = info_of(as_array(self));
  if (!info) return nullptr;
  char data[16] = {};
  if (info->size != 1 || info->bytes > sizeof data || !Ref(number_of(info->dtype, data))) {
    if (PyErr_Occurred()) return nullptr;
    static PyObject* name = PyUnicode_InternFromString("_item");
    return PyObject_CallMethodObjArgs(self, name, nullptr);
  }
  int32_t status;
  {
    Unlocked unlocked;
    status = api->array_to_host(as_array(self)->get(), data, info->bytes, nullptr);
  }
  return status ? fail(status) : number_of(info->dtype, data);
}

// --- the buffer protocol ---

/* As the module struct writes it, and NumPy; NULL: there is no way to say it. Of two C types of one size, NumPy's int64
 * is long where that has 64 bits: SciPy's compiled modules do not know an array of long long. */
const char* format_of(uint32_t dtype) {
  constexpr bool kLong = sizeof(long) == 8;
  switch (dtype) {
    case TENON_BOOL: return "?";
    case TENON_INT8: return "b";
    case TENON_INT16: return "h";
    case TENON_INT32: return "i";
    case TENON_INT64: return kLong ? "l" : "q";
    case TENON_UINT8: return "B";
    case TENON_UINT16: return "H";
    case TENON_UINT32: return "I";
    case TENON_UINT64: return kLong ? "L" : "Q";
    case TENON_FLOAT16: return "e";
    case TENON_FLOAT32: return "f";
    case TENON_FLOAT64: return "d";
    case TENON_COMPLEX64: return "Zf";
    case TENON_COMPLEX128: return "Zd";
    default: return nullptr;
  }
}

/* What of the array a consumer with these flags cannot take; NULL: nothing. */
const char* unfit(const tenon_array_info& info, int flags) {
  const bool c = info.flags & TENON_ARRAY_C_CONTIGUOUS, f = info.flags & TENON_ARRAY_F_CONTIGUOUS;
  if (info.device_kind != TENON_DEVICE_CPU) return "the array is not on the CPU: array.numpy() copies it there";
  if (!format_of(info.dtype))
    return "a buffer has no way to say the array's dtype: numpy.asarray(array) uses ml_dtypes";
  if ((flags & PyBUF_WRITABLE) && (info.flags & TENON_ARRAY_READ_ONLY)) return "the array is read-only";
  if ((flags & PyBUF_C_CONTIGUOUS) == PyBUF_C_CONTIGUOUS && !c) return "the array is not C-contiguous: array.copy() is";
  if ((flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS && !f) return "the array is not Fortran-contiguous";
  if ((flags & PyBUF_ANY_CONTIGUOUS) == PyBUF_ANY_CONTIGUOUS && !c && !f)
    return "the array is not contiguous: array.copy() is";
  if ((flags & PyBUF_STRIDES) != PyBUF_STRIDES && !c) return "the array is not C-contiguous: array.copy() is";
  return nullptr;
}

int get_buffer(PyObject* self, Py_buffer* view, int flags) {
  view->obj = nullptr;
  const tenon_array_info* info = info_of(as_array(self));
  if (!info) return -1;
  if (const char* reason = unfit(*info, flags)) {
    PyErr_SetString(PyExc_BufferError, reason);
    return -1;
  }
  const size_t rank = static_cast<size_t>(info->rank);
  Py_ssize_t* numbers = static_cast<Py_ssize_t*>(PyMem_Malloc((2 * rank + 1) * sizeof(Py_ssize_t)));
  if (!numbers) {
    PyErr_NoMemory();
    return -1;
  }
  const Py_ssize_t width = static_cast<Py_ssize_t>((info->dtype >> 8 & 255) / 8);
  for (size_t i = 0; i < rank; i++) {
    numbers[i] = info->shape[i];
    numbers[rank + i] = info->strides[i] * width;
  }
  view->obj = Py_NewRef(self);
  view->buf = info->data;
  view->len = static_cast<Py_ssize_t>(info->bytes);
  view->itemsize = width;
  view->readonly = (info->flags & TENON_ARRAY_READ_ONLY) != 0;
  view->ndim = info->rank;
  view->format = flags & PyBUF_FORMAT ? const_cast<char*>(format_of(info->dtype)) : nullptr;
  view->shape = flags & PyBUF_ND ? numbers : nullptr;
  view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? numbers + rank : nullptr;
  view->suboffsets = nullptr;
  view->internal = numbers;
  return 0;
}

void release_buffer(PyObject*, Py_buffer* view) { PyMem_Free(view->internal); }

// --- the class ---

/* set_array(class): the class of the package, whose objects the module makes. */
PyObject* set_array(PyObject*, PyObject* type) {
  if (!PyType_Check(type) || !PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(type), base_type))
    return PyErr_Format(PyExc_TypeError, "a class derived from _core.Array is needed, not %R", type);
  array_type = reinterpret_cast<PyTypeObject*>(Py_NewRef(type));
  allocate = reinterpret_cast<allocfunc>(PyType_GetSlot(array_type, Py_tp_alloc));
  Py_RETURN_NONE;
}

PyMethodDef module_functions[] = {{"set_array", set_array, METH_O, "The class of the arrays that the module makes."},
                                  {}};

PyMethodDef array_methods[] = {
    {"_own", own, METH_O | METH_CLASS,
     "An array for a reference that is the caller's to give: an address, or what make() returned."},
    {"tobytes", to_bytes, METH_NOARGS,
     "tobytes($self, /)\n--\n\nAll elements in C order as bytes; waits for work on the array."},
    {"item", item, METH_NOARGS, "item($self, /)\n--\n\nThe only element as a Python number."},
    {"to_device", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(to_device)), METH_FASTCALL | METH_KEYWORDS,
     "to_device($self, device, *, stream=None)\n--\n\nA copy on another device, or the array itself if it is already "
     "there."},
    {"torch", torch_method, METH_NOARGS,
     "torch($self, /)\n--\n\nAs a PyTorch tensor of the same memory, ordered before PyTorch's current stream: what "
     "torch.from_dlpack(array) gives, in a tenth of the time."},
    {"__dlpack__", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(dlpack_method)), METH_FASTCALL | METH_KEYWORDS,
     "__dlpack__($self, /, *, stream=None, max_version=None, dl_device=None, copy=None)\n--\n\nA DLPack capsule that "
     "owns a reference to the memory."},
    {"__dlpack_device__", dlpack_device_method, METH_NOARGS,
     "__dlpack_device__($self, /)\n--\n\n(device type, id) as DLPack numbers them."},
    {}};

void* closure(uint32_t flag) { return reinterpret_cast<void*>(static_cast<uintptr_t>(flag)); }

PyGetSetDef array_properties[] = {
    {"shape", get_shape, nullptr, "The extents.", nullptr},
    {"strides", get_strides, nullptr, "In elements, as DLPack and PyTorch count them.", nullptr},
    {"dtype", get_dtype, nullptr, "The type of the elements.", nullptr},
    {"ndim", get_ndim, nullptr, "The number of axes.", nullptr},
    {"size", get_size, nullptr, "The number of elements.", nullptr},
    {"nbytes", get_bytes, nullptr, "The size of the elements in bytes.", nullptr},
    {"flags", get_flags, nullptr, "TENON_ARRAY_*.", nullptr},
    {"device", get_device, nullptr, "The device that the memory is on.", nullptr},
    {"data_ptr", get_data, nullptr, "Address of the element at index 0, on the array's device.", nullptr},
    {"_data", get_data, nullptr, nullptr, nullptr},
    {"_place", get_place, nullptr, nullptr, nullptr},
    {"readonly", get_flag, nullptr, "Whether writing to it is refused.", closure(TENON_ARRAY_READ_ONLY)},
    {"c_contiguous", get_flag, nullptr, "Whether its elements lie in C order without gaps.",
     closure(TENON_ARRAY_C_CONTIGUOUS)},
    {"f_contiguous", get_flag, nullptr, "Whether its elements lie in Fortran's order without gaps.",
     closure(TENON_ARRAY_F_CONTIGUOUS)},
    {}};

PyType_Slot array_slots[] = {{Py_tp_methods, array_methods},
                             {Py_tp_getset, array_properties},
                             {Py_tp_dealloc, reinterpret_cast<void*>(dealloc_array)},
                             {Py_mp_subscript, reinterpret_cast<void*>(subscript)},
                             {Py_mp_length, reinterpret_cast<void*>(array_length)},
                             {Py_bf_getbuffer, reinterpret_cast<void*>(get_buffer)},
                             {Py_bf_releasebuffer, reinterpret_cast<void*>(release_buffer)},
                             {Py_tp_doc, const_cast<char*>("The compiled part of tenon.Array.")},
                             {}};
PyType_Spec array_spec = {"tenon._core.Array", sizeof(Array), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, array_slots};

}  // namespace

const tenon_array_info* info_of(Array* self) {
  std::atomic_ref<uint32_t> known(self->info.struct_size);  // set last: the rest is there for who sees it
  if (known.load(std::memory_order_acquire)) return &self->info;
  tenon_array_info info = {};
  info.struct_size = sizeof info;
  if (int32_t status = api->array_get_info(self->get(), &info)) {
    fail(status);
    return nullptr;
  }
  Locked locked(reinterpret_cast<PyObject*>(self));
  if (known.load(std::memory_order_relaxed)) return &self->info;
  constexpr size_t behind = sizeof info.struct_size;
  static_assert(offsetof(tenon_array_info, struct_size) == 0);
  std::memcpy(reinterpret_cast<char*>(&self->info) + behind, reinterpret_cast<const char*>(&info) + behind,
              sizeof info - behind);
  known.store(info.struct_size, std::memory_order_release);
  return &self->info;
}

PyObject* own_array(tenon_array* array) { return own_as(array_type, allocate, array); }

int add_array_type(PyObject* module) {
  Ref bases(Py_BuildValue("(O)", handle_type));
  base_type = bases ? reinterpret_cast<PyTypeObject*>(PyType_FromSpecWithBases(&array_spec, bases.get())) : nullptr;
  return !base_type || PyModule_AddType(module, base_type) || PyModule_AddFunctions(module, module_functions) ? -1 : 0;
}

}  // namespace tenon_python
