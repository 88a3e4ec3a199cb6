// kernel/declaration.hpp: what the text of a source shows of a kernel, without preprocessing. Serves names and guesses
// only: what a program is made of is the compiler's to say.
#pragma once
#include <string>
#include <string_view>
#include <vector>
#include "kernel/program.hpp"

namespace tenon {

// One parameter as it is written.
struct WrittenParameter {
  std::string name;  // "" where none is written
  bool pointer = false;
  std::vector<std::string> words;  // of its type, sorted: {"int", "unsigned"}; empty unless all are C's own
};

// A declaration `__global__ ... kernel(...)`.
struct Declaration {
  std::string kernel;
  bool body;  // `{` follows
  std::vector<WrittenParameter> parameters;
};

// Those that stand plainly in the text; one that a macro writes is not found.
std::vector<Declaration> kernel_declarations(std::string_view source);

// Does the text define a kernel, or a __device__, __constant__ or __managed__ variable, of that name ("ns::axpy<float>"
// is "axpy")?
bool defines_kernel(std::string_view source, const std::string& name);
bool defines_variable(std::string_view source, const std::string& name);

// The names of a kernel's parameters, "" each where no text shows one: from declarations in the texts that fit the
// parameters.
std::vector<std::string> written_names(const std::vector<std::string_view>& texts, const std::string& kernel,
                                       const std::vector<Parameter>& parameters);

// Whether the text closes a bracket that it has not opened, and so would end what it is put into. Never for texts with
// preprocessor lines, which may choose between brackets.
bool closes_too_much(std::string_view text);

// "ns::axpy<float>" -> "axpy"
std::string plain_name(const std::string& name);

}  // namespace tenon
