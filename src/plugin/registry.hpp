// plugin/registry.hpp: the packages of a context.
#pragma once
#include <mutex>
#include "plugin/package.hpp"

namespace tenon {

class PluginRegistry final : public Object {
 public:
  // The registry that belongs to a context; made at first use.
  static PluginRegistry& of(Context& context);

  // sha256: "" or the hash the content must have.
  Ref<Package> load(const std::string& path, uint32_t flags, const std::string& sha256);
  Ref<Package> load_memory(std::string_view bytes, const std::string& name, uint32_t flags, const std::string& sha256);
  static Ref<Package> check(const std::string& path, uint32_t flags, const std::string& sha256);
  Ref<Package> find(const std::string& name, const std::string& range);
  Ref<Operation> find_operation(Context& context, const std::string& full_name, const std::string& range);
  void unload(Package& package);
  Ref<Package> reload(Package& package);
  std::string list();

 private:
  explicit PluginRegistry(const Context& context);
  std::vector<std::string> search_path() const;
  Ref<Package> add(Ref<Package> package);
  Ref<Package> loaded(const std::string& name, const plugin::VersionRange& range);
  const bool has_path_;  // else the environment says it
  const std::vector<std::string> path_;
  std::mutex mutex_;
  std::vector<Ref<Package>> packages_;
};

// Compiles all that dtypes and tunables decide, in parallel; the first failure is thrown in the end.
void prepare_package(Context& context, Package& package, Device& device);

}  // namespace tenon
