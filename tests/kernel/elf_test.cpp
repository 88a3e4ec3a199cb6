// tests/kernel/elf_test.cpp: symbols are found in sound images, and no damage to an image makes the reader do more than
// complain.
#include <random>
#include "fake_device.hpp"
#include "core/elf.hpp"
#include "kernel/source/signature.hpp"

using namespace tenon;

namespace {

std::string sample() {
  return fake::elf({{"first", "aaaa"},
                    {"tenon_signature_0", fake::table({fake::scalar(TENON_FLOAT32), fake::pointer(TENON_FLOAT32)})},
                    {"tenon_signature_00", "other"}});
}

TEST(Elf, FindsASymbolByItsWholeName) {
  const std::string image = sample();
  EXPECT_EQ(elf_symbol(image, "first"), "aaaa");
  EXPECT_EQ(elf_symbol(image, "tenon_signature_00"), "other");
  EXPECT_EQ(elf_symbol(image, "tenon_signature_0").substr(0, 8), "TENNSIG1");
  EXPECT_TRUE(elf_symbol(image, "tenon_signature").empty());
  EXPECT_TRUE(elf_symbol(image, "missing").empty());
  EXPECT_EQ(elf_symbol(fake::elf({{"a", "12"}}, 0), "a"), "12") << "a cubin's sections have address 0";
}

TEST(Elf, WhatIsNoElfIsRefused) {
  for (const std::string& text : {std::string(), std::string("\177ELF"), std::string(200, 'x'),
                                  std::string("\177ELF\1\1") + std::string(100, '\0')})
    EXPECT_EQ(fake::thrown([&] { elf_symbol(text, "a"); }).status, TENON_ERROR_INVALID_ARGUMENT);
}

// Reads the image's description of kernel 0; every result is accepted except a crash or a read outside (detected by the
// sanitizer).
bool readable(const std::string& bytes) {
  Image image;
  image.binary = std::string(bytes.data(), bytes.size());
  image.binary.shrink_to_fit();
  try {
    return read_signature(image, 0, "k").size() == 2;
  } catch (const Error& error) {
    EXPECT_FALSE(error.message.empty());
    return false;
  }
}

TEST(Elf, EveryTruncationIsAnErrorAndNoCrash) {
  const std::string image = sample();
  ASSERT_TRUE(readable(image));
  for (size_t n = 0; n < image.size(); ++n) EXPECT_FALSE(readable(image.substr(0, n))) << n;
}

TEST(Elf, EveryDamagedByteIsNoCrash) {
  const std::string image = sample();
  int whole = 0;
  for (size_t i = 0; i < image.size(); ++i) {
    for (const int value : {0x00, 0x01, 0x7f, 0x80, 0xff}) {
      std::string damaged = image;
      damaged[i] = char(value);
      whole += readable(damaged);
    }
  }
  EXPECT_GT(whole, 0);
}

TEST(Elf, RandomDamageIsNoCrash) {
  const std::string image = sample();
  std::mt19937_64 random(7);
  for (int round = 0; round < 20000; ++round) {
    std::string damaged = image;
    for (int i = 0, n = 1 + int(random() % 8); i < n; ++i) {
      const size_t at = random() % damaged.size();
      if (random() % 2) damaged[at] = char(random());
      else
        fake::put<uint64_t>(damaged, std::min(at, damaged.size() - 8),
                            random() % 2 ? random() : ~uint64_t(0) - random() % 64);
    }
    readable(damaged);
  }
}

}  // namespace
