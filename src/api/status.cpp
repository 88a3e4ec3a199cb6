// api/status.cpp: status names and the thread's error record.
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "api/guard.hpp"
#include "core/record.hpp"

using namespace tenon;
using namespace tenon::api;

namespace {

constexpr const char* kOutOfHostMemory = "out of host memory";

// Writes a line with the function and the status to the file $TENON_STATUS_FILE: the tests compare the returned
// statuses with those in the headers. Lines may repeat, but not for each call.
void note(int32_t status) noexcept {
  static const char* const path = std::getenv("TENON_STATUS_FILE");
  const CallScope* call = path ? CallScope::current() : nullptr;
  if (!call) return;
  static std::atomic<uint64_t> noted[1024];
  const uint64_t key = (reinterpret_cast<uint64_t>(call->name()) << 8) + uint64_t(status);
  if (noted[(key ^ key >> 14) % std::size(noted)].exchange(key, std::memory_order_relaxed) == key) return;
  char line[128];
  const int whole = std::snprintf(line, sizeof line, "%s %s\n", call->name(), status_name(status));
  const int length = std::min(whole, int(sizeof line) - 1);
  const int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) return;
  if (write(file, line, size_t(length)) < 0) {  // then this line is omitted
  }
  close(file);
}

// NOT_READY is a result, not a failure: the record does not change.
int32_t record(const Error& error) noexcept {
  note(error.status);
  if (error.status == TENON_ERROR_NOT_READY) return error.status;
  try {
    set_error_record(new ErrorObject(error));
  } catch (...) {
    set_error_record_out_of_memory();
  }
  return error.status;
}

}  // namespace

int32_t tenon::api::record_kept(const ErrorObject& error) noexcept {
  error.retain();  // first, because it may already be the record
  set_error_record(&error);
  return error.error.status;
}

int32_t tenon::api::record_exception() noexcept {
  try {
    throw;
  } catch (const Error& error) {
    return record(error);
  } catch (const std::bad_alloc&) {
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
  set_error_record_out_of_memory();
  return TENON_ERROR_OUT_OF_MEMORY;
}

const char* tenon_status_name(int32_t status) { return status_name(status); }

int32_t tenon_error_last(tenon_error** out_error) {
  return guard([&] {
    Out out(out_error, "out_error");
    const ErrorRecord& record = error_record();
    if (record.error) out.set(Ref<ErrorObject>(const_cast<ErrorObject*>(record.error)));
    else if (record.out_of_memory) out.set(make<ErrorObject>(Error(TENON_ERROR_OUT_OF_MEMORY, kOutOfHostMemory)));
  });
}
void tenon_error_clear(void) { clear_error_record(); }
const char* tenon_error_last_message(void) {
  const ErrorRecord& record = error_record();
  if (record.error) return record.error->error.message.c_str();
  return record.out_of_memory ? kOutOfHostMemory : "";
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
int32_t tenon_error_retain(const tenon_error* error) { return retain(error); }
void tenon_error_release(tenon_error* error) { release(error); }
