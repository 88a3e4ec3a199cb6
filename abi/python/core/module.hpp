/* abi/python/core/module.hpp: the parts that the module is put together from. */
#pragma once

#include <atomic>

#include "python.hpp"

namespace tenon_python {

/* A stream of this process runs Python functions, or will. Work that is waited for may then need the GIL. */
extern std::atomic<bool> streams_call_python;

int add_compute(PyObject* module);
int add_creation(PyObject* module);
int add_interrupt(PyObject* module);

}  // namespace tenon_python
