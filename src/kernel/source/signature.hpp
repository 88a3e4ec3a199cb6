// kernel/source/signature.hpp: the parameters of kernels, as reported by the compiler that compiles them.
#pragma once
#include <string>
#include <vector>
#include "core/device/backend.hpp"
#include "kernel/source/parameter.hpp"

namespace tenon {

extern const char* const kSignatureText;

// Throws INVALID_ARGUMENT unless `name` can be the name of a kernel or of a template instance.
void check_kernel_name(const std::string& name, const char* what = "kernel");

// The lines that go after the user's text: for kernel i a constant tenon_signature_<i> in the image, for variable
// i one tenon_variable_<i> (and on the CPU tenon_global_place_<i>, its address and size). "" if there are none.
std::string signature_trailer(const std::vector<std::string>& kernels, const std::vector<std::string>& globals = {});
// Only for these, under their numbers in the lists.
std::string signature_trailer(const std::vector<std::string>& kernels, const std::vector<size_t>& which_kernels,
                              const std::vector<std::string>& globals, const std::vector<size_t>& which_globals);

// The names of the "kernel"s or "variable"s that the image describes, by number.
std::vector<std::string> names_in_image(const Image& image, const char* what);

// Parameters for which the device only reports the sizes.
std::vector<Parameter> sized_parameters(const std::vector<uint64_t>& sizes);

// Reads the constant of kernel `index` from the image. UNSUPPORTED for parameters that a host cannot pass (references),
// INTERNAL for an image that has no such table.
std::vector<Parameter> read_signature(const Image& image, size_t index, const std::string& kernel);

// The same for a variable. UNSUPPORTED if an array cannot describe it.
Variable read_variable(const Image& image, size_t index, const std::string& name);

// "const float*", "float32x4 by value": a parameter's type in words.
std::string parameter_text(const Parameter& parameter);

}  // namespace tenon
