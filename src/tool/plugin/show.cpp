// tool/plugin/show.cpp: `tenon plugin list` and `show`: the available packages, and the contents of their contracts.
#include <cstdlib>
#include "tool/commands.hpp"
#include "tool/plugin/package.hpp"

namespace tool {
namespace {

std::string declaration(const json& parameter) {
  std::string out = parameter.value("role", "") + " ";
  for (const char* word : {"optional", "strided", "packed", "raw", "saved"})
    if (parameter.contains(word)) out += std::string(word) + " ";
  if (parameter.contains("choices")) {
    std::string list;
    for (const json& choice : parameter["choices"]) list += (list.empty() ? "" : ", ") + choice.get<std::string>();
    out += "{" + list + "} ";
  } else {
    out += parameter.value("type", "") + " ";
  }
  out += parameter.value("name", "");
  if (parameter.contains("shape")) {
    const json& shape = parameter["shape"];
    if (shape.is_object()) out += " like " + shape.value("like", "");
    if (shape.is_array()) {
      std::string list;
      for (const json& extent : shape) list += (list.empty() ? "" : ", ") + extent.get<std::string>();
      out += "[" + list + "]";
    }
  }
  if (parameter.contains("default")) out += " = " + parameter["default"].get<std::string>();
  return out;
}

void print_operation(const json& operation, bool whole, Output& out) {
  std::string parameters;
  for (const json& parameter : operation["parameters"])
    parameters += (parameters.empty() ? "" : ", ") + parameter.value("name", "");
  out.line(out.strong(operation.value("package", "") + "/" + operation.value("name", "")) + "(" + parameters + ")");
  if (const std::string doc = operation.value("doc", ""); !doc.empty()) out.line("    " + doc);
  if (!whole) return;
  for (const json& parameter : operation["parameters"]) {
    const std::string doc = parameter.value("doc", "");
    out.line("    " + declaration(parameter) + (doc.empty() ? "" : out.quiet("  " + doc)));
  }
  for (const auto& [name, types] : operation["types"].items()) {
    std::string list;
    for (const json& type : types) list += (list.empty() ? "" : ", ") + type.get<std::string>();
    out.line("    " + name + " is " + list);
  }
  for (const json& rule : operation["require"]) out.line("    requires " + rule.value("that", ""));
  for (const auto& [name, tunable] : operation["tunables"].items())
    out.line("    tunable " + name + ": " + tunable["values"].dump() + ", default " + tunable["default"].dump());
  std::string tuned_for, devices;
  for (const json& name : operation.value("tuned_for", json::array()))
    tuned_for += (tuned_for.empty() ? "" : ", ") + name.get<std::string>();
  if (!tuned_for.empty()) out.line("    tuned for each " + tuned_for);
  for (const json& device : operation["devices"])
    devices += (devices.empty() ? "" : " and ") + device.get<std::string>();
  out.line("    on " + devices +
           format(", %zu test%s", operation["tests"].get<size_t>(), operation["tests"] == 1 ? "" : "s") +
           (operation["gradient"].is_string() ? ", gradient " + operation["gradient"].get<std::string>() : "") +
           (operation.value("deterministic", true) ? "" : ", not deterministic"));
}

}  // namespace

int run_plugin_list(const Arguments& arguments, Output& out) {
  if (arguments.flag("path")) {  // before the directories from the environment
    std::string path;
    for (const std::string& one : arguments.all("path")) {
      if (one[0] != '/')
        usage("--path is " + one + ": it must be an absolute directory, because the current one is never searched");
      path += one + ":";
    }
    if (const char* given = std::getenv("TENON_PLUGIN_PATH")) path += given;
    setenv("TENON_PLUGIN_PATH", path.c_str(), 1);
  }
  const json list = json::parse(text_from(tenon_package_list, nullptr));
  bool sound = true;
  for (const json& package : list) {
    if (package.contains("fault")) {
      sound = false;
      out.line(out.bad("faulty") + "  " + package.value("fault", ""));
      continue;
    }
    out.line(out.strong(package.value("name", "") + " " + package.value("version", "")) + "  " +
             package.value("origin", ""));
    if (const std::string doc = package.value("doc", ""); !doc.empty()) out.line("    " + doc);
  }
  if (list.empty())
    out.line(
        "there are no packages on the search path: set TENON_PLUGIN_PATH to absolute directories that hold some, or "
        "give --path");
  out.document({{"packages", list}});
  return sound ? kDone : kFailed;
}

int run_plugin_show(const Arguments& arguments, Output& out) {
  const Chosen chosen = choose(arguments[0], {});
  const json description = description_of(chosen.package.get());
  const bool one = chosen.operations.size() == 1;
  if (!arguments.flag("source")) {
    json shown = description;
    shown["operations"] = json::array();
    for (const auto& [name, operation] : chosen.operations)
      shown["operations"].push_back(json::parse(text_from(tenon_operation_describe, operation.get())));
    out.document(shown);
    out.line(out.strong(chosen.title) + "  " + description.value("origin", ""));
    for (const char* key : {"doc", "license", "url"})
      if (const std::string text = description.value(key, ""); !text.empty()) out.line(text);
    out.line("SHA-256 " + description.value("hash", ""));
    for (const json& operation : shown["operations"]) print_operation(operation, one || arguments.flag("verbose"), out);
    return kDone;
  }
  const std::string text = text_from(tenon_package_file, chosen.package.get(), arguments.text("source").c_str());
  out.document({{"file", arguments.text("source")}, {"text", text}});
  if (!out.as_json()) out.raw(text);
  return kDone;
}

}  // namespace tool
