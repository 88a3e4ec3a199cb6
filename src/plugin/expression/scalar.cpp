// plugin/expression/scalar.cpp: conversions between tagged scalars and numbers.
#include "plugin/expression/scalar.hpp"
#include <cmath>
#include <cstring>
#include <limits>
#include "base/half.hpp"
#include "core/error.hpp"
#include "kernel/generate/generate.hpp"

namespace tenon::plugin {

std::string Subject::text() const {
  std::string out(before);
  out += name;
  if (!owner.empty()) (out += " of ") += owner;
  return out;
}

std::string kind_of_argument(const CallArgument& arg) {
  switch (arg.kind) {
    case 0: return "left out";
    case TENON_ARG_ARRAY: return "an array";
    case TENON_ARG_SCALAR: return "a scalar of " + dtype_name(arg.dtype);
    case TENON_ARG_POINTER: return "a raw pointer";
    case TENON_ARG_BYTES: return std::to_string(arg.size) + " bytes";
    case TENON_ARG_STRIDED: return "a strided array";
    case TENON_ARG_TEXTURE: return "a texture";
    case TENON_ARG_SURFACE: return "a surface";
    default: return "of the unknown kind " + std::to_string(arg.kind);
  }
}

Number number_of(const CallArgument& arg, bool real, const Subject& what) {
  Number out{0};
  double value = 0;
  switch (arg.dtype) {
    case TENON_FLOAT16: value = base::half_to_float(arg.value.u16); break;
    case TENON_BFLOAT16: value = base::bfloat_to_float(arg.value.u16); break;
    case TENON_FLOAT32: value = arg.value.f32; break;
    case TENON_FLOAT64: value = arg.value.f64; break;
    case TENON_COMPLEX64:
    case TENON_COMPLEX128: value = std::numeric_limits<double>::quiet_NaN(); break;
    case TENON_BOOL:
    case TENON_UINT8: out.i = arg.value.u8; break;
    case TENON_INT8: out.i = arg.value.i8; break;
    case TENON_INT16: out.i = arg.value.i16; break;
    case TENON_UINT16: out.i = arg.value.u16; break;
    case TENON_INT32: out.i = arg.value.i32; break;
    case TENON_UINT32: out.i = arg.value.u32; break;
    case TENON_INT64: out.i = arg.value.i64; break;
    case TENON_UINT64:
      if (!real && arg.value.u64 > uint64_t(INT64_MAX))
        fail(TENON_ERROR_OVERFLOW, "%s is %llu: expressions support only integers below 2^63", what.text().c_str(),
             static_cast<unsigned long long>(arg.value.u64));
      out.i = int64_t(arg.value.u64);
      if (real) value = double(arg.value.u64);
      break;
    default: break;
  }
  if (!real) return out;
  const bool floating = dtype_floating(arg.dtype) || dtype_complex(arg.dtype) || arg.dtype == TENON_UINT64;
  out.r = floating ? value : double(out.i);
  return out;
}

namespace {

template <class T> void put_integer(Number value, bool real, CallArgument& out, const Subject& what) {
  const double wide = value.r;
  int64_t whole = value.i;
  if (real) {
    if (!(wide >= -9223372036854775808.0 && wide < 9223372036854775808.0) || wide != std::floor(wide))
      fail(TENON_ERROR_OVERFLOW, "%s would be %g, which %s cannot hold", what.text().c_str(), wide,
           dtype_name(out.dtype).c_str());
    whole = int64_t(wide);
  }
  const bool fits = std::is_unsigned_v<T> ? whole >= 0 && uint64_t(whole) <= std::numeric_limits<T>::max()
                                          : whole >= int64_t(std::numeric_limits<T>::min()) &&
                                                whole <= int64_t(std::numeric_limits<T>::max());
  if (!fits)
    fail(TENON_ERROR_OVERFLOW, "%s would be %lld, which %s cannot hold", what.text().c_str(),
         static_cast<long long>(whole), dtype_name(out.dtype).c_str());
  const T narrow = T(whole);
  std::memcpy(&out.value, &narrow, sizeof narrow);
}

}  // namespace

CallArgument scalar_argument(Number value, bool real, Dtype dtype, const Subject& what) {
  CallArgument out{};
  out.kind = TENON_ARG_SCALAR;
  out.dtype = dtype;
  out.size = dtype_bytes(dtype);
  const double wide = real ? value.r : double(value.i);
  const auto finite = [&](double narrow) {
    if (std::isinf(narrow) && !std::isinf(wide))
      fail(TENON_ERROR_OVERFLOW, "%s would be %g, which %s cannot hold", what.text().c_str(), wide,
           dtype_name(dtype).c_str());
  };
  switch (dtype) {
    case TENON_FLOAT16:
      out.value.u16 = base::float_to_half(float(wide));
      finite(base::half_to_float(out.value.u16));
      break;
    case TENON_BFLOAT16:
      out.value.u16 = base::float_to_bfloat(float(wide));
      finite(base::bfloat_to_float(out.value.u16));
      break;
    case TENON_FLOAT32: finite(out.value.f32 = float(wide)); break;
    case TENON_FLOAT64: out.value.f64 = wide; break;
    case TENON_COMPLEX64: finite(out.value.c64[0] = float(wide)); break;
    case TENON_COMPLEX128: out.value.c128[0] = wide; break;
    case TENON_BOOL: out.value.u8 = real ? wide != 0 : value.i != 0; break;
    case TENON_INT8: put_integer<int8_t>(value, real, out, what); break;
    case TENON_INT16: put_integer<int16_t>(value, real, out, what); break;
    case TENON_INT32: put_integer<int32_t>(value, real, out, what); break;
    case TENON_INT64: put_integer<int64_t>(value, real, out, what); break;
    case TENON_UINT8: put_integer<uint8_t>(value, real, out, what); break;
    case TENON_UINT16: put_integer<uint16_t>(value, real, out, what); break;
    case TENON_UINT32: put_integer<uint32_t>(value, real, out, what); break;
    case TENON_UINT64: put_integer<uint64_t>(value, real, out, what); break;
    default: fail(TENON_ERROR_DTYPE, "%s cannot be a scalar of %s", what.text().c_str(), dtype_name(dtype).c_str());
  }
  return out;
}

const char* c_type(Dtype dtype) {
  switch (dtype) {
    case TENON_FLOAT16: return "__half";
    case TENON_BFLOAT16: return "__nv_bfloat16";
    case TENON_COMPLEX64: return "float2";
    case TENON_COMPLEX128: return "double2";
    default: {
      const char* name = generate::cuda_type(dtype);
      return name ? name : "void";
    }
  }
}

}  // namespace tenon::plugin
