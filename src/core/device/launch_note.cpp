// core/device/launch_note.cpp: notes about launches, and their conversion to sentences.
#include "core/device/launch_note.hpp"

#include <algorithm>
#include <cstring>
#include <vector>
#include "base/half.hpp"
#include "core/dtype.hpp"

namespace tenon {
namespace {

constexpr uint32_t kNoGeometry = ~0u, kNoArguments = ~0u - 1;  // stored in place of the number of arguments

uint64_t pair(uint32_t low, uint32_t high) { return uint64_t(high) << 32 | low; }
uint32_t low(uint64_t word) { return uint32_t(word); }
uint32_t high(uint64_t word) { return uint32_t(word >> 32); }

std::string extents(uint32_t x, uint32_t y, uint32_t z) {
  return y == 1 && z == 1 ? format("%u", x) : format("(%u, %u, %u)", x, y, z);
}

template <class T> T bits(uint64_t value) {
  T out;
  std::memcpy(&out, &value, sizeof out);
  return out;
}

std::string scalar(Dtype dtype, uint64_t value) {
  switch (dtype) {
    case TENON_BOOL: return value & 0xff ? "true" : "false";
    case TENON_INT8: return format("%d", int(bits<int8_t>(value)));
    case TENON_INT16: return format("%d", int(bits<int16_t>(value)));
    case TENON_INT32: return format("%d", bits<int32_t>(value));
    case TENON_INT64: return format("%lld", static_cast<long long>(value));
    case TENON_UINT8: return format("%u", unsigned(bits<uint8_t>(value)));
    case TENON_UINT16: return format("%u", unsigned(bits<uint16_t>(value)));
    case TENON_UINT32: return format("%u", bits<uint32_t>(value));
    case TENON_UINT64: return format("%llu", static_cast<unsigned long long>(value));
    case TENON_FLOAT32: return format("%.9g", double(bits<float>(value)));
    case TENON_FLOAT64: return format("%.17g", bits<double>(value));
    default: return format("%s 0x%llx", dtype_name(dtype).c_str(), static_cast<unsigned long long>(value));
  }
}

std::string argument(uint64_t shape, uint64_t value) {
  const uint32_t bytes = low(shape) >> 8, kind = low(shape) & 0xff;
  if (kind == TENON_PARAMETER_POINTER) return value ? format("0x%llx", static_cast<unsigned long long>(value)) : "NULL";
  if (kind == TENON_PARAMETER_SCALAR) return scalar(high(shape), value);
  return format("{%u bytes}", bytes);
}

}  // namespace

LaunchNote::LaunchNote(const char* name) noexcept {
  words_[0] = reinterpret_cast<uint64_t>(name);
  words_[4] = pair(0, kNoGeometry);
}

LaunchNote::LaunchNote(const char* name, const Geometry& g, const Values& values) noexcept {
  words_[0] = reinterpret_cast<uint64_t>(name);
  words_[1] = pair(g.grid[0], g.grid[1]);
  words_[2] = pair(g.grid[2], g.block[0]);
  words_[3] = pair(g.block[1], g.block[2]);
  words_[4] = pair(g.shared_bytes, values.shapes ? values.count : kNoArguments);
  if (!values.shapes) return;
  for (uint32_t i = 0; i < std::min(values.count, kArguments); ++i) {
    const ValueShape& shape = values.shapes[i];
    words_[kHead + 2 * i] = pair(shape.bytes << 8 | uint32_t(shape.kind), shape.dtype);
    std::memcpy(&words_[kHead + 2 * i + 1], values.values[i], std::min<size_t>(shape.bytes, 8));
  }
}

size_t LaunchNote::used() const noexcept {
  const uint32_t count = high(words_[4]);
  return count >= kNoArguments ? kHead : kHead + 2 * std::min(count, kArguments);
}

std::string LaunchNote::text() const {
  std::string out = reinterpret_cast<const char*>(words_[0]);
  const uint32_t count = high(words_[4]), shared = low(words_[4]);
  if (count == kNoGeometry) return out;
  out += "<<<" + extents(low(words_[1]), high(words_[1]), low(words_[2])) + ", " +
         extents(high(words_[2]), low(words_[3]), high(words_[3]));
  if (shared) out += format(", %u", shared);
  out += ">>>";
  if (count == kNoArguments) return out;
  for (uint32_t i = 0; i < std::min(count, kArguments); ++i)
    out += (i ? ", " : "(") + argument(words_[kHead + 2 * i], words_[kHead + 2 * i + 1]);
  return out + (count > kArguments ? ", ...)" : count ? ")" : "()");
}

void LaunchRing::note(const LaunchNote& launch) noexcept {
  Entry& entry = entries_[next_.fetch_add(1, std::memory_order_relaxed) % kEntries];
  const uint32_t turn = entry.turn.load(std::memory_order_relaxed);
  entry.turn.store(turn | 1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  for (size_t i = 0; i < launch.used(); ++i) entry.words[i].store(launch.words_[i], std::memory_order_relaxed);
  entry.turn.store((turn | 1) + 1, std::memory_order_release);
}

std::string LaunchRing::text() const {
  std::vector<std::string> texts;
  const unsigned next = next_.load(std::memory_order_relaxed);
  for (unsigned i = 1; i <= kEntries; ++i) {
    const Entry& entry = entries_[(next - i) % kEntries];
    LaunchNote::Words words;
    const uint32_t before = entry.turn.load(std::memory_order_acquire);
    for (size_t w = 0; w < words.size(); ++w) words[w] = entry.words[w].load(std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_acquire);
    if (before == 0 || before & 1 || entry.turn.load(std::memory_order_relaxed) != before) continue;
    std::string text = LaunchNote(words).text();
    if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(std::move(text));
  }
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : ", ") + text;
  return out;
}

}  // namespace tenon
