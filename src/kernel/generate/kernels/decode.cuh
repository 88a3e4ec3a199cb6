// kernel/generate/kernels/decode.cuh: element positions in some axes of a layout, for reductions and scans.
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
