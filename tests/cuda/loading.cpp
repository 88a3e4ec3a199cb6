// tests/cuda/loading.cpp: what is found, chosen and said, each case in a process of its own (tests/meson.build sets the
// stage).
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <filesystem>
#include "backend/cuda/device.hpp"
#include "backend/cuda/vendor/loading.hpp"
#include "base/files.hpp"
#include "core/device/context.hpp"

namespace tenon::cuda {
extern const Backend backend;
}

namespace {

using namespace tenon;

std::string why_none() {
  Ref<Context> context = make<Context>(Settings{}, std::span<const Backend>(&cuda::backend, 1), nullptr);
  std::string why;
  auto devices = cuda::backend.devices(*context, &why);
  return devices.empty() ? why : "there are devices";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(NoDriver, SaysSoAndStillCompiles) {
  EXPECT_TRUE(contains(why_none(), "libcuda.so.1) was not found")) << why_none();
  CompileRequest request;
  request.kernels = {"k"};
  EXPECT_EQ(cuda::compile_for(request, "sm_90").symbols.size(), 1u);
  EXPECT_TRUE(contains(cuda::toolkit_sentence(), "no CUDA driver, NVRTC 13.0")) << cuda::toolkit_sentence();
}

TEST(OldDriver, IsToldToBeUpdated) {
  EXPECT_TRUE(contains(why_none(), "supports CUDA 11.4; Tenon needs 12.0 or later")) << why_none();
}

TEST(NoDevice, IsToldFromNoDriver) { EXPECT_TRUE(contains(why_none(), "shows no CUDA device")) << why_none(); }

TEST(MissingSymbol, FailsWhereItIsNeededAndNowhereElse) {
  Ref<Context> context = make<Context>(Settings{}, std::span<const Backend>(&cuda::backend, 1), nullptr);
  Device& device = context->device(TENON_DEVICE_CUDA, 0);
  CompileRequest request;
  request.kernels = {"k"};
  Ref<Module> module = device.load(device.compile(request));
  Geometry geometry;
  EXPECT_NO_THROW(module->launch(0, geometry, nullptr, device.default_stream()));
  geometry.cluster[0] = 2;
  try {
    module->launch(0, geometry, nullptr, device.default_stream());
    FAIL() << "the driver has no cuLaunchKernelEx";
  } catch (const Error& error) {
    EXPECT_EQ(error.status, TENON_ERROR_UNSUPPORTED);
    EXPECT_TRUE(contains(error.message, "cuLaunchKernelEx") && contains(error.message, "update the NVIDIA driver"))
        << error.message;
  }
}

// The driver is CUDA 12 and both major versions are installed: code of the newer compiler would not load.
TEST(Major, FollowsTheDriver) {
  EXPECT_EQ(cuda::nvrtc().major, 12) << cuda::loading_report();
  EXPECT_TRUE(contains(cuda::nvrtc().library.path(), "libnvrtc.so.12"));
}

TEST(Major, IsTheNewestWhereTheDriverAllowsIt) { EXPECT_EQ(cuda::nvrtc().major, 13) << cuda::loading_report(); }

TEST(Major, OfALibraryTheProcessHasLoadedWins) {
  base::Library::open({{getenv("FAKE_CUDA_LOADED"), "the host"}});
  EXPECT_EQ(cuda::nvrtc().major, 12) << cuda::loading_report();
  EXPECT_EQ(cuda::nvrtc().library.how(), "already loaded");
  EXPECT_TRUE(contains(cuda::loading_report(), "the process had loaded libnvrtc.so.12")) << cuda::loading_report();
}

TEST(NoToolkit, SaysWhatToInstall) {
  for (const char* name : {"libnvrtc.so.12", "libnvrtc.so.13"}) {
    for (const cuda::ToolkitDirectory& place : cuda::toolkit_directories())
      if (base::file_exists(place.directory + "/" + name))
        GTEST_SKIP() << "this machine has " << place.directory << "/" << name;
    if (base::Library::open({{name, "loader path"}})) GTEST_SKIP() << "this machine's loader finds " << name;
  }
  for (auto open : {+[] { cuda::nvrtc(); }, +[] { cuda::cublas(); }, +[] { cuda::cublaslt(); }, +[] { cuda::cufft(); },
                    +[] { cuda::cusolver(); }}) {
    try {
      open();
      FAIL() << "a library was found: " << cuda::loading_report();
    } catch (const Error& error) {
      EXPECT_EQ(error.status, TENON_ERROR_MISSING_LIBRARY);
      EXPECT_TRUE(contains(error.message, "pip package nvidia-") && contains(error.message, "TENON_CUDA_PATH"))
          << error.message;
    }
  }
}

TEST(Places, RelativeEntriesAndTheCurrentDirectoryAreNeverSearched) {
  base::ScratchDirectory scratch;
  ASSERT_EQ(chdir(scratch.path().c_str()), 0);
  std::filesystem::create_directories("lib64");
  std::filesystem::copy_file(getenv("FAKE_CUDA_LOADED"), "lib64/libnvrtc.so.13");
  std::filesystem::copy_file(getenv("FAKE_CUDA_LOADED"), "libnvrtc.so.13");
  setenv("TENON_CUDA_PATH", ".::lib64:./lib64", 1);
  setenv("CUDA_HOME", ".", 1);
  for (const cuda::ToolkitDirectory& place : cuda::toolkit_directories()) {
    EXPECT_EQ(place.directory[0], '/');
    EXPECT_FALSE(contains(place.directory, scratch.path())) << place.directory << " (" << place.how << ")";
  }
  EXPECT_FALSE(
      base::Library::open({{"./libnvrtc.so.13", "relative"}, {"lib64/libnvrtc.so.13", "relative"}, {"", "empty"}}));
  setenv("LD_LIBRARY_PATH", ":/nowhere", 1);  // the empty entry is the current directory
  EXPECT_FALSE(base::Library::open({{"libnvrtc.so.13", "loader path"}}));
}

TEST(Places, WheelsOfBothMajorsAreFound) {
  for (const char* folder : {"site-packages", "dist-packages"}) {  // Debian's Python has the second
    base::ScratchDirectory scratch;
    const std::string packages = scratch.path() + "/lib/python3.11/" + folder;
    std::filesystem::create_directories(packages + "/nvidia/cu13/lib");
    std::filesystem::create_directories(packages + "/nvidia/cublas/lib");
    setenv("VIRTUAL_ENV", scratch.path().c_str(), 1);
    int found = 0;
    for (const cuda::ToolkitDirectory& place : cuda::toolkit_directories()) {
      found += place.directory == std::filesystem::canonical(packages).string() + "/nvidia/cu13/lib";
      found += place.directory == std::filesystem::canonical(packages).string() + "/nvidia/cublas/lib";
    }
    EXPECT_EQ(found, 2) << folder;
  }
}

// A Python of a virtual environment that nobody activated is a link; the environment's wheels are beside the link.
TEST(Places, WheelsOfAVirtualEnvironmentAreFoundByItsPython) {
  base::ScratchDirectory scratch;
  const std::string root = std::filesystem::canonical(scratch.path()).string();
  std::filesystem::create_directories(root + "/bin");
  std::filesystem::create_directories(root + "/lib/python3.12/site-packages/nvidia/cu13/lib");
  std::filesystem::create_symlink("/bin/true", root + "/bin/python3");
  unsetenv("VIRTUAL_ENV");
  const auto found = [&] {
    const auto places = cuda::toolkit_directories();
    return std::any_of(places.begin(), places.end(), [&](const cuda::ToolkitDirectory& place) {
      return place.directory == root + "/lib/python3.12/site-packages/nvidia/cu13/lib";
    });
  };
  char* const before = program_invocation_name;
  EXPECT_FALSE(found());
  std::string path = root + "/bin/python3", name = "python3";
  program_invocation_name = path.data();
  EXPECT_TRUE(found()) << "started by its path";
  const std::string old = getenv("PATH");
  setenv("PATH", ("relative:" + root + "/bin:" + old).c_str(), 1);
  program_invocation_name = name.data();
  EXPECT_TRUE(found()) << "started by its name";
  program_invocation_name = before;
  setenv("PATH", old.c_str(), 1);
}

// Headers that the chosen directory lacks are found in the others of the same major version, in the first that has
// them.
TEST(Places, HeadersAreFoundInWhateverToolkitOfTheMajorHasThem) {
  base::ScratchDirectory scratch;
  const std::string root = std::filesystem::canonical(scratch.path()).string();
  const auto file = [&](const std::string& path, const std::string& text = "") {
    std::filesystem::create_directories((root + "/" + path).substr(0, (root + "/" + path).rfind('/')));
    ASSERT_TRUE(base::write_file_atomically(root + "/" + path, text));
  };
  const std::string packages = "venv/lib/python3.11/site-packages/nvidia";
  file(packages + "/cuda_nvrtc/lib/libnvrtc.so.12");
  file(packages + "/cuda_runtime/include/cuda_fp16.h");
  file(packages + "/cuda_runtime/include/cuda.h", "#define CUDA_VERSION 12090\n");
  file(packages + "/cuda_nvcc/include/crt/mma.h");
  for (const char* toolkit : {"a", "b"}) {  // one of the other major version, one of this
    file(std::string(toolkit) + "/lib64/libcudart.so");
    file(std::string(toolkit) + "/include/cuda_fp16.h");
    file(std::string(toolkit) + "/include/nv/target");
    file(std::string(toolkit) + "/include/cuda.h",
         *toolkit == 'a' ? "#define CUDA_VERSION 13000\n" : "#define CUDA_VERSION 12040\n");
  }
  setenv("VIRTUAL_ENV", (root + "/venv").c_str(), 1);
  setenv("TENON_CUDA_PATH", (root + "/a:" + root + "/b").c_str(), 1);
  const std::vector<std::string> found =
      cuda::cuda_include_directories(root + "/" + packages + "/cuda_runtime/include");
  const auto at = [&](const std::string& path) {
    return std::find(found.begin(), found.end(), root + "/" + path) - found.begin();
  };
  const auto count = std::ptrdiff_t(found.size());
  EXPECT_EQ(at(packages + "/cuda_runtime/include"), 0) << "the chosen ones first";
  EXPECT_LT(at(packages + "/cuda_nvcc/include"), count);
  EXPECT_LT(at("b/include"), count);
  EXPECT_EQ(at("a/include"), count) << "CUDA 13's";
}

// A program in the cache needs the compiler's version, not the compiler.
TEST(CompilerFile, IsDescribedWithoutBeingOpened) {
  base::ScratchDirectory scratch;
  std::filesystem::copy_file(std::string(getenv("TENON_CUDA_PATH")) + "/libnvrtc.so.13",
                             scratch.path() + "/libnvrtc.so.13");
  ASSERT_TRUE(base::write_file_atomically(scratch.path() + "/libnvrtc-builtins.so.13.0", "x"));
  ASSERT_TRUE(base::write_file_atomically(scratch.path() + "/libnvrtc-builtins.so.13.0.88", "x"));
  setenv("TENON_CUDA_PATH", scratch.path().c_str(), 1);
  const std::string before = cuda::identity_for({}, "sm_90");
  EXPECT_TRUE(contains(before, "nvrtc 13.0 (")) << before;
  for (const std::string& path : base::loaded_libraries()) EXPECT_FALSE(contains(path, "nvrtc")) << path;
  cuda::compile_for({}, "sm_90");
  EXPECT_EQ(cuda::identity_for({}, "sm_90"), before);
  EXPECT_EQ(cuda::compiler_on_disk().path, cuda::nvrtc().library.path());
}

TEST(Sonames, AreThoseOfEachMajor) {
  EXPECT_EQ(cuda::soname(cuda::Vendor::cufft, 12), "libcufft.so.11");
  EXPECT_EQ(cuda::soname(cuda::Vendor::cufft, 13), "libcufft.so.12");
  EXPECT_EQ(cuda::soname(cuda::Vendor::cusolver, 13), "libcusolver.so.12");
  EXPECT_EQ(cuda::soname(cuda::Vendor::cublaslt, 12), "libcublasLt.so.12");
}

}  // namespace
