// tests/kernel/signature_test.cpp: the compilers of this machine tell the same parameters that the source declares.
#include <dlfcn.h>
#include "base/files.hpp"
#include "base/process/process.hpp"
#include "fake_device.hpp"
#include "kernel/source/declaration.hpp"
#include "kernel/source/signature.hpp"

using namespace tenon;

namespace {

// The declarations that a host compiler needs in place of CUDA's own.
const char* const kHostSide = R"(
#define TENON_CPU_KERNEL 1
#define __device__
#define __global__ inline
struct alignas(16) float4 { float x, y, z, w; };
struct alignas(8) float2 { float x, y; };
struct int3 { int x, y, z; };
struct alignas(2) char2 { signed char x, y; };
struct alignas(16) double2 { double x, y; };
struct __half { protected: unsigned short __x; };
struct __half2 { __half x, y; };
)";

const char* const kSource = R"(
#define N 1024
#define x 17
#define size (1 +
#define kind "?"
enum Color { red, green };
enum class Small : unsigned char { one };
struct Particle { float mass; int k; double d[3]; };
struct Opaque;
template <class T> struct View { T* data; };
template <class T> struct Complex {
  T a, b;
  __device__ T real() const { return a; }
  __device__ T imag() const { return b; }
};
extern "C" __global__ void saxpy(float a, const float* __restrict__ from, float* to, int n) {}
namespace ns {
template <class T, int M> __global__ void pick(T* a, const T* b, T v) {}
__global__ void empty() {}
}
__global__ void scalars(bool a, char b, signed char c, short d, unsigned short e, int f, unsigned g, long h, long long i,
                        unsigned long j, unsigned char k, double l, Color m, Small n) {}
__global__ void pointers(void* a, const void* b, char* c, const unsigned char* d, volatile int* e, float** f, Particle* g,
                         const Opaque* h, bool* i, long* j, const volatile unsigned* k, float (*l)[16], void (*m)(int), Color* n) {}
__global__ void vectors(float4 a, float2* b, const double2* c, int3* d, char2 e, Complex<float>* f, View<float> g, Particle h,
                        float4* const i, Complex<double> j) {}
template <class T> __global__ void overloaded(T) {}
__global__ void twice(int) {}
__global__ void twice(float) {}
)";

struct Expected {
  const char* text;
  uint32_t dtype, size, alignment, element_size;
  bool read_only, any;
};

const std::vector<std::string> kNames = {"saxpy",   "ns::pick<float, 4>",       "ns::empty", "scalars", "pointers",
                                         "vectors", "ns::pick<double, (2 > 1)>"};

const std::vector<std::vector<Expected>> kExpected = {
    {{"float", TENON_FLOAT32, 4, 4, 0, false, false},
     {"const float*", TENON_FLOAT32, 8, 8, 4, true, false},
     {"float*", TENON_FLOAT32, 8, 8, 4, false, false},
     {"int", TENON_INT32, 4, 4, 0, false, false}},
    {{"float*", TENON_FLOAT32, 8, 8, 4, false, false},
     {"const float*", TENON_FLOAT32, 8, 8, 4, true, false},
     {"float", TENON_FLOAT32, 4, 4, 0, false, false}},
    {},
    {{"bool", TENON_BOOL, 1, 1, 0, false, false},
     {"char", TENON_INT8, 1, 1, 0, false, false},
     {"char", TENON_INT8, 1, 1, 0, false, false},
     {"short", TENON_INT16, 2, 2, 0, false, false},
     {"unsigned short", TENON_UINT16, 2, 2, 0, false, false},
     {"int", TENON_INT32, 4, 4, 0, false, false},
     {"unsigned int", TENON_UINT32, 4, 4, 0, false, false},
     {"long long", TENON_INT64, 8, 8, 0, false, false},
     {"long long", TENON_INT64, 8, 8, 0, false, false},
     {"unsigned long long", TENON_UINT64, 8, 8, 0, false, false},
     {"unsigned char", TENON_UINT8, 1, 1, 0, false, false},
     {"double", TENON_FLOAT64, 8, 8, 0, false, false},
     {"", 0, 4, 4, 0, false, false},
     {"unsigned char", TENON_UINT8, 1, 1, 0, false, false}},
    {{"void*", 0, 8, 8, 0, false, true},
     {"const void*", 0, 8, 8, 0, true, true},
     {"char*", TENON_INT8, 8, 8, 1, false, true},
     {"const unsigned char*", TENON_UINT8, 8, 8, 1, true, true},
     {"int*", TENON_INT32, 8, 8, 4, false, false},
     {"unsigned long long*", TENON_UINT64, 8, 8, 8, false, false},
     {"(struct of 32 bytes)*", 0, 8, 8, 32, false, false},
     {"const void*", 0, 8, 8, 0, true, false},
     {"bool*", TENON_BOOL, 8, 8, 1, false, false},
     {"long long*", TENON_INT64, 8, 8, 8, false, false},
     {"const unsigned int*", TENON_UINT32, 8, 8, 4, true, false},
     {"float*", TENON_FLOAT32, 8, 8, 64, false, false},
     {"void*", 0, 8, 8, 0, false, false},
     {"", 0, 8, 8, 4, false, false}},
    {{"float4", TENON_DTYPE(2, 32, 4), 16, 16, 0, false, false},
     {"float2*", TENON_DTYPE(2, 32, 2), 8, 8, 8, false, false},
     {"const double2*", TENON_DTYPE(2, 64, 2), 8, 8, 16, true, false},
     {"int3*", TENON_DTYPE(0, 32, 3), 8, 8, 12, false, false},
     {"char2", TENON_DTYPE(0, 8, 2), 2, 2, 0, false, false},
     {"float2*", TENON_DTYPE(2, 32, 2), 8, 8, 8, false, false},
     {"a struct of 8 bytes", 0, 8, 8, 0, false, false},
     {"a struct of 32 bytes", 0, 32, 8, 0, false, false},
     {"float4*", TENON_DTYPE(2, 32, 4), 8, 8, 16, false, false},
     {"double2", TENON_DTYPE(2, 64, 2), 16, 8, 0, false, false}},
    {{"double*", TENON_FLOAT64, 8, 8, 8, false, false},
     {"const double*", TENON_FLOAT64, 8, 8, 8, true, false},
     {"double", TENON_FLOAT64, 8, 8, 0, false, false}},
};

void check(const Image& image, const std::string& compiler) {
  for (size_t k = 0; k < kNames.size(); ++k) {
    const std::vector<Parameter> got = read_signature(image, k, kNames[k]);
    ASSERT_EQ(got.size(), kExpected[k].size()) << compiler << " " << kNames[k];
    for (size_t i = 0; i < got.size(); ++i) {
      const Expected& e = kExpected[k][i];
      const std::string where = compiler + " " + kNames[k] + " " + std::to_string(i);
      const bool enumeration = !*e.text;  // int or unsigned, depending on the compiler
      if (!enumeration) {
        EXPECT_EQ(parameter_text(got[i]), e.text) << where;
        EXPECT_EQ(got[i].dtype, e.dtype) << where;
      } else {
        EXPECT_TRUE(got[i].enumeration) << where;
        EXPECT_EQ(dtype_bits(got[i].dtype), 32u) << where;
      }
      EXPECT_EQ(got[i].size, e.size) << where;
      EXPECT_EQ(got[i].alignment, e.alignment) << where;
      EXPECT_EQ(got[i].element_size, e.element_size) << where;
      EXPECT_EQ(got[i].read_only, e.read_only) << where;
      EXPECT_EQ(got[i].any_dtype, e.any) << where;
    }
  }
}

struct Built {
  base::ProcessResult result;
  Image image;
};

Built build(const std::string& compiler, const std::string& standard, const std::string& text) {
  base::ScratchDirectory scratch;
  const std::string source = scratch.path() + "/k.cpp", object = scratch.path() + "/k.so";
  EXPECT_TRUE(base::write_file_atomically(source, text));
  Built built;
  built.result =
      base::run_process({compiler, "-std=" + standard, "-Wall", "-Wextra", "-Wno-unused-parameter", "-O1", "-fPIC",
                         "-shared", "-fvisibility=hidden", "-nostdinc", "-nostdinc++", "-s", source, "-o", object});
  base::read_file(object, built.image.binary);
  return built;
}

TEST(Signature, HostCompilersTellWhatTheSourceDeclares) {
  int tried = 0;
  for (const char* name : {"g++", "clang++-19", "clang++"}) {
    const std::string compiler = base::find_program(name);
    if (compiler.empty()) continue;
    ++tried;
    for (const char* standard : {"c++11", "c++17", "c++20"}) {
      const Built built = build(compiler, standard, std::string(kHostSide) + kSource + signature_trailer(kNames));
      ASSERT_EQ(built.result.exit_code, 0) << name << " " << standard << "\n" << built.result.output;
      EXPECT_EQ(built.result.output.find("tenon"), std::string::npos) << "warnings of our own text:\n"
                                                                      << built.result.output;
      check(built.image, std::string(name) + " " + standard);
    }
  }
  if (!tried) GTEST_SKIP() << "no C++ compiler here";
}

TEST(Signature, AMissingOrOverloadedKernelIsNamedByTheCompiler) {
  const std::string compiler =
      base::find_program("g++").empty() ? base::find_program("clang++-19") : base::find_program("g++");
  if (compiler.empty()) GTEST_SKIP() << "no C++ compiler here";
  for (const char* name : {"nowhere", "twice", "overloaded", "ns::pick<float>"}) {
    const Built built = build(compiler, "c++17", std::string(kHostSide) + kSource + signature_trailer({name}));
    EXPECT_NE(built.result.exit_code, 0) << name;
    EXPECT_NE(built.result.output.find("kernel name 0 of the options: " + std::string(name)), std::string::npos)
        << built.result.output;
  }
}

// NVRTC needs no GPU. It is searched like a library by the loader.
TEST(Signature, NvrtcTellsTheSame) {
  void* library = nullptr;
  for (const char* name : {"libnvrtc.so.13", "libnvrtc.so.12"})
    if (!library) library = dlopen(name, RTLD_NOW);
  if (!library) GTEST_SKIP() << "no NVRTC here";
  using Program = void*;
#define LOAD(symbol, ...) auto symbol = reinterpret_cast<int (*)(__VA_ARGS__)>(dlsym(library, #symbol))
  LOAD(nvrtcCreateProgram, Program*, const char*, const char*, int, const char* const*, const char* const*);
  LOAD(nvrtcAddNameExpression, Program, const char*);
  LOAD(nvrtcCompileProgram, Program, int, const char* const*);
  LOAD(nvrtcGetCUBINSize, Program, size_t*);
  LOAD(nvrtcGetCUBIN, Program, char*);
  LOAD(nvrtcGetProgramLogSize, Program, size_t*);
  LOAD(nvrtcGetProgramLog, Program, char*);
  LOAD(nvrtcDestroyProgram, Program*);
  LOAD(nvrtcGetPTXSize, Program, size_t*);
  LOAD(nvrtcGetPTX, Program, char*);
#undef LOAD
  const std::pair<const char*, const char*> rows[] = {{"sm_90", "-std=c++11"},         {"sm_90", "-std=c++20"},
                                                      {"sm_80", "--minimal"},          {"sm_90", "--device-debug"},
                                                      {"sm_90", "-rdc=true"},          {"compute_90", "-std=c++17"},
                                                      {"compute_80", "--device-debug"}};
  for (const auto& [architecture, option] : rows) {
    Program program = nullptr;
    const std::string text = std::string(kSource) + signature_trailer(kNames);
    ASSERT_EQ(nvrtcCreateProgram(&program, text.c_str(), "k.cu", 0, nullptr, nullptr), 0);
    for (const std::string& name : kNames) ASSERT_EQ(nvrtcAddNameExpression(program, name.c_str()), 0);
    const std::string target = std::string("--gpu-architecture=") + architecture;
    const char* options[] = {target.c_str(), option};
    const int status = nvrtcCompileProgram(program, 2, options);
    size_t size = 0;
    nvrtcGetProgramLogSize(program, &size);
    std::string log(size, '\0');
    nvrtcGetProgramLog(program, log.data());
    if (log.find("failed to open libnvrtc-builtins") != std::string::npos) GTEST_SKIP() << log;
    ASSERT_EQ(status, 0) << log;
    EXPECT_EQ(log.find("tenon"), std::string::npos) << log;
    Image image;
    const bool binary = architecture[0] == 's';
    (binary ? nvrtcGetCUBINSize : nvrtcGetPTXSize)(program, &size);
    image.binary.resize(size);
    (binary ? nvrtcGetCUBIN : nvrtcGetPTX)(program, image.binary.data());
    nvrtcDestroyProgram(&program);
    check(image, std::string("nvrtc ") + architecture + " " + option);
  }
}

TEST(Signature, IsReadFromPtxAsFromMachineCode) {
  const std::string bytes = fake::table({fake::scalar(TENON_FLOAT32), fake::pointer(TENON_INT32, true)});
  std::string list;
  for (size_t i = 0; i < 16 + 64; ++i) list += (i ? ", " : "") + std::to_string(static_cast<unsigned char>(bytes[i]));
  const std::string variable =
      ".b64 tenon_signature_0\n.visible .global .align 8 .b8 tenon_signature_0[112] = {" + list + "};\n";
  Image image;
  image.binary = ".version 8.0\n.target sm_90\n.b8 tenon_signature_0x[4] = {1};\n" + variable;
  const std::vector<Parameter> parameters = read_signature(image, 0, "k");
  ASSERT_EQ(parameters.size(), 2u);
  EXPECT_EQ(parameter_text(parameters[1]), "const int*");
  const std::string whole = image.binary;
  for (size_t n = 0; n < whole.size(); ++n) {
    image.binary = whole.substr(0, n);
    const fake::Thrown t = fake::thrown([&] { read_signature(image, 0, "k"); });
    EXPECT_EQ(t.status == TENON_OK, n >= whole.size() - 2) << n << " " << t.text;
  }
  for (const char* wrong : {"[112] = {256}", "[2] = {1, 2, 3}", "[99999999999999999999] = {1}", "[112] = {1,}",
                            "[112] = {-1}", "[] = {1}", "[112]"}) {
    image.binary = ".version 8.0\n.b8 tenon_signature_0" + std::string(wrong) + ";";
    EXPECT_EQ(fake::thrown([&] { read_signature(image, 0, "k"); }).status, TENON_ERROR_INTERNAL) << wrong;
  }
}

// The names of parameters are for messages: if the text does not show them for certain, there is none.
TEST(Signature, ParametersHaveTheNamesThatTheTextShows) {
  const auto parameter = [](int32_t kind, uint32_t dtype, uint32_t element = 0, bool any = false) {
    Parameter p{};
    p.kind = kind, p.dtype = dtype, p.size = kind == TENON_PARAMETER_POINTER ? 8 : 4, p.element_size = element,
    p.any_dtype = any;
    return p;
  };
  const Parameter floats = parameter(TENON_PARAMETER_POINTER, TENON_FLOAT32, 4),
                  number = parameter(TENON_PARAMETER_SCALAR, TENON_INT32),
                  pointers = parameter(TENON_PARAMETER_POINTER, 0, 8),
                  anything = parameter(TENON_PARAMETER_POINTER, 0, 0, true),
                  record = parameter(TENON_PARAMETER_STRUCT, 0), image = parameter(TENON_PARAMETER_UNKNOWN, 0);
  const std::vector<Parameter> two = {floats, number};
  struct {
    const char* text;
    std::vector<Parameter> parameters;
    std::vector<std::string> names;
  } rows[] = {
      {"__global__ void k(const float* x, int n) {}", two, {"x", "n"}},
      {"__global__ void k(float *__restrict__ x, signed int n);", two, {"x", "n"}},
      {"extern \"C\" __global__ void __launch_bounds__(256, 2) k(float x[], const int n) {}", two, {"x", "n"}},
      {"template <class T, int N = 3>\n__global__ void k(T* x /* in */, // out\n int n) {}", two, {"x", "n"}},
      {"__global__ void k(float* x, int) {}", two, {"x", ""}},
      {"__global__ void k(float*, int);\n__global__ void k(float* x, int n) {}", two, {"x", "n"}},
      {"__global__ void k(float* x, int n);\n__global__ void k(float* x, int count) {}", two, {"x", ""}},
      {"__global__ void k(double* y, int m) {}\n__global__ void k(float* x, int n) {}",
       two,
       {"x", "n"}},  // an overload
      {"__global__ void k(float* x, int n, int m) {}", two, {"", ""}},
      {"// __global__ void k(float* x, int n) {}", two, {"", ""}},
      {"#define KERNEL(name) __global__ void name\nKERNEL(k)(float* x, int n) {}", two, {"", ""}},
      {"__global__ void other(float* x, int n) {}", two, {"", ""}},
      {"__global__ void k(float** list, void* any) {}", {pointers, anything}, {"list", "any"}},
      {"__global__ void k(std::pair<int, float> p, Settings s) {}", {record, record}, {"p", "s"}},
      {"__global__ void k(long a, float b) {}", {number, number}, {"", ""}},
      {"__global__ void k(int a, int b) {}", {image, image}, {"a", "b"}},
      {"", two, {"", ""}},
  };
  for (const auto& row : rows) EXPECT_EQ(written_names({row.text}, "k", row.parameters), row.names) << row.text;
  EXPECT_EQ(written_names({"__global__ void k(float* x, int n);", "__global__ void k(float* y, int n) {}"},
                          "ns::k<float>", two),
            (std::vector<std::string>{"", "n"}))
      << "a header that says otherwise";
}

TEST(Signature, NamesThatCannotBeKernelsAreRefused) {
  for (const char* name : {"", "a;b", "a\nb", "a\"", "k#", "a{", "k//", "k/*", "k)", "k(", "a)+(b", "\x01"})
    EXPECT_EQ(fake::thrown([&] { check_kernel_name(name); }).status, TENON_ERROR_INVALID_ARGUMENT) << name;
  for (const char* name : {"saxpy", "ns::k<int, 4>", "k<float*>", "::k<'a'>", "k<(1 > 0)>", "k<sizeof(int) / 2>"})
    EXPECT_EQ(fake::thrown([&] { check_kernel_name(name); }).text, "") << name;
}

TEST(Signature, ATableThatCannotBeIsAnError) {
  using fake::Record;
  const Record bad[] = {{7, 0},
                        {TENON_PARAMETER_SCALAR, TENON_FLOAT32, 0, 0, 4},
                        {TENON_PARAMETER_SCALAR, TENON_FLOAT32, 0, 4, 3},
                        {TENON_PARAMETER_POINTER, TENON_FLOAT32, 0, 4, 4, 4, 4},
                        {TENON_PARAMETER_STRUCT, 0, 0, 0x7fffffff, 8},
                        {TENON_PARAMETER_SCALAR, 0xffff, 0, 4, 4},
                        {TENON_PARAMETER_POINTER, TENON_FLOAT32, 0, 8, 8, 4, 3}};
  for (const Record& record : bad) {
    Image image;
    image.binary = fake::elf({{"tenon_signature_0", fake::table({record})}});
    EXPECT_EQ(fake::thrown([&] { read_signature(image, 0, "k"); }).status, TENON_ERROR_INTERNAL)
        << record.kind << " " << record.size;
  }
  Image reference;
  reference.binary = fake::elf({{"tenon_signature_0", fake::table({{0, 0, 0, 0, 0}})}});
  const fake::Thrown thrown = fake::thrown([&] { read_signature(reference, 0, "k"); });
  EXPECT_EQ(thrown.status, TENON_ERROR_UNSUPPORTED);
  EXPECT_NE(thrown.text.find("parameter 0 of k is a reference"), std::string::npos) << thrown.text;
}

}  // namespace
