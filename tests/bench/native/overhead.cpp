// Host time of the calls programs make most: import, allocation, launches. On a GPU the floor (cuLaunchKernel on the
// same cubin, an own memory pool's pair) is measured in the same run. Usage: bench_overhead [device]; results as JSON
// with
// --benchmark_format=json.
#include <benchmark/benchmark.h>
#include <dlfcn.h>
#include <tenon/tenon.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "operation.hpp"

namespace {

tenon_device* g_device;
bool g_cuda;

void must(int32_t status) {
  if (status == TENON_OK) return;
  std::fprintf(stderr, "%s: %s\n", tenon_status_name(status), tenon_error_last_message());
  std::exit(1);
}

struct Tensor {
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

tenon_array* array(int64_t n) {
  tenon_array* out = nullptr;
  must(tenon_array_zeros(g_device, TENON_FLOAT32, 1, &n, nullptr, &out));
  return out;
}

void import_release(benchmark::State& state) {
  tenon_array* base = array(1024);
  tenon_array_info info{};
  info.struct_size = sizeof(info);
  must(tenon_array_get_info(base, &info));
  int64_t shape[] = {32, 32}, strides[] = {32, 1};
  for (auto _ : state) {
    Tensor tensor{info.data, info.device_kind, info.device_index, 2, 2, 32, 1, shape, strides, 0, nullptr, nullptr};
    tenon_array* out;
    must(tenon_array_from_dlpack(nullptr, reinterpret_cast<DLManagedTensor*>(&tensor), 0, nullptr, &out));
    tenon_array_release(out);
  }
  tenon_array_release(base);
}

void export_delete(benchmark::State& state) {
  tenon_array* base = array(1024);
  for (auto _ : state) {
    DLManagedTensor* out;
    must(tenon_array_to_dlpack(base, 0, nullptr, &out));
    auto* tensor = reinterpret_cast<Tensor*>(out);
    tensor->deleter(tensor);
  }
  tenon_array_release(base);
}

void allocate_free(benchmark::State& state) {
  for (auto _ : state) {
    tenon_buffer* out;
    must(tenon_buffer_create(g_device, uint64_t(state.range(0)), TENON_MEMORY_DEVICE, nullptr, &out));
    tenon_buffer_release(out);
  }
}

void nothing(benchmark::State& state) {
  tenon_array* base = array(16);
  for (auto _ : state) {
    tenon_array_info info;
    info.struct_size = sizeof(info);
    must(tenon_array_get_info(base, &info));
    benchmark::DoNotOptimize(info);
  }
  tenon_array_release(base);
}

struct Launches {
  tenon_kernel* kernel = nullptr;
  tenon_program* program = nullptr;
  tenon_array *x = nullptr, *y = nullptr;
  tenon_launch launch{};
  tenon_arg args[3];
  Launches() {
    const char* source = "extern \"C\" __global__ void empty(const float* x, float* y, int n) {}";
    const char* names[] = {"empty"};
    tenon_program_options options{};
    options.struct_size = sizeof(options);
    options.kernels = names;
    options.kernel_count = 1;
    must(tenon_program_create(g_device, source, std::strlen(source), &options, &program));
    must(tenon_program_kernel(program, "empty", &kernel));
    x = array(32);
    y = array(32);
    launch.struct_size = sizeof(launch);
    launch.grid[0] = 1;
    launch.block[0] = 32;
    const tenon_arg list[] = {TENON_ARRAY_ARG(x), TENON_ARRAY_ARG(y), TENON_I32_ARG(32)};
    std::memcpy(args, list, sizeof(args));
  }
};

Launches& launches() {
  static Launches all;
  return all;
}

// The queue is emptied from time to time, outside the timing: if it were full, every launch would wait for the device.
template <class F> void timed_in_bursts(benchmark::State& state, F&& body) {
  int burst = 0;
  for (auto _ : state) {
    body();
    if (++burst == 500) {
      state.PauseTiming();
      must(tenon_device_synchronize(g_device));
      burst = 0;
      state.ResumeTiming();
    }
  }
  must(tenon_device_synchronize(g_device));
}

void checked_launch(benchmark::State& state) {
  Launches& l = launches();
  timed_in_bursts(state, [&] { must(tenon_kernel_launch(l.kernel, &l.launch, l.args, 3, nullptr)); });
}

void bound_launch(benchmark::State& state) {
  Launches& l = launches();
  tenon_call* call = nullptr;
  must(tenon_call_create(l.kernel, &l.launch, l.args, 3, &call));
  timed_in_bursts(state, [&] { must(tenon_call_launch(call, nullptr)); });
  tenon_call_release(call);
}

// Arguments are in the order x, y, n for the operation, too.
void operation_call(benchmark::State& state) {
  Launches& l = launches();
  tenon_operation* operation = empty_operation();
  if (!operation) return state.SkipWithError(tenon_error_last_message());
  timed_in_bursts(state, [&] { must(tenon_operation_call(operation, l.args, 3, nullptr)); });
  tenon_operation_release(operation);
}

void operation_bound(benchmark::State& state) {
  Launches& l = launches();
  tenon_operation* operation = empty_operation();
  if (!operation) return state.SkipWithError(tenon_error_last_message());
  tenon_call* bound = nullptr;
  must(tenon_operation_bind(operation, l.args, 3, nullptr, &bound));
  timed_in_bursts(state, [&] { must(tenon_call_launch(bound, nullptr)); });
  tenon_call_release(bound);
  tenon_operation_release(operation);
}

// For a graph of `nodes` launches: one item is one launch in it.
void graph_replay(benchmark::State& state) {
  Launches& l = launches();
  const int64_t nodes = state.range(0);
  tenon_graph* graph = nullptr;
  tenon_stream* recording = nullptr;
  must(tenon_graph_create(g_device, &graph));
  must(tenon_graph_begin(graph, &recording));
  for (int64_t i = 0; i < nodes; ++i) must(tenon_kernel_launch(l.kernel, &l.launch, l.args, 3, recording));
  must(tenon_graph_end(graph));
  tenon_stream_release(recording);
  timed_in_bursts(state, [&] { must(tenon_graph_launch(graph, nullptr)); });
  state.SetItemsProcessed(state.iterations() * nodes);
  tenon_graph_release(graph);
}

// The driver alone, on the same image.
struct Driver {
  int (*module_load)(void**, const void*) = nullptr;
  int (*get_function)(void**, void*, const char*) = nullptr;
  int (*launch)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**,
                void**) = nullptr;
  int (*retain)(void**, int) = nullptr;
  int (*set)(void*) = nullptr;
  Driver() {
    void* lib = dlopen("libcuda.so.1", RTLD_NOW);
    if (!lib) return;
    auto find = [&](auto& f, const char* name) { f = reinterpret_cast<std::decay_t<decltype(f)>>(dlsym(lib, name)); };
    find(module_load, "cuModuleLoadData");
    find(get_function, "cuModuleGetFunction");
    find(launch, "cuLaunchKernel");
    find(retain, "cuDevicePrimaryCtxRetain");
    find(set, "cuCtxSetCurrent");
  }
};

void driver_launch(benchmark::State& state) {
  Driver driver;
  Launches& l = launches();
  void *context = nullptr, *module = nullptr, *function = nullptr;
  driver.retain(&context, 0);
  driver.set(context);
  tenon_blob* image = nullptr;
  must(tenon_program_image(l.program, TENON_IMAGE_BINARY, &image));
  const void* bytes = nullptr;
  uint64_t size = 0;
  must(tenon_blob_data(image, &bytes, &size));
  if (driver.module_load(&module, bytes) || driver.get_function(&function, module, "empty")) {
    state.SkipWithError("the driver did not take the image");
    return;
  }
  tenon_stream* stream = nullptr;
  must(tenon_stream_create(g_device, nullptr, &stream));
  uint64_t native = 0;
  must(tenon_stream_native(stream, &native));
  tenon_array_info x{}, y{};
  x.struct_size = y.struct_size = sizeof(x);
  must(tenon_array_get_info(l.x, &x));
  must(tenon_array_get_info(l.y, &y));
  int n = 32;
  void* params[] = {&x.data, &y.data, &n};
  timed_in_bursts(state, [&] {
    if (driver.launch(function, 1, 1, 1, 32, 1, 1, 0, reinterpret_cast<void*>(native), params, nullptr)) std::exit(1);
  });
  tenon_stream_release(stream);
  tenon_blob_release(image);
}

void event_record(benchmark::State& state) {
  tenon_event* event = nullptr;
  must(tenon_event_create(g_device, 0, &event));
  timed_in_bursts(state, [&] { must(tenon_event_record(event, nullptr)); });
  tenon_event_release(event);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  const char* name = argc > 1 ? argv[1] : "best";
  must(tenon_context_device(nullptr, name, &g_device));
  const char* text = nullptr;
  must(tenon_device_name(g_device, &text));
  g_cuda = std::strncmp(text, "cuda", 4) == 0;
  std::printf("device %s\n", text);
  using benchmark::RegisterBenchmark;
  RegisterBenchmark("a call that only reads (get_info)", nothing);
  RegisterBenchmark("DLPack import + release", import_release);
  RegisterBenchmark("DLPack export + delete", export_delete);
  RegisterBenchmark("allocate + free", allocate_free)->Arg(1 << 10)->Arg(1 << 20);
  RegisterBenchmark("event record", event_record);
  if (g_cuda) RegisterBenchmark("floor: cuLaunchKernel", driver_launch);
  RegisterBenchmark("launch, checked", checked_launch);
  RegisterBenchmark("launch, bound", bound_launch);
  RegisterBenchmark("operation, call", operation_call);
  RegisterBenchmark("operation, bound", operation_bound);
  RegisterBenchmark("graph replay, launches", graph_replay)->Arg(1)->Arg(1000);
  benchmark::RunSpecifiedBenchmarks();
}
