// Sixteen bits are compared and exchanged beside others.
__global__ void add(unsigned short* y) {
  unsigned short old = y[threadIdx.x % 2], assumed;
  do {
    assumed = old;
    old = atomicCAS(&y[threadIdx.x % 2], assumed, (unsigned short)(assumed + 3));
  } while (old != assumed);
}
