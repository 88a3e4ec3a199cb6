// shim/tenon_abi.h: the border between libtenon and a compiled kernel module. Both sides include it; it includes
// nothing.
#ifndef TENON_SHIM_ABI_H
#define TENON_SHIM_ABI_H

#define TENON_MODULE_ABI 9u
#define TENON_WARP 32
#define TENON_DYNAMIC_SHARED 232448u  // most bytes of dynamic shared memory, as on compute capability 9.0

struct tenon_index {
  unsigned x, y, z;
};

// A thread of a block that can be switched away from. `sp` is where its stack is left: on top lies the address where it
// goes on.
struct tenon_fiber {
  void* sp;
  tenon_fiber* next;  // in the ring of the block's live threads
  tenon_index thread;
  unsigned reserved;  // threadIdx of a ring has room for it
  tenon_fiber* previous;
};

// Of the block that runs.
struct tenon_ring {
  unsigned long live;  // threads that have not ended
  void* const* params;
};

// What a thread waits for in an operation of its warp.
struct tenon_lane_state {
  unsigned long long value;  // then the result
  const void* site;
  unsigned mask, argument, width;
  int op;
};

// Sets of lanes; every live lane is in exactly one of ready, in_warp_op and at_barrier, or runs.
struct tenon_warp_state {
  unsigned alive, started, ready, in_warp_op, at_barrier;
};

// Of the block that runs, scheduled fibers: what it takes to hand over to another thread of one's warp.
struct tenon_schedule {
  unsigned current;  // the thread that runs
  int barrier_op;    // of the barrier of the block that is being waited for
  unsigned long arrived, live;
  tenon_warp_state* warps;
  tenon_lane_state* lanes;  // of each thread
  void** saved;             // of each suspended thread, as its `sp` in a ring
};

struct tenon_worker;  // the host thread that runs the block

// Memory that the kernel may reach through its arguments: [first, last).
struct tenon_extent {
  unsigned long first, last;
};

// What a texture or surface object points at.
#define TENON_TEXEL_U8 0u
#define TENON_TEXEL_U16 1u
#define TENON_TEXEL_U32 2u
#define TENON_TEXEL_S8 3u
#define TENON_TEXEL_S16 4u
#define TENON_TEXEL_S32 5u
#define TENON_TEXEL_F16 6u
#define TENON_TEXEL_F32 7u
#define TENON_TEXELS_LAYERED 4u
#define TENON_TEXELS_CUBE 8u
#define TENON_TEXELS_SURFACE 16u
#define TENON_TEXELS_FETCH 32u  // memory of an array in 1 dimension, which CUDA reads by tex1Dfetch only
struct tenon_texels {
  unsigned what;  // the number of dimensions, and TENON_TEXELS_*: one function reads textures of one value
  unsigned format, channels, texel_bytes;
  unsigned char* data;
  int width, height, depth, layers;  // texels; layers times faces
  unsigned long row, slice, layer;   // bytes from one to the next
  unsigned address[3];               // TENON_ADDRESS_*: 0 clamp, 1 wrap, 2 mirror, 3 border
  unsigned normalized_coordinates, normalized_reads, linear, gather, reserved;
  float border[4];
};

// One launch.
struct tenon_frame {
  tenon_index grid, block;
  const int* stop;        // not 0: a block failed, the rest need not run
  unsigned shared_bytes;  // dynamic
  unsigned cooperative;
  const tenon_extent* extents;  // of the checked mode: none where the arguments do not show all that may be reached
  unsigned extent_count, reserved;
};

// Operations of all lanes of a mask. The values are part of the border.
enum tenon_warp_op {
  TENON_WARP_SYNC,
  TENON_WARP_SHUFFLE,
  TENON_WARP_UP,
  TENON_WARP_DOWN,
  TENON_WARP_XOR,
  TENON_WARP_BALLOT,
  TENON_WARP_ACTIVE,
  TENON_WARP_MATCH_ANY,
  TENON_WARP_MATCH_ALL,
  TENON_WARP_ADD,
  TENON_WARP_MIN,
  TENON_WARP_MAX,
  TENON_WARP_UMIN,
  TENON_WARP_UMAX,
  TENON_WARP_AND,
  TENON_WARP_OR,
  TENON_WARP_EXCLUSIVE_OR
};
enum tenon_block_op { TENON_BLOCK_SYNC, TENON_BLOCK_COUNT, TENON_BLOCK_AND, TENON_BLOCK_OR, TENON_BLOCK_GRID };

// What a module calls.
struct tenon_runtime {
  unsigned (*block)(tenon_worker* worker, int op, int predicate, int place);
  unsigned long long (*warp)(tenon_worker* worker, int op, unsigned mask, unsigned long long value, unsigned argument,
                             unsigned width, const void* site);
  void (*fault)(tenon_worker* worker, const char* what, const char* file, int line, tenon_index block,
                tenon_index thread);
  // Of ring fibers, when the last thread of the block has ended: does not return.
  void (*block_done)(tenon_worker* worker);
  // Of the checked mode, now and then: returns unless the launch has run for too long.
  void (*look_at_clock)(tenon_worker* worker, tenon_index block, tenon_index thread);
  // Of the checked mode: the module's thread-local memory of this host thread; an access in it, or near to an extent
  // and in none, which returns where nothing speaks against it (`kind`: 0 a read, 1 a write, 2 by an atomic operation);
  // a fence.
  tenon_extent (*own_memory)(tenon_worker* worker);
  void (*look_at_access)(tenon_worker* worker, unsigned long address, unsigned long bytes, int kind, tenon_index block,
                         tenon_index thread);
  void (*fence)(tenon_worker* worker);
  // Of scheduled fibers, now and then in kernels that may spin: other threads of the block go on.
  void (*yield)(tenon_worker* worker);
  // The device's heap; NULL where there is no room.
  void* (*allocate)(tenon_worker* worker, unsigned long bytes, tenon_index block, tenon_index thread);
  void (*free)(tenon_worker* worker, void* at, tenon_index block, tenon_index thread);
};

// One kernel, under the name tenon_cpu_kernel_<index>, with one way in: that of the module's execution mode, or `loop`
// where no thread needs a stack of its own.
struct tenon_entry_points {
  const char* name;
  void (*loop)(void* const* params, unsigned long long first,
               unsigned long long last);  // all threads of blocks [first, last)
  void (*start)(void*,
                tenon_fiber* thread);  // where a ring fiber's stack begins: reached by a jump, never left by a return
  void (*thread)(void* const* params, tenon_index thread);
  unsigned rows;     // not 0: grid-stride loops run in the order of memory (tenon_rows.h, tenon_sums.h), best over many
                     // blocks at once
  unsigned regions;  // not 0: `loop` runs all threads from barrier to barrier (tenon_regions.h), with what they keep on
                     // its stack
};

#define TENON_MODULE_REVERSE 1u  // threads run last to first
#define TENON_MODULE_CHECK 2u    // checked mode
// Checks that it leaves out: races on shared memory, shuffles that read from a lane outside of the mask, threads at
// several barriers.
#define TENON_MODULE_ANY_RACE 4u
#define TENON_MODULE_ANY_LANE 8u
#define TENON_MODULE_ANY_BARRIER 16u
#define TENON_MODULE_ANY_LEAK 32u  // memory of the heap that nobody can free any more

// What a module offers, under the name tenon_cpu_module.
struct tenon_module {
  unsigned abi;
  unsigned execution;  // 1 thread loop, 2 ring fibers, 3 scheduled fibers
  unsigned flags;      // TENON_MODULE_*
  unsigned reserved;
  void (*bind)(const tenon_runtime* runtime);
  // Per host thread: before its first block of a launch; before each block of a fiber mode, with the number of blocks
  // that it runs from there on; where the position is. `state`: the tenon_ring or tenon_schedule of the mode.
  void (*enter)(tenon_worker* worker, const tenon_frame* frame, void* state);
  void (*block)(tenon_index block, unsigned long long left);
  void (*where)(tenon_index* block, tenon_index* thread);
};

#endif
