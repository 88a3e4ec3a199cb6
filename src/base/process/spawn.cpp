// base/process/spawn.cpp: starting a process.
#include "base/process/spawn.hpp"
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <cstdlib>
#include "base/files.hpp"

namespace tenon::base {
namespace {

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (const std::string& text : texts) out.push_back(const_cast<char*>(text.c_str()));
  out.push_back(nullptr);
  return out;
}

}  // namespace

int above_childrens(int fd) { return fcntl(fd, F_DUPFD_CLOEXEC, kFirstOwnDescriptor); }

bool above_childrens(const int (&ends)[2], Descriptor& first, Descriptor& second) {
  const Descriptor low_first(ends[0]), low_second(ends[1]);
  first.set(above_childrens(ends[0]));
  second.set(above_childrens(ends[1]));
  return first.get() >= 0 && second.get() >= 0;
}

// The child gets its own process group, so that a time limit also ends what it started, and not the host's signal
// settings.
SpawnSettings::SpawnSettings() {
  posix_spawn_file_actions_init(&files_);
  posix_spawnattr_init(&attributes_);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  sigdelset(&all, SIGKILL);
  sigdelset(&all, SIGSTOP);
  posix_spawnattr_setsigmask(&attributes_, &none);
  posix_spawnattr_setsigdefault(&attributes_, &all);
  posix_spawnattr_setpgroup(&attributes_, 0);
  posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
}

SpawnSettings::~SpawnSettings() {
  posix_spawn_file_actions_destroy(&files_);
  posix_spawnattr_destroy(&attributes_);
}

// The C library closes them in the child if it can; otherwise the ones open now are listed.
void SpawnSettings::close_from(int first) {
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
  posix_spawn_file_actions_addclosefrom_np(&files_, first);
#else
  DIR* open_files = opendir("/proc/self/fd");
  if (!open_files) return;
  while (dirent* entry = readdir(open_files)) {
    int fd = std::atoi(entry->d_name);
    if (fd >= first && fd != dirfd(open_files)) posix_spawn_file_actions_addclose(&files_, fd);
  }
  closedir(open_files);
#endif
}

int SpawnSettings::spawn(const std::vector<std::string>& argv, const std::vector<std::string>& environment,
                         pid_t* child) const {
  return posix_spawn(child, argv[0].c_str(), &files_, &attributes_, pointers(argv).data(),
                     pointers(environment).data());
}

std::vector<std::string> minimal_environment(const std::string& temporary) {
  std::string path = "PATH=";
  for (const std::string& directory : path_directories()) path += (path.back() == '=' ? "" : ":") + directory;
  std::vector<std::string> out = {path, "LANG=C", "LC_ALL=C"};
  const char* scratch = temporary.empty() ? std::getenv("TMPDIR") : temporary.c_str();
  out.push_back(std::string("TMPDIR=") + (scratch && *scratch == '/' ? scratch : "/tmp"));
  return out;
}

}  // namespace tenon::base
