// tests/kernels/runner.hpp: one kernel file on one device, with one compiler, in one mode.
#pragma once
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include "../support.hpp"

namespace test {

// The CPU device's ways to run a kernel, in tenon_kernel_info.execution.
constexpr int kLoop = TENON_EXECUTION_LOOP, kRegions = TENON_EXECUTION_REGIONS, kRing = TENON_EXECUTION_FIBERS,
              kScheduled = TENON_EXECUTION_WARPS, kInOrder = TENON_EXECUTION_IN_ORDER;

struct Machine {
  const char* name;
  const char* device;
  const char* compiler;  // TENON_CXX; "" for the one that Tenon chooses
  int32_t mode;
  uint32_t flags;
  const char* architecture = nullptr;  // the instruction set of a CPU; NULL: that of $TENON_CPU_ISA
};

inline const Machine all_machines[] = {
    {"clang", "cpu:0", "", TENON_PROGRAM_MODE_FAST, 0},
    {"clang_reverse", "cpu:0", "", TENON_PROGRAM_MODE_FAST, TENON_PROGRAM_FLAG_REVERSE_ORDER},
    {"clang_check", "cpu:0", "", TENON_PROGRAM_MODE_CHECK, 0},
    {"clang_debug", "cpu:0", "", TENON_PROGRAM_MODE_DEBUG, 0},
    {"gcc", "cpu:0", "g++", TENON_PROGRAM_MODE_FAST, 0},
    {"gcc_reverse", "cpu:0", "g++", TENON_PROGRAM_MODE_FAST, TENON_PROGRAM_FLAG_REVERSE_ORDER},
    {"gcc_check", "cpu:0", "g++", TENON_PROGRAM_MODE_CHECK, 0},
    {"cuda", "cuda:0", "", TENON_PROGRAM_MODE_FAST, 0},
};

// Its place among them; random programs begin at another seed for each.
inline uint32_t number_of(const Machine& machine) {
  uint32_t number = 0;
  while (std::strcmp(all_machines[number].name, machine.name) != 0) ++number;
  return number;
}
// For kernels whose threads may run in any order whatever the optimiser does: the reverse order goes with the debug
// mode, which compiles in half of the time.
inline const Machine corpus_machines[] = {
    {"clang", "cpu:0", "", TENON_PROGRAM_MODE_FAST, 0},
    {"clang_check", "cpu:0", "", TENON_PROGRAM_MODE_CHECK, 0},
    {"clang_debug_reverse", "cpu:0", "", TENON_PROGRAM_MODE_DEBUG, TENON_PROGRAM_FLAG_REVERSE_ORDER},
    {"gcc", "cpu:0", "g++", TENON_PROGRAM_MODE_FAST, 0},
    {"gcc_check", "cpu:0", "g++", TENON_PROGRAM_MODE_CHECK, 0},
    {"gcc_debug_reverse", "cpu:0", "g++", TENON_PROGRAM_MODE_DEBUG, TENON_PROGRAM_FLAG_REVERSE_ORDER},
    {"cuda", "cuda:0", "", TENON_PROGRAM_MODE_FAST, 0},
};

inline void PrintTo(const Machine& machine, std::ostream* out) { *out << machine.name; }

struct Grid {
  uint32_t grid[3] = {1, 1, 1};
  uint32_t block[3] = {1, 1, 1};
  uint32_t shared = 0;
  uint32_t flags = 0;
  uint32_t cluster[3] = {0, 0, 0};
};
inline Grid line(int64_t threads, uint32_t block, uint32_t shared = 0) {
  return Grid{{uint32_t((threads + block - 1) / block), 1, 1}, {block, 1, 1}, shared};
}

template <class T> struct DtypeOf {
  static constexpr uint32_t value = TENON_UINT8;
};
#define TENON_TEST_DTYPE(T, D)           \
  template <> struct DtypeOf<T> {        \
    static constexpr uint32_t value = D; \
  };
TENON_TEST_DTYPE(int8_t, TENON_INT8)
TENON_TEST_DTYPE(uint8_t, TENON_UINT8)
TENON_TEST_DTYPE(int16_t, TENON_INT16)
TENON_TEST_DTYPE(uint16_t, TENON_UINT16)
TENON_TEST_DTYPE(int32_t, TENON_INT32)
TENON_TEST_DTYPE(uint32_t, TENON_UINT32)
TENON_TEST_DTYPE(int64_t, TENON_INT64)
TENON_TEST_DTYPE(uint64_t, TENON_UINT64)
TENON_TEST_DTYPE(float, TENON_FLOAT32)
TENON_TEST_DTYPE(double, TENON_FLOAT64)
#undef TENON_TEST_DTYPE

// A struct passed by value.
struct Bytes {
  const void* data;
  uint64_t size;
};

inline tenon_arg argument(const ArrayPtr& a) {
  tenon_arg arg{};
  arg.kind = TENON_ARG_ARRAY;
  arg.value.array = a.get();
  return arg;
}
inline tenon_arg argument(const void* pointer) {
  tenon_arg arg{};
  arg.kind = TENON_ARG_POINTER;
  arg.value.pointer = pointer;
  return arg;
}
inline tenon_arg argument(Bytes bytes) {
  tenon_arg arg{};
  arg.kind = TENON_ARG_BYTES;
  arg.size = bytes.size;
  arg.value.bytes = bytes.data;
  return arg;
}
inline tenon_arg argument(const tenon_arg& made) { return made; }
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>> tenon_arg argument(T value) {
  tenon_arg arg{};
  arg.kind = TENON_ARG_SCALAR;
  arg.dtype = DtypeOf<T>::value;
  arg.size = sizeof(T);
  std::memcpy(&arg.value, &value, sizeof value);
  return arg;
}

inline std::string text_of(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// Where the corpus has a file of this name.
inline std::string file_of(const std::string& name) {
  const std::string corpus = TENON_KERNELS, files = "/files/" + name + ".cu";
  const std::string language = corpus + "/language" + files;
  return std::filesystem::exists(language) ? language : corpus + "/algorithms" + files;
}

// The texts of a folder of tests/kernels/texts as one program, which is compiled once for all their tests: each text is
// in a namespace of its name, behind the headers of all. Its kernels are found by their declarations, instances of
// templates by a comment, "// kernels: sum<int>, sum<float>". (table.py does the same.)
struct Texts {
  std::string source;
  std::map<std::string, std::vector<std::string>> kernels;  // of each text, with its namespace

  explicit Texts(const std::string& folder) {
    std::set<std::string> headers;
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(std::string(TENON_KERNELS) + "/texts/" + folder))
      paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    static const std::regex header("(?:^|\n)(#include <[^>\n]*>)"), named("// kernels: ([^\n]*)"),
        plain("(template <[^\n]*>\\s*)?__global__ void (?:__\\w+__\\([^)]*\\) )*(\\w+)\\(");
    const auto each = [](const std::string& text, const std::regex& pattern, auto use) {
      for (std::sregex_iterator i(text.begin(), text.end(), pattern), end; i != end; ++i) use(*i);
    };
    for (const auto& path : paths) {
      const std::string text = text_of(path.string()), name = path.stem().string();
      each(text, header, [&](const std::smatch& m) { headers.insert(m[1]); });
      auto& found = kernels[name];
      each(text, plain, [&](const std::smatch& m) {
        if (!m[1].length()) found.push_back(name + "::" + m[2].str());
      });
      each(text, named, [&](const std::smatch& m) {
        static const std::regex one("\\w+(<[^>]*>)?");
        each(m[1].str(), one, [&](const std::smatch& k) { found.push_back(name + "::" + k.str()); });
      });
      source += "namespace " + name + " {\n#line 1 \"" + name + ".cu\"\n" + text + "\n}\n";
    }
    std::string lines;
    for (const std::string& line : headers) lines += line + "\n";
    source = lines + source;
  }
};

class Runner {
 public:
  explicit Runner(const Machine& machine) : machine_(machine) {
    name_compiler();
    tenon_context_options options{};
    options.struct_size = sizeof options;
    tenon_context* context = nullptr;
    EXPECT_OK(tenon_context_create(&options, &context));
    context_.reset(context);
    device_ = test::device(machine.device, context);
  }
  bool has_device() const { return device_ != nullptr; }
  tenon_device* device() const { return device_.get(); }
  // Why tests are skipped on this machine: the device or the compiler is missing, or the test needs clang (needs_clang)
  // and the compiler is another one; "": they are not skipped.
  std::string missing(bool needs_clang = false) const {
    if (!has_device()) return tenon_error_last_message();
    const std::string found = toolkit();
    if (const char* set = std::getenv("TENON_CPU_ISA"); set && on_cpu()) {
      if (lacks(set)) return std::string("this processor lacks ") + set;
      // The same tests run with all that the processor has.
      if (std::strcmp(set, "x86-64-v3") == 0 && lacks("x86-64-v4")) return "this processor has no more than x86-64-v3";
    }
    const bool other = needs_clang && !*machine_.compiler && found.rfind("clang", 0) != 0;
    return on_cpu() && (other || found.find("TENON_CXX names") != std::string::npos) ? found : "";
  }
  // Whether the processor lacks some of the instruction set.
  bool lacks(const char* set) const {
    tenon_program_options o{};
    o.struct_size = sizeof o;
    o.architecture = set;
    tenon_program* program = nullptr;
    const int32_t status = tenon_program_create(device(), "", 0, &o, &program);
    tenon_program_release(program);
    return status == TENON_ERROR_UNSUPPORTED;
  }
  bool on_cpu() const { return std::string(machine_.device).rfind("cpu", 0) == 0; }
  // What compiles here, as "clang 19.1.7 at /usr/bin/clang++-19".
  std::string toolkit() const {
    name_compiler();
    const char* text = "";
    EXPECT_EQ(TENON_OK, tenon_device_toolkit(device(), &text));
    return text;
  }
  // Also where Tenon chooses it, because there is no clang.
  bool gcc() const { return on_cpu() && toolkit().rfind("g++", 0) == 0; }
  // Whether a clang before 17 compiles: it proves less, so that some kernels run in a form that needs no proof.
  bool older_clang() const {
    static const std::regex clang("clang (\\d+)\\..*");
    std::smatch found;
    const std::string text = toolkit();
    return on_cpu() && std::regex_match(text, found, clang) && std::stoi(found[1]) < 17;
  }
  bool checked() const { return machine_.mode == TENON_PROGRAM_MODE_CHECK; }

  int32_t compile(const std::string& source, std::vector<const char*> kernels, std::vector<const char*> options = {},
                  const char* name = "kernel.cu") {
    name_compiler();
    tenon_program_options o{};
    o.struct_size = sizeof o;
    o.flags = machine_.flags;
    o.mode = machine_.mode;
    o.architecture = machine_.architecture;
    o.name = name;
    o.kernels = kernels.data();
    o.kernel_count = int32_t(kernels.size());
    o.options = options.data();
    o.option_count = int32_t(options.size());
    tenon_program* program = nullptr;
    const int32_t status = tenon_program_create(device(), source.data(), source.size(), &o, &program);
    program_.reset(program);
    kernels_.clear();
    for (const char* kernel : kernels) {
      if (!program) break;
      tenon_kernel* made = nullptr;
      EXPECT_OK(tenon_program_kernel(program, kernel, &made));
      kernels_[kernel].reset(made);
    }
    return status;
  }
  // The environment names it: another runner may have named another one since.
  void name_compiler() const {
    if (*machine_.compiler) setenv("TENON_CXX", machine_.compiler, 1);
    else unsetenv("TENON_CXX");
  }
  // A text that compile() has seen must have compiled; the test is skipped where it cannot (lacks_headers).
  void expect_compiled(int32_t status) const {
    if (lacks_headers(status)) GTEST_SKIP() << tenon_error_last_message();
    ASSERT_EQ(TENON_OK, status) << tenon_error_last_message() << "\n" << last_log();
  }
  // A file of the corpus.
  void file(const std::string& name, std::vector<const char*> kernels, std::vector<const char*> options = {}) {
    expect_compiled(compile(text_of(file_of(name)), kernels, options, (name + ".cu").c_str()));
  }
  // A text of a folder (Texts).
  void text(const std::string& folder, const std::string& name) {
    const Texts texts(folder);
    std::vector<const char*> all;
    for (const auto& [of, kernels] : texts.kernels)
      for (const std::string& kernel : kernels) all.push_back(kernel.c_str());
    ASSERT_TRUE(texts.kernels.count(name)) << name;
    expect_compiled(compile(texts.source, all, {}, (folder + ".cu").c_str()));
    prefix_ = name + "::";
  }
  // What a kernel of the text writes into its first argument, an array of zeros or of `before`. Vectors are arrays;
  // those of structs are passed as addresses, for kernels that take vectors of CUDA or structs.
  template <class T, class... A>
  std::vector<T> update(const std::string& kernel, const Grid& g, std::vector<T> before, const A&... arguments) {
    const ArrayPtr y = put(before);
    const auto kept = std::make_tuple(held(arguments)...);
    std::apply([&](const auto&... held) { run((prefix_ + kernel).c_str(), g, passed<T>(y), sent(held)...); }, kept);
    return get<T>(y);
  }
  template <class T, class... A>
  std::vector<T> call(const std::string& kernel, const Grid& g, size_t count, const A&... arguments) {
    return update(kernel, g, std::vector<T>(count), arguments...);
  }
  static std::string last_log() {
    tenon_error* error = nullptr;
    tenon_error_last(&error);
    ErrorPtr owner(error);
    const char* log = "";
    if (error) tenon_error_log(error, &log);
    return log;
  }

  template <class T> ArrayPtr put(const std::vector<T>& values, uint32_t dtype = DtypeOf<T>::value) {
    const int64_t count = int64_t(values.size() * sizeof(T)) / (std::is_arithmetic_v<T> ? int64_t(sizeof(T)) : 1);
    tenon_array* out = nullptr;
    EXPECT_OK(
        tenon_array_from_host(device(), dtype, 1, &count, values.data(), values.size() * sizeof(T), nullptr, &out));
    return ArrayPtr(out);
  }
  template <class T> std::vector<T> get(const ArrayPtr& array) {
    std::vector<T> out(info(array.get()).bytes / sizeof(T));
    EXPECT_OK(tenon_array_to_host(array.get(), out.data(), out.size() * sizeof(T), nullptr));
    return out;
  }
  static const void* address(const ArrayPtr& array) { return info(array.get()).data; }

  template <class... A> int32_t try_run(const char* kernel, const Grid& g, const A&... arguments) {
    const tenon_arg args[] = {argument(arguments)..., {}};
    tenon_launch launch{};
    launch.struct_size = sizeof launch;
    launch.flags = g.flags;
    launch.shared_bytes = g.shared;
    std::memcpy(launch.grid, g.grid, sizeof launch.grid);
    std::memcpy(launch.block, g.block, sizeof launch.block);
    std::memcpy(launch.cluster, g.cluster, sizeof launch.cluster);
    const int32_t status =
        tenon_kernel_launch(kernels_.at(kernel).get(), &launch, args, int32_t(sizeof...(arguments)), nullptr);
    return status != TENON_OK ? status : tenon_device_synchronize(device());
  }
  template <class... A> void run(const char* kernel, const Grid& g, const A&... arguments) {
    ASSERT_EQ(TENON_OK, try_run(kernel, g, arguments...)) << kernel << ": " << tenon_error_last_message();
  }
  tenon_kernel* kernel(const char* name) const { return kernels_.at(name).get(); }
  // TENON_EXECUTION_*
  int32_t execution(const char* kernel) {
    tenon_kernel_info i{};
    i.struct_size = sizeof i;
    EXPECT_OK(tenon_kernel_get_info(kernels_.at(kernel).get(), &i));
    return int32_t(i.execution);
  }
  uint64_t static_shared(const char* kernel) {
    tenon_kernel_info i{};
    i.struct_size = sizeof i;
    EXPECT_OK(tenon_kernel_get_info(kernels_.at(kernel).get(), &i));
    return i.shared_bytes;
  }

 private:
  template <class T> struct Held {
    using Element = T;
    ArrayPtr array;
  };
  template <class T> Held<T> held(const std::vector<T>& values) { return {put(values)}; }
  static tenon_arg held(const ArrayPtr& array) { return argument(array); }
  template <class T> static const T& held(const T& value) { return value; }
  template <class T> static tenon_arg passed(const ArrayPtr& array) {
    return std::is_arithmetic_v<T> ? argument(array) : argument(address(array));
  }
  template <class T> static tenon_arg sent(const Held<T>& held) { return passed<T>(held.array); }
  template <class T> static tenon_arg sent(const T& value) { return argument(value); }

  Machine machine_;
  std::string prefix_;
  ContextPtr context_;
  DevicePtr device_;
  ProgramPtr program_;
  std::map<std::string, KernelPtr> kernels_;
};

}  // namespace test
