// shim/tenon_cuda.h: CUDA C for a C++ compiler of the host. Provides what NVRTC makes available without an include.
//
// Set by the command line: TENON_EXECUTION (1 thread loop, 2 ring fibers, 3 scheduled fibers), TENON_REVERSE (threads
// run last to first), TENON_CHECK (checked mode), TENON_SPINS (threads may wait for each other in loops). Names
// that the user does not know start with tenon_ or TENON_.
#ifndef TENON_CUDA_H
#define TENON_CUDA_H

#include "tenon_abi.h"
#include "tenon_limits.h"
#include "tenon_language.h"
#include "tenon_vector.h"
#include "tenon_builtin.h"
#include "tenon_check.h"
#include "tenon_heap.h"
#include "tenon_stretch.h"
#include "tenon_sync.h"
#include "tenon_cluster.h"
#include "tenon_regions.h"
#include "tenon_integer.h"
#include "tenon_video.h"
#include "tenon_math.h"
#include "tenon_dpx.h"
#include "tenon_texture.h"
#include "tenon_atomic.h"
#include "tenon_entry.h"
#include "tenon_launch.h"
#include "tenon_refuse.h"

#endif
