// Tensor cores by nvcuda::wmma: C = A B + C of 16 x 16 tiles, in every type.
#include <mma.h>
using namespace nvcuda;

// A by rows, B by columns; a warp for each tile of C.
extern "C" __global__ void product(const __half* a, const __half* b, const float* c, float* d, int n, int k) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum, before;
  wmma::fill_fragment(sum, 0.0f);
  const int row = blockIdx.y * 16, column = (blockIdx.x * blockDim.y + threadIdx.y) * 16;
  for (int i = 0; i < k; i += 16) {
    wmma::load_matrix_sync(fa, a + row * k + i, k);
    wmma::load_matrix_sync(fb, b + column * k + i, k);
    wmma::mma_sync(sum, fa, fb, sum);
  }
  wmma::load_matrix_sync(before, c + row * n + column, n, wmma::mem_row_major);
  for (int i = 0; i < before.num_elements; ++i) before.x[i] = 2.0f * before.x[i] + sum.x[i];
  wmma::store_matrix_sync(d + row * n + column, before, n, wmma::mem_row_major);
}

template <class T, class Sum, int M, int N, int K, class Layout>
__device__ void one(const T* a, const T* b, Sum* c, unsigned wide) {
  typedef Layout layout;
  wmma::fragment<wmma::matrix_a, M, N, K, T, wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, T, layout> fb;
  wmma::fragment<wmma::accumulator, M, N, K, Sum> sum;
  wmma::load_matrix_sync(fa, a, M);
  wmma::load_matrix_sync(fb, b, wide);
  wmma::fill_fragment(sum, (Sum)1);
  wmma::mma_sync(sum, fa, fb, sum);
  wmma::store_matrix_sync(c, sum, M, wmma::mem_col_major);
}
// A by columns, B by rows, C by columns.
extern "C" __global__ void others(const __nv_bfloat16* ba, const __nv_bfloat16* bb, const signed char* ia,
                                  const signed char* ib, const double* da, const double* db, const float* ta,
                                  const float* tb, float* bc, int* ic, double* dc, float* tc) {
  one<__nv_bfloat16, float, 32, 8, 16, wmma::row_major>(ba, bb, bc, 8);
  one<signed char, int, 8, 32, 16, wmma::row_major>(ia, ib, ic, 32);
  one<double, double, 8, 8, 4, wmma::row_major>(da, db, dc, 8);
  wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 8, float> sum;
  wmma::load_matrix_sync(fa, ta, 16);
  wmma::load_matrix_sync(fb, tb, 16);
  for (int i = 0; i < fa.num_elements; ++i) fa.x[i] = wmma::__float_to_tf32(fa.x[i]);
  for (int i = 0; i < fb.num_elements; ++i) fb.x[i] = wmma::__float_to_tf32(fb.x[i]);
  wmma::fill_fragment(sum, 0.5f);
  wmma::mma_sync(sum, fa, fb, sum);
  wmma::store_matrix_sync(tc, sum, 16, wmma::mem_col_major);
}
