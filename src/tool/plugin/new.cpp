// tool/plugin/new.cpp: `tenon plugin new`: a package to start from, with a gradient, tests, and calls from C and
// Python.
#include <filesystem>
#include "tool/commands.hpp"

namespace tool {
namespace {

constexpr const char* kContract =
    R"text(# The contract of this package; every key is explained in Tenon's kernels/README.md.
name = "NAME"
version = "0.1.0"
doc = "What this package is for, in one paragraph."

[op.NAME]
doc = "a * x + y, for each element."
parameters = ["in T x[...]: what is scaled", "in T y[...]: what is added", "scalar T a = 2", "out T r[...]"]
source = "NAME.cu"
kernel = "NAME<T>"
arguments = ["x", "y", "a", "r", "x.size"]
threads = "x.size"
gradient = "NAME_gradient"
test = [
  { given = { x = [1.0, 2.0, 3.0], y = [10.0, 20.0, 30.0] }, expect = { r = [12.0, 24.0, 36.0] } },
  { given = { x = "normal(37, 100)", y = "normal(37, 100)", a = -1.5 }, expect = { r = "a * x + y" } },
]

# What r's gradient makes of the gradients of x and y: one expression, no kernel.
[op.NAME_gradient]
doc = "The gradient of NAME."
parameters = ["scalar T a = 2", "in T grad_r", "out T grad_x", "out T grad_y"]
elementwise = "grad_x = a * grad_r; grad_y = grad_r"
test = [{ given = { grad_r = "normal(100)" }, expect = { grad_x = "2 * grad_r", grad_y = "grad_r" } }]
)text";

constexpr const char* kKernel = R"text(// One thread for each element; the last block has threads left over.
template <class T>
__global__ void NAME(const T* x, const T* y, T a, T* r, long long n) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n) r[i] = a * x[i] + y[i];
}
)text";

constexpr const char* kPython = R"text(# python call.py
import pathlib

import numpy
import tenon

tenon.plugins.load(pathlib.Path(__file__).resolve().parent)
x = numpy.arange(4, dtype="float32")
print(tenon.ops.NAME.NAME(x, x, a=10).tolist())
)text";

constexpr const char* kC = R"text(/* cc call.c $(pkg-config --cflags --libs tenon) -o call && ./call */
#include <stdio.h>
#include <tenon/tenon.h>

int main(int argc, char** argv) {
  const char* path = argc > 1 ? argv[1] : ".";
  float values[4] = {0, 1, 2, 3};
  int64_t n = 4;
  tenon_device* device;
  tenon_package* package;
  tenon_operation* operation;
  tenon_array *x, *r;
  if (tenon_context_device(NULL, "best", &device) || tenon_package_load(NULL, path, NULL, &package) ||
      tenon_package_operation(package, "NAME", &operation) ||
      tenon_array_from_host(device, TENON_FLOAT32, 1, &n, values, sizeof values, NULL, &x) ||
      tenon_array_create(device, TENON_FLOAT32, 1, &n, NULL, &r) ||
      tenon_operation_call(
          operation, (tenon_arg[]){TENON_ARRAY_ARG(x), TENON_ARRAY_ARG(x), TENON_F32_ARG(10), TENON_ARRAY_ARG(r)}, 4, NULL) ||
      tenon_array_to_host(r, values, sizeof values, NULL)) {
    fprintf(stderr, "%s\n", tenon_error_last_message());
    return 1;
  }
  printf("[%.1f, %.1f, %.1f, %.1f]\n", values[0], values[1], values[2], values[3]);
  tenon_array_release(r), tenon_array_release(x);
  tenon_operation_release(operation), tenon_package_release(package), tenon_device_release(device);
  return 0;
}
)text";

std::string filled_in(std::string text, const std::string& name) {
  for (size_t at = 0; (at = text.find("NAME", at)) != std::string::npos; at += name.size()) text.replace(at, 4, name);
  return text;
}

// The name must be valid in a contract, and have no meaning in C++, because the kernel has it too.
void check_name(const std::string& name) {
  bool good = !name.empty() && name.size() <= 64 && name[0] >= 'a' && name[0] <= 'z';
  for (const char c : name) good = good && ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_');
  if (!good)
    usage("\"" + name +
          "\" is not a package name: use lower-case letters, digits and _, a letter first, at most 64 of them");
  for (const char* word :
       {"auto",     "bool",     "break",  "case",   "char",   "class",     "const",  "delete",   "do",
        "double",   "else",     "enum",   "export", "extern", "false",     "float",  "for",      "friend",
        "goto",     "if",       "inline", "int",    "long",   "namespace", "new",    "operator", "private",
        "public",   "register", "return", "short",  "signed", "sizeof",    "static", "struct",   "switch",
        "template", "this",     "throw",  "true",   "try",    "typedef",   "union",  "unsigned", "using",
        "void",     "volatile", "while",  "x",      "y",      "a",         "r",      "n",        "i"})
    if (name == word) usage("\"" + name + "\" has another meaning in the kernel's source: choose another name");
}

}  // namespace

int run_plugin_new(const Arguments& arguments, Output& out) {
  namespace fs = std::filesystem;
  const std::string& name = arguments[0];
  check_name(name);
  const fs::path directory = fs::path(arguments.text("in", ".")) / name;
  std::error_code error;
  if (fs::exists(fs::symlink_status(directory, error)))
    throw Failure(kFailed, directory.string() + " already exists: nothing was written");
  fs::create_directories(directory, error);
  if (error) throw Failure(kFailed, directory.string() + " cannot be made: " + error.message());
  // Otherwise the package would be refused.
  fs::permissions(directory, fs::perms::group_write | fs::perms::others_write, fs::perm_options::remove, error);
  const std::pair<std::string, const char*> files[] = {
      {"plugin.toml", kContract}, {name + ".cu", kKernel}, {"call.py", kPython}, {"call.c", kC}};
  json written = json::array();
  for (const auto& [file, text] : files) {
    write_file((directory / file).string(), filled_in(text, name));
    fs::permissions(directory / file, fs::perms::group_write | fs::perms::others_write, fs::perm_options::remove,
                    error);
    written.push_back(file);
  }
  const std::string path = directory.lexically_normal().string();
  out.document({{"directory", path}, {"files", written}});
  out.line("made " + out.strong(path) + ": plugin.toml (the contract), " + name +
           ".cu (the kernel), call.py and call.c");
  out.line("next:  tenon plugin test " + path);
  out.line("       python " + path + "/call.py");
  out.line("       cc " + path + "/call.c $(pkg-config --cflags --libs tenon) -o call && ./call " + path);
  return kDone;
}

}  // namespace tool
