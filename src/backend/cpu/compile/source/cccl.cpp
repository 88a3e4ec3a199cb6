// backend/cpu/compile/source/cccl.cpp: finding CCCL's headers, and the texts that need them.
//
// The shim has the parts of libcu++ that kernels use most, for machines without a toolkit. A text that includes
// anything else of CCCL gets all of it from one place, because its parts know each other's internals: the shim's folder
// "cuda" is then left out, and the folder "cccl" comes before the toolkit's (see shim/cccl/cuda/std/__cccl/compiler.h).
#include "backend/cpu/compile/source/cccl.hpp"
#include <pthread.h>
#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include "backend/cpu/compile/source/shim.hpp"
#include "base/files.hpp"
#include "base/toolkit.hpp"

namespace tenon::cpu {
namespace {

constexpr int kOldest = 300000;  // CCCL 3.0, of CUDA 13.0: the first whose headers ask for the compiler in one place

bool in_shim(std::string_view name) {
  return std::any_of(shim_headers, shim_headers + shim_header_count,
                     [&](const ShimHeader& header) { return name == header.name; });
}

bool of_cccl(std::string_view name) {
  for (std::string_view part : {"cub/", "thrust/", "nv/", "cuda/"})
    if (name.substr(0, part.size()) == part) return !in_shim(name);
  return false;
}

// Calls on_name(name, line) for the headers in a text's #include lines that are CCCL's, unless the request has headers
// of these names.
template <class OnName> void each_of_cccl(const CompileRequest& request, std::string_view text, const OnName& on_name) {
  for (size_t at = 0; (at = text.find("include", at)) != text.npos;) {
    at = text.find_first_not_of(" \t", at + 7);
    if (at == text.npos) return;
    if (text[at] != '<' && text[at] != '"') continue;
    const size_t end = text.find(text[at] == '<' ? '>' : '"', at + 1);
    if (end == text.npos) return;
    const std::string_view name = text.substr(at + 1, end - at - 1);
    const bool given = std::any_of(request.headers.begin(), request.headers.end(),
                                   [&](const SourceHeader& header) { return header.name == name; });
    if (!given && of_cccl(name)) on_name(name, 1 + std::count(text.begin(), text.begin() + long(at), '\n'));
    at = end;
  }
}

std::vector<std::string> directories_of(const CompileRequest& request) {
  std::vector<std::string> out;
  for (size_t i = 0; i < request.options.size(); ++i)
    for (const std::string_view prefix : {"-I", "--include-path=", "--include-path"}) {
      const std::string& option = request.options[i];
      if (option.compare(0, prefix.size(), prefix) != 0) continue;
      const std::string value = option.substr(prefix.size());
      if (!value.empty()) out.push_back(value);
      else if (i + 1 < request.options.size()) out.push_back(request.options[i + 1]);
      break;
    }
  return out;
}

// The number in "#define CUB_VERSION 300001"; 0: CUB is not in the directory.
int version_in(const std::string& directory) {
  std::string text;
  if (!base::read_file(directory + "/cub/version.cuh", text, nullptr, 1 << 20)) return 0;
  const size_t at = text.find("#define CUB_VERSION ");
  return at == text.npos ? 0 : std::atoi(text.c_str() + at + 20);
}

// Searched once for each environment, because every program with -I asks, also when it comes from the cache. Never
// destroyed, and intact in a child of fork(), as the compilers that were found.
struct Installed {
  std::mutex mutex;
  std::string environment, directory;

  Installed() {
    pthread_atfork([] { instance().mutex.lock(); }, [] { instance().mutex.unlock(); },
                   [] { instance().mutex.unlock(); });
  }
  static Installed& instance() {
    static Installed* found = new Installed;
    return *found;
  }
};

std::string installed_directory() {
  std::string environment;
  for (const char* name : {"TENON_CUDA_PATH", "VIRTUAL_ENV", "CONDA_PREFIX", "CUDA_HOME", "CUDA_PATH"})
    environment += base::environment(name) + '\n';
  Installed& known = Installed::instance();
  std::lock_guard lock(known.mutex);
  if (known.environment == environment && !known.directory.empty() && version_in(known.directory) >= kOldest)
    return known.directory;
  known.environment = environment;
  known.directory.clear();
  for (const std::string& place : base::toolkit_headers("cccl"))
    if (version_in(place) >= kOldest) {
      known.directory = place;
      break;
    }
  return known.directory;
}

}  // namespace

UsesCccl uses_cccl(const CompileRequest& request) {
  bool any = false;
  const auto found = [&](std::string_view, long) { any = true; };
  each_of_cccl(request, request.source, found);
  for (const SourceHeader& header : request.headers) each_of_cccl(request, header.text, found);
  for (const std::string& option : request.options)  // -include cub/cub.cuh
    any = any || of_cccl(option.substr(std::min(option.size(), option.find('=') + 1)));
  return any ? UsesCccl::yes : directories_of(request).empty() ? UsesCccl::no : UsesCccl::perhaps;
}

std::string cccl_for_the_host(const CompileRequest& request) {
  std::string log;
  each_of_cccl(request, request.source, [&](std::string_view name, long line) {
    for (std::string_view part : {"cub/device/", "thrust/device_vector", "thrust/host_vector",
                                  "thrust/universal_vector", "thrust/system/cuda/", "cub/util_allocator"})
      if (name.substr(0, part.size()) == part)
        log += request.name + ":" + std::to_string(line) + ":1: error: <" + std::string(name) +
               "> is for code of the host\n";
  });
  return log;
}

std::string cccl_directory(const CompileRequest& request) {
  for (const std::string& place : directories_of(request))
    if (version_in(place) >= kOldest) return place;
  return installed_directory();
}

bool lacks_cccl(const std::string& log, const std::string& directory) {
  if (log.find(directory + "/") != log.npos) return true;
  for (const char* part : {"cub/", "thrust/", "nv/", "cuda/"})
    if (log.find(std::string("fatal error: '") + part) != log.npos ||
        log.find(std::string("fatal error: ") + part) != log.npos)
      return true;
  return false;
}

}  // namespace tenon::cpu
