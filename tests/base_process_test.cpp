// tests/base_process_test.cpp: running a program without a shell.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include "base/process.hpp"

namespace {

using namespace tenon::base;

TEST(Process, OutputAndExitCodeComeBack) {
  ProcessResult r = run_process({"/bin/sh", "-c", "echo out; echo error >&2; exit 7"});
  EXPECT_EQ("", r.start_error);
  EXPECT_EQ("out\nerror\n", r.output);
  EXPECT_EQ(7, r.exit_code);
  EXPECT_FALSE(r.timed_out);
  EXPECT_EQ(128 + SIGTERM, run_process({"/bin/sh", "-c", "kill -TERM $$"}).exit_code);
}

TEST(Process, ArgumentsAreNotInterpreted) {
  EXPECT_EQ("a b;$(id)\n", run_process({"/bin/echo", "a b;$(id)"}).output);
}

TEST(Process, ProgramsThatCannotStartSaySo) {
  EXPECT_NE("", run_process({"/nonexistent/program"}).start_error);
  EXPECT_NE("", run_process({"echo", "relative"}).start_error);
  EXPECT_NE("", run_process({}).start_error);
}

TEST(Process, TheTimeLimitEndsTheWholeGroup) {
  const auto before = std::chrono::steady_clock::now();
  ProcessOptions options;
  options.timeout_seconds = 0.3;
  ProcessResult r = run_process({"/bin/sh", "-c", "echo begun; sleep 30 & sleep 30"}, options);
  EXPECT_TRUE(r.timed_out);
  EXPECT_EQ("begun\n", r.output);
  EXPECT_EQ(128 + SIGKILL, r.exit_code);
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(10));
}

// Is the process there, and more than a name that nobody has asked about?
bool runs(int pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  if (!std::getline(file, line)) return false;
  const char state = line[line.rfind(')') + 2];
  return state != 'Z' && state != 'X';
}

TEST(Process, WhatItStartedEndsWithIt) {
  for (const bool by_time : {true, false}) {
    ProcessOptions options;
    const auto before = std::chrono::steady_clock::now();
    if (by_time) options.timeout_seconds = 0.3;
    else options.stop = [&] { return std::chrono::steady_clock::now() - before > std::chrono::milliseconds(300); };
    const ProcessResult r = run_process({"/bin/sh", "-c", "sleep 300 & echo $!; sleep 300"}, options);
    const int grandchild = std::atoi(r.output.c_str());
    ASSERT_GT(grandchild, 0) << r.output;
    for (int i = 0; i < 500 && runs(grandchild); ++i) usleep(10000);  // the signal has been sent; it dies when it is scheduled
    EXPECT_FALSE(runs(grandchild));
    kill(grandchild, SIGKILL);
  }
}

TEST(Process, ItIsStoppedWhenSomebodyAsksForIt) {
  for (const char* script : {"echo begun; sleep 30 & sleep 30", "exec >/dev/null 2>&1; sleep 30"}) {
    const auto before = std::chrono::steady_clock::now();
    ProcessOptions options;
    options.stop = [&] { return std::chrono::steady_clock::now() - before > std::chrono::milliseconds(200); };
    ProcessResult r = run_process({"/bin/sh", "-c", script}, options);
    EXPECT_TRUE(r.stopped);
    EXPECT_FALSE(r.timed_out);
    EXPECT_EQ(128 + SIGKILL, r.exit_code);
    EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(10));
  }
}

TEST(Process, OutputIsCutAtTheLimitAndTheProgramEnds) {
  ProcessOptions options;
  options.output_limit = 1000;
  ProcessResult r = run_process({"/bin/sh", "-c", "head -c 3000000 /dev/zero | tr '\\0' x"}, options);
  EXPECT_EQ(1000u, r.output.size());
  EXPECT_EQ(2999000u, r.dropped);
  EXPECT_EQ(0, r.exit_code);
}

TEST(Process, TheChildGetsNothingOfOurs) {
  ASSERT_EQ(0, setenv("TENON_SECRET", "1", 1));
  const int open_here = open("/dev/null", O_RDONLY);  // inheritable
  ProcessResult r = run_process({"/bin/sh", "-c", "env; ls /proc/self/fd; cat; pwd"});
  EXPECT_EQ(std::string::npos, r.output.find("TENON_SECRET")) << r.output;
  EXPECT_NE(std::string::npos, r.output.find("LANG=C")) << r.output;
  EXPECT_NE(std::string::npos, r.output.find("\n0\n1\n2\n3\n/")) << r.output;  // 3: ls reading the directory
  close(open_here);
  ProcessOptions options;
  options.environment = {"ONLY=this"};
  options.directory = "/";
  EXPECT_EQ("this /\n", run_process({"/bin/sh", "-c", "echo $ONLY $(pwd)"}, options).output);
}

TEST(Process, SignalsOfTheHostDoNotReachIntoTheChild) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  signal(SIGPIPE, SIG_IGN);
  ProcessResult r = run_process({"/bin/sh", "-c", "grep -E 'SigBlk|SigIgn' /proc/self/status"});
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  signal(SIGPIPE, SIG_DFL);
  EXPECT_NE(std::string::npos, r.output.find("SigBlk:\t0000000000000000\n")) << r.output;
  const size_t ignored = r.output.find("SigIgn:\t");
  ASSERT_NE(std::string::npos, ignored) << r.output;
  EXPECT_EQ(0u, strtoull(r.output.c_str() + ignored + 8, nullptr, 16) & (1ull << (SIGPIPE - 1))) << r.output;
}

TEST(Process, AHostThatReapsItsChildrenStillGetsTheOutput) {
  signal(SIGCHLD, SIG_IGN);
  ProcessResult r = run_process({"/bin/echo", "here"});
  signal(SIGCHLD, SIG_DFL);
  EXPECT_EQ("here\n", r.output);
  EXPECT_EQ("", r.start_error);
  EXPECT_EQ(-1, r.exit_code);  // nobody knows it any more
}

TEST(FindProgram, LooksInAbsoluteDirectoriesOnly) {
  const std::string before = getenv("PATH");
  char folder[] = "/tmp/tenon-path-XXXXXX";
  ASSERT_NE(nullptr, mkdtemp(folder));
  const std::string program = std::string(folder) + "/tenon_test_program", plain = std::string(folder) + "/tenon_test_text";
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

}  // namespace
