// backend/cuda/linalg/matmul/matmul_packed.cpp: products of one-byte elements of any layout, in the one that tensor
// cores read.
//
// cuBLAS's tensor-core kernels for int8 require this form, and its other kernels do not exist for every processor;
// cuBLASLt's kernels for float8 support no other form.
#include <optional>
#include "backend/cuda/linalg/matmul/matmul.hpp"

namespace tenon::cuda {
namespace {

constexpr int64_t kMultiple = 16;

int64_t padded(int64_t x) { return (x + kMultiple - 1) / kMultiple * kMultiple; }

// A matrix of the problem: lines of `length` elements along the unit stride (`dense`) or across it.
struct PackedSide {
  const void* data;
  int64_t bytes, length, lines, ld, stride;
  bool dense;

  bool fits(int64_t batch) const {
    return dense && length % kMultiple == 0 && lines % kMultiple == 0 && ld * bytes % kMultiple == 0 &&
           reinterpret_cast<uintptr_t>(data) % kMultiple == 0 && (batch == 1 || stride * bytes % kMultiple == 0);
  }
  const char* matrix(int64_t index) const { return static_cast<const char*>(data) + index * stride * bytes; }
};

struct Sides {
  PackedSide a, b, c;
};

Sides sides_of(const GemmProblem& p) {
  return {{p.a, 1, p.k, p.m, p.lda, p.stride_a, p.op_a != Op::none},
          {p.b, 1, p.k, p.n, p.ldb, p.stride_b, p.op_b == Op::none},
          {p.c, int64_t(dtype_bytes(p.result_dtype())), p.m, p.n, p.ldc, p.stride_c, true}};
}

// Memory for a side that does not have the form: lines of padded length, one after another.
struct Packed {
  Scratch memory;
  int64_t ld;

  Packed(CudaDevice& device, const PackedSide& side, Stream& stream)
      : memory(device, uint64_t(padded(side.length) * padded(side.lines) * side.bytes), stream),
        ld(padded(side.length)) {
    if (side.length % kMultiple == 0 && side.lines % kMultiple == 0) return;
    auto scope = device.activate();
    device.check(device.driver().cuMemsetD32Async(address(memory.data()), 0, memory.bytes() / 4, handle_of(stream)),
                 "cuMemsetD32Async");
  }

  void copy(CudaDevice& device, const PackedSide& side, int64_t index, bool back, Stream& stream) const {
    const Dtype plain = TENON_DTYPE(1, uint32_t(side.bytes * 8), 1);
    const int64_t step = (side.dense ? 1 : side.ld) * side.bytes, line = (side.dense ? side.ld : 1) * side.bytes;
    void* theirs = const_cast<char*>(side.matrix(index));
    CopyProblem problem{
        back ? theirs : memory.data(), back ? memory.data() : theirs, plain, plain, uint32_t(side.bytes), {}};
    const auto axis = [&](int64_t extent, int64_t ours, int64_t other) {
      if (extent > 1) problem.axes.push_back({extent, back ? other : ours, back ? ours : other});
    };
    axis(side.lines, ld * side.bytes, line);
    axis(side.length, side.bytes, step);
    device.run(problem, stream);
  }
};

}  // namespace

bool packed_form(const GemmProblem& p) {
  const Sides s = sides_of(p);
  return s.a.fits(p.batch) && s.b.fits(p.batch) && s.c.fits(p.batch);
}

void multiply_packed(CudaDevice& device, const GemmProblem& p, Stream& stream,
                     void (*product)(CudaDevice&, const GemmProblem&, Stream&)) {
  if (packed_form(p)) return product(device, p, stream);
  const Sides s = sides_of(p);
  GemmProblem one = p;
  one.batch = 1;
  one.stride_a = one.stride_b = one.stride_c = 0;
  one.m = padded(p.m), one.n = padded(p.n), one.k = padded(p.k);
  one.op_a = Op::transpose, one.op_b = Op::none;
  std::optional<Packed> a, b, c;
  if (!s.a.fits(p.batch)) a.emplace(device, s.a, stream), one.a = a->memory.data(), one.lda = a->ld;
  if (!s.b.fits(p.batch)) b.emplace(device, s.b, stream), one.b = b->memory.data(), one.ldb = b->ld;
  if (!s.c.fits(p.batch)) c.emplace(device, s.c, stream), one.c = c->memory.data(), one.ldc = c->ld;
  for (int64_t g = 0; g < p.batch; ++g) {
    if (a) a->copy(device, s.a, g, false, stream);
    else one.a = s.a.matrix(g);
    if (b) b->copy(device, s.b, g, false, stream);
    else one.b = s.b.matrix(g);
    if (!c) one.c = const_cast<char*>(s.c.matrix(g));
    else if (p.beta != 0.0) c->copy(device, s.c, g, false, stream);
    product(device, one, stream);
    if (c) c->copy(device, s.c, g, true, stream);
  }
}

}  // namespace tenon::cuda
