// api/request.hpp: what the options of a program ask for.
#pragma once
#include "api/guard.hpp"

namespace tenon::api {

inline std::vector<std::string> texts(const char* const* list, int32_t count, const char* what) {
  std::vector<std::string> out;
  for (const char* text : need_list(list, count, what)) {
    TENON_REQUIRE(text, TENON_ERROR_INVALID_ARGUMENT, "%s[%zu] is NULL", what, out.size());
    out.emplace_back(text);
  }
  return out;
}

inline CompileRequest request_from(const char* source, uint64_t size, const tenon_program_options& options) {
  TENON_REQUIRE(source || size == 0, TENON_ERROR_INVALID_ARGUMENT, "source is NULL");
  TENON_REQUIRE(size < (uint64_t(1) << 30), TENON_ERROR_OVERFLOW, "the source has %llu bytes: at most 2^30 are possible",
                static_cast<unsigned long long>(size));
  TENON_REQUIRE(!size || !std::memchr(source, 0, size), TENON_ERROR_INVALID_ARGUMENT, "the source has a NUL byte: is size its length?");
  CompileRequest request;
  request.source.assign(source ? source : "", size);
  request.name = options.name ? options.name : "kernel.cu";
  request.kernels = texts(options.kernels, options.kernel_count, "kernels");
  request.globals = texts(options.globals, options.global_count, "globals");
  request.options = texts(options.options, options.option_count, "options");
  std::vector<std::string> names = texts(options.header_names, options.header_count, "header_names");
  std::vector<std::string> sources = texts(options.header_sources, options.header_count, "header_sources");
  for (size_t i = 0; i < names.size(); ++i) request.headers.push_back({std::move(names[i]), std::move(sources[i])});
  request.mode = options.mode;
  request.flags = options.flags;
  request.time_limit = options.time_limit;
  if (options.architecture) request.architecture = options.architecture;
  return request;
}

}  // namespace tenon::api
