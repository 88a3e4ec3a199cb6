// ops/checks.hpp: properties of operands and results that only the device can check: that they are finite, that a
// matrix is not singular. All of them are checked together, once, at the end of the call.
#pragma once
#include "core/array/findings.hpp"
#include "ops/matrix.hpp"

namespace tenon {
class Array;
class Stream;
}  // namespace tenon

namespace tenon::ops {

class Checks : public Findings {
 public:
  using Findings::Findings;

  // Throws NOT_FINITE if x, C-ordered and of float32, float64, complex64 or complex128, contains NaN or infinity.
  void finite(const Array& x, const char* what);
  // The same for any operand; float8 and integers count as finite.
  void operand(const Array& x, const char* what);
  // Like finite, with this status and text: for results.
  void finite_result(const Array& x, int32_t status, const char* text);
  // Runs a routine that writes infos. A matrix with a positive info fails with `status` and the text; with TENON_OK it
  // does not fail.
  template <class Problem> void run(Problem problem, std::initializer_list<const Array*> written,
                                    std::initializer_list<const Array*> read, int32_t status, const char* routine,
                                    const char* text) {
    const Ref<Array> found = zero_infos(problem.batch);
    problem.info = infos_of(*found);
    ops::run(problem, written, read, stream_);
    infos(*found, status, routine, text);
  }
  // The same for infos that a routine has written: int32, one per matrix.
  void infos(const Array& infos, int32_t status, const char* routine, const char* text);
  // SINGULAR if a matrix of a has a zero on its diagonal.
  void diagonal(const Array& a);
  // INVALID_ARGUMENT if a pivot of int64 (..., k), C-ordered, is not a row number from 1 to n; that pivot is then set
  // to 1, so that it does not lead to memory outside the matrix.
  void pivots(Array& pivots, int64_t n);

  // Numbers for kernels that check one matrix after another: the number of the first matrix that fails, or for infos
  // that number in the upper 32 bits and the info in the lower ones. The errors are those of finite, finite_result and
  // infos.
  tenon_finding* place_for_finite(const char* what, int64_t batch);
  tenon_finding* place_for_result(int64_t batch, int32_t status, const char* text);
  tenon_finding* place_for_info(int64_t batch, int32_t status, const char* routine, const char* text);

 private:
  Ref<Array> zero_infos(int64_t count);  // int32; the stream is ordered so that it may write them
  static int32_t* infos_of(const Array& infos);
  // Runs a check of x, which may write x, and keeps the verdict until its number is known.
  template <class Problem> void add(Problem problem, const Array& x, bool written, Verdict verdict);
  // The same for all elements of a C-ordered x.
  template <class Problem> void add_all(const Array& x, Verdict verdict);
};

// For products and transforms, in a context that requests this: checks these operands before the call, on the stream on
// which it will run. An operand that does not belong to that stream's device is left to the call, which refuses it.
struct CheckedOperand {
  const Array& array;
  const char* what;
};
void check_operands(std::initializer_list<CheckedOperand> operands, Stream* stream);

}  // namespace tenon::ops
