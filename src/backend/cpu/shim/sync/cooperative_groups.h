// shim/sync/cooperative_groups.h: groups of threads that work together: the block, tiles of a warp, the lanes that
// happen to run together, and (in a cooperative launch) the grid.
#ifndef _COOPERATIVE_GROUPS_H_
#define _COOPERATIVE_GROUPS_H_

namespace cooperative_groups {

// A value of any size moves through a warp in words of eight bytes.
template <class T> TENON_INLINE T tenon_move(int op, unsigned mask, T value, unsigned argument, unsigned width) {
  unsigned long long words[(sizeof(T) + 7) / 8] = {};
  __builtin_memcpy(words, &value, sizeof(T));
  for (unsigned i = 0; i < sizeof(words) / 8; ++i) words[i] = tenon_warp_step(op, mask, words[i], argument, width);
  __builtin_memcpy(&value, words, sizeof(T));
  return value;
}

class thread_block {
 public:
  TENON_MEMBER static void sync() { __syncthreads(); }
  TENON_MEMBER static void barrier_arrive() {}
  TENON_MEMBER static void barrier_wait() { __syncthreads(); }
  TENON_MEMBER static unsigned thread_rank() { return tenon_linear_thread(); }
  TENON_MEMBER static unsigned num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
  TENON_MEMBER static unsigned size() { return num_threads(); }
  TENON_MEMBER static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  TENON_MEMBER static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  TENON_MEMBER static dim3 dim_threads() { return blockDim; }
  TENON_MEMBER static dim3 group_dim() { return blockDim; }
};
TENON_INLINE thread_block this_thread_block() { return thread_block(); }
// Memory that a GPU needs for tiles over 32; here the tiles have their own.
template <unsigned MaxBlockSize = 1024> struct block_tile_memory {};
template <unsigned MaxBlockSize> TENON_INLINE thread_block this_thread_block(block_tile_memory<MaxBlockSize>&) {
  return thread_block();
}

class grid_group {
 public:
  TENON_MEMBER static bool is_valid() { return tenon_this_frame->cooperative != 0; }
  TENON_MEMBER static void sync() { (void)tenon_block_step(TENON_BLOCK_GRID, 0); }
  TENON_MEMBER static unsigned long long num_blocks() { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
  TENON_MEMBER static unsigned long long block_rank() {
    return blockIdx.x + (unsigned long long)gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
  }
  TENON_MEMBER static unsigned long long num_threads() { return num_blocks() * thread_block::num_threads(); }
  TENON_MEMBER static unsigned long long size() { return num_threads(); }
  TENON_MEMBER static unsigned long long thread_rank() {
    return block_rank() * thread_block::num_threads() + tenon_linear_thread();
  }
  TENON_MEMBER static dim3 dim_blocks() { return gridDim; }
  TENON_MEMBER static dim3 group_dim() { return gridDim; }
  TENON_MEMBER static dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  TENON_MEMBER static dim3 dim_clusters() { return __clusterGridDimInClusters(); }
  TENON_MEMBER static unsigned long long num_clusters() { return num_blocks() / __clusterSizeInBlocks(); }
  TENON_MEMBER static dim3 cluster_index() { return __clusterIdx(); }
  TENON_MEMBER static unsigned long long cluster_rank() {
    const dim3 at = cluster_index(), all = dim_clusters();
    return at.x + all.x * (at.y + (unsigned long long)all.y * at.z);
  }
};
TENON_INLINE grid_group this_grid() { return grid_group(); }

// The blocks that run together (tenon_cluster.h).
class cluster_group {
 public:
  struct arrival_token {};
  TENON_MEMBER static void sync() { __cluster_barrier_wait(); }
  TENON_MEMBER static arrival_token barrier_arrive() {
    __cluster_barrier_arrive();
    return arrival_token();
  }
  TENON_MEMBER static void barrier_wait() { __cluster_barrier_wait(); }
  TENON_MEMBER static void barrier_wait(arrival_token&&) { __cluster_barrier_wait(); }
  TENON_MEMBER static unsigned query_shared_rank(const void* at) { return __cluster_query_shared_rank(at); }
  template <class T> TENON_MEMBER static T* map_shared_rank(T* at, int rank) {
    return (T*)__cluster_map_shared_rank((const void*)at, (unsigned)rank);
  }
  TENON_MEMBER static dim3 block_index() { return __clusterRelativeBlockIdx(); }
  TENON_MEMBER static unsigned block_rank() { return __clusterRelativeBlockRank(); }
  TENON_MEMBER static dim3 dim_blocks() { return __clusterDim(); }
  TENON_MEMBER static unsigned num_blocks() { return __clusterSizeInBlocks(); }
  TENON_MEMBER static dim3 thread_index() {
    const dim3 block = block_index();
    return dim3(block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y,
                block.z * blockDim.z + threadIdx.z);
  }
  TENON_MEMBER static unsigned thread_rank() {
    return block_rank() * thread_block::num_threads() + tenon_linear_thread();
  }
  TENON_MEMBER static dim3 dim_threads() {
    const dim3 blocks = dim_blocks();
    return dim3(blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z);
  }
  TENON_MEMBER static unsigned num_threads() { return num_blocks() * thread_block::num_threads(); }
  TENON_MEMBER static unsigned size() { return num_threads(); }
};
TENON_INLINE cluster_group this_cluster() { return cluster_group(); }

// Lanes of one warp. thread_block_tile, coalesced_group and thread_group derive from it.
class tenon_lanes_group {
 public:
  TENON_MEMBER unsigned thread_rank() const { return (unsigned)__popc(mask_ & ((1u << tenon_lane()) - 1)); }
  TENON_MEMBER unsigned num_threads() const { return (unsigned)__popc(mask_); }
  TENON_MEMBER unsigned size() const { return num_threads(); }
  TENON_MEMBER void sync() const { __syncwarp(mask_); }
  TENON_MEMBER int any(int predicate) const { return __any_sync(mask_, predicate); }
  TENON_MEMBER int all(int predicate) const { return __all_sync(mask_, predicate); }
  TENON_MEMBER unsigned ballot(int predicate) const { return packed(__ballot_sync(mask_, predicate)); }
  template <class T> TENON_MEMBER unsigned match_any(T value) const { return packed(__match_any_sync(mask_, value)); }
  template <class T> TENON_MEMBER unsigned match_all(T value, int& all) const {
    return packed(__match_all_sync(mask_, value, &all));
  }
  template <class T> TENON_MEMBER T shfl(T value, unsigned rank) const { return from(value, rank % num_threads()); }
  template <class T> TENON_MEMBER T shfl_up(T value, unsigned delta) const {
    const unsigned mine = thread_rank();
    return from(value, mine >= delta ? mine - delta : mine);
  }
  template <class T> TENON_MEMBER T shfl_down(T value, unsigned delta) const {
    const unsigned mine = thread_rank();
    return from(value, mine + delta < num_threads() ? mine + delta : mine);
  }
  TENON_MEMBER unsigned long long meta_group_rank() const { return 0; }
  TENON_MEMBER unsigned long long meta_group_size() const { return 1; }
  TENON_MEMBER unsigned tenon_mask() const { return mask_; }

 protected:
  TENON_MEMBER explicit tenon_lanes_group(unsigned mask) : mask_(mask) {}
  template <class T> TENON_MEMBER T from(T value, unsigned rank) const {
    return tenon_move(TENON_WARP_SHUFFLE, mask_, value, lane_of(rank), TENON_WARP);
  }
  TENON_MEMBER unsigned lane_of(unsigned rank) const {
    unsigned left = mask_;
    for (; rank > 0; --rank) left &= left - 1;
    return (unsigned)__builtin_ctz(left | 0x80000000u);
  }
  // Bits of lanes as bits of ranks.
  TENON_MEMBER unsigned packed(unsigned lanes) const {
    unsigned out = 0, rank = 0;
    for (unsigned left = mask_; left; left &= left - 1, ++rank)
      if (lanes >> __builtin_ctz(left) & 1) out |= 1u << rank;
    return out;
  }
  unsigned mask_;
};

class coalesced_group : public tenon_lanes_group {
 public:
  TENON_MEMBER explicit coalesced_group(unsigned mask) : tenon_lanes_group(mask) {}
};
TENON_INLINE coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

// The lanes of the calling thread's tile. Lanes past the end of the block are left out by the scheduler.
TENON_INLINE unsigned tenon_tile_mask(unsigned size) {
  return (size >= 32 ? 0xffffffffu : (1u << size) - 1) << (tenon_lane() / size * size);
}

// The threads of a tile's parent; 0: those of the block.
template <class Parent> struct tenon_parent {
  static constexpr unsigned threads = 0;
};

// The threads of a tile's parent. A variable whose type does not name the parent keeps their number; 0: the block's.
template <class Parent> class tenon_parent_threads {
 public:
  tenon_parent_threads() = default;
  template <class Other> TENON_MEMBER explicit tenon_parent_threads(const tenon_parent_threads<Other>&) {}
  TENON_MEMBER static unsigned threads() { return tenon_parent<Parent>::threads; }
};
template <> class tenon_parent_threads<void> {
 public:
  tenon_parent_threads() = default;
  template <class Other> TENON_MEMBER explicit tenon_parent_threads(const tenon_parent_threads<Other>& other)
      : threads_(other.threads()) {}
  TENON_MEMBER unsigned threads() const { return threads_; }

 private:
  unsigned threads_ = 0;
};
// Which tile of its parent the thread is in, and how many there are.
template <class Parent> class tenon_tile_place : public tenon_parent_threads<Parent> {
 public:
  using tenon_parent_threads<Parent>::tenon_parent_threads;
  TENON_MEMBER unsigned rank_of(unsigned size) const {
    const unsigned all = this->threads();
    return (all ? tenon_linear_thread() % all : tenon_linear_thread()) / size;
  }
  TENON_MEMBER unsigned count_of(unsigned size) const {
    const unsigned all = this->threads();
    return ((all ? all : thread_block::num_threads()) + size - 1) / size;
  }
};

template <unsigned Size, class Parent = void, bool Wide = (Size > 32)>
class thread_block_tile : public tenon_lanes_group, public tenon_tile_place<Parent> {
  static_assert(Size > 0 && Size <= 1024 && (Size & (Size - 1)) == 0,
                "a tile has a power of two of threads, up to 1024");

 public:
  TENON_MEMBER thread_block_tile() : tenon_lanes_group(tenon_tile_mask(Size)) {}
  // A tile may be kept in a variable that does not name its parent.
  template <class Other> TENON_MEMBER thread_block_tile(const thread_block_tile<Size, Other>& other)
      : tenon_lanes_group(tenon_tile_mask(Size)), tenon_tile_place<Parent>(other) {}
  TENON_MEMBER static unsigned thread_rank() { return tenon_linear_thread() % Size; }
  static constexpr unsigned num_threads() { return Size; }
  static constexpr unsigned size() { return Size; }
  TENON_MEMBER unsigned meta_group_rank() const { return this->rank_of(Size); }
  TENON_MEMBER unsigned meta_group_size() const { return this->count_of(Size); }
  template <class T> TENON_MEMBER T shfl(T value, unsigned rank) const {
    return tenon_move(TENON_WARP_SHUFFLE, mask_, value, rank, Size);
  }
  template <class T> TENON_MEMBER T shfl_up(T value, unsigned delta) const {
    return tenon_move(TENON_WARP_UP, mask_, value, delta, Size);
  }
  template <class T> TENON_MEMBER T shfl_down(T value, unsigned delta) const {
    return tenon_move(TENON_WARP_DOWN, mask_, value, delta, Size);
  }
  template <class T> TENON_MEMBER T shfl_xor(T value, unsigned lanes) const {
    return tenon_move(TENON_WARP_XOR, mask_, value, lanes, Size);
  }
};

// A tile of several warps. Its threads meet at a barrier of their own, and show each other where their values are: all
// run on one host thread. As on a GPU, the block has a multiple of its size.
TENON_STATE __thread const void* tenon_shown[1024];

template <unsigned Size, class Parent> class thread_block_tile<Size, Parent, true> : public tenon_tile_place<Parent> {
  static_assert(Size <= 1024 && (Size & (Size - 1)) == 0, "a tile has a power of two of threads, up to 1024");

 public:
  thread_block_tile() = default;
  template <class Other> TENON_MEMBER thread_block_tile(const thread_block_tile<Size, Other>& other)
      : tenon_tile_place<Parent>(other) {}
  TENON_MEMBER static unsigned thread_rank() { return tenon_linear_thread() % Size; }
  static constexpr unsigned num_threads() { return Size; }
  static constexpr unsigned size() { return Size; }
  TENON_MEMBER unsigned meta_group_rank() const { return this->rank_of(Size); }
  TENON_MEMBER unsigned meta_group_size() const { return this->count_of(Size); }
  TENON_MEMBER static void sync() {
    constexpr unsigned first = 32 - 2048 / Size;  // 0, 16, 24, 28, 30
    unsigned long long* const word = &tenon_named[17 + first + tenon_linear_thread() / Size];
    tenon_fence();
    __atomic_store_n(&tenon_named[16], 1ull, __ATOMIC_RELAXED);
    const unsigned long long come = __atomic_add_fetch(word, 1ull, __ATOMIC_ACQ_REL);
    const unsigned phase = (unsigned)(come >> 32);
    if ((unsigned)come == Size) __atomic_store_n(word, (unsigned long long)(phase + 1) << 32, __ATOMIC_RELEASE);
    while ((unsigned)(__atomic_load_n(word, __ATOMIC_ACQUIRE) >> 32) == phase) tenon_give_way();
    tenon_fence();
  }
  template <class T> TENON_MEMBER static T shfl(T value, unsigned rank) { return from(value, rank % Size); }
  template <class T> TENON_MEMBER static T shfl_up(T value, unsigned delta) {
    const unsigned mine = thread_rank();
    return from(value, mine >= delta ? mine - delta : mine);
  }
  template <class T> TENON_MEMBER static T shfl_down(T value, unsigned delta) {
    const unsigned mine = thread_rank();
    return from(value, mine + delta < Size ? mine + delta : mine);
  }
  template <class T> TENON_MEMBER static T shfl_xor(T value, unsigned ranks) {
    return from(value, (thread_rank() ^ ranks) % Size);
  }
  TENON_MEMBER static int any(int predicate) { return count(predicate) != 0; }
  TENON_MEMBER static int all(int predicate) { return count(predicate) == Size; }

 private:
  template <class T> TENON_MEMBER static T from(const T& value, unsigned rank) {
    const unsigned self = tenon_linear_thread();
    show(self, &value);
    sync();
    const T out = *(const T*)shown(self / Size * Size + rank);
    sync();
    return out;
  }
  TENON_MEMBER static unsigned count(int predicate) {
    const unsigned self = tenon_linear_thread(), first = self / Size * Size;
    const int mine = predicate != 0;
    show(self, &mine);
    sync();
    unsigned sum = 0;
    for (unsigned i = 0; i < Size; ++i) sum += (unsigned)*(const int*)shown(first + i);
    sync();
    return sum;
  }
  // (Atomic, so that the compiler takes nothing for known while other threads run.)
  TENON_MEMBER static void show(unsigned thread, const void* at) {
    __atomic_store_n(&tenon_shown[thread], at, __ATOMIC_RELEASE);
  }
  TENON_MEMBER static const void* shown(unsigned thread) {
    return __atomic_load_n(&tenon_shown[thread], __ATOMIC_ACQUIRE);
  }
};
template <unsigned Size, class Other, bool Wide> struct tenon_parent<thread_block_tile<Size, Other, Wide>> {
  static constexpr unsigned threads = Size;
};
template <unsigned Size, class Parent> TENON_INLINE thread_block_tile<Size, Parent> tiled_partition(const Parent&) {
  return thread_block_tile<Size, Parent>();
}

// A group whose kind is only known at run time: the block, or a tile of it.
class thread_group {
 public:
  TENON_MEMBER thread_group(thread_block) : tile_(0) {}
  TENON_MEMBER explicit thread_group(unsigned tile) : tile_(tile) {}
  template <unsigned Size, class Parent> TENON_MEMBER thread_group(const thread_block_tile<Size, Parent>&)
      : tile_(Size) {}
  TENON_MEMBER unsigned thread_rank() const { return tile_ ? tenon_linear_thread() % tile_ : tenon_linear_thread(); }
  TENON_MEMBER unsigned num_threads() const { return tile_ ? tile_ : thread_block::num_threads(); }
  TENON_MEMBER unsigned size() const { return num_threads(); }
  TENON_MEMBER void sync() const {
    if (tile_) __syncwarp(tenon_tile_mask(tile_));
    else __syncthreads();
  }

 private:
  unsigned tile_;
};
TENON_INLINE thread_group tiled_partition(const thread_group&, unsigned size) {
  if (size == 0 || size > 32 || (size & (size - 1)))
    tenon_fault("a tile must have 1, 2, 4, 8, 16 or 32 threads", __FILE__, __LINE__);
  return thread_group(size);
}

// The active threads in groups of `size`, in the order of their ranks; the last may be smaller.
TENON_INLINE coalesced_group tiled_partition(const coalesced_group& group, unsigned size) {
  if (size == 0 || size > 32 || (size & (size - 1)))
    tenon_fault("a tile must have 1, 2, 4, 8, 16 or 32 threads", __FILE__, __LINE__);
  unsigned left = group.tenon_mask(), mine = 0;
  for (unsigned skipped = group.thread_rank() / size * size; skipped > 0; --skipped) left &= left - 1;
  for (; size > 0 && left; --size, left &= left - 1) mine |= left & -left;
  return coalesced_group(mine);
}

// Calls the function on one thread of the group, which is the first here.
template <class Group, class F, class... A> TENON_INLINE void invoke_one(const Group& group, F&& call, A&&... values) {
  if (group.thread_rank() == 0) static_cast<F&&>(call)(static_cast<A&&>(values)...);
}
// ... and gives its result to all. (Groups that shuffle: tiles and coalesced groups.)
template <class Group, class F, class... A>
TENON_INLINE auto invoke_one_broadcast(const Group& group, F&& call, A&&... values)
    -> decltype(static_cast<F&&>(call)(static_cast<A&&>(values)...)) {
  decltype(static_cast<F&&>(call)(static_cast<A&&>(values)...)) result{};
  if (group.thread_rank() == 0) result = static_cast<F&&>(call)(static_cast<A&&>(values)...);
  return group.shfl(result, 0);
}

// The threads of a group whose predicate (or label) has the same value as the caller's.
template <class Group> TENON_INLINE coalesced_group binary_partition(const Group& group, bool predicate) {
  const unsigned yes = __ballot_sync(group.tenon_mask(), predicate), all = __ballot_sync(group.tenon_mask(), 1);
  return coalesced_group(predicate ? yes : all & ~yes);
}
template <class Group, class Label> TENON_INLINE coalesced_group labeled_partition(const Group& group, Label label) {
  return coalesced_group(__match_any_sync(group.tenon_mask(), label));
}

template <class Group> TENON_INLINE void sync(const Group& group) { group.sync(); }
template <class Group> TENON_INLINE unsigned long long group_size(const Group& group) { return group.size(); }
template <class Group> TENON_INLINE unsigned long long thread_rank(const Group& group) { return group.thread_rank(); }

}  // namespace cooperative_groups

template <unsigned Size, class Parent> struct tenon_tile_size<cooperative_groups::thread_block_tile<Size, Parent>> {
  static constexpr unsigned size = Size;
};
template <> struct tenon_is_block<cooperative_groups::thread_block> {
  static constexpr bool value = true;
};

#endif
