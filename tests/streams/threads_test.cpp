// tests/streams/threads_test.cpp: the same invariant when threads are really inside at the same time. What they do to
// the elements is ordered by who shares them; who used a buffer is Tenon's to keep.
#include <atomic>
#include <chrono>
#include <random>
#include <thread>
#include "support.hpp"

namespace streams {

class Threads : public Streams {
 protected:
  static constexpr int kThreads = 8;
  void together(const std::function<void(int)>& work) {
    std::atomic<int> ready{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t)
      threads.emplace_back([&, t] {
        for (++ready; ready < kThreads;) std::this_thread::yield();
        work(t);
      });
    for (std::thread& thread : threads) thread.join();
  }
};

// Many threads read one array on streams of their own; a write afterwards waits for each of them.
TEST_F(Threads, NoReaderOfASharedArrayIsLost) {
  for (int round = 0; round < 150; ++round) {
    test::ArrayPtr shared = full(float(round));
    std::vector<test::StreamPtr> streams;
    std::vector<std::vector<test::ArrayPtr>> results(kThreads);
    std::vector<void*> natives;
    for (int t = 0; t < kThreads; ++t) {
      streams.push_back(own());
      natives.push_back(reinterpret_cast<void*>(native(streams.back().get())));
      for (int i = 0; i < 3; ++i) results[size_t(t)].push_back(empty());
    }
    synchronize();
    together([&](int t) {
      for (auto& result : results[size_t(t)]) add_to(result.get(), shared.get(), 1, streams[size_t(t)].get());
    });
    EXPECT_OK(tenon_array_fill(shared.get(), test::number(-1), nullptr));
    ASSERT_EQ(fake_cuda()->races, 0) << fake_cuda()->race;
    for (auto& list : results)
      for (auto& result : list) ASSERT_EQ(value(result.get()), float(round + 1));
  }
}

// A use orders its stream behind the earlier ones and is then recorded, as one unit: while one thread is in the driver
// for that, no other thread gets there for the same array. (In a wrong implementation it may get there later than the
// test looks, and the test passes; a correct one always passes.)
TEST_F(Threads, AUseIsWholeBeforeTheNextOneOfTheArrayBegins) {
  const test::StreamPtr writer = own(), reader = own(), other = own();
  const test::ArrayPtr x = full(1), shared = empty(), read = empty();
  synchronize();
  add_to(shared.get(), x.get(), 1, writer.get());
  add_to(read.get(), shared.get(), 1, reader.get());
  fake_cuda()->hangs_in = "cuStreamWaitEvent";
  std::thread first([&] { add_to(shared.get(), x.get(), 2, writer.get()); });  // waits for the reader
  while (fake_cuda()->hanging < 1) std::this_thread::yield();
  // Would wait for the writer. Only a use: the order of two threads' work on one array is up to these threads.
  std::thread second([&] { EXPECT_OK(tenon_array_use(shared.get(), TENON_ACCESS_READ, other.get())); });
  for (int i = 0; i < 200 && fake_cuda()->hanging < 2; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(fake_cuda()->hanging, 1);
  fake_cuda()->hangs_in = nullptr;
  first.join();
  second.join();
  EXPECT_EQ(value(read.get()), 3);
}

// Everything at once: arrays are made, used on many kinds of streams, lent, imported, and released by threads other
// than those that made them.
TEST_F(Threads, ArraysOfManyThreadsKeepTheirValues) {
  std::mutex mutex;
  std::vector<test::ArrayPtr> to_drop;
  std::vector<void*> others;
  for (int t = 0; t < kThreads; ++t) others.push_back(other(t % 4 == 3));
  test::ArrayPtr shared = full(1);
  synchronize();
  std::atomic<int> wrong{0};
  std::vector<std::vector<Lent*>> lent(kThreads);
  for (int t = 0; t < kThreads; ++t)
    for (int i = 0; i < 30; ++i) lent[size_t(t)].push_back(&lend(others[size_t(t)], float(i)));
  together([&](int t) {
    std::mt19937 random{unsigned(t)};
    for (int i = 0; i < 30; ++i) {
      const auto stream = [&]() -> test::StreamPtr {
        switch (random() % 4) {
          case 0: return own();
          case 1: return wrap(others[random() % others.size()]);
          case 2: return wrap(kPerThread);
        }
        return nullptr;
      };
      test::StreamPtr s = stream(), r = stream();
      test::ArrayPtr a = full(float(i), s.get()), b = empty(r.get()), c = empty();
      add_to(b.get(), a.get(), 1, r.get());
      add_to(c.get(), shared.get(), float(t), s.get());
      test::ArrayPtr taken = take(*lent[size_t(t)][size_t(i)], wrap(others[size_t(t)]).get());
      test::ArrayPtr read = copy_of(taken.get(), r.get());
      {
        std::lock_guard lock(mutex);
        to_drop.push_back(std::move(a));
        to_drop.push_back(std::move(taken));
        while (to_drop.size() > 4) {
          std::swap(to_drop[random() % to_drop.size()], to_drop.back());
          to_drop.pop_back();
        }
      }
      wrong += value(b.get(), r.get()) != float(i + 1);
      wrong += value(c.get(), s.get()) != float(1 + t);
      wrong += value(read.get(), r.get()) != float(i);
    }
  });
  to_drop.clear();
  EXPECT_EQ(wrong, 0);
}

}  // namespace streams
