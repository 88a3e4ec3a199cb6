// kernel/source/declaration.cpp: a reader of tokens, and of the declarations in them.
#include "kernel/source/declaration.hpp"
#include <algorithm>
#include <cctype>
#include "core/dtype.hpp"
#include "core/kernel_name.hpp"

namespace tenon {
namespace {

bool word_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || (c & 0x80); }
bool is_word(std::string_view token) {
  return !token.empty() && word_part(token[0]) && !std::isdigit(static_cast<unsigned char>(token[0]));
}

template <size_t N> bool one_of(std::string_view word, const std::string_view (&list)[N]) {
  return std::find(list, list + N, word) != list + N;
}

// Words and single characters ("::" is one token, a literal is `"`), without comments and preprocessor lines.
class Tokens {
 public:
  explicit Tokens(std::string_view text) : text_(text) {
    while (at_ < text_.size()) step();
  }
  std::vector<std::string_view> list;

 private:
  bool starts(std::string_view what) const { return text_.substr(at_, what.size()) == what; }
  void skip_to(std::string_view what, size_t from) {
    const size_t found = text_.find(what, from);
    at_ = found == std::string_view::npos ? text_.size() : found + what.size();
  }
  void skip_line() {
    while (at_ < text_.size() && text_[at_] != '\n') {
      if (text_[at_] == '\\') ++at_;
      else if (starts("/*")) {
        skip_to("*/", at_ + 2);
        continue;
      }
      ++at_;
    }
  }
  void skip_quoted(char quote) {
    for (++at_; at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n'; ++at_)
      if (text_[at_] == '\\') ++at_;
    ++at_;
  }
  void step() {
    const char c = text_[at_];
    if (c == '\n') {
      line_start_ = true;
      ++at_;
      return;
    }
    if (std::isspace(static_cast<unsigned char>(c))) {
      ++at_;
      return;
    }
    if (starts("//")) return skip_line();
    if (starts("/*")) return skip_to("*/", at_ + 2);
    if (c == '#' && line_start_) return skip_line();
    line_start_ = false;
    if (starts("R\"")) {
      const size_t open = text_.find('(', at_);
      if (open != std::string_view::npos && open - at_ <= 18) {
        skip_to(")" + std::string(text_.substr(at_ + 2, open - at_ - 2)) + "\"", open);
        return list.push_back("\"");
      }
    }
    if (c == '"' || c == '\'') {
      skip_quoted(c);
      return list.push_back("\"");
    }
    size_t end = at_ + 1;
    if (word_part(c)) {
      const bool number = std::isdigit(static_cast<unsigned char>(c));
      while (end < text_.size() && (word_part(text_[end]) || (number && (text_[end] == '\'' || text_[end] == '.'))))
        ++end;
    } else if (starts("::")) {
      end = at_ + 2;
    }
    list.push_back(text_.substr(at_, end - at_));
    at_ = end;
  }

  std::string_view text_;
  size_t at_ = 0;
  bool line_start_ = true;
};

using List = std::vector<std::string_view>;

// The index after the bracket that closes the one at `at`.
size_t behind_group(const List& tokens, size_t at) {
  int depth = 0;
  for (; at < tokens.size(); ++at) {
    if (tokens[at] == "(" || tokens[at] == "[" || tokens[at] == "{") ++depth;
    else if ((tokens[at] == ")" || tokens[at] == "]" || tokens[at] == "}") && --depth == 0) return at + 1;
  }
  return at;
}

constexpr std::string_view kWithArguments[] = {"__launch_bounds__", "__attribute__", "__cluster_dims__", "__maxnreg__",
                                               "__block_size__",    "alignas",       "__align__",        "__declspec",
                                               "decltype",          "noexcept"};
constexpr std::string_view kQualifiers[] = {
    "const",  "volatile", "__restrict__", "__restrict", "restrict", "__grid_constant__",
    "struct", "class",    "enum",         "union",      "typename", "register"};
constexpr std::string_view kBasic[] = {"void",    "bool",    "char",     "short",    "int",
                                       "long",    "signed",  "unsigned", "float",    "double",
                                       "wchar_t", "char8_t", "char16_t", "char32_t", "auto"};

// Reads one parameter's tokens. False: the syntax is not recognised.
bool read_parameter(List tokens, WrittenParameter& out) {
  List kept;
  int angles = 0;
  size_t name_at = std::string_view::npos;
  for (size_t i = 0; i < tokens.size(); ++i) {
    const std::string_view token = tokens[i];
    if (angles == 0 && token == "=") break;
    if (angles == 0 && token == "[" && i + 1 < tokens.size() && tokens[i + 1] == "[") {  // [[an attribute]]
      i = behind_group(tokens, i) - 1;
      continue;
    }
    if (token == "<") ++angles;
    else if (token == ">") --angles;
    else if (token == "." || token == "&") return false;
    if (angles == 0 && token == "*") out.pointer = true;
    if (angles == 0 && token == "[") {
      out.pointer = true;
      break;  // what follows the name
    }
    if (angles == 0 && token == "(") {  // T (*name)[4]
      if (i + 3 >= tokens.size() || tokens[i + 1] != "*" || !is_word(tokens[i + 2]) || tokens[i + 3] != ")")
        return false;
      out.pointer = true;
      out.name = tokens[i + 2];
      return true;
    }
    if (!one_of(token, kQualifiers)) kept.push_back(token);
    if (angles == 0 && is_word(token) && !one_of(token, kQualifiers)) name_at = kept.size() - 1;
  }
  // The last word is the name if there is a type before it.
  const bool named = name_at != std::string_view::npos && name_at + 1 == kept.size() && name_at > 0 &&
                     kept[name_at - 1] != "::" && !one_of(kept[name_at], kBasic);
  if (named) {
    out.name = kept.back();
    kept.pop_back();
  }
  for (const std::string_view token : kept) {
    if (token == "*") continue;
    if (!one_of(token, kBasic)) {
      out.words.clear();
      return true;
    }
    out.words.emplace_back(token);
  }
  std::sort(out.words.begin(), out.words.end());
  return true;
}

bool read_parameters(const List& tokens, size_t begin, size_t end, std::vector<WrittenParameter>& out) {
  if (begin == end || (end - begin == 1 && tokens[begin] == "void")) return true;
  int depth = 0, angles = 0;
  List one;
  for (size_t i = begin; i <= end; ++i) {
    if (i == end || (tokens[i] == "," && depth == 0 && angles == 0)) {
      out.emplace_back();
      if (!read_parameter(std::move(one), out.back())) return false;
      one.clear();
      continue;
    }
    if (tokens[i] == "(" || tokens[i] == "[" || tokens[i] == "{") ++depth;
    if (tokens[i] == ")" || tokens[i] == "]" || tokens[i] == "}") --depth;
    if (tokens[i] == "<") ++angles;
    if (tokens[i] == ">") --angles;
    one.push_back(tokens[i]);
  }
  return depth == 0 && angles == 0;
}

// Whether the compiler's description may belong to the parameter as written.
bool fits(const WrittenParameter& written, const Parameter& parameter) {
  if (parameter.kind == TENON_PARAMETER_UNKNOWN) return !written.pointer || parameter.size == sizeof(void*);
  if (written.pointer && parameter.kind != TENON_PARAMETER_POINTER) return false;
  if (written.words.empty()) return true;  // a type's name, which may mean any type
  if (!written.pointer && parameter.kind != TENON_PARAMETER_SCALAR) return false;
  const auto has = [&](const char* word) {
    return std::find(written.words.begin(), written.words.end(), word) != written.words.end();
  };
  if (has("void")) return parameter.any_dtype;
  if (parameter.dtype == 0) return parameter.element_size == sizeof(void*);  // a pointer to pointers
  if (has("auto") || has("wchar_t") || has("char16_t") || has("char32_t") || has("char8_t")) return true;
  if (has("float")) return parameter.dtype == TENON_FLOAT32;
  if (has("double")) return parameter.dtype == TENON_FLOAT64;
  if (has("bool")) return parameter.dtype == TENON_BOOL;
  const uint32_t bytes = has("char") ? 1 : has("short") ? 2 : has("long") ? 8 : 4;
  return dtype_bytes(parameter.dtype) == bytes && dtype_code(parameter.dtype) == (has("unsigned") ? 1u : 0u);
}

}  // namespace

std::vector<std::string> written_names(const std::vector<std::string_view>& texts, const std::string& kernel,
                                       const std::vector<Parameter>& parameters) {
  std::vector<std::string> out(parameters.size());
  std::vector<bool> differ(parameters.size(), false);
  const std::string plain = plain_name(kernel);
  if (plain.empty()) return out;
  for (const std::string_view text : texts) {
    if (text.find(plain) == std::string_view::npos) continue;
    for (const Declaration& declaration : kernel_declarations(text)) {
      if (declaration.kernel != plain || declaration.parameters.size() != parameters.size()) continue;
      if (!std::equal(
              parameters.begin(), parameters.end(), declaration.parameters.begin(),
              [](const Parameter& parameter, const WrittenParameter& written) { return fits(written, parameter); })) {
        continue;
      }
      for (size_t i = 0; i < parameters.size(); ++i) {
        const std::string& name = declaration.parameters[i].name;
        if (!name.empty() && !out[i].empty() && out[i] != name) differ[i] = true;
        if (out[i].empty()) out[i] = name;
      }
    }
  }
  for (size_t i = 0; i < out.size(); ++i)
    if (differ[i]) out[i].clear();
  return out;
}

std::vector<Declaration> kernel_declarations(std::string_view source) {
  std::vector<Declaration> out;
  if (source.find("__global__") == std::string_view::npos) return out;
  const List tokens = Tokens(source).list;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i] != "__global__") continue;
    for (size_t at = i + 1; at < tokens.size() && tokens[at] != ";" && tokens[at] != "{" && tokens[at] != "}";) {
      if (tokens[at] != "(") {
        ++at;
        continue;
      }
      const size_t end = behind_group(tokens, at);
      if (one_of(tokens[at - 1], kWithArguments)) {
        at = end;
        continue;
      }
      Declaration found;
      found.kernel = tokens[at - 1];
      if (!is_word(found.kernel) || end > tokens.size() || !read_parameters(tokens, at + 1, end - 1, found.parameters))
        break;
      found.body = end < tokens.size() && (tokens[end] == "{" || tokens[end] == "noexcept");
      out.push_back(std::move(found));
      break;
    }
  }
  return out;
}

bool defines_kernel(std::string_view source, const std::string& name) {
  const std::string plain = plain_name(name);
  if (source.find(plain) == std::string_view::npos) return false;
  const std::vector<Declaration> all = kernel_declarations(source);
  return std::any_of(all.begin(), all.end(), [&](const Declaration& d) { return d.body && d.kernel == plain; });
}

bool defines_variable(std::string_view source, const std::string& name) {
  const std::string plain = plain_name(name);
  if (source.find(plain) == std::string_view::npos) return false;
  const List tokens = Tokens(source).list;
  bool device = false, only_declared = false;
  for (size_t i = 0; i < tokens.size(); ++i) {
    const std::string_view token = tokens[i], next = i + 1 < tokens.size() ? tokens[i + 1] : std::string_view();
    if (token == ";" || token == "}" || token == "{") device = only_declared = false;
    else if (token == "__device__" || token == "__constant__" || token == "__managed__") device = true;
    else if (token == "extern" && next != "\"") only_declared = true;
    else if (token == plain && device && !only_declared &&
             (next == "[" || next == "=" || next == ";" || next == "{" || next == ","))
      return true;
    else if (token == "(") i = std::min(behind_group(tokens, i), tokens.size()) - 1;
  }
  return false;
}

bool closes_too_much(std::string_view text) {
  if (text.find('#') != std::string_view::npos) return false;
  int depth = 0;
  for (std::string_view token : Tokens(text).list) {
    if (token == "(" || token == "[" || token == "{") ++depth;
    else if ((token == ")" || token == "]" || token == "}") && --depth < 0) return true;
  }
  return false;
}

}  // namespace tenon
