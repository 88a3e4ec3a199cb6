// tool/plugin/measure.cpp: `tenon plugin bench` and `tune`.
#include "tool/commands.hpp"
#include "tool/plugin/package.hpp"

namespace tool {
namespace {

class Options {
 public:
  explicit Options(const Arguments& arguments, size_t operations) : types_(arguments.text("types")) {
    for (const std::string& word : arguments.all("given")) {
      const size_t equals = word.find('=');
      if (equals == word.npos || equals == 0)
        usage("--given must be written x=\"normal(1000, 1000)\" or sigma=3, not " + word);
      names_.push_back(word.substr(0, equals));
      values_.push_back(word.substr(equals + 1));
    }
    if (!names_.empty() && operations != 1) usage("--given needs one operation: write PACKAGE/OPERATION");
    for (const std::string& one : names_) name_texts_.push_back(one.c_str());
    for (const std::string& one : values_) value_texts_.push_back(one.c_str());
    options_.struct_size = sizeof options_;
    options_.given_count = int32_t(names_.size());
    options_.given_names = name_texts_.data();
    options_.given_values = value_texts_.data();
    options_.types = types_.empty() ? nullptr : types_.c_str();
    options_.seconds = arguments.number("seconds", 0, 0.001, 1e6) / double(operations ? operations : 1);
  }
  Options(const Options&) = delete;
  const tenon_measure_options* get() const { return &options_; }

 private:
  std::string types_;
  std::vector<std::string> names_, values_;
  std::vector<const char*> name_texts_, value_texts_;
  tenon_measure_options options_{};
};

std::string problem(const json& row) {
  std::string out;
  for (const json* part : {&row["shapes"], &row["types"]})
    for (const auto& [name, value] : part->items()) {
      if (value.is_string()) {
        out += (out.empty() ? "" : ", ") + name + " " + value.get<std::string>();
        continue;
      }
      std::string shape;
      for (const json& extent : value) shape += (shape.empty() ? "" : "x") + extent.dump();
      out += (out.empty() ? "" : ", ") + name + " " + (shape.empty() ? "one number" : shape);
    }
  return out;
}

std::string tunables(const json& row) {
  std::string out;
  for (const auto& [name, value] : row["tunables"].items())
    out += (out.empty() ? "" : ", ") + name + " " + value.dump();
  return out;
}

std::string time_text(double milliseconds) {
  return milliseconds < 1 ? format("%.2f us", milliseconds * 1e3) : format("%.3f ms", milliseconds);
}

// Whether an operation failed because it does not run here or has no cases, and is one of several.
bool may_be_left_out(const Chosen& chosen, const Failure& failure) {
  return chosen.operations.size() > 1 &&
         (failure.status == TENON_ERROR_UNSUPPORTED || failure.status == TENON_ERROR_NOT_FOUND);
}

}  // namespace

int run_plugin_bench(const Arguments& arguments, Output& out) {
  const Chosen chosen = choose(arguments[0], arguments.all("op"));
  const std::vector<Device> devices = devices_for(arguments.all("device"));
  const Options options(arguments, chosen.operations.size());
  json reports = json::array();
  bool sound = true;
  size_t step = 0;
  for (const auto& [name, operation] : chosen.operations)
    for (const Device& device : devices) {
      out.progress(double(step++) / double(chosen.operations.size() * devices.size()),
                   name + " on " + name_of(device.get()));
      json report;
      try {
        report = json::parse(text_from(tenon_operation_measure, operation.get(), device.get(), options.get()));
      } catch (const Failure& failure) {
        if (!may_be_left_out(chosen, failure)) throw;
        out.line(out.quiet(failure.what()));
        continue;
      }
      reports.push_back(report);
      out.line(out.strong(report.value("operation", "")) + " on " + report.value("device", ""));
      for (const json& row : report["cases"]) {
        if (row.contains("fault")) {
          sound = false;
          out.line("    " + out.bad("failed") + " " + row.value("name", "") + ": " + row.value("fault", ""));
          continue;
        }
        const std::string set = tunables(row);
        out.line(format("    %12s %9.1f GB/s  ", time_text(row.value("milliseconds", 0.0)).c_str(),
                        row.value("gigabytes_per_second", 0.0)) +
                 problem(row) + (set.empty() ? "" : " (" + set + ")"));
      }
    }
  out.document({{"package", chosen.title}, {"reports", reports}});
  return sound ? kDone : kFailed;
}

int run_plugin_tune(const Arguments& arguments, Output& out) {
  Chosen chosen = choose(arguments[0], arguments.all("op"));
  if (chosen.operations.size() > 1)  // for a whole package: only operations with something to tune
    std::erase_if(chosen.operations, [](const auto& one) {
      tenon_operation_info info{};
      info.struct_size = sizeof info;
      check(tenon_operation_get_info(one.second.get(), &info));
      return info.tunable_count == 0;
    });
  if (chosen.operations.empty()) throw Failure(kFailed, chosen.title + " has no operation with tunables");
  const Options options(arguments, chosen.operations.size());
  const Device device = device_named(arguments.text("device", "best"));
  json reports = json::array();
  for (size_t i = 0; i < chosen.operations.size(); ++i) {
    const auto& [name, operation] = chosen.operations[i];
    out.progress(double(i) / double(chosen.operations.size()), name);
    json report;
    try {
      report = json::parse(text_from(tenon_operation_tune, operation.get(), device.get(), options.get()));
    } catch (const Failure& failure) {
      if (!may_be_left_out(chosen, failure)) throw;
      out.line(out.quiet(failure.what()));
      continue;
    }
    reports.push_back(report);
    out.line(out.strong(report.value("operation", "")) + " on " + report.value("device", "") + " -> " +
             report.value("file", ""));
    for (const json& row : report["cases"]) {
      const double best = row.value("milliseconds", 0.0), before = row.value("default_milliseconds", 0.0);
      if (!row.value("recorded", true)) {
        out.line("    " + problem(row) +
                 format(": no record, because time ran out after %lld of %.0f: pass more --seconds",
                        row.value("tried", 0ll), row.value("possible", 0.0)));
        continue;
      }
      out.line("    " + problem(row) + ": " + tunables(row) +
               format(", %s (default %s, %.2f times as fast); %lld of %.0f tried", time_text(best).c_str(),
                      time_text(before).c_str(), best > 0 ? before / best : 1, row.value("tried", 0ll),
                      row.value("possible", 0.0)));
    }
  }
  out.document({{"package", chosen.title}, {"reports", reports}});
  return kDone;
}

int run_plugin_pack(const Arguments& arguments, Output& out) {
  const json found = json::parse(text_from(tenon_package_check, nullptr, arguments[0].c_str(), nullptr));
  const std::string path =
      arguments.text("output", found.value("name", "") + "-" + found.value("version", "") + ".tar");
  const std::string bytes = text_from(tenon_package_pack, arguments[0].c_str(), nullptr);
  write_file(path, bytes);
  const json packed = json::parse(text_from(tenon_package_check, nullptr, path.c_str(), nullptr));
  out.document({{"file", path}, {"bytes", bytes.size()}, {"hash", packed["hash"]}});
  out.line("packed " + out.strong(path) + format(": %zu bytes, SHA-256 of the content ", bytes.size()) +
           packed.value("hash", ""));
  return kDone;
}

}  // namespace tool
