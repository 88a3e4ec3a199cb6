// plugin/package/package.hpp: a loaded package: files, contract, and the operations that are in use.
#pragma once
#include <mutex>
#include "core/object.hpp"
#include "plugin/contract/contract.hpp"
#include "plugin/package/files.hpp"
#include "plugin/package/host.hpp"
#include "plugin/package/signing.hpp"

namespace tenon {

class Context;
class Operation;
class PluginRegistry;

class Package final : public Object {
 public:
  // Reads the contract and checks it against the files. `origin`: for messages, and the path from which it was loaded,
  // if any.
  static Ref<Package> create(plugin::Files files, const std::string& origin, bool from_memory, uint32_t flags);
  // For a shared object.
  static Ref<Package> of_host(const std::string& contract, const std::string& origin, uint32_t flags,
                              const std::string& object_hash, Ref<plugin::HostFunctions> functions);
  // Throws if the signature is not as required.
  void check_signature(bool wanted, std::vector<std::string> trusted);

  const plugin::Contract& contract() const { return contract_; }
  const std::string& hash() const { return hash_; }
  const std::string& origin() const { return origin_; }
  void found_at(const std::string& absolute) { origin_ = absolute; }
  bool from_memory() const { return from_memory_; }
  bool of_host() const { return bool(functions_); }
  const plugin::HostFunctions& host_functions() const { return *functions_; }
  const tenon_host_function* host_function(const std::string& name) const {
    return functions_ ? functions_->find(name) : nullptr;
  }
  uint32_t flags() const { return flags_; }
  const std::vector<std::string>& trusted_keys() const { return trusted_keys_; }
  const std::string& signature() const { return signature_; }  // the text of plugin.sig; "": none
  const plugin::Files& files() const { return files_; }
  const std::string& file(const std::string& path) const;  // throws NOT_FOUND
  std::string title() const { return contract_.name + " " + contract_.version.text(); }
  std::string describe() const;

  // The operation as an object that can be called: the same one while anyone holds it, so that it is compiled once.
  // Both functions are defined in plugin/call/operation.cpp.
  Ref<Operation> operation(Context& context, const std::string& name);
  void forget(const Operation* operation) noexcept;  // it is being destroyed

 private:
  Package() = default;
  void check_hashes() const;
  void check_sources() const;
  void check_includes() const;
  // Rejects what a call of the step would reject (plugin/call/operation.cpp).
  void check_step(const plugin::OperationContract& operation, const plugin::StepContract& step) const;
  void read();
  plugin::Contract contract_;
  plugin::Files files_;
  std::string hash_, origin_;
  bool from_memory_ = false;
  uint32_t flags_ = 0;
  std::string signature_;
  plugin::Signed signed_;
  std::vector<std::string> trusted_keys_;
  Ref<plugin::HostFunctions> functions_;  // destroyed after the operations that call them
  std::mutex mutex_;
  std::vector<Operation*> in_use_;  // by index of the contract's operations
};

namespace plugin {
// The package as a tar file; adds the hashes of its files if the contract lists none.
std::string write_archive(const Package& package);
}  // namespace plugin

}  // namespace tenon
