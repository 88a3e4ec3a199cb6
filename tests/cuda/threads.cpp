// tests/cuda/threads.cpp: sixteen threads on one device; meant for ThreadSanitizer, and true without it.
#include <cstring>
#include <random>
#include <thread>
#include "cuda_support.hpp"

namespace fake {

class CudaThreads : public Cuda {};

TEST_F(CudaThreads, AllocateTransferWaitAndReleaseFromManyThreads) {
  {
    World w;
    std::vector<Ref<Stream>> shared;
    for (int i = 0; i < 4; ++i) shared.push_back(w.device.create_stream(0));
    std::atomic<int> wrong{0};
    auto work = [&](unsigned seed) {
      std::mt19937 random(seed);
      std::vector<int> host(1 << 15), back(1 << 15);
      for (int round = 0; round < 24; ++round) {
        Ref<Stream> own = random() % 4 ? Ref<Stream>() : w.device.create_stream(0);
        Stream& stream = own ? *own : *shared[random() % shared.size()];
        const uint64_t count = 1 + random() % host.size();
        for (uint64_t i = 0; i < count; ++i) host[i] = int(random());
        void* block = w.device.allocate(count * 4, TENON_MEMORY_DEVICE, stream);
        w.device.upload(block, host.data(), count * 4, false, stream);
        Stream& reader = *shared[random() % shared.size()];
        reader.wait_for(stream);
        w.device.download(back.data(), block, count * 4, false, reader);
        wrong += memcmp(host.data(), back.data(), count * 4) != 0;
        w.device.deallocate(block, count * 4, TENON_MEMORY_DEVICE, reader);
        if (round % 16 == 0) w.device.trim(0);
        tenon_memory_info info{};
        if (round % 7 == 0) w.device.memory_info(info);
        if (round % 11 == 0) {
          void* pinned = w.device.allocate(4096, TENON_MEMORY_PINNED, stream);
          w.device.deallocate(pinned, 4096, TENON_MEMORY_PINNED, stream);
        }
      }
    };
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < 16; ++i) threads.emplace_back(work, i);
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0);
    tenon_memory_info info{};
    w.device.memory_info(info);
    EXPECT_EQ(info.used, 0u);
  }
  EXPECT_EQ(alive(), kNothing);
}

TEST_F(CudaThreads, TheFirstUseMayComeFromManyThreadsAtOnce) {
  for (int round = 0; round < 20; ++round) {
    {
      World w;
      std::vector<std::thread> threads;
      std::vector<Stream*> seen(8);
      for (int i = 0; i < 8; ++i) threads.emplace_back([&, i] { seen[size_t(i)] = &w.device.default_stream(); });
      for (std::thread& thread : threads) thread.join();
      for (Stream* stream : seen) ASSERT_EQ(stream, seen[0]);
    }
    ASSERT_EQ(alive(), kNothing);
  }
}

// One thread empties bins while others allocate from them.
TEST_F(CudaThreads, RunningOutWhileOthersAllocate) {
  driver().memory_limit = 96 << 20;
  {
    World w;
    std::vector<std::thread> threads;
    std::atomic<int> refused{0}, given{0};
    for (unsigned i = 0; i < 8; ++i)
      threads.emplace_back([&, i] {
        Ref<Stream> stream = w.device.create_stream(0);
        std::mt19937 random(i);
        for (int round = 0; round < 40; ++round) {
          const uint64_t bytes = uint64_t(1 + random() % 24) << 20;
          try {
            void* block = w.device.allocate(bytes, TENON_MEMORY_DEVICE, *stream);
            ++given;
            std::this_thread::yield();
            w.device.deallocate(block, bytes, TENON_MEMORY_DEVICE, *stream);
          } catch (const Error& error) {
            ASSERT_EQ(error.status, TENON_ERROR_OUT_OF_MEMORY) << error.message;
            ++refused;
          }
        }
      });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(refused + given, 320);
    EXPECT_GT(given, 0);
    tenon_memory_info info{};
    w.device.memory_info(info);
    EXPECT_EQ(info.used, 0u);
  }
  EXPECT_EQ(alive(), kNothing);
}

}  // namespace fake
