// device/random.cu: fills an array; a thread takes one counter at a time.
namespace tenon_own {

template <class S, int N> struct alignas(sizeof(S) * N) Group {
  S elements[N];
};

template <int Kind, class S> __global__ void random_fill(RandomWork w) {
  enum : int { N = Elements<Kind, S>::value };
  using Drawn = Group<S, N>;
  const bool aligned = reinterpret_cast<u64>(w.to) % sizeof(Drawn) == 0;
  const i64 groups = (w.count + N - 1) / N, stored = aligned ? w.count / N : 0;  // with one store each
  const i64 step = i64(gridDim.x) * blockDim.x;
  S* const to = static_cast<S*>(w.to);
  i64 g = blockIdx.x * i64(blockDim.x) + threadIdx.x;
  for (; g < stored; g += step) {
    Drawn out;
    draw<Kind, S, 1>(w, g, out.elements);
    reinterpret_cast<Drawn*>(w.to)[g] = out;
  }
  for (; g < groups; g += step) {
    Drawn out;
    draw<Kind, S, 1>(w, g, out.elements);
    for (int j = 0; j < N; ++j)
      if (g * N + j < w.count) to[g * N + j] = out.elements[j];
  }
}

}  // namespace tenon_own
