// A warp a row: mean and variance after Welford, merged pairwise by shuffles.
struct Moments {
  float mean = 0.f, m2 = 0.f, count = 0.f;
  __device__ void add(float x) {
    count += 1.f;
    const float delta = x - mean;
    mean += delta / count;
    m2 += delta * (x - mean);
  }
  __device__ Moments merged(const Moments& o) const {
    Moments r;
    r.count = count + o.count;
    if (r.count == 0.f) return r;
    const float delta = o.mean - mean, share = o.count / r.count;
    r.mean = mean + delta * share;
    r.m2 = m2 + o.m2 + delta * delta * count * share;
    return r;
  }
};
extern "C" __global__ void layer_norm(const float* x, const float* gamma, const float* beta, float* y, int rows, int columns, float epsilon) {
  const int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  x += (long long)row * columns;
  y += (long long)row * columns;
  Moments m;
  for (int c = lane; c < columns; c += 32) m.add(x[c]);
  for (int step = 1; step < 32; step *= 2) {
    Moments other;
    other.mean = __shfl_xor_sync(~0u, m.mean, step);
    other.m2 = __shfl_xor_sync(~0u, m.m2, step);
    other.count = __shfl_xor_sync(~0u, m.count, step);
    m = m.merged(other);
  }
  const float scale = rsqrtf(m.m2 / columns + epsilon);
  for (int c = lane; c < columns; c += 32) y[c] = (x[c] - m.mean) * scale * gamma[c] + beta[c];
}
