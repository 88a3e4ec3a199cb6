// kernel/arguments.hpp: the checks in front of a launch, and the packing of values.
#pragma once
#include "core/array/argument.hpp"
#include "kernel/program.hpp"

namespace tenon {

// Checks argument `index` against its parameter and writes its value to `to` (parameter.size bytes). Returns the array
// in the argument, or NULL. Throws, naming kernel and argument, before anything is written. Allocates
// nothing unless it throws.
Array* pack_argument(const Kernel& kernel, size_t index, const CallArgument& argument, void* to);

// Throws INVALID_ARGUMENT unless `count` is the number of parameters.
void check_count(const Kernel& kernel, const CallArgument* arguments, int32_t count);

// Throws INVALID_ARGUMENT for bits that are not TENON_LAUNCH_*.
void check_launch_flags(const Kernel& kernel, const Geometry& launch);

// Replaces zeros in the caller's geometry by ones, and checks it against the limits of the device and of the kernel.
// Throws, naming the limit.
Geometry checked_geometry(Kernel& kernel, const Geometry& launch);

// The memory that the kernel may access through argument i, which has been packed; whether the program checks that.
bool wants_extents(const Kernel& kernel);
MemoryRange argument_extent(const Kernel& kernel, size_t i, const CallArgument& argument);

}  // namespace tenon
