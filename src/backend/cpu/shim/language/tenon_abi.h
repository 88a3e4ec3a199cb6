// shim/language/tenon_abi.h: the interface between libtenon and a compiled kernel module. Both sides include it; it
// includes nothing.
#ifndef TENON_SHIM_ABI_H
#define TENON_SHIM_ABI_H

#define TENON_MODULE_ABI 12u
#define TENON_WARP 32
#define TENON_MOST_CLUSTER_BLOCKS 16  // that of compute capability 9.0
#define TENON_DYNAMIC_SHARED 232448u  // largest dynamic shared memory, in bytes: that of compute capability 9.0

struct tenon_index {
  unsigned x, y, z;
};

// A thread of a block that can be suspended. `sp` is its saved stack pointer; the top of that stack is the address at
// which it resumes.
struct tenon_fiber {
  void* sp;
  tenon_fiber* next;  // in the ring of the block's live threads
  tenon_index thread;
  unsigned reserved;  // makes `thread` 16 bytes, which are copied to threadIdx in one move
  tenon_fiber* previous;
};

// Ring fibers: the state of the running block.
struct tenon_ring {
  unsigned long live;  // threads that have not ended
  void* const* params;
};

// A thread's part in an operation of its warp: its arguments while it waits, then its result.
struct tenon_lane_state {
  unsigned long long value;  // the argument, then the result
  const void* site;
  unsigned mask, argument, width;
  int op;
};

// Sets of lanes; every live lane is in exactly one of ready, in_warp_op and at_barrier, or runs.
struct tenon_warp_state {
  unsigned alive, started, ready, in_warp_op, at_barrier;
};

// Scheduled fibers: the state of the running block, as far as a thread needs it to switch to another thread of its
// warp.
struct tenon_schedule {
  unsigned current;  // the running thread
  int barrier_op;    // the operation of the block barrier at which threads are waiting
  unsigned long arrived, live;
  tenon_warp_state* warps;
  tenon_lane_state* lanes;  // of each thread
  void** saved;             // of each suspended thread, as its `sp` in a ring
};

struct tenon_worker;  // the host thread that runs the block
struct tenon_entry_points;

// Memory that the kernel may reach through its arguments: [first, last).
struct tenon_extent {
  unsigned long first, last;
};

// What a texture or surface object points to.
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
#define TENON_TEXELS_FETCH 32u  // a 1-dimensional texture in linear memory, which CUDA reads only through tex1Dfetch
struct tenon_texels {
  unsigned what;  // number of dimensions | TENON_TEXELS_*; each value has its own read functions
  unsigned format, channels, texel_bytes;
  unsigned char* data;
  int width, height, depth, layers;  // in texels; layers: number of layers times number of faces
  unsigned long row, slice, layer;   // strides in bytes
  unsigned address[3];               // TENON_ADDRESS_*: 0 clamp, 1 wrap, 2 mirror, 3 border
  unsigned normalized_coordinates, normalized_reads, linear, gather, reserved;
  float border[4];
};

// One launch.
struct tenon_frame {
  tenon_index grid, block;
  const int* stop;        // not 0: a block failed, and the remaining blocks need not run
  unsigned shared_bytes;  // dynamic
  unsigned cooperative;
  const tenon_extent*
      extents;  // for the checked mode; none if the arguments do not show everything that the kernel may access
  unsigned extent_count, reserved;
  tenon_index cluster;  // blocks per cluster; 1, 1, 1 without clusters
  unsigned clusters;    // not 0: the launch has clusters
  // The windows of the cluster's blocks (tenon_sync.h), by rank. They are here, on the host's stack, where the checked
  // mode looks for no arrays.
  unsigned char* windows[TENON_MOST_CLUSTER_BLOCKS];
};

// A kernel that a kernel launches.
struct tenon_child {
  tenon_index grid, block;
  unsigned long shared_bytes;
  unsigned tail;   // not 0: after everything else that the launching kernel launches
  unsigned count;  // parameters
};

// Operations of all lanes of a mask. The values are part of the interface.
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
// Random generators of which the library knows how to go ahead (run/jump.hpp).
enum tenon_generator_kind { TENON_GENERATOR_XORWOW, TENON_GENERATOR_MRG32K3A };
enum tenon_block_op {
  TENON_BLOCK_SYNC,
  TENON_BLOCK_COUNT,
  TENON_BLOCK_AND,
  TENON_BLOCK_OR,
  TENON_BLOCK_GRID,
  TENON_BLOCK_CLUSTER
};

// The library's functions that a module calls.
struct tenon_runtime {
  unsigned (*block)(tenon_worker* worker, int op, int predicate, int place);
  unsigned long long (*warp)(tenon_worker* worker, int op, unsigned mask, unsigned long long value, unsigned argument,
                             unsigned width, const void* site);
  void (*fault)(tenon_worker* worker, const char* what, const char* file, int line, tenon_index block,
                tenon_index thread);
  // Ring fibers: called when the last thread of the block has ended; does not return.
  void (*block_done)(tenon_worker* worker);
  // Checked mode: called at intervals; returns unless the launch has exceeded its time limit.
  void (*look_at_clock)(tenon_worker* worker, tenon_index block, tenon_index thread);
  // own_memory: the module's thread-local memory on this host thread. Checked mode: look_at_access: called for an
  // access to that memory, or near an extent but outside all of them; returns unless the access is an error (`kind`: 0
  // a read, 1 a write, 2 an atomic operation).
  tenon_extent (*own_memory)(tenon_worker* worker);
  void (*look_at_access)(tenon_worker* worker, unsigned long address, unsigned long bytes, int kind, tenon_index block,
                         tenon_index thread);
  void (*fence)(tenon_worker* worker);
  // Scheduled fibers: called at intervals by kernels that may spin, so that other threads of the block can run.
  void (*yield)(tenon_worker* worker);
  // The device's heap; NULL if it has no room.
  void* (*allocate)(tenon_worker* worker, unsigned long bytes, tenon_index block, tenon_index thread);
  void (*free)(tenon_worker* worker, void* at, tenon_index block, tenon_index thread);
  // Scheduled fibers: a thread arrives at the barrier of its cluster, and goes on.
  void (*cluster_arrive)(tenon_worker* worker);
  // Scheduled fibers: launches a kernel of the module; bytes: of each value.
  void (*launch)(tenon_worker* worker, const tenon_entry_points* entry, const tenon_child* child,
                 const void* const* values, const unsigned* bytes, tenon_index block, tenon_index thread);
  void (*jump)(int generator, unsigned* state, unsigned long long steps, int unit);
};

// One kernel, exported as tenon_cpu_kernel_<index>. It has one entry point: that of the module's execution mode, or
// `loop` if no thread needs a stack of its own.
struct tenon_entry_points {
  const char* name;
  void (*loop)(void* const* params, unsigned long long first,
               unsigned long long last);  // all threads of blocks [first, last)
  void (*start)(void*,
                tenon_fiber* thread);  // the outermost function of a ring fiber: entered by a jump, never returns
  void (*thread)(void* const* params, tenon_index thread);
  unsigned rows;     // not 0: grid-stride loops run in memory order (tenon_rows.h, tenon_sums.h), fastest over many
                     // blocks at once
  unsigned regions;  // not 0: `loop` runs all threads from barrier to barrier (tenon_regions.h), and has their
                     // variables on its stack
  unsigned beside;   // not 0: `loop` runs loops of several threads side by side (tenon_beside.h)
};

#define TENON_MODULE_REVERSE 1u  // threads run last to first
#define TENON_MODULE_CHECK 2u    // checked mode
// Checks that are switched off: races on shared memory, shuffles that read from a lane outside of the mask, threads
// that wait at different barriers.
#define TENON_MODULE_ANY_RACE 4u
#define TENON_MODULE_ANY_LANE 8u
#define TENON_MODULE_ANY_BARRIER 16u
#define TENON_MODULE_ANY_LEAK 32u  // heap memory that can no longer be freed
#define TENON_MODULE_IN_TURN 64u   // blocks may wait for earlier ones

// The module's own functions and properties, exported as tenon_cpu_module.
struct tenon_module {
  unsigned abi;
  unsigned execution;  // 1 thread loop, 2 ring fibers, 3 scheduled fibers
  unsigned flags;      // TENON_MODULE_*
  unsigned reserved;
  void (*bind)(const tenon_runtime* runtime);
  // For each host thread. enter: before its first block of a launch; `state` is the tenon_ring or tenon_schedule of the
  // mode. block: in fiber modes, before each block; `left` counts it and the blocks that this host thread runs after
  // it. where: the current position. window: where the shared memory of this host thread is.
  void (*enter)(tenon_worker* worker, const tenon_frame* frame, void* state);
  void (*block)(tenon_index block, unsigned long long left);
  void (*where)(tenon_index* block, tenon_index* thread);
  unsigned char* (*window)();  // of this host thread (tenon_sync.h)
};

#endif
