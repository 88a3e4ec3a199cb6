// ops/svd.cpp: what the singular value decomposition of an array means.
//
// LAPACK's form is column-major, and its routines are fastest, some of them only possible, where the matrix is not wider than
// high. A C-ordered a (m x n) is the column-major transpose a' (n x m), and a = u s vh means a' = vh' s u' with plain
// transposes, which are unitary again, also for complex numbers. So a wide or square matrix is handed down as a', whose "u"
// is the memory of vh in C order and whose "vh" that of u: nothing is transposed. A high one is transposed into the copy that
// is made of it anyway, and its vectors are transposed back.
#include <tenon/linalg.h>
#include <algorithm>
#include "core/recording.hpp"
#include "ops/matrix.hpp"
#include "ops/ops.hpp"

namespace tenon::ops {
SvdResult svd(const Array& a, int32_t mode, Stream* given) {
  const Dtype t = a.dtype();
  TENON_REQUIRE(t == TENON_FLOAT32 || t == TENON_FLOAT64 || dtype_complex(t), TENON_ERROR_DTYPE,
                "svd has no factorisation of %s: float32, float64, complex64 and complex128 are possible", dtype_name(t).c_str());
  TENON_REQUIRE(a.rank() >= 2, TENON_ERROR_SHAPE, "a has shape %s: a matrix has at least two axes", shape_text(a.shape()).c_str());
  TENON_REQUIRE(mode >= TENON_SVD_FULL && mode <= TENON_SVD_VALUES, TENON_ERROR_INVALID_ARGUMENT,
                "mode is %d: TENON_SVD_FULL (0), ECONOMY (1) and VALUES (2) are possible", mode);
  Device& device = given ? given->device() : a.device();
  Stream& stream = stream_or_default(given, device);
  require_running(stream, "svd waits for its result");
  require_on(a, device, "a");

  const int64_t m = a.shape()[a.rank() - 2], n = a.shape()[a.rank() - 1], small = std::min(m, n);
  SvdResult result;
  result.s = Array::create(device, dtype_real(t), with_vector(batch_of(a), small), stream);
  if (mode != TENON_SVD_VALUES) {
    const bool full = mode == TENON_SVD_FULL;
    result.u = Array::create(device, t, with_matrix(batch_of(a), m, full ? m : small), stream);
    result.vh = Array::create(device, t, with_matrix(batch_of(a), full ? n : small, n), stream);
  }
  if (a.size() == 0) {
    if (mode == TENON_SVD_FULL) {
      set_identity(*result.u, stream);
      set_identity(*result.vh, stream);
    }
    return result;
  }

  const bool high = m > n;
  const Ref<Array> turned_a = high ? swapped(a) : Ref<Array>(const_cast<Array*>(&a));
  const Ref<Array> work = Array::create(device, t, turned_a->shape(), stream);  // destroyed by the factorisation
  copy(*work, *turned_a, &stream);
  // What receives the problem's u and vh, as C-ordered transposes of them.
  Ref<Array> u = result.vh, vh = result.u;
  if (high && result.u) {
    u = Array::create(device, t, swapped(*result.u)->shape(), stream);
    vh = Array::create(device, t, swapped(*result.vh)->shape(), stream);
  }
  SvdProblem p{};
  p.dtype = t;
  p.mode = mode;
  p.m = std::max(m, n);
  p.n = small;
  p.batch = a.size() / (m * n);
  p.a = work->data();
  p.s = result.s->data();
  p.u = u ? u->data() : nullptr;
  p.vh = vh ? vh->data() : nullptr;
  for (Array* x : {work.get(), result.s.get(), u.get(), vh.get()})
    if (x) x->buffer().use(stream, true);
  device.svd(p, stream);
  if (high && result.u) {
    copy(*result.u, *swapped(*u), &stream);
    copy(*result.vh, *swapped(*vh), &stream);
  }
  return result;
}

}  // namespace tenon::ops
