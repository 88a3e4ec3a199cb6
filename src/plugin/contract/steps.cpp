// plugin/contract/steps.cpp: the steps of an operation: one kernel or expression, or several in order.
#include <algorithm>
#include "plugin/contract/contract.hpp"

namespace tenon::plugin {
namespace {

using Kind = Expression::Kind;

class StepReader {
 public:
  StepReader(const Source& source, Table& table, OperationContract& operation, std::string what)
      : source_(source), table_(table), operation_(operation), what_(std::move(what)), names_(operation.names) {}

  StepContract read(Place place) {
    out_.place = place;
    repeat();
    const Value* kernel = table_.find("kernel");
    const Value* elementwise = table_.find("elementwise");
    const Value* reduction = table_.table("reduction");
    const Value* scan = table_.table("scan");
    const Value* host = table_.find("host");
    if (int(kernel != nullptr) + (elementwise != nullptr) + (reduction != nullptr) + (scan != nullptr) +
            (host != nullptr) >
        1)
      fault(source_, place,
            "%s has more than one of `kernel`, `elementwise`, `reduction`, `scan` and `host`: write several as steps",
            what_.c_str());
    if (host) {
      out_.kind = StepContract::Kind::host;
      out_.text = table_.text("host");
      if (!valid_name(out_.text))
        fault(source_, host->place, "`host` must be the name of a registered function, not \"%s\"", out_.text.c_str());
    }
    out_.fast_math = table_.boolean("fast_math", false);
    read_texts();
    if (elementwise || reduction || scan || host) {
      expression(elementwise, reduction, scan);
      for (const char* key : {"source", "arguments", "threads", "grid", "block", "cluster", "shared", "cooperative"})
        if (const Value* extra = table_.find(key))
          fault(source_, extra->place, "`%s` is for a kernel, but %s is an expression", key, what_.c_str());
    } else {
      this->kernel(kernel);
      for (const char* key : {"read", "write", "preamble"})
        if (const Value* extra = table_.find(key))
          fault(source_, extra->place, "`%s` is for an expression, but %s is a kernel", key, what_.c_str());
    }
    return std::move(out_);
  }

 private:
  // when = "sigma[axis] > 0"; for = "axis < x.rank"
  void repeat() {
    if (const Value* value = table_.find("for")) {
      if (value->kind != Value::Kind::text) fault(source_, value->place, "`for` must be written \"axis < x.rank\"");
      Lexer lexer(source_, *value);
      const Place place = lexer.place();
      out_.each = lexer.expect_name("a counter's name");
      if (reserved_name(out_.each) || names_.count(out_.each))
        fault(source_, place, "the name `%s` is already used", out_.each.c_str());
      lexer.expect("<", "a repeated step must be written for = \"axis < x.rank\"");
      out_.times = parse_expression(lexer, names_, Kind::integer);
      if (!lexer.at_end()) lexer.fault("found %s where the expression should end", lexer.found().c_str());
      if (operation_.numbers >= kMaxNumbers)
        fault(source_, place, "the operation has more than %d named numbers", kMaxNumbers);
      out_.each_number = operation_.numbers++;
      names_.emplace(out_.each, Name{Name::What::number, out_.each_number});
    }
    if (const Value* value = table_.find("when")) out_.when = parse_whole(source_, *value, names_, Kind::integer);
  }

  void read_texts() {
    for (const Value* value : table_.list("options", Value::Kind::text))
      out_.options.push_back(read_pattern(source_, *value, operation_, names_, false));
    if (const Value* defines = table_.table("defines")) {
      for (size_t i = 0; i < defines->entries.size(); ++i) {
        const auto& [name, value] = defines->entries[i];
        if (name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") !=
                std::string::npos ||
            (name[0] >= '0' && name[0] <= '9'))
          fault(source_, defines->keys[i], "`%s` is not a name for a macro", name.c_str());
        Value text = value;
        if (value.kind == Value::Kind::integer) text.text = std::to_string(value.integer);
        else if (value.kind == Value::Kind::boolean) text.text = value.boolean ? "1" : "0";
        else if (value.kind != Value::Kind::text)
          fault(source_, value.place, "the macro %s is %s: it must be a string or an integer", name.c_str(),
                kind_name(value.kind));
        out_.defines.emplace_back(name, read_pattern(source_, text, operation_, names_, false));
      }
    }
  }

  void kernel(const Value* kernel) {
    Value entry;
    entry.kind = Value::Kind::text;
    entry.place = out_.place;
    entry.text = operation_.name;
    if (kernel && kernel->kind != Value::Kind::text)
      fault(source_, kernel->place, "`kernel` is %s: it must be the kernel's name", kind_name(kernel->kind));
    if (kernel && kernel->text.empty()) fault(source_, kernel->place, "`kernel` is empty");
    out_.kernel = read_pattern(source_, kernel ? *kernel : entry, operation_, names_, true);
    out_.file = table_.text("source", operation_.name + ".cu");
    if (table_.find("source") &&
        (out_.file.empty() || out_.file.starts_with('/') || out_.file.find("..") != std::string::npos))
      fault(source_, table_.find("source")->place,
            "the source \"%s\" must be a file of the package, named by its path in the package", out_.file.c_str());
    geometry();
    arguments();
  }

  std::vector<Expression> up_to_three(const char* key) {
    std::vector<Expression> out;
    const Value* value = table_.find(key);
    if (!value) return out;
    if (value->kind != Value::Kind::list) {
      out.push_back(parse_whole(source_, *value, names_, Kind::integer));
      return out;
    }
    if (value->items.empty() || value->items.size() > 3)
      fault(source_, value->place, "`%s` has %zu entries: it must have one to three (x, y, z)", key,
            value->items.size());
    for (const Value& item : value->items) out.push_back(parse_whole(source_, item, names_, Kind::integer));
    return out;
  }

  void geometry() {
    out_.threads = up_to_three("threads");
    out_.grid = up_to_three("grid");
    out_.block = up_to_three("block");
    out_.cluster = up_to_three("cluster");
    if (!out_.threads.empty() && !out_.grid.empty())
      fault(source_, table_.find("grid")->place,
            "`threads` is the number of threads, `grid` the number of blocks: write only one of them");
    if (out_.block.empty()) out_.block.push_back(Expression::constant(256));
    if (const Value* shared = table_.find("shared")) out_.shared = parse_whole(source_, *shared, names_, Kind::integer);
    out_.cooperative = table_.boolean("cooperative", false);
  }

  // Without `threads` and `grid` there is one thread per element of the first output, and, if `arguments` is missing
  // too, the kernel's last parameter is the number of threads.
  void arguments() {
    const bool listed = table_.find("arguments");
    if (out_.threads.empty() && out_.grid.empty()) {
      const Declared* first = nullptr;
      for (const Declared& parameter : operation_.parameters)
        if (!first && parameter.written()) first = &parameter;
      Value size;
      size.kind = Value::Kind::text;
      size.place = out_.place;
      size.text = first->name + ".size";
      out_.threads.push_back(parse_whole(source_, size, names_, Kind::integer));
      out_.count_argument = !listed;
    }
    for (const Value* value : table_.list("arguments", Value::Kind::text)) out_.arguments.push_back(argument(*value));
    if (listed) return;
    for (const Declared& parameter : operation_.parameters) {
      Value name;
      name.kind = Value::Kind::text;
      name.place = out_.place;
      name.text = parameter.name;
      out_.arguments.push_back(argument(name));
    }
  }

  Argument argument(const Value& value) {
    Argument out;
    out.text = value.text;
    out.place = value.place;
    Lexer lexer(source_, value);
    if (lexer.peek().kind == Token::Kind::name) {
      Lexer ahead = lexer;
      const std::string name = ahead.take().text;
      const auto found = names_.find(name);
      if (found != names_.end() && ahead.at_end()) {
        for (size_t i = 0; i < operation_.parameters.size(); ++i)
          if (operation_.parameters[i].name == name && !operation_.parameters[i].array()) out.scalar = int32_t(i);
        if (found->second.what == Name::What::list) {
          out.kind = Argument::Kind::list;
          out.index = found->second.index;
          return out;
        }
        if (out.scalar >= 0) return out;
      } else if (found != names_.end() && found->second.what == Name::What::array && ahead.take_if(".")) {
        const bool shape = ahead.is_name("shape"), strides = ahead.is_name("strides");
        ahead.take();
        if ((shape || strides) && ahead.at_end()) {
          out.kind = shape ? Argument::Kind::shape : Argument::Kind::strides;
          out.index = found->second.index;
          return out;
        }
      }
    }
    if (slice(lexer, out)) return out;
    out.value = parse_whole(source_, value, names_, true);
    return out;
  }

  // "weights[first : last]"
  bool slice(Lexer lexer, Argument& out) {
    if (lexer.peek().kind != Token::Kind::name) return false;
    const auto found = names_.find(lexer.take().text);
    if (found == names_.end() || found->second.what != Name::What::list || !lexer.take_if("[")) return false;
    out.first = parse_expression(lexer, names_, Kind::integer);
    if (!lexer.take_if(":")) return false;  // a single entry: a number
    out.last = parse_expression(lexer, names_, Kind::integer);
    lexer.expect("]", "entries of a list must be passed as name[first : last]");
    if (!lexer.at_end()) lexer.fault("found %s where the argument should end", lexer.found().c_str());
    out.kind = Argument::Kind::list;
    out.index = found->second.index;
    return true;
  }

  std::vector<const Value*> names_of(const char* key) { return table_.list(key, Value::Kind::text); }

  void add_read(const std::string& name, Place place) {
    const auto found = names_.find(name);
    if (found == names_.end()) fault(source_, place, "there is no `%s` to read", name.c_str());
    out_.reads.push_back(name);
    out_.read_names.push_back(found->second);
    out_.read_parameters.push_back(array_or_scalar(name, found->second, place));
  }

  int32_t array_or_scalar(const std::string& name, const Name& what, Place place) {
    for (size_t i = 0; i < operation_.parameters.size(); ++i)
      if (operation_.parameters[i].name == name) {
        if (operation_.parameters[i].list >= 0 && out_.kind != StepContract::Kind::host)
          fault(source_, place, "an expression cannot read the list `%s`: name its entries by `let`", name.c_str());
        return int32_t(i);
      }
    for (size_t i = 0; i < operation_.temporaries.size(); ++i)
      if (operation_.temporaries[i].name == name) return -1 - int32_t(i);
    if (what.what != Name::What::number) fault(source_, place, "`%s` is neither an array nor a number", name.c_str());
    return kNumberRead;
  }

  void expression(const Value* elementwise, const Value* reduction, const Value* scan) {
    const bool listed = table_.find("read"), into = table_.find("write");
    for (const Value* value : names_of("read")) add_read(value->text, value->place);
    for (const Value* value : names_of("write")) add_write(value->text, value->place);
    for (const Declared& parameter : operation_.parameters) {
      if (!listed && parameter.role != Role::out && parameter.role != Role::inout &&
          (parameter.list < 0 || out_.kind == StepContract::Kind::host))
        add_read(parameter.name, out_.place);
      if (!into && parameter.written()) add_write(parameter.name, out_.place);
    }
    if (out_.writes.empty()) fault(source_, out_.place, "%s writes nothing", what_.c_str());
    if ((reduction || scan) && out_.writes.size() != 1)
      fault(source_, out_.place, "%s writes %zu arrays: a reduction or scan must write one", what_.c_str(),
            out_.writes.size());
    if (elementwise) {
      if (elementwise->kind != Value::Kind::text || elementwise->text.empty())
        fault(source_, elementwise->place, "`elementwise` must be a string, as in \"y = x * x\"");
      out_.kind = StepContract::Kind::elementwise;
      out_.text = elementwise->text;
    }
    out_.preamble = table_.text("preamble");
    if (reduction) read_reduction(*reduction);
    if (scan) read_scan(*scan);
  }

  void add_write(const std::string& name, Place place) {
    const auto found = names_.find(name);
    if (found == names_.end() || found->second.what != Name::What::array)
      fault(source_, place, "there is no array `%s` to write", name.c_str());
    const int32_t index = array_or_scalar(name, found->second, place);
    if (index >= 0 && !operation_.parameters[size_t(index)].written())
      fault(source_, place, "`%s` is an input, which cannot be written", name.c_str());
    out_.writes.push_back(name);
    out_.write_parameters.push_back(index);
  }

  void read_reduction(const Value& value) {
    Table rule(source_, value, "the reduction of " + what_);
    ReductionRule& out = out_.reduction;
    out_.kind = StepContract::Kind::reduction;
    out.map = rule.text("map");
    out.reduce = rule.text("reduce", "a + b");
    out.post = rule.text("post");
    out.has_identity = rule.find("identity");
    out.identity = rule.text("identity");
    out.accumulator = rule.text("accumulator");
    if (const Value* axes = rule.find("axes")) {
      out.all_axes = false;
      if (axes->kind == Value::Kind::list)
        for (const Value& axis : axes->items) out.axes.push_back(parse_whole(source_, axis, names_, Kind::integer));
      else out.axes.push_back(parse_whole(source_, *axes, names_, Kind::integer));
      if (out.axes.empty() || out.axes.size() > 16)
        fault(source_, axes->place, "`axes` has %zu entries: it must have 1 to 16", out.axes.size());
    }
    rule.finish();
  }

  void read_scan(const Value& value) {
    Table rule(source_, value, "the scan of " + what_);
    ScanRule& out = out_.scan;
    out_.kind = StepContract::Kind::scan;
    out.map = rule.text("map");
    out.combine = rule.text("combine", "a + b");
    out.identity = rule.text("identity", "0");
    out.accumulator = rule.text("accumulator");
    out.exclusive = rule.boolean("exclusive", false);
    if (const Value* axis = rule.find("axis")) out.axis = parse_whole(source_, *axis, names_, Kind::integer);
    else out.axis = Expression::constant(-1);
    rule.finish();
  }

  const Source& source_;
  Table& table_;
  OperationContract& operation_;
  std::string what_;
  Names names_;
  StepContract out_;
};

}  // namespace

void read_steps(const Source& source, Table& table, const Value& value, OperationContract& operation) {
  (void)value;
  const Value* steps = table.find("steps");
  if (!steps) {
    operation.steps.push_back(
        StepReader(source, table, operation, "the operation " + operation.name).read(operation.place));
    return;
  }
  if (steps->kind != Value::Kind::list || steps->items.empty())
    fault(source, steps->place, "`steps` must be a list of tables, one per step");
  if (steps->items.size() > 64)
    fault(source, steps->place, "there are %zu steps: at most 64 are allowed", steps->items.size());
  for (size_t i = 0; i < steps->items.size(); ++i) {
    const std::string what = "step " + std::to_string(i + 1) + " of " + operation.name;
    Table one(source, steps->items[i], what);
    operation.steps.push_back(StepReader(source, one, operation, what).read(steps->items[i].place));
    one.finish();
  }
}

}  // namespace tenon::plugin
