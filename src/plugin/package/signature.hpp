// plugin/package/signature.hpp: detached ed25519 signatures of packages, and whose are trusted. libsodium is opened
// when one is needed.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace tenon {

class Package;

namespace plugin {

constexpr const char* kSignatureFile = "plugin.sig";

// What plugin.sig says: the key and the signature, hexadecimal.
struct Signature {
  std::string key, signature;
};
Signature read_signature(const std::string& text, const std::string& name);  // throws IO

// How a package's signature was found.
struct Signed {
  std::string key;       // "": there is none
  std::string by;        // the name that the trust list has for it
  bool checked = false;  // libsodium was there, and it fits
  bool trusted = false;
};
// wanted: a signature by a trusted key is required. trusted: public keys, beside those of the list of the user. Throws
// IO and MISSING_LIBRARY.
Signed check_signature(const Package& package, const std::string& text, bool wanted,
                       const std::vector<std::string>& trusted);

// All throw MISSING_LIBRARY, and INVALID_ARGUMENT for a text that is not a key.
std::string new_secret_key();
std::string public_key_of(const std::string& secret);
std::string sign(const Package& package, const std::string& secret);  // the text of plugin.sig

// $TENON_TRUSTED_KEYS, else $XDG_CONFIG_HOME/tenon/trusted_keys, else ~/.config/tenon/trusted_keys; "": there is no
// such place.
std::string trust_list_path();

}  // namespace plugin
}  // namespace tenon
