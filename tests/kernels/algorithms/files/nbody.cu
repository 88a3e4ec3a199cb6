extern "C" __global__ void nbody(const float4* body, float3* acceleration, int n, float softening) {
  extern __shared__ float4 shared_body[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 me = i < n ? body[i] : make_float4(0, 0, 0, 0);
  float3 a = {0, 0, 0};
  for (int tile = 0; tile < (n + (int)blockDim.x - 1) / (int)blockDim.x; ++tile) {
    int j = tile * blockDim.x + threadIdx.x;
    shared_body[threadIdx.x] = j < n ? body[j] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (unsigned k = 0; k < blockDim.x; ++k) {
      float4 other = shared_body[k];
      float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
      float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + softening);
      float force = other.w * inverse * inverse * inverse;
      a.x += dx * force;
      a.y += dy * force;
      a.z += dz * force;
    }
    __syncthreads();
  }
  if (i < n) acceleration[i] = a;
}
