// kernel/cache/key.cpp: a program's key and its form on disk.
#include "kernel/cache/key.hpp"
#include <cstring>
#include "base/hash.hpp"
#include "kernel/cache/fields.hpp"
#include "kernel/source/signature.hpp"

namespace tenon {
namespace {

constexpr char kEntryMagic[9] = "TENONIMG";
constexpr size_t kChecksum = 32;
constexpr char kQuestion[] = "question\n";
constexpr size_t kHeader = 8 + 8 + 8 + kChecksum;  // magic, format, total size, checksum

// Of everything except itself.
std::string checksum(std::string_view entry) {
  std::string all(entry.substr(0, kHeader - kChecksum));
  all += base::hash_hex(entry.substr(kHeader));
  return base::hash_hex(all);
}

// Tenon's own lines are the same in every program of this build: their hash stands for them.
void trailer(FieldWriter& key, std::string_view text) {
  static const auto& hash =
      *new std::string(base::hash_hex(kSignatureText));  // background compiles may outlive static objects
  const std::string_view own = kSignatureText;
  const bool starts = text.substr(0, own.size()) == own;
  key.text(starts ? hash : "");
  key.text(starts ? text.substr(own.size()) : text);
}

}  // namespace

std::string program_key(Device& device, const CompileRequest& request, IncludeScanner& scanner, bool* whole) {
  FieldWriter key;
  if (whole) *whole = true;
  const auto add_headers = [&](const CompileRequest& unit) {
    bool all = true;
    key.text(scanner.reachable(unit, device.include_directories(unit), &all, device.own_headers()));
    if (whole) *whole = *whole && all;
  };
  key.out.reserve(request.source.size() + request.trailer.size() + 1024);
  key.number(kEntryFormat);
  key.number(uint64_t(device.kind()));
  key.text(device.compiler_identity(request));
  key.text(request.architecture);
  key.number(uint64_t(request.mode));
  key.number(request.flags & ~(TENON_PROGRAM_FLAG_NO_CACHE | TENON_PROGRAM_FLAG_TRUSTED));
  key.text(request.name);  // part of __FILE__, the log and debug information
  key.texts(request.kernels);
  key.texts(request.globals);
  key.texts(request.options);
  key.text(request.source);
  trailer(key, request.trailer);
  key.number(request.headers.size());
  for (const SourceHeader& header : request.headers) {
    key.text(header.name);
    key.text(header.text);
  }
  if (request.inputs.empty()) add_headers(request);
  key.number(request.inputs.size());
  for (size_t i = 0; i < request.inputs.size(); ++i) {
    const ProgramInput& input = request.inputs[i];
    key.number(uint64_t(uint32_t(input.kind)));
    key.text(input.name);
    key.text(input.data);
    trailer(key, input.trailer);
    if (input.kind == TENON_INPUT_SOURCE) add_headers(request.unit(i));
  }
  return std::move(key.out);
}

std::string encode_entry(const std::string& key, const Image& image) {
  FieldWriter body;
  body.text(key);
  body.text(image.binary);
  body.text(image.ptx);
  body.text(image.log);
  body.texts(image.symbols);
  body.texts(image.globals);
  body.number(uint64_t(uint32_t(image.execution)));
  FieldWriter entry;
  entry.out = std::string(kEntryMagic, 8);
  entry.number(kEntryFormat);
  entry.number(kHeader + body.out.size());
  entry.out.append(kChecksum, '0');
  entry.out += body.out;
  entry.out.replace(kHeader - kChecksum, kChecksum, checksum(entry.out));
  return std::move(entry.out);
}

namespace {

enum class Seal { damaged, other_format, whole };

// The contents of the header and the checksum.
Seal look_at_seal(std::string_view bytes) {
  if (bytes.size() < kHeader || bytes.substr(0, 8) != std::string_view(kEntryMagic, 8)) return Seal::damaged;
  FieldReader head(bytes.substr(8, 16));
  uint64_t format = 0, size = 0;
  if (!head.number(format) || !head.number(size) || size != bytes.size()) return Seal::damaged;
  if (checksum(bytes) != bytes.substr(kHeader - kChecksum, kChecksum)) return Seal::damaged;
  return format == kEntryFormat ? Seal::whole : Seal::other_format;
}

// The image that follows the key.
bool read_image(FieldReader& body, Image& image) {
  uint64_t execution = 0;
  Image read;
  if (!body.text(read.binary) || !body.text(read.ptx) || !body.text(read.log) || !body.texts(read.symbols) ||
      !body.texts(read.globals) || !body.number(execution) || !body.empty()) {
    return false;
  }
  read.execution = int32_t(uint32_t(execution));
  image = std::move(read);
  return true;
}

// The first fields of program_key.
bool read_program_key(std::string_view key, EntryFacts& out) {
  FieldReader fields(key);
  uint64_t format = 0, device = 0, mode = 0, flags = 0;
  std::string_view source;
  if (!fields.number(format) || format != kEntryFormat || !fields.number(device) || !fields.text(out.compiler) ||
      !fields.text(out.architecture) || !fields.number(mode) || !fields.number(flags) || !fields.text(out.name) ||
      !fields.texts(out.kernels) || !fields.texts(out.globals) || !fields.texts(out.options) || !fields.text(source)) {
    return false;
  }
  out.device = int32_t(device);
  out.mode = int32_t(mode);
  out.flags = uint32_t(flags);
  out.source_bytes = source.size();
  return true;
}

}  // namespace

bool decode_entry(std::string_view bytes, const std::string& key, Image& image, bool* other_key) {
  if (other_key) *other_key = false;
  if (look_at_seal(bytes) != Seal::whole) return false;
  FieldReader body(bytes.substr(kHeader));
  std::string_view its_key;
  if (!body.text(its_key)) return false;
  if (its_key != key) {
    if (other_key) *other_key = true;
    return false;
  }
  return read_image(body, image);
}

std::string question_key(const std::string& question) { return kQuestion + question; }

EntryFacts read_entry_facts(std::string_view bytes) {
  EntryFacts out;
  const Seal seal = look_at_seal(bytes);
  if (seal != Seal::whole) {
    if (seal == Seal::other_format) out.kind = EntryFacts::Kind::foreign;
    return out;
  }
  FieldReader body(bytes.substr(kHeader));
  std::string_view key;
  Image image;
  if (!body.text(key) || !read_image(body, image)) return out;
  out.key_hash = base::hash_hex(key);
  if (key.starts_with(kQuestion)) {
    out.question = key.substr(std::strlen(kQuestion));
    out.kind = EntryFacts::Kind::answer;
  } else if (read_program_key(key, out)) {
    out.kind = EntryFacts::Kind::program;
  }
  return out;
}

}  // namespace tenon
