// backend/cpu/fft/ducc.hpp: the way into ducc0's transforms, which are built once per instruction set.
#pragma once
#include <cstddef>
#include <cstdint>

namespace tenon::cpu {

// A transform in the form that ducc.cpp takes: only plain types, because its objects share no inline functions with
// others.
struct DuccFft {
  const void* from;
  void* to;
  bool wide;                // double precision
  bool from_real, to_real;  // then the complex side has n / 2 + 1 along the last of `axes`
  int type;                 // 1 to 4: a cosine or sine transform of real numbers; 0: neither
  bool sine, orthogonal;
  bool forward;
  double scale;
  int rank;
  const size_t* shape;            // of the real side, if there is one
  const ptrdiff_t* from_strides;  // in elements
  const ptrdiff_t* to_strides;
  int axis_count;
  const size_t* axes;
  size_t threads;
  // Runs body(context, i) for i below count on the pool.
  void (*parallel)(size_t count, void (*body)(void* context, size_t i), void* context);
};

// Returns false and a text in `why` (cut at its size) if ducc0 refuses; "memory" if there was not enough memory.
using DuccFftFunction = bool (*)(const DuccFft& problem, char* why, size_t why_size);

extern "C" bool tenon_ducc_fft_base(const DuccFft& problem, char* why, size_t why_size);
#if defined(__x86_64__)
extern "C" bool tenon_ducc_fft_v3(const DuccFft& problem, char* why, size_t why_size);
extern "C" bool tenon_ducc_fft_v4(const DuccFft& problem, char* why, size_t why_size);
#endif

}  // namespace tenon::cpu
