// backend/cuda/compile/apart.hpp: a compile by NVRTC in a separate process, which can be ended in any state.
#pragma once
#include "backend/cuda/compile/nvrtc_work.hpp"
#include "core/control.hpp"

namespace tenon::cuda {

// False: no such process can be started here (no /proc, programs cannot run from memory ...), and nothing was done.
// Throws CANCELLED or COMPILE if `control` ended it, COMPILE if NVRTC crashed.
bool run_apart(const NvrtcWork& work, const std::string& name, const CompileControl& control, NvrtcDone& done);

}  // namespace tenon::cuda
