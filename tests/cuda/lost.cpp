// tests/cuda/lost.cpp: a lost device through the public interface, on the fake driver: what each call answers, and at
// which price.
#include <chrono>
#include "fake_cuda/control.hpp"
#include "support.hpp"

using namespace test;

TEST(LostDevice, EveryCallIsRefusedAtOnceAndNamesTheLaunch) {
  DevicePtr device = test::device("cuda:0");
  ASSERT_TRUE(device) << tenon_error_last_message();
  const char source[] = "// the fake driver knows what these do";
  const char* names[] = {"scale", "fault"};
  tenon_program_options options{};
  options.struct_size = sizeof options;
  options.kernels = names, options.kernel_count = 2;
  options.flags = TENON_PROGRAM_FLAG_NO_CACHE;
  tenon_program* made = nullptr;
  OK(tenon_program_create(device.get(), source, sizeof source - 1, &options, &made));
  ProgramPtr program(made);
  tenon_kernel *scale = nullptr, *fault = nullptr;
  OK(tenon_program_kernel(made, "scale", &scale));
  OK(tenon_program_kernel(made, "fault", &fault));
  KernelPtr owned_scale(scale), owned_fault(fault);
  const int64_t n = 100;
  tenon_array* array = nullptr;
  OK(tenon_array_create(device.get(), TENON_FLOAT32, 1, &n, nullptr, &array));
  ArrayPtr x(array);
  tenon_launch launch{};
  launch.struct_size = sizeof launch;
  launch.grid[0] = 2;
  const tenon_arg args[] = {TENON_ARRAY_ARG(array), TENON_F32_ARG(2.5f), TENON_I32_ARG(100)};
  tenon_call* call = nullptr;
  OK(tenon_call_create(scale, &launch, args, 3, &call));
  CallPtr bound(call);
  OK(tenon_call_launch(call, nullptr));
  OK(tenon_kernel_launch(fault, &launch, nullptr, 0, nullptr));
  char address[32];
  std::snprintf(address, sizeof address, "%p", info(array).data);
  FAILS(TENON_ERROR_DEVICE_LOST, std::string("fault<<<2, 1>>>, scale<<<2, 1>>>(") + address + ", 2.5, 100)",
        tenon_device_synchronize(device.get()));
  const std::string text = tenon_error_last_message();

  const long calls = fake_cuda()->calls;
  float host[100];
  tenon_stream* stream = nullptr;
  tenon_array* other = nullptr;
  EXPECT_EQ(tenon_kernel_launch(scale, &launch, args, 3, nullptr), TENON_ERROR_DEVICE_LOST);
  EXPECT_EQ(tenon_array_to_host(array, host, sizeof host, nullptr), TENON_ERROR_DEVICE_LOST);
  EXPECT_EQ(tenon_array_fill(array, number(1), nullptr), TENON_ERROR_DEVICE_LOST);
  EXPECT_EQ(tenon_array_create(device.get(), TENON_FLOAT32, 1, &n, nullptr, &other), TENON_ERROR_DEVICE_LOST);
  EXPECT_EQ(other, nullptr);
  EXPECT_EQ(tenon_stream_create(device.get(), nullptr, &stream), TENON_ERROR_DEVICE_LOST);
  EXPECT_EQ(tenon_device_synchronize(device.get()), TENON_ERROR_DEVICE_LOST);
  tenon_error_clear();
  constexpr int rounds = 100000;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < rounds; ++i) ASSERT_EQ(tenon_call_launch(call, nullptr), TENON_ERROR_DEVICE_LOST);
  const double microseconds =
      std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count() / rounds;
  RecordProperty("microseconds_per_refusal", std::to_string(microseconds));
  EXPECT_EQ(tenon_error_last_message(), text);
  tenon_error* error = nullptr;
  OK(tenon_error_last(&error));
  ErrorPtr kept(error);
  const char* routine = nullptr;
  int64_t code = 0;
  OK(tenon_error_native(error, &routine, &code));
  EXPECT_EQ(code, 700);
  EXPECT_EQ(fake_cuda()->calls, calls) << "the driver was called after the loss";
  // The CPU still works.
  DevicePtr cpu = test::device("cpu:0");
  EXPECT_EQ(values<int32_t>(counting(cpu.get(), {10}).get())[9], 9);
}
