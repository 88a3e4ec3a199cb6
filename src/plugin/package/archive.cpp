// plugin/package/archive.cpp: uncompressed tar files (POSIX ustar, what `tar --format=ustar` writes): read strictly.
// There is nothing to unpack, so a small file cannot become a large one.
#include <algorithm>
#include <cstring>
#include "core/error.hpp"
#include "plugin/package/files.hpp"

namespace tenon::plugin {
namespace {

constexpr size_t kBlock = 512;

struct Header {  // the fields of a block that are used
  std::string_view name, size, checksum, magic, prefix;
  char type;
  explicit Header(std::string_view block)
      : name(field(block, 0, 100)),
        size(field(block, 124, 12)),
        checksum(field(block, 148, 8)),
        magic(block.substr(257, 6)),
        prefix(field(block, 345, 155)),
        type(block[156]) {}
  static std::string_view field(std::string_view block, size_t at, size_t bytes) {
    const std::string_view all = block.substr(at, bytes);
    return all.substr(0, all.find('\0'));
  }
};

bool octal(std::string_view text, uint64_t& out) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  if (text.empty() || text.size() > 11) return false;
  out = 0;
  for (const char c : text) {
    if (c < '0' || c > '7') return false;
    out = 8 * out + uint64_t(c - '0');
  }
  return true;
}

bool checksum_holds(std::string_view block, uint64_t said) {
  uint64_t sum = 0;
  for (size_t i = 0; i < kBlock; ++i) sum += i >= 148 && i < 156 ? ' ' : static_cast<unsigned char>(block[i]);
  return sum == said;
}

const char* kind_of(char type) {
  switch (type) {
    case '1': return "a hard link";
    case '2': return "a symbolic link";
    case '3':
    case '4': return "a device";
    case '6': return "a pipe";
    case 'x':
    case 'g': return "a pax extension (write the archive with tar --format=ustar)";
    case 'L':
    case 'K': return "a GNU extension (write the archive with tar --format=ustar)";
    default: return "of an unknown type";
  }
}

class ArchiveReader {
 public:
  ArchiveReader(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  Files read() {
    for (const std::string_view magic : {std::string_view("\x1f\x8b"), std::string_view("\x28\xb5\x2f\xfd"),
                                         std::string_view("\xfd"
                                                          "7zXZ"),
                                         std::string_view("BZh")})
      if (bytes_.starts_with(magic))
        wrong("it is compressed: packages are uncompressed tar files (tar --format=ustar)");
    if (bytes_.size() < kBlock || bytes_.size() % kBlock)
      wrong("its size is not a multiple of 512 bytes: it is not a tar file, or it is truncated");
    while (!ended()) entry();
    for (size_t i = at_; i < bytes_.size(); ++i)
      if (bytes_[i]) wrong("there is data after its end");
    return strip();
  }

 private:
  [[noreturn]] void wrong(const std::string& why) const {
    fail(TENON_ERROR_IO, "%s is refused: %s", name_.c_str(), why.c_str());
  }
  [[noreturn]] void wrong_entry(const std::string& path, const std::string& why) const {
    std::string shown = path.substr(0, 256);
    for (char& c : shown)
      if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) c = '?';  // for terminals
    wrong("entry " + std::to_string(entries_) + ", \"" + shown + "\", " + why);
  }

  bool ended() const {
    if (at_ >= bytes_.size()) wrong("it has no end mark: it is truncated");
    const std::string_view block = bytes_.substr(at_, kBlock);
    return block.find_first_not_of('\0') == block.npos;
  }

  void entry() {
    const std::string_view block = bytes_.substr(at_, kBlock);
    const Header header(block);
    ++entries_;
    if (entries_ > 16 * kMaxFiles) wrong("it has too many entries for a package");
    if (!header.magic.starts_with("ustar"))
      wrong("entry " + std::to_string(entries_) +
            " is not a tar header: packages are uncompressed tar files (tar --format=ustar)");
    std::string path = header.prefix.empty() || header.magic[5] != '\0'
                           ? std::string(header.name)
                           : std::string(header.prefix) + "/" + std::string(header.name);
    uint64_t checksum, size;
    if (!octal(header.checksum, checksum) || !checksum_holds(block, checksum))
      wrong_entry(path, "has a wrong checksum: the archive is damaged");
    if (!octal(header.size, size)) wrong_entry(path, "has a size that is not an octal number");
    at_ += kBlock;
    const bool directory = header.type == '5';
    if (!directory && header.type != '0' && header.type != '\0')
      wrong_entry(path, std::string("is ") + kind_of(header.type) + ": a package may hold only files and directories");
    if (directory && size) wrong_entry(path, "is a directory with content");
    if (size > kMaxFileBytes || size > bytes_.size() - at_)
      wrong_entry(path, "says that it has " + std::to_string(size) + " bytes: too many");
    while (path.starts_with("./")) path.erase(0, 2);
    if (directory && path.ends_with('/')) path.pop_back();
    if (directory && (path.empty() || path == ".")) return;
    if (const char* why = bad_path(path)) wrong_entry(path, why);
    if (directory) return;
    const std::string_view content = bytes_.substr(at_, size);
    at_ += (size + kBlock - 1) / kBlock * kBlock;
    if (at_ > bytes_.size()) wrong_entry(path, "is truncated");
    if (!all_.emplace(path, content).second) wrong_entry(path, "is listed twice");
    if (all_.size() > kMaxFiles) wrong("it has more than 1024 files: too many for a package");
  }

  // Removes the common directory: `tar -cf mine.tar mine` puts everything under one.
  Files strip() const {
    std::string top;
    if (!all_.count("plugin.toml")) {
      for (const auto& [path, content] : all_) {
        const size_t slash = path.find('/');
        const std::string first = slash == path.npos ? "" : path.substr(0, slash + 1);
        if (first.empty() || (!top.empty() && top != first)) return without("");
        top = first;
      }
    }
    return without(top);
  }
  Files without(const std::string& top) const {
    Files out;
    size_t bytes = 0;
    for (const auto& [path, content] : all_) {
      const std::string inside = path.substr(top.size());
      bytes += content.size();
      if (bytes > kMaxPackageBytes) wrong("it has more than 64 MiB: too large for a package");
      if (part_of_package(inside)) out.emplace(inside, content);
    }
    check_names(out);
    if (!out.count("plugin.toml"))
      fail(TENON_ERROR_NOT_FOUND, "%s has no plugin.toml, so it is not a package", name_.c_str());
    return out;
  }

  // Rejects names that some systems cannot unpack: there, the files would not be those that were signed.
  void check_names(const Files& files) const {
    std::map<std::string, std::string> folded;
    for (const auto& [path, content] : files) {
      std::string small = path;
      std::transform(small.begin(), small.end(), small.begin(),
                     [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
      const auto [at, fresh] = folded.emplace(small, path);
      if (!fresh)
        wrong("\"" + path + "\" and \"" + at->second + "\" differ only in case, which some file systems ignore");
    }
    for (const auto& [small, path] : folded)
      for (size_t slash = small.find('/'); slash != small.npos; slash = small.find('/', slash + 1))
        if (folded.count(small.substr(0, slash)))
          wrong("\"" + path.substr(0, slash) + "\" is both a file and a directory");
  }

  const std::string_view bytes_;
  const std::string& name_;
  size_t at_ = 0, entries_ = 0;
  std::map<std::string, std::string_view> all_;
};

}  // namespace

Files read_archive(std::string_view bytes, const std::string& name) { return ArchiveReader(bytes, name).read(); }

}  // namespace tenon::plugin
