// shim/execution/tenon_launch.h: kernels that launch kernels. compile/source/launches.cpp writes
// kernel<<<configuration>>>(values) as tenon_children<...>{"kernel", configuration}(values),
// pointer<<<configuration>>>(values) as tenon_children_at(pointer, {"pointer", configuration})(values), and a launch of
// a template whose arguments follow from the values as tenon_children_by(function object, {"kernel",
// configuration})(values).
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

struct tenon_configuration {
  const char* name;
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
  TENON_MEMBER tenon_configuration(const char* named, dim3 blocks, dim3 threads, size_t bytes = 0,
                                   cudaStream_t where = nullptr)
      : name(named), grid(blocks), block(threads), shared(bytes), stream(where) {}
};

// `thread` runs one thread with copies of the values.
template <class... P> TENON_INLINE void tenon_launch_thread(const tenon_configuration& how,
                                                            void (*thread)(void* const*, tenon_index),
                                                            const P&... params) {
#if TENON_EXECUTION == 3 && !TENON_PROBE
  __asm__ volatile(".weak tenon_uses_scheduler\n\t.set tenon_uses_scheduler, 1");
  const tenon_entry_points entry = {how.name, nullptr, nullptr, thread, 0, 0};
  const void* const values[] = {&params..., nullptr};
  const unsigned bytes[] = {(unsigned)sizeof(P)..., 0};
  const tenon_child child = {{how.grid.x, how.grid.y, how.grid.z},
                             {how.block.x, how.block.y, how.block.z},
                             how.shared,
                             how.stream == cudaStreamTailLaunch,
                             (unsigned)sizeof...(P)};
  tenon_calls->launch(tenon_this_worker, &entry, &child, values, bytes, tenon_index{blockIdx.x, blockIdx.y, blockIdx.z},
                      tenon_index{threadIdx.x, threadIdx.y, threadIdx.z});
#else
  (void)how, (void)thread;
  (void)tenon_needs_scheduler(0, 0, 0, 0, 0);
  (void)sizeof...(params);
#endif
}

template <class T, T F> struct tenon_children {
  static_assert(!sizeof(T), "tenon_children: no kernel is launched");
};
#if __cplusplus >= 201703L
template <class... P, void (*F)(P...) noexcept> struct tenon_children<void (*)(P...) noexcept, F> {
  static_assert(!sizeof(F), "a kernel has no exception specification");
};
#endif
template <class... P, void (*F)(P...)> struct tenon_children<void (*)(P...), F> : tenon_configuration {
  using tenon_configuration::tenon_configuration;
  TENON_MEMBER void operator()(P... params) const {
#if TENON_EXECUTION == 3 && !TENON_PROBE
    tenon_launch_thread(*this, &tenon_entry<void (*)(P...), F>::template tenon_thread<false>, params...);
#else
    tenon_launch_thread(*this, nullptr, params...);
#endif
  }
};

// What is called is itself the first value: a pointer, or an object without members.
#if TENON_EXECUTION == 3 && !TENON_PROBE
template <class Callee, class... P> struct tenon_callee {
  template <size_t... I> TENON_MEMBER static void call(void* const* values, tenon_list<I...>) {
    tenon_value<Callee>(values[0])(tenon_value<P>(values[I + 1])...);
  }
  static void thread(void* const* values, tenon_index at) {
    threadIdx.x = at.x;
    threadIdx.y = at.y;
    threadIdx.z = at.z;
    call(values, typename tenon_count<sizeof...(P)>::list());
    tenon_end_thread();
  }
};
#else
template <class Callee, class... P> struct tenon_callee {
  static constexpr void (*thread)(void* const*, tenon_index) = nullptr;
};
#endif
template <class... P> struct tenon_pointed : tenon_configuration {
  void (*callee)(P...);
  TENON_MEMBER tenon_pointed(const tenon_configuration& how, void (*kernel)(P...))
      : tenon_configuration(how), callee(kernel) {}
  TENON_MEMBER void operator()(P... params) const {
    if (!callee) tenon_fault("a launch of a kernel by a pointer that is NULL", "", 0);
    tenon_launch_thread(*this, tenon_callee<void (*)(P...), P...>::thread, callee, params...);
  }
};
template <class... P>
TENON_INLINE tenon_pointed<P...> tenon_children_at(void (*kernel)(P...), const tenon_configuration& how) {
  return tenon_pointed<P...>(how, kernel);
}
template <class Callee> struct tenon_deduced : tenon_configuration {
  Callee callee;
  TENON_MEMBER tenon_deduced(const tenon_configuration& how, Callee object)
      : tenon_configuration(how), callee(object) {}
  template <class... P> TENON_MEMBER void operator()(P... params) const {
    tenon_launch_thread(*this, tenon_callee<Callee, P...>::thread, callee, params...);
  }
};
template <class Callee>
TENON_INLINE tenon_deduced<Callee> tenon_children_by(Callee callee, const tenon_configuration& how) {
  return tenon_deduced<Callee>(how, callee);
}

#endif

#endif
