// functions/complex.cuh: complex<R> for kernels: the type that tenon/generated.h offers, and in which the CPU device's
// own instances compute.
template <class tenon_g_R> struct complex {
  tenon_g_R tenon_g_re, tenon_g_im;
  complex() = default;
  __device__ __forceinline__ complex(tenon_g_R re) : tenon_g_re(re), tenon_g_im(0) {}
  __device__ __forceinline__ complex(tenon_g_R re, tenon_g_R im) : tenon_g_re(re), tenon_g_im(im) {}
  template <class tenon_g_S> __device__ __forceinline__ explicit complex(const complex<tenon_g_S>& z)
      : tenon_g_re((tenon_g_R)z.real()), tenon_g_im((tenon_g_R)z.imag()) {}
  __device__ __forceinline__ tenon_g_R real() const { return tenon_g_re; }
  __device__ __forceinline__ tenon_g_R imag() const { return tenon_g_im; }
  __device__ __forceinline__ complex& operator+=(const complex& z) { return *this = *this + z; }
  __device__ __forceinline__ complex& operator-=(const complex& z) { return *this = *this - z; }
  __device__ __forceinline__ complex& operator*=(const complex& z) { return *this = *this * z; }
  __device__ __forceinline__ complex& operator/=(const complex& z) { return *this = *this / z; }
  // Friends, so that they are found with one operand of another arithmetic type, which is then converted.
  friend __device__ __forceinline__ complex operator+(const complex& a, const complex& b) {
    return complex(a.tenon_g_re + b.tenon_g_re, a.tenon_g_im + b.tenon_g_im);
  }
  friend __device__ __forceinline__ complex operator-(const complex& a, const complex& b) {
    return complex(a.tenon_g_re - b.tenon_g_re, a.tenon_g_im - b.tenon_g_im);
  }
  friend __device__ __forceinline__ complex operator*(const complex& a, const complex& b) {
    return complex(a.tenon_g_re * b.tenon_g_re - a.tenon_g_im * b.tenon_g_im,
                   a.tenon_g_re * b.tenon_g_im + a.tenon_g_im * b.tenon_g_re);
  }
  // Smith's algorithm: no overflow unless the quotient overflows.
  friend __device__ __forceinline__ complex operator/(const complex& a, const complex& b) {
    if (fabs(b.tenon_g_re) >= fabs(b.tenon_g_im)) {
      const tenon_g_R r = b.tenon_g_im / b.tenon_g_re, d = b.tenon_g_re + b.tenon_g_im * r;
      return complex((a.tenon_g_re + a.tenon_g_im * r) / d, (a.tenon_g_im - a.tenon_g_re * r) / d);
    }
    const tenon_g_R r = b.tenon_g_re / b.tenon_g_im, d = b.tenon_g_re * r + b.tenon_g_im;
    return complex((a.tenon_g_re * r + a.tenon_g_im) / d, (a.tenon_g_im * r - a.tenon_g_re) / d);
  }
  friend __device__ __forceinline__ bool operator==(const complex& a, const complex& b) {
    return a.tenon_g_re == b.tenon_g_re && a.tenon_g_im == b.tenon_g_im;
  }
  friend __device__ __forceinline__ bool operator!=(const complex& a, const complex& b) { return !(a == b); }
};
typedef complex<float> complex64;
typedef complex<double> complex128;
#define TENON_G_COMPLEX template <class tenon_g_R> TENON_G_DEVICE
TENON_G_COMPLEX complex<tenon_g_R> operator+(const complex<tenon_g_R>& z) { return z; }
TENON_G_COMPLEX complex<tenon_g_R> operator-(const complex<tenon_g_R>& z) {
  return complex<tenon_g_R>(-z.tenon_g_re, -z.tenon_g_im);
}
TENON_G_COMPLEX tenon_g_R real(const complex<tenon_g_R>& z) { return z.tenon_g_re; }
TENON_G_COMPLEX tenon_g_R imag(const complex<tenon_g_R>& z) { return z.tenon_g_im; }
TENON_G_COMPLEX complex<tenon_g_R> conj(const complex<tenon_g_R>& z) {
  return complex<tenon_g_R>(z.tenon_g_re, -z.tenon_g_im);
}
TENON_G_COMPLEX tenon_g_R abs(const complex<tenon_g_R>& z) { return hypot(z.tenon_g_re, z.tenon_g_im); }
TENON_G_COMPLEX tenon_g_R arg(const complex<tenon_g_R>& z) { return atan2(z.tenon_g_im, z.tenon_g_re); }
TENON_G_COMPLEX tenon_g_R norm(const complex<tenon_g_R>& z) {
  return z.tenon_g_re * z.tenon_g_re + z.tenon_g_im * z.tenon_g_im;
}
TENON_G_COMPLEX complex<tenon_g_R> polar(tenon_g_R r, tenon_g_R phi) {
  return complex<tenon_g_R>(r * cos(phi), r * sin(phi));
}
TENON_G_COMPLEX complex<tenon_g_R> exp(const complex<tenon_g_R>& z) { return polar(exp(z.tenon_g_re), z.tenon_g_im); }
TENON_G_COMPLEX complex<tenon_g_R> log(const complex<tenon_g_R>& z) { return complex<tenon_g_R>(log(abs(z)), arg(z)); }
TENON_G_COMPLEX complex<tenon_g_R> sqrt(const complex<tenon_g_R>& z) {
  const tenon_g_R r = abs(z);
  if (r == 0) return complex<tenon_g_R>(0, z.tenon_g_im);
  const tenon_g_R t = sqrt((r + fabs(z.tenon_g_re)) / 2);
  const tenon_g_R u = fabs(z.tenon_g_im) / (2 * t);
  return z.tenon_g_re >= 0 ? complex<tenon_g_R>(t, copysign(u, z.tenon_g_im))
                           : complex<tenon_g_R>(u, copysign(t, z.tenon_g_im));
}
TENON_G_COMPLEX complex<tenon_g_R> sin(const complex<tenon_g_R>& z) {
  return complex<tenon_g_R>(sin(z.tenon_g_re) * cosh(z.tenon_g_im), cos(z.tenon_g_re) * sinh(z.tenon_g_im));
}
TENON_G_COMPLEX complex<tenon_g_R> cos(const complex<tenon_g_R>& z) {
  return complex<tenon_g_R>(cos(z.tenon_g_re) * cosh(z.tenon_g_im), -sin(z.tenon_g_re) * sinh(z.tenon_g_im));
}
TENON_G_COMPLEX complex<tenon_g_R> pow(const complex<tenon_g_R>& z, const complex<tenon_g_R>& w) {
  return z == complex<tenon_g_R>(0) ? complex<tenon_g_R>(w == complex<tenon_g_R>(0) ? 1 : 0) : exp(w * log(z));
}
