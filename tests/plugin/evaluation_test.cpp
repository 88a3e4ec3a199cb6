// tests/plugin/evaluation_test.cpp: what a contract's expressions know in a call and how long they may take; numbers
// that do not fit; where packages lie, and who could have changed them.
#include <fcntl.h>
#include <dlfcn.h>
#include <thread>

#include <nlohmann/json.hpp>

#include "packages.hpp"

using namespace test;

namespace {

struct Called {
  ContextPtr context = new_context();
  DevicePtr cpu = device("cpu:0", context.get());
  PackagePtr package;
  OperationPtr operation;
  Called(const Directory& place, const std::string& contract, const char* source = "", const char* op = "f") {
    place.write("p/plugin.toml", contract);
    place.write("p/k.cu", source);
    tenon_package* made = nullptr;
    EXPECT_OK(tenon_package_load(context.get(), (place / "p").c_str(), nullptr, &made));
    package.reset(made);
    tenon_operation* found = nullptr;
    EXPECT_OK(tenon_package_operation(made, op, &found));
    operation.reset(found);
  }
  ArrayPtr zeros(std::vector<int64_t> shape, uint32_t dtype = TENON_FLOAT32) const {
    tenon_array* out = nullptr;
    EXPECT_OK(tenon_array_zeros(cpu.get(), dtype, int32_t(shape.size()), shape.data(), nullptr, &out));
    return ArrayPtr(out);
  }
  int32_t call(std::vector<tenon_arg> args) const {
    return tenon_operation_call(operation.get(), args.data(), int32_t(args.size()), nullptr);
  }
};

template <class T> std::vector<T> values(const ArrayPtr& array, size_t count) {
  std::vector<T> out(count);
  EXPECT_OK(tenon_array_to_host(array.get(), out.data(), count * sizeof(T), nullptr));
  return out;
}

tenon_arg u64(uint64_t value) {
  tenon_arg out{};
  out.kind = TENON_ARG_SCALAR;
  out.dtype = TENON_UINT64;
  out.size = 8;
  out.value.u64 = value;
  return out;
}

const char kCopies[] = R"(__global__ void f(const float* x, float* y, long long a, long long b, long long n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = float(a * 1000 + b);
}
__global__ void seeded(float* y, unsigned long long seed, int n) { if (threadIdx.x == 0) y[0] = float(seed >> 32); }
__global__ void narrow(float* y, long long seed, int n) { if (threadIdx.x == 0) y[0] = float(seed); }
__global__ void scaled(float* y, float by, int n) { if (threadIdx.x == 0) y[0] = by; }
)";

}  // namespace

TEST(Evaluation, facts_of_outputs_are_known_where_expressions_use_them) {
  const Directory place;
  const Called with(place, R"text(name = "p"
[op.f]
parameters = ["in float32 x[h, w]", "scalar int64 step = 2", "out float32 y[(w + step - 1) / step, h + 1]"]
let = ["even = step % 2 == 0", "n = y.size", "rows = prod(y.shape, 0, 1)", "int64 all[k < y.rank] = y.shape[k] + n"]
require = ["even", { that = "all[1] < 100 || step > 4", message = "n is {n}" }]
temporaries = ["float32 t[n + rows]"]
source = "k.cu"
arguments = ["x", "y", "n", "t.size", "y.size"]
threads = "n"
)text",
                    kCopies);
  const ArrayPtr x = with.zeros({3, 7});
  std::vector<tenon_arg> args{TENON_ARRAY_ARG(x.get()), {}, {}};
  tenon_array* made = nullptr;
  for (int i = 0; i < 2; ++i) {  // created by the call, and provided by the caller: the same
    OK(tenon_operation_output(with.operation.get(), args.data(), 3, 0, nullptr, &made));
    const ArrayPtr y(made), own = with.zeros({4, 4});
    args[2] = i ? TENON_ARRAY_ARG(own.get()) : TENON_ARRAY_ARG(y.get());
    OK(with.call(args));
    EXPECT_EQ(16 * 1000 + 20, values<float>(i ? own : y, 16)[7]);
  }
  const ArrayPtr wrong = with.zeros({4, 5}), large = with.zeros({40, 70}), fits = with.zeros({35, 41});
  args[2] = TENON_ARRAY_ARG(wrong.get());
  FAILS(TENON_ERROR_SHAPE, "y of p/f has the shape (4, 5) but must have (4, 4)", with.call(args));
  const tenon_arg zero = TENON_I64_ARG(0), three = TENON_I64_ARG(3);
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "is undefined", with.call({args[0], zero, args[2]}));
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "p/f requires that even",
        with.call({args[0], three, args[2]}));  // before the output is checked
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "p/f: n is 1435",
        with.call({TENON_ARRAY_ARG(large.get()), {}, TENON_ARRAY_ARG(fits.get())}));
  args[0] = TENON_ARRAY_ARG(large.get());
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "p/f: n is 1435",
        tenon_operation_output(with.operation.get(), args.data(), 3, 0, nullptr, &made));
}

TEST(Evaluation, has_a_budget_of_steps_and_says_so) {
  const Directory place;
  const char* const contracts[] = {
      "let = [\"n = sum(i < 65536, sum(j < 65536, i + j))\"]\nelementwise = \"y = x\"\n",
      "let = [\"n[k < 65536] = sum(i < 65536, i * k)\"]\nelementwise = \"y = x\"\n",
  };
  for (const char* text : contracts) {
    const Called with(place,
                      std::string("name = \"p\"\n[op.f]\nparameters = [\"in float32 x\", \"out float32 y\"]\n") + text);
    const ArrayPtr x = with.zeros({3}), y = with.zeros({3});
    FAILS(TENON_ERROR_INVALID_ARGUMENT, "steps of its contract",
          with.call({TENON_ARRAY_ARG(x.get()), TENON_ARRAY_ARG(y.get())}));
  }
  std::string steps;
  for (int i = 0; i < 64; ++i)
    steps += "[[op.f.steps]]\nfor = \"k < 65536\"\nwhen = \"x.size > 3\"\nelementwise = \"y = x\"\n";
  const Called with(place, "name = \"p\"\n[op.f]\nparameters = [\"in float32 x\", \"out float32 y\"]\n" + steps);
  const ArrayPtr x = with.zeros({3}), y = with.zeros({3});
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "repeats its steps too often",
        with.call({TENON_ARRAY_ARG(x.get()), TENON_ARRAY_ARG(y.get())}));
}

TEST(Evaluation, a_long_contract_is_read_in_linear_time) {
  const Directory place;
  const auto load = [&](const std::string& text) {
    place.write(
        "p/plugin.toml",
        "name = \"p\"\n[op.f]\nparameters = [\"in float32 x\", \"out float32 y\"]\nelementwise = \"y = x\"\n" + text);
    tenon_package* made = nullptr;
    EXPECT_OK(tenon_package_load(nullptr, (place / "p").c_str(), nullptr, &made));
    EXPECT_OK(tenon_package_unload(made));
    tenon_package_release(made);
  };
  std::string sum = "1", one_line = "\"x.rank > 0\"";
  for (int i = 0; i < 50000; ++i) sum += " + 1";
  for (int i = 0; i < 20000; ++i) one_line += ", \"x.rank > 0\"";
  load("let = [\"a = " + sum + "\"]\n");  // this would take minutes if each term were searched from the start
  load("require = [" + one_line + "]\n");
}

TEST(Evaluation, nesting_is_refused_on_any_stack) {
  const Directory place;
  place.write("p/k.cu", "");
  std::string keys = "a", lists, tables = "a = 1", quoted = "\"a\"";
  for (int i = 0; i < 30000; ++i) keys += ".a", quoted += ".'a'";
  for (int i = 0; i < 300; ++i) lists += "[";
  for (int i = 0; i < 200; ++i) tables = "a.a.a = { " + tables + " }";
  std::vector<std::string> messages;
  const auto run = [&] {
    for (const std::string& text : {keys + " = 1\n", quoted + " = 1\n", "[" + keys + "]\n", "a = " + lists + "\n",
                                    tables + "\n", "a = { " + keys + " = 1 }\n"}) {
      place.write("p/plugin.toml", "name = \"p\"\n" + text);
      tenon_package* made = nullptr;
      EXPECT_EQ(TENON_ERROR_INVALID_ARGUMENT, tenon_package_load(nullptr, (place / "p").c_str(), nullptr, &made));
      messages.push_back(tenon_error_last_message());
    }
  };
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 256 << 10);
  pthread_t thread;
  using Run = decltype(run);
  ASSERT_EQ(0, pthread_create(
                   &thread, &attributes, [](void* body) -> void* { return (*static_cast<Run*>(body))(), nullptr; },
                   const_cast<void*>(static_cast<const void*>(&run))));
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  ASSERT_EQ(6u, messages.size());
  for (const std::string& message : messages) EXPECT_NE(message.find("plugin.toml:2:"), std::string::npos) << message;
  EXPECT_NE(messages[0].find("nested more than 100 deep"), std::string::npos) << messages[0];
}

TEST(Evaluation, numbers_that_do_not_fit_are_refused_and_large_seeds_are_passed_on) {
  const Directory place;
  const std::string head =
      "name = \"p\"\n[op.f]\nparameters = [\"out float32 y[1]\", \"scalar uint64 seed\"]\nsource = \"k.cu\"\narguments = [\"y\", \"seed\", \"y.size\"]\n";
  const uint64_t large = (uint64_t(1) << 63) + (uint64_t(5) << 32);
  {
    const Called with(place, head + "kernel = \"seeded\"\n", kCopies);
    const ArrayPtr y = with.zeros({1});
    OK(with.call({TENON_ARRAY_ARG(y.get()), u64(large)}));
    EXPECT_EQ(float(large >> 32), values<float>(y, 1)[0]);
    const ArrayPtr again = with.zeros({1});
    OK(with.call({TENON_ARRAY_ARG(again.get()), u64(UINT64_MAX)}));
    EXPECT_EQ(float(UINT32_MAX), values<float>(again, 1)[0]);
  }
  for (const char* more : {"let = [\"n = seed % 7\"]\nkernel = \"seeded\"\n",
                           "require = [\"seed > 0\"]\nkernel = \"seeded\"\n", "kernel = \"narrow\"\n"}) {
    const Called with(place, head + more, kCopies);
    const ArrayPtr y = with.zeros({1});
    OK(with.call({TENON_ARRAY_ARG(y.get()), u64(7)}));
    FAILS(TENON_ERROR_OVERFLOW, "seed of p/f is 9223372058329612288",
          with.call({TENON_ARRAY_ARG(y.get()), u64(large)}));
  }
  const Called with(
      place,
      "name = \"p\"\n[op.f]\nparameters = [\"out float32 y[1]\", \"scalar float64 by\"]\nsource = \"k.cu\"\nkernel = \"scaled\"\narguments = [\"y\", \"by\", \"y.size\"]\n",
      kCopies);
  const ArrayPtr y = with.zeros({1});
  FAILS(TENON_ERROR_OVERFLOW, "by of p/f would be 1e+300, which float32 cannot hold",
        with.call({TENON_ARRAY_ARG(y.get()), TENON_F64_ARG(1e300)}));
  OK(with.call({TENON_ARRAY_ARG(y.get()), TENON_F64_ARG(HUGE_VAL)}));
  EXPECT_EQ(HUGE_VALF, values<float>(y, 1)[0]);
}

TEST(Places, others_can_write_make_a_package_untrusted_up_to_the_root) {
  const ContextPtr context = new_context();
  const Directory place;
  place.write("open/inner/p/plugin.toml",
              "name = \"p\"\n[op.f]\nparameters = [\"in T x\", \"out T y\"]\nelementwise = \"y = x\"\n");
  const std::string path = place / "open/inner/p";
  const auto load = [&](const tenon_package_options* options = nullptr) {
    tenon_package* out = nullptr;
    const int32_t status = tenon_package_load(context.get(), path.c_str(), options, &out);
    PackagePtr(out).reset();
    return status;
  };
  OK(load());
  ASSERT_EQ(0, ::chmod((place / "open").c_str(), 0777));
  FAILS(TENON_ERROR_IO, "lies in " + place / "open" + ", which can be written by everybody", load());
  ASSERT_EQ(0, ::chmod((place / "open").c_str(), 01777));  // like /tmp
  OK(load());
  ASSERT_EQ(0, ::chmod((place / "open").c_str(), 0755));
  tenon_package_options options{};
  options.struct_size = sizeof options;
  options.flags = TENON_PACKAGE_ANY_OWNER;
  if (::geteuid() == 0) {
    ASSERT_EQ(0, ::chown((place / "open").c_str(), 12345, 0));
    FAILS(TENON_ERROR_IO, "which belongs to another user", load());
    OK(load(&options));
    ASSERT_EQ(0, ::chown((place / "open").c_str(), 0, 12345));  // a group that is not the owner's private one
    for (const std::string& name :
         {std::string("open"), std::string("open/inner/p"), std::string("open/inner/p/plugin.toml")}) {
      ASSERT_EQ(0, ::chown((place / name).c_str(), 0, 12345));
      ASSERT_EQ(0, ::chmod((place / name).c_str(), 0775));
      FAILS(TENON_ERROR_IO, "can be written by a group", load());
      OK(load(&options));
      ASSERT_EQ(0, ::chmod((place / name).c_str(), 0755));
    }
  }
  OK(load());
}

TEST(Places, a_relative_path_stays_the_directory_it_was) {
  const ContextPtr context = new_context();
  const Directory place;
  const std::string contract =
      "name = \"p\"\n[op.f]\nparameters = [\"in T x\", \"out T y\"]\nelementwise = \"y = x\"\n";
  place.write("here/mine/plugin.toml", contract);
  place.write("there/mine/plugin.toml", contract + "doc = \"another one\"\n");
  const std::string before = std::filesystem::current_path();
  std::filesystem::current_path(place / "here");
  tenon_package* made = nullptr;
  EXPECT_OK(tenon_package_load(context.get(), "mine", nullptr, &made));
  std::filesystem::current_path(place / "there");
  tenon_package* again = nullptr;
  EXPECT_OK(tenon_package_reload(made, &again));
  std::filesystem::current_path(before);
  tenon_blob* described = nullptr;
  OK(tenon_package_describe(again, &described));
  EXPECT_EQ(std::filesystem::canonical(place / "here/mine").string(),
            nlohmann::json::parse(text_of(described))["origin"].get<std::string>());
  tenon_package_release(made);
  tenon_package_release(again);
}

TEST(Places, a_source_includes_nothing_outside_of_its_package) {
  const Directory place;
  place.write("p/plugin.toml", "name = \"p\"\n[op.f]\nparameters = [\"in T x\", \"out T y\"]\nsource = \"sub/k.cu\"\n");
  tenon_package* made = nullptr;
  for (const char* line : {"#include \"/etc/passwd\"\n", "#include </etc/passwd>\n", "#include \"../../secret.h\"\n",
                           "#include <../secret.h>\n", "#define WHICH \"/etc/passwd\"\n#include WHICH\n"}) {
    place.write("p/sub/k.cu", line);
    FAILS(TENON_ERROR_INVALID_ARGUMENT, "p/sub/k.cu names \"",
          tenon_package_load(nullptr, (place / "p").c_str(), nullptr, &made));
  }
  place.write("p/sub/k.cu", "#include \"../common.cuh\"\n#include <cuda_fp16.h>\n#include \"sub/./more.cuh\"\n");
  OK(tenon_package_load(nullptr, (place / "p").c_str(), nullptr, &made));
  EXPECT_OK(tenon_package_unload(made));
  tenon_package_release(made);
}

TEST(Places, a_shared_object_that_is_cut_off_is_refused) {
  const Directory place;
  std::string whole;
  {
    std::ifstream in(TENON_TEST_OBJECTS "/libhost_object_0.so", std::ios::binary);
    whole.assign(std::istreambuf_iterator<char>(in), {});
  }
  ASSERT_GT(whole.size(), 4000u);
  tenon_package* made = nullptr;
  for (const size_t size : {size_t(10), size_t(63), size_t(100), size_t(3000), whole.size() / 2}) {
    place.write("cut.so", whole.substr(0, size));
    FAILS(TENON_ERROR_IO, "is truncated", tenon_plugin_load(nullptr, (place / "cut.so").c_str(), nullptr, &made));
  }
}
