// Memory that kernels allocate: it stays until it is freed, by any thread of any launch.
struct Node {
  int value;
  Node* next;
  __device__ Node(int value, Node* next) : value(value), next(next) {}
};

// Each thread's list is freed as it is summed up.
extern "C" __global__ void lists(int* sums, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Node* head = nullptr;
  for (int k = 0; k <= i % 9; ++k) head = new Node(i + k, head);
  int sum = 0;
  while (head) {
    Node* next = head->next;
    sum += head->value;
    delete head;
    head = next;
  }
  float4* rows = (float4*)malloc(sizeof(float4) * (1 + i % 5));
  for (int k = 0; k <= i % 5; ++k) rows[k] = make_float4(k, i, 1, 0);
  __syncwarp();
  for (int k = 0; k <= i % 5; ++k) sum += (int)(rows[k].x + rows[k].z);
  free(rows);
  sums[i] = sum + ((size_t)rows % 16 == 0 ? 0 : 1000000);
}

__device__ int* kept[32];

extern "C" __global__ void keep(int* y) {
  int* own = new int[threadIdx.x + 1];
  for (int k = 0; k <= (int)threadIdx.x; ++k) own[k] = k;
  kept[threadIdx.x] = own;
  y[threadIdx.x] = own != nullptr;
}
extern "C" __global__ void release(int* y) {
  int* own = kept[31 - threadIdx.x];
  int sum = 0;
  for (int k = 0; k <= 31 - (int)threadIdx.x; ++k) sum += own[k];
  y[threadIdx.x] = sum;
  delete[] own;
  kept[31 - threadIdx.x] = nullptr;
}

// More than there is.
extern "C" __global__ void exhaust(int* y) {
  const size_t part = (size_t)1 << 20;
  void* all[1024];
  int got = 0;
  for (; got < 1024; ++got)
    if (!(all[got] = malloc(part))) break;
  struct Large { char room[1 << 30]; };
  Large* none = new Large;
  kept[0] = (int*)none;
  y[0] = got > 0 && got < 1024;
  y[1] = none == nullptr;
  for (int k = 0; k < got; ++k) free(all[k]);
  free(nullptr);
  void* again = malloc(part);
  y[2] = again != nullptr;
  free(again);
}
