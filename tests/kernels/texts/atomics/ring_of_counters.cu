// atomicInc and atomicDec wrap around.
__global__ void count(unsigned* y) {
  const unsigned a = atomicInc(&y[0], 4), b = atomicDec(&y[1], 6);
  atomicAdd(&y[2 + a], 1u);
  atomicAdd(&y[7 + b], 1u);
}
