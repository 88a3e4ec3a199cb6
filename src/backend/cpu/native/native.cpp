// backend/cpu/native/native.cpp: the table of core/problem/native.hpp for the CPU.
#include "backend/cpu/native/native.hpp"

#include <algorithm>
#include "backend/cpu/device.hpp"
#include "backend/cpu/target.hpp"
#include "base/parallel.hpp"
#include "core/error.hpp"

namespace tenon::cpu {
namespace {

RandomGroups random_groups() {
  static const RandomGroups chosen = [] {
#if TENON_VECTORS
    if (vector_level() >= 4) return random_groups_v4;
    if (vector_level() == 3) return random_groups_v3;
#endif
    return random_groups_base;
  }();
  return chosen;
}

void random(int kind, Dtype dtype, const tenon_own::RandomWork& work) {
  const RandomGroups run = random_groups();
  const int64_t elements = run(kind, dtype, &work, 0, 0);
  TENON_REQUIRE(elements, TENON_ERROR_INTERNAL, "a draw of kind %d and dtype 0x%x should have been refused earlier",
                kind, dtype);
  const int64_t groups = (work.count + elements - 1) / elements;
  // Pieces begin at a multiple of 16 groups, where vectors of counters begin.
  constexpr int64_t kStep = 16;
  base::parallel_for((groups + kStep - 1) / kStep, kind >= tenon_own::kGamma ? 16 : 256,
                     [&](int64_t begin, int64_t end) {
                       run(kind, dtype, &work, begin * kStep, std::min(end * kStep, groups) - begin * kStep);
                     });
}

}  // namespace

const ShortRows& short_rows() {
  static const ShortRows* const chosen = [] {
#if TENON_VECTORS
    if (vector_level() >= 4) return &short_rows_v4;
    if (vector_level() == 3) return &short_rows_v3;
#endif
    return &short_rows_base;
  }();
  return *chosen;
}

namespace {

constexpr Native kNative{random,       bad_index,   take,           scatter,
                         count_true,   true_places, sort,           search,
                         runs,         run_lengths, run_numbers,    unravel,
                         range,        triangle,    segment_reduce, segment_reduce_numbered,
                         segment_scan, bad_offset,  quantile,       interpolate,
                         sparse,       product};

}  // namespace

const Native* CpuDevice::native() const { return &kNative; }

}  // namespace tenon::cpu
