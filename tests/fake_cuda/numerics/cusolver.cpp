// tests/fake_cuda/numerics/cusolver.cpp: a libcusolver.so without a GPU: the routines that Tenon calls, computed on the
// host when the stream gets there. The driver is told what each reads and writes, its work area and the handle's own
// memory too: two streams that use either with nothing that orders them are a race. Work areas have exactly the size
// that was asked for, on the device and on the host.
#include "cusolver.hpp"
#include <atomic>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include "../control.hpp"
#include "../blas/factor.hpp"
#include "../quiet.hpp"

#define API extern "C" __attribute__((visibility("default")))

extern "C" bool fake_cuda_holds(const void* data, size_t bytes);

namespace {

using namespace fake_factor;
using fake_product::kComplex;
using fake_product::kDouble;
using fake_product::kDoubleComplex;
using fake_product::kFloat;

constexpr int kOk = 0, kInvalid = 3;
constexpr int kLower = 0;

struct Handle {
  void* stream = nullptr;
  std::atomic<int> callers{0};
  char own[256] = {};  // memory that its routines use between their kernels
};
struct Params {};

QuietMutex mutex;

FakeCusolver& control() {
  static FakeCusolver one;
  return one;
}

void misuse(const std::string& text) {
  if (!control().misuses++) std::snprintf(control().misuse, sizeof control().misuse, "%s", text.c_str());
}

// Whether this call must fail.
bool fails(const char* name, int& code) {
  std::lock_guard lock(mutex);
  FakeCusolver& c = control();
  ++c.calls;
  if (!c.fail_at || --c.fail_at) return false;
  std::snprintf(c.failed_call, sizeof c.failed_call, "%s", name);
  code = c.fail_code;
  if (c.for_ever) c.fail_at = 1;
  return true;
}
#define MAY_FAIL() \
  int code = kOk;  \
  if (fails(__func__, code)) return code

// Only one call at a time may use a handle: cuSOLVER has no lock of its own.
struct Caller {
  explicit Caller(Handle* h) : handle(h) {
    if (h->callers.fetch_add(1)) misuse("two calls use one cuSOLVER handle at the same time");
  }
  ~Caller() { handle->callers.fetch_sub(1); }
  Handle* handle;
};

size_t bytes_of(int type) { return type == kFloat ? 4 : type == kDoubleComplex ? 16 : 8; }
bool complex_type(int type) { return type == kComplex || type == kDoubleComplex; }

// The memory of m x n numbers that a routine accesses.
FakeAccess matrix(int type, const void* a, int64_t ld, int64_t m, int64_t n, bool write) {
  return {a, m && n ? size_t((n - 1) * ld + m) * bytes_of(type) : 0, write};
}

// The size that a routine requests, and the memory that it was given.
struct Work {
  void* device;
  size_t device_bytes;
  void* host;
  size_t host_bytes;
};
size_t device_size(int64_t m, int64_t n) { return size_t(64 + 8 * (m + n)); }
constexpr size_t kHost = 40;  // enough to detect that it is still valid

int ask(int64_t m, int64_t n, size_t* device, size_t* host, bool on_host) {
  *device = device_size(m, n);
  *host = on_host ? kHost : 0;
  return kOk;
}

// One call of a routine: checks its arguments, and enqueues it on the handle's stream. `run` returns the info.
struct Routine {
  const char* name;
  Handle* handle;
  std::vector<FakeAccess> touched;
  int* info;

  int put(const Work& work, size_t wanted, size_t wanted_on_host, std::function<int()> run) {
    if (work.device_bytes != wanted || (wanted && !fake_cuda_holds(work.device, wanted))) {
      misuse(std::string(name) + " got another work area than it asked for");
      return kInvalid;
    }
    if (work.host_bytes != wanted_on_host) {
      misuse(std::string(name) + " got another work area on the host than it asked for");
      return kInvalid;
    }
    Caller caller(handle);
    {
      std::lock_guard lock(mutex);
      std::snprintf(control().last_routine, sizeof control().last_routine, "%s", name);
    }
    if (wanted) touched.push_back({work.device, wanted, true});
    touched.push_back({handle->own, sizeof handle->own, true});
    touched.push_back({info, sizeof *info, true});
    // A word that the next owner of the host memory overwrites.
    const uint64_t word = 0x7e4011fa4c0de5ull;
    if (wanted_on_host) std::memcpy(static_cast<char*>(work.host) + 16, &word, sizeof word);
    const bool gives_up = control().gives_up_in && std::strstr(name, control().gives_up_in);
    const auto all = [=, given_up = gives_up ? control().info : 0, run = std::move(run), name = name, info = info,
                      list = touched] {
      for (const FakeAccess& access : list)
        if (access.bytes && access.data != list[list.size() - 2].data && !fake_cuda_holds(access.data, access.bytes))
          return misuse(std::string(name) + " ran on memory that was freed");
      if (wanted_on_host && std::memcmp(static_cast<char*>(work.host) + 16, &word, sizeof word) != 0)
        misuse(std::string(name) + "'s work area on the host was given back while it was used");
      if (wanted) std::memset(work.device, 0xcd, wanted);
      *info = given_up ? given_up : run();
    };
    fake_cuda_run(handle->stream, name, touched.data(), touched.size(), all);
    return kOk;
  }
};

bool economy_fits(int64_t m, int64_t n) { return m >= n; }

}  // namespace

API FakeCusolver* fake_cusolver() { return &control(); }

API int cusolverGetVersion(int* version) {
  *version = 12000;
  return kOk;
}
API int cusolverDnCreate(Handle** out) {
  MAY_FAIL();
  std::lock_guard lock(mutex);
  *out = new Handle;
  ++control().handles;
  ++control().made;
  return kOk;
}
API int cusolverDnDestroy(Handle* handle) {
  std::lock_guard lock(mutex);
  --control().handles;
  return delete handle, kOk;
}
API int cusolverDnSetStream(Handle* handle, void* stream) {
  MAY_FAIL();
  Caller caller(handle);
  handle->stream = stream;
  return kOk;
}
API int cusolverDnCreateParams(Params** out) {
  MAY_FAIL();
  std::lock_guard lock(mutex);
  *out = new Params;
  ++control().params;
  return kOk;
}
API int cusolverDnDestroyParams(Params* params) {
  std::lock_guard lock(mutex);
  --control().params;
  return delete params, kOk;
}

// ---- LU

API int cusolverDnXgetrf_bufferSize(Handle*, Params*, int64_t m, int64_t n, int, const void*, int64_t, int,
                                    size_t* device, size_t* host) {
  MAY_FAIL();
  return ask(m, n, device, host, false);
}
API int cusolverDnXgetrf(Handle* handle, Params*, int64_t m, int64_t n, int type, void* a, int64_t ld, int64_t* pivots,
                         int, void* work, size_t bytes, void* host, size_t host_bytes, int* info) {
  MAY_FAIL();
  const int64_t k = std::min(m, n);
  Routine routine{__func__, handle, {matrix(type, a, ld, m, n, true), {pivots, size_t(k) * 8, true}}, info};
  return routine.put({work, bytes, host, host_bytes}, device_size(m, n), 0, [=] {
    Matrix x = load(type, a, ld, m, n);
    std::vector<int64_t> p;
    const int result = lu(x, p);
    store(x, type, a, ld);
    std::copy(p.begin(), p.end(), pivots);
    return result;
  });
}
API int cusolverDnXgetrs(Handle* handle, Params*, int op, int64_t n, int64_t columns, int type, const void* a,
                         int64_t ld, const int64_t* pivots, int type_b, void* b, int64_t ldb, int* info) {
  MAY_FAIL();
  Routine routine{
      __func__,
      handle,
      {matrix(type, a, ld, n, n, false), {pivots, size_t(n) * 8, false}, matrix(type_b, b, ldb, n, columns, true)},
      info};
  return routine.put({}, 0, 0, [=] {
    Matrix x = load(type_b, b, ldb, n, columns);
    lu_solve(load(type, a, ld, n, n), pivots, op, x);
    store(x, type_b, b, ldb);
    return 0;
  });
}

// ---- Cholesky

API int cusolverDnXpotrf_bufferSize(Handle*, Params*, int, int64_t n, int, const void*, int64_t, int, size_t* device,
                                    size_t* host) {
  MAY_FAIL();
  return ask(n, n, device, host, true);
}
API int cusolverDnXpotrf(Handle* handle, Params*, int uplo, int64_t n, int type, void* a, int64_t ld, int, void* work,
                         size_t bytes, void* host, size_t host_bytes, int* info) {
  MAY_FAIL();
  Routine routine{__func__, handle, {matrix(type, a, ld, n, n, true)}, info};
  return routine.put({work, bytes, host, host_bytes}, device_size(n, n), kHost, [=] {
    Matrix x = load(type, a, ld, n, n);
    const int result = cholesky(x, uplo == kLower);
    store(x, type, a, ld);
    return result;
  });
}
API int cusolverDnXpotrs(Handle* handle, Params*, int uplo, int64_t n, int64_t columns, int type, const void* a,
                         int64_t ld, int type_b, void* b, int64_t ldb, int* info) {
  MAY_FAIL();
  Routine routine{__func__, handle, {matrix(type, a, ld, n, n, false), matrix(type_b, b, ldb, n, columns, true)}, info};
  return routine.put({}, 0, 0, [=] {
    const Matrix factor = load(type, a, ld, n, n);
    Matrix x = load(type_b, b, ldb, n, columns);
    for (const bool first : {true, false})
      solve_triangle(factor, uplo == kLower, (uplo == kLower) == first ? 0 : 2, false, x);
    store(x, type_b, b, ldb);
    return 0;
  });
}

namespace {

// The list of addresses is read, and the matrices are changed, when the routine runs.
int cholesky_of_many(const char* name, int type, Handle* handle, int uplo, int n, void** a, int ld, int* info,
                     int batch) {
  const auto work = [=] {
    for (int g = 0; g < batch; ++g) {
      Matrix x = load(type, a[g], ld, n, n);
      info[g] = cholesky(x, uplo == kLower);
      store(x, type, a[g], ld);
    }
    return info[0];
  };
  Routine routine{name, handle, {{a, size_t(batch) * 8, false}, {info, size_t(batch) * 4, true}}, info};
  return routine.put({}, 0, 0, work);
}

}  // namespace

#define CHOLESKY_OF_MANY(letter, type)                                                                                \
  API int cusolverDn##letter##potrfBatched(Handle* handle, int uplo, int n, void** a, int ld, int* info, int batch) { \
    MAY_FAIL();                                                                                                       \
    return cholesky_of_many(__func__, type, handle, uplo, n, a, ld, info, batch);                                     \
  }
CHOLESKY_OF_MANY(S, kFloat)
CHOLESKY_OF_MANY(D, kDouble)
CHOLESKY_OF_MANY(C, kComplex)
CHOLESKY_OF_MANY(Z, kDoubleComplex)

// ---- QR

API int cusolverDnXgeqrf_bufferSize(Handle*, Params*, int64_t m, int64_t n, int, const void*, int64_t, int, const void*,
                                    int, size_t* device, size_t* host) {
  MAY_FAIL();
  return ask(m, n, device, host, true);
}
API int cusolverDnXgeqrf(Handle* handle, Params*, int64_t m, int64_t n, int type, void* a, int64_t ld, int type_tau,
                         void* tau, int, void* work, size_t bytes, void* host, size_t host_bytes, int* info) {
  MAY_FAIL();
  Routine routine{__func__,
                  handle,
                  {matrix(type, a, ld, m, n, true), matrix(type_tau, tau, std::min(m, n), std::min(m, n), 1, true)},
                  info};
  return routine.put({work, bytes, host, host_bytes}, device_size(m, n), kHost, [=] {
    Matrix x = load(type, a, ld, m, n);
    const std::vector<Number> t = qr(x);
    store(x, type, a, ld);
    for (size_t i = 0; i < t.size(); ++i) fake_product::put(type_tau, tau, int64_t(i), t[i]);
    return 0;
  });
}

namespace {

int form_q(const char* name, int type, Handle* handle, int m, int n, int k, void* a, int ld, const void* tau,
           void* work, int elements, int* info) {
  Routine routine{name, handle, {matrix(type, a, ld, m, n, true), matrix(type, tau, k, k, 1, false)}, info};
  if (elements != n + 3) return misuse(std::string(name) + " got another work area than it asked for"), kInvalid;
  const size_t bytes = size_t(elements) * bytes_of(type);
  return routine.put({work, bytes, nullptr, 0}, bytes, 0, [=] {
    std::vector<Number> t;
    for (int i = 0; i < k; ++i) t.push_back(fake_product::get(type, tau, i));
    store(qr_vectors(load(type, a, ld, m, n), t, n), type, a, ld);
    return 0;
  });
}

}  // namespace

#define FORM_Q(name, type)                                                                                        \
  API int cusolverDn##name##_bufferSize(Handle*, int, int n, int, const void*, int, const void*, int* elements) { \
    MAY_FAIL();                                                                                                   \
    *elements = n + 3;                                                                                            \
    return kOk;                                                                                                   \
  }                                                                                                               \
  API int cusolverDn##name(Handle* handle, int m, int n, int k, void* a, int ld, const void* tau, void* work,     \
                           int elements, int* info) {                                                             \
    MAY_FAIL();                                                                                                   \
    return form_q(__func__, type, handle, m, n, k, a, ld, tau, work, elements, info);                             \
  }
FORM_Q(Sorgqr, kFloat)
FORM_Q(Dorgqr, kDouble)
FORM_Q(Cungqr, kComplex)
FORM_Q(Zungqr, kDoubleComplex)

// ---- Eigenvalues

namespace {

// first, last: counted from 1. The selected values and vectors come first.
int eigen(int type, int type_w, bool vectors, bool lower, int64_t n, void* a, int64_t ld, void* w, int64_t first,
          int64_t last) {
  Matrix x = load(type, a, ld, n, n), v;
  std::vector<double> values = hermitian(x, lower, v);
  if (!vectors && lower && control().wrong_by != 0) values[0] += control().wrong_by, ++control().wrong;
  for (int64_t i = first; i <= last; ++i) fake_product::put(type_w, w, i - first, values[size_t(i - 1)]);
  std::vector<size_t> order(static_cast<size_t>(last - first + 1));
  std::iota(order.begin(), order.end(), size_t(first - 1));
  if (vectors) store(chosen(v, order), type, a, ld);
  return 0;
}

}  // namespace

API int cusolverDnXsyevd_bufferSize(Handle*, Params*, int, int, int64_t n, int, const void*, int64_t, int, const void*,
                                    int, size_t* device, size_t* host) {
  MAY_FAIL();
  return ask(n, n, device, host, true);
}
API int cusolverDnXsyevd(Handle* handle, Params*, int job, int uplo, int64_t n, int type, void* a, int64_t ld,
                         int type_w, void* w, int, void* work, size_t bytes, void* host, size_t host_bytes, int* info) {
  MAY_FAIL();
  Routine routine{__func__, handle, {matrix(type, a, ld, n, n, true), matrix(type_w, w, n, n, 1, true)}, info};
  return routine.put({work, bytes, host, host_bytes}, device_size(n, n), kHost,
                     [=] { return eigen(type, type_w, job, uplo == kLower, n, a, ld, w, 1, n); });
}
API int cusolverDnXsyevdx_bufferSize(Handle*, Params*, int, int, int, int64_t n, int, const void*, int64_t, void*,
                                     void*, int64_t, int64_t, int64_t*, int, const void*, int, size_t* device,
                                     size_t* host) {
  MAY_FAIL();
  return ask(n, n, device, host, true);
}
API int cusolverDnXsyevdx(Handle* handle, Params*, int job, int range, int uplo, int64_t n, int type, void* a,
                          int64_t ld, void*, void*, int64_t first, int64_t last, int64_t* found, int type_w, void* w,
                          int, void* work, size_t bytes, void* host, size_t host_bytes, int* info) {
  MAY_FAIL();
  if (range != 1002 || first < 1 || last > n || first > last) return kInvalid;
  Routine routine{__func__, handle, {matrix(type, a, ld, n, n, true), matrix(type_w, w, n, n, 1, true)}, info};
  return routine.put({work, bytes, host, host_bytes}, device_size(n, n), kHost, [=] {
    *found = last - first + 1;
    return eigen(type, type_w, job, uplo == kLower, n, a, ld, w, first, last);
  });
}
API int cusolverDnXsyevBatched_bufferSize(Handle*, Params*, int, int, int64_t n, int, const void*, int64_t, int,
                                          const void*, int, size_t* device, size_t* host, int64_t batch) {
  MAY_FAIL();
  return batch > control().batch_limit ? kInvalid : ask(n, n + batch, device, host, false);
}
API int cusolverDnXsyevBatched(Handle* handle, Params*, int job, int uplo, int64_t n, int type, void* a, int64_t ld,
                               int type_w, void* w, int, void* work, size_t bytes, void* host, size_t host_bytes,
                               int* info, int64_t batch) {
  MAY_FAIL();
  if (batch > control().batch_limit || ld != n) return kInvalid;
  const size_t step = bytes_of(type) * size_t(n * n), step_w = bytes_of(type_w) * size_t(n);
  Routine routine{__func__,
                  handle,
                  {{a, step * size_t(batch), true}, {w, step_w * size_t(batch), true}, {info, size_t(batch) * 4, true}},
                  info};
  return routine.put({work, bytes, host, host_bytes}, device_size(n, n + batch), 0, [=] {
    for (int64_t g = 0; g < batch; ++g)
      info[g] = eigen(type, type_w, job, uplo == kLower, n, static_cast<char*>(a) + step * size_t(g), ld,
                      static_cast<char*>(w) + step_w * size_t(g), 1, n);
    return info[0];
  });
}

namespace {

// For a real matrix: pairs are adjacent, with the positive imaginary part first; the two columns are the real and
// imaginary part of that vector.
void pack_real(std::vector<Number>& values, Matrix& v, double size) {
  const Matrix from = v;
  std::vector<Number> out;
  for (size_t i = 0; i < values.size(); ++i) {
    const bool pair = std::abs(values[i].imag()) > 1e-9 * size;
    if (pair && values[i].imag() < 0) continue;
    const int64_t to = int64_t(out.size()), at = int64_t(i);
    Number turn = 1;
    if (!pair) {  // a multiple of a real vector
      int64_t most = 0;
      for (int64_t k = 0; k < from.m; ++k)
        if (std::abs(from(k, at)) > std::abs(from(most, at))) most = k;
      turn = std::conj(from(most, at)) / std::abs(from(most, at));
    }
    for (int64_t k = 0; k < from.m; ++k) {
      const Number x = from(k, at) * turn;
      v(k, to) = x.real();
      if (pair) v(k, to + 1) = x.imag();
    }
    out.push_back(pair ? values[i] : values[i].real());
    if (pair) out.push_back(std::conj(values[i]));
  }
  values = out;
}

}  // namespace

API int cusolverDnXgeev_bufferSize(Handle*, Params*, int, int, int64_t n, int, const void*, int64_t, int, const void*,
                                   int, const void*, int64_t, int, const void*, int64_t, int, size_t* device,
                                   size_t* host) {
  MAY_FAIL();
  return ask(n, n, device, host, true);
}
API int cusolverDnXgeev(Handle* handle, Params*, int left_job, int job, int64_t n, int type, void* a, int64_t ld,
                        int type_w, void* w, int, void*, int64_t, int type_right, void* right, int64_t ldr, int,
                        void* work, size_t bytes, void* host, size_t host_bytes, int* info) {
  MAY_FAIL();
  if (left_job || !complex_type(type_w)) return kInvalid;
  Routine routine{__func__, handle, {matrix(type, a, ld, n, n, true), matrix(type_w, w, n, n, 1, true)}, info};
  if (job) routine.touched.push_back(matrix(type_right, right, ldr, n, n, true));
  return routine.put({work, bytes, host, host_bytes}, device_size(n, n), kHost, [=] {
    const Matrix x = load(type, a, ld, n, n);
    double size = 0;
    for (const Number& number : x.data) size = std::max(size, std::abs(number));
    Matrix v;
    std::vector<Number> values = general(x, v);
    if (!complex_type(type)) pack_real(values, v, size);
    for (int64_t i = 0; i < n; ++i) fake_product::put(type_w, w, i, values[size_t(i)]);
    if (job) store(v, type_right, right, ldr);
    return 0;
  });
}

// ---- Singular values

namespace {

// conjugated: returns V^H.
int singular(int type, int type_s, int64_t m, int64_t n, const void* a, int64_t ld, void* s, void* u, int64_t ldu,
             int64_t u_columns, void* v, int64_t ldv, bool conjugated) {
  Matrix left, right;
  const std::vector<double> values = svd(load(type, a, ld, m, n), std::max(u_columns, n), left, right);
  for (int64_t i = 0; i < n; ++i) fake_product::put(type_s, s, i, values[size_t(i)]);
  if (!u_columns) return 0;
  store(left, type, u, ldu);
  Matrix out = right;
  if (conjugated)
    for (int64_t j = 0; j < n; ++j)
      for (int64_t i = 0; i < n; ++i) out(i, j) = std::conj(right(j, i));
  store(out, type, v, ldv);
  return 0;
}

}  // namespace

API int cusolverDnXgesvd_bufferSize(Handle*, Params*, signed char, signed char, int64_t m, int64_t n, int, const void*,
                                    int64_t, int, const void*, int, const void*, int64_t, int, const void*, int64_t,
                                    int, size_t* device, size_t* host) {
  MAY_FAIL();
  return economy_fits(m, n) ? ask(m, n, device, host, true) : kInvalid;
}
API int cusolverDnXgesvd(Handle* handle, Params*, signed char job_u, signed char job_v, int64_t m, int64_t n, int type,
                         void* a, int64_t ld, int type_s, void* s, int type_u, void* u, int64_t ldu, int, void* v,
                         int64_t ldv, int, void* work, size_t bytes, void* host, size_t host_bytes, int* info) {
  MAY_FAIL();
  if (!economy_fits(m, n) || (job_u == 'N') != (job_v == 'N')) return kInvalid;
  const int64_t columns = job_u == 'A' ? m : job_u == 'S' ? n : 0;
  Routine routine{__func__, handle, {matrix(type, a, ld, m, n, true), matrix(type_s, s, n, n, 1, true)}, info};
  if (columns)
    routine.touched.insert(routine.touched.end(),
                           {matrix(type_u, u, ldu, m, columns, true), matrix(type, v, ldv, n, n, true)});
  return routine.put({work, bytes, host, host_bytes}, device_size(m, n), kHost,
                     [=] { return singular(type, type_s, m, n, a, ld, s, u, ldu, columns, v, ldv, true); });
}
API int cusolverDnXgesvdp_bufferSize(Handle*, Params*, int, int, int64_t m, int64_t n, int, const void*, int64_t, int,
                                     const void*, int, const void*, int64_t, int, const void*, int64_t, int,
                                     size_t* device, size_t* host) {
  MAY_FAIL();
  return economy_fits(m, n) ? ask(m, n, device, host, true) : kInvalid;
}
// The error estimate is in host memory, and is valid when the stream has reached it.
API int cusolverDnXgesvdp(Handle* handle, Params*, int job, int economy, int64_t m, int64_t n, int type, void* a,
                          int64_t ld, int type_s, void* s, int type_u, void* u, int64_t ldu, int, void* v, int64_t ldv,
                          int, void* work, size_t bytes, void* host, size_t host_bytes, int* info,
                          double* error_sigma) {
  MAY_FAIL();
  const int64_t columns = !job ? 0 : economy ? n : m;
  Routine routine{__func__, handle, {matrix(type, a, ld, m, n, true), matrix(type_s, s, n, n, 1, true)}, info};
  if (columns)
    routine.touched.insert(routine.touched.end(),
                           {matrix(type_u, u, ldu, m, columns, true), matrix(type, v, ldv, n, n, true)});
  return routine.put({work, bytes, host, host_bytes}, device_size(m, n), kHost, [=] {
    *error_sigma = control().error_sigma;
    return singular(type, type_s, m, n, a, ld, s, u, ldu, columns, v, ldv, false);
  });
}

// ---- Symmetric matrices that need not be definite

namespace {

int factor_indefinite(const char* name, int type, Handle* handle, int uplo, int n, void* a, int ld, int* pivots,
                      void* work, int elements, int* info) {
  if (elements != 2 * n + 5) return misuse(std::string(name) + " got another work area than it asked for"), kInvalid;
  const size_t bytes = size_t(elements) * bytes_of(type);
  Routine routine{name, handle, {matrix(type, a, ld, n, n, true), {pivots, size_t(n) * 4, true}}, info};
  return routine.put({work, bytes, nullptr, 0}, bytes, 0, [=] {
    Matrix x = load(type, a, ld, n, n);
    std::vector<int64_t> p;
    const int result = indefinite(x, uplo != kLower, p);
    store(x, type, a, ld);
    std::copy(p.begin(), p.end(), pivots);
    return result;
  });
}

}  // namespace

#define INDEFINITE(letter, type)                                                                               \
  API int cusolverDn##letter##sytrf_bufferSize(Handle*, int n, void*, int, int* elements) {                    \
    MAY_FAIL();                                                                                                \
    *elements = 2 * n + 5;                                                                                     \
    return kOk;                                                                                                \
  }                                                                                                            \
  API int cusolverDn##letter##sytrf(Handle* handle, int uplo, int n, void* a, int ld, int* pivots, void* work, \
                                    int elements, int* info) {                                                 \
    MAY_FAIL();                                                                                                \
    return factor_indefinite(__func__, type, handle, uplo, n, a, ld, pivots, work, elements, info);            \
  }
INDEFINITE(S, kFloat)
INDEFINITE(D, kDouble)
INDEFINITE(C, kComplex)
INDEFINITE(Z, kDoubleComplex)

API int cusolverDnXsytrs_bufferSize(Handle*, int, int64_t n, int64_t columns, int, const void*, int64_t, const int64_t*,
                                    int, void*, int64_t, size_t* device, size_t* host) {
  MAY_FAIL();
  return ask(n, columns, device, host, false);
}
API int cusolverDnXsytrs(Handle* handle, int uplo, int64_t n, int64_t columns, int type, const void* a, int64_t ld,
                         const int64_t* pivots, int type_b, void* b, int64_t ldb, void* work, size_t bytes, void* host,
                         size_t host_bytes, int* info) {
  MAY_FAIL();
  Routine routine{
      __func__,
      handle,
      {matrix(type, a, ld, n, n, false), {pivots, size_t(n) * 8, false}, matrix(type_b, b, ldb, n, columns, true)},
      info};
  return routine.put({work, bytes, host, host_bytes}, device_size(n, columns), 0, [=] {
    Matrix x = load(type_b, b, ldb, n, columns);
    indefinite_solve(load(type, a, ld, n, n), uplo != kLower, pivots, x);
    store(x, type_b, b, ldb);
    return 0;
  });
}
