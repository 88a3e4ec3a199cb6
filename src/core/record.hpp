// core/record.hpp: the calling thread's error record, and calls of the host's functions, which do not change it.
#pragma once
#include <type_traits>
#include <utility>
#include "core/error.hpp"

namespace tenon {

// The last failure of a thread. Plain data, because a thread_local object with a destructor needs memory at its first
// use, and then there may be none.
struct ErrorRecord {
  const ErrorObject* error;  // a reference
  bool out_of_memory;        // stands for a failure for which no object could be made
};

const ErrorRecord& error_record() noexcept;
// Neither allocates. The reference to the error is taken over.
void set_error_record(const ErrorObject* error) noexcept;
void set_error_record_out_of_memory() noexcept;
void clear_error_record() noexcept;

// While it lives, the thread has another record, which is empty at first.
class RecordAside {
 public:
  RecordAside() noexcept;
  ~RecordAside();
  RecordAside(const RecordAside&) = delete;

 private:
  const ErrorRecord before_;
};

// To be called before code that may throw an exception of another C++ runtime through this library.
void make_ready_to_catch() noexcept;

// Calls a function of the host (destroy, a deleter, log). If a Tenon call in it fails, the record of the surrounding
// call does not change; if it throws, although it may not, the process continues. False: it threw.
template <class F, class... Args> bool call_host(F function, Args... args) noexcept {
  if constexpr (std::is_pointer_v<F>)
    if (!function) return true;
  make_ready_to_catch();
  const RecordAside aside;
  try {
    function(args...);
    return true;
  } catch (...) {
    return false;
  }
}

}  // namespace tenon
