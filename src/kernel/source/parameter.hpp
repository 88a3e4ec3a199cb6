// kernel/source/parameter.hpp: a kernel's parameter and a program's variable, as the compiler describes them.
#pragma once
#include <tenon/kernel.h>
#include <cstdint>
#include "core/dtype.hpp"
#include "core/layout.hpp"

namespace tenon {

// A parameter, and its offset in the packed argument block. Sizes are in bytes.
struct Parameter {
  int32_t kind;  // TENON_PARAMETER_*
  Dtype dtype;
  bool read_only;
  bool any_dtype;    // a pointer to void, char or unsigned char: arrays of every dtype fit
  bool enumeration;  // an enum, or a pointer to one: its signedness is the compiler's choice
  uint32_t size, alignment, element_size;
  uint32_t element_alignment;
  uint64_t offset;
};

// A __device__, __constant__ or __managed__ variable.
struct Variable {
  Dtype dtype;
  bool read_only;
  uint64_t bytes;
  Dims shape;
};

}  // namespace tenon
