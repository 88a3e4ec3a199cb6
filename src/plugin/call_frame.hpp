// plugin/call_frame.hpp: the arguments of one call, opened, checked and named for the expressions of its contract.
#pragma once
#include "plugin/operation.hpp"

namespace tenon::plugin {

class CallFrame : public Frame {
 public:
  // Opens and checks all arguments; evaluates extents, `let`, preconditions and the shapes of outputs. outputs_given: else the
  // entries of outputs are not looked at. Throws, naming operation and parameter. stream: says the device where no array does.
  // tunables: their values, where they are not looked up.
  CallFrame(const Operation& operation, const tenon_arg* args, int32_t count, bool outputs_given, Stream* stream,
            const int64_t* tunables = nullptr);
  CallFrame(const CallFrame&) = delete;
  ~CallFrame();

  const Operation& operation() const { return operation_; }
  Device& where() const { return *where_; }
  // The argument of parameter `index`; scalars that were left out have their default.
  const tenon_arg& argument(size_t index) const { return args_[index]; }
  tenon_array* handle(int32_t operand) const { return handles_[operand]; }

  // Keeps the arrays alive, under handles of its own, for those who launch later.
  void keep_arrays();
  // Makes temporaries and contiguous copies on the stream. They live as long as the frame.
  void make_temporaries(Stream& stream);
  // What make_temporaries copied, for those who launch again: from, to.
  const std::vector<std::pair<Ref<Array>, Ref<Array>>>& copies() const { return copies_; }
  Dims shape_of_output(const Declared& parameter) const;

 private:
  std::string place(const Declared& parameter) const;
  [[noreturn]] void refuse(int32_t status, const Declared& parameter, const std::string& why) const;
  void open_arrays(const tenon_arg* args, bool outputs_given);
  void open_array(const Declared& parameter, const tenon_arg& arg);
  void decide_types(const tenon_arg* args);
  void check_types(bool outputs_given) const;
  void find_device(bool outputs_given, Stream* stream);
  void bind_inputs(const tenon_arg* args);
  void bind_shape(const Declared& parameter, const int64_t* shape, int32_t rank);
  void bind_scalar(size_t index, const tenon_arg& arg);
  void bind_list(size_t index, const tenon_arg& arg);
  void default_list(size_t index);
  void fill_list(size_t index, const void* value, int64_t count);
  void compute_list(const Let& let);
  void compute_lets();
  void check_requirements() const;
  void shape_outputs(bool outputs_given);
  void make_shape(const Declared& parameter, const char* what);
  void check_output(const Declared& parameter) const;
  int64_t* room(int32_t count);
  void hold(int32_t operand, Ref<Array> array);

  const Operation& operation_;
  const OperationContract& contract_;
  Device* where_ = nullptr;
  tenon_arg args_[kMaxOperands];
  tenon_array* handles_[kMaxOperands];
  int64_t room_[128];
  int32_t used_ = 0;
  std::vector<std::unique_ptr<int64_t[]>> more_;
  tenon_array* held_[2 * kMaxOperands];  // handles made here
  int32_t held_count_ = 0;
  std::vector<std::pair<Ref<Array>, Ref<Array>>> copies_;
};

// A pattern's text, for messages and for compilers: of a placeholder the dtype's name, or the C type.
std::string render(const Pattern& pattern, const Frame& frame, bool for_compiler);
// A scalar argument of a dtype from a number. Throws OVERFLOW when it does not fit; `what` names it.
tenon_arg scalar_argument(Number value, bool real, Dtype dtype, const std::string& what);

}  // namespace tenon::plugin
