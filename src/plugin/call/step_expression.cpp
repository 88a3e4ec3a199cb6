// plugin/call/step_expression.cpp: steps that are expressions: their kernels are those of tenon/generated.h.
#include "plugin/call/frame.hpp"
#include "plugin/call/plan.hpp"
#include "plugin/package/host.hpp"
#include "plugin/expression/scalar.hpp"
#include "plugin/call/step_runner.hpp"

namespace tenon::plugin {

std::string StepRunner::constant_text(const Pattern& pattern) const {
  for (const Pattern::Piece& piece : pattern.pieces)
    if (piece.placeholder >= 0 || (!piece.value.empty() && !piece.value.is_constant()))
      fault(*package_.contract().source, pattern.place,
            "the options of an expression cannot contain values: it is compiled once for all calls of one layout");
  return render(pattern, Frame{}, true);
}

GeneratedOptions StepRunner::generated_options() const {
  GeneratedOptions out;
  out.name = title_;
  out.mode = mode_;
  out.preamble = step_.preamble;
  if (step_.fast_math) out.flags |= TENON_PROGRAM_FLAG_FAST_MATH;
  for (const auto& [name, pattern] : step_.defines) out.options.push_back("-D" + name + "=" + constant_text(pattern));
  for (const Pattern& pattern : step_.options) out.options.push_back(constant_text(pattern));
  return out;
}

// "T x, raw float32 table, int64 n": the step's inputs or outputs as tenon/generated.h declares them.
std::string StepRunner::declared(bool outputs) const {
  const std::vector<std::string>& names = outputs ? step_.writes : step_.reads;
  const std::vector<int32_t>& indices = outputs ? step_.write_parameters : step_.read_parameters;
  std::string out;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i) out += ", ";
    if (indices[i] == kNumberRead) {
      out += (step_.read_names[i].real ? "float64 " : "int64 ") + names[i];
      continue;
    }
    const Declared& parameter =
        indices[i] >= 0 ? operation_.parameters[size_t(indices[i])] : operation_.temporaries[size_t(-1 - indices[i])];
    if (parameter.raw) out += "raw ";
    if (outputs && parameter.role == Role::inout) out += "inout ";
    out += parameter.type.dtype ? dtype_name(parameter.type.dtype)
                                : operation_.placeholders[size_t(parameter.type.placeholder)].name;
    out += " " + names[i];
  }
  return out;
}

void StepRunner::make_expression() {
  GeneratedOptions options = generated_options();
  const std::string inputs = declared(false), outputs = declared(true);
  if (step_.kind == StepContract::Kind::elementwise) {
    elementwise_ = Elementwise::create(inputs, outputs, step_.text, std::move(options));
  } else if (step_.kind == StepContract::Kind::reduction) {
    const ReductionRule& rule = step_.reduction;
    options.accumulator = rule.accumulator;
    reduction_ = Reduction::create(
        {inputs, outputs, rule.map, rule.reduce, rule.post, rule.identity, rule.has_identity}, std::move(options));
  } else {
    const ScanRule& rule = step_.scan;
    options.accumulator = rule.accumulator;
    scan_ = Scan::create({inputs, outputs, rule.map, rule.combine, rule.identity, rule.exclusive}, std::move(options));
  }
}

// The argument for an optional array that was not given: for a host function, one of kind 0.
CallArgument StepRunner::absent(const Declared& parameter) const {
  if (!host_)
    fault(*package_.contract().source, step_.place,
          "this step of %s reads %s, which was not given: its `when` must leave the step out", title_.c_str(),
          parameter.name.c_str());
  return CallArgument{};
}

void StepRunner::plan_expression(const CallFrame& frame, PlannedStep& out) const {
  const auto put = [&](int32_t index) {
    const Declared& parameter =
        index >= 0 ? operation_.parameters[size_t(index)] : operation_.temporaries[size_t(-1 - index)];
    if (parameter.array() && !frame.operands[parameter.operand].given()) out.put(absent(parameter));
    else if (parameter.array()) out.put_array(parameter.operand);
    else out.put(frame.argument(size_t(index)));
  };
  for (size_t i = 0; i < step_.reads.size(); ++i) {
    const Name& name = step_.read_names[i];
    if (step_.read_parameters[i] != kNumberRead) put(step_.read_parameters[i]);
    else
      out.put(scalar_argument(frame.numbers[name.index], name.real, name.real ? TENON_FLOAT64 : TENON_INT64,
                              step_.reads[i]));
  }
  for (const int32_t index : step_.write_parameters) put(index);
  const auto put_axis = [&](const Expression& from) {
    const int64_t axis = from.integer(frame);
    if (axis < -TENON_MAX_RANK || axis >= TENON_MAX_RANK)
      fail(TENON_ERROR_INVALID_ARGUMENT, "%s: the axis %s is %lld, which is out of range", title_.c_str(),
           from.text().c_str(), static_cast<long long>(axis));
    out.axes.push_back(int32_t(axis));
  };
  if (step_.kind == StepContract::Kind::scan) put_axis(step_.scan.axis);
  for (const Expression& axis : step_.reduction.axes) put_axis(axis);
}

void StepRunner::call(const CallArgument* args, int32_t count, const int32_t* axes, int32_t axis_count,
                      Stream& stream) {
  if (host_) package_.host_functions().host().call(*host_, title_, args, count, stream);
  else if (elementwise_) elementwise_->call(args, count, &stream);
  else if (reduction_) reduction_->call(args, count, axes, axis_count, &stream);
  else scan_->call(args, count, axes[0], &stream);
}

}  // namespace tenon::plugin
