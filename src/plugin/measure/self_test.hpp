// plugin/measure/self_test.hpp: the test cases of a contract, run on a device.
#pragma once
#include "plugin/call/operation.hpp"

namespace tenon {

// JSON, as specified for tenon_operation_test. A failing case is part of the report.
std::string run_self_tests(Operation& operation, Device& device);

}  // namespace tenon
