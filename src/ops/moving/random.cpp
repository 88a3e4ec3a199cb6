// ops/moving/random.cpp: draws of random numbers; device/random.cuh does the drawing.
#include <cmath>
#include <cstring>
#include "device/host.hpp"
#include "device/numbers.cuh"
#include "device/random.cuh"
#include "device/texts.hpp"
#include "ops/moving/moving.hpp"
#include "ops/own.hpp"

namespace tenon::ops {
namespace {

using namespace tenon_own;

// 2^53: a larger number of trials might not be an integer of float64
constexpr double kTrials = 9007199254740992.0;
// 2^63 - 10 2^31.5, NumPy's limit: counts fit int64 whatever is drawn
constexpr double kMean = 9.223372006484771e18;

const char* const kNames[] = {"uniform",   "normal", "exponential", "bits",    "integers",
                              "Bernoulli", "gamma",  "beta",        "Poisson", "binomial"};
const int kRandomKinds[] = {kUniform,   kNormal, kExponential, kBits,    kIntegers,
                            kBernoulli, kGamma,  kBeta,        kPoisson, kBinomial};

int random_kind(int32_t distribution) {
  TENON_REQUIRE(distribution >= 0 && distribution < int32_t(std::size(kRandomKinds)), TENON_ERROR_INVALID_ARGUMENT,
                "distribution %d is not one of TENON_RANDOM_*", distribution);
  return kRandomKinds[distribution];
}

bool is_integer(Dtype t) { return dtype_code(t) <= 1 && t != TENON_BOOL; }

void check_dtype(Dtype t, int kind, const char* name) {
  const bool fits = kind == kBits || kind == kIntegers      ? is_integer(t)
                    : kind == kBernoulli                    ? is_integer(t) || t == TENON_BOOL || dtype_floating(t)
                    : kind == kPoisson || kind == kBinomial ? is_integer(t) || dtype_floating(t)
                                                            : dtype_floating(t);
  TENON_REQUIRE(fits, TENON_ERROR_DTYPE, "%s numbers cannot be %s: %s", name, dtype_name(t).c_str(),
                kind == kBits || kind == kIntegers      ? "an integer dtype is needed"
                : kind == kBernoulli                    ? "bool, an integer or a floating-point dtype is needed"
                : kind == kPoisson || kind == kBinomial ? "an integer or a floating-point dtype is needed"
                                                        : "float16, bfloat16, float32 or float64 is needed");
}

// The number of elements per counter (random.h).
int64_t elements_per_block(Dtype t, int kind) {
  if (kind >= kGamma) return 1;
  return kind != kBernoulli && dtype_bytes(t) == 8 ? 2 : 4;
}

void require_finite_number(double x, const char* what) {
  TENON_REQUIRE(std::isfinite(x), TENON_ERROR_INVALID_ARGUMENT, "%s is %g: a finite number is needed", what, x);
}

void set_integers(RandomWork& w, const tenon_random_options& o, Dtype t) {
  const int bits = int(dtype_bits(t));
  const bool is_signed = dtype_code(t) == 0;
  TENON_REQUIRE(o.count || bits == 64 || !o.low, TENON_ERROR_INVALID_ARGUMENT,
                "count is 0 but low is not: count must be the number of integers to choose from");
  const uint64_t all = bits == 64 ? 0 : uint64_t(1) << bits;
  w.low = o.count || bits == 64 ? o.low : is_signed ? -int64_t(all / 2) : 0;
  w.range = o.count || bits == 64 ? o.count : all;
  // For 64 bits, low and low + count - 1 are taken modulo 2^64 in the dtype's range.
  const __int128 least = is_signed ? -(__int128(1) << (bits - 1)) : 0, most = (__int128(1) << (bits - is_signed)) - 1;
  const __int128 first = is_signed ? __int128(w.low) : bits == 64 ? __int128(uint64_t(w.low)) : __int128(w.low);
  const __int128 last = first + (w.range ? __int128(w.range) : __int128(1) << 64) - 1;
  const bool whole = w.range == 0 && (w.low == 0 || (is_signed && w.low == INT64_MIN));
  if (whole) w.low = is_signed ? INT64_MIN : 0;
  TENON_REQUIRE(whole || (first >= least && last <= most), TENON_ERROR_INVALID_ARGUMENT,
                "the integers from %lld on, %llu in number, do not fit %s", static_cast<long long>(o.low),
                static_cast<unsigned long long>(o.count), dtype_name(t).c_str());
}

void set_parameters(RandomWork& w, const tenon_random_options& o, int kind, Dtype t) {
  w.a = o.a, w.b = o.b;
  switch (kind) {
    case kUniform:
      if (o.a == 0 && o.b == 0) w.b = 1;
      require_finite_number(w.a, "a"), require_finite_number(w.b, "b"), require_finite_number(w.b - w.a, "b - a");
      TENON_REQUIRE(w.a <= w.b, TENON_ERROR_INVALID_ARGUMENT,
                    "a is %g and b is %g: a must not exceed b for uniform numbers", w.a, w.b);
      return;
    case kNormal:
      if (o.b == 0) w.b = 1;
      require_finite_number(w.a, "a"), require_finite_number(w.b, "b");
      TENON_REQUIRE(w.b > 0, TENON_ERROR_INVALID_ARGUMENT, "b is %g: a standard deviation must be positive", w.b);
      return;
    case kExponential:
      if (o.b == 0) w.b = 1;
      require_finite_number(w.b, "b");
      TENON_REQUIRE(w.b > 0, TENON_ERROR_INVALID_ARGUMENT, "b is %g: the mean of exponential numbers must be positive",
                    w.b);
      return;
    case kIntegers: return set_integers(w, o, t);
    case kBernoulli:
      TENON_REQUIRE(w.a >= 0 && w.a <= 1, TENON_ERROR_INVALID_ARGUMENT, "a is %g: a probability must be from 0 to 1",
                    w.a);
      if (o.b == 0) w.b = 1;
      require_finite_number(w.b, "b");
      w.range = uint64_t(std::llrint(w.a * 4294967296.0));
      return;
    case kGamma:
      if (o.b == 0) w.b = 1;
      require_finite_number(w.a, "a"), require_finite_number(w.b, "b");
      TENON_REQUIRE(w.a > 0 && w.b > 0, TENON_ERROR_INVALID_ARGUMENT,
                    "a is %g and b is %g: shape and scale of a gamma distribution must be positive", w.a, w.b);
      return;
    case kBeta:
      require_finite_number(w.a, "a"), require_finite_number(w.b, "b");
      TENON_REQUIRE(w.a > 0 && w.b > 0, TENON_ERROR_INVALID_ARGUMENT,
                    "a is %g and b is %g: both parameters of a beta distribution must be positive", w.a, w.b);
      return;
    case kPoisson:
      TENON_REQUIRE(w.a >= 0 && w.a <= kMean, TENON_ERROR_INVALID_ARGUMENT,
                    "a is %g: the mean of Poisson numbers must be from 0 to %.17g", w.a, kMean);
      return;
    case kBinomial:
      TENON_REQUIRE(w.a >= 0 && w.a <= kTrials && w.a == std::floor(w.a), TENON_ERROR_INVALID_ARGUMENT,
                    "a is %g: the number of trials must be an integer from 0 to 2^53", w.a);
      TENON_REQUIRE(w.b >= 0 && w.b <= 1, TENON_ERROR_INVALID_ARGUMENT, "b is %g: a probability must be from 0 to 1",
                    w.b);
      return;
    default: return;
  }
}

const char* const kKindNames[] = {"kBits",      "kUniform", "kNormal", "kExponential", "kIntegers",
                                  "kBernoulli", "kGamma",   "kBeta",   "kPoisson",     "kBinomial"};

void run_random(Device& device, int kind, Dtype dtype, const RandomWork& w, Stream& stream) {
  if (!by_kernels(device))
    return device.run_native(
        "random", [native = device.native(), kind, dtype, w] { native->random(kind, dtype, w); }, stream);
  const OwnKernel kernel{
      "tenon/random.cu",
      {device::kRandomText, device::kRandomKernels},
      {format("tenon_own::random_fill<tenon_own::%s, %s>", kKindNames[kind], element_name(dtype, "the result"))}};
  launch_own(device, kernel, striding_blocks(device, (w.count + 3) / 4), 256, stream, w);
}

}  // namespace

uint64_t random_blocks(Dtype dtype, int64_t count, int32_t distribution) {
  const int kind = random_kind(distribution);
  check_dtype(dtype, kind, kNames[distribution]);
  TENON_REQUIRE(count >= 0, TENON_ERROR_INVALID_ARGUMENT, "the number of elements is %lld: it must not be negative",
                static_cast<long long>(count));
  const int64_t each = elements_per_block(dtype, kind);
  return uint64_t(count / each + (count % each != 0));
}

Ref<Array> random(Device& device, Dtype dtype, Extents shape, int32_t distribution, const tenon_random_options& options,
                  Stream* given, const Output& out) {
  const int kind = random_kind(distribution);
  check_dtype(dtype, kind, kNames[distribution]);
  RandomWork w{};
  w.key = options.key, w.offset = options.offset, w.stream = options.stream;
  TENON_REQUIRE(
      kind == kBits || options.stream >> 32 == 0, TENON_ERROR_INVALID_ARGUMENT,
      "stream is 0x%llx: streams from 2^32 on are for bits only, because distributions use them for repeated attempts",
      static_cast<unsigned long long>(options.stream));
  set_parameters(w, options, kind, dtype);
  w.count = element_count(shape);
  Stream& stream = stream_or_default(given, device);
  return recorded_whole(stream, [&] {
    const Ref<Array> result = open_plain(out, dtype, shape, stream, {});
    if (w.count) {
      w.to = result->data();
      use({}, {result.get()}, stream);
      run_random(device, kind, dtype, w, stream);
    }
    return out.deliver(result, stream);
  });
}

void random_split(uint64_t key, std::span<uint64_t> keys) {
  constexpr uint64_t kSplit = 0xffffffff73706c74u;  // a stream that no draw uses
  for (size_t i = 0; i < keys.size(); ++i) {
    Words<1> x;
    philox<1>(i, kSplit, key, x);
    keys[i] = wide(x, 0, 0);
  }
}

}  // namespace tenon::ops
