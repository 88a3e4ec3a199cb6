extern "C" __global__ void integers(const unsigned* x, unsigned* out) {
  int i = threadIdx.x;
  unsigned a = x[i], b = x[(i + 1) % 64], *o = out + i * 20;
  o[0] = __popc(a);
  o[1] = __clz((int)a);
  o[2] = __ffs((int)a);
  o[3] = __brev(a);
  o[4] = __byte_perm(a, b, 0x7531);
  o[5] = __funnelshift_l(a, b, 7);
  o[6] = __funnelshift_r(a, b, 40);
  o[7] = __umulhi(a, b);
  o[8] = (unsigned)__mulhi((int)a, (int)b);
  o[9] = __popcll(((unsigned long long)a << 32) | b);
  o[10] = __clzll((long long)(((unsigned long long)a << 20) | 1));
  o[11] = __usad(a, b, 1u);
  o[12] = (unsigned)__mul24((int)a, (int)b);
  o[13] = (unsigned)(__umul64hi((unsigned long long)a << 30, (unsigned long long)b << 30));
  o[14] = __uhadd(a, b);
  o[15] = (unsigned)__ffsll((long long)((unsigned long long)a << 32));
  o[16] = __funnelshift_lc(a, b, 35);
  o[17] = (unsigned)(__brevll(a) >> 32);
  o[18] = min(a, b) ^ max((int)a, (int)b);
  o[19] = (unsigned)__dp4a((int)a, (int)b, 3);
}
