// core/problem/operations.hpp: the operations that a device runs on a stream, one row each.
//
// A row names the struct that describes one call (core/problem/problem.hpp, core/problem/dense.hpp,
// core/problem/compute.hpp), the name that graphs, profiles and error messages show, and whether the call waits on the
// host for its result: such an operation cannot be recorded. Device::run takes any of these structs. A backend defines
// `run` for each of them; the compiler or the linker reports one that is missing. To add an operation, write its
// struct, add its row, and define `run` in each backend.
#pragma once
#include <cstdint>

namespace tenon {

// X(problem, name, waits)
#define TENON_OPERATIONS(X)                        \
  X(CopyProblem, "copy", false)                    \
  X(FillProblem, "fill", false)                    \
  X(GemmProblem, "gemm", false)                    \
  X(GroupedGemmProblem, "gemm", false)             \
  X(FftProblem, "fft", false)                      \
  X(SpectraProductProblem, "fft", false)           \
  X(FrequenciesProblem, "fft", false)              \
  X(SvdProblem, "svd", true)                       \
  X(SparseProductProblem, "sparse product", false) \
  X(ElementwiseProblem, "elementwise", false)      \
  X(ReduceProblem, "reduce", false)                \
  X(ScanProblem, "scan", false)                    \
  X(FirstNotFiniteProblem, "check", true)          \
  X(FirstZeroProblem, "check", true)               \
  X(FirstInfoProblem, "check", true)               \
  X(BoundPivotsProblem, "check", true)             \
  X(ConjugateProblem, "conjugate", false)          \
  X(TriangleProblem, "triangle", false)            \
  X(AxpyProblem, "axpy", false)                    \
  X(ScalProblem, "scal", false)                    \
  X(RotProblem, "rot", false)                      \
  X(SwapProblem, "swap", false)                    \
  X(RotgProblem, "rotg", false)                    \
  X(RotmProblem, "rotm", false)                    \
  X(RotmgProblem, "rotmg", false)                  \
  X(ExtremeProblem, "iamax", false)                \
  X(NormProblem, "norm", false)                    \
  X(TrmmProblem, "trmm", false)                    \
  X(TrsmProblem, "trsm", false)                    \
  X(SyrkProblem, "syrk", false)                    \
  X(Syr2kProblem, "syr2k", false)                  \
  X(GeamProblem, "geam", false)                    \
  X(GbmvProblem, "gbmv", false)                    \
  X(SbmvProblem, "sbmv", false)                    \
  X(TbmvProblem, "tbmv", false)                    \
  X(TbsvProblem, "tbsv", false)                    \
  X(SymmProblem, "symm", false)                    \
  X(LuProblem, "lu", true)                         \
  X(LuSolveProblem, "lu_solve", true)              \
  X(CholeskyProblem, "cholesky", true)             \
  X(CholeskySolveProblem, "cholesky_solve", true)  \
  X(LdlProblem, "ldl", true)                       \
  X(LdlSolveProblem, "ldl_solve", true)            \
  X(QrProblem, "qr", true)                         \
  X(QrVectorsProblem, "qr", true)                  \
  X(EighProblem, "eigh", true)                     \
  X(EigProblem, "eig", true)

enum class DeviceOperation : uint32_t {
#define TENON_ROW(problem, name, waits) problem,
  TENON_OPERATIONS(TENON_ROW)
#undef TENON_ROW
};

struct OperationInfo {
  const char* name;
  const char* waits;  // why it cannot be recorded; NULL: it can be, because it only enqueues work
};

inline constexpr OperationInfo kDeviceOperations[] = {
#define TENON_ROW(problem, name, waits) {name, waits ? name " must wait for its result" : nullptr},
    TENON_OPERATIONS(TENON_ROW)
#undef TENON_ROW
};

inline constexpr const OperationInfo& info_of(DeviceOperation operation) {
  return kDeviceOperations[uint32_t(operation)];
}

// The operation that a struct describes.
template <class Problem> struct OperationOf;
#define TENON_ROW(problem, name, waits)                                \
  struct problem;                                                      \
  template <> struct OperationOf<problem> {                            \
    static constexpr DeviceOperation value = DeviceOperation::problem; \
  };
TENON_OPERATIONS(TENON_ROW)
#undef TENON_ROW

}  // namespace tenon
