// plugin/operation.hpp: an operation of a package on a context: what the generic call runs.
#pragma once
#include <atomic>
#include <functional>
#include <memory>
#include <tenon/plugin.h>
#include "core/context.hpp"
#include "kernel/program.hpp"
#include "plugin/package.hpp"

namespace tenon {

namespace plugin {
class TuningTable;
class CallFrame;
class StepRunner;
struct Frame;
}  // namespace plugin

class BoundOperation;

class Operation final : public Object {
 public:
  Operation(Context& context, Ref<Package> package, const plugin::OperationContract& contract);
  ~Operation() override;

  Context& context() const { return *context_; }
  Package& package() const { return *package_; }
  const plugin::OperationContract& contract() const { return contract_; }
  const std::string& title() const { return title_; }  // "image/blur"
  std::string describe() const;
  tenon_operation_info info() const;
  tenon_operation_parameter_info parameter(int32_t index) const;
  Ref<Operation> gradient() const;  // throws NOT_FOUND

  // As tenon/plugin.h promises them.
  void call(const tenon_arg* args, int32_t count, Stream* stream);
  Ref<Array> output(const tenon_arg* args, int32_t count, int32_t index, Stream* stream);
  // tunables: their values for this one, in the contract's order; NULL: as for calls.
  Ref<BoundOperation> bind(const tenon_arg* args, int32_t count, Stream* stream, const int64_t* tunables = nullptr);
  void prepare(const tenon_arg* args, int32_t count);
  // Every instance that dtypes and default tunables decide, as things to be done in any order.
  std::vector<std::function<void()>> compiles(Device& device);
  void tune(const std::string& name, int64_t value);
  int64_t tuned(const std::string& name) const;

  bool has_kernels() const { return has_kernels_; }  // or host code: arrays are contiguous
  // Of a call on that device: its record of tuning, else what was set, else the defaults. given: those instead.
  void read_tunables(plugin::Frame& frame, const Device* device, const int64_t* given) const;
  // The records; read at first use, and again after tuning.
  const plugin::TuningTable& tuning() const;
  void forget_tuning();

 private:
  template <class F> void each_step(plugin::CallFrame& frame, F&& body);
  size_t tunable(const std::string& name) const;
  Ref<Context> context_;
  Ref<Package> package_;
  const plugin::OperationContract& contract_;
  std::string title_;
  bool has_kernels_ = false;
  std::vector<std::unique_ptr<plugin::StepRunner>> steps_;
  std::vector<std::atomic<int64_t>> tunables_;
  std::atomic<bool> tuned_by_hand_{false};
  mutable std::atomic<const plugin::TuningTable*> tuning_{nullptr};
  mutable std::mutex tuning_mutex_;
  mutable std::vector<std::unique_ptr<const plugin::TuningTable>> tables_;  // calls may be reading an earlier one
};

// Arguments checked and temporaries made once, to be launched many times.
class BoundOperation final : public Object {
 public:
  explicit BoundOperation(Ref<Operation> operation);
  void launch(Stream* stream);
  Device& device() const { return *device_; }
  std::vector<int64_t> tunables() const;  // what they are here

 private:
  friend class Operation;
  ~BoundOperation() override;
  struct Step {
    Ref<Call> call;                     // of a kernel
    plugin::StepRunner* runner = nullptr;  // of an expression
    std::vector<tenon_arg> args;
    std::vector<int32_t> axes;
  };
  Ref<Operation> operation_;
  Device* device_ = nullptr;
  std::vector<Step> steps_;
  std::unique_ptr<plugin::CallFrame> frame_;  // the arrays, temporaries, copies
};

}  // namespace tenon
