// tool/info.cpp: `tenon info`: devices, the compilers for them and why these were chosen, the cache, versions.
#include "tool/commands.hpp"
#include "tool/help.hpp"

namespace tool {
namespace {

std::string gib(uint64_t bytes) { return format("%.1f GiB", double(bytes) / double(1 << 30)); }

std::string facts_of(const tenon_device_info& info) {
  std::string out = info.kind == TENON_DEVICE_CUDA
                        ? format("compute capability %d.%d, %d multiprocessors", info.compute_major, info.compute_minor,
                                 info.multiprocessors)
                        : format("%d threads", info.multiprocessors);
  if (info.total_memory) out += ", " + gib(info.total_memory) + " of memory, " + gib(info.free_memory) + " free";
  if (info.driver_version)
    out += format(", driver for CUDA %d.%d", info.driver_version / 1000, info.driver_version % 1000 / 10);
  return out;
}

json info_json(const tenon_device_info& info) {
  return {{"compute", info.kind == TENON_DEVICE_CUDA ? json(format("%d.%d", info.compute_major, info.compute_minor))
                                                     : json(nullptr)},
          {"multiprocessors", info.multiprocessors},
          {"total_memory", info.total_memory},
          {"free_memory", info.free_memory},
          {"driver_version", info.driver_version}};
}

}  // namespace

int run_info(const Arguments&, Output& out) {
  int32_t count = 0;
  check(tenon_context_device_count(nullptr, &count));
  json devices = json::array();
  std::string text;
  for (int32_t i = 0; i < count; ++i) {
    const Device device = own<Device>(tenon_context_device_at, nullptr, i);
    const char *description = "", *toolkit = "";
    check(tenon_device_description(device.get(), &description));
    check(tenon_device_toolkit(device.get(), &toolkit));
    const tenon_device_info info = info_of(device.get());
    json one = {{"name", name_of(device.get())}, {"description", description}, {"toolkit", toolkit}};
    one.update(info_json(info));
    devices.push_back(one);
    text += out.strong(name_of(device.get())) + "  " + description + "\n        " + facts_of(info) + "\n        " +
            toolkit + "\n";
  }
  const json report = json::parse(text_from(tenon_context_report, nullptr)), build = json::parse(tenon_build_info());
  out.document({{"version", report.value("version", "")}, {"build", build}, {"devices", devices}, {"report", report}});

  std::string version = version_text();
  version.pop_back();
  out.line(version);
  text.pop_back();
  out.line(text);
  const json cuda = report.value("/backends/cuda"_json_pointer, json::object());
  if (const std::string why = cuda.value("why_no_device", ""); !why.empty())
    out.line(out.strong("cuda") + "    " + why);
  const json libraries = cuda.value("libraries", json::object());
  for (const auto& [name, library] : libraries.items()) {
    if (!library.is_object()) continue;
    out.line("        " + name + ": " + library.value("path", "not opened") +
             (library.contains("how") ? " (" + library.value("how", "") + ")" : ""));
  }
  const json set = report.value("/devices/0/details/kernels/instruction_set"_json_pointer, json());
  if (set.is_string()) out.line(out.strong("kernels") + " on the CPU: " + set.get<std::string>());
  if (set.is_object())
    out.line(out.strong("kernels") + " on the CPU are compiled for " + set.value("name", "") + ": " +
             set.value("instructions", "no more than x86-64"));
  const json cache = report.value("cache", json::object());
  out.line(out.strong("cache") + "   " + cache.value("directory", "none") + ", " + cache.value("mode", ""));
  return kDone;
}

int run_completion(const Arguments& arguments, Output& out) {
  const std::string text = completion_for(arguments[0]);
  out.document({{"shell", arguments[0]}, {"text", text}});
  if (!out.as_json()) out.raw(text);
  return kDone;
}

int run_manual(const Arguments&, Output& out) {
  out.document({{"text", man_page()}});
  if (!out.as_json()) out.raw(man_page());
  return kDone;
}

}  // namespace tool
