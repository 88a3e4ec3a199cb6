// ops/signal/signal.hpp: Fourier and cosine transforms, convolution.
#pragma once
#include <string>
#include "ops/factor.hpp"
#include "ops/output.hpp"

namespace tenon::ops {

// axes empty with axis_count n: the last n axes.
void fft(const Array& source, Array& destination, const int32_t* axes, int32_t axis_count, int32_t direction,
         int32_t norm, Stream* stream);
// The array for the result of the transform: the given one, or a new one. real_length as in fft.h.
Ref<Array> fft_destination(const Array& source, const int32_t* axes, int32_t axis_count, int64_t real_length,
                           Stream* stream, const Output& out);
// type 1 to 4; TENON_FFT_DIRECTION_FORWARD or INVERSE
struct DctOptions {
  int32_t type;
  bool sine;
  int32_t direction, norm;
};
void dct(const Array& source, Array& destination, const int32_t* axes, int32_t axis_count, const DctOptions& options,
         Stream* stream);
// Prepares plans and memory, and runs nothing.
void prepare_fft(const Array& source, Array& destination, const int32_t* axes, int32_t axis_count, int32_t direction,
                 int32_t norm);
void prepare_dct(const Array& source, Array& destination, const int32_t* axes, int32_t axis_count,
                 const DctOptions& options);

// convolve.cpp, frequency.cpp; constants as in signal.h, axis_count 0: all
Ref<Array> convolve(const Array& a, const Array& b, const int32_t* axes, int32_t axis_count, int32_t mode,
                    bool correlate, Stream* stream, const Output& out = {});
int64_t fast_length(int64_t n);
Ref<Array> fft_shift(const Array& x, const int32_t* axes, int32_t axis_count, bool inverse, Stream* stream,
                     const Output& out = {});
Ref<Array> fft_frequencies(Device& device, Dtype dtype, int64_t n, double spacing, bool half, Stream* stream,
                           const Output& out = {});

}  // namespace tenon::ops
