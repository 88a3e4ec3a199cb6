// plugin/contract/dtype_set.hpp: the dtypes that a placeholder may be: `types = { T = "floating", A = { from = "T",
// float16 = "float32" } }`.
#pragma once
#include "plugin/contract/contract.hpp"

namespace tenon::plugin {

Placeholder read_placeholder(const Source& source, const std::string& name, const Value& value,
                             const std::vector<Placeholder>& earlier);

}  // namespace tenon::plugin
