// tests/streams/contract_test.cpp: the default stream and those of other frameworks, as the public headers promise them.
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
  // In turns, and nobody waits.
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
  OK(tenon_stream_wrap_kept(device_.get(), reinterpret_cast<uint64_t>(owner.stream.native()), [](void* user) {
    auto* self = static_cast<Owner*>(user);
    if (self->ended++ == 0) self->stream.destroy();
  }, &owner, &made));
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
  EXPECT_NE(tenon_stream_wrap_kept(device_.get(), 0x1000, [](void* user) { ++*static_cast<int*>(user); }, &ended, &made), TENON_OK);
  EXPECT_EQ(made, nullptr);
  EXPECT_EQ(ended, 0);
  fake_cuda()->misuses = 0;  // the handle of nothing
}

// A framework tells its current stream; calls with its arrays and no stream run there.
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
  copy(first, to, data(x.get()), kCount);  // the framework's next operation, nothing between
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
  fill(now, data(x.get()), kCount, 8);  // a write that Tenon does not see
  add_to(r.get(), x.get(), 1, side.get());
  EXPECT_EQ(value(r.get()), 9);
}

// The framework reuses what it gets back in the order of its stream, so it gets it back at once.
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
  tensor.pending.clear();  // the next tensor on that stream comes behind it
  EXPECT_EQ(value(r.get()), 6);
}

}  // namespace streams
