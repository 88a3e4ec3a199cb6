// shim/sync/cuda_pipeline.h: the functions with underscores.
#pragma once
#include "cuda_pipeline_primitives.h"
