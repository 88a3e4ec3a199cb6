// tests/kernel/launch_test.cpp: what a launch refuses and in which words, what it passes on, and that it allocates
// nothing.
#include "fake_device.hpp"
#include "kernel/graph.hpp"
#include <new>

using namespace tenon;
using fake::argument, fake::pointer, fake::scalar, fake::thrown;

static std::atomic<long> allocations{0};
__attribute__((noinline)) void* operator new(size_t bytes) {
  ++allocations;
  if (void* memory = std::malloc(bytes)) return memory;
  throw std::bad_alloc();
}
__attribute__((noinline)) void operator delete(void* memory) noexcept { std::free(memory); }
__attribute__((noinline)) void operator delete(void* memory, size_t) noexcept { std::free(memory); }

namespace {

constexpr Dtype kFloat4 = TENON_DTYPE(2, 32, 4), kFloat2 = TENON_DTYPE(2, 32, 2), kDouble2 = TENON_DTYPE(2, 64, 2);

CallArgument array(const Ref<Array>& a, uint32_t kind = TENON_ARG_ARRAY) { return CallArgument::of(*a, kind); }
CallArgument f32(float v) { return argument(TENON_F32_ARG(v)); }
CallArgument f64(double v) { return argument(TENON_F64_ARG(v)); }
CallArgument i32(int32_t v) { return argument(TENON_I32_ARG(v)); }
CallArgument i64(int64_t v) { return argument(TENON_I64_ARG(v)); }
CallArgument raw(const void* p) { return argument(TENON_POINTER_ARG(p)); }
CallArgument bytes(const void* p, uint64_t n) { return argument(TENON_BYTES_ARG(p, n)); }
CallArgument number(Dtype dtype, uint64_t size, uint64_t bits) {
  return {TENON_ARG_SCALAR, dtype, size, nullptr, {.u64 = bits}};
}
CallArgument c64(float re, float im) { return argument(TENON_C64_ARG(re, im)); }
Geometry grid(uint32_t x = 1, uint32_t block = 1) {
  Geometry out;
  out.grid[0] = x;
  out.block[0] = block;
  return out;
}

class Launch : public testing::Test {
 protected:
  Launch() : device(world.device()), stream(device.default_stream()) {}

  Ref<Kernel> kernel(const fake::Signature& signature, const std::string& name = "k") {
    device.signatures = {{name, signature}};
    return Program::create(device, fake::request({name}, "// " + std::to_string(++sources)))->kernel(name);
  }
  Ref<Array> make(Dtype dtype, std::vector<int64_t> shape, Device* on = nullptr) {
    Device& where = on ? *on : device;
    return Array::create(where, dtype, shape, where.default_stream());
  }
  Ref<Array> read_only(const Ref<Array>& a) { return a->with(a->shape(), a->strides(), 0, true); }

  fake::World world;
  fake::FakeDevice& device;
  Stream& stream;
  int sources = 0;
};

struct Row {
  const char* what;
  fake::Record parameter;
  CallArgument argument;
  int32_t status;
  const char* text;
};

// Every kind of error, one per row; the text is the message after "argument 0 of k: ".
TEST_F(Launch, AWrongArgumentIsRefusedNamingItAndBothTypes) {
  const auto f = make(TENON_FLOAT32, {8}), d = make(TENON_FLOAT64, {8}), i = make(TENON_INT32, {8}),
             u = make(TENON_UINT32, {8});
  const auto h = make(TENON_FLOAT16, {8}), b = make(TENON_BFLOAT16, {8}), u8 = make(TENON_UINT8, {30}),
             c = make(TENON_COMPLEX64, {4});
  const auto c128 = make(TENON_COMPLEX128, {4}), boolean = make(TENON_BOOL, {8}), i64s = make(TENON_INT64, {8}),
             f7 = make(TENON_FLOAT32, {7});
  const auto f2 = make(kFloat2, {4}), f4 = make(kFloat4, {2}), fp8 = make(TENON_FLOAT8_E4M3FN, {8});
  const auto matrix = make(TENON_FLOAT32, {4, 4}), turned = matrix->transpose({}),
             other = make(TENON_FLOAT32, {8}, &world.device("cuda:1"));
  const auto host = make(TENON_FLOAT32, {8}, &world.device("cpu:0")), constant = read_only(f);
  const auto shifted = f->with(Dims{4}, Dims{1}, 1, false);
  const int64_t start = 0, stop = 8, step = 2;
  const auto stepped = f->slice(&start, &stop, &step);
  fake::World second;
  const auto foreign =
      Array::create(second.device(), TENON_FLOAT32, std::vector<int64_t>{8}, second.device().default_stream());
  const double zeros[8] = {};
  const int32_t bad = TENON_ERROR_INVALID_ARGUMENT;
  const Error refusal(bad, "the array is NULL");
  const CallArgument null_array{TENON_ARG_ARRAY, 0, 0, nullptr, {.refused = &refusal}}, unknown{99, 0, 0, nullptr, {}},
      none{};

  const fake::Record fp = pointer(TENON_FLOAT32), cfp = pointer(TENON_FLOAT32, true), pair = pointer(kFloat2),
                     quad = pointer(kFloat4);
  const std::vector<Row> rows = {
      {"f64 for float*", fp, array(d), TENON_ERROR_DTYPE, "the kernel takes float*, but the array is float64"},
      {"f32 for double*", pointer(TENON_FLOAT64), array(f), TENON_ERROR_DTYPE,
       "the kernel takes double*, but the array is float32"},
      {"i32 for float*", fp, array(i), TENON_ERROR_DTYPE, "float*, but the array is int32"},
      {"u32 for int*", pointer(TENON_INT32), array(u), TENON_ERROR_DTYPE, "int*, but the array is uint32"},
      {"i32 for unsigned*", pointer(TENON_UINT32), array(i), TENON_ERROR_DTYPE,
       "unsigned int*, but the array is int32"},
      {"i64 for int*", pointer(TENON_INT32), array(i64s), TENON_ERROR_DTYPE, "int*, but the array is int64"},
      {"bf16 for half*", pointer(TENON_FLOAT16), array(b), TENON_ERROR_DTYPE, "__half*, but the array is bfloat16"},
      {"f16 for bf16*", pointer(TENON_BFLOAT16), array(h), TENON_ERROR_DTYPE,
       "__nv_bfloat16*, but the array is float16"},
      {"f16 for float*", fp, array(h), TENON_ERROR_DTYPE, "float*, but the array is float16"},
      {"c64 for float*", fp, array(c), TENON_ERROR_DTYPE, "float*, but the array is complex64"},
      {"c64 for float4*", quad, array(c), TENON_ERROR_DTYPE, "float4*, but the array is complex64"},
      {"c128 for float2*", pair, array(c128), TENON_ERROR_DTYPE, "float2*, but the array is complex128"},
      {"c64 for double2*", pointer(kDouble2), array(c), TENON_ERROR_DTYPE, "double2*, but the array is complex64"},
      {"f64 for float4*", quad, array(d), TENON_ERROR_DTYPE, "float4*, but the array is float64"},
      {"float32x2 for float4*", quad, array(f2), TENON_ERROR_DTYPE, "float4*, but the array is float32x2"},
      {"float32x4 for float*", fp, array(f4), TENON_ERROR_DTYPE, "float*, but the array is float32x4"},
      {"bool for char-sized int", pointer(TENON_INT8), array(boolean), TENON_ERROR_DTYPE,
       "char*, but the array is bool"},
      {"u8 for bool*", pointer(TENON_BOOL), array(u8), TENON_ERROR_DTYPE, "bool*, but the array is uint8"},
      {"fp8 for half*", pointer(TENON_FLOAT16), array(fp8), TENON_ERROR_DTYPE,
       "__half*, but the array is float8_e4m3fn"},
      {"f32 for a struct*", pointer(0, false, 16), array(f), TENON_ERROR_DTYPE,
       "(struct of 16 bytes)*, but the array is float32"},
      {"30 bytes for a struct* of 16", pointer(0, false, 16), array(u8), TENON_ERROR_SHAPE,
       "has 30 bytes, which is not a multiple"},
      {"7 floats for float4*", quad, array(f7), TENON_ERROR_SHAPE,
       "elements of 16 bytes, but the array of shape (7,) has 28 bytes"},
      {"floats from the second for float4*", quad, array(shifted), TENON_ERROR_LAYOUT,
       "a multiple of 16, but the array starts 4 bytes after"},
      {"strided floats from the second for float4*", quad, array(shifted, TENON_ARG_STRIDED), TENON_ERROR_LAYOUT,
       "a multiple of 16"},
      {"a transposed matrix", fp, array(turned), TENON_ERROR_LAYOUT,
       "of shape (4, 4) and strides (1, 4) is not C-contiguous"},
      {"every second element", cfp, array(stepped), TENON_ERROR_LAYOUT, "is not C-contiguous"},
      {"every second element for void*", fake::bytes_pointer(0), array(stepped), TENON_ERROR_LAYOUT,
       "is not C-contiguous"},
      {"a read-only array for float*", fp, array(constant), TENON_ERROR_READ_ONLY,
       "float*, so it may write, but the array is read-only"},
      {"a read-only strided array for float*", fp, array(constant, TENON_ARG_STRIDED), TENON_ERROR_READ_ONLY,
       "read-only"},
      {"a read-only array for void*", fake::bytes_pointer(0), array(constant), TENON_ERROR_READ_ONLY,
       "void*, so it may write"},
      {"an array of another GPU", fp, array(other), TENON_ERROR_DEVICE,
       "the array is on cuda:1, but the kernel runs on cuda:0"},
      {"an array of the CPU", cfp, array(host), TENON_ERROR_DEVICE,
       "the array is on cpu:0, but the kernel runs on cuda:0"},
      {"an array of another context", fp, array(foreign), TENON_ERROR_CONTEXT, "belongs to another context"},
      {"a NULL array", fp, null_array, bad, "the array is NULL"},
      {"a scalar for a pointer", fp, f32(1), bad, "float*, but the argument is a scalar of float32: pass an array"},
      {"bytes for a pointer", fp, bytes(zeros, 8), bad, "float*, but the argument is 8 bytes of a struct"},
      {"an unknown kind for a pointer", fp, unknown, bad, "of the unknown kind 99"},
      {"nothing for a pointer", fp, none, bad, "of the unknown kind 0"},
      {"an array for a scalar", scalar(TENON_FLOAT32), array(f), bad,
       "float by value, but the argument is an array: pass a scalar"},
      {"a strided array for a scalar", scalar(TENON_INT32), array(i, TENON_ARG_STRIDED), bad,
       "int by value, but the argument is a strided array"},
      {"a pointer for a scalar", scalar(TENON_INT64), raw(zeros), bad,
       "long long by value, but the argument is a raw pointer"},
      {"bytes for a scalar", scalar(TENON_FLOAT64), bytes(zeros, 8), bad,
       "double by value, but the argument is 8 bytes"},
      {"double for float", scalar(TENON_FLOAT32), f64(1), TENON_ERROR_DTYPE,
       "the kernel takes float (float32), but the scalar is float64"},
      {"float for double", scalar(TENON_FLOAT64), f32(1), TENON_ERROR_DTYPE,
       "double (float64), but the scalar is float32"},
      {"int for float", scalar(TENON_FLOAT32), i32(1), TENON_ERROR_DTYPE, "float (float32), but the scalar is int32"},
      {"int for unsigned", scalar(TENON_UINT32), i32(1), TENON_ERROR_DTYPE,
       "unsigned int (uint32), but the scalar is int32"},
      {"int for long", scalar(TENON_INT64), i32(1), TENON_ERROR_DTYPE, "long long (int64), but the scalar is int32"},
      {"long for int", scalar(TENON_INT32), i64(1), TENON_ERROR_DTYPE, "int (int32), but the scalar is int64"},
      {"int for an enum of 8 bytes", scalar(TENON_UINT64, 4), i32(1), TENON_ERROR_DTYPE, "the scalar is int32"},
      {"float for an enum", scalar(TENON_INT32, 4), f32(1), TENON_ERROR_DTYPE, "the scalar is float32"},
      {"a scalar of dtype 0", scalar(TENON_INT32), number(0, 4, 1), TENON_ERROR_DTYPE, "the scalar is invalid"},
      {"a float said to have 8 bytes", scalar(TENON_FLOAT32), number(TENON_FLOAT32, 8, 0), bad,
       "of 4 bytes, but the argument has 8"},
      {"a bool of 2", scalar(TENON_BOOL), number(TENON_BOOL, 1, 2), bad, "a bool must be 0 or 1, but the scalar is 2"},
      {"8 bytes for a struct of 12", fake::structure(12, 4), bytes(zeros, 8), bad,
       "a struct of 12 bytes by value, of 12 bytes, but the argument has 8"},
      {"16 bytes for a struct of 12", fake::structure(12, 4), bytes(zeros, 16), bad,
       "of 12 bytes, but the argument has 16"},
      {"NULL for a struct", fake::structure(12, 4), bytes(nullptr, 12), bad, "the pointer to its bytes is NULL"},
      {"an array for a struct", fake::structure(12, 4), array(f), bad,
       "a struct of 12 bytes by value, but the argument is an array"},
      {"a scalar for a struct", fake::structure(8, 8), f64(1), bad,
       "a struct of 8 bytes by value, but the argument is a scalar of float64"},
      {"a complex number for float4", fake::structure(16, 16, kFloat4), c64(1, 2), TENON_ERROR_DTYPE,
       "float4 by value, but the scalar is complex64"},
  };
  ASSERT_GE(rows.size(), 40u);
  for (const Row& row : rows) {
    SCOPED_TRACE(row.what);
    const Ref<Kernel> k = kernel({row.parameter});
    const fake::Thrown launched = thrown([&] { k->launch(grid(), &row.argument, 1, stream); });
    EXPECT_EQ(launched.status, row.status) << launched.text;
    EXPECT_EQ(launched.text.substr(0, 17), "argument 0 of k: ");
    EXPECT_NE(launched.text.find(row.text), std::string::npos) << launched.text;
    const fake::Thrown bound = thrown([&] { Call::create(k, grid(), &row.argument, 1); });
    EXPECT_EQ(bound.status, row.status);
    EXPECT_EQ(bound.text, launched.text) << "a bound call checks the same";
    EXPECT_EQ(device.launched.count, 0) << "nothing runs";
  }
}

TEST_F(Launch, WhatTheTableAllowsIsPassedOn) {
  const auto f = make(TENON_FLOAT32, {8}), c = make(TENON_COMPLEX64, {4}), c128 = make(TENON_COMPLEX128, {4}),
             h = make(TENON_FLOAT16, {8});
  const auto u8 = make(TENON_UINT8, {32}), f4 = make(kFloat4, {2}), fp4 = make(TENON_FLOAT4_E2M1FN, {7}),
             i = make(TENON_INT32, {8});
  const auto turned = make(TENON_FLOAT32, {4, 4})->transpose({}), constant = read_only(f),
             empty = make(TENON_FLOAT32, {0, 3});
  const float two[4] = {1, 2, 3, 4};
  struct {
    const char* what;
    fake::Record parameter;
    CallArgument argument;
    const void* value;
  } rows[] = {
      {"its own dtype", pointer(TENON_FLOAT32), array(f), f->data()},
      {"float32 for float2*", pointer(kFloat2), array(f), f->data()},
      {"float32 for float4*", pointer(kFloat4), array(f), f->data()},
      {"float32x4 for float4*", pointer(kFloat4), array(f4), f4->data()},
      {"complex64 for float2*", pointer(kFloat2), array(c), c->data()},
      {"complex128 for double2*", pointer(kDouble2), array(c128), c128->data()},
      {"float16 for half2*", pointer(TENON_DTYPE(2, 16, 2)), array(h), h->data()},
      {"float32 for void*", fake::bytes_pointer(0), array(f), f->data()},
      {"packed fp4 for unsigned char*", fake::bytes_pointer(TENON_UINT8), array(fp4), fp4->data()},
      {"bytes for a struct*", pointer(0, false, 16), array(u8), u8->data()},
      {"int32 for an enum*", {TENON_PARAMETER_POINTER, TENON_UINT32, 4, 8, 8, 4, 4}, array(i), i->data()},
      {"a read-only array for const float*", pointer(TENON_FLOAT32, true), array(constant), f->data()},
      {"a strided array", pointer(TENON_FLOAT32), array(turned, TENON_ARG_STRIDED), turned->data()},
      {"a raw pointer", pointer(TENON_FLOAT32), raw(two), two},
      {"NULL as a raw pointer", pointer(TENON_FLOAT32), raw(nullptr), nullptr},
      {"an empty array for float4*", pointer(kFloat4), array(empty), empty->data()},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.what);
    const Ref<Kernel> k = kernel({row.parameter});
    k->launch(grid(), &row.argument, 1, stream);
    const uint64_t low = reinterpret_cast<uintptr_t>(row.value) & 0xffffffffu;
    EXPECT_EQ(device.launched.values[0] & 0xffffffffu, low);
  }
  EXPECT_EQ(device.launched.count, int(std::size(rows)));
}

TEST_F(Launch, ValuesArriveAtTheirPlaces) {
  const auto x = make(TENON_FLOAT32, {4});
  const struct {
    int32_t a[3];
  } triple = {{7, 8, 9}};
  const Ref<Kernel> k =
      kernel({scalar(TENON_INT8), pointer(TENON_FLOAT32), scalar(TENON_FLOAT32), fake::structure(12, 4),
              scalar(TENON_BOOL), fake::structure(8, 8, kFloat2), scalar(TENON_UINT32, 4), scalar(TENON_FLOAT16)});
  const CallArgument args[] = {number(TENON_INT8, 1, 0xfe), array(x),  f32(2.5f), bytes(&triple, 12),
                               number(TENON_BOOL, 1, 1),    c64(3, 4), i32(-1),   number(TENON_FLOAT16, 2, 0x3c00)};
  std::vector<uint64_t> offsets;
  for (const Parameter& p : k->parameters()) offsets.push_back(p.offset);
  EXPECT_EQ(offsets, (std::vector<uint64_t>{0, 8, 16, 20, 32, 40, 48, 52}))
      << "as the compiler lays out a struct of them";
  k->launch(grid(), args, 8, stream);
  const auto& v = device.launched.values;
  float number = 0, real = 0;
  std::memcpy(&number, &v[2], 4);
  std::memcpy(&real, &v[5], 4);
  EXPECT_EQ(v[0] & 0xff, 0xfeu);
  EXPECT_EQ(number, 2.5f);
  EXPECT_EQ(v[3] & 0xffffffffu, 7u);
  EXPECT_EQ(v[4] & 0xff, 1u);
  EXPECT_EQ(real, 3.0f);
  EXPECT_EQ(v[6] & 0xffffffffu, 0xffffffffu) << "an enum takes both signs";
  EXPECT_EQ(v[7] & 0xffff, 0x3c00u);
}

TEST_F(Launch, AWrongNumberOfArgumentsIsRefused) {
  const Ref<Kernel> k = kernel({scalar(TENON_INT32), scalar(TENON_INT32)}, "two");
  const CallArgument args[] = {i32(1), i32(2), i32(3)};
  for (const int32_t count : {0, 1, 3, -1}) {
    const fake::Thrown t = thrown([&] { k->launch(grid(), args, count, stream); });
    EXPECT_EQ(t.status, TENON_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(t.text, format("two takes 2 arguments, but %d %s given", count, count == 1 ? "was" : "were"));
  }
  EXPECT_NE(thrown([&] { k->launch(grid(), nullptr, 2, stream); }).text.find("NULL"), std::string::npos);
  const fake::Thrown t = thrown([&] { k->launch(grid(), args, 2, world.device("cuda:1").default_stream()); });
  EXPECT_EQ(t.status, TENON_ERROR_DEVICE);
  EXPECT_EQ(t.text, "the stream belongs to cuda:1, but two runs on cuda:0");
}

TEST_F(Launch, GeometryOverALimitIsRefusedNamingTheLimit) {
  device.kernel_info.max_threads_per_block = 640;
  device.kernel_info.shared_bytes = 1024;
  const Ref<Kernel> k = kernel({});
  struct {
    std::function<void(Geometry&)> change;
    int32_t status;
    const char* text;
  } rows[] = {
      {[](Geometry& l) { l.block[0] = 1025; }, 1,
       "block.x of 1025 for k is over the limit of cuda:0: max_block[0] is 1024"},
      {[](Geometry& l) { l.block[1] = 4000000000u; }, 1, "max_block[1] is 1024"},
      {[](Geometry& l) { l.block[2] = 65; }, 1, "block.z of 65 for k is over the limit of cuda:0: max_block[2] is 64"},
      {[](Geometry& l) {
         l.block[0] = 64;
         l.block[1] = 32;
       },
       1, "64 x 32 x 1 = 2048 threads for k is over the limit of cuda:0: max_threads_per_block is 1024"},
      {[](Geometry& l) {
         l.block[0] = l.block[1] = 1024;
         l.block[2] = 64;
       },
       1, "= 67108864 threads"},
      {[](Geometry& l) { l.block[0] = 641; }, 1,
       "= 641 threads is over the limit of the kernel k itself (registers or __launch_bounds__): max_threads_per_block is 640"},
      {[](Geometry& l) { l.grid[0] = 0x80000000u; }, 1,
       "grid.x of 2147483648 for k is over the limit of cuda:0: max_grid[0] is 2147483647"},
      {[](Geometry& l) { l.grid[1] = 65536; }, 1, "max_grid[1] is 65535"},
      {[](Geometry& l) { l.grid[2] = 65536; }, 1, "max_grid[2] is 65535"},
      {[](Geometry& l) { l.shared_bytes = 232448 - 1023; }, 1,
       "and the 1024 static bytes of k together exceed the limit of cuda:0: shared_per_block_max is 232448"},
      {[](Geometry& l) { l.shared_bytes = 0xffffffffu; }, 1, "shared_per_block_max"},
      {[](Geometry& l) { l.flags = 6; }, 1, "unknown bits 0x4"},
      {[](Geometry& l) {
         l.cluster[0] = 2;
         l.grid[0] = 3;
       },
       1, "grid.x of 3 for k is not a multiple of cluster.x, 2"},
      {[](Geometry& l) { l.cluster[0] = l.grid[0] = 32; }, 1, "over the limit of 16 blocks"},
      {[](Geometry& l) {
         for (int i = 0; i < 3; ++i) l.cluster[i] = l.grid[i] = 65535;
       },
       1, "over the limit of 16 blocks"},
  };
  for (const auto& row : rows) {
    Geometry launch = grid();
    row.change(launch);
    const fake::Thrown t = thrown([&] { k->launch(launch, nullptr, 0, stream); });
    EXPECT_EQ(t.status, row.status) << row.text;
    EXPECT_NE(t.text.find(row.text), std::string::npos) << t.text;
  }
  EXPECT_EQ(device.launched.count, 0);
  Geometry launch{};
  launch.block[0] = 640;
  launch.grid[0] = launch.cluster[0] = 8;
  launch.shared_bytes = 232448 - 1024;
  k->launch(launch, nullptr, 0, stream);
  const Geometry& g = device.launched.geometry;
  EXPECT_EQ(g.grid[1], 1u) << "zero counts as one";
  EXPECT_EQ(g.block[0], 640u);
  EXPECT_EQ(g.block[2], 1u);
  EXPECT_EQ(g.cluster[1], 1u);
}

TEST_F(Launch, ClustersAreForDevicesThatHaveThem) {
  Geometry launch = grid();
  launch.cluster[0] = 1;
  fake::FakeDevice& cpu = world.device("cpu:0");
  cpu.signatures = {{"k", {}}};
  Program::create(cpu, fake::request({"k"}))->kernel("k")->launch(launch, nullptr, 0, cpu.default_stream());
  EXPECT_EQ(cpu.launched.geometry.cluster[2], 1u);
  fake::FakeDevice& old = world.device("cuda:0");
  old.set_capability(8, 6);
  old.signatures = {{"k", {}}};
  const Ref<Kernel> k = Program::create(old, fake::request({"k"}))->kernel("k");
  EXPECT_EQ(thrown([&] { k->launch(launch, nullptr, 0, old.default_stream()); }).status, TENON_ERROR_UNSUPPORTED);
}

TEST_F(Launch, StreamsAreOrderedByWhatTheSignatureSays) {
  const auto in = make(TENON_FLOAT32, {4}), out = make(TENON_FLOAT32, {4});
  const Ref<Kernel> k = kernel({pointer(TENON_FLOAT32, true), pointer(TENON_FLOAT32)});
  const CallArgument args[] = {array(in), array(out)};
  const Ref<Stream> a = device.create_stream(0), b = device.create_stream(0), c = device.create_stream(0);
  k->launch(grid(), args, 2, *a);
  const auto waits = [](const Ref<Stream>& s) { return static_cast<fake::FakeStream&>(*s).waited_for.size(); };
  EXPECT_EQ(waits(a), 2u) << "behind the stream that allocated them";
  k->launch(grid(), args, 2, *a);
  EXPECT_EQ(waits(a), 2u) << "one stream needs no more";
  const CallArgument reads[] = {array(in), array(in)};
  EXPECT_EQ(thrown([&] { k->launch(grid(), reads, 2, *b); }).status, TENON_OK);
  EXPECT_EQ(static_cast<fake::FakeStream&>(*b).waited_for.size(), 3u)
      << "the allocation; the reader on a, before the write";
  Ref<Call> call = Call::create(k, grid(), args, 2);
  call->launch(*c);
  const auto& waited = static_cast<fake::FakeStream&>(*c).waited_for;
  EXPECT_EQ(waited.size(), 2u);
  EXPECT_EQ(waited[0], b.get()) << "the last writer of in";
  EXPECT_EQ(waited[1], a.get()) << "the last writer of out";
}

TEST_F(Launch, ABoundCallKeepsItsArraysAndCanBePatched) {
  const Ref<Kernel> k = kernel({scalar(TENON_INT32), pointer(TENON_FLOAT32)});
  auto x = make(TENON_FLOAT32, {4});
  const auto y = make(TENON_FLOAT32, {4});
  const void* const x_data = x->data();
  const CallArgument args[] = {i32(5), array(x)};
  const Ref<Call> call = Call::create(k, grid(3, 64), args, 2);
  Buffer& buffer = x->buffer();
  x = nullptr;
  EXPECT_EQ(buffer.bytes(), 16u) << "still there";
  const Ref<Call> copy = call->copy();
  call->set(0, i32(6));
  call->set(1, array(y));
  const auto low = [](const void* p) { return reinterpret_cast<uintptr_t>(p) & 0xffffffffu; };
  call->launch(stream);
  EXPECT_EQ(device.launched.values[0], 6u);
  EXPECT_EQ(device.launched.values[1] & 0xffffffffu, low(y->data()));
  copy->launch(stream);
  EXPECT_EQ(device.launched.values[0], 5u) << "a clone is its own";
  EXPECT_EQ(device.launched.values[1] & 0xffffffffu, low(x_data));
  EXPECT_EQ(device.launched.geometry.grid[0], 3u);
  EXPECT_EQ(thrown([&] { call->set(1, f32(1)); }).status, TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(thrown([&] { call->set(2, f32(1)); }).text, "argument 2 of k is out of range: it has 2 arguments");
  EXPECT_EQ(thrown([&] { call->set(-1, f32(1)); }).status, TENON_ERROR_INVALID_ARGUMENT);
  call->launch(stream);
  EXPECT_EQ(device.launched.values[1] & 0xffffffffu, low(y->data())) << "a refused change changes nothing";
}

TEST_F(Launch, LaunchesAllocateNothing) {
  const auto x = make(TENON_FLOAT32, {4}), y = make(TENON_FLOAT32, {4}), z = make(TENON_FLOAT32, {4});
  const Ref<Kernel> k = kernel(
      {pointer(TENON_FLOAT32, true), pointer(TENON_FLOAT32, true), pointer(TENON_FLOAT32), scalar(TENON_FLOAT32)});
  const CallArgument args[] = {array(x), array(y), array(z), f32(1)};
  const Ref<Call> call = Call::create(k, grid(), args, 4);
  const Geometry launch = grid(1, 256);
  k->launch(launch, args, 4, stream);
  const long before = allocations;
  for (int i = 0; i < 100; ++i) {
    k->launch(launch, args, 4, stream);
    call->launch(stream);
    call->set(3, args[3]);
    call->set(2, args[2]);
  }
  EXPECT_EQ(allocations - before, 0);
}

TEST_F(Launch, AReplayOfAGraphAllocatesNothing) {
  Ref<Kernel> k = kernel({pointer(TENON_FLOAT32, true), pointer(TENON_FLOAT32), scalar(TENON_INT32)});
  Ref<Array> x = make(TENON_FLOAT32, {8}), y = make(TENON_FLOAT32, {8});
  const CallArgument args[] = {array(x), array(y), i32(8)};
  Ref<Graph> graph = Graph::create(device);
  {
    Ref<Stream> recording = graph->begin();
    for (int i = 0; i < 100; ++i) k->launch(grid(), args, 3, *recording);
    EXPECT_EQ(device.launched.count, 0);
    graph->end();
  }
  graph->launch(stream);
  const long before = allocations;
  for (int i = 0; i < 10; ++i) graph->launch(stream);
  EXPECT_EQ(allocations - before, 0);
  EXPECT_EQ(device.launched.count, 1100);
}

TEST_F(Launch, ManyParametersAndLargeStructsWork) {
  std::vector<char> large(20000, 'x');
  fake::Signature signature(100, scalar(TENON_INT32));
  signature.push_back(fake::structure(20000, 256));
  const Ref<Kernel> k = kernel(signature);
  std::vector<CallArgument> args(100, i32(11));
  args.push_back(bytes(large.data(), large.size()));
  k->launch(grid(), args.data(), 101, stream);
  EXPECT_EQ(device.launched.values[7], 11u);
  Call::create(k, grid(), args.data(), 101)->clone()->launch(stream);
  EXPECT_EQ(device.launched.count, 2);
}

// ---- programs

TEST_F(Launch, AKernelThatWasNotListedIsRefused) {
  device.signatures = {{"listed", {}}, {"late<int>", {scalar(TENON_INT32)}}};
  const Ref<Program> program = Program::create(device, fake::request({"listed"}));
  EXPECT_EQ(program->kernel("listed")->parameters().size(), 0u);
  EXPECT_EQ(device.compiles, 1);
  EXPECT_EQ(device.loads, 0) << "loading waits for the first launch";
  for (const char* name : {"late<int>", "nowhere"}) {
    const fake::Thrown t = thrown([&] { program->kernel(name); });
    EXPECT_EQ(t.status, TENON_ERROR_NOT_FOUND);
    EXPECT_NE(
        t.text.find(std::string("there is no kernel \"") + name + "\" in kernel.cu, which was compiled for: listed."),
        std::string::npos)
        << t.text;
  }
  EXPECT_EQ(device.compiles, 1) << "another module would have variables of its own";
  EXPECT_EQ(thrown([&] { program->kernel("a;b"); }).status, TENON_ERROR_INVALID_ARGUMENT);
}

TEST_F(Launch, ABadRequestIsRefused) {
  device.signatures = {{"k", {}}};
  struct {
    std::function<void(CompileRequest&)> change;
    const char* text;
  } rows[] = {
      {[](CompileRequest& r) { r.kernels = {"k", "k"}; }, "the kernel \"k\" is listed twice"},
      {[](CompileRequest& r) { r.kernels = {""}; }, "a kernel name is empty"},
      {[](CompileRequest& r) { r.mode = 3; }, "mode 3"},
      {[](CompileRequest& r) { r.mode = -1; }, "mode -1"},
      {[](CompileRequest& r) { r.flags = 24; }, "unknown bits 0x10"},
      {[](CompileRequest& r) { r.options = {"-DA", ""}; }, "an option is empty"},
      {[](CompileRequest& r) { r.options = {"-DA\n-DB"}; }, "(code 10)"},
      {[](CompileRequest& r) { r.source = std::string("a\0b", 3); }, "byte 1 of the source is NUL"},
      {[](CompileRequest& r) { r.name = "a\"b"; }, "the name of the source"},
      {[](CompileRequest& r) { r.headers = {{"", ""}}; }, "a header name is empty"},
      {[](CompileRequest& r) { r.headers = {{"a.h", ""}, {"a.h", "1"}}; }, "the header \"a.h\" is given twice"},
      {[](CompileRequest& r) { r.headers = {{"a.h", std::string(1, '\0')}}; }, "has a NUL byte"},
  };
  for (const auto& row : rows) {
    CompileRequest r = fake::request({"k"});
    row.change(r);
    const fake::Thrown t = thrown([&] { Program::create(device, r); });
    EXPECT_EQ(t.status, TENON_ERROR_INVALID_ARGUMENT) << row.text;
    EXPECT_NE(t.text.find(row.text), std::string::npos) << t.text;
  }
  EXPECT_EQ(device.compiles, 0);
}

TEST_F(Launch, AProgramForAnotherArchitectureIsNotRun) {
  device.signatures = {{"k", {}}};
  CompileRequest r = fake::request({"k"});
  r.architecture = "sm_75";
  const Ref<Kernel> k = Program::create(device, r)->kernel("k");
  const fake::Thrown t = thrown([&] { k->launch(grid(), nullptr, 0, stream); });
  EXPECT_EQ(t.status, TENON_ERROR_UNSUPPORTED);
  EXPECT_NE(t.text.find("was compiled for sm_75"), std::string::npos) << t.text;
  r.architecture = "sm_90";
  Program::create(device, r)->kernel("k")->launch(grid(), nullptr, 0, stream);
  EXPECT_EQ(device.launched.count, 1);
}

}  // namespace
