// backend/cpu/fft/ducc/ducc0_custom_lowlevel_threading.h: the declarations that ducc0 requires for using someone else's
// threads.
//
// ducc0's threading.h includes a file of this name under DUCC0_CUSTOM_LOWLEVEL_THREADING. ducc.cpp defines the
// functions, which use Tenon's pool.
#pragma once
#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace DUCC0_NAMESPACE {
namespace detail_threading {

using Mutex = std::mutex;
using UniqueLock = std::unique_lock<std::mutex>;
using LockGuard = std::lock_guard<std::mutex>;
using CondVar = std::condition_variable;

extern thread_local bool in_parallel_region;
thread_pool* set_active_pool(thread_pool* pool);
thread_pool* get_active_pool();
std::size_t available_hardware_threads();

}  // namespace detail_threading
}  // namespace DUCC0_NAMESPACE
