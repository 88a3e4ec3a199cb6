// api/random.cpp: random.h.
#include "api/guard.hpp"
#include "ops/moving/moving.hpp"

using namespace tenon;
using namespace tenon::api;

int32_t tenon_random(tenon_device* device, uint32_t dtype, int32_t rank, const int64_t* shape, int32_t distribution,
                     const tenon_random_options* options, tenon_stream* stream, tenon_array** out_numbers) {
  return guard([&] {
    InOut out(out_numbers, "out_numbers");
    out.set(ops::random(get(device, "device").device, dtype, need_shape(shape, rank, "shape"), distribution,
                        options_from(options, "options"), get_or_null(stream, "stream"), out));
  });
}

int32_t tenon_random_blocks(uint32_t dtype, int64_t count, int32_t distribution, uint64_t* out_blocks) {
  return guard([&] { need(out_blocks, "out_blocks") = ops::random_blocks(dtype, count, distribution); });
}

int32_t tenon_random_split(uint64_t key, int64_t count, uint64_t* out_keys) {
  return guard([&] { ops::random_split(key, need_list(out_keys, count, "keys")); });
}

int32_t tenon_random_permutation(tenon_device* device, int64_t n, const tenon_random_options* options,
                                 tenon_stream* stream, tenon_array** out_order) {
  return guard([&] {
    InOut out(out_order, "out_order");
    out.set(ops::permutation(get(device, "device").device, n, options_from(options, "options"),
                             get_or_null(stream, "stream"), out));
  });
}
