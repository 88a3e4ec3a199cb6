// tests/plugin/packages.hpp: packages made for tests: directories and tar files.
#pragma once
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "../support.hpp"

namespace test {

using PackagePtr = std::unique_ptr<tenon_package, Releaser<tenon_package, tenon_package_release>>;
using OperationPtr = std::unique_ptr<tenon_operation, Releaser<tenon_operation, tenon_operation_release>>;

// A directory for the test, removed at the end.
class Directory {
 public:
  Directory() {
    std::string name = std::filesystem::temp_directory_path() / "tenon-plugin-XXXXXX";
    path_ = ::mkdtemp(name.data());
  }
  ~Directory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Directory(const Directory&) = delete;
  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return std::string(path_).append("/").append(name); }
  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(path_ + "/" + name).parent_path());
    std::ofstream(path_ + "/" + name, std::ios::binary) << text;
  }

 private:
  std::string path_;
};

// One entry of a ustar archive, with any error that a test wants.
struct TarEntry {
  std::string name, content;
  char type = '0';
  std::string link = "";
  int64_t size = -1;  // the size in the header; -1: the real size
};

inline std::string tar(const std::vector<TarEntry>& entries) {
  std::string out;
  for (const TarEntry& entry : entries) {
    char block[512] = {};
    std::snprintf(block, 100, "%s", entry.name.c_str());
    std::snprintf(block + 100, 8, "%07o", 0644);
    std::snprintf(block + 124, 12, "%011llo",
                  static_cast<unsigned long long>(entry.size < 0 ? int64_t(entry.content.size()) : entry.size));
    std::snprintf(block + 136, 12, "%011o", 0);
    block[156] = entry.type;
    std::snprintf(block + 157, 100, "%s", entry.link.c_str());
    std::memcpy(block + 257, "ustar\00000", 8);
    std::memset(block + 148, ' ', 8);
    unsigned sum = 0;
    for (const char c : block) sum += static_cast<unsigned char>(c);
    std::snprintf(block + 148, 8, "%06o", sum);
    out.append(block, 512);
    out += entry.content;
    out.resize((out.size() + 511) / 512 * 512);
  }
  out.resize(out.size() + 1024);
  return out;
}

inline std::string text_of(tenon_blob* blob) {
  const BlobPtr own(blob);
  const void* data = nullptr;
  uint64_t size = 0;
  if (tenon_blob_data(own.get(), &data, &size)) return "";
  return std::string(static_cast<const char*>(data), size);
}

inline ContextPtr new_context() {
  tenon_context* out = nullptr;
  tenon_context_create(nullptr, &out);
  return ContextPtr(out);
}

}  // namespace test
