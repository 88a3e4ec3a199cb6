// backend/cpu/compile/source/text.cpp: assembling translation units.
#include "backend/cpu/compile/source/text.hpp"
#include <algorithm>
#include <cctype>
#include <cstring>
#include <sstream>
#include "backend/cpu/compile/source/shim.hpp"
#include "backend/cpu/text/tokens.hpp"
#include "core/kernel_name.hpp"

namespace tenon::cpu {
namespace {

constexpr char kBegin[] = "#pragma tenon_text_begin", kEnd[] = "#pragma tenon_text_end";

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out + "\"";
}

std::string shim_include(const std::string& shim) { return "#include " + quoted(shim + "/tenon_cuda.h") + "\n"; }

std::string user_text(const CompileRequest& request) {
  const size_t mark =
      request.source.compare(0, 3, "\xEF\xBB\xBF") == 0 ? 3 : 0;  // a byte order mark is only valid at the start
  return "#pragma GCC visibility push(default)\n#line 1 " + quoted(request.name) + "\n" + request.source.substr(mark) +
         "\n" + request.trailer + "\n";
}

std::string entries(const TextFrame& frame, const Ways& ways) {
  static constexpr const char* kBlocks[] = {"", "_LINES", "_PLANES"};
  std::string out;
  for (size_t k = 0; k < frame.numbers.size(); ++k) {
    const std::string& name = frame.request.kernels[k];
    const int beside = k < ways.beside.size() ? ways.beside[k] : -1;
    const char *loop = has(ways.regions, k) ? "_REGIONS"
                       : has(ways.loops, k) ? "_LOOP"
                                            : "",
               *how = has(ways.rows, k)      ? "_ROWS"
                      : has(ways.sums, k)    ? "_SUMS"
                      : has(ways.regions, k) ? kBlocks[int(ways.blocks[k])]
                      : beside >= 0          ? "_BESIDE"
                                             : "";
    out += "#line 1 \"<entries>\"\nTENON_KERNEL" + std::string(loop) + how + "(" + std::to_string(frame.numbers[k]) +
           ", " + quoted(name) + ", " + (beside >= 0 ? std::to_string(beside) + ", " : "") + kernel_address(name) +
           ")\n";
    if (const auto found = frame.clusters.find(k); found != frame.clusters.end())
      out += "TENON_KERNEL_CLUSTER(" + std::to_string(frame.numbers[k]) + ", " + found->second + ")\n";
    out += "TENON_KERNEL_IS(" + std::to_string(frame.numbers[k]) + ", " + kernel_address(name) + ")\n";
  }
  return out + "#line 1 \"<entries>\"\n" + (frame.with_module ? "TENON_MODULE\n" : "\n");
}

// The text is already preprocessed, so the shim's macros must be undefined before it is compiled again.
const std::string& without_macros() {
  static const std::string lines = [] {
    std::string out;
    std::istringstream text(shim_headers[0].text);
    for (std::string line; std::getline(text, line);) {
      const size_t hash = line.find_first_not_of(' ');
      if (hash == line.npos || line.compare(hash, 8, "#define ") != 0) continue;
      const size_t end = std::find_if(line.begin() + long(hash) + 8, line.end(),
                                      [](unsigned char c) { return !std::isalnum(c) && c != '_'; }) -
                         line.begin();
      const std::string name = line.substr(hash + 8, end - hash - 8);
      if (name.rfind("TENON_", 0) != 0 && name != "__shared__" && name != "__global__") out += "#undef " + name + "\n";
    }
    return out;
  }();
  return lines;
}

}  // namespace

std::string program_text(const TextFrame& frame, const Ways& ways) {
  return shim_include(frame.shim) + "#line 1 \"<options>\"\n" + frame.options + user_text(frame.request) +
         entries(frame, ways);
}

std::string text_to_expand(const TextFrame& frame, const std::string& first) {
  // The first two depend on the mode, and the text is searched for them, as for asm statements.
  const char* const kept =
      "#undef asm\n#undef __asm\n#undef __asm__\n#undef __shared__\n#define __shared__ __shared__\n#undef "
      "__global__\n#define __global__ __global__\n";
  return shim_include(frame.shim) + kept + kBegin + "\n" + first + "#line 1 \"<options>\"\n" + frame.options +
         user_text(frame.request) + kEnd + "\n";
}

std::string expanded_text(const std::string& preprocessed) {
  const size_t begin = preprocessed.find(kBegin), end = preprocessed.rfind(kEnd);
  if (begin == std::string::npos || end == std::string::npos || end < begin) return "";
  // Marks for entering and leaving a file would have to be paired, so they are dropped; the flag for system headers (3)
  // is kept.
  std::string out;
  std::istringstream lines(preprocessed.substr(begin + std::strlen(kBegin), end - begin - std::strlen(kBegin)));
  for (std::string line; std::getline(lines, line);) {
    const size_t close = line.rfind('"');
    if (line.compare(0, 2, "# ") == 0 && close != line.npos &&
        line.find_first_not_of(" 1234", close + 1) == line.npos) {
      const bool system = line.find(" 3", close) != line.npos;
      line.resize(close + 1);
      if (system) line += " 3";
    }
    out += line + "\n";
  }
  return out;
}

std::string alignments_first(const std::string& expanded) {
  if (expanded.find("alignas") == expanded.npos) return expanded;
  const Tokens tokens(expanded);
  std::string out;
  size_t done = 0;
  for (size_t at = 1; at + 1 < tokens.size(); ++at) {
    if (!tokens.is(at, "alignas") || !tokens.is(at + 1, "(")) continue;
    size_t first = at;
    while (first > 0 && tokens.is_any(first - 1, {"__shared__", "extern", "static", "const", "volatile", "inline",
                                                  "constexpr", "thread_local"}))
      --first;
    const size_t last = tokens.closed(at + 1);
    if (first == at || last == Tokens::npos || tokens[first].begin < done) continue;
    const size_t begin = tokens[at].begin, end = tokens[last - 1].end();
    out += expanded.substr(done, tokens[first].begin - done) + expanded.substr(begin, end - begin) + " " +
           expanded.substr(tokens[first].begin, begin - tokens[first].begin);
    done = end;
  }
  return out + expanded.substr(done);
}

std::string probe_text(const TextFrame& frame, const std::string& expanded, const std::vector<int>& beside) {
  std::string out = shim_include(frame.shim) + without_macros() + expanded + "#line 1 \"<entries>\"\n";
  for (size_t k = 0; k < frame.numbers.size(); ++k) {
    const std::string number = std::to_string(k), address = kernel_address(frame.request.kernels[k]);
    if (beside.empty()) out += "TENON_KERNEL_PROBE(" + number + ", " + address + ")\n";
    for (int last = 0; !beside.empty() && last < beside[k]; ++last)
      out += "TENON_KERNEL_PROBE_BESIDE(" + number + ", " + std::to_string(last) + ", " + address + ")\n";
  }
  return out;
}

std::string proved_text(const TextFrame& frame, const std::string& expanded, const Ways& ways) {
  return shim_include(frame.shim) + without_macros() + expanded + entries(frame, ways);
}

}  // namespace tenon::cpu
