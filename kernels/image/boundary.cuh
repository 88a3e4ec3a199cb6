// boundary.cuh: what stands outside of an axis, as scipy.ndimage says it. The numbers are those of the contract's
// `edge`.
#pragma once

enum Boundary { kReflect = 0, kConstant = 1, kNearest = 2, kMirror = 3, kWrap = 4 };

// The position of 0 ... n - 1 that position i stands for; -1: the constant.
__device__ inline int inside(int i, int n, int edge) {
  if (i >= 0 && i < n) return i;
  if (edge == kConstant) return -1;
  if (edge == kNearest) return i < 0 ? 0 : n - 1;
  if (n == 1) return 0;
  const int period = edge == kReflect ? 2 * n : edge == kMirror ? 2 * n - 2 : n;
  int m = i % period;
  if (m < 0) m += period;
  if (m < n) return m;
  return edge == kReflect ? period - 1 - m : period - m;
}
