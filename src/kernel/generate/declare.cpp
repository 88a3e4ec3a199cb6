// kernel/generate/declare.cpp: reading "float32 x, T y": the typed parameters of a generated kernel.
#include <cctype>
#include "kernel/source/declaration.hpp"
#include "kernel/generate/generate.hpp"

namespace tenon::generate {
namespace {

struct TypeWord {
  const char* word;
  Dtype dtype;
};
constexpr TypeWord kTypes[] = {
    {"bool", TENON_BOOL},
    {"int8", TENON_INT8},
    {"int16", TENON_INT16},
    {"int32", TENON_INT32},
    {"int64", TENON_INT64},
    {"uint8", TENON_UINT8},
    {"uint16", TENON_UINT16},
    {"uint32", TENON_UINT32},
    {"uint64", TENON_UINT64},
    {"float16", TENON_FLOAT16},
    {"bfloat16", TENON_BFLOAT16},
    {"float32", TENON_FLOAT32},
    {"float64", TENON_FLOAT64},
    {"complex64", TENON_COMPLEX64},
    {"complex128", TENON_COMPLEX128},
    {"char", TENON_INT8},
    {"signed char", TENON_INT8},
    {"unsigned char", TENON_UINT8},
    {"short", TENON_INT16},
    {"unsigned short", TENON_UINT16},
    {"int", TENON_INT32},
    {"unsigned int", TENON_UINT32},
    {"unsigned", TENON_UINT32},
    {"long long", TENON_INT64},
    {"unsigned long long", TENON_UINT64},
    {"size_t", TENON_UINT64},
    {"float", TENON_FLOAT32},
    {"double", TENON_FLOAT64},
    {"complex<float>", TENON_COMPLEX64},
    {"complex<double>", TENON_COMPLEX128},
};

bool identifier_start(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool identifier_part(char c) { return identifier_start(c) || std::isdigit(static_cast<unsigned char>(c)); }
bool is_identifier(const std::string& word) {
  if (word.empty() || !identifier_start(word[0])) return false;
  for (char c : word)
    if (!identifier_part(c)) return false;
  return true;
}

std::vector<std::string> split(const std::string& text, const char* separators) {
  std::vector<std::string> out;
  size_t at = 0;
  while (at < text.size()) {
    const size_t start = text.find_first_not_of(separators, at);
    if (start == std::string::npos) break;
    at = text.find_first_of(separators, start);
    out.push_back(text.substr(start, at == std::string::npos ? at : at - start));
    if (at == std::string::npos) break;
  }
  return out;
}

[[noreturn]] void refuse(const std::string& who, const char* list, const std::string& declaration,
                         const std::string& why) {
  fail(TENON_ERROR_INVALID_ARGUMENT, "%s of %s: \"%s\": %s", list, who.c_str(), declaration.c_str(), why.c_str());
}

DeclaredParameter parse_one(const std::string& declaration, bool output, Declarations& all, const std::string& who) {
  const char* const list = output ? "outputs" : "inputs";
  std::vector<std::string> words = split(declaration, " \t\r\n");
  DeclaredParameter out;
  out.output = output;
  while (!words.empty() && (words.front() == "raw" || words.front() == "inout" || words.front() == "table")) {
    (words.front() == "raw" ? out.raw : words.front() == "inout" ? out.update : out.table) = true;
    words.erase(words.begin());
  }
  if (out.table && (output || out.raw)) refuse(who, list, declaration, "a table is an input, and not raw");
  if (out.update && !output) refuse(who, list, declaration, "only outputs can be inout");
  if (words.size() < 2)
    refuse(who, list, declaration, "a declaration must be a type and a name, such as \"float32 x\"");
  out.name = words.back();
  words.pop_back();
  for (const std::string& word : words) out.type += (out.type.empty() ? "" : " ") + word;
  if (!is_identifier(out.name)) refuse(who, list, declaration, "the name \"" + out.name + "\" is not an identifier");
  if (out.name.rfind("tenon_", 0) == 0)
    refuse(who, list, declaration, "names that start with tenon_ are reserved for the library");
  for (const DeclaredParameter& other : all.parameters)
    if (other.name == out.name) refuse(who, list, declaration, "there are two parameters with the name " + out.name);
  if (type_of(out.type, out.dtype)) return out;
  if (!is_identifier(out.type) || !std::isupper(static_cast<unsigned char>(out.type[0])))
    refuse(
        who, list, declaration,
        "\"" + out.type +
            "\" is neither a dtype nor a placeholder, which must be an identifier that starts with an upper-case letter");
  for (size_t i = 0; i < all.placeholders.size(); ++i)
    if (all.placeholders[i] == out.type) out.placeholder = int32_t(i);
  if (out.placeholder < 0) {
    out.placeholder = int32_t(all.placeholders.size());
    all.placeholders.push_back(out.type);
  }
  return out;
}

}  // namespace

bool type_of(const std::string& text, Dtype& dtype) {
  for (const TypeWord& type : kTypes)
    if (text == type.word) {
      dtype = type.dtype;
      return true;
    }
  return false;
}

const char* cuda_type(Dtype dtype) {
  switch (dtype) {
    case TENON_BOOL: return "bool";
    case TENON_INT8: return "signed char";
    case TENON_INT16: return "short";
    case TENON_INT32: return "int";
    case TENON_INT64: return "long long";
    case TENON_UINT8: return "unsigned char";
    case TENON_UINT16: return "unsigned short";
    case TENON_UINT32: return "unsigned int";
    case TENON_UINT64: return "unsigned long long";
    case TENON_FLOAT16: return "float16";
    case TENON_BFLOAT16: return "bfloat16";
    case TENON_FLOAT32: return "float";
    case TENON_FLOAT64: return "double";
    case TENON_COMPLEX64: return "complex<float>";
    case TENON_COMPLEX128: return "complex<double>";
    default: return nullptr;
  }
}

bool mentions(const std::string& text, const char* word) {
  const size_t length = std::strlen(word);
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const bool starts = at == 0 || !identifier_part(text[at - 1]);
    const bool ends = at + length >= text.size() || !identifier_part(text[at + length]);
    if (starts && ends) return true;
  }
  return false;
}

void require_whole(const std::string& text, const char* what, const std::string& who) {
  TENON_REQUIRE(!closes_too_much(text), TENON_ERROR_INVALID_ARGUMENT,
                "%s of %s closes a bracket that it does not open: helper functions belong in the preamble", what,
                who.c_str());
}

Declarations parse_declarations(const std::string& inputs, const std::string& outputs, const std::string& who) {
  Declarations out;
  for (bool output : {false, true}) {
    const char* const list = output ? "outputs" : "inputs";
    const std::string& text = output ? outputs : inputs;
    if (split(text, " \t\r\n").empty()) {
      TENON_REQUIRE(!output, TENON_ERROR_INVALID_ARGUMENT, "%s has no output: declare one, such as \"float32 y\"",
                    who.c_str());
    } else {
      size_t at = 0;
      for (;;) {
        const size_t comma = text.find(',', at);
        const std::string one = text.substr(at, comma == std::string::npos ? comma : comma - at);
        if (split(one, " \t\r\n").empty())
          refuse(who, list, text, "there is nothing between two commas, or after the last");
        out.parameters.push_back(parse_one(one, output, out, who));
        TENON_REQUIRE(out.count() <= kMaxParameters, TENON_ERROR_UNSUPPORTED, "%s declares more than %d parameters",
                      who.c_str(), kMaxParameters);
        if (comma == std::string::npos) break;
        at = comma + 1;
      }
    }
    if (!output) out.inputs = out.count();
  }
  return out;
}

}  // namespace tenon::generate
