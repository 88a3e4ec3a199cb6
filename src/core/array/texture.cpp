// core/array/texture.cpp: textures: checking options, copies into and out of their memory.
#include "core/array/texture.hpp"
#include "core/array/copy.hpp"
#include "core/device/recording.hpp"

namespace tenon {
namespace {

void check_dtype(const TextureSpec& spec) {
  switch (spec.dtype) {
    case TENON_UINT8:
    case TENON_INT8:
    case TENON_UINT16:
    case TENON_INT16:
    case TENON_UINT32:
    case TENON_INT32:
    case TENON_FLOAT16:
    case TENON_FLOAT32: break;
    default:
      fail(TENON_ERROR_DTYPE, "texels cannot be %s: a texture has integers of 8, 16 or 32 bits, float16 or float32",
           dtype_name(spec.dtype).c_str());
  }
  TENON_REQUIRE(!spec.normalized_reads || (dtype_code(spec.dtype) <= 1 && dtype_bytes(spec.dtype) <= 2),
                TENON_ERROR_DTYPE,
                "normalized_reads with texels of %s: only integers of 8 and 16 bits are read as floats of [0, 1]",
                dtype_name(spec.dtype).c_str());
  TENON_REQUIRE(spec.filter == TENON_FILTER_POINT || spec.reads_floats(), TENON_ERROR_DTYPE,
                "a linear filter with texels of %s, which are read as integers: set normalized_reads, or use "
                "floating-point texels",
                dtype_name(spec.dtype).c_str());
}

void check_address(const TextureSpec& spec) {
  for (int i = 0; i < 3; ++i) {
    const int32_t mode = spec.address[size_t(i)];
    TENON_REQUIRE(mode >= TENON_ADDRESS_CLAMP && mode <= TENON_ADDRESS_BORDER, TENON_ERROR_INVALID_ARGUMENT,
                  "options->address_%c is %d: it must be one of TENON_ADDRESS_*", "xyz"[i], mode);
    TENON_REQUIRE(mode == TENON_ADDRESS_CLAMP || i < spec.dimensions, TENON_ERROR_INVALID_ARGUMENT,
                  "options->address_%c is %d, but the texture has %d dimension%s: it must be 0 (TENON_ADDRESS_CLAMP)",
                  "xyz"[i], mode, spec.dimensions, spec.dimensions == 1 ? "" : "s");
    TENON_REQUIRE(mode == TENON_ADDRESS_CLAMP || !spec.cube, TENON_ERROR_INVALID_ARGUMENT,
                  "options->address_%c is %d, but a cube map takes TENON_ADDRESS_CLAMP only", "xyz"[i], mode);
    TENON_REQUIRE((mode != TENON_ADDRESS_WRAP && mode != TENON_ADDRESS_MIRROR) || spec.normalized_coordinates,
                  TENON_ERROR_INVALID_ARGUMENT,
                  "options->address_%c is %d (wrap or mirror), which needs options->normalized_coordinates", "xyz"[i],
                  mode);
  }
  for (float channel : spec.border)
    TENON_REQUIRE(channel == 0 || spec.reads_floats(), TENON_ERROR_INVALID_ARGUMENT,
                  "options->border holds %g, but reads give integers: the border must be 0", double(channel));
}

bool flag(int32_t value, const char* name) {
  TENON_REQUIRE(value == 0 || value == 1, TENON_ERROR_INVALID_ARGUMENT, "options->%s is %d: it must be 0 or 1", name,
                value);
  return value == 1;
}

// Everything but the extents.
TextureSpec spec_from(const Array& source, const tenon_texture_options& o) {
  TextureSpec spec;
  spec.dtype = source.dtype();
  spec.layered = flag(o.layered, "layered");
  spec.cube = flag(o.cube, "cube");
  spec.normalized_coordinates = flag(o.normalized_coordinates, "normalized_coordinates") || spec.cube;
  spec.normalized_reads = flag(o.normalized_reads, "normalized_reads");
  spec.surface = flag(o.surface, "surface");
  spec.gather = flag(o.gather, "gather");
  spec.share = flag(o.share, "share");
  spec.filter = o.filter;
  TENON_REQUIRE(o.filter == TENON_FILTER_POINT || o.filter == TENON_FILTER_LINEAR, TENON_ERROR_INVALID_ARGUMENT,
                "options->filter is %d: it must be one of TENON_FILTER_*", o.filter);
  TENON_REQUIRE(o.channels == 0 || o.channels == 1 || o.channels == 2 || o.channels == 4, TENON_ERROR_INVALID_ARGUMENT,
                "options->channels is %d: a texel has 1, 2 or 4 channels (0: the source has no axis for them)",
                o.channels);
  spec.channels = o.channels ? o.channels : 1;
  const int32_t others = spec.layered + spec.cube + (o.channels != 0);
  spec.dimensions = o.dimensions ? o.dimensions : source.rank() - others;
  TENON_REQUIRE(o.dimensions >= 0 && o.dimensions <= 3, TENON_ERROR_INVALID_ARGUMENT,
                "options->dimensions is %d: it must be 1, 2 or 3, or 0 for the source's", o.dimensions);
  TENON_REQUIRE(
      spec.dimensions >= 1 && spec.dimensions <= 3 && source.rank() == spec.dimensions + others, TENON_ERROR_SHAPE,
      "the source of shape %s does not fit the options: its axes must be%s%s 1 to 3 dimensions (%d requested)%s",
      shape_text(source.shape()).c_str(), spec.layered ? " layers," : "", spec.cube ? " 6 faces," : "", o.dimensions,
      o.channels ? ", channels" : "");
  TENON_REQUIRE(!spec.layered || spec.dimensions < 3, TENON_ERROR_INVALID_ARGUMENT,
                "a texture of 3 dimensions has no layers");
  TENON_REQUIRE(!spec.cube || spec.dimensions == 2, TENON_ERROR_INVALID_ARGUMENT, "a cube map has 2 dimensions, not %d",
                spec.dimensions);
  TENON_REQUIRE(!spec.gather || (spec.dimensions == 2 && !spec.layered && !spec.cube), TENON_ERROR_INVALID_ARGUMENT,
                "options->gather is for textures of 2 dimensions, without layers and faces");
  TENON_REQUIRE(!spec.share || (spec.dimensions < 3 && !spec.layered && !spec.cube && !spec.surface && !spec.gather),
                TENON_ERROR_INVALID_ARGUMENT,
                "options->share is for textures of 1 or 2 dimensions, without layers, faces, surface and gather");
  TENON_REQUIRE(!spec.share || spec.dimensions == 2 ||
                    (spec.filter == TENON_FILTER_POINT && !spec.normalized_coordinates && !o.address_x),
                TENON_ERROR_INVALID_ARGUMENT,
                "a texture of 1 dimension that shares memory is read by tex1Dfetch only: without a filter, "
                "normalized_coordinates and address_x");
  spec.address = {o.address_x, o.address_y, o.address_z};
  std::copy(o.border, o.border + 4, spec.border.begin());
  check_dtype(spec);
  check_address(spec);
  return spec;
}

// The limits of every device since compute capability 7.5, so that all devices take the same textures.
struct Limits {
  int64_t width, height, depth, layers;
};
Limits limits_of(const TextureSpec& spec) {
  if (spec.share) return spec.dimensions == 1 ? Limits{1 << 28, 1, 1, 1} : Limits{131072, 65000, 1, 1};
  if (spec.cube) return {32768, 32768, 1, spec.layered ? 2046 : 6};
  if (spec.dimensions == 3) return {16384, 16384, 16384, 1};
  if (spec.layered) return {32768, 32768, 1, 2048};
  if (spec.gather) return {32768, 32768, 1, 1};
  if (spec.dimensions == 1) return {spec.surface ? 32768 : 131072, 1, 1, 1};
  return {131072, 65536, 1, 1};
}

void check_extent(const char* what, int64_t extent, int64_t limit, const Array& source) {
  TENON_REQUIRE(extent >= 1 && extent <= limit, TENON_ERROR_SHAPE,
                "the source of shape %s gives the texture a %s of %lld: it must be 1 to %lld",
                shape_text(source.shape()).c_str(), what, static_cast<long long>(extent),
                static_cast<long long>(limit));
}

TextureSpec read_options(const Array& source, const tenon_texture_options& options) {
  TextureSpec spec = spec_from(source, options);
  const Dims& shape = source.shape();
  int32_t axis = 0;
  if (spec.layered) spec.layers = shape[axis++];
  if (spec.cube) {
    TENON_REQUIRE(shape[axis] == 6, TENON_ERROR_SHAPE, "axis %d of a cube map's source of shape %s must have 6 faces",
                  axis, shape_text(shape).c_str());
    check_extent("number of layers", spec.layers, limits_of(spec).layers / 6, source);
    spec.layers *= shape[axis++];
  }
  if (spec.dimensions > 2) spec.depth = shape[axis++];
  if (spec.dimensions > 1) spec.height = shape[axis++];
  spec.width = shape[axis++];
  if (options.channels)
    TENON_REQUIRE(shape[axis] == spec.channels, TENON_ERROR_SHAPE,
                  "the last axis of the source of shape %s must have the %d channels requested",
                  shape_text(shape).c_str(), spec.channels);
  const Limits limits = limits_of(spec);
  check_extent("width", spec.width, limits.width, source);
  check_extent("height", spec.height, limits.height, source);
  check_extent("depth", spec.depth, limits.depth, source);
  check_extent("number of layers", spec.layers, limits.layers, source);
  TENON_REQUIRE(!spec.cube || spec.width == spec.height, TENON_ERROR_SHAPE,
                "the faces of a cube map are squares, but the source's shape is %s", shape_text(shape).c_str());
  return spec;
}

// The rows of an array that a texture of 1 or 2 dimensions can share.
SharedTexels shared_texels(const Array& source, const TextureSpec& spec) {
  const int32_t rows = spec.dimensions - 1;  // the axis of the width
  int64_t step = 1;                          // from one element to the next along what must be dense
  for (int32_t axis = source.rank() - 1; axis >= rows; --axis) {
    TENON_REQUIRE(source.strides()[axis] == step || source.shape()[axis] == 1, TENON_ERROR_LAYOUT,
                  "a texture cannot share an array of strides %s: the elements of a row must be next to each other; "
                  "pass a contiguous copy",
                  shape_text(source.strides()).c_str());
    step *= source.shape()[axis];
  }
  uint64_t pitch = spec.row_bytes();
  if (rows && spec.height > 1) {
    const int64_t stride = source.strides()[0];
    TENON_REQUIRE(stride >= step, TENON_ERROR_LAYOUT,
                  "a texture cannot share an array of strides %s: each row must begin behind the one before it",
                  shape_text(source.strides()).c_str());
    pitch = uint64_t(stride) * dtype_bytes(spec.dtype);
  }
  return {source.data(), pitch};
}

// Copies between a texture and arrays are not part of graphs: the driver's copies of arrays are no step of them.
void require_outside_graphs(Stream& stream, const char* what) {
  require_running(stream, what);
  TENON_REQUIRE(!stream.capturing(), TENON_ERROR_UNSUPPORTED,
                "the stream is being captured into a graph, and %s: do it before the capture", what);
}

void delete_resource(void* user) { delete static_cast<TextureResource*>(user); }

}  // namespace

std::unique_ptr<TextureResource> Device::make_texture(const TextureSpec&, const SharedTexels*) {
  fail(TENON_ERROR_UNSUPPORTED, "%s has no textures", name_.c_str());
}

Ref<Texture> Texture::create(const Array& source, const tenon_texture_options& options, Stream* given) {
  auto texture = Ref<Texture>::adopt(new Texture(read_options(source, options), source.shape()));
  const TextureSpec& spec = texture->spec_;
  Device& device = source.device();
  Stream& stream = stream_or_default(given, device);
  require_outside_graphs(stream, "a texture cannot be created in a graph");
  SharedTexels texels{};
  if (spec.share) texels = shared_texels(source, spec);
  std::unique_ptr<TextureResource> resource = device.make_texture(spec, spec.share ? &texels : nullptr);
  texture->resource_ = resource.get();
  // An address of the host stands for memory that has none.
  texture->token_ = Buffer::wrap(device, resource.get(), spec.bytes(), TENON_MEMORY_DEVICE, !spec.surface);
  texture->token_->track();
  texture->token_->take_over(delete_resource, resource.release());
  if (spec.share) texture->shared_ = Ref<const Array>(&source);
  else texture->copy_from(source, stream);
  return texture;
}

void Texture::copy_from(const Array& source, Stream& stream) const {
  const Ref<Array> dense = contiguous(source, stream);
  token_->use(stream, true);
  dense->buffer().use(stream, false);
  resource_->upload(dense->data(), stream);
}

void Texture::update(const Array& source, Stream* given) {
  TENON_REQUIRE(!shared_, TENON_ERROR_INVALID_ARGUMENT,
                "the texture shares the memory of an array: write to the array instead of updating the texture");
  TENON_REQUIRE(source.dtype() == spec_.dtype, TENON_ERROR_DTYPE, "source is %s, but the texture was made from %s",
                dtype_name(source.dtype()).c_str(), dtype_name(spec_.dtype).c_str());
  TENON_REQUIRE(source.shape() == shape_, TENON_ERROR_SHAPE, "source has shape %s, but the texture was made from %s",
                shape_text(source.shape()).c_str(), shape_text(shape_).c_str());
  require_on(source, device(), "source");
  Stream& stream = stream_or_default(given, device());
  require_outside_graphs(stream, "a texture cannot be updated in a graph");
  copy_from(source, stream);
}

void Texture::read(Array& to, Stream& stream) const {
  require_outside_graphs(stream, "a texture cannot be read in a graph");
  if (shared_) return copy(to, *shared_, &stream);
  token_->use(stream, false);
  to.buffer().use(stream, true);
  resource_->download(to.data(), stream);
}

}  // namespace tenon
