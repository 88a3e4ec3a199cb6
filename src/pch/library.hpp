// pch/library.hpp: headers that most files above core include, precompiled for each room.
#include "pch/standard.hpp"

#include "core/array/array.hpp"
#include "core/device/backend.hpp"
#include "core/device/context.hpp"
