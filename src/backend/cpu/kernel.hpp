// backend/cpu/kernel.hpp: CUDA C kernels on the CPU: the functions with which the device compiles (compile/) and runs
// (run/) them.
#pragma once
#include <memory>
#include <string>
#include "core/device/backend.hpp"

namespace tenon::cpu {

class Heap;  // backend/cpu/run/heap.hpp

// The compiler for a request: its path, version, the processor's features and the built-in headers. Throws
// MISSING_LIBRARY.
std::string kernel_compiler_identity(const CompileRequest& request, ImageStore& memory);
// Where the compiler finds headers that are neither the request's nor built in: CCCL's, for a text that may use them.
std::vector<std::string> kernel_include_directories(const CompileRequest& request);
// One sentence for tenon_device_toolkit; states what to install if there is no compiler. Does not throw.
std::string kernel_toolkit();
// Throws COMPILE (with the log), MISSING_LIBRARY, INVALID_ARGUMENT (an option). In the debug mode the text is stored in
// a subfolder of `sources`, a private directory, where a debugger finds it; "": not stored. memory: keeps what the
// compiler answered.
Image kernel_compile(const CompileRequest& request, const std::string& sources, ImageStore& memory);
// Refuses an image that this device did not make, or that was changed since: INVALID_ARGUMENT, UNSUPPORTED.
void kernel_check_image(const ProgramInput& input);
// The image with the seal that kernel_check_image verifies.
std::string sealed_image(std::string image, const struct Target& target);
// The symbol of kernel or variable `index` of a program in its image.
std::string kernel_symbol(size_t index);
std::string shared_symbol(
    const std::string& kernel);  // the value of this symbol is the kernel's static shared memory in bytes
std::string threads_symbol(
    const std::string& kernel);  // for a kernel with __launch_bounds__: the maximum number of threads per block
std::string variable_symbol(size_t index);
// The memory for malloc() and new in kernels of one device. TENON_KERNEL_HEAP: its size in bytes (default 8 MiB).
std::shared_ptr<Heap> make_kernel_heap();
// The module runs on CpuStreams of `device`; the image is not needed afterwards.
Ref<Module> kernel_load(Device& device, const Image& image);
// A JSON object: the compilers found, threads, modules loaded. Compiles nothing and does not throw.
std::string kernel_report();

}  // namespace tenon::cpu
