// Variables that keep their value: constants in functions, static members, namespaces, inline variables.
namespace {
__device__ int hidden = 3;
}
namespace outer::inner {
__device__ int counter;
inline constexpr int step = 4;
}
struct Table {
  static constexpr int rows = 3;
  static constexpr float weights[rows] = {0.5f, 2.0f, 8.0f};
};
__device__ float weight(int i) {
  static constexpr int order[] = {2, 0, 1};
  return Table::weights[order[i % Table::rows]];
}
__device__ int* place() {
  static __device__ int kept[2];
  return kept;
}
__global__ void first(float* y) {
  y[threadIdx.x] = weight(threadIdx.x);
  atomicAdd(&outer::inner::counter, outer::inner::step);
  atomicAdd(&place()[threadIdx.x % 2], hidden);
}
__global__ void second(int* y) {
  y[0] = outer::inner::counter;
  y[1] = place()[0];
  y[2] = place()[1];
}
