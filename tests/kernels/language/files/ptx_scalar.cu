// Inline PTX that a thread does alone: integers, carries, predicates, conversions, floating point.
#define OUT(k) out[(k) * n + i]

__device__ __forceinline__ unsigned bit_extract(unsigned x, unsigned from, unsigned count) {
  unsigned y;
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(y) : "r"(x), "r"(from), "r"(count));
  return y;
}
template <int Table> __device__ unsigned logic(unsigned a, unsigned b, unsigned c) {
  unsigned y;
  asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(y) : "r"(a), "r"(b), "r"(c), "n"(Table));
  return y;
}
// 128 bits in separate statements, as libraries of large numbers have it.
__device__ unsigned add_cc(unsigned a, unsigned b) {
  unsigned y;
  asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(y) : "r"(a), "r"(b));
  return y;
}
__device__ unsigned addc(unsigned a, unsigned b) {
  unsigned y;
  asm volatile("addc.u32 %0, %1, %2;" : "=r"(y) : "r"(a), "r"(b));
  return y;
}

extern "C" __global__ void integers(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned x = a[i], y = b[i], z = c[i];
  unsigned r, s;
  asm("{\n\t.reg .u32 t;            // a register of its own\n\t"
      "mul.lo.u32 t, %1, %2;\n\tadd.u32 %0, t, %3;\n\t}" : "=r"(OUT(0)) : "r"(x), "r"(y), "r"(z));
  OUT(1) = bit_extract(x, y & 63, z & 63);
  asm("bfe.s32 %0, %1, %2, %3;" : "=r"(OUT(2)) : "r"(x), "r"(y & 31), "r"(z & 31));
  asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(OUT(3)) : "r"(x), "r"(y), "r"(z & 31), "r"(z >> 8 & 31));
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(OUT(4)) : "r"(x), "r"(y), "r"(z));
  OUT(5) = logic<0x96>(x, y, z);
  OUT(6) = logic<(0xF0 & 0xCC) | 0xAA>(x, y, z);
  asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(OUT(7)) : "r"(x), "r"(y), "r"(z));
  asm("shf.r.clamp.b32 %0, %1, %2, %3;" : "=r"(OUT(8)) : "r"(x), "r"(y), "r"(z & 63));
  asm("popc.b32 %0, %2;\n\tclz.b32 %1, %2;" : "=&r"(OUT(9)), "=r"(OUT(10)) : "r"(x));
  asm("brev.b32 %0, %1;" : "=r"(OUT(11)) : "r"(x));
  asm("bfind.u32 %0, %1;" : "=r"(OUT(12)) : "r"(x));
  asm("bfind.shiftamt.s32 %0, %1;" : "=r"(OUT(13)) : "r"(x));
  OUT(14) = add_cc(x, y);
  OUT(15) = addc(y, z);
  asm("sub.cc.u32 %0, %2, %3;\n\tsubc.u32 %1, %3, %4;" : "=r"(r), "=r"(s) : "r"(x), "r"(y), "r"(z));
  OUT(16) = r;
  OUT(17) = s;
  asm("mad.lo.cc.u32 %0, %2, %3, %4;\n\tmadc.hi.u32 %1, %2, %3, 7;" : "=r"(r), "=r"(s) : "r"(x), "r"(y), "r"(z));
  OUT(18) = r;
  OUT(19) = s;
  asm("{ .reg .pred p, q; setp.lt.and.s32 p|q, %1, %2, !p; @p mov.u32 %0, 1; @!p mov.u32 %0, 2; @q add.u32 %0, %0, 10; }"
      : "=r"(OUT(20))
      : "r"(x), "r"(y));
  asm("{ .reg .pred %%p<3>; setp.hi.u32 %%p1, %1, %2; setp.ne.u32 %%p2, %3, 0; and.pred %%p1, %%p1, %%p2; selp.b32 %0, 5, %3, %%p1; }"
      : "=r"(OUT(21))
      : "r"(x), "r"(y), "r"(z & 1));
  asm("shl.b32 %0, %1, %2;" : "=r"(OUT(22)) : "r"(x), "r"(z & 63));
  asm("shr.s32 %0, %1, %2;" : "=r"(OUT(23)) : "r"(x), "r"(z & 63));
  asm("add.sat.s32 %0, %1, %2;" : "=r"(OUT(24)) : "r"(x), "r"(y));
  asm("mul.hi.s32 %0, %1, %2;" : "=r"(OUT(25)) : "r"(x), "r"(y));
  asm("{ .reg .u64 w; mul.wide.u32 w, %1, %2; cvt.u32.u64 %0, w; shr.u64 w, w, 32; cvt.u32.u64 %0, w; }"
      : "=r"(OUT(26))
      : "r"(x), "r"(y));
  unsigned long long wide;
  asm("mov.b64 %0, {%1, %2};" : "=l"(wide) : "r"(x), "r"(y));
  asm("{ .reg .b32 lo; mov.b64 {lo, %0}, %1; xor.b32 %0, %0, lo; }" : "=r"(OUT(27)) : "l"(wide + 1));
  asm("min.s32 %0, %1, %2;\n\tmax.u32 %0, %0, %3;" : "=&r"(r) : "r"(x), "r"(y), "r"(z));
  OUT(28) = r;
  asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(OUT(29)) : "r"(x), "r"(y), "r"(z));
  asm("sad.u32 %0, %1, %2, %3;" : "=r"(OUT(30)) : "r"(x), "r"(y), "r"(z));
  unsigned short h;
  asm("cvt.u16.u32 %0, %1;" : "=h"(h) : "r"(x));
  asm("cvt.s32.s16 %0, %1;" : "=r"(OUT(31)) : "h"(h));
  asm("cvt.sat.u8.s32 %0, %1;" : "=r"(OUT(32)) : "r"(x));
  r = x;
  asm("{\n .reg .pred again;\n LOOP:\n shr.u32 %0, %0, 1;\n setp.gt.u32 again, %0, 1000;\n @again bra LOOP;\n}"
      : "+r"(r));
  OUT(33) = r;
  asm("rem.u32 %0, %1, %2;" : "=r"(OUT(34)) : "r"(x), "r"(y | 1));
  r = x;
  asm("not.b32 %0, %0;" : "+r"(r));
  OUT(35) = r;
  asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(OUT(36)) : "r"(x & 63), "r"(y & 63));
  asm("bmsk.wrap.b32 %0, %1, %2;" : "=r"(OUT(37)) : "r"(x), "r"(y));
  asm("" : "+r"(r));
  asm volatile("" ::: "memory");
}

extern "C" __global__ void reals(const float* a, const float* b, float* out, double* wide, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = a[i], y = b[i];
  asm("fma.rn.f32 %0, %1, %2, %1;" : "=f"(OUT(0)) : "f"(x), "f"(y));
  asm("add.rz.f32 %0, %1, %2;" : "=f"(OUT(1)) : "f"(x), "f"(y));
  asm("mul.rn.sat.f32 %0, %1, 0f3F000000;" : "=f"(OUT(2)) : "f"(x));
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(OUT(3)) : "f"(x));
  asm("lg2.approx.f32 %0, %1;" : "=f"(OUT(4)) : "f"(x * x));
  asm("rcp.approx.f32 %0, %1;" : "=f"(OUT(5)) : "f"(y));
  asm("rsqrt.approx.f32 %0, %1;" : "=f"(OUT(6)) : "f"(y * y));
  asm("tanh.approx.f32 %0, %1;" : "=f"(OUT(7)) : "f"(x));
  asm("max.f32 %0, %1, %2;" : "=f"(OUT(8)) : "f"(x), "f"(y));
  asm("{ .reg .s32 k; cvt.rni.s32.f32 k, %1; cvt.rn.f32.s32 %0, k; }" : "=f"(OUT(9)) : "f"(x * 3));
  asm("cvt.rmi.f32.f32 %0, %1;" : "=f"(OUT(10)) : "f"(x));
  asm("{ .reg .pred p; setp.gtu.f32 p, %1, %2; selp.f32 %0, %1, %2, p; }" : "=f"(OUT(11)) : "f"(x), "f"(y));
  asm("neg.f32 %0, %1;\n\tabs.f32 %0, %0;" : "=f"(OUT(12)) : "f"(x));
  asm("{ .reg .f16 h; cvt.rn.f16.f32 h, %1; cvt.f32.f16 %0, h; }" : "=f"(OUT(13)) : "f"(x));
  unsigned pair;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(x), "f"(y));
  OUT(14) = __uint_as_float(pair << 16);
  OUT(15) = __uint_as_float(pair & 0xffff0000u);
  asm("{ .reg .b32 t; cvt.rna.tf32.f32 t, %1; mov.b32 %0, t; }" : "=f"(OUT(16)) : "f"(x));
  unsigned half_pair;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;\n\tfma.rn.f16x2 %0, %0, %0, %0;" : "=&r"(half_pair) : "f"(x), "f"(y));
  unsigned short low;
  asm("{ .reg .b16 high; mov.b32 {%0, high}, %1; }" : "=h"(low) : "r"(half_pair));
  asm("cvt.f32.f16 %0, %1;" : "=f"(OUT(17)) : "h"(low));
  const double p = x, q = y;
  asm("fma.rn.f64 %0, %1, %2, %3;" : "=d"(wide[i]) : "d"(p), "d"(q), "d"(1.0));
  asm("{ .reg .s64 k; cvt.rzi.s64.f64 k, %1; cvt.rn.f64.s64 %0, k; }" : "=d"(wide[n + i]) : "d"(p * 1e6));
}
