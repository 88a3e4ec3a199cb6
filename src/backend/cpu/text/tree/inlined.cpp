// backend/cpu/text/tree/inlined.cpp: replacing calls by the statements of functions.
//
//   template <int Width> float sum(float v) {          float tenon_result_1;
//     for (int d = Width / 2; d > 0; d /= 2)           { float v_tenon1 = x[t];
//       v += __shfl_xor_sync(~0u, v, d);        ->       for (int d_tenon1 = (32) / 2; ...) v_tenon1 += ...;
//     return v;                                          tenon_result_1 = tenon_returned<float>(v_tenon1); }
//   }
//   float a = sum<32>(x[t]) / n;                       float a = tenon_returned<float>(tenon_result_1) / n;
//
// What makes this safe: every name that the function declares, and every name of the kernel that it mentions, gets a
// suffix that is used once. So a name that the function takes from outside either means the same in the kernel or does
// not compile, and then the kernel's threads run on fibers. Names that are declared between the function and the kernel
// could mean something else in the kernel: those refuse it.
#include "backend/cpu/text/tree/inlined.hpp"
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include "backend/cpu/text/tree/region_tree.hpp"

namespace tenon::cpu {
namespace {

constexpr size_t kDeepest = 8;          // functions in functions
constexpr size_t kLongest = 256 << 10;  // bytes of a kernel with its functions

// Functions of cooperative groups, which are found by the type of their arguments: a function of the text that has such
// a name may not be the one that is called.
constexpr std::initializer_list<const char*> kGroupFunctions = {
    "sync",       "reduce",     "inclusive_scan",       "exclusive_scan",  "memcpy_async",     "wait",
    "wait_prior", "invoke_one", "invoke_one_broadcast", "tiled_partition", "binary_partition", "labeled_partition"};

using Names = std::map<std::string, std::string, std::less<>>;

// A text with the tokens that refer to it.
struct Source {
  explicit Source(std::string given) : text(std::move(given)), tokens(text) {}
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  const std::string text;
  const Tokens tokens;
};

// One of the parameters of a template or of a function; `name` is npos if it has none.
struct Formal {
  Span type, value;  // value: the default
  size_t name = npos;
  bool array = false, is_type = false;
};

struct Definition {
  std::string name;
  std::vector<std::string> scope;  // namespaces
  size_t head = 0, open = 0, end = 0;
  Span result;
  std::vector<Formal> templates, parameters;
  std::vector<Span> special;  // for a template's special case: the arguments for which it is
  bool kernel = false;
};

// The functions of a text, and the names that it declares in namespaces.
class Outline {
 public:
  explicit Outline(const Tokens& tokens) : t_(tokens) {
    walk(0, t_.size(), {});
    for (bool again = true; again;) {
      again = false;
      for (const Definition& one : functions)
        if (!one.kernel && !waiting.count(one.name) && waits(one)) again = waiting.insert(one.name).second;
    }
  }

  std::vector<Definition> functions;
  std::set<std::string, std::less<>> waiting;  // names of functions with a barrier or an operation of a warp

  // The only function that has the name.
  const Definition& function(std::string_view name) const {
    const Definition* found = nullptr;
    for (const Definition& one : functions)
      if (one.name == name && one.special.empty()) {
        if (found) refuse("several functions are named " + one.name);
        found = &one;
      }
    const auto count = mentions_.find(name);
    if (!found || count == mentions_.end() || count->second != 1)
      refuse("several functions are named " + std::string(name));
    return *found;
  }
  // The special cases of that function.
  std::vector<const Definition*> special_cases(std::string_view name) const {
    std::vector<const Definition*> out;
    for (const Definition& one : functions)
      if (one.name == name && !one.special.empty()) out.push_back(&one);
    return out;
  }
  // Whether these tokens say `using namespace`, which brings names that the text may not show.
  bool opens_namespace(size_t from, size_t to) const {
    for (size_t i = from; i + 1 < to; ++i)
      if (t_.is(i, "using") && t_.is(i + 1, "namespace")) return true;
    return false;
  }
  // Whether a name is declared in a namespace within these tokens.
  bool declares(const std::set<std::string>& names, size_t from, size_t to) const {
    if (opens_namespace(from, to)) return true;
    return std::any_of(declared_.begin(), declared_.end(), [&](const std::pair<size_t, std::string>& one) {
      return one.first >= from && one.first < to && names.count(one.second);
    });
  }

 private:
  bool waits(const Definition& one) const {
    for (size_t i = one.open; i < one.end; ++i)
      if (t_.is_word(i) && (region_waits(t_, i) || waiting.count(t_[i].text))) return true;
    return false;
  }

  void walk(size_t from, size_t to, const std::vector<std::string>& scope) {
    size_t head = from;
    for (size_t i = from; i < to; ++i) {
      if (t_.is(i, ";")) {
        prototype(head, i);
        head = i + 1;
      } else if (t_.is(i, "namespace") && !t_.is(i - 1, "using")) {
        const size_t open = t_.outside(i, to, {"{", ";", "="});
        if (open == npos || !t_.is(open, "{")) continue;
        std::vector<std::string> within = scope;
        within.push_back(t_.joined(i + 1, open));
        const size_t end = t_.closed(open);
        if (end == npos) return;
        walk(open + 1, end - 1, within);
        i = end - 1;
        head = end;
      } else if (t_.is(i, "{")) {
        const size_t end = t_.closed(i);
        if (end == npos) return;
        if (t_.is(head, "extern") && i == head + 2) {  // extern "C" { ... }
          walk(i + 1, end - 1, scope);
          head = end;
        } else if (function(head, i, end, scope)) {
          head = end;
        } else if (t_.outside(head, i, {"enum"}) != npos) {
          for (size_t k = i; k < end; ++k)
            if (t_.is_word(k)) declared_.emplace_back(k, t_[k].text);
        }
        i = end - 1;
      } else if (t_.is_any(i, {"(", "["})) {
        const size_t end = t_.closed(i);
        if (end == npos) return;
        i = end - 1;
      } else if (t_.is_word(i) && !is_reserved(t_, i) && !is_type_word(t_, i) &&
                 t_.is_any(i + 1, {"(", "=", "[", ";", "{", ":", ",", "<"})) {
        declared_.emplace_back(i, t_[i].text);
      }
    }
  }

  // The bracket before a function's parameters, if what ends before `end` looks like one.
  size_t parameters_of(size_t head, size_t end) const {
    size_t close = end - 1;
    while (close > head && t_.is_any(close, {"const", "noexcept"})) --close;
    if (close <= head || !t_.is(close, ")")) return npos;
    const size_t open = t_.opened(close);
    return open == npos || open <= head || !(t_.is_word(open - 1) || t_.is(open - 1, ">")) ? npos : open;
  }
  void prototype(size_t head, size_t end) {
    const size_t open = end > head ? parameters_of(head, end) : npos;
    if (open == npos) return;
    if (t_.is_word(open - 1)) ++mentions_[std::string(t_[open - 1].text)];
    else mention_templates(head, open);
  }
  void mention_templates(size_t head, size_t open) {
    for (size_t k = head; k < open; ++k)
      if (t_.is_word(k) && t_.is(k + 1, "<") && !t_.is(k, "template")) ++mentions_[std::string(t_[k].text)];
  }
  // `template <> int sum<int>(int v) { ... }`
  bool special_case(size_t head, size_t open, size_t body, size_t end, const std::vector<std::string>& scope) {
    if (!t_.is(head, "template") || !t_.is(head + 1, "<") || !t_.is(head + 2, ">") || !t_.is(open - 1, ">"))
      return false;
    size_t name = open - 2;
    while (name > head + 3 && !t_.is(name, "<")) {
      if (t_.is_any(name, {">", ">>", "(", ")"})) return false;  // the arguments are to be plain
      --name;
    }
    --name;
    if (!t_.is_word(name) || t_.is(name - 1, "::")) return false;
    Definition out;
    out.name = t_[name].text;
    out.scope = scope;
    out.head = head, out.open = body, out.end = end;
    out.result = {head + 3, name};
    for (size_t k = head; k < open; ++k)
      if (t_.is_any(k, {"__global__", "auto", "decltype"})) return false;
    for (size_t from = name + 2; from < open - 1;) {
      const size_t comma = std::min(t_.outside(from, open - 1, {","}), open - 1);
      out.special.push_back({from, comma});
      from = comma + 1;
    }
    if (out.special.empty()) return false;
    out.parameters = formals(open + 1, t_.closed(open) - 1, false);
    functions.push_back(std::move(out));
    return true;
  }
  bool function(size_t head, size_t body, size_t end, const std::vector<std::string>& scope) {
    const size_t open = parameters_of(head, body);
    if (open == npos) return false;
    if (!t_.is_word(open - 1)) {  // a special case of a template
      if (!special_case(head, open, body, end, scope)) mention_templates(head, open);
      return true;
    }
    Definition out;
    out.name = t_[open - 1].text;
    ++mentions_[out.name];
    if (t_.is(open - 2, "::")) return true;  // a member
    out.scope = scope;
    out.head = head, out.open = body, out.end = end;
    size_t at = head;
    if (t_.is(at, "template") && t_.is(at + 1, "<")) {
      const size_t close = angle(at + 1);
      if (close == npos) return true;
      out.templates = formals(at + 2, close, true);
      at = close + 1;
    }
    out.result = {at, open - 1};
    for (size_t k = at; k < open; ++k) out.kernel |= t_.is(k, "__global__");
    out.parameters = formals(open + 1, t_.closed(open) - 1, false);
    functions.push_back(std::move(out));
    return true;
  }
  size_t angle(size_t i) const {
    int depth = 0;
    for (; i < t_.size() && !t_.is_any(i, {";", "{", "}"}); ++i) {
      depth += t_.is(i, "<") - t_.is(i, ">") - 2 * t_.is(i, ">>");
      if (t_.is_any(i, {"(", "["}) && (i = t_.closed(i) - 1) >= t_.size()) return npos;
      if (depth == 0) return i;
      if (depth < 0) return npos;
    }
    return npos;
  }
  std::vector<Formal> formals(size_t from, size_t to, bool of_template) const {
    std::vector<Formal> out;
    for (size_t at = from; at < to;) {
      size_t end = at;
      for (int depth = 0; end < to && (depth > 0 || !t_.is(end, ",")); ++end) {
        depth += t_.is(end, "<") - t_.is(end, ">") - 2 * t_.is(end, ">>");
        if (t_.is_any(end, {"(", "[", "{"})) end = std::min(t_.closed(end), to) - 1;
      }
      Formal one;
      const size_t equals = std::min(t_.outside(at, end, {"="}), end);
      if (equals < end) one.value = {equals + 1, end};
      size_t name = equals - 1;
      while (t_.is(name, "]") && name > at) name = t_.opened(name) - 1, one.array = true;
      const bool named = name > at && t_.is_word(name) && !is_type_word(t_, name) && !is_reserved(t_, name);
      one.name = named ? name : npos;
      one.type = {at, named ? name : equals};
      one.is_type = of_template && t_.is_any(at, {"class", "typename"});
      out.push_back(one);
      at = end + 1;
    }
    return out;
  }

  const Tokens& t_;
  std::vector<std::pair<size_t, std::string>> declared_;
  std::map<std::string, int, std::less<>> mentions_;
};

// The type of a variable: its words, and how many pointers.
struct WrittenType {
  std::string words;
  int pointers = 0;
};

class Inliner {
 public:
  Inliner(const Source& source, const Outline& outline, const Definition& kernel)
      : source_(source), outline_(outline), kernel_(kernel) {}

  // The kernel's body, or nothing if it calls no such function.
  std::optional<std::string> run() {
    const Tokens& t = source_.tokens;
    const auto calls = [&](size_t i) { return t.is_word(i) && outline_.waiting.count(t[i].text) > 0; };
    bool any = false;
    for (size_t i = kernel_.open; i < kernel_.end; ++i) any |= calls(i);
    if (!any) return std::nullopt;
    if (outline_.opens_namespace(kernel_.open, kernel_.end)) refuse("the kernel uses a namespace");
    const std::vector<RegionStatement> list = read_statements(t, {kernel_.open + 1, kernel_.end - 1}, outline_.waiting);
    std::map<std::string, WrittenType> types;
    for (const Formal& one : kernel_.templates)
      if (one.name != npos) taken_.emplace(t[one.name].text);
    for (const Formal& one : kernel_.parameters)
      if (one.name != npos) {
        taken_.emplace(t[one.name].text);
        know(types, t, t[one.name].text, one.type, {}, one.array);
      }
    collect(t, list, taken_, types);
    const std::string body = rewritten(source_, {kernel_.open + 1, kernel_.end - 1}, list, types, nullptr);
    std::string shared;
    for (const std::string& one : shared_) shared += one + "\n";
    return "{\n" + shared + body + "}";
  }

 private:
  struct Edit {
    size_t from, to;  // bytes of the text
    std::string text;
  };

  static std::string joined(const Tokens& t, Span span) { return t.joined(span.from, span.to); }

  static bool adds_nothing(const Tokens& t, size_t i) {
    return t.is_any(i, {"const", "volatile", "register", "static", "constexpr", "extern", "inline", "__inline__",
                        "__inline", "__restrict__", "__restrict", "__shared__"});
  }
  static void know(std::map<std::string, WrittenType>& types, const Tokens& t, std::string_view name, Span type,
                   Span before, bool array) {
    WrittenType out;
    out.pointers = array;
    for (Span span : {type, before})
      for (size_t i = span.from; i < span.to; ++i) {
        if (t.is_any(i, {"__attribute__", "alignas"}) && t.is(i + 1, "(")) i = t.closed(i + 1) - 1;
        else if (t.is(i, "*")) ++out.pointers;
        else if (t.is(i, "auto")) out.words = "", span = {}, out.pointers = -1;
        else if (!adds_nothing(t, i) && !t.is_any(i, {"&", "&&"}))
          out.words += (out.words.empty() ? "" : " ") + std::string(t[i].text);
      }
    const auto [at, fresh] = types.try_emplace(std::string(name), out);
    if (!fresh && (at->second.words != out.words || at->second.pointers != out.pointers)) at->second = {"", -1};
  }

  // The names that the statements declare, as far as code between them can see those.
  static void collect(const Tokens& t, const std::vector<RegionStatement>& list, std::set<std::string>& names,
                      std::map<std::string, WrittenType>& types) {
    for (const RegionStatement& s : list) {
      for (const Declared& one : s.declared) {
        names.emplace(t[one.name].text);
        know(types, t, t[one.name].text, s.type, one.before, !one.after.empty());
      }
      if (s.kind == RegionStatement::outside && s.declared.empty())  // types
        for (size_t i = s.all.from; i < s.all.to; ++i)
          if (t.is_word(i) && !is_type_word(t, i) && !is_reserved(t, i)) names.emplace(t[i].text);
      collect(t, s.body, names, types);
      collect(t, s.otherwise, names, types);
    }
  }

  // The tokens of the span, with the calls in `list` replaced. `shared`: in a function, the names of its shared
  // variables.
  std::string rewritten(const Source& source, Span span, const std::vector<RegionStatement>& list,
                        const std::map<std::string, WrittenType>& types, const std::set<std::string>* shared) {
    std::vector<Edit> edits;
    edit(source, list, types, shared, edits);
    std::sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) { return a.from < b.from; });
    if (span.empty()) return "";
    const Tokens& t = source.tokens;
    size_t from = t[span.from - 1].end();
    std::string out;
    for (const Edit& one : edits) {
      out.append(source.text, from, one.from - from);
      out += "\n" + one.text + "\n";
      from = one.to;
    }
    out.append(source.text, from, t[span.to].begin - from);
    if (out.size() > kLongest) refuse("its functions are too long");
    return out;
  }

  void edit(const Source& source, const std::vector<RegionStatement>& list,
            const std::map<std::string, WrittenType>& types, const std::set<std::string>* shared,
            std::vector<Edit>& edits) {
    const Tokens& t = source.tokens;
    for (const RegionStatement& s : list) {
      const size_t begin = t[s.all.from].begin, end = t[s.all.to - 1].end();
      if (shared && s.kind == RegionStatement::outside && shares(t, s)) {
        share(t, s, *shared);
        edits.push_back({begin, end, ";"});
      } else if (s.calls) {
        edits.push_back({begin, end, replaced(t, s, types)});
      } else {
        for (size_t i = s.head.from; i < s.head.to; ++i)
          if (calls(t, i)) refuse("a function that waits decides something");
        for (size_t i = s.condition.from; s.kind == RegionStatement::do_loop && i < s.condition.to; ++i)
          if (calls(t, i)) refuse("a function that waits decides something");
        edit(source, s.body, types, shared, edits);
        edit(source, s.otherwise, types, shared, edits);
      }
    }
  }
  bool calls(const Tokens& t, size_t i) const { return t.is_word(i) && outline_.waiting.count(t[i].text); }

  static bool shares(const Tokens& t, const RegionStatement& s) {
    bool shared = false;
    for (size_t i = s.all.from; i < s.all.to; ++i) {
      shared |= t.is(i, "__shared__");
      if (t.is_any(i, {"static", "extern"}) && !s.is_constant) refuse("a function that waits has a static variable");
    }
    return shared;
  }
  // Declared once for all calls of the instance, at the beginning of the kernel.
  void share(const Tokens& t, const RegionStatement& s, const std::set<std::string>& names) {
    const std::string text = joined(t, s.all);
    for (const Declared& one : s.declared)
      if (!names.count(std::string(t[one.name].text))) refuse("a shared variable of a function is not understood");
    if (std::find(shared_.begin(), shared_.end(), text) == shared_.end()) shared_.push_back(text);
  }

  // The statement after its calls. They come first, which is one of the orders that C++ allows: nothing else has an
  // effect except one assignment, and nothing decides whether they are reached.
  std::string replaced(const Tokens& t, const RegionStatement& s, const std::map<std::string, WrittenType>& types) {
    int assignments = 0;
    const bool declares = s.kind == RegionStatement::declaration;
    if (declares && s.declared.size() != 1) refuse("a function that waits is called among several declarations");
    const size_t last = s.all.to - 1;
    for (size_t i = s.all.from; !declares && i < last; ++i) {
      if (calls(t, i) && t.is(i + 1, "<"))
        while (i < last && !t.is(i, ">")) ++i;
      else if (t.is_any(i, {"(", "["})) i = t.closed(i) - 1;
      else if (t.is(i, ",")) refuse("a function that waits is called in a list");
    }
    for (size_t i = s.all.from; i < last; ++i) {
      assignments += is_assignment(t, i);
      if (assignments > 1 ||
          t.is_any(i, {"++", "--", "?", "&&", "||", "{", ";", "throw", "new", "delete", "sizeof", "decltype", "return",
                       "operator", "static", "constexpr"}) ||
          (t.is(i, "[") && !t.is_word(i - 1) && !t.is_any(i - 1, {"]", ")"})) ||
          (t.is(i, "(") && !t.is_word(i - 1) && !t.is(i - 1, ">") && t.outside(i + 1, t.closed(i) - 1, {","}) != npos))
        refuse("a function that waits is called in a statement that is not understood");
    }
    std::string before;
    const std::string rest = received(t, s.all, types, before);
    return declares ? before + rest : "{\n" + before + rest + "\n}";
  }
  std::string received(const Tokens& t, Span span, const std::map<std::string, WrittenType>& types,
                       std::string& before) {
    std::string out;
    for (size_t i = span.from; i < span.to; ++i) {
      if (!calls(t, i)) {
        out += std::string(t[i].text) + " ";
        continue;
      }
      size_t open = i + 1;
      Span arguments;
      if (t.is(open, "<")) {
        while (open < span.to && !t.is_any(open, {">", ";", "("})) ++open;
        if (!t.is(open, ">")) refuse("the arguments of a template are not understood");
        arguments = {i + 2, open++};
      }
      if (!t.is(open, "(") || t.is_any(i - 1, {"::", ".", "->", "&"}))
        refuse("a function that waits is not called plainly");
      const size_t end = t.closed(open);
      std::vector<std::string> given;
      std::vector<Span> spans;
      for (size_t from = open + 1; from < end - 1;) {
        const size_t comma = std::min(t.outside(from, end - 1, {","}), end - 1);
        given.push_back(received(t, {from, comma}, types, before));
        spans.push_back({from, comma});
        from = comma + 1;
      }
      out += call(t, i, arguments, given, spans, types, before);
      i = end - 1;
    }
    return out;
  }

  // The template's parameters with their arguments.
  Names substitutes(const Tokens& t, const Definition& f, Span arguments, const std::vector<Span>& spans,
                    const std::map<std::string, WrittenType>& types) const {
    const Tokens& own = source_.tokens;
    std::vector<std::string> given;
    for (size_t from = arguments.from; from < arguments.to;) {
      const size_t comma = std::min(t.outside(from, arguments.to, {","}), arguments.to);
      given.push_back(t.joined(from, comma));
      from = comma + 1;
    }
    if (given.size() > f.templates.size()) refuse("the arguments of a template are not understood");
    Names out;
    for (size_t k = 0; k < f.templates.size(); ++k) {
      const Formal& one = f.templates[k];
      if (one.name == npos || one.array) refuse("a parameter of a template is not understood");
      const std::string name(own[one.name].text);
      std::string value;
      if (k < given.size()) value = given[k];
      else if (one.is_type) value = deduced(t, f, name, spans, types);
      if (value.empty() && !one.value.empty()) value = joined(own, one.value);
      if (value.empty()) refuse("the arguments of a template are not known");
      if (!one.is_type) {
        // It may turn barriers off, and threads that never wait are better off in a plain loop.
        if (own.outside(one.type.from, one.type.to, {"bool"}) != npos) refuse("a parameter of a template is a switch");
        const Source text(value);
        const bool of_function = text.tokens.size() == 1 && outline_.waiting.count(value);
        bool plain = true;
        for (size_t i = one.type.from; i < one.type.to; ++i) plain &= is_type_word(own, i) || own.is(i, "const");
        if (!of_function && !plain) refuse("a parameter of a template is not understood");
        if (!of_function) value = "((" + joined(own, one.type) + ")(" + value + "))";
      }
      out[name] = value;
    }
    return out;
  }
  std::string deduced(const Tokens& t, const Definition& f, const std::string& name, const std::vector<Span>& spans,
                      const std::map<std::string, WrittenType>& types) const {
    const Tokens& own = source_.tokens;
    for (size_t k = 0; k < f.parameters.size() && k < spans.size(); ++k) {
      bool named = false, other = false;
      int pointers = f.parameters[k].array;
      const Span type = f.parameters[k].type;
      for (size_t i = type.from; i < type.to; ++i)
        if (own.is(i, name)) named = true;
        else if (own.is(i, "*")) ++pointers;
        else other |= !adds_nothing(own, i) && !own.is(i, "&");
      if (!named || other) continue;
      const Span argument = spans[k];
      if (argument.to != argument.from + 1 || !t.is_word(argument.from)) continue;
      const auto found = types.find(std::string(t[argument.from].text));
      if (found == types.end() || found->second.words.empty() || found->second.pointers < pointers) continue;
      return found->second.words + std::string(size_t(found->second.pointers - pointers), '*');
    }
    return "";
  }

  static std::string with(const Tokens& t, Span span, const Names& names) {
    std::string out;
    for (size_t i = span.from; i < span.to; ++i) {
      const bool free = t.is_word(i) && !t.is_any(i - 1, {".", "->", "::"}) && !t.is(i + 1, "::");
      const auto found = free ? names.find(t[i].text) : names.end();
      out += (found == names.end() ? std::string(t[i].text) : found->second) + " ";
    }
    return out;
  }

  // What stands for the call; the statements that it makes are appended to `before`.
  std::string call(const Tokens& t, size_t at, Span arguments, const std::vector<std::string>& given,
                   const std::vector<Span>& spans, const std::map<std::string, WrittenType>& types,
                   std::string& before) {
    const Definition& f = outline_.function(t[at].text);
    if (t.is_any(at, kGroupFunctions)) refuse("a function of groups may be called instead of " + f.name);
    if (taken_.count(f.name)) refuse("a variable has the name of a function that waits");
    const Names substituted = substitutes(t, f, arguments, spans, types);
    const std::string result = "tenon_result_" + std::to_string(++calls_), number = std::to_string(calls_);
    // A template's special cases are chosen by the compiler, from the same arguments.
    std::string type, statements, closing;
    int count = 0;
    for (const Definition* one : outline_.special_cases(f.name)) {
      const std::string name = "tenon_case_" + number + "_" + std::to_string(++count);
      std::string returns;
      const std::string body = instance(*one, {}, t, given, spans, types, result, returns);
      statements += "constexpr bool " + name + " = (" + is_case(f, *one, substituted) + ");\nif constexpr (" + name +
                    ") {\n" + body + "} else {\n";
      closing += "}\n";
    }
    statements += instance(f, substituted, t, given, spans, types, result, type) + closing;
    if (!type.empty()) before += type + result + ";\n";
    before += statements;
    return type.empty() ? "" : "tenon_returned<" + type + ">(" + result + ") ";
  }
  // Whether the arguments of the template are those of the special case.
  std::string is_case(const Definition& f, const Definition& one, const Names& substituted) const {
    const Tokens& own = source_.tokens;
    if (one.special.size() != f.templates.size()) refuse("a special case of " + f.name + " is not understood");
    std::string out;
    for (size_t k = 0; k < f.templates.size(); ++k) {
      const Formal& formal = f.templates[k];
      const std::string value = substituted.find(own[formal.name].text)->second, wanted = joined(own, one.special[k]);
      out += std::string(k ? " && " : "") + (formal.is_type ? "tenon_same_type<" + value + ", " + wanted + ">::value"
                                                            : "(" + value + ") == (" + wanted + ")");
    }
    return out;
  }

  // The statements of one function in place of a call; `type`: what it returns, "" for void.
  std::string instance(const Definition& f, const Names& substituted, const Tokens& t,
                       const std::vector<std::string>& given, const std::vector<Span>& spans,
                       const std::map<std::string, WrittenType>& types, const std::string& result, std::string& type) {
    const Tokens& own = source_.tokens;
    if (named(f.scope) != named(kernel_.scope)) refuse(f.name + " belongs to another namespace");
    if (f.end > kernel_.head) refuse(f.name + " is defined after the kernel");
    const size_t index = size_t(&f - outline_.functions.data());
    if (std::count(stack_.begin(), stack_.end(), index) || stack_.size() >= kDeepest)
      refuse("functions that wait call each other");
    if (outline_.opens_namespace(f.open, f.end)) refuse(f.name + " uses a namespace");
    mean_the_same(f);
    if (spans.size() > f.parameters.size()) refuse("a function that waits has another number of arguments");
    const std::string suffix = "_tenon" + std::to_string(++instances_);
    Names outside;  // what the function takes from outside, where the kernel has other things of these names
    for (const std::string& name : taken_) outside[name] = name + suffix;
    Names of_types = substituted;
    of_types.insert(outside.begin(), outside.end());

    for (size_t i = f.result.from; i < f.result.to; ++i) {
      if (own.is(i, "__attribute__") && own.is(i + 1, "(")) i = own.closed(i + 1) - 1;
      else if (own.is(i, "extern")) ++i;
      else if (own.is_any(i, {"&", "&&", "auto", "decltype", "["}))
        refuse("what a function that waits returns is not plain");
      else if (!adds_nothing(own, i)) type += with(own, {i, i + 1}, of_types);
    }
    if (type == "void ") type.clear();

    // The parameters become variables, except references, which are the variables given.
    std::string variables;
    Names names;
    std::map<std::string, WrittenType> known;
    for (size_t k = 0; k < f.parameters.size(); ++k) {
      const Formal& one = f.parameters[k];
      std::string value = k < given.size() ? given[k] : with(own, one.value, of_types);
      if (value.empty()) refuse("a function that waits has another number of arguments");
      if (own.outside(one.type.from, one.type.to, {"&&", "...", "("}) != npos) refuse("a parameter is not plain");
      const std::string name = one.name == npos ? "tenon_unnamed" + std::to_string(k) : std::string(own[one.name].text);
      if (const size_t reference = own.outside(one.type.from, one.type.to, {"&"}); reference != npos) {
        if (k >= spans.size() || spans[k].to != spans[k].from + 1 || !t.is_word(spans[k].from) ||
            reference + 1 != one.type.to || own.outside(one.type.from, one.type.to, {"volatile"}) != npos || one.array)
          refuse("a parameter is a reference to something that is not a variable");
        variables += "tenon_binds<" + with(own, {one.type.from, reference}, of_types) + ">(" + value + ");\n";
        names[name] = t[spans[k].from].text;
        const auto found = types.find(std::string(t[spans[k].from].text));
        if (found != types.end()) known[names[name]] = found->second;
        continue;
      }
      names[name] = name + suffix;
      const std::string declared = with(own, one.type, of_types) + (one.array ? "* " : "") + name + suffix;
      variables += declared + " = " + value + ";\n";
      const Source text(declared);
      know(known, text.tokens, name + suffix, {0, text.tokens.size() - 1}, {}, false);
    }

    stack_.push_back(index);
    Names known_names = names;
    known_names.insert(substituted.begin(), substituted.end());
    known_names["tenon_return_type"] = type;
    const std::string key = std::to_string(index) + ":" + joined_values(substituted);
    const Source source(renamed(returned(f, joined(own, {f.open, f.end}), !type.empty(), result), known_names, suffix,
                                shared_names_[key]));
    const Span inside{1, source.tokens.size() - 1};
    const std::vector<RegionStatement> list = read_statements(source.tokens, inside, outline_.waiting);
    std::set<std::string> ignored;
    collect(source.tokens, list, ignored, known);
    std::set<std::string> shared;
    for (const auto& [name, own_name] : shared_names_[key]) shared.insert(own_name);
    const std::string statements = rewritten(source, inside, list, known, &shared);
    stack_.pop_back();

    return "{\n" + variables + statements + "\n}\n";
  }

  static std::vector<std::string> named(std::vector<std::string> scope) {
    std::erase(scope, "");
    return scope;
  }
  static std::string joined_values(const Names& names) {
    std::string out;
    for (const auto& [name, value] : names) out += name + "=" + value + ";";
    return out;
  }

  // Whether the names that it takes from outside can have no other meaning in the kernel.
  void mean_the_same(const Definition& f) const {
    const Tokens& own = source_.tokens;
    std::set<std::string> names;
    for (size_t i = f.head; i < f.end; ++i)
      if (own.is_word(i)) names.emplace(own[i].text);
    for (const std::vector<Formal>* formals : {&f.templates, &f.parameters})
      for (const Formal& one : *formals)
        if (one.name != npos) names.erase(std::string(own[one.name].text));
    names.erase(f.name);  // its special cases are declared behind it
    if (outline_.declares(names, f.end, kernel_.open))
      refuse("a name in " + f.name + " may mean something else in the kernel");
  }

  // `return value;` at the end becomes an assignment.
  static std::string returned(const Definition& f, const std::string& body, bool returns, const std::string& result) {
    const Source source(body);
    const Tokens& t = source.tokens;
    size_t last = npos, count = 0;
    for (size_t i = 1; i + 1 < t.size();) {
      const size_t end = t.statement(i);
      if (end == npos) refuse(f.name + " has a statement without an end");
      if (t.is(i, "return")) last = i;
      i = end;
    }
    for (size_t i = 0; i < t.size(); ++i) count += t.is(i, "return");
    if (count == 0 && !returns) return body;
    if (count != 1 || last == npos || t.statement(last) + 1 != t.size()) refuse(f.name + " returns before its end");
    const std::string before = t.joined(0, last);
    if (!returns) return before + " }";
    return before + " " + result + " = tenon_returned<tenon_return_type>(" + t.joined(last + 1, t.size() - 2) + "); }";
  }

  // The body with other names; `names` has those of the parameters, of the function and of its template.
  std::string renamed(const std::string& body, Names names, const std::string& suffix, Names& shared) const {
    const Source source(body);
    const Tokens& t = source.tokens;
    const std::vector<RegionStatement> list = read_statements(t, {1, t.size() - 1}, outline_.waiting);
    std::set<std::string> declared = taken_;
    std::map<std::string, WrittenType> ignored;
    collect(t, list, declared, ignored);
    for (const std::string& name : declared) names.try_emplace(name, name + suffix);
    rename_shared(t, list, shared, suffix);
    for (const auto& [name, own_name] : shared) names[name] = own_name;
    return with(t, {0, t.size()}, names);
  }
  // Shared variables have one name for all calls with the same arguments of the template.
  static void rename_shared(const Tokens& t, const std::vector<RegionStatement>& list, Names& shared,
                            const std::string& suffix) {
    for (const RegionStatement& s : list) {
      if (s.kind == RegionStatement::outside && t.outside(s.all.from, s.all.to, {"__shared__"}) != npos) {
        for (const Declared& one : s.declared) {
          const std::string name(t[one.name].text);
          shared.try_emplace(name, name + "_shared" + suffix);
        }
      } else if (s.kind == RegionStatement::work || s.kind == RegionStatement::declaration) {
        for (size_t i = s.all.from; i < s.all.to; ++i)
          if (t.is(i, "__shared__")) refuse("a shared variable of a function is not understood");
      }
      rename_shared(t, s.body, shared, suffix);
      rename_shared(t, s.otherwise, shared, suffix);
    }
  }

  const Source& source_;
  const Outline& outline_;
  const Definition& kernel_;
  std::set<std::string> taken_;  // names of the kernel
  std::vector<size_t> stack_;
  std::map<std::string, Names> shared_names_;
  std::vector<std::string> shared_;
  int calls_ = 0, instances_ = 0;
};

}  // namespace

std::string with_functions_inlined(const std::string& text) {
  const Source source(text);
  const Outline outline(source.tokens);
  if (outline.waiting.empty()) return text;
  std::string out;
  size_t from = 0;
  for (const Definition& one : outline.functions) {
    if (!one.kernel) continue;
    try {
      const std::optional<std::string> body = Inliner(source, outline, one).run();
      if (!body) continue;
      out.append(text, from, source.tokens[one.open].begin - from);
      out += *body;
      from = source.tokens[one.end - 1].end();
    } catch (const NoRegions&) {  // its threads are fibers
    }
  }
  return out.append(text, from);
}

}  // namespace tenon::cpu
