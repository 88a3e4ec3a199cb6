// backend/cpu/compile/compiler/compiler.cpp: finding the host's C++ compiler.
#include "backend/cpu/compile/compiler/compiler.hpp"
#include <pthread.h>
#include <sys/stat.h>
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <mutex>
#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/process/process.hpp"
#include "core/error.hpp"

namespace tenon::cpu {
namespace {

constexpr int kNewestClang = 22, kOldestClang = 14, kOldestGcc = 10;

// "Debian clang version 19.1.7 (3~deb12u1)" and "g++ (Debian 12.2.0-14+deb12u1) 12.2.0": reads the first number with a
// dot after the word, or the last one of the first line.
bool read_banner(const std::string& banner, Compiler& out) {
  const std::string line = banner.substr(0, banner.find('\n'));
  size_t at = line.find("clang version ");
  if (at != std::string::npos) {
    out.family = Compiler::Family::clang;
    at += 14;
  } else if (banner.find("Free Software Foundation") != std::string::npos) {
    out.family = Compiler::Family::gcc;
    at = line.rfind(' ');
    if (at == std::string::npos) return false;
    ++at;
  } else {
    return false;
  }
  size_t end = at;
  while (end < line.size() && (std::isdigit(static_cast<unsigned char>(line[end])) || line[end] == '.')) ++end;
  out.version = line.substr(at, end - at);
  out.major = std::atoi(out.version.c_str());
  return out.major > 0;
}

bool serves(const Compiler& c) { return c.major >= (c.is_clang() ? kOldestClang : kOldestGcc); }

// The compilers found, for the process. Never destroyed (a background compile may use it while the process exits), and
// intact in a child of fork().
struct Found {
  std::mutex mutex;
  std::map<std::string, Compiler> known;                    // by the state of the program's file
  std::map<std::string, std::vector<std::string>> linkers;  // of those that have linked, by the same
  std::string environment;                                  // the environment in which `last` was found
  Compiler last;

  Found() {
    pthread_atfork([] { instance().mutex.lock(); }, [] { instance().mutex.unlock(); },
                   [] { instance().mutex.unlock(); });
  }
  static Found& instance() {
    static Found* found = new Found;
    return *found;
  }
};

// "" if there is no such file.
std::string state_of(const std::string& path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) return {};
  return format("%s %lld.%ld %lld %llu", path.c_str(), static_cast<long long>(info.st_mtim.tv_sec),
                info.st_mtim.tv_nsec, static_cast<long long>(info.st_size),
                static_cast<unsigned long long>(info.st_ino));
}

// The linker's line from the output of clang -###, where each word is quoted: all but "-o" with its file and "-l".
// Empty: the output is of another kind.
std::vector<std::string> read_linker(const std::string& output) {
  std::vector<std::string> out;
  const size_t end = output.find_last_not_of('\n');
  if (end == std::string::npos) return out;
  const size_t begin = output.rfind('\n', end) + 1;  // npos + 1 is 0
  bool quoted = false;
  for (size_t i = begin; i <= end; ++i) {
    const char c = output[i];
    if (c == '"') {
      quoted = !quoted;
      if (quoted) out.emplace_back();
    } else if (quoted) {
      out.back() += c == '\\' && i < end ? output[++i] : c;
    } else if (c != ' ') {
      return {};
    }
  }
  const auto o = std::find(out.begin(), out.end(), "-o");
  if (quoted || out.empty() || out[0].empty() || out[0][0] != '/' || out.end() - o < 2) return {};
  out.erase(o, o + 2);
  out.erase(std::remove_if(out.begin(), out.end(), [](const std::string& word) { return word.rfind("-l", 0) == 0; }),
            out.end());
  return out;
}

// What the compiler prints for these arguments; "" if it refuses them. Throws where it cannot be run now.
std::string answer_of(std::vector<std::string> argv) {
  base::ProcessOptions limits;
  limits.timeout_seconds = 30;
  limits.output_limit = 1 << 16;
  const base::ProcessResult said = base::run_process(argv, limits);
  if (!said.start_error.empty() || said.timed_out || said.exit_code > 128 || said.exit_code < 0)
    fail(TENON_ERROR_MISSING_LIBRARY, "%s",
         !said.start_error.empty() ? said.start_error.c_str()
         : said.timed_out          ? "it did not respond"
                                   : "it was killed");
  return said.exit_code == 0 ? said.output : std::string();
}

std::string remembered(ImageStore* memory, const std::string& question, const std::function<std::string()>& ask) {
  return memory ? memory->remembered(question, ask) : ask();
}

// Runs the program to learn its version, once per state of its file. The caller holds the lock. *trouble: why it could
// not be run; it is tried again the next time.
bool examine(const std::string& path, const std::string& how, ImageStore* memory, Compiler& out, std::string& trouble) {
  auto& known = Found::instance().known;
  const std::string key = state_of(path);
  if (key.empty()) return false;
  auto found = known.find(key);
  if (found == known.end()) {
    Compiler fresh;
    fresh.path = path;
    fresh.state = key;
    try {
      fresh.banner = remembered(memory, "what " + key + " says of its version",
                                [&path] { return answer_of({path, "--version"}); });
    } catch (const Error& error) {
      trouble = path + " could not be run to get its version: " + error.message;
      return false;
    }
    fresh.content = remembered(memory, "what " + key + " holds", [&path] {
      std::string bytes;
      return base::read_file(path, bytes) ? base::hash_hex(bytes) : std::string();
    });
    if (!read_banner(fresh.banner, fresh)) fresh.major = 0;
    found = known.emplace(key, std::move(fresh)).first;
  }
  out = found->second;
  out.how = how;
  return out.major > 0;
}

Compiler named_compiler(const std::string& name, ImageStore* memory) {
  const std::string path = base::find_program(name);
  TENON_REQUIRE(
      !path.empty(), TENON_ERROR_MISSING_LIBRARY,
      "TENON_CXX names \"%s\", which is neither a program in PATH nor the absolute path of one; give a clang++ (14 or "
      "later) or g++ (10 or later)",
      name.c_str());
  Compiler found;
  std::string trouble;
  const bool answered = examine(path, "TENON_CXX", memory, found, trouble);
  TENON_REQUIRE(trouble.empty(), TENON_ERROR_MISSING_LIBRARY, "TENON_CXX names a compiler that cannot be used now: %s",
                trouble.c_str());
  TENON_REQUIRE(answered && serves(found), TENON_ERROR_MISSING_LIBRARY,
                "TENON_CXX names %s, which is neither clang++ 14 or later nor g++ 10 or later; it reports: %s",
                path.c_str(),
                found.banner.empty() ? "(nothing)" : found.banner.substr(0, found.banner.find('\n')).c_str());
  return found;
}

Compiler search(ImageStore* memory) {
  Compiler found;
  std::string trouble;
  for (int version = kNewestClang; version >= kOldestClang; --version) {
    std::string path = base::find_program("clang++-" + std::to_string(version));
    if (!path.empty() && examine(path, "PATH", memory, found, trouble) && serves(found)) return found;
  }
  for (const char* name : {"clang++", "g++", "c++"}) {
    std::string path = base::find_program(name);
    if (!path.empty() && examine(path, "PATH", memory, found, trouble) && serves(found)) return found;
  }
  TENON_REQUIRE(trouble.empty(), TENON_ERROR_MISSING_LIBRARY, "running kernels on the CPU needs a C++ compiler, and %s",
                trouble.c_str());
  fail(TENON_ERROR_MISSING_LIBRARY,
       "running kernels on the CPU needs a C++ compiler, and none was found in PATH; install clang 14 or later (or g++ "
       "10 or later), or set TENON_CXX to the path of one");
}

}  // namespace

Compiler host_compiler(ImageStore* memory) {
  Found& found = Found::instance();
  Compiler& last = found.last;
  auto text = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value ? value : "");
  };
  const std::string named = text("TENON_CXX"), environment = named + '\n' + text("PATH");
  std::lock_guard lock(found.mutex);
  if (last.major > 0 && environment == found.environment && last.state == state_of(last.path)) return last;
  last = named.empty() ? search(memory) : named_compiler(named, memory);
  found.environment = environment;
  return last;
}

std::vector<std::string> linker_of(const Compiler& compiler, ImageStore& memory) {
  if (!compiler.is_clang()) return {};
  Found& found = Found::instance();
  std::lock_guard lock(found.mutex);
  if (const auto known = found.linkers.find(compiler.state); known != found.linkers.end()) return known->second;
  try {
    const std::string said = memory.remembered("how " + compiler.state + " links", [&compiler] {
      return answer_of({compiler.path, "-shared", "-nostartfiles", "-nodefaultlibs", "-o", "out", "-lm", "-###"});
    });
    return found.linkers[compiler.state] = read_linker(said);
  } catch (const Error&) {  // asked again at the next link
    return {};
  }
}

const std::string& processor_features() {
  static const auto& facts = *new std::string([] {
    std::string model, flags, family;
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line) && !line.empty();) {  // the first processor
      const std::string key = line.substr(0, line.find_first_of(":\t")),
                        value = line.substr(std::min(line.find(':'), line.size()));
      if (key == "model name" || key == "CPU part" || key == "CPU implementer") model += value;
      if (key == "model" || key == "cpu family" || key == "stepping") family += value;
      if (key == "flags" || key == "Features") flags = value;
    }
    return model + family + flags;
  }());
  return facts;
}

}  // namespace tenon::cpu
