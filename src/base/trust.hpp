// base/trust.hpp: which users could change a file, judged by its owner, mode and directories, like OpenSSH's check of
// keys.
#pragma once
#include <sys/stat.h>
#include <cstdint>
#include <string>

namespace tenon::base {

// Both say why others than this user and root could change something, as the end of a sentence; "" where nobody else
// can.

// Of a file or directory that was opened: it has to belong to the user or root, and nobody else may write it. A group
// of which the user is the only member is nobody else.
std::string changeable_by_others(const struct stat& info);
// Of the directories that lead to a path, up to the root: who can write one of them can exchange what lies below. A
// sticky one, as /tmp is, may be written by everybody: nobody exchanges the files of another user there. The path is
// absolute and has no symbolic links.
std::string place_changeable_by_others(const std::string& path);

// The bytes of a regular file, of the file that a link leads to, which nobody else can change; anyone: whoever can.
// False, and why as the end of a sentence. Never waits for a pipe.
bool read_trusted(const std::string& path, bool anyone, uint64_t limit, std::string& out, std::string& why);

}  // namespace tenon::base
