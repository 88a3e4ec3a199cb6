// backend/cpu/backend.cpp: the CPU's row in the list of backends.
#include <nlohmann/json.hpp>
#include "backend/cpu/device.hpp"
#include "backend/cpu/operations.hpp"
#include "base/parallel.hpp"

namespace tenon::cpu {
namespace {

std::vector<std::unique_ptr<Device>> devices(Context& context, std::string*) {
  std::vector<std::unique_ptr<Device>> made;
  made.push_back(std::make_unique<CpuDevice>(context));
  return made;
}

std::string report() {
  nlohmann::json out;
  out["threads"] = base::thread_count();
  out["blas"] = nlohmann::json::parse(blas_report(), nullptr, false);
  out["fft"] = nlohmann::json::parse(fft_report(), nullptr, false);
  return out.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

extern const Backend backend;
const Backend backend = {"cpu", devices, report};

}  // namespace tenon::cpu
