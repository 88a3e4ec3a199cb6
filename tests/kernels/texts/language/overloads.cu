// Overloads, defaults, references, conversions, operators of classes.
struct Fixed {
  int raw;
  __device__ Fixed(float v) : raw((int)(v * 256)) {}
  __device__ explicit operator int() const { return raw >> 8; }
  __device__ Fixed& operator+=(const Fixed& o) {
    raw += o.raw;
    return *this;
  }
  __device__ friend Fixed operator*(Fixed a, const Fixed& b) {
    a.raw = (int)((long long)a.raw * b.raw >> 8);
    return a;
  }
  __device__ bool operator<(const Fixed& o) const { return raw < o.raw; }
  __device__ int operator[](int bit) const { return raw >> bit & 1; }
};
__device__ int kind(int) { return 1; }
__device__ int kind(unsigned) { return 2; }
__device__ int kind(float) { return 3; }
__device__ int kind(double) { return 4; }
__device__ int kind(const void*, int more = 5) { return more; }
__global__ void overloads(int* y) {
  const int t = threadIdx.x;
  Fixed a(t * 0.5f);
  a += 1.25f;
  const Fixed b = a * a;
  y[t] = (int)b + 1000 * (a < b) + 10000 * b[8] + kind(t) * 100000 + kind(threadIdx.x) * 200000 +
         (kind(1.0f) + kind(1.0) + kind(y)) * 1000000;
}
