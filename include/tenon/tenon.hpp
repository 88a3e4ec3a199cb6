// tenon/tenon.hpp: Tenon in C++17, header only: classes that own what C counts; errors are exceptions or results.
//
//   const tenon::device device = tenon::context().device("best");
//   const tenon::kernel saxpy = tenon::compile(device, source, "saxpy");
//   const auto x = tenon::array<float, 1>::copy(device, values);
//   const auto y = tenon::array<float, 1>::zeros(device, {n});
//   saxpy((n + 255) / 256, 256)(2.0f, x, y, int32_t(n));
//   const auto [u, s, vh] = tenon::svd(a, {.mode = tenon::svd_mode::economy});
//
// Every function of the C headers is here, with the same name: tenon_array_zeros is array::zeros,
// tenon_stream_synchronize is stream.synchronize(), tenon_solve is tenon::solve. The C headers document them.
//
// Failures: a function that can fail returns outcome<T>. With exceptions that is T, and a failure is thrown as
// tenon::error. With -fno-exceptions, or if TENON_EXCEPTIONS is defined as 0, it is tenon::result<T>, which has a value
// or an error. tenon::attempt turns a single call into a result in a program with exceptions.
#ifndef TENON_TENON_HPP
#define TENON_TENON_HPP

#include <tenon/cxx/functions.hpp>

#include <array>

#if defined(__cpp_lib_span)
#include <span>
#endif
#if defined(__cpp_lib_mdspan)
#include <mdspan>
#endif

namespace tenon {
inline namespace TENON_CXX_MODE {

// --- members that need the classes -----------------------------------------------------------------------------------

template <class... Args> outcome<call> launcher::bind(const Args&... args) const {
  tenon_call* made = nullptr;
  const tenon_arg list[sizeof...(Args) + 1] = {detail::argument(args)..., tenon_arg{}};
  const int32_t code = tenon_call_create(kernel_, &launch_, list, static_cast<int32_t>(sizeof...(Args)), &made);
  return detail::finish(code, [&] { return adopt<call>(made); });
}

namespace detail {

inline std::string dtype_text(uint32_t dtype) { return tenon_dtype_name(dtype); }

template <class Self> outcome<dynamic_array> array_members<Self>::reversed() const {
  tenon_array_info info{};
  tenon_array* made = nullptr;
  int32_t code = describe(raw(), info);
  if (code == TENON_OK) code = tenon_array_transpose(raw(), info.rank, nullptr, &made);
  return finish(code, [&] { return adopt<dynamic_array>(made); });
}

template <class Self>
outcome<dynamic_array> array_members<Self>::slice_along(int32_t axis, int64_t start, int64_t stop, int64_t step) const {
  tenon_array_info info{};
  tenon_array* made = nullptr;
  int32_t code = describe(raw(), info);
  const int32_t at = axis < 0 ? axis + info.rank : axis;
  if (code == TENON_OK && (at < 0 || at >= info.rank))
    return refuse<dynamic_array>(status::invalid_argument, "slice_along: axis " + std::to_string(axis) +
                                                               " is out of range: the array has rank " +
                                                               std::to_string(info.rank));
  int64_t starts[TENON_MAX_RANK], stops[TENON_MAX_RANK], steps[TENON_MAX_RANK];
  for (int32_t i = 0; i < info.rank; ++i) {
    starts[i] = i == at ? start : INT64_MIN;
    stops[i] = i == at ? stop : INT64_MIN;
    steps[i] = i == at ? step : 1;
  }
  if (code == TENON_OK) code = tenon_array_slice(raw(), info.rank, starts, stops, steps, &made);
  return finish(code, [&] { return adopt<dynamic_array>(made); });
}

// What a member whose elements are T says about an array of another dtype.
template <class T> std::string another_dtype(const char* member, const tenon_array_info& info) {
  return std::string(member) + ": the array is " + dtype_text(info.dtype) + ", not " +
         dtype_text(static_cast<uint32_t>(dtype_of<T>::value));
}
template <class T> bool holds(const tenon_array_info& info) noexcept {
  return info.dtype == static_cast<uint32_t>(dtype_of<T>::value);
}

template <class Self> template <class T> outcome<T> array_members<Self>::item(ref<tenon_stream> stream) const {
  tenon_array_info info{};
  int32_t code = describe(raw(), info);
  if (code == TENON_OK && !holds<T>(info)) return refuse<T>(status::dtype, another_dtype<T>("item", info));
  if (code == TENON_OK && info.size != 1)
    return refuse<T>(status::shape, "item: the array has " + std::to_string(info.size) + " elements, not one");
  T value{};
  if (code == TENON_OK) code = tenon_array_to_host(raw(), &value, sizeof(T), stream.get());
  return finish(code, [&] { return value; });
}

template <class Self> template <class T>
outcome<std::vector<T>> array_members<Self>::to_vector(ref<tenon_stream> stream) const {
  static_assert(!std::is_same_v<T, bool>, "std::vector<bool> has no elements to copy to: use uint8_t and view()");
  tenon_array_info info{};
  int32_t code = describe(raw(), info);
  if (code == TENON_OK && !holds<T>(info))
    return refuse<std::vector<T>>(status::dtype, another_dtype<T>("to_vector", info));
  std::vector<T> values(code == TENON_OK ? static_cast<size_t>(info.size) : 0);
  if (code == TENON_OK) code = tenon_array_to_host(raw(), values.data(), values.size() * sizeof(T), stream.get());
  return finish(code, [&] { return std::move(values); });
}

}  // namespace detail

// --- memory of the program as an array -------------------------------------------------------------------------------

namespace detail {

// The memory of a view with strides: its number of elements, and which of them is at index 0.
struct span_of_memory {
  int64_t count = 1, first = 0;
};
inline span_of_memory reach(list<const int64_t> shape, list<const int64_t> strides) noexcept {
  span_of_memory found;
  int64_t c_stride = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    if (shape[i] == 0) return {0, 0};
    const int64_t along = (shape[i] - 1) * (strides.empty() ? c_stride : strides[i]);
    found.count += along < 0 ? -along : along;
    found.first += along < 0 ? -along : 0;
    c_stride *= shape[i];
  }
  return found;
}

template <class T, class Owner> int32_t wrap(tenon_device* device, T* data, list<const int64_t> shape,
                                             list<const int64_t> strides, Owner* owner, tenon_array** out) noexcept {
  using plain = std::remove_const_t<T>;
  const span_of_memory memory = reach(shape, strides);
  tenon_buffer* buffer = nullptr;
  plain* start = const_cast<plain*>(data);
  if (start) start -= memory.first;
  int32_t code = tenon_buffer_wrap(device, start, static_cast<uint64_t>(memory.count) * sizeof(T), TENON_MEMORY_DEVICE,
                                   std::is_const_v<T> ? 1 : 0, nullptr, owner ? callback<Owner>::destroy : nullptr,
                                   owner, &buffer);
  if (code != TENON_OK) {
    delete owner;  // a call that fails takes ownership of nothing
    return code;
  }
  code =
      tenon_array_from_buffer(buffer, static_cast<uint32_t>(dtype_of<plain>::value), static_cast<int32_t>(shape.size()),
                              shape.data(), strides.data(), static_cast<uint64_t>(memory.first) * sizeof(T), out);
  tenon_buffer_release(buffer);
  return code;
}

struct nobody {};

template <class M, class = void> struct is_mdspan : std::false_type {};
template <class M>
struct is_mdspan<M, std::void_t<decltype(std::declval<const M&>().data_handle()),
                                decltype(std::declval<const M&>().stride(0)), typename M::element_type>>
    : std::true_type {};

template <size_t N, class M> std::array<int64_t, N> extents_of(const M& view) {
  std::array<int64_t, N> found{};
  for (size_t i = 0; i < N; ++i) found[i] = static_cast<int64_t>(view.extent(i));
  return found;
}
template <size_t N, class M> std::array<int64_t, N> strides_of(const M& view) {
  std::array<int64_t, N> found{};
  for (size_t i = 0; i < N; ++i) found[i] = static_cast<int64_t>(view.stride(i));
  return found;
}

template <size_t N> std::array<int64_t, N> reversed(const std::array<int64_t, N>& order) noexcept {
  std::array<int64_t, N> made{};
  for (size_t i = 0; i < N; ++i) made[i] = order[N - 1 - i];
  return made;
}

// Whether elements are contiguous with the last axis varying fastest, or (reversed) the first.
template <size_t N>
bool is_packed(const std::array<int64_t, N>& shape, const std::array<int64_t, N>& strides, bool reversed) noexcept {
  int64_t expected = 1;
  for (size_t k = 0; k < N; ++k) {
    const size_t i = reversed ? k : N - 1 - k;
    if (shape[i] != 1 && strides[i] != expected) return false;
    expected *= shape[i];
  }
  return true;
}

// Calls move(element, n) for each element of strided memory, where n counts in C order.
template <size_t N, class T, class Move>
void walk(T* strided, const std::array<int64_t, N>& shape, const std::array<int64_t, N>& strides, Move&& move) {
  int64_t count = 1;
  for (int64_t extent : shape) count *= extent;
  for (int64_t n = 0; n < count; ++n) {
    int64_t rest = n, offset = 0;
    for (size_t i = N; i-- > 0;) {
      offset += rest % shape[i] * strides[i];
      rest /= shape[i];
    }
    move(strided[offset], static_cast<size_t>(n));
  }
}

}  // namespace detail

// --- the typed array -------------------------------------------------------------------------------------------------

// An array whose dtype and rank are known at compile time. T may be const: the elements are then read-only.
template <class T, int N> class array : public dynamic_array {
  using plain = std::remove_const_t<T>;
  static_assert(detail::has_dtype<plain>::value,
                "T is not an element type: specialise tenon::dtype_of for a type of your own");
  static_assert(N >= 0 && N <= TENON_MAX_RANK, "the rank is out of range");
  static constexpr size_t axes = static_cast<size_t>(N);

 public:
  using element_type = T;
  using shape_type = std::array<int64_t, axes>;
  static constexpr tenon::dtype type = dtype_of<plain>::value;

  array() noexcept = default;
  array(adopting, tenon_array* object) noexcept : dynamic_array(adopting{}, object) {}

  // A new array, not initialised (create) or of zeros.
  static outcome<array> create(ref<tenon_device> device, const shape_type& shape, ref<tenon_stream> stream = {}) {
    return made(tenon_array_create, device, shape, stream);
  }
  static outcome<array> zeros(ref<tenon_device> device, const shape_type& shape, ref<tenon_stream> stream = {}) {
    return made(tenon_array_zeros, device, shape, stream);
  }
  // A new array with a copy of elements in C order: a vector, a span, a braced list. SHAPE: there are more or fewer.
  static outcome<array> copy(ref<tenon_device> device, list<const plain> values, const shape_type& shape,
                             ref<tenon_stream> stream = {}) {
    tenon_array* out = nullptr;
    const int32_t code = from_host(device, values, shape, stream, &out);
    return detail::finish(code, [&] { return adopt<array>(out); });
  }
  template <int M = N, class = std::enable_if_t<M == 1>>
  static outcome<array> copy(ref<tenon_device> device, list<const plain> values, ref<tenon_stream> stream = {}) {
    return copy(device, values, shape_type{static_cast<int64_t>(values.size())}, stream);
  }
  // A new array with a copy of an mdspan, the standard library's or any similar class. A layout_left mdspan keeps its
  // order, since transposing is free; every other layout becomes C order.
  template <class M, class = std::enable_if_t<detail::is_mdspan<M>::value>>
  static outcome<array> copy_of(ref<tenon_device> device, const M& view, ref<tenon_stream> stream = {});

  // An array on memory of the program on the CPU device, without a copy, with any strides (in elements; {}: C order).
  // The memory must outlive the array and all its views, unless `owner` keeps it: an object that is moved in and
  // destroyed after the last use, on the thread of the call that finds the use complete.
  template <class Owner = detail::nobody>
  static outcome<array> wrap(ref<tenon_device> device, T* data, const shape_type& shape,
                             const std::optional<shape_type>& strides = {}, Owner&& owner = {});
  template <class M, class Owner = detail::nobody, class = std::enable_if_t<detail::is_mdspan<M>::value>>
  static outcome<array> wrap(ref<tenon_device> device, const M& view, Owner&& owner = {}) {
    return wrap(device, view.data_handle(), detail::extents_of<axes>(view), detail::strides_of<axes>(view),
                std::forward<Owner>(owner));
  }
  // An array that takes over a vector as its memory, without copying elements.
  template <int M = N, class = std::enable_if_t<M == 1>>
  static outcome<array> own(ref<tenon_device> device, std::vector<plain>&& values) {
    T* data = values.data();
    const shape_type shape{static_cast<int64_t>(values.size())};
    return wrap(device, data, shape, {}, std::move(values));
  }

  static constexpr int rank() noexcept { return N; }
  outcome<shape_type> shape() const {
    tenon_array_info info{};
    const int32_t code = detail::describe(get(), info);
    return detail::finish(code, [&] { return copied(info.shape); });
  }
  outcome<shape_type> strides() const {
    tenon_array_info info{};
    const int32_t code = detail::describe(get(), info);
    return detail::finish(code, [&] { return copied(info.strides); });
  }

  // The elements, in memory order, if the host can access them. First wait for work on a GPU that writes them. DEVICE:
  // only the device can access them; LAYOUT: the memory is not contiguous; READ_ONLY: use array<const T, N>.
  outcome<list<T>> elements() const {
    tenon_array_info info{};
    const int32_t code = detail::describe(get(), info);
    if (code == TENON_OK && !(info.flags & (TENON_ARRAY_C_CONTIGUOUS | TENON_ARRAY_F_CONTIGUOUS)))
      return detail::refuse<list<T>>(status::layout, "elements: the array is not contiguous: use a copy");
    return reached(code, info, [&] { return list<T>(static_cast<T*>(info.data), static_cast<size_t>(info.size)); });
  }
#if defined(__cpp_lib_span)
  outcome<std::span<T>> span() const {
    using view = std::span<T>;
    tenon_array_info info{};
    const int32_t code = detail::describe(get(), info);
    if (code == TENON_OK && !(info.flags & (TENON_ARRAY_C_CONTIGUOUS | TENON_ARRAY_F_CONTIGUOUS)))
      return detail::refuse<view>(status::layout, "span: the array is not contiguous: use its mdspan, or a copy");
    return reached(code, info, [&] { return view(static_cast<T*>(info.data), static_cast<size_t>(info.size)); });
  }
#endif
#if defined(__cpp_lib_mdspan)
  // The elements, if the host can access them, with any strides that are not negative.
  auto mdspan() const -> outcome<std::mdspan<T, std::dextents<int64_t, axes>, std::layout_stride>> {
    using view = std::mdspan<T, std::dextents<int64_t, axes>, std::layout_stride>;
    tenon_array_info info{};
    const int32_t code = detail::describe(get(), info);
    for (int i = 0; code == TENON_OK && i < N; ++i) {
      if (info.strides[i] < 0)
        return detail::refuse<view>(status::layout, "mdspan: a stride is negative, which std::layout_stride lacks");
    }
    return reached(code, info, [&] {
      return view(static_cast<T*>(info.data),
                  std::layout_stride::mapping(std::dextents<int64_t, axes>(copied(info.shape)), copied(info.strides)));
    });
  }
#endif
  // The element of an array that has one.
  outcome<plain> item(ref<tenon_stream> stream = {}) const { return dynamic_array::item<plain>(stream); }
  // A copy of all elements in C order.
  outcome<std::vector<plain>> to_vector(ref<tenon_stream> stream = {}) const {
    return dynamic_array::to_vector<plain>(stream);
  }
  // Copies all elements into an mdspan of any layout. SHAPE: its extents are different.
  template <class M, class = std::enable_if_t<detail::is_mdspan<M>::value>>
  outcome<void> copy_to(const M& view, ref<tenon_stream> stream = {}) const;

 private:
  template <class F>
  static outcome<array> made(F* make, ref<tenon_device> device, const shape_type& shape, ref<tenon_stream> stream) {
    tenon_array* out = nullptr;
    const int32_t code = make(device.get(), static_cast<uint32_t>(type), N, shape.data(), stream.get(), &out);
    return detail::finish(code, [&] { return adopt<array>(out); });
  }
  static int32_t from_host(ref<tenon_device> device, list<const plain> values, const shape_type& shape,
                           ref<tenon_stream> stream, tenon_array** out) noexcept {
    return tenon_array_from_host(device.get(), static_cast<uint32_t>(type), N, shape.data(), values.data(),
                                 values.size() * sizeof(plain), stream.get(), out);
  }
  static shape_type copied(const int64_t* from) noexcept {
    shape_type made{};
    for (size_t i = 0; i < axes; ++i) made[i] = from[i];
    return made;
  }
  // Returns value(), if the host may use the array's memory as T.
  template <class F> static auto reached(int32_t code, const tenon_array_info& info, F&& value)
      -> outcome<decltype(value())> {
    using wanted = decltype(value());
    if (code == TENON_OK && info.device_kind != TENON_DEVICE_CPU && info.memory_kind == TENON_MEMORY_DEVICE)
      return detail::refuse<wanted>(status::device,
                                    "the array is in memory that only its device can reach: use to_vector or copy_to");
    if (code == TENON_OK && !std::is_const_v<T> && info.flags & TENON_ARRAY_READ_ONLY)
      return detail::refuse<wanted>(status::read_only, "the array is read-only: use array<const T, N>");
    return detail::finish(code, std::forward<F>(value));
  }
};

template <class T, int N> template <class M, class>
outcome<array<T, N>> array<T, N>::copy_of(ref<tenon_device> device, const M& view, ref<tenon_stream> stream) {
  static_assert(
      static_cast<int>(M::rank()) == N && std::is_same_v<std::remove_const_t<typename M::element_type>, plain>,
      "the mdspan has another rank or element type than the array");
  const shape_type shape = detail::extents_of<axes>(view), strides = detail::strides_of<axes>(view);
  const plain* data = view.data_handle();
  const size_t count = static_cast<size_t>(view.size());
  tenon_array *out = nullptr, *turned = nullptr;
  int32_t code = TENON_OK;
  if (detail::is_packed(shape, strides, false)) {
    code = from_host(device, {data, count}, shape, stream, &out);
  } else if (detail::is_packed(shape, strides, true)) {
    const shape_type backwards = detail::reversed(shape);
    code = from_host(device, {data, count}, backwards, stream, &turned);
    if (code == TENON_OK) code = tenon_array_transpose(turned, N, nullptr, &out);
    tenon_array_release(turned);
  } else {
    std::vector<plain> packed(count);
    detail::walk(data, shape, strides, [&](const plain& element, size_t n) { packed[n] = element; });
    code = from_host(device, packed, shape, stream, &out);
  }
  return detail::finish(code, [&] { return adopt<array>(out); });
}

template <class T, int N> template <class M, class>
outcome<void> array<T, N>::copy_to(const M& view, ref<tenon_stream> stream) const {
  static_assert(static_cast<int>(M::rank()) == N && std::is_same_v<typename M::element_type, plain>,
                "the mdspan has another rank or element type than the array");
  tenon_array_info info{};
  int32_t code = detail::describe(get(), info);
  const shape_type shape = detail::extents_of<axes>(view), strides = detail::strides_of<axes>(view);
  if (code == TENON_OK && copied(info.shape) != shape)
    return detail::refuse<void>(status::shape, "copy_to: the mdspan's extents are not the array's shape");
  const uint64_t count = static_cast<uint64_t>(view.size());
  if (code != TENON_OK) return detail::finish(code);
  if (detail::is_packed(shape, strides, false))
    return detail::finish(tenon_array_to_host(get(), view.data_handle(), count * sizeof(plain), stream.get()));
  if (detail::is_packed(shape, strides, true)) {
    tenon_array* turned = nullptr;
    code = tenon_array_transpose(get(), N, nullptr, &turned);
    if (code == TENON_OK) code = tenon_array_to_host(turned, view.data_handle(), count * sizeof(plain), stream.get());
    tenon_array_release(turned);
    return detail::finish(code);
  }
  std::vector<plain> packed(static_cast<size_t>(count));
  code = tenon_array_to_host(get(), packed.data(), count * sizeof(plain), stream.get());
  if (code == TENON_OK)
    detail::walk(view.data_handle(), shape, strides, [&](plain& element, size_t n) { element = packed[n]; });
  return detail::finish(code);
}

template <class T, int N> template <class Owner>
outcome<array<T, N>> array<T, N>::wrap(ref<tenon_device> device, T* data, const shape_type& shape,
                                       const std::optional<shape_type>& strides, Owner&& owner) {
  using kept = std::decay_t<Owner>;
  kept* keeper = nullptr;
  if constexpr (!std::is_same_v<kept, detail::nobody>) keeper = new kept(std::forward<Owner>(owner));
  tenon_array* out = nullptr;
  const list<const int64_t> given = strides ? list<const int64_t>(*strides) : list<const int64_t>();
  const int32_t code = detail::wrap(device.get(), data, shape, given, keeper, &out);
  return detail::finish(code, [&] { return adopt<array>(out); });
}

namespace detail {

template <class Self> template <class T, int N> outcome<array<T, N>> array_members<Self>::as() const {
  tenon_array_info info{};
  const int32_t code = describe(raw(), info);
  constexpr uint32_t wanted = static_cast<uint32_t>(array<T, N>::type);
  if (code == TENON_OK && info.dtype != wanted)
    return refuse<array<T, N>>(status::dtype,
                               "as: the array is " + dtype_text(info.dtype) + ", not " + dtype_text(wanted));
  if (code == TENON_OK && info.rank != N)
    return refuse<array<T, N>>(status::shape,
                               "as: the array has rank " + std::to_string(info.rank) + ", not " + std::to_string(N));
  return finish(code, [&] { return share<array<T, N>>(raw()); });
}

}  // namespace detail

// --- conveniences ----------------------------------------------------------------------------------------------------

// The kernel `name` of a source text (tenon_program_create, tenon_program_kernel).
inline outcome<kernel> compile(ref<tenon_device> device, std::string_view source, text name,
                               const program_options& options = {}) {
  program_options all = options;
  all.kernels.push_back(name.get());
  const tenon_program_options c = all.c();
  tenon_program* program = nullptr;
  tenon_kernel* made = nullptr;
  int32_t code = tenon_program_create(device.get(), source.data(), source.size(), &c, &program);
  if (code == TENON_OK) code = tenon_program_kernel(program, name.get(), &made);
  tenon_program_release(program);
  return detail::finish(code, [&] { return adopt<kernel>(made); });
}

namespace detail {

// Replaces `owned`, which may be NULL and is released, by a view of x with one more axis, of extent 1.
inline int32_t add_axis(const tenon_array* x, int32_t from_end, tenon_array*& owned) noexcept {
  tenon_array_info info{};
  int64_t shape[TENON_MAX_RANK + 1];
  tenon_array* view = nullptr;
  int32_t code = describe(x, info);
  const int32_t at = info.rank - from_end;
  for (int32_t i = 0; code == TENON_OK && i <= info.rank; ++i)
    shape[i] = i < at ? info.shape[i] : i == at ? 1 : info.shape[i - 1];
  if (code == TENON_OK) code = tenon_array_reshape(x, info.rank + 1, shape, &view);
  tenon_array_release(owned);
  owned = view;
  return code;
}
// Replaces an array by its view without an axis of extent 1.
inline int32_t drop_axis(int32_t axis, tenon_array*& owned) noexcept {
  tenon_array* view = nullptr;
  const int32_t code = tenon_array_index(owned, axis, 0, &view);
  tenon_array_release(owned);
  owned = view;
  return code;
}
inline bool is_vector(ref<tenon_array> x) noexcept {
  tenon_array_info info{};
  return x.get() && describe(x.get(), info) == TENON_OK && info.rank == 1;
}

inline outcome<dynamic_array> product_with_vector(ref<tenon_array> a, ref<tenon_array> b, const gemm_options& options,
                                                  ref<tenon_stream> stream, const into& c) {
  const bool row = is_vector(a), column = is_vector(b);
  tenon_array *left = nullptr, *right = nullptr, *product = nullptr;
  int32_t code = TENON_OK;
  if (row) code = add_axis(a.get(), 1, left);
  if (code == TENON_OK && column) code = add_axis(b.get(), 0, right);
  if (c.get()) {
    if (code == TENON_OK && column) code = add_axis(c.get(), 0, product);
    if (code == TENON_OK && row) code = add_axis(product ? product : c.get(), 1, product);
  }
  const tenon_gemm_options given = options.c();
  if (code == TENON_OK)
    code = tenon_gemm(nullptr, row ? left : a.get(), column ? right : b.get(), nullptr, &given, stream.get(), &product);
  if (code == TENON_OK && column && !c.get()) code = drop_axis(-1, product);
  if (code == TENON_OK && row && !c.get()) code = drop_axis(column ? -1 : -2, product);
  tenon_array_release(left);
  tenon_array_release(right);
  const dynamic_array made = adopt<dynamic_array>(product);
  return finish(code, [&] { return c.get() ? share<dynamic_array>(c.get()) : made; });
}

}  // namespace detail

// a b (tenon_gemm without scalars). A vector on the left is a row, a vector on the right a column, and the product does
// not have the vector's axis.
inline outcome<dynamic_array> matmul(ref<tenon_array> a, ref<tenon_array> b, const gemm_options& options = {},
                                     ref<tenon_stream> stream = {}, const into& c = {}) {
  if (detail::is_vector(a) || detail::is_vector(b)) return detail::product_with_vector(a, b, options, stream, c);
  return gemm(none, a, b, none, options, stream, c);
}

// Imports an array of another library. The tensor is consumed on success only.
inline outcome<dynamic_array> from_dlpack(dlpack_tensor&& tensor, ref<tenon_stream> stream = {},
                                          ref<tenon_context> context = {}) {
  tenon_array* out = nullptr;
  const int32_t code = tenon_array_from_dlpack_versioned(context.get(), tensor.get(), stream.get(), &out);
  if (code == TENON_OK) (void)tensor.release();
  return detail::finish(code, [&] { return adopt<dynamic_array>(out); });
}

// A context that passes its log lines to log(log_kind, std::string_view).
template <class F> outcome<context> make_context(context_options options, F&& log) {
  using function = detail::callback<std::decay_t<F>>;
  auto owned = std::make_unique<std::decay_t<F>>(std::forward<F>(log));
  options.log = function::log;
  options.log_user = owned.get();
  options.log_destroy = function::destroy;
  const tenon_context_options c = options.c();
  tenon_context* out = nullptr;
  const int32_t code = tenon_context_create(&c, &out);
  if (code == TENON_OK) (void)owned.release();
  return detail::finish(code, [&] { return adopt<context>(out); });
}

// Products of pairs of matrices of any shapes (tenon_gemm_grouped).
inline outcome<std::vector<dynamic_array>> gemm_grouped(const operand& alpha, const arrays& a, const arrays& b,
                                                        const operand& beta = {}, const gemm_options& options = {},
                                                        ref<tenon_stream> stream = {}) {
  using products = std::vector<dynamic_array>;
  if (a.size() != b.size())
    return detail::refuse<products>(status::invalid_argument, "gemm_grouped: a and b must be of one length");
  const tenon_gemm_options c = options.c();
  std::vector<tenon_array*> made(a.size());
  const int32_t code = tenon_gemm_grouped(static_cast<int64_t>(a.size()), alpha.get(), a.data(), b.data(), beta.get(),
                                          &c, stream.get(), made.data());
  return detail::finish(code, [&] {
    products all;
    for (tenon_array* product : made) all.push_back(adopt<dynamic_array>(product));
    return all;
  });
}

// The terms that each step of einsum combines (tenon_einsum_path).
inline outcome<std::vector<std::pair<int32_t, int32_t>>> einsum_path(text subscripts, const arrays& operands) {
  std::vector<int32_t> first(operands.size()), second(operands.size());
  const int32_t code = tenon_einsum_path(subscripts.get(), operands.data(), detail::number<int32_t>(operands.size()),
                                         first.data(), second.data());
  return detail::finish(code, [&] {
    std::vector<std::pair<int32_t, int32_t>> path;
    for (std::size_t i = 0; i + 1 < first.size(); ++i) path.emplace_back(first[i], second[i]);
    return path;
  });
}

// Keys for independent programs (tenon_random_split).
inline outcome<std::vector<uint64_t>> random_split(uint64_t key, int64_t count) {
  std::vector<uint64_t> keys(count < 0 ? 0 : static_cast<size_t>(count));
  const int32_t code = tenon_random_split(key, count, keys.data());
  return detail::finish(code, [&] { return std::move(keys); });
}

}  // namespace TENON_CXX_MODE
}  // namespace tenon

#include <tenon/cxx/expressions.hpp>
#endif
