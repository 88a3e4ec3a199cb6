struct Counter {
  int* total;
  int value = 1;
  __device__ ~Counter() { *total += value; }
};
__global__ void arrays(int* y, int n) {
  int total = 0;
  Counter* all = new Counter[n];
  for (int i = 0; i < n; ++i) all[i].total = &total, all[i].value += i;
  delete[] all;
  alignas(Counter) char room[sizeof(Counter)];
  Counter* placed = new (room) Counter{&total};
  placed->value = 1000;
  placed->~Counter();
  y[threadIdx.x] = total;
}
