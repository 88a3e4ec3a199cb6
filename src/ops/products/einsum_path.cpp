// ops/products/einsum_path.cpp: the order in which a sum over several operands is computed.
#include "ops/products/einsum_path.hpp"

#include <algorithm>
#include <bitset>
#include <limits>

namespace tenon::ops {
namespace {

constexpr size_t kLabels = 256;       // more than letters and the axes of an ellipsis
constexpr size_t kOptimal = 7;        // operands; the search takes 3^n steps
using Labels = std::bitset<kLabels>;  // by place in EinsumTerms::extents

struct Network {
  std::vector<Labels> operands;
  Labels result;
  std::vector<double> extents;

  explicit Network(const EinsumTerms& terms) {
    for (const auto& [label, extent] : terms.extents) extents.push_back(double(extent));
    for (const auto& list : terms.labels) operands.push_back(set_of(terms, list));
    result = set_of(terms, terms.result);
  }
  double size(const Labels& labels) const {
    double product = 1;
    for (size_t i = 0; i < extents.size(); ++i)
      if (labels[i]) product *= extents[i];
    return product;
  }
  // Multiplications, and additions if something is summed over.
  double cost(const Labels& a, const Labels& b, const Labels& kept) const {
    const Labels all = a | b;
    return size(all) * ((all & ~kept).any() ? 2 : 1);
  }

 private:
  static Labels set_of(const EinsumTerms& terms, const std::vector<int>& list) {
    Labels set;
    for (const int label : list)
      for (size_t i = 0; i < terms.extents.size(); ++i)
        if (terms.extents[i].first == label) set.set(i);
    return set;
  }
};

// The cheapest way to combine each set of operands, from small sets to all.
class Optimal {
 public:
  explicit Optimal(const Network& network) : network_(network), sets_(size_t(1) << network.operands.size()) {
    for (size_t mask = 1; mask < sets_.size(); ++mask) find(mask);
  }

  std::vector<std::pair<size_t, size_t>> path() {
    number(sets_.size() - 1);
    return std::move(path_);
  }

 private:
  struct Set {
    double cost = 0;
    size_t left = 0;  // of the two sets that make it; 0: one operand
    Labels kept;
  };

  void find(size_t mask) {
    Set& set = sets_[mask];
    Labels inside, outside = network_.result;
    for (size_t i = 0; i < network_.operands.size(); ++i) (mask >> i & 1 ? inside : outside) |= network_.operands[i];
    set.kept = inside & outside;
    if ((mask & (mask - 1)) == 0) {
      set.kept = inside;  // an operand has all its labels
      return;
    }
    set.cost = std::numeric_limits<double>::infinity();
    for (size_t left = (mask - 1) & mask; left; left = (left - 1) & mask) {
      const size_t right = mask ^ left;
      if (left < right) continue;
      const double cost =
          sets_[left].cost + sets_[right].cost + network_.cost(sets_[left].kept, sets_[right].kept, set.kept);
      if (!set.left || cost < set.cost) set.cost = cost, set.left = left;
    }
  }

  // The number of the term that a set becomes.
  size_t number(size_t mask) {
    if (!sets_[mask].left) {
      size_t operand = 0;
      while (!(mask >> operand & 1)) ++operand;
      return operand;
    }
    const size_t a = number(mask ^ sets_[mask].left), b = number(sets_[mask].left);
    path_.push_back(std::minmax(a, b));
    return network_.operands.size() + path_.size() - 1;
  }

  const Network& network_;
  std::vector<Set> sets_;
  std::vector<std::pair<size_t, size_t>> path_;
};

std::vector<std::pair<size_t, size_t>> greedy(const Network& network) {
  struct Term {
    size_t number;
    Labels labels;
  };
  std::vector<Term> terms;
  for (size_t i = 0; i < network.operands.size(); ++i) terms.push_back({i, network.operands[i]});
  std::vector<std::pair<size_t, size_t>> path;
  while (terms.size() > 1) {
    std::pair<bool, double> best{true, std::numeric_limits<double>::infinity()};
    size_t first = 0, second = 1;
    Labels made;
    for (size_t a = 0; a < terms.size(); ++a)
      for (size_t b = a + 1; b < terms.size(); ++b) {
        Labels outside = network.result;
        for (size_t c = 0; c < terms.size(); ++c)
          if (c != a && c != b) outside |= terms[c].labels;
        const Labels kept = (terms[a].labels | terms[b].labels) & outside;
        // Terms without a common label are combined last, the small ones first.
        const bool apart = (terms[a].labels & terms[b].labels).none();
        const double score = apart ? network.size(kept)
                                   : network.size(kept) - network.size(terms[a].labels) - network.size(terms[b].labels);
        if (std::pair(apart, score) < best) best = {apart, score}, first = a, second = b, made = kept;
      }
    path.emplace_back(terms[first].number, terms[second].number);
    terms.erase(terms.begin() + int64_t(second));
    terms.erase(terms.begin() + int64_t(first));
    terms.push_back({network.operands.size() + path.size() - 1, made});
  }
  return path;
}

}  // namespace

std::vector<std::pair<size_t, size_t>> einsum_path(const EinsumTerms& terms) {
  const Network network(terms);
  if (network.operands.size() < 2) return {};
  return network.operands.size() <= kOptimal ? Optimal(network).path() : greedy(network);
}

}  // namespace tenon::ops
