// core/array/argument.hpp: one argument of a call, in the form used inside the library.
#pragma once
#include <tenon/argument.h>
#include <string>
#include "core/array/array.hpp"
#include "core/array/texture.hpp"

namespace tenon {

// Made once: from a caller's tenon_arg by api/arguments.hpp, or by a layer that passes its own arrays to a lower one.
// It owns nothing: arrays and bytes must live as long as the call. Not initialised by default, like tenon_arg itself,
// so that a list of them on the stack costs nothing; CallArgument{} has kind 0, "not given".
struct CallArgument {
  uint32_t kind;  // TENON_ARG_*
  Dtype dtype;    // of a SCALAR
  uint64_t size;  // in bytes, of a SCALAR (0: the size of its dtype) and BYTES
  Array* array;   // of ARRAY and STRIDED; NULL: the handle could not be opened; value.refused has the reason
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
    Texture* texture;  // of TEXTURE and SURFACE, if `size` is 1; 0: the handle could not be opened
  } value;

  static CallArgument of(const Array& array, uint32_t kind = TENON_ARG_ARRAY) {
    CallArgument out{};
    out.kind = kind;
    out.array = const_cast<Array*>(&array);  // the callee checks what may be written
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
  bool is_texture() const { return kind == TENON_ARG_TEXTURE || kind == TENON_ARG_SURFACE; }
  // The array of an array argument. If its handle could not be opened, throws the reason; describe() returns text such
  // as "argument 1 of saxpy".
  template <class Describe> Array& opened(Describe&& describe) const {
    if (!array) [[unlikely]]
      refuse(describe());
    return *array;
  }
  // The texture of a texture's argument, likewise.
  template <class Describe> Texture& opened_texture(Describe&& describe) const {
    if (!size) refuse(describe());
    return *value.texture;
  }

 private:
  [[noreturn]] void refuse(const std::string& which) const {
    Error error = *value.refused;
    error.message = which + ": " + error.message;
    throw error;
  }
};

}  // namespace tenon
