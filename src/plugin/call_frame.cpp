// plugin/call_frame.cpp: arguments into names: types, extents, scalars; then what follows from them.
#include "plugin/call_frame.hpp"
#include <algorithm>
#include <cstring>
#include "core/copy.hpp"
#include "core/handle.hpp"
#include "kernel/program.hpp"
#include "plugin/expression_code.hpp"
#include "plugin/scalar.hpp"

namespace tenon::plugin {
namespace {

constexpr int64_t kMostListed = 1024;  // entries of a list that one value stands for

std::string dtypes_text(const std::vector<Dtype>& dtypes) {
  std::string out;
  for (const Dtype dtype : dtypes) out += (out.empty() ? "" : ", ") + dtype_name(dtype);
  return out;
}

std::string names_of(const OperationContract& contract) {
  std::string out;
  for (const Declared& parameter : contract.parameters) out += (out.empty() ? "" : ", ") + parameter.name;
  return out;
}

}  // namespace

CallFrame::CallFrame(const Operation& operation, const tenon_arg* args, int32_t count, bool outputs_given, Stream* stream, const int64_t* tunables)
    : operation_(operation), contract_(operation.contract()) {
  const size_t takes = contract_.parameters.size();
  TENON_REQUIRE(count >= 0 && size_t(count) == takes, TENON_ERROR_INVALID_ARGUMENT, "%s takes %zu argument%s (%s), %d %s given", operation.title().c_str(), takes,
                takes == 1 ? "" : "s", names_of(contract_).c_str(), count, count == 1 ? "was" : "were");
  open_arrays(args, outputs_given);
  decide_types(args);
  find_device(outputs_given, stream);
  check_types(outputs_given);
  bind_inputs(args);
  operation_.read_tunables(*this, where_, tunables);
  compute_lets();
  check_requirements();
  shape_outputs(outputs_given);
}

CallFrame::~CallFrame() {
  for (int32_t i = 0; i < held_count_; ++i)
    if (Object* object = slot_release(held_[i], HandleKind::array)) object->release();
}

std::string CallFrame::place(const Declared& parameter) const { return parameter.name + " of " + operation_.title(); }

void CallFrame::refuse(int32_t status, const Declared& parameter, const std::string& why) const {
  fail(status, "%s %s", place(parameter).c_str(), why.c_str());
}

void CallFrame::open_arrays(const tenon_arg* args, bool outputs_given) {
  for (size_t i = 0; i < contract_.parameters.size(); ++i) {
    const Declared& parameter = contract_.parameters[i];
    if (parameter.array() && (parameter.role != Role::out || outputs_given)) open_array(parameter, args[i]);
  }
}

void CallFrame::open_array(const Declared& parameter, const tenon_arg& arg) {
  if (arg.kind != TENON_ARG_ARRAY && arg.kind != TENON_ARG_STRIDED)
    refuse(TENON_ERROR_INVALID_ARGUMENT, parameter, "is an array, and the argument is " + kind_of_argument(arg) + ": pass an array");
  Array* opened;
  try {
    opened = &array_of_handle(arg.value.array, "the array");
  } catch (Error& error) {
    error.message = place(parameter) + ": " + error.message;
    throw;
  }
  const Array& array = *opened;
  operands[parameter.operand] = {opened, array.shape().data(), array.strides().data(), array.rank(), array.dtype(), array.size()};
  handles_[parameter.operand] = arg.value.array;
  if (&array.context() != &operation_.context()) refuse(TENON_ERROR_CONTEXT, parameter, "belongs to another context than the operation");
  if (!where_ && parameter.read()) where_ = &array.device();
  if (operation_.has_kernels() && !parameter.strided && !parameter.packed && !array.c_contiguous())
    refuse(TENON_ERROR_LAYOUT, parameter, "has the shape " + shape_text(array.shape()) + " and strides " + shape_text(array.strides()) + " and is not C-contiguous: pass a contiguous copy");
}

// The first array that is read, else the first scalar, decides a placeholder.
void CallFrame::decide_types(const tenon_arg* args) {
  const size_t n = contract_.placeholders.size();
  if (n == 0) return;
  for (size_t i = 0; i < n; ++i) types[i] = 0;
  for (const Declared& parameter : contract_.parameters)
    if (parameter.type.placeholder >= 0 && parameter.read() && !types[parameter.type.placeholder]) types[parameter.type.placeholder] = operands[parameter.operand].dtype;
  for (size_t i = 0; i < contract_.parameters.size(); ++i) {
    const Declared& parameter = contract_.parameters[i];
    if (parameter.type.placeholder < 0 || parameter.array() || types[parameter.type.placeholder]) continue;
    if (args[i].kind == TENON_ARG_SCALAR) types[parameter.type.placeholder] = args[i].dtype;
    else if (args[i].kind == 0 && parameter.has_fallback) types[parameter.type.placeholder] = contract_.placeholders[size_t(parameter.type.placeholder)].dtypes[0];
  }
  for (size_t i = 0; i < n; ++i) {
    const Placeholder& placeholder = contract_.placeholders[i];
    if (placeholder.from >= 0) {
      for (const auto& [from, to] : placeholder.map)
        if (from == types[placeholder.from]) types[i] = to;
    }
    if (std::find(placeholder.dtypes.begin(), placeholder.dtypes.end(), types[i]) != placeholder.dtypes.end()) continue;
    for (const Declared& parameter : contract_.parameters)
      if (parameter.type.placeholder == int32_t(i) && parameter.role != Role::out)
        refuse(TENON_ERROR_DTYPE, parameter, "is " + dtype_name(types[i]) + ": its type, " + placeholder.name + ", is one of " + dtypes_text(placeholder.dtypes));
    fail(TENON_ERROR_DTYPE, "%s: the type %s is %s, and it is one of %s", operation_.title().c_str(), placeholder.name.c_str(), dtype_name(types[i]).c_str(),
         dtypes_text(placeholder.dtypes).c_str());
  }
}

void CallFrame::check_types(bool outputs_given) const {
  for (const Declared& parameter : contract_.parameters) {
    if (!parameter.array() || (parameter.role == Role::out && !outputs_given)) continue;
    const Dtype wanted = parameter.type.in(*this), is = operands[parameter.operand].dtype;
    if (is == wanted) continue;
    const std::string why = parameter.type.dtype ? "" : ": the other arguments make its type, " + contract_.placeholders[size_t(parameter.type.placeholder)].name + ", " + dtype_name(wanted);
    refuse(TENON_ERROR_DTYPE, parameter, "is " + dtype_name(is) + " and has to be " + dtype_name(wanted) + why);
  }
}

void CallFrame::find_device(bool outputs_given, Stream* stream) {
  for (const Declared& parameter : contract_.parameters)
    if (!where_ && parameter.array() && (parameter.role != Role::out || outputs_given)) where_ = &operands[parameter.operand].array->device();
  if (!where_ && stream) where_ = &stream->device();
  TENON_REQUIRE(where_, TENON_ERROR_INVALID_ARGUMENT, "nothing says on which device the output of %s shall be: it has no input array, so give a stream", operation_.title().c_str());
  device = &where_->info();
  const uint32_t kind = where_->kind() == TENON_DEVICE_CUDA ? kOnCuda : kOnCpu;
  TENON_REQUIRE(contract_.devices & kind, TENON_ERROR_UNSUPPORTED, "%s does not run on %s: its contract says devices = [\"%s\"]", operation_.title().c_str(), where_->name().c_str(),
                contract_.devices & kOnCpu ? "cpu" : "cuda");
  TENON_REQUIRE(contract_.deterministic || !operation_.context().settings().deterministic(), TENON_ERROR_UNSUPPORTED,
                "%s does not promise the same bits each time (its contract says deterministic = false), and this context is deterministic", operation_.title().c_str());
  const int32_t compute = device->compute_major * 10 + device->compute_minor;
  TENON_REQUIRE(kind != kOnCuda || compute >= contract_.compute, TENON_ERROR_UNSUPPORTED, "%s needs compute capability %d.%d, and %s has %d.%d", operation_.title().c_str(),
                contract_.compute / 10, contract_.compute % 10, where_->name().c_str(), device->compute_major, device->compute_minor);
}

void CallFrame::bind_inputs(const tenon_arg* args) {
  for (size_t i = 0; i < contract_.parameters.size(); ++i) {
    const Declared& parameter = contract_.parameters[i];
    if (parameter.role == Role::out) continue;
    if (!parameter.array()) {
      if (parameter.list >= 0) bind_list(i, args[i]);
      else bind_scalar(i, args[i]);
      continue;
    }
    args_[i] = args[i];
    const Operand& operand = operands[parameter.operand];
    bind_shape(parameter, operand.shape, operand.rank);
  }
}

// Gives new names their extents, and compares the others.
void CallFrame::bind_shape(const Declared& parameter, const int64_t* shape, int32_t rank) {
  const Shape& rule = parameter.shape;
  if (rule.kind == Shape::Kind::any || rule.kind == Shape::Kind::broadcast) return;
  const auto text = [&] { return shape_text({shape, size_t(rank)}); };
  if (rule.kind == Shape::Kind::like) {
    const Operand& other = operands[rule.like];
    if (rank != other.rank || !std::equal(shape, shape + rank, other.shape)) refuse(TENON_ERROR_SHAPE, parameter, "has the shape " + text() + " and has to have " + shape_text({other.shape, size_t(other.rank)}));
    return;
  }
  const auto wrong_rank = [&](const char* how, int32_t wanted) {
    refuse(TENON_ERROR_SHAPE, parameter, "has the shape " + text() + ": its rank has to be " + how + std::to_string(wanted));
  };
  int32_t fixed = 0;
  bool leading = false;
  for (const Extent& extent : rule.extents) {
    if (extent.kind == Extent::Kind::leading) leading = true;
    else if (extent.kind == Extent::Kind::part) {
      int64_t first = extent.first.empty() ? 0 : extent.first.integer(*this), last = extent.last.empty() ? operands[extent.operand].rank : extent.last.integer(*this);
      if (first < 0) first += operands[extent.operand].rank;
      if (last < 0) last += operands[extent.operand].rank;
      fixed += int32_t(std::clamp<int64_t>(last - first, 0, TENON_MAX_RANK));
    } else ++fixed;
  }
  if (leading ? rank < fixed : rank != fixed) wrong_rank(leading ? "at least " : "", fixed);
  int32_t at = 0;
  for (const Extent& extent : rule.extents) {
    const auto equal = [&](int64_t is, int64_t wanted) {
      if (is != wanted)
        refuse(TENON_ERROR_SHAPE, parameter, "has the shape " + text() + ": extent " + std::to_string(at) + ", " + extent.text + ", has to be " + std::to_string(wanted));
    };
    switch (extent.kind) {
      case Extent::Kind::any: ++at; break;
      case Extent::Kind::bind: numbers[extent.number].i = shape[at++]; break;
      case Extent::Kind::value: equal(shape[at], extent.value.integer(*this)); ++at; break;
      case Extent::Kind::leading:
        if (leading_rank < 0) {
          this->leading = shape + at;
          leading_rank = rank - fixed;
        } else if (leading_rank != rank - fixed || !std::equal(this->leading, this->leading + leading_rank, shape + at)) {
          refuse(TENON_ERROR_SHAPE, parameter, "has the shape " + text() + ": its first extents, `...`, have to be " + shape_text({this->leading, size_t(leading_rank)}));
        }
        at += rank - fixed;
        break;
      case Extent::Kind::part: {
        const Operand& other = operands[extent.operand];
        int64_t first = extent.first.empty() ? 0 : extent.first.integer(*this), last = extent.last.empty() ? other.rank : extent.last.integer(*this);
        if (first < 0) first += other.rank;
        if (last < 0) last += other.rank;
        for (int64_t d = first; d < last; ++d, ++at) {
          if (d < 0 || d >= other.rank) refuse(TENON_ERROR_SHAPE, parameter, "takes the extents " + extent.text + ", and there are " + std::to_string(other.rank));
          equal(shape[at], other.shape[d]);
        }
        break;
      }
    }
  }
}

void CallFrame::bind_scalar(size_t index, const tenon_arg& arg) {
  const Declared& parameter = contract_.parameters[index];
  const Dtype dtype = parameter.type.in(*this);
  const bool real = !parameter.type.dtype || dtype_floating(parameter.type.dtype);
  if (arg.kind == 0) {
    if (!parameter.has_fallback) refuse(TENON_ERROR_INVALID_ARGUMENT, parameter, "has no default: pass a scalar of " + dtype_name(dtype));
    numbers[parameter.number] = parameter.fallback.run(*this);
    args_[index] = scalar_argument(numbers[parameter.number], real, dtype, place(parameter));
    return;
  }
  if (arg.kind != TENON_ARG_SCALAR) refuse(TENON_ERROR_INVALID_ARGUMENT, parameter, "is a scalar, and the argument is " + kind_of_argument(arg) + ": pass a scalar of " + dtype_name(dtype));
  if (arg.dtype != dtype) refuse(TENON_ERROR_DTYPE, parameter, "is " + dtype_name(arg.dtype) + " and has to be " + dtype_name(dtype));
  if (dtype == TENON_BOOL && arg.value.u8 > 1) refuse(TENON_ERROR_INVALID_ARGUMENT, parameter, "is a bool, 0 or 1, and not " + std::to_string(arg.value.u8));
  args_[index] = arg;
  if (parameter.number < 0) return;
  numbers[parameter.number] = number_of(arg, real, place(parameter));
  if (!parameter.choices.empty() && (arg.value.i32 < 0 || size_t(arg.value.i32) >= parameter.choices.size())) {
    std::string list;
    for (size_t i = 0; i < parameter.choices.size(); ++i) list += (i ? ", " : "") + std::to_string(i) + " (" + parameter.choices[i] + ")";
    refuse(TENON_ERROR_INVALID_ARGUMENT, parameter, "is " + std::to_string(arg.value.i32) + ", and the choices are " + list);
  }
}

void CallFrame::bind_list(size_t index, const tenon_arg& arg) {
  const Declared& parameter = contract_.parameters[index];
  if (arg.kind == 0) return default_list(index);
  const uint32_t item = dtype_bytes(parameter.type.dtype);
  if (arg.kind != TENON_ARG_BYTES) refuse(TENON_ERROR_INVALID_ARGUMENT, parameter, "is a list of " + dtype_name(parameter.type.dtype) + ", and the argument is " + kind_of_argument(arg) + ": pass its bytes");
  if (arg.size % item) refuse(TENON_ERROR_INVALID_ARGUMENT, parameter, "is a list of " + dtype_name(parameter.type.dtype) + ", and " + std::to_string(arg.size) + " bytes are no whole number of them");
  if (arg.size && !arg.value.bytes) refuse(TENON_ERROR_INVALID_ARGUMENT, parameter, "is NULL");
  args_[index] = arg;
  const int64_t count = int64_t(arg.size / item);
  const Extent& extent = parameter.shape.extents[0];
  const int64_t wanted = extent.kind == Extent::Kind::value ? extent.value.integer(*this) : count;
  if (count == 1 && wanted != 1 && wanted <= kMostListed) return fill_list(index, arg.value.bytes, wanted);
  lists[parameter.list] = {arg.value.bytes, count, parameter.type.dtype};
  bind_shape(parameter, &count, 1);
}

// One value for every entry, whose number another extent says.
void CallFrame::default_list(size_t index) {
  const Declared& parameter = contract_.parameters[index];
  const Extent& extent = parameter.shape.extents[0];
  if (!parameter.has_fallback || extent.kind != Extent::Kind::value) refuse(TENON_ERROR_INVALID_ARGUMENT, parameter, "has no default: pass the bytes of its numbers");
  const int64_t count = extent.value.integer(*this);
  if (count < 0 || count > kMostListed) refuse(TENON_ERROR_INVALID_ARGUMENT, parameter, "would have " + std::to_string(count) + " entries by default");
  const tenon_arg one = scalar_argument(parameter.fallback.run(*this), dtype_floating(parameter.type.dtype), parameter.type.dtype, place(parameter));
  fill_list(index, &one.value, count);
}

void CallFrame::fill_list(size_t index, const void* value, int64_t count) {
  const Declared& parameter = contract_.parameters[index];
  const uint32_t item = dtype_bytes(parameter.type.dtype);
  char* const bytes = reinterpret_cast<char*>(room(int32_t((count * item + 7) / 8)));
  for (int64_t i = 0; i < count; ++i) std::memcpy(bytes + i * item, value, item);
  lists[parameter.list] = {bytes, count, parameter.type.dtype};
  args_[index] = tenon_arg{TENON_ARG_BYTES, 0, uint64_t(count) * item, {.bytes = bytes}};
}

void CallFrame::compute_lets() {
  for (const Let& let : contract_.lets) {
    if (let.list < 0) numbers[let.number] = let.value.run(*this);
    else compute_list(let);
  }
}

void CallFrame::compute_list(const Let& let) {
  const int64_t count = let.count.integer(*this);
  if (count < 0 || count > kMostRepeated)
    fail(TENON_ERROR_INVALID_ARGUMENT, "%s: the list %s would have %lld entries, and at most %lld are possible", operation_.title().c_str(), let.name.c_str(),
         static_cast<long long>(count), static_cast<long long>(kMostRepeated));
  const Dtype dtype = let.type.in(*this);
  const uint32_t item = dtype_bytes(dtype);
  const bool real = let.value.kind() == Expression::Kind::real;
  char* const bytes = reinterpret_cast<char*>(room(int32_t((count * item + 7) / 8)));
  for (int64_t k = 0; k < count; ++k) {
    numbers[let.number].i = k;
    const tenon_arg one = scalar_argument(let.value.run(*this), real, dtype, let.name);
    std::memcpy(bytes + k * item, &one.value, item);
  }
  lists[let.list] = {bytes, count, dtype};
}

void CallFrame::check_requirements() const {
  for (const Requirement& requirement : contract_.requirements) {
    if (requirement.that.truth(*this)) continue;
    if (!requirement.message.pieces.empty()) fail(TENON_ERROR_INVALID_ARGUMENT, "%s: %s", operation_.title().c_str(), render(requirement.message, *this, false).c_str());
    fail(TENON_ERROR_INVALID_ARGUMENT, "%s requires that %s", operation_.title().c_str(), requirement.that.text().c_str());
  }
}

void CallFrame::shape_outputs(bool outputs_given) {
  for (size_t i = 0; i < contract_.parameters.size(); ++i) {
    const Declared& parameter = contract_.parameters[i];
    if (parameter.role == Role::out) {
      const Operand given = outputs_given ? operands[parameter.operand] : Operand{};
      make_shape(parameter, "an output");
      if (outputs_given) {
        const Operand& made = operands[parameter.operand];
        if (made.rank != given.rank || !std::equal(made.shape, made.shape + made.rank, given.shape))
          refuse(TENON_ERROR_SHAPE, parameter, "has the shape " + shape_text({given.shape, size_t(given.rank)}) + " and has to have " + shape_text({made.shape, size_t(made.rank)}));
        operands[parameter.operand] = given;
      }
    }
    if (parameter.written() && outputs_given) check_output(parameter);
  }
  for (const Declared& temporary : contract_.temporaries) make_shape(temporary, "a temporary");
}

int64_t* CallFrame::room(int32_t count) {
  if (used_ + count <= int32_t(std::size(room_))) {
    used_ += count;
    return room_ + used_ - count;
  }
  more_.push_back(std::make_unique<int64_t[]>(size_t(count) + 1));
  return more_.back().get();
}

void CallFrame::make_shape(const Declared& parameter, const char* what) {
  const Shape& rule = parameter.shape;
  int64_t extents[TENON_MAX_RANK];
  int32_t rank = 0;
  const auto put = [&](int64_t extent) {
    if (rank == TENON_MAX_RANK) refuse(TENON_ERROR_SHAPE, parameter, "would have a rank of more than " + std::to_string(TENON_MAX_RANK));
    if (extent < 0) refuse(TENON_ERROR_SHAPE, parameter, "would have the extent " + std::to_string(extent) + " as " + what);
    extents[rank++] = extent;
  };
  const auto put_all = [&](const int64_t* from, const int64_t* to) { while (from < to) put(*from++); };
  if (rule.kind == Shape::Kind::like) {
    put_all(operands[rule.like].shape, operands[rule.like].shape + operands[rule.like].rank);
  } else if (rule.kind == Shape::Kind::broadcast) {
    for (const Declared& input : contract_.parameters) {
      if (!input.read() || input.raw) continue;
      const Operand& operand = operands[input.operand];
      if (operand.rank > rank) {
        std::copy_backward(extents, extents + rank, extents + operand.rank);
        std::fill(extents, extents + operand.rank - rank, 1);
        rank = operand.rank;
      }
      for (int32_t d = 0; d < operand.rank; ++d) {
        int64_t& extent = extents[rank - operand.rank + d];
        if (extent != operand.shape[d] && extent != 1 && operand.shape[d] != 1)
          refuse(TENON_ERROR_SHAPE, input, "has the shape " + shape_text({operand.shape, size_t(operand.rank)}) + ", which does not broadcast with the " + std::to_string(extent) + " of another input");
        if (operand.shape[d] != 1) extent = operand.shape[d];
      }
    }
  }
  for (const Extent& extent : rule.extents) {
    if (extent.kind == Extent::Kind::value) put(extent.value.integer(*this));
    else if (extent.kind == Extent::Kind::leading) put_all(leading, leading + std::max(leading_rank, 0));
    else if (extent.kind == Extent::Kind::part) {
      const Operand& other = operands[extent.operand];
      int64_t first = extent.first.empty() ? 0 : extent.first.integer(*this), last = extent.last.empty() ? other.rank : extent.last.integer(*this);
      if (first < 0) first += other.rank;
      if (last < 0) last += other.rank;
      if (first < 0 || last > other.rank) refuse(TENON_ERROR_SHAPE, parameter, "takes the extents " + extent.text + ", and there are " + std::to_string(other.rank));
      if (first < last) put_all(other.shape + first, other.shape + last);
    }
  }
  int64_t* const kept = room(rank);
  std::copy(extents, extents + rank, kept);
  operands[parameter.operand] = {nullptr, kept, nullptr, rank, parameter.type.in(*this), element_count({kept, size_t(rank)})};
}

Dims CallFrame::shape_of_output(const Declared& parameter) const {
  const Operand& operand = operands[parameter.operand];
  return Dims(Extents(operand.shape, size_t(operand.rank)));
}

void CallFrame::check_output(const Declared& parameter) const {
  const Array& array = *operands[parameter.operand].array;
  if (array.read_only()) refuse(TENON_ERROR_READ_ONLY, parameter, "is written, and the array is read-only: pass a copy");
  for (const Declared& other : contract_.parameters) {
    if (!other.array() || &other == &parameter) continue;
    const Overlap how = overlap(array, *operands[other.operand].array);
    if (how == Overlap::disjoint || (how == Overlap::exact && contract_.in_place && !other.written())) continue;
    refuse(TENON_ERROR_OVERLAP, parameter, "shares memory with " + other.name + (contract_.in_place && !other.written() ? " without being exactly it" : "") + ": pass another array");
  }
}

void CallFrame::hold(int32_t operand, Ref<Array> array) {
  operands[operand] = {array.get(), array->shape().data(), array->strides().data(), array->rank(), array->dtype(), array->size()};
  Slot* const slot = slot_create(HandleKind::array, array.get());
  array.detach();
  held_[held_count_++] = handles_[operand] = reinterpret_cast<tenon_array*>(slot);
}

void CallFrame::keep_arrays() {
  for (const Declared& parameter : contract_.parameters)
    if (parameter.array()) hold(parameter.operand, Ref<Array>(operands[parameter.operand].array));
}

void CallFrame::make_temporaries(Stream& stream) {
  for (const Declared& temporary : contract_.temporaries) {
    const Operand& operand = operands[temporary.operand];
    hold(temporary.operand, Array::create(*where_, operand.dtype, {operand.shape, size_t(operand.rank)}, stream));
  }
  for (const Declared& parameter : contract_.parameters) {
    if (!parameter.packed || operands[parameter.operand].array->c_contiguous()) continue;
    Ref<Array> from(operands[parameter.operand].array);
    Ref<Array> to = contiguous(*from, stream);
    copies_.emplace_back(from, to);
    hold(parameter.operand, std::move(to));
  }
}

std::string render(const Pattern& pattern, const Frame& frame, bool for_compiler) {
  std::string out;
  for (const Pattern::Piece& piece : pattern.pieces) {
    if (piece.placeholder >= 0) out += for_compiler ? c_type(frame.types[piece.placeholder]) : dtype_name(frame.types[piece.placeholder]);
    else if (piece.value.empty()) out += piece.text;
    else if (piece.value.kind() == Expression::Kind::real) out += format("%.*g", for_compiler ? 17 : 6, piece.value.real(frame));
    else out += std::to_string(piece.value.integer(frame));
  }
  return out;
}

}  // namespace tenon::plugin
