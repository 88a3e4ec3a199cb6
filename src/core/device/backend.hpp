// core/device/backend.hpp: THE device interface. A backend fills it in; everything above it reads as if there were one
// device.
//
// These rules hold for every function here and are not repeated below:
// - Arguments have been checked. Failures are thrown as tenon::Error, and nothing is half done then.
// - Functions that take a Stream enqueue work there; on the CPU the work is complete when they return. The caller
//     (Buffer::use) has ordered the stream behind earlier users of the buffers. The stream belongs to the device.
// - Any function may be called from several threads at once.
// - CUDA: the caller's current context is unchanged by the call.
// - Work for a stream goes through a non-virtual function, which checks whether the stream is watched: a stream that
//     records a graph (core/device/recording.hpp) takes the work itself, and diagnosis (core/device/watch.cpp) wraps
//     it. A backend implements the do_ functions behind these; they never get a stream that records.
#pragma once
#include <tenon/array.h>
#include <tenon/dlpack.h>
#include <tenon/program.h>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>
#include "core/control.hpp"
#include "core/error.hpp"
#include "core/deferred_error.hpp"
#include "core/device/finding_slots.hpp"
#include "core/object.hpp"
#include "core/problem/operations.hpp"
#include "core/problem/problem.hpp"
#include "core/device/shared_memory.hpp"

namespace tenon {

class Buffer;
class Context;
class Device;
class HostWork;  // core/device/host_work.hpp
class Recording;
struct RecordedWork;  // core/device/recording.hpp
class Stream;
struct Native;        // core/problem/native.hpp
struct SharedTexels;  // core/array/texture.hpp, as the next two
struct TextureSpec;
class TextureResource;

class Event : public Object {
 public:
  explicit Event(Device& device) : device_(device) {}
  Device& device() const { return device_; }
  void record(Stream& stream);  // of the event's device
  virtual void synchronize() = 0;
  virtual bool query() = 0;                        // true: reached, or never recorded
  virtual double elapsed_since(Event& start) = 0;  // milliseconds; throws NOT_READY, INVALID_ARGUMENT (no timing)
  virtual uint64_t native() const { return 0; }
  DeferredErrors& deferred_errors() { return deferred_errors_; }  // of the work before the event

 private:
  virtual void do_record(Stream& stream) = 0;
  Device& device_;
  DeferredErrors deferred_errors_;
};

class Stream : public Object {
 public:
  explicit Stream(Device& device);  // watched if the context's settings ask for diagnosis
  Device& device() const { return device_; }
  // The recording that takes work for this stream in place of the device; NULL for a stream that runs it.
  Recording* recording() const { return recording_; }
  bool watched() const { return watched_; }
  // Is another library capturing this stream into a graph? Then nothing may be waited for. Queries the driver only if
  // other libraries know the stream, and only once per call (enter, leave).
  virtual bool capturing() { return false; }
  // During a capture: `object` lives at least as long as the captured graph and everything instantiated from it.
  virtual void keep_with_capture(Ref<const Object> object) { (void)object; }
  // Does work that must not become part of a graph (loading a kernel, for example), outside another library's capture
  // of this stream if there is one; throws UNSUPPORTED if that would break the capture.
  virtual void beside_capture(const char* what, const std::function<void()>& work) {
    (void)what;
    work();
  }
  // Can other libraries put work here, or capture it? Buffers then check every use more closely.
  bool known_to_others() const { return known_to_others_.load(std::memory_order_relaxed); }
  // The calling thread's current call works on this stream: what the driver reports about captures holds until leave.
  virtual void enter() noexcept {}
  virtual void leave() noexcept {}
  virtual uint64_t native() const = 0;
  virtual void synchronize() = 0;       // throws the stream's fault
  virtual bool query() = 0;             // false: work is pending; throws the stream's fault
  virtual void wait(Event& event) = 0;  // of any device
  // `earlier` may belong to any device: later work here waits for all earlier work there. While another library
  // captures `earlier`, its captured work is not waited for (it does not run), and the work from before the capture
  // cannot be: that is an error if the caller knows that there is such work (`ran`).
  void wait_for(Stream& earlier, bool ran = false);
  // Device::wrap_stream returns one more handle, or memory is lent to the stream: it stays open until as many calls of
  // close.
  virtual void open() {}
  // One handle that Device::wrap_stream returned was released. After the last one, a native stream that nothing else
  // keeps alive is not used any more. Buffers may still refer to this object: an event recorded now stands for all its
  // work. If `valid` is false, the native stream may be gone already, and wherever its work matters the device is
  // waited for.
  virtual void close(bool valid = true) noexcept { (void)valid; }
  // Asks to keep the native stream valid until destroy(user) runs, which happens when nothing refers to this object any
  // more. False: it is kept valid already.
  virtual bool keep_valid(tenon_destroy_fn destroy, void* user) noexcept {
    (void)destroy, (void)user;
    return false;
  }
  DeferredErrors& deferred_errors() { return deferred_errors_; }  // of its work, and of all work that it waited for

 protected:
  Stream(Device& device, Recording* recording, bool watched)
      : device_(device), recording_(recording), watched_(watched) {}
  void make_known() const noexcept { known_to_others_.store(true, std::memory_order_relaxed); }

 private:
  virtual void do_wait_for(Stream& earlier, bool ran) = 0;
  Device& device_;
  mutable std::atomic<bool> known_to_others_{false};
  DeferredErrors deferred_errors_;
  Recording* const recording_ = nullptr;
  const bool watched_;
};

// A stream that used a piece of memory.
struct User {
  Ref<Stream> stream;
  bool wrote = false;
  bool theirs = false;  // the current stream of the framework that owns the memory, which orders its own reuse there
  bool behind_writes = false;  // its work is ordered behind all writes in the list: further reads need not wait
};

// A short list of users; more than two allocate.
class Users {
 public:
  size_t size() const noexcept { return size_; }
  User& operator[](size_t i) noexcept { return i < kHere ? here_[i] : more_[i - kHere]; }
  void add(User user) {
    if (size_ < kHere) here_[size_] = std::move(user);
    else more_.push_back(std::move(user));
    ++size_;
  }
  void reserve(size_t count) {
    if (count > kHere) more_.reserve(count - kHere);
  }
  void remove(size_t i) noexcept {
    User& last = (*this)[size_ - 1];
    if (&(*this)[i] != &last) (*this)[i] = std::move(last);
    else last = {};
    if (size_ > kHere) more_.pop_back();
    --size_;
  }
  void clear() noexcept {
    while (size_) remove(size_ - 1);
  }
  User* find(const Stream& stream) noexcept {
    for (size_t i = 0; i < size_; ++i)
      if ((*this)[i].stream.get() == &stream) return &(*this)[i];
    return nullptr;
  }
  Users() = default;
  Users(Users&& other) noexcept : more_(std::move(other.more_)), size_(std::exchange(other.size_, 0)) {
    for (size_t i = 0; i < kHere; ++i) here_[i] = std::move(other.here_[i]);
  }
  Users& operator=(Users&& other) noexcept {
    clear();
    more_ = std::move(other.more_);
    size_ = std::exchange(other.size_, 0);
    for (size_t i = 0; i < kHere; ++i) here_[i] = std::move(other.here_[i]);
    return *this;
  }

 private:
  static constexpr size_t kHere = 2;
  User here_[kHere];
  std::vector<User> more_;
  size_t size_ = 0;
};

// Memory at the end of its life: our own, with the stream on which it was allocated, or foreign memory, with its
// destroy function.
struct Retired {
  void* data = nullptr;
  uint64_t bytes = 0;
  int32_t kind = 0;
  Ref<Stream> home;
  tenon_destroy_fn destroy = nullptr;
  void* user = nullptr;
};

struct SourceHeader {
  std::string name;
  std::string text;
};

// One input of a program that consists of several, or an image that is loaded unchanged.
struct ProgramInput {
  int32_t kind = TENON_INPUT_SOURCE;
  std::string name;  // for messages
  std::string data;
  std::string trailer;                   // of a source, as in CompileRequest
  std::vector<size_t> kernels, globals;  // indices of the request's kernels and globals that are in this source
};

// Everything that determines what is compiled, except the device and its compiler.
struct CompileRequest {
  std::string source;                // the user's text
  std::string name;                  // for messages
  std::vector<ProgramInput> inputs;  // what is linked; source and trailer are then empty
  std::string trailer;  // Tenon's lines after it (signature tables): same translation unit, not the user's lines
  std::vector<SourceHeader> headers;
  std::vector<std::string> kernels;  // names and template instances; index i is kernel i of the module
  std::vector<std::string> globals;  // variables that the host accesses
  std::vector<std::string> options;
  int32_t mode = TENON_PROGRAM_MODE_FAST;
  uint32_t flags = 0;        // TENON_PROGRAM_FLAG_*
  std::string architecture;  // "": the device's own
  double time_limit = 0;     // seconds; 0: the default. This and the fields below do not affect what is compiled
  // Can end this compile early; NULL: only the default time limit does.
  const CompileControl* control = nullptr;

  CompileRequest unit(size_t input) const;  // that source as a request of its own
};

// A compiled program: all that is needed to load it again without a compiler. Plain data, so that it can be stored on
// disk.
struct Image {
  std::string binary;  // cubin, or shared object
  std::string ptx;
  std::string log;
  std::vector<std::string> symbols;  // the mangled name of each kernel
  std::vector<std::string> globals;  // the name that Module::global takes, for each variable of the request
  int32_t execution = 0;             // CPU: the execution mode (shim/tenon_abi.h)
  bool as_given = false;             // a user's image; not stored on disk
};

// In addition to TENON_LAUNCH_*: each block has enough work for its own thread (the CPU's loops).
constexpr uint32_t kLaunchLargeBlocks = 1u << 31;

struct Geometry {
  uint32_t grid[3] = {1, 1, 1};
  uint32_t block[3] = {1, 1, 1};
  uint32_t cluster[3] = {0, 0, 0};
  uint32_t shared_bytes = 0;
  uint32_t flags = 0;  // TENON_LAUNCH_*, kLaunchLargeBlocks
};

// What is known about one argument of a launch.
struct ValueShape {
  uint32_t bytes;
  Dtype dtype = 0;   // as in tenon_parameter_info
  int32_t kind = 0;  // TENON_PARAMETER_*; 0: unknown
};

// The memory that the kernel may access through a parameter, for programs in the checked mode; data is NULL if that is
// unknown.
struct MemoryRange {
  const void* data = nullptr;
  uint64_t bytes = 0;
  const char* name = "";  // of the parameter
};

// The arguments of a launch: values[i] points to the value of parameter i, as in cuLaunchKernel; the values are copied
// before the launch returns. A backend's own kernels have no shapes (count 0): such a launch is neither recorded nor
// described.
struct Values {
  Values(void* const* list, const ValueShape* known = nullptr, uint32_t n = 0, const MemoryRange* reach = nullptr)
      : values(list), shapes(known), count(n), extents(reach) {}
  void* const* values;
  const ValueShape* shapes;
  uint32_t count;
  const MemoryRange* extents;  // one per argument in the checked mode, else NULL
};

// A copy of the text at an address that stays valid, for uses that outlive the module that it names.
const char* kept_name(const std::string& name);

// An image loaded on a device. Kernels are known by their index in CompileRequest::kernels.
class Module : public Object {
 public:
  virtual tenon_kernel_info info(int32_t kernel) = 0;
  virtual const char* name(int32_t kernel) = 0;  // for messages; lives as long as the process
  // The geometry is within the device's limits. A fault of the kernel becomes the stream's sticky fault.
  void launch(int32_t kernel, const Geometry& geometry, const Values& values, Stream& stream) {
    if (stream.watched()) [[unlikely]]
      return launch_watched(kernel, geometry, values, stream);
    do_launch(kernel, geometry, values, stream);
  }
  // Address and size of a __device__ or __constant__ variable; throws NOT_FOUND.
  virtual void* global(const std::string& name, uint64_t& bytes) = 0;
  // The number of blocks, each with that many threads (at least 1) and bytes of dynamic shared memory, that one
  // multiprocessor runs at once.
  virtual int32_t occupancy(int32_t kernel, uint32_t threads, uint64_t shared_bytes) = 0;
  // The hint of tenon_kernel_prefer_shared, from -1 to 100.
  virtual void prefer_shared(int32_t, int32_t) {}
  // The size of each parameter in bytes, for kernels of images that do not describe them.
  virtual std::vector<uint64_t> parameter_sizes(int32_t) {
    fail(TENON_ERROR_UNSUPPORTED, "this device does not report the sizes of parameters");
  }

 private:
  virtual void do_launch(int32_t kernel, const Geometry& geometry, const Values& values, Stream& stream) = 0;
  void launch_watched(int32_t kernel, const Geometry& geometry, const Values& values, Stream& stream);
};

// The pieces of a graph, prepared by a device so that one call enqueues all of them.
class Replay {
 public:
  virtual ~Replay() = default;
  virtual void launch(Stream& stream) = 0;
  // The values of that piece were changed in place. False: the replay must be built again.
  virtual bool change(size_t piece) = 0;
  // Memory that the device needed for the replay: every launch writes it.
  virtual const std::vector<Ref<Buffer>>& memory() const = 0;
};

enum class MemoryLocation : int32_t { host, pinned, device, unknown };

// What generic code has to know about a device. The backend's constructor sets it, so that no generic code asks which
// kind of device it has.
struct DeviceTraits {
  bool on_host = false;  // its memory is the host's; its work runs on the host's threads and is over on return
  bool lapack = false;   // its dense routines are LAPACK's; ops/eigen/eigen.cpp and ops/eigen/svd.cpp say what follows
  bool fast_double = false;  // its double precision runs at half the rate of single precision or faster
  uint32_t alignment = 256;  // of the memory that a host's allocator provides, in bytes
};

class Device {
 public:
  explicit Device(Context& context);
  virtual ~Device();
  Device(const Device&) = delete;

  Context& context() const { return context_; }
  int32_t kind() const { return info_.kind; }
  const DeviceTraits& traits() const { return traits_; }
  bool on_host() const { return traits_.on_host; }
  int32_t index() const { return info_.index; }
  const std::string& name() const { return name_; }
  const std::string& description() const { return description_; }
  // free_memory is not kept up to date here. The struct stays valid and unchanged as long as the device lives.
  virtual const tenon_device_info& info() const { return info_; }

  // The error that every call on a lost device returns; NULL as long as the device can be used.
  const ErrorObject* lost_record() const noexcept { return lost_.load(std::memory_order_acquire); }

  DeferredErrors& deferred_errors() { return deferred_errors_; }  // of all its streams
  std::shared_ptr<ResultSlots> result_slots();                    // made on first use
  FindingSlots& finding_slots(Stream& stream);  // made on first use, on that stream, which is waited for

  virtual uint64_t free_memory() = 0;
  virtual std::string toolkit() = 0;  // one sentence, see tenon_device_toolkit
  virtual std::string report() = 0;   // a JSON object for tenon_context_report
  virtual void synchronize() = 0;

  // Memory. kind: TENON_MEMORY_*. bytes > 0. The block may be used by later work on `stream`.
  virtual void* allocate(uint64_t bytes, int32_t kind, Stream& stream) = 0;
  // Releases it after the work enqueued so far on `stream`, the only stream that uses it. Never synchronises.
  virtual void deallocate(void* data, uint64_t bytes, int32_t kind, Stream& stream) noexcept = 0;
  // Ends the life of memory once all work that its users have enqueued so far is done, on any device and any thread,
  // also while a stream is being captured. No stream waits for another, and the host does not wait. This default
  // implementation is for devices whose work is done when its call returns.
  virtual void retire(Retired memory, Users users) noexcept;
  // Ends the lives whose uses are over. wait: waits for the other uses first. Destroy functions run without locks held.
  virtual void collect(bool wait) noexcept { (void)wait; }
  virtual void memory_info(tenon_memory_info& out) = 0;
  virtual void trim(uint64_t keep_bytes) = 0;
  // The limit on the total size of live buffers in bytes; 0: none. Its first value is that of the context's settings.
  uint64_t memory_limit() const noexcept { return memory_limit_.load(std::memory_order_relaxed); }
  virtual void limit_memory(uint64_t bytes) { memory_limit_.store(bytes, std::memory_order_relaxed); }
  // The host's source of the device's memory; NULL: Tenon's own pools. The first allocation settles which, so that all
  // memory returns to where it came from; until then allocator() is NULL.
  const tenon_allocator* allocator() const noexcept {
    const tenon_allocator* source = allocator_.load(std::memory_order_acquire);
    return source == &kOwnPools ? nullptr : source;
  }
  const tenon_allocator* settled_allocator() noexcept {
    const tenon_allocator* source = allocator_.load(std::memory_order_acquire);
    if (!source && allocator_.compare_exchange_strong(source, &kOwnPools, std::memory_order_acq_rel)) return nullptr;
    return source == &kOwnPools ? nullptr : source;
  }
  // Copies it, and owns its user from then on. Throws UNSUPPORTED if the source is settled.
  void use_allocator(const tenon_allocator& allocator);
  // What an address is to this device: `kind` receives TENON_MEMORY_* and `device_index` the owner. The CPU returns
  // host.
  virtual MemoryLocation locate(const void* data, int32_t& kind, int32_t& device_index) = 0;

  virtual Stream& default_stream() = 0;
  virtual Stream* default_stream_if_used() { return &default_stream(); }  // NULL: nothing was ever put there
  virtual Ref<Stream> create_stream(int32_t priority) = 0;
  // The only object for that native stream; it is found again as long as anything refers to it. Stream::close undoes
  // it.
  virtual Ref<Stream> wrap_stream(uint64_t native) = 0;
  // Like wrap_stream, for the current stream of a framework: frameworks keep their streams alive.
  virtual Ref<Stream> framework_stream(uint64_t native) { return wrap_stream(native); }
  virtual Ref<Event> create_event(bool timing) = 0;
  // An event that another library owns and has recorded.
  virtual Ref<Event> wrap_event(uint64_t native) = 0;
  // make_shared makes memory that other processes can open; open_shared opens such memory. The key is of this kind of
  // device.
  virtual SharedMemory make_shared(uint64_t bytes) = 0;
  virtual SharedMemory open_shared(const SharedKey& key) = 0;

  // Plain byte copies from and to host memory. upload: the source may be reused on return, unless `pinned` (then when
  // the stream has reached it). download: the data has arrived on return, unless `pinned`.
  void upload(void* to, const void* from_host, uint64_t bytes, bool pinned, Stream& stream);
  void download(void* to_host, const void* from, uint64_t bytes, bool pinned, Stream& stream);
  // From memory of another device of the same kind. May throw UNSUPPORTED: the caller then copies through host memory.
  void copy_from_peer(void* to, Device& peer, const void* from, uint64_t bytes, Stream& stream);
  // Runs it in the order of the stream; the reference is released afterwards.
  void run_on_host(Ref<HostWork> work, Stream& stream);

  // Kernels. compiler_identity: all facts besides the request that determine what compile() makes (compiler, version,
  // architecture, built-in headers); throws MISSING_LIBRARY. compile: polls the request's control. include_directories:
  // where <headers> are found in addition to -I. own_headers: those that the device adds to the ones of the request.
  virtual std::string compiler_identity(const CompileRequest& request) = 0;
  virtual std::vector<std::string> include_directories(const CompileRequest& request) = 0;
  virtual const std::vector<SourceHeader>& own_headers() const {
    static const auto& none = *new std::vector<SourceHeader>;
    return none;
  }
  virtual Image compile(const CompileRequest& request) = 0;
  virtual Ref<Module> load(const Image& image) = 0;
  // Throws unless the input is an image for this device, with the reason. Nothing has checked it before.
  virtual void check_image(const ProgramInput& input) {
    fail(TENON_ERROR_UNSUPPORTED, "%s does not load images such as %s", name_.c_str(), input.name.c_str());
  }
  // The symbol of a kernel or variable in an image that describes it under `index`.
  virtual std::string kernel_symbol(const std::string& name, size_t) { return name; }
  virtual std::string variable_symbol(const std::string& name, size_t) { return name; }

  // Runs an operation of core/problem/operations.hpp in the order of the stream. A recording keeps a copy of the
  // problem, and refuses an operation that waits for its result (UNSUPPORTED).
  template <class Problem> void run(const Problem& problem, Stream& stream) {
    constexpr DeviceOperation operation = OperationOf<Problem>::value;
    if (!stream.watched()) [[likely]]
      return do_run(operation, &problem, stream);
    run_watched(operation, [this, problem](Stream& on) { do_run(operation, &problem, on); }, stream);
  }
  // Does the device have code of its own for elementwise functions, reductions and scans? Others get compiled kernels.
  virtual bool has_functions() const { return false; }

  // The library's own code for this device; NULL: there is none, and the device gets kernels. `work` calls it, on a
  // device that has it.
  virtual const Native* native() const { return nullptr; }
  void run_native(const char* name, const std::function<void()>& work, Stream& stream);
  // One of the library's own programs, loaded earlier under that key, or else request() loaded now.
  Module& own_module(const std::string& key, const std::function<CompileRequest()>& request, Stream& stream);

  // A texture with memory of its own, whose texels are not set, or (`shared`) one of an array's memory, which lives as
  // long. Throws LAYOUT if the device cannot read that, and UNSUPPORTED if it has no textures.
  virtual std::unique_ptr<TextureResource> make_texture(const TextureSpec& spec, const SharedTexels* shared);

  // Has a device without native code a routine for products of sparse matrices of that dtype? Others get kernels.
  virtual bool has_sparse(Dtype dtype) {
    (void)dtype;
    return false;
  }

  // Can the device transform this problem of complex32 and float16? Otherwise single precision is used.
  virtual bool has_half_fft(const FftProblem& problem) const {
    (void)problem;
    return false;
  }

  // Prepares the pieces, which run in their order and stay in place as long as the result lives. NULL: running one
  // after the other is the fastest way.
  virtual std::unique_ptr<Replay> make_replay(const std::vector<RecordedWork>& pieces) {
    (void)pieces;
    return nullptr;
  }

 protected:
  void set_lost(Ref<ErrorObject> record) noexcept { lost_.store(record.detach(), std::memory_order_release); }  // once
  void close_mail() noexcept;     // for the destructor of the derived class: while the memory can still be released
  void close_modules() noexcept;  // likewise

  virtual void do_upload(void* to, const void* from_host, uint64_t bytes, bool pinned, Stream& stream) = 0;
  virtual void do_download(void* to_host, const void* from, uint64_t bytes, bool pinned, Stream& stream) = 0;
  virtual void do_copy_from_peer(void* to, Device& peer, const void* from, uint64_t bytes, Stream& stream) = 0;
  // Keeps the work alive until it has run; within a graph the graph does.
  virtual void do_call_host(HostWork& work, Stream& stream) = 0;
  // `problem` is the struct of that operation. A backend dispatches through a table of its functions
  // (TENON_OPERATIONS).
  virtual void do_run(DeviceOperation operation, const void* problem, Stream& stream) = 0;
  virtual void do_run_native(const std::function<void()>& work, Stream& stream) {
    (void)stream;
    work();
  }

  tenon_device_info info_{};
  DeviceTraits traits_;
  std::string name_, description_;

 private:
  // run() on a watched stream: `work` calls do_run.
  void run_watched(DeviceOperation operation, std::function<void(Stream&)> work, Stream& stream);
  Context& context_;
  std::atomic<uint64_t> memory_limit_;
  static const tenon_allocator kOwnPools;  // stands for Tenon's pools
  std::atomic<const tenon_allocator*> allocator_;
  std::unique_ptr<const tenon_allocator> used_allocator_;
  std::atomic<const ErrorObject*> lost_{nullptr};
  DeferredErrors deferred_errors_;
  std::mutex mail_mutex_;
  std::shared_ptr<ResultSlots> result_slots_;
  std::unique_ptr<FindingSlots> finding_slots_;
  std::atomic<FindingSlots*> known_finding_slots_{nullptr};
  std::mutex modules_mutex_;
  std::map<std::string, Ref<Module>> modules_;
};

// Finds a program's image in the process or on disk, or compiles it. Implemented by kernel/; backends use it, too, for
// the kernels that they need themselves.
class ImageStore {
 public:
  virtual ~ImageStore() = default;
  virtual std::shared_ptr<const Image> get(Device& device, const CompileRequest& request) = 0;
  // A result that depends only on the text of the question (a program's version, with its path, size and time in the
  // text): computed by `ask` once per cache instead of once per process. An empty result is not kept.
  virtual std::string remembered(const std::string& question, const std::function<std::string()>& ask) {
    (void)question;
    return ask();
  }
  virtual std::string report() = 0;  // a JSON object: directory, mode, counters
};

// One row of backend/list.cpp. devices() makes the backend's devices; if there are none, *why receives the reason and
// what to install. report() returns a JSON object with what was found so far.
struct Backend {
  const char* name;  // "cpu", "cuda"
  std::vector<std::unique_ptr<Device>> (*devices)(Context& context, std::string* why);
  std::string (*report)();
  // Compiles for request.architecture without a device; NULL if programs can only be compiled for a device.
  Image (*compile)(const CompileRequest& request) = nullptr;
};

}  // namespace tenon
