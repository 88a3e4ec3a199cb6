// tenon/cxx/core.hpp: what the rest of tenon.hpp is made of: failures, owning handles, and the types of parameters.
#ifndef TENON_CXX_CORE_HPP
#define TENON_CXX_CORE_HPP

#include <tenon/cxx/enumerations.hpp>
#include <tenon/tenon.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#if defined(__has_include)
#if __has_include(<version>)
#include <version>
#endif
#endif
#if defined(__cpp_lib_expected) && __cpp_lib_expected >= 202202L
#include <expected>
#endif

// How failures are reported: 1, by an exception tenon::error; 0, by a returned tenon::result. A program may define it
// before it includes the first header of Tenon. Parts of one program may use different values: the functions then have
// different linker names.
#if !defined(TENON_EXCEPTIONS)
#if defined(__cpp_exceptions)
#define TENON_EXCEPTIONS 1
#else
#define TENON_EXCEPTIONS 0
#endif
#endif

#if TENON_EXCEPTIONS
#define TENON_CXX_MODE throwing
#else
#define TENON_CXX_MODE returning
#endif

#if defined(__GNUC__)
#define TENON_CXX_COLD __attribute__((cold, noinline))
#else
#define TENON_CXX_COLD
#endif

namespace tenon {
inline namespace TENON_CXX_MODE {

// A failure: the status, the library's text, and available details. Copies share one record.
class error : public std::exception {
 public:
  error() noexcept = default;

  // The calling thread's failure, for a call that has just returned `code`.
  TENON_CXX_COLD static error last(int32_t code) {
    tenon_error* found = nullptr;
    if (code != TENON_ERROR_NOT_READY) tenon_error_last(&found);  // NOT_READY leaves the record alone
    int32_t recorded = TENON_OK;
    if (found && (tenon_error_status(found, &recorded) != TENON_OK || recorded != code)) {
      tenon_error_release(found);
      found = nullptr;
    }
    std::string text = code == TENON_ERROR_NOT_READY ? "the work is not done yet" : tenon_status_name(code);
    return error(code, found, std::move(text));
  }
  // A failure that these headers detect themselves.
  TENON_CXX_COLD static error of(tenon::status code, std::string text) {
    return error(static_cast<int32_t>(code), nullptr, std::move(text));
  }

  tenon::status status() const noexcept {
    return static_cast<tenon::status>(record_ ? record_->code : static_cast<int32_t>(TENON_OK));
  }
  // One or two sentences: what was wrong, and what would be right.
  const char* what() const noexcept override {
    return record_ ? text_of(tenon_error_message, record_->text.c_str()) : "";
  }
  // The compiler's log, with the line numbers of the user's source; "" if there is none.
  const char* log() const noexcept { return text_of(tenon_error_log, ""); }
  // The call of a vendor library that failed ("" if there was none), and the code that it returned.
  const char* native_call() const noexcept { return native().first; }
  int64_t native_code() const noexcept { return native().second; }
  // The index of the matrix of a batch that caused the failure; -1: no single matrix.
  int64_t batch_index() const noexcept {
    int64_t index = -1;
    if (record_ && record_->object) tenon_error_batch_index(record_->object, &index);
    return index;
  }
  // Everything, for printing: the name of the status, the text, and the log.
  std::string text() const {
    std::string all = std::string(tenon_status_name(static_cast<int32_t>(status()))) + ": " + what();
    if (*log()) all += std::string("\n") + log();
    return all;
  }

 private:
  struct record {
    record(int32_t c, tenon_error* o, std::string t) : code(c), object(o), text(std::move(t)) {}
    record(const record&) = delete;
    record& operator=(const record&) = delete;
    ~record() { tenon_error_release(object); }
    int32_t code;
    tenon_error* object;  // may be null
    std::string text;     // the text if there is no object
  };

  error(int32_t code, tenon_error* object, std::string text)
      : record_(std::make_shared<record>(code, object, std::move(text))) {}

  const char* text_of(int32_t (*ask)(const tenon_error*, const char**), const char* otherwise) const noexcept {
    const char* text = otherwise;
    if (record_ && record_->object && ask(record_->object, &text) != TENON_OK) text = otherwise;
    return text;
  }
  std::pair<const char*, int64_t> native() const noexcept {
    const char* call = "";
    int64_t code = 0;
    if (record_ && record_->object) tenon_error_native(record_->object, &call, &code);
    return {call, code};
  }

  std::shared_ptr<const record> record_;
};

namespace detail {

[[noreturn]] TENON_CXX_COLD inline void raise(const error& failure) {
#if defined(__cpp_exceptions)
  throw failure;
#else
  (void)failure;
  std::terminate();
#endif
}

}  // namespace detail

// A value, or the error in its place. In C++23 it converts to std::expected.
template <class T> class [[nodiscard]] result {
 public:
  using value_type = T;
  using error_type = tenon::error;

  result(T value) : value_(std::move(value)) {}
  result(tenon::error failure) noexcept : error_(std::move(failure)) {}

  bool has_value() const noexcept { return value_.has_value(); }
  explicit operator bool() const noexcept { return has_value(); }
  // Throws the error if there is no value; without exceptions it terminates the program.
  T& value() & { return check(), *value_; }
  const T& value() const& { return check(), *value_; }
  T&& value() && { return check(), std::move(*value_); }
  T& operator*() & noexcept { return *value_; }
  const T& operator*() const& noexcept { return *value_; }
  T&& operator*() && noexcept { return std::move(*value_); }
  T* operator->() noexcept { return &*value_; }
  const T* operator->() const noexcept { return &*value_; }
  const tenon::error& error() const noexcept { return error_; }
  template <class U> T value_or(U&& other) && {
    return has_value() ? std::move(*value_) : static_cast<T>(std::forward<U>(other));
  }
  // Returns next(value), which must be a result too; or this error.
  template <class F> auto and_then(F&& next) && -> std::invoke_result_t<F, T&&> {
    if (!has_value()) return error_;
    return std::forward<F>(next)(std::move(*value_));
  }
#if defined(__cpp_lib_expected) && __cpp_lib_expected >= 202202L
  operator std::expected<T, tenon::error>() && {
    if (has_value()) return std::move(*value_);
    return std::unexpected(error_);
  }
#endif

 private:
  void check() const {
    if (!has_value()) detail::raise(error_);
  }

  std::optional<T> value_;
  tenon::error error_;
};

template <> class [[nodiscard]] result<void> {
 public:
  using value_type = void;
  using error_type = tenon::error;

  result() noexcept = default;
  result(tenon::error failure) noexcept : error_(std::move(failure)) {}

  bool has_value() const noexcept { return error_.status() == status::ok; }
  explicit operator bool() const noexcept { return has_value(); }
  void value() const {
    if (!has_value()) detail::raise(error_);
  }
  const tenon::error& error() const noexcept { return error_; }
  template <class F> auto and_then(F&& next) const -> std::invoke_result_t<F> {
    if (!has_value()) return error_;
    return std::forward<F>(next)();
  }
#if defined(__cpp_lib_expected) && __cpp_lib_expected >= 202202L
  operator std::expected<void, tenon::error>() const {
    if (has_value()) return {};
    return std::unexpected(error_);
  }
#endif

 private:
  tenon::error error_;
};

#if TENON_EXCEPTIONS

// The return type of a function that can fail: the value itself, since failures are thrown; or a result.
template <class T> using outcome = T;

// Runs `work` and returns its value, or its failure, as a result: for single calls in a program with exceptions.
template <class F> auto attempt(F&& work) -> result<std::invoke_result_t<F>> {
  try {
    if constexpr (std::is_void_v<std::invoke_result_t<F>>) {
      std::forward<F>(work)();
      return {};
    } else {
      return std::forward<F>(work)();
    }
  } catch (const error& failure) {
    return failure;
  }
}

#else

template <class T> using outcome = result<T>;

template <class F> auto attempt(F&& work) -> std::invoke_result_t<F> { return std::forward<F>(work)(); }

#endif

namespace detail {

#if TENON_EXCEPTIONS

[[noreturn]] TENON_CXX_COLD inline void fail(int32_t code) { raise(error::last(code)); }

inline void finish(int32_t code) {
  if (code != TENON_OK) fail(code);
}
template <class F> auto finish(int32_t code, F&& value) -> decltype(value()) {
  if (code != TENON_OK) fail(code);
  return value();
}
template <class T> [[noreturn]] T refuse(const error& failure) { raise(failure); }
template <class T> [[noreturn]] T refuse(status code, std::string text) { raise(error::of(code, std::move(text))); }

#else

inline result<void> finish(int32_t code) {
  if (code != TENON_OK) return error::last(code);
  return {};
}
template <class F> auto finish(int32_t code, F&& value) -> result<decltype(value())> {
  if (code != TENON_OK) return error::last(code);
  return value();
}
template <class T> result<T> refuse(const error& failure) { return failure; }
template <class T> result<T> refuse(status code, std::string text) { return error::of(code, std::move(text)); }

#endif

// The result of a query: whether the work is complete.
inline outcome<bool> finish_query(int32_t code) {
  return finish(code == TENON_ERROR_NOT_READY ? TENON_OK : code, [code] { return code == TENON_OK; });
}

template <class T, class U> T number(U value) noexcept { return static_cast<T>(value); }

}  // namespace detail

// The retain and release functions of a kind of handle; cxx/functions.hpp has a specialisation for each kind.
template <class H> struct handle_traits;

// A reference to an object of the library, or empty. A copy takes one more reference; copies may be used from any
// thread, as abi.h says. An empty handle means NULL: the default context, the default stream.
template <class H> class handle {
 public:
  handle() noexcept = default;
  handle(std::nullptr_t) noexcept {}
  handle(const handle& other) noexcept : object_(other.object_) { take(); }
  handle(handle&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  handle& operator=(handle other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~handle() {
    if (object_) handle_traits<H>::release(object_);
  }

  H* get() const noexcept { return object_; }
  explicit operator bool() const noexcept { return object_ != nullptr; }
  // Transfers the reference to the caller, who must release it.
  [[nodiscard]] H* detach() noexcept { return std::exchange(object_, nullptr); }
  void reset() noexcept { *this = handle(); }

 protected:
  struct owned {};
  handle(owned, H* object) noexcept : object_(object) {}

 private:
  void take() noexcept {
    if (object_ && handle_traits<H>::retain(object_) != TENON_OK) object_ = nullptr;
  }
  H* object_ = nullptr;
};

// `object` as a T (tenon::stream, tenon::dynamic_array ...) that takes over the caller's reference.
template <class T, class H> T adopt(H* object) noexcept { return T(typename T::adopting{}, object); }
// `object` as a T that takes one more reference.
template <class T, class H> T share(H* object) noexcept {
  if (object && handle_traits<H>::retain(object) != TENON_OK) object = nullptr;
  return adopt<T>(object);
}

// Whether two handles refer to the same object.
template <class A, class B> outcome<bool> same(const handle<A>& a, const handle<B>& b) {
  int32_t answer = 0;
  const int32_t code = tenon_same(a.get(), b.get(), &answer);
  return detail::finish(code, [&] { return answer != 0; });
}

struct none_t {};
// For an output: do not compute it. For a scalar: leave it out.
inline constexpr none_t none{};

// A handle as a parameter: an object of these classes, a C handle, or nothing.
template <class H> class ref {
 public:
  ref() noexcept = default;
  ref(std::nullptr_t) noexcept {}
  ref(none_t) noexcept {}
  ref(H* object) noexcept : object_(object) {}
  ref(const handle<H>& object) noexcept : object_(object.get()) {}
  H* get() const noexcept { return object_; }

 private:
  H* object_ = nullptr;
};

// NUL-terminated text as a parameter, or nothing.
class text {
 public:
  text() noexcept = default;
  text(std::nullptr_t) noexcept {}
  text(const char* value) noexcept : value_(value) {}
  text(const std::string& value) noexcept : value_(value.c_str()) {}
  const char* get() const noexcept { return value_; }

 private:
  const char* value_ = nullptr;
};

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winit-list-lifetime"
#endif

// Contiguous elements as a parameter: an array, a vector, a span, or a braced list. A braced list lives until the end
// of the statement: do not store a tenon::list made from one.
template <class T> class list {
  template <class C> using pointer_of = decltype(std::data(std::declval<C&>()));
  template <class C> using if_container =
      std::enable_if_t<!std::is_same_v<std::remove_cv_t<std::remove_reference_t<C>>, list> &&
                       std::is_convertible_v<std::remove_pointer_t<pointer_of<C>> (*)[], T (*)[]>>;

 public:
  constexpr list() noexcept = default;
  constexpr list(T* data, std::size_t size) noexcept : data_(data), size_(size) {}
  template <class U = T, class = std::enable_if_t<std::is_const_v<U>>>
  constexpr list(std::initializer_list<std::remove_const_t<U>> values) noexcept
      : data_(values.begin()), size_(values.size()) {}
  template <class C, class = if_container<C>> constexpr list(C&& container) noexcept
      : data_(std::data(container)), size_(std::size(container)) {}

  constexpr T* data() const noexcept { return data_; }
  constexpr std::size_t size() const noexcept { return size_; }
  constexpr bool empty() const noexcept { return size_ == 0; }
  constexpr T* begin() const noexcept { return data_; }
  constexpr T* end() const noexcept { return data_ + size_; }
  constexpr T& operator[](std::size_t i) const noexcept { return data_[i]; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

// The last `count` axes, for functions that take axes.
inline list<const int32_t> last(std::size_t count) noexcept { return {nullptr, count}; }

// Host memory as a parameter: an address with a size in bytes, or any container of plain elements.
template <class Void> class memory {
  template <class T> static constexpr bool fits =
      std::is_trivially_copyable_v<T> && (std::is_const_v<Void> || !std::is_const_v<T>);

 public:
  memory() noexcept = default;
  memory(Void* data, uint64_t bytes) noexcept : data_(data), bytes_(bytes) {}
  template <class C, class T = std::remove_pointer_t<decltype(std::data(std::declval<C&>()))>,
            class = std::enable_if_t<fits<T> && !std::is_same_v<std::decay_t<C>, memory>>>
  memory(C&& container) noexcept : data_(std::data(container)), bytes_(std::size(container) * sizeof(T)) {}
  Void* data() const noexcept { return data_; }
  uint64_t size() const noexcept { return bytes_; }

 private:
  Void* data_ = nullptr;
  uint64_t bytes_ = 0;
};
using bytes = memory<const void>;
using writable_bytes = memory<void>;

// The destination of a result. By default a new array; an array: that array; none: the result is not computed.
class into {
 public:
  into() noexcept = default;
  into(none_t) noexcept : wanted_(false) {}
  into(const handle<tenon_array>& array) noexcept : array_(array.get()) {}
  into(tenon_array* array) noexcept : array_(array) {}
  tenon_array* get() const noexcept { return array_; }
  bool wanted() const noexcept { return wanted_; }

 private:
  tenon_array* array_ = nullptr;
  bool wanted_ = true;
};

// Several arrays as a parameter.
class arrays {
 public:
  arrays(std::initializer_list<ref<tenon_array>> list) {
    pointers_.reserve(list.size());
    for (const ref<tenon_array>& array : list) pointers_.push_back(array.get());
  }
  template <class C, class = decltype(std::begin(std::declval<const C&>())->get())> arrays(const C& container) {
    for (const auto& array : container) pointers_.push_back(array.get());
  }
  const tenon_array* const* data() const noexcept { return pointers_.data(); }
  std::size_t size() const noexcept { return pointers_.size(); }

 private:
  std::vector<const tenon_array*> pointers_;
};

namespace detail {

// The array that a call wrote: the one provided, or the new one.
template <class T> T written(tenon_array* array, const into& where) noexcept {
  return where.get() ? share<T>(array) : adopt<T>(array);
}

// Whether lists that are read together have the same length; an empty list means defaults.
inline bool agree(std::initializer_list<std::size_t> sizes) noexcept {
  std::size_t common = 0;
  for (std::size_t size : sizes) {
    if (size && common && size != common) return false;
    if (size) common = size;
  }
  return true;
}
inline std::size_t common(std::initializer_list<std::size_t> sizes) noexcept {
  std::size_t found = 0;
  for (std::size_t size : sizes) found = size ? size : found;
  return found;
}
// Their common length; -1, which the library refuses, if the lengths differ.
template <class T> T count_of(std::initializer_list<std::size_t> sizes) noexcept {
  return agree(sizes) ? static_cast<T>(common(sizes)) : static_cast<T>(-1);
}

}  // namespace detail

}  // namespace TENON_CXX_MODE
}  // namespace tenon
#endif
