// ops/solve/solve.hpp: linear systems, their factors, and the exponential of a matrix.
#pragma once
#include "ops/matrix.hpp"
#include "ops/output.hpp"

namespace tenon::ops {

// solve.cpp; constants as in solve.h. later: what is wrong with the matrices may be reported at the next wait for the
// stream (checks.hpp).
Ref<Array> solve(const Array& a, const Array& b, int32_t kind, int32_t op, bool unit, Stream* stream,
                 bool later = false, const Output& x = {});
struct LuResult {
  Ref<Array> lu, pivots;
};
struct LuOutputs {
  Output lu, pivots;
};
LuResult lu(const Array& a, Stream* stream, bool later = false, const LuOutputs& outs = {});
Ref<Array> lu_solve(const Array& lu, const Array& pivots, const Array& b, int32_t op, Stream* stream,
                    bool later = false, const Output& out = {});
Ref<Array> cholesky(const Array& a, bool upper, Stream* stream, bool later = false, const Output& out = {});
Ref<Array> cholesky_solve(const Array& factor, bool upper, const Array& b, Stream* stream, bool later = false,
                          const Output& out = {});
Ref<Array> inverse(const Array& a, Stream* stream, bool later = false, const Output& out = {});
Ref<Array> det(const Array& a, Stream* stream, const Output& out = {});
struct LdlOptions {
  bool upper, hermitian;
};
LuResult ldl(const Array& a, const LdlOptions& options, Stream* stream, const LuOutputs& outs = {});
Ref<Array> ldl_solve(const Array& ld, const Array& pivots, const Array& b, const LdlOptions& options, Stream* stream,
                     const Output& out = {});
struct SlogdetResult {
  Ref<Array> sign, log;
};
struct SlogdetOutputs {
  Output sign, log;
};
SlogdetResult slogdet(const Array& a, Stream* stream, const SlogdetOutputs& outs = {});

Ref<Array> expm(const Array& a, Stream* stream, const Output& out = {});  // exponential.cpp

// LU factors of C-ordered copies, in place, as the routines see them (of the transposed matrices); pivots count from 1;
// infos: int32, one per matrix, positive if it is singular. `checks` verifies that they are finite and that the routine
// was called correctly.
struct LuFactors {
  Ref<Array> lu, pivots, infos;
};
// into: C-ordered memory for the factors, which may be a itself; NULL: new memory.
LuFactors factor_transposed(const Array& a, Checks& checks, Stream& stream, const Ref<Array>& into = {},
                            const Ref<Array>& pivots = {});
// Undefined if info is not 0. into: C-ordered, may be NULL.
Ref<Array> inverse_of(const LuFactors& factors, Checks& checks, Stream& stream, const Ref<Array>& into = {});

}  // namespace tenon::ops
