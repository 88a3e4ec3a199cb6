// backend/cpu/linalg/library/blas.hpp: the BLAS and LAPACK library of the process, opened at first use.
#pragma once
#include <bit>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>

namespace tenon::cpu {

// Integers are passed to the library by address. A library with 32-bit integers reads the lower half, which on a
// little-endian machine is the whole of a value below 2^31; require_fits() refuses others. Outputs are initialised to 0
// and read with as_integer().
using Int = int64_t;
static_assert(std::endian::native == std::endian::little,
              "a BLAS of 32-bit integers reads the low half of 64-bit ones");

struct Blas {
#define X(name, parameters) void(*name) parameters = nullptr;
#include "backend/cpu/linalg/library/blas_symbols.inc"
#undef X
  bool wide = false;  // 64-bit integers
  std::string path, how, config;
  std::string lapack_path;

  int64_t as_integer(Int value) const { return wide ? value : int32_t(value); }
};

// Throws MISSING_LIBRARY, with the attempts and what to install.
const Blas& blas();
const Blas& lapack();  // the same, and its xGESDD is available
// Throws UNSUPPORTED if the library has 32-bit integers and `value` does not fit.
void require_fits(const Blas& blas, int64_t value, const char* what);

// While one lives, library calls use `threads` threads. Calls with another number wait, because there is only one
// setting.
class BlasThreads {
 public:
  explicit BlasThreads(int threads);
  ~BlasThreads();
  BlasThreads(const BlasThreads&) = delete;
};

}  // namespace tenon::cpu
