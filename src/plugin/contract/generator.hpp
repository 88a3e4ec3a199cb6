// plugin/contract/generator.hpp: the data of self-tests: numbers in lists, or a rule such as "normal(100, 7)".
#pragma once
#include "plugin/contract/contract.hpp"

namespace tenon::plugin {

// The result of a test's value: its shape and its elements in C order, before conversion to a dtype.
struct Generated {
  std::vector<int64_t> shape;
  std::vector<double> values;
  std::vector<double> imaginary;  // empty: all are real
};

// Throws if the value cannot be generated: an unknown rule, ragged lists.
void check_generator(const Source& source, const Value& value);
// The same seed makes the same values on every machine.
Generated generate_values(const Source& source, const Value& value, uint64_t seed);

}  // namespace tenon::plugin
