// tests/cuda/link.cpp: linking with nvJitLink, images from outside and the sizes of their parameters, on the fake
// libraries.
#include <cstring>
#include "backend/cuda/compile/compile.hpp"
#include "base/files.hpp"
#include "cuda_support.hpp"

namespace fake {

class CudaLink : public Cuda {
 protected:
  static CompileRequest request_of(const std::vector<std::string>& sources, std::vector<std::string> kernels = {}) {
    CompileRequest request;
    request.name = "whole";
    request.kernels = std::move(kernels);
    for (const std::string& source : sources) {
      ProgramInput input;
      input.name = std::string(1, char('a' + request.inputs.size())) + ".cu";
      input.data = source;
      request.inputs.push_back(std::move(input));
    }
    return request;
  }
  static ProgramInput image(std::string data, int32_t kind, std::string name = "x.image") {
    ProgramInput input;
    input.kind = kind;
    input.name = std::move(name);
    input.data = std::move(data);
    return input;
  }
  static int32_t refused(World& w, std::string data, int32_t kind, std::string* message) {
    return status_of([&] { w.device.check_image(image(std::move(data), kind)); }, message);
  }
};

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_F(CudaLink, UnitsAreCompiledRelocatableAndLinkedInTheOrderOfTheirKernels) {
  World w;
  CompileRequest request = request_of({"// fake: needs f\n", "// fake: defines f\n// fake: global table 64\n"},
                                      {"one", "two<int>", "three"});
  request.inputs[0].kernels = {1};
  request.inputs[1].kernels = {0, 2};
  const Image linked = w.device.compile(request);
  EXPECT_EQ(linked.symbols, (std::vector<std::string>{"one", "two_int_", "three"}));
  EXPECT_TRUE(has(linked.binary, "options -arch=sm_90\n")) << linked.binary;
  EXPECT_TRUE(linked.ptx.empty());
  EXPECT_TRUE(has(linked.log, "2 inputs")) << linked.log;
  const Ref<Module> module = w.device.load(linked);
  uint64_t bytes = 0;
  EXPECT_NE(module->global("table", bytes), nullptr);
  EXPECT_EQ(bytes, 64u);
}

TEST_F(CudaLink, LinkTimeOptimisationTakesIntermediateCodeAndTheFlags) {
  World w;
  CompileRequest request = request_of({"// one\n", "// two\n"}, {"k"});
  request.inputs[0].kernels = {0};
  request.options = {"-dlto"};
  request.flags = TENON_PROGRAM_FLAG_FAST_MATH;
  EXPECT_TRUE(
      has(w.device.compile(request).binary, "options -arch=sm_90 -lto -ftz=1 -prec-div=0 -prec-sqrt=0 -fma=1\n"));
  request.flags = 0;
  request.options.clear();
  request.mode = TENON_PROGRAM_MODE_DEBUG;
  EXPECT_TRUE(has(w.device.compile(request).binary, "options -arch=sm_90 -g\n"));
  // One input of intermediate code is enough for all.
  request.mode = TENON_PROGRAM_MODE_FAST;
  request.inputs.push_back(image("FAKE image\nlto\n", TENON_INPUT_LTO_IR));
  EXPECT_TRUE(has(w.device.compile(request).binary, "options -arch=sm_90 -lto\n"));
}

// With -dlto the linker generates the code, so the options that affect code reach it too.
TEST_F(CudaLink, LinkTimeOptimisationTakesWhatTheOptionsSayOfCode) {
  World w;
  const auto options = [&](std::vector<std::string> given, uint32_t flags = 0) {
    CompileRequest request = request_of({"// one\n", "// two\n"}, {"k"});
    request.inputs[0].kernels = {0};
    request.options = std::move(given);
    request.flags = flags;
    const std::string binary = w.device.compile(request).binary;
    const size_t at = binary.find("options ") + 8;
    return binary.substr(at, binary.find('\n', at) - at);
  };
  EXPECT_EQ("-arch=sm_90 -lto -fma=0", options({"-dlto", "-fmad=false"}));
  EXPECT_EQ("-arch=sm_90 -lto -fma=0", options({"-dlto", "--fmad", "true", "--fmad", "false"}));
  EXPECT_EQ("-arch=sm_90 -lto -ftz=1 -prec-div=0 -prec-sqrt=0 -fma=1", options({"-dlto", "--use_fast_math"}));
  EXPECT_EQ("-arch=sm_90 -lto -ftz=1 -prec-div=1 -prec-sqrt=0 -fma=1",
            options({"-dlto", "-prec-div=true"}, TENON_PROGRAM_FLAG_FAST_MATH));
  EXPECT_EQ("-arch=sm_90 -lto -ftz=1", options({"-dlto", "-ftz=true"}));
  EXPECT_EQ("-arch=sm_90 -lto -prec-div=0 -prec-sqrt=0", options({"-dlto", "--prec-div=false", "--prec-sqrt=false"}));
  EXPECT_EQ("-arch=sm_90 -g -lineinfo -maxrregcount=32 -lto",
            options({"-dlto", "-G", "-lineinfo", "-maxrregcount=32"}));
  EXPECT_EQ("-arch=sm_90", options({"-fmad=false", "-ftz=true"})) << "that code is made by the compiler";
  EXPECT_EQ("-arch=sm_90a -lto", options({"-dlto", "-arch=sm_80", "-arch=sm_90a"}));
  EXPECT_EQ("-arch=sm_80", options({"--gpu-architecture", "sm_80"}));
  EXPECT_THROW(options({"-dlto", "-arch=compute_90"}), Error);
}

TEST_F(CudaLink, KernelsThatLaunchKernelsAreLinkedWithTheDevicesRuntime) {
  World w;
  CompileRequest request;
  request.name = "parent.cu";
  request.source = "__global__ void k() { child<<<1, 1>>>(); }\n// fake: needs cudaLaunchDeviceV2\n";
  request.kernels = {"k"};
  base::ScratchDirectory scratch;
  const std::string before = base::environment("TENON_CUDA_PATH");
  ASSERT_TRUE(base::write_file_atomically(scratch.path() + "/libcudart.so.13", ""));
  ASSERT_TRUE(
      base::write_file_atomically(scratch.path() + "/libcudadevrt.a", "FAKE archive\ndefines cudaLaunchDeviceV2\n"));
  setenv("TENON_CUDA_PATH", (scratch.path() + ":" + before).c_str(), 1);
  const Image linked = w.device.compile(request);
  EXPECT_TRUE(has(linked.binary, "FAKE linked")) << linked.binary;
  EXPECT_TRUE(has(linked.log, "2 inputs")) << linked.log;
  setenv("TENON_CUDA_PATH", before.c_str(), 1);
}

TEST_F(CudaLink, OptionsOfOneSourceThatAskForRelocatableCodeAreLinkedToo) {
  World w;
  for (const std::vector<std::string>& options :
       std::vector<std::vector<std::string>>{{"-rdc=true"},
                                             {"-rdc", "true"},
                                             {"--relocatable-device-code=true"},
                                             {"-dc"},
                                             {"-dlto"},
                                             {"--dlink-time-opt"}}) {
    CompileRequest request;
    request.source = "// text\n";
    request.kernels = {"k"};
    request.options = options;
    const Image linked = w.device.compile(request);
    EXPECT_TRUE(has(linked.binary, "FAKE linked")) << options[0] << linked.binary;
    EXPECT_NO_THROW(w.device.load(linked)) << options[0];
    EXPECT_TRUE(has(w.device.compiler_identity(request), "nvJitLink 13.0"));
    request.options = {"-rdc=false"};
    EXPECT_FALSE(has(w.device.compile(request).binary, "FAKE linked"));
    EXPECT_FALSE(has(w.device.compiler_identity(request), "nvJitLink"));
  }
}

TEST_F(CudaLink, WhatTheLinkerSaysIsTheErrorAndItsLog) {
  World w;
  try {
    w.device.compile(request_of({"// fake: needs nowhere\n// fake: needs neither\n", "// fake: defines f\n"}));
    FAIL() << "it linked";
  } catch (const Error& error) {
    EXPECT_EQ(error.status, TENON_ERROR_COMPILE);
    EXPECT_EQ(error.message, "whole cannot be linked: error   : Undefined reference to 'nowhere' in 'a.cu'");
    EXPECT_TRUE(has(error.log, "'neither' in 'a.cu'")) << error.log;
    EXPECT_EQ(error.native_call, "nvJitLinkComplete");
    EXPECT_EQ(error.native_code, 9);
  }
  std::string message;
  EXPECT_EQ(
      status_of([&] { w.device.compile(request_of({"// fake: defines f\n", "// fake: defines f\n"})); }, &message),
      TENON_ERROR_COMPILE);
  EXPECT_TRUE(has(message, "Multiple definition of 'f' in 'b.cu'")) << message;
  EXPECT_EQ(status_of([&] { w.device.compile(request_of({"// one\n", "\n#error\n"})); }, &message),
            TENON_ERROR_COMPILE);
  EXPECT_TRUE(has(message, "b.cu(2)")) << message;
  CompileRequest request = request_of({"// one\n"});
  request.inputs.push_back(image("nonsense", TENON_INPUT_FATBIN, "old.fatbin"));
  EXPECT_EQ(status_of([&] { w.device.compile(request); }, &message), TENON_ERROR_COMPILE);
  EXPECT_TRUE(has(message, "old.fatbin")) << message;
  request = request_of({"// one\n"});
  request.architecture = "sm_130";
  EXPECT_EQ(status_of([&] { w.device.compile(request); }, &message), TENON_ERROR_UNSUPPORTED);
  EXPECT_TRUE(has(message, "older than this device")) << message;
}

TEST_F(CudaLink, SizesOfParametersAreAskedOfTheDriver) {
  World w;
  Image given;
  given.binary = "FAKE image\nkernel k\nparam k 8\nparam k 4\nparam k 12\nkernel none\n";
  given.symbols = {"k", "none"};
  given.as_given = true;
  const Ref<Module> module = w.device.load(given);
  EXPECT_EQ(module->parameter_sizes(0), (std::vector<uint64_t>{8, 4, 12}));
  EXPECT_TRUE(module->parameter_sizes(1).empty());
  driver().fail_at = 3;
  EXPECT_EQ(status_of([&] { module->parameter_sizes(0); }), TENON_ERROR_VENDOR);
}

// An ELF header and nothing else, which is a valid file.
std::string elf_header(uint16_t machine, uint32_t flags, uint8_t version = 7) {
  std::string out("\177ELF\2\1\1\063", 8);
  out.resize(64, '\0');
  out[8] = char(version);
  std::memcpy(&out[18], &machine, 2);
  std::memcpy(&out[48], &flags, 4);
  return out;
}

TEST_F(CudaLink, ACubinIsLookedAtBeforeTheDriverGetsIt) {
  World w;  // sm_90
  std::string message;
  for (const uint32_t flags : {0x5au, 0x5a055au, 0x5a00u, 0u})
    EXPECT_EQ(refused(w, elf_header(190, flags), TENON_INPUT_BINARY, &message), TENON_OK) << message;
  for (const uint32_t flags : {0x50u, 0x560556u, 0x6400u, 0x7800u}) {
    EXPECT_EQ(refused(w, elf_header(190, flags), TENON_INPUT_BINARY, &message), TENON_ERROR_UNSUPPORTED) << flags;
    EXPECT_TRUE(has(message, "this device is sm_90")) << message;
  }
  EXPECT_EQ(refused(w, elf_header(62, 0), TENON_INPUT_BINARY, &message), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(has(message, "x.image is an ELF file for another machine")) << message;
  EXPECT_EQ(refused(w, elf_header(190, 0x5a).substr(0, 63), TENON_INPUT_BINARY, &message),
            TENON_ERROR_INVALID_ARGUMENT);
  std::string cut = elf_header(190, 0x5a);
  cut[60] = 5;  // five sections, which do not exist
  cut[58] = 64;
  EXPECT_EQ(refused(w, cut, TENON_INPUT_BINARY, &message), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(has(message, "not a complete cubin")) << message;
  EXPECT_EQ(refused(w, "", TENON_INPUT_BINARY, &message), TENON_ERROR_INVALID_ARGUMENT);
}

TEST_F(CudaLink, PtxHasItsDirectives) {
  World w;
  std::string message;
  const std::string good =
      "//\n// made by hand .version\n//\n\n  .version 8.3\n.target sm_80, debug\n.address_size 64\n.visible .entry k()\n{\n}\n";
  EXPECT_EQ(refused(w, good, TENON_INPUT_PTX, &message), TENON_OK) << message;
  struct Row {
    std::string text;
    int32_t status;
    const char* part;
  };
  for (const Row& row : {
           Row{"", TENON_ERROR_INVALID_ARGUMENT, ".version"},
           Row{"__global__ void k() {}", TENON_ERROR_INVALID_ARGUMENT, ".version"},
           Row{".version 8.3\n", TENON_ERROR_INVALID_ARGUMENT, ".target"},
           Row{".version 8.3\n.target gfx90a\n", TENON_ERROR_INVALID_ARGUMENT, ".target"},
           Row{".version 8.3\n.target sm_xy\n", TENON_ERROR_INVALID_ARGUMENT, "sm_xy"},
           Row{".version 8.3\n.target sm_80\n.address_size 32\n", TENON_ERROR_INVALID_ARGUMENT, "32-bit"},
           Row{".version 8.3\n.target sm_100\n.address_size 64\n", TENON_ERROR_UNSUPPORTED, "sm_100"},
       }) {
    EXPECT_EQ(refused(w, row.text, TENON_INPUT_PTX, &message), row.status) << row.text;
    EXPECT_TRUE(has(message, row.part)) << message;
  }
}

TEST_F(CudaLink, FatBinariesAndIntermediateCodeHaveTheirSizesAndMarks) {
  World w;
  std::string message;
  std::string fat(
      "\x50\xed\x55\xba\x01\x00\x10\x00\x08\x00\x00\x00\x00\x00\x00\x00"
      "12345678",
      24);
  EXPECT_EQ(refused(w, fat, TENON_INPUT_FATBIN, &message), TENON_OK) << message;
  EXPECT_EQ(refused(w, fat.substr(0, 23), TENON_INPUT_FATBIN, &message), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(has(message, "should have 24 bytes but has 23")) << message;
  fat[15] = '\x80';  // a size that overflows
  EXPECT_EQ(refused(w, fat, TENON_INPUT_FATBIN, &message), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(refused(w, std::string("\xb1\x43\x62\x46", 4) + std::string(20, '\0'), TENON_INPUT_FATBIN, &message),
            TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(has(message, "wrapper")) << message;
  EXPECT_EQ(refused(w, std::string("\xed\x43\x4e\x7f", 4) + std::string(12, '\0'), TENON_INPUT_LTO_IR, &message),
            TENON_OK);
  EXPECT_EQ(refused(w, std::string(40, 'x'), TENON_INPUT_LTO_IR, &message), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(refused(w, "x", 17, &message), TENON_ERROR_INVALID_ARGUMENT);
}

}  // namespace fake
