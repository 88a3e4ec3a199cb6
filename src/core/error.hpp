// core/error.hpp: the one exception type, thrown inside and turned into a status by the guard in api/.
#pragma once
#include <tenon/status.h>
#include <cstdarg>
#include <exception>
#include <string>
#include "core/object.hpp"

namespace tenon {

struct Error : std::exception {
  int32_t status = TENON_ERROR_INTERNAL;
  std::string message;
  std::string native_call;   // vendor routine; "": none
  int64_t native_code = 0;   // the value that it returned
  int64_t batch_index = -1;  // of the matrix that failed
  std::string log;           // a compiler's full output

  Error(int32_t s, std::string text) : status(s), message(std::move(text)) {}
  const char* what() const noexcept override { return message.c_str(); }
};

// A failure that can be stored and shared.
class ErrorObject final : public Object {
 public:
  explicit ErrorObject(Error e) : error(std::move(e)) {}
  const Error error;
};

const char* status_name(int32_t status) noexcept;  // "TENON_OK" and so on; "TENON_ERROR_UNKNOWN"

std::string format(const char* text, ...) __attribute__((format(printf, 1, 2)));
std::string format_list(const char* text, va_list list);

// Throws an Error; the text states what was wrong and what would be right.
[[noreturn]] void fail(int32_t status, const char* text, ...) __attribute__((format(printf, 2, 3)));

// Throws a failure that several threads wait for: each gets its own exception, because the layers above add to the
// text.
[[noreturn]] void throw_again(const std::exception_ptr& failure);

#define TENON_REQUIRE(condition, status, ...)             \
  do {                                                    \
    if (!(condition)) ::tenon::fail(status, __VA_ARGS__); \
  } while (0)

}  // namespace tenon
