// plugin/expression_run.cpp: evaluation. Every step checks what it does; a fault names the place in the contract.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include "core/dtype.hpp"
#include "plugin/expression.hpp"
#include "plugin/expression_code.hpp"

namespace tenon::plugin {
namespace {

struct At {
  const Source* source;
  Place place;
  template <class... Args>
  [[noreturn]] void refuse(int32_t status, const char* text, Args... args) const {
    const std::string message = format(text, args...);
    fail(status, "%s:%u:%u: %s", source ? source->name.c_str() : "", place.line, place.column, message.c_str());
  }
  void require_fit(bool overflow, int64_t a, const char* sign, int64_t b) const {
    if (overflow) [[unlikely]]
      refuse(TENON_ERROR_OVERFLOW, "%lld %s %lld does not fit 64 bits", static_cast<long long>(a), sign, static_cast<long long>(b));
  }
};

int64_t floor_divide(const At& at, int64_t a, int64_t b, const char* sign) {
  if (b == 0) at.refuse(TENON_ERROR_INVALID_ARGUMENT, "%lld %s 0 has no value", static_cast<long long>(a), sign);
  if (b == -1) {
    int64_t out = 0;
    at.require_fit(__builtin_sub_overflow(int64_t(0), a, &out), a, sign, b);
    return out;
  }
  return a / b - ((a % b != 0) && ((a < 0) != (b < 0)));
}

int64_t floor_remainder(const At& at, int64_t a, int64_t b) {  // has the sign of b
  if (b == 0) at.refuse(TENON_ERROR_INVALID_ARGUMENT, "%lld %% 0 has no value", static_cast<long long>(a));
  if (b == -1) return 0;
  const int64_t out = a % b;
  return out != 0 && (out < 0) != (b < 0) ? out + b : out;
}

int64_t ceil_divide(const At& at, int64_t a, int64_t b) {
  if (b <= 0)
    at.refuse(TENON_ERROR_INVALID_ARGUMENT, "ceil_div and round_up divide by %lld: it has to be at least 1",
              static_cast<long long>(b));
  return a / b + (a % b > 0);
}

int64_t whole(const At& at, double value) {
  if (!(value >= -9223372036854775808.0 && value < 9223372036854775808.0))
    at.refuse(TENON_ERROR_OVERFLOW, "the real number %g fits no integer of 64 bits", value);
  return int64_t(value);
}

int64_t index_in(const At& at, int64_t index, int64_t count, const char* what) {
  if (index < -count || index >= count)
    at.refuse(TENON_ERROR_INVALID_ARGUMENT, "entry %lld of %s that has %lld", static_cast<long long>(index), what,
              static_cast<long long>(count));
  return index < 0 ? index + count : index;
}

int64_t fact_of(const At& at, const Operand& operand, Fact fact) {
  switch (fact) {
    case Fact::size: return operand.size;
    case Fact::rank: return operand.rank;
    case Fact::itemsize: return dtype_bytes(operand.dtype);
    case Fact::contiguous:
      return operand.strides ? is_c_contiguous({operand.shape, size_t(operand.rank)}, {operand.strides, size_t(operand.rank)}) : 1;
    default: {
      int64_t out = 0;
      const int64_t item = dtype_bytes(operand.dtype);
      at.require_fit(__builtin_mul_overflow(operand.size, item, &out), operand.size, "*", item);
      return out;
    }
  }
}

int64_t stride_of(const Operand& operand, int64_t axis) {
  if (operand.strides) return operand.strides[axis];
  int64_t out = 1;
  for (int64_t d = axis + 1; d < operand.rank; ++d) out *= std::max<int64_t>(operand.shape[d], 1);
  return out;
}

int64_t product_of(const At& at, const Operand& operand, int64_t first, int64_t last) {
  if (first < 0) first += operand.rank;
  if (last < 0) last += operand.rank;
  if (first < 0 || last < first || last > operand.rank)
    at.refuse(TENON_ERROR_INVALID_ARGUMENT, "extents %lld to %lld of an array of rank %d", static_cast<long long>(first),
              static_cast<long long>(last), operand.rank);
  int64_t out = 1;
  for (int64_t d = first; d < last; ++d) {
    const int64_t before = out;
    at.require_fit(__builtin_mul_overflow(before, operand.shape[d], &out), before, "*", operand.shape[d]);
  }
  return out;
}

int64_t type_fact(Dtype dtype, TypeFact fact) {
  switch (fact) {
    case TypeFact::itemsize: return dtype_bytes(dtype);
    case TypeFact::floating: return dtype_floating(dtype);
    case TypeFact::complex: return dtype_complex(dtype);
    default: return dtype;
  }
}

int64_t device_fact(const tenon_device_info* info, DeviceFact fact) {
  if (!info) return 0;
  switch (fact) {
    case DeviceFact::kind: return info->kind;
    case DeviceFact::multiprocessors: return info->multiprocessors;
    case DeviceFact::warp: return info->warp_size;
    case DeviceFact::max_threads: return info->max_threads_per_block;
    case DeviceFact::shared: return int64_t(info->shared_per_block);
    case DeviceFact::shared_max: return int64_t(info->shared_per_block_max);
    default: return info->compute_major * 10 + info->compute_minor;
  }
}

int64_t power_of_two(const At& at, int64_t value) {
  if (value > (int64_t(1) << 62))
    at.refuse(TENON_ERROR_OVERFLOW, "no power of two above %lld fits 64 bits", static_cast<long long>(value));
  return value <= 1 ? 1 : int64_t(std::bit_ceil(uint64_t(value)));
}

// One more value of a sum, a minimum or a maximum.
void gather(const At& at, Gather how, bool real, bool first, Number& result, Number value) {
  if (how == Gather::sum) {
    const int64_t before = result.i;
    if (real) result.r += value.r;
    else at.require_fit(__builtin_add_overflow(before, value.i, &result.i), before, "+", value.i);
  } else if (first || (real ? (value.r < result.r) : (value.i < result.i)) == (how == Gather::smallest)) {
    result = value;
  }
}

}  // namespace

Number list_item(const List& list, int64_t index) {
  Number out{0};
  const char* at = static_cast<const char*>(list.data) + index * int64_t(dtype_bytes(list.dtype));
  const auto read = [&]<class T>(T value) {
    std::memcpy(&value, at, sizeof value);
    return value;
  };
  switch (list.dtype) {
    case TENON_FLOAT32: out.r = read(float{}); break;
    case TENON_FLOAT64: out.r = read(double{}); break;
    case TENON_INT8: out.i = read(int8_t{}); break;
    case TENON_INT16: out.i = read(int16_t{}); break;
    case TENON_INT32: out.i = read(int32_t{}); break;
    case TENON_UINT8: case TENON_BOOL: out.i = read(uint8_t{}); break;
    case TENON_UINT16: out.i = read(uint16_t{}); break;
    case TENON_UINT32: out.i = read(uint32_t{}); break;
    default: out.i = read(int64_t{}); break;
  }
  return out;
}

Number Expression::run(const Frame& frame) const { return run(source_, code_.data(), code_.data() + code_.size(), frame); }

bool Expression::depends_only_on(const std::vector<int32_t>& numbers) const {
  for (const Step& step : code_) {
    const Code code = Code(step.op);
    if (code == Code::number && std::find(numbers.begin(), numbers.end(), int32_t(step.b)) == numbers.end()) return false;
    if (code == Code::operand || code == Code::fact || code == Code::item_of || code == Code::product || code == Code::list_size ||
        code == Code::list_item)
      return false;
  }
  return true;
}

Number Expression::run(const Source* source, const Step* begin, const Step* end, const Frame& frame) {
  Number stack[kStack];
  stack[0].i = 0;
  int32_t n = 0;  // the parser has made sure that it stays inside
  for (const Step* step = begin; step < end; ++step) {
    const At at{source, step->place};
    Number& top = stack[n > 0 ? n - 1 : 0];
    Number& second = stack[n > 1 ? n - 2 : 0];
    const Number a = second, b = top;  // of an operation on two
    switch (Code(step->op)) {
      case Code::integer: case Code::real: stack[n++] = step->value; break;
      case Code::number: stack[n++] = frame.numbers[step->b]; break;
      case Code::operand: stack[n++].i = step->b; break;
      case Code::fact: stack[n++].i = fact_of(at, frame.operands[step->b], Fact(step->a)); break;
      case Code::item_of: {
        const Operand& operand = frame.operands[step->b];
        const bool shape = Fact(step->a) == Fact::shape;
        const int64_t axis = index_in(at, b.i, operand.rank, shape ? "a shape" : "strides");
        top.i = shape ? operand.shape[axis] : stride_of(operand, axis);
        break;
      }
      case Code::list_size: stack[n++].i = frame.lists[step->b].size; break;
      case Code::list_item: {
        const List& list = frame.lists[step->b];
        top = list_item(list, index_in(at, b.i, list.size, "a list"));
        break;
      }
      case Code::type_fact: stack[n++].i = type_fact(frame.types[step->b], TypeFact(step->a)); break;
      case Code::device_fact: stack[n++].i = device_fact(frame.device, DeviceFact(step->a)); break;
      case Code::product: second.i = product_of(at, frame.operands[step->b], a.i, b.i); --n; break;
      case Code::to_real: stack[n - 1 - step->a].r = double(stack[n - 1 - step->a].i); break;
      case Code::negate: at.require_fit(__builtin_sub_overflow(int64_t(0), b.i, &top.i), 0, "-", b.i); break;
      case Code::negate_real: top.r = -b.r; break;
      case Code::not_: top.i = b.i == 0; break;
      case Code::truth: top.i = b.i != 0; break;
      case Code::add: at.require_fit(__builtin_add_overflow(a.i, b.i, &second.i), a.i, "+", b.i); --n; break;
      case Code::subtract: at.require_fit(__builtin_sub_overflow(a.i, b.i, &second.i), a.i, "-", b.i); --n; break;
      case Code::multiply: at.require_fit(__builtin_mul_overflow(a.i, b.i, &second.i), a.i, "*", b.i); --n; break;
      case Code::divide: second.i = floor_divide(at, a.i, b.i, "/"); --n; break;
      case Code::remainder: second.i = floor_remainder(at, a.i, b.i); --n; break;
      case Code::add_real: second.r = a.r + b.r; --n; break;
      case Code::subtract_real: second.r = a.r - b.r; --n; break;
      case Code::multiply_real: second.r = a.r * b.r; --n; break;
      case Code::divide_real: second.r = a.r / b.r; --n; break;
      case Code::less: second.i = a.i < b.i; --n; break;
      case Code::less_equal: second.i = a.i <= b.i; --n; break;
      case Code::greater: second.i = a.i > b.i; --n; break;
      case Code::greater_equal: second.i = a.i >= b.i; --n; break;
      case Code::equal: second.i = a.i == b.i; --n; break;
      case Code::not_equal: second.i = a.i != b.i; --n; break;
      case Code::less_real: second.i = a.r < b.r; --n; break;
      case Code::less_equal_real: second.i = a.r <= b.r; --n; break;
      case Code::greater_real: second.i = a.r > b.r; --n; break;
      case Code::greater_equal_real: second.i = a.r >= b.r; --n; break;
      case Code::equal_real: second.i = a.r == b.r; --n; break;
      case Code::not_equal_real: second.i = a.r != b.r; --n; break;
      case Code::minimum: second.i = std::min(a.i, b.i); --n; break;
      case Code::maximum: second.i = std::max(a.i, b.i); --n; break;
      case Code::minimum_real: second.r = std::fmin(a.r, b.r); --n; break;
      case Code::maximum_real: second.r = std::fmax(a.r, b.r); --n; break;
      case Code::absolute: if (b.i < 0) at.require_fit(__builtin_sub_overflow(int64_t(0), b.i, &top.i), 0, "-", b.i); break;
      case Code::absolute_real: top.r = std::fabs(b.r); break;
      case Code::ceil_div: second.i = ceil_divide(at, a.i, b.i); --n; break;
      case Code::round_up: {
        const int64_t blocks = ceil_divide(at, a.i, b.i);
        at.require_fit(__builtin_mul_overflow(blocks, b.i, &second.i), blocks, "*", b.i);
        --n;
        break;
      }
      case Code::power_of_two: top.i = power_of_two(at, b.i); break;
      case Code::truncate: top.i = whole(at, std::trunc(b.r)); break;
      case Code::floor: top.i = whole(at, std::floor(b.r)); break;
      case Code::ceil: top.i = whole(at, std::ceil(b.r)); break;
      case Code::round: top.i = whole(at, std::nearbyint(b.r)); break;
      case Code::sqrt: top.r = std::sqrt(b.r); break;
      case Code::exp: top.r = std::exp(b.r); break;
      case Code::log: top.r = std::log(b.r); break;
      case Code::log2: top.r = std::log2(b.r); break;
      case Code::jump: step += step->value.i; break;
      case Code::jump_if_zero:
        --n;
        if (b.i == 0) step += step->value.i;
        break;
      case Code::counter: stack[n++] = stack[step->b]; break;
      case Code::repeat_begin:
        if (b.i > kMostRepeated)
          at.refuse(TENON_ERROR_INVALID_ARGUMENT, "%lld repetitions: at most %lld are possible", static_cast<long long>(b.i),
                    static_cast<long long>(kMostRepeated));
        stack[n++].i = 0;
        stack[n++].i = 0;
        break;
      case Code::repeat_test:
        if (stack[step->b + 1].i >= stack[step->b].i) step += step->value.i;
        break;
      case Code::repeat_step: {
        Number& result = stack[step->b + 2];
        gather(at, Gather(step->a & 3), step->a & 4, stack[step->b + 1].i++ == 0, result, b);
        --n;
        step += step->value.i;
        break;
      }
      case Code::repeat_end:
        if (Gather(step->a) != Gather::sum && stack[step->b].i <= 0)
          at.refuse(TENON_ERROR_INVALID_ARGUMENT, "the least or the largest of no values");
        stack[step->b] = stack[step->b + 2];
        n = step->b + 1;
        break;
    }
  }
  return stack[0];
}

}  // namespace tenon::plugin
