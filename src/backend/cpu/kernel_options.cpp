// backend/cpu/kernel_options.cpp: NVRTC's options as a host compiler's.
#include "backend/cpu/kernel_options.hpp"
#include <algorithm>
#include <string_view>
#include "backend/cpu/target.hpp"

namespace tenon::cpu {
namespace {

enum class Does { drop, define, undefine, directory, standard, include_file, fast_math, no_contraction, no_warnings, no_check };

// One row per spelling. `joined`: the rest of the word is its value (after "=" where the name ends in one).
struct Row {
  std::string_view name;
  bool joined;
  bool separate;  // the value may also be the next option
  Does does;
};

constexpr Row rows[] = {
    {"-D", true, true, Does::define},
    {"--define-macro=", true, false, Does::define},
    {"-U", true, true, Does::undefine},
    {"--undefine-macro=", true, false, Does::undefine},
    {"-I", true, true, Does::directory},
    {"--include-path=", true, false, Does::directory},
    {"--pre-include=", true, false, Does::include_file},
    {"-include", false, true, Does::include_file},
    {"-std=", true, false, Does::standard},
    {"--std=", true, false, Does::standard},
    {"--use_fast_math", false, false, Does::fast_math},
    {"-use_fast_math", false, false, Does::fast_math},
    {"--fmad=", true, false, Does::no_contraction},
    {"-fmad=", true, false, Does::no_contraction},
    {"--disable-warnings", false, false, Does::no_warnings},
    {"-w", false, false, Does::no_warnings},
    {"--no-check=", true, false, Does::no_check},
    {"-no-check=", true, false, Does::no_check},
    // Without meaning on a CPU.
    {"--gpu-architecture=", true, false, Does::drop},
    {"--gpu-architecture", false, true, Does::drop},
    {"-arch=", true, false, Does::drop},
    {"-arch", false, true, Does::drop},
    {"--gpu-code=", true, false, Does::drop},
    {"-code=", true, false, Does::drop},
    {"--maxrregcount=", true, false, Does::drop},
    {"-maxrregcount=", true, false, Does::drop},
    {"-maxrregcount", false, true, Does::drop},
    {"--ftz=", true, false, Does::drop},
    {"-ftz=", true, false, Does::drop},
    {"--prec-sqrt=", true, false, Does::drop},
    {"-prec-sqrt=", true, false, Does::drop},
    {"--prec-div=", true, false, Does::drop},
    {"-prec-div=", true, false, Does::drop},
    {"--device-debug", false, false, Does::drop},
    {"-G", false, false, Does::drop},
    {"--generate-line-info", false, false, Does::drop},
    {"-lineinfo", false, false, Does::drop},
    {"--device-c", false, false, Does::drop},
    {"-dc", false, false, Does::drop},
    {"--device-w", false, false, Does::drop},
    {"-dw", false, false, Does::drop},
    {"--relocatable-device-code=", true, false, Does::drop},
    {"-rdc=", true, false, Does::drop},
    {"--extensible-whole-program", false, false, Does::drop},
    {"-ewp", false, false, Does::drop},
    {"--dlink-time-opt", false, false, Does::drop},
    {"-dlto", false, false, Does::drop},
    {"--extra-device-vectorization", false, false, Does::drop},
    {"-extra-device-vectorization", false, false, Does::drop},
    {"--dopt", false, true, Does::drop},
    {"--dopt=", true, false, Does::drop},
    {"-dopt=", true, false, Does::drop},
    {"-dopt", false, true, Does::drop},
    {"--ptxas-options=", true, false, Does::drop},
    {"--ptxas-options", false, true, Does::drop},
    {"-Xptxas=", true, false, Does::drop},
    {"-Xptxas", false, true, Does::drop},
    {"--restrict", false, false, Does::drop},
    {"-restrict", false, false, Does::drop},
    {"--default-device", false, false, Does::drop},
    {"-default-device", false, false, Does::drop},
    {"--device-as-default-execution-space", false, false, Does::drop},
    {"--device-int128", false, false, Does::drop},
    {"-device-int128", false, false, Does::drop},
    {"--device-float128", false, false, Does::drop},
    {"--minimal", false, false, Does::drop},
    {"-minimal", false, false, Does::drop},
    {"--builtin-move-forward=", true, false, Does::drop},
    {"-builtin-move-forward=", true, false, Does::drop},
    {"--builtin-initializer-list=", true, false, Does::drop},
    {"-builtin-initializer-list=", true, false, Does::drop},
    {"--no-source-include", false, false, Does::drop},
    {"-no-source-include", false, false, Does::drop},
    {"--display-error-number", false, false, Does::drop},
    {"-err-no", false, false, Does::drop},
    {"--no-display-error-number", false, false, Does::drop},
    {"-no-err-no", false, false, Does::drop},
    {"--diag-error=", true, false, Does::drop},
    {"-diag-error=", true, false, Does::drop},
    {"--diag-suppress=", true, false, Does::drop},
    {"-diag-suppress=", true, false, Does::drop},
    {"--diag-warn=", true, false, Does::drop},
    {"-diag-warn=", true, false, Does::drop},
    {"--brief-diagnostics=", true, false, Does::drop},
    {"-brief-diag=", true, false, Does::drop},
    {"--version-ident=", true, false, Does::drop},
    {"--modify-stack-limit=", true, false, Does::drop},
    {"-modify-stack-limit=", true, false, Does::drop},
    {"--jump-table-density=", true, false, Does::drop},
    {"-jtd=", true, false, Does::drop},
    {"--device-stack-protector=", true, false, Does::drop},
    {"-device-stack-protector=", true, false, Does::drop},
    {"--split-compile=", true, false, Does::drop},
    {"-split-compile=", true, false, Does::drop},
    {"--fdevice-syntax-only", false, false, Does::drop},
    {"-fdevice-syntax-only", false, false, Does::drop},
    {"--no-cache", false, false, Does::drop},
    {"-no-cache", false, false, Does::drop},
    {"--frandom-seed=", true, false, Does::drop},
    {"-frandom-seed=", true, false, Does::drop},
    {"--time=", true, false, Does::drop},
    {"-time=", true, false, Does::drop},
    {"--fdevice-time-trace=", true, false, Does::drop},
};

// The longest name that fits, so that "-dopt=on" is not "-D"-like prefixes of something else.
const Row* find(std::string_view option, std::string_view& value) {
  const Row* best = nullptr;
  for (const Row& row : rows) {
    bool fits = row.joined ? option.substr(0, row.name.size()) == row.name : option == row.name;
    if (fits && (!best || row.name.size() > best->name.size())) best = &row;
  }
  if (best) value = option.substr(best->name.size());
  return best;
}

std::string standard(std::string_view value) {
  for (const char* known : {"c++11", "c++14", "c++17", "c++20", "c++23", "gnu++14", "gnu++17", "gnu++20"})
    if (value == known) return value == "c++11" ? "-std=c++14" : value == "c++23" ? "-std=c++2b" : "-std=" + std::string(value);
  fail(TENON_ERROR_INVALID_ARGUMENT, "the option -std=%.*s is not known; c++14, c++17 (the default), c++20 and c++23 are",
       int(value.size()), value.data());
}

// "NAME=value" as a line; without a value it is 1.
std::string definition(const std::string& text) {
  const size_t equals = text.find('=');
  return "#define " + text.substr(0, equals) + " " + (equals == std::string::npos ? "1" : text.substr(equals + 1)) + "\n";
}

// The checks of the checked mode by their names, and the options without them.
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
    {"memory", "-fno-sanitize=kernel-address"},
    {"null", "-fno-sanitize=null"},
    {"overflow", "-fno-sanitize=signed-integer-overflow"},
    {"race", "-DTENON_ANY_RACE=1"},
    {"shift", "-fno-sanitize=shift-exponent"},
    {"shuffle", "-DTENON_ANY_LANE=1"},
    {"value", "-fno-sanitize=bool,enum"},
};

// "race,overflow".
void leave_out(std::string_view names, std::vector<std::string>& arguments) {
  while (!names.empty()) {
    const std::string_view name = names.substr(0, names.find(','));
    const auto found = std::find_if(std::begin(checks), std::end(checks), [name](const Check& check) { return name == check.name; });
    std::string known;
    for (const Check& check : checks) known += (known.empty() ? "" : ", ") + std::string(check.name);
    TENON_REQUIRE(found != std::end(checks), TENON_ERROR_INVALID_ARGUMENT, "the option --no-check names \"%.*s\"; the checks are %s", int(name.size()),
                  name.data(), known.c_str());
    arguments.push_back(found->without);
    names.remove_prefix(std::min(name.size() + 1, names.size()));
  }
}

}  // namespace

Options translated_options(const CompileRequest& request) {
  Options out;
  std::string language = "-std=c++17";
  bool fast_math = request.flags & TENON_PROGRAM_FAST_MATH;
  const auto& options = request.options;
  for (size_t i = 0; i < options.size(); ++i) {
    const std::string& option = options[i];
    std::string_view rest;
    const Row* row = find(option, rest);
    TENON_REQUIRE(row, TENON_ERROR_INVALID_ARGUMENT,
                  "the compile option \"%s\" is not known on the CPU device; it takes -D, -U, -I, -include, -std=, --no-check= and the options of NVRTC", option.c_str());
    std::string value(rest);
    if (row->separate && value.empty()) {
      TENON_REQUIRE(i + 1 < options.size(), TENON_ERROR_INVALID_ARGUMENT, "the compile option \"%s\" needs a value after it", option.c_str());
      value = options[++i];
    }
    TENON_REQUIRE(value.find('\n') == std::string::npos, TENON_ERROR_INVALID_ARGUMENT, "the compile option \"%s\" has more than one line", option.c_str());
    switch (row->does) {
      case Does::define: out.text += definition(value); break;
      case Does::undefine: out.text += "#undef " + value + "\n"; break;
      case Does::directory: out.arguments.insert(out.arguments.end(), {"-I", value}); break;
      case Does::include_file: out.text += "#include \"" + value + "\"\n"; break;
      case Does::standard: language = standard(value); break;
      case Does::fast_math: fast_math = true; break;
      case Does::no_contraction: if (value == "false") out.arguments.push_back("-ffp-contract=off"); break;
      case Does::no_check: {
        std::vector<std::string> without;
        leave_out(value, without);
        if (request.mode == TENON_PROGRAM_CHECK) out.arguments.insert(out.arguments.end(), without.begin(), without.end());
        break;
      }
      case Does::no_warnings: out.arguments.push_back("-w"); break;
      case Does::drop: break;
    }
  }
  out.arguments.push_back(language);
  if (fast_math) {
    out.arguments.push_back("-freciprocal-math");
    out.text += "#define __USE_FAST_MATH__ 1\n";
  }
  return out;
}

std::vector<std::string> mode_options(const CompileRequest& request, const Compiler& compiler) {
  std::vector<std::string> out = target_of(request.architecture).options();
  for (const char* option : {
      "-fPIC", "-fno-math-errno", "-fno-trapping-math", "-fno-strict-aliasing",
      "-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics", "-fno-asynchronous-unwind-tables", "-fno-stack-protector",
      "-fvisibility=hidden", "-fno-semantic-interposition", "-ffunction-sections", "-fdata-sections", "-nostdinc", "-nostdinc++",
      "-fno-diagnostics-color", "-Wno-attributes", "-Wno-unknown-pragmas", "-Wno-unused"})
    out.push_back(option);
  if (compiler.is_clang()) {
    // Fused products as NVRTC makes them, except where the shim says otherwise by pragma. Older releases know only "fast", which
    // ignores the pragmas, and "on", which fuses within a statement: the latter is never wrong.
    out.push_back(compiler.major >= 19 ? "-ffp-contract=fast-honor-pragmas" : "-ffp-contract=on");
    // 512-bit vectors make clang shuffle float4 accesses; 256-bit ones do not.
    // Conversions of numbers that do not fit give what a GPU gives (g++ cannot), and never anything at all.
    for (const char* more : {"-fno-strict-float-cast-overflow", "-mprefer-vector-width=256", "-Wno-keyword-macro", "-Wno-ignored-attributes", "-Wno-undefined-inline",
                             "-Wno-undefined-internal", "-Wno-pass-failed"})
      out.push_back(more);
  } else {
    for (const char* more : {"-ffp-contract=fast", "-fno-gnu-unique", "-fno-extern-tls-init", "-mprefer-vector-width=256", "-Wno-psabi"}) out.push_back(more);
  }
  switch (request.mode) {
    case TENON_PROGRAM_DEBUG: out.insert(out.end(), {"-O0", "-g", "-fno-omit-frame-pointer", "-DTENON_DEBUG=1"}); break;
    case TENON_PROGRAM_CHECK:
      out.insert(out.end(), {"-O1", "-g1", "-DTENON_CHECK=1", "-fno-sanitize-recover=all",
                             stretches_option(compiler),
                             "-fsanitize=bounds,integer-divide-by-zero,float-cast-overflow,signed-integer-overflow,null,alignment,unreachable,return,"
                             "vla-bound,bool,enum,kernel-address"});
      if (!compiler.is_clang()) out.push_back("-fsanitize=shift-exponent");  // clang's are defined (kernel_ir.hpp)
      for (const char* option : {"asan-instrumentation-with-call-threshold=0", "asan-stack=0", "asan-globals=0"}) {
        if (compiler.is_clang()) out.insert(out.end(), {"-mllvm", std::string("-") + option});
        else out.insert(out.end(), {"--param", option});
      }
      // A write behind a read of the same place is one more access. (g++ leaves it out, so it finds fewer races.)
      if (compiler.is_clang()) out.insert(out.end(), {"-mllvm", "-asan-opt-same-temp=0"});
      break;
    default: out.push_back("-O3"); break;
  }
  if (request.flags & TENON_PROGRAM_REVERSE_ORDER) out.push_back("-DTENON_REVERSE=1");
  return out;
}

std::string stretches_option(const Compiler& compiler) {
  return compiler.is_clang() ? "-fsanitize-coverage=bb,trace-pc,no-prune" : "-fsanitize-coverage=trace-pc";
}

std::vector<std::string> probe_options(const Compiler& compiler) {
  if (compiler.is_clang()) return {"-w", "-O2", "-fno-unroll-loops", "-fno-vectorize", "-fno-slp-vectorize", "-mllvm", "-inline-threshold=2000"};
  return {"-w", "-O2", "-fno-unroll-loops", "-fno-tree-vectorize", "-fno-ipa-icf"};  // equal functions stay two
}

}  // namespace tenon::cpu
