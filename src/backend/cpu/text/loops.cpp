// backend/cpu/text/loops.cpp: finding counted loops in the text, and adding calls next to them.
//
// Correctness does not depend on this search, only on the rewritten text having the same meaning: the proof rejects
// loops that do not stride over the grid, and if the rewritten text does not compile, the original one is used.
#include "backend/cpu/text/loops.hpp"
#include <algorithm>
#include <initializer_list>
#include <string_view>
#include "backend/cpu/text/loop_state.hpp"
#include "backend/cpu/text/tokens.hpp"

namespace tenon::cpu {
namespace {

// Recognises loops in a list of tokens. Positions are indices into the list; npos: not found.
class LoopFinder {
 public:
  explicit LoopFinder(const Tokens& tokens) : t_(tokens) {}

  std::vector<CountedLoop> run() {
    std::vector<CountedLoop> out;
    for (size_t i = 0; i + 1 < t_.size(); ++i)
      if (is_any(i, {"for", "while"}) && is(i + 1, "(") && !t_[i].after_pragma) {
        CountedLoop loop;
        if (recognise(i, loop)) out.push_back(loop);
      }
    for (size_t i = 0; i < out.size(); ++i)
      for (size_t j = 0; j < i; ++j) out[i].depth += out[j].end >= out[i].end;
    return out;
  }

 private:
  static constexpr size_t npos = Tokens::npos;
  static constexpr std::initializer_list<const char*> kChanges = {
      "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--", "{", ";", "..."};

  bool is(size_t i, std::string_view text) const { return t_.is(i, text); }
  bool is_any(size_t i, std::initializer_list<const char*> texts) const { return t_.is_any(i, texts); }
  size_t closed(size_t i) const { return t_.closed(i); }

  size_t statement(size_t i) const { return t_.statement(i); }
  size_t outside(size_t from, size_t to, std::initializer_list<const char*> texts) const {
    return t_.outside(from, to, texts);
  }
  std::string joined(size_t from, size_t to) const { return t_.joined(from, to); }

  // An expression without visible side effects, not empty, that does not mention `name`.
  bool plain(size_t from, size_t to, std::string_view name) const {
    if (from >= to || outside(from, to, {","}) != npos) return false;
    for (size_t i = from; i < to; ++i)
      if (is_any(i, kChanges) || (!name.empty() && is(i, name))) return false;
    return true;
  }
  bool recognise(size_t at, CountedLoop& out) const {
    const size_t open = at + 1, after = closed(open);
    if (after == npos) return false;
    const size_t end = statement(after);
    if (end == npos || is(after, ";")) return false;
    size_t body_end = end;
    if (!(is(at, "for") ? in_head(open, after, out) : in_body(open, after, end, body_end, out))) return false;
    for (size_t i = after; i < end; ++i)
      if (is_any(i, {"return", "goto", "static", "thread_local", "co_await", "co_yield", "co_return", "asm", "__asm",
                     "__asm__", "__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"}))
        return false;
    out.begin = t_[at].begin, out.body = t_[after].begin, out.body_end = t_[body_end - 1].end(),
    out.end = t_[end - 1].end();
    out.line = t_[at].line, out.body_line = t_[after].line;
    out.file = t_.files()[size_t(t_[at].file)];
    if (in_void_function(t_, at)) out.sums = changed_names(t_, after, body_end, out.name);
    return t_[at].file == t_[after].file;
  }

  // for (start; bound; step)
  bool in_head(size_t open, size_t after, CountedLoop& out) const {
    const size_t first = outside(open + 1, after - 1, {";"});
    if (first == npos) return false;
    const size_t second = outside(first + 1, after - 1, {";"});
    if (second == npos || outside(second + 1, after - 1, {";"}) != npos) return false;
    return step(second + 1, after - 1, out) && bound(first + 1, second, out) && start(open + 1, first, out);
  }
  // while (bound) { ... step; }, without a continue before the step
  bool in_body(size_t open, size_t after, size_t end, size_t& body_end, CountedLoop& out) const {
    if (!is(after, "{") || !is(end - 2, ";")) return false;
    size_t last = end - 3;
    while (last > after && !is_any(last, {";", "{", "}"})) --last;
    for (size_t i = after; i < last; ++i)
      if (is(i, "continue")) return false;
    body_end = last + 1;
    out.closes = true;
    return body_end > after + 1 && step(last + 1, end - 2, out) && bound(open + 1, after - 1, out) &&
           start(last, last, out);
  }

  // i += s, i = i + s, i = s + i
  bool step(size_t from, size_t to, CountedLoop& out) const {
    if (to - from < 3 || t_[from].kind != Token::Kind::word) return false;
    out.name = t_[from].text;
    size_t a = from + 2, b = to;
    if (is(from + 1, "=")) {
      if (is(a, out.name) && is(a + 1, "+")) a += 2;
      else if (is(to - 1, out.name) && is(to - 2, "+")) b -= 2;
      else return false;
      if (outside(a, b, {"<", ">", "<=", ">=", "<=>", "==", "!=", "&", "|", "^", "&&", "||", "?", "<<", ">>"}) != npos)
        return false;
    } else if (!is(from + 1, "+=")) {
      return false;
    }
    if (!plain(a, b, out.name) || (b - a == 1 && t_[a].kind == Token::Kind::number)) return false;
    out.step = joined(a, b);
    return true;
  }
  // i < n, i <= n, n > i, n >= i
  bool bound(size_t from, size_t to, CountedLoop& out) const {
    if (to - from < 3) return false;
    size_t a = from + 2, b = to;
    if (is(from, out.name) && is_any(from + 1, {"<", "<="})) {
      out.inclusive = is(from + 1, "<=");
    } else if (is(to - 1, out.name) && is_any(to - 2, {">", ">="})) {
      out.inclusive = is(to - 2, ">=");
      a = from, b = to - 2;
    } else {
      return false;
    }
    if (outside(a, b, {"<", ">", "<=", ">=", "<=>", "==", "!=", "&", "|", "^", "&&", "||", "?"}) != npos ||
        !plain(a, b, out.name))
      return false;
    out.bound = joined(a, b);
    return true;
  }
  // T i = a, i = a, or empty
  bool start(size_t from, size_t to, CountedLoop& out) const {
    if (from == to) {
      out.start = out.name;
      return true;
    }
    const size_t equals = outside(from, to, {"="});
    if (equals == npos || equals == from || !is(equals - 1, out.name)) return false;
    const bool declared = equals - 1 > from;
    if (!plain(equals + 1, to, declared ? out.name : std::string_view())) return false;
    for (size_t i = from; i < equals - 1; ++i) {
      if (t_[i].kind == Token::Kind::word
              ? is_any(i, {"volatile", "static", "register", "thread_local", "constexpr", "const"})
              : !is_any(i, {"::", "<", ">", ","}))
        return false;
      if (is(i, "auto") && equals - 1 - from > 1) return false;
    }
    out.start = joined(equals + 1, to);
    out.type = joined(from, equals - 1);
    return true;
  }

  const Tokens& t_;
};

std::string place(int line, const std::string& file) { return "\n# " + std::to_string(line) + " " + file + "\n"; }

}  // namespace

LoopText::LoopText(std::string text) : text_(std::move(text)) {
  const Tokens tokens(text_);
  loops_ = LoopFinder(tokens).run();
  for (const Token& token : tokens.list()) {
    if (tokens.files()[size_t(token.file)] == "\"tenon signatures\"")
      break;  // Tenon's own lines after the text (kernel/source/signature_text.cpp)
    if (token.kind == Token::Kind::word) words_.emplace_back(token.text);
  }
  std::sort(words_.begin(), words_.end());
  words_.erase(std::unique(words_.begin(), words_.end()), words_.end());
}

bool LoopText::mentions(const std::string& identifier) const {
  return std::binary_search(words_.begin(), words_.end(), identifier);
}

bool LoopText::has_sums() const {
  return std::any_of(loops_.begin(), loops_.end(), [](const CountedLoop& loop) { return !loop.sums.empty(); });
}
bool LoopText::has_rows() const {
  return std::any_of(loops_.begin(), loops_.end(), [](const CountedLoop& loop) { return loop.sums.empty(); });
}
void LoopText::forget_sums() {
  for (CountedLoop& loop : loops_) loop.sums.clear();
}

std::string LoopText::rewritten(const std::vector<bool>& chosen) const { return render(0, text_.size(), chosen); }

std::string LoopText::render(size_t from, size_t to, const std::vector<bool>& chosen) const {
  std::string out;
  for (size_t k = 0; k < loops_.size(); ++k) {
    const CountedLoop& loop = loops_[k];
    if (!chosen[k] || loop.begin < from || loop.end > to) continue;
    const std::string id = std::to_string(k), type = "tenon_type_" + id, make = "tenon_make_" + id;
    const std::string body = render(loop.body, loop.body_end, chosen) + (loop.closes ? " }" : "");
    const bool deduced = loop.type.empty() || loop.type == "auto", sums = !loop.sums.empty();
    std::string parameters, arguments;  // the state that an iteration leaves for the next one of its thread
    for (const std::string& name : loop.sums) {
      parameters += ", TENON_TYPE_OF(" + name + ")& " + name;
      arguments += ", " + name;
    }
    out.append(text_, from, loop.begin - from);
    out +=
        "{ typedef " +
        (!deduced ? loop.type : "TENON_TYPE_OF(tenon_decayed(" + (loop.type.empty() ? loop.name : loop.start) + "))") +
        " " + type + "; const auto " + make + " = [&]() __attribute__((always_inline)) { return [=](" + type +
        " tenon_at" + parameters + ") TENON_BODY { tenon_turn tenon_one{}; " + type + " " + loop.name +
        " = tenon_at; for (; !tenon_one.done; tenon_one.done = true)" + place(loop.body_line, loop.file) + body +
        place(loop.line, loop.file) + "tenon_one.moved = " + loop.name + " != tenon_at; return tenon_one; }; }; if (" +
        (sums ? "tenon_sum<" : "tenon_loop<") + id + ", " + type + (loop.inclusive ? ", true" : ", false") +
        ">([&]() -> " + type + " { return " + loop.start + "; }, [&] { return " + loop.bound + "; }, [&] { return " +
        loop.step + "; }, " + make +
        (!sums               ? ""
         : loop.type.empty() ? ", " + loop.name
                             : ", tenon_nowhere") +
        arguments + ")) " +
        (sums                ? "{ TENON_SUM_LEFT } else "
         : loop.type.empty() ? "{ TENON_LOOP_LEFT(" + loop.name + "); } else "
                             : "{} else ");
    out.append(text_, loop.begin, loop.body - loop.begin);
    out += render(loop.body, loop.end, chosen) + " }";
    from = loop.end;
  }
  return out.append(text_, from, to - from);
}

}  // namespace tenon::cpu
