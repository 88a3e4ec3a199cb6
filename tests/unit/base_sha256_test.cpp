// tests/unit/base_sha256_test.cpp: SHA-256 against the examples of FIPS 180-4 and every length around a block.
#include <gtest/gtest.h>

#include "base/sha256.hpp"

using tenon::base::sha256_hex;

TEST(Sha256, gives_the_published_digests) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256_hex(std::string(1000000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// The digest of the digests of 'a' repeated 0 to 200 times, in hexadecimal, as computed by Python's hashlib.
TEST(Sha256, pads_every_length) {
  std::string all;
  for (size_t n = 0; n <= 200; ++n) all += sha256_hex(std::string(n, 'a'));
  EXPECT_EQ(sha256_hex(all), "eb555248bd20c7831e511d4461b42c9b084e3a64b44d57b00051172f8afe03ff");
}
