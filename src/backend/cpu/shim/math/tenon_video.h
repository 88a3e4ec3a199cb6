// shim/math/tenon_video.h: arithmetic on four bytes or two half words in one register.
#ifndef TENON_VIDEO_H
#define TENON_VIDEO_H

// result lane = f(lane of a, lane of b), lanes of `Bits` bits, taken as signed or unsigned numbers.
template <int Bits, bool Signed, class F> TENON_INLINE unsigned tenon_by_lane(unsigned a, unsigned b, F f) {
  const unsigned mask = (1u << Bits) - 1;
  unsigned result = 0;
  for (int at = 0; at < 32; at += Bits) {
    int x = (int)(a >> at & mask), y = (int)(b >> at & mask);
    if (Signed) x = (x ^ (1 << (Bits - 1))) - (1 << (Bits - 1)), y = (y ^ (1 << (Bits - 1))) - (1 << (Bits - 1));
    result |= ((unsigned)f(x, y) & mask) << at;
  }
  return result;
}
template <int Bits, bool Signed, class F> TENON_INLINE unsigned tenon_sum_of_lanes(unsigned a, unsigned b, F f) {
  const unsigned mask = (1u << Bits) - 1;
  unsigned result = 0;
  for (int at = 0; at < 32; at += Bits) {
    int x = (int)(a >> at & mask), y = (int)(b >> at & mask);
    if (Signed) x = (x ^ (1 << (Bits - 1))) - (1 << (Bits - 1)), y = (y ^ (1 << (Bits - 1))) - (1 << (Bits - 1));
    result += (unsigned)f(x, y);
  }
  return result;
}
template <int Bits> TENON_INLINE int tenon_saturated(int x) {
  const int most = (1 << (Bits - 1)) - 1;
  return x > most ? most : x < -most - 1 ? -most - 1 : x;
}
template <int Bits> TENON_INLINE int tenon_saturated_unsigned(int x) {
  const int most = (1 << Bits) - 1;
  return x > most ? most : x < 0 ? 0 : x;
}

// Each row for half words (2) and bytes (4). B is the number of bits there.
#define TENON_LANES2(name, is_signed, expression)                \
  TENON_INLINE unsigned name##2(unsigned a, unsigned b) {        \
    constexpr int B = 16;                                        \
    (void)B;                                                     \
    return tenon_by_lane<16, is_signed>(a, b, [](int x, int y) { \
      (void)x, (void)y;                                          \
      return expression;                                         \
    });                                                          \
  }                                                              \
  TENON_INLINE unsigned name##4(unsigned a, unsigned b) {        \
    constexpr int B = 8;                                         \
    (void)B;                                                     \
    return tenon_by_lane<8, is_signed>(a, b, [](int x, int y) {  \
      (void)x, (void)y;                                          \
      return expression;                                         \
    });                                                          \
  }
#define TENON_LANES1(name, expression)                                           \
  TENON_INLINE unsigned name##2(unsigned a) {                                    \
    constexpr int B = 16;                                                        \
    (void)B;                                                                     \
    return tenon_by_lane<16, true>(a, 0, [](int x, int) { return expression; }); \
  }                                                                              \
  TENON_INLINE unsigned name##4(unsigned a) {                                    \
    constexpr int B = 8;                                                         \
    (void)B;                                                                     \
    return tenon_by_lane<8, true>(a, 0, [](int x, int) { return expression; });  \
  }
TENON_LANES2(__vadd, false, x + y)
TENON_LANES2(__vaddss, true, tenon_saturated<B>(x + y))
TENON_LANES2(__vaddus, false, tenon_saturated_unsigned<B>(x + y))
TENON_LANES2(__vsub, false, x - y)
TENON_LANES2(__vsubss, true, tenon_saturated<B>(x - y))
TENON_LANES2(__vsubus, false, tenon_saturated_unsigned<B>(x - y))
TENON_LANES2(__vabsdiffs, true, x > y ? x - y : y - x)
TENON_LANES2(__vabsdiffu, false, x > y ? x - y : y - x)
TENON_LANES2(__vavgs, true, (x + y + (x + y >= 0)) >> 1)
TENON_LANES2(__vavgu, false, (x + y + 1) >> 1)
TENON_LANES2(__vhaddu, false, (x + y) >> 1)
TENON_LANES2(__vmaxs, true, x > y ? x : y)
TENON_LANES2(__vmaxu, false, x > y ? x : y)
TENON_LANES2(__vmins, true, x < y ? x : y)
TENON_LANES2(__vminu, false, x < y ? x : y)
TENON_LANES1(__vabs, x < 0 ? -x : x)
TENON_LANES1(__vabsss, tenon_saturated<B>(x < 0 ? -x : x))
TENON_LANES1(__vneg, -x)
TENON_LANES1(__vnegss, tenon_saturated<B>(-x))

// Comparisons give all ones, or one.
#define TENON_COMPARISON(tag, is_signed, expression)          \
  TENON_LANES2(__vcmp##tag, is_signed, (expression) ? -1 : 0) \
  TENON_LANES2(__vset##tag, is_signed, (expression) ? 1 : 0)
TENON_COMPARISON(eq, false, x == y)
TENON_COMPARISON(ne, false, x != y)
TENON_COMPARISON(ges, true, x >= y)
TENON_COMPARISON(geu, false, x >= y)
TENON_COMPARISON(gts, true, x > y)
TENON_COMPARISON(gtu, false, x > y)
TENON_COMPARISON(les, true, x <= y)
TENON_COMPARISON(leu, false, x <= y)
TENON_COMPARISON(lts, true, x < y)
TENON_COMPARISON(ltu, false, x < y)
#undef TENON_COMPARISON
#undef TENON_LANES1
#undef TENON_LANES2

TENON_INLINE unsigned __vsads2(unsigned a, unsigned b) {
  return tenon_sum_of_lanes<16, true>(a, b, [](int x, int y) { return x > y ? x - y : y - x; });
}
TENON_INLINE unsigned __vsads4(unsigned a, unsigned b) {
  return tenon_sum_of_lanes<8, true>(a, b, [](int x, int y) { return x > y ? x - y : y - x; });
}
TENON_INLINE unsigned __vsadu2(unsigned a, unsigned b) {
  return tenon_sum_of_lanes<16, false>(a, b, [](int x, int y) { return x > y ? x - y : y - x; });
}
TENON_INLINE unsigned __vsadu4(unsigned a, unsigned b) {
  return tenon_sum_of_lanes<8, false>(a, b, [](int x, int y) { return x > y ? x - y : y - x; });
}

#endif
