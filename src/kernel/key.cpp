// kernel/key.cpp: a program's key and its form on disk, both as length-prefixed fields.
#include "kernel/key.hpp"
#include <cstring>
#include "base/hash.hpp"
#include "kernel/signature.hpp"

namespace tenon {
namespace {

constexpr uint32_t kFormat = 2;  // of keys and entries: another number is another program
constexpr char kMagic[9] = "TENONIMG";
constexpr size_t kChecksum = 32;
constexpr size_t kHeader = 8 + 8 + 8 + kChecksum;  // magic, format, total size, checksum

class Writer {
 public:
  void number(uint64_t value) {
    for (int i = 0; i < 8; ++i) out += char(value >> (8 * i));
  }
  void text(std::string_view value) {
    number(value.size());
    out += value;
  }
  void texts(const std::vector<std::string>& list) {
    number(list.size());
    for (const std::string& value : list) text(value);
  }
  std::string out;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : left_(bytes) {}
  bool number(uint64_t& value) {
    if (left_.size() < 8) return false;
    value = 0;
    for (int i = 0; i < 8; ++i) value |= uint64_t(static_cast<unsigned char>(left_[size_t(i)])) << (8 * i);
    left_.remove_prefix(8);
    return true;
  }
  bool text(std::string_view& value) {
    uint64_t size;
    if (!number(size) || size > left_.size()) return false;
    value = left_.substr(0, size);
    left_.remove_prefix(size);
    return true;
  }
  bool text(std::string& value) {
    std::string_view seen;
    if (!text(seen)) return false;
    value = seen;
    return true;
  }
  bool texts(std::vector<std::string>& list) {
    uint64_t count;
    if (!number(count) || count > left_.size() / 8) return false;
    list.resize(count);
    for (std::string& value : list)
      if (!text(value)) return false;
    return true;
  }
  bool empty() const { return left_.empty(); }

 private:
  std::string_view left_;
};

// Over everything but itself.
std::string checksum(std::string_view entry) {
  std::string all(entry.substr(0, kHeader - kChecksum));
  all += base::hash_hex(entry.substr(kHeader));
  return base::hash_hex(all);
}

// Our own text is the same in every program of this build: its hash stands for it.
void trailer(Writer& key, std::string_view text) {
  static const auto& hash = *new std::string(base::hash_hex(kSignatureText));  // background compiles may outlive static objects
  const std::string_view own = kSignatureText;
  const bool starts = text.substr(0, own.size()) == own;
  key.text(starts ? hash : "");
  key.text(starts ? text.substr(own.size()) : text);
}

}  // namespace

std::string program_key(Device& device, const CompileRequest& request, IncludeScanner& scanner) {
  Writer key;
  key.out.reserve(request.source.size() + request.trailer.size() + 1024);
  key.number(kFormat);
  key.number(uint64_t(device.kind()));
  key.text(device.compiler_identity(request));
  key.text(request.architecture);
  key.number(uint64_t(request.mode));
  key.number(request.flags & ~(TENON_PROGRAM_NO_CACHE | TENON_PROGRAM_TRUSTED));
  key.text(request.name);  // __FILE__, the log and debug information have it
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
  const std::vector<std::string> directories = device.include_directories();
  if (request.inputs.empty()) key.text(scanner.reachable(request, directories));
  key.number(request.inputs.size());
  for (size_t i = 0; i < request.inputs.size(); ++i) {
    const ProgramInput& input = request.inputs[i];
    key.number(uint64_t(uint32_t(input.kind)));
    key.text(input.name);
    key.text(input.data);
    trailer(key, input.trailer);
    if (input.kind == TENON_INPUT_SOURCE) key.text(scanner.reachable(request.unit(i), directories));
  }
  return std::move(key.out);
}

std::string encode_entry(const std::string& key, const Image& image) {
  Writer body;
  body.text(key);
  body.text(image.binary);
  body.text(image.ptx);
  body.text(image.log);
  body.texts(image.symbols);
  body.texts(image.globals);
  body.number(uint64_t(uint32_t(image.execution)));
  Writer entry;
  entry.out = std::string(kMagic, 8);
  entry.number(kFormat);
  entry.number(kHeader + body.out.size());
  entry.out.append(kChecksum, '0');
  entry.out += body.out;
  entry.out.replace(kHeader - kChecksum, kChecksum, checksum(entry.out));
  return std::move(entry.out);
}

bool decode_entry(std::string_view bytes, const std::string& key, Image& image, bool* other_key) {
  if (other_key) *other_key = false;
  if (bytes.size() < kHeader || bytes.substr(0, 8) != std::string_view(kMagic, 8)) return false;
  Reader head(bytes.substr(8, 16));
  uint64_t format = 0, size = 0;
  if (!head.number(format) || format != kFormat || !head.number(size) || size != bytes.size()) return false;
  if (checksum(bytes) != bytes.substr(kHeader - kChecksum, kChecksum)) return false;
  Reader body(bytes.substr(kHeader));
  std::string_view its_key;
  if (!body.text(its_key)) return false;
  if (its_key != key) {
    if (other_key) *other_key = true;
    return false;
  }
  uint64_t execution = 0;
  Image read;
  if (!body.text(read.binary) || !body.text(read.ptx) || !body.text(read.log) || !body.texts(read.symbols) || !body.texts(read.globals) || !body.number(execution) ||
      !body.empty()) {
    return false;
  }
  read.execution = int32_t(uint32_t(execution));
  image = std::move(read);
  return true;
}

}  // namespace tenon
