// A tree of nodes from the heap: filled, walked and freed.
struct Node {
  int key;
  Node *left = nullptr, *right = nullptr;
  __device__ explicit Node(int k) : key(k) {}
  __device__ ~Node() {
    delete left;
    delete right;
  }
};
__device__ void insert(Node*& node, int key) {
  if (!node) node = new Node(key);
  else insert(key < node->key ? node->left : node->right, key);
}
__device__ int walk(const Node* node, int* out) {
  if (!node) return 0;
  const int below = walk(node->left, out);
  out[below] = node->key;
  return below + 1 + walk(node->right, out + below + 1);
}
__global__ void sort(int* y, const int* x, int each) {
  Node* root = nullptr;
  for (int i = 0; i < each; ++i) insert(root, x[threadIdx.x * each + i]);
  walk(root, y + threadIdx.x * each);
  delete root;
}
