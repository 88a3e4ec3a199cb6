// backend/cuda/kernels/instances.hpp: the kernels of this backend (array.cu, numbers.cu, fft.cu), each compiled when it
// is first needed.
#pragma once
#include "backend/cuda/device.hpp"

namespace tenon::cuda {

enum class Element : uint8_t {
  u8,
  u16,
  u32,
  u64,
  u128,
  boolean,
  i8,
  i16,
  i32,
  i64,
  f16,
  bf16,
  f32,
  f64,
  c64,
  c128,
  j64,
  j128
};  // j: read as conjugates

uint32_t bytes_of(Element element);
Element plain_element(uint32_t bytes);  // the unsigned integer of that size
Element element_of(Dtype dtype);        // throws DTYPE

// The templates; the first part in array.cu, the second in numbers.cu, the third in fft.cu.
enum class Template : uint8_t {
  elements,
  fill,
  scale,
  rows,
  tiles,
  shifted_tiles,
  split,
  join,
  scale_and_perturb,
  eigen_defect,
  eigen_gaps,
  eigen_correction,
  gather_columns,
  small_products,
  jacobi,
  find_not_finite,
  find_zero,
  find_info,
  bound_pivots,
  keep_triangle,
  line_norms,
  gemm_epilogue,
  float_parts,
  combine,
  write_addresses,
  rotate,
  givens,
  rotate_modified,
  givens_modified,
  line_places,
  cosine_before,
  cosine_after,
  spectra_product,
  frequencies
};

struct Instance {
  Template kind;
  Element to{}, from{};
  uint16_t a = 0, b = 0, c = 0;  // vector and rank, or K, TX and TY
  bool nested = false;

  uint64_t key() const {
    return uint64_t(kind) | uint64_t(to) << 8 | uint64_t(from) << 16 | uint64_t(a) << 24 | uint64_t(b) << 32 |
           uint64_t(c) << 44 | uint64_t(nested) << 60;
  }
  std::string expression() const;
};

// A grid of one dimension. params as for cuLaunchKernel.
void launch(CudaDevice& device, const Instance& instance, int64_t blocks, void* const* params, Stream& stream,
            int64_t shared_bytes = 0, uint32_t threads = 256);
// Blocks of a kernel whose 256 threads stride over `count` numbers.
int64_t striding_blocks(CudaDevice& device, uint64_t count);

}  // namespace tenon::cuda
