// backend/cpu/native/random.cpp: draws of random numbers, compiled once for each instruction set (TENON_ISA names it).
//
// Everything is in a namespace for that instruction set, so that the linker cannot keep one copy of a template for all.
#define TENON_JOIN_2(a, b) a##b
#define TENON_JOIN(a, b) TENON_JOIN_2(a, b)
#define tenon_own TENON_JOIN(tenon_own_, TENON_ISA)

#include <tenon/dtype.h>
#include "backend/cpu/native/native.hpp"
#include "device/host.hpp"
#include "device/numbers.cuh"
#include "device/random.cuh"

namespace tenon_own {
namespace {

#if defined(__AVX512F__)
constexpr int kLanes = 16;
#else
constexpr int kLanes = 8;
#endif

template <int Kind, class S> int groups_of(const RandomWork& w, i64 first, i64 groups) {
  constexpr int kElements = Elements<Kind, S>::value, kStep = Kind >= kGamma ? 1 : kLanes;
  if (groups == 0) return kElements;
  S* const to = static_cast<S*>(w.to);
  i64 g = first;
  const i64 last = first + groups, whole = w.count / kElements < last ? w.count / kElements : last;
  for (; g + kStep <= whole; g += kStep) draw<Kind, S, kStep>(w, g, to + g * kElements);
  for (; g < last; ++g) {
    S out[kElements];
    draw<Kind, S, 1>(w, g, out);
    for (int j = 0; j < kElements; ++j)
      if (g * kElements + j < w.count) to[g * kElements + j] = out[j];
  }
  return kElements;
}

template <class S> int continuous(int kind, const RandomWork& w, i64 first, i64 groups) {
  switch (kind) {
    case kUniform: return groups_of<kUniform, S>(w, first, groups);
    case kNormal: return groups_of<kNormal, S>(w, first, groups);
    case kExponential: return groups_of<kExponential, S>(w, first, groups);
    case kGamma: return groups_of<kGamma, S>(w, first, groups);
    case kBeta: return groups_of<kBeta, S>(w, first, groups);
    default: return 0;
  }
}

template <class S> int whole(int kind, const RandomWork& w, i64 first, i64 groups) {
  switch (kind) {
    case kBits: return groups_of<kBits, S>(w, first, groups);
    case kIntegers: return groups_of<kIntegers, S>(w, first, groups);
    default: return 0;
  }
}

template <class S> int counts(int kind, const RandomWork& w, i64 first, i64 groups) {
  switch (kind) {
    case kBernoulli: return groups_of<kBernoulli, S>(w, first, groups);
    case kPoisson: return groups_of<kPoisson, S>(w, first, groups);
    case kBinomial: return groups_of<kBinomial, S>(w, first, groups);
    default: return 0;
  }
}

template <class S> int integers(int kind, const RandomWork& w, i64 first, i64 groups) {
  return kind == kBits || kind == kIntegers ? whole<S>(kind, w, first, groups) : counts<S>(kind, w, first, groups);
}
template <class S> int floats(int kind, const RandomWork& w, i64 first, i64 groups) {
  return kind == kBernoulli || kind >= kPoisson ? counts<S>(kind, w, first, groups)
                                                : continuous<S>(kind, w, first, groups);
}

}  // namespace
}  // namespace tenon_own

namespace tenon::cpu {

int TENON_JOIN(random_groups_, TENON_ISA)(int kind, uint32_t dtype, const void* work, long long first,
                                          long long groups) {
  using namespace tenon_own;
  const RandomWork& w = *static_cast<const RandomWork*>(work);
  switch (dtype) {
    case TENON_BOOL: return kind == kBernoulli ? groups_of<kBernoulli, boolean>(w, first, groups) : 0;
    case TENON_INT8: return integers<i8>(kind, w, first, groups);
    case TENON_INT16: return integers<i16>(kind, w, first, groups);
    case TENON_INT32: return integers<i32>(kind, w, first, groups);
    case TENON_INT64: return integers<i64>(kind, w, first, groups);
    case TENON_UINT8: return integers<u8>(kind, w, first, groups);
    case TENON_UINT16: return integers<u16>(kind, w, first, groups);
    case TENON_UINT32: return integers<u32>(kind, w, first, groups);
    case TENON_UINT64: return integers<u64>(kind, w, first, groups);
    case TENON_FLOAT16: return floats<half>(kind, w, first, groups);
    case TENON_BFLOAT16: return floats<bfloat>(kind, w, first, groups);
    case TENON_FLOAT32: return floats<float>(kind, w, first, groups);
    case TENON_FLOAT64: return floats<double>(kind, w, first, groups);
    default: return 0;
  }
}

}  // namespace tenon::cpu
