// shim/language/tenon_language.h: CUDA's extensions of C++, and the macros that identify the device.
#ifndef TENON_LANGUAGE_H
#define TENON_LANGUAGE_H

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef long clock_t;
// With nvcc these come from the host's headers.
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
#ifndef NULL
#define NULL __null
#endif

#define TENON_CPU_KERNEL 1
// The highest compute capability of which kernels find everything that they usually guard by it: 8.0 has
// __reduce_*_sync, bfloat16 arithmetic, asynchronous copies and matrix operations on these types, also as PTX. 9.0 has
// clusters, wgmma and copies of tensors, which the CPU refuses. Another one: -U__CUDA_ARCH__ -D__CUDA_ARCH__=750.
#define __CUDA_ARCH__ 800
#define __CUDACC__ 1
#define __CUDACC_RTC__ 1
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 8
#define __CUDACC_VER_BUILD__ 0
#define CUDART_VERSION 12080

#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
#if defined(__clang__)
#define __launch_bounds__(...) \
  __attribute__((annotate("tenon_launch_bounds", __VA_ARGS__)))  // compile/compiler/ir.cpp reads it
#else
#define __launch_bounds__(...)
#endif
#define __maxnreg__(...)
#define __cluster_dims__(...) __attribute__((tenon_cluster_dims(__VA_ARGS__)))  // compile/source/clusters.cpp reads it
#define __block_size__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __device_builtin__
#define __cudart_builtin__
#define __noinline__ __attribute__((noinline))
#define __inline_hint__
#define __nv_pure__ __attribute__((pure))

// What __cluster_dims__ says of a kernel (compile/source/clusters.cpp).
struct tenon_cluster_dims_of {
  unsigned x, y, z;
};

// A program is one unit, or several that are linked: TENON_UNIT is then the number of this one. The shim's
// definitions are private to a single unit (so that the compiler sees all their uses); with several units they are
// shared, and the first unit defines the variables.
#if !defined(TENON_UNIT)
#define TENON_STATE static
#define TENON_HIDDEN __attribute__((visibility("hidden")))
#elif TENON_UNIT == 0
#define TENON_STATE __attribute__((visibility("hidden")))
#define TENON_HIDDEN __attribute__((visibility("hidden"), weak))
#else
#define TENON_STATE extern __attribute__((visibility("hidden")))
#define TENON_HIDDEN __attribute__((visibility("hidden"), weak))
#endif

#define TENON_INLINE static inline __attribute__((always_inline, unused))
#define TENON_MEMBER inline __attribute__((always_inline))

// Available without a header, as under NVRTC.
TENON_MEMBER void* operator new(size_t, void* at) noexcept { return at; }
TENON_MEMBER void* operator new[](size_t, void* at) noexcept { return at; }

#if TENON_DEBUG
#define __forceinline__ inline
#define __global__ inline __attribute__((visibility("hidden")))
#else
#define __forceinline__ inline __attribute__((always_inline))
#define __global__ inline __attribute__((always_inline, visibility("hidden")))
#endif

// A block runs on one host thread, so its shared memory is thread-local. In the fiber modes other threads of the block
// change it during a barrier: `used` makes it escape, so that the compiler cannot conclude that it is unchanged.
#if TENON_EXECUTION == 1
#define __shared__ thread_local
#else
#define __shared__ thread_local __attribute__((used))
#endif

#endif
