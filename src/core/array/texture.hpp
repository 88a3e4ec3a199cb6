// core/array/texture.hpp: textures and surfaces: what they are, their memory, and what a device makes of them.
#pragma once
#include <tenon/texture.h>
#include <array>
#include "core/array/array.hpp"

namespace tenon {

// What a texture is; checked.
struct TextureSpec {
  Dtype dtype = 0;  // of a channel
  int32_t dimensions = 0;
  int32_t channels = 1;
  bool layered = false, cube = false;
  bool normalized_coordinates = false, normalized_reads = false;
  bool surface = false, gather = false, share = false;
  int32_t filter = TENON_FILTER_POINT;
  std::array<int32_t, 3> address{};  // TENON_ADDRESS_*
  std::array<float, 4> border{};
  int64_t width = 1, height = 1, depth = 1;  // texels
  int64_t layers = 1;                        // layers times faces

  uint32_t texel_bytes() const { return dtype_bytes(dtype) * uint32_t(channels); }
  uint64_t row_bytes() const { return uint64_t(width) * texel_bytes(); }
  uint64_t bytes() const { return row_bytes() * uint64_t(height) * uint64_t(depth) * uint64_t(layers); }
  bool reads_floats() const { return normalized_reads || dtype == TENON_FLOAT16 || dtype == TENON_FLOAT32; }
};

// A device's part: its memory, unless it shares an array's, and its objects. The destructor ends them; all work with
// them is over then.
class TextureResource {
 public:
  virtual ~TextureResource() = default;
  virtual uint64_t texture_object() const = 0;
  virtual uint64_t surface_object() const = 0;  // 0: not a surface
  // Between its own memory and elements in C order on the device; `stream` is ordered behind the users of both.
  virtual void upload(const void* from, Stream& stream) = 0;
  virtual void download(void* to, Stream& stream) = 0;
};

// Memory for a texture to share: rows of texels, `pitch` bytes apart.
struct SharedTexels {
  void* data;
  uint64_t pitch;
};

class Texture final : public Object {
 public:
  static Ref<Texture> create(const Array& source, const tenon_texture_options& options, Stream* stream);

  Device& device() const { return token_->device(); }
  const TextureSpec& spec() const { return spec_; }
  const Dims& shape() const { return shape_; }  // of the first source
  uint64_t object(bool surface) const { return surface ? resource_->surface_object() : resource_->texture_object(); }
  void update(const Array& source, Stream* stream);
  // Into an array of dtype and shape of the source, dense in C order.
  void read(Array& to, Stream& stream) const;
  // What a launch uses: the buffer that keeps the memory and the objects until all work with them is over, and, for
  // shared memory, the array's (else NULL).
  Buffer& token() const { return *token_; }
  Buffer* shared() const { return shared_ ? &shared_->buffer() : nullptr; }

 private:
  Texture(TextureSpec spec, Dims shape) : spec_(spec), shape_(std::move(shape)) {}
  void copy_from(const Array& source, Stream& stream) const;

  const TextureSpec spec_;
  const Dims shape_;
  Ref<Buffer> token_;
  Ref<const Array> shared_;
  TextureResource* resource_ = nullptr;  // the token's
};

}  // namespace tenon
