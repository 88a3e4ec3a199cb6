// core/watch.hpp: the narrow place through which all work goes onto streams, where a recording takes it and diagnosis surrounds it.
#pragma once
#include "core/backend.hpp"

namespace tenon {

// For a watched stream: what records takes the step; any other runs it, surrounded by what the context's diagnosis asks for.
void put_watched(Stream& stream, Step step);
// The latter: a profiler's range around it, or a wait after it, whose failure then is that of this work. `text` says what it is.
void run_watched(Stream& stream, const char* name, const std::function<void(Stream&)>& run, const std::function<std::string()>& text);

}  // namespace tenon
