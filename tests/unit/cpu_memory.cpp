// tests/unit/cpu_memory.cpp: the CPU device's memory: alignment, reuse, statistics, the limit.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <random>
#include <thread>
#include <vector>
#include "backend/cpu/memory.hpp"
#include "core/error.hpp"

namespace tenon::cpu {
namespace {

TEST(CpuMemory, SizeClassesAreOrderedDistinctAndLoseAtMostAnEighth) {
  int last = -1;
  uint64_t last_block = 0;
  for (uint64_t bytes = 1; bytes < uint64_t(1) << 46; bytes += 1 + bytes / 37) {
    int step;
    const uint64_t block = size_class(bytes, &step);
    ASSERT_GE(block, bytes);
    ASSERT_EQ(0u, block % kAlignment) << bytes;
    ASSERT_GE(step, last) << bytes;
    ASSERT_LT(step, 320) << bytes;
    ASSERT_EQ(step == last, block == last_block) << bytes;
    ASSERT_GE(block, last_block) << bytes;
    ASSERT_LE(block - bytes, std::max<uint64_t>(bytes / 8, 63)) << bytes;
    int same;
    ASSERT_EQ(block, size_class(block, &same));
    ASSERT_EQ(step, same) << bytes;
    last = step, last_block = block;
  }
}

TEST(CpuMemory, BlocksAreAlignedWritableAndDoNotOverlap) {
  for (bool pool : {true, false}) {
    Memory memory(pool, 0);
    std::mt19937_64 random(1);
    struct Block {
      unsigned char* data;
      uint64_t bytes;
      unsigned char mark;
    };
    std::vector<Block> live;
    for (int i = 0; i < 3000; ++i) {
      if (live.size() > 60 || (!live.empty() && random() % 2)) {
        const size_t at = random() % live.size();
        const Block block = live[at];
        for (uint64_t j : {uint64_t(0), block.bytes / 2, block.bytes - 1}) ASSERT_EQ(block.mark, block.data[j]);
        memory.deallocate(block.data, block.bytes);
        live.erase(live.begin() + std::ptrdiff_t(at));
      } else {
        const uint64_t bytes = 1 + (random() % (uint64_t(1) << (4 + random() % 19)));
        auto* data = static_cast<unsigned char*>(memory.allocate(bytes));
        ASSERT_EQ(0u, reinterpret_cast<uintptr_t>(data) % kAlignment);
        std::memset(data, i, bytes);
        live.push_back({data, bytes, static_cast<unsigned char>(i)});
      }
    }
    uint64_t used = 0;
    for (const Block& block : live) used += block.bytes;
    EXPECT_EQ(used, memory.used());
    EXPECT_GE(memory.peak(), used);
    for (const Block& block : live) memory.deallocate(block.data, block.bytes);
    EXPECT_EQ(0u, memory.used());
  }
}

TEST(CpuMemory, AFreedBlockIsReusedAndTrimmingGivesItBack) {
  Memory memory(true, 0);
  for (uint64_t bytes : {uint64_t(1000), uint64_t(1) << 20, uint64_t(40) << 20}) {
    void* first = memory.allocate(bytes);
    memory.deallocate(first, bytes);
    EXPECT_GE(Memory::cached(), bytes);
    void* second = memory.allocate(bytes);
    EXPECT_EQ(first, second) << bytes;
    memory.deallocate(second, bytes);
  }
  Memory::trim(0);
  EXPECT_EQ(0u, Memory::cached());
}

TEST(CpuMemory, PoisonMarksFreshAndFreedBlocks) {
  setenv("TENON_POISON", "1", 1);
  Memory memory(true, 0);
  unsetenv("TENON_POISON");
  auto* data = static_cast<unsigned char*>(memory.allocate(5000));
  EXPECT_EQ(0xcd, data[0]);
  EXPECT_EQ(0xcd, data[4999]);
  std::memset(data, 1, 5000);
  memory.deallocate(data, 5000);
  Memory plain(true, 0);  // gets the block as it was left
  auto* again = static_cast<unsigned char*>(plain.allocate(5000));
  ASSERT_EQ(data, again);
  EXPECT_EQ(0xdb, again[0]);
  EXPECT_EQ(0xdb, again[4999]);
  plain.deallocate(again, 5000);
}

TEST(CpuMemory, AForkedChildAllocatesAndFreesWhileOthersDid) {
  Memory memory(true, 0);
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t)
    threads.emplace_back([&] {
      while (!stop)
        memory.deallocate(memory.allocate(uint64_t(8) << 20), uint64_t(8) << 20);  // through the shared store
    });
  for (int i = 0; i < 20; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(300);
      void* data = memory.allocate(uint64_t(8) << 20);
      std::memset(data, 1, 4096);
      memory.deallocate(data, uint64_t(8) << 20);
      _exit(0);
    }
    int status = -1;
    ASSERT_EQ(child, waitpid(child, &status, 0));
    ASSERT_EQ(0, status) << "child " << i;
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
}

TEST(CpuMemory, TheLimitIsKeptAndTheTextSaysAskedUsedAndLimit) {
  Memory memory(true, 1000000);
  void* data = memory.allocate(600000);
  try {
    memory.allocate(500000);
    FAIL() << "500000 bytes were given beyond a limit of 1000000 with 600000 in use";
  } catch (const Error& error) {
    EXPECT_EQ(TENON_ERROR_OUT_OF_MEMORY, error.status);
    for (const char* word : {"500000", "600000", "1000000", "400000"})
      EXPECT_NE(std::string::npos, error.message.find(word)) << error.message;
  }
  EXPECT_EQ(600000u, memory.used());
  memory.deallocate(data, 600000);
  memory.deallocate(memory.allocate(1000000), 1000000);
}

TEST(CpuMemory, MoreThanTheMachineHasIsRefusedWithAText) {
  Memory memory(true, 0);
  for (uint64_t bytes : {uint64_t(1) << 45, uint64_t(1) << 60, ~uint64_t(0)}) {
    try {
      memory.allocate(bytes);
      FAIL() << bytes << " bytes were given";
    } catch (const Error& error) {
      EXPECT_EQ(TENON_ERROR_OUT_OF_MEMORY, error.status);
      EXPECT_NE(std::string::npos, error.message.find(std::to_string(bytes))) << error.message;
    }
  }
  EXPECT_EQ(0u, memory.used());
}

TEST(CpuMemory, BlocksMayBeFreedByAnotherThread) {
  Memory memory(true, 0);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      std::mt19937_64 random{uint64_t(t)};
      for (int i = 0; i < 300; ++i) {
        const uint64_t bytes = 1 + random() % 100000;
        void* data = memory.allocate(bytes);
        std::memset(data, t, bytes);
        std::thread([&] { memory.deallocate(data, bytes); }).join();
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(0u, memory.used());
  EXPECT_EQ(1200u, memory.allocations());
}

}  // namespace
}  // namespace tenon::cpu
