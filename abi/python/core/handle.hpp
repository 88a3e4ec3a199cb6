/* abi/python/core/handle.hpp: the objects that own a reference to an object of the library. */
#pragma once

#include "python.hpp"

namespace tenon_python {

struct Handle {
  PyObject_HEAD void* handle; /* NULL: none yet, or taken away in a child of fork() */
  void (*release)(void*);     /* of the library, for this kind of handle */
  PyObject* weak_references;
};

struct Array {
  Handle base;
  tenon_array_info info; /* struct_size 0: not asked for yet. Many views and imports live only to be handed on */
  PyObject *shape, *strides;

  tenon_array* get() const { return static_cast<tenon_array*>(base.handle); }
};

extern PyTypeObject *handle_type, *array_type; /* array_type: the class of the package, which is derived from the
                                                  module's */

inline bool is_array(PyObject* object) {
  return Py_TYPE(object) == array_type || PyType_IsSubtype(Py_TYPE(object), array_type);
}
inline bool is_handle(PyObject* object) { return PyType_IsSubtype(Py_TYPE(object), handle_type); }

/* A new tenon.Array that owns the reference; on failure it is released. */
PyObject* own_array(tenon_array* array);
/* What the array is, asked for once; NULL on failure. */
const tenon_array_info* info_of(Array* self);
/* The handle of an object, made again where fork() took it away; NULL on failure. */
void* handle_of(PyObject* object);
/* The address that stands for a handle: an integer, what make() returned, or a c_void_p. False with an exception for
 * anything else. */
bool address_in(PyObject* value, void** out);
/* Of a kind of handle, by its class; NULL on failure. */
using Release = void (*)(void*);
Release release_of(PyTypeObject* type);

int add_handle_types(PyObject* module);
int add_array_type(PyObject* module);

}  // namespace tenon_python
