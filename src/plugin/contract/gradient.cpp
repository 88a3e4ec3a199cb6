// plugin/contract/gradient.cpp: checks that an operation and its gradient fit together.
#include "plugin/contract/contract.hpp"

namespace tenon::plugin {

void check_gradient(const Source& source, const OperationContract& operation, const OperationContract& gradient) {
  const auto known = [&](const std::string& name) {
    if (const Declared* own = operation.find(name)) return own != nullptr;
    if (!name.starts_with("grad_")) return false;
    const Declared* own = operation.find(name.substr(5));
    return own && own->written() && !own->saved;
  };
  for (const Declared& parameter : gradient.parameters) {
    if (parameter.role == Role::out) {
      const Declared* own = parameter.name.starts_with("grad_") ? operation.find(parameter.name.substr(5)) : nullptr;
      if (!own || !own->read())
        fault(source, operation.gradient_place,
              "the gradient %s of %s has the output `%s`: its outputs must be grad_NAME for inputs of %s",
              gradient.name.c_str(), operation.name.c_str(), parameter.name.c_str(), operation.name.c_str());
    } else if (parameter.role == Role::inout) {
      fault(source, operation.gradient_place,
            "the gradient %s of %s changes `%s`: it must have only inputs and outputs", gradient.name.c_str(),
            operation.name.c_str(), parameter.name.c_str());
    } else if (!known(parameter.name)) {
      fault(source, operation.gradient_place,
            "the gradient %s of %s takes `%s`: its inputs must be parameters of %s by name, and grad_NAME for its "
            "outputs that are not saved",
            gradient.name.c_str(), operation.name.c_str(), parameter.name.c_str(), operation.name.c_str());
    } else if (const Declared* own = operation.find(parameter.name); own && own->optional && !parameter.optional) {
      fault(source, operation.gradient_place,
            "the gradient %s of %s takes `%s`, which is optional there: declare it optional here, too",
            gradient.name.c_str(), operation.name.c_str(), parameter.name.c_str());
    }
  }
}

void check_gradients(const Contract& contract) {
  const Source& source = *contract.source;
  for (const auto& operation : contract.operations) {
    if (operation->gradient.empty()) continue;
    const size_t slash = operation->gradient.find('/');
    if (slash != std::string::npos) {  // in another package: looked up when it is used
      if (!valid_name(operation->gradient.substr(0, slash)) || !valid_name(operation->gradient.substr(slash + 1)))
        fault(source, operation->gradient_place,
              "the gradient \"%s\" is not the name of an operation: write \"name\" for one of this package, or "
              "\"package/name\"",
              operation->gradient.c_str());
      continue;
    }
    const OperationContract* gradient = contract.find(operation->gradient);
    if (!gradient)
      fault(source, operation->gradient_place, "the gradient of %s is \"%s\", but this package has no such operation",
            operation->name.c_str(), operation->gradient.c_str());
    check_gradient(source, *operation, *gradient);
  }
}

}  // namespace tenon::plugin
