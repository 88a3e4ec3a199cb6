// shim/sync/cooperative_groups/scan.h: running totals over a group of lanes.
#ifndef _CG_SCAN_H_
#define _CG_SCAN_H_
#include <cooperative_groups/reduce.h>

namespace cooperative_groups {

template <class Group, class T, class Op> TENON_INLINE T inclusive_scan(const Group& group, T value, Op op) {
  const unsigned rank = (unsigned)group.thread_rank(), count = (unsigned)group.num_threads();
  for (unsigned step = 1; step < count; step *= 2) {
    const T other = group.shfl_up(value, step);
    if (rank >= step) value = op(other, value);
  }
  return value;
}
template <class Group, class T> TENON_INLINE T inclusive_scan(const Group& group, T value) {
  return inclusive_scan(group, value, plus<T>());
}
// The first thread gets T().
template <class Group, class T, class Op> TENON_INLINE T exclusive_scan(const Group& group, T value, Op op) {
  const T before = group.shfl_up(inclusive_scan(group, value, op), 1);
  return group.thread_rank() == 0 ? T() : before;
}
template <class Group, class T> TENON_INLINE T exclusive_scan(const Group& group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

}  // namespace cooperative_groups
#endif
