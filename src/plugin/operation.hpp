// plugin/operation.hpp: an operation of a package on a context: what the generic call runs.
#pragma once
#include <memory>
#include <tenon/plugin.h>
#include "core/context.hpp"
#include "plugin/package.hpp"

namespace tenon {

class Operation final : public Object {
 public:
  Operation(Context& context, Ref<Package> package, const plugin::OperationContract& contract);
  ~Operation() override;

  Context& context() const { return *context_; }
  Package& package() const { return *package_; }
  const plugin::OperationContract& contract() const { return contract_; }
  const std::string& title() const { return title_; }  // "image/blur"
  std::string describe() const;
  tenon_operation_info info() const;
  tenon_operation_parameter_info parameter(int32_t index) const;
  Ref<Operation> gradient() const;  // throws NOT_FOUND

 private:
  Ref<Context> context_;
  Ref<Package> package_;
  const plugin::OperationContract& contract_;
  std::string title_;
};

}  // namespace tenon
