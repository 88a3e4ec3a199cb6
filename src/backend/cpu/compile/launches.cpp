// backend/cpu/compile/launches.cpp: rewriting <<<>>>.
#include "backend/cpu/compile/launches.hpp"
#include "backend/cpu/text/tokens.hpp"
#include "core/error.hpp"

namespace tenon::cpu {
namespace {

class Reader {
 public:
  Reader(const std::string& text, const Tokens& tokens) : text_(text), t_(tokens) {}
  int count = 0;
  std::string log;

  std::string run() {
    std::string out;
    size_t copied = 0;
    for (size_t i = 1; i < t_.size(); ++i) {
      in_main_ |= t_.is(i, "main") && t_.is(i - 1, "int");
      if (!three(i, "<<", "<")) continue;
      const size_t name = name_before(i), config = i + 2, end = config_end(config);
      if (name == Tokens::npos || end == Tokens::npos) continue;
      const size_t values = after_three(end);
      if (in_main_) report(i);
      const std::string kernel = text_.substr(t_[name].begin, t_[i - 1].end() - t_[name].begin);
      out += text_.substr(copied, t_[name].begin - copied);
      out += "(::tenon_children<decltype(&" + kernel + "), &" + kernel + ">(\"" + kernel + "\", " +
             text_.substr(t_[config].begin, t_[end - 1].end() - t_[config].begin) + "))";
      copied = t_[values].begin;
      ++count;
      i = values;
    }
    return out + text_.substr(copied);
  }

 private:
  bool joined(size_t i) const { return i + 1 < t_.size() && t_[i].end() == t_[i + 1].begin; }
  // `<<<` is read as << and <.
  bool three(size_t i, const char* two, const char* one) const { return t_.is(i, two) && joined(i) && t_.is(i + 1, one); }
  size_t after_three(size_t i) const { return i + 2; }

  // Where the name begins that ends before i, with its namespaces and template arguments; npos: it is no name.
  size_t name_before(size_t i) const {
    size_t at = i;
    int depth = 0;
    if (at > 0 && t_.is_any(at - 1, {">", ">>"})) {
      do {
        --at;
        if (t_.is(at, ">>")) depth += 2;
        else if (t_.is(at, ">")) ++depth;
        else if (t_.is(at, "<")) --depth;
        else if (t_.is_any(at, {";", "{", "}"})) return Tokens::npos;
      } while (depth > 0 && at > 0);
    }
    if (depth != 0 || at == 0 || !t_.is_word(at - 1)) return Tokens::npos;
    --at;
    while (at >= 2 && t_.is(at - 1, "::") && t_.is_word(at - 2)) at -= 2;
    return at > 0 && t_.is(at - 1, "::") ? at - 1 : at;
  }
  // Where `>>>` begins, before the parameters' bracket; npos: nowhere in this statement.
  size_t config_end(size_t at) const {
    for (; at + 2 < t_.size() && !t_.is_any(at, {";", "{", "}"}); ++at) {
      if (three(at, ">>", ">") && t_.is(at + 2, "(")) return at;
      if (t_.is_any(at, {"(", "["})) at = t_.closed(at) - 1;
    }
    return Tokens::npos;
  }
  void report(size_t i) {
    std::string file = t_.files()[size_t(t_[i].file)];
    if (file.size() >= 2) file = file.substr(1, file.size() - 2);
    log += format("%s:%d:1: error: a kernel is launched by main()\n", file.c_str(), t_[i].line);
  }

  const std::string& text_;
  const Tokens& t_;
  bool in_main_ = false;
};

}  // namespace

std::string launches_as_calls(const std::string& expanded, int& count, std::string& log) {
  count = 0;
  if (expanded.find("<<<") == std::string::npos) return expanded;
  const Tokens tokens(expanded);
  Reader reader(expanded, tokens);
  std::string out = reader.run();
  count = reader.count;
  log += reader.log;
  return out;
}

}  // namespace tenon::cpu
