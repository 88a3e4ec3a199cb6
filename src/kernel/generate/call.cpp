// kernel/generate/call.cpp: checking the arguments of one call: dtypes, device, shape, overlap.
#include "kernel/generate/generate.hpp"
#include "kernel/program.hpp"

namespace tenon::generate {
namespace {

void check_one(const Arguments& all, int32_t index, const CallArgument& argument, Operand& out) {
  const DeclaredParameter& parameter = all.declared->parameters[size_t(index)];
  if (argument.is_array()) {
    out.array = &argument.opened([&] { return all.place(index); });
    out.dtype = out.array->dtype();
    return;
  }
  TENON_REQUIRE(argument.kind != TENON_ARG_WEAK, TENON_ERROR_INVALID_ARGUMENT,
                "%s is a number without a dtype (TENON_ARG_WEAK), which only the functions of compute.h take: pass a "
                "scalar of the parameter's dtype, such as TENON_F32_ARG(2)",
                all.place(index).c_str());
  TENON_REQUIRE(argument.kind == TENON_ARG_SCALAR && !parameter.output && !parameter.raw && !parameter.table,
                TENON_ERROR_INVALID_ARGUMENT, "%s takes an array%s, but argument %d has kind %u",
                all.place(index).c_str(), parameter.output || parameter.raw || parameter.table ? "" : " or a scalar",
                index, argument.kind);
  TENON_REQUIRE(cuda_type(argument.dtype), TENON_ERROR_DTYPE, "%s is a scalar of %s, a storage type without arithmetic",
                all.place(index).c_str(), dtype_name(argument.dtype).c_str());
  TENON_REQUIRE(argument.size == 0 || argument.size == dtype_bytes(argument.dtype), TENON_ERROR_INVALID_ARGUMENT,
                "%s: a scalar of %s has %u bytes, but the argument's size is %llu", all.place(index).c_str(),
                dtype_name(argument.dtype).c_str(), dtype_bytes(argument.dtype),
                static_cast<unsigned long long>(argument.size));
  out.scalar = &argument.value;
  out.dtype = argument.dtype;
}

void place_on_device(Arguments& all, int32_t index) {
  const Array& array = *all.operands[index].array;
  Device& device = array.device();
  if (!all.device) {
    all.device = &device;
    return;
  }
  if (all.device == &device) return;
  TENON_REQUIRE(&device.context() == &all.device->context(), TENON_ERROR_CONTEXT,
                "%s belongs to another context than the arrays before it", all.place(index).c_str());
  if (array.buffer().reachable_from(*all.device)) return;
  // An earlier array in memory that both devices can access (pinned, managed) does not decide: the work runs on the
  // device of the other array.
  bool all_reach = true;
  for (int32_t i = 0; i < index; ++i)
    if (all.operands[i].array) all_reach = all_reach && all.operands[i].array->buffer().reachable_from(device);
  TENON_REQUIRE(all_reach, TENON_ERROR_DEVICE, "%s is on %s, but other arguments are on %s: copy it there first",
                all.place(index).c_str(), device.name().c_str(), all.device->name().c_str());
  all.device = &device;
}

// Arrays determine placeholders before scalars do, and earlier ones before later ones.
void decide_placeholders(Arguments& all) {
  for (size_t p = 0; p < all.declared->placeholders.size(); ++p) all.placeholders[p] = 0;
  for (bool scalars : {false, true})
    for (int32_t i = 0; i < all.count; ++i) {
      const int32_t p = all.declared->parameters[size_t(i)].placeholder;
      if (p >= 0 && !all.placeholders[p] && (all.operands[i].array == nullptr) == scalars)
        all.placeholders[p] = all.operands[i].dtype;
    }
}

void check_dtype(const Arguments& all, int32_t index) {
  const DeclaredParameter& parameter = all.declared->parameters[size_t(index)];
  const Dtype given = all.operands[index].dtype;
  const Dtype wanted = parameter.placeholder >= 0 ? all.placeholders[parameter.placeholder] : parameter.dtype;
  if (given == wanted && cuda_type(given)) return;
  TENON_REQUIRE(cuda_type(given), TENON_ERROR_DTYPE, "%s is %s, a storage type without arithmetic",
                all.place(index).c_str(), dtype_name(given).c_str());
  fail(TENON_ERROR_DTYPE, "%s is %s, but its type %s is %s%s", all.place(index).c_str(), dtype_name(given).c_str(),
       parameter.type.c_str(), dtype_name(wanted).c_str(), parameter.placeholder >= 0 ? " in this call" : "");
}

}  // namespace

std::string Arguments::place(int32_t index) const { return declared->parameters[size_t(index)].name + " of " + *who; }

void check_arguments(const Declarations& declared, const std::string& who, const CallArgument* args, int32_t count,
                     bool inputs_only, Arguments& out) {
  out.declared = &declared;
  out.who = &who;
  const int32_t takes = inputs_only ? declared.inputs : declared.count();
  TENON_REQUIRE(count == takes, TENON_ERROR_INVALID_ARGUMENT,
                "%s takes %d argument%s here, but %d %s given: %d input%s%s", who.c_str(), takes, takes == 1 ? "" : "s",
                count, count == 1 ? "was" : "were", declared.inputs, declared.inputs == 1 ? "" : "s",
                inputs_only ? "" : ", then the outputs");
  TENON_REQUIRE(args || count == 0, TENON_ERROR_INVALID_ARGUMENT, "the arguments of %s are NULL", who.c_str());
  out.count = count;
  for (int32_t i = 0; i < count; ++i) {
    check_one(out, i, args[i], out.operands[i]);
    if (out.operands[i].array) place_on_device(out, i);
  }
  decide_placeholders(out);
  for (int32_t i = 0; i < count; ++i) check_dtype(out, i);
  for (int32_t i = 0; i < count; ++i) {
    const DeclaredParameter& parameter = declared.parameters[size_t(i)];
    if (!out.operands[i].array) continue;
    const Array& array = *out.operands[i].array;
    if (&array.device() != out.device) require_on(array, *out.device, out.place(i).c_str());
    if (parameter.table && array.rank() == 0)
      fail(TENON_ERROR_SHAPE, "%s is a table, whose first axis is indexed, but its array has no axes",
           out.place(i).c_str());
    if (parameter.raw && !array.c_contiguous())
      fail(TENON_ERROR_LAYOUT,
           "%s is raw, but its array of shape %s and strides %s is not C-contiguous: pass a contiguous copy",
           out.place(i).c_str(), shape_text(array.shape()).c_str(), shape_text(array.strides()).c_str());
  }
}

static Dims without_first(const Dims& shape) {
  Dims out(shape.size() - 1);
  for (int32_t d = 0; d < out.size(); ++d) out[d] = shape[d + 1];
  return out;
}

bool broadcast_shape(const Arguments& arguments, int32_t first, int32_t last, Dims& shape) {
  int32_t decided_by = -1;
  for (int32_t i = first; i < last; ++i) {
    if (!arguments.operands[i].array || arguments.declared->parameters[size_t(i)].raw) continue;
    const Dims& whole = arguments.operands[i].array->shape();
    const Dims add = arguments.declared->parameters[size_t(i)].table ? without_first(whole) : whole;
    if (decided_by < 0) {
      shape = add;
      decided_by = i;
      continue;
    }
    if (shape == add) continue;
    const int32_t rank = std::max(shape.size(), add.size());
    Dims out(rank);
    for (int32_t d = 0; d < rank; ++d) {  // from the end
      const int64_t have = d < shape.size() ? shape[shape.size() - 1 - d] : 1,
                    more = d < add.size() ? add[add.size() - 1 - d] : 1;
      TENON_REQUIRE(have == more || have == 1 || more == 1, TENON_ERROR_SHAPE,
                    "%s has the shape %s, which does not broadcast with %s of %s", arguments.place(i).c_str(),
                    shape_text(add).c_str(), shape_text(shape).c_str(),
                    decided_by == first ? arguments.place(first).c_str() : "the arguments before it");
      out[rank - 1 - d] = have == 1 ? more : have;
    }
    shape = std::move(out);
  }
  return decided_by >= 0;
}

Dtype output_dtype(const Arguments& arguments, int32_t index) {
  const DeclaredParameter& parameter = arguments.declared->parameters[size_t(index)];
  if (parameter.placeholder < 0) return parameter.dtype;
  const Dtype decided = arguments.placeholders[parameter.placeholder];
  TENON_REQUIRE(decided, TENON_ERROR_DTYPE, "no input determines the type %s of %s: pass an output",
                parameter.type.c_str(), arguments.place(index).c_str());
  return decided;
}

void check_output(const Arguments& arguments, int32_t index, bool exact_allowed) {
  const Array& array = *arguments.operands[index].array;
  if (array.read_only())
    fail(TENON_ERROR_READ_ONLY,
         "%s is an output, but its array is read-only (imported as read-only, or a broadcast view)",
         arguments.place(index).c_str());
  if (array.size() == 0) return;
  if (!array.c_contiguous() && !arguments.declared->parameters[size_t(index)].raw) {
    // Sorted by stride, each axis must step over all of the smaller ones: enough to prove that elements are apart.
    Loop loop;
    start_loop(array.shape(), loop);
    loop.add_operand(array, array.shape());
    simplify(loop, false, 0);
    for (int32_t d = loop.rank - 1, at = 0; d >= 0; --d, ++at) {
      int64_t below = 1;
      for (int32_t e = d + 1; e < loop.rank; ++e) below += (loop.extent[e] - 1) * loop.stride[0][e];
      TENON_REQUIRE(loop.stride[0][d] >= below, TENON_ERROR_OVERLAP,
                    "%s is an output, but its array of shape %s and strides %s overlaps itself",
                    arguments.place(index).c_str(), shape_text(array.shape()).c_str(),
                    shape_text(array.strides()).c_str());
    }
  }
  for (int32_t i = 0; i < arguments.count; ++i) {
    const Array* other = arguments.operands[i].array;
    const DeclaredParameter& parameter = arguments.declared->parameters[size_t(i)];
    if (i == index || !other || (parameter.output && i > index)) continue;
    const Overlap how = overlap(array, *other);
    if (how == Overlap::disjoint) continue;
    const bool walked = !parameter.raw && !parameter.table && !arguments.declared->parameters[size_t(index)].raw;
    if (how == Overlap::exact && exact_allowed && !parameter.output && walked) continue;
    fail(TENON_ERROR_OVERLAP, "%s shares memory with %s%s", arguments.place(index).c_str(), arguments.place(i).c_str(),
         parameter.output ? ": two outputs must not overlap"
         : exact_allowed
             ? ": an output must be exactly an input (the same elements in the same order), or not overlap it"
             : ": the output must not overlap the inputs");
  }
}

void check_alignment(const Arguments& arguments) {
  for (int32_t i = 0; i < arguments.count; ++i) {
    const Array* array = arguments.operands[i].array;
    if (!array || array->size() == 0) continue;
    uint32_t natural = dtype_bytes(array->dtype());
    if (dtype_complex(array->dtype())) natural /= 2;
    if (reinterpret_cast<uintptr_t>(array->data()) % natural)
      fail(TENON_ERROR_LAYOUT, "%s starts at an address that is not a multiple of the %u bytes of %s: pass a copy",
           arguments.place(i).c_str(), natural, dtype_name(array->dtype()).c_str());
  }
}

bool whole_aligned(const Arguments& arguments) {
  for (int32_t i = 0; i < arguments.count; ++i)
    if (const Array* array = arguments.operands[i].array)
      if (reinterpret_cast<uintptr_t>(array->data()) % dtype_bytes(array->dtype())) return false;
  return true;
}

// A kernel reports an index as this number, so that the least one is found, and all bits set mean none.
static int64_t index_of(int64_t number) { return int64_t(uint64_t(number) ^ uint64_t(1) << 63); }

void expect_indices(Arguments& arguments, Findings& findings, const Stream& stream) {
  if (stream.recording()) return;  // a graph does not wait: an index out of range is not followed, nor reported
  for (int32_t i = 0; i < arguments.count; ++i) {
    if (!arguments.declared->parameters[size_t(i)].table) continue;
    tenon_finding* const place =
        findings.place([text = arguments.place(i), extent = arguments.operands[i].array->shape()[0]](int64_t found) {
          fail(TENON_ERROR_INVALID_ARGUMENT, "%s is indexed with %lld, but its first axis has extent %lld",
               text.c_str(), static_cast<long long>(index_of(found)), static_cast<long long>(extent));
        });
    if (!arguments.bad_indices) arguments.bad_indices = place;
  }
}

void use_arguments(const Arguments& arguments, Stream& stream) {
  for (int32_t i = 0; i < arguments.count; ++i)
    if (Array* array = arguments.operands[i].array)
      array->buffer().use(stream, arguments.declared->parameters[size_t(i)].output);
}

}  // namespace tenon::generate
