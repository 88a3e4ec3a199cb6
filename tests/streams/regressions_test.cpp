// tests/streams/regressions_test.cpp: one test for each way in which memory was once read too early or given back too
// soon.
#include <thread>
#include "support.hpp"

namespace streams {

// ---- own memory

class OwnMemory : public Streams {};

// An array made and used with one stream of another library, wrapped anew by each call, is not reused while that work
// runs.
TEST_F(OwnMemory, MadeOnAWrappedStreamIsNotHandedOutInUse) {
  void* const s = other();
  for (int round = 0; round < 20; ++round) {
    test::ArrayPtr x = full(0, wrap(s).get());
    test::ArrayPtr y = copy_of(x.get(), wrap(s).get());
    x = nullptr;
    test::ArrayPtr z = full(1);
    synchronize();
    EXPECT_EQ(value(y.get()), 0);
    EXPECT_EQ(value(z.get()), 1);
  }
}

TEST_F(OwnMemory, TemporariesOfAChainOnAWrappedStreamKeepTheirValues) {
  void* const s = other();
  std::vector<test::ArrayPtr> results, others;
  for (int i = 0; i < 20; ++i) {
    test::ArrayPtr a = full(float(i), wrap(s).get());
    test::ArrayPtr b = copy_of(a.get(), wrap(s).get());
    a = nullptr;
    others.push_back(full(-1));
    results.push_back(copy_of(b.get(), wrap(s).get()));
    b = nullptr;
    others.push_back(full(-2));
  }
  for (int i = 0; i < 20; ++i) EXPECT_EQ(value(results[size_t(i)].get()), float(i));
}

TEST_F(OwnMemory, ALargeBlockMadeOnAWrappedStreamIsNotFreedInUse) {
  constexpr size_t large = (33 << 20) / 4;
  void* const s = other();
  test::ArrayPtr x = full(3, wrap(s).get(), large);
  test::ArrayPtr y = copy_of(x.get(), wrap(s).get());
  x = nullptr;
  test::ArrayPtr z = full(1, nullptr, large);
  EXPECT_EQ(value(y.get()), 3);
}

// A stream of another library ends; the memory remembers the work that ran on it.
TEST_F(OwnMemory, AStreamThatIsGoneStillStandsForItsWork) {
  OtherStream s;
  test::ArrayPtr x = full(2), y = empty();
  add_to(y.get(), x.get(), 1, wrap(s.native()).get());
  s.destroy();
  OtherStream next;  // gets its handle
  scale(x.get(), 10, wrap(next.native()).get());
  EXPECT_EQ(value(y.get()), 3);
  EXPECT_EQ(value(x.get()), 20);
}

TEST_F(OwnMemory, TheNextOwnerOfABlockWaitsForReadersOnOtherStreams) {
  test::StreamPtr a = own(), b = own();
  test::ArrayPtr x = full(5), y = empty(), z = empty();
  add_to(y.get(), x.get(), 1, a.get());
  add_to(z.get(), x.get(), 2, b.get());
  x = nullptr;
  std::vector<test::ArrayPtr> next;
  for (int i = 0; i < 4; ++i) next.push_back(full(-1));
  EXPECT_EQ(value(y.get()), 6);
  EXPECT_EQ(value(z.get()), 7);
}

// Whichever driver call fails during the release, the memory is not reused before its readers are done.
TEST_F(OwnMemory, NoFailingCallInAReleaseLosesAUse) {
  test::StreamPtr a = own(), b = own();
  void* const s = other();
  for (const int code : {999, 2, 900})
    for (int n = 1; n <= 16; ++n) {
      test::ArrayPtr x = full(5), y = empty(), z = empty(), v = empty();
      add_to(y.get(), x.get(), 1, a.get());
      add_to(z.get(), x.get(), 2, b.get());
      add_to(v.get(), x.get(), 3, wrap(s).get());
      fake_cuda()->fail_code = code;
      fake_cuda()->fail_at = n;
      x = nullptr;
      fake_cuda()->fail_at = 0;
      std::vector<test::ArrayPtr> next;
      for (int i = 0; i < 4; ++i) next.push_back(full(-1));
      ASSERT_EQ(fake_cuda()->races, 0) << "call " << n << " (" << fake_cuda()->failed_call << ") returned " << code
                                       << ": " << fake_cuda()->race;
      ASSERT_EQ(value(y.get()), 6);
      ASSERT_EQ(value(z.get()), 7);
      ASSERT_EQ(value(v.get()), 8);
    }
}

// Freeing memory that another stream still reads makes no stream wait: neither the block's own nor the default one.
TEST_F(OwnMemory, FreeingWhatIsReadElsewhereBlocksNobody) {
  test::StreamPtr slow = own();
  test::ArrayPtr x = full(1), y = empty(), z = empty();
  synchronize();
  add_to(y.get(), x.get(), 1, slow.get());
  x = nullptr;
  EXPECT_OK(tenon_array_fill(z.get(), test::number(4), nullptr));
  tenon_stream* standard = nullptr;
  OK(tenon_stream_default(device_.get(), &standard));
  test::StreamPtr owned(standard);
  EXPECT_OK(tenon_stream_synchronize(standard));
  EXPECT_NE(fake_cuda_unfinished(data(y.get()), 4), nullptr)
      << "the default stream has waited for a reader of freed memory";
}

// ---- foreign memory

class ForeignMemory : public Streams {};

TEST_F(ForeignMemory, GoesBackAfterTheWorkOnAWrappedStream) {
  void* const s = other();
  Lent& tensor = lend(s, 5);
  test::ArrayPtr t = take(tensor, wrap(s).get());
  test::ArrayPtr r = copy_of(t.get(), wrap(s).get());
  t = nullptr;
  EXPECT_EQ(tensor.pending, "");
  EXPECT_EQ(value(r.get()), 5);
}

TEST_F(ForeignMemory, GoesBackAfterTheWorkOnOwnStreams) {
  void* const s = other();
  test::StreamPtr reader = own(), writer = own();
  Lent& tensor = lend(s, 5);
  streams::synchronize(s);
  test::ArrayPtr t = take(tensor, writer.get());
  test::ArrayPtr r = copy_of(t.get(), reader.get());
  scale(t.get(), 2, writer.get());
  t = nullptr;
  EXPECT_EQ(tensor.pending, "");
  EXPECT_EQ(value(r.get()), 5);
}

// The producer's stream is busy, Tenon reads on its default stream, the tensor is a temporary.
TEST_F(ForeignMemory, ATemporaryOfABusyStreamGoesBackAfterItWasRead) {
  void* const s = other();
  Lent& tensor = lend(s, 5);
  test::ArrayPtr r = empty();
  {
    test::ArrayPtr t = take(tensor, wrap(s).get());
    add_to(r.get(), t.get(), 1);
  }
  EXPECT_EQ(tensor.pending, "");
  EXPECT_EQ(value(r.get()), 6);
}

TEST_F(ForeignMemory, UsedOnAPerThreadStreamItMayBeDroppedByAnotherThread) {
  void* const s = other();
  Lent& tensor = lend(s, 5);
  synchronize();
  test::ArrayPtr r = empty();
  test::StreamPtr mine = wrap(kPerThread);
  test::ArrayPtr t = take(tensor, mine.get());
  {
    Outside outside;
    order(s, kPerThread);
  }
  add_to(r.get(), t.get(), 1, mine.get());
  mine = nullptr;
  std::thread([&] { t = nullptr; }).join();
  EXPECT_EQ(tensor.pending, "");
  EXPECT_EQ(value(r.get()), 6);
}

// Synchronising the legacy stream does not wait for another thread's per-thread stream unless work was enqueued on it.
TEST_F(ForeignMemory, TheHostReadsPinnedMemoryBehindThePerThreadStreamOfAnotherThread) {
  void* const s = other();
  tenon_buffer* made = nullptr;
  OK(tenon_buffer_create(device_.get(), kCount * sizeof(float), TENON_MEMORY_PINNED, nullptr, &made));
  const test::BufferPtr buffer(made);
  const int64_t count = kCount;
  tenon_array* array = nullptr;
  OK(tenon_array_from_buffer(buffer.get(), TENON_FLOAT32, 1, &count, nullptr, 0, &array));
  const test::ArrayPtr pinned(array);
  std::thread([&] {
    test::StreamPtr mine = wrap(kPerThread);
    EXPECT_OK(tenon_array_fill(pinned.get(), test::number(11), mine.get()));
    {
      Outside outside;
      order(s, kPerThread);
    }
    scale(pinned.get(), 2, mine.get());
  }).join();
  EXPECT_EQ(value(pinned.get()), 22);
}

TEST_F(ForeignMemory, NoFailingCallInAReleaseGivesItBackTooSoon) {
  void* const s = other();
  test::StreamPtr side = own();
  for (const int code : {999, 2, 900})
    for (int n = 1; n <= 16; ++n) {
      Lent& tensor = lend(s, 5);
      test::ArrayPtr r = empty(), q = empty();
      test::ArrayPtr t = take(tensor, wrap(s).get());
      add_to(r.get(), t.get(), 1);
      add_to(q.get(), t.get(), 2, side.get());
      fake_cuda()->fail_code = code;
      fake_cuda()->fail_at = n;
      t = nullptr;
      fake_cuda()->fail_at = 0;
      ASSERT_EQ(tensor.pending, "") << "call " << n << " (" << fake_cuda()->failed_call << ") returned " << code;
      ASSERT_EQ(value(r.get()), 6);
      ASSERT_EQ(value(q.get()), 7);
      synchronize();
    }
}

TEST_F(ForeignMemory, IsReadBehindTheProducersWork) {
  void* const s = other();
  Lent& tensor = lend(s, 5);
  test::StreamPtr side = own();
  test::ArrayPtr t = take(tensor, wrap(s).get());
  EXPECT_EQ(value(copy_of(t.get(), side.get()).get()), 5);
  EXPECT_EQ(value(copy_of(t.get()).get()), 5);
}

TEST_F(ForeignMemory, IsGivenBackWhenThereIsAnOccasionAndNotOnlyAtTheNextImport) {
  void* const s = other();
  const auto pending_import = [&]() -> Lent& {
    Lent& tensor = lend(s, 5);
    test::ArrayPtr t = take(tensor, wrap(s).get());
    test::ArrayPtr r = copy_of(t.get());
    t = nullptr;
    EXPECT_EQ(tensor.pending, "");
    Outside outside;
    cuCtxSynchronize();  // by the other library: Tenon is not asked
    return tensor;
  };
  Lent& trimmed = pending_import();
  EXPECT_OK(tenon_device_trim_memory(device_.get(), 0));
  EXPECT_EQ(trimmed.returned, 1) << "by a trim";

  Lent& left = pending_import();
  Lent& unused = lend(s, 1);
  test::ArrayPtr one = take(unused, wrap(s).get());
  EXPECT_EQ(left.returned, 1) << "by an import";

  Lent& again = pending_import();
  synchronize();
  one = nullptr;
  EXPECT_EQ(again.returned, 1) << "by the release of another import";

  Lent& needed = pending_import();
  EXPECT_OK(tenon_device_synchronize(device_.get()));
  EXPECT_EQ(needed.returned, 1) << "when memory runs out";
}

TEST_F(ForeignMemory, GoesBackAtOnceIfTheDefaultStreamIsIdle) {
  void* const s = other();
  for (const bool busy : {false, true}) {
    Lent& tensor = lend(s, 5);
    streams::synchronize(s);
    test::ArrayPtr t = take(tensor, nullptr);
    test::ArrayPtr r = copy_of(t.get(), nullptr);
    if (!busy) synchronize();
    t = nullptr;
    EXPECT_EQ(tensor.pending, "");
    EXPECT_EQ(tensor.returned, busy ? 0 : 1);
    EXPECT_EQ(value(r.get()), 5);
  }
}

// ---- memory lent to other libraries

class Exports : public Streams {};

TEST_F(Exports, AreReadBehindTenonsWork) {
  void* const s = other();
  test::StreamPtr side = own();
  test::ArrayPtr x = full(1, side.get());
  scale(x.get(), 3, side.get());
  DLManagedTensorVersioned* lent = give(x.get(), wrap(s).get());
  float* const to = memory_.allocate(kCount, s);
  copy(s, to, static_cast<float*>(lent->tensor.data), kCount);
  lent->deleter(lent);
  Outside outside;
  cuCtxSynchronize();
  EXPECT_EQ(to[0], 3);
}

// The consumer's work is queued, the consumer and Tenon release the array, and Tenon makes the next one.
TEST_F(Exports, AreNotHandedOutWhileTheConsumerReads) {
  void* const s = other();
  std::vector<test::ArrayPtr> next;
  for (int round = 0; round < 5; ++round) {
    test::ArrayPtr x = full(3);
    DLManagedTensorVersioned* lent = give(x.get(), wrap(s).get());
    float* const to = memory_.allocate(kCount, s);
    copy(s, to, static_cast<float*>(lent->tensor.data), kCount);
    x = nullptr;
    if (round % 2) lent->deleter(lent);
    else std::thread([&] { lent->deleter(lent); }).join();
    next.push_back(full(7));
    synchronize();
    streams::synchronize(s);
    EXPECT_EQ(to[0], 3);
    memory_.give_back(to);
  }
}

// Tenon's later work on the array sees what the consumer wrote, once the tensor has been released.
TEST_F(Exports, WrittenByTheConsumerAreReadBehindItsWork) {
  void* const s = other();
  test::ArrayPtr x = full(3);
  DLManagedTensorVersioned* lent = give(x.get(), wrap(s).get());
  fill(s, static_cast<float*>(lent->tensor.data), kCount, 8);
  lent->deleter(lent);
  EXPECT_EQ(value(x.get()), 8);
}

// ---- host memory

class HostMemory : public Streams {};

TEST_F(HostMemory, PinnedSourcesMayBeReusedOnReturn) {
  for (const size_t count : {size_t(16), size_t(64 << 8), size_t(1 << 16)}) {
    float* pinned = nullptr;
    {
      Outside outside;
      ASSERT_EQ(cuMemHostAlloc(reinterpret_cast<void**>(&pinned), count * 4, 0), 0);
    }
    std::fill_n(pinned, count, 1.0f);
    fake_cuda_host(pinned, count * 4, true, "the host's write");
    test::ArrayPtr d = empty(nullptr, count);
    EXPECT_OK(tenon_array_set_from_host(d.get(), pinned, count * 4, nullptr));
    fake_cuda_host(pinned, count * 4, true, "the host's write");
    std::fill_n(pinned, count, 2.0f);
    EXPECT_EQ(value(d.get()), 1) << count;

    tenon_array* made = nullptr;
    const int64_t shape = int64_t(count);
    EXPECT_OK(tenon_array_from_host(device_.get(), TENON_FLOAT32, 1, &shape, pinned, count * 4, nullptr, &made));
    test::ArrayPtr e(made);
    fake_cuda_host(pinned, count * 4, true, "the host's write");
    std::fill_n(pinned, count, 3.0f);
    EXPECT_EQ(value(e.get()), 2) << count;

    EXPECT_OK(tenon_array_to_host(e.get(), pinned, count * 4, nullptr));
    fake_cuda_host(pinned, count * 4, false, "the host's read");
    EXPECT_EQ(pinned[count - 1], 2) << "there on return";
    Outside outside;
    cuMemFreeHost(pinned);
  }
}

TEST_F(HostMemory, RegisteredSourcesMayBeReusedOnReturn) {
  std::vector<float> host(4096, 1.0f);
  {
    Outside outside;
    ASSERT_EQ(cuMemHostRegister_v2(host.data(), host.size() * 4, 0), 0);
  }
  test::ArrayPtr d = empty(nullptr, host.size());
  EXPECT_OK(tenon_array_set_from_host(d.get(), host.data(), host.size() * 4, nullptr));
  fake_cuda_host(host.data(), host.size() * 4, true, "the host's write");
  std::fill(host.begin(), host.end(), 2.0f);
  EXPECT_EQ(value(d.get()), 1);
  Outside outside;
  cuMemHostUnregister(host.data());
}

TEST_F(HostMemory, ViewsOfTenonsOwnPinnedMemoryMayBeReusedOnReturn) {
  tenon_buffer* buffer = nullptr;
  OK(tenon_buffer_create(device_.get(), kCount * 4, TENON_MEMORY_PINNED, nullptr, &buffer));
  test::BufferPtr owned(buffer);
  void* at = nullptr;
  uint64_t bytes = 0;
  OK(tenon_buffer_data(buffer, &at, &bytes));
  std::fill_n(static_cast<float*>(at), kCount, 1.0f);
  test::ArrayPtr d = empty();
  EXPECT_OK(tenon_array_set_from_host(d.get(), at, kCount * 4, nullptr));
  fake_cuda_host(at, bytes, true, "the host's write");
  std::fill_n(static_cast<float*>(at), kCount, 2.0f);
  EXPECT_EQ(value(d.get()), 1);
}

// ---- captures by other libraries

class ForeignCaptures : public Streams {
 protected:
  // An import that is not returned yet, because its reader has not run.
  Lent& pending_import(void* producer) {
    Lent& tensor = lend(producer, 5);
    test::StreamPtr ready = wrap(producer);
    test::ArrayPtr t = take(tensor, ready.get());
    results_.push_back(copy_of(t.get()));
    return tensor;
  }
  void TearDown() override {
    results_.clear();
    Streams::TearDown();
  }
  std::vector<test::ArrayPtr> results_;
};

TEST_F(ForeignCaptures, ImportsDoNotDisturbThemNorGiveBackTooSoon) {
  void *const s = other(), *const c = other();
  Lent& first = pending_import(s);
  Lent& second = lend(s, 6);
  test::StreamPtr ready = wrap(s);
  OtherCapture capture(c, kGlobal);
  test::ArrayPtr t = take(second, ready.get());
  EXPECT_EQ(first.pending, "");
  t = nullptr;
  EXPECT_EQ(capture.end(), 0);
  EXPECT_EQ(value(results_[0].get()), 5);
}

// Work of a stream from before its capture cannot be waited for during the capture.
TEST_F(ForeignCaptures, UsesFromBeforeTheCaptureAreNotForgotten) {
  void* const c = other();
  test::StreamPtr side = own(), captured = wrap(c);
  test::ArrayPtr x = full(1), r = empty();
  synchronize();
  scale(x.get(), 3, captured.get());
  {
    OtherCapture capture(c, kRelaxed);
    EXPECT_EQ(TENON_ERROR_UNSUPPORTED, try_add_to(r.get(), x.get(), 1, side.get()));
    EXPECT_NE(std::string(tenon_error_last_message()).find("capturing into a graph"), std::string::npos)
        << tenon_error_last_message();
    EXPECT_EQ(capture.end(), 0);
  }
  add_to(r.get(), x.get(), 1, side.get());
  EXPECT_EQ(value(r.get()), 4);
}

// A stream that is wrapped and released within the capture has no new work to wait for.
TEST_F(ForeignCaptures, AStreamReleasedWithinTheCaptureKeepsWhatIsKnownOfIt) {
  void* const c = other();
  test::StreamPtr side = own();
  test::ArrayPtr x = full(1), y = full(2), r = empty();
  synchronize();
  scale(x.get(), 3, wrap(c).get());
  OtherCapture capture(c, kRelaxed);
  scale(y.get(), 5, wrap(c).get());
  add_to(r.get(), x.get(), 1, side.get());
  EXPECT_EQ(capture.end(), 0);
  EXPECT_EQ(value(r.get()), 4);
  capture.launch(c);
  streams::synchronize(c);
  EXPECT_EQ(value(y.get()), 10);
}

TEST_F(ForeignCaptures, HousekeepingDoesNotDisturbThem) {
  void* const c = other();
  tenon_buffer* buffer = nullptr;
  OK(tenon_buffer_create(device_.get(), 100000, TENON_MEMORY_PINNED, nullptr, &buffer));
  test::BufferPtr pinned(buffer);
  test::ArrayPtr large = full(1, nullptr, (34 << 20) / 4), small = full(2), result = empty();
  test::StreamPtr side = own();
  add_to(result.get(), small.get(), 1, side.get());
  test::ProgramPtr module = program("// another\n", {"scale"});
  {
    test::KernelPtr loaded = kernel(module.get(), "scale");
    tenon_kernel_info info{};
    info.struct_size = sizeof info;
    EXPECT_OK(tenon_kernel_get_info(loaded.get(), &info));
  }
  synchronize();
  OtherCapture capture(c, kGlobal);
  pinned = nullptr, large = nullptr, small = nullptr, module = nullptr, side = nullptr;
  OK(tenon_buffer_create(device_.get(), 100000, TENON_MEMORY_PINNED, nullptr,
                         &buffer));  // checks whether the block is free
  pinned.reset(buffer);
  OK(tenon_buffer_create(device_.get(), 900000, TENON_MEMORY_PINNED, nullptr, &buffer));  // there is none
  test::BufferPtr other_pinned(buffer);
  test::ArrayPtr more = full(3, nullptr, 1 << 20);
  std::vector<float> host(1 << 18, 1.0f);
  EXPECT_OK(tenon_array_set_from_host(full(3, nullptr, host.size()).get(), host.data(), host.size() * 4, nullptr));
  EXPECT_OK(tenon_device_trim_memory(device_.get(), 0));
  EXPECT_EQ(capture.end(), 0);
}

// Operations that allocate, in a capture of another library's stream or of one of Tenon's own streams, whose handle
// that library has; or they are refused without side effects. Memory that they allocate is not reused as long as the
// graph may run.
class MemoryOfCaptures : public ForeignCaptures, public ::testing::WithParamInterface<std::tuple<bool, bool>> {};

TEST_P(MemoryOfCaptures, IsNobodyElses) {
  const auto [on_own, released_within] = GetParam();
  test::StreamPtr stream = own();
  void* const handle = on_own ? reinterpret_cast<void*>(native(stream.get())) : other();
  if (!on_own) stream = wrap(handle);
  test::ArrayPtr x = full(4);
  copy_of(x.get(), stream.get());  // its block can be reused
  synchronize();
  {
    OtherCapture capture(handle, kGlobal);
    tenon_array* made = nullptr;
    const int32_t status = tenon_array_convert(x.get(), TENON_FLOAT32, nullptr, stream.get(), &made);
    EXPECT_EQ(status, TENON_OK) << tenon_error_last_message();
    float* const at = made ? data(made) : nullptr;
    if (released_within) tenon_array_release(made);
    ASSERT_EQ(capture.end(), 0);
    if (!released_within) tenon_array_release(made);
    std::vector<test::ArrayPtr> next;
    for (int i = 0; i < 6; ++i) next.push_back(full(float(10 + i), i % 2 ? stream.get() : nullptr));
    synchronize();
    capture.launch(handle);
    streams::synchronize(handle);
    for (int i = 0; i < 6; ++i) {
      EXPECT_EQ(value(next[size_t(i)].get()), float(10 + i)) << "the graph wrote into an array made later";
      EXPECT_NE(data(next[size_t(i)].get()), at) << "memory of a graph was handed out";
    }
    if (at) {
      EXPECT_EQ(at[0], 4);
    }
  }
  fake_cuda_settle();
}

INSTANTIATE_TEST_SUITE_P(Each, MemoryOfCaptures, ::testing::Combine(::testing::Bool(), ::testing::Bool()),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param) ? "OwnStream" : "OtherStream") +
                                  (std::get<1>(info.param) ? "ReleasedWithin" : "ReleasedAfter");
                         });

// Streams that joined a capture wait for each other within it.
TEST_F(ForeignCaptures, StreamsOfOneAreOrderedWithinIt) {
  void *const a = other(), *const b = other();
  test::ArrayPtr x = full(1), r = empty();
  synchronize();
  {
    OtherCapture capture(a, kGlobal);
    order(a, b);
    scale(x.get(), 3, wrap(a).get());
    add_to(r.get(), x.get(), 1, wrap(b).get());
    scale(x.get(), 2, wrap(a).get());
    order(b, a);
    ASSERT_EQ(capture.end(), 0);
    capture.launch(a);
    streams::synchronize(a);
  }
  EXPECT_EQ(value(r.get()), 4);
  EXPECT_EQ(value(x.get()), 6);
}

// The array outlives the graph, and is an ordinary array.
TEST_F(ForeignCaptures, ResultsMadeInThemMayOutliveThem) {
  void* const s = other();
  test::ArrayPtr x = full(4), made;
  synchronize();
  {
    OtherCapture capture(s, kGlobal);
    made = copy_of(x.get(), wrap(s).get());
    ASSERT_EQ(capture.end(), 0);
    capture.launch(s);
    streams::synchronize(s);
  }
  fake_cuda_settle();
  test::ArrayPtr next = full(1);
  EXPECT_EQ(value(made.get()), 4);
  scale(made.get(), 2);
  EXPECT_EQ(value(made.get()), 8);
}

// A use within a capture does not remove work from the list that was queued before it.
TEST_F(ForeignCaptures, AUseInOneForgetsNoEarlierWork) {
  for (const bool write : {false, true}) {
    test::StreamPtr a = own(), c = own();
    void* const b = other();
    test::ArrayPtr x = full(1), r = empty(), v = full(0);
    synchronize();
    scale(x.get(), 7, a.get());  // still queued
    {
      OtherCapture capture(b, kThreadLocal);
      test::StreamPtr wrapped = wrap(b);
      if (write) scale(x.get(), 2, wrapped.get());
      else add_to(v.get(), x.get(), 0, wrapped.get());
      wrapped = nullptr;
      ASSERT_EQ(capture.end(), 0);
    }
    add_to(r.get(), x.get(), 0, c.get());
    EXPECT_EQ(value(r.get()), 7);
  }
}

// A wrapper that is released while its stream is captured: work enqueued there before still counts.
TEST_F(ForeignCaptures, WorkBeforeOneIsNotForgottenWithTheWrapper) {
  void* const s = other();
  test::ArrayPtr x = full(1), r = empty();
  synchronize();
  test::StreamPtr wrapped = wrap(s), reader = own();
  scale(x.get(), 7, wrapped.get());
  {
    OtherCapture capture(s, kThreadLocal);
    wrapped = nullptr;
    ASSERT_EQ(capture.end(), 0);
  }
  add_to(r.get(), x.get(), 0, reader.get());
  EXPECT_EQ(value(r.get()), 7);
}

// A recorded kernel stays loaded as long as the graph may run.
TEST_F(ForeignCaptures, KeepTheKernelsTheyRun) {
  void* const s = other();
  test::ArrayPtr x = full(1);
  test::ProgramPtr mine = program("// of its own\n", {"scale"});
  test::KernelPtr k = kernel(mine.get(), "scale");
  tenon_launch launch{};
  launch.struct_size = sizeof launch;
  const tenon_arg args[] = {TENON_ARRAY_ARG(x.get()), TENON_F32_ARG(2), TENON_I32_ARG(int32_t(kCount))};
  OK(tenon_kernel_launch(k.get(), &launch, args, 3, nullptr));
  synchronize();
  {
    OtherCapture capture(s, kGlobal);
    EXPECT_OK(tenon_kernel_launch(k.get(), &launch, args, 3, wrap(s).get()));
    ASSERT_EQ(capture.end(), 0);
    k = nullptr, mine = nullptr;
    capture.launch(s);
    streams::synchronize(s);
  }
  EXPECT_EQ(value(x.get()), 4);
}

// A stream of Tenon's that another library captures is released by a garbage collector: nothing breaks, and the device
// still works.
TEST_F(ForeignCaptures, ReleasingACapturedOwnStreamHarmsNothing) {
  test::StreamPtr stream = own();
  void* const handle = reinterpret_cast<void*>(native(stream.get()));
  test::ArrayPtr x = full(1);
  synchronize();
  {
    OtherCapture capture(handle, kRelaxed);
    stream = nullptr;
    EXPECT_EQ(capture.end(), 0);
  }
  EXPECT_EQ(value(copy_of(x.get()).get()), 1);
}

// ---- variables of programs

TEST_F(OwnMemory, AVariableIsWrittenBehindLaunchesMadeBeforeItWasAskedFor) {
  test::ProgramPtr p = program("// fake: global _c 4\n", {"read_globals"}, {"c"});
  test::KernelPtr k = kernel(p.get(), "read_globals");
  test::StreamPtr s = own();
  test::ArrayPtr r = full(9);
  tenon_launch launch{};
  launch.struct_size = sizeof launch;
  const tenon_arg args[] = {TENON_ARRAY_ARG(r.get())};
  OK(tenon_kernel_launch(k.get(), &launch, args, 1, s.get()));
  tenon_array* variable = nullptr;
  OK(tenon_program_global(p.get(), "c", &variable));
  test::ArrayPtr c(variable);
  EXPECT_OK(tenon_array_fill(variable, test::number(5), nullptr));
  synchronize();
  float first = -1;
  std::vector<float> host(kCount);
  EXPECT_OK(tenon_array_to_host(r.get(), host.data(), kCount * 4, nullptr));
  first = host[0];
  EXPECT_EQ(first, 0) << "the kernel saw a value that was written after its launch";
}

// ---- costs and leaks

TEST_F(OwnMemory, ReadsOnAWrappedStreamLeakNothing) {
  void* const s = other();
  test::ArrayPtr w = full(1);
  const auto read = [&](int times) {
    for (int i = 0; i < times; ++i) copy_of(w.get(), wrap(s).get());
    return fake_cuda()->events;
  };
  const long warm = read(50);
  streams::synchronize(s);
  EXPECT_LE(read(2000), warm + 50);
  const long waits = fake_cuda_count("cuStreamWaitEvent");
  EXPECT_OK(tenon_array_fill(w.get(), test::number(2), nullptr));
  EXPECT_LE(fake_cuda_count("cuStreamWaitEvent"), waits + 4)
      << "the next write waits for one stream, not for each call";
}

TEST_F(OwnMemory, ACallOnAWrappedStreamAsksTheDriverNoMoreThanOnAnOwnOne) {
  void* const s = other();
  test::StreamPtr mine = own();
  test::ArrayPtr w = full(1), r = empty(), q = empty();
  synchronize();
  const auto calls = [&](tenon_array* to, const std::function<test::StreamPtr()>& stream) {
    add_to(to, w.get(), 1, stream().get());
    add_to(to, w.get(), 1, stream().get());
    const long before = fake_cuda()->calls;
    for (int i = 0; i < 10; ++i) add_to(to, w.get(), 1, stream().get());
    return double(fake_cuda()->calls - before) / 10;
  };
  const double own_calls = calls(r.get(), [&] {
    tenon_stream_retain(mine.get());
    return test::StreamPtr(mine.get());
  });
  const double wrapped_calls = calls(q.get(), [&] {
    tenon_stream* made = nullptr;
    EXPECT_OK(tenon_stream_wrap(device_.get(), reinterpret_cast<uint64_t>(s), [](void*) {}, nullptr, &made));
    return test::StreamPtr(made);
  });
  EXPECT_LE(wrapped_calls, own_calls + 3) << "whether the handle is alive, and whether somebody captures the stream";
}

// ---- parked memory

namespace aside {
std::function<void()> between;
}

// Memory that is parked just after another thread has waited for the device is not freed with its work pending.
TEST_F(OwnMemory, WhatIsSetAsideAfterTheDeviceWasWaitedForStays) {
  test::StreamPtr home = own(), reader = own();
  void* const handle = reinterpret_cast<void*>(native(home.get()));
  test::ArrayPtr x = full(3, home.get()), r = empty();
  synchronize();
  std::thread late;
  std::atomic<bool> set_aside{false};
  aside::between = [&] {
    late = std::thread([&] {
      add_to(r.get(), x.get(), 1, reader.get());
      OtherCapture capture(handle, kRelaxed);
      x = nullptr;
      set_aside = true;
      EXPECT_EQ(capture.end(), 0);
    });
    for (int i = 0; i < 200 && !set_aside; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  };
  fake_cuda()->after_synchronize = [] { aside::between(); };
  int64_t shape = int64_t(1) << 33;
  tenon_array* none = nullptr;
  EXPECT_EQ(tenon_array_create(device_.get(), TENON_FLOAT32, 1, &shape, nullptr, &none), TENON_ERROR_OUT_OF_MEMORY);
  if (std::exchange(fake_cuda()->after_synchronize, nullptr))
    aside::between();  // nothing was waited for: it happens now
  if (late.joinable()) late.join();
  EXPECT_EQ(x, nullptr);
  EXPECT_EQ(value(r.get()), 4);
}

}  // namespace streams
