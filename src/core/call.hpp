// core/call.hpp: the stream of a call without a stream argument.
//
// Arrays may belong to a framework that reports its current stream, or be lent to one (core/buffer.hpp). A call without
// a stream works on that framework's stream, and at its end the streams of other frameworks that share its arrays wait
// for it.
#pragma once
#include <array>
#include <memory>
#include <utility>
#include <vector>
#include "core/buffer.hpp"

namespace tenon {

// One call of the public interface, on its thread; calls may nest (a callback may call Tenon).
class CallScope {
 public:
  // The name is that of the function; it must stay valid.
  explicit CallScope(const char* name) noexcept : outer_(current_), name_(name) { current_ = this; }
  ~CallScope() {
    current_ = outer_;
    if (work_) [[unlikely]]
      finish();
  }
  CallScope(const CallScope&) = delete;

  // A buffer that the call works on; has an effect only for shared buffers.
  static void opened(Buffer& buffer) {
    if (buffer.shared() && current_) [[unlikely]]
      current_->add(buffer);
  }
  // meant: the stream that NULL means on the device. given: the stream that was passed; its capture state is queried
  // once per call.
  static Stream& meant(Device& device);
  static void given(Stream& stream) {
    if (stream.known_to_others() && current_) [[unlikely]]
      current_->enter(stream);
  }

  // The call that the program made: calls from its callbacks are parts of it. NULL outside of all calls.
  static CallScope* outermost() noexcept;
  static bool nested() noexcept { return current_ && current_->outer_; }
  // The innermost call; NULL outside of all calls.
  static const CallScope* current() noexcept { return current_; }
  const char* name() const noexcept { return name_; }

  // While it lives, a function of the program runs within a call, and calls that it makes are the program's own, not
  // parts of the outer call.
  class Aside {
   public:
    Aside() noexcept : kept_(std::exchange(current_, nullptr)) {}
    ~Aside() { current_ = kept_; }
    Aside(const Aside&) = delete;

   private:
    CallScope* const kept_;
  };

 private:
  friend class Recording;
  void add(Buffer& buffer);
  void enter(Stream& stream);
  Stream& choose(Device& device);
  void finish() noexcept;

  static thread_local constinit CallScope* current_;
  CallScope* const outer_;
  const char* const name_;
  const Recording* recorded_in_ = nullptr;  // the recording in which the call's work is node number node_
  size_t node_ = 0;
  struct Work {
    std::vector<Ref<Buffer>> shared;
    std::vector<Ref<Stream>> entered;
    std::vector<Ref<Stream>> chosen;  // one per device on which NULL was passed
  };
  Work& work();
  void keep_work() noexcept;
  std::unique_ptr<Work> work_;  // made on first use; most calls do not need it
};

}  // namespace tenon
