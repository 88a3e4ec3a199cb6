// plugin/expression/run.cpp: evaluation. Every step is checked; a fault names the place in the contract.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdarg>
#include <cstring>
#include "core/dtype.hpp"
#include "plugin/expression/expression.hpp"
#include "plugin/expression/code.hpp"

namespace tenon::plugin {
namespace {

struct At {
  const Source* source;
  Place place;
  [[noreturn, gnu::format(printf, 3, 4)]] void refuse(int32_t status, const char* text, ...) const {
    va_list list;
    va_start(list, text);
    const std::string message = format_list(text, list);
    va_end(list);
    fail(status, "%s:%u:%u: %s", source ? source->name.c_str() : "", place.line, place.column, message.c_str());
  }
  void require_fit(bool overflow, int64_t a, const char* sign, int64_t b) const {
    if (overflow) [[unlikely]]
      refuse(TENON_ERROR_OVERFLOW, "%lld %s %lld does not fit in 64 bits", static_cast<long long>(a), sign,
             static_cast<long long>(b));
  }
};

int64_t floor_divide(At at, int64_t a, int64_t b, const char* sign) {
  if (b == 0) at.refuse(TENON_ERROR_INVALID_ARGUMENT, "%lld %s 0 is undefined", static_cast<long long>(a), sign);
  if (b == -1) {
    int64_t out = 0;
    at.require_fit(__builtin_sub_overflow(int64_t(0), a, &out), a, sign, b);
    return out;
  }
  return a / b - ((a % b != 0) && ((a < 0) != (b < 0)));
}

int64_t floor_remainder(At at, int64_t a, int64_t b) {  // has the sign of b
  if (b == 0) at.refuse(TENON_ERROR_INVALID_ARGUMENT, "%lld %% 0 is undefined", static_cast<long long>(a));
  if (b == -1) return 0;
  const int64_t out = a % b;
  return out != 0 && (out < 0) != (b < 0) ? out + b : out;
}

int64_t ceil_divide(At at, int64_t a, int64_t b) {
  if (b <= 0)
    at.refuse(TENON_ERROR_INVALID_ARGUMENT, "ceil_div and round_up divide by %lld: the divisor must be at least 1",
              static_cast<long long>(b));
  return a / b + (a % b > 0);
}

int64_t fitting_whole(At at, double value) {
  if (!(value >= -9223372036854775808.0 && value < 9223372036854775808.0))
    at.refuse(TENON_ERROR_OVERFLOW, "the real number %g does not fit in a 64-bit integer", value);
  return int64_t(value);
}

int64_t index_in(At at, int64_t index, int64_t count, const char* what) {
  if (index < -count || index >= count)
    at.refuse(TENON_ERROR_INVALID_ARGUMENT, "entry %lld is out of range for %s of %lld", static_cast<long long>(index),
              what, static_cast<long long>(count));
  return index < 0 ? index + count : index;
}

void require_given(At at, const Operand& operand) {
  if (!operand.given()) [[unlikely]]
    at.refuse(TENON_ERROR_INVALID_ARGUMENT,
              "the optional array was not given: test for that first, as in \"b.given ? b.size : 0\"");
}

int64_t fact_of(At at, const Operand& operand, Fact fact) {
  if (fact == Fact::given) return operand.given();
  require_given(at, operand);
  switch (fact) {
    case Fact::size: return operand.size;
    case Fact::rank: return operand.rank;
    case Fact::itemsize: return dtype_bytes(operand.dtype);
    case Fact::contiguous:
      return operand.strides
                 ? is_c_contiguous({operand.shape, size_t(operand.rank)}, {operand.strides, size_t(operand.rank)})
                 : 1;
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

int64_t product_of(At at, const Operand& operand, int64_t first, int64_t last) {
  require_given(at, operand);
  if (first < 0) first += operand.rank;
  if (last < 0) last += operand.rank;
  if (first < 0 || last < first || last > operand.rank)
    at.refuse(TENON_ERROR_INVALID_ARGUMENT, "extents %lld to %lld are out of range for an array of rank %d",
              static_cast<long long>(first), static_cast<long long>(last), operand.rank);
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

int64_t power_of_two(At at, int64_t value) {
  if (value > (int64_t(1) << 62))
    at.refuse(TENON_ERROR_OVERFLOW, "the next power of two after %lld does not fit in 64 bits",
              static_cast<long long>(value));
  return value <= 1 ? 1 : int64_t(std::bit_ceil(uint64_t(value)));
}

// The accumulated sum, minimum or maximum with one more value.
Number gathered(At at, Gather how, bool real, bool first, Number before, Number value) {
  if (how == Gather::sum) {
    if (real) return {.r = before.r + value.r};
    int64_t sum = 0;
    at.require_fit(__builtin_add_overflow(before.i, value.i, &sum), before.i, "+", value.i);
    return {sum};
  }
  return first || (real ? (value.r < before.r) : (value.i < before.i)) == (how == Gather::smallest) ? value : before;
}

}  // namespace

Number list_item(const List& list, int64_t index) {
  Number out{0};
  if (list.dtype == TENON_INT64 || list.dtype == TENON_FLOAT64) {  // the type of computed lists
    std::memcpy(&out, static_cast<const char*>(list.data) + index * 8, sizeof out);
    return out;
  }
  const char* at = static_cast<const char*>(list.data) + index * int64_t(dtype_bytes(list.dtype));
  const auto read = [&]<class T>(T value) {
    std::memcpy(&value, at, sizeof value);
    return value;
  };
  switch (list.dtype) {
    case TENON_FLOAT32: out.r = read(float{}); break;
    case TENON_INT8: out.i = read(int8_t{}); break;
    case TENON_INT16: out.i = read(int16_t{}); break;
    case TENON_INT32: out.i = read(int32_t{}); break;
    case TENON_UINT8:
    case TENON_BOOL: out.i = read(uint8_t{}); break;
    case TENON_UINT16: out.i = read(uint16_t{}); break;
    case TENON_UINT32: out.i = read(uint32_t{}); break;
    default: out.i = read(int64_t{}); break;
  }
  return out;
}

Number Expression::run(const Frame& frame) const {
  return run(source_, code_.data(), code_.data() + code_.size(), frame);
}

Expression::Reads Expression::reads() const {
  Reads out;
  for (const Instruction& step : code_) {
    if (From(step.from) == From::number) out.numbers.insert(step.at);
    switch (Code(step.op)) {
      case Code::number: out.numbers.insert(step.b); break;
      case Code::operand:
      case Code::fact:
      case Code::item_of:
      case Code::product: out.operands.insert(step.b); break;
      case Code::list_size:
      case Code::list_item: out.lists.insert(step.b); break;
      default: break;
    }
  }
  return out;
}

bool Expression::Reads::meets(const Reads& other) const {
  const auto share = [](const std::set<int32_t>& a, const std::set<int32_t>& b) {
    return std::any_of(a.begin(), a.end(), [&](int32_t slot) { return b.count(slot) != 0; });
  };
  return share(numbers, other.numbers) || share(lists, other.lists) || share(operands, other.operands);
}

bool Expression::is_literal() const {
  const auto changes_it = [](const Instruction& one) {
    return one.op == uint8_t(Code::to_real) || one.op == uint8_t(Code::negate) || one.op == uint8_t(Code::negate_real);
  };
  return !code_.empty() && code_[0].op <= 1 && std::all_of(code_.begin() + 1, code_.end(), changes_it);
}

bool Expression::depends_only_on(const std::vector<int32_t>& known) const {
  const Reads needs = reads();
  return needs.lists.empty() && needs.operands.empty() &&
         std::all_of(needs.numbers.begin(), needs.numbers.end(),
                     [&](int32_t number) { return std::find(known.begin(), known.end(), number) != known.end(); });
}

// The topmost value is `top`; those below it are in `stack`, the bottom at index 1.
Number Expression::run(const Source* source, const Instruction* begin, const Instruction* end, const Frame& frame) {
  Number stack[kStack + 1], top{0};
  int32_t n = 0;  // the parser has checked that it stays within the stack
  const auto spend = [&](int64_t steps, Place place) {
    if ((frame.steps_left -= steps) < 0) [[unlikely]]
      At{source, place}.refuse(TENON_ERROR_INVALID_ARGUMENT,
                               "the call evaluates more than %lld steps of its contract: make sums and lists shorter",
                               static_cast<long long>(kMostEvaluated));
  };
  const Instruction* const said =
      std::find_if(begin, end, [](const Instruction& step) { return step.place.line != 0; });
  spend(end - begin, said < end ? said->place : Place{});
  for (const Instruction* step = begin; step < end; ++step) {
    const auto at = [&] { return At{source, step->place}; };
    const auto push = [&](Number value) {
      stack[n++] = top;
      top = value;
    };
    const auto push_whole = [&](int64_t value) { push(Number{.i = value}); };
    const auto beside = [&] {  // the second of two operands, if it is not on the stack
      return From(step->from) == From::constant ? step->value
             : From(step->from) == From::number ? frame.numbers[step->at]
                                                : stack[step->at + 1];
    };
    const auto two = [&](auto&& result) {
      if (From(step->from) == From::stack) {
        const Number first = stack[--n];
        result(first, top);
      } else {
        result(top, beside());
      }
    };
    const auto whole = [&](auto&& f) { two([&](Number a, Number b) { top.i = f(a.i, b.i); }); };
    const auto real = [&](auto&& f) { two([&](Number a, Number b) { top.r = f(a.r, b.r); }); };
    const auto compare = [&](auto&& f) { two([&](Number a, Number b) { top.i = f(a.r, b.r); }); };
    const auto fitting = [&](const char* sign, auto&& f) {
      two([&](Number a, Number b) { at().require_fit(f(a.i, b.i, &top.i), a.i, sign, b.i); });
    };
    const auto index = [&] {
      if (From(step->from) != From::stack) push(beside());
      return top.i;
    };
    switch (Code(step->op)) {
      case Code::integer:
      case Code::real: push(step->value); break;
      case Code::number: push(frame.numbers[step->b]); break;
      case Code::operand: push_whole(step->b); break;
      case Code::fact: push_whole(fact_of(at(), frame.operands[step->b], Fact(step->a))); break;
      case Code::item_of: {
        const Operand& operand = frame.operands[step->b];
        require_given(at(), operand);
        const bool shape = Fact(step->a) == Fact::shape;
        const int64_t axis = index_in(at(), index(), operand.rank, shape ? "a shape" : "strides");
        top.i = shape ? operand.shape[axis] : stride_of(operand, axis);
        break;
      }
      case Code::list_size: push_whole(frame.lists[step->b].size); break;
      case Code::list_item: {
        const List& list = frame.lists[step->b];
        top = list_item(list, index_in(at(), index(), list.size, "a list"));
        break;
      }
      case Code::type_fact: push_whole(type_fact(frame.types[step->b], TypeFact(step->a))); break;
      case Code::device_fact: push_whole(device_fact(frame.device, DeviceFact(step->a))); break;
      case Code::product:
        whole([&](int64_t a, int64_t b) { return product_of(at(), frame.operands[step->b], a, b); });
        break;
      case Code::to_real: {
        if (step->a) stack[n - 1].r = double(stack[n - 1].i);
        else top.r = double(top.i);
        break;
      }
      case Code::negate: at().require_fit(__builtin_sub_overflow(int64_t(0), top.i, &top.i), 0, "-", top.i); break;
      case Code::negate_real: top.r = -top.r; break;
      case Code::not_: top.i = top.i == 0; break;
      case Code::truth: top.i = top.i != 0; break;
      case Code::add:
        fitting("+", [](int64_t a, int64_t b, int64_t* out) { return __builtin_add_overflow(a, b, out); });
        break;
      case Code::subtract:
        fitting("-", [](int64_t a, int64_t b, int64_t* out) { return __builtin_sub_overflow(a, b, out); });
        break;
      case Code::multiply:
        fitting("*", [](int64_t a, int64_t b, int64_t* out) { return __builtin_mul_overflow(a, b, out); });
        break;
      case Code::divide: whole([&](int64_t a, int64_t b) { return floor_divide(at(), a, b, "/"); }); break;
      case Code::remainder: whole([&](int64_t a, int64_t b) { return floor_remainder(at(), a, b); }); break;
      case Code::add_real: real([](double a, double b) { return a + b; }); break;
      case Code::subtract_real: real([](double a, double b) { return a - b; }); break;
      case Code::multiply_real: real([](double a, double b) { return a * b; }); break;
      case Code::divide_real: real([](double a, double b) { return a / b; }); break;
      case Code::less: whole([](int64_t a, int64_t b) { return a < b; }); break;
      case Code::less_equal: whole([](int64_t a, int64_t b) { return a <= b; }); break;
      case Code::greater: whole([](int64_t a, int64_t b) { return a > b; }); break;
      case Code::greater_equal: whole([](int64_t a, int64_t b) { return a >= b; }); break;
      case Code::equal: whole([](int64_t a, int64_t b) { return a == b; }); break;
      case Code::not_equal: whole([](int64_t a, int64_t b) { return a != b; }); break;
      case Code::less_real: compare([](double a, double b) { return a < b; }); break;
      case Code::less_equal_real: compare([](double a, double b) { return a <= b; }); break;
      case Code::greater_real: compare([](double a, double b) { return a > b; }); break;
      case Code::greater_equal_real: compare([](double a, double b) { return a >= b; }); break;
      case Code::equal_real: compare([](double a, double b) { return a == b; }); break;
      case Code::not_equal_real: compare([](double a, double b) { return a != b; }); break;
      case Code::minimum: whole([](int64_t a, int64_t b) { return std::min(a, b); }); break;
      case Code::maximum: whole([](int64_t a, int64_t b) { return std::max(a, b); }); break;
      case Code::minimum_real: real([](double a, double b) { return std::fmin(a, b); }); break;
      case Code::maximum_real: real([](double a, double b) { return std::fmax(a, b); }); break;
      case Code::absolute:
        if (top.i < 0) at().require_fit(__builtin_sub_overflow(int64_t(0), top.i, &top.i), 0, "-", top.i);
        break;
      case Code::absolute_real: top.r = std::fabs(top.r); break;
      case Code::ceil_div: whole([&](int64_t a, int64_t b) { return ceil_divide(at(), a, b); }); break;
      case Code::round_up:
        two([&](Number a, Number b) {
          const int64_t blocks = ceil_divide(at(), a.i, b.i);
          at().require_fit(__builtin_mul_overflow(blocks, b.i, &top.i), blocks, "*", b.i);
        });
        break;
      case Code::power_of_two: top.i = power_of_two(at(), top.i); break;
      case Code::truncate: top.i = fitting_whole(at(), std::trunc(top.r)); break;
      case Code::floor: top.i = fitting_whole(at(), std::floor(top.r)); break;
      case Code::ceil: top.i = fitting_whole(at(), std::ceil(top.r)); break;
      case Code::round: top.i = fitting_whole(at(), std::nearbyint(top.r)); break;
      case Code::sqrt: top.r = std::sqrt(top.r); break;
      case Code::exp: top.r = std::exp(top.r); break;
      case Code::log: top.r = std::log(top.r); break;
      case Code::log2: top.r = std::log2(top.r); break;
      case Code::jump: step += step->value.i; break;
      case Code::jump_if_zero: {
        const bool zero = top.i == 0;
        top = stack[--n];
        if (zero) step += step->value.i;
        break;
      }
      case Code::counter: push(stack[step->b + 1]); break;
      case Code::repeat_begin:
        if (top.i > kMostRepeated)
          at().refuse(TENON_ERROR_INVALID_ARGUMENT, "there are %lld repetitions: at most %lld are allowed",
                      static_cast<long long>(top.i), static_cast<long long>(kMostRepeated));
        push_whole(0);
        push_whole(0);
        break;
      case Code::repeat_test:
        if (stack[step->b + 2].i >= stack[step->b + 1].i) step += step->value.i;
        break;
      case Code::repeat_step: {
        const Number before = stack[--n];
        spend(-step->value.i, step->place);
        top = gathered(at(), Gather(step->a & 3), step->a & 4, stack[step->b + 2].i++ == 0, before, top);
        step += step->value.i;
        break;
      }
      case Code::repeat_end:
        if (Gather(step->a) != Gather::sum && stack[step->b + 1].i <= 0)
          at().refuse(TENON_ERROR_INVALID_ARGUMENT, "min or max over no values is undefined");
        n = step->b + 1;
        break;
    }
  }
  return top;
}

}  // namespace tenon::plugin
