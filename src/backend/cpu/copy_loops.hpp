// backend/cpu/copy_loops.hpp: the inner loops of copies, built once per instruction set.
//
// copy_loops.cpp is compiled several times with TENON_LOOPS naming the table that it defines; copy.cpp selects one at
// run time. It must not include headers whose inline functions other objects use too: the linker could keep the copy
// with the newest instructions.
#pragma once
#include <cstdint>

namespace tenon::cpu {

// Types in the order of the tables below.
enum ElementType {
  kBool,
  kI8,
  kI16,
  kI32,
  kI64,
  kU8,
  kU16,
  kU32,
  kU64,
  kF16,
  kBf16,
  kF32,
  kF64,
  kC64,
  kC128,
  kElementTypes
};

struct CopyLoops {
  const char* name;
  // to[i] = convert(from[i]), both packed.
  void (*convert[kElementTypes][kElementTypes])(void* to, const void* from, int64_t count);  // [to][from]
  // The tables below are indexed by log2 of the element's size, 1 to 16 bytes. Strides are in bytes.
  void (*strided[5])(char* to, int64_t to_stride, const char* from, int64_t from_stride, int64_t count);
  // to[r * to_row + c * size] = from[r * size + c * from_col]. streaming: writes whole lines past the cache.
  void (*transpose[5])(char* to, int64_t to_row, const char* from, int64_t from_col, int64_t rows, int64_t cols,
                       bool streaming);
  // memcpy that writes past the cache; the stores are ordered when it returns.
  void (*stream)(char* to, const char* from, uint64_t bytes);
  // Repeats the 64 bytes of `pattern`, starting with pattern[0] whatever the alignment of `to`.
  void (*fill)(char* to, const unsigned char* pattern, uint64_t bytes);
};

extern const CopyLoops copy_loops_base;
#if defined(__x86_64__)
extern const CopyLoops copy_loops_v3;  // AVX2, F16C
extern const CopyLoops copy_loops_v4;  // AVX-512 BW, DQ, VL
#endif

// copy.cpp: the loops for this processor, and the index of a dtype in the tables.
const CopyLoops& loops();
int element_type(uint32_t dtype);

}  // namespace tenon::cpu
