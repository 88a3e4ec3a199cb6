// core/native.hpp: work that the CPU device does with code that is compiled into the library. Other devices get kernels of the same
// texts (src/device) instead; ops/own.hpp has the choice.
#pragma once
#include "core/dtype.hpp"
#include "device/work.hpp"

namespace tenon {

struct Native {
  // RandomWork of that kind and dtype, on the pool.
  void (*random)(int kind, Dtype dtype, const tenon_device::RandomWork& work);
};

}  // namespace tenon
