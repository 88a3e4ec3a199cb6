// ops/operand.hpp: arrays in BLAS's form: the storage of a matrix, packing where it does not fit, batches of
// several operands.
#pragma once
#include <array>
#include "ops/factor.hpp"
#include "ops/matrix.hpp"

namespace tenon::ops {

// The last two axes of an operand, which may be conjugated.
struct Matrix {
  int64_t rows, cols, row_stride, col_stride;
  bool conjugated;
  explicit Matrix(const Array& x, bool conjugate = false)
      : rows(rows_of(x)),
        cols(cols_of(x)),
        row_stride(x.strides()[x.rank() - 2]),
        col_stride(x.strides()[x.rank() - 1]),
        conjugated(conjugate) {}
};

// Can `fast` x `slow` elements be read as a column-major matrix whose columns have unit stride? Returns its leading
// dimension in ld.
bool leading(int64_t fast, int64_t fast_stride, int64_t slow, int64_t slow_stride, int64_t& ld);
// Is it stored by rows (or by columns)? Small matrices may be both.
inline bool stored(const Matrix& x, bool by_rows, int64_t& ld) {
  return by_rows ? leading(x.cols, x.col_stride, x.rows, x.row_stride, ld)
                 : leading(x.rows, x.row_stride, x.cols, x.col_stride, ld);
}
inline bool stored(const Array& x, bool by_rows) {
  int64_t ld;
  return stored(Matrix(x), by_rows, ld);
}
// x itself if it is stored like that, else a copy, counted in `packed`.
Ref<Array> stored_so(const Array& x, bool by_rows, int32_t& packed, Stream& stream);
// x itself if it is stored by rows or by columns, else a copy by rows.
Ref<Array> stored_at_all(const Array& x, int32_t& packed, Stream& stream);

// The matrix that BLAS writes: c itself, or, if c is not stored as BLAS needs it, a copy, which finish() copies back.
class Destination {
 public:
  // read: the old values of c are used.
  Destination(Array& c, bool read, int32_t& packed, Stream& stream);
  Array& operator*() const { return *array_; }
  Array* operator->() const { return array_.get(); }
  bool in_place() const { return array_.get() == &c_; }
  void finish(Stream& stream) {
    if (!in_place()) copy(c_, *array_, &stream);
  }

 private:
  Array& c_;
  Ref<Array> array_;
};

// The strides of x's batch axes for each of c's, which are all axes but the last two. what, result: their names, for
// messages. Throws SHAPE.
Dims batch_strides(const Array& x, const Array& c, const char* what, const char* result);

// The batch axes of N operands, the last of which is the result: reversed where its stride is negative, and merged
// where all operands allow it.
template <size_t N> struct Batches {
  struct Axis {
    int64_t extent = 1;
    std::array<int64_t, N> step{};
  };
  std::array<int64_t, N> first{};  // the offset of the first matrix of each, in elements from its data
  std::vector<Axis> axes;

  Batches(const std::array<Dims, N>& strides, Extents extents) {
    for (size_t i = 0; i < extents.size(); ++i) {
      Axis axis{extents[i], {}};
      if (axis.extent == 1) continue;
      for (size_t k = 0; k < N; ++k) axis.step[k] = strides[k][int32_t(i)];
      if (axis.step[N - 1] < 0)
        for (size_t k = 0; k < N; ++k) first[k] += axis.step[k] * (axis.extent - 1), axis.step[k] = -axis.step[k];
      add(axis);
    }
  }

  // Removes and returns the longest axis, if `fits` accepts it, for the problem itself; the others become a loop.
  template <class F> Axis take_longest(F&& fits) {
    size_t best = 0;
    for (size_t i = 1; i < axes.size(); ++i)
      if (axes[i].extent > axes[best].extent) best = i;
    if (axes.empty() || !fits(axes[best])) return {};
    const Axis out = axes[best];
    axes.erase(axes.begin() + int64_t(best));
    return out;
  }

  // Calls one(first) for every position along the remaining axes.
  template <class F> void each(F&& one) const {
    std::array<int64_t, N> at = first;
    std::vector<int64_t> index(axes.size());
    for (;;) {
      one(at);
      size_t i = axes.size();
      for (; i-- > 0;) {
        const bool more = ++index[i] < axes[i].extent;
        const int64_t steps = more ? 1 : 1 - axes[i].extent;
        for (size_t k = 0; k < N; ++k) at[k] += steps * axes[i].step[k];
        if (more) break;
        index[i] = 0;
      }
      if (i == size_t(-1)) return;
    }
  }

 private:
  void add(const Axis& axis) {
    if (!axes.empty()) {
      bool one_run = true;
      for (size_t k = 0; k < N; ++k) one_run = one_run && axes.back().step[k] == axis.extent * axis.step[k];
      if (one_run) {
        axes.back() = {axes.back().extent * axis.extent, axis.step};
        return;
      }
    }
    axes.push_back(axis);
  }
};

// An operand of a problem, how it is stored, and the field of the problem that describes it. The result is the last
// one.
struct BatchOperand {
  const Array* array;
  bool by_rows;
  DenseMatrix* matrix;
};

// Runs the problem for every matrix of the result's batch.
template <size_t N, class Problem>
void run_batches(Problem& p, const std::array<BatchOperand, N>& places, Stream& stream) {
  const BatchOperand& result = places[N - 1];
  std::array<Dims, N> strides;
  for (size_t k = 0; k < N; ++k) {
    strides[k] = batch_strides(*places[k].array, *result.array, "an operand", "the result");
    stored(Matrix(*places[k].array), places[k].by_rows, places[k].matrix->ld);
    places[k].array->buffer().use(stream, k == N - 1);
  }
  Batches<N> batch(strides, batch_of(*result.array));
  const auto inner = batch.take_longest([](const auto&) { return true; });
  p.batch = inner.extent;
  for (size_t k = 0; k < N; ++k) places[k].matrix->stride = inner.step[k];
  const int64_t size = dtype_bytes(p.dtype);
  batch.each([&](const std::array<int64_t, N>& first) {
    for (size_t k = 0; k < N; ++k)
      places[k].matrix->data = static_cast<char*>(places[k].array->data()) + first[k] * size;
    stream.device().run(p, stream);
  });
}

// The factors of a problem on arrays of `dtype`: converted to the dtype in which the routine scales, and ordered on the
// stream.
struct Factors {
  Factors(const Factor& alpha, const Factor& beta, Dtype dtype, Scalars& p, Stream& stream)
      : alpha(alpha.in(dtype, stream)), beta(beta.in(dtype, stream)) {
    p.alpha = this->alpha.value(), p.alpha_at = this->alpha.at();
    p.beta = this->beta.value(), p.beta_at = this->beta.at();
    this->alpha.use(stream);
    this->beta.use(stream);
  }
  Factor alpha, beta;
};

// The axes of y, and of x if there is one, as a device's routine takes them: the three shortest strides of y as rows,
// columns and batch, the others as a loop.
class ElementAxes {
 public:
  // x broadcasts to y; NULL: there is no x.
  ElementAxes(const Array& y, const Array* x);
  int64_t rows() const { return rows_.extent; }
  int64_t columns() const { return columns_.extent; }
  int64_t batch() const { return batch_.extent; }
  DenseMatrix y() const { return {to_, columns_.to, batch_.to, rows_.to}; }
  DenseMatrix x() const { return {const_cast<char*>(from_), columns_.from, batch_.from, rows_.from}; }
  bool next();  // moves both to the next position of the loop; false: there is none

 private:
  char* to_;
  const char* from_;
  CopyAxis rows_, columns_, batch_;  // strides in elements
  std::vector<CopyAxis> axes_;       // of the loop, in bytes
  std::vector<int64_t> index_;
};

// Runs the routine on all elements of y and x. y is the problem's b and x its a, or y is its a if x is NULL. writes: x
// is written too.
template <class Problem> void run_elements(Problem& p, Array& y, const Array* x, bool writes, Stream& stream) {
  ElementAxes axes(y, x);
  p.dtype = y.dtype();
  p.m = axes.rows(), p.n = axes.columns(), p.batch = axes.batch();
  if (x) x->buffer().use(stream, writes);
  y.buffer().use(stream, true);
  do {
    if constexpr (requires { p.b; }) p.a = axes.x(), p.b = axes.y();
    else p.a = axes.y();
    stream.device().run(p, stream);
  } while (axes.next());
}

// The checks of operands and results of routines on float32 to complex128.
void check_operand(const Array& x, const char* name, const Array& result, const char* result_name,
                   const Device& device);
void check_result(const Array& c, const char* name, const Device& device);
// For the routines on vectors, which also take float16 and bfloat16.
void require_numbers(const Array& x, const char* what, const Device& device);

}  // namespace tenon::ops
