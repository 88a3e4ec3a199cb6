// ops/compute/compose.hpp: the operations of compute.h composed into one generated kernel, as the functions _compose of
// generated.h promise.
#pragma once
#include <span>
#include "kernel/generate/generated.hpp"

namespace tenon::ops {

Ref<Elementwise> compose(std::span<const uint32_t> inputs, std::span<const tenon_step> steps,
                         std::span<const int32_t> outputs, GeneratedOptions options);
// `value` of each element, combined by the reduction or the scan with that code.
Ref<Reduction> compose_reduction(std::span<const uint32_t> inputs, std::span<const tenon_step> steps, int32_t value,
                                 int32_t function, GeneratedOptions options);
Ref<Scan> compose_scan(std::span<const uint32_t> inputs, std::span<const tenon_step> steps, int32_t value,
                       int32_t function, bool exclusive, GeneratedOptions options);

}  // namespace tenon::ops
