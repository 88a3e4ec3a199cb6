// tests/unit/cpu_guards.cpp: which conditions at the beginning of a kernel are decided before its threads run.
#include "backend/cpu/compile/compiler/guards.hpp"
#include <gtest/gtest.h>

namespace tenon::cpu {
namespace {

// A kernel (ptr %0, i32 %1) with this body, and the function that calls it.
std::string module_of(const std::string& body, const std::string& more = "") {
  return "%struct.uint3 = type { i32, i32, i32 }\n"
         "@tenon_kernel_is_0 = constant ptr @k, align 8\n"
         "@_ZL9threadIdx = internal thread_local global %struct.uint3 zeroinitializer, align 4\n"
         "@other = internal global i32 0, align 4\n" +
         more + "define linkonce_odr hidden void @k(ptr noundef %0, i32 noundef %1) #4 comdat {\n" + body +
         "}\n"
         "define internal void @run(ptr noundef %0, i32 noundef %1) {\n"
         "  %3 = call noundef zeroext i1 @tenon_passes(ptr noundef %0, i32 noundef %1)\n"
         "  call void @k(ptr noundef %0, i32 noundef %1)\n  ret void\n}\n"
         "declare noundef zeroext i1 @tenon_passes(ptr noundef, i32 noundef) #1\n";
}

const std::string kIndex =
    "  %3 = alloca i32, align 4\n  %4 = alloca i32, align 4\n  store i32 %1, ptr %4, align 4\n"
    "  call void @llvm.lifetime.start.p0(i64 4, ptr %3) #8\n"
    "  %5 = call align 4 ptr @llvm.threadlocal.address.p0(ptr align 4 @_ZL9threadIdx)\n"
    "  %6 = getelementptr inbounds %struct.uint3, ptr %5, i32 0, i32 0\n"
    "  %7 = load i32, ptr %6, align 4\n  store i32 %7, ptr %3, align 4\n"
    "  %8 = load i32, ptr %3, align 4\n  %9 = load i32, ptr %4, align 4\n";
const std::string kWork = "  store volatile i32 1, ptr %0, align 4\n";
const std::string kEnd = "  call void @llvm.lifetime.end.p0(i64 4, ptr %3) #8\n  ret void\n";
const std::string kCheck = kIndex + "  %10 = icmp slt i32 %8, %9\n  br i1 %10, label %11, label %12\n\n11:\n" + kWork +
                           "  br label %12\n\n12:\n" + kEnd;

bool taken(const std::string& module) {
  const std::string out = with_guards(module, false);
  EXPECT_EQ(out.find("declare noundef zeroext i1 @tenon_passes"), out.npos);
  EXPECT_NE(out.find("define internal zeroext i1 @tenon_passes(ptr noundef"), out.npos);
  EXPECT_EQ(out.find("ret i1 false") == out.npos, out.find("alwaysinline nounwind {\n  ret i1 true\n}") != out.npos);
  return out.find("ret i1 false") != out.npos;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, text.npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(Guards, ABoundsCheckIsTaken) {
  const std::string out = with_guards(module_of(kCheck), false);
  EXPECT_NE(out.find("  %tenon.10 = icmp slt i32 %tenon.8, %tenon.9\n  br i1 %tenon.10, label %tenon.passes, label "
                     "%tenon.ends\ntenon.passes:\n  ret i1 true\ntenon.ends:\n  ret i1 false\n}\n"),
            out.npos)
      << out;
  EXPECT_NE(out.find("  %10 = icmp slt i32 %8, %9\n  br label %11\n"), out.npos) << out;  // in the kernel
}

TEST(Guards, AReturnIsTaken) {
  const std::string body =
      kIndex +
      "  %10 = icmp sge i32 %8, %9\n  br i1 %10, label %11, label %12\n\n11:\n  store i32 1, ptr %4, "
      "align 4\n  br label %14\n\n12:\n" +
      kWork +
      "  store i32 0, ptr %4, align 4\n  br label %14\n\n14:\n  call void "
      "@llvm.lifetime.end.p0(i64 4, ptr %3) #8\n  %15 = load i32, ptr %4, align 4\n  switch i32 "
      "%15, label %17 [\n    i32 0, label %16\n    i32 1, label %16\n  ]\n\n16:\n  ret "
      "void\n\n17:\n  unreachable\n";
  const std::string out = with_guards(module_of(body), false);
  EXPECT_NE(out.find("  br i1 %tenon.10, label %tenon.ends, label %tenon.passes\n"), out.npos) << out;
  EXPECT_NE(out.find("  %10 = icmp sge i32 %8, %9\n  br label %12\n"), out.npos) << out;
  // A case of the switch leads to work.
  EXPECT_FALSE(taken(module_of(replaced(body, "\n16:\n", "\n16:\n" + kWork))));
}

TEST(Guards, SeveralConditionsAreTakenTogether) {
  const std::string body = kIndex +
                           "  %10 = icmp slt i32 %8, %9\n  br i1 %10, label %11, label %14\n\n11:\n  %12 = icmp sgt "
                           "i32 %8, 3\n  br i1 %12, label %13, label %14\n\n13:\n" +
                           kWork + "  br label %14\n\n14:\n" + kEnd;
  const std::string out = with_guards(module_of(body), false);
  EXPECT_NE(out.find("  br i1 %tenon.10, label %tenon.11, label %tenon.ends\ntenon.11:\n  %tenon.12 = icmp sgt i32 "
                     "%tenon.8, 3\n  br i1 %tenon.12, label %tenon.passes, label %tenon.ends\n"),
            out.npos)
      << out;
}

TEST(Guards, WhatIsLeftAlone) {
  const std::string check = "  %10 = icmp slt i32 %8, %9\n";
  EXPECT_TRUE(taken(module_of(kCheck)));
  EXPECT_NE(with_guards(module_of(kCheck), true).find("nounwind {\n  ret i1 true\n}"), std::string::npos);
  for (const char* instead : {
           "  %10 = icmp eq i32 %8, %9\n",                                         // not of neighbours
           "  store i32 %8, ptr %0, align 4\n  %10 = icmp slt i32 %8, %9\n",       // an effect
           "  store i32 %8, ptr @other, align 4\n  %10 = icmp slt i32 %8, %9\n",   // an effect
           "  %n = load i32, ptr %0, align 4\n  %10 = icmp slt i32 %8, %n\n",      // memory that can change
           "  %n = load i32, ptr @other, align 4\n  %10 = icmp slt i32 %8, %n\n",  // memory that can change
           "  %n = load volatile i32, ptr %3, align 4\n  %10 = icmp slt i32 %8, %n\n",
           "  store volatile i32 %8, ptr %3, align 4\n  %10 = icmp slt i32 %8, %9\n",
           "  %n = call i32 @f(i32 %8)\n  %10 = icmp slt i32 %8, %n\n",
           "  call void @k2(ptr %0)\n  %10 = icmp slt i32 %8, %9\n",
       })
    EXPECT_FALSE(taken(module_of(replaced(kCheck, check, instead)))) << instead;
  // The block is the beginning of a loop, so that it is reached again.
  EXPECT_FALSE(taken(module_of(kIndex +
                               "  br label %10\n\n10:\n  %11 = icmp slt i32 %8, %9\n  br i1 %11, label %12, "
                               "label %13\n\n12:\n" +
                               kWork + "  br label %10\n\n13:\n" + kEnd)));
  // Both sides do something, or none does.
  EXPECT_FALSE(taken(module_of(replaced(kCheck, "\n12:\n", "\n12:\n" + kWork))));
  EXPECT_FALSE(taken(module_of(replaced(kCheck, kWork, ""))));
  // The value of the last block depends on where it was reached from.
  EXPECT_FALSE(taken(module_of(replaced(kCheck, "\n12:\n", "\n12:\n  %13 = phi i32 [ 0, %11 ], [ 1, %2 ]\n"))));
  // Others call the kernel, or may.
  EXPECT_FALSE(taken(module_of(kCheck, "define void @host(ptr %0) {\n  call void @k(ptr %0, i32 1)\n  ret void\n}\n")));
  EXPECT_FALSE(taken(module_of(kCheck, "@table = global ptr @k, align 8\n")));
  // Not a kernel.
  EXPECT_FALSE(
      taken(replaced(module_of(kCheck), "@tenon_kernel_is_0 = constant ptr @k", "@another = constant i32 0 ;")));
  EXPECT_FALSE(taken("%0 = type { i32 }\n" + module_of(kCheck)));
}

TEST(Guards, NamesMayHaveBracketsAndWordsInThem) {
  const auto renamed = [](std::string text, const std::string& from, const std::string& to) {
    for (size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size()) text.replace(at, from.size(), to);
    return text;
  };
  const std::string type = "ptr noundef byval(%\"struct.A<')'>::B\") align 8";
  const std::string out = with_guards(renamed(renamed(module_of(kCheck), "ptr noundef %0, i32", type + " %0, i32"),
                                              "(ptr noundef, i32", "(" + type + ", i32"),
                                      false);
  EXPECT_NE(out.find("@tenon_passes(" + type + " %tenon.0, i32 noundef %tenon.1) alwaysinline"), out.npos) << out;
  // A line about a variable with such a name is not debug information.
  const std::string copies =
      with_guards(module_of(replaced(kCheck, "  %10 = ", "  store ptr @dbg_table, ptr %4, align 8\n  %10 = ")), false);
  EXPECT_NE(copies.find("  store ptr @dbg_table, ptr %tenon.4, align 8\n"), copies.npos) << copies;
}

TEST(Guards, ModulesWithoutKernelsStayAsTheyAre) {
  const std::string module = "define void @f() {\n  ret void\n}\n";
  EXPECT_EQ(with_guards(module, false), module);
}

}  // namespace
}  // namespace tenon::cpu
