// base/process/fork_server.cpp: fork servers, seen from the process that uses them.
#include "base/process/fork_server.hpp"
#include <elf.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
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

// Never destroyed: a background compile may use them while the process exits, and that closes the sockets.
struct Servers {
  struct Server {
    std::string key;                     // see key_of
    std::shared_ptr<Descriptor> socket;  // none while it is being started, or if it does not work
  };
  const pid_t owner = getpid();
  const MemoryFile object{"tenon-fork-server",
                          std::string_view(reinterpret_cast<const char*>(kForkServer), kForkServerSize)};
  std::mutex mutex;
  std::map<std::string, Server> known;  // by program

  // A child of fork() has its own: the mutex may be locked there, and its jobs shall end with it.
  static Servers& of_process() {
    static std::atomic<Servers*> all{nullptr};
    Servers* found = all;
    if (found && found->owner == getpid()) return *found;
    Servers* const own = new Servers;
    if (all.compare_exchange_strong(found, own)) return *own;
    delete own;
    return *found;
  }
};

// What a job would inherit from the calling thread and a server has from its start: rights, limits, namespaces. One
// that was started with others is another server, and so is that of a file that was replaced. "": none serves this
// thread. The processors of the thread and the directory go with each job.
std::string key_of(const std::string& program) {
  struct stat info, root;
  char magic[SELFMAG] = {};
  const Descriptor file(open(program.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0 || fstat(file.get(), &info) != 0 || stat("/", &root) != 0) return {};
  // A script would load the program in each job all the same.
  if (read(file.get(), magic, SELFMAG) != SELFMAG || std::memcmp(magic, ELFMAG, SELFMAG) != 0) return {};
  // A server's parent is the first process, or one that adopts its descendants' children: here it would be the host.
  if (getpid() == 1) return {};
  int reaps = 0;
  if (prctl(PR_GET_CHILD_SUBREAPER, &reaps) != 0 || reaps) return {};
  std::string out;
  for (const auto number :
       {int64_t(info.st_dev), int64_t(info.st_ino), int64_t(info.st_size), int64_t(info.st_mtim.tv_sec),
        int64_t(info.st_mtim.tv_nsec), int64_t(root.st_dev), int64_t(root.st_ino),
        int64_t(getpriority(PRIO_PROCESS, 0)), int64_t(sched_getscheduler(0))})
    out += std::to_string(number) + " ";
  std::string text;
  if (!read_file("/proc/thread-self/status", text)) return {};
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = std::string_view(text).substr(at, end - at);
    for (const char* name : {"Umask", "Uid", "Gid", "Groups", "Cap", "NoNewPrivs", "Seccomp", "Mems_allowed:"})
      if (line.substr(0, std::strlen(name)) == name) out.append("\n").append(line);
    at = end + 1;
  }
  if (!read_file("/proc/thread-self/limits", text)) return {};
  out += text;
  for (const char* name : {"cgroup", "attr/current"})
    if (read_file(std::string("/proc/thread-self/") + name, text)) out += text;
  for (const char* name : {"cgroup", "ipc", "mnt", "net", "pid_for_children", "time_for_children", "user", "uts"}) {
    char link[64] = {};
    if (readlink((std::string("/proc/thread-self/ns/") + name).c_str(), link, sizeof link - 1) > 0) out += link;
  }
  return out;
}

static_assert(ForkJob::kObject + 1 == kFirstOwnDescriptor);

// The two ends of a socket.
bool connect(int kind, Descriptor& ours, Descriptor& theirs) {
  int ends[2];
  return socketpair(AF_UNIX, kind | SOCK_CLOEXEC, 0, ends) == 0 && above_childrens(ends, ours, theirs);
}

// Loads the program with the object and waits until it is ready. Returns the socket for its jobs, or nothing if the
// program did not become a server.
std::shared_ptr<Descriptor> start(const std::string& program, const MemoryFile& object) {
  auto ours = std::make_shared<Descriptor>();
  Descriptor theirs;
  if (!object || !connect(SOCK_SEQPACKET, *ours, theirs)) return nullptr;
  const Descriptor preloaded(above_childrens(object.descriptor()));
  SpawnSettings settings;
  settings.open_null(0, O_RDONLY);
  settings.open_null(1, O_WRONLY);
  settings.open_null(2, O_WRONLY);
  settings.give(theirs.get(), ForkJob::kControl);
  settings.give(preloaded.get(), ForkJob::kObject);
  settings.close_from(kFirstOwnDescriptor);
  std::vector<std::string> environment = minimal_environment("");
  environment.push_back("LD_PRELOAD=/proc/self/fd/" + std::to_string(ForkJob::kObject));
  pid_t child = 0;
  if (settings.spawn({program, kHarmless}, environment, &child) != 0) return nullptr;
  theirs.close();
  int32_t number = 0;
  const bool serves = receive_number(ours->get(), kStartMilliseconds, number);
  if (!serves) kill(-child, SIGKILL);
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {  // it has started the server, or it has failed
  }
  return serves ? ours : nullptr;
}

// Returns the socket of the program's server, which is started if there is none for this key. Returns nothing if the
// program cannot be a server, or while another thread is starting it.
std::shared_ptr<Descriptor> server_of(Servers& all, const std::string& key, const std::string& program) {
  {
    const std::lock_guard lock(all.mutex);
    Servers::Server& known = all.known[program];
    if (known.key == key) return known.socket;
    known = {key, nullptr};
  }
  std::shared_ptr<Descriptor> made = start(program, all.object);
  const std::lock_guard lock(all.mutex);
  if (Servers::Server& known = all.known[program]; known.key == key) known.socket = made;
  return made;
}

bool send_job(int server, const std::string& message, const int (&fds)[ForkJob::kDescriptors]) {
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof fds)] = {};
  iovec part{const_cast<char*>(message.data()), message.size()};
  msghdr header{};
  header.msg_iov = &part, header.msg_iovlen = 1;
  header.msg_control = control, header.msg_controllen = sizeof control;
  cmsghdr* const with = CMSG_FIRSTHDR(&header);
  with->cmsg_level = SOL_SOCKET, with->cmsg_type = SCM_RIGHTS, with->cmsg_len = CMSG_LEN(sizeof fds);
  std::memcpy(CMSG_DATA(with), fds, sizeof fds);
  for (;;) {
    const ssize_t sent = sendmsg(server, &header, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0 || errno != EINTR) return sent == ssize_t(message.size());
  }
}

}  // namespace

int start_by_server(const std::vector<std::string>& argv, const std::vector<std::string>& environment,
                    const std::string& directory, int64_t processor_seconds, int output) {
  const std::string key = key_of(argv[0]);
  const Descriptor place(open(directory.empty() ? "." : directory.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (key.empty() || place.get() < 0) return -1;
  ForkJob job{processor_seconds, uint32_t(argv.size() - 1), uint32_t(environment.size()), {}};
  if (syscall(SYS_sched_getaffinity, 0, sizeof job.processors, job.processors) < 0)
    std::memset(job.processors, 0, sizeof job.processors);
  std::string message(reinterpret_cast<const char*>(&job), sizeof job);
  const auto add = [&message](const std::string& text) { message.append(text.c_str(), text.size() + 1); };
  for (size_t i = 1; i < argv.size(); ++i) add(argv[i]);
  for (const std::string& variable : environment) add(variable);
  if (message.size() >= ForkJob::kLongest) return -1;
  Descriptor ours, theirs;
  if (!connect(SOCK_STREAM, ours, theirs)) return -1;
  Servers& all = Servers::of_process();
  for (int attempt = 0; attempt < 2; ++attempt) {
    const std::shared_ptr<Descriptor> server = server_of(all, key, argv[0]);
    if (!server) return -1;
    if (send_job(server->get(), message, {place.get(), output, theirs.get()})) return ours.release();
    if (errno != EPIPE && errno != ECONNRESET) return -1;  // it is busy
    const std::lock_guard lock(all.mutex);                 // it had nothing to do for a while, and ended
    if (const auto found = all.known.find(argv[0]); found != all.known.end() && found->second.socket == server)
      all.known.erase(found);
  }
  return -1;
}

bool receive_number(int socket, int milliseconds, int32_t& number) {
  pollfd wait{socket, POLLIN, 0};
  while (poll(&wait, 1, milliseconds) < 0 && errno == EINTR) {
  }
  return recv(socket, &number, sizeof number, MSG_DONTWAIT) == sizeof number;
}

void give_up_server(const std::string& program) {
  Servers& all = Servers::of_process();
  const std::lock_guard lock(all.mutex);
  if (const auto found = all.known.find(program); found != all.known.end()) found->second.socket = nullptr;
}

}  // namespace tenon::base
