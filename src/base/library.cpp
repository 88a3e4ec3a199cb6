// base/library.cpp: dlopen with a list of places and a memory of what happened.
#include "base/library.hpp"

#include <dlfcn.h>
#include <link.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

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

// The loader looks into relative and empty entries of LD_LIBRARY_PATH (the current directory). A library is not taken from
// there: true when such an entry could give one of that name.
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
    if (access((entry + "/" + name).c_str(), F_OK) == 0 || access((entry + "/glibc-hwcaps").c_str(), F_OK) == 0) return true;
  }
  return false;
}

}  // namespace

Library Library::open(const std::vector<Candidate>& candidates) {
  Library library;
  for (const Candidate& candidate : candidates) {
    auto missed = [&](const char* why) { library.tried_ += candidate.path + " (" + candidate.how + "): " + why + "\n"; };
    const bool plain_name = candidate.path.find('/') == std::string::npos;
    if (candidate.path.empty() || (!plain_name && candidate.path[0] != '/')) {
      missed("not an absolute path");
      continue;
    }
    if (plain_name && !candidate.only_if_loaded && loader_would_use_relative_directory(candidate.path)) {
      missed("LD_LIBRARY_PATH has a relative entry that could answer; libraries are not taken from the current directory");
      continue;
    }
    dlerror();
    void* handle = dlopen(candidate.path.c_str(), RTLD_NOW | RTLD_LOCAL | (candidate.only_if_loaded ? RTLD_NOLOAD : 0));
    if (!handle) {
      const char* why = dlerror();
      missed(why ? why : "not loaded");
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

std::vector<std::string> loaded_libraries() {
  std::vector<std::string> paths;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* user) {
        auto& list = *static_cast<std::vector<std::string>*>(user);
        if (list.empty()) list.push_back(real_path("/proc/self/exe"));
        else if (info->dlpi_name && info->dlpi_name[0] == '/') list.push_back(info->dlpi_name);
        return 0;
      },
      &paths);
  return paths;
}

}  // namespace tenon::base
