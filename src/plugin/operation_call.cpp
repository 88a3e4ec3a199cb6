// plugin/operation_call.cpp: running an operation: all steps are evaluated and compiled, then launched in order.
#include <algorithm>
#include "base/parallel.hpp"
#include "core/copy.hpp"
#include "kernel/arguments.hpp"
#include "plugin/call_frame.hpp"
#include "plugin/registry.hpp"
#include "plugin/step_runner.hpp"

namespace tenon {

using namespace plugin;

namespace {

constexpr int64_t kMostRepeats = 65536;

}  // namespace

// Calls body(runner) for each step that is to be done, as often as it is repeated, with its counter set.
template <class F>
void Operation::each_step(CallFrame& frame, F&& body) {
  for (const auto& runner : steps_) {
    const StepContract& step = runner->step();
    int64_t times = 1;
    if (!step.times.empty()) {
      times = step.times.integer(frame);
      TENON_REQUIRE(times <= kMostRepeats, TENON_ERROR_INVALID_ARGUMENT, "%s: a step would be repeated %lld times, and at most %lld are possible", title_.c_str(),
                    static_cast<long long>(times), static_cast<long long>(kMostRepeats));
    }
    for (int64_t i = 0; i < times; ++i) {
      if (step.each_number >= 0) frame.numbers[step.each_number].i = i;
      if (step.when.empty() || step.when.truth(frame)) body(*runner);
    }
  }
}

void Operation::call(const tenon_arg* args, int32_t count, Stream* given) {
  CallFrame frame(*this, args, count, true, given);
  Stream& stream = stream_or_default(given, frame.where());
  frame.make_temporaries(stream);
  Prepared prepared;
  if (steps_.size() > 1 || !contract_.steps[0].times.empty()) {  // nothing is launched unless all can be
    each_step(frame, [&](StepRunner& runner) {
      if (runner.is_kernel() && runner.prepare(frame, prepared)) checked_geometry(*prepared.instance->kernel, prepared.launch);
    });
  }
  each_step(frame, [&](StepRunner& runner) {
    if (!runner.is_kernel()) runner.call(frame, stream);
    else if (runner.prepare(frame, prepared)) prepared.instance->kernel->launch(prepared.launch, prepared.args, prepared.count, stream);
  });
}

Ref<Array> Operation::output(const tenon_arg* args, int32_t count, int32_t index, Stream* given) {
  TENON_REQUIRE(index >= 0 && index < contract_.outputs, TENON_ERROR_INVALID_ARGUMENT, "output %d of %s is out of range: it has %d", index, title_.c_str(), contract_.outputs);
  const CallFrame frame(*this, args, count, false, given);
  int32_t left = index;
  for (const Declared& parameter : contract_.parameters)
    if (parameter.role == Role::out && left-- == 0)
      return Array::create(frame.where(), parameter.type.in(frame), frame.shape_of_output(parameter), stream_or_default(given, frame.where()));
  fail(TENON_ERROR_INTERNAL, "%s has lost an output", title_.c_str());
}

void Operation::prepare(const tenon_arg* args, int32_t count) {
  CallFrame frame(*this, args, count, false, nullptr);
  each_step(frame, [&](StepRunner& runner) {
    if (runner.is_kernel()) runner.instance(frame).kernel->info();
  });
}

std::vector<std::function<void()>> Operation::compiles(Device& device) {
  std::vector<std::function<void()>> out;
  const uint32_t kind = device.kind() == TENON_DEVICE_CUDA ? kOnCuda : kOnCpu;
  const tenon_device_info& info = device.info();
  if (!(contract_.devices & kind) || (kind == kOnCuda && info.compute_major * 10 + info.compute_minor < contract_.compute)) return out;
  std::vector<std::vector<Dtype>> combinations{{}};
  for (const Placeholder& placeholder : contract_.placeholders) {
    std::vector<std::vector<Dtype>> more;
    for (const std::vector<Dtype>& types : combinations) {
      for (const Dtype dtype : placeholder.dtypes) {
        const bool follows = placeholder.from < 0 || std::any_of(placeholder.map.begin(), placeholder.map.end(), [&](const auto& pair) {
          return pair.first == types[size_t(placeholder.from)] && pair.second == dtype;
        });
        if (!follows) continue;
        more.push_back(types);
        more.back().push_back(dtype);
      }
    }
    combinations = std::move(more);
  }
  for (const auto& runner : steps_) {
    if (!runner->can_compile_ahead()) continue;
    for (const std::vector<Dtype>& types : combinations) {
      out.push_back([this, types, &device, runner = runner.get()] {
        Frame frame{};
        std::copy(types.begin(), types.end(), frame.types);
        frame.device = &device.info();
        read_tunables(frame, nullptr, nullptr);
        runner->instance(device, frame);
      });
    }
  }
  return out;
}

void prepare_package(Context& context, Package& package, Device& device) {
  std::vector<Ref<Operation>> operations;
  std::vector<std::function<void()>> work;
  for (const auto& contract : package.contract().operations) {
    operations.push_back(package.operation(context, contract->name));
    for (auto& one : operations.back()->compiles(device)) work.push_back(std::move(one));
  }
  std::mutex mutex;
  std::exception_ptr failure;
  base::parallel_for(int64_t(work.size()), 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      try {
        work[size_t(i)]();
      } catch (...) {
        std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
      }
    }
  });
  if (failure) std::rethrow_exception(failure);
}

BoundOperation::BoundOperation(Ref<Operation> operation) : operation_(std::move(operation)) {}
BoundOperation::~BoundOperation() = default;

Ref<BoundOperation> Operation::bind(const tenon_arg* args, int32_t count, Stream* given, const int64_t* tunables) {
  auto out = Ref<BoundOperation>::adopt(new BoundOperation(Ref<Operation>(this)));
  out->frame_ = std::make_unique<CallFrame>(*this, args, count, true, given, tunables);
  CallFrame& frame = *out->frame_;
  out->device_ = &frame.where();
  Stream& stream = stream_or_default(given, frame.where());
  frame.keep_arrays();
  frame.make_temporaries(stream);
  Prepared prepared;
  each_step(frame, [&](StepRunner& runner) {
    BoundOperation::Step step;
    if (runner.is_kernel()) {
      if (!runner.prepare(frame, prepared)) return;
      step.call = Call::create(prepared.instance->kernel, prepared.launch, prepared.args, prepared.count);
    } else {
      step.runner = &runner;
      step.args.resize(size_t(kMaxOperands) + 32);
      step.args.resize(size_t(runner.expression_arguments(frame, step.args.data())));
      step.axes.resize(TENON_MAX_RANK);
      step.axes.resize(size_t(runner.axes(frame, step.axes.data())));
    }
    out->steps_.push_back(std::move(step));
  });
  return out;
}

void BoundOperation::launch(Stream* given) {
  Stream& stream = stream_or_default(given, *device_);
  for (const auto& [from, to] : frame_->copies()) copy(*to, *from, &stream);
  for (Step& step : steps_) {
    if (step.call) step.call->launch(stream);
    else step.runner->call(step.args.data(), int32_t(step.args.size()), step.axes.data(), int32_t(step.axes.size()), stream);
  }
}

}  // namespace tenon
