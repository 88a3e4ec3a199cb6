// kernel/generate/kernels/elementwise_loops.cuh: an elementwise operation as loops, on the CPU.
#if TENON_G_KIND == 4

// Block: a tile of the two innermost axes.
extern "C" __global__ void tenon_g_kernel(const tenon_g_in in, const tenon_g_layout layout, const long long n,
                                          const long long inner, const long long tall, const long long tiles_a,
                                          const long long tiles_b) {
  const long long a0 = blockIdx.x % tiles_a * TENON_G_TILE, b0 = blockIdx.x / tiles_a % tiles_b * TENON_G_TILE;
  tenon_g_at at = tenon_g_origin();
  tenon_g_decode<TENON_G_RANK - 2>(layout, (tenon_g_linear)(blockIdx.x / tiles_a / tiles_b), at, nullptr);
  tenon_g_step(layout, TENON_G_RANK - 2, (tenon_g_linear)b0, at);
  tenon_g_step(layout, TENON_G_RANK - 1, (tenon_g_linear)a0, at);
  const int width = (int)(inner - a0 < TENON_G_TILE ? inner - a0 : TENON_G_TILE),
            height = (int)(tall - b0 < TENON_G_TILE ? tall - b0 : TENON_G_TILE);
  tenon_g_room room;
  for (int a = 0; a < width; ++a)
    for (int b = 0; b < height; ++b) tenon_g_stage(in, layout, at, room, a, b);
  for (int b = 0; b < height; ++b) {
    tenon_g_at row = at;
    tenon_g_step(layout, TENON_G_RANK - 2, (tenon_g_linear)b, row);
    TENON_G_VECTORIZE
    for (int a = 0; a < width; ++a) {
      tenon_g_at here = row;
      tenon_g_step(layout, TENON_G_RANK - 1, (tenon_g_linear)a, here);
      tenon_g_values<1> v;
      tenon_g_fetch(in, here, v);
      tenon_g_unstage(room, v, a, b);
      tenon_g_apply(in, v, 0, 0, n, nullptr, nullptr);
      tenon_g_put(in, here, v);
    }
  }
}

#else

// Block: rows [first, last) of the outer axes, elements [from, to) of the innermost.
extern "C" __global__ void tenon_g_kernel(const tenon_g_in in, const tenon_g_layout layout, const long long n,
                                          const long long inner, const long long rows, const long long chunk,
                                          const long long block_rows) {
  const long long pieces = (inner + chunk - 1) / chunk;
  const long long from = blockIdx.x % pieces * chunk, first = blockIdx.x / pieces * block_rows;
  const long long to = from + chunk < inner ? from + chunk : inner,
                  last = first + block_rows < rows ? first + block_rows : rows;
  tenon_g_at at = tenon_g_origin();
  long long index[TENON_G_RANK];
  {
    long long linear = first;
    for (int d = TENON_G_RANK - 2; d >= 0; --d) {
      index[d] = linear % layout.extent[d];
      linear /= layout.extent[d];
      tenon_g_step(layout, d, index[d], at);
    }
  }
  for (long long row = first; row < last; ++row) {
    TENON_G_VECTORIZE
    for (long long k = from; k < to; ++k) {
      tenon_g_at here = at;
      tenon_g_along(layout, k, here);
      tenon_g_values<1> v;
      tenon_g_fetch(in, here, v);
      long long coord[TENON_G_RANK];
      if (TENON_G_COORD) {
        for (int d = 0; d < TENON_G_RANK - 1; ++d) coord[d] = index[d];
        coord[TENON_G_RANK - 1] = k;
      }
      tenon_g_apply(in, v, 0, row * inner + k, n, coord, layout.extent);
      tenon_g_put(in, here, v);
    }
    for (int d = TENON_G_RANK - 2; d >= 0; --d) {
      if (++index[d] < layout.extent[d]) {
        tenon_g_step(layout, d, 1, at);
        break;
      }
      tenon_g_step(layout, d, (tenon_g_linear)(1 - layout.extent[d]), at);
      index[d] = 0;
    }
  }
}

#endif
