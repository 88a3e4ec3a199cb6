// ops/products/einsum.cpp: Einstein sums over two operands as one batched matrix product, and over more as several.
//
// Every letter is an axis of the batch (both operands and the result have it), of the rows (the first and the result),
// of the columns (the second and the result) or of the sum. Views bring the operands to (batch, rows, sum) and (batch,
// sum, columns); where their strides do not merge, the operand is packed once. Summed axes of only one operand are
// summed there first.
#include <tenon/linalg.h>
#include <algorithm>
#include "core/device/recording.hpp"
#include "ops/products/einsum_path.hpp"
#include "ops/matrix.hpp"
#include "ops/products/products.hpp"

namespace tenon::ops {
namespace {

constexpr int kEllipsis = 256;  // the labels of its axes start here, counted from the last axis

struct Term {
  std::string letters;  // one per axis; '.' once for an ellipsis
};

Term term_from(const std::string& text, const std::string& all) {
  Term out;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
      out.letters += c;
    } else if (text.compare(i, 3, "...") == 0 && out.letters.find('.') == std::string::npos) {
      out.letters += '.';
      i += 2;
    } else {
      fail(TENON_ERROR_INVALID_ARGUMENT,
           "\"%s\" has an unexpected '%c': a term consists of letters and at most one ellipsis \"...\"", all.c_str(),
           c);
    }
  }
  return out;
}

struct Subscripts {
  std::vector<Term> operands;
  Term result;
  bool has_result;
};

Subscripts parse(const std::string& given, size_t count) {
  std::string text;
  for (char c : given)
    if (c != ' ') text += c;
  const size_t arrow = text.find("->");
  const std::string left = text.substr(0, arrow);
  Subscripts out{{}, term_from(arrow == text.npos ? "" : text.substr(arrow + 2), given), arrow != text.npos};
  for (size_t begin = 0, end; begin != text.npos; begin = end == text.npos ? end : end + 1) {
    end = left.find(',', begin);
    out.operands.push_back(term_from(left.substr(begin, end - begin), given));
  }
  TENON_REQUIRE(out.operands.size() == count, TENON_ERROR_INVALID_ARGUMENT,
                "\"%s\" is for %zu operands, but %zu were given", given.c_str(), out.operands.size(), count);
  return out;
}

// An axis of the sum with its strides in both operands: 0 if the operand does not have it, or has it with extent 1.
struct Axis {
  int label;
  int64_t extent;
  int64_t a, b;
  bool in_a, in_b, in_result;
  int64_t extent_a, extent_b;  // 1 if the operand does not have it
  bool lone() const { return !in_result && (extent_a == 1) != (extent_b == 1); }
};

class Sum {
 public:
  // The labels of the axes of both operands and of the result; axes with the same label belong together. `text` is for
  // messages.
  Sum(const std::string& text, const std::vector<int>& of_a, const Array& a, const std::vector<int>& of_b,
      const Array& b)
      : text_(text) {
    read(of_a, a, true);
    read(of_b, b, false);
  }
  void set_result(std::vector<int> labels);

  std::vector<Axis> axes;
  std::vector<int> result;  // its labels
  const std::string& text() const { return text_; }

  const Axis& axis(int label) const {
    return *std::find_if(axes.begin(), axes.end(), [label](const Axis& x) { return x.label == label; });
  }

 private:
  static std::string name(int label) {
    return label < kEllipsis ? std::string("'") + char(label) + "'" : "the ellipsis";
  }

  void read(const std::vector<int>& own, const Array& x, bool first) {
    for (int32_t i = 0; i < x.rank(); ++i) {
      const int label = own[size_t(i)];
      const int64_t extent = x.shape()[i];
      auto found = std::find_if(axes.begin(), axes.end(), [label](const Axis& y) { return y.label == label; });
      if (found == axes.end()) found = axes.insert(axes.end(), {label, extent, 0, 0, false, false, false, 1, 1});
      bool& here = first ? found->in_a : found->in_b;
      const bool widens = (found->extent == 1 || extent == 1) && !here;
      TENON_REQUIRE(found->extent == extent || widens, TENON_ERROR_SHAPE,
                    "\"%s\": %s has extent %lld in one operand and %lld in another", text_.c_str(), name(label).c_str(),
                    static_cast<long long>(found->extent), static_cast<long long>(extent));
      if (found->extent == 1) found->extent = extent;
      here = true;
      (first ? found->extent_a : found->extent_b) = extent;
      if (extent != 1) (first ? found->a : found->b) += x.strides()[i];  // a repeated letter is a diagonal
    }
  }

  const std::string& text_;
};

void Sum::set_result(std::vector<int> labels) {
  result = std::move(labels);
  for (const int label : result) {
    auto found = std::find_if(axes.begin(), axes.end(), [label](const Axis& y) { return y.label == label; });
    TENON_REQUIRE(found != axes.end(), TENON_ERROR_INVALID_ARGUMENT, "\"%s\": %s is in the result but in no operand",
                  text_.c_str(), name(label).c_str());
    TENON_REQUIRE(!found->in_result, TENON_ERROR_INVALID_ARGUMENT, "\"%s\": %s is in the result twice", text_.c_str(),
                  name(label).c_str());
    found->in_result = true;
  }
}

std::vector<int> labels_of(const std::string& text, const Term& term, int32_t rank, const char* what) {
  const int32_t named = int32_t(term.letters.size()) - int32_t(term.letters.find('.') != std::string::npos);
  const bool open = named < int32_t(term.letters.size());
  TENON_REQUIRE(open ? rank >= named : rank == named, TENON_ERROR_SHAPE, "\"%s\" gives %s %d axes, but it has %d",
                text.c_str(), what, named, rank);
  std::vector<int> out;
  for (char c : term.letters) {
    if (c != '.') out.push_back(c);
    else
      for (int32_t i = rank - named; i-- > 0;) out.push_back(kEllipsis + i);
  }
  return out;
}

std::vector<int> result_of(const std::string& text, const Subscripts& parsed,
                           const std::vector<std::vector<int>>& labels) {
  int32_t open = 0;
  std::vector<int> all;
  for (const std::vector<int>& one : labels)
    for (const int label : one) {
      open = std::max(open, label - kEllipsis + 1);
      if (std::find(all.begin(), all.end(), label) == all.end()) all.push_back(label);
    }
  if (parsed.has_result) {
    const bool has_open = parsed.result.letters.find('.') != std::string::npos;
    TENON_REQUIRE(open == 0 || has_open, TENON_ERROR_INVALID_ARGUMENT,
                  "\"%s\": the operands have an ellipsis, but the result does not", text.c_str());
    const int32_t named = int32_t(parsed.result.letters.size()) - int32_t(has_open);
    return labels_of(text, parsed.result, named + open, "the result");
  }
  // As in NumPy: the ellipsis, then the letters that appear once, in alphabetical order.
  std::string letters;
  for (const Term& term : parsed.operands) letters += term.letters;
  std::vector<int> result;
  for (const int label : all)
    if (label >= kEllipsis || std::count(letters.begin(), letters.end(), char(label)) == 1) result.push_back(label);
  std::sort(result.begin(), result.end(),
            [](int x, int y) { return x >= kEllipsis || y >= kEllipsis ? x > y : x < y; });
  return result;
}

// The axes of one group, and their strides in one operand.
using Group = std::vector<const Axis*>;

int64_t extent_of(const Group& group) {
  int64_t n = 1;
  for (const Axis* x : group) n *= x->extent;
  return n;
}

// A view with one axis per axis of the batch, and one for each of two groups; NULL if the strides cannot be merged.
Ref<Array> merged(const Array& x, const Dims& shape, const Dims& strides, const Dims& target) {
  Dims out;
  if (!reshape_strides(shape, strides, target, out)) return {};
  return x.with(target, out, 0, x.read_only());
}

Ref<Array> operand(const Array& x, const Group& batch, const Group& rows, const Group& cols, int64_t Axis::* stride,
                   int32_t& packed, Stream& stream) {
  std::vector<int64_t> shape, strides, target;
  for (const Group* group : {&batch, &rows, &cols})
    for (const Axis* axis : *group) {
      shape.push_back(axis->extent);
      strides.push_back(axis->*stride);
    }
  for (const Axis* axis : batch) target.push_back(axis->extent);
  target.push_back(extent_of(rows));
  target.push_back(extent_of(cols));
  if (Ref<Array> view = merged(x, Extents(shape), Extents(strides), Extents(target))) return view;
  ++packed;
  return copy_of(*x.with(Extents(shape), Extents(strides), 0, x.read_only()), stream)->reshape(target);
}

// An operand, summed over the summed axes that only it has, C-ordered in the order of `labels`, which receives the
// remaining labels. Sums of integers and narrow floats need a wider dtype than their own.
Ref<Array> without_lone(const Sum& sum, const Array& x, bool first, std::vector<int>& labels, int32_t& packed,
                        Stream& stream) {
  const auto stride = first ? &Axis::a : &Axis::b, extent = first ? &Axis::extent_a : &Axis::extent_b;
  Group lone;
  std::vector<int64_t> kept_shape, extents, steps;
  for (const bool gone : {false, true})
    for (const Axis& axis : sum.axes) {
      if (!(first ? axis.in_a : axis.in_b) || (axis.lone() && axis.*extent != 1) != gone) continue;
      if (gone) lone.push_back(&axis);
      extents.push_back(axis.*extent);
      steps.push_back(axis.*stride);
      if (!gone) labels.push_back(axis.label), kept_shape.push_back(axis.*extent);
    }
  Ref<Array> out = x.with(Extents(extents), Extents(steps), 0, x.read_only());
  const Dtype t = x.dtype();
  const Dtype wide = t == TENON_INT8 ? TENON_FLOAT64 : t == TENON_FLOAT16 || t == TENON_BFLOAT16 ? TENON_FLOAT32 : t;
  if (wide != t) out = convert(*out, wide, stream.device(), &stream);
  if (lone.empty()) return out;
  const Dims target{element_count(Extents(kept_shape)), extent_of(lone)};
  Ref<Array> matrix = merged(*out, out->shape(), out->strides(), target);
  if (!matrix) {
    ++packed;
    matrix = copy_of(*out, stream)->reshape(target);
  }
  const Ref<Array> ones = Array::create(stream.device(), wide, Dims{target[1], 1}, stream);
  if (ones->size()) fill(*ones, 1, 0, &stream);
  return product(*matrix, *ones, stream)->reshape(Extents(kept_shape));
}

Ref<Array> contract(const Sum& sum, const Array& a, const Array& b, int32_t compute, int32_t& packed, Stream& stream,
                    const Output& output) {
  std::vector<int64_t> shape;
  for (int label : sum.result) shape.push_back(sum.axis(label).extent);
  output.check(product_dtype(a.dtype()), Extents(shape), stream.device(), {{a, "a"}, {b, "b"}});
  if (std::any_of(sum.axes.begin(), sum.axes.end(), [](const Axis& x) { return x.lone(); }))
    return recorded_whole(stream, [&] {
      std::vector<int> of_a, of_b;
      int32_t before = 0;
      const Ref<Array> left = without_lone(sum, a, true, of_a, before, stream),
                       right = without_lone(sum, b, false, of_b, before, stream);
      Sum rest(sum.text(), of_a, *left, of_b, *right);
      rest.set_result(sum.result);
      Ref<Array> out = contract(rest, *left, *right, compute, packed, stream, {});
      packed += before;
      if (a.dtype() == TENON_INT8)
        out = convert(*out, TENON_INT64, stream.device(), &stream);  // from there modulo 2^32, as in gemm
      const Dtype wanted = product_dtype(a.dtype());
      return output.deliver(out->dtype() == wanted ? out : convert(*out, wanted, stream.device(), &stream), stream);
    });
  Group batch, rows, cols, summed;
  for (int label : sum.result) {
    const Axis& x = sum.axis(label);
    (x.in_a && x.in_b ? batch : x.in_a ? rows : cols).push_back(&x);
  }
  for (const Axis& x : sum.axes)
    if (!x.in_result) summed.push_back(&x);
  const Ref<Array> out = output.open(product_dtype(a.dtype()), Extents(shape), stream, {});
  packed = 0;
  if (out->size() == 0) return out;
  return recorded_whole(stream, [&] {
    // The result as (batch, rows, columns): a view of it where its axes merge that way, else an array of its own.
    std::vector<int64_t> c_shape, c_strides, target;
    for (const Group* group : {&batch, &rows, &cols})
      for (const Axis* axis : *group) {
        const auto place = std::find(sum.result.begin(), sum.result.end(), axis->label) - sum.result.begin();
        c_shape.push_back(axis->extent);
        c_strides.push_back(out->strides()[int32_t(place)]);
      }
    for (const Axis* axis : batch) target.push_back(axis->extent);
    target.push_back(extent_of(rows));
    target.push_back(extent_of(cols));
    const Ref<Array> placed = out->with(Extents(c_shape), Extents(c_strides), 0, false);
    Ref<Array> c = merged(*out, Extents(c_shape), Extents(c_strides), Extents(target));
    const bool direct = bool(c);
    if (!direct) c = Array::create(stream.device(), out->dtype(), Extents(target), stream);
    const Ref<Array> left = operand(a, batch, rows, summed, &Axis::a, packed, stream),
                     right = operand(b, batch, summed, cols, &Axis::b, packed, stream);
    packed += gemm(1.0, *left, Op::none, *right, Op::none, 0.0, *c, compute, &stream);
    if (!direct) copy(*placed, *c->reshape(Extents(c_shape)), &stream);
    return out;
  });
}

// The stream of a sum over both operands.
Stream& stream_of(const Array& a, const Array& b, Stream* given) {
  Stream& stream = stream_or_default(given, given ? given->device() : a.device());
  require_on(a, stream.device(), "a");
  require_on(b, stream.device(), "b");
  require_same_dtype(a, b);
  return stream;
}

// The extent of each label; Sum reports those that differ.
template <class Arrays> EinsumTerms terms_of(const Arrays& operands, const std::vector<std::vector<int>>& labels,
                                             const std::vector<int>& result) {
  EinsumTerms terms{labels, result, {}};
  for (size_t i = 0; i < operands.size(); ++i)
    for (int32_t d = 0; d < operands[i]->rank(); ++d) {
      const int label = labels[i][size_t(d)];
      const int64_t extent = operands[i]->shape()[d];
      const auto found = std::find_if(terms.extents.begin(), terms.extents.end(),
                                      [label](const auto& known) { return known.first == label; });
      if (found == terms.extents.end()) terms.extents.emplace_back(label, extent);
      else if (found->second == 1) found->second = extent;
    }
  return terms;
}

// Pair by pair, in a good order. A label is kept as long as another term or the result has it.
Ref<Array> chain(const std::string& text, std::vector<Ref<Array>> operands, std::vector<std::vector<int>> labels,
                 const std::vector<int>& result, int32_t compute, int32_t& packed, Stream& stream, const Output& out) {
  const auto path = einsum_path(terms_of(operands, labels, result));
  const auto wanted = [&](int label) {
    const auto in = [label](const std::vector<int>& list) {
      return std::find(list.begin(), list.end(), label) != list.end();
    };
    return in(result) || std::any_of(labels.begin(), labels.end(), in);
  };
  for (const auto& [a, b] : path) {
    const bool last = &a == &path.back().first;
    const Ref<Array> left = std::move(operands[a]), right = std::move(operands[b]);
    const std::vector<int> of_left = std::move(labels[a]), of_right = std::move(labels[b]);
    labels[a].clear(), labels[b].clear();
    Sum step(text, of_left, *left, of_right, *right);
    std::vector<int> kept;
    for (const Axis& axis : step.axes)
      if (wanted(axis.label)) kept.push_back(axis.label);
    if (last) kept = result;
    step.set_result(kept);
    int32_t here = 0;
    operands.push_back(contract(step, *left, *right, compute, here, stream, last ? out : Output()));
    labels.push_back(std::move(kept));
    packed += here;
  }
  return operands.back();
}

}  // namespace

Ref<Array> einsum(const std::string& text, std::span<const Array* const> operands, int32_t compute, int32_t& packed,
                  Stream* given, const Output& out) {
  const size_t count = operands.size();
  const Array& first = *operands[0];
  Stream& stream = stream_or_default(given, given ? given->device() : first.device());
  const Subscripts parsed = parse(text, count);
  std::vector<std::vector<int>> labels;
  for (size_t i = 0; i < count; ++i) {
    const std::string name = format("operands[%zu]", i);
    require_on(*operands[i], stream.device(), name.c_str());
    require_same_dtype(first, *operands[i], "operands[0]", name.c_str());
    labels.push_back(labels_of(text, parsed.operands[i], operands[i]->rank(), name.c_str()));
  }
  const std::vector<int> result = result_of(text, parsed, labels);
  if (count == 2) {
    Sum sum(text, labels[0], first, labels[1], *operands[1]);
    sum.set_result(result);
    return contract(sum, first, *operands[1], compute, packed, stream, out);
  }
  return recorded_whole(stream, [&] {
    std::vector<Ref<Array>> all;
    for (const Array* x : operands) all.emplace_back(const_cast<Array*>(x));
    if (count == 1) {  // a sum with the number 1
      all.push_back(Array::create(stream.device(), first.dtype(), Dims(), stream));
      fill(*all[1], 1, 0, &stream);
      labels.emplace_back();
    } else {
      for (const Array* x : operands)
        if (out.given())
          TENON_REQUIRE(overlap(*out.given(), *x) == Overlap::disjoint, TENON_ERROR_OVERLAP,
                        "out_sum shares memory with an operand: it must be a separate array");
      if (first.dtype() == TENON_INT8)
        for (Ref<Array>& x : all) x = convert(*x, TENON_INT32, stream.device(), &stream);
    }
    return chain(text, std::move(all), std::move(labels), result, compute, packed, stream, out);
  });
}

std::vector<std::pair<size_t, size_t>> einsum_order(const std::string& text, std::span<const Array* const> operands) {
  const Subscripts parsed = parse(text, operands.size());
  std::vector<std::vector<int>> labels;
  for (size_t i = 0; i < operands.size(); ++i)
    labels.push_back(labels_of(text, parsed.operands[i], operands[i]->rank(), format("operands[%zu]", i).c_str()));
  const std::vector<int> result = result_of(text, parsed, labels);
  return einsum_path(terms_of(operands, labels, result));
}

Ref<Array> tensordot(const Array& a, const Array& b, const int32_t* axes_a, const int32_t* axes_b, int32_t count,
                     int32_t compute, int32_t& packed, Stream* given, const Output& out) {
  Stream& stream = stream_of(a, b, given);
  TENON_REQUIRE(!axes_a == !axes_b, TENON_ERROR_INVALID_ARGUMENT,
                "axes_%s is NULL but axes_%s is not: give both lists or neither", axes_a ? "b" : "a",
                axes_a ? "a" : "b");
  const std::string shapes = "a " + shape_text(a.shape()) + " and b " + shape_text(b.shape());
  TENON_REQUIRE(count >= 0 && count <= std::min(a.rank(), b.rank()), TENON_ERROR_INVALID_ARGUMENT,
                "%d pairs of axes are to be summed over: their number must be from 0 to the smaller rank of %s", count,
                shapes.c_str());
  TENON_REQUIRE(a.rank() + b.rank() - 2 * count <= TENON_MAX_RANK, TENON_ERROR_SHAPE,
                "the result would have %d axes: at most %d are allowed", a.rank() + b.rank() - 2 * count,
                TENON_MAX_RANK);
  std::vector<int> of_a, of_b, result;
  for (int32_t i = 0; i < a.rank(); ++i) of_a.push_back(i);
  for (int32_t i = 0; i < b.rank(); ++i) of_b.push_back(a.rank() + i);
  if (count) {
    std::vector<int32_t> first(static_cast<size_t>(count));
    for (int32_t i = 0; i < count; ++i) first[size_t(i)] = i;
    const std::vector<int32_t> left = chosen_axes(a.rank(), axes_a, count, "summed over"),
                               right = chosen_axes(b.rank(), axes_b ? axes_b : first.data(), count, "summed over");
    for (size_t i = 0; i < left.size(); ++i) {
      TENON_REQUIRE(a.shape()[left[i]] == b.shape()[right[i]], TENON_ERROR_SHAPE,
                    "%s: axis %d of a and axis %d of b are to be summed over together, but their extents differ",
                    shapes.c_str(), left[i], right[i]);
      of_b[size_t(right[i])] = left[i];
    }
  }
  for (const auto& [own, other] : {std::pair{&of_a, &of_b}, {&of_b, &of_a}})
    for (const int label : *own)
      if (std::find(other->begin(), other->end(), label) == other->end()) result.push_back(label);
  const std::string text = "tensordot";
  Sum sum(text, of_a, a, of_b, b);
  sum.set_result(std::move(result));
  return contract(sum, a, b, compute, packed, stream, out);
}

}  // namespace tenon::ops
