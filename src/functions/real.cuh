// functions/real.cuh: functions of real numbers for the table's bodies, in the CUDA C that both devices compile.
// TENON_G_DEVICE is the prefix of a kernel's functions; the CPU device's own instances include this text as C++.
template <class T> struct tenon_g_number {
  static constexpr bool negative = T(-1) < T(0);
};

// Unsigned integers of the same size, which wrap around, whereas signed ones need not; small types, which C would
// promote to int, use unsigned int.
template <int bytes> struct tenon_g_wrapping {
  typedef unsigned int type;
};
template <> struct tenon_g_wrapping<8> {
  typedef unsigned long long type;
};

template <class T> TENON_G_DEVICE bool tenon_g_isinf(T x) {
  return fabs(x) > (sizeof(T) == 4 ? (T)3.4028234663852886e38 : (T)1.7976931348623157e308);
}
template <class T> TENON_G_DEVICE bool tenon_g_isfinite(T x) {
  return fabs(x) <= (sizeof(T) == 4 ? (T)3.4028234663852886e38 : (T)1.7976931348623157e308);
}
template <class T> TENON_G_DEVICE bool tenon_g_signbit(T x) { return copysign((T)1, x) < 0; }

template <class T> TENON_G_DEVICE T tenon_g_multiply(T x, T y) {
  typedef typename tenon_g_wrapping<sizeof(T)>::type word;
  return (T)((word)x * (word)y);
}

// x / y, which C can represent, of integers. The CPU device's own instances have one for vectors.
#ifndef TENON_G_OWN_QUOTIENT
template <class T> TENON_G_DEVICE T tenon_g_quotient(T x, T y) { return (T)(x / y); }
#endif

template <class T> TENON_G_DEVICE T tenon_g_modulus(T x, T y) {
  if (y == 0) return 0;
  if (tenon_g_number<T>::negative && y == (T)-1) return 0;
  return (T)(x - tenon_g_multiply(tenon_g_quotient(x, y), y));
}

template <class T> TENON_G_DEVICE T tenon_g_remainder(T x, T y) {
  const T r = tenon_g_modulus(x, y);
  return r != 0 && (r < 0) != (y < 0) ? (T)(r + y) : r;
}

template <class T> TENON_G_DEVICE T tenon_g_floor_divide(T x, T y) {
  if (y == 0) return 0;
  if (tenon_g_number<T>::negative && y == (T)-1) return tenon_g_multiply(x, y);
  const T q = tenon_g_quotient(x, y);
  return (T)(q - (T)((int)(tenon_g_multiply(q, y) != x) & (int)((x < 0) != (y < 0))));
}

// Like Python's divmod: the quotient is (x - remainder) / y, rounded.
template <class T> TENON_G_DEVICE T tenon_g_float_remainder(T x, T y) {
  const T r = fmod(x, y);
  if (y == 0) return r;
  if (r == 0) return copysign((T)0, y);
  return (r < 0) != (y < 0) ? r + y : r;
}
TENON_G_DEVICE float tenon_g_remainder(float x, float y) { return tenon_g_float_remainder(x, y); }
TENON_G_DEVICE double tenon_g_remainder(double x, double y) { return tenon_g_float_remainder(x, y); }

template <class T> TENON_G_DEVICE T tenon_g_float_floor_divide(T x, T y) {
  if (y == 0) return x / y;
  const T r = fmod(x, y);
  T q = (x - r) / y;
  if (r != 0 && (r < 0) != (y < 0)) q -= 1;
  if (q == 0) return copysign((T)0, x / y);
  const T whole = floor(q);
  return q - whole > (T)0.5 ? whole + 1 : whole;
}
TENON_G_DEVICE float tenon_g_floor_divide(float x, float y) { return tenon_g_float_floor_divide(x, y); }
TENON_G_DEVICE double tenon_g_floor_divide(double x, double y) { return tenon_g_float_floor_divide(x, y); }

template <class T> TENON_G_DEVICE T tenon_g_pow(T x, T y) {
  if (y < 0) return x == 1 ? (T)1 : x == (T)-1 ? (y % 2 ? (T)-1 : (T)1) : (T)0;
  T power = x, out = 1;
  for (; y; y = (T)(y / 2)) {
    if (y % 2) out = tenon_g_multiply(out, power);
    power = tenon_g_multiply(power, power);
  }
  return out;
}

template <class T> TENON_G_DEVICE T tenon_g_shift_left(T x, T y) {
  typedef typename tenon_g_wrapping<sizeof(T)>::type word;
  return y < 0 || y >= (T)(8 * sizeof(T)) ? (T)0 : (T)((word)x << y);
}
template <class T> TENON_G_DEVICE T tenon_g_shift_right(T x, T y) {
  return y < 0 || y >= (T)(8 * sizeof(T)) ? (x < 0 ? (T)-1 : (T)0) : (T)(x >> y);
}

template <class T> TENON_G_DEVICE T tenon_g_bit_count(T x) {
  typedef typename tenon_g_wrapping<sizeof(T)>::type word;
  word bits = x < 0 ? 0 - (word)x : (word)x;
  int count = 0;
  for (; bits; bits &= bits - 1) ++count;
  return (T)count;
}

template <class T> TENON_G_DEVICE T tenon_g_gcd(T x, T y) {
  while (y != 0) {
    const T r = tenon_g_modulus(x, y);
    x = y;
    y = r;
  }
  return x < 0 ? tenon_g_multiply(x, (T)-1) : x;
}
template <class T> TENON_G_DEVICE T tenon_g_size(T x) { return x < 0 ? tenon_g_multiply(x, (T)-1) : x; }
template <class T> TENON_G_DEVICE T tenon_g_lcm(T x, T y) {
  const T divisor = tenon_g_gcd(x, y);
  return divisor == 0 ? (T)0 : tenon_g_multiply(tenon_g_floor_divide(tenon_g_size(x), divisor), tenon_g_size(y));
}

// Equal numbers, including infinities, are not subtracted; NaN is kept.
template <class T> TENON_G_DEVICE T tenon_g_logaddexp(T x, T y) {
  const T apart = x - y, larger = apart > 0 ? x : y, sum = larger + log1p(exp(-fabs(apart)));
  return x == y ? x + (T)0.69314718055994530942 : sum;
}
template <class T> TENON_G_DEVICE T tenon_g_logaddexp2(T x, T y) {
  const T apart = x - y, larger = apart > 0 ? x : y;
  const T sum = larger + (T)1.44269504088896340736 * log1p(exp2(-fabs(apart)));
  return x == y ? x + 1 : sum;
}

template <class T> TENON_G_DEVICE T tenon_g_expit(T x) {
  const T e = exp(-fabs(x));
  return x >= 0 ? 1 / (1 + e) : e / (1 + e);
}

// x log(x / y) of positive numbers, also where they are close or their quotient is out of range.
template <class T> TENON_G_DEVICE T tenon_g_rel_entr(T x, T y) {
  const T ratio = x / y;
  if (ratio > (T)0.5 && ratio < 2) return x * log1p((x - y) / y);
  if (ratio < (sizeof(T) == 4 ? (T)1.1754943508222875e-38 : (T)2.2250738585072014e-308) || tenon_g_isinf(ratio))
    return x * (log(x) - log(y));
  return x * log(ratio);
}

template <class T> TENON_G_DEVICE T tenon_g_sinc(T x) {
  const T y = (T)3.14159265358979323846 * x;
  return x == 0 ? (T)1 : sin(y) / y;
}

// Up to 10 by the recurrence, then the asymptotic series (Abramowitz and Stegun 6.3.18); below 0 by reflection (6.3.7).
TENON_G_DEVICE double tenon_g_digamma_of(double x) {
  double out = 0;
  if (x == 0) return copysign((double)INFINITY, -x);
  if (x < 0) {
    const double part = x - floor(x);
    if (part == 0) return (double)NAN;
    out = -3.14159265358979323846 / tan(3.14159265358979323846 * part);
    x = 1 - x;
  }
  for (; x < 10; x += 1) out -= 1 / x;
  const double r = 1 / (x * x);
  const double series =
      r *
      (1.0 / 12 - r * (1.0 / 120 - r * (1.0 / 252 - r * (1.0 / 240 - r * (1.0 / 132 - r * (691.0 / 32760 - r / 12))))));
  return out + (log(x) - 0.5 / x - series);
}
template <class T> TENON_G_DEVICE T tenon_g_digamma(T x) { return (T)tenon_g_digamma_of((double)x); }

// Winitzki's approximation, within 2e-3 (A handy approximation for the error function and its inverse, 2008), then two
// steps of Halley's method, each of which cubes the error, or three near 1. Far from 0 they compare with 1 - erf(y),
// which keeps digits there.
TENON_G_DEVICE double tenon_g_erfinv(double x) {
  const double size = fabs(x), rest = 1 - size;
  if (!(size < 1)) return size == 1 ? copysign((double)INFINITY, x) : (double)NAN;
  if (size < 1e-8) return x * 0.88622692545275801365;
  const double below = log(rest * (1 + size)), middle = 4.3307467508 + 0.5 * below, product = -below / 0.147;
  double y = sqrt(product / (sqrt(middle * middle + product) + middle));
  for (int step = 0; step < (rest < 1e-3 ? 3 : 2); ++step) {
    const double off = size < 0.5 ? erf(y) - size : rest - erfc(y);
    const double newton = off * 0.88622692545275801365 * exp(y * y);
    y -= newton / (1 + y * newton);
  }
  return copysign(y, x);
}

// The power series (DLMF 10.25.2) and, where its terms grow too large, the asymptotic expansion (10.40.1).
TENON_G_DEVICE double tenon_g_i0(double x) {
  const double size = fabs(x), quarter = 0.25 * size * size;
  double sum = 1, term = 1;
  if (size < 20) {
    for (int k = 1; term > sum * 1e-17; ++k) sum += term *= quarter / (k * k);
    return sum;
  }
  for (int k = 1; k < 40 && term > 1e-17; ++k) sum += term *= (2 * k - 1) * (2 * k - 1) / (8 * k * size);
  const double half = exp(0.5 * size);  // exp(size) overflows earlier than the result
  return size > 800 ? size * 1e308 : half * (sum / sqrt(6.28318530717958647693 * size)) * half;
}

// Hurwitz's zeta function for x > 1 and q > 0: the first terms, then the Euler-Maclaurin formula (DLMF 25.11.5).
TENON_G_DEVICE double tenon_g_zeta_above(double x, double q) {
  double sum = 0, term, at = q;
  for (int k = 0;; ++k) {
    const bool far = q > 1e8;  // q^-x may underflow
    term = pow(at, far ? 1 - x : -x);
    if (far) return (1 / (x - 1) + (0.5 + x / (12 * q)) / q) * term;
    sum += term;
    if (term <= sum * 1.1e-16) return sum;
    if (k >= 9 && at > 9) break;
    at += 1;
  }
  sum += term * at / (x - 1) - 0.5 * term;
  // (2k)! / B_2k, with Bernoulli numbers.
  const double scale[12] = {12.0,
                            -720.0,
                            30240.0,
                            -1209600.0,
                            47900160.0,
                            -1892437580.3183792,
                            74724249600.0,
                            -2950130727918.1642,
                            116467828143500.67,
                            -4597978722407472.6,
                            181521054019435467.7,
                            -7166165256175667011.3};
  double rising = 1;
  for (int k = 0; k < 12; ++k) {
    rising *= x + 2 * k;
    term /= at;
    const double step = rising * term / scale[k];
    sum += step;
    if (fabs(step) <= fabs(sum) * 1.1e-16) return sum;
    rising *= x + (2 * k + 1);
    term /= at;
  }
  return sum;
}
// For negative q and a whole x, the terms with negative bases are the difference of two series with positive ones:
// zeta(x, 1 - f) + (-1)^x (zeta(x, f) - zeta(x, 1 - q)), with the fraction f of -q.
TENON_G_DEVICE double tenon_g_zeta_of(double x, double q) {
  if (x != x || q != q || x < 1) return (double)NAN;
  if (x == 1 || (q <= 0 && q == floor(q))) return (double)INFINITY;
  if (q < 0 && x != floor(x)) return (double)NAN;
  const double fraction = -q - floor(-q), sign = fmod(x, 2.0) == 0 ? 1 : -1;
  double sum = 0;
  for (int part = q < 0 ? 0 : 2; part < 3; ++part) {
    const double base = part == 0 ? 1 - q : part == 1 ? fraction : q < 0 ? 1 - fraction : q;
    const double value = tenon_g_zeta_above(x, base);
    sum += part == 0 ? -sign * value : part == 1 ? sign * value : value;
  }
  return sum;
}
template <class T> TENON_G_DEVICE T tenon_g_zeta(T x, T q) { return (T)tenon_g_zeta_of((double)x, (double)q); }

// The number after x towards y of a type with fewer digits: `ratio` of R's steps make one of its, which is at least
// `least`; its largest number is `most`.
template <class R> TENON_G_DEVICE R tenon_g_next_of(R x, R y, R ratio, R least, R most) {
  if (x != x || y != y) return x + y;
  if (x == y) return x;
  if (x == 0) return copysign(least, y);
  if (tenon_g_isinf(x)) return copysign(most, x);
  const R size = fabs(x);
  const bool outwards = (y > x) == (x > 0);
  R step = ratio * fabs(nextafter(size, outwards ? (R)INFINITY : (R)0) - size);
  if (step < least) step = least;
  const R next = outwards ? size + step : size - step;
  return copysign(next > most ? (R)INFINITY : next, x);
}

template <class T> TENON_G_DEVICE T tenon_g_clip(T x, T low, T high) {
  const T raised = x >= low || x != x ? x : low;
  return raised <= high || raised != raised ? raised : high;
}

#if defined(__AVX2__) && !defined(__AVX512DQ__)
// A number in the range of the 64-bit type To, by its two words: these processors convert vectors to 32 bits only.
template <class To> TENON_G_DEVICE To tenon_g_from_words(double x) {
  const double whole = trunc(x), high = floor(whole * (1 / 4294967296.0)), low = whole - high * 4294967296.0;
  const unsigned long long upper =
      (To)-1 < (To)0 ? (unsigned long long)(long long)(int)high : (unsigned long long)(unsigned)high;
  return (To)((upper << 32) + (unsigned)low);
}
#else
template <class To> TENON_G_DEVICE To tenon_g_from_words(double x) { return (To)x; }
#endif

// Conversion to integers: values beyond the type's range become its limit, and NaN becomes 0. Only numbers within the
// range are converted, which is defined everywhere, and without branches, so that loops vectorise.
template <class To, class T> TENON_G_DEVICE To tenon_g_saturated(T x, To low, To high) {
  if (sizeof(To) > sizeof(T)) return tenon_g_saturated<To, double>((double)x, low, high);
  const T least = (T)low, most = (T)high;
  if (sizeof(To) < sizeof(T)) {  // T represents both limits
    const T above = x > least ? x : least, inside = above < most ? above : most, number = x == x ? inside : (T)0;
    return sizeof(To) < sizeof(int) ? (To)(int)number : (To)number;
  }
  const T number = x > least && x < most ? x : (T)0;  // most was rounded up to the first number beyond the range
  const To inside = sizeof(To) == 8 ? tenon_g_from_words<To>((double)number) : (To)number;
  return x >= most ? high : x <= least ? low : inside;
}
