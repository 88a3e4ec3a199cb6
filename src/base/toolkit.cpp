// base/toolkit.cpp: the directories that may contain the CUDA toolkit, in order of preference.
#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <algorithm>
#include "base/files.hpp"
#include "base/library.hpp"
#include "base/toolkit.hpp"

namespace tenon::base {
namespace {

bool is_directory(const std::string& path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

// Entries of a directory whose names start with `prefix`, in descending order ("cuda-13.0" before "cuda-12.4").
std::vector<std::string> entries(const std::string& directory, const std::string& prefix) {
  std::vector<std::string> out;
  if (DIR* handle = opendir(directory.c_str())) {
    while (dirent* entry = readdir(handle)) {
      std::string name = entry->d_name;
      if (name[0] != '.' && name.compare(0, prefix.size(), prefix) == 0) out.push_back(directory + "/" + name);
    }
    closedir(handle);
  }
  std::sort(out.rbegin(), out.rend());
  return out;
}

std::string parent(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos || slash == 0 ? std::string() : path.substr(0, slash);
}

class Places {
 public:
  void directory(const std::string& path, const std::string& how) {
    if (path.empty() || path[0] != '/') return;  // relative entries would depend on the current directory
    char buffer[PATH_MAX];
    if (!realpath(path.c_str(), buffer) || !is_directory(buffer)) return;
    for (const ToolkitDirectory& place : list)
      if (place.directory == buffer) return;
    list.push_back({buffer, how});
    order.push_back({buffer, false});
  }

  // site-packages/nvidia: CUDA 13's wheels share nvidia/cu13/lib, those of 12 have one directory each.
  void wheels(const std::string& site_packages, const std::string& how) {
    const std::string root = site_packages + "/nvidia";
    if (site_packages.empty() || site_packages[0] != '/' || !is_directory(root)) return;
    order.push_back({root, true});
    directory(root + "/cu13/lib", how);
    for (const char* component :
         {"cuda_nvrtc", "nvjitlink", "cublas", "cufft", "cusolver", "cusparse", "curand", "cuda_runtime"})
      directory(root + "/" + component + "/lib", how);
  }

  // A toolkit's root, a directory of libraries, or a site-packages directory.
  void root(const std::string& path, const std::string& how) {
    if (path.empty() || path[0] != '/') return;
    wheels(path, how);
    directory(path + "/lib64", how);
    directory(path + "/lib", how);
#if defined(__aarch64__)
    directory(path + "/targets/sbsa-linux/lib", how);
#else
    directory(path + "/targets/x86_64-linux/lib", how);
#endif
  }

  // Python's package directories below a prefix. Debian's Python has dist-packages, and those of pip are in /usr/local.
  void python_prefix(const std::string& prefix, const std::string& how) {
    if (prefix.empty() || prefix[0] != '/') return;
    for (const std::string& python : entries(prefix + "/lib", "python3"))
      for (const char* packages : {"/site-packages", "/dist-packages"}) wheels(python + packages, how);
    if (prefix == "/usr") python_prefix("/usr/local", how);
  }

  std::vector<ToolkitDirectory> list;
  // The same with the folders of wheels among them, each before its libraries.
  struct Root {
    std::string directory;
    bool wheels;
  };
  std::vector<Root> order;
};

Places all_places() {
  Places places;
  for (const std::string& entry : path_entries(environment("TENON_CUDA_PATH"))) {
    places.directory(entry, "TENON_CUDA_PATH");
    places.root(entry, "TENON_CUDA_PATH");
  }
  const std::vector<std::string> loaded = loaded_libraries();
  for (const std::string& path : loaded)
    for (const char* name : {"/libcudart.so.", "/libnvrtc.so.", "/libcublas.so.", "/libnvJitLink.so."})
      if (path.find(name) != std::string::npos) places.directory(parent(path), "next to a library already loaded");
  for (const std::string& path : loaded)
    for (const char* packages : {"/site-packages/", "/dist-packages/"})
      if (size_t at = path.rfind(packages); at != std::string::npos)
        places.wheels(path.substr(0, at + std::string(packages).size() - 1), "pip wheel");
  places.python_prefix(environment("VIRTUAL_ENV"), "pip wheel, VIRTUAL_ENV");
  const std::string conda = environment("CONDA_PREFIX");
  places.python_prefix(conda, "pip wheel, CONDA_PREFIX");
  // <prefix>/bin/python3; that of a virtual environment is a link.
  places.python_prefix(parent(parent(program_path())), "pip wheel");
  if (!loaded.empty()) places.python_prefix(parent(parent(loaded[0])), "pip wheel");
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"}) places.root(environment(name), name);
  places.root(conda, "CONDA_PREFIX");
  places.root("/usr/local/cuda", "toolkit");
  for (const std::string& path : entries("/usr/local", "cuda-")) places.root(path, "toolkit");
  return places;
}

}  // namespace

std::vector<ToolkitDirectory> toolkit_directories() { return all_places().list; }

std::vector<std::string> toolkit_headers(const std::string& part) {
  std::vector<std::string> out;
  const Places places = all_places();
  const auto add = [&](const std::string& path) {
    char buffer[PATH_MAX];
    if (!realpath(path.c_str(), buffer) || !is_directory(buffer)) return;
    if (std::find(out.begin(), out.end(), buffer) == out.end()) out.push_back(buffer);
  };
  // The libraries of a toolkit are in lib64 or targets/x86_64-linux/lib, those of wheels in a folder for each part
  // (CUDA 12) or in one for all (13). A wheel of headers alone has no folder for libraries.
  for (const auto& [root, wheels] : places.order) {
    if (wheels) {
      add(root + "/cu13/include/" + part);
      add(root + "/cuda_" + part + "/include");
      continue;
    }
    for (const char* up : {"/../include/", "/../../../include/"}) {
      add(root + up + part);
      add(root + up);
    }
  }
  return out;
}

}  // namespace tenon::base
