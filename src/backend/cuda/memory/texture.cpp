// backend/cuda/memory/texture.cpp: textures and surfaces as the driver's arrays and objects.
#include "core/array/texture.hpp"
#include "backend/cuda/device.hpp"

namespace tenon::cuda {
namespace {

int format_of(Dtype dtype) {
  switch (dtype) {
    case TENON_UINT8: return CU_AD_FORMAT_UNSIGNED_INT8;
    case TENON_UINT16: return CU_AD_FORMAT_UNSIGNED_INT16;
    case TENON_UINT32: return CU_AD_FORMAT_UNSIGNED_INT32;
    case TENON_INT8: return CU_AD_FORMAT_SIGNED_INT8;
    case TENON_INT16: return CU_AD_FORMAT_SIGNED_INT16;
    case TENON_INT32: return CU_AD_FORMAT_SIGNED_INT32;
    case TENON_FLOAT16: return CU_AD_FORMAT_HALF;
    default: return CU_AD_FORMAT_FLOAT;
  }
}

int mode_of(int32_t address) {
  switch (address) {
    case TENON_ADDRESS_WRAP: return CU_TR_ADDRESS_MODE_WRAP;
    case TENON_ADDRESS_MIRROR: return CU_TR_ADDRESS_MODE_MIRROR;
    case TENON_ADDRESS_BORDER: return CU_TR_ADDRESS_MODE_BORDER;
    default: return CU_TR_ADDRESS_MODE_CLAMP;
  }
}

CUDA_ARRAY3D_DESCRIPTOR descriptor_of(const TextureSpec& spec) {
  CUDA_ARRAY3D_DESCRIPTOR out{};
  out.Width = size_t(spec.width);
  out.Height = spec.dimensions > 1 ? size_t(spec.height) : 0;
  out.Depth = spec.dimensions > 2 ? size_t(spec.depth) : spec.layered || spec.cube ? size_t(spec.layers) : 0;
  out.Format = format_of(spec.dtype);
  out.NumChannels = unsigned(spec.channels);
  out.Flags =
      unsigned((spec.layered ? CUDA_ARRAY3D_LAYERED : 0) | (spec.cube ? CUDA_ARRAY3D_CUBEMAP : 0) |
               (spec.surface ? CUDA_ARRAY3D_SURFACE_LDST : 0) | (spec.gather ? CUDA_ARRAY3D_TEXTURE_GATHER : 0));
  return out;
}

CUDA_TEXTURE_DESC reads_of(const TextureSpec& spec) {
  CUDA_TEXTURE_DESC out{};
  for (int i = 0; i < 3; ++i) out.addressMode[i] = mode_of(spec.address[size_t(i)]);
  out.filterMode = spec.filter == TENON_FILTER_LINEAR ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT;
  out.flags = unsigned((spec.reads_floats() ? 0 : CU_TRSF_READ_AS_INTEGER) |
                       (spec.normalized_coordinates ? CU_TRSF_NORMALIZED_COORDINATES : 0));
  for (size_t i = 0; i < 4; ++i) out.borderColor[i] = spec.border[i];
  return out;
}

class CudaTexture final : public TextureResource {
 public:
  CudaTexture(CudaDevice& device, const TextureSpec& spec, const SharedTexels* shared) : device_(device), spec_(spec) {
    const Driver& driver = device_.driver();
    const RelaxedMode relaxed(driver);
    Scope scope = device_.activate();
    try {
      const CUDA_RESOURCE_DESC resource = shared ? shared_resource(*shared) : own_resource();
      const CUDA_TEXTURE_DESC reads = reads_of(spec);
      device_.check(driver.cuTexObjectCreate(&texture_, &resource, &reads, nullptr), "cuTexObjectCreate");
      if (spec.surface) device_.check(driver.cuSurfObjectCreate(&surface_, &resource), "cuSurfObjectCreate");
    } catch (...) {
      destroy();
      throw;
    }
  }
  ~CudaTexture() override {
    if (!device_.usable()) return;
    const RelaxedMode relaxed(device_.table());
    Scope scope = device_.try_activate();
    destroy();
  }
  uint64_t texture_object() const override { return texture_; }
  uint64_t surface_object() const override { return surface_; }
  void upload(const void* from, Stream& stream) override {
    CUDA_MEMCPY3D job = job_of_all();
    job.srcMemoryType = CU_MEMORYTYPE_UNIFIED;
    job.srcDevice = address(from);
    job.srcPitch = spec_.row_bytes();
    job.srcHeight = size_t(spec_.height);
    job.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    job.dstArray = array_;
    copy(job, stream);
  }
  void download(void* to, Stream& stream) override {
    CUDA_MEMCPY3D job = job_of_all();
    job.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    job.srcArray = array_;
    job.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
    job.dstDevice = address(to);
    job.dstPitch = spec_.row_bytes();
    job.dstHeight = size_t(spec_.height);
    copy(job, stream);
  }

 private:
  CUDA_MEMCPY3D job_of_all() const {
    CUDA_MEMCPY3D job{};
    job.WidthInBytes = spec_.row_bytes();
    job.Height = size_t(spec_.height);
    job.Depth = size_t(spec_.depth * spec_.layers);
    return job;
  }
  void copy(const CUDA_MEMCPY3D& job, Stream& stream) {
    const Driver& driver = device_.driver();
    Scope scope = device_.activate();
    device_.check(driver.cuMemcpy3DAsync(&job, handle_of(stream)), "cuMemcpy3DAsync");
  }
  CUDA_RESOURCE_DESC own_resource() {
    const Driver& driver = device_.driver();
    const CUDA_ARRAY3D_DESCRIPTOR descriptor = descriptor_of(spec_);
    CUresult result = driver.cuArray3DCreate(&array_, &descriptor);
    if (result == CUDA_ERROR_OUT_OF_MEMORY) {  // the pool may hold what the driver lacks
      array_ = nullptr;
      device_.trim(0);
      result = driver.cuArray3DCreate(&array_, &descriptor);
    }
    if (result == CUDA_ERROR_OUT_OF_MEMORY)
      fail(TENON_ERROR_OUT_OF_MEMORY, "%s has no memory for a texture of %llu bytes", device_.name().c_str(),
           static_cast<unsigned long long>(spec_.bytes()));
    device_.check(result, "cuArray3DCreate");
    CUDA_RESOURCE_DESC out{};
    out.resType = CU_RESOURCE_TYPE_ARRAY;
    out.res.array.hArray = array_;
    return out;
  }
  int attribute(int which) {
    int value = 0;
    device_.check(device_.driver().cuDeviceGetAttribute(&value, which, device_.handle()), "cuDeviceGetAttribute");
    return value > 0 ? value : 1;
  }
  CUDA_RESOURCE_DESC shared_resource(const SharedTexels& shared) {
    const uint64_t alignment = uint64_t(attribute(CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT));
    TENON_REQUIRE(address(shared.data) % alignment == 0, TENON_ERROR_LAYOUT,
                  "a texture on %s can share memory at multiples of %llu bytes, but the array begins at %p: pass a "
                  "copy, or create the texture without share",
                  device_.name().c_str(), static_cast<unsigned long long>(alignment), shared.data);
    CUDA_RESOURCE_DESC out{};
    if (spec_.dimensions == 1) {
      out.resType = CU_RESOURCE_TYPE_LINEAR;
      out.res.linear = {address(shared.data), format_of(spec_.dtype), unsigned(spec_.channels),
                        size_t(spec_.row_bytes())};
      return out;
    }
    const uint64_t step = uint64_t(attribute(CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT));
    // A single row has any pitch.
    const uint64_t pitch = spec_.height == 1 ? (shared.pitch + step - 1) / step * step : shared.pitch;
    TENON_REQUIRE(pitch % step == 0, TENON_ERROR_LAYOUT,
                  "a texture on %s can share rows that are a multiple of %llu bytes apart, but these are %llu apart: "
                  "pad them, or create the texture without share",
                  device_.name().c_str(), static_cast<unsigned long long>(step),
                  static_cast<unsigned long long>(shared.pitch));
    out.resType = CU_RESOURCE_TYPE_PITCH2D;
    out.res.pitch2D = {address(shared.data), format_of(spec_.dtype), unsigned(spec_.channels),
                       size_t(spec_.width),  size_t(spec_.height),   size_t(pitch)};
    return out;
  }
  void destroy() noexcept {
    const Driver& driver = device_.table();
    if (surface_) device_.note(driver.cuSurfObjectDestroy(surface_));
    if (texture_) device_.note(driver.cuTexObjectDestroy(texture_));
    if (array_) device_.note(driver.cuArrayDestroy(array_));
  }

  CudaDevice& device_;
  const TextureSpec spec_;
  CUarray array_ = nullptr;
  CUtexObject texture_ = 0;
  CUsurfObject surface_ = 0;
};

}  // namespace

std::unique_ptr<TextureResource> CudaDevice::make_texture(const TextureSpec& spec, const SharedTexels* shared) {
  return std::make_unique<CudaTexture>(*this, spec, shared);
}

}  // namespace tenon::cuda
