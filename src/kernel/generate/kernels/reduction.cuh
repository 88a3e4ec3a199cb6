// kernel/generate/kernels/reduction.cuh: the common part of a reduction's loops and blocks.
//
// TENON_G_KIND 1, rows: the last axis of the layout is reduced; kept axes come first. TENON_G_KIND 2, columns: the last
// axis is kept; reduced axes come first. A split reduction writes partial accumulators for tenon_g_finish.
// The order of combination depends on shapes and geometry only, so the same call gives the same bits.
static_assert(sizeof(tenon_g_sum) <= 256, "an accumulator can have at most 256 bytes (248 without an identity)");
template <int tenon_g_V> TENON_G_DEVICE void tenon_g_add(const tenon_g_in& in, const tenon_g_values<tenon_g_V>& v,
                                                         long long r, long long n, tenon_g_sum (&a)[tenon_g_V]) {
#pragma unroll
  for (int k = 0; k < tenon_g_V; ++k) a[k] = tenon_g_append(a[k], tenon_g_map(in, v, k, r + k, n));
}
