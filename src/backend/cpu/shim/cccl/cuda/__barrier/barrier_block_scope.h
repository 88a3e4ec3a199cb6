// shim/cccl/cuda/__barrier/barrier_block_scope.h: an assertion in it is a constant for NVIDIA's compilers only.
#pragma once
#include <cuda/std/__cccl/compiler.h>
#pragma push_macro("static_assert")
#define static_assert(...)
#include_next <cuda/__barrier/barrier_block_scope.h>
#pragma pop_macro("static_assert")
