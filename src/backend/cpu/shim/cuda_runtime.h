// shim/cuda_runtime.h: its declarations for kernels are always available; it adds the macros of <math.h>, which nvcc
// includes with it.
#pragma once
#include "math.h"
