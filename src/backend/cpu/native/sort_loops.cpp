// backend/cpu/native/sort_loops.cpp: sorts of keys with the vectors of the instruction set that it is compiled for.
#include "backend/cpu/native/sort_loops.hpp"

// Nothing of Highway's own library is linked, and this file chooses no instruction set when it runs.
#define HWY_COMPILE_ONLY_STATIC 1
#define HWY_HEADER_ONLY 1
#define HWY_DISABLE_PCLMUL_AES 1  // x86-64-v3 does not have these instructions, and sorts do not use them
#define VQSORT_ONLY_STATIC 1
#include <hwy/contrib/sort/traits-inl.h>
#include <hwy/contrib/sort/vqsort-inl.h>
#include <hwy/highway.h>

static_assert(HWY_TARGET == (TENON_VECTOR_LEVEL == 4 ? HWY_AVX3 : HWY_AVX2), "Highway uses another instruction set");

#if HWY_MAJOR == 1 && HWY_MINOR == 0
// Before 1.1, the seed of the sampled pivots comes from a function of the library. The same seed for all gives the same
// times for the same data.
void hwy::Sorter::Fill24Bytes(const void*, size_t, void* bytes) { memset(bytes, 0x5a, 24); }
#endif

namespace tenon::cpu {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <class Key> void sort(Key* keys, int64_t n) {
#if HWY_MAJOR == 1 && HWY_MINOR == 0
  const hn::detail::SharedTraits<hn::detail::TraitsLane<hn::detail::OrderAscending<Key>>> ascending;
  hn::Sort(hn::SortTag<Key>(), ascending, keys, size_t(n), static_cast<Key*>(nullptr));
#else
  hn::VQSortStatic(keys, size_t(n), hwy::SortAscending());
#endif
}

template <class Key>
void count_below(const Key* keys, int64_t n, const Key* splitters, int64_t splitter_count, int64_t* counts) {
  for (int64_t k = 0; k < splitter_count; ++k) {
    const Key splitter = splitters[k];
    Key count = 0;
    for (int64_t i = 0; i < n; ++i) count += Key(keys[i] < splitter);
    counts[k] += int64_t(count);
  }
}

// Moves the keys below the pivot to the front of x and the others to `room`, and returns the number of the first. Each
// store writes a whole vector, and the next one overwrites its surplus lanes. In x a store never reaches keys that are
// still to be read, because no more keys are written there than were read.
template <class Key> int64_t part_in_two(Key* x, int64_t n, Key pivot, Key* room) {
  const hn::ScalableTag<Key> d;
  static_assert(hn::MaxLanes(d) * sizeof(Key) <= kVectorBytes);
  const auto p = hn::Set(d, pivot);
  const int64_t lanes = int64_t(hn::Lanes(d));
  int64_t i = 0, first = 0, second = 0;
  const auto put = [&](auto v, auto below, int64_t count) {
    hn::StoreU(hn::Compress(v, below), d, x + first);
    hn::StoreU(hn::CompressNot(v, below), d, room + second);
    first += count, second += lanes - count;
  };
  for (; i + 4 * lanes <= n; i += 4 * lanes) {  // four loads before the stores, which may be on the same lines
    const auto v0 = hn::LoadU(d, x + i), v1 = hn::LoadU(d, x + i + lanes);
    const auto v2 = hn::LoadU(d, x + i + 2 * lanes), v3 = hn::LoadU(d, x + i + 3 * lanes);
    const auto b0 = hn::Lt(v0, p), b1 = hn::Lt(v1, p), b2 = hn::Lt(v2, p), b3 = hn::Lt(v3, p);
    const auto c0 = int64_t(hn::CountTrue(d, b0)), c1 = int64_t(hn::CountTrue(d, b1));
    const auto c2 = int64_t(hn::CountTrue(d, b2)), c3 = int64_t(hn::CountTrue(d, b3));
    put(v0, b0, c0), put(v1, b1, c1), put(v2, b2, c2), put(v3, b3, c3);
  }
  for (; i + lanes <= n; i += lanes) {
    const auto v = hn::LoadU(d, x + i);
    const auto below = hn::Lt(v, p);
    put(v, below, int64_t(hn::CountTrue(d, below)));
  }
  for (; i < n; ++i) {
    const Key key = x[i];
    if (key < pivot) x[first++] = key;
    else room[second++] = key;
  }
  return first;
}

// The first half of the parts stays where it is, the second one moves to `room`, and each gets the place that the other
// left. Behind both places are only keys that were taken already, or none: a surplus lane may be written there.
template <class Key> void divide_from(Key* x, int64_t n, const Key* splitters, int64_t from, int64_t parts, Key* room,
                                      TakePart<Key> take, void* context) {
  if (parts == 1) return take(context, from, x, n);
  const int64_t half = parts / 2, first = part_in_two(x, n, splitters[from + half - 1], room), second = n - first;
  divide_from(x, first, splitters, from, half, room + second, take, context);
  divide_from(room, second, splitters, from + half, half, x + first, take, context);
}

template <class Key>
void divide(Key* x, int64_t n, const Key* splitters, int64_t parts, Key* room, TakePart<Key> take, void* context) {
  divide_from(x, n, splitters, 0, parts, room, take, context);
}

template <class Key> constexpr KeySorts<Key> kSorts = {sort, count_below, divide};
template <class S> constexpr ElementLoops<S> kElements = {keys_of<S>, elements_of<S>, count_same<S>, stretch_below<S>};

}  // namespace

using namespace tenon_own;

const SortLoops TENON_SORT_TABLE = {
    {kSorts<uint32_t>, kSorts<uint64_t>},
    {kElements<i32>, kElements<u32>, kElements<float>, kElements<i64>, kElements<u64>, kElements<double>}};

}  // namespace tenon::cpu
