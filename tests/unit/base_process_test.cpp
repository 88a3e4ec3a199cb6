// tests/unit/base_process_test.cpp: running a program, and ending it and what it started.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <thread>
#include "base/files.hpp"
#include "base/process/process.hpp"

namespace {

using namespace tenon::base;

// Each test: started by the shell, or by a server.
class Process : public testing::TestWithParam<bool> {
 protected:
  static ProcessResult run(const std::vector<std::string>& argv, ProcessOptions options = {}) {
    options.fork_server = GetParam();
    return run_process(argv, options);
  }
  // Runs a script that writes at once and then lasts, with time limits that double until it had the time to write.
  static ProcessResult run_until_it_writes(const std::string& script, ProcessOptions options) {
    for (options.timeout_seconds = 0.1;; options.timeout_seconds *= 2) {
      ProcessResult r = run({"/bin/sh", "-c", script}, options);
      if (!r.timed_out || !r.output.empty()) return r;
    }
  }
};

INSTANTIATE_TEST_SUITE_P(, Process, testing::Bool(),
                         [](const auto& info) { return info.param ? "by_server" : "by_shell"; });

TEST_P(Process, OutputAndExitCodeComeBack) {
  ProcessResult r = run({"/bin/sh", "-c", "echo out; echo error >&2; exit 7"});
  EXPECT_EQ("", r.start_error);
  EXPECT_EQ("out\nerror\n", r.output);
  EXPECT_EQ(7, r.exit_code);
  EXPECT_FALSE(r.timed_out);
  EXPECT_EQ(128 + SIGTERM, run({"/bin/sh", "-c", "kill -TERM $$"}).exit_code);
}

TEST_P(Process, ArgumentsAreNotInterpreted) { EXPECT_EQ("a b;$(id)\n", run({"/bin/echo", "a b;$(id)"}).output); }

TEST_P(Process, ProgramsThatCannotStartSaySo) {
  EXPECT_NE("", run({"/nonexistent/program"}).start_error);
  EXPECT_NE("", run({"echo", "relative"}).start_error);
  EXPECT_NE("", run({}).start_error);
}

TEST_P(Process, TheTimeLimitEndsTheWholeGroup) {
  const ProcessResult r = run_until_it_writes("echo begun; sleep 3000 & sleep 3000", {});
  EXPECT_TRUE(r.timed_out);
  EXPECT_EQ("begun\n", r.output);
  EXPECT_EQ(128 + SIGKILL, r.exit_code);
}

// Does the process exist, other than as a zombie?
bool runs(int pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  if (!std::getline(file, line)) return false;
  const char state = line[line.rfind(')') + 2];
  return state != 'Z' && state != 'X';
}

// The signal has been sent: waits until the process has been scheduled and has ended. Without it, it would last longer
// than a test may.
void ends(int pid) {
  while (runs(pid)) usleep(10000);
}

TEST_P(Process, WhatItStartedEndsWithIt) {
  const ScratchDirectory scratch;
  const std::string number = scratch.path() + "/number";
  for (const bool by_time : {true, false}) {
    std::string output;
    if (by_time) {
      output = run_until_it_writes("sleep 3000 & echo $!; sleep 3000", {}).output;
    } else {
      ProcessOptions options;
      options.stop = [&] { return access(number.c_str(), F_OK) == 0; };
      const std::string script =
          "sleep 3000 & echo $! >" + number + ".new; mv " + number + ".new " + number + "; sleep 3000";
      EXPECT_TRUE(run({"/bin/sh", "-c", script}, options).stopped);
      std::getline(std::ifstream(number), output);
    }
    const int grandchild = std::atoi(output.c_str());
    ASSERT_GT(grandchild, 0) << output;
    ends(grandchild);
    kill(grandchild, SIGKILL);
  }
}

// A fork of the host inherits the pipe whose end ends the group when the host dies. While that fork lives, only the
// signal to the whole group ends what the program started: a signal to the program alone would leave a compiler running
// behind its driver.
TEST_P(Process, WhatItStartedEndsWithItWhileAForkOfTheHostLives) {
  pid_t fork_of_host = 0;
  ProcessOptions options;
  options.stop = [&] {
    if (fork_of_host == 0 && (fork_of_host = fork()) == 0)
      for (;;) pause();
    return false;
  };
  const ProcessResult r = run_until_it_writes("sleep 3000 & echo $!; sleep 3000", options);
  const int grandchild = std::atoi(r.output.c_str());
  EXPECT_TRUE(r.timed_out);
  EXPECT_GT(fork_of_host, 0);
  EXPECT_GT(grandchild, 0) << r.output;
  if (grandchild > 0) ends(grandchild);
  if (fork_of_host > 0 && kill(fork_of_host, SIGKILL) == 0) waitpid(fork_of_host, nullptr, 0);
  if (grandchild > 0) kill(grandchild, SIGKILL);
}

TEST_P(Process, ItIsStoppedWhenSomebodyAsksForIt) {
  for (const char* script : {"echo begun; sleep 3000 & sleep 3000", "exec >/dev/null 2>&1; sleep 3000"}) {
    const auto before = std::chrono::steady_clock::now();
    ProcessOptions options;
    options.stop = [&] { return std::chrono::steady_clock::now() - before > std::chrono::milliseconds(200); };
    ProcessResult r = run({"/bin/sh", "-c", script}, options);
    EXPECT_TRUE(r.stopped);
    EXPECT_FALSE(r.timed_out);
    EXPECT_EQ(128 + SIGKILL, r.exit_code);
  }
}

TEST_P(Process, OutputIsCutAtTheLimitAndTheProgramEnds) {
  ProcessOptions options;
  options.output_limit = 1000;
  ProcessResult r = run({"/bin/sh", "-c", "head -c 3000000 /dev/zero | tr '\\0' x"}, options);
  EXPECT_EQ(1000u, r.output.size());
  EXPECT_EQ(2999000u, r.dropped);
  EXPECT_EQ(0, r.exit_code);
}

TEST_P(Process, TheChildGetsNothingOfOurs) {
  ASSERT_EQ(0, setenv("TENON_SECRET", "1", 1));
  const int open_here = open("/dev/null", O_RDONLY);  // inheritable
  ProcessResult r = run({"/bin/sh", "-c", "env; ls /proc/self/fd; cat; pwd"});
  EXPECT_EQ(std::string::npos, r.output.find("TENON_SECRET")) << r.output;
  EXPECT_NE(std::string::npos, r.output.find("LANG=C")) << r.output;
  EXPECT_NE(std::string::npos, r.output.find("\n0\n1\n2\n3\n/")) << r.output;  // 3: ls reading the directory
  close(open_here);
  ProcessOptions options;
  options.environment = {"ONLY=this"};
  options.directory = "/";
  EXPECT_EQ("this /\n", run({"/bin/sh", "-c", "echo $ONLY $(pwd)"}, options).output);
}

TEST_P(Process, SignalsOfTheHostDoNotReachIntoTheChild) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  signal(SIGPIPE, SIG_IGN);
  ProcessResult r = run({"/bin/sh", "-c", "grep -E 'SigBlk|SigIgn' /proc/self/status"});
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  signal(SIGPIPE, SIG_DFL);
  EXPECT_NE(std::string::npos, r.output.find("SigBlk:\t0000000000000000\n")) << r.output;
  const size_t ignored = r.output.find("SigIgn:\t");
  ASSERT_NE(std::string::npos, ignored) << r.output;
  EXPECT_EQ(0u, strtoull(r.output.c_str() + ignored + 8, nullptr, 16) & (1ull << (SIGPIPE - 1))) << r.output;
}

TEST_P(Process, AHostThatIgnoresOrReapsItsChildrenStillGetsOutputAndStatus) {
  signal(SIGCHLD, SIG_IGN);
  ProcessResult r = run({"/bin/sh", "-c", "echo here; exit 7"});
  signal(SIGCHLD, [](int) {
    while (waitpid(-1, nullptr, WNOHANG) > 0) {
    }
  });
  ProcessResult reaped = run({"/bin/sh", "-c", "echo here; exit 8"});
  signal(SIGCHLD, SIG_DFL);
  EXPECT_EQ("here\n", r.output);
  EXPECT_EQ("", r.start_error);
  EXPECT_EQ(7, r.exit_code);
  EXPECT_EQ("here\n", reaped.output);
  EXPECT_EQ(8, reaped.exit_code);
}

TEST_P(Process, WhatAProgramLeavesBehindIsNotWaitedFor) {
  ProcessOptions options;
  options.timeout_seconds = 2000;  // the process left behind lives longer
  ProcessResult r = run({"/bin/sh", "-c", "sleep 3000 & echo $!; exit 3"}, options);
  EXPECT_FALSE(r.timed_out);
  EXPECT_EQ(3, r.exit_code);
  const pid_t left = std::atoi(r.output.c_str());
  ASSERT_GT(left, 0) << r.output;
  EXPECT_EQ(0, kill(left, SIGKILL)) << "it lives on";
}

TEST_P(Process, AllThatWasStartedEndsWithItsStarter) {
  char name[] = "/tmp/tenon-ends-XXXXXX";
  ASSERT_GE(mkstemp(name), 0);
  const std::string file = name;
  for (int how : {SIGKILL, SIGTERM, SIGINT}) {
    std::ofstream(file, std::ios::trunc);
    const pid_t starter = fork();
    if (starter == 0) {
      run({"/bin/sh", "-c", "sleep 3000 & echo $! $$ >" + file + "; wait"});
      _exit(0);
    }
    pid_t grandchild = 0, child = 0;
    while (!child) {
      usleep(20000);
      std::ifstream(file) >> grandchild >> child;
    }
    kill(starter, how);
    int status = 0;
    waitpid(starter, &status, 0);
    ends(child);
    ends(grandchild);
  }
  unlink(name);
}

TEST_P(Process, ProcessorTimeIsLimitedWhereThatIsAskedFor) {
  ProcessOptions options;
  options.timeout_seconds = 5000;
  options.limit_processor_time = true;
  EXPECT_EQ("5002\n", run({"/bin/sh", "-c", "ulimit -t"}, options).output);
  options.limit_processor_time = false;
  EXPECT_EQ(std::string::npos, run({"/bin/sh", "-c", "ulimit -t"}, options).output.find("5002"));
}

TEST_P(Process, NoDescriptorsAreAnErrorOfTheStart) {
  const pid_t child = fork();
  if (child == 0) {
    rlimit none{3, 3};
    setrlimit(RLIMIT_NOFILE, &none);
    const ProcessResult r = run({"/bin/echo", "here"});
    _exit(r.start_error.find("Too many open files") == std::string::npos);
  }
  int status = 1;
  waitpid(child, &status, 0);
  EXPECT_EQ(0, status);
}

ProcessOptions by_server() {
  ProcessOptions options;
  options.fork_server = true;
  return options;
}

// Servers need Linux 5.3, and a parent that the host is not.
bool no_server() {
  const int descriptor = int(syscall(SYS_pidfd_open, getpid(), 0));
  if (descriptor >= 0) close(descriptor);
  int reaps = 0;
  return descriptor < 0 || getpid() == 1 || prctl(PR_GET_CHILD_SUBREAPER, &reaps) != 0 || reaps;
}

TEST(ForkServer, OneProcessForksForAllJobsOfItsProgram) {
  if (no_server()) GTEST_SKIP();
  const std::vector<std::string> argv = {"/bin/sh", "-c", "echo $PPID"};
  const std::string server = run_process(argv, by_server()).output;
  EXPECT_EQ(server, run_process(argv, by_server()).output);
  EXPECT_NE(std::to_string(getpid()) + "\n", server);
  EXPECT_NE(server, run_process(argv).output);
  std::ifstream file("/proc/" + std::to_string(std::atoi(server.c_str())) + "/stat");
  int number = 0, parent = 0;
  std::string name, state;
  file >> number >> name >> state >> parent;
  EXPECT_NE(getpid(), parent) << "a host that waits for all its children does not wait for it";
}

TEST(ForkServer, JobsOfSeveralThreadsRunAtOnce) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([t, &wrong] {
      for (int i = 0; i < 20; ++i) {
        const int code = (16 * t + i) % 100;
        const ProcessResult r = run_process(
            {"/bin/sh", "-c", "echo $0; exit $1", std::to_string(1000 * t + i), std::to_string(code)}, by_server());
        wrong += r.output != std::to_string(1000 * t + i) + "\n" || r.exit_code != code;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(0, wrong);
}

TEST(ForkServer, AJobWhoseServerIsKilledRunsAgainWithoutIt) {
  if (no_server()) GTEST_SKIP();
  const ScratchDirectory scratch;
  const ProcessResult r = run_process(
      {"/bin/sh", "-c", "test -e mark && echo again && exit 3; touch mark; kill -9 $PPID; sleep 3000"}, [&] {
        ProcessOptions options = by_server();
        options.directory = scratch.path();
        return options;
      }());
  EXPECT_EQ("again\n", r.output);
  EXPECT_EQ(3, r.exit_code);
  EXPECT_EQ("here\n", run_process({"/bin/sh", "-c", "echo here"}, by_server()).output);
}

TEST(ForkServer, AJobInheritsWhatItsHostHasNow) {
  const auto shell = [](const char* text) { return run_process({"/bin/sh", "-c", text}, by_server()).output; };
  char before[4096];
  ASSERT_NE(nullptr, getcwd(before, sizeof before));
  const ScratchDirectory first, second;
  for (const ScratchDirectory* one : {&first, &second}) {
    ASSERT_EQ(0, chdir(one->path().c_str()));
    EXPECT_EQ(one->path() + "\n", shell("pwd -P"));
  }
  ASSERT_EQ(0, chdir(before));
  const mode_t mask = umask(027);
  EXPECT_EQ("0027\n", shell("umask"));
  umask(mask);
  rlimit limit, less;
  ASSERT_EQ(0, getrlimit(RLIMIT_NOFILE, &limit));
  less = limit;
  less.rlim_cur = 77;
  ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &less));
  EXPECT_EQ("77\n", shell("ulimit -S -n"));
  ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &limit));
  cpu_set_t all, one;
  ASSERT_EQ(0, sched_getaffinity(0, sizeof all, &all));
  CPU_ZERO(&one);
  for (int cpu = 0; CPU_COUNT(&one) == 0; ++cpu)
    if (CPU_ISSET(cpu, &all)) CPU_SET(cpu, &one);
  ASSERT_EQ(0, sched_setaffinity(0, sizeof one, &one));
  const std::string here = run_process({"/bin/grep", "Cpus_allowed_list", "/proc/self/status"}).output;
  EXPECT_EQ(here, run_process({"/bin/grep", "Cpus_allowed_list", "/proc/self/status"}, by_server()).output);
  ASSERT_EQ(0, sched_setaffinity(0, sizeof all, &all));
}

TEST(ForkServer, OneThatHangsIsGivenUp) {
  if (no_server()) GTEST_SKIP();
  const pid_t server = std::atoi(run_process({"/bin/sh", "-c", "echo $PPID"}, by_server()).output.c_str());
  ASSERT_GT(server, 1);
  ASSERT_EQ(0, kill(server, SIGSTOP));
  EXPECT_EQ("here\n", run_process({"/bin/sh", "-c", "echo here"}, by_server()).output);
  const auto before = std::chrono::steady_clock::now();
  EXPECT_EQ("again\n", run_process({"/bin/sh", "-c", "echo again"}, by_server()).output);
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::milliseconds(1900)) << "it was not asked";
  kill(server, SIGKILL);
}

TEST(ForkServer, WhatItCannotServeStartsInTheUsualWay) {
  const std::string longest(100 << 10, 'x');
  EXPECT_EQ(longest + " " + longest + "\n", run_process({"/bin/echo", longest, longest}, by_server()).output);
  // Nothing can be preloaded into a program that is linked statically, as this one is on most systems.
  const std::vector<std::string> program = {"/sbin/ldconfig", "--version"};
  if (access(program[0].c_str(), X_OK) != 0) return;
  const ProcessResult usual = run_process(program);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(usual.output, run_process(program, by_server()).output);
}

// Also where the descriptors that the server uses are closed in this process.
TEST(ForkServer, ServesAHostWithoutStandardDescriptors) {
  const pid_t child = fork();
  if (child == 0) {
    for (int fd = 0; fd < 5; ++fd) close(fd);
    const ProcessResult r = run_process({"/bin/sh", "-c", "echo here; exit 7"}, by_server());
    _exit(r.output == "here\n" && r.exit_code == 7 ? 0 : 1);
  }
  int status = 1;
  waitpid(child, &status, 0);
  EXPECT_EQ(0, status);
}

TEST(FindProgram, LooksInAbsoluteDirectoriesOnly) {
  const std::string before = getenv("PATH");
  char folder[] = "/tmp/tenon-path-XXXXXX";
  ASSERT_NE(nullptr, mkdtemp(folder));
  const std::string program = std::string(folder) + "/tenon_test_program",
                    plain = std::string(folder) + "/tenon_test_text";
  std::ofstream(program) << "#!/bin/sh\n";
  std::ofstream(plain) << "text\n";
  chmod(program.c_str(), 0700);
  setenv("PATH", ("relative::" + std::string(folder)).c_str(), 1);
  EXPECT_EQ(program, find_program("tenon_test_program"));
  EXPECT_EQ("", find_program("tenon_test_text"));
  EXPECT_EQ(program, find_program(program));
  EXPECT_EQ("", find_program("./tenon_test_program"));
  EXPECT_EQ("", find_program(""));
  ASSERT_EQ(0, chdir(folder));
  setenv("PATH", ".:", 1);
  EXPECT_EQ("", find_program("tenon_test_program"));
  setenv("PATH", before.c_str(), 1);
  ASSERT_EQ(0, chdir("/"));
  unlink(program.c_str());
  unlink(plain.c_str());
  rmdir(folder);
}

// The work of a child process that ends without cleaning up.
template <class F> void in_a_child(const F& work) {
  const pid_t child = fork();
  if (child == 0) {
    work();
    _exit(0);
  }
  int status = 1;
  waitpid(child, &status, 0);
  EXPECT_EQ(0, status);
}

TEST(ScratchDirectories, OfProcessesThatAreGoneAreRemovedByTheNextOne) {
  char folder[] = "/tmp/tenon-scratch-XXXXXX";
  ASSERT_NE(nullptr, mkdtemp(folder));
  const std::string base = folder, before = environment("TMPDIR");
  setenv("TMPDIR", folder, 1);
  in_a_child([] {
    auto* left = new ScratchDirectory;
    std::ofstream(left->path() + "/main.cpp") << "text";
  });
  const auto entries = [&] {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(base)) names.insert(entry.path().filename());
    return names;
  };
  const std::set<std::string> left = entries();
  EXPECT_EQ(1u, left.size());
  // Directories that are in use, or that have other names, stay.
  mkdir((base + "/tenon-abcdef").c_str(), 0700);
  mkdir((base + "/tenon-other-one").c_str(), 0700);
  {
    auto living = std::make_unique<ScratchDirectory>();
    const std::string name = std::filesystem::path(living->path()).filename();
    EXPECT_EQ((std::set<std::string>{"tenon-abcdef", "tenon-other-one", name}), entries());
    in_a_child([] { new ScratchDirectory; });
    EXPECT_TRUE(file_exists(living->path()));
    EXPECT_EQ(4u, entries().size());
  }
  before.empty() ? unsetenv("TMPDIR") : setenv("TMPDIR", before.c_str(), 1);
  std::filesystem::remove_all(base);
}

}  // namespace
