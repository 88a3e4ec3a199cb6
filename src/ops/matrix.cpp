// ops/matrix.cpp: helpers that the operations on matrices share.
#include "ops/matrix.hpp"

#include <tenon/eigen.h>
#include <tenon/linalg.h>
#include <algorithm>
#include <limits>
#include "base/memory.hpp"
#include "core/device/recording.hpp"
#include "ops/checks.hpp"

namespace tenon::ops {

int64_t count_of(Extents batch) {
  int64_t count = 1;
  for (int64_t extent : batch) count *= extent;
  return count;
}

Dims with_matrix(Extents batch, int64_t rows, int64_t cols) {
  Dims out(int32_t(batch.size()) + 2);
  std::copy(batch.begin(), batch.end(), out.begin());
  out[out.size() - 2] = rows;
  out[out.size() - 1] = cols;
  return out;
}

Dims with_vector(Extents batch, int64_t count) {
  Dims out(int32_t(batch.size()) + 1);
  std::copy(batch.begin(), batch.end(), out.begin());
  out[out.size() - 1] = count;
  return out;
}

Dims broadcast_batches(Extents a, Extents b) {
  Dims out(int32_t(std::max(a.size(), b.size())), 1);
  for (const Extents& x : {a, b})
    for (size_t i = 0; i < x.size(); ++i) {
      int64_t& extent = out[out.size() - int32_t(x.size() - i)];
      TENON_REQUIRE(extent == 1 || x[i] == 1 || extent == x[i], TENON_ERROR_SHAPE,
                    "the batch axes %s and %s do not broadcast", shape_text(a).c_str(), shape_text(b).c_str());
      if (extent == 1) extent = x[i];
    }
  return out;
}

Ref<Array> swapped(const Array& x) {
  Dims shape(x.shape()), strides(x.strides());
  std::swap(shape[x.rank() - 2], shape[x.rank() - 1]);
  std::swap(strides[x.rank() - 2], strides[x.rank() - 1]);
  return x.with(std::move(shape), std::move(strides), 0, x.read_only());
}

bool dense_by_columns(const Array& x) {
  if (x.rank() < 2 || x.c_contiguous()) return false;
  Dims shape(x.shape()), strides(x.strides());
  std::swap(shape[x.rank() - 2], shape[x.rank() - 1]);
  std::swap(strides[x.rank() - 2], strides[x.rank() - 1]);
  return is_c_contiguous(shape, strides);
}

Ref<Array> diagonal(const Array& x) {
  Dims strides(Extents(x.strides().data(), size_t(x.rank()) - 1));
  strides[strides.size() - 1] = x.strides()[x.rank() - 2] + x.strides()[x.rank() - 1];
  return x.with(with_vector(batch_of(x), std::min(rows_of(x), cols_of(x))), strides, 0, x.read_only());
}

void set_identity(Array& x, Stream& stream) {
  if (x.size() == 0) return;
  fill(x, 0, 0, &stream);
  fill(*diagonal(x), 1, 0, &stream);
}

void clear_imaginary(const Array& x, Stream& stream) {
  if (!dtype_complex(x.dtype()) || x.size() == 0) return;
  Dims strides(x.strides());
  for (int64_t& stride : strides) stride *= 2;
  const Dtype real = dtype_real(x.dtype());
  fill(*Array::checked_view(Ref<Buffer>(&x.buffer()), real, Dims(x.shape()), strides,
                            x.byte_offset() + dtype_bytes(real), x.size(), false),
       0, 0, &stream);
}

void keep_triangle(const Array& x, bool upper, bool hermitian, Stream& stream) {
  if (x.size() == 0) return;
  TriangleProblem p = problem_of<TriangleProblem>(x);
  p.upper = upper;
  run(p, {&x}, {}, stream);
  if (hermitian) clear_imaginary(*diagonal(x), stream);
}

void require_matrix(const Array& x, const char* what, const Device& device) {
  const Dtype t = x.dtype();
  TENON_REQUIRE(t == TENON_FLOAT32 || t == TENON_FLOAT64 || dtype_complex(t), TENON_ERROR_DTYPE,
                "%s is %s: float32, float64, complex64 and complex128 are supported", what, dtype_name(t).c_str());
  TENON_REQUIRE(x.rank() >= 2, TENON_ERROR_SHAPE, "%s has shape %s: a matrix must have at least two axes", what,
                shape_text(x.shape()).c_str());
  require_on(x, device, what);
}

void require_square(const Array& x, const char* what) {
  TENON_REQUIRE(rows_of(x) == cols_of(x), TENON_ERROR_SHAPE, "%s has shape %s: its last two axes must be equal", what,
                shape_text(x.shape()).c_str());
}

void require_same_dtype(const Array& a, const Array& b, const char* name_a, const char* name_b) {
  TENON_REQUIRE(a.dtype() == b.dtype(), TENON_ERROR_DTYPE, "%s is %s and %s is %s: they must have the same dtype",
                name_a, dtype_name(a.dtype()).c_str(), name_b, dtype_name(b.dtype()).c_str());
}

Stream& stream_for(const Array& x, Stream* given) {
  Stream& stream = stream_or_default(given, given ? given->device() : x.device());
  require_running(stream, "linear algebra other than BLAS must wait for its result");
  return stream;
}

Ref<Array> copy_of(const Array& x, Extents shape, Stream& stream) {
  const Ref<Array> out = Array::create(stream.device(), x.dtype(), shape, stream);
  if (out->size() == 0) return out;
  const Ref<Array> source = x.shape() == Dims(shape) ? Ref<Array>(const_cast<Array*>(&x)) : x.broadcast(shape);
  copy(*out, *source, &stream);
  return out;
}

DenseMatrix packed(const Array& x) { return {x.data(), std::max<int64_t>(cols_of(x), 1), rows_of(x) * cols_of(x)}; }

void set_matrices(OnMatrices& p, const Array& x) {
  p.dtype = x.dtype();
  p.m = cols_of(x);
  p.n = rows_of(x);
  p.batch = count_of(batch_of(x));
  p.a = packed(x);
}

std::string matrix_text(int64_t index, int64_t batch) {
  return batch == 1
             ? "the matrix"
             : format("matrix %lld of the batch of %lld", static_cast<long long>(index), static_cast<long long>(batch));
}

size_t matrices_on_host(Extents batch) {
  const int64_t count = count_of(batch);
  if (count <= 1 << 20) return size_t(count);  // small enough not to query the system
  const uint64_t memory = base::total_memory();
  TENON_REQUIRE(
      uint64_t(count) <= memory / sizeof(double), TENON_ERROR_OUT_OF_MEMORY,
      "the batch of %lld matrices needs 8 bytes per matrix on the host, which exceeds its %llu bytes of memory",
      static_cast<long long>(count), static_cast<unsigned long long>(memory));
  return size_t(count);
}

void require_finite(const Array& x, const char* what, Stream& stream) {
  Checks checks(stream);
  checks.finite(x, what);
  checks.settle();
}

void require_finite_result(const Array& x, int32_t status, const char* text, Stream& stream) {
  Checks checks(stream);
  checks.finite_result(x, status, text);
  checks.settle();
}

void add(Array& y, std::complex<double> alpha, const Array& x, Stream& stream) {
  if (y.size() == 0) return;
  AxpyProblem p;
  p.dtype = x.dtype();
  p.m = cols_of(x);
  p.n = x.size() / p.m;
  p.alpha = alpha;
  p.a = {x.data(), p.m, 0};
  p.b = {y.data(), p.m, 0};
  run(p, {&y}, {&x}, stream);
}

Ref<Array> scaled(const Array& a, double factor, Stream& stream) {
  const Ref<Array> out = Array::create(stream.device(), a.dtype(), a.shape(), stream);
  if (out->size()) fill(*out, 0, 0, &stream);
  add(*out, factor, a, stream);
  return out;
}

Ref<Array> in_double(const Array& x, Stream& stream) {
  return contiguous(x, dtype_complex(x.dtype()) ? TENON_COMPLEX128 : TENON_FLOAT64, stream);
}

Ref<Array> adjoint_of(const Array& x, Stream& stream) {
  const Ref<Array> out = copy_of(*swapped(x), stream);
  if (dtype_complex(x.dtype()) && out->size()) run(problem_of<ConjugateProblem>(*out), {out.get()}, {}, stream);
  return out;
}

// A norm of the elements of C-ordered matrices: the routine sees the transposes, which does not matter.
Ref<Array> element_norm(const Array& a, NormKind kind, Stream& stream) {
  const Ref<Array> out = Array::create(stream.device(), dtype_real(a.dtype()), batch_of(a), stream);
  if (out->size() == 0) return out;
  if (a.size() == 0) {
    fill(*out, 0, 0, &stream);
    return out;
  }
  NormProblem p = problem_of<NormProblem>(a);
  p.kind = kind == NormKind::one ? NormKind::infinity : kind == NormKind::infinity ? NormKind::one : kind;
  p.norms = out->data();
  run(p, {out.get()}, {&a}, stream);
  return out;
}

std::vector<double> row_norms(const Array& x, Stream& stream) {
  return host_reals(*element_norm(*x.reshape(Dims{rows_of(x), 1, cols_of(x)}), NormKind::frobenius, stream), stream);
}

Op op_from(int32_t op) {
  TENON_REQUIRE(op >= TENON_OP_NONE && op <= TENON_OP_ADJOINT, TENON_ERROR_INVALID_ARGUMENT,
                "op is %d: use TENON_OP_NONE (0), TRANSPOSE (1) or ADJOINT (2)", op);
  return op == TENON_OP_NONE ? Op::none : op == TENON_OP_TRANSPOSE ? Op::transpose : Op::conjugate_transpose;
}

Ref<Array> one_or_all(const Array& a, Extents batch) {
  if (count_of(batch_of(a)) != 1) return a.broadcast(with_matrix(batch, rows_of(a), cols_of(a)));
  return a.with({rows_of(a), cols_of(a)}, {a.strides()[a.rank() - 2], a.strides()[a.rank() - 1]}, 0, a.read_only());
}

namespace {

// The host converts: for a few numbers a launch takes longer.
template <class T> std::vector<T> downloaded(const Array& x, Dtype wide, Stream& stream) {
  Device& cpu = x.context().cpu();
  const Ref<Array> here = convert(x, x.dtype(), cpu, &stream), wanted = convert(*here, wide, cpu, nullptr);
  std::vector<T> out(static_cast<size_t>(x.size()));
  to_host(*wanted, out.data(), out.size() * sizeof(T), nullptr);
  return out;
}

template <class T>
Ref<Array> uploaded(const std::vector<T>& values, Dtype given, Dtype wanted, Extents shape, Stream& stream) {
  Device& cpu = stream.device().context().cpu();
  const Ref<Array> wide = Array::create(cpu, given, shape, cpu.default_stream());
  from_host(*wide, values.data(), values.size() * sizeof(T), nullptr);
  const Ref<Array> here = given == wanted ? wide : convert(*wide, wanted, cpu, nullptr);
  return &cpu == &stream.device() ? here : convert(*here, wanted, stream.device(), &stream);
}

}  // namespace

std::vector<std::complex<double>> host_values(const Array& x, Stream& stream) {
  return downloaded<std::complex<double>>(x, TENON_COMPLEX128, stream);
}

std::vector<double> host_reals(const Array& x, Stream& stream) { return downloaded<double>(x, TENON_FLOAT64, stream); }

Ref<Array> from_values(const std::vector<double>& values, Dtype dtype, Extents shape, Stream& stream) {
  return uploaded(values, TENON_FLOAT64, dtype, shape, stream);
}

Ref<Array> from_values(const std::vector<std::complex<double>>& values, Dtype dtype, Extents shape, Stream& stream) {
  return uploaded(values, TENON_COMPLEX128, dtype, shape, stream);
}

void check_factor(std::complex<double> factor, Dtype dtype, const char* what) {
  if (dtype == TENON_FLOAT64 || dtype == TENON_COMPLEX128 || dtype == TENON_INT32) return;
  for (const double part : {factor.real(), factor.imag()})
    TENON_REQUIRE(!std::isfinite(part) || std::isfinite(float(part)), TENON_ERROR_INVALID_ARGUMENT,
                  "%s is %g, but products of %s are scaled in float32, whose largest number is 3.4e38", what, part,
                  dtype_name(dtype).c_str());
}

void require_factor(std::complex<double> factor, Dtype dtype, const char* what) {
  TENON_REQUIRE(dtype_complex(dtype) || factor.imag() == 0, TENON_ERROR_INVALID_ARGUMENT,
                "%s has an imaginary part, but the arrays are %s", what, dtype_name(dtype).c_str());
  check_factor(factor, dtype, what);
}

double epsilon_of(Dtype dtype) {
  return dtype_real(dtype) == TENON_FLOAT32 ? double(std::numeric_limits<float>::epsilon())
                                            : std::numeric_limits<double>::epsilon();
}

}  // namespace tenon::ops
