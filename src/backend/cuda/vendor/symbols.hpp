// backend/cuda/vendor/symbols.hpp: the vendor libraries as tables of function pointers, declared in our own words.
//
// Each library has a file of rows (driver.inc, nvrtc.inc, ...):
//   TENON_SYMBOL(result, name, symbol, (parameters), since)
//     a function: the name used here, the exact symbol that is looked up, and the CUDA version that introduced it, for
//     example 12000 (0: always there)
//   TENON_CONSTANT(name, value)
//     a value from the vendor's headers
// The rows define the tables here, and check_headers.cpp compares the same rows with the vendor's headers if these are
// installed. A table is filled on first use. A missing symbol fails only when it is called.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>
#include "base/library.hpp"

namespace tenon::cuda {

// Vendors' handles are opaque pointers, and their enumerations are int.
using CUresult = int;
using CUdevice = int;
using CUdeviceptr = unsigned long long;
using CUcontext = struct CUctx_st*;
using CUmodule = struct CUmod_st*;
using CUlibrary = struct CUlib_st*;
using CUkernel = struct CUkern_st*;
using CUfunction = struct CUfunc_st*;
using CUstream = struct CUstream_st*;
using CUevent = struct CUevent_st*;
using CUmemoryPool = struct CUmemPoolHandle_st*;
using CUgraph = struct CUgraph_st*;
using CUuserObject = struct CUuserObject_st*;
using CUgraphExec = struct CUgraphExec_st*;
using CUgraphNode = struct CUgraphNode_st*;
using CUcaptureId = unsigned long long;
using CUarray = struct CUarray_st*;
using CUtexObject = unsigned long long;
using CUsurfObject = unsigned long long;
using nvrtcProgram = struct _nvrtcProgram*;
using nvJitLinkHandle = struct nvJitLink*;
using cublasHandle_t = struct cublasContext*;
using cublasLtHandle_t = struct cublasLtContext*;
using cublasLtMatmulDesc_t = struct cublasLtMatmulDescOpaque_t*;
using cublasLtMatrixLayout_t = struct cublasLtMatrixLayoutOpaque_t*;
using cublasLtMatmulPreference_t = struct cublasLtMatmulPreferenceOpaque_t*;
using cusolverDnHandle_t = struct cusolverDnContext*;
using cusolverDnParams_t = struct cusolverDnParams*;
using cusparseHandle_t = struct cusparseContext*;
using cusparseConstSpMatDescr_t = const struct cusparseSpMatDescr*;
using cusparseConstDnVecDescr_t = const struct cusparseDnVecDescr*;
using cusparseDnVecDescr_t = struct cusparseDnVecDescr*;
using cusparseConstDnMatDescr_t = const struct cusparseDnMatDescr*;
using cusparseDnMatDescr_t = struct cusparseDnMatDescr*;

struct CUuuid {
  char bytes[16];
};
struct CUipcMemHandle {
  char reserved[64];
};

struct CUmemLocation {
  int type;  // CU_MEM_LOCATION_TYPE_*
  int id;
};

struct CUmemPoolProps {
  int allocType;
  int handleTypes;
  CUmemLocation location;
  void* win32SecurityAttributes;
  size_t maxSize;  // since 12.2; reserved and zero before
  unsigned short usage;
  unsigned char reserved[54];
};

struct CUmemAccessDesc {
  CUmemLocation location;
  int flags;
};

struct CUlaunchAttribute {
  int id;  // CU_LAUNCH_ATTRIBUTE_*
  char pad[4];
  union {
    char pad[64];
    int cooperative;
    int programmaticStreamSerializationAllowed;
    struct {
      unsigned int x, y, z;
    } clusterDim;
  } value;
};

struct CUlaunchConfig {
  unsigned int gridDimX, gridDimY, gridDimZ;
  unsigned int blockDimX, blockDimY, blockDimZ;
  unsigned int sharedMemBytes;
  CUstream hStream;
  CUlaunchAttribute* attrs;
  unsigned int numAttrs;
};

struct CUDA_KERNEL_NODE_PARAMS {  // as in CUDA 12
  CUfunction func;
  unsigned int gridDimX, gridDimY, gridDimZ;
  unsigned int blockDimX, blockDimY, blockDimZ;
  unsigned int sharedMemBytes;
  void** kernelParams;
  void** extra;
  CUkernel kern;
  CUcontext ctx;
};

struct CUDA_MEMCPY2D {
  size_t srcXInBytes, srcY;
  int srcMemoryType;
  const void* srcHost;
  CUdeviceptr srcDevice;
  void* srcArray;
  size_t srcPitch;
  size_t dstXInBytes, dstY;
  int dstMemoryType;
  void* dstHost;
  CUdeviceptr dstDevice;
  void* dstArray;
  size_t dstPitch;
  size_t WidthInBytes, Height;
};

struct CUDA_MEMCPY3D {
  size_t srcXInBytes, srcY, srcZ, srcLOD;
  int srcMemoryType;
  const void* srcHost;
  CUdeviceptr srcDevice;
  CUarray srcArray;
  void* reserved0;
  size_t srcPitch, srcHeight;
  size_t dstXInBytes, dstY, dstZ, dstLOD;
  int dstMemoryType;
  void* dstHost;
  CUdeviceptr dstDevice;
  CUarray dstArray;
  void* reserved1;
  size_t dstPitch, dstHeight;
  size_t WidthInBytes, Height, Depth;
};

struct CUDA_ARRAY3D_DESCRIPTOR {
  size_t Width, Height, Depth;
  int Format;  // CU_AD_FORMAT_*
  unsigned int NumChannels;
  unsigned int Flags;  // CUDA_ARRAY3D_*
};

struct CUDA_RESOURCE_DESC {
  int resType;  // CU_RESOURCE_TYPE_*
  union {
    struct {
      CUarray hArray;
    } array;
    struct {
      CUdeviceptr devPtr;
      int format;
      unsigned int numChannels;
      size_t sizeInBytes;
    } linear;
    struct {
      CUdeviceptr devPtr;
      int format;
      unsigned int numChannels;
      size_t width, height, pitchInBytes;
    } pitch2D;
    int reserved[32];
  } res;
  unsigned int flags;
};

struct CUDA_TEXTURE_DESC {
  int addressMode[3];  // CU_TR_ADDRESS_MODE_*
  int filterMode;      // CU_TR_FILTER_MODE_*
  unsigned int flags;  // CU_TRSF_*
  unsigned int maxAnisotropy;
  int mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
  float borderColor[4];
  int reserved[12];
};

struct cublasLtMatmulAlgo_t {
  uint64_t data[8];
};

struct cublasLtMatmulHeuristicResult_t {
  cublasLtMatmulAlgo_t algo;
  size_t workspaceSize;
  int state;  // the other fields are set if this is CUBLAS_STATUS_SUCCESS
  float wavesCount;
  int reserved[4];
};

using CUhostFn = void (*)(void* user);

// Values from the vendor's headers.
#define TENON_CONSTANT(name, value) constexpr int name = value;
#include "backend/cuda/vendor/driver.inc"
#define TENON_CONSTANT(name, value) constexpr int name = value;
#include "backend/cuda/vendor/nvrtc.inc"
#define TENON_CONSTANT(name, value) constexpr int name = value;
#include "backend/cuda/vendor/nvjitlink.inc"
#define TENON_CONSTANT(name, value) constexpr int name = value;
#include "backend/cuda/vendor/cublas.inc"
#define TENON_CONSTANT(name, value) constexpr int name = value;
#include "backend/cuda/vendor/cublaslt.inc"
#define TENON_CONSTANT(name, value) constexpr int name = value;
#include "backend/cuda/vendor/cufft.inc"
#define TENON_CONSTANT(name, value) constexpr int name = value;
#include "backend/cuda/vendor/cusolver.inc"
#define TENON_CONSTANT(name, value) constexpr int name = value;
#include "backend/cuda/vendor/cusparse.inc"

// The libraries, each opened separately. curand is opened only because other libraries need it.
enum class Vendor { driver, nvrtc, nvjitlink, cublas, cublaslt, cufft, cusolver, cusparse, curand, count };

struct SymbolRow;

// A library's table. Tables are made once and never destroyed.
struct Table {
  Vendor vendor;
  base::Library library;
  std::vector<SymbolRow*> rows;

  explicit Table(Vendor v) : vendor(v) {}
  Table(const Table&) = delete;
  void resolve();  // looks up every row in `library`
};

struct SymbolRow {
  Table* table;
  const char* symbol;
  int since;
  void* address = nullptr;

  SymbolRow(Table& t, const char* s, int version) : table(&t), symbol(s), since(version) { t.rows.push_back(this); }
  SymbolRow(const SymbolRow&) = delete;
  explicit operator bool() const { return address != nullptr; }
};

[[noreturn]] void missing_symbol(const SymbolRow& row);  // throws UNSUPPORTED, with what to install

template <class F> struct Symbol;
template <class R, class... A> struct Symbol<R(A...)> : SymbolRow {
  using SymbolRow::SymbolRow;
  R operator()(A... a) const {
    if (!address) [[unlikely]]
      missing_symbol(*this);
    return reinterpret_cast<R (*)(A...)>(address)(a...);
  }
};

#define TENON_TABLE_ROW(result, name, symbol, parameters, since) Symbol<result parameters> name{*this, #symbol, since};

struct Driver : Table {
  Driver() : Table(Vendor::driver) {}
  int version = 0;  // 1000 * major + 10 * minor
#define TENON_SYMBOL(...) TENON_TABLE_ROW(__VA_ARGS__)
#include "backend/cuda/vendor/driver.inc"
};

struct Nvrtc : Table {
  using Program = nvrtcProgram;
  Nvrtc() : Table(Vendor::nvrtc) {}
  int major = 0, minor = 0;
  std::string include_directory;  // CUDA's headers of the same major version; "": not found
  std::string builtins;           // the library of its built-in functions, next to it; "": none
#define TENON_SYMBOL(...) TENON_TABLE_ROW(__VA_ARGS__)
#include "backend/cuda/vendor/nvrtc.inc"
};

struct NvJitLink : Table {
  NvJitLink() : Table(Vendor::nvjitlink) {}
#define TENON_SYMBOL(...) TENON_TABLE_ROW(__VA_ARGS__)
#include "backend/cuda/vendor/nvjitlink.inc"
};

struct Cublas : Table {
  Cublas() : Table(Vendor::cublas) {}
#define TENON_SYMBOL(...) TENON_TABLE_ROW(__VA_ARGS__)
#include "backend/cuda/vendor/cublas.inc"
};

struct CublasLt : Table {
  CublasLt() : Table(Vendor::cublaslt) {}
#define TENON_SYMBOL(...) TENON_TABLE_ROW(__VA_ARGS__)
#include "backend/cuda/vendor/cublaslt.inc"
};

struct Cufft : Table {
  Cufft() : Table(Vendor::cufft) {}
#define TENON_SYMBOL(...) TENON_TABLE_ROW(__VA_ARGS__)
#include "backend/cuda/vendor/cufft.inc"
};

struct Cusolver : Table {
  Cusolver() : Table(Vendor::cusolver) {}
#define TENON_SYMBOL(...) TENON_TABLE_ROW(__VA_ARGS__)
#include "backend/cuda/vendor/cusolver.inc"
};

struct Cusparse : Table {
  Cusparse() : Table(Vendor::cusparse) {}
#define TENON_SYMBOL(...) TENON_TABLE_ROW(__VA_ARGS__)
#include "backend/cuda/vendor/cusparse.inc"
};

#undef TENON_TABLE_ROW

// Each opens its library on first use; throws MISSING_LIBRARY with what to install. driver() opens the driver, but does
// not initialise it.
const Driver& driver();
const Nvrtc& nvrtc();
const NvJitLink& nvjitlink();
const Cublas& cublas();
const CublasLt& cublaslt();
const Cufft& cufft();
const Cusolver& cusolver();
const Cusparse& cusparse();

}  // namespace tenon::cuda
