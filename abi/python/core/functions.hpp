/* abi/python/core/functions.hpp: the raw layer, every function of the library as a built-in function of Python. */
#pragma once

#include "python.hpp"

namespace tenon_python {

/* A place for an output handle, and the handle that came out. */
struct Out {
  PyObject_HEAD void* value;
};

extern PyTypeObject* out_type;

/* The functions by name ("tenon_array_create"), for the library that is open. */
PyObject* functions();
/* The release function of the library that this object of functions() stands for; NULL with an exception when it is
 * another. */
void (*release_function(PyObject* function))(void*);

int add_functions(PyObject* module);

}  // namespace tenon_python
