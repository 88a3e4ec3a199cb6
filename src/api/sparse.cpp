// api/sparse.cpp: sparse.h.
#include "ops/sparse/sparse.hpp"
#include "api/arguments.hpp"

using namespace tenon;
using namespace tenon::api;

namespace {

// options that only say whether the indices are known to be valid.
bool trusted_in(const tenon_sparse_options* given) {
  const tenon_sparse_options options = options_from(given, "options");
  require_unused(options.index_dtype, "index_dtype");
  return yes_or_no(options.trusted, "options->trusted");
}

// The outputs of a function that makes a CSR matrix.
struct CsrOut {
  InOut offsets, columns, values;
  CsrOut(tenon_array** out_offsets, tenon_array** out_columns, tenon_array** out_values)
      : offsets(out_offsets, "out_offsets"), columns(out_columns, "out_columns"), values(out_values, "out_values") {
    InOut::apart({&offsets, &columns, &values});
  }
  operator ops::CsrOutputs() const { return {offsets, columns, values}; }
  void set(ops::Csr result) {
    InOut::give({{&offsets, std::move(result.offsets)},
                 {&columns, std::move(result.columns)},
                 {&values, std::move(result.values)}});
  }
};

std::optional<Scalar> factor_from(const tenon_arg* given, const char* what) {
  return given ? std::optional<Scalar>(scalar_from(*given, what)) : std::nullopt;
}

}  // namespace

int32_t tenon_csr_from_coo(int64_t rows, int64_t columns, const tenon_array* row, const tenon_array* column,
                           const tenon_array* values, const tenon_sparse_options* options, tenon_stream* stream,
                           tenon_array** out_offsets, tenon_array** out_columns, tenon_array** out_values) {
  return guard([&] {
    CsrOut out(out_offsets, out_columns, out_values);
    const Array &r = get(row, "row"), &c = get(column, "column"), &v = get(values, "values");
    const bool trusted = trusted_in(options);
    out.set(ops::csr_from_coo(rows, columns, r, c, v, trusted, get_or_null(stream, "stream"), out));
  });
}

int32_t tenon_csr_from_dense(const tenon_array* x, const tenon_sparse_options* given, tenon_stream* stream,
                             tenon_array** out_offsets, tenon_array** out_columns, tenon_array** out_values) {
  return guard([&] {
    CsrOut out(out_offsets, out_columns, out_values);
    const Array& array = get(x, "x");
    const tenon_sparse_options options = options_from(given, "options");
    yes_or_no(options.trusted, "options->trusted");
    require_unused(options.trusted, "trusted");
    out.set(ops::csr_from_dense(array, options.index_dtype, get_or_null(stream, "stream"), out));
  });
}

int32_t tenon_csr_rows(const tenon_array* offsets, int64_t count, const tenon_sparse_options* options,
                       tenon_stream* stream, tenon_array** out_rows) {
  return guard([&] {
    InOut out(out_rows, "out_rows");
    const Array& list = get(offsets, "offsets");
    const bool trusted = trusted_in(options);
    out.set(ops::csr_rows(list, count, trusted, get_or_null(stream, "stream"), out));
  });
}

int32_t tenon_csr_to_dense(int64_t columns, const tenon_array* offsets, const tenon_array* indices,
                           const tenon_array* values, const tenon_sparse_options* options, tenon_stream* stream,
                           tenon_array** out_dense) {
  return guard([&] {
    InOut out(out_dense, "out_dense");
    const Array &o = get(offsets, "offsets"), &i = get(indices, "indices"), &v = get(values, "values");
    out.set(ops::csr_to_dense({columns, o, i, v, trusted_in(options)}, get_or_null(stream, "stream"), out));
  });
}

int32_t tenon_csr_transpose(int64_t columns, const tenon_array* offsets, const tenon_array* indices,
                            const tenon_array* values, const tenon_sparse_options* options, tenon_stream* stream,
                            tenon_array** out_offsets, tenon_array** out_columns, tenon_array** out_values) {
  return guard([&] {
    CsrOut out(out_offsets, out_columns, out_values);
    const Array &o = get(offsets, "offsets"), &i = get(indices, "indices"), &v = get(values, "values");
    out.set(ops::csr_transpose({columns, o, i, v, trusted_in(options)}, get_or_null(stream, "stream"), out));
  });
}

int32_t tenon_csr_multiply(int64_t columns, const tenon_array* offsets, const tenon_array* indices,
                           const tenon_array* values, const tenon_array* b, const tenon_sparse_product_options* given,
                           tenon_stream* stream, tenon_array** out_result) {
  return guard([&] {
    InOut out(out_result, "out_result");
    const Array &o = get(offsets, "offsets"), &i = get(indices, "indices"), &v = get(values, "values"),
                &right = get(b, "b");
    const tenon_sparse_product_options options = options_from(given, "options");
    const ops::SparseProductOptions chosen{
        yes_or_no(options.transposed, "options->transposed"), yes_or_no(options.conjugated, "options->conjugated"),
        yes_or_no(options.own, "options->own"), factor_from(options.alpha, "options->alpha"),
        factor_from(options.beta, "options->beta")};
    out.set(ops::csr_multiply({columns, o, i, v, yes_or_no(options.trusted, "options->trusted")}, right, chosen,
                              get_or_null(stream, "stream"), out));
  });
}
