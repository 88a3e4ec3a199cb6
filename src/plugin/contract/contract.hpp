// plugin/contract/contract.hpp: the contents of a plugin.toml, checked. Plain data, independent of devices and compiled
// code.
#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>
#include "plugin/expression/expression.hpp"
#include "plugin/contract/version.hpp"

namespace tenon::plugin {

enum class Role : uint8_t { in, out, inout, scalar, temporary };
const char* role_name(Role role);

// A dtype, or a placeholder that the call determines.
struct TypeRef {
  Dtype dtype = 0;  // 0: a placeholder
  int32_t placeholder = -1;
  Dtype in(const Frame& frame) const { return dtype ? dtype : frame.types[placeholder]; }
};

struct Placeholder {
  std::string name;
  std::vector<Dtype> dtypes;  // the dtypes that it may be
  int32_t from = -1;          // determined by another placeholder, through `map`
  std::vector<std::pair<Dtype, Dtype>> map;
};

// One entry of a shape.
struct ExtentRule {
  enum class Kind : uint8_t {
    any,      // `*`: not checked
    bind,     // a new name, which gets the extent's value
    value,    // an expression: must equal the extent; for an output it is the extent
    leading,  // `...`
    part,     // `x.shape[first:last]`: several entries; empty expressions mean the start and the end
  } kind = Kind::value;
  int32_t number = -1;   // bind: slot
  int32_t operand = -1;  // part
  Expression value, first, last;
  std::string text;
};

struct ShapeRule {
  // broadcast: the shape to which the inputs that are not raw broadcast.
  enum class Kind : uint8_t { any, like, broadcast, list } kind = Kind::any;
  int32_t like = -1;  // operand
  std::vector<ExtentRule> extents;
};

struct Declared {
  Role role = Role::in;
  bool raw = false;       // expressions: indexed in their text, as in tenon/generated.h
  bool strided = false;   // any strides are passed to the kernel
  bool packed = false;    // an input that is not C-contiguous is copied first
  bool saved = false;     // an output that gradients need; it has no gradient itself
  bool optional = false;  // an input array that a call may leave out
  TypeRef type;
  std::string name, doc;
  ShapeRule shape;
  int32_t operand = -1;  // of an array
  int32_t number = -1;   // slot of a scalar that is a single number; -1: a complex one
  int32_t list = -1;     // of a scalar that is a list
  std::vector<std::string> choices;
  Expression fallback;  // default of a scalar
  bool has_fallback = false;
  bool computed = false;  // a scalar that expressions use, and that is not only an argument
  Place place;
  bool array() const { return role != Role::scalar; }
  bool read() const { return role == Role::in || role == Role::inout; }
  bool written() const { return role == Role::out || role == Role::inout; }
};

// "name = value", or a list, "float32 name[k < count] = value".
struct Let {
  std::string name;
  Expression value;
  int32_t number;  // slot of the value; for a list, of its counter
  int32_t list = -1;
  std::string counter;  // of a list
  TypeRef type;
  Expression count;
  bool late = false;  // depends on the shape of an output: evaluated when the outputs' shapes are known
};

// Text with embedded values: "tile_{tile}", and in a kernel's name also placeholders, "scale<T, {tile}>".
struct Pattern {
  struct Piece {
    std::string text;
    int32_t placeholder = -1;
    Expression value;  // empty: none
  };
  std::vector<Piece> pieces;
  std::string source;  // its text in the contract
  Place place;
};

struct Requirement {
  Expression that;
  Pattern message;    // no pieces: the text of the condition
  bool late = false;  // as in Let
};

struct Argument {
  enum class Kind : uint8_t { value, list, shape, strides } kind = Kind::value;
  Expression value;        // an array or a number
  int32_t index = -1;      // list; operand whose shape or strides are passed
  Expression first, last;  // of a list: the entries first to last - 1; empty: all
  int32_t scalar = -1;     // the parameter, if it is passed unchanged: the argument is exactly a scalar's name
  std::string text;
  Place place;
};

struct ReductionRule {
  std::string map, reduce, post, identity, accumulator;
  bool has_identity = false, all_axes = true;
  std::vector<Expression> axes;
};
struct ScanRule {
  std::string map, combine, identity, accumulator;
  bool exclusive = false;
  Expression axis;
};

struct StepContract {
  enum class Kind : uint8_t { kernel, elementwise, reduction, scan, host } kind = Kind::kernel;
  Place place;
  Expression when;   // empty: always
  std::string each;  // "axis": the step is repeated with that name set to 0, 1 ...
  int32_t each_number = -1;
  Expression times;  // empty: once
  // A kernel.
  std::string file;
  Pattern kernel;
  std::vector<Argument> arguments;
  bool count_argument = false;  // default arguments and threads: the last argument is the number of threads
  std::vector<Expression> threads, grid, block, cluster;
  Expression shared;
  bool cooperative = false;
  std::vector<std::pair<std::string, Pattern>> defines;
  std::vector<Pattern> options;
  // For an expression, or the name of a host function, which reads and writes the same way.
  std::string text, preamble;
  ReductionRule reduction;
  ScanRule scan;
  std::vector<std::string> reads, writes;
  std::vector<Name> read_names;          // what they stand for
  std::vector<int32_t> read_parameters;  // index of the parameter, or of -1 - temporary; kNumber for a let
  std::vector<int32_t> write_parameters;
  bool fast_math = false;
};
constexpr int32_t kNumberRead = 1 << 20;  // in read_parameters: a number that is not a parameter

struct Tunable {
  std::string name;
  std::vector<int64_t> values;
  int64_t fallback;
  int32_t number;
};

struct TestCase {
  std::string name;
  Place place;
  std::vector<std::pair<std::string, Value>> given, expect;
  std::vector<std::pair<std::string, Dtype>> types;
  double relative = -1, absolute = -1;  // -1: by the dtype
  bool gradient = true;
};

constexpr uint32_t kOnCpu = 1, kOnCuda = 2;

// Whether an output of that dtype has a gradient.
inline bool differentiable(const Declared& parameter, Dtype dtype) {
  return parameter.written() && !parameter.saved && dtype_floating(dtype);
}

struct OperationContract {
  std::string name, doc;
  Place place;
  std::vector<Placeholder> placeholders;
  std::vector<Declared> parameters, temporaries;
  std::vector<Let> lets;
  std::vector<Requirement> requirements;
  std::vector<Tunable> tunables;
  std::vector<int32_t> tuned_for;  // the scalars for which, in addition to shapes, tuned values are recorded
  std::vector<StepContract> steps;
  std::vector<TestCase> tests, benches;
  uint32_t devices = kOnCpu | kOnCuda;
  int32_t compute = 0;  // minimum compute capability, 10 * major + minor
  bool deterministic = true, in_place = false;
  std::string gradient;  // "name" of this package, or "package/name"
  Place gradient_place;
  int32_t inputs = 0, outputs = 0, operands = 0, numbers = 0, lists = 0;
  Names names;  // all names that an expression of a step may use
  const Declared* find(const std::string& name) const;
};

struct Contract {
  std::shared_ptr<const Source> source;
  std::string name, doc, license, url;
  std::vector<std::string> authors;
  Version version;
  uint32_t tenon_level = 0;  // minimum ABI level
  std::vector<std::pair<std::string, std::string>>
      hashes;  // path, SHA-256: every file of the package, if any are listed
  std::vector<Place> hash_places;
  std::vector<std::unique_ptr<OperationContract>> operations;
  const OperationContract* find(const std::string& name) const;
};

// Parses the contract and checks everything that needs no other file. Throws INVALID_ARGUMENT with file, line and
// column, and VERSION for a package that requires a newer Tenon.
Contract read_contract(std::string file_name, std::string text);
// "[a-z][a-z0-9_]*", at most 64 characters.
bool valid_name(const std::string& name);

// Fails if the name is taken (see host_names.hpp); "" never is.
void refuse_taken(const Source& source, Place place, const std::string& name, const std::string& taken);
// One entry of `parameters` or `temporaries`. Adds its names.
Declared read_declaration(const Source& source, const Value& value, bool temporary, OperationContract& operation);
Pattern read_pattern(const Source& source, const Value& value, const OperationContract& operation, const Names& names,
                     bool bare_types);
void read_steps(const Source& source, Table& table, const Value& value, OperationContract& operation);
void read_tests(const Source& source, Table& table, OperationContract& operation);  // and measurements
// A case that is not part of the contract: parameters by name, with values as in contracts; or only its types,
// "T=float32".
TestCase read_types_given(const OperationContract& operation, const std::string& types);
TestCase read_given(const OperationContract& operation, const std::vector<std::pair<std::string, std::string>>& given,
                    const std::string& types);
// The gradient's parameters must be those of the operation, its outputs, and grad_NAME for any of them.
void check_gradient(const Source& source, const OperationContract& operation, const OperationContract& gradient);
void check_gradients(const Contract& contract);  // for all its operations whose gradient is in the package

}  // namespace tenon::plugin
