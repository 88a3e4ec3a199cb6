// plugin/package/signing.hpp: detached ed25519 signatures of packages, and the keys that are trusted. libsodium is
// opened when a signature is used.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace tenon {

class Package;

namespace plugin {

constexpr const char* kSignatureFile = "plugin.sig";

// The contents of plugin.sig: the key and the signature, hexadecimal.
struct PackageSignature {
  std::string key, signature;
};
PackageSignature read_signature(const std::string& text, const std::string& name);  // throws IO

// The result of checking a package's signature.
struct Signed {
  std::string key;       // "": no signature
  std::string by;        // the key's name in the trust list
  bool checked = false;  // libsodium was available, and the signature is valid
  bool trusted = false;
};
// wanted: a signature by a trusted key is required. trusted: public keys, in addition to those of the user's list.
// Throws IO and MISSING_LIBRARY.
Signed check_signature(const Package& package, const std::string& text, bool wanted,
                       const std::vector<std::string>& trusted);

// All throw MISSING_LIBRARY, and INVALID_ARGUMENT for text that is not a key.
std::string new_secret_key();
std::string public_key_of(const std::string& secret);
std::string sign(const Package& package, const std::string& secret);  // the text of plugin.sig

// $TENON_TRUSTED_KEYS, else $XDG_CONFIG_HOME/tenon/trusted_keys, else ~/.config/tenon/trusted_keys; "": there is no
// such directory.
std::string trust_list_path();

}  // namespace plugin
}  // namespace tenon
