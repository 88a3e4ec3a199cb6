// core/backend.hpp: THE device interface. A backend fills it in; everything above it reads as if there were one device.
//
// What holds for every function here, so that no comment repeats it:
// - Arguments have been checked. Failures are thrown as tenon::Error; nothing is half done then.
// - Functions that take a Stream enqueue there; on the CPU they are complete on return. The caller (Use in buffer.hpp)
// has
//   ordered the stream behind earlier users of the buffers. The stream belongs to the device.
// - Any function may be called from several threads at once.
// - CUDA: the caller's current context is the same after the call as before it.
// - What is put on a stream comes in by a function that is not virtual and looks whether the stream is watched: one
// that records
//   a graph (core/recording.hpp) takes the work itself, and diagnosis (core/watch.cpp) surrounds it. What a backend
//   fills in are the do_ functions behind those; they never see a stream that records.
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
#include "core/late.hpp"
#include "core/object.hpp"
#include "core/operations.hpp"
#include "core/problem.hpp"
#include "core/shared_memory.hpp"

namespace tenon {

class Buffer;
class Context;
class Device;
class HostWork;  // core/host_work.hpp
class Recording;
struct Step;  // core/recording.hpp
class Stream;
struct Native;  // core/native.hpp

class Event : public Object {
 public:
  explicit Event(Device& device) : device_(device) {}
  Device& device() const { return device_; }
  void record(Stream& stream);  // of the event's device
  virtual void synchronize() = 0;
  virtual bool query() = 0;                        // true: reached, or never recorded
  virtual double elapsed_since(Event& start) = 0;  // milliseconds; NOT_READY, INVALID_ARGUMENT (no timing)
  virtual uint64_t native() const { return 0; }
  LateList& lates() { return lates_; }  // of the work that it marks

 private:
  virtual void do_record(Stream& stream) = 0;
  Device& device_;
  LateList lates_;
};

class Stream : public Object {
 public:
  explicit Stream(Device& device);  // watched when the context's diagnosis wants it
  Device& device() const { return device_; }
  // What takes the work that is put here, in place of the device; NULL for a stream that runs it.
  Recording* recording() const { return recording_; }
  bool watched() const { return watched_; }
  // Is what is put here recorded into a graph by another library? Nothing may be waited for then. Asks the driver, and
  // only where others know the stream; within one call (enter, leave) once.
  virtual bool capturing() { return false; }
  // While capturing: `object` lives at least as long as that graph and what is instantiated from it.
  virtual void keep_with_capture(Ref<const Object> object) { (void)object; }
  // Does what must not become part of a graph (loading a kernel ...), beside another library's capture where there is
  // one; UNSUPPORTED where that would break it.
  virtual void beside_capture(const char* what, const std::function<void()>& work) {
    (void)what;
    work();
  }
  // Can other libraries put work here, or capture it? Buffers then take a closer look at every use.
  bool known_to_others() const { return known_to_others_.load(std::memory_order_relaxed); }
  // The calling thread's present call works on this stream: what the driver says of captures holds until leave.
  virtual void enter() noexcept {}
  virtual void leave() noexcept {}
  virtual uint64_t native() const = 0;
  virtual void synchronize() = 0;       // throws the stream's fault
  virtual bool query() = 0;             // false: work is pending; throws the stream's fault
  virtual void wait(Event& event) = 0;  // of any device
  // Of any device: later work here waits for all earlier work there. While another library captures `earlier`, its
  // captured work is not waited for (it does not run), and its work from before the capture cannot be: that is an error
  // when the caller knows that there is some (`ran`).
  void wait_for(Stream& earlier, bool ran = false);
  // Device::wrap_stream gives out one more handle, or the stream is lent memory: open until as many calls of close.
  virtual void open() {}
  // One handle that Device::wrap_stream gave out was released. With the last one, a native stream that nothing else
  // keeps alive is not touched any more. Buffers may still remember this object: an event recorded now stands for all
  // its work; not valid: the native stream may be gone already, and the device is waited for where its work matters.
  virtual void close(bool valid = true) noexcept { (void)valid; }
  // The native stream is valid until destroy(user) runs, when nothing remembers this object any more. False: it is kept
  // valid already.
  virtual bool keep_valid(tenon_destroy_fn destroy, void* user) noexcept {
    (void)destroy, (void)user;
    return false;
  }
  LateList& lates() { return lates_; }  // of its work, and of all that it waited for

 protected:
  Stream(Device& device, Recording* recording, bool watched)
      : device_(device), recording_(recording), watched_(watched) {}
  void make_known() const noexcept { known_to_others_.store(true, std::memory_order_relaxed); }

 private:
  virtual void do_wait_for(Stream& earlier, bool ran) = 0;
  Device& device_;
  mutable std::atomic<bool> known_to_others_{false};
  LateList lates_;
  Recording* const recording_ = nullptr;
  const bool watched_;
};

// A stream that used a piece of memory.
struct User {
  Ref<Stream> stream;
  bool wrote = false;
  bool theirs = false;  // the current stream of the framework that owns the memory: that orders its own reuse there
  bool behind_writes = false;  // its work is ordered behind all writes in the list: further reads need not wait
};

// A few users; allocates only for more than two.
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

// Memory at the end of its life: our own (with the stream on which it was allocated), or foreign (with its destroy
// function).
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

// One input of a program that is made of several, or an image that is loaded as it is.
struct ProgramInput {
  int32_t kind = TENON_INPUT_SOURCE;
  std::string name;  // for messages
  std::string data;
  std::string trailer;                   // of a source, as below
  std::vector<size_t> kernels, globals;  // which of the request's are in this source
};

// Everything that decides what is compiled, but for the device and its compiler.
struct CompileRequest {
  std::string source;                // the user's text
  std::string name;                  // for messages
  std::vector<ProgramInput> inputs;  // what is linked; the source and its trailer are then empty
  std::string trailer;  // Tenon's lines after it (signature tables): same translation unit, not the user's lines
  std::vector<SourceHeader> headers;
  std::vector<std::string> kernels;  // names and template instances; index i is kernel i of the module
  std::vector<std::string> globals;  // variables that the host wants to reach
  std::vector<std::string> options;
  int32_t mode = TENON_PROGRAM_MODE_FAST;
  uint32_t flags = 0;        // TENON_PROGRAM_FLAG_*
  std::string architecture;  // "": the device's own
  double time_limit = 0;     // seconds; 0: the default. Neither this nor what follows is part of what is compiled
  // Ends this compile early; NULL: nothing does but the default time limit.
  const CompileControl* control = nullptr;

  CompileRequest unit(size_t input) const;  // that source as a request of its own
};

// A compiled program: all that is needed to load it again without a compiler. Plain data, so that it can be kept on
// disk.
struct Image {
  std::string binary;  // cubin, or shared object
  std::string ptx;
  std::string log;
  std::vector<std::string> symbols;  // of each kernel, mangled
  std::vector<std::string> globals;  // of each variable of the request: what Module::global takes
  int32_t execution = 0;             // CPU: the execution mode (shim/tenon_abi.h)
  bool as_given = false;             // a user's image; not kept on disk
};

// In addition to TENON_LAUNCH_*: each block is enough work for a thread of its own (the CPU's loops).
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
  int32_t kind = 0;  // TENON_PARAMETER_*; 0: not known
};

// The memory that the kernel may reach through a parameter, for programs in the checked mode; data is NULL where that
// is not known.
struct Extent {
  const void* data = nullptr;
  uint64_t bytes = 0;
  const char* name = "";  // of the parameter
};

// The arguments of a launch: values[i] points at the value of parameter i, as in cuLaunchKernel; they are copied before
// the launch returns. A backend's own kernels give no shapes (count 0): such a launch is not recorded and not
// described.
struct Values {
  Values(void* const* list, const ValueShape* known = nullptr, uint32_t n = 0, const Extent* reach = nullptr)
      : values(list), shapes(known), count(n), extents(reach) {}
  void* const* values;
  const ValueShape* shapes;
  uint32_t count;
  const Extent* extents;  // one for each, in the checked mode; else NULL
};

// The same text at an address that stays valid, for uses that outlive the module it names.
const char* kept_name(const std::string& name);

// An image loaded on a device. Kernels are known by their index in CompileRequest::kernels.
class Module : public Object {
 public:
  virtual tenon_kernel_info info(int32_t kernel) = 0;
  virtual const char* name(int32_t kernel) = 0;  // for messages; lives as long as the process
  // Geometry is inside the device's limits. A fault of the kernel becomes the stream's sticky fault.
  void launch(int32_t kernel, const Geometry& geometry, const Values& values, Stream& stream) {
    if (stream.watched()) [[unlikely]]
      return launch_watched(kernel, geometry, values, stream);
    do_launch(kernel, geometry, values, stream);
  }
  // Address and size of a __device__ or __constant__ variable; throws NOT_FOUND.
  virtual void* global(const std::string& name, uint64_t& bytes) = 0;
  // Blocks of that many threads (at least 1) and bytes of dynamic shared memory that one multiprocessor runs at once.
  virtual int32_t occupancy(int32_t kernel, uint32_t threads, uint64_t shared_bytes) = 0;
  // Bytes of each parameter, for kernels of images that do not describe them.
  virtual std::vector<uint64_t> parameter_sizes(int32_t) {
    fail(TENON_ERROR_UNSUPPORTED, "this device does not report the sizes of parameters");
  }

 private:
  virtual void do_launch(int32_t kernel, const Geometry& geometry, const Values& values, Stream& stream) = 0;
  void launch_watched(int32_t kernel, const Geometry& geometry, const Values& values, Stream& stream);
};

// The steps of a graph, assembled by a device so that one call enqueues all of them.
class Replay {
 public:
  virtual ~Replay() = default;
  virtual void launch(Stream& stream) = 0;
  // The values of that step were changed in place. False: the replay must be made again.
  virtual bool change(size_t step) = 0;
  // Memory that the device needed for it: every launch writes there.
  virtual const std::vector<Ref<Buffer>>& memory() const = 0;
};

enum class Where : int32_t { host, pinned, device, unknown };

class Device {
 public:
  explicit Device(Context& context);
  virtual ~Device() {
    if (const ErrorObject* record = lost_.load()) record->release();
  }
  Device(const Device&) = delete;

  Context& context() const { return context_; }
  int32_t kind() const { return info_.kind; }
  int32_t index() const { return info_.index; }
  const std::string& name() const { return name_; }
  const std::string& description() const { return description_; }
  // free_memory is not kept up to date here. What is returned stays valid and unchanged while the device lives.
  virtual const tenon_device_info& info() const { return info_; }

  // The error that every call on a lost device returns; NULL while the device can be used.
  const ErrorObject* lost_record() const noexcept { return lost_.load(std::memory_order_acquire); }

  LateList& lates() { return lates_; }  // of all its streams
  std::shared_ptr<Mail> mail();         // made when it is first asked for

  virtual uint64_t free_memory() = 0;
  virtual std::string toolkit() = 0;  // one sentence, see tenon_device_toolkit
  virtual std::string report() = 0;   // a JSON object for tenon_context_report
  virtual void synchronize() = 0;

  // Memory. kind: TENON_MEMORY_*. bytes > 0. The block may be used by later work on `stream`.
  virtual void* allocate(uint64_t bytes, int32_t kind, Stream& stream) = 0;
  // Gives it back after the work enqueued on `stream` so far, the only stream that uses it. Never synchronises.
  virtual void deallocate(void* data, uint64_t bytes, int32_t kind, Stream& stream) noexcept = 0;
  // Ends the memory's life once all work that its users have enqueued so far is done: of any device, on any thread,
  // also while a stream is captured. No stream waits for another, and the host does not wait. As it is: for devices
  // whose work is done when its call returns.
  virtual void retire(Retired memory, Users users) noexcept;
  // Ends the lives that are over by now. wait: waits for the others first. destroy functions run under no lock.
  virtual void collect(bool wait) noexcept { (void)wait; }
  virtual void memory_info(tenon_memory_info& out) = 0;
  virtual void trim(uint64_t keep_bytes) = 0;
  // Most bytes that live buffers may take; 0: no limit. The context's settings say it first.
  uint64_t memory_limit() const noexcept { return memory_limit_.load(std::memory_order_relaxed); }
  virtual void limit_memory(uint64_t bytes) { memory_limit_.store(bytes, std::memory_order_relaxed); }
  // What an address is to this device: `kind` receives TENON_MEMORY_* and `device_index` the owner. The CPU says host.
  virtual Where locate(const void* data, int32_t& kind, int32_t& device_index) = 0;

  virtual Stream& default_stream() = 0;
  virtual Stream* default_stream_if_used() { return &default_stream(); }  // NULL: nothing was ever put there
  virtual Ref<Stream> create_stream(int32_t priority) = 0;
  // The one object of that native stream, found again as long as anything remembers it. Stream::close undoes it.
  virtual Ref<Stream> wrap_stream(uint64_t native) = 0;
  // As wrap_stream, for one that a framework calls its current stream: it keeps its streams.
  virtual Ref<Stream> framework_stream(uint64_t native) { return wrap_stream(native); }
  virtual Ref<Event> create_event(bool timing) = 0;
  // An event that another library owns and has recorded.
  virtual Ref<Event> wrap_event(uint64_t native) = 0;
  // Memory that other processes can open, and such memory of theirs. The key is of this kind of device.
  virtual SharedMemory make_shared(uint64_t bytes) = 0;
  virtual SharedMemory open_shared(const SharedKey& key) = 0;

  // Plain byte copies with host memory. upload: the source may be reused on return unless `pinned` (then when the
  // stream is done). download: the data is there on return unless `pinned`.
  void upload(void* to, const void* from_host, uint64_t bytes, bool pinned, Stream& stream);
  void download(void* to_host, const void* from, uint64_t bytes, bool pinned, Stream& stream);
  // From memory of another device of the same kind. UNSUPPORTED is allowed: the caller then goes through host memory.
  void copy_from_peer(void* to, Device& peer, const void* from, uint64_t bytes, Stream& stream);
  // Runs it in the order of the stream; the reference goes when that is over.
  void run_on_host(Ref<HostWork> work, Stream& stream);

  // Kernels. compiler_identity: every fact beside the request that decides what compile() makes (compiler, version,
  // architecture, built-in headers); throws MISSING_LIBRARY. compile: looks at the request's control.
  // include_directories: where <headers> are found beyond -I.
  virtual std::string compiler_identity(const CompileRequest& request) = 0;
  virtual std::vector<std::string> include_directories() = 0;
  virtual Image compile(const CompileRequest& request) = 0;
  virtual Ref<Module> load(const Image& image) = 0;
  // Refuses an image that is none, or not one for this device, saying why. Nothing else has looked at it.
  virtual void check_image(const ProgramInput& input) {
    fail(TENON_ERROR_UNSUPPORTED, "%s does not load images such as %s", name_.c_str(), input.name.c_str());
  }
  // What a kernel or variable is called in an image that describes it under `index`.
  virtual std::string kernel_symbol(const std::string& name, size_t) { return name; }
  virtual std::string variable_symbol(const std::string& name, size_t) { return name; }

  // Runs an operation of core/operations.hpp in the order of the stream. A recording keeps a copy of the problem; it
  // refuses an operation that waits for its result (UNSUPPORTED).
  template <class Problem> void run(const Problem& problem, Stream& stream) {
    constexpr DeviceOperation operation = OperationOf<Problem>::value;
    if (!stream.watched()) [[likely]]
      return do_run(operation, &problem, stream);
    run_watched(operation, [this, problem](Stream& on) { do_run(operation, &problem, on); }, stream);
  }
  // Has the device code of its own for elementwise functions, reductions and scans? Others get compiled kernels.
  virtual bool has_functions() const { return false; }

  // The library's own code for this device; NULL: there is none, it is given kernels. `work` calls it, on a device that
  // has it.
  virtual const Native* native() const { return nullptr; }
  void run_native(const char* name, const std::function<void()>& work, Stream& stream);
  // A program of the library's own that was loaded under that key, or request() loaded now.
  Module& own_module(const std::string& key, const std::function<CompileRequest()>& request, Stream& stream);

  // Can the device transform this problem of complex32 and float16? What it cannot is done in single precision.
  virtual bool has_half_fft(const FftProblem& problem) const {
    (void)problem;
    return false;
  }

  // Puts the steps together, in their order; they stay where they are as long as what is returned. NULL: there is no
  // faster way than to run one after the other.
  virtual std::unique_ptr<Replay> make_replay(const std::vector<Step>& steps) {
    (void)steps;
    return nullptr;
  }

 protected:
  void set_lost(Ref<ErrorObject> record) noexcept { lost_.store(record.detach(), std::memory_order_release); }  // once
  void close_mail() noexcept;     // in the destructor of what fills this in: memory can then still be given back
  void close_modules() noexcept;  // likewise

  virtual void do_upload(void* to, const void* from_host, uint64_t bytes, bool pinned, Stream& stream) = 0;
  virtual void do_download(void* to_host, const void* from, uint64_t bytes, bool pinned, Stream& stream) = 0;
  virtual void do_copy_from_peer(void* to, Device& peer, const void* from, uint64_t bytes, Stream& stream) = 0;
  // Keeps it until it has run; within a graph the graph does.
  virtual void do_call_host(HostWork& work, Stream& stream) = 0;
  // `problem` is the struct of that operation. A backend forwards to a table of its functions (TENON_OPERATIONS).
  virtual void do_run(DeviceOperation operation, const void* problem, Stream& stream) = 0;
  virtual void do_run_native(const std::function<void()>& work, Stream& stream) {
    (void)stream;
    work();
  }

  tenon_device_info info_{};
  std::string name_, description_;

 private:
  // run() on a watched stream: `work` calls do_run.
  void run_watched(DeviceOperation operation, std::function<void(Stream&)> work, Stream& stream);
  Context& context_;
  std::atomic<uint64_t> memory_limit_;
  std::atomic<const ErrorObject*> lost_{nullptr};
  LateList lates_;
  std::mutex mail_mutex_;
  std::shared_ptr<Mail> mail_;
  std::mutex modules_mutex_;
  std::map<std::string, Ref<Module>> modules_;
};

// Finds a program's image: in the process, on disk, or by compiling. Implemented by kernel/, used by backends too for
// the kernels they need themselves.
class ImageStore {
 public:
  virtual ~ImageStore() = default;
  virtual std::shared_ptr<const Image> get(Device& device, const CompileRequest& request) = 0;
  // The answer to a question whose text holds all that it depends on (a program's version, by path, size and time):
  // asked once per cache and not once per process. An empty answer is not kept.
  virtual std::string remembered(const std::string& question, const std::function<std::string()>& ask) {
    (void)question;
    return ask();
  }
  virtual std::string report() = 0;  // a JSON object: directory, mode, counters
};

// One row of backend/list.cpp. devices() makes the backend's devices; when there are none, *why says the reason and
// what to install. report() is a JSON object of what was found so far.
struct Backend {
  const char* name;  // "cpu", "cuda"
  std::vector<std::unique_ptr<Device>> (*devices)(Context& context, std::string* why);
  std::string (*report)();
  // Compiles for request.architecture without any device; NULL where programs are compiled for a device only.
  Image (*compile)(const CompileRequest& request) = nullptr;
};

}  // namespace tenon
