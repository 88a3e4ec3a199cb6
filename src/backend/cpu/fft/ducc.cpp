// backend/cpu/fft/ducc.cpp: ducc0's FFT (its files under the BSD licence), on Tenon's pool, for one instruction set.
//
// Built several times, each with its own DUCC0_NAMESPACE and TENON_DUCC_FFT, then linked separately with all symbols
// local except that function (meson.build): so no inline function compiled for newer processors can be used by other
// objects.
#include "backend/cpu/fft/ducc.hpp"

#include <cstdio>
#include <functional>
#include <new>

#include "ducc0/fft/fftnd_impl.h"
#include "ducc0/infra/mav.cc"
#include "ducc0/infra/string_utils.cc"
#include "ducc0/infra/threading.cc"

namespace DUCC0_NAMESPACE {
namespace detail_threading {

namespace {

// Tenon's pool through ducc0's interface. Threads are not counted per call: the pool distributes the pieces.
class PoolAdapter final : public thread_pool {
 public:
  size_t threads = 1;
  void (*parallel)(size_t, void (*)(void*, size_t), void*) = nullptr;

  size_t nthreads() const override { return threads - 1; }
  size_t adjust_nthreads(size_t requested) const override {
    return requested == 0 ? threads : std::min(requested, threads);
  }
  void submit(std::function<void()> work) override { work(); }
  void parallel_for(size_t count, std::function<void(size_t)> work) override {
    if (count == 1 || !parallel) {
      for (size_t i = 0; i < count; ++i) work(i);
      return;
    }
    parallel(count, [](void* context, size_t i) { (*static_cast<std::function<void(size_t)>*>(context))(i); }, &work);
  }
};

thread_local thread_pool* active_pool = nullptr;

}  // namespace

thread_local bool in_parallel_region = false;
thread_pool* set_active_pool(thread_pool* pool) { return std::exchange(active_pool, pool); }
thread_pool* get_active_pool() {
  MR_assert(active_pool, "no thread pool is set");
  return active_pool;
}
size_t available_hardware_threads() { return active_pool ? active_pool->nthreads() + 1 : 1; }

}  // namespace detail_threading

namespace {

template <class T> void transform(const tenon::cpu::DuccFft& p) {
  const size_t rank = size_t(p.rank);
  const fmav_info::shape_t shape(p.shape, p.shape + rank), axes(p.axes, p.axes + p.axis_count);
  const fmav_info::stride_t from(p.from_strides, p.from_strides + rank), to(p.to_strides, p.to_strides + rank);
  const T scale = T(p.scale);
  if (p.type) {
    const cfmav<T> source(static_cast<const T*>(p.from), shape, from);
    const vfmav<T> result(static_cast<T*>(p.to), shape, to);
    if (p.sine) detail_fft::dst(source, result, axes, p.type, scale, p.orthogonal, p.threads);
    else detail_fft::dct(source, result, axes, p.type, scale, p.orthogonal, p.threads);
    return;
  }
  fmav_info::shape_t half = shape;
  half[axes.back()] = half[axes.back()] / 2 + 1;
  using C = std::complex<T>;
  if (p.from_real)
    detail_fft::r2c(cfmav<T>(static_cast<const T*>(p.from), shape, from), vfmav<C>(static_cast<C*>(p.to), half, to),
                    axes, p.forward, scale, p.threads);
  else if (p.to_real)
    detail_fft::c2r(cfmav<C>(static_cast<const C*>(p.from), half, from), vfmav<T>(static_cast<T*>(p.to), shape, to),
                    axes, p.forward, scale, p.threads);
  else
    detail_fft::c2c(cfmav<C>(static_cast<const C*>(p.from), shape, from), vfmav<C>(static_cast<C*>(p.to), shape, to),
                    axes, p.forward, scale, p.threads);
}

}  // namespace
}  // namespace DUCC0_NAMESPACE

extern "C" __attribute__((visibility("default"))) bool tenon::cpu::TENON_DUCC_FFT(const DuccFft& problem, char* why,
                                                                                  size_t why_size) {
  using namespace DUCC0_NAMESPACE;
  try {
    detail_threading::PoolAdapter pool;
    pool.threads = problem.threads;
    pool.parallel = problem.parallel;
    detail_threading::ScopedUseThreadPool use(pool);
    if (problem.wide) transform<double>(problem);
    else transform<float>(problem);
    return true;
  } catch (const std::bad_alloc&) {
    std::snprintf(why, why_size, "memory");
  } catch (const std::exception& error) {
    std::snprintf(why, why_size, "%s", error.what());
  } catch (...) {
    std::snprintf(why, why_size, "unknown exception");
  }
  return false;
}
