// plugin/call/arrays.hpp: the arrays of one call: those that are given, opened, and those that are made for it.
#pragma once
#include "plugin/call/operation.hpp"

namespace tenon::plugin {

class CallPlan;

class CallArrays {
 public:
  // Opens the handles among the arguments. outputs_given: else the entries of outputs are not looked at. Throws, naming
  // operation and parameter. stream: says the device where no array does.
  CallArrays(const Operation& operation, const tenon_arg* args, int32_t count, bool outputs_given, Stream* stream);
  CallArrays(const CallArrays&) = delete;
  ~CallArrays();

  const Operation& operation() const { return operation_; }
  Device& where() const { return *where_; }
  // Whether the parameter is an array that is there.
  bool has(const Declared& parameter) const {
    return parameter.array() && (parameter.role != Role::out || outputs_given_) &&
           (!parameter.optional || arrays_[parameter.operand]);
  }
  const Array& array(const Declared& parameter) const { return *arrays_[parameter.operand]; }
  void open_again() const;  // tells the call under way (core/call.hpp) which buffers it uses
  tenon_array* handle(int32_t operand) const { return handles_[operand]; }

  // Refuses to write a read-only array, or one that shares memory with another argument.
  void check_outputs() const;
  // Keeps the arrays alive, under handles of its own, for those who launch later.
  void keep();
  // Makes temporaries and contiguous copies on the stream. They live as long as this does.
  void make_temporaries(const CallPlan& plan, Stream& stream);
  // What was copied, for those who launch again: from, to.
  const std::vector<std::pair<Ref<Array>, Ref<Array>>>& copies() const { return copies_; }

  std::string place(const Declared& parameter) const;  // "x of image/blur"
  [[noreturn]] void refuse(int32_t status, const Declared& parameter, const std::string& why) const;

 private:
  void open(const Declared& parameter, const tenon_arg& arg);  // an optional array that is left out: NULL
  void find_device(Stream* stream);
  void check_output(const Declared& parameter) const;
  void hold(int32_t operand, Ref<Array> array);

  const Operation& operation_;
  const OperationContract& contract_;
  const bool outputs_given_;
  Device* where_ = nullptr;
  Array* arrays_[kMaxOperands];
  tenon_array* handles_[kMaxOperands];
  tenon_array* held_[2 * kMaxOperands];  // handles made here
  int32_t held_count_ = 0;
  std::vector<std::pair<Ref<Array>, Ref<Array>>> copies_;
};

}  // namespace tenon::plugin
