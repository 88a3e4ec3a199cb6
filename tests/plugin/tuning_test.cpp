// tests/plugin/tuning_test.cpp: measuring operations, searching the values of their tunables, the records, and who
// looks at them; the context's search path and its deterministic mode; packing.
#include <nlohmann/json.hpp>
#include <thread>

#include "packages.hpp"

using namespace test;
using nlohmann::json;

namespace {

// More rounds are slower; `spoil` is fastest where the result is wrong, and is tried while there are still many rounds;
// `block` has a value that no device can launch.
const char kSource[] = R"(template <class T> __global__ void work(const T* x, T* y, int rounds, int spoil, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  T sum = 0;
  if (spoil) { y[i] = T(7); return; }
  for (int k = 0; k < rounds; ++k) sum += x[(i + k) % n] * T(1e-30);
  y[i] = x[i] + (sum > T(1) ? sum : T(0));
})";

std::string contract(const char* version) {
  return std::string("name = \"p\"\nversion = \"") + version + R"text("
[op.work]
parameters = ["in T x", "out T y"]
kernel = "work<T>"
arguments = ["x", "y", "rounds", "spoil", "x.size"]
threads = "x.size"
block = "block"
tunables = { spoil = [0, 1], rounds = [512, 64, 1], block = [64, 4096] }
bench = [{ given = { x = "uniform(20000)" }, types = { T = "float32" } }]
test = [{ given = { x = [1.0, 2.0] }, expect = { y = [1.0, 2.0] } }]
[op.keyed]
parameters = ["in T x", "scalar float64 sigma[2] = 1", "scalar {a, b} mode = a", "scalar int32 other = 0", "out T y"]
types = { T = ["float32"] }
kernel = "work<T>"
source = "work.cu"
arguments = ["x", "y", "1", "0", "x.size"]
block = "width"
tunables = { width = [64, 128, 256] }
tuned_for = ["sigma", "mode"]
[op.whole]
parameters = ["in T x", "scalar int32 radius = 1", "scalar float64 gain = 1", "scalar bool fast = 0", "out T y"]
types = { T = ["float32"] }
kernel = "work<T>"
source = "work.cu"
arguments = ["x", "y", "1", "0", "x.size"]
block = "width"
tunables = { width = [64, 128] }
[op.loose]
parameters = ["in T x", "out T y"]
elementwise = "y = x"
deterministic = false
)text";
}

std::string* logged = nullptr;

ContextPtr context_with(const std::string& tuning, uint32_t flags = 0, const std::string& path = "") {
  tenon_context_options options{};
  options.struct_size = sizeof options;
  options.flags = flags;
  options.tuning_directory = tuning.c_str();
  options.plugin_path = path.empty() ? nullptr : path.c_str();
  options.log = [](void*, int32_t, const char* message) {
    if (logged) *logged += std::string(message) + "\n";
  };
  tenon_context* out = nullptr;
  EXPECT_OK(tenon_context_create(&options, &out));
  return ContextPtr(out);
}

// The content hash of a package: records are valid for that content.
std::string hash_of(const std::string& path) {
  tenon_blob* out = nullptr;
  EXPECT_OK(tenon_package_check(nullptr, path.c_str(), nullptr, &out));
  return out ? json::parse(text_of(out))["hash"].get<std::string>() : "";
}

struct Loaded {
  ContextPtr context;
  DevicePtr device;
  PackagePtr package;
  OperationPtr operation;
  Loaded(const std::string& path, const std::string& tuning, const char* device_name, uint32_t flags = 0,
         const char* op = "work")
      : context(context_with(tuning, flags)), device(test::device(device_name, context.get())) {
    tenon_package* made = nullptr;
    EXPECT_OK(tenon_package_load(context.get(), path.c_str(), nullptr, &made));
    package.reset(made);
    tenon_operation* found = nullptr;
    EXPECT_OK(tenon_package_operation(made, op, &found));
    operation.reset(found);
  }
};

using Report = int32_t (*)(tenon_operation*, tenon_device*, const tenon_measure_options*, tenon_blob**);
json report(Report how, const Loaded& with, double seconds,
            const std::vector<std::pair<const char*, const char*>>& given = {}, const char* types = nullptr) {
  std::vector<const char*> names, values;
  for (const auto& [name, value] : given) names.push_back(name), values.push_back(value);
  tenon_measure_options options{};
  options.struct_size = sizeof options;
  options.given_count = int32_t(given.size());
  options.given_names = names.data();
  options.given_values = values.data();
  options.types = types;
  options.seconds = seconds;
  tenon_blob* out = nullptr;
  EXPECT_OK(how(with.operation.get(), with.device.get(), &options, &out));
  return out ? json::parse(text_of(out)) : json();
}
// The tunables that calls with such an input use.
json used(const Loaded& with, const char* x, const char* types = "T=float32") {
  return report(tenon_operation_measure, with, 0.001, {{"x", x}}, types)["cases"][0]["tunables"];
}

}  // namespace

class Tuning : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!device(GetParam())) GTEST_SKIP() << tenon_error_last_message();
    place.write("p/work.cu", kSource);
    place.write("p/plugin.toml", contract("1.0.0"));
    const Loaded with(place / "p", place / "tuning", GetParam());
    tenon_blob* out = nullptr;
    if (tenon_operation_test(with.operation.get(), with.device.get(), &out) == TENON_OK &&
        text_of(out).find("compiler") != std::string::npos)
      GTEST_SKIP() << "no compiler";
  }
  Directory place;
};

TEST_P(Tuning, measures_the_contracts_cases_or_what_is_given) {
  const Loaded with(place / "p", place / "tuning", GetParam());
  const json all = report(tenon_operation_measure, with, 0.05);
  ASSERT_EQ(1u, all["cases"].size()) << all;
  const json& row = all["cases"][0];
  EXPECT_EQ((json{{"rounds", 512}, {"spoil", 0}, {"block", 64}}), row["tunables"]);
  EXPECT_EQ((json{{"x", {20000}}}), row["shapes"]);
  EXPECT_EQ(160000, row["bytes"]);
  EXPECT_GT(row["milliseconds"].get<double>(), 0);
  EXPECT_GE(row["milliseconds"].get<double>(), row["fastest"].get<double>());
  EXPECT_GE(row["launches"].get<int>(), 3);
  const json given = report(tenon_operation_measure, with, 0.01, {{"x", "zeros(3, 4)"}});
  ASSERT_EQ(2u, given["cases"].size()) << given;
  EXPECT_EQ((json{{"x", {3, 4}}}), given["cases"][1]["shapes"]);
}

TEST_P(Tuning, what_is_given_wrongly_is_refused) {
  const Loaded with(place / "p", place / "tuning", GetParam());
  const auto refuse = [&](const char* name, const char* value, const char* types, const char* part) {
    tenon_measure_options options{};
    options.struct_size = sizeof options;
    options.given_count = name ? 1 : 0;
    options.given_names = &name;
    options.given_values = &value;
    options.types = types;
    tenon_blob* out = nullptr;
    FAILS(TENON_ERROR_INVALID_ARGUMENT, part,
          tenon_operation_measure(with.operation.get(), with.device.get(), &options, &out));
    EXPECT_EQ(nullptr, out);
  };
  refuse("z", "zeros(3)", nullptr, "no input `z`");
  refuse("x", "zeroes(3)", nullptr, "x:1:1: there is no rule `zeroes`");
  refuse("x", "zeros(3", nullptr, "x:1:1: found the end");
  refuse("x", "zeros(99999999999)", nullptr, "too many elements");
  refuse("x", "1\ny = 2", nullptr, "x:1:1");
  refuse("x", "zeros(3)", "T=int8", "cannot be int8");
  refuse("x", "zeros(3)", "Q=float32", "no type `Q`");
  refuse("x", "zeros(3)", "float32", "T=float32");
  refuse(nullptr, nullptr, "T=float64", "no case of p/work has the types");
  const Loaded loose(place / "p", place / "tuning", GetParam(), 0, "loose");
  tenon_blob* out = nullptr;
  FAILS(TENON_ERROR_NOT_FOUND, "neither `bench` nor `test`",
        tenon_operation_measure(loose.operation.get(), loose.device.get(), nullptr, &out));
  FAILS(TENON_ERROR_NOT_FOUND, "has no tunables",
        tenon_operation_tune(loose.operation.get(), loose.device.get(), nullptr, &out));
}

TEST_P(Tuning, keeps_the_fastest_values_that_are_right_for_every_later_context) {
  std::string warnings;
  logged = &warnings;
  const Loaded with(place / "p", place / "tuning", GetParam());
  const json best = {{"rounds", 1}, {"spoil", 0}, {"block", 64}},
             plain = {{"rounds", 512}, {"spoil", 0}, {"block", 64}};
  json found = report(tenon_operation_tune, with, 6);
  // Other work on the machine can make the fastest values look slow once, but not every time.
  for (int again = 0; again < 5 && found["cases"][0]["tunables"] != best; ++again)
    found = report(tenon_operation_tune, with, 6);
  logged = nullptr;
  ASSERT_EQ(1u, found["cases"].size()) << found;
  EXPECT_EQ(best, found["cases"][0]["tunables"]) << found;
  EXPECT_GT(found["cases"][0]["default_milliseconds"].get<double>(), 0);
  EXPECT_EQ(12, found["cases"][0]["possible"]);
  EXPECT_GE(found["cases"][0]["failed"].get<int>(), 2) << found;  // a block that is too large, and a wrong result
  EXPECT_NE(warnings.find("gives a different y"), std::string::npos) << warnings;
  EXPECT_EQ(best, used(with, "uniform(20000)"));  // immediately
  const json file = json::parse(std::ifstream(place / "tuning/p.work.json"));
  EXPECT_EQ(place / "tuning/p.work.json", found["file"].get<std::string>());
  EXPECT_EQ(1u, file["records"].size());
  EXPECT_EQ((json{{"x", {20000}}}), file["records"][0]["shapes"]);

  const Loaded later(place / "p", place / "tuning", GetParam());
  EXPECT_EQ(best, used(later, "uniform(20000)"));
  EXPECT_EQ(best, used(later, "uniform(300)"));         // the nearest record
  EXPECT_EQ(plain, used(later, "uniform(2)"));          // no record is near
  EXPECT_EQ(plain, used(later, "uniform(4, 50, 60)"));  // another rank
  EXPECT_EQ(plain, used(later, "uniform(20000)", "T=float64"));
  EXPECT_OK(tenon_operation_set_tunable(later.operation.get(), "rounds", 64));
  EXPECT_EQ((json{{"rounds", 64}, {"spoil", 0}, {"block", 64}}), used(later, "uniform(20000)"));

  const Loaded strict(place / "p", place / "tuning", GetParam(), TENON_CONTEXT_DETERMINISTIC);
  EXPECT_EQ(plain, used(strict, "uniform(20000)"));
  place.write("p/work.cu", std::string(kSource) + "// edited\n");  // the same version, but not the measured content
  const Loaded edited(place / "p", place / "tuning", GetParam());
  EXPECT_EQ(plain, used(edited, "uniform(20000)"));
  place.write("p/work.cu", kSource);
  EXPECT_EQ(best, used(Loaded(place / "p", place / "tuning", GetParam()), "uniform(20000)"));
  place.write("p/plugin.toml", contract("1.1.0"));
  const Loaded newer(place / "p", place / "tuning", GetParam());
  EXPECT_EQ(plain, used(newer, "uniform(20000)"));
}

TEST_P(Tuning, takes_the_nearest_record) {
  tenon_device* got = nullptr;
  ASSERT_EQ(TENON_OK, tenon_context_device(nullptr, GetParam(), &got));
  const DevicePtr on(got);
  tenon_device_info info{};
  info.struct_size = sizeof info;
  OK(tenon_device_get_info(on.get(), &info));
  const char* product = "";
  OK(tenon_device_description(on.get(), &product));
  const auto record = [&](const char* device, std::vector<int64_t> shape, int rounds) {
    json out = {{"version", "1.0.0"},       {"hash", hash_of(place / "p")},
                {"device", device},         {"types", {{"T", "float32"}}},
                {"shapes", {{"x", shape}}}, {"tunables", {{"rounds", rounds}, {"spoil", 0}, {"block", 64}}}};
    if (info.kind == TENON_DEVICE_CPU) out["threads"] = info.multiprocessors;
    return out;
  };
  json records = json::array({record(product, {100}, 64),
                              record(product, {100000}, 1),
                              record("another one", {1000}, 1),
                              record(product, {50}, 99),
                              5,
                              {{"version", "1.0.0"}, {"hash", hash_of(place / "p")}, {"device", 3}}});
  place.write("tuning/p.work.json", json{{"format", 1}, {"records", records}}.dump());
  std::string warnings;
  logged = &warnings;
  const Loaded with(place / "p", place / "tuning", GetParam());
  EXPECT_EQ(64, used(with, "uniform(100)")["rounds"]);
  EXPECT_EQ(64, used(with, "uniform(1)")["rounds"]);
  EXPECT_EQ(64, used(with, "uniform(3000)")["rounds"]);
  EXPECT_EQ(1, used(with, "uniform(4000)")["rounds"]);
  EXPECT_EQ(1, used(with, "uniform(5000000)")["rounds"]);
  EXPECT_EQ(64, used(with, "uniform(1)")["rounds"]);
  EXPECT_NE(warnings.find("its value of rounds is not in the contract"), std::string::npos) << warnings;
  warnings.clear();
  for (const char* text : {"", "{", "[1]", "{\"format\": 2, \"records\": []}", "{\"format\": \"x\", \"records\": []}",
                           "{\"format\": 1, \"records\": 3}"}) {
    place.write("tuning/p.work.json", text);
    const Loaded damaged(place / "p", place / "tuning", GetParam());
    EXPECT_EQ(512, used(damaged, "uniform(100)")["rounds"]) << text;
    EXPECT_NE(warnings.find("p.work.json"), std::string::npos) << text;
    tenon_blob* out = nullptr;
    tenon_measure_options options{};
    options.struct_size = sizeof options;
    options.seconds = 0.01;
    FAILS(TENON_ERROR_IO, "p.work.json",
          tenon_operation_tune(damaged.operation.get(), damaged.device.get(), &options, &out));
    EXPECT_EQ(text,
              std::string(std::istreambuf_iterator<char>(std::ifstream(place / "tuning/p.work.json").rdbuf()), {}));
    warnings.clear();
  }
  logged = nullptr;
}

TEST_P(Tuning, takes_the_record_with_the_nearest_scalars) {
  json base = {
      {"version", "1.0.0"}, {"hash", hash_of(place / "p")}, {"types", {{"T", "float32"}}}, {"shapes", {{"x", {100}}}}};
  {
    const DevicePtr on = device(GetParam());
    tenon_device_info info{};
    info.struct_size = sizeof info;
    OK(tenon_device_get_info(on.get(), &info));
    const char* product = "";
    OK(tenon_device_description(on.get(), &product));
    base["device"] = product;
    if (info.kind == TENON_DEVICE_CPU) base["threads"] = info.multiprocessors;
  }
  const auto record = [&](json scalars, int width) {
    json out = base;
    if (!scalars.is_null()) out["scalars"] = scalars;
    out["tunables"] = {{"width", width}};
    return out;
  };
  const auto width = [](const Loaded& with, std::vector<std::pair<const char*, const char*>> given) {
    given.insert(given.begin(), {"x", "uniform(100)"});
    return report(tenon_operation_measure, with, 0.001, given)["cases"][0]["tunables"]["width"].get<int>();
  };
  const json small = {{"sigma", {1.0, 1.0}}, {"mode", "a"}}, large = {{"sigma", {9.0, 9.0}}, {"mode", "a"}};
  const auto write = [&](std::vector<json> records) {
    place.write("tuning/p.keyed.json", json{{"format", 1}, {"records", records}}.dump());
    return std::make_unique<Loaded>(place / "p", place / "tuning", GetParam(), 0, "keyed");
  };
  {
    const auto with = write({record(small, 128), record(large, 256)});
    for (int turn = 0; turn < 2; ++turn) {  // an evaluated call for one is not used for the other
      EXPECT_EQ(128, width(*with, {}));
      EXPECT_EQ(256, width(*with, {{"sigma", "[9.0, 9.0]"}}));
      EXPECT_EQ(128, width(*with, {{"sigma", "[1.5, 2.0]"}}));
      EXPECT_EQ(256, width(*with, {{"sigma", "[6.0, 30.0]"}}));
      EXPECT_EQ(256, width(*with, {{"sigma", "[9.0, 9.0]"}, {"mode", "\"b\""}, {"other", "1000000"}}));
    }
  }
  {
    const auto with = write({record({{"sigma", {9.0, 9.0}}, {"mode", "b"}}, 128), record(large, 256)});
    EXPECT_EQ(128, width(*with, {{"sigma", "[9.0, 9.0]"}, {"mode", "\"b\""}}));
    EXPECT_EQ(256, width(*with, {{"sigma", "[9.0, 9.0]"}}));
    EXPECT_EQ(256, width(*with, {{"sigma", "[0.0, 0.0]"}}));
  }
  {  // there is one record per problem, and other problems have their own
    const auto with = write({record(large, 128), record(small, 256)});
    EXPECT_EQ(256, width(*with, {{"sigma", "[2.0, 2.0]"}}));
    report(tenon_operation_tune, *with, 0.5, {{"x", "uniform(100)"}, {"sigma", "[3.0, 0.5]"}});
    report(tenon_operation_tune, *with, 0.5, {{"x", "uniform(100)"}, {"sigma", "[9.0, 9.0]"}});
    const json file = json::parse(std::ifstream(place / "tuning/p.keyed.json"));
    ASSERT_EQ(3u, file["records"].size()) << file;
    EXPECT_EQ(small, file["records"][0]["scalars"]);
    EXPECT_EQ((json{{"sigma", {3.0, 0.5}}, {"mode", "a"}}), file["records"][1]["scalars"]);
    EXPECT_EQ(large, file["records"][2]["scalars"]);
  }
  {  // for another contract, or damaged: reported, and not used
    std::string warnings;
    logged = &warnings;
    const auto with = write({record({{"sigma", {1.0, 1.0}}, {"mode", "c"}}, 256), record({{"sigma", "no"}}, 256)});
    EXPECT_EQ(64, width(*with, {}));
    logged = nullptr;
    EXPECT_NE(warnings.find("its choice of mode is not in the contract"), std::string::npos) << warnings;
    EXPECT_EQ(2, std::count(warnings.begin(), warnings.end(), '\n')) << warnings;
    const auto without = write({record(nullptr, 256)});  // does not state what it was measured with
    EXPECT_EQ(64, width(*without, {}));
  }
  const Loaded whole(place / "p", place / "tuning", GetParam(), 0, "whole");
  report(tenon_operation_tune, whole, 0.5, {{"x", "uniform(100)"}, {"radius", "7"}, {"gain", "2.5"}});
  const json file = json::parse(std::ifstream(place / "tuning/p.whole.json"));
  EXPECT_EQ((json{{"radius", 7}, {"fast", 0}}),
            file["records"][0]["scalars"]);  // integers, unless the contract specifies others
  tenon_blob* described = nullptr;
  OK(tenon_operation_describe(whole.operation.get(), &described));
  EXPECT_EQ((json{"radius", "fast"}), json::parse(text_of(described))["tuned_for"]);
}

// A record that was the fastest where it was measured, but cannot be launched for the arguments of the call.
TEST_P(Tuning, calls_that_a_record_would_break_take_the_defaults_and_say_so_once) {
  place.write("q/q.cu", R"(template <class T> __global__ void sums(const T* x, T* y, int n, int rows) {
  extern __shared__ char memory[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * T(rows > 0 ? 2 : 3);
})");
  place.write("q/plugin.toml", R"(name = "q"
[op.sums]
parameters = ["in T x[m, n]", "out T y like x"]
source = "q.cu"
kernel = "sums<T>"
arguments = ["x", "y", "x.size", "rows"]
threads = "x.size"
shared = "rows * n * T.itemsize"
tunables = { rows = [4, 512] }
require = [{ that = "rows < 5 || n != 17", message = "rows is {rows}" }]
)");
  json record = {{"version", "0.1.0"},
                 {"hash", hash_of(place / "q")},
                 {"types", {{"T", "float32"}}},
                 {"shapes", {{"x", {64, 16}}}},
                 {"tunables", {{"rows", 512}}}};
  {
    const DevicePtr on = device(GetParam());
    tenon_device_info info{};
    info.struct_size = sizeof info;
    OK(tenon_device_get_info(on.get(), &info));
    const char* product = "";
    OK(tenon_device_description(on.get(), &product));
    record["device"] = product;
    if (info.kind == TENON_DEVICE_CPU) record["threads"] = info.multiprocessors;
  }
  place.write("tuning/q.sums.json", json{{"format", 1}, {"records", {record}}}.dump());
  std::string warnings;
  logged = &warnings;
  {
    const Loaded with(place / "q", place / "tuning", GetParam(), 0, "sums");
    const auto call = [&](int64_t m, int64_t n) {
      const int64_t shape[2] = {m, n};
      tenon_array *x = nullptr, *y = nullptr;
      EXPECT_OK(tenon_array_zeros(with.device.get(), TENON_FLOAT32, 2, shape, nullptr, &x));
      EXPECT_OK(tenon_array_zeros(with.device.get(), TENON_FLOAT32, 2, shape, nullptr, &y));
      EXPECT_OK(tenon_array_fill(x, number(1), nullptr));
      const ArrayPtr own_x(x), own_y(y);
      const tenon_arg args[2] = {TENON_ARRAY_ARG(x), TENON_ARRAY_ARG(y)};
      EXPECT_OK(tenon_operation_prepare(with.operation.get(), args, 2));
      EXPECT_OK(tenon_operation_call(with.operation.get(), args, 2, nullptr));
      std::vector<float> out(size_t(m * n));
      EXPECT_OK(tenon_array_to_host(y, out.data(), out.size() * sizeof(float), nullptr));
      EXPECT_EQ(2, out.back());
      tenon_call* bound = nullptr;
      EXPECT_OK(tenon_operation_bind(with.operation.get(), args, 2, nullptr, &bound));
      tenon_call_release(bound);
    };
    call(64, 16);
    EXPECT_EQ("", warnings);
    for (int turn = 0; turn < 2; ++turn) {
      call(64, 1000);  // more shared memory than available
      call(64, 17);    // and values that the contract itself refuses
    }
    EXPECT_EQ(1, std::count(warnings.begin(), warnings.end(), '\n')) << warnings;
    EXPECT_NE(warnings.find(place / "tuning/q.sums.json"), std::string::npos) << warnings;
    EXPECT_NE(warnings.find("default tunables"), std::string::npos) << warnings;
    EXPECT_EQ(512,
              report(tenon_operation_measure, with, 0.001, {{"x", "uniform(64, 16)"}})["cases"][0]["tunables"]["rows"]);
    EXPECT_EQ(
        4, report(tenon_operation_measure, with, 0.001, {{"x", "uniform(64, 1000)"}})["cases"][0]["tunables"]["rows"]);
    const int64_t shape[1] = {3};
    tenon_array* line = nullptr;
    OK(tenon_array_zeros(with.device.get(), TENON_FLOAT32, 1, shape, nullptr, &line));
    const ArrayPtr own(line);
    const tenon_arg wrong[2] = {TENON_ARRAY_ARG(line), TENON_ARRAY_ARG(line)};
    FAILS(TENON_ERROR_SHAPE, "its rank must be 2",
          tenon_operation_call(with.operation.get(), wrong, 2, nullptr));  // an error of the call itself
  }
  logged = nullptr;
}

TEST_P(Tuning, records_that_others_could_have_written_are_not_read) {
  const auto rounds = [&] {
    return used(Loaded(place / "p", place / "tuning", GetParam()), "uniform(100)")["rounds"].get<int>();
  };
  json record = {{"version", "1.0.0"},
                 {"hash", hash_of(place / "p")},
                 {"types", {{"T", "float32"}}},
                 {"shapes", {{"x", {100}}}},
                 {"tunables", {{"rounds", 64}, {"spoil", 0}, {"block", 64}}}};
  {
    const DevicePtr on = device(GetParam());
    tenon_device_info info{};
    info.struct_size = sizeof info;
    OK(tenon_device_get_info(on.get(), &info));
    const char* product = "";
    OK(tenon_device_description(on.get(), &product));
    record["device"] = product;
    if (info.kind == TENON_DEVICE_CPU) record["threads"] = info.multiprocessors;
  }
  const std::string file = place / "tuning/p.work.json";
  place.write("tuning/p.work.json", json{{"format", 1}, {"records", {record}}}.dump());
  EXPECT_EQ(64, rounds());
  std::string warnings;
  logged = &warnings;
  const auto refused = [&](const char* part) {
    EXPECT_EQ(512, rounds());
    EXPECT_NE(warnings.find(part), std::string::npos) << warnings << "\nwanted " << part;
    warnings.clear();
  };
  ASSERT_EQ(0, ::chmod(file.c_str(), 0666));
  refused("can be written by everybody");
  ASSERT_EQ(0, ::chmod(file.c_str(), 0644));
  ASSERT_EQ(0, ::chmod((place / "tuning").c_str(), 0777));
  refused("which can be written by everybody");
  ASSERT_EQ(0, ::chmod((place / "tuning").c_str(), 0755));
  EXPECT_EQ(64, rounds());
  place.write("tuning/p.work.json", "{\"format\": 1, \"records\": " + std::string(300000, '['));
  refused("does not contain tuning records");
  place.write("tuning/p.work.json",
              "{\"format\": 1, \"records\": " + std::string(300000, '[') + std::string(300000, ']') + "}");
  refused("does not contain tuning records");
  std::filesystem::remove(file);
  ASSERT_EQ(0, ::mkfifo(file.c_str(), 0600));
  refused("is not a regular file");
  logged = nullptr;
}

// "Under no lock; it may call Tenon", according to context.h.
TEST_P(Tuning, whoever_hears_of_a_bad_record_may_call_the_operation) {
  place.write(
      "tuning/p.work.json",
      json{{"format", 1}, {"records", {{{"version", "1.0.0"}, {"hash", hash_of(place / "p")}, {"device", 3}}}}}.dump());
  static tenon_operation* calls;
  static tenon_arg args[2];
  static int heard;
  heard = 0;
  tenon_context_options options{};
  options.struct_size = sizeof options;
  const std::string tuning = place / "tuning";
  options.tuning_directory = tuning.c_str();
  options.log = [](void*, int32_t, const char*) {
    ++heard;
    EXPECT_OK(tenon_operation_prepare(calls, args, 2));
  };
  tenon_context* context = nullptr;
  OK(tenon_context_create(&options, &context));
  const ContextPtr own(context);
  tenon_package* package = nullptr;
  OK(tenon_package_load(context, (place / "p").c_str(), nullptr, &package));
  const PackagePtr own_package(package);
  OK(tenon_package_operation(package, "work", &calls));
  const OperationPtr own_operation(calls);
  const DevicePtr on = device(GetParam(), context);
  const int64_t n = 4;
  tenon_array *x = nullptr, *y = nullptr;
  OK(tenon_array_zeros(on.get(), TENON_FLOAT32, 1, &n, nullptr, &x));
  OK(tenon_array_zeros(on.get(), TENON_FLOAT32, 1, &n, nullptr, &y));
  const ArrayPtr own_x(x), own_y(y);
  args[0] = TENON_ARRAY_ARG(x), args[1] = TENON_ARRAY_ARG(y);
  OK(tenon_operation_call(calls, args, 2, nullptr));
  EXPECT_EQ(1, heard);
}

TEST_P(Tuning, calls_go_on_while_records_change) {
  const Loaded with(place / "p", place / "tuning", GetParam());
  std::atomic<bool> stop{false};
  std::thread caller([&] {
    while (!stop) used(with, "uniform(64)");
  });
  for (int i = 0; i < 3; ++i) report(tenon_operation_tune, with, 1, {{"x", "uniform(64)"}}, "T=float32");
  stop = true;
  caller.join();
  const json file = json::parse(std::ifstream(place / "tuning/p.work.json"));
  EXPECT_EQ(1u, file["records"].size()) << file;  // there is one record per problem
}

TEST_P(Tuning, a_deterministic_context_refuses_what_promises_nothing) {
  for (const uint32_t flags : {0u, TENON_CONTEXT_DETERMINISTIC}) {
    const Loaded with(place / "p", place / "tuning", GetParam(), flags, "loose");
    const int64_t n = 4;
    tenon_array* made = nullptr;
    OK(tenon_array_zeros(with.device.get(), TENON_FLOAT32, 1, &n, nullptr, &made));
    const ArrayPtr x(made);
    const tenon_arg args[2] = {TENON_ARRAY_ARG(x.get()), TENON_ARRAY_ARG(x.get())};
    const int32_t status = tenon_operation_call(with.operation.get(), args, 2, nullptr);
    EXPECT_EQ(flags ? TENON_ERROR_UNSUPPORTED : TENON_OK, status) << tenon_error_last_message();
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, Tuning, testing::Values("cpu:0", "cuda:0"), [](const auto& info) {
  return std::string(info.param, 0, std::string(info.param).find(':'));
});

TEST(SearchPath, of_the_context_goes_before_the_environments) {
  const Directory place;
  place.write("here/p/plugin.toml",
              "name = \"p\"\n[op.f]\nparameters = [\"in T x\", \"out T y\"]\nelementwise = \"y = x\"\n");
  place.write("there/q/plugin.toml",
              "name = \"q\"\n[op.f]\nparameters = [\"in T x\", \"out T y\"]\nelementwise = \"y = x\"\n");
  ::setenv("TENON_PLUGIN_PATH", (place / "there").c_str(), 1);
  const ContextPtr own = context_with(place / "tuning", 0, place / "here" + ":" + (place / "nowhere")),
                   other = context_with(place / "tuning");
  tenon_package* found = nullptr;
  OK(tenon_package_find(own.get(), "p", nullptr, &found));
  PackagePtr(found).reset();
  FAILS(TENON_ERROR_NOT_FOUND, place / "here", tenon_package_find(own.get(), "q", nullptr, &found));
  OK(tenon_package_find(other.get(), "q", nullptr, &found));
  PackagePtr(found).reset();
  FAILS(TENON_ERROR_NOT_FOUND, place / "there", tenon_package_find(other.get(), "p", nullptr, &found));
  ::unsetenv("TENON_PLUGIN_PATH");
  tenon_context_options options{};
  options.struct_size = sizeof options;
  options.plugin_path = "/tmp:kernels";
  tenon_context* made = nullptr;
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "\"kernels\": it must be an absolute path",
        tenon_context_create(&options, &made));
  options.plugin_path = nullptr;
  options.tuning_directory = "tuning";
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "tuning_directory", tenon_context_create(&options, &made));
}

TEST(Pack, makes_the_same_bytes_of_the_same_content_and_adds_the_hashes) {
  const Directory place;
  const std::string deep =
      "include/a_rather_long_name_of_a_directory/and_another_one_of_these_names_below_it/so_that_ustar_needs_its_prefix.cuh";
  place.write("p/plugin.toml", contract("1.2.3"));
  place.write("p/work.cu", kSource);
  place.write("p/" + deep, "#define DEEP\n");
  place.write("p/notes.txt", "not packed");
  const auto pack = [&] {
    tenon_blob* out = nullptr;
    EXPECT_OK(tenon_package_pack((place / "p").c_str(), nullptr, &out));
    return out ? text_of(out) : "";
  };
  const std::string bytes = pack();
  EXPECT_EQ(bytes, pack());
  const ContextPtr context = new_context();
  tenon_package* made = nullptr;
  OK(tenon_package_load_memory(context.get(), bytes.data(), bytes.size(), "p.tar", nullptr, &made));
  const PackagePtr package(made);
  tenon_blob* out = nullptr;
  OK(tenon_package_file(package.get(), deep.c_str(), &out));
  EXPECT_EQ("#define DEEP\n", text_of(out));
  EXPECT_EQ(TENON_ERROR_NOT_FOUND, tenon_package_file(package.get(), "notes.txt", &out));
  OK(tenon_package_describe(package.get(), &out));
  EXPECT_EQ(2, json::parse(text_of(out))["hashed_files"]);
  std::string changed = bytes;
  changed[changed.find("#define DEEP") + 1] = 'D';
  FAILS(TENON_ERROR_IO, "was changed after packing",
        tenon_package_load_memory(context.get(), changed.data(), changed.size(), "p.tar", nullptr, &made));
  FAILS(TENON_ERROR_NOT_FOUND, "nowhere", tenon_package_pack((place / "nowhere").c_str(), nullptr, &out));
}
