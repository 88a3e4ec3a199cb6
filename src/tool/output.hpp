// tool/output.hpp: the output of a command: text for people, or one JSON document; colours and progress on terminals
// only.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace tool {

using json = nlohmann::ordered_json;

class Output {
 public:
  explicit Output(bool as_json);
  ~Output() { end_progress(); }

  bool as_json() const { return json_; }
  // A line for people; prints nothing if JSON was requested.
  void line(const std::string& text = "");
  // The document; prints nothing if text was requested.
  void document(const json& value);
  // The requested output of a command: bytes are written unchanged, but to a terminal only if they are text.
  void raw(const std::string& bytes);

  std::string good(const std::string& text) const { return paint("32", text); }
  std::string bad(const std::string& text) const { return paint("31", text); }
  std::string strong(const std::string& text) const { return paint("1", text); }
  std::string quiet(const std::string& text) const { return paint("2", text); }

  // The progress of long work, in one line of the terminal that is overwritten. part: 0 to 1.
  void progress(double part, const std::string& what);
  void end_progress();

 private:
  std::string paint(const char* code, const std::string& text) const;
  bool json_, colours_, progress_;
  bool in_progress_ = false;
};

// The text with terminal commands shown as letters: "\x1b]0;..." does not set a title. Texts may come from packages
// that nobody trusts yet.
std::string visible(const std::string& text);

// Prints a failure as text on standard error, or as the JSON document {"error": {...}}.
class Failure;
void report(const Failure& failure, bool as_json);

}  // namespace tool
