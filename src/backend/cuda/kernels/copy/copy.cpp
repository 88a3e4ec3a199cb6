// backend/cuda/kernels/copy/copy.cpp: chooses the kernel of array.cu for a strided copy or fill, and launches it.
#include "backend/cuda/kernels/copy/copy.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include "backend/cuda/kernels/instances.hpp"

namespace tenon::cuda {

namespace {

using work::Axis, work::Planes, work::Rows, work::Tiles;
using Loop = work::Loop<0>;
using work::kMaxAxes, work::kMaxLevels;
constexpr uint32_t kThreads = 256;
constexpr uint32_t kPerThread = 4;
constexpr int64_t kMaxCount = (int64_t(1) << 31) - 1;  // the limit of the kernels' 32-bit indices
constexpr int64_t kRowBytes = 64;                      // shorter rows are copied element by element

// n / extent = (n * magic) >> shift for n < 2^31: the magic number is rounded up, and its error times n stays below
// one.
Axis make_axis(int64_t extent, int64_t to, int64_t from) {
  const uint32_t bits = uint32_t(std::bit_width(uint64_t(extent - 1)));
  const uint64_t magic = (uint64_t(1) << (31 + bits)) / uint64_t(extent) + 1;
  return {uint32_t(extent), uint32_t(magic), 31 + bits, 0, to, from};
}

// ---- Normal form ----

struct Job {
  char* to;
  const char* from;
  Element to_type, from_type;
  std::vector<CopyAxis> axes;  // outermost first; destination strides are positive and descending

  uint32_t to_bytes() const { return bytes_of(to_type); }
  uint32_t from_bytes() const { return bytes_of(from_type); }
};

// Sorted by destination stride, without negative strides or axes of extent 1, merged.
void normalise(Job& job) {
  auto& axes = job.axes;
  std::erase_if(axes, [](const CopyAxis& axis) { return axis.extent == 1; });
  for (CopyAxis& axis : axes) {
    if (axis.to >= 0) continue;
    job.to += (axis.extent - 1) * axis.to;
    job.from += (axis.extent - 1) * axis.from;
    axis.to = -axis.to;
    axis.from = -axis.from;
  }
  std::stable_sort(axes.begin(), axes.end(), [](const CopyAxis& a, const CopyAxis& b) { return a.to > b.to; });
  size_t kept = 0;
  for (size_t i = 1; i < axes.size(); i++) {
    CopyAxis& outer = axes[kept];
    if (outer.to == axes[i].to * axes[i].extent && outer.from == axes[i].from * axes[i].extent)
      outer = {outer.extent * axes[i].extent, axes[i].to, axes[i].from};
    else axes[++kept] = axes[i];
  }
  if (!axes.empty()) axes.resize(kept + 1);
}

bool aligned(const void* p, int64_t bytes) { return reinterpret_cast<uintptr_t>(p) % uintptr_t(bytes) == 0; }

// For copies without conversion: makes elements as large as extents, strides and addresses allow, or smaller if an
// address is not aligned.
void widen(Job& job) {
  int64_t size = job.to_bytes();
  auto fits = [&](int64_t bytes) {
    if (!aligned(job.to, bytes) || !aligned(job.from, bytes)) return false;
    for (size_t i = 0; i + 1 < job.axes.size(); i++)
      if (job.axes[i].to % bytes || job.axes[i].from % bytes) return false;
    return true;
  };
  auto whole = [&] {
    return std::all_of(job.axes.begin(), job.axes.end(),
                       [&](const CopyAxis& a) { return a.to % size == 0 && a.from % size == 0; });
  };
  while (size > 1 && !(aligned(job.to, size) && aligned(job.from, size) && whole())) {
    size /= 2;
    job.axes.push_back({2, size, size});
  }
  if (size != job.to_bytes()) normalise(job);
  while (size < 16 && !job.axes.empty()) {
    CopyAxis& inner = job.axes.back();
    if (inner.to != size || inner.from != size || inner.extent % 2 || !fits(2 * size)) break;
    size *= 2;
    inner = {inner.extent / 2, size, size};
  }
  job.to_type = job.from_type = plain_element(uint32_t(size));
  if (!job.axes.empty() && job.axes.back().extent == 1) job.axes.pop_back();
}

// Runs the two halves of a job, divided along its longest axis.
template <class F> void halve(const Job& job, F&& run) {
  size_t longest = 0;
  for (size_t i = 1; i < job.axes.size(); i++)
    if (job.axes[i].extent > job.axes[longest].extent) longest = i;
  const int64_t extent = job.axes[longest].extent;
  int64_t first = extent / 2;
  if (first > 4096) first -= first % 4096;  // keeps the second half aligned
  Job part = job;
  part.axes[longest].extent = first;
  run(part);
  part.axes[longest].extent = extent - first;
  part.to += first * job.axes[longest].to;
  part.from += first * job.axes[longest].from;
  run(part);
}

// Runs one job per index of the outermost axis.
template <class F> void peel(const Job& job, F&& run) {
  Job part = job;
  part.axes.erase(part.axes.begin());
  for (int64_t i = 0; i < job.axes[0].extent; i++) {
    run(part);
    part.to += job.axes[0].to;
    part.from += job.axes[0].from;
  }
}

bool long_axis(const Job& job) {
  return std::any_of(job.axes.begin(), job.axes.end(), [](const CopyAxis& a) { return a.extent > kMaxCount; });
}

// ---- Loops over elements: copies, fills and scaling ----

// The largest vector of 2^n elements of `size` bytes that alignment on one side allows.
int64_t vector_limit(const Job& job, bool destination, int64_t size, int64_t most) {
  auto fits = [&](int64_t bytes) {
    if (destination ? !aligned(job.to, bytes) : !aligned(job.from, bytes)) return false;
    for (size_t i = 0; i + 1 < job.axes.size(); i++)
      if ((destination ? job.axes[i].to : job.axes[i].from) % bytes) return false;
    return true;
  };
  int64_t count = most;
  while (count > 1 && !fits(count * size)) count /= 2;
  return count;
}

struct Prepared {
  Loop loop;
  int64_t vector = 1;
  int64_t blocks = 0;
  uint16_t rank_class = 0;  // the template argument: 0 means any rank
};

// False: the job must be halved first.
bool prepare(const Job& job, int64_t vector, Prepared& out) {
  if (long_axis(job)) return false;
  Loop& loop = out.loop;
  out.vector = vector;
  loop.to = job.to;
  loop.from = job.from;
  const CopyAxis inner = job.axes.empty() ? CopyAxis{1, job.to_bytes(), job.from_bytes()} : job.axes.back();
  loop.inner = uint32_t(inner.extent);
  loop.step = inner.from;
  const size_t rank = std::max<size_t>(job.axes.size(), 1);
  loop.rank = uint32_t(rank);
  out.rank_class = rank <= 4 ? uint16_t(rank) : 0;
  int64_t count = (inner.extent + vector - 1) / vector;
  loop.axes[0] = make_axis(count, vector * inner.to, vector * inner.from);
  for (size_t i = 1; i < rank; i++) {
    const CopyAxis& axis = job.axes[rank - 1 - i];
    loop.axes[i] = make_axis(axis.extent, axis.to, axis.from);
    if (count > kMaxCount / axis.extent) return false;
    count *= axis.extent;
  }
  loop.count = uint32_t(count);
  const int64_t per_block = kThreads * kPerThread;
  out.blocks = (count + per_block - 1) / per_block;
  return true;
}

int64_t power_of_two_within(int64_t n) { return int64_t(std::bit_floor(uint64_t(n))); }

void run_elements(CudaDevice& device, const Job& job, Stream& stream) {
  if (job.axes.size() > kMaxAxes) return peel(job, [&](const Job& part) { run_elements(device, part, stream); });
  int64_t vector = 1;
  bool vector_load = false;
  if (!job.axes.empty() && job.axes.back().to == job.to_bytes()) {
    const CopyAxis& inner = job.axes.back();
    const int64_t most =
        std::min<int64_t>({16 / std::max(job.to_bytes(), job.from_bytes()), 8, power_of_two_within(inner.extent)});
    vector = vector_limit(job, true, job.to_bytes(), most);
    vector_load = inner.from == job.from_bytes() && vector_limit(job, false, job.from_bytes(), vector) == vector;
  }
  Prepared p;
  if (!prepare(job, vector, p)) return halve(job, [&](const Job& part) { run_elements(device, part, stream); });
  p.loop.vector_load = vector_load;
  launch<Template::elements>(device, {job.to_type, job.from_type, uint16_t(vector), p.rank_class}, {p.blocks}, stream,
                             p.loop);
}

// ---- Rows of bytes ----

bool run_rows(CudaDevice& device, const Job& job, Stream& stream) {
  const CopyAxis& inner = job.axes.back();
  const int64_t bytes = inner.extent * job.to_bytes();
  if (job.axes.size() > kMaxAxes || bytes < kRowBytes) return false;
  if (long_axis(job) || bytes / 16 > kMaxCount) return false;
  Rows rows;
  rows.to = job.to;
  rows.from = job.from;
  rows.low = job.from;
  rows.high = job.from + bytes;
  rows.bytes = uint64_t(bytes);
  bool even = aligned(job.to, 16);
  int64_t count = 1;
  for (size_t i = 0; i + 1 < job.axes.size(); i++) {
    const CopyAxis& axis = job.axes[i];
    rows.axes[job.axes.size() - 2 - i] = make_axis(axis.extent, axis.to, axis.from);
    (axis.from < 0 ? rows.low : rows.high) += (axis.extent - 1) * axis.from;
    even &= axis.to % 16 == 0;
    count *= axis.extent;
    if (count > kMaxCount) return false;
  }
  const int64_t chunks = even ? (bytes + 15) / 16 : (bytes + 30) / 16;
  if (count > kMaxCount / chunks) return false;
  rows.chunks = make_axis(chunks, 0, 0);
  rows.rank = uint32_t(job.axes.size() - 1);
  rows.count = uint32_t(count * chunks);
  launch<Template::rows>(device, {}, {(rows.count + int64_t(kThreads) - 1) / kThreads}, stream, rows);
  return true;
}

// ---- Transposition ----

// The axes of a job by their role in the tiles: x is contiguous in the destination, y in the source, each one axis or
// several that are contiguous with each other (innermost first); the rest is a batch (outermost first).
struct Roles {
  std::vector<CopyAxis> x, y, batch;
  int64_t nx = 1, ny = 1;
};

constexpr int64_t kLongRun = 64;  // in elements: longer runs need no further axis

bool grow_x(Roles& r) {
  if (r.nx >= kLongRun || r.x.size() == kMaxLevels) return false;
  for (size_t i = r.batch.size(); i-- > 0;) {
    if (r.batch[i].to != r.nx * r.x[0].to || r.batch[i].extent > kMaxCount / r.nx) continue;
    r.nx *= r.batch[i].extent;
    r.x.push_back(r.batch[i]);
    r.batch.erase(r.batch.begin() + int64_t(i));
    return true;
  }
  return false;
}

bool grow_y(Roles& r) {
  if (r.ny >= kLongRun || r.y.size() == kMaxLevels) return false;
  for (size_t i = r.batch.size(); i-- > 0;) {
    if (r.batch[i].from != r.ny * r.y[0].from || r.batch[i].extent > kMaxCount / r.ny) continue;
    r.ny *= r.batch[i].extent;
    r.y.push_back(r.batch[i]);
    r.batch.erase(r.batch.begin() + int64_t(i));
    return true;
  }
  return false;
}

// False: the same axis is contiguous on both sides, or its stride on one side is 0.
bool assign_roles(const Job& job, Roles& r) {
  const size_t rank = job.axes.size();
  if (rank < 2 || job.axes.back().from == 0) return false;
  size_t fastest = rank;
  for (size_t i = 0; i < rank; i++) {
    if (job.axes[i].from == 0) continue;
    if (fastest == rank || std::abs(job.axes[i].from) <= std::abs(job.axes[fastest].from)) fastest = i;
  }
  if (fastest == rank - 1) return false;
  r.x = {job.axes.back()};
  r.y = {job.axes[fastest]};
  r.nx = r.x[0].extent;
  r.ny = r.y[0].extent;
  r.batch = job.axes;
  r.batch.pop_back();
  r.batch.erase(r.batch.begin() + int64_t(fastest));
  while (r.nx < r.ny ? grow_x(r) || grow_y(r) : grow_y(r) || grow_x(r)) {
  }
  return true;
}

struct TileShape {
  uint16_t k, x, y;
};

double use_of(const TileShape& tile, int64_t nx, int64_t ny) {
  auto part = [](int64_t n, int64_t t) { return double(n) / double((n + t - 1) / t * t); };
  return part(nx, tile.x) * part(ny, tile.y);
}

// The number of elements that a thread may move at once: a power of two, determined by alignment.
uint16_t tile_vector(const Job& job, const Roles& r) {
  const int64_t to = job.to_bytes(), from = job.from_bytes(), size = std::max(to, from);
  if (r.x[0].to != to || r.y[0].from != from) return 1;
  auto to_fits = [](const std::vector<CopyAxis>& axes, int64_t bytes) {
    return std::all_of(axes.begin(), axes.end(), [&](const CopyAxis& a) { return a.to % bytes == 0; });
  };
  auto from_fits = [](const std::vector<CopyAxis>& axes, int64_t bytes) {
    return std::all_of(axes.begin(), axes.end(), [&](const CopyAxis& a) { return a.from % bytes == 0; });
  };
  uint16_t k = uint16_t(16 / size);
  while (k > 1 && !(aligned(job.to, k * to) && aligned(job.from, k * from) && to_fits(r.y, k * to) &&
                    to_fits(r.batch, k * to) && from_fits(r.x, k * from) && from_fits(r.batch, k * from)))
    k /= 2;
  return k;
}

// The best tile; k == 0: none fits well.
TileShape choose_tile(const Job& job, const Roles& r) {
  const int64_t size = std::max(job.to_bytes(), job.from_bytes());
  const uint16_t square = size <= 2 ? 128 : size == 4 ? 64 : 32;
  const uint16_t shorter = size == 16 ? 4 : size == 8 ? 2 : 1;  // limited by shared memory
  const uint16_t k = tile_vector(job, r);
  TileShape best{std::min<uint16_t>(k, 8), square, square};
  double most = use_of(best, r.nx, r.ny);
  if (k == 16 && use_of({16, 256, 256}, r.nx, r.ny) > 0.9 * most) return {16, 256, 256};
  for (uint16_t narrow : {4, 16}) {
    const uint16_t wide = uint16_t(4096 / narrow / shorter);
    for (TileShape tile : {TileShape{1, narrow, wide}, TileShape{1, wide, narrow}}) {
      const double use = use_of(tile, r.nx, r.ny);
      if (use > 1.5 * most) {
        best = tile;
        most = use;
      }
    }
  }
  if (most < 0.2) best.k = 0;
  return best;
}

// Would rows of the destination start in the middle of a 32-byte sector?
bool unaligned_rows(const Job& job, const Roles& r) {
  auto off = [](const std::vector<CopyAxis>& axes) {
    return std::any_of(axes.begin(), axes.end(), [](const CopyAxis& a) { return a.to % 32 != 0; });
  };
  return !aligned(job.to, 32) || off(r.y) || off(r.batch);
}

// False: another kernel is faster.
bool run_tiles(CudaDevice& device, const Job& job, Stream& stream) {
  if (job.axes.size() > kMaxAxes || long_axis(job)) return false;
  Roles r;
  if (!assign_roles(job, r)) return false;
  TileShape tile = choose_tile(job, r);
  if (tile.k == 0) return false;
  const bool nested = r.x.size() > 1 || r.y.size() > 1;
  const int64_t to_size = job.to_bytes();
  const bool shifted =
      tile.k == 1 && tile.x == tile.y && to_size < 16 && r.x[0].to == to_size && unaligned_rows(job, r);
  const int64_t more = shifted ? 32 / to_size : 0;  // in columns
  if (shifted && to_size == 8) tile.y = 64;         // for whole rounds of threads

  Tiles p;
  p.to = job.to;
  p.from = job.from;
  p.to_x = r.x[0].to;
  p.to_y = r.y[0].to;
  p.from_x = r.x[0].from;
  p.from_y = r.y[0].from;
  p.nx = uint32_t(r.nx);
  p.ny = uint32_t(r.ny);
  const int64_t tiles_x = (r.nx + tile.x - 1 + (shifted ? more - 1 : 0)) / tile.x,
                tiles_y = (r.ny + tile.y - 1) / tile.y;
  if (tiles_x >= 1 << 26 || tiles_x > kMaxCount / tiles_y) return false;
  p.tiles_x = uint32_t(tiles_x);
  p.tiles_y = uint32_t(tiles_y);
  p.plane = make_axis(tiles_x * tiles_y, 0, 0);
  p.rank_x = uint32_t(r.x.size());
  p.rank_y = uint32_t(r.y.size());
  for (size_t i = 0; i < r.x.size(); i++) p.x[i] = make_axis(r.x[i].extent, r.x[i].to, r.x[i].from);
  for (size_t i = 0; i < r.y.size(); i++) p.y[i] = make_axis(r.y[i].extent, r.y[i].to, r.y[i].from);
  p.rank = uint32_t(r.batch.size());
  int64_t count = tiles_x * tiles_y;
  for (size_t i = 0; i < r.batch.size(); i++) {
    p.axes[r.batch.size() - 1 - i] = make_axis(r.batch[i].extent, r.batch[i].to, r.batch[i].from);
    if (count > kMaxCount / r.batch[i].extent) return false;
    count *= r.batch[i].extent;
  }
  const int64_t shared_bytes = tile.y * ((tile.x + more) * to_size + std::max<int64_t>(tile.k * to_size, 4));
  const InstanceKey variant{job.to_type, job.from_type, tile.k, tile.x, tile.y, nested};
  if (shifted) launch<Template::shifted_tiles>(device, variant, {count, shared_bytes}, stream, p);
  else launch<Template::tiles>(device, variant, {count, shared_bytes}, stream, p);
  return true;
}

// ---- Pixels and planes ----

constexpr int64_t kMostPlanes = 8;
constexpr int64_t kManyPixels = 256;

// Small elements, C at a time on one side and in C planes on the other, mostly colour images. False: the job is
// different.
bool run_planes(CudaDevice& device, const Job& job, Stream& stream) {
  const int64_t size = job.to_bytes();
  if (job.to_type != job.from_type || size > 4 || job.axes.size() < 2 || job.axes.size() - 2 > kMaxAxes) return false;
  const CopyAxis inner = job.axes.back();
  if (inner.to != size) return false;
  size_t other = 0;
  bool split = false, found = false;
  for (size_t i = 0; i + 1 < job.axes.size() && !found; i++) {
    const CopyAxis& a = job.axes[i];
    other = i;
    split = a.from == size && inner.from == a.extent * size && a.extent <= kMostPlanes && inner.extent >= kManyPixels;
    const bool join =
        a.from == size && a.to == inner.extent * size && inner.extent <= kMostPlanes && a.extent >= kManyPixels;
    found = split || join;
  }
  if (!found) return false;
  const CopyAxis& pixels = split ? inner : job.axes[other];
  const CopyAxis& planes = split ? job.axes[other] : inner;
  if (pixels.extent > kMaxCount) return false;
  Planes p;
  p.to = job.to;
  p.from = job.from;
  p.step = split ? planes.to : planes.from;
  p.count = uint32_t(pixels.extent);
  bool wide = split ? aligned(job.from, 16) : aligned(job.to, 16);
  bool words = (split ? aligned(job.to, 4) : aligned(job.from, 4)) && p.step % 4 == 0;
  const int64_t chunks = (pixels.extent * size + 4095) / 4096;
  p.chunks = make_axis(chunks, 0, 0);
  p.rank = 0;
  int64_t count = chunks;
  for (size_t i = job.axes.size() - 1; i-- > 0;) {
    if (i == other) continue;
    const CopyAxis& a = job.axes[i];
    p.axes[p.rank++] = make_axis(a.extent, a.to, a.from);
    wide &= (split ? a.from : a.to) % 16 == 0;
    words &= (split ? a.to : a.from) % 4 == 0;
    if (count > kMaxCount / a.extent) return false;
    count *= a.extent;
  }
  p.wide = wide;
  p.words = words;
  const InstanceKey variant{job.to_type, {}, uint16_t(planes.extent)};
  if (split) launch<Template::split>(device, variant, {count}, stream, p);
  else launch<Template::join>(device, variant, {count}, stream, p);
  return true;
}

// ---- The choice ----

void run_strided(CudaDevice& device, const Job& job, Stream& stream) {
  if (long_axis(job)) return halve(job, [&](const Job& part) { run_strided(device, part, stream); });
  const int64_t size = job.to_bytes();
  const CopyAxis& inner = job.axes.empty() ? CopyAxis{1, 0, 0} : job.axes.back();
  if (job.to_type == job.from_type && size < 16 && inner.to == size && inner.from == size &&
      run_rows(device, job, stream))
    return;
  if (run_planes(device, job, stream) || run_tiles(device, job, stream)) return;
  run_elements(device, job, stream);
}

void run(CudaDevice& device, Job job, Stream& stream);

// Runs the job by way of packed memory for its source or its destination: complex numbers may be aligned to half their
// size only, and kernels that read or write whole numbers cannot use them.
void run_aligned(CudaDevice& device, const Job& job, bool destination, Stream& stream) {
  const int64_t size = destination ? job.to_bytes() : job.from_bytes();
  int64_t bytes = size;
  Job outside = job, inside = job;  // between there and packed memory; all else
  for (size_t i = job.axes.size(); i-- > 0; bytes *= job.axes[i].extent) {
    inside.axes[i].*(destination ? &CopyAxis::to : &CopyAxis::from) = bytes;
    outside.axes[i].*(destination ? &CopyAxis::from : &CopyAxis::to) = bytes;
  }
  Scratch memory(device, uint64_t(bytes), stream);
  outside.to_type = outside.from_type = plain_element(uint32_t(size));
  if (destination) {
    outside.from = inside.to = static_cast<char*>(memory.data());
    run(device, inside, stream);
    run(device, outside, stream);
  } else {
    inside.from = outside.to = static_cast<char*>(memory.data());
    run(device, outside, stream);
    run(device, inside, stream);
  }
}

void run(CudaDevice& device, Job job, Stream& stream) {
  const bool same = job.to_type == job.from_type;
  normalise(job);
  if (same) {
    widen(job);
    const int64_t size = job.to_bytes();
    if (job.axes.empty() || (job.axes.size() == 1 && job.axes[0].to == size && job.axes[0].from == size)) {
      const int64_t count = job.axes.empty() ? 1 : job.axes[0].extent;
      auto scope = device.activate();
      device.check(
          device.driver().cuMemcpyAsync(address(job.to), address(job.from), size_t(count * size), handle_of(stream)),
          "cuMemcpyAsync");
      return;
    }
  } else {
    for (const bool destination : {false, true})
      if (!(destination ? aligned(job.to, job.to_bytes()) : aligned(job.from, job.from_bytes())))
        return run_aligned(device, job, destination, stream);
  }
  run_strided(device, job, stream);
}

Job job_of(const CopyProblem& problem, Element to, Element from) {
  return {static_cast<char*>(problem.to), static_cast<const char*>(problem.from), to, from, problem.axes};
}

// The shortest pattern of which a value is a repetition: the driver can set memory to 4-byte patterns.
uint32_t shortest_pattern(const unsigned char* value, uint32_t bytes) {
  while (bytes > 1 && std::memcmp(value, value + bytes / 2, bytes / 2) == 0) bytes /= 2;
  return bytes;
}

bool set_memory(CudaDevice& device, char* to, int64_t bytes, const unsigned char* value, uint32_t pattern,
                Stream& stream) {
  const Driver& driver = device.driver();
  auto scope = device.activate();
  uint32_t word = 0;
  for (uint32_t i = 0; i < 4; i++) word |= uint32_t(value[i % pattern]) << (8 * i);
  if (pattern <= 4 && aligned(to, 4) && bytes % 4 == 0)
    device.check(driver.cuMemsetD32Async(address(to), word, size_t(bytes / 4), handle_of(stream)), "cuMemsetD32Async");
  else if (pattern == 1)
    device.check(driver.cuMemsetD8Async(address(to), value[0], size_t(bytes), handle_of(stream)), "cuMemsetD8Async");
  else if (pattern == 2)
    device.check(driver.cuMemsetD16Async(address(to), uint16_t(word), size_t(bytes / 2), handle_of(stream)),
                 "cuMemsetD16Async");
  else return false;
  return true;
}

void run_fill(CudaDevice& device, const Job& job, const unsigned char* value, Stream& stream) {
  if (job.axes.size() > kMaxAxes) return peel(job, [&](const Job& part) { run_fill(device, part, value, stream); });
  int64_t vector = 1;
  if (!job.axes.empty() && job.axes.back().to == job.to_bytes()) {
    const int64_t most = std::min<int64_t>(16 / job.to_bytes(), power_of_two_within(job.axes.back().extent));
    vector = vector_limit(job, true, job.to_bytes(), most);
  }
  Prepared p;
  if (!prepare(job, vector, p)) return halve(job, [&](const Job& part) { run_fill(device, part, value, stream); });
  work::Value element;
  std::memcpy(element.bytes, value, 16);
  launch<Template::fill>(device, {job.to_type, {}, uint16_t(vector), p.rank_class}, {p.blocks}, stream, p.loop,
                         element);
}

void run_scale(CudaDevice& device, const Job& job, double factor, Stream& stream) {
  if (job.axes.size() > kMaxAxes) return peel(job, [&](const Job& part) { run_scale(device, part, factor, stream); });
  int64_t vector = 1;
  if (!job.axes.empty() && job.axes.back().to == job.to_bytes() && job.axes.back().extent > 1)
    vector = vector_limit(job, true, job.to_bytes(), 16 / job.to_bytes());
  Prepared p;
  if (!prepare(job, vector, p)) return halve(job, [&](const Job& part) { run_scale(device, part, factor, stream); });
  launch<Template::scale>(device, {job.to_type, {}, uint16_t(vector), p.rank_class}, {p.blocks}, stream, p.loop,
                          factor);
}

}  // namespace

void run(CudaDevice& device, const CopyProblem& problem, Stream& stream) {
  if (problem.to_dtype == problem.from_dtype) {
    const Element element = plain_element(problem.element_bytes);
    run(device, job_of(problem, element, element), stream);
  } else {
    run(device, job_of(problem, element_of(problem.to_dtype), element_of(problem.from_dtype)), stream);
  }
}

void run(CudaDevice& device, const FillProblem& problem, Stream& stream) {
  Job job{static_cast<char*>(problem.to), static_cast<const char*>(problem.to), plain_element(problem.element_bytes),
          plain_element(problem.element_bytes), problem.axes};
  for (CopyAxis& axis : job.axes) axis.from = axis.to;
  normalise(job);
  const int64_t size = job.to_bytes();
  if (job.axes.empty() || (job.axes.size() == 1 && job.axes[0].to == size)) {
    const int64_t count = job.axes.empty() ? 1 : job.axes[0].extent;
    if (set_memory(device, job.to, count * size, problem.value, shortest_pattern(problem.value, problem.element_bytes),
                   stream))
      return;
  }
  if (!aligned(job.to, size)) {  // complex numbers: their parts are aligned
    FillProblem part = problem;
    part.element_bytes /= 2;
    run(device, part, stream);
    part.to = static_cast<char*>(problem.to) + part.element_bytes;
    std::copy_n(problem.value + part.element_bytes, part.element_bytes, part.value);
    return run(device, part, stream);
  }
  run_fill(device, job, problem.value, stream);
}

void copy_conjugated(CudaDevice& device, const CopyProblem& problem, Stream& stream) {
  const bool single = problem.to_dtype == TENON_COMPLEX64;
  run(device, job_of(problem, single ? Element::c64 : Element::c128, single ? Element::j64 : Element::j128), stream);
}

void scale_complex(CudaDevice& device, void* data, Dtype dtype, const std::vector<CopyAxis>& axes, double factor,
                   Stream& stream) {
  const Element element = element_of(dtype);
  Job job{static_cast<char*>(data), static_cast<const char*>(data), element, element, axes};
  for (CopyAxis& axis : job.axes) axis.from = axis.to;
  normalise(job);
  run_scale(device, job, factor, stream);
}

}  // namespace tenon::cuda
