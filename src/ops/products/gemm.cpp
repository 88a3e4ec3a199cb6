// ops/products/gemm.cpp: c = alpha a b + beta c for arrays of any strides, and its conversion to BLAS's column-major
// form.
//
// A row-major matrix is the transpose of a column-major one, so if c's rows are dense the problem for the device is c'
// = b' a' (transposes); if its columns are dense it is c = a b; otherwise a packed c is used.
#include <tenon/linalg.h>
#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <optional>
#include "core/device/recording.hpp"
#include "ops/products/lists.hpp"
#include "ops/operand.hpp"
#include "ops/products/products.hpp"
#include "ops/own.hpp"

namespace tenon::ops {
namespace {

// op(x) as a column-major operand; with `transposed`, the transpose of x. BLAS conjugates only what it transposes.
bool operand(const Matrix& x, bool transposed, Op& op, int64_t& ld) {
  const Op transposing = x.conjugated ? Op::conjugate_transpose : Op::transpose;
  if ((transposed || !x.conjugated) && stored(x, false, ld)) {
    op = transposed ? transposing : Op::none;
    return true;
  }
  if ((!transposed || !x.conjugated) && stored(x, true, ld)) {
    op = transposed ? Op::none : transposing;
    return true;
  }
  return false;
}

bool usable(const Matrix& x, bool transposed) {
  Op op;
  int64_t ld;
  return operand(x, transposed, op, ld);
}

// x itself or a packed copy, as BLAS takes it in a product whose result is computed by rows, or not.
Ref<Array> pack(const Array& x, bool conjugated, bool transposed, int32_t& packed, Stream& stream) {
  if (x.size() == 0 || usable(Matrix(x, conjugated), transposed)) return Ref<Array>(const_cast<Array*>(&x));
  ++packed;
  // Conjugation needs the storage order that BLAS transposes.
  return conjugated && transposed ? swapped(*contiguous(*swapped(x), stream)) : contiguous(x, stream);
}

bool whole(double x, double limit = 2147483647.0) { return x == std::floor(x) && std::abs(x) <= limit; }

// Products that BLAS does not have: of integers, modulo 2^bits, and of bools, with "or" as sum and "and" as product.
bool own_product(Dtype operands, Dtype result) {
  const bool integer =
      dtype_code(operands) <= 1 && dtype_lanes(operands) == 1 && dtype_bytes(operands) && dtype_bytes(operands) <= 8;
  return operands == result && (integer || operands == TENON_BOOL);
}

void check_own(std::complex<double> alpha, Dtype t, std::complex<double> beta) {
  const auto fits = [t](double x) { return t == TENON_BOOL ? x == 0 || x == 1 : whole(x, 9007199254740992.0); };
  TENON_REQUIRE(fits(alpha.real()) && fits(beta.real()), TENON_ERROR_INVALID_ARGUMENT,
                "alpha is %g and beta is %g: a product of %s takes %s", alpha.real(), beta.real(),
                dtype_name(t).c_str(), t == TENON_BOOL ? "0 and 1" : "integers up to 2^53");
}

// Runs a product whose operands are stored as BLAS takes them.
void run_product(const GemmProblem& p, Stream& stream) {
  if (!own_product(p.dtype, p.result_dtype())) return stream.device().run(p, stream);
  tenon_own::ProductWork w{};
  w.a = p.a, w.b = p.b, w.c = p.c;
  w.m = p.m, w.n = p.n, w.k = p.k, w.batch = p.batch;
  w.a_row = p.op_a == Op::none ? 1 : p.lda, w.a_column = p.op_a == Op::none ? p.lda : 1;
  w.b_row = p.op_b == Op::none ? 1 : p.ldb, w.b_column = p.op_b == Op::none ? p.ldb : 1;
  w.c_row = 1, w.c_column = p.ldc;
  w.a_matrix = p.stride_a, w.b_matrix = p.stride_b, w.c_matrix = p.stride_c;
  w.alpha = uint64_t(int64_t(p.alpha.real())), w.beta = uint64_t(int64_t(p.beta.real()));
  launch_product(stream.device(), p.dtype, w, stream);
}

void check_float8(std::complex<double> alpha, const Array& a, const Array& b, std::complex<double> beta, const Array& c,
                  const GemmNames& names) {
  const Dtype t = a.dtype(), other = b.dtype(), result = c.dtype();
  const bool wider = result == TENON_FLOAT16 || result == TENON_BFLOAT16 || result == TENON_FLOAT32;
  TENON_REQUIRE(
      dtype_float8(t) && dtype_float8(other) && wider, TENON_ERROR_DTYPE,
      "%s is %s, %s is %s and %s is %s: float8_e4m3fn and float8_e5m2 can be combined with each other, with %s "
      "float16, bfloat16 or float32",
      names.a, dtype_name(t).c_str(), names.b, dtype_name(other).c_str(), names.c, dtype_name(result).c_str(), names.c);
  TENON_REQUIRE(t != TENON_FLOAT8_E5M2 || other != TENON_FLOAT8_E5M2, TENON_ERROR_DTYPE,
                "%s and %s are both float8_e5m2, which CUDA cannot multiply: one of them must be float8_e4m3fn",
                names.a, names.b);
  TENON_REQUIRE(alpha.imag() == 0 && beta.imag() == 0, TENON_ERROR_INVALID_ARGUMENT,
                "alpha or beta has an imaginary part, but the arrays are %s", dtype_name(t).c_str());
}

void check_dtypes(std::complex<double> alpha, const Array& a, const Array& b, std::complex<double> beta, const Array& c,
                  const GemmNames& names) {
  const Dtype t = a.dtype(), result = c.dtype();
  const bool narrow = t == TENON_FLOAT16 || t == TENON_BFLOAT16, integers = t == TENON_INT8 && result == TENON_INT32;
  if (dtype_float8(t) || dtype_float8(b.dtype())) return check_float8(alpha, a, b, beta, c, names);
  TENON_REQUIRE(dtype_floating(t) || dtype_complex(t) || own_product(t, t), TENON_ERROR_DTYPE,
                "%s has no product of %s: bool, integers, float16, bfloat16, float32, float64, complex64, complex128, "
                "float8_e4m3fn and float8_e5m2 are supported",
                names.operation, dtype_name(t).c_str());
  TENON_REQUIRE(
      b.dtype() == t && (integers || t == result || (narrow && result == TENON_FLOAT32)), TENON_ERROR_DTYPE,
      "%s is %s, %s is %s and %s is %s: they must have the same dtype, or %s float32 with float16 or bfloat16, or "
      "int32 with int8",
      names.a, dtype_name(t).c_str(), names.b, dtype_name(b.dtype()).c_str(), names.c, dtype_name(result).c_str(),
      names.c);
  TENON_REQUIRE(dtype_complex(t) || (alpha.imag() == 0 && beta.imag() == 0), TENON_ERROR_INVALID_ARGUMENT,
                "alpha or beta has an imaginary part, but the arrays are %s", dtype_name(t).c_str());
  if (own_product(t, result)) return check_own(alpha, t, beta);
  check_factor(alpha, result, "alpha");
  check_factor(beta, result, "beta");
  TENON_REQUIRE(!integers || (whole(alpha.real()) && whole(beta.real())), TENON_ERROR_INVALID_ARGUMENT,
                "alpha is %g and beta %g: a product of int8 takes integers below 2^31", alpha.real(), beta.real());
}

void check_shapes(const Array& a, const Array& b, const Array& c, const GemmNames& names) {
  for (const auto& [x, what] : {std::pair{&a, names.a}, {&b, names.b}, {&c, names.c}})
    TENON_REQUIRE(x->rank() >= 2, TENON_ERROR_SHAPE, "%s has shape %s: a matrix must have at least two axes", what,
                  shape_text(x->shape()).c_str());
  TENON_REQUIRE(cols_of(a) == rows_of(b) && rows_of(a) == rows_of(c) && cols_of(b) == cols_of(c), TENON_ERROR_SHAPE,
                "%s of shape %s times %s of shape %s does not fit %s of shape %s: (m, k) times (k, n) gives (m, n)",
                names.a, shape_text(a.shape()).c_str(), names.b, shape_text(b.shape()).c_str(), names.c,
                shape_text(c.shape()).c_str());
  batch_strides(a, c, names.a, names.c);  // throws if the batches do not broadcast
  batch_strides(b, c, names.b, names.c);
}

void check(const Epilogue& e, const Array& c, const Device& device) {
  TENON_REQUIRE(e.kind >= TENON_EPILOGUE_NONE && e.kind <= TENON_EPILOGUE_GELU, TENON_ERROR_INVALID_ARGUMENT,
                "epilogue is %d: use TENON_EPILOGUE_NONE (0), RELU (1) or GELU (2)", e.kind);
  if (!e) return;
  TENON_REQUIRE(dtype_floating(c.dtype()), TENON_ERROR_DTYPE,
                "a bias or an epilogue needs float16, bfloat16, float32 or float64, but c is %s",
                dtype_name(c.dtype()).c_str());
  if (!e.bias) return;
  const int64_t n = cols_of(c);
  TENON_REQUIRE(e.bias->dtype() == c.dtype() && e.bias->rank() == 1 && e.bias->shape()[0] == n,
                e.bias->dtype() == c.dtype() ? TENON_ERROR_SHAPE : TENON_ERROR_DTYPE,
                "the bias is %s of shape %s: for c of shape %s and dtype %s it must have shape (%lld)",
                dtype_name(e.bias->dtype()).c_str(), shape_text(e.bias->shape()).c_str(), shape_text(c.shape()).c_str(),
                dtype_name(c.dtype()).c_str(), static_cast<long long>(n));
  require_on(*e.bias, device, "the bias");
  TENON_REQUIRE(overlap(c, *e.bias) == Overlap::disjoint, TENON_ERROR_OVERLAP, "c shares memory with the bias");
}

// If the left operand is one matrix for the whole batch, and the others are stored one after another, the batch is one
// wide product.
void widen(GemmProblem& p) {
  if (p.batch > 1 && p.stride_a == 0 && p.op_b == Op::none && p.stride_b == p.ldb * p.n && p.stride_c == p.ldc * p.n) {
    p.n *= p.batch;
    p.batch = 1;
    p.stride_b = p.stride_c = 0;
  }
}

// A product that has been checked, with its operands: nothing runs before enqueue().
class Product {
 public:
  Product(const Factor& alpha, const Array& a, Op op_a, const Array& b, Op op_b, const Factor& beta, Array& c,
          const GemmOptions& options, const GemmNames& names)
      : alpha_(alpha),
        beta_(beta),
        a_(applied(a, op_a, names.a)),
        b_(applied(b, op_b, names.b)),
        c_(c),
        options_(options) {
    conjugate_a_ = op_a == Op::conjugate_transpose && dtype_complex(a.dtype());
    conjugate_b_ = op_b == Op::conjugate_transpose && dtype_complex(b.dtype());
    check_dtypes(alpha.value(), *a_, *b_, beta.value(), c, names);
    check_shapes(*a_, *b_, c, names);
    TENON_REQUIRE(options.compute >= TENON_COMPUTE_STRICT && options.compute <= TENON_COMPUTE_BF16,
                  TENON_ERROR_INVALID_ARGUMENT,
                  "compute is %d: use TENON_COMPUTE_STRICT (0), TF32 (1), FAST (2) or BF16 (3)", options.compute);
  }

  void check_memory(const Device& device, const GemmNames& names) const {
    require_on(*a_, device, names.a);
    require_on(*b_, device, names.b);
    require_on(c_, device, names.c);
    require_writable(c_, names.c);
    check(options_.epilogue, c_, device);
    for (const auto& [factor, what] : {std::pair{&alpha_, "alpha"}, {&beta_, "beta"}}) {
      if (!factor->on_device()) continue;
      TENON_REQUIRE(!dtype_float8(a_->dtype()), TENON_ERROR_DTYPE,
                    "%s is an array, but the operands are float8, for which a factor must be a number on the host",
                    what);
      factor->check(c_.dtype(), device, what);
    }
    TENON_REQUIRE(overlap(c_, *a_) == Overlap::disjoint && overlap(c_, *b_) == Overlap::disjoint, TENON_ERROR_OVERLAP,
                  "%s shares memory with %s or %s: write the product to a separate array", names.c, names.a, names.b);
  }

  bool empty() const { return c_.size() == 0; }

  // Packs what has to be packed; afterwards only enqueue() and finish() are left.
  void prepare(int32_t& packed, Stream& stream) {
    int32_t own = 0;  // c is not counted
    target_.emplace(c_, !beta_.is(0), own, stream);
    alpha_ = alpha_.in(c_.dtype(), stream);
    beta_ = beta_.in(c_.dtype(), stream);
    if (options_.epilogue.bias) bias_ = contiguous(*options_.epilogue.bias, stream);
    options_.epilogue.bias = bias_.get();
    if (cols_of(*a_) == 0 || alpha_.is(0)) return prepare_scale(stream);
    // If c can be seen both ways, as vectors can: the way that packs less.
    const Array& c = **target_;
    const auto fitting = [&](bool by_rows) {
      return usable(Matrix(*a_, conjugate_a_), by_rows) + usable(Matrix(*b_, conjugate_b_), by_rows);
    };
    by_rows_ = stored(c, true) && !(stored(c, false) && fitting(false) > fitting(true));
    const int32_t before = packed;
    a_ = pack(*a_, conjugate_a_, by_rows_, packed, stream);
    b_ = pack(*b_, conjugate_b_, by_rows_, packed, stream);
    unpacked_ = packed == before;
  }

  const GemmProblem& problem() const { return p_; }
  // Is it one product of two matrices, which can be in a list?
  bool listed() const {
    return needed() && batches_.axes.empty() && p_.batch == 1 && !p_.has_epilogue() &&
           !own_product(p_.dtype, p_.result_dtype());
  }
  // Are all operands and the result used where the caller has them?
  bool unpacked() const { return unpacked_ && target_->in_place(); }
  void add_to(GemmList& list) const { list.a.push_back(p_.a), list.b.push_back(p_.b), list.c.push_back(p_.c); }
  // The matrices of entries that differ from this unpacked one in their addresses only.
  void add_to(GemmList& list, const std::vector<size_t>& entries, const Kinds& kinds) const {
    const auto add = [&](auto& to, const auto& places, const void* here, const void* one) {
      const int64_t step = static_cast<const char*>(here) - static_cast<const char*>(one);
      to.resize(entries.size());
      for (size_t i = 0; i < entries.size(); ++i) to[i] = places[entries[i]].data + step;
    };
    add(list.a, kinds.places[by_rows_ ? 1 : 0], p_.a, (by_rows_ ? b_ : a_)->data());
    add(list.b, kinds.places[by_rows_ ? 0 : 1], p_.b, (by_rows_ ? a_ : b_)->data());
    add(list.c, kinds.places[2], p_.c, c_.data());
  }

  // Writes the normal form. All operands can be used as they are.
  void form(Stream& stream) {
    if (!needed()) return;
    const Array& c = **target_;
    const Matrix ma(*a_, conjugate_a_), mb(*b_, conjugate_b_), mc(c);
    batches_ = Batches<3>({batch_strides(*a_, c, "a", "c"), batch_strides(*b_, c, "b", "c"),
                           Dims(Extents(c.strides().data(), size_t(c.rank()) - 2))},
                          batch_of(c));
    p_.result = c.dtype();
    p_.compute = options_.compute;
    p_.tune = options_.tune && !stream.device().context().settings().deterministic();
    p_.alpha = alpha_.value();
    p_.beta = beta_.value();
    p_.alpha_at = alpha_.at();
    p_.beta_at = beta_.at();
    p_.k = ma.cols;
    // Rows are dense: the transposed problem, in which a and b are exchanged.
    stored(mc, by_rows_, p_.ldc);
    p_.dtype = (by_rows_ ? *b_ : *a_).dtype();
    p_.other = (by_rows_ ? *a_ : *b_).dtype();
    p_.m = by_rows_ ? mc.cols : mc.rows;
    p_.n = by_rows_ ? mc.rows : mc.cols;
    operand(by_rows_ ? mb : ma, by_rows_, p_.op_a, p_.lda);
    operand(by_rows_ ? ma : mb, by_rows_, p_.op_b, p_.ldb);
    const auto inner = batches_.take_longest([](const auto& axis) { return axis.step[0] >= 0 && axis.step[1] >= 0; });
    p_.batch = inner.extent;
    p_.stride_a = inner.step[by_rows_ ? 1 : 0];
    p_.stride_b = inner.step[by_rows_ ? 0 : 1];
    p_.stride_c = inner.step[2];
    p_.epilogue = options_.epilogue.kind;
    p_.bias = bias_.get() ? bias_->data() : nullptr;
    p_.bias_of_columns = !by_rows_;
    if (!p_.bias_of_columns || !p_.bias) widen(p_);
    place(batches_.first);
  }

  void use(Stream& stream) const {
    if (bias_.get()) bias_->buffer().use(stream, false);
    alpha_.use(stream);
    beta_.use(stream);
    a_->buffer().use(stream, false);
    b_->buffer().use(stream, false);
    (*target_)->buffer().use(stream, true);
  }

  void enqueue(Stream& stream) {
    if (filled_) return fill(**target_, 0, 0, &stream);
    if (kept_) return;
    use(stream);
    batches_.each([&](const std::array<int64_t, 3>& first) {
      place(first);
      run_product(p_, stream);
    });
  }

  void finish(Stream& stream) { target_->finish(stream); }

 private:
  bool needed() const { return !filled_ && !kept_; }  // is there work for the device?

  static Ref<Array> applied(const Array& x, Op op, const char* what) {
    TENON_REQUIRE(x.rank() >= 2, TENON_ERROR_SHAPE, "%s has shape %s: a matrix must have at least two axes", what,
                  shape_text(x.shape()).c_str());
    return op == Op::none ? Ref<Array>(const_cast<Array*>(&x)) : swapped(x);
  }

  void place(const std::array<int64_t, 3>& first) {
    const char* left = static_cast<const char*>(a_->data()) + first[0] * dtype_bytes(a_->dtype());
    const char* right = static_cast<const char*>(b_->data()) + first[1] * dtype_bytes(b_->dtype());
    p_.a = by_rows_ ? right : left;
    p_.b = by_rows_ ? left : right;
    p_.c = static_cast<char*>((*target_)->data()) + first[2] * dtype_bytes(c_.dtype());
  }

  // c = beta c, when nothing is added because k or alpha is 0. BLAS gets a product with alpha 0 whose operands are
  // zeros, too, because not every library leaves them unread.
  void prepare_scale(Stream& stream) {
    const Array& c = **target_;
    filled_ = beta_.is(0) && !options_.epilogue;
    kept_ = beta_.is(1) && !options_.epilogue;
    by_rows_ = stored(c, true);
    if (!needed()) return;
    Dims left(c.shape()), right(c.shape());
    left[c.rank() - 1] = right[c.rank() - 2] = 1;
    const Dtype dtype = dtype_float8(a_->dtype()) ? c.dtype() : a_->dtype();
    for (auto& [x, shape] : {std::pair<Ref<Array>&, Dims&>{a_, left}, {b_, right}}) {
      x = Array::create(stream.device(), dtype, shape, stream);
      fill(*x, 0, 0, &stream);
    }
    alpha_ = 0;
    conjugate_a_ = conjugate_b_ = options_.tune = false;
  }

  Factor alpha_, beta_;
  Ref<Array> a_, b_, bias_;
  Array& c_;
  GemmOptions options_;
  bool conjugate_a_, conjugate_b_, by_rows_ = false, filled_ = false, kept_ = false, unpacked_ = false;
  std::optional<Destination> target_;
  GemmProblem p_{};
  Batches<3> batches_{{}, {}};
};

}  // namespace

int32_t gemm(const Factor& alpha, const Array& a, Op op_a, const Array& b, Op op_b, const Factor& beta, Array& c,
             const GemmOptions& options, Stream* given, const GemmNames& names) {
  Product product(alpha, a, op_a, b, op_b, beta, c, options, names);
  Device& device = given ? given->device() : c.device();
  Stream& stream = stream_or_default(given, device);
  product.check_memory(device, names);
  if (product.empty()) return 0;
  return recorded_whole(stream, [&] {
    int32_t packed = 0;
    product.prepare(packed, stream);
    product.form(stream);
    product.enqueue(stream);
    product.finish(stream);
    return packed;
  });
}

namespace {

// May two products share one list?
bool alike(const GemmProblem& x, const GemmProblem& y) {
  return x.dtype == y.dtype && x.other == y.other && x.result == y.result && x.m == y.m && x.n == y.n && x.k == y.k &&
         x.op_a == y.op_a && x.op_b == y.op_b && x.lda == y.lda && x.ldb == y.ldb && x.ldc == y.ldc &&
         x.alpha == y.alpha && x.alpha_at == y.alpha_at && x.beta_at == y.beta_at;
}

// A product of one matrix, or one for each entry of a list.
struct Listed {
  GemmProblem problem;
  GemmList list;
};

void append(GemmList& to, const GemmList& from) {
  to.a.insert(to.a.end(), from.a.begin(), from.a.end());
  to.b.insert(to.b.end(), from.b.begin(), from.b.end());
  to.c.insert(to.c.end(), from.c.begin(), from.c.end());
}

// Those that are alike become one list, in the order of the first ones.
std::vector<GemmProblem> in_lists(std::vector<Listed>& given) {
  std::vector<GemmProblem> out;
  std::vector<std::shared_ptr<GemmList>> lists;
  std::multimap<std::array<int64_t, 3>, size_t> places;  // by extents
  for (Listed& one : given) {
    const GemmProblem& p = one.problem;
    const std::array<int64_t, 3> extents{p.m, p.n, p.k};
    auto [first, last] = places.equal_range(extents);
    const auto found = std::find_if(first, last, [&](const auto& place) { return alike(out[place.second], p); });
    if (found != last) {
      append(*lists[found->second], one.list);
      continue;
    }
    places.emplace(extents, out.size());
    out.push_back(p);
    lists.push_back(std::make_shared<GemmList>(std::move(one.list)));
  }
  for (size_t i = 0; i < out.size(); ++i) {
    out[i].batch = int64_t(lists[i]->a.size());
    if (out[i].batch > 1) out[i].list = std::move(lists[i]);
  }
  return out;
}

// Orders the stream behind other uses of the arrays of a list. Neighbours are often views of one buffer.
void use_all(const std::vector<size_t>& entries, const std::vector<Kinds::Place>& places, bool write, Stream& stream) {
  const Buffer* before = nullptr;
  for (const size_t entry : entries) {
    Buffer* const buffer = places[entry].buffer;
    if (buffer != before) buffer->use(stream, write);
    before = buffer;
  }
}

}  // namespace

int32_t gemm_grouped(const Factor& alpha, std::span<const Array* const> a, Op op_a, std::span<const Array* const> b,
                     Op op_b, const Factor& beta, std::span<Array* const> c, const GemmOptions& options,
                     Stream* given) {
  if (c.empty()) return 0;
  Device& device = given ? given->device() : c[0]->device();
  Stream& stream = stream_or_default(given, device);
  const ProductLists lists{a, b, c};
  const Kinds all = kinds_of(lists);
  const std::vector<std::vector<size_t>>& kinds = all.entries;
  std::deque<Product> products;  // the first of each kind; then those that cannot be done together with it
  const auto add = [&](size_t i) {
    products.emplace_back(alpha, *a[i], op_a, *b[i], op_b, beta, *c[i], options, GemmNames());
  };
  for (const std::vector<size_t>& kind : kinds)
    for_entry(kind[0], [&] { add(kind[0]), products.back().check_memory(device, {}); });
  require_apart(lists, all);
  return recorded_whole(stream, [&] {
    int32_t packed = 0;
    for (size_t k = 0; k < kinds.size(); ++k) {
      if (products[k].empty()) continue;
      products[k].prepare(packed, stream), products[k].form(stream);
      if (products[k].listed() && products[k].unpacked()) continue;
      for (size_t i = 1; i < kinds[k].size(); ++i)
        add(kinds[k][i]), products.back().prepare(packed, stream), products.back().form(stream);
    }
    std::vector<Listed> listed;
    for (size_t k = 0; k < products.size(); ++k) {
      Product& p = products[k];
      if (p.empty()) continue;
      if (!p.listed()) {
        p.enqueue(stream);
        continue;
      }
      p.use(stream);
      listed.push_back({p.problem(), {}});
      if (k >= kinds.size() || !p.unpacked()) {
        p.add_to(listed.back().list);
        continue;
      }
      for (size_t which = 0; which < 3; ++which) use_all(kinds[k], all.places[which], which == 2, stream);
      p.add_to(listed.back().list, kinds[k], all);
    }
    GroupedGemmProblem groups{in_lists(listed)};
    if (groups.products.size() == 1) device.run(groups.products[0], stream);
    else if (!groups.products.empty()) device.run(groups, stream);
    for (Product& p : products)
      if (!p.empty()) p.finish(stream);
    return packed;
  });
}

}  // namespace tenon::ops
