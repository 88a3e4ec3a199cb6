// ops/products/lists.hpp: products of lists of arrays: which entries are alike, where their results lie, and whether
// they share memory.
#pragma once
#include <array>
#include <span>
#include <vector>
#include "core/array/array.hpp"
#include "core/problem/problem.hpp"

namespace tenon::ops {

// Runs work(); an error's message begins with the number of the entry.
template <class F> void for_entry(size_t index, F&& work) {
  try {
    work();
  } catch (Error& error) {
    error.message = format("entry %zu: ", index) + error.message;
    throw;
  }
}

// Lists of operands and results of equal length.
struct ProductLists {
  std::span<const Array* const> a, b;
  std::span<Array* const> c;
  const Array& at(size_t which, size_t entry) const { return which == 2 ? *c[entry] : *(which ? b : a)[entry]; }
};

// What the steps of a call need of the entries. The arrays are read once: there are thousands of them, and each is in
// other cache lines.
struct Kinds {
  // For each kind the numbers of its entries, in the order of the first ones. Entries of a kind differ in nothing but
  // their addresses: what is checked and decided for one of them, except overlap, holds for all.
  std::vector<std::vector<size_t>> entries;
  struct Place {
    char* data;  // of element 0
    Buffer* buffer;
  };
  std::array<std::vector<Place>, 3> places;  // of a, b and c, by entry
};
Kinds kinds_of(const ProductLists& lists);

// Throws OVERLAP if a result shares memory with another array of the lists.
void require_apart(const ProductLists& lists, const Kinds& kinds);

// Sets the results that are NULL to new arrays, which are returned. Small ones share allocations, because making one
// for each costs more than a small product.
std::vector<Ref<Array>> make_results(std::span<const Array* const> a, Op op_a, std::span<const Array* const> b, Op op_b,
                                     std::span<Array*> results, Stream* stream);

// check_operands (ops/checks.hpp) of the entries.
void check_operands(const ProductLists& lists, Stream* stream);

}  // namespace tenon::ops
