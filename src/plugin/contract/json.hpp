// plugin/contract/json.hpp: an operation's contract as JSON, so that a host can build functions, documentation and
// completions from it.
#pragma once
#include "base/json.hpp"
#include "plugin/contract/contract.hpp"

namespace tenon::plugin {

base::Json describe(const OperationContract& operation, const std::string& package);

}  // namespace tenon::plugin
