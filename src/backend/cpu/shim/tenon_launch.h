// shim/tenon_launch.h: kernels that launch kernels. compile/launches.cpp writes kernel<<<configuration>>>(values) as
// tenon_children<...>("kernel", configuration)(values).
#ifndef TENON_LAUNCH_H
#define TENON_LAUNCH_H

#if TENON_CHILDREN

typedef enum cudaError { cudaSuccess = 0 } cudaError_t;
typedef struct CUstream_st* cudaStream_t;
#define cudaStreamDefault 0u
#define cudaStreamNonBlocking 1u
#define cudaStreamTailLaunch ((cudaStream_t)3)
#define cudaStreamFireAndForget ((cudaStream_t)4)

// Launched kernels run in the order of their launches, whatever their streams are, so streams need nothing of their
// own.
TENON_INLINE cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  *stream = (cudaStream_t)5;
  return cudaSuccess;
}
TENON_INLINE cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
// A launch that fails ends the program's launch with an error.
TENON_INLINE cudaError_t cudaGetLastError() { return cudaSuccess; }
TENON_INLINE cudaError_t cudaPeekAtLastError() { return cudaSuccess; }

template <class T, T F> struct tenon_children {
  static_assert(!sizeof(T), "tenon_children: no kernel is launched");
};
template <class... P, void (*F)(P...)> struct tenon_children<void (*)(P...), F> {
  const char* name;
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
  TENON_MEMBER tenon_children(const char* named, dim3 blocks, dim3 threads, size_t bytes = 0,
                              cudaStream_t where = nullptr)
      : name(named), grid(blocks), block(threads), shared(bytes), stream(where) {}
  TENON_MEMBER void operator()(P... params) const {
#if TENON_EXECUTION == 3 && !TENON_PROBE
    __asm__ volatile(".weak tenon_uses_scheduler\n\t.set tenon_uses_scheduler, 1");
    const tenon_entry_points entry = {
        name, nullptr, nullptr, &tenon_entry<void (*)(P...), F>::template tenon_thread<false>, 0, 0};
    const void* const values[] = {&params..., nullptr};
    const unsigned bytes[] = {(unsigned)sizeof(P)..., 0};
    const tenon_child child = {{grid.x, grid.y, grid.z},
                               {block.x, block.y, block.z},
                               shared,
                               stream == cudaStreamTailLaunch,
                               (unsigned)sizeof...(P)};
    tenon_calls->launch(tenon_this_worker, &entry, &child, values, bytes,
                        tenon_index{blockIdx.x, blockIdx.y, blockIdx.z},
                        tenon_index{threadIdx.x, threadIdx.y, threadIdx.z});
#else
    (void)tenon_needs_scheduler(0, 0, 0, 0, 0);
    (void)sizeof...(params);
#endif
  }
};

#endif

#endif
