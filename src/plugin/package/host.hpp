// plugin/package/host.hpp: packages of host code: shared objects that register a contract and the functions it names.
#pragma once
#include <tenon/plugin.h>
#include <span>
#include <string>
#include <vector>
#include "core/array/argument.hpp"
#include "core/device/backend.hpp"

namespace tenon {

class Package;

namespace plugin {

// The library's interface for host code. The request to load a package carries it, from api/, the only layer that has
// it.
struct HostInterface {
  const tenon_api* api;
  // Runs a function of a contract's step, with handles of the arguments; throws if the function fails.
  void (*call)(const tenon_host_function& function, const std::string& title, const CallArgument* args, int32_t count,
               Stream& stream);
};

// The functions of one package.
class HostFunctions final : public Object {
 public:
  HostFunctions(std::span<const tenon_host_function> functions, const HostInterface& host);
  ~HostFunctions() override;
  HostFunctions(const HostFunctions&) = delete;
  void take_over() noexcept { owned_ = true; }                     // from now on destroy runs with the destructor
  const tenon_host_function* find(const std::string& name) const;  // NULL: not found
  const HostInterface& host() const { return host_; }
  std::string list() const;

 private:
  struct One {
    std::string name;
    tenon_host_function function;
  };
  std::vector<One> all_;
  const HostInterface host_;
  bool owned_ = false;
};

// Opens the shared object, lets it register, and makes a package of what it registered. Its code stays in the process
// permanently. Throws INVALID_ARGUMENT, NOT_FOUND, IO, VERSION, and the errors for which a package is rejected.
Ref<Package> load_host_package(const std::string& path, uint32_t flags, const std::string& sha256,
                               const HostInterface& host);

// The failure that host code returned: its status with the text of the Tenon call that failed in it, or VENDOR with the
// value. The thread's error record must be the one that was empty when the host code began (RecordAside).
Error host_failure(const std::string& what, const char* entry, int32_t status);

}  // namespace plugin
}  // namespace tenon
