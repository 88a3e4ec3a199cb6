// api/program.cpp: programs out of several inputs, programs compiled in the background.
#include "api/guard.hpp"
#include "api/request.hpp"

using namespace tenon;
using namespace tenon::api;

int32_t tenon_program_link(tenon_device* device, const tenon_program_input* inputs, int32_t count,
                           const tenon_program_options* given, tenon_program** out_program) {
  return guard([&] {
    Out out(out_program, "out_program");
    Device& self = get(device, "device").device;
    out.set(Program::create(self, request_from(inputs, count, options_from(given, "options"))));
  });
}

int32_t tenon_compilation_start(tenon_device* device, const char* source, uint64_t size,
                                const tenon_program_options* given, tenon_compilation** out_compilation) {
  return guard([&] {
    Out out(out_compilation, "out_compilation");
    Device& self = get(device, "device").device;
    need(source, "source");
    out.set(Compilation::start(self, request_from(source, size, options_from(given, "options"))));
  });
}
int32_t tenon_compilation_link(tenon_device* device, const tenon_program_input* inputs, int32_t count,
                               const tenon_program_options* given, tenon_compilation** out_compilation) {
  return guard([&] {
    Out out(out_compilation, "out_compilation");
    Device& self = get(device, "device").device;
    out.set(Compilation::start(self, request_from(inputs, count, options_from(given, "options"))));
  });
}
int32_t tenon_compilation_query(tenon_compilation* compilation) {
  return guard([&] { return get(compilation, "compilation").over() ? TENON_OK : TENON_ERROR_NOT_READY; });
}
int32_t tenon_compilation_wait(tenon_compilation* compilation, double seconds, tenon_program** out_program) {
  return guard([&] {
    Out out(out_program, "out_program");
    Compilation& self = get(compilation, "compilation");
    TENON_REQUIRE(seconds == seconds, TENON_ERROR_INVALID_ARGUMENT, "seconds is not a number");
    out.set(self.wait(seconds));
  });
}
int32_t tenon_compilation_cancel(tenon_compilation* compilation) {
  return guard([&] { get(compilation, "compilation").cancel(); });
}
int32_t tenon_compilation_retain(const tenon_compilation* compilation) { return retain(compilation); }
void tenon_compilation_release(tenon_compilation* compilation) { release(compilation); }
