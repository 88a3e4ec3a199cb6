// plugin/call/arrays.hpp: the arrays of one call: those that are given, and those that are made for it.
#pragma once
#include "plugin/call/operation.hpp"

namespace tenon::plugin {

class CallPlan;

class CallArrays {
 public:
  // Takes the arrays among the arguments. outputs_given: otherwise the entries of outputs are ignored. Throws, naming
  // operation and parameter. stream: determines the device if there are no arrays.
  CallArrays(const Operation& operation, const CallArgument* args, int32_t count, bool outputs_given, Stream* stream);
  CallArrays(const CallArrays&) = delete;

  const Operation& operation() const { return operation_; }
  Device& where() const { return *where_; }
  // Whether the parameter is an array that was given.
  bool has(const Declared& parameter) const {
    return parameter.array() && (parameter.role != Role::out || outputs_given_) &&
           (!parameter.optional || arrays_[parameter.operand]);
  }
  const Array& array(const Declared& parameter) const { return *arrays_[parameter.operand]; }
  Array* operand(int32_t operand) const { return arrays_[operand]; }
  void open_again() const;  // declares its buffers to the current call (core/device/call.hpp)

  // Refuses to write a read-only array, or one that shares memory with another argument.
  void check_outputs() const;
  // Keeps the arrays alive, for later launches, and because host code may release the caller's handles.
  void keep();
  // Makes temporaries and contiguous copies on the stream. They live as long as this object.
  void make_temporaries(const CallPlan& plan, Stream& stream);
  // The copies (from, to), to be repeated by later launches.
  const std::vector<std::pair<Ref<Array>, Ref<Array>>>& copies() const { return copies_; }

  std::string place(const Declared& parameter) const;  // "x of image/blur"
  [[noreturn]] void refuse(int32_t status, const Declared& parameter, const std::string& why) const;

 private:
  void take(const Declared& parameter, const CallArgument& arg);  // an optional array that is left out: NULL
  void find_device(Stream* stream);
  void check_output(const Declared& parameter) const;
  void hold(int32_t operand, Ref<Array> array);

  const Operation& operation_;
  const OperationContract& contract_;
  const bool outputs_given_;
  Device* where_ = nullptr;
  Array* arrays_[kMaxOperands];
  std::vector<Ref<Array>> held_;
  std::vector<std::pair<Ref<Array>, Ref<Array>>> copies_;
};

}  // namespace tenon::plugin
