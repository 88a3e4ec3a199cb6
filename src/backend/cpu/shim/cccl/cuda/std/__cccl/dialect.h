// shim/cccl/cuda/std/__cccl/dialect.h: features of the language are those of the real compiler.
#pragma once
#include <cuda/std/__cccl/builtin.h>
#include <tenon_itself.h>
#include_next <cuda/std/__cccl/dialect.h>
#include <tenon_nvrtc.h>
