// ops/moving.hpp: random.h, moving.h and select.h: random numbers, moving, selecting and sorting.
#pragma once
#include <tenon/random.h>
#include <vector>
#include "ops/output.hpp"

namespace tenon::ops {

// random.cpp
Ref<Array> random(Device& device, Dtype dtype, Extents shape, int32_t distribution, const tenon_random_options& options, Stream* stream,
                  const Output& out);
uint64_t random_blocks(Dtype dtype, int64_t count, int32_t distribution);
void random_split(uint64_t key, std::span<uint64_t> keys);
Ref<Array> permutation(Device& device, int64_t n, const tenon_random_options& options, Stream* stream, const Output& out);

}  // namespace tenon::ops
