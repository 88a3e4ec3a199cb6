// kernel/generate/kernels/reduction_loops.cuh: a reduction as loops, on the CPU.
#if TENON_G_KIND == 1

// The number of lanes, a power of two: 128 bytes, within limits.
#define TENON_G_LANES             \
  (sizeof(tenon_g_sum) > 16  ? 4  \
   : sizeof(tenon_g_sum) > 8 ? 8  \
   : sizeof(tenon_g_sum) > 4 ? 16 \
   : sizeof(tenon_g_sum) > 2 ? 32 \
                             : 64)

// Sums of lanes, added in pairs of equal size: 16 accesses per leaf.
template <int tenon_g_L> struct tenon_g_tree {
  tenon_g_sum now[tenon_g_L];
  tenon_g_sum level[40][tenon_g_L];
  tenon_g_sum tail;
  long long leaves;
  int filled;
  TENON_G_MEMBER void clear() {
    for (int l = 0; l < tenon_g_L; ++l) now[l] = tenon_g_nothing();
  }
  TENON_G_MEMBER void close() {
    long long bits = leaves++;
    int at = 0;
    for (; bits & 1; bits >>= 1, ++at)
      for (int l = 0; l < tenon_g_L; ++l) now[l] = tenon_g_join(level[at][l], now[l]);
    for (int l = 0; l < tenon_g_L; ++l) level[at][l] = now[l];
    clear();
    filled = 0;
  }
  TENON_G_MEMBER tenon_g_sum result() {
    int at = 0;
    for (long long bits = leaves; bits; bits >>= 1, ++at)
      if (bits & 1)
        for (int l = 0; l < tenon_g_L; ++l) now[l] = tenon_g_join(level[at][l], now[l]);
    for (int w = tenon_g_L / 2; w > 0; w /= 2)
      for (int l = 0; l < w; ++l) now[l] = tenon_g_join(now[l], now[l + w]);
    return tenon_g_join(now[0], tail);
  }
};

// A run of `count` elements along the innermost axis, starting with element r.
template <int tenon_g_L> static inline void tenon_g_stretch(const tenon_g_in& in, const tenon_g_layout& layout,
                                                            const tenon_g_at& at, long long r, long long n,
                                                            long long count, tenon_g_tree<tenon_g_L>& tree) {
  long long k = 0;
  while (count - k >= tenon_g_L) {
    const long long vectors = (count - k) / tenon_g_L;
    const int take = (int)(vectors < 16 - tree.filled ? vectors : 16 - tree.filled);
    tenon_g_sum a[tenon_g_L];
    for (int l = 0; l < tenon_g_L; ++l) a[l] = tree.now[l];
    for (int t = 0; t < take; ++t, k += tenon_g_L) {
      TENON_G_VECTORIZE
      for (int l = 0; l < tenon_g_L; ++l) {
        tenon_g_at here = at;
        tenon_g_along(layout, k + l, here);
        tenon_g_values<1> v;
        tenon_g_fetch(in, here, v);
        a[l] = tenon_g_append(a[l], tenon_g_map(in, v, 0, r + k + l, n));
      }
    }
    for (int l = 0; l < tenon_g_L; ++l) tree.now[l] = a[l];
    tree.filled += take;
    if (tree.filled == 16) tree.close();
  }
  for (; k < count; ++k) {
    tenon_g_at here = at;
    tenon_g_along(layout, k, here);
    tenon_g_values<1> v;
    tenon_g_fetch(in, here, v);
    tree.tail = tenon_g_append(tree.tail, tenon_g_map(in, v, 0, r + k, n));
  }
}

template <int tenon_g_L> static inline tenon_g_sum tenon_g_row(const tenon_g_in& in, const tenon_g_layout& layout,
                                                               const tenon_g_at& start, long long from, long long to,
                                                               long long n) {
  tenon_g_tree<tenon_g_L> tree;
  tree.clear();
  tree.tail = tenon_g_nothing();
  tree.leaves = 0;
  tree.filled = 0;
  const long long inner = layout.extent[TENON_G_RANK - 1];
  long long index[TENON_G_RANK], linear = from;
  tenon_g_at at = start;
  for (int d = TENON_G_RANK - 1; d >= TENON_G_KEPT; --d) {
    index[d] = linear % layout.extent[d];
    linear /= layout.extent[d];
    if (d < TENON_G_RANK - 1) tenon_g_step(layout, d, index[d], at);
  }
  long long first = from < to ? index[TENON_G_RANK - 1] : 0;
  for (long long r = from; r < to;) {
    const long long count = inner - first < to - r ? inner - first : to - r;
    tenon_g_at here = at;
    tenon_g_along(layout, first, here);
    tenon_g_stretch<tenon_g_L>(in, layout, here, r, n, count, tree);
    r += count;
    first = 0;
    for (int d = TENON_G_RANK - 2; d >= TENON_G_KEPT; --d) {
      if (++index[d] < layout.extent[d]) {
        tenon_g_step(layout, d, 1, at);
        break;
      }
      tenon_g_step(layout, d, (tenon_g_linear)(1 - layout.extent[d]), at);
      index[d] = 0;
    }
  }
  return tree.result();
}

// Block: some rows, or one part of one row.
extern "C" __global__ void tenon_g_reduce(const tenon_g_in in, const tenon_g_layout layout, const long long n,
                                          const long long rows, const long long length, const long long chunk,
                                          const long long splits, const long long block_rows,
                                          tenon_g_sum* const partial) {
  const long long split = blockIdx.x % splits, first = blockIdx.x / splits * block_rows;
  const long long last = first + block_rows < rows ? first + block_rows : rows;
  const long long from = split * chunk, to = from + chunk < length ? from + chunk : length;
  for (long long row = first; row < last; ++row) {
    tenon_g_at at = tenon_g_origin();
    tenon_g_decode<0, TENON_G_KEPT>(layout, (tenon_g_linear)row, at);
    const tenon_g_sum a = to - from >= 2 * TENON_G_LANES ? tenon_g_row<TENON_G_LANES>(in, layout, at, from, to, n)
                                                         : tenon_g_row<8>(in, layout, at, from, to, n);
    if (splits > 1) {
      partial[row * splits + split] = a;
    } else {
      tenon_g_result(in, at, a, n);
    }
  }
}

#else

#define TENON_G_WIDTH (16384 / (int)sizeof(tenon_g_sum))  // as in split_on_cpu

TENON_G_DEVICE tenon_g_acc tenon_g_at_column(const tenon_g_in& in, const tenon_g_layout& layout, const tenon_g_at& at,
                                             long long l, long long r, long long n) {
  tenon_g_at here = at;
  tenon_g_along(layout, l, here);
  tenon_g_values<1> v;
  tenon_g_fetch(in, here, v);
  return tenon_g_map(in, v, 0, r, n);
}

// Block: up to TENON_G_WIDTH neighbouring columns along the innermost axis, and a part of the rows. Sums of 64 rows are
// added in groups of 64, and those at the end.
extern "C" __global__ void tenon_g_reduce(const tenon_g_in in, const tenon_g_layout layout, const long long n,
                                          const long long columns, const long long length, const long long chunk,
                                          const long long splits, const long long width, tenon_g_sum* const partial) {
  const long long inner = layout.extent[TENON_G_RANK - 1], pieces = (inner + width - 1) / width;
  const long long split = blockIdx.x % splits, tile = blockIdx.x / splits;
  const long long outer = tile / pieces, c = tile % pieces * width;
  const int wide = (int)(inner - c < width ? inner - c : width);
  const long long from = split * chunk, to = from + chunk < length ? from + chunk : length;
  tenon_g_at start = tenon_g_origin();
  tenon_g_decode<TENON_G_REDUCED, TENON_G_RANK>(layout, (tenon_g_linear)(outer * inner + c), start);
  tenon_g_sum sums[3][TENON_G_WIDTH];
  for (int s = 0; s < 3; ++s)
    for (int l = 0; l < wide; ++l) sums[s][l] = tenon_g_nothing();
  for (long long r = from; r < to;) {
    // Four rows at a time, so that sums are loaded and stored once for them.
    const int take = to - r >= 4 ? 4 : 1;
    tenon_g_at at[4];
    for (int t = 0; t < take; ++t) {
      at[t] = start;
      tenon_g_decode<0, TENON_G_REDUCED>(layout, (tenon_g_linear)(r + t), at[t]);
    }
    if (take == 4) {
      TENON_G_VECTORIZE
      for (int l = 0; l < wide; ++l) {
        tenon_g_sum a = sums[0][l];
#pragma unroll
        for (int t = 0; t < 4; ++t) a = tenon_g_append(a, tenon_g_at_column(in, layout, at[t], l, r + t, n));
        sums[0][l] = a;
      }
    } else {
      TENON_G_VECTORIZE
      for (int l = 0; l < wide; ++l)
        sums[0][l] = tenon_g_append(sums[0][l], tenon_g_at_column(in, layout, at[0], l, r, n));
    }
    r += take;
    for (int s = 0; s < 2 && ((r - from) & (s ? 4095 : 63)) == 0; ++s)
      for (int l = 0; l < wide; ++l) {
        sums[s + 1][l] = tenon_g_join(sums[s + 1][l], sums[s][l]);
        sums[s][l] = tenon_g_nothing();
      }
  }
  for (int l = 0; l < wide; ++l) {
    const tenon_g_sum a = tenon_g_join(sums[2][l], tenon_g_join(sums[1][l], sums[0][l]));
    if (splits > 1) {
      partial[split * columns + outer * inner + c + l] = a;
    } else {
      tenon_g_at at = start;
      tenon_g_along(layout, l, at);
      tenon_g_result(in, at, a, n);
    }
  }
}

#endif

// Block: outputs [first, last); partial sums are `stride` apart and added in pairs.
extern "C" __global__ void tenon_g_finish(const tenon_g_in in, const tenon_g_layout layout, const long long n,
                                          const long long outputs, const long long splits, const long long stride,
                                          const long long step, const long long block_outputs,
                                          tenon_g_sum* const partial) {
  const long long first = blockIdx.x * block_outputs,
                  last = first + block_outputs < outputs ? first + block_outputs : outputs;
  for (long long w = 1; w < splits; w *= 2)
    for (long long s = 0; s + w < splits; s += 2 * w) {
      tenon_g_sum* const to = partial + s * stride;
      const tenon_g_sum* const from = partial + (s + w) * stride;
      TENON_G_VECTORIZE
      for (long long o = first; o < last; ++o) to[o * step] = tenon_g_join(to[o * step], from[o * step]);
    }
  for (long long o = first; o < last; ++o) {
    tenon_g_at at = tenon_g_origin();
    tenon_g_decode<TENON_G_FIRST_KEPT, TENON_G_FIRST_KEPT + TENON_G_KEPT>(layout, (tenon_g_linear)o, at);
    tenon_g_result(in, at, partial[o * step], n);
  }
}
