__device__ int counter = 5;
namespace state { __device__ float table[4] = {1, 2, 3, 4}; }
static __device__ int hidden = 3;
extern "C" __global__ void count(int* out) {
  int ticket = atomicAdd(&counter, 1);
  out[threadIdx.x] = ticket + hidden;
}
extern "C" __global__ void look(float* out) {
  state::table[threadIdx.x] *= 2.0f;
  out[threadIdx.x] = state::table[threadIdx.x] + counter;
}
