// Handles, errors, threads, fork and exit: who may do what when, and that nothing aborts.
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <set>
#include <thread>

#include "support.hpp"

using namespace test;

namespace {

TEST(Errors, a_failure_leaves_a_record_and_success_leaves_it_alone) {
  tenon_error_clear();
  EXPECT_STREQ("", tenon_error_last_message());
  tenon_error* error = nullptr;
  OK(tenon_error_last(&error));
  EXPECT_EQ(nullptr, error);
  tenon_device* nowhere = nullptr;
  EXPECT_EQ(TENON_ERROR_NOT_FOUND, tenon_context_device(nullptr, "gpu:7", &nowhere));
  const std::string text = tenon_error_last_message();
  EXPECT_NE(text.find("gpu:7"), std::string::npos) << text;
  EXPECT_NE(text.find("cpu:0"), std::string::npos) << "the text names what there is: " << text;
  DevicePtr cpu = device("cpu:0");
  EXPECT_EQ(text, tenon_error_last_message());
  OK(tenon_error_last(&error));
  ErrorPtr owner(error);
  int32_t status = 0;
  OK(tenon_error_status(error, &status));
  EXPECT_EQ(TENON_ERROR_NOT_FOUND, status);
  EXPECT_STREQ("TENON_ERROR_NOT_FOUND", tenon_status_name(status));
  EXPECT_STREQ("TENON_ERROR_UNKNOWN", tenon_status_name(12345));
}

TEST(Errors, each_thread_has_its_own_record) {
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([t, &wrong] {
      const std::string name = "nowhere:" + std::to_string(t);
      for (int i = 0; i < 500; ++i) {
        tenon_device* out = nullptr;
        if (tenon_context_device(nullptr, name.c_str(), &out) != TENON_ERROR_NOT_FOUND) ++wrong;
        if (std::string(tenon_error_last_message()).find('"' + name + '"') == std::string::npos) ++wrong;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(0, wrong.load());
}

void fails_in_tenon(void*) {
  tenon_device* nowhere = nullptr;
  EXPECT_EQ(TENON_ERROR_NOT_FOUND, tenon_context_device(nullptr, "inner", &nowhere));
}
void throws(void*) { throw 1; }

struct Tensor {  // the legacy DLPack struct
  void* data;
  int32_t type, id, ndim;
  uint8_t code, bits;
  uint16_t lanes;
  int64_t* shape;
  int64_t* strides;
  uint64_t offset;
  void* manager;
  void (*deleter)(Tensor*);
};

// A callback may fail in Tenon, or throw although it may not: the record remains that of the outer call.
TEST(Errors, functions_of_the_host_leave_the_record_alone) {
  const DevicePtr cpu = device("cpu:0");
  const auto after_outer = [&](const char* what, auto&& release) {
    SCOPED_TRACE(what);
    tenon_device* nowhere = nullptr;
    ASSERT_EQ(TENON_ERROR_NOT_FOUND, tenon_context_device(nullptr, "outer", &nowhere));
    release();
    EXPECT_NE(std::string(tenon_error_last_message()).find("\"outer\""), std::string::npos)
        << tenon_error_last_message();
    tenon_error_clear();
    release = nullptr;
    EXPECT_STREQ("", tenon_error_last_message());
  };
  for (const tenon_destroy_fn destroy : {tenon_destroy_fn(fails_in_tenon), tenon_destroy_fn(throws)}) {
    static float memory[16];
    tenon_buffer* buffer = nullptr;
    OK(tenon_buffer_wrap(cpu.get(), memory, sizeof memory, TENON_MEMORY_DEVICE, 0, nullptr, destroy, nullptr, &buffer));
    after_outer("destroy of a buffer", std::function<void()>([&] { tenon_buffer_release(buffer); }));
    tenon_context_options options{};
    options.struct_size = sizeof options;
    options.log = [](void*, int32_t, const char*) {};
    options.log_destroy = destroy;
    tenon_context* context = nullptr;
    OK(tenon_context_create(&options, &context));
    after_outer("log_destroy", std::function<void()>([&] { tenon_context_release(context); }));
  }
  for (const auto deleter : {+[](Tensor*) { fails_in_tenon(nullptr); }, +[](Tensor*) { throws(nullptr); }}) {
    static float memory[16];
    static int64_t extent = 4;
    static Tensor tensor;
    tensor = {memory, 1, 0, 1, 2, 32, 1, &extent, nullptr, 0, nullptr, deleter};
    tenon_array* array = nullptr;
    OK(tenon_array_from_dlpack(nullptr, reinterpret_cast<DLManagedTensor*>(&tensor), 0, nullptr, &array));
    after_outer("a deleter", std::function<void()>([&] { tenon_array_release(array); }));
  }
}

// "Not yet" is a result, not an error.
TEST(Errors, what_is_not_ready_is_not_in_the_record) {
  const DevicePtr cpu = device("cpu:0");
  tenon_event *begin = nullptr, *end = nullptr;
  OK(tenon_event_create(cpu.get(), TENON_EVENT_TIMING, &begin));
  const EventPtr own_begin(begin);
  OK(tenon_event_create(cpu.get(), TENON_EVENT_TIMING, &end));
  const EventPtr own_end(end);
  tenon_error_clear();
  double seconds = 0;
  EXPECT_EQ(TENON_ERROR_NOT_READY, tenon_event_elapsed(begin, end, &seconds));
  EXPECT_STREQ("", tenon_error_last_message());
}

TEST(Handles, a_stale_one_stays_stale_for_long) {
  const DevicePtr cpu = device("cpu:0");
  const ArrayPtr base = counting(cpu.get(), {4});
  const auto view = [&] {
    tenon_array* out = nullptr;
    EXPECT_OK(tenon_array_transpose(base.get(), 1, nullptr, &out));
    return ArrayPtr(out);
  };
  tenon_array* const stale = view().release();
  tenon_array_release(stale);
  for (int i = 0; i < 200; ++i) view().reset();
  std::vector<ArrayPtr> live;
  for (int i = 0; i < 200; ++i) live.push_back(view());
  tenon_array_release(stale);  // the second release: the handle is not valid any more
  tenon_array_info i{};
  i.struct_size = sizeof(i);
  EXPECT_EQ(TENON_ERROR_INVALID_HANDLE, tenon_array_get_info(stale, &i));
  for (const ArrayPtr& one : live) EXPECT_OK(tenon_array_get_info(one.get(), &i));
}

TEST(Handles, of_threads_that_only_release_are_used_again) {
  const DevicePtr cpu = device("cpu:0");
  const ArrayPtr base = counting(cpu.get(), {4});
  std::set<tenon_array*> places;
  for (int round = 0; round < 400; ++round) {
    std::vector<ArrayPtr> views(64);
    for (ArrayPtr& one : views) {
      tenon_array* out = nullptr;
      OK(tenon_array_transpose(base.get(), 1, nullptr, &out));
      one.reset(out);
      places.insert(out);
    }
    std::thread([&] { views.clear(); }).join();
  }
  EXPECT_LT(places.size(), 8000u) << "of 25600 handles, 64 at a time";
}

// With short lists per thread, all threads use the common list, which several change at a time.
TEST(Handles, are_never_given_out_twice) {
  const DevicePtr cpu = device("cpu:0");
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      const ArrayPtr base = counting(cpu.get(), {t + 1});
      for (int round = 0; round < 60; ++round) {
        std::vector<tenon_array*> views(2500);
        for (tenon_array*& one : views)
          if (tenon_array_transpose(base.get(), 1, nullptr, &one)) ++wrong;
        for (tenon_array* one : views) {
          tenon_array_info i{};
          i.struct_size = sizeof(i);
          if (tenon_array_get_info(one, &i) || i.size != t + 1) ++wrong;
        }
        for (tenon_array* one : views) tenon_array_release(one);
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(0, wrong.load());
}

TEST(Handles, of_another_copy_of_the_library_are_recognised) {
  Dl_info here;
  ASSERT_NE(0, dladdr(reinterpret_cast<void*>(&tenon_version), &here));
  char folder[] = "/tmp/tenon-copy-XXXXXX";
  ASSERT_NE(nullptr, mkdtemp(folder));
  const std::string path = std::string(folder) + "/libcopy.so";
  std::filesystem::copy_file(here.dli_fname, path);
  void* const copy = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  std::filesystem::remove_all(folder);
  ASSERT_NE(nullptr, copy) << dlerror();
  const auto info_of_copy = reinterpret_cast<decltype(&tenon_array_get_info)>(dlsym(copy, "tenon_array_get_info"));
  const auto release_of_copy = reinterpret_cast<decltype(&tenon_array_release)>(dlsym(copy, "tenon_array_release"));
  const auto message_of_copy =
      reinterpret_cast<decltype(&tenon_error_last_message)>(dlsym(copy, "tenon_error_last_message"));
  const ArrayPtr a = counting(device("cpu:0").get(), {4});
  tenon_array_info i{};
  i.struct_size = sizeof(i);
  EXPECT_EQ(TENON_ERROR_INVALID_HANDLE, info_of_copy(a.get(), &i));
  EXPECT_NE(std::string(message_of_copy()).find("another copy of libtenon"), std::string::npos) << message_of_copy();
  EXPECT_NE(std::string(message_of_copy()).find(here.dli_fname), std::string::npos) << message_of_copy();
  testing::internal::CaptureStderr();
  release_of_copy(a.get());
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("tenon: warning: tenon_array_release does nothing"), std::string::npos) << said;
  EXPECT_NE(said.find("another copy of libtenon"), std::string::npos) << said;
  EXPECT_OK(tenon_array_get_info(a.get(), &i));
  // The generic functions too.
  const auto kind_of_copy = reinterpret_cast<decltype(&tenon_handle_kind)>(dlsym(copy, "tenon_handle_kind"));
  const auto retain_of_copy = reinterpret_cast<decltype(&tenon_retain)>(dlsym(copy, "tenon_retain"));
  int32_t kind = 77;
  EXPECT_EQ(TENON_ERROR_INVALID_HANDLE, kind_of_copy(a.get(), &kind));
  EXPECT_EQ(77, kind);
  EXPECT_EQ(TENON_ERROR_INVALID_HANDLE, retain_of_copy(a.get()));
  EXPECT_NE(std::string(message_of_copy()).find("another copy of libtenon"), std::string::npos) << message_of_copy();
}

TEST(Handles, of_every_kind_can_be_asked_retained_and_released) {
  const DevicePtr cpu = device("cpu:0");
  tenon_array* a = counting(cpu.get(), {4}).release();
  int32_t kind = 0;
  OK(tenon_handle_kind(a, &kind));
  EXPECT_EQ(TENON_HANDLE_ARRAY, kind);
  OK(tenon_handle_kind(cpu.get(), &kind));
  EXPECT_EQ(TENON_HANDLE_DEVICE, kind);
  OK(tenon_retain(a));
  tenon_release(a);
  EXPECT_OK(tenon_handle_kind(a, &kind));
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "NULL", tenon_retain(nullptr));
  tenon_release(nullptr);
  tenon_release(a);  // the last reference
  FAILS(TENON_ERROR_INVALID_HANDLE, "released", tenon_handle_kind(a, &kind));
  FAILS(TENON_ERROR_INVALID_HANDLE, "released", tenon_retain(a));
  // Releasing a stream or a context does more than dropping a reference.
  int closed = 0;
  tenon_context_options options{};
  options.struct_size = sizeof options;
  options.log = [](void*, int32_t, const char*) {};
  options.log_user = &closed;
  options.log_destroy = [](void* user) { ++*static_cast<int*>(user); };
  tenon_context* context = nullptr;
  OK(tenon_context_create(&options, &context));
  tenon_device* other = nullptr;
  tenon_stream* stream = nullptr;
  OK(tenon_context_device(context, "cpu", &other));
  OK(tenon_stream_default(other, &stream));
  for (void* handle : {static_cast<void*>(context), static_cast<void*>(other)}) tenon_release(handle);
  EXPECT_EQ(0, closed);
  tenon_release(stream);
  EXPECT_EQ(1, closed);
}

TEST(Handles, that_are_released_wrongly_are_told_in_the_log) {
  const DevicePtr cpu = device("cpu:0");
  tenon_array* stale = counting(cpu.get(), {4}).release();
  tenon_array_release(stale);
  EXPECT_EQ(TENON_ERROR_INVALID_ARGUMENT, tenon_context_default(nullptr));
  const std::string record = tenon_error_last_message();
  alignas(64) char junk[64] = {};
  const std::pair<std::function<void()>, const char*> wrong[] = {
      {[&] { tenon_array_release(stale); }, "tenon_array_release does nothing: the handle is not a live handle"},
      {[&] { tenon_stream_release(reinterpret_cast<tenon_stream*>(cpu.get())); },
       "tenon_stream_release does nothing: the handle is a tenon_device"},
      {[&] { tenon_release(junk); }, "tenon_release does nothing: the handle is not a live handle"},
      {[&] { tenon_release(junk + 1); }, "tenon_release does nothing: the handle is not one of Tenon"}};
  for (const auto& [release, text] : wrong) {
    testing::internal::CaptureStderr();
    release();
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_NE(said.find(text), std::string::npos) << said;
  }
  EXPECT_EQ(record, tenon_error_last_message());
  testing::internal::CaptureStderr();
  tenon_array_release(nullptr);
  EXPECT_EQ("", testing::internal::GetCapturedStderr());
}

TEST(Handles, of_one_object_are_the_same) {
  const DevicePtr cpu = device("cpu:0"), again = device("cpu");
  ASSERT_NE(cpu.get(), again.get());
  const auto same = [](const void* a, const void* b) {
    int32_t out = 77;
    EXPECT_OK(tenon_same(a, b, &out));
    return out;
  };
  EXPECT_EQ(1, same(cpu.get(), again.get()));
  tenon_stream *first = nullptr, *second = nullptr, *own = nullptr;
  OK(tenon_stream_default(cpu.get(), &first));
  OK(tenon_stream_default(again.get(), &second));
  OK(tenon_stream_create(cpu.get(), nullptr, &own));
  EXPECT_EQ(1, same(first, second));
  EXPECT_EQ(0, same(first, own));
  EXPECT_EQ(0, same(first, cpu.get()));
  const ArrayPtr a = counting(cpu.get(), {4}), b = counting(cpu.get(), {4});
  EXPECT_EQ(1, same(a.get(), a.get()));
  EXPECT_EQ(0, same(a.get(), b.get()));
  tenon_context* context = nullptr;
  OK(tenon_context_create(nullptr, &context));
  const ContextPtr other(context);
  EXPECT_EQ(0, same(cpu.get(), device("cpu:0", context).get()));
  int32_t out = 77;
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "b is NULL", tenon_same(a.get(), nullptr, &out));
  EXPECT_EQ(77, out);
  for (tenon_stream* stream : {first, second, own}) tenon_stream_release(stream);
}

// Every object reports its device, and a kernel and a call report the object to which they belong.
TEST(Handles, tell_what_they_belong_to) {
  const DevicePtr cpu = device("cpu:0");
  const auto is_cpu = [&](auto ask, auto* handle) {
    tenon_device* found = nullptr;
    EXPECT_OK(ask(handle, &found));
    int32_t same = 0;
    EXPECT_OK(tenon_same(found, cpu.get(), &same));
    EXPECT_EQ(1, same);
    tenon_device_release(found);
  };
  const ArrayPtr array = counting(cpu.get(), {4});
  is_cpu(tenon_array_device, array.get());
  tenon_buffer* buffer = nullptr;
  OK(tenon_array_buffer(array.get(), &buffer));
  is_cpu(tenon_buffer_device, buffer);
  tenon_buffer_release(buffer);
  tenon_event* event = nullptr;
  OK(tenon_event_create(cpu.get(), 0, &event));
  is_cpu(tenon_event_device, event);
  tenon_event_release(event);
  tenon_graph* graph = nullptr;
  OK(tenon_graph_create(cpu.get(), &graph));
  is_cpu(tenon_graph_device, graph);
  tenon_graph_release(graph);
  const char text[] = "extern \"C\" __global__ void k(int* x) { x[threadIdx.x] = 1; }\n";
  const char* names[] = {"k"};
  tenon_program_options options{};
  options.struct_size = sizeof options;
  options.kernels = names;
  options.kernel_count = 1;
  tenon_program *program = nullptr, *of_kernel = nullptr;
  const int32_t status = tenon_program_create(cpu.get(), text, sizeof text - 1, &options, &program);
  if (status == TENON_ERROR_MISSING_LIBRARY) GTEST_SKIP() << tenon_error_last_message();
  OK(status);
  tenon_kernel *kernel = nullptr, *of_call = nullptr;
  OK(tenon_program_kernel(program, "k", &kernel));
  tenon_launch launch{};
  launch.struct_size = sizeof launch;
  const tenon_arg arg = TENON_ARRAY_ARG(array.get());
  tenon_call* call = nullptr;
  OK(tenon_call_create(kernel, &launch, &arg, 1, &call));
  is_cpu(tenon_program_device, program);
  is_cpu(tenon_kernel_device, kernel);
  OK(tenon_kernel_program(kernel, &of_kernel));
  OK(tenon_call_kernel(call, &of_call));
  int32_t same = 0;
  EXPECT_OK(tenon_same(of_kernel, program, &same));
  EXPECT_EQ(1, same);
  EXPECT_OK(tenon_same(of_call, kernel, &same));
  EXPECT_EQ(1, same);
  for (void* handle : {static_cast<void*>(call), static_cast<void*>(kernel), static_cast<void*>(of_call),
                       static_cast<void*>(program), static_cast<void*>(of_kernel)})
    tenon_release(handle);
}

TEST(Versions, are_packed_alike_and_another_major_gets_no_table) {
  EXPECT_GE(tenon_version(), TENON_ABI_LEVEL);
  EXPECT_EQ(TENON_PACK_VERSION(TENON_VERSION_MAJOR, TENON_VERSION_MINOR, TENON_VERSION_PATCH), tenon_version());
  const tenon_api* api = tenon_get_api(TENON_TARGET_LEVEL);
  ASSERT_NE(nullptr, api);
  EXPECT_TRUE(TENON_HAS(api, array_zeros));
  tenon_api older = *api;
  older.struct_size = offsetof(tenon_api, array_zeros);
  EXPECT_FALSE(TENON_HAS(&older, array_zeros));
  EXPECT_EQ(api, tenon_get_api(TENON_PACK_VERSION(TENON_VERSION_MAJOR, 200, 0))) << "a newer caller gets what there is";
  tenon_error_clear();
  for (const uint32_t level : {0u, TENON_PACK_VERSION(TENON_VERSION_MAJOR + 1, 0, 0)}) {
    EXPECT_EQ(nullptr, tenon_get_api(level));
    EXPECT_NE(std::string(tenon_error_last_message()).find("the caller was compiled for level"), std::string::npos);
  }
}

TEST(Contexts, the_number_of_threads_is_the_process_s) {
  const DevicePtr here = device("cpu:0");
  const ContextPtr other = [] {
    tenon_context* made = nullptr;
    EXPECT_OK(tenon_context_create(nullptr, &made));
    return ContextPtr(made);
  }();
  const DevicePtr there = device("cpu:0", other.get());
  int32_t usual = 0, now = 0;
  OK(tenon_cpu_threads_get(&usual));
  ASSERT_GE(usual, 1);
  OK(tenon_cpu_threads_set(usual + 3));
  OK(tenon_cpu_threads_get(&now));
  EXPECT_EQ(usual + 3, now);
  for (const DevicePtr* one : {&here, &there}) {
    tenon_device_info info{};
    info.struct_size = sizeof info;
    OK(tenon_device_get_info(one->get(), &info));
    EXPECT_EQ(usual + 3, info.multiprocessors);
  }
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "threads is -1", tenon_cpu_threads_set(-1));
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "threads is 4097", tenon_cpu_threads_set(4097));
  OK(tenon_cpu_threads_get(&now));
  EXPECT_EQ(usual + 3, now);
  OK(tenon_cpu_threads_set(0));
  OK(tenon_cpu_threads_get(&now));
  EXPECT_EQ(usual, now);
}

TEST(Streams, of_null_are_the_default_streams) {
  const DevicePtr cpu = device("cpu:0");
  OK(tenon_stream_synchronize(nullptr));
  OK(tenon_stream_query(nullptr));
  tenon_event* event = nullptr;
  OK(tenon_event_create(cpu.get(), 0, &event));
  OK(tenon_event_record(event, nullptr));
  OK(tenon_stream_wait_event(nullptr, event));
  tenon_event_release(event);
}

TEST(Handles, stale_wrong_and_foreign_pointers_are_recognised) {
  DevicePtr cpu = device("cpu:0");
  ArrayPtr a = counting(cpu.get(), {4});
  tenon_array_info i{};
  i.struct_size = sizeof(i);
  FAILS(TENON_ERROR_INVALID_HANDLE, "tenon_device",
        tenon_array_get_info(reinterpret_cast<tenon_array*>(cpu.get()), &i));
  alignas(64) char junk[256] = {};
  FAILS(TENON_ERROR_INVALID_HANDLE, "not a live handle",
        tenon_array_get_info(reinterpret_cast<tenon_array*>(junk), &i));
  FAILS(TENON_ERROR_INVALID_HANDLE, "", tenon_array_get_info(reinterpret_cast<tenon_array*>(junk + 1), &i));
  tenon_array* stale = a.release();
  tenon_array_release(stale);
  FAILS(TENON_ERROR_INVALID_HANDLE, "released", tenon_array_get_info(stale, &i));
  const std::string before = tenon_error_last_message();
  tenon_array_release(stale);  // has no effect
  tenon_array_release(nullptr);
  tenon_device_release(reinterpret_cast<tenon_device*>(junk));
  EXPECT_EQ(before, tenon_error_last_message());
}

TEST(Handles, option_structs_of_older_and_newer_callers_are_understood) {
  struct Newer {
    tenon_context_options known;
    uint64_t more;
  } newer{};
  newer.known.struct_size = sizeof(newer);
  tenon_context* out = nullptr;
  OK(tenon_context_create(&newer.known, &out));
  tenon_context_release(out);
  newer.more = 1;
  FAILS(TENON_ERROR_VERSION, "newer", tenon_context_create(&newer.known, &out));
  newer.more = 0;
  newer.known.struct_size = 0x10000;  // garbage, which must not determine how far to read
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "struct_size 65536", tenon_context_create(&newer.known, &out));
  tenon_context_options wrong{};
  wrong.struct_size = sizeof(void*);
  FAILS(TENON_ERROR_INVALID_ARGUMENT,
        "options has struct_size 8, but a tenon_context_options has 96 bytes: is it the sizeof of a pointer?",
        tenon_context_create(&wrong, &out));
  wrong = {};
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "options has struct_size 0", tenon_context_create(&wrong, &out));
}

TEST(Contexts, objects_of_two_contexts_do_not_mix_and_log_users_belong_to_contexts_that_were_made) {
  static std::atomic<int> destroyed{0};
  destroyed = 0;
  tenon_context_options options{};
  options.struct_size = sizeof(options);
  options.log = [](void*, int32_t, const char*) {};
  options.log_destroy = [](void*) { ++destroyed; };
  tenon_context* other = nullptr;
  OK(tenon_context_create(&options, &other));
  ContextPtr context(other);
  DevicePtr here = device("cpu:0"), there = device("cpu:0", other);
  ArrayPtr a = counting(here.get(), {4}), b = counting(there.get(), {4});
  FAILS(TENON_ERROR_CONTEXT, "context", tenon_array_copy(a.get(), b.get(), nullptr));
  there.reset();
  context.reset();
  EXPECT_EQ(0, destroyed.load()) << "an array still keeps the context";
  b.reset();
  EXPECT_EQ(1, destroyed.load());
  options.flags = 0x8000;
  EXPECT_EQ(TENON_ERROR_INVALID_ARGUMENT, tenon_context_create(&options, &other));
  EXPECT_EQ(1, destroyed.load()) << "a failing call consumed log_user";
  options.flags = 0;
  options.log = nullptr;
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "log is NULL", tenon_context_create(&options, &other));
}

TEST(Threads, many_threads_share_one_context_and_each_others_arrays) {
  DevicePtr cpu = device("cpu:0");
  ArrayPtr shared = counting(cpu.get(), {64, 64});
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 100; ++i) {
        tenon_array *turned = nullptr, *copy = nullptr;
        tenon_array_retain(shared.get());
        if (tenon_array_transpose(shared.get(), 2, nullptr, &turned)) ++wrong;
        if (tenon_array_convert(turned, TENON_FLOAT64, nullptr, nullptr, &copy)) ++wrong;
        std::vector<double> back(64 * 64);
        if (tenon_array_to_host(copy, back.data(), back.size() * 8, nullptr)) ++wrong;
        if (back[1] != 64 || back[64] != 1) ++wrong;
        tenon_array_release(copy);
        tenon_array_release(turned);
        tenon_array_release(shared.get());
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(0, wrong.load());
}

// A leak checker cannot stop the threads of a child that ends on one of them, and then reports leaks everywhere.
bool is_child = false;
extern "C" __attribute__((visibility("default"))) int __lsan_is_turned_off() { return is_child; }

// Runs `body` in a child and returns its exit code; -signal if it was killed, -1000 if it hung.
template <class F> int in_child(F&& body) {
  const pid_t pid = fork();
  if (pid == 0) {
    is_child = true;
    alarm(300);
    body();
    _exit(99);
  }
  int state = 0;
  waitpid(pid, &state, 0);
  return WIFEXITED(state) ? WEXITSTATUS(state) : -WTERMSIG(state);
}

#if !defined(__SANITIZE_THREAD__)  // does not follow a fork with several threads

TEST(Fork, inherited_handles_say_so_and_a_new_context_works) {
  DevicePtr cpu = device("cpu:0");
  ArrayPtr a = counting(cpu.get(), {1000, 100});
  ASSERT_EQ(values<int32_t>(a.get())[5], 5);  // the pool runs in the parent
  std::atomic<bool> stop{false};
  std::thread busy([&] {  // locks are held from time to time during the fork
    while (!stop) {
      ArrayPtr x = counting(cpu.get(), {3000});
      tenon_array* y = nullptr;
      tenon_array_convert(x.get(), TENON_FLOAT32, nullptr, nullptr, &y);
      tenon_array_release(y);
    }
  });
  for (int round = 0; round < 20; ++round) {
    const int code = in_child([&] {
      tenon_array_info i{};
      i.struct_size = sizeof(i);
      if (tenon_array_get_info(a.get(), &i) != TENON_ERROR_FORKED) _exit(1);
      if (std::string(tenon_error_last_message()).find("fork") == std::string::npos) _exit(2);
      tenon_array_release(a.release());
      DevicePtr mine = device("cpu:0");
      if (!mine) _exit(3);
      ArrayPtr b = counting(mine.get(), {1000, 100});
      tenon_array* turned = nullptr;
      if (tenon_array_transpose(b.get(), 2, nullptr, &turned)) _exit(4);
      tenon_array* packed = nullptr;
      if (tenon_array_convert(turned, TENON_FLOAT32, nullptr, nullptr, &packed)) _exit(5);
      std::vector<float> back(100000);
      if (tenon_array_to_host(packed, back.data(), 400000, nullptr)) _exit(6);
      _exit(back[1] == 100 && back[1000] == 1 ? 0 : 7);
    });
    EXPECT_EQ(0, code);
  }
  stop = true;
  busy.join();
}

// Several threads of the child are the first to use the default context, at the same moment.
TEST(Fork, the_childs_threads_get_its_own_default_context) {
  DevicePtr cpu = device("cpu:0");
  for (int round = 0; round < 30; ++round) {
    const int code = in_child([&] {
      std::atomic<int> ready{0}, wrong{0};
      std::vector<std::thread> threads;
      for (int t = 0; t < 4; ++t)
        threads.emplace_back([&] {
          for (++ready; ready < 4;) {
          }
          const DevicePtr mine = device("cpu:0");
          if (!mine || !counting(mine.get(), {10})) ++wrong;
        });
      for (std::thread& thread : threads) thread.join();
      _exit(wrong ? 1 : 0);
    });
    EXPECT_EQ(0, code);
  }
}

#endif

TEST(Lifetime, a_stream_keeps_its_context) {
  tenon_context* context = nullptr;
  tenon_context_options options{};
  options.struct_size = sizeof(options);
  int closed = 0;
  options.log = [](void*, int32_t, const char*) {};
  options.log_user = &closed;
  options.log_destroy = [](void* user) { ++*static_cast<int*>(user); };
  OK(tenon_context_create(&options, &context));
  DevicePtr cpu = device("cpu:0", context);
  ASSERT_TRUE(cpu);
  tenon_stream *shared = nullptr, *own = nullptr;
  OK(tenon_stream_default(cpu.get(), &shared));
  OK(tenon_stream_create(cpu.get(), nullptr, &own));
  cpu.reset();
  tenon_context_release(context);
  for (tenon_stream* stream : {shared, own}) {
    EXPECT_EQ(0, closed);
    EXPECT_OK(tenon_stream_synchronize(stream));
    tenon_stream_release(stream);
  }
  EXPECT_EQ(1, closed);
}

TEST(Exit, handles_may_be_released_in_any_order_or_never) {
  const int code = in_child([] {
    static ArrayPtr* leaked = new ArrayPtr(counting(device("cpu:0").get(), {100}));
    struct Late {
      ArrayPtr array;
      ~Late() { array.reset(); }
    };
    static Late late{counting(device("cpu:0").get(), {10})};
    atexit([] { leaked->reset(); });
    std::thread([] {
      thread_local ArrayPtr mine = counting(device("cpu:0").get(), {10});
      exit(values<int32_t>(mine.get())[3] == 3 ? 0 : 1);  // on a thread other than the main one
    }).join();
  });
  EXPECT_EQ(0, code);
}

// With Tenon's own code only: OpenBLAS releases its buffers at exit, and computations there may then crash.
TEST(Exit, threads_may_still_use_the_library) {
  for (int round = 0; round < 10; ++round) {
    const int code = in_child([] {
      static std::atomic<int> ready{0};
      for (int t = 0; t < 4; ++t)
        std::thread([] {
          const DevicePtr cpu = device("cpu:0");
          const ArrayPtr a = counting(cpu.get(), {40, 40});
          for (bool first = true;; first = false) {
            tenon_array *turned = nullptr, *copy = nullptr;
            OK(tenon_array_transpose(a.get(), 2, nullptr, &turned));
            OK(tenon_array_convert(turned, TENON_FLOAT64, nullptr, nullptr, &copy));
            tenon_array_release(turned);
            tenon_array_release(copy);
            if (first) ++ready;
          }
        }).detach();
      while (ready < 4) std::this_thread::yield();
      exit(7);
    });
    ASSERT_EQ(7, code);
  }
}

// Like a host that opens the library only for a while: what it leaves behind works when it is opened again.
TEST(Loading, the_library_may_be_opened_used_and_closed_again_and_again) {
  Dl_info here;
  ASSERT_NE(0, dladdr(reinterpret_cast<void*>(&tenon_version), &here));
  for (int round = 0; round < 20; ++round)
    std::thread([&] {
      void* const library = dlopen(here.dli_fname, RTLD_NOW | RTLD_LOCAL);
      ASSERT_NE(nullptr, library) << dlerror();
      const auto get_api = reinterpret_cast<decltype(&tenon_get_api)>(dlsym(library, "tenon_get_api"));
      ASSERT_NE(nullptr, get_api);
      const tenon_api* api = get_api(TENON_ABI_LEVEL);
      ASSERT_NE(nullptr, api);
      tenon_device* cpu = nullptr;
      ASSERT_EQ(TENON_OK, api->context_device(nullptr, "cpu:0", &cpu));
      tenon_array* x = nullptr;
      const int64_t n = 1000;
      ASSERT_EQ(TENON_OK, api->array_zeros(cpu, TENON_FLOAT32, 1, &n, nullptr, &x));
      dlclose(library);
      EXPECT_EQ(TENON_ERROR_INVALID_ARGUMENT, api->context_default(nullptr));  // the code and the record still exist
      EXPECT_STRNE("", api->error_last_message());
      api->array_release(x);
      api->device_release(cpu);
    }).join();
}

}  // namespace
