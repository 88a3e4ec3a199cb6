// backend/cuda/fft/plans.cpp: makes, keeps and runs cuFFT's plans.
#include "backend/cuda/fft/plans.hpp"

#include <algorithm>
#include "backend/cuda/graph.hpp"
#include "backend/cuda/linalg/plan_cache.hpp"

namespace tenon::cuda {

namespace {

constexpr size_t kMaxPlans = 64;  // per device
constexpr int64_t kFewLaunches = 8;
constexpr int64_t kLargeLaunch = int64_t(8) << 20;  // launches of this many bytes keep the device busier than the host

struct Plan {
  CudaDevice& device;
  int handle = -1;
  size_t work_bytes = 0;
  std::mutex mutex;  // a plan holds its stream and work area: one call at a time enqueues with it

  explicit Plan(CudaDevice& d) : device(d) {}
  ~Plan() {
    if (handle < 0 || !device.usable()) return;
    try {
      auto scope = device.activate();
      cufft().cufftDestroy(handle);
    } catch (...) {  // the device is lost, and so are its plans
    }
  }
};

}  // namespace

struct FftState {
  PlanCache<PlanKey, Plan> plans{kMaxPlans};
};

namespace {

bool half_precision(const PlanKey& key) { return key.type <= int64_t(FftKind::complex_to_real); }

const char* result_text(int result) {
  switch (result) {
    case CUFFT_ALLOC_FAILED: return "out of device memory";
    case CUFFT_INVALID_VALUE: return "an invalid value";
    case CUFFT_INTERNAL_ERROR: return "an internal error of cuFFT or the driver";
    case CUFFT_EXEC_FAILED: return "the transform could not be launched";
    case CUFFT_SETUP_FAILED: return "cuFFT could not be initialised";
    case CUFFT_INVALID_SIZE: return "a size that cuFFT does not support";
    case CUFFT_NOT_SUPPORTED: return "not supported by this cuFFT";
  }
  return "see cufftResult";
}

void check(CudaDevice& device, int result, const char* call) {
  if (result == CUFFT_SUCCESS) return;
  const int32_t meaning = result == CUFFT_ALLOC_FAILED                                    ? TENON_ERROR_OUT_OF_MEMORY
                          : result == CUFFT_INVALID_SIZE || result == CUFFT_NOT_SUPPORTED ? TENON_ERROR_UNSUPPORTED
                                                                                          : TENON_ERROR_VENDOR;
  device.fail_vendor(call, result, result_text(result), meaning);
}

FftState& fft_state_of(CudaDevice& device) {
  std::lock_guard lock(device.state_mutex());
  if (!device.fft_state) device.fft_state = std::make_shared<FftState>();
  return *device.fft_state;
}

std::shared_ptr<Plan> make_plan(CudaDevice& device, PlanKey key) {
  const Cufft& fft = cufft();
  auto plan = std::make_shared<Plan>(device);
  auto scope = device.activate();
  check(device, fft.cufftCreate(&plan->handle), "cufftCreate");
  check(device, fft.cufftSetAutoAllocation(plan->handle, 0), "cufftSetAutoAllocation");
  auto words = [](int64_t* p) { return reinterpret_cast<long long*>(p); };
  if (half_precision(key)) {
    const FftKind kind = FftKind(key.type);
    check(device,
          fft.cufftXtMakePlanMany(plan->handle, int(key.rank), words(key.n), words(key.in_embed), key.in_stride,
                                  key.in_distance, kind == FftKind::real_to_complex ? CUDA_R_16F : CUDA_C_16F,
                                  words(key.out_embed), key.out_stride, key.out_distance,
                                  kind == FftKind::complex_to_real ? CUDA_R_16F : CUDA_C_16F, key.batch,
                                  &plan->work_bytes, CUDA_C_16F),
          "cufftXtMakePlanMany");
    return plan;
  }
  check(device,
        fft.cufftMakePlanMany64(plan->handle, int(key.rank), words(key.n), words(key.in_embed), key.in_stride,
                                key.in_distance, words(key.out_embed), key.out_stride, key.out_distance, int(key.type),
                                key.batch, &plan->work_bytes),
        "cufftMakePlanMany64");
  return plan;
}

std::shared_ptr<Plan> add_plan(CudaDevice& device, const PlanKey& key) {
  return fft_state_of(device).plans.add(key, make_plan(device, key));
}

std::shared_ptr<Plan> plan_of(CudaDevice& device, const PlanKey& key, Stream& stream) {
  if (std::shared_ptr<Plan> found = fft_state_of(device).plans.find(key)) return found;
  // The result is stored where it outlives this call: during one of our captures the work is done after this call has
  // ended.
  auto made = std::make_shared<std::shared_ptr<Plan>>();
  device.beside_capture(stream, "a cuFFT plan must be made", [&device, key, made] { *made = add_plan(device, key); });
  return *made;
}

// Strides as cuFFT's nested dimensions: the innermost stride, and for each further axis the number of inner steps that
// it spans. half: this side has n / 2 + 1 numbers along the last axis.
bool embed(const std::vector<FftAxis>& axes, bool destination, bool half, int64_t* embed, int64_t& stride) {
  auto of = [&](const FftAxis& a) { return destination ? a.to : a.from; };
  const size_t rank = axes.size();
  stride = of(axes[rank - 1]);
  if (stride <= 0) return false;
  embed[0] = axes[0].extent;
  for (size_t i = 1; i < rank; i++) {
    if (of(axes[i - 1]) <= 0 || of(axes[i - 1]) % of(axes[i])) return false;
    embed[i] = of(axes[i - 1]) / of(axes[i]);
    if (embed[i] < (half && i + 1 == rank ? axes[i].extent / 2 + 1 : axes[i].extent)) return false;
  }
  return true;
}

int plan_type(const FftProblem& p) {
  if (p.dtype == TENON_COMPLEX32) return int(p.kind);
  const bool single = p.dtype == TENON_COMPLEX64;
  switch (p.kind) {
    case FftKind::complex: return single ? CUFFT_C2C : CUFFT_Z2Z;
    case FftKind::real_to_complex: return single ? CUFFT_R2C : CUFFT_D2Z;
    case FftKind::complex_to_real: return single ? CUFFT_C2R : CUFFT_Z2D;
    case FftKind::cosine:
    case FftKind::sine: break;  // computed by the others
  }
  fail(TENON_ERROR_INTERNAL, "no such transform");
}

}  // namespace

std::optional<Layout> layout_of(const FftProblem& p) {
  Layout out;
  PlanKey& key = out.key;
  if (p.axes.size() > kMaxPlanAxes) return std::nullopt;
  if (!embed(p.axes, false, p.kind == FftKind::complex_to_real, key.in_embed, key.in_stride) ||
      !embed(p.axes, true, p.kind == FftKind::real_to_complex, key.out_embed, key.out_stride))
    return std::nullopt;
  key.type = plan_type(p);
  key.rank = int64_t(p.axes.size());
  for (size_t i = 0; i < p.axes.size(); i++) key.n[i] = p.axes[i].extent;
  key.batch = 1;
  key.in_distance = key.out_distance = 1;
  out.loops = p.batch;
  size_t longest = out.loops.size();
  for (size_t i = 0; i < out.loops.size(); i++) {
    if (out.loops[i].to <= 0 || out.loops[i].from <= 0) continue;
    if (longest == out.loops.size() || out.loops[i].extent > out.loops[longest].extent) longest = i;
  }
  if (longest < out.loops.size()) {
    key.batch = out.loops[longest].extent;
    key.in_distance = out.loops[longest].from;
    key.out_distance = out.loops[longest].to;
    out.loops.erase(out.loops.begin() + int64_t(longest));
  }
  for (const FftAxis& a : out.loops) out.launches *= a.extent;
  return out;
}

void execute(CudaDevice& device, const FftProblem& p, const Layout& layout, Stream& stream) {
  const Cufft& fft = cufft();
  std::shared_ptr<Plan> plan = plan_of(device, layout.key, stream);
  keep_with_graph(stream, plan);
  Scratch work(device, plan->work_bytes, stream);
  const int64_t size = complex_bytes(p);
  const int64_t from_size = p.kind == FftKind::real_to_complex ? size / 2 : size,
                to_size = p.kind == FftKind::complex_to_real ? size / 2 : size;
  const int direction = p.inverse ? CUFFT_INVERSE : CUFFT_FORWARD;
  const size_t depth = layout.loops.size();
  std::vector<int64_t> index(depth, 0);
  char* to = static_cast<char*>(p.to);
  char* from = static_cast<char*>(const_cast<void*>(p.from));

  auto scope = device.activate();
  std::lock_guard lock(plan->mutex);
  const RelaxedCapture relaxed(device, stream);
  check(device, fft.cufftSetStream(plan->handle, handle_of(stream)), "cufftSetStream");
  if (work.data()) check(device, fft.cufftSetWorkArea(plan->handle, work.data()), "cufftSetWorkArea");
  for (;;) {
    switch (int(layout.key.type)) {
      case CUFFT_C2C: check(device, fft.cufftExecC2C(plan->handle, from, to, direction), "cufftExecC2C"); break;
      case CUFFT_Z2Z: check(device, fft.cufftExecZ2Z(plan->handle, from, to, direction), "cufftExecZ2Z"); break;
      case CUFFT_R2C:
        check(device, fft.cufftExecR2C(plan->handle, reinterpret_cast<float*>(from), to), "cufftExecR2C");
        break;
      case CUFFT_D2Z:
        check(device, fft.cufftExecD2Z(plan->handle, reinterpret_cast<double*>(from), to), "cufftExecD2Z");
        break;
      case CUFFT_C2R:
        check(device, fft.cufftExecC2R(plan->handle, from, reinterpret_cast<float*>(to)), "cufftExecC2R");
        break;
      case CUFFT_Z2D:
        check(device, fft.cufftExecZ2D(plan->handle, from, reinterpret_cast<double*>(to)), "cufftExecZ2D");
        break;
      default: check(device, fft.cufftXtExec(plan->handle, from, to, direction), "cufftXtExec");  // half precision
    }
    size_t d = depth;
    while (d > 0) {
      const FftAxis& axis = layout.loops[d - 1];
      to += axis.to * to_size;
      from += axis.from * from_size;
      if (++index[d - 1] < axis.extent) break;
      to -= axis.to * axis.extent * to_size;
      from -= axis.from * axis.extent * from_size;
      index[--d] = 0;
    }
    if (d == 0) break;
  }
}

int64_t product(const std::vector<FftAxis>& axes) {
  int64_t n = 1;
  for (const FftAxis& a : axes) n *= a.extent;
  return n;
}

void merge(std::vector<FftAxis>& batch) {
  std::erase_if(batch, [](const FftAxis& a) { return a.extent == 1; });
  std::stable_sort(batch.begin(), batch.end(),
                   [](const FftAxis& a, const FftAxis& b) { return std::abs(a.to) > std::abs(b.to); });
  size_t kept = 0;
  for (size_t i = 1; i < batch.size(); i++) {
    FftAxis& outer = batch[kept];
    if (outer.to == batch[i].to * batch[i].extent && outer.from == batch[i].from * batch[i].extent)
      outer = {outer.extent * batch[i].extent, batch[i].to, batch[i].from};
    else batch[++kept] = batch[i];
  }
  if (!batch.empty()) batch.resize(kept + 1);
}

FftProblem in_place(FftProblem p) {
  p.from = p.to;
  for (auto* list : {&p.axes, &p.batch})
    for (FftAxis& a : *list) a.from = a.to;
  return p;
}

bool good(const std::optional<Layout>& layout, const FftProblem& p) {
  if (!layout) return false;
  if (layout->launches <= kFewLaunches) return true;
  const int64_t bytes = product(p.axes) * layout->key.batch * complex_bytes(p);
  return bytes >= kLargeLaunch;
}

std::string fft_plans_report(CudaDevice& device) { return fft_state_of(device).plans.report().dump(); }

}  // namespace tenon::cuda
