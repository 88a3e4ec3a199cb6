// ops/matrix.hpp: helpers of the operations on matrices: checks, shapes, packed copies, and calls of the device's
// routines.
//
// The column-major routines of core/problem/dense.hpp see a C-ordered array of matrices as the transposed matrices.
// `packed` makes that description; its users explain what follows from it.
#pragma once
#include <complex>
#include "core/array/copy.hpp"
#include "core/problem/dense.hpp"
#include "ops/own.hpp"

namespace tenon::ops {

class Checks;

inline int64_t rows_of(const Array& x) { return x.shape()[x.rank() - 2]; }
inline int64_t cols_of(const Array& x) { return x.shape()[x.rank() - 1]; }
inline Extents batch_of(const Array& x) { return {x.shape().data(), size_t(x.rank()) - 2}; }
// The number of matrices, if the host keeps a number for each. Throws OUT_OF_MEMORY if that exceeds its memory
// (matrices of size 0 take no memory themselves, however many there are).
size_t matrices_on_host(Extents batch);
int64_t count_of(Extents batch);

Dims with_matrix(Extents batch, int64_t rows, int64_t cols);
Dims with_vector(Extents batch, int64_t count);
Dims broadcast_batches(Extents a, Extents b);  // throws SHAPE
Ref<Array> swapped(const Array& x);            // each matrix transposed, as a view
bool dense_by_columns(const Array& x);         // is swapped(x) C-ordered, and x not? As in Julia and Fortran
Ref<Array> diagonal(const Array& x);           // (..., min(rows, cols)), a view
void set_identity(Array& x, Stream& stream);   // also of rectangular matrices
// For C-ordered matrices of which a column-major routine (core/problem/dense.hpp) reads one triangle: sets the elements
// outside the triangle, which may be arbitrary, to 0, and for Hermitian ones the imaginary part of the diagonal, which
// counts as 0.
void keep_triangle(const Array& x, bool upper, bool hermitian, Stream& stream);
void clear_imaginary(const Array& x, Stream& stream);  // of any strides; does nothing for real ones

// The checks that every routine here makes for a matrix operand: float32, float64, complex64 or complex128, two axes or
// more, on the stream's device. what: its name, for messages.
void require_matrix(const Array& x, const char* what, const Device& device);
void require_square(const Array& x, const char* what);
void require_same_dtype(const Array& a, const Array& b, const char* name_a = "a", const char* name_b = "b");
// alpha or beta of a routine on arrays of that dtype: throws INVALID_ARGUMENT if the value is not allowed.
void require_factor(std::complex<double> factor, Dtype dtype, const char* what);
// The stream of a call that works on x and waits for results, so it must not be recording.
Stream& stream_for(const Array& x, Stream* given);

// A new C-ordered copy, of any shape to which x broadcasts.
Ref<Array> copy_of(const Array& x, Extents shape, Stream& stream);
inline Ref<Array> copy_of(const Array& x, Stream& stream) { return copy_of(x, x.shape(), stream); }
// The matrices of a C-ordered array, read column by column and therefore transposed.
DenseMatrix packed(const Array& x);

// Orders the stream behind the arrays' other uses and runs the operation, whose problem points to these arrays.
template <class Problem> void run(const Problem& problem, std::initializer_list<const Array*> written,
                                  std::initializer_list<const Array*> read, Stream& stream) {
  use(read, written, stream);
  stream.device().run(problem, stream);
}
// Sets up a problem over all matrices of x: its dtype, batch, and a = packed(x), m x n.
void set_matrices(OnMatrices& problem, const Array& x);
template <class Problem> Problem problem_of(const Array& x) {
  Problem p;
  set_matrices(p, x);
  return p;
}

// Single checks of ops/checks.hpp. Throws NOT_FINITE if a C-ordered array contains NaN or infinity.
void require_finite(const Array& x, const char* what, Stream& stream);
// For results: with this status and text.
void require_finite_result(const Array& x, int32_t status, const char* text, Stream& stream);
std::string matrix_text(int64_t index, int64_t batch);  // "matrix 3 of the batch of 10", "the matrix"

// The dtype of products of operands of that dtype: int32 for int8.
inline Dtype product_dtype(Dtype t) { return t == TENON_INT8 ? TENON_INT32 : t; }
// y += alpha x, both C-ordered and of the same shape.
void add(Array& y, std::complex<double> alpha, const Array& x, Stream& stream);

// A new array: factor a, for C-ordered a.
Ref<Array> scaled(const Array& a, double factor, Stream& stream);
Ref<Array> adjoint_of(const Array& x, Stream& stream);  // a C-ordered copy
Ref<Array> in_double(const Array& x, Stream& stream);   // C-ordered; x itself if it already is
// A norm of the elements of each of C-ordered matrices, in the real dtype.
Ref<Array> element_norm(const Array& a, NormKind kind, Stream& stream);
// For one C-ordered matrix: the Euclidean norm of each row.
std::vector<double> row_norms(const Array& x, Stream& stream);

// For small results that the host computes: the numbers of a floating or integer array, and a new array of such
// numbers.
std::vector<std::complex<double>> host_values(const Array& x, Stream& stream);
std::vector<double> host_reals(const Array& x, Stream& stream);
Ref<Array> from_values(const std::vector<double>& values, Dtype dtype, Extents shape, Stream& stream);
Ref<Array> from_values(const std::vector<std::complex<double>>& values, Dtype dtype, Extents shape, Stream& stream);

// alpha, beta: throws INVALID_ARGUMENT for a finite number that is infinite in the precision in which it is used.
void check_factor(std::complex<double> factor, Dtype dtype, const char* what);
double epsilon_of(Dtype dtype);  // the distance from 1 to the next number

// a for the batch of a result: without its batch axes if it is a single matrix, or a view of the whole batch.
Ref<Array> one_or_all(const Array& a, Extents batch);
// TENON_OP_*; throws INVALID_ARGUMENT.
Op op_from(int32_t op);

}  // namespace tenon::ops
