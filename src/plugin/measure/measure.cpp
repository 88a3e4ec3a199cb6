// plugin/measure/measure.cpp: timing an operation by events of its device.
#include "plugin/measure/measure.hpp"
#include "base/json.hpp"
#include "plugin/call/plan.hpp"
#include <algorithm>
#include <chrono>
#include "plugin/call/frame.hpp"

namespace tenon {

namespace plugin {
namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

}  // namespace

std::vector<MeasuredCase> work_of(const Operation& operation, const Device& device, const MeasureRequest& request,
                                  TestCase& keep) {
  const OperationContract& contract = operation.contract();
  TENON_REQUIRE(contract.devices & contract_bit(device), TENON_ERROR_UNSUPPORTED, "%s does not run on %s",
                operation.title().c_str(), device.name().c_str());
  std::vector<const TestCase*> cases;
  if (!request.given.empty()) {
    keep = read_given(contract, request.given, request.types);
    cases.push_back(&keep);
  } else {
    for (const TestCase& one : contract.benches.empty() ? contract.tests : contract.benches) cases.push_back(&one);
  }
  TENON_REQUIRE(
      !cases.empty(), TENON_ERROR_NOT_FOUND,
      "%s has neither `bench` nor `test` cases: pass the arguments to measure with, as in x = \"normal(1000, 1000)\"",
      operation.title().c_str());
  TestCase only;
  if (request.given.empty() && !request.types.empty()) only = read_types_given(contract, request.types);
  std::vector<MeasuredCase> out;
  for (const TestCase* one : cases)
    for (std::vector<Dtype>& types : combinations(contract, *one)) {
      bool wanted = true;
      for (const auto& [name, dtype] : only.types)
        for (size_t i = 0; i < types.size(); ++i)
          wanted = wanted && (contract.placeholders[i].name != name || types[i] == dtype);
      if (wanted) out.push_back({one, std::move(types)});
    }
  TENON_REQUIRE(!out.empty(), TENON_ERROR_INVALID_ARGUMENT, "no case of %s has the types %s", operation.title().c_str(),
                request.types.c_str());
  return out;
}

Timing time_of(BoundOperation& bound, Device& device, double seconds) {
  Stream& stream = device.default_stream();
  bound.open();
  bound.launch(stream);
  stream.synchronize();
  const auto begin = Clock::now();
  bound.launch(stream);
  stream.synchronize();
  const double once = std::max(seconds_since(begin), 1e-7);
  const int64_t batch = std::clamp(int64_t(0.001 / once), int64_t(1),
                                   int64_t(10000));  // a millisecond is well above the clock's resolution
  const Ref<Event> first = device.create_event(true), last = device.create_event(true);
  std::vector<double> samples;
  Timing out;
  while (samples.size() < 3 || (seconds_since(begin) < seconds && samples.size() < 1000)) {
    first->record(stream);
    for (int64_t i = 0; i < batch; ++i) bound.launch(stream);
    last->record(stream);
    last->synchronize();
    samples.push_back(last->elapsed_since(*first) / double(batch));
    out.launches += batch;
  }
  stream.synchronize();  // throws the errors of its kernels
  std::sort(samples.begin(), samples.end());
  out.median = samples[samples.size() / 2];
  out.fastest = samples[0];
  return out;
}

}  // namespace plugin

using namespace plugin;

std::string measure(Operation& operation, Device& device, const MeasureRequest& request) {
  using json = base::Json;
  TestCase keep;
  const std::vector<MeasuredCase> work = work_of(operation, device, request, keep);
  const double seconds = request.seconds > 0 ? request.seconds / double(work.size()) : 1;
  json rows = json::array();
  for (const MeasuredCase& one : work) {
    const Trial trial(operation, *one.test, one.types);
    json row = {{"name", one.test->name}, {"types", trial.types_json()}};
    try {
      const std::unique_ptr<Trial::Arguments> arguments = trial.arguments(one.types, device, trial.inputs());
      const Ref<BoundOperation> bound =
          operation.bind(arguments->args.data(), arguments->count(), &device.default_stream());
      const Timing timing = time_of(*bound, device, seconds);
      uint64_t bytes = 0;
      for (const Ref<Array>& held : arguments->held) bytes += uint64_t(held->size()) * dtype_bytes(held->dtype());
      row["shapes"] = trial.shapes_json();
      row["tunables"] = json::object();
      for (size_t i = 0; i < operation.contract().tunables.size(); ++i)
        row["tunables"][operation.contract().tunables[i].name] = bound->plan().tunables()[i];
      row["milliseconds"] = timing.median;
      row["fastest"] = timing.fastest;
      row["launches"] = timing.launches;
      row["bytes"] = bytes;
      row["gigabytes_per_second"] = timing.median > 0 ? double(bytes) / timing.median * 1e-6 : 0;
    } catch (const Error& error) {
      if (error.status == TENON_ERROR_DEVICE_LOST) throw;
      row["fault"] = error.message;
    }
    rows.push_back(std::move(row));
  }
  return json{{"operation", operation.title()}, {"device", device.name()}, {"cases", rows}}.dump();
}

}  // namespace tenon
