// base/memory.cpp: the available memory, as reported by the system, and a container's limit.
#include "base/memory.hpp"

#include <unistd.h>
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include "base/files.hpp"

namespace tenon::base {

std::string proc_value(const std::string& text, const char* key) {
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line(text.data() + at, end - at);
    at = end + 1;
    if (!line.starts_with(key)) continue;
    const size_t colon = line.find(':');
    if (colon == line.npos) continue;
    const std::string_view name = line.substr(0, colon);
    if (name.find_last_not_of(" \t") + 1 != std::strlen(key)) continue;
    const size_t first = line.find_first_not_of(" \t", colon + 1);
    return first == line.npos ? "" : std::string(line.substr(first));
  }
  return "";
}

namespace {

uint64_t meminfo(const char* key) {
  std::string text;
  if (!read_file("/proc/meminfo", text)) return 0;
  return std::strtoull(proc_value(text, key).c_str(), nullptr, 10) * 1024;
}

// A number in a cgroup file; 0 if the file is missing or contains "max".
uint64_t cgroup_number(const std::string& path) {
  std::string text;
  if (!read_file(path, text) || text.empty() || text[0] < '0' || text[0] > '9') return 0;
  const uint64_t value = std::strtoull(text.c_str(), nullptr, 10);
  return value >= uint64_t(1) << 60 ? 0 : value;  // version 1 uses a huge number for "no limit"
}

// The memory directory of this process's cgroup: version 2, else version 1; a container sees its own at the root.
struct Cgroup {
  uint64_t limit = 0, used = 0;
};

Cgroup cgroup() {
  std::string text, path;
  if (read_file("/proc/self/cgroup", text)) {
    const size_t at = text.find("0::/");
    if (at != text.npos) path = text.substr(at + 3, text.find('\n', at) - at - 3);
  }
  for (const std::string& directory : {"/sys/fs/cgroup" + path, std::string("/sys/fs/cgroup")})
    if (const uint64_t limit = cgroup_number(directory + "/memory.max"))
      return {limit, cgroup_number(directory + "/memory.current")};
  if (const uint64_t limit = cgroup_number("/sys/fs/cgroup/memory/memory.limit_in_bytes"))
    return {limit, cgroup_number("/sys/fs/cgroup/memory/memory.usage_in_bytes")};
  return {};
}

}  // namespace

uint64_t total_memory() {
  uint64_t total = uint64_t(sysconf(_SC_PHYS_PAGES)) * uint64_t(sysconf(_SC_PAGE_SIZE));
  if (const uint64_t limit = cgroup().limit) total = std::min(total, limit);
  return total;
}

uint64_t available_memory() {
  uint64_t available = meminfo("MemAvailable");
  if (const Cgroup group = cgroup(); group.limit)
    available = std::min(available, group.limit - std::min(group.limit, group.used));
  return available;
}

}  // namespace tenon::base
