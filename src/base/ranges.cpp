// base/ranges.cpp: the tables of NVTX 3 that a profiler fills in, with Tenon's own declarations.
#include "base/ranges.hpp"

#include <dlfcn.h>
#include <cstddef>
#include <cstdint>
#include "base/files.hpp"

namespace tenon::base {
namespace {

using Function = void (*)();
constexpr unsigned kCallbacks = 1, kVersionInfo = 3;              // NVTX_ETID_*
constexpr unsigned kCore = 1, kCore2 = 5;                         // NVTX_CB_MODULE_*
constexpr unsigned kRangePushA = 9, kRangePop = 11, kSlots = 16;  // NVTX_CBID_CORE_*

// The functions that the profiler fills in, and lists of their addresses. Entry 0 is unused, and NULL ends each list.
Function core[kSlots], core2[kSlots];
struct FunctionPlaces {
  Function* at[kSlots + 1] = {};
  explicit FunctionPlaces(Function* slots) {
    for (unsigned i = 1; i < kSlots; ++i) at[i] = &slots[i];
  }
};
FunctionPlaces core_places(core), core2_places(core2);

int module_table(int module, Function*** out_table, unsigned* out_size) {
  FunctionPlaces* places = module == kCore ? &core_places : module == kCore2 ? &core2_places : nullptr;
  if (out_table) *out_table = places ? places->at : nullptr;
  if (out_size) *out_size = places ? kSlots : 0;
  return places != nullptr;
}

struct Callbacks {
  size_t struct_size;
  int (*module_table)(int, Function***, unsigned*);
} callbacks = {sizeof(Callbacks), module_table};

struct VersionInfo {
  size_t struct_size;
  uint32_t version, reserved;
  void (*set_injection_version)(uint32_t);
} version_info = {sizeof(VersionInfo), 3, 0, [](uint32_t) {}};

const void* export_table(uint32_t id) {
  return id == kCallbacks ? static_cast<const void*>(&callbacks) : id == kVersionInfo ? &version_info : nullptr;
}

}  // namespace

bool ranges_wanted() {
  static const bool attached = [] {
    const std::string path = environment("NVTX_INJECTION64_PATH");
    if (path.empty()) return false;
    void* library = dlopen(path.c_str(), RTLD_LAZY);
    if (!library) return false;
    using Initialize = int (*)(const void* (*)(uint32_t));
    const auto initialize = reinterpret_cast<Initialize>(dlsym(library, "InitializeInjectionNvtx2"));
    return initialize && initialize(export_table) && core[kRangePushA] && core[kRangePop];
  }();
  return attached;
}

void range_push(const char* name) { reinterpret_cast<int (*)(const char*)>(core[kRangePushA])(name); }
void range_pop() { reinterpret_cast<int (*)()>(core[kRangePop])(); }

}  // namespace tenon::base
