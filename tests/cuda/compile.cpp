// tests/cuda/compile.cpp: compiling, loading and launching, on the fake NVRTC and driver; no GPU and no driver is
// needed to compile.
#include "backend/cuda/compile/compile.hpp"
#include <sys/resource.h>
#include <unistd.h>
#include <thread>
#include "base/files.hpp"
#include "cuda_support.hpp"

namespace fake {

class CudaCompile : public Cuda {};

CompileRequest request_of(std::string source, std::vector<std::string> kernels) {
  CompileRequest request;
  request.source = std::move(source);
  request.name = "user.cu";
  request.kernels = std::move(kernels);
  return request;
}

TEST_F(CudaCompile, ACompileErrorTellsTheUsersLineAndCarriesTheLog) {
  CompileRequest request = request_of("int a;\nint b;\n#error here\n", {"k"});
  request.trailer = "int c;";
  try {
    cuda::compile_for(request, "sm_90");
    FAIL() << "it compiled";
  } catch (const Error& error) {
    EXPECT_EQ(error.status, TENON_ERROR_COMPILE);
    EXPECT_NE(error.message.find("user.cu(3): error"), std::string::npos) << error.message;
    EXPECT_NE(error.log.find("1 error detected"), std::string::npos) << error.log;
    EXPECT_EQ(error.native_call, "nvrtcCompileProgram");
  }
}

TEST_F(CudaCompile, TenonsLinesAreNotTheUsers) {
  CompileRequest request = request_of("int a;\n", {});
  request.trailer = "\n#error in the trailer";
  std::string message;
  EXPECT_EQ(status_of([&] { cuda::compile_for(request, "sm_90"); }, &message), TENON_ERROR_COMPILE);
  EXPECT_NE(message.find("tenon(2)"), std::string::npos) << message;
}

TEST_F(CudaCompile, OptionsFollowModeFlagsAndArchitecture) {
  struct Row {
    int32_t mode;
    uint32_t flags;
    std::vector<std::string> options;
    std::string architecture, has, lacks;
  };
  for (const Row& row : {
           Row{TENON_PROGRAM_MODE_FAST, 0, {}, "sm_90", "--gpu-architecture=sm_90", "--device-debug"},
           Row{TENON_PROGRAM_MODE_DEBUG, 0, {}, "sm_90", "--device-debug", "--use_fast_math"},
           Row{TENON_PROGRAM_MODE_CHECK, 0, {}, "sm_90", "--generate-line-info", "--device-debug"},
           Row{TENON_PROGRAM_MODE_FAST, TENON_PROGRAM_FLAG_FAST_MATH, {}, "sm_90", "--use_fast_math", "--device-debug"},
           Row{TENON_PROGRAM_MODE_FAST, 0, {"-DX=1"}, "sm_80", "-DX=1", "sm_90"},
           Row{TENON_PROGRAM_MODE_FAST, 0, {"--gpu-architecture=sm_90"}, "sm_80", "--gpu-architecture=sm_90", "sm_80"},
       }) {
    CompileRequest request = request_of("", {"k"});
    request.mode = row.mode;
    request.flags = row.flags;
    request.options = row.options;
    const std::string image = cuda::compile_for(request, row.architecture).binary;
    EXPECT_NE(image.find(row.has), std::string::npos) << row.has << " in " << image;
    EXPECT_EQ(image.find(row.lacks), std::string::npos) << row.lacks << " in " << image;
  }
}

TEST_F(CudaCompile, MinimalIsUsedWhereNothingIsLostAndGivenUpWhereItFails) {
  auto minimal = [](const std::string& source) {
    return cuda::compile_for(request_of(source, {"k"}), "sm_90").binary.find("--minimal") != std::string::npos;
  };
  EXPECT_TRUE(minimal("__global__ void k() {}"));
  EXPECT_FALSE(minimal("#include <cuda_fp16.h>\n"));
  EXPECT_FALSE(minimal("__global__ void k(cudaTextureObject_t t) {}"));
  EXPECT_FALSE(minimal("// fake: no minimal\n"));
}

TEST_F(CudaCompile, FunctionsWithoutMarksAreTheDevicesWhereTheyWouldBeRefused) {
  const auto options = [](const std::string& source, bool apart) {
    CompileRequest request = request_of(source, {"k"});
    const CompileControl control(apart ? 60 : 0);
    request.control = &control;
    return cuda::compile_for(request, "sm_90").binary;
  };
  for (bool apart : {false, true}) {
    EXPECT_NE(options("// fake: unmarked\n", apart).find(" -default-device"), std::string::npos) << apart;
    EXPECT_EQ(options("__global__ void k() {}\n", apart).find(" -default-device"), std::string::npos) << apart;
  }
}

TEST_F(CudaCompile, AMissingHeaderOfCudaNamesThePackageThatHasIt) {
  const auto message = [](const std::string& header) {
    std::string text;
    EXPECT_EQ(
        status_of([&] { cuda::compile_for(request_of("// fake: missing " + header + "\n", {"k"}), "sm_90"); }, &text),
        TENON_ERROR_COMPILE);
    return text;
  };
  EXPECT_NE(message("cuda/barrier").find("install the pip package nvidia-cuda-cccl, or the CUDA Toolkit"),
            std::string::npos)
      << message("cuda/barrier");
  EXPECT_NE(message("crt/mma.h").find("nvidia-cuda-crt,"), std::string::npos) << message("crt/mma.h");
  EXPECT_NE(message("cuda_fp16.h").find("nvidia-cuda-runtime,"), std::string::npos);
  EXPECT_EQ(message("mine.h").find("pip package"), std::string::npos) << message("mine.h");
}

// As with PyTorch's wheels: their headers of cooperative groups include one of libcu++.
TEST_F(CudaCompile, CooperativeGroupsNeedNoLibcuxx) {
  const CompileRequest request = request_of("// fake: missing nv/target\n", {"k"});
  const std::string image = cuda::compile_for(request, "sm_90").binary;
  EXPECT_NE(image.find("-D_CG_LIMIT_INCLUDED_DEPENDENCIES"), std::string::npos) << image;
  EXPECT_EQ(cuda::compile_for(request_of("", {"k"}), "sm_90").binary.find("_CG_LIMIT"), std::string::npos);
}

TEST_F(CudaCompile, ADeviceNewerThanTheCompilerGetsPtxAndAnOlderOneAReason) {
  const Image image = cuda::compile_for(request_of("", {"k"}), "sm_130");
  EXPECT_NE(image.binary.find("ptx"), std::string::npos);
  EXPECT_NE(image.binary.find("--gpu-architecture=compute_120"), std::string::npos) << image.binary;
  std::string message;
  EXPECT_EQ(status_of([] { cuda::compile_for(request_of("", {"k"}), "sm_61"); }, &message), TENON_ERROR_UNSUPPORTED);
  EXPECT_NE(message.find("CUDA 12"), std::string::npos) << message;
  for (const char* bad : {"", "90", "sm_", "sm_9x", "gfx90a", "sm_90z"})
    EXPECT_EQ(status_of([&] { cuda::architecture_number(bad); }), TENON_ERROR_INVALID_ARGUMENT) << bad;
  EXPECT_EQ(cuda::architecture_number("sm_90a"), 90);
  EXPECT_EQ(cuda::architecture_number("compute_120f"), 120);
}

TEST_F(CudaCompile, TheIdentityChangesWithWhatDecidesTheResult) {
  const CompileRequest request = request_of("", {});
  const std::string one = cuda::identity_for(request, "sm_90");
  EXPECT_EQ(one, cuda::identity_for(request, "sm_90"));
  EXPECT_NE(one, cuda::identity_for(request, "sm_80"));
  EXPECT_NE(one.find("nvrtc 13.0"), std::string::npos) << one;
}

TEST_F(CudaCompile, TemplateInstancesKeepTheirOrder) {
  World w;
  const Image image = w.device.compile(request_of("", {"axpy<float>", "plain", "ns::f<int, 4>"}));
  EXPECT_EQ(image.symbols, (std::vector<std::string>{"axpy_float_", "plain", "ns__f_int__4_"}));
  EXPECT_FALSE(image.ptx.empty());
}

TEST_F(CudaCompile, ACubinOfAnotherArchitectureFallsBackToItsPtx) {
  World w;
  CompileRequest request = request_of("", {"k"});
  request.architecture = "sm_80";
  Image image = w.device.compile(request);
  EXPECT_NO_THROW(w.device.load(image));
  image.ptx.clear();
  std::string message;
  EXPECT_EQ(status_of([&] { w.device.load(image); }, &message), TENON_ERROR_UNSUPPORTED);
  EXPECT_NE(message.find("another architecture"), std::string::npos) << message;
}

TEST_F(CudaCompile, LaunchesTakeAttributesOnlyWhereTheyAreNeeded) {
  World w;
  Ref<Module> module = w.device.load(w.device.compile(request_of("", {"k"})));
  const long plain = fake_cuda_count("cuLaunchKernel"), extended = fake_cuda_count("cuLaunchKernelEx"),
             set = fake_cuda_count("cuFuncSetAttribute");
  Geometry geometry;
  module->launch(0, geometry, nullptr, w.stream());
  EXPECT_EQ(fake_cuda_count("cuLaunchKernelEx"), extended);
  EXPECT_EQ(fake_cuda_count("cuLaunchKernel"), plain + 1);
  geometry.shared_bytes = 100 << 10;
  for (int i = 0; i < 3; ++i) module->launch(0, geometry, nullptr, w.stream());
  EXPECT_EQ(fake_cuda_count("cuFuncSetAttribute"), set + 1) << "more than 48 KiB is allowed once";
  geometry.cluster[0] = 2;
  module->launch(0, geometry, nullptr, w.stream());
  geometry.flags = TENON_LAUNCH_COOPERATIVE;
  module->launch(0, geometry, nullptr, w.stream());
  EXPECT_EQ(fake_cuda_count("cuLaunchKernelEx"), extended + 2);
  geometry = Geometry{};
  geometry.flags = TENON_LAUNCH_PROGRAMMATIC;
  module->launch(0, geometry, nullptr, w.stream());
  EXPECT_EQ(fake_cuda_count("cuLaunchKernelEx"), extended + 3);
}

TEST_F(CudaCompile, ALaunchCostsTwoDriverCallsAndInfoAndGlobalsAreRead) {
  World w;
  Ref<Module> module = w.device.load(w.device.compile(request_of("// fake: global table 64\n", {"k"})));
  w.stream();
  const long calls = driver().calls;
  module->launch(0, Geometry{}, nullptr, w.stream());
  EXPECT_LE(driver().calls - calls, 4) << "the launch, and the context looked at, set and restored";
  const tenon_kernel_info info = module->info(0);
  EXPECT_EQ(info.max_threads_per_block, 1024);
  EXPECT_EQ(info.registers, 12);
  EXPECT_EQ(info.shared_bytes, 256u);
  EXPECT_EQ(info.ptx_version, 80);
  EXPECT_EQ(info.binary_version, 90);
  EXPECT_EQ(info.cache_mode_ca, 1);
  uint64_t bytes = 0;
  EXPECT_NE(module->global("table", bytes), nullptr);
  EXPECT_EQ(bytes, 64u);
  EXPECT_EQ(status_of([&] { module->global("none", bytes); }), TENON_ERROR_NOT_FOUND);
}

TEST_F(CudaCompile, ThePreferenceForSharedMemoryReachesTheDriver) {
  World w;
  Ref<Module> module = w.device.load(w.device.compile(request_of("", {"k"})));
  const long set = fake_cuda_count("cuFuncSetAttribute");
  EXPECT_NO_THROW(module->prefer_shared(0, 100));
  EXPECT_EQ(fake_cuda_count("cuFuncSetAttribute"), set + 1);
  EXPECT_NE(status_of([&] { module->prefer_shared(0, 101); }), TENON_OK) << "the driver was not asked";
}

// Here NVRTC's own callback ends it.
TEST_F(CudaCompile, ACompileInThisProcessEndsWhenNvrtcLooks) {
  CompileRequest request = request_of("// fake: endless\n", {"k"});
  // Cancelled later and later, until NVRTC has begun by then and has something to say.
  std::string log;
  for (int delay = 10; log.find("half of it") == std::string::npos; delay *= 2) {
    CompileControl cancelled;
    request.control = &cancelled;
    std::thread other([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(delay));
      cancelled.cancel();
    });
    try {
      cuda::compile_for(request, "sm_90");
      log = "it compiled";
    } catch (const Error& error) {
      EXPECT_EQ(error.status, TENON_ERROR_CANCELLED);
      EXPECT_EQ(error.message, "compiling user.cu was cancelled");
      log = error.log;
    }
    other.join();
    ASSERT_NE(log, "it compiled");
  }
  // A compile that never checks is reported as cancelled after it has ended.
  CompileControl late;
  const base::ScratchDirectory scratch;
  const std::string begun = scratch.path() + "/begun";
  request = request_of("// fake: waits " + begun + "\n", {"k"});
  request.control = &late;
  std::thread another([&] {
    while (access(begun.c_str(), F_OK) != 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    late.cancel();
    unlink(begun.c_str());
  });
  EXPECT_EQ(status_of([&] { cuda::compile_for(request, "sm_90"); }), TENON_ERROR_CANCELLED);
  another.join();
}

// NVRTC does not check while it instantiates templates: compiles that may have to end run in a separate process, which
// is killed. "deaf" is such a text.
TEST_F(CudaCompile, ACompileApartEndsWhateverItDoes) {
  CompileRequest request = request_of("// fake: deaf\n", {"k"});
  CompileControl cancelled(0, true);
  request.control = &cancelled;
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    cancelled.cancel();
  });
  std::string message;
  EXPECT_EQ(status_of([&] { cuda::compile_for(request, "sm_90"); }, &message), TENON_ERROR_CANCELLED);
  EXPECT_EQ(message, "compiling user.cu was cancelled");
  other.join();
  const CompileControl limited(0.1);
  request.control = &limited;
  EXPECT_EQ(status_of([&] { cuda::compile_for(request, "sm_90"); }, &message), TENON_ERROR_COMPILE);
  EXPECT_NE(message.find("time limit of 0.1 seconds"), std::string::npos) << message;
}

TEST_F(CudaCompile, ACompileApartGivesWhatOneInThisProcessGives) {
  const CompileControl apart(60);
  for (const char* text : {"// fake: global table 64\n", "// fake: no minimal\n", "// fake: chatty 5000000\n"}) {
    CompileRequest request = request_of(text, {"k", "axpy<float>"});
    request.globals = {"table"};
    const Image here = cuda::compile_for(request, "sm_90");
    request.control = &apart;
    const Image there = cuda::compile_for(request, "sm_90");
    EXPECT_EQ(there.binary, here.binary);
    EXPECT_EQ(there.ptx, here.ptx);
    EXPECT_EQ(there.log, here.log);
    EXPECT_EQ(there.symbols, here.symbols);
    EXPECT_EQ(there.globals, here.globals);
  }
  CompileRequest bad = request_of("\n#error\n", {"k"});
  bad.control = &apart;
  std::string message;
  EXPECT_EQ(status_of([&] { cuda::compile_for(bad, "sm_90"); }, &message), TENON_ERROR_COMPILE);
  EXPECT_NE(message.find("user.cu(2): error"), std::string::npos) << message;
  bad = request_of("// fake: crash\n", {"k"});
  bad.control = &apart;
  EXPECT_EQ(status_of([&] { cuda::compile_for(bad, "sm_90"); }, &message), TENON_ERROR_COMPILE);
  EXPECT_NE(message.find("NVRTC crashed on user.cu (signal 11)"), std::string::npos) << message;
}

// Without descriptors for it, NVRTC compiles in this process; the next compile has a process of its own again.
TEST_F(CudaCompile, AProcessThatCannotStartNowMayStartLater) {
  rlimit usual{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &usual), 0);
  const int next = dup(0);  // the first descriptor that is free
  close(next);
  const CompileControl apart(600);
  for (const rlim_t room : {0, 3}) {  // none, and enough for the files in memory but not for a pipe
    rlimit few = usual;
    few.rlim_cur = rlim_t(next) + room;
    CompileRequest request = request_of("// room: " + std::to_string(room) + "\n", {"k"});
    request.control = &apart;
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
    std::string message;
    const int32_t status = status_of([&] { cuda::compile_for(request, "sm_90"); }, &message);
    setrlimit(RLIMIT_NOFILE, &usual);
    EXPECT_EQ(status, TENON_OK) << message;
    request = request_of("// fake: crash\n", {"k"});  // in this process it would end the test
    request.control = &apart;
    EXPECT_EQ(status_of([&] { cuda::compile_for(request, "sm_90"); }, &message), TENON_ERROR_COMPILE);
    EXPECT_NE(message.find("NVRTC crashed on user.cu (signal 11)"), std::string::npos) << message;
  }
}

TEST_F(CudaCompile, ALogIsKeptUpToALimit) {
  const Image image = cuda::compile_for(request_of("// fake: chatty 6000000\n", {"k"}), "sm_90");
  EXPECT_EQ(image.log.size(), kLongestLog + std::string("\n[1805696 more bytes of compiler output]\n").size());
  EXPECT_NE(image.log.find("1805696 more bytes"), std::string::npos);
}

TEST_F(CudaCompile, FirstErrorIsTheFirstLineThatTellsOne) {
  EXPECT_EQ(cuda::first_error("a.cu(1): warning: x\na.cu(2): error: y\nerror: z"), "a.cu(2): error: y");
  EXPECT_EQ(cuda::first_error(""), "");
}

}  // namespace fake
