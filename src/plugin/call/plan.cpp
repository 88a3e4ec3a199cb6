// plugin/call/plan.cpp: keys, plans, and those that are kept.
#include "plugin/call/plan.hpp"
#include <algorithm>
#include <cstring>
#include "base/hash.hpp"
#include "plugin/call/frame.hpp"
#include "plugin/call/tuning.hpp"

namespace tenon::plugin {
namespace {

constexpr size_t kMostSteps = 1024;  // of a plan that is kept: a repeated step may have many launches

bool same(std::span<const uint64_t> a, std::span<const uint64_t> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

// Whether the strides are canonical. Other strides are part of the key even if they mean the same, because expressions
// can read them.
bool plain(const Array& array) {
  int64_t expected = 1;
  for (int32_t d = array.rank() - 1; d >= 0; --d) {
    if (array.strides()[d] != expected) return false;
    expected *= std::max<int64_t>(array.shape()[d], 1);
  }
  return true;
}

}  // namespace

CallKey::CallKey(const CallArrays& arrays, const CallArgument* args, uint32_t tuning) {
  put(reinterpret_cast<uintptr_t>(&arrays.where()));
  put(tuning);
  const std::vector<Declared>& parameters = arrays.operation().contract().parameters;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const Declared& parameter = parameters[i];
    if (!parameter.array()) put_scalar(parameter, args[i]);
    else if (parameter.role != Role::out && !arrays.has(parameter))
      put(UINT64_MAX);  // like an array that was not given
    else if (parameter.role != Role::out) put_array(arrays.array(parameter));
    else if (!arrays.has(parameter) || plain(arrays.array(parameter)))
      put(0);  // the plan itself records the outputs for which it was made
    else put_array(arrays.array(parameter));
  }
}

void CallKey::put(uint64_t word) { put_bytes(&word, sizeof word); }

void CallKey::put_bytes(const void* bytes, uint64_t size) {
  const uint64_t words = size / sizeof *words_ + (size % sizeof *words_ != 0);
  complete_ = complete_ && words <= std::size(words_) - count_;
  if (!complete_ || words == 0) return;
  words_[count_ + words - 1] = 0;
  std::memcpy(words_ + count_, bytes, size);
  count_ += words;
}

void CallKey::put_array(const Array& array) {
  const bool strided = !plain(array);
  put(uint64_t(array.dtype()) << 32 | uint64_t(array.rank()) << 1 | strided);
  put_extents(array.shape());
  if (strided) put_extents(array.strides());
}

void CallKey::put_scalar(const Declared& parameter, const CallArgument& arg) {
  put(uint64_t(arg.dtype) << 32 | arg.kind);
  if (arg.kind == 0) return;  // the default
  if (parameter.list >= 0 && arg.kind == TENON_ARG_BYTES && (arg.value.bytes || arg.size == 0)) {
    put(arg.size);
    put_bytes(arg.value.bytes, arg.size);
  } else if (parameter.list < 0 && arg.kind == TENON_ARG_SCALAR) {
    put_bytes(&arg.value, std::min<uint64_t>(dtype_bytes(arg.dtype), sizeof arg.value));
  } else {
    complete_ = false;
  }
}

void PlannedStep::put(const CallArgument& arg, int32_t operand) {
  args.push_back(arg);
  operands.push_back(operand);
}

void PlannedStep::own_bytes() {
  size_t words = 0;
  for (const CallArgument& arg : args)
    if (arg.kind == TENON_ARG_BYTES) words += (arg.size + 7) / 8;
  bytes.resize(words);
  uint64_t* at = bytes.data();
  for (CallArgument& arg : args) {
    if (arg.kind != TENON_ARG_BYTES || arg.size == 0) continue;
    std::memcpy(at, arg.value.bytes, arg.size);
    arg.value.bytes = at;
    at += (arg.size + 7) / 8;
  }
}

void PlannedStep::fill(const CallArrays& arrays, CallArgument* to) const {
  std::copy(args.begin(), args.end(), to);
  for (size_t i = 0; i < args.size(); ++i)
    if (operands[i] >= 0) to[i].array = arrays.operand(operands[i]);
}

void PlannedStep::launch(const CallArrays& arrays, Stream& stream) const {
  CallArgument filled[kMostArguments];
  fill(arrays, filled);
  if (instance) instance->kernel->launch(geometry, filled, count(), stream);
  else runner->call(filled, count(), axes.data(), int32_t(axes.size()), stream);
}

CallPlan::CallPlan(const CallKey& key, const CallFrame& frame)
    : key_(key.words().begin(), key.words().end()),
      tuned_scalars_(plugin::tuned_scalars(frame.operation().contract(), frame)) {
  const OperationContract& contract = frame.operation().contract();
  const auto planned = [&](const Declared& array) {
    const Operand& operand = frame.operands[array.operand];
    return PlannedArray{array.operand, operand.dtype, Dims(Extents(operand.shape, size_t(operand.rank)))};
  };
  for (const Declared& parameter : contract.parameters)
    if (parameter.role == Role::out) outputs_.push_back(planned(parameter));
  for (const Declared& temporary : contract.temporaries) temporaries_.push_back(planned(temporary));
  for (const Tunable& tunable : contract.tunables) tunables_.push_back(frame.numbers[tunable.number].i);
}

bool CallPlan::fits(const CallArrays& arrays) const {
  auto planned = outputs_.begin();
  for (const Declared& parameter : arrays.operation().contract().parameters) {
    if (parameter.role != Role::out) continue;
    if (arrays.has(parameter)) {
      const Array& array = arrays.array(parameter);
      if (array.dtype() != planned->dtype || !(array.shape() == planned->shape)) return false;
    }
    ++planned;
  }
  return true;
}

void CallPlan::launch(const CallArrays& arrays, Stream& stream) const {
  for (const PlannedStep& step : steps_) step.launch(arrays, stream);
}

size_t CallPlans::slot_of(std::span<const uint64_t> key) {
  return base::hash64({reinterpret_cast<const char*>(key.data()), key.size_bytes()}) %
         std::tuple_size_v<decltype(slots_)>;
}

std::shared_ptr<const CallPlan> CallPlans::find(const CallKey& key) const {
  if (!key.complete()) return nullptr;
  std::shared_ptr<const CallPlan> found = slots_[slot_of(key.words())].load(std::memory_order_acquire);
  return found && same(found->key(), key.words()) ? found : nullptr;
}

void CallPlans::keep(std::shared_ptr<const CallPlan> plan) {
  if (plan->steps().size() > kMostSteps) return;
  slots_[slot_of(plan->key())].store(std::move(plan), std::memory_order_release);
}

}  // namespace tenon::plugin
