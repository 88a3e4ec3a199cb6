/* abi/python/core/handle.cpp: _core.Handle, the base of every class whose objects own a reference to an object of the
 * library. */
#include "handle.hpp"

#include <structmember.h>

#include <cstddef>

#include "functions.hpp"
#include "known.hpp"

namespace tenon_python {

PyTypeObject* handle_type;

/* Classes live as long as the process; a reference is kept so that no other class gets the address of one. */
Release release_of(PyTypeObject* type) {
  static Known<PyTypeObject*, Release> known;
  if (const Release* found = known.find(type)) return *found;
  Ref function(PyObject_GetAttrString(as_object(type), "_release"));
  Release release = function ? release_function(function.get()) : nullptr;
  if (!release) return nullptr;
  Py_INCREF(as_object(type));
  return known.add(type, release);
}

void* handle_of(PyObject* object) {
  Handle* self = reinterpret_cast<Handle*>(object);
  if (self->handle) return self->handle;
  static PyObject* name = PyUnicode_InternFromString("_handle");
  Ref again(PyObject_GetAttr(object, name));  // a class that can makes it again
  return again ? PyLong_AsVoidPtr(again.get()) : nullptr;
}

bool address_in(PyObject* value, void** out) {
  if (Py_TYPE(value) == out_type) {
    *out = reinterpret_cast<Out*>(value)->value;
    return true;
  }
  if (PyLong_Check(value)) {
    *out = PyLong_AsVoidPtr(value);
    return *out || !PyErr_Occurred();
  }
  Ref inside(PyObject_GetAttrString(value, "value"));
  if (!inside) return false;
  *out = inside.get() == Py_None ? nullptr : PyLong_AsVoidPtr(inside.get());
  return *out || !PyErr_Occurred();
}

static PyObject* get_handle(PyObject* self, void*) {
  void* handle = reinterpret_cast<Handle*>(self)->handle;
  if (handle) return PyLong_FromVoidPtr(handle);
  return PyErr_Format(PyExc_AttributeError, "the %R owns no handle", Py_TYPE(self));
}

/* None and `del` take it away; nothing is released. */
static int set_handle(PyObject* object, PyObject* value, void*) {
  Handle* self = reinterpret_cast<Handle*>(object);
  if (!value || value == Py_None) {
    self->handle = nullptr;
    return 0;
  }
  void* handle;
  if (!address_in(value, &handle)) return -1;
  if (!self->release && !(self->release = release_of(Py_TYPE(object)))) return -1;
  self->handle = handle;
  return 0;
}

static void dealloc_handle(PyObject* object) {
  Handle* self = reinterpret_cast<Handle*>(object);
  PyTypeObject* type = Py_TYPE(object);
  if (self->weak_references) PyObject_ClearWeakRefs(object);
  if (void* handle = std::exchange(self->handle, nullptr)) {
    Unlocked unlocked;  // what ends with it may have to be waited for
    self->release(handle);
  }
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(object);
  Py_DECREF(as_object(type));
}

static PyMemberDef handle_members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(Handle, weak_references), READONLY, nullptr}, {}};
static PyGetSetDef handle_properties[] = {
    {"_handle", get_handle, set_handle, "The address that the library knows the object by.", nullptr}, {}};
static PyType_Slot handle_slots[] = {{Py_tp_members, handle_members},
                                     {Py_tp_getset, handle_properties},
                                     {Py_tp_dealloc, reinterpret_cast<void*>(dealloc_handle)},
                                     {Py_tp_doc, const_cast<char*>("Owns a reference to an object of the library.")},
                                     {}};
static PyType_Spec handle_spec = {"tenon._core.Handle", sizeof(Handle), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                                  handle_slots};

int add_handle_types(PyObject* module) {
  handle_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&handle_spec));
  return !handle_type || PyModule_AddType(module, handle_type) ? -1 : 0;
}

}  // namespace tenon_python
