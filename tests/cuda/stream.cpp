// tests/cuda/stream.cpp: streams and events order work: the fake driver does none before it is waited for.
#include <thread>
#include "cuda_support.hpp"

namespace fake {

class CudaStreams : public Cuda {};

// Uploads `value` on one stream, and returns what another stream then reads.
float read_across(World& w, Stream& writer, Stream& reader, float value, const std::function<void()>& order) {
  void* device = w.device.allocate(4, TENON_MEMORY_DEVICE, w.stream());
  auto* pinned = static_cast<float*>(w.device.allocate(4, TENON_MEMORY_PINNED, w.stream()));
  auto* result = static_cast<float*>(w.device.allocate(4, TENON_MEMORY_PINNED, w.stream()));
  w.device.synchronize();
  *pinned = value;
  *result = -1;
  w.device.upload(device, pinned, 4, true, writer);
  order();
  w.device.download(result, device, 4, true, reader);
  reader.synchronize();
  const float out = *result;
  w.device.synchronize();
  w.device.deallocate(device, 4, TENON_MEMORY_DEVICE, w.stream());
  w.device.deallocate(pinned, 4, TENON_MEMORY_PINNED, w.stream());
  w.device.deallocate(result, 4, TENON_MEMORY_PINNED, w.stream());
  return out;
}

TEST_F(CudaStreams, TheFakeShowsAMissingWait) {
  World w;
  Ref<Stream> a = w.device.create_stream(0), b = w.device.create_stream(0);
  EXPECT_NE(read_across(w, *a, *b, 5, [] {}), 5) << "the tests below would prove nothing";
  EXPECT_GT(driver().races, 0);
  driver().races = 0;
}

TEST_F(CudaStreams, WaitForOrdersAllEarlierWork) {
  World w;
  Ref<Stream> a = w.device.create_stream(0), b = w.device.create_stream(0);
  EXPECT_EQ(read_across(w, *a, *b, 7, [&] { b->wait_for(*a); }), 7);
  EXPECT_EQ(read_across(w, *a, *b, 8, [&] { b->wait_for(*a); }), 8) << "a second time, with the same event";
  EXPECT_EQ(read_across(w, w.stream(), *b, 9, [&] { b->wait_for(w.stream()); }), 9);
}

TEST_F(CudaStreams, AnEventStandsForItsLastRecord) {
  World w;
  Ref<Stream> a = w.device.create_stream(0), b = w.device.create_stream(0);
  Ref<Event> event = w.device.create_event(false);
  EXPECT_TRUE(event->query()) << "never recorded";
  b->wait(*event);
  EXPECT_EQ(read_across(w, *a, *b, 3,
                        [&] {
                          event->record(*a);
                          EXPECT_FALSE(event->query());
                          b->wait(*event);
                        }),
            3);
  EXPECT_TRUE(event->query());
}

// A stream made by another library.
struct OtherLibrarysStream {
  explicit OtherLibrarysStream(World& w) : device(w.device) {
    auto scope = device.activate();
    device.driver().cuStreamCreateWithPriority(&handle, cuda::CU_STREAM_NON_BLOCKING, 0);
  }
  ~OtherLibrarysStream() { destroy(); }
  void destroy() {
    auto scope = device.activate();
    if (cuda::CUstream gone = std::exchange(handle, nullptr)) device.driver().cuStreamDestroy(gone);
  }
  uint64_t native() const { return reinterpret_cast<uint64_t>(handle); }
  cuda::CudaDevice& device;
  cuda::CUstream handle = nullptr;
};

TEST_F(CudaStreams, AForeignStreamIsNotTouchedAfterCloseAndStillStandsForItsWork) {
  World w;
  OtherLibrarysStream owner(w);
  Ref<Stream> b = w.device.create_stream(0);
  Ref<Stream> wrapped = w.device.wrap_stream(owner.native());
  EXPECT_EQ(wrapped->native(), owner.native());
  void* block = w.device.allocate(1000, TENON_MEMORY_DEVICE, *wrapped);
  EXPECT_EQ(read_across(w, *wrapped, *b, 4,
                        [&] {
                          wrapped->close();
                          owner.destroy();  // a later use of it is counted as misuse
                          b->wait_for(*wrapped);
                        }),
            4);
  EXPECT_EQ(status_of([&] { w.device.allocate(100, TENON_MEMORY_DEVICE, *wrapped); }), TENON_ERROR_INVALID_HANDLE);
  wrapped->synchronize();
  EXPECT_TRUE(wrapped->query());
  w.device.deallocate(block, 1000, TENON_MEMORY_DEVICE, *wrapped);
}

TEST_F(CudaStreams, OneObjectStandsForANativeStream) {
  World w;
  OtherLibrarysStream owner(w);
  Ref<Stream> first = w.device.wrap_stream(owner.native()), second = w.device.wrap_stream(owner.native());
  EXPECT_EQ(first.get(), second.get());
  first->close();
  EXPECT_EQ(status_of([&] { cuda::handle_of(*second); }), TENON_OK) << "the other handle keeps it open";
  second->close();
  EXPECT_EQ(status_of([&] { cuda::handle_of(*second); }), TENON_ERROR_INVALID_HANDLE);
  Ref<Stream> again = w.device.wrap_stream(owner.native());
  EXPECT_EQ(again.get(), first.get()) << "found again, and open";
  EXPECT_EQ(status_of([&] { cuda::handle_of(*again); }), TENON_OK);
  again->close();
  Ref<Stream> own = w.device.create_stream(0);
  EXPECT_EQ(w.device.wrap_stream(own->native()).get(), own.get());
}

TEST_F(CudaStreams, AnOwnerKeepsTheNativeStreamUntilNothingRemembersIt) {
  int destroyed = 0;
  {
    World w;
    auto* owner = new OtherLibrarysStream(w);
    struct Owner {
      OtherLibrarysStream* stream;
      int* destroyed;
    } kept{owner, &destroyed};
    Ref<Stream> wrapped = w.device.wrap_stream(owner->native());
    const auto destroy = [](void* user) {
      delete static_cast<Owner*>(user)->stream;
      ++*static_cast<Owner*>(user)->destroyed;
    };
    ASSERT_TRUE(wrapped->keep_valid(destroy, &kept));
    EXPECT_FALSE(wrapped->keep_valid(destroy, &kept)) << "one owner is enough";
    wrapped->close();
    EXPECT_EQ(status_of([&] { cuda::handle_of(*wrapped); }), TENON_OK);
    wrapped = nullptr;
    EXPECT_EQ(destroyed, 0) << "found again by the next call, so that calls in a loop cost nothing";
  }
  EXPECT_EQ(destroyed, 1);
}

TEST_F(CudaStreams, TheDefaultStreamIsTheOneThatOthersAreOrderedWith) {
  World w;
  EXPECT_EQ(w.stream().native(), 1u);
  EXPECT_EQ(w.device.wrap_stream(0).get(), &w.stream());
  EXPECT_EQ(w.device.wrap_stream(1).get(), &w.stream());
  EXPECT_EQ(w.device.wrap_stream(2)->native(), 2u);
  Settings settings;
  settings.flags = TENON_CONTEXT_PRIVATE_STREAM;
  World apart(std::move(settings));
  EXPECT_GT(apart.stream().native(), 2u);
  EXPECT_EQ(apart.device.wrap_stream(0)->native(), 1u);
}

TEST_F(CudaStreams, APerThreadStreamIsRefusedOnAnotherThreadAndStillWaitedFor) {
  World w;
  Ref<Stream> mine = w.device.wrap_stream(2);
  Ref<Stream> b = w.device.create_stream(0);
  int32_t status = 0;
  EXPECT_EQ(read_across(w, *mine, *b, 6,
                        [&] {
                          std::thread([&] {
                            status = status_of([&] { w.device.allocate(16, TENON_MEMORY_DEVICE, *mine); });
                            b->wait_for(*mine);
                          }).join();
                        }),
            6);
  EXPECT_EQ(status, TENON_ERROR_INVALID_ARGUMENT);
}

TEST_F(CudaStreams, TheCallersCurrentContextStays) {
  World w;
  const cuda::Driver& table = cuda::driver();
  auto now = [&] {
    cuda::CUcontext current = nullptr;
    table.cuCtxGetCurrent(&current);
    return current;
  };
  EXPECT_EQ(now(), nullptr);
  w.stream().synchronize();
  void* block = w.device.allocate(1 << 20, TENON_MEMORY_DEVICE, w.stream());
  EXPECT_EQ(now(), nullptr);
  auto& second = static_cast<cuda::CudaDevice&>(w.context->device(TENON_DEVICE_CUDA, 1));
  table.cuCtxPushCurrent(second.primary());
  w.device.deallocate(block, 1 << 20, TENON_MEMORY_DEVICE, w.stream());
  w.device.create_event(false);
  EXPECT_THROW(w.device.allocate(uint64_t(1) << 40, TENON_MEMORY_DEVICE, w.stream()), Error);
  EXPECT_EQ(now(), second.primary());
  cuda::CUcontext popped;
  table.cuCtxPopCurrent(&popped);
}

TEST_F(CudaStreams, DevicesCopyFromEachOtherAndWaitForEachOther) {
  World w;
  auto& second = static_cast<cuda::CudaDevice&>(w.context->device(TENON_DEVICE_CUDA, 1));
  std::vector<int> host(100000), back(100000);
  for (size_t i = 0; i < host.size(); ++i) host[i] = int(i);
  const uint64_t bytes = host.size() * 4;
  void* there = second.allocate(bytes, TENON_MEMORY_DEVICE, second.default_stream());
  void* here = w.device.allocate(bytes, TENON_MEMORY_DEVICE, w.stream());
  second.upload(there, host.data(), bytes, false, second.default_stream());
  w.stream().wait_for(second.default_stream());
  w.device.copy_from_peer(here, second, there, bytes, w.stream());
  w.device.download(back.data(), here, bytes, false, w.stream());
  EXPECT_EQ(host, back);
  EXPECT_EQ(fake_cuda_count("cuMemPoolSetAccess"), 1) << "the other device's pool was opened";
  Ref<Event> event = second.create_event(false);
  event->record(second.default_stream());
  EXPECT_NO_THROW(w.stream().wait(*event));
  w.device.deallocate(here, bytes, TENON_MEMORY_DEVICE, w.stream());
  second.default_stream().wait_for(w.stream());
  second.deallocate(there, bytes, TENON_MEMORY_DEVICE, second.default_stream());
}

TEST_F(CudaStreams, AStreamOfAnotherDeviceOrOfNothingIsNotWrapped) {
  World w;
  Device& second = w.context->device(TENON_DEVICE_CUDA, 1);
  const Ref<Stream> there = second.create_stream(0);
  EXPECT_EQ(status_of([&] { w.device.wrap_stream(there->native()); }), TENON_ERROR_DEVICE);
  EXPECT_EQ(status_of([&] { w.device.wrap_stream(0x1000); }), TENON_ERROR_INVALID_ARGUMENT);
  fake_cuda()->misuses = 0;  // noticed by the fake
}

TEST_F(CudaStreams, ElapsedTimeNeedsTimingEventsThatWereReached) {
  World w;
  Ref<Event> plain = w.device.create_event(false), start = w.device.create_event(true),
             end = w.device.create_event(true);
  EXPECT_EQ(status_of([&] { end->elapsed_since(*plain); }), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(status_of([&] { end->elapsed_since(*start); }), TENON_ERROR_NOT_READY);
  start->record(w.stream());
  end->record(w.stream());
  EXPECT_EQ(status_of([&] { end->elapsed_since(*start); }), TENON_ERROR_NOT_READY);
  end->synchronize();
  EXPECT_GT(end->elapsed_since(*start), 0);
}

TEST_F(CudaStreams, MemoryOfACaptureBelongsToItsGraph) {
  World w;
  Ref<Stream> stream = w.device.create_stream(0);
  void* binned = w.device.allocate(1000, TENON_MEMORY_DEVICE, *stream);
  w.device.deallocate(binned, 1000, TENON_MEMORY_DEVICE, *stream);
  stream->native();  // so that another library may know it
  const cuda::Driver& table = cuda::driver();
  table.cuStreamBeginCapture(cuda::handle_of(*stream), cuda::CU_STREAM_CAPTURE_MODE_RELAXED);
  void* first = w.device.allocate(1000, TENON_MEMORY_DEVICE, *stream);
  EXPECT_NE(first, binned) << "a replay would write what others were given meanwhile";
  void* second = w.device.allocate(1 << 20, TENON_MEMORY_DEVICE, *stream);
  w.device.deallocate(first, 1000, TENON_MEMORY_DEVICE, *stream);
  EXPECT_EQ(w.device.allocate(1000, TENON_MEMORY_DEVICE, *stream), first) << "later captured work runs later";
  w.device.deallocate(first, 1000, TENON_MEMORY_DEVICE, *stream);
  cuda::CUgraph graph;
  ASSERT_EQ(table.cuStreamEndCapture(cuda::handle_of(*stream), &graph), 0);
  EXPECT_EQ(w.device.allocate(1000, TENON_MEMORY_DEVICE, *stream), binned);
  w.device.deallocate(binned, 1000, TENON_MEMORY_DEVICE, *stream);
  const uint64_t before = fake_cuda()->device_bytes;
  w.device.deallocate(second, 1 << 20, TENON_MEMORY_DEVICE, *stream);
  w.device.trim(0);
  table.cuGraphDestroy(graph);
  fake_cuda_settle();
  w.device.synchronize();
  w.device.trim(0);
  EXPECT_LT(fake_cuda()->device_bytes, before) << "the graph and the array are gone";
}

}  // namespace fake
