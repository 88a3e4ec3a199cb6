// shim/sync/cooperative_groups/memcpy_async.h: copies that the threads of a group start together and wait for together.
#pragma once
#include <cooperative_groups.h>
#include "../tenon_async_copy.h"

namespace cooperative_groups {

// `bytes` of memory.
template <class Group, class T, class Size>
TENON_INLINE void memcpy_async(const Group& group, T* to, const T* from, const Size& bytes) {
  if (group.thread_rank() == 0) cuda::tenon_copy_checked(to, from, bytes);
}
template <class Group, class T, class ToLayout, class FromLayout>
TENON_INLINE void memcpy_async(const Group& group, T* to, const ToLayout& to_count, const T* from,
                               const FromLayout& from_count) {
  const size_t a = (size_t)to_count, b = (size_t)from_count;
  if (group.thread_rank() == 0) tenon_copy_now(to, from, (a < b ? a : b) * sizeof(T));
}
template <class Group> TENON_INLINE void wait(const Group& group) { group.sync(); }
template <unsigned Prior, class Group> TENON_INLINE void wait_prior(const Group& group) { group.sync(); }

}  // namespace cooperative_groups
