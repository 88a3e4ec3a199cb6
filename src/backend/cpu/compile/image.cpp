// backend/cpu/compile/image.cpp: compiled images outside of the library: a shared object followed by a seal, which
// records its target and a hash of its content. The loader ignores the seal.
#include <elf.h>
#include <cstdlib>
#include "backend/cpu/kernel.hpp"
#include "base/hash.hpp"
#include "backend/cpu/target.hpp"
#include "core/elf.hpp"

namespace tenon::cpu {
namespace {

constexpr std::string_view kSeal = "\nTENON CPU IMAGE 2 ";
constexpr size_t kHash = 32,
                 kSealBytes = kSeal.size() + 2 * kHash + 2;  // the features it needs, a blank, the content, a newline

std::string seal_of(std::string_view image, const std::string& processor) {
  return std::string(kSeal) + processor + " " + base::hash_hex(base::hash_hex(image) + processor) + "\n";
}

}  // namespace

std::string kernel_symbol(size_t index) { return "tenon_cpu_kernel_" + std::to_string(index); }
std::string shared_symbol(const std::string& kernel) { return kernel + "_shared_bytes"; }
std::string threads_symbol(const std::string& kernel) { return kernel + "_most_threads"; }
std::string variable_symbol(size_t index) { return "tenon_global_place_" + std::to_string(index); }

// The features that a processor must have to run it: bits of target.hpp.
std::string sealed_image(std::string image, const Target& target) {
  return image + seal_of(image, format("%032llx", static_cast<unsigned long long>(target.features)));
}

void kernel_check_image(const ProgramInput& input) {
  const char* const name = input.name.c_str();
  switch (input.kind) {
    case TENON_INPUT_BINARY: break;
    case TENON_INPUT_PTX:
      fail(TENON_ERROR_UNSUPPORTED, "%s is PTX, which only CUDA devices run: give the CPU device the CUDA C source",
           name);
    case TENON_INPUT_FATBIN:
    case TENON_INPUT_LTO_IR:
      fail(TENON_ERROR_UNSUPPORTED, "%s is an image for CUDA devices: give the CPU device the CUDA C source", name);
    default: fail(TENON_ERROR_INVALID_ARGUMENT, "%s has kind %d, which is not one of TENON_INPUT_*", name, input.kind);
  }
  const std::string_view data = input.data;
  TENON_REQUIRE(data.size() > sizeof(Elf64_Ehdr) && data.substr(0, SELFMAG) == ELFMAG, TENON_ERROR_INVALID_ARGUMENT,
                "%s has %zu bytes and is not a shared object: pass the image that tenon_program_image returned", name,
                data.size());
  Elf64_Ehdr header;
  data.copy(reinterpret_cast<char*>(&header), sizeof header);
  constexpr uint16_t kCuda = 190;
  TENON_REQUIRE(header.e_machine != kCuda, TENON_ERROR_UNSUPPORTED,
                "%s is a cubin, which only CUDA devices run: give the CPU device the CUDA C source", name);
  const size_t body = data.size() - std::min(data.size(), kSealBytes);
  const std::string_view seal = data.substr(body);
  TENON_REQUIRE(seal.substr(0, kSeal.size()) == kSeal, TENON_ERROR_INVALID_ARGUMENT,
                "%s is not a complete image of the CPU device: pass all bytes that tenon_program_image returned", name);
  const std::string processor(seal.substr(kSeal.size(), kHash));
  TENON_REQUIRE(seal == seal_of(data.substr(0, body), processor), TENON_ERROR_INVALID_ARGUMENT,
                "%s was changed since it was compiled", name);
  const uint64_t missing = std::strtoull(processor.c_str(), nullptr, 16) & ~process_features();
  TENON_REQUIRE(!missing, TENON_ERROR_UNSUPPORTED,
                "%s was compiled for a processor with %s, which this one lacks: compile the source here", name,
                features_text(missing).c_str());
  TENON_REQUIRE(!elf_symbol(data.substr(0, body), "tenon_cpu_module").empty(), TENON_ERROR_INVALID_ARGUMENT,
                "%s is not a module of kernels", name);
}

}  // namespace tenon::cpu
