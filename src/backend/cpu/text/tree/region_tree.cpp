// backend/cpu/text/tree/region_tree.cpp: reading a kernel's statements.
//
// Only certain cases are accepted: a statement that could be something other than it looks like refuses the kernel.
#include "backend/cpu/text/tree/region_tree.hpp"
#include <algorithm>

namespace tenon::cpu {
namespace {

constexpr std::initializer_list<const char*> kBarriers = {"__syncthreads", "__barrier_sync", "__syncwarp"};
// Operations of a warp: with an argument after the value, and without.
constexpr std::initializer_list<const char*> kShuffles = {"__shfl_sync", "__shfl_up_sync", "__shfl_down_sync",
                                                          "__shfl_xor_sync"};
constexpr std::initializer_list<const char*> kVotes = {"__ballot_sync",     "__any_sync",        "__all_sync",
                                                       "__reduce_add_sync", "__reduce_min_sync", "__reduce_max_sync",
                                                       "__reduce_and_sync", "__reduce_or_sync",  "__reduce_xor_sync"};
// Members of a tile: with an argument after the value, and without.
constexpr std::initializer_list<const char*> kTileShuffles = {"shfl", "shfl_up", "shfl_down", "shfl_xor"};
constexpr std::initializer_list<const char*> kTileVotes = {"any", "all", "ballot"};

// The name of the operation that begins at i; npos if none does.
size_t exchange_name(const Tokens& t, size_t i) {
  if (t.is_any(i, kShuffles) || t.is_any(i, kVotes)) return i;
  if (!t.is_word(i) || t.is_any(i - 1, {".", "->", "::"})) return npos;
  if (t.is(i + 1, ".") && t.is(i + 3, "(") && (t.is_any(i + 2, kTileShuffles) || t.is_any(i + 2, kTileVotes)))
    return i + 2;
  size_t at = i;
  while (t.is(at + 1, "::") && t.is_word(at + 2)) at += 2;
  return at > i && t.is(at, "reduce") && t.is(at + 1, "(") ? at : npos;
}

class TreeReader {
 public:
  TreeReader(const Tokens& tokens, const std::set<std::string, std::less<>>& waiting) : t_(tokens), waiting_(waiting) {}

  KernelTree run(const std::string& name) {
    KernelTree out;
    find(name, out);
    for (size_t i = out.open; i < out.close; ++i) look(i);
    if (!waits({out.open, out.close})) refuse("it has no barrier of its own");
    out.statements = list(out.open + 1, out.close);
    return out;
  }
  std::vector<RegionStatement> run(Span body) {
    for (size_t i = body.from; i < body.to; ++i) look(i);
    return list(body.from, body.to);
  }

 private:
  bool is(size_t i, std::string_view text) const { return t_.is(i, text); }
  bool is_any(size_t i, std::initializer_list<const char*> texts) const { return t_.is_any(i, texts); }
  bool is_name(size_t i) const { return t_.is_word(i) && !is_reserved(t_, i) && !is_type_word(t_, i); }
  size_t closed(size_t i) const {
    const size_t out = t_.closed(i);
    if (out == npos) refuse("a bracket is not closed");
    return out;
  }
  size_t end_of(size_t i) const {
    const size_t out = t_.statement(i);
    if (out == npos) refuse("a statement has no end");
    return out;
  }

  void find(const std::string& name, KernelTree& out) const {
    int found = 0;
    size_t open = 0;
    for (size_t i = 0; i < t_.size(); ++i) {
      if (!is(i, "__global__")) continue;
      for (size_t at = i + 1; at < t_.size() && !is_any(at, {";", "{", "}"}); ++at) {
        if (is_any(at, {"__attribute__", "alignas"}) && is(at + 1, "(")) {
          at = closed(at + 1) - 1;
        } else if (t_.is_word(at) && is_any(at + 1, {"(", "<"})) {
          if (is(at, name) && is(at + 1, "<")) refuse("a template's special case is a kernel of its own");
          if (is(at, name) && is(closed(at + 1), "{")) ++found, open = at + 1;
          break;
        }
      }
    }
    if (found != 1) refuse(found ? "several kernels have its name" : "its definition was not found");
    const size_t after = closed(open);
    out.open = after;
    out.close = closed(after) - 1;
    parameters(open + 1, after - 1, out);
  }

  void parameters(size_t from, size_t to, KernelTree& out) const {
    for (size_t at = from; at < to;) {
      size_t end = at;
      for (int angle = 0; end < to && (angle > 0 || !is(end, ",")); ++end) {
        angle += is(end, "<") - is(end, ">") - 2 * is(end, ">>");
        if (is_any(end, {"(", "["})) end = closed(end) - 1;
      }
      const size_t equals = std::min(t_.outside(at, end, {"="}), end);
      size_t name = equals - 1;
      if (is(name, "]")) name = t_.opened(name) - 1;
      if (name > at && is_name(name)) out.parameters.push_back({{at, name}, name});
      else if (equals - at > 1 && !t_.is_word(name) && !is_any(name, {"*", ">"}))
        refuse("a parameter is not a plain one");
      at = end + 1;
    }
  }

  // Rejects words that no kernel of this form contains.
  void look(size_t i) const {
    if (is_any(i, {"goto", "asm", "__asm", "__asm__", "alloca", "__builtin_alloca", "try", "co_await", "co_yield",
                   "co_return", "__func__", "__FUNCTION__", "__PRETTY_FUNCTION__", "thread_local", "and_eq", "or_eq",
                   "xor_eq", "bitand"}))
      refuse("it says " + std::string(t_[i].text));
    if (is(i, "<") && is_any(i + 1, {"%", ":", "::"}) && t_[i + 1].begin == t_[i].end()) refuse("a digraph");
    // The compiler would find these as well: this saves a compile.
    const bool waits = t_.is_word(i) && t_[i].text.substr(0, 2) == "__" &&
                       t_[i].text.find("_sync") != std::string_view::npos && !is_any(i, kBarriers) && !exchanges(i);
    if (waits || is_any(i, {"__syncthreads_and", "__syncthreads_or", "__syncthreads_count", "__activemask"}))
      refuse("it says " + std::string(t_[i].text));
  }

  // The end of the barrier that begins at i; i if none does.
  size_t barrier(size_t i, RegionStatement& out) const {
    if (is(i, "__syncthreads") && is(i + 1, "(") && is(i + 2, ")")) return i + 3;
    if (is(i, "__syncwarp") && is(i + 1, "(")) {
      const size_t end = closed(i + 1);
      out.mask = {i + 2, end - 1};
      out.of_warp = true;
      return end;
    }
    if (is(i, "__barrier_sync") && is(i + 1, "(") && i + 2 < t_.size() && t_[i + 2].kind == Token::Kind::number &&
        is(i + 3, ")"))
      return i + 4;
    if (!t_.is_word(i) && !is(i, "::")) return i;
    size_t at = is(i, "::") ? i + 1 : i;
    while (t_.is_word(at) && is(at + 1, "::")) at += 2;
    if (!is_name(at)) return i;
    if (is(at, "sync") && is(at + 1, "(")) {  // sync(block), sync(this_thread_block())
      const size_t end = closed(at + 1);
      if (end <= at + 3 || t_.outside(at + 2, end - 1, {","}) != npos) return i;
      out.function = {i, at + 1};
      out.group = {at + 2, end - 1};
      out.of_warp = true;
      return end;
    }
    size_t end = at + 1;
    if (is(end, "(") && is(end + 1, ")")) end += 2;  // block.sync(), this_thread_block().sync()
    if (!is(end, ".") || !is(end + 1, "sync") || !is(end + 2, "(") || !is(end + 3, ")")) return i;
    out.group = {i, end};
    out.of_warp = true;
    return end + 4;
  }

  bool waits(Span span) const {
    for (size_t i = span.from; i < span.to; ++i)
      if (region_waits(t_, i) || calls(i)) return true;
    return false;
  }
  bool calls(size_t i) const { return t_.is_word(i) && waiting_.count(t_[i].text); }
  bool exchanges(size_t i) const { return exchange_name(t_, i) != npos; }

  // The operations of warps in a statement without control flow. Everything else in it may run after all of their
  // arguments: nothing else has an effect except one assignment and the functions that get their results, and nothing
  // decides whether they are reached.
  void read_exchanges(RegionStatement& out) const {
    std::vector<size_t> calls;  // the ends of enclosing calls
    int assignments = 0;
    for (size_t i = out.all.from; i + 1 < out.all.to; ++i) {
      while (!calls.empty() && calls.back() <= i) calls.pop_back();
      if (exchanges(i)) {
        out.exchanges.push_back(exchange(i));
        i = out.exchanges.back().end - 1;
        continue;
      }
      assignments += is_assignment(t_, i);
      const bool in_call = !calls.empty();
      if (assignments > 1 ||
          is_any(i, {"++", "--", "?", "&&", "||", "{", ";", "throw", "new", "delete", "operator", "return"}) ||
          (is(i, ",") && !in_call) || (is(i, "[") && !t_.is_word(i - 1) && !is_any(i - 1, {"]", ")"})))
        refuse("an operation of a warp is part of a statement that is not understood");
      if (!is(i, "(") || !(t_.is_word(i - 1) || is(i - 1, ">")) || is_type_word(t_, i - 1)) continue;
      const size_t end = closed(i);
      bool around = false;
      for (size_t k = i + 1; k < end; ++k) around |= exchanges(k);
      if (!around) refuse("an operation of a warp is next to a call");
      calls.push_back(end - 1);
    }
  }
  RegionExchange exchange(size_t i) const {
    RegionExchange out;
    out.begin = i;
    const size_t name = out.name = exchange_name(t_, i);
    if (!is(name + 1, "(") || is_any(i - 1, {"::", ".", "->"})) refuse("an operation of a warp is not called plainly");
    out.end = closed(name + 1);
    for (size_t k = name + 1; k < out.end; ++k)
      if (exchanges(k)) refuse("an operation of a warp is given another one's result");
    std::vector<Span> given;
    for (size_t from = name + 2; from < out.end;) {
      const size_t comma = std::min(t_.outside(from, out.end - 1, {","}), out.end - 1);
      given.push_back({from, comma});
      from = comma + 1;
    }
    const bool member = name == i + 2 && is(i + 1, ".");
    if (member) given.insert(given.begin(), Span{i, i + 1});
    if (is(name, "reduce") && !member) out.function = {i, name + 1};
    const bool shuffles = is_any(name, kShuffles) || is_any(name, kTileShuffles) || out.reduces();
    const size_t least = shuffles ? 3 : 2, most = !shuffles ? 2 : is_any(name, kShuffles) ? 4 : 3;
    if (given.size() < least || given.size() > most) refuse("an operation of a warp has another number of arguments");
    for (const Span& one : given)
      if (one.empty()) refuse("an argument of an operation of a warp is not understood");
    (member || out.reduces() ? out.group : out.mask) = given[0];
    out.value = given[1];
    if (given.size() > 2) out.argument = given[2];
    if (given.size() > 3) out.width = given[3];
    if (!out.group.empty() && (out.group.to != out.group.from + 1 || !is_name(out.group.from)))
      refuse("the group of an operation of a warp is not a variable");
    if (out.reduces()) return out;
    for (const Span& one : {out.mask, out.argument, out.width})
      for (size_t k = one.from; k < one.to; ++k)
        if (!t_.is_word(k) && t_[k].kind != Token::Kind::number &&
            !is_any(k, {"+", "-", "*", "/", "%", "~", "(", ")", "<<", ">>", "|", "^", "::"}))
          refuse("an argument of an operation of a warp is not plain");
        else if (t_.is_word(k) && is(k + 1, "(")) refuse("an argument of an operation of a warp is not plain");
    return out;
  }
  // Whether a break or continue in it belongs to a loop around it.
  bool leaves(Span span, bool breaks = true) const {
    for (size_t i = span.from; i < span.to; ++i) {
      if (is(i, "continue") || (breaks && is(i, "break"))) return true;
      if (is_any(i, {"for", "while", "do"})) {
        i = end_of(i) - 1;
      } else if (is(i, "switch")) {
        const size_t end = end_of(i);
        if (leaves({closed(i + 1), end}, false)) return true;
        i = end - 1;
      }
    }
    return false;
  }

  std::vector<RegionStatement> list(size_t from, size_t to) const {
    std::vector<RegionStatement> out;
    while (from < to) {
      out.push_back(one(from));
      from = out.back().all.to;
    }
    return out;
  }
  // The statements of a body, with or without brackets.
  std::vector<RegionStatement> body(size_t at) const {
    if (is(at, "{")) return list(at + 1, closed(at) - 1);
    return list(at, end_of(at));
  }

  RegionStatement one(size_t i) const {
    RegionStatement out;
    if (is_any(i, {"else", "case", "default"}) || (t_.is_word(i) && is(i + 1, ":"))) refuse("a label");
    out.all = {i, end_of(i)};
    const bool apart = waits(out.all) || (!is_any(i, {"for", "while", "do"}) && leaves(out.all));
    if (is(i, ";")) return out;
    if (const size_t end = barrier(i, out); end != i) {
      if (!is(end, ";")) refuse("a barrier is part of an expression");
      out.kind = RegionStatement::barrier;
    } else if (is_any(i, {"break", "continue"})) {
      out.kind = RegionStatement::leave;
    } else if (is(i, "return")) {
      if (!is(i + 1, ";")) refuse("it returns something");
    } else if (is_any(i, {"{", "if", "for", "while", "do", "switch"})) {
      if (apart) take_apart(i, out);
    } else {
      for (size_t k = i; k < out.all.to; ++k) out.calls |= calls(k);
      if (apart && !out.calls) read_exchanges(out);
      if (apart && !out.calls && out.exchanges.empty()) refuse("a barrier is part of a statement");
      simple(i, out);
      if (apart && (out.kind == RegionStatement::outside || out.declared.size() > 1))
        refuse("an operation of a warp is part of a statement that is not understood");
    }
    return out;
  }

  void take_apart(size_t i, RegionStatement& out) const {
    if (is(i, "switch")) refuse("a barrier in a switch");
    if (is(i, "{")) {
      out.kind = RegionStatement::block;
      out.body = list(i + 1, out.all.to - 1);
      return;
    }
    if (is(i, "do")) {
      out.kind = RegionStatement::do_loop;
      out.body = body(i + 1);
      const size_t again = end_of(i + 1);
      out.condition = {again + 2, closed(again + 1) - 1};
      return;
    }
    const size_t open = is(i + 1, "constexpr") ? i + 2 : i + 1, after = closed(open);
    out.head = {i, after};
    out.body = body(after);
    if (is(i, "for")) {
      out.kind = RegionStatement::for_loop;
      const size_t first = t_.outside(open + 1, after - 1, {";"}),
                   second = first == npos ? npos : t_.outside(first + 1, after - 1, {";"});
      if (second == npos) refuse("a loop over a range has a barrier");
      out.start = {open + 1, first}, out.condition = {first + 1, second}, out.step = {second + 1, after - 1};
      RegionStatement head;
      if (declares(open + 1, head)) out.type = head.type, out.declared = head.declared;
      return;
    }
    out.kind = is(i, "if") ? RegionStatement::branch : RegionStatement::while_loop;
    out.condition = {open + 1, after - 1};
    if (const size_t other = end_of(after); is(i, "if") && is(other, "else")) out.otherwise = body(other + 1);
  }

  // The bracket that opens the body of the type which a statement at i defines; npos: it is the start of a variable's
  // (`struct S s = {1};`), it declares members of the block's (an anonymous union), or it is not understood.
  size_t body_of_type(size_t i) const {
    const bool names_numbers = is(i, "enum");
    size_t at = i + 1;
    if (names_numbers && is_any(at, {"class", "struct"})) ++at;
    while (is_any(at, {"alignas", "__attribute__", "__align__"}) && is(at + 1, "(")) at = closed(at + 1);
    if (is_name(at) && !is(at, "final")) ++at;
    else if (!names_numbers) return npos;
    if (is(at, "final")) ++at;
    if (is(at, ":"))  // bases, or the type of the numbers
      for (++at; t_.is_word(at) || is_any(at, {"::", ",", "<", ">"});) ++at;
    return is(at, "{") ? at : npos;
  }

  // A statement without control flow and without a barrier.
  void simple(size_t i, RegionStatement& out) const {
    const size_t last = out.all.to - 1;
    if (is_any(i, {"typedef", "using", "static_assert"}) || (is(i, "namespace") && is(i + 2, "="))) {
      out.kind = RegionStatement::outside;
    } else if (is_any(i, {"struct", "class", "union", "enum"})) {
      const size_t body = body_of_type(i);
      if (body == npos || closed(body) != last) refuse("a type and a variable are declared together");
      out.kind = RegionStatement::outside;
    } else if (declares(i, out)) {
      bool shared = false, fixed = false;
      for (size_t k = out.type.from; k < out.type.to; ++k)
        shared |= is(k, "__shared__"), fixed |= is_any(k, {"static", "constexpr", "extern"}),
            out.is_constant |= is(k, "constexpr");
      out.kind = shared || fixed ? RegionStatement::outside : RegionStatement::declaration;
      if (out.is_constant && shared) refuse("a shared constant");
    } else {
      expression(i, last);
    }
  }

  // If it is not a declaration, it must be an expression and look like one.
  void expression(size_t i, size_t last) const {
    if (is_any(i, {"alignas", "__attribute__", "[", "decltype", "typeof", "__typeof__", "typename", "const", "volatile",
                   "static", "extern", "__shared__", "auto", "template"}) ||
        is_type_word(t_, i))
      refuse("a declaration that is not understood");
    if (is_name(i) && is(i + 1, "(")) {
      const size_t after = closed(i + 1);
      if (is_any(after, {"(", "[", "="})) refuse("a declaration that is not understood");
    }
    if (t_.is_word(i) && (t_.is_word(i + 1) || is(i + 1, "<"))) {
      for (size_t k = i + 1; k < last; ++k)  // f<3>(x); or a < b
        if (is(k, ">") && is(k + 1, "(")) return;
      refuse("a declaration that is not understood");
    }
  }

  // `type a = 1, *b, c[3];` at i. False: it is not a declaration.
  bool declares(size_t i, RegionStatement& out) const {
    size_t at = i;
    bool named = false;
    for (;; ++at) {
      if (is_any(at, {"const", "volatile", "register", "constexpr", "static", "extern", "inline", "__shared__",
                      "typename"}))
        continue;
      if (is_any(at, {"__attribute__", "alignas"}) && is(at + 1, "(") && (at > i || shared_after(at))) {
        at = closed(at + 1) - 1;
      } else if (is_type_word(t_, at) || is(at, "auto")) {
        named = true;
      } else if (!named && is_name(at)) {
        named = true;
        for (;; at += 2) {
          if (is(at + 1, "<")) {
            at = angle_closed(at + 1);
            if (at == npos) return false;
          }
          if (!is(at + 1, "::") || !t_.is_word(at + 2)) break;
        }
      } else {
        break;
      }
    }
    if (!named) return false;
    out.type = {i, at};
    for (;;) {
      Declared one;
      one.before.from = at;
      while (is_any(at, {"*", "&", "&&", "const", "volatile", "__restrict__", "__restrict"})) ++at;
      one.before.to = one.name = at;
      if (!is_name(at) || !is_any(at + 1, {"=", ";", ",", "[", "(", "{", ")"})) {
        if (out.declared.empty()) return false;
        refuse("a declaration that is not understood");
      }
      one.after.from = ++at;
      while (is(at, "[")) at = closed(at);
      one.after.to = one.init.from = at;
      if (is(at, "=")) {
        if ((at = value_end(at)) == npos) return false;
      } else if (is_any(at, {"(", "{"})) {
        at = closed(at);
      }
      one.init.to = at;
      out.declared.push_back(one);
      if (is(at, ";")) return true;
      if (!is(at, ",")) {
        if (out.declared.size() == 1 && one.init.empty()) return false;
        refuse("a declaration that is not understood");
      }
      ++at;
    }
  }
  // The comma or semicolon after an initialiser. `f<a, b>(c)` is a call: after a comma that separates declarations, a
  // name follows, and no bracket.
  size_t value_end(size_t at) const {
    for (;;) {
      const size_t end = t_.outside(at, t_.size(), {",", ";"});
      if (end == npos || is(end, ";")) return end;
      size_t open = end - 1, close = npos;
      while (open > at && !is_any(open, {"<", "(", "[", "="})) --open;
      if (is(open, "<") && t_.is_word(open - 1)) close = angle_closed(open);
      if (close == npos || !is(close + 1, "(")) return end;
      at = close;
    }
  }
  bool shared_after(size_t at) const {
    for (; at < t_.size() && !is(at, ";"); ++at)
      if (is(at, "__shared__")) return true;
    return false;
  }
  size_t angle_closed(size_t i) const {
    int depth = 0;
    for (; i < t_.size() && !is_any(i, {";", "{", "}", "&&", "||", "="}); ++i) {
      depth += is(i, "<") - is(i, ">") - 2 * is(i, ">>");
      if (is_any(i, {"(", "["})) i = closed(i) - 1;
      if (depth <= 0) return depth < 0 ? npos : i;
    }
    return npos;
  }

  const Tokens& t_;
  const std::set<std::string, std::less<>>& waiting_;
};

}  // namespace

KernelTree read_kernel(const Tokens& tokens, const std::string& name) { return TreeReader(tokens, {}).run(name); }

std::vector<RegionStatement> read_statements(const Tokens& tokens, Span body,
                                             const std::set<std::string, std::less<>>& waiting) {
  return TreeReader(tokens, waiting).run(body);
}

bool region_waits(const Tokens& t, size_t i) {
  return t.is_any(i, kBarriers) || exchange_name(t, i) != npos || (t.is(i, "sync") && t.is(i + 1, "("));
}

bool is_type_word(const Tokens& t, size_t i) {
  return t.is_any(
      i, {"int",     "unsigned", "signed",    "long",     "short",   "char",    "bool",     "float",   "double",
          "void",    "size_t",   "ptrdiff_t", "int8_t",   "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t",
          "int64_t", "uint64_t", "uintptr_t", "intptr_t", "uint",    "ushort",  "uchar",    "ulong"});
}
bool is_reserved(const Tokens& t, size_t i) {
  return t.is_any(i, {"if",
                      "else",
                      "for",
                      "while",
                      "do",
                      "switch",
                      "case",
                      "default",
                      "break",
                      "continue",
                      "return",
                      "goto",
                      "new",
                      "delete",
                      "sizeof",
                      "alignof",
                      "typedef",
                      "using",
                      "static_assert",
                      "static_cast",
                      "reinterpret_cast",
                      "const_cast",
                      "dynamic_cast",
                      "const",
                      "volatile",
                      "static",
                      "extern",
                      "constexpr",
                      "register",
                      "inline",
                      "struct",
                      "class",
                      "union",
                      "enum",
                      "typename",
                      "template",
                      "operator",
                      "this",
                      "true",
                      "false",
                      "nullptr",
                      "throw",
                      "try",
                      "catch",
                      "auto",
                      "decltype",
                      "alignas",
                      "noexcept",
                      "namespace",
                      "__shared__",
                      "__attribute__",
                      "mutable",
                      "friend",
                      "and",
                      "or",
                      "not",
                      "xor",
                      "bitand",
                      "bitor",
                      "compl"});
}
bool is_assignment(const Tokens& t, size_t i) {
  return t.is_any(i, {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="});
}

}  // namespace tenon::cpu
