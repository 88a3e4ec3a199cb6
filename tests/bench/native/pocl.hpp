// tests/bench/native/pocl.hpp: an OpenCL kernel on the CPU, by PoCL where it is installed (Debian: pocl-opencl-icd).
// The OpenCL library is opened at run time, and its few functions are declared here, so that building needs no OpenCL
// headers.
#pragma once
#include <dlfcn.h>
#include <array>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>

namespace bench {

class Pocl {
 public:
  Pocl() = default;
  Pocl(const char* text, const char* name, std::array<size_t, 2> global, std::array<size_t, 2> local)
      : global_(global), local_(local) {
    if (!here().queue) return;
    int32_t status = 0;
    void* const program =
        call<void*>("clCreateProgramWithSource", here().context, 1u, &text, (size_t*)nullptr, &status);
    if (call<int32_t>("clBuildProgram", program, 0u, (void**)nullptr, "", (void*)nullptr, (void*)nullptr) != 0) return;
    kernel_ = call<void*>("clCreateKernel", program, name, &status);
  }
  Pocl with(const void* memory, size_t bytes) {
    if (!kernel_) return *this;
    int32_t status = 0;
    constexpr uint64_t kReadWrite = 1, kUseHostPointer = 8;
    void* const buffer = call<void*>("clCreateBuffer", here().context, kReadWrite | kUseHostPointer, bytes,
                                     const_cast<void*>(memory), &status);
    call<int32_t>("clSetKernelArg", kernel_, arguments_++, sizeof buffer, (const void*)&buffer);
    return *this;
  }
  Pocl with(uint32_t value) {
    if (kernel_) call<int32_t>("clSetKernelArg", kernel_, arguments_++, sizeof value, (const void*)&value);
    return *this;
  }
  // Runs it once and waits; nothing if PoCL is not installed.
  std::function<void()> work() const {
    if (!kernel_) return nullptr;
    return [self = *this] {
      const size_t none[2] = {};
      call<int32_t>("clEnqueueNDRangeKernel", here().queue, self.kernel_, 2u, (const size_t*)none, self.global_.data(),
                    self.local_.data(), 0u, (void*)nullptr, (void*)nullptr);
      call<int32_t>("clFinish", here().queue);
    };
  }

 private:
  struct Here {
    void *context = nullptr, *queue = nullptr;
  };
  static void* library() {
    static void* const opened = dlopen("libOpenCL.so.1", RTLD_NOW);
    return opened;
  }
  template <class R, class... A> static R call(const char* name, A... arguments) {
    return reinterpret_cast<R (*)(A...)>(dlsym(library(), name))(arguments...);
  }
  static const Here& here() {
    static const Here made = [] {
      Here out;
      void *platform = nullptr, *device = nullptr;
      uint32_t platforms = 0;
      int32_t status = 0;
      constexpr uint64_t kOfCpu = 2;
      if (!library() || call<int32_t>("clGetPlatformIDs", 1u, &platform, &platforms) != 0 || platforms == 0) return out;
      if (call<int32_t>("clGetDeviceIDs", platform, kOfCpu, 1u, &device, (uint32_t*)nullptr) != 0) return out;
      char version[128] = "";
      constexpr uint32_t kDriverVersion = 0x102D;
      call<int32_t>("clGetDeviceInfo", device, kDriverVersion, sizeof version, (void*)version, (size_t*)nullptr);
      out.context =
          call<void*>("clCreateContext", (void*)nullptr, 1u, &device, (void*)nullptr, (void*)nullptr, &status);
      out.queue = call<void*>("clCreateCommandQueue", out.context, device, uint64_t(0), &status);
      std::printf("PoCL %s\n", version);
      return out;
    }();
    return made;
  }

  void* kernel_ = nullptr;
  std::array<size_t, 2> global_{}, local_{};
  uint32_t arguments_ = 0;
};

}  // namespace bench
