// tests/bench/native/kernel_call.hpp: kernels (float a, const float* x, float* y, int n), compiled and launched, for
// rows beside OpenMP.
#pragma once
#include <omp.h>
#include <unistd.h>
#include <cstring>
#include "compare.hpp"

namespace bench {

// Returns the CPU device and prints a heading. OpenMP's threads would keep spinning while Tenon works, so the program
// restarts itself with that disabled.
inline tenon_device* cpu_beside_openmp(char** argv) {
  if (!std::getenv("OMP_WAIT_POLICY")) {
    setenv("OMP_WAIT_POLICY", "passive", 1);
    execv("/proc/self/exe", argv);
  }
  tenon_device* device = nullptr;
  check(tenon_context_device(nullptr, "cpu:0", &device));
  const char* toolkit = nullptr;
  check(tenon_device_toolkit(device, &toolkit));
  std::printf("%s, %d threads; ratio: OpenMP / Tenon\n", toolkit, omp_get_max_threads());
  return device;
}

inline tenon_program* compile(tenon_device* device, const char* source, const std::vector<const char*>& kernels,
                              const char* option = "-DNOTHING") {
  tenon_program_options options{};
  options.struct_size = sizeof options;
  options.kernels = kernels.data();
  options.kernel_count = int32_t(kernels.size());
  options.options = &option;
  options.option_count = 1;
  tenon_program* out = nullptr;
  check(tenon_program_create(device, source, std::strlen(source), &options, &out));
  return out;
}

struct Call {
  tenon_kernel* kernel = nullptr;
  tenon_launch launch{};
  tenon_arg args[4] = {};

  Call(tenon_program* program, const char* name, float* x, float* y, int count, uint32_t blocks, uint32_t threads) {
    check(tenon_program_kernel(program, name, &kernel));
    launch.struct_size = sizeof launch;
    launch.grid[0] = blocks;
    launch.block[0] = threads;
    args[0].kind = args[3].kind = TENON_ARG_SCALAR;
    args[0].dtype = TENON_FLOAT32, args[0].size = 4, args[0].value.f32 = 0.5f;
    args[1].kind = args[2].kind = TENON_ARG_POINTER;
    args[1].value.pointer = x, args[2].value.pointer = y;
    args[3].dtype = TENON_INT32, args[3].size = 4, args[3].value.i32 = count;
  }
  void operator()() const { check(tenon_kernel_launch(kernel, &launch, args, 4, nullptr)); }
};

}  // namespace bench
