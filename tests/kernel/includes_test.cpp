// tests/kernel/includes_test.cpp: a change of any header that a program can reach changes its key; nothing else does.
#include <fcntl.h>
#include <sys/stat.h>
#include <filesystem>
#include <fstream>
#include "fake_device.hpp"
#include "kernel/cache/key.hpp"

using namespace tenon;
namespace fs = std::filesystem;

namespace {

class Includes : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) {
    fs::create_directories(fs::path(root + name).parent_path());
    std::ofstream(root + name, std::ios::trunc) << text;
  }
  std::string key(const CompileRequest& request) { return program_key(world.device(), request, scanner); }
  // Does a change of the file change the key?
  bool decides(const CompileRequest& request, const std::string& file) {
    std::string text;
    EXPECT_TRUE(base::read_file(root + file, text)) << file;
    const std::string before = key(request);
    EXPECT_EQ(before, key(request));
    write(file, text + "\n// changed");
    const bool different = key(request) != before;
    write(file, text);
    return different;
  }
  base::ScratchDirectory scratch;
  std::string root = scratch.path() + "/";
  fake::World world;
  IncludeScanner scanner;
};

TEST_F(Includes, EverySpellingIsSeen) {
  const char* const texts[] = {"#include <a.h>",
                               "#include \"a.h\"",
                               "  #  include<a.h>",
                               "#/* c */include /* d */ \"a.h\"",
                               "/* x */ #include <a.h>",
                               "#if 0\n#include <a.h>\n#endif",
                               "#inc\\\nlude <a.h>",
                               "#include \\\n  \"a.h\"",
                               "%:include <a.h>",
                               "#define WHERE \"a.h\"\n#include WHERE",
                               "#define WHERE <a.h>\n#include WHERE",
                               "#include_next <a.h>",
                               "#if __has_include(<a.h>)\n#endif",
                               "#elif defined(X) && __has_include(\"a.h\")",
                               "#import \"a.h\"",
                               "int x; #include <a.h>\r\n"};
  for (const char* text : texts) {
    const IncludeWords words = find_includes(text);
    ASSERT_EQ(words.quoted.size() + words.angled.size(), 1u) << text;
    EXPECT_EQ(words.quoted.empty() ? words.angled[0] : words.quoted[0], "a.h") << text;
  }
  for (const char* text : {"include <a.h>", "#pragma once", "#includes <a.h>", "#include", "#include <a.h",
                           "#define A 1 // \"a.h\"", "#", "%", ""}) {
    const IncludeWords words = find_includes(text);
    EXPECT_EQ(words.quoted.size() + words.angled.size(), 0u) << text;
  }
}

TEST_F(Includes, HeadersAreFollowedThroughAllPlaces) {
  write("inc/one.h", "#include \"sub/two.h\"\n");
  write("inc/sub/two.h", "#include \"beside.h\"\n#include <system.h>\n#include \"one.h\"");
  write("inc/sub/beside.h", "int a;");
  write("device/system.h", "int b;");
  write("second/one.h", "int shadow;");
  write("forced.h", "int c;");
  write("named.h", "int d;");
  write("given/real.h", "int e;");
  write("unreached.h", "int f;");
  world.device().directories = {root + "device"};
  CompileRequest request = fake::request({"k"}, "#include <one.h>\n#include \"virtual.h\"\n#include <missing.h>");
  request.options = {
      "-I" + root + "inc", "-I", root + "second", "-include", root + "forced.h", "-DNAME=\"" + root + "named.h\""};
  request.headers = {{"virtual.h", "#include \"" + root + "given/real.h\""}};
  for (const char* file : {"inc/one.h", "inc/sub/two.h", "inc/sub/beside.h", "device/system.h", "second/one.h",
                           "forced.h", "named.h", "given/real.h"})
    EXPECT_TRUE(decides(request, file)) << file;
  EXPECT_FALSE(decides(request, "unreached.h"));
}

TEST_F(Includes, EveryOptionForDirectoriesIsKnown) {
  write("d/a.h", "int a;");
  const std::string d = root + "d";
  const std::vector<std::vector<std::string>> rows = {
      {"-I" + d},      {"-I", d},        {"--include-path=" + d}, {"--include-path", d},
      {"-isystem", d}, {"-isystem" + d}, {"-iquote", d},          {"-idirafter", d},
      {"-I=" + d}};
  for (const auto& options : rows) {
    CompileRequest request = fake::request({"k"}, "#include <a.h>");
    request.options = options;
    EXPECT_TRUE(decides(request, "d/a.h")) << options[0];
  }
  for (const std::string& option :
       {"--pre-include=" + d + "/a.h", "-include" + d + "/a.h", "@" + d + "/a.h", d + "/a.h"}) {
    CompileRequest request = fake::request({"k"}, "");
    request.options = {option};
    EXPECT_TRUE(decides(request, "d/a.h")) << option;
  }
}

TEST_F(Includes, AHeaderThatAppearsChangesTheKey) {
  CompileRequest request = fake::request({"k"}, "#include <late.h>");
  request.options = {"-I" + root};
  const std::string before = key(request);
  write("late.h", "");
  EXPECT_NE(key(request), before);
}

TEST_F(Includes, ThePlaceOfAHeaderIsNotInTheKey) {
  world.device().directories = {root + "here"};
  write("here/a.h", "int a;");
  write("there/a.h", "int a;");
  const CompileRequest request = fake::request({"k"}, "#include <a.h>");
  const std::string before = key(request);
  world.device().directories = {root + "there"};
  EXPECT_EQ(key(request), before);
}

TEST_F(Includes, AChangeOfTheSameSizeWithinOneTickIsSeen) {
  CompileRequest request = fake::request({"k"}, "#include <a.h>");
  request.options = {"-I" + root};
  std::string last;
  for (int i = 0; i < 50; ++i) {
    write("a.h", std::to_string(100 + i));
    const std::string now = key(request);
    EXPECT_NE(now, last) << i;
    last = now;
  }
}

TEST_F(Includes, OldFilesAreReadOnce) {
  write("a.h", "int a;");
  CompileRequest request = fake::request({"k"}, "#include <a.h>");
  request.options = {"-I" + root};
  const timespec old[2] = {{1000, 0}, {1000, 0}};
  utimensat(AT_FDCWD, (root + "a.h").c_str(), old, 0);
  const std::string before = key(request);
  // Changed without a trace in the properties that are checked.
  struct stat first, second;
  stat((root + "a.h").c_str(), &first);
  write("a.h", "int b;");
  utimensat(AT_FDCWD, (root + "a.h").c_str(), old, 0);
  stat((root + "a.h").c_str(), &second);
  ASSERT_EQ(first.st_ino, second.st_ino);
  EXPECT_EQ(key(request), before);
}

// For many headers a note is kept with the state of everything that was checked, for this process and for later ones.
TEST_F(Includes, ANotedAnswerHoldsUntilAFileChanges) {
  struct Book final : Notes {
    bool recall(const std::string& question, std::string& answer) override {
      const auto found = pages.find(question);
      if (found == pages.end()) return false;
      answer = found->second;
      ++recalled;
      return true;
    }
    void keep(const std::string& question, const std::string& answer) override { pages[question] = answer; }
    std::map<std::string, std::string> pages;
    int recalled = 0;
  } book;
  const timespec old[2] = {{1000, 0}, {1000, 0}};
  const auto settle = [&](const std::string& name) { utimensat(AT_FDCWD, (root + name).c_str(), old, 0); };
  std::string all;
  for (int i = 0; i < 30; ++i) {
    const std::string name = "inc/h" + std::to_string(i) + ".h";
    write(name, "#include \"h" + std::to_string(i + 1) + ".h\"\n");
    settle(name);
  }
  CompileRequest request = fake::request({"k"}, "#include <h0.h>");
  request.options = {"-I" + root + "first", "-I" + root + "inc"};
  IncludeScanner one(&book), plain;
  const std::string before = one.reachable(request, {});
  EXPECT_EQ(before, plain.reachable(request, {}));
  ASSERT_EQ(book.pages.size(), 1u);
  EXPECT_EQ(one.reachable(request, {}), before);
  IncludeScanner two(&book);
  EXPECT_EQ(two.reachable(request, {}), before);
  EXPECT_EQ(book.recalled, 1);
  const auto same_everywhere = [&](const char* what) {
    IncludeScanner fresh, late(&book);
    const std::string truth = fresh.reachable(request, {});
    EXPECT_EQ(one.reachable(request, {}), truth) << what;
    EXPECT_EQ(two.reachable(request, {}), truth) << what;
    EXPECT_EQ(late.reachable(request, {}), truth) << what;
    return truth;
  };
  write("inc/h17.h", "int changed;");
  EXPECT_NE(same_everywhere("a changed file"), before);
  write("inc/h17.h", "#include \"h18.h\"\n");
  settle("inc/h17.h");
  EXPECT_EQ(same_everywhere("the old content again"), before);
  write("first/h3.h", "int shadow;");
  EXPECT_NE(same_everywhere("a file that was not there"), before);
  fs::remove(root + "first/h3.h");
  EXPECT_EQ(same_everywhere("gone again"), before);
  for (auto& [question, answer] : book.pages) answer = "nonsense";
  EXPECT_EQ(same_everywhere("a note that is none"), before);
}

// If a key does not cover its headers, it is marked: then nothing is found by it.
TEST_F(Includes, WhatOnlyAPreprocessorCanFollowIsTold) {
  write("config.h", "int value = 1;");
  write("computes.h", "#include NAMED\n");
  write("own/system.h", "#define S(x) #x\n#include S(a.h)\n");
  world.device().directories = {root + "own"};
  const auto whole = [&](const std::string& text, std::vector<std::string> options = {}) {
    CompileRequest request = fake::request({"k"}, text);
    request.options = {"-I" + root};
    request.options.insert(request.options.end(), options.begin(), options.end());
    bool out = false;
    program_key(world.device(), request, scanner, &out);
    return out;
  };
  for (const char* text :
       {"#define S2(x) #x\n#define S(x) S2(x)\n#include S(config.h)",
        "#define H S(config.h)\n#define S(x) #x\n#include H", "#define ANG(x) <x>\n#include ANG(config.h)",
        "#define DIR sub\n#define H <DIR/config.h>\n#include H",
        "#ifdef A\n#define H \"config.h\"\n#else\n#define H S(x.h)\n#endif\n#include H // c",
        "#define NAMED S(config.h)\n#include <computes.h>",
        "#include \"given.h\"\n#define H S(x.h)\n# /* c */ include H /* d */"})
    EXPECT_FALSE(whole(text)) << text;
  EXPECT_FALSE(whole("#include H", {"-DH=S(config.h)"}));
  EXPECT_FALSE(whole("#include H", {"-D", "H=S(config.h)"}));
  EXPECT_TRUE(whole("#include H", {"-DH=\"config.h\""}));
  for (const char* text :
       {"int x;", "#include \"config.h\"", "#define H \"config.h\"\n#include H",
        "#define H() \"config.h\"\n#include H()", "#define H <config.h>\n#include H",
        "#include /* not \"other.h\" */ \"config.h\"", "// #include your own header here",
        "#define N 1\n#define F(x) x\n#include <config.h>", "#include <system.h>", "#include __FILE__"})
    EXPECT_TRUE(whole(text)) << text;
  // If the header is named in an unusual way, but is named, it counts.
  for (const char* text : {"#define H() \"config.h\"\n#include H()", "#include /* not \"other.h\" */ \"config.h\""}) {
    CompileRequest request = fake::request({"k"}, text);
    request.options = {"-I" + root};
    EXPECT_TRUE(decides(request, "config.h")) << text;
  }
}

TEST_F(Includes, HeadersOfTheDeviceLeadOn) {
  write("cuda/std/array", "int first;");
  const CompileRequest request = fake::request({"k"}, "#include <array>");
  const std::vector<SourceHeader> own = {{"array", "#include <cuda/std/array>"}, {"tuple", "#include <other>"}};
  const auto answer = [&] { return IncludeScanner().reachable(request, {root}, nullptr, own); };
  const std::string before = answer();
  EXPECT_NE(before.find("cuda/std/array\n"), std::string::npos) << before;
  EXPECT_EQ(before.find("other"), std::string::npos) << before;
  write("cuda/std/array", "int second;");
  EXPECT_NE(answer(), before);
}

TEST_F(Includes, CyclesEnd) {
  write("a.h", "#include \"b.h\"");
  write("b.h", "#include \"a.h\"\n#include \"b.h\"");
  CompileRequest request = fake::request({"k"}, "#include \"a.h\"\n#include \"v.h\"");
  request.options = {"-I" + root};
  request.headers = {{"v.h", "#include \"w.h\""}, {"w.h", "#include \"v.h\"\n#include <a.h>"}};
  EXPECT_TRUE(decides(request, "b.h"));
}

}  // namespace
