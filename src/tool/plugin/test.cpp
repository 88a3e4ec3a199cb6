// tool/plugin/test.cpp: `tenon plugin test`: the self-tests of a package, including gradients, on every kind of device
// available.
#include <chrono>
#include <map>
#include "tool/commands.hpp"
#include "tool/plugin/package.hpp"

namespace tool {
namespace {

std::string types_text(const json& types) {
  std::string out;
  for (const auto& [name, type] : types.items())
    out += (out.empty() ? "" : ", ") + name + " " + type.get<std::string>();
  return out;
}

void print_case(const json& one, bool verbose, Output& out) {
  const bool passed = one["passed"].get<bool>();
  if (passed && !verbose) return;
  std::string text = "    " + (passed ? out.good("passed") : out.bad("failed")) + "  test " + one.value("name", "");
  if (const std::string types = types_text(one.value("types", json::object())); !types.empty())
    text += " (" + types + ")";
  text += ": " + one.value("what", "");
  if (one.contains("error"))
    text += format(", error %.3g, allowed %.3g", one.value("error", 0.0), one.value("tolerance", 0.0));
  if (!passed && one.contains("line")) text += format(" (plugin.toml:%d)", one.value("line", 0));
  out.line(text);
}

}  // namespace

int run_plugin_test(const Arguments& arguments, Output& out) {
  const auto begin = std::chrono::steady_clock::now();
  const Chosen chosen = choose(arguments[0], arguments.all("op"));
  const std::vector<Device> devices = devices_for(arguments.all("device"));
  const bool verbose = arguments.flag("verbose");
  json reports = json::array();
  size_t passed = 0, failed = 0, step = 0;
  std::vector<std::string> without;                // operations without a test of their own
  std::map<std::string, std::string> by_gradient;  // gradients compared with differences, and by whose tests
  for (const auto& [name, operation] : chosen.operations) {
    tenon_operation_info info{};
    info.struct_size = sizeof info;
    check(tenon_operation_get_info(operation.get(), &info));
    if (info.test_count == 0) without.push_back(name);
    for (const Device& device : devices) {
      out.progress(double(step++) / double(chosen.operations.size() * devices.size()),
                   name + " on " + name_of(device.get()));
      const uint32_t runs_on =
          info_of(device.get()).kind == TENON_DEVICE_CUDA ? TENON_OPERATION_CUDA : TENON_OPERATION_CPU;
      if (info.test_count == 0 || !(info.flags & runs_on)) continue;
      const json report = json::parse(text_from(tenon_operation_test, operation.get(), device.get()));
      reports.push_back(report);
      const size_t good = report["passed"].get<size_t>(), bad = report["failed"].get<size_t>();
      passed += good;
      failed += bad;
      out.line((bad ? out.bad("failed") : out.good("passed")) + "  " + report.value("operation", "") + " on " +
               report.value("device", "") + format(": %zu of %zu", good, good + bad));
      for (const json& one : report["cases"]) {
        if (one.contains("gradient")) by_gradient.emplace(one["gradient"].get<std::string>(), name);
        print_case(one, verbose, out);
      }
    }
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::vector<std::string> untested;
  json tested_by = json::object();
  for (const std::string& name : without) {
    const auto found = by_gradient.find(chosen.title.substr(0, chosen.title.find(' ')) + "/" + name);
    if (found == by_gradient.end()) {
      untested.push_back(name);
      out.line(out.quiet("no test") + " " + name);
    } else {
      tested_by[name] = found->second;
      out.line(out.quiet("tested ") + " " + found->first + " against differences, by the tests of " + found->second);
    }
  }
  json on = json::array();
  for (const Device& device : devices) on.push_back(name_of(device.get()));
  out.document({{"package", chosen.title},
                {"devices", on},
                {"passed", passed},
                {"failed", failed},
                {"untested", untested},
                {"tested_by", tested_by},
                {"seconds", seconds},
                {"reports", reports}});
  std::string where;
  for (const json& device : on) where += (where.empty() ? "" : " and ") + device.get<std::string>();
  out.line(format("%s on %s: %zu passed, %zu failed, in %.1f s", chosen.title.c_str(), where.c_str(), passed, failed,
                  seconds));
  if (passed + failed == 0)
    throw Failure(kFailed, chosen.title + " has no test that runs on " + where +
                               ": write `test = [{ given = ..., expect = ... }]` in plugin.toml");
  return failed ? kFailed : kDone;
}

}  // namespace tool
