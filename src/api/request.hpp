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

constexpr uint64_t kLargestInput = uint64_t(1) << 30;

// Everything except the sources.
inline CompileRequest request_from(const tenon_program_options& options) {
  CompileRequest request;
  request.name = options.name ? options.name : "";
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

inline CompileRequest request_from(const char* source, uint64_t size, const tenon_program_options& options) {
  TENON_REQUIRE(source || size == 0, TENON_ERROR_INVALID_ARGUMENT, "source is NULL");
  TENON_REQUIRE(size < kLargestInput, TENON_ERROR_OVERFLOW, "the source has %llu bytes: at most 2^30 are allowed",
                static_cast<unsigned long long>(size));
  TENON_REQUIRE(!size || !std::memchr(source, 0, size), TENON_ERROR_INVALID_ARGUMENT,
                "the source has a NUL byte: is size its length?");
  CompileRequest request = request_from(options);
  request.source.assign(source ? source : "", size);
  return request;
}

inline CompileRequest request_from(const tenon_program_input* inputs, int32_t count,
                                   const tenon_program_options& options) {
  CompileRequest request = request_from(options);
  need_list(inputs, count, "inputs");
  for (const tenon_program_input& given : structs_from(inputs, count, "inputs")) {
    const size_t index = request.inputs.size();
    TENON_REQUIRE(given.data || given.size == 0, TENON_ERROR_INVALID_ARGUMENT, "the data of inputs[%zu] is NULL",
                  index);
    TENON_REQUIRE(given.size < kLargestInput, TENON_ERROR_OVERFLOW,
                  "inputs[%zu] has %llu bytes: at most 2^30 are allowed", index,
                  static_cast<unsigned long long>(given.size));
    ProgramInput input;
    input.kind = given.kind;
    input.name = given.name ? given.name : "input " + std::to_string(index);
    input.data.assign(static_cast<const char*>(given.data), given.size);
    request.inputs.push_back(std::move(input));
  }
  TENON_REQUIRE(!request.inputs.empty(), TENON_ERROR_INVALID_ARGUMENT,
                "no input was given: a program needs at least one");
  return request;
}

}  // namespace tenon::api
