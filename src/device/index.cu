// device/index.cu: take, scatter and checks of indices, one thread per element.
namespace tenon_own {

// bad: the smallest position of an index outside of [low, limit).
__global__ void check_indices(const i64* index, i64 count, i64 low, i64 limit, tenon_finding* bad) {
  for (i64 i = blockIdx.x * i64(blockDim.x) + threadIdx.x; i < count; i += i64(gridDim.x) * blockDim.x)
    if (index[i] < low || index[i] >= limit) tenon_report(bad, u64(i));
}

// One index array along one axis: several independent loads per thread.
template <class S> __device__ void take_line(const IndexWork& w) {
  enum : int { U = 4 };
  const i64 tile = i64(blockDim.x) * U, step = w.index_step[0][0];
  for (i64 first = blockIdx.x * tile + threadIdx.x; first < w.count; first += gridDim.x * tile) {
    i64 index[U];
#pragma unroll
    for (int u = 0; u < U; ++u) {
      const i64 i = first + u * i64(blockDim.x);
      index[u] = i < w.count ? w.index[0][i * step] : 0;
    }
    S found[U];
    bool inside[U];
#pragma unroll
    for (int u = 0; u < U; ++u) {
      const i64 i = first + u * i64(blockDim.x), reach = reach_of(w, 0, index[u], inside[u]);
      if (i < w.count && !inside[u]) report(w, 0, i * step);
      inside[u] = inside[u] && i < w.count;
      if (inside[u]) found[u] = *reinterpret_cast<const S*>(w.x + i * w.x_step[0] + reach);
    }
#pragma unroll
    for (int u = 0; u < U; ++u)
      if (inside[u]) *reinterpret_cast<S*>(w.v + (first + u * i64(blockDim.x)) * w.v_step[0]) = found[u];
  }
}

template <class S> __global__ void take(IndexWork w) {
  if (w.rank == 1 && w.arrays == 1) return take_line<S>(w);
  for (i64 i = blockIdx.x * i64(blockDim.x) + threadIdx.x; i < w.count; i += i64(gridDim.x) * blockDim.x) {
    i64 x, v;
    if (locate(w, i, x, v)) *reinterpret_cast<S*>(w.v + v) = *reinterpret_cast<const S*>(w.x + x);
  }
}

template <class S> __global__ void assign(IndexWork w) {
  for (i64 i = blockIdx.x * i64(blockDim.x) + threadIdx.x; i < w.count; i += i64(gridDim.x) * blockDim.x) {
    i64 x, v;
    if (locate(w, i, x, v)) *reinterpret_cast<S*>(w.x + x) = *reinterpret_cast<const S*>(w.v + v);
  }
}

// Replaces the whole word of memory that contains an element.
template <int Kind, class S, class Word> __device__ inline void combine_word(S* at, S value) {
  const u64 address = reinterpret_cast<u64>(at), first = address & ~u64(sizeof(Word) - 1);
  Word* const word = reinterpret_cast<Word*>(first);
  Word old = *word;
  for (;;) {
    Word next = old;
    S element;
    memcpy(&element, reinterpret_cast<const char*>(&old) + (address - first), sizeof(S));
    element = Combine<Kind, S>::of(element, value);
    memcpy(reinterpret_cast<char*>(&next) + (address - first), &element, sizeof(S));
    const Word found = atomicCAS(word, old, next);
    if (found == old) return;
    old = found;
  }
}

template <int Kind, class S> __device__ inline void combine(S* at, S value) {
  if constexpr (sizeof(S) == 8) combine_word<Kind, S, u64>(at, value);
  else combine_word<Kind, S, u32>(at, value);
}
template <> __device__ inline void combine<kAdd, float>(float* at, float value) { atomicAdd(at, value); }
template <> __device__ inline void combine<kAdd, double>(double* at, double value) { atomicAdd(at, value); }
template <> __device__ inline void combine<kAdd, i32>(i32* at, i32 value) { atomicAdd(at, value); }
template <> __device__ inline void combine<kAdd, u32>(u32* at, u32 value) { atomicAdd(at, value); }
template <> __device__ inline void combine<kAdd, i64>(i64* at, i64 value) {
  atomicAdd(reinterpret_cast<u64*>(at), u64(value));
}
template <> __device__ inline void combine<kAdd, u64>(u64* at, u64 value) { atomicAdd(at, value); }

// parts: numbers per element: 2 for complex elements, which are only added.
template <int Kind, class S, int Parts> __global__ void scatter(IndexWork w) {
  for (i64 i = blockIdx.x * i64(blockDim.x) + threadIdx.x; i < w.count; i += i64(gridDim.x) * blockDim.x) {
    i64 x, v;
    if (!locate(w, i, x, v)) continue;
    for (int p = 0; p < Parts; ++p)
      combine<Kind, S>(reinterpret_cast<S*>(w.x + x) + p, reinterpret_cast<const S*>(w.v + v)[p]);
  }
}

}  // namespace tenon_own
