// base/trust.hpp: which users could change a file, judged by its owner, mode and directories, like OpenSSH's check of
// keys.
#pragma once
#include <sys/stat.h>
#include <cstdint>
#include <string>

namespace tenon::base {

// Both return the reason why users other than this one and root could make changes, as the end of a sentence; "" if
// nobody else can.

// For an opened file or directory: it must belong to this user or root, and nobody else may write it. A group whose
// only member is this user does not count as somebody else.
std::string changeable_by_others(const struct stat& info);
// For the directories that lead to a path, up to the root: anyone who can write one of them can replace what is below
// it. A sticky directory, such as /tmp, may be writable by everybody, because users cannot replace each other's files
// there. The path is absolute and contains no symbolic links.
std::string place_changeable_by_others(const std::string& path);

// Reads a regular file that nobody else can change (symbolic links are followed); with `anyone`, whoever can change it.
// False: `why` has the reason as the end of a sentence. Never waits for a pipe.
bool read_trusted(const std::string& path, bool anyone, uint64_t limit, std::string& out, std::string& why);

}  // namespace tenon::base
