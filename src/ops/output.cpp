// ops/output.cpp: outputs that callers provide.
#include "ops/output.hpp"

#include "ops/matrix.hpp"

namespace tenon::ops {

void Output::check(Dtype dtype, Extents shape, const Device& device, std::initializer_list<Input> inputs) const {
  if (!given_) return;
  TENON_REQUIRE(given_->dtype() == dtype, TENON_ERROR_DTYPE, "%s is %s, but this result is %s", name_,
                dtype_name(given_->dtype()).c_str(), dtype_name(dtype).c_str());
  TENON_REQUIRE(given_->shape() == Dims(shape), TENON_ERROR_SHAPE, "%s has shape %s, but this result has shape %s",
                name_, shape_text(given_->shape()).c_str(), shape_text(shape).c_str());
  require_on(*given_, device, name_);
  require_writable(*given_, name_);
  for (const Input& input : inputs) {
    if (&input.array == given_ && input.same) continue;
    const Overlap found = overlap(*given_, input.array);
    TENON_REQUIRE(found == Overlap::disjoint || (found == Overlap::exact && input.same), TENON_ERROR_OVERLAP,
                  input.same ? "%s shares memory with a part of %s: pass exactly that array, or one with its own memory"
                             : "%s shares memory with %s: pass an array with its own memory",
                  name_, input.name);
  }
}

Ref<Array> Output::open(Dtype dtype, Extents shape, Stream& stream, std::initializer_list<Input> inputs) const {
  check(dtype, shape, stream.device(), inputs);
  return given_ ? Ref<Array>(given_) : Array::create(stream.device(), dtype, shape, stream);
}

Ref<Array> Output::open_dense(Dtype dtype, Extents shape, Stream& stream, std::initializer_list<Input> inputs) const {
  check(dtype, shape, stream.device(), inputs);
  if (given_ && (given_->c_contiguous() || dense_by_columns(*given_))) return Ref<Array>(given_);
  return Array::create(stream.device(), dtype, shape, stream);
}

Ref<Array> Output::deliver(Ref<Array> result, Stream& stream) const {
  if (!given_ || result.get() == given_) return result;
  copy(*given_, *result, &stream);
  return Ref<Array>(given_);
}

}  // namespace tenon::ops
