// Every word of as much dynamic shared memory as the launch asked for is written, and read by another thread.
extern __shared__ __align__(16) unsigned char storage[];
extern "C" __global__ void fill_and_sum(unsigned long long* sums, int words) {
  unsigned* s = reinterpret_cast<unsigned*>(storage);
  const unsigned t = threadIdx.x, width = blockDim.x;
  for (int i = t; i < words; i += width) s[i] = i * 2654435761u + blockIdx.x;
  __syncthreads();
  unsigned long long sum = 0;
  const int share = (words + width - 1) / width, first = (width - 1 - t) * share;
  for (int i = first; i < first + share && i < words; ++i) sum += s[i];
  atomicAdd(&sums[blockIdx.x], sum);
}
