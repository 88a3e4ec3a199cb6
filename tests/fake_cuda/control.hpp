// tests/fake_cuda/control.hpp: how a test steers and reads the fake driver.
#pragma once
#include <atomic>
#include <cstdint>

struct FakeCuda {
  // Failing: the fail_at-th call from now returns fail_code; 0: none. `sticky`: every call returns it.
  long calls = 0;
  long fail_at = 0;
  int fail_code = 999;
  int sticky = 0;
  bool for_ever = false;  // all calls after that one fail with it too
  char failed_call[64] = {};

  // A function whose calls do not return until it is set back to NULL, and how many are inside.
  std::atomic<const char*> hangs_in{nullptr};
  std::atomic<int> hanging{0};

  // Work on streams is done when something waits for it, and no earlier: what a missing wait would miss is then missed.
  bool lazy = true;

  // Objects alive, and what was done wrong by the caller.
  long contexts = 0, streams = 0, events = 0, modules = 0, pools = 0, blocks = 0, host_blocks = 0;
  long graphs = 0;                                 // captures, graphs and executable graphs
  uint64_t device_bytes = 0;                       // held by pools and plain allocations
  uint64_t memory_limit = uint64_t(1) << 30;
  long misuses = 0;
  char misuse[200] = {};
};

extern "C" {
FakeCuda* fake_cuda();                             // the one of the process
long fake_cuda_count(const char* function);        // calls of a function so far
uint64_t fake_cuda_pending();                      // operations not done yet, all streams together
}
