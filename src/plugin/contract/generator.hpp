// plugin/contract/generator.hpp: the data of self-tests: numbers in lists, or a rule such as "normal(100, 7)".
#pragma once
#include "plugin/contract/contract.hpp"

namespace tenon::plugin {

// What a test's value makes: its shape and its elements in C order, before they are converted to a dtype.
struct Generated {
  std::vector<int64_t> shape;
  std::vector<double> values;
  std::vector<double> imaginary;  // empty: all are real
};

// Throws for what cannot be generated: not a rule, lists that are ragged.
void check_generator(const Source& source, const Value& value);
// seed: the same one makes the same values, on every machine.
Generated generate_values(const Source& source, const Value& value, uint64_t seed);

}  // namespace tenon::plugin
