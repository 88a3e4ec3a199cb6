// kernel/generate/kernels/scan_loops.cuh: a scan as loops, on the CPU.
#if TENON_G_KIND == 1

#define TENON_G_ROW(row, at)        \
  tenon_g_at at = tenon_g_origin(); \
  tenon_g_decode<0, TENON_G_RANK - 1>(layout, (tenon_g_linear)(row), at)

// Units of `unit` elements; 8 of them are scanned side by side, so that additions need not wait for each other.
extern "C" __global__ void tenon_g_totals(const tenon_g_in in, const tenon_g_layout layout, const long long n,
                                          const long long rows, const long long unit, const long long units,
                                          const long long block_units, tenon_g_acc* const total) {
  const long long blocks = (units + block_units - 1) / block_units;
  const long long row = blockIdx.x / blocks, first = blockIdx.x % blocks * block_units;
  const long long last = first + block_units < units ? first + block_units : units;
  TENON_G_ROW(row, at);
  long long u = first;
  for (; u + 8 <= last && (u + 8) * unit <= n; u += 8) {
    tenon_g_acc a[8];
    for (int w = 0; w < 8; ++w) a[w] = tenon_g_read(in, layout, at, (u + w) * unit, n);
    for (long long k = 1; k < unit; ++k)
#pragma unroll
      for (int w = 0; w < 8; ++w) a[w] = tenon_g_combine(a[w], tenon_g_read(in, layout, at, (u + w) * unit + k, n));
    for (int w = 0; w < 8; ++w) total[row * units + u + w] = a[w];
  }
  for (; u < last; ++u) {
    const long long end = (u + 1) * unit < n ? (u + 1) * unit : n;
    tenon_g_acc a = tenon_g_identity();
    for (long long k = u * unit; k < end; ++k) a = tenon_g_combine(a, tenon_g_read(in, layout, at, k, n));
    total[row * units + u] = a;
  }
}

// Replaces the units' totals by their prefixes.
extern "C" __global__ void tenon_g_prefixes(const long long rows, const long long units, tenon_g_acc* const total) {
  tenon_g_acc a = tenon_g_identity();
  for (long long u = 0; u < units; ++u) {
    const tenon_g_acc next = tenon_g_combine(a, total[blockIdx.x * units + u]);
    total[blockIdx.x * units + u] = a;
    a = next;
  }
}

extern "C" __global__ void tenon_g_scan(const tenon_g_in in, const tenon_g_layout layout, const long long n,
                                        const long long rows, const long long unit, const long long units,
                                        const long long block_units, tenon_g_acc* const prefix) {
  const long long blocks = (units + block_units - 1) / block_units;
  const long long first_row = prefix ? blockIdx.x / blocks : blockIdx.x * block_units;
  const long long last_row = prefix ? first_row + 1 : first_row + block_units < rows ? first_row + block_units : rows;
  const long long first = prefix ? blockIdx.x % blocks * block_units : 0;
  const long long last = prefix ? (first + block_units < units ? first + block_units : units) : 1;
  for (long long row = first_row; row < last_row; ++row) {
    TENON_G_ROW(row, at);
    long long u = first;
    for (; u + 8 <= last && (u + 8) * unit <= n; u += 8) {
      tenon_g_acc a[8];
      for (int w = 0; w < 8; ++w) a[w] = prefix[row * units + u + w];
      for (long long k = 0; k < unit; ++k)
#pragma unroll
        for (int w = 0; w < 8; ++w) {
          const tenon_g_acc next = tenon_g_combine(a[w], tenon_g_read(in, layout, at, (u + w) * unit + k, n));
          tenon_g_write(in, layout, at, (u + w) * unit + k, TENON_G_EXCLUSIVE ? a[w] : next);
          a[w] = next;
        }
    }
    for (; u < last; ++u) {
      const long long end = (u + 1) * unit < n ? (u + 1) * unit : n;
      tenon_g_acc a = prefix ? prefix[row * units + u] : tenon_g_identity();
      for (long long k = u * unit; k < end; ++k) {
        const tenon_g_acc next = tenon_g_combine(a, tenon_g_read(in, layout, at, k, n));
        tenon_g_write(in, layout, at, k, TENON_G_EXCLUSIVE ? a : next);
        a = next;
      }
    }
  }
}

#else

#define TENON_G_WIDTH (sizeof(tenon_g_acc) >= 256 ? 16 : 4096 / (int)sizeof(tenon_g_acc))

// Block: neighbouring columns along the innermost axis, one unit of the scanned axis.
template <bool tenon_g_TOTALS>
TENON_G_DEVICE void tenon_g_columns(const tenon_g_in& in, const tenon_g_layout& layout, long long n, long long rows,
                                    long long unit, long long units, long long width, tenon_g_acc* const total) {
  const long long inner = layout.extent[TENON_G_RANK - 1], pieces = (inner + width - 1) / width;
  const long long u = blockIdx.x % units, tile = blockIdx.x / units;
  const long long outer = tile / pieces, c = tile % pieces * width;
  const int wide = (int)(inner - c < width ? inner - c : width);
  const long long from = u * unit, to = from + unit < n ? from + unit : n;
  tenon_g_at start = tenon_g_origin();
  tenon_g_decode<1, TENON_G_RANK>(layout, (tenon_g_linear)(outer * inner + c), start);
  tenon_g_acc* const mine = total ? total + u * rows + outer * inner + c : nullptr;
  tenon_g_acc a[TENON_G_WIDTH];
  for (int l = 0; l < wide; ++l) a[l] = !tenon_g_TOTALS && mine ? mine[l] : tenon_g_identity();
  for (long long k = from; k < to; ++k) {
    tenon_g_at at = start;
    tenon_g_step(layout, 0, (tenon_g_linear)k, at);
    TENON_G_VECTORIZE
    for (int l = 0; l < wide; ++l) {
      tenon_g_at here = at;
      tenon_g_along(layout, l, here);
      tenon_g_values<1> v;
      tenon_g_fetch(in, here, v);
      const tenon_g_acc next = tenon_g_combine(a[l], tenon_g_map(in, v, 0, k, n));
      if (!tenon_g_TOTALS) tenon_g_result(in, here, TENON_G_EXCLUSIVE ? a[l] : next);
      a[l] = next;
    }
  }
  if (tenon_g_TOTALS)
    for (int l = 0; l < wide; ++l) mine[l] = a[l];
}
extern "C" __global__ void tenon_g_totals(const tenon_g_in in, const tenon_g_layout layout, const long long n,
                                          const long long rows, const long long unit, const long long units,
                                          const long long width, tenon_g_acc* const total) {
  tenon_g_columns<true>(in, layout, n, rows, unit, units, width, total);
}
extern "C" __global__ void tenon_g_prefixes(const long long rows, const long long units, tenon_g_acc* const total) {
  tenon_g_acc a = tenon_g_identity();
  for (long long u = 0; u < units; ++u) {
    const tenon_g_acc next = tenon_g_combine(a, total[u * rows + blockIdx.x]);
    total[u * rows + blockIdx.x] = a;
    a = next;
  }
}
extern "C" __global__ void tenon_g_scan(const tenon_g_in in, const tenon_g_layout layout, const long long n,
                                        const long long rows, const long long unit, const long long units,
                                        const long long width, tenon_g_acc* const prefix) {
  tenon_g_columns<false>(in, layout, n, rows, unit, units, width, prefix);
}

#endif
