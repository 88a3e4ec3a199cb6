// What helps to find the guilty kernel: faults with their launch, the wait after each one, ranges for profilers, the
// watchdog of checked kernels, and a debugger that shows a kernel's text.
#include <dlfcn.h>
#include <unistd.h>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include "support.hpp"

using namespace test;

namespace {

struct Machine {
  tenon_context_options options{};
  ContextPtr context;
  DevicePtr device;
  int32_t mode = TENON_PROGRAM_MODE_FAST;
  ProgramPtr program;
  KernelPtr kernel;
  ArrayPtr x;

  explicit Machine(uint32_t flags = 0, int32_t timeout = 0) {
    options.struct_size = sizeof options;
    options.flags = flags;
    options.kernel_timeout_seconds = timeout;
    tenon_context* out = nullptr;
    EXPECT_OK(tenon_context_create(&options, &out));
    context.reset(out);
    device = test::device("cpu:0", out);
    x = counting(device.get(), {64});
  }
  // Kernel k(int* x, int n) with this body.
  int32_t compile(const std::string& body, const char* before = "") {
    const std::string source =
        before + std::string("extern \"C\" __global__ void k(int* x, int n) {\n") + body + "\n}\n";
    const char* names[] = {"k"};
    tenon_program_options o{};
    o.struct_size = sizeof o;
    o.kernels = names, o.kernel_count = 1;
    o.mode = mode;
    tenon_program* made = nullptr;
    if (const int32_t status = tenon_program_create(device.get(), source.data(), source.size(), &o, &made))
      return status;
    program.reset(made);
    tenon_kernel* found = nullptr;
    const int32_t status = tenon_program_kernel(made, "k", &found);
    kernel.reset(found);
    return status;
  }
  int32_t run(int32_t n, uint32_t grid = 1, uint32_t block = 32, tenon_stream* stream = nullptr) {
    tenon_launch launch{};
    launch.struct_size = sizeof launch;
    launch.grid[0] = grid, launch.block[0] = block;
    const tenon_arg args[] = {TENON_ARRAY_ARG(x.get()), TENON_I32_ARG(n)};
    return tenon_kernel_launch(kernel.get(), &launch, args, 2, stream);
  }
  std::string address() {
    char text[32];
    std::snprintf(text, sizeof text, "%p", info(x.get()).data);
    return text;
  }
};

TEST(Faults, TellTheLaunchWithItsArguments) {
  Machine m;
  OK(m.compile("assert(n != 7);"));
  OK(m.run(7, 3, 32));
  FAILS(TENON_ERROR_KERNEL_FAULT, "launched as k<<<3, 32>>>(" + m.address() + ", 7)",
        tenon_device_synchronize(m.device.get()));
}

TEST(DebugSync, ReturnsTheFaultFromTheLaunchThatMadeIt) {
  for (bool by_environment : {false, true}) {
    if (by_environment) setenv("TENON_DEBUG_SYNC", "1", 1);
    Machine m(by_environment ? 0 : TENON_CONTEXT_DEBUG_SYNC);
    unsetenv("TENON_DEBUG_SYNC");
    OK(m.compile("assert(n != 7);"));
    OK(m.run(6));
    FAILS(TENON_ERROR_KERNEL_FAULT, "in k<<<1, 32>>>(" + m.address() + ", 7): ", m.run(7));
    OK(m.run(6));
    OK(tenon_device_synchronize(m.device.get()));
    // Also in a graph: the nodes are run one by one.
    tenon_graph* graph = nullptr;
    tenon_stream* stream = nullptr;
    OK(tenon_graph_create(m.device.get(), &graph));
    OK(tenon_graph_begin(graph, &stream));
    OK(m.run(6, 1, 32, stream));
    OK(m.run(7, 2, 32, stream));
    OK(tenon_array_fill(m.x.get(), number(1), stream));
    OK(tenon_graph_end(graph));
    FAILS(TENON_ERROR_KERNEL_FAULT, "in k<<<2, 32>>>", tenon_graph_launch(graph, nullptr));
    tenon_stream_release(stream);
    tenon_graph_release(graph);
  }
}

// NVTX_INJECTION64_PATH names the library built from nvtx_injection.cpp, which writes down the ranges.
TEST(Ranges, SurroundLaunchesAndOperationsWhereAProfilerListens) {
  const char* path = std::getenv("NVTX_INJECTION64_PATH");
  if (!path) GTEST_SKIP() << "NVTX_INJECTION64_PATH names no library";
  auto log = [path] {
    void* library = dlopen(path, RTLD_NOW);
    auto take = reinterpret_cast<const char* (*)()>(dlsym(library, "take_log"));
    return std::string(take ? take() : "no log");
  };
  Machine silent;
  OK(silent.compile("x[threadIdx.x] = n;"));
  OK(silent.run(3));
  EXPECT_EQ(log(), "");
  Machine m(TENON_CONTEXT_NVTX);
  OK(m.compile("x[threadIdx.x] = n;"));
  log();
  OK(m.run(3));
  OK(tenon_array_fill(m.x.get(), number(0), nullptr));
  EXPECT_EQ(log(), "push k;pop;push fill;pop;");
}

TEST(Watchdog, EndsAKernelThatSpinsForEver) {
  struct Case {
    const char* name;
    const char* body;
    const char* before;
  };
  const Case cases[] = {
      {"loop", "volatile int* flag = x;\nif (threadIdx.x == 5) while (*flag == 0) {}", ""},
      {"after a barrier",
       "__shared__ int s[32];\ns[threadIdx.x] = n;\n__syncthreads();\nvolatile int* flag = x;\nif (threadIdx.x == 5) while (*flag == 0) {}",
       ""},
      {"in a function", "if (threadIdx.x == 5) spin(x);",
       "__device__ __noinline__ void spin(volatile int* flag) { for (;;) if (*flag) return; }\n"},
      {"between shuffles",
       "volatile int* flag = x;\nint v = __shfl_xor_sync(~0u, n, 1);\nif (threadIdx.x == 5) while (*flag == 0) {}\nx[1] = v;",
       ""},
  };
  for (const char* compiler : {"", "g++"}) {
    if (*compiler) setenv("TENON_CXX", compiler, 1);
    for (const Case& c : cases) {
      SCOPED_TRACE(std::string(c.name) + " " + compiler);
      // A limit that doubles until the thread that spins had begun by then.
      for (int32_t limit = 1, found = 0; !found; limit *= 2) {
        Machine m(0, limit);
        m.mode = TENON_PROGRAM_MODE_CHECK;
        OK(m.compile(c.body, c.before));
        OK(tenon_array_fill(m.x.get(), number(0), nullptr));
        const std::string expected = "timed out after " + std::to_string(limit) + " s in kernel k";
        FAILS(TENON_ERROR_KERNEL_FAULT, expected.c_str(), m.run(3, 2));
        found = std::string(tenon_error_last_message()).find("thread (5, 0, 0)") != std::string::npos;
      }
      Machine patient(0, -1);
      patient.mode = TENON_PROGRAM_MODE_CHECK;
      OK(patient.compile(c.body, c.before));
      OK(tenon_array_fill(patient.x.get(), number(1), nullptr));
      OK(patient.run(3, 2));
      OK(tenon_device_synchronize(patient.device.get()));
    }
    unsetenv("TENON_CXX");
  }
}

TEST(Watchdog, CanBeSwitchedOff) {
  setenv("TENON_KERNEL_TIMEOUT", "1", 1);
  Machine never(0, -1), environment(0, 0);
  unsetenv("TENON_KERNEL_TIMEOUT");
  for (Machine* m : {&never, &environment}) {
    m->mode = TENON_PROGRAM_MODE_CHECK;
    OK(m->compile("volatile int* flag = x;\nif (threadIdx.x == 5) { flag[1] = -1; while (flag[0] == 0) {} }"));
  }
  // One kernel without a limit begins before another one with a limit, and is still there when that one is ended.
  auto* flag = static_cast<volatile int32_t*>(info(never.x.get()).data);
  std::thread other([&] {
    OK(never.run(0));
    OK(tenon_device_synchronize(never.device.get()));
  });
  while (flag[1] != -1) std::this_thread::yield();
  FAILS(TENON_ERROR_KERNEL_FAULT, "timed out after 1 s", environment.run(0));
  flag[0] = 1;
  other.join();
}

// --- the debugger

TEST(Debugger, DISABLED_Target) {
  Machine m;
  m.mode = TENON_PROGRAM_MODE_DEBUG;
  OK(m.compile("int twice = 2 * n;\nx[threadIdx.x] = twice + 1;"));
  OK(m.run(21));
  OK(tenon_device_synchronize(m.device.get()));
}

TEST(Debugger, StopsInAKernelAndShowsItsTextAndThread) {
  if (std::system("gdb --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "gdb is not installed";
  char self[4096] = {};
  ASSERT_GT(readlink("/proc/self/exe", self, sizeof self - 1), 0);
  const std::string log = "debugger.log";
  const std::string command =
      "gdb -nx -batch -iex 'set debuginfod enabled off' -ex 'set breakpoint pending on' -ex 'break kernel.cu:3 if threadIdx.x == 3' -ex run "
      "-ex 'print threadIdx.x' -ex 'print twice' -ex 'list 3,3' -ex 'info source' -ex continue "
      "--args '" +
      std::string(self) + "' --gtest_also_run_disabled_tests --gtest_filter=Debugger.DISABLED_Target > " + log +
      " 2>&1";
  (void)!std::system(command.c_str());
  std::ifstream file(log);
  const std::string said((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (said.find("ptrace") != std::string::npos || said.find("Cannot create process") != std::string::npos)
    GTEST_SKIP() << "gdb may not trace processes here: " << said;
  for (const char* part :
       {"Breakpoint 1, k (x=0x", "$1 = 3", "$2 = 42", "x[threadIdx.x] = twice + 1;", "exited normally"})
    EXPECT_NE(said.find(part), std::string::npos) << part << " is not in:\n" << said;
}

}  // namespace
