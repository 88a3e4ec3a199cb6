// pch/library.hpp: what most files above core include, compiled once for each room.
#include "pch/standard.hpp"

#include "core/array.hpp"
#include "core/backend.hpp"
#include "core/context.hpp"
