// kernel/launch.cpp: launches: check, pack, order the stream behind the arrays' other users, go.
#include <algorithm>
#include <cstring>
#include <new>
#include <tenon/graph.h>
#include "core/device/call.hpp"
#include "kernel/arguments.hpp"
#include "kernel/source/declaration.hpp"

namespace tenon {
namespace {

struct Use {
  Buffer* buffer;
  bool write;
};

// Writes the uses of a texture argument, and returns their number.
size_t texture_uses(const CallArgument& argument, Use* to) {
  const Texture& texture = *argument.value.texture;
  to[0] = {&texture.token(), argument.kind == TENON_ARG_SURFACE};
  if (!texture.shared()) return 1;
  to[1] = {texture.shared(), false};
  return 2;
}

// While another library captures the stream, only its graph can keep the texture alive.
void keep_with_capture(Stream& stream, Texture& texture) {
  if (stream.capturing()) stream.keep_with_capture(Ref<const Object>(&texture));
}

// The packed values of one launch. Lives on the stack and allocates nothing unless the kernel is unusually large.
class PackedValues {
 public:
  PackedValues(size_t count, uint64_t bytes, uint32_t alignment) {
    if (count > kParameters) {
      heap_ = std::make_unique<Heap>();
      heap_->params.resize(count);
      heap_->uses.resize(2 * count);
      params_ = heap_->params.data();
      uses_ = heap_->uses.data();
    }
    if (bytes > sizeof block_here_ || alignment > alignof(PackedValues)) {
      large_alignment_ = std::align_val_t(std::max<size_t>(alignment, 64));
      block_ = static_cast<unsigned char*>(::operator new(bytes, large_alignment_));
    }
  }
  ~PackedValues() {
    if (block_ != block_here_) ::operator delete(block_, large_alignment_);
  }
  PackedValues(const PackedValues&) = delete;

  unsigned char* block() { return block_; }
  void** params() { return params_; }
  Use* uses() { return uses_; }

 private:
  static constexpr size_t kParameters = 64;
  struct Heap {
    std::vector<void*> params;
    std::vector<Use> uses;
  };
  alignas(128) unsigned char block_here_[4096];
  void* params_here_[kParameters];
  Use uses_here_[2 * kParameters];  // a texture over an array's memory uses two buffers
  unsigned char* block_ = block_here_;
  void** params_ = params_here_;
  Use* uses_ = uses_here_;
  std::align_val_t large_alignment_{64};
  std::unique_ptr<Heap> heap_;
};

// Adds the launch to a recording as a piece.
void record(Stream& stream, const Ref<Call>& call) {
  recorded_whole(stream, [&] {
    stream.recording()->add(call->piece());
    stream.recording()->describe(TENON_GRAPH_KERNEL, call->kernel().name(), call);
  });
}

void check_stream(const Kernel& kernel, const Stream& stream) {
  TENON_REQUIRE(&stream.device() == &kernel.device(), TENON_ERROR_DEVICE, "the stream belongs to %s, but %s runs on %s",
                stream.device().name().c_str(), kernel.name().c_str(), kernel.device().name().c_str());
}

}  // namespace

Kernel::Kernel(Ref<Program> program, int32_t index, std::vector<Parameter> parameters)
    : program_(std::move(program)), index_(index), parameters_(std::move(parameters)) {
  for (Parameter& p : parameters_) {
    block_bytes_ = (block_bytes_ + p.alignment - 1) / p.alignment * p.alignment;
    p.offset = block_bytes_;
    block_bytes_ += p.size;
    block_alignment_ = std::max(block_alignment_, p.alignment);
    shapes_.push_back({p.size, p.dtype, p.kind});
  }
}

// Read on demand, for a message or for the caller, and not for every kernel.
const std::string& Kernel::parameter_name(size_t index) const {
  std::call_once(named_, [&] {
    const CompileRequest& request = program_->request();
    std::vector<std::string_view> texts = {request.source};
    for (const ProgramInput& input : request.inputs)
      if (input.kind == TENON_INPUT_SOURCE) texts.push_back(input.data);
    for (const SourceHeader& header : request.headers) texts.push_back(header.text);
    names_ = written_names(texts, name(), parameters_);
  });
  return names_[index];
}

const tenon_kernel_info& Kernel::info() {
  if (!has_info_.load(std::memory_order_acquire)) {
    tenon_kernel_info info = program_->module().info(index_);
    const uint64_t shared = shared_limit(device());
    info.dynamic_shared_bytes = shared > info.shared_bytes ? shared - info.shared_bytes : 0;
    std::lock_guard lock(mutex_);
    if (!has_info_.load(std::memory_order_relaxed)) {
      info_ = info;
      has_info_.store(true, std::memory_order_release);
    }
  }
  return info_;
}

tenon_kernel_info Kernel::described() {
  tenon_kernel_info out = info();
  out.shared_carveout = program_->shared_carveout(index_);
  return out;
}

void Kernel::launch(const Geometry& launch, const CallArgument* args, int32_t count, Stream& stream, Event* start) {
  check_stream(*this, stream);
  if (stream.recording()) [[unlikely]]
    return record(stream, Call::create(Ref<Kernel>(this), launch, args, count));
  check_count(*this, args, count);
  const size_t n = parameters_.size();
  PackedValues frame(n, block_bytes_, block_alignment_);
  size_t uses = 0;
  bool textures = false;
  for (size_t i = 0; i < n; ++i) {
    void* const value = frame.block() + parameters_[i].offset;
    frame.params()[i] = value;
    if (Array* array = pack_argument(*this, i, args[i], value))
      frame.uses()[uses++] = {&array->buffer(), !parameters_[i].read_only};
    else if (args[i].is_texture()) [[unlikely]] uses += texture_uses(args[i], frame.uses() + uses), textures = true;
  }
  if (!has_info_.load(std::memory_order_acquire)) [[unlikely]]
    stream.beside_capture("a kernel has to be loaded", [this] { info(); });
  const Geometry geometry = checked_geometry(*this, launch);
  Module& module = program_->module();
  for (size_t i = 0; i < uses; ++i) frame.uses()[i].buffer->use(stream, frame.uses()[i].write);
  if (textures) [[unlikely]]
    for (size_t i = 0; i < n; ++i)
      if (args[i].is_texture()) keep_with_capture(stream, *args[i].value.texture);
  program_->use_globals(stream);
  if (start) start->record(stream);
  std::vector<MemoryRange> extents;
  if (wants_extents(*this)) [[unlikely]]
    for (size_t i = 0; i < n; ++i) extents.push_back(argument_extent(*this, i, args[i]));
  module.launch(index_, geometry,
                {frame.params(), shapes_.data(), uint32_t(n), extents.empty() ? nullptr : extents.data()}, stream);
}

double Kernel::time(const Geometry& given, const CallArgument* args, int32_t count, Stream& stream) {
  check_stream(*this, stream);
  require_running(stream, "a timed launch waits for its result");
  const Ref<Event> start = device().create_event(true), stop = device().create_event(true);
  launch(given, args, count, stream, start.get());
  stop->record(stream);
  stop->synchronize();
  stream.synchronize();  // throws an error of the kernel
  return stop->elapsed_since(*start);
}

// The members that each launch of a bound call reads come first, next to each other.
struct Call::State {
  Module* module;
  int32_t index;
  Geometry geometry;
  const ValueShape* shapes;  // of the kernel
  std::vector<void*> params;
  std::vector<Use> uses;  // the arrays among the arguments
  Ref<Kernel> kernel;
  std::vector<Ref<Array>> arrays;  // by parameter; NULL for other arguments
  struct KeptTexture {
    Ref<Texture> texture;
    uint32_t kind;  // TENON_ARG_TEXTURE, TENON_ARG_SURFACE
  };
  std::vector<KeptTexture> textures;  // likewise
  bool has_textures = false;
  std::vector<MemoryRange> extents;  // in the checked mode
  unsigned char* block;
  uint64_t bytes;
  std::align_val_t alignment;

  State(Ref<Kernel> of, uint64_t block_bytes, uint32_t block_alignment)
      : module(nullptr),
        index(0),
        shapes(of->shapes_.data()),
        kernel(std::move(of)),
        bytes(block_bytes),
        alignment(std::align_val_t(std::max<size_t>(block_alignment, 64))) {
    const size_t n = kernel->parameters().size();
    params.resize(n);
    arrays.resize(n);
    textures.resize(n);
    uses.reserve(2 * n);
    block = static_cast<unsigned char*>(::operator new(std::max<uint64_t>(bytes, 1), alignment));
    std::memset(block, 0, bytes);
    for (size_t i = 0; i < n; ++i) params[i] = block + kernel->parameters()[i].offset;
  }
  Values values() const {
    return {params.data(), shapes, uint32_t(params.size()), extents.empty() ? nullptr : extents.data()};
  }
  ~State() { ::operator delete(block, alignment); }
  State(const State&) = delete;

  void bind(size_t i, const CallArgument& argument) {
    if (wants_extents(*kernel)) extents.resize(arrays.size());
    Array* array = pack_argument(*kernel, i, argument, params[i]);
    arrays[i] = array ? Ref<Array>(array) : Ref<Array>();
    textures[i] = {argument.is_texture() ? Ref<Texture>(argument.value.texture) : Ref<Texture>(), argument.kind};
    if (!extents.empty()) extents[i] = argument_extent(*kernel, i, argument);
  }
  // The members that differ between a call and its copies.
  void take_arguments(const State& from) {
    extents = from.extents;  // may fail
    arrays = from.arrays;
    textures = from.textures;
    std::memcpy(block, from.block, bytes);
    collect_uses();
  }
  // Does not allocate: the memory was reserved.
  void collect_uses() {
    uses.clear();
    for (size_t i = 0; i < arrays.size(); ++i)
      if (arrays[i]) uses.push_back({&arrays[i]->buffer(), !kernel->parameters()[i].read_only});
    has_textures = false;
    for (const KeptTexture& kept : textures) {
      if (!kept.texture) continue;
      has_textures = true;
      CallArgument argument{};
      argument.kind = kept.kind;
      argument.value.texture = kept.texture.get();
      uses.resize(uses.size() + 2);
      uses.resize(uses.size() - 2 + texture_uses(argument, uses.data() + uses.size() - 2));
    }
  }
};

Call::Call(std::unique_ptr<State> state) : state_(std::move(state)) {}
Call::~Call() = default;

Ref<Call> Call::create(Ref<Kernel> kernel, const Geometry& launch, const CallArgument* args, int32_t count) {
  check_count(*kernel, args, count);
  auto state = std::make_unique<State>(kernel, kernel->block_bytes_, kernel->block_alignment_);
  for (int32_t i = 0; i < count; ++i) state->bind(size_t(i), args[i]);
  state->collect_uses();
  state->geometry = checked_geometry(*kernel, launch);
  state->index = kernel->index_;
  state->module = &kernel->program_->module();
  return Ref<Call>::adopt(new Call(std::move(state)));
}

void Call::set(int32_t index, const CallArgument& arg) {
  const size_t n = state_->arrays.size();
  TENON_REQUIRE(index >= 0 && size_t(index) < n, TENON_ERROR_INVALID_ARGUMENT,
                "argument %d of %s is out of range: it has %zu arguments", index, state_->kernel->name().c_str(), n);
  state_->bind(size_t(index), arg);
  state_->collect_uses();
}

void Call::set_all(const CallArgument* args, int32_t count) {
  const Ref<Call> checked = copy();
  check_count(kernel(), args, count);
  for (int32_t i = 0; i < count; ++i) checked->state_->bind(size_t(i), args[i]);
  state_->take_arguments(*checked->state_);
}

void Call::set_launch(const Geometry& launch) { state_->geometry = checked_geometry(*state_->kernel, launch); }

void Call::open() const {
  for (const Use& use : state_->uses) CallScope::opened(*use.buffer);
}

void Call::launch(Stream& stream) {
  State& s = *state_;
  check_stream(*s.kernel, stream);
  if (stream.recording()) [[unlikely]]
    return record(stream, copy());
  for (const Use& use : s.uses) use.buffer->use(stream, use.write);
  if (s.has_textures) [[unlikely]]
    for (const State::KeptTexture& kept : s.textures)
      if (kept.texture) keep_with_capture(stream, *kept.texture);
  s.kernel->program_->use_globals(stream);
  s.module->launch(s.index, s.geometry, s.values(), stream);
}

RecordedWork Call::piece() {
  RecordedWork piece;
  piece.name = kernel().name();
  piece.run = [this](Stream& stream) {
    state_->module->launch(state_->index, state_->geometry, state_->values(), stream);
  };
  uses(piece.uses);
  piece.launch = recorded_launch();
  piece.owner = Ref<Object>(this);
  return piece;
}

RecordedLaunch Call::recorded_launch() const {
  return {state_->module, state_->index, state_->geometry, state_->params.data()};
}

void Call::uses(std::vector<BufferUse>& out) const {
  out.reserve(state_->params.size());
  for (const Use& use : state_->uses) out.push_back({Ref<Buffer>(use.buffer), use.write});
}

int32_t Call::parameter_count() const { return int32_t(state_->params.size()); }

Ref<Call> Call::copy() const {
  const State& from = *state_;
  auto state = std::make_unique<State>(from.kernel, from.bytes, uint32_t(from.alignment));
  state->module = from.module;
  state->index = from.index;
  state->geometry = from.geometry;
  state->take_arguments(from);
  return Ref<Call>::adopt(new Call(std::move(state)));
}

Kernel& Call::kernel() const { return *state_->kernel; }
Device& Call::device() const { return state_->kernel->device(); }

}  // namespace tenon
