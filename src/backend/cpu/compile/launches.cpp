// backend/cpu/compile/launches.cpp: rewriting <<<>>>.
#include "backend/cpu/compile/launches.hpp"
#include "backend/cpu/text/tokens.hpp"

namespace tenon::cpu {
namespace {

class Reader {
 public:
  Reader(const std::string& text, const Tokens& tokens, const std::map<std::string, std::string>& clusters)
      : text_(text), t_(tokens), clusters_(clusters) {}
  int count = 0;
  std::string log;

  std::string run() {
    std::string out;
    size_t copied = 0;
    for (size_t i = 1; i < t_.size(); ++i) {
      if (t_.is(i, "main") && t_.is(i + 1, "(") && t_.is(t_.closed(i + 1), "{"))
        main_end_ = t_.closed(t_.closed(i + 1));
      if (!three(i, "<<", "<")) continue;
      const size_t name = name_before(i), config = i + 2, end = config_end(config);
      if (name == Tokens::npos || end == Tokens::npos) continue;
      const size_t values = after_three(end);
      if (i < main_end_) log += t_.error_at(i, "a kernel is launched by main()");
      if (clusters_.count(std::string(t_[own_word(i)].text)))
        log += t_.error_at(i, "a kernel with __cluster_dims__ is launched by a kernel");
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
  bool three(size_t i, const char* two, const char* one) const {
    return t_.is(i, two) && joined(i) && t_.is(i + 1, one);
  }
  size_t after_three(size_t i) const { return i + 2; }

  // The function's own name, before the template arguments that end before i; npos: there is none.
  size_t own_word(size_t i) const {
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
    return depth != 0 || at == 0 || !t_.is_word(at - 1) ? Tokens::npos : at - 1;
  }
  // Where the name begins that ends before i, with its namespaces and template arguments; npos: it is no name.
  size_t name_before(size_t i) const {
    size_t at = own_word(i);
    if (at == Tokens::npos) return at;
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
  const std::string& text_;
  const Tokens& t_;
  const std::map<std::string, std::string>& clusters_;
  size_t main_end_ = 0;
};

}  // namespace

std::string launches_as_calls(const std::string& expanded, const std::map<std::string, std::string>& clusters,
                              int& count, std::string& log) {
  count = 0;
  if (expanded.find("<<<") == std::string::npos) return expanded;
  const Tokens tokens(expanded);
  Reader reader(expanded, tokens, clusters);
  std::string out = reader.run();
  count = reader.count;
  log += reader.log;
  return out;
}

}  // namespace tenon::cpu
