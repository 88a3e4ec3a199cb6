// backend/cuda/state.hpp: may the driver still be called? Not at the end of the process, not in a forked child.
#pragma once
#include <atomic>

namespace tenon::cuda {

enum class Process : int { alive, exiting, forked };
extern std::atomic<Process> process_state;

inline bool driver_callable() noexcept { return process_state.load(std::memory_order_relaxed) == Process::alive; }

// Installs the handlers that change process_state. Called after cuInit, so that our exit handler runs before the
// driver's.
void watch_process() noexcept;
// Throws FORKED, or DEVICE_LOST if the process is ending.
[[noreturn]] void refuse_process();

}  // namespace tenon::cuda
