// Sizes and alignments of the vector types.
struct Row {
  unsigned size, alignment;
};
#define ROW(type) {(unsigned)sizeof(type), (unsigned)alignof(type)}
__global__ void sizes(Row* y) {
  const Row rows[] = {ROW(char1),  ROW(uchar2),    ROW(char3),      ROW(uchar4),    ROW(short1), ROW(ushort2),
                      ROW(short3), ROW(ushort4),   ROW(int2),       ROW(uint3),     ROW(int4),   ROW(long2),
                      ROW(ulong4), ROW(longlong1), ROW(ulonglong2), ROW(longlong4), ROW(float2), ROW(float3),
                      ROW(float4), ROW(double2),   ROW(double4),    ROW(dim3)};
  for (int i = 0; i < 22; ++i) y[i] = rows[i];
}
#undef ROW
