__global__ void ends(long long* y, const long long* x) {
  const long long v = x[blockIdx.x * blockDim.x + threadIdx.x];
  int* narrow = (int*)(y + 4);
  atomicMin(&y[0], v);
  atomicMax(&y[1], v);
  atomicMin((unsigned long long*)&y[2], (unsigned long long)v);
  atomicMax((unsigned long long*)&y[3], (unsigned long long)v);
  atomicMin(&narrow[0], (int)v);
  atomicMax(&narrow[1], (int)v);
  atomicMin((unsigned*)&narrow[2], (unsigned)v);
  atomicMax((unsigned*)&narrow[3], (unsigned)v);
}
