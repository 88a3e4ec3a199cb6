// ops/fft.cpp: what a Fourier transform over some axes means: checks, scale, and one list of axes and one of batches.
#include <tenon/fft.h>
#include <algorithm>
#include <cmath>
#include "core/copy.hpp"
#include "ops/ops.hpp"

namespace tenon::ops {
namespace {

void check(const Array& source, const Array& destination, int32_t direction, int32_t norm) {
  TENON_REQUIRE(dtype_complex(source.dtype()) && source.dtype() == destination.dtype(), TENON_ERROR_DTYPE,
                "the source is %s and the destination %s: both must be complex64 or both complex128", dtype_name(source.dtype()).c_str(),
                dtype_name(destination.dtype()).c_str());
  TENON_REQUIRE(source.shape() == destination.shape(), TENON_ERROR_SHAPE, "the source has shape %s and the destination %s: they must be equal",
                shape_text(source.shape()).c_str(), shape_text(destination.shape()).c_str());
  TENON_REQUIRE(direction == TENON_FFT_FORWARD || direction == TENON_FFT_INVERSE, TENON_ERROR_INVALID_ARGUMENT,
                "direction is %d: TENON_FFT_FORWARD (0) and TENON_FFT_INVERSE (1) are possible", direction);
  TENON_REQUIRE(norm >= TENON_FFT_NORM_BACKWARD && norm <= TENON_FFT_NORM_FORWARD, TENON_ERROR_INVALID_ARGUMENT,
                "norm is %d: TENON_FFT_NORM_BACKWARD (0), ORTHO (1) and FORWARD (2) are possible", norm);
}

// Which axes are transformed; throws for one that is out of range or named twice.
std::vector<bool> chosen_axes(const Array& source, const int32_t* axes, int32_t count) {
  const int32_t rank = source.rank();
  TENON_REQUIRE(count >= 1 && count <= rank, TENON_ERROR_INVALID_ARGUMENT, "%d axes are to be transformed, and the array has %d", count, rank);
  std::vector<bool> chosen(size_t(rank), false);
  for (int32_t i = 0; i < count; ++i) {
    const int32_t axis = axes ? normal_axis(axes[i], rank) : rank - count + i;
    TENON_REQUIRE(!chosen[size_t(axis)], TENON_ERROR_INVALID_ARGUMENT, "axis %d is named twice", axis);
    chosen[size_t(axis)] = true;
    TENON_REQUIRE(source.shape()[axis] > 0, TENON_ERROR_SHAPE, "axis %d of shape %s is empty: a transform needs at least one element", axis,
                  shape_text(source.shape()).c_str());
  }
  return chosen;
}

double scale_for(double n, bool inverse, int32_t norm) {
  if (norm == TENON_FFT_NORM_ORTHO) return 1 / std::sqrt(n);
  return inverse == (norm == TENON_FFT_NORM_BACKWARD) ? 1 / n : 1.0;
}

// Sorted by where the destination lies, outermost first, and merged where both sides allow it.
void merge(std::vector<FftAxis>& batch) {
  std::stable_sort(batch.begin(), batch.end(), [](const FftAxis& x, const FftAxis& y) { return std::abs(x.to) > std::abs(y.to); });
  std::vector<FftAxis> out;
  for (const FftAxis& axis : batch) {
    if (!out.empty() && out.back().to == axis.extent * axis.to && out.back().from == axis.extent * axis.from)
      out.back() = {out.back().extent * axis.extent, axis.to, axis.from};
    else
      out.push_back(axis);
  }
  batch = std::move(out);
}

}  // namespace

void fft(const Array& source, Array& destination, const int32_t* axes, int32_t axis_count, int32_t direction, int32_t norm, Stream* given) {
  check(source, destination, direction, norm);
  const std::vector<bool> chosen = chosen_axes(source, axes, axis_count);
  Device& device = given ? given->device() : destination.device();
  Stream& stream = stream_or_default(given, device);
  require_on(source, device, "the source");
  require_on(destination, device, "the destination");
  require_writable(destination, "the destination");
  TENON_REQUIRE(overlap(destination, source) != Overlap::partial, TENON_ERROR_OVERLAP,
                "source and destination share memory but are not the same view: transform in place or into an array of its own");
  if (source.size() == 0) return;

  FftProblem p{};
  p.dtype = source.dtype();
  p.from = source.data();
  p.to = destination.data();
  p.inverse = direction == TENON_FFT_INVERSE;
  double n = 1;
  for (int32_t i = 0; i < source.rank(); ++i) {
    const int64_t extent = source.shape()[i];
    if (extent == 1) continue;  // its transform is itself
    (chosen[size_t(i)] ? p.axes : p.batch).push_back({extent, destination.strides()[i], source.strides()[i]});
    if (chosen[size_t(i)]) n *= double(extent);
  }
  if (p.axes.empty()) return copy(destination, source, &stream);
  p.scale = scale_for(n, p.inverse, norm);
  merge(p.batch);
  source.buffer().use(stream, false);
  destination.buffer().use(stream, true);
  device.fft(p, stream);
}

}  // namespace tenon::ops
