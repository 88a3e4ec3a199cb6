// core/call.hpp: the stream of a call that names none.
//
// Arrays may belong to a framework that reports its current stream, or be lent to one (core/buffer.hpp). A call that is
// given no stream then works where that framework does, and the streams of other frameworks that share its arrays wait
// for it at its end.
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
  // The name is the function's, and stays.
  explicit CallScope(const char* name) noexcept : outer_(current_), name_(name) { current_ = this; }
  ~CallScope() {
    current_ = outer_;
    if (work_) [[unlikely]]
      finish();
  }
  CallScope(const CallScope&) = delete;

  // A buffer that the call works on; only those that are shared matter.
  static void opened(Buffer& buffer) {
    if (buffer.shared() && current_) [[unlikely]]
      current_->add(buffer);
  }
  // The stream that NULL means on the device, and the stream that was given: what captures it is asked once in this
  // call.
  static Stream& meant(Device& device);
  static void given(Stream& stream) {
    if (stream.known_to_others() && current_) [[unlikely]]
      current_->enter(stream);
  }

  // The call that the program made: callbacks' calls are parts of it. NULL outside of all calls.
  static CallScope* outermost() noexcept;
  static bool nested() noexcept { return current_ && current_->outer_; }
  // The innermost call; NULL outside of all calls.
  static const CallScope* current() noexcept { return current_; }
  const char* name() const noexcept { return name_; }

  // While a function of the program runs within a call, the calls that it makes are the program's own, not parts of it.
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
  const Recording* recorded_in_ = nullptr;  // work of the call is node number node_ there
  size_t node_ = 0;
  struct Work {
    std::vector<Ref<Buffer>> shared;
    std::vector<Ref<Stream>> entered;
    std::vector<Ref<Stream>> chosen;  // one for each device where NULL meant something
  };
  Work& work();
  std::unique_ptr<Work> work_;  // made at the first use, which most calls do not have
};

}  // namespace tenon
