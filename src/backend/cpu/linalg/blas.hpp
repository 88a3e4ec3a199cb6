// backend/cpu/linalg/blas.hpp: the BLAS and LAPACK library of the process, opened at first use.
#pragma once
#include <bit>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>

namespace tenon::cpu {

// Integers go to the library by address. A library of 32-bit integers reads the low half of these, which is all of a
// value below 2^31 on a little-endian machine; require_fits() refuses others. Outputs start from 0 and are read by
// as_integer().
using Int = int64_t;
static_assert(std::endian::native == std::endian::little,
              "a BLAS of 32-bit integers reads the low half of 64-bit ones");

struct Blas {
#define X(name, parameters) void(*name) parameters = nullptr;
#include "backend/cpu/linalg/blas_symbols.inc"
#undef X
  bool wide = false;  // 64-bit integers
  std::string path, how, config;
  std::string lapack_path;

  int64_t as_integer(Int value) const { return wide ? value : int32_t(value); }
};

// MISSING_LIBRARY: what was tried and what to install.
const Blas& blas();
const Blas& lapack();  // the same, and its xGESDD are there
// Throws UNSUPPORTED when the library has 32-bit integers and `value` needs more.
void require_fits(const Blas& blas, int64_t value, const char* what);

// While one lives, library calls use `threads` threads. Calls that want another number wait: it is one setting for all.
class BlasThreads {
 public:
  explicit BlasThreads(int threads);
  ~BlasThreads();
  BlasThreads(const BlasThreads&) = delete;
};

}  // namespace tenon::cpu
