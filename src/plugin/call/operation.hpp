// plugin/call/operation.hpp: an operation of a package on a context: what the generic call runs.
#pragma once
#include <atomic>
#include <functional>
#include <memory>
#include <tenon/plugin.h>
#include "core/device/context.hpp"
#include "kernel/recorded_call.hpp"
#include "plugin/package/package.hpp"

namespace tenon {

namespace plugin {
class TuningTable;
class CallArrays;
class CallFrame;
class CallKey;
class CallPlan;
class CallPlans;
class StepRunner;
struct Frame;
struct PlannedStep;
}  // namespace plugin

class BoundOperation;

class Operation final : public Object {
 public:
  // mode: of its programs, TENON_PROGRAM_MODE_FAST ...
  Operation(Context& context, Ref<Package> package, const plugin::OperationContract& contract,
            int32_t mode = TENON_PROGRAM_MODE_FAST);
  ~Operation() override;

  Context& context() const { return *context_; }
  Package& package() const { return *package_; }
  const plugin::OperationContract& contract() const { return contract_; }
  const std::string& title() const { return title_; }  // "image/blur"
  std::string describe() const;
  tenon_operation_info info() const;
  tenon_operation_parameter_info parameter(int32_t index) const;
  Ref<Operation> gradient() const;  // throws NOT_FOUND

  // As specified in tenon/plugin.h.
  void call(const CallArgument* args, int32_t count, Stream* stream);
  void record(const CallArgument* args, int32_t count, Stream& stream);  // a call on a recording stream
  Ref<Array> output(const CallArgument* args, int32_t count, int32_t index, Stream* stream);
  // tunables: their values for this call, in the contract's order; NULL: as for calls.
  Ref<BoundOperation> bind(const CallArgument* args, int32_t count, Stream* stream, const int64_t* tunables = nullptr);
  void prepare(const CallArgument* args, int32_t count);
  // Tasks that compile every instance that depends only on dtypes and default tunables; they can run in any order.
  std::vector<std::function<void()>> compiles(Device& device);
  void tune(const std::string& name, int64_t value);
  int64_t tuned(const std::string& name) const;

  bool has_kernels() const { return has_kernels_; }  // or host code: arrays are contiguous
  // The tunables of a call on that device: from its tuning record, else as set, else the defaults. given: used instead.
  void read_tunables(plugin::Frame& frame, const Device* device, const int64_t* given) const;
  // The tuning records; read on first use, and again after tuning.
  const plugin::TuningTable& tuning() const;
  void forget_tuning();

 private:
  template <class F> void each_step(plugin::CallFrame& frame, F&& body);
  bool may_take_record() const;
  std::vector<int64_t> default_tunables() const;
  std::shared_ptr<plugin::CallPlan> evaluate(const plugin::CallKey& key, const plugin::CallArrays& arrays,
                                             const CallArgument* args, const int64_t* tunables);
  // If a launch with a tuning record's values fails, for example for shapes that were not measured, the defaults are
  // used.
  std::shared_ptr<plugin::CallPlan> evaluate_by_record(const plugin::CallKey& key, const plugin::CallArrays& arrays,
                                                       const CallArgument* args);
  // The plan of a call with these arguments: an earlier one, or newly evaluated. tunables: their values; NULL: they are
  // looked up.
  std::shared_ptr<const plugin::CallPlan> plan(const plugin::CallArrays& arrays, const CallArgument* args,
                                               const int64_t* tunables = nullptr);
  size_t tunable(const std::string& name) const;
  Ref<Context> context_;
  Ref<Package> package_;
  const plugin::OperationContract& contract_;
  std::string title_;
  bool has_kernels_ = false;
  std::vector<std::unique_ptr<plugin::StepRunner>> steps_;
  const std::unique_ptr<plugin::CallPlans> plans_;
  std::atomic<uint32_t> tuning_generation_{0};  // changes when tunables may have other values
  std::vector<std::atomic<int64_t>> tunables_;
  std::atomic<bool> tuned_by_hand_{false};
  mutable std::atomic<const plugin::TuningTable*> tuning_{nullptr};
  mutable std::mutex tuning_mutex_;
  mutable std::vector<std::unique_ptr<const plugin::TuningTable>> tables_;  // calls may be reading an earlier one
};

// A call whose arguments are checked and whose temporaries are made once, and which can be launched many times.
class BoundOperation final : public BoundCall {
 public:
  explicit BoundOperation(Ref<Operation> operation);
  // The arguments that it was bound with, for changes.
  void keep(const CallArgument* args, int32_t count) { kept_ = KeptArguments(args, count); }
  Device& device() const override { return *device_; }
  void open() const override;
  void launch(Stream& stream) override;
  Ref<BoundCall> clone() const override;
  int32_t parameter_count() const override { return int32_t(operation_->contract().parameters.size()); }
  void set(int32_t index, const CallArgument& arg) override;
  void set_all(const CallArgument* args, int32_t count) override;
  void set_launch(const Geometry& launch) override;
  const plugin::CallPlan& plan() const { return *plan_; }

 private:
  friend class Operation;
  ~BoundOperation() override;
  struct Step {
    Ref<Call> call;                                // of a kernel
    const plugin::PlannedStep* planned = nullptr;  // of an expression
  };
  Ref<Operation> operation_;
  Device* device_ = nullptr;
  KeptArguments kept_;
  std::shared_ptr<const plugin::CallPlan> plan_;
  std::unique_ptr<plugin::CallArrays> arrays_;  // temporaries and copies, too
  std::vector<Step> steps_;
};

}  // namespace tenon
