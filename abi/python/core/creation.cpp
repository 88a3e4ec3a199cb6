/* abi/python/core/creation.cpp: new arrays. Here is the common case; anything else, and every error, is
 * tenon._creation's. */
#include "handle.hpp"
#include "module.hpp"

namespace tenon_python {

namespace {

bool read_extent(PyObject* value, int64_t* out) {
  int overflow;
  if (!PyLong_CheckExact(value)) return false;
  *out = PyLong_AsLongLongAndOverflow(value, &overflow);
  return !overflow;
}

/* An integer, or a tuple or list of them. */
bool read_shape(PyObject* shape, int64_t* extents, int32_t* rank) {
  *rank = 1;
  const Elements given(shape);
  if (!given) return read_extent(shape, extents);
  Py_ssize_t count = given.count();
  if (count > TENON_MAX_RANK) return false;
  *rank = static_cast<int32_t>(count);
  for (Py_ssize_t i = 0; i < count; i++)
    if (!read_extent(given[i], extents + i)) return false;
  return true;
}

/* A DType, or the name of one that was used before. */
bool read_dtype(PyObject* dtype, uint32_t* out) {
  static PyObject *code_name = PyUnicode_InternFromString("code"), *codes = PyDict_New();
  if (PyUnicode_CheckExact(dtype)) {
    Ref code = item_of(codes, dtype);
    if (!code) {
      Ref known(PyObject_CallFunctionObjArgs(hook(Hook::named_dtype), dtype, nullptr));
      code = Ref(known ? PyObject_GetAttr(known.get(), code_name) : nullptr);
      if (!code || PyDict_SetItem(codes, dtype, code.get())) return false;
    }
    *out = static_cast<uint32_t>(PyLong_AsUnsignedLong(code.get()));
    return true;
  }
  if (as_object(Py_TYPE(dtype)) != hook(Hook::dtype)) return false;
  Ref code(PyObject_GetAttr(dtype, code_name));
  if (code) *out = static_cast<uint32_t>(PyLong_AsUnsignedLong(code.get()));
  return static_cast<bool>(code);
}

/* create(zeros, shape, dtype, device): a new array on the device's default stream; None where another way is needed. */
PyObject* create(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
  int64_t extents[TENON_MAX_RANK];
  int32_t rank;
  uint32_t dtype;
  if (count != 4) return PyErr_Format(PyExc_TypeError, "create takes four arguments");
  if (!read_shape(arguments[1], extents, &rank)) Py_RETURN_NONE;
  if (!read_dtype(arguments[2], &dtype)) {
    if (PyErr_Occurred()) return nullptr;
    Py_RETURN_NONE;
  }
  bool known = is_handle(arguments[3]) &&
               reinterpret_cast<Handle*>(arguments[3])->release == reinterpret_cast<Release>(api->device_release);
  Ref device = known ? Ref::borrowed(arguments[3])
                     : Ref(PyObject_CallFunctionObjArgs(hook(Hook::device), arguments[3], nullptr));
  void* handle = device ? handle_of(device.get()) : nullptr;
  if (!handle) return nullptr;
  tenon_array* array = nullptr;
  int32_t status;
  {
    Unlocked unlocked;
    status = (arguments[0] == Py_True ? api->array_zeros : api->array_create)(static_cast<tenon_device*>(handle), dtype,
                                                                              rank, extents, nullptr, &array);
  }
  return status ? fail(status) : own_array(array);
}

PyMethodDef creation_functions[] = {{"create", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(create)),
                                     METH_FASTCALL, "create(zeros, shape, dtype, device)"},
                                    {}};

}  // namespace

int add_creation(PyObject* module) { return PyModule_AddFunctions(module, creation_functions); }

}  // namespace tenon_python
