// Discrete numbers by a table, and rounded normal ones.
#include <curand_kernel.h>
__global__ void draw(unsigned* y, double* levels, unsigned* others, int length, unsigned long long seed) {
  curandHistogramM2_st histogram = {levels, nullptr, others, nullptr, 0};
  curandDistributionM2Shift_st table = {&histogram, nullptr, 100, (unsigned)length, 0};
  curandDiscreteDistribution_st distribution = {nullptr, &table, nullptr, 3.0, 50.0, CURAND_M2, 0};
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  curandState_t state;
  curandStatePhilox4_32_10_t philox;
  curand_init(seed, t, 0, &state);
  curand_init(seed, t, 0, &philox);
  curandState_t copy = state;
  y[8 * t] = curand(&copy);
  y[8 * t + 1] = curand_discrete(&state, &distribution);
  y[8 * t + 2] = curand(&state) - curand(&copy);
  curandStatePhilox4_32_10_t before = philox;
  const uint4 four = curand_discrete4(&philox, &distribution), words = curand4(&before);
  y[8 * t + 3] = four.x + 1000 * four.w;
  y[8 * t + 4] = words.x;
  y[8 * t + 5] = words.w;
  distribution.method = CURAND_DISCRETE_GAUSS;
  y[8 * t + 6] = curand_discrete(&philox, &distribution);
  y[8 * t + 7] = (unsigned)(3.0 * curand_normal_double(&before) + 50.5);
}
