// shim/math/tenon_dpx.h: the least and the largest of two or three numbers, of a sum, with zero, with the comparison's
// outcome; for words and pairs of half words ("dynamic programming" instructions).
#ifndef TENON_DPX_H
#define TENON_DPX_H

TENON_INLINE int tenon_sum(int a, int b) { return (int)((unsigned)a + (unsigned)b); }
TENON_INLINE unsigned tenon_sum(unsigned a, unsigned b) { return a + b; }
// f on both half words, taken as T, of up to three operands.
template <class T, class F> TENON_INLINE unsigned tenon_halves(unsigned a, unsigned b, unsigned c, F f) {
  return (unsigned)(unsigned short)f((T)a, (T)b, (T)c) |
         (unsigned)(unsigned short)f((T)(a >> 16), (T)(b >> 16), (T)(c >> 16)) << 16;
}

#define TENON_DPX(side, S, W, H)                                                                       \
  TENON_INLINE W __vi##side##3_##S##32(W a, W b, W c) { return side(side(a, b), c); }                  \
  TENON_INLINE W __viadd##side##_##S##32(W a, W b, W c) { return side(tenon_sum(a, b), c); }           \
  TENON_INLINE unsigned __vi##side##3_##S##16x2(unsigned a, unsigned b, unsigned c) {                  \
    return tenon_halves<H>(a, b, c, [](H x, H y, H z) { return side(side((int)x, (int)y), (int)z); }); \
  }                                                                                                    \
  TENON_INLINE unsigned __viadd##side##_##S##16x2(unsigned a, unsigned b, unsigned c) {                \
    return tenon_halves<H>(a, b, c, [](H x, H y, H z) { return side((int)(H)(x + y), (int)z); });      \
  }
TENON_DPX(max, s, int, short)
TENON_DPX(min, s, int, short)
TENON_DPX(max, u, unsigned, unsigned short)
TENON_DPX(min, u, unsigned, unsigned short)
#undef TENON_DPX

#define TENON_DPX_RELU(side)                                                                                          \
  TENON_INLINE int __vi##side##_s32_relu(int a, int b) { return max(side(a, b), 0); }                                 \
  TENON_INLINE int __vi##side##3_s32_relu(int a, int b, int c) { return max(side(side(a, b), c), 0); }                \
  TENON_INLINE int __viadd##side##_s32_relu(int a, int b, int c) { return max(side(tenon_sum(a, b), c), 0); }         \
  TENON_INLINE unsigned __vi##side##_s16x2_relu(unsigned a, unsigned b) {                                             \
    return tenon_halves<short>(a, b, 0, [](short x, short y, short) { return max(side((int)x, (int)y), 0); });        \
  }                                                                                                                   \
  TENON_INLINE unsigned __vi##side##3_s16x2_relu(unsigned a, unsigned b, unsigned c) {                                \
    return tenon_halves<short>(a, b, c,                                                                               \
                               [](short x, short y, short z) { return max(side(side((int)x, (int)y), (int)z), 0); }); \
  }                                                                                                                   \
  TENON_INLINE unsigned __viadd##side##_s16x2_relu(unsigned a, unsigned b, unsigned c) {                              \
    return tenon_halves<short>(a, b, c,                                                                               \
                               [](short x, short y, short z) { return max(side((int)(short)(x + y), (int)z), 0); });  \
  }
TENON_DPX_RELU(max)
TENON_DPX_RELU(min)
#undef TENON_DPX_RELU

// Also reports whether the result is the first operand; if both are equal, it is.
#define TENON_DPX_WHICH(side, S, W, H, compare)                                                              \
  TENON_INLINE W __vib##side##_##S##32(W a, W b, bool* first) {                                              \
    *first = a compare b;                                                                                    \
    return side(a, b);                                                                                       \
  }                                                                                                          \
  TENON_INLINE unsigned __vib##side##_##S##16x2(unsigned a, unsigned b, bool* first_high, bool* first_low) { \
    *first_high = (H)(a >> 16) compare(H)(b >> 16);                                                          \
    *first_low = (H)a compare(H) b;                                                                          \
    return tenon_halves<H>(a, b, 0, [](H x, H y, H) { return side((int)x, (int)y); });                       \
  }
TENON_DPX_WHICH(max, s, int, short, >=)
TENON_DPX_WHICH(min, s, int, short, <=)
TENON_DPX_WHICH(max, u, unsigned, unsigned short, >=)
TENON_DPX_WHICH(min, u, unsigned, unsigned short, <=)
#undef TENON_DPX_WHICH

#endif
