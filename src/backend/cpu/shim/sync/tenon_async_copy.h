// shim/sync/tenon_async_copy.h: copies that a GPU may make while the thread continues. Here the copy is made at once,
// by one of the threads that request it together. No thread may read the target or change the source before it has
// waited for the copy, so the difference cannot be observed.
#pragma once

template <class To, class From> TENON_INLINE void tenon_copy_now(To* to, const From* from, size_t bytes) {
  if (bytes) memcpy((void*)to, (const void*)from, bytes);
}

namespace cuda {

template <class Size> struct tenon_alignment {
  static constexpr size_t value = 1;
};
#if !TENON_CCCL  // there these are libcu++'s
// A number of bytes, and the alignment of the addresses.
template <size_t Alignment> struct aligned_size_t {
  static constexpr size_t align = Alignment;
  size_t value;
  constexpr explicit aligned_size_t(size_t bytes) : value(bytes) {}
  constexpr operator size_t() const { return value; }
};
template <size_t A> struct tenon_alignment<aligned_size_t<A>> {
  static constexpr size_t value = A;
};

enum class async_contract_fulfillment { none, async };
#endif

template <class Size> TENON_INLINE void tenon_copy_checked(void* to, const void* from, Size bytes) {
#if TENON_CHECK
  constexpr size_t below = tenon_alignment<Size>::value - 1;
  if (((size_t)to | (size_t)from | (size_t)bytes) & below)
    tenon_fault(
        "memcpy_async() with an aligned_size_t: an address or the number of bytes is not a multiple of the alignment",
        "", 0);
#endif
  tenon_copy_now(to, from, (size_t)bytes);
}

}  // namespace cuda
