// tests/streams/contract_test.cpp: the default stream and those of other frameworks, as the public headers promise
// them.
#include <thread>
#include "support.hpp"

namespace streams {

class DefaultStream : public Streams {
 protected:
  uint64_t standard() {
    tenon_stream* stream = nullptr;
    EXPECT_OK(tenon_stream_default(device_.get(), &stream));
    test::StreamPtr owned(stream);
    return native(stream);
  }
};

TEST_F(DefaultStream, IsTheLegacyOneThatOthersAreOrderedWith) {
  EXPECT_LE(standard(), 1u);
  void* const blocking = other(true);
  test::ArrayPtr x = full(3);
  float* const at = data(x.get());
  float* const to = memory_.allocate(kCount, nullptr);
  // Alternately, and without waiting.
  scale(x.get(), 2);
  copy(kLegacy, to, at, kCount);
  fill(blocking, at, kCount, 5);
  scale(x.get(), 10);
  EXPECT_EQ(value(x.get()), 50);
  EXPECT_EQ(to[0], 6);
}

TEST_F(DefaultStream, IsANonBlockingOneOfTenonsOwnWhereTheContextAsksForIt) {
  close();
  open(TENON_CONTEXT_PRIVATE_STREAM);
  EXPECT_GT(standard(), 2u);
  // The legacy stream does not wait for it.
  test::ArrayPtr x = full(3);
  synchronize();
  scale(x.get(), 2);
  streams::synchronize(kLegacy);
  EXPECT_NE(fake_cuda_unfinished(data(x.get()), 4), nullptr);
  EXPECT_EQ(value(x.get()), 6);
}

class KeptStreams : public Streams {};

TEST_F(KeptStreams, EndOnceWhenTenonNeedsThemNoMore) {
  struct Owner {
    OtherStream stream;
    int ended = 0;
  } owner;
  tenon_stream* made = nullptr;
  OK(tenon_stream_wrap(
      device_.get(), reinterpret_cast<uint64_t>(owner.stream.native()),
      [](void* user) {
        auto* self = static_cast<Owner*>(user);
        if (self->ended++ == 0) self->stream.destroy();
      },
      &owner, &made));
  test::StreamPtr stream(made);
  test::ArrayPtr x = full(3, made), y = empty();
  add_to(y.get(), x.get(), 1, made);
  stream = nullptr;
  EXPECT_EQ(owner.ended, 0) << "memory remembers it";
  x = nullptr;
  EXPECT_EQ(value(y.get()), 4);
  y = nullptr;
  synchronize();
  close();
  EXPECT_EQ(owner.ended, 1);
}

TEST_F(KeptStreams, AFailedWrapConsumesNothing) {
  int ended = 0;
  tenon_stream* made = nullptr;
  EXPECT_NE(tenon_stream_wrap(
                device_.get(), 0x1000, [](void* user) { ++*static_cast<int*>(user); }, &ended, &made),
            TENON_OK);
  EXPECT_EQ(made, nullptr);
  EXPECT_EQ(ended, 0);
  fake_cuda()->misuses = 0;  // the handle is invalid
}

// Work that runs outside Tenon and is declared to it.
class Beside : public Streams {
 protected:
  // Floats of another library, ready on the stream; *ended counts when Tenon releases them.
  test::ArrayPtr wrapped_memory(float* data, tenon_stream* ready, int* ended) {
    tenon_buffer* made = nullptr;
    EXPECT_OK(tenon_buffer_wrap(
        device_.get(), data, kCount * sizeof(float), TENON_MEMORY_DEVICE, 0, ready,
        [](void* user) { ++*static_cast<int*>(user); }, ended, &made));
    const test::BufferPtr buffer(made);
    const int64_t n = kCount;
    tenon_array* out = nullptr;
    EXPECT_OK(tenon_array_from_buffer(made, TENON_FLOAT32, 1, &n, nullptr, 0, &out));
    return test::ArrayPtr(out);
  }
};

TEST_F(Beside, DeclaredUsesAreOrderedWithTenons) {
  void* const stream = other();
  test::StreamPtr wrapped = wrap(stream), ours = own();
  test::ArrayPtr x = full(3), y = empty();
  float* const to = memory_.allocate(kCount, nullptr);
  scale(x.get(), 2, ours.get());
  EXPECT_OK(tenon_array_use(x.get(), TENON_ACCESS_READ, wrapped.get()));
  copy(stream, to, data(x.get()), kCount);  // waits for the scaling
  scale(x.get(), 10, ours.get());           // waits for the copy
  EXPECT_OK(tenon_array_use(x.get(), TENON_ACCESS_WRITE, wrapped.get()));
  fill(stream, data(x.get()), kCount, 7);   // waits for the scaling
  add_to(y.get(), x.get(), 1, ours.get());  // waits for the filling
  EXPECT_EQ(value(y.get(), ours.get()), 8);
  EXPECT_OK(tenon_array_use(x.get(), TENON_ACCESS_WRITE, wrapped.get()));
  fill(stream, data(x.get()), kCount, 9);
  x = nullptr;  // its memory is only reused after that
  test::ArrayPtr z = full(1);
  EXPECT_EQ(value(z.get()), 1);
  streams::synchronize(stream);
  EXPECT_EQ(to[0], 6);
  EXPECT_EQ(value(z.get()), 1);
}

TEST_F(Beside, WrappedMemoryIsReadyWhereItsOwnerSays) {
  void* const stream = other();
  test::StreamPtr wrapped = wrap(stream), ours = own();
  float* const theirs = memory_.allocate(kCount, nullptr);
  fill(stream, theirs, kCount, 5);
  int ended = 0;
  test::ArrayPtr x = wrapped_memory(theirs, wrapped.get(), &ended), y = empty();
  add_to(y.get(), x.get(), 1, ours.get());
  EXPECT_EQ(value(y.get(), ours.get()), 6);
  x = nullptr;
  synchronize();
  EXPECT_EQ(ended, 1);
}

TEST_F(Beside, MemoryThatIsReadyInACaptureIsUsedThereAndElsewhereAfterIt) {
  void* const stream = other();
  test::StreamPtr wrapped = wrap(stream), ours = own();
  test::ArrayPtr y = empty();
  float* const theirs = memory_.allocate(kCount, nullptr);
  fill(stream, theirs, kCount, 5);
  synchronize();
  int ended = 0;
  OtherCapture capture(stream, kRelaxed);
  test::ArrayPtr x = wrapped_memory(theirs, wrapped.get(), &ended);
  scale(x.get(), 2, wrapped.get());
  EXPECT_EQ(TENON_ERROR_UNSUPPORTED, try_add_to(y.get(), x.get(), 1, ours.get()));
  const std::string why = tenon_error_last_message();
  EXPECT_NE(why.find("capturing into a graph"), std::string::npos) << why;
  test::ArrayPtr ready = wrapped_memory(theirs, ours.get(), &ended);  // declared by its owner
  add_to(y.get(), ready.get(), 1, ours.get());
  EXPECT_EQ(value(y.get(), ours.get()), 6);
  EXPECT_EQ(capture.end(), 0);
  capture.launch(stream);
  add_to(y.get(), x.get(), 1, ours.get());
  EXPECT_EQ(value(y.get(), ours.get()), 11);
  x = nullptr, ready = nullptr;
  synchronize();
  EXPECT_EQ(ended, 2);
}

TEST_F(Beside, EventsOfOthersAreWaitedForAndOursAreTheirs) {
  void* const stream = other();
  test::StreamPtr ours = own();
  test::ArrayPtr x = full(3), y = empty();
  synchronize();
  fill(stream, data(x.get()), kCount, 7);
  void* native = nullptr;
  {
    Outside outside;
    cuEventCreate(&native, 2);
    cuEventRecord(native, stream);
  }
  tenon_event* made = nullptr;
  static int ended;
  ended = 0;
  OK(tenon_event_wrap(
      device_.get(), reinterpret_cast<uint64_t>(native),
      [](void* event) {
        Outside outside;
        cuEventDestroy_v2(event);
        ++ended;
      },
      native, &made));
  test::EventPtr event(made);
  OK(tenon_stream_wait_event(ours.get(), made));
  add_to(y.get(), x.get(), 1, ours.get());
  OK(tenon_event_record(made, ours.get()));
  uint64_t handle = 0;
  OK(tenon_event_native(made, &handle));
  EXPECT_EQ(handle, reinterpret_cast<uint64_t>(native));
  {
    Outside outside;
    cuStreamWaitEvent(stream, native, 0);
  }
  float* const to = memory_.allocate(kCount, nullptr);
  copy(stream, to, data(y.get()), kCount);
  streams::synchronize(stream);
  EXPECT_EQ(to[0], 8);
  EXPECT_EQ(tenon_event_query(made), TENON_OK);
  event = nullptr;
  EXPECT_EQ(ended, 1);
  EXPECT_NE(tenon_event_wrap(device_.get(), 0, nullptr, nullptr, &made), TENON_OK);
  EXPECT_EQ(made, nullptr);
}

TEST_F(Beside, FunctionsOfTheHostRunWhenTheWorkBeforeThemIsDone) {
  struct Seen {
    float* at;
    float value = 0;
    int ends = 0;
  };
  test::StreamPtr ours = own();
  test::ArrayPtr x = full(3);
  float* const to = memory_.allocate(kCount, nullptr);
  Seen seen{to};
  scale(x.get(), 2, ours.get());
  void* const native_stream = reinterpret_cast<void*>(native(ours.get()));
  copy(native_stream, to, data(x.get()), kCount);
  OK(tenon_stream_call_host(
      ours.get(),
      [](void* user) {
        auto* self = static_cast<Seen*>(user);
        self->value = self->at[0];
      },
      [](void* user) { ++static_cast<Seen*>(user)->ends; }, &seen));
  EXPECT_EQ(seen.value, 0) << "not yet";
  EXPECT_EQ(seen.ends, 0);
  OK(tenon_stream_synchronize(ours.get()));
  EXPECT_EQ(seen.value, 6);
  EXPECT_EQ(seen.ends, 1);
  // A function that nobody waits for is not lost.
  OK(tenon_stream_call_host(ours.get(), [](void*) {}, [](void* user) { ++static_cast<Seen*>(user)->ends; }, &seen));
  ours = nullptr, x = nullptr;
  close();
  EXPECT_EQ(seen.ends, 2);
}

// A released graph keeps its functions until its launches are over, even where buffers do not order streams.
TEST_F(Beside, FunctionsOfAGraphOutliveItWhereStreamsAreNotTracked) {
  close();
  tenon_context_options options{};
  options.struct_size = sizeof options;
  options.flags = TENON_CONTEXT_NO_STREAM_TRACKING;
  tenon_context* made = nullptr;
  OK(tenon_context_create(&options, &made));
  test::ContextPtr context(made);
  test::DevicePtr gpu = test::device("cuda:0", made);
  struct Seen {
    int runs = 0, ends = 0;
  } seen;
  tenon_graph* graph = nullptr;
  tenon_stream *recording = nullptr, *stream = nullptr;
  OK(tenon_stream_create(gpu.get(), nullptr, &stream));
  test::StreamPtr ours(stream);
  OK(tenon_graph_create(gpu.get(), &graph));
  OK(tenon_graph_begin(graph, &recording));
  OK(tenon_stream_call_host(
      recording,
      [](void* user) {
        auto* self = static_cast<Seen*>(user);
        EXPECT_EQ(self->ends, 0);
        ++self->runs;
      },
      [](void* user) { ++static_cast<Seen*>(user)->ends; }, &seen));
  tenon_stream_release(recording);
  OK(tenon_graph_end(graph));
  for (int i = 0; i < 2; ++i) OK(tenon_graph_launch(graph, stream));
  tenon_graph_release(graph);
  EXPECT_EQ(seen.ends, 0) << "its launches are not over";
  OK(tenon_stream_synchronize(stream));
  EXPECT_EQ(seen.runs, 2);
  EXPECT_EQ(seen.ends, 1);
}

// Memory of the other library, which reuses it in the order of the streams.
class OnOtherMemory : public Beside {
 protected:
  static inline int live, ended;
  static inline uint64_t most;

  tenon_allocator allocator() {
    live = ended = 0, most = 0;
    tenon_allocator out{};
    out.struct_size = sizeof out;
    out.user = &memory_;
    out.allocate = [](void* user, int32_t kind, int32_t index, uint64_t bytes, uint64_t stream,
                      void** out_data) -> int32_t {
      EXPECT_EQ(kind, TENON_DEVICE_CUDA);
      EXPECT_EQ(index, 0);
      *out_data = static_cast<OtherMemory*>(user)->allocate(bytes / 4, reinterpret_cast<void*>(stream));
      ++live;
      most = std::max(most, bytes);
      return 0;
    };
    out.deallocate = [](void* user, int32_t, int32_t, void* data, uint64_t, uint64_t) {
      static_cast<OtherMemory*>(user)->give_back(static_cast<float*>(data));
      --live;
    };
    out.destroy = [](void*) { ++ended; };
    return out;
  }
};

TEST_F(OnOtherMemory, AContextLives) {
  close();
  const tenon_allocator allocator = this->allocator();
  allocator_ = &allocator;
  open();
  {
    test::StreamPtr ours = own();
    test::ArrayPtr x = full(3), large = full(2, ours.get(), 20 << 20);
    EXPECT_GE(live, 2);
    scale(x.get(), 2, ours.get());
    EXPECT_EQ(value(x.get()), 6);
    EXPECT_EQ(value(large.get(), ours.get()), 2);
  }
  close();
  EXPECT_EQ(live, 0);
  EXPECT_EQ(ended, 1);
}

TEST_F(OnOtherMemory, ADeviceLives) {
  close();
  const tenon_allocator allocator = this->allocator();
  device_allocator_ = &allocator;
  open();
  FAILS(TENON_ERROR_UNSUPPORTED, "cuda:0 has an allocator already",
        tenon_device_use_allocator(device_.get(), &allocator));
  {
    test::ArrayPtr x = full(3);
    EXPECT_GE(live, 1);
    scale(x.get(), 2);
    EXPECT_EQ(value(x.get()), 6);
  }
  // What the other library could use elsewhere goes back at once, and small blocks on request.
  const int before = live;
  for (int i = 0; i < 3; ++i) full(1, nullptr, 2 << 20).reset();
  EXPECT_EQ(most, 8u << 20) << "and is not rounded up to a size class";
  EXPECT_EQ(live, before);
  OK(tenon_device_trim_memory(device_.get(), 0));
  EXPECT_LT(live, before);
  close();
  EXPECT_EQ(live, 0);
  EXPECT_EQ(ended, 1);
}

TEST_F(OnOtherMemory, AStreamIsNotDestroyedWhileItsFreedMemoryIsInUse) {
  close();
  const tenon_allocator allocator = this->allocator();
  device_allocator_ = &allocator;
  open();
  const int before = fake_cuda()->streams;
  test::StreamPtr ours = own();
  test::ArrayPtr large = full(2, ours.get(), 2 << 20);
  scale(large.get(), 2, ours.get());
  const int with = fake_cuda()->streams;
  EXPECT_GT(with, before);
  large.reset();
  ours.reset();
  EXPECT_EQ(fake_cuda()->streams, with) << "a new stream with its handle would get the memory too early";
  synchronize();
  EXPECT_EQ(fake_cuda()->streams, before);
}

TEST_F(Beside, AnAllocatorComesTooLate) {
  tenon_allocator allocator{};
  allocator.struct_size = sizeof allocator;
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "the allocator has no allocate function",
        tenon_device_use_allocator(device_.get(), &allocator));
  allocator.allocate = [](void*, int32_t, int32_t, uint64_t, uint64_t, void**) -> int32_t { return 1; };
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "the allocator has no deallocate function",
        tenon_device_use_allocator(device_.get(), &allocator));
  allocator.deallocate = [](void*, int32_t, int32_t, void*, uint64_t, uint64_t) {};
  FAILS(TENON_ERROR_UNSUPPORTED, "cuda:0 has already allocated memory of its own: give it an allocator before",
        tenon_device_use_allocator(device_.get(), &allocator));
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "allocator", tenon_device_use_allocator(device_.get(), nullptr));
}

// A framework reports its current stream; calls with its arrays and no stream run there.
class Following : public Streams {
 protected:
  static inline void* now = nullptr;
  static inline int asked = 0;
  static int32_t current(int32_t type, int32_t id, void** out) {
    EXPECT_EQ(type, 2);
    EXPECT_EQ(id, 0);
    ++asked;
    *out = now;
    return 0;
  }
  test::ArrayPtr followed(float value) {
    Lent& tensor = lend(now, value);
    test::ArrayPtr array = take(tensor, wrap(now).get());
    EXPECT_OK(tenon_array_follow(array.get(), current));
    return array;
  }
  void SetUp() override {
    Streams::SetUp();
    now = other();
    asked = 0;
  }
};

TEST_F(Following, CallsWithoutAStreamRunOnTheCurrentOne) {
  void* const first = now;
  void* const second = other();
  test::ArrayPtr x = followed(3);
  float* const to = memory_.allocate(kCount, first);
  scale(x.get(), 2);
  copy(first, to, data(x.get()), kCount);  // the framework's next operation, without anything in between
  EXPECT_GE(asked, 1);
  const int before = asked;
  now = second;
  order(first, second);
  scale(x.get(), 5);
  EXPECT_GT(asked, before) << "asked anew at each call";
  fill(second, data(x.get()), kCount, 7);
  EXPECT_EQ(value(x.get()), 7);
  streams::synchronize(first);
  EXPECT_EQ(to[0], 6);
}

TEST_F(Following, UsesOnOtherStreamsAreOrderedBehindIt) {
  test::ArrayPtr x = followed(3), r = empty();
  test::StreamPtr side = own();
  fill(now, data(x.get()), kCount, 8);  // a write that Tenon cannot see
  add_to(r.get(), x.get(), 1, side.get());
  EXPECT_EQ(value(r.get()), 9);
}

TEST_F(Following, ConsumersOfAnExportAreOrderedBehindIt) {
  test::ArrayPtr x = followed(3);
  void* const consumer = other();
  fill(now, data(x.get()), kCount, 8);  // a write that Tenon cannot see
  DLManagedTensorVersioned* lent = give(x.get(), wrap(consumer).get());
  float* const to = memory_.allocate(kCount, consumer);
  copy(consumer, to, static_cast<float*>(lent->tensor.data), kCount);
  lent->deleter(lent);
  streams::synchronize(consumer);
  EXPECT_EQ(to[0], 8);
}

// The framework reuses released memory in the order of its stream, so it gets the memory back at once.
TEST_F(Following, TheNextOwnerOfTheMemoryComesBehindTheCall) {
  void* const first = now;
  Lent& tensor = lend(first, 5);
  test::ArrayPtr r = empty();
  synchronize();
  {
    test::ArrayPtr x = take(tensor, wrap(first).get());
    EXPECT_OK(tenon_array_follow(x.get(), current));
    add_to(r.get(), x.get(), 1);
  }
  EXPECT_EQ(tensor.returned, 1) << "work on the framework's own stream does not delay its end";
  tensor.pending.clear();  // the next tensor on that stream is ordered behind it
  EXPECT_EQ(value(r.get()), 6);
}

}  // namespace streams
