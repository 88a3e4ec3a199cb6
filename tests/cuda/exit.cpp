// tests/cuda/exit.cpp: what is left alive when main returns makes no driver call afterwards.
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <thread>
#include "cuda_support.hpp"

namespace fake {

// Runs in a child: `body` returns, the process ends, and the last of its static objects checks the number of calls.
int exit_code_of(const std::function<void()>& body) {
  EXPECT_EQ(fake_cuda()->calls, 0) << "CUDA was used before: the child could not";
  const pid_t child = fork();
  if (child == 0) {
    static long calls_in_main = 0;
    // Registered before CUDA is opened, so it runs after the handlers that CUDA's opening registers.
    atexit([] { _exit(fake_cuda()->calls == calls_in_main ? 0 : 1); });
    body();
    calls_in_main = fake_cuda()->calls;
    exit(2);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

struct Leftovers {
  World world;
  Ref<Stream> own = world.device.create_stream(0);
  Ref<Stream> foreign = world.device.wrap_stream(own->native());
  Ref<Event> event = world.device.create_event(true);
  void* block = world.device.allocate(1 << 20, TENON_MEMORY_DEVICE, *own);
  ~Leftovers() { world.device.deallocate(block, 1 << 20, TENON_MEMORY_DEVICE, *own); }
};

TEST(CudaExit, ObjectsInStaticMemoryGoWithoutADriverCall) {
  EXPECT_EQ(exit_code_of([] { static Leftovers one; }), 1)
      << "a static made after CUDA was opened goes while the driver is still up, and may call it";
  EXPECT_EQ(exit_code_of([] {
              static std::unique_ptr<Leftovers> one;  // made first, so destroyed last
              struct Hold {
                ~Hold() { one.reset(); }
              };
              static Hold hold;
              one = std::make_unique<Leftovers>();
            }),
            0);
}

TEST(CudaExit, ObjectsOfAThreadThatStillRunsAreLeftAlone) {
  EXPECT_EQ(exit_code_of([] {
              static std::atomic<bool> ready{false};
              std::thread([] {
                Leftovers mine;
                ready = true;
                for (;;) pause();
              }).detach();
              while (!ready) std::this_thread::yield();
            }),
            0);
}

}  // namespace fake
