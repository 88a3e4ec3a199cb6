// kernel/generate/generated.hpp: kernels made from expressions, as specified in tenon/generated.h.
#pragma once
#include <tenon/generated.h>
#include <memory>
#include <string>
#include <vector>
#include "core/array/argument.hpp"

namespace tenon {

// An owned copy of the options.
struct GeneratedOptions {
  uint32_t flags = 0;
  int32_t mode = TENON_PROGRAM_MODE_FAST;
  std::string name, preamble, accumulator;
  std::vector<std::string> options;
  bool of_context = false;  // the context owns the object, which therefore has no reference to the context
  bool heavy = false;       // the preamble's functions call ones with many instructions (generate::is_heavy)
};

namespace generate {
struct ElementwiseState;
struct ReductionState;
struct ScanState;
}  // namespace generate

class Elementwise final : public Object {
 public:
  static Ref<Elementwise> create(const std::string& inputs, const std::string& outputs, const std::string& operation,
                                 GeneratedOptions options);
  void call(const CallArgument* args, int32_t count, Stream* stream);
  Ref<Array> output(const CallArgument* args, int32_t count, int32_t index, Stream* stream);
  const std::string& name() const;
  int32_t parameter_count() const;  // inputs and outputs

 private:
  explicit Elementwise(std::unique_ptr<generate::ElementwiseState> state);
  ~Elementwise() override;
  std::unique_ptr<generate::ElementwiseState> state_;
};

struct ReductionText {
  std::string inputs, output, map, reduce, post, identity;
  bool has_identity = false;
  // The same as reduce where b is a single element behind all those of a: it may be cheaper. "": reduce.
  std::string append{};
};

class Reduction final : public Object {
 public:
  static Ref<Reduction> create(ReductionText text, GeneratedOptions options);
  void call(const CallArgument* args, int32_t count, const int32_t* axes, int32_t axis_count, Stream* stream);
  Ref<Array> output(const CallArgument* args, int32_t count, const int32_t* axes, int32_t axis_count, bool keep_axes,
                    Stream* stream);
  const std::string& name() const;
  int32_t parameter_count() const;  // inputs and outputs

 private:
  explicit Reduction(std::unique_ptr<generate::ReductionState> state);
  ~Reduction() override;
  std::unique_ptr<generate::ReductionState> state_;
};

struct ScanText {
  std::string inputs, output, map, combine, identity;
  bool exclusive = false;
};

class Scan final : public Object {
 public:
  static Ref<Scan> create(ScanText text, GeneratedOptions options);
  void call(const CallArgument* args, int32_t count, int32_t axis, Stream* stream);
  Ref<Array> output(const CallArgument* args, int32_t count, Stream* stream);
  const std::string& name() const;
  int32_t parameter_count() const;  // inputs and outputs

 private:
  explicit Scan(std::unique_ptr<generate::ScanState> state);
  ~Scan() override;
  std::unique_ptr<generate::ScanState> state_;
};

}  // namespace tenon
