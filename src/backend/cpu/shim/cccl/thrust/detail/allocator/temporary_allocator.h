// shim/cccl/thrust/detail/allocator/temporary_allocator.h: the memory of algorithms. Where it ends, Thrust throws on
// the host and ends the kernel on a GPU.
#pragma once
#include <thrust/detail/config.h>
#include <tenon_cccl.h>
#define throw tenon_thrown() =
#include_next <thrust/detail/allocator/temporary_allocator.h>
#undef throw
