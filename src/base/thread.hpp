// base/thread.hpp: a thread of the library, which no signal of the process disturbs.
#pragma once
#include <functional>

namespace tenon::base {

// Runs `body`, which throws nothing, on a detached thread. Throws std::system_error when none can be started. Faults of the
// thread itself still reach it; all other signals are for the host's own threads.
void start_thread(std::function<void()> body);

}  // namespace tenon::base
