// backend/cuda/kernels/fft.cu: kernels around cuFFT's: what comes before and after its transform in a cosine or sine
// transform of packed rows of n numbers, the product of two spectra, and frequencies.
//
// The Fourier transform from which each type of cosine or sine transform is computed (y is unscaled, as defined in
// tenon/fft.h):
//   1: of 2 (n - 1) real numbers: the row and its mirror image; or of 2 (n + 1): the row and its negative between zeros
//   2: of the row with its even positions first and the odd ones after them, backwards (Makhoul 1980)
//   3: the inverse of that, from the Hermitian half of n numbers
//   4: of n / 2 complex numbers if n is even, else of 2n, of which the second half is zero
// The sine transforms 2 and 3 are cosine transforms of rows with every other sign changed, or reversed.
namespace tenon {

using namespace work;

// exp(-pi i x / d)
__device__ inline complex<double> turn(double x, double d) {
  double s, c;
  sincospi(x / d, &s, &c);
  return {c, -s};
}
__device__ inline complex<double> product(complex<double> x, complex<double> y) {
  return {x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}

// A number of the row, weighted if the transform is to be orthogonal.
template <class T> __device__ inline double given(const CosineRows& p, const T* row, u64 j) {
  constexpr double root = 1.4142135623730951;
  bool end = !p.orthogonal ? false
             : p.type == 1 ? !p.sine && (j == 0 || j + 1 == p.n)
                           : p.type == 3 && (p.sine ? j + 1 == p.n : j == 0);
  return end ? root * double(row[j]) : double(row[j]);
}

template <class T> __global__ void __launch_bounds__(kThreads) cosine_before(CosineRows p) {
  u64 n = p.n;
  u64 length = p.type == 1   ? (p.sine ? 2 * (n + 1) : 2 * (n - 1))
               : p.type == 2 ? n
               : p.type == 3 ? n / 2 + 1
               : n % 2       ? 2 * n
                             : n / 2;
  for (u64 e = u64(blockIdx.x) * kThreads + threadIdx.x; e < p.rows * length; e += u64(gridDim.x) * kThreads) {
    u64 j = e % length;
    const T* row = static_cast<const T*>(p.from) + e / length * n;
    T* real = static_cast<T*>(p.to);
    complex<T>* numbers = static_cast<complex<T>*>(p.to);
    if (p.type == 1 && p.sine) {
      real[e] = T(j == 0 || j == n + 1 ? 0.0 : j <= n ? given(p, row, j - 1) : -given(p, row, 2 * n + 1 - j));
    } else if (p.type == 1) {
      real[e] = T(given(p, row, j < n ? j : 2 * (n - 1) - j));
    } else if (p.type == 2) {
      u64 place = 2 * j < n ? 2 * j : 2 * (n - j) - 1;
      real[e] = p.sine && place % 2 ? -row[place] : row[place];
    } else if (p.type == 3) {
      double here = given(p, row, p.sine ? n - 1 - j : j);
      double there = j == 0 ? 0.0 : given(p, row, p.sine ? j - 1 : n - j);
      complex<double> w = turn(-double(j), 2.0 * double(n)), z = product(w, complex<double>{here, -there});
      numbers[e] = {T(z.re), T(z.im)};
    } else if (n % 2) {
      double x = j < n ? double(row[j]) : 0.0;
      complex<double> w = turn(double(j), 2.0 * double(n));
      numbers[e] = {T(x * w.re), T(x * w.im)};
    } else {
      complex<double> z{double(row[2 * j]), double(row[n - 1 - 2 * j])}, w = turn(4.0 * double(j) + 1, 4.0 * double(n));
      if (p.sine) z = {double(row[n - 1 - 2 * j]), double(row[2 * j])};
      z = product(z, w);
      numbers[e] = {T(z.re), T(z.im)};
    }
  }
}

template <class T> __global__ void __launch_bounds__(kThreads) cosine_after(CosineRows p) {
  constexpr double root = 0.70710678118654757;
  u64 n = p.n;
  for (u64 e = u64(blockIdx.x) * kThreads + threadIdx.x; e < p.rows * n; e += u64(gridDim.x) * kThreads) {
    u64 k = e % n, g = e / n;
    const complex<T>* numbers = static_cast<const complex<T>*>(p.from);
    double y;
    bool end = false;
    if (p.type == 1 && p.sine) {
      y = -double(numbers[g * (n + 2) + k + 1].im);
    } else if (p.type == 1) {
      y = double(numbers[g * n + k].re);
      end = k == 0 || k + 1 == n;
    } else if (p.type == 2) {
      u64 at = p.sine ? n - 1 - k : k;  // index in the cosine transform
      bool mirrored = 2 * at > n;
      complex<T> x = numbers[g * (n / 2 + 1) + (mirrored ? n - at : at)];
      y = 2 * product(complex<double>{double(x.re), mirrored ? -double(x.im) : double(x.im)},
                      turn(double(at), 2.0 * double(n)))
                  .re;
      end = at == 0;
    } else if (p.type == 3) {
      y = double(static_cast<const T*>(p.from)[g * n + (k % 2 ? n - 1 - k / 2 : k / 2)]);
      if (p.sine && k % 2) y = -y;
    } else if (n % 2) {
      complex<T> x = numbers[g * 2 * n + k];
      complex<double> z =
          product(complex<double>{double(x.re), double(x.im)}, turn(2.0 * double(k) + 1, 4.0 * double(n)));
      y = p.sine ? -2 * z.im : 2 * z.re;
    } else {
      u64 at = k % 2 ? (n - 1 - k) / 2 : k / 2;
      complex<T> x = numbers[g * (n / 2) + at];
      complex<double> z = product(complex<double>{double(x.re), double(x.im)}, turn(double(at), double(n)));
      y = k % 2 ? -2 * z.im : 2 * z.re;
      if (p.sine && k % 2) y = -y;
    }
    static_cast<T*>(p.to)[e] = T(y * p.scale * (p.orthogonal && end ? root : 1.0));
  }
}

// to = to * from, or * its conjugates; the `period` numbers of `from` are used repeatedly.
template <class T> __global__ void __launch_bounds__(kThreads)
    spectra_product(complex<T>* to, const complex<T>* from, u64 count, u64 period, u32 conjugates) {
  for (u64 e = u64(blockIdx.x) * kThreads + threadIdx.x; e < count; e += u64(gridDim.x) * kThreads) {
    complex<T> x = to[e], y = from[period == count ? e : e % period];
    if (conjugates) y.im = -y.im;
    to[e] = {x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
  }
}

// k scale, where the last `negative` values of k are below 0.
__global__ void __launch_bounds__(kThreads) frequencies(double* to, u64 count, u64 negative, double scale) {
  for (u64 e = u64(blockIdx.x) * kThreads + threadIdx.x; e < count; e += u64(gridDim.x) * kThreads)
    to[e] = (e < count - negative ? double(e) : -double(count - e)) * scale;
}

}  // namespace tenon
