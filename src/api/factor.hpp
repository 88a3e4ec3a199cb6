// api/factor.hpp: alpha and beta of the routines of BLAS.
#pragma once
#include "api/arguments.hpp"
#include "ops/factor.hpp"

namespace tenon::api {

// alpha, beta: the number in an argument, the array that it lies in, or `otherwise` for NULL.
inline ops::Factor factor_from(const tenon_arg* given, double otherwise, Device& device, const char* what) {
  if (!given) return otherwise;
  if (given->kind == TENON_ARG_ARRAY) return ops::Factor(Ref<Array>(&get(given->value.array, what)));
  return value_of(scalar_from(*given, what), device.context().cpu(), what);
}
// The same with the caller's result: throws OVERLAP if the factor lies in it.
inline ops::Factor factor_from(const tenon_arg* given, double otherwise, Device& device, const char* what,
                               const ops::Output& result) {
  ops::Factor out = factor_from(given, otherwise, device, what);
  if (result.given()) out.require_apart(*result.given(), what);
  return out;
}

}  // namespace tenon::api
