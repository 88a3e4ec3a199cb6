// ops/products/einsum_path.hpp: the order in which a sum over several operands is computed.
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tenon::ops {

struct EinsumTerms {
  std::vector<std::vector<int>> labels;  // of each operand
  std::vector<int> result;
  std::vector<std::pair<int, int64_t>> extents;  // of each label
};

// The pairs to combine, first to last. The operands have the numbers 0 to n - 1, and the result of step i gets n + i.
// Up to 7 operands: the order with the fewest operations. More: the pair whose result is smallest compared with its
// operands comes first (both as in Smith and Gray, opt_einsum, Journal of Open Source Software 3(26), 2018). Among
// equals the one with the lowest numbers is taken.
std::vector<std::pair<size_t, size_t>> einsum_path(const EinsumTerms& terms);

}  // namespace tenon::ops
