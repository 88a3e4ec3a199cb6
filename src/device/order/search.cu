// device/order/search.cu: positions in a short sorted list, which every block keeps in shared memory as keys
// (order.cuh); Search there does the same for a list of any length.
namespace tenon_own {

struct KeyItself {
  template <class Key> TENON_MEMBER Key of(Key key) { return key; }
};

// For lists of at most kSearchFew elements.
template <class S> __global__ void search_few(SearchWork w) {
  using Key = typename Order<S>::Key;
  __shared__ Key keys[kSearchFew];
  for (int i = threadIdx.x; i < int(w.n); i += blockDim.x)
    keys[i] = Order<S>::key(static_cast<const S*>(w.sorted)[i], false);
  __syncthreads();
  for (i64 i = blockIdx.x * i64(blockDim.x) + threadIdx.x; i < w.count; i += i64(gridDim.x) * blockDim.x) {
    const Key key = Order<S>::key(static_cast<const S*>(w.wanted)[i], false);
    w.to[i] = place_among<KeyItself>(keys, u32(w.n), key, w.right != 0);
  }
}

}  // namespace tenon_own
