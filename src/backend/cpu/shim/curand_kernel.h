// shim/curand_kernel.h: the random numbers of cuRAND's device functions: XORWOW, MRG32k3a and Philox4x32-10.
//
// The same integers and uniform numbers as cuRAND's. Normal and log-normal numbers are made from them as there (G. Box
// and M. Muller, Ann. Math. Stat. 29 (2), 1958), with this device's logarithms, sines and exponentials, where cuRAND
// takes fast ones. So are Poisson numbers with a mean under 64 or over 4000; those between are of the same
// distribution, but by another method (W. Hörmann, Insurance: Mathematics and Economics 12 (1), 1993).
#ifndef CURAND_KERNEL_H_
#define CURAND_KERNEL_H_

#define TENON_NORMALS_KEPT                                                                       \
  int boxmuller_flag, boxmuller_flag_double; /* which second number of a pair is kept: 0 none */ \
  float boxmuller_extra;                                                                         \
  double boxmuller_extra_double;                                                                 \
  typedef void tenon_generator;

struct curandStateXORWOW {
  unsigned int d, v[5];
  TENON_NORMALS_KEPT
};
struct curandStateMRG32k3a {
  unsigned int s1[3], s2[3];
  TENON_NORMALS_KEPT
};
struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned int STATE;
  TENON_NORMALS_KEPT
};
#undef TENON_NORMALS_KEPT
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef struct curandStateXORWOW curandState;
typedef struct curandStateXORWOW curandState_t;

// Advances by steps * 2^unit (run/jump.hpp). On a copy: the library writes it, which no check of accesses sees.
template <int Words> TENON_INLINE void tenon_jump(int generator, unsigned* state, unsigned long long steps, int unit) {
  if (!steps) return;
  unsigned words[Words];
  for (int i = 0; i < Words; ++i) words[i] = state[i];
#if !TENON_PROBE
  tenon_calls->jump(generator, words, steps, unit);
#endif
  for (int i = 0; i < Words; ++i) state[i] = words[i];
}
template <class State> TENON_INLINE void tenon_keep_none(State* state) {
  state->boxmuller_flag = state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
}

// --- XORWOW: G. Marsaglia, "Xorshift RNGs", J. Stat. Software 8 (14), 2003

TENON_INLINE unsigned int curand(curandStateXORWOW* state) {
  unsigned* v = state->v;
  const unsigned t = v[0] ^ v[0] >> 2, last = v[4];
  v[0] = v[1], v[1] = v[2], v[2] = v[3], v[3] = last;
  v[4] = last ^ last << 4 ^ t ^ t << 1;
  return v[4] + (state->d += 362437);
}
TENON_INLINE void skipahead(unsigned long long n, curandStateXORWOW* state) {
  tenon_jump<5>(TENON_GENERATOR_XORWOW, state->v, n, 0);
  state->d += 362437 * (unsigned)n;
}
// (A sequence is a multiple of 2^32 steps: d comes back to itself.)
TENON_INLINE void skipahead_sequence(unsigned long long n, curandStateXORWOW* state) {
  tenon_jump<5>(TENON_GENERATOR_XORWOW, state->v, n, 67);
}
// The seed is mixed into Marsaglia's own first state with cuRAND's constants.
TENON_INLINE void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                              curandStateXORWOW* state) {
  const unsigned low = 1099087573u * ((unsigned)seed ^ 0xaad26b49u);
  const unsigned high = 2591861531u * ((unsigned)(seed >> 32) ^ 0xf7dcefddu);
  state->d = 6615241u + high + low;
  state->v[0] = 123456789u + low;
  state->v[1] = 362436069u ^ low;
  state->v[2] = 521288629u + high;
  state->v[3] = 88675123u ^ high;
  state->v[4] = 5783321u + low;
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
  tenon_keep_none(state);
}

// --- MRG32k3a: P. L'Ecuyer, Operations Research 47 (1), 1999

constexpr unsigned long long tenon_mrg_first = 4294967087ull, tenon_mrg_second = 4294944443ull;

// 1 ... tenon_mrg_first.
TENON_INLINE unsigned tenon_mrg_next(curandStateMRG32k3a* state) {
  const unsigned long long m1 = tenon_mrg_first, m2 = tenon_mrg_second;
  unsigned *a = state->s1, *b = state->s2;
  const unsigned x = (unsigned)((1403580ull * a[1] + 810728ull * (m1 - a[0])) % m1);
  const unsigned y = (unsigned)((527612ull * b[2] + 1370589ull * (m2 - b[0])) % m2);
  a[0] = a[1], a[1] = a[2], a[2] = x;
  b[0] = b[1], b[1] = b[2], b[2] = y;
  return x > y ? x - y : x - y + (unsigned)m1;
}
// Spread over all 32 bits.
TENON_INLINE unsigned int curand(curandStateMRG32k3a* state) {
  return (unsigned)((double)tenon_mrg_next(state) * 1.000000048662);
}
TENON_INLINE void tenon_mrg_jump(curandStateMRG32k3a* state, unsigned long long n, int unit) {
  unsigned both[6] = {state->s1[0], state->s1[1], state->s1[2], state->s2[0], state->s2[1], state->s2[2]};
  tenon_jump<6>(TENON_GENERATOR_MRG32K3A, both, n, unit);
  for (int i = 0; i < 3; ++i) state->s1[i] = both[i], state->s2[i] = both[3 + i];
}
TENON_INLINE void skipahead(unsigned long long n, curandStateMRG32k3a* state) { tenon_mrg_jump(state, n, 0); }
TENON_INLINE void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a* state) {
  tenon_mrg_jump(state, n, 76);
}
TENON_INLINE void skipahead_sequence(unsigned long long n, curandStateMRG32k3a* state) {
  tenon_mrg_jump(state, n, 127);
}
TENON_INLINE void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                              curandStateMRG32k3a* state) {
  const unsigned long long low = (unsigned)seed ^ 0x55555555u, high = (unsigned)(seed >> 32) ^ 0xaaaaaaaau;
  for (int i = 0; i < 3; ++i) {
    const unsigned long long odd = i & 1 ? high : low, even = i & 1 ? low : high;
    state->s1[i] = seed ? (unsigned)(odd * 12345u % tenon_mrg_first) : 12345u;
    state->s2[i] = seed ? (unsigned)(even * 12345u % tenon_mrg_second) : 12345u;
  }
  skipahead_subsequence(subsequence, state);
  skipahead(offset, state);
  tenon_keep_none(state);
}

// --- Philox4x32-10: J. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC11

TENON_INLINE uint4 curand_Philox4x32_10(uint4 c, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    const unsigned long long a = 0xd2511f53ull * c.x, b = 0xcd9e8d57ull * c.z;
    c = make_uint4((unsigned)(b >> 32) ^ c.y ^ key.x, (unsigned)b, (unsigned)(a >> 32) ^ c.w ^ key.y, (unsigned)a);
    key.x += 0x9e3779b9u;
    key.y += 0xbb67ae85u;
  }
  return c;
}
// The counter is a number of 128 bits: adds n to it, and `high` to its upper half.
TENON_INLINE void tenon_philox_count(curandStatePhilox4_32_10* state, unsigned long long n, unsigned long long high) {
  const unsigned long long low = state->ctr.x | (unsigned long long)state->ctr.y << 32, sum = low + n;
  high += (state->ctr.z | (unsigned long long)state->ctr.w << 32) + (sum < n);
  state->ctr = make_uint4((unsigned)sum, (unsigned)(sum >> 32), (unsigned)high, (unsigned)(high >> 32));
  state->output = curand_Philox4x32_10(state->ctr, state->key);
}
TENON_INLINE unsigned int curand(curandStatePhilox4_32_10* state) {
  const uint4 four = state->output;
  const unsigned at = state->STATE++;
  if (state->STATE == 4) {
    tenon_philox_count(state, 1, 0);
    state->STATE = 0;
  }
  return at == 0 ? four.x : at == 1 ? four.y : at == 2 ? four.z : four.w;
}
TENON_INLINE uint4 curand4(curandStatePhilox4_32_10* state) {
  const uint4 a = state->output;
  tenon_philox_count(state, 1, 0);
  const uint4 b = state->output;
  switch (state->STATE) {
    case 1: return make_uint4(a.y, a.z, a.w, b.x);
    case 2: return make_uint4(a.z, a.w, b.x, b.y);
    case 3: return make_uint4(a.w, b.x, b.y, b.z);
    default: return a;
  }
}
TENON_INLINE void skipahead(unsigned long long n, curandStatePhilox4_32_10* state) {
  const unsigned at = state->STATE + (unsigned)(n & 3);
  state->STATE = at & 3;
  tenon_philox_count(state, n / 4 + (at >> 2), 0);
}
TENON_INLINE void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10* state) {
  tenon_philox_count(state, 0, n);
}
TENON_INLINE void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                              curandStatePhilox4_32_10* state) {
  state->ctr = make_uint4(0, 0, 0, 0);
  state->key = make_uint2((unsigned)seed, (unsigned)(seed >> 32));
  state->STATE = 0;
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
  tenon_keep_none(state);
}

// --- uniform numbers in (0, 1]

// (A power of two scales exactly, so it does not matter whether these are fused.)
TENON_INLINE float tenon_unit_float(unsigned x) { return (float)x * 0x1p-32f + 0x1p-33f; }
TENON_INLINE double tenon_unit_double(unsigned x, unsigned y) {
  return (double)(x ^ (unsigned long long)y << 21) * 0x1p-53 + 0x1p-54;
}
template <class State, class = typename State::tenon_generator> TENON_INLINE float curand_uniform(State* state) {
  return tenon_unit_float(curand(state));
}
TENON_INLINE double curand_uniform_double(curandStateMRG32k3a* state) {
  return tenon_mrg_next(state) * 2.3283065498378288e-10;
}
TENON_INLINE float curand_uniform(curandStateMRG32k3a* state) { return (float)curand_uniform_double(state); }
TENON_INLINE double curand_uniform_double(curandStateXORWOW* state) {
  const unsigned x = curand(state), y = curand(state);
  return tenon_unit_double(x, y);
}
TENON_INLINE double curand_uniform_double(curandStatePhilox4_32_10* state) { return curand(state) * 0x1p-32 + 0x1p-32; }
TENON_INLINE float4 curand_uniform4(curandStatePhilox4_32_10* state) {
  const uint4 x = curand4(state);
  return make_float4(tenon_unit_float(x.x), tenon_unit_float(x.y), tenon_unit_float(x.z), tenon_unit_float(x.w));
}
TENON_INLINE double2 curand_uniform2_double(curandStatePhilox4_32_10* state) {
  const uint4 x = curand4(state);
  return make_double2(tenon_unit_double(x.x, x.y), tenon_unit_double(x.z, x.w));
}
TENON_INLINE double4 curand_uniform4_double(curandStatePhilox4_32_10* state) {
  const double2 a = curand_uniform2_double(state), b = curand_uniform2_double(state);
  return make_double4(a.x, a.y, b.x, b.y);
}

// --- normal numbers, in pairs

TENON_INLINE float2 tenon_box_muller(float u, float angle) {
  const float size = sqrtf(-2.0f * logf(u));
  return make_float2(size * sinf(angle), size * cosf(angle));
}
TENON_INLINE float2 tenon_box_muller(unsigned x, unsigned y) {
  constexpr float turn = 2.3283064e-10f * 6.2831855f;  // 2 pi / 2^32
  return tenon_box_muller(tenon_unit_float(x), __fmaf_rn((float)y, turn, turn / 2));
}
TENON_INLINE double2 tenon_box_muller(double u, double half_turns) {
  const double size = sqrt(-2.0 * log(u));
  return make_double2(size * sinpi(half_turns), size * cospi(half_turns));
}
TENON_INLINE double2 tenon_box_muller(uint4 x) {
  return tenon_box_muller(tenon_unit_double(x.x, x.y), 2.0 * tenon_unit_double(x.z, x.w));
}
template <class State, class = typename State::tenon_generator> TENON_INLINE float2 curand_normal2(State* state) {
  const unsigned x = curand(state), y = curand(state);
  return tenon_box_muller(x, y);
}
TENON_INLINE float2 curand_normal2(curandStateMRG32k3a* state) {
  const float u = curand_uniform(state);
  return tenon_box_muller(u, curand_uniform(state) * 6.2831855f);
}
TENON_INLINE double2 curand_normal2_double(curandStateXORWOW* state) {
  uint4 x;
  x.x = curand(state), x.y = curand(state), x.z = curand(state), x.w = curand(state);
  return tenon_box_muller(x);
}
TENON_INLINE double2 curand_normal2_double(curandStatePhilox4_32_10* state) { return tenon_box_muller(curand4(state)); }
TENON_INLINE double2 curand_normal2_double(curandStateMRG32k3a* state) {
  const double u = curand_uniform_double(state);
  return tenon_box_muller(u, curand_uniform_double(state) * 2.0);
}
TENON_INLINE float4 curand_normal4(curandStatePhilox4_32_10* state) {
  const uint4 x = curand4(state);
  const float2 a = tenon_box_muller(x.x, x.y), b = tenon_box_muller(x.z, x.w);
  return make_float4(a.x, a.y, b.x, b.y);
}
TENON_INLINE double4 curand_normal4_double(curandStatePhilox4_32_10* state) {
  const double2 a = curand_normal2_double(state), b = curand_normal2_double(state);
  return make_double4(a.x, a.y, b.x, b.y);
}

// One number of a pair; the other is kept for the next call of the same kind: 1 normal, 2 log-normal.
template <class Real, class Pair> TENON_INLINE Real tenon_of_pair(int* flag, Real* extra, int kind, Pair&& pair) {
  if (*flag == kind) {
    *flag = 0;
    return *extra;
  }
  const auto both = pair();
  *extra = both.y;
  *flag = kind;
  return both.x;
}
template <class State, class = typename State::tenon_generator> TENON_INLINE float curand_normal(State* state) {
  return tenon_of_pair(&state->boxmuller_flag, &state->boxmuller_extra, 1, [=] { return curand_normal2(state); });
}
template <class State, class = typename State::tenon_generator> TENON_INLINE double curand_normal_double(State* state) {
  return tenon_of_pair(&state->boxmuller_flag_double, &state->boxmuller_extra_double, 1,
                       [=] { return curand_normal2_double(state); });
}
TENON_INLINE float tenon_log_normal(float x, float mean, float deviation) {
  return expf(__fmaf_rn(deviation, x, mean));
}
TENON_INLINE double tenon_log_normal(double x, double mean, double deviation) {
  return exp(__fma_rn(deviation, x, mean));
}
template <class State, class = typename State::tenon_generator>
TENON_INLINE float2 curand_log_normal2(State* state, float mean, float stddev) {
  const float2 x = curand_normal2(state);
  return make_float2(tenon_log_normal(x.x, mean, stddev), tenon_log_normal(x.y, mean, stddev));
}
template <class State, class = typename State::tenon_generator>
TENON_INLINE double2 curand_log_normal2_double(State* state, double mean, double stddev) {
  const double2 x = curand_normal2_double(state);
  return make_double2(tenon_log_normal(x.x, mean, stddev), tenon_log_normal(x.y, mean, stddev));
}
TENON_INLINE float4 curand_log_normal4(curandStatePhilox4_32_10* state, float mean, float stddev) {
  const float4 x = curand_normal4(state);
  return make_float4(tenon_log_normal(x.x, mean, stddev), tenon_log_normal(x.y, mean, stddev),
                     tenon_log_normal(x.z, mean, stddev), tenon_log_normal(x.w, mean, stddev));
}
TENON_INLINE double4 curand_log_normal4_double(curandStatePhilox4_32_10* state, double mean, double stddev) {
  const double2 a = curand_log_normal2_double(state, mean, stddev);
  const double2 b = curand_log_normal2_double(state, mean, stddev);
  return make_double4(a.x, a.y, b.x, b.y);
}
template <class State, class = typename State::tenon_generator>
TENON_INLINE float curand_log_normal(State* state, float mean, float stddev) {
  return tenon_of_pair(&state->boxmuller_flag, &state->boxmuller_extra, 2,
                       [=] { return curand_log_normal2(state, mean, stddev); });
}
template <class State, class = typename State::tenon_generator>
TENON_INLINE double curand_log_normal_double(State* state, double mean, double stddev) {
  return tenon_of_pair(&state->boxmuller_flag_double, &state->boxmuller_extra_double, 2,
                       [=] { return curand_log_normal2_double(state, mean, stddev); });
}

// --- Poisson numbers

// As many uniform numbers as keep the product over exp(-lambda) (D. Knuth, The Art of Computer Programming, vol. 2).
template <class State> TENON_INLINE unsigned tenon_poisson_by_product(State* state, float lambda) {
  float product = expf(lambda) * curand_uniform(state);
  unsigned count = 0;
  for (; product > 1.0f; ++count) product *= curand_uniform(state);
  return count;
}
// Hörmann's transformed rejection with a squeeze (PTRS).
template <class State> TENON_INLINE unsigned tenon_poisson_by_rejection(State* state, double lambda) {
  const double b = 0.931 + 2.53 * sqrt(lambda), a = -0.059 + 0.02483 * b, log_lambda = log(lambda);
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), squeeze = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    const double u = (double)curand_uniform(state) - 0.5, v = curand_uniform(state), distance = 0.5 - fabs(u);
    const double k = floor((2 * a / distance + b) * u + lambda + 0.43);
    if (distance >= 0.07 && v <= squeeze) return (unsigned)k;
    if (k < 0 || (distance < 0.013 && v > distance)) continue;
    if (log(v * inverse_alpha / (a / (distance * distance) + b)) <= k * log_lambda - lambda - lgamma(k + 1))
      return (unsigned)k;
  }
}
TENON_INLINE unsigned tenon_poisson_by_normal(double x, double lambda) {
  return (unsigned)(__fma_rn(sqrt(lambda), x, lambda) + 0.5);
}
template <class State, class = typename State::tenon_generator>
TENON_INLINE unsigned int curand_poisson(State* state, double lambda) {
  if (lambda < 64) return tenon_poisson_by_product(state, (float)lambda);
  if (lambda > 4000) return tenon_poisson_by_normal(curand_normal_double(state), lambda);
  return tenon_poisson_by_rejection(state, lambda);
}
TENON_INLINE uint4 curand_poisson4(curandStatePhilox4_32_10* state, double lambda) {
  uint4 out;
  if (lambda > 4000) {
    const double4 x = curand_normal4_double(state);
    return make_uint4(tenon_poisson_by_normal(x.x, lambda), tenon_poisson_by_normal(x.y, lambda),
                      tenon_poisson_by_normal(x.z, lambda), tenon_poisson_by_normal(x.w, lambda));
  }
  out.x = curand_poisson(state, lambda), out.y = curand_poisson(state, lambda);
  out.z = curand_poisson(state, lambda), out.w = curand_poisson(state, lambda);
  return out;
}
#endif
