// backend/cpu/target.cpp: the processor as this process sees it, and the instruction sets for which code is compiled.
#include "backend/cpu/target.hpp"
#include <algorithm>
#include <array>
#include <cstring>
#include "base/files.hpp"
#include "core/error.hpp"
#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace tenon::cpu {
namespace {

// Registers of CPUID.
enum CpuidWord { basic_ecx, extended_ecx, seven_ebx, seven_ecx, words };
// The register state that the system must save for an instruction.
enum Saved { general, ymm, zmm };

// Level 5: only in "native". Lists only features that compilers use on their own; the order is part of compiled images.
struct Feature {
  const char* name;  // the part after "-m"
  int level;
  CpuidWord word;
  int bit;
  Saved saved;
};
constexpr Feature table[] = {
    {"sse3", 2, basic_ecx, 0, general},      {"ssse3", 2, basic_ecx, 9, general},
    {"cx16", 2, basic_ecx, 13, general},     {"sse4.1", 2, basic_ecx, 19, general},
    {"sse4.2", 2, basic_ecx, 20, general},   {"popcnt", 2, basic_ecx, 23, general},
    {"sahf", 2, extended_ecx, 0, general},   {"movbe", 3, basic_ecx, 22, general},
    {"lzcnt", 3, extended_ecx, 5, general},  {"bmi", 3, seven_ebx, 3, general},
    {"bmi2", 3, seven_ebx, 8, general},      {"avx", 3, basic_ecx, 28, ymm},
    {"f16c", 3, basic_ecx, 29, ymm},         {"fma", 3, basic_ecx, 12, ymm},
    {"avx2", 3, seven_ebx, 5, ymm},          {"avx512f", 4, seven_ebx, 16, zmm},
    {"avx512dq", 4, seven_ebx, 17, zmm},     {"avx512cd", 4, seven_ebx, 28, zmm},
    {"avx512bw", 4, seven_ebx, 30, zmm},     {"avx512vl", 4, seven_ebx, 31, zmm},
    {"avx512ifma", 5, seven_ebx, 21, zmm},   {"avx512vbmi", 5, seven_ecx, 1, zmm},
    {"avx512vbmi2", 5, seven_ecx, 6, zmm},   {"avx512vnni", 5, seven_ecx, 11, zmm},
    {"avx512bitalg", 5, seven_ecx, 12, zmm}, {"avx512vpopcntdq", 5, seven_ecx, 14, zmm},
    {"gfni", 5, seven_ecx, 8, ymm},
};
constexpr char kTune[] = ",tune=";

uint64_t read_features() {
  uint64_t out = 0;
#if defined(__x86_64__)
  unsigned a, b, c, d;
  std::array<unsigned, words> found{};
  if (__get_cpuid(1, &a, &b, &c, &d)) found[basic_ecx] = c;
  if (__get_cpuid(0x80000001, &a, &b, &c, &d)) found[extended_ecx] = c;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d)) found[seven_ebx] = b, found[seven_ecx] = c;
  unsigned saved = 0, high;
  if (found[basic_ecx] >> 27 & 1) __asm__("xgetbv" : "=a"(saved), "=d"(high) : "c"(0));
  const bool kept[] = {true, (saved & 0x6) == 0x6, (saved & 0xe6) == 0xe6};
  for (size_t i = 0; i < std::size(table); ++i)
    if ((found[table[i].word] >> table[i].bit & 1) && kept[table[i].saved]) out |= uint64_t(1) << i;
#endif
  return out;
}

uint64_t features_of(int level) {
  uint64_t out = 0;
  for (size_t i = 0; i < std::size(table); ++i)
    if (table[i].level <= level) out |= uint64_t(1) << i;
  return out;
}

// 2, 3 or 4; 0: "native"; -1: unknown.
int level_named(const std::string& name) {
  if (name == "native") return 0;
  for (int level : {2, 3, 4})
    if (name == "x86-64-v" + std::to_string(level)) return level;
  return -1;
}

}  // namespace

uint64_t process_features() {
  static const uint64_t found = read_features();
  return found;
}

std::string features_text(uint64_t features) {
  std::string out;
  for (size_t i = 0; i < std::size(table); ++i)
    if (features >> i & 1) out += (out.empty() ? "" : " ") + std::string(table[i].name);
  return out;
}

std::string default_instruction_set() {
  const std::string said = base::environment("TENON_CPU_ISA");
  return said.empty() ? "native" : said;
}

int vector_level() {
  const std::string said = default_instruction_set();
  const int requested = level_named(said.substr(0, said.find(kTune)));
  int level = requested > 0 ? requested : 4;
  while (level > 1 && (features_of(level) & ~process_features())) --level;
  return level;
}

bool Target::has(const char* feature) const {
  for (size_t i = 0; i < std::size(table); ++i)
    if (std::strcmp(table[i].name, feature) == 0) return features >> i & 1;
  return false;
}

// Lists each feature by name: g++ 10 does not know the levels, and -march=native describes the machine rather than the
// process.
std::vector<std::string> Target::options() const {
  std::vector<std::string> out = {"-march=x86-64", "-mtune=" + tuning};
  for (size_t i = 0; i < std::size(table); ++i)
    if (features >> i & 1) out.push_back(std::string("-m") + table[i].name);
  return out;
}

Target target_of(const std::string& architecture) {
  Target out;
  out.name = architecture.empty() ? default_instruction_set() : architecture;
  const char* const from = architecture.empty() ? "TENON_CPU_ISA" : "the architecture";
  const size_t comma = out.name.find(kTune);
  const int level = level_named(out.name.substr(0, comma));
  TENON_REQUIRE(
      level >= 0, TENON_ERROR_INVALID_ARGUMENT,
      "%s is \"%s\"; on the CPU device it must be x86-64-v2, x86-64-v3, x86-64-v4 or native, optionally followed by "
      ",tune= and the name of a processor",
      from, out.name.c_str());
  out.tuning = level == 0 ? "native" : "generic";
  if (comma != std::string::npos) {
    out.tuning = out.name.substr(comma + std::strlen(kTune));
    const bool plain = std::all_of(out.tuning.begin(), out.tuning.end(),
                                   [](unsigned char c) { return std::isalnum(c) || c == '-' || c == '_'; });
    TENON_REQUIRE(plain && !out.tuning.empty(), TENON_ERROR_INVALID_ARGUMENT,
                  "%s is \"%s\": after ,tune= comes the name of a processor, for example znver4 or icelake-server",
                  from, out.name.c_str());
  }
  out.features = level == 0 ? process_features() : features_of(level);
  const uint64_t missing = out.features & ~process_features();
  TENON_REQUIRE(!missing, TENON_ERROR_UNSUPPORTED,
                "%s is \"%s\", and this processor lacks %s; native uses the instructions that the processor has", from,
                out.name.c_str(), features_text(missing).c_str());
  return out;
}

}  // namespace tenon::cpu
