// ops/compute/compute.cpp: elementwise functions: dtypes, shapes, the output, and the choice of the code that does the
// work.
#include "ops/compute/compute.hpp"

#include <tenon/functions.h>
#include <cmath>
#include <cstring>
#include "base/half.hpp"
#include "core/device/backend.hpp"
#include "core/array/copy.hpp"
#include "core/device/recording.hpp"
#include "kernel/generate/generate.hpp"

namespace tenon::ops {
namespace {

using functions::Function;
using functions::kind_of;

Dtype weak_with(Dtype weak, Dtype strong) {
  const char own = kind_of(weak), kind = kind_of(strong);
  if (own == 'b') return strong;
  if (own == 'i' || own == 'u') return kind == 'b' ? weak : strong;
  if (own == 'f') return kind == 'f' || kind == 'c' ? strong : TENON_FLOAT64;
  if (kind == 'c') return strong;
  return kind == 'f' ? (strong == TENON_FLOAT64 ? TENON_COMPLEX128 : TENON_COMPLEX64) : TENON_COMPLEX128;
}

template <class T> T number_as(const ComputeArg& arg) {
  T value;
  std::memcpy(&value, arg.number, sizeof value);
  return value;
}

template <class T> void set_number(ComputeArg& arg, T value) {
  std::memset(arg.number, 0, sizeof arg.number);
  std::memcpy(arg.number, &value, sizeof value);
}

[[noreturn]] void does_not_fit(const ComputeArg& arg, const std::string& value, Dtype dtype) {
  fail(TENON_ERROR_OVERFLOW, "%s is %s, which %s cannot hold: pass a scalar of a wider dtype, or convert the array",
       arg.name, value.c_str(), dtype_name(dtype).c_str());
}

bool compares(int32_t code) { return code >= TENON_FN_EQUAL && code <= TENON_FN_GREATER_EQUAL; }

// The integer of a weak argument, and where it is: below the numbers of the dtype (-1), among them (0) or above (1).
struct WeakInteger {
  uint64_t bits;
  bool negative;
  uint64_t least, most;  // the dtype's own, as bits
  int place;
};
WeakInteger weak_integer(const ComputeArg& arg, Dtype dtype) {
  const bool with_sign = kind_of(dtype) == 'i';
  WeakInteger out{};
  out.bits = arg.dtype == TENON_BOOL ? uint64_t(arg.number[0] != 0) : number_as<uint64_t>(arg);
  out.negative = arg.dtype == TENON_INT64 && int64_t(out.bits) < 0;
  out.most = ~uint64_t(0) >> (64 - dtype_bits(dtype) + (with_sign ? 1 : 0));
  out.least = with_sign ? ~out.most : 0;
  if (out.negative) out.place = !with_sign || ~out.bits > out.most ? -1 : 0;
  else out.place = out.bits > out.most ? 1 : 0;
  return out;
}

void give_integer(ComputeArg& arg, Dtype dtype) {
  const WeakInteger number = weak_integer(arg, dtype);
  if (number.place)
    does_not_fit(arg, number.negative ? std::to_string(int64_t(number.bits)) : std::to_string(number.bits), dtype);
  set_number(arg, number.bits);  // little-endian: the low bytes come first
}

bool weak_whole(const ComputeArg& arg) {
  return arg.weak && !arg.array && (arg.dtype == TENON_INT64 || arg.dtype == TENON_UINT64);
}

// A comparison with a literal that the array's dtype cannot hold has one result for all elements: the comparison with
// the dtype's own smallest or largest number that has it takes its place. Returns the code of that comparison.
int32_t within_reach(int32_t code, std::span<ComputeArg> args, Dtype compute) {
  if (!compares(code) || (kind_of(compute) != 'i' && kind_of(compute) != 'u')) return code;
  for (size_t i = 0; i < 2; ++i) {
    if (!weak_whole(args[i])) continue;
    const WeakInteger number = weak_integer(args[i], compute);
    if (!number.place) continue;
    const bool above = number.place > 0, first = i == 0;
    // The first operand is below the second if it is a literal below the dtype, or the second is one above it.
    const bool holds = holds_below(code, above != first);
    set_number(args[i], number.least);
    args[i].dtype = kind_of(compute) == 'i' ? TENON_INT64 : TENON_UINT64;
    if (first) return holds ? TENON_FN_LESS_EQUAL : TENON_FN_GREATER;  // least <= x, least > x
    return holds ? TENON_FN_GREATER_EQUAL : TENON_FN_LESS;             // x >= least, x < least
  }
  return code;
}

double real_of(const ComputeArg& arg) {
  switch (arg.dtype) {
    case TENON_BOOL: return arg.number[0] != 0;
    case TENON_INT64: return double(number_as<int64_t>(arg));
    case TENON_UINT64: return double(number_as<uint64_t>(arg));
    default: return number_as<double>(arg);
  }
}

Dims broadcast_all(std::span<const ComputeArg> args) {
  Dims shape;
  bool first = true;
  for (const ComputeArg& arg : args) {
    if (!arg.array) continue;
    const Dims& add = arg.array->shape();
    if (first) shape = add, first = false;
    if (shape == add) continue;
    const int32_t rank = std::max(shape.size(), add.size());
    Dims out(rank);
    for (int32_t d = 1; d <= rank; ++d) {
      const int64_t have = d <= shape.size() ? shape[shape.size() - d] : 1,
                    more = d <= add.size() ? add[add.size() - d] : 1;
      TENON_REQUIRE(have == more || have == 1 || more == 1, TENON_ERROR_SHAPE,
                    "%s has shape %s, which does not broadcast with %s", arg.name, shape_text(add).c_str(),
                    shape_text(shape).c_str());
      out[rank - d] = have == 1 ? more : have;
    }
    shape = std::move(out);
  }
  return shape;
}

// The output may be exactly one of the operands, if that has its shape.
Ref<Array> open(const Output& out, Dtype dtype, const Dims& shape, Stream& stream, std::span<const ComputeArg> args,
                bool same = true) {
  const ComputeArg* with[3] = {};
  size_t count = 0;
  for (const ComputeArg& arg : args)
    if (arg.array) with[count++] = &arg;
  const auto input = [&](size_t i) { return Input{*with[i]->array, with[i]->name, same}; };
  if (count == 0) return out.open(dtype, shape, stream, {});
  if (count == 1) return out.open(dtype, shape, stream, {input(0)});
  if (count == 2) return out.open(dtype, shape, stream, {input(0), input(1)});
  return out.open(dtype, shape, stream, {input(0), input(1), input(2)});
}

void run_function(const Function& f, Dtype compute, std::span<const ComputeArg> args, Array& out, Stream& stream,
                  bool compiled) {
  if (out.size() == 0) return;
  Device& device = stream.device();
  if (compiled || !device.has_functions()) return elementwise_compiled(f, compute, args, out, stream);
  ElementwiseProblem p;
  p.function = f.code;
  p.compute = functions::wide_of(compute);
  const bool moved = f.code == functions::kSelect && p.compute != compute;  // 16-bit elements are moved unchanged
  if (moved) p.compute = TENON_UINT16;
  p.result = functions::result_of(f, p.compute);
  p.operands = int32_t(args.size()) + 1;
  p.operand[0] = {out.data(), moved ? p.compute : out.dtype(), {}};
  generate::Loop loop;
  generate::start_loop(out.shape(), loop);
  loop.add_operand(out, out.shape());
  int32_t place[kComputeOperands] = {0, -1, -1, -1};
  for (size_t i = 0; i < args.size(); ++i) {
    ComputeOperand& operand = p.operand[i + 1] = operand_of(args[i]);
    if (moved && i > 0) operand.dtype = TENON_UINT16;
    if (!args[i].array) continue;
    place[i + 1] = loop.operands;
    loop.add_operand(*args[i].array, out.shape());
  }
  generate::simplify(loop, false, 0);
  p.loop.rank = loop.rank;
  for (int32_t d = 0; d < loop.rank; ++d) p.loop.extent[d] = loop.extent[d];
  for (int32_t k = 0; k < kComputeOperands; ++k) {
    if (place[k] < 0) {
      for (int32_t d = 0; d < loop.rank; ++d) p.loop.stride[k][d] = 0;
      continue;
    }
    const int64_t bytes = dtype_bytes(p.operand[k].dtype);
    p.operand[k].data = static_cast<char*>(p.operand[k].data) + loop.start[place[k]] * bytes;
    for (int32_t d = 0; d < loop.rank; ++d) p.loop.stride[k][d] = loop.stride[place[k]][d] * bytes;
  }
  for (const ComputeArg& arg : args)
    if (arg.array) arg.array->buffer().use(stream, false);
  out.buffer().use(stream, true);
  device.run(p, stream);
}

// Converts 16-bit operands of select whose dtype differs from the result's.
Ref<Array> converted(const ComputeArg& x, Dtype dtype, Stream& stream) {
  const Ref<Array> array = array_of(x, stream.device(), stream);
  Ref<Array> out = Array::create(stream.device(), dtype, array->shape(), stream);
  copy(*out, *array, &stream);
  return out;
}

}  // namespace

bool mixes_signs(int32_t code, Dtype x, Dtype y) {
  return compares(code) && ((x == TENON_INT64 && y == TENON_UINT64) || (x == TENON_UINT64 && y == TENON_INT64));
}

bool holds_below(int32_t code, bool first) {
  if (code == TENON_FN_NOT_EQUAL) return true;
  const bool less = code == TENON_FN_LESS || code == TENON_FN_LESS_EQUAL;
  return code != TENON_FN_EQUAL && less == first;
}

Dtype result_type(std::span<const ComputeArg> args) {
  Dtype strong = 0, weak = 0;
  for (const ComputeArg& arg : args) {
    TENON_REQUIRE(kind_of(arg.dtype), TENON_ERROR_DTYPE,
                  "%s is %s, a storage type without arithmetic: convert it in the library that it comes from", arg.name,
                  dtype_name(arg.dtype).c_str());
    Dtype& into = arg.weak ? weak : strong;
    into = into ? functions::promoted(into, arg.dtype) : arg.dtype;
  }
  return !weak ? strong : !strong ? weak : weak_with(weak, strong);
}

Device& device_of(std::span<const ComputeArg> args, const Array* given) {
  const Array* first = nullptr;
  for (const ComputeArg& arg : args) {
    if (!arg.array) continue;
    if (!first) first = arg.array;
    // The first array may be in memory that several devices can access: then the work runs on the device of the others.
    bool all = true;
    for (const ComputeArg& other : args)
      all = all && (!other.array || (&other.array->context() == &arg.array->context() &&
                                     other.array->buffer().reachable_from(arg.array->device())));
    if (all) return arg.array->device();
  }
  if (!first) {
    TENON_REQUIRE(
        given, TENON_ERROR_INVALID_ARGUMENT,
        "no operand is an array, so the device is unknown: pass an array (without axes for a single number) or an "
        "output");
    return given->device();
  }
  for (const ComputeArg& arg : args)
    if (arg.array) require_on(*arg.array, first->device(), arg.name);
  return first->device();
}

void give_dtype(ComputeArg& arg, Dtype dtype) {
  if (!arg.weak) return;
  const char kind = kind_of(dtype), own = kind_of(arg.dtype);
  if (kind == 'i' || kind == 'u') {
    TENON_REQUIRE(own != 'f' && own != 'c', TENON_ERROR_DTYPE, "%s is a %s number, which %s cannot hold", arg.name,
                  own == 'f' ? "floating-point" : "complex", dtype_name(dtype).c_str());
    give_integer(arg, dtype);
  } else if (kind == 'b') {
    set_number(arg, uint8_t(real_of(arg) != 0));
  } else {
    double parts[2] = {};
    if (own == 'c') std::memcpy(parts, arg.number, sizeof parts);
    const double re = real_of(arg), im = parts[1];
    TENON_REQUIRE(own != 'c' || kind == 'c', TENON_ERROR_DTYPE, "%s is complex, but %s holds only real numbers",
                  arg.name, dtype_name(dtype).c_str());
    switch (dtype) {
      case TENON_FLOAT16: set_number(arg, base::double_to_half(re)); break;
      case TENON_BFLOAT16: set_number(arg, base::double_to_bfloat(re)); break;
      case TENON_FLOAT32: set_number(arg, float(re)); break;
      case TENON_FLOAT64: set_number(arg, re); break;
      case TENON_COMPLEX64: set_number(arg, std::array{float(re), float(im)}); break;
      default: set_number(arg, std::array{re, im});
    }
  }
  arg.dtype = dtype;
  arg.weak = false;
}

ComputeOperand operand_of(const ComputeArg& arg) {
  ComputeOperand out;
  out.dtype = arg.dtype;
  if (arg.array) out.data = arg.array->data();
  std::memcpy(out.number, arg.number, sizeof out.number);
  return out;
}

Ref<Array> array_of(const ComputeArg& x, Device& device, Stream& stream) {
  if (x.array) return Ref<Array>(const_cast<Array*>(x.array));
  Ref<Array> out = Array::create(device, x.dtype, {}, stream);
  FillProblem fill{out->data(), dtype_bytes(x.dtype), {}, {}};
  std::memcpy(fill.value, x.number, sizeof fill.value);
  out->buffer().use(stream, true);
  device.run(fill, stream);
  return out;
}

namespace {

// x ** 2 is how programs write a square, which takes a fraction of the time of a power.
bool squares(const Function& f, std::span<const ComputeArg> args, Dtype compute) {
  if (f.code != TENON_FN_POW || args[1].array || !args[1].weak || kind_of(args[1].dtype) == 'c') return false;
  return real_of(args[1]) == 2 && args[1].dtype != TENON_BOOL && kind_of(compute) != 'c';
}

bool compares_signs(int32_t code, std::span<const ComputeArg> args) {
  if (args.size() != 2 || args[0].weak || args[1].weak || (!args[0].array && !args[1].array)) return false;
  return mixes_signs(code, args[0].dtype, args[1].dtype);
}

// Compares the bits as uint64, and corrects the result where the signed number is negative.
Ref<Array> compare_signs(int32_t code, std::span<ComputeArg> args, const ComputeOptions& options, Stream* given,
                         const Output& out) {
  Stream& stream = stream_or_default(given, device_of(args, out.given()));
  const bool first = args[0].dtype == TENON_INT64;
  const bool either = holds_below(code, first);
  const ComputeArg is_signed = args[first ? 0 : 1];
  return recorded_whole(stream, [&] {
    ComputeArg zero{nullptr, "0", TENON_INT64, true, {}};
    ComputeArg negative[2] = {is_signed, zero};
    const Function& side = *functions::find(either ? TENON_FN_LESS : TENON_FN_GREATER_EQUAL);
    const Ref<Array> sign = elementwise(side, negative, options, &stream, {});
    const Ref<Array> bits = converted(is_signed, TENON_UINT64, stream);
    args[first ? 0 : 1] = {bits.get(), is_signed.name, TENON_UINT64, false, {}};
    const Ref<Array> order = elementwise(*functions::find(code), args, options, &stream, {});
    ComputeArg both[2] = {{order.get(), args[0].name, order->dtype(), false, {}},
                          {sign.get(), args[1].name, sign->dtype(), false, {}}};
    return elementwise(*functions::find(either ? TENON_FN_LOGICAL_OR : TENON_FN_LOGICAL_AND), both, options, &stream,
                       out);
  });
}

}  // namespace

Ref<Array> elementwise(const Function& asked, std::span<ComputeArg> args, const ComputeOptions& options, Stream* given,
                       const Output& out) {
  if (compares_signs(asked.code, args)) {
    const ComputeArg* scalar = !args[0].array ? &args[0] : !args[1].array ? &args[1] : nullptr;
    if (!scalar) return compare_signs(asked.code, args, options, given, out);
    (scalar == &args[0] ? args[0] : args[1]).weak = true;  // so that within_reach compares it exactly
  }
  const Dtype together = result_type(args), compute = functions::computed_in(asked, together);
  const bool square = squares(asked, args, compute);
  const Function& f =
      functions::row_for(*functions::find(square ? TENON_FN_SQUARE : within_reach(asked.code, args, compute)), compute);
  if (square) args = args.first(1);
  for (ComputeArg& arg : args) give_dtype(arg, compute);
  Stream& stream = stream_or_default(given, device_of(args, out.given()));
  const Dims shape = broadcast_all(args);
  return recorded_whole(stream, [&] {
    const Ref<Array> result = open(out, functions::result_of(f, compute), shape, stream, args);
    run_function(f, compute, args, *result, stream, options.compiled);
    return result;
  });
}

Ref<Array> select(std::span<ComputeArg, 3> args, const ComputeOptions& options, Stream* given, const Output& out) {
  const Function& f = *functions::find(functions::kSelect);
  TENON_REQUIRE(kind_of(args[0].dtype), TENON_ERROR_DTYPE,
                "%s is %s, which has no truth value: convert it to bool first", args[0].name,
                dtype_name(args[0].dtype).c_str());
  const Dtype dtype = result_type(args.subspan(1));
  give_dtype(args[0], TENON_BOOL);
  for (ComputeArg& arg : args.subspan(1)) give_dtype(arg, dtype);
  Stream& stream = stream_or_default(given, device_of(args, out.given()));
  const Dims shape = broadcast_all(args);
  return recorded_whole(stream, [&] {
    const Ref<Array> result = open(out, dtype, shape, stream, args);
    Ref<Array> kept[3];
    if (functions::wide_of(dtype) != dtype)
      for (size_t i = 1; i < 3; ++i)
        if (args[i].dtype != dtype)
          kept[i] = converted(args[i], dtype, stream), args[i].array = kept[i].get(), args[i].dtype = dtype;
    run_function(f, dtype, args, *result, stream, options.compiled);
    return result;
  });
}

Ref<Array> clip(std::span<ComputeArg, 3> args, const ComputeOptions& options, Stream* given, const Output& out) {
  const Dtype dtype = args[0].weak ? result_type(args.first(1)) : args[0].dtype;
  const bool low = args[1].dtype != 0, high = args[2].dtype != 0;
  TENON_REQUIRE(low || high, TENON_ERROR_INVALID_ARGUMENT, "low and high are both NULL: clip needs at least one bound");
  const Function& f = *functions::find(functions::kClip);
  TENON_REQUIRE(f.computes_in(kind_of(dtype)), TENON_ERROR_DTYPE,
                "clip is not defined for %s: it takes integers and floating-point numbers", dtype_name(dtype).c_str());
  for (size_t i = 1; i < 3; ++i) {
    if (!args[i].dtype) continue;
    const char kind = kind_of(args[i].dtype);
    TENON_REQUIRE(kind && kind != 'c' && (kind != 'f' || kind_of(dtype) == 'f'), TENON_ERROR_DTYPE,
                  "%s is %s, which the dtype of x, %s, cannot hold", args[i].name, dtype_name(args[i].dtype).c_str(),
                  dtype_name(dtype).c_str());
  }
  ComputeArg operands[3];
  size_t count = 0;
  for (const ComputeArg& arg : args) {
    if (!arg.dtype) continue;
    ComputeArg& bound = operands[count++] = arg;
    // A literal bound beyond the numbers of the dtype bounds nothing.
    if (weak_whole(bound) && (kind_of(dtype) == 'i' || kind_of(dtype) == 'u')) {
      const WeakInteger number = weak_integer(bound, dtype);
      if (number.place && number.place == (&arg == &args[1] ? -1 : &arg == &args[2] ? 1 : 0)) {
        set_number(bound, number.place < 0 ? number.least : number.most);
        bound.dtype = kind_of(dtype) == 'i' ? TENON_INT64 : TENON_UINT64;
      }
    }
    give_dtype(bound, dtype);
  }
  const std::span<ComputeArg> used(operands, count);
  Stream& stream = stream_or_default(given, device_of(used, out.given()));
  const Dims shape = broadcast_all(used);
  return recorded_whole(stream, [&] {
    const Ref<Array> result = open(out, dtype, shape, stream, used);
    const Function& one = *functions::find(low ? TENON_FN_MAXIMUM : TENON_FN_MINIMUM);
    run_function(low && high ? f : one, dtype, used, *result, stream, options.compiled);
    return result;
  });
}

Ref<Array> cast(ComputeArg& x, Dtype dtype, const ComputeOptions& options, Stream* given, const Output& out) {
  TENON_REQUIRE(kind_of(dtype), TENON_ERROR_DTYPE, "dtype 0x%x (%s) is a storage type without arithmetic", dtype,
                dtype_name(dtype).c_str());
  const Dtype from = result_type({&x, 1});
  give_dtype(x, from);
  const std::span<ComputeArg> args(&x, 1);
  Stream& stream = stream_or_default(given, device_of(args, out.given()));
  const char kind = kind_of(dtype), source = kind_of(from);
  return recorded_whole(stream, [&] {
    const Ref<Array> result = open(out, dtype, x.array ? x.array->shape() : Dims(), stream, args, dtype == from);
    if ((kind != 'i' && kind != 'u') || (source != 'f' && source != 'c')) {
      copy(*result, *array_of(x, stream.device(), stream), &stream);
      return result;
    }
    Ref<Array> real;
    if (source == 'c') {  // the real parts
      real = converted(x, dtype_real(from), stream);
      x = {real.get(), x.name, real->dtype(), false, {}};
    }
    const uint32_t bits = dtype_bits(dtype);
    const int32_t code = functions::kToInteger +
                         (bits == 8    ? 0
                          : bits == 16 ? 1
                          : bits == 32 ? 2
                                       : 3) +
                         (kind == 'u' ? 4 : 0);
    run_function(*functions::find(code), x.dtype, {&x, 1}, *result, stream, options.compiled);
    return result;
  });
}

}  // namespace tenon::ops
