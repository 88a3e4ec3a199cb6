// core/device/watch.cpp: the single choke point for submitting work to streams; recordings and diagnosis hook in here.
#include "core/device/watch.hpp"

#include <pthread.h>
#include <cstring>
#include <mutex>
#include <optional>
#include <set>
#include "base/ranges.hpp"
#include "core/device/call.hpp"
#include "core/device/context.hpp"
#include "core/device/host_work.hpp"
#include "core/device/launch_note.hpp"
#include "core/device/recording.hpp"

namespace tenon {

namespace {

struct KeptNames {
  std::mutex mutex;
  std::set<std::string> names;
};

KeptNames& kept_names() {
  static KeptNames* kept = [] {  // never destroyed: background work may outlive static objects
    // When fork() was called, a thread that the child does not have may have held the lock or been changing the set.
    pthread_atfork(nullptr, nullptr, [] { new (&kept_names()) KeptNames; });
    return new KeptNames;
  }();
  return *kept;
}

}  // namespace

const char* kept_name(const std::string& name) {
  std::lock_guard lock(kept_names().mutex);
  return kept_names().names.insert(name).first->c_str();
}

Stream::Stream(Device& device) : device_(device), watched_(device.context().settings().watches()) {}

void Stream::wait_for(Stream& earlier, bool ran) {
  require_running(earlier, "another stream would have to wait for this one");
  do_wait_for(earlier, ran);
  deferred_errors_.take_over(earlier.deferred_errors_);
}

void Event::record(Stream& stream) {
  require_running(stream, "an event can only mark work that runs");
  do_record(stream);
  deferred_errors_.replace(stream.deferred_errors());
}

void put_watched(Stream& stream, RecordedWork piece) {
  if (Recording* recording = stream.recording()) return recording->add(std::move(piece));
  run_watched(stream, piece.name.c_str(), piece.run, [&] { return piece.name; });
}

namespace {

struct Range {
  explicit Range(const char* name) { base::range_push(name); }
  ~Range() { base::range_pop(); }
};

}  // namespace

void run_watched(Stream& stream, const char* name, const std::function<void(Stream&)>& run,
                 const std::function<std::string()>& text) {
  const Settings& settings = stream.device().context().settings();
  std::optional<Range> range;
  if (settings.flags & TENON_CONTEXT_NVTX) range.emplace(name);
  try {
    run(stream);
    if (settings.waits_after_each() && !stream.capturing()) stream.synchronize();
  } catch (Error& error) {
    if (settings.waits_after_each()) error.message = "in " + text() + ": " + error.message;
    throw;
  }
}

namespace {

template <class F> void put(Stream& stream, const char* name, F&& run) {
  put_watched(stream, RecordedWork{name, std::forward<F>(run)});
}

// A copy of the values of a launch, each at a multiple of 16 bytes.
class KeptValues final : public Object {
 public:
  explicit KeptValues(const Values& from) : shapes_(from.shapes, from.shapes + from.count), values_(from.count) {
    std::vector<size_t> at(from.count);
    size_t bytes = 0;
    for (uint32_t i = 0; i < from.count; ++i) {
      at[i] = bytes;
      bytes += (from.shapes[i].bytes + 15) / 16;
    }
    bytes_ = std::make_unique<Sixteen[]>(bytes);
    for (uint32_t i = 0; i < from.count; ++i)
      std::memcpy(values_[i] = &bytes_[at[i]], from.values[i], from.shapes[i].bytes);
  }
  Values values() const { return {values_.data(), shapes_.data(), uint32_t(values_.size())}; }

 private:
  struct alignas(16) Sixteen {
    unsigned char bytes[16];
  };
  std::vector<ValueShape> shapes_;
  std::vector<void*> values_;
  std::unique_ptr<Sixteen[]> bytes_;
};

}  // namespace

void Module::launch_watched(int32_t kernel, const Geometry& geometry, const Values& values, Stream& stream) {
  if (!stream.recording())
    return run_watched(
        stream, name(kernel), [&](Stream& on) { do_launch(kernel, geometry, values, on); },
        [&] { return LaunchNote(name(kernel), geometry, values).text(); });
  const auto kept = make<KeptValues>(values);
  RecordedWork piece;
  piece.name = name(kernel);
  piece.run = [self = Ref<Module>(this), kernel, geometry, kept](Stream& on) {
    self->launch(kernel, geometry, kept->values(), on);
  };
  piece.launch = {this, kernel, geometry, kept->values().values};
  piece.owner = kept;
  stream.recording()->add(std::move(piece));
}

// Operations that cannot be recorded were refused before they used a buffer.

void Device::upload(void* to, const void* from_host, uint64_t bytes, bool pinned, Stream& stream) {
  if (!stream.watched()) [[likely]]
    return do_upload(to, from_host, bytes, pinned, stream);
  require_running(stream, "a transfer from host memory reads it immediately");
  put(stream, "upload", [=, this](Stream& on) { do_upload(to, from_host, bytes, pinned, on); });
}

void Device::download(void* to_host, const void* from, uint64_t bytes, bool pinned, Stream& stream) {
  if (!stream.watched()) [[likely]]
    return do_download(to_host, from, bytes, pinned, stream);
  require_running(stream, "a transfer to host memory must wait for its result");
  put(stream, "download", [=, this](Stream& on) { do_download(to_host, from, bytes, pinned, on); });
}

void Device::copy_from_peer(void* to, Device& peer, const void* from, uint64_t bytes, Stream& stream) {
  if (!stream.watched()) [[likely]]
    return do_copy_from_peer(to, peer, from, bytes, stream);
  require_running(stream, "a copy between devices orders their streams immediately");
  put(stream, "copy from peer", [=, this, &peer](Stream& on) { do_copy_from_peer(to, peer, from, bytes, on); });
}

void Device::run_watched(DeviceOperation operation, std::function<void(Stream&)> work, Stream& stream) {
  const OperationInfo& info = info_of(operation);
  if (info.waits) require_running(stream, info.waits);
  put_watched(stream, RecordedWork{info.name, std::move(work)});
}

void HostWork::run() noexcept {
  const CallScope::Aside aside;
  call_host(context_, "a function of tenon_stream_call_host", function_, user_);
}

void Device::run_on_host(Ref<HostWork> work, Stream& stream) {
  Recording* const recording = stream.recording();
  // TENON_CONTEXT_DEBUG_SYNC does not wait here: a fault of earlier work would become this call's failure, and the
  // caller would keep what the function uses, although the function still runs.
  if (!recording) return do_call_host(*work, stream);
  // Launches of the graph may still be running when the graph is released: the function is kept alive like memory, for
  // as long as streams use it.
  const Ref<Buffer> life = Buffer::wrap(*this, work.get(), 0, TENON_MEMORY_DEVICE, false);
  life->track();
  recording->use(*life, true);
  life->take_over([](void* done) { static_cast<HostWork*>(done)->release(); }, Ref<HostWork>(work).detach());
  put(stream, "a function of the host", [this, work](Stream& on) { do_call_host(*work, on); });
}

void Device::run_native(const char* name, const std::function<void()>& work, Stream& stream) {
  if (!stream.watched()) [[likely]]
    return do_run_native(work, stream);
  put(stream, name, [this, work](Stream& on) { do_run_native(work, on); });
}

}  // namespace tenon
