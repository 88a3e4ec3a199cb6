// tests/plugin/call_test.cpp: calling operations through what the contract says of them, with no code for any one of
// them; calls while their package is unloaded and replaced.
#include <atomic>
#include <nlohmann/json.hpp>
#include <thread>

#include "packages.hpp"

using namespace test;

namespace {

const char kSource[] = R"(template <class T> __global__ void scale(const T* x, T a, T* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i];
})";

std::string contract(const char* version, const char* factor) {
  return std::string("name = \"p\"\nversion = \"") + version +
         "\"\n[op.scale]\nparameters = [\"in T x\", \"scalar T a = " + factor +
         "\", \"out T y\"]\nkernel = \"scale<T>\"\n";
}

ArrayPtr ones(tenon_device* device, int64_t n) {
  tenon_array* out = nullptr;
  EXPECT_OK(tenon_array_zeros(device, TENON_FLOAT32, 1, &n, nullptr, &out));
  EXPECT_OK(tenon_array_fill(out, number(1), nullptr));
  return ArrayPtr(out);
}

// Calls an operation according to its description: every input is an array of ones, scalars have their defaults, and
// outputs are created.
std::vector<ArrayPtr> run(tenon_operation* operation, tenon_device* device) {
  tenon_operation_info info{};
  info.struct_size = sizeof info;
  EXPECT_OK(tenon_operation_get_info(operation, &info));
  std::vector<tenon_arg> args(size_t(info.parameter_count), tenon_arg{});
  std::vector<ArrayPtr> inputs, outputs;
  std::vector<size_t> places;
  for (int32_t i = 0; i < info.parameter_count; ++i) {
    tenon_operation_parameter_info parameter{};
    parameter.struct_size = sizeof parameter;
    EXPECT_OK(tenon_operation_get_parameter_info(operation, i, &parameter));
    if (parameter.role == TENON_ROLE_OUT) places.push_back(size_t(i));
    if (parameter.role != TENON_ROLE_IN) continue;
    inputs.push_back(ones(device, 100));
    args[size_t(i)] = TENON_ARRAY_ARG(inputs.back().get());
  }
  for (int32_t k = 0; k < info.output_count; ++k) {
    tenon_array* out = nullptr;
    EXPECT_OK(tenon_operation_output(operation, args.data(), int32_t(args.size()), k, nullptr, &out));
    outputs.emplace_back(out);
  }
  for (size_t k = 0; k < places.size(); ++k) args[places[k]] = TENON_ARRAY_ARG(outputs[k].get());
  EXPECT_OK(tenon_operation_call(operation, args.data(), int32_t(args.size()), nullptr));
  return outputs;
}

float first(const ArrayPtr& array) {
  float values[100] = {};
  EXPECT_OK(tenon_array_to_host(array.get(), values, sizeof values, nullptr));
  return values[0];
}

// The package, written into place.
tenon_package* loaded(tenon_context* context, const Directory& place) {
  place.write("scale.cu", kSource);
  place.write("plugin.toml", contract("1.0.0", "2"));
  tenon_package* package = nullptr;
  EXPECT_OK(tenon_package_load(context, place.path().c_str(), nullptr, &package));
  return package;
}

bool compiles(tenon_operation* operation, tenon_device* device) {
  const ArrayPtr x = ones(device, 1);
  const tenon_arg args[3] = {TENON_ARRAY_ARG(x.get()), {}, {}};
  return tenon_operation_prepare(operation, args, 3) != TENON_ERROR_MISSING_LIBRARY;
}

}  // namespace

class OperationCall : public testing::TestWithParam<const char*> {};

TEST_P(OperationCall, works_while_its_package_is_replaced_and_unloaded) {
  const ContextPtr context = new_context();
  const DevicePtr on = device(GetParam(), context.get());
  if (!on) GTEST_SKIP() << tenon_error_last_message();
  const Directory place;
  tenon_package* package = loaded(context.get(), place);
  tenon_operation* old = nullptr;
  OK(tenon_package_operation(package, "scale", &old));
  if (!compiles(old, on.get())) GTEST_SKIP() << tenon_error_last_message();

  std::atomic<bool> stop{false};
  std::atomic<int> calls{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&] {
      while (!stop) {
        tenon_operation* found = nullptr;
        if (tenon_operation_find(context.get(), "p/scale", nullptr, &found)) continue;  // the package is being replaced
        const OperationPtr own(found);
        const float value = first(run(found, on.get())[0]);
        EXPECT_TRUE(value == 2 || value == 3) << value;
        EXPECT_EQ(first(run(old, on.get())[0]), 2);
        ++calls;
      }
    });
  }
  for (int round = 0; round < 10; ++round) {
    place.write("plugin.toml", contract("1.0.0", round % 2 ? "2" : "3"));
    tenon_package* fresh = nullptr;
    EXPECT_OK(tenon_package_reload(package, &fresh));
    tenon_package_release(package);
    package = fresh;
    for (const int before = calls; calls < before + 3;) std::this_thread::yield();  // calls go on with the new one
  }
  EXPECT_OK(tenon_package_unload(package));
  stop = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(calls, 0);
  EXPECT_EQ(first(run(old, on.get())[0]), 2);
  tenon_operation_release(old);
  tenon_package_release(package);
}

TEST_P(OperationCall, refuses_wrong_arguments_naming_operation_and_parameter) {
  const ContextPtr context = new_context();
  const DevicePtr on = device(GetParam(), context.get());
  if (!on) GTEST_SKIP() << tenon_error_last_message();
  const Directory place;
  tenon_package* package = loaded(context.get(), place);
  const PackagePtr own_package(package);
  tenon_operation* operation = nullptr;
  OK(tenon_package_operation(package, "scale", &operation));
  const OperationPtr own(operation);
  const ArrayPtr x = ones(on.get(), 100), y = ones(on.get(), 99);
  const tenon_arg good = TENON_ARRAY_ARG(x.get()), small = TENON_ARRAY_ARG(y.get()), none{}, two = TENON_F64_ARG(2.0),
                  pointer = TENON_POINTER_ARG(nullptr);
  struct {
    const char* what;
    std::vector<tenon_arg> args;
    int32_t status;
    const char* reason;
  } const rows[] = {
      {"too few", {good, none}, TENON_ERROR_INVALID_ARGUMENT, "p/scale takes 3 arguments (x, a, y), but 2 were given"},
      {"no array",
       {none, none, small},
       TENON_ERROR_INVALID_ARGUMENT,
       "x of p/scale must be an array, but the argument is left out"},
      {"a pointer",
       {pointer, none, small},
       TENON_ERROR_INVALID_ARGUMENT,
       "x of p/scale must be an array, but the argument is a raw pointer"},
      {"a scalar of another type",
       {good, two, small},
       TENON_ERROR_DTYPE,
       "a of p/scale is float64 but must be float32"},
      {"an array for a scalar",
       {good, good, small},
       TENON_ERROR_INVALID_ARGUMENT,
       "a of p/scale must be a scalar, but the argument is an array"},
      {"another shape",
       {good, none, small},
       TENON_ERROR_SHAPE,
       "y of p/scale has the shape (99,) but must have (100,)"},
      {"in place", {good, none, good}, TENON_ERROR_OVERLAP, "y of p/scale shares memory with x"},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.what);
    FAILS(row.status, row.reason, tenon_operation_call(operation, row.args.data(), int32_t(row.args.size()), nullptr));
    tenon_call* bound = nullptr;
    FAILS(row.status, row.reason,
          tenon_operation_bind(operation, row.args.data(), int32_t(row.args.size()), nullptr, &bound));
    EXPECT_EQ(bound, nullptr);
  }
  tenon_array* out = nullptr;
  const tenon_arg args[3] = {good, none, none};
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "output 1 of p/scale is out of range: it has 1",
        tenon_operation_output(operation, args, 3, 1, nullptr, &out));
}

INSTANTIATE_TEST_SUITE_P(Devices, OperationCall, testing::Values("cpu:0", "cuda:0"), [](const auto& info) {
  return std::string(info.param).substr(0, std::strlen(info.param) - 2);
});
