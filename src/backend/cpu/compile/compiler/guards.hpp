// backend/cpu/compile/compiler/guards.hpp: the bounds check at the beginning of a kernel, decided before its threads
// run.
#pragma once
#include <string>
#include <string_view>

namespace tenon::cpu {

// Most kernels begin like this:
//   int i = blockIdx.x * blockDim.x + threadIdx.x;
//   if (i < n) y[i] = ...                               // or: if (i >= n) return;
// A compiler vectorises such a loop over threads with masked loads and stores. Where a mask has no instructions of its
// own (AVX2), the stores take several times as long, and processors do not fetch memory ahead of the loads.
//
// `module` is the text of a module, as clang writes it before any optimisation. tenon_entry (shim/execution) declares
// tenon_passes(parameters) for each kernel and only calls the kernel where it returns true. Returns the module with the
// definitions of these functions. If a kernel begins with conditions without which it has no effect, and which depend
// on nothing but numbers among its parameters and the indices, they become tenon_passes, and the kernel takes them as
// true. Otherwise, and in all kernels if `plain`, tenon_passes is true.
std::string with_guards(std::string_view module, bool plain);

}  // namespace tenon::cpu
