// plugin/step_runner.hpp: one step of an operation on the devices it was used on: its compiled kernels, and how each is launched.
#pragma once
#include <shared_mutex>
#include "kernel/generated.hpp"
#include "kernel/program.hpp"
#include "plugin/package.hpp"

namespace tenon::plugin {

class CallFrame;
constexpr int32_t kMaxPatternValues = 16;

// How one kernel parameter is filled.
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

// What a launch needs, evaluated.
struct Prepared {
  const KernelInstance* instance = nullptr;
  tenon_launch launch;
  int32_t count = 0;
  tenon_arg args[64];
  uint64_t structs[128];  // structs by value
};

class StepRunner {
 public:
  // Makes the expressions' kernels (nothing is compiled). Throws a fault of the contract.
  StepRunner(const Package& package, const OperationContract& operation, const StepContract& step, const std::string& title);

  const StepContract& step() const { return step_; }
  bool is_kernel() const { return step_.kind == StepContract::Kind::kernel; }

  // The instance a call needs; compiles it if it is not there.
  const KernelInstance& instance(const CallFrame& frame);
  const KernelInstance& instance(Device& device, const Frame& frame);
  // Evaluates geometry and arguments. False: there is nothing to launch.
  bool prepare(const CallFrame& frame, Prepared& out);
  // Of an expression: its arguments and axes for one call, and the call.
  int32_t expression_arguments(const CallFrame& frame, tenon_arg* to) const;
  int32_t axes(const CallFrame& frame, int32_t* to) const;
  void call(const CallFrame& frame, Stream& stream);
  void call(const tenon_arg* args, int32_t count, const int32_t* axes, int32_t axis_count, Stream& stream);
  // Whether dtypes and tunables alone decide its instances.
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
  void geometry(const CallFrame& frame, Prepared& out, bool& empty) const;
  void argument(const CallFrame& frame, const Packing& packing, int32_t index, Prepared& out, size_t& used) const;

  const Package& package_;
  const OperationContract& operation_;
  const StepContract& step_;
  const std::string& title_;
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
