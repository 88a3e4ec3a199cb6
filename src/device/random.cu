// device/random.cu: fills an array; a thread takes one counter at a time.
namespace tenon_own {

template <class S, int N> struct alignas(sizeof(S) * N) Group {
  S elements[N];
};

template <int Kind, class S> __global__ void random_fill(RandomWork w) {
  enum : int { N = Elements<Kind, S>::value };
  using Drawn = Group<S, N>;
  const bool aligned = reinterpret_cast<u64>(w.to) % sizeof(Drawn) == 0;
  const i64 groups = (w.count + N - 1) / N;
  S* const to = static_cast<S*>(w.to);
  for (i64 g = blockIdx.x * i64(blockDim.x) + threadIdx.x; g < groups; g += i64(gridDim.x) * blockDim.x) {
    Drawn out;
    draw<Kind, S, 1>(w, g, out.elements);
    if (aligned && (g + 1) * N <= w.count) {
      reinterpret_cast<Drawn*>(w.to)[g] = out;  // one store
      continue;
    }
    for (int j = 0; j < N; ++j)
      if (g * N + j < w.count) to[g * N + j] = out.elements[j];
  }
}

}  // namespace tenon_own
