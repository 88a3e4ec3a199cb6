// Sobol sequences of 32 and 64 bits: words, uniform, normal and Poisson numbers.
#include <curand_kernel.h>
struct Drawn {
  unsigned long long words[4];
  double normal, wide_normal, uniform;
  float narrow, narrow_normal;
  unsigned poisson[4];
};
template <class State, class Word> __device__ void draw(Drawn& y, const Word* directions, unsigned first) {
  State state;
  curand_init((Word*)directions, (Word)first, &state);
  for (int i = 0; i < 4; ++i) y.words[i] = curand(&state);
  curand_init((Word*)directions, (Word)0, &state);
  skipahead((Word)first, &state);
  State copy = state;
  y.normal = curand_normal_double(&copy);
  copy = state;
  y.uniform = curand_uniform_double(&copy);
  copy = state;
  y.narrow = curand_uniform(&copy);
  copy = state;
  y.narrow_normal = curand_normal(&copy);
  copy = state;
  y.wide_normal = curand_log_normal_double(&copy, 0.0, 1.0);
  const double means[] = {4.5, 300, 900, 5000};
  for (int i = 0; i < 4; ++i) {
    copy = state;
    y.poisson[i] = curand_poisson(&copy, means[i]);
  }
}
__global__ void sobol(Drawn* y, const unsigned* narrow, const unsigned long long* wide, unsigned first) {
  draw<curandStateSobol32_t>(y[2 * threadIdx.x], narrow + 32 * threadIdx.x, first);
  draw<curandStateSobol64_t>(y[2 * threadIdx.x + 1], wide + 64 * threadIdx.x, first);
}
