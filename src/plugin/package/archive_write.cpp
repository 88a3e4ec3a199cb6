// plugin/package/archive_write.cpp: a package as one tar file (POSIX ustar), the same bytes for the same content.
#include <cstring>
#include "base/sha256.hpp"
#include "plugin/package/package.hpp"

namespace tenon::plugin {
namespace {

constexpr size_t kArchiveBlock = 512;

void entry(std::string& out, const std::string& path, const std::string& content) {
  char block[kArchiveBlock] = {};
  const auto field = [&](size_t at, size_t bytes, const std::string& text) {
    std::memcpy(block + at, text.data(), std::min(bytes, text.size()));
  };
  // 100 bytes for the name, and 155 for the part before a slash.
  if (path.size() <= 100) {
    field(0, 100, path);
  } else {
    const size_t slash = path.find('/', path.size() - 101);
    if (slash == path.npos || slash > 155)
      fail(TENON_ERROR_UNSUPPORTED, "the path %s is too long for a tar file", path.c_str());
    field(345, 155, path.substr(0, slash));
    field(0, 100, path.substr(slash + 1));
  }
  field(100, 8, "0000644");
  field(108, 8, "0000000");
  field(116, 8, "0000000");
  field(124, 12, format("%011zo", content.size()));
  field(136, 12, "00000000000");
  field(148, 8, "        ");
  block[156] = '0';
  std::memcpy(block + 257, "ustar\00000", 8);
  unsigned sum = 0;
  for (const char c : block) sum += static_cast<unsigned char>(c);
  field(148, 7, format("%06o", sum) + '\0');
  out.append(block, kArchiveBlock);
  out += content;
  out.resize((out.size() + kArchiveBlock - 1) / kArchiveBlock * kArchiveBlock);
}

}  // namespace

std::string write_archive(const Package& package) {
  const Contract& contract = package.contract();
  const std::string top = contract.name + "-" + contract.version.text() + "/";
  std::string out;
  for (const auto& [path, content] : package.files()) {
    std::string text = content;
    if (path == "plugin.toml" && contract.hashes.empty() && package.signature().empty()) {  // signed, it stays as it is
      text += "\n# What was packed.\n[files]\n";
      for (const auto& [name, bytes] : package.files())
        if (name != path) text += "\"" + name + "\" = \"sha256:" + base::sha256_hex(bytes) + "\"\n";
    }
    entry(out, top + path, text);
  }
  if (!package.signature().empty()) entry(out, top + kSignatureFile, package.signature());
  out.resize(out.size() + 2 * kArchiveBlock);
  return out;
}

}  // namespace tenon::plugin
