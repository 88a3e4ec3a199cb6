// backend/list.cpp: the only file that names the existing backends. The first is the reference.
#include "backend/list.hpp"

namespace tenon {

namespace cpu {
extern const Backend backend;
}
namespace cuda {
extern const Backend backend;
}

std::span<const Backend> backends() {
  static const Backend list[] = {
      cpu::backend,
#if TENON_WITH_CUDA
      cuda::backend,
#endif
  };
  return list;
}

}  // namespace tenon
