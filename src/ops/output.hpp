// ops/output.hpp: where a call writes a result: an array that the caller provided, of any strides, or a new one.
#pragma once
#include <initializer_list>
#include "core/array/array.hpp"

namespace tenon::ops {

// An array that the call reads. same: the output may be exactly this array (one view of it, not a part).
struct Input {
  const Array& array;
  const char* name;
  bool same = false;
};

class Output {
 public:
  Output() = default;  // a new array
  Output(Array* given, const char* name, bool wanted = true) : given_(given), name_(name), wanted_(wanted) {}

  bool wanted() const { return wanted_; }  // false: the caller does not want this result
  Array* given() const { return given_; }

  // Throws unless the given array can hold this result: DTYPE and SHAPE (it must have exactly these), DEVICE, CONTEXT,
  // READ_ONLY, OVERLAP (with itself, or with an input). Does nothing if no array was given.
  void check(Dtype dtype, Extents shape, const Device& device, std::initializer_list<Input> inputs) const;

  // Calls check, and returns the array that the routine writes: the given one, of any strides, or a new C-ordered one.
  Ref<Array> open(Dtype dtype, Extents shape, Stream& stream, std::initializer_list<Input> inputs) const;

  // Calls check, and returns an array of matrices for column-major routines: the given one if its matrices are dense by
  // rows or by columns, or else a new C-ordered one, which deliver() copies.
  Ref<Array> open_dense(Dtype dtype, Extents shape, Stream& stream, std::initializer_list<Input> inputs) const;

  // For results that were computed elsewhere, after check: copies `result` into the given array and returns that; if
  // none was given, returns `result` itself, which must then be C-ordered and not be shared.
  Ref<Array> deliver(Ref<Array> result, Stream& stream) const;

 private:
  Array* given_ = nullptr;
  const char* name_ = "the result";
  bool wanted_ = true;
};

}  // namespace tenon::ops
