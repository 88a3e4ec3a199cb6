// plugin/call/frame.hpp: the arguments of one call, checked and named for the expressions of its contract.
#pragma once
#include "plugin/call/arrays.hpp"
#include "plugin/expression/scalar.hpp"

namespace tenon::plugin {

// The bit of OperationContract::devices that stands for a device.
inline uint32_t contract_bit(const Device& device) { return device.on_host() ? kOnCpu : kOnCuda; }

class CallFrame : public Frame {
 public:
  // Checks all arguments; evaluates extents, `let`, preconditions and the shapes of outputs. Throws, naming operation
  // and parameter. tunables: their values; NULL: they are looked up.
  CallFrame(const CallArrays& arrays, const CallArgument* args, const int64_t* tunables = nullptr);
  CallFrame(const CallFrame&) = delete;

  const Operation& operation() const { return operation_; }
  Device& where() const { return arrays_.where(); }
  // The argument of parameter `index`, which is not an array; scalars that were omitted have their default.
  const CallArgument& argument(size_t index) const { return args_[index]; }
  // From now on the steps get the contiguous copies of inputs that are `packed`.
  void take_packed();

 private:
  Subject place(const Declared& parameter) const { return {parameter.name, operation_.title()}; }
  [[noreturn]] void refuse(int32_t status, const Declared& parameter, const std::string& why) const;
  void decide_types(const CallArgument* args);
  void check_device();
  void check_types() const;
  void bind_inputs(const CallArgument* args);
  void bind_shape(const Declared& parameter, const int64_t* shape, int32_t rank);
  void bind_scalar(size_t index, const CallArgument& arg);
  void bind_list(size_t index, const CallArgument& arg);
  void default_list(size_t index);
  void fill_list(size_t index, const void* value, int64_t count);
  void compute_list(const Let& let);
  void compute_lets(bool late);
  void check_requirements(bool late) const;
  void shape_outputs();
  void shape_temporaries();
  void make_shape(const Declared& parameter, const char* what);
  int64_t* room(int32_t count);

  const CallArrays& arrays_;
  const Operation& operation_;
  const OperationContract& contract_;
  CallArgument args_[kMaxOperands];
  int64_t room_[128];
  int32_t used_ = 0;
  std::vector<std::unique_ptr<int64_t[]>> more_;
};

// The text of a pattern, whose placeholders become dtype names (for messages) or C types (for compilers).
std::string render(const Pattern& pattern, const Frame& frame, bool for_compiler);

}  // namespace tenon::plugin
