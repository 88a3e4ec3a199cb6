// tests/contract/kernels/link_test.cpp: programs out of several sources, and from images: on every device.
#include <string>
#include "support.hpp"

namespace {

using namespace test;

tenon_program_input input(const std::string& data, int32_t kind = TENON_INPUT_SOURCE, const char* name = nullptr) {
  tenon_program_input out{};
  out.struct_size = sizeof out;
  out.kind = kind;
  out.data = data.data();
  out.size = data.size();
  out.name = name;
  return out;
}

// The options of a program.
struct Asked {
  std::vector<const char*> kernels, globals, options;
  uint32_t flags = 0;
  tenon_program_options record() const {
    tenon_program_options out{};
    out.struct_size = sizeof out;
    out.kernels = kernels.data();
    out.kernel_count = int32_t(kernels.size());
    out.globals = globals.data();
    out.global_count = int32_t(globals.size());
    out.options = options.data();
    out.option_count = int32_t(options.size());
    out.flags = flags;
    return out;
  }
};

class Links : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    device_ = device(GetParam());
    if (!device_) GTEST_SKIP() << tenon_error_last_message();
    tenon_program* program = nullptr;
    if (link_sources({"extern \"C\" __global__ void k() {}"}, {}, &program) == TENON_ERROR_MISSING_LIBRARY)
      GTEST_SKIP() << tenon_error_last_message();
    tenon_program_release(program);
  }
  bool on_cpu() const { return std::string(GetParam()) == "cpu:0"; }
  int32_t link(const std::vector<tenon_program_input>& inputs, const Asked& asked, tenon_program** out) {
    const tenon_program_options options = asked.record();
    return tenon_program_link(device_.get(), inputs.data(), int32_t(inputs.size()), &options, out);
  }
  int32_t link_sources(const std::vector<std::string>& sources, const Asked& asked, tenon_program** out) {
    static const char* const names[] = {"a.cu", "b.cu", "c.cu"};
    std::vector<tenon_program_input> inputs;
    for (const std::string& source : sources) inputs.push_back(input(source, TENON_INPUT_SOURCE, names[inputs.size()]));
    return link(inputs, asked, out);
  }
  ProgramPtr linked(const std::vector<std::string>& sources, const Asked& asked) {
    tenon_program* out = nullptr;
    EXPECT_OK(link_sources(sources, asked, &out));
    return ProgramPtr(out);
  }
  ProgramPtr compiled(const std::string& source, const Asked& asked) {
    tenon_program* out = nullptr;
    const tenon_program_options options = asked.record();
    EXPECT_OK(tenon_program_create(device_.get(), source.data(), source.size(), &options, &out));
    return ProgramPtr(out);
  }
  std::string image(const ProgramPtr& program) {
    tenon_blob* blob = nullptr;
    const void* data = nullptr;
    uint64_t size = 0;
    EXPECT_OK(tenon_program_image(program.get(), TENON_IMAGE_BINARY, &blob));
    const BlobPtr owned(blob);
    EXPECT_OK(tenon_blob_data(blob, &data, &size));
    return std::string(static_cast<const char*>(data), size);
  }
  KernelPtr kernel(const ProgramPtr& program, const char* name) {
    tenon_kernel* out = nullptr;
    EXPECT_OK(tenon_program_kernel(program.get(), name, &out));
    return KernelPtr(out);
  }
  void launch(const KernelPtr& kernel, uint32_t blocks, uint32_t threads, std::vector<tenon_arg> args,
              uint32_t shared = 0) {
    tenon_launch launch{};
    launch.struct_size = sizeof launch;
    launch.grid[0] = blocks, launch.block[0] = threads, launch.shared_bytes = shared;
    EXPECT_OK(tenon_kernel_launch(kernel.get(), &launch, args.data(), int32_t(args.size()), nullptr));
  }
  std::vector<int32_t> run(const KernelPtr& kernel, uint32_t threads, uint32_t shared = 0) {
    const ArrayPtr y = counting(device_.get(), {int64_t(threads)});
    launch(kernel, 1, threads, {TENON_ARRAY_ARG(y.get())}, shared);
    return values<int32_t>(y.get());
  }
  DevicePtr device_;
};

// Functions and variables of one unit that another uses.
const std::string kUses = R"(
extern __device__ int offset;
extern __constant__ int factors[4];
__device__ int moved(int x);
extern "C" __global__ void move(int* y) { y[threadIdx.x] = moved(y[threadIdx.x]) + factors[threadIdx.x % 4]; }
)";
const std::string kHas = R"(
__device__ int offset = 100;
__constant__ int factors[4] = {1, 2, 3, 4};
static __device__ int mine = 7;  // both units have one of this name
__device__ int moved(int x) { return x + offset + mine + (int)(threadIdx.x == 0 ? blockDim.x : 0); }
template <class T> __global__ void fill(T* y, T value) { y[threadIdx.x] = value; }
)";

TEST_P(Links, FunctionsAndVariablesOfOneUnitServeTheOther) {
  const ProgramPtr program =
      linked({kUses + "static __device__ int mine = 9;\n__device__ int other() { return mine; }\n", kHas},
             {{"move", "fill<float>"}, {"offset", "factors"}, {}});
  ASSERT_TRUE(program);
  const KernelPtr move = kernel(program, "move");
  EXPECT_EQ(run(move, 6), (std::vector<int32_t>{114, 110, 112, 114, 112, 114}));
  tenon_array* offset = nullptr;
  OK(tenon_program_global(program.get(), "offset", &offset));
  const ArrayPtr owned(offset);
  EXPECT_EQ(values<int32_t>(offset), std::vector<int32_t>{100});
  const int32_t ten = 10;
  OK(tenon_array_set_from_host(offset, &ten, 4, nullptr));
  EXPECT_EQ(run(move, 2), (std::vector<int32_t>{20, 20}));
  const KernelPtr fill = kernel(program, "fill<float>");
  tenon_parameter_info parameter{};
  parameter.struct_size = sizeof parameter;
  OK(tenon_kernel_get_parameter_info(fill.get(), 1, &parameter));
  EXPECT_EQ(parameter.dtype, TENON_FLOAT32);
}

TEST_P(Links, BarriersAndSharedMemoryWorkAcrossUnits) {
  const std::string waits = R"(
__device__ int* buffer() { extern __shared__ int shared[]; return shared; }
__device__ void meet() { __syncthreads(); }
__device__ int sum_of_warp(int x) { for (int d = 16; d; d /= 2) x += __shfl_xor_sync(0xffffffffu, x, d); return x; }
)";
  const std::string uses = R"(
__device__ int* buffer();
__device__ void meet();
__device__ int sum_of_warp(int x);
extern "C" __global__ void reverse(int* y) {
  extern __shared__ int mine[];
  buffer()[threadIdx.x] = y[threadIdx.x];
  meet();
  y[threadIdx.x] = mine[blockDim.x - 1 - threadIdx.x];
}
extern "C" __global__ void sums(int* y) { y[threadIdx.x] = sum_of_warp(y[threadIdx.x]); }
)";
  const ProgramPtr program = linked({uses, waits}, {{"reverse", "sums"}, {}, {}});
  ASSERT_TRUE(program);
  EXPECT_EQ(run(kernel(program, "reverse"), 5, 20), (std::vector<int32_t>{4, 3, 2, 1, 0}));
  const std::vector<int32_t> sums = run(kernel(program, "sums"), 64);
  EXPECT_EQ(sums[0], 496);
  EXPECT_EQ(sums[63], 1520);
}

TEST_P(Links, KernelsOfSeveralUnitsAreOneProgramAndLinkTimeOptimisationIsAnOption) {
  for (const std::vector<const char*>& options :
       {std::vector<const char*>{}, {"-dlto"}, {"--relocatable-device-code=true"}}) {
    const ProgramPtr program = linked({"extern \"C\" __global__ void one(int* y) { y[threadIdx.x] += 1; }",
                                       "extern \"C\" __global__ void two(int* y) { y[threadIdx.x] += 2; }",
                                       "__global__ void three(int* y) { y[threadIdx.x] += 3; }"},
                                      {{"two", "three", "one"}, {}, options});
    ASSERT_TRUE(program);
    EXPECT_EQ(run(kernel(program, "one"), 2), (std::vector<int32_t>{1, 2}));
    EXPECT_EQ(run(kernel(program, "two"), 2), (std::vector<int32_t>{2, 3}));
    EXPECT_EQ(run(kernel(program, "three"), 2), (std::vector<int32_t>{3, 4}));
  }
}

TEST_P(Links, FaultsNameTheUnitAndTheLine) {
  tenon_program* program = nullptr;
  FAILS(TENON_ERROR_COMPILE, "b.cu",
        link_sources({"extern \"C\" __global__ void k() {}", "\nint x = nowhere;\n"}, {{"k"}, {}, {}}, &program));
  FAILS(
      TENON_ERROR_COMPILE, "nowhere",
      link_sources({"__device__ void nowhere(); extern \"C\" __global__ void k() { nowhere(); }", "__device__ int x;"},
                   {{"k"}, {}, {}}, &program));
  FAILS(TENON_ERROR_COMPILE, "missing",
        link_sources({"extern \"C\" __global__ void k() {}", "__device__ int x;"}, {{"missing"}, {}, {}}, &program));
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "needs at least one", link(std::vector<tenon_program_input>{}, {}, &program));
  const std::string good = "__device__ int x;";
  tenon_program_input bad = input(good);
  bad.kind = 17;
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "kind 17", link({bad}, {}, &program));
  bad = input(good);
  bad.struct_size = 8;
  FAILS(TENON_ERROR_INVALID_ARGUMENT,
        "inputs[0] has struct_size 8, but a tenon_program_input has 32 bytes: is it the sizeof of a pointer?",
        link({bad}, {}, &program));
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "inputs[1] has struct_size 8, but inputs[0] has 32",
        link({input(good), bad}, {}, &program));
  bad.struct_size = sizeof bad, bad.data = nullptr;
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "inputs[0] is NULL", link({bad}, {}, &program));
  EXPECT_EQ(program, nullptr);
}

TEST_P(Links, ALinkedProgramIsCompiledInTheBackgroundToo) {
  const std::string a = kUses, b = kHas;
  const tenon_program_input inputs[] = {input(a), input(b)};
  const Asked asked{{"move"}, {}, {}};
  const tenon_program_options options = asked.record();
  tenon_compilation* compilation = nullptr;
  OK(tenon_compilation_link(device_.get(), inputs, 2, &options, &compilation));
  tenon_program* program = nullptr;
  const int32_t status = tenon_compilation_wait(compilation, -1, &program);
  tenon_compilation_release(compilation);
  OK(status);
  const ProgramPtr owned(program);
  EXPECT_EQ(run(kernel(owned, "move"), 2), (std::vector<int32_t>{110, 110}));
}

const std::string kSource = R"(
__constant__ float scale[2] = {2, 4};
extern "C" __global__ void twice(int* y) { y[threadIdx.x] *= 2; }
extern "C" __global__ void scaled(float* y, const float* x, float a) { y[threadIdx.x] = a * x[threadIdx.x] * scale[1]; }
)";

TEST_P(Links, AnImageIsLoadedAgainWithWhatItSaysOfItself) {
  const std::string bytes = image(compiled(kSource, {{"twice", "scaled"}, {"scale"}, {}}));
  tenon_program* out = nullptr;
  Asked asked{{"scaled", "twice"}, {"scale"}, {}, TENON_PROGRAM_FLAG_TRUSTED};
  OK(link({input(bytes, TENON_INPUT_BINARY, "kept.image")}, asked, &out));
  ProgramPtr program(out);
  EXPECT_EQ(run(kernel(program, "twice"), 3), (std::vector<int32_t>{0, 2, 4}));
  const KernelPtr scaled = kernel(program, "scaled");
  tenon_parameter_info parameter{};
  parameter.struct_size = sizeof parameter;
  OK(tenon_kernel_get_parameter_info(scaled.get(), 1, &parameter));
  EXPECT_EQ(parameter.kind, TENON_PARAMETER_POINTER);
  EXPECT_EQ(parameter.read_only, 1u);
  tenon_array* scale = nullptr;
  OK(tenon_program_global(program.get(), "scale", &scale));
  EXPECT_EQ(values<float>(scale), (std::vector<float>{2, 4}));
  tenon_array_release(scale);
  // Everything that it describes, if nothing is listed.
  OK(link({input(bytes, TENON_INPUT_BINARY)}, {{}, {}, {}, TENON_PROGRAM_FLAG_TRUSTED}, &out));
  program.reset(out);
  EXPECT_EQ(run(kernel(program, "twice"), 3), (std::vector<int32_t>{0, 2, 4}));
  tenon_kernel* none = nullptr;
  FAILS(TENON_ERROR_NOT_FOUND, "nothing", tenon_program_kernel(program.get(), "nothing", &none));
  FAILS(
      TENON_ERROR_NOT_FOUND, "twice, scaled",
      link({input(bytes, TENON_INPUT_BINARY, "kept.image")}, {{"nothing"}, {}, {}, TENON_PROGRAM_FLAG_TRUSTED}, &out));
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "does not describe it",
        link({input(bytes, TENON_INPUT_BINARY, "kept.image")}, {{"twice"}, {"other"}, {}, TENON_PROGRAM_FLAG_TRUSTED},
             &out));
}

TEST_P(Links, AnImageNeedsTheWordThatItIsTrusted) {
  const std::string bytes = image(compiled(kSource, {{"twice"}, {}, {}}));
  tenon_program* out = nullptr;
  for (const int32_t kind : {TENON_INPUT_BINARY, TENON_INPUT_FATBIN, TENON_INPUT_LTO_IR}) {
    FAILS(TENON_ERROR_INVALID_ARGUMENT, "TENON_PROGRAM_FLAG_TRUSTED",
          link({input(bytes, kind, "kept.image")}, {{"twice"}, {}, {}}, &out));
    FAILS(TENON_ERROR_INVALID_ARGUMENT, "kept.image",
          link({input(kSource), input(bytes, kind, "kept.image")}, {{"twice"}, {}, {}}, &out));
  }
}

TEST_P(Links, WhatIsNoImageIsRefusedBeforeItIsLoaded) {
  const std::string bytes = image(compiled(kSource, {{"twice"}, {}, {}}));
  const Asked asked{{"twice"}, {}, {}, TENON_PROGRAM_FLAG_TRUSTED};
  tenon_program* out = nullptr;
  for (const int32_t kind : {TENON_INPUT_BINARY, TENON_INPUT_PTX, TENON_INPUT_FATBIN, TENON_INPUT_LTO_IR}) {
    for (const std::string& wrong :
         {std::string(), std::string("x"), std::string(100000, 'x'), std::string("\177ELF"), bytes.substr(0, 64)}) {
      const int32_t status = link({input(wrong, kind, "wrong.image")}, asked, &out);
      EXPECT_TRUE(status == TENON_ERROR_INVALID_ARGUMENT || status == TENON_ERROR_UNSUPPORTED)
          << kind << " " << wrong.size() << " " << tenon_error_last_message();
      EXPECT_NE(std::string(tenon_error_last_message()).find("wrong.image"), std::string::npos)
          << tenon_error_last_message();
    }
  }
}

TEST_P(Links, EveryDamagedByteOfACpuImageShows) {
  if (!on_cpu()) GTEST_SKIP() << "of the CPU device's images";
  const std::string bytes = image(compiled(kSource, {{"twice"}, {}, {}}));
  const Asked asked{{"twice"}, {}, {}, TENON_PROGRAM_FLAG_TRUSTED};
  tenon_program* out = nullptr;
  for (size_t i = 0; i < bytes.size(); i += 1 + bytes.size() / 300) {
    std::string damaged = bytes;
    damaged[i] = char(~damaged[i]);
    EXPECT_NE(link({input(damaged, TENON_INPUT_BINARY)}, asked, &out), TENON_OK) << i;
    EXPECT_NE(link({input(bytes.substr(0, i), TENON_INPUT_BINARY)}, asked, &out), TENON_OK) << i;
  }
  FAILS(TENON_ERROR_UNSUPPORTED, "only CUDA devices",
        link({input(".version 8.0\n.target sm_90\n", TENON_INPUT_PTX, "k.ptx")}, asked, &out));
  FAILS(TENON_ERROR_UNSUPPORTED, "sources only",
        link({input(kSource), input(bytes, TENON_INPUT_BINARY, "kept.image")}, asked, &out));
}

INSTANTIATE_TEST_SUITE_P(Devices, Links, ::testing::Values("cpu:0", "cuda:0"), [](const auto& info) {
  return std::string(info.param).substr(0, std::string(info.param).find(':'));
});

}  // namespace
