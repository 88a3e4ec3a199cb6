// shim/cccl/tenon_nvrtc.h: lets the headers of CCCL see NVRTC again.
#undef _CCCL_COMPILER_CLANG
#undef _CCCL_COMPILER_GCC
#undef _CCCL_COMPILER_NVRTC
#define _CCCL_COMPILER_CLANG() (-1, -1)
#define _CCCL_COMPILER_GCC() (-1, -1)
#define _CCCL_COMPILER_NVRTC() (__CUDACC_VER_MAJOR__, __CUDACC_VER_MINOR__)
