// backend/cuda/compile/compile.hpp: compiling with NVRTC and linking: the text around the user's, built-in headers,
// logs.
#pragma once
#include <string>
#include <string_view>
#include <vector>
#include "core/device/backend.hpp"

namespace tenon::cuda {

// Headers that neither NVRTC nor CUDA's directories have, such as <stdint.h>. A header of the same name that the user
// passes takes precedence.
const std::vector<SourceHeader>& builtin_headers();

// The whole translation unit: Tenon's prelude, the user's text starting at line 1, and the trailer under the name
// "tenon".
std::string translation_unit(const CompileRequest& request);

// Compiles a unit to a linkable form, as the image's binary: a relocatable cubin, or with `lto` NVRTC's intermediate
// code.
Image compile_relocatable(const CompileRequest& unit, const std::string& architecture, bool lto);

// Does the request have several inputs, or do its options ask for relocatable code? Then link_for must build it.
bool asks_to_link(const CompileRequest& request);
std::vector<std::string> without_link_options(const std::vector<std::string>& options);
Image link_for(const CompileRequest& request, const std::string& architecture);
std::string linker_identity();  // throws MISSING_LIBRARY

// True if the text uses nothing that NVRTC's --minimal omits (textures, surfaces, the device runtime).
bool fits_minimal(const CompileRequest& request);

// The first line of a log that reports an error; "" if there is none.
std::string first_error(const std::string& log);

// "sm_90" -> 90, "compute_90a" -> 90; throws INVALID_ARGUMENT.
int architecture_number(const std::string& architecture);

}  // namespace tenon::cuda
