// kernel/cache/key.hpp: the key of a program: everything that decides what its image is.
#pragma once
#include "kernel/includes.hpp"

namespace tenon {

// Canonical: equal keys mean equal images. Binary; entries of the cache hold it whole and are compared with it. `whole`
// is false where the text reads headers that only a preprocessor finds: then a key says nothing, as they may have
// changed.
std::string program_key(Device& device, const CompileRequest& request, IncludeScanner& scanner, bool* whole = nullptr);

// A program as one sequence of bytes for a file: header, checksum over everything, the key, the image.
std::string encode_entry(const std::string& key, const Image& image);
// False unless `bytes` is a whole and undamaged entry of this very key. `other_key` says that it is sound but
// another's.
bool decode_entry(std::string_view bytes, const std::string& key, Image& image, bool* other_key = nullptr);

// An answer that is kept as an entry: its key. No program's key starts so.
std::string question_key(const std::string& question);

// What an entry says about itself.
struct EntryFacts {
  enum class Kind { damaged, foreign, answer, program };  // foreign: whole, in the form of another version
  Kind kind = Kind::damaged;
  std::string key_hash;  // the name it is found by
  std::string question;  // of an answer; of a program the rest:
  int32_t device = 0, mode = 0;
  uint32_t flags = 0;
  std::string compiler, architecture, name;
  std::vector<std::string> kernels, globals, options;
  uint64_t source_bytes = 0;
};
EntryFacts read_entry_facts(std::string_view bytes);
constexpr uint64_t kEntryFormat = 2;  // of keys and entries: another number is another program

}  // namespace tenon
