// plugin/contract/contract.cpp: the package's own table, and one operation's: everything but its steps and tests.
#include "plugin/contract/contract.hpp"
#include <algorithm>
#include "plugin/contract/dtype_set.hpp"
#include "plugin/contract/host_names.hpp"

namespace tenon::plugin {

const char* role_name(Role role) {
  static const char* const names[] = {"in", "out", "inout", "scalar", "temporary"};
  return names[size_t(role)];
}

bool valid_name(const std::string& name) {
  if (name.empty() || name.size() > 64 || name[0] < 'a' || name[0] > 'z') return false;
  return name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos;
}

const Declared* OperationContract::find(const std::string& wanted) const {
  for (const Declared& parameter : parameters)
    if (parameter.name == wanted) return &parameter;
  return nullptr;
}

const OperationContract* Contract::find(const std::string& wanted) const {
  for (const auto& operation : operations)
    if (operation->name == wanted) return operation.get();
  return nullptr;
}

namespace {

void read_types(const Source& source, const Value* types, OperationContract& operation) {
  if (!types) return;
  for (size_t i = 0; i < types->entries.size(); ++i) {
    const auto& [name, value] = types->entries[i];
    if (name[0] < 'A' || name[0] > 'Z' ||
        name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") != std::string::npos)
      fault(source, types->keys[i], "the placeholder `%s` must be a C identifier that begins with a capital letter",
            name.c_str());
    if (operation.placeholders.size() >= size_t(kMaxTypes))
      fault(source, types->keys[i], "the operation has more than %d placeholders", kMaxTypes);
    operation.placeholders.push_back(read_placeholder(source, name, value, operation.placeholders));
    operation.names.emplace(name, Name{Name::What::type, int32_t(operation.placeholders.size() - 1)});
  }
}

// `...` of an optional input must stand for extents that an input which is always given has, too.
void check_leading(const Source& source, const OperationContract& operation) {
  const auto leading = [](const Declared& parameter) {
    return std::any_of(parameter.shape.extents.begin(), parameter.shape.extents.end(),
                       [](const ExtentRule& extent) { return extent.kind == ExtentRule::Kind::leading; });
  };
  const auto says = [&](const Declared& parameter) {
    return parameter.read() && !parameter.optional && leading(parameter);
  };
  if (std::any_of(operation.parameters.begin(), operation.parameters.end(), says)) return;
  for (const Declared& parameter : operation.parameters)
    if (parameter.optional && leading(parameter))
      fault(source, parameter.place, "`...` is unknown if %s is not given: no other input has it",
            parameter.name.c_str());
}

void read_parameters(const Source& source, Table& table, OperationContract& operation) {
  table.need("parameters", "parameters = [\"in T x\", \"out T y\"]");
  const std::vector<const Value*> list = table.list("parameters", Value::Kind::text);
  if (list.size() > size_t(kMaxOperands))
    fault(source, list[0]->place, "the operation has %zu parameters: at most %d are allowed", list.size(),
          kMaxOperands);
  operation.parameters.reserve(list.size());
  const Declared* first_input = nullptr;
  for (const Value* value : list) {
    operation.parameters.push_back(read_declaration(source, *value, false, operation));
    Declared& parameter = operation.parameters.back();
    if (!parameter.choices.empty()) operation.names[parameter.name].choices = &parameter.choices;
    if (parameter.number >= 0) operation.names[parameter.name].computed = &parameter.computed;
    operation.outputs += parameter.role == Role::out;
    operation.inputs += parameter.role != Role::out;
    const bool says_shape = parameter.read() && !parameter.raw && !parameter.optional;
    if (says_shape && (!first_input || first_input->role == Role::scalar)) first_input = &parameter;
  }
  check_leading(source, operation);
  for (Declared& parameter : operation.parameters) {
    if (parameter.role != Role::out || parameter.shape.kind != ShapeRule::Kind::any) continue;
    if (!first_input)
      fault(source, parameter.place, "the shape of `%s` is unknown: there is no input array, so write %s[...]",
            parameter.name.c_str(), parameter.name.c_str());
    parameter.shape.kind = table.find("elementwise") ? ShapeRule::Kind::broadcast : ShapeRule::Kind::like;
    parameter.shape.like = first_input->operand;
  }
  bool writes = false;
  for (const Declared& parameter : operation.parameters) writes = writes || parameter.written();
  if (!writes)
    fault(source, operation.place, "the operation %s writes nothing: declare an out or inout parameter",
          operation.name.c_str());
}

// Only inputs can determine a placeholder.
void check_placeholders(const Source& source, const OperationContract& operation) {
  for (size_t i = 0; i < operation.placeholders.size(); ++i) {
    if (operation.placeholders[i].from >= 0) continue;
    bool decided = false;
    for (const Declared& parameter : operation.parameters)
      decided =
          decided || (parameter.type.placeholder == int32_t(i) && parameter.role != Role::out && !parameter.optional);
    if (!decided)
      fault(source, operation.place,
            "the type `%s` of %s is undetermined: no non-optional input, inout or scalar is declared with it",
            operation.placeholders[i].name.c_str(), operation.name.c_str());
  }
}

int32_t new_number(const Source& source, Place place, OperationContract& operation, const std::string& name,
                   bool real) {
  if (name.empty() || reserved_name(name))
    fault(source, place, "`%s` is a reserved word: choose another name", name.c_str());
  refuse_taken(source, place, name, taken_in_kernels(name));
  if (operation.numbers >= kMaxNumbers)
    fault(source, place, "the operation has more than %d named numbers", kMaxNumbers);
  if (!operation.names.emplace(name, Name{Name::What::number, operation.numbers, real, nullptr}).second)
    fault(source, place, "the name `%s` is used twice", name.c_str());
  return operation.numbers++;
}

// The type before the name of a list. Without one, the kind of its values decides.
bool read_item_type(Lexer& lexer, const OperationContract& operation, TypeRef& out) {
  Lexer ahead = lexer;
  ahead.take();
  if (ahead.peek().kind != Token::Kind::name) return false;
  const Place place = lexer.place();
  const std::string word = lexer.expect_name("a type");
  out.dtype = dtype_named(word);
  for (size_t i = 0; !out.dtype && i < operation.placeholders.size(); ++i)
    if (operation.placeholders[i].name == word) out.placeholder = int32_t(i);
  if (!out.dtype && out.placeholder < 0)
    fault(lexer.source(), place, "`%s` is not a type: write float32, int64 ..., or a placeholder of %s", word.c_str(),
          operation.name.c_str());
  const std::vector<Dtype> may =
      out.dtype ? std::vector<Dtype>{out.dtype} : operation.placeholders[size_t(out.placeholder)].dtypes;
  for (const Dtype dtype : may)
    if (dtype != TENON_FLOAT32 && dtype != TENON_FLOAT64 &&
        !(out.dtype && dtype_computes(dtype) && !dtype_floating(dtype) && !dtype_complex(dtype)))
      fault(lexer.source(), place, "a list must be of integers, float32 or float64, but `%s` may be %s", word.c_str(),
            dtype_name(dtype).c_str());
  return true;
}

// "float32 weights[k < 2 * radius + 1] = exp(-k)": the part after the name.
void read_computed_list(Lexer& lexer, Place place, OperationContract& operation, bool typed, Let& let) {
  lexer.expect("[", "");
  const Place counter_place = lexer.place();
  let.counter = lexer.expect_name("a counter's name");
  lexer.expect("<", "a computed list is written \"name[k < n] = value\"");
  let.count = parse_expression(lexer, operation.names, Expression::Kind::integer);
  lexer.expect("]", "a computed list is written \"name[k < n] = value\"");
  lexer.expect("=", "a computed list is written \"name[k < n] = value\"");
  let.number = new_number(lexer.source(), counter_place, operation, let.counter, false);
  if (typed) {
    const bool real = !let.type.dtype || dtype_floating(let.type.dtype);
    let.value = parse_expression(lexer, operation.names, real ? Expression::Kind::real : Expression::Kind::integer);
  } else {
    let.value = parse_expression(lexer, operation.names);
    let.type.dtype = let.value.kind() == Expression::Kind::real ? TENON_FLOAT64 : TENON_INT64;
  }
  operation.names.erase(let.counter);
  refuse_taken(lexer.source(), place, let.name, taken_in_kernels(let.name));
  if (let.name.empty() || reserved_name(let.name))
    fault(lexer.source(), place, "`%s` is a reserved word: choose another name", let.name.c_str());
  if (operation.lists >= kMaxLists) fault(lexer.source(), place, "the operation has more than %d lists", kMaxLists);
  let.list = operation.lists++;
  const Name what{Name::What::list, let.list, let.value.kind() == Expression::Kind::real};
  if (!operation.names.emplace(let.name, what).second)
    fault(lexer.source(), place, "the name `%s` is used twice", let.name.c_str());
}

// "radius = int(4 * sigma + 0.5)"
void read_lets(const Source& source, Table& table, OperationContract& operation) {
  for (const Value* value : table.list("let", Value::Kind::text)) {
    Lexer lexer(source, *value);
    Let let;
    const bool typed = read_item_type(lexer, operation, let.type);
    const Place place = lexer.place();
    let.name = lexer.expect_name("a name");
    if (lexer.is("[")) {
      read_computed_list(lexer, place, operation, typed, let);
    } else {
      if (typed)
        lexer.fault("a type can be written only in front of a list, as in \"float32 %s[k < n] = value\"",
                    let.name.c_str());
      lexer.expect("=", "a named value is written \"name = expression\"");
      let.value = parse_expression(lexer, operation.names);
    }
    if (!lexer.at_end()) lexer.fault("found %s where the expression should end", lexer.found().c_str());
    if (let.list < 0)
      let.number = new_number(source, place, operation, let.name, let.value.kind() == Expression::Kind::real);
    operation.lets.push_back(std::move(let));
  }
}

void read_requirements(const Source& source, Table& table, OperationContract& operation) {
  const Value* list = table.find("require");
  if (!list) return;
  const auto one = [&](const Value& value) {
    Requirement out;
    if (value.kind == Value::Kind::table) {
      Table rule(source, value, "a requirement of " + operation.name);
      out.that =
          parse_whole(source, rule.need("that", "that = \"x.rank == 2\""), operation.names, Expression::Kind::integer);
      if (const Value* message = rule.find("message")) {
        if (message->kind != Value::Kind::text)
          fault(source, message->place, "`message` is %s: it must be a string", kind_name(message->kind));
        out.message = read_pattern(source, *message, operation, operation.names, false);
      }
      rule.finish();
    } else {
      out.that = parse_whole(source, value, operation.names, Expression::Kind::integer);
    }
    operation.requirements.push_back(std::move(out));
  };
  if (list->kind != Value::Kind::list) return one(*list);
  for (const Value& value : list->items) one(value);
}

// Outputs get their shapes after everything that does not depend on those shapes has been computed and checked: shapes
// are expressions that may rely on it.
void find_late(OperationContract& operation) {
  Expression::Reads late;  // the outputs, and the values that depend on their shapes
  for (const Declared& parameter : operation.parameters)
    if (parameter.role == Role::out) late.operands.insert(parameter.operand);
  for (Let& let : operation.lets) {
    let.late = let.value.reads().meets(late) || let.count.reads().meets(late);
    if (let.late && let.list >= 0) late.lists.insert(let.list);
    else if (let.late) late.numbers.insert(let.number);
  }
  for (Requirement& requirement : operation.requirements) {
    requirement.late = requirement.that.reads().meets(late);
    for (const Pattern::Piece& piece : requirement.message.pieces)
      requirement.late = requirement.late || piece.value.reads().meets(late);
  }
}

void read_tunables(const Source& source, Table& table, OperationContract& operation) {
  const Value* tunables = table.table("tunables");
  if (!tunables) return;
  for (size_t i = 0; i < tunables->entries.size(); ++i) {
    const auto& [name, value] = tunables->entries[i];
    Tunable out;
    out.name = name;
    const std::string what = "the tunable " + name;
    const Value* values = &value;
    if (value.kind == Value::Kind::table) {
      Table rule(source, value, what);
      values = &rule.need("values", "values = [128, 256]");
      rule.find("default");
      rule.finish();
    }
    if (values->kind != Value::Kind::list || values->items.empty())
      fault(source, values->place, "%s is %s: it must be a list of integers, the default first", what.c_str(),
            kind_name(values->kind));
    for (const Value& item : values->items) {
      if (item.kind != Value::Kind::integer)
        fault(source, item.place, "%s lists %s: its values must be integers", what.c_str(), kind_name(item.kind));
      out.values.push_back(item.integer);
    }
    out.fallback = out.values[0];
    if (values != &value) {
      Table rule(source, value, what);
      out.fallback = rule.integer("default", out.fallback, INT64_MIN, INT64_MAX);
      if (std::find(out.values.begin(), out.values.end(), out.fallback) == out.values.end())
        fault(source, rule.find("default")->place, "the default of %s, %lld, is not one of its values", what.c_str(),
              static_cast<long long>(out.fallback));
    }
    if (name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") != std::string::npos)
      fault(source, tunables->keys[i], "`%s` is not a name: use lower-case letters, digits and _", name.c_str());
    out.number = new_number(source, tunables->keys[i], operation, name, false);
    operation.tunables.push_back(std::move(out));
  }
}

// The scalars that, in addition to shapes, determine which values are best: by default all that are integers or words.
void read_tuned_for(const Source& source, Table& table, OperationContract& operation) {
  const auto scalar = [&](const Declared& parameter) {
    return parameter.role == Role::scalar && (parameter.number >= 0 || parameter.list >= 0);
  };
  const Value* listed = table.find("tuned_for");
  if (listed && operation.tunables.empty())
    fault(source, listed->place, "`tuned_for` says what the tunables of %s depend on, but it has no tunables",
          operation.name.c_str());
  for (const Value* value : table.list("tuned_for", Value::Kind::text)) {
    const Declared* found = operation.find(value->text);
    if (!found || !scalar(*found))
      fault(source, value->place, "`tuned_for` lists scalars that are real numbers or integers, but `%s` is not one",
            value->text.c_str());
    operation.tuned_for.push_back(int32_t(found - operation.parameters.data()));
  }
  if (listed || operation.tunables.empty()) return;
  for (size_t i = 0; i < operation.parameters.size(); ++i) {
    const Declared& parameter = operation.parameters[i];
    if (scalar(parameter) && parameter.type.dtype && !dtype_floating(parameter.type.dtype))
      operation.tuned_for.push_back(int32_t(i));
  }
}

void read_devices(const Source& source, Table& table, OperationContract& operation) {
  if (table.find("devices")) operation.devices = 0;
  for (const Value* value : table.list("devices", Value::Kind::text)) {
    const uint32_t bit = value->text == "cpu" ? kOnCpu : value->text == "cuda" ? kOnCuda : 0;
    if (!bit)
      fault(source, value->place, "\"%s\" is not a kind of device: use \"cpu\" or \"cuda\"", value->text.c_str());
    operation.devices |= bit;
  }
  if (!operation.devices)
    fault(source, table.find("devices")->place, "`devices` is empty, so %s could never run", operation.name.c_str());
  if (const Value* compute = table.find("compute")) {
    const std::string text = table.text("compute");
    const size_t dot = text.find('.');
    const bool good = dot != std::string::npos && dot >= 1 && dot <= 2 && text.size() == dot + 2 &&
                      text.find_first_not_of("0123456789.") == std::string::npos && text.rfind('.') == dot;
    if (!good)
      fault(source, compute->place, "`compute` is \"%s\": it must be the lowest compute capability, as in \"8.0\"",
            text.c_str());
    operation.compute = 10 * std::stoi(text.substr(0, dot)) + (text[dot + 1] - '0');
  }
}

std::unique_ptr<OperationContract> read_operation(const Source& source, const std::string& name, Place place,
                                                  const Value& value) {
  auto out = std::make_unique<OperationContract>();
  OperationContract& operation = *out;
  operation.name = name;
  operation.place = place;
  if (!valid_name(name))
    fault(source, place,
          "`%s` is not a name for an operation: use lower-case letters, digits and _, a letter first, at most 64",
          name.c_str());
  refuse_taken(source, place, name, taken_for_operations(name));
  Table table(source, value, "the operation " + name);
  operation.doc = table.text("doc");
  read_types(source, table.table("types"), operation);
  read_parameters(source, table, operation);
  check_placeholders(source, operation);
  read_tunables(source, table, operation);
  read_tuned_for(source, table, operation);
  read_lets(source, table, operation);
  read_requirements(source, table, operation);
  find_late(operation);
  for (const Value* text : table.list("temporaries", Value::Kind::text))
    operation.temporaries.push_back(read_declaration(source, *text, true, operation));
  read_devices(source, table, operation);
  operation.deterministic = table.boolean("deterministic", true);
  read_steps(source, table, value, operation);
  bool elementwise = true;
  for (const StepContract& step : operation.steps)
    elementwise = elementwise && step.kind == StepContract::Kind::elementwise;
  operation.in_place = table.boolean("in_place", elementwise && operation.steps.size() == 1);
  operation.gradient = table.text("gradient");
  if (!operation.gradient.empty()) operation.gradient_place = table.find("gradient")->place;
  read_tests(source, table, operation);
  table.finish();
  return out;
}

void read_hashes(const Source& source, Table& table, Contract& contract) {
  const Value* files = table.table("files");
  if (!files) return;
  for (size_t i = 0; i < files->entries.size(); ++i) {
    const auto& [path, value] = files->entries[i];
    const std::string text = value.kind == Value::Kind::text ? value.text : "";
    if (!text.starts_with("sha256:") || text.size() != 71 ||
        text.find_first_not_of("0123456789abcdef", 7) != std::string::npos)
      fault(source, value.place, "the hash of %s must be \"sha256:\" and 64 lower-case hexadecimal digits",
            path.c_str());
    contract.hashes.emplace_back(path, text.substr(7));
    contract.hash_places.push_back(files->keys[i]);
  }
}

// The required version of Tenon is checked before everything else: the rest may be in a newer format.
void check_requires(const Source& source, Table& table, Contract& contract) {
  const int64_t format = table.integer("format", 1, 1, INT64_MAX);
  if (format > 1) {
    const Place place = table.find("format")->place;
    fail(TENON_ERROR_VERSION,
         "%s:%u:%u: the contract has format %lld, but this library reads format 1: a newer Tenon is needed",
         source.name.c_str(), place.line, place.column, static_cast<long long>(format));
  }
  const Value* needs = table.find("requires");
  if (!needs) return;
  const std::string text = table.text("requires");
  unsigned major = 0, minor = 0;
  char more = 0;
  if (std::sscanf(text.c_str(), "%4u.%4u%c", &major, &minor, &more) != 2)
    fault(source, needs->place, "`requires` is \"%s\": it must be the lowest level of Tenon's ABI, as in \"1.0\"",
          text.c_str());
  contract.tenon_level = TENON_PACK_VERSION(major, minor, 0);
  if (major != TENON_VERSION_MAJOR || minor > 0xff || contract.tenon_level > TENON_ABI_LEVEL)
    fail(TENON_ERROR_VERSION, "%s:%u:%u: the package needs level %u.%u of Tenon, but this library has %d.%d",
         source.name.c_str(), needs->place.line, needs->place.column, major, minor, TENON_VERSION_MAJOR,
         TENON_VERSION_MINOR);
}

}  // namespace

Contract read_contract(std::string file_name, std::string text) {
  Contract contract;
  contract.source = std::make_shared<const Source>(Source{std::move(file_name), std::move(text)});
  const Source& source = *contract.source;
  const Value root = parse_document(source);
  Table table(source, root, "the package");
  check_requires(source, table, contract);
  const Value& name = table.need("name", "name = \"mine\"");
  contract.name = table.text("name");
  if (!valid_name(contract.name))
    fault(source, name.place,
          "\"%s\" is not a name for a package: use lower-case letters, digits and _, a letter first, at most 64",
          contract.name.c_str());
  refuse_taken(source, name.place, contract.name, taken_in_hosts(contract.name));
  const std::string version = table.text("version", "0.1.0");
  const std::optional<Version> parsed = parse_version(version);
  if (!parsed)
    fault(source, table.find("version")->place,
          "\"%s\" is not a version: write three numbers, as in \"1.2.3\" or \"1.2.3-beta.1\"", version.c_str());
  contract.version = *parsed;
  contract.doc = table.text("doc");
  contract.license = table.text("license");
  contract.url = table.text("url");
  for (const Value* author : table.list("authors", Value::Kind::text)) contract.authors.push_back(author->text);
  read_hashes(source, table, contract);
  const Value* operations = table.table("op");
  if (!operations || operations->entries.empty())
    fault(source, operations ? operations->place : root.place, "the package has no operation: write a table [op.NAME]");
  for (size_t i = 0; i < operations->entries.size(); ++i)
    contract.operations.push_back(
        read_operation(source, operations->entries[i].first, operations->keys[i], operations->entries[i].second));
  table.finish();
  check_gradients(contract);
  return contract;
}

}  // namespace tenon::plugin
