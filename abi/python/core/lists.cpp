/* abi/python/core/lists.cpp: lists of arrays, whose handles are gathered and made into objects without a step of Python
 * per array. */
#include "handle.hpp"
#include "module.hpp"

namespace tenon_python {

namespace {

/* Whether these are the elements of a list or tuple, and all of them tenon.Array. */
bool are_arrays(const Elements& values) {
  if (!values) return false;
  PyTypeObject* const wanted = array_type;
  for (Py_ssize_t i = 0, count = values.count(); i < count; i++)
    if (Py_TYPE(values[i]) != wanted) return false;
  return true;
}

/* all_arrays(values): is it a list or tuple of nothing but tenon.Array? */
PyObject* all_arrays(PyObject*, PyObject* values) {
  bool all = are_arrays(Elements(values));
  return PyErr_Occurred() ? nullptr : PyBool_FromLong(all);
}

/* addresses(values) */
PyObject* addresses(PyObject*, PyObject* values) {
  const Elements arrays(values);
  if (!are_arrays(arrays)) {
    if (PyErr_Occurred()) return nullptr;
    Py_RETURN_NONE;
  }
  Ref out(PyByteArray_FromStringAndSize(nullptr, arrays.count() * static_cast<Py_ssize_t>(sizeof(void*))));
  if (!out) return nullptr;
  void** handles = reinterpret_cast<void**>(PyByteArray_AsString(out.get()));
  for (Py_ssize_t i = 0, count = arrays.count(); i < count; i++)
    if (!(handles[i] = handle_of(arrays[i]))) return nullptr;
  return out.release();
}

/* own_arrays(addresses) */
PyObject* own_arrays(PyObject*, PyObject* addresses) {
  if (!PyByteArray_Check(addresses))
    return PyErr_Format(PyExc_TypeError, "own_arrays takes a bytearray, not %R", Py_TYPE(addresses));
  tenon_array** handles = reinterpret_cast<tenon_array**>(PyByteArray_AsString(addresses));
  const Py_ssize_t count = PyByteArray_Size(addresses) / static_cast<Py_ssize_t>(sizeof(void*));
  Ref out(PyList_New(count));
  for (Py_ssize_t i = 0; i < count; i++) {
    if (!out) {
      api->array_release(handles[i]);
      continue;
    }
    PyObject* array = own_array(handles[i]);  // on failure it has been released
    if (array) PyList_SetItem(out.get(), i, array);
    else out = Ref();
  }
  return out.release();
}

PyMethodDef functions_of_lists[] = {
    {"all_arrays", all_arrays, METH_O, "Is it a list or tuple of nothing but tenon.Array?"},
    {"addresses", addresses, METH_O,
     "The handles of a list or tuple of tenon.Array, as the bytes of an array of pointers; None if other values are in "
     "it."},
    {"own_arrays", own_arrays, METH_O,
     "A list of arrays for references that are the caller's to give, as addresses() has them."},
    {}};

}  // namespace

int add_lists(PyObject* module) { return PyModule_AddFunctions(module, functions_of_lists); }

}  // namespace tenon_python
