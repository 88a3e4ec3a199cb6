// ahead.cuh: memory that is asked for before it is needed, where walking along an array is no walk along memory.
#pragma once

// Has memory brought near that is soon read or, WRITE, written. A GPU has other threads to run while it waits.
template <bool WRITE, class T> __device__ __forceinline__ void ask_for(const T* from, int count) {
#if TENON_CPU_KERNEL
  for (int i = 0; i < count * int(sizeof(T)) + 63; i += 64) __builtin_prefetch((const char*)from + i, WRITE);
#endif
}
