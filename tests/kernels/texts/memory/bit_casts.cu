__global__ void casts(unsigned long long* y, const double* x) {
  const double v = x[threadIdx.x];
  unsigned long long bits;
  memcpy(&bits, &v, sizeof v);
  const unsigned high = (unsigned)__double2hiint(v), low = (unsigned)__double2loint(v);
  const float f = (float)v;
  y[threadIdx.x] = (bits ^ ((unsigned long long)high << 32 | low)) + __float_as_uint(f) * 3ull +
                   (unsigned long long)(__hiloint2double((int)high, (int)low) == v) +
                   ((unsigned long long)__double_as_longlong(v) >> 52);
}
