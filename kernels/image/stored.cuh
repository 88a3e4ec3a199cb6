// stored.cuh: a computed value as an element of an image. Bytes are rounded, and limited to 0 ... 255.
#pragma once
#if HALF
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#endif

template <class T, class A> __device__ inline T stored(A value) { return T(value); }
template <> __device__ inline unsigned char stored<unsigned char, float>(float value) {
  return (unsigned char)(value <= 0 ? 0 : value >= 255 ? 255 : rintf(value));
}
