// base/library.cpp: dlopen with a list of places; remembers the result of each attempt.
#include "base/library.hpp"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include "base/files.hpp"

namespace tenon::base {
namespace {

std::string real_path(const char* path) {
  char buffer[PATH_MAX];
  return realpath(path, buffer) ? buffer : path;
}

std::string path_of(void* handle) {
  link_map* map = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 || !map || !map->l_name) return {};
  return real_path(map->l_name);
}

// For relative and empty entries of LD_LIBRARY_PATH the loader searches the current directory. Libraries are not taken
// from there: returns true if such an entry could provide one with that name.
bool loader_would_use_relative_directory(const std::string& name) {
  const char* list = getenv("LD_LIBRARY_PATH");
  if (!list || !*list) return false;
  std::string text = list;
  for (size_t begin = 0; begin <= text.size();) {
    size_t end = text.find_first_of(":;", begin);
    if (end == std::string::npos) end = text.size();
    std::string entry = text.substr(begin, end - begin);
    begin = end + 1;
    if (!entry.empty() && (entry[0] == '/' || entry[0] == '$')) continue;
    if (entry.empty()) entry.assign(1, '.');
    if (access((entry + "/" + name).c_str(), F_OK) == 0 || access((entry + "/glibc-hwcaps").c_str(), F_OK) == 0)
      return true;
  }
  return false;
}

// Sanitizers do not work with libraries that resolve to their own symbols first.
bool sanitized() {
  for (const char* name : {"__asan_init", "__tsan_init", "__msan_init"})
    if (dlsym(RTLD_DEFAULT, name)) return true;
  return false;
}

struct Range {
  uintptr_t first = UINTPTR_MAX, last = 0;
  bool has(uintptr_t address) const { return address >= first && address < last; }
};

// The range of memory that an object occupies.
Range range_of(const link_map& map) {
  struct Search {
    const link_map& map;
    Range found;
  } search{map, {}};
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* user) {
        Search& self = *static_cast<Search*>(user);
        if (info->dlpi_addr != self.map.l_addr || std::strcmp(info->dlpi_name, self.map.l_name) != 0) return 0;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& segment = info->dlpi_phdr[i];
          if (segment.p_type != PT_LOAD) continue;
          self.found.first = std::min<uintptr_t>(self.found.first, info->dlpi_addr + segment.p_vaddr);
          self.found.last = std::max<uintptr_t>(self.found.last, info->dlpi_addr + segment.p_vaddr + segment.p_memsz);
        }
        return 1;
      },
      &search);
  return search.found;
}

// A function that the library defines but that its own calls reach in another object; "" if there is none.
std::string bound_elsewhere(void* handle) {
  link_map* map = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 || !map || !map->l_ld) return {};
  const auto at = [&](uintptr_t address) { return address < map->l_addr ? address + map->l_addr : address; };
  const ElfW(Sym)* symbols = nullptr;
  const char* names = nullptr;
  const ElfW(Rela) * lists[2] = {};  // relocations of calls through the linkage table, and of addresses
  size_t bytes[2] = {};
  for (const ElfW(Dyn)* entry = map->l_ld; entry->d_tag != DT_NULL; ++entry) {
    const uintptr_t value = entry->d_un.d_ptr;
    switch (entry->d_tag) {
      case DT_SYMTAB: symbols = reinterpret_cast<const ElfW(Sym)*>(at(value)); break;
      case DT_STRTAB: names = reinterpret_cast<const char*>(at(value)); break;
      case DT_JMPREL: lists[0] = reinterpret_cast<const ElfW(Rela)*>(at(value)); break;
      case DT_PLTRELSZ: bytes[0] = value; break;
      case DT_RELA: lists[1] = reinterpret_cast<const ElfW(Rela)*>(at(value)); break;
      case DT_RELASZ: bytes[1] = value; break;
    }
  }
  const Range own = range_of(*map);
  if (!symbols || !names || own.first >= own.last) return {};
#if defined(__x86_64__)
  constexpr auto is_place = [](uint64_t type) { return type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT; };
#elif defined(__aarch64__)
  constexpr auto is_place = [](uint64_t type) { return type == R_AARCH64_JUMP_SLOT || type == R_AARCH64_GLOB_DAT; };
#else
  constexpr auto is_place = [](uint64_t) { return false; };
#endif
  for (int k = 0; k < 2; ++k)
    for (size_t i = 0; lists[k] && i < bytes[k] / sizeof *lists[k]; ++i) {
      const ElfW(Rela)& row = lists[k][i];
      if (!is_place(ELF64_R_TYPE(row.r_info))) continue;
      const ElfW(Sym)& symbol = symbols[ELF64_R_SYM(row.r_info)];
      const int type = ELF64_ST_TYPE(symbol.st_info);
      if (symbol.st_shndx == SHN_UNDEF || ELF64_ST_BIND(symbol.st_info) == STB_WEAK ||
          (type != STT_FUNC && type != STT_GNU_IFUNC))
        continue;
      const auto target = *reinterpret_cast<const uintptr_t*>(map->l_addr + row.r_offset);
      if (!own.has(target)) return names + symbol.st_name;
    }
  return {};
}

// The loader treats two objects with the same name as one, and descriptor numbers are reused. So a counter is encoded
// in the path, in binary, as "/." for each one bit; the kernel ignores these. Another copy of this library in the
// process has a counter of its own: the counter's address, which differs, comes first, as 64 bits.
std::string unique_path(int fd) {
  static std::atomic<uint64_t> counter{0};
  std::string path = "/proc/self/fd";
  const auto copy = reinterpret_cast<uintptr_t>(&counter);
  for (int bit = 0; bit < 64; ++bit) path += copy >> bit & 1 ? "/." : "/";
  for (uint64_t n = ++counter; n; n >>= 1) path += n & 1 ? "/." : "/";
  return path + "/" + std::to_string(fd);
}

// Like dlopen. After objects have been loaded, the C library lengthens a thread's list of thread-local memory at the
// next use of such memory, and ends the process if there is no memory for that. This function triggers it at once, with
// memory that was reserved before. Throws bad_alloc.
void* open_with_memory(const char* path, int flags) {
  constexpr size_t kLongestList = 16 << 10;
  void* volatile const spare = std::malloc(kLongestList);  // volatile: otherwise the compiler may remove it
  if (!spare) throw std::bad_alloc();
  void* const handle = dlopen(path, flags);
  [[maybe_unused]] static thread_local volatile char used;
  std::free(spare);
  used = 1;
  return handle;
}

}  // namespace

void* open_object(const std::string& bytes, const char* title, int flags, std::string& why) {
  const int fd = memfd_create(title, MFD_CLOEXEC);
  void* handle = nullptr;
  if (fd >= 0) {
    try {
      if (write_descriptor(fd, bytes)) handle = open_with_memory(unique_path(fd).c_str(), flags);
    } catch (...) {
      close(fd);
      throw;
    }
    close(fd);
  }
  if (handle) return handle;
  const ScratchDirectory directory;
  const std::string path = directory.path() + "/" + title + ".so";
  if (!write_file_atomically(path, bytes, &why)) return nullptr;
  handle = open_with_memory(path.c_str(), flags);
  if (handle) return handle;
  const char* said = dlerror();
  why = said ? said : "no reason was given";
  return nullptr;
}

Library Library::open(const std::vector<Candidate>& candidates) {
  Library library;
  for (const Candidate& candidate : candidates) {
    auto missed = [&](const char* why) {
      library.tried_ += candidate.path + " (" + candidate.how + "): " + why + "\n";
    };
    const bool plain_name = candidate.path.find('/') == std::string::npos;
    if (candidate.path.empty() || (!plain_name && candidate.path[0] != '/')) {
      missed("not an absolute path");
      continue;
    }
    if (plain_name && !candidate.only_if_loaded && loader_would_use_relative_directory(candidate.path)) {
      missed(
          "LD_LIBRARY_PATH has a relative entry that could match; libraries are not loaded from the current directory");
      continue;
    }
    dlerror();
    const int own_first = candidate.own_symbols && !sanitized() ? RTLD_DEEPBIND : 0;
    void* handle = dlopen(candidate.path.c_str(),
                          RTLD_NOW | RTLD_LOCAL | own_first | (candidate.only_if_loaded ? RTLD_NOLOAD : 0));
    if (!handle) {
      const char* why = dlerror();
      missed(why ? why : "not loaded");
      continue;
    }
    if (const std::string symbol = candidate.own_symbols ? bound_elsewhere(handle) : ""; !symbol.empty()) {
      missed(("its calls of " + symbol + " reach another library of the process, which has a function of that name")
                 .c_str());
      continue;
    }
    library.handle_ = handle;
    library.path_ = path_of(handle);
    library.how_ = candidate.how;
    break;
  }
  return library;
}

void* Library::symbol(const char* name) const { return handle_ ? dlsym(handle_, name) : nullptr; }

std::string program_path() {
  const std::string name = program_invocation_name ? program_invocation_name : "";
  return name.find('/') != name.npos ? absolute(name) : find_program(name);
}

std::vector<std::string> loaded_libraries() {
  struct {
    std::vector<std::string> paths;
    std::exception_ptr failed;  // an exception must not pass through the C library, whose unwinder is another one
  } found;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* user) {
        auto& [list, failed] = *static_cast<decltype(found)*>(user);
        try {
          if (list.empty()) list.push_back(real_path("/proc/self/exe"));
          else if (info->dlpi_name && info->dlpi_name[0] == '/') list.push_back(info->dlpi_name);
          return 0;
        } catch (...) {
          failed = std::current_exception();
          return 1;
        }
      },
      &found);
  if (found.failed) std::rethrow_exception(found.failed);
  return std::move(found.paths);
}

}  // namespace tenon::base
