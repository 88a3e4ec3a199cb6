// Every host allocation may fail, once or for ever: the call says so, nothing is lost, the process goes on, and the
// same call works afterwards.
//
// For a long scenario, a sample of its allocations fails; TENON_ALLOCATION_FAILURES=all tests each of them.
#include <cmath>
#include <cstdlib>
#include <functional>
#include <thread>

#include "support.hpp"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
TEST(AllocationFailure, needs_its_own_malloc) { GTEST_SKIP() << "a sanitizer owns malloc in this build"; }
#else
#include "failing_malloc.hpp"

using namespace test;

namespace {

// The driver's code is left out: if malloc fails in cuInit of a machine whose GPUs are hidden (CUDA_VISIBLE_DEVICES),
// NVIDIA's libcuda frees an address that no malloc returned, and the process ends (seen with CUDA 13.0's). What Tenon
// does when the driver reports a failure is tested with the fake one.
const int kWithoutDriver = setenv("TENON_CUDA_DRIVER", "/no/libcuda.so.1", 1);

// The way in which a scenario is run.
struct How {
  long samples = 150;         // the number of allocations that fail: the first ones and some of the others
  bool counts_blocks = true;  // false: other threads free blocks of this one, and vice versa
  bool warms = true;          // false: the first run is like the others
  bool for_ever = true;       // false: only one allocation fails at a time
};

// Runs `scenario` with allocation N failing, for each N of a sample until none fails: first that one alone, then also
// all later ones.
template <class F> void for_every_failure(F&& scenario, How how = {}) {
  EXPECT_EQ(kWithoutDriver, 0);
  static const bool all = [] {
    const char* text = std::getenv("TENON_ALLOCATION_FAILURES");
    find_loader();
    for (int i = 0; i < 2000; ++i)
      device("cpu:0");  // old handles are not reused for a long time: from here on no new ones are made
    return text && std::string(text) == "all";
  }();
  const auto run = [&] {
    t_counts = true;
    scenario();
    tenon_error_clear();
    t_counts = false;
  };
  if (how.warms) {
    run();  // lists that the library keeps grow now
    run();
  }
  long before = g_live;
  if (how.warms && how.counts_blocks) {
    run();
    EXPECT_EQ(before, g_live.load()) << "leaks without any failure";
  }
  for (const bool for_ever : {false, true}) {
    if (for_ever && !how.for_ever) continue;
    for (long n = 0, tried = 0; n < 1000000;
         ++tried, n += all || tried < how.samples / 2 ? 1 : 1 + n / (how.samples / 4 + 1)) {
      SCOPED_TRACE(std::string(for_ever ? "all allocations from " : "only allocation ") + std::to_string(n));
      bool hit = false;
      const auto run_failing = [&] {
        g_for_ever = for_ever;
        g_countdown = n;
        run();
        hit = g_countdown < 0;
        g_countdown = -1;
        g_failing = false;
      };
      run_failing();
      if (how.counts_blocks && g_live != before) {  // a list may grow here, too; a leak occurs again
        before = g_live;
        run_failing();
      }
      if (how.counts_blocks) {
        EXPECT_EQ(before, g_live.load()) << "a leak";
      }
      if (testing::Test::HasFailure()) break;
      if (!hit) {
        EXPECT_GT(n, 1) << "the scenario allocates nothing: it tests nothing";
        break;
      }
    }
  }
}

// Expects that a call either succeeds with all its results, or reports that there is no memory and has no results.
template <class... Results> int32_t sound(int32_t status, const Results&... results) {
  const bool all = (true && ... && bool(results)), any = (false || ... || bool(results));
  if (!status && !all) ADD_FAILURE() << "success without a result";
  if (status && any) ADD_FAILURE() << "a result although it failed";
  if (status && !*tenon_error_last_message()) ADD_FAILURE() << "no text";
  if (status && status != TENON_ERROR_OUT_OF_MEMORY)
    ADD_FAILURE() << tenon_status_name(status) << ": " << tenon_error_last_message();
  return status;
}

// The same for calls that use the system, the loader or a compiler, whose own words describe the failure.
template <class... Results> int32_t sound_in_its_words(int32_t status, const Results&... results) {
  if (!status || status == TENON_ERROR_OUT_OF_MEMORY) return sound(status, results...);
  if ((false || ... || bool(results))) ADD_FAILURE() << "a result although it failed";
  if (!*tenon_error_last_message()) ADD_FAILURE() << "no text";
  return status;
}

TEST(AllocationFailure, making_viewing_and_copying_arrays) {
  DevicePtr cpu = device("cpu:0");
  ArrayPtr warm = counting(cpu.get(), {2});
  for_every_failure([&] {
    const int64_t shape[] = {3, 4, 2, 2, 1, 1, 2};
    tenon_array *a = nullptr, *b = nullptr, *c = nullptr;
    int32_t status = tenon_array_zeros(cpu.get(), TENON_FLOAT32, 7, shape, nullptr, &a);
    if (!status) status = tenon_array_transpose(a, 7, nullptr, &b);
    if (!status) status = tenon_array_convert(b, TENON_FLOAT64, nullptr, nullptr, &c);
    if (status && status != TENON_ERROR_OUT_OF_MEMORY)
      ADD_FAILURE() << tenon_status_name(status) << tenon_error_last_message();
    if (!status && !c) ADD_FAILURE() << "success without a result";
    tenon_array_release(a);
    tenon_array_release(b);
    tenon_array_release(c);
    tenon_error_clear();
  });
}

TEST(AllocationFailure, convolutions_and_what_stands_around_transforms) {
  DevicePtr cpu = device("cpu:0");
  const int64_t shape[] = {3, 8}, small[] = {1, 3}, half[] = {3, 5};
  tenon_array *a = nullptr, *b = nullptr, *c = nullptr;
  OK(tenon_array_zeros(cpu.get(), TENON_FLOAT32, 2, shape, nullptr, &a));
  OK(tenon_array_zeros(cpu.get(), TENON_FLOAT32, 2, small, nullptr, &b));
  OK(tenon_array_zeros(cpu.get(), TENON_COMPLEX64, 2, half, nullptr, &c));
  if (tenon_fft(a, nullptr, 1, nullptr, nullptr, into(c)) != TENON_ERROR_UNSUPPORTED) {
    for_every_failure([&] {
      tenon_array *convolved = nullptr, *shifted = nullptr, *frequencies = nullptr, *sum = nullptr;
      const int32_t axis = 1, axes[] = {0, 1};
      const int32_t statuses[] = {
          tenon_fft_prepare(a, c, nullptr, 1, nullptr), tenon_convolve(a, b, &axis, 1, nullptr, nullptr, &convolved),
          tenon_fft_shift(a, axes, 2, nullptr, nullptr, &shifted),
          tenon_fft_frequencies(cpu.get(), TENON_FLOAT32, 9, 0.5, nullptr, nullptr, &frequencies),
          tenon_tensordot(a, a, axes, axes, 1, nullptr, nullptr, &sum)};
      for (const int32_t status : statuses)
        if (status && status != TENON_ERROR_OUT_OF_MEMORY)
          ADD_FAILURE() << tenon_status_name(status) << tenon_error_last_message();
      EXPECT_EQ(!statuses[1], convolved != nullptr);
      EXPECT_EQ(!statuses[2], shifted != nullptr);
      for (tenon_array* one : {convolved, shifted, frequencies, sum}) tenon_array_release(one);
      tenon_error_clear();
    });
  }
  for (tenon_array* one : {a, b, c}) tenon_array_release(one);
}

int g_deleted = 0;

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

// Whatever runs out of memory, a singular matrix is never reported as TENON_OK only: either the call fails, or the
// wait.
TEST(AllocationFailure, errors_that_are_deferred) {
  tenon_context_options options{};
  options.struct_size = sizeof options;
  options.flags = TENON_CONTEXT_DEFERRED_ERRORS;
  tenon_context* made = nullptr;
  OK(tenon_context_create(&options, &made));
  const ContextPtr context(made);
  const DevicePtr cpu = device("cpu", made);
  tenon_stream* opened = nullptr;
  OK(tenon_stream_default(cpu.get(), &opened));
  const StreamPtr stream(opened);
  const int64_t shape[] = {2, 2};
  const float singular[] = {1, 2, 2, 4};
  tenon_array* a = nullptr;
  OK(tenon_array_from_host(cpu.get(), TENON_FLOAT32, 2, shape, singular, sizeof singular, nullptr, &a));
  const ArrayPtr kept(a);
  for_every_failure([&] {
    tenon_array* x = nullptr;
    const int32_t call = tenon_solve(a, a, nullptr, nullptr, &x);
    EXPECT_EQ(!call, x != nullptr);
    const int32_t wait = tenon_stream_synchronize(opened);
    for (const int32_t status : {call, wait})
      if (status && status != TENON_ERROR_OUT_OF_MEMORY && status != TENON_ERROR_SINGULAR)
        ADD_FAILURE() << tenon_status_name(status) << tenon_error_last_message();
    EXPECT_TRUE(call || wait) << "nobody said that the matrix is singular";
    tenon_array_release(x);
    g_failing = false;                       // memory is available again
    for (const bool last : {false, true}) {  // delayed reports come now, and are then forgotten
      const int32_t status[] = {tenon_stream_synchronize(opened), tenon_device_synchronize(cpu.get())};
      for (const int32_t one : status)
        EXPECT_TRUE(!last || !one || one == TENON_ERROR_OUT_OF_MEMORY) << tenon_status_name(one);
    }
    tenon_error_clear();
  });
}

TEST(AllocationFailure, an_import_that_fails_consumes_nothing) {
  DevicePtr cpu = device("cpu:0");
  for_every_failure([&] {
    float data[6] = {};
    int64_t shape[] = {2, 3};
    Tensor tensor{data, 1, 0, 2, 2, 32, 1, shape, nullptr, 0, nullptr, [](Tensor*) { ++g_deleted; }};
    g_deleted = 0;
    tenon_array* a = nullptr;
    const int32_t status =
        tenon_array_from_dlpack(nullptr, reinterpret_cast<DLManagedTensor*>(&tensor), 0, nullptr, &a);
    EXPECT_EQ(0, g_deleted) << "status " << status;
    EXPECT_TRUE(status == TENON_OK || status == TENON_ERROR_OUT_OF_MEMORY) << tenon_status_name(status);
    DLManagedTensor* out = nullptr;
    if (!status && !tenon_array_to_dlpack(a, 0, nullptr, &out)) {
      auto* exported = reinterpret_cast<Tensor*>(out);
      EXPECT_EQ(exported->data, data);
      exported->deleter(exported);
    }
    tenon_array_release(a);
    EXPECT_EQ(status ? 0 : 1, g_deleted);
    tenon_error_clear();
  });
}

template <class T, void (*Release)(T*)> struct Made {  // an owned output, released at the end of its run
  T* handle = nullptr;
  ~Made() { Release(handle); }
  explicit operator bool() const { return handle != nullptr; }
};
TEST(AllocationFailure, contexts_devices_and_their_reports) {
  for_every_failure(
      [] {
        Made<tenon_context, tenon_context_release> context;
        int32_t status = sound(tenon_context_create(nullptr, &context.handle), context);
        if (status) return;
        Made<tenon_device, tenon_device_release> cpu;
        status = sound(tenon_context_device(context.handle, "cpu:0", &cpu.handle), cpu);
        if (status) return;
        const char* text = nullptr;
        sound(tenon_device_toolkit(cpu.handle, &text), text);
        for (const auto ask : {tenon_context_report, tenon_cache_list, tenon_package_list}) {
          Made<tenon_blob, tenon_blob_release> blob;
          sound(ask(context.handle, &blob.handle), blob);
        }
      },
      {.samples = 120,
       .counts_blocks = false});  // the process keeps information about compilers and libraries as it is requested
}

TEST(AllocationFailure, streams_and_events) {
  const DevicePtr cpu = device("cpu:0");
  for_every_failure([&] {
    Made<tenon_stream, tenon_stream_release> stream;
    Made<tenon_event, tenon_event_release> begin, end;
    int32_t status = sound(tenon_stream_create(cpu.get(), nullptr, &stream.handle), stream);
    if (status) return;
    status = sound(tenon_event_create(cpu.get(), TENON_EVENT_TIMING, &begin.handle), begin);
    if (status) return;
    status = sound(tenon_event_create(cpu.get(), TENON_EVENT_TIMING, &end.handle), end);
    if (status) return;
    for (tenon_event* event : {begin.handle, end.handle}) status = sound(tenon_event_record(event, stream.handle));
    status = sound(tenon_stream_wait_event(stream.handle, end.handle));
    status = sound(tenon_stream_synchronize(stream.handle));
    status = sound(tenon_event_query(end.handle));
  });
}

TEST(AllocationFailure, failures_that_are_recorded) {
  for_every_failure([] {
    tenon_device* nowhere = nullptr;
    const int32_t status = tenon_context_device(nullptr, "gpu:7", &nowhere);
    EXPECT_TRUE(status == TENON_ERROR_NOT_FOUND || status == TENON_ERROR_OUT_OF_MEMORY) << tenon_status_name(status);
    EXPECT_STRNE("", tenon_error_last_message());
    Made<tenon_error, tenon_error_release> error;
    const int32_t asked = tenon_error_last(&error.handle);
    EXPECT_TRUE(!asked || asked == TENON_ERROR_OUT_OF_MEMORY);
  });
}

constexpr char kText[] =
    "__device__ int total;\n"
    "extern \"C\" __global__ void twice(int* x, int n) {\n"
    "  __shared__ int tile[64];\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  tile[threadIdx.x] = i < n ? x[i] : 0;\n"
    "  __syncthreads();\n"
    "  if (i < n) x[i] = 2 * tile[threadIdx.x];\n"
    "}\n";

struct Twice {
  DevicePtr cpu = device("cpu:0");
  ArrayPtr x = counting(cpu.get(), {4096});
  const char* kernels[1] = {"twice"};
  const char* globals[1] = {"total"};
  tenon_program_options options{};
  tenon_launch launch{};
  tenon_arg args[2] = {};
  bool usable = false;

  Twice() {
    options.struct_size = sizeof options;
    options.kernels = kernels, options.kernel_count = 1;
    options.globals = globals, options.global_count = 1;
    launch.struct_size = sizeof launch;
    launch.grid[0] = 64, launch.grid[1] = launch.grid[2] = 1;
    launch.block[0] = 64, launch.block[1] = launch.block[2] = 1;
    args[0].kind = TENON_ARG_ARRAY, args[0].value.array = x.get();
    args[1].kind = TENON_ARG_SCALAR, args[1].dtype = TENON_INT32, args[1].size = 4, args[1].value.i32 = 4096;
    tenon_program* program = nullptr;
    const int32_t status = create(&program);
    usable = status != TENON_ERROR_MISSING_LIBRARY;
    if (usable) {
      EXPECT_OK(status);
    }
    tenon_program_release(program);
  }
  int32_t create(tenon_program** out) const {
    return tenon_program_create(cpu.get(), kText, sizeof kText - 1, &options, out);
  }

  // Uses a program in every way.
  void use(tenon_program* program) const {
    Made<tenon_kernel, tenon_kernel_release> kernel;
    Made<tenon_array, tenon_array_release> global;
    Made<tenon_call, tenon_call_release> call;
    int32_t status = sound(tenon_program_kernel(program, "twice", &kernel.handle), kernel);
    if (status) return;
    sound(tenon_program_global(program, "total", &global.handle), global);
    tenon_kernel_info info{};
    info.struct_size = sizeof info;
    status = sound(tenon_kernel_get_info(kernel.handle, &info));
    status = sound(tenon_kernel_launch(kernel.handle, &launch, args, 2, nullptr));
    status = sound(tenon_call_create(kernel.handle, &launch, args, 2, &call.handle), call);
    if (status) return;
    status = sound(tenon_call_launch(call.handle, nullptr));
  }
};

TEST(AllocationFailure, programs_and_launches) {
  Twice twice;
  if (!twice.usable) GTEST_SKIP() << tenon_error_last_message();
  for_every_failure(
      [&] {
        Made<tenon_program, tenon_program_release> program;
        const int32_t status = sound_in_its_words(twice.create(&program.handle), program);
        if (!status) twice.use(program.handle);
      },
      {.samples = 200, .counts_blocks = false});
}

TEST(AllocationFailure, a_program_that_each_thread_runs_first) {
  Twice twice;
  if (!twice.usable) GTEST_SKIP() << tenon_error_last_message();
  Made<tenon_program, tenon_program_release> program;
  OK(twice.create(&program.handle));
  for (const bool for_ever : {false, true})
    for (long n = 0; n < 60; ++n)
      std::thread([&] {  // which has no record, slots, worker or __shared__ memory yet
        g_for_ever = for_ever;
        t_counts = true;
        g_countdown = n;
        twice.use(program.handle);
        g_countdown = -1;
        g_failing = false;
        t_counts = false;
      })
          .join();
}

TEST(AllocationFailure, images) {
  Twice twice;
  if (!twice.usable) GTEST_SKIP() << tenon_error_last_message();
  Made<tenon_program, tenon_program_release> program;
  OK(twice.create(&program.handle));
  tenon_program_options options = twice.options;
  options.flags = TENON_PROGRAM_FLAG_TRUSTED;
  for_every_failure(
      [&] {
        Made<tenon_blob, tenon_blob_release> blob;
        int32_t status = sound(tenon_program_image(program.handle, TENON_IMAGE_BINARY, &blob.handle), blob);
        if (status) return;
        const void* data = nullptr;
        uint64_t size = 0;
        EXPECT_OK(tenon_blob_data(blob.handle, &data, &size));
        const tenon_program_input input = {sizeof input, TENON_INPUT_BINARY, data, size, "image"};
        Made<tenon_program, tenon_program_release> loaded;
        status = sound_in_its_words(tenon_program_link(twice.cpu.get(), &input, 1, &options, &loaded.handle), loaded);
        if (!status) twice.use(loaded.handle);
      },
      {.samples = 120, .counts_blocks = false});
}

TEST(AllocationFailure, compiles_that_succeed_and_that_do_not) {
  Twice twice;
  if (!twice.usable) GTEST_SKIP() << tenon_error_last_message();
  twice.options.flags = TENON_PROGRAM_FLAG_NO_CACHE;
  for (const std::string& text :
       {std::string(kText), std::string("extern \"C\" __global__ void twice(int* x) { x[0] = nowhere; }")})
    for_every_failure(
        [&] {
          Made<tenon_program, tenon_program_release> program;
          sound_in_its_words(
              tenon_program_create(twice.cpu.get(), text.data(), text.size(), &twice.options, &program.handle),
              program);
        },
        {.samples = 1, .counts_blocks = false, .warms = false, .for_ever = false});
}

TEST(AllocationFailure, generated_kernels) {
  Twice twice;
  if (!twice.usable) GTEST_SKIP() << tenon_error_last_message();
  for_every_failure(
      [&] {
        tenon_arg args[3] = {twice.args[0], twice.args[0], twice.args[0]};
        {
          Made<tenon_elementwise, tenon_elementwise_release> plus;
          int32_t status = sound(tenon_elementwise_create("T x, T y", "T z", "z = x + y", nullptr, &plus.handle), plus);
          Made<tenon_array, tenon_array_release> out;
          if (!status) status = sound(tenon_elementwise_output(plus.handle, args, 2, 0, nullptr, &out.handle), out);
          args[2].value.array = out.handle;
          if (!status) status = sound_in_its_words(tenon_elementwise_call(plus.handle, args, 3, nullptr));
        }
        Made<tenon_reduction, tenon_reduction_release> sum;
        int32_t status = sound(tenon_reduction_create("T x", "T y", "", "a + b", "", "0", nullptr, &sum.handle), sum);
        Made<tenon_array, tenon_array_release> out;
        if (!status)
          status = sound(tenon_reduction_output(sum.handle, args, 1, nullptr, 0, 0, nullptr, &out.handle), out);
        args[1].value.array = out.handle;
        if (!status) status = sound_in_its_words(tenon_reduction_call(sum.handle, args, 2, nullptr, 0, nullptr));
      },
      {.samples = 120, .counts_blocks = false});
}

TEST(AllocationFailure, graphs) {
  Twice twice;
  if (!twice.usable) GTEST_SKIP() << tenon_error_last_message();
  Made<tenon_program, tenon_program_release> program;
  Made<tenon_kernel, tenon_kernel_release> kernel;
  OK(twice.create(&program.handle));
  OK(tenon_program_kernel(program.handle, "twice", &kernel.handle));
  for_every_failure(
      [&] {
        Made<tenon_graph, tenon_graph_release> graph;
        Made<tenon_stream, tenon_stream_release> stream;
        int32_t status = sound(tenon_graph_create(twice.cpu.get(), &graph.handle), graph);
        if (status) return;
        status = sound(tenon_graph_begin(graph.handle, &stream.handle), stream);
        if (status) return;
        int32_t recorded = sound(tenon_kernel_launch(kernel.handle, &twice.launch, twice.args, 2, stream.handle));
        if (!recorded) recorded = sound(tenon_array_fill(twice.x.get(), number(1), stream.handle));
        status = sound_in_its_words(tenon_graph_end(graph.handle));
        if (!status && !recorded) status = sound(tenon_graph_launch(graph.handle, nullptr));
      },
      {.counts_blocks = false});
}

constexpr char kContract[] =
    "name = \"small\"\n"
    "version = \"1.0.0\"\n"
    "doc = \"A text with \\\"quotes\\\" and what is longer than a short string holds without an allocation.\"\n"
    "[op.plus]\n"
    "doc = \"x + a, for all elements of x\"\n"
    "types = { T = [\"int32\", \"float32\"] }\n"
    "parameters = [\"in T x[n]\", \"scalar T a = 3\", \"out T y like x\"]\n"
    "require = [{ that = \"n < 100000\", message = \"n is {n}\" }]\n"
    "elementwise = \"y = x + a\"\n"
    "test = [{ given = { x = [1.0, 2.0] }, expect = { y = [4.0, 5.0] } }]\n";

TEST(AllocationFailure, packages_and_operations) {
  Twice twice;
  if (!twice.usable) GTEST_SKIP() << tenon_error_last_message();
  char folder[] = "/tmp/tenon-memory-XXXXXX";
  ASSERT_NE(nullptr, mkdtemp(folder));
  const std::string contract = std::string(folder) + "/plugin.toml";
  FILE* file = std::fopen(contract.c_str(), "w");
  ASSERT_NE(nullptr, file);
  std::fwrite(kContract, 1, sizeof kContract - 1, file);
  std::fclose(file);
  for_every_failure(
      [&] {
        Made<tenon_package, tenon_package_release> package;
        Made<tenon_operation, tenon_operation_release> plus;
        int32_t status = sound_in_its_words(tenon_package_load(nullptr, folder, nullptr, &package.handle), package);
        if (status) return;
        {
          Made<tenon_blob, tenon_blob_release> blob;
          sound(tenon_package_describe(package.handle, &blob.handle), blob);
        }
        status = sound_in_its_words(tenon_operation_find(nullptr, "small/plus", nullptr, &plus.handle), plus);
        if (!status) {
          Made<tenon_blob, tenon_blob_release> blob;
          sound(tenon_operation_describe(plus.handle, &blob.handle), blob);
          Made<tenon_array, tenon_array_release> out;
          tenon_arg args[3] = {twice.args[0], {}, {}};
          status = sound(tenon_operation_output(plus.handle, args, 3, 0, nullptr, &out.handle), out);
          args[2].kind = TENON_ARG_ARRAY, args[2].value.array = out.handle;
          if (!status) status = sound_in_its_words(tenon_operation_call(plus.handle, args, 3, nullptr));
          Made<tenon_call, tenon_call_release> bound;
          if (!status)
            status = sound_in_its_words(tenon_operation_bind(plus.handle, args, 3, nullptr, &bound.handle), bound);
          if (!status) status = sound(tenon_call_launch(bound.handle, nullptr));
        }
        status = sound(tenon_package_unload(package.handle));
      },
      {.samples = 250,
       .counts_blocks = false,
       .for_ever = false});  // toml++ 3.3 ends the process if there is no memory for its error
  std::remove(contract.c_str());
  rmdir(folder);
}

// Small, so that OpenBLAS allocates no memory of its own: it ends the process if it gets none.
TEST(AllocationFailure, linear_algebra) {
  const DevicePtr cpu = device("cpu:0");
  const int64_t shape[] = {4, 4};
  const double values[16] = {4, 1, 0, 0, 1, 5, 1, 0, 0, 1, 6, 1, 0, 0, 1, 7};
  tenon_array* raw = nullptr;
  OK(tenon_array_from_host(cpu.get(), TENON_FLOAT64, 2, shape, values, sizeof values, nullptr, &raw));
  const ArrayPtr a(raw);
  const tenon_array* const twice[] = {a.get(), a.get()};
  tenon_array* probe = nullptr;
  if (tenon_inverse(a.get(), nullptr, nullptr, &probe) == TENON_ERROR_MISSING_LIBRARY)
    GTEST_SKIP() << tenon_error_last_message();
  tenon_array_release(probe);
  for_every_failure(
      [&] {
        Made<tenon_array, tenon_array_release> x, inverse, l, q, r, u, s, vh, w, v, sum;
        sound(tenon_solve(a.get(), a.get(), nullptr, nullptr, &x.handle), x);
        sound(tenon_inverse(a.get(), nullptr, nullptr, &inverse.handle), inverse);
        sound(tenon_cholesky(a.get(), nullptr, nullptr, &l.handle), l);
        sound(tenon_qr(a.get(), nullptr, nullptr, &q.handle, &r.handle), q, r);
        sound(tenon_svd(a.get(), nullptr, nullptr, &u.handle, &s.handle, &vh.handle), u, s, vh);
        sound(tenon_eigh(a.get(), nullptr, nullptr, &w.handle, &v.handle), w, v);
        sound(tenon_einsum("ij,jk->ik", twice, 2, nullptr, nullptr, &sum.handle), sum);
        if (x) sound(tenon_gemm(nullptr, a.get(), a.get(), nullptr, nullptr, nullptr, into(x.handle)));
      },
      {.samples = 300});
}

// Workspaces of routines whose results are released in a loop come from blocks that earlier rounds released: no large
// allocations reach the system.
TEST(Allocation, routines_in_a_loop_reuse_their_workspaces) {
  const DevicePtr cpu = device("cpu:0");
  constexpr int64_t kSize = 32;  // a matrix takes 8 KiB
  const int64_t shape[] = {kSize, kSize};
  std::vector<double> values(kSize * kSize);
  for (int64_t i = 0; i < kSize * kSize; ++i)
    values[size_t(i)] = i % (kSize + 1) ? std::sin(double(i * i)) : 2.0 * kSize;
  for (int64_t i = 0; i < kSize; ++i)
    for (int64_t j = 0; j < i; ++j) values[size_t(i * kSize + j)] = values[size_t(j * kSize + i)];
  tenon_array* raw = nullptr;
  OK(tenon_array_from_host(cpu.get(), TENON_FLOAT64, 2, shape, values.data(), values.size() * 8, nullptr, &raw));
  const ArrayPtr a(raw);
  tenon_array* probe = nullptr;
  if (tenon_inverse(a.get(), nullptr, nullptr, &probe) == TENON_ERROR_MISSING_LIBRARY)
    GTEST_SKIP() << tenon_error_last_message();
  tenon_array_release(probe);
  Made<tenon_array, tenon_array_release> c, x, l, q, r, u, s, vh, w, v, lu, pivots, inverse;
  const std::pair<const char*, std::function<int32_t()> > calls[] = {
      {"gemm", [&] { return tenon_gemm(nullptr, a.get(), a.get(), nullptr, nullptr, nullptr, &c.handle); }},
      {"solve", [&] { return tenon_solve(a.get(), a.get(), nullptr, nullptr, &x.handle); }},
      {"cholesky", [&] { return tenon_cholesky(a.get(), nullptr, nullptr, &l.handle); }},
      {"lu", [&] { return tenon_lu(a.get(), nullptr, nullptr, &lu.handle, &pivots.handle); }},
      {"qr", [&] { return tenon_qr(a.get(), nullptr, nullptr, &q.handle, &r.handle); }},
      {"inverse", [&] { return tenon_inverse(a.get(), nullptr, nullptr, &inverse.handle); }},
      {"svd", [&] { return tenon_svd(a.get(), nullptr, nullptr, &u.handle, &s.handle, &vh.handle); }},
      {"eigh", [&] { return tenon_eigh(a.get(), nullptr, nullptr, &w.handle, &v.handle); }}};
  for (const auto& [name, call] : calls) {
    for (int round = 0; round < 3; ++round) OK(call());
    const long before = g_large;
    t_counts = true;
    int32_t status = TENON_OK;
    for (int round = 0; round < 5 && !status; ++round) status = call();
    t_counts = false;
    OK(status);
    EXPECT_EQ(before, g_large) << name << " took memory from the system";
  }
}

// On a thread's first call nothing is prepared: no record, no slots, no cache of memory.
TEST(AllocationFailure, threads_that_begin_without_memory) {
  const DevicePtr cpu = device("cpu:0");
  const ArrayPtr a = counting(cpu.get(), {4});
  const std::function<int32_t()> calls[] = {[&] {
                                              tenon_array* out = nullptr;
                                              const int64_t n = 3;
                                              const int32_t s =
                                                  tenon_array_zeros(cpu.get(), TENON_INT32, 1, &n, nullptr, &out);
                                              tenon_array_release(out);
                                              return s;
                                            },
                                            [&] {
                                              tenon_array* out = nullptr;
                                              const int32_t s = tenon_array_transpose(a.get(), 1, nullptr, &out);
                                              tenon_array_release(out);
                                              return s;
                                            },
                                            [&] {
                                              tenon_device* out = nullptr;
                                              const int32_t s = tenon_context_device(nullptr, "nowhere", &out);
                                              return s;
                                            },
                                            [&] {
                                              tenon_array_retain(a.get());
                                              tenon_array_release(a.get());
                                              return int32_t(TENON_OK);
                                            },
                                            [&] {
                                              tenon_stream* out = nullptr;
                                              const int32_t s = tenon_stream_create(cpu.get(), nullptr, &out);
                                              tenon_stream_release(out);
                                              return s;
                                            }};
  find_loader();
  for (const auto& call : calls) {
    std::string text;
    text.reserve(1000);
    int32_t status = TENON_OK;
    std::thread([&] {
      t_counts = true;
      g_failing = true;
      status = call();
      text = tenon_error_last_message();
      g_failing = false;
      t_counts = false;
    }).join();
    EXPECT_TRUE(!status || status == TENON_ERROR_OUT_OF_MEMORY) << tenon_status_name(status);
    EXPECT_EQ(status != TENON_OK, !text.empty());
  }
}

}  // namespace
#endif
