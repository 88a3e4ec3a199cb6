// shim/floats/cuda_fp16.hpp: another name of cuda_fp16.h.
#pragma once
#include "cuda_fp16.h"
