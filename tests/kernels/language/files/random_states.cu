// Random numbers of cuRAND's device functions.
#include <curand_kernel.h>

template <class State> __device__ void integers(const unsigned long long* from, unsigned* y) {
  State state;
  curand_init(from[0], from[1], from[2], &state);
  for (int i = 0; i < 4; ++i) y[i] = curand(&state);
  skipahead(from[2] % 1000, &state);
  y[4] = curand(&state);
  y[5] = __float_as_uint(curand_uniform(&state));
  const unsigned long long bits = __double_as_longlong(curand_uniform_double(&state));
  y[6] = (unsigned)bits;
  y[7] = (unsigned)(bits >> 32);
}
// from[3 * i]: a seed, a subsequence and an offset. y[24 * i]: numbers of each generator.
extern "C" __global__ void bits(const unsigned long long* from, unsigned* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  integers<curandStateXORWOW_t>(from + 3 * i, y + 24 * i);
  integers<curandStateMRG32k3a_t>(from + 3 * i, y + 24 * i + 8);
  integers<curandStatePhilox4_32_10_t>(from + 3 * i, y + 24 * i + 16);
}
extern "C" __global__ void four_at_once(unsigned long long seed, uint4* words, float4* uniform, double2* doubles) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  curandStatePhilox4_32_10_t state;
  curand_init(seed, i, i % 7, &state);
  words[i] = curand4(&state);
  uniform[i] = curand_uniform4(&state);
  doubles[i] = curand_uniform2_double(&state);
}
// States live in memory between launches, as most programs have them.
extern "C" __global__ void prepare(curandState* states, unsigned long long seed, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) curand_init(seed, i, 0, &states[i]);
}
extern "C" __global__ void draw(curandState* states, float* normal, float* log_normal, unsigned* poisson, int n,
                                int each) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  curandState state = states[i];
  for (int k = 0; k < each; ++k) {
    normal[i * each + k] = curand_normal(&state);
    log_normal[i * each + k] = curand_log_normal(&state, 0.5f, 0.25f);
    poisson[3 * (i * each + k)] = curand_poisson(&state, 4.5);
    poisson[3 * (i * each + k) + 1] = curand_poisson(&state, 300.0);
    poisson[3 * (i * each + k) + 2] = curand_poisson(&state, 10000.0);
  }
  states[i] = state;
}
template <class State> __device__ void normals(unsigned long long seed, int i, double* y) {
  State state;
  curand_init(seed, i, 3, &state);
  y[0] = curand_normal(&state);
  y[1] = curand_normal(&state);
  const float2 pair = curand_normal2(&state);
  y[2] = pair.x, y[3] = pair.y;
  y[4] = curand_normal_double(&state);
  y[5] = curand_normal_double(&state);
  const double2 doubles = curand_normal2_double(&state);
  y[6] = doubles.x, y[7] = doubles.y;
  y[8] = curand_log_normal(&state, 0.0f, 1.0f);
  y[9] = curand_log_normal_double(&state, 0.0, 1.0);
}
extern "C" __global__ void normal_numbers(unsigned long long seed, double* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  normals<curandStateXORWOW_t>(seed, i, y + 30 * i);
  normals<curandStateMRG32k3a_t>(seed, i, y + 30 * i + 10);
  normals<curandStatePhilox4_32_10_t>(seed, i, y + 30 * i + 20);
}
