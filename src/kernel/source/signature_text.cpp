// kernel/source/signature_text.cpp: the C++ text that makes a compiler write down what it knows of a kernel's
// parameters.
//
// It follows the user's text in every program, so it must work after any of it: C++11 to C++20, NVRTC, clang and g++,
// with no header and with whatever macros the user defined. Hence: every name starts with tenon_ (users define N, T,
// size ...), the few others are undefined first (nothing follows that could miss them), types that a header may define
// are only declared, and constants are enumerators or constexpr functions, because a static constexpr member becomes a
// device variable under NVRTC. The layout is read by signature.cpp.
#include "kernel/source/signature.hpp"

namespace tenon {

const char* const kSignatureText = R"tenon(
#line 1 "tenon signatures"
#if defined(__CUDACC_RTC__)
#pragma nv_diag_suppress 1444
#endif
#undef x
#undef y
#undef z
#undef w
#undef real
#undef imag
struct __half;
struct __nv_bfloat16;
struct __nv_fp8_e4m3;
struct __nv_fp8_e5m2;
struct __nv_fp8_e8m0;
namespace tenon_signature {
struct tenon_parameter {
  unsigned tenon_kind, tenon_dtype, tenon_flags, tenon_size, tenon_alignment, tenon_element_size, tenon_element_alignment,
      tenon_reserved;
};
template <unsigned tenon_N> struct tenon_table {
  unsigned long long tenon_magic;
  unsigned tenon_version, tenon_count;
  tenon_parameter tenon_parameters[tenon_N];
};

template <class tenon_T> struct tenon_void { typedef void tenon_type; };
template <decltype(sizeof(0))> struct tenon_void_of { typedef void tenon_type; };
template <class tenon_A, class tenon_B> struct tenon_same { enum : bool { tenon_value = false }; };
template <class tenon_A> struct tenon_same<tenon_A, tenon_A> { enum : bool { tenon_value = true }; };

template <class tenon_T> struct tenon_plain { typedef tenon_T tenon_type; enum : unsigned { tenon_const = 0 }; };
template <class tenon_T> struct tenon_plain<const tenon_T> { typedef tenon_T tenon_type; enum : unsigned { tenon_const = 1 }; };
template <class tenon_T> struct tenon_plain<volatile tenon_T> { typedef tenon_T tenon_type; enum : unsigned { tenon_const = 0 }; };
template <class tenon_T> struct tenon_plain<const volatile tenon_T> { typedef tenon_T tenon_type; enum : unsigned { tenon_const = 1 }; };

template <class tenon_T, class = void> struct tenon_layout { enum : unsigned { tenon_size = 0, tenon_alignment = 1 }; };
template <class tenon_T> struct tenon_layout<tenon_T, typename tenon_void_of<sizeof(tenon_T)>::tenon_type> {
  enum : unsigned { tenon_size = unsigned(sizeof(tenon_T)), tenon_alignment = unsigned(alignof(tenon_T)) };
};
template <> struct tenon_layout<void, void> { enum : unsigned { tenon_size = 0, tenon_alignment = 1 }; };
template <class tenon_R, class... tenon_P> struct tenon_layout<tenon_R(tenon_P...), void> {
  enum : unsigned { tenon_size = 0, tenon_alignment = 1 };
};

template <unsigned tenon_D> struct tenon_is { enum : unsigned { tenon_dtype = tenon_D }; };
template <unsigned tenon_C, class tenon_T> struct tenon_number : tenon_is<tenon_C | unsigned(sizeof(tenon_T)) << 11 | 0x10000u> {};
template <class tenon_T> struct tenon_basic : tenon_is<0> {};
template <> struct tenon_basic<bool> : tenon_number<6, bool> {};
template <> struct tenon_basic<char> : tenon_number<0, char> {};
template <> struct tenon_basic<signed char> : tenon_number<0, signed char> {};
template <> struct tenon_basic<short> : tenon_number<0, short> {};
template <> struct tenon_basic<int> : tenon_number<0, int> {};
template <> struct tenon_basic<long> : tenon_number<0, long> {};
template <> struct tenon_basic<long long> : tenon_number<0, long long> {};
template <> struct tenon_basic<unsigned char> : tenon_number<1, unsigned char> {};
template <> struct tenon_basic<unsigned short> : tenon_number<1, unsigned short> {};
template <> struct tenon_basic<unsigned> : tenon_number<1, unsigned> {};
template <> struct tenon_basic<unsigned long> : tenon_number<1, unsigned long> {};
template <> struct tenon_basic<unsigned long long> : tenon_number<1, unsigned long long> {};
template <> struct tenon_basic<wchar_t> : tenon_number<0, wchar_t> {};
template <> struct tenon_basic<char16_t> : tenon_number<1, char16_t> {};
template <> struct tenon_basic<char32_t> : tenon_number<1, char32_t> {};
template <> struct tenon_basic<float> : tenon_number<2, float> {};
template <> struct tenon_basic<double> : tenon_number<2, double> {};
template <> struct tenon_basic< ::__half> : tenon_is<0x11002u> {};
template <> struct tenon_basic< ::__nv_bfloat16> : tenon_is<0x11004u> {};
template <> struct tenon_basic< ::__nv_fp8_e4m3> : tenon_is<0x1080au> {};
template <> struct tenon_basic< ::__nv_fp8_e5m2> : tenon_is<0x1080cu> {};
template <> struct tenon_basic< ::__nv_fp8_e8m0> : tenon_is<0x1080eu> {};

template <class tenon_T, bool> struct tenon_enum : tenon_basic<tenon_T> {};
template <class tenon_T> struct tenon_enum<tenon_T, true> : tenon_basic<__underlying_type(tenon_T)> {};
template <class tenon_T> struct tenon_scalar : tenon_enum<tenon_T, __is_enum(tenon_T)> {};

struct tenon_absent;
template <class tenon_T, class = void> struct tenon_x { typedef tenon_absent tenon_type; };
template <class tenon_T> struct tenon_x<tenon_T, typename tenon_void<decltype(tenon_T::x)>::tenon_type> { typedef decltype(tenon_T::x) tenon_type; };
template <class tenon_T, class = void> struct tenon_y { typedef void tenon_type; };
template <class tenon_T> struct tenon_y<tenon_T, typename tenon_void<decltype(tenon_T::y)>::tenon_type> { typedef decltype(tenon_T::y) tenon_type; };
template <class tenon_T, class = void> struct tenon_z { typedef void tenon_type; };
template <class tenon_T> struct tenon_z<tenon_T, typename tenon_void<decltype(tenon_T::z)>::tenon_type> { typedef decltype(tenon_T::z) tenon_type; };
template <class tenon_T, class = void> struct tenon_w { typedef void tenon_type; };
template <class tenon_T> struct tenon_w<tenon_T, typename tenon_void<decltype(tenon_T::w)>::tenon_type> { typedef decltype(tenon_T::w) tenon_type; };
template <class tenon_T> __device__ tenon_T& tenon_make();
template <class tenon_T, class = void> struct tenon_real { typedef tenon_absent tenon_type; };
template <class tenon_T> struct tenon_real<tenon_T, typename tenon_void<decltype(tenon_make<tenon_T>().real() + tenon_make<tenon_T>().imag())>::tenon_type> {
  typedef decltype(tenon_make<tenon_T>().real() + tenon_make<tenon_T>().imag()) tenon_type;
};

template <class tenon_T> struct tenon_vector {
  typedef typename tenon_x<tenon_T>::tenon_type tenon_X;
  enum : bool { tenon_2 = bool(tenon_same<tenon_X, typename tenon_y<tenon_T>::tenon_type>::tenon_value) };
  enum : bool { tenon_3 = bool(tenon_2) && bool(tenon_same<tenon_X, typename tenon_z<tenon_T>::tenon_type>::tenon_value) };
  enum : bool { tenon_4 = bool(tenon_3) && bool(tenon_same<tenon_X, typename tenon_w<tenon_T>::tenon_type>::tenon_value) };
  enum : unsigned { tenon_lanes = tenon_4 ? 4u : tenon_3 ? 3u : tenon_2 ? 2u : 1u };
  enum : unsigned { tenon_lane = unsigned(tenon_basic<tenon_X>::tenon_dtype) };
  enum : bool { tenon_fits = unsigned(tenon_layout<tenon_T>::tenon_size) == unsigned(tenon_lanes) * unsigned(tenon_layout<tenon_X>::tenon_size) };
  enum : unsigned { tenon_dtype = unsigned(tenon_lane) != 0u && bool(tenon_fits) ? (unsigned(tenon_lane) & 0xffffu) | unsigned(tenon_lanes) << 16 : 0u };
};
template <class tenon_T> struct tenon_complex {
  typedef typename tenon_real<tenon_T>::tenon_type tenon_R;
  enum : unsigned { tenon_lane = unsigned(tenon_basic<tenon_R>::tenon_dtype) };
  enum : bool { tenon_fits = unsigned(tenon_layout<tenon_T>::tenon_size) == 2u * unsigned(tenon_layout<tenon_R>::tenon_size) };
  enum : unsigned { tenon_dtype = (unsigned(tenon_lane) & 0xffu) == 2u && bool(tenon_fits) ? (unsigned(tenon_lane) & 0xffffu) | 0x20000u : 0u };
};
template <class tenon_T> struct tenon_element {
  enum : unsigned { tenon_0 = unsigned(tenon_scalar<tenon_T>::tenon_dtype), tenon_1 = unsigned(tenon_vector<tenon_T>::tenon_dtype),
                    tenon_2 = unsigned(tenon_complex<tenon_T>::tenon_dtype) };
  enum : unsigned { tenon_dtype = unsigned(tenon_0) != 0u ? unsigned(tenon_0) : unsigned(tenon_1) != 0u ? unsigned(tenon_1) : unsigned(tenon_2) };
};
template <class tenon_T> struct tenon_element<tenon_T*> : tenon_number<1, tenon_T*> {};
template <class tenon_T, decltype(sizeof(0)) tenon_N> struct tenon_element<tenon_T[tenon_N]> : tenon_element<tenon_T> {};
template <> struct tenon_element<void> : tenon_is<0> {};
template <class tenon_R, class... tenon_P> struct tenon_element<tenon_R(tenon_P...)> : tenon_is<0> {};

template <class tenon_T> struct tenon_one {
  __device__ static constexpr tenon_parameter tenon_value() {
    return {unsigned(tenon_scalar<tenon_T>::tenon_dtype) != 0u ? 1u : 3u, unsigned(tenon_element<tenon_T>::tenon_dtype),
            __is_enum(tenon_T) ? 4u : 0u, unsigned(sizeof(tenon_T)), unsigned(alignof(tenon_T)), 0u, 0u, 0u};
  }
};
template <class tenon_T> struct tenon_one<tenon_T&> { __device__ static constexpr tenon_parameter tenon_value() { return {0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u}; } };
template <class tenon_T> struct tenon_one<tenon_T&&> { __device__ static constexpr tenon_parameter tenon_value() { return {0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u}; } };
template <class tenon_T> struct tenon_one<tenon_T*> {
  typedef typename tenon_plain<tenon_T>::tenon_type tenon_E;
  enum : bool { tenon_bytes = bool(tenon_same<tenon_E, void>::tenon_value) || bool(tenon_same<tenon_E, char>::tenon_value) ||
                              bool(tenon_same<tenon_E, unsigned char>::tenon_value) };
  __device__ static constexpr tenon_parameter tenon_value() {
    return {2u, unsigned(tenon_element<tenon_E>::tenon_dtype), unsigned(tenon_plain<tenon_T>::tenon_const) | (tenon_bytes ? 2u : 0u) | (__is_enum(tenon_E) ? 4u : 0u),
            unsigned(sizeof(tenon_T*)), unsigned(alignof(tenon_T*)), unsigned(tenon_layout<tenon_E>::tenon_size),
            unsigned(tenon_layout<tenon_E>::tenon_alignment), 0u};
  }
};

template <class tenon_F> struct tenon_of;
template <class tenon_R, class... tenon_P> struct tenon_of<tenon_R (*)(tenon_P...)> {
  typedef tenon_table<sizeof...(tenon_P) + 1> tenon_type;
  __device__ static constexpr tenon_type tenon_value() {
    return {0x314749534e4e4554ull, 1u, unsigned(sizeof...(tenon_P)), {tenon_one<tenon_P>::tenon_value()..., {0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u}}};
  }
};
#if defined(__cpp_noexcept_function_type)
template <class tenon_R, class... tenon_P> struct tenon_of<tenon_R (*)(tenon_P...) noexcept> : tenon_of<tenon_R (*)(tenon_P...)> {};
#endif
template <unsigned tenon_N> struct tenon_variable {
  unsigned long long tenon_magic;
  unsigned tenon_version, tenon_rank;
  unsigned long long tenon_bytes;
  unsigned tenon_dtype, tenon_flags, tenon_element_size, tenon_reserved;
  unsigned long long tenon_extents[tenon_N];
};
template <class tenon_T, unsigned long long... tenon_N> struct tenon_variable_of {
  typedef tenon_variable<sizeof...(tenon_N) + 1> tenon_type;
  typedef typename tenon_plain<tenon_T>::tenon_type tenon_E;
  __device__ static constexpr unsigned long long tenon_all(unsigned long long tenon_n) { return tenon_n; }
  template <class... tenon_P> __device__ static constexpr unsigned long long tenon_all(unsigned long long tenon_n, unsigned long long tenon_m, tenon_P... tenon_p) {
    return tenon_all(tenon_n * tenon_m, tenon_p...);
  }
  __device__ static constexpr tenon_type tenon_value() {
    return {0x314749534e4e4554ull, 1u, unsigned(sizeof...(tenon_N)), tenon_all(sizeof(tenon_T), tenon_N...),
            unsigned(tenon_element<tenon_E>::tenon_dtype), unsigned(tenon_plain<tenon_T>::tenon_const), unsigned(sizeof(tenon_T)), 0u,
            {tenon_N..., 0ull}};
  }
};
template <class tenon_T, decltype(sizeof(0)) tenon_M, unsigned long long... tenon_N>
struct tenon_variable_of<tenon_T[tenon_M], tenon_N...> : tenon_variable_of<tenon_T, tenon_N..., tenon_M> {};
template <class tenon_T, decltype(sizeof(0)) tenon_M, unsigned long long... tenon_N>
struct tenon_variable_of<const tenon_T[tenon_M], tenon_N...> : tenon_variable_of<const tenon_T, tenon_N..., tenon_M> {};
template <class tenon_T, decltype(sizeof(0)) tenon_M, unsigned long long... tenon_N>
struct tenon_variable_of<volatile tenon_T[tenon_M], tenon_N...> : tenon_variable_of<volatile tenon_T, tenon_N..., tenon_M> {};
template <class tenon_T, decltype(sizeof(0)) tenon_M, unsigned long long... tenon_N>
struct tenon_variable_of<const volatile tenon_T[tenon_M], tenon_N...> : tenon_variable_of<const volatile tenon_T, tenon_N..., tenon_M> {};
struct tenon_place {
  const void* tenon_address;
  unsigned long long tenon_bytes;
};
}
#if defined(TENON_CPU_KERNEL)
#define TENON_SIGNATURE extern "C" __attribute__((__visibility__("default"), __used__)) __device__ const
#define TENON_GLOBAL_PLACE(tenon_name, ...) TENON_SIGNATURE tenon_signature::tenon_place tenon_name = {(const void*)&(__VA_ARGS__), sizeof(__VA_ARGS__)};
#else
#define TENON_GLOBAL_PLACE(tenon_name, ...)
#define TENON_SIGNATURE extern "C" __device__ const
#endif
)tenon";

}  // namespace tenon
