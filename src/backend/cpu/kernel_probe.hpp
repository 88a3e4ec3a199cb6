// backend/cpu/kernel_probe.hpp: what the compiler proved about a text's grid-stride loops.
#pragma once
#include <string_view>
#include <vector>

namespace tenon::cpu {

struct Proof {
  std::vector<bool> kernels;  // those that run by rows of threads (shim/tenon_rows.h), or with loops that run early (shim/tenon_sums.h)
  std::vector<bool> loops;    // the loops that they run so
  bool any() const;
};

// Reads the object file of a probe (shim/tenon_probe.h) of so many kernels and loops. What is not proved is false.
Proof read_probe(std::string_view object, size_t kernels, size_t loops);

}  // namespace tenon::cpu
