// base/process/spawn.hpp: how this library starts a process: with its own descriptors, environment, group and signal
// settings.
#pragma once
#include <spawn.h>
#include <string>
#include <vector>
#include "base/descriptor.hpp"

namespace tenon::base {

// Children get descriptors with numbers below this one. What a child is to get, or what stays here, has a higher number
// first: the host may have closed its standard descriptors.
constexpr int kFirstOwnDescriptor = 5;
int above_childrens(int fd);  // a duplicate with such a number; -1: there is none
// The same for the two ends of a pipe or of a socket, which are closed. False: there are no more descriptors.
bool above_childrens(const int (&ends)[2], Descriptor& first, Descriptor& second);

class SpawnSettings {
 public:
  SpawnSettings();
  ~SpawnSettings();
  SpawnSettings(const SpawnSettings&) = delete;
  void open_null(int as, int flags) { posix_spawn_file_actions_addopen(&files_, as, "/dev/null", flags, 0); }
  void give(int fd, int as) { posix_spawn_file_actions_adddup2(&files_, fd, as); }
  void close_from(int first);  // the child inherits none of our descriptors from there on
  void enter(const std::string& directory) { posix_spawn_file_actions_addchdir_np(&files_, directory.c_str()); }
  // Starts argv[0] in a process group of its own. Returns 0 or the number of the error.
  int spawn(const std::vector<std::string>& argv, const std::vector<std::string>& environment, pid_t* child) const;

 private:
  posix_spawn_file_actions_t files_;
  posix_spawnattr_t attributes_;
};

// PATH with its absolute directories, LANG=C, and TMPDIR: `temporary`, or the host's if it is "".
std::vector<std::string> minimal_environment(const std::string& temporary);

}  // namespace tenon::base
