// kernel/includes.hpp: which headers a program can reach, and what they hold.
#pragma once
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>
#include "core/backend.hpp"

namespace tenon {

// What a text asks for, found without preprocessing: a superset, whatever the conditions say.
struct IncludeWords {
  std::vector<std::string> quoted;  // "name", also from #define and __has_include
  std::vector<std::string> angled;  // <name>
  // #include NAME and #include NAME(...). What such a one reads is found above where all definitions of the macro are a
  // "name" or a <name> without macros in it.
  std::vector<std::string> computed;
  std::vector<std::string> other_macros;                           // with another definition
  std::vector<std::pair<std::string, std::string>> angled_macros;  // name, what stands between the brackets
};
IncludeWords find_includes(std::string_view text);

// Where answers outlive the process.
class Notes {
 public:
  virtual ~Notes() = default;
  virtual bool recall(const std::string& question, std::string& answer) = 0;
  virtual void keep(const std::string& question, const std::string& answer) = 0;
};

// Finds every header reachable from a request. Keeps what it read of files by (path, mtime, size), and whole answers
// with the state of all files that were looked at, so that a second scan only asks the file system whether they are as
// they were.
class IncludeScanner {
 public:
  explicit IncludeScanner(Notes* notes = nullptr) : notes_(notes) {}
  // One line per header: how it was asked for, and the hash of its content. No paths: the same content elsewhere is the
  // same. `whole` is false where only a preprocessor knows what an #include reads. `directories` are the compiler's
  // own: what their headers compute comes from themselves. `own` are the headers that the device adds to the request's:
  // their texts are part of the compiler's identity, here they only lead on to others.
  std::string reachable(const CompileRequest& request, const std::vector<std::string>& directories,
                        bool* whole = nullptr, const std::vector<SourceHeader>& own = {});

 private:
  struct File {
    int64_t mtime_ns;
    uint64_t size, inode;
    std::string hash;
    IncludeWords words;
  };
  struct Scan;
  struct Answer {
    std::string trace;  // "path\tstate\n" of every path that was tried, also of those that were not there
    std::string headers;
  };
  std::shared_ptr<const File> file(const std::string& path);
  std::shared_ptr<const Answer> known(const std::string& question);
  void remember(const std::string& question, const Scan& scan);

  Notes* const notes_;
  std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<const Answer>> answers_;
  std::unordered_map<std::string, std::shared_ptr<const File>> files_;
};

}  // namespace tenon
