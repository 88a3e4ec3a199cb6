// tests/kernel/cache/cache_entries_test.cpp: what the owner of a cache can do with its entries: list, verify, clear,
// export, import.
#include <fcntl.h>
#include <sys/stat.h>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <thread>
#include "base/hash.hpp"
#include "../fake_device.hpp"
#include "kernel/cache/cache.hpp"
#include "kernel/cache/key.hpp"

using namespace tenon;
namespace fs = std::filesystem;

namespace {

class CacheEntries : public testing::Test {
 protected:
  base::ScratchDirectory scratch;
  std::string directory = scratch.path() + "/cache", other = scratch.path() + "/other",
              bundle = scratch.path() + "/bundle";

  // Finds or compiles programs, and returns how many were compiled.
  static int fetch(fake::World& world, const std::vector<std::string>& sources) {
    fake::FakeDevice& device = world.device();
    device.signatures = {{"k", {fake::scalar(TENON_INT32)}}};
    const int before = device.compiles;
    for (const std::string& source : sources)
      EXPECT_EQ(Program::create(device, fake::request({"k"}, source))->image().log, "compiled " + source);
    return device.compiles - before;
  }
  static int fetch_afresh(const std::string& directory, const std::vector<std::string>& sources) {
    fake::World world(directory);
    return fetch(world, sources);
  }
  static std::vector<std::string> files(const std::string& directory) {
    std::vector<std::string> out;
    if (fs::exists(directory))
      for (const auto& item : fs::directory_iterator(directory)) out.push_back(item.path());
    std::sort(out.begin(), out.end());
    return out;
  }
  static void age(const std::string& path, double seconds) {
    timespec times[2];
    clock_gettime(CLOCK_REALTIME, &times[0]);
    times[0].tv_sec -= time_t(seconds);
    times[1] = times[0];
    ASSERT_EQ(utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
  }
  static std::string content(const std::string& path) {
    std::string out;
    EXPECT_TRUE(base::read_file(path, out));
    return out;
  }
  static void put(const std::string& path, const std::string& bytes) {
    fs::remove(path);
    std::ofstream(path, std::ios::binary) << bytes;
    chmod(path.c_str(), 0600);
  }
  static Cache& cache(fake::World& world) { return cache_of(*world.context); }
  static nlohmann::json list(fake::World& world) { return nlohmann::json::parse(list_entries(cache(world))); }
};

const std::vector<std::string> kThree = {"// one", "// two", "// three"};

TEST_F(CacheEntries, CountersTellWhatHappened) {
  fetch_afresh(directory, {"// one"});
  fake::World world(directory);
  fake::FakeDevice& device = world.device();
  fetch(world, kThree);
  fetch(world, {"// two"});
  device.on_compile = [](const CompileRequest&) { fail(TENON_ERROR_COMPILE, "no good"); };
  EXPECT_EQ(fake::thrown([&] { fetch(world, {"// bad"}); }).status, TENON_ERROR_COMPILE);
  const tenon_cache_info info = cache(world).info();
  EXPECT_EQ(info.directory, directory);
  EXPECT_EQ(info.mode, TENON_CACHE_DEFAULT);
  EXPECT_EQ(info.limit_bytes, uint64_t(2) << 30);
  EXPECT_EQ(info.entries, 3u);
  uint64_t bytes = 0;
  for (const std::string& path : files(directory)) bytes += fs::file_size(path);
  EXPECT_EQ(info.bytes, bytes);
  EXPECT_EQ(info.process_hits, 1u);
  EXPECT_EQ(info.disk_hits, 1u);
  EXPECT_EQ(info.misses, 3u);
  EXPECT_EQ(info.compiled, 2u);
  EXPECT_EQ(info.failed, 1u);
  EXPECT_EQ(info.waits, 0u);
  EXPECT_EQ(info.written, 2u);
  const auto report = nlohmann::json::parse(world.context->images().report());
  EXPECT_EQ(report.at("misses"), 3u);
  EXPECT_EQ(report.at("entries"), 3u);
}

TEST_F(CacheEntries, WaitingForAnotherThreadIsCounted) {
  fake::World world(directory);
  std::atomic<bool> compiling{false}, go_on{false};
  world.device().signatures = {{"k", {}}};
  world.device().on_compile = [&](const CompileRequest&) {
    compiling = true;
    while (!go_on) std::this_thread::yield();
  };
  const auto compile = [&] { Program::create(world.device(), fake::request({"k"})); };
  std::thread first(compile);
  while (!compiling) std::this_thread::yield();
  std::thread second(compile);
  while (cache(world).info().waits == 0) std::this_thread::yield();
  go_on = true;
  first.join();
  second.join();
  EXPECT_EQ(cache(world).info().waits, 1u);
  EXPECT_EQ(cache(world).info().compiled, 1u);
}

TEST_F(CacheEntries, TheListSaysWhatEachEntryIs) {
  fake::World world(directory);
  fake::FakeDevice& device = world.device();
  device.identity = "/usr/bin/cc\ncc 1.2\nhash\nmore";
  device.signatures = {{"k", {}}, {"m<int, 4>", {}}};
  CompileRequest request = fake::request({"k", "m<int, 4>"}, "// long text");
  request.name = "file.cu";
  request.options = {"-DA", "-DB"};
  request.mode = TENON_PROGRAM_MODE_CHECK;
  request.flags = TENON_PROGRAM_FLAG_FAST_MATH;
  Program::create(device, request);
  ASSERT_EQ(world.context->images().remembered("how are you", [] { return std::string("well"); }), "well");
  ASSERT_EQ(files(directory).size(), 2u);
  const auto rows = list(world);
  ASSERT_EQ(rows.size(), 2u);
  const auto& row = rows[0];
  EXPECT_EQ(row.at("kind"), "program");
  EXPECT_TRUE(fs::exists(directory + "/" + row.at("key").get<std::string>() + ".tenon"));
  EXPECT_EQ(row.at("bytes"), fs::file_size(directory + "/" + row.at("key").get<std::string>() + ".tenon"));
  EXPECT_NEAR(row.at("used").get<double>(), double(time(nullptr)), 60);
  EXPECT_EQ(row.at("device"), "cuda");
  EXPECT_EQ(row.at("name"), "file.cu");
  EXPECT_EQ(row.at("kernels"), (nlohmann::json{"k", "m<int, 4>"}));
  EXPECT_EQ(row.at("globals"), nlohmann::json::array());
  EXPECT_EQ(row.at("options"), (nlohmann::json{"-DA", "-DB"}));
  EXPECT_EQ(row.at("mode"), "check");
  EXPECT_EQ(row.at("flags"), uint32_t(TENON_PROGRAM_FLAG_FAST_MATH));
  EXPECT_EQ(row.at("architecture"), "");
  EXPECT_EQ(row.at("compiler"), "cc 1.2 at /usr/bin/cc");
  EXPECT_EQ(row.at("source_bytes"), 12u);
  EXPECT_EQ(rows[1].at("kind"), "answer");
  EXPECT_EQ(rows[1].at("question"), "how are you");
}

TEST_F(CacheEntries, TheListLeavesTheTimeOfUseAndIsInItsOrder) {
  fetch_afresh(directory, kThree);
  const std::vector<std::string> all = files(directory);
  age(all[1], 3000);
  age(all[2], 2000);
  age(all[0], 1000);
  fake::World world(directory);
  const size_t order[] = {1, 2, 0};
  const double ages[] = {3000, 2000, 1000};
  for (int round = 0; round < 2; ++round) {
    const auto rows = list(world);
    ASSERT_EQ(rows.size(), 3u);
    for (size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(directory + "/" + rows[i].at("key").get<std::string>() + ".tenon", all[order[i]]);
      EXPECT_NEAR(rows[i].at("used").get<double>(), double(time(nullptr)) - ages[i], 60);
    }
    EXPECT_EQ(verify_entries(cache(world), false).entries, 3u);
  }
}

TEST_F(CacheEntries, AnEmptyOrForbiddenCacheHasAnEmptyList) {
  fake::World none(directory, TENON_CACHE_READ_ONLY), off("", TENON_CACHE_OFF);
  EXPECT_EQ(list_entries(cache(none)), "[]");
  EXPECT_EQ(list_entries(cache(off)), "[]");
  EXPECT_EQ(cache(off).info().entries, 0u);
  EXPECT_EQ(verify_entries(cache(none), false).entries, 0u);
  EXPECT_FALSE(fs::exists(directory));
}

TEST_F(CacheEntries, VerifyFindsEveryDamageAndRemovesItWhenAsked) {
  fetch_afresh(directory, kThree);
  const std::vector<std::string> all = files(directory);
  const std::string whole = content(all[0]);
  std::string foreign = content(all[1]);
  fake::World world(directory);
  EXPECT_EQ(verify_entries(cache(world), true).damaged, 0u);
  for (size_t i = 0; i < whole.size(); i += 1 + whole.size() / 40) {
    std::string damaged = whole;
    damaged[i] = char(damaged[i] ^ 4);
    put(all[0], damaged);
    tenon_cache_tally tally = verify_entries(cache(world), false);
    ASSERT_EQ(tally.entries, 3u);
    ASSERT_EQ(tally.damaged, 1u) << "byte " << i;
    ASSERT_TRUE(fs::exists(all[0])) << "it was only asked";
    uint64_t seen = 0;
    for (const auto& row : list(world))
      seen += row.at("kind") == "damaged" && row.at("key") == fs::path(all[0]).stem().string();
    ASSERT_EQ(seen, 1u);
    ASSERT_EQ(verify_entries(cache(world), true).damaged, 1u);
    ASSERT_FALSE(fs::exists(all[0]));
    ASSERT_EQ(verify_entries(cache(world), true).entries, 2u);
  }
  put(all[0], foreign);  // valid, but never found under this name
  EXPECT_EQ(verify_entries(cache(world), true).damaged, 1u);
  EXPECT_EQ(fetch_afresh(directory, kThree), 1) << "the others were left";
}

// The same bytes with another format number, as another version would write them.
std::string of_another_version(std::string entry) {
  entry[8] = char(entry[8] + 1);
  // The checksum covers everything except itself.
  std::string all = entry.substr(0, 24);
  all += base::hash_hex(std::string_view(entry).substr(56));
  return entry.replace(24, 32, base::hash_hex(all));
}

TEST_F(CacheEntries, EntriesOfAnotherVersionAreLeftAlone) {
  fetch_afresh(directory, kThree);
  const std::string path = files(directory)[0];
  put(path, of_another_version(content(path)));
  fake::World world(directory);
  const tenon_cache_tally tally = verify_entries(cache(world), true);
  EXPECT_EQ(tally.damaged, 0u);
  EXPECT_EQ(tally.entries, 3u);
  uint64_t foreign = 0;
  for (const auto& row : list(world)) foreign += row.at("kind") == "foreign";
  EXPECT_EQ(foreign, 1u);
  const tenon_cache_tally exported = export_entries(cache(world), bundle);
  EXPECT_EQ(exported.entries, 2u);
  EXPECT_EQ(exported.damaged, 0u);
}

TEST_F(CacheEntries, ClearTakesAllOrTheOldOrWhatIsTooMuch) {
  fetch_afresh(directory, kThree);
  const std::vector<std::string> all = files(directory);
  for (size_t i = 0; i < 3; ++i) age(all[i], 1000.0 * double(3 - i));  // the first one is the oldest
  fake::World world(directory);
  tenon_cache_tally tally = clear_entries(cache(world), 5000, 0);
  EXPECT_EQ(tally.entries, 0u);
  EXPECT_EQ(tally.kept, 3u);
  const uint64_t first = fs::file_size(all[0]), rest = fs::file_size(all[1]) + fs::file_size(all[2]);
  tally = clear_entries(cache(world), 2500, 0);
  EXPECT_EQ(tally.entries, 1u);
  EXPECT_EQ(tally.bytes, first);
  EXPECT_EQ(tally.kept, 2u);
  EXPECT_EQ(files(directory), (std::vector<std::string>{all[1], all[2]}));
  EXPECT_EQ(clear_entries(cache(world), 0, rest).entries, 0u) << "they fit";
  EXPECT_EQ(clear_entries(cache(world), 1500, 1).entries, 1u) << "only one is old enough";
  EXPECT_EQ(files(directory), std::vector<std::string>{all[2]});
  EXPECT_EQ(clear_entries(cache(world), 0, rest).entries, 0u);
  EXPECT_EQ(clear_entries(cache(world), 0, 0).entries, 1u);
  EXPECT_TRUE(files(directory).empty());
  EXPECT_EQ(clear_entries(cache(world), 0, 0).entries, 0u);
  for (const double bad : {-1.0, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_EQ(fake::thrown([&] { clear_entries(cache(world), bad, 0); }).status, TENON_ERROR_INVALID_ARGUMENT);
}

TEST_F(CacheEntries, ClearForgetsWhatTheProcessHoldsForNobody) {
  fake::World world(directory);
  fake::FakeDevice& device = world.device();
  device.signatures = {{"k", {}}};
  const Ref<Program> held = Program::create(device, fake::request({"k"}, "// held"));
  Program::create(device, fake::request({"k"}, "// given back"));
  EXPECT_EQ(device.compiles, 2);
  Program::create(device, fake::request({"k"}, "// given back"));
  EXPECT_EQ(device.compiles, 2);
  clear_entries(cache(world), 0, 0);
  Program::create(device, fake::request({"k"}, "// given back"));
  EXPECT_EQ(device.compiles, 3);
  Program::create(device, fake::request({"k"}, "// held"));
  EXPECT_EQ(device.compiles, 3) << "somebody holds it";
  EXPECT_EQ(files(directory).size(), 1u);
}

TEST_F(CacheEntries, ABundleCarriesProgramsToAnotherCache) {
  fetch_afresh(directory, kThree);
  {
    fake::World world(directory);
    world.context->images().remembered("a question", [] { return std::string("an answer"); });
    put(directory + "/" + std::string(32, '0') + ".tenon", "damaged");
    put(bundle, "what was here before");
    const tenon_cache_tally tally = export_entries(cache(world), bundle);
    EXPECT_EQ(tally.entries, 3u);
    EXPECT_EQ(tally.damaged, 1u);
  }
  {
    fake::World there(other);
    EXPECT_EQ(fetch(there, {"// two"}), 1);
    tenon_cache_tally tally = import_entries(cache(there), bundle);
    EXPECT_EQ(tally.entries, 2u);
    EXPECT_EQ(tally.kept, 1u);
    EXPECT_EQ(files(other).size(), 3u);
    tally = import_entries(cache(there), bundle);
    EXPECT_EQ(tally.entries, 0u);
    EXPECT_EQ(tally.kept, 3u);
  }
  fake::World offline(other, TENON_CACHE_NO_COMPILE);
  EXPECT_EQ(fetch(offline, kThree), 0);
  struct stat info;
  for (const std::string& path : files(other)) {
    ASSERT_EQ(stat(path.c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0600u);
  }
}

TEST_F(CacheEntries, ImportReplacesADamagedEntry) {
  fetch_afresh(directory, kThree);
  fake::World world(directory);
  export_entries(cache(world), bundle);
  put(files(directory)[1], "damaged");
  const tenon_cache_tally tally = import_entries(cache(world), bundle);
  EXPECT_EQ(tally.entries, 1u);
  EXPECT_EQ(tally.kept, 2u);
  EXPECT_EQ(fetch_afresh(directory, kThree), 0);
}

TEST_F(CacheEntries, AnEmptyBundleIsOne) {
  fake::World world(directory), there(other);
  EXPECT_EQ(export_entries(cache(world), bundle).entries, 0u);
  EXPECT_EQ(import_entries(cache(there), bundle).entries, 0u);
}

TEST_F(CacheEntries, ADamagedBundleIsRefusedAndNothingImported) {
  fetch_afresh(directory, kThree);
  fake::World world(directory), there(other);
  export_entries(cache(world), bundle);
  const std::string whole = content(bundle);
  const std::string damaged = scratch.path() + "/damaged";
  int tried = 0;
  const auto refused = [&](const std::string& bytes, const std::string& how) {
    put(damaged, bytes);
    const fake::Thrown thrown = fake::thrown([&] { import_entries(cache(there), damaged); });
    ASSERT_TRUE(thrown.status == TENON_ERROR_INVALID_ARGUMENT || thrown.status == TENON_ERROR_VERSION)
        << how << ": " << thrown.status << thrown.text;
    ASSERT_NE(thrown.text.find(damaged), std::string::npos) << thrown.text;
    ASSERT_TRUE(files(other).empty()) << how;
    ++tried;
  };
  for (size_t i = 0; i < whole.size(); i += 1 + whole.size() / 400) {
    std::string flipped = whole;
    flipped[i] = char(flipped[i] ^ (1 << (i % 8)));
    refused(flipped, "byte " + std::to_string(i) + " flipped");
    refused(whole.substr(0, i), "cut to " + std::to_string(i));
  }
  for (size_t i = whole.size() - 60; i < whole.size(); ++i) refused(whole.substr(0, i), "cut to " + std::to_string(i));
  refused(whole + "x", "longer");
  refused(whole + whole, "twice");
  EXPECT_GT(tried, 400);
  EXPECT_EQ(import_entries(cache(there), bundle).entries, 3u);
}

TEST_F(CacheEntries, ABundleThatLeavesOutAnEntryIsDamaged) {
  fetch_afresh(directory, kThree);
  fake::World world(directory), there(other);
  export_entries(cache(world), bundle);
  std::string bytes = content(bundle);
  uint64_t size = 0;
  std::memcpy(&size, bytes.data() + 16 + 8 + 32, 8);
  bytes.erase(16, 8 + 32 + 8 + size);  // the first entry
  put(bundle, bytes);
  const fake::Thrown thrown = fake::thrown([&] { import_entries(cache(there), bundle); });
  EXPECT_EQ(thrown.status, TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_NE(thrown.text.find("number of entries is wrong"), std::string::npos) << thrown.text;
  EXPECT_TRUE(files(other).empty());
}

TEST_F(CacheEntries, WhatIsNoBundleIsNamed) {
  fetch_afresh(directory, kThree);
  fake::World world(directory), there(other);
  struct {
    std::string path;
    std::function<void()> make;
    int32_t status;
    const char* text;
  } rows[] = {
      {scratch.path() + "/nothing", [] {}, TENON_ERROR_NOT_FOUND, "cannot be opened"},
      {scratch.path() + "/empty", [&] { put(scratch.path() + "/empty", ""); }, TENON_ERROR_INVALID_ARGUMENT,
       "is not a bundle"},
      {scratch.path() + "/text", [&] { put(scratch.path() + "/text", "PK\3\4 and so on, longer than a header"); },
       TENON_ERROR_INVALID_ARGUMENT, "is not a bundle"},
      {files(directory)[0], [] {}, TENON_ERROR_INVALID_ARGUMENT, "is not a bundle"},
      {scratch.path(), [] {}, TENON_ERROR_INVALID_ARGUMENT, "is not a file"},
      {"", [] {}, TENON_ERROR_NOT_FOUND, "cannot be opened"},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.path);
    row.make();
    const fake::Thrown thrown = fake::thrown([&] { import_entries(cache(there), row.path); });
    EXPECT_EQ(thrown.status, row.status);
    EXPECT_NE(thrown.text.find(row.text), std::string::npos) << thrown.text;
    EXPECT_TRUE(files(other).empty());
  }
  export_entries(cache(world), bundle);
  std::string newer = content(bundle);
  newer[8] = char(newer[8] + 1);
  put(bundle, newer);
  const fake::Thrown thrown = fake::thrown([&] { import_entries(cache(there), bundle); });
  EXPECT_EQ(thrown.status, TENON_ERROR_VERSION);
  EXPECT_NE(thrown.text.find("another version of Tenon"), std::string::npos) << thrown.text;
}

TEST_F(CacheEntries, ABundleThatDoesNotFitIsRefusedWhole) {
  fetch_afresh(directory, kThree);
  fake::World world(directory);
  const uint64_t bytes = export_entries(cache(world), bundle).bytes;
  fake::World small(other, TENON_CACHE_DEFAULT, bytes);
  const fake::Thrown thrown = fake::thrown([&] { import_entries(cache(small), bundle); });
  EXPECT_EQ(thrown.status, TENON_ERROR_UNSUPPORTED);
  EXPECT_NE(thrown.text.find("raise cache_limit_bytes"), std::string::npos) << thrown.text;
  EXPECT_TRUE(files(other).empty());
  // If it only fits without the existing entries, these are evicted.
  fake::World enough(other, TENON_CACHE_DEFAULT, bytes + bytes / 5);
  fetch(enough, {"// older"});
  age(files(other)[0], 100);
  EXPECT_EQ(import_entries(cache(enough), bundle).entries, 3u);
  EXPECT_EQ(fetch_afresh(other, kThree), 0);
}

TEST_F(CacheEntries, AFailedWriteOfABundleLeavesTheOldFile) {
  fetch_afresh(directory, kThree);
  fake::World world(directory);
  put(bundle, "old");
  for (const std::string& path :
       {scratch.path() + "/nowhere/bundle", std::string("/proc/self/bundle"), std::string("")}) {
    const fake::Thrown thrown = fake::thrown([&] { export_entries(cache(world), path); });
    EXPECT_EQ(thrown.status, path.empty() ? TENON_ERROR_INVALID_ARGUMENT : TENON_ERROR_IO) << path;
  }
  const size_t before = files(scratch.path()).size();
  EXPECT_EQ(fake::thrown([&] { export_entries(cache(world), directory); }).status, TENON_ERROR_IO)
      << "a directory is there";
  EXPECT_EQ(files(scratch.path()).size(), before) << "a temporary file stays";
  EXPECT_EQ(content(bundle), "old");
}

TEST_F(CacheEntries, WhatMayNotBeWrittenIsNot) {
  fetch_afresh(directory, kThree);
  {
    fake::World world(directory);
    export_entries(cache(world), bundle);
  }
  struct {
    int32_t mode;
    std::string place;
    const char* text;
    bool reads;
  } rows[] = {
      {TENON_CACHE_READ_ONLY, directory, "is made read-only", true},
      {TENON_CACHE_NO_COMPILE, directory, "is made read-only", true},
      {TENON_CACHE_OFF, directory, "the cache is turned off", false},
      {TENON_CACHE_DEFAULT, "relative", "is not an absolute path", false},
      {TENON_CACHE_DEFAULT, "/dev/null/cache", "the cache cannot be used", false},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.text);
    fake::World world(row.place, row.mode);
    const std::function<void()> writes[] = {[&] { verify_entries(cache(world), true); },
                                            [&] { clear_entries(cache(world), 0, 0); },
                                            [&] { import_entries(cache(world), bundle); }};
    const std::function<void()> reads[] = {[&] { verify_entries(cache(world), false); },
                                           [&] { export_entries(cache(world), bundle + "2"); }};
    for (const auto& call : writes) {
      const fake::Thrown thrown = fake::thrown(call);
      EXPECT_EQ(thrown.status, TENON_ERROR_UNSUPPORTED);
      EXPECT_NE(thrown.text.find(row.text), std::string::npos) << thrown.text;
    }
    for (const auto& call : reads) EXPECT_EQ(fake::thrown(call).status, row.reads ? TENON_OK : TENON_ERROR_UNSUPPORTED);
    EXPECT_EQ(files(directory).size(), 3u);
  }
}

TEST_F(CacheEntries, OthersMayCompileMeanwhile) {
  std::atomic<bool> over{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; !over; ++i) fetch_afresh(directory, {"// " + std::to_string(t) + " " + std::to_string(i % 20)});
    });
  }
  fake::World world(directory);
  for (int round = 0; round < 60; ++round) {
    EXPECT_EQ(verify_entries(cache(world), true).damaged, 0u);
    export_entries(cache(world), bundle);
    EXPECT_EQ(fake::thrown([&] { import_entries(cache(world), bundle); }).status, TENON_OK);
    if (round % 7 == 0) clear_entries(cache(world), 0, round % 2 ? 20000 : 0);
  }
  over = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(verify_entries(cache(world), false).damaged, 0u);
}

}  // namespace
