// pch/library.hpp: headers that most files above core include, precompiled for each room.
#include "pch/standard.hpp"

#include "core/array.hpp"
#include "core/backend.hpp"
#include "core/context.hpp"
