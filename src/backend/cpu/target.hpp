// backend/cpu/target.hpp: the processor as this process sees it, and the instruction sets for which code is compiled.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace tenon::cpu {

// The value of $TENON_CPU_ISA: "x86-64-v2", "x86-64-v3", "x86-64-v4" or "native", optionally followed by ",tune=" and a
// processor as compilers name it; "native" if it is not set.
std::string default_instruction_set();

// The level (2, 3 or 4; 1: less) for code that was compiled with the library: the highest one that the process can run,
// limited by the variable.
int vector_level();

// The instruction set of a program. It only contains instructions that do not change results: no half-precision
// arithmetic, which compilers contract, and no conversions to bfloat16, which flush denormal numbers. (Level v2 has no
// fused multiply-add, so there products and sums are rounded separately.)
struct Target {
  std::string name;       // as requested
  std::string tuning;     // the processor for which code is scheduled: "generic", "native" or the one in the name
  uint64_t features = 0;  // bits of features_text

  bool has(const char* feature) const;
  std::vector<std::string> options() const;  // for g++ and clang++
};

// "": the default. Throws INVALID_ARGUMENT for an unknown name, and UNSUPPORTED if the process lacks some of its
// instructions.
Target target_of(const std::string& architecture);

// The features that the process can use, as bits: those of CPUID in the process, which under valgrind and other
// emulators differ from the machine's.
uint64_t process_features();
// "avx2 fma ...".
std::string features_text(uint64_t features);

}  // namespace tenon::cpu
