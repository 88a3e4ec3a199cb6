// backend/cpu/compile/precompiled.cpp: the shim's first header, precompiled for clang, once per set of options.
//
// Parsing the header takes four fifths of the time that clang spends on the text of a small kernel, and each kernel is
// compiled at least once. The file has neither times nor absolute paths in it, so that it serves in the directory of
// another process.
#include "backend/cpu/compile/precompiled.hpp"
#include <unistd.h>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include "backend/cpu/compile/compiler/compiler.hpp"
#include "backend/cpu/compile/source/shim.hpp"
#include "backend/cpu/compile/unit.hpp"
#include "backend/cpu/target.hpp"
#include "base/files.hpp"
#include "base/hash.hpp"

namespace tenon::cpu {
namespace {

constexpr size_t kMost = 32;  // headers of a process; each takes 1.5 MiB on disk

// Never destroyed: a background compile may use it while the process exits.
struct Headers {
  const pid_t owner = getpid();
  std::mutex mutex;
  std::unique_ptr<base::ScratchDirectory> directory;
  std::map<std::string, std::string> files;  // by compiler and options; "": being made, or it does not work
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
    files.clear();
    directory.reset();
  }
};

std::string key_of(const Compiler& compiler, const std::vector<std::string>& options) {
  std::string out = compiler.path + "\n" + compiler.content;
  for (const std::string& option : options) out += "\n" + option;
  return out;
}

std::vector<std::string> options_for(const std::string& file, const std::string& folder) {
  return {"-include-pch", file, "-isysroot", folder};
}

// What the compiler makes of the header in `folder`; "": it cannot be precompiled. Templates that the header itself
// uses are instantiated here, once, instead of in each compile.
std::string make(const CompileRequest& request, const Compiler& compiler, const std::vector<std::string>& options,
                 const std::string& folder, const std::string& file) {
  std::vector<std::string> argv = {compiler.path, "-x", "c++-header", folder + "/all.h", "-o", file, "-w"};
  argv.insert(argv.end(), options.begin(), options.end());
  argv.insert(argv.end(), {"-isystem", folder, "-fpch-instantiate-templates", "-relocatable-pch", "-isysroot", folder,
                           "-Xclang", "-fno-pch-timestamp"});
  std::string bytes;
  try {
    run_compiler(request, compiler, argv, folder);
    base::read_file(file, bytes);
  } catch (const Error&) {
    rethrow_if_cancelled(request);
  }
  return bytes;
}

// Everything on which the file depends.
std::string question_of(const Compiler& compiler, const std::string& key) {
  return "the built-in header, precompiled by " + compiler.state + ": " +
         base::hash_hex(key + "\n" + compiler.banner + "\n" + processor_features() + "\n" + shim_headers[0].text);
}

}  // namespace

std::vector<std::string> precompiled_shim(const CompileRequest& request, const Compiler& compiler,
                                          const std::vector<std::string>& options, ImageStore& memory) {
  Headers* const all = Headers::of_process();
  if (!all) return {};
  const std::string key = key_of(compiler, options);
  std::string folder, file;
  {
    std::lock_guard lock(all->mutex);
    if (all->closed) return {};
    if (const auto found = all->files.find(key); found != all->files.end()) {
      if (found->second.empty()) return {};
      return options_for(found->second, all->directory->path());
    }
    if (all->files.size() == kMost) return {};
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
    file = folder + "/" + base::hash_hex(key) + ".pch";
    all->files[key];  // compiles that ask meanwhile do not wait
  }
  std::string bytes, why;
  try {
    bytes =
        memory.remembered(question_of(compiler, key), [&] { return make(request, compiler, options, folder, file); });
  } catch (...) {  // cancelled: the next compile makes it
    std::lock_guard lock(all->mutex);
    all->files.erase(key);
    throw;
  }
  if (bytes.empty() || (!base::file_exists(file) && !base::write_file_atomically(file, bytes, &why))) return {};
  std::lock_guard lock(all->mutex);
  if (all->closed) return {};
  all->files[key] = file;
  return options_for(file, folder);
}

void give_up_precompiled(const Compiler& compiler, const std::vector<std::string>& options) {
  Headers* const all = Headers::of_process();
  if (!all) return;
  std::lock_guard lock(all->mutex);
  if (!all->closed) all->files[key_of(compiler, options)].clear();
}

}  // namespace tenon::cpu
