// plugin/package/host.hpp: packages of host code: shared objects that register a contract and the functions it names.
#pragma once
#include <tenon/plugin.h>
#include <span>
#include <string>
#include <vector>
#include "core/argument.hpp"
#include "core/backend.hpp"

namespace tenon {

class Package;

namespace plugin {

// What host code sees of the library. It comes with the request to load a package, from api/, which alone has it.
struct HostInterface {
  const tenon_api* api;
  // Runs a function of a contract's step with handles of the arguments, and throws what it returns.
  void (*call)(const tenon_host_function& function, const std::string& title, const CallArgument* args, int32_t count,
               Stream& stream);
};

// The functions of one package.
class HostFunctions final : public Object {
 public:
  HostFunctions(std::span<const tenon_host_function> functions, const HostInterface& host);
  ~HostFunctions() override;
  HostFunctions(const HostFunctions&) = delete;
  void take_over() noexcept { owned_ = true; }  // from now on they belong to it: destroy runs when it goes
  const tenon_host_function* find(const std::string& name) const;  // NULL: there is none
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

// Opens the shared object, lets it register, and makes a package of what it did. Its code stays in the process for
// good. Throws INVALID_ARGUMENT, NOT_FOUND, IO, VERSION, and what the package is refused for.
Ref<Package> load_host_package(const std::string& path, uint32_t flags, const std::string& sha256,
                               const HostInterface& host);

// The failure that host code has returned: its status with the text of the call of Tenon that failed in it, or VENDOR
// with the value. The thread's record is the one that the host code began with empty (RecordAside).
Error host_failure(const std::string& what, const char* entry, int32_t status);

}  // namespace plugin
}  // namespace tenon
