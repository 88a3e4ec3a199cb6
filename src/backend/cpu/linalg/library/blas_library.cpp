// backend/cpu/linalg/library/blas_library.cpp: finding the BLAS and LAPACK library, and sharing its one thread setting.
//
// Builds differ in the names of routines: "sgemm_" (most), "sgemm_64_" (64-bit integers, distinguished by name), and
// "scipy_sgemm_64_" (the one inside NumPy's wheel). The width of a build's integers is determined by a call, not by its
// name.
#include <pthread.h>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include "backend/cpu/linalg/library/blas.hpp"
#include "backend/cpu/operations.hpp"
#include "base/files.hpp"
#include "base/json.hpp"
#include "base/library.hpp"
#include "base/parallel.hpp"
#include "core/error.hpp"

namespace tenon::cpu {
namespace {

constexpr const char* kInstall =
    "install OpenBLAS (Debian, Ubuntu: libopenblas64-0-pthread or libopenblas0-pthread; Fedora: openblas-threads64), "
    "or set TENON_BLAS to the path of a BLAS library that also has LAPACK";

struct Spelling {
  const char* prefix;
  const char* suffix;
};
constexpr Spelling kSpellings[] = {{"", ""}, {"", "64_"}, {"scipy_", "64_"}, {"scipy_", ""}};

void* routine(const base::Library& library, Spelling s, const char* name) {
  return library.symbol((std::string(s.prefix) + name + "_" + s.suffix).c_str());
}
void* function(const base::Library& library, Spelling s, const char* name) {
  return library.symbol((std::string(s.prefix) + name + s.suffix).c_str());
}

// n = -2^32 + 1 is 1 for a library with 32-bit integers, and an empty vector for the others.
bool has_wide_integers(void* isamax) {
  const Int n = -(Int(1) << 32) + 1, step = 1;
  const float x = 1;
  const auto call = reinterpret_cast<Int (*)(const Int*, const float*, const Int*)>(isamax);
  return int32_t(call(&n, &x, &step)) == 0;
}

// Builds with 32-bit and with 64-bit integers use the same names: each must call its own functions.
base::Library::Candidate own(std::string path, std::string how) {
  return {std::move(path), std::move(how), false, true};
}

std::vector<base::Library::Candidate> candidates() {
  if (const std::string path = base::environment("TENON_BLAS"); !path.empty()) return {own(path, "TENON_BLAS")};
  std::vector<base::Library::Candidate> list;
  for (const char* name : {"libopenblas64.so.0", "libopenblas64_.so.0", "libopenblasp64.so.0"})
    list.push_back(own(name, "loader path"));
  const std::vector<std::string> loaded = base::loaded_libraries();
  const auto add_loaded = [&](bool wide) {
    for (const std::string& path : loaded) {
      const std::string file = path.substr(path.rfind('/') + 1);
      if (file.find("openblas") != file.npos && (file.find("64") != file.npos) == wide)
        list.push_back(own(path, "already loaded"));
    }
  };
  add_loaded(true);
  for (const char* name : {"libopenblas.so.0", "libopenblasp.so.0"}) list.push_back(own(name, "loader path"));
  add_loaded(false);
  for (const char* name : {"libblas64.so.3", "libblas.so.3"}) list.push_back(own(name, "loader path"));
  return list;
}

struct Opened {
  Blas blas;
  std::string missing;         // why there is no BLAS,
  std::string missing_lapack;  // or no LAPACK
  void (*set_threads)(int) = nullptr;
};

bool fill_blas(const base::Library& library, Opened& out) {
  for (const Spelling s : kSpellings) {
    void* isamax = routine(library, s, "isamax");
    if (!isamax || !routine(library, s, "sgemm")) continue;
    out.blas.wide = has_wide_integers(isamax);
#define X(name, parameters) out.blas.name = reinterpret_cast<decltype(out.blas.name)>(routine(library, s, #name));
#include "backend/cpu/linalg/library/blas_symbols.inc"
#undef X
    out.set_threads = reinterpret_cast<void (*)(int)>(function(library, s, "openblas_set_num_threads"));
    if (const auto config = reinterpret_cast<const char* (*)()>(function(library, s, "openblas_get_config")))
      out.blas.config = config();
    out.blas.path = library.path();
    out.blas.how = library.how();
    return true;
  }
  return false;
}

bool has_lapack(const Blas& b) {
#define X(name, parameters) \
  if (!b.name) return false;
#include "backend/cpu/linalg/library/blas_symbols.inc"
#undef X
  return true;
}

// For a BLAS without LAPACK: the distributions provide a pair of libraries.
void fill_lapack(Opened& out) {
  out.blas.lapack_path = out.blas.path;
  if (has_lapack(out.blas)) return;
  const base::Library library =
      base::Library::open({own(out.blas.wide ? "liblapack64.so.3" : "liblapack.so.3", "loader path")});
  for (const Spelling s : kSpellings)
    if (library && routine(library, s, "sgesdd")) {
#define X(name, parameters) \
  if (!out.blas.name) out.blas.name = reinterpret_cast<decltype(out.blas.name)>(routine(library, s, #name));
#include "backend/cpu/linalg/library/blas_symbols.inc"
#undef X
      out.blas.lapack_path = library.path();
      break;
    }
  if (!has_lapack(out.blas))
    out.missing_lapack =
        "factorisations on the CPU need LAPACK, which " + out.blas.path + " does not have; " + kInstall;
}

Opened open_blas() {
  Opened out;
  std::string tried;
  for (const auto& candidate : candidates()) {
    const base::Library library = base::Library::open({candidate});
    if (!library) {
      tried += library.tried();
    } else if (fill_blas(library, out)) {
      fill_lapack(out);
      if (out.set_threads) out.set_threads(base::thread_count());
      return out;
    } else {
      tried += library.path() + " (" + candidate.how + "): it has no sgemm\n";
    }
  }
  out.missing = std::string("linear algebra on the CPU needs a BLAS library: ") + kInstall + ". Tried:\n" + tried;
  return out;
}

std::atomic<const Opened*> found_library{nullptr};

const Opened& opened() {
  static const Opened* one = [] {
    const Opened* made = new Opened(open_blas());  // never destroyed: its threads may outlive this library
    found_library.store(made, std::memory_order_release);
    return made;
  }();
  return *one;
}

// Never destroyed: calls may come until the last thread has ended.
struct ThreadSetting {
  std::mutex mutex;
  std::condition_variable free;
  int now = 0, users = 0;
};

ThreadSetting& thread_setting() {
  static ThreadSetting* one = [] {
    // After fork() the child has neither the other threads nor their calls.
    pthread_atfork([] { thread_setting().mutex.lock(); }, [] { thread_setting().mutex.unlock(); },
                   [] { thread_setting().users = 0, thread_setting().mutex.unlock(); });
    return new ThreadSetting;
  }();
  return *one;
}

}  // namespace

const Blas& blas() {
  const Opened& o = opened();
  TENON_REQUIRE(o.missing.empty(), TENON_ERROR_MISSING_LIBRARY, "%s", o.missing.c_str());
  return o.blas;
}

const Blas& lapack() {
  const Blas& b = blas();
  TENON_REQUIRE(opened().missing_lapack.empty(), TENON_ERROR_MISSING_LIBRARY, "%s", opened().missing_lapack.c_str());
  return b;
}

void require_fits(const Blas& b, int64_t value, const char* what) {
  TENON_REQUIRE(b.wide || value <= INT32_MAX, TENON_ERROR_UNSUPPORTED,
                "%s is %lld, but %s has 32-bit integers; install a build with 64-bit integers (Debian, Ubuntu: "
                "libopenblas64-0-pthread)",
                what, static_cast<long long>(value), b.path.c_str());
}

BlasThreads::BlasThreads(int threads) {
  const Opened& o = opened();
  if (!o.set_threads) return;
  ThreadSetting& setting = thread_setting();
  std::unique_lock lock(setting.mutex);
  setting.free.wait(lock, [&] { return setting.users == 0 || setting.now == threads; });
  if (setting.now != threads) o.set_threads(threads);
  setting.now = threads;
  ++setting.users;
}

BlasThreads::~BlasThreads() {
  if (!opened().set_threads) return;
  ThreadSetting& setting = thread_setting();
  std::lock_guard lock(setting.mutex);
  if (--setting.users == 0) setting.free.notify_all();
}

std::string blas_report() {
  base::Json out;
  const Opened* o = found_library.load(std::memory_order_acquire);
  if (!o) return R"({"opened": false})";
  out["opened"] = o->missing.empty();
  if (!o->missing.empty()) out["missing"] = o->missing;
  out["path"] = o->blas.path;
  out["how"] = o->blas.how;
  out["config"] = o->blas.config;
  out["integer_bits"] = o->blas.wide ? 64 : 32;
  out["lapack"] = o->missing_lapack.empty() ? o->blas.lapack_path : o->missing_lapack;
  return out.dump();
}

}  // namespace tenon::cpu
