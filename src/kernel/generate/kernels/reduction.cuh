// kernel/generate/kernels/reduction.cuh: what the loops and the blocks of a reduction share.
//
// TENON_G_KIND 1, rows: the last axis of the layout is reduced; kept axes come first. TENON_G_KIND 2, columns: the last
// axis is kept; reduced axes come first. A reduction that is split leaves partial accumulators for tenon_g_finish.
// Which elements meet in which order depends on shapes and geometry only: the same call gives the same bits.
static_assert(sizeof(tenon_g_sum) <= 256, "an accumulator can have at most 256 bytes (248 without an identity)");
// The element `linear` of axes [tenon_g_A, tenon_g_B).
template <int tenon_g_A, int tenon_g_B>
TENON_G_DEVICE void tenon_g_decode(const tenon_g_layout& layout, tenon_g_linear linear, tenon_g_at& at) {
#pragma unroll
  for (int d = tenon_g_B - 1; d > tenon_g_A; --d) {
    const tenon_g_linear above = tenon_g_divide(linear, layout.extent[d], layout.magic[d]);
    tenon_g_step(layout, d, linear - above * (tenon_g_linear)layout.extent[d], at);
    linear = above;
  }
  if (tenon_g_B > tenon_g_A) tenon_g_step(layout, tenon_g_A, linear, at);
}
template <int tenon_g_V> TENON_G_DEVICE void tenon_g_add(const tenon_g_in& in, const tenon_g_values<tenon_g_V>& v,
                                                         long long r, long long n, tenon_g_sum (&a)[tenon_g_V]) {
#pragma unroll
  for (int k = 0; k < tenon_g_V; ++k) a[k] = tenon_g_join(a[k], tenon_g_some(tenon_g_map(in, v, k, r + k, n)));
}
