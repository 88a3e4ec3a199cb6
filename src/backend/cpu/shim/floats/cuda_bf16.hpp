// shim/floats/cuda_bf16.hpp: another name of cuda_bf16.h.
#pragma once
#include "cuda_bf16.h"
