// backend/cpu/run/grid.cpp: cooperative launches, and clusters.
#include "backend/cpu/run/grid.hpp"
#include <algorithm>
#include <memory>
#include <thread>
#include <vector>
#include "backend/cpu/run/tls.hpp"
#include "base/parallel.hpp"

namespace tenon::cpu {

void GridBarrier::end_round() {
  arrived_ = 0;
  ++round_;
  all_came_.notify_all();
}

uint64_t GridBarrier::arrive() {
  std::lock_guard lock(mutex_);
  const uint64_t mine = round_;
  if (++arrived_ == members_) end_round();
  return mine;
}

bool GridBarrier::wait_for(uint64_t round) {
  std::unique_lock lock(mutex_);
  all_came_.wait(lock, [&] { return round_ != round || failed_; });
  return !failed_;
}

void GridBarrier::leave(bool failed) {
  std::lock_guard lock(mutex_);
  --members_;
  failed_ |= failed;
  if (members_ > 0 && arrived_ == members_) end_round();
  all_came_.notify_all();
}

void GridBarrier::leave(bool failed, uint64_t round) {
  {
    std::lock_guard lock(mutex_);
    if (round_ == round) --arrived_;
  }
  leave(failed);
}

void ClusterSeat::arrive() {
  if (!round) round = barrier->arrive();
}

bool ClusterSeat::wait() {
  arrive();
  const bool good = barrier->wait_for(*round);
  round.reset();
  arrivals = 0;
  return good;
}

void ClusterSeat::leave(bool failed) {
  if (round) barrier->leave(failed, *round);
  else barrier->leave(failed);
  round.reset();
  arrivals = 0;
}

namespace {

// Runs one(i) for each i < count at the same time, on host threads of its own. Where there are not enough of them:
// none(i) instead.
template <class One, class None> void run_together(Launch& launch, int64_t count, One&& one, None&& none) {
  std::vector<std::thread> threads;
  threads.reserve(size_t(count - 1));
  try {
    for (int64_t i = 1; i < count; ++i) threads.emplace_back(one, i);
  } catch (const std::exception& error) {
    launch.set_fault(
        format("a launch whose blocks wait for each other needs one host thread for each of %lld blocks: %s",
               static_cast<long long>(count), error.what()));
    for (int64_t i = int64_t(threads.size()) + 1; i < count; ++i) none(i);
  }
  one(0);
  for (std::thread& thread : threads) thread.join();
}

// Host threads that run one cluster after the other, a thread for each block of it.
struct ClusterTeam {
  explicit ClusterTeam(int64_t size) : windows(size_t(size)), between(size) {}
  std::vector<unsigned char*> windows;
  GridBarrier between;  // clusters: shared memory belongs to the next one when all blocks of the last have ended
  std::optional<GridBarrier> barrier;
};

class ClusterRun {
 public:
  ClusterRun(Launch& launch, tenon_index cluster, int64_t blocks)
      : launch_(launch), dims_(cluster), size_(int64_t(cluster.x) * cluster.y * cluster.z), clusters_(blocks / size_) {
    const int64_t at_once = std::max<int64_t>(1, base::thread_count() / size_);
    const int64_t teams = launch.frame.cooperative ? clusters_ : std::min(clusters_, at_once);
    for (int64_t t = 0; t < teams; ++t) teams_.push_back(std::make_unique<ClusterTeam>(size_));
  }
  void run() {
    run_together(
        launch_, int64_t(teams_.size()) * size_, [this](int64_t i) { run_place(i / size_, i % size_); },
        [this](int64_t i) { leave(i / size_); });
  }

 private:
  uint64_t block(int64_t cluster, int64_t rank) const {
    const tenon_index &c = dims_, &grid = launch_.frame.grid;
    const uint64_t across = grid.x / c.x, down = grid.y / c.y, at = uint64_t(cluster), r = uint64_t(rank);
    const uint64_t x = at % across * c.x + r % c.x, y = at / across % down * c.y + r / c.x % c.y,
                   z = at / across / down * c.z + r / c.x / c.y;
    return x + grid.x * (y + grid.y * z);
  }
  void leave(int64_t team) {
    teams_[size_t(team)]->between.leave(true);
    if (launch_.grid_barrier) launch_.grid_barrier->leave(true);
  }
  void run_place(int64_t number, int64_t rank) {
    ClusterTeam& team = *teams_[size_t(number)];
    try {
      tenon_worker& worker = this_worker();
      launch_.tls->prepare(worker);
      team.windows[size_t(rank)] = launch_.module->window();
      ClusterSeat seat;
      seat.frame = launch_.frame;
      seat.frame.cluster = dims_;
      seat.frame.clusters = 1;
      worker.seat = &seat;
      for (int64_t c = number; c < clusters_; c += int64_t(teams_.size()))
        if (!run_block(team, seat, c, rank)) break;
      worker.seat = nullptr;
    } catch (const std::bad_alloc&) {
      launch_.stop.store(1);
      leave(number);
    }
  }
  // False: a block failed.
  bool run_block(ClusterTeam& team, ClusterSeat& seat, int64_t cluster, int64_t rank) {
    if (!team.between.wait()) return false;
    if (rank == 0) team.barrier.emplace(size_);
    if (!team.between.wait()) return false;
    seat.barrier = &*team.barrier;
    std::copy(team.windows.begin(), team.windows.end(), seat.frame.windows);
    const uint64_t at = block(cluster, rank);
    run_blocks(launch_, at, at + 1);
    const bool failed = launch_.stop.load() != 0;
    seat.leave(failed);
    if (launch_.grid_barrier) launch_.grid_barrier->leave(failed);
    if (failed) team.between.leave(true);
    return !failed;
  }

  Launch& launch_;
  const tenon_index dims_;
  const int64_t size_, clusters_;
  std::vector<std::unique_ptr<ClusterTeam>> teams_;
};

}  // namespace

void run_cooperative(Launch& launch, int64_t blocks) {
  GridBarrier barrier(blocks);
  launch.grid_barrier = &barrier;
  run_together(
      launch, blocks,
      [&](int64_t block) {
        run_blocks(launch, uint64_t(block), uint64_t(block) + 1);
        barrier.leave(launch.stop.load() != 0);
      },
      [&](int64_t) { barrier.leave(true); });
  launch.grid_barrier = nullptr;
}

void run_clusters(Launch& launch, tenon_index cluster, int64_t blocks) {
  std::optional<GridBarrier> grid;
  if (launch.frame.cooperative) launch.grid_barrier = &grid.emplace(blocks);
  ClusterRun(launch, cluster, blocks).run();
  launch.grid_barrier = nullptr;
}

}  // namespace tenon::cpu
