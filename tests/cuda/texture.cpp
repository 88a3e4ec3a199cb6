// tests/cuda/texture.cpp: textures and surfaces through the public interface, on the fake driver: copies, shared
// memory, the order on streams, and how long the driver's objects live.
#include "fake_cuda/control.hpp"
#include "support.hpp"

using namespace test;

namespace {

using TexturePtr = std::unique_ptr<tenon_texture, Releaser<tenon_texture, tenon_texture_release>>;

class CudaTexture : public ::testing::Test {
 protected:
  void SetUp() override {
    device_ = test::device("cuda:0");
    ASSERT_TRUE(device_) << tenon_error_last_message();
    fake_cuda()->misuses = fake_cuda()->races = 0;
    fake_cuda()->fail_at = 0;
    const char source[] = "// the fake driver knows what these do";
    const char* names[] = {"read_texture", "write_surface"};
    tenon_program_options options{};
    options.struct_size = sizeof options;
    options.kernels = names, options.kernel_count = 2;
    options.flags = TENON_PROGRAM_FLAG_NO_CACHE;
    tenon_program* program = nullptr;
    OK(tenon_program_create(device_.get(), source, sizeof source - 1, &options, &program));
    program_.reset(program);
    tenon_kernel* kernel = nullptr;
    OK(tenon_program_kernel(program, "read_texture", &kernel));
    read_.reset(kernel);
    OK(tenon_program_kernel(program, "write_surface", &kernel));
    write_.reset(kernel);
  }
  void TearDown() override {
    tenon_device_synchronize(device_.get());
    EXPECT_EQ(fake_cuda()->misuses, 0) << fake_cuda()->misuse;
    EXPECT_EQ(fake_cuda()->races, 0) << fake_cuda()->race;
  }
  StreamPtr stream() {
    tenon_stream* made = nullptr;
    EXPECT_OK(tenon_stream_create(device_.get(), nullptr, &made));
    return StreamPtr(made);
  }
  TexturePtr texture(const tenon_array* source, tenon_texture_options options = {}, tenon_stream* on = nullptr) {
    options.struct_size = sizeof options;
    tenon_texture* made = nullptr;
    EXPECT_OK(tenon_texture_create(source, &options, on, &made));
    return TexturePtr(made);
  }
  int32_t read(tenon_texture* from, tenon_array* to, int count, tenon_stream* on) {
    tenon_launch launch{};
    launch.struct_size = sizeof launch;
    const tenon_arg args[] = {TENON_TEXTURE_ARG(from), TENON_ARRAY_ARG(to), TENON_I32_ARG(count)};
    return tenon_kernel_launch(read_.get(), &launch, args, 3, on);
  }
  int32_t write(tenon_texture* to, float value, int count, tenon_stream* on) {
    tenon_launch launch{};
    launch.struct_size = sizeof launch;
    const tenon_arg args[] = {TENON_SURFACE_ARG(to), TENON_F32_ARG(value), TENON_I32_ARG(count)};
    return tenon_kernel_launch(write_.get(), &launch, args, 3, on);
  }
  ArrayPtr floats(std::vector<int64_t> shape) {
    int64_t count = 1;
    for (int64_t extent : shape) count *= extent;
    std::vector<float> numbers(static_cast<size_t>(count));
    for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = float(i + 1);
    tenon_array* made = nullptr;
    EXPECT_OK(tenon_array_from_host(device_.get(), TENON_FLOAT32, int32_t(shape.size()), shape.data(), numbers.data(),
                                    4 * numbers.size(), nullptr, &made));
    return ArrayPtr(made);
  }
  // Ends what waits for its uses to be over.
  void collect() {
    EXPECT_OK(tenon_device_synchronize(device_.get()));
    EXPECT_OK(tenon_device_trim_memory(device_.get(), 0));
  }

  DevicePtr device_;
  ProgramPtr program_;
  KernelPtr read_, write_;
};

TEST_F(CudaTexture, EachShapeIsCopiedInAndOut) {
  struct Row {
    std::vector<int64_t> shape;
    int32_t channels, layered, cube;
  };
  for (const Row& row :
       {Row{{7}, 0, 0, 0}, Row{{5, 6}, 0, 0, 0}, Row{{3, 4, 5}, 0, 0, 0}, Row{{5, 6, 4}, 4, 0, 0}, Row{{3, 7}, 0, 1, 0},
        Row{{3, 5, 6, 2}, 2, 1, 0}, Row{{6, 4, 4}, 0, 0, 1}, Row{{2, 6, 4, 4}, 0, 1, 1}}) {
    const ArrayPtr source = floats(row.shape);
    tenon_texture_options options{};
    options.channels = row.channels, options.layered = row.layered, options.cube = row.cube;
    options.surface = 1;
    const TexturePtr made = texture(source.get(), options);
    ASSERT_TRUE(made);
    OK(write(made.get(), -1, 2, nullptr));
    tenon_array* back = nullptr;
    OK(tenon_texture_read(made.get(), nullptr, &back));
    const ArrayPtr owned(back);
    std::vector<float> expected = values<float>(source.get());
    expected[0] = expected[1] = -1;
    EXPECT_EQ(values<float>(back), expected);
    EXPECT_EQ(shape(back), row.shape);
  }
  collect();
  EXPECT_EQ(fake_cuda()->textures, 0);
}

TEST_F(CudaTexture, ObjectsOutliveTheHandleUntilTheWorkIsDone) {
  const ArrayPtr source = floats({4, 8}), out = floats({32});
  const StreamPtr on = stream();
  TexturePtr made = texture(source.get(), {}, on.get());
  OK(read(made.get(), out.get(), 32, on.get()));
  made.reset();
  EXPECT_EQ(fake_cuda()->textures, 2) << "destroyed under pending work";
  OK(tenon_stream_synchronize(on.get()));
  EXPECT_EQ(values<float>(out.get()), values<float>(source.get()));
  collect();
  EXPECT_EQ(fake_cuda()->textures, 0);
}

TEST_F(CudaTexture, CopiesReadsAndWritesOnSeveralStreamsAreOrdered) {
  const ArrayPtr first = floats({64}), out = floats({64});
  const StreamPtr a = stream(), b = stream(), c = stream();
  tenon_texture_options options{};
  options.surface = 1;
  const TexturePtr made = texture(first.get(), options, a.get());
  OK(read(made.get(), out.get(), 64, b.get()));
  OK(write(made.get(), 5, 64, c.get()));
  OK(read(made.get(), out.get(), 64, a.get()));
  EXPECT_EQ(values<float>(out.get()), std::vector<float>(64, 5));
  OK(tenon_texture_update(made.get(), first.get(), b.get()));
  OK(read(made.get(), out.get(), 64, c.get()));
  EXPECT_EQ(values<float>(out.get()), values<float>(first.get()));
}

TEST_F(CudaTexture, SharedMemoryIsReadInPlaceAndKeptAlive) {
  ArrayPtr source = floats({4, 32});
  const ArrayPtr out = floats({128});
  const StreamPtr on = stream();
  tenon_texture_options options{};
  options.share = 1;
  TexturePtr made = texture(source.get(), options);
  ASSERT_TRUE(made);
  EXPECT_EQ(fake_cuda()->textures, 1) << "there is no array of the driver's";
  OK(tenon_array_fill(source.get(), number(3), on.get()));
  OK(read(made.get(), out.get(), 128, nullptr));
  source.reset();
  made.reset();
  EXPECT_EQ(values<float>(out.get()), std::vector<float>(128, 3));
  collect();
  EXPECT_EQ(fake_cuda()->textures, 0);
}

TEST_F(CudaTexture, SharedMemoryHasTheDevicesAlignment) {
  const ArrayPtr odd = floats({4, 9}), line = floats({300});
  tenon_texture_options options{};
  options.struct_size = sizeof options;
  options.share = 1;
  tenon_texture* made = nullptr;
  FAILS(TENON_ERROR_LAYOUT, "a multiple of 32 bytes apart, but these are 36 apart",
        tenon_texture_create(odd.get(), &options, nullptr, &made));
  const int64_t start = 8, stop = 300, step = 1;
  tenon_array* part = nullptr;
  OK(tenon_array_slice(line.get(), 1, &start, &stop, &step, &part));
  const ArrayPtr owned(part);
  FAILS(TENON_ERROR_LAYOUT, "multiples of 512 bytes", tenon_texture_create(part, &options, nullptr, &made));
  EXPECT_EQ(made, nullptr);
  const TexturePtr whole = texture(line.get(), options);
  EXPECT_TRUE(whole);
  EXPECT_EQ(fake_cuda()->textures, 1);
}

TEST_F(CudaTexture, AFailureOfTheDriverLeavesNothingBehind) {
  const ArrayPtr source = floats({4, 9});
  tenon_texture_options options{};
  options.struct_size = sizeof options;
  options.surface = 1;
  tenon_texture* made = nullptr;
  OK(tenon_texture_create(source.get(), &options, nullptr, &made));  // the calls that only the first one makes
  tenon_texture_release(made);
  collect();
  bool failed = true;
  int failures = 0;
  for (long call = 1; failed; ++call, failures += failed) {
    ASSERT_LT(call, 50);
    fake_cuda()->failed_call[0] = 0;
    fake_cuda()->fail_code = 801;  // no sign of a lost device
    fake_cuda()->fail_at = call;
    const int32_t status = tenon_texture_create(source.get(), &options, nullptr, &made);
    failed = fake_cuda()->failed_call[0] != 0;
    fake_cuda()->fail_at = 0;
    EXPECT_TRUE(!status || !made);
    tenon_texture_release(made);
    collect();
    EXPECT_EQ(fake_cuda()->textures, 0) << "after a failure of " << fake_cuda()->failed_call;
  }
  EXPECT_GE(failures, 4);
}

TEST_F(CudaTexture, NoMemoryIsSaidSo) {
  const ArrayPtr source = floats({512, 512});
  fake_cuda()->memory_limit = fake_cuda()->device_bytes + 1000;
  tenon_texture_options options{};
  options.struct_size = sizeof options;
  tenon_texture* made = nullptr;
  FAILS(TENON_ERROR_OUT_OF_MEMORY, "a texture of 1048576 bytes",
        tenon_texture_create(source.get(), &options, nullptr, &made));
  fake_cuda()->memory_limit = uint64_t(1) << 30;
}

}  // namespace
