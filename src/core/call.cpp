// core/call.cpp: chooses the stream of a call that names none, and makes frameworks that share its arrays wait for
// it.
#include "core/call.hpp"

#include <algorithm>

namespace tenon {

thread_local constinit CallScope* CallScope::current_ = nullptr;

CallScope* CallScope::outermost() noexcept {
  CallScope* scope = current_;
  while (scope && scope->outer_) scope = scope->outer_;
  return scope;
}

void CallScope::add(Buffer& buffer) {
  busy_ = true;
  shared_.push_back(Ref<Buffer>(&buffer));
}

void CallScope::enter(Stream& stream) {
  busy_ = true;
  if (std::any_of(entered_.begin(), entered_.end(), [&](const Ref<Stream>& one) { return one.get() == &stream; }))
    return;
  entered_.push_back(Ref<Stream>(&stream));
  stream.enter();
}

Stream& CallScope::meant(Device& device) {
  if (!current_ || current_->shared_.empty()) [[likely]]
    return device.default_stream();
  return current_->choose(device);
}

Stream& CallScope::choose(Device& device) {
  for (const Ref<Stream>& stream : chosen_)
    if (&stream->device() == &device) return *stream;
  Ref<Stream> stream;
  for (const Ref<Buffer>& buffer : shared_)
    if (&buffer->device() == &device && (stream = buffer->current_stream())) break;
  if (!stream) stream = Ref<Stream>(&device.default_stream());
  if (stream->known_to_others()) enter(*stream);
  chosen_.push_back(stream);
  return *stream;
}

void CallScope::finish() noexcept {
  for (const Ref<Stream>& stream : chosen_) {
    try {
      std::vector<Ref<Stream>> waiting;
      for (const Ref<Buffer>& buffer : shared_)
        if (&buffer->device() == &stream->device()) buffer->partners(*stream, waiting);
      for (const Ref<Stream>& partner : waiting) partner->wait_for(*stream);
    } catch (...) {  // where a stream cannot be made to wait, the host does; a lost device runs nothing any more
      try {
        stream->synchronize();
      } catch (...) {
      }
    }
  }
  for (const Ref<Stream>& stream : entered_) stream->leave();
}

}  // namespace tenon
