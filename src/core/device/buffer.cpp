// core/device/buffer.cpp: who owns memory, and which streams must finish before it is used or freed.
#include "core/device/buffer.hpp"

#include <algorithm>
#include "core/device/recording.hpp"

namespace tenon {

Ref<Buffer> Buffer::create(Device& device, uint64_t bytes, int32_t kind, Stream& requested) {
  Stream& stream = requested.recording() ? requested.recording()->home() : requested;
  auto buffer = Ref<Buffer>::adopt(new Buffer(device, kind));
  buffer->home_ = Ref<Stream>(&stream);
  buffer->of_capture_ = stream.capturing();
  if (bytes) buffer->data_ = device.allocate(bytes, kind, stream);
  buffer->bytes_ = bytes;
  // Earlier work on the home stream may have used the block: other streams wait for that as for a write.
  buffer->users_.add({buffer->home_, true, false});
  buffer->recorded_ = bytes && requested.recording();
  buffer->used_only_by(buffer->recorded_ ? nullptr : &stream, true);  // NULL: the first use takes the slow path
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
  if (home_ ? !data_ : !destroy_) return;
  // A framework reuses its memory in the order of its own stream, so uses there need not be over.
  for (size_t i = users_.size(); i-- > 0;)
    if (users_[i].theirs) users_.remove(i);
  device_.retire({data_, bytes_, kind_, std::move(home_), destroy_, user_}, std::move(users_));
}

bool Buffer::reachable_from(const Device& device) const {
  return &device == &device_ || (device.on_host() && kind_ != TENON_MEMORY_DEVICE);
}

void Buffer::used_only_by(Stream* stream, bool wrote) noexcept {
  wrote_.store(wrote, std::memory_order_relaxed);
  only_.store(shared() ? nullptr : stream, std::memory_order_release);
}

void Buffer::ready_on(Stream& stream) {
  if (!tracked_) return;
  if (device_.on_host()) {  // the host's work is over when a call returns: no list is needed to wait for it
    if (&stream == &device_.default_stream()) used_only_by(&stream, true);
    return;
  }
  users_.add({Ref<Stream>(&stream), true, true});  // the owner's work; Tenon has not used the memory yet
}

void Buffer::follow(tenon_current_stream_fn current) {
  if (device_.on_host()) return;  // all work is in one order
  std::lock_guard lock(mutex_);
  if (!current_) users_.clear();
  current_ = current;
  shared_.store(true, std::memory_order_release);
  only_.store(nullptr, std::memory_order_release);
}

Ref<Stream> Buffer::current_stream() const {
  if (!shared() || !current_) return nullptr;
  void* native = nullptr;
  const int32_t failed = current_(device_.kind(), device_.index(), &native);
  TENON_REQUIRE(
      !failed, TENON_ERROR_INVALID_ARGUMENT,
      "the framework that owns the array failed to report its current stream on %s (its function returned %d)",
      device_.name().c_str(), failed);
  return device_.framework_stream(reinterpret_cast<uint64_t>(native));
}

void Buffer::use_slowly(Stream& stream, bool write) {
  if (Recording* recording = stream.recording()) return recording->use(*this, write);
  if (!tracked_) return;
  const Ref<Stream> theirs = current_stream();  // not under the lock: this calls a function of the framework
  const bool captured = stream.capturing();
  std::lock_guard lock(mutex_);
  TENON_REQUIRE(!recorded_ || write, TENON_ERROR_INVALID_ARGUMENT,
                "the array has no contents yet: it was made while a graph was recorded, and only a launch of the graph "
                "writes it; launch the graph before reading the array");
  recorded_ = false;
  if (theirs && theirs.get() != &stream) stream.wait_for(*theirs);
  for (const Ref<Stream>& lent : lent_)
    if (lent.get() != &stream) stream.wait_for(*lent);
  auto wait_for = [&](Users& users, bool ran) {
    for (size_t i = 0; i < users.size(); ++i)
      if (users[i].stream.get() != &stream && (write || users[i].wrote)) stream.wait_for(*users[i].stream, ran);
  };
  const User* known = users_.find(stream);
  // earlier waits count outside the capture only
  if (captured || write || !known || !known->behind_writes) wait_for(users_, true);
  if (captured) [[unlikely]] {
    // The captured work does not run now: uses that do run stay in the list as before, and the memory stays for as long
    // as the graph may run.
    wait_for(captured_, false);
    if (write) captured_.clear();
    if (!captured_.find(stream)) captured_.add({Ref<Stream>(&stream), write, false});
    if ((!foreign() || key_) && !of_capture_) stream.keep_with_capture(Ref<const Object>(this));
    return;
  }
  record_use(stream, write, theirs.get() == &stream);
}

// A write on a stream that was ordered behind all users replaces them in the list; a read joins them.
void Buffer::record_use(Stream& stream, bool write, bool theirs) {
  User* known = users_.find(stream);
  if (write && known && users_.size() == 1) {
    known->wrote = true;
    known->theirs = known->theirs && theirs;
  } else if (write) {
    // Our uses on several streams are all over when the last one is: the entries dropped here are ordered before
    // `stream`. Only if all of them were `theirs` may this one be dropped at the end of an import.
    User only{Ref<Stream>(&stream), true, theirs};
    for (size_t i = 0; i < users_.size(); ++i) only.theirs = only.theirs && users_[i].theirs;
    users_.clear();
    users_.add(std::move(only));
  } else if (known) {
    known->theirs = known->theirs && theirs;
  } else {
    users_.reserve(users_.size() + lent_.size() + 1);
    users_.add({Ref<Stream>(&stream), false, theirs});
  }
  User& user = *users_.find(stream);
  user.behind_writes = true;
  used_only_by(users_.size() == 1 ? &stream : nullptr, user.wrote);
}

void Buffer::use_on_host(bool write) { use(context_->cpu().default_stream(), write); }

void Buffer::lend(Stream* stream) {
  if (!stream || !tracked_) return;
  const bool on_host = stream->device().on_host();
  if (on_host && only_.load(std::memory_order_acquire) == stream) return;  // it is the only user, and stays so
  const Ref<Stream> theirs = current_stream();                             // not under the lock, as in use_slowly
  std::lock_guard lock(mutex_);
  if (theirs && theirs.get() != stream) stream->wait_for(*theirs);
  for (size_t i = 0; i < users_.size(); ++i)
    if (users_[i].stream.get() != stream) stream->wait_for(*users_[i].stream, true);
  if (stream->capturing())
    for (size_t i = 0; i < captured_.size(); ++i)
      if (captured_[i].stream.get() != stream) stream->wait_for(*captured_[i].stream);
  if (on_host) return;                               // the host has no stream to wait for later
  users_.reserve(users_.size() + lent_.size() + 1);  // so that take_back cannot fail
  lent_.reserve(lent_.size() + 1);
  stream->open();  // for the consumer, which holds the tensor and works there
  lent_.push_back(Ref<Stream>(stream));
  shared_.store(true, std::memory_order_release);
  only_.store(nullptr, std::memory_order_release);
}

void Buffer::take_back(Stream* stream, bool stream_is_valid) noexcept {
  if (!stream || !tracked_ || stream->device().on_host()) return;  // lend() kept nothing of a stream of the host
  std::lock_guard lock(mutex_);
  auto found = std::find_if(lent_.begin(), lent_.end(), [&](const Ref<Stream>& lent) { return lent.get() == stream; });
  if (found == lent_.end()) return;
  // The consumer may have written at any time: nobody has waited for that, and it may not have waited for others'
  // writes.
  for (size_t i = 0; i < users_.size(); ++i) users_[i].behind_writes = false;
  if (User* known = users_.find(*stream)) known->wrote = true, known->theirs = false;
  else users_.add({std::move(*found), true, false});
  lent_.erase(found);
  shared_.store(current_ || !lent_.empty(), std::memory_order_release);
  used_only_by(users_.size() == 1 ? users_[0].stream.get() : nullptr, true);
  stream->close(stream_is_valid);
}

void Buffer::partners(const Stream& stream, std::vector<Ref<Stream>>& out) {
  Ref<Stream> theirs = current_stream();
  if (theirs && theirs.get() != &stream) out.push_back(std::move(theirs));
  std::lock_guard lock(mutex_);
  for (const Ref<Stream>& lent : lent_)
    if (lent.get() != &stream) out.push_back(lent);
}

}  // namespace tenon
