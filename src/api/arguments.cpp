// api/arguments.cpp: opening and handing out what arguments hold.
#include "api/arguments.hpp"

namespace tenon::api {

void CallArguments::refuse(const tenon_array* handle, CallArgument& out) {
  try {
    out.array = &get(handle, "the array");
  } catch (const Error& error) {
    refused_.push_front(error);
    out.value.refused = &refused_.front();
  }
}

void CallArguments::take_texture(const tenon_texture* handle, CallArgument& out) {
  try {
    out.value.texture = &get(handle, "the texture");
    out.size = 1;
  } catch (const Error& error) {
    refused_.push_front(error);
    out.value.refused = &refused_.front();
    out.size = 0;
  }
}

HostArguments::HostArguments(const CallArgument* args, int32_t count) {
  if (count > kHere) many_ = std::make_unique<tenon_arg[]>(size_t(count));
  tenon_arg* const to = many_ ? many_.get() : here_;
  try {
    for (; count_ < count; ++count_) {
      const CallArgument& from = args[count_];
      tenon_arg& arg = to[count_];
      arg = {from.kind, from.dtype, from.size, {}};
      if (from.is_array()) Out(&arg.value.array, "the array").set(Ref<Array>(from.array));
      else std::memcpy(&arg.value, &from.value, sizeof arg.value);
    }
  } catch (...) {
    release();
    throw;
  }
}

HostArguments::~HostArguments() { release(); }

void HostArguments::release() noexcept {
  for (const tenon_arg& arg : std::span(data(), size_t(count_)))
    if (arg.kind == TENON_ARG_ARRAY || arg.kind == TENON_ARG_STRIDED) api::release(arg.value.array);
}

Geometry geometry_from(const tenon_launch* launch) {
  const tenon_launch given = options_from(launch, "launch");
  Geometry out;
  for (int i = 0; i < 3; ++i) {
    out.grid[i] = given.grid[i];
    out.block[i] = given.block[i];
    out.cluster[i] = given.cluster[i];
  }
  out.shared_bytes = given.shared_bytes;
  out.flags = given.flags;
  return out;
}

Scalar scalar_from(const tenon_arg& arg, const char* what) {
  TENON_REQUIRE(arg.kind == TENON_ARG_SCALAR, TENON_ERROR_INVALID_ARGUMENT,
                "%s has kind %u: a number has kind TENON_ARG_SCALAR (2), which macros such as TENON_F64_ARG set", what,
                arg.kind);
  TENON_REQUIRE(dtype_valid(arg.dtype) && dtype_bytes(arg.dtype) > 0 && dtype_bytes(arg.dtype) <= 16, TENON_ERROR_DTYPE,
                "%s has dtype 0x%08x, which is not a scalar's dtype", what, arg.dtype);
  TENON_REQUIRE(arg.size == 0 || arg.size == dtype_bytes(arg.dtype), TENON_ERROR_INVALID_ARGUMENT,
                "%s has size %llu, but a %s has %u bytes", what, static_cast<unsigned long long>(arg.size),
                dtype_name(arg.dtype).c_str(), dtype_bytes(arg.dtype));
  Scalar out{arg.dtype, {}};
  std::memcpy(out.bytes, &arg.value, dtype_bytes(arg.dtype));
  TENON_REQUIRE(arg.dtype != TENON_BOOL || out.bytes[0] <= 1, TENON_ERROR_INVALID_ARGUMENT,
                "%s is a bool of value %u: it must be 0 or 1", what, out.bytes[0]);
  return out;
}

}  // namespace tenon::api
