// tests/plugin/registry_test.cpp: files, archives, versions, the search path, reload, unload, and what can be read
// back.
#include <nlohmann/json.hpp>

#include "packages.hpp"

using namespace test;

namespace {

std::string contract(const std::string& name, const std::string& version, const std::string& expression = "y = x") {
  return "name = \"" + name + "\"\nversion = \"" + version +
         "\"\n[op.f]\nparameters = [\"in T x\", \"out T y\"]\nelementwise = \"" + expression + "\"\n";
}

PackagePtr load(tenon_context* context, const std::string& path) {
  tenon_package* out = nullptr;
  EXPECT_OK(tenon_package_load(context, path.c_str(), nullptr, &out));
  return PackagePtr(out);
}

nlohmann::json describe(const tenon_package* package) {
  tenon_blob* blob = nullptr;
  EXPECT_OK(tenon_package_describe(package, &blob));
  return nlohmann::json::parse(text_of(blob));
}

std::string version_of(tenon_context* context, const char* name, const char* range) {
  tenon_package* out = nullptr;
  if (tenon_package_find(context, name, range, &out)) return "";
  const PackagePtr own(out);
  return describe(out)["version"];
}

int32_t load_memory(tenon_context* context, const std::string& bytes, PackagePtr* out = nullptr) {
  tenon_package* package = nullptr;
  const int32_t status = tenon_package_load_memory(context, bytes.data(), bytes.size(), "p.tar", nullptr, &package);
  const PackagePtr own(package);
  if (out) *out = PackagePtr(package), tenon_package_retain(package);
  return status;
}

class SearchPath {
 public:
  explicit SearchPath(const std::string& path) { ::setenv("TENON_PLUGIN_PATH", path.c_str(), 1); }
  ~SearchPath() { ::unsetenv("TENON_PLUGIN_PATH"); }
};

}  // namespace

TEST(Registry, versions_stand_side_by_side_and_ranges_choose) {
  const ContextPtr context = new_context();
  const Directory place;
  for (const char* version : {"1.2.3", "1.10.0", "2.0.0", "3.0.0-beta.1"}) {
    place.write(version + std::string("/plugin.toml"), contract("p", version));
    load(context.get(), place / version);
  }
  struct {
    const char* range;
    const char* version;
  } const rows[] = {
      {nullptr, "2.0.0"},       {"", "2.0.0"},      {"*", "2.0.0"},         {"1", "1.10.0"},
      {"^1.2", "1.10.0"},       {"~1.2", "1.2.3"},  {"=1.2.3", "1.2.3"},    {"1.2.3", "1.10.0"},
      {">=1.2, <1.5", "1.2.3"}, {">1.10", "2.0.0"}, {"<=1.10.0", "1.10.0"}, {">=3.0.0-alpha", "3.0.0-beta.1"},
      {"<1.2.3", ""},           {">=4", ""}};
  for (const auto& row : rows) {
    SCOPED_TRACE(row.range ? row.range : "NULL");
    EXPECT_EQ(row.version, version_of(context.get(), "p", row.range));
  }
  tenon_package* out = nullptr;
  FAILS(TENON_ERROR_NOT_FOUND, "available: 1.2.3, 1.10.0, 2.0.0, 3.0.0-beta.1",
        tenon_package_find(context.get(), "p", ">=4", &out));
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "not a range", tenon_package_find(context.get(), "p", "new", &out));
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "not a range", tenon_package_find(context.get(), "p", ">=1,", &out));
}

TEST(Registry, the_same_content_is_one_package_and_other_content_needs_another_version) {
  const ContextPtr context = new_context();
  const Directory place;
  place.write("a/plugin.toml", contract("p", "1.0.0"));
  place.write("b/plugin.toml", contract("p", "1.0.0"));
  place.write("c/plugin.toml", contract("p", "1.0.0", "y = -x"));
  const PackagePtr a = load(context.get(), place / "a"), b = load(context.get(), place / "b");
  EXPECT_EQ(describe(b.get())["origin"], place / "a");
  tenon_package* out = nullptr;
  FAILS(TENON_ERROR_VERSION, "p 1.0.0 is already loaded from " + (place / "a"),
        tenon_package_load(context.get(), (place / "c").c_str(), nullptr, &out));
  OK(tenon_package_unload(a.get()));
  FAILS(TENON_ERROR_NOT_FOUND, "no longer loaded", tenon_package_unload(b.get()));
  const PackagePtr c = load(context.get(), place / "c");
}

TEST(Registry, reload_replaces_what_changed_and_old_handles_keep_the_old) {
  const ContextPtr context = new_context();
  const Directory place;
  place.write("p/plugin.toml", contract("p", "1.0.0"));
  const PackagePtr old = load(context.get(), place / "p");
  tenon_operation* operation = nullptr;
  OK(tenon_package_operation(old.get(), "f", &operation));
  const OperationPtr own(operation);
  tenon_package* out = nullptr;
  OK(tenon_package_reload(old.get(), &out));
  EXPECT_EQ(describe(out)["hash"], describe(old.get())["hash"]);
  tenon_package_release(out);

  place.write("p/plugin.toml", "name = \"p\"\nversion = 3\n");
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "plugin.toml:2:11", tenon_package_reload(old.get(), &out));
  EXPECT_EQ("1.0.0", version_of(context.get(), "p", nullptr));

  place.write("p/plugin.toml", contract("p", "1.1.0", "y = -x"));
  OK(tenon_package_reload(old.get(), &out));
  const PackagePtr fresh(out);
  EXPECT_EQ("1.1.0", version_of(context.get(), "p", nullptr));
  EXPECT_EQ(describe(old.get())["version"], "1.0.0");
  tenon_blob* blob = nullptr;
  OK(tenon_operation_describe(operation, &blob));
  EXPECT_NE(text_of(blob).find("y = x"), std::string::npos);
  FAILS(TENON_ERROR_NOT_FOUND, "no longer loaded", tenon_package_reload(old.get(), &out));
}

TEST(Registry, an_operation_is_one_object_while_it_is_held_and_outlives_its_package) {
  const ContextPtr context = new_context();
  const Directory place;
  place.write("p/plugin.toml", contract("p", "1.0.0"));
  PackagePtr package = load(context.get(), place / "p");
  tenon_operation* operation = nullptr;
  OK(tenon_operation_find(context.get(), "p/f", nullptr, &operation));
  const OperationPtr own(operation);
  OK(tenon_package_unload(package.get()));
  package.reset();
  tenon_operation_info info{};
  info.struct_size = sizeof info;
  OK(tenon_operation_get_info(operation, &info));
  EXPECT_EQ(info.parameter_count, 2);
  EXPECT_EQ(info.output_count, 1);
  EXPECT_EQ(info.flags,
            TENON_OPERATION_DETERMINISTIC | TENON_OPERATION_IN_PLACE | TENON_OPERATION_CPU | TENON_OPERATION_CUDA);
  tenon_operation* none = nullptr;
  FAILS(TENON_ERROR_NOT_FOUND, "no package \"p\"", tenon_operation_find(context.get(), "p/f", nullptr, &none));
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "package/name", tenon_operation_find(context.get(), "f", nullptr, &none));
  FAILS(TENON_ERROR_NOT_FOUND, "declares no gradient", tenon_operation_gradient(operation, &none));
}

TEST(Registry, the_search_path_is_absolute_directories_and_never_the_current_one) {
  const ContextPtr context = new_context();
  const Directory place;
  place.write("one/p/plugin.toml", contract("p", "1.0.0"));
  place.write("one/p-2.tar", tar({{"plugin.toml", contract("p", "2.0.0")}}));
  place.write("two/p/plugin.toml", contract("p", "3.0.0"));
  place.write("two/q/plugin.toml", "name = ");
  const std::string here = std::filesystem::current_path();
  std::filesystem::current_path(place / "two");
  tenon_package* out = nullptr;
  {
    const SearchPath none(".:two:");
    FAILS(TENON_ERROR_NOT_FOUND, "there is no package \"p\"", tenon_package_find(context.get(), "p", nullptr, &out));
  }
  std::filesystem::current_path(here);
  const SearchPath path((place / "none") + ":" + (place / "one") + ":" + (place / "two"));
  EXPECT_EQ("2.0.0", version_of(context.get(), "p", nullptr));  // the first directory with a matching one
  EXPECT_EQ("3.0.0", version_of(context.get(), "p", ">=3"));
  EXPECT_EQ("3.0.0", version_of(context.get(), "p", nullptr));  // it is loaded now
  tenon_blob* blob = nullptr;
  OK(tenon_package_list(context.get(), &blob));
  nlohmann::json list;  // without the packages of the library's own source tree
  for (const nlohmann::json& one : nlohmann::json::parse(text_of(blob)))
    if (std::string(one["origin"]).starts_with(std::string(place / ""))) list.push_back(one);
  ASSERT_EQ(list.size(), 4u);
  EXPECT_EQ(list[0]["loaded"], true);
  EXPECT_EQ(list[2]["version"], "1.0.0");
  EXPECT_EQ(list[2]["loaded"], false);
  EXPECT_NE(std::string(list[3]["fault"]).find("plugin.toml:1:8"), std::string::npos);
}

TEST(Files, links_foreign_rights_and_what_is_no_file_are_refused) {
  const ContextPtr context = new_context();
  const Directory place;
  const auto refused = [&](const char* package, int32_t status, const std::string& reason) {
    tenon_package* out = nullptr;
    FAILS(status, reason, tenon_package_load(context.get(), (place / package).c_str(), nullptr, &out));
  };
  const auto good = [&](const std::string& package) { place.write(package + "/plugin.toml", contract("p", "1.0.0")); };
  refused("none", TENON_ERROR_NOT_FOUND, "none cannot be opened");
  place.write("empty/readme.txt", "");
  refused("empty", TENON_ERROR_NOT_FOUND, "no plugin.toml");

  good("link_out");
  std::filesystem::create_symlink("/etc/passwd", place / "link_out/k.cu");
  refused("link_out", TENON_ERROR_IO, "link_out/k.cu is a symbolic link");
  good("link_directory");
  std::filesystem::create_directory_symlink("/etc", place / "link_directory/more");
  refused("link_directory", TENON_ERROR_IO, "link_directory/more is a symbolic link");
  std::filesystem::create_directories(place / "link_contract");
  std::filesystem::create_symlink(place / "link_out/plugin.toml", place / "link_contract/plugin.toml");
  refused("link_contract", TENON_ERROR_IO, "plugin.toml is a symbolic link");

  good("open_file");
  ::chmod((place / "open_file/plugin.toml").c_str(), 0666);
  refused("open_file", TENON_ERROR_IO, "plugin.toml can be written by everybody");
  good("open_directory");
  ::chmod((place / "open_directory").c_str(), 0777);
  refused("open_directory", TENON_ERROR_IO, "open_directory can be written by everybody");
  if (::geteuid() == 0) {
    good("foreign");
    ASSERT_EQ(0, ::chown((place / "foreign/plugin.toml").c_str(), 12345, 12345));
    refused("foreign", TENON_ERROR_IO, "belongs to another user");
  }
  good("pipe");
  ASSERT_EQ(0, ::mkfifo((place / "pipe/k.cu").c_str(), 0600));
  refused("pipe", TENON_ERROR_IO, "neither a file nor a directory");
  good("large");
  place.write("large/k.cu", "");
  std::filesystem::resize_file(place / "large/k.cu", uint64_t(17) << 20);
  refused("large", TENON_ERROR_IO, "k.cu cannot be read");
  good("deep/1/2/3/4/5/6/7/8/9");
  place.write("deep/plugin.toml", contract("p", "1.0.0"));
  refused("deep", TENON_ERROR_IO, "nested too deep");

  tenon_package_options options{};
  options.struct_size = sizeof options;
  options.flags = TENON_PACKAGE_ANY_OWNER;
  tenon_package* out = nullptr;
  OK(tenon_package_load(context.get(), (place / "open_directory").c_str(), &options, &out));
  tenon_package_release(out);
}

TEST(Files, the_content_hash_can_be_asked_for) {
  const ContextPtr context = new_context();
  const Directory place;
  place.write("p/plugin.toml", contract("p", "1.0.0"));
  tenon_blob* blob = nullptr;
  OK(tenon_package_check(context.get(), (place / "p").c_str(), nullptr, &blob));
  const std::string hash = nlohmann::json::parse(text_of(blob))["hash"];
  tenon_package_options options{};
  options.struct_size = sizeof options;
  options.sha256 = hash.c_str();
  tenon_package* out = nullptr;
  OK(tenon_package_load(context.get(), (place / "p").c_str(), &options, &out));
  tenon_package_release(out);
  place.write("p/more.cuh", "// more");
  FAILS(TENON_ERROR_IO, hash, tenon_package_load(context.get(), (place / "p").c_str(), &options, &out));
  options.sha256 = "abc";
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "64 hexadecimal digits",
        tenon_package_load(context.get(), (place / "p").c_str(), &options, &out));
}

TEST(Archive, tar_files_are_packages_and_anything_odd_in_them_is_refused) {
  const ContextPtr context = new_context();
  const std::string toml = contract("p", "1.0.0");
  PackagePtr package;
  EXPECT_OK(load_memory(context.get(),
                        tar({{"p/", "", '5'}, {"p/plugin.toml", toml}, {"p/src/k.cu", "//"}, {"p/readme.txt", "x"}}),
                        &package));
  tenon_blob* blob = nullptr;
  OK(tenon_package_file(package.get(), "src/k.cu", &blob));
  EXPECT_EQ("//", text_of(blob));
  FAILS(TENON_ERROR_NOT_FOUND, "its files: plugin.toml, src/k.cu",
        tenon_package_file(package.get(), "readme.txt", &blob));
  tenon_package* none = nullptr;
  FAILS(TENON_ERROR_UNSUPPORTED, "loaded from memory", tenon_package_reload(package.get(), &none));

  std::string damaged = tar({{"plugin.toml", toml}});
  damaged[3] ^= 1;
  std::string behind = tar({{"plugin.toml", toml}});
  behind.back() = 'x';
  const std::string whole = tar({{"plugin.toml", toml}});
  std::vector<TarEntry> many = {{"plugin.toml", toml}};
  for (int i = 0; i < 1100; ++i) many.push_back({"k" + std::to_string(i) + ".cu", ""});
  struct {
    const char* what;
    std::string bytes;
    const char* reason;
    int32_t status = TENON_ERROR_IO;
  } const rows[] = {
      {"no bytes", "", "not a tar file"},
      {"no archive", std::string(1024, 'x'), "not a tar header"},
      {"truncated", whole.substr(0, 700), "truncated"},
      {"truncated after the header", whole.substr(0, 512), "says that it has"},
      {"without an end", whole.substr(0, 1024), "no end"},
      {"a damaged header", damaged, "wrong checksum"},
      {"something behind the end", behind, "after its end"},
      {"a path that climbs", tar({{"plugin.toml", toml}, {"../k.cu", ""}}),
       "entry 2, \"../k.cu\", leads out of the package"},
      {"a path that climbs later", tar({{"plugin.toml", toml}, {"a/../../k.cu", ""}}), "leads out of the package"},
      {"an absolute path", tar({{"plugin.toml", toml}, {"/etc/k.cu", ""}}), "has an absolute path"},
      {"a symbolic link", tar({{"plugin.toml", toml}, {"k.cu", "", '2', "/etc/passwd"}}),
       "entry 2, \"k.cu\", is a symbolic link"},
      {"a hard link", tar({{"plugin.toml", toml}, {"k.cu", "", '1', "plugin.toml"}}), "is a hard link"},
      {"a device", tar({{"plugin.toml", toml}, {"k.cu", "", '3'}}), "is a device"},
      {"a pax header", tar({{"x", "30 mtime=1\n", 'x'}, {"plugin.toml", toml}}), "pax extension"},
      {"a bomb", tar({{"plugin.toml", toml}, {"k.cu", "", '0', "", int64_t(8) << 30}}), "too many"},
      {"a size past its end", tar({{"plugin.toml", toml}, {"k.cu", "", '0', "", 4096}}), "too many"},
      {"many files", tar(many), "more than 1024 files"},
      {"a file twice", tar({{"plugin.toml", toml}, {"k.cu", "a"}, {"k.cu", "b"}}), "is listed twice"},
      {"a file that is a directory too", tar({{"plugin.toml", toml}, {"a.cu", "a"}, {"a.cu/b.cu", "b"}}),
       "\"a.cu\" is both a file and a directory"},
      {"a name in capitals", tar({{"plugin.toml", toml}, {"k.cu", "a"}, {"K.CU", "b"}, {"k.h", "b"}, {"K.h", "b"}}),
       "differ only in case"},
      {"a compressed one", "\x1f\x8b" + std::string(1022, 'x'), "is compressed"},
      {"an escape", tar({{"plugin.toml", toml}, {"k\033[2J.cu", ""}}), "\"k?[2J.cu\""},
      {"a control character", tar({{"plugin.toml", toml}, {"k\n.cu", ""}}), "a character in its path"},
      {"nested too deep", tar({{"plugin.toml", toml}, {"1/2/3/4/5/6/7/8/9/k.cu", ""}}), "nested too deep"},
      {"no contract", tar({{"k.cu", ""}}), "no plugin.toml", TENON_ERROR_NOT_FOUND},
      {"two tops", tar({{"a/plugin.toml", toml}, {"b/k.cu", ""}}), "no plugin.toml", TENON_ERROR_NOT_FOUND},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.what);
    FAILS(row.status, row.reason, load_memory(context.get(), row.bytes));
  }
  EXPECT_EQ("1.0.0", version_of(context.get(), "p", nullptr));
}

TEST(Contract, everything_can_be_read_back) {
  const ContextPtr context = new_context();
  const Directory place;
  place.write("p/k.cu", "");
  place.write("p/plugin.toml", R"toml(name = "p"
version = "1.2.3"
doc = "a package"
license = "MIT"
authors = ["A", "B"]
[op.blur]
doc = "blurs"
types = { T = "floating", A = { from = "T", float16 = "float32" } }
parameters = [
  "in T x[..., h, w]: the image",
  "scalar float64 sigma[*] = 1.5: of each axis",
  "scalar {reflect, wrap} mode = wrap",
  "out T y[..., h, w]",
]
let = ["radius = int(4 * sigma[0] + 0.5)"]
require = [{ that = "sigma.size == 2", message = "{sigma.size} sigmas" }]
temporaries = ["A t like x"]
tunables = { tile = [16, 32] }
devices = ["cuda"]
compute = "8.0"
deterministic = false
gradient = "blur_gradient"
source = "k.cu"
kernel = "blur<T, A, {tile}>"
arguments = ["x", "y", "t", "radius", "x.shape"]
grid = ["ceil_div(w, tile)", "ceil_div(h, tile)", "prod(x.shape, 0, -2)"]
block = ["tile", "tile"]
shared = "tile * tile * T.itemsize"
[op.blur_gradient]
parameters = ["in T grad_y", "out T grad_x"]
elementwise = "grad_x = grad_y"
)toml");
  const PackagePtr package = load(context.get(), place / "p");
  const nlohmann::json all = describe(package.get());
  EXPECT_EQ(all["authors"], nlohmann::json({"A", "B"}));
  const nlohmann::json& op = all["operations"][0];
  EXPECT_EQ(op["parameters"][0],
            nlohmann::json::parse(
                R"({"name": "x", "role": "in", "type": "T", "shape": ["...", "h", "w"], "doc": "the image"})"));
  EXPECT_EQ(op["parameters"][1]["default"], "1.5");
  EXPECT_EQ(op["parameters"][2]["default"], "wrap");
  EXPECT_EQ(op["parameters"][2]["choices"], nlohmann::json({"reflect", "wrap"}));
  EXPECT_EQ(op["types"]["A"], nlohmann::json({"float32", "float64", "bfloat16"}));
  EXPECT_EQ(op["let"]["radius"], "int(4 * sigma[0] + 0.5)");
  EXPECT_EQ(op["tunables"]["tile"]["values"], nlohmann::json({16, 32}));
  EXPECT_EQ(op["devices"], nlohmann::json({"cuda"}));
  EXPECT_EQ(op["compute"], "8.0");
  EXPECT_EQ(op["deterministic"], false);
  EXPECT_EQ(op["gradient"], "blur_gradient");
  EXPECT_EQ(op["steps"][0]["grid"][2], "prod(x.shape, 0, -2)");

  tenon_operation* operation = nullptr;
  OK(tenon_operation_find(context.get(), "p/blur", "^1.2", &operation));
  const OperationPtr own(operation);
  tenon_operation_parameter_info info{};
  info.struct_size = sizeof info;
  OK(tenon_operation_get_parameter_info(operation, 1, &info));
  EXPECT_EQ(info.role, TENON_ROLE_SCALAR);
  EXPECT_EQ(info.flags, TENON_OPERAND_HAS_DEFAULT | TENON_OPERAND_LIST);
  EXPECT_EQ(info.dtype, TENON_FLOAT64);
  EXPECT_STREQ(info.name, "sigma");
  EXPECT_STREQ(info.doc, "of each axis");
  FAILS(TENON_ERROR_INVALID_ARGUMENT, "parameter 4 of p/blur is out of range: it has 4",
        tenon_operation_get_parameter_info(operation, 4, &info));
  tenon_operation* gradient = nullptr;
  OK(tenon_operation_gradient(operation, &gradient));
  const OperationPtr own_gradient(gradient);
  tenon_package* out = nullptr;
  OK(tenon_operation_package(gradient, &out));
  tenon_package_release(out);
}
