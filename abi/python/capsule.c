/* abi/python/capsule.c: the destructor of the DLPack capsules that the Python package makes.
 *
 * A capsule that nobody consumed gives its tensor back here. This cannot be a ctypes callback: a consumer that refuses a
 * tensor drops the capsule while its exception is set, and a Python callback would replace that exception. The few functions
 * of CPython's stable ABI are declared in our own words, so building needs no Python headers; the interpreter that loads
 * this resolves them.
 */
#include <stdint.h>

typedef struct _object PyObject;
extern int PyCapsule_IsValid(PyObject* capsule, const char* name);
extern void* PyCapsule_GetPointer(PyObject* capsule, const char* name);
extern void PyErr_Fetch(PyObject** type, PyObject** value, PyObject** traceback);
extern void PyErr_Restore(PyObject* type, PyObject* value, PyObject* traceback);

/* The two managed tensors of DLPack, as far as needed: 64-byte legacy and 80-byte versioned, on 64-bit machines. */
typedef struct legacy_tensor {
  char tensor[48];
  void* manager_context;
  void (*deleter)(struct legacy_tensor* self);
} legacy_tensor;

typedef struct versioned_tensor {
  uint32_t major, minor;
  void* manager_context;
  void (*deleter)(struct versioned_tensor* self);
} versioned_tensor;

typedef int gil_state; /* PyGILState_STATE, an enumeration */
extern gil_state PyGILState_Ensure(void);
extern void PyGILState_Release(gil_state state);
extern int Py_IsInitialized(void);
extern void Py_DecRef(PyObject* object);

/* Gives back a reference that the library held, on any thread. At the end of the interpreter nothing is left to give it back to. */
__attribute__((visibility("default"))) void tenon_python_drop_object(void* object) {
  gil_state state;
  if (!Py_IsInitialized()) return;
  state = PyGILState_Ensure();
  Py_DecRef(object);
  PyGILState_Release(state);
}

__attribute__((visibility("default"))) void tenon_python_drop_capsule(PyObject* capsule) {
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback); /* a deleter may run Python code of another producer */
  if (PyCapsule_IsValid(capsule, "dltensor_versioned")) {
    versioned_tensor* tensor = PyCapsule_GetPointer(capsule, "dltensor_versioned");
    if (tensor->deleter) tensor->deleter(tensor);
  } else if (PyCapsule_IsValid(capsule, "dltensor")) {
    legacy_tensor* tensor = PyCapsule_GetPointer(capsule, "dltensor");
    if (tensor->deleter) tensor->deleter(tensor);
  } /* else it was consumed: its name starts with "used_" and the tensor is the consumer's */
  PyErr_Restore(type, value, traceback);
}
