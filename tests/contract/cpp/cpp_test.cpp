// tests/contract/cpp/cpp_test.cpp: tenon.hpp with exceptions. What a function does is tested in C; here, that C++ says
// the same.
#include <gtest/gtest.h>
#include <tenon/tenon.hpp>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <new>
#include <stdexcept>

// Counts every allocation of this program; the library has its own C++ runtime.
static std::atomic<int64_t> allocations{0};
void* operator new(size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size ? size : 1)) return memory;
  throw std::bad_alloc();
}
// AddressSanitizer has its own allocator, whose memory free() must not get.
void* operator new(size_t size, const std::nothrow_t&) noexcept { return std::malloc(size ? size : 1); }
// Not inlined, so that g++ does not see free() for what new returned, and warn.
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, size_t) noexcept { std::free(memory); }

namespace {

using tenon::array;

tenon::device cpu() { return tenon::context().device("cpu:0"); }

struct Point {
  float x;
  int32_t weight;
};
enum class Colour : int16_t { red = 1, blue = 7 };

const char kernels[] = R"(
#include <cuda_fp16.h>
#include <cuda_bf16.h>
struct Point { float x; int weight; };
extern "C" __global__ void scale(const float* x, float* y, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = factor * x[i];
}
extern "C" __global__ void report(double* out, Point p, __half h, __nv_bfloat16 b, bool yes, short colour, float2 c,
                                  unsigned char byte, long long big) {
  out[0] = p.x, out[1] = p.weight, out[2] = __half2float(h), out[3] = __bfloat162float(b), out[4] = yes;
  out[5] = colour, out[6] = c.x, out[7] = c.y, out[8] = byte, out[9] = big;
}
extern "C" __global__ void places(int* out) {
  out[blockIdx.y * gridDim.x + blockIdx.x] = blockDim.x * 100 + blockDim.y * 10 + blockDim.z;
}
)";

tenon::program& program() {
  static tenon::program compiled = tenon::program::create(cpu(), kernels, {.kernels = {"scale", "report", "places"}});
  return compiled;
}

// The part of an mdspan that tenon.hpp uses: the standard library may not have one.
template <class T, size_t Rank> struct View {
  using element_type = T;
  static constexpr size_t rank() { return Rank; }
  T* data_handle() const { return data; }
  int64_t extent(size_t i) const { return extents[i]; }
  int64_t stride(size_t i) const { return strides[i]; }
  size_t size() const {
    size_t count = 1;
    for (int64_t n : extents) count *= size_t(n);
    return count;
  }
  T* data;
  std::array<int64_t, Rank> extents, strides;
};

template <class F> tenon::error failure_of(F&& work) {
  auto outcome = tenon::attempt(std::forward<F>(work));
  EXPECT_FALSE(outcome.has_value());
  return outcome.error();
}

TEST(Cpp, TexturesAndSurfacesAreArguments) {
  const char source[] = R"(
extern "C" __global__ void put(cudaSurfaceObject_t to, float value) { surf2Dwrite(value, to, 4, 1); }
extern "C" __global__ void get(cudaTextureObject_t from, float* out) { *out = tex2D<float>(from, 1.5f, 1.5f); })";
  const tenon::program both = tenon::program::create(cpu(), source, {.kernels = {"put", "get"}});
  const auto pixels = array<float, 2>::zeros(cpu(), {2, 3});
  const tenon::texture image = tenon::texture::create(pixels, {.surface = true});
  const auto out = array<float, 1>::zeros(cpu(), {1});
  both.kernel("put")(1, 1)(tenon::surface(image), 2.5f);
  both.kernel("get")(1, 1)(image, out);
  EXPECT_EQ(out.to_vector(), (std::vector<float>{2.5f}));
}

TEST(Cpp, HandlesCountReferences) {
  const tenon::device device = cpu();
  array<float, 1> a = array<float, 1>::zeros(device, {4});
  array<float, 1> b = a, moved = std::move(a);
  EXPECT_FALSE(a);
  EXPECT_TRUE(tenon::same(b, moved));
  tenon_array* raw = b.detach();
  EXPECT_FALSE(b);
  moved.reset();
  const auto back = tenon::adopt<tenon::dynamic_array>(raw);  // the last reference: it was not lost
  EXPECT_EQ(back.size(), 4);
  const auto second = tenon::share<tenon::dynamic_array>(back.get());
  EXPECT_TRUE(tenon::same(back, second));
  EXPECT_EQ(tenon::stream().get(), nullptr);
}

TEST(Cpp, ErrorsSayAllThatIsKnown) {
  const tenon::device device = cpu();
  tenon::error error = failure_of([&] { return tenon::compile(device, "__global__ void f() { missing(); }", "f"); });
  EXPECT_EQ(error.status(), tenon::status::compile);
  EXPECT_NE(std::string(error.log()).find("missing"), std::string::npos) << error.log();
  EXPECT_NE(error.text().find("TENON_ERROR_COMPILE: "), std::string::npos);
  EXPECT_NE(error.text().find(error.log()), std::string::npos);

  const auto singular = array<double, 3>::copy(device, {1, 0, 0, 1, 1, 2, 2, 4}, {2, 2, 2});
  const auto b = array<double, 3>::zeros(device, {2, 2, 1});
  error = failure_of([&] { return tenon::solve(singular, b); });
  EXPECT_EQ(error.status(), tenon::status::singular);
  EXPECT_EQ(error.batch_index(), 1);
  EXPECT_GT(error.native_code(), 0);

  error = failure_of([&] { return array<float, 1>::zeros(device, {-1}); });
  EXPECT_EQ(error.status(), tenon::status::shape) << error.what();
  EXPECT_STRNE(error.what(), "");
  EXPECT_STREQ(error.log(), "");
  EXPECT_EQ(error.batch_index(), -1);
  const tenon::error copy = error;
  tenon_error_clear();
  EXPECT_STREQ(copy.what(), error.what());  // independent of the thread's record
  EXPECT_THROW(tenon::context().device("nonsense:9"), std::exception);
}

TEST(Cpp, NotReadyIsNoFailureOfTheRecord) {
  const tenon::device device = cpu();
  failure_of([&] { return tenon::context().device("nonsense:9"); });
  const tenon::error error = tenon::error::last(TENON_ERROR_NOT_READY);
  EXPECT_EQ(error.status(), tenon::status::not_ready);
  EXPECT_STREQ(error.what(), "the work is not done yet");  // and not the text about the device
  EXPECT_TRUE(tenon::stream::default_(device).query());
}

TEST(Cpp, ArgumentsHaveTheDtypeOfTheirType) {
  const auto is = [](const tenon_arg& a, uint32_t dtype, uint64_t size) {
    return a.kind == TENON_ARG_SCALAR && a.dtype == dtype && a.size == size;
  };
  EXPECT_TRUE(is(tenon::arg(true), TENON_BOOL, 1));
  EXPECT_TRUE(is(tenon::arg(int8_t(1)), TENON_INT8, 1));
  EXPECT_TRUE(is(tenon::arg(uint16_t(1)), TENON_UINT16, 2));
  EXPECT_TRUE(is(tenon::arg(1), TENON_INT32, 4));
  EXPECT_TRUE(is(tenon::arg(1L), sizeof(long) == 8 ? TENON_INT64 : TENON_INT32, sizeof(long)));
  EXPECT_TRUE(is(tenon::arg(1ull), TENON_UINT64, 8));
  EXPECT_TRUE(is(tenon::arg(1.0f), TENON_FLOAT32, 4));
  EXPECT_TRUE(is(tenon::arg(1.0), TENON_FLOAT64, 8));
  EXPECT_TRUE(is(tenon::arg(std::complex<float>(1, 2)), TENON_COMPLEX64, 8));
  EXPECT_TRUE(is(tenon::arg(std::complex<double>(1, 2)), TENON_COMPLEX128, 16));
  EXPECT_TRUE(is(tenon::arg(tenon::half{0x3c00}), TENON_FLOAT16, 2));
  EXPECT_TRUE(is(tenon::arg(tenon::bfloat16{0x3f80}), TENON_BFLOAT16, 2));
  EXPECT_TRUE(is(tenon::arg(Colour::blue), TENON_INT16, 2));
  EXPECT_EQ(tenon::arg(std::complex<double>(1, 2)).value.c128[1], 2);
  EXPECT_EQ(tenon::arg(Colour::blue).value.i16, 7);
  const Point point{1, 2};
  EXPECT_EQ(tenon::arg(point).kind, TENON_ARG_BYTES);
  EXPECT_EQ(tenon::arg(point).value.bytes, &point);
  EXPECT_EQ(tenon::weak(2).dtype, TENON_INT64);
  EXPECT_EQ(tenon::weak(2.0).kind, TENON_ARG_WEAK);
  EXPECT_EQ(tenon::pointer(&point).kind, TENON_ARG_POINTER);
}

TEST(Cpp, KernelsTakeValuesOfEveryKind) {
  const tenon::device device = cpu();
  const auto out = array<double, 1>::zeros(device, {10});
  program().kernel("report")(1, 1)(out, Point{1.5f, -3}, tenon::half{0x4000}, tenon::bfloat16{0x4040}, true,
                                   Colour::blue, std::complex<float>(0.25f, -0.5f), uint8_t(200), int64_t(1) << 40);
  const std::vector<double> expected{1.5, -3, 2, 3, 1, 7, 0.25, -0.5, 200, double(int64_t(1) << 40)};
  EXPECT_EQ(out.to_vector(), expected);
  const tenon::error error = failure_of([&] { program().kernel("report")(1, 1)(out); });
  EXPECT_EQ(error.status(), tenon::status::invalid_argument);
}

TEST(Cpp, GridsAndBlocksHaveThreeAxes) {
  const auto out = array<int32_t, 2>::zeros(cpu(), {2, 3});
  const tenon::kernel places = program().kernel("places");
  places({3, 2}, {4, 2, 1})(out);
  EXPECT_EQ(out.to_vector(), std::vector<int32_t>(6, 421));
  EXPECT_EQ(failure_of([&] { places(-1, 1)(out); }).status(), tenon::status::invalid_argument);
  EXPECT_EQ(failure_of([&] { places(uint64_t(1) << 40, 1)(out); }).status(), tenon::status::invalid_argument);
}

TEST(Cpp, LaunchesAllocateNothing) {
  const tenon::device device = cpu();
  const auto x = array<float, 1>::copy(device, {1, 2, 3}), y = array<float, 1>::zeros(device, {3});
  const tenon::kernel scale = program().kernel("scale");
  const tenon::call call = scale(1, 32).bind(x, y, 3.0f, 3);
  const auto launch = scale.over(3);
  scale(1, 32)(x, y, 2.0f, 3);
  const int64_t before = allocations;
  scale(1, 32)(x, y, 2.0f, 3);
  launch(x, y, 2.0f, 3);
  call.launch();
  call.set(2, 4.0f);
  EXPECT_EQ(allocations, before);
  call.launch();
  EXPECT_EQ(y.to_vector(), (std::vector<float>{4, 8, 12}));
}

TEST(Cpp, TypedArraysCheckDtypeAndRank) {
  const tenon::dynamic_array a = tenon::dynamic_array::zeros(cpu(), tenon::dtype::float32, {2, 3});
  const auto typed = a.as<float, 2>();
  EXPECT_EQ(typed.shape(), (std::array<int64_t, 2>{2, 3}));
  EXPECT_EQ(typed.strides(), (std::array<int64_t, 2>{3, 1}));
  EXPECT_EQ(a.dtype(), tenon::dtype::float32);
  EXPECT_EQ(a.rank(), 2);
  EXPECT_EQ(a.shape()[1], 3);
  tenon::error error = failure_of([&] { return a.as<double, 2>(); });
  EXPECT_EQ(error.status(), tenon::status::dtype);
  EXPECT_STREQ(error.what(), "as: the array is float32, not float64");
  error = failure_of([&] { return a.as<float, 1>(); });
  EXPECT_EQ(error.status(), tenon::status::shape);
  EXPECT_EQ(failure_of([&] { return a.to_vector<int32_t>(); }).status(), tenon::status::dtype);
  EXPECT_EQ((failure_of([&] { return array<float, 1>::copy(cpu(), {1, 2, 3}, {4}); }).status()), tenon::status::shape);
}

TEST(Cpp, ASingleElementIsAnItem) {
  const auto a = array<double, 2>::copy(cpu(), {1, 2, 3, 4, 5, 6}, {2, 3});
  EXPECT_EQ(tenon::sum(a).item<double>(), 21);
  EXPECT_EQ((tenon::max(a).as<double, 0>().item()), 6);
  EXPECT_TRUE(tenon::any(a).item<bool>());
  tenon::error error = failure_of([&] { return a.item(); });
  EXPECT_EQ(error.status(), tenon::status::shape);
  EXPECT_STREQ(error.what(), "item: the array has 6 elements, not one");
  error = failure_of([&] { return tenon::sum(a).item<float>(); });
  EXPECT_EQ(error.status(), tenon::status::dtype);
  EXPECT_STREQ(error.what(), "item: the array is float64, not float32");
}

TEST(Cpp, SlicesAreTakenAlongOneAxis) {
  const auto a = array<int32_t, 2>::copy(cpu(), {1, 2, 3, 4, 5, 6}, {2, 3});
  EXPECT_EQ(a.slice_along(0, 1, 2).to_vector<int32_t>(), (std::vector<int32_t>{4, 5, 6}));
  EXPECT_EQ(a.slice_along(-1, 0, 3, 2).to_vector<int32_t>(), (std::vector<int32_t>{1, 3, 4, 6}));
  EXPECT_EQ(a.slice_along(1, -2, INT64_MAX).to_vector<int32_t>(), (std::vector<int32_t>{2, 3, 5, 6}));
  a.slice_along(1, 0, 1).fill(9);  // a view
  EXPECT_EQ(a.to_vector(), (std::vector<int32_t>{9, 2, 3, 9, 5, 6}));
  const tenon::error error = failure_of([&] { return a.slice_along(2, 0, 1); });
  EXPECT_EQ(error.status(), tenon::status::invalid_argument);
  EXPECT_STREQ(error.what(), "slice_along: axis 2 is out of range: the array has rank 2");
}

TEST(Cpp, ProductsTakeVectors) {
  const auto a = array<double, 2>::copy(cpu(), {1, 2, 3, 4, 5, 6}, {2, 3});
  const auto row = array<double, 1>::copy(cpu(), {1, -1}), column = array<double, 1>::copy(cpu(), {1, 0, 2});
  using values = std::vector<double>;
  EXPECT_EQ((tenon::matmul(a, column).as<double, 1>().to_vector()), (values{7, 16}));
  EXPECT_EQ((tenon::matmul(row, a).as<double, 1>().to_vector()), (values{-3, -3, -3}));
  EXPECT_EQ((tenon::matmul(column, column).as<double, 0>().item()), 5);
  const auto stacked = tenon::stack({a, a, a}, 0);
  EXPECT_EQ((tenon::matmul(stacked, column).as<double, 2>().to_vector()), (values{7, 16, 7, 16, 7, 16}));
  EXPECT_EQ((tenon::matmul(row, stacked).as<double, 2>().shape()), (std::array<int64_t, 2>{3, 3}));
  const auto wide = array<double, 1>::zeros(cpu(), {6});
  tenon::matmul(row, a, {}, {}, wide.slice_along(0, 0, 6, 2));
  EXPECT_EQ(wide.to_vector(), (values{-3, 0, -3, 0, -3, 0}));
  const auto single = array<double, 0>::zeros(cpu(), {});
  EXPECT_TRUE(tenon::same(tenon::matmul(column, column, {}, {}, single), single));
  EXPECT_EQ(single.item(), 5);
  EXPECT_EQ(failure_of([&] { return tenon::matmul(a, row); }).status(), tenon::status::shape);
  EXPECT_EQ(failure_of([&] { return tenon::matmul(single, row); }).status(), tenon::status::shape);
}

TEST(Cpp, SpansGoInAndOut) {
  const tenon::device device = cpu();
  const std::vector<int32_t> values{1, 2, 3, 4, 5, 6};
  const auto a = array<int32_t, 2>::copy(device, std::span(values), {2, 3});
  const std::span<int32_t> inside = a.span();
  EXPECT_TRUE(std::equal(inside.begin(), inside.end(), values.begin(), values.end()));
  inside[5] = 60;
  EXPECT_EQ(a.to_vector()[5], 60);
  EXPECT_EQ(a.elements().size(), 6u);
  const auto reversed = a.reversed().as<int32_t, 2>();
  EXPECT_EQ(reversed.span()[5], 60);  // F-contiguous: in memory order
  EXPECT_EQ(reversed.to_vector(), (std::vector<int32_t>{1, 4, 2, 5, 3, 60}));
  const auto part = a.slice({0, 0}, {2, 2}, {1, 1}).as<int32_t, 2>();
  EXPECT_EQ(failure_of([&] { return part.span(); }).status(), tenon::status::layout);
  EXPECT_EQ(failure_of([&] { return a.slice({0, 0}, {2}, {1, 1}); }).status(), tenon::status::invalid_argument);
}

TEST(Cpp, MdspansOfEitherOrderGoInAndOut) {
  const tenon::device device = cpu();
  float memory[24];
  for (int i = 0; i < 24; ++i) memory[i] = float(i);
  const View<float, 2> right{memory, {3, 4}, {4, 1}}, left{memory, {3, 4}, {1, 3}}, wide{memory, {3, 4}, {8, 2}};
  using Matrix = array<float, 2>;
  for (const View<float, 2>& view : {right, left, wide}) {
    std::vector<float> expected;
    for (int64_t i = 0; i < 3; ++i)
      for (int64_t j = 0; j < 4; ++j) expected.push_back(memory[i * view.strides[0] + j * view.strides[1]]);
    const Matrix copied = Matrix::copy_of(device, view), wrapped = Matrix::wrap(device, view);
    EXPECT_EQ(copied.to_vector(), expected);
    EXPECT_EQ(wrapped.to_vector(), expected);
    EXPECT_EQ(wrapped.address(), memory);
    EXPECT_EQ(wrapped.strides(), view.strides);

    float target[24] = {};
    copied.copy_to(View<float, 2>{target, view.extents, view.strides});
    for (int64_t i = 0; i < 3; ++i)
      for (int64_t j = 0; j < 4; ++j)
        EXPECT_EQ(target[i * view.strides[0] + j * view.strides[1]], expected[size_t(i * 4 + j)]);
  }
  EXPECT_EQ(Matrix::copy_of(device, left).strides(), left.strides);  // keeps the order
  const auto error = failure_of([&] { Matrix::copy_of(device, left).copy_to(View<float, 2>{memory, {4, 3}, {3, 1}}); });
  EXPECT_EQ(error.status(), tenon::status::shape);
#if defined(__cpp_lib_mdspan)
  const auto whole = Matrix::copy_of(device, std::mdspan<float, std::dextents<int, 2>, std::layout_left>(memory, 3, 4));
  EXPECT_EQ((whole.mdspan()[std::array{2, 3}]), memory[2 + 3 * 3]);
#endif
}

TEST(Cpp, MemoryOfTheProgramIsNotCopied) {
  const tenon::device device = cpu();
  std::vector<double> values{1, 2, 3, 4};
  const double* address = values.data();
  const auto owned = array<double, 1>::own(device, std::move(values));
  EXPECT_EQ(owned.address(), address);

  auto alive = std::make_shared<int>(0);
  float memory[6] = {1, 2, 3, 4, 5, 6};
  auto wrapped = array<float, 2>::wrap(device, memory, {2, 3}, {}, alive);
  EXPECT_EQ(alive.use_count(), 2);
  tenon::dynamic_array view = wrapped.reversed();
  wrapped.reset();
  EXPECT_EQ(alive.use_count(), 2);  // the view still uses the memory
  view.reset();
  EXPECT_EQ(alive.use_count(), 1);
  const auto backwards = array<float, 1>::wrap(device, memory + 5, {6}, std::array<int64_t, 1>{-1});
  EXPECT_EQ(backwards.to_vector(), (std::vector<float>{6, 5, 4, 3, 2, 1}));

  float odd[3];
  auto* crooked = reinterpret_cast<float*>(reinterpret_cast<char*>(odd) + 1);
  EXPECT_EQ(failure_of([&] { return array<float, 1>::wrap(device, crooked, {1}, {}, alive); }).status(),
            tenon::status::layout);
  EXPECT_EQ(alive.use_count(), 1);  // the failed call kept nothing

  const auto read = array<const float, 2>::wrap(device, memory, {2, 3});
  EXPECT_EQ(read.elements()[5], 6);
  EXPECT_EQ(failure_of([&] { read.fill(1.0f); }).status(), tenon::status::read_only);
  EXPECT_EQ(failure_of([&] { return read.as<float, 2>().span(); }).status(), tenon::status::read_only);
}

TEST(Cpp, OptionsAreDesignatedInitialisers) {
  const tenon::device device = cpu();
  const auto a = array<double, 2>::copy(device, {3, 0, 0, 4, 0, 0}, {3, 2});
  const auto [u, s, vh] = tenon::svd(a, {.mode = tenon::svd_mode::economy});
  EXPECT_EQ(u.shape()[1], 2);
  EXPECT_EQ(s.to_vector<double>(), (std::vector<double>{4, 3}));
  EXPECT_EQ(tenon::reduce(tenon::fn::sum, a, {.axes = {0}, .keep_axes = true}).shape()[0], 1);
  const tenon::reduce_options kept{.axes = {1}};  // holds its list itself
  EXPECT_EQ(tenon::reduce(tenon::fn::sum, a, kept).to_vector<double>(), (std::vector<double>{3, 4, 0}));
  EXPECT_EQ(tenon_svd_options(tenon::svd_options{.k = 1}.c()).struct_size, sizeof(tenon_svd_options));
  const auto uneven = failure_of(
      [&] { return tenon::program::create(device, "", {.header_names = {"a.h", "b.h"}, .header_sources = {""}}); });
  EXPECT_EQ(uneven.status(), tenon::status::invalid_argument);
  EXPECT_EQ((tenon::program_flags::fast_math | tenon::program_flags::no_cache) & tenon::program_flags::no_cache,
            tenon::program_flags::no_cache);
}

TEST(Cpp, ResultsGoWhereTheyShould) {
  const tenon::device device = cpu();
  const auto a = array<float, 2>::copy(device, {1, 2, 3, 4}, {2, 2});
  const auto c = array<float, 2>::zeros(device, {2, 2});
  const tenon::dynamic_array made = tenon::matmul(a, a), given = tenon::matmul(a, a, {}, {}, c);
  EXPECT_TRUE(tenon::same(given, c));
  EXPECT_EQ(c.to_vector(), made.to_vector<float>());
  tenon::gemm(0.5f, a, a, 1.0, {}, {}, c);
  EXPECT_EQ(c.to_vector(), (std::vector<float>{10.5f, 15, 22.5f, 33}));
  const auto [u, s, vh] = tenon::svd(a, {.mode = tenon::svd_mode::values}, {}, tenon::none, {}, tenon::none);
  EXPECT_FALSE(u);
  EXPECT_TRUE(s);
  EXPECT_EQ(tenon::concat({a, c}, 0).shape()[0], 4);
  const std::vector<array<float, 2>> many(3, a);
  EXPECT_EQ(tenon::stack(many, 0).rank(), 3);
  const auto products = tenon::gemm_grouped({}, {a, c}, {a, a});
  EXPECT_EQ(products.size(), 2u);
  EXPECT_EQ(products[0].to_vector<float>(), made.to_vector<float>());
  EXPECT_EQ(tenon::random_split(7, 3).size(), 3u);
  EXPECT_EQ(tenon::binary(tenon::fn::add, a, tenon::weak(1)).dtype(), tenon::dtype::float32);
  EXPECT_EQ(tenon::binary(tenon::fn::add, a, 1.0).dtype(), tenon::dtype::float64);
}

TEST(Cpp, CallbacksCannotThrowThrough) {
  const tenon::device device = cpu();
  auto alive = std::make_shared<int>(0);
  const tenon::stream stream = tenon::stream::create(device);
  stream.run([alive] { ++*alive; });
  stream.run([alive] {
    ++*alive;
    throw std::runtime_error("not for the library");
  });
  stream.synchronize();
  EXPECT_EQ(*alive, 2);
  EXPECT_EQ(alive.use_count(), 1);
  EXPECT_THROW(tenon::stream().run([alive] {}), tenon::error);
  EXPECT_EQ(alive.use_count(), 1);

  int lines = 0;
  {
    const tenon::context context =
        tenon::make_context({.log_level = tenon::log_kind::debug}, [&lines, alive](tenon::log_kind, std::string_view) {
          ++lines;
          throw 1;
        });
    const tenon::stream on_it = tenon::stream::default_(context.device("cpu"));
    // An exception from a C function is logged.
    const tenon_stream_fn throws = [](void*) { throw std::runtime_error("logged"); };
    EXPECT_EQ(TENON_OK, tenon_stream_call_host(on_it.get(), throws, nullptr, nullptr));
    EXPECT_GT(alive.use_count(), 1);
  }
  EXPECT_GT(lines, 0);
  EXPECT_EQ(alive.use_count(), 1);
}

TEST(Cpp, TensorsAreAdoptedAndReleasedOnce) {
  auto alive = std::make_shared<int>(0);
  float memory[4] = {1, 2, 3, 4};
  const tenon::device device = cpu();
  {
    auto a = array<float, 1>::wrap(device, memory, {4}, {}, alive);
    tenon::dlpack_tensor tensor = a.dlpack();
    a.reset();
    const tenon::dynamic_array back = tenon::from_dlpack(std::move(tensor));
    EXPECT_EQ(tensor.get(), nullptr);
    EXPECT_EQ(back.address(), memory);
    const tenon::dlpack_tensor dropped = back.dlpack();  // its deleter runs here
    EXPECT_NE(dropped.get(), nullptr);
    EXPECT_EQ(alive.use_count(), 2);
  }
  EXPECT_EQ(alive.use_count(), 1);
  tenon::dlpack_tensor refused = array<float, 1>::wrap(device, memory, {4}, {}, alive).dlpack();
  const tenon::context other = tenon::context::create();
  const tenon::stream elsewhere = tenon::stream::default_(other.device("cpu"));
  EXPECT_EQ(failure_of([&] { return tenon::from_dlpack(std::move(refused), elsewhere); }).status(),
            tenon::status::context);
  EXPECT_NE(refused.get(), nullptr);  // it still belongs to us
}

TEST(Cpp, GraphsAndOperationsHaveTheirClasses) {
  const tenon::device device = cpu();
  const auto x = array<float, 1>::copy(device, {1, 2, 3}), y = array<float, 1>::zeros(device, {3});
  const tenon::kernel scale = program().kernel("scale");
  const tenon::graph graph = tenon::graph::create(device);
  {
    const tenon::stream recording = graph.begin();
    scale(1, 32, recording)(x, y, 2.0f, 3);
    EXPECT_EQ(tenon::graph::last_node(recording), 0);
    graph.end();
  }
  graph.set(0, 2, 5.0f);
  graph.launch();
  EXPECT_EQ(y.to_vector(), (std::vector<float>{5, 10, 15}));

  const auto square = tenon::elementwise::create("float32 x", "float32 y", "y = x * x");
  const tenon_arg args[] = {tenon::arg(x), tenon::arg(y)};
  square.call(args);
  EXPECT_EQ(y.to_vector(), (std::vector<float>{1, 4, 9}));
  const auto report = tenon::context().report();
  EXPECT_EQ(report.view().front(), '{');
}

}  // namespace
