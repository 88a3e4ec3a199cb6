// MTGP32: the threads of a block draw from one state.
#include <curand_kernel.h>
__global__ void draw(unsigned* y, curandStateMtgp32* state, mtgp32_kernel_params_t* params, int rounds) {
  if (threadIdx.x == 0) state->k = params;
  __syncthreads();
  for (int r = 0; r < rounds; ++r) y[r * blockDim.x + threadIdx.x] = curand(state);
  y[rounds * blockDim.x + threadIdx.x] = __float_as_uint(curand_uniform(state));
}
