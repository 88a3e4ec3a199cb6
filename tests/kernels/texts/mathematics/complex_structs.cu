#include <cuComplex.h>
__global__ void numbers(cuDoubleComplex* y, const cuDoubleComplex* x) {
  const cuDoubleComplex a = x[threadIdx.x], b = x[(threadIdx.x + 1) % blockDim.x];
  cuDoubleComplex z = cuCadd(cuCmul(a, b), cuCsub(cuConj(a), make_cuDoubleComplex(1, 2)));
  z = cuCfma(z, b, a);
  const cuFloatComplex f = cuComplexDoubleToFloat(z);
  y[threadIdx.x] = make_cuDoubleComplex(cuCreal(z) + cuCrealf(f), cuCimag(z) + cuCabs(make_cuDoubleComplex(3, 4)));
}
