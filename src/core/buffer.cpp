// core/buffer.cpp: who owns memory, and which streams must be waited for before it is used or given back.
#include "core/buffer.hpp"

#include <algorithm>
#include "core/record.hpp"
#include "core/recording.hpp"

namespace tenon {

Ref<Buffer> Buffer::create(Device& device, uint64_t bytes, int32_t kind, Stream& asked) {
  Stream& stream = asked.recording() ? asked.recording()->home() : asked;
  auto buffer = Ref<Buffer>::adopt(new Buffer(device, kind));
  buffer->home_ = Ref<Stream>(&stream);
  if (bytes) buffer->data_ = device.allocate(bytes, kind, stream);
  buffer->bytes_ = bytes;
  // The block may have been used by earlier work on its home stream: other streams wait for that as for a writer.
  buffer->writer_ = buffer->home_;
  buffer->wrote_.store(true, std::memory_order_relaxed);
  buffer->only_.store(&stream, std::memory_order_release);
  return buffer;
}

Ref<Buffer> Buffer::wrap(Device& device, void* data, uint64_t bytes, int32_t kind, bool read_only) {
  device.context().collect();
  auto buffer = Ref<Buffer>::adopt(new Buffer(device, kind));
  buffer->data_ = data;
  buffer->bytes_ = bytes;
  buffer->read_only_ = read_only;
  return buffer;
}

Buffer::~Buffer() {
  if (home_) {
    if (!data_) return;
    try {
      if (writer_ && writer_.get() != home_.get()) home_->wait_for(*writer_);
      for (Ref<Stream>& reader : readers_)
        if (reader.get() != home_.get()) home_->wait_for(*reader);
    } catch (...) {  // a lost device runs nothing any more; deallocate knows
    }
    device_.deallocate(data_, bytes_, kind_, *home_);
    return;
  }
  if (!destroy_) return;
  std::vector<Ref<Event>> events;
  try {
    auto remember = [&](Ref<Stream>& stream) {
      // The CPU's work is done when its call returns. Asking its stream would also take the fault that waits there.
      if (!stream || stream->device().kind() == TENON_DEVICE_CPU || stream->query()) return;
      Ref<Event> event = stream->device().create_event(false);
      event->record(*stream);
      events.push_back(std::move(event));
    };
    if (used_.load(std::memory_order_relaxed)) remember(writer_);
    for (Ref<Stream>& reader : readers_) remember(reader);
    if (!events.empty()) {
      context_->give_back_after(std::move(events), destroy_, user_);
      return;
    }
  } catch (...) {
  }
  call_host(destroy_, user_);
}

bool Buffer::reachable_from(const Device& device) const {
  return &device == &device_ || (device.kind() == TENON_DEVICE_CPU && kind_ != TENON_MEMORY_DEVICE);
}

void Buffer::use_slowly(Stream& stream, bool write) {
  if (Recording* recording = stream.recording()) return recording->use(*this, write);
  if (!context_->tracks_streams()) return;
  std::lock_guard lock(mutex_);
  const bool is_writer = writer_.get() == &stream;
  auto is_this = [&](const Ref<Stream>& reader) { return reader.get() == &stream; };
  if (write) {
    if (writer_ && !is_writer) stream.wait_for(*writer_);
    for (Ref<Stream>& reader : readers_)
      if (!is_this(reader)) stream.wait_for(*reader);
    readers_.clear();
    if (!is_writer) writer_ = Ref<Stream>(&stream);
  } else if (!is_writer && std::none_of(readers_.begin(), readers_.end(), is_this)) {
    readers_.reserve(readers_.size() + 1);  // before the wait, so that nothing is half done when memory runs out
    if (writer_) stream.wait_for(*writer_);
    readers_.push_back(Ref<Stream>(&stream));
  }
  const bool wrote = writer_.get() == &stream;
  const bool alone = (!writer_ || wrote) && std::all_of(readers_.begin(), readers_.end(), is_this);
  wrote_.store(wrote, std::memory_order_relaxed);
  only_.store(alone ? &stream : nullptr, std::memory_order_release);
}

void Buffer::use_on_host(bool write) { use(context_->cpu().default_stream(), write); }

void Buffer::order_before(Stream& stream, bool write) {
  std::lock_guard lock(mutex_);
  if (writer_ && writer_.get() != &stream) stream.wait_for(*writer_);
  if (!write) return;
  for (Ref<Stream>& reader : readers_)
    if (reader.get() != &stream) stream.wait_for(*reader);
}

}  // namespace tenon
