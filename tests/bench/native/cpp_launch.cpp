// tests/bench/native/cpp_launch.cpp: what a launch costs through tenon.hpp, compared with the same launch in C, in
// nanoseconds: with geometry and arguments made for each launch, and with what can be kept made once. Usage:
// bench_cpp_launch [DEVICE]
#include <tenon/tenon.hpp>

#include <algorithm>
#include <cstdio>
#include <functional>

#include "compare.hpp"

namespace {

constexpr int launches = 2000;

const char empty[] = "extern \"C\" __global__ void empty(const float* x, float* y, float a, int n) {}";

// The fastest of the rounds: other work on the machine can only add time.
void compare(const char* what, const tenon::device& device, const std::function<void()>& c,
             const std::function<void()>& cpp) {
  double best_c = 1e9, best_cpp = 1e9;
  for (int round = 0; round < 200; ++round) {
    best_c = std::min(best_c, bench::seconds(c));
    device.synchronize();
    best_cpp = std::min(best_cpp, bench::seconds(cpp));
    device.synchronize();
  }
  std::printf("%-44s C %7.1f ns   C++ %7.1f ns\n", what, best_c / launches * 1e9, best_cpp / launches * 1e9);
}

}  // namespace

int main(int argc, char** argv) {
  const tenon::device device = tenon::context().device(argc > 1 ? argv[1] : "cpu:0");
  const tenon::kernel kernel = tenon::compile(device, empty, "empty");
  const auto x = tenon::array<float, 1>::zeros(device, {32}), y = tenon::array<float, 1>::zeros(device, {32});
  tenon_kernel* const k = kernel.get();

  compare(
      "geometry and arguments made for each", device,
      [&] {
        for (int i = 0; i < launches; ++i) {
          tenon_launch launch{};
          launch.struct_size = sizeof(launch);
          launch.grid[0] = 1;
          launch.block[0] = 32;
          const tenon_arg args[] = {TENON_ARRAY_ARG(x.get()), TENON_ARRAY_ARG(y.get()), TENON_F32_ARG(2.0f),
                                    TENON_I32_ARG(i)};
          bench::check(tenon_kernel_launch(k, &launch, args, 4, nullptr));
        }
      },
      [&] {
        for (int i = 0; i < launches; ++i) kernel(1, 32)(x, y, 2.0f, i);
      });

  tenon_launch launch{};
  launch.struct_size = sizeof(launch);
  launch.grid[0] = 1;
  launch.block[0] = 32;
  const auto launcher = kernel(1, 32);
  compare(
      "arguments made for each", device,
      [&] {
        for (int i = 0; i < launches; ++i) {
          const tenon_arg args[] = {TENON_ARRAY_ARG(x.get()), TENON_ARRAY_ARG(y.get()), TENON_F32_ARG(2.0f),
                                    TENON_I32_ARG(i)};
          bench::check(tenon_kernel_launch(k, &launch, args, 4, nullptr));
        }
      },
      [&] {
        for (int i = 0; i < launches; ++i) launcher(x, y, 2.0f, i);
      });

  const tenon::call call = launcher.bind(x, y, 2.0f, 32);
  compare(
      "all made once", device,
      [&] {
        for (int i = 0; i < launches; ++i) bench::check(tenon_call_launch(call.get(), nullptr));
      },
      [&] {
        for (int i = 0; i < launches; ++i) call.launch();
      });
}
