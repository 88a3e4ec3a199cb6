// core/error.cpp: building error texts.
#include "core/error.hpp"

#include <cstdio>

namespace tenon {

std::string format_list(const char* text, va_list list) {
  va_list again;
  va_copy(again, list);
  int size = std::vsnprintf(nullptr, 0, text, again);
  va_end(again);
  if (size < 0) return text;
  std::string out(size_t(size), '\0');
  std::vsnprintf(out.data(), out.size() + 1, text, list);
  return out;
}

const char* status_name(int32_t status) noexcept {
  switch (status) {
#define X(name) \
  case name: return #name;
#include "core/generated_status.inc"
#undef X
    default: return "TENON_ERROR_UNKNOWN";
  }
}

std::string format(const char* text, ...) {
  va_list list;
  va_start(list, text);
  std::string out = format_list(text, list);
  va_end(list);
  return out;
}

namespace {

// A message may quote the caller's text, which can be of any length; longer messages are not useful.
void shorten(std::string& message) {
  constexpr size_t kMost = 4096;
  if (message.size() <= kMost) return;
  size_t end = kMost;
  while (end && (message[end] & 0xc0) == 0x80) --end;  // inside a UTF-8 character
  message = message.substr(0, end) + format("... (%zu bytes in all)", message.size());
}

}  // namespace

void fail(int32_t status, const char* text, ...) {
  va_list list;
  va_start(list, text);
  std::string message = format_list(text, list);
  va_end(list);
  shorten(message);
  throw Error(status, std::move(message));
}

void throw_again(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const Error& error) {
    throw Error(error);
  }
}

}  // namespace tenon
