// kernel/source/input.cpp: which input has what.
#include "kernel/source/input.hpp"
#include <algorithm>
#include "core/elf.hpp"
#include "kernel/source/declaration.hpp"
#include "kernel/source/signature.hpp"

namespace tenon {
namespace {

const char* input_kind_text(int32_t kind) {
  switch (kind) {
    case TENON_INPUT_BINARY: return "machine code";
    case TENON_INPUT_FATBIN: return "a fat binary";
    case TENON_INPUT_LTO_IR: return "intermediate code";
    default: return "PTX";
  }
}

void check_input(const CompileRequest& request, ProgramInput& input) {
  const char* const name = input.name.c_str();
  TENON_REQUIRE(input.kind >= TENON_INPUT_SOURCE && input.kind <= TENON_INPUT_LTO_IR, TENON_ERROR_INVALID_ARGUMENT,
                "%s has kind %d, which is not one of TENON_INPUT_*", name, input.kind);
  for (const unsigned char c : input.name) {
    TENON_REQUIRE(c >= ' ' && c != 0x7f && c != '"', TENON_ERROR_INVALID_ARGUMENT,
                  "the name of the input \"%s\" contains a character (code %d) that is not allowed", name, c);
  }
  const bool text = input.kind == TENON_INPUT_SOURCE || input.kind == TENON_INPUT_PTX;
  if (input.kind == TENON_INPUT_PTX && !input.data.empty() && input.data.back() == '\0') input.data.pop_back();
  const size_t nul = text ? input.data.find('\0') : std::string::npos;
  TENON_REQUIRE(nul == std::string::npos, TENON_ERROR_INVALID_ARGUMENT,
                "byte %zu of %s is NUL, although its kind is text", nul, name);
  TENON_REQUIRE(text || (request.flags & TENON_PROGRAM_FLAG_TRUSTED), TENON_ERROR_INVALID_ARGUMENT,
                "%s is %s, which runs with your rights: if you trust its author, set TENON_PROGRAM_FLAG_TRUSTED", name,
                input_kind_text(input.kind));
}

// The input that defines it: the first source that does; else none if an image may define it, or the first source.
template <class Defines> ProgramInput* owner(CompileRequest& request, const std::string& name, Defines defines) {
  ProgramInput* first = nullptr;
  bool images = false;
  for (ProgramInput& input : request.inputs) {
    images = images || input.kind != TENON_INPUT_SOURCE;
    if (input.kind != TENON_INPUT_SOURCE) continue;
    if (defines(input.data, name)) return &input;
    if (!first) first = &input;
  }
  return images ? nullptr : first;
}

// Does the image have code, or data, under that symbol?
bool has_symbol(const Image& image, const std::string& symbol) {
  if (std::string_view(image.binary).substr(0, 4) == "\177ELF") return !elf_symbol(image.binary, symbol).empty();
  for (size_t at = 0; (at = image.binary.find(".entry " + symbol, at)) != std::string::npos; at += symbol.size()) {
    const size_t end = image.binary.find_first_not_of(" \t\n", at + 7 + symbol.size());
    if (end != std::string::npos && image.binary[end] == '(') return true;
  }
  return false;
}

int number_of(const std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : int(found - names.begin());
}

}  // namespace

void prepare_inputs(CompileRequest& request) {
  for (ProgramInput& input : request.inputs) {
    check_input(request, input);
    input.kernels.clear();
    input.globals.clear();
  }
  if (is_one_image(request)) {
    TENON_REQUIRE(request.architecture.empty(), TENON_ERROR_INVALID_ARGUMENT,
                  "an image is loaded unchanged: leave the architecture empty instead of \"%s\"",
                  request.architecture.c_str());
    return;
  }
  for (size_t i = 0; i < request.kernels.size(); ++i)
    if (ProgramInput* input = owner(request, request.kernels[i], defines_kernel)) input->kernels.push_back(i);
  for (size_t i = 0; i < request.globals.size(); ++i) {
    ProgramInput* input = owner(request, request.globals[i], defines_variable);
    TENON_REQUIRE(
        input, TENON_ERROR_INVALID_ARGUMENT,
        "the variable \"%s\" is listed, but no source defines it, so only its bytes are known: get it without listing "
        "it",
        request.globals[i].c_str());
    input->globals.push_back(i);
  }
  for (ProgramInput& input : request.inputs)
    if (input.kind == TENON_INPUT_SOURCE)
      input.trailer = signature_trailer(request.kernels, input.kernels, request.globals, input.globals);
}

bool is_one_image(const CompileRequest& request) {
  return request.inputs.size() == 1 && request.inputs[0].kind != TENON_INPUT_SOURCE &&
         request.inputs[0].kind != TENON_INPUT_LTO_IR;
}

Adopted adopt_image(Device& device, CompileRequest& request) {
  const ProgramInput& input = request.inputs[0];
  Adopted out;
  out.image.as_given = true;
  out.image.binary = input.data;
  if (input.kind == TENON_INPUT_PTX) out.image.ptx = input.data;
  const std::vector<std::string> kernels = names_in_image(out.image, "kernel"),
                                 variables = names_in_image(out.image, "variable");
  if (request.kernels.empty()) {
    for (size_t i = 0; i < kernels.size(); ++i)
      if (has_symbol(out.image, device.kernel_symbol(kernels[i], i))) request.kernels.push_back(kernels[i]);
  }
  for (const std::string& name : request.kernels) {
    const int number = number_of(kernels, name);
    out.kernel_tables.push_back(number);
    out.image.symbols.push_back(number < 0 ? name : device.kernel_symbol(name, size_t(number)));
  }
  for (const std::string& name : request.globals) {
    const int number = number_of(variables, name);
    TENON_REQUIRE(
        number >= 0, TENON_ERROR_INVALID_ARGUMENT,
        "the variable \"%s\" is listed, but %s does not describe it, so only its bytes are known: get it without "
        "listing it",
        name.c_str(), input.name.c_str());
    out.variable_tables.push_back(number);
    out.image.globals.push_back(device.variable_symbol(name, size_t(number)));
  }
  return out;
}

}  // namespace tenon
