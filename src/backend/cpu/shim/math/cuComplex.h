// shim/math/cuComplex.h: complex numbers as pairs.
#ifndef CU_COMPLEX_H_
#define CU_COMPLEX_H_

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define TENON_COMPLEX(C, R, f, hypotenuse)                                                                \
  TENON_INLINE R cuCreal##f(C z) { return z.x; }                                                          \
  TENON_INLINE R cuCimag##f(C z) { return z.y; }                                                          \
  TENON_INLINE C cuConj##f(C z) {                                                                         \
    C r = {z.x, -z.y};                                                                                    \
    return r;                                                                                             \
  }                                                                                                       \
  TENON_INLINE C cuCadd##f(C a, C b) {                                                                    \
    C r = {a.x + b.x, a.y + b.y};                                                                         \
    return r;                                                                                             \
  }                                                                                                       \
  TENON_INLINE C cuCsub##f(C a, C b) {                                                                    \
    C r = {a.x - b.x, a.y - b.y};                                                                         \
    return r;                                                                                             \
  }                                                                                                       \
  TENON_INLINE C cuCmul##f(C a, C b) {                                                                    \
    C r = {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                                                 \
    return r;                                                                                             \
  }                                                                                                       \
  /* Scaled, so that the squares of the divisor neither overflow nor vanish. */                           \
  TENON_INLINE C cuCdiv##f(C a, C b) {                                                                    \
    const R scale = (R)1 / (fabs(b.x) + fabs(b.y)), ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, \
            by = b.y * scale;                                                                             \
    const R inverse = (R)1 / (bx * bx + by * by);                                                         \
    C r = {(ax * bx + ay * by) * inverse, (ay * bx - ax * by) * inverse};                                 \
    return r;                                                                                             \
  }                                                                                                       \
  TENON_INLINE R cuCabs##f(C z) { return hypotenuse(z.x, z.y); }                                          \
  TENON_INLINE C cuCfma##f(C a, C b, C c) { return cuCadd##f(cuCmul##f(a, b), c); }
TENON_COMPLEX(cuFloatComplex, float, f, hypotf)
TENON_COMPLEX(cuDoubleComplex, double, , hypot)
#undef TENON_COMPLEX
TENON_INLINE cuFloatComplex make_cuFloatComplex(float x, float y) { return make_float2(x, y); }
TENON_INLINE cuDoubleComplex make_cuDoubleComplex(double x, double y) { return make_double2(x, y); }
TENON_INLINE cuComplex make_cuComplex(float x, float y) { return make_float2(x, y); }
TENON_INLINE cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) { return make_double2(z.x, z.y); }
TENON_INLINE cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) { return make_float2((float)z.x, (float)z.y); }
#endif
