// backend/cpu/target.hpp: the processor as this process sees it, and the instruction sets that code is made for.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace tenon::cpu {

// What $TENON_CPU_ISA says: "x86-64-v2", "x86-64-v3", "x86-64-v4" or "native", optionally followed by ",tune=" and a
// processor as compilers name it; "native" where it is not set.
std::string default_instruction_set();

// The level (2, 3 or 4; 1: less) of code that was compiled beforehand: what the process can run, but no more than the
// variable says.
int vector_level();

// The instruction set of a program. Only instructions that change no result are in it: no half-precision arithmetic,
// which compilers contract, and no conversions to bfloat16, which flush denormal numbers. (Level v2 has no fused
// multiply-add, so there products and sums are rounded one after the other.)
struct Target {
  std::string name;       // as it was asked for
  std::string tuning;     // the processor that code is scheduled for: "generic", "native" or what the name says
  uint64_t features = 0;  // bits of features_text

  bool has(const char* feature) const;
  std::vector<std::string> options() const;  // of g++ and clang++
};

// "": the default. Throws INVALID_ARGUMENT for a name that is none, and UNSUPPORTED where the process lacks some of its
// instructions.
Target target_of(const std::string& architecture);

// What the process can run, as bits; CPUID of the process, which under valgrind and other emulators is not that of the
// machine.
uint64_t process_features();
// "avx2 fma ...".
std::string features_text(uint64_t features);

}  // namespace tenon::cpu
