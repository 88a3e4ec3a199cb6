// Lorenz's system by Runge and Kutta, one start a thread; the right side is a function object.
struct Lorenz {
  double sigma, rho, beta;
  __device__ double3 operator()(const double3& p) const { return make_double3(sigma * (p.y - p.x), p.x * (rho - p.z) - p.y, p.x * p.y - beta * p.z); }
};
__device__ inline double3 operator+(double3 a, double3 b) { return make_double3(a.x + b.x, a.y + b.y, a.z + b.z); }
__device__ inline double3 operator*(double s, double3 a) { return make_double3(s * a.x, s * a.y, s * a.z); }
template <class System> __device__ double3 advanced(const System& f, double3 p, double h) {
  const double3 k1 = f(p), k2 = f(p + 0.5 * h * k1), k3 = f(p + 0.5 * h * k2), k4 = f(p + h * k3);
  return p + (h / 6) * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
}
extern "C" __global__ void integrate(double3* points, Lorenz system, double h, int steps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double3 p = points[i];
  for (int s = 0; s < steps; ++s) p = advanced(system, p, h);
  points[i] = p;
}
