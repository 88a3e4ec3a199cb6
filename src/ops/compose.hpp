// ops/compose.hpp: the operations of compute.h composed into one generated kernel, as tenon_elementwise_compose
// promises.
#pragma once
#include <span>
#include "kernel/generate/generated.hpp"

namespace tenon::ops {

Ref<Elementwise> compose(std::span<const uint32_t> inputs, std::span<const tenon_step> steps,
                         std::span<const int32_t> outputs, GeneratedOptions options);

}  // namespace tenon::ops
