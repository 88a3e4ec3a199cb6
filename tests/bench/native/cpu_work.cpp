// tests/bench/native/cpu_work.cpp: copies, products, transforms and decompositions on the CPU device, each beside what
// the machine or the library does alone. Prints a table; with a file name, writes JSON there.
//
// Both sides of a row run alternately, and the best time of each counts, so that a busy machine disturbs both equally.
#include <dlfcn.h>
#include <tenon/tenon.h>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <vector>
#include "../../arguments.hpp"
#include "compare.hpp"

namespace {

using namespace bench;
using test::into;
using test::number;
using Int = int64_t;  // a library with 32-bit integers reads the lower half

tenon_device* device;

tenon_array* array(uint32_t dtype, std::vector<int64_t> shape) {
  int64_t size = (dtype & 0xff) == 5 ? 2 : 1;
  for (int64_t n : shape) size *= n;
  std::mt19937 random(1);
  std::uniform_real_distribution<float> in(-1, 1);
  std::vector<float> narrow(static_cast<size_t>(size));
  for (float& x : narrow) x = in(random);
  std::vector<double> wide;
  const void* data = narrow.data();
  uint64_t bytes = narrow.size() * 4;
  if (dtype == TENON_FLOAT64 || dtype == TENON_COMPLEX128) {
    wide.assign(narrow.begin(), narrow.end());
    data = wide.data();
    bytes *= 2;
  }
  tenon_array* out = nullptr;
  check(tenon_array_from_host(device, dtype, int32_t(shape.size()), shape.data(), data, bytes, nullptr, &out));
  return out;
}

template <class T> T* data(tenon_array* x) {
  tenon_array_info info{};
  info.struct_size = sizeof info;
  check(tenon_array_get_info(x, &info));
  return static_cast<T*>(info.data);
}

tenon_array* transposed(tenon_array* x) {
  tenon_array* out = nullptr;
  check(tenon_array_transpose(x, 2, nullptr, &out));
  return out;
}

void copies() {
  const int64_t n = 6144;
  tenon_array *a = array(TENON_FLOAT32, {n, n}), *b = array(TENON_FLOAT32, {n, n});
  const size_t bytes = size_t(n * n) * 4;
  const unsigned threads = std::max(1u, std::thread::hardware_concurrency());
  const auto plain = [&] {
    std::vector<std::thread> team;
    for (unsigned t = 0; t < threads; ++t)
      team.emplace_back([&, t] {
        const size_t first = bytes / threads * t;
        std::memcpy(data<char>(b) + first, data<char>(a) + first, bytes / threads);
      });
    for (std::thread& thread : team) thread.join();
  };
  compare("copy, 6144^2 f32", "memcpy on all threads", [&] { check(tenon_array_copy(b, a, nullptr)); }, plain);
  tenon_array* turned = transposed(a);
  compare(
      "transposed copy, 6144^2 f32", "memcpy on all threads", [&] { check(tenon_array_copy(b, turned, nullptr)); },
      plain);
  tenon_array* half = nullptr;
  check(tenon_array_convert(a, TENON_FLOAT16, device, nullptr, &half));
  compare("f32 to f16, 6144^2", "memcpy of f32", [&] { check(tenon_array_copy(half, a, nullptr)); }, plain);
  compare(
      "fill, 6144^2 f32", "memset on one thread", [&] { check(tenon_array_fill(b, number(1.5), nullptr)); },
      [&] { std::memset(data<char>(b), 1, bytes); });
  for (tenon_array* x : {a, b, turned, half}) tenon_array_release(x);
}

// A kernel of one double function, compared with the plain loop over libm's function, on all threads.
void functions() {
  const int64_t n = 10000000;
  const unsigned threads = std::max(1u, std::thread::hardware_concurrency());
  struct Case {
    const char* name;
    const char* expression;
    double (*plain)(double);
    double scale;
  };
  const Case cases[] = {
      {"sigmoid, 1e7 f64", "1 / (1 + exp(-v))", [](double v) { return 1 / (1 + std::exp(-v)); }, 30},
      {"exp, 1e7 f64", "exp(v)", [](double v) { return std::exp(v); }, 30},
      {"log, 1e7 f64", "log(v)", [](double v) { return std::log(v); }, 30},
      {"sin, 1e7 f64", "sin(v)", [](double v) { return std::sin(v); }, 30},
      {"cos, 1e7 f64", "cos(v)", [](double v) { return std::cos(v); }, 30},
      {"tanh, 1e7 f64", "tanh(v)", [](double v) { return std::tanh(v); }, 5},
      {"pow, 1e7 f64", "pow(v, 2.3)", [](double v) { return std::pow(v, 2.3); }, 30},
  };
  tenon_array *x = array(TENON_FLOAT64, {n}), *y = array(TENON_FLOAT64, {n});
  const double* in = data<double>(x);
  double* out = data<double>(y);
  for (const Case& c : cases) {
    const std::string text =
        std::string(
            "extern \"C\" __global__ void f(const double* x, double* y, double scale, int n) {\n"
            "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i >= n) return;\n  double v = fabs(x[i]) * scale;\n  y[i] = ") +
        c.expression + ";\n}\n";
    const char* names[] = {"f"};
    tenon_program_options options{};
    options.struct_size = sizeof options;
    options.kernels = names, options.kernel_count = 1;
    tenon_program* program = nullptr;
    tenon_kernel* kernel = nullptr;
    check(tenon_program_create(device, text.data(), text.size(), &options, &program));
    check(tenon_program_kernel(program, "f", &kernel));
    tenon_launch launch{};
    launch.struct_size = sizeof launch;
    launch.grid[0] = uint32_t((n + 255) / 256), launch.block[0] = 256;
    tenon_arg args[4] = {};
    args[0].kind = args[1].kind = TENON_ARG_ARRAY;
    args[0].value.array = x, args[1].value.array = y;
    args[2].kind = args[3].kind = TENON_ARG_SCALAR;
    args[2].dtype = TENON_FLOAT64, args[2].size = 8, args[3].dtype = TENON_INT32, args[3].size = 4;
    const int32_t count = int32_t(n);
    std::memcpy(&args[2].value, &c.scale, 8);
    std::memcpy(&args[3].value, &count, 4);
    const auto plain = [&] {
      std::vector<std::thread> team;
      for (unsigned t = 0; t < threads; ++t)
        team.emplace_back([&, t] {
          for (int64_t i = n / threads * t; i < n / threads * (t + 1); ++i)
            out[i] = c.plain(std::fabs(in[i]) * c.scale);
        });
      for (std::thread& thread : team) thread.join();
    };
    compare(
        c.name, "libm on all threads", [&] { check(tenon_kernel_launch(kernel, &launch, args, 4, nullptr)); }, plain);
    tenon_kernel_release(kernel);
    tenon_program_release(program);
  }
  for (tenon_array* a : {x, y}) tenon_array_release(a);
}

template <class F> F symbol(void* library, const char* name) { return reinterpret_cast<F>(dlsym(library, name)); }

void products(void* blas) {
  using Gemm = void (*)(const char*, const char*, const Int*, const Int*, const Int*, const void*, const void*,
                        const Int*, const void*, const Int*, const void*, void*, const Int*);
  struct Case {
    uint32_t dtype;
    const char* name;
    const char* routine;
    int64_t n;
  };
  for (const Case& c : {Case{TENON_FLOAT32, "f32", "sgemm_", 64},
                        {TENON_FLOAT32, "f32", "sgemm_", 256},
                        {TENON_FLOAT32, "f32", "sgemm_", 2048},
                        {TENON_FLOAT64, "f64", "dgemm_", 1024},
                        {TENON_COMPLEX64, "c64", "cgemm_", 1024},
                        {TENON_COMPLEX128, "c128", "zgemm_", 512}}) {
    tenon_array *x = array(c.dtype, {c.n, c.n}), *y = array(c.dtype, {c.n, c.n}), *z = array(c.dtype, {c.n, c.n});
    const Gemm gemm = blas ? symbol<Gemm>(blas, c.routine) : nullptr;
    const double one64[2] = {1, 0}, zero64[2] = {0, 0};
    const float one32[2] = {1, 0}, zero32[2] = {0, 0};
    const bool wide = c.dtype == TENON_FLOAT64 || c.dtype == TENON_COMPLEX128;
    const Int n = c.n;
    void *px = data<void>(x), *py = data<void>(y), *pz = data<void>(z);
    const std::function<void()> bare = [&] {
      gemm("N", "N", &n, &n, &n, wide ? static_cast<const void*>(one64) : one32, py, &n, px, &n,
           wide ? static_cast<const void*>(zero64) : zero32, pz, &n);
    };
    compare(
        "gemm " + std::string(c.name) + " " + std::to_string(c.n), std::string("OpenBLAS ") + c.routine,
        [&] { check(tenon_gemm(nullptr, x, y, nullptr, nullptr, nullptr, into(z))); }, gemm ? bare : nullptr);
    for (tenon_array* each : {x, y, z}) tenon_array_release(each);
  }
  tenon_array *x = array(TENON_FLOAT32, {10000, 16, 16}), *y = array(TENON_FLOAT32, {10000, 16, 16}),
              *z = array(TENON_FLOAT32, {10000, 16, 16});
  const Gemm gemm = blas ? symbol<Gemm>(blas, "sgemm_") : nullptr;
  const std::function<void()> loop = [&] {
    const Int n = 16;
    const float one = 1, zero = 0;
    for (int64_t i = 0; i < 10000; ++i)
      gemm("N", "N", &n, &n, &n, &one, data<float>(y) + i * 256, &n, data<float>(x) + i * 256, &n, &zero,
           data<float>(z) + i * 256, &n);
  };
  compare(
      "gemm f32, 10000 x 16 x 16", "OpenBLAS in a loop",
      [&] { check(tenon_gemm(nullptr, x, y, nullptr, nullptr, nullptr, into(z))); }, gemm ? loop : nullptr);
  for (tenon_array* each : {x, y, z}) tenon_array_release(each);
  tenon_array *h = nullptr, *k = nullptr, *l = nullptr, *f = array(TENON_FLOAT32, {2048, 2048});
  for (tenon_array** each : {&h, &k, &l}) check(tenon_array_convert(f, TENON_FLOAT16, device, nullptr, each));
  compare("gemm f16 2048", "", [&] { check(tenon_gemm(nullptr, h, k, nullptr, nullptr, nullptr, into(l))); }, nullptr);
  for (tenon_array* each : {h, k, l, f}) tenon_array_release(each);
}

void decompositions(void* blas) {
  using Gesdd = void (*)(const char*, const Int*, const Int*, double*, const Int*, double*, double*, const Int*,
                         double*, const Int*, double*, const Int*, Int*, Int*, size_t);
  const Gesdd gesdd = blas ? symbol<Gesdd>(blas, "dgesdd_") : nullptr;
  for (const auto& [rows_, cols_] : {std::pair<int64_t, int64_t>{100, 100}, {600, 600}, {3000, 200}, {200, 3000}}) {
    const Int m = rows_, n = cols_, k = std::min(m, n);
    tenon_array* a = array(TENON_FLOAT64, {m, n});
    // "Bare" is the work of a caller with column-major data, including the copy of a and the workspace.
    std::vector<double> kept(size_t(m * n)), s(static_cast<size_t>(k)), u(size_t(m * k)), vt(size_t(k * n)), work;
    std::vector<Int> iwork(size_t(8 * k));
    const std::function<void()> bare = [&] {
      std::memcpy(kept.data(), data<double>(a), kept.size() * 8);
      double size = 0;
      Int lwork = -1, info = 0;
      gesdd("S", &m, &n, kept.data(), &m, s.data(), u.data(), &m, vt.data(), &k, &size, &lwork, iwork.data(), &info, 1);
      lwork = Int(size);
      work.resize(size_t(lwork));
      gesdd("S", &m, &n, kept.data(), &m, s.data(), u.data(), &m, vt.data(), &k, work.data(), &lwork, iwork.data(),
            &info, 1);
    };
    const tenon_svd_options options{sizeof options, TENON_SVD_MODE_ECONOMY};
    compare(
        "svd f64 " + std::to_string(m) + " x " + std::to_string(n), "OpenBLAS dgesdd",
        [&] {
          tenon_array *ou = nullptr, *os = nullptr, *ov = nullptr;
          check(tenon_svd(a, &options, nullptr, &ou, &os, &ov));
          for (tenon_array* x : {ou, os, ov}) tenon_array_release(x);
        },
        gesdd ? bare : nullptr);
    tenon_array_release(a);
  }
}

void transforms() {
  for (int64_t n : {256, 1024, 4096}) {
    tenon_array *a = array(TENON_COMPLEX64, {n, n}), *b = array(TENON_COMPLEX64, {n, n});
    if (tenon_fft(a, nullptr, 2, nullptr, nullptr, into(b)) == TENON_ERROR_UNSUPPORTED) {
      std::printf("fft: %s\n", tenon_error_last_message());
      return;
    }
    compare(
        "fft2 c64 " + std::to_string(n) + "^2", "", [&] { check(tenon_fft(a, nullptr, 2, nullptr, nullptr, into(b))); },
        nullptr);
    tenon_array_release(a);
    tenon_array_release(b);
  }
}

void write_json(const char* path) {
  std::FILE* file = std::fopen(path, "w");
  if (!file) return;
  std::fprintf(file, "[");
  for (size_t i = 0; i < rows.size(); ++i)
    std::fprintf(file,
                 "%s\n {\"name\": \"%s\", \"milliseconds\": %.6f, \"alone\": \"%s\", \"alone_milliseconds\": %.6f}",
                 i ? "," : "", rows[i].name.c_str(), rows[i].tenon * 1e3, rows[i].alone_name.c_str(),
                 rows[i].alone < 1e9 ? rows[i].alone * 1e3 : 0);
  std::fprintf(file, "\n]\n");
  std::fclose(file);
}

}  // namespace

int main(int argc, char** argv) {
  check(tenon_context_device(nullptr, "cpu:0", &device));
  const char* description = nullptr;
  check(tenon_device_description(device, &description));
  std::printf("%s, %u processors; ratio: alone / Tenon\n", description, std::thread::hardware_concurrency());
  // The library that Tenon prefers; both sides use the same copy of it in the process.
  const char* path = std::getenv("TENON_BLAS");
  void* blas = dlopen(path ? path : "libopenblas64.so.0", RTLD_NOW | RTLD_LOCAL);
  copies();
  functions();
  products(blas);
  decompositions(blas);
  transforms();
  if (argc > 1) write_json(argv[1]);
  tenon_device_release(device);
}
