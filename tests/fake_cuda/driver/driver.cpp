// tests/fake_cuda/driver/driver.cpp: a libcuda.so.1 without a GPU. Device memory is malloc, a stream is a list of
// things to do, any call can be made to fail. Only what Tenon calls is here; it is strict about what the real driver
// leaves undefined, and it knows what happens before what (order.hpp): two operations on the same bytes that nothing
// orders are a race, however they ran.
#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>
#include "../control.hpp"
#include "order.hpp"
#include "../quiet.hpp"

#define API extern "C" __attribute__((visibility("default")))

using CUresult = int;
using CUdevice = int;
using CUdeviceptr = unsigned long long;

namespace {

using fake::Clock;
using fake::Mark;
using fake::Range;
using fake::Shadow;

constexpr int kOk = 0, kInvalid = 1, kNoMemory = 2, kNoDevice = 100, kNoContext = 201, kNoBinary = 209,
              kBadHandle = 400, kNotFound = 500, kNotReady = 600, kIllegalAddress = 700;
// Errors for calls that a capture does not allow.
constexpr int kUnsupported = 900, kInvalidated = 901, kMerge = 902, kUnmatched = 903, kUnjoined = 904, kIsolation = 905,
              kImplicit = 906, kCapturedEvent = 907, kWrongThread = 908;
constexpr int kGlobal = 0, kRelaxed = 2;  // CU_STREAM_CAPTURE_MODE_*

int from_environment(const char* name, int otherwise) {
  const char* text = getenv(name);
  return text ? atoi(text) : otherwise;
}

struct Stream;
struct Work {
  std::function<void()> run;
  std::vector<Range> ranges;  // the memory that it touches
  const char* name = "an operation";
};
struct Wait {
  std::shared_ptr<Stream> stream;
  uint64_t until;
};
struct Operation {
  std::vector<Wait> waits;  // first these streams must get there
  Work work;
  bool by_test = false;
  uint64_t number = 0;
};

// A captured graph is a sequence of nodes, in the order in which they were captured.
struct Function;
struct Module;
struct Node {
  Work work;
  Function* function = nullptr;  // of a kernel
  std::shared_ptr<Module> module;
  unsigned geometry[7] = {};
};

// An object that graphs keep alive. Its destructor runs on a thread of the driver, and must not call the driver.
struct UserObject {
  void* pointer;
  void (*destroy)(void*);
  long references;  // of the caller and of graphs
};
void let_go(UserObject* object, long count);
struct Kept {  // a graph's references
  UserObject* object;
  long count;
  Kept(UserObject* o, long n) : object(o), count(n) {}
  Kept(const Kept& other) : object(other.object), count(other.count) { object->references += count; }
  Kept& operator=(const Kept&) = delete;
  ~Kept() { let_go(object, count); }
};
struct GraphMemory;  // allocated by nodes: ends with the graph and everything made from it

struct Graph {
  std::vector<std::shared_ptr<Node>> nodes;
  std::list<Kept> kept;
  std::vector<std::shared_ptr<GraphMemory>> memory;
};
struct Capture {
  Graph* graph = new Graph;
  Stream* origin = nullptr;
  uint64_t thread = 0;
  int mode = kGlobal;
  unsigned long long id = 0;
  bool broken = false;
  std::vector<std::shared_ptr<Stream>> streams;  // the origin first, then those that joined
  std::vector<Clock> clocks;                     // for each stream: what happens before what within the graph
  Shadow shadow;
  Clock& clock(const Stream* stream) {
    size_t i = 0;
    while (streams[i].get() != stream) ++i;
    return clocks[i];
  }
  size_t agent(const Stream* stream) {
    size_t i = 0;
    while (streams[i].get() != stream) ++i;
    return i;
  }
};

struct Stream {
  void* handle = nullptr;
  uint64_t id = 0;
  int device = 0;
  bool blocking = true, legacy = false, alive = true;
  std::shared_ptr<Capture> capture;
  std::deque<Operation> queue;
  uint64_t enqueued = 0, done = 0;
  size_t agent = 0;
  Clock clock;             // of its last operation
  uint64_t host_seen = 0;  // version of the host's clock that it has joined
};

struct Event {
  int device = 0;
  unsigned long long capture = 0;  // recorded in that one
  std::weak_ptr<Capture> in;
  std::vector<Wait> waits;
  Clock clock;
  uint64_t at = 0;  // number of operations of its stream before it: its time
  bool timing = false;
  bool reached() const {
    return std::all_of(waits.begin(), waits.end(), [](const Wait& w) { return w.stream->done >= w.until; });
  }
};

struct Pool {
  uint64_t used = 0, reserved = 0, threshold = 0;
};
enum class Kind { device, host, managed };
struct Block {
  uint64_t bytes;
  Kind kind;
  Pool* pool;
  int device;
  bool registered = false;  // not allocated by cuMem*: host memory that was pinned in place, a variable of a module
};
struct Context {
  int device;
  int retained = 0;
};
struct Function {
  std::string name, expression;
  Module* module = nullptr;
  int dynamic_shared = 48 << 10, carveout = -1;
  std::vector<size_t> parameters{};
};
struct Module : std::enable_shared_from_this<Module> {
  std::map<std::string, Function> functions;
  std::map<std::string, std::pair<CUdeviceptr, uint64_t>> globals;
  int device = 0;
  bool loaded = true;
  bool real = false;  // a cubin: it has every function that is requested, and they do nothing
  void add_global(const std::string& name, uint64_t bytes);
  ~Module();
};

struct World {
  long ipc_opened = 0;
  QuietMutex mutex;
  FakeCuda control;
  std::map<std::string, long> counts;
  std::map<uintptr_t, Block> blocks;
  std::map<uint64_t, std::vector<void*>> recycled;  // by size: a device's small blocks never become host memory
  std::map<uintptr_t, uint64_t> gone;               // freed small blocks, and their sizes
  std::map<void*, std::shared_ptr<Stream>> handles;
  std::vector<std::shared_ptr<Stream>> streams;  // destroyed ones finish their work
  std::vector<void*> free_handles;               // of destroyed streams: the next stream gets the latest
  std::set<Event*> events;
  std::map<Module*, std::shared_ptr<Module>> modules;
  std::set<const void*> graphs;                                            // and everything instantiated from them
  std::map<std::pair<uint64_t, int>, std::shared_ptr<Stream>> per_thread;  // by thread and device
  std::shared_ptr<Stream> legacy[2];
  Context contexts[2] = {{0}, {1}};
  bool started = false;
  unsigned long long captures = 0;
  std::vector<std::shared_ptr<Capture>> capturing;
  std::set<UserObject*> objects;
  std::set<std::string> names;  // of operations
  FakeKernels kernels;          // the work of the others

  // What happened before what. The host is agent 0: if one thread has waited for something, all threads know it
  // (communication between threads is not visible here).
  Clock host;
  uint64_t host_version = 1;
  Shadow shadow;
  std::vector<size_t> free_agents;
  size_t agents = 1;
  uint64_t stream_ids = 10, operations = 0;
  uint64_t random = 0, seed = 0;
};

World& world() {
  static World& one = *new World;
  return one;
}

// The thread's stack of contexts. It has no destructor, because static objects that are destroyed after the thread's
// own may still call.
struct Contexts {
  Context* items[64];
  size_t count;
  bool empty() const { return count == 0; }
  Context* back() const { return items[count - 1]; }
  void push_back(Context* context) {
    if (count == 64) abort();
    items[count++] = context;
  }
  void pop_back() { --count; }
};
thread_local Contexts current;
thread_local int capture_mode = kGlobal;
thread_local bool by_test = false;   // true: the calls are the test's, not those of the library under test
thread_local bool no_calls = false;  // within a callback of the driver
// The library stores thread ids, which the system reuses for new threads; these ids are never reused.
uint64_t this_thread() {
  static uint64_t last = 0;
  static thread_local uint64_t mine = ++last;  // under the lock
  return mine;
}

void misuse(const std::string& text) {
  FakeCuda& control = world().control;
  ++control.misuses;
  snprintf(control.misuse, sizeof control.misuse, "%s", text.c_str());
}

void race(const std::string& text) {
  FakeCuda& control = world().control;
  if (control.races++ == 0) std::snprintf(control.race, sizeof control.race, "%s", text.c_str());
}

const char* interned(const std::string& name) { return world().names.insert(name).first->c_str(); }

void advance();

// True if this call must fail, or all calls do.
bool fails(const char* name, CUresult& result) {
  World& w = world();
  if (no_calls) misuse(std::string(name) + " within a callback of the driver");
  advance();
  if (by_test) return false;
  ++w.counts[name];
  ++w.control.calls;
  if (w.control.sticky) {
    result = w.control.sticky;
    return true;
  }
  if (w.control.fail_at && --w.control.fail_at == 0) {
    result = w.control.fail_code;
    snprintf(w.control.failed_call, sizeof w.control.failed_call, "%s", name);
    if (w.control.for_ever) w.control.fail_at = 1;
    return true;
  }
  return false;
}

// A call that does not return until the test allows it. Calls of other threads continue.
void hang(const char* name) {
  std::atomic<const char*>& where = world().control.hangs_in;
  const char* const asked = where.load();
  if (!asked || strcmp(asked, name) != 0) return;
  ++world().control.hanging;
  while (where.load()) usleep(100);
  --world().control.hanging;
}

// ---- what captures forbid: it is counted as misuse, and breaks the capture

CUresult broken(Capture& capture, const std::string& what, CUresult result) {
  capture.broken = true;
  misuse(what + " during a capture");
  return result;
}

// Calls that CUDA calls potentially unsafe, because a capture cannot observe them.
CUresult unsafe(const char* who) {
  if (capture_mode == kRelaxed) return kOk;
  CUresult result = kOk;
  for (auto& capture : world().capturing) {
    const bool mine = capture->thread == this_thread() && capture->mode != kRelaxed;
    const bool anyones = capture_mode == kGlobal && capture->mode == kGlobal;
    if (mine || anyones) result = broken(*capture, who, kUnsupported);
  }
  return result;
}

// Waiting for captured work, which does not run, conflicts with the capture in every mode: for a stream, or for a whole
// device.
CUresult waits_for_captured(const char* who, const Stream* on, int device = -1) {
  CUresult result = kOk;
  for (auto& capture : world().capturing)
    for (auto& stream : capture->streams)
      if (stream.get() == on || stream->device == device) {
        result = broken(*capture, who, kUnsupported);
        break;
      }
  return result;
}

// The legacy stream waits for the blocking streams of its device: it cannot be used while one of them is captured.
CUresult legacy_conflict(const char* who, const Stream* on, bool breaks) {
  if (!on->legacy) return kOk;
  CUresult result = kOk;
  for (auto& capture : world().capturing)
    for (auto& stream : capture->streams)
      if (stream->blocking && stream->device == on->device) {
        result = kImplicit;
        if (breaks) broken(*capture, std::string(who) + " on the legacy default stream", kImplicit);
        break;
      }
  return result;
}

#define UNSAFE() \
  if (CUresult forbidden = unsafe(__func__)) return forbidden

#define ENTER()                                 \
  hang(__func__);                               \
  std::lock_guard guard(world().mutex);         \
  [[maybe_unused]] World& w = world();          \
  CUresult failed_ = kOk;                       \
  if (fails(__func__, failed_)) return failed_; \
  if (!w.started) return 3;
// Functions that release something do so, and report an earlier failure, as the driver does.
#define ENTER_RELEASE()                 \
  std::lock_guard guard(world().mutex); \
  [[maybe_unused]] World& w = world();  \
  CUresult failed_ = kOk;               \
  fails(__func__, failed_);
#define NEEDS_CONTEXT() \
  if (current.empty()) return kNoContext

// ---- streams

void host_learns(const Clock& clock) {
  world().host.join(clock);
  ++world().host_version;
}

// Removes destroyed streams that are done; also their place among the agents, if the host has seen all their work.
void forget_streams() {
  World& w = world();
  std::erase_if(w.streams, [&](const std::shared_ptr<Stream>& stream) {
    if (stream->alive || !stream->queue.empty() || stream->clock.of(stream->agent) > w.host.of(stream->agent))
      return false;
    w.free_agents.push_back(stream->agent);
    return true;
  });
}

std::shared_ptr<Stream> new_stream(int device, bool blocking) {
  World& w = world();
  forget_streams();
  auto stream = std::make_shared<Stream>();
  stream->device = device;
  stream->blocking = blocking;
  stream->id = ++w.stream_ids;
  if (w.free_agents.empty()) {
    stream->agent = w.agents++;
  } else {
    stream->agent = w.free_agents.back();
    w.free_agents.pop_back();
    stream->clock.set(stream->agent, w.host.of(stream->agent));
  }
  w.streams.push_back(stream);
  return stream;
}

// NULL: none; `result` has the reason.
std::shared_ptr<Stream> stream_of(void* handle, const char* who, CUresult& result) {
  World& w = world();
  const auto value = reinterpret_cast<uintptr_t>(handle);
  if (value <= 2) {
    result = kNoContext;
    if (current.empty()) return nullptr;
    const int device = current.back()->device;
    auto& stream = value == 2 ? w.per_thread[{this_thread(), device}] : w.legacy[device];
    if (!stream) {
      stream = new_stream(device, true);
      stream->legacy = value != 2;
    }
    return stream;
  }
  const auto found = w.handles.find(handle);
  if (found != w.handles.end()) return found->second;
  misuse(std::string(who) + " on a stream that is not alive");
  result = kBadHandle;
  return nullptr;
}
#define STREAM_TO_ASK(handle)                                                \
  CUresult no_stream = kOk;                                                  \
  const std::shared_ptr<Stream> on = stream_of(handle, __func__, no_stream); \
  if (!on) return no_stream
#define STREAM(handle)                                                                \
  STREAM_TO_ASK(handle);                                                              \
  if (CUresult conflict = legacy_conflict(__func__, on.get(), true)) return conflict; \
  if (on->capture && on->capture->broken) return kInvalidated

bool ready(const Stream& stream) {
  if (stream.queue.empty()) return false;
  const auto& waits = stream.queue.front().waits;
  return std::all_of(waits.begin(), waits.end(), [](const Wait& wait) { return wait.stream->done >= wait.until; });
}

void progress(Stream& stream, uint64_t until) {
  while (stream.done < until) {
    Operation operation = std::move(stream.queue.front());
    stream.queue.pop_front();
    for (const Wait& wait : operation.waits) progress(*wait.stream, wait.until);
    if (operation.work.run) operation.work.run();
    ++stream.done;
  }
}

void progress_all() {
  const auto all = world().streams;
  for (auto& stream : all) progress(*stream, stream->enqueued);
}

// With a seed, runs some of the work that could have run by now.
void advance() {
  World& w = world();
  if (!w.control.seed) return;
  if (w.seed != w.control.seed) w.seed = w.random = w.control.seed;
  const auto next = [&] {
    w.random ^= w.random << 13, w.random ^= w.random >> 7, w.random ^= w.random << 17;
    return w.random;
  };
  for (uint64_t n = next() % 4; n; --n) {
    const std::shared_ptr<Stream> stream = w.streams.empty() ? nullptr : w.streams[next() % w.streams.size()];
    if (stream && ready(*stream)) progress(*stream, stream->done + 1);
  }
}

// What a stream's next operation waits for: everything that the host has waited for is over; the legacy stream waits
// for all blocking streams of its device, and these wait for it.
std::vector<Wait> arrive(Stream& on) {
  World& w = world();
  std::vector<Wait> waits;
  const auto behind = [&](const std::shared_ptr<Stream>& other) {
    on.clock.join(other->clock);
    if (other->done < other->enqueued) waits.push_back({other, other->enqueued});
  };
  if (on.host_seen != w.host_version) on.clock.join(w.host), on.host_seen = w.host_version;
  if (on.legacy) {
    for (auto& stream : w.streams)
      if (stream.get() != &on && stream->blocking && stream->device == on.device) behind(stream);
  } else if (on.blocking && w.legacy[on.device]) {
    behind(w.legacy[on.device]);
  }
  return waits;
}

void touch(const Work& work, const Mark& mark, const Clock& clock, Shadow& shadow, const char* where = "") {
  for (const Range& range : work.ranges)
    shadow.access(range, mark, clock, [&](const std::string& text) { race(text + where); });
}

void put(Stream& on, Work work, std::vector<Wait> more = {}, const Clock* behind = nullptr) {
  World& w = world();
  if (Capture* capture = on.capture.get()) {
    Clock& clock = capture->clock(&on);
    const size_t agent = capture->agent(&on);
    const uint32_t count = clock.tick(agent);
    touch(work, {uint32_t(agent), count, on.id, ++w.operations, work.name}, clock, capture->shadow,
          " (in a captured graph)");
    auto node = std::make_shared<Node>();
    node->work = std::move(work);
    capture->graph->nodes.push_back(std::move(node));
    return;
  }
  std::vector<Wait> waits = arrive(on);
  waits.insert(waits.end(), more.begin(), more.end());
  if (behind) on.clock.join(*behind);
  const uint32_t count = on.clock.tick(on.agent);
  const uint64_t number = ++w.operations;
  touch(work, {uint32_t(on.agent), count, on.id, number, work.name}, on.clock, w.shadow);
  on.queue.push_back({std::move(waits), std::move(work), by_test, number});
  ++on.enqueued;
  if (!w.control.lazy) progress(on, on.enqueued);
}

// The host has waited for all of the stream's work.
void host_waits(Stream& on) {
  progress(on, on.enqueued);
  host_learns(on.clock);
}

// The host itself accesses memory now.
void host_touches(CUdeviceptr data, uint64_t bytes, bool write, const char* name) {
  World& w = world();
  const uint32_t count = w.host.tick(0);
  ++w.host_version;
  w.shadow.access({uintptr_t(data), uintptr_t(data) + bytes, write}, {0, count, 0, ++w.operations, name}, w.host, race);
}

// ---- memory

Block* block_of(CUdeviceptr data, uint64_t bytes = 1) {
  World& w = world();
  auto next = w.blocks.upper_bound(uintptr_t(data));
  if (next == w.blocks.begin()) return nullptr;
  auto& [begin, block] = *std::prev(next);
  return data + bytes <= begin + block.bytes ? &block : nullptr;
}

constexpr uint64_t kRecycled = 4 << 20;

CUresult add_block(CUdeviceptr* data, uint64_t bytes, Kind kind, Pool* pool) {
  World& w = world();
  const uint64_t grow = kind == Kind::host ? 0
                        : pool ? (pool->used + bytes > pool->reserved ? pool->used + bytes - pool->reserved : 0)
                               : bytes;
  if (grow > w.control.memory_limit || w.control.device_bytes > w.control.memory_limit - grow) return kNoMemory;
  const uint64_t rounded = (bytes + 511) / 512 * 512;
  auto& recycled = w.recycled[rounded];
  void* memory = recycled.empty() ? aligned_alloc(512, rounded) : recycled.back();
  if (!memory) return kNoMemory;
  if (!recycled.empty()) recycled.pop_back();
  w.gone.erase(reinterpret_cast<uintptr_t>(memory));
  memset(memory, 0xcd, bytes);
  w.control.device_bytes += grow;
  if (pool) {
    pool->used += bytes;
    pool->reserved = std::max(pool->reserved, pool->used);
  }
  w.blocks[reinterpret_cast<uintptr_t>(memory)] = {bytes, kind, pool, current.empty() ? 0 : current.back()->device};
  w.shadow.forget(reinterpret_cast<uintptr_t>(memory), reinterpret_cast<uintptr_t>(memory) + bytes);
  ++(kind == Kind::host ? w.control.host_blocks : w.control.blocks);
  *data = reinterpret_cast<CUdeviceptr>(memory);
  return kOk;
}

CUresult remove_block(CUdeviceptr data, const char* who, Kind kind) {
  World& w = world();
  auto found = w.blocks.find(uintptr_t(data));
  if (found == w.blocks.end() || (found->second.kind == Kind::host) != (kind == Kind::host) ||
      found->second.registered) {
    misuse(std::string(who) + " of memory that is not allocated");
    return kInvalid;
  }
  if (found->second.pool) found->second.pool->used -= found->second.bytes;
  else if (kind != Kind::host) w.control.device_bytes -= found->second.bytes;
  --(kind == Kind::host ? w.control.host_blocks : w.control.blocks);
  w.shadow.forget(found->first, found->first + found->second.bytes);
  const uint64_t rounded = (found->second.bytes + 511) / 512 * 512;
  memset(reinterpret_cast<void*>(data), 0xdd, found->second.bytes);
  if (rounded <= kRecycled) {
    w.recycled[rounded].push_back(reinterpret_cast<void*>(data));
    w.gone[uintptr_t(data)] = rounded;
  } else {
    free(reinterpret_cast<void*>(data));
  }
  w.blocks.erase(found);
  return kOk;
}

bool is_gone(CUdeviceptr data) {
  World& w = world();
  const auto next = w.gone.upper_bound(uintptr_t(data));
  return next != w.gone.begin() && data < std::prev(next)->first + std::prev(next)->second;
}

// Memory from a capture's allocation nodes: it lives as long as the graph, or anything instantiated from it.
struct GraphMemory {
  CUdeviceptr data;
  ~GraphMemory() { remove_block(data, "cuGraphDestroy", Kind::device); }
};

void Module::add_global(const std::string& name, uint64_t bytes) {
  void* memory = aligned_alloc(512, (bytes + 511) / 512 * 512);
  memset(memory, 0, bytes);
  globals[name] = {reinterpret_cast<CUdeviceptr>(memory), bytes};
  world().blocks[reinterpret_cast<uintptr_t>(memory)] = {bytes, Kind::device, nullptr, device, true};
}
Module::~Module() {
  for (auto& [name, global] : globals) {
    world().shadow.forget(global.first, global.first + global.second);
    world().blocks.erase(uintptr_t(global.first));
    free(reinterpret_cast<void*>(global.first));
  }
}

// Runs when the copy's turn comes; if the memory was freed meanwhile, that is the caller's mistake.
void checked_copy(CUdeviceptr to, CUdeviceptr from, uint64_t bytes, bool to_known, bool from_known) {
  if ((to_known && !block_of(to, bytes)) || (from_known && !block_of(from, bytes)))
    return misuse("a copy ran on memory that was freed");
  memmove(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes);
}

Range reads(CUdeviceptr data, uint64_t bytes) { return {uintptr_t(data), uintptr_t(data) + bytes, false}; }
Range writes(CUdeviceptr data, uint64_t bytes) { return {uintptr_t(data), uintptr_t(data) + bytes, true}; }

// ---- callbacks, on the driver's own thread

struct Callbacks {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::function<void()>> waiting;
  bool running = false, started = false;

  void add(std::function<void()> work) {
    std::lock_guard lock(mutex);
    waiting.push_back(std::move(work));
    if (!started) std::thread([this] { loop(); }).detach();
    started = true;
    changed.notify_all();
  }
  void settle() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return waiting.empty() && !running; });
  }
  void loop() {
    no_calls = true;
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [&] { return !waiting.empty(); });
      const auto work = std::move(waiting.front());
      waiting.pop_front();
      running = true;
      lock.unlock();
      work();
      lock.lock();
      running = false;
      changed.notify_all();
    }
  }
};
Callbacks& callbacks() {
  static Callbacks& one = *new Callbacks;
  return one;
}

void let_go(UserObject* object, long count) {
  object->references -= count;
  if (object->references < 0) return misuse("a user object was released more often than it was retained");
  if (object->references) return;
  World& w = world();
  w.objects.erase(object);
  --w.control.user_objects;
  callbacks().add([destroy = object->destroy, pointer = object->pointer] { destroy(pointer); });
  delete object;
}

}  // namespace

API FakeCuda* fake_cuda() { return &world().control; }
API long fake_cuda_count(const char* function) {
  std::lock_guard guard(world().mutex);
  return world().counts[function];
}
API uint64_t fake_cuda_pending() {
  std::lock_guard guard(world().mutex);
  uint64_t count = 0;
  for (auto& stream : world().streams) count += stream->queue.size();
  return count;
}
API void fake_cuda_kernels(FakeKernels kernels) {
  std::lock_guard guard(world().mutex);
  world().kernels = std::move(kernels);
}
API bool fake_cuda_as_test(bool test) { return std::exchange(by_test, test); }
API void fake_cuda_settle() { callbacks().settle(); }
API void fake_cuda_run(void* stream, const char* name, const FakeAccess* list, size_t count,
                       const std::function<void()>& work) {
  std::lock_guard guard(world().mutex);
  CUresult result = kOk;
  const auto on = stream_of(stream, __func__, result);
  if (!on) return;
  if (legacy_conflict(__func__, on.get(), true)) return;
  Work out{work, {}, interned(name)};
  for (size_t i = 0; i < count; ++i)
    out.ranges.push_back({reinterpret_cast<uintptr_t>(list[i].data),
                          reinterpret_cast<uintptr_t>(list[i].data) + list[i].bytes, list[i].write});
  put(*on, std::move(out));
}
API void fake_cuda_host(const void* data, size_t bytes, bool write, const char* name) {
  std::lock_guard guard(world().mutex);
  host_touches(reinterpret_cast<CUdeviceptr>(data), bytes, write, interned(name));
}
API const char* fake_cuda_unfinished(const void* data, size_t bytes) {
  std::lock_guard guard(world().mutex);
  const auto begin = reinterpret_cast<uintptr_t>(data);
  for (auto& stream : world().streams)
    for (const Operation& operation : stream->queue)
      for (const Range& range : operation.work.ranges)
        if (!operation.by_test && range.begin < begin + bytes && begin < range.end)
          return interned(std::string(operation.work.name) + " on stream " + std::to_string(stream->id) +
                          " (operation " + std::to_string(operation.number) + ")");
  return nullptr;
}
API void fake_cuda_forget() {
  std::lock_guard guard(world().mutex);
  World& w = world();
  progress_all();
  for (auto& stream : w.streams) host_learns(stream->clock);
  w.shadow.clear();
  forget_streams();
}

// For the other fake libraries: `work` is done when the stream gets there; it is not an operation that takes time.
extern "C" __attribute__((visibility("default"))) void fake_cuda_enqueue(void* stream,
                                                                         const std::function<void()>& work) {
  fake_cuda_run(stream, "work of a library", nullptr, 0, work);
}
API bool fake_cuda_capturing(void* stream) {
  std::lock_guard guard(world().mutex);
  CUresult result = kOk;
  const auto on = stream_of(stream, __func__, result);
  return on && on->capture;
}

extern "C" __attribute__((visibility("default"))) bool fake_cuda_holds(const void* data, size_t bytes) {
  std::lock_guard guard(world().mutex);
  return block_of(reinterpret_cast<CUdeviceptr>(data), bytes);
}

// ---- start, devices, contexts

API CUresult cuInit(unsigned int) {
  std::lock_guard guard(world().mutex);
  ++world().counts["cuInit"];
  const int result = from_environment("FAKE_CUDA_INIT", 0);
  if (result == kOk) world().started = true;
  return result;
}
API CUresult cuDriverGetVersion(int* version) {
  *version = from_environment("FAKE_CUDA_VERSION", 13000);
  return kOk;
}
API CUresult cuGetErrorName(CUresult error, const char** text) {
  *text = error == kIllegalAddress ? "CUDA_ERROR_ILLEGAL_ADDRESS"
          : error == kNoMemory     ? "CUDA_ERROR_OUT_OF_MEMORY"
                                   : "CUDA_ERROR_FAKE";
  return kOk;
}
API CUresult cuGetErrorString(CUresult error, const char** text) {
  *text = error == kIllegalAddress ? "an illegal memory access was encountered" : "a made-up failure";
  return kOk;
}
API CUresult cuDeviceGetCount(int* count) {
  ENTER();
  *count = from_environment("FAKE_CUDA_DEVICES", 2);
  return kOk;
}
API CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  ENTER();
  if (ordinal < 0 || ordinal > 1) return 101;
  *device = ordinal;
  return kOk;
}
API CUresult cuDeviceGetName(char* name, int length, CUdevice) {
  ENTER();
  snprintf(name, size_t(length), "Fake GPU");
  return kOk;
}
API CUresult cuDeviceTotalMem_v2(size_t* bytes, CUdevice) {
  ENTER();
  *bytes = w.control.memory_limit;
  return kOk;
}
API CUresult cuDeviceGetAttribute(int* value, int attribute, CUdevice) {
  ENTER();
  switch (attribute) {
    case 1:
    case 2:
    case 3: *value = 1024; break;
    case 4: *value = 64; break;
    case 5: *value = 2147483647; break;
    case 6:
    case 7: *value = 65535; break;
    case 8: *value = 48 << 10; break;
    case 10: *value = 32; break;
    case 14: *value = 512; break;
    case 16: *value = 132; break;
    case 38: *value = 50 << 20; break;
    case 39: *value = 2048; break;
    case 51: *value = 32; break;
    case 75: *value = from_environment("FAKE_CUDA_ARCH", 90) / 10; break;
    case 76: *value = from_environment("FAKE_CUDA_ARCH", 90) % 10; break;
    case 97: *value = 227 << 10; break;
    case 115: *value = from_environment("FAKE_CUDA_POOLS", 1); break;
    default: *value = 0; break;
  }
  return kOk;
}
API CUresult cuDevicePrimaryCtxRetain(Context** context, CUdevice device) {
  ENTER();
  *context = &w.contexts[device];
  if ((*context)->retained++ == 0) ++w.control.contexts;
  return kOk;
}
API CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  ENTER_RELEASE();
  if (--w.contexts[device].retained == 0) --w.control.contexts;
  return failed_;
}
API CUresult cuDeviceCanAccessPeer(int* can, CUdevice, CUdevice) {
  ENTER();
  *can = 1;
  return kOk;
}
API CUresult cuCtxEnablePeerAccess(Context*, unsigned int) {
  ENTER();
  return kOk;
}
API CUresult cuCtxGetCurrent(Context** context) {
  ENTER();
  *context = current.empty() ? nullptr : current.back();
  return kOk;
}
API CUresult cuCtxPushCurrent_v2(Context* context) {
  ENTER();
  current.push_back(context);
  return kOk;
}
API CUresult cuCtxPopCurrent_v2(Context** context) {
  ENTER_RELEASE();
  if (current.empty()) return kNoContext;
  *context = current.back();
  current.pop_back();
  return failed_;
}
CUresult synchronize_context() {
  std::lock_guard guard(world().mutex);
  World& w = world();
  CUresult failed = kOk;
  const char* const name = "cuCtxSynchronize";
  if (fails(name, failed)) return failed;
  NEEDS_CONTEXT();
  if (CUresult forbidden = unsafe(name)) return forbidden;
  const int device = current.back()->device;
  if (CUresult forbidden = waits_for_captured(name, nullptr, device)) return forbidden;
  const auto all = w.streams;
  for (auto& stream : all)
    if (stream->device == device) host_waits(*stream);
  return w.control.sticky;
}
API CUresult cuCtxSynchronize() {
  const CUresult result = synchronize_context();
  if (!by_test)
    if (auto* between = std::exchange(fake_cuda()->after_synchronize, nullptr)) between();  // with no lock held
  return result;
}
API CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  ENTER();
  *least = 0;
  *greatest = -5;
  return kOk;
}

// ---- memory

API CUresult cuMemGetInfo_v2(size_t* free, size_t* total) {
  ENTER();
  NEEDS_CONTEXT();
  *total = w.control.memory_limit;
  *free = w.control.memory_limit - std::min(w.control.memory_limit, w.control.device_bytes);
  return kOk;
}
API CUresult cuMemAlloc_v2(CUdeviceptr* data, size_t bytes) {
  ENTER();
  NEEDS_CONTEXT();
  UNSAFE();
  return add_block(data, bytes, Kind::device, nullptr);
}
API CUresult cuDeviceGetUuid(char* uuid, int device) {
  ENTER();
  std::memset(uuid, 0, 16);
  uuid[0] = char(device + 1);
  return kOk;
}
// Another process's mapping is simulated by the same memory; a handle is a mark followed by its address.
struct IpcHandle {
  char mark[8];
  CUdeviceptr data;
  char rest[48];
};
constexpr char kIpcMark[8] = {'f', 'a', 'k', 'e', ' ', 'i', 'p', 'c'};
API CUresult cuIpcGetMemHandle(IpcHandle* out, CUdeviceptr data) {
  ENTER();
  NEEDS_CONTEXT();
  const Block* block = block_of(data);
  if (!block || block->kind != Kind::device || block->pool) return kInvalid;
  *out = {};
  std::memcpy(out->mark, kIpcMark, sizeof kIpcMark);
  out->data = data;
  return kOk;
}
API CUresult cuIpcOpenMemHandle_v2(CUdeviceptr* data, IpcHandle handle, unsigned int) {
  ENTER();
  NEEDS_CONTEXT();
  UNSAFE();
  if (std::memcmp(handle.mark, kIpcMark, sizeof kIpcMark) || !block_of(handle.data)) return kInvalid;
  *data = handle.data;
  ++w.ipc_opened;
  return kOk;
}
API CUresult cuIpcCloseMemHandle(CUdeviceptr) {
  ENTER_RELEASE();
  UNSAFE();
  if (--w.ipc_opened < 0) return misuse("cuIpcCloseMemHandle of memory that is not open"), kInvalid;
  return failed_;
}
API CUresult cuMemGetAddressRange_v2(CUdeviceptr* base, size_t* bytes, CUdeviceptr data) {
  ENTER();
  NEEDS_CONTEXT();
  const Block* block = block_of(data);
  if (!block) return kInvalid;
  *base = data;
  *bytes = block->bytes;
  return kOk;
}
API CUresult cuMemFree_v2(CUdeviceptr data) {
  ENTER_RELEASE();
  UNSAFE();
  // Waits for the device's work, as everyone relies on; does not wait for memory of a pool.
  const Block* block = block_of(data);
  if (block && !block->pool) {
    for (const auto all = w.streams; auto& stream : all)
      if (stream->device == block->device) host_waits(*stream);
  }
  if (block) host_touches(data, block->bytes, true, __func__);
  progress_all();
  CUresult result = remove_block(data, __func__, Kind::device);
  return failed_ ? failed_ : result;
}
API CUresult cuMemHostAlloc(void** data, size_t bytes, unsigned int) {
  ENTER();
  NEEDS_CONTEXT();
  UNSAFE();
  return add_block(reinterpret_cast<CUdeviceptr*>(data), bytes, Kind::host, nullptr);
}
API CUresult cuMemHostRegister_v2(void* data, size_t bytes, unsigned int) {
  ENTER();
  NEEDS_CONTEXT();
  UNSAFE();
  w.blocks[reinterpret_cast<uintptr_t>(data)] = {bytes, Kind::host, nullptr, current.back()->device, true};
  return kOk;
}
API CUresult cuMemHostUnregister(void* data) {
  ENTER_RELEASE();
  UNSAFE();
  const auto found = w.blocks.find(reinterpret_cast<uintptr_t>(data));
  if (found == w.blocks.end() || !found->second.registered)
    return misuse("cuMemHostUnregister of memory that is not registered"), kInvalid;
  host_touches(found->first, found->second.bytes, true, __func__);
  w.shadow.forget(found->first, found->first + found->second.bytes);
  w.blocks.erase(found);
  return failed_;
}
API CUresult cuMemFreeHost(void* data) {
  ENTER_RELEASE();
  UNSAFE();
  if (const Block* block = block_of(reinterpret_cast<CUdeviceptr>(data)))
    host_touches(reinterpret_cast<CUdeviceptr>(data), block->bytes, true, __func__);
  progress_all();
  CUresult result = remove_block(reinterpret_cast<CUdeviceptr>(data), __func__, Kind::host);
  return failed_ ? failed_ : result;
}
API CUresult cuMemAllocManaged(CUdeviceptr* data, size_t bytes, unsigned int) {
  ENTER();
  NEEDS_CONTEXT();
  UNSAFE();
  return add_block(data, bytes, Kind::managed, nullptr);
}
API CUresult cuMemPoolCreate(Pool** pool, const void*) {
  ENTER();
  *pool = new Pool;
  ++w.control.pools;
  return kOk;
}
API CUresult cuMemPoolDestroy(Pool* pool) {
  ENTER_RELEASE();
  UNSAFE();
  progress_all();
  if (pool->used) misuse("a pool was destroyed with memory in use");
  w.control.device_bytes -= pool->reserved;
  delete pool;
  --w.control.pools;
  return failed_;
}
API CUresult cuMemPoolSetAttribute(Pool* pool, int attribute, void* value) {
  ENTER();
  if (attribute == 4) pool->threshold = *static_cast<uint64_t*>(value);
  return kOk;
}
API CUresult cuMemPoolGetAttribute(Pool* pool, int attribute, void* value) {
  ENTER();
  *static_cast<uint64_t*>(value) = attribute == 5 ? pool->reserved : attribute == 7 ? pool->used : 0;
  return kOk;
}
API CUresult cuMemPoolTrimTo(Pool* pool, size_t keep) {
  ENTER();
  UNSAFE();
  const uint64_t kept = std::max(pool->used, std::min<uint64_t>(pool->reserved, keep));
  w.control.device_bytes -= pool->reserved - kept;
  pool->reserved = kept;
  return kOk;
}
API CUresult cuMemPoolSetAccess(Pool*, const void*, size_t) {
  ENTER();
  return kOk;
}
API CUresult cuMemAllocFromPoolAsync(CUdeviceptr* data, size_t bytes, Pool* pool, void* stream) {
  ENTER();
  NEEDS_CONTEXT();
  STREAM(stream);
  if (on->capture) {
    const CUresult result = add_block(data, bytes, Kind::device, nullptr);
    if (result) return result;
    on->capture->graph->memory.push_back(std::make_shared<GraphMemory>(*data));
    put(*on, {{}, {writes(*data, bytes)}, __func__});
    return kOk;
  }
  const CUresult result = add_block(data, bytes, Kind::device, pool);
  if (result == kOk)
    put(*on, {{}, {writes(*data, bytes)}, __func__});  // other streams may use it once they are ordered behind this
  return result;
}
API CUresult cuMemFreeAsync(CUdeviceptr data, void* stream) {
  ENTER_RELEASE();
  STREAM(stream);
  const Block* block = block_of(data);
  if (!block) return misuse("cuMemFreeAsync of memory that is not allocated"), kInvalid;
  if (on->capture) {
    auto& memory = on->capture->graph->memory;
    if (std::none_of(memory.begin(), memory.end(), [&](const auto& m) { return m->data == data; }))
      return broken(*on->capture, "cuMemFreeAsync of memory that the graph did not allocate", kInvalid);
    put(*on, {{}, {writes(data, block->bytes)}, __func__});
    return failed_;
  }
  put(*on, {[data] { remove_block(data, "cuMemFreeAsync", Kind::device); }, {writes(data, block->bytes)}, __func__});
  return failed_;
}
// False: an unknown attribute.
bool pointer_attribute(void* value, int attribute, CUdeviceptr data) {
  World& w = world();
  const Block* block = block_of(data);
  const auto number = [&](int n) { memcpy(value, &n, sizeof n); };
  const auto address = [&](uint64_t n) { memcpy(value, &n, sizeof n); };
  switch (attribute) {
    case 1: address(block ? reinterpret_cast<uintptr_t>(&w.contexts[block->device]) : 0); return true;  // CONTEXT
    case 2: number(!block ? 0 : block->kind == Kind::host ? 1 : 2); return true;                        // MEMORY_TYPE
    case 3: address(block ? data : 0); return true;                                 // DEVICE_POINTER
    case 4: address(block && block->kind != Kind::device ? data : 0); return true;  // HOST_POINTER
    case 8: number(block && block->kind == Kind::managed); return true;             // IS_MANAGED
    case 9: number(block ? block->device : -2); return true;                        // DEVICE_ORDINAL
    case 11:
    case 12: {  // RANGE_START_ADDR, RANGE_SIZE
      const auto next = w.blocks.upper_bound(uintptr_t(data));
      address(!block ? 0 : attribute == 11 ? std::prev(next)->first : block->bytes);
      return true;
    }
    case 17: address(block ? reinterpret_cast<uintptr_t>(block->pool) : 0); return true;  // MEMPOOL_HANDLE
  }
  misuse("cuPointerGetAttributes of an attribute that the fake driver does not know");
  return false;
}
API CUresult cuPointerGetAttributes(unsigned int count, int* attributes, void** values, CUdeviceptr data) {
  ENTER();
  for (unsigned i = 0; i < count; ++i)
    if (!pointer_attribute(values[i], attributes[i], data)) return kInvalid;
  return kOk;
}
API CUresult cuPointerGetAttribute(void* value, int attribute, CUdeviceptr data) {
  ENTER();
  if (!block_of(data)) return kInvalid;  // there the other function reports what is missing
  return pointer_attribute(value, attribute, data) ? kOk : kInvalid;
}
CUresult copy_async(CUdeviceptr to, CUdeviceptr from, size_t bytes, void* stream, const char* who) {
  World& w = world();
  CUresult no_stream = kOk;
  const std::shared_ptr<Stream> on = stream_of(stream, who, no_stream);
  if (!on) return no_stream;
  if (CUresult conflict = legacy_conflict(who, on.get(), true)) return conflict;
  if (on->capture && on->capture->broken) return kInvalidated;
  const bool to_known = block_of(to), from_known = block_of(from);
  if ((to_known && !block_of(to, bytes)) || (from_known && !block_of(from, bytes))) return kInvalid;
  if (is_gone(to) || is_gone(from)) return misuse(std::string(who) + " with memory that was freed"), kInvalid;
  if (on->capture && (!from_known || !to_known))
    return broken(*on->capture, "a copy with pageable memory", kUnsupported);
  std::vector<Range> ranges;
  if (from_known) ranges.push_back(reads(from, bytes));
  if (to_known) ranges.push_back(writes(to, bytes));
  if (!from_known) {  // from pageable memory: up to 64 KiB are read before the call returns; for more the call waits
    auto taken = std::make_shared<std::vector<char>>(reinterpret_cast<const char*>(from),
                                                     reinterpret_cast<const char*>(from) + bytes);
    put(*on, {[=] { checked_copy(to, reinterpret_cast<CUdeviceptr>(taken->data()), bytes, to_known, false); },
              std::move(ranges), who});
    if (bytes > 64 << 10) host_waits(*on);
    return w.control.sticky;
  }
  put(*on, {[=] { checked_copy(to, from, bytes, to_known, from_known); }, std::move(ranges), who});
  if (!to_known) host_waits(*on);  // into pageable memory: complete on return
  return w.control.sticky;
}
API CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, void* stream) {
  ENTER();
  NEEDS_CONTEXT();
  return copy_async(to, from, bytes, stream, __func__);
}
API CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void* from, size_t bytes, void* stream) {
  return cuMemcpyAsync(to, reinterpret_cast<CUdeviceptr>(from), bytes, stream);
}
API CUresult cuMemcpyDtoHAsync_v2(void* to, CUdeviceptr from, size_t bytes, void* stream) {
  return cuMemcpyAsync(reinterpret_cast<CUdeviceptr>(to), from, bytes, stream);
}
API CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, void* stream) {
  return cuMemcpyAsync(to, from, bytes, stream);
}
API CUresult cuMemcpyPeerAsync(CUdeviceptr to, Context* to_context, CUdeviceptr from, Context* from_context,
                               size_t bytes, void* stream) {
  std::lock_guard guard(world().mutex);
  ++world().counts[__func__];
  Block *target = block_of(to), *source = block_of(from);
  if (!target || !source || target->device != to_context->device || source->device != from_context->device) {
    misuse("cuMemcpyPeerAsync with memory of other contexts than it was told");
    return kInvalid;
  }
  return cuMemcpyAsync(to, from, bytes, stream);
}
// ---- textures: an array is a block of memory that only copies of arrays may name

struct ArrayDescriptor {
  size_t width, height, depth;
  int format;
  unsigned channels, flags;
  uint64_t rows() const { return std::max<size_t>(height, 1) * std::max<size_t>(depth, 1); }
  uint64_t row_bytes() const {
    const unsigned of_format = format == 1 || format == 8 ? 1 : format == 2 || format == 9 || format == 16 ? 2 : 4;
    return width * channels * of_format;
  }
};
struct TextureArray {
  ArrayDescriptor descriptor;
  CUdeviceptr data;
  long objects = 0;
};
struct Copy3D {
  size_t from_x, from_y, from_z, from_level;
  int from_type;
  const void* from_host;
  CUdeviceptr from;
  TextureArray* from_array;
  void* reserved0;
  size_t from_pitch, from_height;
  size_t to_x, to_y, to_z, to_level;
  int to_type;
  void* to_host;
  CUdeviceptr to;
  TextureArray* to_array;
  void* reserved1;
  size_t to_pitch, to_height;
  size_t width, height, depth;
};
struct Resource {
  int type;
  union {
    TextureArray* array;
    struct {
      CUdeviceptr data;
      int format;
      unsigned channels;
      size_t bytes_or_width, height, pitch;
    } memory;
    int reserved[32];
  };
  unsigned flags;
};
std::set<TextureArray*> arrays;                  // under the world's lock, as the objects
std::map<unsigned long long, Resource> objects;  // textures and surfaces
unsigned long long next_object = 1;

API CUresult cuArray3DCreate_v2(TextureArray** array, const ArrayDescriptor* descriptor) {
  ENTER();
  NEEDS_CONTEXT();
  const bool layers = descriptor->flags & 1, cube = descriptor->flags & 4;
  if (!descriptor->width || (cube && descriptor->depth % 6) || ((layers || cube) && !descriptor->depth) ||
      (descriptor->depth && !descriptor->height && !layers) || descriptor->channels == 3 || descriptor->channels > 4)
    return kInvalid;
  CUdeviceptr data = 0;
  if (CUresult result = add_block(&data, descriptor->rows() * descriptor->row_bytes(), Kind::device, nullptr))
    return result;
  *array = new TextureArray{*descriptor, data};
  arrays.insert(*array);
  ++w.control.textures;
  return kOk;
}
API CUresult cuArrayDestroy(TextureArray* array) {
  ENTER_RELEASE();
  if (!arrays.erase(array)) return misuse("cuArrayDestroy of what is no array"), kBadHandle;
  --w.control.textures;
  if (array->objects) misuse("cuArrayDestroy of an array that a texture or surface object still reads");
  remove_block(array->data, __func__, Kind::device);
  delete array;
  return failed_;
}
// Of a whole array, from or to dense memory: what Tenon does.
API CUresult cuMemcpy3DAsync_v2(const Copy3D* copy, void* stream) {
  ENTER();
  NEEDS_CONTEXT();
  const bool in = copy->to_type == 3, out = copy->from_type == 3;
  TextureArray* array = in ? copy->to_array : copy->from_array;
  if (in == out || !arrays.count(array)) return misuse("cuMemcpy3DAsync without an array, or of two"), kInvalid;
  const uint64_t row = array->descriptor.row_bytes(), rows = array->descriptor.rows();
  const size_t pitch = in ? copy->from_pitch : copy->to_pitch, height = in ? copy->from_height : copy->to_height;
  if (copy->width != row || copy->height * copy->depth != rows || pitch != row || height != copy->height)
    return misuse("cuMemcpy3DAsync of another extent than the array's"), kInvalid;
  return in ? copy_async(array->data, copy->from, row * rows, stream, __func__)
            : copy_async(copy->to, array->data, row * rows, stream, __func__);
}
CUresult make_object(unsigned long long* object, const Resource* resource, bool surface) {
  if (resource->type == 0) {
    if (!arrays.count(resource->array)) return misuse("an object of what is no array"), kInvalid;
    if (surface && !(resource->array->descriptor.flags & 2)) return kInvalid;
    ++resource->array->objects;
  } else if (surface || resource->memory.data % 512 || (resource->type == 3 && resource->memory.pitch % 32)) {
    return kInvalid;
  } else if (!block_of(resource->memory.data, resource->type == 3
                                                  ? resource->memory.pitch * (resource->memory.height - 1)
                                                  : resource->memory.bytes_or_width)) {
    return misuse("a texture object of memory that is not allocated"), kInvalid;
  }
  *object = next_object++;
  objects[*object] = *resource;
  ++world().control.textures;
  return kOk;
}
CUresult end_object(unsigned long long object) {
  const auto found = objects.find(object);
  if (found == objects.end()) return misuse("the end of what is no texture or surface object"), kBadHandle;
  if (found->second.type == 0) --found->second.array->objects;
  objects.erase(found);
  --world().control.textures;
  return kOk;
}
API CUresult cuTexObjectCreate(unsigned long long* object, const Resource* resource, const void*, const void*) {
  ENTER();
  NEEDS_CONTEXT();
  return make_object(object, resource, false);
}
API CUresult cuSurfObjectCreate(unsigned long long* object, const Resource* resource) {
  ENTER();
  NEEDS_CONTEXT();
  return make_object(object, resource, true);
}
API CUresult cuTexObjectDestroy(unsigned long long object) {
  ENTER_RELEASE();
  end_object(object);
  return failed_;
}
API CUresult cuSurfObjectDestroy(unsigned long long object) {
  ENTER_RELEASE();
  end_object(object);
  return failed_;
}
void* texels_of(unsigned long long object) {
  const auto found = objects.find(object);
  if (found == objects.end()) return nullptr;
  return reinterpret_cast<void*>(found->second.type == 0 ? found->second.array->data : found->second.memory.data);
}

template <class T> CUresult set_memory(CUdeviceptr data, T value, size_t count, Stream& on, const char* who) {
  if (is_gone(data)) return misuse(std::string(who) + " of memory that was freed"), kInvalid;
  if (!block_of(data, count * sizeof(T))) return kInvalid;
  put(on, {[=] {
             if (!block_of(data, count * sizeof(T))) return misuse("a fill ran on memory that was freed");
             std::fill_n(reinterpret_cast<T*>(data), count, value);
           },
           {writes(data, count * sizeof(T))},
           who});
  return kOk;
}
API CUresult cuMemsetD8Async(CUdeviceptr data, unsigned char value, size_t count, void* stream) {
  ENTER();
  STREAM(stream);
  return set_memory(data, value, count, *on, __func__);
}
API CUresult cuMemsetD16Async(CUdeviceptr data, unsigned short value, size_t count, void* stream) {
  ENTER();
  STREAM(stream);
  return set_memory(data, value, count, *on, __func__);
}
API CUresult cuMemsetD32Async(CUdeviceptr data, unsigned int value, size_t count, void* stream) {
  ENTER();
  STREAM(stream);
  return set_memory(data, value, count, *on, __func__);
}

// ---- streams and events

API CUresult cuStreamCreateWithPriority(void** stream, unsigned int flags, int) {
  ENTER();
  NEEDS_CONTEXT();
  const auto made = new_stream(current.back()->device, !(flags & 1));
  if (w.free_handles.empty()) {
    made->handle = aligned_alloc(64, 64);
  } else {
    made->handle = w.free_handles.back();
    w.free_handles.pop_back();
  }
  w.handles[made->handle] = made;
  *stream = made->handle;
  if (!by_test) ++w.control.streams;
  return kOk;
}
API CUresult cuStreamCreate(void** stream, unsigned int flags) { return cuStreamCreateWithPriority(stream, flags, 0); }
// Its streams continue; `lost`: nobody gets the graph.
void end_capture(Capture& capture, bool lost) {
  World& w = world();
  for (const auto members = capture.streams; auto& member : members) member->capture = nullptr;
  if (lost) {
    w.graphs.erase(capture.graph);
    delete capture.graph;
    --w.control.graphs;
  }
  std::erase_if(w.capturing, [&](const auto& other) { return other.get() == &capture; });
}

// Work enqueued on it is still done. A later stream may get its handle.
API CUresult cuStreamDestroy_v2(void* stream) {
  ENTER_RELEASE();
  const auto found = w.handles.find(stream);
  if (found == w.handles.end()) return misuse("cuStreamDestroy of a stream that is not alive"), kBadHandle;
  const auto on = found->second;
  if (const auto capture = on->capture) {
    broken(*capture, __func__, kUnsupported);
    end_capture(*capture, true);
  }
  on->alive = false;
  w.handles.erase(found);
  w.free_handles.push_back(stream);
  if (!by_test) --w.control.streams;
  return failed_;
}
API CUresult cuStreamSynchronize(void* stream) {
  ENTER();
  STREAM(stream);
  if (CUresult forbidden = waits_for_captured(__func__, on.get())) return forbidden;
  UNSAFE();
  host_waits(*on);
  return w.control.sticky;
}
API CUresult cuStreamQuery(void* stream) {
  ENTER();
  STREAM(stream);
  if (CUresult forbidden = waits_for_captured(__func__, on.get())) return forbidden;
  UNSAFE();
  if (on->done != on->enqueued) return kNotReady;
  host_learns(on->clock);
  return kOk;
}

// A stream that waits for an event of a capture joins that capture; other waits do not cross the capture's boundary.
CUresult wait_in_capture(const std::shared_ptr<Stream>& on, Event& event) {
  const std::shared_ptr<Capture> theirs = event.in.lock();
  Capture* mine = on->capture.get();
  if (mine && !event.capture) {
    if (event.reached() && event.waits.empty()) return kOk;  // never recorded
    return broken(*mine, "cuStreamWaitEvent for work that is not in the capture", kIsolation);
  }
  if (mine && mine != theirs.get()) {
    if (theirs) broken(*theirs, "cuStreamWaitEvent between two captures", kMerge);
    return broken(*mine, "cuStreamWaitEvent between two captures", kMerge);
  }
  if (!theirs) {
    misuse("cuStreamWaitEvent for an event that was recorded in a capture");
    return kIsolation;
  }
  if (on->legacy) return broken(*theirs, "cuStreamWaitEvent on the legacy default stream", kUnsupported);
  if (!mine) {
    on->capture = theirs;
    theirs->streams.push_back(on);
    theirs->clocks.emplace_back();
  }
  theirs->clock(on.get()).join(event.clock);
  return kOk;
}

API CUresult cuStreamWaitEvent(void* stream, Event* event, unsigned int) {
  ENTER();
  STREAM(stream);
  if (!w.events.count(event)) return misuse("cuStreamWaitEvent for an event that is not alive"), kBadHandle;
  if (on->capture || event->capture) return wait_in_capture(on, *event);
  std::vector<Wait> open;
  for (const Wait& wait : event->waits)
    if (wait.stream != on && wait.stream->done < wait.until) open.push_back(wait);
  if (open.empty()) on->clock.join(event->clock);
  else put(*on, {{}, {}, __func__}, std::move(open), &event->clock);
  return kOk;
}
API CUresult cuStreamIsCapturing(void* stream, int* status) {
  ENTER();
  STREAM_TO_ASK(stream);
  if (CUresult conflict = legacy_conflict(__func__, on.get(), false)) return conflict;
  *status = !on->capture ? 0 : on->capture->broken ? 2 : 1;
  return kOk;
}
API CUresult cuStreamGetCtx(void* stream, Context** context) {
  ENTER();
  STREAM_TO_ASK(stream);
  *context = &w.contexts[on->device];
  return kOk;
}
API CUresult cuStreamGetId(void* stream, unsigned long long* id) {
  ENTER();
  STREAM_TO_ASK(stream);
  *id = on->id;
  return kOk;
}
API CUresult cuStreamGetFlags(void* stream, unsigned int* flags) {
  ENTER();
  STREAM_TO_ASK(stream);
  *flags = on->blocking ? 0 : 1;
  return kOk;
}
API CUresult cuEventCreate(Event** event, unsigned int flags) {
  ENTER();
  NEEDS_CONTEXT();
  *event = new Event;
  (*event)->timing = !(flags & 2);
  (*event)->device = current.back()->device;
  w.events.insert(*event);
  if (!by_test) ++w.control.events;
  return kOk;
}
API CUresult cuEventDestroy_v2(Event* event) {
  ENTER_RELEASE();
  if (!w.events.erase(event)) return misuse("cuEventDestroy of an event that is not alive"), kBadHandle;
  delete event;
  if (!by_test) --w.control.events;
  return failed_;
}
API CUresult cuEventRecord(Event* event, void* stream) {
  ENTER();
  STREAM(stream);
  if (!w.events.count(event)) return misuse("cuEventRecord of an event that is not alive"), kBadHandle;
  if (event->device != on->device) return misuse("cuEventRecord of an event of another device"), kBadHandle;
  event->waits.clear();
  event->in = on->capture;
  event->capture = on->capture ? on->capture->id : 0;
  if (on->capture) {
    event->clock = on->capture->clock(on.get());
    return kOk;
  }
  put(*on, {{}, {}, __func__});
  event->waits.push_back({on, on->enqueued});
  event->at = on->enqueued;
  event->clock = on->clock;
  return kOk;
}
// Of all streams of the context.
API CUresult cuCtxRecordEvent(Context* context, Event* event) {
  ENTER();
  if (!w.events.count(event)) return misuse("cuCtxRecordEvent of an event that is not alive"), kBadHandle;
  if (CUresult forbidden = waits_for_captured(__func__, nullptr, context->device)) return forbidden;
  event->waits.clear();
  event->in.reset();
  event->capture = 0;
  event->clock = w.host;
  for (auto& stream : w.streams)
    if (stream->device == context->device) {
      event->waits.push_back({stream, stream->enqueued});
      event->clock.join(stream->clock);
    }
  return kOk;
}
API CUresult cuEventQuery(Event* event) {
  ENTER();
  if (!w.events.count(event)) return misuse("cuEventQuery of an event that is not alive"), kBadHandle;
  if (event->capture) {
    if (const auto capture = event->in.lock()) broken(*capture, __func__, kCapturedEvent);
    else misuse("cuEventQuery of an event that was recorded in a capture");
    return kCapturedEvent;
  }
  UNSAFE();
  if (!event->reached()) return kNotReady;
  host_learns(event->clock);
  return kOk;
}
API CUresult cuEventSynchronize(Event* event) {
  ENTER();
  if (!w.events.count(event)) return misuse("cuEventSynchronize of an event that is not alive"), kBadHandle;
  if (event->capture) {
    if (const auto capture = event->in.lock()) broken(*capture, __func__, kCapturedEvent);
    else misuse("cuEventSynchronize of an event that was recorded in a capture");
    return kCapturedEvent;
  }
  UNSAFE();
  for (const auto waits = event->waits; const Wait& wait : waits) progress(*wait.stream, wait.until);
  host_learns(event->clock);
  return w.control.sticky;
}
API CUresult cuEventElapsedTime(float* milliseconds, Event* start, Event* end) {
  ENTER();
  if (!start->timing || !end->timing) return kBadHandle;
  if (!start->reached() || !end->reached()) return kNotReady;
  *milliseconds = float(end->at - start->at);
  return kOk;
}
API CUresult cuLaunchHostFunc(void* stream, void (*function)(void*), void* user) {
  ENTER();
  STREAM(stream);
  put(*on, {[=] {
              const bool before = std::exchange(no_calls, true);
              look(true);  // it is the library's, which has to be free of races
              function(user);
              look(false);
              no_calls = before;
            },
            {},
            __func__});
  return kOk;
}

// ---- graphs: the work captured on one stream

struct Exec {
  std::vector<std::shared_ptr<Node>> nodes;
  std::map<const Node*, size_t> places;
  std::list<Kept> kept;
  std::vector<std::shared_ptr<GraphMemory>> memory;
  std::shared_ptr<Stream> last;  // a launch comes after the previous one, on whatever stream that was
  uint64_t last_until = 0;
  Clock last_clock;
};
struct ExecHandle {
  std::shared_ptr<Exec> exec;
};  // running launches keep it alive

API CUresult cuStreamBeginCapture_v2(void* stream, int mode) {
  ENTER();
  STREAM(stream);
  if (on->capture) return kInvalid;
  if (on->legacy) return kUnsupported;
  ++w.control.graphs;
  on->capture = std::make_shared<Capture>();
  on->capture->origin = on.get();
  on->capture->thread = this_thread();
  on->capture->mode = mode;
  on->capture->id = ++w.captures;
  on->capture->streams.push_back(on);
  on->capture->clocks.emplace_back();
  w.capturing.push_back(on->capture);
  w.graphs.insert(on->capture->graph);
  return kOk;
}
API CUresult cuStreamEndCapture(void* stream, Graph** graph) {
  ENTER_RELEASE();
  STREAM_TO_ASK(stream);
  *graph = nullptr;
  if (!on->capture) return kInvalid;
  const auto capture = on->capture;
  CUresult result = failed_;
  if (capture->origin != on.get())
    result = broken(*capture, "cuStreamEndCapture of another stream than it began with", kUnmatched);
  else if (capture->thread != this_thread() && capture->mode != kRelaxed)
    result = broken(*capture, "cuStreamEndCapture on another thread", kWrongThread);
  if (result == kUnmatched || result == kWrongThread) return result;
  for (size_t i = 1; i < capture->streams.size() && !capture->broken; ++i)
    if (capture->clocks[i].of(i) > capture->clocks[0].of(i))
      result = broken(*capture, "cuStreamEndCapture with a stream that did not join it again", kUnjoined);
  if (capture->broken && !result) result = kInvalidated;
  end_capture(*capture, result != kOk);
  if (result == kOk) *graph = capture->graph;
  return result;
}
API CUresult cuStreamGetCaptureInfo_v2(void* stream, int* status, unsigned long long* id, Graph** graph,
                                       Node* const** last, size_t* count) {
  ENTER();
  STREAM_TO_ASK(stream);
  if (CUresult conflict = legacy_conflict(__func__, on.get(), false)) return conflict;
  *status = !on->capture ? 0 : on->capture->broken ? 2 : 1;
  if (*status != 1) return kOk;
  if (id) *id = on->capture->id;
  if (graph) *graph = on->capture->graph;
  static thread_local Node* node;
  auto& nodes = on->capture->graph->nodes;
  node = nodes.empty() ? nullptr : nodes.back().get();
  if (last) *last = &node;
  if (count) *count = nodes.empty() ? 0 : 1;
  return kOk;
}
API CUresult cuThreadExchangeStreamCaptureMode(int* mode) {
  ENTER();
  std::swap(capture_mode, *mode);
  return kOk;
}
API CUresult cuUserObjectCreate(UserObject** object, void* pointer, void (*destroy)(void*), unsigned int references,
                                unsigned int flags) {
  ENTER();
  if (flags != 1 || !references || !destroy) return kInvalid;  // CU_USER_OBJECT_NO_DESTRUCTOR_SYNC is required
  *object = new UserObject{pointer, destroy, long(references)};
  w.objects.insert(*object);
  ++w.control.user_objects;
  return kOk;
}
API CUresult cuUserObjectRetain(UserObject* object, unsigned int count) {
  ENTER();
  if (!w.objects.count(object)) return misuse("cuUserObjectRetain of an object that is not alive"), kInvalid;
  object->references += count;
  return kOk;
}
API CUresult cuUserObjectRelease(UserObject* object, unsigned int count) {
  ENTER_RELEASE();
  if (!w.objects.count(object)) return misuse("cuUserObjectRelease of an object that is not alive"), kInvalid;
  let_go(object, count);
  return failed_;
}
API CUresult cuGraphRetainUserObject(Graph* graph, UserObject* object, unsigned int count, unsigned int flags) {
  ENTER();
  if (!w.graphs.count(graph) || !w.objects.count(object) || !count)
    return misuse("cuGraphRetainUserObject of what is not alive"), kInvalid;
  if (!(flags & 1)) object->references += count;  // CU_GRAPH_USER_OBJECT_MOVE: the caller's become the graph's
  graph->kept.emplace_back(object, long(count));
  return kOk;
}
API CUresult cuGraphReleaseUserObject(Graph* graph, UserObject* object, unsigned int count) {
  ENTER_RELEASE();
  for (auto it = graph->kept.begin(); it != graph->kept.end(); ++it)
    if (it->object == object && it->count >= long(count)) {
      it->count -= count;
      let_go(object, count);
      return failed_;
    }
  return misuse("cuGraphReleaseUserObject of an object that the graph does not hold"), kInvalid;
}
API CUresult cuGraphInstantiateWithFlags(ExecHandle** exec, Graph* graph, unsigned long long) {
  ENTER();
  if (!w.graphs.count(graph)) return misuse("a graph that is not alive was instantiated"), kInvalid;
  auto made = std::make_shared<Exec>();
  for (size_t i = 0; i < graph->nodes.size(); ++i) {
    made->nodes.push_back(std::make_shared<Node>(*graph->nodes[i]));
    made->places[graph->nodes[i].get()] = i;
  }
  made->kept.insert(made->kept.end(), graph->kept.begin(), graph->kept.end());
  made->memory = graph->memory;
  *exec = new ExecHandle{std::move(made)};
  w.graphs.insert(*exec);
  ++w.control.graphs;
  return kOk;
}
API CUresult cuGraphLaunch(ExecHandle* handle, void* stream) {
  ENTER();
  NEEDS_CONTEXT();
  STREAM(stream);
  if (!w.graphs.count(handle)) return misuse("a graph that is not alive was launched"), kInvalid;
  const std::shared_ptr<Exec> exec = handle->exec;
  std::vector<Wait> before;
  if (exec->last && exec->last != on) before.push_back({exec->last, exec->last_until});
  bool first = true;
  for (auto& node : exec->nodes) {
    Work work = node->work;
    work.run = [exec, node, run = node->work.run] {
      if (node->module && !node->module->loaded) return misuse("a graph ran a kernel whose module was unloaded");
      if (run) run();
    };
    put(*on, std::move(work), first ? before : std::vector<Wait>(),
        first && !on->capture ? &exec->last_clock : nullptr);
    first = false;
  }
  if (!on->capture) {
    exec->last = on;
    exec->last_until = on->enqueued;
    exec->last_clock = on->clock;
  }
  return w.control.sticky;
}
API CUresult cuGraphExecDestroy(ExecHandle* exec) {
  ENTER_RELEASE();
  if (!w.graphs.erase(exec)) return misuse("cuGraphExecDestroy of a graph that is not alive"), kInvalid;
  delete exec;
  --w.control.graphs;
  return failed_;
}
API CUresult cuGraphDestroy(Graph* graph) {
  ENTER_RELEASE();
  if (!w.graphs.erase(graph)) return misuse("cuGraphDestroy of a graph that is not alive"), kInvalid;
  delete graph;
  --w.control.graphs;
  return failed_;
}

// ---- modules and launches. An image consists of the lines that fake_cuda/nvrtc.cpp makes: "kernel NAME", "param NAME
// BYTES", "global NAME BYTES", "arch N", "relocatable".

// NVRTC requests an undocumented table, and uses tables of more than 48 bytes: this one is shorter.
API CUresult cuGetExportTable(const void** table, const void*) {
  static const uint64_t empty[] = {8};
  *table = empty;
  return kOk;
}
API CUresult cuModuleLoadDataEx(Module** module, const void* image, unsigned int, int*, void**) {
  ENTER();
  NEEDS_CONTEXT();
  UNSAFE();
  const std::string text = static_cast<const char*>(image);
  auto made = std::make_shared<Module>();
  made->device = current.back()->device;
  made->real = text.compare(0, 4, "\177ELF") == 0;
  if (!made->real && text.compare(0, 5, "FAKE ") != 0) return 200;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    char name[256];
    int number = 0;
    int words = 0;
    if (sscanf(line.c_str(), "kernel %255s %n", name, &words) == 1) {
      made->functions[name].name = name;
      made->functions[name].expression = line.substr(size_t(words));
    }
    if (sscanf(line.c_str(), "param %255s %d", name, &number) == 2)
      made->functions[name].parameters.push_back(size_t(number));
    if (line == "relocatable") return 200;  // it must be linked first
    if (sscanf(line.c_str(), "global %255s %d", name, &number) == 2) made->add_global(name, uint64_t(number));
    if (sscanf(line.c_str(), "arch %d", &number) == 1 && number != from_environment("FAKE_CUDA_ARCH", 90))
      return kNoBinary;
  }
  for (auto& [name, function] : made->functions) function.module = made.get();
  *module = made.get();
  w.modules[*module] = std::move(made);
  ++w.control.modules;
  return kOk;
}
API CUresult cuModuleUnload(Module* module) {
  ENTER_RELEASE();
  UNSAFE();
  if (!w.modules.count(module)) return misuse("cuModuleUnload of a module that is not loaded"), kBadHandle;
  progress_all();          // waits for running work
  module->loaded = false;  // graphs still refer to it
  w.modules.erase(module);
  --w.control.modules;
  return failed_;
}
API CUresult cuModuleGetFunction(Function** function, Module* module, const char* name) {
  ENTER();
  if (module->real && !module->functions.count(name)) {
    module->functions[name].name = name;
    module->functions[name].module = module;
  }
  auto found = module->functions.find(name);
  if (found == module->functions.end()) return kNotFound;
  *function = &found->second;
  return kOk;
}
API CUresult cuModuleGetGlobal_v2(CUdeviceptr* data, size_t* bytes, Module* module, const char* name) {
  ENTER();
  if (module->real && !module->globals.count(name)) module->add_global(name, 65536);
  auto found = module->globals.find(name);
  if (found == module->globals.end()) return kNotFound;
  *data = found->second.first;
  *bytes = found->second.second;
  return kOk;
}
API CUresult cuFuncGetParamInfo(Function* function, size_t index, size_t* offset, size_t* bytes) {
  ENTER();
  if (index >= function->parameters.size()) return kInvalid;
  *offset = 0;
  for (size_t i = 0; i < index; ++i) *offset += function->parameters[i];
  *bytes = function->parameters[index];
  return kOk;
}
API CUresult cuFuncGetAttribute(int* value, int attribute, Function* function) {
  ENTER();
  constexpr int values[] = {1024, 256, 0, 0, 12, 80, 90, 1};
  *value = attribute == 9 ? function->carveout : attribute < 8 ? values[attribute] : 0;
  return kOk;
}
API CUresult cuFuncSetAttribute(Function* function, int attribute, int value) {
  ENTER();
  if (attribute == 8) function->dynamic_shared = value;
  if (attribute == 9) {
    if (value < -1 || value > 100) return kInvalid;
    function->carveout = value;
  }
  return kOk;
}
// The work of the kernels, by name.
Work work_of(const Function& function, void** parameters, const unsigned (&geometry)[7]) {
  const char* name = interned(function.name);
  if (function.name == "fault") return {[] { world().control.sticky = kIllegalAddress; }, {}, name};
  if (function.name.find("write_addresses") !=
      std::string::npos) {  // Tenon's own: (void** to, struct of 256 addresses, count)
    auto* const to = *static_cast<void***>(parameters[0]);
    const auto count = *static_cast<uint32_t*>(parameters[2]);
    auto* const from = static_cast<void**>(parameters[1]);
    return {[to, list = std::vector<void*>(from, from + count)] {
              if (!block_of(reinterpret_cast<CUdeviceptr>(to), list.size() * 8))
                return misuse("a kernel ran on memory that was freed");
              std::copy(list.begin(), list.end(), to);
            },
            {writes(reinterpret_cast<CUdeviceptr>(to), count * 8)},
            name};
  }
  const auto pointer = [&](int i) { return *static_cast<CUdeviceptr*>(parameters[i]); };
  const auto number = [&](int i) { return *static_cast<float*>(parameters[i]); };
  const auto elements = [&](int i) { return *static_cast<int*>(parameters[i]); };
  const auto known = [](CUdeviceptr data, int count) {
    if (block_of(data, uint64_t(count) * 4)) return true;
    misuse("a kernel ran on memory that was freed");
    return false;
  };
  if (function.name == "scale") {  // (float* data, float factor, int count)
    const CUdeviceptr data = pointer(0);
    const float factor = number(1);
    const int count = elements(2);
    return {[=] {
              if (!known(data, count)) return;
              for (int i = 0; i < count; ++i) reinterpret_cast<float*>(data)[i] *= factor;
            },
            {writes(data, uint64_t(count) * 4)},
            name};
  }
  if (function.name == "add_to") {  // (float* to, const float* from, float value, int count)
    const CUdeviceptr to = pointer(0), from = pointer(1);
    const float value = number(2);
    const int count = elements(3);
    return {[=] {
              if (!known(to, count) || !known(from, count)) return;
              for (int i = 0; i < count; ++i)
                reinterpret_cast<float*>(to)[i] = reinterpret_cast<const float*>(from)[i] + value;
            },
            {reads(from, uint64_t(count) * 4), writes(to, uint64_t(count) * 4)},
            name};
  }
  if (function.name == "read_texture") {  // (cudaTextureObject_t, float* to, int count): its first numbers
    const auto object = *static_cast<unsigned long long*>(parameters[0]);
    const CUdeviceptr to = pointer(1), from = reinterpret_cast<CUdeviceptr>(texels_of(object));
    const int count = elements(2);
    return {[=] {
              if (!texels_of(object)) return misuse("a kernel ran with a texture object that was destroyed");
              if (!known(to, count) || !known(from, count)) return;
              memcpy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), uint64_t(count) * 4);
            },
            {reads(from, uint64_t(count) * 4), writes(to, uint64_t(count) * 4)},
            name};
  }
  if (function.name == "write_surface") {  // (cudaSurfaceObject_t, float value, int count)
    const auto object = *static_cast<unsigned long long*>(parameters[0]);
    const CUdeviceptr to = reinterpret_cast<CUdeviceptr>(texels_of(object));
    const float value = number(1);
    const int count = elements(2);
    return {[=] {
              if (!texels_of(object)) return misuse("a kernel ran with a surface object that was destroyed");
              if (known(to, count)) std::fill_n(reinterpret_cast<float*>(to), count, value);
            },
            {writes(to, uint64_t(count) * 4)},
            name};
  }
  if (function.name == "read_globals") {  // (float* to): the first number of each variable of the module
    const CUdeviceptr to = pointer(0);
    Work work{{}, {writes(to, 4 * function.module->globals.size())}, name};
    std::vector<CUdeviceptr> from;
    for (auto& [variable, global] : function.module->globals) {
      work.ranges.push_back(reads(global.first, global.second));
      from.push_back(global.first);
    }
    work.run = [=] {
      if (!known(to, int(from.size()))) return;
      for (size_t i = 0; i < from.size(); ++i)
        memcpy(reinterpret_cast<char*>(to) + 4 * i, reinterpret_cast<const void*>(from[i]), 4);
    };
    return work;
  }
  if (world().kernels) return {world().kernels(function.expression.c_str(), parameters, geometry), {}, name};
  return {{}, {}, name};
}
API CUresult cuLaunchKernel(Function* function, unsigned int gx, unsigned int gy, unsigned int gz, unsigned int bx,
                            unsigned int by, unsigned int bz, unsigned int shared, void* stream, void** parameters,
                            void**) {
  ENTER();
  NEEDS_CONTEXT();
  STREAM(stream);
  if (int(shared) > function->dynamic_shared) return kInvalid;
  if (function->module->device != on->device)
    return misuse("cuLaunchKernel of a kernel of another device than the stream"), kBadHandle;
  const unsigned geometry[] = {gx, gy, gz, bx, by, bz, shared};
  put(*on, work_of(*function, parameters, geometry));
  if (on->capture) {
    Node& node = *on->capture->graph->nodes.back();
    node.function = function;
    node.module = function->module->shared_from_this();
    std::copy(geometry, geometry + 7, node.geometry);
  }
  return w.control.sticky;
}

struct KernelNode {  // CUDA_KERNEL_NODE_PARAMS of CUDA 12
  Function* function;
  unsigned geometry[7];
  void** parameters;
  void** extra;
  void* kernel;
  void* context;
};
API CUresult cuGraphKernelNodeGetParams_v2(Node* node, KernelNode* out) {
  ENTER();
  if (!node->function) return kInvalid;
  *out = KernelNode{node->function, {}, nullptr, nullptr, nullptr, nullptr};
  std::copy(node->geometry, node->geometry + 7, out->geometry);
  return kOk;
}
API CUresult cuGraphExecKernelNodeSetParams_v2(ExecHandle* handle, Node* node, const KernelNode* params) {
  ENTER();
  Exec* exec = handle->exec.get();
  const auto place = exec->places.find(node);
  if (place == exec->places.end() || params->function != node->function || params->extra) return kInvalid;
  auto changed = std::make_shared<Node>(*node);  // running launches keep the old one
  changed->work = work_of(*node->function, params->parameters, params->geometry);
  std::copy(params->geometry, params->geometry + 7, changed->geometry);
  exec->nodes[place->second] = std::move(changed);
  return kOk;
}
API CUresult cuLaunchKernelEx(const void* config, Function* function, void** parameters, void** extra) {
  // gridDim, blockDim, shared memory, then the stream
  const auto* words = static_cast<const unsigned int*>(config);
  void* stream;
  memcpy(&stream, words + 8, sizeof stream);
  ++world().counts["cuLaunchKernelEx"];
  return cuLaunchKernel(function, words[0], words[1], words[2], words[3], words[4], words[5], words[6], stream,
                        parameters, extra);
}
