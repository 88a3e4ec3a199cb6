// functions/complex_functions.cuh: functions of complex numbers, based on complex.cuh and real.cuh. Special values are
// those of C99's Annex G for the exponential, hyperbolic and square root functions and their inverses, and those of the
// array API standard for expm1.
#define TENON_G_Z template <class R> TENON_G_DEVICE complex<R>

template <class R> TENON_G_DEVICE bool tenon_g_nan(R x) { return x != x; }

// Of numbers ordered by their real, then their imaginary parts; false if a part is NaN.
template <class R> TENON_G_DEVICE bool tenon_g_at_least(complex<R> x, complex<R> y) {
  return (x.real() > y.real() && x.imag() == x.imag() && y.imag() == y.imag()) ||
         (x.real() == y.real() && x.imag() >= y.imag());
}

// Part by part: the product with the complex number (factor, 0) would make NaN of infinity, and +0 of -0.
TENON_G_Z tenon_g_times(complex<R> z, R factor) { return complex<R>(z.real() * factor, z.imag() * factor); }

// Next to an infinite part, which counts as 1, a finite one counts as 0.
TENON_G_Z tenon_g_sign(complex<R> z) {
  if (tenon_g_isinf(z.real()) && tenon_g_isfinite(z.imag())) return complex<R>(copysign((R)1, z.real()), 0);
  if (tenon_g_isinf(z.imag()) && tenon_g_isfinite(z.real())) return complex<R>(0, copysign((R)1, z.imag()));
  const R size = hypot(z.real(), z.imag());
  return size == 0 ? complex<R>(0, 0) : complex<R>(z.real() / size, z.imag() / size);
}

template <class R> TENON_G_DEVICE R tenon_g_squared_difference(complex<R> x, complex<R> y) {
  const R re = x.real() - y.real(), im = x.imag() - y.imag();
  return re * re + im * im;
}

// The larger part decides whether the numbers are scaled, so that intermediate values neither overflow nor lose digits.
TENON_G_Z tenon_g_sqrt(complex<R> z) {
  R a = z.real(), b = z.imag();
  if (a == 0 && b == 0) return complex<R>(0, b);
  if (tenon_g_isinf(b)) return complex<R>((R)INFINITY, b);
  if (tenon_g_nan(a)) return complex<R>(a, (R)NAN);
  if (tenon_g_isinf(a)) {
    if (a > 0) return complex<R>(a, tenon_g_nan(b) ? b : copysign((R)0, b));
    return complex<R>(tenon_g_nan(b) ? b : (R)0, copysign((R)INFINITY, b));
  }
  const R huge = sizeof(R) == 4 ? (R)8.5e37 : (R)4.4e307, tiny = sizeof(R) == 4 ? (R)1e-37 : (R)1e-306;
  R scale = 1;
  if (fabs(a) > huge || fabs(b) > huge) {
    a *= (R)0.25, b *= (R)0.25, scale = 2;
  } else if (fabs(a) < tiny && fabs(b) < tiny) {
    const R up = sizeof(R) == 4 ? (R)16777216.0 : (R)18014398509481984.0;  // 2^24, 2^54
    a *= up, b *= up, scale = sizeof(R) == 4 ? (R)(1.0 / 4096) : (R)(1.0 / 134217728);
  }
  const R t = sqrt((fabs(a) + hypot(a, b)) * (R)0.5);
  if (a >= 0) return complex<R>(scale * t, scale * (b / (2 * t)));
  return complex<R>(scale * (fabs(b) / (2 * t)), scale * copysign(t, b));
}

// e^x (cos y, sin y), even if e^x alone would overflow.
TENON_G_Z tenon_g_polar_exp(R x, R y, R sign) {
  const R most = sizeof(R) == 4 ? (R)88 : (R)709;
  if (x > most && x < 2 * most) {
    const R half = exp(x / 2);
    return complex<R>(half * (half * cos(y)), sign * (half * (half * sin(y))));
  }
  const R e = exp(x);
  return complex<R>(e * cos(y), sign * (e * sin(y)));
}

TENON_G_Z tenon_g_exp(complex<R> z) {
  const R x = z.real(), y = z.imag();
  if (y == 0) return complex<R>(exp(x), y);
  if (!tenon_g_isfinite(y)) {
    if (tenon_g_isinf(x)) return x < 0 ? complex<R>(0, copysign((R)0, y)) : complex<R>(x, (R)NAN);
    return complex<R>((R)NAN, (R)NAN);
  }
  return tenon_g_polar_exp(x, y, (R)1);
}

TENON_G_Z tenon_g_expm1(complex<R> z) {
  const R x = z.real(), y = z.imag(), half = sin(y / 2);
  if (y == 0) return complex<R>(x == 0 ? (R)0 : expm1(x), y);
  if (!tenon_g_isfinite(y) && tenon_g_isinf(x)) return x < 0 ? complex<R>((R)-1, (R)0) : complex<R>(x, (R)NAN);
  return complex<R>(expm1(x) * cos(y) - 2 * half * half, exp(x) * sin(y));
}

TENON_G_Z tenon_g_log(complex<R> z) {
  const R x = fabs(z.real()), y = fabs(z.imag()), large = x > y ? x : y, small = x > y ? y : x;
  R size;
  if (large > (sizeof(R) == 4 ? (R)1e38 : (R)1e307) && tenon_g_isfinite(large) && tenon_g_isfinite(small)) {
    size = log(hypot(x / 2, y / 2)) + (R)0.69314718055994530942;
  } else if (large > (R)0.7 && large < (R)1.4 && small < (R)1.4) {
    size = (R)0.5 * log1p((large - 1) * (large + 1) + small * small);
  } else {
    size = log(hypot(x, y));
  }
  return complex<R>(size, atan2(z.imag(), z.real()));
}

TENON_G_Z tenon_g_log1p(complex<R> z) {
  const R x = z.real(), y = z.imag();
  if (fabs(x) < (R)0.5 && fabs(y) < (R)0.5) return complex<R>((R)0.5 * log1p(x * (2 + x) + y * y), atan2(y, 1 + x));
  return tenon_g_log(complex<R>(1 + x, y));
}

TENON_G_Z tenon_g_sinh(complex<R> z) {
  const R x = z.real(), y = z.imag();
  if (y == 0) return complex<R>(sinh(x), y);
  if (!tenon_g_isfinite(y)) {
    if (x == 0) return complex<R>(x, (R)NAN);
    return complex<R>(tenon_g_isinf(x) ? x : (R)NAN, (R)NAN);
  }
  if (fabs(x) > (sizeof(R) == 4 ? (R)40 : (R)350)) {
    const complex<R> e = tenon_g_polar_exp(fabs(x) - (R)0.69314718055994530942, y, (R)1);
    return complex<R>(copysign((R)1, x) * e.real(), e.imag());
  }
  return complex<R>(sinh(x) * cos(y), cosh(x) * sin(y));
}

TENON_G_Z tenon_g_cosh(complex<R> z) {
  const R x = z.real(), y = z.imag();
  if (y == 0)
    return complex<R>(cosh(x),
                      x == 0 || tenon_g_nan(x) ? y * copysign((R)1, x) : copysign((R)0, x) * copysign((R)1, y));
  if (!tenon_g_isfinite(y)) {
    if (x == 0) return complex<R>((R)NAN, (R)0);
    return complex<R>(tenon_g_isinf(x) ? fabs(x) : (R)NAN, (R)NAN);
  }
  if (fabs(x) > (sizeof(R) == 4 ? (R)40 : (R)350)) {
    const complex<R> e = tenon_g_polar_exp(fabs(x) - (R)0.69314718055994530942, y, (R)1);
    return complex<R>(e.real(), copysign((R)1, x) * e.imag());
  }
  return complex<R>(cosh(x) * cos(y), sinh(x) * sin(y));
}

// W. Kahan, Branch cuts for complex elementary functions (1987).
TENON_G_Z tenon_g_tanh(complex<R> z) {
  const R x = z.real(), y = z.imag();
  if (tenon_g_nan(x)) return complex<R>(x, y == 0 ? y : (R)NAN);
  if (tenon_g_isinf(x)) return complex<R>(copysign((R)1, x), copysign((R)0, tenon_g_isfinite(y) ? sin(y) * cos(y) : y));
  if (!tenon_g_isfinite(y)) return complex<R>(x == 0 ? x : (R)NAN, (R)NAN);
  if (fabs(x) > (sizeof(R) == 4 ? (R)11 : (R)22)) {
    const R e = exp(-fabs(x));
    return complex<R>(copysign((R)1, x), 4 * sin(y) * cos(y) * e * e);
  }
  const R t = tan(y), beta = 1 + t * t, s = sinh(x), rho = sqrt(1 + s * s), denominator = 1 + beta * s * s;
  return complex<R>(beta * rho * s / denominator, t / denominator);
}

TENON_G_Z tenon_g_sin(complex<R> z) {
  const complex<R> w = tenon_g_sinh(complex<R>(-z.imag(), z.real()));
  return complex<R>(w.imag(), -w.real());
}
TENON_G_Z tenon_g_cos(complex<R> z) { return tenon_g_cosh(complex<R>(-z.imag(), z.real())); }
TENON_G_Z tenon_g_tan(complex<R> z) {
  const complex<R> w = tenon_g_tanh(complex<R>(-z.imag(), z.real()));
  return complex<R>(w.imag(), -w.real());
}

// The angle of (x, y) with an infinite part, next to which a finite one counts as 0; NaN if the other part is NaN.
template <class R> TENON_G_DEVICE R tenon_g_far_angle(R y, R x) {
  if (tenon_g_nan(x) || tenon_g_nan(y)) return (R)NAN;
  return atan2(tenon_g_isinf(y) ? copysign((R)1, y) : copysign((R)0, y), tenon_g_isinf(x) ? copysign((R)1, x) : (R)0);
}
template <class R> TENON_G_DEVICE R tenon_g_infinity_like(R x) {
  return tenon_g_nan(x) ? (R)INFINITY : copysign((R)INFINITY, x);
}

// Kahan's formulas for finite numbers; their parts never cancel.
TENON_G_Z tenon_g_asin(complex<R> z) {
  if (tenon_g_isinf(z.real()) || tenon_g_isinf(z.imag()))
    return complex<R>(tenon_g_far_angle(z.real(), fabs(z.imag())), tenon_g_infinity_like(z.imag()));
  if (z.real() == 0 && tenon_g_nan(z.imag())) return z;
  const complex<R> below = tenon_g_sqrt(complex<R>(1 - z.real(), -z.imag())),
                   above = tenon_g_sqrt(complex<R>(1 + z.real(), z.imag()));
  return complex<R>(atan2(z.real(), below.real() * above.real() - below.imag() * above.imag()),
                    asinh(below.real() * above.imag() - below.imag() * above.real()));
}
TENON_G_Z tenon_g_acos(complex<R> z) {
  if (tenon_g_isinf(z.real()) || tenon_g_isinf(z.imag()))
    return complex<R>(fabs(tenon_g_far_angle(z.imag(), z.real())), -tenon_g_infinity_like(z.imag()));
  if (z.real() == 0 && tenon_g_nan(z.imag())) return complex<R>((R)1.57079632679489661923, z.imag());
  const complex<R> below = tenon_g_sqrt(complex<R>(1 - z.real(), -z.imag())),
                   above = tenon_g_sqrt(complex<R>(1 + z.real(), z.imag()));
  return complex<R>(2 * atan2(below.real(), above.real()),
                    asinh(above.real() * below.imag() - above.imag() * below.real()));
}
TENON_G_Z tenon_g_acosh(complex<R> z) {
  if (tenon_g_isinf(z.real()) || tenon_g_isinf(z.imag()))
    return complex<R>((R)INFINITY, tenon_g_far_angle(z.imag(), z.real()));
  if (z.real() == 0 && tenon_g_nan(z.imag())) return complex<R>(z.imag(), (R)1.57079632679489661923);
  const complex<R> below = tenon_g_sqrt(complex<R>(z.real() - 1, z.imag())),
                   above = tenon_g_sqrt(complex<R>(z.real() + 1, z.imag()));
  return complex<R>(asinh(below.real() * above.real() + below.imag() * above.imag()),
                    2 * atan2(below.imag(), above.real()));
}
TENON_G_Z tenon_g_asinh(complex<R> z) {
  const complex<R> w = tenon_g_asin(complex<R>(-z.imag(), z.real()));
  return complex<R>(w.imag(), -w.real());
}
TENON_G_Z tenon_g_atanh(complex<R> z) {
  const R x = z.real(), y = z.imag(), far = sizeof(R) == 4 ? (R)1e9 : (R)1e100;
  const R angle = (R)1.57079632679489661923;
  if (tenon_g_isinf(x) || tenon_g_isinf(y))
    return complex<R>(copysign((R)0, x), tenon_g_nan(y) ? y : copysign(angle, y));
  if (tenon_g_nan(x) || tenon_g_nan(y)) return complex<R>(x == 0 ? x : (R)NAN, (R)NAN);
  if (fabs(x) > far || fabs(y) > far) {
    const R size = hypot(x, y);
    return complex<R>(x / size / size, copysign(angle, y));
  }
  const R size = fabs(x), below = 1 - size;
  return complex<R>(copysign((R)0.25 * log1p(4 * size / (below * below + y * y)), x),
                    (R)0.5 * atan2(2 * y, below * (1 + size) - y * y));
}
TENON_G_Z tenon_g_atan(complex<R> z) {
  const complex<R> w = tenon_g_atanh(complex<R>(-z.imag(), z.real()));
  return complex<R>(w.imag(), -w.real());
}

// Small integer powers by products, all others by the logarithm.
TENON_G_Z tenon_g_pow(complex<R> z, complex<R> w) {
  if (w.real() == 0 && w.imag() == 0) return complex<R>(1, 0);
  if (z.real() == 0 && z.imag() == 0) {
    if (w.real() > 0) return complex<R>(0, 0);  // |z|^w goes to 0, whatever its angle
    return complex<R>((R)NAN, (R)NAN);
  }
  const R whole = rint(w.real());
  if (w.imag() == 0 && whole == w.real() && fabs(whole) < 100) {
    complex<R> power = z, out((R)1, (R)0);
    for (int n = (int)fabs(whole); n; n >>= 1) {
      if (n & 1) out = out * power;
      if (n > 1) power = power * power;
    }
    return whole < 0 ? complex<R>((R)1, (R)0) / out : out;
  }
  return tenon_g_exp(w * tenon_g_log(z));
}
#undef TENON_G_Z
