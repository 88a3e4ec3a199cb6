// tests/fake_cuda/numerics/cufft.cpp: a libcufft.so without a GPU. A plan's tables are memory of the fake driver; a
// transform is made on the host, by its definition, when the stream gets there, with the stream and the work area that
// the plan had when it was put there.
#include "cufft.hpp"
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>
#include "../quiet.hpp"

#define API extern "C" __attribute__((visibility("default")))

extern "C" {
void fake_cuda_enqueue(void* stream, const std::function<void()>& work);
bool fake_cuda_holds(const void* data, size_t bytes);
bool fake_cuda_capturing(void* stream);
int cuMemAlloc_v2(unsigned long long* data, size_t bytes);
int cuMemFree_v2(unsigned long long data);
}

namespace {

constexpr int kOk = 0, kInvalidPlan = 1, kNoMemory = 2, kInvalidValue = 4;
constexpr int kReal = 0x2a, kToReal = 0x2c, kComplex = 0x29, kRealWide = 0x6a, kToRealWide = 0x6c, kComplexWide = 0x69;

struct Plan {
  int rank = 0, type = 0;
  std::array<long long, 3> n{}, in{}, out{};
  long long in_stride = 0, in_distance = 0, out_stride = 0, out_distance = 0, batch = 0;
  void* stream = nullptr;
  void* work = nullptr;
  size_t work_bytes = 0;
  unsigned long long tables = 0;
  std::thread::id caller{};  // the thread that set the stream: its next set and run belong together
};

FakeCufft control;
QuietMutex mutex;
std::map<int, std::shared_ptr<Plan>> plans;
int next = 1;

void misuse(const std::string& text) {
  ++control.misuses;
  snprintf(control.misuse, sizeof control.misuse, "%s", text.c_str());
}

bool fails(int& code) {
  if (!control.fail_at || --control.fail_at) return false;
  code = control.fail_code;
  return true;
}
#define ENTER()                \
  std::lock_guard lock(mutex); \
  int code = kOk;              \
  if (fails(code)) return code

std::shared_ptr<Plan> find(int handle) {
  const auto found = plans.find(handle);
  if (found == plans.end()) return misuse("a plan that is not alive"), nullptr;
  return found->second;
}

// The position of number (i, j, k) of transform b.
long long place(const std::array<long long, 3>& embed, int rank, long long stride, long long distance,
                const long long* index, long long b) {
  long long at = index[0];
  for (int d = 1; d < rank; ++d) at = at * embed[size_t(d)] + index[d];
  return b * distance + at * stride;
}

template <class F> void each(const std::array<long long, 3>& n, int rank, F&& f) {
  long long index[3] = {};
  for (;;) {
    f(index);
    int d = rank - 1;
    while (d >= 0 && ++index[d] == n[size_t(d)]) index[d--] = 0;
    if (d < 0) return;
  }
}

template <class R> void transform(const Plan& p, void* from, void* to, int sign) {
  using Z = std::complex<R>;
  using Wide = std::complex<double>;
  const bool from_real = p.type == kReal || p.type == kRealWide, to_real = p.type == kToReal || p.type == kToRealWide;
  auto half = p.n;
  half[size_t(p.rank - 1)] = half[size_t(p.rank - 1)] / 2 + 1;
  long long size = 1;
  for (int d = 0; d < p.rank; ++d) size *= p.n[size_t(d)];
  for (long long b = 0; b < p.batch; ++b) {
    std::vector<Wide> x;
    each(p.n, p.rank, [&](long long* i) {
      if (from_real) return x.push_back(static_cast<R*>(from)[place(p.in, p.rank, p.in_stride, p.in_distance, i, b)]);
      const bool mirrored = to_real && i[p.rank - 1] >= half[size_t(p.rank - 1)];
      long long at[3] = {};
      for (int d = 0; d < p.rank; ++d) at[d] = mirrored ? (p.n[size_t(d)] - i[d]) % p.n[size_t(d)] : i[d];
      const Z z = static_cast<Z*>(from)[place(p.in, p.rank, p.in_stride, p.in_distance, at, b)];
      x.push_back(mirrored ? std::conj(Wide(z)) : Wide(z));
    });
    if (to_real)  // as the library does
      each(half, p.rank, [&](long long* i) {
        static_cast<Z*>(from)[place(p.in, p.rank, p.in_stride, p.in_distance, i, b)] = Z(NAN, NAN);
      });
    std::vector<Wide> y(x.size());
    long long inner = size;
    for (int d = 0; d < p.rank; ++d) {  // one axis after another
      const long long n = p.n[size_t(d)];
      inner /= n;
      for (long long at = 0; at < size; ++at) {
        const long long k = at / inner % n, first = at - k * inner;
        Wide sum = 0;
        for (long long j = 0; j < n; ++j)
          sum += x[size_t(first + j * inner)] * std::polar(1.0, sign * 2 * M_PI * double(j * k % n) / double(n));
        y[size_t(at)] = sum;
      }
      std::swap(x, y);
    }
    each(from_real ? half : p.n, p.rank, [&](long long* i) {
      long long at = 0;
      for (int d = 0; d < p.rank; ++d) at = at * p.n[size_t(d)] + i[d];
      const long long there = place(p.out, p.rank, p.out_stride, p.out_distance, i, b);
      if (to_real) static_cast<R*>(to)[there] = R(x[size_t(at)].real());
      else static_cast<Z*>(to)[there] = Z(x[size_t(at)]);
    });
  }
}

// A plan has one stream and one work area: calls of another thread between those that set them and the transform would
// mix the two.
void mind_caller(const Plan& plan) {
  if (plan.caller != std::this_thread::get_id()) misuse("two threads use one plan at the same time");
}

int execute(int handle, int type, void* from, void* to, int sign) {
  ENTER();
  const auto plan = find(handle);
  if (!plan) return kInvalidPlan;
  mind_caller(*plan);
  if (plan->type != type) return misuse("a plan of another type was run"), kInvalidValue;
  if (!plan->work) return misuse("a plan was run without its work area"), kInvalidPlan;
  const bool wide = type >= kRealWide;
  const Plan now = *plan;
  ++(fake_cuda_capturing(now.stream) ? control.captured : control.executed);
  control.last_work = now.work;
  if (type == kToReal || type == kToRealWide) control.axes_to_real = now.rank;
  fake_cuda_enqueue(now.stream, [=] {
    if (!fake_cuda_holds(now.work, now.work_bytes)) return misuse("a transform ran on a work area that was freed");
    if (!fake_cuda_holds(reinterpret_cast<const void*>(now.tables), 64))
      return misuse("a transform ran after its plan was destroyed");
    if (!fake_cuda_holds(from, 1) || !fake_cuda_holds(to, 1)) return misuse("a transform ran on memory that was freed");
    if (wide) transform<double>(now, from, to, sign);
    else transform<float>(now, from, to, sign);
  });
  return kOk;
}

}  // namespace

API FakeCufft* fake_cufft() { return &control; }

API int cufftCreate(int* handle) {
  ENTER();
  *handle = next++;
  plans[*handle] = std::make_shared<Plan>();
  ++control.plans;
  return kOk;
}
API int cufftDestroy(int handle) {
  std::lock_guard lock(mutex);
  const auto plan = find(handle);
  if (!plan) return kInvalidPlan;
  if (plan->tables) cuMemFree_v2(plan->tables);
  plans.erase(handle);
  --control.plans;
  return kOk;
}
API int cufftGetVersion(int* version) { return *version = 12000, kOk; }
API int cufftSetAutoAllocation(int handle, int automatic) {
  ENTER();
  if (automatic) misuse("a plan allocates its own work area");
  return find(handle) ? kOk : kInvalidPlan;
}
API int cufftSetStream(int handle, void* stream) {
  ENTER();
  const auto plan = find(handle);
  if (!plan) return kInvalidPlan;
  plan->stream = stream;
  plan->caller = std::this_thread::get_id();
  return kOk;
}
API int cufftSetWorkArea(int handle, void* work) {
  for (int i = 0; i < 100; ++i) std::this_thread::yield();  // gives other threads a chance to interfere
  ENTER();
  const auto plan = find(handle);
  if (!plan) return kInvalidPlan;
  mind_caller(*plan);
  plan->work = work;
  return kOk;
}
API int cufftMakePlanMany64(int handle, int rank, long long* n, long long* in, long long in_stride,
                            long long in_distance, long long* out, long long out_stride, long long out_distance,
                            int type, long long batch, size_t* work_bytes) {
  ENTER();
  const auto plan = find(handle);
  if (!plan || rank < 1 || rank > 3) return kInvalidPlan;
  unsigned long long tables = 0;
  if (cuMemAlloc_v2(&tables, 64)) return kNoMemory;
  *plan = Plan{rank,       type,         {},    {},      {},      in_stride,          in_distance,
               out_stride, out_distance, batch, nullptr, nullptr, control.work_bytes, tables};
  for (int d = 0; d < rank; ++d) plan->n[size_t(d)] = n[d], plan->in[size_t(d)] = in[d], plan->out[size_t(d)] = out[d];
  *work_bytes = control.work_bytes;
  ++control.made;
  return kOk;
}
API int cufftExecC2C(int plan, void* from, void* to, int sign) { return execute(plan, kComplex, from, to, sign); }
API int cufftExecZ2Z(int plan, void* from, void* to, int sign) { return execute(plan, kComplexWide, from, to, sign); }
API int cufftExecR2C(int plan, void* from, void* to) { return execute(plan, kReal, from, to, -1); }
API int cufftExecD2Z(int plan, void* from, void* to) { return execute(plan, kRealWide, from, to, -1); }
API int cufftExecC2R(int plan, void* from, void* to) { return execute(plan, kToReal, from, to, 1); }
API int cufftExecZ2D(int plan, void* from, void* to) { return execute(plan, kToRealWide, from, to, 1); }
// Only the device library makes half-precision plans.
API int cufftXtMakePlanMany(int, int, long long*, long long*, long long, long long, int, long long*, long long,
                            long long, int, long long, size_t*, int) {
  return 16;
}
API int cufftXtExec(int, void*, void*, int) { return 16; }
