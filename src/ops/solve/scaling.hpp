// ops/solve/scaling.hpp: scaling matrices to a magnitude near 1 by powers of two, one per matrix of a batch, where
// intermediate results would otherwise overflow or vanish.
#pragma once
#include <vector>
#include "ops/matrix.hpp"

namespace tenon::ops {

using Exponents = std::vector<int>;  // powers of 2, one per matrix

constexpr int kTame = 30;  // up to this binary exponent squares of elements, and their sums, fit every dtype

bool equal(const Exponents& x);
// Each matrix of a C-ordered a, or the part of a for that matrix, times 2^(times its exponent), new; a itself if
// nothing changes.
Ref<Array> scaled_each(const Array& a, const Exponents& exponents, int times, Stream& stream);

// For C-ordered matrices: the exponents that bring the largest element to about 1, or from the upper half of the range
// to its middle; 0 if that is not necessary. Waits.
Exponents exponents_of(const Array& a, Stream& stream);
// a 2^-exponents.
struct Tamed {
  Ref<Array> a;
  Exponents exponents;
};
Tamed tamed(const Array& a, Stream& stream);

}  // namespace tenon::ops
