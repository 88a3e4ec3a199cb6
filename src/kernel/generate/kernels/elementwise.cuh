// kernel/generate/kernels/elementwise.cuh: the common part of an elementwise operation's loops and blocks.
//
// TENON_G_KIND: 1 flat (every operand is contiguous or one value), 2 rows (the same, along the innermost axis), 3 any
// strides, 4 tiles (some operands are contiguous along the axis outside the innermost one); on the CPU one loop serves
// all but tiles. TENON_G_V: elements of a vector access; TENON_G_U: accesses in flight per operand and thread.
template <int tenon_g_AXES> TENON_G_DEVICE void tenon_g_decode(const tenon_g_layout& layout, tenon_g_linear linear,
                                                               tenon_g_at& at, long long* coord) {
#pragma unroll
  for (int d = tenon_g_AXES - 1; d > 0; --d) {
    const tenon_g_linear above = tenon_g_divide(linear, layout.extent[d], layout.magic[d]);
    const tenon_g_linear here = linear - above * (tenon_g_linear)layout.extent[d];
    tenon_g_step(layout, d, here, at);
    if (TENON_G_COORD) coord[d] = (long long)here;
    linear = above;
  }
  if (tenon_g_AXES > 0) {
    tenon_g_step(layout, 0, linear, at);
    if (TENON_G_COORD) coord[0] = (long long)linear;
  }
}
