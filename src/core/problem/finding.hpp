// core/problem/finding.hpp: what the device finds while it works, such as an index out of range. One layout for the host
// and for kernels, in front of whose sources this file is placed.
#pragma once

// Two words in the device's memory, all of whose bits are set before the work.
struct tenon_finding {
  unsigned long long least;    // the smallest number found; all bits set: none
  unsigned long long* notice;  // becomes 1 when a number is found, in memory that the host reads; all bits set: none
};

#ifdef __CUDACC__
__device__ inline void tenon_report(tenon_finding* finding, unsigned long long number) {
  if (atomicMin(&finding->least, number) <= number) return;
#else
inline void tenon_report(tenon_finding* finding, unsigned long long number) {
  if (finding->least <= number) return;
  finding->least = number;
#endif
  if (~reinterpret_cast<unsigned long long>(finding->notice)) *finding->notice = 1;
}
