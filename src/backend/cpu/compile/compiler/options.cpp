// backend/cpu/compile/compiler/options.cpp: NVRTC's options as a host compiler's.
#include "backend/cpu/compile/compiler/options.hpp"
#include <algorithm>
#include <cctype>
#include <string_view>
#include "backend/cpu/target.hpp"

namespace tenon::cpu {
namespace {

enum class Does {
  drop,
  define,
  undefine,
  directory,
  standard,
  include_file,
  fast_math,
  contraction,
  no_warnings,
  no_check
};

// How an option takes a value: not at all; in the same word or the next ("-DX", "-D X"); after "=" or in the next word
// ("-ftz=true", "-ftz true").
enum class Takes { nothing, attached, value };

// One row per spelling.
struct Row {
  std::string_view name;
  Takes takes;
  Does does;
};

constexpr Row rows[] = {
    {"-D", Takes::attached, Does::define},
    {"--define-macro", Takes::value, Does::define},
    {"-U", Takes::attached, Does::undefine},
    {"--undefine-macro", Takes::value, Does::undefine},
    {"-I", Takes::attached, Does::directory},
    {"--include-path", Takes::value, Does::directory},
    {"--pre-include", Takes::value, Does::include_file},
    {"-include", Takes::value, Does::include_file},
    {"-std", Takes::value, Does::standard},
    {"--std", Takes::value, Does::standard},
    {"--use_fast_math", Takes::nothing, Does::fast_math},
    {"-use_fast_math", Takes::nothing, Does::fast_math},
    {"--fmad", Takes::value, Does::contraction},
    {"-fmad", Takes::value, Does::contraction},
    {"--disable-warnings", Takes::nothing, Does::no_warnings},
    {"-w", Takes::nothing, Does::no_warnings},
    {"--no-check", Takes::value, Does::no_check},
    {"-no-check", Takes::value, Does::no_check},
    // Meaningless on a CPU.
    {"--gpu-architecture", Takes::value, Does::drop},
    {"-arch", Takes::value, Does::drop},
    {"--gpu-code", Takes::value, Does::drop},
    {"-code", Takes::value, Does::drop},
    {"--maxrregcount", Takes::value, Does::drop},
    {"-maxrregcount", Takes::value, Does::drop},
    {"--ftz", Takes::value, Does::drop},
    {"-ftz", Takes::value, Does::drop},
    {"--prec-sqrt", Takes::value, Does::drop},
    {"-prec-sqrt", Takes::value, Does::drop},
    {"--prec-div", Takes::value, Does::drop},
    {"-prec-div", Takes::value, Does::drop},
    {"--device-debug", Takes::nothing, Does::drop},
    {"-G", Takes::nothing, Does::drop},
    {"--generate-line-info", Takes::nothing, Does::drop},
    {"-lineinfo", Takes::nothing, Does::drop},
    {"--device-c", Takes::nothing, Does::drop},
    {"-dc", Takes::nothing, Does::drop},
    {"--device-w", Takes::nothing, Does::drop},
    {"-dw", Takes::nothing, Does::drop},
    {"--relocatable-device-code", Takes::value, Does::drop},
    {"-rdc", Takes::value, Does::drop},
    {"--extensible-whole-program", Takes::nothing, Does::drop},
    {"-ewp", Takes::nothing, Does::drop},
    {"--dlink-time-opt", Takes::nothing, Does::drop},
    {"-dlto", Takes::nothing, Does::drop},
    {"--extra-device-vectorization", Takes::nothing, Does::drop},
    {"-extra-device-vectorization", Takes::nothing, Does::drop},
    {"--dopt", Takes::value, Does::drop},
    {"-dopt", Takes::value, Does::drop},
    {"--ptxas-options", Takes::value, Does::drop},
    {"-Xptxas", Takes::value, Does::drop},
    {"--restrict", Takes::nothing, Does::drop},
    {"-restrict", Takes::nothing, Does::drop},
    {"--default-device", Takes::nothing, Does::drop},
    {"-default-device", Takes::nothing, Does::drop},
    {"--device-as-default-execution-space", Takes::nothing, Does::drop},
    {"--device-int128", Takes::nothing, Does::drop},
    {"-device-int128", Takes::nothing, Does::drop},
    {"--device-float128", Takes::nothing, Does::drop},
    {"--minimal", Takes::nothing, Does::drop},
    {"-minimal", Takes::nothing, Does::drop},
    {"--builtin-move-forward", Takes::value, Does::drop},
    {"-builtin-move-forward", Takes::value, Does::drop},
    {"--builtin-initializer-list", Takes::value, Does::drop},
    {"-builtin-initializer-list", Takes::value, Does::drop},
    {"--no-source-include", Takes::nothing, Does::drop},
    {"-no-source-include", Takes::nothing, Does::drop},
    {"--display-error-number", Takes::nothing, Does::drop},
    {"-err-no", Takes::nothing, Does::drop},
    {"--no-display-error-number", Takes::nothing, Does::drop},
    {"-no-err-no", Takes::nothing, Does::drop},
    {"--diag-error", Takes::value, Does::drop},
    {"-diag-error", Takes::value, Does::drop},
    {"--diag-suppress", Takes::value, Does::drop},
    {"-diag-suppress", Takes::value, Does::drop},
    {"--diag-warn", Takes::value, Does::drop},
    {"-diag-warn", Takes::value, Does::drop},
    {"--brief-diagnostics", Takes::value, Does::drop},
    {"-brief-diag", Takes::value, Does::drop},
    {"--version-ident", Takes::value, Does::drop},
    {"--modify-stack-limit", Takes::value, Does::drop},
    {"-modify-stack-limit", Takes::value, Does::drop},
    {"--jump-table-density", Takes::value, Does::drop},
    {"-jtd", Takes::value, Does::drop},
    {"--device-stack-protector", Takes::value, Does::drop},
    {"-device-stack-protector", Takes::value, Does::drop},
    {"--split-compile", Takes::value, Does::drop},
    {"-split-compile", Takes::value, Does::drop},
    {"--fdevice-syntax-only", Takes::nothing, Does::drop},
    {"-fdevice-syntax-only", Takes::nothing, Does::drop},
    {"--no-cache", Takes::nothing, Does::drop},
    {"-no-cache", Takes::nothing, Does::drop},
    {"--frandom-seed", Takes::value, Does::drop},
    {"-frandom-seed", Takes::value, Does::drop},
    {"--time", Takes::value, Does::drop},
    {"-time", Takes::value, Does::drop},
    {"--fdevice-time-trace", Takes::value, Does::drop},
};

// The row of an option, and whether its value is in the same word.
const Row* find(std::string_view option, std::string_view& value, bool& has_value) {
  for (const Row& row : rows) {
    if (option.substr(0, row.name.size()) != row.name) continue;
    const std::string_view rest = option.substr(row.name.size());
    const bool joined =
        row.takes == Takes::attached ? !rest.empty() : row.takes == Takes::value && !rest.empty() && rest[0] == '=';
    if (!rest.empty() && !joined) continue;
    has_value = joined;
    value = joined ? rest.substr(row.takes == Takes::value ? 1 : 0) : "";
    return &row;
  }
  return nullptr;
}

// Before C++17 the shim's hexadecimal floating-point numbers are an extension, which g++ only has in its GNU dialects.
bool old(std::string_view value) { return value == "c++11" || value == "c++14" || value == "gnu++14"; }

std::string standard(std::string_view value) {
  for (const char* known : {"c++11", "c++14", "c++17", "c++20", "c++23", "gnu++14", "gnu++17", "gnu++20"})
    if (value == known)
      return old(value) ? "-std=gnu++14" : value == "c++23" ? "-std=c++2b" : "-std=" + std::string(value);
  fail(TENON_ERROR_INVALID_ARGUMENT, "the option -std=%.*s is unknown; use c++14, c++17 (the default), c++20 or c++23",
       int(value.size()), value.data());
}

bool identifier(std::string_view word) {
  const auto part = [](unsigned char c) { return std::isalnum(c) || c == '_' || c >= 0x80; };
  return !word.empty() && !std::isdigit(static_cast<unsigned char>(word[0])) &&
         std::all_of(word.begin(), word.end(), part);
}

// Definitions become lines of a text, so they must not continue on the next line, by a backslash at the end or by an
// open comment.
bool one_line(std::string_view text) {
  if (text.find_first_of(std::string_view("\n\r\0", 3)) != text.npos) return false;
  const size_t last = text.find_last_not_of(" \t\v\f");
  if (last != text.npos && text[last] == '\\') return false;
  for (size_t open = 0; (open = text.find("/*", open)) != text.npos;) {
    open = text.find("*/", open + 2);
    if (open == text.npos) return false;
  }
  return true;
}

// "NAME=value" as a line; the default value is 1.
std::string definition(const std::string& text) {
  const size_t equals = text.find('=');
  const std::string name = text.substr(0, equals), value = equals == std::string::npos ? "1" : text.substr(equals + 1);
  const size_t open = name.find('(');
  TENON_REQUIRE(identifier(name.substr(0, open)) && (open == std::string::npos || name.back() == ')') && one_line(text),
                TENON_ERROR_INVALID_ARGUMENT,
                "the compile option -D \"%s\" is not a definition of one line: give NAME, NAME=VALUE or "
                "NAME(PARAMETERS)=VALUE, whose value has neither a line break, nor a backslash at its end, nor an open "
                "comment",
                text.c_str());
  return "#define " + name + " " + value + "\n";
}

// A check of the checked mode by its name, and the compiler options without it.
struct Check {
  const char* name;
  const char* without;
};
constexpr Check checks[] = {
    {"alignment", "-fno-sanitize=alignment"},
    {"barrier", "-DTENON_ANY_BARRIER=1"},
    {"bounds", "-fno-sanitize=bounds,vla-bound"},
    {"cast", "-fno-sanitize=float-cast-overflow"},
    {"division", "-fno-sanitize=integer-divide-by-zero"},
    {"leak", "-DTENON_ANY_LEAK=1"},
    {"memory", "-fno-sanitize=kernel-address"},
    {"null", "-fno-sanitize=null"},
    {"overflow", "-fno-sanitize=signed-integer-overflow"},
    {"race", "-DTENON_ANY_RACE=1"},
    {"shift", "-fno-sanitize=shift-exponent"},
    {"shuffle", "-DTENON_ANY_LANE=1"},
    {"value", "-fno-sanitize=bool,enum"},
};

// Removes the named checks, such as "race,overflow".
void leave_out(std::string_view names, std::vector<std::string>& arguments) {
  while (!names.empty()) {
    const std::string_view name = names.substr(0, names.find(','));
    const auto found =
        std::find_if(std::begin(checks), std::end(checks), [name](const Check& check) { return name == check.name; });
    std::string known;
    for (const Check& check : checks) known += (known.empty() ? "" : ", ") + std::string(check.name);
    TENON_REQUIRE(found != std::end(checks), TENON_ERROR_INVALID_ARGUMENT,
                  "the option --no-check names \"%.*s\", which is unknown; the checks are %s", int(name.size()),
                  name.data(), known.c_str());
    arguments.push_back(found->without);
    names.remove_prefix(std::min(name.size() + 1, names.size()));
  }
}

class Translation {
 public:
  explicit Translation(const CompileRequest& request)
      : options_(request.options),
        fast_math_(request.flags & TENON_PROGRAM_FLAG_FAST_MATH),
        check_(request.mode == TENON_PROGRAM_MODE_CHECK) {}

  Options run() {
    for (at_ = 0; at_ < options_.size(); ++at_) one(options_[at_]);
    if (!contracts_) out_.arguments.push_back("-ffp-contract=off");
    out_.arguments.push_back(language_);
    if (fast_math_) {
      out_.arguments.insert(out_.arguments.end(), {"-freciprocal-math", "-DTENON_FAST_MATH=1"});
      out_.text += "#define __USE_FAST_MATH__ 1\n";
    }
    return std::move(out_);
  }

 private:
  void one(const std::string& option) {
    std::string_view rest;
    bool has_value = false;
    const Row* row = find(option, rest, has_value);
    TENON_REQUIRE(option.rfind('@', 0) != 0, TENON_ERROR_INVALID_ARGUMENT,
                  "the compile option \"%s\" names a file of options: pass the options themselves", option.c_str());
    TENON_REQUIRE(row, TENON_ERROR_INVALID_ARGUMENT,
                  "the compile option \"%s\" is unknown on the CPU device, which accepts -D, -U, -I, -include, -std=, "
                  "--no-check= and the options of NVRTC",
                  option.c_str());
    std::string value(rest);
    if (row->takes != Takes::nothing && !has_value) {
      TENON_REQUIRE(at_ + 1 < options_.size(), TENON_ERROR_INVALID_ARGUMENT,
                    "the compile option \"%s\" needs a value after it", option.c_str());
      value = options_[++at_];
    }
    const auto require = [&](bool good, const char* what) {
      TENON_REQUIRE(good, TENON_ERROR_INVALID_ARGUMENT, "the compile option \"%s\" takes %s, not \"%s\"",
                    option.c_str(), what, value.c_str());
    };
    switch (row->does) {
      case Does::define: out_.text += definition(value); break;
      case Does::undefine:
        require(identifier(value), "the name of a macro");
        out_.text += "#undef " + value + "\n";
        break;
      case Does::directory:
        // The value is never a separate word, which the compiler could take for an option or for a file of options.
        require(!value.empty() && value[0] != '@', "a directory (write a name that begins with @ as ./@...)");
        out_.arguments.push_back("-I" + value);
        break;
      case Does::include_file:
        require(!value.empty() && one_line(value) && value.find('"') == std::string::npos, "the name of a header");
        out_.text += "#include \"" + value + "\"\n";
        break;
      case Does::standard: language_ = standard(value); break;
      case Does::fast_math: fast_math_ = true; break;
      case Does::contraction:
        require(value == "true" || value == "false", "true or false");
        contracts_ = value == "true";
        break;
      case Does::no_warnings: out_.arguments.push_back("-w"); break;
      case Does::no_check: {
        std::vector<std::string> without;
        leave_out(value, without);
        if (check_) out_.arguments.insert(out_.arguments.end(), without.begin(), without.end());
        break;
      }
      case Does::drop: break;
    }
  }

  const std::vector<std::string>& options_;
  size_t at_ = 0;
  Options out_;
  std::string language_ = "-std=c++17";
  bool fast_math_, contracts_ = true;
  const bool check_;  // the checked mode
};

}  // namespace

Options translated_options(const CompileRequest& request) { return Translation(request).run(); }

std::vector<std::string> mode_options(const CompileRequest& request, const Compiler& compiler) {
  std::vector<std::string> out = target_of(request.architecture).options();
  for (const char* option : {"-fPIC",
                             "-fcheck-new",
                             "-fno-math-errno",
                             "-fno-trapping-math",
                             "-fno-strict-aliasing",
                             "-fno-exceptions",
                             "-fno-rtti",
                             "-fno-threadsafe-statics",
                             "-fno-asynchronous-unwind-tables",
                             "-fno-stack-protector",
                             "-fstack-clash-protection",  // a large frame cannot skip the guard page of a stack
                             "-fvisibility=hidden",
                             "-fno-semantic-interposition",
                             "-ffunction-sections",
                             "-fdata-sections",
                             "-nostdinc",
                             "-nostdinc++",
                             "-fno-diagnostics-color",
                             "-Wno-attributes",
                             "-Wno-unknown-pragmas",
                             "-Wno-unused"})
    out.push_back(option);
  if (compiler.is_clang()) {
    // Multiply-adds are fused within a statement. "fast" fuses across statements as NVRTC does, but after the code was
    // vectorised: which products of a text are fused would then depend on the vectors, and thus on the processor.
    out.push_back("-ffp-contract=on");
    // With 512-bit vectors clang shuffles float4 accesses; with 256-bit ones it does not.
    // Conversions of numbers that do not fit give what a GPU gives (g++ cannot do this), and are never undefined.
    for (const char* more :
         {"-fno-strict-float-cast-overflow", "-mprefer-vector-width=256", "-Wno-keyword-macro",
          "-Wno-ignored-attributes", "-Wno-undefined-inline", "-Wno-undefined-internal", "-Wno-pass-failed"})
      out.push_back(more);
  } else {
    for (const char* more :
         {"-ffp-contract=fast", "-fno-gnu-unique", "-fno-extern-tls-init", "-mprefer-vector-width=256", "-Wno-psabi"})
      out.push_back(more);
  }
  switch (request.mode) {
    case TENON_PROGRAM_MODE_DEBUG:
      out.insert(out.end(), {"-O0", "-g", "-fno-omit-frame-pointer", "-DTENON_DEBUG=1"});
      break;
    case TENON_PROGRAM_MODE_CHECK:
      out.insert(
          out.end(),
          {"-O1", "-g1", "-DTENON_CHECK=1", "-fno-sanitize-recover=all", stretches_option(compiler),
           "-fsanitize=bounds,integer-divide-by-zero,float-cast-overflow,signed-integer-overflow,null,alignment,unreachable,return,"
           "vla-bound,bool,enum,kernel-address"});
      if (!compiler.is_clang())
        out.push_back("-fsanitize=shift-exponent");  // clang defines them (compile/compiler/ir.hpp)
      for (const char* option : {"asan-instrumentation-with-call-threshold=0", "asan-stack=0", "asan-globals=0"}) {
        if (compiler.is_clang()) out.insert(out.end(), {"-mllvm", std::string("-") + option});
        else out.insert(out.end(), {"--param", option});
      }
      // A write after a read of the same place counts as another access. (g++ omits it, so it finds fewer races.)
      if (compiler.is_clang()) out.insert(out.end(), {"-mllvm", "-asan-opt-same-temp=0"});
      break;
    default: out.push_back("-O3"); break;
  }
  if (request.flags & TENON_PROGRAM_FLAG_REVERSE_ORDER) out.push_back("-DTENON_REVERSE=1");
  return out;
}

std::string stretches_option(const Compiler& compiler) {
  return compiler.is_clang() ? "-fsanitize-coverage=bb,trace-pc,no-prune" : "-fsanitize-coverage=trace-pc";
}

std::vector<std::string> probe_options(const Compiler& compiler) {
  if (compiler.is_clang())
    return {
        "-w", "-O2", "-fno-unroll-loops", "-fno-vectorize", "-fno-slp-vectorize", "-mllvm", "-inline-threshold=2000"};
  return {"-w", "-O2", "-fno-unroll-loops", "-fno-tree-vectorize", "-fno-ipa-icf"};  // equal functions stay two
}

}  // namespace tenon::cpu
