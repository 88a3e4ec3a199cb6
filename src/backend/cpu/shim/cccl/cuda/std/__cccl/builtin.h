// shim/cccl/cuda/std/__cccl/builtin.h: built-in functions are those of the real compiler. NVRTC has others.
#pragma once
#include <cuda/std/__cccl/compiler.h>
#include <tenon_itself.h>
#include_next <cuda/std/__cccl/builtin.h>
#include <tenon_nvrtc.h>
