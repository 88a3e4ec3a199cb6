// shim/sync/cuda_awbarrier_primitives.h: barriers of a block, in shared memory.
#pragma once
#include "cuda_pipeline_primitives.h"
