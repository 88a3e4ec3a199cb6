// tests/plugin/host/host_test.cpp: packages of host code: called like any other, refused where something is wrong with
// them.
#include <dlfcn.h>
#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "../packages.hpp"

using namespace test;
using nlohmann::json;

namespace {

std::string object(int variant) {
  return std::string(TENON_TEST_OBJECTS) + "/libhost_object_" + std::to_string(variant) + ".so";
}

struct Hosted {
  ContextPtr context = new_context();
  DevicePtr device = test::device("cpu:0", context.get());
  PackagePtr package;
  Hosted() {
    tenon_package* made = nullptr;
    EXPECT_OK(tenon_plugin_load(context.get(), object(0).c_str(), nullptr, &made));
    package.reset(made);
  }
  OperationPtr operation(const char* name) const {
    tenon_operation* out = nullptr;
    EXPECT_OK(tenon_package_operation(package.get(), name, &out));
    return OperationPtr(out);
  }
  ArrayPtr array(std::vector<float> values) const {
    const int64_t n = int64_t(values.size());
    tenon_array* out = nullptr;
    EXPECT_OK(tenon_array_from_host(device.get(), TENON_FLOAT32, 1, &n, values.data(), values.size() * sizeof(float),
                                    nullptr, &out));
    return ArrayPtr(out);
  }
};

std::vector<float> values(const ArrayPtr& array) {
  std::vector<float> out(size_t(info(array.get()).size));
  EXPECT_OK(tenon_array_to_host(array.get(), out.data(), out.size() * sizeof(float), nullptr));
  return out;
}

}  // namespace

TEST(HostCode, is_called_like_any_operation) {
  const Hosted hosted;
  const OperationPtr scaled = hosted.operation("scaled");
  const ArrayPtr x = hosted.array({1, 2, 3}), y = hosted.array({0, 0, 0});
  tenon_arg args[4] = {TENON_ARRAY_ARG(x.get()), {}, {}, TENON_ARRAY_ARG(y.get())};
  OK(tenon_operation_call(scaled.get(), args, 4, nullptr));
  EXPECT_EQ((std::vector<float>{3, 6, 9}), values(y));
  const float add[2] = {10, 20};
  args[1] = TENON_F32_ARG(-1);
  args[2].kind = TENON_ARG_BYTES;
  args[2].size = sizeof add;
  args[2].value.bytes = add;
  OK(tenon_operation_call(scaled.get(), args, 4, nullptr));
  EXPECT_EQ((std::vector<float>{29, 28, 27}), values(y));
  tenon_call* made = nullptr;
  OK(tenon_operation_bind(scaled.get(), args, 4, nullptr, &made));
  OK(tenon_array_fill(x.get(), number(5), nullptr));
  OK(tenon_call_launch(made, nullptr));
  EXPECT_EQ((std::vector<float>{25, 25, 25}), values(y));
  tenon_kernel* kernel = nullptr;
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "the call is of an operation", tenon_call_kernel(made, &kernel));
  tenon_call_release(made);
}

TEST(HostCode, has_the_checks_tests_and_description_of_its_contract) {
  const Hosted hosted;
  const OperationPtr scaled = hosted.operation("scaled");
  tenon_blob* blob = nullptr;
  OK(tenon_operation_test(scaled.get(), hosted.device.get(), &blob));
  const json report = json::parse(text_of(blob));
  EXPECT_EQ(1, report["passed"]) << report;
  EXPECT_EQ(0, report["failed"]) << report;
  OK(tenon_package_describe(hosted.package.get(), &blob));
  const json description = json::parse(text_of(blob));
  EXPECT_EQ("host", description["operations"][0]["steps"][0]["kind"]);
  EXPECT_EQ("scaled", description["operations"][0]["steps"][0]["host"]);
  EXPECT_EQ(object(0), description["origin"].get<std::string>());
  const ArrayPtr many = hosted.array(std::vector<float>(1000)), two = hosted.array({1, 2});
  tenon_arg args[4] = {TENON_ARRAY_ARG(many.get()), {}, {}, TENON_ARRAY_ARG(many.get())};
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "n is 1000", tenon_operation_call(scaled.get(), args, 4, nullptr));
  args[0] = TENON_ARRAY_ARG(two.get());
  FAILS(TENON_ERROR_SHAPE, "y of hosted/scaled", tenon_operation_call(scaled.get(), args, 4, nullptr));
  tenon_array* strided = nullptr;
  const int64_t step = 2;
  OK(tenon_array_slice(many.get(), 1, nullptr, nullptr, &step, &strided));
  const ArrayPtr own(strided);
  args[0] = TENON_ARRAY_ARG(strided);
  FAILS(TENON_ERROR_LAYOUT, "not C-contiguous", tenon_operation_call(scaled.get(), args, 4, nullptr));
}

TEST(HostCode, sees_which_optional_arrays_are_there) {
  const Hosted hosted;
  const OperationPtr shifted = hosted.operation("shifted");
  tenon_operation_parameter_info info{};
  info.struct_size = sizeof info;
  OK(tenon_operation_get_parameter_info(shifted.get(), 1, &info));
  EXPECT_EQ(TENON_OPERAND_OPTIONAL, info.flags);
  const ArrayPtr x = hosted.array({1, 2, 3}), by = hosted.array({10, 20, 30}), y = hosted.array({0, 0, 0});
  tenon_arg args[3] = {TENON_ARRAY_ARG(x.get()), {}, TENON_ARRAY_ARG(y.get())};
  OK(tenon_operation_call(shifted.get(), args, 3, nullptr));
  EXPECT_EQ((std::vector<float>{1, 2, 3}), values(y));
  tenon_call* made = nullptr;
  OK(tenon_operation_bind(shifted.get(), args, 3, nullptr, &made));
  const tenon_arg given = TENON_ARRAY_ARG(by.get());
  OK(tenon_call_set(made, 1, &given));  // an input that was left out may be given later
  OK(tenon_call_launch(made, nullptr));
  EXPECT_EQ((std::vector<float>{11, 22, 33}), values(y));
  tenon_call_release(made);
  args[1] = TENON_F32_ARG(1);
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "pass an array, or an argument of kind 0",
        tenon_operation_call(shifted.get(), args, 3, nullptr));
  args[1] = {};
  args[0] = {};
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "x of hosted/shifted must be an array",
        tenon_operation_call(shifted.get(), args, 3, nullptr));
}

TEST(HostCode, is_one_step_among_others) {
  const Hosted hosted;
  const OperationPtr both = hosted.operation("both");
  const ArrayPtr x = hosted.array({1, 2, 3}), y = hosted.array({0, 0, 0});
  const tenon_arg args[2] = {TENON_ARRAY_ARG(x.get()), TENON_ARRAY_ARG(y.get())};
  const int32_t status = tenon_operation_call(both.get(), args, 2, nullptr);
  if (status == TENON_ERROR_MISSING_LIBRARY) GTEST_SKIP() << tenon_error_last_message();
  OK(status);
  EXPECT_EQ((std::vector<float>{-2, -3, -4}), values(y));
}

TEST(HostCode, that_fails_says_what_it_was) {
  const Hosted hosted;
  const OperationPtr fails = hosted.operation("fails");
  const ArrayPtr x = hosted.array({1});
  tenon_arg args[2] = {TENON_I32_ARG(1), TENON_ARRAY_ARG(x.get())};
  FAILS(TENON_ERROR_NOT_FOUND, "hosted/fails: its host function returned TENON_ERROR_NOT_FOUND: ",
        tenon_operation_call(fails.get(), args, 2, nullptr));
  EXPECT_NE(std::string(tenon_error_last_message()).find("cuda:63"), std::string::npos);
  args[0] = TENON_I32_ARG(2);
  FAILS(TENON_ERROR_NOT_FINITE, "TENON_ERROR_NOT_FINITE", tenon_operation_call(fails.get(), args, 2, nullptr));
  EXPECT_EQ(std::string(tenon_error_last_message()).find("cuda:63"), std::string::npos);  // that was another call
  args[0] = TENON_I32_ARG(3);
  FAILS(TENON_ERROR_VENDOR, "-1234", tenon_operation_call(fails.get(), args, 2, nullptr));
  tenon_error* record = nullptr;
  OK(tenon_error_last(&record));
  const ErrorPtr own(record);
  const char* call = "";
  int64_t code = 0;
  OK(tenon_error_native(record, &call, &code));
  EXPECT_EQ(-1234, code);
}

TEST(HostCode, is_not_recorded_or_reloaded) {
  const Hosted hosted;
  const OperationPtr fails = hosted.operation("fails");
  const ArrayPtr x = hosted.array({1});
  tenon_graph* graph = nullptr;
  OK(tenon_graph_create(hosted.device.get(), &graph));
  tenon_stream* stream = nullptr;
  OK(tenon_graph_begin(graph, &stream));
  const tenon_arg args[2] = {TENON_I32_ARG(1), TENON_ARRAY_ARG(x.get())};
  FAILS(TENON_ERROR_UNSUPPORTED, "cannot be recorded", tenon_operation_call(fails.get(), args, 2, stream));
  tenon_stream_release(stream);
  tenon_graph_release(graph);
  tenon_package* fresh = nullptr;
  FAILS(TENON_ERROR_UNSUPPORTED, "cannot be reloaded", tenon_package_reload(hosted.package.get(), &fresh));
}

TEST(HostCode, is_one_package_however_often_it_is_loaded_and_goes_when_nobody_has_it) {
  {
    const Hosted loads_it;
  }
  void* place = nullptr;
  ASSERT_EQ(1, std::sscanf(std::getenv("TENON_TEST_DESTROYED"), "%p", &place));
  int32_t& destroyed = *static_cast<int32_t*>(place);
  const int32_t before = destroyed;
  {
    const Hosted hosted;
    tenon_package* again = nullptr;
    OK(tenon_plugin_load(hosted.context.get(), object(0).c_str(), nullptr, &again));
    EXPECT_EQ(before + 1, destroyed);  // the second registration's functions are not needed
    const PackagePtr own(again);
    tenon_operation* found = nullptr;
    OK(tenon_operation_find(hosted.context.get(), "hosted/scaled", "^1.0", &found));
    OperationPtr(found).reset();
  }
  EXPECT_EQ(before + 2, destroyed);
}

TEST(HostCode, that_was_built_with_newer_headers_is_taken) {
  const ContextPtr context = new_context();
  tenon_package* made = nullptr;
  OK(tenon_plugin_load(context.get(), object(13).c_str(), nullptr, &made));
  const PackagePtr package(made);
  const DevicePtr cpu = device("cpu:0", context.get());
  const int64_t n = 3;
  const float given[] = {1, 2, 3};
  const struct {
    const char* name;
    std::vector<float> wanted;
  } operations[] = {{"scaled", {3, 6, 9}}, {"both", {-2, -3, -4}}};
  for (const auto& [name, wanted] : operations) {  // of functions 0 and 2 of the array
    tenon_operation* found = nullptr;
    OK(tenon_package_operation(package.get(), name, &found));
    const OperationPtr operation(found);
    tenon_array *x = nullptr, *y = nullptr;
    OK(tenon_array_from_host(cpu.get(), TENON_FLOAT32, 1, &n, given, sizeof given, nullptr, &x));
    OK(tenon_array_zeros(cpu.get(), TENON_FLOAT32, 1, &n, nullptr, &y));
    const ArrayPtr from(x), to(y);
    const bool both = name == std::string("both");
    tenon_arg args[] = {TENON_ARRAY_ARG(x), {}, {}, TENON_ARRAY_ARG(y)};
    if (both) args[1] = args[3];
    OK(tenon_operation_call(operation.get(), args, both ? 2 : 4, nullptr));
    EXPECT_EQ(wanted, values(to)) << name;
  }
}

TEST(HostCode, that_is_wrong_is_refused_and_leaves_the_registry_as_it_was) {
  const ContextPtr context = new_context();
  const auto refuse = [&](const std::string& path, int32_t status, const char* part,
                          const tenon_package_options* options = nullptr) {
    tenon_package* package = nullptr;
    FAILS(status, part, tenon_plugin_load(context.get(), path.c_str(), options, &package));
    EXPECT_EQ(nullptr, package);
    tenon_operation* operation = nullptr;
    EXPECT_EQ(TENON_ERROR_NOT_FOUND, tenon_operation_find(context.get(), "hosted/scaled", nullptr, &operation));
  };
  const auto needs = [](unsigned major, unsigned minor) {
    return "needs level " + std::to_string(major) + "." + std::to_string(minor) + " of Tenon (its tenon_plugin_level)";
  };
  refuse(object(1), TENON_ERROR_VERSION, needs(TENON_VERSION_MAJOR + 1, TENON_VERSION_MINOR).c_str());
  refuse(object(2), TENON_ERROR_VERSION, needs(TENON_VERSION_MAJOR, TENON_VERSION_MINOR + 1).c_str());
  refuse(object(3), TENON_ERROR_INVALID_ARGUMENT, "does not export tenon_plugin_level");
  refuse(object(4), TENON_ERROR_INVALID_ARGUMENT, "plugin.toml:2:11: \"1\" is not a version");
  refuse(object(5), TENON_ERROR_INVALID_ARGUMENT,
         "the host function \"missing\" is not registered; registered are: scaled, fails, negate");
  refuse(object(6), TENON_ERROR_INVALID_ARGUMENT, "does not export tenon_plugin_init");
  refuse(object(7), TENON_ERROR_INVALID_ARGUMENT, "has the name \"scaled\", which another function already has");
  refuse(object(8), TENON_ERROR_INVALID_ARGUMENT, "function 2 that it registers has no name, or is NULL");
  refuse(object(9), TENON_ERROR_VENDOR, "returned 77");
  refuse(object(10), TENON_ERROR_INVALID_ARGUMENT, "registered no package");
  refuse(object(11), TENON_ERROR_INVALID_ARGUMENT, "a second package");
  refuse(object(12), TENON_ERROR_VENDOR, "returned 78");
  refuse(object(14), TENON_ERROR_INVALID_ARGUMENT,
         "functions[2] is a tenon_host_function of a newer version that uses a field");
  refuse(object(15), TENON_ERROR_INVALID_ARGUMENT,
         "functions[0] has struct_size 8, but a tenon_host_function has 40 bytes: is it the sizeof of a pointer?");
  refuse(object(16), TENON_ERROR_NOT_FOUND, "returned TENON_ERROR_NOT_FOUND: there is no device \"cuda:63\"");
  refuse(object(17), TENON_ERROR_VERSION, "returned TENON_ERROR_VERSION");
  refuse("libz.so.1", TENON_ERROR_INVALID_ARGUMENT, "not an absolute path");
  refuse("./" + object(0), TENON_ERROR_INVALID_ARGUMENT, "not an absolute path");
  refuse("/nowhere/at/all.so", TENON_ERROR_NOT_FOUND, "/nowhere/at/all.so");
  refuse(TENON_TEST_OBJECTS, TENON_ERROR_IO, "is not a regular file");
  const Directory place;
  place.write("text.so", "this is no shared object");
  refuse(place / "text.so", TENON_ERROR_IO, "cannot be loaded");
  ASSERT_EQ(0, ::chmod((place / "text.so").c_str(), 0666));
  refuse(place / "text.so", TENON_ERROR_IO, "can be written by everybody");
  tenon_package_options options{};
  options.struct_size = sizeof options;
  const std::string wrong(64, '0');
  options.sha256 = wrong.c_str();
  const std::string mark = place / "mark", fresh = place / "fresh.so";
  ASSERT_EQ(0, ::setenv("TENON_TEST_MARK", mark.c_str(), 1));
  std::filesystem::copy_file(object(0), fresh);
  refuse(fresh, TENON_ERROR_IO, "was requested", &options);
  EXPECT_FALSE(std::filesystem::exists(mark)) << "its constructor ran";
  ASSERT_EQ(0, ::chmod(place.path().c_str(), 0777));
  refuse(fresh, TENON_ERROR_IO, "can be written by everybody");
  EXPECT_FALSE(std::filesystem::exists(mark)) << "its constructor ran";
  ASSERT_EQ(0, ::chmod(place.path().c_str(), 0700));
  options.sha256 = nullptr;
  options.flags = TENON_PACKAGE_SIGNED;
  refuse(object(0), TENON_ERROR_IO, "a shared object has none", &options);
}

// Replacing the file after the check has no effect: its name is not opened a second time.
TEST(HostCode, is_opened_from_the_bytes_that_were_looked_at) {
  const Directory place;
  const std::string mark = place / "mark", path = place / "fresh.so";
  ASSERT_EQ(0, ::setenv("TENON_TEST_MARK", mark.c_str(), 1));
  std::filesystem::copy_file(object(0), path);
  const ContextPtr context = new_context();
  tenon_package* package = nullptr;
  OK(tenon_plugin_load(context.get(), path.c_str(), nullptr, &package));
  const PackagePtr own(package);
  EXPECT_TRUE(std::filesystem::exists(mark));
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) EXPECT_EQ(line.find(path), std::string::npos) << line;
  ::unsetenv("TENON_TEST_MARK");
}

TEST(HostCode, named_by_a_directorys_contract_is_refused) {
  const Directory place;
  place.write("p/plugin.toml",
              "name = \"p\"\n[op.f]\nparameters = [\"in float32 x\", \"out float32 y\"]\nhost = \"system\"\n");
  tenon_package* package = nullptr;
  const ContextPtr context = new_context();
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "this package is not a shared object",
        tenon_package_load(context.get(), (place / "p").c_str(), nullptr, &package));
}
