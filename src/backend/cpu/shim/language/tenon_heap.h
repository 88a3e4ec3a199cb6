// shim/language/tenon_heap.h: malloc, free, new and delete: memory of the device's heap, which lasts until it is freed.
// They return NULL if the heap has no room.
#ifndef TENON_HEAP_H
#define TENON_HEAP_H

extern "C" {
void* malloc(size_t bytes) __asm__("tenon_malloc");
void free(void* at) __asm__("tenon_free");
#if TENON_HEAP && !TENON_PROBE
TENON_HIDDEN void* malloc(size_t bytes) {
  return tenon_calls->allocate(tenon_this_worker, bytes, tenon_index{blockIdx.x, blockIdx.y, blockIdx.z},
                               tenon_index{threadIdx.x, threadIdx.y, threadIdx.z});
}
TENON_HIDDEN void free(void* at) {
  tenon_calls->free(tenon_this_worker, at, tenon_index{blockIdx.x, blockIdx.y, blockIdx.z},
                    tenon_index{threadIdx.x, threadIdx.y, threadIdx.z});
}
#endif
}
// (Compiled with -fcheck-new: nothing is constructed at NULL. A new of 0 bytes returns an address. The compiler
// declares these functions with default visibility; the linker binds the module's own calls to them. TENON_HEAP: the
// text has a word that may need them.)
#if TENON_HEAP && !TENON_PROBE
#define TENON_OPERATOR __attribute__((weak))
// clang has -fcheck-new since version 17. Earlier ones take it that new never returns NULL, and would drop the text's
// own question: there an allocation that fails ends the launch.
TENON_MEMBER void* tenon_new(size_t bytes) {
  void* const at = malloc(bytes ? bytes : 1);
#if defined(__clang__) && __clang_major__ < 17
  if (!at)
    tenon_fault(
        "new: the heap of kernels is exhausted, and clang before 17 cannot return NULL; "
        "use malloc, a later clang, or a larger TENON_KERNEL_HEAP",
        "", 0);
#endif
  return at;
}
TENON_OPERATOR
void* operator new(size_t bytes) { return tenon_new(bytes); }
TENON_OPERATOR
void* operator new[](size_t bytes) { return tenon_new(bytes); }
TENON_OPERATOR
void operator delete(void* at) noexcept { free(at); }
TENON_OPERATOR
void operator delete[](void* at) noexcept { free(at); }
TENON_OPERATOR
void operator delete(void* at, size_t) noexcept { free(at); }
TENON_OPERATOR
void operator delete[](void* at, size_t) noexcept { free(at); }
#undef TENON_OPERATOR
// In the tables of classes with pure virtual functions.
extern "C" TENON_HIDDEN __attribute__((weak)) void __cxa_pure_virtual() {
  tenon_fault("a pure virtual function is called", "", 0);
}
#endif

#endif
