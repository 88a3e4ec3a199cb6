// plugin/package/signing.cpp: signatures of packages. The signed data are name, version and content hash, so that a
// signature is valid for one content only.
#include "plugin/package/signing.hpp"
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cstring>
#include <sstream>
#include "base/files.hpp"
#include "base/library.hpp"
#include "plugin/package/package.hpp"

namespace tenon::plugin {
namespace {

constexpr size_t kKeyBytes = 32, kSecretBytes = 64, kSignatureBytes = 64;
constexpr const char* kHead = "tenon package signature 1";

struct Sodium {
#define X(name, result, parameters) result(*name) parameters = nullptr;
#include "plugin/package/sodium_symbols.inc"
#undef X
  std::string missing;  // why it cannot be used
};

const Sodium& sodium() {
  static const Sodium& opened = *new Sodium([] {
    Sodium out;
    const base::Library library = base::Library::open(
        {{"libsodium.so.23", "loader path"}, {"libsodium.so.26", "loader path"}, {"libsodium.so", "loader path"}});
    bool whole = bool(library);
#define X(name, result, parameters)                                       \
  out.name = reinterpret_cast<decltype(out.name)>(library.symbol(#name)); \
  whole = whole && out.name;
#include "plugin/package/sodium_symbols.inc"
#undef X
    if (!whole || out.sodium_init() < 0)
      out.missing =
          "signatures of packages need libsodium, which was not found: install it (Debian, Ubuntu: libsodium23; "
          "Fedora: libsodium)\n" +
          library.tried();
    return out;
  }());
  return opened;
}

const Sodium& need_sodium() {
  const Sodium& library = sodium();
  TENON_REQUIRE(library.missing.empty(), TENON_ERROR_MISSING_LIBRARY, "%s", library.missing.c_str());
  return library;
}

std::string hex(const unsigned char* bytes, size_t count) {
  std::string out;
  for (size_t i = 0; i < count; ++i) {
    out += "0123456789abcdef"[bytes[i] >> 4];
    out += "0123456789abcdef"[bytes[i] & 15];
  }
  return out;
}

bool is_hex(const std::string& text, size_t bytes) {
  return text.size() == 2 * bytes && text.find_first_not_of("0123456789abcdef") == text.npos;
}

void unhex(const std::string& text, unsigned char* out) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  for (size_t i = 0; i + 1 < text.size(); i += 2)
    out[i / 2] = static_cast<unsigned char>(digit(text[i]) << 4 | digit(text[i + 1]));
}

// Both halves of a key pair. The destructor erases them from memory.
class KeyPair {
 public:
  explicit KeyPair(const std::string& secret) {
    const Sodium& library = need_sodium();
    TENON_REQUIRE(is_hex(secret, kKeyBytes), TENON_ERROR_INVALID_ARGUMENT,
                  "a secret key must be 64 lower-case hexadecimal digits, as tenon_signing_key_create returns them");
    unsigned char seed[kKeyBytes];
    unhex(secret, seed);
    library.crypto_sign_seed_keypair(public_, secret_, seed);
    library.sodium_memzero(seed, sizeof seed);
  }
  ~KeyPair() { sodium().sodium_memzero(secret_, sizeof secret_); }
  KeyPair(const KeyPair&) = delete;
  std::string public_key() const { return hex(public_, sizeof public_); }
  const unsigned char* secret() const { return secret_; }

 private:
  unsigned char public_[kKeyBytes], secret_[kSecretBytes];
};

std::string message_of(const Package& package) {
  return std::string(kHead) + "\n" + package.contract().name + "\n" + package.contract().version.text() + "\n" +
         package.hash() + "\n";
}

struct TrustedKey {
  std::string key, name;
};

// Lines "ed25519 KEY NAME"; text after # is ignored.
std::vector<TrustedKey> read_trust_list() {
  std::vector<TrustedKey> out;
  const std::string path = trust_list_path();
  std::string text, why;
  struct stat info;
  if (path.empty() || ::stat(path.c_str(), &info) != 0) return out;
  if ((info.st_uid != geteuid() && info.st_uid != 0) || (info.st_mode & (S_IWGRP | S_IWOTH)))
    fail(TENON_ERROR_IO,
         "the list of trusted keys %s can be written by other users: remove that permission with chmod go-w",
         path.c_str());
  if (!base::read_file(path, text, &why, 1 << 20))
    fail(TENON_ERROR_IO, "the list of trusted keys cannot be read: %s", why.c_str());
  std::istringstream lines(text);
  size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::istringstream words(line.substr(0, line.find('#')));
    std::string kind;
    TrustedKey one;
    if (!(words >> kind)) continue;
    words >> one.key;
    std::getline(words >> std::ws, one.name);
    if (kind != "ed25519" || !is_hex(one.key, kKeyBytes))
      fail(TENON_ERROR_IO,
           "%s:%zu: a trusted key must be written \"ed25519 KEY NAME\", with 64 lower-case hexadecimal digits",
           path.c_str(), number);
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace

std::string trust_list_path() {
  std::string path = base::environment("TENON_TRUSTED_KEYS");
  if (path.starts_with('/')) return path;
  path = base::environment("XDG_CONFIG_HOME");
  if (path.starts_with('/')) return path + "/tenon/trusted_keys";
  path = base::environment("HOME");
  return path.starts_with('/') ? path + "/.config/tenon/trusted_keys" : "";
}

PackageSignature read_signature(const std::string& text, const std::string& name) {
  std::istringstream lines(text);
  std::string head, key, signature, more;
  std::getline(lines, head);
  PackageSignature out;
  lines >> key >> out.key >> signature >> out.signature;
  if (head != kHead || key != "key" || signature != "signature" || !is_hex(out.key, kKeyBytes) ||
      !is_hex(out.signature, kSignatureBytes) || lines >> more)
    fail(TENON_ERROR_IO,
         "%s/%s is not a package's signature: it must have three lines, \"%s\", \"key ...\" and \"signature ...\"",
         name.c_str(), kSignatureFile, kHead);
  return out;
}

Signed check_signature(const Package& package, const std::string& text, bool wanted,
                       const std::vector<std::string>& trusted) {
  Signed out;
  const char* const origin = package.origin().c_str();
  for (const std::string& key : trusted)
    TENON_REQUIRE(is_hex(key, kKeyBytes), TENON_ERROR_INVALID_ARGUMENT,
                  "\"%.100s\" is not a public key: it must be 64 lower-case hexadecimal digits", key.c_str());
  if (text.empty()) {
    if (wanted)
      fail(TENON_ERROR_IO,
           "%s is not signed (it has no %s), but signatures are required: sign it with `tenon plugin sign`", origin,
           kSignatureFile);
    return out;
  }
  const PackageSignature found = read_signature(text, package.origin());
  const Sodium& library = sodium();
  out.key = found.key;
  out.checked = library.missing.empty();
  if (!out.checked && wanted)
    fail(TENON_ERROR_MISSING_LIBRARY, "%s is signed, but the signature cannot be checked: %s", origin,
         library.missing.c_str());
  if (out.checked) {
    unsigned char key[kKeyBytes], signature[kSignatureBytes];
    unhex(found.key, key);
    unhex(found.signature, signature);
    const std::string message = message_of(package);
    if (library.crypto_sign_verify_detached(signature, reinterpret_cast<const unsigned char*>(message.data()),
                                            message.size(), key) != 0)
      fail(TENON_ERROR_IO,
           "%s: the signature in %s does not match the content: something was changed after signing, or it was not "
           "made with the key %s",
           origin, kSignatureFile, found.key.c_str());
  }
  std::vector<TrustedKey> list;
  for (const std::string& one : trusted) list.push_back({one, ""});
  try {
    for (TrustedKey& one : read_trust_list()) list.push_back(std::move(one));
  } catch (const Error&) {  // if no trust is required, an unusable list trusts nobody
    if (wanted) throw;
  }
  for (const TrustedKey& one : list) {
    if (one.key != found.key) continue;
    out.trusted = out.checked;
    out.by = one.name;
  }
  if (wanted && !out.trusted) {
    const std::string path = trust_list_path();
    fail(TENON_ERROR_IO,
         "%s is signed by the key %s, which is not trusted: if you trust its owner, add the line \"ed25519 %s NAME\" "
         "to %s",
         origin, found.key.c_str(), found.key.c_str(),
         path.empty() ? "a file that TENON_TRUSTED_KEYS names" : path.c_str());
  }
  return out;
}

std::string new_secret_key() {
  unsigned char seed[kKeyBytes];
  const Sodium& library = need_sodium();
  library.randombytes_buf(seed, sizeof seed);
  std::string out = hex(seed, sizeof seed);
  library.sodium_memzero(seed, sizeof seed);
  return out;
}

std::string public_key_of(const std::string& secret) { return KeyPair(secret).public_key(); }

std::string sign(const Package& package, const std::string& secret) {
  const KeyPair keys(secret);
  const std::string message = message_of(package);
  unsigned char signature[kSignatureBytes];
  sodium().crypto_sign_detached(signature, nullptr, reinterpret_cast<const unsigned char*>(message.data()),
                                message.size(), keys.secret());
  return std::string(kHead) + "\nkey " + keys.public_key() + "\nsignature " + hex(signature, sizeof signature) + "\n";
}

}  // namespace tenon::plugin
