// core/argument.hpp: one argument of a call, as everything inside the library takes it.
#pragma once
#include <tenon/argument.h>
#include <string>
#include "core/array.hpp"

namespace tenon {

// Made once from a caller's tenon_arg, by api/arguments.hpp, or by a layer that calls a lower one with its own arrays.
// It owns nothing: arrays and bytes live as long as the call. Left uninitialised, like the struct it stands for, so
// that a list of them on the stack costs nothing; CallArgument{} is of kind 0, "not given".
struct CallArgument {
  uint32_t kind;  // TENON_ARG_*
  Dtype dtype;    // of SCALAR
  uint64_t size;  // of SCALAR (0: that of the dtype) and BYTES, in bytes
  Array* array;   // of ARRAY and STRIDED; NULL: the handle could not be opened, for the reason in value.refused
  union Value {
    const void* pointer;
    const void* bytes;
    int8_t i8;
    int16_t i16;
    int32_t i32;
    int64_t i64;
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
    float f32;
    double f64;
    float c64[2];
    double c128[2];
    const Error* refused;
  } value;

  static CallArgument of(const Array& array, uint32_t kind = TENON_ARG_ARRAY) {
    CallArgument out{};
    out.kind = kind;
    out.array = const_cast<Array*>(&array);  // what may be written is the callee's to check
    return out;
  }
  static CallArgument of_memory(uint32_t kind, const void* memory, uint64_t bytes = 0) {
    CallArgument out{};
    out.kind = kind;
    out.size = bytes;
    out.value.pointer = memory;
    return out;
  }

  bool is_array() const { return kind == TENON_ARG_ARRAY || kind == TENON_ARG_STRIDED; }
  // The array, for an argument that is one. Throws why its handle was refused; place(): "argument 1 of saxpy".
  template <class Place> Array& opened(Place&& place) const {
    if (!array) [[unlikely]]
      refuse(place());
    return *array;
  }

 private:
  [[noreturn]] void refuse(const std::string& place) const {
    Error error = *value.refused;
    error.message = place + ": " + error.message;
    throw error;
  }
};

}  // namespace tenon
