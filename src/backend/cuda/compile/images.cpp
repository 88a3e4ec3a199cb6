// backend/cuda/compile/images.cpp: checks the outside of images of CUDA programs, so that the driver only gets valid
// ones.
#include <cctype>
#include <cstring>
#include "backend/cuda/compile/compile.hpp"
#include "backend/cuda/device.hpp"
#include "core/elf.hpp"

namespace tenon::cuda {
namespace {

template <class T> T field(std::string_view data, size_t at) {
  T value{};
  if (at + sizeof value <= data.size()) std::memcpy(&value, data.data() + at, sizeof value);
  return value;
}

[[noreturn]] void refuse_image(const ProgramInput& input, const std::string& why,
                               int32_t status = TENON_ERROR_INVALID_ARGUMENT) {
  fail(status, "%s %s", input.name.c_str(), why.c_str());
}

// Machine code runs on its own architecture and on later ones of the same major version.
bool runs_on(unsigned number, int capability) {
  return number / 10 == unsigned(capability) / 10 && number % 10 <= unsigned(capability) % 10;
}

// A cubin is an ELF file whose flags contain the architecture: in the lowest byte, or, in the format of CUDA 13, in the
// one above it. The format is not always known, so a match of either is accepted.
void check_cubin(const ProgramInput& input, int capability) {
  const std::string_view data = input.data;
  constexpr uint16_t kMachine = 190;
  if (data.size() < 64 || data.substr(0, 4) != "\177ELF")
    refuse_image(input, "is not a cubin: it does not begin like an ELF file");
  if (field<uint16_t>(data, 18) != kMachine)
    refuse_image(input, "is an ELF file for another machine than CUDA devices: a cubin is needed");
  try {
    static_cast<void>(elf_symbol(data, "tenon"));  // reads all tables
  } catch (const Error& error) {
    refuse_image(input, "is not a complete cubin: " + error.message);
  }
  const uint32_t flags = field<uint32_t>(data, 48);
  bool known = false;
  for (const unsigned number : {flags & 0xff, flags >> 8 & 0xff}) {
    if (number < 50) continue;
    if (runs_on(number, capability)) return;
    known = true;
  }
  if (known) {
    refuse_image(input,
                 format("is a cubin for sm_%u, but this device is sm_%d: compile it for this device",
                        (flags & 0xff) >= 50 ? flags & 0xff : flags >> 8 & 0xff, capability),
                 TENON_ERROR_UNSUPPORTED);
  }
}

// A fat binary is a header (magic, version, its size, the size of the rest) followed by its parts.
void check_fatbin(const ProgramInput& input) {
  const std::string_view data = input.data;
  constexpr uint32_t kMagic = 0xba55ed50, kWrapper = 0x466243b1;
  const uint32_t magic = field<uint32_t>(data, 0);
  if (magic == kWrapper)
    refuse_image(input, "is the wrapper that a host compiler puts around a fat binary: pass the fat binary itself");
  if (data.size() < 16 || magic != kMagic) refuse_image(input, "is not a fat binary: it does not begin like one");
  const uint64_t header = field<uint16_t>(data, 6), body = field<uint64_t>(data, 8);
  if (header < 16 || header > data.size() || body > data.size() - header) {
    refuse_image(input, format("is not a complete fat binary: it should have %llu bytes but has %zu",
                               static_cast<unsigned long long>(header + body), data.size()));
  }
}

void check_lto_ir(const ProgramInput& input) {
  constexpr uint32_t kMagic = 0x7f4e43ed;
  if (input.data.size() < 16 || field<uint32_t>(input.data, 0) != kMagic)
    refuse_image(input, "is not LTO-IR: it does not begin like NVRTC's");
}

// The word after a directive: for ".target sm_90, texmode" this is "sm_90".
std::string directive(const std::string& text, const std::string& name) {
  for (size_t at = 0; (at = text.find(name, at)) != std::string::npos; at += name.size()) {
    const size_t line = text.rfind('\n', at) + 1;  // npos + 1 is 0
    if (text.find_first_not_of(" \t", line) != at) continue;
    size_t begin = text.find_first_not_of(" \t", at + name.size()), end = begin;
    if (begin == at + name.size() || begin == std::string::npos) continue;
    while (end < text.size() && !std::isspace(static_cast<unsigned char>(text[end])) && text[end] != ',') ++end;
    return text.substr(begin, end - begin);
  }
  return {};
}

void check_ptx(const ProgramInput& input, int capability) {
  const std::string head = input.data.substr(0, 1 << 20);
  const std::string version = directive(head, ".version"), target = directive(head, ".target");
  if (version.empty() || !std::isdigit(static_cast<unsigned char>(version[0])))
    refuse_image(input, "is not PTX: there is no line \".version\"");
  if (target.rfind("sm_", 0) != 0) refuse_image(input, "is not PTX: there is no line \".target sm_...\"");
  int number = 0;
  try {
    number = architecture_number(target);
  } catch (const Error&) {
    refuse_image(input, "is PTX for the target " + target + ", which is not one");
  }
  const std::string bits = directive(head, ".address_size");
  if (!bits.empty() && bits != "64") refuse_image(input, "is PTX for " + bits + "-bit addresses: they have 64");
  if (number > capability) {
    refuse_image(input,
                 format("is PTX for %s and later, but this device is sm_%d: compile it for this device", target.c_str(),
                        capability),
                 TENON_ERROR_UNSUPPORTED);
  }
}

}  // namespace

void CudaDevice::check_image(const ProgramInput& input) {
  switch (input.kind) {
    case TENON_INPUT_BINARY: return check_cubin(input, capability());
    case TENON_INPUT_PTX: return check_ptx(input, capability());
    case TENON_INPUT_FATBIN: return check_fatbin(input);
    case TENON_INPUT_LTO_IR: return check_lto_ir(input);
    default: refuse_image(input, format("is of the kind %d, which is not one of TENON_INPUT_*", input.kind));
  }
}

}  // namespace tenon::cuda
