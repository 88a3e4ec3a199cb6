// plugin/contract/contract.hpp: what a plugin.toml says, checked. Plain data; nothing here knows of devices or compiled
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

// A dtype, or a placeholder that the call decides.
struct TypeRef {
  Dtype dtype = 0;  // 0: a placeholder
  int32_t placeholder = -1;
  Dtype in(const Frame& frame) const { return dtype ? dtype : frame.types[placeholder]; }
};

struct Placeholder {
  std::string name;
  std::vector<Dtype> dtypes;  // what it may be
  int32_t from = -1;          // decided by another placeholder, through `map`
  std::vector<std::pair<Dtype, Dtype>> map;
};

// One entry of a shape.
struct Extent {
  enum class Kind : uint8_t {
    any,      // `*`: not looked at
    bind,     // a new name: the extent gets that name
    value,    // an expression: has to be equal, or, of an output, is the extent
    leading,  // `...`
    part,     // `x.shape[first:last]`: several entries; empty expressions: from the start, to the end
  } kind = Kind::value;
  int32_t number = -1;   // bind: slot
  int32_t operand = -1;  // part
  Expression value, first, last;
  std::string text;
};

struct Shape {
  // broadcast: what the inputs that are not raw broadcast to.
  enum class Kind : uint8_t { any, like, broadcast, list } kind = Kind::any;
  int32_t like = -1;  // operand
  std::vector<Extent> extents;
};

struct Declared {
  Role role = Role::in;
  bool raw = false;       // expressions: indexed in the text, as in tenon/generated.h
  bool strided = false;   // any strides are handed to the kernel
  bool packed = false;    // an input that is not C-contiguous is copied first
  bool saved = false;     // an output that gradients need: it has no gradient itself
  bool optional = false;  // an input array that a call may leave out
  TypeRef type;
  std::string name, doc;
  Shape shape;
  int32_t operand = -1;  // of an array
  int32_t number = -1;   // slot of a scalar that is one number; -1: a complex one
  int32_t list = -1;     // of a scalar that is a list
  std::vector<std::string> choices;
  Expression fallback;  // default of a scalar
  bool has_fallback = false;
  bool computed = false;  // a scalar that expressions compute with, and not only an argument
  Place place;
  bool array() const { return role != Role::scalar; }
  bool read() const { return role == Role::in || role == Role::inout; }
  bool written() const { return role == Role::out || role == Role::inout; }
};

// "name = value", or a list, "float32 name[k < count] = value".
struct Let {
  std::string name;
  Expression value;
  int32_t number;  // of the value; of a list, of its counter
  int32_t list = -1;
  std::string counter;  // of a list
  TypeRef type;
  Expression count;
  bool late = false;  // it needs the shape of an output: evaluated when those are known
};

// Text with values in it: "tile_{tile}", and in a kernel's name the placeholders, "scale<T, {tile}>".
struct Pattern {
  struct Piece {
    std::string text;
    int32_t placeholder = -1;
    Expression value;  // empty: none
  };
  std::vector<Piece> pieces;
  std::string source;  // as it stands in the contract
  Place place;
};

struct Requirement {
  Expression that;
  Pattern message;    // no pieces: the condition itself
  bool late = false;  // as of a Let
};

struct Argument {
  enum class Kind : uint8_t { value, list, shape, strides } kind = Kind::value;
  Expression value;        // an array or a number
  int32_t index = -1;      // list; operand whose shape or strides are passed
  Expression first, last;  // of a list: the entries first to last - 1; empty: all
  int32_t scalar = -1;     // parameter that is passed as it is: exactly a scalar's name
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
  std::string each;  // "axis": the step is repeated with that name for 0, 1 ...
  int32_t each_number = -1;
  Expression times;  // empty: once
  // A kernel.
  std::string file;
  Pattern kernel;
  std::vector<Argument> arguments;
  bool count_argument = false;  // the default arguments and threads: the last one is the number of threads
  std::vector<Expression> threads, grid, block, cluster;
  Expression shared;
  bool cooperative = false;
  std::vector<std::pair<std::string, Pattern>> defines;
  std::vector<Pattern> options;
  // An expression, or the name of a host function, which reads and writes as one.
  std::string text, preamble;
  ReductionRule reduction;
  ScanRule scan;
  std::vector<std::string> reads, writes;
  std::vector<Name> read_names;          // what they are
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
  std::vector<int32_t> tuned_for;  // parameters: the scalars that a record of tuning is for, beside the shapes
  std::vector<StepContract> steps;
  std::vector<TestCase> tests, benches;
  uint32_t devices = kOnCpu | kOnCuda;
  int32_t compute = 0;  // least compute capability, 10 * major + minor
  bool deterministic = true, in_place = false;
  std::string gradient;  // "name" of this package, or "package/name"
  Place gradient_place;
  int32_t inputs = 0, outputs = 0, operands = 0, numbers = 0, lists = 0;
  Names names;  // everything an expression of a step may say
  const Declared* find(const std::string& name) const;
};

struct Contract {
  std::shared_ptr<const Source> source;
  std::string name, doc, license, url;
  std::vector<std::string> authors;
  Version version;
  uint32_t tenon_level = 0;  // least ABI level
  std::vector<std::pair<std::string, std::string>>
      hashes;  // path, SHA-256: every file of the package, if any is listed
  std::vector<Place> hash_places;
  std::vector<std::unique_ptr<OperationContract>> operations;
  const OperationContract* find(const std::string& name) const;
};

// Parses and checks all that needs no other file. Throws INVALID_ARGUMENT with file, line and column, VERSION for a
// package that asks for a newer Tenon.
Contract read_contract(std::string file_name, std::string text);
// "[a-z][a-z0-9_]*", at most 64 characters.
bool valid_name(const std::string& name);

// A fault for a name that is taken, as host_names.hpp says; none for "".
void refuse_taken(const Source& source, Place place, const std::string& name, const std::string& taken);
// One entry of `parameters` or `temporaries`. Adds its names.
Declared read_declaration(const Source& source, const Value& value, bool temporary, OperationContract& operation);
Pattern read_pattern(const Source& source, const Value& value, const OperationContract& operation, const Names& names,
                     bool bare_types);
void read_steps(const Source& source, Table& table, const Value& value, OperationContract& operation);
void read_tests(const Source& source, Table& table, OperationContract& operation);  // and what is measured
// A case that is no part of the contract: parameters by name, values as in contracts, "T=float32". And of its types
// alone.
TestCase read_types_given(const OperationContract& operation, const std::string& types);
TestCase read_given(const OperationContract& operation, const std::vector<std::pair<std::string, std::string>>& given,
                    const std::string& types);
// The gradient's parameters have to be those of the operation, its outputs, and grad_NAME of either.
void check_gradient(const Source& source, const OperationContract& operation, const OperationContract& gradient);
void check_gradients(const Contract& contract);  // of all its operations whose gradient is in the package

}  // namespace tenon::plugin
