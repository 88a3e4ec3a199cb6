/* abi/torch/kernels.cpp: operations as kernels of PyTorch's dispatcher, on the C functions of its stable interface.
 *
 * The dispatcher calls a function without data of its own, so there are 1024 instances of one template, each with its
 * operation. A number is taken once and not given again: a call may still be under way when its kernel is released. */
#include "tenon_torch.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dlpack.hpp"
#include "framework_stream.hpp"
#include "shim.hpp"

namespace tenon_torch {
namespace {

constexpr size_t most_kernels = 1024;
constexpr size_t most_parameters = 32;

const tenon_api* api = nullptr;
thread_local std::string last_message;

}  // namespace

int32_t fail(int32_t status, std::string text) {
  last_message = std::move(text);
  return status;
}

namespace {

// --- the LibTorch of this process ---

struct Torch {
#define TENON_MEMBER(name, result, parameters) result(*name) parameters = nullptr;
  TENON_TORCH_FUNCTIONS(TENON_MEMBER)
  struct {
    TENON_TORCH_NEWER_FUNCTIONS(TENON_MEMBER)
    bool found = false;
  } newer;
#undef TENON_MEMBER
  // Functions of C++ that count a write of a tensor, to which a handle points; NULL each if there is none of that name.
  bool (*is_inference)(Handle) = nullptr;
  void (*bump_version)(Handle) = nullptr;
  std::vector<std::pair<int32_t, uint32_t>> dtypes;  // PyTorch's number, Tenon's
  int32_t cpu = 0, cuda = 0;
  std::string missing;  // why it cannot be used; "" if it can

  Torch() {
    // Python opens LibTorch for itself alone, so its symbols are not among the process's.
    bool global = dlsym(RTLD_DEFAULT, "aoti_torch_library_impl") != nullptr;
    void* library = global ? RTLD_DEFAULT : dlopen("libtorch_cpu.so", RTLD_NOLOAD | RTLD_LAZY);
    if (!global && !library) {
      missing = "this process has not loaded LibTorch (libtorch_cpu.so)";
      return;
    }
#define TENON_FIND(name, result, parameters) find(library, "aoti_torch_" #name, name);
    TENON_TORCH_FUNCTIONS(TENON_FIND)
#undef TENON_FIND
#define TENON_FIND_DTYPE(theirs, ours) add_dtype(library, "aoti_torch_dtype_" #theirs, TENON_##ours);
    TENON_TORCH_DTYPES(TENON_FIND_DTYPE)
#undef TENON_FIND_DTYPE
    newer.found = true;
#define TENON_FIND(name, result, parameters)                                           \
  newer.name = reinterpret_cast<decltype(newer.name)>(dlsym(library, "torch_" #name)); \
  newer.found = newer.found && newer.name;
    TENON_TORCH_NEWER_FUNCTIONS(TENON_FIND)
#undef TENON_FIND
    is_inference = reinterpret_cast<bool (*)(Handle)>(dlsym(library, "_ZN2at6native12is_inferenceERKNS_6TensorE"));
    bump_version =
        reinterpret_cast<void (*)(Handle)>(dlsym(library, "_ZN5torch8autograd4impl12bump_versionERKN2at6TensorE"));
    if (missing.empty()) cpu = device_type_cpu(), cuda = device_type_cuda();
  }

  template <class Function> void find(void* library, const char* name, Function*& function) {
    function = reinterpret_cast<Function*>(dlsym(library, name));
    if (!function && missing.empty())
      missing = std::string("the LibTorch of this process has no ") + name + ": PyTorch 2.9 or later is needed";
  }

  void add_dtype(void* library, const char* name, uint32_t ours) {
    int32_t (*number)() = nullptr;
    find(library, name, number);
    if (number) dtypes.emplace_back(number(), ours);
  }

  bool counts_writes() const { return is_inference && bump_version; }

  uint32_t to_tenon(int32_t number) const {
    for (auto [theirs, ours] : dtypes)
      if (theirs == number) return ours;
    return 0;
  }

  int32_t from_tenon(uint32_t dtype) const {
    for (auto [theirs, ours] : dtypes)
      if (ours == dtype) return theirs;
    return -1;
  }
};

/* Looked for again until it is there: the process may load it later. */
const Torch& torch() {
  static std::atomic<const Torch*> found{nullptr};
  static std::mutex mutex;
  if (const Torch* known = found.load(std::memory_order_acquire)) return *known;
  std::lock_guard lock(mutex);
  thread_local std::unique_ptr<Torch> failed;
  if (const Torch* known = found.load(std::memory_order_acquire)) return *known;
  auto made = std::make_unique<Torch>();
  if (!made->missing.empty()) return *(failed = std::move(made));
  found.store(made.get(), std::memory_order_release);
  return *made.release();
}

/* A reference to a tensor. */
class Tensor {
 public:
  Tensor() = default;
  explicit Tensor(Handle owned) : handle_(owned) {}
  Tensor(Tensor&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Tensor& operator=(Tensor&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Tensor() {
    if (handle_) torch().delete_tensor_object(handle_);
  }
  Handle get() const { return handle_; }
  Handle release() { return std::exchange(handle_, nullptr); }
  explicit operator bool() const { return handle_ != nullptr; }

 private:
  Handle handle_ = nullptr;
};

class Array {
 public:
  Array() = default;
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array() { reset(nullptr); }
  tenon_array* get() const { return array_; }
  void reset(tenon_array* array) {
    if (tenon_array* old = std::exchange(array_, array)) api->array_release(old);
  }

 private:
  tenon_array* array_ = nullptr;
};

// --- one kernel ---

enum class Kind { tensor, number, integer, boolean, choice };

struct Argument {
  int parameter;  // of the operation
  Kind kind;      // of each number of a list
  bool optional, list;
};

struct Parameter {
  std::string name;
  int32_t role;
  uint32_t dtype;  // 0: that of the arrays with the same placeholder
  int32_t placeholder;
  bool list;
  std::vector<std::string> choices;  // the words that stand for the numbers 0, 1 ...
};

struct Record {
  tenon_operation* operation;
  size_t index = 0;
  std::string name;
  std::vector<Argument> arguments;  // in the order of the schema
  std::vector<Parameter> parameters;
  std::vector<int> outputs;
};

/* A list or a text. */
class Owned {
 public:
  Owned() = default;
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() {
    if (handle_) remove_(handle_);
  }
  void own(Handle handle, int32_t (*remove)(Handle)) { handle_ = handle, remove_ = remove; }
  Handle get() const { return handle_; }

 private:
  Handle handle_ = nullptr;
  int32_t (*remove_)(Handle) = nullptr;
};

/* What the shapes and dtypes of the results of one call depend on, and the results. A thread keeps some of them:
 * without them each call would let Tenon allocate every result only to learn its shape. */
struct Shapes {
  struct Output {
    int32_t dtype = 0;  // PyTorch's number
    std::vector<int64_t> shape, strides;
  };
  const Record* record = nullptr;
  std::vector<int64_t> key;
  std::vector<Output> outputs;
};

Shapes& shapes_of(const Record& record) {
  thread_local std::array<Shapes, 16> known;
  return known[record.index % known.size()];
}

/* What went wrong in a call, which then throws. */
struct Failure {
  std::string text;
};

[[noreturn]] void refuse(const std::string& text) { throw Failure{text}; }
void check_tenon(int32_t status) {
  if (status) refuse(api->error_last_message());
}

class Call {
 public:
  Call(const Record& record, Value* stack) : record_(record) {
    take(stack);
    key_.reserve(8 * record.arguments.size());
    for (size_t i = 0; i < record_.arguments.size(); i++)
      if (record_.arguments[i].kind == Kind::tensor && tensors_[i])
        import(tensors_[i].get(), record_.arguments[i].parameter);
    for (size_t i = 0; i < record_.arguments.size(); i++)
      if (record_.arguments[i].kind != Kind::tensor && given_[i]) {
        if (record_.arguments[i].list) set_list(record_.arguments[i], owned_[i].get());
        else if (record_.arguments[i].kind == Kind::choice) set_choice(record_.arguments[i], owned_[i].get());
        else set_number(record_.arguments[i], values_[i]);
      }
  }

  void run(Value* stack) {
    Shapes& known = shapes_of(record_);
    if (known.record != &record_ || !std::equal(known.key.begin(), known.key.end(), key_.begin(), key_.end()))
      learn(known);
    for (size_t i = 0; i < record_.outputs.size(); i++) make_output(known.outputs[i], record_.outputs[i]);
    check_tenon(api->operation_call(record_.operation, arguments_.data(), count(), stream_.get()));
    for (Handle one : written_)
      if (!torch().is_inference(one)) torch().bump_version(one);  // inference tensors have no counter
    for (size_t i = 0; i < record_.outputs.size(); i++)
      stack[i] = reinterpret_cast<Value>(results_[record_.outputs[i]].release());
  }

 private:
  int32_t count() const { return static_cast<int32_t>(record_.parameters.size()); }

  /* Everything on the stack is the kernel's, so that it is taken before anything can fail. */
  void take(const Value* stack) noexcept {
    for (size_t i = 0; i < record_.arguments.size(); i++) {
      values_[i] = stack[i];
      given_[i] = true;
      if (record_.arguments[i].optional) {
        std::unique_ptr<Value> value(reinterpret_cast<Value*>(stack[i]));
        given_[i] = value != nullptr;
        if (value) values_[i] = *value;
      }
      if (given_[i] && record_.arguments[i].kind == Kind::tensor)
        tensors_[i] = Tensor(reinterpret_cast<Handle>(values_[i]));
      if (given_[i] && record_.arguments[i].list)
        owned_[i].own(reinterpret_cast<Handle>(values_[i]), torch().newer.delete_list);
      if (given_[i] && record_.arguments[i].kind == Kind::choice)
        owned_[i].own(reinterpret_cast<Handle>(values_[i]), torch().newer.delete_string);
    }
  }

  void set_array(int parameter) {
    arguments_[parameter].kind = TENON_ARG_ARRAY;
    arguments_[parameter].value.array = arrays_[parameter].get();
  }

  std::string device_name(int32_t kind, int32_t index) const {
    if (kind == torch().cpu) return "the CPU";
    return (kind == torch().cuda ? "cuda:" : "another device, number ") + std::to_string(index);
  }

  /* The first tensor's device is that of the call, and PyTorch's current stream there its stream. */
  void enter(int32_t kind, int32_t index, int parameter) {
    const std::string& name = record_.parameters[parameter].name;
    if (first_ >= 0) {
      if (kind == kind_ && index == index_) return;
      refuse(name + " is on " + device_name(kind, index) + ", but " + record_.parameters[first_].name + " on " +
             device_name(kind_, index_) + ": move one of them (.to)");
    }
    first_ = parameter, kind_ = kind, index_ = index;
    if (kind == torch().cpu) return;
    if (kind != torch().cuda) refuse(name + " is neither on the CPU nor on a CUDA device");
    std::string missing;
    const CudaTorch* cuda = cuda_torch(&missing);
    if (!cuda) refuse(missing);
    void* native = nullptr;
    if (cuda->get_current_cuda_stream(index, &native))
      refuse("PyTorch could not name its current stream on cuda:" + std::to_string(index));
    check_tenon(stream_.open(index, native, [index](tenon_device** device) {
      return api->context_device(nullptr, ("cuda:" + std::to_string(index)).c_str(), device);
    }));
  }

  /* The array keeps nothing: the call owns a reference to the tensor until its work is done, or enqueued on PyTorch's
   * stream, in whose order PyTorch's allocator gives memory to others. */
  void import(Handle tensor, int parameter) {
    const Torch& use = torch();
    int32_t kind = 0, index = 0, number = 0;
    int64_t rank = 0;
    tenon_python::VersionedTensor made = {1, 1, nullptr, nullptr, 0, {}};
    if (use.get_device_type(tensor, &kind) || (kind != use.cpu && use.get_device_index(tensor, &index)) ||
        use.get_dtype(tensor, &number) || use.get_dim(tensor, &rank) || use.get_sizes(tensor, &made.tensor.shape) ||
        use.get_strides(tensor, &made.tensor.strides) || use.get_data_ptr(tensor, &made.tensor.data))
      refuse("PyTorch could not describe " + record_.parameters[parameter].name);
    enter(kind, index, parameter);
    uint32_t dtype = use.to_tenon(number);
    if (!dtype) refuse(record_.parameters[parameter].name + " has a dtype that Tenon does not know");
    made.tensor.device_type = kind == use.cpu ? tenon_python::dl_cpu : tenon_python::dl_cuda;
    made.tensor.device_id = index;
    made.tensor.ndim = static_cast<int32_t>(rank);
    made.tensor.code = static_cast<uint8_t>(dtype);
    made.tensor.bits = static_cast<uint8_t>(dtype >> 8);
    made.tensor.lanes = 1;
    tenon_array* array = nullptr;
    check_tenon(api->array_from_dlpack_versioned(nullptr, reinterpret_cast<DLManagedTensorVersioned*>(&made),
                                                 stream_.get(), &array));
    if (record_.parameters[parameter].role == TENON_ROLE_INOUT) written_.push_back(tensor);
    arrays_[parameter].reset(array);
    set_array(parameter);
    if (record_.parameters[parameter].role == TENON_ROLE_OUT) return;
    key_.insert(key_.end(), {parameter, number, rank});
    key_.insert(key_.end(), made.tensor.shape, made.tensor.shape + rank);
  }

  /* The dtype of a number: its own, or that of an array with the same placeholder. */
  uint32_t dtype_of(const Parameter& one) const {
    if (one.dtype) return one.dtype;
    for (size_t i = 0; i < record_.parameters.size(); i++) {
      if (record_.parameters[i].placeholder != one.placeholder || !arrays_[i].get()) continue;
      tenon_array_info info = {};
      info.struct_size = sizeof info;
      check_tenon(api->array_get_info(arrays_[i].get(), &info));
      return info.dtype;
    }
    refuse("the dtype of " + one.name + " is that of an array that was left out");
  }

  template <class Integer> Integer fitting(const Parameter& one, int64_t value) const {
    if (!std::in_range<Integer>(value))
      refuse(one.name + " is " + std::to_string(value) + ", and must be at least " +
             std::to_string(std::numeric_limits<Integer>::min()) + " and at most " +
             std::to_string(std::numeric_limits<Integer>::max()));
    return static_cast<Integer>(value);
  }

  void set_number(const Argument& argument, Value bits) {
    tenon_arg& made = arguments_[argument.parameter];
    key_.insert(key_.end(), {argument.parameter, static_cast<int64_t>(bits)});
    made.kind = TENON_ARG_SCALAR;
    made.dtype = dtype_of(record_.parameters[argument.parameter]);
    write_number(argument, bits, made);
  }

  void set_list(const Argument& argument, Handle list) {
    const Parameter& one = record_.parameters[argument.parameter];
    const size_t width = (one.dtype >> 8 & 255) / 8;
    size_t size = 0;
    if (torch().newer.list_size(list, &size)) refuse("PyTorch could not count " + one.name);
    std::vector<char>& bytes = bytes_.emplace_back(std::max<size_t>(size * width, 1));
    key_.insert(key_.end(), {argument.parameter, static_cast<int64_t>(size)});
    for (size_t i = 0; i < size; i++) {
      Value bits = 0;
      if (torch().newer.list_get_item(list, i, &bits)) refuse("PyTorch could not read " + one.name);
      tenon_arg number = {};
      number.dtype = one.dtype;
      write_number(argument, bits, number);
      std::memcpy(bytes.data() + i * width, &number.value, width);
      key_.push_back(static_cast<int64_t>(bits));
    }
    tenon_arg& made = arguments_[argument.parameter];
    made.kind = TENON_ARG_BYTES;
    made.size = size * width;
    made.value.bytes = bytes.data();
  }

  void set_choice(const Argument& argument, Handle text) {
    const Parameter& one = record_.parameters[argument.parameter];
    size_t size = 0;
    const char* begin = nullptr;
    if (torch().newer.string_length(text, &size) || torch().newer.string_c_str(text, &begin))
      refuse("PyTorch could not read " + one.name);
    const std::string_view word(begin, size);
    const auto found = std::find(one.choices.begin(), one.choices.end(), word);
    if (found == one.choices.end()) {
      std::string words;
      for (const std::string& choice : one.choices) words += (words.empty() ? "" : ", ") + choice;
      refuse(one.name + " of " + record_.name + " is one of " + words + ", not '" + std::string(word) + "'");
    }
    tenon_arg& made = arguments_[argument.parameter];
    made.kind = TENON_ARG_SCALAR;
    made.dtype = TENON_INT32;
    made.value.i32 = static_cast<int32_t>(found - one.choices.begin());
    key_.insert(key_.end(), {argument.parameter, made.value.i32});
  }

  void write_number(const Argument& argument, Value bits, tenon_arg& made) const {
    const Parameter& one = record_.parameters[argument.parameter];
    double real;
    std::memcpy(&real, &bits, sizeof real);
    int64_t whole = static_cast<int64_t>(bits);
    if (argument.kind == Kind::boolean) whole = (bits & 0xff) != 0;
    if (argument.kind != Kind::number) real = static_cast<double>(whole);
    switch (made.dtype) {
      case TENON_FLOAT64: made.value.f64 = real; break;
      case TENON_FLOAT32: made.value.f32 = static_cast<float>(real); break;
      case TENON_BOOL: made.value.u8 = whole != 0; break;
      case TENON_INT8: made.value.i8 = fitting<int8_t>(one, whole); break;
      case TENON_INT16: made.value.i16 = fitting<int16_t>(one, whole); break;
      case TENON_INT32: made.value.i32 = fitting<int32_t>(one, whole); break;
      case TENON_INT64: made.value.i64 = whole; break;
      case TENON_UINT8: made.value.u8 = fitting<uint8_t>(one, whole); break;
      case TENON_UINT16: made.value.u16 = fitting<uint16_t>(one, whole); break;
      case TENON_UINT32: made.value.u32 = fitting<uint32_t>(one, whole); break;
      default: made.value.u64 = fitting<uint64_t>(one, whole); break;
    }
  }

  /* What was learned stays unknown if this fails. */
  void learn(Shapes& known) const {
    known.record = nullptr;
    known.outputs.clear();
    for (size_t i = 0; i < record_.outputs.size(); i++) known.outputs.push_back(learned(static_cast<int32_t>(i)));
    known.key.assign(key_.begin(), key_.end());
    known.record = &record_;
  }

  /* The library tells shape and dtype by an array, which goes back at once. */
  Shapes::Output learned(int32_t index) const {
    Array like;
    tenon_array* made = nullptr;
    check_tenon(api->operation_output(record_.operation, arguments_.data(), count(), index, stream_.get(), &made));
    like.reset(made);
    tenon_array_info info = {};
    info.struct_size = sizeof info;
    check_tenon(api->array_get_info(made, &info));
    Shapes::Output output{torch().from_tenon(info.dtype), {info.shape, info.shape + info.rank}, {}};
    if (output.dtype < 0)
      refuse(record_.parameters[record_.outputs[index]].name + " has a dtype that PyTorch does not know");
    output.strides.resize(output.shape.size());
    int64_t stride = 1;
    for (size_t i = output.shape.size(); i-- > 0;) {
      output.strides[i] = stride;
      stride *= std::max<int64_t>(output.shape[i], 1);
    }
    return output;
  }

  /* A tensor of PyTorch's memory; the interface of 2.9 cannot make one of memory that Tenon frees. */
  void make_output(const Shapes::Output& output, int parameter) {
    const std::string& name = record_.parameters[parameter].name;
    Handle result = nullptr;
    if (torch().empty_strided(static_cast<int64_t>(output.shape.size()), output.shape.data(), output.strides.data(),
                              output.dtype, kind_, index_, &result))
      refuse("PyTorch could not allocate " + name);
    results_[parameter] = Tensor(result);
    import(result, parameter);
  }

  std::vector<int64_t> key_;
  std::vector<Handle> written_;
  std::vector<std::vector<char>> bytes_;  // of the lists
  const Record& record_;
  int first_ = -1;  // the parameter of the first tensor; then its device, in PyTorch's numbers
  int32_t kind_ = torch().cpu, index_ = 0;
  tenon_python::WrappedStream stream_{api};  // none on the CPU
  std::array<Owned, most_parameters> owned_;
  std::array<Value, most_parameters> values_;
  std::array<bool, most_parameters> given_;
  std::array<Tensor, most_parameters> tensors_, results_;
  std::array<Array, most_parameters> arrays_;
  std::array<tenon_arg, most_parameters> arguments_{};
};

std::array<std::atomic<const Record*>, most_kernels> records;
std::mutex registering;
size_t taken = 0;

/* The text of the failure, or "". Everything of the call is gone when it returns. */
std::string run(const Record& record, Value* stack) noexcept {
  try {
    Call(record, stack).run(stack);
    return "";
  } catch (const Failure& failure) {
    // Tenon's messages begin with the operation's name
    return failure.text.find(record.name) == std::string::npos ? record.name + ": " + failure.text : failure.text;
  } catch (const std::exception& error) {
    return record.name + ": " + error.what();
  }
}

template <size_t index> void boxed(Value* stack, uint64_t, uint64_t) {
  const Record& record = *records[index].load(std::memory_order_acquire);
  std::string text = run(record, stack);
  if (!text.empty()) torch().check(false, record.name.c_str(), "tenon", 0, text.c_str());  // throws c10::Error
}

template <size_t... indices> constexpr std::array<Kernel, most_kernels> all(std::index_sequence<indices...>) {
  return {boxed<indices>...};
}
constexpr std::array<Kernel, most_kernels> kernels = all(std::make_index_sequence<most_kernels>());

// --- the schema ---

struct Schema {
  std::string space, name;
  struct One {
    std::string type, name;
  };
  std::vector<One> arguments;
  std::string definition;  // without the namespace
};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/* False if the text is not of the form NAMESPACE::NAME(TYPE NAME, ...) -> ... */
bool parse(std::string_view text, Schema& out) {
  size_t colons = text.find("::"), open = text.find('(');
  if (colons == std::string_view::npos || open == std::string_view::npos || colons > open || colons == 0) return false;
  out.space = text.substr(0, colons);
  out.name = trimmed(text.substr(colons + 2, open - colons - 2));
  out.definition = text.substr(colons + 2);
  if (text.find("->", open) == std::string_view::npos || out.name.empty()) return false;
  int depth = 1;
  size_t start = open + 1, at = start;
  for (; at < text.size() && depth; at++) {
    if (text[at] == '(') depth++;
    if (text[at] == ')') depth--;
    if (depth > 1 || (depth == 1 && text[at] != ',')) continue;
    std::string_view one = trimmed(text.substr(start, at - start));
    start = at + 1;
    if (one.empty() || one == "*") continue;
    size_t space = one.find(' ');
    if (space == std::string_view::npos) return false;
    std::string_view name = trimmed(one.substr(space + 1));
    out.arguments.push_back({std::string(one.substr(0, space)), std::string(name.substr(0, name.find('=')))});
  }
  return depth == 0;
}

/* For each parameter, the words of its choices, from an operation's description: JSON as Tenon writes it, where words
 * have no escapes. */
std::vector<std::vector<std::string>> choices_in(std::string_view json) {
  constexpr std::string_view start = "\"parameters\":[";
  std::vector<std::vector<std::string>> found;
  int depth = 0;
  bool words = false;
  for (size_t at = std::min(json.find(start), json.size()) + start.size(); at < json.size(); at++) {
    if (json[at] == '"') {
      const size_t begin = ++at;
      while (at < json.size() && json[at] != '"') at += json[at] == '\\' ? 2 : 1;
      const std::string_view text = json.substr(begin, at - begin);
      if (words) found.back().emplace_back(text);
      else words = depth == 1 && text == "choices" && json.substr(at + 1, 1) == ":";
    } else if (json[at] == '{' || json[at] == '[') {
      if (depth++ == 0) found.emplace_back();
    } else if (json[at] == '}' || json[at] == ']') {
      words = false;
      if (depth-- == 0) break;
    }
  }
  return found;
}

int32_t read_choices(Record& record) {
  tenon_blob* description = nullptr;
  const void* data = nullptr;
  uint64_t size = 0;
  int32_t status = api->operation_describe(record.operation, &description);
  if (!status) status = api->blob_data(description, &data, &size);
  std::vector<std::vector<std::string>> choices;
  if (!status) choices = choices_in({static_cast<const char*>(data), size});
  for (size_t i = 0; i < std::min(choices.size(), record.parameters.size()); i++)
    record.parameters[i].choices = std::move(choices[i]);
  api->blob_release(description);
  return status ? fail(status, api->error_last_message()) : TENON_OK;
}

int32_t read_parameters(Record& record) {
  tenon_operation_info info = {};
  info.struct_size = sizeof info;
  int32_t status = api->operation_get_info(record.operation, &info);
  for (int32_t i = 0; !status && i < info.parameter_count; i++) {
    tenon_operation_parameter_info one = {};
    one.struct_size = sizeof one;
    status = api->operation_get_parameter_info(record.operation, i, &one);
    if (status) break;
    record.parameters.push_back(
        {one.name, one.role, one.dtype, one.placeholder, (one.flags & TENON_OPERAND_LIST) != 0, {}});
    if (one.role == TENON_ROLE_OUT) record.outputs.push_back(i);
    if (one.role == TENON_ROLE_INOUT && !torch().counts_writes())
      return fail(TENON_ERROR_UNSUPPORTED, record.name + " writes " + one.name +
                                               " in place, which this PyTorch does not let C functions count: it needs "
                                               "Python's kernel");
  }
  return status ? fail(status, api->error_last_message()) : TENON_OK;
}

int32_t add_argument(Record& record, const Schema::One& one) {
  bool optional = one.type.back() == '?';
  std::string type = one.type.substr(0, one.type.size() - optional);
  const size_t bracket = type.find('[');
  const bool list = bracket != std::string::npos;
  if ((list || type == "str") && !torch().newer.found)
    return fail(TENON_ERROR_UNSUPPORTED,
                record.name + ": " + one.name + " is of type " + one.type + ", which needs PyTorch 2.10 or later");
  if (list) type.resize(bracket);
  Kind kind;
  if (type.starts_with("Tensor(")) type = "Tensor";  // with an alias: it is written
  if (type == "Tensor" && !list) {
    kind = Kind::tensor;
  } else if (type == "float") {
    kind = Kind::number;
  } else if (type == "int" || type == "SymInt") {
    kind = Kind::integer;
  } else if (type == "bool") {
    kind = Kind::boolean;
  } else if (type == "str" && !list) {
    kind = Kind::choice;
  } else {
    return fail(TENON_ERROR_UNSUPPORTED, record.name + ": " + one.name + " is of type " + one.type +
                                             ", which the stable interface of PyTorch 2.9 cannot carry");
  }
  for (size_t i = 0; i < record.parameters.size(); i++) {
    const Parameter& known = record.parameters[i];
    if (known.name != one.name || known.role == TENON_ROLE_OUT) continue;
    if ((known.role == TENON_ROLE_SCALAR) == (kind == Kind::tensor)) break;
    bool small = known.dtype == 0 || known.dtype == TENON_FLOAT32 || known.dtype == TENON_FLOAT64;
    for (uint32_t dtype : {TENON_BOOL, TENON_INT8, TENON_INT16, TENON_INT32, TENON_INT64, TENON_UINT8, TENON_UINT16,
                           TENON_UINT32, TENON_UINT64})
      small = small || known.dtype == dtype;
    // the dtype of a placeholder is known only in the call
    if (kind != Kind::tensor && (!small || known.dtype == 0))
      return fail(TENON_ERROR_UNSUPPORTED, record.name + ": the dtype of " + one.name + " needs Python's kernel");
    bool real = known.dtype == TENON_FLOAT32 || known.dtype == TENON_FLOAT64;
    if ((kind == Kind::number && !real) || known.list != list || (kind == Kind::choice) == known.choices.empty()) break;
    record.arguments.push_back({static_cast<int>(i), kind, optional, list});
    return TENON_OK;
  }
  return fail(TENON_ERROR_INVALID_ARGUMENT, record.name + ": the schema has \"" + one.type + " " + one.name +
                                                "\", which is no input of the operation's contract");
}

int32_t read_schema(Record& record, const Schema& schema) {
  if (int32_t status = read_parameters(record)) return status;
  if (int32_t status = read_choices(record)) return status;
  for (const Schema::One& one : schema.arguments)
    if (int32_t status = add_argument(record, one)) return status;
  size_t inputs = record.parameters.size() - record.outputs.size();
  if (record.arguments.size() != inputs)
    return fail(TENON_ERROR_INVALID_ARGUMENT, record.name + ": the schema has " +
                                                  std::to_string(record.arguments.size()) +
                                                  " arguments, and the operation's contract " + std::to_string(inputs));
  if (record.parameters.size() > most_parameters)
    return fail(TENON_ERROR_UNSUPPORTED, record.name + ": an operation of at most 32 parameters is needed");
  return TENON_OK;
}

}  // namespace
}  // namespace tenon_torch

struct tenon_torch_kernel {
  void *on_cpu = nullptr, *on_cuda = nullptr;  // PyTorch's libraries of kernels, of one each
  void* defined = nullptr;

  ~tenon_torch_kernel() {
    for (void* library : {on_cpu, on_cuda, defined})
      if (library) tenon_torch::torch().delete_library_object(library);
  }
};

namespace tenon_torch {
namespace {

int32_t register_kernel(tenon_operation* operation, const char* text, bool define, tenon_torch_kernel** out) {
  if (!torch().missing.empty()) return fail(TENON_ERROR_MISSING_LIBRARY, torch().missing);
  Schema schema;
  if (!parse(text, schema))
    return fail(TENON_ERROR_INVALID_ARGUMENT, std::string("the schema is \"") + text +
                                                  "\", and must be \"PACKAGE::OPERATION(TYPE NAME, ...) -> ...\"");
  auto record = std::make_unique<Record>();
  record->operation = operation;
  record->name = schema.space + "/" + schema.name;
  if (int32_t status = read_schema(*record, schema)) return status;
  if (taken == most_kernels)
    return fail(TENON_ERROR_OUT_OF_MEMORY,
                "1024 kernels have been registered in PyTorch, which is as many as there are");
  auto made = std::make_unique<tenon_torch_kernel>();
  const Torch& use = torch();
  if (define && (use.library_init_fragment(schema.space.c_str(), "tenon", 0, &made->defined) ||
                 use.library_def(made->defined, schema.definition.c_str())))
    return fail(TENON_ERROR_VENDOR, std::string("PyTorch refuses the schema ") + text + ": is it defined already?");
  if (use.library_init_impl(schema.space.c_str(), "CPU", "tenon", 0, &made->on_cpu) ||
      use.library_init_impl(schema.space.c_str(), "CUDA", "tenon", 0, &made->on_cuda))
    return fail(TENON_ERROR_VENDOR, "PyTorch refuses a library of kernels for " + schema.space);
  if (int32_t status = api->operation_retain(operation)) return fail(status, api->error_last_message());
  size_t index = taken++;
  record->index = index;
  const bool newer = std::any_of(record->arguments.begin(), record->arguments.end(),
                                 [](auto& one) { return one.list || one.kind == Kind::choice; });
  records[index].store(record.release(), std::memory_order_release);
  const char* name = schema.name.c_str();
  for (void* library : {made->on_cpu, made->on_cuda})
    if (newer ? use.newer.library_impl(library, name, kernels[index], newer_version)
              : use.library_impl(library, name, kernels[index]))
      return fail(TENON_ERROR_VENDOR, std::string("PyTorch refuses a kernel for ") + text);
  *out = made.release();
  return TENON_OK;
}

}  // namespace
}  // namespace tenon_torch

int32_t tenon_torch_register(const tenon_api* given, tenon_operation* operation, const char* schema, int32_t define,
                             tenon_torch_kernel** out_kernel) {
  using namespace tenon_torch;
  try {
    if (!given || !operation || !schema || !out_kernel)
      return fail(TENON_ERROR_INVALID_ARGUMENT,
                  "tenon_torch_register takes a table, an operation, a schema and a place "
                  "for the kernel; one of them is NULL");
    std::lock_guard lock(registering);
    *out_kernel = nullptr;
    if (api && api != given)
      return fail(TENON_ERROR_INVALID_ARGUMENT, "kernels of another libtenon have been registered in this process");
    api = given;
    return register_kernel(operation, schema, define != 0, out_kernel);
  } catch (const std::exception&) {
    return TENON_ERROR_OUT_OF_MEMORY;
  }
}

void tenon_torch_release(tenon_torch_kernel* kernel) { delete kernel; }

const char* tenon_torch_message(void) { return tenon_torch::last_message.c_str(); }
