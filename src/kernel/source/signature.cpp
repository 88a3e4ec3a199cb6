// kernel/source/signature.cpp: lets the compiler describe each kernel's parameters, and reads the description from the
// image.
#include "kernel/source/signature.hpp"
#include <algorithm>
#include <cstring>
#include <string_view>
#include "core/elf.hpp"
#include "core/kernel_name.hpp"
#include "kernel/source/ptx.hpp"

namespace tenon {
namespace {

constexpr uint64_t kSignatureMagic = 0x314749534e4e4554u;  // "TENNSIG1"
constexpr uint32_t kVersion = 1;
constexpr uint32_t kMostParameters = 8192;  // CUDA passes at most 32764 bytes
constexpr uint32_t kReadOnly = 1, kBytes = 2, kEnumeration = 4;

struct Record {  // the layout of tenon_parameter in signature_text.cpp
  uint32_t kind, dtype, flags, size, alignment, element_size, element_alignment, reserved;
};

struct VariableRecord {  // the layout of tenon_variable in signature_text.cpp; the extents follow
  uint64_t magic;
  uint32_t version, rank;
  uint64_t bytes;
  uint32_t dtype, flags, element_size, reserved;
};

// The bytes of a constant of the image. For a device newer than the compiler, the image is PTX text.
std::string_view constant(const Image& image, const std::string& symbol, std::string& from_text) {
  const bool elf = std::string_view(image.binary).substr(0, 4) == "\177ELF";
  const bool text = !elf && image.binary.find(".version") != std::string::npos;
  if (!elf && !text && image.as_given) return {};  // a fat binary
  if (!text) return elf_symbol(image.binary, symbol);
  from_text = ptx_symbol(image.binary, symbol);
  return from_text;
}

bool power_of_two(uint32_t n) { return n && !(n & (n - 1)); }

bool sound(const Record& r) {
  if (r.kind < TENON_PARAMETER_SCALAR || r.kind > TENON_PARAMETER_STRUCT) return false;
  if (r.size == 0 || r.size > (1u << 20) || !power_of_two(r.alignment) || r.alignment > 4096) return false;
  if (r.kind == TENON_PARAMETER_POINTER && (r.size != sizeof(void*) || !power_of_two(r.element_alignment)))
    return false;
  return r.dtype == 0 || dtype_valid(r.dtype);
}

}  // namespace

void check_kernel_name(const std::string& name, const char* what) {
  TENON_REQUIRE(!name.empty(), TENON_ERROR_INVALID_ARGUMENT,
                "a %s name is empty: write it as in the source, \"saxpy\" or \"axpy<float>\"", what);
  TENON_REQUIRE(name.size() <= 4096, TENON_ERROR_INVALID_ARGUMENT, "a %s name has %zu characters, more than 4096", what,
                name.size());
  int depth = 0;
  for (size_t i = 0; i < name.size(); ++i) {
    const unsigned char c = static_cast<unsigned char>(name[i]);
    const bool comment = c == '/' && i + 1 < name.size() && (name[i + 1] == '/' || name[i + 1] == '*');
    TENON_REQUIRE(
        c >= ' ' && !std::strchr("\"\\#;{}@`$", c) && !comment, TENON_ERROR_INVALID_ARGUMENT,
        "%s name \"%s\" has a character at %zu that such a name cannot have: write it as in the source, \"saxpy\" or "
        "\"axpy<float>\"",
        what, name.c_str(), i);
    depth += (c == '(') - (c == ')');
    TENON_REQUIRE(depth >= 0, TENON_ERROR_INVALID_ARGUMENT, "%s name \"%s\" has unbalanced parentheses", what,
                  name.c_str());
  }
  TENON_REQUIRE(depth == 0, TENON_ERROR_INVALID_ARGUMENT, "%s name \"%s\" has unbalanced parentheses", what,
                name.c_str());
}

namespace {

std::vector<size_t> counted(size_t count) {
  std::vector<size_t> out(count);
  for (size_t i = 0; i < count; ++i) out[i] = i;
  return out;
}

// Makes the image describe its contents.
std::string name_constant(const char* what, const std::string& number, const std::string& name) {
  return std::string("TENON_SIGNATURE char tenon_") + what + "_name_" + number + "[] = \"" + name + "\";\n";
}

}  // namespace

std::string signature_trailer(const std::vector<std::string>& kernels, const std::vector<std::string>& globals) {
  return signature_trailer(kernels, counted(kernels.size()), globals, counted(globals.size()));
}

std::string signature_trailer(const std::vector<std::string>& kernels, const std::vector<size_t>& which_kernels,
                              const std::vector<std::string>& globals, const std::vector<size_t>& which_globals) {
  if (which_kernels.empty() && which_globals.empty()) return {};
  std::string text = kSignatureText;
  for (const size_t i : which_kernels) {
    // The #line appears in the compiler's message if there is no such kernel, or several of that name.
    const std::string of = "tenon_signature::tenon_of<decltype(" + kernel_address(kernels[i]) + ")>",
                      n = std::to_string(i);
    text += name_constant("kernel", n, kernels[i]);
    text += "#line 1 \"kernel name " + n + " of the options: " + kernels[i] + "\"\n";
    text += "TENON_SIGNATURE " + of + "::tenon_type tenon_signature_" + n + " = " + of + "::tenon_value();\n";
  }
  for (const size_t i : which_globals) {
    const std::string of = "tenon_signature::tenon_variable_of<decltype(" + globals[i] + ")>", n = std::to_string(i);
    text += name_constant("variable", n, globals[i]);
    text += "#line 1 \"variable name " + n + " of the options: " + globals[i] + "\"\n";
    text += "TENON_SIGNATURE " + of + "::tenon_type tenon_variable_" + n + " = " + of + "::tenon_value();\n";
    text += "TENON_GLOBAL_PLACE(tenon_global_place_" + n + ", " + globals[i] + ")\n";
  }
  return text + "#undef TENON_SIGNATURE\n#undef TENON_GLOBAL_PLACE\n";
}

std::vector<Parameter> read_signature(const Image& image, size_t index, const std::string& kernel) {
  const std::string symbol = "tenon_signature_" + std::to_string(index);
  std::string from_text;
  const std::string_view bytes = constant(image, symbol, from_text);
  uint64_t magic = 0;
  uint32_t head[2] = {0, 0};  // version, count
  if (bytes.size() >= 16) {
    std::memcpy(&magic, bytes.data(), 8);
    std::memcpy(head, bytes.data() + 8, 8);
  }
  TENON_REQUIRE(magic == kSignatureMagic && head[0] == kVersion && head[1] <= kMostParameters &&
                    bytes.size() >= 16 + head[1] * sizeof(Record),
                TENON_ERROR_INTERNAL, "the image of kernel %s has no valid table %s of its parameters", kernel.c_str(),
                symbol.c_str());
  std::vector<Parameter> parameters(head[1]);
  for (uint32_t i = 0; i < head[1]; ++i) {
    Record r;
    std::memcpy(&r, bytes.data() + 16 + i * sizeof r, sizeof r);
    TENON_REQUIRE(r.kind != 0, TENON_ERROR_UNSUPPORTED,
                  "parameter %u of %s is a reference, which a kernel cannot take: use a pointer or a value", i,
                  kernel.c_str());
    TENON_REQUIRE(sound(r), TENON_ERROR_INTERNAL,
                  "the table of kernel %s has an impossible description of parameter %u", kernel.c_str(), i);
    Parameter& p = parameters[i];
    p.kind = int32_t(r.kind);
    p.dtype = r.dtype;
    p.read_only = r.flags & kReadOnly;
    p.any_dtype = r.flags & kBytes;
    p.enumeration = r.flags & kEnumeration;
    p.size = r.size;
    p.alignment = r.alignment;
    p.element_size = r.element_size;
    p.element_alignment = r.element_alignment ? r.element_alignment : 1;
  }
  return parameters;
}

Variable read_variable(const Image& image, size_t index, const std::string& name) {
  std::string from_text;
  const std::string_view bytes = constant(image, "tenon_variable_" + std::to_string(index), from_text);
  VariableRecord r{};
  if (bytes.size() >= sizeof r) std::memcpy(&r, bytes.data(), sizeof r);
  TENON_REQUIRE(r.magic == kSignatureMagic && r.version == kVersion && r.rank <= 256 &&
                    bytes.size() >= sizeof r + r.rank * 8 && r.element_size != 0 &&
                    (r.dtype == 0 || dtype_valid(r.dtype)),
                TENON_ERROR_INTERNAL, "the image has no valid description of the variable %s", name.c_str());
  // A type without a dtype is described as bytes; lanes are an axis.
  const uint32_t lanes = r.dtype ? dtype_lanes(r.dtype) : r.element_size;
  const Dtype dtype = r.dtype ? dtype_lane(r.dtype) : TENON_UINT8;
  const bool inner = r.dtype == 0 || lanes > 1;
  TENON_REQUIRE(r.rank + (inner ? 1 : 0) <= TENON_MAX_RANK, TENON_ERROR_UNSUPPORTED,
                "the variable %s has %u axes: an array can have at most %d", name.c_str(), r.rank, TENON_MAX_RANK);
  int64_t extents[TENON_MAX_RANK];
  std::memcpy(extents, bytes.data() + sizeof r, r.rank * 8);
  if (inner) extents[r.rank] = int64_t(lanes);
  return {dtype, (r.flags & kReadOnly) != 0, r.bytes, Dims(Extents(extents, r.rank + (inner ? 1 : 0)))};
}

std::vector<std::string> names_in_image(const Image& image, const char* what) {
  std::vector<std::string> out;
  for (;;) {
    std::string from_text;
    std::string_view name =
        constant(image, std::string("tenon_") + what + "_name_" + std::to_string(out.size()), from_text);
    if (name.empty()) return out;
    out.emplace_back(name.substr(0, name.find('\0')));
  }
}

std::vector<Parameter> sized_parameters(const std::vector<uint64_t>& sizes) {
  std::vector<Parameter> out;
  for (const uint64_t size : sizes) {
    TENON_REQUIRE(size > 0 && size <= (1u << 20), TENON_ERROR_INTERNAL, "a parameter cannot have %llu bytes",
                  static_cast<unsigned long long>(size));
    Parameter p{};
    p.kind = TENON_PARAMETER_UNKNOWN;
    p.size = uint32_t(size);
    p.alignment = std::min(16u, uint32_t(size & (~size + 1)));
    p.element_alignment = 1;
    p.any_dtype = true;
    out.push_back(p);
  }
  return out;
}

namespace {

// The usual C name if there is one; vectors as "float4".
std::string type_text(Dtype dtype) {
  const char* name = nullptr;
  switch (dtype_lane(dtype)) {
    case TENON_BOOL: name = "bool"; break;
    case TENON_INT8: name = "char"; break;
    case TENON_INT16: name = "short"; break;
    case TENON_INT32: name = "int"; break;
    case TENON_INT64: name = "long long"; break;
    case TENON_UINT8: name = dtype_lanes(dtype) > 1 ? "uchar" : "unsigned char"; break;
    case TENON_UINT16: name = dtype_lanes(dtype) > 1 ? "ushort" : "unsigned short"; break;
    case TENON_UINT32: name = dtype_lanes(dtype) > 1 ? "uint" : "unsigned int"; break;
    case TENON_UINT64: name = dtype_lanes(dtype) > 1 ? "ulonglong" : "unsigned long long"; break;
    case TENON_FLOAT16: name = "__half"; break;
    case TENON_BFLOAT16: name = "__nv_bfloat16"; break;
    case TENON_FLOAT32: name = "float"; break;
    case TENON_FLOAT64: name = "double"; break;
    default: return dtype_name(dtype);
  }
  return dtype_lanes(dtype) > 1 ? name + std::to_string(dtype_lanes(dtype)) : name;
}

}  // namespace

std::string parameter_text(const Parameter& p) {
  if (p.kind == TENON_PARAMETER_UNKNOWN)
    return std::to_string(p.size) + " bytes, which the image does not describe further";
  if (p.kind == TENON_PARAMETER_SCALAR) return type_text(p.dtype);
  if (p.kind == TENON_PARAMETER_STRUCT) {
    return p.dtype ? type_text(p.dtype) : "a struct of " + std::to_string(p.size) + " bytes";
  }
  std::string element = p.dtype          ? type_text(p.dtype)
                        : p.element_size ? "(struct of " + std::to_string(p.element_size) + " bytes)"
                                         : "void";
  return (p.read_only ? "const " : "") + element + "*";
}

}  // namespace tenon
