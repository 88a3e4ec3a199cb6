// ops/factor.cpp: factors that are stored on the device.
#include "ops/factor.hpp"

#include "core/problem/dense.hpp"
#include "ops/matrix.hpp"

namespace tenon::ops {

void Factor::check(Dtype dtype, const Device& device, const char* what) const {
  if (!array_) return require_factor(value_, dtype, what);
  const Dtype t = array_->dtype();
  TENON_REQUIRE(array_->rank() == 0, TENON_ERROR_SHAPE, "%s has shape %s: a factor must be an array without axes", what,
                shape_text(array_->shape()).c_str());
  TENON_REQUIRE(dtype_floating(dtype) || dtype_complex(dtype), TENON_ERROR_DTYPE,
                "%s is an array, but for %s this call takes factors only as numbers on the host", what,
                dtype_name(dtype).c_str());
  TENON_REQUIRE(dtype_floating(t) || dtype_complex(t), TENON_ERROR_DTYPE,
                "%s is an array of %s: it must be float16, bfloat16, float32, float64, complex64 or complex128", what,
                dtype_name(t).c_str());
  TENON_REQUIRE(dtype_complex(dtype) || !dtype_complex(t), TENON_ERROR_DTYPE,
                "%s is an array of %s, but the arrays are %s: pass a real factor", what, dtype_name(t).c_str(),
                dtype_name(dtype).c_str());
  require_on(*array_, device, what);
}

void Factor::require_real(const char* what, const char* why) const {
  TENON_REQUIRE(!array_ || !dtype_complex(array_->dtype()), TENON_ERROR_DTYPE, "%s is an array of %s: %s", what,
                dtype_name(array_->dtype()).c_str(), why);
  TENON_REQUIRE(array_ || value_.imag() == 0, TENON_ERROR_INVALID_ARGUMENT, "%s has an imaginary part: %s", what, why);
}

void Factor::require_apart(const Array& result, const char* what) const {
  TENON_REQUIRE(!array_ || overlap(result, *array_) == Overlap::disjoint, TENON_ERROR_OVERLAP,
                "the result shares memory with %s: pass an array with its own memory", what);
}

Factor Factor::in(Dtype dtype, Stream& stream) const {
  if (!array_) return *this;
  const Dtype wanted = factor_dtype(dtype);
  // Vendors' routines load a whole complex number, whose address must be a multiple of its size.
  if (array_->dtype() == wanted && reinterpret_cast<uintptr_t>(array_->data()) % dtype_bytes(wanted) == 0) return *this;
  return Factor(convert(*array_, wanted, stream.device(), &stream));
}

Factor Factor::conjugated(Stream& stream) const {
  if (!array_) return std::conj(value_);
  if (!dtype_complex(array_->dtype())) return *this;
  const Ref<Array> out = copy_of(*array_->reshape(Dims{1, 1}), stream);
  run(problem_of<ConjugateProblem>(*out), {out.get()}, {}, stream);
  return Factor(out->reshape(Dims(0)));
}

}  // namespace tenon::ops
