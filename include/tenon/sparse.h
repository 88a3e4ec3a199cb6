/* tenon/sparse.h: sparse matrices as arrays.
 *
 *   tenon_array *offsets = NULL, *columns = NULL, *values = NULL, *y = NULL;
 *   tenon_csr_from_coo(100, 80, row, column, value, NULL, NULL, &offsets, &columns, &values);
 *   tenon_csr_multiply(80, offsets, columns, values, x, NULL, NULL, &y);          the product with a vector
 *
 * A matrix in COO form is three arrays of one length: the row, the column and the value of each element, in any order;
 * elements in the same place are added. One in CSR form has its elements ordered by rows: `offsets`, one per row and
 * one more, says where each row begins in `columns` and `values`. CSR matrices made here have ascending columns in each
 * row and no two elements in one place; those given to a function need not. All arrays have one axis, any strides, and
 * lie on one device. Indices are int32 or int64, the same in one matrix; the results have the dtype of the indices
 * given, or that of the options. Negative indices are out of range here, as in SciPy.
 *
 * Values: bool, integers, float16, bfloat16, float32, float64, complex64, complex128. The library's own kernels sum
 * float16, bfloat16 and float32 in float64, complex64 in complex128; integers wrap, bools are combined by "or". A zero
 * that is given or results is kept.
 *
 * Invalid matrices: an index that is out of range, and offsets that decrease, do not begin with 0 or do not end with
 * the number of elements, are INVALID_ARGUMENT with their position, reported as moving.h says of indices, and never
 * followed. SHAPE: lengths or extents that do not fit. DTYPE: indices of another dtype, or values that differ in dtype.
 * OVERFLOW: a number of rows, columns or elements that the index dtype cannot hold; rows times columns beyond 2^63.
 *
 * The calls that make CSR from COO or dense matrices wait; the others only enqueue work on the stream.
 *
 * Determinism: every result has the same bits on every run, for any number of threads and grid. On CUDA products of
 * float16 to complex128 use cuSPARSE where it is installed, with the algorithms that it documents as deterministic
 * (CUSPARSE_SPMV_CSR_ALG2, CUSPARSE_SPMM_CSR_ALG3); otherwise, and for the other dtypes, kernels of the library. The
 * order of additions within a row is that of the device.
 *
 * Since level 1.1.
 */
#ifndef TENON_SPARSE_H
#define TENON_SPARSE_H

#include <tenon/argument.h>
#include <tenon/array.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tenon_sparse_options {
  uint32_t struct_size;
  uint32_t index_dtype; /* tenon_csr_from_dense: that of the results; 0: int32 if it can hold all of them, else int64 */
  TENON_YES_NO int32_t trusted; /* 1: the offsets and indices are known to be valid, because a function here made or
                                   checked them, and are not checked again: the call then does not wait for that on
                                   CUDA. With indices that are not valid the results are then undefined */
} tenon_sparse_options;

/* A COO matrix of rows x columns as CSR: sorted by row, then by column, elements in one place added. Waits, because
 * the number of elements depends on them. UNSUPPORTED: while a graph is recorded. */
TENON_API int32_t tenon_csr_from_coo(int64_t rows, int64_t columns, const tenon_array* row, const tenon_array* column,
                                     const tenon_array* values, TENON_NULLABLE const tenon_sparse_options* options,
                                     TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_offsets,
                                     TENON_INOUT tenon_array** out_columns, TENON_INOUT tenon_array** out_values);
/* The elements of a matrix that are not 0 (NaN is not 0), as CSR. Waits for their number. UNSUPPORTED: while a graph
 * is recorded. */
TENON_API int32_t tenon_csr_from_dense(const tenon_array* x, TENON_NULLABLE const tenon_sparse_options* options,
                                       TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_offsets,
                                       TENON_INOUT tenon_array** out_columns, TENON_INOUT tenon_array** out_values);
/* The row of each of `count` elements of a CSR matrix, with which its columns and values are the matrix in COO form. */
TENON_API int32_t tenon_csr_rows(const tenon_array* offsets, int64_t count,
                                 TENON_NULLABLE const tenon_sparse_options* options,
                                 TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_rows);
/* A CSR matrix as a dense one, of shape (rows, columns). */
TENON_API int32_t tenon_csr_to_dense(int64_t columns, const tenon_array* offsets, const tenon_array* indices,
                                     const tenon_array* values, TENON_NULLABLE const tenon_sparse_options* options,
                                     TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_dense);
/* The transposed matrix in CSR form, which is the matrix itself in CSC form; elements in one place stay apart, in
 * their order. */
TENON_API int32_t tenon_csr_transpose(int64_t columns, const tenon_array* offsets, const tenon_array* indices,
                                      const tenon_array* values, TENON_NULLABLE const tenon_sparse_options* options,
                                      TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_offsets,
                                      TENON_INOUT tenon_array** out_columns, TENON_INOUT tenon_array** out_values);

typedef struct tenon_sparse_product_options {
  uint32_t struct_size;
  TENON_YES_NO int32_t transposed; /* 1: the matrix is transposed first, on each call: keep the result of
                                      tenon_csr_transpose where several products need it */
  TENON_YES_NO int32_t conjugated; /* 1: its values are conjugated */
  TENON_YES_NO int32_t own;        /* 1: the library's kernels, even where cuSPARSE is installed: for comparisons */
  TENON_YES_NO int32_t trusted;    /* as in tenon_sparse_options */
  uint32_t reserved;
  TENON_NULLABLE const tenon_arg* alpha; /* a scalar; NULL: 1 */
  TENON_NULLABLE const tenon_arg* beta;  /* a scalar; NULL: 0, and then the old values of the result are not read */
} tenon_sparse_product_options;

/* result = alpha A b + beta result, of a CSR matrix A and a dense vector or matrix b, whose dtype is that of the
 * values; the result is a vector or a matrix likewise. beta needs a given result (INVALID_ARGUMENT). Waits for the
 * check of the indices only, as moving.h says, and not at all if they are trusted. */
TENON_API int32_t tenon_csr_multiply(int64_t columns, const tenon_array* offsets, const tenon_array* indices,
                                     const tenon_array* values, const tenon_array* b,
                                     TENON_NULLABLE const tenon_sparse_product_options* options,
                                     TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_result);

#ifdef __cplusplus
}
#endif
#endif
