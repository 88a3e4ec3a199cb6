// kernel/generate/elementwise.cpp: elementwise operations: choosing the loop for a call, its text, its launch.
#include <algorithm>
#include "kernel/generate/generate.hpp"

namespace tenon {
namespace generate {

struct ElementwiseState {
  Declarations declared;
  std::string operation;
  GeneratedOptions options;
  bool ordered = false;  // the text uses element numbers, so axes keep their order
  bool coordinates = false;
  bool heavy = false;  // it calls functions with many instructions
  Variants variants;
};

namespace {

struct ElementwisePlan {
  enum Kind : uint32_t { flat = 1, rows = 2, any = 3, tiles = 4 } kind;
  bool blocks;
  int32_t vector = 1, unroll = 4, threads_x = 256;
  bool wide = true;
  Access access[kMaxParameters];
  int8_t same_as[kMaxParameters];
  Loop loop;
  int64_t n, inner, outer;
  int32_t tile = 0;
  int64_t tall = 0;  // tiles: extent of the axis outside the innermost one
};

bool hidden(const Declarations& declared, const char* name) {
  for (const DeclaredParameter& parameter : declared.parameters)
    if (parameter.name == name) return true;
  return false;
}

bool says(const ElementwiseState& state, const char* name) {
  return !hidden(state.declared, name) && (mentions(state.operation, name) || mentions(state.options.preamble, name));
}

// Calls body(parameter, operand number) for every array that the loop iterates over.
template <class F> void each_walked(const Arguments& arguments, F&& body) {
  for (int32_t i = 0, k = 0; i < arguments.count; ++i)
    if (arguments.operands[i].array && !arguments.declared->parameters[size_t(i)].raw) body(i, k++);
}

void build_loop(const ElementwiseState& state, const Arguments& arguments, const Dims& shape, ElementwisePlan& plan) {
  start_loop(shape, plan.loop);
  int32_t lead = 0;
  each_walked(arguments, [&](int32_t i, int32_t) {
    plan.loop.add_operand(*arguments.operands[i].array, shape, arguments.declared->parameters[size_t(i)].table);
    if (arguments.declared->parameters[size_t(i)].output && !arguments.declared->parameters[size_t(lead)].output)
      lead = i;
  });
  int32_t lead_operand = 0;
  each_walked(arguments, [&](int32_t i, int32_t k) {
    if (i == lead) lead_operand = k;
  });
  if (!state.coordinates) simplify(plan.loop, state.ordered, lead_operand);
  if (plan.loop.rank == 0) {  // one element
    plan.loop.rank = 1;
    plan.loop.extent[0] = 1;
    for (int32_t k = 0; k < plan.loop.operands; ++k) plan.loop.stride[k][0] = 0;
  }
}

void classify(const Arguments& arguments, ElementwisePlan& plan, bool& streamable) {
  const int32_t inner = plan.loop.rank - 1;
  streamable = true;
  for (int32_t i = 0; i < arguments.count; ++i)
    plan.access[i] = arguments.declared->parameters[size_t(i)].raw ? Access::raw : Access::scalar;
  each_walked(arguments, [&](int32_t i, int32_t k) {
    const int64_t stride = plan.loop.stride[k][inner];
    plan.access[i] = stride == 0 ? Access::same : stride == 1 ? Access::contiguous : Access::strided;
    streamable = streamable && plan.access[i] != Access::strided;
  });
}

// An output is known to be exactly an input or disjoint from it, so comparing addresses is enough.
void find_same(const Arguments& arguments, ElementwisePlan& plan) {
  for (int32_t i = 0; i < arguments.count; ++i) {
    plan.same_as[i] = int8_t(i);
    const Array* array = arguments.operands[i].array;
    if (!array || arguments.declared->parameters[size_t(i)].table) continue;
    if (plan.access[i] == Access::raw || plan.access[i] == Access::same) continue;
    for (int32_t j = arguments.declared->inputs; j < arguments.count && i < arguments.declared->inputs; ++j)
      if (arguments.operands[j].array->data() == array->data() &&
          arguments.operands[j].dtype == arguments.operands[i].dtype)
        plan.same_as[i] = int8_t(j);
  }
}

void move_axis(Loop& loop, int32_t from, int32_t to) {
  for (int32_t d = from; d < to; ++d) {
    std::swap(loop.extent[d], loop.extent[d + 1]);
    for (int32_t k = 0; k < loop.operands; ++k) std::swap(loop.stride[k][d], loop.stride[k][d + 1]);
  }
}

// Inputs that are contiguous along another axis than the innermost are read through tiles of both axes. The axis along
// which most of them are contiguous is moved next to the innermost one.
bool choose_tiles(const ElementwiseState& state, const Arguments& arguments, ElementwisePlan& plan) {
  Loop& loop = plan.loop;
  const int32_t last = loop.rank - 1, inputs = arguments.declared->inputs;
  if (state.ordered || last < 1 || plan.inner < 16) return false;
  const auto transposed_at = [&](int32_t i, int32_t k, int32_t d) {
    return i < inputs && plan.same_as[i] == i && !arguments.declared->parameters[size_t(i)].table &&
           loop.stride[k][d] == 1 && std::abs(loop.stride[k][last]) > 1;
  };
  int32_t best = -1, most = 0;
  for (int32_t d = 0; d < last; ++d) {
    int32_t found = 0;
    each_walked(arguments, [&](int32_t i, int32_t k) { found += transposed_at(i, k, d); });
    if (found > most && loop.extent[d] >= 16) best = d, most = found;
  }
  if (best < 0) return false;
  uint32_t bytes = 0;
  each_walked(arguments, [&](int32_t i, int32_t k) {
    if (transposed_at(i, k, best)) bytes += dtype_bytes(arguments.operands[i].dtype);
  });
  plan.tile = 64 * 65 * bytes <= 46000 ? 64 : 32 * 33 * bytes <= 46000 ? 32 : 0;
  if (!plan.tile) return false;
  each_walked(arguments, [&](int32_t i, int32_t k) {
    if (transposed_at(i, k, best)) plan.access[i] = Access::transposed;
    else if (plan.access[i] == Access::same || plan.access[i] == Access::contiguous) plan.access[i] = Access::strided;
  });
  move_axis(loop, best, last - 1);
  plan.tall = loop.extent[last - 1];
  plan.kind = ElementwisePlan::tiles;
  return true;
}

void choose_gpu_loop(const ElementwiseState& state, const Arguments& arguments, bool streamable,
                     ElementwisePlan& plan) {
  const int32_t inner_axis = plan.loop.rank - 1;
  uint32_t read = 0;  // bytes per element, by vector accesses
  for (int32_t i = 0; i < arguments.declared->inputs; ++i)
    if (plan.access[i] == Access::contiguous && !arguments.declared->parameters[size_t(i)].table)
      read += dtype_bytes(arguments.operands[i].dtype);
  plan.kind = ElementwisePlan::any;
  plan.wide = plan.n >= (int64_t(1) << 31) - 4096 || reach(plan.loop) >= (int64_t(1) << 31) - 4096;
  if (streamable && !state.coordinates) {
    plan.vector = vector_length(arguments, 0, arguments.count, plan.loop, plan.access, inner_axis);
    if (plan.loop.rank == 1) {
      plan.kind = ElementwisePlan::flat;
      plan.wide = true;
    } else if (plan.inner / plan.vector >= 16) {
      plan.kind = ElementwisePlan::rows;
    }
  }
  if (plan.kind == ElementwisePlan::any && choose_tiles(state, arguments, plan)) {
    plan.vector = 1;
    return;
  }
  if (plan.kind == ElementwisePlan::any) {
    plan.vector = 1;
    each_walked(arguments, [&](int32_t i, int32_t) { plan.access[i] = Access::strided; });
    return;
  }
  // About 64 bytes of loads in flight per thread; less if the code per element is long, so that the loads of one block
  // run beside the arithmetic of another.
  plan.unroll = read ? 1 : 4;
  while (read && plan.unroll < 8 && uint32_t(plan.unroll * plan.vector) * read <= 48) plan.unroll *= 2;
  if (state.heavy) plan.unroll = std::min(plan.unroll, plan.vector <= 2 ? 1 : 2);
  if (plan.vector == 1) plan.unroll = 4;
  if (plan.kind == ElementwisePlan::rows) {
    plan.threads_x = 32;
    while (plan.threads_x < 256 && int64_t(plan.threads_x) * plan.vector < plan.inner) plan.threads_x *= 2;
  } else {
    plan.loop.rank = 1;
  }
}

void make_plan(const ElementwiseState& state, const Arguments& arguments, const Dims& shape, ElementwisePlan& plan) {
  build_loop(state, arguments, shape, plan);
  bool streamable;
  classify(arguments, plan, streamable);
  find_same(arguments, plan);
  plan.n = plan.loop.size();
  plan.inner = plan.loop.extent[plan.loop.rank - 1];
  plan.outer = plan.n / plan.inner;
  plan.blocks = by_blocks(*arguments.device, state.options);
  if (!plan.blocks) {
    plan.kind = ElementwisePlan::rows;
    plan.unroll = 1;
    choose_tiles(state, arguments, plan);
  } else {
    choose_gpu_loop(state, arguments, streamable, plan);
  }
}

Key key_of(const Arguments& arguments, const ElementwisePlan& plan) {
  Key key{};
  key.device = arguments.device;
  key.operands = uint32_t(arguments.count);
  key.head[0] = uint32_t(plan.kind) | uint32_t(plan.vector) << 8 | uint32_t(plan.unroll) << 16 |
                uint32_t(plan.wide) << 24 | uint32_t(whole_aligned(arguments)) << 31;
  key.head[1] = uint32_t(plan.loop.rank) | uint32_t(plan.threads_x) << 16;
  key.head[2] = uint32_t(plan.tile);
  for (int32_t i = 0; i < arguments.count; ++i)
    key.operand[i] =
        (arguments.operands[i].dtype & 0xffff) | (uint32_t(plan.access[i]) + 1) << 16 | uint32_t(plan.same_as[i]) << 24;
  return key;
}

std::string write_source(const ElementwiseState& state, const Arguments& arguments, const ElementwisePlan& plan) {
  const Shape shape{&state.declared, arguments.placeholders, plan.access, plan.same_as, 0,
                    arguments.count, plan.loop.rank,         plan.wide,   plan.blocks,  whole_aligned(arguments)};
  Text text;
  write_head(text, shape, state.options, state.operation + " " + state.options.preamble);
  text.add(
      "#define TENON_G_KIND %u\n#define TENON_G_V %d\n#define TENON_G_U %d\n#define TENON_G_TX %d\n#define "
      "TENON_G_RANK %d\n#define TENON_G_COORD %d\n"
      "#define TENON_G_TILE %d\n",
      plan.kind, plan.vector, plan.unroll, plan.threads_x, plan.loop.rank, state.coordinates ? 1 : 0, plan.tile);
  write_operands(text, shape);
  struct {
    const char *type, *name, *value;
  } const extra[] = {{"const long long", "i", "i"},
                     {"const long long", "n", "n"},
                     {"const long long* const", "coord", "coord"},
                     {"const long long* const", "shape", "shape"},
                     {"const int", "rank", "TENON_G_RANK"}};
  std::string parameters = function_parameters(shape), values = function_arguments(shape, "v", "k");
  for (const auto& one : extra) {
    if (hidden(state.declared, one.name)) continue;
    parameters += std::string(", ") + one.type + " " + one.name;
    values += std::string(", ") + one.value;
  }
  text.raw("TENON_G_DEVICE void tenon_g_operation(" + parameters + ") {");
  text.user(state.operation + "\n;", state.options.name);
  text.raw(
      "}\ntemplate <int tenon_g_V> TENON_G_DEVICE void tenon_g_apply(const tenon_g_in& in, tenon_g_values<tenon_g_V>& "
      "v, const int k, const long long i, const long long n, const long long* const coord, const long long* const "
      "shape) {\n  tenon_g_operation(" +
      values + ");\n}\n");
  text.raw(kElementwiseText).raw(plan.blocks ? kElementwiseBlocksText : kElementwiseLoopsText);
  return text.take();
}

void launch(Module& module, const Arguments& arguments, ElementwisePlan& plan, Stream& stream) {
  ArgumentBlock in;
  fill_in(arguments, 0, arguments.count, plan.loop, in);
  LayoutBlock layout(plan.loop);
  int64_t a = 0, b = 0;
  Geometry geometry;
  int64_t* extents[] = {&plan.inner, &plan.outer};
  if (plan.kind == ElementwisePlan::tiles) {
    a = (plan.inner + plan.tile - 1) / plan.tile;
    b = (plan.tall + plan.tile - 1) / plan.tile;
    geometry = line_of_blocks(a * b * (plan.n / plan.inner / plan.tall), plan.blocks ? 256 : 1);
    extents[1] = &plan.tall;
  } else if (!plan.blocks) {
    constexpr int64_t kBlock = 32768;  // elements: a few hundred kilobytes, a few microseconds of work
    a = plan.inner <= 2 * kBlock ? plan.inner : kBlock;
    b = std::max<int64_t>(1, kBlock / plan.inner);
    geometry = line_of_blocks((plan.inner + a - 1) / a * ((plan.outer + b - 1) / b), 1);
  } else if (plan.kind == ElementwisePlan::rows) {
    const int64_t tile = int64_t(plan.threads_x) * plan.vector, tall = 256 / plan.threads_x * plan.unroll;
    a = (plan.inner + tile - 1) / tile;
    geometry =
        line_of_blocks(a * ((plan.outer + tall - 1) / tall), uint32_t(plan.threads_x), uint32_t(256 / plan.threads_x));
  } else {
    const int64_t each = 256 * int64_t(plan.vector) * plan.unroll;
    geometry = line_of_blocks((plan.n + each - 1) / each, 256);
  }
  Launch params(in, layout, plan.n, *extents[0], *extents[1], a, b);
  use_arguments(arguments, stream);
  module.launch(0, geometry, params, stream);
}

}  // namespace
}  // namespace generate

using namespace generate;

bool generate::is_heavy(const std::string& text) {
  for (const char* function :
       {"exp",    "exp2",  "expm1", "log",  "log2",   "log10",  "log1p",  "sin",  "cos",   "tan",
        "sincos", "pow",   "sinh",  "cosh", "tanh",   "asin",   "acos",   "atan", "atan2", "asinh",
        "acosh",  "atanh", "erf",   "erfc", "erfinv", "lgamma", "tgamma", "cbrt", "hypot", "fmod",
        "expf",   "logf",  "sinf",  "cosf", "tanf",   "powf",   "tanhf"})
    if (mentions(text, function)) return true;
  return false;
}

Elementwise::Elementwise(std::unique_ptr<ElementwiseState> state) : state_(std::move(state)) {}
Elementwise::~Elementwise() = default;

Ref<Elementwise> Elementwise::create(const std::string& inputs, const std::string& outputs,
                                     const std::string& operation, GeneratedOptions options) {
  auto state = std::make_unique<ElementwiseState>();
  if (options.name.empty()) options.name = "elementwise";
  state->declared = parse_declarations(inputs, outputs, options.name);
  require_whole(operation, "the operation", options.name);
  state->operation = operation;
  state->options = std::move(options);
  state->coordinates = says(*state, "coord") || says(*state, "shape") || says(*state, "rank");
  state->heavy = state->options.heavy || is_heavy(operation);
  state->ordered = state->coordinates || says(*state, "i");
  return Ref<Elementwise>::adopt(new Elementwise(std::move(state)));
}

void Elementwise::call(const CallArgument* args, int32_t count, Stream* given) {
  ElementwiseState& state = *state_;
  const Declarations& declared = state.declared;
  Arguments arguments;
  check_arguments(declared, state.options.name, args, count, false, arguments);
  Stream& stream = stream_or_default(given, *arguments.device);
  Dims shape;
  if (!broadcast_shape(arguments, 0, count, shape))
    fail(TENON_ERROR_SHAPE, "%s has only raw arrays: at least one array that is not raw must determine the shape",
         state.options.name.c_str());
  bool empty = false;
  for (int32_t i = declared.inputs; i < count; ++i) {
    const Array& array = *arguments.operands[i].array;
    const bool raw = declared.parameters[size_t(i)].raw;
    if (!raw && !(array.shape() == shape))
      fail(TENON_ERROR_SHAPE, "%s has the shape %s, but the arguments broadcast to %s", arguments.place(i).c_str(),
           shape_text(array.shape()).c_str(), shape_text(shape).c_str());
    check_output(arguments, i, true);
    empty = empty || (!raw && array.size() == 0);
  }
  check_alignment(arguments);
  if (empty || element_count(shape) == 0) return;
  ElementwisePlan plan;
  make_plan(state, arguments, shape, plan);
  Module& module = state.variants.get(key_of(arguments, plan), state.options, {"tenon_g_kernel"}, stream,
                                      [&] { return write_source(state, arguments, plan); });
  Findings findings(stream, true);
  expect_indices(arguments, findings, stream);
  launch(module, arguments, plan, stream);
  findings.defer();
}

Ref<Array> Elementwise::output(const CallArgument* args, int32_t count, int32_t index, Stream* given) {
  const Declarations& declared = state_->declared;
  const int32_t outputs = declared.count() - declared.inputs;
  TENON_REQUIRE(index >= 0 && index < outputs, TENON_ERROR_INVALID_ARGUMENT,
                "output %d of %s is out of range: it has %d outputs", index, state_->options.name.c_str(), outputs);
  Arguments arguments;
  check_arguments(declared, state_->options.name, args, count, true, arguments);
  Dims shape;
  const int32_t at = declared.inputs + index;
  TENON_REQUIRE(!declared.parameters[size_t(at)].raw && broadcast_shape(arguments, 0, count, shape),
                TENON_ERROR_INVALID_ARGUMENT, "no input determines the shape of %s: pass an output",
                arguments.place(at).c_str());
  return Array::create(*arguments.device, output_dtype(arguments, at), shape,
                       stream_or_default(given, *arguments.device));
}

const std::string& Elementwise::name() const { return state_->options.name; }
int32_t Elementwise::parameter_count() const { return state_->declared.count(); }

}  // namespace tenon
