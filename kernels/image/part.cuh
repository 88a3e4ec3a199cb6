// part.cuh: which part of which image a thread computes.
#pragma once

// a / n, with a % n in `rest`, of numbers that are not negative. A GPU divides numbers of 32 bits in a quarter of the
// time.
__device__ __forceinline__ long long divide(long long a, long long n, long long& rest) {
  if (((a | n) >> 32) == 0) {
    const unsigned quotient = unsigned(a) / unsigned(n);
    rest = unsigned(a) - quotient * unsigned(n);
    return quotient;
  }
  const long long quotient = a / n;
  rest = a - quotient * n;
  return quotient;
}

// What a thread computes of images of h x w: ROWS rows, or those that are left, of V neighbours, in image number
// `image`.
struct Part {
  int row, column;
  long long image;
};
template <int V, int ROWS = 1> __device__ __forceinline__ Part part_of(long long thread, int h, int w) {
  long long chunk, rows;
  const long long image = divide(divide(thread, (w + V - 1) / V, chunk), (h + ROWS - 1) / ROWS, rows);
  return {int(rows) * ROWS, int(chunk) * V, image};
}
