// tool/output.cpp: text, JSON, colours, progress.
#include "output.hpp"
#include <unistd.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include "failure.hpp"

namespace tool {
namespace {

// https://no-color.org: any value but the empty one.
bool wants_colours(int descriptor) {
  const char* no = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return isatty(descriptor) && !(no && *no) && terminal && std::string(terminal) != "dumb";
}

std::string dumped(const json& value) { return value.dump(2, ' ', false, json::error_handler_t::replace); }

}  // namespace

Output::Output(bool as_json)
    : json_(as_json), colours_(!as_json && wants_colours(STDOUT_FILENO)), progress_(!as_json && isatty(STDERR_FILENO)) {}

std::string Output::paint(const char* code, const std::string& text) const {
  return colours_ ? std::string("\033[") + code + "m" + text + "\033[0m" : text;
}

void Output::line(const std::string& text) {
  if (json_) return;
  end_progress();
  std::fputs((text + "\n").c_str(), stdout);
}

void Output::document(const json& value) {
  if (json_) std::fputs((dumped(value) + "\n").c_str(), stdout);
}

void Output::raw(const std::string& bytes) {
  end_progress();
  std::fwrite(bytes.data(), 1, bytes.size(), stdout);
}

void Output::progress(double part, const std::string& what) {
  if (!progress_) return;
  constexpr int kWidth = 24;
  const int done = std::clamp(int(part * kWidth), 0, kWidth);
  std::fprintf(stderr, "\r\033[K[%s%s] %3d%% %.60s", std::string(size_t(done), '#').c_str(),
               std::string(size_t(kWidth - done), '.').c_str(), std::clamp(int(part * 100), 0, 100), what.c_str());
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
  std::fprintf(stderr, "%stenon:%s %s\n", paint ? "\033[31m" : "", paint ? "\033[0m" : "", failure.what());
  if (!failure.log.empty()) std::fprintf(stderr, "%s\n", failure.log.c_str());
}

}  // namespace tool
