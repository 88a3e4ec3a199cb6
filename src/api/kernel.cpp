// api/kernel.cpp: programs, kernels, launches, bound calls.
#include "api/arguments.hpp"
#include "api/request.hpp"
#include "backend/list.hpp"
#include "core/control.hpp"

using namespace tenon;
using namespace tenon::api;

namespace {

const Parameter& need_parameter(const Kernel& kernel, int32_t index) {
  TENON_REQUIRE(index >= 0 && size_t(index) < kernel.parameters().size(), TENON_ERROR_INVALID_ARGUMENT,
                "parameter %d of %s is out of range: it has %zu parameters", index, kernel.name().c_str(),
                kernel.parameters().size());
  return kernel.parameters()[size_t(index)];
}

void check_image_kind(int32_t kind) {
  TENON_REQUIRE(kind == TENON_IMAGE_BINARY || kind == TENON_IMAGE_PTX, TENON_ERROR_INVALID_ARGUMENT,
                "kind %d is not one of TENON_IMAGE_*", kind);
}

// Compiles with the first backend that can do so without a device.
Image compiled_for(const char* architecture, const char* source, uint64_t size, const tenon_program_options* given) {
  need(architecture, "architecture");
  need(source, "source");
  CompileRequest request = request_from(source, size, options_from(given, "options"));
  TENON_REQUIRE(request.architecture.empty(), TENON_ERROR_INVALID_ARGUMENT,
                "the options name the architecture \"%s\" and the call \"%s\": leave the one in the options empty",
                request.architecture.c_str(), architecture);
  request.architecture = architecture;
  for (const Backend& backend : backends())
    if (backend.compile) return compile_program(backend, std::move(request));
  fail(TENON_ERROR_UNSUPPORTED, "this library was built without CUDA, so it compiles only for this processor");
}

int32_t parameter_count(const Kernel& kernel) { return int32_t(kernel.parameters().size()); }

}  // namespace

tenon_parameter_info tenon::api::parameter_info(const Kernel& kernel, int32_t index) {
  const Parameter& parameter = need_parameter(kernel, index);
  tenon_parameter_info info{};
  info.kind = parameter.kind;
  info.dtype = parameter.dtype;
  info.read_only = parameter.read_only;
  info.size = parameter.size;
  info.alignment = parameter.alignment;
  info.element_size = parameter.element_size;
  return info;
}

int32_t tenon_program_create(tenon_device* device, const char* source, uint64_t size,
                             const tenon_program_options* given, tenon_program** out_program) {
  return guard([&] {
    Out out(out_program, "out_program");
    Device& self = get(device, "device").device;
    need(source, "source");
    out.set(Program::create(self, request_from(source, size, options_from(given, "options"))));
  });
}
int32_t tenon_interrupt_set(tenon_interrupt_fn interrupt, void* user) {
  return guard([&] { set_interrupt(interrupt, user); });
}
int32_t tenon_program_log(const tenon_program* program, const char** out_text) {
  return guard([&] {
    const Program& self = get(program, "program");
    need(out_text, "out_text") = self.image().log.c_str();
  });
}
int32_t tenon_program_image(const tenon_program* program, int32_t kind, tenon_blob** out_image) {
  return guard([&] {
    Out out(out_image, "out_image");
    const Program& self = get(program, "program");
    check_image_kind(kind);
    const std::string& bytes = kind == TENON_IMAGE_PTX ? self.image().ptx : self.image().binary;
    TENON_REQUIRE(kind != TENON_IMAGE_PTX || !bytes.empty(), TENON_ERROR_UNSUPPORTED, "a program for %s has no PTX",
                  self.device().name().c_str());
    out.set(make<Blob>(bytes));
  });
}
int32_t tenon_program_kernel(tenon_program* program, const char* name, tenon_kernel** out_kernel) {
  return guard([&] {
    Out out(out_kernel, "out_kernel");
    Program& self = get(program, "program");
    out.set(self.kernel(&need(name, "name")));
  });
}
int32_t tenon_program_global(tenon_program* program, const char* name, tenon_array** out_array) {
  return guard([&] {
    Out out(out_array, "out_array");
    Program& self = get(program, "program");
    out.set(self.global(&need(name, "name")));
  });
}
int32_t tenon_program_compile(const char* architecture, const char* source, uint64_t size,
                              const tenon_program_options* given, int32_t kind, tenon_blob** out_image,
                              tenon_blob** out_log) {
  return guard([&] {
    if (out_image) *out_image = nullptr;
    Out log(out_log, "out_log");
    check_image_kind(kind);
    Image made = compiled_for(architecture, source, size, given);
    log.set(make<Blob>(std::move(made.log)));
    if (!out_image) return;
    try {
      Out(out_image, "out_image")
          .set(make<Blob>(kind == TENON_IMAGE_PTX ? std::move(made.ptx) : std::move(made.binary)));
    } catch (...) {  // all or none
      release(std::exchange(*out_log, nullptr));
      throw;
    }
  });
}
int32_t tenon_program_device(const tenon_program* program, tenon_device** out_device) {
  return give_device(out_device, [&]() -> Device& { return get(program, "program").device(); });
}
int32_t tenon_program_retain(const tenon_program* program) { return retain(program); }
void tenon_program_release(tenon_program* program) { release(program); }

int32_t tenon_kernel_parameter_count(const tenon_kernel* kernel, int32_t* out_count) {
  return guard([&] {
    const Kernel& self = get(kernel, "kernel");
    need(out_count, "out_count") = int32_t(self.parameters().size());
  });
}
int32_t tenon_kernel_get_parameter_info(const tenon_kernel* kernel, int32_t index, tenon_parameter_info* out_info) {
  return guard([&] { info_to(out_info, parameter_info(get(kernel, "kernel"), index), "out_info"); });
}
int32_t tenon_kernel_parameter_name(const tenon_kernel* kernel, int32_t index, const char** out_name) {
  return guard([&] {
    const Kernel& self = get(kernel, "kernel");
    need(out_name, "out_name");
    need_parameter(self, index);
    *out_name = self.parameter_name(size_t(index)).c_str();
  });
}
int32_t tenon_kernel_name(const tenon_kernel* kernel, const char** out_name) {
  return guard([&] {
    const Kernel& self = get(kernel, "kernel");
    need(out_name, "out_name") = self.name().c_str();
  });
}
int32_t tenon_kernel_get_info(tenon_kernel* kernel, tenon_kernel_info* out_info) {
  return guard([&] {
    Kernel& self = get(kernel, "kernel");
    need(out_info, "out_info");
    info_to(out_info, self.described(), "out_info");
  });
}
int32_t tenon_kernel_prefer_shared(tenon_kernel* kernel, int32_t percent) {
  return guard([&] {
    Kernel& self = get(kernel, "kernel");
    TENON_REQUIRE(percent >= -1 && percent <= 100, TENON_ERROR_INVALID_ARGUMENT,
                  "percent is %d: it must be from 0 to 100, or -1 for the device's choice", percent);
    self.prefer_shared(percent);
  });
}
int32_t tenon_kernel_program(const tenon_kernel* kernel, tenon_program** out_program) {
  return guard([&] {
    Out out(out_program, "out_program");
    out.set(Ref<Program>(&get(kernel, "kernel").program()));
  });
}
int32_t tenon_kernel_device(const tenon_kernel* kernel, tenon_device** out_device) {
  return give_device(out_device, [&]() -> Device& { return get(kernel, "kernel").device(); });
}
int32_t tenon_kernel_retain(const tenon_kernel* kernel) { return retain(kernel); }
void tenon_kernel_release(tenon_kernel* kernel) { release(kernel); }

int32_t tenon_kernel_launch(tenon_kernel* kernel, const tenon_launch* launch, const tenon_arg* args, int32_t count,
                            tenon_stream* stream) {
  return guard([&] {
    Kernel& self = get(kernel, "kernel");
    if (const int32_t status = lost(self.device())) return status;
    need(launch, "launch");
    // Before the stream: without one, the arrays determine the stream of the launch.
    const CallArguments given(args, count, parameter_count(self));
    Stream& on = stream_or_default(get_or_null(stream, "stream"), self.device());
    self.launch(geometry_from(launch), given.data(), given.count(), on);
    return TENON_OK;
  });
}

int32_t tenon_kernel_occupancy(tenon_kernel* kernel, uint32_t block_threads, uint64_t shared_bytes,
                               int32_t* out_blocks_per_multiprocessor) {
  return guard([&] {
    Kernel& self = get(kernel, "kernel");
    need(out_blocks_per_multiprocessor, "out_blocks_per_multiprocessor") = self.occupancy(block_threads, shared_bytes);
  });
}
int32_t tenon_kernel_suggest(tenon_kernel* kernel, uint64_t shared_bytes, uint32_t* out_block, uint32_t* out_min_grid) {
  return guard([&] {
    Kernel& self = get(kernel, "kernel");
    need(out_block, "out_block");
    need(out_min_grid, "out_min_grid");
    self.suggest(shared_bytes, *out_block, *out_min_grid);
  });
}
int32_t tenon_launch_for(tenon_kernel* kernel, uint64_t count, tenon_launch* launch) {
  return guard([&] {
    Kernel& self = get(kernel, "kernel");
    need(launch, "launch");
    tenon_launch filled = options_from(launch, "launch");
    Geometry geometry = geometry_from(launch);
    self.geometry_for(count, geometry);
    std::copy_n(geometry.grid, 3, filled.grid);
    std::copy_n(geometry.block, 3, filled.block);
    info_to(launch, filled, "launch");
  });
}
int32_t tenon_kernel_time(tenon_kernel* kernel, const tenon_launch* launch, const tenon_arg* args, int32_t count,
                          tenon_stream* stream, double* out_seconds) {
  return guard([&] {
    Kernel& self = get(kernel, "kernel");
    if (const int32_t status = lost(self.device())) return status;
    need(launch, "launch");
    need(out_seconds, "out_seconds");
    const CallArguments given(args, count, parameter_count(self));
    Stream& on = stream_or_default(get_or_null(stream, "stream"), self.device());
    *out_seconds = 1e-3 * self.time(geometry_from(launch), given.data(), given.count(), on);
    return TENON_OK;
  });
}

int32_t tenon_call_create(tenon_kernel* kernel, const tenon_launch* launch, const tenon_arg* args, int32_t count,
                          tenon_call** out_call) {
  return guard([&] {
    Out out(out_call, "out_call");
    Kernel& self = get(kernel, "kernel");
    need(launch, "launch");
    const CallArguments given(args, count, parameter_count(self));
    out.set(Call::create(Ref<Kernel>(&self), geometry_from(launch), given.data(), given.count()));
  });
}
int32_t tenon_call_set(tenon_call* call, int32_t index, const tenon_arg* arg) {
  return guard([&] {
    BoundCall& self = get(call, "call");
    self.set(index, *CallArguments(&need(arg, "arg"), 1, 1).data());
  });
}
int32_t tenon_call_set_args(tenon_call* call, const tenon_arg* args, int32_t count) {
  return guard([&] {
    BoundCall& self = get(call, "call");
    const CallArguments given(args, count, self.parameter_count());
    self.set_all(given.data(), given.count());
  });
}
int32_t tenon_call_set_launch(tenon_call* call, const tenon_launch* launch) {
  return guard([&] {
    BoundCall& self = get(call, "call");
    need(launch, "launch");
    self.set_launch(geometry_from(launch));
  });
}
int32_t tenon_call_launch(tenon_call* call, tenon_stream* stream) {
  return guard([&] {
    BoundCall& self = get(call, "call");
    if (const int32_t status = lost(self.device())) return status;
    self.open();
    self.launch(stream_or_default(get_or_null(stream, "stream"), self.device()));
    return TENON_OK;
  });
}
int32_t tenon_call_clone(const tenon_call* call, tenon_call** out_call) {
  return guard([&] {
    Out out(out_call, "out_call");
    out.set(get(call, "call").clone());
  });
}
int32_t tenon_call_kernel(const tenon_call* call, tenon_kernel** out_kernel) {
  return guard([&] {
    Out out(out_kernel, "out_kernel");
    const auto* self = dynamic_cast<const Call*>(&get(call, "call"));
    TENON_REQUIRE(self, TENON_ERROR_INVALID_ARGUMENT,
                  "the call is of an operation: only a call made by tenon_call_create has a kernel");
    out.set(Ref<Kernel>(&self->kernel()));
  });
}
int32_t tenon_call_retain(const tenon_call* call) { return retain(call); }
void tenon_call_release(tenon_call* call) { release(call); }
