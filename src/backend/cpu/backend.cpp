// backend/cpu/backend.cpp: the CPU's row in the list of backends.
#include "backend/cpu/device.hpp"
#include "backend/cpu/operations.hpp"
#include "base/json.hpp"
#include "base/parallel.hpp"

namespace tenon::cpu {
namespace {

std::vector<std::unique_ptr<Device>> devices(Context& context, std::string*) {
  std::vector<std::unique_ptr<Device>> made;
  made.push_back(std::make_unique<CpuDevice>(context));
  return made;
}

std::string report() {
  base::Json out;
  out["threads"] = base::thread_count();
  out["blas"] = base::Json::parse(blas_report());
  out["fft"] = base::Json::parse(fft_report());
  return out.dump();
}

}  // namespace

extern const Backend backend;
const Backend backend = {"cpu", devices, report};

}  // namespace tenon::cpu
