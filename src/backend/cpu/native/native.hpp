// backend/cpu/native/native.hpp: the device's own code for core/problem/native.hpp, whose comments apply here.
#pragma once
#include "core/problem/native.hpp"

namespace tenon::cpu {

// random.cpp, which is compiled once per instruction set: it includes nothing of which the linker could keep a single
// copy. Fills groups [first, first + groups) of a draw (random.cuh); dtype: TENON_*. Returns the number of elements per
// group; 0: no such draw.
using RandomGroups = int (*)(int kind, uint32_t dtype, const void* work, long long first, long long groups);
int random_groups_base(int kind, uint32_t dtype, const void* work, long long first, long long groups);
int random_groups_v3(int kind, uint32_t dtype, const void* work, long long first, long long groups);
int random_groups_v4(int kind, uint32_t dtype, const void* work, long long first, long long groups);

// index.cpp
int64_t bad_index(const int64_t* index, int64_t count, int64_t low, int64_t limit);
void take(uint32_t bytes, const tenon_own::IndexWork& work);
void scatter(int kind, Dtype dtype, const tenon_own::IndexWork& work);
int64_t count_true(const uint8_t* mask, int64_t count);
void true_places(const uint8_t* mask, int64_t count, int64_t* places);
void search(Dtype dtype, const tenon_own::SearchWork& work);
void runs(Dtype dtype, const tenon_own::RunsWork& work);
void run_lengths(const tenon_own::UniqueWork& work);
void run_numbers(const tenon_own::UniqueWork& work);
void unravel(const tenon_own::UnravelWork& work);
void range(Dtype dtype, const tenon_own::RangeWork& work);
void triangle(uint32_t bytes, const tenon_own::TriangleWork& work, int64_t count);

// product.cpp
void product(Dtype dtype, const tenon_own::ProductWork& work);

// segment.cpp
void segment_reduce(int kind, Dtype dtype, const tenon_own::SegmentWork& work);
void segment_reduce_numbered(int kind, Dtype dtype, const tenon_own::NumberedWork& work);
void segment_scan(int kind, Dtype dtype, const tenon_own::SegmentWork& work);
int64_t bad_offset(const int64_t* offsets, int64_t count, int64_t limit);
void quantile(Dtype dtype, bool exact, const tenon_own::QuantileWork& work);
void interpolate(Dtype dtype, const tenon_own::InterpolateWork& work);

// sparse.cpp
void sparse(const char* name, Dtype values, Dtype indices, const tenon_own::SparseWork& work, int64_t count);

// short_rows.cpp, which is compiled once per instruction set, as random.cpp is. Both return false for dtypes that they
// do not have: float8 and complex numbers.
struct ShortRows {
  // Sorts the rows of a SortWork in `room`, which has kRoom bytes for each element of a row.
  bool (*sort)(uint32_t dtype, const void* work, void* room);
  // The position of the first of the largest elements, or the smallest ones, in each row of n elements, from 1 to
  // kMostElements; NaN comes before all.
  bool (*best)(uint32_t dtype, const void* const* rows, long long count, long long n, bool smallest, int64_t* places);
  static constexpr long long kRoom = 128, kMostElements = 256, kLineBytes = 64;
  // The number of rows that are sorted at a time: elements of that size, by their keys or by keys with positions.
  static constexpr long long together(long long bytes, bool placed) {
    return kLineBytes / (!placed ? bytes : bytes < 4 ? 4 : 8);
  }
};
extern const ShortRows short_rows_base, short_rows_v3, short_rows_v4;
const ShortRows& short_rows();  // for this processor

// sort.cpp
void sort(Dtype dtype, const tenon_own::SortWork& work);

}  // namespace tenon::cpu
