// The instructions for dynamic programming: least and largest of three, of a sum, with zero, and which one it was.
extern "C" __global__ void instructions(const unsigned* x, unsigned* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned a = x[i], b = x[(i + 1) % n], c = x[(i + 2) % n];
  const int sa = (int)a, sb = (int)b, sc = (int)c;
  bool high, low;
  unsigned* o = out + i * 20;
  o[0] = (unsigned)__vimax3_s32(sa, sb, sc), o[1] = __vimin3_u32(a, b, c), o[2] = __vimax3_s16x2(a, b, c), o[3] = __vimin3_u16x2(a, b, c);
  o[4] = (unsigned)__viaddmax_s32(sa, sb, sc), o[5] = __viaddmin_u32(a, b, c), o[6] = __viaddmax_s16x2(a, b, c), o[7] = __viaddmin_u16x2(a, b, c);
  o[8] = (unsigned)__vimax_s32_relu(sa, sb), o[9] = __vimin_s16x2_relu(a, b), o[10] = (unsigned)__vimin3_s32_relu(sa, sb, sc), o[11] = __vimax3_s16x2_relu(a, b, c);
  o[12] = (unsigned)__viaddmax_s32_relu(sa, sb, sc), o[13] = __viaddmin_s16x2_relu(a, b, c);
  o[14] = (unsigned)__vibmax_s32(sa, sb, &low), o[15] = low;
  o[16] = __vibmin_u16x2(a, b, &high, &low), o[17] = high * 2 + low;
  o[18] = __vibmax_s16x2(a, b, &high, &low), o[19] = high * 2 + low;
}
// Smith and Waterman's score of the best local alignment, one pair a thread.
extern "C" __global__ void align(const char* text, int length, int* best, int pairs) {
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= pairs) return;
  const char *a = text + 2 * p * length, *b = a + length;
  int row[33] = {}, top = 0;
  for (int i = 0; i < length; ++i) {
    int diagonal = 0;
    for (int j = 1; j <= length; ++j) {
      const int above = row[j], match = a[i] == b[j - 1] ? 3 : -3;
      row[j] = __viaddmax_s32_relu(diagonal, match, max(above, row[j - 1]) - 2);
      top = max(top, row[j]);
      diagonal = above;
    }
  }
  best[p] = top;
}
