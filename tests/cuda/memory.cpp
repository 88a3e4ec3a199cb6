// tests/cuda/memory.cpp: device memory from bins and pool, host memory, transfers.
#include <algorithm>
#include <cstring>
#include "cuda_support.hpp"

namespace fake {

class CudaMemory : public Cuda {};

TEST_F(CudaMemory, SizeClassesHoldTheirSizesAndWasteAtMostAQuarter) {
  EXPECT_EQ(cuda::size_class(1), 0);
  EXPECT_EQ(cuda::size_class(512), 0);
  EXPECT_EQ(cuda::size_of_class(cuda::size_class(cuda::kLargestBlock)), cuda::kLargestBlock);
  EXPECT_EQ(cuda::size_class(cuda::kLargestBlock), cuda::kSizeClasses - 1);
  for (uint64_t bytes = 513; bytes <= cuda::kLargestBlock; bytes += 1 + bytes / 97) {
    const int c = cuda::size_class(bytes);
    ASSERT_LT(c, cuda::kSizeClasses) << bytes;
    ASSERT_GE(cuda::size_of_class(c), bytes);
    ASSERT_LT(cuda::size_of_class(c - 1), bytes) << "a smaller class would do";
    ASSERT_LE(cuda::size_of_class(c), bytes + bytes / 4 + 1) << bytes;
    ASSERT_EQ(cuda::size_class(cuda::size_of_class(c)), c);
  }
}

TEST_F(CudaMemory, AFreedBlockIsReusedOnItsStreamWithoutADriverCall) {
  World w;
  void* first = w.device.allocate(1000, TENON_MEMORY_DEVICE, w.stream());
  w.device.deallocate(first, 1000, TENON_MEMORY_DEVICE, w.stream());
  const long before = driver().calls;
  void* second = w.device.allocate(900, TENON_MEMORY_DEVICE, w.stream());
  w.device.deallocate(second, 900, TENON_MEMORY_DEVICE, w.stream());
  EXPECT_EQ(driver().calls, before);
  EXPECT_EQ(first, second);
}

TEST_F(CudaMemory, ABlockFreedOnOneStreamIsNotGivenToAnotherFromTheBins) {
  World w;
  Ref<Stream> other = w.device.create_stream(0);
  void* first = w.device.allocate(1000, TENON_MEMORY_DEVICE, w.stream());
  w.device.deallocate(first, 1000, TENON_MEMORY_DEVICE, w.stream());
  void* second = w.device.allocate(1000, TENON_MEMORY_DEVICE, *other);
  EXPECT_NE(first, second);
  w.device.deallocate(second, 1000, TENON_MEMORY_DEVICE, *other);
}

TEST_F(CudaMemory, FreeingNeverWaits) {
  World w;
  std::vector<void*> blocks;
  for (uint64_t bytes : {1000ull, 5ull << 20, 100ull << 20})
    blocks.push_back(w.device.allocate(bytes, TENON_MEMORY_DEVICE, w.stream()));
  void* pinned = w.device.allocate(4096, TENON_MEMORY_PINNED, w.stream());
  const long waits = fake_cuda_count("cuStreamSynchronize") + fake_cuda_count("cuCtxSynchronize") +
                     fake_cuda_count("cuEventSynchronize");
  const uint64_t pending = fake_cuda_pending();
  int i = 0;
  for (uint64_t bytes : {1000ull, 5ull << 20, 100ull << 20})
    w.device.deallocate(blocks[size_t(i++)], bytes, TENON_MEMORY_DEVICE, w.stream());
  w.device.deallocate(pinned, 4096, TENON_MEMORY_PINNED, w.stream());
  EXPECT_EQ(fake_cuda_count("cuStreamSynchronize") + fake_cuda_count("cuCtxSynchronize") +
                fake_cuda_count("cuEventSynchronize"),
            waits);
  EXPECT_GE(fake_cuda_pending(), pending);
}

TEST_F(CudaMemory, PinnedMemoryIsReusedOnlyWhenItsLastUseIsOver) {
  World w;
  void* device = w.device.allocate(4096, TENON_MEMORY_DEVICE, w.stream());
  void* first = w.device.allocate(4096, TENON_MEMORY_PINNED, w.stream());
  w.device.upload(device, first, 4096, true, w.stream());  // not done yet
  w.device.deallocate(first, 4096, TENON_MEMORY_PINNED, w.stream());
  void* second = w.device.allocate(4096, TENON_MEMORY_PINNED, w.stream());
  EXPECT_NE(first, second);
  w.stream().synchronize();
  void* third = w.device.allocate(4096, TENON_MEMORY_PINNED, w.stream());
  EXPECT_EQ(first, third);
  for (void* block : {second, third}) w.device.deallocate(block, 4096, TENON_MEMORY_PINNED, w.stream());
  w.device.deallocate(device, 4096, TENON_MEMORY_DEVICE, w.stream());
}

TEST_F(CudaMemory, RunningOutEmptiesTheBinsOfAllStreamsBeforeGivingUp) {
  driver().memory_limit = 64 << 20;
  World w;
  Ref<Stream> other = w.device.create_stream(0);
  std::vector<void*> blocks;
  for (int i = 0; i < 7; ++i) blocks.push_back(w.device.allocate(8 << 20, TENON_MEMORY_DEVICE, *other));
  for (void* block : blocks)
    w.device.deallocate(block, 8 << 20, TENON_MEMORY_DEVICE, *other);  // kept in the bins of the other stream
  void* large = nullptr;
  std::string message;
  ASSERT_EQ(status_of([&] { large = w.device.allocate(60 << 20, TENON_MEMORY_DEVICE, w.stream()); }, &message),
            TENON_OK)
      << message;
  w.device.deallocate(large, 60 << 20, TENON_MEMORY_DEVICE, w.stream());
}

TEST_F(CudaMemory, OutOfMemoryTellsAskedUsedAndFreeAndLeavesEverythingUsable) {
  driver().memory_limit = 64 << 20;
  World w;
  void* block = w.device.allocate(40 << 20, TENON_MEMORY_DEVICE, w.stream());
  std::string message;
  EXPECT_EQ(status_of([&] { w.device.allocate(30 << 20, TENON_MEMORY_DEVICE, w.stream()); }, &message),
            TENON_ERROR_OUT_OF_MEMORY);
  for (uint64_t part : {30ull << 20, 40ull << 20, 64ull << 20, 24ull << 20})
    EXPECT_NE(message.find(std::to_string(part)), std::string::npos) << part << " is not in: " << message;
  w.device.deallocate(block, 40 << 20, TENON_MEMORY_DEVICE, w.stream());
  block = w.device.allocate(50 << 20, TENON_MEMORY_DEVICE, w.stream());
  w.device.deallocate(block, 50 << 20, TENON_MEMORY_DEVICE, w.stream());
}

TEST_F(CudaMemory, TheLimitOfTheContextHolds) {
  Settings settings;
  settings.memory_limit_bytes = 10 << 20;
  World w(std::move(settings));
  void* block = w.device.allocate(6 << 20, TENON_MEMORY_DEVICE, w.stream());
  std::string message;
  EXPECT_EQ(status_of([&] { w.device.allocate(6 << 20, TENON_MEMORY_DEVICE, w.stream()); }, &message),
            TENON_ERROR_OUT_OF_MEMORY);
  EXPECT_NE(message.find("limit"), std::string::npos) << message;
  w.device.deallocate(block, 6 << 20, TENON_MEMORY_DEVICE, w.stream());
  void* again = w.device.allocate(9 << 20, TENON_MEMORY_DEVICE, w.stream());  // the binned block was freed for it
  w.device.deallocate(again, 9 << 20, TENON_MEMORY_DEVICE, w.stream());
}

TEST_F(CudaMemory, SharedMemoryFillsBlocksOfItsOwnIsCountedAndWithinTheLimit) {
  Settings settings;
  settings.memory_limit_bytes = 10 << 20;
  World w(std::move(settings));
  SharedMemory shared = w.device.make_shared(5000);
  EXPECT_EQ(shared.key.bytes, 5000u);
  tenon_memory_info info{};
  w.device.memory_info(info);
  EXPECT_EQ(info.used, 2u << 20) << "the driver shares whole blocks: nothing else may lie in this one";
  EXPECT_EQ(info.held, 2u << 20);
  EXPECT_EQ(info.allocations, 1u);
  std::string message;
  EXPECT_EQ(status_of([&] { w.device.make_shared(9 << 20); }, &message), TENON_ERROR_OUT_OF_MEMORY);
  EXPECT_NE(message.find("limit"), std::string::npos) << message;
  // Free blocks are returned before the allocation is refused.
  void* block = w.device.allocate(6 << 20, TENON_MEMORY_DEVICE, w.stream());
  w.device.deallocate(block, 6 << 20, TENON_MEMORY_DEVICE, w.stream());
  SharedMemory more = w.device.make_shared(6 << 20);
  more.destroy(more.user);
  shared.destroy(shared.user);
  w.stream().synchronize();
  w.device.trim(0);
  w.device.memory_info(info);
  EXPECT_EQ(info.used, 0u);
  EXPECT_EQ(info.held, 0u);
}

TEST_F(CudaMemory, AKeyThatSaysMoreThanThereIsIsRefused) {
  World w;
  SharedMemory shared = w.device.make_shared(4 << 20);
  EXPECT_EQ(status_of([&] { w.device.open_shared(shared.key); }), TENON_ERROR_UNSUPPORTED) << "it is this process's";
  SharedKey key = shared.key;
  ++key.process;
  SharedMemory opened = w.device.open_shared(key);
  EXPECT_EQ(opened.data, shared.data);
  opened.destroy(opened.user);
  key.bytes = uint64_t(1) << 40;
  std::string message;
  EXPECT_EQ(status_of([&] { w.device.open_shared(key); }, &message), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_NE(message.find("4194304"), std::string::npos) << message;
  key = shared.key, ++key.process;
  shared.destroy(shared.user);
  EXPECT_EQ(status_of([&] { w.device.open_shared(key); }), TENON_ERROR_NOT_FOUND);
}

TEST_F(CudaMemory, StatisticsFollowAllocationsAndTrimGivesBack) {
  World w;
  tenon_memory_info info{};
  std::vector<void*> blocks;
  for (int i = 0; i < 3; ++i) blocks.push_back(w.device.allocate(1 << 20, TENON_MEMORY_DEVICE, w.stream()));
  w.device.memory_info(info);
  EXPECT_EQ(info.used, 3u << 20);
  EXPECT_GE(info.held, info.used);
  EXPECT_EQ(info.allocations, 3u);
  for (void* block : blocks) w.device.deallocate(block, 1 << 20, TENON_MEMORY_DEVICE, w.stream());
  w.device.memory_info(info);
  EXPECT_EQ(info.used, 0u);
  EXPECT_EQ(info.used_peak, 3u << 20);
  EXPECT_GE(info.held, 3u << 20);
  w.device.trim(0);  // frees in the stream's order
  w.stream().synchronize();
  w.device.trim(0);
  w.device.memory_info(info);
  EXPECT_EQ(info.held, 0u);
}

TEST_F(CudaMemory, WithoutPoolEveryAllocationIsItsOwn) {
  Settings settings;
  settings.flags = TENON_CONTEXT_NO_POOL;
  World w(std::move(settings));
  const long plain = fake_cuda_count("cuMemAlloc_v2"), freed = fake_cuda_count("cuMemFree_v2");
  for (int i = 0; i < 2; ++i) {
    void* block = w.device.allocate(1000, TENON_MEMORY_DEVICE, w.stream());
    w.device.deallocate(block, 1000, TENON_MEMORY_DEVICE, w.stream());
  }
  EXPECT_EQ(fake_cuda_count("cuMemAlloc_v2") - plain, 2);
  EXPECT_EQ(fake_cuda_count("cuMemFree_v2") - freed, 2);
  EXPECT_EQ(driver().pools, 0);
}

TEST_F(CudaMemory, LocateTellsDevicePinnedManagedAndHost) {
  World w;
  struct Row {
    int32_t kind;
    MemoryLocation where;
  };
  for (Row row : {Row{TENON_MEMORY_DEVICE, MemoryLocation::device}, Row{TENON_MEMORY_PINNED, MemoryLocation::pinned},
                  Row{TENON_MEMORY_MANAGED, MemoryLocation::device}}) {
    char* block = static_cast<char*>(w.device.allocate(4096, row.kind, w.stream()));
    int32_t kind = -1, index = -1;
    EXPECT_EQ(w.device.locate(block + 100, kind, index), row.where) << row.kind;
    EXPECT_EQ(kind, row.kind);
    EXPECT_EQ(index, 0);
    w.device.deallocate(block, 4096, row.kind, w.stream());
  }
  int on_stack = 0;
  int32_t kind, index;
  EXPECT_EQ(w.device.locate(&on_stack, kind, index), MemoryLocation::host);
}

TEST_F(CudaMemory, TransfersOfEverySizeArriveAndPageableSourcesMayBeReusedAtOnce) {
  World w;
  for (uint64_t bytes : {uint64_t(1), uint64_t(64 << 10), uint64_t(64 << 10) + 1, cuda::Staging::kSlot - 1,
                         cuda::Staging::kSlot * 2 + 77, cuda::Staging::kSlot * 20 + 3}) {
    std::vector<char> from(bytes), to(bytes);
    for (uint64_t i = 0; i < bytes; ++i) from[i] = char(i * 31 + i / 4096);
    const std::vector<char> kept = from;
    void* block = w.device.allocate(bytes, TENON_MEMORY_DEVICE, w.stream());
    w.device.upload(block, from.data(), bytes, false, w.stream());
    std::fill(from.begin(), from.end(), char(0));
    w.device.download(to.data(), block, bytes, false, w.stream());
    EXPECT_EQ(memcmp(to.data(), kept.data(), bytes), 0) << bytes;
    w.device.deallocate(block, bytes, TENON_MEMORY_DEVICE, w.stream());
  }
}

TEST_F(CudaMemory, NothingIsLeftWhenTheContextCloses) {
  {
    World w;
    for (int32_t kind : {TENON_MEMORY_DEVICE, TENON_MEMORY_PINNED, TENON_MEMORY_MANAGED}) {
      void* block = w.device.allocate(70000, kind, w.stream());
      w.device.deallocate(block, 70000, kind, w.stream());
    }
    std::vector<char> host(1 << 20);
    void* block = w.device.allocate(host.size(), TENON_MEMORY_DEVICE, w.stream());
    w.device.upload(block, host.data(), host.size(), false, w.stream());
    w.device.deallocate(block, host.size(), TENON_MEMORY_DEVICE, w.stream());
  }
  EXPECT_EQ(alive(), kNothing);
  EXPECT_EQ(driver().device_bytes, 0u);
}

}  // namespace fake
