// base/process/process.cpp: running a program, and ending it and what it started.
#include "base/process/process.hpp"
#include "base/descriptor.hpp"
#include "base/process/fork_server.hpp"
#include "base/process/spawn.hpp"
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
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

// For a server to report that it has started something, and that it has ended what it started.
constexpr int kMillisecondsToStart = 2000, kMillisecondsToEnd = 10000;

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

// The two ends of a pipe.
struct Pipe {
  Descriptor reading, writing;
  bool open() {
    int ends[2];
    return pipe2(ends, O_CLOEXEC) == 0 && above_childrens(ends, reading, writing);
  }
};

// Why the system would refuse to run a program; "" if it would not.
std::string refusal(const std::string& path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0 || access(path.c_str(), X_OK) != 0) return path + ": " + std::strerror(errno);
  return S_ISREG(info.st_mode) ? "" : path + ": not a file";
}

// What is to be run.
struct Work {
  const std::vector<std::string>&argv, &environment;
  const ProcessOptions& options;
  int64_t processor_seconds;  // 0: no limit
  Clock::time_point deadline;
};

// False: no server has run it.
bool run_by_server(const Work& work, ProcessResult& result) {
  Pipe output;
  if (!output.open() || fcntl(output.reading.get(), F_SETFL, O_NONBLOCK) != 0) return false;
  const Descriptor status(start_by_server(work.argv, work.environment, work.options.directory, work.processor_seconds,
                                          output.writing.get()));
  if (status.get() < 0) return false;
  output.writing.close();
  Limits limits{work.deadline, work.options.stop, result};
  int32_t number = 0;
  const bool runs = receive_number(status.get(), kMillisecondsToStart, number) && number == ForkJob::kStarted;
  if (runs) collect(output.reading.get(), status.get(), limits, work.options.output_limit);
  const bool ended_here = result.timed_out || result.stopped;
  if (ended_here || !runs) shutdown(status.get(), SHUT_WR);  // the server kills the group
  if (runs && receive_number(status.get(), kMillisecondsToEnd, number)) {
    result.exit_code = number;
    return true;
  }
  give_up_server(work.argv[0]);  // it hangs, or was killed
  if (ended_here) result.exit_code = 128 + SIGKILL;
  else result = {};
  return ended_here;
}

void run_by_shell(const Work& work, ProcessResult& result) {
  const std::string& program = work.argv[0];
  Pipe output, status, life;
  if (!output.open() || !status.open() || !life.open() || fcntl(output.reading.get(), F_SETFL, O_NONBLOCK) != 0) {
    result.start_error = program + ": no pipe to it: " + std::strerror(errno);
    return;
  }
  const bool kept = access(kKeeper, X_OK) == 0;
  SpawnSettings settings;
  settings.open_null(0, O_RDONLY);
  settings.give(output.writing.get(), 1);
  settings.give(output.writing.get(), 2);
  if (kept) settings.give(status.writing.get(), 3);
  if (kept) settings.give(life.reading.get(), 4);
  settings.close_from(kept ? kFirstOwnDescriptor : 3);
  if (!work.options.directory.empty()) settings.enter(work.options.directory);
  std::vector<std::string> words;
  if (kept) words = {kKeeper, "-c", kKeeperText, std::to_string(work.processor_seconds)};
  words.insert(words.end(), work.argv.begin(), work.argv.end());
  pid_t child = 0;
  if (const int failed = settings.spawn(words, work.environment, &child)) {
    result.start_error = program + ": " + std::strerror(failed);
    return;
  }
  output.writing.close();
  status.writing.close();
  if (!kept) status.reading.set(int(syscall(SYS_pidfd_open, child, 0)));  // also readable when it has ended
  life.reading.close();
  Limits limits{work.deadline, work.options.stop, result};
  collect(output.reading.get(), status.reading.get(), limits, work.options.output_limit);
  if (result.timed_out || result.stopped) kill(-child, SIGKILL);
  bool known = false;
  result.exit_code = exit_code_of(child, status.reading.get(), &known);
  if (kept && !known && result.exit_code >= 0 &&
      result.exit_code < 128)  // the shell ended first: it could not start anything
    result.start_error = program + ": " + result.output.substr(0, result.output.find('\n'));
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& argv, const ProcessOptions& options) {
  ProcessResult result;
  if (argv.empty() || argv[0].empty() || argv[0][0] != '/') {
    result.start_error = "the program must be given by its absolute path";
    return result;
  }
  if (!(result.start_error = refusal(argv[0])).empty()) return result;
  std::vector<std::string> environment =
      options.environment.empty() ? minimal_environment(options.temporary) : options.environment;
  environment.insert(environment.end(), options.more_environment.begin(), options.more_environment.end());
  const double seconds = std::min(options.timeout_seconds, 1e8);
  const Work work{argv, environment, options, options.limit_processor_time && seconds < 1e6 ? int64_t(seconds) + 2 : 0,
                  Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds))};
  if (options.fork_server && run_by_server(work, result)) return result;
  run_by_shell(work, result);
  return result;
}

}  // namespace tenon::base
