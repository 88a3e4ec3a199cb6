// <assert.h> for NVRTC.
#pragma once
#ifndef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
extern "C" __device__ void __assertfail(const void* message, const void* file, unsigned int line, const void* function,
                                        size_t size);
#define assert(condition) \
  ((condition) ? (void)0  \
               : __assertfail((const void*)#condition, (const void*)__FILE__, __LINE__, (const void*)__func__, 1))
#endif
#endif
