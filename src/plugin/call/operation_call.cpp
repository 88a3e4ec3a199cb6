// plugin/call/operation_call.cpp: running an operation: all steps are evaluated and compiled, then launched in order.
#include <algorithm>
#include <atomic>
#include <tenon/graph.h>
#include "base/parallel.hpp"
#include "core/array/copy.hpp"
#include "plugin/call/frame.hpp"
#include "plugin/call/plan.hpp"
#include "plugin/package/registry.hpp"
#include "plugin/call/step_runner.hpp"
#include "plugin/call/tuning.hpp"

namespace tenon {

using namespace plugin;

namespace {

constexpr int64_t kMostRepeats = 65536;
constexpr int64_t kStepsOfOne = 250;  // the cost of a repetition of a step, in addition to its expressions

}  // namespace

// Calls body(runner) for each repetition of each step that runs, with its counter set.
template <class F> void Operation::each_step(CallFrame& frame, F&& body) {
  for (const auto& runner : steps_) {
    const StepContract& step = runner->step();
    int64_t times = 1;
    if (!step.times.empty()) {
      times = step.times.integer(frame);
      TENON_REQUIRE(times <= kMostRepeats, TENON_ERROR_INVALID_ARGUMENT,
                    "%s: a step would be repeated %lld times, but at most %lld are possible", title_.c_str(),
                    static_cast<long long>(times), static_cast<long long>(kMostRepeats));
    }
    for (int64_t i = 0; i < times; ++i) {
      if (step.each_number >= 0) frame.numbers[step.each_number].i = i;
      TENON_REQUIRE((frame.steps_left -= kStepsOfOne) >= 0, TENON_ERROR_INVALID_ARGUMENT,
                    "%s: its contract repeats its steps too often for one call", title_.c_str());
      if (step.when.empty() || step.when.truth(frame)) body(*runner);
    }
  }
}

std::shared_ptr<const CallPlan> Operation::plan(const CallArrays& arrays, const CallArgument* args,
                                                const int64_t* tunables) {
  const CallKey key(arrays, args, tuning_generation_.load());
  if (!tunables)
    if (std::shared_ptr<const CallPlan> found = plans_->find(key); found && found->fits(arrays)) return found;
  if (tunables) return evaluate(key, arrays, args, tunables);
  std::shared_ptr<CallPlan> made =
      may_take_record() ? evaluate_by_record(key, arrays, args) : evaluate(key, arrays, args, nullptr);
  if (key.complete()) plans_->keep(made);
  return made;
}

std::shared_ptr<CallPlan> Operation::evaluate(const CallKey& key, const CallArrays& arrays, const CallArgument* args,
                                              const int64_t* tunables) {
  CallFrame frame(arrays, args, tunables);
  auto made = std::make_shared<CallPlan>(key, frame);
  frame.take_packed();
  each_step(frame, [&](StepRunner& runner) {
    if (PlannedStep step; runner.plan(frame, step)) made->add(std::move(step));
  });
  return made;
}

std::shared_ptr<CallPlan> Operation::evaluate_by_record(const CallKey& key, const CallArrays& arrays,
                                                        const CallArgument* args) {
  std::string why;
  try {
    return evaluate(key, arrays, args, nullptr);
  } catch (const Error& error) {
    const auto passes = {TENON_ERROR_OUT_OF_MEMORY, TENON_ERROR_DEVICE_LOST, TENON_ERROR_CANCELLED,
                         TENON_ERROR_KERNEL_FAULT};
    if (std::find(passes.begin(), passes.end(), error.status) != passes.end()) throw;
    why = error.message;
  }
  std::shared_ptr<CallPlan> made =
      evaluate(key, arrays, args, default_tunables().data());  // throws errors that the record did not cause
  if (tuning().first_refusal())
    context().log(TENON_LOG_WARNING,
                  "%s: a tuning record cannot be used for a call, which uses the default tunables instead: %s",
                  TuningTable::file_of(*this).c_str(), why.c_str());
  return made;
}

void Operation::call(const CallArgument* args, int32_t count, Stream* given) {
  CallArrays arrays(*this, args, count, true, given);
  const std::shared_ptr<const CallPlan> planned = plan(arrays, args);  // nothing is launched unless everything can be
  arrays.check_outputs();
  // A host function keeps its arrays alive; later steps need theirs, too.
  if (package_->of_host() && planned->steps().size() > 1) arrays.keep();
  Stream& stream = stream_or_default(given, arrays.where());
  arrays.make_temporaries(*planned, stream);
  planned->launch(arrays, stream);
}

void Operation::record(const CallArgument* args, int32_t count, Stream& stream) {
  record_call(stream, TENON_GRAPH_OPERATION, title_, args, count,
              [self = Ref<Operation>(this)](const CallArgument* list, int32_t size, Stream& on) {
                self->call(list, size, &on);
              });
}

Ref<Array> Operation::output(const CallArgument* args, int32_t count, int32_t index, Stream* given) {
  TENON_REQUIRE(index >= 0 && index < contract_.outputs, TENON_ERROR_INVALID_ARGUMENT,
                "output %d of %s is out of range: it has %d outputs", index, title_.c_str(), contract_.outputs);
  const CallArrays arrays(*this, args, count, false, given);
  const std::shared_ptr<const CallPlan> planned = plan(arrays, args);
  const PlannedArray& output = planned->outputs()[size_t(index)];
  return Array::create(arrays.where(), output.dtype, output.shape, stream_or_default(given, arrays.where()));
}

void Operation::prepare(const CallArgument* args, int32_t count) {
  const CallArrays arrays(*this, args, count, false, nullptr);
  for (const PlannedStep& step : plan(arrays, args)->steps())
    if (step.instance) step.instance->kernel->info();
}

std::vector<std::function<void()>> Operation::compiles(Device& device) {
  std::vector<std::function<void()>> out;
  const uint32_t kind = contract_bit(device);
  const tenon_device_info& info = device.info();
  if (!(contract_.devices & kind) ||
      (kind == kOnCuda && info.compute_major * 10 + info.compute_minor < contract_.compute))
    return out;
  std::vector<std::vector<Dtype>> combinations{{}};
  for (const Placeholder& placeholder : contract_.placeholders) {
    std::vector<std::vector<Dtype>> more;
    for (const std::vector<Dtype>& types : combinations) {
      for (const Dtype dtype : placeholder.dtypes) {
        const bool follows =
            placeholder.from < 0 || std::any_of(
                                        placeholder.map.begin(), placeholder.map.end(),
                                        [&](const auto& pair) {
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
  std::atomic<bool> cancelled{false};
  base::parallel_for(int64_t(work.size()), 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end && !cancelled; ++i) {
      try {
        work[size_t(i)]();
      } catch (const Error& error) {
        std::lock_guard lock(mutex);
        cancelled = cancelled || error.status == TENON_ERROR_CANCELLED;
        if (!failure) failure = std::current_exception();
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

Ref<BoundOperation> Operation::bind(const CallArgument* args, int32_t count, Stream* given, const int64_t* tunables) {
  auto out = Ref<BoundOperation>::adopt(new BoundOperation(Ref<Operation>(this)));
  out->arrays_ = std::make_unique<CallArrays>(*this, args, count, true, given);
  CallArrays& arrays = *out->arrays_;
  out->device_ = &arrays.where();
  out->plan_ = plan(arrays, args, tunables);
  arrays.check_outputs();
  arrays.keep();
  arrays.make_temporaries(*out->plan_, stream_or_default(given, arrays.where()));
  CallArgument filled[kMostArguments];
  for (const PlannedStep& step : out->plan_->steps()) {
    BoundOperation::Step bound;
    bound.planned = &step;
    if (step.instance) {
      step.fill(arrays, filled);
      bound.call = Call::create(step.instance->kernel, step.geometry, filled, step.count());
    }
    out->steps_.push_back(std::move(bound));
  }
  return out;
}

void BoundOperation::open() const { arrays_->open_again(); }

void BoundOperation::launch(Stream& stream) {
  TENON_REQUIRE(&stream.device() == device_, TENON_ERROR_DEVICE,
                "the stream belongs to %s, but the call of %s is for %s", stream.device().name().c_str(),
                operation_->title().c_str(), device_->name().c_str());
  if (stream.recording()) return operation_->record(kept_.data(), kept_.count(), stream);
  for (const auto& [from, to] : arrays_->copies()) copy(*to, *from, &stream);
  for (Step& step : steps_) {
    if (step.call) step.call->launch(stream);
    else step.planned->launch(*arrays_, stream);
  }
}

Ref<BoundCall> BoundOperation::clone() const {
  Ref<BoundOperation> out = operation_->bind(kept_.data(), kept_.count(), nullptr);
  out->keep(kept_.data(), kept_.count());
  return out;
}

void BoundOperation::set(int32_t index, const CallArgument& arg) {
  const std::vector<CallArgument> args = kept_.with(index, arg, operation_->title().c_str());
  set_all(args.data(), int32_t(args.size()));
}

void BoundOperation::set_all(const CallArgument* args, int32_t count) {
  const Ref<BoundOperation> fresh = operation_->bind(args, count, nullptr);
  fresh->keep(args, count);
  std::swap(device_, fresh->device_);
  std::swap(kept_, fresh->kept_);
  steps_.swap(fresh->steps_);
  arrays_.swap(fresh->arrays_);
  plan_.swap(fresh->plan_);
}

void BoundOperation::set_launch(const Geometry&) {
  fail(TENON_ERROR_INVALID_ARGUMENT,
       "the call is of the operation %s, whose geometry follows from its arguments: replace those",
       operation_->title().c_str());
}

}  // namespace tenon
