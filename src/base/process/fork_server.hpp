// base/process/fork_server.hpp: starting a program by forking a process that has loaded it and waits before main().
//
// Programs of many or large shared libraries spend most of a short run in the loader: clang takes 45 ms to relocate its
// own. The server is the program itself, with a small object preloaded (fork_server_process.cpp) that waits for jobs
// where the C library would call main(); each job is a fork of it. There is one server for each program, and it ends
// when this process ends, or after a minute without a job. It is no child of this process, so that hosts that wait for
// all their children do not wait for it.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace tenon::base {

// What is sent to a server: these numbers, and then the arguments and the environment, each ended by 0. With it go
// three descriptors: the job's directory, its output, and a socket that gets kStarted when it runs and then its exit
// code, as int32_t (128 + signal if a signal ended it). When the other end of that socket is shut or closed, the job's
// process group is killed. A server itself sends kStarted when it waits for jobs.
struct ForkJob {
  static constexpr int kControl = 3, kObject = 4;  // the server's descriptors
  static constexpr int kDescriptors = 3;           // of a job
  static constexpr uint32_t kLongest = 128 << 10;  // bytes of a message
  static constexpr int32_t kStarted = -1;
  int64_t processor_seconds;      // 0: no limit
  uint32_t arguments, variables;  // how many there are
  uint64_t processors[16];        // on which it may run, as for sched_setaffinity; all 0: on those of the server
};

// Starts argv[0], an absolute path, by its server, as the calling thread would start it: in the same directory, on the
// same processors, with the same rights and limits. Returns the socket on which the status arrives, or -1: there is no
// server for this program, so that it has to be started in the usual way.
int start_by_server(const std::vector<std::string>& argv, const std::vector<std::string>& environment,
                    const std::string& directory, int64_t processor_seconds, int output);

// Waits for a number from a server, at most for the milliseconds. False: none has come.
bool receive_number(int socket, int milliseconds, int32_t& number);

// The server for this program did not do what it was asked to, and is not asked again.
void give_up_server(const std::string& program);

}  // namespace tenon::base
