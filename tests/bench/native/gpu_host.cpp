// Host time per call on a GPU, compared with the driver's own: launches, allocation, exchange. Prints one JSON object.
// Needs nothing but the library (bench_overhead says more, with Google Benchmark). Usage: gpu_host [device]
#include <dlfcn.h>
#include <tenon/tenon.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include "../../arguments.hpp"
#include "operation.hpp"

namespace {

void must(int32_t status, const char* what) {
  if (status == TENON_OK) return;
  std::fprintf(stderr, "%s: %s: %s\n", what, tenon_status_name(status), tenon_error_last_message());
  std::exit(1);
}
#define MUST(call) must(call, #call)

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

tenon_device* g_device;

// Microseconds per call: the median of several rounds, with the queue emptied between them.
template <class F> double host_us(F&& call, int count = 1000, int rounds = 15) {
  for (int i = 0; i < 300; ++i) call();
  MUST(tenon_device_synchronize(g_device));
  std::vector<double> times;
  for (int r = 0; r < rounds; ++r) {
    const double start = now();
    for (int i = 0; i < count; ++i) call();
    times.push_back((now() - start) / count * 1e6);
    MUST(tenon_device_synchronize(g_device));
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

// The same for several calls whose rounds alternate, so that each runs in the same state of the machine. A round is
// short enough for the driver's queue (1,024 launches) never to fill: a full queue would measure the GPU.
std::vector<double> in_turns(const std::vector<std::function<void()>>& calls, int count = 200, int rounds = 75) {
  std::vector<std::vector<double>> times(calls.size());
  for (int r = -2; r < rounds; ++r) {
    for (size_t c = 0; c < calls.size(); ++c) {
      const double start = now();
      for (int i = 0; i < count; ++i) calls[c]();
      const double us = (now() - start) / count * 1e6;
      MUST(tenon_device_synchronize(g_device));
      if (r >= 0) times[c].push_back(us);
    }
  }
  std::vector<double> medians;
  for (std::vector<double>& of : times) {
    std::sort(of.begin(), of.end());
    medians.push_back(of[of.size() / 2]);
  }
  return medians;
}

bool g_first = true;
void say(const char* name, double us) {
  std::printf("%s\n  \"%s\": %.4f", g_first ? "{" : ",", name, us);
  g_first = false;
}

const char kSource[] = "extern \"C\" __global__ void three(const float* x, float* y, int n) {}\n";

struct Tensor {  // DLPack's legacy struct
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

struct Driver {
  void* library = dlopen("libcuda.so.1", RTLD_NOW);
  template <class F> F get(const char* name) {
    void* p = library ? dlsym(library, name) : nullptr;
    if (!p) {
      std::fprintf(stderr, "the CUDA driver has no %s\n", name);
      std::exit(1);
    }
    return reinterpret_cast<F>(p);
  }
};

}  // namespace

int main(int argc, char** argv) {
  MUST(tenon_context_device(nullptr, argc > 1 ? argv[1] : "cuda:0", &g_device));
  const int64_t n = 1024;
  tenon_array *x, *y;
  MUST(tenon_array_zeros(g_device, TENON_FLOAT32, 1, &n, nullptr, &x));
  MUST(tenon_array_zeros(g_device, TENON_FLOAT32, 1, &n, nullptr, &y));
  tenon_stream* stream;
  MUST(tenon_stream_default(g_device, &stream));
  uint64_t native;
  MUST(tenon_stream_native(stream, &native));

  const char* names[] = {"three"};
  tenon_program_options options{};
  options.struct_size = sizeof(options);
  options.kernels = names;
  options.kernel_count = 1;
  tenon_program* program;
  MUST(tenon_program_create(g_device, kSource, sizeof(kSource) - 1, &options, &program));
  tenon_kernel* kernel;
  MUST(tenon_program_kernel(program, "three", &kernel));
  tenon_launch launch{};
  launch.struct_size = sizeof(launch);
  launch.grid[0] = 1;
  launch.block[0] = 32;
  tenon_arg args[3] = {};
  args[0].kind = TENON_ARG_ARRAY;
  args[0].value.array = x;
  args[1].kind = TENON_ARG_ARRAY;
  args[1].value.array = y;
  args[2].kind = TENON_ARG_SCALAR;
  args[2].dtype = TENON_INT32;
  args[2].size = 4;
  args[2].value.i32 = 1024;
  tenon_call* call;
  MUST(tenon_call_create(kernel, &launch, args, 3, &call));

  tenon_operation* const trial = empty_operation();
  if (!trial) {
    std::fprintf(stderr, "no operation: %s\n", tenon_error_last_message());
    return 1;
  }

  // The driver alone, with the same cubin on the same stream.
  Driver driver;
  auto device_get = driver.get<int (*)(int*, int)>("cuDeviceGet");
  auto retain = driver.get<int (*)(void**, int)>("cuDevicePrimaryCtxRetain");
  auto current = driver.get<int (*)(void*)>("cuCtxSetCurrent");
  auto load = driver.get<int (*)(void**, const void*)>("cuModuleLoadData");
  auto function = driver.get<int (*)(void**, void*, const char*)>("cuModuleGetFunction");
  auto run = driver.get<int (*)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*,
                                void**, void**)>("cuLaunchKernel");
  auto allocate = driver.get<int (*)(unsigned long long*, size_t, void*)>("cuMemAllocAsync");
  auto release = driver.get<int (*)(unsigned long long, void*)>("cuMemFreeAsync");
  int device = 0;
  void *context, *module, *handle;
  tenon_blob* image;
  const void* cubin;
  uint64_t size;
  MUST(tenon_program_image(program, TENON_IMAGE_BINARY, &image));
  MUST(tenon_blob_data(image, &cubin, &size));
  if (device_get(&device, 0) || retain(&context, device) || current(context) || load(&module, cubin) ||
      function(&handle, module, "three")) {
    std::fprintf(stderr, "the driver could not load the kernel\n");
    return 1;
  }
  tenon_array_info info{};
  info.struct_size = sizeof(info);
  MUST(tenon_array_get_info(x, &info));
  void* xd = info.data;
  MUST(tenon_array_get_info(y, &info));
  void* yd = info.data;
  int count = 1024;
  void* params[] = {&xd, &yd, &count};
  void* native_stream = reinterpret_cast<void*>(native);

  // On the default stream and on one of the library's own, because the driver's minimum differs between them.
  tenon_stream* own;
  MUST(tenon_stream_create(g_device, nullptr, &own));
  uint64_t own_native;
  MUST(tenon_stream_native(own, &own_native));
  for (tenon_stream* on : {static_cast<tenon_stream*>(nullptr), own}) {
    void* const where = on ? reinterpret_cast<void*>(own_native) : native_stream;
    const std::vector<double> us = in_turns({
        [&] { run(handle, 1, 1, 1, 32, 1, 1, 0, where, params, nullptr); },
        [&] { MUST(tenon_call_launch(call, on)); },
        [&] { MUST(tenon_kernel_launch(kernel, &launch, args, 3, on)); },
        [&] { MUST(tenon_operation_call(trial, args, 3, on)); },
        [&] { run(handle, 1, 1, 1, 32, 1, 1, 0, where, params, nullptr); },
    });
    say(on ? "own stream: launch floor" : "launch floor", std::min(us[0], us[4]));
    say(on ? "own stream: launch floor again" : "launch floor again", std::max(us[0], us[4]));
    say(on ? "own stream: launch bound" : "launch bound", us[1]);
    say(on ? "own stream: launch checked" : "launch checked", us[2]);
    say(on ? "own stream: operation call" : "operation call", us[3]);
  }
  tenon_stream_release(own);
  // 1,000 launches of the kernel as a graph: the driver's own capture of them, and ours. The kernels do nothing, so
  // that the cost of a node is measured, on the host and from start to end.
  constexpr int kNodes = 1000;
  auto begin_capture = driver.get<int (*)(void*, int)>("cuStreamBeginCapture_v2");
  auto end_capture = driver.get<int (*)(void*, void**)>("cuStreamEndCapture");
  auto instantiate = driver.get<int (*)(void**, void*, unsigned long long)>("cuGraphInstantiateWithFlags");
  auto graph_launch = driver.get<int (*)(void*, void*)>("cuGraphLaunch");
  auto create_stream = driver.get<int (*)(void**, unsigned, int)>("cuStreamCreateWithPriority");
  void *capture_stream, *native_graph, *exec;
  int failed = create_stream(&capture_stream, 1, 0) | begin_capture(capture_stream, 1);
  for (int i = 0; i < kNodes; ++i) failed |= run(handle, 1, 1, 1, 32, 1, 1, 0, capture_stream, params, nullptr);
  failed |= end_capture(capture_stream, &native_graph) | instantiate(&exec, native_graph, 0);
  if (failed) {
    std::fprintf(stderr, "the driver could not capture the launches\n");
    return 1;
  }
  tenon_graph* graph;
  tenon_stream* recording;
  MUST(tenon_graph_create(g_device, &graph));
  MUST(tenon_graph_begin(graph, &recording));
  for (int i = 0; i < kNodes; ++i) MUST(tenon_kernel_launch(kernel, &launch, args, 3, recording));
  const double put_together = now();
  MUST(tenon_graph_end(graph));
  say("graph of 1000 nodes, put together", (now() - put_together) * 1e6);
  auto per_node = [&](auto&& replay) {  // for consecutive replays that are waited for
    return host_us(
               [&] {
                 for (int i = 0; i < 10; ++i) replay();
                 MUST(tenon_device_synchronize(g_device));
               },
               5) /
           (10 * kNodes);
  };
  for (int round = 0; round < 2; ++round) {
    auto bare = [&] { graph_launch(exec, native_stream); };
    auto ours = [&] { MUST(tenon_graph_launch(graph, nullptr)); };
    const double floor = host_us(bare, 20), replay = host_us(ours, 20), node_floor = per_node(bare),
                 node = per_node(ours);
    int turn = 0;
    const double patched = host_us(
        [&] {
          args[2].value.i32 = 1000 + ++turn % 2;
          MUST(tenon_graph_set(graph, turn % kNodes, 2, &args[2]));
          ours();
        },
        20);
    if (round == 0) continue;
    say("graph launch floor", floor);
    say("graph launch", replay);
    say("graph launch with one argument replaced", patched);
    say("graph replay per node floor", node_floor);
    say("graph replay per node", node);
  }
  args[2].value.i32 = 1024;
  for (const uint64_t bytes : {uint64_t(1) << 10, uint64_t(1) << 20}) {
    const double floor = host_us([&] {
      unsigned long long p;
      allocate(&p, bytes, native_stream);
      release(p, native_stream);
    });
    const double ours = host_us([&] {
      tenon_buffer* b;
      MUST(tenon_buffer_create(g_device, bytes, TENON_MEMORY_DEVICE, nullptr, &b));
      tenon_buffer_release(b);
    });
    const int64_t floats = int64_t(bytes / 4);
    const double arrays = host_us([&] {
      tenon_array* a;
      MUST(tenon_array_create(g_device, TENON_FLOAT32, 1, &floats, nullptr, &a));
      tenon_array_release(a);
    });
    say(bytes == 1024 ? "allocate floor 1 KiB" : "allocate floor 1 MiB", floor);
    say(bytes == 1024 ? "allocate buffer 1 KiB" : "allocate buffer 1 MiB", ours);
    say(bytes == 1024 ? "allocate array 1 KiB" : "allocate array 1 MiB", arrays);
  }
  int64_t shape[] = {32, 32}, strides[] = {32, 1};
  say("dlpack import and release", host_us([&] {
        Tensor tensor{xd, TENON_DEVICE_CUDA, 0, 2, 2, 32, 1, shape, strides, 0, nullptr, nullptr};
        tenon_array* a;
        MUST(tenon_array_from_dlpack(nullptr, reinterpret_cast<DLManagedTensor*>(&tensor), 0, nullptr, &a));
        tenon_array_release(a);
      }));
  tenon_array *small_a, *small_b, *small_c;
  const int64_t matrix[] = {16, 16};
  for (tenon_array** m : {&small_a, &small_b, &small_c})
    MUST(tenon_array_zeros(g_device, TENON_FLOAT32, 2, matrix, nullptr, m));
  say("gemm 16 x 16",
      host_us([&] { MUST(tenon_gemm(nullptr, small_a, small_b, nullptr, nullptr, nullptr, test::into(small_c))); }));
  tenon_array* line;
  MUST(tenon_array_zeros(g_device, TENON_COMPLEX64, 1, &n, nullptr, &line));
  say("fft 1024, plan kept", host_us([&] { MUST(tenon_fft(line, nullptr, 1, nullptr, nullptr, test::into(line))); }));
  tenon_array* turned;
  MUST(tenon_array_transpose(small_a, 2, nullptr, &turned));
  say("transposed copy 16 x 16", host_us([&] { MUST(tenon_array_copy(small_b, turned, nullptr)); }));
  say("copy 4 KiB", host_us([&] { MUST(tenon_array_copy(y, x, nullptr)); }));
  std::printf("\n}\n");
  return 0;
}
