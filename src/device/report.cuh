// device/report.cuh: how a kernel reports what it finds.
__device__ inline void tenon_report(tenon_finding* finding, unsigned long long number) {
  if (atomicMin(&finding->least, number) <= number) return;
  if (~reinterpret_cast<unsigned long long>(finding->notice)) *finding->notice = 1;
}
