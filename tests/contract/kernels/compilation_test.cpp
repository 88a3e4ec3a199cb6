// tests/contract/kernels/compilation_test.cpp: compiling in the background, hostile sources, cancelling, time limits,
// with the compilers there are.
#include <dirent.h>
#include <sys/wait.h>
#include <unistd.h>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>
#include <thread>
#include "support.hpp"

namespace {

using namespace test;

using CompilationPtr = std::unique_ptr<tenon_compilation, Releaser<tenon_compilation, tenon_compilation_release>>;

// 2^60 instances: no compiler finishes this.
const std::string kEndless =
    "template <int D, unsigned long long P> struct Tree { static constexpr unsigned long long value = Tree<D - 1, 2 * P>::value ^ "
    "Tree<D - 1, 2 * P + 1>::value; };\n"
    "template <unsigned long long P> struct Tree<0, P> { static constexpr unsigned long long value = P; };\n"
    "extern \"C\" __global__ void k(unsigned long long* y) { *y = Tree<60, 1>::value; }\n";

std::string twice(int number) {
  return "extern \"C\" __global__ void k(int* y) { y[threadIdx.x] *= 2; }  // " + std::to_string(number) + " " +
         std::to_string(getpid());
}

tenon_program_options options_for(double limit = 0) {
  static const char* const names[] = {"k"};
  tenon_program_options options{};
  options.struct_size = sizeof options;
  options.kernels = names;
  options.kernel_count = 1;
  options.time_limit = limit;
  options.flags = TENON_PROGRAM_FLAG_NO_CACHE;
  return options;
}

std::string last_log() {
  tenon_error* error = nullptr;
  EXPECT_OK(tenon_error_last(&error));
  const ErrorPtr owned(error);
  const char* text = "";
  EXPECT_OK(tenon_error_log(error, &text));
  return text;
}

// The number of existing child processes.
int children() {
  int count = 0;
  DIR* tasks = opendir("/proc/self/task");
  while (const dirent* entry = tasks ? readdir(tasks) : nullptr) {
    std::ifstream list(std::string("/proc/self/task/") + entry->d_name + "/children");
    for (int pid; list >> pid;) ++count;
  }
  if (tasks) closedir(tasks);
  return count;
}

class Compilations : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    device_ = device(GetParam());
    if (!device_) GTEST_SKIP() << tenon_error_last_message();
    tenon_program* program = nullptr;
    if (create(twice(0), &program) == TENON_ERROR_MISSING_LIBRARY) GTEST_SKIP() << tenon_error_last_message();
    tenon_program_release(program);
  }
  int32_t create(const std::string& source, tenon_program** out, double limit = 0) {
    const tenon_program_options options = options_for(limit);
    return tenon_program_create(device_.get(), source.data(), source.size(), &options, out);
  }
  CompilationPtr start(const std::string& source, double limit = 0) {
    const tenon_program_options options = options_for(limit);
    tenon_compilation* out = nullptr;
    EXPECT_OK(tenon_compilation_start(device_.get(), source.data(), source.size(), &options, &out));
    return CompilationPtr(out);
  }
  ProgramPtr wait(const CompilationPtr& compilation) {
    tenon_program* program = nullptr;
    EXPECT_OK(tenon_compilation_wait(compilation.get(), -1, &program));
    return ProgramPtr(program);
  }
  // Waits until its compiler runs.
  void let_it_run(const CompilationPtr& compilation) {
    for (int i = 0; i < 100 && (i < 10 || children() == 0); ++i) {
      ASSERT_EQ(tenon_compilation_query(compilation.get()), TENON_ERROR_NOT_READY);
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
  bool on_cpu() const { return std::string(GetParam()) == "cpu:0"; }
  void runs(tenon_program* program) {
    tenon_kernel* kernel = nullptr;
    OK(tenon_program_kernel(program, "k", &kernel));
    const KernelPtr owned(kernel);
    const ArrayPtr y = counting(device_.get(), {5});
    tenon_launch launch{};
    launch.struct_size = sizeof launch;
    launch.grid[0] = 1, launch.block[0] = 5;
    const tenon_arg args[] = {TENON_ARRAY_ARG(y.get())};
    OK(tenon_kernel_launch(kernel, &launch, args, 1, nullptr));
    EXPECT_EQ(values<int32_t>(y.get()), (std::vector<int32_t>{0, 2, 4, 6, 8}));
  }
  DevicePtr device_;
};

TEST_P(Compilations, GiveAProgramThatRuns) {
  CompilationPtr compilation = start(twice(1));
  const ProgramPtr program = wait(compilation);
  EXPECT_OK(tenon_compilation_query(compilation.get()));
  const ProgramPtr again = wait(compilation);
  compilation.reset();
  runs(program.get());
  runs(again.get());
}

TEST_P(Compilations, SeveralGoOnAtOnce) {
  std::vector<CompilationPtr> all;
  for (int i = 0; i < 8; ++i) all.push_back(start(twice(10 + i)));
  all.push_back(start("extern \"C\" __global__ void k(int* y) { *y = nonsense; }"));
  for (int i = 0; i < 8; ++i) runs(wait(all[size_t(i)]).get());
  tenon_program* program = nullptr;
  FAILS(TENON_ERROR_COMPILE, "nonsense", (tenon_error_clear(), tenon_compilation_wait(all[8].get(), -1, &program)));
  EXPECT_NE(last_log().find("kernel.cu"), std::string::npos) << last_log();
}

TEST_P(Compilations, AnEndlessOneCanBeCancelledAndLeavesNoCompiler) {
  const CompilationPtr compilation = start(kEndless);
  let_it_run(compilation);
  tenon_program* program = nullptr;
  EXPECT_EQ(TENON_ERROR_NOT_READY, tenon_compilation_wait(compilation.get(), 0.05, &program));  // returns no text
  OK(tenon_compilation_cancel(compilation.get()));
  FAILS(TENON_ERROR_CANCELLED, "was cancelled", tenon_compilation_wait(compilation.get(), -1, &program));
  EXPECT_EQ(program, nullptr);
  EXPECT_EQ(children(), 0);
}

TEST_P(Compilations, AReleasedOneIsCancelled) {
  CompilationPtr compilation = start(kEndless);
  let_it_run(compilation);
  compilation.reset();
  EXPECT_EQ(children(), 0);
}

TEST_P(Compilations, AnEndlessOneEndsAtTheTimeLimit) {
  tenon_program* program = nullptr;
  FAILS(TENON_ERROR_COMPILE, "time limit of 0.5 seconds", create(kEndless, &program, 0.5));
  const CompilationPtr compilation = start(kEndless, 0.5);
  FAILS(TENON_ERROR_COMPILE, "time limit of 0.5 seconds", tenon_compilation_wait(compilation.get(), -1, &program));
  EXPECT_EQ(children(), 0);
}

TEST_P(Compilations, GarbageIsAnErrorWithALog) {
  std::mt19937 random(20260101);
  for (int round = 0; round < 4; ++round) {
    std::string source(2000, '\0');
    for (char& c : source) c = char(round < 2 ? 1 + random() % 255 : ' ' + random() % 95);
    tenon_program* program = nullptr;
    EXPECT_EQ(create(source, &program), TENON_ERROR_COMPILE) << round;
    EXPECT_FALSE(last_log().empty()) << round;
  }
}

TEST_P(Compilations, ATemplateBombIsAnErrorWithALog) {
  tenon_program* program = nullptr;
  FAILS(TENON_ERROR_COMPILE, "",
        create("template <int N> struct Deep { static constexpr int value = Deep<N + 1>::value; };\n"
               "extern \"C\" __global__ void k(int* y) { *y = Deep<0>::value; }\n",
               &program));
  EXPECT_FALSE(last_log().empty());
}

TEST_P(Compilations, WhatTheCompilerSaysIsKeptUpToALimit) {
  std::string source = twice(2) + "\n";
  const std::string line = "#warning " + std::string(1500, 'w') + "\n";
  for (int i = 0; i < 2500; ++i) source += line;
  tenon_program* program = nullptr;
  OK(create(source, &program));
  const ProgramPtr owned(program);
  const char* log = nullptr;
  OK(tenon_program_log(program, &log));
  const size_t length = std::strlen(log);
  EXPECT_GT(length, 1000u);
  EXPECT_LE(length, (4u << 20) + 100);
  if (length > (4u << 20)) {
    EXPECT_NE(std::string(log + length - 60).find("more bytes of compiler output]"), std::string::npos)
        << log + length - 60;
  }
}

TEST_P(Compilations, ASourceOfAHundredMegabytesIsCompiledOrRefused) {
  std::string source = twice(3) + "\n";
  source.reserve((100u << 20) + 1000);
  const std::string line = "// " + std::string(1020, 'x') + "\n";
  while (source.size() < (100u << 20)) source += line;
  tenon_program* program = nullptr;
  const int32_t status = create(source, &program, 60);
  const ProgramPtr owned(program);
  EXPECT_TRUE(status == TENON_OK || status == TENON_ERROR_COMPILE || status == TENON_ERROR_OUT_OF_MEMORY)
      << tenon_error_last_message();
  if (status == TENON_OK) runs(program);
  if (on_cpu()) {
    EXPECT_EQ(status, TENON_OK) << tenon_error_last_message();
  }
}

TEST_P(Compilations, WrongArgumentsAreToldAtOnce) {
  tenon_compilation* out = nullptr;
  tenon_program_options options = options_for(-1);
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "time limit", tenon_compilation_start(device_.get(), "", 0, &options, &out));
  options = options_for();
  options.mode = 17;
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "mode 17", tenon_compilation_start(device_.get(), "", 0, &options, &out));
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "NUL", tenon_compilation_start(device_.get(), "\0", 1, nullptr, &out));
  const CompilationPtr good = start(twice(4));
  tenon_program* program = nullptr;
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "not a number",
        tenon_compilation_wait(good.get(), std::strtod("nan", nullptr), &program));
  wait(good);
}

// Runs `body` in a child process; it returns the exit code, or exits itself.
template <class F> int in_child(F body) {
  const pid_t pid = fork();
  if (pid == 0) {
    alarm(300);  // a hang is a failure
    _exit(body());
  }
  int status = 0;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST_P(Compilations, ExitEndsWhatIsRunning) {
  if (!on_cpu()) GTEST_SKIP() << "a forked child uses the CPU only";
  EXPECT_EQ(in_child([] {
              const DevicePtr own = device("cpu:0");
              const tenon_program_options options = options_for();
              for (int i = 0; i < 6; ++i) {  // some wait for their turn
                tenon_compilation* out = nullptr;
                if (tenon_compilation_start(own.get(), kEndless.data(), kEndless.size() - size_t(i), &options, &out))
                  return 1;
              }
              while (children() == 0) usleep(1000);
              std::exit(7);
              return 0;
            }),
            7);
}

TEST_P(Compilations, AChildOfForkCompilesWhileTheParentDoes) {
  if (!on_cpu()) GTEST_SKIP() << "a forked child uses the CPU only";
  std::vector<CompilationPtr> all;
  for (int i = 0; i < 4; ++i) all.push_back(start(twice(20 + i)));
  all.push_back(start(kEndless));
  for (int round = 0; round < 5; ++round) {
    EXPECT_EQ(in_child([&] {
                tenon_program* program = nullptr;
                if (tenon_compilation_wait(all[4].get(), 0, &program) != TENON_ERROR_FORKED) return 1;
                all.clear();  // releasing the parent's objects has no effect
                const DevicePtr own = device("cpu:0");
                const tenon_program_options options = options_for();
                const std::string source = twice(30 + round);
                tenon_compilation* out = nullptr;
                if (!own || tenon_compilation_start(own.get(), source.data(), source.size(), &options, &out)) return 2;
                return tenon_compilation_wait(out, -1, &program) ? 3 : 0;
              }),
              0);
  }
  for (int i = 0; i < 4; ++i) runs(wait(all[size_t(i)]).get());
  EXPECT_EQ(tenon_compilation_query(all[4].get()), TENON_ERROR_NOT_READY) << "the children did not end it";
}

INSTANTIATE_TEST_SUITE_P(Devices, Compilations, ::testing::Values("cpu:0", "cuda:0"), [](const auto& info) {
  return std::string(info.param).substr(0, std::string(info.param).find(':'));
});

}  // namespace
