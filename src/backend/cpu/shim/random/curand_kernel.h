// shim/random/curand_kernel.h: the random numbers of cuRAND's device functions: XORWOW, MRG32k3a, Philox4x32-10, MTGP32
// and the Sobol sequences.
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

// --- Sobol sequences: I. Sobol, USSR Comput. Math. Math. Phys. 7 (4), 1967, in the order of Gray codes: I. Antonov and
// V. Saleev, ibid. 19 (1), 1979. A scrambled sequence begins at a number instead of at 0.

typedef unsigned int curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];
template <class Word> struct tenon_sobol {
  static constexpr unsigned bits = 8 * sizeof(Word);
  typedef Word tenon_word;
  typedef void tenon_inverted;  // makes normal numbers by inverting their distribution
  Word i, x, c;
  Word direction_vectors[bits];
};
struct curandStateSobol32 : tenon_sobol<unsigned int> {};
struct curandStateScrambledSobol32 : tenon_sobol<unsigned int> {};
struct curandStateSobol64 : tenon_sobol<unsigned long long> {};
struct curandStateScrambledSobol64 : tenon_sobol<unsigned long long> {};
typedef struct curandStateSobol32 curandStateSobol32_t;
typedef struct curandStateScrambledSobol32 curandStateScrambledSobol32_t;
typedef struct curandStateSobol64 curandStateSobol64_t;
typedef struct curandStateScrambledSobol64 curandStateScrambledSobol64_t;

template <class Word> TENON_INLINE Word tenon_sobol_next(tenon_sobol<Word>* state) {
  const Word out = state->x;
  unsigned bit = 0;  // the lowest 0 of i: the only bit in which the codes of i and i + 1 differ
  for (Word left = state->i; left & 1 && bit < state->bits - 1; left >>= 1) ++bit;
  state->x ^= state->direction_vectors[bit];
  ++state->i;
  return out;
}
template <class Word> TENON_INLINE void tenon_sobol_skip(Word n, tenon_sobol<Word>* state) {
  state->i += n;
  state->x = state->c;
  const Word code = state->i ^ state->i >> 1;
  for (unsigned k = 0; k < state->bits; ++k)
    if (code >> k & 1) state->x ^= state->direction_vectors[k];
}
template <class Word>
TENON_INLINE void tenon_sobol_start(const Word* directions, Word scramble, Word offset, tenon_sobol<Word>* state) {
  state->i = 0;
  state->c = scramble;
  for (unsigned k = 0; k < state->bits; ++k) state->direction_vectors[k] = directions[k];
  tenon_sobol_skip(offset, state);
}
#define TENON_SOBOL(State, word)                                                   \
  TENON_INLINE word curand(State* state) { return tenon_sobol_next<word>(state); } \
  TENON_INLINE void skipahead(word n, State* state) { tenon_sobol_skip<word>(n, state); }
TENON_SOBOL(curandStateSobol32, unsigned int)
TENON_SOBOL(curandStateScrambledSobol32, unsigned int)
TENON_SOBOL(curandStateSobol64, unsigned long long)
TENON_SOBOL(curandStateScrambledSobol64, unsigned long long)
#undef TENON_SOBOL
TENON_INLINE void curand_init(const unsigned int* directions, unsigned int offset, curandStateSobol32* state) {
  tenon_sobol_start(directions, 0u, offset, state);
}
TENON_INLINE void curand_init(const unsigned long long* directions, unsigned long long offset,
                              curandStateSobol64* state) {
  tenon_sobol_start(directions, 0ull, offset, state);
}
TENON_INLINE void curand_init(const unsigned int* directions, unsigned int scramble, unsigned int offset,
                              curandStateScrambledSobol32* state) {
  tenon_sobol_start(directions, scramble, offset, state);
}
TENON_INLINE void curand_init(const unsigned long long* directions, unsigned long long scramble,
                              unsigned long long offset, curandStateScrambledSobol64* state) {
  tenon_sobol_start(directions, scramble, offset, state);
}

// --- MTGP32: M. Saito and M. Matsumoto, "Variants of Mersenne Twister suitable for graphic processors", ACM Trans.
// Math. Software 39 (2), 2013. The threads of a block, up to 256, share a state, which the host makes.

struct mtgp32_kernel_params {
  unsigned int pos_tbl[200];
  unsigned int param_tbl[200][16];
  unsigned int temper_tbl[200][16];
  unsigned int single_temper_tbl[200][16];
  unsigned int sh1_tbl[200];
  unsigned int sh2_tbl[200];
  unsigned int mask[1];
};
typedef struct mtgp32_kernel_params mtgp32_kernel_params_t;
struct curandStateMtgp32 {
  typedef unsigned int tenon_word;
  typedef void tenon_inverted;
  unsigned int s[1024];
  int offset;
  int pIdx;
  mtgp32_kernel_params_t* k;
};
typedef struct curandStateMtgp32 curandStateMtgp32_t;

// The number of place `at` of `count` that the threads of the block take together.
TENON_INLINE unsigned int tenon_mtgp_next(curandStateMtgp32* state, unsigned at, unsigned count) {
  const mtgp32_kernel_params& k = *state->k;
  const int set = state->pIdx;
  const unsigned first = at + (unsigned)state->offset, far = k.pos_tbl[set];
  const auto word = [&](unsigned i) -> unsigned& { return state->s[(first + i) & 1023]; };
  unsigned x = (word(0) & k.mask[0]) ^ word(1);
  x ^= x << k.sh1_tbl[set];
  const unsigned y = x ^ word(far) >> k.sh2_tbl[set], made = y ^ k.param_tbl[set][y & 15];
  unsigned t = word(far - 1);
  t ^= t >> 16;
  t ^= t >> 8;
  word(351) = made;
  __syncthreads();
  if (at == 0) state->offset = (int)(((unsigned)state->offset + count) & 1023);
  __syncthreads();
  return made ^ k.temper_tbl[set][t & 15];
}
TENON_INLINE unsigned int curand(curandStateMtgp32* state) {
  // (cuRAND's numbering of the threads; it is one to one for blocks of two dimensions.)
  return tenon_mtgp_next(state, blockDim.z * blockDim.y * threadIdx.z + blockDim.x * threadIdx.y + threadIdx.x,
                         blockDim.x * blockDim.y * blockDim.z);
}
TENON_INLINE unsigned int curand_mtgp32_specific(curandStateMtgp32* state, unsigned char index, unsigned char n) {
  return tenon_mtgp_next(state, index, n);
}

// --- numbers of the generators that give one word for each

TENON_INLINE float tenon_inverted_unit(unsigned x) { return tenon_unit_float(x); }
TENON_INLINE float tenon_inverted_unit(unsigned long long x) { return tenon_unit_float((unsigned)(x >> 32)); }
TENON_INLINE double tenon_unit_of(unsigned x) { return x * 0x1p-32 + 0x1p-32; }
TENON_INLINE double tenon_unit_of(unsigned long long x) { return (double)(x >> 11) * 0x1p-53 + 0x1p-54; }
TENON_INLINE double tenon_open_unit_of(unsigned x) { return x * 0x1p-32 + 0x1p-33; }
TENON_INLINE double tenon_open_unit_of(unsigned long long x) { return (double)(x >> 11) * 0x1p-53 + 0x1p-55; }
// The upper half is the lower half mirrored, which keeps its precision.
TENON_INLINE float tenon_inverted_normal(unsigned x) {
  const bool upper = x > 0x80000000u;
  const float size = -1.4142135f * erfcinvf(2.0f * tenon_unit_float(upper ? ~x : x));
  return upper ? -size : size;
}
TENON_INLINE float tenon_inverted_normal(unsigned long long x) { return tenon_inverted_normal((unsigned)(x >> 32)); }
TENON_INLINE double tenon_inverted_normal_double(unsigned x) {
  const bool upper = x > 0x80000000u;
  const double size = -1.4142135623730951 * erfcinv(2.0 * ((upper ? ~x : x) * 0x1p-32 + 0x1p-33));
  return upper ? -size : size;
}
TENON_INLINE double tenon_inverted_normal_double(unsigned long long x) {
  const unsigned long long all = (1ull << 53) - 1, high = x >> 11;
  const bool upper = high > 1ull << 52;
  const double size = -1.4142135623730951 * erfcinv(2.0 * ((double)(upper ? all - high : high) * 0x1p-53 + 0x1p-54));
  return upper ? -size : size;
}
// The least number whose distribution reaches the uniform one. exp(-lambda) is multiplied in parts that do not
// underflow.
template <class Word> TENON_INLINE unsigned tenon_inverted_poisson(Word x, double lambda) {
  const double u = tenon_open_unit_of(x);
  double term = 1, sum = 1, left = lambda;
  unsigned k = 0;
  do {
    const double part = exp(left > 500 ? -500.0 : -left);
    term *= part;
    sum *= part;
    while (u > sum) {
      ++k;
      term *= lambda / k;
      sum += term;
    }
    left -= 500;
  } while (left > 0);
  return k;
}
template <class State, class = typename State::tenon_inverted, class = void>
TENON_INLINE float curand_uniform(State* state) {
  return tenon_inverted_unit(curand(state));
}
template <class State, class = typename State::tenon_inverted> TENON_INLINE double curand_uniform_double(State* state) {
  return tenon_unit_of(curand(state));
}
template <class State, class = typename State::tenon_inverted, class = void>
TENON_INLINE float curand_normal(State* state) {
  return tenon_inverted_normal(curand(state));
}
template <class State, class = typename State::tenon_inverted, class = void>
TENON_INLINE double curand_normal_double(State* state) {
  return tenon_inverted_normal_double(curand(state));
}
template <class State, class = typename State::tenon_inverted, class = void>
TENON_INLINE float curand_log_normal(State* state, float mean, float stddev) {
  return tenon_log_normal(curand_normal(state), mean, stddev);
}
template <class State, class = typename State::tenon_inverted, class = void>
TENON_INLINE double curand_log_normal_double(State* state, double mean, double stddev) {
  return tenon_log_normal(curand_normal_double(state), mean, stddev);
}
template <class State, class = typename State::tenon_inverted, class = void>
TENON_INLINE unsigned int curand_poisson(State* state, double lambda) {
  const auto x = curand(state);
  if (lambda < 1000) return tenon_inverted_poisson(x, lambda);
  return tenon_poisson_by_normal(tenon_inverted_normal_double(x), lambda);
}

// --- discrete numbers, by the tables of cuRAND's host functions: A. Walker, ACM Trans. Math. Software 3 (3), 1977

enum curandMethod { CURAND_M2 = 5, CURAND_DISCRETE_GAUSS = 7 };
typedef enum curandMethod curandMethod_t;
struct curandHistogramM2_st {
  double *V, *host_V;
  unsigned int *K, *host_K;
  unsigned int host_gen;
};
typedef struct curandHistogramM2_st* curandHistogramM2_t;
struct curandDistributionM2Shift_st {
  curandHistogramM2_t histogram, host_histogram;
  unsigned int shift, length, host_gen;
};
typedef struct curandDistributionM2Shift_st* curandDistributionM2Shift_t;
struct curandDiscreteDistribution_st {
  struct curandDiscreteDistribution_st* self_host_ptr;
  curandDistributionM2Shift_t M2, host_M2;
  double stddev, mean;
  curandMethod_t method;
  unsigned int host_gen;
};
typedef struct curandDiscreteDistribution_st* curandDiscreteDistribution_t;

template <class Word> TENON_INLINE unsigned tenon_of_table(Word x, curandDistributionM2Shift_t table) {
  const double u = tenon_unit_of(x);
  unsigned j = (unsigned)(table->length * u);
  if (j >= table->length) j = table->length - 1;  // u may be 1
  return table->shift + (u < table->histogram->V[j] ? j : table->histogram->K[j]);
}
TENON_INLINE unsigned tenon_of_gauss(double x, curandDiscreteDistribution_t distribution) {
  return (unsigned)(distribution->stddev * x + distribution->mean + 0.5);
}
template <class State> TENON_INLINE auto curand_discrete(State* state, curandDiscreteDistribution_t distribution)
    -> decltype(curand(state), 0u) {
  return distribution->method == CURAND_M2 ? tenon_of_table(curand(state), distribution->M2)
                                           : tenon_of_gauss(curand_normal_double(state), distribution);
}
TENON_INLINE uint4 curand_discrete4(curandStatePhilox4_32_10* state, curandDiscreteDistribution_t distribution) {
  if (distribution->method == CURAND_M2) {
    const uint4 x = curand4(state);
    const curandDistributionM2Shift_t table = distribution->M2;
    return make_uint4(tenon_of_table(x.x, table), tenon_of_table(x.y, table), tenon_of_table(x.z, table),
                      tenon_of_table(x.w, table));
  }
  const double4 x = curand_normal4_double(state);
  return make_uint4(tenon_of_gauss(x.x, distribution), tenon_of_gauss(x.y, distribution),
                    tenon_of_gauss(x.z, distribution), tenon_of_gauss(x.w, distribution));
}
#endif
