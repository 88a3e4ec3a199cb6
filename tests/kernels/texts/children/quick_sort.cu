// Each part of the array is sorted by a launch of its own.
__device__ void swap(int& a, int& b) {
  const int t = a;
  a = b;
  b = t;
}
__global__ void sort(int* x, int first, int last, int depth) {
  if (last - first < 8 || depth > 10) {
    for (int i = first + 1; i < last; ++i)
      for (int k = i; k > first && x[k] < x[k - 1]; --k) swap(x[k], x[k - 1]);
    return;
  }
  const int pivot = x[(first + last) / 2];
  int low = first, high = last - 1;
  while (low <= high) {
    while (x[low] < pivot) ++low;
    while (x[high] > pivot) --high;
    if (low <= high) swap(x[low++], x[high--]);
  }
  sort<<<1, 1>>>(x, first, high + 1, depth + 1);
  sort<<<1, 1, 0, cudaStreamFireAndForget>>>(x, low, last, depth + 1);
}
