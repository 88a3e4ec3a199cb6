// Numbers taken apart: frexp, modf, ldexp, remquo, logb, nextafter, copysign, classes.
#include <math.h>
__global__ void parts(double* y, const double* x) {
  const double v = x[threadIdx.x];
  double* to = y + 10 * threadIdx.x;
  int e, q;
  to[0] = frexp(v, &e);
  to[1] = e;
  to[2] = modf(v, &to[3]);
  to[4] = remquo(v, 0.75, &q);
  to[5] = q & 7;
  to[6] = scalbn(v, 3) + ldexp(1.0, ilogb(v));
  to[7] = nextafter(v, 1e300) - v;
  to[8] = copysign(2.0, v) + signbit(v) * 10 + isfinite(v) * 100 + isnan(v) * 1000 + isinf(1.0 / (v - v));
  to[9] = fmax(v, (double)NAN) + fmin((double)NAN, v) + fdim(v, 1.0);
}
