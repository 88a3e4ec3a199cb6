// backend/cpu/kernel.hpp: CUDA C kernels on the CPU: what the device asks of those who compile them
// (compile/) and run them (run/).
#pragma once
#include <memory>
#include <string>
#include "core/backend.hpp"

namespace tenon::cpu {

class Heap;  // backend/cpu/run/heap.hpp

// The compiler that serves a request: its path, version, the processor's features and the built-in headers.
// MISSING_LIBRARY.
std::string kernel_compiler_identity(const CompileRequest& request, ImageStore& memory);
// One sentence for tenon_device_toolkit; says what to install when there is no compiler. Does not throw.
std::string kernel_toolkit();
// COMPILE (with the log), MISSING_LIBRARY, INVALID_ARGUMENT (an option). In the debug mode the text is left in a folder
// of `sources`, a private directory, where a debugger finds it; "": nowhere.
Image kernel_compile(const CompileRequest& request, const std::string& sources);
// Refuses an image that this device did not make, or that is not as it made it: INVALID_ARGUMENT, UNSUPPORTED.
void kernel_check_image(const ProgramInput& input);
// With its seal: what kernel_check_image looks for.
std::string sealed_image(std::string image, const struct Target& target);
// What kernel and variable `index` of a program are called in its image.
std::string kernel_symbol(size_t index);
std::string shared_symbol(
    const std::string& kernel);  // of a kernel's symbol: its value is the bytes of static shared memory
std::string threads_symbol(
    const std::string& kernel);  // of a kernel with __launch_bounds__: the most threads of a block
std::string variable_symbol(size_t index);
// What malloc() and new in kernels of one device take their memory from. TENON_KERNEL_HEAP: its bytes (8 MiB).
std::shared_ptr<Heap> make_kernel_heap();
// The module runs on CpuStreams of `device`; the image is not needed any more.
Ref<Module> kernel_load(Device& device, const Image& image);
// A JSON object: the compilers found, threads, modules loaded. Compiles nothing and does not throw.
std::string kernel_report();

}  // namespace tenon::cpu
