// shim/language/tenon_vector.h: vector types of one to four lanes with CUDA's alignments, and dim3.
#ifndef TENON_VECTOR_H
#define TENON_VECTOR_H

#define TENON_VECTOR(T, name, align2, align4)                        \
  struct name##1 { T x; };                                           \
  struct __attribute__((aligned(align2))) name##2 { T x, y; };       \
  struct name##3 { T x, y, z; };                                     \
  struct __attribute__((aligned(align4))) name##4 { T x, y, z, w; }; \
  TENON_INLINE name##1 make_##name##1(T x) {                         \
    name##1 v = {x};                                                 \
    return v;                                                        \
  }                                                                  \
  TENON_INLINE name##2 make_##name##2(T x, T y) {                    \
    name##2 v = {x, y};                                              \
    return v;                                                        \
  }                                                                  \
  TENON_INLINE name##3 make_##name##3(T x, T y, T z) {               \
    name##3 v = {x, y, z};                                           \
    return v;                                                        \
  }                                                                  \
  TENON_INLINE name##4 make_##name##4(T x, T y, T z, T w) {          \
    name##4 v = {x, y, z, w};                                        \
    return v;                                                        \
  }

TENON_VECTOR(signed char, char, 2, 4)
TENON_VECTOR(unsigned char, uchar, 2, 4)
TENON_VECTOR(short, short, 4, 8)
TENON_VECTOR(unsigned short, ushort, 4, 8)
TENON_VECTOR(int, int, 8, 16)
TENON_VECTOR(unsigned int, uint, 8, 16)
TENON_VECTOR(long, long, 16, 16)
TENON_VECTOR(unsigned long, ulong, 16, 16)
TENON_VECTOR(long long, longlong, 16, 16)
TENON_VECTOR(unsigned long long, ulonglong, 16, 16)
TENON_VECTOR(float, float, 8, 16)
TENON_VECTOR(double, double, 16, 16)
#undef TENON_VECTOR

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return uint3{x, y, z}; }
};

// Places in arrays of three dimensions: what copies of the host take and kernels may be given.
struct cudaPos {
  size_t x, y, z;
};
struct cudaExtent {
  size_t width, height, depth;
};
struct cudaPitchedPtr {
  void* ptr;
  size_t pitch, xsize, ysize;
};

#endif
