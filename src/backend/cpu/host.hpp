// backend/cpu/host.hpp: properties of this machine's processor, as reported by the system.
#pragma once
#include <cstdint>
#include <string>

namespace tenon::cpu {

std::string processor_name();  // "AMD EPYC ...", from /proc/cpuinfo
uint64_t last_level_cache();   // bytes of the largest cache; 0: unknown

}  // namespace tenon::cpu
