// backend/cpu/run/jump.hpp: random generators of kernels (shim/random/curand_kernel.h) far ahead in their sequences.
#pragma once

namespace tenon::cpu {

// Advances a generator of the kind TENON_GENERATOR_* by steps * 2^unit steps (unit <= 127). state: XORWOW: its five
// words of xorshift state; MRG32k3a: three words of each component, the oldest first.
void jump_ahead(int generator, unsigned* state, unsigned long long steps, int unit) noexcept;

}  // namespace tenon::cpu
