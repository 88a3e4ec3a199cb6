// backend/cuda/compile.hpp: what is put around the user's text for NVRTC.
#pragma once
#include <string>
#include <string_view>
#include <vector>
#include "core/backend.hpp"

namespace tenon::cuda {

// Headers that NVRTC does not have and CUDA's directories do not hold: <stdint.h> and the like. A header the user gives by
// the same name wins.
const std::vector<SourceHeader>& builtin_headers();

// The whole translation unit: Tenon's prelude, the user's text from its own line 1 on, the trailer under the name "tenon".
std::string translation_unit(const CompileRequest& request);

// True when the text uses nothing that NVRTC's --minimal leaves out (textures, surfaces, the device runtime).
bool fits_minimal(const CompileRequest& request);

// The first line of a log that tells an error; "" when there is none.
std::string first_error(const std::string& log);

// "sm_90" -> 90, "compute_90a" -> 90; throws INVALID_ARGUMENT.
int architecture_number(const std::string& architecture);

}  // namespace tenon::cuda
