// shim/cccl/cuda/std/__cccl/compiler.h: CCCL (CUB, Thrust, libcu++) takes the compiler for NVRTC, whose branches need
// no header of the host and declare nothing that only the host can call. Its own header of this name follows.
#pragma once
#include <initializer_list>
#include <tenon_cccl.h>
#pragma push_macro("__clang__")
#pragma push_macro("__GNUC__")
#pragma push_macro("__NVCC__")
#undef __clang__
#undef __GNUC__
#undef __NVCC__
#include_next <cuda/std/__cccl/compiler.h>
#pragma pop_macro("__NVCC__")
#pragma pop_macro("__GNUC__")
#pragma pop_macro("__clang__")
