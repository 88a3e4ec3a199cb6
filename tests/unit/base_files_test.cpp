// tests/unit/base_files_test.cpp: directories that go with all that is in them, and leave what only links lead to.
#include <gtest/gtest.h>
#include <filesystem>
#include <fstream>
#include <memory>
#include "base/files.hpp"

namespace {

namespace fs = std::filesystem;
using tenon::base::ScratchDirectory;

TEST(ScratchDirectory, GoesWithAllThatIsInItAndWithNothingElse) {
  const ScratchDirectory outside;
  std::ofstream(outside.path() + "/kept") << "x";
  auto scratch = std::make_unique<ScratchDirectory>();
  const fs::path path = scratch->path();
  fs::create_directories(path / "a/b/c");
  for (int i = 0; i < 300; ++i)
    std::ofstream(path / "a" /
                  ("a rather long name of a file, so that the list needs more than one piece " + std::to_string(i)))
        << i;
  std::ofstream(path / ".hidden") << "x";
  fs::create_symlink(outside.path() + "/kept", path / "link");
  fs::create_directory_symlink(outside.path(), path / "a/b/links");
  fs::create_symlink("nowhere", path / "broken");
  scratch.reset();
  EXPECT_FALSE(fs::exists(path));
  EXPECT_TRUE(fs::exists(outside.path() + "/kept"));
}

}  // namespace
