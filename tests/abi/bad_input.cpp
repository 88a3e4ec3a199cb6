// tests/abi/bad_input.cpp: what abi.h promises of every function, tried on every function. The rows (functions.inc) are
// derived from the headers, so a new function is tested as soon as it is declared.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <tenon/tenon.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#include "../failing_malloc.hpp"
#endif
#include "../plugin/packages.hpp"

namespace {

// --- what a row says
// ---------------------------------------------------------------------------------------------------

enum class Class {
  scalar,
  handle,
  any_handle,
  foreign,
  options,
  record,
  text,
  memory,
  callback,
  out_handle,
  inout_handle,
  out_value,
  out_record
};
enum class Verb { call, retain, release };
// for a number; for a field also: reserved, a list with a count, a handle
enum class Takes { anything, constants, bits, yes_no, nothing, count, list, handle };
constexpr bool nullable = true, required = false;

struct Parameter {
  const char* name;
  Class kind;
  const char* type;  // for a handle, record, output or number
  size_t size;       // the size of the object pointed to
  bool may_be_null;
  Takes takes = Takes::anything;
  const char* enumeration = "";
  bool is_output() const { return kind == Class::out_handle || kind == Class::out_value || kind == Class::out_record; }
};

struct Arguments {
  std::vector<uint64_t> bits;
  template <class T> T at(size_t i) const {
    T value;
    std::memcpy(&value, &bits[i], sizeof value);
    return value;
  }
};

struct Function {
  const char* name;
  Verb verb;
  std::vector<Parameter> parameters;
  int32_t (*call)(const Arguments&);
};

struct Field {
  const char* name;
  size_t offset;
  Takes takes;
  const char* enumeration;  // for a list: the field with its count
  size_t count_offset;
  const char* type = "";  // for a number or handle
};

struct Struct {
  const char* name;
  std::vector<size_t> sizes;  // its sizes at the ABI levels
  std::vector<Field> fields;
};

struct HandleType {
  const char* name;
  void (*release)(void*);
  int32_t (*retain)(void*);
};

#include "functions.inc"

const HandleType& handle_type(const std::string& name) {
  for (const HandleType& type : handle_types)
    if (type.name == name) return type;
  ADD_FAILURE() << name << " is no handle type";
  std::abort();
}

const Struct& struct_of(const std::string& name) {
  for (const Struct& one : structs)
    if (one.name == name) return one;
  ADD_FAILURE() << name << " is no struct with a size";
  std::abort();
}

// Values that are not allowed for a number.
std::vector<int32_t> wrong_values(Takes takes, const std::string& enumeration) {
  if (takes == Takes::yes_no) return {2, -1};
  if (takes == Takes::nothing) return {1};
  if (takes == Takes::bits) return {INT32_MIN, 0x40000000};
  if (takes != Takes::constants || enumeration == "STATUS") return {};
  if (enumeration == "DTYPE") return {0x00010001, 0x7f};
  const std::vector<int64_t>& known = enumerations.at(enumeration);
  return {int32_t(*std::max_element(known.begin(), known.end()) + 1), -1, INT32_MAX};
}

// The limits of a number's type, as the bits of an argument. For the count of a list, only values that no list has.
std::vector<uint64_t> extremes(Takes takes, const std::string& type) {
  if (takes != Takes::anything && takes != Takes::count) return {};
  const bool count = takes == Takes::count;
  const auto bits = [](double x) { return std::bit_cast<uint64_t>(x); };
  if (type == "int32_t" && count) return {uint32_t(-1), uint32_t(INT32_MIN)};
  if (type == "int32_t") return {uint32_t(-1), uint32_t(INT32_MIN), INT32_MAX};
  if (type == "int64_t" && count) return {uint64_t(-1), uint64_t(INT64_MIN)};
  if (type == "int64_t") return {uint64_t(-1), uint64_t(INT64_MIN), INT64_MAX};
  if (type == "double") return {bits(-1), bits(HUGE_VAL), bits(-HUGE_VAL), bits(std::nan(""))};
  if (count) return {};
  if (type == "uint32_t") return {UINT32_MAX};
  if (type == "uint64_t") return {UINT64_MAX};
  ADD_FAILURE() << type << " is a new type of numbers: say here what its ends are";
  return {};
}

// --- a good value for everything
// ---------------------------------------------------------------------------------------

// The part of DLPack's structs that this test fills.
struct Tensor {
  void* data;
  int32_t device[2];
  int32_t rank;
  uint8_t code, bits;
  uint16_t lanes;
  int64_t *shape, *strides;
  uint64_t offset;
};
struct Legacy {
  Tensor tensor;
  void* owner;
  void (*deleter)(Legacy*);
};
struct Versioned {
  uint32_t major, minor;
  void* owner;
  void (*deleter)(Versioned*);
  uint64_t flags;
  Tensor tensor;
};

int tensors_deleted = 0;
alignas(64) float elements[4];
int64_t extents[] = {2, 2};
const Tensor tensor = {elements, {1, 0}, 2, 2, 32, 1, extents, nullptr, 0};
Legacy legacy = {tensor, nullptr, [](Legacy*) { ++tensors_deleted; }};
Versioned versioned = {1, 0, nullptr, [](Versioned*) { ++tensors_deleted; }, 0, tensor};

const char kernel_source[] = "extern \"C\" __global__ void k(float* x) { x[threadIdx.x] = 1; }\n";

int32_t load_package(tenon_context* context, tenon_package** out) {
  static const std::string bytes = test::tar(
      {{"plugin.toml", "name = \"p\"\n[op.f]\nparameters = [\"in T x\", \"out T y\"]\nelementwise = \"y = x\"\n"}});
  return tenon_package_load_memory(context, bytes.data(), bytes.size(), "p.tar", nullptr, out);
}

// Types that belong to a context and, except for packages, to a device.
bool of_a_context(const std::string& type) {
  static const std::vector<std::string> types = {
      "tenon_device",  "tenon_stream",    "tenon_event",  "tenon_buffer",      "tenon_array",
      "tenon_program", "tenon_kernel",    "tenon_call",   "tenon_compilation", "tenon_graph",
      "tenon_package", "tenon_operation", "tenon_texture"};
  return std::find(types.begin(), types.end(), type) != types.end();
}

// One live handle of every type, on a device of a context (NULL: the default one). `make` returns another one of a
// type.
class Samples {
 public:
  explicit Samples(tenon_context* context = nullptr, const char* device = "cpu:0")
      : context_(context), device_(device) {
    for (const HandleType& type : handle_types) live_[type.name] = here(type.name) ? make(type.name) : nullptr;
  }
  ~Samples() {
    for (auto& [name, handle] : live_)
      if (handle) handle_type(name).release(handle);
    tenon_context_release(context_);
  }
  void* get(const std::string& type) const { return live_.at(type); }

  void* make(const std::string& type) {
    void* made = nullptr;
    const int32_t status = make(type, &made);
    // Without a compiler there are no kernels to test; those rows are skipped.
    if (status == TENON_ERROR_MISSING_LIBRARY) return nullptr;
    EXPECT_EQ(status, TENON_OK) << type << ": " << tenon_error_last_message();
    return made;
  }

 private:
  template <class T> T* live(const char* type) const { return static_cast<T*>(live_.at(type)); }

  // On a GPU only types that need no program: the driver of some tests compiles nothing.
  bool here(const std::string& type) const {
    if (device_ == std::string("cpu:0")) return true;
    for (const char* known :
         {"tenon_device", "tenon_stream", "tenon_event", "tenon_buffer", "tenon_array", "tenon_graph"})
      if (type == known) return true;
    return false;
  }

  int32_t make(const std::string& type, void** made) {
    auto out = [made]<class T>(T*) { return reinterpret_cast<T**>(made); };
    if (type == "tenon_blob") return tenon_context_report(context_, out((tenon_blob*)nullptr));
    if (type == "tenon_context") return tenon_context_create(nullptr, out((tenon_context*)nullptr));
    if (type == "tenon_device") return tenon_context_device(context_, device_, out((tenon_device*)nullptr));
    if (type == "tenon_error") {
      EXPECT_EQ(tenon_context_default(nullptr), TENON_ERROR_INVALID_ARGUMENT);
      return tenon_error_last(out((tenon_error*)nullptr));
    }
    auto* device = live<tenon_device>("tenon_device");
    if (type == "tenon_stream") return tenon_stream_create(device, nullptr, out((tenon_stream*)nullptr));
    if (type == "tenon_event") {
      const int32_t status = tenon_event_create(device, TENON_EVENT_TIMING, out((tenon_event*)nullptr));
      return status ? status : tenon_event_record(static_cast<tenon_event*>(*made), nullptr);
    }
    if (type == "tenon_buffer")
      return tenon_buffer_create(device, 64, TENON_MEMORY_DEVICE, nullptr, out((tenon_buffer*)nullptr));
    if (type == "tenon_array")
      return tenon_array_zeros(device, TENON_FLOAT32, 2, extents, nullptr, out((tenon_array*)nullptr));
    if (type == "tenon_texture") {
      tenon_texture_options options{};
      options.struct_size = sizeof options;
      options.surface = 1;
      return tenon_texture_create(live<tenon_array>("tenon_array"), &options, nullptr, out((tenon_texture*)nullptr));
    }
    if (type == "tenon_program") {
      const char* names[] = {"k"};
      tenon_program_options options{};
      options.struct_size = sizeof options;
      options.kernels = names;
      options.kernel_count = 1;
      return tenon_program_create(device, kernel_source, std::strlen(kernel_source), &options,
                                  out((tenon_program*)nullptr));
    }
    if (type == "tenon_elementwise")
      return tenon_elementwise_create("T x", "T y", "y = x", nullptr, out((tenon_elementwise*)nullptr));
    if (type == "tenon_reduction")
      return tenon_reduction_create("T x", "T y", "", "a + b", "", "0", nullptr, out((tenon_reduction*)nullptr));
    if (type == "tenon_scan")
      return tenon_scan_create("T x", "T y", "", "a + b", "0", 0, nullptr, out((tenon_scan*)nullptr));
    if (type == "tenon_compilation") {
      const int32_t status = tenon_compilation_start(device, kernel_source, std::strlen(kernel_source), nullptr,
                                                     out((tenon_compilation*)nullptr));
      tenon_program* program = nullptr;  // waited for, so that every function has a result to report
      const int32_t over =
          status ? status : tenon_compilation_wait(static_cast<tenon_compilation*>(*made), -1, &program);
      if (over && !status) tenon_compilation_release(static_cast<tenon_compilation*>(*made));
      tenon_program_release(program);
      return over;
    }
    if (type == "tenon_graph") return tenon_graph_create(device, out((tenon_graph*)nullptr));
    if (type == "tenon_package") return load_package(context_, out((tenon_package*)nullptr));
    if (type == "tenon_operation")
      return tenon_package_operation(live<tenon_package>("tenon_package"), "f", out((tenon_operation*)nullptr));
    auto* program = live<tenon_program>("tenon_program");
    if (!program) return TENON_ERROR_MISSING_LIBRARY;
    if (type == "tenon_kernel") return tenon_program_kernel(program, "k", out((tenon_kernel*)nullptr));
    if (type == "tenon_call") {
      const tenon_arg arg = array_argument();
      tenon_launch launch{};
      launch.struct_size = sizeof launch;
      return tenon_call_create(live<tenon_kernel>("tenon_kernel"), &launch, &arg, 1, out((tenon_call*)nullptr));
    }
    ADD_FAILURE() << type << " is a new handle type: say here how one is made";
    return TENON_ERROR_INTERNAL;
  }

 public:
  // The graph in the state that a function requires: being recorded, empty, or with a node that launches the kernel.
  void* graph_for(const std::string& function) const {
    auto* graph = live<tenon_graph>("tenon_graph");
    EXPECT_EQ(tenon_graph_clear(graph), TENON_OK);
    if (function == "tenon_graph_begin" || !live<tenon_kernel>("tenon_kernel")) return graph;
    tenon_stream* stream = nullptr;
    EXPECT_EQ(tenon_graph_begin(graph, &stream), TENON_OK) << tenon_error_last_message();
    if (function != "tenon_graph_end") {
      const tenon_arg arg = array_argument();
      tenon_launch launch{};
      launch.struct_size = sizeof launch;
      EXPECT_EQ(tenon_kernel_launch(live<tenon_kernel>("tenon_kernel"), &launch, &arg, 1, stream), TENON_OK)
          << tenon_error_last_message();
      EXPECT_EQ(tenon_graph_end(graph), TENON_OK) << tenon_error_last_message();
    }
    tenon_stream_release(stream);
    return graph;
  }
  tenon_arg array_argument() const {
    tenon_arg arg{};
    arg.kind = TENON_ARG_ARRAY;
    arg.value.array = live<tenon_array>("tenon_array");
    return arg;
  }

 private:
  tenon_context* const context_;
  const char* const device_;
  std::map<std::string, void*> live_;
};

// Samples that belong to a separate context.
Samples& samples_of_another_context() {
  static Samples* const samples = [] {
    tenon_context* context = nullptr;
    EXPECT_EQ(tenon_context_create(nullptr, &context), TENON_OK);
    return new Samples(context);
  }();
  return *samples;
}

// An array made by a copy of the library, as in a process that loads two packages with one copy each.
void* array_of_another_copy() {
  static void* const made = [] {
    Dl_info here;
    EXPECT_NE(0, dladdr(reinterpret_cast<void*>(&tenon_version), &here));
    char folder[] = "/tmp/tenon-copy-XXXXXX";
    EXPECT_NE(nullptr, mkdtemp(folder));
    const std::string path = std::string(folder) + "/libcopy.so";
    std::filesystem::copy_file(here.dli_fname, path);
    void* const copy = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    std::filesystem::remove_all(folder);
    EXPECT_NE(nullptr, copy) << dlerror();
    const auto get_api = reinterpret_cast<decltype(&tenon_get_api)>(dlsym(copy, "tenon_get_api"));
    const tenon_api* api = get_api(TENON_ABI_LEVEL);
    tenon_device* cpu = nullptr;
    tenon_array* out = nullptr;
    EXPECT_EQ(api->context_device(nullptr, "cpu:0", &cpu), TENON_OK);
    EXPECT_EQ(api->array_zeros(cpu, TENON_FLOAT32, 2, extents, nullptr, &out), TENON_OK);
    api->device_release(cpu);
    return static_cast<void*>(out);
  }();
  return made;
}

constexpr uint64_t key_bytes = 136;

// The key of shared memory that can be opened as long as the tests run.
std::string shared_key(tenon_device* device) {
  static const std::string key = [&] {
    tenon_buffer* buffer = nullptr;
    tenon_blob* blob = nullptr;
    const void* data = nullptr;
    uint64_t size = 0;
    EXPECT_EQ(tenon_buffer_create_shared(device, 4096, &buffer), TENON_OK) << tenon_error_last_message();
    EXPECT_EQ(tenon_buffer_share(buffer, &blob), TENON_OK) << tenon_error_last_message();
    EXPECT_EQ(tenon_blob_data(blob, &data, &size), TENON_OK);
    EXPECT_EQ(size, key_bytes);
    const std::string out(static_cast<const char*>(data), size);
    tenon_blob_release(blob);
    return out;
  }();
  return key;
}

uint64_t good_scalar(const std::string& function, const std::string& name) {
  if ((function == "tenon_program_image" || function == "tenon_program_compile") && name == "kind")
    return TENON_IMAGE_BINARY;
  if (function == "tenon_cache_clear" && name == "keep_bytes") return UINT64_MAX;  // removes nothing
  if (function == "tenon_device_limit_memory") return 0;                           // none, which the other tests need
  if (function == "tenon_kernel_occupancy" && name == "block_threads") return 32;
  for (const char* source : {"tenon_program_create", "tenon_program_compile", "tenon_compilation_start"})
    if (function == source && name == "size") return std::strlen(kernel_source);
  for (const char* call : {"tenon_elementwise_call", "tenon_reduction_call", "tenon_scan_call", "tenon_operation_call",
                           "tenon_operation_output", "tenon_operation_bind", "tenon_operation_prepare"})
    if (function == call && name == "count") return 2;
  if (function.starts_with("tenon_einsum") && name == "count") return 2;
  if (name == "input_count" || name == "output_count") return 1;
  if (function == "tenon_array_use" && name == "access") return TENON_ACCESS_READ;
  if (function == "tenon_buffer_open" && name == "size") return key_bytes;
  if (name == "function") {
    static const std::map<std::string, int32_t> codes = {{"tenon_binary", TENON_FN_ADD},
                                                         {"tenon_reduce", TENON_FN_SUM},
                                                         {"tenon_reduction_compose", TENON_FN_SUM},
                                                         {"tenon_segment_reduce", TENON_FN_SUM},
                                                         {"tenon_accumulate", TENON_FN_CUMULATIVE_SUM},
                                                         {"tenon_scan_compose", TENON_FN_CUMULATIVE_SUM},
                                                         {"tenon_segment_scan", TENON_FN_CUMULATIVE_SUM}};
    const auto code = codes.find(function);
    return uint64_t(code == codes.end() ? TENON_FN_ABS : code->second);
  }
  if (name == "spacing") return std::bit_cast<uint64_t>(1.0);
  static const std::map<std::string, uint64_t> values = {
      {"n", 2}, {"dtype", TENON_FLOAT32}, {"rank", 2}, {"bytes", sizeof elements}, {"count", 1}, {"axis_count", 1}};
  auto found = values.find(name);
  return found == values.end() ? 0 : found->second;
}

std::string good_text(const std::string& function, const std::string& name) {
  if (function == "tenon_program_kernel") return "k";
  if (function == "tenon_plugin_load") return "/proc/nowhere/plugin.so";
  if (name == "secret") return std::string(64, '7');
  if (function == "tenon_cache_export") return "/proc/nowhere/bundle";
  if (function == "tenon_package_operation") return "f";
  if (function == "tenon_package_find") return name == "range" ? "*" : "p";
  if (function == "tenon_operation_find") return name == "range" ? "*" : "p/f";
  static const std::map<std::string, std::string> values = {
      // for generated kernels
      {"inputs", "T x"}, {"outputs", "T y"},          {"output", "T y"},        {"operation", "y = x"},
      {"map", "x"},      {"reduce", "a + b"},         {"combine", "a + b"},     {"post", "a"},
      {"identity", "0"}, {"subscripts", "ij,jk->ik"}, {"architecture", "sm_90"}};
  auto found = values.find(name);
  return found == values.end() ? "cpu:0" : found->second;
}

// --- one call
// ----------------------------------------------------------------------------------------------------------

constexpr unsigned char untouched = 0xa5;
struct alignas(64) Block {
  unsigned char bytes[512];
};

// A callback that a function requires; NULL if it may be.
uint64_t good_callback(const std::string& function) {
  if (function == "tenon_stream_call_host")
    return reinterpret_cast<uint64_t>(static_cast<tenon_stream_fn>([](void*) {}));
  if (function == "tenon_array_follow") {
    const tenon_current_stream_fn current = [](int32_t, int32_t, void** out) { return *out = nullptr, 0; };
    return reinterpret_cast<uint64_t>(current);
  }
  return 0;
}

// A call of a function with good arguments, one of which is spoiled before it runs.
struct Attempt {
  Attempt(const Function& row, Samples& samples) : function(row), blocks(row.parameters.size()) {
    for (size_t i = 0; i < blocks.size(); ++i) arguments.bits.push_back(good(row.parameters[i], blocks[i], samples));
    before = blocks;
  }

  int32_t run() { return function.call(arguments); }

  uint64_t good(const Parameter& parameter, Block& block, Samples& samples) {
    const std::string name = parameter.name, type = parameter.type;
    // an inout_handle is NULL: the call makes it
    std::memset(&block, parameter.is_output() ? untouched : 0, sizeof block);
    switch (parameter.kind) {
      case Class::scalar: return good_scalar(function.name, name);
      case Class::callback: return good_callback(function.name);
      case Class::any_handle: return reinterpret_cast<uint64_t>(samples.get(type));
      case Class::handle:
        return reinterpret_cast<uint64_t>(type == "tenon_graph" ? samples.graph_for(function.name) : samples.get(type));
      case Class::foreign:
        return type == "DLManagedTensor" ? reinterpret_cast<uint64_t>(&legacy) : reinterpret_cast<uint64_t>(&versioned);
      case Class::text:
        std::strcpy(reinterpret_cast<char*>(block.bytes), good_text(function.name, name).c_str());
        break;
      case Class::options:
      case Class::out_record:
        set_size(block, parameter.size);
        if (function.name == std::string("tenon_segment_offsets"))
          reinterpret_cast<tenon_segment_options&>(block).segments = TENON_SEGMENTS_FLAGS;
        if (function.name == std::string("tenon_device_use_allocator")) {  // too late for the device of all tests
          auto& allocator = reinterpret_cast<tenon_allocator&>(block);
          allocator.allocate = [](void*, int32_t, int32_t, uint64_t, uint64_t, void**) -> int32_t { return 1; };
          allocator.deallocate = [](void*, int32_t, int32_t, void*, uint64_t, uint64_t) {};
        }
        break;
      case Class::record:
        if (type == "tenon_arg") {
          const bool number = name == "alpha" || name == "value" || name == "c" || name == "s";
          const tenon_arg arg = name == "beta" ? TENON_F64_ARG(0)
                                : number       ? TENON_F64_ARG(1)
                                               : samples.array_argument();
          std::memcpy(&block, &arg, sizeof arg);
          std::memcpy(block.bytes + sizeof arg, &arg, sizeof arg);  // for functions that take two
        }
        break;
      case Class::memory:
        if (name == "source") std::strcpy(reinterpret_cast<char*>(block.bytes), kernel_source);
        if (name == "key")
          std::memcpy(&block, shared_key(static_cast<tenon_device*>(samples.get("tenon_device"))).data(), key_bytes);
        if (name == "shape") std::memcpy(&block, extents, sizeof extents);
        if (name == "strides" || name == "steps") std::memcpy(&block, std::vector<int64_t>{2, 1}.data(), 16);
        if (name == "stops") std::memcpy(&block, extents, sizeof extents);
        // Lists of one array.
        if ((function.name == std::string("tenon_gemm_grouped") && name.size() == 1) || name == "arrays" ||
            name == "indices" || name == "operands") {
          void* const array[] = {samples.get("tenon_array"), samples.get("tenon_array")};
          std::memcpy(&block, array, sizeof array);
        }
        if (name == "inputs") std::memcpy(&block, std::vector<uint32_t>{TENON_FLOAT32}.data(), 4);
        if (name == "axes") std::memcpy(&block, std::vector<int32_t>{1, 0}.data(), 8);
        break;
      case Class::out_handle:
      case Class::inout_handle:
      case Class::out_value: break;
    }
    return reinterpret_cast<uint64_t>(&block);
  }

  static void set_size(Block& block, size_t size) {
    const uint32_t value = uint32_t(size);
    std::memcpy(&block, &value, sizeof value);
  }

  // Expects that the call failed with `wanted` and left everything as a failure must.
  void expect_failure(int32_t status, int32_t wanted) {
    EXPECT_STREQ(tenon_status_name(status), tenon_status_name(wanted)) << tenon_error_last_message();
    EXPECT_STRNE(tenon_error_last_message(), "");
    expect_nothing();
  }
  // Nothing is consumed and nothing given.
  void expect_nothing() {
    EXPECT_EQ(tensors_deleted, 0) << "a failing call consumed its tensor";
    for (size_t i = 0; i < blocks.size(); ++i) {
      const Parameter& parameter = function.parameters[i];
      if (!(parameter.is_output() || parameter.kind == Class::inout_handle) || !arguments.bits[i]) continue;
      if (parameter.kind == Class::out_handle) {
        EXPECT_EQ(*reinterpret_cast<void**>(&blocks[i]), nullptr) << parameter.name << " is not NULL after a failure";
      } else {
        EXPECT_EQ(std::memcmp(&blocks[i], &before[i], sizeof(Block)), 0)
            << parameter.name << " was written by a failing call";
      }
    }
  }

  // Releases the results of a successful call.
  void give_back() {
    for (size_t i = 0; i < blocks.size(); ++i) {
      void* made = *reinterpret_cast<void**>(&blocks[i]);
      const std::string type = function.parameters[i].type;
      const bool handle =
          function.parameters[i].kind == Class::out_handle || function.parameters[i].kind == Class::inout_handle;
      if (function.parameters[i].kind == Class::out_record && type == "tenon_allocator") {
        const auto& lent = *reinterpret_cast<const tenon_allocator*>(&blocks[i]);
        lent.destroy(lent.user);
      }
      if (!handle || !made) continue;
      if (type == "DLManagedTensor") static_cast<Legacy*>(made)->deleter(static_cast<Legacy*>(made));
      else if (type == "DLManagedTensorVersioned")
        static_cast<Versioned*>(made)->deleter(static_cast<Versioned*>(made));
      else handle_type(type).release(made);
    }
    if (function.verb == Verb::retain) handle_type(function.parameters[0].type).release(arguments.at<void*>(0));
    tensors_deleted = 0;
  }

  const Function& function;
  std::vector<Block> blocks, before;
  Arguments arguments;
};

class Rows : public testing::TestWithParam<Function> {
 protected:
  static void SetUpTestSuite() { samples = new Samples; }
  static void TearDownTestSuite() { delete samples; }

  void SetUp() override {
    for (const Parameter& parameter : GetParam().parameters)
      if (parameter.kind == Class::handle && !samples->get(parameter.type))
        GTEST_SKIP() << "no compiler for kernels on this machine: there is no " << parameter.type;
  }

  // Runs `spoil(attempt, i)` on a fresh attempt for each parameter of a class; it returns the expected status.
  template <class F> void each(std::initializer_list<Class> kinds, F&& spoil) {
    for (size_t i = 0; i < GetParam().parameters.size(); ++i) {
      const Parameter& parameter = GetParam().parameters[i];
      if (std::find(kinds.begin(), kinds.end(), parameter.kind) == kinds.end()) continue;
      SCOPED_TRACE(std::string("parameter ") + parameter.name);
      spoil(parameter, i);
    }
  }

  // The function's result for good arguments.
  int32_t usual() {
    Attempt attempt(GetParam(), *samples);
    const int32_t status = attempt.run();
    if (status == TENON_OK) attempt.give_back();
    return status;
  }

  void expect_with(size_t i, const void* value, int32_t wanted) {
    Attempt attempt(GetParam(), *samples);
    attempt.arguments.bits[i] = reinterpret_cast<uint64_t>(value);
    attempt.expect_failure(attempt.run(), wanted);
  }

  static inline Samples* samples = nullptr;
};

// The functions to which a rule applies.
template <class F> std::vector<Function> rows_where(F&& wanted) {
  std::vector<Function> rows;
  std::copy_if(functions.begin(), functions.end(), std::back_inserter(rows), wanted);
  return rows;
}
bool is_call(const Function& row) { return row.verb != Verb::release; }
bool has(const Function& row, std::initializer_list<Class> kinds) {
  return std::any_of(row.parameters.begin(), row.parameters.end(),
                     [&](const Parameter& p) { return std::find(kinds.begin(), kinds.end(), p.kind) != kinds.end(); });
}

// Copies between devices, functions that order streams of two devices, and types that only belong to a context.
bool takes_two_devices(const std::string& function) {
  static const std::vector<std::string> functions = {
      "tenon_array_copy",          "tenon_array_convert",     "tenon_array_to_host",
      "tenon_array_set_from_host", "tenon_array_to_dlpack",   "tenon_array_to_dlpack_versioned",
      "tenon_buffer_wrap",         "tenon_stream_wait_event", "tenon_package_prepare",
      "tenon_operation_test",      "tenon_operation_measure", "tenon_operation_tune"};
  return std::find(functions.begin(), functions.end(), function) != functions.end();
}

// Is an argument other than argument i bound to a context?
bool others_are_bound(const Function& row, size_t i) {
  for (size_t k = 0; k < row.parameters.size(); ++k) {
    const Parameter& p = row.parameters[k];
    const std::string name = p.name;
    if (k == i) continue;
    if (p.kind == Class::handle && of_a_context(p.type)) return true;
    if (p.kind == Class::record && p.type == std::string("tenon_arg") && name == "args") return true;
    if (p.kind == Class::memory && (name == "arrays" || name == "indices" || name == "operands")) return true;
  }
  return false;
}

class EveryFunction : public Rows {};
class EveryArgument : public Rows {};
class EveryHandle : public Rows {};
class EveryNumber : public Rows {};
class EveryGivenOutput : public Rows {};
class EveryStruct : public Rows {};
class EveryRelease : public Rows {};

// --- the rules -------------------------------------------------------------------------------------

// If this fails, the other tests prove nothing: their calls would fail for reasons other than the planted one.
TEST_P(EveryFunction, takes_good_arguments) {
  Attempt attempt(GetParam(), *samples);
  const int32_t status = attempt.run();
  EXPECT_TRUE(status != TENON_ERROR_INVALID_ARGUMENT && status != TENON_ERROR_INVALID_HANDLE &&
              status != TENON_ERROR_VERSION && status != TENON_ERROR_INTERNAL)
      << tenon_status_name(status) << ": " << tenon_error_last_message();
  if (status == TENON_OK) attempt.give_back();
}

TEST_P(EveryFunction, refuses_null) {
  for (size_t i = 0; i < GetParam().parameters.size(); ++i) {
    const Parameter& parameter = GetParam().parameters[i];
    if (parameter.may_be_null || parameter.kind == Class::scalar) continue;
    SCOPED_TRACE(std::string("parameter ") + parameter.name);
    expect_with(i, nullptr, TENON_ERROR_INVALID_ARGUMENT);
  }
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// Fails the allocations from number n of the calling thread on, or that one alone; whether the call came so far.
class Exhausted {
 public:
  Exhausted(long n, bool for_ever) {
    static const bool found = (find_loader(), true);
    (void)found;
    g_for_ever = for_ever;
    g_countdown = n;
    t_counts = true;
  }
  bool end() {
    t_counts = false;
    const bool reached = g_countdown < 0;
    g_countdown = -1;
    g_failing = false;
    return reached;
  }
};

// One allocation fails, or all from one on: the call works or says what is missing, and works afterwards. Of long
// calls a sample of the allocations; few where each call compiles.
TEST_P(EveryFunction, may_find_no_memory) {
  const std::string name = GetParam().name;
  const int32_t before = (usual(), usual());
  const bool compiles = name.find("compil") != name.npos || name.find("prepare") != name.npos ||
                        name.find("tune") != name.npos || name.find("measure") != name.npos ||
                        name.find("operation_test") != name.npos || name.find("package_test") != name.npos;
  for (const bool for_ever : {false, true})
    for (long n = 0, tried = 0; tried < (compiles ? 12 : 60); ++tried, n += tried < 30 ? 1 : 1 + n / 8) {
      SCOPED_TRACE((for_ever ? "all allocations from " : "only allocation ") + std::to_string(n));
      Attempt attempt(GetParam(), *samples);
      Exhausted heap(n, for_ever);
      const int32_t status = attempt.run();
      const bool reached = heap.end();
      if (status == TENON_OK) {
        attempt.give_back();
      } else if (status != before) {
        EXPECT_NE(status, TENON_ERROR_INTERNAL) << tenon_error_last_message();
        EXPECT_STRNE(tenon_error_last_message(), "");
        EXPECT_TRUE(reached) << tenon_status_name(status) << ": " << tenon_error_last_message();
        attempt.expect_nothing();
      }
      if (!reached || HasFailure()) break;
    }
  EXPECT_STREQ(tenon_status_name(usual()), tenon_status_name(before)) << tenon_error_last_message();
}
#endif

TEST_P(EveryHandle, of_another_kind_is_refused) {
  each({Class::handle}, [&](const Parameter& parameter, size_t i) {
    for (const HandleType& other : handle_types) {
      if (other.name == std::string(parameter.type) || !samples->get(other.name)) continue;
      SCOPED_TRACE(other.name);
      expect_with(i, samples->get(other.name), TENON_ERROR_INVALID_HANDLE);
    }
  });
}

TEST_P(EveryHandle, that_was_never_one_is_refused) {
  static const Block zeros{};
  each({Class::handle, Class::any_handle},
       [&](const Parameter&, size_t i) { expect_with(i, &zeros, TENON_ERROR_INVALID_HANDLE); });
}

TEST_P(EveryHandle, that_was_released_is_refused) {
  each({Class::handle, Class::any_handle}, [&](const Parameter& parameter, size_t i) {
    void* stale = samples->make(parameter.type);
    handle_type(parameter.type).release(stale);
    expect_with(i, stale, TENON_ERROR_INVALID_HANDLE);
  });
}

TEST_P(EveryHandle, that_is_misaligned_is_refused) {
  each({Class::handle, Class::any_handle}, [&](const Parameter& parameter, size_t i) {
    for (const int distance : {1, 4, 8})
      expect_with(i, static_cast<char*>(samples->get(parameter.type)) + distance, TENON_ERROR_INVALID_HANDLE);
  });
}

TEST_P(EveryHandle, of_another_copy_of_the_library_is_refused) {
  each({Class::handle, Class::any_handle}, [&](const Parameter&, size_t i) {
    expect_with(i, array_of_another_copy(), TENON_ERROR_INVALID_HANDLE);
    EXPECT_NE(std::string(tenon_error_last_message()).find("another copy of libtenon"), std::string::npos)
        << tenon_error_last_message();
  });
}

TEST_P(EveryHandle, of_another_context_is_refused_beside_those_of_one) {
  Samples& others = samples_of_another_context();
  each({Class::handle}, [&](const Parameter& parameter, size_t i) {
    if (!of_a_context(parameter.type) || !others.get(parameter.type)) return;
    Attempt attempt(GetParam(), *samples);
    void* foreign =
        parameter.type == std::string("tenon_graph") ? others.graph_for(GetParam().name) : others.get(parameter.type);
    attempt.arguments.bits[i] = reinterpret_cast<uint64_t>(foreign);
    const int32_t status = attempt.run();
    // If a function refuses the samples anyway, it may refuse them first.
    if (others_are_bound(GetParam(), i))
      return attempt.expect_failure(status, status != TENON_OK && status == usual() ? status : TENON_ERROR_CONTEXT);
    EXPECT_NE(status, TENON_ERROR_INTERNAL);
    if (status == TENON_OK) attempt.give_back();
  });
}

// For a GPU, or a driver that simulates one.
TEST_P(EveryHandle, of_another_device_is_refused_beside_those_of_one) {
  static Samples* const others = [] {
    tenon_device* gpu = nullptr;
    const bool there = tenon_context_device(nullptr, "cuda:0", &gpu) == TENON_OK;
    tenon_device_release(gpu);
    return there ? new Samples(nullptr, "cuda:0") : nullptr;
  }();
  if (!others) GTEST_SKIP() << "there is one device only";
  each({Class::handle}, [&](const Parameter& parameter, size_t i) {
    const std::string type = parameter.type;
    if (!of_a_context(type) || !others->get(type) || type == "tenon_graph") return;
    Attempt attempt(GetParam(), *samples);
    attempt.arguments.bits[i] = reinterpret_cast<uint64_t>(others->get(type));
    const int32_t status = attempt.run();
    if (others_are_bound(GetParam(), i) && !takes_two_devices(GetParam().name))
      return attempt.expect_failure(status, status != TENON_OK && status == usual() ? status : TENON_ERROR_DEVICE);
    EXPECT_NE(status, TENON_ERROR_INTERNAL) << tenon_error_last_message();
    if (status == TENON_OK) attempt.give_back();
  });
}

TEST_P(EveryArgument, that_is_none_is_refused) {
  each({Class::record}, [&](const Parameter& parameter, size_t i) {
    if (parameter.type != std::string("tenon_arg")) return;
    const auto refused = [&](const tenon_arg& arg, std::initializer_list<int32_t> statuses) {
      Attempt attempt(GetParam(), *samples);
      std::memcpy(&attempt.blocks[i], &arg, sizeof arg);
      attempt.before = attempt.blocks;
      const int32_t status = attempt.run();
      const bool right = std::find(statuses.begin(), statuses.end(), status) != statuses.end();
      attempt.expect_failure(status, right ? status : *statuses.begin());
    };
    const Attempt good(GetParam(), *samples);
    tenon_arg first;
    std::memcpy(&first, &good.blocks[i], sizeof first);
    const bool takes_arrays = first.kind == TENON_ARG_ARRAY;
    for (const uint32_t kind : {0u, 7u, UINT32_MAX}) {
      SCOPED_TRACE("kind " + std::to_string(kind));
      tenon_arg arg = first;
      arg.kind = kind;
      refused(arg, {TENON_ERROR_INVALID_ARGUMENT});
    }
    tenon_array* stale = static_cast<tenon_array*>(samples->make("tenon_array"));
    tenon_array_release(stale);
    static Block zeros{};
    for (void* bad : {static_cast<void*>(stale), samples->get("tenon_stream"), static_cast<void*>(&zeros),
                      array_of_another_copy()}) {
      SCOPED_TRACE("an array that is none");
      const tenon_arg arg = TENON_ARRAY_ARG(static_cast<tenon_array*>(bad));
      if (takes_arrays) refused(arg, {TENON_ERROR_INVALID_HANDLE});
      else refused(arg, {TENON_ERROR_INVALID_HANDLE, TENON_ERROR_INVALID_ARGUMENT});
    }
    const tenon_arg no_array = TENON_ARRAY_ARG(nullptr);
    refused(no_array, {TENON_ERROR_INVALID_ARGUMENT});
    tenon_arg half = TENON_F64_ARG(0.5);
    half.size = 3;
    refused(half, {TENON_ERROR_INVALID_ARGUMENT, TENON_ERROR_DTYPE});
    half.size = 8, half.dtype = 0x7f;
    refused(half, {TENON_ERROR_DTYPE, TENON_ERROR_INVALID_ARGUMENT});
    if (!takes_arrays) return;
    const tenon_arg foreign =
        TENON_ARRAY_ARG(static_cast<tenon_array*>(samples_of_another_context().get("tenon_array")));
    if (others_are_bound(GetParam(), i)) refused(foreign, {TENON_ERROR_CONTEXT});
  });
}

// At the limits of its type, a number is either accepted or refused, with nothing written.
TEST_P(EveryNumber, at_the_ends_of_its_type_is_taken_or_refused) {
  // Functions that act on the process or on files.
  for (const char* name : {"tenon_cache_clear", "tenon_cpu_threads_set"})
    if (GetParam().name == std::string(name)) return;
  each({Class::scalar}, [&](const Parameter& parameter, size_t i) {
    for (const uint64_t value : extremes(parameter.takes, parameter.type)) {
      SCOPED_TRACE(value);
      Attempt attempt(GetParam(), *samples);
      attempt.arguments.bits[i] = value;
      const int32_t status = attempt.run();
      EXPECT_NE(status, TENON_ERROR_INTERNAL) << tenon_error_last_message();
      if (status == TENON_OK) attempt.give_back();
      else attempt.expect_failure(status, status);
    }
  });
}

TEST_P(EveryNumber, that_stands_for_nothing_is_refused) {
  each({Class::scalar}, [&](const Parameter& parameter, size_t i) {
    for (const int32_t value : wrong_values(parameter.takes, parameter.enumeration)) {
      SCOPED_TRACE(value);
      Attempt attempt(GetParam(), *samples);
      attempt.arguments.bits[i] = uint32_t(value);
      const bool dtype = parameter.enumeration == std::string("DTYPE");
      attempt.expect_failure(attempt.run(), dtype ? TENON_ERROR_DTYPE : TENON_ERROR_INVALID_ARGUMENT);
    }
  });
}

TEST_P(EveryStruct, of_a_size_that_it_never_had_is_refused) {
  each({Class::options, Class::out_record}, [&](const Parameter& parameter, size_t i) {
    const std::vector<size_t>& known = struct_of(parameter.type).sizes;
    for (const size_t size :
         {size_t(0), size_t(4), sizeof(void*), parameter.size - 4, parameter.size + 2, size_t(4100), size_t(65536)}) {
      if (std::find(known.begin(), known.end(), size) != known.end()) continue;
      SCOPED_TRACE(size);
      Attempt attempt(GetParam(), *samples);
      Attempt::set_size(attempt.blocks[i], size);
      attempt.before = attempt.blocks;
      attempt.expect_failure(attempt.run(), TENON_ERROR_INVALID_ARGUMENT);
      EXPECT_NE(std::string(tenon_error_last_message()).find("struct_size " + std::to_string(size)), std::string::npos)
          << tenon_error_last_message();
    }
  });
}

TEST_P(EveryGivenOutput, that_is_no_live_array_is_refused_and_left_alone) {
  each({Class::inout_handle}, [&](const Parameter& parameter, size_t i) {
    void* stale = samples->make(parameter.type);
    handle_type(parameter.type).release(stale);
    static Block zeros{};
    for (void* bad : {stale, samples->get("tenon_stream"), static_cast<void*>(&zeros)}) {
      Attempt attempt(GetParam(), *samples);
      std::memcpy(&attempt.blocks[i], &bad, sizeof bad);
      attempt.before = attempt.blocks;
      attempt.expect_failure(attempt.run(), TENON_ERROR_INVALID_HANDLE);
    }
  });
}

TEST_P(EveryGivenOutput, that_cannot_hold_the_result_is_refused_and_left_alone) {
  tenon_device* cpu = nullptr;
  tenon_array* wrong = nullptr;
  const int64_t shape[] = {3, 1, 5};
  ASSERT_EQ(tenon_context_device(nullptr, "cpu:0", &cpu), TENON_OK);
  ASSERT_EQ(tenon_array_create(cpu, TENON_INT16, 3, shape, nullptr, &wrong), TENON_OK);
  each({Class::inout_handle}, [&](const Parameter&, size_t i) {
    Attempt plain(GetParam(), *samples);
    const int32_t usual = plain.run();
    if (usual != TENON_OK) return;  // these samples are refused anyway: the function's own test passes outputs to it
    plain.give_back();
    Attempt attempt(GetParam(), *samples);
    std::memcpy(&attempt.blocks[i], &wrong, sizeof wrong);
    attempt.before = attempt.blocks;
    const int32_t status = attempt.run();
    attempt.expect_failure(status, status == TENON_ERROR_SHAPE ? TENON_ERROR_SHAPE : TENON_ERROR_DTYPE);
  });
  tenon_array_release(wrong);
  tenon_device_release(cpu);
}

TEST_P(EveryStruct, of_a_newer_version_is_taken_as_far_as_it_is_known) {
  Attempt plain(GetParam(), *samples);
  const int32_t usual = plain.run();
  if (usual == TENON_OK) plain.give_back();
  each({Class::options, Class::out_record}, [&](const Parameter& parameter, size_t i) {
    auto attempt_with = [&](unsigned char tail) {
      Attempt attempt(GetParam(), *samples);
      Attempt::set_size(attempt.blocks[i], parameter.size + 16);
      std::memset(attempt.blocks[i].bytes + parameter.size, tail, 16);
      attempt.before = attempt.blocks;
      return attempt;
    };
    if (parameter.kind == Class::options) {
      Attempt attempt = attempt_with(0);
      const int32_t status = attempt.run();
      EXPECT_STREQ(tenon_status_name(status), tenon_status_name(usual)) << tenon_error_last_message();
      if (status == TENON_OK) attempt.give_back();
      SCOPED_TRACE("a new field is used");
      Attempt used = attempt_with(1);
      used.expect_failure(used.run(), TENON_ERROR_VERSION);
    } else {
      Attempt attempt = attempt_with(untouched);
      const int32_t status = attempt.run();
      EXPECT_STREQ(tenon_status_name(status), tenon_status_name(usual)) << tenon_error_last_message();
      if (status != TENON_OK) return;
      const Block& filled = attempt.blocks[i];
      uint32_t size;
      std::memcpy(&size, filled.bytes, sizeof size);
      EXPECT_EQ(size, parameter.size + 16) << "struct_size was changed";
      for (size_t k = parameter.size; k < parameter.size + 16; ++k)
        EXPECT_EQ(filled.bytes[k], 0) << "byte " << k << " of a field that is not known";
      EXPECT_EQ(filled.bytes[parameter.size + 16], untouched) << "more was written than the struct has";
      attempt.give_back();
    }
  });
}

TEST_P(EveryGivenOutput, of_another_context_or_read_only_is_refused_and_left_alone) {
  tenon_array* read_only = nullptr;
  Versioned constant = {1, 0, nullptr, [](Versioned*) {}, 1, tensor};  // DLPACK_FLAG_BITMASK_READ_ONLY
  ASSERT_EQ(tenon_array_from_dlpack_versioned(nullptr, reinterpret_cast<DLManagedTensorVersioned*>(&constant), nullptr,
                                              &read_only),
            TENON_OK)
      << tenon_error_last_message();
  each({Class::inout_handle}, [&](const Parameter&, size_t i) {
    Attempt plain(GetParam(), *samples);
    if (plain.run() != TENON_OK) return;  // as in the test above
    tenon_array_info info{};
    info.struct_size = sizeof info;
    ASSERT_EQ(tenon_array_get_info(*reinterpret_cast<tenon_array**>(&plain.blocks[i]), &info), TENON_OK);
    const bool fits = info.dtype == TENON_FLOAT32 && info.rank == 2 && info.shape[0] == 2 && info.shape[1] == 2;
    plain.give_back();
    if (!fits) return;
    const auto refused = [&](void* array, int32_t wanted) {
      Attempt attempt(GetParam(), *samples);
      std::memcpy(&attempt.blocks[i], &array, sizeof array);
      attempt.before = attempt.blocks;
      attempt.expect_failure(attempt.run(), wanted);
    };
    refused(samples_of_another_context().get("tenon_array"), TENON_ERROR_CONTEXT);
    refused(read_only, TENON_ERROR_READ_ONLY);
    refused(array_of_another_copy(), TENON_ERROR_INVALID_HANDLE);
  });
  tenon_array_release(read_only);
}

TEST_P(EveryStruct, with_a_handle_that_is_none_is_refused) {
  each({Class::options}, [&](const Parameter& parameter, size_t i) {
    for (const Field& field : struct_of(parameter.type).fields) {
      if (field.takes != Takes::handle) continue;
      SCOPED_TRACE(field.name);
      void* stale = samples->make(field.type);
      handle_type(field.type).release(stale);
      static Block zeros{};
      for (void* bad : {stale, samples->get("tenon_stream"), static_cast<void*>(&zeros), array_of_another_copy()}) {
        Attempt attempt(GetParam(), *samples);
        std::memcpy(attempt.blocks[i].bytes + field.offset, &bad, sizeof bad);
        attempt.before = attempt.blocks;
        const int32_t status = attempt.run();  // INVALID_ARGUMENT: the function does not have the field
        attempt.expect_failure(status, status == TENON_ERROR_INVALID_ARGUMENT ? status : TENON_ERROR_INVALID_HANDLE);
      }
    }
  });
}

TEST_P(EveryStruct, with_a_number_at_the_ends_of_its_type_is_taken_or_refused) {
  each({Class::options}, [&](const Parameter& parameter, size_t i) {
    if (parameter.type == std::string("tenon_measure_options")) return;  // it would measure for ever
    for (const Field& field : struct_of(parameter.type).fields) {
      SCOPED_TRACE(field.name);
      for (const uint64_t value : extremes(field.takes, field.type)) {
        SCOPED_TRACE(value);
        Attempt attempt(GetParam(), *samples);
        std::memcpy(attempt.blocks[i].bytes + field.offset, &value,
                    field.type[0] == 'd' || std::strstr(field.type, "64") ? 8 : 4);
        attempt.before = attempt.blocks;
        const int32_t status = attempt.run();
        EXPECT_NE(status, TENON_ERROR_INTERNAL) << tenon_error_last_message();
        if (status == TENON_OK) attempt.give_back();
        else attempt.expect_failure(status, status);
      }
    }
  });
}

TEST_P(EveryStruct, with_a_field_that_means_nothing_is_refused) {
  each({Class::options}, [&](const Parameter& parameter, size_t i) {
    for (const Field& field : struct_of(parameter.type).fields) {
      SCOPED_TRACE(field.name);
      auto refused = [&](size_t offset, int32_t value) {
        Attempt attempt(GetParam(), *samples);
        std::memcpy(attempt.blocks[i].bytes + offset, &value, sizeof value);
        attempt.before = attempt.blocks;
        attempt.expect_failure(attempt.run(), field.takes == Takes::nothing ? TENON_ERROR_VERSION
                                              : field.enumeration == std::string("DTYPE")
                                                  ? TENON_ERROR_DTYPE
                                                  : TENON_ERROR_INVALID_ARGUMENT);
      };
      for (const int32_t value : wrong_values(field.takes, field.enumeration)) {
        SCOPED_TRACE(value);
        refused(field.offset, value);
      }
      if (field.takes != Takes::list || field.enumeration == std::string("size")) continue;
      for (const int32_t count : {1, -1}) {  // with a list that is NULL
        SCOPED_TRACE(std::string(field.enumeration) + " = " + std::to_string(count));
        refused(field.count_offset, count);
      }
    }
  });
}

TEST_P(EveryRelease, takes_anything_and_leaves_the_error_record_alone) {
  const std::string type = GetParam().parameters[0].type;
  void* stale = samples->make(type);
  if (!stale) GTEST_SKIP() << "there is no " << type;
  ASSERT_EQ(tenon_context_default(nullptr), TENON_ERROR_INVALID_ARGUMENT);
  const std::string message = tenon_error_last_message();
  const HandleType& self = handle_type(type);
  self.release(stale);
  self.release(nullptr);
  self.release(stale);
  for (const HandleType& other : handle_types) {
    void* victim = samples->get(other.name);
    if (other.name == type || !victim) continue;
    self.release(victim);
    EXPECT_EQ(other.retain(victim), TENON_OK) << self.name << "_release ended the life of a " << other.name;
    other.release(victim);
  }
  EXPECT_EQ(tenon_error_last_message(), message);
}

std::string name_of(const testing::TestParamInfo<Function>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(, EveryFunction, testing::ValuesIn(rows_where(is_call)), name_of);
INSTANTIATE_TEST_SUITE_P(, EveryHandle, testing::ValuesIn(rows_where([](const Function& row) {
                           return is_call(row) && has(row, {Class::handle, Class::any_handle});
                         })),
                         name_of);
INSTANTIATE_TEST_SUITE_P(, EveryArgument, testing::ValuesIn(rows_where([](const Function& row) {
                           return is_call(row) && has(row, {Class::record});
                         })),
                         name_of);
INSTANTIATE_TEST_SUITE_P(, EveryNumber, testing::ValuesIn(rows_where([](const Function& row) {
                           return is_call(row) &&
                                  std::any_of(row.parameters.begin(), row.parameters.end(), [](const Parameter& p) {
                                    return p.kind == Class::scalar && (!wrong_values(p.takes, p.enumeration).empty() ||
                                                                       !extremes(p.takes, p.type).empty());
                                  });
                         })),
                         name_of);
INSTANTIATE_TEST_SUITE_P(, EveryGivenOutput, testing::ValuesIn(rows_where([](const Function& row) {
                           return has(row, {Class::inout_handle});
                         })),
                         name_of);
INSTANTIATE_TEST_SUITE_P(, EveryStruct, testing::ValuesIn(rows_where([](const Function& row) {
                           return has(row, {Class::options, Class::out_record});
                         })),
                         name_of);
INSTANTIATE_TEST_SUITE_P(, EveryRelease, testing::ValuesIn(rows_where(std::not_fn(is_call))), name_of);

// --- functions that return text
// ----------------------------------------------------------------------------------------

TEST(Text, is_never_null) {
  EXPECT_NE(tenon_build_info(), nullptr);
  EXPECT_NE(tenon_error_last_message(), nullptr);
  for (int64_t value : {int64_t(-1), int64_t(0), int64_t(28), int64_t(INT32_MIN), int64_t(INT32_MAX)}) {
    EXPECT_NE(tenon_status_name(int32_t(value)), nullptr) << value;
    EXPECT_NE(tenon_dtype_name(uint32_t(value)), nullptr) << value;
  }
  EXPECT_STREQ(tenon_status_name(TENON_OK), "TENON_OK");
  EXPECT_STREQ(tenon_status_name(TENON_ERROR_INTERNAL), "TENON_ERROR_INTERNAL");
  EXPECT_STREQ(tenon_status_name(TENON_ERROR_INTERNAL + 1), "TENON_ERROR_UNKNOWN");
}

}  // namespace
