// tool/png.cpp: images as arrays of uint8, by libpng.
#include "array_file.hpp"
#ifdef TENON_TOOL_PNG
#include <png.h>
#endif

namespace tool {

#ifdef TENON_TOOL_PNG
HostArray decode_png(const std::string& bytes, const std::string& name) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()))
    throw Failure(kFailed, name + " is no PNG that can be read: " + image.message);
  image.format &= PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA;  // 8 bits, no palette
  HostArray out;
  out.dtype = TENON_UINT8;
  out.shape = {int64_t(image.height), int64_t(image.width)};
  const uint64_t channels = PNG_IMAGE_SAMPLE_CHANNELS(image.format);
  if (channels > 1) out.shape.push_back(int64_t(channels));
  if (uint64_t(image.height) * image.width * channels > uint64_t(1) << 32) {
    png_image_free(&image);
    throw Failure(kFailed, name + " is too large");
  }
  out.bytes.resize(PNG_IMAGE_SIZE(image));
  if (!png_image_finish_read(&image, nullptr, out.bytes.data(), 0, nullptr))
    throw Failure(kFailed, name + " is no PNG that can be read: " + image.message);
  return out;
}

std::string encode_png(const HostArray& array, const std::string& name) {
  const size_t rank = array.shape.size();
  const int64_t channels = rank == 3 ? array.shape[2] : 1;
  if (array.dtype != TENON_UINT8 || rank < 2 || rank > 3 || channels < 1 || channels > 4 || array.shape[0] < 1 ||
      array.shape[1] < 1 || array.shape[0] > 1 << 20 || array.shape[1] > 1 << 20)
    throw Failure(kFailed, name + " cannot be written: an image has rows, columns and perhaps 1 to 4 channels, and this array is " +
                               tenon_dtype_name(array.dtype) + ", " + shape_text(array.shape));
  constexpr uint32_t kFormats[] = {PNG_FORMAT_GRAY, PNG_FORMAT_GA, PNG_FORMAT_RGB, PNG_FORMAT_RGBA};
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.height = uint32_t(array.shape[0]);
  image.width = uint32_t(array.shape[1]);
  image.format = kFormats[channels - 1];
  png_alloc_size_t size = 0;
  std::string out;
  if (png_image_write_get_memory_size(image, size, 0, array.bytes.data(), 0, nullptr)) {
    out.resize(size);
    if (png_image_write_to_memory(&image, out.data(), &size, 0, array.bytes.data(), 0, nullptr)) {
      out.resize(size);
      return out;
    }
  }
  throw Failure(kFailed, name + " cannot be written: " + image.message);
}
#else
HostArray decode_png(const std::string&, const std::string& name) {
  throw Failure(kMissing, name + ": this command was built without libpng, which reads images: give .npy");
}
std::string encode_png(const HostArray&, const std::string& name) {
  throw Failure(kMissing, name + ": this command was built without libpng, which writes images: write .npy");
}
#endif

}  // namespace tool
