// base/memory.hpp: the available memory, as reported by the system, and a container's limit.
#pragma once
#include <cstdint>
#include <string>

namespace tenon::base {

uint64_t total_memory();      // bytes that the process may use: the machine's memory, or its cgroup's limit
uint64_t available_memory();  // bytes available now without swapping

// The value of a "key   : value" line of a /proc file; "" if there is none.
std::string proc_value(const std::string& text, const char* key);

}  // namespace tenon::base
