// Every host allocation may fail: the call says so, nothing is lost, and the same call works afterwards. malloc is
// interposed here; the library's own operator new ends in it.
#include <dlfcn.h>

#include <atomic>

#include "support.hpp"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
TEST(AllocationFailure, needs_its_own_malloc) { GTEST_SKIP() << "a sanitizer owns malloc in this build"; }
#else

namespace {
std::atomic<long> g_countdown{-1};  // fails when it reaches 0; negative: off
std::atomic<long> g_live{0};
thread_local bool t_counts = false;  // only what the thread under test allocates

bool fails_now() { return t_counts && g_countdown >= 0 && g_countdown.fetch_sub(1) == 0; }
}  // namespace

extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
void __libc_free(void*);
void* malloc(size_t n) {
  if (fails_now()) return nullptr;
  if (t_counts) ++g_live;
  return __libc_malloc(n);
}
void* calloc(size_t n, size_t m) {
  if (fails_now()) return nullptr;
  if (t_counts) ++g_live;
  return __libc_calloc(n, m);
}
void* realloc(void* p, size_t n) {
  if (fails_now()) return nullptr;
  if (t_counts && !p) ++g_live;
  return __libc_realloc(p, n);
}
void* aligned_alloc(size_t a, size_t n) {
  if (fails_now()) return nullptr;
  if (t_counts) ++g_live;
  return __libc_memalign(a, n);
}
int posix_memalign(void** out, size_t a, size_t n) {
  if (fails_now()) return 12;
  if (t_counts) ++g_live;
  *out = __libc_memalign(a, n);
  return *out ? 0 : 12;
}
void free(void* p) {
  if (t_counts && p) --g_live;
  __libc_free(p);
}
}

using namespace test;

namespace {

// Runs `scenario` with the Nth allocation failing, for every N until none fails.
template <class F>
void for_every_failure(F&& scenario) {
  t_counts = true;
  scenario();  // warm: lists that are kept grow now
  scenario();
  const long before = g_live;
  scenario();
  EXPECT_EQ(before, g_live.load()) << "leaks without any failure";
  for (long n = 0; n < 10000; ++n) {
    g_countdown = n;
    scenario();
    const bool hit = g_countdown < 0;
    g_countdown = -1;
    tenon_error_clear();
    EXPECT_EQ(before, g_live.load()) << "leak when allocation " << n << " fails";
    if (!hit) {
      EXPECT_GT(n, 1) << "the scenario allocates nothing: it tests nothing";
      break;
    }
  }
  t_counts = false;
}

TEST(AllocationFailure, making_viewing_and_copying_arrays) {
  DevicePtr cpu = device("cpu:0");
  ArrayPtr warm = counting(cpu.get(), {2});
  for_every_failure([&] {
    const int64_t shape[] = {3, 4, 2, 2, 1, 1, 2};
    tenon_array *a = nullptr, *b = nullptr, *c = nullptr;
    int32_t status = tenon_array_zeros(cpu.get(), TENON_FLOAT32, 7, shape, nullptr, &a);
    if (!status) status = tenon_array_transpose(a, 7, nullptr, &b);
    if (!status) status = tenon_array_convert(b, TENON_FLOAT64, nullptr, nullptr, &c);
    if (status && status != TENON_ERROR_OUT_OF_MEMORY) ADD_FAILURE() << tenon_status_name(status) << tenon_error_last_message();
    if (!status && !c) ADD_FAILURE() << "success without a result";
    tenon_array_release(a);
    tenon_array_release(b);
    tenon_array_release(c);
    tenon_error_clear();
  });
}

TEST(AllocationFailure, convolutions_and_what_stands_around_transforms) {
  DevicePtr cpu = device("cpu:0");
  const int64_t shape[] = {3, 8}, small[] = {1, 3}, half[] = {3, 5};
  tenon_array *a = nullptr, *b = nullptr, *c = nullptr;
  OK(tenon_array_zeros(cpu.get(), TENON_FLOAT32, 2, shape, nullptr, &a));
  OK(tenon_array_zeros(cpu.get(), TENON_FLOAT32, 2, small, nullptr, &b));
  OK(tenon_array_zeros(cpu.get(), TENON_COMPLEX64, 2, half, nullptr, &c));
  if (tenon_fft(a, c, nullptr, 1, nullptr, nullptr) != TENON_ERROR_UNSUPPORTED) {
    for_every_failure([&] {
      tenon_array *convolved = nullptr, *shifted = nullptr, *frequencies = nullptr, *sum = nullptr;
      const int32_t axis = 1, axes[] = {0, 1};
      const int32_t statuses[] = {
          tenon_fft_prepare(a, c, nullptr, 1, nullptr),
          tenon_convolve(a, b, &axis, 1, nullptr, nullptr, &convolved),
          tenon_fft_shift(a, axes, 2, 0, nullptr, &shifted),
          tenon_fft_frequencies(cpu.get(), TENON_FLOAT32, 9, 0.5, 0, nullptr, &frequencies),
          tenon_tensordot(a, a, axes, axes, 1, nullptr, nullptr, &sum)};
      for (const int32_t status : statuses)
        if (status && status != TENON_ERROR_OUT_OF_MEMORY) ADD_FAILURE() << tenon_status_name(status) << tenon_error_last_message();
      EXPECT_EQ(!statuses[1], convolved != nullptr);
      EXPECT_EQ(!statuses[2], shifted != nullptr);
      for (tenon_array* one : {convolved, shifted, frequencies, sum}) tenon_array_release(one);
      tenon_error_clear();
    });
  }
  for (tenon_array* one : {a, b, c}) tenon_array_release(one);
}

int g_deleted = 0;

struct Tensor {  // the legacy DLPack struct
  void* data; int32_t type, id, ndim; uint8_t code, bits; uint16_t lanes; int64_t* shape; int64_t* strides; uint64_t offset;
  void* manager; void (*deleter)(Tensor*);
};

// Whatever is short of memory, a singular matrix is never answered with nothing but TENON_OK: the call fails, or the wait does.
TEST(AllocationFailure, errors_that_are_deferred) {
  tenon_context_options options{};
  options.struct_size = sizeof options;
  options.flags = TENON_CONTEXT_DEFERRED_ERRORS;
  tenon_context* made = nullptr;
  OK(tenon_context_create(&options, &made));
  const ContextPtr context(made);
  const DevicePtr cpu = device("cpu", made);
  tenon_stream* opened = nullptr;
  OK(tenon_stream_default(cpu.get(), &opened));
  const StreamPtr stream(opened);
  const int64_t shape[] = {2, 2};
  const float singular[] = {1, 2, 2, 4};
  tenon_array* a = nullptr;
  OK(tenon_array_from_host(cpu.get(), TENON_FLOAT32, 2, shape, singular, sizeof singular, nullptr, &a));
  const ArrayPtr kept(a);
  for_every_failure([&] {
    tenon_array* x = nullptr;
    const int32_t call = tenon_solve(a, a, nullptr, nullptr, &x);
    EXPECT_EQ(!call, x != nullptr);
    const int32_t wait = tenon_stream_synchronize(opened);
    for (const int32_t status : {call, wait})
      if (status && status != TENON_ERROR_OUT_OF_MEMORY && status != TENON_ERROR_SINGULAR)
        ADD_FAILURE() << tenon_status_name(status) << tenon_error_last_message();
    EXPECT_TRUE(call || wait) << "nobody said that the matrix is singular";
    tenon_array_release(x);
    for (const bool last : {false, true}) {  // what could not be said for want of memory is said now, and forgotten
      const int32_t status[] = {tenon_stream_synchronize(opened), tenon_device_synchronize(cpu.get())};
      for (const int32_t one : status) EXPECT_TRUE(!last || !one || one == TENON_ERROR_OUT_OF_MEMORY) << tenon_status_name(one);
    }
    tenon_error_clear();
  });
}

TEST(AllocationFailure, an_import_that_fails_consumes_nothing) {
  DevicePtr cpu = device("cpu:0");
  for_every_failure([&] {
    float data[6] = {};
    int64_t shape[] = {2, 3};
    Tensor tensor{data, 1, 0, 2, 2, 32, 1, shape, nullptr, 0, nullptr, [](Tensor*) { ++g_deleted; }};
    g_deleted = 0;
    tenon_array* a = nullptr;
    const int32_t status = tenon_array_from_dlpack(nullptr, reinterpret_cast<DLManagedTensor*>(&tensor), 0, nullptr, &a);
    EXPECT_EQ(0, g_deleted) << "status " << status;
    EXPECT_TRUE(status == TENON_OK || status == TENON_ERROR_OUT_OF_MEMORY) << tenon_status_name(status);
    DLManagedTensor* out = nullptr;
    if (!status && !tenon_array_to_dlpack(a, 0, nullptr, &out)) {
      auto* exported = reinterpret_cast<Tensor*>(out);
      EXPECT_EQ(exported->data, data);
      exported->deleter(exported);
    }
    tenon_array_release(a);
    EXPECT_EQ(status ? 0 : 1, g_deleted);
    tenon_error_clear();
  });
}

}  // namespace
#endif
