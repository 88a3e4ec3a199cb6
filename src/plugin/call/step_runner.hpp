// plugin/call/step_runner.hpp: one step of an operation on the devices it was used on: its compiled kernels, and how
// each is launched.
#pragma once
#include <shared_mutex>
#include "kernel/generate/generated.hpp"
#include "kernel/program.hpp"
#include "plugin/package/package.hpp"

namespace tenon::plugin {

class CallFrame;
struct PlannedStep;
constexpr int32_t kMaxPatternValues = 16;

// The source of one kernel parameter's value.
struct Packing {
  const Argument* argument;  // NULL: the number of threads
  Dtype dtype;               // of a number
  uint32_t size;             // of a struct
  bool read_only;
};

// A kernel compiled for one device, set of dtypes and values in its texts.
struct KernelInstance {
  struct Key {
    Device* device;
    Dtype types[kMaxTypes];
    Number values[kMaxPatternValues];
  };
  Key key;
  Ref<Kernel> kernel;
  std::vector<Packing> packing;
};

class StepRunner {
 public:
  // Makes the expressions' kernels (nothing is compiled). Throws a fault of the contract.
  StepRunner(const Package& package, const OperationContract& operation, const StepContract& step,
             const std::string& title, int32_t mode = TENON_PROGRAM_MODE_FAST);

  const StepContract& step() const { return step_; }
  bool is_kernel() const { return step_.kind == StepContract::Kind::kernel; }

  // The instance that a call needs; compiles it on first use.
  const KernelInstance& instance(const CallFrame& frame);
  const KernelInstance& instance(Device& device, const Frame& frame);
  // Evaluates geometry and arguments of a kernel, arguments and axes of an expression. False: the launch is
  // empty.
  bool plan(const CallFrame& frame, PlannedStep& out);
  // Runs an expression, or host code.
  void call(const CallArgument* args, int32_t count, const int32_t* axes, int32_t axis_count, Stream& stream);
  // Whether its instances depend on dtypes and tunables only.
  bool can_compile_ahead() const;

 private:
  void make_expression();
  std::string declared(bool outputs) const;
  GeneratedOptions generated_options() const;
  std::string constant_text(const Pattern& pattern) const;
  void make_key(Device& device, const Frame& frame, KernelInstance::Key& key) const;
  const KernelInstance* find(const KernelInstance::Key& key);
  std::unique_ptr<KernelInstance> compile(Device& device, const Frame& frame, const KernelInstance::Key& key) const;
  void plan_arguments(KernelInstance& instance) const;
  CallArgument absent(const Declared& parameter) const;
  void plan_expression(const CallFrame& frame, PlannedStep& out) const;
  void geometry(const CallFrame& frame, Geometry& launch, bool& empty) const;
  void argument(const CallFrame& frame, const Packing& packing, PlannedStep& out, std::span<uint64_t>& room) const;

  const Package& package_;
  const OperationContract& operation_;
  const StepContract& step_;
  const std::string& title_;
  const int32_t mode_;
  std::vector<const Expression*> values_;  // of the patterns
  std::atomic<const KernelInstance*> last_{nullptr};
  std::shared_mutex mutex_;
  std::mutex compile_mutex_;
  std::vector<std::unique_ptr<KernelInstance>> instances_;
  const tenon_host_function* host_ = nullptr;  // belongs to the package
  Ref<Elementwise> elementwise_;
  Ref<Reduction> reduction_;
  Ref<Scan> scan_;
};

}  // namespace tenon::plugin
