// ops/matrix.hpp: helpers of the operations on matrices: checks, shapes, packed copies, and calls of the device's
// routines.
//
// A C-ordered array of matrices is, to the column-major routines of core/dense.hpp, the transposed matrices: `packed`
// says so, and what follows from it stands where it is used.
#pragma once
#include <complex>
#include "core/copy.hpp"
#include "core/dense.hpp"
#include "ops/own.hpp"

namespace tenon::ops {

class Checks;

inline int64_t rows_of(const Array& x) { return x.shape()[x.rank() - 2]; }
inline int64_t cols_of(const Array& x) { return x.shape()[x.rank() - 1]; }
inline Extents batch_of(const Array& x) { return {x.shape().data(), size_t(x.rank()) - 2}; }
// How many matrices there are, when the host keeps a number for each. OUT_OF_MEMORY where that is more than its memory
// (matrices of size 0 take none of their own, however many there are).
size_t matrices_on_host(Extents batch);
int64_t count_of(Extents batch);

Dims with_matrix(Extents batch, int64_t rows, int64_t cols);
Dims with_vector(Extents batch, int64_t count);
Dims broadcast_batches(Extents a, Extents b);  // throws SHAPE
Ref<Array> swapped(const Array& x);            // the matrices transposed, as a view
bool dense_by_columns(const Array& x);         // is swapped(x) C-ordered, and x not: what Julia and Fortran have
Ref<Array> diagonal(const Array& x);           // (..., min(rows, cols)), a view
void set_identity(Array& x, Stream& stream);   // rectangular ones too
// Of C-ordered matrices that a routine of columns (core/dense.hpp) reads one triangle of: what lies outside it, which
// may have been anything, becomes 0, and of Hermitian ones the imaginary part of the diagonal, which counts as 0.
void keep_triangle(const Array& x, bool upper, bool hermitian, Stream& stream);
void clear_imaginary(const Array& x, Stream& stream);  // of complex numbers, at any strides; nothing for real ones

// The checks that every routine here makes of a matrix operand: float32, float64, complex64 or complex128, two axes or
// more, on the stream's device. what: its name.
void require_matrix(const Array& x, const char* what, const Device& device);
void require_square(const Array& x, const char* what);
void require_same_dtype(const Array& a, const Array& b, const char* name_a = "a", const char* name_b = "b");
// alpha, beta of a routine on arrays of that dtype: throws INVALID_ARGUMENT where they cannot be.
void require_factor(std::complex<double> factor, Dtype dtype, const char* what);
// The stream of a call that works on x, and waits for results: it must not record.
Stream& stream_for(const Array& x, Stream* given);

// A C-ordered copy of its own, of any shape that x broadcasts to.
Ref<Array> copy_of(const Array& x, Extents shape, Stream& stream);
inline Ref<Array> copy_of(const Array& x, Stream& stream) { return copy_of(x, x.shape(), stream); }
// The matrices of a C-ordered array, transposed by being read column by column.
DenseMatrix packed(const Array& x);

// Orders the stream behind the arrays' other uses and runs the operation, whose problem points at these arrays.
template <class Problem> void run(const Problem& problem, std::initializer_list<const Array*> written,
                                  std::initializer_list<const Array*> read, Stream& stream) {
  use(read, written, stream);
  stream.device().run(problem, stream);
}
// A problem over all matrices of x: its dtype, batch, and a = packed(x) of m x n.
void set_matrices(OnMatrices& problem, const Array& x);
template <class Problem> Problem problem_of(const Array& x) {
  Problem p;
  set_matrices(p, x);
  return p;
}

// Checks of ops/checks.hpp, one at once. NOT_FINITE when a C-ordered array has NaN or infinity in it.
void require_finite(const Array& x, const char* what, Stream& stream);
// For results: with this status and text.
void require_finite_result(const Array& x, int32_t status, const char* text, Stream& stream);
std::string matrix_text(int64_t index, int64_t batch);  // "matrix 3 of the batch of 10", "the matrix"

// What products of operands of that dtype are: int32 of int8.
inline Dtype product_dtype(Dtype t) { return t == TENON_INT8 ? TENON_INT32 : t; }
// op(a) op(b), new, C-ordered; batches broadcast.
Ref<Array> product(const Array& a, Op op_a, const Array& b, Op op_b, Stream& stream);
inline Ref<Array> product(const Array& a, const Array& b, Stream& stream) {
  return product(a, Op::none, b, Op::none, stream);
}
// y += alpha x, both C-ordered and of one shape.
void add(Array& y, std::complex<double> alpha, const Array& x, Stream& stream);

// factor a, new, for C-ordered a.
Ref<Array> scaled(const Array& a, double factor, Stream& stream);
Ref<Array> adjoint_of(const Array& x, Stream& stream);  // a C-ordered copy
Ref<Array> in_double(const Array& x, Stream& stream);   // C-ordered; x itself where it is
// Of one C-ordered matrix: diag(factors) x, new, and the Euclidean norm of each row.
Ref<Array> scaled_rows(const Array& x, const std::vector<double>& factors, Stream& stream);
std::vector<double> row_norms(const Array& x, Stream& stream);

// Small results that the host works out: numbers of a floating or integer array, and a new array of such numbers.
std::vector<std::complex<double>> host_values(const Array& x, Stream& stream);
std::vector<double> host_reals(const Array& x, Stream& stream);
Ref<Array> from_values(const std::vector<double>& values, Dtype dtype, Extents shape, Stream& stream);
Ref<Array> from_values(const std::vector<std::complex<double>>& values, Dtype dtype, Extents shape, Stream& stream);

// alpha, beta: throws INVALID_ARGUMENT for a finite number that is infinite in the precision it is used in.
void check_factor(std::complex<double> factor, Dtype dtype, const char* what);
double epsilon_of(Dtype dtype);  // the distance from 1 to the next number

// a for the batch of a result: the one matrix it is, without its batch axes, or a view of the whole batch.
Ref<Array> one_or_all(const Array& a, Extents batch);
// products.cpp: TENON_OP_*; throws INVALID_ARGUMENT.
Op op_from(int32_t op);

// LU factors of C-ordered copies in place, as the routines see them (of the transposed matrices); pivots from 1; infos:
// int32, one for each matrix, positive where it is singular. That they are finite and the routine called well is left
// to `checks`.
struct LuFactors {
  Ref<Array> lu, pivots, infos;
};
// into: C-ordered memory for the factors, which may be a itself; NULL: new.
LuFactors factor_transposed(const Array& a, Checks& checks, Stream& stream, const Ref<Array>& into = {},
                            const Ref<Array>& pivots = {});
// Garbage where info is not 0. into: C-ordered, may be NULL.
Ref<Array> inverse_of(const LuFactors& factors, Checks& checks, Stream& stream, const Ref<Array>& into = {});

}  // namespace tenon::ops
