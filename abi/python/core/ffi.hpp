/* abi/python/core/ffi.hpp: operations and kernels for JAX. */
#pragma once

#include "python.hpp"

namespace tenon_python {

int add_ffi(PyObject* module);

}  // namespace tenon_python
