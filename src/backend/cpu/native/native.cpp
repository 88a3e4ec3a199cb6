// backend/cpu/native/native.cpp: the table of core/problem/native.hpp for the CPU.
#include "backend/cpu/native/native.hpp"

#include <algorithm>
#include "backend/cpu/device.hpp"
#include "backend/cpu/target.hpp"
#include "base/parallel.hpp"
#include "core/error.hpp"

// The one of the objects or functions name_base, name_v3 and name_v4 that this processor runs fastest.
#if TENON_VECTORS
#define TENON_FOR_PROCESSOR(name) (vector_level() >= 4 ? name##_v4 : vector_level() == 3 ? name##_v3 : name##_base)
#else
#define TENON_FOR_PROCESSOR(name) name##_base
#endif

namespace tenon::cpu {

const ShortRows& short_rows() {
  static const ShortRows& chosen = TENON_FOR_PROCESSOR(short_rows);
  return chosen;
}

namespace {

void random(int kind, Dtype dtype, const tenon_own::RandomWork& work) {
  static const RandomGroups run = TENON_FOR_PROCESSOR(random_groups);
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

constexpr Native kNative{random,       bad_index,   take,           scatter,
                         count_true,   true_places, sort,           search,
                         runs,         run_lengths, run_numbers,    unravel,
                         range,        triangle,    segment_reduce, segment_reduce_numbered,
                         segment_scan, bad_offset,  quantile,       interpolate,
                         sparse,       product};

}  // namespace

const Native* CpuDevice::native() const { return &kNative; }

}  // namespace tenon::cpu
