// shim/cuda_runtime.h: what it declares for kernels is always there, but for the macros of <math.h>, which nvcc brings
// in with it.
#pragma once
#include "math.h"
