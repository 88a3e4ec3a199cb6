/* abi/python/core/lists.cpp: lists of arrays, whose handles are gathered and made into objects without a step of Python
 * per array. */
#include "handle.hpp"
#include "module.hpp"

namespace tenon_python {

namespace {

/* Calls begin(count), then each(index, array) for the elements of a list or tuple of nothing but tenon.Array; false: it
 * is not one, or one of them returned false. Lists are long, and each step counts: the list is locked, not copied. */
template <class Begin, class Each> bool each_array(PyObject* values, Begin&& begin, Each&& each) {
  const bool list = PyList_Check(values);
  if (!list && !PyTuple_Check(values)) return false;
  PyObject* (*const element)(PyObject*, Py_ssize_t) = list ? PyList_GetItem : PyTuple_GetItem;
  Locked locked(values);
  const Py_ssize_t count = list ? PyList_Size(values) : PyTuple_Size(values);
  if (!begin(count)) return false;
  PyTypeObject* const wanted = array_type;
  for (Py_ssize_t i = 0; i < count; i++) {
    PyObject* array = element(values, i);
    if (!array || Py_TYPE(array) != wanted || !each(i, array)) return false;
  }
  return true;
}

/* all_arrays(values): is it a list or tuple of nothing but tenon.Array? */
PyObject* all_arrays(PyObject*, PyObject* values) {
  return PyBool_FromLong(
      each_array(values, [](Py_ssize_t) { return true; }, [](Py_ssize_t, PyObject*) { return true; }));
}

/* addresses(values) */
PyObject* addresses(PyObject*, PyObject* values) {
  Ref out;
  void** handles = nullptr;
  const auto begin = [&](Py_ssize_t count) {
    out = Ref(PyByteArray_FromStringAndSize(nullptr, count * static_cast<Py_ssize_t>(sizeof(void*))));
    if (out) handles = reinterpret_cast<void**>(PyByteArray_AsString(out.get()));
    return static_cast<bool>(out);
  };
  if (each_array(values, begin,
                 [&](Py_ssize_t i, PyObject* array) { return (handles[i] = handle_of(array)) != nullptr; }))
    return out.release();
  if (PyErr_Occurred()) return nullptr;
  Py_RETURN_NONE;
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
