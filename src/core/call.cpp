// core/call.cpp: chooses the stream of a call without a stream argument, and makes frameworks that share its arrays
// wait for it.
#include "core/call.hpp"

#include <algorithm>

#include "base/thread.hpp"

namespace tenon {

thread_local constinit CallScope* CallScope::current_ = nullptr;

CallScope* CallScope::outermost() noexcept {
  CallScope* scope = current_;
  while (scope && scope->outer_) scope = scope->outer_;
  return scope;
}

namespace {

// The lists of the thread's last call, empty, for its next one: calls on arrays that are shared with a framework then
// allocate nothing. Plain data without a destructor, so that it is usable while thread-local objects are destroyed.
struct Kept {
  void* work;
  bool asked, closed;
};
constinit thread_local Kept t_kept{};

}  // namespace

CallScope::Work& CallScope::work() {
  if (!work_ && t_kept.work) work_.reset(static_cast<Work*>(std::exchange(t_kept.work, nullptr)));
  if (!work_) work_ = std::make_unique<Work>();
  return *work_;
}

void CallScope::keep_work() noexcept {
  static base::AtThreadEnd at_end([](void*) {
    t_kept.closed = true;
    delete static_cast<Work*>(std::exchange(t_kept.work, nullptr));
  });
  work_->chosen.clear();
  work_->entered.clear();
  work_->shared.clear();  // may end the life of memory, and so run calls, which keep their lists
  if (t_kept.work || t_kept.closed || !(t_kept.asked = t_kept.asked || at_end.ask())) return;
  t_kept.work = work_.release();
}

void CallScope::add(Buffer& buffer) { work().shared.push_back(Ref<Buffer>(&buffer)); }

void CallScope::enter(Stream& stream) {
  std::vector<Ref<Stream>>& entered = work().entered;
  if (std::any_of(entered.begin(), entered.end(), [&](const Ref<Stream>& one) { return one.get() == &stream; })) return;
  entered.push_back(Ref<Stream>(&stream));
  stream.enter();
}

Stream& CallScope::meant(Device& device) {
  if (!current_ || !current_->work_ || current_->work_->shared.empty()) [[likely]]
    return device.default_stream();
  return current_->choose(device);
}

Stream& CallScope::choose(Device& device) {
  for (const Ref<Stream>& stream : work_->chosen)
    if (&stream->device() == &device) return *stream;
  Ref<Stream> stream;
  for (const Ref<Buffer>& buffer : work_->shared)
    if (&buffer->device() == &device && (stream = buffer->current_stream())) break;
  if (!stream) stream = Ref<Stream>(&device.default_stream());
  if (stream->known_to_others()) enter(*stream);
  work_->chosen.push_back(stream);
  return *stream;
}

void CallScope::finish() noexcept {
  for (const Ref<Stream>& stream : work_->chosen) {
    try {
      std::vector<Ref<Stream>> waiting;
      for (const Ref<Buffer>& buffer : work_->shared)
        if (&buffer->device() == &stream->device()) buffer->partners(*stream, waiting);
      for (const Ref<Stream>& partner : waiting) partner->wait_for(*stream);
    } catch (...) {  // if a stream cannot be made to wait, the host waits; a lost device runs nothing any more
      try {
        stream->synchronize();
      } catch (...) {
      }
    }
  }
  for (const Ref<Stream>& stream : work_->entered) stream->leave();
  keep_work();
}

}  // namespace tenon
