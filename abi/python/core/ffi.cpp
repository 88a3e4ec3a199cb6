/* abi/python/core/ffi.cpp: operations and kernels as targets of XLA's foreign function interface, for JAX.
 *
 * One handler runs any of them. What to run is in the attributes of the call: `target`, the address of a
 * tenon_operation or tenon_kernel; `launch`, a tenon_launch, which says that it is a kernel; and `args`, the call's
 * tenon_args, in which an array stands as its number (inputs first, then results) and bytes as their place in `args`.
 * The buffers are XLA's own; nothing is copied. The handler is called without the GIL, and touches no Python object. */
#include "ffi.hpp"

#include <cstring>
#include <string>
#include <vector>

#include "dlpack.hpp"
#include "xla_ffi.hpp"

namespace tenon_python {

namespace {

using namespace xla;

constexpr uint64_t read_only_flag = 1;

struct Kind {
  int32_t xla;
  uint8_t code, bits; /* DLPack's */
};
constexpr Kind kinds[] = {{1, 6, 8},   {2, 0, 8},   {3, 0, 16},   {4, 0, 32},  {5, 0, 64},  {6, 1, 8},
                          {7, 1, 16},  {8, 1, 32},  {9, 1, 64},   {10, 2, 16}, {11, 2, 32}, {12, 2, 64},
                          {16, 4, 16}, {15, 5, 64}, {18, 5, 128}, {19, 12, 8}, {20, 10, 8}};

/* One buffer as DLPack hands it over. Work that is still under way keeps it. */
struct Lent {
  VersionedTensor tensor;
  std::vector<int64_t> shape;
};

/* The array, or NULL with the library's error record set (or `why`). */
tenon_array* lend(const Buffer& buffer, int32_t device_type, int32_t device, bool writable, tenon_stream* stream,
                  std::string* why) {
  const Kind* kind = nullptr;
  for (const Kind& one : kinds)
    if (one.xla == buffer.dtype) kind = &one;
  if (!kind) {
    *why = "Tenon has no dtype for XLA's type " + std::to_string(buffer.dtype);
    return nullptr;
  }
  Lent* lent = new Lent{{}, {buffer.dims, buffer.dims + buffer.rank}};
  lent->tensor.major = 1;
  lent->tensor.manager_context = lent;
  lent->tensor.deleter = [](VersionedTensor* self) { delete static_cast<Lent*>(self->manager_context); };
  lent->tensor.flags = writable ? 0 : read_only_flag;
  lent->tensor.tensor = {
      buffer.data,        device_type, device, static_cast<int32_t>(buffer.rank), kind->code, kind->bits, 1,
      lent->shape.data(), nullptr,     0};
  tenon_array* array = nullptr;
  if (api->array_from_dlpack_versioned(nullptr, reinterpret_cast<DLManagedTensorVersioned*>(&lent->tensor), stream,
                                       &array))
    delete lent;
  return array;
}

struct FfiCall {
  CallFrame* frame;
  int32_t device_type;
  int32_t index = 0; /* of the device */
  std::vector<tenon_array*> arrays;
  std::vector<tenon_arg> args;
  tenon_stream* stream = nullptr;
  std::string why;

  ~FfiCall() {
    for (tenon_array* array : arrays) api->array_release(array);
    api->stream_release(stream);
  }

  const void* attribute(const char* name, int32_t type) const {
    const Attributes& all = frame->attributes;
    for (int64_t i = 0; i < all.size; i++)
      if (all.types[i] == type && std::string(all.names[i]->data, all.names[i]->size) == name) return all.values[i];
    return nullptr;
  }

  bool take_stream() {
    if (device_type == dl_cpu) return true;
    StreamGet get = {sizeof get, nullptr, frame->context, nullptr};
    if (frame->api->stream_get(&get)) {
      why = "XLA gives no stream for the call";
      return false;
    }
    if (frame->api->struct_size >= sizeof(Api)) {
      DeviceOrdinalGet ordinal = {sizeof ordinal, nullptr, frame->context, 0};
      if (!frame->api->device_ordinal_get(&ordinal)) index = ordinal.ordinal;
    }
    tenon_device* device = nullptr;
    int32_t status = api->context_device(nullptr, ("cuda:" + std::to_string(index)).c_str(), &device);
    if (!status) status = api->stream_wrap(device, reinterpret_cast<uintptr_t>(get.stream), nullptr, nullptr, &stream);
    api->device_release(device);
    return status == TENON_OK;
  }

  bool take_buffers() {
    const Buffers* lists[] = {&frame->arguments, &frame->results};
    for (const Buffers* list : lists) {
      for (int64_t i = 0; i < list->size; i++) {
        tenon_array* array = lend(*list->buffers[i], device_type, index, list == lists[1], stream, &why);
        if (!array) return false;
        arrays.push_back(array);
      }
    }
    return true;
  }

  bool take_arguments() {
    auto list = static_cast<const List*>(attribute("args", attribute_list));
    if (!list || list->size % sizeof(tenon_arg)) {
      why = "the call has no arguments: Tenon's targets are called by tenon.jax";
      return false;
    }
    auto bytes = static_cast<const char*>(list->data);
    args.resize(list->size / sizeof(tenon_arg));
    if (!args.empty()) std::memcpy(args.data(), bytes, list->size);
    for (tenon_arg& one : args) {
      uint64_t place;
      std::memcpy(&place, &one.value, sizeof place);
      if (one.kind == TENON_ARG_ARRAY) {
        if (place >= arrays.size()) {
          why = "the call has fewer buffers than arguments";
          return false;
        }
        one.value.array = arrays[place];
      } else if (one.kind == TENON_ARG_BYTES) {
        one.value.bytes = bytes + place;
      }
    }
    return true;
  }

  bool run() {
    auto target = static_cast<const Scalar*>(attribute("target", attribute_scalar));
    auto count = static_cast<const Scalar*>(attribute("count", attribute_scalar));
    if (!target || !count || !take_stream() || !take_buffers() || !take_arguments()) return false;
    int64_t address, given;
    std::memcpy(&address, target->value, sizeof address);
    std::memcpy(&given, count->value, sizeof given);
    auto what = reinterpret_cast<void*>(static_cast<uintptr_t>(address));
    auto launch = static_cast<const List*>(attribute("launch", attribute_list));
    if (!launch)
      return !api->operation_call(static_cast<tenon_operation*>(what), args.data(), static_cast<int32_t>(given),
                                  stream);
    tenon_launch geometry = {};
    std::memcpy(&geometry, launch->data, launch->size < sizeof geometry ? launch->size : sizeof geometry);
    return !api->kernel_launch(static_cast<tenon_kernel*>(what), &geometry, args.data(), static_cast<int32_t>(given),
                               stream);
  }
};

/* XLA asks once what the handler was written for. */
bool tells_metadata(CallFrame* frame) {
  Extension* extension = frame->extension_start;
  if (!extension || extension->type != metadata_extension) return false;
  Metadata* metadata = reinterpret_cast<MetadataExtension*>(extension)->metadata;
  metadata->version.major = frame->api ? frame->api->version.major : 0;
  metadata->version.minor = frame->api ? frame->api->version.minor : 3;
  metadata->traits = 0;
  return true;
}

template <int32_t device_type> Error* handler(CallFrame* frame) {
  if (tells_metadata(frame) || frame->stage != execute_stage) return nullptr;
  FfiCall call{frame, device_type};
  if (call.run()) return nullptr;
  std::string message = "tenon: " + (call.why.empty() ? std::string(api->error_last_message()) : call.why);
  ErrorCreate create = {sizeof create, nullptr, message.c_str(), code_invalid_argument};
  return frame->api->error_create(&create);
}

PyObject* target(PyObject*, PyObject* platform) {
  void* function = PyUnicode_CompareWithASCIIString(platform, "cpu") == 0 ? reinterpret_cast<void*>(handler<dl_cpu>)
                                                                          : reinterpret_cast<void*>(handler<dl_cuda>);
  return PyCapsule_New(function, "xla._CUSTOM_CALL_TARGET", nullptr);
}

PyMethodDef ffi_functions[] = {
    {"ffi_target", target, METH_O, "ffi_target(platform): the handler for JAX, in a capsule; \"cpu\" or \"CUDA\"."},
    {}};

}  // namespace

int add_ffi(PyObject* module) { return PyModule_AddFunctions(module, ffi_functions); }

}  // namespace tenon_python
