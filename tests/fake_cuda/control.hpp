// tests/fake_cuda/control.hpp: how a test steers and reads the fake driver.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>

struct FakeCuda {
  // Failing: the fail_at-th call from now returns fail_code; 0: none. `sticky`: every later call returns it too.
  long calls = 0;
  long fail_at = 0;
  int fail_code = 999;
  int sticky = 0;
  bool for_ever = false;  // all later calls fail with it too
  char failed_call[64] = {};

  // A function whose calls do not return until this is set back to NULL, and the number of threads inside.
  std::atomic<const char*> hangs_in{nullptr};
  std::atomic<int> hanging{0};

  // Work on streams is only done when something waits for it, so that a missing wait has visible effects.
  bool lazy = true;
  // If not 0, each call runs a few operations that could run, chosen by this seed.
  uint64_t seed = 0;

  // Called once, after the library's next cuCtxSynchronize has waited: simulates other threads before the caller
  // continues.
  void (*after_synchronize)() = nullptr;

  // Objects alive, and errors of the caller.
  long contexts = 0, streams = 0, events = 0, modules = 0, pools = 0, blocks = 0, host_blocks = 0;
  long textures = 0;  // objects of textures and surfaces, and their arrays
  long graphs = 0;    // captures, graphs and executable graphs
  long user_objects = 0;
  uint64_t device_bytes = 0;  // held by pools and plain allocations
  uint64_t memory_limit = uint64_t(1) << 30;
  long misuses = 0;
  char misuse[200] = {};
  // Two operations touched the same bytes, one of them wrote, and nothing orders them, whether or not that had an
  // effect. The text of the first one.
  long races = 0;
  char race[300] = {};
};

// The fake driver calls this at each launch of a kernel that it does not know, with the expression for which the kernel
// was compiled, its parameters as for cuLaunchKernel, and grid, block and shared memory. The work that it returns runs
// in the stream's order.
using FakeKernels =
    std::function<std::function<void()>(const char* expression, void** parameters, const unsigned (&geometry)[7])>;

struct FakeAccess {
  const void* data;
  size_t bytes;
  bool write;
};

extern "C" {
FakeCuda* fake_cuda();                       // of the process
long fake_cuda_count(const char* function);  // calls of a function so far
uint64_t fake_cuda_pending();                // operations not done yet, for all streams together

// For tests that simulate another library on the same device. Calls that a thread makes as a test are not counted and
// do not fail, and its operations are not the library's. Returns the previous value.
bool fake_cuda_as_test(bool test);
// Kernels that the driver does not know do nothing unless this function provides their work.
void fake_cuda_kernels(FakeKernels kernels);
// Enqueues a kernel that touches these bytes on the stream; `work` is its effect.
void fake_cuda_run(void* stream, const char* name, const FakeAccess* list, size_t count,
                   const std::function<void()>& work);
// The host touches memory now (pinned, managed, or memory that is about to be passed on).
void fake_cuda_host(const void* data, size_t bytes, bool write, const char* name);
// An unfinished operation of the library on these bytes, as text; NULL: none.
const char* fake_cuda_unfinished(const void* data, size_t bytes);
// Whether the stream is being captured: work on it becomes a node of a graph. A default stream is that of the current
// context.
bool fake_cuda_capturing(void* stream);
// Runs everything, and forgets all accesses: for use between tests.
void fake_cuda_forget();
// Waits until the driver's own thread has run all due destructors of user objects and host functions.
void fake_cuda_settle();
}

struct FakeTest {
  bool before = fake_cuda_as_test(true);
  ~FakeTest() { fake_cuda_as_test(before); }
};
