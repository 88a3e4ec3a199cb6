// core/problem/native.hpp: work that the CPU device does with compiled-in code, on the thread pool. Other devices run
// kernels of the same sources (src/device) instead; ops/own.hpp decides which.
#pragma once
#include "core/dtype.hpp"
#include "device/work.hpp"

namespace tenon {

struct Native {
  void (*random)(int kind, Dtype dtype, const tenon_own::RandomWork& work);

  // The first number in the list outside of [low, limit); -1: none.
  int64_t (*bad_index)(const int64_t* index, int64_t count, int64_t low, int64_t limit);
  // Indices have been checked. bytes: per element.
  void (*take)(uint32_t bytes, const tenon_own::IndexWork& work);
  void (*scatter)(int kind, Dtype dtype, const tenon_own::IndexWork& work);

  // The number of bytes that are not 0, and their positions, in order.
  int64_t (*count_true)(const uint8_t* mask, int64_t count);
  void (*true_places)(const uint8_t* mask, int64_t count, int64_t* places);

  void (*sort)(Dtype dtype, const tenon_own::SortWork& work);
  void (*search)(Dtype dtype, const tenon_own::SearchWork& work);
  void (*runs)(Dtype dtype, const tenon_own::RunsWork& work);
  void (*run_lengths)(const tenon_own::UniqueWork& work);
  void (*run_numbers)(const tenon_own::UniqueWork& work);
  void (*unravel)(const tenon_own::UnravelWork& work);
  void (*range)(Dtype dtype, const tenon_own::RangeWork& work);
  void (*triangle)(uint32_t bytes, const tenon_own::TriangleWork& work, int64_t count);
  // Of segments; kind: SegmentKind. dtype: that of the elements and of the result.
  void (*segment_reduce)(int kind, Dtype dtype, const tenon_own::SegmentWork& work);
  void (*segment_reduce_numbered)(int kind, Dtype dtype, const tenon_own::NumberedWork& work);
  void (*segment_scan)(int kind, Dtype dtype, const tenon_own::SegmentWork& work);
  // The smallest i with offsets[i] below its predecessor (0 at first) or above limit; -1: none.
  int64_t (*bad_offset)(const int64_t* offsets, int64_t count, int64_t limit);
  // exact: the result has the elements' dtype, else float64.
  void (*quantile)(Dtype dtype, bool exact, const tenon_own::QuantileWork& work);
  void (*interpolate)(Dtype dtype, const tenon_own::InterpolateWork& work);  // float32 or float64
  // Operation `name` of sparse.cuh for i below count.
  void (*sparse)(const char* name, Dtype values, Dtype indices, const tenon_own::SparseWork& work, int64_t count);
  void (*product)(Dtype dtype, const tenon_own::ProductWork& work);  // of integers and bools
};

}  // namespace tenon
