// backend/cuda/kernels/instances.hpp: launches of the kernels of this backend (array.cu, numbers.cu, fft.cu), each
// compiled on first use.
#pragma once
#include "backend/cuda/device.hpp"
#include "backend/cuda/kernels/work.hpp"

namespace tenon::cuda {

enum class Element : uint8_t {
  u8,
  u16,
  u32,
  u64,
  u128,
  boolean,
  i8,
  i16,
  i32,
  i64,
  f16,
  bf16,
  f32,
  f64,
  c64,
  c128,
  j64,
  j128
};  // j: numbers that are conjugated when read

uint32_t bytes_of(Element element);
Element plain_element(uint32_t bytes);  // the unsigned integer of that size
Element element_of(Dtype dtype);        // throws DTYPE

// The kernels of work.hpp.
enum class Template : uint8_t {
#define TENON_ROW(file, kernel, ...) kernel,
  TENON_CUDA_KERNELS(TENON_ROW)
#undef TENON_ROW
};

// Identifies an instance of a template; parameters that the kernel does not have keep their defaults.
struct InstanceKey {
  Element to{}, from{};
  uint16_t a = 0, b = 0, c = 0;  // vector and rank, or K, TX and TY
  bool nested = false;
};

struct Instance {
  Template kind;
  InstanceKey variant;

  uint64_t key() const {
    const InstanceKey& v = variant;
    return uint64_t(kind) | uint64_t(v.to) << 8 | uint64_t(v.from) << 16 | uint64_t(v.a) << 24 | uint64_t(v.b) << 32 |
           uint64_t(v.c) << 44 | uint64_t(v.nested) << 60;
  }
  std::string expression() const;
};

// A grid of one dimension.
struct Blocks {
  int64_t count;
  int64_t shared_bytes = 0;
  uint32_t threads = 256;
};

template <Template> struct ParametersOf;
namespace work_types {  // where the names in the list are looked up
using namespace work;
#define TENON_ROW(file, kernel, ...) using kernel##_parameters = void(__VA_ARGS__);
TENON_CUDA_KERNELS(TENON_ROW)
#undef TENON_ROW
}  // namespace work_types
#define TENON_ROW(file, kernel, ...)                  \
  template <> struct ParametersOf<Template::kernel> { \
    using type = work_types::kernel##_parameters;     \
  };
TENON_CUDA_KERNELS(TENON_ROW)
#undef TENON_ROW

// params as for cuLaunchKernel.
void launch_instance(CudaDevice& device, const Instance& instance, const Blocks& blocks, void* const* params,
                     Stream& stream);

// Launches an instance of the kernel with these arguments, whose types are checked against the list in work.hpp.
template <Template kernel, class... Given> void launch(CudaDevice& device, const InstanceKey& variant,
                                                       const Blocks& blocks, Stream& stream, const Given&... given) {
  static_assert(work::Matches<typename ParametersOf<kernel>::type, void(Given...)>::value,
                "these are not the parameters of the kernel in work.hpp");
  void* params[] = {const_cast<void*>(static_cast<const void*>(&given))...};
  launch_instance(device, {kernel, variant}, blocks, params, stream);
}

// The number of blocks of a kernel whose 256 threads stride over `count` numbers.
int64_t striding_blocks(CudaDevice& device, uint64_t count);

}  // namespace tenon::cuda
