// tests/fake_cuda/control.hpp: how a test steers and reads the fake driver.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>

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
  // Not 0: at each call a few operations that could run do so, chosen by this seed.
  uint64_t seed = 0;

  // Called once, when the library's next cuCtxSynchronize has waited: what other threads do before the caller goes on.
  void (*after_synchronize)() = nullptr;

  // Objects alive, and what was done wrong by the caller.
  long contexts = 0, streams = 0, events = 0, modules = 0, pools = 0, blocks = 0, host_blocks = 0;
  long graphs = 0;  // captures, graphs and executable graphs
  long user_objects = 0;
  uint64_t device_bytes = 0;  // held by pools and plain allocations
  uint64_t memory_limit = uint64_t(1) << 30;
  long misuses = 0;
  char misuse[200] = {};
  // Two operations touched the same bytes, one of them wrote, and nothing orders them: whether or not it showed. The
  // first one's text.
  long races = 0;
  char race[300] = {};
};

// What the fake driver asks about a kernel that it does not know, at each launch: the expression that the kernel was
// compiled for, its parameters as cuLaunchKernel has them, and grid, block and shared memory. What it gets runs in the
// stream's order.
using FakeKernels =
    std::function<std::function<void()>(const char* expression, void** parameters, const unsigned (&geometry)[7])>;

struct FakeAccess {
  const void* data;
  size_t bytes;
  bool write;
};

extern "C" {
FakeCuda* fake_cuda();                       // the one of the process
long fake_cuda_count(const char* function);  // calls of a function so far
uint64_t fake_cuda_pending();                // operations not done yet, all streams together

// For tests that play another library on the same device. Calls that a thread makes as a test are not counted and do
// not fail, and its operations are not the library's. Returns what it was.
bool fake_cuda_as_test(bool test);
// Kernels that the driver does not know do nothing unless this says what they do.
void fake_cuda_kernels(FakeKernels kernels);
// Puts a kernel on the stream that touches these bytes; `work` is what it does.
void fake_cuda_run(void* stream, const char* name, const FakeAccess* list, size_t count,
                   const std::function<void()>& work);
// The host touches memory now (pinned, managed, or memory that is to be given to somebody else).
void fake_cuda_host(const void* data, size_t bytes, bool write, const char* name);
// An operation of the library on these bytes that is not done yet, as text; NULL: none.
const char* fake_cuda_unfinished(const void* data, size_t bytes);
// Whether the stream is being captured: what is put on it becomes a node of a graph. A default stream is the current
// context's.
bool fake_cuda_capturing(void* stream);
// Runs everything, and forgets who touched what: between tests.
void fake_cuda_forget();
// Waits until the driver's own thread has run all destructors of user objects and all host functions that are due.
void fake_cuda_settle();
}

struct FakeTest {
  bool before = fake_cuda_as_test(true);
  ~FakeTest() { fake_cuda_as_test(before); }
};
