// tool/files/png.cpp: pictures as arrays of uint8 or uint16, by libpng: the numbers in the file, whatever gamma it
// specifies.
#include <algorithm>
#include <cstring>
#include "tool/files/array_file.hpp"
#ifdef TENON_TOOL_PNG
#include <png.h>
#include <csetjmp>
#endif

namespace tool {

#ifdef TENON_TOOL_PNG
namespace {

// Files store the channels of a pixel next to each other, arrays store planes. to_planes: converts from the file's
// order.
std::string rearranged(const std::string& from, size_t pixels, size_t channels, size_t item, bool to_planes) {
  std::string out(from.size(), '\0');
  for (size_t c = 0; c < channels; ++c)
    for (size_t i = 0; i < pixels; ++i) {
      const size_t plane = (c * pixels + i) * item, pixel = (i * channels + c) * item;
      std::memcpy(out.data() + (to_planes ? plane : pixel), from.data() + (to_planes ? pixel : plane), item);
    }
  return out;
}

// libpng ends a failed call by longjmp: the functions below that call setjmp must not own anything with a destructor.
struct Work {
  png_structp png = nullptr;
  png_infop info = nullptr;
  std::string message, bytes;  // bytes: the part of the file that has been read or written
  size_t at = 0;
  std::string pixels;
  std::vector<png_bytep> rows;
  ~Work() {
    if (reading) png_destroy_read_struct(&png, &info, nullptr);
    else png_destroy_write_struct(&png, &info);
  }
  explicit Work(bool reading) : reading(reading) {
    png = reading ? png_create_read_struct(PNG_LIBPNG_VER_STRING, this, failed, ignored)
                  : png_create_write_struct(PNG_LIBPNG_VER_STRING, this, failed, ignored);
    info = png ? png_create_info_struct(png) : nullptr;
    if (!info) throw std::bad_alloc();
  }
  Work(const Work&) = delete;
  void point_rows(size_t height) {
    for (size_t i = 0; i < height; ++i)
      rows.push_back(reinterpret_cast<png_bytep>(pixels.data()) + i * (pixels.size() / height));
  }

  static void failed(png_structp png, png_const_charp text) {
    static_cast<Work*>(png_get_error_ptr(png))->message = text;
    std::longjmp(png_jmpbuf(png), 1);
  }
  static void ignored(png_structp, png_const_charp) {}
  static void read(png_structp png, png_bytep to, size_t count) {
    Work& self = *static_cast<Work*>(png_get_io_ptr(png));
    if (count > self.bytes.size() - self.at) png_error(png, "the file is truncated");
    std::memcpy(to, self.bytes.data() + self.at, count);
    self.at += count;
  }
  static void write(png_structp png, png_bytep from, size_t count) {
    static_cast<Work*>(png_get_io_ptr(png))->bytes.append(reinterpret_cast<const char*>(from), count);
  }
  static void flush(png_structp) {}
  const bool reading;
};

bool read_header(Work& work) {
  if (setjmp(png_jmpbuf(work.png))) return false;
  png_set_read_fn(work.png, &work, Work::read);
  png_read_info(work.png, work.info);
  png_set_expand(work.png);  // palettes to colours, fewer bits to 8, a transparent colour to alpha
  png_set_swap(work.png);    // 16-bit numbers to this machine's byte order
  png_set_interlace_handling(work.png);
  png_read_update_info(work.png, work.info);
  return true;
}

bool read_rows(Work& work) {
  if (setjmp(png_jmpbuf(work.png))) return false;
  png_read_image(work.png, work.rows.data());
  png_read_end(work.png, nullptr);
  return true;
}

bool write_rows(Work& work, uint32_t width, uint32_t height, int bits, int colours) {
  if (setjmp(png_jmpbuf(work.png))) return false;
  png_set_write_fn(work.png, &work, Work::write, Work::flush);
  png_set_IHDR(work.png, work.info, width, height, bits, colours, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  png_write_info(work.png, work.info);
  png_set_swap(work.png);
  png_write_image(work.png, work.rows.data());
  png_write_end(work.png, nullptr);
  return true;
}

}  // namespace

HostArray decode_png(const std::string& bytes, const std::string& name) {
  const auto refuse = [&](const std::string& why) { throw Failure(kFailed, name + " cannot be read as PNG: " + why); };
  if (bytes.size() < 8 || png_sig_cmp(reinterpret_cast<png_const_bytep>(bytes.data()), 0, 8) != 0)
    refuse("it does not begin with the signature of PNG files");
  Work work(true);
  work.bytes = bytes;
  if (!read_header(work)) refuse(work.message);
  const uint64_t height = png_get_image_height(work.png, work.info), width = png_get_image_width(work.png, work.info);
  const uint64_t channels = png_get_channels(work.png, work.info), item = png_get_bit_depth(work.png, work.info) / 8;
  if (height * width * channels > uint64_t(1) << 32) refuse("it is too large");
  work.pixels.resize(height * width * channels * item);
  work.point_rows(height);
  if (!read_rows(work)) refuse(work.message);
  HostArray out;
  out.dtype = item == 2 ? TENON_UINT16 : TENON_UINT8;
  if (channels > 1) out.shape.push_back(int64_t(channels));
  out.shape.insert(out.shape.end(), {int64_t(height), int64_t(width)});
  out.bytes = channels > 1 ? rearranged(work.pixels, height * width, channels, item, true) : std::move(work.pixels);
  return out;
}

std::string encode_png(const HostArray& array, const std::string& name) {
  const size_t rank = array.shape.size();
  const int64_t channels = rank == 3 ? array.shape[0] : 1, height = rank >= 2 ? array.shape[rank - 2] : 0,
                width = rank >= 2 ? array.shape[rank - 1] : 0;
  const bool wide = array.dtype == TENON_UINT16;
  if ((array.dtype != TENON_UINT8 && !wide) || rank > 3 || channels < 1 || channels > 4 || height < 1 || width < 1 ||
      height > 1 << 20 || width > 1 << 20)
    throw Failure(
        kFailed,
        name +
            " cannot be written: a picture needs rows and columns, optionally preceded by 1 to 4 channels, but this "
            "array is " +
            tenon_dtype_name(array.dtype) + ", " + shape_text(array.shape));
  constexpr int kColours[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                              PNG_COLOR_TYPE_RGB_ALPHA};
  Work work(false);
  work.pixels = rearranged(array.bytes, size_t(height * width), size_t(channels), wide ? 2 : 1, false);
  work.point_rows(size_t(height));
  if (!write_rows(work, uint32_t(width), uint32_t(height), wide ? 16 : 8, kColours[channels - 1]))
    throw Failure(kFailed, name + " cannot be written: " + work.message);
  return std::move(work.bytes);
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
