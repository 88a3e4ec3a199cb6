// core/array/copy.hpp: copying between arrays: normal form, conversion, devices, host memory.
#pragma once
#include "core/array/array.hpp"
#include "core/array/scalar.hpp"

namespace tenon {

void copy(Array& destination, const Array& source, Stream* stream);
void fill(Array& array, double real, double imaginary, Stream* stream);                // converts as C does
void fill(Array& array, const Scalar& value, const char* what, Stream* stream);        // exact, or INVALID_ARGUMENT
Ref<Array> convert(const Array& source, Dtype dtype, Device& device, Stream* stream);  // new, C order
void to_host(const Array& array, void* data, uint64_t bytes, Stream* stream);
void from_host(Array& array, const void* data, uint64_t bytes, Stream* stream);
// `array` itself when it is C-contiguous, else a contiguous copy on its device.
Ref<Array> contiguous(const Array& array, Stream& stream);
// The same in that dtype: a converted copy if `array` has another one.
Ref<Array> contiguous(const Array& array, Dtype dtype, Stream& stream);

// Drops axes of extent 1, makes destination strides positive, sorts by them, largest first, and merges axes that are
// contiguous on both sides.
void normalise(std::vector<CopyAxis>& axes, char*& to, const char*& from);

}  // namespace tenon
