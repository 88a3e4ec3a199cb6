// shim/sync/cuda_pipeline_primitives.h: copies of one thread, in batches.
#pragma once
#include "tenon_async_copy.h"
#include "tenon_barrier.h"

// The last `zeros` of the bytes are not copied, but become 0.
TENON_INLINE void __pipeline_memcpy_async(void* to, const void* from, size_t bytes, size_t zeros = 0) {
  if (bytes != 4 && bytes != 8 && bytes != 16) tenon_fault("__pipeline_memcpy_async() copies 4, 8 or 16 bytes", "", 0);
  if (zeros > bytes) tenon_fault("__pipeline_memcpy_async() is to fill more bytes with zeros than it copies", "", 0);
#if TENON_CHECK
  if (((size_t)to | (size_t)from) & (bytes - 1))
    tenon_fault("__pipeline_memcpy_async() with an address that is not a multiple of the number of bytes", "", 0);
#endif
  tenon_copy_now((char*)to, (const char*)from, bytes - zeros);
  for (size_t i = bytes - zeros; i < bytes; ++i) ((char*)to)[i] = 0;
}
TENON_INLINE void __pipeline_commit() {}
TENON_INLINE void __pipeline_wait_prior(size_t) {}

// Barriers of a block, in shared memory.
typedef unsigned long long __mbarrier_t;
typedef unsigned long long __mbarrier_token_t;
TENON_INLINE tenon_barrier_word* tenon_barrier_at(__mbarrier_t* at) { return (tenon_barrier_word*)at; }
TENON_INLINE unsigned __mbarrier_maximum_count() { return (unsigned)tenon_barrier_word::most; }
TENON_INLINE void __mbarrier_init(__mbarrier_t* at, unsigned count) { tenon_barrier_at(at)->start(count); }
TENON_INLINE void __mbarrier_inval(__mbarrier_t*) {}
TENON_INLINE __mbarrier_token_t __mbarrier_arrive(__mbarrier_t* at) { return tenon_barrier_at(at)->arrive(); }
TENON_INLINE __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t* at) {
  return tenon_barrier_at(at)->arrive(1, 1);
}
TENON_INLINE bool __mbarrier_test_wait(__mbarrier_t* at, __mbarrier_token_t token) {
  return tenon_barrier_at(at)->try_wait(token);
}
TENON_INLINE bool __mbarrier_test_wait_parity(__mbarrier_t* at, bool parity) {
  return tenon_barrier_at(at)->try_wait_parity(parity);
}
TENON_INLINE bool __mbarrier_try_wait(__mbarrier_t* at, __mbarrier_token_t token, unsigned) {
  return tenon_barrier_at(at)->try_wait(token);
}
TENON_INLINE bool __mbarrier_try_wait_parity(__mbarrier_t* at, bool parity, unsigned) {
  return tenon_barrier_at(at)->try_wait_parity(parity);
}
// The thread's copies are already complete, so the arrival that they would cause happens now: the barrier expects one
// more arrival, and gets it.
TENON_INLINE void __pipeline_arrive_on(__mbarrier_t*) {}
