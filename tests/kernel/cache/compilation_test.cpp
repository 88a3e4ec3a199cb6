// tests/kernel/cache/compilation_test.cpp: background compiles share work, end when they are told to, and hold nobody
// else up.
#include "kernel/compilation.hpp"
#include <limits>
#include "base/parallel.hpp"
#include "../fake_device.hpp"

using namespace tenon;

namespace {

class Compilations : public testing::Test {
 protected:
  fake::World world;
  fake::FakeDevice& device = world.device();
  std::atomic<int> running{0}, most{0};
  std::atomic<bool> go{false};

  void SetUp() override {
    device.signatures = {{"k", {}}};
    device.on_compile = [this](const CompileRequest& request) { compile(request); };
  }
  // Lasts until `go`, or until it is cancelled.
  void compile(const CompileRequest& request) {
    const int now = ++running;
    for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
    }
    while (!go && !request.control->stopped()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    --running;
    if (!go) request.control->fail_stopped(request.name);
  }
  Ref<Compilation> start(const std::string& source, double limit = 0) {
    CompileRequest request = fake::request({"k"}, source);
    request.time_limit = limit;
    return Compilation::start(device, request);
  }
  void until_running(int count) {
    while (running < count) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
};

TEST_F(Compilations, GiveTheirProgramToEveryWaiter) {
  Ref<Compilation> one = start("// 1");
  EXPECT_FALSE(one->over());
  EXPECT_EQ(fake::thrown([&] { one->wait(0.01); }).status, TENON_ERROR_NOT_READY);
  go = true;
  const Ref<Program> program = one->wait(-1);
  EXPECT_EQ(program->image().log, "compiled // 1");
  EXPECT_TRUE(one->over());
  EXPECT_EQ(one->wait(0).get(), program.get());
  one->cancel();
  EXPECT_EQ(one->wait(0).get(), program.get()) << "too late to cancel";
  EXPECT_EQ(program->request().control, nullptr) << "nothing of the compile stays";
}

TEST_F(Compilations, RunBesideEachOtherAndNoMoreThanTheThreadsThereAre) {
  std::vector<Ref<Compilation>> all;
  for (int i = 0; i < 40; ++i) all.push_back(start("// " + std::to_string(i)));
  until_running(2);
  go = true;
  for (int i = 0; i < 40; ++i) EXPECT_EQ(all[size_t(i)]->wait(-1)->image().log, "compiled // " + std::to_string(i));
  EXPECT_GE(most, 2);
  EXPECT_LE(most, std::max(2, base::thread_count()));
  EXPECT_EQ(device.compiles, 40);
}

TEST_F(Compilations, ACancelledOneEndsAndSaysSo) {
  Ref<Compilation> one = start("// 1");
  until_running(1);
  one->cancel();
  const fake::Thrown thrown = fake::thrown([&] { one->wait(-1); });
  EXPECT_EQ(thrown.status, TENON_ERROR_CANCELLED);
  EXPECT_EQ(thrown.text, "compiling kernel.cu was cancelled");
  go = true;
  EXPECT_EQ(start("// 1")->wait(-1)->image().log, "compiled // 1") << "the failure is not kept";
}

TEST_F(Compilations, OneThatHasNotBegunNeverDoes) {
  std::vector<Ref<Compilation>> all;
  for (int i = 0; i < 40; ++i) all.push_back(start("// " + std::to_string(i)));
  until_running(2);
  all.back()->cancel();
  EXPECT_EQ(fake::thrown([&] { all.back()->wait(-1); }).status, TENON_ERROR_CANCELLED);
  all.resize(20);  // the others are released: those that wait are removed from the queue, too
  go = true;
  for (auto& one : all) EXPECT_NO_THROW(one->wait(-1));
  EXPECT_EQ(device.compiles, 20);
}

TEST_F(Compilations, WhoeverWaitsForACancelledOneCompilesItHimself) {
  Ref<Compilation> first = start("// same");
  until_running(1);
  Ref<Compilation> second = start("// same");
  std::atomic<bool> waits{false};
  std::thread third([&] {
    waits = true;
    EXPECT_EQ(Program::create(device, fake::request({"k"}, "// same"))->image().log, "compiled // same");
  });
  while (!waits) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  EXPECT_EQ(device.compiles, 1) << "they wait for the first";
  first->cancel();
  EXPECT_EQ(fake::thrown([&] { first->wait(-1); }).status, TENON_ERROR_CANCELLED);
  go = true;
  EXPECT_EQ(second->wait(-1)->image().log, "compiled // same");
  third.join();
  EXPECT_EQ(device.compiles, 2);
}

TEST_F(Compilations, AWaiterIsCancelledByItself) {
  Ref<Compilation> first = start("// same");
  until_running(1);
  Ref<Compilation> second = start("// same", 0.05), third = start("// same");
  third->cancel();
  EXPECT_EQ(fake::thrown([&] { third->wait(-1); }).status, TENON_ERROR_CANCELLED);
  const fake::Thrown over = fake::thrown([&] { second->wait(-1); });
  EXPECT_EQ(over.status, TENON_ERROR_COMPILE);
  EXPECT_EQ(over.text, "compiling kernel.cu took longer than the time limit of 0.05 seconds");
  go = true;
  EXPECT_NO_THROW(first->wait(-1));
}

TEST_F(Compilations, TheTimeLimitHoldsForPlainProgramsToo) {
  CompileRequest request = fake::request({"k"});
  request.time_limit = 0.05;
  EXPECT_EQ(fake::thrown([&] { Program::create(device, request); }).status, TENON_ERROR_COMPILE);
  for (const double bad : {-1.0, 1e10, std::numeric_limits<double>::quiet_NaN()}) {
    request.time_limit = bad;
    EXPECT_EQ(fake::thrown([&] { Program::create(device, request); }).status, TENON_ERROR_INVALID_ARGUMENT) << bad;
    EXPECT_EQ(fake::thrown([&] { Compilation::start(device, request); }).status, TENON_ERROR_INVALID_ARGUMENT) << bad;
  }
  EXPECT_LE(device.compiles, 1) << "none where the time was over before it began";
}

TEST_F(Compilations, TheReleaseOfTheLastReferenceEndsItAndTheContextMayGo) {
  for (int i = 0; i < 20; ++i) {
    Ref<Compilation> one = start("// " + std::to_string(i));
    if (i % 2) until_running(1);
  }
  EXPECT_EQ(running, 0);
}

TEST_F(Compilations, AFailureReachesEveryWaiterWithItsLog) {
  go = true;
  CompileRequest request = fake::request({"missing"});
  Ref<Compilation> one = Compilation::start(device, request);
  for (int i = 0; i < 2; ++i) {
    const fake::Thrown thrown = fake::thrown([&] { one->wait(-1); });
    EXPECT_EQ(thrown.status, TENON_ERROR_COMPILE);
    EXPECT_EQ(thrown.log, "the whole log");
  }
  EXPECT_EQ(fake::thrown([&] { Compilation::start(device, fake::request({"bad;name"})); }).status,
            TENON_ERROR_INVALID_ARGUMENT)
      << "what can be said at once is";
}

}  // namespace
