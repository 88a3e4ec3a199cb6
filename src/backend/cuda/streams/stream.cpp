// backend/cuda/streams/stream.cpp: streams and events.
#include "backend/cuda/graph.hpp"
#include "core/device/host_work.hpp"

namespace tenon::cuda {

namespace {

// The capture state that the driver reported for a stream in the thread's current call.
struct Present {
  const CudaStream* stream = nullptr;
  bool known = false, captured = false;
  CUcaptureId id = 0;
  CUgraph graph = nullptr;
  int depth = 0;
};
thread_local Present t_present;

}  // namespace

uint64_t CudaStream::this_thread() noexcept {
  static std::atomic<uint64_t> last{0};
  thread_local const uint64_t number = ++last;
  return number;
}

CudaStream::CudaStream(CudaDevice& device, CUstream handle, Kind kind)
    : Stream(device),
      cuda_(device),
      handle_(handle),
      kind_(kind),
      thread_(kind == Kind::per_thread ? this_thread() : 0),
      special_(kind == Kind::per_thread) {
  if (kind == Kind::foreign || kind == Kind::per_thread) make_known();  // the legacy stream cannot be captured
  if (kind == Kind::per_thread)
    make_permanent();  // it lives as long as its thread, and afterwards the legacy stream stands for it
  device.enlist(this);
}

CudaStream::CudaStream(CudaDevice& device, CUstream handle, Capture& capture)
    : Stream(device, nullptr, false), cuda_(device), handle_(handle), kind_(Kind::own), capture_(&capture), thread_(0) {
  device.enlist(this);
}

CudaStream::~CudaStream() {
  cuda_.delist(this);
  if (cuda_.usable()) {
    cuda_.empty_bins(*this);
    const Driver& driver = cuda_.table();
    Scope scope = cuda_.try_activate();
    for (CUevent event : {mark_, within_})
      if (event) cuda_.note(driver.cuEventDestroy(event));
    if (kind_ == Kind::own) cuda_.destroy_stream(handle_, known_to_others());
  }
  call_host(cuda_.context(), "the destroy function of a stream", destroy_, user_);
}

void CudaStream::check_special() const {
  if (closed())
    fail(TENON_ERROR_INVALID_HANDLE, "the stream was released: wrap its native stream again to put work on it");
  if (elsewhere())
    fail(TENON_ERROR_INVALID_ARGUMENT,
         "this stream wraps the per-thread default stream of another thread; wrap 2 on the thread "
         "that uses it, or create a stream");
}

bool CudaStream::keep_valid(tenon_destroy_fn destroy, void* user) noexcept {
  std::lock_guard lock(mutex_);
  if (destroy_ || kind_ != Kind::foreign) return false;
  destroy_ = destroy;
  user_ = user;
  make_permanent();
  return true;
}

void CudaStream::open() {
  if (kind_ == Kind::own || kind_ == Kind::legacy) return;
  std::lock_guard lock(mutex_);
  if (closed()) {
    TENON_REQUIRE(!elsewhere(), TENON_ERROR_INVALID_ARGUMENT,
                  "this is the per-thread default stream of another thread");
    go_on_behind_mark();
  }
  if (closed() || !in_use()) {
    const Captured now = ask_driver();
    opened_in_ = now.yes ? now.id : 0;
    special_.store(kind_ == Kind::per_thread, std::memory_order_release);
    closed_.store(false, std::memory_order_release);
  }
  opens_.fetch_add(1, std::memory_order_relaxed);
}

// When a handle is closed within a capture: marks the point that joined streams of that capture wait for.
void CudaStream::mark_within(const Captured& now) noexcept {
  within_id_ = 0;
  if (!now.yes) return;
  if (!within_) within_ = cuda_.events().take();
  if (within_ && cuda_.note(cuda_.table().cuEventRecord(within_, handle_))) within_id_ = now.id;
}

// By now the handle may be that of a new native stream: its work is ordered behind that of the closed one.
void CudaStream::go_on_behind_mark() {
  if (!mark_ || left_ == Left::nothing) return;
  const Driver& driver = cuda_.driver();
  const RelaxedMode relaxed(driver);
  Scope scope = cuda_.activate();
  const CUresult reached = driver.cuEventQuery(mark_);
  if (reached == CUDA_SUCCESS) return;
  if (reached != CUDA_ERROR_NOT_READY) cuda_.check(reached, "cuEventQuery");
  // A stream that is being captured cannot wait for running work: the host waits instead.
  if (ask_driver().yes) cuda_.check(driver.cuEventSynchronize(mark_), "cuEventSynchronize");
  else cuda_.check(driver.cuStreamWaitEvent(handle_, mark_, 0), "cuStreamWaitEvent");
}

void CudaStream::close(bool valid) noexcept {
  if (kind_ == Kind::own || kind_ == Kind::legacy) return;
  std::unique_lock lock(mutex_);
  if (closed() || opens_.load() == 0) return;
  if (opens_.fetch_sub(1, std::memory_order_relaxed) > 1 || permanent()) return;
  if (!valid) {
    left_ = Left::unknown;
    // Not even queries are safe: the driver crashes on a destroyed handle.
    closed_.store(true, std::memory_order_release);
    special_.store(true, std::memory_order_release);
    lock.unlock();
    return cuda_.empty_bins(*this);
  }
  if (cuda_.usable()) {
    const RelaxedMode relaxed(cuda_.table());
    Scope scope = cuda_.try_activate();
    if (!mark_) mark_ = cuda_.events().take();
    lock.unlock();
    cuda_.empty_bins(*this);
    lock.lock();
    if (in_use()) return;  // meanwhile another thread wrapped it
    const Captured now = ask_driver();
    mark_within(now);
    // If the stream was opened and closed within one capture, no work has run here since, and the marks of earlier work
    // are still correct. Otherwise the work that was enqueued here before the capture began cannot be marked, and
    // wherever it matters the device is waited for (Marked::never).
    if (!opened_in_ || !now.yes || now.id != opened_in_) {
      const Marked marked = mark_ ? mark_with(mark_) : Marked::never;
      left_ = marked == Marked::marked ? Left::marked : marked == Marked::over ? Left::nothing : Left::unknown;
    }
  } else {
    left_ = Left::nothing;
  }
  closed_.store(true, std::memory_order_release);
  special_.store(true, std::memory_order_release);
}

namespace {

// While a blocking stream is being captured, work on the legacy stream would break that capture; the query is allowed.
bool legacy_is_free(const Driver& driver) noexcept {
  int status = CU_STREAM_CAPTURE_STATUS_NONE;
  return driver.cuStreamIsCapturing(kLegacy, &status) == CUDA_SUCCESS;
}

}  // namespace

bool CudaStream::can_enqueue() noexcept {
  if (closed() || elsewhere()) return false;
  if (kind_ == Kind::legacy) return legacy_is_free(cuda_.table());
  return !known_to_others() || !ask_driver().yes;
}

bool CudaStream::is_idle() noexcept {
  if (kind_ != Kind::own && kind_ != Kind::legacy) return false;
  if (!cuda_.usable()) return false;
  Scope scope = cuda_.try_activate();
  if (!can_enqueue()) return false;
  const CUresult result = cuda_.table().cuStreamQuery(handle_);
  if (result != CUDA_ERROR_NOT_READY) cuda_.note(result);
  return result == CUDA_SUCCESS;
}

CudaStream::Marked CudaStream::mark_with(CUevent event) noexcept {
  if (!cuda_.usable()) return Marked::over;
  const Driver& driver = cuda_.table();
  Scope scope = cuda_.try_activate();
  if (closed()) {
    const Left left = left_;
    if (left == Left::unknown) return Marked::never;
    if (left == Left::nothing) return Marked::over;
    const CUresult result = driver.cuEventQuery(mark_);
    if (result == CUDA_SUCCESS) return Marked::over;
    // An event cannot be recorded behind another event: our own stream stands in.
    const CUstream service = cuda_.service_stream_or_null();
    if (!event || !service || !cuda_.note(driver.cuStreamWaitEvent(service, mark_, 0)) ||
        !cuda_.note(driver.cuEventRecord(event, service)))
      return Marked::later;
    return Marked::marked;
  }
  // Another thread's stream has no handle on this thread, but the legacy stream is ordered behind it, as behind all
  // streams except non-blocking ones.
  if (elsewhere() ? !legacy_is_free(driver) : !can_enqueue()) return Marked::later;
  if (!event) return Marked::later;
  const CUresult result = driver.cuEventRecord(event, elsewhere() ? kLegacy : handle_);
  if (result == CUDA_SUCCESS) return Marked::marked;
  cuda_.note(result);
  return cuda_.usable() ? Marked::later : Marked::over;
}

CUevent CudaStream::mark() {
  const Driver& driver = cuda_.driver();
  if (!mark_) {
    CUevent event = nullptr;
    cuda_.check(driver.cuEventCreate(&event, CU_EVENT_DISABLE_TIMING), "cuEventCreate");
    mark_ = event;
  }
  cuda_.check(driver.cuEventRecord(mark_, elsewhere() ? kLegacy : handle_), "cuEventRecord");  // see mark_with
  if (left_ != Left::unknown) left_ = Left::marked;
  return mark_;
}

void CudaStream::enter() noexcept {
  if (!known_to_others()) return;
  if (t_present.depth++ == 0 || t_present.stream != this) t_present = {this, false, false, 0, nullptr, t_present.depth};
}

void CudaStream::leave() noexcept {
  if (!known_to_others() || t_present.depth == 0) return;
  if (--t_present.depth == 0) t_present.stream = nullptr;
}

CudaStream::Captured CudaStream::ask_driver() {
  Captured out;
  int status = CU_STREAM_CAPTURE_STATUS_NONE;
  const Driver& driver = cuda_.table();
  std::optional<Scope> scope;
  if (kind_ == Kind::per_thread)
    scope.emplace(cuda_.try_activate());  // its handle means a stream of the current context
  if (driver.cuStreamIsCapturing(handle_, &status) != CUDA_SUCCESS || status == CU_STREAM_CAPTURE_STATUS_NONE)
    return out;
  out.yes = true;
  if (driver.cuStreamGetCaptureInfo &&
      driver.cuStreamGetCaptureInfo(handle_, &status, &out.id, &out.graph, nullptr, nullptr) != CUDA_SUCCESS)
    out.graph = nullptr;
  return out;
}

CudaStream::Captured CudaStream::captured() {
  if (!known_to_others() || !cuda_.usable() || closed() || elsewhere()) return {};
  Present& present = t_present;
  if (present.stream != this) return ask_driver();
  if (!present.known) {
    const Captured answer = ask_driver();
    present.known = true;
    present.captured = answer.yes;
    present.id = answer.id;
    present.graph = answer.graph;
  }
  return {present.captured, present.id, present.graph};
}

bool CudaStream::capturing() { return captured().yes; }

Capture* CudaStream::capture() {
  if (capture_) return capture_;
  if (!known_to_others()) [[likely]]
    return nullptr;
  const Captured now = captured();
  if (!now.yes) [[likely]]
    return nullptr;
  // Its flags cannot be queried without breaking the capture. While a stream that is ordered with the legacy stream is
  // being captured, the query of the legacy stream returns an error.
  int status = CU_STREAM_CAPTURE_STATUS_NONE;
  const bool blocking = cuda_.driver().cuStreamIsCapturing(kLegacy, &status) != CUDA_SUCCESS;
  return &cuda_.foreign_capture(now.id, now.graph, blocking);
}

void CudaStream::keep_with_capture(Ref<const Object> object) {
  if (Capture* capture = this->capture()) capture->keep(std::make_shared<Ref<const Object>>(std::move(object)));
}

void CudaStream::refuse_capture(const char* what) {
  if (capturing()) [[unlikely]]
    fail(TENON_ERROR_UNSUPPORTED,
         "%s, and the stream is being captured into a graph by another library: do it before or after the capture",
         what);
}

void CudaStream::synchronize() {
  const Driver& driver = cuda_.driver();
  refuse_capture("the call would have to wait for the stream");
  const RelaxedMode relaxed(driver);
  Scope scope = cuda_.activate();
  if (closed()) {
    const Left left = left_;
    if (left == Left::unknown) wait_for_device();
    else if (left == Left::marked) cuda_.check(driver.cuEventSynchronize(mark_), "cuEventSynchronize");
    return;
  }
  if (elsewhere()) return synchronize_elsewhere();
  cuda_.check(driver.cuStreamSynchronize(handle()), "cuStreamSynchronize");
}

// Work on the legacy stream waits for the other thread's stream (see mark_with). Synchronising the legacy stream only
// waits for work enqueued on it, so an event must be recorded there first.
void CudaStream::synchronize_elsewhere() {
  const Driver& driver = cuda_.driver();
  std::unique_lock lock(mutex_);
  TENON_REQUIRE(legacy_is_free(driver), TENON_ERROR_UNSUPPORTED,
                "the per-thread default stream of another thread is to be waited for, which needs the legacy default "
                "stream, but a stream is being captured into a graph: wait before or after the capture");
  const CUevent event = mark();
  lock.unlock();
  cuda_.check(driver.cuEventSynchronize(event), "cuEventSynchronize");
}

bool CudaStream::query() {
  const Driver& driver = cuda_.driver();
  refuse_capture("the stream would have to report whether its work is done");
  const RelaxedMode relaxed(driver);
  Scope scope = cuda_.activate();
  if (closed()) {
    const Left left = left_;
    if (left == Left::unknown) synchronize();
    if (left != Left::marked) return true;
  }
  if (elsewhere()) {  // as in synchronize_elsewhere
    std::lock_guard lock(mutex_);
    if (!legacy_is_free(driver)) return false;
    mark();
  }
  CUresult result = closed() || elsewhere() ? driver.cuEventQuery(mark_) : driver.cuStreamQuery(handle());
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

// No event can be recorded behind the work of a stream that was closed while it was captured: the host waits for the
// whole device.
void CudaStream::wait_for_device() {
  const Driver& driver = cuda_.driver();
  const RelaxedMode relaxed(driver);
  Scope scope = cuda_.activate();
  const CUresult result = cuda_.knows_of_capture() ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED : driver.cuCtxSynchronize();
  TENON_REQUIRE(!is_capture_error(result), TENON_ERROR_UNSUPPORTED,
                "the array was used on a stream of another library that was released since, and all work on %s would "
                "have to be waited for, but a stream is being captured into a graph: keep the tenon_stream until the "
                "capture ends",
                cuda_.name().c_str());
  cuda_.check(result, "cuCtxSynchronize");
}

void CudaStream::do_wait_for(Stream& other, bool ran) {
  if (&other == this) return;
  if (other.device().kind() != TENON_DEVICE_CUDA)
    return other.synchronize();  // the host waits for other backends' streams
  auto& earlier = static_cast<CudaStream&>(other);
  const Driver& driver = cuda_.driver();
  bool joined = false;
  if (known_to_others() || earlier.known_to_others()) [[unlikely]] {
    // Two streams of one capture wait for each other as usual. Otherwise captured work does not run now: nothing has to
    // wait for it, and it cannot wait for work that runs (the capturing program orders the replay).
    const Captured mine = captured(), its = earlier.closed()
                                                ? Captured{earlier.within_id_ != 0, earlier.within_id_, nullptr}
                                                : earlier.captured();
    joined = mine.yes && its.yes && mine.id == its.id;
    if (mine.yes && !joined) return;
    if (its.yes && !joined && !earlier.closed()) {
      TENON_REQUIRE(
          !ran, TENON_ERROR_UNSUPPORTED,
          "the array was used on a stream that another library is capturing into a graph now, and that use may not be "
          "over, but nothing can wait for it during the capture: use the array before the capture begins or after it "
          "ends");
      return;
    }
  }
  std::lock_guard lock(earlier.mutex_);
  const Left left = earlier.left_;
  if (earlier.closed() && left == Left::unknown && !joined) return earlier.wait_for_device();
  CUevent event = nullptr;
  if (joined && !earlier.closed()) {
    earlier.mark_within(earlier.captured());  // mark_ marks the work that is not captured
    TENON_REQUIRE(earlier.within_id_, TENON_ERROR_OUT_OF_MEMORY,
                  "the driver provided no event to order two streams of one capture");
  }
  if (joined && earlier.within_) {
    event = earlier.within_;
  } else if (earlier.closed()) {
    if (left != Left::marked) return;
    event = earlier.mark_;
  } else {
    Scope scope = earlier.cuda_.activate();
    event = earlier.mark();
  }
  Scope scope = cuda_.activate();
  // Another thread's stream waits for the legacy stream.
  cuda_.check(driver.cuStreamWaitEvent(elsewhere() ? kLegacy : handle(), event, 0), "cuStreamWaitEvent");
}

CudaEvent::CudaEvent(CudaDevice& device, bool timing) : Event(device), cuda_(device), timing_(timing), own_(true) {
  const Driver& driver = device.driver();
  Scope scope = device.activate();
  device.check(driver.cuEventCreate(&handle_, timing ? CU_EVENT_DEFAULT : CU_EVENT_DISABLE_TIMING), "cuEventCreate");
}

CudaEvent::CudaEvent(CudaDevice& device, CUevent of_others)
    : Event(device), cuda_(device), handle_(of_others), timing_(false), own_(false), recorded_(true) {}

CudaEvent::~CudaEvent() {
  if (!handle_ || !own_ || !cuda_.usable()) return;
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
  TENON_REQUIRE(&start.cuda_ == &cuda_, TENON_ERROR_DEVICE, "the events belong to different devices: %s and %s",
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
