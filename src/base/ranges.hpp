// base/ranges.hpp: named ranges of time for profilers, by the protocol of NVTX 3: a profiler names its library in
// NVTX_INJECTION64_PATH, and that library fills in what the ranges call. Nothing is linked, and without a profiler
// nothing is called.
#pragma once

namespace tenon::base {

// Whether a profiler listens. Opens its library the first time.
bool ranges_wanted();
// On the calling thread; they nest.
void range_push(const char* name);
void range_pop();

}  // namespace tenon::base
