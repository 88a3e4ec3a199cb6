/* abi/python/core/module.hpp: the parts that the module is put together from. */
#pragma once

#include "python.hpp"

namespace tenon_python {

int add_creation(PyObject* module);
int add_interrupt(PyObject* module);

}  // namespace tenon_python
