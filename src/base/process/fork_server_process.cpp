// base/process/fork_server_process.cpp: the object that makes a program a fork server (fork_server.hpp). It is
// preloaded, takes the place of the C library's __libc_start_main, and lets that call serve() instead of the program's
// main(): by then all libraries are relocated and initialised, and nothing of the program itself has run. It needs the
// C library only.
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include "base/process/fork_server.hpp"

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

namespace {

using tenon::base::ForkJob;
using Main = int (*)(int, char**, char**);

constexpr int kJobs = 64, kMostWords = 4096, kMostDescriptors = 4 * kJobs, kIdleMilliseconds = 60000;

Main program;
char* name;  // with which it was loaded
char message[ForkJob::kLongest];
char* words[kMostWords];

struct Job {
  pid_t process;
  int ended;   // a descriptor of the process, readable when it has ended
  int status;  // the socket
  bool killed;
} jobs[kJobs];
int running;

bool send_number(int socket, int32_t number) {
  return send(socket, &number, sizeof number, MSG_NOSIGNAL) == sizeof number;
}

// Reports the exit code of a job that has ended.
void settle(const Job& job) {
  int status = 0;
  while (waitpid(job.process, &status, 0) < 0 && errno == EINTR) {
  }
  send_number(job.status, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
  close(job.status);
  close(job.ended);
}

// The job's own process, which does not return.
[[noreturn]] void become(const ForkJob& job, char* text, const char* end, const int* fds, pid_t server) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != server) _exit(127);
  if (fchdir(fds[0]) != 0) _exit(127);
  dup2(fds[1], 1);
  dup2(fds[1], 2);
  for (int fd = 3; fd < kMostDescriptors; ++fd) close(fd);
  int at = 0;
  words[at++] = name;
  const auto next = [&text, end] {
    char* const one = text;
    text += strlen(text) + 1;
    return one < end ? one : nullptr;
  };
  for (uint32_t i = 0; i < job.arguments; ++i) words[at++] = next();
  words[at++] = nullptr;
  const int variables = at;
  for (uint32_t i = 0; i < job.variables; ++i) words[at++] = next();
  words[at] = nullptr;
  environ = words + variables;
  for (const uint64_t processors : job.processors)
    if (processors) {
      syscall(SYS_sched_setaffinity, 0, sizeof job.processors, job.processors);
      break;
    }
  if (job.processor_seconds > 0) {
    rlimit limit;
    if (getrlimit(RLIMIT_CPU, &limit) == 0 && rlim_t(job.processor_seconds) < limit.rlim_max) {
      limit.rlim_cur = limit.rlim_max = rlim_t(job.processor_seconds);
      setrlimit(RLIMIT_CPU, &limit);
    }
  }
  exit(program(variables - 1, words, environ));
}

// False: nobody sends jobs any more.
bool take_job() {
  alignas(cmsghdr) char control[CMSG_SPACE(ForkJob::kDescriptors * sizeof(int))];
  iovec part{message, sizeof message - 1};
  msghdr header{};
  header.msg_iov = &part, header.msg_iovlen = 1;
  header.msg_control = control, header.msg_controllen = sizeof control;
  const ssize_t got = recvmsg(ForkJob::kControl, &header, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
  if (got < 0) return errno == EINTR || errno == EAGAIN;
  if (got == 0) return false;
  const cmsghdr* const with = CMSG_FIRSTHDR(&header);
  const size_t count = with ? (with->cmsg_len - CMSG_LEN(0)) / sizeof(int) : 0;  // fewer where it has no room for more
  int fds[ForkJob::kDescriptors];
  if (with) memcpy(fds, CMSG_DATA(with), count * sizeof(int));
  ForkJob job{};
  memcpy(&job, message, sizeof job < size_t(got) ? sizeof job : size_t(got));
  message[got] = 0;
  bool runs = false;
  if (count == ForkJob::kDescriptors && size_t(got) > sizeof job && !(header.msg_flags & MSG_TRUNC) &&
      uint64_t(job.arguments) + job.variables + 3 <= kMostWords) {
    const pid_t server = getpid(), process = fork();
    if (process == 0) become(job, message + sizeof job, message + got, fds, server);
    if (process > 0) {
      setpgid(process, process);
      Job& one = jobs[running];
      one = {process, int(syscall(SYS_pidfd_open, process, 0)), fds[2], false};
      runs = one.ended >= 0 && send_number(one.status, ForkJob::kStarted);
      if (runs) {
        ++running;
      } else {
        kill(-process, SIGKILL);
        waitpid(process, nullptr, 0);
        if (one.ended >= 0) close(one.ended);
      }
    }
  }
  // Without a word on the socket the other side knows that nothing was done.
  for (size_t i = 0; i < count; ++i)
    if (!runs || i < 2) close(fds[i]);
  return true;
}

[[noreturn]] int serve(int, char** argv, char**) {
  unsetenv("LD_PRELOAD");
  close(ForkJob::kObject);
  const int probe = int(syscall(SYS_pidfd_open, getpid(), 0));  // Linux 5.3 has it
  if (probe < 0) _exit(1);
  close(probe);
  if (const pid_t other = fork()) _exit(other < 0);  // the starter waits for this process, and the server is another
  setsid();
  name = argv[0];
  if (chdir("/") != 0) _exit(1);  // it keeps no file system busy
  if (!send_number(ForkJob::kControl, ForkJob::kStarted)) _exit(1);
  bool listening = true;
  while (listening || running > 0) {
    pollfd wait[2 * kJobs + 1];
    wait[0] = {listening && running < kJobs ? ForkJob::kControl : -1, POLLIN, 0};
    for (int i = 0; i < running; ++i) {
      wait[2 * i + 1] = {jobs[i].ended, POLLIN, 0};
      wait[2 * i + 2] = {jobs[i].killed ? -1 : jobs[i].status, POLLIN, 0};
    }
    const int ready = poll(wait, nfds_t(2 * running + 1), running ? -1 : kIdleMilliseconds);
    if (ready < 0 && errno != EINTR) break;
    if (ready < 0) continue;
    if (ready == 0) {  // who sends from here on is told so; what was sent before is still done
      shutdown(ForkJob::kControl, SHUT_RD);
      while (running < kJobs && take_job()) {
      }
      listening = false;
      continue;
    }
    for (int i = running - 1; i >= 0; --i) {
      if (wait[2 * i + 2].revents) {  // nothing is ever sent: it was shut or closed
        kill(-jobs[i].process, SIGKILL);
        jobs[i].killed = true;
      }
      if (!wait[2 * i + 1].revents) continue;
      settle(jobs[i]);
      jobs[i] = jobs[--running];
    }
    if (wait[0].revents && !take_job()) break;
  }
  for (int i = 0; i < running; ++i) kill(-jobs[i].process, SIGKILL);
  _exit(0);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int __libc_start_main(Main main, int argc, char** argv,
                                                                        void (*init)(), void (*fini)(),
                                                                        void (*rtld_fini)(), void* stack_end) {
  program = main;
  using Start = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
  const Start start = reinterpret_cast<Start>(dlsym(RTLD_NEXT, "__libc_start_main"));
  if (!start) _exit(127);
  return start(serve, argc, argv, init, fini, rtld_fini, stack_end);
}
