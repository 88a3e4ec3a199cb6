// tests/fake_cuda/driver/order.hpp: which operation happens before which, and who touched which bytes last. Each stream
// and the host count their operations; a clock says how many of each one's operations are known to be over. An access
// conflicts with an earlier one to the same bytes (not both reading) unless its clock covers that one: then nothing
// orders the two.
#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace fake {

class Clock {
 public:
  uint32_t of(size_t agent) const { return agent < counts_.size() ? counts_[agent] : 0; }
  uint32_t tick(size_t agent) {
    if (agent >= counts_.size()) counts_.resize(agent + 1);
    return ++counts_[agent];
  }
  void set(size_t agent, uint32_t count) {
    if (agent >= counts_.size()) counts_.resize(agent + 1);
    counts_[agent] = count;
  }
  void join(const Clock& other) {
    if (other.counts_.size() > counts_.size()) counts_.resize(other.counts_.size());
    for (size_t i = 0; i < other.counts_.size(); ++i) counts_[i] = std::max(counts_[i], other.counts_[i]);
  }

 private:
  std::vector<uint32_t> counts_;
};

// One operation, as described in the report of a race.
struct Mark {
  uint32_t agent = 0, count = 0;
  uint64_t stream = 0;         // its id; 0: the host
  uint64_t number = 0;         // of the operation, counted over all streams
  const char* name = nullptr;  // "cuMemcpyAsync", a kernel; lives for ever
  bool before(const Clock& clock) const { return count <= clock.of(agent); }
  std::string text() const {
    return std::string(name) + (stream ? " on stream " + std::to_string(stream) : " by the host") + " (operation " +
           std::to_string(number) + ")";
  }
};

struct Range {
  uintptr_t begin = 0, end = 0;
  bool write = false;
};

// The last write of every byte, and the reads since then.
class Shadow {
 public:
  // Reports the first conflict, and records the access.
  void access(const Range& range, const Mark& mark, const Clock& clock,
              const std::function<void(const std::string&)>& race) {
    if (range.begin >= range.end) return;
    split(range.begin), split(range.end);
    const auto first = segments_.lower_bound(range.begin);
    bool told = false;
    for (auto it = first; it != segments_.end() && it->first < range.end; ++it) {
      const auto conflict = [&](const Mark& earlier, const char* did) {
        if (told || earlier.before(clock)) return;
        told = true;
        char where[64];
        snprintf(where, sizeof where, "%#llx", static_cast<unsigned long long>(it->first));
        race(mark.text() + (range.write ? " writes " : " reads ") + where + ", which " + earlier.text() + did +
             ", and nothing orders the two");
      };
      if (it->second.written) conflict(it->second.write, " wrote");
      if (range.write)
        for (const Mark& read : it->second.reads) conflict(read, " read");
    }
    if (range.write) {
      segments_.erase(first, segments_.lower_bound(range.end));
      segments_[range.begin] = {range.end, true, mark, {}};
      return;
    }
    uintptr_t at = range.begin;
    for (auto it = first; it != segments_.end() && it->first < range.end; ++it) {
      if (at < it->first) segments_.insert(it, {at, {it->first, false, {}, {mark}}});
      auto& reads = it->second.reads;
      std::erase_if(reads, [&](const Mark& read) { return read.agent == mark.agent || read.before(clock); });
      reads.push_back(mark);
      at = it->second.end;
    }
    if (at < range.end) segments_[at] = {range.end, false, {}, {mark}};
  }

  void forget(uintptr_t begin, uintptr_t end) {
    split(begin), split(end);
    segments_.erase(segments_.lower_bound(begin), segments_.lower_bound(end));
  }
  void clear() { segments_.clear(); }

 private:
  struct Segment {
    uintptr_t end;
    bool written;
    Mark write;
    std::vector<Mark> reads;
  };
  void split(uintptr_t at) {
    auto next = segments_.lower_bound(at);
    if (next == segments_.begin()) return;
    auto& [begin, segment] = *std::prev(next);
    if (segment.end <= at) return;
    Segment rest = segment;
    segment.end = at;
    segments_.insert(next, {at, std::move(rest)});
  }
  std::map<uintptr_t, Segment> segments_;
};

}  // namespace fake
