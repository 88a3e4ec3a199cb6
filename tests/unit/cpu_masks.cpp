// tests/unit/cpu_masks.cpp: masked loads and stores of an optimised module test their masks.
#include "backend/cpu/compile/compiler/masks.hpp"
#include <gtest/gtest.h>

namespace tenon::cpu {
namespace {

std::string function_of(const std::string& lines) {
  return "define void @f(ptr %0) {\n  br label %2\n\n2:\n" + lines + "  br label %3\n\n3:\n  ret void\n}\n";
}

TEST(Masks, LoadsAndStoresTestTheirMasks) {
  const std::string
      head =
          "define void @f(ptr %0) {\n  br label %2\n\n2:                     ; preds = %2, %1\n  %3 = phi i32 [ 0, "
          "%1 ], [ %9, %2 ]\n",
      tail = "  br i1 %10, label %2, label %11\n\n11:\n  %12 = phi i32 [ %9, %2 ]\n  ret void\n}\n";
  std::string module =
      head +
      "  %7 = tail call <8 x float> @llvm.masked.load.v8f32.p0(ptr nonnull align 4 %5, i32 4, <8 x i1> %6, <8 x float> "
      "<float 1.0, float 2.0, float 0.0, float 0.0, float 0.0, float 0.0, float 0.0, float 0.0>), !tbaa !5\n"
      "  tail call void @llvm.masked.store.v8f32.p0(<8 x float> %7, ptr getelementptr inbounds (i8, ptr @s, i64 4), i32 "
      "4, <8 x i1> %6), !tbaa !5, !alias.scope !6\n" +
      tail;
  ASSERT_TRUE(test_masks(module));
  EXPECT_EQ(
      module,
      "define void @f(ptr %0) {\n  br label %2\n\n2:                     ; preds = %2, %1\n"
      "  %3 = phi i32 [ 0, %1 ], [ %9, %tenon.end.1 ]\n"
      "  %tenon.mask.0 = freeze <8 x i1> %6\n"
      "  %tenon.bits.0 = bitcast <8 x i1> %tenon.mask.0 to i8\n"
      "  %tenon.full.0 = icmp eq i8 %tenon.bits.0, -1\n"
      "  br i1 %tenon.full.0, label %tenon.all.0, label %tenon.some.0\n"
      "tenon.all.0:\n"
      "  %tenon.whole.0 = load <8 x float>, ptr %5, align 4\n"
      "  br label %tenon.end.0\n"
      "tenon.some.0:\n"
      "  %tenon.part.0 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %5, i32 4, <8 x i1> %tenon.mask.0, <8 x "
      "float> <float 1.0, float 2.0, float 0.0, float 0.0, float 0.0, float 0.0, float 0.0, float 0.0>)\n"
      "  br label %tenon.end.0\n"
      "tenon.end.0:\n"
      "  %7 = phi <8 x float> [ %tenon.whole.0, %tenon.all.0 ], [ %tenon.part.0, %tenon.some.0 ]\n"
      "  %tenon.mask.1 = freeze <8 x i1> %6\n"
      "  %tenon.bits.1 = bitcast <8 x i1> %tenon.mask.1 to i8\n"
      "  %tenon.full.1 = icmp eq i8 %tenon.bits.1, -1\n"
      "  br i1 %tenon.full.1, label %tenon.all.1, label %tenon.some.1\n"
      "tenon.all.1:\n"
      "  store <8 x float> %7, ptr getelementptr inbounds (i8, ptr @s, i64 4), align 4\n"
      "  br label %tenon.end.1\n"
      "tenon.some.1:\n"
      "  call void @llvm.masked.store.v8f32.p0(<8 x float> %7, ptr getelementptr inbounds (i8, ptr @s, i64 4), i32 "
      "4, <8 x i1> %tenon.mask.1)\n"
      "  br label %tenon.end.1\n"
      "tenon.end.1:\n"
      "  br i1 %10, label %2, label %11\n\n11:\n  %12 = phi i32 [ %9, %tenon.end.1 ]\n  ret void\n}\n");
}

TEST(Masks, OthersStay) {
  for (
      const char* line : {
          "  %9 = load <8 x float>, ptr %7, align 4\n",
          "  %9 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %7, i32 4, <8 x i1> %8, <8 x float> poison)\n",
          "  %9 = call <8 x float> @llvm.masked.load.v8f32.p0v8f32(<8 x float>* %7, i32 4, <8 x i1> %8, <8 x float> undef)\n",
          "  %9 = call <8 x float> @llvm.masked.load.v8f32.p1(ptr addrspace(1) %7, i32 4, <8 x i1> %8, <8 x float> poison)\n",
          "  %9 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr align 4 %7, <8 x i1> %8, <8 x float> poison)\n",
          "  %9 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %7, i32 4, <8 x i1> %8, <8 x float> poison), !dbg !9\n",
          "  %9 = call <vscale x 4 x float> @llvm.masked.load.nxv4f32.p0(ptr %7, i32 4, <vscale x 4 x i1> %8, <vscale x 4 "
          "x float> poison)\n",
      }) {
    std::string module = function_of(line);
    EXPECT_FALSE(test_masks(module)) << line;
    EXPECT_EQ(module, function_of(line));
  }
  // The first block's name is not in the text.
  std::string module =
      "define void @f(ptr %0, <8 x i1> %1) {\n  call void @llvm.masked.store.v8f32.p0(<8 x float> "
      "zeroinitializer, ptr %0, i32 4, <8 x i1> %1)\n  ret void\n}\n";
  EXPECT_FALSE(test_masks(module));
  module.replace(module.find("ptr %0, <8"), 6, "ptr byval(%\"struct.a::b\") %0");
  EXPECT_FALSE(test_masks(module));
}

}  // namespace
}  // namespace tenon::cpu
