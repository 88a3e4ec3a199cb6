// backend/cpu/compile/precompiled.cpp: the shim's first header, precompiled for clang, once per set of options.
//
// Parsing the header takes 55 of the 85 ms that clang spends on the text of a small kernel, and each kernel is compiled
// at least once.
#include "backend/cpu/compile/precompiled.hpp"
#include <unistd.h>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include "backend/cpu/compile/compiler/compiler.hpp"
#include "backend/cpu/compile/source/shim.hpp"
#include "backend/cpu/compile/unit.hpp"
#include "base/files.hpp"

namespace tenon::cpu {
namespace {

constexpr size_t kMost = 32;  // headers of a process; each takes 1.3 MiB on disk

struct Entry {
  int asked = 0;
  bool ready = false;
  std::string path;
};

// Never destroyed: a background compile may use it while the process exits.
struct Headers {
  const pid_t owner = getpid();
  std::mutex mutex;
  std::unique_ptr<base::ScratchDirectory> directory;
  std::map<std::string, Entry> entries;  // by compiler and options
  size_t made = 0;
  bool closed = false;

  // NULL in a child of fork(): the mutex may be locked there, and the files are the parent's.
  static Headers* of_process() {
    static Headers* const all = [] {
      std::atexit([] {
        if (Headers* const own = of_process()) own->close();
      });
      return new Headers;
    }();
    return all->owner == getpid() ? all : nullptr;
  }

  void close() {
    std::lock_guard lock(mutex);
    closed = true;
    entries.clear();
    directory.reset();
  }
};

std::string key_of(const Compiler& compiler, const std::vector<std::string>& options) {
  std::string out = compiler.path + "\n" + compiler.content;
  for (const std::string& option : options) out += "\n" + option;
  return out;
}

// Precompiles the header into `file`. False: it cannot be, and is not tried again.
bool make(const CompileRequest& request, const Compiler& compiler, const std::vector<std::string>& options,
          const std::string& folder, const std::string& file) {
  std::vector<std::string> argv = {compiler.path, "-x", "c++-header", folder + "/all.h", "-o", file, "-w"};
  argv.insert(argv.end(), options.begin(), options.end());
  argv.insert(argv.end(), {"-isystem", folder});
  try {
    run_compiler(request, argv, folder);
    return true;
  } catch (const Error&) {
    rethrow_if_cancelled(request);
    return false;
  }
}

}  // namespace

std::string precompiled_shim(const CompileRequest& request, const Compiler& compiler,
                             const std::vector<std::string>& options) {
  Headers* const all = Headers::of_process();
  if (!all) return {};
  const std::string key = key_of(compiler, options);
  std::string folder, file;
  {
    std::lock_guard lock(all->mutex);
    if (all->closed) return {};
    Entry& entry = all->entries[key];
    if (entry.ready) return entry.path;
    // Only the second compile makes it: a third one that comes at the same time does not wait.
    if (++entry.asked != 2 || all->made == kMost) return {};
    if (!all->directory) {
      all->directory = std::make_unique<base::ScratchDirectory>();
      std::string why;
      const std::string& path = all->directory->path();
      // A header that is included from a system directory gets no warnings.
      if (!base::write_file_atomically(path + "/all.h", "#include <tenon_cuda.h>\n", &why) ||
          !base::write_file_atomically(path + "/tenon_cuda.h", shim_headers[0].text, &why))
        return {};
    }
    folder = all->directory->path();
    file = folder + "/" + std::to_string(all->made++) + ".pch";
  }
  if (!make(request, compiler, options, folder, file)) return {};
  std::lock_guard lock(all->mutex);
  if (all->closed) return {};
  Entry& entry = all->entries[key];
  entry.path = file;
  entry.ready = true;
  return file;
}

void give_up_precompiled(const Compiler& compiler, const std::vector<std::string>& options) {
  Headers* const all = Headers::of_process();
  if (!all) return;
  std::lock_guard lock(all->mutex);
  if (!all->closed) all->entries[key_of(compiler, options)] = {.asked = 2, .ready = false, .path = {}};
}

}  // namespace tenon::cpu
