// backend/cpu/run/grid.cpp: cooperative launches.
#include "backend/cpu/run/grid.hpp"
#include <thread>
#include <vector>

namespace tenon::cpu {

bool GridBarrier::wait() {
  std::unique_lock lock(mutex_);
  if (failed_) return false;
  if (++arrived_ == members_) {
    arrived_ = 0;
    ++round_;
    all_came_.notify_all();
    return true;
  }
  const uint64_t mine = round_;
  all_came_.wait(lock, [&] { return round_ != mine || failed_; });
  return !failed_;
}

void GridBarrier::leave(bool failed) {
  std::lock_guard lock(mutex_);
  --members_;
  failed_ |= failed;
  if (members_ > 0 && arrived_ == members_) {
    arrived_ = 0;
    ++round_;
  }
  all_came_.notify_all();
}

void run_cooperative(Launch& launch, int64_t blocks) {
  GridBarrier barrier(blocks);
  launch.grid_barrier = &barrier;
  auto one = [&](uint64_t block) {
    run_blocks(launch, block, block + 1);
    barrier.leave(launch.stop.load() != 0);
  };
  std::vector<std::thread> threads;
  threads.reserve(size_t(blocks - 1));
  try {
    for (int64_t block = 1; block < blocks; ++block) threads.emplace_back(one, uint64_t(block));
  } catch (const std::exception& error) {
    launch.set_fault(format("a cooperative launch of %lld blocks needs one host thread per block: %s",
                            static_cast<long long>(blocks), error.what()));
    for (int64_t block = int64_t(threads.size()) + 1; block < blocks; ++block) barrier.leave(true);
  }
  one(0);
  for (std::thread& thread : threads) thread.join();
  launch.grid_barrier = nullptr;
}

}  // namespace tenon::cpu
