// base/process.cpp: running a program without a shell.
#include "base/process.hpp"
#include "base/files.hpp"
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>

namespace tenon::base {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  void close() { if (fd_ >= 0) ::close(fd_); fd_ = -1; }
  void set(int fd) { close(); fd_ = fd; }
  int get() const { return fd_; }
 private:
  int fd_;
};

struct SpawnSettings {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  SpawnSettings() { posix_spawn_file_actions_init(&files); posix_spawnattr_init(&attributes); }
  ~SpawnSettings() { posix_spawn_file_actions_destroy(&files); posix_spawnattr_destroy(&attributes); }
  SpawnSettings(const SpawnSettings&) = delete;
};

std::vector<std::string> path_directories() {
  const char* text = std::getenv("PATH");
  std::vector<std::string> out = path_entries(text ? text : "/usr/local/bin:/usr/bin:/bin");
  std::erase_if(out, [](const std::string& directory) { return directory[0] != '/'; });
  return out;
}

std::vector<std::string> minimal_environment() {
  std::string path = "PATH=";
  for (const std::string& directory : path_directories()) path += (path.back() == '=' ? "" : ":") + directory;
  std::vector<std::string> out = {path, "LANG=C", "LC_ALL=C"};
  const char* scratch = std::getenv("TMPDIR");
  out.push_back(std::string("TMPDIR=") + (scratch && *scratch == '/' ? scratch : "/tmp"));
  return out;
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (const std::string& text : texts) out.push_back(const_cast<char*>(text.c_str()));
  out.push_back(nullptr);
  return out;
}

// Everything of ours above stderr stays here. The C library does it in the child where it can; else what is open now is listed.
void close_others(posix_spawn_file_actions_t& files) {
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
  posix_spawn_file_actions_addclosefrom_np(&files, 3);
#else
  DIR* open_files = opendir("/proc/self/fd");
  if (!open_files) return;
  while (dirent* entry = readdir(open_files)) {
    int fd = std::atoi(entry->d_name);
    if (fd > 2 && fd != dirfd(open_files)) posix_spawn_file_actions_addclose(&files, fd);
  }
  closedir(open_files);
#endif
}

// A group of its own, so that a time limit also ends what the program started; no signal settings of the host.
void settle(SpawnSettings& settings) {
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  sigdelset(&all, SIGKILL);
  sigdelset(&all, SIGSTOP);
  posix_spawnattr_setsigmask(&settings.attributes, &none);
  posix_spawnattr_setsigdefault(&settings.attributes, &all);
  posix_spawnattr_setpgroup(&settings.attributes, 0);
  posix_spawnattr_setflags(&settings.attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
}

using Clock = std::chrono::steady_clock;

// When a program has to end, whatever it does.
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

// Reads until the program closes its output or has to end.
void collect(int fd, Limits& limits, size_t limit) {
  char chunk[16384];
  std::string& out = limits.result.output;
  while (!limits.over()) {
    pollfd wait{fd, POLLIN, 0};
    int ready = poll(&wait, 1, limits.milliseconds_to_wait());
    if (ready < 0 && errno != EINTR) return;
    if (ready <= 0) continue;
    ssize_t got = read(fd, chunk, sizeof chunk);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return;
    const size_t kept = std::min(size_t(got), limit - out.size());  // the rest is read and dropped: the program must not block
    out.append(chunk, kept);
    limits.result.dropped += size_t(got) - kept;
  }
}

// A host that ignores SIGCHLD or reaps every child takes the exit status away: -1 then.
int exit_code_of(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// As exit_code_of, but the program may have closed its output and go on.
int exit_code_before(pid_t child, Limits& limits) {
  auto ended = [&] { return limits.result.timed_out || limits.result.stopped; };
  for (int pause = 50; !ended(); pause = std::min(pause * 2, 10000)) {
    siginfo_t info{};
    if (waitid(P_PID, id_t(child), &info, WEXITED | WNOHANG | WNOWAIT) != 0 && errno != EINTR) break;
    if (info.si_pid == child) break;
    if (!limits.over()) usleep(useconds_t(pause));
  }
  if (ended()) kill(-child, SIGKILL);
  return exit_code_of(child);
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& argv, const ProcessOptions& options) {
  ProcessResult result;
  if (argv.empty() || argv[0].empty() || argv[0][0] != '/') {
    result.start_error = "the program must be given by its absolute path";
    return result;
  }
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    result.start_error = std::string("pipe2: ") + std::strerror(errno);
    return result;
  }
  Descriptor reading(ends[0]), writing(ends[1]);
  // A host may have closed its standard descriptors: the pipe must not take one of their numbers.
  for (Descriptor* end : {&reading, &writing})
    if (end->get() < 3) end->set(fcntl(end->get(), F_DUPFD_CLOEXEC, 3));

  SpawnSettings settings;
  posix_spawn_file_actions_addopen(&settings.files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&settings.files, writing.get(), 1);
  posix_spawn_file_actions_adddup2(&settings.files, writing.get(), 2);
  close_others(settings.files);
  if (!options.directory.empty()) posix_spawn_file_actions_addchdir_np(&settings.files, options.directory.c_str());
  settle(settings);

  std::vector<std::string> environment = options.environment.empty() ? minimal_environment() : options.environment;
  environment.insert(environment.end(), options.more_environment.begin(), options.more_environment.end());
  pid_t child = 0;
  int failed = posix_spawn(&child, argv[0].c_str(), &settings.files, &settings.attributes, pointers(argv).data(),
                           pointers(environment).data());
  if (failed) {
    result.start_error = argv[0] + ": " + std::strerror(failed);
    return result;
  }
  writing.close();
  const std::chrono::duration<double> most(std::min(options.timeout_seconds, 1e8));
  Limits limits{Clock::now() + std::chrono::duration_cast<Clock::duration>(most), options.stop, result};
  collect(reading.get(), limits, options.output_limit);
  result.exit_code = exit_code_before(child, limits);
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
