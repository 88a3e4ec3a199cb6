// core/device/launch_note.hpp: a launch, recorded in a few words of memory, and converted to a sentence only when one
// is needed.
#pragma once
#include <array>
#include <atomic>
#include <string>
#include "core/device/backend.hpp"

namespace tenon {

// "saxpy<<<4, 256>>>(2.5, 0x7f0000, 0x7f4000, 1000)": name, geometry and the first arguments of a launch.
class LaunchNote {
 public:
  static constexpr uint32_t kArguments = 8;
  static constexpr size_t kHead = 5, kWords = kHead + 2 * kArguments;
  using Words = std::array<uint64_t, kWords>;

  LaunchNote() = default;
  // The name must live as long as the process (kept_name).
  LaunchNote(const char* name, const Geometry& geometry, const Values& values) noexcept;
  explicit LaunchNote(const char* name) noexcept;  // work other than a launch
  explicit LaunchNote(const Words& words) : words_(words) {}
  std::string text() const;

 private:
  friend class LaunchRing;
  size_t used() const noexcept;
  Words words_{};
};

// The most recent launches. Any thread may write; noting a launch costs about twenty stores.
class LaunchRing {
 public:
  void note(const LaunchNote& launch) noexcept;
  std::string text() const;  // most recent first; "" if there were none

 private:
  static constexpr unsigned kEntries = 8;
  struct Entry {
    std::atomic<uint32_t> turn{0};  // odd while the entry is being written
    std::array<std::atomic<uint64_t>, LaunchNote::kWords> words{};
  };
  std::atomic<unsigned> next_{0};
  Entry entries_[kEntries];
};

}  // namespace tenon
