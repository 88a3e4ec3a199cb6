// ops/checks.hpp: properties of operands and results that only the device can check: that they are finite, that a
// matrix is not singular. All of them are checked together, once, at the end of the call.
#pragma once
#include <functional>
#include "ops/matrix.hpp"
#include "core/late.hpp"
#include "core/object.hpp"

namespace tenon {
class Array;
class Stream;
}  // namespace tenon

namespace tenon::ops {

class Checks {
 public:
  // later: see leave.
  explicit Checks(Stream& stream, bool later = false) : stream_(stream), later_(later) {}
  Checks(const Checks&) = delete;

  // NOT_FINITE when x, C-ordered and of float32, float64, complex64 or complex128, has NaN or infinity in it.
  void finite(const Array& x, const char* what);
  // The same of any operand; float8 and integers are taken as finite.
  void operand(const Array& x, const char* what);
  // As finite, with this status and text: for results.
  void finite_result(const Array& x, int32_t status, const char* text);
  // Runs a routine that writes infos. A matrix with a positive info fails with `status` and the text; TENON_OK: not a
  // failure.
  template <class Problem> void run(Problem problem, std::initializer_list<const Array*> written,
                                    std::initializer_list<const Array*> read, int32_t status, const char* routine,
                                    const char* text) {
    const Ref<Array> found = zero_infos(problem.batch);
    problem.info = infos_of(*found);
    ops::run(problem, written, read, stream_);
    infos(*found, status, routine, text);
  }
  // The same with infos that a routine has written: int32, one for each matrix.
  void infos(const Array& infos, int32_t status, const char* routine, const char* text);
  // SINGULAR when a matrix of a has a zero on its diagonal.
  void diagonal(const Array& a);
  // INVALID_ARGUMENT when a pivot of int64 (..., k), C-ordered, is not a row number from 1 to n; it is then set to 1,
  // so that it leads to no memory outside the matrix.
  void pivots(Array& pivots, int64_t n);

  // A number that work of the caller's writes: all bits are set before; the verdict of any other number throws.
  int64_t* place(std::function<void(int64_t)> verdict);

  // Waits, and throws what was found. Without a wait where nothing was asked.
  void settle();
  // The same; with `later`, in a context that defers errors, leaves it to whoever waits for the stream.
  void leave();

 private:
  using Verdict = std::function<void(int64_t)>;  // of the number that the device found; throws
  int64_t* next_number();
  Ref<Array> zero_infos(int64_t count);  // int32, ordered on the stream to be written
  static int32_t* infos_of(const Array& infos);
  // Runs a check of x, which may write it, and keeps the verdict for when its number is known.
  template <class Problem> void add(Problem problem, const Array& x, bool written, Verdict verdict);
  // That of all elements of a C-ordered x.
  template <class Problem> void add_all(const Array& x, Verdict verdict);

  Stream& stream_;
  const bool later_;
  Ref<Array> numbers_;  // int64, -1: no finding
  std::vector<Verdict> verdicts_;
};

// For products and transforms, in a context that asks for it: checks these operands before the call, on the stream that
// it will run on. An operand that does not suit that stream is left for the call to refuse.
struct Operand {
  const Array& array;
  const char* what;
};
void check_operands(std::initializer_list<Operand> operands, Stream* stream);

}  // namespace tenon::ops
