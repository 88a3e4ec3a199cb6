// backend/cuda/compile/compile.hpp: what is put around the user's text for NVRTC.
#pragma once
#include <string>
#include <string_view>
#include <vector>
#include "core/backend.hpp"

namespace tenon::cuda {

// Headers that NVRTC does not have and CUDA's directories do not hold: <stdint.h> and the like. A header the user gives
// by the same name wins.
const std::vector<SourceHeader>& builtin_headers();

// The whole translation unit: Tenon's prelude, the user's text from its own line 1 on, the trailer under the name
// "tenon".
std::string translation_unit(const CompileRequest& request);

// Compiles a unit to what can be linked: a relocatable cubin, or for `lto` NVRTC's intermediate code, as the image's
// binary.
Image compile_relocatable(const CompileRequest& unit, const std::string& architecture, bool lto);

// Is it made of several inputs, or do the options ask for relocatable code? Then link_for makes it.
bool asks_to_link(const CompileRequest& request);
std::vector<std::string> without_link_options(const std::vector<std::string>& options);
Image link_for(const CompileRequest& request, const std::string& architecture);
std::string linker_identity();  // throws MISSING_LIBRARY

// True when the text uses nothing that NVRTC's --minimal leaves out (textures, surfaces, the device runtime).
bool fits_minimal(const CompileRequest& request);

// The first line of a log that tells an error; "" when there is none.
std::string first_error(const std::string& log);

// "sm_90" -> 90, "compute_90a" -> 90; throws INVALID_ARGUMENT.
int architecture_number(const std::string& architecture);

}  // namespace tenon::cuda
