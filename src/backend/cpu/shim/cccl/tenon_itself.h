// shim/cccl/tenon_itself.h: lets a header of CCCL see the compiler that compiles it, until tenon_nvrtc.h.
#undef _CCCL_COMPILER_NVRTC
#define _CCCL_COMPILER_NVRTC() (-1, -1)
#if defined(__clang__)
#undef _CCCL_COMPILER_CLANG
#define _CCCL_COMPILER_CLANG() (__clang_major__, __clang_minor__)
#else
#undef _CCCL_COMPILER_GCC
#define _CCCL_COMPILER_GCC() (__GNUC__, __GNUC_MINOR__)
#endif
