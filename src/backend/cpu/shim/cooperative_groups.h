// shim/cooperative_groups.h: groups of threads that work together: the block, tiles of a warp, the lanes that happen to
// run together, and (in a cooperative launch) the grid.
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
};
TENON_INLINE grid_group this_grid() { return grid_group(); }

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

template <unsigned Size, class Parent = void> class thread_block_tile : public tenon_lanes_group {
  static_assert(Size > 0 && Size <= 32 && (Size & (Size - 1)) == 0,
                "on the CPU device a tile has 1, 2, 4, 8, 16 or 32 threads");

 public:
  TENON_MEMBER thread_block_tile() : tenon_lanes_group(tenon_tile_mask(Size)) {}
  // A tile may be kept in a variable that does not name its parent.
  template <class Other> TENON_MEMBER thread_block_tile(const thread_block_tile<Size, Other>&) : thread_block_tile() {}
  TENON_MEMBER static unsigned thread_rank() { return tenon_linear_thread() % Size; }
  static constexpr unsigned num_threads() { return Size; }
  static constexpr unsigned size() { return Size; }
  TENON_MEMBER static unsigned meta_group_rank() { return tenon_linear_thread() / Size; }
  TENON_MEMBER static unsigned meta_group_size() { return (thread_block::num_threads() + Size - 1) / Size; }
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
