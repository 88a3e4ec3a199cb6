// backend/cuda/compile/apart.cpp: a compile by NVRTC in a separate process. The program is embedded in the library and
// run from memory, so that nothing has to be installed or found.
#include "backend/cuda/compile/apart.hpp"
#include <atomic>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string_view>
#include "base/memory_file.hpp"
#include "base/process/process.hpp"

namespace tenon::cuda {

extern const unsigned char kNvrtcProcess[];
extern const size_t kNvrtcProcessSize;

namespace {

using base::MemoryFile;

constexpr char kTitle[] = "tenon-nvrtc";

// The program, in a file that stays open. Where there was no descriptor or no memory for it, there may be later.
const MemoryFile& program_file() {
  static std::mutex& mutex = *new std::mutex;  // kept for threads that compile while the process ends
  static std::unique_ptr<MemoryFile>& file = *new std::unique_ptr<MemoryFile>;
  const std::lock_guard lock(mutex);
  if (!file || !*file)
    file = std::make_unique<MemoryFile>(
        kTitle, std::string_view{reinterpret_cast<const char*>(kNvrtcProcess), kNvrtcProcessSize});
  return *file;
}

}  // namespace

bool run_apart(const NvrtcWork& work, const std::string& name, const CompileControl& control, NvrtcDone& done) {
  static std::atomic<bool> impossible{false};  // determined once: the process started, but could not do it
  if (impossible) return false;
  const MemoryFile& program = program_file();
  Packer pack;
  each_field(pack, work);
  const MemoryFile request(kTitle, pack.bytes), answer(kTitle, "");
  if (!program || !request || !answer) return false;

  base::ProcessOptions options;
  options.timeout_seconds = control.seconds_left();
  options.stop = [&control] { return control.cancelled(); };
  // NVRTC opens its built-in functions by name.
  if (const char* path = std::getenv("LD_LIBRARY_PATH"))
    options.more_environment.push_back(std::string("LD_LIBRARY_PATH=") + path);
  const base::ProcessResult result = base::run_process({program.path(), request.path(), answer.path()}, options);
  if (result.timed_out || result.stopped) control.fail_stopped(name);

  const std::string bytes = answer.read();
  Unpacker unpack(bytes);
  each_field(unpack, done);
  if (unpack.good) return true;
  done = {};
  if (result.start_error.empty() && result.exit_code > 128) {
    Error error(TENON_ERROR_COMPILE, format("the source does not compile: NVRTC crashed on %s (signal %d)",
                                            name.c_str(), result.exit_code - 128));
    error.log = result.output;
    throw error;
  }
  // If the system had no process or no memory for one now, it may have later.
  impossible = result.start_error.empty();
  return false;
}

}  // namespace tenon::cuda
