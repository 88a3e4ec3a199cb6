// shim/execution/tenon_beside.h: macros and functions for kernels without barriers, several of whose threads run the
// loops of their text side by side (text/regions/regions.cpp):
//
//   for (int k = 0; k < n; ++k) sum += x[row * n + k];
//
// A thread must add in this order, so each addition waits for the one before it. But threads are free to take turns:
// with the next thread's loop inside of this one, the additions of several threads are under way at once, often in one
// vector, and each thread still adds its own terms in their order.
//
// Such a kernel is called for some threads that are neighbours along x. It is written like one of tenon_regions.h, with
// those threads as its block and a region before and after each such loop.
#ifndef TENON_BESIDE_H
#define TENON_BESIDE_H
#if !TENON_PROBE

static __thread unsigned tenon_beside;  // how many threads, from the one at threadIdx on

#define TENON_THREADS_BESIDE(most)                                                                  \
  const unsigned tenon_nx = tenon_beside, tenon_ny = 1, tenon_nz = 1, tenon_threads = tenon_nx;     \
  const unsigned tenon_first_x = threadIdx.x, tenon_row_y = threadIdx.y, tenon_row_z = threadIdx.z; \
  constexpr unsigned tenon_most = most;                                                             \
  if (tenon_nx - 1 >= most) __builtin_unreachable();                                                \
  (void)tenon_ny, (void)tenon_nz, (void)tenon_threads, (void)tenon_first_x, (void)tenon_row_y, (void)tenon_row_z;
#define TENON_EACH_BESIDE for (unsigned tenon_x = 0; tenon_x < tenon_nx; ++tenon_x)
// The same where one copy of the code is enough: each thread has loops, or the threads are fewer than usual.
#if defined(__clang__)
#define TENON_EACH_ALONE _Pragma("clang loop unroll(disable)") TENON_EACH_BESIDE
#else
#define TENON_EACH_ALONE TENON_EACH_BESIDE
#endif
#define TENON_AT_BESIDE                                                        \
  threadIdx.x = tenon_first_x + tenon_x;                                       \
  const uint3 threadIdx = {tenon_first_x + tenon_x, tenon_row_y, tenon_row_z}; \
  const size_t tenon_lane = tenon_x;                                           \
  (void)threadIdx, (void)tenon_lane;
#define TENON_BE_FIRST threadIdx.x = tenon_first_x;

// Types whose sums depend on the order of their terms, which keeps the compiler from taking several terms at once.
template <class T> struct tenon_rounds {
  static constexpr bool value = false;
};
template <> struct tenon_rounds<float> {
  static constexpr bool value = true;
};
template <> struct tenon_rounds<double> {
  static constexpr bool value = true;
};

#if defined(__clang__)
// Eight elements of each of eight threads' rows, which P points to: filled by threads, read by iterations.
template <class P> struct tenon_eights {
  static constexpr bool fits = false;
  TENON_MEMBER void fill(size_t, P) {}
  TENON_MEMBER void turn() {}
  TENON_MEMBER auto at(unsigned, size_t) const { return *P(); }
};
template <class T> struct tenon_eights_of {
  typedef T Row __attribute__((__vector_size__(32)));
  static constexpr bool fits = true;
  Row rows[8];

  TENON_MEMBER void fill(size_t lane, const T* from) { __builtin_memcpy(&rows[lane], from, sizeof(Row)); }
  TENON_MEMBER T at(unsigned turn, size_t lane) const { return rows[turn][lane]; }
  TENON_MEMBER void turn() {
#define TENON_OF(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
    Row pairs[8], fours[8];
    for (unsigned i = 0; i < 8; i += 2) {
      pairs[i] = TENON_OF(rows[i], rows[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
      pairs[i + 1] = TENON_OF(rows[i], rows[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
    for (unsigned i = 0; i < 8; i += 4)
      for (unsigned k = 0; k < 2; ++k) {
        fours[i + 2 * k] = TENON_OF(pairs[i + k], pairs[i + k + 2], 0, 1, 8, 9, 4, 5, 12, 13);
        fours[i + 2 * k + 1] = TENON_OF(pairs[i + k], pairs[i + k + 2], 2, 3, 10, 11, 6, 7, 14, 15);
      }
    for (unsigned i = 0; i < 4; ++i) {
      rows[i] = TENON_OF(fours[i], fours[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
      rows[i + 4] = TENON_OF(fours[i], fours[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
#undef TENON_OF
  }
};
template <> struct tenon_eights<const float*> : tenon_eights_of<float> {};
template <> struct tenon_eights<float*> : tenon_eights_of<float> {};
template <> struct tenon_eights<const int*> : tenon_eights_of<int> {};
template <> struct tenon_eights<const unsigned*> : tenon_eights_of<unsigned> {};
#endif

// What stands for the threads' variables during such a loop: a copy, if nothing can hold their addresses.
template <bool Copied, class Frames> struct tenon_near {
  typedef Frames type;
};
template <class Frames> struct tenon_near<false, Frames> {
  typedef Frames& type;
};

#endif
#endif
