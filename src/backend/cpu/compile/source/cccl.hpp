// backend/cpu/compile/source/cccl.hpp: CCCL (CUB, Thrust, libcu++) by its own headers, from a toolkit or a wheel.
#pragma once
#include <string>
#include "core/device/backend.hpp"

namespace tenon::cpu {

// How a text includes CCCL's headers beyond those of the shim: not at all; by names in the text; or perhaps in files
// that only the compiler sees (-I).
enum class UsesCccl { no, yes, perhaps };
UsesCccl uses_cccl(const CompileRequest& request);

// The headers that the text includes and that only code of the host can use, as lines of a compiler's log. "": none.
std::string cccl_for_the_host(const CompileRequest& request);

// The directory of its headers (version 3 or later): one of the request's options, or else of a toolkit or a wheel. "":
// they were not found.
std::string cccl_directory(const CompileRequest& request);

// Whether a compile without CCCL failed because a header that only CCCL has was not found, or in CCCL's directory,
// which is also one of the request's.
bool lacks_cccl(const std::string& log, const std::string& directory);

}  // namespace tenon::cpu
