// tests/fake_cuda/own_kernels.hpp: Tenon's own kernels for CUDA run on the fake device: their text (src/backend/cuda)
// is compiled for the CPU device, and a launch of the fake driver is a launch there, on the same memory.
#pragma once
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include "../support.hpp"
#include "control.hpp"

namespace test {

class OwnKernels {
 public:
  OwnKernels() {
    tenon_context_options options{};
    options.struct_size = sizeof options;
    tenon_context* made = nullptr;
    EXPECT_OK(tenon_context_create(&options, &made));
    context_.reset(made);
    cpu_ = device("cpu:0", made);
    fake_cuda_kernels([this](const char* expression, void** parameters, const unsigned(&geometry)[7]) {
      return work_of(expression, parameters, geometry);
    });
  }
  ~OwnKernels() { fake_cuda_kernels({}); }
  OwnKernels(const OwnKernels&) = delete;

 private:
  struct Kernel {
    KernelPtr handle;
    std::vector<tenon_parameter_info> parameters;
  };

  static std::string text(const std::string& file) {
    std::ifstream in(std::string(TENON_CUDA_KERNELS) + "/" + file);
    EXPECT_TRUE(in) << file;
    std::stringstream all;
    all << in.rdbuf();
    return all.str();
  }
  // The file that has the template: its name comes before the first of "<" and the end.
  static std::string source_of(const std::string& expression) {
    const std::string name = expression.substr(7, expression.find('<') - 7);  // after "tenon::"
    for (const char* file : {"copy/array.cu", "numbers/numbers.cu", "fft.cu"}) {
      const std::string found = text(file);
      // Conversions of 16-bit types are inline PTX: the kernels that the tests need have none. Compiled as written,
      // which is fast.
      const std::string head =
          "#define TENON_DEVICE_TEXT\n#define asm(...)\n#define TENON_PLAIN_LOOPS\n#define TENON_PLAIN_BARRIERS\n";
      if (found.find(" " + name + "(") == std::string::npos) continue;
      const std::string device = "../../../device/";
      return head + text(device + "finding.hpp") + text(device + "report.cuh") + text("types.cuh") + text("work.hpp") +
             found;
    }
    ADD_FAILURE() << "no kernel " << expression;
    return "";
  }
  const Kernel& kernel(const std::string& expression) {
    Kernel& out = kernels_[expression];
    if (out.handle) return out;
    const std::string source = source_of(expression);
    const char* name = expression.c_str();
    tenon_program_options options{};
    options.struct_size = sizeof options;
    options.kernels = &name;
    options.kernel_count = 1;
    tenon_program* program = nullptr;
    tenon_kernel* made = nullptr;
    EXPECT_OK(tenon_program_create(cpu_.get(), source.data(), source.size(), &options, &program));
    const ProgramPtr owner(program);
    EXPECT_OK(tenon_program_kernel(program, name, &made));
    out.handle.reset(made);
    int32_t count = 0;
    EXPECT_OK(tenon_kernel_parameter_count(made, &count));
    for (int32_t i = 0; i < count; ++i) {
      tenon_parameter_info info{};
      info.struct_size = sizeof info;
      EXPECT_OK(tenon_kernel_get_parameter_info(made, i, &info));
      out.parameters.push_back(info);
    }
    return out;
  }

  std::function<void()> work_of(const char* expression, void** parameters, const unsigned (&geometry)[7]) {
    const Kernel& kernel = this->kernel(expression);
    // The parameters belong to the caller, and are only valid until the launch returns.
    std::vector<std::vector<unsigned char>> values;
    for (size_t i = 0; i < kernel.parameters.size(); ++i) {
      const auto* from = static_cast<const unsigned char*>(parameters[i]);
      values.emplace_back(from, from + kernel.parameters[i].size);
    }
    tenon_launch launch{};
    launch.struct_size = sizeof launch;
    std::copy(geometry, geometry + 3, launch.grid);
    std::copy(geometry + 3, geometry + 6, launch.block);
    launch.shared_bytes = geometry[6];
    return [&kernel, values = std::move(values), launch] {
      std::vector<tenon_arg> args;
      for (size_t i = 0; i < values.size(); ++i) args.push_back(argument(kernel.parameters[i], values[i]));
      EXPECT_OK(tenon_kernel_launch(kernel.handle.get(), &launch, args.data(), int32_t(args.size()), nullptr));
    };
  }
  static tenon_arg argument(const tenon_parameter_info& parameter, const std::vector<unsigned char>& value) {
    tenon_arg out{};
    if (parameter.kind == TENON_PARAMETER_POINTER) {
      out.kind = TENON_ARG_POINTER;
      std::memcpy(&out.value.pointer, value.data(), sizeof out.value.pointer);
    } else if (parameter.kind == TENON_PARAMETER_SCALAR) {
      out.kind = TENON_ARG_SCALAR;
      out.dtype = parameter.dtype;
      out.size = value.size();
      std::memcpy(&out.value, value.data(), value.size());
    } else {
      out.kind = TENON_ARG_BYTES;
      out.size = value.size();
      out.value.bytes = value.data();
    }
    return out;
  }

  ContextPtr context_;
  DevicePtr cpu_;
  std::map<std::string, Kernel> kernels_;  // guarded by the fake driver's lock
};

}  // namespace test
