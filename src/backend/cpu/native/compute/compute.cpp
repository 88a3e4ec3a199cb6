// backend/cpu/native/compute/compute.cpp: elementwise functions, reductions and scans by the instances of
// compute_loops.cpp.
//
// Every operand is converted to the dtype of the computation in blocks of a few hundred elements, which stay in the L1
// cache; operands that already have that dtype are read in place. The pieces for the pool depend only on the shape, so
// results do not depend on the number of threads.
#include <tenon/functions.h>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include "backend/cpu/native/compute/compute_loops.hpp"
#include "backend/cpu/native/native.hpp"
#include "backend/cpu/operations.hpp"
#include "backend/cpu/target.hpp"
#include "base/parallel.hpp"
#include "core/problem/compute.hpp"
#include "core/error.hpp"
#include "functions/table.hpp"

namespace tenon::cpu {
namespace {

constexpr int64_t kBlock = 512;      // elements that are converted at a time
constexpr int64_t kFolded = 2048;    // elements that are reduced at a time where they lie
constexpr int64_t kPiece = 1 << 15;  // elements that make a piece worth another thread

struct Instances {
  const ComputeRow* row[kFunctionCodes][kElementTypes] = {};

  void add(const ComputeRows& rows) {
    for (int32_t i = 0; i < rows.count; ++i) row[rows.rows[i].code][rows.rows[i].type] = &rows.rows[i];
  }
};

const Instances& instances() {
  static const Instances* const all = [] {
    auto* out = new Instances;
    out->add(compute_rows_plain);
    out->add(compute_rows_base);
#if TENON_VECTORS
    if (vector_level() >= 3) out->add(vector_level() >= 4 ? compute_rows_v4 : compute_rows_v3);
#endif
    return out;
  }();
  return *all;
}

const ComputeRow& instance(int32_t function, Dtype dtype) {
  const ComputeRow* row = instances().row[function][element_type(dtype)];
  TENON_REQUIRE(row, TENON_ERROR_INTERNAL, "the CPU device has no instance of function %d for %s", function,
                dtype_name(dtype).c_str());
  return *row;
}

int log2_of(int64_t bytes) { return bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : bytes == 8 ? 3 : 4; }

// Reads `count` elements of one dtype, `step` bytes apart, as packed elements of another.
class ElementReader {
 public:
  ElementReader(Dtype from, Dtype to)
      : from_(element_type(from)), to_(element_type(to)), from_bytes_(dtype_bytes(from)), to_bytes_(dtype_bytes(to)) {}
  bool converts() const { return from_ != to_; }
  int64_t bytes() const { return to_bytes_; }

  // to must not overlap from, unless both are packed and of the same dtype.
  void read(char* to, const char* from, int64_t step, int64_t count) const {
    if (!converts()) return loops().strided[log2_of(to_bytes_)](to, to_bytes_, from, step, count);
    if (step == from_bytes_) return loops().convert[to_][from_](to, from, count);
    alignas(64) char packed[kBlock * 16];
    for (int64_t done = 0; done < count; done += kBlock) {
      const int64_t n = std::min(kBlock, count - done);
      loops().strided[log2_of(from_bytes_)](packed, from_bytes_, from + done * step, step, n);
      loops().convert[to_][from_](to + done * to_bytes_, packed, n);
    }
  }
  // The same elements where they lie, if they are what read would write; else in `room`.
  const char* packed(char* room, const char* from, int64_t step, int64_t count) const {
    if (!converts() && (step == to_bytes_ || count == 1)) return from;
    read(room, from, step, count);
    return room;
  }
  // The reverse: writes packed elements of `from` as elements of `to`, `step` bytes apart.
  void write(char* to, int64_t step, const char* from, int64_t count) const {
    if (!converts()) return loops().strided[log2_of(to_bytes_)](to, step, from, to_bytes_, count);
    if (step == to_bytes_) return loops().convert[to_][from_](to, from, count);
    alignas(64) char packed[kBlock * 16];
    for (int64_t done = 0; done < count; done += kBlock) {
      const int64_t n = std::min(kBlock, count - done);
      loops().convert[to_][from_](packed, from + done * from_bytes_, n);
      loops().strided[log2_of(to_bytes_)](to + done * step, step, packed, to_bytes_, n);
    }
  }

 private:
  int from_, to_;
  int64_t from_bytes_, to_bytes_;
};

const char* data_of(const ComputeOperand& operand) {
  return operand.data ? static_cast<const char*>(operand.data) : reinterpret_cast<const char*>(operand.number);
}

// Offsets of row `index` of axes [first, last), for each of `count` operands.
template <size_t N> struct LoopWalk {
  const ComputeLoop& loop;
  int32_t first, last;
  int64_t index[kComputeAxes];
  int64_t offset[N];

  LoopWalk(const ComputeLoop& over, int32_t from, int32_t to, int64_t linear)
      : loop(over), first(from), last(to), offset{} {
    for (int32_t d = last - 1; d >= first; --d) {
      index[d] = linear % loop.extent[d];
      linear /= loop.extent[d];
      for (size_t k = 0; k < N; ++k) offset[k] += index[d] * loop.stride[k][d];
    }
  }
  void next() {
    for (int32_t d = last - 1; d >= first; --d) {
      if (++index[d] < loop.extent[d]) {
        for (size_t k = 0; k < N; ++k) offset[k] += loop.stride[k][d];
        return;
      }
      index[d] = 0;
      for (size_t k = 0; k < N; ++k) offset[k] -= (loop.extent[d] - 1) * loop.stride[k][d];
    }
  }
};

int64_t extent_of(const ComputeLoop& loop, int32_t first, int32_t last) {
  int64_t out = 1;
  for (int32_t d = first; d < last; ++d) out *= loop.extent[d];
  return out;
}

// --- elementwise ---

// The function for a run along the innermost axis.
class Apply {
 public:
  explicit Apply(const ElementwiseProblem& p)
      : loop_(instance(p.function, p.compute).apply),
        is_long_(instance(p.function, p.compute).is_long),
        operands_(p.operands),
        write_(p.result, p.operand[0].dtype),
        read_{ElementReader(p.result, p.result), reader(p, 1), reader(p, 2), reader(p, 3)},
        result_bytes_(dtype_bytes(p.result)) {
    for (int32_t k = 1; k < operands_; ++k) converts_ = converts_ || read_[k].converts();
    converts_ = converts_ || write_.converts();
  }

  // Up to this length, packing rows takes less time than what begins and ends a loop over each.
  int64_t short_row() const { return is_long_ || converts_ ? 32 : 8; }

  void run(char* const* at, const int64_t* step, int64_t count) const {
    if (!converts_) return loop_(at, step, count);
    alignas(64) char room[kComputeOperands][kBlock * 16];
    for (int64_t done = 0; done < count; done += kBlock) {
      const int64_t n = std::min(kBlock, count - done);
      char* p[kComputeOperands];
      int64_t s[kComputeOperands];
      for (int32_t k = 0; k < operands_; ++k) {
        p[k] = at[k] + done * step[k], s[k] = step[k];
        const bool here = k ? !read_[k].converts() : !write_.converts();
        if (here) continue;
        if (k) read_[k].read(room[k], p[k], s[k], s[k] ? n : 1);
        p[k] = room[k], s[k] = k == 0 ? result_bytes_ : s[k] ? read_[k].bytes() : 0;
      }
      loop_(p, s, n);
      if (write_.converts()) write_.write(at[0] + done * step[0], step[0], room[0], n);
    }
  }

 private:
  static ElementReader reader(const ElementwiseProblem& p, int32_t k) {
    if (k >= p.operands) return ElementReader(p.compute, p.compute);
    return ElementReader(p.operand[k].dtype,
                         p.function == functions::kSelect && k == 1 ? Dtype(TENON_BOOL) : p.compute);
  }
  ApplyLoop loop_;
  bool is_long_;
  int32_t operands_;
  ElementReader write_, read_[kComputeOperands];
  int64_t result_bytes_;
  bool converts_ = false;
};

// An operand whose stride is smallest along the axis above the innermost is processed in squares, so that its cache
// lines are used while they are in the cache.
bool crossed(const ElementwiseProblem& p) {
  const ComputeLoop& loop = p.loop;
  if (loop.rank < 2 || loop.extent[loop.rank - 2] < 8) return false;
  for (int32_t k = 1; k < p.operands; ++k) {
    const int64_t inner = std::abs(loop.stride[k][loop.rank - 1]), above = std::abs(loop.stride[k][loop.rank - 2]);
    if (p.operand[k].data && above && inner > 4 * above && inner >= 64) return true;
  }
  return false;
}

void apply_pieces(const ElementwiseProblem& p, int64_t rows, int64_t inner, int64_t piece, const Apply& apply,
                  bool squares) {
  const ComputeLoop& loop = p.loop;
  const int64_t pieces = (inner + piece - 1) / piece, tall = squares ? 64 : 1;
  const int64_t last_extent = squares ? loop.extent[loop.rank - 2] : 1, bands = (last_extent + tall - 1) / tall;
  const int64_t outer = rows / last_extent;
  const int32_t axes = std::max(0, squares ? loop.rank - 2 : loop.rank - 1);
  const int32_t along = loop.rank - 1;
  const int64_t grain = std::max<int64_t>(1, kPiece / (piece * tall));
  base::parallel_for(outer * bands * pieces, grain, [&](int64_t begin, int64_t end) {
    LoopWalk<kComputeOperands> walk(loop, 0, axes, begin / (bands * pieces));
    for (int64_t unit = begin; unit < end; ++unit) {
      const int64_t part = unit % pieces, band = unit / pieces % bands;
      const int64_t first = part * piece, count = std::min(piece, inner - first);
      const int64_t top = band * tall, bottom = std::min(last_extent, top + tall);
      for (int64_t row = top; row < bottom; ++row) {
        char* at[kComputeOperands];
        int64_t step[kComputeOperands];
        for (int32_t k = 0; k < p.operands; ++k) {
          const bool real = p.operand[k].data != nullptr;
          step[k] = real && loop.rank ? loop.stride[k][along] : 0;
          at[k] = const_cast<char*>(data_of(p.operand[k]));
          if (real) at[k] += walk.offset[k] + first * step[k] + (squares ? row * loop.stride[k][loop.rank - 2] : 0);
        }
        apply.run(at, step, count);
      }
      if (part + 1 == pieces && band + 1 == bands) walk.next();
    }
  });
}

}  // namespace

namespace {

// Moves `rows` rows of `count` elements; steps are in bytes.
struct RowSteps {
  int64_t row, element;
};
template <class U>
void move_rows(char* to, RowSteps to_step, const char* from, RowSteps from_step, int64_t count, int64_t rows) {
  const auto move = [&](auto n) {
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t i = 0; i < n; ++i)
        std::memcpy(to + r * to_step.row + i * to_step.element, from + r * from_step.row + i * from_step.element,
                    sizeof(U));
  };
  if (count == 3) move(std::integral_constant<int64_t, 3>());  // points and colours are the usual short rows
  else move(count);
}
using MoveRows = void (*)(char*, RowSteps, const char*, RowSteps, int64_t, int64_t);
MoveRows row_mover(int64_t bytes) {
  struct Wide {
    char of[16];
  };
  constexpr MoveRows all[] = {move_rows<uint8_t>, move_rows<uint16_t>, move_rows<uint32_t>, move_rows<uint64_t>,
                              move_rows<Wide>};
  return all[log2_of(bytes)];
}

// How an operand is found in many short rows together.
enum class Place { same, packed, moved };  // one number for all; where it lies, as it is packed; in a packed copy
Place place_of(const ElementwiseProblem& p, int32_t k) {
  if (!p.operand[k].data) return Place::same;
  const int64_t bytes = dtype_bytes(p.operand[k].dtype);
  bool same = true, packed = true;
  for (int64_t d = p.loop.rank - 1, step = bytes; d >= 0; step *= p.loop.extent[d--]) {
    same = same && p.loop.stride[k][d] == 0;
    packed = packed && p.loop.stride[k][d] == step;
  }
  return same ? Place::same : packed ? Place::packed : Place::moved;
}

// Rows too short for a loop of their own: the elements of many become one packed row. Rows lie along the axis above the
// innermost; if that has few, those of several places along the axes above it are taken together.
void apply_short_rows(const ElementwiseProblem& p, int64_t inner, const Apply& apply) {
  const ComputeLoop& loop = p.loop;
  const int32_t last = loop.rank - 1, above = loop.rank - 2;
  const int64_t rows = loop.extent[above], outer = extent_of(loop, 0, above), many = std::min(rows, kBlock / inner);
  const int64_t parts = (rows + many - 1) / many, group = parts > 1 ? 1 : kBlock / (rows * inner);
  Place place[kComputeOperands];
  int64_t bytes[kComputeOperands];
  MoveRows move[kComputeOperands];
  for (int32_t k = 0; k < p.operands; ++k)
    place[k] = place_of(p, k), bytes[k] = dtype_bytes(p.operand[k].dtype), move[k] = row_mover(bytes[k]);
  const auto steps = [&](int32_t k) { return RowSteps{loop.stride[k][above], loop.stride[k][last]}; };
  const int64_t grain = std::max<int64_t>(1, kPiece / (many * inner * group));
  base::parallel_for(((outer + group - 1) / group) * parts, grain, [&](int64_t begin, int64_t end) {
    LoopWalk<kComputeOperands> walk(loop, 0, above, begin / parts * group);
    alignas(64) char room[kComputeOperands][kBlock * 16];
    int64_t to[kBlock];  // offsets in the result
    for (int64_t unit = begin; unit < end; ++unit) {
      const int64_t part = unit % parts, first = part * many, count = std::min(many, rows - first);
      const int64_t place_above = unit / parts * group, places = std::min(group, outer - place_above);
      char* at[kComputeOperands];
      int64_t step[kComputeOperands];
      for (int32_t k = 0; k < p.operands; ++k) {
        char* const data = const_cast<char*>(data_of(p.operand[k]));
        step[k] = place[k] == Place::same ? 0 : bytes[k];
        at[k] = place[k] == Place::moved    ? room[k]
                : place[k] == Place::packed ? data + (place_above * rows + first) * inner * bytes[k]
                                            : data;
      }
      for (int64_t q = 0; q < places; ++q) {
        to[q] = walk.offset[0] + first * loop.stride[0][above];
        for (int32_t k = 1; k < p.operands; ++k)
          if (place[k] == Place::moved)
            move[k](room[k] + q * count * inner * bytes[k], {inner * bytes[k], bytes[k]},
                    data_of(p.operand[k]) + walk.offset[k] + first * loop.stride[k][above], steps(k), inner, count);
        if (part + 1 == parts) walk.next();
      }
      apply.run(at, step, places * count * inner);
      for (int64_t q = 0; q < places && place[0] == Place::moved; ++q)
        move[0](static_cast<char*>(p.operand[0].data) + to[q], steps(0), room[0] + q * count * inner * bytes[0],
                {inner * bytes[0], bytes[0]}, inner, count);
    }
  });
}

}  // namespace

void run(const ElementwiseProblem& p) {
  const Apply apply(p);
  const int64_t inner = p.loop.rank ? p.loop.extent[p.loop.rank - 1] : 1;
  const int64_t rows = extent_of(p.loop, 0, std::max(0, p.loop.rank - 1));
  if (rows > 1 && inner <= apply.short_row()) return apply_short_rows(p, inner, apply);
  if (crossed(p)) return apply_pieces(p, rows, inner, 64, apply, true);
  apply_pieces(p, rows, inner, std::min(inner, kPiece), apply, false);
}

// --- reductions ---

namespace {

// Combines the accumulators of blocks in order: pairs of equal weight, so that errors grow with the logarithm of the
// count.
class Tree {
 public:
  Tree(ApplyLoop join, int64_t bytes) : join_(join), bytes_(bytes) {}
  void add(const void* value) {
    alignas(16) char carry[16];
    std::memcpy(carry, value, size_t(bytes_));
    int level = 0;
    for (uint64_t bit = count_; bit & 1; bit >>= 1, ++level) join(carry, level_[level], carry);
    std::memcpy(level_[level], carry, size_t(bytes_));
    ++count_;
  }
  bool empty() const { return !count_; }
  void take(void* out) const {
    bool any = false;
    alignas(16) char all[16];
    for (int level = 0; count_ >> level; ++level) {
      if (!(count_ >> level & 1)) continue;
      if (any) join(all, level_[level], all);
      else std::memcpy(all, level_[level], size_t(bytes_)), any = true;
    }
    std::memcpy(out, all, size_t(bytes_));
  }

 private:
  void join(char* out, const char* a, const char* b) const {
    char* p[] = {out, const_cast<char*>(a), const_cast<char*>(b)};
    const int64_t step[] = {bytes_, bytes_, bytes_};
    join_(p, step, 1);
  }
  ApplyLoop join_;
  int64_t bytes_;
  uint64_t count_ = 0;
  alignas(16) char level_[48][16];
};

class Fold {
 public:
  explicit Fold(const ReduceProblem& p)
      : p_(p),
        row_(instance(p.function, p.accumulator)),
        x_(p.operand[1].dtype, p.mapped),
        y_(p.operands > 2 ? p.operand[2].dtype : p.mapped, p.mapped),
        map_(p.map ? instance(p.map, p.mapped).apply : nullptr),
        mapped_(p.map ? functions::result_of(*functions::find(p.map), p.mapped) : p.mapped),
        wide_(mapped_, p.accumulator),
        out_(p.accumulator, p.operand[0].dtype),
        bytes_(dtype_bytes(p.accumulator)),
        widest_(std::max<int64_t>({dtype_bytes(p.mapped), dtype_bytes(mapped_), bytes_})) {}

  int64_t bytes() const { return bytes_; }
  ApplyLoop join() const { return row_.apply; }
  JoinRowsLoop join_rows() const { return row_.join_rows; }
  void fold(void* out, const void* x, int64_t n) const { row_.fold(out, x, n); }
  void fold_rows(char* out, const char* x, int64_t row_step, int64_t n, int64_t rows) const {
    row_.fold_rows(out, x, row_step, n, rows);
  }
  int64_t find(const void* x, int64_t n, const void* value) const { return row_.find(x, n, value); }
  bool direct() const { return !x_.converts() && !map_ && !wide_.converts(); }
  int64_t element_bytes() const { return x_.bytes(); }

  // Elements that load takes at most: as many as the L1 cache holds several buffers of.
  int64_t block() const { return kBlock * 16 / widest_; }

  // Loads `count` <= block() elements as packed accumulators; y: of operand[2], y_step is 0 or the stride of its
  // elements. What needs no conversion is read where it lies.
  [[gnu::noinline]] void load(char* to, const char* x, int64_t step, const char* y, int64_t y_step,
                              int64_t count) const {
    alignas(64) char room[3][kBlock * 16];
    if (!map_ && !wide_.converts()) return x_.read(to, x, step, count);
    const int64_t in = x_.bytes();
    const char* const elements = x_.packed(room[0], x, step, count);
    if (!map_) return wide_.read(to, elements, in, count);
    const char* const others = y ? y_.packed(room[1], y, y_step ? y_step : in, y_step ? count : 1) : nullptr;
    const int64_t mapped_bytes = dtype_bytes(mapped_);
    char* const mapped = wide_.converts() ? room[2] : to;
    char* const p[] = {mapped, const_cast<char*>(elements), const_cast<char*>(others)};
    const int64_t steps[] = {mapped_bytes, in, y_step ? in : 0};
    map_(p, steps, count);
    if (wide_.converts()) wide_.read(to, mapped, mapped_bytes, count);
  }

  // Writes accumulators to the output.
  void store(char* to, int64_t step, char* from, int64_t count) const {
    if (p_.divide || p_.root) finish(from, count);
    out_.write(to, step, from, count);
  }

 private:
  template <class T> void finish_as(char* from, int64_t count, int parts) const {
    T* a = reinterpret_cast<T*>(from);
    for (int64_t i = 0; i < count * parts; ++i) {
      if (p_.divide) a[i] = T(a[i] / T(p_.divisor));
      if (p_.root) a[i] = std::sqrt(a[i]);
    }
  }
  [[gnu::noinline]] void finish(char* from, int64_t count) const {
    const bool pairs = dtype_complex(p_.accumulator);
    if (dtype_real(p_.accumulator) == TENON_FLOAT32) finish_as<float>(from, count, pairs ? 2 : 1);
    else finish_as<double>(from, count, pairs ? 2 : 1);
  }

  const ReduceProblem& p_;
  const ComputeRow& row_;
  ElementReader x_, y_;
  ApplyLoop map_;
  Dtype mapped_;
  ElementReader wide_, out_;
  int64_t bytes_, widest_;
};

const char* second(const ReduceProblem& p) {
  return p.operands > 2 ? static_cast<const char*>(p.operand[2].data) : nullptr;
}

// Elements [from, to) of the reduced axes, for the row whose first element is at x. Blocks only depend on element
// numbers.
void fold_range(const ReduceProblem& p, const Fold& fold, const char* x, const char* y, int64_t from, int64_t to,
                Tree& tree) {
  const ComputeLoop& loop = p.loop;
  const int32_t last = loop.rank - 1;
  const int64_t inner = loop.extent[last], step = loop.stride[1][last];
  LoopWalk<2> walk(loop, p.kept, last, from / inner);
  int64_t column = from % inner;
  alignas(64) char block[kBlock * 16];
  alignas(16) char part[16];
  const bool in_place = fold.direct() && step == fold.element_bytes();
  for (int64_t i = from; i < to;) {
    const int64_t many = std::min(kFolded, to - i);
    const int64_t wanted = in_place && inner - column >= many ? many : std::min(fold.block(), to - i);
    const char* whole = nullptr;
    int64_t filled = 0;
    if (in_place && inner - column >= wanted) {
      whole = x + walk.offset[1] + column * step;
      column += wanted;
    } else {
      while (filled < wanted) {
        const int64_t n = std::min(wanted - filled, inner - column);
        fold.load(block + filled * fold.bytes(), x + walk.offset[1] + column * step, step, y, 0, n);
        filled += n, column += n;
        if (column == inner && filled < wanted) column = 0, walk.next();
      }
    }
    if (column == inner) column = 0, walk.next();
    fold.fold(part, whole ? whole : block, wanted);
    tree.add(part);
    i += wanted;
  }
}

// Rows of at most kBlock elements along one axis, many at a time: each of them is one block of fold_range.
void reduce_short_rows(const ReduceProblem& p, const Fold& fold) {
  const ComputeLoop& loop = p.loop;
  const int32_t last = loop.rank - 1, along = p.kept - 1;
  const int64_t n = loop.extent[last], step = loop.stride[1][last], bytes = fold.bytes();
  const int64_t rows = loop.extent[along], x_row = loop.stride[1][along], out_row = loop.stride[0][along];
  const int64_t y_row = p.operands > 2 ? loop.stride[2][along] : 0;
  const bool in_place = fold.direct() && step == bytes;
  const int64_t many = in_place ? kBlock : std::max<int64_t>(1, kBlock / n), parts = (rows + many - 1) / many;
  const int64_t grain = std::max<int64_t>(1, kPiece / (n * std::min(many, rows)));
  base::parallel_for(extent_of(loop, 0, along) * parts, grain, [&](int64_t begin, int64_t end) {
    LoopWalk<3> walk(loop, 0, along, begin / parts);
    alignas(64) char block[kBlock * 16];
    alignas(64) char done[kBlock * 16];
    for (int64_t i = begin; i < end; ++i) {
      const int64_t first = i % parts * many, count = std::min(many, rows - first);
      const char* const x = static_cast<const char*>(p.operand[1].data) + walk.offset[1] + first * x_row;
      if (in_place) {
        fold.fold_rows(done, x, x_row, n, count);
      } else {
        const char* const y = second(p) ? second(p) + walk.offset[2] + first * y_row : nullptr;
        if (!y && x_row == n * step) fold.load(block, x, step, nullptr, 0, n * count);
        else
          for (int64_t r = 0; r < count; ++r)
            fold.load(block + r * n * bytes, x + r * x_row, step, y ? y + r * y_row : nullptr, 0, n);
        fold.fold_rows(done, block, n * bytes, n, count);
      }
      fold.store(static_cast<char*>(p.operand[0].data) + walk.offset[0] + first * out_row, out_row, done, count);
      if ((i + 1) % parts == 0) walk.next();
    }
  });
}

void reduce_rows(const ReduceProblem& p, const Fold& fold) {
  if (p.kept > 0 && p.loop.rank == p.kept + 1 && p.loop.extent[p.kept] <= kBlock) return reduce_short_rows(p, fold);
  const int64_t outputs = extent_of(p.loop, 0, p.kept), length = extent_of(p.loop, p.kept, p.loop.rank);
  constexpr int64_t kChunk = 1 << 16;  // of a long row
  const int64_t chunks = (length + kChunk - 1) / kChunk, bytes = fold.bytes();
  const auto one = [&](LoopWalk<3>& walk, int64_t from, int64_t to, void* out) {
    Tree tree(fold.join(), bytes);
    fold_range(p, fold, static_cast<const char*>(p.operand[1].data) + walk.offset[1],
               second(p) ? second(p) + walk.offset[2] : nullptr, from, to, tree);
    tree.take(out);
  };
  char* const out = static_cast<char*>(p.operand[0].data);
  if (chunks == 1) {
    base::parallel_for(outputs, std::max<int64_t>(1, kPiece / length), [&](int64_t begin, int64_t end) {
      LoopWalk<3> walk(p.loop, 0, p.kept, begin);
      for (int64_t i = begin; i < end; ++i, walk.next()) {
        alignas(16) char all[16];
        one(walk, 0, length, all);
        fold.store(out + walk.offset[0], 0, all, 1);
      }
    });
    return;
  }
  const auto partial = std::make_unique<char[]>(size_t(outputs * chunks * bytes));
  base::parallel_for(outputs * chunks, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      LoopWalk<3> walk(p.loop, 0, p.kept, i / chunks);
      const int64_t from = i % chunks * kChunk;
      alignas(16) char all[16];
      one(walk, from, std::min(length, from + kChunk), all);
      std::memcpy(partial.get() + i * bytes, all, size_t(bytes));
    }
  });
  LoopWalk<3> walk(p.loop, 0, p.kept, 0);
  for (int64_t i = 0; i < outputs; ++i, walk.next()) {
    Tree tree(fold.join(), bytes);
    for (int64_t c = 0; c < chunks; ++c) tree.add(partial.get() + (i * chunks + c) * bytes);
    alignas(16) char all[16];
    tree.take(all);
    fold.store(out + walk.offset[0], 0, all, 1);
  }
}

// Adjacent columns: their accumulators are combined one row at a time, for 32 rows, and then 32 of those sums at a
// time.
class Columns {
 public:
  Columns(const Fold& fold, int64_t width)
      : join_(fold.join()),
        join_rows_(fold.join_rows()),
        bytes_(fold.bytes()),
        width_(width),
        room_(new char[size_t(kLevels * width * bytes_)]) {
    for (int level = 0; level < kLevels; ++level) sum_[level] = room_.get() + level * width * bytes_;
  }
  void add(char* row) { add(row, 0); }
  // kJoinedRows rows.
  void add_rows(const char* x, int64_t row_step) {
    join_rows_(sum_[0], x, row_step, width_, count_[0] == 0);
    count(0, kJoinedRows);
  }
  char* take() {
    char* all = nullptr;
    for (int level = kLevels - 1; level >= 0; --level) {
      if (!count_[level]) continue;
      if (all) join(all, sum_[level]);
      else all = sum_[level];
    }
    return all;
  }

 private:
  static constexpr int kLevels = 3;
  void add(char* row, int level) {
    if (count_[level] == 0) std::memcpy(sum_[level], row, size_t(width_ * bytes_));
    else join(sum_[level], row);
    count(level, 1);
  }
  void count(int level, int64_t rows) {
    count_[level] += rows;
    if (count_[level] < 32 || level + 1 == kLevels) return;
    count_[level] = 0;
    add(sum_[level], level + 1);
  }
  void join(char* sum, char* row) const {
    char* p[] = {sum, sum, row};
    const int64_t step[] = {bytes_, bytes_, bytes_};
    join_(p, step, width_);
  }
  ApplyLoop join_;
  JoinRowsLoop join_rows_;
  int64_t bytes_, width_;
  int64_t count_[kLevels] = {};
  std::unique_ptr<char[]> room_;
  char* sum_[kLevels];
};

// x has its smallest stride along the innermost kept axis.
bool by_columns(const ReduceProblem& p) {
  if (p.kept == 0) return false;
  const int64_t column = std::abs(p.loop.stride[1][p.kept - 1]), row = std::abs(p.loop.stride[1][p.loop.rank - 1]);
  return column && p.loop.extent[p.kept - 1] >= 8 && column < row;
}

void reduce_columns(const ReduceProblem& p, const Fold& fold) {
  const int32_t across = p.kept - 1;
  const int64_t bytes = fold.bytes(), x_step = p.loop.stride[1][across];
  const bool in_place = fold.direct() && x_step == bytes;
  // Where nothing is converted: as many columns as the L1 cache has room for sums of, as reading long rows is faster.
  const int64_t tile = in_place ? std::max(kBlock, (1 << 14) / bytes) : kBlock;
  const int64_t width = p.loop.extent[across], tiles = (width + tile - 1) / tile;
  const int64_t outer = extent_of(p.loop, 0, across), length = extent_of(p.loop, p.kept, p.loop.rank);
  const int64_t chunk = std::max<int64_t>(64, (1 << 17) / std::min(width, tile)), chunks = (length + chunk - 1) / chunk;
  const auto sum = [&](int64_t unit, int64_t from, int64_t to, auto&& done) {
    const LoopWalk<3> start(p.loop, 0, across, unit / tiles);
    const int64_t first = unit % tiles * tile, count = std::min(tile, width - first);
    const int64_t y_step = p.operands > 2 ? p.loop.stride[2][across] : 0;
    Columns columns(fold, count);
    alignas(64) char rows[kJoinedRows * kBlock * 16];
    const char* const top = static_cast<const char*>(p.operand[1].data) + start.offset[1] + first * x_step;
    const char* const y = second(p) ? second(p) + start.offset[2] + first * y_step : nullptr;
    int64_t r = from;
    if (in_place && fold.join_rows() && p.loop.rank == p.kept + 1) {
      const int64_t row_step = p.loop.stride[1][p.kept];
      for (; r + kJoinedRows <= to; r += kJoinedRows) columns.add_rows(top + r * row_step, row_step);
    }
    LoopWalk<2> walk(p.loop, p.kept, p.loop.rank, r);
    const auto loaded = [&](int64_t place) {
      char* const row = rows + place * count * bytes;
      fold.load(row, top + walk.offset[1], x_step, y, y_step, count);
      return row;
    };
    for (; !in_place && fold.join_rows() && r + kJoinedRows <= to; r += kJoinedRows) {
      for (int64_t k = 0; k < kJoinedRows; ++k, walk.next()) loaded(k);
      columns.add_rows(rows, count * bytes);
    }
    for (; r < to; ++r, walk.next()) columns.add(in_place ? const_cast<char*>(top + walk.offset[1]) : loaded(0));
    done(start, first, count, columns.take());
  };
  const auto store = [&](const LoopWalk<3>& start, int64_t first, int64_t count, char* from) {
    const int64_t step = p.loop.stride[0][across];
    fold.store(static_cast<char*>(p.operand[0].data) + start.offset[0] + first * step, step, from, count);
  };
  if (chunks == 1) {
    const int64_t grain = std::max<int64_t>(1, kPiece / (length * std::min(width, tile)));
    base::parallel_for(outer * tiles, grain, [&](int64_t begin, int64_t end) {
      for (int64_t unit = begin; unit < end; ++unit) sum(unit, 0, length, store);
    });
    return;
  }
  const int64_t stride = tile * bytes;
  const auto partial = std::make_unique<char[]>(size_t(outer * tiles * chunks * stride));
  base::parallel_for(outer * tiles * chunks, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      sum(i / chunks, i % chunks * chunk, std::min(length, (i % chunks + 1) * chunk),
          [&](const LoopWalk<3>&, int64_t, int64_t count, const char* from) {
            std::memcpy(partial.get() + i * stride, from, size_t(count * bytes));
          });
  });
  base::parallel_for(outer * tiles, 1, [&](int64_t begin, int64_t end) {
    for (int64_t unit = begin; unit < end; ++unit) {
      const LoopWalk<3> start(p.loop, 0, across, unit / tiles);
      const int64_t first = unit % tiles * tile, count = std::min(tile, width - first);
      Columns columns(fold, count);
      for (int64_t c = 0; c < chunks; ++c) columns.add(partial.get() + (unit * chunks + c) * stride);
      store(start, first, count, columns.take());
    }
  });
}

// --- the position of the largest and the smallest ---

// A complex number in the order of maximum (functions/table.py); comparisons with NaN are false.
template <class R> struct Pair {
  R re, im;
  bool operator==(const Pair& o) const { return re == o.re && im == o.im; }
  bool operator>(const Pair& o) const { return (re > o.re && im == im && o.im == o.im) || (re == o.re && im > o.im); }
  bool operator<(const Pair& o) const { return o > *this; }
};

// The best element of a row, and the block in which it comes first. Blocks are reduced by the fold of max or min, and
// only the best one of all is searched.
template <class T> struct Best {
  T value{};
  int64_t from = -1, count = 0;
};

// Whether x comes before the best element so far; the first NaN comes before all numbers.
template <bool kLargest, class T> bool beats(T x, T best) {
  return int(kLargest ? x > best : x < best) | (int(x != x) & int(best == best));
}

// Rows that are too short for blocks. False: another form of rows, or complex numbers.
bool arg_short_rows(const ReduceProblem& p, bool largest) {
  constexpr int64_t kTogether = 64;
  const int64_t outputs = extent_of(p.loop, 0, p.kept), length = extent_of(p.loop, p.kept, p.loop.rank);
  const Dtype dtype = p.operand[1].dtype;
  if (length > ShortRows::kMostElements || p.loop.rank - p.kept != 1 || p.loop.stride[1][p.kept] != dtype_bytes(dtype))
    return false;
  if (!short_rows().best(dtype, nullptr, 0, length, !largest, nullptr)) return false;
  base::parallel_for(outputs, std::max<int64_t>(1, kPiece / length), [&](int64_t begin, int64_t end) {
    LoopWalk<2> walk(p.loop, 0, p.kept, begin);
    for (int64_t i = begin, count; i < end; i += count) {
      const void* rows[kTogether];
      char* out[kTogether];
      int64_t places[kTogether];
      count = std::min(kTogether, end - i);
      for (int64_t r = 0; r < count; ++r, walk.next()) {
        rows[r] = static_cast<const char*>(p.operand[1].data) + walk.offset[1];
        out[r] = static_cast<char*>(p.operand[0].data) + walk.offset[0];
      }
      short_rows().best(dtype, rows, count, length, !largest, places);
      for (int64_t r = 0; r < count; ++r) std::memcpy(out[r], &places[r], sizeof places[r]);
    }
  });
  return true;
}

// The best elements of adjacent columns so far. The places have the elements' width where that makes vectors of both.
template <class T> struct ColumnBests {
  using Place = std::conditional_t<sizeof(T) >= 8, int64_t, int32_t>;
  alignas(64) T value[kBlock];
  alignas(64) Place at[kBlock];

  template <bool kLargest> void add(const T* x, const Place* places, Place place, int64_t count) {
    for (int64_t k = 0; k < count; ++k) {
      const T v = x[k], old = value[k];
      const bool better = beats<kLargest>(v, old);
      value[k] = better ? v : old;
      at[k] = better ? (places ? places[k] : place) : at[k];
    }
  }
};

template <bool kLargest, class T> void arg_columns(const ReduceProblem& p) {
  using Place = typename ColumnBests<T>::Place;
  const int32_t across = p.kept - 1;
  const int64_t width = p.loop.extent[across], tiles = (width + kBlock - 1) / kBlock;
  const int64_t outer = extent_of(p.loop, 0, across), length = extent_of(p.loop, p.kept, p.loop.rank);
  const int64_t chunk = std::max<int64_t>(64, (1 << 17) / std::min(width, kBlock));
  const int64_t chunks = (length + chunk - 1) / chunk;
  const auto partial =
      std::make_unique_for_overwrite<ColumnBests<T>[]>(size_t(chunks > 1 ? outer * tiles * chunks : 0));
  const auto first_of = [&](int64_t unit) { return unit % tiles * kBlock; };
  const auto count_of = [&](int64_t unit) { return std::min(kBlock, width - first_of(unit)); };
  const auto store = [&](int64_t unit, const ColumnBests<T>& bests) {
    const LoopWalk<2> start(p.loop, 0, across, unit / tiles);
    const int64_t step = p.loop.stride[0][across];
    char* const out = static_cast<char*>(p.operand[0].data) + start.offset[0] + first_of(unit) * step;
    for (int64_t k = 0; k < count_of(unit); ++k) {
      const int64_t at = bests.at[k];
      std::memcpy(out + k * step, &at, sizeof at);
    }
  };
  const int64_t grain = std::max<int64_t>(1, kPiece / (std::min(length, chunk) * std::min(width, kBlock)));
  base::parallel_for(outer * tiles * chunks, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t unit = i / chunks, from = i % chunks * chunk, to = std::min(length, from + chunk);
      const int64_t count = count_of(unit);
      const LoopWalk<2> start(p.loop, 0, across, unit / tiles);
      const char* x =
          static_cast<const char*>(p.operand[1].data) + start.offset[1] + first_of(unit) * int64_t(sizeof(T));
      ColumnBests<T> own;
      ColumnBests<T>& bests = chunks > 1 ? partial[size_t(i)] : own;
      LoopWalk<2> walk(p.loop, p.kept, p.loop.rank, from);
      std::memcpy(bests.value, x + walk.offset[1], size_t(count) * sizeof(T));
      std::fill_n(bests.at, count, Place(from));
      walk.next();
      for (int64_t r = from + 1; r < to; ++r, walk.next())
        bests.template add<kLargest>(reinterpret_cast<const T*>(x + walk.offset[1]), nullptr, Place(r), count);
      if (chunks == 1) store(unit, bests);
    }
  });
  if (chunks == 1) return;
  base::parallel_for(outer * tiles, 1, [&](int64_t begin, int64_t end) {
    for (int64_t unit = begin; unit < end; ++unit) {
      ColumnBests<T>& bests = partial[size_t(unit * chunks)];
      for (int64_t c = 1; c < chunks; ++c) {
        const ColumnBests<T>& more = partial[size_t(unit * chunks + c)];
        bests.template add<kLargest>(more.value, more.at, 0, count_of(unit));
      }
      store(unit, bests);
    }
  });
}

// Whether neighbouring outputs read neighbouring elements, which lie closer than those of one output.
template <class T> bool args_by_columns(const ReduceProblem& p, const Fold& fold) {
  if (p.kept == 0 || p.loop.rank == p.kept || !fold.direct()) return false;
  const int64_t length = extent_of(p.loop, p.kept, p.loop.rank);
  return p.loop.stride[1][p.kept - 1] == int64_t(sizeof(T)) && p.loop.extent[p.kept - 1] >= 8 && length > 1 &&
         length <= INT32_MAX && p.loop.stride[1][p.loop.rank - 1] != int64_t(sizeof(T));
}

// Calls body(block, count, i) with elements [i, i + count) as packed accumulators, for blocks from `from` to `to` of
// the row at x, as long as it returns true.
template <class Body>
void each_block(const ReduceProblem& p, const Fold& fold, const char* x, int64_t from, int64_t to, const Body& body) {
  const ComputeLoop& loop = p.loop;
  const int32_t last = loop.rank - 1;
  const int64_t inner = loop.extent[last], step = loop.stride[1][last];
  LoopWalk<2> walk(loop, p.kept, last, from / inner);
  int64_t column = from % inner;
  alignas(64) char block[kBlock * 16];
  const bool in_place = fold.direct() && step == fold.element_bytes();
  for (int64_t i = from, count; i < to; i += count) {
    const int64_t here = std::min(to - i, inner - column);
    const bool where_it_lies = in_place && (here >= kBlock || here == to - i);
    count = where_it_lies ? std::min(here, kFolded) : std::min(to - i, fold.block());
    const char* elements = x + walk.offset[1] + column * step;
    if (where_it_lies) {
      column += count;
    } else {
      elements = block;
      for (int64_t filled = 0; filled < count;) {
        if (column == inner) column = 0, walk.next();
        const int64_t n = std::min(count - filled, inner - column);
        fold.load(block + filled * fold.bytes(), x + walk.offset[1] + column * step, step, nullptr, 0, n);
        filled += n, column += n;
      }
    }
    if (column == inner) column = 0, walk.next();
    if (!body(elements, count, i)) return;
  }
}

template <class T>
Best<T> best_of(const ReduceProblem& p, const Fold& fold, const char* x, int64_t from, int64_t to, bool largest) {
  Best<T> best;
  each_block(p, fold, x, from, to, [&](const char* block, int64_t count, int64_t i) {
    alignas(16) char found[16];
    fold.fold(found, block, count);
    T value;
    std::memcpy(&value, found, sizeof value);
    if (best.from < 0 || (largest ? beats<true>(value, best.value) : beats<false>(value, best.value)))
      best = {value, i, count};
    return best.value == best.value;  // nothing beats NaN
  });
  return best;
}

// The position of the first element that is as good as the best one.
template <class T> int64_t place_of(const ReduceProblem& p, const Fold& fold, const char* x, const Best<T>& best) {
  int64_t at = 0;
  each_block(p, fold, x, best.from, best.from + best.count, [&](const char* block, int64_t count, int64_t i) {
    const int64_t place = fold.find(block, count, &best.value);
    at = i + place;
    return place == count;
  });
  return at;
}

template <class T> void arg_as(const ReduceProblem& p, const Fold& fold, bool largest) {
  if (args_by_columns<T>(p, fold)) return largest ? arg_columns<true, T>(p) : arg_columns<false, T>(p);
  const int64_t outputs = extent_of(p.loop, 0, p.kept), length = extent_of(p.loop, p.kept, p.loop.rank);
  const int64_t chunk = std::clamp<int64_t>(length / 64, 1 << 16, 1 << 20), chunks = (length + chunk - 1) / chunk;
  const auto bests = std::make_unique<Best<T>[]>(size_t(chunks > 1 ? outputs * chunks : 0));
  const char* const x = static_cast<const char*>(p.operand[1].data);
  const auto put = [&](const LoopWalk<2>& walk, const Best<T>& best) {
    const int64_t at = place_of(p, fold, x + walk.offset[1], best);
    std::memcpy(static_cast<char*>(p.operand[0].data) + walk.offset[0], &at, sizeof at);
  };
  const int64_t grain = std::max<int64_t>(1, kPiece / std::min(length, chunk));
  base::parallel_for(outputs * chunks, grain, [&](int64_t begin, int64_t end) {
    LoopWalk<2> walk(p.loop, 0, p.kept, begin / chunks);
    for (int64_t i = begin; i < end; ++i) {
      const int64_t from = i % chunks * chunk;
      const Best<T> best = best_of<T>(p, fold, x + walk.offset[1], from, std::min(length, from + chunk), largest);
      if (chunks > 1) bests[size_t(i)] = best;
      else put(walk, best);
      if ((i + 1) % chunks == 0) walk.next();
    }
  });
  if (chunks == 1) return;
  LoopWalk<2> walk(p.loop, 0, p.kept, 0);
  for (int64_t i = 0; i < outputs; ++i, walk.next()) {
    Best<T> best = bests[size_t(i * chunks)];
    for (int64_t c = 1; c < chunks; ++c) {
      const Best<T>& other = bests[size_t(i * chunks + c)];
      if (largest ? beats<true>(other.value, best.value) : beats<false>(other.value, best.value)) best = other;
    }
    put(walk, best);
  }
}

void arg(const ReduceProblem& p) {
  const bool largest = p.function == TENON_FN_ARGMAX;
  if (arg_short_rows(p, largest)) return;
  ReduceProblem of = p;
  of.function = largest ? TENON_FN_MAX : TENON_FN_MIN;
  of.operand[0].dtype = p.accumulator;  // the values themselves are not stored
  const Fold fold(of);
  of.operand[0] = p.operand[0];
  switch (p.accumulator) {
    case TENON_BOOL:
    case TENON_UINT8: return arg_as<uint8_t>(of, fold, largest);
    case TENON_INT8: return arg_as<int8_t>(of, fold, largest);
    case TENON_INT16: return arg_as<int16_t>(of, fold, largest);
    case TENON_INT32: return arg_as<int32_t>(of, fold, largest);
    case TENON_INT64: return arg_as<int64_t>(of, fold, largest);
    case TENON_UINT16: return arg_as<uint16_t>(of, fold, largest);
    case TENON_UINT32: return arg_as<uint32_t>(of, fold, largest);
    case TENON_UINT64: return arg_as<uint64_t>(of, fold, largest);
    case TENON_FLOAT32: return arg_as<float>(of, fold, largest);
    case TENON_FLOAT64: return arg_as<double>(of, fold, largest);
    case TENON_COMPLEX64: return arg_as<Pair<float>>(of, fold, largest);
    case TENON_COMPLEX128: return arg_as<Pair<double>>(of, fold, largest);
    default: fail(TENON_ERROR_INTERNAL, "argmax of %s", dtype_name(p.accumulator).c_str());
  }
}

}  // namespace

void run(const ReduceProblem& p) {
  if (p.function == TENON_FN_ARGMAX || p.function == TENON_FN_ARGMIN) return arg(p);
  const Fold fold(p);
  if (by_columns(p)) reduce_columns(p, fold);
  else reduce_rows(p, fold);
}

// --- scans ---

namespace {

// The neutral element in the accumulator's dtype.
void start_value(const ScanProblem& p, char* out) {
  std::memset(out, 0, 16);
  const Dtype t = p.accumulator;
  const auto put = [&](auto value) { std::memcpy(out, &value, sizeof value); };
  const bool low = p.function == TENON_FN_CUMULATIVE_MAX, high = p.function == TENON_FN_CUMULATIVE_MIN;
  const bool one = p.function == TENON_FN_CUMULATIVE_PROD;
  if (p.function == TENON_FN_CUMULATIVE_SUM && p.exclusive) return;
  if (functions::kind_of(t) == 'f' || functions::kind_of(t) == 'c') {
    const double value = one ? 1 : high ? HUGE_VAL : p.function == TENON_FN_CUMULATIVE_SUM ? -0.0 : -HUGE_VAL;
    if (dtype_real(t) == TENON_FLOAT32) put(float(value));
    else put(value);
    if (!one && dtype_complex(t)) std::memcpy(out + dtype_bytes(t) / 2, out, dtype_bytes(t) / 2);
    return;
  }
  const uint32_t bits = dtype_bits(t);
  const bool with_sign = functions::kind_of(t) == 'i';
  const uint64_t top = t == TENON_BOOL ? 1 : ~uint64_t(0) >> (64 - bits + (with_sign ? 1 : 0));
  put(one ? uint64_t(1) : high ? top : low && with_sign ? ~top : uint64_t(0));
}

class Runner {
 public:
  explicit Runner(const ScanProblem& p)
      : p_(p),
        row_(instance(p.function, p.accumulator)),
        in_(p.operand[1].dtype, p.accumulator),
        out_(p.accumulator, p.operand[0].dtype),
        bytes_(dtype_bytes(p.accumulator)) {
    start_value(p, start_);
  }
  // A run along the axis, continuing from carry.
  void row(char* to, int64_t to_step, const char* x, int64_t step, int64_t count, char* carry) const {
    alignas(64) char room[(kBlock + 1) * 16];
    for (int64_t done = 0; done < count; done += kBlock) {
      const int64_t n = std::min(kBlock, count - done);
      char* const at = room + (p_.exclusive ? bytes_ : 0);
      in_.read(at, x + done * step, step, n);
      std::memcpy(room, carry, p_.exclusive ? size_t(bytes_) : 0);
      row_.scan(carry, at, at, n);
      out_.write(to + done * to_step, to_step, room, n);
    }
  }
  // Adjacent columns.
  void columns(char* to, int64_t to_step, int64_t to_row, const char* x, int64_t step, int64_t x_row, int64_t rows,
               int64_t count) const {
    alignas(64) char sum[kBlock * 16], next[kBlock * 16];
    for (int64_t i = 0; i < count; ++i) std::memcpy(sum + i * bytes_, start_, size_t(bytes_));
    for (int64_t r = 0; r < rows; ++r) {
      in_.read(next, x + r * x_row, step, count);
      if (p_.exclusive) out_.write(to + r * to_row, to_step, sum, count);
      char* p[] = {sum, sum, next};
      const int64_t steps[] = {bytes_, bytes_, bytes_};
      if (r == 0) std::memcpy(sum, next, size_t(count * bytes_));
      else row_.apply(p, steps, count);
      if (!p_.exclusive) out_.write(to + r * to_row, to_step, sum, count);
    }
  }
  const char* start() const { return start_; }

 private:
  const ScanProblem& p_;
  const ComputeRow& row_;
  ElementReader in_, out_;
  int64_t bytes_;
  alignas(16) char start_[16];
};

}  // namespace

void run(const ScanProblem& p) {
  const Runner runner(p);
  const int32_t axis = p.loop.rank - 1;
  const int64_t length = p.loop.extent[axis], to_step = p.loop.stride[0][axis], x_step = p.loop.stride[1][axis];
  char* const to = static_cast<char*>(p.operand[0].data);
  const char* const x = static_cast<const char*>(p.operand[1].data);
  const int32_t across = axis - 1;
  const bool columns = axis > 0 && p.loop.extent[across] >= 8 && std::abs(p.loop.stride[1][across]) < std::abs(x_step);
  if (columns) {
    const int64_t width = p.loop.extent[across], tile = std::min<int64_t>(width, 128),
                  tiles = (width + tile - 1) / tile;
    const int64_t outer = extent_of(p.loop, 0, across);
    base::parallel_for(outer * tiles, std::max<int64_t>(1, kPiece / (length * tile)), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const LoopWalk<2> walk(p.loop, 0, across, i / tiles);
        const int64_t first = i % tiles * tile, count = std::min(tile, width - first);
        const int64_t a = p.loop.stride[0][across], b = p.loop.stride[1][across];
        runner.columns(to + walk.offset[0] + first * a, a, to_step, x + walk.offset[1] + first * b, b, x_step, length,
                       count);
      }
    });
    return;
  }
  const int64_t grain = std::max<int64_t>(1, kPiece / length);
  base::parallel_for(extent_of(p.loop, 0, axis), grain, [&](int64_t begin, int64_t end) {
    LoopWalk<2> walk(p.loop, 0, axis, begin);
    for (int64_t i = begin; i < end; ++i, walk.next()) {
      alignas(16) char carry[16];
      std::memcpy(carry, runner.start(), sizeof carry);
      runner.row(to + walk.offset[0], to_step, x + walk.offset[1], x_step, length, carry);
    }
  });
}

}  // namespace tenon::cpu
