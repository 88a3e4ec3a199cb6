// tests/cuda/fault.cpp: every driver call failing in turn, a lost device, fork.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <chrono>
#include <thread>
#include "cuda_support.hpp"

namespace fake {

class CudaFaults : public Cuda {};

CompileRequest request_of(std::string source, std::vector<std::string> kernels) {
  CompileRequest request;
  request.source = std::move(source);
  request.kernels = std::move(kernels);
  return request;
}

// Uses a bit of everything, and checks its own result.
void scenario() {
  World w;
  Ref<Stream> other = w.device.create_stream(0);
  constexpr int count = 200000;
  std::vector<float> host(count, 2);
  void* data = w.device.allocate(count * 4, TENON_MEMORY_DEVICE, w.stream());
  struct Free {
    World& w;
    Stream& other;
    void* data;
    ~Free() {
      status_of([&] { w.stream().wait_for(other); });  // raw blocks do not record who used them
      w.device.deallocate(data, count * 4, TENON_MEMORY_DEVICE, w.stream());
    }
  } free{w, *other, data};
  w.device.upload(data, host.data(), count * 4, false, w.stream());
  Ref<Module> module = w.device.load(w.device.compile(request_of("", {"scale"})));
  other->wait_for(w.stream());
  float factor = 3;
  int n = count;
  void* params[] = {&data, &factor, &n};
  module->launch(0, Geometry{}, params, *other);
  Geometry large;
  large.shared_bytes = 100 << 10;
  module->launch(0, large, params, *other);
  Ref<Event> event = w.device.create_event(false);
  event->record(*other);
  w.stream().wait(*event);
  w.device.download(host.data(), data, count * 4, false, w.stream());
  ASSERT_EQ(host[0], 18);
  ASSERT_EQ(host[count - 1], 18);
  void* pinned = w.device.allocate(100, TENON_MEMORY_PINNED, w.stream());
  w.device.deallocate(pinned, 100, TENON_MEMORY_PINNED, w.stream());
  w.device.trim(0);
  w.device.synchronize();
}

TEST_F(CudaFaults, EveryDriverCallMayFailWithNothingLeftBehind) {
  scenario();
  ASSERT_EQ(alive(), kNothing);
  const long before = driver().calls;
  scenario();
  const long calls = driver().calls - before;
  ASSERT_GT(calls, 50);
  int failed = 0;
  for (int code : {999, 2, 1})
    for (long n = 1; n <= calls; ++n) {
      driver().fail_at = n;
      driver().fail_code = code;
      std::string message;
      const int32_t status = status_of(scenario, &message);
      driver().fail_at = 0;
      failed += status != TENON_OK;
      ASSERT_EQ(alive(), kNothing) << "call " << n << " (" << driver().failed_call << ") returned " << code << ": "
                                   << message;
      ASSERT_NE(status, TENON_ERROR_INTERNAL) << message;
      ASSERT_FALSE(status && message.empty());
    }
  EXPECT_GT(failed, calls) << "most failures are reported";
  scenario();
}

// A driver that fails every call does not release anything either, nor does it report when work is over: only memory
// remains, in a pool that ends with its memory, and every failure has been reported.
TEST_F(CudaFaults, AllDriverCallsMayFailFromOneOnAndTheNextProgramIsRight) {
  const long before = driver().calls;
  scenario();
  const long calls = driver().calls - before;
  driver().for_ever = true;
  for (int code : {999, 2, 1})
    for (long n = 1; n <= calls; ++n) {
      driver().fail_at = n;
      driver().fail_code = code;
      std::string message;
      const int32_t status = status_of(scenario, &message);
      driver().fail_at = 0;
      driver().host_blocks = 0;
      if (driver().blocks && driver().misuses == 1 &&
          std::string(driver().misuse) == "a pool was destroyed with memory in use")
        driver().blocks = driver().misuses = 0;
      ASSERT_EQ(alive(), kNothing) << "from call " << n << " (" << driver().failed_call << ") on all returned " << code
                                   << ": " << message;
      ASSERT_NE(status, TENON_ERROR_INTERNAL) << message;
      ASSERT_FALSE(status && message.empty());
    }
  driver().for_ever = false;
  scenario();
  EXPECT_EQ(alive(), kNothing);
}

// A call that waits for the device holds nothing that other calls need.
TEST_F(CudaFaults, ACallThatDoesNotReturnStopsNobodyElse) {
  World w;
  const Ref<Stream> stuck = w.device.create_stream(0), other = w.device.create_stream(0);
  w.stream().synchronize();
  driver().hangs_in = "cuStreamSynchronize";
  std::thread waits([&] { stuck->synchronize(); });
  while (!driver().hanging) usleep(100);
  std::vector<float> host(1000, 2);
  void* data = w.device.allocate(4000, TENON_MEMORY_DEVICE, *other);
  w.device.upload(data, host.data(), 4000, false, *other);
  const Ref<Event> event = w.device.create_event(false);
  event->record(*other);
  event->query();
  other->query();
  tenon_memory_info memory{};
  memory.struct_size = sizeof memory;
  w.device.memory_info(memory);
  EXPECT_GE(memory.used, 4000u);
  EXPECT_FALSE(w.context->report().empty());
  w.device.deallocate(data, 4000, TENON_MEMORY_DEVICE, *other);
  EXPECT_EQ(1, driver().hanging) << "it is still inside";
  driver().hangs_in = nullptr;
  waits.join();
  w.device.synchronize();
}

TEST_F(CudaFaults, ALostDeviceIsReportedAtOnceAndNamesTheKernels) {
  World w;
  void* block = w.device.allocate(1 << 20, TENON_MEMORY_DEVICE, w.stream());
  Ref<Module> module = w.device.load(w.device.compile(request_of("", {"harmless", "fault"})));
  module->launch(0, Geometry{}, nullptr, w.stream());
  module->launch(1, Geometry{}, nullptr, w.stream());
  std::string message;
  EXPECT_EQ(status_of([&] { w.stream().synchronize(); }, &message), TENON_ERROR_DEVICE_LOST);
  EXPECT_NE(message.find("fault<<<1, 1>>>, harmless<<<1, 1>>>"), std::string::npos) << message;
  EXPECT_NE(message.find("CUDA_ERROR_ILLEGAL_ADDRESS"), std::string::npos) << message;

  const long calls = driver().calls;
  const auto start = std::chrono::steady_clock::now();
  constexpr int rounds = 1000;
  for (int i = 0; i < rounds; ++i)
    ASSERT_EQ(status_of([&] { module->launch(0, Geometry{}, nullptr, w.stream()); }), TENON_ERROR_DEVICE_LOST);
  const double microseconds =
      std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count() / rounds;
  RecordProperty("microseconds_per_refusal", std::to_string(microseconds));
  EXPECT_EQ(status_of([&] { w.device.synchronize(); }), TENON_ERROR_DEVICE_LOST);
  EXPECT_EQ(status_of([&] { w.device.allocate(1, TENON_MEMORY_DEVICE, w.stream()); }), TENON_ERROR_DEVICE_LOST);
  EXPECT_EQ(status_of([&] { w.device.create_stream(0); }), TENON_ERROR_DEVICE_LOST);
  w.device.deallocate(block, 1 << 20, TENON_MEMORY_DEVICE, w.stream());
  module = nullptr;
  EXPECT_EQ(driver().calls, calls) << "the driver was called after the loss";
}

TEST_F(CudaFaults, EveryStickyCodeLosesTheDeviceAndOthersDoNot) {
  struct Row {
    int code;
    bool sticky;
  };
  for (Row row : {Row{700, true}, Row{702, true}, Row{710, true}, Row{714, true}, Row{715, true}, Row{716, true},
                  Row{717, true}, Row{718, true}, Row{719, true}, Row{214, true}, Row{1, false}, Row{2, false},
                  Row{701, false}, Row{999, false}}) {
    World w;
    w.stream();
    driver().fail_at = 3;  // the first queries the current context, the second leaves the capture mode
    driver().fail_code = row.code;
    const int32_t status = status_of([&] { w.stream().query(); });
    driver().fail_at = 0;
    EXPECT_EQ(status == TENON_ERROR_DEVICE_LOST, row.sticky) << row.code << " gave status " << status;
    EXPECT_EQ(status_of([&] { w.stream().query(); }), row.sticky ? TENON_ERROR_DEVICE_LOST : TENON_OK) << row.code;
    if (row.sticky) {  // the objects that the lost context leaves in the fake do not matter for the next row
      driver().contexts = driver().streams = driver().events = 0;
    }
  }
}

TEST_F(CudaFaults, AForkedChildGetsAnErrorAndNoDriverCall) {
  World w;
  void* block = w.device.allocate(1000, TENON_MEMORY_DEVICE, w.stream());
  const pid_t child = fork();
  if (child == 0) {
    alarm(300);
    const long calls = driver().calls;
    int code = 0;
    if (status_of([&] { w.device.allocate(1, TENON_MEMORY_DEVICE, w.stream()); }) != TENON_ERROR_FORKED) code |= 1;
    if (status_of([&] { w.stream().synchronize(); }) != TENON_ERROR_FORKED) code |= 2;
    w.device.deallocate(block, 1000, TENON_MEMORY_DEVICE, w.stream());
    if (driver().calls != calls) code |= 4;
    std::string why;
    if (!cuda::backend.devices(*w.context, &why).empty() || why.find("fork") == std::string::npos) code |= 8;
    _exit(code);
  }
  int result = 0;
  waitpid(child, &result, 0);
  EXPECT_TRUE(WIFEXITED(result));
  EXPECT_EQ(WEXITSTATUS(result), 0);
  w.device.deallocate(block, 1000, TENON_MEMORY_DEVICE, w.stream());
}

// Last: it leaves the fake's objects behind, like a process that ends.
TEST_F(CudaFaults, NothingIsCalledOnceTheDriverHasShutDown) {
  long calls = 0;
  {
    World w;
    Ref<Stream> stream = w.device.create_stream(0);
    void* block = w.device.allocate(1000, TENON_MEMORY_DEVICE, w.stream());
    driver().fail_at = 3;
    driver().fail_code = cuda::CUDA_ERROR_DEINITIALIZED;
    EXPECT_EQ(status_of([&] { w.stream().query(); }), TENON_ERROR_DEVICE_LOST);
    driver().fail_at = 0;
    calls = driver().calls;
    EXPECT_EQ(status_of([&] { w.stream().query(); }), TENON_ERROR_DEVICE_LOST);
    w.device.deallocate(block, 1000, TENON_MEMORY_DEVICE, w.stream());
  }
  EXPECT_EQ(driver().calls, calls);
  EXPECT_NE(alive(), kNothing);
}

}  // namespace fake
