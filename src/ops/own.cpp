// ops/own.cpp: kernels of the sources in src/device, compiled when first needed.
#include "ops/own.hpp"

#include <algorithm>
#include "base/files.hpp"
#include "device/texts.hpp"

namespace tenon::ops {

namespace {

const std::string& chosen_kernels() {
  static const std::string chosen = base::environment("TENON_OWN_KERNELS");
  return chosen;
}

}  // namespace

bool by_kernels(const Device& device) { return chosen_kernels() == "1" || !device.native(); }

bool prefers_own(const Device& device) { return by_kernels(device) && chosen_kernels() != "0"; }

void launch_own(Device& device, const OwnKernel& kernel, const Geometry& geometry, const Values& values,
                Stream& stream) {
  std::string key;
  for (const std::string& name : kernel.names) key += name + ";";
  Module& module = device.own_module(
      key,
      [&] {
        CompileRequest request;
        request.source = std::string("#define TENON_DEVICE_TEXT\n") + device::kFindingText + device::kReportText +
                         device::kWorkText + device::kNumbersText;
        for (const char* text : kernel.texts) request.source += text ? text : "";
        request.name = kernel.file;
        request.kernels = kernel.names;
        request.options = {"-std=c++17", "-fmad=false"};
        return request;
      },
      stream);
  module.launch(kernel.index, geometry, values, stream);
}

OwnKernel select_kernels(int32_t index) {
  return {"tenon/select.cu",
          {device::kBlockText, device::kSelectKernels},
          {"tenon_own::select_count", "tenon_own::select_sum", "tenon_own::select_places"},
          index};
}

OwnKernel each_kernel(const std::string& operation, const char* work_type) {
  return {"tenon/each.cu",
          {device::kOrderText, device::kSelectText, device::kBlockText},
          {format("tenon_own::each<tenon_own::%s, tenon_own::%s>", operation.c_str(), work_type)}};
}

void launch_product(Device& device, Dtype dtype, const tenon_own::ProductWork& work, Stream& stream) {
  if (!by_kernels(device)) {
    device.run_native("product", [native = device.native(), dtype, work] { native->product(dtype, work); }, stream);
    return;
  }
  const OwnKernel kernel{
      "tenon/product.cu",
      {device::kProductText, device::kBlockText},
      {format("tenon_own::each<tenon_own::Product<%s>, tenon_own::ProductWork>", element_name(dtype, "a"))}};
  const int64_t count = work.m * work.n * work.batch;
  launch_own(device, kernel, striding_blocks(device, count), 256, stream, work, count);
}

int64_t striding_blocks(const Device& device, int64_t count) {
  return std::clamp<int64_t>((count + 255) / 256, 1, int64_t(16 * std::max(device.info().multiprocessors, 1)));
}

const char* element_name(Dtype dtype, const char* what) {
  switch (dtype) {
    case TENON_BOOL: return "tenon_own::boolean";
    case TENON_INT8: return "tenon_own::i8";
    case TENON_INT16: return "tenon_own::i16";
    case TENON_INT32: return "tenon_own::i32";
    case TENON_INT64: return "tenon_own::i64";
    case TENON_UINT8: return "tenon_own::u8";
    case TENON_UINT16: return "tenon_own::u16";
    case TENON_UINT32: return "tenon_own::u32";
    case TENON_UINT64: return "tenon_own::u64";
    case TENON_FLOAT16: return "tenon_own::half";
    case TENON_BFLOAT16: return "tenon_own::bfloat";
    case TENON_FLOAT32: return "float";
    case TENON_FLOAT64: return "double";
    default:
      fail(TENON_ERROR_DTYPE, "%s is %s: bool, an integer, float16, bfloat16, float32 or float64 is needed", what,
           dtype_name(dtype).c_str());
  }
}

const char* number_name(Dtype dtype, const char* what) {
  return dtype == TENON_COMPLEX64    ? "tenon_own::Complex<float>"
         : dtype == TENON_COMPLEX128 ? "tenon_own::Complex<double>"
                                     : element_name(dtype, what);
}

const char* ordered_name(Dtype dtype, const char* what) {
  return dtype == TENON_COMPLEX64    ? "tenon_own::Pair<float>"
         : dtype == TENON_COMPLEX128 ? "tenon_own::Pair<double>"
                                     : element_name(dtype, what);
}

void use(std::initializer_list<const Array*> read, std::initializer_list<const Array*> written, Stream& stream) {
  for (const Array* array : written)
    if (array) array->buffer().use(stream, true);
  for (const Array* array : read)
    if (array) array->buffer().use(stream, false);
}

Ref<Array> open_plain(const Output& out, Dtype dtype, Extents shape, Stream& stream,
                      std::initializer_list<Input> inputs) {
  out.check(dtype, shape, stream.device(), inputs);
  if (out.given() && out.given()->c_contiguous()) return Ref<Array>(out.given());
  return Array::create(stream.device(), dtype, shape, stream);
}

}  // namespace tenon::ops
