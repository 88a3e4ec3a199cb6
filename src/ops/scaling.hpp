// ops/scaling.hpp: scaling matrices to a magnitude near 1 by powers of two, one per matrix of a batch, where otherwise
// something would overflow or vanish.
#pragma once
#include <vector>
#include "ops/matrix.hpp"

namespace tenon::ops {

using Exponents = std::vector<int>;  // of 2, one for each matrix

bool equal(const Exponents& x);
// Each matrix of a C-ordered a, or all that belongs to a matrix, times 2^(times its exponent), new; a itself where that
// is nothing.
Ref<Array> scaled_each(const Array& a, const Exponents& exponents, int times, Stream& stream);

// Of C-ordered matrices: those that bring the largest element to about 1, or from the upper half of the range to its
// middle; 0 where it need not be. Waits.
Exponents exponents_of(const Array& a, Stream& stream);
// a 2^-exponents.
struct Tamed {
  Ref<Array> a;
  Exponents exponents;
};
Tamed tamed(const Array& a, Stream& stream);

}  // namespace tenon::ops
