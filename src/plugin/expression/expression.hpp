// plugin/expression/expression.hpp: the small expressions of contracts (shapes, geometry, preconditions): compiled when
// the package is loaded, evaluated at every call without allocating. kernels/README.md has the grammar.
//
// Values are integers (64 bits; a comparison gives 0 or 1), reals (double), and, as arguments, arrays. Integer overflow
// is an error, and so is an undefined value (a division by 0, an index out of range).
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>
#include "core/array/array.hpp"
#include "plugin/expression/lexer.hpp"

namespace tenon::plugin {

constexpr int32_t kMaxOperands = 48;  // parameters and temporaries that are arrays
constexpr int32_t kMaxNumbers = 160;
constexpr int32_t kMaxLists = 32;
constexpr int32_t kMaxTypes = 8;
constexpr int64_t kMostEvaluated = 100'000'000;  // evaluation steps per call: some tenths of a second

union Number {
  int64_t i;
  double r;
};

// Members without an initializer are left unset: a call fills in the operands that it has.
struct Operand {
  const int64_t* shape;
  const int64_t* strides;  // NULL: C order
  int32_t rank;            // -1: an optional array that was not given
  Dtype dtype;
  int64_t size;
  bool given() const { return rank >= 0; }
};
constexpr Operand kNotGiven{nullptr, nullptr, -1, 0, 0};

// The elements of a scalar parameter that is a list.
struct List {
  const void* data;
  int64_t size;
  Dtype dtype;
};

// An existing entry of a list: a real if the list is of reals.
Number list_item(const List& list, int64_t index);

// The values of an operation's names during one call.
struct Frame {
  Operand operands[kMaxOperands];
  Number numbers[kMaxNumbers];
  List lists[kMaxLists];
  Dtype types[kMaxTypes];
  const tenon_device_info* device;
  const int64_t* leading = nullptr;             // the extents that `...` stands for in shapes
  int32_t leading_rank = -1;                    // -1: not known yet
  mutable int64_t steps_left = kMostEvaluated;  // for all evaluations of the call together
};

// The meaning of a name when the contract is read.
struct Name {
  enum class What { number, array, list, type, opaque, later } what = What::number;  // later: an output, not shaped yet
  int32_t index = 0;                                  // number slot, operand, list, placeholder
  bool real = false;                                  // number, items of a list
  const std::vector<std::string>* choices = nullptr;  // number: the words that its values stand for
  bool* computed = nullptr;                           // set to true when an expression uses it
};
using Names = std::map<std::string, Name, std::less<>>;

class Expression {
 public:
  enum class Kind : uint8_t { integer, real, array };

  Expression() = default;
  static Expression constant(int64_t value);

  bool empty() const { return code_.empty(); }
  Kind kind() const { return kind_; }
  bool is_constant() const { return code_.size() == 1 && code_[0].op <= 1; }
  bool is_literal() const;  // a constant, perhaps with a sign
  int64_t integer(const Frame& frame) const {
    return code_.size() == 1 && code_[0].op == 0 ? code_[0].value.i : run(frame).i;
  }
  double real(const Frame& frame) const { return run(frame).r; }
  bool truth(const Frame& frame) const { return integer(frame) != 0; }
  int32_t operand(const Frame& frame) const { return int32_t(run(frame).i); }
  Number run(const Frame& frame) const;
  // Whether it consists of constants, types, the device and these numbers only.
  bool depends_only_on(const std::vector<int32_t>& numbers) const;
  // The parts of a call that it reads: slots of numbers, lists and operands.
  struct Reads {
    std::set<int32_t> numbers, lists, operands;
    bool meets(const Reads& other) const;
  };
  Reads reads() const;
  // Its text in the contract, and its place there.
  const std::string& text() const { return text_; }
  Place place() const { return place_; }

 private:
  friend class ExpressionParser;
  struct Instruction {
    uint8_t op, a;
    uint16_t b;
    Place place;
    uint8_t from;  // From
    uint16_t at;
    Number value;
  };
  static Number run(const Source* source, const Instruction* begin, const Instruction* end, const Frame& frame);
  const Source* source_ = nullptr;
  std::vector<Instruction> code_;
  Kind kind_ = Kind::integer;
  std::string text_;
  Place place_;
};

// Reads one expression from the lexer and stops after it. If `wanted` is real, an integer is converted; any other
// mismatch is a fault. arrays: names of arrays may be used as values.
Expression parse_expression(Lexer& lexer, const Names& names, Expression::Kind wanted);
Expression parse_expression(Lexer& lexer, const Names& names, bool arrays = false);  // of any kind
// Reads the whole of a text value (an integer or real value stands for itself).
Expression parse_whole(const Source& source, const Value& value, const Names& names, Expression::Kind wanted);
Expression parse_whole(const Source& source, const Value& value, const Names& names, bool arrays = false);

// The reason why an input or a scalar cannot refer to an output.
std::string shaped_later(const std::string& name);
bool reserved_name(const std::string& name);  // a function, `device`, or a word of the grammar

}  // namespace tenon::plugin
