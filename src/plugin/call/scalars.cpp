// plugin/call/scalars.cpp: scalars and lists of a call, those that are given and those that are computed.
#include <cstring>
#include "plugin/call/frame.hpp"
#include "plugin/expression/code.hpp"
#include "plugin/expression/scalar.hpp"

namespace tenon::plugin {
namespace {

constexpr int64_t kMostListed = 1024;  // entries of a list that are given as one value

}  // namespace

void CallFrame::bind_scalar(size_t index, const CallArgument& arg) {
  const Declared& parameter = contract_.parameters[index];
  const Dtype dtype = parameter.type.in(*this);
  const bool real = !parameter.type.dtype || dtype_floating(parameter.type.dtype);
  if (arg.kind == 0) {
    if (!parameter.has_fallback)
      refuse(TENON_ERROR_INVALID_ARGUMENT, parameter, "has no default: pass a scalar of " + dtype_name(dtype));
    numbers[parameter.number] = parameter.fallback.run(*this);
    args_[index] = scalar_argument(numbers[parameter.number], real, dtype, place(parameter));
    return;
  }
  if (arg.kind != TENON_ARG_SCALAR)
    refuse(
        TENON_ERROR_INVALID_ARGUMENT, parameter,
        "must be a scalar, but the argument is " + kind_of_argument(arg) + ": pass a scalar of " + dtype_name(dtype));
  if (arg.dtype != dtype)
    refuse(TENON_ERROR_DTYPE, parameter, "is " + dtype_name(arg.dtype) + " but must be " + dtype_name(dtype));
  if (dtype == TENON_BOOL && arg.value.u8 > 1)
    refuse(TENON_ERROR_INVALID_ARGUMENT, parameter,
           "is a bool and must be 0 or 1, not " + std::to_string(arg.value.u8));
  args_[index] = arg;
  if (parameter.number < 0) return;
  // Seeds and hashes may exceed the integers of expressions; that is allowed if they are only passed to kernels.
  const bool large = !real && dtype == TENON_UINT64 && arg.value.u64 > uint64_t(INT64_MAX) && !parameter.computed;
  numbers[parameter.number] = large ? Number{INT64_MAX} : number_of(arg, real, place(parameter));
  if (!parameter.choices.empty() && (arg.value.i32 < 0 || size_t(arg.value.i32) >= parameter.choices.size())) {
    std::string list;
    for (size_t i = 0; i < parameter.choices.size(); ++i)
      list += (i ? ", " : "") + std::to_string(i) + " (" + parameter.choices[i] + ")";
    refuse(TENON_ERROR_INVALID_ARGUMENT, parameter,
           "is " + std::to_string(arg.value.i32) + ", but the choices are " + list);
  }
}

void CallFrame::bind_list(size_t index, const CallArgument& arg) {
  const Declared& parameter = contract_.parameters[index];
  if (arg.kind == 0) return default_list(index);
  const uint32_t item = dtype_bytes(parameter.type.dtype);
  if (arg.kind != TENON_ARG_BYTES)
    refuse(TENON_ERROR_INVALID_ARGUMENT, parameter,
           "must be a list of " + dtype_name(parameter.type.dtype) + ", but the argument is " + kind_of_argument(arg) +
               ": pass the bytes of its numbers");
  if (arg.size % item)
    refuse(TENON_ERROR_INVALID_ARGUMENT, parameter,
           "is a list of " + dtype_name(parameter.type.dtype) + ", but " + std::to_string(arg.size) +
               " bytes are not a whole number of them");
  if (arg.size && !arg.value.bytes) refuse(TENON_ERROR_INVALID_ARGUMENT, parameter, "is NULL");
  args_[index] = arg;
  const int64_t count = int64_t(arg.size / item);
  const ExtentRule& extent = parameter.shape.extents[0];
  const int64_t wanted = extent.kind == ExtentRule::Kind::value ? extent.value.integer(*this) : count;
  if (count == 1 && wanted != 1 && wanted <= kMostListed) return fill_list(index, arg.value.bytes, wanted);
  lists[parameter.list] = {arg.value.bytes, count, parameter.type.dtype};
  bind_shape(parameter, &count, 1);
}

// One value for every entry of a list whose length is another extent.
void CallFrame::default_list(size_t index) {
  const Declared& parameter = contract_.parameters[index];
  const ExtentRule& extent = parameter.shape.extents[0];
  if (!parameter.has_fallback || extent.kind != ExtentRule::Kind::value)
    refuse(TENON_ERROR_INVALID_ARGUMENT, parameter, "has no default: pass the bytes of its numbers");
  const int64_t count = extent.value.integer(*this);
  if (count < 0 || count > kMostListed)
    refuse(TENON_ERROR_INVALID_ARGUMENT, parameter,
           "would have " + std::to_string(count) + " entries by default: pass the bytes of its numbers");
  const CallArgument one = scalar_argument(parameter.fallback.run(*this), dtype_floating(parameter.type.dtype),
                                           parameter.type.dtype, place(parameter));
  fill_list(index, &one.value, count);
}

void CallFrame::fill_list(size_t index, const void* value, int64_t count) {
  const Declared& parameter = contract_.parameters[index];
  const uint32_t item = dtype_bytes(parameter.type.dtype);
  char* const bytes = reinterpret_cast<char*>(room(int32_t((count * item + 7) / 8)));
  for (int64_t i = 0; i < count; ++i) std::memcpy(bytes + i * item, value, item);
  lists[parameter.list] = {bytes, count, parameter.type.dtype};
  args_[index] = CallArgument::of_memory(TENON_ARG_BYTES, bytes, uint64_t(count) * item);
}

void CallFrame::compute_list(const Let& let) {
  const int64_t count = let.count.integer(*this);
  if (count < 0 || count > kMostRepeated)
    fail(TENON_ERROR_INVALID_ARGUMENT, "%s: the list %s would have %lld entries, but at most %lld are possible",
         operation_.title().c_str(), let.name.c_str(), static_cast<long long>(count),
         static_cast<long long>(kMostRepeated));
  const Dtype dtype = let.type.in(*this);
  const uint32_t item = dtype_bytes(dtype);
  const bool real = let.value.kind() == Expression::Kind::real;
  char* const bytes = reinterpret_cast<char*>(room(int32_t((count * item + 7) / 8)));
  for (int64_t k = 0; k < count; ++k) {
    numbers[let.number].i = k;
    const CallArgument one = scalar_argument(let.value.run(*this), real, dtype, let.name);
    std::memcpy(bytes + k * item, &one.value, item);
  }
  lists[let.list] = {bytes, count, dtype};
}

}  // namespace tenon::plugin
