// shim/sync/cooperative_groups/reduce.h: a value from all threads of a group of lanes.
#ifndef _CG_REDUCE_H_
#define _CG_REDUCE_H_
#include <cooperative_groups.h>

namespace cooperative_groups {

template <class T> struct plus {
  TENON_MEMBER T operator()(T a, T b) const { return a + b; }
};
template <class T> struct less {
  TENON_MEMBER T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T> struct greater {
  TENON_MEMBER T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T> struct bit_and {
  TENON_MEMBER T operator()(T a, T b) const { return a & b; }
};
template <class T> struct bit_or {
  TENON_MEMBER T operator()(T a, T b) const { return a | b; }
};
template <class T> struct bit_xor {
  TENON_MEMBER T operator()(T a, T b) const { return a ^ b; }
};

// Each step adds the upper half of the ranks to the lower half; the first rank then broadcasts the result.
template <class Group, class T, class Op> TENON_INLINE T reduce(const Group& group, T value, Op op) {
  const unsigned rank = (unsigned)group.thread_rank();
  for (unsigned count = (unsigned)group.num_threads(); count > 1;) {
    const unsigned half = (count + 1) / 2;
    const T other = group.shfl_down(value, half);
    if (rank + half < count) value = op(value, other);
    count = half;
  }
  return group.shfl(value, 0);
}

}  // namespace cooperative_groups

#define TENON_GROUP_OPERATION(name)                                                 \
  template <class T> struct tenon_is_group_operation<cooperative_groups::name<T>> { \
    static constexpr bool value = true;                                             \
  };
TENON_GROUP_OPERATION(plus)
TENON_GROUP_OPERATION(less)
TENON_GROUP_OPERATION(greater)
TENON_GROUP_OPERATION(bit_and)
TENON_GROUP_OPERATION(bit_or)
TENON_GROUP_OPERATION(bit_xor)
#undef TENON_GROUP_OPERATION

#endif
