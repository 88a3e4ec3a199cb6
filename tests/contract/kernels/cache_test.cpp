// tests/contract/kernels/cache_test.cpp: the cache of programs through the public interface, and the names of
// parameters.
#include <unistd.h>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include "support.hpp"

namespace {

using namespace test;
namespace fs = std::filesystem;

constexpr char kSource[] =
    "struct Pair { int a, b; };\n"
    "extern \"C\" __global__ void scale(const float* __restrict__ input, float *output, unsigned int count, float factor) {\n"
    "  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < count) output[i] = factor * input[i]; }\n"
    "template <class T> __global__ void fill(T* where, T value, Pair) { where[threadIdx.x] = value; }\n";

class CacheTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    char name[] = "/tmp/tenon-cache-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    scratch_ = name;
    context_ = context(scratch_ + "/one");
    device_ = device(GetParam(), context_.get());
    if (!device_) GTEST_SKIP() << tenon_error_last_message();
    const int32_t status = compile(device_.get(), program_);
    if (status == TENON_ERROR_MISSING_LIBRARY) GTEST_SKIP() << tenon_error_last_message();
    ASSERT_EQ(TENON_OK, status) << tenon_error_last_message();
  }
  void TearDown() override { fs::remove_all(scratch_); }

  static ContextPtr context(const std::string& directory, int32_t mode = TENON_CACHE_DEFAULT) {
    tenon_context_options options{};
    options.struct_size = sizeof options;
    options.cache_directory = directory.c_str();
    options.cache_mode = mode;
    tenon_context* out = nullptr;
    EXPECT_OK(tenon_context_create(&options, &out));
    return ContextPtr(out);
  }
  static int32_t compile(tenon_device* device, ProgramPtr& out) {
    const char* names[] = {"scale", "fill<double>"};
    tenon_program_options options{};
    options.struct_size = sizeof options;
    options.kernels = names;
    options.kernel_count = 2;
    tenon_program* made = nullptr;
    const int32_t status = tenon_program_create(device, kSource, sizeof kSource - 1, &options, &made);
    out.reset(made);
    return status;
  }
  static tenon_cache_info cache(tenon_context* context) {
    tenon_cache_info info{};
    info.struct_size = sizeof info;
    EXPECT_OK(tenon_cache_get_info(context, &info));
    return info;
  }
  KernelPtr kernel(const char* name) {
    tenon_kernel* out = nullptr;
    EXPECT_OK(tenon_program_kernel(program_.get(), name, &out));
    return KernelPtr(out);
  }
  static std::string name(const KernelPtr& kernel, int32_t index) {
    const char* out = nullptr;
    EXPECT_OK(tenon_kernel_parameter_name(kernel.get(), index, &out));
    return out ? out : "NULL";
  }

  std::string scratch_;
  ContextPtr context_;
  DevicePtr device_;
  ProgramPtr program_;
};

TEST_P(CacheTest, what_one_context_compiled_goes_along_in_a_bundle) {
  const tenon_cache_info before = cache(context_.get());
  EXPECT_EQ(scratch_ + "/one", before.directory);
  EXPECT_EQ(before.compiled, 1u);
  EXPECT_EQ(before.misses, 1u);
  EXPECT_GE(before.entries, 1u);
  tenon_blob* blob = nullptr;
  OK(tenon_cache_list(context_.get(), &blob));
  const BlobPtr list(blob);
  const void* text = nullptr;
  uint64_t size = 0;
  OK(tenon_blob_data(blob, &text, &size));
  const std::string rows(static_cast<const char*>(text), size);
  EXPECT_NE(rows.find("\"kernels\":[\"scale\",\"fill<double>\"]"), std::string::npos) << rows;

  const std::string bundle = scratch_ + "/bundle";
  tenon_cache_tally tally{};
  tally.struct_size = sizeof tally;
  OK(tenon_cache_export(context_.get(), bundle.c_str(), &tally));
  EXPECT_EQ(tally.entries, 1u);
  EXPECT_EQ(tally.struct_size, sizeof tally);
  const ContextPtr other = context(scratch_ + "/two");
  OK(tenon_cache_import(other.get(), bundle.c_str(), &tally));
  EXPECT_EQ(tally.entries, 1u);
  EXPECT_EQ(tally.kept, 0u);

  // There it is found even if compiling is not allowed.
  const ContextPtr offline = context(scratch_ + "/two", TENON_CACHE_NO_COMPILE);
  const DevicePtr there = device(GetParam(), offline.get());
  ASSERT_TRUE(there) << tenon_error_last_message();
  ProgramPtr program;
  OK(compile(there.get(), program));
  EXPECT_EQ(cache(offline.get()).disk_hits, 1u);
  EXPECT_EQ(cache(offline.get()).compiled, 0u);
  FAILS(TENON_ERROR_UNSUPPORTED, "is made read-only", tenon_cache_clear(offline.get(), 0, 0, &tally));

  // Damage is found, reported and removed.
  std::string bytes;
  {
    std::ifstream file(bundle, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
  }
  bytes[bytes.size() / 2] = char(bytes[bytes.size() / 2] ^ 1);
  std::ofstream(bundle, std::ios::binary) << bytes;
  OK(tenon_cache_clear(other.get(), 0, 0, &tally));
  EXPECT_EQ(tally.kept, 0u);
  tally.entries = 77;
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "is a damaged bundle", tenon_cache_import(other.get(), bundle.c_str(), &tally));
  EXPECT_EQ(tally.entries, 77u) << "an output is untouched";
  EXPECT_EQ(cache(other.get()).entries, 0u);
  fs::path largest;  // the program; the other entries are remembered results about the compiler
  for (const auto& item : fs::directory_iterator(scratch_ + "/one"))
    if (largest.empty() || item.file_size() > fs::file_size(largest)) largest = item.path();
  fs::resize_file(largest, fs::file_size(largest) / 2);
  OK(tenon_cache_verify(context_.get(), 0, &tally));
  EXPECT_EQ(tally.damaged, 1u);
  OK(tenon_cache_verify(context_.get(), 1, &tally));
  EXPECT_EQ(tally.damaged, 1u);
  OK(tenon_cache_verify(context_.get(), 1, &tally));
  EXPECT_EQ(tally.damaged, 0u);
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "remove is 2", tenon_cache_verify(context_.get(), 2, &tally));
}

TEST_P(CacheTest, parameters_have_the_names_of_the_source) {
  const KernelPtr scale = kernel("scale");
  EXPECT_EQ(name(scale, 0), "input");
  EXPECT_EQ(name(scale, 1), "output");
  EXPECT_EQ(name(scale, 2), "count");
  EXPECT_EQ(name(scale, 3), "factor");
  const KernelPtr fill = kernel("fill<double>");
  EXPECT_EQ(name(fill, 0), "where");
  EXPECT_EQ(name(fill, 1), "value");
  EXPECT_EQ(name(fill, 2), "") << "it has none";
  const char* out = nullptr;
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "parameter 4 of scale is out of range",
        tenon_kernel_parameter_name(scale.get(), 4, &out));
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "parameter -1 of scale is out of range",
        tenon_kernel_parameter_name(scale.get(), -1, &out));
}

TEST_P(CacheTest, messages_name_the_argument) {
  const KernelPtr scale = kernel("scale");
  tenon_arg args[4] = {};
  args[0].kind = args[1].kind = TENON_ARG_POINTER;
  args[2].kind = args[3].kind = TENON_ARG_SCALAR;
  args[2].dtype = TENON_UINT32, args[2].size = 4;
  args[3].dtype = TENON_INT32, args[3].size = 4;
  tenon_launch launch{};
  launch.struct_size = sizeof launch;
  FAILS(TENON_ERROR_DTYPE,
        "argument 3 (factor) of scale: ", tenon_kernel_launch(scale.get(), &launch, args, 4, nullptr));
  args[1].kind = TENON_ARG_SCALAR, args[1].dtype = TENON_INT32, args[1].size = 4;
  FAILS(TENON_ERROR_INVALID_ARGUMENT,
        "argument 1 (output) of scale: ", tenon_kernel_launch(scale.get(), &launch, args, 4, nullptr));
}

INSTANTIATE_TEST_SUITE_P(Devices, CacheTest, testing::Values("cpu:0", "cuda:0"), [](const auto& info) {
  return std::string(info.param).substr(0, std::string(info.param).find(':'));
});

}  // namespace
