// kernel/source/includes.hpp: which headers a program can reach, and what they hold.
#pragma once
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>
#include "core/device/backend.hpp"

namespace tenon {

// The headers that a text may include, found without preprocessing: a superset, because conditions are ignored.
struct IncludeWords {
  std::vector<std::string> quoted;  // "name", also from #define and __has_include
  std::vector<std::string> angled;  // <name>
  // #include NAME and #include NAME(...). The header is in the lists above if all definitions of the macro are a "name"
  // or a <name> without macros in it.
  std::vector<std::string> computed;
  std::vector<std::string> other_macros;                           // macros with another definition
  std::vector<std::pair<std::string, std::string>> angled_macros;  // name, text between the brackets
};
IncludeWords find_includes(std::string_view text);

// A store for answers that outlives the process.
class Notes {
 public:
  virtual ~Notes() = default;
  virtual bool recall(const std::string& question, std::string& answer) = 0;
  virtual void keep(const std::string& question, const std::string& answer) = 0;
};

// Finds every header reachable from a request. Keeps the results for files by (path, mtime, size), and whole answers
// with the state of all files that were read, so that a second scan only checks that these files are unchanged.
class IncludeScanner {
 public:
  explicit IncludeScanner(Notes* notes = nullptr) : notes_(notes) {}
  // One line per header: its name in the #include, and the hash of its content. No paths: the same content elsewhere is
  // equal. `whole` is false if only a preprocessor could find a header. `directories` are the compiler's own: computed
  // #includes in them only depend on themselves. `own` are the headers that the device adds to the request's: their
  // texts are part of the compiler's identity, so they are only searched for further headers.
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
    std::string trace;  // "path\tstate\n" of every path that was tried, including those that did not exist
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
