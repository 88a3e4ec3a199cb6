// plugin/expression/code.hpp: the steps an expression is compiled to, for a machine with a small stack.
#pragma once
#include <cstdint>

namespace tenon::plugin {

// Instructions that push come first; a constant is one of the first two.
enum class Code : uint8_t {
  integer,
  real,     // value
  number,   // numbers[b]
  operand,  // b itself: an array as a value
  fact,     // fact a of operands[b]
  item_of,  // shape (a = shape) or stride of operands[b]; pops the index
  list_size,
  list_item,    // lists[b]; list_item pops the index; a: 1 if the items are real
  type_fact,    // fact a of types[b]
  device_fact,  // fact a of the device
  product,      // of shape entries of operands[b]; pops first and last
  to_real,      // converts the entry a below the top
  negate,
  negate_real,
  not_,
  add,
  subtract,
  multiply,
  divide,
  remainder,
  add_real,
  subtract_real,
  multiply_real,
  divide_real,
  less,
  less_equal,
  equal,
  not_equal,  // also used for "greater": the parser exchanges the operands
  greater,
  greater_equal,
  less_real,
  less_equal_real,
  equal_real,
  not_equal_real,
  greater_real,
  greater_equal_real,
  minimum,
  maximum,
  minimum_real,
  maximum_real,
  absolute,
  absolute_real,
  ceil_div,
  round_up,
  power_of_two,
  truncate,
  floor,
  ceil,
  round,  // real to integer
  sqrt,
  exp,
  log,
  log2,
  truth,  // converts to 0 or 1
  jump,
  jump_if_zero,  // value: the number of steps to jump
  // sum(k < n, ...), min, max. The stack has n, k and the result so far at b (0 is the bottom) and above.
  counter,       // k, at b
  repeat_begin,  // pushes k and the result
  repeat_test,   // value: the number of steps to jump at the end
  repeat_step,   // a: Gather, plus 4 for reals; pops a value; value: the number of steps to jump back
  repeat_end,    // a: Gather; leaves the result in place of n
};

// Where the second of two operands is, or an index: on the stack, or else the value that the step before would push.
enum class From : uint8_t { stack, constant, number, counter };  // number, counter: at
constexpr bool has_second(Code code) {
  return (code >= Code::add && code <= Code::maximum_real) || code == Code::ceil_div || code == Code::round_up ||
         code == Code::product || code == Code::list_item || code == Code::item_of;
}

enum class Gather : uint8_t { sum, smallest, largest };

enum class Fact : uint8_t { size, rank, itemsize, bytes, shape, stride, contiguous, given };
enum class TypeFact : uint8_t { itemsize, floating, complex, code };
enum class DeviceFact : uint8_t { kind, multiprocessors, warp, max_threads, shared, shared_max, compute };

constexpr int32_t kStack = 64;
constexpr int64_t kMostRepeated = 65536;  // for one sum, min or max, and for the entries of a computed list

}  // namespace tenon::plugin
