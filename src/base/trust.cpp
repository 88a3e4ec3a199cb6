// base/trust.cpp: owners, modes, and directories up to the root.
#include "base/trust.hpp"
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>
#include "base/files.hpp"

namespace tenon::base {
namespace {

// Whether the group is the owner's private group, which many systems create for each user: same name, no other member.
bool private_group(uid_t owner, gid_t group) {
  std::vector<char> users(16384), groups(65536);
  passwd user;
  passwd* found_user = nullptr;
  struct group all;
  struct group* found_group = nullptr;
  if (::getpwuid_r(owner, &user, users.data(), users.size(), &found_user) != 0 || !found_user) return false;
  if (::getgrgid_r(group, &all, groups.data(), groups.size(), &found_group) != 0 || !found_group) return false;
  if (std::strcmp(user.pw_name, all.gr_name) != 0) return false;
  for (char** member = all.gr_mem; *member; ++member)
    if (std::strcmp(*member, user.pw_name) != 0) return false;
  return true;
}

}  // namespace

std::string changeable_by_others(const struct stat& info) {
  if (info.st_uid != ::geteuid() && info.st_uid != 0) return "belongs to another user: it must belong to you or root";
  if (info.st_mode & S_IWOTH) return "can be written by everybody: remove that permission with chmod go-w";
  if (info.st_mode & S_IWGRP && !private_group(info.st_uid, info.st_gid))
    return "can be written by a group: remove that permission with chmod g-w";
  return "";
}

std::string place_changeable_by_others(const std::string& path) {
  for (std::string at = path; at.size() > 1;) {
    at.resize(std::max<size_t>(at.find_last_of('/'), 1));
    struct stat info;
    if (::stat(at.c_str(), &info) != 0) return "lies in " + at + ", which cannot be inspected: " + std::strerror(errno);
    if (info.st_mode & S_ISVTX) info.st_mode &= ~mode_t(S_IWGRP | S_IWOTH);
    const std::string why = changeable_by_others(info);
    if (!why.empty()) return "lies in " + at + ", which " + why;
  }
  return "";
}

bool read_trusted(const std::string& path, bool anyone, uint64_t limit, std::string& out, std::string& why) {
  const auto failed = [&](const char* what) {
    why = std::string(what) + ": " + std::strerror(errno);
    return false;
  };
  const std::unique_ptr<char, void (*)(void*)> real(::realpath(path.c_str(), nullptr), std::free);
  if (!real) return failed("cannot be opened");
  if (!anyone) why = place_changeable_by_others(real.get());
  if (!anyone && !why.empty()) return false;
  const int opened = ::open(real.get(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (opened < 0) return failed("cannot be opened");
  const std::unique_ptr<const int, void (*)(const int*)> file(&opened, [](const int* fd) { ::close(*fd); });
  struct stat info;
  if (::fstat(opened, &info) != 0) return failed("cannot be inspected");
  why = !S_ISREG(info.st_mode) ? "is not a regular file" : anyone ? "" : changeable_by_others(info);
  if (!why.empty()) return false;
  return read_descriptor(opened, out, limit) || failed("cannot be read");
}

}  // namespace tenon::base
