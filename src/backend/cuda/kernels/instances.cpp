// backend/cuda/kernels/instances.cpp: names, compiles and keeps the kernels of this backend.
#include "backend/cuda/kernels/instances.hpp"

#include <algorithm>
#include <shared_mutex>
#include <unordered_map>

namespace tenon::cuda {

extern const char kTypesText[];
extern const char kFindingText[], kReportText[];
extern const char kWorkText[];
extern const char kArrayKernels[];
extern const char kNumbersKernels[];
extern const char kFftKernels[];

namespace {

const char* const kElementName[] = {"tenon::u8",
                                    "tenon::u16",
                                    "tenon::u32",
                                    "tenon::u64",
                                    "tenon::u128",
                                    "tenon::boolean",
                                    "tenon::i8",
                                    "tenon::i16",
                                    "tenon::i32",
                                    "tenon::i64",
                                    "tenon::float16",
                                    "tenon::bfloat16",
                                    "float",
                                    "double",
                                    "tenon::complex<float>",
                                    "tenon::complex<double>",
                                    "tenon::conjugated<float>",
                                    "tenon::conjugated<double>"};
constexpr uint32_t kElementBytes[] = {1, 2, 4, 8, 16, 1, 1, 2, 4, 8, 2, 2, 4, 8, 8, 16, 8, 16};

}  // namespace

uint32_t bytes_of(Element element) { return kElementBytes[size_t(element)]; }

Element plain_element(uint32_t bytes) {
  switch (bytes) {
    case 1: return Element::u8;
    case 2: return Element::u16;
    case 4: return Element::u32;
    case 8: return Element::u64;
    case 16: return Element::u128;
  }
  fail(TENON_ERROR_DTYPE, "elements of %u bytes cannot be copied", bytes);
}

Element element_of(Dtype dtype) {
  switch (dtype) {
    case TENON_BOOL: return Element::boolean;
    case TENON_INT8: return Element::i8;
    case TENON_INT16: return Element::i16;
    case TENON_INT32: return Element::i32;
    case TENON_INT64: return Element::i64;
    case TENON_UINT8: return Element::u8;
    case TENON_UINT16: return Element::u16;
    case TENON_UINT32: return Element::u32;
    case TENON_UINT64: return Element::u64;
    case TENON_FLOAT16: return Element::f16;
    case TENON_BFLOAT16: return Element::bf16;
    case TENON_FLOAT32: return Element::f32;
    case TENON_FLOAT64: return Element::f64;
    case TENON_COMPLEX64: return Element::c64;
    case TENON_COMPLEX128: return Element::c128;
  }
  fail(TENON_ERROR_DTYPE, "%s cannot be converted", dtype_name(dtype).c_str());
}

std::string Instance::expression() const {
  const auto& [to, from, a, b, c, nested] = variant;
  const char* t = kElementName[size_t(to)];
  const char* f = kElementName[size_t(from)];
  switch (kind) {
    case Template::elements: return format("tenon::elements<%s, %s, %d, %d>", t, f, a, b);
    case Template::fill: return format("tenon::fill<%s, %d, %d>", t, a, b);
    case Template::scale: return format("tenon::scale<%s, %d, %d>", to == Element::c64 ? "float" : "double", a, b);
    case Template::rows: return "tenon::rows";
    case Template::tiles:
      return format("tenon::tiles<%s, %s, %d, %d, %d, %s>", t, f, a, b, c, nested ? "true" : "false");
    case Template::shifted_tiles:
      return format("tenon::shifted_tiles<%s, %s, %d, %d, %s>", t, f, b, c, nested ? "true" : "false");
    case Template::split: return format("tenon::split<%s, %d>", t, a);
    case Template::join: return format("tenon::join<%s, %d>", t, a);
    case Template::scale_and_perturb: return "tenon::scale_and_perturb";
    case Template::eigen_defect: return format("tenon::eigen_defect<%s>", t);
    case Template::eigen_gaps: return format("tenon::eigen_gaps<%s>", t);
    case Template::eigen_correction: return format("tenon::eigen_correction<%s>", t);
    case Template::gather_columns: return "tenon::gather_columns";
    case Template::small_products: return format("tenon::small_products<%s, %d, %d>", t, a, b);
    case Template::jacobi: return format("tenon::jacobi<%s, %s>", t, f);
    case Template::find_not_finite: return format("tenon::find_not_finite<%s>", t);
    case Template::find_zero: return format("tenon::find_zero<%s>", t);
    case Template::find_info: return "tenon::find_info";
    case Template::bound_pivots: return "tenon::bound_pivots";
    case Template::keep_triangle: return format("tenon::keep_triangle<%s>", t);
    case Template::gemm_epilogue: return format("tenon::gemm_epilogue<%s>", t);
    case Template::float_parts: return format("tenon::float_parts<%d>", a);
    case Template::combine: return format("tenon::combine<%s>", t);
    case Template::rotate: return format("tenon::rotate<%s, %s>", t, a ? "true" : "false");
    case Template::givens: return format("tenon::givens<%s, %s>", t, f);
    case Template::rotate_modified: return format("tenon::rotate_modified<%s>", t);
    case Template::givens_modified: return format("tenon::givens_modified<%s>", t);
    case Template::line_places: return format("tenon::line_places<%s>", t);
    case Template::write_addresses: return "tenon::write_addresses";
    case Template::cosine_before: return format("tenon::cosine_before<%s>", t);
    case Template::cosine_after: return format("tenon::cosine_after<%s>", t);
    case Template::spectra_product: return format("tenon::spectra_product<%s>", t);
    case Template::frequencies: return "tenon::frequencies";
    case Template::line_norms: return format("tenon::line_norms<%s, %s>", t, f);
  }
  return "";
}

// The instances that have been loaded on a device.
struct CopyState {
  std::shared_mutex mutex;
  std::unordered_map<uint64_t, Ref<Module>> modules;
};

namespace {

CopyState& copy_state_of(CudaDevice& device) {
  std::lock_guard lock(device.state_mutex());
  if (!device.copy_state) device.copy_state = std::make_shared<CopyState>();
  return *device.copy_state;
}

constexpr const char *array_source = kArrayKernels, *numbers_source = kNumbersKernels, *fft_source = kFftKernels;

struct Kernel {
  const char *source, *file, *parameters;
};
const Kernel kKernels[] = {
#define TENON_ROW(file, kernel, ...) {file##_source, "tenon/" #file ".cu", #__VA_ARGS__},
    TENON_CUDA_KERNELS(TENON_ROW)
#undef TENON_ROW
};

Module& load(CudaDevice& device, const Instance& instance) {
  const Kernel& kernel = kKernels[size_t(instance.kind)];
  const std::string expression = instance.expression();
  CompileRequest request;
  request.source =
      std::string("#define TENON_DEVICE_TEXT\n") + kFindingText + kReportText + kTypesText + kWorkText + kernel.source +
      format(
          "namespace tenon::work {\nstatic_assert(Matches<void(%s), decltype(%s)>::value, \"the kernel has "
          "other parameters than its list in work.hpp\");\n}\n",
          kernel.parameters, expression.c_str());
  request.name = kernel.file;
  request.kernels = {expression};
  request.options = {"-std=c++17"};
  Ref<Module> loaded = device.load(*device.context().images().get(device, request));
  CopyState& state = copy_state_of(device);
  std::unique_lock lock(state.mutex);
  return *state.modules.try_emplace(instance.key(), std::move(loaded)).first->second;
}

Module* find(CudaDevice& device, const Instance& instance) {
  CopyState& state = copy_state_of(device);
  std::shared_lock lock(state.mutex);
  auto found = state.modules.find(instance.key());
  return found == state.modules.end() ? nullptr : found->second.get();
}

Module& module_of(CudaDevice& device, const Instance& instance, Stream& stream) {
  if (Module* found = find(device, instance)) return *found;
  device.beside_capture(stream, "one of Tenon's own kernels must be loaded first",
                        [&device, instance] { load(device, instance); });
  return *find(device, instance);
}

}  // namespace

int64_t striding_blocks(CudaDevice& device, uint64_t count) {
  return int64_t(std::min<uint64_t>((count + 255) / 256, uint64_t(8 * std::max(device.info().multiprocessors, 1))));
}

void launch_instance(CudaDevice& device, const Instance& instance, const Blocks& blocks, void* const* params,
                     Stream& stream) {
  Geometry geometry;
  geometry.shared_bytes = uint32_t(blocks.shared_bytes);
  geometry.grid[0] = uint32_t(blocks.count);
  geometry.block[0] = blocks.threads;
  module_of(device, instance, stream).launch(0, geometry, params, stream);
}

}  // namespace tenon::cuda
