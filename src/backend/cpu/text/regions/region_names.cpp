// backend/cpu/text/regions/region_names.cpp: finds the variables of a kernel that are the same in all threads of a
// block.
//
// The text alone cannot show that a variable never changes: a function may take a reference. So the variables found
// here to be unchanged are a guess, and the text made from it leaves the proof to the compiler
// (shim/execution/tenon_regions.h).
#include "backend/cpu/text/regions/region_names.hpp"
#include <algorithm>

namespace tenon::cpu {
namespace {

bool is_place(const Tokens& t, size_t i) { return t.is_any(i, {"threadIdx", "blockIdx", "blockDim", "gridDim"}); }

}  // namespace

RegionNames::RegionNames(const Tokens& tokens, const KernelTree& tree)
    : t_(tokens),
      first_(tree.parameters.empty() ? tree.open : tree.parameters[0].type.from),
      used_(tree.close - first_ + 1, -1) {
  find_template_numbers();
  do read(tree);
  while (split_by_guards());
  no_addresses_ = only_numbers(tree);
  only_operators_ = find_exposed(tree);
  parts_ = only_operators_ && value_types.empty() &&
           std::none_of(list.begin(), list.end(), [](const RegionVariable& v) { return v.per_thread() && v.array; });
  for (const Condition& one : conditions_)
    if (!one.span.empty()) require(one.span);
  for (const Span& span : outside_) keep_out(span);
  for (const RegionVariable& v : list) {
    keep_out(v.type);
    keep_out(v.declared.after);
  }
}

void RegionNames::read(const KernelTree& tree) {
  list.clear();
  scopes_.clear();
  by_name_.clear();
  conditions_.clear();
  outside_.clear();
  constants.clear();
  types.clear();
  numbers.clear();
  std::fill(used_.begin(), used_.end(), -1);
  scopes_.emplace_back();
  for (const KernelParameter& parameter : tree.parameters) {
    Declared declared;
    declared.name = parameter.name;
    RegionVariable::Role role = RegionVariable::parameter;
    declare(role, declared, parameter.type);
    list.back().reference = t_.outside(parameter.type.from, parameter.type.to, {"&", "&&"}) != npos;
  }
  visit(tree.statements);
  settle();
}

// Finds branches that threads may take differently, and in which only operations of warps wait. What is assigned in
// them belongs to the threads, so the variables are then classified again. False: there are no further ones.
bool RegionNames::split_by_guards() {
  const size_t before = guards_.size();
  for (const Condition& one : conditions_)
    if (one.branch && !plain(one.span, false) && may_guard(*one.branch)) guards_.insert(one.branch->all.from);
  return guards_.size() > before;
}

bool RegionNames::may_guard(const RegionStatement& s) const {
  if (t_.is(s.all.from + 1, "constexpr")) return false;
  for (size_t i = s.condition.from; i < s.condition.to; ++i)
    if (region_waits(t_, i) || is_assignment(t_, i) || t_.is_any(i, {";", "{", "++", "--"}) ||
        (t_.is(i, "[") && !t_.is_word(i - 1) && !t_.is_any(i - 1, {"]", ")"})))
      return false;
  return may_guard(s.body) && may_guard(s.otherwise);
}

bool RegionNames::may_guard(const std::vector<RegionStatement>& statements) const {
  for (const RegionStatement& s : statements) {
    if (s.kind == RegionStatement::leave || (s.kind == RegionStatement::barrier && !s.of_warp)) return false;
    for (size_t i = s.all.from; i < s.all.to; ++i)
      if (t_.is(i, "return")) return false;
    if (!may_guard(s.body) || !may_guard(s.otherwise)) return false;
  }
  return true;
}

bool RegionNames::known(Span span) const {
  for (size_t i = span.from; i < span.to; ++i) {
    if (is_place(t_, i)) i += 2;
    else if (t_.is_word(i) && !is_type_word(t_, i) && !t_.is(i, "warpSize") && at(i) < 0 &&
             !template_numbers_.count(t_[i].text))
      return false;
  }
  return true;
}

void RegionNames::find_template_numbers() {
  size_t i = first_;
  while (i > 0 && !t_.is_any(i, {";", "}", "{", "template"})) --i;
  if (!t_.is(i, "template") || !t_.is(i + 1, "<")) return;
  for (i += 2; i < first_ && !t_.is_any(i, {">", "__global__", "("}); ++i)
    if (t_.is_word(i) && is_type_word(t_, i - 1) && t_.is_any(i + 1, {",", ">", "="}) && !is_type_word(t_, i))
      template_numbers_.insert(t_[i].text);
}

// Nothing in such a kernel can hold on to a variable that is not given to a function: there are no objects, whose
// operators might, no references, no addresses, no names that could be anything else.
bool RegionNames::only_numbers(const KernelTree& tree) const {
  const auto plain_type = [this](Span span) {
    for (size_t i = span.from; i < span.to; ++i)
      if (!is_type_word(t_, i) &&
          !t_.is_any(i, {"const", "*", "__restrict__", "__restrict", "static", "extern", "__shared__"}))
        return false;
    return true;
  };
  for (const RegionVariable& v : list)
    if (!plain_type(v.type) || !plain_type(v.declared.before)) return false;
  std::set<std::string_view> inside;  // numbers that statements declare for themselves
  for (size_t i = tree.open; i < tree.close; ++i) {
    if (t_.is_word(i) && !is_type_word(t_, i) && !is_reserved(t_, i) && is_type_word(t_, i - 1))
      inside.insert(t_[i].text);
    if (t_[i].kind == Token::Kind::literal || t_.is_any(i, {"::", "->", "~"})) return false;
    if (t_.is(i, "[") && !t_.is_word(i - 1) && !t_.is_any(i - 1, {"]", ")"})) return false;
    if (t_.is_any(i, {"&", "*"}) && !operand_before(i) && !is_type_word(t_, i - 1)) return false;
    if (t_.is(i, "&") && is_type_word(t_, i - 1)) return false;
    if (!t_.is_word(i) || is_type_word(t_, i) || by_name_.count(t_[i].text) || inside.count(t_[i].text) ||
        t_.is(i, "warpSize"))
      continue;
    if (is_place(t_, i)) {
      i += 2;
      continue;
    }
    const bool keyword = t_.is_any(i, {"if", "else", "for", "while", "do", "return", "const", "static", "extern",
                                       "true", "false", "break", "continue", "__shared__"});
    const bool call = t_.is(i + 1, "(") && t_.is_any(i, {"__syncthreads", "fmaxf", "fminf", "expf", "logf", "sqrtf",
                                                         "rsqrtf", "fabsf", "max", "min", "__expf", "__logf",
                                                         "__fdividef", "fma", "fmaf", "exp", "log", "sqrt"});
    if (!keyword && !call) return false;
  }
  return true;
}

bool RegionNames::only_value(int number) const {
  const RegionVariable& v = list[size_t(number)];
  if (!only_operators_ || v.role != RegionVariable::own || v.array || v.reference || v.pointer ||
      by_name_.count(v.name) != 1 || exposed_.count(v.name))
    return false;
  for (size_t i = v.type.from; i < v.type.to; ++i)
    if (!is_type_word(t_, i) && !t_.is(i, "const") && !value_types.count(std::string(t_[i].text))) return false;
  return true;
}

// For a type that the text names by a single word.
bool RegionNames::note_type(size_t i) {
  if (is_reserved(t_, i) || is_place(t_, i) || by_name_.count(t_[i].text) || !t_.is_word(i) ||
      t_.is_any(i - 1, {"::", "."}) || t_.is_any(i + 1, {"<", "::"}))
    return false;
  value_types.emplace(t_[i].text);
  return true;
}

// Whether the & or && at i may declare a reference.
bool RegionNames::declares_reference(size_t i) const {
  if (is_type_word(t_, i - 1) || t_.is_any(i - 1, {"auto", "const", "volatile", ">"})) return true;
  return t_.is_word(i - 1) && !by_name_.count(t_[i - 1].text) && t_.is_any(i - 2, {";", "{", "}", "(", ",", "const"}) &&
         t_.is_any(i + 2, {"=", "(", "{", ":"});
}

// A function that takes numbers by value, or a cast.
bool RegionNames::gives_values(size_t call) const {
  if (is_type_word(t_, call) || t_.is_any(call, {"if", "for", "while", "switch", "sizeof", "static_assert"}))
    return true;
  const bool member = t_.is(call - 1, ".");
  if (member)
    return t_.is_any(call, {"shfl", "shfl_up", "shfl_down", "shfl_xor", "any", "all", "ballot", "sync", "thread_rank",
                            "size", "num_threads", "meta_group_rank", "meta_group_size"});
  if (t_.is(call, "reduce") && t_.is(call - 1, "::")) return true;  // the writer has it proved that it is CUDA's
  static constexpr std::initializer_list<const char*> known = {"__syncthreads",
                                                               "__syncwarp",
                                                               "__shfl_sync",
                                                               "__shfl_up_sync",
                                                               "__shfl_down_sync",
                                                               "__shfl_xor_sync",
                                                               "__ballot_sync",
                                                               "__any_sync",
                                                               "__all_sync",
                                                               "__reduce_add_sync",
                                                               "__reduce_min_sync",
                                                               "__reduce_max_sync",
                                                               "__reduce_and_sync",
                                                               "__reduce_or_sync",
                                                               "__reduce_xor_sync",
                                                               "atomicAdd",
                                                               "atomicSub",
                                                               "atomicMin",
                                                               "atomicMax",
                                                               "atomicAnd",
                                                               "atomicOr",
                                                               "atomicXor",
                                                               "atomicExch",
                                                               "atomicCAS",
                                                               "atomicInc",
                                                               "__ldg",
                                                               "__ldcs",
                                                               "__ldcg",
                                                               "__stcs",
                                                               "__stcg",
                                                               "__threadfence",
                                                               "__threadfence_block",
                                                               "__float_as_uint",
                                                               "__uint_as_float",
                                                               "__float_as_int",
                                                               "__int_as_float",
                                                               "__popc",
                                                               "__clz",
                                                               "__ffs",
                                                               "max",
                                                               "min",
                                                               "fmaxf",
                                                               "fminf",
                                                               "fmax",
                                                               "fmin",
                                                               "expf",
                                                               "exp",
                                                               "logf",
                                                               "log",
                                                               "exp2f",
                                                               "log2f",
                                                               "sqrtf",
                                                               "sqrt",
                                                               "rsqrtf",
                                                               "rsqrt",
                                                               "fabsf",
                                                               "fabs",
                                                               "abs",
                                                               "fmaf",
                                                               "fma",
                                                               "powf",
                                                               "pow",
                                                               "tanhf",
                                                               "tanh",
                                                               "sinf",
                                                               "cosf",
                                                               "sin",
                                                               "cos",
                                                               "floorf",
                                                               "ceilf",
                                                               "__expf",
                                                               "__logf",
                                                               "__fdividef"};
  return t_.is_any(call, known) && takes_values(call);
}

// Whether all operators in the kernel are those of numbers and pointers. Names that may be given to something by
// reference, or have their address taken, are exposed: nothing more is known of them.
bool RegionNames::find_exposed(const KernelTree& tree) {
  exposed_.clear();
  value_types.clear();
  const auto expose = [this](size_t from, size_t to) {
    for (size_t i = from; i < to; ++i)
      if (t_.is_word(i)) exposed_.insert(t_[i].text);
  };
  std::vector<bool> of_type(tree.close - first_ + 1);  // declarations of the kernel's own variables
  for (const RegionVariable& v : list) {
    if (v.reference) return false;
    const bool group = t_.outside(v.type.from, v.type.to, {"thread_block", "thread_block_tile"}) != npos ||
                       (t_.is(v.type.from, "auto") && t_.outside(v.declared.init.from, v.declared.init.to,
                                                                 {"tiled_partition", "this_thread_block"}) != npos);
    for (Span span : {v.type, v.declared.before})
      for (size_t i = span.from; i < span.to; ++i) {
        of_type[i - first_] = true;
        if (!is_type_word(t_, i) && !group &&
            !t_.is_any(i, {"const", "*", "__restrict__", "__restrict", "static", "extern", "__shared__", "volatile",
                           "constexpr"}) &&
            !note_type(i))
          return false;
      }
    of_type[v.declared.name - first_] = true;
  }
  for (size_t i = tree.open; i < tree.close; ++i) {
    if (of_type[i - first_]) continue;
    if (t_.is_any(i, {"->", "new", "delete", "throw", "decltype", "typeof", "__typeof", "__typeof__", "operator",
                      "auto", "struct", "class", "union", "using", "typedef", "template"}) ||
        (t_.is(i, "[") && !t_.is_word(i - 1) && !t_.is_any(i - 1, {"]", ")"})))
      return false;
    if (t_.is_any(i, {"&", "&&"})) {
      if (declares_reference(i)) return false;
      if (operand_before(i)) continue;
      if (!t_.is_word(i + 1)) return false;
      exposed_.insert(t_[i + 1].text);
    } else if (t_.is(i, ".")) {
      const bool of_place = is_place(t_, i - 1), of_group = t_.is(i + 2, "(");
      if (!of_place && !of_group) return false;
    } else if (t_.is(i, "{") && !t_.is_any(i - 1, {")", "{", "}", ";", "else", "do", "constexpr"}) && i > tree.open) {
      expose(i, t_.closed(i));
    } else if (t_.is(i, "(") && t_.is(i - 1, ">")) {
      size_t open = i - 1;
      while (open > tree.open && !t_.is_any(open, {"<", ";", "{", "}"})) --open;
      if (!t_.is(open, "<") || !t_.is_any(open - 1, {"tenon_returned", "tenon_binds", "static_cast"}))
        expose(i, t_.closed(i));
    } else if (t_.is(i, "(") && t_.is_word(i + 1) && t_.is(i + 2, ")") && !is_type_word(t_, i + 1) &&
               (t_.is_word(i + 3) || t_.is_any(i + 3, {"(", "~", "!"})) && !by_name_.count(t_[i + 1].text) &&
               !t_.is_word(i - 1)) {
      if (!value_types.count(std::string(t_[i + 1].text))) return false;  // a cast to another type
    } else if (t_.is(i, "(") && t_.is_word(i - 1) && !is_place(t_, i - 1)) {
      if (!gives_values(i - 1)) expose(i, t_.closed(i));
    } else if (t_.is_word(i) && t_.is_word(i + 1) && !is_type_word(t_, i) && !of_type[i + 1 - first_] &&
               !t_.is_any(i, {"if", "else", "do", "return", "case", "const", "static", "extern", "__shared__",
                              "namespace", "constexpr", "inline", "volatile"})) {
      if (!note_type(i)) return false;  // a declaration
    } else if (t_.is(i, ">") && t_.is_word(i + 1) && !by_name_.count(t_[i + 1].text) && t_.is_any(i + 2, {"=", ";"})) {
      return false;
    }
  }
  return true;
}

bool RegionNames::in_steps(Span span) const {
  for (size_t i = span.from; i < span.to; ++i) {
    if (t_[i].kind == Token::Kind::mark && !t_.is_any(i, {"+", "-", "*", "(", ")", ".", "="})) return false;
    const int number = t_.is_word(i) ? at(i) : -1;
    if (number < 0 || list[size_t(number)].uniform) continue;
    for (const Span& value : list[size_t(number)].values)
      if (!in_steps(value)) return false;
  }
  return true;
}

bool RegionNames::folds(Span span) const {
  bool out = false;
  for (size_t i = span.from; i < span.to; ++i) {
    if (t_.is_any(i, {"%", "&"})) out = true;
    else if (t_[i].kind == Token::Kind::mark && !t_.is_any(i, {"+", "-", "*", "(", ")", ".", "="})) return false;
    const int number = t_.is_word(i) ? at(i) : -1;
    if (number < 0 || list[size_t(number)].uniform) continue;
    for (const Span& value : list[size_t(number)].values) out |= folds(value);
  }
  return out;
}

bool RegionNames::of_warp(Span span) const {
  for (size_t i = span.from; i < span.to; ++i)
    if ((t_.is_any(i, {"/", "%"}) && t_.is_any(i + 1, {"32", "32u", "32U", "warpSize"})) ||
        (t_.is(i, "&") && t_.is_any(i + 1, {"31", "31u", "31U", "0x1f"})) ||
        (t_.is(i, ">>") && t_.is_any(i + 1, {"5", "5u", "5U"})) || t_.is(i, "meta_group_rank"))
      return true;
  return false;
}
// The value of a variable that never changes and whose type has a number for each place in a block. Empty if the token
// names anything else.
Span RegionNames::lasting(size_t token) const {
  const int number = t_.is_word(token) ? at(token) : -1;
  if (number < 0) return {};
  const RegionVariable& v = list[size_t(number)];
  if (!v.repeated || v.values.size() != 1 || !t_.is(v.values[0].from, "=")) return {};
  for (size_t i = v.type.from; i < v.type.to; ++i)
    if (!t_.is_any(i, {"const", "int", "unsigned", "signed", "long", "short", "auto", "size_t", "int16_t", "uint16_t",
                       "int32_t", "uint32_t", "int64_t", "uint64_t", "uint", "ushort", "ulong"}))
      return {};
  return {v.values[0].from + 1, v.values[0].to};
}
bool RegionNames::thread_along(const char* axis, Span span) const {
  if (t_.is(span.from, "threadIdx")) return span.to == span.from + 3 && t_.is(span.from + 2, axis);
  if (span.to != span.from + 1) return false;
  const Span value = lasting(span.from);
  return !value.empty() && thread_along(axis, value);
}
bool RegionNames::lane(Span span, bool operand) const {
  if (t_.is(span.from, "(") && t_.closed(span.from) == span.to) return lane({span.from + 1, span.to - 1}, false);
  if (span.to == span.from + 1) {
    const Span value = lasting(span.from);
    return !value.empty() && lane(value, false);
  }
  const size_t by = t_.outside(span.from, span.to, {"%", "&"});
  if (by == npos || by + 2 != span.to || !thread_along("x", {span.from, by})) return false;
  if (t_.is(by, "%")) return t_.is_any(by + 1, {"32", "32u", "32U", "warpSize"});
  return !operand && t_.is_any(by + 1, {"31", "31u", "31U", "0x1f"});  // a & b == c is a & (b == c)
}

std::optional<std::array<unsigned, 3>> RegionNames::place_in_grid(int number) const {
  const Declared& d = list[size_t(number)].declared;
  bool of_block = false;
  const auto counts = places({d.name, d.name + 1}, of_block);
  return of_block ? counts : std::nullopt;
}
std::optional<std::array<unsigned, 3>> RegionNames::places(Span span) const {
  bool of_block = false;
  return places(span, of_block);
}
std::optional<std::array<unsigned, 3>> RegionNames::places(Span span, bool& of_block) const {
  std::array<unsigned, 3> counts{};
  if (!is_sum_of_places(span, counts, of_block)) return std::nullopt;
  for (const unsigned count : counts)
    if (count > 4) return std::nullopt;  // the whole is far below 2^32
  return counts;
}

bool RegionNames::is_sum_of_places(Span span, std::array<unsigned, 3>& counts, bool& of_block) const {
  if (span.empty() ||
      t_.outside(span.from, span.to,
                 {"<<", ">>", "<", ">", "<=", ">=", "==", "!=", "&", "|", "^", "&&", "||", "?", "=", ","}) != npos)
    return false;
  for (size_t from = span.from; from < span.to;) {
    const size_t end = std::min(t_.outside(from, span.to, {"+"}), span.to);
    const int number = end == from + 1 && t_.is_word(from) ? at(from) : -1;
    if (end == from + 3 && t_.is(from, "threadIdx")) {
      const char axis = t_[from + 2].text[0];
      if (axis < 'x' || axis > 'z') return false;
      ++counts[size_t(axis - 'x')];
    } else if (number >= 0 && !list[size_t(number)].uniform) {
      const RegionVariable& v = list[size_t(number)];
      if (!v.repeated || v.values.size() != 1 || !t_.is(v.values[0].from, "=") || v.array || v.pointer || v.reference)
        return false;
      for (size_t i = v.type.from; i < v.type.to; ++i)
        if (!t_.is_any(i, {"const", "int", "unsigned", "signed", "long"})) return false;
      if (!is_sum_of_places({v.values[0].from + 1, v.values[0].to}, counts, of_block)) return false;
    } else if (t_.is(from, "(") && t_.closed(from) == end) {
      if (!is_sum_of_places({from + 1, end - 1}, counts, of_block)) return false;
    } else {
      if (from == end || !plain({from, end}, false) || !known({from, end})) return false;
      for (size_t i = from; i < end; ++i) of_block |= t_.is(i, "blockIdx") || (t_.is_word(i) && at(i) >= 0);
    }
    from = end + 1;
  }
  return true;
}

std::vector<int> RegionNames::named(size_t token) const {
  std::vector<int> out;
  if (t_.is_word(token))
    for (auto [at, end] = by_name_.equal_range(t_[token].text); at != end; ++at) out.push_back(at->second);
  return out;
}

// Whether it names a variable that each thread has.
bool RegionNames::of_threads(Span span) const {
  for (size_t i = span.from; i < span.to; ++i)
    for (const int number : named(i))
      if (list[size_t(number)].per_thread()) return true;
  return false;
}

// Code outside of the regions does not see the variables of a thread, and might find others with their names. Inside
// the regions such a name is a reference, which has another type.
void RegionNames::keep_out(Span span) const {
  if (of_threads(span)) refuse("`" + t_.joined(span.from, span.to) + "` is made of a thread's variable");
}

void RegionNames::require(Span condition) {
  if (!plain(condition, false))
    refuse("threads may take different ways at `" + t_.joined(condition.from, condition.to) + "`");
  note(condition);
}

void RegionNames::declare(RegionVariable::Role role, const Declared& declared, Span type, bool constant) {
  RegionVariable out;
  out.role = constant ? RegionVariable::constant : role;
  out.name = t_[declared.name].text;
  out.type = type;
  out.declared = declared;
  out.array = !declared.after.empty();
  bool pointer = false, pointer_const = false, type_const = false;
  const auto look = [&](Span span) {
    for (size_t i = span.from; i < span.to; ++i) {
      out.reference |= t_.is_any(i, {"&", "&&"});
      if (t_.is(i, "*")) pointer = true, pointer_const = false;
      else if (t_.is(i, "const")) (pointer ? pointer_const : type_const) = true;
      if (t_.is(i, "volatile")) out.changes = true;
    }
  };
  look(type);
  look(declared.before);
  out.pointer = pointer;
  out.fixed = pointer ? pointer_const : type_const;
  if (is_place(t_, declared.name) || out.name == "warpSize") refuse(out.name + " is declared again");
  for (const auto& scope : scopes_)
    if (scope.count(out.name)) refuse("several variables are named " + out.name);
  out.guard = guard_;
  const int number = int(list.size());
  by_name_.emplace(out.name, number);
  if (!declared.init.empty()) out.values.push_back(declared.init);
  scopes_.back()[out.name] = number;
  used_[declared.name - first_] = number;
  list.push_back(std::move(out));
}

void RegionNames::visit(const std::vector<RegionStatement>& statements) {
  scopes_.emplace_back();
  for (const RegionStatement& statement : statements) visit(statement);
  scopes_.pop_back();
}

void RegionNames::visit(const RegionStatement& s) {
  switch (s.kind) {
    case RegionStatement::work: assign(s.all, false); break;
    case RegionStatement::declaration:
      for (const Declared& declared : s.declared) {
        scan(declared.after);
        scan(declared.init);
        declare(RegionVariable::own, declared, s.type);
      }
      break;
    case RegionStatement::outside:
      scan(s.all);
      outside_.push_back(s.all);
      for (const Declared& declared : s.declared) declare(RegionVariable::shared, declared, s.type, s.is_constant);
      break;
    case RegionStatement::barrier:
    case RegionStatement::leave: break;
    case RegionStatement::block: visit(s.body); break;
    case RegionStatement::branch:
      scan(s.condition);
      if (!guarded(s)) conditions_.push_back({s.condition, &s});
      guard_ += guarded(s);
      visit(s.body);
      visit(s.otherwise);
      guard_ -= guarded(s);
      break;
    default: heads(s);
  }
}

void RegionNames::heads(const RegionStatement& s) {
  scopes_.emplace_back();
  if (!s.declared.empty()) {
    for (const Declared& declared : s.declared) {
      scan(declared.init);
      declare(RegionVariable::control, declared, s.type);
    }
  } else if (!s.start.empty()) {
    assign(s.start, true);
  }
  scan(s.condition);
  conditions_.push_back({s.condition, nullptr});
  if (!s.step.empty()) assign(s.step, true);
  visit(s.body);
  scopes_.pop_back();
}

int RegionNames::assigned_by(const RegionStatement& s) const {
  if (s.kind != RegionStatement::work) return -1;
  const size_t i = s.all.from, last = s.all.to - 1;
  size_t name = npos;
  if (t_.is_word(i) && is_assignment(t_, i + 1) && t_.outside(i + 2, last, {","}) == npos) name = i;
  if (t_.is_word(i) && t_.is_any(i + 1, {"++", "--"}) && last == i + 2) name = i;
  if (t_.is_any(i, {"++", "--"}) && t_.is_word(i + 1) && last == i + 2) name = i + 1;
  if (name == npos || !t_.is(last, ";")) return -1;
  return at(name);
}

// An expression where all threads are: an assignment, several in the head of a loop, or anything else.
void RegionNames::assign(Span span, bool in_head) {
  for (size_t i = span.from; in_head && i < span.to;) {  // one at a time
    const size_t comma = std::min(t_.outside(i, span.to, {","}), span.to);
    if (comma == span.to && i == span.from) break;
    assign({i, comma}, true);
    i = comma + 1;
    if (i >= span.to) return;
  }
  const size_t i = span.from, last = in_head ? span.to : span.to - 1;
  size_t name = npos, from = last;
  if (t_.is_word(i) && is_assignment(t_, i + 1) && t_.outside(i + 2, last, {","}) == npos) name = i, from = i + 2;
  else if (t_.is_word(i) && t_.is_any(i + 1, {"++", "--"}) && last == i + 2) name = i;
  else if (t_.is_any(i, {"++", "--"}) && t_.is_word(i + 1) && last == i + 2) name = i + 1;
  int variable = -1;
  if (name != npos)
    for (const auto& scope : scopes_)
      if (auto found = scope.find(std::string(t_[name].text)); found != scope.end()) variable = found->second;
  if (variable < 0 || list[size_t(variable)].role > RegionVariable::control) {
    if (in_head) refuse("the head of a loop with a barrier does more than count");
    scan(span);
    return;
  }
  RegionVariable& v = list[size_t(variable)];
  if (v.guard < guard_ || (guard_ > 0 && !in_head)) {  // not where all threads are
    v.changes = true;
    scan(span);
    return;
  }
  used_[name - first_] = variable;
  if (from < last) {
    v.values.push_back({from, last});
    scan({from, last});
  }
  if (!in_head || v.role != RegionVariable::control) v.assigned = true;
}

// Names in an expression or statement that each thread executes for itself.
void RegionNames::scan(Span span) {
  std::vector<Shadow> hidden;
  for (size_t i = span.from; i < span.to; ++i) {
    if (!t_.is_word(i) || t_.is_any(i - 1, {".", "->", "::"})) continue;
    if (t_.is_any(i, {"decltype", "typeof", "__typeof", "__typeof__", "__decltype"}) && t_.is(i + 1, "("))
      outside_.push_back({i, t_.closed(i + 1)});
    shadows(i, hidden);
    const std::string name(t_[i].text);
    if (std::any_of(hidden.begin(), hidden.end(), [&](const Shadow& s) { return s.name == name && i < s.end; }))
      continue;
    for (const auto& scope : scopes_)
      if (auto found = scope.find(name); found != scope.end()) use(i, found->second);
  }
}

// For a declaration that begins at i, inside a statement: its first name, and the end of that.
void RegionNames::shadows(size_t i, std::vector<Shadow>& out) const {
  const bool in_head = t_.is(i - 1, "(") && t_.is(i - 2, "for");
  if (!in_head && !t_.is_any(i - 1, {"{", "}", ";"})) return;
  size_t at = i;
  while (t_.is(at, "const") || is_type_word(t_, at) || t_.is(at, "auto")) ++at;
  if (at == i && t_.is_word(at) && !is_reserved(t_, at)) ++at;
  if (at == i) return;
  while (t_.is_any(at, {"*", "const"})) ++at;
  if (!t_.is_word(at) || !t_.is_any(at + 1, {"=", ";", "[", ","}) || is_reserved(t_, at)) return;
  size_t end = npos;
  if (in_head) {
    end = t_.statement(i - 2);
  } else {
    int depth = 0;
    for (size_t k = i; k < t_.size() && end == npos; ++k) {
      depth += t_.is(k, "{") - t_.is(k, "}");
      if (depth < 0) end = k;
    }
  }
  if (end != npos) out.push_back({std::string(t_[at].text), end});
}

void RegionNames::use(size_t i, int variable) {
  used_[i - first_] = variable;
  RegionVariable& v = list[size_t(variable)];
  v.changes |= may_change(i, v);
}

bool RegionNames::builtin(const RegionVariable& v) const {
  if (v.array) return false;
  for (size_t i = v.type.from; i < v.type.to; ++i)
    if (is_type_word(t_, i)) return true;
  return v.pointer;
}

// `Pair p = {1, 2}` does not look like a number.
bool RegionNames::aggregate(const RegionVariable& v) const {
  const size_t first = v.declared.init.from;
  return !builtin(v) && !v.declared.init.empty() && (t_.is(first, "{") || (t_.is(first, "=") && t_.is(first + 1, "{")));
}

// Whether the text around the name at i looks as if it could change the variable.
bool RegionNames::may_change(size_t i, const RegionVariable& v) const {
  // Skips parts of it: members, and elements unless it is a pointer.
  size_t after = i + 1;
  const bool whole = builtin(v);
  while (!whole && ((t_.is(after, ".") && t_.is_word(after + 1)) || t_.is(after, "["))) {
    after = t_.is(after, ".") ? after + 2 : t_.closed(after);
    if (after == npos) return true;
  }
  if (t_.is_any(after, {"[", "->"})) return t_.is_any(i - 1, {"++", "--"}) && !whole;  // the pointer is dereferenced
  if (t_.is(i - 1, "&") && !operand_before(i - 1)) return true;
  const bool lambda = !v.values.empty() && t_.is(v.values[0].from, "=") && t_.is(v.values[0].from + 1, "[");
  if (t_.is(after, "(")) return !lambda || after != i + 1;
  if (is_assignment(t_, after) || t_.is_any(after, {"++", "--"}) || t_.is_any(i - 1, {"++", "--"})) return true;
  if (v.array && after == i + 1) return true;
  if (t_.is(i - 1, "=") && t_.is_word(i - 2) && t_.is_any(i - 3, {"&", "&&"})) return true;  // T& r = v
  if (t_.is(i - 1, ":") && t_.is(after, ")") && !whole) return true;                         // for (... : v)
  if (!t_.is_any(i - 1, {"(", ",", "{"}) || !t_.is_any(after, {")", ",", "}"})) return false;
  size_t open = i - 1;
  for (int depth = 0; open > first_; --open) {
    depth += t_.is_any(open, {")", "]", "}"}) - t_.is_any(open, {"(", "[", "{"});
    if (depth < 0) break;
  }
  if (t_.is(open, "{")) return true;
  if (!t_.is(open, "(")) return false;
  const size_t close = t_.closed(open);
  if (close != npos && (is_assignment(t_, close) || t_.is_any(close, {"++", "--"})) && !t_.is_word(open - 1))
    return true;  // (v) = 3
  if (t_.is_any(open - 1, {">", ")", "]"})) return !is_cast(t_.opened(open - 1), open - 1);
  if (!t_.is_word(open - 1) || is_reserved(t_, open - 1) || is_type_word(t_, open - 1)) return false;
  const bool declares =
      t_.is_any(open - 2, {"*", "&", ">"}) || (t_.is_word(open - 2) && !is_reserved(t_, open - 2));  // T w(v)
  if (declares) return !is_type_word(t_, open - 2);
  return !takes_values(open - 1);
}

// Whether the named function takes no parameter by reference, as far as the text shows it; the text has all functions
// except the built-in ones.
bool RegionNames::takes_values(size_t call) const {
  if (used_[call - first_] >= 0) return false;  // a variable is called
  const std::string_view name = t_[call].text;
  for (size_t i = 1; i < t_.size(); ++i) {
    if (t_[i].text != name || t_[i].kind != Token::Kind::word) continue;
    if (!t_.is(i + 1, "(")) {
      if (t_.is(i - 1, "::") || t_.is(i + 1, "::")) continue;
      return false;  // not a function, or several
    }
    const size_t close = t_.closed(i + 1);
    if (close == npos) return false;
    const bool behind_type = t_.is_word(i - 1) ? !is_reserved(t_, i - 1) || t_.is_any(i - 1, {"auto", "const"})
                                               : t_.is_any(i - 1, {"*", "&", ">"});
    const bool defined = behind_type || t_.is_any(close, {"{", "const", "noexcept"}) || t_.is(close, ":");
    if (!defined) continue;
    for (size_t k = i + 2; k + 1 < close; ++k)
      if (t_.is_any(k, {"&", "&&"})) return false;
  }
  return true;
}

bool RegionNames::operand_before(size_t i) const {
  if (i == 0) return false;
  if (t_.is(i - 1, ")")) {
    const size_t open = t_.opened(i - 1);
    return open == npos || !is_cast(open, i - 1);
  }
  if (t_[i - 1].kind == Token::Kind::number || t_.is(i - 1, "]")) return true;
  return t_.is_word(i - 1) && !is_reserved(t_, i - 1) && !is_type_word(t_, i - 1);
}

// ( type )
bool RegionNames::is_cast(size_t open, size_t close) const {
  if (open == npos || !t_.is(open, "(") || close < open + 2) return false;
  bool type = false;
  for (size_t i = open + 1; i < close; ++i) {
    if (is_type_word(t_, i)) type = true;
    else if (!t_.is_any(i, {"const", "volatile"}) && !(t_.is(i, "*") && i > open + 1)) return false;
  }
  return type && (open == 0 || !t_.is_word(open - 1) || t_.is(open - 1, "return"));
}

// The largest set of uniform variables that is consistent, and then the repeated ones.
void RegionNames::settle() {
  for (RegionVariable& v : list) {
    v.uniform = v.role <= RegionVariable::control && !v.changes && !v.array && !v.reference && !aggregate(v);
    if (v.role == RegionVariable::constant) v.uniform = !v.array;
  }
  for (bool again = true; again;) {
    again = false;
    for (RegionVariable& v : list) {
      if (!v.uniform || v.role == RegionVariable::constant) continue;
      for (const Span& value : v.values)
        if (v.uniform && !plain(value, false)) v.uniform = false, again = true;
    }
  }
  for (RegionVariable& v : list) {
    if (v.role == RegionVariable::control && !v.uniform) refuse("threads may count " + v.name + " differently");
    if (v.uniform && v.role != RegionVariable::constant)
      for (const Span& value : v.values) note(value);
    if (v.role != RegionVariable::own || v.uniform || v.changes || v.assigned || v.array || v.reference ||
        aggregate(v) || v.values.empty())
      continue;
    v.repeated = plain(v.values[0], true);
    if (v.repeated) note(v.values[0]);
  }
}

bool RegionNames::plain(Span span, bool by_thread) const { return walk(span, by_thread, nullptr); }
void RegionNames::note(Span span) { walk(span, true, this); }

bool RegionNames::walk(Span span, bool by_thread, RegionNames* notes) const {
  size_t i = span.from, to = span.to;
  if (t_.is(i, "=")) ++i;
  if (t_.is(i, "{") && t_.closed(i) == to) ++i, --to;
  if (i >= to) return false;
  for (; i < to; ++i) {
    const Token& token = t_[i];
    if (token.kind == Token::Kind::number) continue;
    if (token.kind == Token::Kind::literal) {
      if (token.text.back() != '\'') return false;
      continue;
    }
    if (token.kind == Token::Kind::mark) {
      if (t_.is_any(i, {"&", "*"})) {
        const bool of_type = t_.is(i, "*") && i > 0 && (is_type_word(t_, i - 1) || t_.is_any(i - 1, {"*", "const"}));
        if (!of_type && !operand_before(i)) return false;
      } else if (!t_.is_any(i, {"+",  "-",  "/",  "%", "<<", ">>", "<", ">", "<=", ">=", "==",
                                "!=", "&&", "||", "!", "~",  "|",  "^", "?", ":",  "(",  ")"})) {
        return false;
      }
      continue;
    }
    if (is_place(t_, i)) {
      if (t_.is(i, "threadIdx") && !by_thread) return false;
      if (!t_.is(i + 1, ".") || !t_.is_any(i + 2, {"x", "y", "z"})) return false;
      i += 2;
      continue;
    }
    if (t_.is_any(i, {"true", "false", "nullptr", "warpSize", "const", "volatile"}) || is_type_word(t_, i)) continue;
    if (t_.is(i, "sizeof") && t_.is(i + 1, "(")) {
      const size_t end = t_.closed(i + 1);
      if (of_threads({i, end})) return false;
      i = end - 1;
      continue;
    }
    if (t_.is(i, "static_cast") && t_.is(i + 1, "<")) {
      for (++i; i + 1 < to && !t_.is(i + 1, ">"); ++i)
        if (!is_type_word(t_, i + 1) && !t_.is_any(i + 1, {"const", "*"})) return false;
      ++i;
      continue;
    }
    if (is_reserved(t_, i)) return false;
    if (const int number = at(i); number >= 0) {
      const RegionVariable& v = list[size_t(number)];
      if (t_.is_any(i + 1, {"[", ".", "->", "(", "++", "--"}) || t_.is_any(i - 1, {"++", "--"})) return false;
      // A repeated value must be the same later, which it is not if it depends on a variable that changes.
      const bool lasts = by_thread ? (v.uniform && !v.assigned) || v.repeated : v.uniform;
      if (!notes && (v.role == RegionVariable::shared ? !v.array : !lasts)) return false;
      if (notes && v.role < RegionVariable::shared) notes->numbers.insert(number);
      continue;
    }
    // A name of the text: a constant, or a type in a cast.
    const size_t begin = i;
    while (t_.is(i + 1, "::") && t_.is_word(i + 2)) i += 2;
    if (t_.is_any(i + 1, {"(", "[", ".", "->", "{"})) return false;
    if (t_.is(i + 1, "<")) {  // a call of a template's instance: Shared<T>()
      size_t angle = i + 2;
      while (angle < to &&
             (t_.is_word(angle) || t_[angle].kind == Token::Kind::number || t_.is_any(angle, {",", "*", "::"})))
        ++angle;
      if (t_.is(angle, ">") && t_.is_any(angle + 1, {"(", "{", "::"})) return false;
    }
    size_t close = i + 1;
    while (t_.is(close, "*")) ++close;
    const bool operand =
        close + 1 < to && (t_.is_word(close + 1) || t_.is(close + 1, "(") || t_[close + 1].kind == Token::Kind::number);
    const bool cast = t_.is(begin - 1, "(") && t_.is(close, ")") && operand;  // (T) or (T*) before an operand
    if (notes) (cast ? notes->types : notes->constants).insert(t_.joined(begin, i + 1));
    if (cast) i = close - 1;
  }
  return true;
}

}  // namespace tenon::cpu
