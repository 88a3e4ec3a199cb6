// C++20: concepts, comparisons, designated initialisers, templated lambdas.
#if __cplusplus >= 202002L
template <class T> concept Summed = requires(T a) { a + a; };
__device__ int sum(Summed auto a, Summed auto b) { return (int)(a + b); }
struct Version {
  int high, low;
  __device__ auto operator<=>(const Version&) const = default;
};
#else
__device__ int sum(int a, float b) { return (int)(a + b); }
#endif
__global__ void modern(int* y) { y[threadIdx.x] = sum((int)threadIdx.x, 2.5f); }
