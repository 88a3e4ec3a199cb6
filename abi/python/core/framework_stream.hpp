/* abi/python/core/framework_stream.hpp: a framework's stream as Tenon knows it, for the module of Python and for
 * libtenon_torch.so. */
#pragma once

#include <tenon/api.h>

#include <map>
#include <mutex>
#include <utility>

namespace tenon_python {

/* A framework's streams are as permanent as it is: they are wrapped once and kept, since giving one back marks the end
 * of its work with an event. Not kept are the per-thread stream, which is another one on each thread, and more streams
 * than frameworks have. */
class WrappedStream {
 public:
  explicit WrappedStream(const tenon_api* functions) : functions_(functions) {}
  WrappedStream(const WrappedStream&) = delete;
  WrappedStream& operator=(const WrappedStream&) = delete;
  ~WrappedStream() {
    if (owned_) functions_->stream_release(stream_);
  }
  /* device(&owned) finds the device where the stream is not known yet. */
  template <class Device> int32_t open(int32_t index, void* native, Device&& device) {
    constexpr size_t most = 256;
    constexpr uintptr_t per_thread = 2;
    Known& known = Known::get();
    std::lock_guard lock(known.mutex);
    if (auto found = known.streams.find({index, native}); found != known.streams.end()) {
      stream_ = found->second;
      return TENON_OK;
    }
    tenon_device* its = nullptr;
    int32_t status = device(&its);
    if (!status) status = functions_->stream_wrap(its, reinterpret_cast<uintptr_t>(native), nullptr, nullptr, &stream_);
    functions_->device_release(its);
    owned_ = status || known.streams.size() >= most || reinterpret_cast<uintptr_t>(native) == per_thread;
    if (!owned_) known.streams[{index, native}] = stream_;
    return status;
  }
  tenon_stream* get() const { return stream_; }

 private:
  struct Known {
    std::mutex mutex;
    std::map<std::pair<int32_t, void*>, tenon_stream*> streams;
    static Known& get() {
      static Known known;
      return known;
    }
  };

  const tenon_api* functions_;
  tenon_stream* stream_ = nullptr;
  bool owned_ = false;
};

}  // namespace tenon_python
