// shim/tenon_async_copy.h: copies that a GPU may make while the thread goes on. Here they are made at once, by one
// thread of those that ask for it together: nobody may look at the target, or change the source, before the copy was
// waited for.
#pragma once

template <class To, class From> TENON_INLINE void tenon_copy_now(To* to, const From* from, size_t bytes) {
  if (bytes) memcpy((void*)to, (const void*)from, bytes);
}

namespace cuda {

// A number of bytes, and what the addresses are aligned to.
template <size_t Alignment> struct aligned_size_t {
  static constexpr size_t align = Alignment;
  size_t value;
  constexpr explicit aligned_size_t(size_t bytes) : value(bytes) {}
  constexpr operator size_t() const { return value; }
};

template <class Size> struct tenon_alignment {
  static constexpr size_t value = 1;
};
template <size_t A> struct tenon_alignment<aligned_size_t<A>> {
  static constexpr size_t value = A;
};
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

enum class async_contract_fulfillment { none, async };

}  // namespace cuda
