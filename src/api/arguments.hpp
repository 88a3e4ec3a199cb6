// api/arguments.hpp: what C callers give to kernels, operations and routines, in the library's own form, and back for
// host code. Handles of arguments are opened and made here only.
#pragma once
#include <forward_list>
#include <memory>
#include "api/guard.hpp"
#include "core/array/argument.hpp"

namespace tenon::api {

// The arguments of one call, opened; they live as long as this does. Allocates nothing for up to 64 of them.
class CallArguments {
 public:
  // Throws INVALID_ARGUMENT for an invalid list. Invalid handles and a wrong number of arguments are reported by the
  // callee, which knows the arguments' names: it takes `takes` arguments, and no more are read, but it gets the
  // caller's `count`.
  CallArguments(const tenon_arg* given, int32_t count, int32_t takes)
      : CallArguments(given, count, takes, [](int32_t) { return true; }) {}
  // Arguments for which read(index) is false are treated as not given.
  template <class Read> CallArguments(const tenon_arg* given, int32_t count, int32_t takes, Read&& read)
      : count_(count) {
    need_list(given, count, "args");
    const int32_t known = std::min(count, takes);
    if (known > kHere) many_ = std::make_unique<CallArgument[]>(size_t(known));
    data_ = many_ ? many_.get() : given ? here_ : nullptr;
    for (int32_t i = 0; i < known; ++i)
      if (read(i)) take(given[i], data_[i]);
      else data_[i] = {};
  }
  CallArguments(const CallArguments&) = delete;

  const CallArgument* data() const { return data_; }
  int32_t count() const { return count_; }

 private:
  static constexpr int32_t kHere = 64;
  void take(const tenon_arg& given, CallArgument& out) {
    out.kind = given.kind;
    out.dtype = given.dtype;
    out.size = given.size;
    out.array = nullptr;
    static_assert(sizeof out.value == sizeof given.value);
    std::memcpy(&out.value, &given.value, sizeof out.value);
    if (!out.is_array()) {
      if (out.is_texture()) [[unlikely]]
        take_texture(given.value.texture, out);
      return;
    }
    out.array = static_cast<Array*>(slot_peek(given.value.array, HandleKind::array));
    if (out.array) [[likely]]
      CallScope::opened(out.array->buffer());
    else refuse(given.value.array, out);
  }
  void refuse(const tenon_array* handle, CallArgument& out);
  void take_texture(const tenon_texture* handle, CallArgument& out);

  const int32_t count_;
  CallArgument* data_;
  std::unique_ptr<CallArgument[]> many_;
  std::forward_list<Error> refused_;
  CallArgument here_[kHere];
};

// The same arguments for a host function, which borrows them. New handles of the arrays are made for the call, because
// temporaries have none, and another thread may release the caller's in the meantime.
class HostArguments {
 public:
  HostArguments(const CallArgument* args, int32_t count);
  ~HostArguments();
  HostArguments(const HostArguments&) = delete;
  const tenon_arg* data() const { return many_ ? many_.get() : here_; }

 private:
  static constexpr int32_t kHere = 64;
  void release() noexcept;
  int32_t count_ = 0;
  std::unique_ptr<tenon_arg[]> many_;
  tenon_arg here_[kHere];
};

// The launch that the caller describes; zeros are not replaced.
Geometry geometry_from(const tenon_launch* launch);

// The scalar in an argument; `what` names it. INVALID_ARGUMENT: it is not a scalar, or not of its dtype's size;
// DTYPE.
Scalar scalar_from(const tenon_arg& arg, const char* what);

}  // namespace tenon::api
