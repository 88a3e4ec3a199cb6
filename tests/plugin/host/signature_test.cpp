// tests/plugin/host/signature_test.cpp: signed packages: by whom, whether the content is what was signed, and who is
// trusted.
#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "../packages.hpp"

using namespace test;
using nlohmann::json;

namespace {

const char kContract[] =
    "name = \"p\"\nversion = \"1.2.0\"\n[op.f]\nparameters = [\"in T x\", \"out T y\"]\nkernel = \"f<T>\"\nsource = \"f.cu\"\n";
const char kSource[] = "template <class T> __global__ void f(const T* x, T* y, int n) {}\n";

class Signatures : public testing::Test {
 protected:
  void SetUp() override {
    tenon_blob* made = nullptr;
    const int32_t status = tenon_signing_key_create(&made);
    if (status == TENON_ERROR_MISSING_LIBRARY) GTEST_SKIP() << tenon_error_last_message();
    OK(status);
    secret = text_of(made);
    key = public_of(secret);
    place.write("p/plugin.toml", kContract);
    place.write("p/f.cu", kSource);
    ::setenv("TENON_TRUSTED_KEYS", (place / "trusted").c_str(), 1);
  }
  void TearDown() override { ::unsetenv("TENON_TRUSTED_KEYS"); }

  static std::string public_of(const std::string& secret) {
    tenon_blob* out = nullptr;
    EXPECT_OK(tenon_signing_key_public(secret.c_str(), &out));
    return out ? text_of(out) : "";
  }
  std::string sign(const std::string& by) const {
    tenon_blob* out = nullptr;
    EXPECT_OK(tenon_package_sign((place / "p").c_str(), by.c_str(), nullptr, &out));
    return out ? text_of(out) : "";
  }
  // Loads it into a new context: the status, and its description.
  int32_t load(uint32_t flags, const char* trusted = nullptr, uint32_t context_flags = 0) {
    tenon_context_options settings{};
    settings.struct_size = sizeof settings;
    settings.flags = context_flags;
    tenon_context* context = nullptr;
    EXPECT_OK(tenon_context_create(&settings, &context));
    const ContextPtr own(context);
    tenon_package_options options{};
    options.struct_size = sizeof options;
    options.flags = flags;
    options.trusted_keys = &trusted;
    options.trusted_key_count = trusted ? 1 : 0;
    tenon_package* package = nullptr;
    const int32_t status = tenon_package_load(context, (place / "p").c_str(), &options, &package);
    signature = nullptr;
    if (status) return status;
    const PackagePtr held(package);
    tenon_blob* blob = nullptr;
    EXPECT_OK(tenon_package_describe(package, &blob));
    signature = json::parse(text_of(blob))["signature"];
    return status;
  }

  Directory place;
  std::string secret, key;
  json signature;
};

}  // namespace

TEST_F(Signatures, keys_are_made_and_checked) {
  tenon_blob* blob = nullptr;
  OK(tenon_signing_key_create(&blob));
  const std::string other = text_of(blob);
  EXPECT_NE(secret, other);
  EXPECT_EQ(64u, secret.size());
  EXPECT_NE(secret, key);
  // The first test of RFC 8032, section 7.1.
  EXPECT_EQ("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            public_of("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"));
  for (const std::string& wrong : {std::string(), std::string("key"), std::string(63, 'a'), std::string(65, 'a'),
                                   std::string(64, 'A'), std::string(64, 'g')}) {
    FAILS(TENON_ERROR_INVALID_ARGUMENT, "64 lower-case hexadecimal digits",
          tenon_signing_key_public(wrong.c_str(), &blob));
    FAILS(TENON_ERROR_INVALID_ARGUMENT, "64 lower-case hexadecimal digits",
          tenon_package_sign((place / "p").c_str(), wrong.c_str(), nullptr, &blob));
  }
  FAILS(TENON_ERROR_NOT_FOUND, "nowhere",
        tenon_package_sign((place / "nowhere").c_str(), secret.c_str(), nullptr, &blob));
}

TEST_F(Signatures, a_trusted_one_is_told_and_required_where_that_is_wanted) {
  EXPECT_EQ(TENON_OK, load(0));
  EXPECT_TRUE(signature.is_null());
  FAILS(TENON_ERROR_IO, "is not signed", load(TENON_PACKAGE_SIGNED, key.c_str()));
  FAILS(TENON_ERROR_IO, "is not signed", load(0, key.c_str(), TENON_CONTEXT_SIGNED_PACKAGES));
  place.write("p/plugin.sig", sign(secret));
  EXPECT_EQ(TENON_OK, load(0)) << tenon_error_last_message();
  EXPECT_EQ((json{{"key", key}, {"by", ""}, {"checked", true}, {"trusted", false}}), signature);
  EXPECT_EQ(TENON_OK, load(TENON_PACKAGE_SIGNED, key.c_str())) << tenon_error_last_message();
  EXPECT_EQ(true, signature["trusted"]);
  FAILS(TENON_ERROR_IO, "which is not trusted", load(TENON_PACKAGE_SIGNED));
  place.write("trusted", "# ours\n\ned25519 " + key + "  Ada Lovelace # since 1843\n");
  EXPECT_EQ(TENON_OK, load(TENON_PACKAGE_SIGNED)) << tenon_error_last_message();
  EXPECT_EQ(true, signature["trusted"]);
  EXPECT_EQ(0u, signature["by"].get<std::string>().find("Ada Lovelace"));
  EXPECT_EQ(TENON_OK, load(0, nullptr, TENON_CONTEXT_SIGNED_PACKAGES)) << tenon_error_last_message();
}

TEST_F(Signatures, by_another_key_are_refused) {
  tenon_blob* blob = nullptr;
  OK(tenon_signing_key_create(&blob));
  const std::string other = text_of(blob);
  place.write("p/plugin.sig", sign(other));
  EXPECT_EQ(TENON_OK, load(0));
  FAILS(TENON_ERROR_IO, "is signed by the key " + public_of(other), load(TENON_PACKAGE_SIGNED, key.c_str()));
  std::string claimed = sign(other);  // as if the trusted key had signed it
  claimed.replace(claimed.find("key ") + 4, 64, key);
  place.write("p/plugin.sig", claimed);
  FAILS(TENON_ERROR_IO, "does not match the content", load(TENON_PACKAGE_SIGNED, key.c_str()));
  FAILS(TENON_ERROR_IO, "does not match the content", load(0));
}

TEST_F(Signatures, of_content_that_was_changed_are_refused) {
  place.write("p/plugin.sig", sign(secret));
  for (const char* file : {"f.cu", "plugin.toml"}) {
    const std::string text = std::string(file) == "f.cu" ? kSource : kContract;
    place.write(std::string("p/") + file, text + " ");
    FAILS(TENON_ERROR_IO, "does not match the content", load(0));
    place.write(std::string("p/") + file, text);
    EXPECT_EQ(TENON_OK, load(TENON_PACKAGE_SIGNED, key.c_str())) << tenon_error_last_message();
  }
  place.write("p/more.cuh", "\n");
  FAILS(TENON_ERROR_IO, "does not match the content", load(TENON_PACKAGE_SIGNED, key.c_str()));
}

TEST_F(Signatures, that_are_malformed_are_refused) {
  const std::string good = sign(secret);
  std::string digit = good;
  digit[digit.size() - 2] = digit[digit.size() - 2] == '0' ? '1' : '0';
  place.write("p/plugin.sig", digit);
  FAILS(TENON_ERROR_IO, "does not match the content", load(0));
  for (const std::string& wrong : {std::string("\n"), good.substr(1), good.substr(0, good.size() - 3), good + "more\n",
                                   std::string(good).replace(good.find("key"), 3, "KEY"),
                                   std::string(good).replace(good.find("key ") + 4, 1, "g")}) {
    place.write("p/plugin.sig", wrong);
    FAILS(TENON_ERROR_IO, "plugin.sig is not a package's signature", load(0));
  }
}

TEST_F(Signatures, go_into_archives) {
  place.write("p/plugin.sig", sign(secret));
  tenon_blob* blob = nullptr;
  OK(tenon_package_pack((place / "p").c_str(), nullptr, &blob));
  const std::string bytes = text_of(blob);
  const ContextPtr context = new_context();
  tenon_package_options options{};
  options.struct_size = sizeof options;
  options.flags = TENON_PACKAGE_SIGNED;
  const char* const trusted = key.c_str();
  options.trusted_keys = &trusted;
  options.trusted_key_count = 1;
  tenon_package* package = nullptr;
  OK(tenon_package_load_memory(context.get(), bytes.data(), bytes.size(), "p.tar", &options, &package));
  PackagePtr(package).reset();
  std::string changed = bytes;
  changed[changed.find("__global__") + 2] = 'G';
  FAILS(TENON_ERROR_IO, "does not match the content",
        tenon_package_load_memory(context.get(), changed.data(), changed.size(), "p.tar", &options, &package));
}

TEST_F(Signatures, lists_of_keys_have_to_be_sound_and_ones_own) {
  place.write("p/plugin.sig", sign(secret));
  for (const char* wrong : {"rsa 1234 Ada\n", "ed25519 1234 Ada\n", "ed25519\n"}) {
    place.write("trusted", std::string("# a comment\n") + wrong);
    FAILS(TENON_ERROR_IO, "trusted:2: a trusted key must be written", load(TENON_PACKAGE_SIGNED));
  }
  place.write("trusted", "ed25519 " + key + " Ada\n");
  ASSERT_EQ(0, ::chmod((place / "trusted").c_str(), 0666));
  FAILS(TENON_ERROR_IO, "can be written by other users", load(TENON_PACKAGE_SIGNED));
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "is not a public key", load(0, "key"));
}
