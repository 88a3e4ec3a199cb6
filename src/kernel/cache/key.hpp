// kernel/cache/key.hpp: the key of a program: everything that determines its image.
#pragma once
#include "kernel/source/includes.hpp"

namespace tenon {

// Canonical: equal keys mean equal images. Binary; cache entries contain the whole key, which is compared. `whole`
// becomes false if the source includes headers that only a preprocessor can find: then the key proves nothing, because
// those headers may have changed.
std::string program_key(Device& device, const CompileRequest& request, IncludeScanner& scanner, bool* whole = nullptr);

// A program as bytes for a file: header, checksum of everything, the key, the image.
std::string encode_entry(const std::string& key, const Image& image);
// False unless `bytes` is a complete and undamaged entry with exactly this key. `other_key`: it is sound, but has
// another key.
bool decode_entry(std::string_view bytes, const std::string& key, Image& image, bool* other_key = nullptr);

// The key of a remembered answer, which is stored as an entry. Programs' keys start differently.
std::string question_key(const std::string& question);

// The contents of an entry's own description.
struct EntryFacts {
  enum class Kind { damaged, foreign, answer, program };  // foreign: intact, in the format of another version
  Kind kind = Kind::damaged;
  std::string key_hash;  // the name under which it is found
  std::string question;  // for an answer; for a program the fields below
  int32_t device = 0, mode = 0;
  uint32_t flags = 0;
  std::string compiler, architecture, name;
  std::vector<std::string> kernels, globals, options;
  uint64_t source_bytes = 0;
};
EntryFacts read_entry_facts(std::string_view bytes);
constexpr uint64_t kEntryFormat = 2;  // format of keys and entries: another number means another program

}  // namespace tenon
