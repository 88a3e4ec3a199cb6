// kernel/source/declaration.hpp: the kernels of a source's text, as far as they can be recognised without
// preprocessing. Serves names and guesses only: what a program is made of is the compiler's to say.
#pragma once
#include <string>
#include <string_view>
#include <vector>
#include "kernel/source/parameter.hpp"

namespace tenon {

// One parameter as it is written.
struct WrittenParameter {
  std::string name;  // "" if it has none
  bool pointer = false;
  std::vector<std::string>
      words;  // the words of its type, sorted: {"int", "unsigned"}; empty unless all are C's keywords
};

// A declaration `__global__ ... kernel(...)`.
struct Declaration {
  std::string kernel;
  bool body;  // `{` follows
  std::vector<WrittenParameter> parameters;
};

// The declarations that are visible in the text; those made by macros are not found.
std::vector<Declaration> kernel_declarations(std::string_view source);

// Does the text define a kernel, or a __device__, __constant__ or __managed__ variable, of that name ("ns::axpy<float>"
// is "axpy")?
bool defines_kernel(std::string_view source, const std::string& name);
bool defines_variable(std::string_view source, const std::string& name);

// The names of a kernel's parameters, from declarations in the texts that match the parameters; "" for each name that
// is not found.
std::vector<std::string> written_names(const std::vector<std::string_view>& texts, const std::string& kernel,
                                       const std::vector<Parameter>& parameters);

// Whether the text closes a bracket that it has not opened, and so would close the function around it. False for texts
// with preprocessor lines, which may choose between brackets.
bool closes_too_much(std::string_view text);

}  // namespace tenon
