// kernel/arguments.cpp: which argument fits which parameter, and which geometry fits the device.
#include "kernel/arguments.hpp"
#include <cstring>
#include "kernel/source/signature.hpp"

namespace tenon {

namespace {

// The position of an argument, for messages.
struct ArgumentPosition {
  const Kernel& kernel;
  size_t index;
  const Parameter& parameter;

  [[noreturn]] void refuse(int32_t status, const std::string& why) const {
    fail(status, "%s: %s", text().c_str(), why.c_str());
  }
  std::string text() const {
    const std::string& name = kernel.parameter_name(index);
    return "argument " + std::to_string(index) + (name.empty() ? "" : " (" + name + ")") + " of " + kernel.name();
  }
  std::string takes() const { return "the kernel takes " + parameter_text(parameter); }
};

std::string kind_text(const CallArgument& argument) {
  switch (argument.kind) {
    case TENON_ARG_ARRAY: return "an array";
    case TENON_ARG_SCALAR: return "a scalar of " + dtype_name(argument.dtype);
    case TENON_ARG_POINTER: return "a raw pointer";
    case TENON_ARG_BYTES: return std::to_string(argument.size) + " bytes of a struct";
    case TENON_ARG_STRIDED: return "a strided array";
    case TENON_ARG_TEXTURE: return "a texture";
    case TENON_ARG_SURFACE: return "a surface";
    default: return "of the unknown kind " + std::to_string(argument.kind);
  }
}

Dtype unsigned_of(Dtype dtype) { return (dtype & 0xff) == 0 ? dtype | 1 : dtype; }

bool same_enumeration(const Parameter& parameter, Dtype dtype) {
  return parameter.enumeration && dtype_code(dtype) <= 1 && unsigned_of(parameter.dtype) == unsigned_of(dtype);
}

bool is_pair_of(Dtype pair, Dtype complex) {
  return (complex == TENON_COMPLEX64 && pair == TENON_DTYPE(2, 32, 2)) ||
         (complex == TENON_COMPLEX128 && pair == TENON_DTYPE(2, 64, 2));
}

// The table in tenon/kernel.h. A pointer to a struct accepts arrays of bytes.
bool pointer_takes(const Parameter& parameter, Dtype dtype) {
  if (parameter.any_dtype) return true;
  if (parameter.dtype == 0) return parameter.element_size && (dtype == TENON_UINT8 || dtype == TENON_INT8);
  return parameter.dtype == dtype || (dtype_lanes(parameter.dtype) > 1 && dtype_lane(parameter.dtype) == dtype) ||
         is_pair_of(parameter.dtype, dtype) || same_enumeration(parameter, dtype);
}

void check_where(const ArgumentPosition& place, const Array& array) {
  const Device& device = place.kernel.device();
  if (&array.device() == &device) return;
  if (&array.context() != &device.context())
    place.refuse(TENON_ERROR_CONTEXT, "the array belongs to another context than the kernel");
  if (!array.buffer().reachable_from(device)) {
    place.refuse(TENON_ERROR_DEVICE, "the array is on " + array.device().name() + ", but the kernel runs on " +
                                         device.name() + ": copy it there first");
  }
}

void check_element(const ArgumentPosition& place, const Array& array, bool strided) {
  const Parameter& p = place.parameter;
  if (!pointer_takes(p, array.dtype()))
    place.refuse(TENON_ERROR_DTYPE, place.takes() + ", but the array is " + dtype_name(array.dtype()));
  if (array.read_only() && !p.read_only) {
    place.refuse(TENON_ERROR_READ_ONLY,
                 place.takes() +
                     ", so it may write, but the array is read-only: declare the parameter const, or "
                     "pass a copy");
  }
  if (!strided && !array.c_contiguous()) {
    place.refuse(
        TENON_ERROR_LAYOUT,
        "the array of shape " + shape_text(array.shape()) + " and strides " + shape_text(array.strides()) +
            " is not C-contiguous: pass a contiguous copy, or pass it as strided to a kernel that knows its strides");
  }
  if (array.size() == 0) return;
  const uintptr_t address = reinterpret_cast<uintptr_t>(array.data());
  if (address & (p.element_alignment - 1)) {
    place.refuse(TENON_ERROR_LAYOUT, place.takes() + ", which needs an address that is a multiple of " +
                                         std::to_string(p.element_alignment) + ", but the array starts " +
                                         std::to_string(address & (p.element_alignment - 1)) +
                                         " bytes after one: pass a copy");
  }
  if (!strided && !p.any_dtype && p.element_size > dtype_bytes(array.dtype()) && array.bytes() % p.element_size != 0) {
    place.refuse(TENON_ERROR_SHAPE, place.takes() + " to elements of " + std::to_string(p.element_size) +
                                        " bytes, but the array of shape " + shape_text(array.shape()) + " has " +
                                        std::to_string(array.bytes()) + " bytes, which is not a multiple of that");
  }
}

Array* pack_pointer(const ArgumentPosition& place, const CallArgument& argument, void* to) {
  if (argument.kind == TENON_ARG_POINTER) {
    std::memcpy(to, &argument.value.pointer, sizeof(void*));
    return nullptr;
  }
  if (!argument.is_array()) {
    place.refuse(TENON_ERROR_INVALID_ARGUMENT,
                 place.takes() + ", but the argument is " + kind_text(argument) + ": pass an array");
  }
  Array& array = argument.opened([&] { return place.text(); });
  check_where(place, array);
  check_element(place, array, argument.kind == TENON_ARG_STRIDED);
  void* const data = array.data();
  std::memcpy(to, &data, sizeof data);
  return &array;
}

// To the compiler, texture and surface objects are 64-bit integers like any other.
void pack_texture(const ArgumentPosition& place, const CallArgument& argument, void* to) {
  const Parameter& p = place.parameter;
  const bool surface = argument.kind == TENON_ARG_SURFACE;
  const Texture& texture = argument.opened_texture([&] { return place.text(); });
  const Device& device = place.kernel.device();
  if (p.size != sizeof(uint64_t) || (p.kind == TENON_PARAMETER_SCALAR && p.dtype != TENON_UINT64))
    place.refuse(TENON_ERROR_INVALID_ARGUMENT, place.takes() + ", but the argument is " + kind_text(argument) +
                                                   ": declare the parameter as " +
                                                   (surface ? "cudaSurfaceObject_t" : "cudaTextureObject_t"));
  if (&texture.device() != &device) {
    if (&texture.device().context() != &device.context())
      place.refuse(TENON_ERROR_CONTEXT, "the texture belongs to another context than the kernel");
    place.refuse(TENON_ERROR_DEVICE,
                 "the texture is on " + texture.device().name() + ", but the kernel runs on " + device.name());
  }
  const uint64_t object = texture.object(surface);
  if (!object)
    place.refuse(TENON_ERROR_INVALID_ARGUMENT, "the texture is not a surface: create it with options.surface = 1");
  std::memcpy(to, &object, sizeof object);
}

void pack_scalar(const ArgumentPosition& place, const CallArgument& argument, void* to) {
  const Parameter& p = place.parameter;
  if (argument.is_texture()) [[unlikely]]
    return pack_texture(place, argument, to);
  if (argument.kind != TENON_ARG_SCALAR) {
    place.refuse(TENON_ERROR_INVALID_ARGUMENT,
                 place.takes() + " by value, but the argument is " + kind_text(argument) + ": pass a scalar");
  }
  if (argument.dtype != p.dtype && !same_enumeration(p, argument.dtype)) {
    place.refuse(TENON_ERROR_DTYPE, place.takes() + " (" + dtype_name(p.dtype) + "), but the scalar is " +
                                        dtype_name(argument.dtype) +
                                        ": scalars must have exactly the parameter's type");
  }
  if (argument.size != p.size && argument.size != 0) {
    place.refuse(TENON_ERROR_INVALID_ARGUMENT, place.takes() + " of " + std::to_string(p.size) +
                                                   " bytes, but the argument has " + std::to_string(argument.size));
  }
  if (p.dtype == TENON_BOOL && argument.value.u8 > 1) {
    place.refuse(TENON_ERROR_INVALID_ARGUMENT,
                 "a bool must be 0 or 1, but the scalar is " + std::to_string(argument.value.u8));
  }
  std::memcpy(to, &argument.value, p.size);
}

void pack_struct(const ArgumentPosition& place, const CallArgument& argument, void* to) {
  const Parameter& p = place.parameter;
  if (argument.kind == TENON_ARG_SCALAR && p.dtype &&
      p.size <= sizeof argument.value) {  // float2 from a complex number, float4
    if (argument.dtype != p.dtype && !is_pair_of(p.dtype, argument.dtype)) {
      place.refuse(TENON_ERROR_DTYPE, place.takes() + " by value, but the scalar is " + dtype_name(argument.dtype));
    }
    if (argument.size != p.size && argument.size != 0) {
      place.refuse(TENON_ERROR_INVALID_ARGUMENT, place.takes() + " by value, of " + std::to_string(p.size) +
                                                     " bytes, but the scalar has " + std::to_string(argument.size));
    }
    std::memcpy(to, &argument.value, p.size);
    return;
  }
  if (argument.kind != TENON_ARG_BYTES) {
    place.refuse(TENON_ERROR_INVALID_ARGUMENT, place.takes() + " by value, but the argument is " + kind_text(argument) +
                                                   ": pass the address and the number of its bytes");
  }
  if (argument.size != p.size) {
    place.refuse(TENON_ERROR_INVALID_ARGUMENT, place.takes() + " by value, of " + std::to_string(p.size) +
                                                   " bytes, but the argument has " + std::to_string(argument.size));
  }
  if (!argument.value.bytes) place.refuse(TENON_ERROR_INVALID_ARGUMENT, "the pointer to its bytes is NULL");
  std::memcpy(to, argument.value.bytes, p.size);
}

// The size is all that can be checked.
Array* pack_unknown(const ArgumentPosition& place, const CallArgument& argument, void* to) {
  const Parameter& p = place.parameter;
  switch (argument.kind) {
    case TENON_ARG_ARRAY:
    case TENON_ARG_STRIDED:
    case TENON_ARG_POINTER:
      if (p.size != sizeof(void*))
        place.refuse(TENON_ERROR_INVALID_ARGUMENT, place.takes() + ", but the argument is " + kind_text(argument));
      return pack_pointer(place, argument, to);
    case TENON_ARG_TEXTURE:
    case TENON_ARG_SURFACE: pack_texture(place, argument, to); return nullptr;
    case TENON_ARG_SCALAR:
      if (!dtype_valid(argument.dtype) || dtype_bytes(argument.dtype) != p.size || p.size > sizeof argument.value) {
        place.refuse(TENON_ERROR_DTYPE, place.takes() + ", but the scalar is " + dtype_name(argument.dtype));
      }
      std::memcpy(to, &argument.value, p.size);
      return nullptr;
    default: pack_struct(place, argument, to); return nullptr;
  }
}

}  // namespace

Array* pack_argument(const Kernel& kernel, size_t index, const CallArgument& argument, void* to) {
  const ArgumentPosition place{kernel, index, kernel.parameters()[index]};
  switch (place.parameter.kind) {
    case TENON_PARAMETER_POINTER: return pack_pointer(place, argument, to);
    case TENON_PARAMETER_SCALAR: pack_scalar(place, argument, to); return nullptr;
    case TENON_PARAMETER_UNKNOWN: return pack_unknown(place, argument, to);
    default: pack_struct(place, argument, to); return nullptr;
  }
}

bool wants_extents(const Kernel& kernel) { return kernel.program().request().mode == TENON_PROGRAM_MODE_CHECK; }

// Only the first element of a strided array is passed, so the kernel may access all of its buffer.
MemoryRange argument_extent(const Kernel& kernel, size_t i, const CallArgument& argument) {
  if (!argument.is_array()) return {};
  const Array& array = *argument.array;
  MemoryRange out{array.data(), array.bytes(), kernel.parameter_name(i).c_str()};
  if (argument.kind == TENON_ARG_STRIDED) out.data = array.buffer().data(), out.bytes = array.buffer().bytes();
  return out;
}

void check_count(const Kernel& kernel, const CallArgument* arguments, int32_t count) {
  const size_t takes = kernel.parameters().size();
  TENON_REQUIRE(count >= 0 && size_t(count) == takes, TENON_ERROR_INVALID_ARGUMENT,
                "%s takes %zu argument%s, but %d %s given", kernel.name().c_str(), takes, takes == 1 ? "" : "s", count,
                count == 1 ? "was" : "were");
  TENON_REQUIRE(arguments || count == 0, TENON_ERROR_INVALID_ARGUMENT, "the arguments of %s are NULL",
                kernel.name().c_str());
}

namespace {

void check_axis(const Kernel& kernel, const char* what, int axis, uint32_t value, int32_t limit,
                const char* limit_name) {
  if (limit <= 0 || value <= uint32_t(limit)) return;
  fail(TENON_ERROR_INVALID_ARGUMENT, "%s.%c of %u for %s is over the limit of %s: %s[%d] is %d", what, "xyz"[axis],
       value, kernel.name().c_str(), kernel.device().name().c_str(), limit_name, axis, limit);
}

void check_threads(const Kernel& kernel, const Geometry& g, const tenon_kernel_info& info) {
  const tenon_device_info& device = kernel.device().info();
  const uint64_t threads =
      uint64_t(g.block[0]) * g.block[1] * g.block[2];  // each axis is within its limit at this point
  if (device.max_threads_per_block > 0 && threads > uint64_t(device.max_threads_per_block)) {
    fail(TENON_ERROR_INVALID_ARGUMENT,
         "a block of %u x %u x %u = %llu threads for %s is over the limit of %s: max_threads_per_block is %d",
         g.block[0], g.block[1], g.block[2], static_cast<unsigned long long>(threads), kernel.name().c_str(),
         kernel.device().name().c_str(), device.max_threads_per_block);
  }
  if (info.max_threads_per_block > 0 && threads > uint64_t(info.max_threads_per_block)) {
    fail(TENON_ERROR_INVALID_ARGUMENT,
         "a block of %u x %u x %u = %llu threads is over the limit of the kernel %s itself (registers or "
         "__launch_bounds__): max_threads_per_block is %d",
         g.block[0], g.block[1], g.block[2], static_cast<unsigned long long>(threads), kernel.name().c_str(),
         info.max_threads_per_block);
  }
}

}  // namespace

uint64_t shared_limit(const Device& device) {
  return std::max(device.info().shared_per_block_max, device.info().shared_per_block);
}

namespace {

void check_shared(const Kernel& kernel, const Geometry& g, const tenon_kernel_info& info) {
  const uint64_t limit = shared_limit(kernel.device());
  if (!limit || info.shared_bytes + uint64_t(g.shared_bytes) <= limit) return;
  fail(TENON_ERROR_INVALID_ARGUMENT,
       "shared_bytes of %u and the %llu static bytes of %s together exceed the limit of %s: "
       "shared_per_block_max is %llu",
       g.shared_bytes, static_cast<unsigned long long>(info.shared_bytes), kernel.name().c_str(),
       kernel.device().name().c_str(), static_cast<unsigned long long>(limit));
}

void check_cluster(const Kernel& kernel, Geometry& g) {
  if (!(g.cluster[0] | g.cluster[1] | g.cluster[2])) return;
  const Device& device = kernel.device();
  TENON_REQUIRE(device.kind() == TENON_DEVICE_CPU || device.info().compute_major >= 9, TENON_ERROR_UNSUPPORTED,
                "%s is launched with clusters, but %s has none: they need the CPU device, or a CUDA device of compute "
                "capability 9.0 or later",
                kernel.name().c_str(), device.name().c_str());
  constexpr uint64_t kLargest = 16;  // Hopper's limit; above 8 the driver may still refuse it for the kernel
  uint64_t blocks = 1;
  for (int i = 0; i < 3; ++i) {
    if (!g.cluster[i]) g.cluster[i] = 1;
    TENON_REQUIRE(g.grid[i] % g.cluster[i] == 0, TENON_ERROR_INVALID_ARGUMENT,
                  "grid.%c of %u for %s is not a multiple of cluster.%c, %u", "xyz"[i], g.grid[i],
                  kernel.name().c_str(), "xyz"[i], g.cluster[i]);
    blocks = g.cluster[i] > kLargest ? kLargest + 1 : blocks * g.cluster[i];
    if (blocks > kLargest) break;
  }
  TENON_REQUIRE(blocks <= kLargest, TENON_ERROR_INVALID_ARGUMENT,
                "a cluster of %u x %u x %u blocks for %s is over the limit of %llu blocks", g.cluster[0], g.cluster[1],
                g.cluster[2], kernel.name().c_str(), static_cast<unsigned long long>(kLargest));
}

}  // namespace

void check_launch_flags(const Kernel& kernel, const Geometry& launch) {
  constexpr uint32_t kKnown = TENON_LAUNCH_COOPERATIVE | TENON_LAUNCH_PROGRAMMATIC;
  TENON_REQUIRE(!(launch.flags & ~kKnown), TENON_ERROR_INVALID_ARGUMENT,
                "launch flags 0x%x of %s have unknown bits 0x%x", launch.flags, kernel.name().c_str(),
                launch.flags & ~kKnown);
}

Geometry checked_geometry(Kernel& kernel, const Geometry& launch) {
  check_launch_flags(kernel, launch);
  const tenon_device_info& device = kernel.device().info();
  Geometry g;
  for (int i = 0; i < 3; ++i) {
    g.grid[i] = launch.grid[i] ? launch.grid[i] : 1;
    g.block[i] = launch.block[i] ? launch.block[i] : 1;
    g.cluster[i] = launch.cluster[i];
    check_axis(kernel, "grid", i, g.grid[i], device.max_grid[i], "max_grid");
    check_axis(kernel, "block", i, g.block[i], device.max_block[i], "max_block");
  }
  g.shared_bytes = launch.shared_bytes;
  g.flags = launch.flags;
  const tenon_kernel_info& info = kernel.info();
  check_threads(kernel, g, info);
  check_shared(kernel, g, info);
  check_cluster(kernel, g);
  return g;
}

}  // namespace tenon
