// tenon/cxx/argument.hpp: C++ values as arguments of kernels and operations, with their dtypes known at compile time.
#ifndef TENON_CXX_ARGUMENT_HPP
#define TENON_CXX_ARGUMENT_HPP

#include <tenon/cxx/core.hpp>

#include <complex>

#if defined(__STDCPP_FLOAT16_T__) || defined(__STDCPP_BFLOAT16_T__)
#include <stdfloat>
#endif

namespace tenon {
inline namespace TENON_CXX_MODE {

// The 16 bits of a number, for programs whose compiler has no 16-bit floating-point type: tenon::half{0x3c00} is 1.
struct half {
  uint16_t bits;
};
struct bfloat16 {
  uint16_t bits;
};

template <tenon::dtype Value> struct dtype_constant {
  static constexpr tenon::dtype value = Value;
};

// The dtype of a C++ type. A program adds its own types by a specialisation:
//   template <> struct tenon::dtype_of<__half> : tenon::dtype_constant<tenon::dtype::float16> {};
template <class T, class = void> struct dtype_of {};

namespace detail {

template <class T> constexpr tenon::dtype integer_dtype() {
  constexpr uint32_t code = std::is_signed_v<T> ? 0 : 1;
  return static_cast<tenon::dtype>(TENON_DTYPE(code, 8 * sizeof(T), 1));
}

}  // namespace detail

template <> struct dtype_of<bool> : dtype_constant<tenon::dtype::bool_> {};
template <class T>
struct dtype_of<T, std::enable_if_t<std::is_integral_v<T> && !std::is_same_v<T, bool> && sizeof(T) <= 8>>
    : dtype_constant<detail::integer_dtype<T>()> {};
template <> struct dtype_of<float> : dtype_constant<tenon::dtype::float32> {};
template <> struct dtype_of<double> : dtype_constant<tenon::dtype::float64> {};
template <> struct dtype_of<std::complex<float>> : dtype_constant<tenon::dtype::complex64> {};
template <> struct dtype_of<std::complex<double>> : dtype_constant<tenon::dtype::complex128> {};
template <> struct dtype_of<half> : dtype_constant<tenon::dtype::float16> {};
template <> struct dtype_of<bfloat16> : dtype_constant<tenon::dtype::bfloat16> {};
#if defined(__STDCPP_FLOAT16_T__)
template <> struct dtype_of<std::float16_t> : dtype_constant<tenon::dtype::float16> {};
#elif defined(__FLT16_MANT_DIG__) && defined(__clang__)
template <> struct dtype_of<_Float16> : dtype_constant<tenon::dtype::float16> {};
#endif
#if defined(__STDCPP_BFLOAT16_T__)
template <> struct dtype_of<std::bfloat16_t> : dtype_constant<tenon::dtype::bfloat16> {};
#endif

namespace detail {

template <class T, class = void> struct has_dtype : std::false_type {};
template <class T> struct has_dtype<T, std::void_t<decltype(dtype_of<T>::value)>> : std::true_type {};

template <class T> inline constexpr bool is_array = std::is_base_of_v<handle<tenon_array>, T>;

template <class T> inline constexpr bool is_texture = std::is_base_of_v<handle<tenon_texture>, T>;

template <class T> tenon_arg scalar(const T& value) noexcept {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 16, "a scalar is a plain number of at most 16 bytes");
  tenon_arg made = tenon_arg_blank(TENON_ARG_SCALAR, static_cast<uint32_t>(dtype_of<T>::value), sizeof(T));
  std::memcpy(&made.value, &value, sizeof(T));
  return made;
}

// Converts a value to an argument. For a struct the argument holds its address: it must live until the call returns.
template <class T> tenon_arg argument(const T& value) noexcept {
  if constexpr (std::is_same_v<T, tenon_arg>) {
    return value;
  } else if constexpr (is_array<T>) {
    return tenon_arg_of_array(TENON_ARG_ARRAY, value.get());
  } else if constexpr (is_texture<T>) {
    return tenon_arg_of_texture(TENON_ARG_TEXTURE, value.get());
  } else if constexpr (has_dtype<T>::value) {
    return scalar(value);
  } else if constexpr (std::is_enum_v<T>) {
    return scalar(static_cast<std::underlying_type_t<T>>(value));
  } else {
    static_assert(!std::is_pointer_v<T>, "an address is handed over by tenon::pointer(p): nothing about it is checked");
    static_assert(std::is_class_v<T> && std::is_trivially_copyable_v<T>,
                  "an argument is an array, a texture, a number, an enum, or a plain struct");
    return tenon_arg_of_memory(TENON_ARG_BYTES, &value, sizeof(T));
  }
}

}  // namespace detail

// An argument: an array, a texture, a number of exactly this type, or a plain struct by value, which must outlive the
// argument.
template <class T> tenon_arg arg(const T& value) noexcept { return detail::argument(value); }
template <class T, class = std::enable_if_t<!std::is_reference_v<T> && !detail::has_dtype<T>::value &&
                                            !detail::is_array<T> && !detail::is_texture<T> && std::is_class_v<T>>>
tenon_arg arg(T&&) = delete;  // the argument would point at a destroyed temporary

// An array with any strides: the kernel gets the address of the element at index 0.
inline tenon_arg strided(ref<tenon_array> array) noexcept { return tenon_arg_of_array(TENON_ARG_STRIDED, array.get()); }
// A texture made with the option surface, for a parameter of type cudaSurfaceObject_t.
inline tenon_arg surface(ref<tenon_texture> texture) noexcept {
  return tenon_arg_of_texture(TENON_ARG_SURFACE, texture.get());
}
// A raw address, which Tenon neither checks nor orders.
inline tenon_arg pointer(const void* address) noexcept { return tenon_arg_of_memory(TENON_ARG_POINTER, address, 0); }
// For functions of arrays: a number that takes the dtype of the array operands.
template <class T, class = std::enable_if_t<std::is_integral_v<T>>> tenon_arg weak(T number) noexcept {
  if constexpr (std::is_same_v<T, bool>) return tenon_arg_weakened(TENON_BOOL_ARG(number));
  else if constexpr (std::is_signed_v<T>) return TENON_WEAK_I64_ARG(number);
  else return tenon_arg_weakened(TENON_U64_ARG(number));
}
inline tenon_arg weak(double number) noexcept { return TENON_WEAK_F64_ARG(number); }
inline tenon_arg weak(std::complex<double> number) noexcept {
  return tenon_arg_weakened(TENON_C128_ARG(number.real(), number.imag()));
}

// A number or an array as a parameter of functions that take either; empty where it may be left out.
class operand {
 public:
  operand() noexcept = default;
  operand(none_t) noexcept {}
  operand(const tenon_arg& value) noexcept : value_(value), given_(true) {}
  operand(const handle<tenon_array>& array) noexcept : operand(tenon_arg_of_array(TENON_ARG_ARRAY, array.get())) {}
  template <class T, class = std::enable_if_t<detail::has_dtype<T>::value>> operand(const T& number) noexcept
      : operand(detail::scalar(number)) {}
  const tenon_arg* get() const noexcept { return given_ ? &value_ : nullptr; }

 private:
  tenon_arg value_{};
  bool given_ = false;
};

}  // namespace TENON_CXX_MODE
}  // namespace tenon
#endif
