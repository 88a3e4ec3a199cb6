// base/ranges.hpp: named ranges of time for profilers, by the protocol of NVTX 3: a profiler names its library in
// NVTX_INJECTION64_PATH, and that library fills in the functions that the ranges call. Nothing is linked, and without a
// profiler nothing is called.
#pragma once

namespace tenon::base {

// Whether a profiler is listening. The first call opens the profiler's library.
bool ranges_wanted();
// On the calling thread; ranges nest.
void range_push(const char* name);
void range_pop();

}  // namespace tenon::base
