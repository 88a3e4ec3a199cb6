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
