// core/watch.hpp: the narrow place through which all work goes onto streams, where a recording takes it.
#pragma once
#include "core/backend.hpp"

namespace tenon {

// For a watched stream: what records takes the step; any other runs it, surrounded by what the context's diagnosis asks for.
void put_watched(Stream& stream, Step step);

}  // namespace tenon
