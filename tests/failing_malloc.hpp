// tests/failing_malloc.hpp: malloc, of which the tests choose which call fails; the library's own operator new ends in
// it. For the one source file of a program; not where a sanitizer owns malloc.
#pragma once
#include <dlfcn.h>
#include <link.h>
#include <errno.h>
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>

namespace {
std::atomic<long> g_countdown{-1};  // the allocation that fails when it reaches 0; negative: none
std::atomic<bool> g_for_ever{false}, g_failing{false};
std::atomic<long> g_live{0};
std::atomic<long> g_large{0};  // allocations of kLarge bytes or more
constexpr size_t kLarge = 4096;
thread_local bool t_counts = false;  // only allocations of the tested thread count

// The C library's loader allocates thread-local memory and ends the process if it cannot. The library prevents that by
// freeing a block of that size right before, which an exhausted heap returns again. So such a request does not fail
// here either.
uintptr_t g_loader_begin = 0, g_loader_end = 0;
thread_local size_t t_freed[4] = {};
thread_local unsigned t_frees = 0;

bool fails_now(size_t bytes, const void* caller) {
  if (t_counts && bytes >= kLarge) ++g_large;
  if (!t_counts || (!g_failing && g_countdown < 0)) return false;
  const auto from = reinterpret_cast<uintptr_t>(caller);
  if (from >= g_loader_begin && from < g_loader_end)
    for (size_t& freed : t_freed)
      if (bytes <= freed) return freed = 0, false;
  if (g_failing) return true;
  if (g_countdown.fetch_sub(1) != 0) return false;
  g_failing = g_for_ever.load();
  return true;
}
}  // namespace

extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
void __libc_free(void*);
void* malloc(size_t n) {
  if (fails_now(n, __builtin_return_address(0))) return errno = ENOMEM, nullptr;
  if (t_counts) ++g_live;
  return __libc_malloc(n);
}
void* calloc(size_t n, size_t m) {
  if (fails_now(n * m, __builtin_return_address(0))) return errno = ENOMEM, nullptr;
  if (t_counts) ++g_live;
  return __libc_calloc(n, m);
}
void* realloc(void* p, size_t n) {
  if (fails_now(n, __builtin_return_address(0))) return errno = ENOMEM, nullptr;
  if (t_counts && !p) ++g_live;
  return __libc_realloc(p, n);
}
void* aligned_alloc(size_t a, size_t n) {
  if (fails_now(n, __builtin_return_address(0))) return errno = ENOMEM, nullptr;
  if (t_counts) ++g_live;
  return __libc_memalign(a, n);
}
int posix_memalign(void** out, size_t a, size_t n) {
  if (fails_now(n, __builtin_return_address(0))) return 12;
  if (t_counts) ++g_live;
  *out = __libc_memalign(a, n);
  return *out ? 0 : 12;
}
void free(void* p) {
  if (t_counts && p) {
    --g_live;
    t_freed[t_frees++ % 4] = malloc_usable_size(p);
  }
  __libc_free(p);
}
}

namespace {

void find_loader() {
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void*) {
        if (!std::strstr(info->dlpi_name, "ld-linux")) return 0;
        g_loader_begin = UINTPTR_MAX;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& segment = info->dlpi_phdr[i];
          if (segment.p_type != PT_LOAD) continue;
          g_loader_begin = std::min<uintptr_t>(g_loader_begin, info->dlpi_addr + segment.p_vaddr);
          g_loader_end = std::max<uintptr_t>(g_loader_end, info->dlpi_addr + segment.p_vaddr + segment.p_memsz);
        }
        return 1;
      },
      nullptr);
}

}  // namespace
