// plugin/package/registry.hpp: the packages of a context.
#pragma once
#include <mutex>
#include "plugin/package/package.hpp"

namespace tenon {

// How to load a package: TENON_PACKAGE_*, "" or the hash that it must have, and trusted keys.
struct PackageRequest {
  uint32_t flags = 0;
  std::string sha256;
  std::vector<std::string> trusted_keys;
};

class PluginRegistry final : public Object {
 public:
  // The registry of a context; made on first use.
  static PluginRegistry& of(Context& context);

  Ref<Package> load(const std::string& path, const PackageRequest& request);
  Ref<Package> load_memory(std::string_view bytes, const std::string& name, const PackageRequest& request);
  Ref<Package> load_host(const std::string& path, const PackageRequest& request, const plugin::HostInterface& host);
  Ref<Package> check(const std::string& path, const PackageRequest& request) const;
  Ref<Package> find(const std::string& name, const std::string& range);
  Ref<Operation> find_operation(Context& context, const std::string& full_name, const std::string& range);
  void unload(Package& package);
  Ref<Package> reload(Package& package);
  std::string list();

 private:
  explicit PluginRegistry(const Context& context);
  std::vector<std::string> search_path() const;
  void check(Package& package, const PackageRequest& request) const;
  Ref<Package> add(Ref<Package> package);
  Ref<Package> loaded(const std::string& name, const plugin::VersionRange& range);
  const bool wants_signatures_;
  const bool has_path_;  // else it is read from the environment
  const std::vector<std::string> path_;
  std::mutex mutex_;
  std::vector<Ref<Package>> packages_;
};

// Throws if the content has another hash; "": any hash is accepted.
void check_hash(const Package& package, const std::string& wanted);

// Compiles everything for all dtypes and tunables, in parallel; the first failure is thrown at the end.
void prepare_package(Context& context, Package& package, Device& device);

}  // namespace tenon
