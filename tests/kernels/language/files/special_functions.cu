// The rarer functions of float and double: error functions and their inverses, gamma, Bessel, roots, and fast forms.
extern "C" __global__ void of_float(const float* x, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = x[i];  // between 0.05 and 1.95
  const float values[] = {erfcinvf(v), normcdff(v), tgammaf(v), lgammaf(v + 2.0f), j0f(v), j1f(v), jnf(2, v), y0f(v), y1f(v), cyl_bessel_i0f(v), cyl_bessel_i1f(v),
                          rcbrtf(v), rhypotf(v, 2.0f), norm3df(v, 1.0f, 2.0f), norm4df(v, 1.0f, 2.0f, 3.0f), __expf(v), __logf(v), __powf(v, 1.5f),
                          exp10f(v), fdividef(v, 3.0f), fdimf(v, 1.0f), remainderf(v, 0.3f), ldexpf(v, 3), scalbnf(v, -2), asinhf(v), acoshf(v + 1.0f), atanhf(v * 0.5f), sinpif(v), erfcxf(v)};
  for (int k = 0; k < (int)(sizeof values / sizeof *values); ++k) out[k * n + i] = values[k];
}
extern "C" __global__ void of_double(const double* x, double* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double v = x[i];
  double whole, s, c;
  int exponent;
  sincos(v, &s, &c);
  const double values[] = {erfcinv(v), normcdf(v), tgamma(v), lgamma(v + 2.0), j0(v), j1(v), jn(2, v), y0(v), y1(v), cyl_bessel_i0(v), rcbrt(v), rhypot(v, 2.0), norm3d(v, 1.0, 2.0),
                           exp10(v), fdim(v, 1.0), remainder(v, 0.3), ldexp(v, 3), frexp(v, &exponent) + exponent, modf(v * 3, &whole) + whole, asinh(v), acosh(v + 1), atanh(v * 0.5),
                           s, c, expm1(v), log1p(v), nextafter(v, 2.0) - v, copysign(v, -1.0), logb(v), (double)ilogb(v), fma(v, v, v), erfcx(v)};
  for (int k = 0; k < (int)(sizeof values / sizeof *values); ++k) out[k * n + i] = values[k];
}
