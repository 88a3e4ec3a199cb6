// ops/solve/small.hpp: batches of small matrices by kernels of our own (device/small/small.cuh), which do in one launch
// what otherwise takes copies, checks and a vendor's routines, and read and write arrays of any strides.
//
// Each function enqueues its kernel on the stream and registers its checks; the caller settles or defers them. Inputs
// are broadcast to the batch of the result, which is an array of the right dtype and shape (`open_regular`).
#pragma once
#include "ops/checks.hpp"
#include "ops/matrix.hpp"

namespace tenon::ops {

// The one place that decides: are these kernels the best way for matrices of `rows` x `columns` (with the columns of a
// right-hand side) on this device?
bool small_pays(const Device& device, Dtype dtype, int64_t rows, int64_t columns);

// The array that these kernels write: the given one if its matrices are evenly spaced, else a new one to be passed to
// Output::deliver.
Ref<Array> open_regular(const Output& out, Dtype dtype, Extents shape, Stream& stream,
                        std::initializer_list<Input> inputs);

// x = op(a)^-1 b, or the inverse if b is NULL. x may be exactly a or b.
void small_solve(const Array& a, const Array* b, Op op, const Array& x, Checks& checks, Stream& stream);
// The factor of the triangle of a; may be exactly a.
void small_cholesky(const Array& a, bool upper, const Array& factor, Checks& checks, Stream& stream);
// q: NULL: only r is wanted. r: (..., k, n), q: (..., m, k), k = min(m, n) or m.
void small_qr(const Array& a, const Array* q, const Array& r, Checks& checks, Stream& stream);
// All eigenvalues of the Hermitian matrices of which a has a triangle, ascending, and their vectors unless v is NULL.
void small_eigh(const Array& a, bool upper, const Array& w, const Array* v, Checks& checks, Stream& stream);
// All singular values, descending; u and vh may have columns and rows beyond them, or are NULL.
void small_svd(const Array& a, const Array* u, const Array& s, const Array* vh, Checks& checks, Stream& stream);

}  // namespace tenon::ops
