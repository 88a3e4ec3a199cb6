// api/texture.cpp: textures and surfaces.
#include "core/array/texture.hpp"
#include "api/guard.hpp"

using namespace tenon;
using namespace tenon::api;

int32_t tenon_texture_create(const tenon_array* source, const tenon_texture_options* options, tenon_stream* stream,
                             tenon_texture** out_texture) {
  return guard([&] {
    Out out(out_texture, "out_texture");
    const Array& array = get(source, "source");
    if (const int32_t status = lost(array.device())) return status;
    out.set(Texture::create(array, options_from(options, "options"), get_or_null(stream, "stream")));
    return TENON_OK;
  });
}
int32_t tenon_texture_update(tenon_texture* texture, const tenon_array* source, tenon_stream* stream) {
  return guard([&] {
    Texture& self = get(texture, "texture");
    if (const int32_t status = lost(self.device())) return status;
    self.update(get(source, "source"), get_or_null(stream, "stream"));
    return TENON_OK;
  });
}
int32_t tenon_texture_read(const tenon_texture* texture, tenon_stream* stream, tenon_array** out_array) {
  return guard([&] {
    InOut out(out_array, "out_array");
    const Texture& self = get(texture, "texture");
    if (const int32_t status = lost(self.device())) return status;
    Stream& on = stream_or_default(get_or_null(stream, "stream"), self.device());
    out.check(self.spec().dtype, self.shape(), self.device(), {});
    const Ref<Array> result = Array::create(self.device(), self.spec().dtype, self.shape(), on);
    self.read(*result, on);
    out.set(out.deliver(result, on));
    return TENON_OK;
  });
}
int32_t tenon_texture_get_info(const tenon_texture* texture, tenon_texture_info* out_info) {
  return guard([&] {
    const Texture& self = get(texture, "texture");
    const TextureSpec& spec = self.spec();
    tenon_texture_info info{};
    info.dtype = spec.dtype;
    info.dimensions = spec.dimensions;
    info.channels = spec.channels;
    info.layered = spec.layered;
    info.cube = spec.cube;
    info.surface = spec.surface;
    info.shared = spec.share;
    info.width = spec.width;
    info.height = spec.height;
    info.depth = spec.depth;
    info.layers = spec.layers;
    info.texture_object = self.object(false);
    info.surface_object = self.object(true);
    info_to(out_info, info, "out_info");
  });
}
int32_t tenon_texture_device(const tenon_texture* texture, tenon_device** out_device) {
  return give_device(out_device, [&]() -> Device& { return get(texture, "texture").device(); });
}
int32_t tenon_texture_retain(const tenon_texture* texture) { return retain(texture); }
void tenon_texture_release(tenon_texture* texture) { release(texture); }
