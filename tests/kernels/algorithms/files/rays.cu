#include <math.h>
// Rays against spheres, with the small classes such programs are made of.
struct Vec3 {
  float x, y, z;
  __host__ __device__ Vec3() {}
  __host__ __device__ Vec3(float x_, float y_, float z_) : x(x_), y(y_), z(z_) {}
  __host__ __device__ Vec3 operator+(const Vec3& o) const { return Vec3(x + o.x, y + o.y, z + o.z); }
  __host__ __device__ Vec3 operator-(const Vec3& o) const { return Vec3(x - o.x, y - o.y, z - o.z); }
  __host__ __device__ Vec3& operator*=(float s) { x *= s, y *= s, z *= s; return *this; }
  __host__ __device__ friend Vec3 operator*(float s, Vec3 v) { return v *= s; }
  __host__ __device__ float operator[](int i) const { return (&x)[i]; }
};
__host__ __device__ inline float dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
struct Ray { Vec3 origin, direction; __device__ Vec3 at(float t) const { return origin + t * direction; } };
class Sphere {
 public:
  Vec3 centre;
  float radius;
  // The nearest hit in front of the origin, or a negative number.
  __device__ float hit(const Ray& ray) const {
    const Vec3 to = ray.origin - centre;
    const float a = dot(ray.direction, ray.direction), half_b = dot(to, ray.direction), c = dot(to, to) - radius * radius;
    const float discriminant = half_b * half_b - a * c;
    if (discriminant < 0) return -1.0f;
    const float root = sqrtf(discriminant), near = (-half_b - root) / a, far = (-half_b + root) / a;
    return near > 0 ? near : far;
  }
};
extern "C" __global__ void trace(const Sphere* spheres, int count, int* which, float* depth, float* shade, int width, int height) {
  const int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= width || py >= height) return;
  const Ray ray = {Vec3(0, 0, -4), Vec3((px + 0.5f) / width * 2 - 1, (py + 0.5f) / height * 2 - 1, 2)};
  float best = INFINITY;
  int index = -1;
  for (int s = 0; s < count; ++s) {
    const float t = spheres[s].hit(ray);
    if (t > 0 && t < best) best = t, index = s;
  }
  const int i = py * width + px;
  which[i] = index;
  depth[i] = best;
  if (index < 0) {
    shade[i] = 0;
    return;
  }
  Vec3 normal = ray.at(best) - spheres[index].centre;
  normal *= 1.0f / spheres[index].radius;
  shade[i] = fmaxf(0.0f, dot(normal, Vec3(0.6f, 0.0f, -0.8f))) + 0.0f * normal[1];
}
