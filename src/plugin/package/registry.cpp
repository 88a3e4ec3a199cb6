// plugin/package/registry.cpp: adding whole packages, finding them by name and version, the search path.
#include "plugin/package/registry.hpp"
#include <dirent.h>
#include <dlfcn.h>
#include <sys/stat.h>
#include <algorithm>
#include <memory>
#include "base/files.hpp"
#include "base/json.hpp"
#include "core/device/context.hpp"

namespace tenon {

using namespace plugin;

namespace {

// The directories of packages that are installed with the library.
std::vector<std::string> installed_directories() {
  std::vector<std::string> out;
  Dl_info info;
  if (dladdr(reinterpret_cast<void*>(&installed_directories), &info) && info.dli_fname && info.dli_fname[0] == '/') {
    const std::string library = info.dli_fname;
    const std::string folder = library.substr(0, library.rfind('/'));
    for (const char* up : {"/../share/tenon/kernels", "/../../share/tenon/kernels"})  // lib/, lib/x86_64-linux-gnu/
      if (base::file_exists(folder + up)) out.push_back(folder + up);
  }
  return out;
}

// mine, mine.tar, mine-1.2.0, mine-1.2.0.tar; all packages if no name is given.
std::vector<std::string> candidates(const std::string& directory, const std::string& name) {
  std::vector<std::string> out;
  const std::unique_ptr<DIR, int (*)(DIR*)> list(::opendir(directory.c_str()), ::closedir);
  if (!list) return out;
  while (const dirent* entry = ::readdir(list.get())) {
    const std::string found = entry->d_name, path = directory + "/" + found;
    if (found[0] == '.') continue;
    const bool archive = found.ends_with(".tar");
    const std::string stem = archive ? found.substr(0, found.size() - 4) : found;
    if (!name.empty() && stem != name && !stem.starts_with(name + "-")) continue;
    if (archive || base::file_exists(path + "/plugin.toml")) out.push_back(path);
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

void check_hash(const Package& package, const std::string& wanted) {
  if (wanted.empty() || wanted == package.hash()) return;
  TENON_REQUIRE(wanted.size() == 64, TENON_ERROR_INVALID_ARGUMENT, "the hash \"%s\" is not 64 hexadecimal digits",
                wanted.c_str());
  fail(TENON_ERROR_IO, "%s has the content hash %s, but %s was requested", package.origin().c_str(),
       package.hash().c_str(), wanted.c_str());
}

PluginRegistry& PluginRegistry::of(Context& context) {
  return static_cast<PluginRegistry&>(context.attachment(Context::Attachment::packages, [&]() -> Ref<Object> {
    return Ref<PluginRegistry>::adopt(new PluginRegistry(context));
  }));
}

PluginRegistry::PluginRegistry(const Context& context)
    : wants_signatures_(context.settings().flags & TENON_CONTEXT_SIGNED_PACKAGES),
      has_path_(context.settings().has_plugin_path),
      path_(context.settings().plugin_path) {}

// The context's path, or else the environment's, then the installed packages. Only absolute directories: never the
// current one.
std::vector<std::string> PluginRegistry::search_path() const {
  std::vector<std::string> out = has_path_ ? path_ : base::path_entries(base::environment("TENON_PLUGIN_PATH"));
  std::erase_if(out, [](const std::string& directory) { return directory[0] != '/'; });
  for (std::string& directory : installed_directories()) out.push_back(std::move(directory));
  return out;
}

Ref<Package> PluginRegistry::check(const std::string& path, const PackageRequest& request) const {
  Ref<Package> package =
      Package::create(read_package_files(path, request.flags & TENON_PACKAGE_ANY_OWNER), path, false, request.flags);
  package->found_at(base::absolute(path));  // reload() reads it again, even if the current directory has changed
  check(*package, request);
  return package;
}

void PluginRegistry::check(Package& package, const PackageRequest& request) const {
  check_hash(package, request.sha256);
  package.check_signature(wants_signatures_ || (request.flags & TENON_PACKAGE_SIGNED), request.trusted_keys);
}

Ref<Package> PluginRegistry::load(const std::string& path, const PackageRequest& request) {
  return add(check(path, request));
}

Ref<Package> PluginRegistry::load_memory(std::string_view bytes, const std::string& name,
                                         const PackageRequest& request) {
  Ref<Package> package = Package::create(read_archive(bytes, name), name, true, request.flags);
  check(*package, request);
  return add(std::move(package));
}

Ref<Package> PluginRegistry::load_host(const std::string& path, const PackageRequest& request,
                                       const HostInterface& host) {
  if ((wants_signatures_ || (request.flags & TENON_PACKAGE_SIGNED)) && request.sha256.empty())
    fail(TENON_ERROR_IO,
         "%s: signatures are required, but a shared object has none: pass the SHA-256 that it must have", path.c_str());
  return add(load_host_package(path, request.flags, request.sha256, host));
}

Ref<Package> PluginRegistry::add(Ref<Package> package) {
  const Contract& contract = package->contract();
  std::lock_guard lock(mutex_);
  for (const Ref<Package>& other : packages_) {
    if (other->contract().name != contract.name || other->contract().version != contract.version) continue;
    if (other->hash() == package->hash()) return other;
    fail(TENON_ERROR_VERSION,
         "%s is already loaded from %s with different content than %s: unload it, reload it, or give the new one "
         "another version",
         other->title().c_str(), other->origin().c_str(), package->origin().c_str());
  }
  packages_.push_back(package);
  return package;
}

Ref<Package> PluginRegistry::loaded(const std::string& name, const VersionRange& range) {
  std::lock_guard lock(mutex_);
  const Ref<Package>* best = nullptr;
  for (const Ref<Package>& package : packages_) {
    const Contract& contract = package->contract();
    if (contract.name == name && range.holds(contract.version) &&
        (!best || (*best)->contract().version < contract.version))
      best = &package;
  }
  return best ? *best : Ref<Package>();
}

Ref<Package> PluginRegistry::find(const std::string& name, const std::string& range_text) {
  const VersionRange range = VersionRange::parse(range_text);
  TENON_REQUIRE(valid_name(name), TENON_ERROR_INVALID_ARGUMENT,
                "\"%s\" is not a package name: use lower-case letters, digits and _", name.c_str());
  if (Ref<Package> found = loaded(name, range)) return found;
  Ref<Package> best;
  std::string others, places;
  for (const std::string& directory : search_path()) {
    places += (places.empty() ? "" : ", ") + directory;
    for (const std::string& path : candidates(directory, name)) {
      Ref<Package> package = check(path, PackageRequest{});
      const Contract& contract = package->contract();
      if (contract.name != name) continue;
      if (!range.holds(contract.version)) others += (others.empty() ? "" : ", ") + contract.version.text();
      else if (!best || best->contract().version < contract.version) best = std::move(package);
    }
    if (best) return add(std::move(best));  // an earlier directory hides later ones
  }
  {
    std::lock_guard lock(mutex_);
    for (const Ref<Package>& package : packages_)
      if (package->contract().name == name) others += (others.empty() ? "" : ", ") + package->contract().version.text();
  }
  if (!others.empty())
    fail(TENON_ERROR_NOT_FOUND, "there is no version \"%s\" of the package %s; available: %s", range_text.c_str(),
         name.c_str(), others.c_str());
  fail(TENON_ERROR_NOT_FOUND,
       "there is no package \"%s\": it is not loaded and not in %s. Load it by its path, or set TENON_PLUGIN_PATH to "
       "absolute directories that hold packages",
       name.c_str(), places.empty() ? "a search path, which is empty" : places.c_str());
}

void PluginRegistry::unload(Package& package) {
  std::lock_guard lock(mutex_);
  const auto found =
      std::find_if(packages_.begin(), packages_.end(), [&](const Ref<Package>& one) { return one.get() == &package; });
  TENON_REQUIRE(found != packages_.end(), TENON_ERROR_NOT_FOUND,
                "%s is no longer loaded: it was unloaded, or replaced by a reload", package.title().c_str());
  packages_.erase(found);
}

Ref<Package> PluginRegistry::reload(Package& package) {
  TENON_REQUIRE(!package.from_memory(), TENON_ERROR_UNSUPPORTED,
                "%s was loaded from memory and cannot be reloaded: load the new bytes", package.title().c_str());
  TENON_REQUIRE(!package.of_host(), TENON_ERROR_UNSUPPORTED,
                "%s is host code, which stays in the process and cannot be reloaded", package.title().c_str());
  Ref<Package> fresh = check(package.origin(), PackageRequest{package.flags(), "", package.trusted_keys()});
  TENON_REQUIRE(fresh->contract().name == package.contract().name, TENON_ERROR_INVALID_ARGUMENT,
                "%s now holds the package %s instead of %s", package.origin().c_str(), fresh->contract().name.c_str(),
                package.contract().name.c_str());
  std::lock_guard lock(mutex_);
  const auto own =
      std::find_if(packages_.begin(), packages_.end(), [&](const Ref<Package>& one) { return one.get() == &package; });
  TENON_REQUIRE(own != packages_.end(), TENON_ERROR_NOT_FOUND,
                "%s is no longer loaded: it was unloaded, or replaced by a reload", package.title().c_str());
  if (fresh->hash() == package.hash()) return *own;
  for (const Ref<Package>& other : packages_)
    if (other.get() != &package && other->contract().name == fresh->contract().name &&
        other->contract().version == fresh->contract().version)
      fail(TENON_ERROR_VERSION, "%s is already loaded from %s", other->title().c_str(), other->origin().c_str());
  *own = fresh;
  return fresh;
}

std::string PluginRegistry::list() {
  using json = base::Json;
  json out = json::array();
  const auto row = [](const Package& package, bool loaded) {
    return json{{"name", package.contract().name}, {"version", package.contract().version.text()},
                {"hash", package.hash()},          {"origin", package.origin()},
                {"doc", package.contract().doc},   {"loaded", loaded}};
  };
  std::vector<std::string> hashes;
  {
    std::lock_guard lock(mutex_);
    for (const Ref<Package>& package : packages_) {
      out.push_back(row(*package, true));
      hashes.push_back(package->hash());
    }
  }
  for (const std::string& directory : search_path())
    for (const std::string& path : candidates(directory, "")) {
      try {
        const Ref<Package> package = check(path, PackageRequest{});
        if (std::find(hashes.begin(), hashes.end(), package->hash()) == hashes.end())
          out.push_back(row(*package, false));
      } catch (const Error& error) {
        out.push_back({{"origin", path}, {"fault", error.message}, {"loaded", false}});
      }
    }
  return out.dump();
}

}  // namespace tenon
