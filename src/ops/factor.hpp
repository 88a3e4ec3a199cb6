// ops/factor.hpp: alpha and beta: numbers of the host, or numbers stored on the device, which no call reads back.
#pragma once
#include <complex>
#include "core/array/array.hpp"

namespace tenon::ops {

class Factor {
 public:
  Factor(std::complex<double> value) : value_(value) {}
  Factor(double value) : value_(value) {}
  // An array without axes, which is read when the work runs.
  explicit Factor(Ref<Array> array) : array_(std::move(array)) {}

  // Is it known to be that number? False for an array.
  bool is(double number) const { return !array_ && value_ == number; }
  bool on_device() const { return bool(array_); }
  std::complex<double> value() const { return array_ ? 0.0 : value_; }
  const void* at() const { return array_ ? array_->data() : nullptr; }

  // Throws unless it can scale arrays of that dtype on that device. what: its name, for messages.
  void check(Dtype dtype, const Device& device, const char* what) const;
  // Throws if it is a number with an imaginary part, or an array of complex numbers; why: the reason, for the message.
  void require_real(const char* what, const char* why) const;
  // Throws OVERLAP if it is an array that shares memory with that result.
  void require_apart(const Array& result, const char* what) const;
  // The factor as routines on arrays of that dtype read it: in the dtype itself, or in float32 for 16-bit dtypes.
  Factor in(Dtype dtype, Stream& stream) const;
  Factor conjugated(Stream& stream) const;
  // Orders the stream behind the array's other uses. Call it together with the use of the operands' buffers.
  void use(Stream& stream) const {
    if (array_) array_->buffer().use(stream, false);
  }

 private:
  std::complex<double> value_;
  Ref<Array> array_;
};

}  // namespace tenon::ops
