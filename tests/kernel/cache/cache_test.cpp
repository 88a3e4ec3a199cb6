// tests/kernel/cache/cache_test.cpp: the right image comes back whatever happens to the cache's files, and is compiled
// once.
#include <dirent.h>
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <future>
#include <nlohmann/json.hpp>
#include "../fake_device.hpp"
#include "kernel/cache/key.hpp"

using namespace tenon;
namespace fs = std::filesystem;

namespace {

class Cache : public testing::Test {
 protected:
  base::ScratchDirectory scratch;
  std::string directory = scratch.path() + "/cache";

  std::vector<std::string> entries() const {
    std::vector<std::string> out;
    if (fs::exists(directory))
      for (const auto& item : fs::directory_iterator(directory))
        if (item.path().extension() == ".tenon") out.push_back(item.path());
    return out;
  }
  std::vector<std::string> others() const {
    std::vector<std::string> out;
    for (const auto& item : fs::directory_iterator(directory))
      if (item.path().extension() != ".tenon") out.push_back(item.path());
    return out;
  }
  static uint64_t counter(fake::World& world, const char* name) {
    return nlohmann::json::parse(world.context->images().report()).at(name).get<uint64_t>();
  }
  // The work of a new process: compiles or finds `source`, and checks the result.
  static int fetch(fake::World& world, const std::string& source = "// text", uint32_t flags = 0) {
    fake::FakeDevice& device = world.device();
    device.signatures = {{"k", {fake::scalar(TENON_INT32)}}};
    CompileRequest request = fake::request({"k"}, source);
    request.flags = flags;
    const int before = device.compiles;
    const Ref<Program> program = Program::create(device, request);
    EXPECT_EQ(program->image().log, "compiled " + source);
    EXPECT_EQ(program->kernel("k")->parameters().size(), 1u);
    return device.compiles - before;
  }
  int fetch_afresh(const std::string& source = "// text") {
    fake::World world(directory);
    return fetch(world, source);
  }
};

TEST_F(Cache, ASecondProcessFindsWhatTheFirstCompiled) {
  fake::World first(directory);
  EXPECT_EQ(fetch(first), 1);
  EXPECT_EQ(fetch(first), 0) << "in the process";
  EXPECT_EQ(fetch_afresh(), 0) << "on disk";
  EXPECT_EQ(counter(first, "compiled"), 1u);
  EXPECT_EQ(counter(first, "process_hits"), 1u);
  EXPECT_EQ(counter(first, "written"), 1u);
  struct stat info;
  ASSERT_EQ(stat(directory.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u);
  ASSERT_EQ(entries().size(), 1u);
  ASSERT_EQ(stat(entries()[0].c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  EXPECT_TRUE(others().empty()) << "no lock or temporary file stays: " << others()[0];
}

TEST_F(Cache, AProgramWhoseHeadersAreNotKnownIsCompiledEachTime) {
  const std::string computed = "#define S(x) #x\n#include S(config.h)";
  fake::World first(directory);
  EXPECT_EQ(fetch(first, computed), 1);
  EXPECT_EQ(fetch(first, computed), 1);
  EXPECT_EQ(fetch_afresh(computed), 1);
  EXPECT_TRUE(entries().empty());
}

TEST_F(Cache, WhateverDecidesTheImageIsInTheKey) {
  fake::World world(directory);
  fake::FakeDevice& device = world.device();
  IncludeScanner scanner;
  const std::function<void(CompileRequest&)> changes[] = {
      [](CompileRequest& r) { r.source += " "; },
      [](CompileRequest& r) { r.trailer = "1"; },
      [](CompileRequest& r) { r.name = "other.cu"; },
      [](CompileRequest& r) { r.kernels = {"k", "l"}; },
      [](CompileRequest& r) { r.kernels = {"kl"}; },
      [](CompileRequest& r) { r.options = {"-DA"}; },
      [](CompileRequest& r) { r.options = {"-D", "A"}; },
      [](CompileRequest& r) { r.mode = 1; },
      [](CompileRequest& r) { r.flags = 1; },
      [](CompileRequest& r) { r.architecture = "sm_80"; },
      [](CompileRequest& r) { r.headers = {{"a.h", "1"}}; },
      [](CompileRequest& r) { r.headers = {{"a.h", "2"}}; },
      [](CompileRequest& r) { r.headers = {{"a.h1", ""}}; },
  };
  std::vector<std::string> keys = {program_key(device, fake::request({"k"}), scanner)};
  for (const auto& change : changes) {
    CompileRequest r = fake::request({"k"});
    change(r);
    keys.push_back(program_key(device, r, scanner));
  }
  device.identity = "fake compiler 2";
  keys.push_back(program_key(device, fake::request({"k"}), scanner));
  static_cast<void>(world.device("cpu:0").identity = device.identity);
  keys.push_back(program_key(world.device("cpu:0"), fake::request({"k"}), scanner));
  for (size_t i = 0; i < keys.size(); ++i)
    for (size_t j = 0; j < i; ++j) EXPECT_NE(keys[i], keys[j]) << i << " " << j;
  CompileRequest fresh = fake::request({"k"});
  fresh.flags = TENON_PROGRAM_FLAG_NO_CACHE;
  EXPECT_EQ(program_key(device, fresh, scanner), program_key(device, fake::request({"k"}), scanner))
      << "it replaces the entry";
}

TEST_F(Cache, AnEntryDamagedAnywhereIsCompiledAgainAndReplaced) {
  ASSERT_EQ(fetch_afresh(), 1);
  ASSERT_EQ(entries().size(), 1u);
  const std::string path = entries()[0];
  std::string sound;
  ASSERT_TRUE(base::read_file(path, sound));
  // Flips every byte and cuts at every length, for the decoder; then some of these for the whole store.
  {
    Image image;
    uint64_t size = 0;
    std::memcpy(&size, sound.data() + 56, 8);
    const std::string key = sound.substr(64, size);
    ASSERT_TRUE(decode_entry(sound, key, image));
    for (size_t i = 0; i < sound.size(); ++i) {
      std::string damaged = sound;
      damaged[i] = char(damaged[i] ^ (1 << (i % 8)));
      ASSERT_FALSE(decode_entry(damaged, key, image)) << "byte " << i;
      ASSERT_FALSE(decode_entry(std::string_view(sound).substr(0, i), key, image)) << "length " << i;
    }
    ASSERT_FALSE(decode_entry(sound + "x", key, image));
  }
  int tried = 0;
  for (size_t i = 0; i < sound.size(); i += 1 + sound.size() / 150) {
    for (const bool cut : {false, true}) {
      std::string damaged = cut ? sound.substr(0, i) : sound;
      if (!cut) damaged[i] = char(~damaged[i]);
      {
        std::ofstream(path, std::ios::binary | std::ios::trunc) << damaged;
      }
      fake::World reader(directory);
      ASSERT_EQ(fetch(reader), 1) << "byte " << i << (cut ? " cut" : " flipped");
      ASSERT_EQ(counter(reader, "damaged"), 1u);
      std::string replaced;
      ASSERT_TRUE(base::read_file(path, replaced));
      ASSERT_EQ(replaced, sound);
      ++tried;
    }
  }
  EXPECT_GT(tried, 100);
  EXPECT_EQ(fetch_afresh(), 0);
}

TEST_F(Cache, AnEntryOfAnotherKeyUnderTheSameNameIsNotUsed) {
  ASSERT_EQ(fetch_afresh("// one"), 1);
  const std::string one = entries()[0];
  ASSERT_EQ(fetch_afresh("// two"), 1);
  for (const std::string& path : entries())
    if (path != one) fs::copy_file(path, one, fs::copy_options::overwrite_existing);
  EXPECT_EQ(fetch_afresh("// one"), 1) << "as if two hashes were equal";
}

TEST_F(Cache, AnImpostorInPlaceOfTheDirectoryMeansMemoryOnly) {
  struct {
    const char* what;
    std::function<void(const std::string&)> make;
    const char* text;
  } rows[] = {
      {"a symbolic link",
       [&](const std::string& d) {
         fs::create_directory(d + "-real");
         chmod((d + "-real").c_str(), 0700);
         fs::create_symlink(d + "-real", d);
       },
       "is a symbolic link"},
      {"a link with a slash",
       [&](const std::string& d) {
         fs::create_directory(d + "-real");
         fs::create_symlink(d + "-real", d);
       },
       "is a symbolic link"},
      {"world-writable",
       [&](const std::string& d) {
         fs::create_directory(d);
         chmod(d.c_str(), 0707);
       },
       "can be written by other users"},
      {"group-writable",
       [&](const std::string& d) {
         fs::create_directory(d);
         chmod(d.c_str(), 0770);
       },
       "can be written by other users"},
      {"a file", [&](const std::string& d) { std::ofstream(d) << "x"; }, "cannot be opened"},
      {"another user's",
       [&](const std::string& d) {
         fs::create_directory(d);
         if (chown(d.c_str(), 12345, 12345) != 0) fs::remove(d);
       },
       "belongs to another user"},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.what);
    const std::string place = scratch.path() + "/" + std::to_string(&row - rows);
    row.make(place);
    if (!fs::exists(place)) continue;  // only root can change a directory's owner
    fake::World world(std::string(row.what) == "a link with a slash" ? place + "/" : place);
    EXPECT_EQ(fetch(world), 1);
    EXPECT_EQ(fetch(world), 0) << "in memory";
    EXPECT_EQ(fetch(world, "// more"), 1);
    EXPECT_NE(world.log.find(row.text), std::string::npos) << world.log;
    EXPECT_EQ(std::count(world.log.begin(), world.log.end(), '\n'), 1) << "one warning: " << world.log;
    if (fs::is_directory(place)) {
      EXPECT_TRUE(fs::is_empty(place));
    }
  }
}

TEST_F(Cache, AnImpostorInPlaceOfAnEntryIsNotRead) {
  ASSERT_EQ(fetch_afresh(), 1);
  const std::string path = entries()[0];
  const std::string aside = scratch.path() + "/aside";
  fs::rename(path, aside);
  fs::create_symlink(aside, path);
  EXPECT_EQ(fetch_afresh(), 1) << "a link";
  EXPECT_FALSE(fs::is_symlink(path)) << "it was replaced";
  chmod(path.c_str(), 0622);
  EXPECT_EQ(fetch_afresh(), 1) << "writable by others";
  EXPECT_EQ(fetch_afresh(), 0);
  if (chown(path.c_str(), 12345, 12345) == 0) {
    EXPECT_EQ(fetch_afresh(), 1) << "another user's";
  }
  fs::remove(path);
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(fetch_afresh(), 1) << "a pipe, and nobody writes";
}

TEST_F(Cache, ThreadsShareOneCompile) {
  fake::World world(directory);
  fake::FakeDevice& device = world.device();
  device.on_compile = [](const CompileRequest&) { std::this_thread::sleep_for(std::chrono::milliseconds(50)); };
  device.signatures = {{"k", {}}};
  std::vector<std::thread> threads;
  std::atomic<int> good{0};
  for (int i = 0; i < 64; ++i)
    threads.emplace_back(
        [&] { good += Program::create(device, fake::request({"k"}))->image().log == "compiled // text"; });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good, 64);
  EXPECT_EQ(device.compiles, 1);
}

TEST_F(Cache, ThreadsShareOneFailureAndTheNextTriesAgain) {
  fake::World world(directory);
  fake::FakeDevice& device = world.device();
  device.signatures = {{"k", {}}};
  device.on_compile = [&](const CompileRequest&) {  // fails when all others wait for it
    while (counter(world, "waits") < 15) std::this_thread::yield();
    fail(TENON_ERROR_COMPILE, "no good");
  };
  std::vector<std::thread> threads;
  std::atomic<int> bad{0};
  for (int i = 0; i < 16; ++i)
    threads.emplace_back([&] {
      bad += fake::thrown([&] { Program::create(device, fake::request({"k"})); }).status == TENON_ERROR_COMPILE;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(bad, 16);
  EXPECT_EQ(device.compiles, 1);
  device.on_compile = nullptr;
  EXPECT_EQ(fake::thrown([&] { Program::create(device, fake::request({"k"})); }).status, TENON_OK);
  EXPECT_EQ(device.compiles, 2);
}

// Runs `work` in `count` processes; it returns the exit code. Forks before any thread is started.
std::vector<int> in_processes(int count, const std::function<int(int)>& work) {
  std::vector<pid_t> pids;
  for (int i = 0; i < count; ++i) {
    const pid_t pid = fork();
    if (pid == 0) _exit(work(i));
    pids.push_back(pid);
  }
  std::vector<int> out;
  for (const pid_t pid : pids) {
    int status = 0;
    waitpid(pid, &status, 0);
    out.push_back(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
  }
  return out;
}

constexpr int kForEver = -1;

// Each compile is marked by a file.
int process_fetch(const std::string& directory, const std::string& marks, int number, int delay_ms) {
  fake::World world(directory);
  world.device().on_compile = [&](const CompileRequest&) {
    std::ofstream(marks + "/" + std::to_string(getpid())) << number;
    while (delay_ms == kForEver) pause();
    std::this_thread::sleep_for(std::chrono::milliseconds(delay_ms));
  };
  world.device().signatures = {{"k", {}}};
  return Program::create(world.device(), fake::request({"k"}))->image().log == "compiled // text" ? 0 : 1;
}

TEST_F(Cache, ProcessesShareOneCompile) {
  const std::string marks = scratch.path() + "/marks";
  fs::create_directory(marks);
  const std::vector<int> codes = in_processes(64, [&](int i) { return process_fetch(directory, marks, i, 150); });
  EXPECT_EQ(codes, std::vector<int>(64, 0));
  EXPECT_EQ(std::distance(fs::directory_iterator(marks), fs::directory_iterator()), 1);
  EXPECT_TRUE(others().empty());
}

TEST_F(Cache, AKilledCompilerHoldsNobodyUp) {
  const std::string marks = scratch.path() + "/marks";
  fs::create_directory(marks);
  const pid_t victim = fork();
  if (victim == 0) _exit(process_fetch(directory, marks, 0, kForEver));
  while (fs::is_empty(marks)) usleep(1000);
  const pid_t waiter = fork();
  if (waiter == 0) _exit(process_fetch(directory, marks, 1, 0));
  usleep(50000);
  EXPECT_EQ(waitpid(waiter, nullptr, WNOHANG), 0) << "it waits for the first";
  kill(victim, SIGKILL);
  waitpid(victim, nullptr, 0);
  int status = -1;
  waitpid(waiter, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(entries().size(), 1u);
}

TEST_F(Cache, KilledWritersLeaveOnlyWholeEntries) {
  for (int round = 0; round < 60; ++round) {
    const std::string source = "// " + std::to_string(round % 5);
    const pid_t pid = fork();
    if (pid == 0) {
      fake::World world(directory);
      world.device().image_bytes = 200000;
      for (;;) fetch(world, source, TENON_PROGRAM_FLAG_NO_CACHE);
    }
    usleep(useconds_t(500 + 300 * (round % 17)));
    kill(pid, SIGKILL);
    waitpid(pid, nullptr, 0);
    fake::World reader(directory);
    fetch(reader, source);
    EXPECT_EQ(counter(reader, "damaged"), 0u);
  }
  // Files that killed processes left are removed when they are old.
  for (const std::string& path : others()) {
    const timespec old[2] = {{1000, 0}, {1000, 0}};
    utimensat(AT_FDCWD, path.c_str(), old, 0);
  }
  fetch_afresh("// one more");
  EXPECT_TRUE(others().empty());
}

TEST_F(Cache, TheOldestEntriesGoWhenItIsFull) {
  uint64_t evicted = 0;
  auto run = [&](const std::string& source) {
    fake::World world(directory, TENON_CACHE_DEFAULT, 10 * 13000);
    world.device().image_bytes = 10000;
    const int compiled = fetch(world, source);
    if (compiled) evicted += counter(world, "evicted");
    return compiled;
  };
  for (int i = 0; i < 8; ++i) EXPECT_EQ(run("// " + std::to_string(i)), 1);
  EXPECT_EQ(evicted, 0u) << entries().size();
  EXPECT_EQ(run("// 0"), 0) << "used again";
  for (int i = 8; i < 30; ++i) {
    EXPECT_EQ(run("// " + std::to_string(i)), 1);
    EXPECT_EQ(run("// 0"), 0) << "what is used stays, " << i;
    uint64_t total = 0;
    for (const std::string& path : entries()) total += fs::file_size(path);
    EXPECT_LE(total, 130000u);
  }
  EXPECT_GT(evicted, 10u);
  EXPECT_EQ(run("// 1"), 1) << "went first";
  fake::World tiny(directory, TENON_CACHE_DEFAULT, 1000);
  EXPECT_EQ(fetch(tiny, "// larger than all"), 1);
  EXPECT_NE(tiny.log.find("larger than the cache's limit"), std::string::npos) << tiny.log;
}

TEST_F(Cache, NoCacheCompilesAndReplaces) {
  ASSERT_EQ(fetch_afresh(), 1);
  struct stat before, after;
  stat(entries()[0].c_str(), &before);
  fake::World world(directory);
  EXPECT_EQ(fetch(world, "// text", TENON_PROGRAM_FLAG_NO_CACHE), 1);
  stat(entries()[0].c_str(), &after);
  EXPECT_NE(before.st_ino, after.st_ino);
  EXPECT_EQ(fetch(world, "// text", TENON_PROGRAM_FLAG_NO_CACHE), 1);
  EXPECT_EQ(fetch(world), 0);
}

// It must neither use what another thread compiles nor wait for it: neither within the process, nor for the lock in the
// directory.
TEST_F(Cache, NoCacheWaitsForNobody) {
  fake::World first(directory), other_process(directory);
  std::promise<void> begun, enough;
  std::future<void> release = enough.get_future();
  first.device().signatures = {{"k", {fake::scalar(TENON_INT32)}}};
  std::atomic<bool> held{false};
  first.device().on_compile = [&](const CompileRequest&) {
    if (held.exchange(true)) return;
    begun.set_value();
    release.wait();
  };
  std::thread compiling([&] { Program::create(first.device(), fake::request({"k"}, "// text")); });
  begun.get_future().wait();
  // Neither would return if it waited.
  EXPECT_EQ(fetch(other_process, "// text", TENON_PROGRAM_FLAG_NO_CACHE), 1);
  EXPECT_EQ(fetch(first, "// text", TENON_PROGRAM_FLAG_NO_CACHE), 1);
  enough.set_value();
  compiling.join();
  EXPECT_EQ(fetch(first), 0);
  EXPECT_EQ(entries().size(), 1u);
  EXPECT_TRUE(others().empty());
}

TEST_F(Cache, ModesDoWhatTheySay) {
  {
    fake::World off(directory, TENON_CACHE_OFF);
    EXPECT_EQ(fetch(off), 1);
    EXPECT_EQ(fetch(off), 0) << "shared in the process";
    EXPECT_FALSE(fs::exists(directory));
  }
  {
    fake::World read_only(directory, TENON_CACHE_READ_ONLY);
    EXPECT_EQ(fetch(read_only), 1);
    EXPECT_FALSE(fs::exists(directory));
    EXPECT_EQ(read_only.log, "");
  }
  {
    fake::World none(directory, TENON_CACHE_NO_COMPILE);
    const fake::Thrown t = fake::thrown([&] { fetch(none); });
    EXPECT_EQ(t.status, TENON_ERROR_NOT_FOUND);
    EXPECT_NE(t.text.find("kernel.cu is not in the cache at " + directory), std::string::npos) << t.text;
    EXPECT_EQ(none.device().compiles, 0);
  }
  ASSERT_EQ(fetch_afresh(), 1);
  const timespec past[2] = {{1000, 0}, {1000, 0}};
  utimensat(AT_FDCWD, entries()[0].c_str(), past, 0);
  for (const int32_t mode : {TENON_CACHE_READ_ONLY, TENON_CACHE_NO_COMPILE}) {
    fake::World world(directory, mode);
    EXPECT_EQ(fetch(world), 0);
  }
  struct stat info;
  stat(entries()[0].c_str(), &info);
  EXPECT_EQ(info.st_mtime, 1000) << "untouched";
  fake::World world(directory, TENON_CACHE_READ_ONLY);
  EXPECT_EQ(fetch(world, "// new"), 1);
  EXPECT_EQ(entries().size(), 1u);
}

TEST_F(Cache, TheEnvironmentChoosesTheModeWhereTheContextDoesNot) {
  setenv("TENON_CACHE", "no-compile", 1);
  EXPECT_EQ(fake::thrown([&] { fetch_afresh(); }).status, TENON_ERROR_NOT_FOUND);
  setenv("TENON_CACHE", "off", 1);
  EXPECT_EQ(fetch_afresh(), 1);
  EXPECT_FALSE(fs::exists(directory));
  setenv("TENON_CACHE", "sometimes", 1);
  {
    fake::World world(directory);
    EXPECT_EQ(fetch(world), 1);
    EXPECT_NE(world.log.find("TENON_CACHE is \"sometimes\""), std::string::npos) << world.log;
  }
  setenv("TENON_CACHE", "read-only", 1);
  EXPECT_EQ(fetch_afresh("// new"), 1);
  EXPECT_EQ(entries().size(), 1u);
  unsetenv("TENON_CACHE");
}

// Runs as a user for whom permissions have an effect.
TEST_F(Cache, ADirectoryThatCannotBeWrittenIsReadAndNothingMore) {
  ASSERT_EQ(chmod(scratch.path().c_str(), 0755), 0);
  const std::vector<int> codes = in_processes(1, [&](int) {
    if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) return 77;
    const base::ScratchDirectory place;
    const std::string own = place.path() + "/cache";
    {
      fake::World world(own);
      if (fetch(world) != 1) return 1;
    }
    chmod(own.c_str(), 0500);
    int bad = 0;
    {
      fake::World world(own);
      bad |= fetch(world) != 0 ? 2 : 0;
      bad |= fetch(world, "// new") != 1 ? 4 : 0;
      bad |= fetch(world, "// newer") != 1 ? 8 : 0;
      bad |= std::count(world.log.begin(), world.log.end(), '\n') != 1 ? 16 : 0;
    }
    {
      fake::World world("/proc/1/nowhere/cache");
      bad |= fetch(world) != 1 ? 32 : 0;
    }
    chmod(own.c_str(), 0700);
    return testing::Test::HasFailure() ? 64 : bad;
  });
  if (codes[0] == 77) GTEST_SKIP() << "cannot become another user";
  EXPECT_EQ(codes[0], 0);
}

TEST_F(Cache, AFileSizeLimitIsAFailedWriteAndNoSignal) {
  const std::vector<int> codes = in_processes(1, [&](int) {
    const rlimit limit = {5000, 5000};
    setrlimit(RLIMIT_FSIZE, &limit);
    fake::World world(directory);
    world.device().image_bytes = 20000;
    const int compiled = fetch(world) + fetch(world);
    return compiled == 1 && counter(world, "not_written") == 1 &&
                   world.log.find("could not be put into the cache") != std::string::npos
               ? 0
               : 1;
  });
  EXPECT_EQ(codes[0], 0) << "153 would be SIGXFSZ";
  EXPECT_TRUE(entries().empty());
  EXPECT_TRUE(others().empty()) << others()[0];
}

TEST_F(Cache, AFullDiskIsAFailedWriteAndMakesRoomIfItCan) {
  fs::create_directory(directory);
  chmod(directory.c_str(), 0700);
  if (mount("tmpfs", directory.c_str(), "tmpfs", 0, "size=64k,mode=0700") != 0)
    GTEST_SKIP() << "cannot mount a small file system here";
  for (int i = 0; i < 10; ++i) {
    fake::World world(directory);
    world.device().image_bytes = 15000;
    EXPECT_EQ(fetch(world, "// " + std::to_string(i)), 1);
    EXPECT_EQ(counter(world, "not_written"), 0u) << world.log;
    EXPECT_EQ(fetch_afresh("// " + std::to_string(i)), 0) << "the newest is there";
  }
  {
    fake::World world(directory);
    world.device().image_bytes = 100000;
    EXPECT_EQ(fetch(world, "// too large"), 1);
    EXPECT_EQ(counter(world, "not_written"), 1u);
    EXPECT_EQ(fetch(world, "// too large"), 0);
  }
  for (const std::string& path : others()) ADD_FAILURE() << path << " stays";
  umount(directory.c_str());
}

TEST_F(Cache, ARemovedDirectoryIsMadeAgain) {
  fake::World world(directory);
  fetch(world);
  fs::remove_all(directory);
  EXPECT_EQ(fetch(world, "// new"), 1);
  EXPECT_EQ(entries().size(), 1u);
  EXPECT_EQ(world.log, "");
}

TEST_F(Cache, AnAnswerIsAskedForOnce) {
  int asked = 0;
  const auto ask = [&](const std::string& answer) {
    return [&asked, answer] {
      ++asked;
      return answer;
    };
  };
  for (int i = 0; i < 3; ++i) {
    fake::World world(directory);
    EXPECT_EQ(world.context->images().remembered("who?", ask("me")), "me");
  }
  EXPECT_EQ(asked, 1);
  fake::World world(directory);
  EXPECT_EQ(world.context->images().remembered("where?", ask("here")), "here");
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(world.context->images().remembered("why?", ask("")), "") << "nothing is no answer";
  EXPECT_EQ(asked, 4);
  fake::World off(directory, TENON_CACHE_OFF);
  EXPECT_EQ(off.context->images().remembered("who?", ask("other")), "other");
}

TEST_F(Cache, AWarmHitTakesMicroseconds) {
  const std::string source(20000, ' ');
  {
    fake::World world(directory);
    world.device().image_bytes = 20000;
    fetch(world, source);
  }
  fake::World world(directory);
  fake::FakeDevice& device = world.device();
  device.signatures = {{"k", {fake::scalar(TENON_INT32)}}};
  double best = 1e9;
  for (int i = 0; i < 20; ++i) {
    Settings settings;
    settings.cache_directory = directory;
    const auto store = make_image_store(settings);  // starts without any knowledge
    CompileRequest request = fake::request({"k"}, source);
    request.name = "kernel.cu";
    request.trailer = Program::create(device, request)->request().trailer;
    const auto start = std::chrono::steady_clock::now();
    EXPECT_NE(store->get(device, request), nullptr);
    best = std::min(best, std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
  }
  EXPECT_EQ(device.compiles, 0);
  RecordProperty("microseconds", std::to_string(best));
  std::printf("from disk: %.1f us\n", best);
}

}  // namespace
