// shim/standard/tenon_std_types.h: <type_traits>, and the parts of it that <utility> needs.
#pragma once
#include "cstddef"

namespace std {

template <class T, T V> struct integral_constant {
  static constexpr T value = V;
  typedef T value_type;
  typedef integral_constant type;
  constexpr operator T() const noexcept { return V; }
  constexpr T operator()() const noexcept { return V; }
};
template <bool B> using bool_constant = integral_constant<bool, B>;
typedef bool_constant<true> true_type;
typedef bool_constant<false> false_type;

template <bool B, class T, class F> struct conditional {
  typedef T type;
};
template <class T, class F> struct conditional<false, T, F> {
  typedef F type;
};
template <bool B, class T, class F> using conditional_t = typename conditional<B, T, F>::type;
template <bool B, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> {
  typedef T type;
};
template <bool B, class T = void> using enable_if_t = typename enable_if<B, T>::type;
template <class...> struct tenon_void {
  typedef void type;
};
template <class... T> using void_t = typename tenon_void<T...>::type;
template <class T> struct type_identity {
  typedef T type;
};
template <class T> using type_identity_t = typename type_identity<T>::type;

template <class...> struct conjunction : true_type {};
template <class B> struct conjunction<B> : B {};
template <class B, class... R> struct conjunction<B, R...> : conditional_t<bool(B::value), conjunction<R...>, B> {};
template <class...> struct disjunction : false_type {};
template <class B> struct disjunction<B> : B {};
template <class B, class... R> struct disjunction<B, R...> : conditional_t<bool(B::value), B, disjunction<R...>> {};
template <class B> struct negation : bool_constant<!bool(B::value)> {};
template <class... B> inline constexpr bool conjunction_v = conjunction<B...>::value;
template <class... B> inline constexpr bool disjunction_v = disjunction<B...>::value;
template <class B> inline constexpr bool negation_v = negation<B>::value;

// A trait with a value: its class and its variable template.
#define TENON_TRAIT(name, ...)                                    \
  template <class T> struct name : bool_constant<__VA_ARGS__> {}; \
  template <class T> inline constexpr bool name##_v = name<T>::value;
#define TENON_TRAIT_IS(name, ...)                 \
  template <class T> struct name : false_type {}; \
  __VA_ARGS__                                     \
  template <class T> inline constexpr bool name##_v = name<T>::value;
// A trait with a type.
#define TENON_TRAIT_TYPE(name, ...) \
  template <class T> struct name {  \
    typedef T type;                 \
  };                                \
  __VA_ARGS__                       \
  template <class T> using name##_t = typename name<T>::type;

TENON_TRAIT_TYPE(remove_const, template <class T> struct remove_const<const T> { typedef T type; };)
TENON_TRAIT_TYPE(remove_volatile, template <class T> struct remove_volatile<volatile T> { typedef T type; };)
TENON_TRAIT_TYPE(
    remove_cv, template <class T> struct remove_cv<const T> { typedef T type; };
    template <class T> struct remove_cv<volatile T> { typedef T type; };
    template <class T> struct remove_cv<const volatile T> { typedef T type; };)
TENON_TRAIT_TYPE(
    remove_reference, template <class T> struct remove_reference<T&> { typedef T type; };
    template <class T> struct remove_reference<T&&> { typedef T type; };)
TENON_TRAIT_TYPE(
    remove_extent, template <class T> struct remove_extent<T[]> { typedef T type; };
    template <class T, size_t N> struct remove_extent<T[N]> { typedef T type; };)
TENON_TRAIT_TYPE(remove_all_extents, template <class T> struct remove_all_extents<T[]> : remove_all_extents<T>{};
                 template <class T, size_t N> struct remove_all_extents<T[N]> : remove_all_extents<T>{};)
TENON_TRAIT_TYPE(
    remove_pointer, template <class T> struct remove_pointer<T*> { typedef T type; };
    template <class T> struct remove_pointer<T* const> { typedef T type; };
    template <class T> struct remove_pointer<T* volatile> { typedef T type; };
    template <class T> struct remove_pointer<T* const volatile> { typedef T type; };)
template <class T> struct add_const {
  typedef const T type;
};
template <class T> struct add_volatile {
  typedef volatile T type;
};
template <class T> struct add_cv {
  typedef const volatile T type;
};
template <class T> using add_const_t = const T;
template <class T> using add_volatile_t = volatile T;
template <class T> using add_cv_t = const volatile T;
template <class T> struct remove_cvref {
  typedef remove_cv_t<remove_reference_t<T>> type;
};
template <class T> using remove_cvref_t = typename remove_cvref<T>::type;

template <class T> type_identity<T&> tenon_lvalue(int);
template <class T> type_identity<T> tenon_lvalue(...);
template <class T> type_identity<T&&> tenon_rvalue(int);
template <class T> type_identity<T> tenon_rvalue(...);
template <class T> struct add_lvalue_reference : decltype(tenon_lvalue<T>(0)) {};
template <class T> struct add_rvalue_reference : decltype(tenon_rvalue<T>(0)) {};
template <class T> using add_lvalue_reference_t = typename add_lvalue_reference<T>::type;
template <class T> using add_rvalue_reference_t = typename add_rvalue_reference<T>::type;
template <class T> add_rvalue_reference_t<T> declval() noexcept;
template <class T> type_identity<remove_reference_t<T>*> tenon_pointer(int);
template <class T> type_identity<T> tenon_pointer(...);
template <class T> struct add_pointer : decltype(tenon_pointer<T>(0)) {};
template <class T> using add_pointer_t = typename add_pointer<T>::type;

template <class A, class B> struct is_same : false_type {};
template <class A> struct is_same<A, A> : true_type {};
template <class A, class B> inline constexpr bool is_same_v = is_same<A, B>::value;
template <class T, class... U> struct tenon_is_one_of : bool_constant<(is_same_v<T, U> || ...)> {};

TENON_TRAIT(is_void, is_same_v<remove_cv_t<T>, void>)
TENON_TRAIT(is_null_pointer, is_same_v<remove_cv_t<T>, nullptr_t>)
TENON_TRAIT(is_integral, tenon_is_one_of<remove_cv_t<T>, bool, char, signed char, unsigned char, wchar_t, char16_t,
                                         char32_t, short, unsigned short, int, unsigned, long, unsigned long, long long,
                                         unsigned long long, __int128, unsigned __int128>::value)
TENON_TRAIT(is_floating_point, tenon_is_one_of<remove_cv_t<T>, float, double, long double>::value)
TENON_TRAIT(is_arithmetic, is_integral_v<T> || is_floating_point_v<T>)
TENON_TRAIT(is_fundamental, is_arithmetic_v<T> || is_void_v<T> || is_null_pointer_v<T>)
TENON_TRAIT(is_compound, !is_fundamental_v<T>)
TENON_TRAIT_IS(is_const, template <class T> struct is_const<const T> : true_type{};)
TENON_TRAIT_IS(is_volatile, template <class T> struct is_volatile<volatile T> : true_type{};)
TENON_TRAIT_IS(is_lvalue_reference, template <class T> struct is_lvalue_reference<T&> : true_type{};)
TENON_TRAIT_IS(is_rvalue_reference, template <class T> struct is_rvalue_reference<T&&> : true_type{};)
TENON_TRAIT(is_reference, is_lvalue_reference_v<T> || is_rvalue_reference_v<T>)
TENON_TRAIT(is_pointer, !is_same_v<remove_pointer_t<remove_cv_t<T>>, remove_cv_t<T>>)
TENON_TRAIT_IS(is_array, template <class T> struct is_array<T[]> : true_type{};
               template <class T, size_t N> struct is_array<T[N]> : true_type{};)
TENON_TRAIT(is_function, !is_const_v<const T> && !is_reference_v<T>)
TENON_TRAIT_IS(tenon_is_member, template <class T, class C> struct tenon_is_member<T C::*> : true_type{};)
TENON_TRAIT(is_member_pointer, tenon_is_member_v<remove_cv_t<T>>)
TENON_TRAIT(is_class, __is_class(T))
TENON_TRAIT(is_union, __is_union(T))
TENON_TRAIT(is_enum, __is_enum(T))
TENON_TRAIT(is_empty, __is_empty(T))
TENON_TRAIT(is_final, __is_final(T))
TENON_TRAIT(is_polymorphic, __is_polymorphic(T))
TENON_TRAIT(is_abstract, __is_abstract(T))
TENON_TRAIT(is_aggregate, __is_aggregate(T))
TENON_TRAIT(is_standard_layout, __is_standard_layout(T))
TENON_TRAIT(is_trivially_copyable, __is_trivially_copyable(T))
TENON_TRAIT(is_trivial, __is_trivial(T))
TENON_TRAIT(is_object, !is_function_v<T> && !is_reference_v<T> && !is_void_v<T>)
TENON_TRAIT(is_scalar,
            is_arithmetic_v<T> || is_enum_v<T> || is_pointer_v<T> || is_member_pointer_v<T> || is_null_pointer_v<T>)
template <class T, bool = is_arithmetic_v<T>> struct tenon_is_signed : bool_constant<(T(-1) < T(0))> {};
template <class T> struct tenon_is_signed<T, false> : false_type {};
TENON_TRAIT(is_signed, tenon_is_signed<remove_cv_t<T>>::value)
TENON_TRAIT(is_unsigned, is_arithmetic_v<T> && !is_signed_v<T>)

template <class T, class... A> struct is_constructible : bool_constant<__is_constructible(T, A...)> {};
template <class T, class... A> inline constexpr bool is_constructible_v = is_constructible<T, A...>::value;
template <class T, class... A> struct is_trivially_constructible
    : bool_constant<__is_trivially_constructible(T, A...)> {};
template <class T, class... A> inline constexpr bool is_trivially_constructible_v =
    is_trivially_constructible<T, A...>::value;
template <class T, class U> struct is_assignable : bool_constant<__is_assignable(T, U)> {};
template <class T, class U> inline constexpr bool is_assignable_v = is_assignable<T, U>::value;
TENON_TRAIT(is_default_constructible, __is_constructible(T))
TENON_TRAIT(is_copy_constructible, __is_constructible(T, add_lvalue_reference_t<const T>))
TENON_TRAIT(is_move_constructible, __is_constructible(T, add_rvalue_reference_t<T>))
TENON_TRAIT(is_copy_assignable, __is_assignable(add_lvalue_reference_t<T>, add_lvalue_reference_t<const T>))
TENON_TRAIT(is_move_assignable, __is_assignable(add_lvalue_reference_t<T>, add_rvalue_reference_t<T>))
TENON_TRAIT(is_trivially_default_constructible, __is_trivially_constructible(T))
TENON_TRAIT(is_trivially_copy_constructible, __is_trivially_constructible(T, add_lvalue_reference_t<const T>))
#if defined(__clang__)
TENON_TRAIT(is_trivially_destructible, __is_trivially_destructible(T))
#else
TENON_TRAIT(is_trivially_destructible, __has_trivial_destructor(T))
#endif

template <class Base, class Derived> struct is_base_of : bool_constant<__is_base_of(Base, Derived)> {};
template <class Base, class Derived> inline constexpr bool is_base_of_v = is_base_of<Base, Derived>::value;
template <class To> void tenon_take(To) noexcept;
template <class From, class To> decltype(tenon_take<To>(declval<From>()), true_type()) tenon_converts(int);
template <class From, class To> false_type tenon_converts(...);
template <class From, class To, bool = is_void_v<From> || is_function_v<To> || is_array_v<To>> struct is_convertible
    : decltype(tenon_converts<From, To>(0)) {};
template <class From, class To> struct is_convertible<From, To, true>
    : bool_constant<is_void_v<From> && is_void_v<To>> {};
template <class From, class To> inline constexpr bool is_convertible_v = is_convertible<From, To>::value;

template <class T> struct alignment_of : integral_constant<size_t, alignof(T)> {};
template <class T> inline constexpr size_t alignment_of_v = alignof(T);
template <class T> struct rank : integral_constant<size_t, 0> {};
template <class T> struct rank<T[]> : integral_constant<size_t, rank<T>::value + 1> {};
template <class T, size_t N> struct rank<T[N]> : integral_constant<size_t, rank<T>::value + 1> {};
template <class T> inline constexpr size_t rank_v = rank<T>::value;
template <class T, unsigned I = 0> struct extent : integral_constant<size_t, 0> {};
template <class T> struct extent<T[], 0> : integral_constant<size_t, 0> {};
template <class T, size_t N> struct extent<T[N], 0> : integral_constant<size_t, N> {};
template <class T, unsigned I> struct extent<T[], I> : extent<T, I - 1> {};
template <class T, size_t N, unsigned I> struct extent<T[N], I> : extent<T, I - 1> {};
template <class T, unsigned I = 0> inline constexpr size_t extent_v = extent<T, I>::value;

template <class T> struct decay {
  typedef remove_reference_t<T> tenon_plain;
  typedef conditional_t<is_array_v<tenon_plain>, add_pointer_t<remove_extent_t<tenon_plain>>,
                        conditional_t<is_function_v<tenon_plain>, add_pointer_t<tenon_plain>, remove_cv_t<tenon_plain>>>
      type;
};
template <class T> using decay_t = typename decay<T>::type;
template <class T> struct underlying_type {
  typedef __underlying_type(T) type;
};
template <class T> using underlying_type_t = typename underlying_type<T>::type;

// The signed or unsigned integer type of T's rank.
template <class T> struct tenon_signs {
  typedef T negative, positive;
};
#define TENON_SIGNS(S, U)             \
  template <> struct tenon_signs<S> { \
    typedef S negative;               \
    typedef U positive;               \
  };                                  \
  template <> struct tenon_signs<U> { \
    typedef S negative;               \
    typedef U positive;               \
  };
TENON_SIGNS(signed char, unsigned char)
TENON_SIGNS(short, unsigned short)
TENON_SIGNS(int, unsigned)
TENON_SIGNS(long, unsigned long)
TENON_SIGNS(long long, unsigned long long)
TENON_SIGNS(__int128, unsigned __int128)
#undef TENON_SIGNS
template <> struct tenon_signs<char> {
  typedef signed char negative;
  typedef unsigned char positive;
};
template <class T, class To> struct tenon_like {
  typedef To type;
};
template <class T, class To> struct tenon_like<const T, To> {
  typedef const To type;
};
template <class T, bool = is_enum_v<T>> struct tenon_integer_of {
  typedef remove_cv_t<T> type;
};
template <class T> struct tenon_integer_of<T, true> {
  typedef underlying_type_t<remove_cv_t<T>> type;
};
template <class T> struct make_signed
    : tenon_like<T, typename tenon_signs<typename tenon_integer_of<T>::type>::negative> {};
template <class T> struct make_unsigned
    : tenon_like<T, typename tenon_signs<typename tenon_integer_of<T>::type>::positive> {};
template <class T> using make_signed_t = typename make_signed<T>::type;
template <class T> using make_unsigned_t = typename make_unsigned<T>::type;

template <class... T> struct common_type;
template <class T> struct common_type<T> : decay<T> {};
template <class A, class B> struct common_type<A, B> {
  typedef decay_t<decltype(false ? declval<A>() : declval<B>())> type;
};
template <class A, class B, class C, class... R> struct common_type<A, B, C, R...>
    : common_type<typename common_type<A, B>::type, C, R...> {};
template <class... T> using common_type_t = typename common_type<T...>::type;

template <class F, class... A> decltype(type_identity<decltype(declval<F>()(declval<A>()...))>()) tenon_called(int);
struct tenon_not_callable {};
template <class F, class... A> tenon_not_callable tenon_called(...);
template <class F, class... A> struct invoke_result : decltype(tenon_called<F, A...>(0)) {};
template <class F, class... A> using invoke_result_t = typename invoke_result<F, A...>::type;
template <class F, class... A> struct is_invocable
    : bool_constant<!is_same_v<decltype(tenon_called<F, A...>(0)), tenon_not_callable>> {};
template <class F, class... A> inline constexpr bool is_invocable_v = is_invocable<F, A...>::value;

template <size_t Bytes, size_t Alignment = alignof(long double)> struct aligned_storage {
  struct type {
    alignas(Alignment) unsigned char tenon_room[Bytes];
  };
};
template <size_t Bytes, size_t Alignment = alignof(long double)> using aligned_storage_t =
    typename aligned_storage<Bytes, Alignment>::type;

constexpr bool is_constant_evaluated() noexcept { return __builtin_is_constant_evaluated(); }

#undef TENON_TRAIT
#undef TENON_TRAIT_IS
#undef TENON_TRAIT_TYPE

}  // namespace std
