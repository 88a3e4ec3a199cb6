// kernel/generate/variants.cpp: compiled variants of a generated kernel, and the parameter blocks of their
// launches.
#include <mutex>
#include "core/device/context.hpp"
#include "kernel/generate/generate.hpp"
#include "kernel/program.hpp"

namespace tenon::generate {

Module* Variants::find(const Key& key) {
  std::shared_lock lock(mutex_);
  for (const auto& variant : all_)
    if (variant->key == key) {
      last_.store(variant.get(), std::memory_order_release);
      return variant->module.get();
    }
  return nullptr;
}

Module& Variants::make(const Key& key, const GeneratedOptions& options, std::initializer_list<const char*> kernels,
                       std::string source) {
  CompileRequest request;
  request.source = std::move(source);
  request.name = options.name;
  request.kernels.assign(kernels.begin(), kernels.end());
  request.options = options.options;
  request.mode = options.mode;
  request.flags = options.flags;
  auto variant = std::make_unique<Variant>();
  variant->key = key;
  Context& context = key.device->context();
  if (!options.of_context) variant->context = Ref<Context>(&context);
  try {
    variant->module = key.device->load(*context.images().get(*key.device, request));
  } catch (Error& error) {
    if (error.status == TENON_ERROR_COMPILE) error.message = options.name + ": " + error.message;
    throw;
  }
  std::lock_guard lock(mutex_);
  for (const auto& other : all_)  // another thread has compiled it in the meantime
    if (other->key == key) return *other->module;
  all_.push_back(std::move(variant));
  return *all_.back()->module;
}

bool by_blocks(const Device& device, const GeneratedOptions& options) {
  if (!device.on_host()) return true;
  for (const std::string& option : options.options)
    if (option == "-DTENON_GENERATED_BLOCKS") return true;
  return false;
}

Geometry line_of_blocks(int64_t blocks, uint32_t block_x, uint32_t block_y) {
  TENON_REQUIRE(blocks < (int64_t(1) << 31), TENON_ERROR_UNSUPPORTED,
                "the launch needs %lld blocks, which are more than a launch can have", static_cast<long long>(blocks));
  Geometry geometry;
  geometry.grid[0] = uint32_t(blocks);
  geometry.block[0] = block_x;
  geometry.block[1] = block_y;
  if (block_x * block_y == 1) geometry.flags = kLaunchLargeBlocks;
  return geometry;
}

Scratch::Scratch(Device& device, uint64_t bytes, Stream& stream)
    : device_(device), stream_(stream), bytes_(bytes), data_(nullptr) {
  if (!bytes) return;
  if (!stream.recording()) {
    data_ = device.allocate(bytes, TENON_MEMORY_DEVICE, stream);
    return;
  }
  recorded_ = Buffer::create(device, bytes, TENON_MEMORY_DEVICE, stream);
  recorded_->use(stream, true);  // like the arguments: written by the first launch
  data_ = recorded_->data();
}
Scratch::~Scratch() {
  if (data_ && !recorded_) device_.deallocate(data_, bytes_, TENON_MEMORY_DEVICE, stream_);
}

// The members of a table in write_struct.
static void put_table(void* from, const Array& array, tenon_finding* bad, ArgumentBlock& block) {
  const struct {
    void* from;
    int64_t extent;
  } place{from, array.shape()[0]};
  const struct {
    int64_t step;
    tenon_finding* bad;
  } along{array.strides()[0], bad};
  block.put(&place, sizeof place);
  block.put(&along, sizeof along);
}

void fill_in(const Arguments& arguments, int32_t first, int32_t last, const Loop& loop, ArgumentBlock& block) {
  int32_t k = 0, tables = 0;
  for (int32_t i = first; i < last; ++i) {
    const Operand& operand = arguments.operands[i];
    const uint32_t bytes = dtype_bytes(operand.dtype);
    if (!operand.array) {
      block.put(operand.scalar, bytes);
    } else if (arguments.declared->parameters[size_t(i)].raw) {
      block.pointer(operand.array->data());
    } else {
      void* const first = static_cast<char*>(operand.array->data()) + loop.start[k++] * int64_t(bytes);
      if (arguments.declared->parameters[size_t(i)].table)
        put_table(first, *operand.array, arguments.bad_indices ? arguments.bad_indices + tables++ : nullptr, block);
      else block.pointer(first);
    }
  }
}

// Round-up division by multiplication for 31-bit numbers: n / d = (mulhi(n, m) + n) >> s.
static uint64_t magic_of(int64_t divisor) {
  if (divisor <= 0 || divisor >= (int64_t(1) << 31)) return 0;  // such a layout uses 64-bit division instead
  uint32_t shift = 0;
  while ((int64_t(1) << shift) < divisor) ++shift;
  const uint64_t multiplier =
      (((uint64_t(1) << 32) * ((uint64_t(1) << shift) - uint64_t(divisor))) / uint64_t(divisor)) + 1;
  return (multiplier & 0xffffffffu) | uint64_t(shift) << 32;
}

// The layout of struct tenon_g_layout in write_operands: extents, strides of each operand, magic numbers.
LayoutBlock::LayoutBlock(const Loop& loop) {
  const uint64_t words = uint64_t(loop.rank) * uint64_t(loop.operands + 2);
  TENON_REQUIRE(words * 8 + 16 * kMaxParameters + 64 <= kMaxParameterBytes, TENON_ERROR_UNSUPPORTED,
                "%d axes that cannot be merged and %d arrays are too many for one kernel: copy some of them first",
                loop.rank, loop.operands);
  int64_t* at = words_;
  for (int32_t d = 0; d < loop.rank; ++d) *at++ = loop.extent[d];
  for (int32_t k = 0; k < loop.operands; ++k)
    for (int32_t d = 0; d < loop.rank; ++d) *at++ = loop.stride[k][d];
  for (int32_t d = 0; d < loop.rank; ++d) *at++ = int64_t(magic_of(loop.extent[d]));
  if (words == 0) *at = 0;
  bytes_ = uint32_t(std::max<uint64_t>(words, 1) * 8);
}

}  // namespace tenon::generate
