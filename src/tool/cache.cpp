// tool/cache.cpp: `tenon cache`: listing the compiled programs that are kept, verifying, exporting and importing, and
// removing them.
#include <ctime>
#include "tool/commands.hpp"

namespace tool {
namespace {

std::string bytes_text(uint64_t bytes) {
  if (bytes < 10240) return format("%llu bytes", static_cast<unsigned long long>(bytes));
  return bytes < 10 << 20 ? format("%.0f KiB", double(bytes) / 1024) : format("%.1f MiB", double(bytes) / (1 << 20));
}

tenon_cache_info cache_info() {
  tenon_cache_info out{};
  out.struct_size = sizeof out;
  check(tenon_cache_get_info(nullptr, &out));
  return out;
}

tenon_cache_tally empty_tally() {
  tenon_cache_tally out{};
  out.struct_size = sizeof out;
  return out;
}

json to_json(const tenon_cache_tally& tally) {
  return {{"entries", tally.entries}, {"bytes", tally.bytes}, {"damaged", tally.damaged}, {"kept", tally.kept}};
}

std::string when(int64_t seconds) {
  const std::time_t time = std::time_t(seconds);
  std::tm parts{};
  char text[32];
  localtime_r(&time, &parts);
  return std::strftime(text, sizeof text, "%Y-%m-%d %H:%M", &parts) ? text : "";
}

// A number and a unit, such as "30d" or "500M".
double with_unit(const Arguments& arguments, const char* option, const std::string& units,
                 const std::vector<double>& factors, const char* example) {
  if (!arguments.flag(option)) return 0;
  const std::string text = arguments.text(option);
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  const size_t unit = *end ? units.find(*end) : units.npos;
  if (end == text.c_str() || !(value >= 0) || unit == units.npos || end[1])
    usage(std::string("--") + option + " is " + text + ": it must be a number and a unit, as in " + example);
  return value * factors[unit];
}

std::string entries_text(const tenon_cache_tally& tally) {
  return format("%llu entr%s, ", static_cast<unsigned long long>(tally.entries), tally.entries == 1 ? "y" : "ies") +
         bytes_text(tally.bytes);
}

}  // namespace

int run_cache_list(const Arguments&, Output& out) {
  const tenon_cache_info info = cache_info();
  const json entries = json::parse(text_from(tenon_cache_list, nullptr));
  out.document(
      {{"directory", info.directory}, {"bytes", info.bytes}, {"limit_bytes", info.limit_bytes}, {"entries", entries}});
  for (const json& entry : entries) {
    const std::string kind = entry.value("kind", "");
    std::string text = when(entry.value("used", int64_t(0))) + "  " +
                       format("%10s  ", bytes_text(entry.value("bytes", uint64_t(0))).c_str());
    if (kind == "program") {
      std::string kernels;
      for (const json& kernel : entry["kernels"])
        kernels += (kernels.empty() ? ": " : ", ") + kernel.get<std::string>();
      text += entry.value("device", "") + "  " + entry.value("name", "") + kernels;
    } else {
      text += kind == "damaged" ? out.bad(kind) : out.quiet(kind);
      if (kind == "answer") text += "  " + entry.value("question", "").substr(0, 80);
    }
    out.line(text);
  }
  out.line(format("%s: %zu entries, %s of %s", *info.directory ? info.directory : "no directory", entries.size(),
                  bytes_text(info.bytes).c_str(), bytes_text(info.limit_bytes).c_str()));
  return kDone;
}

int run_cache_verify(const Arguments& arguments, Output& out) {
  tenon_cache_tally tally = empty_tally();
  check(tenon_cache_verify(nullptr, arguments.flag("remove"), &tally));
  out.document(to_json(tally));
  out.line(entries_text(tally) + ": " +
           (tally.damaged ? out.bad(format("%llu damaged", static_cast<unsigned long long>(tally.damaged))) +
                                (arguments.flag("remove") ? ", removed" : "")
                          : out.good("all whole")));
  return tally.damaged && !arguments.flag("remove") ? kFailed : kDone;
}

int run_cache_export(const Arguments& arguments, Output& out) {
  tenon_cache_tally tally = empty_tally();
  check(tenon_cache_export(nullptr, arguments[0].c_str(), &tally));
  json row = to_json(tally);
  row["file"] = arguments[0];
  out.document(row);
  out.line("wrote " + out.strong(arguments[0]) + ": " + entries_text(tally) +
           (tally.damaged
                ? format(", %llu left out because they are damaged", static_cast<unsigned long long>(tally.damaged))
                : ""));
  return kDone;
}

int run_cache_import(const Arguments& arguments, Output& out) {
  tenon_cache_tally tally = empty_tally();
  check(tenon_cache_import(nullptr, arguments[0].c_str(), &tally));
  out.document(to_json(tally));
  out.line("added " + entries_text(tally) +
           format("; %llu were already there", static_cast<unsigned long long>(tally.kept)));
  return kDone;
}

int run_cache_clear(const Arguments& arguments, Output& out) {
  tenon_cache_tally tally = empty_tally();
  const double unused = with_unit(arguments, "unused", "smhd", {1, 60, 3600, 86400}, "30d (days), 12h, 90m, 60s");
  const double keep = with_unit(arguments, "keep", "KMG", {1024, 1048576, 1073741824}, "500M, 2G");
  check(tenon_cache_clear(nullptr, unused, uint64_t(keep), &tally));
  out.document(to_json(tally));
  out.line("removed " + entries_text(tally) + format("; %llu remain", static_cast<unsigned long long>(tally.kept)));
  return kDone;
}

}  // namespace tool
