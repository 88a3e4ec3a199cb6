struct Layer {
  float scale;
  int shift;
  unsigned char order[4];
};
__constant__ Layer layers[2] = {{0.5f, 3, {0, 1, 2, 3}}, {4.0f, -1, {3, 2, 1, 0}}};
__constant__ const char word[] = "tenon";
__global__ void layers_of(float* y, const float* x) {
  const int t = threadIdx.x;
  float v = x[t];
  for (const Layer& layer : layers) v = v * layer.scale + layer.shift + layer.order[t % 4] * 100;
  y[t] = v + (word[t % 5] - 'a') * 10000;
}
