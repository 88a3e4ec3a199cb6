// backend/cpu/compile/source/launches.cpp: rewriting <<<>>>.
#include "backend/cpu/compile/source/launches.hpp"
#include "backend/cpu/text/tokens.hpp"

namespace tenon::cpu {
namespace {

class LaunchReader {
 public:
  LaunchReader(const std::string& text, const Tokens& tokens, const std::map<std::string, std::string>& clusters)
      : text_(text), t_(tokens), clusters_(clusters) {}
  int count = 0;
  std::string log;

  std::string run() {
    find_kernels();
    std::string out;
    size_t copied = 0;
    for (size_t i = 1; i < t_.size(); ++i) {
      if (t_.is(i, "main") && t_.is(i + 1, "(") && t_.is(t_.closed(i + 1), "{"))
        main_end_ = t_.closed(t_.closed(i + 1));
      if (!three(i, "<<", "<")) continue;
      const Launched what = launched_before(i);
      const size_t config = i + 2, end = config_end(config);
      if (what.first == Tokens::npos || end == Tokens::npos) continue;
      const size_t values = after_three(end);
      if (i < main_end_) log += t_.error_at(i, "a kernel is launched by main()");
      // (A pointer may point to any kernel.)
      if (what.how == Launched::by_pointer ? !clusters_.empty() : clusters_.count(std::string(t_[own_word(i)].text)))
        log += t_.error_at(i, "a kernel with __cluster_dims__ is launched by a kernel");
      const std::string kernel = text_.substr(t_[what.first].begin, t_[i - 1].end() - t_[what.first].begin);
      const std::string configuration =
          "{\"" + quoted(kernel) + "\", " + text_.substr(t_[config].begin, t_[end - 1].end() - t_[config].begin) + "}";
      out += text_.substr(copied, t_[what.first].begin - copied);
      if (what.how == Launched::by_name)
        out += "(::tenon_children<decltype(&" + kernel + "), &" + kernel + ">" + configuration + ")";
      else if (what.how == Launched::by_pointer)
        out += "(::tenon_children_at(" + kernel + ", ::tenon_configuration" + configuration + "))";
      else
        out += "(::tenon_children_by([](auto... tenon_values) { " + kernel +
               "(tenon_values...); }, ::tenon_configuration" + configuration + "))";
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

  // What is launched: a kernel by its name with all arguments of a template, a template whose arguments follow from the
  // values, or what a pointer points to.
  struct Launched {
    enum How { by_name, by_values, by_pointer } how;
    size_t first;  // where it begins; npos: it is none of these
  };
  Launched launched_before(size_t i) const {
    const size_t own = own_word(i), name = name_before(i);
    if (name != Tokens::npos && !t_.is_any(name - 1, {".", "->"})) {
      const auto known = kernels_.find(std::string(t_[own].text));
      if (own + 1 < i) return {Launched::by_name, name};
      if (known != kernels_.end()) return {known->second ? Launched::by_values : Launched::by_name, name};
    }
    return {Launched::by_pointer, expression_before(i)};
  }
  // The names of all kernels, and which are templates.
  void find_kernels() {
    for (size_t i = 0; i < t_.size(); ++i) {
      if (!t_.is(i, "__global__")) continue;
      size_t before = i;
      while (before > 0 && (t_.is_word(before - 1) || t_[before - 1].kind == Token::Kind::literal)) --before;
      for (size_t at = i + 1; at < t_.size() && !t_.is_any(at, {";", "{", "}"}); ++at) {
        if (!t_.is(at, "(")) continue;
        if (t_.is_word(at - 1) && !t_.is_any(at - 1, {"__attribute__", "__launch_bounds__", "alignas"})) {
          kernels_[std::string(t_[at - 1].text)] |= before > 0 && t_.is_any(before - 1, {">", ">>"});
          break;
        }
        at = t_.closed(at) - 1;
      }
    }
  }
  // Where the operand of a launch begins that ends before i: q, (*q), table[k], s.kernel, chosen(k)[0].
  size_t expression_before(size_t i) const {
    size_t at = i;
    while (at > 0) {
      while (at > 0 && t_.is_any(at - 1, {")", "]"})) {
        const size_t open = t_.opened(at - 1);
        if (open == Tokens::npos) return open;
        // if (x) (*q)<<<1, 1>>>(): the condition does not belong to it.
        if (at < i && t_.is(at - 1, ")") && open > 0 && t_.is_any(open - 1, {"if", "while", "for", "switch"}))
          return at;
        at = open;
      }
      if (at > 0 && t_.is_word(at - 1) && !t_.is_any(at - 1, {"return", "else", "do", "case"})) --at;
      else if (at == i) return Tokens::npos;
      else return at;
      if (at == 0 || !t_.is_any(at - 1, {".", "->", "::"})) return at;
      --at;
    }
    return at;
  }
  static std::string quoted(const std::string& code) {
    std::string out;
    for (char c : code) {
      if (c == '"' || c == '\\') out += '\\';
      out += c == '\n' ? ' ' : c;
    }
    return out;
  }

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
  std::map<std::string, bool> kernels_;
  size_t main_end_ = 0;
};

}  // namespace

std::string launches_as_calls(const std::string& expanded, const std::map<std::string, std::string>& clusters,
                              int& count, std::string& log) {
  count = 0;
  if (expanded.find("<<<") == std::string::npos) return expanded;
  const Tokens tokens(expanded);
  LaunchReader reader(expanded, tokens, clusters);
  std::string out = reader.run();
  count = reader.count;
  log += reader.log;
  return out;
}

}  // namespace tenon::cpu
