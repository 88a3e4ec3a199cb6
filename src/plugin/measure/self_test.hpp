// plugin/measure/self_test.hpp: the test cases of a contract, run on a device.
#pragma once
#include "plugin/call/operation.hpp"

namespace tenon {

// JSON, as tenon_operation_test promises. A case that fails is part of the report.
std::string run_self_tests(Operation& operation, Device& device);

}  // namespace tenon
