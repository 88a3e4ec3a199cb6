// core/device/request.cpp: one source of a linked program, as a separate request.
#include "core/device/backend.hpp"

namespace tenon {

CompileRequest CompileRequest::unit(size_t index) const {
  const ProgramInput& input = inputs[index];
  CompileRequest out;
  out.source = input.data;
  out.name = input.name;
  out.trailer = input.trailer;
  out.headers = headers;
  for (const size_t kernel : input.kernels) out.kernels.push_back(kernels[kernel]);
  for (const size_t variable : input.globals) out.globals.push_back(globals[variable]);
  out.options = options;
  out.mode = mode;
  out.flags = flags;
  out.architecture = architecture;
  out.time_limit = time_limit;
  out.control = control;
  return out;
}

}  // namespace tenon
