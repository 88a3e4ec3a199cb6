// api/plugin.cpp: packages and operations.
#include "api/arguments.hpp"
#include "api/request.hpp"
#include "core/record.hpp"
#include "plugin/package/host.hpp"
#include "plugin/measure/measure.hpp"
#include "plugin/package/registry.hpp"
#include "plugin/measure/self_test.hpp"

using namespace tenon;
using namespace tenon::api;

namespace {

PackageRequest package_request(const tenon_package_options* given) {
  const tenon_package_options options = options_from(given, "options");
  constexpr uint32_t known = TENON_PACKAGE_ANY_OWNER | TENON_PACKAGE_SIGNED;
  TENON_REQUIRE((options.flags & ~known) == 0, TENON_ERROR_INVALID_ARGUMENT, "flags 0x%x have unknown bits 0x%x",
                options.flags, options.flags & ~known);
  return {options.flags, options.sha256 ? options.sha256 : "",
          texts(options.trusted_keys, options.trusted_key_count, "trusted_keys")};
}

// Calls the host function of a step with handles of its arrays and its stream; throws for the status that it returned,
// with the text of the call that failed in it.
void call_host_function(const tenon_host_function& function, const std::string& title, const CallArgument* args,
                        int32_t count, Stream& stream) {
  TENON_REQUIRE(!stream.recording(), TENON_ERROR_UNSUPPORTED,
                "%s runs host code, which cannot be recorded into a graph", title.c_str());
  const HostArguments given(args, count);
  tenon_stream* handle = nullptr;
  {
    Out out(&handle, "stream");
    give_stream(out, Ref<Stream>(&stream));
  }
  const tenon_host_call call{sizeof(tenon_host_call), count, given.data(), handle};
  std::optional<Error> failure;
  {
    const RecordAside aside;
    if (const int32_t status = function.function(function.user, &call))
      failure.emplace(plugin::host_failure(title + ": its host function", "tenon_host_fn", status));
  }
  // Not tenon_stream_release: the caller's stream stays open.
  Context& context = stream.device().context();
  if (Object* last = slot_release(handle, HandleKind::stream)) {
    last->release();
    context.release();
  }
  if (failure) throw *failure;
}

// The arguments that the operation reads, opened.
CallArguments arguments_of(const Operation& operation, const tenon_arg* args, int32_t count, bool outputs_given) {
  const std::vector<plugin::Declared>& parameters = operation.contract().parameters;
  return CallArguments(args, count, int32_t(parameters.size()),
                       [&](int32_t i) { return outputs_given || parameters[size_t(i)].role != plugin::Role::out; });
}

Ref<PackageObject> with_context(Context& context, Ref<Package> package) {
  return make<PackageObject>(context, std::move(package));
}

std::string measured(tenon_operation* operation, tenon_device* device, const tenon_measure_options* given,
                     std::string (*how)(Operation& operation, Device& device, const MeasureRequest& request)) {
  Operation& self = get(operation, "operation");
  Device& on = get(device, "device").device;
  TENON_REQUIRE(&on.context() == &self.context(), TENON_ERROR_CONTEXT,
                "the device belongs to another context than the operation");
  const tenon_measure_options options = options_from(given, "options");
  const std::vector<std::string> names = texts(options.given_names, options.given_count, "given_names"),
                                 values = texts(options.given_values, options.given_count, "given_values");
  TENON_REQUIRE(options.seconds >= 0 && options.seconds <= 1e6, TENON_ERROR_INVALID_ARGUMENT,
                "seconds is %g, but must be from 0 (the default) to a million", options.seconds);
  MeasureRequest request;
  for (size_t i = 0; i < names.size(); ++i) request.given.emplace_back(names[i], values[i]);
  request.types = options.types ? options.types : "";
  request.seconds = options.seconds;
  return how(self, on, request);
}

std::string text_or_none(const char* text) { return text ? text : ""; }

}  // namespace

int32_t tenon_package_load(tenon_context* context, const char* path, const tenon_package_options* given,
                           tenon_package** out_package) {
  return guard([&] {
    Out out(out_package, "out_package");
    need(path, "path");
    const PackageRequest request = package_request(given);
    Context& self = context_or_default(context);
    out.set(with_context(self, PluginRegistry::of(self).load(path, request)));
  });
}
int32_t tenon_package_load_memory(tenon_context* context, const void* bytes, uint64_t size, const char* name,
                                  const tenon_package_options* given, tenon_package** out_package) {
  return guard([&] {
    Out out(out_package, "out_package");
    need(static_cast<const char*>(bytes), "bytes");
    need(name, "name");
    const PackageRequest request = package_request(given);
    Context& self = context_or_default(context);
    const std::string_view all(static_cast<const char*>(bytes), size);
    out.set(with_context(self, PluginRegistry::of(self).load_memory(all, name, request)));
  });
}
int32_t tenon_package_check(tenon_context* context, const char* path, const tenon_package_options* given,
                            tenon_blob** out_report) {
  return guard([&] {
    Out out(out_report, "out_report");
    need(path, "path");
    const PackageRequest request = package_request(given);
    out.set(make<Blob>(PluginRegistry::of(context_or_default(context)).check(path, request)->describe()));
  });
}
int32_t tenon_package_find(tenon_context* context, const char* name, const char* range, tenon_package** out_package) {
  return guard([&] {
    Out out(out_package, "out_package");
    need(name, "name");
    Context& self = context_or_default(context);
    out.set(with_context(self, PluginRegistry::of(self).find(name, text_or_none(range))));
  });
}
int32_t tenon_package_list(tenon_context* context, tenon_blob** out_list) {
  return guard([&] {
    Out out(out_list, "out_list");
    out.set(make<Blob>(PluginRegistry::of(context_or_default(context)).list()));
  });
}
int32_t tenon_package_unload(tenon_package* package) {
  return guard([&] {
    PackageObject& self = get(package, "package");
    PluginRegistry::of(*self.context).unload(*self.package);
  });
}
int32_t tenon_package_reload(tenon_package* package, tenon_package** out_package) {
  return guard([&] {
    Out out(out_package, "out_package");
    PackageObject& self = get(package, "package");
    out.set(with_context(*self.context, PluginRegistry::of(*self.context).reload(*self.package)));
  });
}
int32_t tenon_package_describe(const tenon_package* package, tenon_blob** out_description) {
  return guard([&] {
    Out out(out_description, "out_description");
    out.set(make<Blob>(get(package, "package").package->describe()));
  });
}
int32_t tenon_package_operation(tenon_package* package, const char* name, tenon_operation** out_operation) {
  return guard([&] {
    Out out(out_operation, "out_operation");
    PackageObject& self = get(package, "package");
    out.set(self.package->operation(*self.context, &need(name, "name")));
  });
}
int32_t tenon_package_file(const tenon_package* package, const char* path, tenon_blob** out_text) {
  return guard([&] {
    Out out(out_text, "out_text");
    const PackageObject& self = get(package, "package");
    out.set(make<Blob>(self.package->file(&need(path, "path"))));
  });
}
int32_t tenon_package_retain(const tenon_package* package) { return retain(package); }
void tenon_package_release(tenon_package* package) { release(package); }

int32_t tenon_operation_find(tenon_context* context, const char* name, const char* range,
                             tenon_operation** out_operation) {
  return guard([&] {
    Out out(out_operation, "out_operation");
    need(name, "name");
    Context& self = context_or_default(context);
    out.set(PluginRegistry::of(self).find_operation(self, name, text_or_none(range)));
  });
}
int32_t tenon_operation_describe(const tenon_operation* operation, tenon_blob** out_description) {
  return guard([&] {
    Out out(out_description, "out_description");
    out.set(make<Blob>(get(operation, "operation").describe()));
  });
}
int32_t tenon_operation_get_info(const tenon_operation* operation, tenon_operation_info* out_info) {
  return guard([&] {
    const Operation& self = get(operation, "operation");
    info_to(out_info, self.info(), "out_info");
  });
}
int32_t tenon_operation_get_parameter_info(const tenon_operation* operation, int32_t index,
                                           tenon_operation_parameter_info* out_info) {
  return guard([&] {
    const Operation& self = get(operation, "operation");
    need(out_info, "out_info");
    info_to(out_info, self.parameter(index), "out_info");
  });
}
int32_t tenon_operation_gradient(const tenon_operation* operation, tenon_operation** out_gradient) {
  return guard([&] {
    Out out(out_gradient, "out_gradient");
    out.set(get(operation, "operation").gradient());
  });
}
int32_t tenon_operation_package(const tenon_operation* operation, tenon_package** out_package) {
  return guard([&] {
    Out out(out_package, "out_package");
    const Operation& self = get(operation, "operation");
    out.set(with_context(self.context(), Ref<Package>(&self.package())));
  });
}
int32_t tenon_operation_retain(const tenon_operation* operation) { return retain(operation); }
void tenon_operation_release(tenon_operation* operation) { release(operation); }

int32_t tenon_operation_call(tenon_operation* operation, const tenon_arg* args, int32_t count, tenon_stream* stream) {
  return guard([&] {
    Operation& self = get(operation, "operation");
    const CallArguments given = arguments_of(self, args, count, true);
    Stream* const on = get_or_null(stream, "stream");
    if (on && on->recording()) return self.record(given.data(), given.count(), *on);
    self.call(given.data(), given.count(), on);
  });
}
int32_t tenon_operation_output(tenon_operation* operation, const tenon_arg* args, int32_t count, int32_t index,
                               tenon_stream* stream, tenon_array** out_array) {
  return guard([&] {
    Out out(out_array, "out_array");
    Operation& self = get(operation, "operation");
    const CallArguments given = arguments_of(self, args, count, false);
    out.set(self.output(given.data(), given.count(), index, get_or_null(stream, "stream")));
  });
}
int32_t tenon_operation_prepare(tenon_operation* operation, const tenon_arg* args, int32_t count) {
  return guard([&] {
    Operation& self = get(operation, "operation");
    const CallArguments given = arguments_of(self, args, count, false);
    self.prepare(given.data(), given.count());
  });
}
int32_t tenon_package_prepare(tenon_package* package, tenon_device* device) {
  return guard([&] {
    PackageObject& self = get(package, "package");
    Device& on = get(device, "device").device;
    TENON_REQUIRE(&on.context() == self.context.get(), TENON_ERROR_CONTEXT,
                  "the device belongs to another context than the package");
    prepare_package(*self.context, *self.package, on);
  });
}
int32_t tenon_operation_set_tunable(tenon_operation* operation, const char* name, int64_t value) {
  return guard([&] {
    Operation& self = get(operation, "operation");
    self.tune(&need(name, "name"), value);
  });
}
int32_t tenon_operation_get_tunable(const tenon_operation* operation, const char* name, int64_t* out_value) {
  return guard([&] {
    const Operation& self = get(operation, "operation");
    need(name, "name");
    need(out_value, "out_value");
    *out_value = self.tuned(name);
  });
}
int32_t tenon_operation_test(tenon_operation* operation, tenon_device* device, tenon_blob** out_report) {
  return guard([&] {
    Out out(out_report, "out_report");
    Operation& self = get(operation, "operation");
    Device& on = get(device, "device").device;
    TENON_REQUIRE(&on.context() == &self.context(), TENON_ERROR_CONTEXT,
                  "the device belongs to another context than the operation");
    out.set(make<Blob>(run_self_tests(self, on)));
  });
}

int32_t tenon_package_pack(const char* path, const tenon_package_options* given, tenon_blob** out_archive) {
  return guard([&] {
    Out out(out_archive, "out_archive");
    need(path, "path");
    const PackageRequest request = package_request(given);
    out.set(make<Blob>(plugin::write_archive(*PluginRegistry::of(context_or_default(nullptr)).check(path, request))));
  });
}
int32_t tenon_signing_key_create(tenon_blob** out_secret) {
  return guard([&] {
    Out out(out_secret, "out_secret");
    out.set(make<Blob>(plugin::new_secret_key()));
  });
}
int32_t tenon_signing_key_public(const char* secret, tenon_blob** out_public) {
  return guard([&] {
    Out out(out_public, "out_public");
    out.set(make<Blob>(plugin::public_key_of(&need(secret, "secret"))));
  });
}
int32_t tenon_package_sign(const char* path, const char* secret, const tenon_package_options* given,
                           tenon_blob** out_signature) {
  return guard([&] {
    Out out(out_signature, "out_signature");
    need(path, "path");
    need(secret, "secret");
    const PackageRequest request = package_request(given);
    const Ref<Package> package = Package::create(
        plugin::read_package_files(path, request.flags & TENON_PACKAGE_ANY_OWNER), path, false, request.flags);
    check_hash(*package, request.sha256);
    out.set(make<Blob>(plugin::sign(*package, secret)));
  });
}
int32_t tenon_plugin_load(tenon_context* context, const char* path, const tenon_package_options* given,
                          tenon_package** out_package) {
  return guard([&] {
    Out out(out_package, "out_package");
    need(path, "path");
    const PackageRequest request = package_request(given);
    Context& self = context_or_default(context);
    const plugin::HostInterface host{tenon_get_api(TENON_ABI_LEVEL), call_host_function};
    out.set(with_context(self, PluginRegistry::of(self).load_host(path, request, host)));
  });
}
int32_t tenon_operation_measure(tenon_operation* operation, tenon_device* device, const tenon_measure_options* given,
                                tenon_blob** out_report) {
  return guard([&] {
    Out out(out_report, "out_report");
    out.set(make<Blob>(measured(operation, device, given, measure)));
  });
}
int32_t tenon_operation_tune(tenon_operation* operation, tenon_device* device, const tenon_measure_options* given,
                             tenon_blob** out_report) {
  return guard([&] {
    Out out(out_report, "out_report");
    out.set(make<Blob>(measured(operation, device, given, tune)));
  });
}

int32_t tenon_operation_bind(tenon_operation* operation, const tenon_arg* args, int32_t count, tenon_stream* stream,
                             tenon_call** out_call) {
  return guard([&] {
    Out out(out_call, "out_call");
    Operation& self = get(operation, "operation");
    const CallArguments given = arguments_of(self, args, count, true);
    Ref<BoundOperation> bound = self.bind(given.data(), given.count(), get_or_null(stream, "stream"));
    bound->keep(given.data(), given.count());
    out.set(std::move(bound));
  });
}
