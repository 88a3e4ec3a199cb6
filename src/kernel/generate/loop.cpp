// kernel/generate/loop.cpp: loops over several strided operands in normal form, and the width of vector
// accesses to them.
#include <algorithm>
#include <cstdlib>
#include "kernel/generate/generate.hpp"

namespace tenon::generate {

int64_t Loop::size() const {
  int64_t out = 1;
  for (int32_t d = 0; d < rank; ++d) out *= extent[d];
  return out;
}

int32_t largest_operand(const Arguments& arguments, int32_t count) {
  int32_t best = 0, k = 0;
  uint64_t most = 0;
  for (int32_t i = 0; i < count; ++i) {
    const Array* array = arguments.operands[i].array;
    if (!array || arguments.declared->parameters[size_t(i)].raw) continue;
    if (array->bytes() > most) most = array->bytes(), best = k;
    ++k;
  }
  return best;
}

void start_loop(const Dims& shape, Loop& loop) {
  loop.rank = shape.size();
  loop.operands = 0;
  for (int32_t d = 0; d < loop.rank; ++d) loop.extent[d] = shape[d];
}

void Loop::add_operand(const Array& array, const Dims& shape, int32_t skip) {
  const int32_t missing = shape.size() - (array.rank() - skip), k = operands++, first = skip - missing;
  start[k] = 0;
  for (int32_t d = 0; d < shape.size(); ++d)
    stride[k][d] = d < missing || (array.shape()[d + first] == 1 && shape[d] != 1) ? 0 : array.strides()[d + first];
}

void Loop::remove(int32_t axis) {
  for (int32_t d = axis; d + 1 < rank; ++d) {
    extent[d] = extent[d + 1];
    for (int32_t k = 0; k < operands; ++k) stride[k][d] = stride[k][d + 1];
  }
  --rank;
}

void copy_axis(const Loop& from, int32_t axis, Loop& to) {
  to.extent[to.rank] = from.extent[axis];
  for (int32_t k = 0; k < from.operands; ++k) to.stride[k][to.rank] = from.stride[k][axis];
  ++to.rank;
}

namespace {

// Reverses an axis along which every operand has a negative or zero stride.
void turn_forward(Loop& loop) {
  for (int32_t d = 0; d < loop.rank; ++d) {
    bool backward = false, forward = false;
    for (int32_t k = 0; k < loop.operands; ++k) {
      backward = backward || loop.stride[k][d] < 0;
      forward = forward || loop.stride[k][d] > 0;
    }
    if (!backward || forward) continue;
    for (int32_t k = 0; k < loop.operands; ++k) {
      loop.start[k] += (loop.extent[d] - 1) * loop.stride[k][d];
      loop.stride[k][d] = -loop.stride[k][d];
    }
  }
}

// Insertion sort, because ranks are small: largest stride of the lead operand first, ties by the other operands.
void sort_axes(Loop& loop, int32_t lead) {
  const auto before = [&](int32_t d, int32_t e) {
    const int64_t a = std::abs(loop.stride[lead][d]), b = std::abs(loop.stride[lead][e]);
    if (a != b) return a > b;
    for (int32_t k = 0; k < loop.operands; ++k) {
      const int64_t c = std::abs(loop.stride[k][d]), f = std::abs(loop.stride[k][e]);
      if (c != f) return c > f;
    }
    return false;
  };
  for (int32_t i = 1; i < loop.rank; ++i)
    for (int32_t j = i; j > 0 && before(j, j - 1); --j) {
      std::swap(loop.extent[j], loop.extent[j - 1]);
      for (int32_t k = 0; k < loop.operands; ++k) std::swap(loop.stride[k][j], loop.stride[k][j - 1]);
    }
}

bool mergeable(const Loop& loop, int32_t d) {  // axis d with d + 1
  for (int32_t k = 0; k < loop.operands; ++k)
    if (loop.stride[k][d] != loop.stride[k][d + 1] * loop.extent[d + 1]) return false;
  return true;
}

}  // namespace

void simplify(Loop& loop, bool ordered, int32_t lead) {
  for (int32_t d = loop.rank - 1; d >= 0; --d)
    if (loop.extent[d] == 1) loop.remove(d);
  if (!ordered) {
    turn_forward(loop);
    sort_axes(loop, lead);
  }
  for (int32_t d = loop.rank - 2; d >= 0; --d)
    if (mergeable(loop, d)) {
      loop.extent[d + 1] *= loop.extent[d];
      loop.remove(d);
    }
}

int64_t reach(const Loop& loop) {
  int64_t most = 0;
  for (int32_t k = 0; k < loop.operands; ++k) {
    int64_t forward = 0, backward = 0;
    for (int32_t d = 0; d < loop.rank; ++d) {
      const int64_t step = (loop.extent[d] - 1) * loop.stride[k][d];
      (step > 0 ? forward : backward) += step;
    }
    most = std::max({most, forward, -backward});
  }
  return most;
}

int32_t vector_length(const Arguments& arguments, int32_t first, int32_t last, const Loop& loop, const Access* access,
                      int32_t inner) {
  uint32_t largest = 1;
  for (int32_t i = first; i < last; ++i) {
    if (access[i] != Access::contiguous || arguments.declared->parameters[size_t(i)].table) continue;
    largest = std::max(largest, dtype_bytes(arguments.operands[i].dtype));
  }
  // A warp's accesses to the widest elements are then next to each other; with more elements, each 16 bytes of a thread
  // would be an access of its own, far from its neighbours' (measured: 0.83 of the speed for bools beside float32).
  uint32_t length = std::max<uint32_t>(16 / largest, 1);
  int32_t k = 0;
  for (int32_t i = first; i < last; ++i) {
    if (!arguments.operands[i].array || access[i] == Access::raw) continue;
    const int32_t operand = k++;
    if (access[i] != Access::contiguous || arguments.declared->parameters[size_t(i)].table) continue;
    const uint32_t bytes = dtype_bytes(arguments.operands[i].dtype);
    uint64_t bits =
        reinterpret_cast<uintptr_t>(arguments.operands[i].array->data()) + uint64_t(loop.start[operand]) * bytes;
    for (int32_t d = 0; d < loop.rank; ++d)
      if (d != inner) bits |= uint64_t(loop.stride[operand][d]) * bytes;
    while (length > 1 && bits % std::min<uint64_t>(uint64_t(length) * bytes, 16)) length /= 2;
  }
  return int32_t(length);
}

}  // namespace tenon::generate
