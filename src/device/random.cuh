// device/random.cuh: Philox 4x32-10 and the distributions drawn from it, as specified in include/tenon/random.h.
namespace tenon_own {

// L consecutive counters at once: the CPU's compiler turns the loops over lanes into vector instructions.
template <int L> struct Words {
  u32 w[4][L];
};

// The compiler for GPUs adds a zero to the upper half of a product of 64-bit numbers that are known to be short.
TENON_DEVICE u64 wide_product(u32 a, u32 b) {
#ifdef TENON_DEVICE_TEXT
  return u64(__umulhi(a, b)) << 32 | a * b;
#else
  return u64(a) * b;
#endif
}

template <int L> TENON_DEVICE void philox(u64 block, u64 stream, u64 key, Words<L>& out) {
  u32 c0[L], c1[L], c2[L], c3[L];
  for (int l = 0; l < L; ++l) {
    const u64 at = block + u64(l);
    c0[l] = u32(at), c1[l] = u32(at >> 32), c2[l] = u32(stream), c3[l] = u32(stream >> 32);
  }
  u32 k0 = u32(key), k1 = u32(key >> 32);
  for (int round = 0; round < 10; ++round) {
    for (int l = 0; l < L; ++l) {
      const u64 p0 = wide_product(0xD2511F53u, c0[l]), p1 = wide_product(0xCD9E8D57u, c2[l]);
      c0[l] = u32(p1 >> 32) ^ c1[l] ^ k0;
      c2[l] = u32(p0 >> 32) ^ c3[l] ^ k1;
      c1[l] = u32(p1);
      c3[l] = u32(p0);
    }
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  for (int l = 0; l < L; ++l) out.w[0][l] = c0[l], out.w[1][l] = c1[l], out.w[2][l] = c2[l], out.w[3][l] = c3[l];
}

// The j-th of two 64-bit numbers.
template <int L> TENON_DEVICE u64 wide(const Words<L>& x, int j, int l) {
  return u64(x.w[2 * j][l]) | u64(x.w[2 * j + 1][l]) << 32;
}

// ---- Functions that give the same bits everywhere ----

TENON_DEVICE double root(double x) { return TENON_SQRT(x); }

// Quotients and roots of numbers that are neither huge nor tiny. On a GPU these are the steps in which `/` and sqrtf
// compute them, without the test of the operands' sizes before each, which ends a basic block.
#if defined(TENON_DEVICE_TEXT) && !defined(TENON_CPU_KERNEL)
TENON_DEVICE float ratio(float a, float b) {
  float r;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(b));
  r = __fmaf_rn(r, __fmaf_rn(-b, r, 1.0f), r);
  const float q = a * r;
  return __fmaf_rn(r, __fmaf_rn(-b, q, a), q);
}
// a b + c where the product is exact, so that it is one step.
TENON_DEVICE float exact_product_and(float a, float b, float c) { return __fmaf_rn(a, b, c); }
TENON_DEVICE float root(float x) {  // or of a zero
  float y;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  const float g = x * y;
  const float better = __fmaf_rn(__fmaf_rn(-g, g, x), 0.5f * y, g);
  return x == 0.0f ? x : better;
}
#else
TENON_DEVICE float ratio(float a, float b) { return a / b; }
TENON_DEVICE float root(float x) { return TENON_SQRTF(x); }
TENON_DEVICE float exact_product_and(float a, float b, float c) { return a * b + c; }
#endif

// The logarithm of a positive normal number, times Scale, a power of two or its negative, by which nothing is rounded:
// x = m 2^e with m from sqrt(1/2) to sqrt(2), log m = 2 atanh((m - 1) / (m + 1)).
template <int Scale> TENON_DEVICE float scaled_log_of(float x) {
  const u32 bits = bits_of(x) - 0x3f3504f3u;
  const i32 e = i32(bits) >> 23;
  const float m = float_of((bits & 0x7fffffu) + 0x3f3504f3u);
  const float s = ratio(m - 1.0f, m + 1.0f), z = s * s, t = s * float(2 * Scale);
  const float p = z * (0.333333333f + z * (0.2f + z * (0.142857143f + z * 0.111111111f)));
  const float k = float(e);
  // The last bits of the first constant are 0.
  return exact_product_and(k, 0.693145752f * Scale, t + (t * p + k * (1.42860677e-6f * Scale)));
}
TENON_DEVICE double log_of(double x) {
  const u64 bits = bits_of(x) - 0x3fe6a09e667f3bcdull;
  const i32 e = i32(bits >> 32) >> 20;
  const double m = double_of((bits & 0xfffffffffffffull) + 0x3fe6a09e667f3bcdull);
  const double s = (m - 1.0) / (m + 1.0), z = s * s;
  double p = 1.0 / 23;
  p = 1.0 / 21 + z * p;
  p = 1.0 / 19 + z * p;
  p = 1.0 / 17 + z * p;
  p = 1.0 / 15 + z * p;
  p = 1.0 / 13 + z * p;
  p = 1.0 / 11 + z * p;
  p = 1.0 / 9 + z * p;
  p = 1.0 / 7 + z * p;
  p = 1.0 / 5 + z * p;
  p = 1.0 / 3 + z * p;
  const double k = double(e);
  return k * 0.69314718036912382 + ((s + s) + ((s + s) * (z * p) + k * 1.9082149292705877e-10));
}

// log(1 + x) for -1 < x <= 0.
TENON_DEVICE double log_of_one_plus(double x) {
  if (x > -1e-4) return x * (1.0 - x * (0.5 - x * (1.0 / 3 - x * (0.25 - x * 0.2))));
  return log_of(1.0 + x);
}

// e^x, or 0 below the smallest normal number; x is at most 709.
TENON_DEVICE double exp_of(double x) {
  if (!(x > -708.0)) return 0.0;
  const i32 k = i32(x * 1.4426950408889634 + (x < 0 ? -0.5 : 0.5));
  const double r = (x - double(k) * 0.69314718036912382) - double(k) * 1.9082149292705877e-10;
  double y = 1.0;
  for (int n = 13; n >= 1; --n) y = 1.0 + r * y / double(n);
  return y * double_of(u64(k + 1023) << 52);
}

// Sine and cosine of the angle `turn` / 2^32 (2^64) of a full turn: exact reduction to an eighth of a turn on either
// side of a quarter, then a Taylor series.
TENON_DEVICE void sincos_of(u32 turn, float& sine, float& cosine) {
  const u32 shifted = turn + 0x20000000u;  // its upper two bits are the number of the quarter
  // An eighth of a turn is 2^31 here, and the bits above it wrap to the sign.
  const float x = float(i32(turn << 2)) * (1.46291807927e-9f / 4), z = x * x;
  const float s = x + x * (z * (-0.166666667f + z * (0.00833333333f + z * (-0.000198412698f + z * 2.75573192e-6f))));
  const float c =
      1.0f + z * (-0.5f + z * (0.0416666667f + z * (-0.00138888889f + z * (2.48015873e-5f + z * -2.75573192e-7f))));
  const bool odd = shifted & 0x40000000u;
  sine = float_of(bits_of(odd ? c : s) ^ (shifted & 0x80000000u));
  cosine = float_of(bits_of(odd ? s : c) ^ ((shifted + 0x40000000u) & 0x80000000u));
}
TENON_DEVICE void sincos_of(u64 turn, double& sine, double& cosine) {
  const u64 quarter = (turn + 0x2000000000000000ull) >> 62;
  const double x = double(i64(turn - (quarter << 62))) * 3.4061215800865545e-19, z = x * x;
  double s = 1.0 / 355687428096000.0;
  s = -1.0 / 1307674368000.0 + z * s;
  s = 1.0 / 6227020800.0 + z * s;
  s = -1.0 / 39916800.0 + z * s;
  s = 1.0 / 362880.0 + z * s;
  s = -1.0 / 5040.0 + z * s;
  s = 1.0 / 120.0 + z * s;
  s = -1.0 / 6.0 + z * s;
  s = x + x * (z * s);
  double c = 1.0 / 20922789888000.0;
  c = -1.0 / 87178291200.0 + z * c;
  c = 1.0 / 479001600.0 + z * c;
  c = -1.0 / 3628800.0 + z * c;
  c = 1.0 / 40320.0 + z * c;
  c = -1.0 / 720.0 + z * c;
  c = 1.0 / 24.0 + z * c;
  c = -0.5 + z * c;
  c = 1.0 + z * c;
  const double a = quarter & 1 ? c : s, b = quarter & 1 ? s : c;
  sine = quarter & 2 ? -a : a;
  cosine = (quarter + 1) & 2 ? -b : b;
}

// ---- Numbers from words ----

// In [0, 1): with as many bits as the format has.
template <class S> struct Digits {
  enum : int { value = 24 };
};
template <> struct Digits<half> {
  enum : int { value = 11 };
};
template <> struct Digits<bfloat> {
  enum : int { value = 8 };
};
template <class S> TENON_DEVICE float unit_float(u32 word) {
  return float(i32(word >> (32 - Digits<S>::value))) * (1.0f / (1 << Digits<S>::value));
}
TENON_DEVICE double unit(u64 word) { return double(i64(word >> 11)) * (1.0 / 9007199254740992); }
// In (0, 1], where small numbers are as fine as the word allows.
TENON_DEVICE float positive_unit(u32 word) {
  // Each half as the low bits of a number of known exponent; what is subtracted of each leaves an exact difference.
  const float high = float_of(word >> 16 | 0x43000000u) - 128.0f;
  return high + (float_of((word & 0xffffu) | 0x3b000000u) - (0.001953125f - 1.0f / 8589934592.0f));
}
TENON_DEVICE double positive_unit(u64 word) { return (double(i64(word >> 11)) + 0.5) * (1.0 / 9007199254740992); }

TENON_DEVICE void normal_pair(u32 x, u32 y, float& first, float& second) {
  const float radius = root(scaled_log_of<-2>(positive_unit(x)));
  float s, c;
  sincos_of(y, s, c);
  first = radius * c;
  second = radius * s;
}
TENON_DEVICE void normal_pair(u64 x, u64 y, double& first, double& second) {
  const double radius = root(-2.0 * log_of(positive_unit(x)));
  double s, c;
  sincos_of(y, s, c);
  first = radius * c;
  second = radius * s;
}

// The upper 64 bits of a * b.
TENON_DEVICE u64 high_product(u64 a, u64 b, u64& low) {
#ifdef TENON_DEVICE_TEXT
  if (b >> 32 == 0) {  // the usual case, at half of the cost
    const u64 first = wide_product(u32(a), u32(b)), second = wide_product(u32(a >> 32), u32(b)) + (first >> 32);
    low = second << 32 | u32(first);
    return second >> 32;
  }
  low = a * b;
  return __umul64hi(a, b);
#else
  const u64 a0 = u32(a), a1 = a >> 32, b0 = u32(b), b1 = b >> 32;
  const u64 p00 = a0 * b0, p01 = a0 * b1, p10 = a1 * b0, p11 = a1 * b1;
  const u64 middle = (p00 >> 32) + u32(p01) + u32(p10);
  low = u32(p00) | middle << 32;
  return p11 + (p01 >> 32) + (p10 >> 32) + (middle >> 32);
#endif
}

// ---- Draws: `blocks` counters each, with `width` elements per counter ----

// The type in which the numbers of a distribution are computed for elements of type S.
template <class S> struct Compute {
  using type = float;
};
template <> struct Compute<double> {
  using type = double;
};

template <class S> struct Width {
  enum : int { value = sizeof(S) == 8 ? 2 : 4 };
};

template <int L, class S> TENON_DEVICE void draw_bits(const Words<L>& x, S* out) {
  for (int l = 0; l < L; ++l)
    for (int j = 0; j < Width<S>::value; ++j)
      out[l * Width<S>::value + j] = sizeof(S) == 8 ? S(wide(x, j & 1, l)) : S(x.w[j][l]);
}

// The continuous distributions with one number or pair per word; C is float or double.
template <int Kind, class S, int L> TENON_DEVICE void numbers(const Words<L>& x, const RandomWork& w, float (*y)[L]) {
  const float a = float(w.a), b = float(w.b);
  if (Kind == kNormal) {
    for (int j = 0; j < 4; j += 2)
      for (int l = 0; l < L; ++l) {
        float first, second;
        normal_pair(x.w[j][l], x.w[j + 1][l], first, second);
        y[j][l] = a + b * first;
        y[j + 1][l] = a + b * second;
      }
  } else {
    for (int j = 0; j < 4; ++j)
      for (int l = 0; l < L; ++l)
        y[j][l] =
            Kind == kUniform ? a + (b - a) * unit_float<S>(x.w[j][l]) : scaled_log_of<-1>(positive_unit(x.w[j][l])) * b;
  }
}
template <int Kind, class S, int L> TENON_DEVICE void numbers(const Words<L>& x, const RandomWork& w, double (*y)[L]) {
  const double a = w.a, b = w.b;
  for (int l = 0; l < L; ++l) {
    if (Kind == kNormal) {
      double first, second;
      normal_pair(wide(x, 0, l), wide(x, 1, l), first, second);
      y[0][l] = a + b * first;
      y[1][l] = a + b * second;
    } else {
      for (int j = 0; j < 2; ++j)
        y[j][l] = Kind == kUniform ? a + (b - a) * unit(wide(x, j, l)) : -log_of(positive_unit(wide(x, j, l))) * b;
    }
  }
}

// Element j of counter `block`, without bias (Lemire 2019): further attempts take their words from further streams.
template <class S> TENON_DEVICE S integer(const RandomWork& w, u64 block, int j, u64 word) {
  if (Width<S>::value == 4) {
    u64 product = u64(u32(word)) * w.range;  // range: at most 2^32
    if (u32(product) < w.range && (w.range & (w.range - 1)) != 0) {
      const u32 least = u32((u64(1) << 32) % w.range);
      for (u64 attempt = 1; u32(product) < least; ++attempt) {
        Words<1> x;
        philox<1>(block, w.stream + (attempt << 32), w.key, x);
        product = u64(x.w[j][0]) * w.range;
      }
    }
    return S(w.low + i64(product >> 32));
  }
  if (w.range == 0) return S(u64(w.low) + word);
  u64 low, high = high_product(word, w.range, low);
  if (low < w.range && (w.range & (w.range - 1)) != 0) {
    const u64 least = (0 - w.range) % w.range;
    for (u64 attempt = 1; low < least; ++attempt) {
      Words<1> x;
      philox<1>(block, w.stream + (attempt << 32), w.key, x);
      high = high_product(wide(x, j & 1, 0), w.range, low);
    }
  }
  return S(u64(w.low) + high);
}

// ---- Distributions by rejection: element i has counter offset + i, and uses a new stream for each attempt ----

struct Sub {
  u64 block, stream, key;
  u64 spare;
  bool full;
  TENON_METHOD u64 next() {
    if (full) {
      full = false;
      return spare;
    }
    Words<1> x;
    philox<1>(block, stream, key, x);
    stream += u64(1) << 32;
    spare = wide(x, 1, 0);
    full = true;
    return wide(x, 0, 0);
  }
};

// A gamma variate of shape alpha is g exp(boost) (Marsaglia and Tsang 2000).
TENON_DEVICE double gamma_parts(Sub& sub, double alpha, double& boost) {
  const double d = (alpha < 1.0 ? alpha + 1.0 : alpha) - 1.0 / 3, c = 1.0 / root(9.0 * d);
  for (;;) {
    double x, other;
    const u64 first = sub.next(), second = sub.next();
    normal_pair(first, second, x, other);
    const double u = positive_unit(sub.next()), extra = positive_unit(sub.next());
    const double t = 1.0 + c * x, v = t * t * t;
    if (!(t > 0.0)) continue;
    if (log_of(u) < 0.5 * x * x + d * (1.0 - v + log_of(v))) {
      boost = alpha < 1.0 ? log_of(extra) / alpha : 0.0;
      return d * v;
    }
  }
}

// log k! minus Stirling's formula for it.
TENON_DEVICE double stirling_rest(double k) {
  if (k < 10.0) {
    double factorial = 1.0;
    for (int i = 2; i <= int(k); ++i) factorial *= double(i);
    return log_of(factorial) - ((k + 0.5) * log_of(k + 1.0) - (k + 1.0) + 0.91893853320467274);
  }
  const double n = k + 1.0, z = 1.0 / (n * n);
  return (1.0 / 12 - z * (1.0 / 360 - z * (1.0 / 1260 - z * (1.0 / 1680)))) / n;
}

// x log(x / mean) - x + mean without cancellation (Loader, Fast and Accurate Computation of Binomial Probabilities,
// 2000): the logarithms of probabilities of large counts differ by less than their terms' rounding errors.
TENON_DEVICE double deviance(double x, double mean) {
  const double distance = x - mean, sum = x + mean;
  if ((distance < 0 ? -distance : distance) >= 0.1 * sum) return x * log_of(x / mean) - distance;
  const double v = distance / sum, square = v * v;
  double series = 0.0;  // twice the sum of v^(2 j + 1) / (2 j + 1) from j = 1 on; v is below 1 / 10
  for (int j = 9; j >= 1; --j) series = square * (1.0 / double(2 * j + 1) + series);
  return distance * v + 2.0 * x * (v * series);
}

TENON_DEVICE double floor_of(double x) {  // for numbers of magnitude below 2^63
  const double whole = double(i64(x));
  return whole > x ? whole - 1.0 : whole;
}

// Below 10 by products of uniform numbers, else by PTRS (Hoermann 1993).
TENON_DEVICE double poisson(Sub& sub, double mean) {
  if (mean < 10.0) {
    const double end = exp_of(-mean);
    double product = 1.0;
    for (i64 k = 0;; ++k) {
      product *= positive_unit(sub.next());
      if (!(product > end)) return double(k);
    }
  }
  const double width = root(mean), b = 0.931 + 2.53 * width, a = -0.059 + 0.02483 * b;
  const double log_alpha = log_of(1.1239 + 1.1328 / (b - 3.4)), quick = 0.9277 - 3.6224 / (b - 2.0);
  // log of the probability of k: that of mean^(n - 1) / (n - 1)! with n = k + 1, by Stirling's formula.
  const double constant = log_of(mean) + 0.91893853320467274;
  for (;;) {
    const double u = positive_unit(sub.next()) - 0.5, v = positive_unit(sub.next());
    const double us = 0.5 - (u < 0 ? -u : u);
    if (!(us > 0.0)) continue;
    const double at = (2.0 * a / us + b) * u + mean + 0.43;
    if (!(at >= 0.0 && at < 9223372036854775808.0)) continue;
    const double k = floor_of(at);
    if (us >= 0.07 && v <= quick) return k;
    if (us < 0.013 && v > us) continue;
    const double log_probability = 0.5 * log_of(k + 1.0) - deviance(k + 1.0, mean) - constant - stirling_rest(k);
    if (log_of(v) + log_alpha - log_of(a / (us * us) + b) <= log_probability) return k;
  }
}

// log of the probability of k successes in n trials, but for what does not depend on k: with m = k + 1 and l = n - k +
// 1, that of p^m q^l / ((m - 1)! (l - 1)!) by Stirling's formula; m_mean and l_mean are (n + 2) p and (n + 2) q.
TENON_DEVICE double binomial_log(double k, double n, double m_mean, double l_mean) {
  const double m = k + 1.0, l = n - k + 1.0;
  return 0.5 * log_of(m) + 0.5 * log_of(l) - deviance(m, m_mean) - deviance(l, l_mean) - stirling_rest(k) -
         stirling_rest(n - k);
}

// If n p is below 10, by sums of geometric numbers (Devroye 1986, X.4.3), else by BTRS (Hoermann 1993).
TENON_DEVICE double binomial(Sub& sub, double n, double probability) {
  const bool mirrored = probability > 0.5;
  const double p = mirrored ? 1.0 - probability : probability;
  double k = 0.0;
  if (n * p < 10.0) {
    const double step = log_of_one_plus(-p);
    double sum = 0.0;
    while (p > 0.0) {
      const double jump = log_of(positive_unit(sub.next())) / step;
      sum += (jump < n ? floor_of(jump) : n) + 1.0;
      if (sum > n) break;
      k += 1.0;
    }
  } else {
    const double width = root(n * p * (1.0 - p)), b = 1.15 + 2.53 * width, a = -0.0873 + 0.0248 * b + 0.01 * p;
    const double c = n * p + 0.5, quick = 0.92 - 4.2 / b, alpha = (2.83 + 5.1 / b) * width;
    const double m_mean = (n + 2.0) * p, l_mean = (n + 2.0) * (1.0 - p);
    const double mode = binomial_log(floor_of((n + 1.0) * p), n, m_mean, l_mean);
    for (;;) {
      const double u = positive_unit(sub.next()) - 0.5, us = 0.5 - (u < 0 ? -u : u), v = positive_unit(sub.next());
      if (!(us > 0.0)) continue;
      const double at = (2.0 * a / us + b) * u + c;
      if (!(at >= 0.0 && at < n + 1.0)) continue;
      k = floor_of(at);
      if (us >= 0.07 && v <= quick) break;
      if (log_of(v * alpha / (a / (us * us) + b)) <= binomial_log(k, n, m_mean, l_mean) - mode) break;
    }
  }
  return mirrored ? n - k : k;
}

template <int Kind> TENON_DEVICE double rejected(const RandomWork& w, i64 i) {
  Sub sub{w.offset + u64(i), w.stream, w.key, 0, false};
  if (Kind == kPoisson) return poisson(sub, w.a);
  if (Kind == kBinomial) return binomial(sub, w.a, w.b);
  double boost, other;
  const double g = gamma_parts(sub, w.a, boost);
  if (Kind == kGamma) return g * exp_of(boost) * w.b;
  // beta: g / (g + h), by logarithms, because both may be too small for a double
  const double h = gamma_parts(sub, w.b, other);
  const double difference = (log_of(h) + other) - (log_of(g) + boost);
  return difference > 0 ? (difference > 708.0 ? 0.0 : exp_of(-difference) / (1.0 + exp_of(-difference)))
                        : 1.0 / (1.0 + exp_of(difference));
}

// ---- Groups of elements ----

template <int Kind, class S> struct Elements {
  enum : int { value = Kind >= kGamma ? 1 : Kind == kBernoulli ? 4 : int(Width<S>::value) };
};

// The elements of L counters, from group `first` on: L * Elements<Kind, S>::value elements.
template <int Kind, class S, int L> TENON_DEVICE void draw(const RandomWork& w, i64 first, S* out) {
  if constexpr (Kind >= kGamma) {
    for (int l = 0; l < L; ++l) out[l] = Store<S>::of(rejected<Kind>(w, first + l));
  } else {
    const u64 block = w.offset + u64(first);
    Words<L> x;
    philox<L>(block, w.stream, w.key, x);
    if constexpr (Kind == kBits) {
      draw_bits<L, S>(x, out);
    } else if constexpr (Kind == kIntegers) {
      for (int l = 0; l < L; ++l)
        for (int j = 0; j < Width<S>::value; ++j)
          out[l * Width<S>::value + j] =
              integer<S>(w, block + u64(l), j, Width<S>::value == 4 ? u64(x.w[j][l]) : wide(x, j & 1, l));
    } else if constexpr (Kind == kBernoulli) {
      const u64 bound = w.range;  // a probability, multiplied by 2^32
      const S one = Store<S>::of(w.b), zero = Store<S>::of(0.0);
      for (int l = 0; l < L; ++l)
        for (int j = 0; j < 4; ++j) out[4 * l + j] = u64(x.w[j][l]) < bound ? one : zero;
    } else {
      typename Compute<S>::type y[Width<S>::value][L];
      numbers<Kind, S, L>(x, w, y);
      for (int l = 0; l < L; ++l)
        for (int j = 0; j < Width<S>::value; ++j) out[l * Width<S>::value + j] = Store<S>::of(y[j][l]);
    }
  }
}

}  // namespace tenon_own
