// Products of small matrices by inline PTX: ldmatrix and mma.sync. Each warp multiplies the matrices of one product.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define LDMATRIX_X4(R0, R1, R2, R3, addr)                                                       \
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];\n"             \
               : "=r"(R0), "=r"(R1), "=r"(R2), "=r"(R3)                                         \
               : "r"(addr))

// C (16 x 8) = A (16 x 16) B (16 x 8), A and B by rows: B is transposed as it is loaded.
extern "C" __global__ void halves(const __half* a, const __half* b, float* c, __half* small) {
  __shared__ __align__(16) __half sa[16 * 16], sb[16 * 8];
  const unsigned lane = threadIdx.x;
  for (unsigned i = lane; i < 256; i += 32) sa[i] = a[blockIdx.x * 256 + i];
  for (unsigned i = lane; i < 128; i += 32) sb[i] = b[blockIdx.x * 128 + i];
  __syncthreads();
  unsigned A[4], B[2];
  const unsigned at = (unsigned)__cvta_generic_to_shared(&sa[lane % 16 * 16 + lane / 16 * 8]);
  LDMATRIX_X4(A[0], A[1], A[2], A[3], at);
  const unsigned bt = (unsigned)__cvta_generic_to_shared(&sb[lane % 16 * 8]);
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(B[0]), "=r"(B[1]) : "r"(bt));
  float d[4] = {0, 1, 2, 3};
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, "
      "{%4, %5, %6, %7}, "
      "{%8, %9}, "
      "{%0, %1, %2, %3};\n"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(A[0]), "r"(A[1]), "r"(A[2]), "r"(A[3]), "r"(B[0]), "r"(B[1]));
  unsigned h[2] = {0, 0};
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%8, %8};"
               : "=r"(h[0]), "=r"(h[1]) : "r"(A[0]), "r"(A[1]), "r"(A[2]), "r"(A[3]), "r"(B[0]), "r"(B[1]), "r"(0));
  for (int i = 0; i < 4; ++i) {
    const unsigned place = blockIdx.x * 128 + (lane / 4 + 8 * (i / 2)) * 8 + lane % 4 * 2 + i % 2;
    c[place] = d[i];
    small[place] = ((const __half*)h)[i];
  }
}

// Each warp transposes a matrix of 8 x 8 elements of 16 bits, two of a row in each thread.
extern "C" __global__ void transposed(const unsigned* x, unsigned* y) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned d;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(d) : "r"(x[i]));
  y[i] = d;
}

// The same product in other types: 16 x 8 (8 x 8 for double), with k as large as one instruction takes. A by rows, B by
// columns.
template <class T> __device__ unsigned word(const T* from) { return *reinterpret_cast<const unsigned*>(from); }

extern "C" __global__ void others(const __nv_bfloat16* ba, const __nv_bfloat16* bb, const float* ta, const float* tb,
                                  const signed char* ia, const unsigned char* ib, const double* da, const double* db,
                                  float* bc, float* tc, int* ic, double* dc) {
  const unsigned lane = threadIdx.x, g = lane / 4, t = lane % 4;
  float x[4] = {}, y[4] = {};
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
               : "+f"(x[0]), "+f"(x[1]), "+f"(x[2]), "+f"(x[3])
               : "r"(word(ba + g * 8 + 2 * t)), "r"(word(ba + (g + 8) * 8 + 2 * t)), "r"(word(bb + g * 8 + 2 * t)));
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+f"(y[0]), "+f"(y[1]), "+f"(y[2]), "+f"(y[3])
      : "r"(word(ta + g * 8 + t)), "r"(word(ta + (g + 8) * 8 + t)), "r"(word(ta + g * 8 + t + 4)),
        "r"(word(ta + (g + 8) * 8 + t + 4)), "r"(word(tb + g * 8 + t)), "r"(word(tb + g * 8 + t + 4)));
  int z[4] = {1, 1, 1, 1};
  asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+r"(z[0]), "+r"(z[1]), "+r"(z[2]), "+r"(z[3])
               : "r"(word(ia + g * 32 + 4 * t)), "r"(word(ia + (g + 8) * 32 + 4 * t)),
                 "r"(word(ia + g * 32 + 4 * t + 16)), "r"(word(ia + (g + 8) * 32 + 4 * t + 16)),
                 "r"(word(ib + g * 32 + 4 * t)), "r"(word(ib + g * 32 + 4 * t + 16)));
  double w[2] = {};
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
               : "+d"(w[0]), "+d"(w[1]) : "d"(da[g * 4 + t]), "d"(db[g * 4 + t]));
  for (int i = 0; i < 4; ++i) {
    const unsigned place = (g + 8 * (i / 2)) * 8 + 2 * t + i % 2;
    bc[place] = x[i];
    tc[place] = y[i];
    ic[place] = z[i];
    if (i < 2) dc[place] = w[i];
  }
}
