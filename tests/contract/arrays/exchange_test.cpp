// What programs hand to Tenon and take from it beside DLPack: functions of the host, events, allocators, memory of
// other processes.
#include <fcntl.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include "support.hpp"

using namespace test;

namespace {

std::vector<std::string>& log_lines() {
  static std::vector<std::string> lines;
  return lines;
}

ContextPtr logged_context(tenon_allocator* allocator = nullptr) {
  log_lines().clear();
  tenon_context_options options{};
  options.struct_size = sizeof options;
  options.log = [](void*, int32_t, const char* text) { log_lines().push_back(text); };
  options.allocator = allocator;
  tenon_context* out = nullptr;
  EXPECT_OK(tenon_context_create(&options, &out));
  return ContextPtr(out);
}

ArrayPtr ones(tenon_device* device, int64_t count) {
  tenon_array* out = nullptr;
  EXPECT_OK(tenon_array_create(device, TENON_FLOAT32, 1, &count, nullptr, &out));
  EXPECT_OK(tenon_array_fill(out, number(1), nullptr));
  return ArrayPtr(out);
}

using GraphPtr = std::unique_ptr<tenon_graph, Releaser<tenon_graph, tenon_graph_release>>;

GraphPtr graph_of(tenon_device* device) {
  tenon_graph* out = nullptr;
  EXPECT_OK(tenon_graph_create(device, &out));
  return GraphPtr(out);
}

void add_one(void* user) { ++*static_cast<int*>(user); }
void throws(void*) { throw std::string("out"); }

TEST(Callbacks, ThatLetAnExceptionOutAreNamedInTheLog) {
  ContextPtr context = logged_context();
  DevicePtr cpu = device("cpu:0", context.get());
  alignas(64) static float memory[16];
  tenon_buffer* buffer = nullptr;
  OK(tenon_buffer_wrap(cpu.get(), memory, sizeof memory, TENON_MEMORY_DEVICE, 0, nullptr, throws, nullptr, &buffer));
  tenon_buffer_release(buffer);
  ASSERT_EQ(log_lines().size(), 1u);
  EXPECT_NE(log_lines()[0].find("the destroy function of memory threw an exception"), std::string::npos)
      << log_lines()[0];
  tenon_stream* stream = nullptr;
  OK(tenon_stream_create(cpu.get(), nullptr, &stream));
  StreamPtr owned(stream);
  OK(tenon_stream_call_host(stream, throws, throws, nullptr));
  ASSERT_EQ(log_lines().size(), 3u);
  EXPECT_NE(log_lines()[1].find("a function of tenon_stream_call_host"), std::string::npos) << log_lines()[1];
  EXPECT_NE(log_lines()[2].find("the destroy function of tenon_stream_call_host"), std::string::npos) << log_lines()[2];
}

TEST(Callbacks, AFailedCallTakesNothingOver) {
  DevicePtr cpu = device("cpu:0");
  alignas(64) static float memory[16];
  int ended = 0;
  tenon_buffer* buffer = nullptr;
  FAILS(TENON_ERROR_UNSUPPORTED, "pinned",
        tenon_buffer_wrap(cpu.get(), memory, sizeof memory, TENON_MEMORY_PINNED, 0, nullptr, add_one, &ended, &buffer));
  tenon_stream* stream = nullptr;
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "", tenon_stream_wrap(cpu.get(), 12345, add_one, &ended, &stream));
  tenon_event* event = nullptr;
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "no native events", tenon_event_wrap(cpu.get(), 12345, add_one, &ended, &event));
  OK(tenon_stream_default(cpu.get(), &stream));
  StreamPtr owned(stream);
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "function is NULL", tenon_stream_call_host(stream, nullptr, add_one, &ended));
  GraphPtr graph = graph_of(cpu.get());
  OK(tenon_graph_begin(graph.get(), &stream));
  StreamPtr recording(stream);
  FAILS(TENON_ERROR_UNSUPPORTED, "memory is ready only after earlier work",
        tenon_buffer_wrap(cpu.get(), memory, sizeof memory, TENON_MEMORY_DEVICE, 0, stream, add_one, &ended, &buffer));
  tenon_context_options options{};
  options.struct_size = sizeof options;
  options.log = [](void*, int32_t, const char*) {};
  options.log_user = &ended, options.log_destroy = add_one;
  options.cache_mode = 77;
  tenon_context* context = nullptr;
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "cache_mode", tenon_context_create(&options, &context));
  options.cache_mode = 0;
  tenon_allocator half{};
  half.struct_size = sizeof half;
  half.user = &ended, half.destroy = add_one;
  options.allocator = &half;
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "no allocate function", tenon_context_create(&options, &context));
  EXPECT_EQ(ended, 0);
  // A stream of the CPU is valid anyway: the object that keeps it is released at once.
  OK(tenon_stream_wrap(cpu.get(), 0, add_one, &ended, &stream));
  tenon_stream_release(stream);
  EXPECT_EQ(ended, 1);
}

TEST(Streams, FunctionsOfTheHostRunInTheirOrder) {
  DevicePtr cpu = device("cpu:0");
  tenon_stream* made = nullptr;
  OK(tenon_stream_create(cpu.get(), nullptr, &made));
  StreamPtr stream(made);
  struct Seen {
    tenon_array* array;
    float value = 0;
    int ends = 0;
  };
  ArrayPtr x = ones(cpu.get(), 8);
  Seen seen{x.get()};
  OK(tenon_array_fill(x.get(), number(5), made));
  OK(tenon_stream_call_host(
      made,
      [](void* user) {
        auto* self = static_cast<Seen*>(user);  // on the CPU it may call Tenon
        self->value = values<float>(self->array)[0];
      },
      [](void* user) { ++static_cast<Seen*>(user)->ends; }, &seen));
  OK(tenon_array_fill(x.get(), number(6), made));
  OK(tenon_stream_synchronize(made));
  EXPECT_EQ(seen.value, 5);
  EXPECT_EQ(seen.ends, 1);
}

TEST(Streams, EventsAreWrappedAndHandedOut) {
  DevicePtr cpu = device("cpu:0");
  tenon_event* made = nullptr;
  int ended = 0;
  OK(tenon_event_wrap(cpu.get(), 0, add_one, &ended, &made));
  EventPtr event(made);
  uint64_t native = 7;
  OK(tenon_event_native(made, &native));
  EXPECT_EQ(native, 0u);
  EXPECT_EQ(tenon_event_query(made), TENON_OK);
  tenon_stream* stream = nullptr;
  OK(tenon_stream_default(cpu.get(), &stream));
  StreamPtr owned(stream);
  OK(tenon_stream_wait_event(stream, made));
  EXPECT_EQ(ended, 0);
  event.reset();
  EXPECT_EQ(ended, 1);
}

TEST(Uses, AreCheckedAsTenonsOwn) {
  DevicePtr cpu = device("cpu:0");
  ArrayPtr x = ones(cpu.get(), 4);
  OK(tenon_array_use(x.get(), TENON_ACCESS_READ, nullptr));
  OK(tenon_array_use(x.get(), TENON_ACCESS_WRITE, nullptr));
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "access is 3", tenon_array_use(x.get(), 3, nullptr));
  const int64_t shape[] = {3, 4};
  tenon_array* wide = nullptr;
  OK(tenon_array_broadcast(x.get(), 2, shape, &wide));
  ArrayPtr view(wide);
  FAILS(TENON_ERROR_READ_ONLY, "read-only", tenon_array_use(wide, TENON_ACCESS_WRITE, nullptr));
  OK(tenon_array_use(wide, TENON_ACCESS_READ, nullptr));
  GraphPtr graph = graph_of(cpu.get());
  tenon_stream* recording = nullptr;
  OK(tenon_graph_begin(graph.get(), &recording));
  StreamPtr stream(recording);
  FAILS(TENON_ERROR_UNSUPPORTED, "cannot be recorded", tenon_array_use(x.get(), TENON_ACCESS_READ, recording));
}

// An allocator that counts.
struct Counted {
  std::map<void*, uint64_t> blocks;
  int allocations = 0, ended = 0;
  uint64_t most = 0, shift = 0;
  bool empty = false;

  static int32_t allocate(void* user, int32_t kind, int32_t index, uint64_t bytes, uint64_t stream, void** out) {
    auto* self = static_cast<Counted*>(user);
    EXPECT_EQ(kind, TENON_DEVICE_CPU);
    EXPECT_EQ(index, 0);
    EXPECT_EQ(stream, 0u);
    if (self->empty) return 1;
    ++self->allocations;
    *out = static_cast<char*>(std::aligned_alloc(64, (bytes + 127) / 64 * 64)) + self->shift;
    self->blocks[*out] = bytes;
    self->most = std::max(self->most, bytes);
    return 0;
  }
  static void deallocate(void* user, int32_t, int32_t, void* data, uint64_t bytes, uint64_t) {
    auto* self = static_cast<Counted*>(user);
    EXPECT_EQ(self->blocks.at(data), bytes);
    self->blocks.erase(data);
    std::free(static_cast<char*>(data) - self->shift);
  }
  tenon_allocator table() {
    tenon_allocator out{};
    out.struct_size = sizeof out;
    out.allocate = allocate, out.deallocate = deallocate, out.user = this;
    out.destroy = [](void* user) { ++static_cast<Counted*>(user)->ended; };
    return out;
  }
};

TEST(Allocators, OfTheHostServeAContext) {
  Counted counted;
  {
    tenon_allocator table = counted.table();
    ContextPtr context = logged_context(&table);
    table = {};  // it has been copied
    DevicePtr cpu = device("cpu:0", context.get());
    ArrayPtr x = ones(cpu.get(), 1000);
    EXPECT_EQ(counted.allocations, 1);
    EXPECT_EQ(counted.most, 4000u);
    tenon_memory_info info{};
    info.struct_size = sizeof info;
    OK(tenon_device_get_memory_info(cpu.get(), &info));
    EXPECT_EQ(info.used, 4000u);
    EXPECT_EQ(values<float>(x.get())[999], 1);
    x.reset();
    EXPECT_TRUE(counted.blocks.empty());
    counted.empty = true;
    tenon_array* none = nullptr;
    const int64_t n = 10;
    FAILS(TENON_ERROR_OUT_OF_MEMORY, "the host's allocator could not allocate 40 bytes",
          tenon_array_create(cpu.get(), TENON_FLOAT32, 1, &n, nullptr, &none));
    counted.empty = false, counted.shift = 8;
    FAILS(TENON_ERROR_INVALID_ARGUMENT, "must be a multiple of 64",
          tenon_array_create(cpu.get(), TENON_FLOAT32, 1, &n, nullptr, &none));
    EXPECT_TRUE(counted.blocks.empty()) << "what cannot be used is given back";
    counted.shift = 0;
    EXPECT_EQ(counted.ended, 0);
  }
  EXPECT_EQ(counted.ended, 1);
  EXPECT_TRUE(counted.blocks.empty());
}

TEST(Allocators, ThatLetAnExceptionOutAtTheirEndAreNamedInTheLog) {
  Counted counted;
  tenon_allocator table = counted.table();
  table.destroy = throws;
  ContextPtr context = logged_context(&table);
  context.reset();
  ASSERT_EQ(log_lines().size(), 1u);
  EXPECT_NE(log_lines()[0].find("the destroy function of the context's allocator threw an exception"),
            std::string::npos)
      << log_lines()[0];
}

TEST(Allocators, AreLent) {
  DevicePtr cpu = device("cpu:0");
  tenon_allocator lent{};
  lent.struct_size = sizeof lent;
  OK(tenon_device_allocator(cpu.get(), &lent));
  tenon_memory_info before{}, within{};
  before.struct_size = within.struct_size = sizeof before;
  OK(tenon_device_get_memory_info(cpu.get(), &before));
  tenon_device* const raw = cpu.get();
  void* data = nullptr;
  ASSERT_EQ(0, lent.allocate(lent.user, TENON_DEVICE_CPU, 0, 5000, 0, &data));
  std::memset(data, 1, 5000);
  OK(tenon_device_get_memory_info(raw, &within));
  EXPECT_GE(within.used, before.used + 5000);
  cpu.reset();  // the allocator keeps the device alive
  lent.deallocate(lent.user, TENON_DEVICE_CPU, 0, data, 5000, 0);
  void* nothing = &lent;
  EXPECT_EQ(TENON_ERROR_DEVICE, lent.allocate(lent.user, TENON_DEVICE_CUDA, 0, 10, 0, &nothing));
  EXPECT_EQ(nothing, nullptr);
  EXPECT_EQ(TENON_ERROR_OUT_OF_MEMORY, lent.allocate(lent.user, TENON_DEVICE_CPU, 0, uint64_t(1) << 60, 0, &nothing));
  // A context can use memory that another one lends to it.
  {
    tenon_allocator table = lent;
    table.destroy = nullptr;
    ContextPtr context = logged_context(&table);
    DevicePtr there = device("cpu:0", context.get());
    EXPECT_EQ(values<float>(ones(there.get(), 100).get())[99], 1);
  }
  lent.destroy(lent.user);
}

TEST(DLPack, IsNotCopiedOnRequest) {
  DevicePtr cpu = device("cpu:0");
  ArrayPtr x = ones(cpu.get(), 8);
  const int64_t back = -1;
  tenon_array* reversed = nullptr;
  OK(tenon_array_slice(x.get(), 1, nullptr, nullptr, &back, &reversed));
  ArrayPtr view(reversed);
  struct DLManagedTensorVersioned* tensor = nullptr;
  struct DLManagedTensor* legacy = nullptr;
  FAILS(TENON_ERROR_LAYOUT, "negative strides, (-1,),",
        tenon_array_to_dlpack_versioned(reversed, TENON_DLPACK_NEVER_COPY, nullptr, &tensor));
  FAILS(TENON_ERROR_LAYOUT, "negative strides",
        tenon_array_to_dlpack(reversed, TENON_DLPACK_NEVER_COPY, nullptr, &legacy));
  EXPECT_EQ(tensor, nullptr);
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "contradict",
        tenon_array_to_dlpack_versioned(x.get(), TENON_DLPACK_COPY | TENON_DLPACK_NEVER_COPY, nullptr, &tensor));
  OK(tenon_array_to_dlpack_versioned(x.get(), TENON_DLPACK_NEVER_COPY, nullptr, &tensor));
  tenon_array* again = nullptr;
  OK(tenon_array_from_dlpack_versioned(nullptr, tensor, nullptr, &again));
  ArrayPtr shared(again);
  EXPECT_EQ(info(again).data, info(x.get()).data);
}

// Types that the specification names and few libraries support: they come back unchanged, byte for byte.
TEST(DLPack, CarriesComplex32AndTypesOfLessThanAByte) {
  DevicePtr cpu = device("cpu:0");
  for (const uint32_t dtype : {TENON_COMPLEX32, TENON_FLOAT4_E2M1FN, TENON_FLOAT6_E3M2FN, TENON_FLOAT8_E4M3FN}) {
    SCOPED_TRACE(tenon_dtype_name(dtype));
    uint32_t bits = 0;
    OK(tenon_dtype_bits(dtype, &bits));
    const int64_t shape[] = {2, 8};
    std::vector<unsigned char> bytes(16 * bits / 8);
    std::iota(bytes.begin(), bytes.end(), static_cast<unsigned char>(1));
    tenon_array* made = nullptr;
    OK(tenon_array_from_host(cpu.get(), dtype, 2, shape, bytes.data(), bytes.size(), nullptr, &made));
    ArrayPtr x(made);
    struct DLManagedTensorVersioned* tensor = nullptr;
    OK(tenon_array_to_dlpack_versioned(made, TENON_DLPACK_NEVER_COPY, nullptr, &tensor));
    tenon_array* again = nullptr;
    OK(tenon_array_from_dlpack_versioned(nullptr, tensor, nullptr, &again));
    ArrayPtr y(again);
    EXPECT_EQ(info(again).dtype, dtype);
    EXPECT_EQ(info(again).data, info(made).data);
    std::vector<unsigned char> out(bytes.size());
    OK(tenon_array_to_host(again, out.data(), out.size(), nullptr));
    EXPECT_EQ(out, bytes);
  }
}

// --- memory of several processes -------------------------------------------------------------------------------------

std::string key_of(tenon_buffer* buffer) {
  tenon_blob* blob = nullptr;
  EXPECT_OK(tenon_buffer_share(buffer, &blob));
  BlobPtr owned(blob);
  const void* data = nullptr;
  uint64_t size = 0;
  EXPECT_OK(tenon_blob_data(blob, &data, &size));
  return std::string(static_cast<const char*>(data), size);
}

// Runs the work in a child of fork, with its own context; its result is the child's exit status.
int in_another_process(const std::function<int()>& work) {
  const pid_t child = fork();
  if (child == 0) _exit(work());
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(SharedMemory, IsTheSameInAnotherProcess) {
  DevicePtr cpu = device("cpu:0");
  tenon_buffer* made = nullptr;
  OK(tenon_buffer_create_shared(cpu.get(), 4096 * sizeof(float), &made));
  BufferPtr buffer(made);
  const int64_t n = 4096;
  tenon_array* array = nullptr;
  OK(tenon_array_from_buffer(made, TENON_FLOAT32, 1, &n, nullptr, 0, &array));
  ArrayPtr x(array);
  EXPECT_EQ(values<float>(array)[100], 0) << "zeros at first";
  OK(tenon_array_fill(array, number(3), nullptr));
  const std::string key = key_of(made);
  EXPECT_EQ(0, in_another_process([&] {
              DevicePtr there = device("cpu:0");
              tenon_buffer* opened = nullptr;
              if (tenon_buffer_open(there.get(), key.data(), key.size(), &opened)) return 1;
              tenon_array* view = nullptr;
              if (tenon_array_from_buffer(opened, TENON_FLOAT32, 1, &n, nullptr, 0, &view)) return 2;
              if (values<float>(view)[n - 1] != 3) return 3;
              if (tenon_array_fill(view, number(4), nullptr)) return 4;
              tenon_array_release(view);
              tenon_buffer_release(opened);
              return 0;
            }));
  EXPECT_EQ(values<float>(array)[n - 1], 4);
  // The opened memory outlives the buffer that was made, but opening is no longer possible.
  tenon_buffer* here = nullptr;
  OK(tenon_buffer_open(cpu.get(), key.data(), key.size(), &here));
  BufferPtr opened(here);
  x.reset(), buffer.reset();
  void* data = nullptr;
  uint64_t bytes = 0;
  OK(tenon_buffer_data(here, &data, &bytes));
  EXPECT_EQ(bytes, 4096 * sizeof(float));
  EXPECT_EQ(static_cast<float*>(data)[7], 4);
  tenon_buffer* late = nullptr;
  FAILS(TENON_ERROR_NOT_FOUND, "no longer exists", tenon_buffer_open(cpu.get(), key.data(), key.size(), &late));
}

TEST(SharedMemory, KeysAreChecked) {
  DevicePtr cpu = device("cpu:0");
  tenon_buffer* made = nullptr;
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "at least one byte", tenon_buffer_create_shared(cpu.get(), 0, &made));
  OK(tenon_buffer_create_shared(cpu.get(), 10, &made));
  BufferPtr buffer(made);
  const std::string key = key_of(made);
  tenon_buffer* out = nullptr;
  const auto open = [&](const std::string& bytes) {
    return tenon_buffer_open(cpu.get(), bytes.data(), bytes.size(), &out);
  };
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "not a key of shared memory", open(std::string(key.size(), 'x')));
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "not a key of shared memory", open(""));
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "a complete one has", open(key.substr(0, 40)));
  std::string other = key;
  other[8] = 9;
  FAILS(TENON_ERROR_VERSION, "version 9", open(other));
  other = key, other[12] = TENON_DEVICE_CUDA;
  FAILS(TENON_ERROR_DEVICE, "a CUDA device", open(other));
  other = key, other[64] ^= 1;  // of the file's number
  FAILS(TENON_ERROR_NOT_FOUND, "no longer exists", open(other));
  other = key, other[31] = 1;  // of the bytes
  FAILS(TENON_ERROR_NOT_FOUND, "no longer exists", open(other));
  other = key, other[31] = char(0x80);
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "more than 2^63", open(other));
  EXPECT_EQ(out, nullptr);
  tenon_buffer* plain = nullptr;
  OK(tenon_buffer_create(cpu.get(), 10, TENON_MEMORY_DEVICE, nullptr, &plain));
  BufferPtr owned(plain);
  tenon_blob* blob = nullptr;
  FAILS(TENON_ERROR_UNSUPPORTED, "tenon_buffer_create_shared", tenon_buffer_share(plain, &blob));
}

// Process IDs are reused, and those of other PID namespaces and machines mean other processes.
TEST(SharedMemory, KeysNameOneProcessAmongAll) {
  DevicePtr cpu = device("cpu:0");
  tenon_buffer* made = nullptr;
  OK(tenon_buffer_create_shared(cpu.get(), 4096, &made));
  BufferPtr buffer(made);
  const std::string key = key_of(made);
  const auto open = [&](const std::string& bytes) {
    tenon_buffer* out = nullptr;
    const int32_t status = tenon_buffer_open(cpu.get(), bytes.data(), bytes.size(), &out);
    tenon_buffer_release(out);
    return status;
  };
  const struct {
    size_t at;
    const char* message;
  } fields[] = {{112, "another machine"}, {120, "another PID namespace"}, {128, "has ended"}, {21, "has ended"}};
  for (const auto& field : fields) {
    std::string other = key;
    other[field.at] ^= 1;
    FAILS(TENON_ERROR_NOT_FOUND, field.message, open(other));
  }
  OK(open(key));
  // In its own namespace the child of this process has ID 1, and sees no other process.
  const int refused = in_another_process([&] {
    if (unshare(CLONE_NEWUSER | CLONE_NEWPID)) return 77;
    return in_another_process([&] {
      if (getpid() != 1) return 2;
      DevicePtr there = device("cpu:0");
      tenon_buffer* out = nullptr;
      if (tenon_buffer_open(there.get(), key.data(), key.size(), &out) != TENON_ERROR_NOT_FOUND) return 3;
      return std::strstr(tenon_error_last_message(), "another PID namespace") ? 0 : 4;
    });
  });
  if (refused == 77) GTEST_SKIP() << "this system gives no PID namespaces to its users";
  EXPECT_EQ(refused, 0);
}

// A key names a file of another process: only files from tenon_buffer_create_shared are opened, and they cannot shrink.
TEST(SharedMemory, IsNeverAnotherFileNorShrinks) {
  DevicePtr cpu = device("cpu:0");
  tenon_buffer* made = nullptr;
  OK(tenon_buffer_create_shared(cpu.get(), 4096, &made));
  BufferPtr buffer(made);
  std::string key = key_of(made);
  int64_t descriptor;
  std::memcpy(&descriptor, key.data() + 48, sizeof descriptor);
  const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
  const int again = open(path.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_GE(again, 0);
  EXPECT_NE(0, ftruncate(again, 0)) << "the seals hold";
  close(again);
  char name[] = "/tmp/tenon-shared-XXXXXX";
  const int file = mkstemp(name);
  ASSERT_GE(file, 0);
  ASSERT_EQ(0, ftruncate(file, 4096));
  struct stat status;
  ASSERT_EQ(0, fstat(file, &status));
  const struct {
    int64_t descriptor;
    uint64_t system, number;
  } place{file, status.st_dev, status.st_ino};
  std::memcpy(key.data() + 48, &place, sizeof place);
  tenon_buffer* out = nullptr;
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "did not make", tenon_buffer_open(cpu.get(), key.data(), key.size(), &out));
  close(file);
  unlink(name);
}

TEST(SharedMemory, IsCountedAndRefusedWhereTheSystemHasNone) {
  DevicePtr cpu = device("cpu:0");
  const auto used = [&] {
    tenon_memory_info info{};
    info.struct_size = sizeof info;
    EXPECT_OK(tenon_device_get_memory_info(cpu.get(), &info));
    return info.used;
  };
  const uint64_t before = used();
  tenon_buffer* made = nullptr;
  OK(tenon_buffer_create_shared(cpu.get(), 1 << 20, &made));
  EXPECT_EQ(used(), before + (1 << 20));
  tenon_buffer_release(made);
  EXPECT_EQ(used(), before);
  FAILS(TENON_ERROR_OUT_OF_MEMORY, "bytes free", tenon_buffer_create_shared(cpu.get(), uint64_t(1) << 50, &made));
  EXPECT_EQ(used(), before);
}

TEST(HostFunctions, MayRecordAGraphWhoseCallsAreItsNodes) {
  struct Work {
    DevicePtr cpu = device("cpu:0");
    ArrayPtr x = ones(cpu.get(), 10);
    GraphPtr graph = graph_of(cpu.get());
    int32_t nodes = 0;
  } work;
  tenon_stream* raw = nullptr;
  OK(tenon_stream_create(work.cpu.get(), nullptr, &raw));
  StreamPtr stream(raw);
  OK(tenon_stream_call_host(
      raw,
      [](void* user) {
        auto& self = *static_cast<Work*>(user);
        tenon_stream* recording = nullptr;
        OK(tenon_graph_begin(self.graph.get(), &recording));
        StreamPtr end(recording);
        for (int i = 0; i < 3; ++i) OK(tenon_array_fill(self.x.get(), number(i), recording));
        OK(tenon_graph_end(self.graph.get()));
        OK(tenon_graph_node_count(self.graph.get(), &self.nodes));
      },
      nullptr, &work));
  EXPECT_EQ(work.nodes, 3);
}

TEST(HostFunctions, OfAGraphCannotChangeItWhileItRuns) {
  struct Work {
    DevicePtr cpu = device("cpu:0");
    GraphPtr graph = graph_of(cpu.get());
    int32_t cleared = TENON_OK, launched = TENON_OK;
    int runs = 0;
  } work;
  tenon_stream* recording = nullptr;
  OK(tenon_graph_begin(work.graph.get(), &recording));
  StreamPtr stream(recording);
  const auto function = [](void* user) {
    auto& self = *static_cast<Work*>(user);
    self.cleared = tenon_graph_clear(self.graph.get());
    self.launched = tenon_graph_launch(self.graph.get(), nullptr);
    self.graph.reset();
    ++self.runs;
  };
  OK(tenon_stream_call_host(recording, function, nullptr, &work));
  OK(tenon_stream_call_host(recording, add_one, nullptr, &work.runs));
  OK(tenon_graph_end(work.graph.get()));
  OK(tenon_graph_launch(work.graph.get(), nullptr));
  EXPECT_EQ(work.cleared, TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(work.launched, TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(work.runs, 2) << "it ran to its end, though its handle was released";
}

}  // namespace
