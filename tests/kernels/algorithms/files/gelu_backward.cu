// The derivative of x Phi(x) times the gradient that came in: exact, and in the approximation by tanh.
__device__ __forceinline__ float normal_density(float x) { return 0.3989422804f * expf(-0.5f * x * x); }
extern "C" __global__ void gelu_backward(const float* __restrict__ grad, const float* __restrict__ x, float* __restrict__ exact,
                                         float* __restrict__ approximate, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float v = x[i], g = grad[i];
    exact[i] = g * (normcdff(v) + v * normal_density(v));
    const float k = 0.7978845608f, inner = k * (v + 0.044715f * v * v * v), t = tanhf(inner);
    const float slope = k * (1.0f + 3.0f * 0.044715f * v * v);
    approximate[i] = g * (0.5f * (1.0f + t) + 0.5f * v * (1.0f - t * t) * slope);
  }
}
