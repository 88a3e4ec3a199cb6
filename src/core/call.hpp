// core/call.hpp: which stream a call without one works on.
//
// Arrays may belong to a framework that tells its current stream, or be lent to one (core/buffer.hpp). A call that is given no
// stream then works where that framework does, and the streams of other frameworks that share its arrays wait for it at its end.
#pragma once
#include <array>
#include <vector>
#include "core/buffer.hpp"

namespace tenon {

// One call of the public interface, on its thread; calls may nest (a callback may call Tenon).
class CallScope {
 public:
  CallScope() noexcept : outer_(current_) { current_ = this; }
  ~CallScope() {
    current_ = outer_;
    if (busy_) [[unlikely]] finish();
  }
  CallScope(const CallScope&) = delete;

  // A buffer that the call works on; only those that are shared matter.
  static void opened(Buffer& buffer) {
    if (buffer.shared() && current_) [[unlikely]] current_->add(buffer);
  }
  // The stream that NULL means on the device, and the stream that was given: what captures it is asked once in this call.
  static Stream& meant(Device& device);
  static void given(Stream& stream) {
    if (stream.known_to_others() && current_) [[unlikely]] current_->enter(stream);
  }

 private:
  void add(Buffer& buffer);
  void enter(Stream& stream);
  Stream& choose(Device& device);
  void finish() noexcept;

  static thread_local constinit CallScope* current_;
  CallScope* const outer_;
  bool busy_ = false;
  std::vector<Ref<Buffer>> shared_;
  std::vector<Ref<Stream>> entered_;
  std::vector<Ref<Stream>> chosen_;  // one for each device where NULL meant something
};

}  // namespace tenon
