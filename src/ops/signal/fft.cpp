// ops/signal/fft.cpp: Fourier transforms over some axes: checks, scale, and lists of the transformed and the batch
// axes.
#include <tenon/fft.h>
#include <algorithm>
#include <cmath>
#include "core/array/copy.hpp"
#include "core/device/recording.hpp"
#include "ops/signal/signal.hpp"

namespace tenon::ops {
namespace {

void check_options(int32_t direction, int32_t norm) {
  TENON_REQUIRE(direction == TENON_FFT_DIRECTION_FORWARD || direction == TENON_FFT_DIRECTION_INVERSE,
                TENON_ERROR_INVALID_ARGUMENT,
                "direction is %d: use TENON_FFT_DIRECTION_FORWARD (0) or TENON_FFT_DIRECTION_INVERSE (1)", direction);
  TENON_REQUIRE(norm >= TENON_FFT_NORM_BACKWARD && norm <= TENON_FFT_NORM_FORWARD, TENON_ERROR_INVALID_ARGUMENT,
                "norm is %d: use TENON_FFT_NORM_BACKWARD (0), ORTHO (1) or FORWARD (2)", norm);
}

bool transformed_type(Dtype t) { return dtype_complex(t) || t == TENON_COMPLEX32; }

FftKind fft_kind(const Array& source, const Array& destination) {
  const Dtype from = source.dtype(), to = destination.dtype();
  if (transformed_type(from) && from == to) return FftKind::complex;
  if (transformed_type(to) && from == dtype_real(to)) return FftKind::real_to_complex;
  if (transformed_type(from) && to == dtype_real(from)) return FftKind::complex_to_real;
  fail(TENON_ERROR_DTYPE,
       "the source is %s and the destination %s: complex64 pairs with complex64 or float32, complex128 with complex128 "
       "or float64, complex32 with complex32 or float16",
       dtype_name(from).c_str(), dtype_name(to).c_str());
}

Dtype single_of(Dtype half) { return half == TENON_FLOAT16 ? TENON_FLOAT32 : TENON_COMPLEX64; }

void check_shapes(const Array& source, const Array& destination, FftKind kind, const std::vector<int32_t>& axes) {
  const auto both = [&] {
    return "the source has shape " + shape_text(source.shape()) + " and the destination " +
           shape_text(destination.shape());
  };
  TENON_REQUIRE(source.rank() == destination.rank(), TENON_ERROR_SHAPE, "%s: they must have the same number of axes",
                both().c_str());
  const Array& real = kind == FftKind::complex_to_real ? destination : source;
  const Array& other = kind == FftKind::complex_to_real ? source : destination;
  for (int32_t i = 0; i < source.rank(); ++i) {
    const int64_t n = real.shape()[i];
    const bool half = kind != FftKind::complex && i == axes.back();
    TENON_REQUIRE(
        other.shape()[i] == (half ? n / 2 + 1 : n), TENON_ERROR_SHAPE,
        half ? "%s: if the real side has extent n along axis %d, the last one given, the complex side must have n / 2 "
               "+ 1"
             : "%s: they must be equal along axis %d",
        both().c_str(), i);
  }
  for (int32_t axis : axes)
    TENON_REQUIRE(real.shape()[axis] > 0, TENON_ERROR_SHAPE,
                  "axis %d of shape %s is empty: a transform needs at least one element", axis,
                  shape_text(real.shape()).c_str());
}

double scale_for(double n, bool inverse, int32_t norm) {
  if (norm == TENON_FFT_NORM_ORTHO) return 1 / std::sqrt(n);
  return inverse == (norm == TENON_FFT_NORM_BACKWARD) ? 1 / n : 1.0;
}

// Sorted by the destination's strides, outermost first, and merged where both sides allow it.
void merge(std::vector<FftAxis>& batch) {
  std::stable_sort(batch.begin(), batch.end(),
                   [](const FftAxis& x, const FftAxis& y) { return std::abs(x.to) > std::abs(y.to); });
  std::vector<FftAxis> out;
  for (const FftAxis& axis : batch) {
    if (!out.empty() && out.back().to == axis.extent * axis.to && out.back().from == axis.extent * axis.from)
      out.back() = {out.back().extent * axis.extent, axis.to, axis.from};
    else out.push_back(axis);
  }
  batch = std::move(out);
}

// Records the work on a stream and assembles it into a graph, which makes everything that it needs; then drops the
// graph.
template <class F> void rehearse(Device& device, F&& work) {
  const Ref<Recording> recording = make<Recording>(device);
  const Ref<Stream> stream = make<RecordingStream>(recording);
  work(stream.get());
  const std::vector<RecordedWork> pieces = recording->finish().pieces;
  device.make_replay(pieces);
}

}  // namespace

Ref<Array> fft_destination(const Array& source, const int32_t* axes, int32_t axis_count, int64_t real_length,
                           Stream* given, const Output& out) {
  const Dtype from = source.dtype();
  const bool complex = transformed_type(from);
  TENON_REQUIRE(
      real_length >= 0 && (real_length == 0 || complex), TENON_ERROR_INVALID_ARGUMENT,
      "real_length is %lld: it must not be negative and the source is %s: real_length is only for a complex source and "
      "a real destination, and 0 otherwise",
      static_cast<long long>(real_length), dtype_name(from).c_str());
  if (out.given() && !real_length) return Ref<Array>(out.given());
  const std::vector<int32_t> chosen = chosen_axes(source.rank(), axes, axis_count, "transformed");
  if (out.given()) {
    const Array& to = *out.given();
    TENON_REQUIRE(
        to.dtype() == dtype_real(from) && to.rank() == source.rank() && to.shape()[chosen.back()] == real_length,
        TENON_ERROR_INVALID_ARGUMENT,
        "real_length is %lld: it must not be negative, but the destination %s of %s has another extent along axis %d",
        static_cast<long long>(real_length), shape_text(to.shape()).c_str(), dtype_name(to.dtype()).c_str(),
        chosen.back());
    return Ref<Array>(out.given());
  }
  const Dtype spectrum = from == TENON_FLOAT16   ? TENON_COMPLEX32
                         : from == TENON_FLOAT32 ? TENON_COMPLEX64
                                                 : TENON_COMPLEX128;
  TENON_REQUIRE(
      complex || from == TENON_FLOAT16 || from == TENON_FLOAT32 || from == TENON_FLOAT64, TENON_ERROR_DTYPE,
      "the source is %s: Fourier transforms support float16, float32, float64, complex32, complex64 and complex128",
      dtype_name(from).c_str());
  Dims shape = source.shape();
  int64_t& last = shape[chosen.back()];
  if (real_length) last = real_length;
  else if (!complex) last = last / 2 + 1;
  Stream& stream = stream_or_default(given, given ? given->device() : source.device());
  return Array::create(stream.device(), real_length ? dtype_real(from) : complex ? from : spectrum, shape, stream);
}

void fft(const Array& source, Array& destination, const int32_t* axes, int32_t axis_count, int32_t direction,
         int32_t norm, Stream* given) {
  check_options(direction, norm);
  const FftKind kind = fft_kind(source, destination);
  const std::vector<int32_t> chosen = chosen_axes(source.rank(), axes, axis_count, "transformed");
  check_shapes(source, destination, kind, chosen);
  Device& device = given ? given->device() : destination.device();
  Stream& stream = stream_or_default(given, device);
  require_on(source, device, "the source");
  require_on(destination, device, "the destination");
  require_writable(destination, "the destination");
  const Overlap shared = overlap(destination, source);
  TENON_REQUIRE(
      shared == Overlap::disjoint || (shared == Overlap::exact && kind == FftKind::complex), TENON_ERROR_OVERLAP,
      kind == FftKind::complex
          ? "source and destination share memory but are not the same view: transform in place or into a separate array"
          : "source and destination share memory: a transform between real and complex numbers needs a separate "
            "destination");
  if (source.size() == 0) return;

  FftProblem p{};
  p.kind = kind;
  p.dtype = kind == FftKind::complex_to_real ? source.dtype() : destination.dtype();
  p.from = source.data();
  p.to = destination.data();
  p.inverse = direction == TENON_FFT_DIRECTION_INVERSE;
  const Dims& extents = kind == FftKind::complex_to_real ? destination.shape() : source.shape();
  const int32_t half = kind == FftKind::complex ? -1 : chosen.back();
  const auto add = [&](std::vector<FftAxis>& list, int32_t i) {
    list.push_back({extents[i], destination.strides()[i], source.strides()[i]});
  };
  double n = 1;
  for (int32_t i = 0; i < source.rank(); ++i) {
    if (extents[i] == 1 || i == half) continue;  // the transform of one number is the number itself
    const bool transformed = std::find(chosen.begin(), chosen.end(), i) != chosen.end();
    add(transformed ? p.axes : p.batch, i);
    if (transformed) n *= double(extents[i]);
  }
  if (half >= 0) {
    add(p.axes, half);
    n *= double(extents[half]);
  }
  if (p.axes.empty()) return copy(destination, source, &stream);
  p.scale = scale_for(n, p.inverse, norm);
  merge(p.batch);
  if (p.dtype == TENON_COMPLEX32 && !device.has_half_fft(p)) {
    recorded_whole(stream, [&] {
      const Ref<Array> wide = convert(source, single_of(source.dtype()), device, &stream);
      const Ref<Array> result = Array::create(device, single_of(destination.dtype()), destination.shape(), stream);
      fft(*wide, *result, axes, axis_count, direction, norm, &stream);
      copy(destination, *result, &stream);
    });
    return;
  }
  source.buffer().use(stream, false);
  destination.buffer().use(stream, true);
  device.run(p, stream);
}

void dct(const Array& source, Array& destination, const int32_t* axes, int32_t axis_count, const DctOptions& options,
         Stream* given) {
  TENON_REQUIRE(options.type >= 1 && options.type <= 4, TENON_ERROR_INVALID_ARGUMENT,
                "type is %d: cosine and sine transforms have types 1 to 4", options.type);
  check_options(options.direction, options.norm);
  const Dtype t = source.dtype();
  TENON_REQUIRE((t == TENON_FLOAT32 || t == TENON_FLOAT64) && destination.dtype() == t, TENON_ERROR_DTYPE,
                "the source is %s and the destination %s: both must be float32 or both float64", dtype_name(t).c_str(),
                dtype_name(destination.dtype()).c_str());
  const std::vector<int32_t> chosen = chosen_axes(source.rank(), axes, axis_count, "transformed");
  check_shapes(source, destination, FftKind::complex, chosen);
  Device& device = given ? given->device() : destination.device();
  Stream& stream = stream_or_default(given, device);
  require_on(source, device, "the source");
  require_on(destination, device, "the destination");
  require_writable(destination, "the destination");
  TENON_REQUIRE(
      overlap(destination, source) != Overlap::partial, TENON_ERROR_OVERLAP,
      "source and destination share memory but are not the same view: transform in place or into a separate array");
  const bool inverse = options.direction == TENON_FFT_DIRECTION_INVERSE;
  FftProblem p{};
  p.kind = options.sine ? FftKind::sine : FftKind::cosine;
  p.dtype = t == TENON_FLOAT32 ? TENON_COMPLEX64 : TENON_COMPLEX128;
  p.type = inverse && (options.type == 2 || options.type == 3) ? 5 - options.type : options.type;
  p.orthogonal = options.norm == TENON_FFT_NORM_ORTHO;
  double n = 1;
  for (int32_t i = 0; i < source.rank(); ++i) {
    const int64_t extent = source.shape()[i];
    const bool transformed = std::find(chosen.begin(), chosen.end(), i) != chosen.end();
    if (transformed) {
      TENON_REQUIRE(options.type != 1 || options.sine || extent > 1, TENON_ERROR_SHAPE,
                    "axis %d of shape %s has one element: a cosine transform of type 1 needs at least two", i,
                    shape_text(source.shape()).c_str());
      n *= 2 * double(options.type != 1 ? extent : options.sine ? extent + 1 : extent - 1);
    }
    if (extent > 1 || transformed)
      (transformed ? p.axes : p.batch).push_back({extent, destination.strides()[i], source.strides()[i]});
  }
  if (source.size() == 0) return;
  p.from = source.data();
  p.to = destination.data();
  p.scale = scale_for(n, inverse, options.norm);
  merge(p.batch);
  source.buffer().use(stream, false);
  destination.buffer().use(stream, true);
  device.run(p, stream);
}

void prepare_fft(const Array& source, Array& destination, const int32_t* axes, int32_t axis_count, int32_t direction,
                 int32_t norm) {
  rehearse(destination.device(),
           [&](Stream* stream) { fft(source, destination, axes, axis_count, direction, norm, stream); });
}

void prepare_dct(const Array& source, Array& destination, const int32_t* axes, int32_t axis_count,
                 const DctOptions& options) {
  rehearse(destination.device(), [&](Stream* stream) { dct(source, destination, axes, axis_count, options, stream); });
}

}  // namespace tenon::ops
