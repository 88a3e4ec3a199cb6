// ops/einsum.cpp: Einstein sums over two operands as one batched matrix product.
//
// Every letter is an axis of the batch (both operands and the result have it), of the rows (the first and the result), of the
// columns (the second and the result) or of the sum. Views bring the operands to (batch, rows, sum) and (batch, sum, columns);
// where their strides do not merge, the operand is packed once.
#include <tenon/linalg.h>
#include <algorithm>
#include "core/recording.hpp"
#include "ops/matrix.hpp"
#include "ops/ops.hpp"

namespace tenon::ops {
namespace {

constexpr int kEllipsis = 256;  // the labels of its axes, counted from the last one

struct Term {
  std::string letters;  // of the axes; '.' once for an ellipsis
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
           "\"%s\" has a '%c' that has no meaning there: a term is letters and at most one ellipsis \"...\"", all.c_str(), c);
    }
  }
  return out;
}

struct Subscripts { Term a, b, result; bool has_result; };

Subscripts parse(const std::string& given) {
  std::string text;
  for (char c : given)
    if (c != ' ') text += c;
  const size_t arrow = text.find("->"), comma = text.find(',');
  TENON_REQUIRE(comma != text.npos && (arrow == text.npos || comma < arrow) && text.find(',', comma + 1) == text.npos,
                TENON_ERROR_INVALID_ARGUMENT, "\"%s\" is not for two operands: it must be like \"ij,jk->ik\"", given.c_str());
  const std::string left = text.substr(0, arrow);
  return {term_from(left.substr(0, comma), given), term_from(left.substr(comma + 1), given),
          term_from(arrow == text.npos ? "" : text.substr(arrow + 2), given), arrow != text.npos};
}

// An axis of the sum with its strides in both operands: 0 where an operand does not have it.
struct Axis {
  int label;
  int64_t extent;
  int64_t a, b;
  bool in_a, in_b, in_result;
};

class Sum {
 public:
  Sum(const std::string& text, const Array& a, const Array& b) : text_(text), parsed_(parse(text)) {
    read(parsed_.a, a, true);
    read(parsed_.b, b, false);
    read_result();
  }

  std::vector<Axis> axes;
  std::vector<int> result;  // its labels

  const Axis& axis(int label) const {
    return *std::find_if(axes.begin(), axes.end(), [label](const Axis& x) { return x.label == label; });
  }

 private:
  static std::string name(int label) { return label < kEllipsis ? std::string("'") + char(label) + "'" : "the ellipsis"; }

  std::vector<int> labels(const Term& term, int32_t rank, const char* what) {
    const int32_t named = int32_t(term.letters.size()) - int32_t(term.letters.find('.') != std::string::npos);
    const bool open = named < int32_t(term.letters.size());
    TENON_REQUIRE(open ? rank >= named : rank == named, TENON_ERROR_SHAPE, "\"%s\" gives %s %d axes, and it has %d", text_.c_str(),
                  what, named, rank);
    std::vector<int> out;
    for (char c : term.letters) {
      if (c != '.') out.push_back(c);
      else
        for (int32_t i = rank - named; i-- > 0;) out.push_back(kEllipsis + i);
    }
    return out;
  }

  void read(const Term& term, const Array& x, bool first) {
    const std::vector<int> own = labels(term, x.rank(), first ? "a" : "b");
    std::vector<int64_t> seen_extent;
    for (int32_t i = 0; i < x.rank(); ++i) {
      const int label = own[size_t(i)];
      auto found = std::find_if(axes.begin(), axes.end(), [label](const Axis& y) { return y.label == label; });
      if (found == axes.end()) found = axes.insert(axes.end(), {label, x.shape()[i], 0, 0, false, false, false});
      const bool widens = label >= kEllipsis && (found->extent == 1 || x.shape()[i] == 1);
      TENON_REQUIRE(found->extent == x.shape()[i] || widens, TENON_ERROR_SHAPE, "\"%s\": %s is %lld and %lld", text_.c_str(),
                    name(label).c_str(), static_cast<long long>(found->extent), static_cast<long long>(x.shape()[i]));
      if (found->extent == 1) found->extent = x.shape()[i];
      (first ? found->in_a : found->in_b) = true;
      if (x.shape()[i] != 1) (first ? found->a : found->b) += x.strides()[i];  // a letter twice is a diagonal
    }
  }

  void read_result() {
    if (parsed_.has_result) {
      int32_t open = 0;
      for (const Axis& x : axes) open += x.label >= kEllipsis;
      const bool has_open = parsed_.result.letters.find('.') != std::string::npos;
      TENON_REQUIRE(open == 0 || has_open, TENON_ERROR_INVALID_ARGUMENT,
                    "\"%s\": the operands have an ellipsis and the result has none", text_.c_str());
      result = labels(parsed_.result, int32_t(parsed_.result.letters.size()) - int32_t(has_open) + open, "the result");
    } else {  // as NumPy: the ellipsis, then the letters that appear once, in alphabetical order
      const std::string all = parsed_.a.letters + parsed_.b.letters;
      for (const Axis& x : axes)
        if (x.label >= kEllipsis || std::count(all.begin(), all.end(), char(x.label)) == 1) result.push_back(x.label);
      std::sort(result.begin(), result.end(), [](int x, int y) { return x >= kEllipsis || y >= kEllipsis ? x > y : x < y; });
    }
    for (size_t i = 0; i < result.size(); ++i) {
      const int label = result[i];
      auto found = std::find_if(axes.begin(), axes.end(), [label](const Axis& y) { return y.label == label; });
      TENON_REQUIRE(found != axes.end(), TENON_ERROR_INVALID_ARGUMENT, "\"%s\": %s is in the result and in no operand",
                    text_.c_str(), name(label).c_str());
      TENON_REQUIRE(!found->in_result, TENON_ERROR_INVALID_ARGUMENT, "\"%s\": %s is in the result twice", text_.c_str(),
                    name(label).c_str());
      found->in_result = true;
    }
  }

  const std::string& text_;
  Subscripts parsed_;
};

// The axes of one kind, and which strides they have somewhere.
using Group = std::vector<const Axis*>;

int64_t extent_of(const Group& group) {
  int64_t n = 1;
  for (const Axis* x : group) n *= x->extent;
  return n;
}

// A view with an axis for each of the batch, and one each for two groups; nothing where the strides do not merge.
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

}  // namespace

Ref<Array> einsum(const std::string& text, const Array& a, const Array& b, int32_t compute, int32_t& packed, Stream* given) {
  Stream& stream = stream_or_default(given, given ? given->device() : a.device());
  require_on(a, stream.device(), "a");
  require_on(b, stream.device(), "b");
  require_same_dtype(a, b);
  const Sum sum(text, a, b);
  Group batch, rows, cols, summed;
  std::vector<int64_t> shape;
  for (int label : sum.result) {
    const Axis& x = sum.axis(label);
    shape.push_back(x.extent);
    (x.in_a && x.in_b ? batch : x.in_a ? rows : cols).push_back(&x);
  }
  for (const Axis& x : sum.axes)
    if (!x.in_result) summed.push_back(&x);
  const Ref<Array> out = Array::create(stream.device(), a.dtype(), Extents(shape), stream);
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
    if (!direct) c = Array::create(stream.device(), a.dtype(), Extents(target), stream);
    const Ref<Array> left = operand(a, batch, rows, summed, &Axis::a, packed, stream),
                     right = operand(b, batch, summed, cols, &Axis::b, packed, stream);
    packed += gemm(1.0, *left, Op::none, *right, Op::none, 0.0, *c, compute, &stream);
    if (!direct) copy(*placed, *c->reshape(Extents(c_shape)), &stream);
    return out;
  });
}

}  // namespace tenon::ops
