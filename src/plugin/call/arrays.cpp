// plugin/call/arrays.cpp: given arrays, temporaries, copies.
#include "plugin/call/arrays.hpp"
#include "core/device/call.hpp"
#include "core/array/copy.hpp"
#include "kernel/program.hpp"
#include "plugin/call/plan.hpp"
#include "plugin/expression/scalar.hpp"

namespace tenon::plugin {
namespace {

std::string names_of(const OperationContract& contract) {
  std::string out;
  for (const Declared& parameter : contract.parameters) out += (out.empty() ? "" : ", ") + parameter.name;
  return out;
}

}  // namespace

CallArrays::CallArrays(const Operation& operation, const CallArgument* args, int32_t count, bool outputs_given,
                       Stream* stream)
    : operation_(operation), contract_(operation.contract()), outputs_given_(outputs_given) {
  const size_t takes = contract_.parameters.size();
  TENON_REQUIRE(count >= 0 && size_t(count) == takes, TENON_ERROR_INVALID_ARGUMENT,
                "%s takes %zu argument%s (%s), but %d %s given", operation.title().c_str(), takes,
                takes == 1 ? "" : "s", names_of(contract_).c_str(), count, count == 1 ? "was" : "were");
  for (size_t i = 0; i < takes; ++i)
    if (const Declared& parameter = contract_.parameters[i];
        parameter.array() && (parameter.role != Role::out || outputs_given_))
      take(parameter, args[i]);
  find_device(stream);
}

std::string CallArrays::place(const Declared& parameter) const { return parameter.name + " of " + operation_.title(); }

void CallArrays::refuse(int32_t status, const Declared& parameter, const std::string& why) const {
  fail(status, "%s %s", place(parameter).c_str(), why.c_str());
}

void CallArrays::take(const Declared& parameter, const CallArgument& arg) {
  if (parameter.optional && arg.kind == 0) {
    arrays_[parameter.operand] = nullptr;
    return;
  }
  if (!arg.is_array())
    refuse(TENON_ERROR_INVALID_ARGUMENT, parameter,
           "must be an array, but the argument is " + kind_of_argument(arg) + ": pass an array" +
               (parameter.optional ? ", or an argument of kind 0 to leave it out" : ""));
  Array& array = arg.opened([&] { return place(parameter); });
  CallScope::opened(array.buffer());  // it may be an argument of an earlier call
  arrays_[parameter.operand] = &array;
  if (&array.context() != &operation_.context())
    refuse(TENON_ERROR_CONTEXT, parameter, "belongs to another context than the operation");
  if (!where_ && parameter.read()) where_ = &array.device();
  if (operation_.has_kernels() && !parameter.strided && !parameter.packed && !array.c_contiguous())
    refuse(TENON_ERROR_LAYOUT, parameter,
           "has the shape " + shape_text(array.shape()) + " and strides " + shape_text(array.strides()) +
               " and is not C-contiguous: pass a contiguous copy");
}

void CallArrays::open_again() const {
  for (const Declared& parameter : contract_.parameters)
    if (has(parameter)) CallScope::opened(array(parameter).buffer());
}

// The device of the first input array, else of the first output, else of the stream.
void CallArrays::find_device(Stream* stream) {
  for (const Declared& parameter : contract_.parameters)
    if (!where_ && has(parameter)) where_ = &array(parameter).device();
  if (!where_ && stream) where_ = &stream->device();
  TENON_REQUIRE(
      where_, TENON_ERROR_INVALID_ARGUMENT,
      "the device for the output of %s is unknown, because there is no input array: pass a stream of that device",
      operation_.title().c_str());
}

void CallArrays::check_outputs() const {
  for (const Declared& parameter : contract_.parameters)
    if (parameter.written() && has(parameter)) check_output(parameter);
}

void CallArrays::check_output(const Declared& parameter) const {
  const Array& written = array(parameter);
  if (written.read_only())
    refuse(TENON_ERROR_READ_ONLY, parameter, "is written, but the array is read-only: pass a copy");
  for (const Declared& other : contract_.parameters) {
    if (!has(other) || &other == &parameter) continue;
    const Overlap how = overlap(written, array(other));
    const bool may = contract_.in_place && !other.written();
    if (how == Overlap::disjoint || (how == Overlap::exact && may)) continue;
    refuse(TENON_ERROR_OVERLAP, parameter,
           "shares memory with " + other.name + (may ? " but is not exactly that array" : "") + ": pass another array");
  }
}

void CallArrays::hold(int32_t operand, Ref<Array> array) {
  arrays_[operand] = array.get();
  held_.push_back(std::move(array));
}

void CallArrays::keep() {
  held_.reserve(contract_.parameters.size());
  for (const Declared& parameter : contract_.parameters)
    if (has(parameter)) hold(parameter.operand, Ref<Array>(arrays_[parameter.operand]));
}

void CallArrays::make_temporaries(const CallPlan& plan, Stream& stream) {
  for (const PlannedArray& temporary : plan.temporaries())
    hold(temporary.operand, Array::create(*where_, temporary.dtype, temporary.shape, stream));
  for (const Declared& parameter : contract_.parameters) {
    if (!parameter.packed || !has(parameter) || array(parameter).c_contiguous()) continue;
    Ref<Array> from(arrays_[parameter.operand]);
    Ref<Array> to = contiguous(*from, stream);
    copies_.emplace_back(from, to);
    hold(parameter.operand, std::move(to));
  }
}

}  // namespace tenon::plugin
