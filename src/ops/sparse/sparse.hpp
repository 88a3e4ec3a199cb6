// ops/sparse/sparse.hpp: sparse.h: sparse matrices as arrays.
#pragma once
#include <optional>
#include "core/array/scalar.hpp"
#include "ops/output.hpp"

namespace tenon::ops {

struct CsrOutputs {
  const Output &offsets, &columns, &values;
};
struct Csr {
  Ref<Array> offsets, columns, values;
};

// A CSR matrix as a caller gives it.
struct CsrMatrix {
  int64_t columns;
  const Array &offsets, &indices, &values;
  bool trusted = false;
};

Csr csr_from_coo(int64_t rows, int64_t columns, const Array& row, const Array& column, const Array& values,
                 bool trusted, Stream* stream, const CsrOutputs& out);
Csr csr_from_dense(const Array& x, Dtype index_dtype, Stream* stream, const CsrOutputs& out);
Ref<Array> csr_rows(const Array& offsets, int64_t count, bool trusted, Stream* stream, const Output& out);
Ref<Array> csr_to_dense(const CsrMatrix& a, Stream* stream, const Output& out);
Csr csr_transpose(const CsrMatrix& a, Stream* stream, const CsrOutputs& out);

struct SparseProductOptions {
  bool transposed = false, conjugated = false, own = false;
  std::optional<Scalar> alpha, beta;
};
Ref<Array> csr_multiply(const CsrMatrix& a, const Array& b, const SparseProductOptions& options, Stream* stream,
                        const Output& out);

}  // namespace tenon::ops
