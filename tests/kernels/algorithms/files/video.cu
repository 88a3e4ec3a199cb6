extern "C" __global__ void video(const unsigned* x, unsigned* out) {
  int i = threadIdx.x;
  unsigned a = x[i], b = x[(i + 1) % 64], *o = out + i * 18;
  o[0] = __vadd4(a, b);
  o[1] = __vaddss2(a, b);
  o[2] = __vaddus4(a, b);
  o[3] = __vsub2(a, b);
  o[4] = __vsubss4(a, b);
  o[5] = __vabsdiffu4(a, b);
  o[6] = __vavgu4(a, b);
  o[7] = __vhaddu2(a, b);
  o[8] = __vmaxs4(a, b);
  o[9] = __vminu2(a, b);
  o[10] = __vabsss4(a);
  o[11] = __vneg2(a);
  o[12] = __vcmpgts4(a, b);
  o[13] = __vsetleu2(a, b);
  o[14] = __vsadu4(a, b);
  o[16] = __vavgs4(a, b);
  o[17] = __vavgs2(a, b);
  o[15] = __vsads2(a, b);
}
