// ops/products/lists.cpp: products of lists of arrays: which entries are alike, where their results lie, and whether
// they share memory. A list has thousands of small arrays, so that each step here takes a few nanoseconds per array.
#include "ops/products/lists.hpp"

#include <algorithm>
#include <unordered_map>
#include "core/device/context.hpp"
#include "ops/checks.hpp"
#include "ops/products/products.hpp"

namespace tenon::ops {
namespace {

// As ==, whose call of memcmp takes longer than to compare the two extents of a matrix.
inline bool equal_shapes(const Dims& x, const Dims& y) {
  if (x.size() != y.size()) return false;
  for (int32_t i = 0; i < x.size(); ++i)
    if (x[i] != y[i]) return false;
  return true;
}

// Can whatever one is used for be done with the other in the same way? Where the memory lies is not compared.
inline bool alike(const Array& x, const Array& y) {
  if (&x == &y) return true;
  const Buffer &of_x = x.buffer(), &of_y = y.buffer();
  return x.dtype() == y.dtype() && x.read_only() == y.read_only() &&
         (&of_x == &of_y || (&of_x.device() == &of_y.device() && of_x.kind() == of_y.kind())) &&
         equal_shapes(x.shape(), y.shape()) && equal_shapes(x.strides(), y.strides());
}

bool alike(const ProductLists& lists, size_t x, size_t y) {
  for (size_t which = 0; which < 3; ++which)
    if (!alike(lists.at(which, x), lists.at(which, y))) return false;
  return true;
}

uint64_t hash_of_shapes(const ProductLists& lists, size_t entry) {
  uint64_t hash = 0;
  for (size_t which = 0; which < 3; ++which)
    for (const int64_t extent : lists.at(which, entry).shape())
      hash = (hash ^ uint64_t(extent)) * 0x9E3779B97F4A7C15u, hash ^= hash >> 29;
  return hash;
}

// A range of addresses [first, last); empty for arrays without elements.
struct Range {
  uint64_t first = 0, last = 0;
};

// The ranges of one list. Those of a kind lie around their first elements in the same way.
std::vector<Range> ranges_of(const ProductLists& lists, size_t which, const Kinds& kinds) {
  std::vector<Range> ranges(lists.c.size());
  for (const std::vector<size_t>& kind : kinds.entries) {
    const Array& one = lists.at(which, kind[0]);
    if (one.size() == 0) continue;
    uint64_t first, last;
    one.span(first, last);
    for (const size_t entry : kind) {
      const uint64_t at = reinterpret_cast<uintptr_t>(kinds.places[which][entry].data) - one.byte_offset();
      ranges[entry] = {at + first, at + last};
    }
  }
  return ranges;
}

// Is it plain that no result's range meets another one's, or that of an operand?
bool ranges_apart(const ProductLists& lists, const Kinds& kinds) {
  std::vector<Range> written = ranges_of(lists, 2, kinds);
  std::erase_if(written, [](const Range& x) { return x.first == x.last; });
  if (written.empty()) return true;
  const auto before = [](const Range& x, const Range& y) { return x.first < y.first; };
  if (!std::is_sorted(written.begin(), written.end(), before)) std::sort(written.begin(), written.end(), before);
  for (size_t i = 1; i < written.size(); ++i)
    if (written[i].first < written[i - 1].last) return false;
  const Range all{written.front().first, written.back().last};
  for (size_t which = 0; which < 2; ++which) {
    auto near = written.begin();  // the first one that ends behind the operand's beginning; operands are often in order
    for (const Range& x : ranges_of(lists, which, kinds)) {
      if (x.last <= all.first || x.first >= all.last) continue;
      const auto ends = [](uint64_t address, const Range& y) { return address < y.last; };
      if (near != written.begin() && (near - 1)->last > x.first) near = written.begin();
      if (near != written.end() && near->last <= x.first && ++near != written.end() && near->last <= x.first)
        near = std::upper_bound(near, written.end(), x.first, ends);
      if (near != written.end() && near->first < x.last && x.first < x.last) return false;
    }
  }
  return true;
}

}  // namespace

Kinds kinds_of(const ProductLists& lists) {
  Kinds out;
  auto& kinds = out.entries;
  std::unordered_multimap<uint64_t, size_t> known;
  const size_t count = lists.c.size();
  for (auto& places : out.places) places.resize(count);
  size_t last = 0;  // the kind of the entry before
  for (size_t i = 0; i < count; ++i) {
    for (size_t which = 0; which < 3; ++which) {
      const Array& x = lists.at(which, i);
      out.places[which][i] = {static_cast<char*>(x.data()), &x.buffer()};
    }
    if (kinds.empty() || !alike(lists, kinds[last][0], i)) {
      const uint64_t hash = hash_of_shapes(lists, i);
      const auto [first, end] = known.equal_range(hash);
      const auto found = std::find_if(first, end, [&](const auto& x) { return alike(lists, kinds[x.second][0], i); });
      last = found == end ? kinds.size() : found->second;
      if (found == end) {
        known.emplace(hash, last);
        kinds.emplace_back();
        if (kinds.size() == 1) kinds[0].reserve(count);
      }
    }
    kinds[last].push_back(i);
  }
  return out;
}

void require_apart(const ProductLists& lists, const Kinds& kinds) {
  if (ranges_apart(lists, kinds)) return;
  // The exact answer, for the pairs whose ranges meet.
  struct Place {
    uint64_t first, last;
    size_t entry, which;
  };
  constexpr const char* kNames[] = {"a", "b", "c"};
  std::vector<Place> places;
  for (size_t which = 0; which < 3; ++which) {
    const std::vector<Range> ranges = ranges_of(lists, which, kinds);
    for (size_t i = 0; i < ranges.size(); ++i)
      if (ranges[i].first != ranges[i].last) places.push_back({ranges[i].first, ranges[i].last, i, which});
  }
  std::sort(places.begin(), places.end(), [](const Place& x, const Place& y) { return x.first < y.first; });
  std::vector<const Place*> open, open_results;
  for (const Place& now : places) {
    const bool result = now.which == 2;
    for (auto* list : {&open, &open_results})
      std::erase_if(*list, [&](const Place* x) { return x->last <= now.first; });
    for (const Place* x : result ? open : open_results) {
      const Place &to = result ? now : *x, &other = result ? *x : now;
      if (overlap(lists.at(to.which, to.entry), lists.at(other.which, other.entry)) == Overlap::disjoint) continue;
      TENON_REQUIRE(to.entry != other.entry, TENON_ERROR_OVERLAP,
                    "entry %zu: c shares memory with a or b: write the product to a separate array", to.entry);
      fail(TENON_ERROR_OVERLAP, "%s[%zu] shares memory with %s[%zu]: write each product to a separate array",
           kNames[to.which], to.entry, kNames[other.which], other.entry);
    }
    open.push_back(&now);
    if (result) open_results.push_back(&now);
  }
}

namespace {

// A result keeps the allocation that it shares, so one that outlives the others keeps no more than this.
constexpr uint64_t kSharedBytes = uint64_t(1) << 20;

}  // namespace

std::vector<Ref<Array>> make_results(std::span<const Array* const> a, Op op_a, std::span<const Array* const> b, Op op_b,
                                     std::span<Array*> results, Stream* stream) {
  std::vector<Ref<Array>> made;
  const auto add = [&](size_t entry, Ref<Array> array) {
    results[entry] = array.get();
    made.push_back(std::move(array));
  };
  for (size_t i = 0; i < results.size();) {
    if (results[i]) {
      ++i;
      continue;
    }
    size_t last = i + 1;
    while (last < results.size() && !results[last] && alike(*a[last], *a[i]) && alike(*b[last], *b[i])) ++last;
    made.reserve(made.size() + last - i);
    for_entry(i, [&] { add(i, gemm_result(*a[i], op_a, *b[i], op_b, stream)); });
    const Array& one = *results[i];
    const uint64_t alignment = one.device().traits().alignment;  // each result has what memory of its own would have
    const uint64_t step = (one.bytes() + alignment - 1) / alignment * alignment;
    Stream& on = stream_or_default(stream, stream ? stream->device() : a[i]->device());
    for (++i; i < last;) {
      const size_t count = std::min(last - i, size_t(step ? std::max<uint64_t>(kSharedBytes / step, 1) : last - i));
      const auto buffer = Buffer::create(one.device(), count * step, one.buffer().kind(), on);
      for (size_t k = 0; k < count; ++k)
        add(i++, Array::checked_view(buffer, one.dtype(), one.shape(), one.strides(), k * step, one.size(), false));
    }
  }
  return made;
}

void check_operands(const ProductLists& lists, Stream* stream) {
  if (lists.c.empty() || !lists.c[0]->context().settings().checks_finite()) return;
  for (size_t i = 0; i < lists.c.size(); ++i)
    check_operands({{*lists.a[i], "a"}, {*lists.b[i], "b"}}, &stream_or_default(stream, lists.c[i]->device()));
}

}  // namespace tenon::ops
