// base/process/fork_server.cpp: fork servers, seen from the process that uses them.
#include "base/process/fork_server.hpp"
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include "base/memory_file.hpp"
#include "base/process/spawn.hpp"

namespace tenon::base {

extern const unsigned char kForkServer[];
extern const std::size_t kForkServerSize;

namespace {

constexpr char kHarmless[] = "--version";  // what a program does that runs instead of serving
constexpr int kStartMilliseconds = 5000;
constexpr size_t kMost = 4;  // servers of a process

// Never destroyed: a background compile may use them while the process exits, and that closes the sockets.
struct Servers {
  const pid_t owner = getpid();
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<Descriptor>> sockets;  // by program; NULL: being started, or it does not work

  // A child of fork() has its own: the mutex may be locked there, and its jobs shall end with it.
  static Servers& of_process() {
    static std::atomic<Servers*> all{nullptr};
    Servers* known = all;
    if (known && known->owner == getpid()) return *known;
    Servers* const own = new Servers;
    if (all.compare_exchange_strong(known, own)) return *own;
    delete own;
    return *known;
  }
};

// The program's file: one that was replaced is another program.
std::string key_of(const std::string& program) {
  struct stat info;
  if (stat(program.c_str(), &info) != 0) return {};
  const auto number = [](auto value) { return " " + std::to_string(value); };
  return program + number(info.st_dev) + number(info.st_ino) + number(info.st_size) + number(info.st_mtim.tv_sec) +
         number(info.st_mtim.tv_nsec);
}

// A duplicate whose number is none of those that the server gives to its own.
int moved(int fd) { return fcntl(fd, F_DUPFD_CLOEXEC, ForkJob::kObject + 1); }

// The two ends of a socket.
bool connect(int kind, Descriptor& ours, Descriptor& theirs) {
  int ends[2];
  if (socketpair(AF_UNIX, kind | SOCK_CLOEXEC, 0, ends) != 0) return false;
  const Descriptor first(ends[0]), second(ends[1]);
  ours.set(moved(first.get()));
  theirs.set(moved(second.get()));
  return ours.get() >= 0 && theirs.get() >= 0;
}

// Loads the program with the object and waits until it says that it serves. NULL: it does not.
std::shared_ptr<Descriptor> start(const std::string& program) {
  static const MemoryFile& object = *new MemoryFile(
      "tenon-fork-server", std::string_view(reinterpret_cast<const char*>(kForkServer), kForkServerSize));
  auto ours = std::make_shared<Descriptor>();
  Descriptor theirs;
  if (!object || !connect(SOCK_SEQPACKET, *ours, theirs)) return nullptr;
  const Descriptor preloaded(moved(object.descriptor()));
  SpawnSettings settings;
  settings.open_null(0, O_RDONLY);
  settings.open_null(1, O_WRONLY);
  settings.open_null(2, O_WRONLY);
  settings.give(theirs.get(), ForkJob::kControl);
  settings.give(preloaded.get(), ForkJob::kObject);
  settings.close_from(ForkJob::kObject + 1);
  std::vector<std::string> environment = minimal_environment("");
  environment.push_back("LD_PRELOAD=/proc/self/fd/" + std::to_string(ForkJob::kObject));
  pid_t child = 0;
  if (settings.spawn({program, kHarmless}, environment, &child) != 0) return nullptr;
  theirs.close();
  pollfd wait{ours->get(), POLLIN, 0};
  char said = 0;
  int ready = 0;
  while ((ready = poll(&wait, 1, kStartMilliseconds)) < 0 && errno == EINTR) {
  }
  const bool serves = ready == 1 && recv(ours->get(), &said, 1, 0) == 1;
  if (!serves) kill(-child, SIGKILL);
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {  // it has started the server, or it has failed
  }
  return serves ? ours : nullptr;
}

// NULL: there is none, or another thread is starting it.
std::shared_ptr<Descriptor> server_of(Servers& all, const std::string& key, const std::string& program) {
  {
    const std::lock_guard lock(all.mutex);
    if (const auto found = all.sockets.find(key); found != all.sockets.end()) return found->second;
    if (all.sockets.size() == kMost) return nullptr;
    all.sockets[key];
  }
  std::shared_ptr<Descriptor> made = start(program);
  const std::lock_guard lock(all.mutex);
  return all.sockets[key] = std::move(made);
}

bool send_job(int server, const std::string& message, int output, int status) {
  alignas(cmsghdr) char control[CMSG_SPACE(2 * sizeof(int))] = {};
  iovec part{const_cast<char*>(message.data()), message.size()};
  msghdr header{};
  header.msg_iov = &part, header.msg_iovlen = 1;
  header.msg_control = control, header.msg_controllen = sizeof control;
  cmsghdr* const with = CMSG_FIRSTHDR(&header);
  with->cmsg_level = SOL_SOCKET, with->cmsg_type = SCM_RIGHTS, with->cmsg_len = CMSG_LEN(2 * sizeof(int));
  const int fds[2] = {output, status};
  std::memcpy(CMSG_DATA(with), fds, sizeof fds);
  for (;;) {
    const ssize_t sent = sendmsg(server, &header, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0 || errno != EINTR) return sent == ssize_t(message.size());
  }
}

}  // namespace

int start_by_server(const std::vector<std::string>& argv, const std::vector<std::string>& environment,
                    const std::string& directory, int64_t processor_seconds, int output) {
  Servers& all = Servers::of_process();
  const std::string key = key_of(argv[0]);
  if (key.empty()) return -1;
  const ForkJob job{processor_seconds, uint32_t(argv.size() - 1), uint32_t(environment.size())};
  std::string message(reinterpret_cast<const char*>(&job), sizeof job);
  const auto add = [&message](const std::string& text) { message.append(text.c_str(), text.size() + 1); };
  add(directory);
  for (size_t i = 1; i < argv.size(); ++i) add(argv[i]);
  for (const std::string& variable : environment) add(variable);
  if (message.size() >= ForkJob::kLongest) return -1;
  Descriptor ours, theirs;
  if (!connect(SOCK_STREAM, ours, theirs)) return -1;
  for (int attempt = 0; attempt < 2; ++attempt) {
    const std::shared_ptr<Descriptor> server = server_of(all, key, argv[0]);
    if (!server) return -1;
    if (send_job(server->get(), message, output, theirs.get())) return ours.release();
    if (errno != EPIPE && errno != ECONNRESET) return -1;  // it is busy
    const std::lock_guard lock(all.mutex);                 // it had nothing to do for a while, and ended
    if (const auto found = all.sockets.find(key); found != all.sockets.end() && found->second == server)
      all.sockets.erase(found);
  }
  return -1;
}

void give_up_server(const std::string& program) {
  Servers& all = Servers::of_process();
  const std::lock_guard lock(all.mutex);
  if (const auto found = all.sockets.find(key_of(program)); found != all.sockets.end()) found->second = nullptr;
}

}  // namespace tenon::base
