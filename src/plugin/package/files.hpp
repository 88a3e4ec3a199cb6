// plugin/package/files.hpp: the files of a package, read from a directory or an archive; refuses everything that could
// lead out of it, or that another user could have changed.
#pragma once
#include <map>
#include <string>
#include <string_view>

namespace tenon::plugin {

using Files = std::map<std::string, std::string>;  // path inside the package -> content

// Limits for one package.
constexpr size_t kMaxFiles = 1024;
constexpr size_t kMaxFileBytes = size_t(16) << 20;
constexpr size_t kMaxPackageBytes = size_t(64) << 20;
constexpr size_t kMaxPath = 200;
constexpr size_t kMaxDepth = 8;

// plugin.toml, plugin.sig and CUDA C: other files of a package (tests, pictures, text) are ignored.
bool part_of_package(std::string_view path);
// NULL, or the reason why the path is not allowed inside a package.
const char* bad_path(std::string_view path);

// Throw NOT_FOUND, IO.
Files read_directory(const std::string& path, bool any_owner);
Files read_archive(std::string_view bytes, const std::string& name);
Files read_package_files(const std::string& path, bool any_owner);  // for a directory or an archive

// The bytes of a shared object; symbolic links are followed.
std::string read_host_object(const std::string& path, bool any_owner);

std::string content_hash(const Files& files);  // SHA-256 over paths and contents

}  // namespace tenon::plugin
