// backend/cpu/text/spins.hpp: detects texts in which a thread may wait for another one in a loop.
#pragma once
#include <string_view>

namespace tenon::cpu {

// Whether a loop of the text polls: its condition (or, if that is always true, its body) reads something volatile, or
// checks by an atomic operation whether something has happened: a compare-and-swap with a constant, an addition of 0
// and the like, __nanosleep. The threads of such a text become fibers that take turns (shim/language/tenon_stretch.h),
// which is correct for every text but slow. A loop that computes with the result of an atomic operation (atomicAdd on a
// work queue, compare-and-swap with a value read before) does not count. A loop that is not recognised runs as before:
// for ever, if it waits for a thread that comes after it.
bool may_spin(std::string_view text);

}  // namespace tenon::cpu
