// kernel/occupancy.cpp: which geometry fills a device, and which is enough for a number of elements.
#include <algorithm>
#include "kernel/arguments.hpp"
#include "kernel/program.hpp"

namespace tenon {
namespace {

constexpr uint32_t kCpuBlock = 256;

// The largest number of threads of a block of the kernel.
uint32_t most_threads(Kernel& kernel) {
  const int32_t device = kernel.device().info().max_threads_per_block, own = kernel.info().max_threads_per_block;
  const int32_t most = own > 0 && device > 0 ? std::min(own, device) : std::max(own, device);
  return most > 0 ? uint32_t(most) : 1024;
}

}  // namespace

int32_t Kernel::occupancy(uint32_t threads, uint64_t shared_bytes) {
  TENON_REQUIRE(threads > 0, TENON_ERROR_INVALID_ARGUMENT,
                "a block of %s must have at least one thread, but block_threads is 0", name().c_str());
  if (threads > most_threads(*this)) return 0;
  const uint64_t limit = shared_limit(device()), fixed = info().shared_bytes;
  if (limit && (shared_bytes > limit || fixed > limit - shared_bytes)) return 0;
  return program_->module().occupancy(index_, threads, shared_bytes);
}

void Kernel::suggest(uint64_t shared_bytes, uint32_t& block, uint32_t& min_grid) {
  const tenon_device_info& limits = device().info();
  const uint32_t most = most_threads(*this), warp = limits.warp_size > 0 ? uint32_t(limits.warp_size) : 32;
  const uint32_t processors = uint32_t(std::max(limits.multiprocessors, 1));
  uint32_t best = 0;
  uint64_t busy = 0;
  int32_t blocks = 0;
  const uint32_t first = device().on_host() ? std::min(most, kCpuBlock) : most;
  for (uint32_t threads = first; threads > 0; threads = (threads - 1) / warp * warp) {
    const int32_t at_once = occupancy(threads, shared_bytes);
    if (uint64_t(at_once) * threads <= busy) continue;
    best = threads, blocks = at_once, busy = uint64_t(at_once) * threads;
  }
  TENON_REQUIRE(best, TENON_ERROR_UNSUPPORTED, "no block of %s fits %s with %llu bytes of dynamic shared memory",
                name().c_str(), device().name().c_str(), static_cast<unsigned long long>(shared_bytes));
  block = best;
  min_grid = uint32_t(blocks) * processors;
}

void Kernel::geometry_for(uint64_t count, Geometry& launch) {
  check_launch_flags(*this, launch);
  TENON_REQUIRE(
      launch.block[1] <= 1 && launch.block[2] <= 1, TENON_ERROR_INVALID_ARGUMENT,
      "a launch for a number of elements must have one-dimensional blocks, but this one has %u x %u x %u threads",
      launch.block[0], launch.block[1], launch.block[2]);
  uint32_t block = launch.block[0], ignored = 0;
  if (!block) suggest(launch.shared_bytes, block, ignored);
  const uint64_t blocks = std::max<uint64_t>(1, count / block + (count % block != 0));
  const int32_t limit = device().info().max_grid[0];
  const uint64_t most = limit > 0 ? uint64_t(limit) : 0x7fffffff;
  TENON_REQUIRE(
      blocks <= most, TENON_ERROR_INVALID_ARGUMENT,
      "%llu elements of %s take %llu blocks of %u threads, over the limit of %s: max_grid[0] is %llu. Launch fewer "
      "blocks and let each thread process several elements (a grid-stride loop)",
      static_cast<unsigned long long>(count), name().c_str(), static_cast<unsigned long long>(blocks), block,
      device().name().c_str(), static_cast<unsigned long long>(most));
  launch.grid[0] = uint32_t(blocks);
  launch.grid[1] = launch.grid[2] = 1;
  launch.block[0] = block;
  launch.block[1] = launch.block[2] = 1;
}

}  // namespace tenon
