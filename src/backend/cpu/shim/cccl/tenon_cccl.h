// shim/cccl/tenon_cccl.h: what the headers of CCCL need besides CUDA C: parts of the runtime API in declarations that
// kernels do not call, and names of the host's library.
#pragma once
#define __CUDA_ARCH_LIST__ 800
#define __NV_BUILTIN_INITIALIZER_LIST 1
// Thrust's algorithms are sequential in a thread, as on a GPU (there by way of CUB, whose other half is for the host).
#define THRUST_DEVICE_SYSTEM 4
#define _CCCL_NVTX_RANGE_SCOPE(...)
#define _CCCL_NVTX_RANGE_SCOPE_IF(...)

enum cudaSharedMemConfig {
  cudaSharedMemBankSizeDefault,
  cudaSharedMemBankSizeFourByte,
  cudaSharedMemBankSizeEightByte
};
enum cudaDeviceAttr { cudaDevAttrComputeCapabilityMajor = 75, cudaDevAttrComputeCapabilityMinor = 76 };
#define cudaErrorInvalidValue ((cudaError_t)1)
#define cudaErrorMemoryAllocation ((cudaError_t)2)
#define cudaErrorInvalidDevice ((cudaError_t)101)
#define cudaErrorNotSupported ((cudaError_t)801)
#define cudaErrorUnknown ((cudaError_t)999)

// Takes the place of an exception: see thrust/detail/allocator/temporary_allocator.h.
struct tenon_thrown {
  template <class E> void operator=(const E&) const {
    tenon_fault("the kernel's heap has no memory left for an algorithm of Thrust", __FILE__, __LINE__);
  }
};

// Defined nowhere: a kernel that reaches a call is refused.
unsigned __isGlobal(const void*);
unsigned __isShared(const void*);
unsigned __isConstant(const void*);
unsigned __isGridConstant(const void*);
unsigned __isLocal(const void*);
unsigned __isClusterShared(const void*);

namespace cuda {
namespace std {}
}  // namespace cuda
namespace std {
using namespace cuda::std;  // as for NVRTC

template <class T> class allocator;
template <class A> struct allocator_traits;
template <class I> struct iterator_traits;
template <class C> struct char_traits;
template <class C, class T = char_traits<C>> class basic_istream;
template <class C, class T = char_traits<C>> class basic_ostream;
typedef basic_istream<char> istream;
typedef basic_ostream<char> ostream;

struct ios_base {
  static constexpr int failbit = 4;
};

// Bases of what Thrust would throw on the host.
class string {
 public:
  string(const char* text = "") : text_(text) {}
  const char* c_str() const { return text_; }
  bool empty() const { return !*text_; }
  string& operator+=(const string&) { return *this; }

 private:
  const char* text_;
};
class exception {
 public:
  virtual ~exception() {}
  virtual const char* what() const noexcept { return ""; }
};
class bad_alloc : public exception {};
class runtime_error : public exception {
 public:
  explicit runtime_error(const string&) {}
};

using ::free;
using ::malloc;
}  // namespace std
