// backend/cpu/host.hpp: what this machine's processor is, as the system tells it.
#pragma once
#include <cstdint>
#include <string>

namespace tenon::cpu {

std::string processor_name();  // "AMD EPYC ...", from /proc/cpuinfo
uint64_t last_level_cache();   // bytes of the largest cache; 0: unknown

}  // namespace tenon::cpu
