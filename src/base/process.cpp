// base/process.cpp: running a program, and ending it and what it started.
#include "base/process.hpp"
#include "base/descriptor.hpp"
#include "base/files.hpp"
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>

namespace tenon::base {
namespace {

struct SpawnSettings {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  SpawnSettings() {
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
  }
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnSettings(const SpawnSettings&) = delete;
};

std::vector<std::string> path_directories() {
  const char* text = std::getenv("PATH");
  std::vector<std::string> out = path_entries(text ? text : "/usr/local/bin:/usr/bin:/bin");
  std::erase_if(out, [](const std::string& directory) { return directory[0] != '/'; });
  return out;
}

std::vector<std::string> minimal_environment(const std::string& temporary) {
  std::string path = "PATH=";
  for (const std::string& directory : path_directories()) path += (path.back() == '=' ? "" : ":") + directory;
  std::vector<std::string> out = {path, "LANG=C", "LC_ALL=C"};
  const char* scratch = temporary.empty() ? std::getenv("TMPDIR") : temporary.c_str();
  out.push_back(std::string("TMPDIR=") + (scratch && *scratch == '/' ? scratch : "/tmp"));
  return out;
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (const std::string& text : texts) out.push_back(const_cast<char*>(text.c_str()));
  out.push_back(nullptr);
  return out;
}

// The child inherits none of our descriptors from `first` on. The C library closes them in the child if it can;
// otherwise the ones open now are listed.
void close_others(posix_spawn_file_actions_t& files, int first) {
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
  posix_spawn_file_actions_addclosefrom_np(&files, first);
#else
  DIR* open_files = opendir("/proc/self/fd");
  if (!open_files) return;
  while (dirent* entry = readdir(open_files)) {
    int fd = std::atoi(entry->d_name);
    if (fd >= first && fd != dirfd(open_files)) posix_spawn_file_actions_addclose(&files, fd);
  }
  closedir(open_files);
#endif
}

// Puts the child into its own process group, so that a time limit also ends what it started, and resets the host's
// signal settings.
void settle(SpawnSettings& settings) {
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  sigdelset(&all, SIGKILL);
  sigdelset(&all, SIGSTOP);
  posix_spawnattr_setsigmask(&settings.attributes, &none);
  posix_spawnattr_setsigdefault(&settings.attributes, &all);
  posix_spawnattr_setpgroup(&settings.attributes, 0);
  posix_spawnattr_setflags(&settings.attributes,
                           POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
}

// A shell runs between this process and the program; it interprets neither the program's name nor its arguments. It
// kills the whole group when its descriptor 4 closes, which happens however this process ends, and reports the
// program's status on descriptor 3: a host that ignores SIGCHLD or reaps every child takes only the shell's own status.
constexpr char kKeeper[] = "/bin/sh";
constexpr char kKeeperText[] =
    "{ read -r nothing; kill -9 0; } <&4 3>&- >/dev/null 2>&1 &\n"
    "keeper=$!; exec 4<&-\n"
    "test \"$0\" = 0 || ulimit -t \"$0\" 2>/dev/null\n"
    "\"$@\" 3>&-\n"
    "status=$?; kill -9 $keeper; wait $keeper 2>/dev/null; echo $status >&3";

using Clock = std::chrono::steady_clock;

// The conditions under which the program is ended.
struct Limits {
  Clock::time_point deadline;
  const std::function<bool()>& stop;
  ProcessResult& result;

  bool over() {
    if (stop && stop()) result.stopped = true;
    else if (Clock::now() >= deadline) result.timed_out = true;
    return result.stopped || result.timed_out;
  }
  int milliseconds_to_wait() const {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    return int(std::clamp<int64_t>(left, 0, stop ? 10 : 1 << 30));
  }
};

// Reads the output that is available, without waiting. False: the pipe is closed.
bool drain(int fd, ProcessResult& result, size_t limit) {
  char chunk[16384];
  for (;;) {
    const ssize_t got = read(fd, chunk, sizeof chunk);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno == EAGAIN || errno == EWOULDBLOCK;
    if (got == 0) return false;
    const size_t kept =
        std::min(size_t(got), limit - result.output.size());  // the rest is dropped, or the program would block
    result.output.append(chunk, kept);
    result.dropped += size_t(got) - kept;
  }
}

// Reads until the program has ended or a limit is reached. Processes that it left running may hold its output open;
// they are not waited for.
void collect(int output, int ended, Limits& limits, size_t limit) {
  pollfd wait[] = {{output, POLLIN, 0}, {ended, POLLIN, 0}};
  while (!limits.over() && (wait[0].fd >= 0 || wait[1].fd >= 0)) {
    const int ready = poll(wait, 2, limits.milliseconds_to_wait());
    if (ready < 0 && errno != EINTR) return;
    if (ready <= 0) continue;
    if (wait[0].revents && !drain(output, limits.result, limit)) wait[0].fd = -1;
    if (!wait[1].revents) continue;
    drain(output, limits.result, limit);
    return;
  }
}

// The status that the shell reported, or else that of the child itself; -1 if neither is known. *known: it was
// reported.
int exit_code_of(pid_t child, int reported, bool* known) {
  std::string text(16, '\0');
  const ssize_t got = read(reported, text.data(), text.size());
  *known = got > 0;
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) {
      status = -1;
      break;
    }
  if (got > 0) return std::atoi(text.c_str());
  return status == -1 ? -1 : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// The two ends of a pipe. If the host has closed its standard descriptors, the pipe must not take their numbers, nor
// those that the shell uses.
struct Pipe {
  Descriptor reading, writing;
  bool open() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    Descriptor first(ends[0]), second(ends[1]);
    reading.set(fcntl(first.get(), F_DUPFD_CLOEXEC, 5));
    writing.set(fcntl(second.get(), F_DUPFD_CLOEXEC, 5));
    return reading.get() >= 0 && writing.get() >= 0;
  }
};

// Why the system would refuse to run a program; "" if it would not.
std::string refusal(const std::string& path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0 || access(path.c_str(), X_OK) != 0) return path + ": " + std::strerror(errno);
  return S_ISREG(info.st_mode) ? "" : path + ": not a file";
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& argv, const ProcessOptions& options) {
  ProcessResult result;
  if (argv.empty() || argv[0].empty() || argv[0][0] != '/') {
    result.start_error = "the program must be given by its absolute path";
    return result;
  }
  if (!(result.start_error = refusal(argv[0])).empty()) return result;
  Pipe output, status, life;
  if (!output.open() || !status.open() || !life.open() || fcntl(output.reading.get(), F_SETFL, O_NONBLOCK) != 0) {
    result.start_error = argv[0] + ": no pipe to it: " + std::strerror(errno);
    return result;
  }
  const bool kept = access(kKeeper, X_OK) == 0;

  SpawnSettings settings;
  posix_spawn_file_actions_addopen(&settings.files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&settings.files, output.writing.get(), 1);
  posix_spawn_file_actions_adddup2(&settings.files, output.writing.get(), 2);
  if (kept) posix_spawn_file_actions_adddup2(&settings.files, status.writing.get(), 3);
  if (kept) posix_spawn_file_actions_adddup2(&settings.files, life.reading.get(), 4);
  close_others(settings.files, kept ? 5 : 3);
  if (!options.directory.empty()) posix_spawn_file_actions_addchdir_np(&settings.files, options.directory.c_str());
  settle(settings);

  std::vector<std::string> environment =
      options.environment.empty() ? minimal_environment(options.temporary) : options.environment;
  environment.insert(environment.end(), options.more_environment.begin(), options.more_environment.end());
  const double seconds = std::min(options.timeout_seconds, 1e8);
  std::vector<std::string> words;
  if (kept)
    words = {kKeeper, "-c", kKeeperText,
             std::to_string(options.limit_processor_time && seconds < 1e6 ? int64_t(seconds) + 2 : 0)};
  words.insert(words.end(), argv.begin(), argv.end());
  pid_t child = 0;
  const int failed = posix_spawn(&child, words[0].c_str(), &settings.files, &settings.attributes,
                                 pointers(words).data(), pointers(environment).data());
  if (failed) {
    result.start_error = argv[0] + ": " + std::strerror(failed);
    return result;
  }
  output.writing.close();
  status.writing.close();
  if (!kept) status.reading.set(int(syscall(SYS_pidfd_open, child, 0)));  // also readable when it has ended
  life.reading.close();
  Limits limits{Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds)),
                options.stop, result};
  collect(output.reading.get(), status.reading.get(), limits, options.output_limit);
  if (result.timed_out || result.stopped) kill(-child, SIGKILL);
  bool known = false;
  result.exit_code = exit_code_of(child, status.reading.get(), &known);
  if (kept && !known && result.exit_code >= 0 &&
      result.exit_code < 128)  // the shell ended first: it could not start anything
    result.start_error = argv[0] + ": " + result.output.substr(0, result.output.find('\n'));
  return result;
}

std::string find_program(const std::string& name) {
  auto runnable = [](const std::string& path) {
    struct stat info;
    return stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && access(path.c_str(), X_OK) == 0;
  };
  if (name.empty()) return "";
  if (name[0] == '/') return runnable(name) ? name : "";
  if (name.find('/') != std::string::npos) return "";
  for (const std::string& directory : path_directories()) {
    std::string path = directory + (directory.back() == '/' ? "" : "/") + name;
    if (runnable(path)) return path;
  }
  return "";
}

}  // namespace tenon::base
