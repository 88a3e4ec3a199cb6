// backend/cuda/fft.cpp: Fourier transforms on cuFFT, whose plans are kept.
#include <algorithm>
#include <cstring>
#include <optional>
#include <unordered_map>
#include "backend/cuda/copy.hpp"
#include "backend/cuda/graph.hpp"

namespace tenon::cuda {

namespace {

constexpr int kMaxAxes = 3;        // of one cuFFT plan
constexpr size_t kMaxPlans = 64;   // kept per device
constexpr int64_t kFewLaunches = 8;
constexpr int64_t kLargeLaunch = int64_t(8) << 20;  // bytes that keep the device busier than the host

// Everything that decides a plan. Compared and hashed as words.
struct PlanKey {
  int64_t dtype = 0, rank = 0, batch = 0;
  int64_t n[kMaxAxes] = {}, in_embed[kMaxAxes] = {}, out_embed[kMaxAxes] = {};
  int64_t in_stride = 0, in_distance = 0, out_stride = 0, out_distance = 0;
  bool operator==(const PlanKey& other) const { return std::memcmp(this, &other, sizeof(PlanKey)) == 0; }
};

struct PlanHash {
  size_t operator()(const PlanKey& key) const {
    int64_t words[sizeof(PlanKey) / 8];
    std::memcpy(words, &key, sizeof(key));
    uint64_t h = 0;
    for (int64_t w : words) h = (h ^ uint64_t(w)) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
    return h;
  }
};

struct Plan {
  CudaDevice& device;
  int handle = -1;
  size_t work_bytes = 0;
  std::mutex mutex;  // a plan holds its stream and work area: one call at a time enqueues with it
  uint64_t last_use = 0;

  explicit Plan(CudaDevice& d) : device(d) {}
  ~Plan() {
    if (handle < 0 || !device.usable()) return;
    try {
      auto scope = device.activate();
      cufft().cufftDestroy(handle);
    } catch (...) {  // the device went away: so did its plans
    }
  }
};

}  // namespace

struct FftState {
  std::mutex mutex;
  uint64_t clock = 0;
  std::unordered_map<PlanKey, std::shared_ptr<Plan>, PlanHash> plans;
};

namespace {

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
  const int32_t meaning = result == CUFFT_ALLOC_FAILED ? TENON_ERROR_OUT_OF_MEMORY
                          : result == CUFFT_INVALID_SIZE || result == CUFFT_NOT_SUPPORTED ? TENON_ERROR_UNSUPPORTED
                                                                                          : TENON_ERROR_VENDOR;
  device.fail_vendor(call, result, result_text(result), meaning);
}

FftState& state_of(CudaDevice& device) {
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
  check(device,
        fft.cufftMakePlanMany64(plan->handle, int(key.rank), words(key.n), words(key.in_embed), key.in_stride, key.in_distance,
                                words(key.out_embed), key.out_stride, key.out_distance,
                                key.dtype == TENON_COMPLEX64 ? CUFFT_C2C : CUFFT_Z2Z, key.batch, &plan->work_bytes),
        "cufftMakePlanMany64");
  return plan;
}

std::shared_ptr<Plan> add_plan(CudaDevice& device, const PlanKey& key) {
  FftState& state = state_of(device);
  std::shared_ptr<Plan> made = make_plan(device, key);  // slow, so under no lock
  std::shared_ptr<Plan> evicted;                        // destroyed after the lock
  std::lock_guard lock(state.mutex);
  auto [entry, is_new] = state.plans.try_emplace(key, std::move(made));
  std::shared_ptr<Plan> plan = entry->second;
  plan->last_use = ++state.clock;
  if (is_new && state.plans.size() > kMaxPlans) {
    // Graphs hold on to the plans they were made with, which are better found again than made twice.
    const auto age = [](const auto& entry) { return entry.second.use_count() > 1 ? ~uint64_t(0) : entry.second->last_use; };
    auto oldest = std::min_element(state.plans.begin(), state.plans.end(), [&](const auto& a, const auto& b) { return age(a) < age(b); });
    if (oldest->second.use_count() == 1) {
      evicted = std::move(oldest->second);
      state.plans.erase(oldest);
    }
  }
  return plan;
}

std::shared_ptr<Plan> plan_of(CudaDevice& device, const PlanKey& key, Stream& stream) {
  FftState& state = state_of(device);
  {
    std::lock_guard lock(state.mutex);
    auto found = state.plans.find(key);
    if (found != state.plans.end()) {
      found->second->last_use = ++state.clock;
      return found->second;
    }
  }
  device.need_before_capture(stream, "a plan of cuFFT has to be made", [&device, key] { add_plan(device, key); });
  return add_plan(device, key);
}

// Strides as cuFFT's nested dimensions: the innermost stride, and for each further axis how many inner steps it spans.
bool embed(const std::vector<FftAxis>& axes, bool destination, int64_t* embed, int64_t& stride) {
  auto of = [&](const FftAxis& a) { return destination ? a.to : a.from; };
  const size_t rank = axes.size();
  stride = of(axes[rank - 1]);
  if (stride <= 0) return false;
  embed[0] = axes[0].extent;
  for (size_t i = 1; i < rank; i++) {
    if (of(axes[i - 1]) <= 0 || of(axes[i - 1]) % of(axes[i])) return false;
    embed[i] = of(axes[i - 1]) / of(axes[i]);
    if (embed[i] < axes[i].extent) return false;
  }
  return true;
}

// A problem as one plan and the axes over which it is repeated by hand.
struct Layout {
  PlanKey key;
  std::vector<FftAxis> loops;
  int64_t launches = 1;
};

std::optional<Layout> layout_of(const FftProblem& p) {
  Layout out;
  PlanKey& key = out.key;
  if (p.axes.size() > kMaxAxes) return std::nullopt;
  if (!embed(p.axes, false, key.in_embed, key.in_stride) || !embed(p.axes, true, key.out_embed, key.out_stride)) return std::nullopt;
  key.dtype = p.dtype;
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
  device.refuse_foreign_capture(stream, "a Fourier transform needs a plan and a work area that the graph would have to keep");
  std::shared_ptr<Plan> plan = plan_of(device, layout.key, stream);
  keep_with_graph(stream, plan);
  Scratch work(device, plan->work_bytes, stream);
  const bool single = p.dtype == TENON_COMPLEX64;
  const int64_t size = single ? 8 : 16;
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
    check(device, single ? fft.cufftExecC2C(plan->handle, from, to, direction) : fft.cufftExecZ2Z(plan->handle, from, to, direction),
          single ? "cufftExecC2C" : "cufftExecZ2Z");
    size_t d = depth;
    while (d > 0) {
      const FftAxis& axis = layout.loops[d - 1];
      to += axis.to * size;
      from += axis.from * size;
      if (++index[d - 1] < axis.extent) break;
      to -= axis.to * axis.extent * size;
      from -= axis.from * axis.extent * size;
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

std::vector<CopyAxis> copy_axes(const FftProblem& p) {
  const int64_t size = p.dtype == TENON_COMPLEX64 ? 8 : 16;
  std::vector<CopyAxis> out;
  for (const auto* list : {&p.batch, &p.axes})
    for (const FftAxis& a : *list) out.push_back({a.extent, a.to * size, a.from * size});
  return out;
}

void copy_problem(CudaDevice& device, const FftProblem& p, Stream& stream) {
  const uint32_t size = p.dtype == TENON_COMPLEX64 ? 8 : 16;
  const Dtype plain = TENON_DTYPE(1, size * 8, 1);
  device.copy({p.to, p.from, plain, plain, size, copy_axes(p)}, stream);
}

// Strides of a packed array of the batch axes, then the transformed ones.
FftProblem packed(FftProblem p, bool destination) {
  int64_t stride = 1;
  for (auto* list : {&p.axes, &p.batch})
    for (size_t i = list->size(); i-- > 0;) {
      ((*list)[i].*(destination ? &FftAxis::to : &FftAxis::from)) = stride;
      stride *= (*list)[i].extent;
    }
  return p;
}

// Merges batch axes that are one run on both sides.
void merge(std::vector<FftAxis>& batch) {
  std::erase_if(batch, [](const FftAxis& a) { return a.extent == 1; });
  std::stable_sort(batch.begin(), batch.end(), [](const FftAxis& a, const FftAxis& b) { return std::abs(a.to) > std::abs(b.to); });
  size_t kept = 0;
  for (size_t i = 1; i < batch.size(); i++) {
    FftAxis& outer = batch[kept];
    if (outer.to == batch[i].to * batch[i].extent && outer.from == batch[i].from * batch[i].extent)
      outer = {outer.extent * batch[i].extent, batch[i].to, batch[i].from};
    else
      batch[++kept] = batch[i];
  }
  if (!batch.empty()) batch.resize(kept + 1);
}

FftProblem in_place(FftProblem p) {
  p.from = p.to;
  for (auto* list : {&p.axes, &p.batch})
    for (FftAxis& a : *list) a.from = a.to;
  return p;
}

// Is one plan with few launches, or large ones, enough?
bool good(const std::optional<Layout>& layout, const FftProblem& p) {
  if (!layout) return false;
  if (layout->launches <= kFewLaunches) return true;
  const int64_t bytes = product(p.axes) * layout->key.batch * (p.dtype == TENON_COMPLEX64 ? 8 : 16);
  return bytes >= kLargeLaunch;
}

// At most three axes, none of extent 1.
void transform(CudaDevice& device, FftProblem p, Stream& stream) {
  std::stable_sort(p.axes.begin(), p.axes.end(), [](const FftAxis& a, const FftAxis& b) { return std::abs(a.to) > std::abs(b.to); });
  merge(p.batch);
  std::optional<Layout> direct = layout_of(p);
  if (good(direct, p)) return execute(device, p, *direct, stream);
  // The destination's layout alone may do: copy, then transform there.
  FftProblem there = in_place(p);
  merge(there.batch);
  std::optional<Layout> at_destination = layout_of(there);
  if (good(at_destination, there)) {
    if (p.from != p.to) copy_problem(device, p, stream);
    return execute(device, there, *at_destination, stream);
  }
  const uint64_t bytes = uint64_t(product(p.axes)) * uint64_t(product(p.batch)) * (p.dtype == TENON_COMPLEX64 ? 8 : 16);
  Scratch temporary(device, bytes, stream);
  FftProblem in = packed(p, true);
  in.to = temporary.data();
  copy_problem(device, in, stream);
  FftProblem middle = in_place(in);
  merge(middle.batch);
  execute(device, middle, *layout_of(middle), stream);
  FftProblem out = packed(p, false);
  out.from = temporary.data();
  copy_problem(device, out, stream);
}

}  // namespace

void CudaDevice::do_fft(const FftProblem& problem, Stream& stream) {
  FftProblem rest = problem;
  std::erase_if(rest.axes, [](const FftAxis& a) { return a.extent == 1; });
  if (rest.axes.empty()) {
    if (rest.from != rest.to) copy_problem(*this, rest, stream);
  }
  // Innermost axes first, three at a time; all but the first round in place.
  std::stable_sort(rest.axes.begin(), rest.axes.end(), [](const FftAxis& a, const FftAxis& b) { return std::abs(a.to) > std::abs(b.to); });
  while (!rest.axes.empty()) {
    const size_t count = std::min<size_t>(rest.axes.size(), kMaxAxes);
    FftProblem now = rest;
    now.axes.assign(rest.axes.end() - int64_t(count), rest.axes.end());
    rest.axes.resize(rest.axes.size() - count);
    now.batch.insert(now.batch.end(), rest.axes.begin(), rest.axes.end());
    transform(*this, now, stream);
    rest.batch.insert(rest.batch.end(), now.axes.begin(), now.axes.end());
    rest = in_place(rest);
  }
  if (problem.scale != 1) scale_complex(*this, problem.to, problem.dtype, copy_axes(problem), problem.scale, stream);
}

}  // namespace tenon::cuda
