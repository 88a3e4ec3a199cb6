#include <cuda/std/optional>
#include <cuda/std/span>
__device__ cuda::std::optional<int> found(cuda::std::span<const int> values, int what) {
  for (size_t i = 0; i < values.size(); ++i)
    if (values[i] == what) return (int)i;
  return cuda::std::nullopt;
}
__global__ void search(int* y, const int* x, int n) {
  const auto at = found(cuda::std::span<const int>(x, n), threadIdx.x);
  y[threadIdx.x] = at ? *at : at.value_or(-1);
}
