// ops/products/rotations.cpp: swaps and rotations of pairs of numbers, and the rotations that zero one number of a
// pair.
#include "core/device/recording.hpp"
#include "ops/operand.hpp"
#include "ops/products/products.hpp"

namespace tenon::ops {
namespace {

Stream& check_pair(const Array& x, const char* name_x, const Array& y, const char* name_y, Stream* given) {
  Stream& stream = stream_or_default(given, given ? given->device() : x.device());
  require_numbers(x, name_x, stream.device());
  require_numbers(y, name_y, stream.device());
  require_same_dtype(x, y, name_x, name_y);
  TENON_REQUIRE(x.shape() == y.shape(), TENON_ERROR_SHAPE, "%s has shape %s and %s has shape %s: they must be equal",
                name_x, shape_text(x.shape()).c_str(), name_y, shape_text(y.shape()).c_str());
  return stream;
}

bool in_place(const Array& out, const Array& x) { return &out == &x || overlap(out, x) == Overlap::exact; }

Pair open_pair(const Array& x, const Array& y, Stream& stream, const Output& out_x, const Output& out_y) {
  out_x.check(x.dtype(), x.shape(), stream.device(), {{x, "x", true}, {y, "y"}});
  out_y.check(x.dtype(), x.shape(), stream.device(), {{x, "x"}, {y, "y", true}});
  return {out_x.open(x.dtype(), x.shape(), stream, {}), out_y.open(x.dtype(), x.shape(), stream, {})};
}

template <class Problem> void run_pair(Problem& p, const Pair& pair, Stream& stream) {
  if (pair.x->size()) run_elements(p, *pair.y, pair.x.get(), true, stream);
}

}  // namespace

Pair swap(const Array& x, const Array& y, Stream* given, const Output& out_x, const Output& out_y) {
  Stream& stream = check_pair(x, "x", y, "y", given);
  return recorded_whole(stream, [&] {
    const Pair out = open_pair(x, y, stream, out_x, out_y);
    const bool x_stays = in_place(*out.x, x);
    if (x_stays && in_place(*out.y, y)) {
      SwapProblem p;
      run_pair(p, out, stream);
    } else if (x_stays) {  // x is written last
      copy(*out.y, x, &stream);
      copy(*out.x, y, &stream);
    } else {
      copy(*out.x, y, &stream);
      copy(*out.y, x, &stream);
    }
    return out;
  });
}

Pair rot(const Factor& c, const Factor& s, const Array& x, const Array& y, Stream* given, const Output& out_x,
         const Output& out_y) {
  Stream& stream = check_pair(x, "x", y, "y", given);
  c.require_real("c", "the cosine must be a real number");
  c.check(x.dtype(), stream.device(), "c");
  s.check(x.dtype(), stream.device(), "s");
  return recorded_whole(stream, [&] {
    const Pair out = open_pair(x, y, stream, out_x, out_y);
    if (!in_place(*out.x, x)) copy(*out.x, x, &stream);
    if (!in_place(*out.y, y)) copy(*out.y, y, &stream);
    RotProblem p;
    const Factors factors(c, s, x.dtype(), p, stream);
    run_pair(p, out, stream);
    return out;
  });
}

Rotations rotg(const Array& a, const Array& b, Stream* given, const Output& out_c, const Output& out_s,
               const Output& out_r) {
  Stream& stream = check_pair(a, "a", b, "b", given);
  const Dtype t = a.dtype();
  TENON_REQUIRE(dtype_bytes(t) != 2, TENON_ERROR_DTYPE,
                "a is %s: float32, float64, complex64 and complex128 are supported", dtype_name(t).c_str());
  return recorded_whole(stream, [&] {
    out_c.check(dtype_real(t), a.shape(), stream.device(), {{a, "a"}, {b, "b"}});
    out_s.check(t, a.shape(), stream.device(), {{a, "a"}, {b, "b", true}});
    out_r.check(t, a.shape(), stream.device(), {{a, "a", true}, {b, "b"}});
    const Ref<Array> c = Array::create(stream.device(), dtype_real(t), a.shape(), stream);
    const Ref<Array> r = copy_of(a, stream), s = copy_of(b, stream);
    if (c->size()) {
      const RotgProblem p{t, c->size(), r->data(), s->data(), c->data()};
      run(p, {r.get(), s.get(), c.get()}, {}, stream);
    }
    return Rotations{out_c.deliver(c, stream), out_s.deliver(s, stream), out_r.deliver(r, stream)};
  });
}

namespace {

void require_modified(Dtype t, const char* name) {
  TENON_REQUIRE(t == TENON_FLOAT32 || t == TENON_FLOAT64, TENON_ERROR_DTYPE,
                "%s is %s: float32 and float64 are supported", name, dtype_name(t).c_str());
}

// Calls one(x, y, offset) for the vectors that share a rotation, as views of all of them; offset: of the rotation's
// first number. steps: the rotations' strides along the batch axes of the vectors, 0 where they are the same.
template <class F> void each_rotation(const Pair& pair, Extents steps, F&& one) {
  const Extents shape = pair.x->shape();
  std::vector<size_t> looped;
  std::vector<int64_t> extents;  // of the views: the other axes
  for (size_t i = 0; i < shape.size(); ++i)
    if (i < steps.size() && steps[i] != 0 && shape[i] > 1) looped.push_back(i);
    else extents.push_back(shape[i]);
  std::vector<int64_t> index(looped.size());
  const auto view = [&](const Array& x) {
    const Extents whole = x.strides();
    std::vector<int64_t> strides;
    int64_t offset = 0;
    for (size_t i = 0, k = 0; i < shape.size(); ++i)
      if (k < looped.size() && looped[k] == i) offset += index[k++] * whole[i];
      else strides.push_back(whole[i]);
    return x.with(Dims(extents), Dims(strides), offset, false);
  };
  for (;;) {
    int64_t offset = 0;
    for (size_t k = 0; k < looped.size(); ++k) offset += index[k] * steps[looped[k]];
    one(*view(*pair.x), *view(*pair.y), offset);
    size_t k = looped.size();
    while (k-- > 0) {
      if (++index[k] < shape[looped[k]]) break;
      index[k] = 0;
    }
    if (k == size_t(-1)) return;
  }
}

}  // namespace

Pair rotm(const Array& x, const Array& y, const Array& given_h, int32_t& packed, Stream* given, const Output& out_x,
          const Output& out_y) {
  Stream& stream = check_pair(x, "x", y, "y", given);
  require_modified(x.dtype(), "x");
  require_on(given_h, stream.device(), "h");
  require_same_dtype(x, given_h, "x", "h");
  TENON_REQUIRE(x.rank() >= 1, TENON_ERROR_SHAPE, "x has no axes: a vector must have at least one");
  TENON_REQUIRE(given_h.rank() >= 1 && given_h.shape()[given_h.rank() - 1] == 5, TENON_ERROR_SHAPE,
                "h has shape %s: it must hold five numbers per rotation, (..., 5)",
                shape_text(given_h.shape()).c_str());
  return recorded_whole(stream, [&] {
    for (const Output* out : {&out_x, &out_y}) out->check(x.dtype(), x.shape(), stream.device(), {{given_h, "h"}});
    // The five numbers of a rotation are contiguous.
    const bool together = given_h.size() == 0 || given_h.strides()[given_h.rank() - 1] == 1;
    if (!together) ++packed;
    const Ref<Array> h = together ? Ref<Array>(const_cast<Array*>(&given_h)) : contiguous(given_h, stream);
    const Extents shape = h->shape(), strides = h->strides(), vectors = x.shape();
    const Dims steps = broadcast_strides(shape.first(shape.size() - 1), strides.first(strides.size() - 1),
                                         vectors.first(vectors.size() - 1));
    const Pair out = open_pair(x, y, stream, out_x, out_y);
    if (!in_place(*out.x, x)) copy(*out.x, x, &stream);
    if (!in_place(*out.y, y)) copy(*out.y, y, &stream);
    if (x.size() == 0) return out;
    h->buffer().use(stream, false);
    each_rotation(out, steps, [&](Array& left, Array& right, int64_t offset) {
      RotmProblem p;
      p.param = static_cast<const char*>(h->data()) + offset * int64_t(dtype_bytes(x.dtype()));
      run_elements(p, right, &left, true, stream);
    });
    return out;
  });
}

ModifiedRotations rotmg(const Array& d1, const Array& d2, const Array& x1, const Array& y1, Stream* given,
                        const ModifiedOutputs& outs) {
  Stream& stream = check_pair(d1, "d1", d2, "d2", given);
  check_pair(d1, "d1", x1, "x1", &stream);
  check_pair(d1, "d1", y1, "y1", &stream);
  const Dtype t = d1.dtype();
  require_modified(t, "d1");
  const Dims of_h = with_vector(d1.shape(), 5);
  return recorded_whole(stream, [&] {
    const Device& device = stream.device();
    outs.d1.check(t, d1.shape(), device, {{d1, "d1", true}, {d2, "d2"}, {x1, "x1"}, {y1, "y1"}});
    outs.d2.check(t, d1.shape(), device, {{d1, "d1"}, {d2, "d2", true}, {x1, "x1"}, {y1, "y1"}});
    outs.x1.check(t, d1.shape(), device, {{d1, "d1"}, {d2, "d2"}, {x1, "x1", true}, {y1, "y1"}});
    outs.h.check(t, of_h, device, {{d1, "d1"}, {d2, "d2"}, {x1, "x1"}, {y1, "y1"}});
    const Ref<Array> first = copy_of(d1, stream), second = copy_of(d2, stream), x = copy_of(x1, stream);
    const Ref<Array> h = Array::create(stream.device(), t, of_h, stream);
    if (d1.size()) {
      const Extents steps = h->strides();
      copy(*h->with(Dims(d1.shape()), Dims(steps.first(size_t(d1.rank()))), 0, false), y1, &stream);
      const RotmgProblem p{t, d1.size(), first->data(), second->data(), x->data(), h->data()};
      run(p, {first.get(), second.get(), x.get(), h.get()}, {}, stream);
    }
    return ModifiedRotations{outs.d1.deliver(first, stream), outs.d2.deliver(second, stream),
                             outs.x1.deliver(x, stream), outs.h.deliver(h, stream)};
  });
}

}  // namespace tenon::ops
