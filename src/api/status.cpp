// api/status.cpp: status names and the thread's error record.
#include <new>

#include "api/guard.hpp"

using namespace tenon;
using namespace tenon::api;

namespace {

// The last failure of a thread. When not even the record can be allocated, a static one stands in.
struct Record {
  ErrorObject* error = nullptr;
  bool out_of_memory = false;
  ~Record() { clear(); }
  void clear() noexcept {
    if (error) error->release();
    error = nullptr;
    out_of_memory = false;
  }
};
thread_local Record t_record;

constexpr const char* kOutOfHostMemory = "out of host memory";

int32_t record(const Error& error) noexcept {
  try {
    auto* object = new ErrorObject(error);
    t_record.clear();
    t_record.error = object;
  } catch (...) {
    t_record.clear();
    t_record.out_of_memory = true;
  }
  return error.status;
}

}  // namespace

int32_t tenon::api::record_kept(const ErrorObject& error) noexcept {
  error.retain();  // first: it may be the record already
  t_record.clear();
  t_record.error = const_cast<ErrorObject*>(&error);
  return error.error.status;
}

int32_t tenon::api::record_exception() noexcept {
  try {
    throw;
  } catch (const Error& error) {
    return record(error);
  } catch (const std::bad_alloc&) {
    t_record.clear();
    t_record.out_of_memory = true;
    return TENON_ERROR_OUT_OF_MEMORY;
  } catch (const std::exception& error) {
    try {
      return record(Error(TENON_ERROR_INTERNAL, format("unexpected: %s; please report this", error.what())));
    } catch (...) {
    }
  } catch (...) {
    try {
      return record(Error(TENON_ERROR_INTERNAL, "an unknown exception; please report this"));
    } catch (...) {
    }
  }
  t_record.clear();
  t_record.out_of_memory = true;
  return TENON_ERROR_OUT_OF_MEMORY;
}

const char* tenon_status_name(int32_t status) {
  switch (status) {
#define X(name) case name: return #name;
#include "api/generated_status.inc"
#undef X
    default: return "TENON_ERROR_UNKNOWN";
  }
}

int32_t tenon_error_last(tenon_error** out_error) {
  return guard([&] {
    Out out(out_error, "out_error");
    if (t_record.error) out.set(Ref<ErrorObject>(t_record.error));
    else if (t_record.out_of_memory) out.set(make<ErrorObject>(Error(TENON_ERROR_OUT_OF_MEMORY, kOutOfHostMemory)));
  });
}
void tenon_error_clear(void) { t_record.clear(); }
const char* tenon_error_last_message(void) {
  if (t_record.error) return t_record.error->error.message.c_str();
  return t_record.out_of_memory ? kOutOfHostMemory : "";
}

int32_t tenon_error_status(const tenon_error* error, int32_t* out_status) {
  return guard([&] {
    const Error& self = get(error, "error").error;
    need(out_status, "out_status") = self.status;
  });
}
int32_t tenon_error_message(const tenon_error* error, const char** out_text) {
  return guard([&] {
    const Error& self = get(error, "error").error;
    need(out_text, "out_text") = self.message.c_str();
  });
}
int32_t tenon_error_native(const tenon_error* error, const char** out_call, int64_t* out_code) {
  return guard([&] {
    const Error& self = get(error, "error").error;
    need(out_call, "out_call");
    need(out_code, "out_code");
    *out_call = self.native_call.c_str();
    *out_code = self.native_code;
  });
}
int32_t tenon_error_log(const tenon_error* error, const char** out_text) {
  return guard([&] {
    const Error& self = get(error, "error").error;
    need(out_text, "out_text") = self.log.c_str();
  });
}
int32_t tenon_error_batch_index(const tenon_error* error, int64_t* out_index) {
  return guard([&] {
    const Error& self = get(error, "error").error;
    need(out_index, "out_index") = self.batch_index;
  });
}
int32_t tenon_error_retain(tenon_error* error) { return retain(error); }
void tenon_error_release(tenon_error* error) { release(error); }
