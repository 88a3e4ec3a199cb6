// tool/plugin/sign.cpp: `tenon plugin sign`: a package's signature, by the user's key.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include "tool/commands.hpp"

namespace tool {
namespace {

std::string default_key_path() {
  const char* config = std::getenv("XDG_CONFIG_HOME");
  if (config && *config == '/') return std::string(config) + "/tenon/signing_key";
  const char* home = std::getenv("HOME");
  if (!home || *home != '/') usage("there is no home directory for the key: pass its file with --key");
  return std::string(home) + "/.config/tenon/signing_key";
}

// Never replaces an existing key: what it signed could not be signed again.
void make_key(const std::string& path) {
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
  const std::string text = text_from(tenon_signing_key_create) + "\n";
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0)
    throw Failure(kFailed, path + (errno == EEXIST ? " already exists: keys are not overwritten"
                                                   : std::string(" cannot be made: ") + std::strerror(errno)));
  const bool whole = ::write(file, text.data(), text.size()) == ssize_t(text.size());
  if (::close(file) != 0 || !whole) throw Failure(kFailed, path + " cannot be written");
}

std::string read_key(const std::string& path) {
  struct stat info;
  if (::stat(path.c_str(), &info) != 0)
    throw Failure(kMissing, "there is no key in " + path + ": make one with --new-key, or pass its file with --key");
  if (info.st_mode & (S_IRWXG | S_IRWXO))
    throw Failure(
        kFailed,
        path +
            " can be read by other users, so it may no longer be secret: make a new key, or chmod 600 if nobody else "
            "has read it");
  std::string text = read_file(path);
  while (!text.empty() && std::strchr(" \n\r\t", text.back())) text.pop_back();
  return text;
}

}  // namespace

int run_plugin_sign(const Arguments& arguments, Output& out) {
  const std::string path = arguments.text("key", arguments.flag("key") ? "" : default_key_path());
  const std::string& package = arguments[0];
  if (!std::filesystem::is_directory(package))
    throw Failure(kMissing, package + " is not a directory: a package must be signed before it is packed");
  if (arguments.flag("new-key")) make_key(path);
  const std::string secret = read_key(path);
  const std::string key = text_from(tenon_signing_key_public, secret.c_str());
  const std::string signature = text_from(tenon_package_sign, package.c_str(), secret.c_str(), nullptr);
  const std::string file = package + "/plugin.sig";
  write_file(file, signature);
  std::error_code ignored;
  std::filesystem::permissions(file, std::filesystem::perms::group_write | std::filesystem::perms::others_write,
                               std::filesystem::perm_options::remove, ignored);
  out.document({{"file", file}, {"key", key}, {"key_file", path}});
  out.line("signed " + out.strong(package) + ": " + file);
  out.line("those who trust you add this line to ~/.config/tenon/trusted_keys, with your name:");
  out.line("ed25519 " + key + " NAME");
  return kDone;
}

}  // namespace tool
