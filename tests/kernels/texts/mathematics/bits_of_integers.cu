__global__ void bits(unsigned long long* y, const unsigned long long* x) {
  const unsigned long long v = x[threadIdx.x];
  const unsigned w = (unsigned)v, u = (unsigned)(v >> 32);
  unsigned long long* to = y + 10 * threadIdx.x;
  to[0] = __popcll(v) + 100 * __clzll(v) + 10000 * __ffsll(v);
  to[1] = __brevll(v);
  to[2] = __funnelshift_l(w, u, 7) | (unsigned long long)__funnelshift_r(w, u, 39) << 32;
  to[3] = __byte_perm(w, u, 0x6132);
  to[4] = __umulhi(w, u) + ((unsigned long long)(unsigned)__mulhi((int)w, (int)u) << 32);
  to[5] = __sad((int)w, (int)u, 5u) + ((unsigned long long)__usad(w, u, 7u) << 32);
  to[6] = (unsigned)__hadd((int)w, (int)u) | (unsigned long long)__uhadd(w, u) << 32;
  to[7] = (unsigned)__rhadd((int)w, (int)u) | (unsigned long long)__urhadd(w, u) << 32;
  to[8] = (unsigned)__dp4a((int)w, (int)u, 11) | (unsigned long long)__dp4a(w, u, 13u) << 32;
  to[9] = (unsigned)__dp2a_lo((int)w, (int)u, 3) | (unsigned long long)(unsigned)__dp2a_hi((int)w, (int)u, 4) << 32;
}
