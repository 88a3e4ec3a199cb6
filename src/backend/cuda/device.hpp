// backend/cuda/device.hpp: a CUDA device, its streams and events, as the rest of the backend sees them.
#pragma once
#include <atomic>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <thread>
#include <unordered_set>
#include <vector>
#include "backend/cuda/memory.hpp"
#include "backend/cuda/state.hpp"
#include "backend/cuda/symbols.hpp"
#include "core/backend.hpp"
#include "core/context.hpp"
#include "core/launch_note.hpp"

namespace tenon::cuda {

class Capture;       // graph.hpp
class CudaDevice;
struct CopyState;    // copy.cpp
struct BlasState;    // blas.cpp
struct FftState;     // fft.cpp
struct MatmulState;  // matmul_lt.cpp
struct SolverState;  // solver.cpp

inline CUdeviceptr address(const void* data) { return reinterpret_cast<CUdeviceptr>(data); }

// Makes a device's primary context current, and the caller's again at the end. No driver call but one where it is already.
class Scope {
 public:
  explicit Scope(CudaDevice& device);              // throws what the driver says
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
  const Driver* driver_ = nullptr;  // NULL: nothing to undo
};

class CudaStream final : public Stream {
 public:
  enum class Kind { own, foreign, per_thread };
  CudaStream(CudaDevice& device, CUstream handle, Kind kind, bool keep_context);
  CudaStream(CudaDevice& device, CUstream handle, Capture& capture);  // owned; work on it becomes part of a graph of ours
  ~CudaStream() override;

  CudaDevice& cuda() const { return cuda_; }
  // For enqueueing. Throws INVALID_HANDLE for a closed stream, INVALID_ARGUMENT for another thread's per-thread stream.
  CUstream handle() const {
    if (special_.load(std::memory_order_relaxed)) [[unlikely]] check_special();
    return handle_;
  }
  // By someone else. Asks the driver only where others may know the stream.
  bool capturing() override { return known_to_others() && captured(nullptr); }
  Capture* capture() const { return capture_; }
  bool foreign() const { return kind_ != Kind::own; }

  uint64_t native() const override {
    exposed_.store(true, std::memory_order_relaxed);
    return reinterpret_cast<uint64_t>(handle_);
  }
  void synchronize() override;
  bool query() override;
  void wait(Event& event) override;
  void do_wait_for(Stream& earlier) override;
  void close() noexcept override;

  Bins& bins() { return bins_; }
  bool binned() const { return kind_ != Kind::per_thread; }
  void empty_bins() noexcept;  // gives its free blocks back to the pool
  // A per-thread stream seen from another thread: its handle would mean that thread's stream here.
  bool elsewhere() const { return kind_ == Kind::per_thread && thread_ != std::this_thread::get_id(); }
  CUstream raw_handle() const { return handle_; }
  bool closed() const { return closed_.load(std::memory_order_acquire); }

 private:
  void check_special() const;
  bool known_to_others() const { return foreign() || exposed_.load(std::memory_order_relaxed); }
  bool captured(CUcaptureId* id);  // `id` receives which capture it is
  void refuse_capture(const char* what);
  CUevent mark();  // records the stream's event now and returns it; under mutex_

  CudaDevice& cuda_;
  Ref<Context> context_;  // not for the default stream, which the device owns
  CUstream handle_;
  Kind kind_;
  Capture* const capture_ = nullptr;
  mutable std::atomic<bool> exposed_{false};  // an own stream whose handle was given out
  std::thread::id thread_;            // of a per-thread stream
  std::atomic<bool> special_{false};  // closed, or per thread: handle() must look closer
  std::atomic<bool> closed_{false};
  std::mutex mutex_;
  CUevent mark_ = nullptr;            // for wait_for; after close: the end of the stream's work
  Bins bins_;
};

inline CUstream handle_of(Stream& stream) { return static_cast<CudaStream&>(stream).handle(); }

class CudaEvent final : public Event {
 public:
  CudaEvent(CudaDevice& device, bool timing);
  ~CudaEvent() override;
  void do_record(Stream& stream) override;
  void synchronize() override;
  bool query() override;
  double elapsed_since(Event& start) override;
  CUevent handle() const { return handle_; }
  bool recorded() const { return recorded_.load(std::memory_order_acquire); }

 private:
  CudaDevice& cuda_;
  CUevent handle_ = nullptr;
  bool timing_;
  std::atomic<bool> recorded_{false};
};

class CudaDevice final : public Device {
 public:
  CudaDevice(Context& context, int ordinal);  // cuInit is done
  ~CudaDevice() override;

  // The driver's table; throws at once (no driver call) when the device is lost, the process ends, or it was forked.
  const Driver& driver() {
    if (!driver_callable() || lost_.load(std::memory_order_acquire)) [[unlikely]] refuse();
    return driver_;
  }
  const Driver& table() const noexcept { return driver_; }  // unchecked: look at usable() first
  bool usable() const noexcept { return driver_callable() && !lost_.load(std::memory_order_acquire); }
  // The primary context is made current until the Scope ends.
  [[nodiscard]] Scope activate() { return Scope(*this); }
  [[nodiscard]] Scope try_activate() noexcept { return Scope(*this, std::nothrow); }
  CUcontext primary();          // retained at first use
  CUdevice handle() const { return handle_; }
  int capability() const { return 10 * info_.compute_major + info_.compute_minor; }  // 90

  // Throws what a driver call's result means; remembers that the device is lost. `call` is the routine's name.
  void check(CUresult result, const char* call) {
    if (result != CUDA_SUCCESS) [[unlikely]] fail_driver(result, call);
  }
  [[noreturn]] void fail_driver(CUresult result, const char* call);
  // As check, where nothing can be thrown: a lost device is remembered. True: the call succeeded.
  bool note(CUresult result) noexcept;
  // Throws for a vendor library's failure: DEVICE_LOST when the driver says that it is so, else VENDOR (or `status`).
  [[noreturn]] void fail_vendor(const char* call, int64_t code, const char* text, int32_t status = TENON_ERROR_VENDOR);
  // What was launched lately is named when a fault shows itself.
  void note(const LaunchNote& launch) noexcept { recent_.note(launch); }

  // Before what cannot be part of a capture. In one of ours: throws, so that `prepare` runs outside before the capture is tried
  // again. In one of someone else: UNSUPPORTED; `what` has to be done before.
  void need_before_capture(Stream& stream, const char* what, std::function<void()> prepare);
  // Before what another library's graph cannot keep alive.
  void refuse_foreign_capture(Stream& stream, const char* what);

  // State of the other files, made by them at first use under state_mutex().
  std::mutex& state_mutex() { return state_mutex_; }
  std::shared_ptr<CopyState> copy_state;
  std::shared_ptr<BlasState> blas_state;
  std::shared_ptr<FftState> fft_state;
  std::shared_ptr<MatmulState> matmul_state;
  std::shared_ptr<SolverState> solver_state;

  uint64_t free_memory() override;
  std::string toolkit() override;
  std::string report() override;
  void synchronize() override;

  void* allocate(uint64_t bytes, int32_t kind, Stream& stream) override;
  void deallocate(void* data, uint64_t bytes, int32_t kind, Stream& stream) noexcept override;
  void memory_info(tenon_memory_info& out) override;
  void trim(uint64_t keep_bytes) override;
  Where locate(const void* data, int32_t& kind, int32_t& device_index) override;

  Stream& default_stream() override;
  Ref<Stream> create_stream(int32_t priority) override;
  Ref<Stream> wrap_stream(uint64_t native) override;
  Ref<Event> create_event(bool timing) override;

  void do_upload(void* to, const void* from_host, uint64_t bytes, bool pinned, Stream& stream) override;
  void do_download(void* to_host, const void* from, uint64_t bytes, bool pinned, Stream& stream) override;
  void do_copy_from_peer(void* to, Device& peer, const void* from, uint64_t bytes, Stream& stream) override;
  void do_copy(const CopyProblem& problem, Stream& stream) override;
  void do_fill(const FillProblem& problem, Stream& stream) override;

  std::string compiler_identity(const CompileRequest& request) override;
  std::vector<std::string> include_directories() override;
  Image compile(const CompileRequest& request) override;
  Ref<Module> load(const Image& image) override;
  void check_image(const ProgramInput& input) override;

  void do_gemm(const GemmProblem& problem, Stream& stream) override;
  void do_gemm(const std::vector<GemmProblem>& problems, Stream& stream) override;
  void do_fft(const FftProblem& problem, Stream& stream) override;
  bool has_half_fft(const FftProblem& problem) const override;
  void do_svd(const SvdProblem& problem, Stream& stream) override;
  void do_dense(const DenseProblem& problem, Stream& stream) override;

  // For CudaStream: the streams whose bins are emptied when memory runs out.
  void enlist(CudaStream* stream);
  void delist(CudaStream* stream) noexcept;
  void empty_bins(CudaStream& stream) noexcept;  // gives its free blocks back to the pool

  std::unique_ptr<Replay> make_replay(const std::vector<Step>& steps) override;

 private:
  friend class EventedCache;
  friend class Staging;

  void read_properties();
  [[noreturn]] void refuse();
  void lose(CUresult result, const char* call) noexcept;
  CUmemoryPool pool();  // NULL: no pool mode
  CudaStream& freeing_stream(CudaStream& stream);
  void empty_all_bins() noexcept;
  void set_aside(void* data, uint64_t bytes, int32_t kind) noexcept;
  void free_what_is_aside() noexcept;  // the device is idle
  void* allocate_device(uint64_t bytes, CudaStream& stream);
  void* from_driver(uint64_t bytes, CudaStream& stream, CUresult& result);
  void to_driver(void* data, uint64_t bytes, CudaStream& stream) noexcept;
  [[noreturn]] void out_of_memory(uint64_t bytes);
  void count_allocation(uint64_t bytes) noexcept;
  void release_all() noexcept;
  void open_pool_to(CudaDevice& peer);
  int attribute(int which);
  void upload_staged(CUdeviceptr to, const char* from, uint64_t bytes, CUstream stream);
  void download_staged(char* to, CUdeviceptr from, uint64_t bytes, CUstream stream);

  const Driver& driver_;
  CUdevice handle_ = 0;
  std::atomic<bool> lost_{false};
  std::atomic<bool> losing_{false};

  std::mutex mutex_;                       // of what follows
  std::atomic<CUcontext> primary_{nullptr};
  std::atomic<CUmemoryPool> pool_{nullptr};
  bool pools_ = false;                     // the device has them and they are wanted
  bool no_pool_ = false;                   // TENON_CONTEXT_NO_POOL: every allocation its own
  bool host_page_tables_ = false;
  Ref<CudaStream> default_stream_;
  std::atomic<CudaStream*> default_{nullptr};
  std::unordered_set<CudaDevice*> peers_;  // whose pools this device may reach
  std::mutex streams_mutex_;
  std::unordered_set<CudaStream*> streams_;
  std::string toolkit_;
  std::mutex state_mutex_;

  std::atomic<uint64_t> used_{0}, used_peak_{0}, allocations_{0}, unpooled_{0};
  std::atomic<uint64_t> taken_{0};         // live and binned blocks of device memory
  struct Aside { void* data; uint64_t bytes; int32_t kind; };
  std::vector<Aside> aside_;
  EventedCache pinned_, managed_;
  Staging staging_;

  LaunchRing recent_;
};

// Device memory for the time of one operation, on its stream.
class Scratch {
 public:
  Scratch(CudaDevice& device, uint64_t bytes, Stream& stream)
      : device_(device), stream_(stream), bytes_(bytes),
        data_(bytes ? device.allocate(bytes, TENON_MEMORY_DEVICE, stream) : nullptr) {}
  ~Scratch() { if (data_) device_.deallocate(data_, bytes_, TENON_MEMORY_DEVICE, stream_); }
  Scratch(const Scratch&) = delete;
  void* data() const { return data_; }
  uint64_t bytes() const { return bytes_; }

 private:
  CudaDevice& device_;
  Stream& stream_;
  uint64_t bytes_;
  void* data_;
};

// Compiles without a device: `architecture` is "sm_90" and the like. Throws MISSING_LIBRARY, COMPILE.
Image compile_for(const CompileRequest& request, const std::string& architecture);

std::string identity_for(const CompileRequest& request, const std::string& architecture);
std::vector<std::string> cuda_include_directories(const std::string& headers);

// What was found of the toolkit so far, as a JSON object; opens nothing.
std::string loading_report();
// "CUDA 13.0, NVRTC 13.0 from /usr/local/cuda/lib64 (toolkit)", or what is missing and what to install. Opens NVRTC.
std::string toolkit_sentence();

}  // namespace tenon::cuda
