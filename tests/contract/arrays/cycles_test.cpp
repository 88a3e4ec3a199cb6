// Objects made and dropped a million times by several threads: memory, handles and the device's counts stay where they
// were after the first tenth, also when another thread drops what one has made, and when the process ends meanwhile.
#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <barrier>
#include <cstdio>
#include <mutex>
#include <thread>
#include <unordered_set>

#include "support.hpp"

using namespace test;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;  // a sanitizer keeps freed memory, and is ten times as slow
constexpr int kCycles = 100'000;
#else
constexpr bool kSanitized = false;
constexpr int kCycles = 1'000'000;  // of all threads together
#endif
constexpr int kThreads = 4;
constexpr int kTenths = 10;

// The start of DLPack's versioned struct.
struct Tensor {
  uint32_t major, minor;
  void* manager;
  void (*deleter)(Tensor*);
};

// An object that one thread made and another releases.
struct Dropped {
  std::vector<void*> handles;
  std::vector<Tensor*> tensors;

  size_t size() const { return handles.size() + tensors.size(); }

  void drop() {
    for (void* handle : handles) tenon_release(handle);
    for (Tensor* tensor : tensors) tensor->deleter(tensor);
    handles.clear();
    tensors.clear();
  }
};

// Holds so few objects that the number alive does not depend on how the system schedules threads.
class Box {
 public:
  bool put(Dropped& given) {
    std::lock_guard lock(mutex_);
    if (inside_.size() > kMost) return false;
    inside_.handles.insert(inside_.handles.end(), given.handles.begin(), given.handles.end());
    inside_.tensors.insert(inside_.tensors.end(), given.tensors.begin(), given.tensors.end());
    given.handles.clear();
    given.tensors.clear();
    return true;
  }
  void empty(Dropped& into) {
    {
      std::lock_guard lock(mutex_);
      std::swap(into, inside_);
    }
    into.drop();
  }

 private:
  static constexpr size_t kMost = 512;
  std::mutex mutex_;
  Dropped inside_;
};

// Shared by all threads. kernel is NULL if no compiler is installed.
struct Shared {
  DevicePtr cpu = device("cpu:0");
  ProgramPtr program;
  KernelPtr kernel;
  std::array<Box, kThreads> boxes;
  std::atomic<int> wrong{0};
  std::atomic<int64_t> done{0}, passed_on{0};

  Shared() {
    const char text[] = "extern \"C\" __global__ void k(int* x) { x[threadIdx.x] += 1; }\n";
    const char* names[] = {"k"};
    tenon_program_options options{};
    options.struct_size = sizeof options;
    options.kernels = names;
    options.kernel_count = 1;
    tenon_program* made = nullptr;
    tenon_kernel* found = nullptr;
    const int32_t status = tenon_program_create(cpu.get(), text, sizeof text - 1, &options, &made);
    if (status == TENON_ERROR_MISSING_LIBRARY) return;
    EXPECT_OK(status);
    program.reset(made);
    EXPECT_OK(tenon_program_kernel(made, "k", &found));
    kernel.reset(found);
  }
};

// The work of one thread. Its neighbour releases every second object that it makes.
class Worker {
 public:
  Worker(Shared& shared, int number) : shared_(shared), number_(number), base_(counting(shared.cpu.get(), {8, 4})) {}

  void cycle() {
    switch (turn_++ % 10) {
      case 3: return graph();
      case 1:
      case 6: return shared_.kernel ? call() : array();
      case 2:
      case 5:
      case 8: return dlpack();
      default: return array();
    }
  }

  // Passes objects to the neighbour to release, and releases those that this thread was given. A neighbour that is not
  // ready gets no more.
  void exchange() {
    collect();
    const size_t count = given_.size();
    Box& box = shared_.boxes[size_t(number_ + 1) % kThreads];
    if (!box.put(given_)) {
      std::this_thread::yield();
      if (!box.put(given_)) return given_.drop();
    }
    shared_.passed_on += int64_t(count);
  }
  void collect() { shared_.boxes[size_t(number_)].empty(taken_); }

  const std::unordered_set<const void*>& places() const { return places_; }

 private:
  void ok(int32_t status) {
    if (status && ++shared_.wrong < 5) std::fprintf(stderr, "%s\n", tenon_error_last_message());
  }

  void drop(void* handle) {
    places_.insert(handle);
    if (++dropped_ % 2) given_.handles.push_back(handle);
    else tenon_release(handle);
  }
  void drop(Tensor* tensor) {
    if (++dropped_ % 2) given_.tensors.push_back(tensor);
    else tensor->deleter(tensor);
  }

  tenon_array* made() {
    const int64_t shape[] = {8, 4 + turn_ % 5};
    tenon_array* out = nullptr;
    ok(tenon_array_zeros(shared_.cpu.get(), TENON_FLOAT32, 2, shape, nullptr, &out));
    return out;
  }

  void array() {
    tenon_array *one = made(), *view = nullptr;
    ok(tenon_array_transpose(one, 2, nullptr, &view));
    drop(one);
    drop(view);
  }

  void call() {
    tenon_launch launch{};
    launch.struct_size = sizeof launch;
    launch.block[0] = 4;
    const tenon_arg arg = TENON_ARRAY_ARG(base_.get());
    tenon_call *first = nullptr, *second = nullptr;
    ok(tenon_call_create(shared_.kernel.get(), &launch, &arg, 1, &first));
    ok(tenon_call_launch(first, nullptr));
    ok(tenon_call_clone(first, &second));
    drop(first);
    drop(second);
  }

  void dlpack() {
    tenon_array *one = made(), *back = nullptr;
    DLManagedTensorVersioned *out = nullptr, *again = nullptr;
    ok(tenon_array_to_dlpack_versioned(one, 0, nullptr, &out));
    ok(tenon_array_from_dlpack_versioned(nullptr, out, nullptr, &back));
    ok(tenon_array_to_dlpack_versioned(back, 0, nullptr, &again));
    drop(one);
    drop(back);
    drop(reinterpret_cast<Tensor*>(again));
  }

  void graph() {
    tenon_graph* graph = nullptr;
    tenon_stream* recording = nullptr;
    tenon_array *source = made(), *copy = nullptr;
    ok(tenon_graph_create(shared_.cpu.get(), &graph));
    ok(tenon_graph_begin(graph, &recording));
    ok(tenon_array_convert(source, TENON_FLOAT64, nullptr, recording, &copy));
    ok(tenon_graph_end(graph));
    ok(tenon_graph_launch(graph, nullptr));
    drop(recording);
    drop(source);
    drop(graph);
    drop(copy);
  }

  Shared& shared_;
  const int number_;
  ArrayPtr base_;
  int64_t turn_ = 0, dropped_ = 0;
  Dropped given_, taken_;
  std::unordered_set<const void*> places_;  // addresses that handles have had
};

// The amounts that must not grow.
struct Amounts {
  uint64_t resident = 0, used = 0, held = 0, allocations = 0;
  size_t places = 0;
};

uint64_t resident_bytes() {
  malloc_trim(0);
  unsigned long total = 0, resident = 0;
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (!file || std::fscanf(file, "%lu %lu", &total, &resident) != 2)
    ADD_FAILURE() << "/proc/self/statm is not readable";
  if (file) std::fclose(file);
  return uint64_t(resident) * uint64_t(sysconf(_SC_PAGESIZE));
}

Amounts measured(tenon_device* device, const std::vector<std::unique_ptr<Worker>>& workers) {
  std::unordered_set<const void*> places;
  for (const auto& worker : workers) places.insert(worker->places().begin(), worker->places().end());
  tenon_memory_info memory{};
  memory.struct_size = sizeof memory;
  EXPECT_OK(tenon_device_get_memory_info(device, &memory));
  const size_t count = places.size();
  places = {};
  return {resident_bytes(), memory.used, memory.held, memory.allocations, count};
}

TEST(Cycles, leave_memory_and_handles_where_they_were) {
  Shared shared;
  std::vector<std::unique_ptr<Worker>> workers(kThreads);
  for (int t = 0; t < kThreads; ++t) workers[size_t(t)] = std::make_unique<Worker>(shared, t);
  Amounts early, late;
  std::barrier all(kThreads);
  // A tenth of the work, after which no object made in a cycle is alive.
  const auto tenth = [&](Worker& worker) {
    for (int i = 0; i < kCycles / kTenths / kThreads; ++i) {
      worker.cycle();
      if (i % 64 == 63) worker.exchange();
    }
    worker.exchange();
    all.arrive_and_wait();  // no neighbour has more to pass on
    worker.collect();
    all.arrive_and_wait();
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      Worker& worker = *workers[size_t(t)];
      for (int part = 1; part <= kTenths; ++part) {
        tenth(worker);
        if (t == 0 && part == 1) early = measured(shared.cpu.get(), workers);
        if (t == 0 && part == kTenths) late = measured(shared.cpu.get(), workers);
        all.arrive_and_wait();
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(0, shared.wrong.load());
  std::printf(
      "after the first tenth and at the end: resident %.1f and %.1f MiB, places of handles %zu and %zu, held %.2f "
      "and %.2f MiB, %llu allocations between them; dropped by another thread: %lld\n",
      double(early.resident) / 1048576, double(late.resident) / 1048576, early.places, late.places,
      double(early.held) / 1048576, double(late.held) / 1048576,
      static_cast<unsigned long long>(late.allocations - early.allocations), static_cast<long long>(shared.passed_on));
  EXPECT_EQ(early.used, late.used) << "bytes in live buffers";
  EXPECT_LE(late.held, early.held + (512u << 10)) << "bytes that the pool holds";
  EXPECT_GE(late.allocations - early.allocations, uint64_t(kCycles) / 2) << "the cycles allocate";
  EXPECT_GE(shared.passed_on, kCycles / 10) << "objects that another thread dropped";
  EXPECT_LE(late.places, early.places + 512u * kThreads) << "handles are used again";
  if (!kSanitized) {
    EXPECT_LE(late.resident, early.resident + (uint64_t(2) << 20));
  }
}

// A leak checker cannot stop the threads of a child that ends on one of them.
bool is_child = false;
extern "C" __attribute__((visibility("default"))) int __lsan_is_turned_off() { return is_child; }

#if !defined(__SANITIZE_THREAD__)  // does not follow a fork with several threads
TEST(Cycles, may_go_on_while_the_process_ends) {
  for (int round = 0; round < 10; ++round) {
    const pid_t child = fork();
    if (child == 0) {
      is_child = true;
      alarm(300);
      auto& shared = *new Shared;
      for (int t = 0; t < kThreads; ++t)
        std::thread([&shared, t] {
          auto& worker = *new Worker(shared, t);
          for (int i = 1;; ++i) {
            worker.cycle();
            ++shared.done;
            if (i % 64 == 0) worker.exchange();
          }
        }).detach();
      while (shared.done < 2000 + 500 * round) std::this_thread::yield();
      exit(shared.wrong ? 8 : 7);
    }
    int state = 0;
    waitpid(child, &state, 0);
    EXPECT_TRUE(WIFEXITED(state) && WEXITSTATUS(state) == 7)
        << (WIFEXITED(state) ? "code " : "signal ") << (WIFEXITED(state) ? WEXITSTATUS(state) : WTERMSIG(state));
  }
}
#endif

}  // namespace
