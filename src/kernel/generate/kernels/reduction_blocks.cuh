// kernel/generate/kernels/reduction_blocks.cuh: a reduction by blocks of threads.
#if TENON_G_KIND == 1

TENON_G_DEVICE void tenon_g_walk(const tenon_g_layout& layout, long long r, tenon_g_at& at) {
#if TENON_G_REDUCED == 1
  tenon_g_along(layout, r, at);
#else
  tenon_g_decode<TENON_G_KEPT, TENON_G_RANK>(layout, (tenon_g_linear)r, at);
#endif
}

// TENON_G_TX threads serve one part of one row.
extern "C" __global__ void __launch_bounds__(256)
    tenon_g_reduce(const tenon_g_in in, const tenon_g_layout layout, const long long n, const long long rows,
                   const long long length, const long long chunk, const long long splits, const long long,
                   tenon_g_sum* const partial) {
  constexpr int step = TENON_G_TX * TENON_G_V;
  const long long item = (long long)blockIdx.x * (256 / TENON_G_TX) + threadIdx.x / TENON_G_TX;
  const int lane = threadIdx.x % TENON_G_TX;
  const long long row = splits == 1 ? item : item / splits, split = splits == 1 ? 0 : item % splits;
  tenon_g_sum a[TENON_G_V];
#pragma unroll
  for (int k = 0; k < TENON_G_V; ++k) a[k] = tenon_g_nothing();
  tenon_g_at at = tenon_g_origin();
  if (row < rows) {
    tenon_g_decode<0, TENON_G_KEPT>(layout, (tenon_g_linear)row, at);
    const long long from = split * chunk, to = from + chunk < length ? from + chunk : length;
    long long r = from + lane * TENON_G_V;
    for (; r + (TENON_G_U - 1) * step + TENON_G_V <= to; r += TENON_G_U * step) {
      tenon_g_values<TENON_G_V> v[TENON_G_U];
#pragma unroll
      for (int u = 0; u < TENON_G_U; ++u) {
        tenon_g_at here = at;
        tenon_g_walk(layout, r + u * step, here);
        tenon_g_fetch(in, here, v[u]);
      }
#pragma unroll
      for (int u = 0; u < TENON_G_U; ++u) tenon_g_add(in, v[u], r + u * step, n, a);
    }
    for (; r < to; r += step) {
      tenon_g_at here = at;
      tenon_g_walk(layout, r, here);
      if (r + TENON_G_V <= to) {
        tenon_g_values<TENON_G_V> v;
        tenon_g_fetch(in, here, v);
        tenon_g_add(in, v, r, n, a);
      } else {
        for (int k = 0; r + k < to; ++k) {
          tenon_g_at one = here;
          tenon_g_along(layout, k, one);
          tenon_g_values<1> v;
          tenon_g_fetch(in, one, v);
          a[0] = tenon_g_append(a[0], tenon_g_map(in, v, 0, r + k, n));
        }
      }
    }
  }
#pragma unroll
  for (int w = TENON_G_V / 2; w > 0; w /= 2)
#pragma unroll
    for (int k = 0; k < w; ++k) a[k] = tenon_g_join(a[k], a[k + w]);
#if TENON_G_TX == 256
  const tenon_g_sum all = tenon_g_join_block(a[0]);
#else
  const tenon_g_sum all = tenon_g_join_group<TENON_G_TX>(a[0]);
#endif
  if (lane != 0 || row >= rows) return;
  if (splits > 1) {
    partial[row * splits + split] = all;
  } else {
    tenon_g_result(in, at, all, n);
  }
}

#else

// TENON_G_TX threads along the columns, TENON_G_V each, 256 / TENON_G_TX along the rows.
extern "C" __global__ void __launch_bounds__(256)
    tenon_g_reduce(const tenon_g_in in, const tenon_g_layout layout, const long long n, const long long columns,
                   const long long length, const long long chunk, const long long splits, const long long tiles,
                   tenon_g_sum* const partial) {
  constexpr int ty = 256 / TENON_G_TX;
  const int tx = threadIdx.x % TENON_G_TX, y = threadIdx.x / TENON_G_TX;
  const long long split = blockIdx.x / (unsigned)tiles;
  const long long c = ((long long)(blockIdx.x % (unsigned)tiles) * TENON_G_TX + tx) * TENON_G_V;
  tenon_g_sum a[TENON_G_V];
#pragma unroll
  for (int k = 0; k < TENON_G_V; ++k) a[k] = tenon_g_nothing();
  tenon_g_at at = tenon_g_origin();
  if (c < columns) {
    tenon_g_decode<TENON_G_REDUCED, TENON_G_RANK>(layout, (tenon_g_linear)c, at);
    const long long from = split * chunk, to = from + chunk < length ? from + chunk : length;
    long long r = from + y;
    for (; r + (TENON_G_U - 1) * ty < to; r += TENON_G_U * ty) {
      tenon_g_values<TENON_G_V> v[TENON_G_U];
#pragma unroll
      for (int u = 0; u < TENON_G_U; ++u) {
        tenon_g_at here = at;
        tenon_g_decode<0, TENON_G_REDUCED>(layout, (tenon_g_linear)(r + u * ty), here);
        tenon_g_fetch(in, here, v[u]);
      }
#pragma unroll
      for (int u = 0; u < TENON_G_U; ++u)
#pragma unroll
        for (int k = 0; k < TENON_G_V; ++k) a[k] = tenon_g_append(a[k], tenon_g_map(in, v[u], k, r + u * ty, n));
    }
    for (; r < to; r += ty) {
      tenon_g_at here = at;
      tenon_g_decode<0, TENON_G_REDUCED>(layout, (tenon_g_linear)r, here);
      tenon_g_values<TENON_G_V> v;
      tenon_g_fetch(in, here, v);
#pragma unroll
      for (int k = 0; k < TENON_G_V; ++k) a[k] = tenon_g_append(a[k], tenon_g_map(in, v, k, r, n));
    }
  }
  // Combines the block's rows of threads by halving; one lane of the vectors at a time, to keep the code small.
  __shared__ __align__(16) unsigned char room[256 * sizeof(tenon_g_sum)];
  tenon_g_sum* const sums = reinterpret_cast<tenon_g_sum*>(room);
#pragma unroll
  for (int k = 0; k < TENON_G_V; ++k) {
    if (ty > 1) {
      __syncthreads();
      sums[threadIdx.x] = a[k];
#pragma unroll
      for (int w = ty / 2; w > 0; w /= 2) {
        __syncthreads();
        if (y < w) sums[threadIdx.x] = a[k] = tenon_g_join(a[k], sums[threadIdx.x + w * TENON_G_TX]);
      }
    }
    if (y == 0 && c < columns) {
      if (splits > 1) {
        partial[split * columns + c + k] = a[k];
      } else {
        tenon_g_at here = at;
        tenon_g_along(layout, k, here);
        tenon_g_result(in, here, a[k], n);
      }
    }
  }
}

#endif

// One block per output; partial sums are `stride` apart.
extern "C" __global__ void __launch_bounds__(256)
    tenon_g_finish(const tenon_g_in in, const tenon_g_layout layout, const long long n, const long long outputs,
                   const long long splits, const long long stride, const long long step, const long long,
                   tenon_g_sum* const partial) {
  const long long o = blockIdx.x;
  const tenon_g_sum* const p = partial + o * step;
  tenon_g_sum a = tenon_g_nothing();
  for (long long s = threadIdx.x; s < splits; s += blockDim.x) a = tenon_g_join(a, p[s * stride]);
  a = tenon_g_join_block(a);
  if (threadIdx.x != 0) return;
  tenon_g_at at = tenon_g_origin();
  tenon_g_decode<TENON_G_FIRST_KEPT, TENON_G_FIRST_KEPT + TENON_G_KEPT>(layout, (tenon_g_linear)o, at);
  tenon_g_result(in, at, a, n);
}

// One thread per output, for many outputs with few parts: neighbouring threads read neighbouring elements.
extern "C" __global__ void __launch_bounds__(256)
    tenon_g_finish_each(const tenon_g_in in, const tenon_g_layout layout, const long long n, const long long outputs,
                        const long long splits, const long long stride, const long long step, const long long,
                        tenon_g_sum* const partial) {
  const long long o = (long long)blockIdx.x * 256 + threadIdx.x;
  if (o >= outputs) return;
  const tenon_g_sum* const p = partial + o * step;
  tenon_g_sum a = tenon_g_nothing();
  for (long long s = 0; s < splits; ++s) a = tenon_g_join(a, p[s * stride]);
  tenon_g_at at = tenon_g_origin();
  tenon_g_decode<TENON_G_FIRST_KEPT, TENON_G_FIRST_KEPT + TENON_G_KEPT>(layout, (tenon_g_linear)o, at);
  tenon_g_result(in, at, a, n);
}
