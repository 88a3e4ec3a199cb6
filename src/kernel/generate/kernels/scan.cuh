// kernel/generate/kernels/scan.cuh: the common part of a scan's loops and blocks.
//
// TENON_G_KIND 1, lines: the scanned axis is the last of the layout. TENON_G_KIND 2, columns: it is the first, and
// neighbouring elements lie along the last.
//
// The blocks make one pass with look-back (Merrill and Garland): a block takes the next tile, scans it, publishes its
// total, and computes the prefix of all tiles before it from the published totals. The order of combination is fixed,
// so that floating-point results do not depend on timing: tiles form groups of 32; the totals of a group are combined
// in a tree, and the groups one after another. On the CPU the axis is cut into units: first their totals are computed,
// then the prefixes, then the scan.
static_assert(sizeof(tenon_g_acc) <= 256, "an accumulator can have at most 256 bytes");
// The position of element k of the line at `at`.
TENON_G_DEVICE tenon_g_at tenon_g_place(const tenon_g_layout& layout, tenon_g_at at, long long k) {
#if TENON_G_KIND == 1
  tenon_g_along(layout, k, at);
#else
  tenon_g_step(layout, 0, (tenon_g_linear)k, at);
#endif
  return at;
}
TENON_G_DEVICE tenon_g_acc tenon_g_read(const tenon_g_in& in, const tenon_g_layout& layout, const tenon_g_at& at,
                                        long long k, long long n) {
  const tenon_g_at here = tenon_g_place(layout, at, k);
  tenon_g_values<1> v;
  tenon_g_fetch(in, here, v);
  return tenon_g_map(in, v, 0, k, n);
}
TENON_G_DEVICE void tenon_g_write(const tenon_g_in& in, const tenon_g_layout& layout, const tenon_g_at& at, long long k,
                                  const tenon_g_acc& a) {
  const tenon_g_at here = tenon_g_place(layout, at, k);
  tenon_g_result(in, here, a);
}
