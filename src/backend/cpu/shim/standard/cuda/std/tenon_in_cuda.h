// shim/standard/cuda/std/tenon_in_cuda.h: libcu++'s names are the standard library's.
#pragma once
#include "../../tenon_std_types.h"
namespace cuda {
namespace std {
using namespace ::std;
}
}  // namespace cuda
