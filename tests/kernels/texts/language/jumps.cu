// goto, labels in loops, do-while, comma, nested breaks, switch into a loop.
__global__ void jumps(int* y, int n) {
  const int t = threadIdx.x;
  int sum = 0, i = 0;
again:
  for (int k = 0;; ++k) {
    if (k == t % 5) break;
    if (k > 2) goto out;
    sum += k;
  }
  if (++i < 3) goto again;
out:
  do sum += i, --n;
  while (n > 0 && sum < 50);
  switch (n % 4) {
    do {
      case 3: sum += 100;
      case 2: sum += 200;
      case 1: sum += 400;
      default: --i;
    } while (i > 0);
  }
  y[t] = sum;
}
