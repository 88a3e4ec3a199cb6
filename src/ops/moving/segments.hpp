// ops/moving/segments.hpp: reductions and scans of segments, as specified in compute.h.
#pragma once
#include "functions/table.hpp"
#include "ops/output.hpp"

namespace tenon::ops {

struct SegmentOptions {  // as in compute.h
  int32_t segments = 0, axis = 0;
  bool exclusive = false;
  Dtype dtype = 0;
  int64_t count = 0;
};
Ref<Array> segment_reduce(const functions::Function& f, const Array& x, const Array& segments,
                          const SegmentOptions& options, Stream* stream, const Output& out = {});
Ref<Array> segment_scan(const functions::Function& f, const Array& x, const Array& segments,
                        const SegmentOptions& options, Stream* stream, const Output& out = {});
Ref<Array> segment_offsets(const Array& segments, const SegmentOptions& options, Stream* stream,
                           const Output& out = {});

}  // namespace tenon::ops
