// tool/plugin/check.cpp: `tenon plugin check`: contracts read and checked, and compiled for devices if they are named.
#include "tool/commands.hpp"
#include "tool/plugin/package.hpp"

namespace tool {
namespace {

json checked(const std::string& path, const std::vector<std::string>& devices, const tenon_package_options* options) {
  json out = {{"path", path}};
  try {
    if (path.ends_with(".so"))
      throw Failure(
          kFailed,
          path + " is a shared object, whose contents are known only when it runs: `tenon plugin test` loads it");
    const json found = json::parse(text_from(tenon_package_check, nullptr, path.c_str(), options));
    size_t tests = 0;
    for (const json& operation : found["operations"]) tests += operation["tests"].get<size_t>();
    out.update({{"valid", true},
                {"name", found["name"]},
                {"version", found["version"]},
                {"hash", found["hash"]},
                {"operations", found["operations"].size()},
                {"tests", tests},
                {"signature", found["signature"]}});
    for (const std::string& name : devices) {
      const Package package = own<Package>(tenon_package_load, nullptr, path.c_str(), options);
      const Device device = device_named(name);
      check(tenon_package_prepare(package.get(), device.get()));
      out["compiled_for"].push_back(name);
    }
  } catch (const Failure& failure) {
    out.update({{"valid", false},
                {"fault", failure.what()},
                {"status", failure.status ? json(tenon_status_name(failure.status)) : json(nullptr)}});
    if (!failure.log.empty()) out["log"] = failure.log;
  }
  return out;
}

// ", signed by Ada"
std::string signature_text(const json& signature) {
  if (!signature.is_object()) return "";
  const std::string by =
      signature.value("by", "").empty() ? signature.value("key", "").substr(0, 16) + "..." : signature.value("by", "");
  return ", signed by " + by +
         (signature.value("trusted", false)   ? ""
          : signature.value("checked", false) ? " (not trusted)"
                                              : " (not checked: libsodium is not installed)");
}

}  // namespace

int run_plugin_check(const Arguments& arguments, Output& out) {
  const std::vector<std::string> trusted = arguments.all("trust");
  std::vector<const char*> keys;
  for (const std::string& key : trusted) keys.push_back(key.c_str());
  tenon_package_options options{};
  options.struct_size = sizeof options;
  options.flags = arguments.flag("signed") ? TENON_PACKAGE_SIGNED : 0;
  options.trusted_keys = keys.data();
  options.trusted_key_count = int32_t(keys.size());
  json rows = json::array();
  bool valid = true;
  for (size_t i = 0; i < arguments.positionals.size(); ++i) {
    out.progress(double(i) / double(arguments.positionals.size()), arguments[i]);
    const json row = checked(arguments[i], arguments.all("device"), &options);
    valid = valid && row["valid"].get<bool>();
    rows.push_back(row);
    if (!row["valid"].get<bool>()) {
      out.line(out.bad("faulty") + "  " + row["fault"].get<std::string>());
      if (row.contains("log")) out.line(row["log"].get<std::string>());
      continue;
    }
    std::string compiled = signature_text(row["signature"]);
    for (const json& device : row.value("compiled_for", json::array()))
      compiled += ", compiled for " + device.get<std::string>();
    out.line(out.good("valid") + "   " + row.value("name", "") + " " + row.value("version", "") +
             format(": %zu operation%s, %zu test%s", row["operations"].get<size_t>(), row["operations"] == 1 ? "" : "s",
                    row["tests"].get<size_t>(), row["tests"] == 1 ? "" : "s") +
             compiled);
  }
  out.document({{"valid", valid}, {"packages", rows}});
  return valid ? kDone : kFailed;
}

}  // namespace tool
