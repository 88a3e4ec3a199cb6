// core/record.cpp: the error record of each thread.
#include "core/record.hpp"
#include "base/thread.hpp"

namespace tenon {
namespace {

constinit thread_local ErrorRecord record{};

base::AtThreadEnd at_thread_end([](void*) { clear_error_record(); });

void replace(ErrorRecord with) noexcept {
  const ErrorRecord gone = std::exchange(record, with);
  if (gone.error) gone.error->release();
}

}  // namespace

const ErrorRecord& error_record() noexcept { return record; }

void set_error_record(const ErrorObject* error) noexcept {
  if (at_thread_end.ask()) return replace({error, false});
  error->release();
  replace({nullptr, true});
}

void set_error_record_out_of_memory() noexcept { replace({nullptr, true}); }

void clear_error_record() noexcept { replace({}); }

// The library is linked with its own unwinder. It fills its tables when it first throws, and ends the process if it is
// asked about another unwinder's exception before that.
void make_ready_to_catch() noexcept {
  [[maybe_unused]] static const bool ready = [] {
    try {
      throw 0;
    } catch (int) {
    }
    return true;
  }();
}

RecordAside::RecordAside() noexcept : before_(std::exchange(record, {})) {}
RecordAside::~RecordAside() { replace(before_); }

}  // namespace tenon
