// plugin/package/host.cpp: opening shared objects, and the handshake.
#include "plugin/package/host.hpp"
#include <dlfcn.h>
#include <pthread.h>
#include <map>
#include <mutex>
#include "base/library.hpp"
#include "base/sha256.hpp"
#include "core/record.hpp"
#include "core/sized.hpp"
#include "plugin/package/package.hpp"

namespace tenon::plugin {
namespace {

// What one tenon_plugin_init registered. It is used only if everything succeeded.
struct Registration {
  const HostInterface& host;
  std::string contract;
  Ref<HostFunctions> functions;
  std::string wrong;  // why the first wrong registration was rejected
};

std::string refused(Registration& self, const char* contract, std::span<const tenon_host_function> functions) {
  if (self.functions) return "it registers a second package: a shared object may hold only one";
  if (!contract || !*contract) return "the contract it registers is empty";
  if (functions.empty()) return "it registers no functions";
  for (size_t i = 0; i < functions.size(); ++i) {
    const std::string which = "function " + std::to_string(i) + " that it registers ";
    if (!functions[i].name || !functions[i].function) return which + "has no name, or is NULL";
    for (size_t k = 0; k < i; ++k)
      if (std::string(functions[k].name) == functions[i].name)
        return which + "has the name \"" + functions[i].name + "\", which another function already has";
  }
  return "";
}

// tenon_registry::add. Foreign code calls it, so it must not throw.
int32_t add(void* user, const char* contract, const tenon_host_function* functions, int32_t count) {
  Registration& self = *static_cast<Registration*>(user);
  try {
    std::vector<tenon_host_function> known;
    std::string wrong;
    try {
      known = structs_from(functions, functions ? count : 0, "functions");
      wrong = refused(self, contract, known);
    } catch (const Error& error) {
      wrong = error.message;
    }
    if (!wrong.empty()) {
      if (self.wrong.empty()) self.wrong = std::move(wrong);
      return TENON_ERROR_INVALID_ARGUMENT;
    }
    Ref<HostFunctions> made = make<HostFunctions>(known, self.host);
    self.contract = contract;
    made->take_over();
    self.functions = std::move(made);
    return TENON_OK;
  } catch (...) {
    return TENON_ERROR_OUT_OF_MEMORY;
  }
}

struct Opened {
  void* handle = nullptr;
  std::string sha256;
};

// Objects stay in the process: an object that was opened before is not opened again, and its constructors do not run
// again. Identified by path and content.
struct Objects {
  std::recursive_mutex mutex;  // recursive: a constructor may load another object
  std::map<std::pair<std::string, std::string>, void*> handles;

  Objects() {
    pthread_atfork([] { instance().mutex.lock(); }, [] { instance().mutex.unlock(); },
                   [] { instance().mutex.unlock(); });
  }
  static Objects& instance() {
    static Objects* objects = new Objects;  // never destroyed, like its objects
    return *objects;
  }
};

// Owner, mode and content are checked before any code of the object runs, and exactly the checked bytes are opened.
Opened open_object(const std::string& path, bool any_owner, const std::string& sha256) {
  TENON_REQUIRE(
      path.starts_with('/'), TENON_ERROR_INVALID_ARGUMENT,
      "\"%s\" is not an absolute path: host code is loaded only by its absolute path and is never searched for",
      path.c_str());
  const std::string bytes = read_host_object(path, any_owner);  // checks the owner and mode of the file that it opens
  Opened out{nullptr, base::sha256_hex(bytes)};
  if (!sha256.empty() && sha256 != out.sha256)
    fail(TENON_ERROR_IO, "%s has the SHA-256 %s, but %s was requested", path.c_str(), out.sha256.c_str(),
         sha256.c_str());
  Objects& objects = Objects::instance();
  std::lock_guard lock(objects.mutex);
  void*& handle = objects.handles[{path, out.sha256}];
  std::string why;
  if (!handle) handle = base::open_object(bytes, "tenon-plugin", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE, why);
  out.handle = handle;
  if (!out.handle) fail(TENON_ERROR_IO, "%s cannot be loaded: %s", path.c_str(), why.c_str());
  return out;
}

}  // namespace

HostFunctions::HostFunctions(std::span<const tenon_host_function> functions, const HostInterface& host) : host_(host) {
  for (const tenon_host_function& function : functions) all_.push_back({function.name, function});
}

HostFunctions::~HostFunctions() {
  if (!owned_) return;
  for (const One& one : all_) call_host(one.function.destroy, one.function.user);
}

const tenon_host_function* HostFunctions::find(const std::string& name) const {
  for (const One& one : all_)
    if (one.name == name) return &one.function;
  return nullptr;
}

std::string HostFunctions::list() const {
  std::string out;
  for (const One& one : all_) out += (out.empty() ? "" : ", ") + one.name;
  return out;
}

Error host_failure(const std::string& what, const char* entry, int32_t status) {
  const bool known = status > TENON_OK && status <= TENON_ERROR_INTERNAL;
  std::string text = what + " returned " + (known ? status_name(status) : std::to_string(status).c_str());
  const ErrorObject* failed = error_record().error;
  if (failed && failed->error.status == status) text += ": " + failed->error.message;
  Error error(known ? status : TENON_ERROR_VENDOR, std::move(text));
  error.native_call = entry;
  error.native_code = status;
  return error;
}

Ref<Package> load_host_package(const std::string& path, uint32_t flags, const std::string& sha256,
                               const HostInterface& host) {
  const Opened object = open_object(path, flags & TENON_PACKAGE_ANY_OWNER, sha256);
  const auto level = static_cast<const uint32_t*>(::dlsym(object.handle, "tenon_plugin_level"));
  const auto init = reinterpret_cast<tenon_plugin_init_fn>(::dlsym(object.handle, "tenon_plugin_init"));
  TENON_REQUIRE(level && init, TENON_ERROR_INVALID_ARGUMENT, "%s is not a package of host code: it does not export %s",
                path.c_str(),
                init ? "tenon_plugin_level, the TENON_TARGET_LEVEL that it was built for" : "tenon_plugin_init");
  TENON_REQUIRE(*level >> 16 == TENON_ABI_LEVEL >> 16 && *level <= TENON_ABI_LEVEL, TENON_ERROR_VERSION,
                "%s needs level %u.%u of Tenon (its tenon_plugin_level), but this library has the levels %u.0 to %u.%u",
                path.c_str(), *level >> 16, *level >> 8 & 0xff, TENON_VERSION_MAJOR, TENON_VERSION_MAJOR,
                TENON_VERSION_MINOR);
  Registration registration{host, {}, {}, {}};
  tenon_registry registry{};
  registry.struct_size = sizeof registry;
  registry.user = &registration;
  registry.add = add;
  {
    const RecordAside aside;
    const int32_t status = init(host.api, &registry);
    if (!registration.wrong.empty())
      fail(TENON_ERROR_INVALID_ARGUMENT, "%s: %s", path.c_str(), registration.wrong.c_str());
    if (status != TENON_OK) throw host_failure("tenon_plugin_init of " + path, "tenon_plugin_init", status);
  }
  TENON_REQUIRE(registration.functions, TENON_ERROR_INVALID_ARGUMENT, "tenon_plugin_init of %s registered no package",
                path.c_str());
  return Package::of_host(registration.contract, path, flags, object.sha256, std::move(registration.functions));
}

}  // namespace tenon::plugin
