// plugin/call/plan.hpp: a call evaluated: what is launched, in order, with which numbers, and whose arrays. Calls that
// differ only in their arrays' memory share one: a contract's expressions are evaluated once per set of shapes
// and scalars.
#pragma once
#include <array>
#include "plugin/call/step_runner.hpp"

namespace tenon::plugin {

class CallArrays;
constexpr int32_t kMostArguments = kMaxOperands + 32;  // of a step

// Everything that an evaluation reads: device, dtypes, shapes, strides, scalars, lists, and the generation of the
// tunables' values.
class CallKey {
 public:
  CallKey(const CallArrays& arrays, const CallArgument* args, uint32_t tuning);
  // False: the key is too long, or the arguments will be refused.
  bool complete() const { return complete_; }
  std::span<const uint64_t> words() const { return {words_, count_}; }

 private:
  void put(uint64_t word);
  void put_bytes(const void* bytes, uint64_t size);
  void put_extents(const Dims& extents) { put_bytes(extents.data(), uint64_t(extents.size()) * sizeof(int64_t)); }
  void put_array(const Array& array);
  void put_scalar(const Declared& parameter, const CallArgument& arg);
  uint64_t words_[192];
  size_t count_ = 0;
  bool complete_ = true;
};

struct PlannedArray {
  int32_t operand;
  Dtype dtype;
  Dims shape;
};

struct PlannedStep {
  StepRunner* runner = nullptr;
  const KernelInstance* instance = nullptr;  // NULL: an expression, or host code
  Geometry geometry{};
  std::vector<CallArgument> args;  // without the arrays
  std::vector<int32_t> operands;   // per argument: the index of the array that it gets; -1: it is complete
  std::vector<int32_t> axes;
  std::vector<uint64_t> bytes;  // the memory to which arguments point

  int32_t count() const { return int32_t(args.size()); }
  void put(const CallArgument& arg, int32_t operand = -1);
  void put_array(int32_t operand, uint32_t kind = TENON_ARG_ARRAY) {
    put(CallArgument{kind, 0, 0, nullptr, {}}, operand);
  }
  void own_bytes();  // from now on arguments point to memory in `bytes`
  void fill(const CallArrays& arrays, CallArgument* to) const;
  void launch(const CallArrays& arrays, Stream& stream) const;
};

class CallPlan {
 public:
  // From an evaluated frame; steps are added afterwards.
  CallPlan(const CallKey& key, const CallFrame& frame);
  CallPlan(const CallPlan&) = delete;
  void add(PlannedStep step) { steps_.push_back(std::move(step)); }

  const std::vector<PlannedStep>& steps() const { return steps_; }
  const std::vector<PlannedArray>& outputs() const { return outputs_; }
  const std::vector<PlannedArray>& temporaries() const { return temporaries_; }
  const std::vector<int64_t>& tunables() const { return tunables_; }
  const std::vector<std::vector<double>>& tuned_scalars() const {
    return tuned_scalars_;
  }  // the values in a tuning record
  std::span<const uint64_t> key() const { return key_; }
  // Whether the plan was made for the same given outputs.
  bool fits(const CallArrays& arrays) const;
  void launch(const CallArrays& arrays, Stream& stream) const;

 private:
  std::vector<uint64_t> key_;
  std::vector<PlannedArray> outputs_, temporaries_;
  std::vector<int64_t> tunables_;
  std::vector<std::vector<double>> tuned_scalars_;
  std::vector<PlannedStep> steps_;
};

// The plans of the most recent calls.
class CallPlans {
 public:
  std::shared_ptr<const CallPlan> find(const CallKey& key) const;
  void keep(std::shared_ptr<const CallPlan> plan);

 private:
  static size_t slot_of(std::span<const uint64_t> key);
  std::array<std::atomic<std::shared_ptr<const CallPlan>>, 8> slots_;
};

}  // namespace tenon::plugin
