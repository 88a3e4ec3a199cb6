// backend/cpu/host.cpp: properties of this machine's processor, as reported by the system.
#include "backend/cpu/host.hpp"

#include <sys/utsname.h>
#include <unistd.h>
#include <cstdlib>
#include "base/files.hpp"
#include "base/memory.hpp"

namespace tenon::cpu {

std::string processor_name() {
  std::string text;
  if (base::read_file("/proc/cpuinfo", text))
    for (const char* key : {"model name", "Model", "Hardware", "cpu model"})
      if (std::string value = base::proc_value(text, key); !value.empty()) return value;
  utsname system{};
  return uname(&system) == 0 ? std::string(system.machine) + " processor" : "processor";
}

uint64_t last_level_cache() {
  // The cache that one processor uses, from sysfs: on some machines sysconf returns the sum of a package's caches.
  for (int index : {3, 2}) {
    std::string text;
    if (!base::read_file("/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/size", text)) continue;
    char* unit = nullptr;
    const uint64_t size = std::strtoull(text.c_str(), &unit, 10);
    if (size) return size << (*unit == 'K' ? 10 : *unit == 'M' ? 20 : *unit == 'G' ? 30 : 0);
  }
  for (int name : {_SC_LEVEL3_CACHE_SIZE, _SC_LEVEL2_CACHE_SIZE})
    if (const long bytes = sysconf(name); bytes > 0) return uint64_t(bytes);
  return 0;
}

}  // namespace tenon::cpu
