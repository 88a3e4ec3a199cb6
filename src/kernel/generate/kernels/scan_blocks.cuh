// kernel/generate/kernels/scan_blocks.cuh: a scan by blocks of threads.
TENON_G_DEVICE tenon_g_acc tenon_g_shuffle_up(const tenon_g_acc& a, int by) {
  unsigned int words[(sizeof(tenon_g_acc) + 3) / 4];
  TENON_G_COPY(words, &a, sizeof(tenon_g_acc));
#pragma unroll
  for (int w = 0; w < (int)(sizeof(words) / 4); ++w) words[w] = __shfl_up_sync(0xffffffffu, words[w], by);
  tenon_g_acc out;
  TENON_G_COPY(&out, words, sizeof(tenon_g_acc));
  return out;
}
TENON_G_DEVICE tenon_g_acc tenon_g_shuffle(const tenon_g_acc& a, int from) {
  unsigned int words[(sizeof(tenon_g_acc) + 3) / 4];
  TENON_G_COPY(words, &a, sizeof(tenon_g_acc));
#pragma unroll
  for (int w = 0; w < (int)(sizeof(words) / 4); ++w) words[w] = __shfl_sync(0xffffffffu, words[w], from);
  tenon_g_acc out;
  TENON_G_COPY(&out, words, sizeof(tenon_g_acc));
  return out;
}
// An inclusive scan over the lanes of a warp.
TENON_G_DEVICE tenon_g_acc tenon_g_scan_warp(tenon_g_acc a) {
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int by = 1; by < 32; by *= 2) {
    const tenon_g_acc before = tenon_g_shuffle_up(a, by);
    if (lane >= by) a = tenon_g_combine(before, a);
  }
  return a;
}

// The state of a tile or group: nothing published (0), its own total (1), the total of everything up to it (2).
// Accumulators of up to 4 bytes share one word with the flag; larger ones have a slot per total, written before the
// flag.
template <bool tenon_g_SMALL> struct tenon_g_slot_of {
  unsigned long long word;
};
template <> struct tenon_g_slot_of<false> {
  unsigned int flag, pad;
  unsigned int value[2][(sizeof(tenon_g_acc) + 7) / 8 * 2];
};
typedef tenon_g_slot_of<sizeof(tenon_g_acc) <= 4> tenon_g_slot;
TENON_G_DEVICE void tenon_g_publish(tenon_g_slot_of<true>* slot, const tenon_g_acc& a, unsigned int flag) {
  unsigned int bits = 0;
  TENON_G_COPY(&bits, &a, sizeof(tenon_g_acc) < 4 ? sizeof(tenon_g_acc) : 4);
  *(volatile unsigned long long*)&slot->word = (unsigned long long)flag << 32 | bits;
}
TENON_G_DEVICE unsigned int tenon_g_peek(tenon_g_slot_of<true>* slot, tenon_g_acc& a) {
  const unsigned long long word = *(volatile unsigned long long*)&slot->word;
  const unsigned int bits = (unsigned int)word;
  TENON_G_COPY(&a, &bits, sizeof(tenon_g_acc) < 4 ? sizeof(tenon_g_acc) : 4);
  return (unsigned int)(word >> 32);
}
TENON_G_DEVICE void tenon_g_publish(tenon_g_slot_of<false>* slot, const tenon_g_acc& a, unsigned int flag) {
  unsigned int words[(sizeof(tenon_g_acc) + 3) / 4];
  TENON_G_COPY(words, &a, sizeof(tenon_g_acc));
#pragma unroll
  for (int w = 0; w < (int)(sizeof(words) / 4); ++w) ((volatile unsigned int*)slot->value[flag - 1])[w] = words[w];
  __threadfence();
  *(volatile unsigned int*)&slot->flag = flag;
}
TENON_G_DEVICE unsigned int tenon_g_peek(tenon_g_slot_of<false>* slot, tenon_g_acc& a) {
  const unsigned int flag = *(volatile unsigned int*)&slot->flag;
  if (flag) {
    __threadfence();
    unsigned int words[(sizeof(tenon_g_acc) + 3) / 4];
#pragma unroll
    for (int w = 0; w < (int)(sizeof(words) / 4); ++w) words[w] = ((volatile unsigned int*)slot->value[flag - 1])[w];
    TENON_G_COPY(&a, words, sizeof(tenon_g_acc));
  }
  return flag;
}

// The combination of all tiles before tile `tile` of a row, computed by one whole warp. `total` is the tile's own.
TENON_G_DEVICE tenon_g_acc tenon_g_look_back(tenon_g_slot* tiles, tenon_g_slot* groups, long long tile,
                                             long long last_tile, const tenon_g_acc& total) {
  const int lane = threadIdx.x % 32, place = (int)(tile % 32);
  const long long group = tile / 32;
  if (lane == 0 && tile != last_tile) tenon_g_publish(tiles + tile, total, 1);
  tenon_g_acc a = tenon_g_identity();
  if (lane < place)
    while (tenon_g_peek(tiles + group * 32 + lane, a) == 0) {
    }
  __syncwarp();
  a = tenon_g_scan_warp(a);
  tenon_g_acc inside = tenon_g_shuffle(a, place > 0 ? place - 1 : 0);  // the total of the group's tiles before this one
  const tenon_g_acc whole = place > 0 ? tenon_g_combine(inside, total) : total;
  const bool closes = place == 31 && tile != last_tile;
  if (group == 0) {
    if (closes && lane == 0) tenon_g_publish(groups, whole, 2);
    return place > 0 ? inside : tenon_g_identity();
  }
  if (closes && lane == 0) tenon_g_publish(groups + group, whole, 1);
  // The preceding groups, the nearest in lane 0: the prefix of the nearest one that has published it, and the totals of
  // the groups after that, in order.
  tenon_g_acc g = tenon_g_identity();
  int known;
  for (;;) {
    unsigned int flag = 2;
    if (lane < group) flag = tenon_g_peek(groups + group - 1 - lane, g);
    const unsigned int with_prefix = __ballot_sync(0xffffffffu, flag == 2 && lane < group),
                       empty = __ballot_sync(0xffffffffu, flag == 0);
    known = __ffs((int)with_prefix) - 1;
    if (known >= 0 && (empty & ((1u << known) - 1u)) == 0) break;
  }
  tenon_g_acc prefix = tenon_g_shuffle(g, known);
  for (int l = known - 1; l >= 0; --l) prefix = tenon_g_combine(prefix, tenon_g_shuffle(g, l));
  if (closes && lane == 0) tenon_g_publish(groups + group, tenon_g_combine(prefix, whole), 2);
  return place > 0 ? tenon_g_combine(prefix, inside) : prefix;
}

extern "C" __global__ void tenon_g_clear(unsigned int* const state, const long long words) {
  const long long first = (long long)blockIdx.x * 1024 + threadIdx.x;
  for (int u = 0; u < 4; ++u)
    if (first + u * 256 < words) state[first + u * 256] = 0;
}

#if TENON_G_KIND == 1 && TENON_G_LARGE

// A tile of a long line: 512 threads; a warp has rows of 32 vectors and scans them by shuffles, so that a thread keeps
// the vectors that it loaded: TENON_G_KEPT rows in shared memory and TENON_G_HELD in registers. Waiting for earlier
// tiles is hidden by having many bytes in flight, and both together hold more than either. A GPU starts blocks in the
// order of their indices (CUB's scans rely on it too), so that a block only waits for running blocks; taking a ticket
// first would cost 3 % more time. The CPU guarantees no order, so there blocks take tickets.
extern "C" __global__ void __launch_bounds__(512, 2)
    tenon_g_scan(const tenon_g_in in, const tenon_g_layout layout, const long long n, const long long rows,
                 const long long row_tiles, const long long row_groups, tenon_g_slot* const tiles,
                 tenon_g_slot* const groups, unsigned int* const ticket) {
  constexpr int vector = TENON_G_V, kept = TENON_G_KEPT, held = TENON_G_HELD, count = kept + held,
                part = 32 * vector * count, batch = (kept + 2) / 3;
  struct alignas(16) pack {
    tenon_g_acc v[vector];
  };
  extern __shared__ __align__(16) unsigned char tenon_g_room[];
  __shared__ __align__(16) unsigned char warp_room[16 * sizeof(tenon_g_acc)];
  tenon_g_acc* const sums = reinterpret_cast<tenon_g_acc*>(warp_room);
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  pack* const mine = reinterpret_cast<pack*>(tenon_g_room) + warp * (32 * kept) + lane;
#if defined(TENON_CPU_KERNEL)
  __shared__ unsigned int taken;
  if (threadIdx.x == 0) taken = atomicAdd(ticket, 1u);
  __syncthreads();
  const unsigned int turn = taken;
#else
  const unsigned int turn = blockIdx.x;
#endif
  pack x[held];
  tenon_g_acc before[count];  // per row: the combination of the warp's elements before this thread's vector
  const long long row = turn / row_tiles, tile = turn % row_tiles, start = (tile * 16 + warp) * part + lane * vector;
  const bool whole = start - lane * vector + part <= n;
  tenon_g_at at = tenon_g_origin();
  tenon_g_decode<0, TENON_G_RANK - 1>(layout, (tenon_g_linear)row, at);
  if (whole) {
#pragma unroll
    for (int first = 0; first < kept; first += batch) {
      tenon_g_values<vector> v[batch];
#pragma unroll
      for (int j = 0; j < batch; ++j) {
        if (first + j >= kept) break;
        tenon_g_at here = at;
        tenon_g_along(layout, start + (first + j) * (32 * vector), here);
        tenon_g_fetch(in, here, v[j]);
      }
#pragma unroll
      for (int j = 0; j < batch; ++j) {
        if (first + j >= kept) break;
        pack loaded;
#pragma unroll
        for (int k = 0; k < vector; ++k) {
          loaded.v[k] = tenon_g_map(in, v[j], k, start + (first + j) * (32 * vector) + k, n);
          before[first + j] = k == 0 ? loaded.v[0] : tenon_g_combine(before[first + j], loaded.v[k]);
        }
        mine[(first + j) * 32] = loaded;
      }
    }
    tenon_g_values<vector> v[held];
#pragma unroll
    for (int j = 0; j < held; ++j) {
      tenon_g_at here = at;
      tenon_g_along(layout, start + (kept + j) * (32 * vector), here);
      tenon_g_fetch(in, here, v[j]);
    }
#pragma unroll
    for (int j = 0; j < held; ++j)
#pragma unroll
      for (int k = 0; k < vector; ++k) {
        x[j].v[k] = tenon_g_map(in, v[j], k, start + (kept + j) * (32 * vector) + k, n);
        before[kept + j] = k == 0 ? x[j].v[0] : tenon_g_combine(before[kept + j], x[j].v[k]);
      }
  } else {
#pragma unroll
    for (int j = 0; j < count; ++j) {
      pack loaded;
#pragma unroll
      for (int k = 0; k < vector; ++k) {
        const long long e = start + j * (32 * vector) + k;
        loaded.v[k] = e < n ? tenon_g_read(in, layout, at, e, n) : tenon_g_identity();
        before[j] = k == 0 ? loaded.v[0] : tenon_g_combine(before[j], loaded.v[k]);
      }
      if (j < kept) mine[j * 32] = loaded;
      else x[j < kept ? 0 : j - kept] = loaded;
    }
  }
#pragma unroll
  for (int by = 1; by < 32; by *= 2)
#pragma unroll
    for (int j = 0; j < count; ++j) {
      const tenon_g_acc earlier = tenon_g_shuffle_up(before[j], by);
      if (lane >= by) before[j] = tenon_g_combine(earlier, before[j]);
    }
  tenon_g_acc carry = tenon_g_identity();
#pragma unroll
  for (int j = 0; j < count; ++j) {
    const tenon_g_acc last = tenon_g_shuffle(before[j], 31), earlier = tenon_g_shuffle_up(before[j], 1);
    before[j] = lane == 0 ? carry : tenon_g_combine(carry, earlier);
    carry = tenon_g_combine(carry, last);
  }
  if (lane == 31) sums[warp] = carry;
  __syncthreads();
  if (warp == 0) {
    const tenon_g_acc of_warps = tenon_g_scan_warp(lane < 16 ? sums[lane] : tenon_g_identity());
    const tenon_g_acc earlier = tenon_g_shuffle_up(of_warps, 1), total = tenon_g_shuffle(of_warps, 15);
    const tenon_g_acc prefix =
        tenon_g_look_back(tiles + row * row_tiles, groups + row * row_groups, tile, row_tiles - 1, total);
    __syncwarp();
    if (lane < 16) sums[lane] = lane == 0 ? prefix : tenon_g_combine(prefix, earlier);
  }
  __syncthreads();
  const tenon_g_acc base = sums[warp];
#pragma unroll
  for (int j = 0; j < count; ++j) {
    const pack y = j < kept ? mine[j * 32] : x[j < kept ? 0 : j - kept];
    tenon_g_acc run = tenon_g_combine(base, before[j]);
    tenon_g_pack<tenon_g_out_type, vector> z;
#pragma unroll
    for (int k = 0; k < vector; ++k) {
      const tenon_g_acc next = tenon_g_combine(run, y.v[k]);
      const tenon_g_acc out = TENON_G_EXCLUSIVE ? run : next;
      z.v[k] = (tenon_g_out_type)out;
      if (!whole && start + j * (32 * vector) + k < n)
        tenon_g_write(in, layout, at, start + j * (32 * vector) + k, out);
      run = next;
    }
    if (whole) {
      tenon_g_at here = at;
      tenon_g_along(layout, start + j * (32 * vector), here);
      tenon_g_result_pack(in, here, z);
    }
  }
}

#elif TENON_G_KIND == 1

#define TENON_G_SKEW(e) ((e) + (e) / 32)

// A tile: 256 threads with TENON_G_ITEMS neighbouring elements each; or, with TENON_G_ROWS 8, each warp has a short row
// of its own. Global memory is accessed with neighbouring lanes at neighbouring elements, through shared memory, in
// which one slot in 33 stays empty to avoid bank conflicts.
extern "C" __global__ void __launch_bounds__(256)
    tenon_g_scan(const tenon_g_in in, const tenon_g_layout layout, const long long n, const long long rows,
                 const long long row_tiles, const long long row_groups, tenon_g_slot* const tiles,
                 tenon_g_slot* const groups, unsigned int* const ticket) {
  constexpr int items = TENON_G_ITEMS, part = 32 * items;
  static_assert(TENON_G_V <= items, "a vector is no longer than what a thread scans");
  __shared__ __align__(16) unsigned char room[8 * TENON_G_SKEW(part) * sizeof(tenon_g_acc)];
  __shared__ __align__(16) unsigned char warp_room[9 * sizeof(tenon_g_acc)];
#if !TENON_G_SINGLE
  __shared__ unsigned int taken;
#endif
  tenon_g_acc* const sums = reinterpret_cast<tenon_g_acc*>(warp_room);
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  tenon_g_acc* const mine = reinterpret_cast<tenon_g_acc*>(room) + warp * TENON_G_SKEW(part);
#if TENON_G_SINGLE
  const long long row = TENON_G_ROWS == 8 ? (long long)blockIdx.x * 8 + warp : (long long)blockIdx.x, tile = 0;
  if (TENON_G_ROWS == 8 && row >= rows) return;
#else
  if (threadIdx.x == 0) taken = atomicAdd(ticket, 1u);
  __syncthreads();
  const long long row = taken / row_tiles, tile = taken % row_tiles;
#endif
  tenon_g_at at = tenon_g_origin();
  tenon_g_decode<0, TENON_G_RANK - 1>(layout, (tenon_g_linear)row, at);
  const long long start = tile * (256 * items) + (TENON_G_ROWS == 8 ? 0 : warp * part);
  if (start + part <= n) {
    tenon_g_values<TENON_G_V> v[items / TENON_G_V];
#pragma unroll
    for (int j = 0; j < items / TENON_G_V; ++j) {
      tenon_g_at here = at;
      tenon_g_along(layout, start + (j * 32 + lane) * TENON_G_V, here);
      tenon_g_fetch(in, here, v[j]);
    }
#pragma unroll
    for (int j = 0; j < items / TENON_G_V; ++j)
#pragma unroll
      for (int k = 0; k < TENON_G_V; ++k) {
        const int e = (j * 32 + lane) * TENON_G_V + k;
        mine[TENON_G_SKEW(e)] = tenon_g_map(in, v[j], k, start + e, n);
      }
  } else {
    for (int j = 0; j < items; ++j) {
      const int e = j * 32 + lane;
      mine[TENON_G_SKEW(e)] = start + e < n ? tenon_g_read(in, layout, at, start + e, n) : tenon_g_identity();
    }
  }
  __syncwarp();
  tenon_g_acc x[items], sum;
#pragma unroll
  for (int k = 0; k < items; ++k) x[k] = mine[TENON_G_SKEW(lane * items + k)];
  sum = x[0];
#pragma unroll
  for (int k = 1; k < items; ++k) sum = tenon_g_combine(sum, x[k]);
  const tenon_g_acc through = tenon_g_scan_warp(sum);
  tenon_g_acc before = tenon_g_shuffle_up(through, 1);  // the combination of the lanes before; none in lane 0
#if TENON_G_ROWS == 8
  tenon_g_acc run = lane == 0 ? tenon_g_identity() : before;
#else
  if (lane == 31) sums[warp] = through;
  __syncthreads();
  if (warp == 0) {
    const tenon_g_acc of_warps = tenon_g_scan_warp(lane < 8 ? sums[lane] : tenon_g_identity());
    const tenon_g_acc earlier = tenon_g_shuffle_up(of_warps, 1);
#if TENON_G_SINGLE
    const tenon_g_acc prefix = tenon_g_identity();
#else
    const tenon_g_acc total = tenon_g_shuffle(of_warps, 7);
    const tenon_g_acc prefix =
        tenon_g_look_back(tiles + row * row_tiles, groups + row * row_groups, tile, row_tiles - 1, total);
#endif
    __syncwarp();
    if (lane < 8) sums[lane] = lane == 0 ? prefix : tenon_g_combine(prefix, earlier);
  }
  __syncthreads();
  tenon_g_acc run = lane == 0 ? sums[warp] : tenon_g_combine(sums[warp], before);
#endif
#pragma unroll
  for (int k = 0; k < items; ++k) {
    const tenon_g_acc next = tenon_g_combine(run, x[k]);
    mine[TENON_G_SKEW(lane * items + k)] = TENON_G_EXCLUSIVE ? run : next;
    run = next;
  }
  __syncwarp();
  if (start + part <= n && TENON_G_OUT_CONTIGUOUS) {
#pragma unroll
    for (int j = 0; j < items / TENON_G_V; ++j) {
      tenon_g_pack<tenon_g_out_type, TENON_G_V> y;
#pragma unroll
      for (int k = 0; k < TENON_G_V; ++k)
        y.v[k] = (tenon_g_out_type)mine[TENON_G_SKEW((j * 32 + lane) * TENON_G_V + k)];
      tenon_g_at here = at;
      tenon_g_along(layout, start + (j * 32 + lane) * TENON_G_V, here);
      tenon_g_result_pack(in, here, y);
    }
  } else {
    for (int j = 0; j < items; ++j) {
      const int e = j * 32 + lane;
      if (start + e < n) tenon_g_write(in, layout, at, start + e, mine[TENON_G_SKEW(e)]);
    }
  }
}

#else

// A tile: 32 columns (lanes) by 8 * TENON_G_ITEMS rows; a warp has TENON_G_ITEMS rows. Every lane looks back for its
// own column: tiles follow each other down the column, so all slots of a tile are 32 neighbours.
extern "C" __global__ void __launch_bounds__(256)
    tenon_g_scan(const tenon_g_in in, const tenon_g_layout layout, const long long n, const long long columns,
                 const long long column_tiles, const long long stripes, tenon_g_slot* const tiles, tenon_g_slot* const,
                 unsigned int* const ticket) {
  constexpr int items = TENON_G_ITEMS;
  __shared__ __align__(16) unsigned char room[9 * 32 * sizeof(tenon_g_acc)];
  tenon_g_acc* const sums = reinterpret_cast<tenon_g_acc*>(room);
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#if TENON_G_SINGLE
  const long long stripe = blockIdx.x, tile = 0;
#else
  __shared__ unsigned int taken;
  if (threadIdx.x == 0) taken = atomicAdd(ticket, 1u);
  __syncthreads();
  // Neighbouring tickets are neighbouring stripes of columns; later ones lie further down.
  const long long stripe = taken % stripes, tile = taken / stripes;
#endif
  const long long c = stripe * 32 + lane, first = (tile * 8 + warp) * items;
  tenon_g_at at = tenon_g_origin();
  if (c < columns) tenon_g_decode<1, TENON_G_RANK>(layout, (tenon_g_linear)c, at);
  tenon_g_acc x[items];
#pragma unroll
  for (int k = 0; k < items; ++k)
    x[k] = c < columns && first + k < n ? tenon_g_read(in, layout, at, first + k, n) : tenon_g_identity();
  tenon_g_acc sum = x[0];
#pragma unroll
  for (int k = 1; k < items; ++k) sum = tenon_g_combine(sum, x[k]);
  sums[warp * 32 + lane] = sum;
  __syncthreads();
  if (warp == 0) {
    tenon_g_acc total = sums[lane];
#pragma unroll
    for (int w = 1; w < 8; ++w) total = tenon_g_combine(total, sums[w * 32 + lane]);
    tenon_g_acc prefix = tenon_g_identity();
#if !TENON_G_SINGLE
    // Totals are added one after another from the top, by any thread: the bits are always the same.
    tenon_g_slot* const here = tiles + (tile * stripes + stripe) * 32 + lane;
    if (tile > 0)
      while (tenon_g_peek(here - stripes * 32, prefix) != 2) {
      }
    tenon_g_publish(here, tile > 0 ? tenon_g_combine(prefix, total) : total, 2);
#else
    (void)total;
#endif
#pragma unroll
    for (int w = 0; w < 8; ++w) {
      const tenon_g_acc next = sums[w * 32 + lane];
      sums[w * 32 + lane] = prefix;
      prefix = tenon_g_combine(prefix, next);
    }
  }
  __syncthreads();
  tenon_g_acc run = sums[warp * 32 + lane];
#pragma unroll
  for (int k = 0; k < items; ++k) {
    const tenon_g_acc next = tenon_g_combine(run, x[k]);
    if (c < columns && first + k < n) tenon_g_write(in, layout, at, first + k, TENON_G_EXCLUSIVE ? run : next);
    run = next;
  }
}

#endif
