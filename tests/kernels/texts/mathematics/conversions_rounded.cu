__global__ void conversions(long long* y, const double* x) {
  const double v = x[threadIdx.x];
  const float f = (float)v;
  long long* to = y + 12 * threadIdx.x;
  to[0] = __double2int_rn(v), to[1] = __double2int_rd(v), to[2] = __double2int_ru(v), to[3] = __double2int_rz(v);
  to[4] = __float2int_rn(f), to[5] = __float2ll_rd(f), to[6] = __double2ll_ru(v), to[7] = llrint(v);
  to[8] = lround(v), to[9] = (long long)__float_as_int(__double2float_rd(v)) - __float_as_int(__double2float_ru(v));
  to[10] = (long long)rint(v * 2) + (long long)nearbyintf(f), to[11] = __float2uint_rz(fabsf(f));
}
