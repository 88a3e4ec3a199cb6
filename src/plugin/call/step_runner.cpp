// plugin/call/step_runner.cpp: instances of a step's kernel: found, or compiled; then geometry and arguments for one
// launch.
#include "plugin/call/step_runner.hpp"
#include <algorithm>
#include <cstring>
#include "kernel/arguments.hpp"
#include "plugin/call/frame.hpp"
#include "plugin/call/plan.hpp"
#include "plugin/expression/scalar.hpp"

namespace tenon::plugin {
namespace {

constexpr size_t kStructWords = 128;  // of structs by value

}  // namespace

StepRunner::StepRunner(const Package& package, const OperationContract& operation, const StepContract& step,
                       const std::string& title, int32_t mode)
    : package_(package), operation_(operation), step_(step), title_(title), mode_(mode) {
  const auto collect = [&](const Pattern& pattern) {
    for (const Pattern::Piece& piece : pattern.pieces)
      if (!piece.value.empty()) values_.push_back(&piece.value);
  };
  collect(step.kernel);
  for (const auto& [name, pattern] : step.defines) collect(pattern);
  for (const Pattern& pattern : step.options) collect(pattern);
  const Source& source = *package.contract().source;
  if (values_.size() > size_t(kMaxPatternValues))
    fault(source, step.place, "the texts of this step contain %zu values, but at most %d are possible", values_.size(),
          kMaxPatternValues);
  if (is_kernel()) return;
  if (step.kind == StepContract::Kind::host) {
    host_ = package.host_function(step.text);
    return;
  }
  try {
    make_expression();
  } catch (const Error& error) {
    if (error.status != TENON_ERROR_INVALID_ARGUMENT || error.message.starts_with(source.name)) throw;
    fault(source, step.place, "%s", error.message.c_str());
  }
}

void StepRunner::make_key(Device& device, const Frame& frame, KernelInstance::Key& key) const {
  key.device = &device;
  const size_t types = operation_.placeholders.size();
  for (size_t i = 0; i < types; ++i) key.types[i] = frame.types[i];
  for (size_t i = 0; i < values_.size(); ++i) key.values[i] = values_[i]->run(frame);
}

const KernelInstance* StepRunner::find(const KernelInstance::Key& key) {
  const auto same = [&](const KernelInstance& one) {
    return one.key.device == key.device &&
           std::equal(key.types, key.types + operation_.placeholders.size(), one.key.types) &&
           std::memcmp(key.values, one.key.values, values_.size() * sizeof(Number)) == 0;
  };
  if (const KernelInstance* last = last_.load(std::memory_order_acquire); last && same(*last)) return last;
  std::shared_lock lock(mutex_);
  for (const auto& one : instances_)
    if (same(*one)) {
      last_.store(one.get(), std::memory_order_release);
      return one.get();
    }
  return nullptr;
}

const KernelInstance& StepRunner::instance(const CallFrame& frame) { return instance(frame.where(), frame); }

const KernelInstance& StepRunner::instance(Device& device, const Frame& frame) {
  KernelInstance::Key key;
  make_key(device, frame, key);
  if (const KernelInstance* found = find(key)) return *found;
  // Different instances compile in parallel; for two compiles of the same one, the image store runs only one.
  std::unique_ptr<KernelInstance> made = compile(device, frame, key);
  std::lock_guard once(compile_mutex_);
  if (const KernelInstance* found = find(key)) return *found;
  std::unique_lock lock(mutex_);
  instances_.push_back(std::move(made));
  last_.store(instances_.back().get(), std::memory_order_release);
  return *instances_.back();
}

std::unique_ptr<KernelInstance> StepRunner::compile(Device& device, const Frame& frame,
                                                    const KernelInstance::Key& key) const {
  CompileRequest request;
  request.mode = mode_;
  request.source = package_.file(step_.file);
  request.name = package_.contract().name + "/" + step_.file;
  for (const auto& [path, text] : package_.files())
    if (path != step_.file && path != "plugin.toml" && text.find('\0') == std::string::npos)
      request.headers.push_back({path, text});
  request.kernels = {render(step_.kernel, frame, true)};
  for (const auto& [name, pattern] : step_.defines)
    request.options.push_back("-D" + name + "=" + render(pattern, frame, true));
  for (const Pattern& pattern : step_.options) request.options.push_back(render(pattern, frame, true));
  if (step_.fast_math) request.flags |= TENON_PROGRAM_FLAG_FAST_MATH;
  auto made = std::make_unique<KernelInstance>();
  made->key = key;
  try {
    const std::string name = request.kernels[0];
    made->kernel = Program::create(device, std::move(request))->kernel(name);
    plan_arguments(*made);
  } catch (Error& error) {
    error.message = title_ + " on " + device.name() + ": " + error.message;
    throw;
  }
  return made;
}

// Compares the contract's arguments with the parameters that the compiler reports.
void StepRunner::plan_arguments(KernelInstance& instance) const {
  const std::vector<tenon::Parameter>& parameters = instance.kernel->parameters();
  const size_t passed = step_.arguments.size() + step_.count_argument;
  const Source& source = *package_.contract().source;
  const char* const name = instance.kernel->name().c_str();
  if (parameters.size() != passed)
    fault(source, step_.place, "the contract passes %zu arguments%s, but %s takes %zu", passed,
          step_.count_argument ? " (the last is the number of threads)" : "", name, parameters.size());
  if (passed > 64) fault(source, step_.place, "%s takes %zu arguments, but at most 64 are possible", name, passed);
  for (size_t i = 0; i < passed; ++i) {
    const tenon::Parameter& parameter = parameters[i];
    const Argument* const argument = i < step_.arguments.size() ? &step_.arguments[i] : nullptr;
    const Place place = argument ? argument->place : step_.place;
    const bool array = argument && argument->kind == Argument::Kind::value && argument->scalar < 0 &&
                       argument->value.kind() == Expression::Kind::array;
    const bool as_struct = argument && (argument->kind != Argument::Kind::value);
    const bool opaque = argument && argument->scalar >= 0 && operation_.parameters[size_t(argument->scalar)].number < 0;
    const char* const text = argument ? argument->text.c_str() : "the number of threads";
    if (array != (parameter.kind == TENON_PARAMETER_POINTER))
      fault(source, place, "%s is %s, but parameter %zu of %s is %s", text, array ? "an array" : "not an array", i,
            name, array ? "not a pointer" : "a pointer");
    if (as_struct && parameter.kind != TENON_PARAMETER_STRUCT)
      fault(source, place, "%s is passed as a struct by value, but parameter %zu of %s is not a struct", text, i, name);
    if (!array && !as_struct && !opaque && parameter.kind != TENON_PARAMETER_SCALAR)
      fault(source, place, "%s is a number, but parameter %zu of %s is a struct", text, i, name);
    if (as_struct && parameter.size > kStructWords * sizeof(uint64_t))
      fault(source, place, "parameter %zu of %s has %u bytes: too many for %s", i, name, parameter.size, text);
    instance.packing.push_back({argument, parameter.dtype, parameter.size, parameter.read_only});
  }
}

void StepRunner::geometry(const CallFrame& frame, Geometry& launch, bool& empty) const {
  const auto fits = [&](int64_t value, int64_t least, const Expression& from, const char* what) {
    if (value < least || value > int64_t(UINT32_MAX))
      fail(TENON_ERROR_INVALID_ARGUMENT, "%s: %s, %s, is %lld, which is out of range", title_.c_str(), what,
           from.text().c_str(), static_cast<long long>(value));
    return uint32_t(value);
  };
  for (size_t i = 0; i < 3; ++i) {
    launch.block[i] = i < step_.block.size() ? fits(step_.block[i].integer(frame), 1, step_.block[i], "the block") : 1;
    launch.grid[i] = 1;
    if (i < step_.grid.size()) {
      launch.grid[i] = fits(step_.grid[i].integer(frame), 0, step_.grid[i], "the grid");
    } else if (i < step_.threads.size()) {
      const int64_t threads = step_.threads[i].integer(frame);
      if (threads < 0)
        fail(TENON_ERROR_INVALID_ARGUMENT, "%s: the number of threads, %s, is %lld and must not be negative",
             title_.c_str(), step_.threads[i].text().c_str(), static_cast<long long>(threads));
      launch.grid[i] = fits(threads / launch.block[i] + (threads % launch.block[i] != 0), 0, step_.threads[i],
                            "the number of blocks for the threads");
    }
    empty = empty || launch.grid[i] == 0;
    if (i < step_.cluster.size())
      launch.cluster[i] = fits(step_.cluster[i].integer(frame), 0, step_.cluster[i], "the cluster");
  }
  if (!step_.shared.empty())
    launch.shared_bytes = fits(step_.shared.integer(frame), 0, step_.shared, "the shared memory");
  if (step_.cooperative) launch.flags = TENON_LAUNCH_COOPERATIVE;
}

void StepRunner::argument(const CallFrame& frame, const Packing& packing, PlannedStep& out,
                          std::span<uint64_t>& room) const {
  const Argument* const argument = packing.argument;
  if (!argument)
    return out.put(
        scalar_argument({step_.threads[0].integer(frame)}, false, packing.dtype, {"the number of threads", title_}));
  if (argument->kind == Argument::Kind::value && argument->scalar >= 0) {
    const CallArgument& given = frame.argument(size_t(argument->scalar));
    const Declared& parameter = operation_.parameters[size_t(argument->scalar)];
    if (given.dtype == packing.dtype || parameter.number < 0) return out.put(given);
    const bool real = !parameter.type.dtype || dtype_floating(parameter.type.dtype);
    const Subject subject{parameter.name, title_};
    return out.put(scalar_argument(number_of(given, real, subject), real, packing.dtype, subject));
  }
  if (argument->kind == Argument::Kind::value && argument->value.kind() == Expression::Kind::array) {
    const int32_t operand = argument->value.operand(frame);
    const Declared* parameter = nullptr;
    for (const Declared& one : operation_.parameters)
      if (one.operand == operand) parameter = &one;
    if (parameter && parameter->role == Role::in && !packing.read_only)
      fault(*package_.contract().source, argument->place,
            "`%s` is an input, but %s takes it by a pointer to non-const: declare that parameter const",
            parameter->name.c_str(), out.instance->kernel->name().c_str());
    if (!frame.operands[operand].given()) return out.put(CallArgument::of_memory(TENON_ARG_POINTER, nullptr));
    return out.put_array(operand, parameter && parameter->strided ? TENON_ARG_STRIDED : TENON_ARG_ARRAY);
  }
  if (argument->kind == Argument::Kind::value) {
    const bool real = argument->value.kind() == Expression::Kind::real;
    return out.put(
        scalar_argument(argument->value.run(frame), real, packing.dtype, {argument->text, title_, "the argument "}));
  }
  // A list, a shape or strides, followed by zeros.
  const size_t words = (packing.size + 7) / 8;
  if (words > room.size())
    fail(TENON_ERROR_UNSUPPORTED, "%s passes more than 1024 bytes of lists by value", title_.c_str());
  uint64_t* const at = room.data();
  room = room.subspan(words);
  std::fill(at, at + words, 0);
  const void* from;
  size_t bytes;
  std::vector<int64_t> canonical;
  if (argument->kind == Argument::Kind::list) {
    const List& list = frame.lists[argument->index];
    const int64_t first = argument->first.empty() ? 0 : argument->first.integer(frame);
    const int64_t last = argument->last.empty() ? list.size : argument->last.integer(frame);
    if (first < 0 || last < first || last > list.size)
      fail(TENON_ERROR_INVALID_ARGUMENT,
           "%s: %s passes the entries %lld to %lld of a list of %lld, which is out of range", title_.c_str(),
           argument->text.c_str(), static_cast<long long>(first), static_cast<long long>(last),
           static_cast<long long>(list.size));
    const size_t item = dtype_bytes(list.dtype);
    from = static_cast<const char*>(list.data) + size_t(first) * item;
    bytes = size_t(last - first) * item;
  } else {
    const Operand& operand = frame.operands[argument->index];
    from = argument->kind == Argument::Kind::shape ? operand.shape : operand.strides;
    if (!from && operand.given()) {
      const Dims strides = c_strides({operand.shape, size_t(operand.rank)});
      canonical.assign(strides.begin(), strides.end());
      from = canonical.data();
    }
    bytes = operand.given() ? size_t(operand.rank) * sizeof(int64_t) : 0;
  }
  if (bytes > packing.size)
    fail(TENON_ERROR_SHAPE, "%s: %s has %zu bytes, but the kernel's parameter has only %u", title_.c_str(),
         argument->text.c_str(), bytes, packing.size);
  if (bytes) std::memcpy(at, from, bytes);
  out.put(CallArgument::of_memory(TENON_ARG_BYTES, at, packing.size));
}

bool StepRunner::plan(const CallFrame& frame, PlannedStep& out) {
  out.runner = this;
  uint64_t structs[kStructWords];
  std::span<uint64_t> room(structs);
  if (is_kernel()) {
    bool empty = false;
    geometry(frame, out.geometry, empty);
    if (empty) return false;
    out.instance = &instance(frame);
    checked_geometry(*out.instance->kernel, out.geometry);
    out.args.reserve(out.instance->packing.size());
    out.operands.reserve(out.instance->packing.size());
    for (const Packing& packing : out.instance->packing) argument(frame, packing, out, room);
  } else {
    plan_expression(frame, out);
  }
  out.own_bytes();
  return true;
}

bool StepRunner::can_compile_ahead() const {
  std::vector<int32_t> tunables;
  for (const Tunable& tunable : operation_.tunables) tunables.push_back(tunable.number);
  return is_kernel() && std::all_of(values_.begin(), values_.end(),
                                    [&](const Expression* value) { return value->depends_only_on(tunables); });
}

}  // namespace tenon::plugin
