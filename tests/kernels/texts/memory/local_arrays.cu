// Arrays of a thread with indices that are computed.
__global__ void digits(unsigned long long* y, const unsigned long long* x) {
  unsigned char digit[20];
  int counts[10] = {};
  unsigned long long v = x[threadIdx.x], out = 0;
  int n = 0;
  do digit[n++] = (unsigned char)(v % 10);
  while (v /= 10);
  for (int i = 0; i < n; ++i) ++counts[digit[i]], out = out * 10 + digit[i];
  int most = 0;
  for (int d = 1; d < 10; ++d)
    if (counts[d] > counts[most]) most = d;
  y[2 * threadIdx.x] = out;
  y[2 * threadIdx.x + 1] = most;
}
