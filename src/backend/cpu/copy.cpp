// backend/cpu/copy.cpp: strided copy, conversion and fill at memory speed.
//
// Every problem is divided into planes of two axes: columns, along which the destination's stride is smallest, and
// rows. If the source's stride is smallest along another axis, that axis becomes the rows, and the plane is processed
// in square tiles, so that both sides use whole cache lines. The tiles of all planes are numbered consecutively and
// distributed over the pool.
#include <algorithm>
#include <bit>
#include <cstring>
#include "backend/cpu/copy_loops.hpp"
#include "backend/cpu/host.hpp"
#include "backend/cpu/operations.hpp"
#include "backend/cpu/target.hpp"
#include "base/parallel.hpp"
#include "core/error.hpp"

namespace tenon::cpu {

const CopyLoops& loops() {
  static const CopyLoops& chosen = [&]() -> const CopyLoops& {
#if TENON_VECTORS
    if (vector_level() >= 4) return copy_loops_v4;
    if (vector_level() == 3) return copy_loops_v3;
#endif
    return copy_loops_base;
  }();
  return chosen;
}

int element_type(Dtype dtype) {
  switch (dtype) {
    case TENON_BOOL: return kBool;
    case TENON_INT8: return kI8;
    case TENON_INT16: return kI16;
    case TENON_INT32: return kI32;
    case TENON_INT64: return kI64;
    case TENON_UINT8: return kU8;
    case TENON_UINT16: return kU16;
    case TENON_UINT32: return kU32;
    case TENON_UINT64: return kU64;
    case TENON_FLOAT16: return kF16;
    case TENON_BFLOAT16: return kBf16;
    case TENON_FLOAT32: return kF32;
    case TENON_FLOAT64: return kF64;
    case TENON_COMPLEX64: return kC64;
    case TENON_COMPLEX128: return kC128;
    default: fail(TENON_ERROR_INTERNAL, "0x%x is not a dtype that the CPU device can compute with", dtype);
  }
}

namespace {

constexpr int64_t kCopyPiece = 256 << 10;  // bytes that make a piece worth another thread
constexpr int64_t kChunk = 512;            // elements converted at a time in a buffer on the stack
constexpr int64_t kTileRows = 512;  // tiles of source and destination with different contiguous axes: long runs of
constexpr int64_t kTileCols = 64;   // the source, and whole lines of the destination

// The number of bytes written from which a copy does not fit into the cache, so that writing past it is faster.
int64_t streaming_bytes() {
  static const int64_t bytes = std::max<int64_t>(int64_t(last_level_cache() / 2), 4 << 20);
  return bytes;
}

// One axis of the plane, on the destination's side first.
struct Side {
  int64_t extent = 1, to = 0, from = 0;
};

// A tile: its first element, and its size of rows x cols.
struct Tile {
  char* to;
  const char* from;
  int64_t rows, cols;
};

struct Plan {
  char* to;
  const char* from;
  Side row, col;
  std::vector<CopyAxis> outer;  // outermost first
  int64_t tile_rows = 1, tile_cols = 1;
  int64_t row_tiles = 1, col_tiles = 1, planes = 1;
  bool crossed = false;  // the source's stride is smallest along the rows
  bool streaming = false;
  int64_t to_bytes, from_bytes;  // per element

  int64_t tiles() const { return planes * row_tiles * col_tiles; }
};

// Reverses axes whose stride in the destination is negative.
void straighten(Plan& plan, std::vector<CopyAxis>& axes) {
  for (CopyAxis& axis : axes)
    if (axis.to < 0) {
      plan.to += axis.to * (axis.extent - 1);
      plan.from += axis.from * (axis.extent - 1);
      axis.to = -axis.to;
      axis.from = -axis.from;
    }
}

Side take_axis(std::vector<CopyAxis>& axes, size_t index) {
  const CopyAxis axis = axes[index];
  axes.erase(axes.begin() + std::ptrdiff_t(index));
  return {axis.extent, axis.to, axis.from};
}

size_t closest(const std::vector<CopyAxis>& axes, int64_t CopyAxis::* stride) {
  size_t best = axes.size() - 1;
  for (size_t i = axes.size(); i-- > 0;)
    if (axes[i].*stride != 0 && (axes[best].*stride == 0 || std::abs(axes[i].*stride) < std::abs(axes[best].*stride)))
      best = i;
  return best;
}

// Divides the problem into planes and tiles.
Plan make_plan(void* to, const void* from, int64_t to_bytes, int64_t from_bytes, std::vector<CopyAxis> axes,
               bool reads) {
  Plan plan;
  plan.to = static_cast<char*>(to);
  plan.from = static_cast<const char*>(from);
  plan.to_bytes = to_bytes;
  plan.from_bytes = from_bytes;
  std::erase_if(axes, [](const CopyAxis& axis) { return axis.extent == 1; });
  straighten(plan, axes);
  if (!axes.empty()) plan.col = take_axis(axes, closest(axes, &CopyAxis::to));
  if (!axes.empty()) {
    // A few columns that are contiguous in the source too are better copied like rows.
    const size_t near = closest(axes, &CopyAxis::from);
    plan.crossed =
        reads && plan.col.from != 0 && axes[near].from != 0 && std::abs(axes[near].from) < std::abs(plan.col.from);
    plan.row = take_axis(axes, plan.crossed ? near : closest(axes, &CopyAxis::to));
  }
  plan.outer = std::move(axes);
  for (const CopyAxis& axis : plan.outer) plan.planes *= axis.extent;
  if (plan.crossed) {
    plan.tile_cols = std::min(plan.col.extent, std::max(kTileCols, 256 / to_bytes));
    plan.tile_rows =
        std::min(plan.row.extent, std::max(kTileRows * 8 / std::max<int64_t>(to_bytes, 8), 4096 / plan.tile_cols));
  } else {
    plan.tile_cols = std::min(plan.col.extent, std::max<int64_t>(kCopyPiece / to_bytes, 1));
    plan.tile_rows = std::min(plan.row.extent, std::max<int64_t>(kCopyPiece / to_bytes / plan.tile_cols, 1));
  }
  plan.row_tiles = (plan.row.extent + plan.tile_rows - 1) / plan.tile_rows;
  plan.col_tiles = (plan.col.extent + plan.tile_cols - 1) / plan.tile_cols;
  plan.streaming = plan.planes * plan.row.extent * plan.col.extent * to_bytes >= streaming_bytes();
  return plan;
}

// Iterates over the tiles of a plan, from any starting point.
class CopyWalk {
 public:
  CopyWalk(const Plan& plan, int64_t tile) : plan_(plan), index_(plan.outer.size()) {
    col_ = tile % plan.col_tiles;
    tile /= plan.col_tiles;
    row_ = tile % plan.row_tiles;
    tile /= plan.row_tiles;
    for (size_t i = index_.size(); i-- > 0;) {
      index_[i] = tile % plan.outer[i].extent;
      tile /= plan.outer[i].extent;
      to_ += index_[i] * plan.outer[i].to;
      from_ += index_[i] * plan.outer[i].from;
    }
  }

  Tile tile() const {
    const int64_t r = row_ * plan_.tile_rows, c = col_ * plan_.tile_cols;
    return {plan_.to + to_ + r * plan_.row.to + c * plan_.col.to,
            plan_.from + from_ + r * plan_.row.from + c * plan_.col.from,
            std::min(plan_.tile_rows, plan_.row.extent - r), std::min(plan_.tile_cols, plan_.col.extent - c)};
  }

  void next() {
    if (++col_ < plan_.col_tiles) return;
    col_ = 0;
    if (++row_ < plan_.row_tiles) return;
    row_ = 0;
    for (size_t i = index_.size(); i-- > 0;) {
      const CopyAxis& axis = plan_.outer[i];
      to_ += axis.to;
      from_ += axis.from;
      if (++index_[i] < axis.extent) return;
      to_ -= axis.to * axis.extent;
      from_ -= axis.from * axis.extent;
      index_[i] = 0;
    }
  }

 private:
  const Plan& plan_;
  std::vector<int64_t> index_;
  int64_t row_ = 0, col_ = 0, to_ = 0, from_ = 0;
};

template <class Work> void run_tiles(const Plan& plan, const Work& work) {
  const int64_t bytes = plan.tile_rows * plan.tile_cols * std::max(plan.to_bytes, plan.from_bytes);
  const int64_t tiles = plan.tiles();
  const auto some = [&](int64_t begin, int64_t end) {
    CopyWalk walk(plan, begin);
    for (int64_t i = begin; i < end; ++i, walk.next()) work(walk.tile());
  };
  const int64_t grain = std::max<int64_t>(kCopyPiece / bytes, 1);
  if (tiles <= grain) some(0, tiles);
  else base::parallel_for(tiles, grain, some);
}

// A short memcpy without a function call: rows of a few elements are common (pixels).
inline void copy_row_bytes(char* to, const char* from, int64_t bytes) {
  if (bytes > 64) {
    std::memcpy(to, from, size_t(bytes));
  } else if (bytes >= 16) {
    int64_t i = 0;
    for (; i + 16 <= bytes; i += 16) __builtin_memcpy(to + i, from + i, 16);
    __builtin_memcpy(to + bytes - 16, from + bytes - 16, 16);
  } else if (bytes >= 8) {
    __builtin_memcpy(to, from, 8);
    __builtin_memcpy(to + bytes - 8, from + bytes - 8, 8);
  } else if (bytes >= 4) {
    __builtin_memcpy(to, from, 4);
    __builtin_memcpy(to + bytes - 4, from + bytes - 4, 4);
  } else {
    for (int64_t i = 0; i < bytes; ++i) to[i] = from[i];
  }
}

void copy_plain(const Plan& plan) {
  const int64_t size = plan.to_bytes;
  const int log = std::countr_zero(uint64_t(size));
  const CopyLoops& l = loops();
  const Side row = plan.row, col = plan.col;
  if (plan.crossed && col.to == size && row.from == size)
    run_tiles(plan,
              [&](const Tile& t) { l.transpose[log](t.to, row.to, t.from, col.from, t.rows, t.cols, plan.streaming); });
  else if (col.to == size && col.from == size)
    run_tiles(plan, [&](const Tile& t) {
      const int64_t bytes = t.cols * size;
      const bool around = plan.streaming && bytes >= 1024;
      for (int64_t r = 0; r < t.rows; ++r)
        if (around) l.stream(t.to + r * row.to, t.from + r * row.from, uint64_t(bytes));
        else copy_row_bytes(t.to + r * row.to, t.from + r * row.from, bytes);
    });
  else if (plan.col.extent < 16 && plan.row.extent >= 16)  // the longer axis is the inner loop
    run_tiles(plan, [&](const Tile& t) {
      for (int64_t c = 0; c < t.cols; ++c)
        l.strided[log](t.to + c * col.to, row.to, t.from + c * col.from, row.from, t.rows);
    });
  else
    run_tiles(plan, [&](const Tile& t) {
      for (int64_t r = 0; r < t.rows; ++r)
        l.strided[log](t.to + r * row.to, col.to, t.from + r * row.from, col.from, t.cols);
    });
}

// For elements of a size that no machine type has, such as three bytes.
void copy_odd(const Plan& plan) {
  run_tiles(plan, [&](const Tile& t) {
    for (int64_t r = 0; r < t.rows; ++r)
      for (int64_t c = 0; c < t.cols; ++c)
        std::memcpy(t.to + r * plan.row.to + c * plan.col.to, t.from + r * plan.row.from + c * plan.col.from,
                    size_t(plan.to_bytes));
  });
}

// Gather, convert, scatter: each is a separate loop over a chunk that stays in the L1 cache, and is left out if the
// elements are contiguous already.
void convert_row(const CopyLoops& l, void (*convert)(void*, const void*, int64_t), const Plan& plan, char* to,
                 const char* from, int64_t from_stride, int64_t count) {
  alignas(64) char gathered[kChunk * 16], converted[kChunk * 16];
  const int to_log = std::countr_zero(uint64_t(plan.to_bytes)), from_log = std::countr_zero(uint64_t(plan.from_bytes));
  const bool to_dense = plan.col.to == plan.to_bytes, from_dense = from_stride == plan.from_bytes;
  if (to_dense && from_dense) return convert(to, from, count);
  for (int64_t i = 0; i < count; i += kChunk) {
    const int64_t n = std::min(kChunk, count - i);
    const char* source = from + i * from_stride;
    if (!from_dense) {
      l.strided[from_log](gathered, plan.from_bytes, source, from_stride, n);
      source = gathered;
    }
    char* destination = to + i * plan.col.to;
    convert(to_dense ? destination : converted, source, n);
    if (!to_dense) l.strided[to_log](destination, plan.col.to, converted, plan.to_bytes, n);
  }
}

void copy_converting(const Plan& plan, Dtype to_dtype, Dtype from_dtype) {
  const CopyLoops& l = loops();
  const auto convert = l.convert[element_type(to_dtype)][element_type(from_dtype)];
  const Side row = plan.row, col = plan.col;
  const int from_log = std::countr_zero(uint64_t(plan.from_bytes));
  if (plan.crossed && row.from == plan.from_bytes && plan.tile_cols <= kChunk)
    run_tiles(plan, [&](const Tile& t) {
      alignas(64) char transposed[16 * kChunk * 16];  // up to 16 rows of a tile at a time
      for (int64_t r = 0; r < t.rows; r += 16) {
        const int64_t rows = std::min<int64_t>(16, t.rows - r), pitch = t.cols * plan.from_bytes;
        l.transpose[from_log](transposed, pitch, t.from + r * row.from, col.from, rows, t.cols, false);
        for (int64_t i = 0; i < rows; ++i)
          convert_row(l, convert, plan, t.to + (r + i) * row.to, transposed + i * pitch, plan.from_bytes, t.cols);
      }
    });
  else
    run_tiles(plan, [&](const Tile& t) {
      for (int64_t r = 0; r < t.rows; ++r)
        convert_row(l, convert, plan, t.to + r * row.to, t.from + r * row.from, col.from, t.cols);
    });
}

}  // namespace

void copy_bytes(void* to, const void* from, uint64_t bytes) {
  char* d = static_cast<char*>(to);
  const char* s = static_cast<const char*>(from);
  const bool around = int64_t(bytes) >= streaming_bytes();
  if (int64_t(bytes) <= kCopyPiece) {
    if (bytes) std::memcpy(d, s, bytes);
    return;
  }
  base::parallel_for(int64_t((bytes + 63) / 64), kCopyPiece / 64, [&](int64_t begin, int64_t end) {
    const uint64_t first = uint64_t(begin) * 64, count = std::min(uint64_t(end) * 64, bytes) - first;
    if (around) loops().stream(d + first, s + first, count);
    else std::memcpy(d + first, s + first, count);
  });
}

void run(const CopyProblem& problem) {
  const bool plain = problem.to_dtype == problem.from_dtype;
  const int64_t to_bytes = problem.element_bytes, from_bytes = plain ? to_bytes : dtype_bytes(problem.from_dtype);
  const Plan plan = make_plan(problem.to, problem.from, to_bytes, from_bytes, problem.axes, true);
  if (!plain) return copy_converting(plan, problem.to_dtype, problem.from_dtype);
  if (plan.planes == 1 && plan.row.extent == 1 && plan.col.from == to_bytes && plan.col.to == to_bytes)
    return copy_bytes(plan.to, plan.from, uint64_t(plan.col.extent * to_bytes));
  if (std::has_single_bit(uint64_t(to_bytes)) && to_bytes <= 16) copy_plain(plan);
  else copy_odd(plan);
}

void run(const FillProblem& problem) {
  const int64_t size = problem.element_bytes;
  std::vector<CopyAxis> axes = problem.axes;
  for (CopyAxis& axis : axes) axis.from = 0;
  const Plan plan = make_plan(problem.to, problem.value, size, size, std::move(axes), false);
  const CopyLoops& l = loops();
  alignas(64) unsigned char pattern[64];
  for (int64_t i = 0; i < 64; ++i) pattern[i] = problem.value[i % size];
  const char* value = reinterpret_cast<const char*>(problem.value);
  const int log = std::countr_zero(uint64_t(size));
  run_tiles(plan, [&](const Tile& t) {
    for (int64_t r = 0; r < t.rows; ++r) {
      char* to = t.to + r * plan.row.to;
      if (plan.col.to == size || plan.col.extent == 1) l.fill(to, pattern, uint64_t(t.cols * size));
      else l.strided[log](to, plan.col.to, value, 0, t.cols);
    }
  });
}

}  // namespace tenon::cpu
