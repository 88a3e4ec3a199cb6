// ops/gemm.cpp: what c = alpha a b + beta c means for arrays of any strides, and its way into BLAS's column-major form.
//
// A row-major matrix is the transpose of a column-major one, so where c's rows are dense the problem handed down is
// c' = b' a' (transposes); where its columns are dense it is c = a b; else a packed c is used.
#include <tenon/linalg.h>
#include <algorithm>
#include <cmath>
#include "core/copy.hpp"
#include "core/recording.hpp"
#include "ops/matrix.hpp"
#include "ops/ops.hpp"

namespace tenon::ops {
namespace {

// The last two axes of an operand, which may be meant conjugated.
struct Matrix {
  int64_t rows, cols, row_stride, col_stride;
  bool conjugated;
  explicit Matrix(const Array& x, bool conjugate = false)
      : rows(x.shape()[x.rank() - 2]), cols(x.shape()[x.rank() - 1]), row_stride(x.strides()[x.rank() - 2]),
        col_stride(x.strides()[x.rank() - 1]), conjugated(conjugate) {}
};

// Can `fast` x `slow` elements be a column-major matrix with columns of unit stride? Gives its leading dimension.
bool leading(int64_t fast, int64_t fast_stride, int64_t slow, int64_t slow_stride, int64_t& ld) {
  if (fast > 1 && fast_stride != 1) return false;
  ld = std::max<int64_t>(fast, 1);
  if (slow <= 1) return true;
  if (slow_stride < ld) return false;
  ld = slow_stride;
  return true;
}

// op(x) as a column-major operand: `transposed` asks for x's transpose. BLAS conjugates only what it transposes.
bool operand(const Matrix& x, bool transposed, Op& op, int64_t& ld) {
  const Op turned = x.conjugated ? Op::conjugate_transpose : Op::transpose;
  if ((transposed || !x.conjugated) && leading(x.rows, x.row_stride, x.cols, x.col_stride, ld)) {  // stored column-major
    op = transposed ? turned : Op::none;
    return true;
  }
  if ((!transposed || !x.conjugated) && leading(x.cols, x.col_stride, x.rows, x.row_stride, ld)) {  // stored row-major
    op = transposed ? Op::none : turned;
    return true;
  }
  return false;
}

// Is c, whose rows are dense, computed as its transpose?
bool by_rows(const Matrix& c) {
  int64_t ld;
  return leading(c.cols, c.col_stride, c.rows, c.row_stride, ld);
}

bool usable(const Matrix& x, bool transposed = false) {
  Op op;
  int64_t ld;
  return operand(x, transposed, op, ld);
}

// An operand that BLAS takes with a product whose result is computed by rows, or not: x itself or a packed copy.
Ref<Array> pack(const Array& x, bool conjugated, bool transposed, int32_t& packed, Stream& stream) {
  if (x.size() == 0 || usable(Matrix(x, conjugated), transposed)) return Ref<Array>(const_cast<Array*>(&x));
  ++packed;
  // Conjugation needs the storage that BLAS transposes.
  return conjugated && transposed ? swapped(*contiguous(*swapped(x), stream)) : contiguous(x, stream);
}

bool whole(double x) { return x == std::floor(x) && std::abs(x) <= 2147483647.0; }

void check_float8(std::complex<double> alpha, const Array& a, const Array& b, std::complex<double> beta, const Array& c) {
  const Dtype t = a.dtype(), other = b.dtype(), result = c.dtype();
  const bool wider = result == TENON_FLOAT16 || result == TENON_BFLOAT16 || result == TENON_FLOAT32;
  TENON_REQUIRE(dtype_float8(t) && dtype_float8(other) && wider, TENON_ERROR_DTYPE,
                "a is %s, b is %s and c is %s: float8_e4m3fn and float8_e5m2 go with each other and with c float16, bfloat16 or "
                "float32",
                dtype_name(t).c_str(), dtype_name(other).c_str(), dtype_name(result).c_str());
  TENON_REQUIRE(t != TENON_FLOAT8_E5M2 || other != TENON_FLOAT8_E5M2, TENON_ERROR_DTYPE,
                "a and b are both float8_e5m2, which CUDA has no product of: one of them must be float8_e4m3fn");
  TENON_REQUIRE(alpha.imag() == 0 && beta.imag() == 0, TENON_ERROR_INVALID_ARGUMENT,
                "alpha or beta has an imaginary part, and the arrays are %s", dtype_name(t).c_str());
}

void check_dtypes(std::complex<double> alpha, const Array& a, const Array& b, std::complex<double> beta, const Array& c) {
  const Dtype t = a.dtype(), result = c.dtype();
  const bool narrow = t == TENON_FLOAT16 || t == TENON_BFLOAT16, integers = t == TENON_INT8 && result == TENON_INT32;
  if (dtype_float8(t) || dtype_float8(b.dtype())) return check_float8(alpha, a, b, beta, c);
  TENON_REQUIRE(dtype_floating(t) || dtype_complex(t) || t == TENON_INT8, TENON_ERROR_DTYPE,
                "gemm has no product of %s: float16, bfloat16, float32, float64, complex64, complex128, int8, float8_e4m3fn and "
                "float8_e5m2 are possible",
                dtype_name(t).c_str());
  TENON_REQUIRE(b.dtype() == t && (integers || (t == result && t != TENON_INT8) || (narrow && result == TENON_FLOAT32)), TENON_ERROR_DTYPE,
                "a is %s, b is %s and c is %s: they must be one dtype, or c float32 with float16 or bfloat16, or int32 with int8",
                dtype_name(t).c_str(), dtype_name(b.dtype()).c_str(), dtype_name(result).c_str());
  TENON_REQUIRE(dtype_complex(t) || (alpha.imag() == 0 && beta.imag() == 0), TENON_ERROR_INVALID_ARGUMENT,
                "alpha or beta has an imaginary part, and the arrays are %s", dtype_name(t).c_str());
  check_factor(alpha, result, "alpha");
  check_factor(beta, result, "beta");
  TENON_REQUIRE(!integers || (whole(alpha.real()) && whole(beta.real())), TENON_ERROR_INVALID_ARGUMENT,
                "alpha is %g and beta %g: a product of int8 takes whole numbers below 2^31", alpha.real(), beta.real());
}

void check(const Array& a, const Array& b, const Array& c, int32_t compute) {
  for (const auto& [x, what] : {std::pair{&a, "a"}, {&b, "b"}, {&c, "c"}})
    TENON_REQUIRE(x->rank() >= 2, TENON_ERROR_SHAPE, "%s has shape %s: a matrix has at least two axes", what, shape_text(x->shape()).c_str());
  const Matrix ma(a), mb(b), mc(c);
  TENON_REQUIRE(ma.cols == mb.rows && ma.rows == mc.rows && mb.cols == mc.cols, TENON_ERROR_SHAPE,
                "a %s times b %s does not fit c %s: (m, k) times (k, n) gives (m, n)", shape_text(a.shape()).c_str(),
                shape_text(b.shape()).c_str(), shape_text(c.shape()).c_str());
  TENON_REQUIRE(compute >= TENON_COMPUTE_STRICT && compute <= TENON_COMPUTE_BF16, TENON_ERROR_INVALID_ARGUMENT,
                "compute is %d: TENON_COMPUTE_STRICT (0), TF32 (1), FAST (2) and BF16 (3) are possible", compute);
}

void check(const Epilogue& e, const Array& c, const Device& device) {
  TENON_REQUIRE(e.kind >= TENON_EPILOGUE_NONE && e.kind <= TENON_EPILOGUE_GELU, TENON_ERROR_INVALID_ARGUMENT,
                "epilogue is %d: TENON_EPILOGUE_NONE (0), RELU (1) and GELU (2) are possible", e.kind);
  if (!e) return;
  TENON_REQUIRE(dtype_floating(c.dtype()), TENON_ERROR_DTYPE,
                "a bias or an epilogue is for float16, bfloat16, float32 and float64, and c is %s", dtype_name(c.dtype()).c_str());
  if (!e.bias) return;
  const int64_t n = cols_of(c);
  TENON_REQUIRE(e.bias->dtype() == c.dtype() && e.bias->rank() == 1 && e.bias->shape()[0] == n,
                e.bias->dtype() == c.dtype() ? TENON_ERROR_SHAPE : TENON_ERROR_DTYPE, "the bias is %s %s: c %s of %s goes with (%lld)",
                dtype_name(e.bias->dtype()).c_str(), shape_text(e.bias->shape()).c_str(), shape_text(c.shape()).c_str(),
                dtype_name(c.dtype()).c_str(), static_cast<long long>(n));
  require_on(*e.bias, device, "the bias");
  TENON_REQUIRE(overlap(c, *e.bias) == Overlap::disjoint, TENON_ERROR_OVERLAP, "c shares memory with the bias");
}

// The strides of x's batch axes for each of c's.
Dims batch_strides(const Array& x, const Array& c, const char* what) {
  const int32_t own = x.rank() - 2, all = c.rank() - 2;
  bool fits = own <= all;
  Dims out(all, 0);
  for (int32_t i = 0; fits && i < own; ++i) {
    const int64_t extent = x.shape()[i];
    fits = extent == c.shape()[i + all - own] || extent == 1;
    out[i + all - own] = extent == 1 ? 0 : x.strides()[i];
  }
  TENON_REQUIRE(fits, TENON_ERROR_SHAPE, "the batch axes of %s %s do not broadcast to those of c %s", what,
                shape_text(x.shape()).c_str(), shape_text(c.shape()).c_str());
  return out;
}

struct BatchAxis { int64_t extent, a, b, c; };

// c's batch axes, straightened along c and merged where all three allow it.
std::vector<BatchAxis> merged_batch(const Dims& a, const Dims& b, const Array& c, int64_t& a_first, int64_t& b_first,
                                    int64_t& c_first) {
  std::vector<BatchAxis> axes;
  for (int32_t i = 0; i < c.rank() - 2; ++i) {
    BatchAxis axis{c.shape()[i], a[i], b[i], c.strides()[i]};
    if (axis.extent == 1) continue;
    if (axis.c < 0) {
      a_first += axis.a * (axis.extent - 1), b_first += axis.b * (axis.extent - 1), c_first += axis.c * (axis.extent - 1);
      axis.a = -axis.a, axis.b = -axis.b, axis.c = -axis.c;
    }
    if (!axes.empty()) {
      BatchAxis& outer = axes.back();
      if (outer.a == axis.extent * axis.a && outer.b == axis.extent * axis.b && outer.c == axis.extent * axis.c) {
        outer = {outer.extent * axis.extent, axis.a, axis.b, axis.c};
        continue;
      }
    }
    axes.push_back(axis);
  }
  return axes;
}

// A batch whose left operand is one matrix for all, the others lying one after another, is one wide product.
void widen(GemmProblem& p) {
  if (p.batch > 1 && p.stride_a == 0 && p.op_b == Op::none && p.stride_b == p.ldb * p.n && p.stride_c == p.ldc * p.n) {
    p.n *= p.batch;
    p.batch = 1;
    p.stride_b = p.stride_c = 0;
  }
}

// All operands are usable as they are.
void run(std::complex<double> alpha, const Array& a, bool conjugate_a, const Array& b, bool conjugate_b, std::complex<double> beta,
         Array& c, int32_t compute, const Epilogue& epilogue, bool tune, Stream& stream) {
  const Matrix ma(a, conjugate_a), mb(b, conjugate_b), mc(c);
  int64_t a_first = 0, b_first = 0, c_first = 0;
  std::vector<BatchAxis> batch = merged_batch(batch_strides(a, c, "a"), batch_strides(b, c, "b"), c, a_first, b_first, c_first);

  GemmProblem p{};
  p.result = c.dtype();
  p.compute = compute;
  p.tune = tune && !stream.device().context().settings().deterministic();
  p.alpha = alpha;
  p.beta = beta;
  p.k = ma.cols;
  // Rows dense: the transposed problem, in which a and b change places.
  const bool swapped = leading(mc.cols, mc.col_stride, mc.rows, mc.row_stride, p.ldc);
  if (!swapped) leading(mc.rows, mc.row_stride, mc.cols, mc.col_stride, p.ldc);
  p.dtype = (swapped ? b : a).dtype();
  p.other = (swapped ? a : b).dtype();
  p.m = swapped ? mc.cols : mc.rows;
  p.n = swapped ? mc.rows : mc.cols;
  operand(swapped ? mb : ma, swapped, p.op_a, p.lda);
  operand(swapped ? ma : mb, swapped, p.op_b, p.ldb);

  // The longest batch axis goes down with the problem, the others are a loop here.
  p.batch = 1;
  BatchAxis inner{1, 0, 0, 0};
  const auto longest =
      std::max_element(batch.begin(), batch.end(), [](const BatchAxis& x, const BatchAxis& y) { return x.extent < y.extent; });
  if (longest != batch.end() && longest->a >= 0 && longest->b >= 0) {
    inner = *longest;
    batch.erase(longest);
  }
  p.batch = inner.extent;
  p.stride_a = swapped ? inner.b : inner.a;
  p.stride_b = swapped ? inner.a : inner.b;
  p.stride_c = inner.c;
  p.epilogue = epilogue.kind;
  p.bias = epilogue.bias ? epilogue.bias->data() : nullptr;
  p.bias_of_columns = !swapped;
  if (!p.bias_of_columns || !p.bias) widen(p);

  if (epilogue.bias) epilogue.bias->buffer().use(stream, false);
  a.buffer().use(stream, false);
  b.buffer().use(stream, false);
  c.buffer().use(stream, true);
  const int64_t size = dtype_bytes(p.dtype), result_size = dtype_bytes(p.result);
  std::vector<int64_t> index(batch.size());
  for (;;) {
    const char* left = static_cast<const char*>(a.data()) + a_first * size;
    const char* right = static_cast<const char*>(b.data()) + b_first * size;
    p.a = swapped ? right : left;
    p.b = swapped ? left : right;
    p.c = static_cast<char*>(c.data()) + c_first * result_size;
    stream.device().gemm(p, stream);
    size_t i = batch.size();
    for (; i-- > 0;) {
      const BatchAxis& axis = batch[i];
      a_first += axis.a, b_first += axis.b, c_first += axis.c;
      if (++index[i] < axis.extent) break;
      a_first -= axis.a * axis.extent, b_first -= axis.b * axis.extent, c_first -= axis.c * axis.extent;
      index[i] = 0;
    }
    if (i == size_t(-1)) return;
  }
}

// c = beta c, where there is nothing to add: k is 0. BLAS does it as a product with alpha 0, whose operands are not read.
void scale(std::complex<double> beta, Array& c, Dtype dtype, int32_t compute, const Epilogue& epilogue, Stream& stream) {
  if (beta == 0.0 && !epilogue) return fill(c, 0, 0, &stream);
  if (beta == 1.0 && !epilogue) return;
  Dims left(c.shape()), right(c.shape());
  left[c.rank() - 1] = right[c.rank() - 2] = 1;
  const Ref<Array> a = Array::create(stream.device(), dtype, left, stream),
                   b = Array::create(stream.device(), dtype, right, stream);
  fill(*a, 0, 0, &stream);
  fill(*b, 0, 0, &stream);
  run(0.0, *a, false, *b, false, beta, c, compute, epilogue, false, stream);
}

}  // namespace

int32_t gemm(std::complex<double> alpha, const Array& given_a, Op op_a, const Array& given_b, Op op_b, std::complex<double> beta,
             Array& c, int32_t compute, Stream* given, const Epilogue& given_epilogue, bool tune) {
  for (const auto& [x, what] : {std::pair{&given_a, "a"}, {&given_b, "b"}})
    TENON_REQUIRE(x->rank() >= 2, TENON_ERROR_SHAPE, "%s has shape %s: a matrix has at least two axes", what,
                  shape_text(x->shape()).c_str());
  const Ref<Array> turned_a = op_a == Op::none ? Ref<Array>(const_cast<Array*>(&given_a)) : swapped(given_a);
  const Ref<Array> turned_b = op_b == Op::none ? Ref<Array>(const_cast<Array*>(&given_b)) : swapped(given_b);
  const Array &a = *turned_a, &b = *turned_b;
  const bool conjugate_a = op_a == Op::conjugate_transpose && dtype_complex(a.dtype());
  const bool conjugate_b = op_b == Op::conjugate_transpose && dtype_complex(b.dtype());
  check_dtypes(alpha, a, b, beta, c);
  check(a, b, c, compute);
  batch_strides(a, c, "a");  // refuses what does not broadcast
  batch_strides(b, c, "b");
  Device& device = given ? given->device() : c.device();
  Stream& stream = stream_or_default(given, device);
  require_on(a, device, "a");
  require_on(b, device, "b");
  require_on(c, device, "c");
  require_writable(c, "c");
  check(given_epilogue, c, device);
  TENON_REQUIRE(overlap(c, a) == Overlap::disjoint && overlap(c, b) == Overlap::disjoint, TENON_ERROR_OVERLAP,
                "c shares memory with a or b: write the product to an array of its own");
  if (c.size() == 0) return 0;

  return recorded_whole(stream, [&] {
    int32_t packed = 0;
    Epilogue epilogue = given_epilogue;
    const Ref<Array> bias = epilogue.bias ? contiguous(*epilogue.bias, stream) : Ref<Array>();
    epilogue.bias = bias.get();
    const bool direct = usable(Matrix(c));
    Ref<Array> target = direct ? Ref<Array>(&c) : Array::create(device, c.dtype(), c.shape(), stream);
    if (!direct && beta != 0.0) copy(*target, c, &stream);
    if (Matrix(a).cols == 0) {
      scale(beta, *target, dtype_float8(a.dtype()) ? c.dtype() : a.dtype(), compute, epilogue, stream);
    } else {
      const bool turned = by_rows(Matrix(*target));
      run(alpha, *pack(a, conjugate_a, turned, packed, stream), conjugate_a, *pack(b, conjugate_b, turned, packed, stream),
          conjugate_b, beta, *target, compute, epilogue, tune, stream);
    }
    if (!direct) copy(c, *target, &stream);
    return packed;
  });
}

}  // namespace tenon::ops
