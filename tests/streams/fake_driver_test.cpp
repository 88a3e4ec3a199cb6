// tests/streams/fake_driver_test.cpp: the fake driver keeps CUDA's rules, and sees what nothing orders.
#include <thread>
#include "support.hpp"

extern "C" {
int cuEventQuery(void* event);
int cuStreamQuery(void* stream);
int cuStreamIsCapturing(void* stream, int* status);
int cuStreamGetId(void* stream, unsigned long long* id);
int cuStreamGetCaptureInfo_v2(void* stream, int* status, unsigned long long* id, void** graph, void* const** last,
                              size_t* count);
int cuUserObjectCreate(void** object, void* pointer, void (*destroy)(void*), unsigned references, unsigned flags);
int cuGraphRetainUserObject(void* graph, void* object, unsigned count, unsigned flags);
int cuPointerGetAttribute(void* value, int attribute, unsigned long long data);
}

namespace streams {

class FakeDriver : public ::testing::Test {
 protected:
  void SetUp() override {
    Outside outside;
    fake_cuda_forget();
    fake_cuda()->lazy = true, fake_cuda()->seed = 0;
    fake_cuda()->misuses = fake_cuda()->races = 0;
    unsigned long long made = 0;
    ASSERT_EQ(cuMemAlloc_v2(&made, 4 * kCount), 0);
    data_ = reinterpret_cast<float*>(made);
    ASSERT_EQ(cuMemHostAlloc(reinterpret_cast<void**>(&host_), 4 * kCount, 0), 0);
  }
  void TearDown() override {
    Outside outside;
    cuCtxSynchronize();
    cuMemFree_v2(reinterpret_cast<unsigned long long>(data_));
    cuMemFreeHost(host_);
  }
  long races() { return std::exchange(fake_cuda()->races, 0); }
  long misuses() { return std::exchange(fake_cuda()->misuses, 0); }

  static constexpr size_t kCount = 64;
  float* data_ = nullptr;
  float* host_ = nullptr;
};

TEST_F(FakeDriver, TwoStreamsRaceUntilAnEventOrdersThem) {
  OtherStream a, b;
  fill(a.native(), data_, kCount, 1);
  copy(b.native(), host_, data_, kCount);
  EXPECT_EQ(races(), 1);
  EXPECT_NE(std::string(fake_cuda()->race).find("the other library's copy on stream"), std::string::npos)
      << fake_cuda()->race;
  fill(a.native(), data_, kCount, 2);
  EXPECT_EQ(races(), 1) << "a write while the copy reads";
  order(a.native(), b.native());
  copy(b.native(), host_, data_, kCount);
  EXPECT_EQ(races(), 0);
  b.synchronize();
  EXPECT_EQ(host_[5], 2);
  fill(a.native(), data_, kCount, 3);
  EXPECT_EQ(races(), 0) << "the host has waited";
}

TEST_F(FakeDriver, ReadsDoNotRaceAndPartsAreTheirOwn) {
  OtherStream a, b;
  fill(a.native(), data_, kCount / 2, 1);
  fill(b.native(), data_ + kCount / 2, kCount / 2, 1);
  EXPECT_EQ(races(), 0);
  order(a.native(), b.native()), order(b.native(), a.native());
  copy(a.native(), host_, data_, 1);
  copy(b.native(), host_ + 1, data_, 1);
  EXPECT_EQ(races(), 0);
  fill(b.native(), data_, 1, 1);
  EXPECT_EQ(races(), 1) << "a still reads";
}

TEST_F(FakeDriver, TheLegacyStreamAndBlockingStreamsWaitForEachOtherAndOthersDoNot) {
  OtherStream blocking(true), free;
  fill(blocking.native(), data_, kCount, 1);
  copy(kLegacy, host_, data_, kCount);
  fill(blocking.native(), data_, kCount, 2);
  synchronize(kLegacy);
  EXPECT_EQ(host_[0], 1);
  copy(kPerThread, host_, data_, kCount);
  EXPECT_EQ(races(), 1) << "two blocking streams do not wait for each other";
  fill(nullptr, host_, kCount, 3);
  EXPECT_EQ(races(), 0) << "the per-thread stream is blocking";
  copy(free.native(), data_, host_, kCount);
  EXPECT_GE(races(), 1);
}

TEST_F(FakeDriver, EachThreadHasItsOwnPerThreadStream) {
  unsigned long long mine = 0, its = 0;
  Outside outside;
  cuStreamGetId(kPerThread, &mine);
  std::thread([&] {
    Outside inner;
    cuStreamGetId(kPerThread, &its);
  }).join();
  EXPECT_NE(mine, its);
}

TEST_F(FakeDriver, AHandleIsUsedAgainAndItsWorkIsStillDone) {
  auto a = std::make_unique<OtherStream>();
  void* const handle = a->native();
  unsigned long long first = 0, second = 0;
  {
    Outside outside;
    cuStreamGetId(handle, &first);
  }
  fill(handle, data_, kCount, 4);
  a = nullptr;
  OtherStream b;
  EXPECT_EQ(b.native(), handle);
  Outside outside;
  cuStreamGetId(handle, &second);
  EXPECT_NE(first, second);
  copy(b.native(), host_, data_, kCount);
  EXPECT_EQ(races(), 1) << "it is another stream";
  cuCtxSynchronize();
  EXPECT_EQ(data_[0], 4);
}

TEST_F(FakeDriver, UnsafeCallsBreakCapturesAsTheModesSay) {
  OtherStream a, b;
  Outside outside;
  void* event = nullptr;
  cuEventCreate(&event, 2);
  cuEventRecord(event, b.native());
  for (const int mode : {kGlobal, kThreadLocal, kRelaxed})
    for (const bool elsewhere : {false, true})
      for (const int thread_mode : {kGlobal, kThreadLocal, kRelaxed}) {
        OtherCapture capture(a.native(), mode);
        int result = 0;
        const auto ask = [&] {
          Outside inner;
          int exchanged = thread_mode;
          cuThreadExchangeStreamCaptureMode(&exchanged);
          result = cuEventQuery(event);
          cuThreadExchangeStreamCaptureMode(&exchanged);
        };
        if (elsewhere) std::thread(ask).join();
        else ask();
        const bool breaks =
            thread_mode != kRelaxed && mode != kRelaxed && (!elsewhere || (mode == kGlobal && thread_mode == kGlobal));
        EXPECT_EQ(result == 900, breaks) << mode << elsewhere << thread_mode;
        EXPECT_EQ(capture.end(), breaks ? 901 : 0);
        EXPECT_EQ(misuses() > 0, breaks);
      }
  cuEventDestroy_v2(event);
}

TEST_F(FakeDriver, TheLegacyStreamIsOfNoUseWhileABlockingStreamIsCaptured) {
  OtherStream blocking(true);
  Outside outside;
  {
    OtherCapture capture(blocking.native(), kRelaxed);
    int status = 0;
    EXPECT_EQ(cuStreamIsCapturing(nullptr, &status), 906);
    fill(blocking.native(), data_, kCount, 1);
    EXPECT_EQ(capture.end(), 0) << "to ask breaks nothing";
    EXPECT_EQ(misuses(), 0);
  }
  OtherCapture capture(blocking.native(), kRelaxed);
  EXPECT_EQ(cuStreamQuery(nullptr), 906);
  EXPECT_EQ(capture.end(), 901);
  EXPECT_GT(misuses(), 0);
}

TEST_F(FakeDriver, StreamsJoinACaptureByEventsAndMustComeBack) {
  OtherStream a, b;
  {
    OtherCapture capture(a.native(), kThreadLocal);
    fill(a.native(), data_, kCount, 1);
    order(a.native(), b.native());
    copy(b.native(), host_, data_, kCount);
    order(b.native(), a.native());
    EXPECT_EQ(capture.end(), 0);
    EXPECT_EQ(host_[0], host_[0]);
    capture.launch(a.native());
    a.synchronize();
    EXPECT_EQ(host_[0], 1);
  }
  EXPECT_EQ(races(), 0);
  {
    OtherCapture capture(a.native(), kThreadLocal);
    fill(a.native(), data_, kCount, 1);
    order(a.native(), b.native());
    fill(a.native(), data_, kCount, 2);
    copy(b.native(), host_, data_, kCount);
    EXPECT_EQ(races(), 1) << "within the graph";
    EXPECT_EQ(capture.end(), 904);
  }
  EXPECT_GT(misuses(), 0);
}

TEST_F(FakeDriver, ACapturedStreamDoesNotWaitForWorkOutside) {
  OtherStream a, b;
  fill(b.native(), data_, kCount, 1);
  OtherCapture capture(a.native(), kThreadLocal);
  order(b.native(), a.native());
  EXPECT_EQ(capture.end(), 901);
  EXPECT_GT(misuses(), 0);
}

TEST_F(FakeDriver, AUserObjectGoesWithTheLastThatHoldsItOnAThreadThatMustNotCall) {
  static int gone;
  gone = 0;
  OtherStream a;
  Outside outside;
  void* object = nullptr;
  ASSERT_EQ(cuUserObjectCreate(&object, &gone, [](void* at) { ++*static_cast<int*>(at); }, 1, 1), 0);
  void *graph = nullptr, *exec = nullptr, *of = nullptr;
  cuStreamBeginCapture_v2(a.native(), kThreadLocal);
  fill(a.native(), data_, kCount, 9);
  int status = 0;
  ASSERT_EQ(cuStreamGetCaptureInfo_v2(a.native(), &status, nullptr, &of, nullptr, nullptr), 0);
  ASSERT_EQ(cuGraphRetainUserObject(of, object, 1, 1), 0);  // the reference moves
  ASSERT_EQ(cuStreamEndCapture(a.native(), &graph), 0);
  EXPECT_EQ(graph, of);
  ASSERT_EQ(cuGraphInstantiateWithFlags(&exec, graph, 0), 0);
  cuGraphDestroy(graph);
  fake_cuda_settle();
  EXPECT_EQ(gone, 0);
  cuGraphLaunch(exec, a.native());
  cuGraphExecDestroy(exec);
  fake_cuda_settle();
  EXPECT_EQ(gone, 0) << "it runs";
  a.synchronize();
  fake_cuda_settle();
  EXPECT_EQ(gone, 1);
  EXPECT_EQ(fake_cuda()->user_objects, 0);
}

TEST_F(FakeDriver, PointersAreWhatTheyAre) {
  Outside outside;
  int type = 0;
  std::vector<float> plain(8), registered(4096);
  EXPECT_EQ(cuPointerGetAttribute(&type, 2, reinterpret_cast<unsigned long long>(data_ + 3)), 0);
  EXPECT_EQ(type, 2);
  EXPECT_EQ(cuPointerGetAttribute(&type, 2, reinterpret_cast<unsigned long long>(host_)), 0);
  EXPECT_EQ(type, 1);
  EXPECT_EQ(cuPointerGetAttribute(&type, 2, reinterpret_cast<unsigned long long>(plain.data())), 1);
  cuMemHostRegister_v2(registered.data(), 4096, 0);
  EXPECT_EQ(cuPointerGetAttribute(&type, 2, reinterpret_cast<unsigned long long>(registered.data() + 1)), 0);
  cuMemHostUnregister(registered.data());
}

TEST_F(FakeDriver, ASeedRunsReadyWorkAtRandomCalls) {
  OtherStream a;
  fake_cuda()->seed = 1;
  Outside outside;
  for (int i = 0; i < 100; ++i) fill(a.native(), data_, 1, float(i));
  int unused = 0;
  for (int i = 0; i < 200; ++i) cuStreamIsCapturing(a.native(), &unused);
  EXPECT_EQ(data_[0], 99);
}

}  // namespace streams
