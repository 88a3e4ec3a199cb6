// api/stream.cpp: streams and events.
#include "api/guard.hpp"
#include "core/device/host_work.hpp"

using namespace tenon;
using namespace tenon::api;

namespace {

// Calls `act` for the stream, or, if it is NULL, for the default stream of each device of the default context that was
// used. Continues after failures, and returns the first one.
template <class F> int32_t for_each_meant(tenon_stream* stream, F&& act, const char* function = __builtin_FUNCTION()) {
  return guard(
      [&] {
        const std::vector<Stream*> meant =
            stream ? std::vector<Stream*>{&get(stream, "stream")} : context_or_default(nullptr).default_streams();
        std::exception_ptr failure;
        int32_t status = TENON_OK;
        for (Stream* self : meant) {
          if (status == TENON_OK && !failure) status = lost(self->device());
          if (self->device().lost_record()) continue;
          try {
            act(*self);
          } catch (...) {
            if (status == TENON_OK && !failure) failure = std::current_exception();
          }
        }
        if (failure) std::rethrow_exception(failure);
        return status;
      },
      function);
}

}  // namespace

int32_t tenon_stream_create(tenon_device* device, const tenon_stream_options* given, tenon_stream** out_stream) {
  return guard([&] {
    Out out(out_stream, "out_stream");
    Device& self = get(device, "device").device;
    if (const int32_t status = lost(self)) return status;
    const tenon_stream_options options = options_from(given, "options");
    give_stream(out, self.create_stream(options.priority));
    return TENON_OK;
  });
}
int32_t tenon_stream_wrap(tenon_device* device, uint64_t native, tenon_destroy_fn destroy, void* user,
                          tenon_stream** out_stream) {
  return guard([&] {
    Out out(out_stream, "out_stream");
    Device& self = get(device, "device").device;
    Ref<Stream> stream = self.wrap_stream(native);
    give_stream(out, stream);
    // Not if something else keeps it valid already.
    if (destroy && !stream->keep_valid(destroy, user))
      call_host(self.context(), "the destroy function of a stream", destroy, user);
  });
}
int32_t tenon_stream_default(tenon_device* device, tenon_stream** out_stream) {
  return guard([&] {
    Out out(out_stream, "out_stream");
    give_stream(out, Ref<Stream>(&get(device, "device").device.default_stream()));
  });
}
int32_t tenon_stream_native(const tenon_stream* stream, uint64_t* out_native) {
  return guard([&] {
    Stream& self = get(stream, "stream");
    need(out_native, "out_native") = self.native();
  });
}
int32_t tenon_stream_device(const tenon_stream* stream, tenon_device** out_device) {
  return give_device(out_device, [&]() -> Device& { return get(stream, "stream").device(); });
}
int32_t tenon_stream_synchronize(tenon_stream* stream) {
  return for_each_meant(stream, [](Stream& self) {
    self.synchronize();
    self.device().context().collect();
    self.deferred_errors().throw_pending();
  });
}
int32_t tenon_stream_query(tenon_stream* stream) {
  bool done = true;
  const int32_t status = for_each_meant(stream, [&](Stream& self) {
    if (!self.query()) done = false;
    else self.deferred_errors().throw_pending();
  });
  // Not a failure: the thread's record does not change.
  return status == TENON_OK && !done ? TENON_ERROR_NOT_READY : status;
}
int32_t tenon_stream_wait_event(tenon_stream* stream, tenon_event* event) {
  return guard([&] {
    Event& other = *get(event, "event").event;
    Stream& self = stream ? get(stream, "stream") : other.device().default_stream();
    TENON_REQUIRE(&self.device().context() == &other.device().context(), TENON_ERROR_CONTEXT,
                  "the stream and the event belong to different contexts");
    self.wait(other);
    self.deferred_errors().take_over(other.deferred_errors());
  });
}
int32_t tenon_stream_call_host(tenon_stream* stream, tenon_stream_fn function, tenon_destroy_fn destroy, void* user) {
  return guard([&] {
    Stream& self = get(stream, "stream");
    if (const int32_t status = lost(self.device())) return status;
    TENON_REQUIRE(function, TENON_ERROR_INVALID_ARGUMENT, "function is NULL: it must be the function to call");
    CallScope::given(self);
    const Ref<HostWork> work = make<HostWork>(self.device().context(), function, user);
    self.device().context().collect();  // errors of earlier functions
    self.device().run_on_host(work, self);
    work->take_over(destroy);
    return TENON_OK;
  });
}
int32_t tenon_stream_retain(const tenon_stream* stream) { return retain(stream); }
void tenon_stream_release(tenon_stream* stream) {
  Object* object = slot_release(stream, HandleKind::stream);
  if (!object) return;
  auto* self = static_cast<Stream*>(object);
  Context& context = self->device().context();
  self->close();  // no effect on the default stream, which belongs to the device
  self->release();
  context.release();
}

int32_t tenon_event_create(tenon_device* device, uint32_t flags, tenon_event** out_event) {
  return guard([&] {
    Out out(out_event, "out_event");
    Device& self = get(device, "device").device;
    TENON_REQUIRE((flags & ~TENON_EVENT_TIMING) == 0, TENON_ERROR_INVALID_ARGUMENT,
                  "flags 0x%x have unknown bits: only TENON_EVENT_TIMING is defined", flags);
    out.set(make<EventObject>(self.create_event(flags & TENON_EVENT_TIMING)));
  });
}
int32_t tenon_event_wrap(tenon_device* device, uint64_t native, tenon_destroy_fn destroy, void* user,
                         tenon_event** out_event) {
  return guard([&] {
    Out out(out_event, "out_event");
    Device& self = get(device, "device").device;
    if (const int32_t status = lost(self)) return status;
    const Ref<EventObject> event = make<EventObject>(self.wrap_event(native));
    out.set(event);
    event->take_over(destroy, user);
    return TENON_OK;
  });
}
int32_t tenon_event_native(const tenon_event* event, uint64_t* out_native) {
  return guard([&] {
    const EventObject& self = get(event, "event");
    need(out_native, "out_native") = self.event->native();
  });
}
int32_t tenon_event_record(tenon_event* event, tenon_stream* stream) {
  return guard([&] {
    Event& self = *get(event, "event").event;
    if (const int32_t status = lost(self.device())) return status;
    self.record(stream_or_default(get_or_null(stream, "stream"), self.device()));
    return TENON_OK;
  });
}
int32_t tenon_event_synchronize(tenon_event* event) {
  return guard([&] {
    Event& self = *get(event, "event").event;
    if (const int32_t status = lost(self.device())) return status;
    self.synchronize();
    self.deferred_errors().throw_pending();
    return TENON_OK;
  });
}
int32_t tenon_event_query(tenon_event* event) {
  bool reached = true;
  const int32_t status = guard([&] {
    Event& self = *get(event, "event").event;
    reached = self.query();
    if (reached) self.deferred_errors().throw_pending();
  });
  return status == TENON_OK && !reached ? TENON_ERROR_NOT_READY : status;
}
int32_t tenon_event_elapsed(tenon_event* start, tenon_event* end, double* out_seconds) {
  return guard([&] {
    Event& from = *get(start, "start").event;
    Event& to = *get(end, "end").event;
    need(out_seconds, "out_seconds");
    TENON_REQUIRE(&from.device().context() == &to.device().context(), TENON_ERROR_CONTEXT,
                  "the events belong to different contexts");
    TENON_REQUIRE(&from.device() == &to.device(), TENON_ERROR_DEVICE,
                  "the events belong to %s and %s: time can be measured on one device only",
                  from.device().name().c_str(), to.device().name().c_str());
    *out_seconds = 1e-3 * to.elapsed_since(from);
  });
}
int32_t tenon_event_device(const tenon_event* event, tenon_device** out_device) {
  return give_device(out_device, [&]() -> Device& { return get(event, "event").event->device(); });
}
int32_t tenon_event_retain(const tenon_event* event) { return retain(event); }
void tenon_event_release(tenon_event* event) { release(event); }
