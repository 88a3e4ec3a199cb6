// tests/unit/base_parallel_test.cpp: the thread pool.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <atomic>
#include <chrono>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>
#include "base/parallel.hpp"

namespace {

using namespace tenon::base;

class Parallel : public testing::Test {
 protected:
  void SetUp() override { set_thread_count(4); }
  void TearDown() override { set_thread_count(0); }
};

TEST_F(Parallel, EveryIndexIsVisitedOnceInPiecesOfTheGrain) {
  for (int64_t count : {1, 2, 7, 100, 12345})
    for (int64_t grain : {1, 3, 64, 100000}) {
      std::vector<std::atomic<int>> visits(static_cast<size_t>(count));
      std::atomic<int> small{0};
      parallel_for(count, grain, [&](int64_t begin, int64_t end) {
        if (end - begin < grain && end != count) ++small;
        for (int64_t i = begin; i < end; ++i) ++visits[size_t(i)];
      });
      for (int64_t i = 0; i < count; ++i) ASSERT_EQ(1, visits[size_t(i)]) << i << " of " << count << " grain " << grain;
      EXPECT_EQ(0, small) << count << " grain " << grain;
    }
  parallel_for(0, 1, [](int64_t, int64_t) { FAIL(); });
}

TEST_F(Parallel, ThreadsWorkAtTheSameTimeUnderTheirNumbers) {
  std::mutex mutex;
  std::set<int> numbers;
  std::atomic<int> here{0};
  parallel_for(4, 1, [&](int64_t, int64_t) {
    ++here;
    while (here < 4) usleep(100);  // no piece ends before all four have started; with fewer threads none ever does
    std::lock_guard lock(mutex);
    numbers.insert(thread_index());
  });
  EXPECT_EQ(4, here);
  EXPECT_EQ((std::set<int>{0, 1, 2, 3}), numbers);
}

TEST_F(Parallel, TheFirstExceptionReachesTheCallerAndTheRestIsSkipped) {
  std::atomic<int64_t> done{0};
  try {
    parallel_for(1000000, 1, [&](int64_t begin, int64_t end) {
      if (begin == 0) throw std::runtime_error("at the start");
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      done += end - begin;
    });
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ("at the start", error.what());
  }
  EXPECT_LT(done, 1000000);
  std::atomic<int> after{0};
  parallel_for(100, 1, [&](int64_t begin, int64_t end) { after += int(end - begin); });
  EXPECT_EQ(100, after);
}

TEST_F(Parallel, NestedLoopsRunOnTheThreadThatCallsThem) {
  std::atomic<int> wrong{0}, visits{0};
  parallel_for(16, 1, [&](int64_t begin, int64_t end) {
    const auto outer = std::this_thread::get_id();
    for (int64_t i = begin; i < end; ++i)
      parallel_for(10, 1, [&](int64_t a, int64_t b) {
        wrong += std::this_thread::get_id() != outer;
        visits += int(b - a);
      });
  });
  EXPECT_EQ(0, wrong);
  EXPECT_EQ(160, visits);
}

TEST_F(Parallel, SeveralCallersShareThePool) {
  std::vector<std::thread> callers;
  std::atomic<int64_t> sum{0};
  for (int c = 0; c < 6; ++c)
    callers.emplace_back([&] {
      for (int round = 0; round < 50; ++round)
        parallel_for(1000, 10, [&](int64_t begin, int64_t end) { sum += end - begin; });
    });
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(6 * 50 * 1000, sum);
}

TEST_F(Parallel, AForkedChildHasAPoolOfItsOwn) {
  std::atomic<int> before{0};
  parallel_for(100, 1, [&](int64_t begin, int64_t end) { before += int(end - begin); });
  ASSERT_EQ(100, before);
  pid_t child = fork();
  if (child == 0) {
    alarm(300);  // instead of hanging
    std::atomic<int> here{0}, sum{0};
    parallel_for(4, 1, [&](int64_t, int64_t) {
      ++here;
      while (here < 4) usleep(100);
      ++sum;
    });
    _exit(here == 4 && sum == 4 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(child, waitpid(child, &status, 0));
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

TEST(ThreadCount, FollowsTheEnvironmentTheSettingAndTheAffinity) {
  set_thread_count(3);
  EXPECT_EQ(3, thread_count());
  setenv("TENON_CPU_THREADS", "5", 1);
  set_thread_count(0);
  EXPECT_EQ(5, thread_count());
  unsetenv("TENON_CPU_THREADS");
  cpu_set_t all, one;
  ASSERT_EQ(0, sched_getaffinity(0, sizeof all, &all));
  CPU_ZERO(&one);
  for (int i = 0; i < CPU_SETSIZE; ++i)
    if (CPU_ISSET(i, &all)) {
      CPU_SET(i, &one);
      break;
    }
  ASSERT_EQ(0, sched_setaffinity(0, sizeof one, &one));
  set_thread_count(0);
  EXPECT_EQ(1, thread_count());
  ASSERT_EQ(0, sched_setaffinity(0, sizeof all, &all));
  set_thread_count(0);
  EXPECT_LE(thread_count(), CPU_COUNT(&all));
  EXPECT_GE(thread_count(), 1);
}

}  // namespace
