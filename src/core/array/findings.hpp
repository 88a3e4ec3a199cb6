// core/array/findings.hpp: what the device finds while it works, such as an index out of range: numbers that kernels
// write, and the errors that they mean, which are thrown at the end of the call or, in a context that defers errors,
// later.
#pragma once
#include <functional>
#include <vector>
#include "core/device/finding_slots.hpp"
#include "core/object.hpp"

namespace tenon {

class Array;
class Stream;

class Findings {
 public:
  // later: see defer.
  explicit Findings(Stream& stream, bool later = false);
  ~Findings();
  Findings(const Findings&) = delete;

  // For the caller's work, which reports there what it finds; `verdict` gets that number and throws. Successive places
  // are next to each other; a call has at most kFindings.
  tenon_finding* place(std::function<void(int64_t)> verdict);

  // Waits, and throws the first error found. Does not wait if there was nothing to check.
  void settle();
  // The same, for work that must not begin with what is wrong; does nothing in a context that defers errors.
  void settle_unless_deferred();
  // The same; with `later`, in a context that defers errors, returns at once: the next wait for the stream throws.
  void defer();

 protected:
  using Verdict = std::function<void(int64_t)>;  // gets the number that the device found; throws
  Stream& stream_;

 private:
  void begin();  // gets memory for the findings
  bool may_defer() const;

  const bool later_;
  FindingSlots::Slot slot_;  // of a call that waits, if one is free
  Ref<Array> words_;         // else: int64, two for each finding
  std::vector<Verdict> verdicts_;
};

}  // namespace tenon
