// One function a row: row k of `out` has n values.
extern "C" __global__ void of_float(const float* x, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = x[i], p = fabsf(v) + 0.01f, u = v / 40.0f, s, c;
  sincosf(v, &s, &c);
  const float values[] = {expf(v), exp2f(v), exp10f(v), expm1f(v), logf(p), log2f(p), log10f(p), log1pf(p), sinf(v), cosf(v), tanf(v),
                          asinf(u), acosf(u), atanf(v), sinhf(v), coshf(v), tanhf(v), sqrtf(p), rsqrtf(p), cbrtf(v), erff(v), erfcf(v),
                          powf(p, u), atan2f(v, p), hypotf(v, p), fmodf(v, 0.7f), s, c, sinpif(v), cospif(v), normcdff(v),
                          erfinvf(u), ceilf(v), floorf(v), rintf(v), truncf(v), roundf(v), lgammaf(p), tgammaf(p), erfcxf(p),
                          rcbrtf(p), normcdfinvf(0.5f + u / 2.1f)};
  for (int k = 0; k < (int)(sizeof values / sizeof *values); ++k) out[k * n + i] = values[k];
}
extern "C" __global__ void of_double(const double* x, double* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double v = x[i], p = fabs(v) + 0.01, u = v / 40.0;
  const double values[] = {exp(v), log(p), sin(v), cos(v), tan(v), tanh(v), sqrt(p), rsqrt(p), pow(p, u), erf(v), erfc(v), erfinv(u),
                           normcdf(v), cbrt(v), sinpi(v), exp2(v), log2(p), hypot(v, p), fma(v, p, u), normcdfinv(0.5 + u / 2.1)};
  for (int k = 0; k < (int)(sizeof values / sizeof *values); ++k) out[k * n + i] = values[k];
}
extern "C" __global__ void rounding(const float* x, float* out, int* whole, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float a = x[i], b = x[(i + 1) % n] + 0.1f;
  const float values[] = {__fadd_rn(a, b), __fadd_rz(a, b), __fadd_ru(a, b), __fadd_rd(a, b), __fmul_rz(a, b), __fmul_ru(a, b),
                          __fmul_rd(a, b), __fdiv_rz(a, b), __fdiv_ru(a, b), __fdiv_rd(a, b), __fmaf_rz(a, b, a), __fmaf_ru(a, b, a),
                          __fmaf_rd(a, b, a), __fsqrt_ru(fabsf(a)), __fsqrt_rd(fabsf(a)), __double2float_ru(a / 3.0), __double2float_rd(a / 3.0)};
  for (int k = 0; k < (int)(sizeof values / sizeof *values); ++k) out[k * n + i] = values[k];
  const int integers[] = {__float2int_rn(a), __float2int_rz(a), __float2int_ru(a), __float2int_rd(a), __float2int_rz(a * 1e30f),
                          __float2int_rn(__int_as_float(0x7fc00000)), (int)__float2uint_rz(-a * a - 1.0f)};
  for (int k = 0; k < (int)(sizeof integers / sizeof *integers); ++k) whole[k * n + i] = integers[k];
}
