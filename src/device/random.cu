// device/random.cu: fills an array; a thread takes one counter at a time.
namespace tenon_own {

template <int Kind, class S> __global__ void random_fill(RandomWork w) {
  enum : int { N = Elements<Kind, S>::value };
  const i64 groups = (w.count + N - 1) / N;
  S* const to = static_cast<S*>(w.to);
  for (i64 g = blockIdx.x * i64(blockDim.x) + threadIdx.x; g < groups; g += i64(gridDim.x) * blockDim.x) {
    S out[N];
    draw<Kind, S, 1>(w, g, out);
    for (int j = 0; j < N; ++j)
      if (g * N + j < w.count) to[g * N + j] = out[j];
  }
}

}  // namespace tenon_own
