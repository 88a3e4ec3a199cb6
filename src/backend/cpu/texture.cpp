// backend/cpu/texture.cpp: textures in host memory, described for the functions of shim/texture/tenon_texture.h.
#include "core/array/texture.hpp"
#include <cstring>
#include "backend/cpu/device.hpp"
#include "backend/cpu/shim/language/tenon_abi.h"

namespace tenon::cpu {
namespace {

unsigned format_of(Dtype dtype) {
  switch (dtype) {
    case TENON_UINT8: return TENON_TEXEL_U8;
    case TENON_UINT16: return TENON_TEXEL_U16;
    case TENON_UINT32: return TENON_TEXEL_U32;
    case TENON_INT8: return TENON_TEXEL_S8;
    case TENON_INT16: return TENON_TEXEL_S16;
    case TENON_INT32: return TENON_TEXEL_S32;
    case TENON_FLOAT16: return TENON_TEXEL_F16;
    default: return TENON_TEXEL_F32;
  }
}

class CpuTexture final : public TextureResource {
 public:
  CpuTexture(const TextureSpec& spec, const SharedTexels* shared) : bytes_(spec.bytes()) {
    if (!shared) memory_ = std::make_unique_for_overwrite<Line[]>((bytes_ + sizeof(Line) - 1) / sizeof(Line));
    tenon_texels& t = texels_;
    t.data = static_cast<unsigned char*>(shared ? shared->data : memory_.get());
    t.width = int(spec.width);
    t.height = int(spec.height);
    t.depth = int(spec.depth);
    t.layers = int(spec.layers);
    t.texel_bytes = spec.texel_bytes();
    t.row = shared ? shared->pitch : spec.row_bytes();
    t.slice = t.row * uint64_t(spec.height);
    t.layer = t.slice * uint64_t(spec.depth);
    t.format = format_of(spec.dtype);
    t.channels = unsigned(spec.channels);
    t.normalized_coordinates = spec.normalized_coordinates;
    t.normalized_reads = spec.normalized_reads;
    t.linear = spec.filter == TENON_FILTER_LINEAR;
    t.gather = spec.gather;
    for (size_t i = 0; i < 3; ++i) t.address[i] = unsigned(spec.address[i]);
    std::memcpy(t.border, spec.border.data(), sizeof t.border);
    t.what = unsigned(spec.dimensions) | (spec.layered ? TENON_TEXELS_LAYERED : 0) |
             (spec.cube ? TENON_TEXELS_CUBE : 0) | (shared && spec.dimensions == 1 ? TENON_TEXELS_FETCH : 0);
    surface_ = texels_;
    surface_.what |= TENON_TEXELS_SURFACE;
    is_surface_ = spec.surface;
  }
  uint64_t texture_object() const override { return reinterpret_cast<uintptr_t>(&texels_); }
  uint64_t surface_object() const override { return is_surface_ ? reinterpret_cast<uintptr_t>(&surface_) : 0; }
  void upload(const void* from, Stream& stream) override {
    const CpuStream::Turn turn = cpu_stream(stream).start();
    std::memcpy(texels_.data, from, bytes_);
  }
  void download(void* to, Stream& stream) override {
    const CpuStream::Turn turn = cpu_stream(stream).start();
    std::memcpy(to, texels_.data, bytes_);
  }

 private:
  struct alignas(64) Line {
    unsigned char bytes[64];
  };
  const uint64_t bytes_;
  std::unique_ptr<Line[]> memory_;
  bool is_surface_;
  tenon_texels texels_{}, surface_{};
};

}  // namespace

std::unique_ptr<TextureResource> CpuDevice::make_texture(const TextureSpec& spec, const SharedTexels* shared) {
  return std::make_unique<CpuTexture>(spec, shared);
}

}  // namespace tenon::cpu
