// backend/cuda/stream.cpp: streams and events.
#include "backend/cuda/device.hpp"

namespace tenon::cuda {

CudaStream::CudaStream(CudaDevice& device, CUstream handle, Kind kind, bool keep_context)
    : Stream(device), cuda_(device), context_(keep_context ? Ref<Context>(&device.context()) : nullptr), handle_(handle), kind_(kind),
      thread_(std::this_thread::get_id()), special_(kind == Kind::per_thread) {
  device.enlist(this);
}

CudaStream::~CudaStream() {
  cuda_.delist(this);
  close();
  if (!cuda_.usable()) return;
  empty_bins();
  const Driver& driver = cuda_.table();
  Scope scope = cuda_.try_activate();
  if (mark_) cuda_.note(driver.cuEventDestroy(mark_));
  if (kind_ == Kind::own) cuda_.note(driver.cuStreamDestroy(handle_));
}

void CudaStream::check_special() const {
  if (closed()) fail(TENON_ERROR_INVALID_HANDLE, "the stream was released: no work can be put on it");
  if (elsewhere())
    fail(TENON_ERROR_INVALID_ARGUMENT, "this stream wraps the per-thread default stream of another thread; wrap 2 on the thread "
                                       "that uses it, or create a stream");
}

CUevent CudaStream::mark() {
  const Driver& driver = cuda_.driver();
  if (!mark_) {
    CUevent event = nullptr;
    cuda_.check(driver.cuEventCreate(&event, CU_EVENT_DISABLE_TIMING), "cuEventCreate");
    mark_ = event;
  }
  cuda_.check(driver.cuEventRecord(mark_, handle_), "cuEventRecord");
  return mark_;
}

CudaStream::CudaStream(CudaDevice& device, CUstream handle, Capture& capture)
    : Stream(device, nullptr, false), cuda_(device), handle_(handle), kind_(Kind::own), capture_(&capture) {
  device.enlist(this);
}

bool CudaStream::captured(CUcaptureId* id) {
  int status = CU_STREAM_CAPTURE_STATUS_NONE;
  if (!cuda_.usable() || closed() || elsewhere()) return false;
  const Driver& driver = cuda_.driver();
  Scope scope = cuda_.activate();
  // The legacy stream cannot be captured; asking it while another stream is captured is itself an error.
  if (id ? driver.cuStreamGetCaptureInfo(handle_, &status, id, nullptr, nullptr, nullptr) : driver.cuStreamIsCapturing(handle_, &status)) return false;
  return status != CU_STREAM_CAPTURE_STATUS_NONE;
}

void CudaStream::refuse_capture(const char* what) {
  if (capturing()) [[unlikely]]
    fail(TENON_ERROR_UNSUPPORTED, "%s, and the stream is being captured into a graph by another library: do it before or after the capture", what);
}

void CudaStream::synchronize() {
  const Driver& driver = cuda_.driver();
  refuse_capture("the stream is to be waited for");
  Scope scope = cuda_.activate();
  if (closed()) {
    if (mark_) cuda_.check(driver.cuEventSynchronize(mark_), "cuEventSynchronize");
    return;
  }
  cuda_.check(driver.cuStreamSynchronize(handle()), "cuStreamSynchronize");
}

bool CudaStream::query() {
  const Driver& driver = cuda_.driver();
  refuse_capture("the stream is asked whether its work is done");
  Scope scope = cuda_.activate();
  if (closed() && !mark_) return true;
  CUresult result = closed() ? driver.cuEventQuery(mark_) : driver.cuStreamQuery(handle());
  if (result == CUDA_ERROR_NOT_READY) return false;
  cuda_.check(result, "cuStreamQuery");
  return true;
}

void CudaStream::wait(Event& event) {
  if (event.device().kind() != TENON_DEVICE_CUDA) return event.synchronize();
  auto& earlier = static_cast<CudaEvent&>(event);
  if (!earlier.recorded()) return;
  const Driver& driver = cuda_.driver();
  Scope scope = cuda_.activate();
  cuda_.check(driver.cuStreamWaitEvent(handle(), earlier.handle(), 0), "cuStreamWaitEvent");
}

void CudaStream::do_wait_for(Stream& other) {
  if (&other == this) return;
  if (other.device().kind() != TENON_DEVICE_CUDA) return other.synchronize();  // other backends' streams are waited for here
  auto& earlier = static_cast<CudaStream&>(other);
  const Driver& driver = cuda_.driver();
  if (known_to_others() || earlier.known_to_others()) [[unlikely]] {
    // Two streams of one capture wait for each other as always. Otherwise what is captured does not run now: nothing has to wait for
    // it, and it cannot wait for what does (whoever captures orders the replay).
    CUcaptureId mine = 0, its = 0;
    const bool here = known_to_others() && captured(&mine), there = earlier.known_to_others() && earlier.captured(&its);
    if ((here || there) && (here != there || mine != its)) return;
  }
  if (earlier.elsewhere() && !earlier.closed()) {
    // Its handle would mean this thread's stream here: there is no way to name it but to wait for everything.
    Scope scope = earlier.cuda_.activate();
    earlier.cuda_.check(earlier.cuda_.driver().cuCtxSynchronize(), "cuCtxSynchronize");
    return;
  }
  std::lock_guard lock(earlier.mutex_);
  CUevent event = nullptr;
  if (earlier.closed()) {
    event = earlier.mark_;
    if (!event) return;
  } else {
    if (earlier.handle_ == handle_ && &earlier.cuda_ == &cuda_) return;  // two wrappers of one stream
    Scope scope = earlier.cuda_.activate();
    event = earlier.mark();
  }
  Scope scope = cuda_.activate();
  cuda_.check(driver.cuStreamWaitEvent(handle(), event, 0), "cuStreamWaitEvent");
}

void CudaStream::empty_bins() noexcept {
  // A closed stream is not touched: its lock is then taken by wait_for.
  std::unique_lock lock(mutex_);
  if (closed()) lock.unlock();
  if (!cuda_.usable()) return;
  Scope scope = cuda_.try_activate();
  cuda_.empty_bins(*this);
}

void CudaStream::close() noexcept {
  if (kind_ == Kind::own) return;
  std::lock_guard lock(mutex_);
  if (closed()) return;
  try {
    if (cuda_.usable() && capturing()) {  // an event marked now would belong to the capture
      cuda_.empty_bins(*this);
    } else if (cuda_.usable()) {
      if (!elsewhere()) cuda_.empty_bins(*this);
      Scope scope = cuda_.activate();
      if (elsewhere()) cuda_.check(cuda_.driver().cuCtxSynchronize(), "cuCtxSynchronize");
      else mark();
    }
  } catch (...) {  // no event: then nothing may be pending when the stream goes
    if (cuda_.usable()) cuda_.note(cuda_.driver().cuStreamSynchronize(handle_));
    if (mark_ && cuda_.usable()) cuda_.note(cuda_.driver().cuEventDestroy(mark_));
    mark_ = nullptr;
  }
  closed_.store(true, std::memory_order_release);
  special_.store(true, std::memory_order_release);
}

CudaEvent::CudaEvent(CudaDevice& device, bool timing) : Event(device), cuda_(device), timing_(timing) {
  const Driver& driver = device.driver();
  Scope scope = device.activate();
  device.check(driver.cuEventCreate(&handle_, timing ? CU_EVENT_DEFAULT : CU_EVENT_DISABLE_TIMING), "cuEventCreate");
}

CudaEvent::~CudaEvent() {
  if (!handle_ || !cuda_.usable()) return;
  Scope scope = cuda_.try_activate();
  cuda_.note(cuda_.table().cuEventDestroy(handle_));
}

void CudaEvent::do_record(Stream& stream) {
  const Driver& driver = cuda_.driver();
  Scope scope = cuda_.activate();
  cuda_.check(driver.cuEventRecord(handle_, handle_of(stream)), "cuEventRecord");
  recorded_.store(true, std::memory_order_release);
}

void CudaEvent::synchronize() {
  if (!recorded()) return;
  const Driver& driver = cuda_.driver();
  Scope scope = cuda_.activate();
  cuda_.check(driver.cuEventSynchronize(handle_), "cuEventSynchronize");
}

bool CudaEvent::query() {
  if (!recorded()) return true;
  const Driver& driver = cuda_.driver();
  Scope scope = cuda_.activate();
  CUresult result = driver.cuEventQuery(handle_);
  if (result == CUDA_ERROR_NOT_READY) return false;
  cuda_.check(result, "cuEventQuery");
  return true;
}

double CudaEvent::elapsed_since(Event& other) {
  auto& start = static_cast<CudaEvent&>(other);
  TENON_REQUIRE(timing_ && start.timing_, TENON_ERROR_INVALID_ARGUMENT,
                "both events must be made with TENON_EVENT_TIMING to measure the time between them");
  TENON_REQUIRE(recorded() && start.recorded(), TENON_ERROR_NOT_READY, "both events must have been recorded");
  TENON_REQUIRE(&start.cuda_ == &cuda_, TENON_ERROR_DEVICE, "the events belong to two devices: %s and %s",
                start.cuda_.name().c_str(), cuda_.name().c_str());
  const Driver& driver = cuda_.driver();
  Scope scope = cuda_.activate();
  float milliseconds = 0;
  CUresult result = driver.cuEventElapsedTime(&milliseconds, start.handle_, handle_);
  TENON_REQUIRE(result != CUDA_ERROR_NOT_READY, TENON_ERROR_NOT_READY, "an event has not been reached yet");
  cuda_.check(result, "cuEventElapsedTime");
  return milliseconds;
}

}  // namespace tenon::cuda
