// backend/cpu/kernel_diagnose.cpp: from a compiler's log to one sentence.
#include "backend/cpu/kernel_diagnose.hpp"
#include <cstdlib>
#include <sstream>
#include <vector>

namespace tenon::cpu {
namespace {

// What a CPU has not, by the words that show in the first error or, where `in_text`, in the line of the user's text that it
// points at (g++ says little more than "expected" there).
struct Missing {
  const char* word;
  bool in_text;
  const char* sentence;
};
constexpr const char* kTextures = "textures are not available on the CPU device";
constexpr const char* kSurfaces = "surfaces are not available on the CPU device";
constexpr const char* kMatrices = "warp matrix operations (wmma) are not available on the CPU device";
constexpr const char* kLaunches = "launching kernels from a kernel (<<<>>>) is not available on the CPU device";
constexpr const char* kCopies = "asynchronous copies (cp.async, pipelines, memcpy_async) are not available on the CPU device";
constexpr const char* kAllocation = "allocating in a kernel (malloc, new) is not available on the CPU device";
constexpr const char* kClusters = "thread block clusters are not available on the CPU device";
constexpr const char* kExceptions = "exceptions are not available in kernels";
constexpr const char* kHostHeaders = "headers of the host's C++ library are not available in kernels";
constexpr Missing missing[] = {
    {"inline PTX", false, "inline PTX (asm) is not available on the CPU device"},
    {"<<<", true, kLaunches},
    {"cudaLaunch", true, kLaunches},
    {"cudaTextureObject_t", true, kTextures},
    {"tex1D", true, kTextures},
    {"tex2D", true, kTextures},
    {"tex3D", true, kTextures},
    {"'texture'", false, kTextures},
    {"cudaSurfaceObject_t", true, kSurfaces},
    {"surf2D", true, kSurfaces},
    {"mma.h", false, kMatrices},
    {"wmma", false, kMatrices},
    {"nvcuda", false, kMatrices},
    {"cub/", false, "CUB is not available on the CPU device"},
    {"'cub'", false, "CUB is not available on the CPU device"},
    {"thrust", false, "Thrust is not available on the CPU device"},
    {"cutlass", false, "CUTLASS is not available on the CPU device"},
    {"cute/", false, "CuTe is not available on the CPU device"},
    {"curand", false, "cuRAND's device functions are not available on the CPU device"},
    {"cuda_pipeline", false, kCopies},
    {"cuda/pipeline", false, kCopies},
    {"memcpy_async", false, kCopies},
    {"cuda/barrier", false, "cuda::barrier is not available on the CPU device"},
    {"cuda/std/", false, "libcu++ (cuda::std) is not available on the CPU device"},
    {"'cuda'", false, "libcu++ (cuda::) is not available on the CPU device"},
    {"this_cluster", false, kClusters},
    {"cluster_group", false, kClusters},
    {"thread block clusters", false, kClusters},
    {"cudaMalloc", false, "the CUDA runtime API is not available inside kernels on the CPU device"},
    {"'malloc'", false, kAllocation},
    {"'free'", false, kAllocation},
    {"operator new", false, kAllocation},
    {"operator delete", false, kAllocation},
    {"_Znwm", false, kAllocation},
    {"_Znam", false, kAllocation},
    {"_ZdlPv", false, kAllocation},
    {"exceptions disabled", false, kExceptions},
    {"exception handling disabled", false, kExceptions},
    {"iostream", true, kHostHeaders},
    {"<vector>", true, kHostHeaders},
    {"'vector' file", false, kHostHeaders},
    {"<string>", true, kHostHeaders},
    {"<algorithm>", true, kHostHeaders},
    {"<memory>", true, kHostHeaders},
};

bool is_error(const std::string& line) {
  return line.find(": error: ") != std::string::npos || line.find(": fatal error: ") != std::string::npos ||
         line.find("undefined reference to") != std::string::npos || line.find("undefined symbol: ") != std::string::npos;
}

// The line of the user's text that "kernel.cu:12:..." points at.
std::string line_of_text(const CompileRequest& request, const std::string& error) {
  if (error.rfind(request.name + ":", 0) != 0) return "";
  int number = std::atoi(error.c_str() + request.name.size() + 1);
  std::istringstream in(request.source);
  std::string line;
  while (number-- > 0 && std::getline(in, line)) {}
  return line;
}

const char* meaning(const CompileRequest& request, const std::string& error) {
  const std::string text = line_of_text(request, error);
  for (const Missing& row : missing)
    if (error.find(row.word) != std::string::npos || (row.in_text && text.find(row.word) != std::string::npos)) return row.sentence;
  return nullptr;
}

// Lines of the signature table and the entries are named after the kernel that the options name: see kernel/signature.cpp.
std::string entry_of(const std::string& line) {
  const std::string mark = " of the options: ";
  size_t begin = line.find(mark), end = line.find(":1:", begin);
  if (line.rfind("kernel name ", 0) != 0 || begin == std::string::npos || end == std::string::npos) return "";
  return line.substr(begin + mark.size(), end - begin - mark.size());
}

}  // namespace

void fail_with_log(const CompileRequest& request, const std::string& log) {
  std::vector<std::string> lines;
  std::istringstream in(log);
  for (std::string line; std::getline(in, line);) lines.push_back(line);

  size_t first = 0;
  while (first < lines.size() && !is_error(lines[first])) ++first;
  const std::string text = first < lines.size() ? lines[first] : "the compiler failed without an error message";
  const char* why = meaning(request, text);

  std::string message;
  if (const std::string kernel = entry_of(text); !kernel.empty() && !why) {
    const size_t from = text.find("error: ");
    message = format("%s has no kernel that can be named \"%s\": %s", request.name.c_str(), kernel.c_str(),
                     text.substr(from == std::string::npos ? 0 : from + 7).c_str());
  } else if (why) {
    message = format("%s (%s)", why, text.c_str());
  } else {
    message = text;
  }
  Error error(TENON_ERROR_COMPILE, message);
  error.log = (why ? std::string(why) + "\n" : std::string()) + log;
  throw error;
}

}  // namespace tenon::cpu
