// kernel/recorded_call.hpp: a recorded call of a generated kernel or of an operation, which is recorded again when its
// arguments change.
#pragma once
#include "core/array/argument.hpp"
#include "kernel/program.hpp"

namespace tenon {

// Arguments that outlive their call: arrays as references, structs as copies.
class KeptArguments {
 public:
  KeptArguments() = default;
  KeptArguments(const CallArgument* args, int32_t count);  // of arguments that have been checked
  const CallArgument* data() const { return args_.data(); }
  int32_t count() const { return int32_t(args_.size()); }
  // A list of arguments with one of them replaced; `who` is their callee, for messages. Throws INVALID_ARGUMENT.
  std::vector<CallArgument> with(int32_t index, const CallArgument& argument, const char* who) const;
  tenon_parameter_info parameter(int32_t index, const char* who) const;

 private:
  void check(int32_t index, const char* who) const;
  std::vector<CallArgument> args_;
  std::vector<Ref<Array>> arrays_;
  std::vector<std::unique_ptr<unsigned char[]>> bytes_;
};

class RecordedCall final : public Object {
 public:
  using Again = std::function<void(const CallArgument* args, int32_t count, Stream& stream)>;
  RecordedCall(const CallArgument* args, int32_t count, Again again) : kept_(args, count), again_(std::move(again)) {}

  const KeptArguments& arguments() const { return kept_; }
  // The pieces of this call with other arguments. Throws the call's errors.
  std::vector<RecordedWork> record(Device& device, const CallArgument* args, int32_t count) const;
  void keep(KeptArguments arguments) noexcept { kept_ = std::move(arguments); }

 private:
  KeptArguments kept_;
  const Again again_;
};

// Makes the call on a recording stream, as one node whose arguments can be replaced.
void record_call(Stream& stream, int32_t kind, const std::string& name, const CallArgument* args, int32_t count,
                 RecordedCall::Again again);

}  // namespace tenon
