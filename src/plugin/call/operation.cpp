// plugin/call/operation.cpp: what an operation reports about itself, and how a package and the registry find one.
#include "plugin/call/operation.hpp"
#include "plugin/call/plan.hpp"
#include "plugin/call/step_runner.hpp"
#include "plugin/call/tuning.hpp"
#include "plugin/contract/json.hpp"
#include "plugin/package/registry.hpp"

namespace tenon {

using namespace plugin;

Operation::Operation(Context& context, Ref<Package> package, const OperationContract& contract, int32_t mode)
    : context_(&context),
      package_(std::move(package)),
      contract_(contract),
      title_(package_->contract().name + "/" + contract.name),
      plans_(std::make_unique<CallPlans>()),
      tunables_(contract.tunables.size()) {
  for (size_t i = 0; i < tunables_.size(); ++i)
    tunables_[i].store(contract.tunables[i].fallback, std::memory_order_relaxed);
  for (const StepContract& step : contract.steps) {
    has_kernels_ = has_kernels_ || step.kind == StepContract::Kind::kernel || step.kind == StepContract::Kind::host;
    steps_.push_back(std::make_unique<StepRunner>(*package_, contract, step, title_, mode));
  }
}

Operation::~Operation() { package_->forget(this); }

std::string Operation::describe() const { return plugin::describe(contract_, package_->contract().name).dump(); }

tenon_operation_info Operation::info() const {
  tenon_operation_info out{};
  out.flags = (contract_.deterministic ? TENON_OPERATION_DETERMINISTIC : 0) |
              (contract_.in_place ? TENON_OPERATION_IN_PLACE : 0) |
              (contract_.devices & kOnCpu ? TENON_OPERATION_CPU : 0) |
              (contract_.devices & kOnCuda ? TENON_OPERATION_CUDA : 0) |
              (contract_.gradient.empty() ? 0 : TENON_OPERATION_GRADIENT);
  out.parameter_count = int32_t(contract_.parameters.size());
  out.output_count = contract_.outputs;
  out.tunable_count = int32_t(contract_.tunables.size());
  out.test_count = int32_t(contract_.tests.size());
  return out;
}

tenon_operation_parameter_info Operation::parameter(int32_t index) const {
  TENON_REQUIRE(index >= 0 && size_t(index) < contract_.parameters.size(), TENON_ERROR_INVALID_ARGUMENT,
                "parameter %d of %s is out of range: it has %zu parameters", index, title_.c_str(),
                contract_.parameters.size());
  const Declared& parameter = contract_.parameters[size_t(index)];
  tenon_operation_parameter_info out{};
  out.role = int32_t(parameter.role) + 1;
  out.flags = (parameter.has_fallback ? TENON_OPERAND_HAS_DEFAULT : 0) |
              (parameter.list >= 0 ? TENON_OPERAND_LIST : 0) | (parameter.choices.empty() ? 0 : TENON_OPERAND_CHOICE) |
              (parameter.optional ? TENON_OPERAND_OPTIONAL : 0);
  out.dtype = parameter.type.dtype;
  out.placeholder = parameter.type.placeholder;
  out.name = parameter.name.c_str();
  out.doc = parameter.doc.c_str();
  return out;
}

Ref<Operation> Operation::gradient() const {
  const std::string& name = contract_.gradient;
  TENON_REQUIRE(!name.empty(), TENON_ERROR_NOT_FOUND, "%s declares no gradient", title_.c_str());
  if (name.find('/') == std::string::npos) return package_->operation(*context_, name);
  Ref<Operation> found = PluginRegistry::of(*context_).find_operation(*context_, name, "");
  check_gradient(*package_->contract().source, contract_, found->contract());
  return found;
}

Ref<Operation> Package::operation(Context& context, const std::string& name) {
  for (size_t i = 0; i < contract_.operations.size(); ++i) {
    if (contract_.operations[i]->name != name) continue;
    std::lock_guard lock(mutex_);
    if (in_use_[i] && in_use_[i]->try_retain()) return Ref<Operation>::adopt(in_use_[i]);
    Ref<Operation> made = make<Operation>(context, Ref<Package>(this), *contract_.operations[i]);
    in_use_[i] = made.get();
    return made;
  }
  std::string list;
  for (const auto& operation : contract_.operations) list += (list.empty() ? "" : ", ") + operation->name;
  fail(TENON_ERROR_NOT_FOUND, "%s has no operation \"%s\"; it has: %s", title().c_str(), name.c_str(), list.c_str());
}

void Package::forget(const Operation* operation) noexcept {
  std::lock_guard lock(mutex_);
  for (Operation*& one : in_use_)
    if (one == operation) one = nullptr;
}

void Package::check_step(const OperationContract& operation, const StepContract& step) const {
  StepRunner(*this, operation, step, operation.name);
}

Ref<Operation> PluginRegistry::find_operation(Context& context, const std::string& full_name,
                                              const std::string& range) {
  const size_t slash = full_name.find('/');
  TENON_REQUIRE(slash != std::string::npos, TENON_ERROR_INVALID_ARGUMENT,
                "\"%s\" is not the name of an operation: write \"package/name\"", full_name.c_str());
  return find(full_name.substr(0, slash), range)->operation(context, full_name.substr(slash + 1));
}

}  // namespace tenon
