// kernel/generate/kernels/elementwise_blocks.cuh: an elementwise operation by blocks of threads.
#if TENON_G_KIND == 1

extern "C" __global__ void __launch_bounds__(256)
    tenon_g_kernel(const tenon_g_in in, const tenon_g_layout layout, const long long n, const long long,
                   const long long, const long long, const long long) {
  const long long first = (long long)blockIdx.x * (256 * TENON_G_V * TENON_G_U) + threadIdx.x * TENON_G_V;
  if (first + (TENON_G_U - 1) * 256 * TENON_G_V + TENON_G_V <= n) {
    tenon_g_values<TENON_G_V> v[TENON_G_U];
    tenon_g_at at[TENON_G_U];
#pragma unroll
    for (int u = 0; u < TENON_G_U; ++u) {
      at[u] = tenon_g_origin();
      tenon_g_along(layout, first + u * (256 * TENON_G_V), at[u]);
      tenon_g_fetch(in, at[u], v[u]);
    }
#pragma unroll
    for (int u = 0; u < TENON_G_U; ++u) {
#pragma unroll
      for (int k = 0; k < TENON_G_V; ++k)
        tenon_g_apply(in, v[u], k, first + u * (256 * TENON_G_V) + k, n, nullptr, nullptr);
      tenon_g_put(in, at[u], v[u]);
    }
    return;
  }
#pragma unroll 1
  for (int u = 0; u < TENON_G_U; ++u)
#pragma unroll 1
    for (int k = 0; k < TENON_G_V; ++k) {
      const long long e = first + u * (256 * TENON_G_V) + k;
      if (e >= n) return;
      tenon_g_values<1> v;
      tenon_g_at at = tenon_g_origin();
      tenon_g_along(layout, e, at);
      tenon_g_fetch(in, at, v);
      tenon_g_apply(in, v, 0, e, n, nullptr, nullptr);
      tenon_g_put(in, at, v);
    }
}

#elif TENON_G_KIND == 2

// A block has TENON_G_TX threads along the innermost axis and 256 / TENON_G_TX rows of them; each thread serves
// TENON_G_U rows.
extern "C" __global__ void __launch_bounds__(256)
    tenon_g_kernel(const tenon_g_in in, const tenon_g_layout layout, const long long n, const long long inner,
                   const long long rows, const long long tiles, const long long) {
  constexpr int ty = 256 / TENON_G_TX;
  const unsigned tile = blockIdx.x % (unsigned)tiles;
  const long long c = ((long long)tile * TENON_G_TX + threadIdx.x) * TENON_G_V;
  const long long first = (long long)(blockIdx.x / (unsigned)tiles) * (ty * TENON_G_U) + threadIdx.y;
  if (c >= inner) return;
  tenon_g_at at[TENON_G_U];
#pragma unroll
  for (int u = 0; u < TENON_G_U; ++u) {
    at[u] = tenon_g_origin();
    if (first + u * ty < rows)
      tenon_g_decode<TENON_G_RANK - 1>(layout, (tenon_g_linear)(first + u * ty), at[u], nullptr);
    tenon_g_along(layout, c, at[u]);
  }
  if (c + TENON_G_V <= inner) {
    tenon_g_values<TENON_G_V> v[TENON_G_U];
#pragma unroll
    for (int u = 0; u < TENON_G_U; ++u)
      if (first + u * ty < rows) tenon_g_fetch(in, at[u], v[u]);
#pragma unroll
    for (int u = 0; u < TENON_G_U; ++u)
      if (first + u * ty < rows) {
#pragma unroll
        for (int k = 0; k < TENON_G_V; ++k)
          tenon_g_apply(in, v[u], k, (first + u * ty) * inner + c + k, n, nullptr, nullptr);
        tenon_g_put(in, at[u], v[u]);
      }
    return;
  }
  // Offsets are computed again: a variable index would put at[] into local memory.
#pragma unroll 1
  for (int u = 0; u < TENON_G_U; ++u) {
    if (first + u * ty >= rows) return;
    tenon_g_at row = tenon_g_origin();
    tenon_g_decode<TENON_G_RANK - 1>(layout, (tenon_g_linear)(first + u * ty), row, nullptr);
    tenon_g_along(layout, c, row);
#pragma unroll 1
    for (int k = 0; c + k < inner; ++k) {
      tenon_g_values<1> v;
      tenon_g_at here = row;
      tenon_g_along(layout, k, here);
      tenon_g_fetch(in, here, v);
      tenon_g_apply(in, v, 0, (first + u * ty) * inner + c + k, n, nullptr, nullptr);
      tenon_g_put(in, here, v);
    }
  }
}

#elif TENON_G_KIND == 4

template <bool tenon_g_FULL> TENON_G_DEVICE void tenon_g_tile(const tenon_g_in& in, const tenon_g_layout& layout,
                                                              const tenon_g_at& at, tenon_g_room& room, int width,
                                                              int height, long long n) {
  constexpr int rows = 256 / TENON_G_TILE;
  const int lane = threadIdx.x % TENON_G_TILE, row = threadIdx.x / TENON_G_TILE;
#pragma unroll
  for (int j = 0; j < TENON_G_TILE / rows; ++j)
    if (tenon_g_FULL || (row + j * rows < width && lane < height))
      tenon_g_stage(in, layout, at, room, row + j * rows, lane);
  __syncthreads();
#pragma unroll 8
  for (int j = 0; j < TENON_G_TILE / rows; ++j) {
    const int b = row + j * rows;
    if (!tenon_g_FULL && (lane >= width || b >= height)) continue;
    tenon_g_at here = at;
    tenon_g_step(layout, TENON_G_RANK - 2, (tenon_g_linear)b, here);
    tenon_g_step(layout, TENON_G_RANK - 1, (tenon_g_linear)lane, here);
    tenon_g_values<1> v;
    tenon_g_fetch(in, here, v);
    tenon_g_unstage(room, v, lane, b);
    tenon_g_apply(in, v, 0, 0, n, nullptr, nullptr);
    tenon_g_put(in, here, v);
  }
}

extern "C" __global__ void __launch_bounds__(256)
    tenon_g_kernel(const tenon_g_in in, const tenon_g_layout layout, const long long n, const long long inner,
                   const long long tall, const long long tiles_a, const long long tiles_b) {
  __shared__ __align__(16) unsigned char bytes[sizeof(tenon_g_room)];
  tenon_g_room& room = *reinterpret_cast<tenon_g_room*>(bytes);
  const unsigned ta = blockIdx.x % (unsigned)tiles_a, above = blockIdx.x / (unsigned)tiles_a;
  const long long a0 = (long long)ta * TENON_G_TILE, b0 = (long long)(above % (unsigned)tiles_b) * TENON_G_TILE;
  tenon_g_at at = tenon_g_origin();
  tenon_g_decode<TENON_G_RANK - 2>(layout, (tenon_g_linear)(above / (unsigned)tiles_b), at, nullptr);
  tenon_g_step(layout, TENON_G_RANK - 2, (tenon_g_linear)b0, at);
  tenon_g_step(layout, TENON_G_RANK - 1, (tenon_g_linear)a0, at);
  if (inner - a0 >= TENON_G_TILE && tall - b0 >= TENON_G_TILE) {
    tenon_g_tile<true>(in, layout, at, room, TENON_G_TILE, TENON_G_TILE, n);
  } else {
    tenon_g_tile<false>(in, layout, at, room, inner - a0 < TENON_G_TILE ? (int)(inner - a0) : TENON_G_TILE,
                        tall - b0 < TENON_G_TILE ? (int)(tall - b0) : TENON_G_TILE, n);
  }
}

#else

extern "C" __global__ void __launch_bounds__(256)
    tenon_g_kernel(const tenon_g_in in, const tenon_g_layout layout, const long long n, const long long,
                   const long long, const long long, const long long) {
  const long long first = (long long)blockIdx.x * (256 * TENON_G_U) + threadIdx.x;
  tenon_g_values<1> v[TENON_G_U];
  tenon_g_at at[TENON_G_U];
  long long coord[TENON_G_U][TENON_G_RANK];
#pragma unroll
  for (int u = 0; u < TENON_G_U; ++u)
    if (first + u * 256 < n) {
      at[u] = tenon_g_origin();
      tenon_g_decode<TENON_G_RANK>(layout, (tenon_g_linear)(first + u * 256), at[u], coord[u]);
      tenon_g_fetch(in, at[u], v[u]);
    }
#pragma unroll
  for (int u = 0; u < TENON_G_U; ++u)
    if (first + u * 256 < n) {
      tenon_g_apply(in, v[u], 0, first + u * 256, n, coord[u], layout.extent);
      tenon_g_put(in, at[u], v[u]);
    }
}

#endif
