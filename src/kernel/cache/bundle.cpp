// kernel/cache/bundle.cpp: the programs of a cache as one file, and back. A bundle is a header (magic, format of the
// entries), then each entry with its name, then an empty name, the number of entries and a hash over names and entries;
// numbers and lengths as in the entries themselves. It is read one entry at a time, however large it is.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <functional>
#include "base/files.hpp"
#include "base/hash.hpp"
#include "kernel/cache/cache.hpp"
#include "kernel/cache/fields.hpp"
#include "kernel/cache/key.hpp"

namespace tenon {
namespace {

constexpr std::string_view kBundleMagic("TENONBDL", 8);
constexpr uint64_t kLongestName = 64;

// A hash of everything so far.
std::string chained(const std::string& before, std::string_view name, std::string_view entry) {
  std::string all = before;
  all += name;
  all += base::hash_hex(entry);
  return base::hash_hex(all);
}

class BundleFile {
 public:
  explicit BundleFile(const std::string& path)
      : path_(path), fd_(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {
    const int error = errno;
    TENON_REQUIRE(fd_ >= 0, error == ENOENT || error == ENOTDIR ? TENON_ERROR_NOT_FOUND : TENON_ERROR_IO,
                  "%s cannot be opened: %s", path.c_str(), std::strerror(error));
    struct stat info;
    const bool plain = fstat(fd_, &info) == 0 && S_ISREG(info.st_mode);
    if (!plain) ::close(fd_);
    TENON_REQUIRE(plain, TENON_ERROR_INVALID_ARGUMENT, "%s is not a file", path.c_str());
    size_ = uint64_t(info.st_size);
  }
  ~BundleFile() { ::close(fd_); }
  BundleFile(const BundleFile&) = delete;

  // Reads the whole file from its start, and passes on each program as soon as it is known to be intact. Throws if the
  // file is damaged.
  void each(const std::function<void(const std::string& name, const std::string& entry)>& take);

 private:
  [[noreturn]] void damaged(const char* what) {
    fail(TENON_ERROR_INVALID_ARGUMENT, "%s is a damaged bundle: %s (entry %llu, byte %llu of %llu)", path_.c_str(),
         what, static_cast<unsigned long long>(count_), static_cast<unsigned long long>(at_),
         static_cast<unsigned long long>(size_));
  }
  std::string bytes(uint64_t count) {
    if (count > size_ - at_) damaged("it ends too early");
    std::string out(count, '\0');
    for (uint64_t got = 0; got < count;) {
      const ssize_t part = ::pread(fd_, out.data() + got, count - got, off_t(at_ + got));
      if (part < 0 && errno == EINTR) continue;
      TENON_REQUIRE(part >= 0, TENON_ERROR_IO, "%s cannot be read: %s", path_.c_str(), std::strerror(errno));
      if (part == 0) damaged("it was truncated while being read");
      got += uint64_t(part);
    }
    at_ += count;
    return out;
  }
  uint64_t number() {
    uint64_t value = 0;
    const std::string field = bytes(8);
    FieldReader(field).number(value);
    return value;
  }
  std::string text(uint64_t longest) {
    const uint64_t length = number();
    if (length > longest) damaged("a length is too large");
    return bytes(length);
  }

  const std::string path_;
  const int fd_;
  uint64_t size_ = 0, at_ = 0, count_ = 0;
};

void BundleFile::each(const std::function<void(const std::string& name, const std::string& entry)>& take) {
  at_ = count_ = 0;
  TENON_REQUIRE(size_ >= kBundleMagic.size() && bytes(kBundleMagic.size()) == kBundleMagic,
                TENON_ERROR_INVALID_ARGUMENT,
                "%s is not a bundle of compiled programs: use a file written by tenon_cache_export", path_.c_str());
  const uint64_t format = number();
  TENON_REQUIRE(
      format == kEntryFormat, TENON_ERROR_VERSION,
      "%s was written by another version of Tenon: its entries have format %llu, but this version uses %llu. Export it "
      "again",
      path_.c_str(), static_cast<unsigned long long>(format), static_cast<unsigned long long>(kEntryFormat));
  std::string hash;
  for (;; ++count_) {
    const std::string name = text(kLongestName);
    if (name.empty()) break;
    const std::string entry = text(size_);
    const EntryFacts facts = read_entry_facts(entry);
    if (facts.kind != EntryFacts::Kind::program || facts.key_hash != name) damaged("a program is incomplete");
    hash = chained(hash, name, entry);
    take(name, entry);
  }
  if (number() != count_) damaged("its number of entries is wrong");
  if (text(kLongestName) != hash) damaged("its checksum is wrong");
  if (at_ != size_) damaged("there is data after its end");
}

}  // namespace

tenon_cache_tally export_entries(Cache& cache, const std::string& path) {
  TENON_REQUIRE(!path.empty(), TENON_ERROR_INVALID_ARGUMENT, "the path of the bundle is empty");
  Disk& disk = usable_disk(cache, false);
  tenon_cache_tally tally{};
  tally.struct_size = sizeof tally;
  base::NewFile file(path);
  FieldWriter fields;
  fields.out = kBundleMagic;
  fields.number(kEntryFormat);
  std::string hash;
  for (const Disk::Entry& each : disk.entries()) {
    std::string entry;
    if (!disk.look_at(each.name, entry)) continue;
    const EntryFacts facts = read_entry_facts(entry);
    const bool whole = facts.kind == EntryFacts::Kind::program && facts.key_hash == each.name;
    if (!whole) {  // remembered answers depend on this machine's files, and foreign entries belong to another version
      tally.damaged += facts.kind == EntryFacts::Kind::damaged || facts.kind == EntryFacts::Kind::program;
      continue;
    }
    fields.text(each.name);
    fields.text(entry);
    if (!file.write(fields.out)) break;  // commit reports the reason
    fields.out.clear();
    hash = chained(hash, each.name, entry);
    ++tally.entries;
    tally.bytes += entry.size();
  }
  fields.text("");
  fields.number(tally.entries);
  fields.text(hash);
  file.write(fields.out);
  std::string why;
  TENON_REQUIRE(file.commit(&why), TENON_ERROR_IO, "the bundle was not written: %s", why.c_str());
  return tally;
}

tenon_cache_tally import_entries(Cache& cache, const std::string& path) {
  BundleFile file(path);
  uint64_t bytes = 0;
  file.each([&](const std::string&, const std::string& entry) { bytes += entry.size(); });
  Disk& disk = usable_disk(cache, true);
  // Importing must not evict what was imported just before.
  TENON_REQUIRE(
      bytes <= disk.limit() - disk.limit() / 10, TENON_ERROR_UNSUPPORTED,
      "the programs of %s take %llu bytes, but the cache's limit is %llu, of which nine tenths can be imported: raise "
      "cache_limit_bytes",
      path.c_str(), static_cast<unsigned long long>(bytes), static_cast<unsigned long long>(disk.limit()));
  tenon_cache_tally tally{};
  tally.struct_size = sizeof tally;
  std::vector<std::string> added;
  try {
    file.each([&](const std::string& name, const std::string& entry) {
      std::string there, why;
      if (disk.read(name, there)) {  // reading marks it as used, so it is not evicted by those added now
        const EntryFacts facts = read_entry_facts(there);
        if (facts.kind == EntryFacts::Kind::program && facts.key_hash == name) {
          ++tally.kept;
          return;
        }
      }
      TENON_REQUIRE(disk.write(name, entry, &why), TENON_ERROR_IO, "a program of %s cannot be put into the cache: %s",
                    path.c_str(), why.c_str());
      added.push_back(name);
      ++tally.entries;
      tally.bytes += entry.size();
    });
  } catch (...) {
    for (const std::string& name : added) disk.remove(name);
    throw;
  }
  return tally;
}

}  // namespace tenon
