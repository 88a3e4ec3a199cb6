// backend/cuda/device.hpp: a CUDA device, its streams and events: the interface for the rest of the backend.
#pragma once
#include <atomic>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <vector>
#include "backend/cuda/memory.hpp"
#include "backend/cuda/parking.hpp"
#include "backend/cuda/state.hpp"
#include "backend/cuda/vendor/symbols.hpp"
#include "core/device/backend.hpp"
#include "core/device/context.hpp"
#include "core/device/launch_note.hpp"

namespace tenon::cuda {

class Capture;         // graph.hpp
class ForeignCapture;  // graph.hpp
class CudaDevice;
struct CopyState;    // kernels/instances.cpp
struct BlasState;    // linalg/products/blas.cpp
struct FftState;     // fft/plans.cpp
struct MatmulState;  // linalg/matmul/matmul_lt.cpp
struct SolverState;  // linalg/solve/solver.cpp
struct SparseState;  // linalg/products/sparse.cpp

// The driver refused a call because a stream is being captured.
inline bool is_capture_error(CUresult result) {
  return result >= CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED && result <= CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD;
}

inline const CUstream kLegacy = reinterpret_cast<CUstream>(1), kPerThread = reinterpret_cast<CUstream>(2);

inline CUdeviceptr address(const void* data) { return reinterpret_cast<CUdeviceptr>(data); }

// Makes a device's primary context current, and restores the caller's at the end. If it is current already, that takes
// one driver call.
class Scope {
 public:
  explicit Scope(CudaDevice& device);                  // throws if the driver fails
  Scope(CudaDevice& device, std::nothrow_t) noexcept;  // does what it can: for destructors
  Scope(Scope&& other) noexcept : driver_(std::exchange(other.driver_, nullptr)) {}
  Scope& operator=(Scope&& other) noexcept {
    std::swap(driver_, other.driver_);
    return *this;
  }
  ~Scope() {
    if (driver_ && driver_callable()) {
      CUcontext popped;
      driver_->cuCtxPopCurrent(&popped);
    }
  }

 private:
  const Driver* driver_ = nullptr;  // NULL: nothing to restore
};

// While it lives, this thread may do what captures of other libraries (mode "global", the default) forbid to all
// threads: query events, allocate, load modules. Their captures continue undisturbed. Costs two cheap driver calls.
class RelaxedMode {
 public:
  explicit RelaxedMode(const Driver& driver) noexcept : driver_(&driver) { exchange(); }
  ~RelaxedMode() { exchange(); }
  RelaxedMode(const RelaxedMode&) = delete;

 private:
  void exchange() noexcept {
    if (driver_callable()) driver_->cuThreadExchangeStreamCaptureMode(&mode_);
  }
  const Driver* driver_;
  int mode_ = CU_STREAM_CAPTURE_MODE_RELAXED;
};

// The only object for a native stream (CudaDevice::wrap_stream finds it again), so a stream is identified by its
// address.
class CudaStream final : public Stream {
 public:
  // own: created by Tenon. foreign: its owner keeps it valid until close(), or longer (keep_valid). per_thread:
  // foreign, and its handle means this stream only on the thread that wrapped it. legacy: CUDA's legacy default stream,
  // always valid.
  enum class Kind { own, foreign, per_thread, legacy };
  CudaStream(CudaDevice& device, CUstream handle, Kind kind);
  CudaStream(CudaDevice& device, CUstream handle,
             Capture& capture);  // owned; work on it becomes part of a graph of ours
  ~CudaStream() override;

  CudaDevice& cuda() const { return cuda_; }
  // For enqueueing. Throws INVALID_HANDLE if the stream is closed, INVALID_ARGUMENT if it is another thread's
  // per-thread stream.
  CUstream handle() const {
    if (special_.load(std::memory_order_relaxed)) [[unlikely]]
      check_special();
    return handle_;
  }
  bool capturing() override;
  bool captured_by_us() const { return capture_ != nullptr; }
  Capture* own_capture() const { return capture_; }
  // The capture of this stream's work: into one of our graphs, into a graph of another library, or NULL. Throws if
  // another library's graph cannot keep alive what it needs.
  Capture* capture();
  void keep_with_capture(Ref<const Object> object) override;
  void beside_capture(const char* what, const std::function<void()>& work) override;
  void enter() noexcept override;
  void leave() noexcept override;
  bool foreign() const { return kind_ != Kind::own; }
  Kind kind() const { return kind_; }

  uint64_t native() const override {
    if (kind_ == Kind::own) make_known();
    return reinterpret_cast<uint64_t>(handle_);
  }
  void synchronize() override;
  bool query() override;
  void wait(Event& event) override;
  void do_wait_for(Stream& earlier, bool ran) override;
  void close(bool valid = true) noexcept override;

  void open() override;
  bool keep_valid(tenon_destroy_fn destroy, void* user) noexcept override;

  enum class Marked { marked, over, later, never };
  // Records `event` behind all work enqueued so far (not for `over`: nothing is pending). later: the stream is being
  // captured; never: it can no longer be reached (another thread's, or destroyed by its owner). Does not throw.
  Marked mark_with(CUevent event) noexcept;
  // May this thread enqueue work here now without disturbing a capture?
  bool can_enqueue() noexcept;
  // Is all work here over, as far as that can be told without a risk for a capture? The caller's thread is in the
  // relaxed capture mode. Streams that another thread might just begin to capture are not queried, which would end its
  // capture.
  bool is_idle() noexcept;
  bool being_captured() noexcept { return known_to_others() && !closed() && !elsewhere() && ask_driver().yes; }

  Bins& bins() { return bins_; }
  // May free blocks be kept here for the stream's later work?
  bool binned() const { return kind_ != Kind::per_thread && !closed(); }
  // Is this another thread's per-thread stream? On this thread its handle would mean this thread's stream.
  bool elsewhere() const { return kind_ == Kind::per_thread && thread_ != this_thread(); }
  CUstream raw_handle() const { return handle_; }
  bool closed() const { return closed_.load(std::memory_order_acquire); }
  bool permanent() const { return permanent_.load(std::memory_order_relaxed); }
  bool in_use() const { return opens_.load(std::memory_order_relaxed) > 0; }
  void make_permanent() noexcept { permanent_.store(true, std::memory_order_relaxed); }
  static uint64_t this_thread() noexcept;  // a number that no other thread of the process ever gets
  uint64_t thread() const { return thread_; }

 private:
  struct Captured {
    bool yes = false;
    CUcaptureId id = 0;
    CUgraph graph = nullptr;
  };
  void check_special() const;
  Captured captured();  // by another library
  Captured ask_driver();
  void refuse_capture(const char* what);
  void go_on_behind_mark();
  void synchronize_elsewhere();
  void wait_for_device();
  void mark_within(const Captured& now) noexcept;
  CUevent mark();  // records the stream's event now and returns it; the caller holds mutex_

  CudaDevice& cuda_;
  CUstream handle_;
  Kind kind_;
  Capture* const capture_ = nullptr;
  const uint64_t thread_;             // of a per-thread stream
  std::atomic<bool> special_{false};  // closed, or per thread: handle() must check more
  std::atomic<bool> closed_{false};
  std::atomic<bool> permanent_{false};  // valid without any handle
  std::atomic<int64_t> opens_{0};       // handles that wrap_stream returned
  tenon_destroy_fn destroy_ = nullptr;
  void* user_ = nullptr;
  std::mutex mutex_;
  CUevent mark_ = nullptr;  // for wait_for; after close: marks the end of the stream's work
  // The work that the stream may have left. One value: others read it without mutex_ while the stream is opened and
  // closed again, and must not see half of a change.
  enum class Left : uint8_t {
    nothing,
    marked,   // the end of it by mark_
    unknown,  // after close: work may be pending that no event marks
  };
  std::atomic<Left> left_{Left::nothing};
  CUcaptureId opened_in_ = 0;  // the capture in progress when the first handle was returned; 0: none
  CUevent within_ = nullptr;   // after close within a capture: marks the end of its captured work
  CUcaptureId within_id_ = 0;
  Bins bins_;
};

inline CUstream handle_of(Stream& stream) { return static_cast<CudaStream&>(stream).handle(); }

class CudaEvent final : public Event {
 public:
  CudaEvent(CudaDevice& device, bool timing);
  CudaEvent(CudaDevice& device, CUevent of_others);  // recorded by its owner, who keeps it valid
  ~CudaEvent() override;
  void do_record(Stream& stream) override;
  void synchronize() override;
  bool query() override;
  double elapsed_since(Event& start) override;
  uint64_t native() const override { return reinterpret_cast<uint64_t>(handle_); }
  CUevent handle() const { return handle_; }
  bool recorded() const { return recorded_.load(std::memory_order_acquire); }

 private:
  CudaDevice& cuda_;
  CUevent handle_ = nullptr;
  const bool timing_, own_;
  std::atomic<bool> recorded_{false};
};

class CudaDevice final : public Device {
 public:
  CudaDevice(Context& context, int ordinal);  // cuInit has succeeded
  ~CudaDevice() override;

  // The driver's table; throws (without a driver call) if the device is lost, the process is ending, or it was forked.
  const Driver& driver() {
    if (!driver_callable() || lost_.load(std::memory_order_acquire)) [[unlikely]]
      refuse();
    return driver_;
  }
  const Driver& table() const noexcept { return driver_; }  // unchecked: check usable() first
  bool usable() const noexcept { return driver_callable() && !lost_.load(std::memory_order_acquire); }
  // Makes the primary context current until the Scope ends.
  [[nodiscard]] Scope activate() { return Scope(*this); }
  [[nodiscard]] Scope try_activate() noexcept { return Scope(*this, std::nothrow); }
  CUcontext primary();  // retained on first use
  CUdevice handle() const { return handle_; }
  int capability() const { return 10 * info_.compute_major + info_.compute_minor; }  // for example 90

  // Throws the error for the result of a driver call; records it if the device is lost. `call` is the routine's name.
  void check(CUresult result, const char* call) {
    if (result != CUDA_SUCCESS) [[unlikely]]
      fail_driver(result, call);
  }
  [[noreturn]] void fail_driver(CUresult result, const char* call);
  // Like check, where nothing can be thrown: records a lost device. True: the call succeeded.
  bool note(CUresult result) noexcept;
  // Throws a vendor library's failure: DEVICE_LOST if the driver confirms that, else VENDOR (or `status`).
  [[noreturn]] void fail_vendor(const char* call, int64_t code, const char* text, int32_t status = TENON_ERROR_VENDOR);
  bool means_lost(CUresult result) noexcept;
  // Records a launch; a fault's error lists the most recent ones.
  void note(const LaunchNote& launch) noexcept { recent_.note(launch); }

  // Does work that cannot be part of a capture. During one of our captures: throws, so that the work is done outside
  // before the capture is tried again. During another library's: does it outside of the capture, or throws UNSUPPORTED
  // if that would break the capture. `work` outlives the caller's frame.
  void beside_capture(Stream& stream, const char* what, std::function<void()> work);
  // To be called before work that must wait for its result.
  void refuse_foreign_capture(Stream& stream, const char* what);

  // State of the other files, which they create on first use under state_mutex().
  std::mutex& state_mutex() { return state_mutex_; }
  std::shared_ptr<CopyState> copy_state;
  std::shared_ptr<BlasState> blas_state;
  std::shared_ptr<FftState> fft_state;
  std::shared_ptr<MatmulState> matmul_state;
  std::shared_ptr<SolverState> solver_state;
  std::shared_ptr<SparseState> sparse_state;

  uint64_t free_memory() override;
  std::string toolkit() override;
  std::string report() override;
  void synchronize() override;

  void* allocate(uint64_t bytes, int32_t kind, Stream& stream) override;
  void deallocate(void* data, uint64_t bytes, int32_t kind, Stream& stream) noexcept override;
  std::unique_ptr<TextureResource> make_texture(const TextureSpec& spec, const SharedTexels* shared) override;
  void retire(Retired memory, Users users) noexcept override;
  void collect(bool wait) noexcept override;
  void memory_info(tenon_memory_info& out) override;
  void trim(uint64_t keep_bytes) override;
  MemoryLocation locate(const void* data, int32_t& kind, int32_t& device_index) override;

  Stream& default_stream() override;
  Stream* default_stream_if_used() override { return default_.load(std::memory_order_acquire); }
  Ref<Stream> create_stream(int32_t priority) override;
  Ref<Stream> wrap_stream(uint64_t native) override;
  Ref<Stream> framework_stream(uint64_t native) override;
  Ref<Event> create_event(bool timing) override;
  Ref<Event> wrap_event(uint64_t native) override;
  SharedMemory make_shared(uint64_t bytes) override;
  SharedMemory open_shared(const SharedKey& key) override;
  // Separate device memory that other processes may open: it is counted, and subject to the limit. untake: it was
  // released.
  void* take_shared(uint64_t bytes);
  void untake_shared(uint64_t bytes) noexcept;

  void do_upload(void* to, const void* from_host, uint64_t bytes, bool pinned, Stream& stream) override;
  void do_download(void* to_host, const void* from, uint64_t bytes, bool pinned, Stream& stream) override;
  void do_copy_from_peer(void* to, Device& peer, const void* from, uint64_t bytes, Stream& stream) override;
  void do_call_host(HostWork& work, Stream& stream) override;

  std::string compiler_identity(const CompileRequest& request) override;
  std::vector<std::string> include_directories(const CompileRequest&) override;
  const std::vector<SourceHeader>& own_headers() const override;
  Image compile(const CompileRequest& request) override;
  Ref<Module> load(const Image& image) override;
  void check_image(const ProgramInput& input) override;

  void do_run(DeviceOperation operation, const void* problem, Stream& stream) override;
  bool has_half_fft(const FftProblem& problem) const override;
  bool has_sparse(Dtype dtype) override;

  // For CudaStream: the list of all live streams, to reach their bins and to find them again.
  void enlist(CudaStream* stream);
  void delist(CudaStream* stream) noexcept;
  void empty_bins(CudaStream& stream) noexcept;  // returns its free blocks to the pool after the stream's work

  // For Parking and ForeignCapture: memory that is no longer in use.
  void end(const Retired& memory) noexcept;
  EventPool& events() { return events_; }
  bool knows_of_capture() noexcept;     // by another library, of a stream known here
  void synchronize_streams() noexcept;  // those known here that nobody captures
  // Destroys one of our native streams, after another library's capture that it may be part of.
  void destroy_stream(CUstream stream, bool known_to_others, bool wait = false) noexcept;
  // A stream of ours for work that belongs to no stream; never captured.
  CUstream service_stream();
  CUstream service_stream_or_null() noexcept;
  // The state of another library's capture, made when the capture is first seen. Throws UNSUPPORTED if its graph cannot
  // keep that state.
  ForeignCapture& foreign_capture(CUcaptureId id, CUgraph graph, bool blocking);
  void forget_capture(const ForeignCapture& capture) noexcept;
  void captured_block(void* data, Ref<ForeignCapture> capture);  // the block belongs to that capture's graph
  void* from_pool(uint64_t bytes);                               // for any stream, at once; throws OUT_OF_MEMORY
  void to_pool(void* data, uint64_t bytes) noexcept;
  bool is_classed(uint64_t bytes) noexcept;

  std::unique_ptr<Replay> make_replay(const std::vector<RecordedWork>& steps) override;

 private:
  friend class HostCache;
  friend class Staging;
  friend class Parking;

  void read_properties();
  [[noreturn]] void refuse();
  void lose(CUresult result, const char* call) noexcept;
  CUmemoryPool pool();  // NULL: pools are not used
  void empty_all_bins() noexcept;
  bool may_destroy(CUstream stream, bool known_to_others, bool wait) noexcept;
  void destroy_kept_streams(bool wait = false) noexcept;
  Ref<CudaStream> find_stream(CUstream handle, uint64_t thread);
  Ref<CudaStream> stream_object(CUstream handle);
  Ref<ForeignCapture> capture_of_block(void* data) noexcept;  // afterwards the block no longer belongs to its array
  static constexpr int32_t kFreed = -1;  // as Retired::kind: device memory that only has to be returned to the pool
  void* allocate_device(uint64_t bytes, CudaStream& stream);
  template <class Ask> void* allocate_with(uint64_t bytes, uint64_t requested, const char* call, Ask&& ask);
  void* from_driver(uint64_t bytes, CUstream stream, CUresult& result);
  bool hand_on(const Retired& memory, CudaStream& home) noexcept;
  bool is_captured(void* data) noexcept;  // does it belong to another library's graph?
  void to_driver(void* data, uint64_t bytes, CudaStream& stream) noexcept;
  [[noreturn]] void out_of_memory(uint64_t bytes);
  const char* allocation_call() const noexcept;
  void count_allocation(uint64_t bytes) noexcept;
  void release_all() noexcept;
  void open_pool_to(CudaDevice& peer);
  bool known_to_driver(const void* host);
  int attribute(int which);
  void upload_staged(CUdeviceptr to, const char* from, uint64_t bytes, CUstream stream);
  void download_staged(char* to, CUdeviceptr from, uint64_t bytes, CUstream stream);

  const Driver& driver_;
  CUdevice handle_ = 0;
  std::atomic<bool> lost_{false};
  std::atomic<bool> losing_{false};

  std::mutex mutex_;  // for the members below
  std::atomic<CUcontext> primary_{nullptr};
  std::atomic<CUmemoryPool> pool_{nullptr};
  bool pools_ = false;    // the device supports them and they are enabled
  bool no_pool_ = false;  // TENON_CONTEXT_NO_POOL: every allocation is separate
  bool host_page_tables_ = false;
  Ref<CudaStream> default_stream_;
  std::atomic<CudaStream*> default_{nullptr};
  std::unordered_set<CudaDevice*> peers_;  // devices whose pools this device may access
  std::atomic<CUstream> service_{nullptr};
  std::mutex streams_mutex_;            // for the members below
  std::vector<CUstream> kept_streams_;  // streams of ours, to be destroyed after their capture or their work ends
  std::unordered_set<CudaStream*> streams_;
  std::vector<Ref<CudaStream>> met_;  // foreign streams, most recent last: found again even if nothing else holds them
  std::mutex captures_mutex_;         // for the members below
  std::vector<ForeignCapture*> captures_;
  std::unordered_map<void*, Ref<ForeignCapture>> captured_blocks_;
  std::atomic<size_t> captured_block_count_{0};
  std::string toolkit_;
  std::mutex state_mutex_;

  std::atomic<uint64_t> used_{0}, used_peak_{0}, allocations_{0}, unpooled_{0};
  std::atomic<uint64_t> taken_{0};  // bytes in live and binned blocks of device memory
  HostCache pinned_, managed_;
  Staging staging_;
  EventPool events_;
  Parking parking_;

  LaunchRing recent_;
};

// Device memory for one operation, in the order of its stream.
class Scratch {
 public:
  Scratch(CudaDevice& device, uint64_t bytes, Stream& stream)
      : device_(device),
        stream_(stream),
        bytes_(bytes),
        data_(bytes ? device.allocate(bytes, TENON_MEMORY_DEVICE, stream) : nullptr) {}
  ~Scratch() {
    if (data_) device_.deallocate(data_, bytes_, TENON_MEMORY_DEVICE, stream_);
  }
  Scratch(const Scratch&) = delete;
  void* data() const { return data_; }
  uint64_t bytes() const { return bytes_; }

 private:
  CudaDevice& device_;
  Stream& stream_;
  uint64_t bytes_;
  void* data_;
};

// Compiles without a device: `architecture` is a name such as "sm_90". Throws MISSING_LIBRARY, COMPILE.
Image compile_for(const CompileRequest& request, const std::string& architecture);

std::string identity_for(const CompileRequest& request, const std::string& architecture);
std::vector<std::string> cuda_include_directories(const std::string& headers);

// What has been found of the toolkit so far, as a JSON object; opens nothing.
std::string loading_report();
// "CUDA 13.0, NVRTC 13.0 from /usr/local/cuda/lib64 (toolkit)", or what is missing and what to install. Opens NVRTC.
std::string toolkit_sentence();

// The device's cached plans, as a JSON object: {"kept": ..., "limit": ..., "hits": ..., "misses": ..., "evictions":
// ...}; for products (linalg/matmul/matmul_lt.cpp) also "measured".
std::string fft_plans_report(CudaDevice& device);  // fft/plans.cpp
std::string matmul_plans_report(CudaDevice& device);

}  // namespace tenon::cuda
