// tool/main.cpp: the `tenon` command: parses, runs, and reports failures.
#include <cstdio>
#include <cstring>
#include "tool/failure.hpp"
#include "tool/output.hpp"
#include "tool/parse.hpp"

namespace {

bool wants_json(int argc, char** argv) {
  for (int i = 1; i < argc && std::strcmp(argv[i], "--") != 0; ++i)
    if (std::strcmp(argv[i], "--json") == 0) return true;
  return false;
}

// The output must have been written: a full disk is a failure.
int flushed(int code) {
  if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return code;
  std::fputs("tenon: the standard output cannot be written\n", stderr);
  return code ? code : tool::kFailed;
}

}  // namespace

int main(int argc, char** argv) {
  const bool as_json = wants_json(argc, argv);
  try {
    const tool::Parsed parsed = tool::parse(argc, argv);
    if (!parsed.help.empty()) {
      std::fputs(parsed.help.c_str(), stdout);
      return flushed(tool::kDone);
    }
    tool::Output out(as_json);
    return flushed(parsed.command->run(parsed.arguments, out));
  } catch (const tool::Failure& failure) {
    tool::report(failure, as_json);
    return flushed(failure.code);
  } catch (const std::exception& error) {
    tool::report(tool::Failure(tool::kFailed, error.what()), as_json);
    return flushed(tool::kFailed);
  }
}
