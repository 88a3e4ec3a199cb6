// tests/fake_cuda/driver.cpp: a libcuda.so.1 without a GPU. Device memory is malloc, a stream is a list of things to do, any
// call can be made to fail. Only what Tenon calls is here; it is strict about what the real driver leaves undefined.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>
#include "control.hpp"
#include "quiet.hpp"

#define API extern "C" __attribute__((visibility("default")))

using CUresult = int;
using CUdevice = int;
using CUdeviceptr = unsigned long long;

namespace {

constexpr int kOk = 0, kInvalid = 1, kNoMemory = 2, kNoDevice = 100, kNoContext = 201, kNoBinary = 209, kBadHandle = 400, kNotFound = 500,
              kNotReady = 600, kIllegalAddress = 700;

int from_environment(const char* name, int otherwise) {
  const char* text = getenv(name);
  return text ? atoi(text) : otherwise;
}

struct Stream;
struct Operation {
  Stream* wait_stream = nullptr;  // first this stream gets to wait_until
  uint64_t wait_until = 0;
  std::function<void()> run;
};

// A captured graph is a line of nodes.
struct Function;
struct Node {
  std::function<void()> run;
  Function* function = nullptr;  // of a kernel
  unsigned geometry[7] = {};
};
struct Graph { std::vector<std::shared_ptr<Node>> nodes; };
struct Capture {
  Graph* graph;
  std::thread::id thread;
  int mode;
  unsigned long long id;
  bool broken = false;
};

struct Stream {
  std::unique_ptr<Capture> capture;
  std::deque<Operation> queue;
  uint64_t enqueued = 0, done = 0;
  int device = 0;
};

struct Event {
  unsigned long long capture = 0;  // recorded in that one
  Stream* stream = nullptr;
  uint64_t at = 0;
  bool timing = false;
};

struct Pool { uint64_t used = 0, reserved = 0, threshold = 0; };
enum class Kind { device, host, managed };
struct Block { uint64_t bytes; Kind kind; Pool* pool; int device; };
struct Context { int device; int retained = 0; };
struct Function { std::string name; int dynamic_shared = 48 << 10; std::vector<size_t> parameters{}; };
struct Module { std::map<std::string, Function> functions; std::map<std::string, std::vector<char>> globals; };

struct World {
  QuietMutex mutex;
  FakeCuda control;
  std::map<std::string, long> counts;
  std::map<uintptr_t, Block> blocks;
  std::set<Stream*> streams;
  std::set<Event*> events;
  std::set<Module*> modules;
  std::set<const void*> graphs;  // and what was instantiated of them
  std::vector<std::unique_ptr<Stream>> all_streams;  // destroyed ones finish their work
  std::map<std::thread::id, Stream*> per_thread;
  Stream* legacy = nullptr;
  Context contexts[2] = {{0}, {1}};
  bool started = false;
  unsigned long long captures = 0;
  std::map<std::thread::id, int> capture_modes;  // of threads that changed theirs
};

World& world() {
  static World& one = *new World;
  return one;
}

// The thread's stack of contexts. It has no destructor: static objects that go after the thread's own may still call.
struct Contexts {
  Context* items[64];
  size_t count;
  bool empty() const { return count == 0; }
  Context* back() const { return items[count - 1]; }
  void push_back(Context* context) { if (count == 64) abort(); items[count++] = context; }
  void pop_back() { --count; }
};
thread_local Contexts current;

void misuse(const std::string& text) {
  FakeCuda& control = world().control;
  ++control.misuses;
  snprintf(control.misuse, sizeof control.misuse, "%s", text.c_str());
}

// True when this call is the one that must fail, or everything does.
bool fails(const char* name, CUresult& result) {
  World& w = world();
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

// A call that does not return, until the test lets it. Other threads' calls go on.
void hang(const char* name) {
  std::atomic<const char*>& where = world().control.hangs_in;
  const char* const asked = where.load();
  if (!asked || strcmp(asked, name) != 0) return;
  ++world().control.hanging;
  while (where.load()) usleep(100);
  --world().control.hanging;
}

// What a thread must not do while it captures, and no thread on a captured stream: it is counted as misuse, and breaks the capture.
bool not_in_capture(const char* who, Stream* on = nullptr) {
  World& w = world();
  const auto mode = w.capture_modes.find(std::this_thread::get_id());
  bool fine = true;
  for (auto& stream : w.all_streams) {
    Capture* capture = stream->capture.get();
    if (!capture) continue;
    const bool strict = capture->thread == std::this_thread::get_id() && capture->mode != 2 && (mode == w.capture_modes.end() || mode->second != 2);
    if (stream.get() != on && !strict) continue;
    capture->broken = true;
    misuse(std::string(who) + " during a capture");
    fine = false;
  }
  return fine;
}
#define NOT_IN_CAPTURE(...) if (!not_in_capture(__func__ __VA_OPT__(,) __VA_ARGS__)) return 900

#define ENTER()                                                 \
  hang(__func__);                                               \
  std::lock_guard guard(world().mutex);                         \
  [[maybe_unused]] World& w = world();                          \
  CUresult failed_ = kOk;                                       \
  if (fails(__func__, failed_)) return failed_;                 \
  if (!w.started) return 3;
// Functions that give something back do so, and report an earlier failure, as the driver does.
#define ENTER_RELEASE()                                         \
  std::lock_guard guard(world().mutex);                         \
  [[maybe_unused]] World& w = world();                          \
  CUresult failed_ = kOk;                                       \
  fails(__func__, failed_);
#define NEEDS_CONTEXT() if (current.empty()) return kNoContext

Stream* new_stream() {
  World& w = world();
  w.all_streams.push_back(std::make_unique<Stream>());
  w.all_streams.back()->device = current.empty() ? 0 : current.back()->device;
  w.streams.insert(w.all_streams.back().get());
  return w.all_streams.back().get();
}

Stream* stream_of(void* handle, const char* who) {
  World& w = world();
  const auto value = reinterpret_cast<uintptr_t>(handle);
  if (value <= 1) {
    if (!w.legacy) w.legacy = new_stream();
    return w.legacy;
  }
  if (value == 2) {
    Stream*& stream = w.per_thread[std::this_thread::get_id()];
    if (!stream) stream = new_stream();
    return stream;
  }
  auto* stream = static_cast<Stream*>(handle);
  if (w.streams.count(stream)) return stream;
  misuse(std::string(who) + " on a stream that is not alive");
  return nullptr;
}
#define STREAM(handle)                              \
  Stream* on = stream_of(handle, __func__);         \
  if (!on) return kBadHandle

void progress(Stream* stream, uint64_t until) {
  while (stream->done < until) {
    Operation operation = std::move(stream->queue.front());
    stream->queue.pop_front();
    if (operation.wait_stream) progress(operation.wait_stream, operation.wait_until);
    if (operation.run) operation.run();
    ++stream->done;
  }
}

void put(Stream* stream, Operation operation) {
  if (stream->capture) {
    auto node = std::make_shared<Node>();
    node->run = std::move(operation.run);
    stream->capture->graph->nodes.push_back(std::move(node));
    return;
  }
  stream->queue.push_back(std::move(operation));
  ++stream->enqueued;
  if (!world().control.lazy) progress(stream, stream->enqueued);
}

void progress_all() {
  for (auto& stream : world().all_streams) progress(stream.get(), stream->enqueued);
}

Block* block_of(CUdeviceptr data, uint64_t bytes = 1) {
  World& w = world();
  auto next = w.blocks.upper_bound(uintptr_t(data));
  if (next == w.blocks.begin()) return nullptr;
  auto& [begin, block] = *std::prev(next);
  return data + bytes <= begin + block.bytes ? &block : nullptr;
}

CUresult add_block(CUdeviceptr* data, uint64_t bytes, Kind kind, Pool* pool) {
  World& w = world();
  const uint64_t grow = kind == Kind::host ? 0 : pool ? (pool->used + bytes > pool->reserved ? pool->used + bytes - pool->reserved : 0) : bytes;
  if (grow > w.control.memory_limit || w.control.device_bytes > w.control.memory_limit - grow) return kNoMemory;
  void* memory = aligned_alloc(512, (bytes + 511) / 512 * 512);
  if (!memory) return kNoMemory;
  memset(memory, 0xcd, bytes);
  w.control.device_bytes += grow;
  if (pool) {
    pool->used += bytes;
    pool->reserved = std::max(pool->reserved, pool->used);
  }
  w.blocks[reinterpret_cast<uintptr_t>(memory)] = {bytes, kind, pool, current.empty() ? 0 : current.back()->device};
  ++(kind == Kind::host ? w.control.host_blocks : w.control.blocks);
  *data = reinterpret_cast<CUdeviceptr>(memory);
  return kOk;
}

CUresult remove_block(CUdeviceptr data, const char* who, Kind kind) {
  World& w = world();
  auto found = w.blocks.find(uintptr_t(data));
  if (found == w.blocks.end() || (found->second.kind == Kind::host) != (kind == Kind::host)) {
    misuse(std::string(who) + " of memory that is not allocated");
    return kInvalid;
  }
  if (found->second.pool) found->second.pool->used -= found->second.bytes;
  else if (kind != Kind::host) w.control.device_bytes -= found->second.bytes;
  --(kind == Kind::host ? w.control.host_blocks : w.control.blocks);
  memset(reinterpret_cast<void*>(data), 0xdd, found->second.bytes);
  free(reinterpret_cast<void*>(data));
  w.blocks.erase(found);
  return kOk;
}

// Runs when the copy's turn comes; memory freed meanwhile is a mistake of the caller.
void checked_copy(CUdeviceptr to, CUdeviceptr from, uint64_t bytes, bool to_known, bool from_known) {
  if ((to_known && !block_of(to, bytes)) || (from_known && !block_of(from, bytes))) return misuse("a copy ran on memory that was freed");
  memmove(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes);
}

}  // namespace

API FakeCuda* fake_cuda() { return &world().control; }
API long fake_cuda_count(const char* function) { return world().counts[function]; }
API uint64_t fake_cuda_pending() {
  uint64_t count = 0;
  for (auto& stream : world().all_streams) count += stream->queue.size();
  return count;
}

// For the other fake libraries: `work` is done when the stream gets there; none is an operation that takes time.
extern "C" __attribute__((visibility("default"))) void fake_cuda_enqueue(void* stream, const std::function<void()>& work) {
  std::lock_guard guard(world().mutex);
  if (Stream* on = stream_of(stream, __func__)) put(on, {nullptr, 0, work});
}
// Is it put into a graph, and so done whenever and wherever that is launched?
extern "C" __attribute__((visibility("default"))) bool fake_cuda_capturing(void* stream) {
  std::lock_guard guard(world().mutex);
  Stream* on = stream_of(stream, __func__);
  return on && on->capture;
}

extern "C" __attribute__((visibility("default"))) bool fake_cuda_holds(const void* data, size_t bytes) {
  std::lock_guard guard(world().mutex);
  return block_of(reinterpret_cast<CUdeviceptr>(data), bytes);
}
extern "C" __attribute__((visibility("default"))) bool fake_cuda_captures(void* stream) {
  std::lock_guard guard(world().mutex);
  Stream* on = stream_of(stream, __func__);
  return on && on->capture;
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
  *text = error == kIllegalAddress ? "CUDA_ERROR_ILLEGAL_ADDRESS" : error == kNoMemory ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR_FAKE";
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
    case 1: case 2: case 3: *value = 1024; break;
    case 4: *value = 64; break;
    case 5: *value = 2147483647; break;
    case 6: case 7: *value = 65535; break;
    case 8: *value = 48 << 10; break;
    case 10: *value = 32; break;
    case 16: *value = 132; break;
    case 38: *value = 50 << 20; break;
    case 39: *value = 2048; break;
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
API CUresult cuCtxSynchronize() {
  ENTER();
  NEEDS_CONTEXT();
  NOT_IN_CAPTURE();
  progress_all();
  return w.control.sticky;
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
  NOT_IN_CAPTURE();
  return add_block(data, bytes, Kind::device, nullptr);
}
API CUresult cuMemFree_v2(CUdeviceptr data) {
  ENTER_RELEASE();
  NOT_IN_CAPTURE();
  progress_all();
  CUresult result = remove_block(data, __func__, Kind::device);
  return failed_ ? failed_ : result;
}
API CUresult cuMemHostAlloc(void** data, size_t bytes, unsigned int) {
  ENTER();
  NEEDS_CONTEXT();
  NOT_IN_CAPTURE();
  return add_block(reinterpret_cast<CUdeviceptr*>(data), bytes, Kind::host, nullptr);
}
API CUresult cuMemFreeHost(void* data) {
  ENTER_RELEASE();
  NOT_IN_CAPTURE();
  progress_all();
  CUresult result = remove_block(reinterpret_cast<CUdeviceptr>(data), __func__, Kind::host);
  return failed_ ? failed_ : result;
}
API CUresult cuMemAllocManaged(CUdeviceptr* data, size_t bytes, unsigned int) {
  ENTER();
  NEEDS_CONTEXT();
  NOT_IN_CAPTURE();
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
  NOT_IN_CAPTURE(on);
  put(on, {});
  return add_block(data, bytes, Kind::device, pool);
}
API CUresult cuMemFreeAsync(CUdeviceptr data, void* stream) {
  ENTER_RELEASE();
  STREAM(stream);
  NOT_IN_CAPTURE(on);
  put(on, {nullptr, 0, [data] { remove_block(data, "cuMemFreeAsync", Kind::device); }});
  return failed_;
}
API CUresult cuPointerGetAttributes(unsigned int count, int* attributes, void** values, CUdeviceptr data) {
  ENTER();
  Block* block = block_of(data);
  for (unsigned i = 0; i < count; ++i) {
    int value = 0;
    if (block && attributes[i] == 2) value = block->kind == Kind::host ? 1 : 2;
    if (block && attributes[i] == 8) value = block->kind == Kind::managed;
    if (block && attributes[i] == 9) value = block->device;
    *static_cast<int*>(values[i]) = value;
  }
  return kOk;
}
API CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, void* stream) {
  ENTER();
  NEEDS_CONTEXT();
  STREAM(stream);
  const bool to_known = block_of(to), from_known = block_of(from);
  if ((to_known && !block_of(to, bytes)) || (from_known && !block_of(from, bytes))) return kInvalid;
  if (on->capture && (!from_known || !to_known)) {
    misuse("a copy with pageable memory during a capture");
    return 900;
  }
  if (!from_known) {  // from pageable memory: taken before the call returns, up to 64 KiB; more waits for the copy
    auto taken = std::make_shared<std::vector<char>>(reinterpret_cast<const char*>(from), reinterpret_cast<const char*>(from) + bytes);
    put(on, {nullptr, 0, [=] { checked_copy(to, reinterpret_cast<CUdeviceptr>(taken->data()), bytes, to_known, false); }});
    if (bytes > 64 << 10) progress(on, on->enqueued);
    return w.control.sticky;
  }
  put(on, {nullptr, 0, [=] { checked_copy(to, from, bytes, to_known, from_known); }});
  if (!to_known) progress(on, on->enqueued);  // into pageable memory: done on return
  return w.control.sticky;
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
API CUresult cuMemcpyPeerAsync(CUdeviceptr to, Context* to_context, CUdeviceptr from, Context* from_context, size_t bytes, void* stream) {
  std::lock_guard guard(world().mutex);
  ++world().counts[__func__];
  Block *target = block_of(to), *source = block_of(from);
  if (!target || !source || target->device != to_context->device || source->device != from_context->device) {
    misuse("cuMemcpyPeerAsync with memory of other contexts than it was told");
    return kInvalid;
  }
  return cuMemcpyAsync(to, from, bytes, stream);
}
template <class T>
CUresult set_memory(CUdeviceptr data, T value, size_t count, Stream* on) {
  if (!block_of(data, count * sizeof(T))) return kInvalid;
  put(on, {nullptr, 0, [=] {
             if (!block_of(data, count * sizeof(T))) return misuse("a fill ran on memory that was freed");
             std::fill_n(reinterpret_cast<T*>(data), count, value);
           }});
  return kOk;
}
API CUresult cuMemsetD8Async(CUdeviceptr data, unsigned char value, size_t count, void* stream) {
  ENTER();
  STREAM(stream);
  return set_memory(data, value, count, on);
}
API CUresult cuMemsetD16Async(CUdeviceptr data, unsigned short value, size_t count, void* stream) {
  ENTER();
  STREAM(stream);
  return set_memory(data, value, count, on);
}
API CUresult cuMemsetD32Async(CUdeviceptr data, unsigned int value, size_t count, void* stream) {
  ENTER();
  STREAM(stream);
  return set_memory(data, value, count, on);
}

// ---- streams and events

API CUresult cuStreamCreateWithPriority(Stream** stream, unsigned int, int) {
  ENTER();
  NEEDS_CONTEXT();
  *stream = new_stream();
  ++w.control.streams;
  return kOk;
}
API CUresult cuStreamDestroy_v2(Stream* stream) {
  ENTER_RELEASE();
  if (!w.streams.erase(stream)) return misuse("cuStreamDestroy of a stream that is not alive"), kBadHandle;
  --w.control.streams;
  return failed_;
}
API CUresult cuStreamSynchronize(void* stream) {
  ENTER();
  STREAM(stream);
  NOT_IN_CAPTURE(on);
  progress(on, on->enqueued);
  return w.control.sticky;
}
API CUresult cuStreamQuery(void* stream) {
  ENTER();
  STREAM(stream);
  NOT_IN_CAPTURE(on);
  return on->done == on->enqueued ? kOk : kNotReady;
}
API CUresult cuStreamWaitEvent(void* stream, Event* event, unsigned int) {
  ENTER();
  STREAM(stream);
  if (!w.events.count(event)) return misuse("cuStreamWaitEvent for an event that is not alive"), kBadHandle;
  const unsigned long long mine = on->capture ? on->capture->id : 0;
  if (mine != event->capture) {  // waits do not cross the border of a capture (streams that join one are not made here)
    misuse("cuStreamWaitEvent across the border of a capture");
    if (on->capture) on->capture->broken = true;
    return 905;
  }
  if (mine) return kOk;  // in the line already
  if (event->stream && event->stream != on) put(on, {event->stream, event->at, {}});
  return kOk;
}
API CUresult cuStreamIsCapturing(void* stream, int* status) {
  ENTER();
  STREAM(stream);
  *status = on->capture ? 1 : 0;
  return kOk;
}
API CUresult cuStreamGetCtx(void* stream, Context** context) {
  ENTER();
  STREAM(stream);
  *context = &w.contexts[on->device];
  return kOk;
}
API CUresult cuEventCreate(Event** event, unsigned int flags) {
  ENTER();
  NEEDS_CONTEXT();
  *event = new Event;
  (*event)->timing = !(flags & 2);
  w.events.insert(*event);
  ++w.control.events;
  return kOk;
}
API CUresult cuEventDestroy_v2(Event* event) {
  ENTER_RELEASE();
  if (!w.events.erase(event)) return misuse("cuEventDestroy of an event that is not alive"), kBadHandle;
  delete event;
  --w.control.events;
  return failed_;
}
API CUresult cuEventRecord(Event* event, void* stream) {
  ENTER();
  STREAM(stream);
  if (!w.events.count(event)) return misuse("cuEventRecord of an event that is not alive"), kBadHandle;
  event->capture = on->capture ? on->capture->id : 0;
  event->stream = on;
  if (event->capture) return kOk;
  put(on, {});
  event->at = on->enqueued;
  return kOk;
}
API CUresult cuEventQuery(Event* event) {
  ENTER();
  NOT_IN_CAPTURE();
  if (!w.events.count(event)) return misuse("cuEventQuery of an event that is not alive"), kBadHandle;
  return !event->stream || event->stream->done >= event->at ? kOk : kNotReady;
}
API CUresult cuEventSynchronize(Event* event) {
  ENTER();
  NOT_IN_CAPTURE();
  if (!w.events.count(event)) return misuse("cuEventSynchronize of an event that is not alive"), kBadHandle;
  if (event->stream) progress(event->stream, event->at);
  return w.control.sticky;
}
API CUresult cuEventElapsedTime(float* milliseconds, Event* start, Event* end) {
  ENTER();
  if (!start->timing || !end->timing) return kBadHandle;
  if (start->stream->done < start->at || end->stream->done < end->at) return kNotReady;
  *milliseconds = float(end->at - start->at);
  return kOk;
}

// ---- graphs: what is captured on one stream

struct Exec { std::vector<std::shared_ptr<Node>> nodes; std::map<const Node*, size_t> places; };

API CUresult cuStreamBeginCapture_v2(void* stream, int mode) {
  ENTER();
  STREAM(stream);
  if (on->capture) return kInvalid;
  ++w.control.graphs;
  on->capture = std::make_unique<Capture>(Capture{new Graph, std::this_thread::get_id(), mode, ++w.captures});
  w.graphs.insert(on->capture->graph);
  return kOk;
}
API CUresult cuStreamEndCapture(void* stream, Graph** graph) {
  ENTER_RELEASE();
  STREAM(stream);
  *graph = nullptr;
  if (!on->capture) return kInvalid;
  const auto capture = std::move(on->capture);
  if (capture->broken || failed_) {
    w.graphs.erase(capture->graph);
    delete capture->graph;
    --w.control.graphs;
    return failed_ ? failed_ : 901;
  }
  *graph = capture->graph;
  return kOk;
}
API CUresult cuStreamGetCaptureInfo_v2(void* stream, int* status, unsigned long long* id, Graph** graph, Node* const** last, size_t* count) {
  ENTER();
  STREAM(stream);
  *status = on->capture ? 1 : 0;
  if (!on->capture) return kOk;
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
  int& mine = w.capture_modes[std::this_thread::get_id()];
  std::swap(mine, *mode);
  return kOk;
}
API CUresult cuGraphInstantiateWithFlags(Exec** exec, Graph* graph, unsigned long long) {
  ENTER();
  auto made = std::make_unique<Exec>();
  for (size_t i = 0; i < graph->nodes.size(); ++i) {
    made->nodes.push_back(std::make_shared<Node>(*graph->nodes[i]));
    made->places[graph->nodes[i].get()] = i;
  }
  *exec = made.release();
  w.graphs.insert(*exec);
  ++w.control.graphs;
  return kOk;
}
API CUresult cuGraphLaunch(Exec* exec, void* stream) {
  ENTER();
  NEEDS_CONTEXT();
  STREAM(stream);
  for (auto& node : exec->nodes) put(on, {nullptr, 0, [node, run = node->run] { if (run) run(); }});
  return w.control.sticky;
}
API CUresult cuGraphExecDestroy(Exec* exec) {
  ENTER_RELEASE();
  w.graphs.erase(exec);
  delete exec;
  --w.control.graphs;
  return failed_;
}
API CUresult cuGraphDestroy(Graph* graph) {
  ENTER_RELEASE();
  w.graphs.erase(graph);
  delete graph;
  --w.control.graphs;
  return failed_;
}

// ---- modules and launches. An image is what fake_cuda/nvrtc.cpp makes: lines "kernel NAME", "param NAME BYTES",
// "global NAME BYTES", "arch N", "relocatable".

API CUresult cuModuleLoadDataEx(Module** module, const void* image, unsigned int, int*, void**) {
  ENTER();
  NEEDS_CONTEXT();
  NOT_IN_CAPTURE();
  const std::string text = static_cast<const char*>(image);
  if (text.compare(0, 5, "FAKE ") != 0) return 200;
  auto made = std::make_unique<Module>();
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    char name[256];
    int number = 0;
    if (sscanf(line.c_str(), "kernel %255s", name) == 1) made->functions[name].name = name;
    if (sscanf(line.c_str(), "param %255s %d", name, &number) == 2) made->functions[name].parameters.push_back(size_t(number));
    if (line == "relocatable") return 200;  // it has to be linked first
    if (sscanf(line.c_str(), "global %255s %d", name, &number) == 2) made->globals[name].resize(size_t(number));
    if (sscanf(line.c_str(), "arch %d", &number) == 1 && number != from_environment("FAKE_CUDA_ARCH", 90)) return kNoBinary;
  }
  *module = made.release();
  w.modules.insert(*module);
  ++w.control.modules;
  return kOk;
}
API CUresult cuModuleUnload(Module* module) {
  ENTER_RELEASE();
  if (!w.modules.erase(module)) return misuse("cuModuleUnload of a module that is not loaded"), kBadHandle;
  delete module;
  --w.control.modules;
  return failed_;
}
API CUresult cuModuleGetFunction(Function** function, Module* module, const char* name) {
  ENTER();
  auto found = module->functions.find(name);
  if (found == module->functions.end()) return kNotFound;
  *function = &found->second;
  return kOk;
}
API CUresult cuModuleGetGlobal_v2(CUdeviceptr* data, size_t* bytes, Module* module, const char* name) {
  ENTER();
  auto found = module->globals.find(name);
  if (found == module->globals.end()) return kNotFound;
  *data = reinterpret_cast<CUdeviceptr>(found->second.data());
  *bytes = found->second.size();
  return kOk;
}
#if !FAKE_OLD
API CUresult cuFuncGetParamInfo(Function* function, size_t index, size_t* offset, size_t* bytes) {
  ENTER();
  if (index >= function->parameters.size()) return kInvalid;
  *offset = 0;
  for (size_t i = 0; i < index; ++i) *offset += function->parameters[i];
  *bytes = function->parameters[index];
  return kOk;
}
#endif
API CUresult cuFuncGetAttribute(int* value, int attribute, Function*) {
  ENTER();
  *value = attribute == 0 ? 1024 : attribute == 1 ? 256 : attribute == 4 ? 12 : 0;
  return kOk;
}
API CUresult cuFuncSetAttribute(Function* function, int attribute, int value) {
  ENTER();
  if (attribute == 8) function->dynamic_shared = value;
  return kOk;
}
// What the kernels do, by their names.
std::function<void()> work_of(const Function& function, void** parameters) {
  if (function.name == "fault") return [] { world().control.sticky = kIllegalAddress; };
  if (function.name.find("write_addresses") != std::string::npos) {  // of Tenon's own: (void** to, struct of 256 addresses, count)
    auto* const to = *static_cast<void***>(parameters[0]);
    const auto count = *static_cast<uint32_t*>(parameters[2]);
    auto* const from = static_cast<void**>(parameters[1]);
    return [to, list = std::vector<void*>(from, from + count)] {
      if (!block_of(reinterpret_cast<CUdeviceptr>(to), list.size() * 8)) return misuse("a kernel ran on memory that was freed");
      std::copy(list.begin(), list.end(), to);
    };
  }
  if (function.name != "scale") return {};
  const auto data = *static_cast<CUdeviceptr*>(parameters[0]);  // (float* data, float factor, int count)
  const float factor = *static_cast<float*>(parameters[1]);
  const int count = *static_cast<int*>(parameters[2]);
  return [=] {
    if (!block_of(data, uint64_t(count) * 4)) return misuse("a kernel ran on memory that was freed");
    for (int i = 0; i < count; ++i) reinterpret_cast<float*>(data)[i] *= factor;
  };
}
API CUresult cuLaunchKernel(Function* function, unsigned int gx, unsigned int gy, unsigned int gz, unsigned int bx, unsigned int by, unsigned int bz,
                            unsigned int shared, void* stream, void** parameters, void**) {
  ENTER();
  NEEDS_CONTEXT();
  STREAM(stream);
  if (int(shared) > function->dynamic_shared) return kInvalid;
  put(on, {nullptr, 0, work_of(*function, parameters)});
  if (on->capture) {
    Node& node = *on->capture->graph->nodes.back();
    node.function = function;
    const unsigned geometry[] = {gx, gy, gz, bx, by, bz, shared};
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
API CUresult cuGraphExecKernelNodeSetParams_v2(Exec* exec, Node* node, const KernelNode* params) {
  ENTER();
  const auto place = exec->places.find(node);
  if (place == exec->places.end() || params->function != node->function || params->extra) return kInvalid;
  auto changed = std::make_shared<Node>(*node);  // launches under way keep theirs
  changed->run = work_of(*node->function, params->parameters);
  exec->nodes[place->second] = std::move(changed);
  return kOk;
}
#if !FAKE_OLD
API CUresult cuLaunchKernelEx(const void* config, Function* function, void** parameters, void** extra) {
  // gridDim, blockDim, shared memory, then the stream
  const auto* words = static_cast<const unsigned int*>(config);
  void* stream;
  memcpy(&stream, words + 8, sizeof stream);
  ++world().counts["cuLaunchKernelEx"];
  return cuLaunchKernel(function, words[0], words[1], words[2], words[3], words[4], words[5], words[6], stream, parameters, extra);
}
#endif
