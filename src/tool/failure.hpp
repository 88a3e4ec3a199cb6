// tool/failure.hpp: failures that end a command, and owning pointers for the library's handles.
#pragma once
#include <tenon/tenon.h>
#include <memory>
#include <stdexcept>
#include <string>
#include "tool/command.hpp"

namespace tool {

class Failure : public std::runtime_error {
 public:
  explicit Failure(int exit_code, const std::string& text, std::string log = "", int32_t status = 0)
      : std::runtime_error(text), code(exit_code), log(std::move(log)), status(status) {}
  int code;
  std::string log;
  int32_t status;  // the library's status; 0: the failure is not the library's
};

[[noreturn]] void usage(const std::string& text);
std::string format(const char* text, ...) __attribute__((format(printf, 1, 2)));

// Throws the failure in the calling thread's error record.
void check(int32_t status);
int exit_code_of(int32_t status);

template <class T, void (*Release)(T*)> struct Releaser {
  void operator()(T* handle) const { Release(handle); }
};
using Device = std::unique_ptr<tenon_device, Releaser<tenon_device, tenon_device_release>>;
using Array = std::unique_ptr<tenon_array, Releaser<tenon_array, tenon_array_release>>;
using Program = std::unique_ptr<tenon_program, Releaser<tenon_program, tenon_program_release>>;
using Kernel = std::unique_ptr<tenon_kernel, Releaser<tenon_kernel, tenon_kernel_release>>;
using Package = std::unique_ptr<tenon_package, Releaser<tenon_package, tenon_package_release>>;
using Operation = std::unique_ptr<tenon_operation, Releaser<tenon_operation, tenon_operation_release>>;

// Calls a function whose last parameter is an owned output: own<Device>(tenon_context_device, NULL, "best").
template <class Pointer, class Function, class... Values> Pointer own(Function function, Values... values) {
  typename Pointer::pointer out = nullptr;
  check(function(values..., &out));
  return Pointer(out);
}

// The same for text and bytes, which are copied.
std::string bytes_of(tenon_blob* blob);
template <class Function, class... Values> std::string text_from(Function function, Values... values) {
  tenon_blob* out = nullptr;
  check(function(values..., &out));
  return bytes_of(out);
}

Device device_named(const std::string& name);
std::string name_of(tenon_device* device);
tenon_device_info info_of(tenon_device* device);
// The named devices; by default the CPU and, if there is one, the first CUDA device.
std::vector<Device> devices_for(const std::vector<std::string>& names);

std::string read_file(const std::string& path);
// Replaces an existing file once everything is written.
void write_file(const std::string& path, const std::string& bytes);

}  // namespace tool
