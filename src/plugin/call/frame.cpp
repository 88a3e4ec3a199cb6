// plugin/call/frame.cpp: what the arguments of a call decide: types, device, extents, scalars; then what follows from
// them.
#include "plugin/call/frame.hpp"
#include <algorithm>
#include "plugin/expression/scalar.hpp"

namespace tenon::plugin {
namespace {

std::string dtypes_text(const std::vector<Dtype>& dtypes) {
  std::string out;
  for (const Dtype dtype : dtypes) out += (out.empty() ? "" : ", ") + dtype_name(dtype);
  return out;
}

Operand operand_of(const Array& array) {
  return {array.shape().data(), array.strides().data(), array.rank(), array.dtype(), array.size()};
}

}  // namespace

CallFrame::CallFrame(const CallArrays& arrays, const CallArgument* args, const int64_t* tunables)
    : arrays_(arrays), operation_(arrays.operation()), contract_(operation_.contract()) {
  for (const Declared& parameter : contract_.parameters)
    if (arrays.has(parameter)) operands[parameter.operand] = operand_of(arrays.array(parameter));
    else if (parameter.optional) operands[parameter.operand] = kNotGiven;
  decide_types(args);
  check_device();
  check_types();
  bind_inputs(args);
  operation_.read_tunables(*this, &where(), tunables);
  compute_lets(false);
  check_requirements(false);
  shape_outputs();
  compute_lets(true);
  check_requirements(true);
  shape_temporaries();
}

void CallFrame::refuse(int32_t status, const Declared& parameter, const std::string& why) const {
  arrays_.refuse(status, parameter, why);
}

// The first input array, else the first scalar, determines a placeholder.
void CallFrame::decide_types(const CallArgument* args) {
  const size_t n = contract_.placeholders.size();
  if (n == 0) return;
  for (size_t i = 0; i < n; ++i) types[i] = 0;
  for (const Declared& parameter : contract_.parameters)
    if (parameter.type.placeholder >= 0 && parameter.read() && !parameter.optional &&
        !types[parameter.type.placeholder])
      types[parameter.type.placeholder] = operands[parameter.operand].dtype;
  for (size_t i = 0; i < contract_.parameters.size(); ++i) {
    const Declared& parameter = contract_.parameters[i];
    if (parameter.type.placeholder < 0 || parameter.array() || types[parameter.type.placeholder]) continue;
    if (args[i].kind == TENON_ARG_SCALAR) types[parameter.type.placeholder] = args[i].dtype;
    else if (args[i].kind == 0 && parameter.has_fallback)
      types[parameter.type.placeholder] = contract_.placeholders[size_t(parameter.type.placeholder)].dtypes[0];
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
        refuse(TENON_ERROR_DTYPE, parameter,
               "is " + dtype_name(types[i]) + ", but its type, " + placeholder.name + ", must be one of " +
                   dtypes_text(placeholder.dtypes));
    fail(TENON_ERROR_DTYPE, "%s: the type %s is %s, but must be one of %s", operation_.title().c_str(),
         placeholder.name.c_str(), dtype_name(types[i]).c_str(), dtypes_text(placeholder.dtypes).c_str());
  }
}

// Checks the contract's requirements on the device and the context.
void CallFrame::check_device() {
  device = &where().info();
  const std::string &title = operation_.title(), &name = where().name();
  const uint32_t kind = contract_bit(where());
  TENON_REQUIRE(contract_.devices & kind, TENON_ERROR_UNSUPPORTED,
                "%s does not run on %s: its contract says devices = [\"%s\"]", title.c_str(), name.c_str(),
                contract_.devices & kOnCpu ? "cpu" : "cuda");
  TENON_REQUIRE(
      contract_.deterministic || !operation_.context().settings().deterministic(), TENON_ERROR_UNSUPPORTED,
      "%s does not promise the same bits on every run (its contract says deterministic = false), but this context is "
      "deterministic",
      title.c_str());
  const int32_t compute = device->compute_major * 10 + device->compute_minor;
  TENON_REQUIRE(kind != kOnCuda || compute >= contract_.compute, TENON_ERROR_UNSUPPORTED,
                "%s needs compute capability %d.%d, but %s has %d.%d", title.c_str(), contract_.compute / 10,
                contract_.compute % 10, name.c_str(), device->compute_major, device->compute_minor);
}

void CallFrame::check_types() const {
  for (const Declared& parameter : contract_.parameters) {
    if (!arrays_.has(parameter)) continue;
    const Dtype wanted = parameter.type.in(*this), is = operands[parameter.operand].dtype;
    if (is == wanted) continue;
    std::string why = "is " + dtype_name(is) + " but must be " + dtype_name(wanted);
    if (!parameter.type.dtype) {
      const Placeholder& placeholder = contract_.placeholders[size_t(parameter.type.placeholder)];
      why += ", because the other arguments make " + placeholder.name + " " + dtype_name(wanted);
    }
    refuse(TENON_ERROR_DTYPE, parameter, why);
  }
}

void CallFrame::bind_inputs(const CallArgument* args) {
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
    if (operand.given()) bind_shape(parameter, operand.shape, operand.rank);
  }
}

void CallFrame::compute_lets(bool late) {
  for (const Let& let : contract_.lets) {
    if (let.late != late) continue;
    if (let.list < 0) numbers[let.number] = let.value.run(*this);
    else compute_list(let);
  }
}

void CallFrame::check_requirements(bool late) const {
  for (const Requirement& requirement : contract_.requirements) {
    if (requirement.late != late || requirement.that.truth(*this)) continue;
    if (!requirement.message.pieces.empty())
      fail(TENON_ERROR_INVALID_ARGUMENT, "%s: %s", operation_.title().c_str(),
           render(requirement.message, *this, false).c_str());
    fail(TENON_ERROR_INVALID_ARGUMENT, "%s requires that %s", operation_.title().c_str(),
         requirement.that.text().c_str());
  }
}

int64_t* CallFrame::room(int32_t count) {
  if (used_ + count <= int32_t(std::size(room_))) {
    used_ += count;
    return room_ + used_ - count;
  }
  more_.push_back(std::make_unique<int64_t[]>(size_t(count) + 1));
  return more_.back().get();
}

void CallFrame::take_packed() {
  for (const Declared& parameter : contract_.parameters)
    if (parameter.packed && arrays_.has(parameter) && !arrays_.array(parameter).c_contiguous())
      operands[parameter.operand].strides = nullptr;
}

std::string render(const Pattern& pattern, const Frame& frame, bool for_compiler) {
  std::string out;
  for (const Pattern::Piece& piece : pattern.pieces) {
    if (piece.placeholder >= 0)
      out += for_compiler ? c_type(frame.types[piece.placeholder]) : dtype_name(frame.types[piece.placeholder]);
    else if (piece.value.empty()) out += piece.text;
    else if (piece.value.kind() == Expression::Kind::real)
      out += format("%.*g", for_compiler ? 17 : 6, piece.value.real(frame));
    else out += std::to_string(piece.value.integer(frame));
  }
  return out;
}

}  // namespace tenon::plugin
