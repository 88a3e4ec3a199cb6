// tool/output.cpp: text, JSON, colours, progress.
#include "tool/output.hpp"
#include <unistd.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include "tool/failure.hpp"

namespace tool {
namespace {

// A terminal that can move its cursor within a line.
bool is_terminal(int descriptor) {
  const char* terminal = std::getenv("TERM");
  return isatty(descriptor) && terminal && std::string(terminal) != "dumb";
}

// https://no-color.org: any value but the empty one.
bool wants_colours(int descriptor) {
  const char* no = std::getenv("NO_COLOR");
  return is_terminal(descriptor) && !(no && *no);
}

constexpr char kPaint = '\xff';  // before a colour and its 'm'; never occurs in UTF-8

// A character that is shown by its code: a control character, or one that changes the direction of writing.
bool obeyed(uint32_t code) {
  return (code < ' ' && code != '\n' && code != '\t') || (code >= 0x7f && code < 0xa0) ||
         (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

std::string dumped(const json& value) { return value.dump(2, ' ', false, json::error_handler_t::replace); }

}  // namespace

Output::Output(bool as_json)
    : json_(as_json),
      colours_(!as_json && wants_colours(STDOUT_FILENO)),
      progress_(!as_json && is_terminal(STDERR_FILENO)) {}

std::string visible(const std::string& text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const unsigned char first = static_cast<unsigned char>(text[at]);
    const size_t size = first < 0x80 ? 1 : first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 : first >> 3 == 30 ? 4 : 0;
    uint32_t code = size <= 1 ? first : first & (0xffu >> (size + 1));
    bool sound = size > 0 && size <= text.size() - at;
    for (size_t i = 1; sound && i < size; ++i) {
      const unsigned char next = static_cast<unsigned char>(text[at + i]);
      sound = (next & 0xc0) == 0x80;
      code = code << 6 | (next & 0x3f);
    }
    if (!sound) out += format("\\x%02x", first);
    else if (obeyed(code)) out += format(code < 0x100 ? "\\x%02x" : "\\u%04x", code);
    else out.append(text, at, size);
    at += sound ? size : 1;
  }
  return out;
}

std::string Output::paint(const char* code, const std::string& text) const {
  return colours_ ? kPaint + std::string(code) + "m" + text + kPaint + "0m" : text;
}

void Output::line(const std::string& text) {
  if (json_) return;
  end_progress();
  std::string out;
  for (size_t at = 0, next; at < text.size(); at = next) {
    const size_t paint = colours_ ? std::min(text.find(kPaint, at), text.size()) : text.size();
    out += visible(text.substr(at, paint - at));
    next = std::min(text.find('m', paint), text.size() - 1) + 1;
    if (paint < text.size()) out += "\033[" + text.substr(paint + 1, next - paint - 1);
  }
  std::fputs((out + "\n").c_str(), stdout);
}

void Output::document(const json& value) {
  if (json_) std::fputs((dumped(value) + "\n").c_str(), stdout);
}

void Output::raw(const std::string& bytes) {
  end_progress();
  const std::string out = isatty(STDOUT_FILENO) ? visible(bytes) : bytes;
  std::fwrite(out.data(), 1, out.size(), stdout);
}

void Output::progress(double part, const std::string& what) {
  if (!progress_) return;
  constexpr int kWidth = 24;
  const int done = std::clamp(int(part * kWidth), 0, kWidth);
  std::fprintf(stderr, "\r\033[K[%s%s] %3d%% %.60s", std::string(size_t(done), '#').c_str(),
               std::string(size_t(kWidth - done), '.').c_str(), std::clamp(int(part * 100), 0, 100),
               visible(what).c_str());
  std::fflush(stderr);
  in_progress_ = true;
}

void Output::end_progress() {
  if (in_progress_) std::fputs("\r\033[K", stderr);
  in_progress_ = false;
}

void report(const Failure& failure, bool as_json) {
  if (as_json) {
    json error = {{"message", failure.what()},
                  {"status", failure.status ? json(tenon_status_name(failure.status)) : json(nullptr)},
                  {"exit_code", failure.code}};
    if (!failure.log.empty()) error["log"] = failure.log;
    std::fputs((dumped({{"error", error}}) + "\n").c_str(), stdout);
  }
  const bool paint = wants_colours(STDERR_FILENO);
  std::fprintf(stderr, "%stenon:%s %s\n", paint ? "\033[31m" : "", paint ? "\033[0m" : "",
               visible(failure.what()).c_str());
  if (!failure.log.empty()) std::fprintf(stderr, "%s\n", visible(failure.log).c_str());
}

}  // namespace tool
