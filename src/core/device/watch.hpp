// core/device/watch.hpp: the single choke point for submitting work to streams; recordings and diagnosis hook in here.
#pragma once
#include "core/device/backend.hpp"

namespace tenon {

// For a watched stream: a recording takes the piece; any other stream runs it, wrapped in the diagnosis of the context.
void put_watched(Stream& stream, RecordedWork piece);
// Runs the work in a profiler's range, or waits after it, so that a failure is reported for this work. `text` describes
// the work.
void run_watched(Stream& stream, const char* name, const std::function<void(Stream&)>& run,
                 const std::function<std::string()>& text);

}  // namespace tenon
