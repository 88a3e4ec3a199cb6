// kernel/generate/scan.cpp: scans: choosing the loop, its text, its launch.
#include <algorithm>
#include "kernel/generate/generate.hpp"

namespace tenon {
namespace generate {

struct ScanState {
  Declarations declared;
  ScanText text;
  GeneratedOptions options;
  Variants variants;
};

namespace {

struct ScanPlan {
  enum Kind : uint32_t { lines = 1, columns = 2 } kind;
  bool blocks;
  int32_t vector = 1;
  bool wide = true, out_contiguous = false;
  int32_t items = 16, rows_per_block = 1;  // for blocks of threads
  bool single = false;                     // a tile has a whole row, so that no block waits for another
  int32_t kept = 0, held = 0;              // large tiles: vectors per thread in shared memory and in registers
  uint32_t acc_bytes;
  Access access[kMaxParameters];
  int8_t same_as[kMaxParameters];
  Loop loop;        // lines: the other axes, then the scanned one; columns: the other way round
  int64_t n, rows;  // extent of the axis; product of the others
};

void build_loop(const Arguments& arguments, const Dims& shape, int32_t axis, bool on_cpu, ScanPlan& plan) {
  Loop all;
  start_loop(shape, all);
  for (int32_t i = 0; i < arguments.count; ++i)
    if (arguments.operands[i].array && !arguments.declared->parameters[size_t(i)].raw)
      all.add_operand(*arguments.operands[i].array, shape, arguments.declared->parameters[size_t(i)].table);
  Loop others;
  others.operands = all.operands;
  std::fill(others.start, others.start + all.operands, 0);
  for (int32_t d = 0; d < all.rank; ++d)
    if (d != axis) copy_axis(all, d, others);
  plan.n = all.rank ? all.extent[axis] : 1;
  plan.rows = others.size();
  const int32_t lead = largest_operand(arguments, arguments.count);
  simplify(others, false, lead);
  if (all.rank == 0) {
    all.extent[0] = 1;
    for (int32_t k = 0; k < all.operands; ++k) all.stride[k][0] = 0;
  }
  const int64_t along = std::abs(all.stride[lead][axis]);
  // The tiles of a column wait for each other from the top, so this only pays if there are many columns.
  const bool beside = others.rank && plan.n > 1 && std::abs(others.stride[lead][others.rank - 1]) < along;
  const int64_t wide = beside ? others.extent[others.rank - 1] : 0;
  plan.kind =
      wide >= 512 || (wide >= 4 && plan.n <= 1024) || (wide >= 4 && on_cpu) ? ScanPlan::columns : ScanPlan::lines;
  Loop& loop = plan.loop;
  loop.operands = all.operands;
  if (plan.kind == ScanPlan::columns) copy_axis(all, axis, loop);
  for (int32_t d = 0; d < others.rank; ++d) copy_axis(others, d, loop);
  if (plan.kind == ScanPlan::lines) copy_axis(all, axis, loop);
  std::copy(others.start, others.start + all.operands, loop.start);
}

void classify(const Arguments& arguments, ScanPlan& plan) {
  const int32_t last = plan.loop.rank - 1, inputs = arguments.declared->inputs;
  for (int32_t i = 0, k = 0; i < arguments.count; ++i) {
    plan.same_as[i] = int8_t(i);
    if (arguments.declared->parameters[size_t(i)].raw) plan.access[i] = Access::raw;
    else if (!arguments.operands[i].array) plan.access[i] = Access::scalar;
    else {
      const int64_t stride = plan.loop.stride[k++][last];
      plan.access[i] = stride == 0 && i < inputs ? Access::same : stride == 1 ? Access::contiguous : Access::strided;
      if (i < inputs && plan.access[i] != Access::same &&
          arguments.operands[i].array->data() == arguments.operands[inputs].array->data() &&
          arguments.operands[i].dtype == arguments.operands[inputs].dtype)
        plan.same_as[i] = int8_t(inputs);
    }
  }
}

constexpr int64_t kLargeThreads = 512;
bool large(const ScanPlan& plan) { return plan.kept > 0; }
int64_t tile_elements(const ScanPlan& plan) {
  return large(plan) ? kLargeThreads * (plan.kept + plan.held) * plan.vector : 256 * int64_t(plan.items);
}

void shape_tiles(ScanPlan& plan) {
  // 32 for lines, and 16 for columns, which use more registers: the fastest measured (H200).
  plan.items = plan.acc_bytes <= 4 ? (plan.kind == ScanPlan::lines ? 32 : 16) : plan.acc_bytes <= 8 ? 8 : 4;
  if (plan.kind == ScanPlan::columns) {
    plan.single = plan.n <= 8 * plan.items;
    return;
  }
  plan.single = plan.n <= 256 * plan.items;
  if (plan.n > 32 * plan.items) return;
  plan.rows_per_block = 8;
  while (plan.items > 1 && plan.n <= 16 * plan.items) plan.items /= 2;
}

// If there are enough tiles for every multiprocessor, they are large: 96 KiB of shared memory per block, two blocks per
// multiprocessor, and as many vectors in registers as 64 registers allow.
void enlarge_tiles(ScanPlan& plan, const Device& device) {
  const int32_t bytes = plan.vector * int32_t(plan.acc_bytes);
  if (plan.vector < 2 || bytes < 16 || bytes > 64 || (plan.acc_bytes != 4 && plan.acc_bytes != 8)) return;
  const tenon_device_info& info = device.info();
  ScanPlan as = plan;
  as.kept = 192 / bytes;
  as.held = std::max(1, as.kept / (plan.acc_bytes == 4 ? 3 : 6));
  if (plan.rows * (plan.n / tile_elements(as)) < 2 * int64_t(info.multiprocessors) ||
      info.shared_per_block_max < (96 << 10) + 1024)
    return;
  plan = as;
}

void make_plan(const ScanState& state, const Arguments& arguments, const Dims& shape, int32_t axis, ScanPlan& plan) {
  plan.blocks = by_blocks(*arguments.device, state.options);
  build_loop(arguments, shape, axis, !plan.blocks, plan);
  classify(arguments, plan);
  Dtype dtype;
  accumulator_type(arguments, state.options, dtype);
  plan.acc_bytes = dtype ? dtype_bytes(dtype) : 256;  // for a struct: an upper bound
  if (!plan.blocks) return;
  constexpr int64_t kNarrow = (int64_t(1) << 31) - 65536;
  plan.wide = plan.n >= kNarrow || plan.rows >= kNarrow || reach(plan.loop) >= kNarrow;
  shape_tiles(plan);
  const bool streams =
      std::none_of(plan.access, plan.access + arguments.count, [](Access a) { return a == Access::strided; });
  if (plan.kind != ScanPlan::lines || !streams) return;
  plan.vector =
      std::min(vector_length(arguments, 0, arguments.count, plan.loop, plan.access, plan.loop.rank - 1), plan.items);
  plan.out_contiguous = true;
  enlarge_tiles(plan, *arguments.device);
}

Key key_of(const Arguments& arguments, const ScanPlan& plan) {
  Key key{};
  key.device = arguments.device;
  key.operands = uint32_t(arguments.count);
  key.head[0] = uint32_t(plan.kind) | uint32_t(plan.vector) << 8 | uint32_t(plan.wide) << 16 |
                uint32_t(plan.out_contiguous) << 17 | uint32_t(plan.single) << 18 | uint32_t(large(plan)) << 19 |
                uint32_t(whole_aligned(arguments)) << 31;
  key.head[1] = uint32_t(plan.loop.rank) | uint32_t(plan.items) << 8 | uint32_t(plan.rows_per_block) << 16;
  for (int32_t i = 0; i < arguments.count; ++i)
    key.operand[i] =
        (arguments.operands[i].dtype & 0xffff) | (uint32_t(plan.access[i]) + 1) << 16 | uint32_t(plan.same_as[i]) << 24;
  return key;
}

std::string write_source(const ScanState& state, const Arguments& arguments, const ScanPlan& plan) {
  const int32_t out = state.declared.inputs;
  const Shape shape{&state.declared, arguments.placeholders, plan.access, plan.same_as, 0,
                    out + 1,         plan.loop.rank,         plan.wide,   plan.blocks,  whole_aligned(arguments)};
  const ScanText& user = state.text;
  const std::string& name = state.options.name;
  Text text;
  write_head(text, shape, state.options,
             user.map + " " + user.combine + " " + user.identity + " " + state.options.preamble + " " +
                 state.options.accumulator);
  text.add(
      "#define TENON_G_KIND %u\n#define TENON_G_V %d\n#define TENON_G_RANK %d\n#define TENON_G_EXCLUSIVE %d\n#define "
      "TENON_G_OUT_CONTIGUOUS %d\n"
      "#define TENON_G_ITEMS %d\n#define TENON_G_SINGLE %d\n#define TENON_G_ROWS %d\n#define TENON_G_LARGE %d\n"
      "#define TENON_G_KEPT %d\n#define TENON_G_HELD %d\n",
      plan.kind, plan.vector, plan.loop.rank, user.exclusive ? 1 : 0, plan.out_contiguous ? 1 : 0, plan.items,
      plan.single ? 1 : 0, plan.rows_per_block, large(plan) ? 1 : 0, plan.kept, plan.held);
  write_operands(text, shape);
  Dtype ignored;
  text.raw("typedef " + accumulator_type(arguments, state.options, ignored) + " tenon_g_acc;\n");
  text.raw(
      "TENON_G_DEVICE tenon_g_acc tenon_g_combine(const tenon_g_acc& a, const tenon_g_acc& b) { return (tenon_g_acc)(");
  text.user(user.combine, "combine of " + name)
      .raw(");\n}\nTENON_G_DEVICE tenon_g_acc tenon_g_identity() { return (tenon_g_acc)(");
  text.user(user.identity, "identity of " + name).raw(");\n}\n");
  write_map(text, shape, user.map, name);
  text.add("typedef %s tenon_g_out_type;\n", cuda_type(dtype_in(shape, out)));
  text.add(
      "TENON_G_DEVICE void tenon_g_result(const tenon_g_in& in, const tenon_g_at& at, const tenon_g_acc& a) { "
      "in.p%d[at.o%d] = (tenon_g_out_type)a; }\n",
      out, out);
  text.add(
      "template <int tenon_g_V> TENON_G_DEVICE void tenon_g_result_pack(const tenon_g_in& in, const tenon_g_at& at, "
      "const tenon_g_pack<tenon_g_out_type, tenon_g_V>& y) {\n  tenon_g_store(in.p%d + at.o%d, y);\n}\n",
      out, out);
  text.raw(kDecodeText).raw(kScanText).raw(plan.blocks ? kScanBlocksText : kScanLoopsText);
  return text.take();
}

void launch_blocks(Module& module, const Arguments& arguments, ScanPlan& plan, Stream& stream, ArgumentBlock& in,
                   LayoutBlock& layout) {
  const int64_t items = plan.items;
  int64_t tiles, row_tiles, row_groups, slots, groups;  // columns: tiles of a column, stripes of 32 columns
  if (plan.kind == ScanPlan::lines) {
    row_tiles = parts(plan.n, tile_elements(plan));
    row_groups = parts(row_tiles, 32);
    tiles = plan.single ? parts(plan.rows, plan.rows_per_block) : plan.rows * row_tiles;
    slots = plan.single ? 0 : tiles;
    groups = plan.single ? 0 : plan.rows * row_groups;
  } else {
    row_tiles = parts(plan.n, 8 * items);
    row_groups = parts(plan.rows, 32);
    tiles = row_tiles * row_groups;
    slots = plan.single ? 0 : tiles * 32;
    groups = 0;
  }
  const uint64_t slot_bytes = plan.acc_bytes <= 4 ? 8 : 8 + 2 * ((uint64_t(plan.acc_bytes) + 7) / 8 * 8);
  const uint64_t bytes = plan.single ? 0 : 16 + uint64_t(slots + groups) * slot_bytes;
  Scratch scratch(*arguments.device, bytes, stream);
  char* const base = static_cast<char*>(scratch.data());
  void* ticket = base;
  void* tile_slots = base + 16;
  void* group_slots = base + 16 + uint64_t(slots) * slot_bytes;
  int64_t words = int64_t(bytes / 4);
  use_arguments(arguments, stream);
  Launch clear(ticket, words);
  if (!plan.single) module.launch(1, line_of_blocks(parts(words, 1024), 256), clear, stream);
  Launch params(in, layout, plan.n, plan.rows, row_tiles, row_groups, tile_slots, group_slots, ticket);
  Geometry geometry = line_of_blocks(tiles, large(plan) ? kLargeThreads : 256);
  geometry.shared_bytes = uint32_t(kLargeThreads * plan.kept * plan.vector) * plan.acc_bytes;
  module.launch(0, geometry, params, stream);
}

void launch_loops(Module& module, const Arguments& arguments, ScanPlan& plan, Stream& stream, ArgumentBlock& in,
                  LayoutBlock& layout) {
  int64_t unit = plan.n, units = 1, width = 1;
  Geometry geometry;
  if (plan.kind == ScanPlan::lines) {
    width = std::max<int64_t>(1, 32768 / std::max<int64_t>(plan.n, 1));  // rows per block
    if (plan.rows < 16 && plan.n > 65536) {
      // Not a power of two: eight units side by side would use the same cache lines.
      unit = std::max<int64_t>(4096, round_up(parts(plan.n, 8192), 256)) + 80;
      units = parts(plan.n, unit);
      width = 8;  // units per block
    }
    geometry = line_of_blocks(units > 1 ? plan.rows * parts(units, width) : parts(plan.rows, width), 1);
  } else {
    const int64_t inner = plan.loop.extent[plan.loop.rank - 1];
    width = std::min<int64_t>(inner, plan.acc_bytes >= 256 ? 16 : std::min<int64_t>(512, 4096 / plan.acc_bytes));
    const int64_t tiles = plan.rows / inner * parts(inner, width);
    if (tiles < 8 && plan.n * width > 262144) {
      unit = std::max<int64_t>(64, parts(plan.n, 16));
      units = parts(plan.n, unit);
    }
    geometry = line_of_blocks(tiles * units, 1);
  }
  Scratch scratch(*arguments.device, units > 1 ? uint64_t(plan.rows * units) * plan.acc_bytes : 0, stream);
  void* total = scratch.data();
  Launch params(in, layout, plan.n, plan.rows, unit, units, width, total);
  use_arguments(arguments, stream);
  if (units > 1) {
    Launch prefixes(plan.rows, units, total);
    module.launch(1, geometry, params, stream);
    module.launch(2, line_of_blocks(plan.rows, 1), prefixes, stream);
  }
  module.launch(0, geometry, params, stream);
}

}  // namespace
}  // namespace generate

using namespace generate;

Scan::Scan(std::unique_ptr<ScanState> state) : state_(std::move(state)) {}
Scan::~Scan() = default;

Ref<Scan> Scan::create(ScanText text, GeneratedOptions options) {
  auto state = std::make_unique<ScanState>();
  if (options.name.empty()) options.name = "scan";
  const std::string& who = options.name;
  state->declared = parse_declarations(text.inputs, text.output, who);
  const Declarations& declared = state->declared;
  TENON_REQUIRE(declared.inputs > 0, TENON_ERROR_INVALID_ARGUMENT,
                "%s has no input: declare one, such as \"float32 x\"", who.c_str());
  TENON_REQUIRE(declared.count() == declared.inputs + 1, TENON_ERROR_INVALID_ARGUMENT,
                "%s has %d outputs: a scan must have one", who.c_str(), declared.count() - declared.inputs);
  const DeclaredParameter& output = declared.parameters.back();
  TENON_REQUIRE(!output.raw && !output.update, TENON_ERROR_INVALID_ARGUMENT,
                "the output %s of %s is raw or inout, which a scan's output cannot be", output.name.c_str(),
                who.c_str());
  for (const auto& [value, what] : {std::pair{&text.combine, "combine"}, std::pair{&text.identity, "identity"}})
    TENON_REQUIRE(value->find_first_not_of(" \t\r\n") != std::string::npos, TENON_ERROR_INVALID_ARGUMENT,
                  "the %s expression of %s is empty", what, who.c_str());
  for (const auto& [value, what] : {std::pair{&text.map, "the map"}, std::pair{&text.combine, "the combine expression"},
                                    std::pair{&text.identity, "the identity"}})
    require_whole(*value, what, who);
  if (text.map.find_first_not_of(" \t\r\n") == std::string::npos) text.map = declared.parameters[0].name;
  state->text = std::move(text);
  state->options = std::move(options);
  return Ref<Scan>::adopt(new Scan(std::move(state)));
}

void Scan::call(const CallArgument* args, int32_t count, int32_t axis, Stream* given) {
  ScanState& state = *state_;
  const int32_t inputs = state.declared.inputs;
  Arguments arguments;
  check_arguments(state.declared, state.options.name, args, count, false, arguments);
  Stream& stream = stream_or_default(given, *arguments.device);
  Dims shape;
  TENON_REQUIRE(broadcast_shape(arguments, 0, inputs, shape), TENON_ERROR_SHAPE,
                "%s has no input array that determines the shape", state.options.name.c_str());
  const Array& output = *arguments.operands[inputs].array;
  if (!(output.shape() == shape))
    fail(TENON_ERROR_SHAPE, "%s has the shape %s, but the inputs broadcast to %s", arguments.place(inputs).c_str(),
         shape_text(output.shape()).c_str(), shape_text(shape).c_str());
  TENON_REQUIRE(shape.size() > 0, TENON_ERROR_SHAPE, "%s scans along an axis, but its input has none",
                state.options.name.c_str());
  axis = normal_axis(axis, shape.size());
  check_output(arguments, inputs, true);
  check_alignment(arguments);
  if (output.size() == 0) return;
  ScanPlan plan;
  make_plan(state, arguments, shape, axis, plan);
  const auto write = [&] { return write_source(state, arguments, plan); };
  const Key key = key_of(arguments, plan);
  Module& module = plan.blocks
                       ? state.variants.get(key, state.options, {"tenon_g_scan", "tenon_g_clear"}, stream, write)
                       : state.variants.get(key, state.options, {"tenon_g_scan", "tenon_g_totals", "tenon_g_prefixes"},
                                            stream, write);
  Findings findings(stream, true);
  expect_indices(arguments, findings, stream);
  ArgumentBlock in;
  fill_in(arguments, 0, arguments.count, plan.loop, in);
  LayoutBlock layout(plan.loop);
  recorded_whole(stream, [&] {
    if (plan.blocks) launch_blocks(module, arguments, plan, stream, in, layout);
    else launch_loops(module, arguments, plan, stream, in, layout);
  });
  findings.defer();
}

Ref<Array> Scan::output(const CallArgument* args, int32_t count, Stream* given) {
  const ScanState& state = *state_;
  Arguments arguments;
  check_arguments(state.declared, state.options.name, args, count, true, arguments);
  Dims shape;
  TENON_REQUIRE(broadcast_shape(arguments, 0, count, shape), TENON_ERROR_INVALID_ARGUMENT,
                "%s has no input array that determines the shape", state.options.name.c_str());
  return Array::create(*arguments.device, output_dtype(arguments, state.declared.inputs), shape,
                       stream_or_default(given, *arguments.device));
}

const std::string& Scan::name() const { return state_->options.name; }
int32_t Scan::parameter_count() const { return state_->declared.count(); }

}  // namespace tenon
