// plugin/call/shapes.cpp: extents get their names, and the shapes of outputs and temporaries follow from them.
#include <algorithm>
#include "plugin/call/frame.hpp"

namespace tenon::plugin {

// Binds new names to extents, and compares those of known names.
void CallFrame::bind_shape(const Declared& parameter, const int64_t* shape, int32_t rank) {
  const ShapeRule& rule = parameter.shape;
  if (rule.kind == ShapeRule::Kind::any || rule.kind == ShapeRule::Kind::broadcast) return;
  const auto text = [&] { return shape_text({shape, size_t(rank)}); };
  if (rule.kind == ShapeRule::Kind::like) {
    const Operand& other = operands[rule.like];
    if (rank != other.rank || !std::equal(shape, shape + rank, other.shape))
      refuse(TENON_ERROR_SHAPE, parameter,
             "has the shape " + text() + " but must have " + shape_text({other.shape, size_t(other.rank)}));
    return;
  }
  const auto wrong_rank = [&](const char* how, int32_t wanted) {
    refuse(TENON_ERROR_SHAPE, parameter,
           "has the shape " + text() + ": its rank must be " + how + std::to_string(wanted));
  };
  int32_t fixed = 0;
  bool leading = false;
  for (const ExtentRule& extent : rule.extents) {
    if (extent.kind == ExtentRule::Kind::leading) leading = true;
    else if (extent.kind == ExtentRule::Kind::part) {
      int64_t first = extent.first.empty() ? 0 : extent.first.integer(*this),
              last = extent.last.empty() ? operands[extent.operand].rank : extent.last.integer(*this);
      if (first < 0) first += operands[extent.operand].rank;
      if (last < 0) last += operands[extent.operand].rank;
      fixed += int32_t(std::clamp<int64_t>(last - first, 0, TENON_MAX_RANK));
    } else ++fixed;
  }
  if (leading ? rank < fixed : rank != fixed) wrong_rank(leading ? "at least " : "", fixed);
  int32_t at = 0;
  for (const ExtentRule& extent : rule.extents) {
    const auto equal = [&](int64_t is, int64_t wanted) {
      if (is != wanted)
        refuse(TENON_ERROR_SHAPE, parameter,
               "has the shape " + text() + ": extent " + std::to_string(at) + ", " + extent.text + ", must be " +
                   std::to_string(wanted));
    };
    switch (extent.kind) {
      case ExtentRule::Kind::any: ++at; break;
      case ExtentRule::Kind::bind: numbers[extent.number].i = shape[at++]; break;
      case ExtentRule::Kind::value:
        equal(shape[at], extent.value.integer(*this));
        ++at;
        break;
      case ExtentRule::Kind::leading:
        if (leading_rank < 0) {
          this->leading = shape + at;
          leading_rank = rank - fixed;
        } else if (leading_rank != rank - fixed ||
                   !std::equal(this->leading, this->leading + leading_rank, shape + at)) {
          refuse(TENON_ERROR_SHAPE, parameter,
                 "has the shape " + text() + ": its first extents, `...`, must be " +
                     shape_text({this->leading, size_t(leading_rank)}));
        }
        at += rank - fixed;
        break;
      case ExtentRule::Kind::part: {
        const Operand& other = operands[extent.operand];
        int64_t first = extent.first.empty() ? 0 : extent.first.integer(*this),
                last = extent.last.empty() ? other.rank : extent.last.integer(*this);
        if (first < 0) first += other.rank;
        if (last < 0) last += other.rank;
        for (int64_t d = first; d < last; ++d, ++at) {
          if (d < 0 || d >= other.rank)
            refuse(TENON_ERROR_SHAPE, parameter,
                   "takes the extents " + extent.text + ", but there are only " + std::to_string(other.rank));
          equal(shape[at], other.shape[d]);
        }
        break;
      }
    }
  }
}

void CallFrame::shape_outputs() {
  for (const Declared& parameter : contract_.parameters) {
    if (parameter.role != Role::out) continue;
    Operand& operand = operands[parameter.operand];
    const Operand given = operand;
    make_shape(parameter, "an output");
    if (!arrays_.has(parameter)) continue;
    const Extents is(given.shape, size_t(given.rank)), wanted(operand.shape, size_t(operand.rank));
    if (!std::equal(is.begin(), is.end(), wanted.begin(), wanted.end()))
      refuse(TENON_ERROR_SHAPE, parameter, "has the shape " + shape_text(is) + " but must have " + shape_text(wanted));
    operand = given;
  }
}

void CallFrame::shape_temporaries() {
  for (const Declared& temporary : contract_.temporaries) make_shape(temporary, "a temporary");
}

void CallFrame::make_shape(const Declared& parameter, const char* what) {
  const ShapeRule& rule = parameter.shape;
  int64_t extents[TENON_MAX_RANK];
  int32_t rank = 0;
  const auto put = [&](int64_t extent) {
    if (rank == TENON_MAX_RANK)
      refuse(TENON_ERROR_SHAPE, parameter, "would have a rank above " + std::to_string(TENON_MAX_RANK));
    if (extent < 0)
      refuse(TENON_ERROR_SHAPE, parameter, "would have the extent " + std::to_string(extent) + " as " + what);
    extents[rank++] = extent;
  };
  const auto put_all = [&](const int64_t* from, const int64_t* to) {
    while (from < to) put(*from++);
  };
  if (rule.kind == ShapeRule::Kind::like) {
    put_all(operands[rule.like].shape, operands[rule.like].shape + operands[rule.like].rank);
  } else if (rule.kind == ShapeRule::Kind::broadcast) {
    for (const Declared& input : contract_.parameters) {
      if (!input.read() || input.raw) continue;
      const Operand& operand = operands[input.operand];
      if (!operand.given()) continue;
      if (operand.rank > rank) {
        std::copy_backward(extents, extents + rank, extents + operand.rank);
        std::fill(extents, extents + operand.rank - rank, 1);
        rank = operand.rank;
      }
      for (int32_t d = 0; d < operand.rank; ++d) {
        int64_t& extent = extents[rank - operand.rank + d];
        if (extent != operand.shape[d] && extent != 1 && operand.shape[d] != 1)
          refuse(TENON_ERROR_SHAPE, input,
                 "has the shape " + shape_text({operand.shape, size_t(operand.rank)}) +
                     ", which does not broadcast with extent " + std::to_string(extent) + " of another input");
        if (operand.shape[d] != 1) extent = operand.shape[d];
      }
    }
  }
  for (const ExtentRule& extent : rule.extents) {
    if (extent.kind == ExtentRule::Kind::value) put(extent.value.integer(*this));
    else if (extent.kind == ExtentRule::Kind::leading) put_all(leading, leading + std::max(leading_rank, 0));
    else if (extent.kind == ExtentRule::Kind::part) {
      const Operand& other = operands[extent.operand];
      int64_t first = extent.first.empty() ? 0 : extent.first.integer(*this),
              last = extent.last.empty() ? other.rank : extent.last.integer(*this);
      if (first < 0) first += other.rank;
      if (last < 0) last += other.rank;
      if (first < 0 || last > other.rank)
        refuse(TENON_ERROR_SHAPE, parameter,
               "takes the extents " + extent.text + ", but there are only " + std::to_string(other.rank));
      if (first < last) put_all(other.shape + first, other.shape + last);
    }
  }
  int64_t* const kept = room(rank);
  std::copy(extents, extents + rank, kept);
  operands[parameter.operand] = {kept, nullptr, rank, parameter.type.in(*this), element_count({kept, size_t(rank)})};
}

}  // namespace tenon::plugin
