// tool/plugin/package.cpp: opening packages and operations by name.
#include "tool/plugin/package.hpp"
#include <algorithm>
#include <filesystem>
#include "tool/suggest.hpp"

namespace tool {

Package open_package(const std::string& what) {
  std::error_code ignored;
  if (what.ends_with(".so") && std::filesystem::exists(what, ignored))
    return own<Package>(tenon_plugin_load, nullptr, std::filesystem::absolute(what).c_str(), nullptr);
  if (std::filesystem::exists(what, ignored)) return own<Package>(tenon_package_load, nullptr, what.c_str(), nullptr);
  if (what.find('/') != std::string::npos || what.ends_with(".tar") || what.ends_with(".so"))
    throw Failure(kMissing, "there is no file or directory " + what);
  return own<Package>(tenon_package_find, nullptr, what.c_str(), nullptr);
}

json description_of(tenon_package* package) { return json::parse(text_from(tenon_package_describe, package)); }

Chosen choose(const std::string& what, const std::vector<std::string>& only) {
  Chosen out;
  std::vector<std::string> wanted = only;
  std::error_code ignored;
  const size_t slash = what.rfind('/');
  // "package/operation", for a package on the search path, or for a file or directory that is a package.
  const auto names_package = [&](const std::string& front) {
    if (std::filesystem::exists(front, ignored))
      return !std::filesystem::is_directory(front, ignored) || std::filesystem::exists(front + "/plugin.toml", ignored);
    return front.find('/') == std::string::npos && front != "." && front != "..";
  };
  if (slash != std::string::npos && slash + 1 < what.size() && !std::filesystem::exists(what, ignored) &&
      names_package(what.substr(0, slash))) {
    out.package = open_package(what.substr(0, slash));
    wanted.push_back(what.substr(slash + 1));
  } else {
    out.package = open_package(what);
  }
  const json description = description_of(out.package.get());
  out.title = description.value("name", "") + " " + description.value("version", "");
  std::vector<std::string> names;
  for (const json& operation : description["operations"]) names.push_back(operation.value("name", ""));
  for (const std::string& name : wanted)
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      std::string list;
      for (const std::string& one : names) list += (list.empty() ? "" : ", ") + one;
      const std::string guess = did_you_mean(name, names);
      throw Failure(kMissing,
                    out.title + " has no operation \"" + name + "\"" + (guess.empty() ? "; it has: " + list : guess));
    }
  for (const std::string& name : wanted.empty() ? names : wanted)
    out.operations.emplace_back(name, own<Operation>(tenon_package_operation, out.package.get(), name.c_str()));
  return out;
}

}  // namespace tool
