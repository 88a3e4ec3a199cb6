// functions/table.cpp: the rows, and the promotion of dtypes.
#include "functions/table.hpp"

#include <tenon/functions.h>
#include <algorithm>
#include <cstring>
#include "core/error.hpp"

namespace tenon::functions {
namespace {

const Function kRows[] = {
#include "functions/table.inc"
};

constexpr char kKinds[] = "biufc";

const char* kind_name(FunctionKind kind) {
  switch (kind) {
    case FunctionKind::unary: return "a function of one operand (tenon_unary)";
    case FunctionKind::binary: return "a function of two operands (tenon_binary)";
    case FunctionKind::ternary: return "an internal step of the library";
    case FunctionKind::reduction: return "a reduction (tenon_reduce)";
    case FunctionKind::scan: return "a scan (tenon_accumulate)";
  }
  return "";
}

uint32_t bits_of(Dtype t) { return dtype_lane_bits(t); }
Dtype integer(bool negative, uint32_t bits) { return TENON_DTYPE(negative ? 0 : 1, bits, 1); }
Dtype floating(uint32_t bits) { return TENON_DTYPE(2, bits, 1); }

// The floating-point dtype that represents both the integers of `i` and the numbers of `f`, with NumPy's rules;
// bfloat16 represents 8-bit integers.
Dtype floating_with(Dtype f, Dtype i) {
  const uint32_t needed = bits_of(i) == 8 ? 16 : bits_of(i) == 16 ? 32 : 64;
  return bits_of(f) >= needed ? f : floating(needed);
}

Dtype integers(Dtype a, Dtype b) {
  const bool na = kind_of(a) == 'i', nb = kind_of(b) == 'i';
  if (na == nb) return bits_of(a) >= bits_of(b) ? a : b;
  const uint32_t with_sign = bits_of(na ? a : b), without = bits_of(na ? b : a);
  if (with_sign > without) return integer(true, with_sign);
  return without == 64 ? Dtype(TENON_FLOAT64) : integer(true, 2 * without);
}

}  // namespace

bool Function::computes_in(char kind) const { return kind && std::strchr(takes, kind); }
const char* Function::body_of(char kind) const { return body[std::strchr(kKinds, kind) - kKinds]; }

const Function* find(int32_t code) {
  const auto* row = std::lower_bound(std::begin(kRows), std::end(kRows), code,
                                     [](const Function& f, int32_t c) { return f.code < c; });
  return row != std::end(kRows) && row->code == code ? row : nullptr;
}

const Function& need(int32_t code, FunctionKind kind, const char* call) {
  const Function* row = find(code);
  TENON_REQUIRE(row && (row->kind != FunctionKind::ternary || row->kind == kind), TENON_ERROR_INVALID_ARGUMENT,
                "function %d of %s is not a TENON_FN_*: functions.h lists them", code, call);
  TENON_REQUIRE(row->kind == kind, TENON_ERROR_INVALID_ARGUMENT, "%s takes %s, but %s is %s", call, kind_name(kind),
                row->name, kind_name(row->kind));
  return *row;
}

char kind_of(Dtype dtype) {
  if (!dtype_computes(dtype)) return 0;
  switch (dtype_code(dtype)) {
    case 0: return 'i';
    case 1: return 'u';
    case 5: return 'c';
    case 6: return 'b';
    default: return 'f';
  }
}

Dtype wide_of(Dtype dtype) { return dtype == TENON_FLOAT16 || dtype == TENON_BFLOAT16 ? Dtype(TENON_FLOAT32) : dtype; }

Dtype promoted(Dtype a, Dtype b) {
  if (a == b) return a;
  char ka = kind_of(a), kb = kind_of(b);
  const auto rank = [](char kind) { return kind == 'b' ? 0 : kind == 'c' ? 3 : kind == 'f' ? 2 : 1; };
  if (rank(ka) > rank(kb)) std::swap(a, b), std::swap(ka, kb);
  if (ka == 'b') return b;
  if (kb == 'c') {
    const Dtype real = promoted(dtype_real(a), dtype_real(b));
    return real == TENON_FLOAT64 ? TENON_COMPLEX128 : TENON_COMPLEX64;
  }
  if (kb != 'f') return integers(a, b);
  if (ka != 'f') return floating_with(b, a);
  if (bits_of(a) == bits_of(b)) return TENON_FLOAT32;  // float16 and bfloat16
  return bits_of(a) > bits_of(b) ? a : b;
}

Dtype computed_in(const Function& f, Dtype dtype) {
  const char kind = kind_of(dtype);
  if (f.computes_in(kind)) return dtype;
  if ((kind == 'b' || kind == 'i' || kind == 'u') && f.computes_in('f') && !f.computes_in('i') && !f.computes_in('u'))
    return TENON_FLOAT64;
  std::string takes;
  for (const auto& [letter, name] : {std::pair{'b', "bool"},
                                     {'i', "signed integers"},
                                     {'u', "unsigned integers"},
                                     {'f', "floating-point numbers"},
                                     {'c', "complex numbers"}})
    if (f.computes_in(letter)) takes += (takes.empty() ? "" : ", ") + std::string(name);
  fail(TENON_ERROR_DTYPE, "%s is not defined for %s: it takes %s", f.name, dtype_name(dtype).c_str(), takes.c_str());
}

const Function& row_for(const Function& f, Dtype compute) {
  if (f.code != TENON_FN_NEXTAFTER) return f;
  if (compute == TENON_FLOAT16) return *find(kNextFloat16);
  return compute == TENON_BFLOAT16 ? *find(kNextBfloat16) : f;
}

Dtype result_of(const Function& f, Dtype dtype) {
  if (f.result == kSame) return dtype;
  return f.result == kReal ? dtype_real(dtype) : f.result;
}

}  // namespace tenon::functions
