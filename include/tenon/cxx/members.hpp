// tenon/cxx/members.hpp: what the classes of handles have beyond the functions of C: launches, host copies, callbacks.
#ifndef TENON_CXX_MEMBERS_HPP
#define TENON_CXX_MEMBERS_HPP

#include <tenon/cxx/argument.hpp>
#include <tenon/cxx/core.hpp>

#include <limits>

namespace tenon {
inline namespace TENON_CXX_MODE {

template <class T, int N> class array;
class dynamic_array;
class call;

// A number of blocks or threads along x, y and z.
class dim {
 public:
  template <class X, class Y = int, class Z = int, class = std::enable_if_t<std::is_integral_v<X>>>
  constexpr dim(X x, Y y = 1, Z z = 1) noexcept : extents_{fit(x), fit(y), fit(z)} {}
  constexpr uint32_t operator[](int axis) const noexcept { return extents_[axis]; }

 private:
  // A value that does not fit becomes a number that the library refuses, with an error that names the limit.
  template <class X> static constexpr uint32_t fit(X x) noexcept {
    constexpr uint32_t most = std::numeric_limits<uint32_t>::max();
    if constexpr (std::is_signed_v<X>) {
      if (x < 0) return most;
    }
    return static_cast<uint64_t>(x) > most ? most : static_cast<uint32_t>(x);
  }
  uint32_t extents_[3];
};

// A kernel with its geometry and stream, to be called with arguments any number of times. It holds no references: the
// kernel and the stream must outlive it.
class launcher {
 public:
  launcher(ref<tenon_kernel> kernel, const tenon_launch& launch, ref<tenon_stream> stream) noexcept
      : kernel_(kernel.get()), stream_(stream.get()), launch_(launch) {}

  // Bytes of dynamic shared memory.
  launcher shared(uint32_t bytes) const noexcept {
    return with([&](tenon_launch& l) { l.shared_bytes = bytes; });
  }
  launcher cluster(dim blocks) const noexcept {
    return with([&](tenon_launch& l) {
      for (int axis = 0; axis < 3; ++axis) l.cluster[axis] = blocks[axis];
    });
  }
  launcher flags(launch_flags flags) const noexcept {
    return with([&](tenon_launch& l) { l.flags = static_cast<uint32_t>(flags); });
  }
  const tenon_launch& c() const noexcept { return launch_; }

  // Launches (tenon_kernel_launch). Arguments: arrays, numbers of exactly the parameters' types, plain structs, and the
  // results of tenon::strided and tenon::pointer. Allocates nothing.
  template <class... Args> outcome<void> operator()(const Args&... args) const {
    if constexpr (sizeof...(Args) == 0) {
      return detail::finish(tenon_kernel_launch(kernel_, &launch_, nullptr, 0, stream_));
    } else {
      const tenon_arg list[] = {detail::argument(args)...};
      constexpr int32_t count = sizeof...(Args);
      return detail::finish(tenon_kernel_launch(kernel_, &launch_, list, count, stream_));
    }
  }
  // Checks and packs geometry and arguments once, to be launched many times (tenon_call_create).
  template <class... Args> outcome<call> bind(const Args&... args) const;

 private:
  template <class F> launcher with(F&& change) const noexcept {
    launcher changed = *this;
    change(changed.launch_);
    return changed;
  }
  tenon_kernel* kernel_;
  tenon_stream* stream_;
  tenon_launch launch_;
};

// A tensor to be passed to another library by DLPack (version 1.x). This object owns it until release().
class dlpack_tensor {
 public:
  dlpack_tensor() noexcept = default;
  explicit dlpack_tensor(DLManagedTensorVersioned* tensor) noexcept : tensor_(tensor) {}
  dlpack_tensor(dlpack_tensor&& other) noexcept : tensor_(other.release()) {}
  dlpack_tensor& operator=(dlpack_tensor&& other) noexcept {
    std::swap(tensor_, other.tensor_);
    return *this;
  }
  ~dlpack_tensor() {
    if (const deleter end = deleter_of(tensor_)) end(tensor_);
  }
  DLManagedTensorVersioned* get() const noexcept { return tensor_; }
  // Transfers the tensor to the caller, who runs its deleter.
  [[nodiscard]] DLManagedTensorVersioned* release() noexcept { return std::exchange(tensor_, nullptr); }

 private:
  using deleter = void (*)(DLManagedTensorVersioned*);
  // The struct begins with its version (8 bytes), the producer's pointer and the deleter, in every version 1.x.
  static deleter deleter_of(DLManagedTensorVersioned* tensor) noexcept {
    deleter found = nullptr;
    if (tensor) std::memcpy(&found, reinterpret_cast<const char*>(tensor) + 8 + sizeof(void*), sizeof(found));
    return found;
  }
  DLManagedTensorVersioned* tensor_ = nullptr;
};

namespace detail {

// A function object as the library's (function, destroy, user). Exceptions that it throws are dropped.
template <class F> struct callback {
  static void run(void* user) noexcept {
#if defined(__cpp_exceptions)
    try {
      (*static_cast<F*>(user))();
    } catch (...) {
    }
#else
    (*static_cast<F*>(user))();
#endif
  }
  static void destroy(void* user) noexcept { delete static_cast<F*>(user); }
  static void log(void* user, int32_t level, const char* message) noexcept {
#if defined(__cpp_exceptions)
    try {
      (*static_cast<F*>(user))(static_cast<log_kind>(level), std::string_view(message));
    } catch (...) {
    }
#else
    (*static_cast<F*>(user))(static_cast<log_kind>(level), std::string_view(message));
#endif
  }
};

inline int32_t describe(const tenon_array* array, tenon_array_info& info) noexcept {
  info.struct_size = sizeof(info);
  return tenon_array_get_info(array, &info);
}

template <class Self> struct array_members {
  outcome<tenon::dtype> dtype() const {
    return ask([](const tenon_array_info& i) { return static_cast<tenon::dtype>(i.dtype); });
  }
  outcome<int32_t> rank() const {
    return ask([](const tenon_array_info& i) { return i.rank; });
  }
  outcome<int64_t> size() const {
    return ask([](const tenon_array_info& i) { return i.size; });
  }
  // The extents and strides, in elements; they live as long as the array.
  outcome<list<const int64_t>> shape() const {
    return ask([](const tenon_array_info& i) { return list<const int64_t>(i.shape, static_cast<size_t>(i.rank)); });
  }
  outcome<list<const int64_t>> strides() const {
    return ask([](const tenon_array_info& i) { return list<const int64_t>(i.strides, static_cast<size_t>(i.rank)); });
  }
  // The address of the element at index 0, in the device's memory.
  outcome<void*> address() const {
    return ask([](const tenon_array_info& i) { return i.data; });
  }
  // The elements start, start + step, ... before stop along one axis, all of the others, as a view (tenon_array_slice).
  outcome<dynamic_array> slice_along(int32_t axis, int64_t start, int64_t stop, int64_t step = 1) const;
  // All axes in the opposite order, as a view.
  outcome<dynamic_array> reversed() const;
  // The same array with its dtype and rank known at compile time. DTYPE, SHAPE: the array has a different dtype or
  // rank.
  template <class T, int N> outcome<array<T, N>> as() const;
  // A copy of all elements in C order. DTYPE: T is not the array's element type.
  template <class T> outcome<std::vector<T>> to_vector(ref<tenon_stream> stream = {}) const;
  // The element of an array that has one. SHAPE: it has more or none; DTYPE: T is not the array's element type.
  template <class T> outcome<T> item(ref<tenon_stream> stream = {}) const;
  // The array for another library, without a copy if the strides allow it (tenon_array_to_dlpack_versioned).
  outcome<dlpack_tensor> dlpack(dlpack_flags flags = {}, ref<tenon_stream> stream = {}) const {
    DLManagedTensorVersioned* tensor = nullptr;
    const int32_t code = tenon_array_to_dlpack_versioned(raw(), static_cast<uint32_t>(flags), stream.get(), &tensor);
    return finish(code, [&] { return dlpack_tensor(tensor); });
  }

 private:
  tenon_array* raw() const noexcept { return static_cast<const Self*>(this)->get(); }
  template <class F> auto ask(F&& what) const -> outcome<decltype(what(std::declval<const tenon_array_info&>()))> {
    tenon_array_info info{};
    const int32_t code = describe(raw(), info);
    return finish(code, [&] { return what(info); });
  }
};

template <class Self> struct kernel_members {
  // kernel(grid, block, stream)(args...)
  launcher operator()(dim grid, dim block, ref<tenon_stream> stream = {}) const noexcept {
    tenon_launch launch{};
    launch.struct_size = sizeof(launch);
    for (int axis = 0; axis < 3; ++axis) {
      launch.grid[axis] = grid[axis];
      launch.block[axis] = block[axis];
    }
    return launcher(raw(), launch, stream);
  }
  // A thread for each of `count` elements along x, in blocks of a size that suits the device (tenon_launch_for).
  outcome<launcher> over(uint64_t count, ref<tenon_stream> stream = {}) const {
    tenon_launch launch{};
    launch.struct_size = sizeof(launch);
    const int32_t code = tenon_launch_for(raw(), count, &launch);
    return finish(code, [&] { return launcher(raw(), launch, stream); });
  }

 private:
  tenon_kernel* raw() const noexcept { return static_cast<const Self*>(this)->get(); }
};

template <class Self> struct operation_members {
  // Runs the operation on the default stream. Pass the parameters in the contract's order, outputs included;
  // tenon::none means a default.
  template <class... Args> outcome<void> operator()(const Args&... args) const { return on(nullptr, args...); }
  // The same on a stream.
  template <class... Args> outcome<void> on(ref<tenon_stream> stream, const Args&... args) const {
    const tenon_arg list[] = {value(args)...};
    return finish(tenon_operation_call(static_cast<const Self*>(this)->get(), list, sizeof...(Args), stream.get()));
  }

 private:
  template <class T> static tenon_arg value(const T& x) noexcept {
    if constexpr (std::is_same_v<T, none_t>) return tenon_arg{};
    else return argument(x);
  }
};

template <class Self> struct blob_members {
  // The bytes; they live as long as the blob.
  outcome<std::string_view> view() const {
    const void* data = nullptr;
    uint64_t size = 0;
    const int32_t code = tenon_blob_data(static_cast<const Self*>(this)->get(), &data, &size);
    return finish(code, [&] { return std::string_view(static_cast<const char*>(data), static_cast<size_t>(size)); });
  }
};

template <class Self> struct stream_members {
  // Runs work() when the work enqueued on the stream so far has finished (tenon_stream_call_host, whose rules apply to
  // the function).
  template <class F> outcome<void> run(F&& work) const {
    using function = callback<std::decay_t<F>>;
    auto owned = std::make_unique<std::decay_t<F>>(std::forward<F>(work));
    const int32_t code =
        tenon_stream_call_host(static_cast<const Self*>(this)->get(), function::run, function::destroy, owned.get());
    if (code == TENON_OK) (void)owned.release();
    return finish(code);
  }
};

}  // namespace detail

}  // namespace TENON_CXX_MODE
}  // namespace tenon
#endif
