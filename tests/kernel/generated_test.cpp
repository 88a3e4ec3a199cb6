// tests/kernel/generated_test.cpp: which kernel is written and launched for which call, on a device that compiles
// nothing.
//
// With TENON_TEST_SOURCES set to a directory, every text written for CUDA is kept there, to be given to a real
// compiler.
#include <fstream>
#include "fake_device.hpp"
#include "kernel/generate/generated.hpp"

using namespace tenon;
using namespace fake;

namespace {

class Generated : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name :
         {"tenon_g_kernel", "tenon_g_reduce", "tenon_g_finish", "tenon_g_finish_each", "tenon_g_scan", "tenon_g_clear"})
      device.signatures[name] = {};
    device.on_compile = [this](const CompileRequest& request) {
      source = request.source;
      if (const char* directory = std::getenv("TENON_TEST_SOURCES")) {
        static int number = 0;
        std::string test = testing::UnitTest::GetInstance()->current_test_info()->name();
        std::ofstream(std::string(directory) + "/" + test + "_" + std::to_string(number++) + ".cu") << request.source;
      }
    };
  }

  Ref<Array> array(std::initializer_list<int64_t> shape, Dtype dtype = TENON_FLOAT32) {
    kept.push_back(Array::create(device, dtype, Dims(shape), device.default_stream()));
    return kept.back();
  }
  CallArgument arg(const Ref<Array>& array) {
    kept.push_back(array);
    return CallArgument::of(*array);
  }
  static Ref<Array> from(const Ref<Array>& array, int64_t start) {
    const int64_t stop = array->shape()[0], step = 1;
    return array->slice(&start, &stop, &step);
  }
  // The value of a macro in the text; -1 if it is not defined.
  int64_t macro(const std::string& name) const {
    const size_t at = source.find("#define TENON_G_" + name + " ");
    return at == std::string::npos ? -1 : std::atoll(source.c_str() + at + name.size() + 17);
  }

  World world;
  FakeDevice& device = world.device("cuda:0");
  std::string source;
  std::vector<Ref<Array>> kept;
};

void run(Elementwise& kernel, std::vector<CallArgument> args) {
  kernel.call(args.data(), int32_t(args.size()), nullptr);
}
void run(Reduction& kernel, std::vector<CallArgument> args, std::vector<int32_t> axes = {}) {
  kernel.call(args.data(), int32_t(args.size()), axes.data(), int32_t(axes.size()), nullptr);
}
void run(Scan& kernel, std::vector<CallArgument> args, int32_t axis) {
  kernel.call(args.data(), int32_t(args.size()), axis, nullptr);
}

TEST_F(Generated, contiguous_operands_are_read_in_16_bytes) {
  auto add = Elementwise::create("T x, T y", "T z", "z = x + y", {});
  for (auto [dtype, vector] :
       {std::pair{TENON_FLOAT32, 4}, {TENON_FLOAT64, 2}, {TENON_FLOAT16, 8}, {TENON_INT8, 16}, {TENON_COMPLEX128, 1}}) {
    run(*add, {arg(array({1000}, dtype)), arg(array({1000}, dtype)), arg(array({1000}, dtype))});
    EXPECT_EQ(macro("KIND"), 1) << dtype_name(dtype);
    EXPECT_EQ(macro("V"), vector) << dtype_name(dtype);
  }
}

TEST_F(Generated, axes_that_belong_together_are_one) {
  auto add = Elementwise::create("T x, T y", "T z", "z = x + y", {});
  run(*add, {arg(array({3, 4, 5})), arg(array({3, 4, 5})), arg(array({3, 4, 5}))});
  EXPECT_EQ(macro("KIND"), 1);
  EXPECT_EQ(macro("RANK"), 1);
  const auto turned = [&] { return array({3, 4, 5})->transpose({}); };
  run(*add, {arg(turned()), arg(turned()), arg(turned())});
  EXPECT_EQ(device.compiles, 1) << "all transposed alike is the same walk through memory";
}

TEST_F(Generated, vectors_are_shorter_where_addresses_are_odd) {
  auto twice = Elementwise::create("T x", "T y", "y = 2 * x", {});
  for (auto [start, vector] : {std::pair{1, 1}, {2, 2}, {4, 4}}) {
    run(*twice, {arg(from(array({1000}), start)), arg(from(array({1000}), start))});
    EXPECT_EQ(macro("V"), vector) << "from element " << start;
  }
}

TEST_F(Generated, a_broadcast_row_keeps_vectors) {
  auto add = Elementwise::create("T x, T y", "T z", "z = x + y", {});
  run(*add, {arg(array({100, 512})), arg(array({512})), arg(array({100, 512}))});
  EXPECT_EQ(macro("KIND"), 2);
  EXPECT_EQ(macro("V"), 4);
  run(*add, {arg(array({100, 512})), arg(array({100, 1})), arg(array({100, 512}))});
  EXPECT_EQ(macro("KIND"), 2);
}

TEST_F(Generated, turned_operands_are_read_through_tiles) {
  auto add = Elementwise::create("T x, T y", "T z", "z = x + y", {});
  run(*add, {arg(array({512, 512})), arg(array({512, 512})->transpose({})), arg(array({512, 512}))});
  EXPECT_EQ(macro("KIND"), 4);
  EXPECT_EQ(macro("TILE"), 64);
  EXPECT_EQ(macro("WIDE"), 0);
  EXPECT_EQ(device.launched.geometry.grid[0], 64u);
}

TEST_F(Generated, what_has_no_common_order_goes_element_by_element) {
  auto add = Elementwise::create("T x, T y", "T z", "z = x + y", {});
  const int64_t starts[] = {0, 0}, stops[] = {512, 512}, steps[] = {1, 2};
  run(*add, {arg(array({512, 256})), arg(array({512, 512})->slice(starts, stops, steps)), arg(array({512, 256}))});
  EXPECT_EQ(macro("KIND"), 3);
  EXPECT_EQ(macro("WIDE"), 0);
}

TEST_F(Generated, a_kind_of_call_is_compiled_once) {
  auto add = Elementwise::create("T x, T y", "T z", "z = x + y", {});
  for (int64_t n : {1000, 1000, 5000, 7}) run(*add, {arg(array({n})), arg(array({n})), arg(array({n}))});
  EXPECT_EQ(device.compiles, 1);
  EXPECT_EQ(device.launched.count, 4);
  run(*add, {arg(array({7}, TENON_FLOAT64)), arg(array({7}, TENON_FLOAT64)), arg(array({7}, TENON_FLOAT64))});
  EXPECT_EQ(device.compiles, 2);
}

TEST_F(Generated, nothing_is_launched_for_no_elements) {
  auto twice = Elementwise::create("T x", "T y", "y = 2 * x", {});
  run(*twice, {arg(array({0, 5})), arg(array({0, 5}))});
  EXPECT_EQ(device.launched.count, 0);
}

TEST_F(Generated, the_users_lines_keep_their_numbers) {
  auto twice = Elementwise::create("T x", "T y", "y =\n2 * x", {});
  run(*twice, {arg(array({5})), arg(array({5}))});
  EXPECT_NE(source.find("\n#line 1 \"elementwise\"\ny =\n2 * x\n"), std::string::npos) << source;
}

TEST_F(Generated, a_long_sum_is_split_and_a_short_one_is_not) {
  auto sum = Reduction::create({"T x", "T y", "x", "a + b", "", "0", true}, {});
  run(*sum, {arg(array({1 << 22})), arg(array({}))});
  EXPECT_EQ(macro("KIND"), 1);
  EXPECT_EQ(macro("V"), 4);
  EXPECT_EQ(device.launched.count, 2);
  run(*sum, {arg(array({1000})), arg(array({}))});
  EXPECT_EQ(device.launched.count, 3);
}

TEST_F(Generated, sums_follow_memory) {
  auto sum = Reduction::create({"T x", "T y", "x", "a + b", "", "0", true}, {});
  run(*sum, {arg(array({1024, 512})), arg(array({1024}))}, {1});
  EXPECT_EQ(macro("KIND"), 1);
  run(*sum, {arg(array({1024, 512})), arg(array({512}))}, {0});
  EXPECT_EQ(macro("KIND"), 2);
  EXPECT_EQ(macro("V"), 4);
  run(*sum, {arg(array({20000, 3})), arg(array({3}))}, {0});
  EXPECT_EQ(macro("KIND"), 2);
  EXPECT_EQ(macro("V"), 1);
  EXPECT_EQ(macro("TX"), 4);
  run(*sum, {arg(array({64, 32, 128})), arg(array({32}))}, {0, 2});
  EXPECT_EQ(macro("KIND"), 1);
  EXPECT_EQ(macro("REDUCED"), 2);
  auto largest = Reduction::create({"T x", "T y", "x", "max(a, b)", "", "", false}, {});
  run(*largest, {arg(array({1 << 22})), arg(array({}))});
  run(*largest, {arg(array({1024, 512})), arg(array({512}))}, {0});
}

TEST_F(Generated, scans_follow_memory) {
  auto running = Scan::create({"T x", "T y", "x", "a + b", "0", false}, {});
  run(*running, {arg(array({1 << 20})), arg(array({1 << 20}))}, 0);
  EXPECT_EQ(macro("KIND"), 1);
  EXPECT_EQ(macro("V"), 4);
  EXPECT_EQ(device.launched.count, 2) << "one to clear what tiles publish, one to scan";
  run(*running, {arg(array({1000, 500})), arg(array({1000, 500}))}, 0);
  EXPECT_EQ(macro("KIND"), 2);
  run(*running, {arg(array({1 << 20}, TENON_FLOAT64)), arg(array({1 << 20}, TENON_FLOAT64))}, 0);
  EXPECT_EQ(macro("ITEMS"), 8);
}

TEST_F(Generated, every_number_type_is_written) {
  auto add =
      Elementwise::create("T x, float32 s, raw T table", "T y, inout T z", "y = x * x + table[0]; z += T(s)", {});
  for (Dtype dtype : {TENON_FLOAT16, TENON_BFLOAT16, TENON_COMPLEX64, TENON_COMPLEX128, TENON_INT8, TENON_UINT64}) {
    CallArgument scalar{};
    scalar.kind = TENON_ARG_SCALAR;
    scalar.dtype = TENON_FLOAT32;
    run(*add, {arg(array({100}, dtype)), scalar, arg(array({100}, dtype)), arg(array({100}, dtype)),
               arg(array({100}, dtype))});
  }
  auto sum = Reduction::create({"T x", "T y", "x", "a + b", "a / n", "0", true}, {});
  for (Dtype dtype : {TENON_FLOAT16, TENON_FLOAT64, TENON_INT8})
    run(*sum, {arg(array({5000}, dtype)), arg(array({}, dtype))});
  EXPECT_EQ(device.compiles, 9);
}

TEST_F(Generated, counting_elements_keeps_the_order) {
  auto number = Elementwise::create("", "int64 y", "y = coord[0] + i", {});
  run(*number, {arg(array({30, 50}, TENON_INT64))});
  EXPECT_EQ(macro("RANK"), 2);
  EXPECT_EQ(macro("COORD"), 1);
}

}  // namespace
