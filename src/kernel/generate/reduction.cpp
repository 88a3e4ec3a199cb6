// kernel/generate/reduction.cpp: reductions: the axes, choosing the loop, splitting the work, the text, the launch.
#include <algorithm>
#include "kernel/generate/generate.hpp"

namespace tenon {
namespace generate {

struct ReductionState {
  Declarations declared;
  ReductionText text;
  GeneratedOptions options;
  bool ordered = false;  // the text uses element numbers
  Variants variants;
};

namespace {

struct ReductionPlan {
  enum Kind : uint32_t { rows = 1, columns = 2 } kind;
  bool blocks;
  int32_t kept = 0, reduced = 0;  // axes
  int32_t vector = 1, unroll = 4, threads_x = 256;
  bool wide = true;
  Access access[kMaxParameters];
  Loop loop;                      // rows: kept axes, then reduced ones; columns: the other way round
  int64_t outputs, length;        // numbers of kept and of reduced elements
  int64_t splits = 1, chunk = 0;  // of the reduced elements: parts, and elements per part
  int64_t extra = 0;              // rows of a block or width (CPU), tiles (columns on a GPU)
  Geometry geometry;
};

struct Axes {
  bool reduced[TENON_MAX_RANK] = {};
};

Axes which_axes(const ReductionState& state, int32_t rank, const int32_t* axes, int32_t count) {
  Axes out;
  for (int32_t d = 0; d < rank && count == 0; ++d) out.reduced[d] = true;
  for (int32_t k = 0; k < count; ++k) {
    const int32_t axis = normal_axis(axes[k], rank);
    TENON_REQUIRE(!out.reduced[axis], TENON_ERROR_INVALID_ARGUMENT, "axis %d of %s is given twice", axis,
                  state.options.name.c_str());
    out.reduced[axis] = true;
  }
  return out;
}

Dims output_shape(const Dims& shape, const Axes& axes, bool keep) {
  std::vector<int64_t> out;
  for (int32_t d = 0; d < shape.size(); ++d) {
    if (!axes.reduced[d]) out.push_back(shape[d]);
    else if (keep) out.push_back(1);
  }
  return Dims(Extents(out));
}

// Brings the kept and the reduced axes into normal form separately, and joins them in plan.loop.
void build_loop(const ReductionState& state, const Arguments& arguments, const Dims& shape, const Axes& axes,
                ReductionPlan& plan) {
  const int32_t inputs = state.declared.inputs;
  Loop all;
  start_loop(shape, all);
  for (int32_t i = 0; i < inputs; ++i)
    if (arguments.operands[i].array && !state.declared.parameters[size_t(i)].raw)
      all.add_operand(*arguments.operands[i].array, shape, arguments.declared->parameters[size_t(i)].table);
  const Array& output = *arguments.operands[inputs].array;
  const bool keeps = output.rank() == shape.size();
  const int32_t out = all.operands++;
  all.start[out] = 0;
  for (int32_t d = 0, at = 0; d < shape.size(); ++d) {
    all.stride[out][d] = axes.reduced[d] ? 0 : output.strides()[at];
    if (keeps || !axes.reduced[d]) ++at;
  }
  Loop kept, reduced;
  for (Loop* part : {&kept, &reduced}) {
    part->operands = all.operands;
    std::fill(part->start, part->start + all.operands, 0);
  }
  for (int32_t d = 0; d < all.rank; ++d) copy_axis(all, d, axes.reduced[d] ? reduced : kept);
  plan.outputs = kept.size();
  plan.length = reduced.size();
  const int32_t lead = largest_operand(arguments, inputs);
  simplify(kept, false, lead);
  simplify(reduced, state.ordered, lead);
  if (kept.rank + reduced.rank == 0) {
    reduced.rank = 1;
    reduced.extent[0] = 1;
    for (int32_t k = 0; k < all.operands; ++k) reduced.stride[k][0] = 0;
  }
  plan.kept = kept.rank;
  plan.reduced = reduced.rank;
  const auto nearest = [&](const Loop& part) {
    return part.rank ? std::abs(part.stride[lead][part.rank - 1]) : INT64_MAX;
  };
  plan.kind = nearest(reduced) <= nearest(kept) && reduced.rank ? ReductionPlan::rows : ReductionPlan::columns;
  const Loop &first = plan.kind == ReductionPlan::rows ? kept : reduced,
             &second = plan.kind == ReductionPlan::rows ? reduced : kept;
  plan.loop.rank = 0;
  plan.loop.operands = all.operands;
  for (int32_t d = 0; d < first.rank; ++d) copy_axis(first, d, plan.loop);
  for (int32_t d = 0; d < second.rank; ++d) copy_axis(second, d, plan.loop);
  for (int32_t k = 0; k < all.operands; ++k) plan.loop.start[k] = kept.start[k] + reduced.start[k];
}

void classify(const ReductionState& state, const Arguments& arguments, ReductionPlan& plan) {
  const int32_t last = plan.loop.rank - 1;
  for (int32_t i = 0, k = 0; i < state.declared.inputs; ++i) {
    if (state.declared.parameters[size_t(i)].raw) plan.access[i] = Access::raw;
    else if (!arguments.operands[i].array) plan.access[i] = Access::scalar;
    else {
      const int64_t stride = plan.loop.stride[k++][last];
      plan.access[i] = stride == 0 ? Access::same : stride == 1 ? Access::contiguous : Access::strided;
    }
  }
  plan.access[state.declared.inputs] = Access::strided;
}

int32_t power_of_two_from(int64_t n, int32_t low, int32_t high) {
  int32_t out = low;
  while (out < high && out < n) out *= 2;
  return out;
}

// Vector accesses run along the last axis; if several axes are iterated as one, its extent must be a multiple of the
// vector's.
void choose_vector(const ReductionState& state, const Arguments& arguments, ReductionPlan& plan) {
  const int32_t inputs = state.declared.inputs, last = plan.loop.rank - 1;
  for (int32_t i = 0; i < inputs; ++i)
    if (plan.access[i] == Access::strided) return;
  plan.vector = vector_length(arguments, 0, inputs, plan.loop, plan.access, last);
  const bool counted = plan.kind == ReductionPlan::columns || plan.reduced > 1;
  while (counted && plan.loop.extent[last] % plan.vector) plan.vector /= 2;
}

void split_rows(ReductionPlan& plan, int64_t blocks_wanted) {
  const int64_t vectors = plan.length / plan.vector;
  plan.threads_x = vectors >= 1024 || (vectors > 32 && plan.outputs < 1024) ? 256
                   : vectors >= 32                                          ? 32
                   : vectors >= 8                                           ? 8
                                                                            : 1;
  if (plan.vector == 1) plan.unroll = 4;
  if (plan.threads_x == 1) plan.unroll = 1;
  const int64_t step = int64_t(plan.threads_x) * plan.vector * plan.unroll;
  plan.chunk = std::max<int64_t>(plan.length, 1);
  if (plan.threads_x == 256 && plan.outputs < blocks_wanted) {
    const int64_t most = std::max<int64_t>(1, plan.length / (2 * step));
    const int64_t wanted = std::min(most, parts(blocks_wanted, plan.outputs));
    plan.chunk = std::max(round_up(parts(plan.length, wanted), step), step);
    plan.splits = std::max<int64_t>(1, parts(plan.length, plan.chunk));
  }
  plan.geometry = line_of_blocks(parts(plan.outputs * plan.splits, 256 / plan.threads_x), 256);
}

void split_columns(ReductionPlan& plan, int64_t blocks_wanted) {
  plan.threads_x = power_of_two_from(parts(plan.outputs, plan.vector), 1, 32);
  const int64_t tiles = parts(plan.outputs, int64_t(plan.threads_x) * plan.vector), tall = 256 / plan.threads_x;
  plan.chunk = std::max<int64_t>(plan.length, 1);
  if (tiles < blocks_wanted) {
    const int64_t most = std::max<int64_t>(1, plan.length / (tall * plan.unroll * 2));
    const int64_t wanted = std::min(most, parts(blocks_wanted, tiles));
    plan.chunk = std::max(round_up(parts(plan.length, wanted), tall * plan.unroll), tall * plan.unroll);
    plan.splits = std::max<int64_t>(1, parts(plan.length, plan.chunk));
  }
  plan.extra = tiles;
  plan.geometry = line_of_blocks(tiles * plan.splits, 256);
}

// On the CPU the split depends on the sizes only, so the bits are the same with any number of threads.
void split_on_cpu(ReductionPlan& plan, uint32_t sum_bytes) {
  constexpr int64_t kBlock = 65536;  // elements
  plan.chunk = std::max<int64_t>(plan.length, 1);
  if (plan.kind == ReductionPlan::rows) {
    plan.extra = std::max<int64_t>(1, kBlock / plan.chunk);
    if (plan.outputs < 64 && plan.length > 2 * kBlock) {
      plan.chunk = std::max<int64_t>(kBlock, round_up(parts(plan.length, 4096), 4096));
      plan.splits = parts(plan.length, plan.chunk);
    }
    plan.geometry = line_of_blocks(parts(plan.outputs, plan.extra) * plan.splits, 1);
    return;
  }
  const int64_t inner = plan.loop.extent[plan.loop.rank - 1];
  const int64_t widest =
      16384 / std::max<uint32_t>(sum_bytes, 1);  // fits into the L1 cache, and has whole rows of most arrays
  plan.extra = std::min(widest, inner);
  const int64_t tiles = plan.outputs / inner * parts(inner, plan.extra);
  if (tiles < 16 && plan.length * plan.extra > 2 * kBlock) {
    plan.chunk = std::max<int64_t>(
        64, round_up(parts(plan.length, std::min<int64_t>(64, parts(plan.length * plan.extra, kBlock))), 64));
    plan.splits = parts(plan.length, plan.chunk);
  }
  plan.geometry = line_of_blocks(tiles * plan.splits, 1);
}

uint32_t sum_bytes_upper(const ReductionState& state, const Arguments& arguments);

void make_plan(const ReductionState& state, const Arguments& arguments, const Dims& shape, const Axes& axes,
               ReductionPlan& plan) {
  build_loop(state, arguments, shape, axes, plan);
  classify(state, arguments, plan);
  plan.blocks = by_blocks(*arguments.device, state.options);
  if (!plan.blocks) {
    plan.unroll = 1;
    split_on_cpu(plan, sum_bytes_upper(state, arguments));
    return;
  }
  constexpr int64_t kNarrow = (int64_t(1) << 31) - 4096;
  plan.wide = plan.outputs >= kNarrow || plan.length >= kNarrow || reach(plan.loop) >= kNarrow;
  choose_vector(state, arguments, plan);
  const int64_t blocks = int64_t(std::max(1, arguments.device->info().multiprocessors)) * 32;
  if (plan.kind == ReductionPlan::rows) split_rows(plan, blocks);
  else split_columns(plan, blocks);
}

Key key_of(const Arguments& arguments, const ReductionPlan& plan) {
  Key key{};
  key.device = arguments.device;
  key.operands = uint32_t(arguments.count);
  key.head[0] = uint32_t(plan.kind) | uint32_t(plan.vector) << 8 | uint32_t(plan.unroll) << 16 |
                uint32_t(plan.wide) << 24 | uint32_t(whole_aligned(arguments)) << 31;
  key.head[1] = uint32_t(plan.kept) | uint32_t(plan.reduced) << 8 | uint32_t(plan.threads_x) << 16;
  for (int32_t i = 0; i < arguments.count; ++i)
    key.operand[i] = (arguments.operands[i].dtype & 0xffff) | (uint32_t(plan.access[i]) + 1) << 16;
  return key;
}

// At least sizeof(tenon_g_sum). A struct has at most 256 bytes.
uint32_t sum_bytes_upper(const ReductionState& state, const Arguments& arguments) {
  Dtype dtype;
  accumulator_type(arguments, state.options, dtype);
  return !dtype ? 256 : state.text.has_identity ? dtype_bytes(dtype) : dtype_bytes(dtype) * 2;
}

std::string write_source(const ReductionState& state, const Arguments& arguments, const ReductionPlan& plan) {
  const int32_t inputs = state.declared.inputs;
  const Shape shape{&state.declared, arguments.placeholders, plan.access, nullptr,     0,
                    inputs + 1,      plan.loop.rank,         plan.wide,   plan.blocks, whole_aligned(arguments)};
  const ReductionText& user = state.text;
  const std::string& name = state.options.name;
  Dtype ignored;
  Text text;
  write_head(text, shape, state.options,
             user.map + " " + user.reduce + " " + user.post + " " + user.identity + " " + state.options.preamble + " " +
                 state.options.accumulator);
  text.add(
      "#define TENON_G_KIND %u\n#define TENON_G_V %d\n#define TENON_G_U %d\n#define TENON_G_TX %d\n#define "
      "TENON_G_RANK %d\n#define TENON_G_KEPT %d\n"
      "#define TENON_G_REDUCED %d\n#define TENON_G_FIRST_KEPT %d\n",
      plan.kind, plan.vector, plan.unroll, plan.threads_x, plan.loop.rank, plan.kept, plan.reduced,
      plan.kind == ReductionPlan::rows ? 0 : plan.reduced);
  text.raw("#define TENON_G_MEMBER inline __attribute__((always_inline))\n");
  write_operands(text, shape);
  text.raw("typedef " + accumulator_type(arguments, state.options, ignored) + " tenon_g_acc;\n");
  text.raw(
      "TENON_G_DEVICE tenon_g_acc tenon_g_combine(const tenon_g_acc& a, const tenon_g_acc& b) { return (tenon_g_acc)(");
  text.user(user.reduce, "reduce of " + name).raw(");\n}\n");
  text.raw(
      "TENON_G_DEVICE tenon_g_acc tenon_g_combine_next(const tenon_g_acc& a, const tenon_g_acc& b) { return "
      "(tenon_g_acc)(");
  text.user(user.append.empty() ? user.reduce : user.append, "reduce of " + name).raw(");\n}\n");
  if (user.has_identity) {
    text.raw("typedef tenon_g_acc tenon_g_sum;\nTENON_G_DEVICE tenon_g_sum tenon_g_nothing() { return (tenon_g_acc)(");
    text.user(user.identity, "identity of " + name).raw(");\n}\n");
    text.raw(
        "TENON_G_DEVICE tenon_g_sum tenon_g_append(const tenon_g_sum& a, const tenon_g_acc& x) { return "
        "tenon_g_combine_next(a, x); }\n"
        "TENON_G_DEVICE tenon_g_sum tenon_g_join(const tenon_g_sum& a, const tenon_g_sum& b) { return "
        "tenon_g_combine(a, b); }\n"
        "TENON_G_DEVICE tenon_g_acc tenon_g_known(const tenon_g_sum& a) { return a; }\n");
  } else {
    text.raw(
        "struct tenon_g_sum { tenon_g_acc value; bool has; };\n"
        "TENON_G_DEVICE tenon_g_sum tenon_g_nothing() { tenon_g_sum a; a.value = tenon_g_acc(); a.has = false; "
        "return a; }\n"
        "TENON_G_DEVICE tenon_g_sum tenon_g_append(const tenon_g_sum& a, const tenon_g_acc& x) {\n"
        "  tenon_g_sum out;\n  out.has = true;\n"
        "  const tenon_g_acc both = tenon_g_combine_next(a.value, x);\n"
        "  out.value = a.has ? both : x;\n  return out;\n}\n"
        "TENON_G_DEVICE tenon_g_sum tenon_g_join(const tenon_g_sum& a, const tenon_g_sum& b) {\n"
        "  tenon_g_sum out;\n  out.has = a.has | b.has;\n"
        "  const tenon_g_acc both = tenon_g_combine(a.value, b.value);\n"
        "  out.value = !a.has ? b.value : !b.has ? a.value : both;\n  return out;\n}\n"
        "TENON_G_DEVICE tenon_g_acc tenon_g_known(const tenon_g_sum& a) { return a.value; }\n");
  }
  write_map(text, shape, user.map, name);
  const std::string out_type = cuda_type(dtype_in(shape, inputs));
  text.raw("TENON_G_DEVICE " + out_type + " tenon_g_post(const tenon_g_acc& a, const long long n) { return (" +
           out_type + ")(");
  text.user(user.post, "post of " + name).raw(");\n}\n");
  text.add(
      "TENON_G_DEVICE void tenon_g_result(const tenon_g_in& in, const tenon_g_at& at, const tenon_g_sum& a, long "
      "long n) {\n"
      "  in.p%d[at.o%d] = tenon_g_post(tenon_g_known(a), n);\n}\n",
      inputs, inputs);
  if (plan.blocks) text.raw(kBlockText);
  text.raw(kDecodeText).raw(kReductionText).raw(plan.blocks ? kReductionBlocksText : kReductionLoopsText);
  return text.take();
}

void launch(const ReductionState& state, Module& module, const Arguments& arguments, ReductionPlan& plan,
            Stream& stream) {
  ArgumentBlock in;
  fill_in(arguments, 0, arguments.count, plan.loop, in);
  LayoutBlock layout(plan.loop);
  Scratch scratch(*arguments.device,
                  plan.splits > 1 ? uint64_t(plan.outputs * plan.splits) * sum_bytes_upper(state, arguments) : 0,
                  stream);
  void* partial = scratch.data();
  Launch params(in, layout, plan.length, plan.outputs, plan.length, plan.chunk, plan.splits, plan.extra, partial);
  use_arguments(arguments, stream);
  module.launch(0, plan.geometry, params, stream);
  if (plan.splits == 1) return;
  int64_t stride = plan.kind == ReductionPlan::rows ? 1 : plan.outputs,
          step = plan.kind == ReductionPlan::rows ? plan.splits : 1, each = 256;
  Launch finish(in, layout, plan.length, plan.outputs, plan.splits, stride, step, each, partial);
  if (!plan.blocks) {
    each = std::max<int64_t>(1, 16384 / plan.splits);
    module.launch(1, line_of_blocks(parts(plan.outputs, each), 1), finish, stream);
  } else if (plan.outputs >= 4096 && plan.splits <= 128) {
    module.launch(2, line_of_blocks(parts(plan.outputs, 256), 256), finish, stream);
  } else {
    module.launch(1, line_of_blocks(plan.outputs, plan.splits >= 256 ? 256 : 32), finish, stream);
  }
}

}  // namespace
}  // namespace generate

using namespace generate;

Reduction::Reduction(std::unique_ptr<ReductionState> state) : state_(std::move(state)) {}
Reduction::~Reduction() = default;

Ref<Reduction> Reduction::create(ReductionText text, GeneratedOptions options) {
  auto state = std::make_unique<ReductionState>();
  if (options.name.empty()) options.name = "reduction";
  const std::string& who = options.name;
  state->declared = parse_declarations(text.inputs, text.output, who);
  const Declarations& declared = state->declared;
  TENON_REQUIRE(declared.inputs > 0, TENON_ERROR_INVALID_ARGUMENT,
                "%s has no input: declare one, such as \"float32 x\"", who.c_str());
  TENON_REQUIRE(declared.count() == declared.inputs + 1, TENON_ERROR_INVALID_ARGUMENT,
                "%s has %d outputs: a reduction must have one", who.c_str(), declared.count() - declared.inputs);
  const DeclaredParameter& output = declared.parameters.back();
  TENON_REQUIRE(!output.raw && !output.update, TENON_ERROR_INVALID_ARGUMENT,
                "the output %s of %s is raw or inout, which a reduction's output cannot be", output.name.c_str(),
                who.c_str());
  TENON_REQUIRE(text.reduce.find_first_not_of(" \t\r\n") != std::string::npos, TENON_ERROR_INVALID_ARGUMENT,
                "the reduce expression of %s is empty: write one over a and b, such as \"a + b\"", who.c_str());
  for (const auto& [value, what] :
       {std::pair{&text.map, "the map"}, std::pair{&text.reduce, "the reduce expression"},
        std::pair{&text.post, "the post expression"}, std::pair{&text.identity, "the identity"}})
    require_whole(*value, what, who);
  if (text.map.find_first_not_of(" \t\r\n") == std::string::npos) text.map = declared.parameters[0].name;
  if (text.post.find_first_not_of(" \t\r\n") == std::string::npos) text.post = "a";
  state->ordered = mentions(text.map, "i") || mentions(options.preamble, "i");
  state->text = std::move(text);
  state->options = std::move(options);
  return Ref<Reduction>::adopt(new Reduction(std::move(state)));
}

void Reduction::call(const CallArgument* args, int32_t count, const int32_t* axis_list, int32_t axis_count,
                     Stream* given) {
  ReductionState& state = *state_;
  const int32_t inputs = state.declared.inputs;
  Arguments arguments;
  check_arguments(state.declared, state.options.name, args, count, false, arguments);
  Stream& stream = stream_or_default(given, *arguments.device);
  Dims shape;
  TENON_REQUIRE(broadcast_shape(arguments, 0, inputs, shape), TENON_ERROR_SHAPE,
                "%s has no input array that determines the shape", state.options.name.c_str());
  const Axes axes = which_axes(state, shape.size(), axis_list, axis_count);
  const Dims without = output_shape(shape, axes, false), with = output_shape(shape, axes, true);
  const Array& output = *arguments.operands[inputs].array;
  if (!(output.shape() == without) && !(output.shape() == with))
    fail(TENON_ERROR_SHAPE, "%s has the shape %s: reducing %s this way gives %s, or %s with the reduced axes kept",
         arguments.place(inputs).c_str(), shape_text(output.shape()).c_str(), shape_text(shape).c_str(),
         shape_text(without).c_str(), shape_text(with).c_str());
  check_output(arguments, inputs, false);
  check_alignment(arguments);
  if (output.size() == 0) return;
  if (element_count(shape) == 0 && !state.text.has_identity)
    fail(TENON_ERROR_INVALID_ARGUMENT, "%s reduces the shape %s over no elements, but has no identity",
         state.options.name.c_str(), shape_text(shape).c_str());
  ReductionPlan plan;
  make_plan(state, arguments, shape, axes, plan);
  const auto write = [&] { return write_source(state, arguments, plan); };
  const Key key = key_of(arguments, plan);
  Module& module = !plan.blocks
                       ? state.variants.get(key, state.options, {"tenon_g_reduce", "tenon_g_finish"}, stream, write)
                       : state.variants.get(key, state.options,
                                            {"tenon_g_reduce", "tenon_g_finish", "tenon_g_finish_each"}, stream, write);
  Findings findings(stream, true);
  expect_indices(arguments, findings, stream);
  recorded_whole(stream, [&] { launch(state, module, arguments, plan, stream); });
  findings.defer();
}

Ref<Array> Reduction::output(const CallArgument* args, int32_t count, const int32_t* axis_list, int32_t axis_count,
                             bool keep_axes, Stream* given) {
  const ReductionState& state = *state_;
  Arguments arguments;
  check_arguments(state.declared, state.options.name, args, count, true, arguments);
  Dims shape;
  TENON_REQUIRE(broadcast_shape(arguments, 0, count, shape), TENON_ERROR_INVALID_ARGUMENT,
                "%s has no input array that determines the shape", state.options.name.c_str());
  const Axes axes = which_axes(state, shape.size(), axis_list, axis_count);
  return Array::create(*arguments.device, output_dtype(arguments, state.declared.inputs),
                       output_shape(shape, axes, keep_axes), stream_or_default(given, *arguments.device));
}

const std::string& Reduction::name() const { return state_->options.name; }
int32_t Reduction::parameter_count() const { return state_->declared.count(); }

}  // namespace tenon
