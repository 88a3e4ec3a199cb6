// backend/cpu/text/spins.hpp: texts in which a thread may wait, in a loop, for what another one does.
#pragma once
#include <string_view>

namespace tenon::cpu {

// Whether a loop of the text polls: its condition (or, where that is always true, its body) reads something volatile,
// or it asks an atomic operation whether something has happened: a compare-and-swap with a constant, an addition of 0
// and the like, __nanosleep. The threads of such a text are made fibers that take turns (shim/tenon_stretch.h), which
// is right for every text and slow: a loop that computes with what an atomic operation returned (atomicAdd of a work
// queue, compare-and-swap with what was read) is none of these. A loop that is not recognised runs as it did: for ever,
// if it waits for a thread that comes after it.
bool may_spin(std::string_view text);

}  // namespace tenon::cpu
