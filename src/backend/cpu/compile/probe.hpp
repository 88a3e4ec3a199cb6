// backend/cpu/compile/probe.hpp: the facts that the compiler proved about a text's loops.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::cpu {

struct Proof {
  std::vector<bool> kernels;  // kernels that can run by rows of threads (shim/execution/tenon_rows.h), or with loops
                              // that run early (shim/execution/tenon_sums.h)
  std::vector<bool> loops;    // the loops for which they do that
  bool any() const;
};

// The waiting operations that kernels of an object file, compiled for thread loops, reach, because of which they cannot
// run as loops over their threads. Other functions of the text may wait: no kernel calls them.
struct Waits {
  bool block = false, warp = false;  // for other threads of the block at a barrier; in an operation of the warp
  bool none() const { return !block && !warp; }
};
std::vector<Waits> read_waits(std::string_view object, const std::vector<size_t>& numbers);  // of each kernel

// The bytes of __shared__ variables that each kernel can reach, directly and through the functions that it calls, in a
// program of these objects. Each variable has its own section.
std::vector<uint64_t> static_shared_bytes(const std::vector<std::string>& objects, size_t kernels);

// Reads the object file of a probe (shim/execution/tenon_probe.h) of this many kernels and loops. Whatever is not
// proven is false.
Proof read_probe(std::string_view object, size_t kernels, size_t loops);

// Reads the object file of a probe of loops that run side by side (shim/execution/tenon_beside.h). loops: how many such
// loops each kernel has. Returns, for each kernel, the number of the last of them that it reaches without any effect,
// or -1 if it reaches none so.
std::vector<int> read_beside(std::string_view object, const std::vector<int>& loops);

}  // namespace tenon::cpu
