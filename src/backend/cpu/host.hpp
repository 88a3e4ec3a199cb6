// backend/cpu/host.hpp: what this machine is: processor and memory, as the system tells it.
#pragma once
#include <cstdint>
#include <string>

namespace tenon::cpu {

std::string processor_name();    // "AMD EPYC ...", from /proc/cpuinfo
uint64_t total_memory();         // bytes the process may use: the machine's, or its cgroup's limit
uint64_t available_memory();     // bytes that can be had now without swapping
uint64_t last_level_cache();     // bytes of the largest cache; 0 when it is not known

}  // namespace tenon::cpu
