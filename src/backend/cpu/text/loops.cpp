// backend/cpu/text/loops.cpp: finding counted loops in the text, and adding calls next to them.
//
// Correctness does not depend on this search, only on the rewritten text having the same meaning: the proof rejects
// loops that do not stride over the grid, or have effects, and if the rewritten text does not compile, the original one
// is used.
#include "backend/cpu/text/loops.hpp"
#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <set>
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
    find_beside(out);
    std::sort(out.begin(), out.end(), [](const CountedLoop& a, const CountedLoop& b) { return a.begin < b.begin; });
    for (size_t i = 0; i < out.size(); ++i)
      for (size_t j = 0; j < i; ++j) out[i].depth += out[j].end >= out[i].end;
    return out;
  }

 private:
  static constexpr int kMostOfKernel = 4;  // tenon_most_beside
  static constexpr size_t kLongestBeside = 150, kFewIterations = 32;
  // Operators that bind less than +, apart from shifts, or than <.
  static constexpr std::initializer_list<const char*> kWeaker = {
      "<",  ">",  "<=", ">=",     "<=>",   "==",  "!=",  "&",  "|",     "^",
      "&&", "||", "?",  "bitand", "bitor", "xor", "and", "or", "not_eq"};
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
    if (void_function_of(t_, at, false) != npos) out.sums = changed_names(t_, after, body_end, out.name);
    return t_[at].file == t_[after].file;
  }

  // The loops of kernels that threads may run side by side: with sums, reached once, and preceded by no other loop,
  // because what precedes them runs several times. None in a text that could tell the place of a thread's index or its
  // type, which are others in a proof.
  void find_beside(std::vector<CountedLoop>& out) const {
    for (size_t i = 0; i < t_.size(); ++i)
      if (is_any(i, {"threadIdx", "blockIdx", "blockDim", "gridDim"}) && !is(i + 1, ".")) return;
    const std::set<std::string_view> looping = functions_with_loops();
    for (size_t i = 0; i + 1 < t_.size(); ++i) {
      if (!is(i, "__global__")) continue;
      size_t open = i + 1;
      while (open < t_.size() && !is_any(open, {"{", ";", "}", "__global__"})) ++open;
      const size_t close = is(open, "{") ? closed(open) : npos;
      if (close == npos) continue;
      int number = 0;
      for (size_t at = open; at < close && number < kMostOfKernel; ++at) {
        if (is_any(at, {"while", "do", "goto"}) || calls(at, looping)) break;
        if (!is(at, "for")) continue;
        CountedLoop loop;
        const size_t end = beside(at, loop);
        if (end == npos) break;
        loop.number = number++;
        out.push_back(loop);
        at = end - 1;
      }
      i = close - 1;
    }
  }
  bool calls(size_t i, const std::set<std::string_view>& names) const {
    return t_.is_word(i) && is_any(i + 1, {"(", "<"}) && names.count(t_[i].text);
  }
  // The names of functions of the text that have loops.
  std::set<std::string_view> functions_with_loops() const {
    std::set<std::string_view> out;
    std::vector<std::string_view> around;  // of each open brace, the word before the brackets before it
    for (size_t i = 0; i < t_.size(); ++i) {
      if (is(i, "{")) {
        const size_t close = i > 0 && is(i - 1, "const") ? i - 2 : i - 1;
        const size_t open = i > 1 && is(close, ")") ? t_.opened(close) : npos;
        around.push_back(open != npos && open > 0 && t_.is_word(open - 1) ? t_[open - 1].text : "");
      } else if (is(i, "}")) {
        if (!around.empty()) around.pop_back();
      } else if (is_any(i, {"for", "while", "do"})) {
        out.insert(around.begin(), around.end());
      }
    }
    for (const char* word : {"", "if", "for", "while", "switch"}) out.erase(word);
    return out;
  }
  // The end of the statement, if it is such a loop; npos: it is not.
  size_t beside(size_t at, CountedLoop& out) const {
    const size_t open = at + 1, after = is(open, "(") ? closed(open) : npos,
                 end = after == npos ? npos : statement(after);
    if (end == npos || end - after > kLongestBeside || t_[at].after_pragma || t_[at].file != t_[after].file)
      return npos;
    const size_t first = outside(open + 1, after - 1, {";"}),
                 second = first == npos ? npos : outside(first + 1, after - 1, {";"}), step = second + 1;
    if (second == npos || outside(step, after - 1, {";", ","}) != npos) return npos;
    const bool before = is(step, "++");
    if (after - 1 - step == 2 && (before || is(step + 1, "++"))) {
      out.name = t_[step + before].text, out.step = "1";
    } else if (after - 1 - step == 3 && is(step + 1, "+=") && t_[step + 2].kind == Token::Kind::number) {
      out.name = t_[step].text, out.step = t_[step + 2].text;
      if (out.step.size() > 4 || out.step.find_first_not_of("0123456789") != out.step.npos) return npos;
    } else {
      return npos;
    }
    if (!bound(first + 1, second, out) || !start(open + 1, first, out)) return npos;
    if (std::strtoull(out.bound.c_str(), nullptr, 0) <= kFewIterations &&
        out.bound.find_first_not_of("0123456789") == out.bound.npos)
      return npos;  // the compiler unrolls it, and takes several threads at once
    for (size_t i = after; i < end; ++i)
      if (is_any(i, {"for", "while", "do", "switch", "break", "return", "goto", "static", "thread_local", "asm",
                     "__asm", "__asm__", "decltype", "typeof", "__typeof__", "__typeof", "__func__", "__FUNCTION__",
                     "__PRETTY_FUNCTION__"}))
        return npos;
    const size_t function = void_function_of(t_, at, true);
    if (function == npos) return npos;
    out.kernel = t_[function].text;
    out.sums = changed_names(t_, after, end, out.name);
    out.begin = t_[at].begin, out.body = t_[after].begin, out.body_end = out.end = t_[end - 1].end();
    out.line = t_[at].line, out.body_line = t_[after].line;
    out.file = t_.files()[size_t(t_[at].file)];
    return out.sums.empty() ? npos : end;
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
      if (outside(a, b, kWeaker) != npos || outside(a, b, {"<<", ">>"}) != npos) return false;
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
    if (outside(a, b, kWeaker) != npos || !plain(a, b, out.name)) return false;
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
  return std::any_of(loops_.begin(), loops_.end(),
                     [](const CountedLoop& loop) { return loop.kernel.empty() && !loop.sums.empty(); });
}
bool LoopText::has_rows() const {
  return std::any_of(loops_.begin(), loops_.end(),
                     [](const CountedLoop& loop) { return loop.kernel.empty() && loop.sums.empty(); });
}
void LoopText::forget_sums() {
  for (CountedLoop& loop : loops_)
    if (loop.kernel.empty()) loop.sums.clear();
}
bool LoopText::has_beside() const {
  return std::any_of(loops_.begin(), loops_.end(), [](const CountedLoop& loop) { return !loop.kernel.empty(); });
}
int LoopText::loops_of(const std::string& kernel) const {
  return int(
      std::count_if(loops_.begin(), loops_.end(), [&](const CountedLoop& loop) { return loop.kernel == kernel; }));
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
        place(loop.line, loop.file) + "tenon_one.moved = " + loop.name + " != tenon_at; return tenon_one; }; }; ";
    const std::string how = type + (loop.inclusive ? ", true" : ", false"),
                      lambdas =
                          "[&]() -> " + type + " { return " + loop.start + "; }, [&] { return " + loop.bound + "; }, ",
                      left = loop.type.empty() ? loop.name : "tenon_nowhere";
    if (!loop.kernel.empty())
      out += "const tenon_beside_next tenon_next = tenon_beside<" + std::to_string(loop.number) + ", " + how + ", " +
             loop.step + ">(" + lambdas + make + ", " + left + arguments +
             "); if (tenon_next == tenon_ends_here) return; if (tenon_next == tenon_as_written) ";
    else
      out += "if (" + std::string(sums ? "tenon_sum<" : "tenon_loop<") + id + ", " + how + ">(" + lambdas +
             "[&] { return " + loop.step + "; }, " + make + (sums ? ", " + left + arguments : "") + ")) " +
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
