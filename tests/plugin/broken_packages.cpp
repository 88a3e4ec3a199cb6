// tests/plugin/broken_packages.cpp: packages with one fault each: refused with file, line, column and reason, and the
// registry stays as it was.
#include "packages.hpp"

using namespace test;

namespace {

struct Broken {
  const char* what;
  const char* text;    // of plugin.toml; k.cu exists
  const char* place;   // "line:column"; "" if the fault has no place
  const char* reason;  // a part of the message
  int32_t status = TENON_ERROR_INVALID_ARGUMENT;
};

#define OP "name = \"p\"\n[op.f]\n"
#define XY OP "parameters = [\"in T x\", \"out T y\"]\n"
#define KERNEL XY "source = \"k.cu\"\n"

const Broken kBroken[] = {
    // TOML and the package's own keys.
    {"no TOML", "name = ", "1:8", "value"},
    {"key twice", "name = \"p\"\nname = \"q\"\n", "2:", "name"},
    {"no name", "version = \"1.0.0\"\n[op.f]\n", "1:1", "no `name`"},
    {"name with a capital", "name = \"Pack\"\n", "1:8", "not a name for a package"},
    {"name with a path", "name = \"../p\"\n", "1:8", "not a name for a package"},
    {"name that is a number", "name = 3\n", "1:8", "must be a string"},
    {"version", "name = \"p\"\nversion = \"1.0\"\n", "2:11", "not a version"},
    {"version with a leading zero", "name = \"p\"\nversion = \"1.02.0\"\n", "2:11", "not a version"},
    {"unknown key",
     "name = \"p\"\nlicence = \"MIT\"\n[op.f]\nparameters = [\"inout float32 y\"]\nelementwise = \"y = 1\"\n", "2:1",
     "unknown key `licence`"},
    {"newer format", "format = 2\nname = \"p\"\n", "1:10", "format 2", TENON_ERROR_VERSION},
    {"newer Tenon", "requires = \"1.99\"\nname = \"p\"\n", "1:12", "needs level 1.99", TENON_ERROR_VERSION},
    {"other major", "requires = \"2.0\"\nname = \"p\"\n", "1:12", "needs level 2.0", TENON_ERROR_VERSION},
    {"requires is no level", "requires = \"new\"\nname = \"p\"\n", "1:12", "\"new\": it must be"},
    {"no operation", "name = \"p\"\n", "1:1", "no operation"},
    {"op is no table", "name = \"p\"\nop = 3\n", "2:6", "must be a table"},
    {"operation's name", "name = \"p\"\n[op.\"a-b\"]\nparameters = [\"inout float32 y\"]\n", "2:5",
     "not a name for an operation"},
    {"authors", "name = \"p\"\nauthors = [\"a\", 3]\n", "2:17", "each must be a string"},
    // Parameters.
    {"no parameters", OP "elementwise = \"y = x\"\n", "2:1", "no `parameters`"},
    {"no role", OP "parameters = [\"T x\"]\n", "3:16", "where in, out, inout or scalar should be"},
    {"no type", OP "parameters = [\"in x\"]\n", "3:19", "`x` is not a type"},
    {"unknown dtype", OP "parameters = [\"in float33 x\", \"out T y\"]\n", "3:19", "`float33` is not a type"},
    {"no parameter name", OP "parameters = [\"in T\"]\n", "3:20", "the parameter's name"},
    {"capital parameter", OP "parameters = [\"in T X\", \"out T y\"]\n", "3:21", "begins with a capital"},
    {"name twice", OP "parameters = [\"in T x\", \"out T x\"]\n", "3:32", "used twice"},
    {"reserved name", OP "parameters = [\"in T min\", \"out T y\"]\n", "3:21", "reserved word"},
    {"nothing written", OP "parameters = [\"in T x\"]\nelementwise = \"\"\n", "2:5", "writes nothing"},
    {"out type from nothing", OP "parameters = [\"in float32 x\", \"out T y\"]\nelementwise = \"y = x\"\n", "2:5",
     "the type `T` of f is undetermined"},
    {"out shape from nothing", OP "parameters = [\"scalar float32 a\", \"out float32 y\"]\nelementwise = \"y = a\"\n",
     "3:36", "the shape of `y` is unknown"},
    {"default of an array", OP "parameters = [\"in T x = 3\", \"out T y\"]\n", "3:23",
     "only a scalar can have a default"},
    {"packed output", OP "parameters = [\"in T x\", \"out packed T y\"]\n", "3:30", "only an input can be packed"},
    {"strided and packed", OP "parameters = [\"in strided packed T x\", \"out T y\"]\n", "3:34", "not both"},
    {"text after", OP "parameters = [\"in T x, y\", \"out T y\"]\n", "3:22", "documentation follows a colon"},
    {"open shape", OP "parameters = [\"in T x[n\", \"out T y\"]\n", "3:24", "where `]` should be"},
    {"two leading", OP "parameters = [\"in T x[..., n, ...]\", \"out T y\"]\n", "3:31", "twice"},
    {"any extent of an output", OP "parameters = [\"in T x\", \"out T y[*]\"]\n", "3:34", "gives y no extent"},
    {"unknown extent of an output", OP "parameters = [\"in T x\", \"out T y[n]\"]\n", "3:34", "no `n` here"},
    {"like nothing", OP "parameters = [\"in T x\", \"out T y like z\"]\n", "3:39", "`z` is not an array"},
    {"real extent", OP "parameters = [\"in T x[n]\", \"out T y[n * 1.5]\"]\n", "3:37", "int(...)"},
    {"default is no choice", OP "parameters = [\"in T x\", \"scalar {a, b} m = c\", \"out T y\"]\n", "3:44",
     "`c` is not one of the choices"},
    {"choice twice", OP "parameters = [\"in T x\", \"scalar {a, a} m\", \"out T y\"]\n", "3:37", "twice"},
    {"complex default", OP "parameters = [\"in T x\", \"scalar complex64 a = 1\", \"out T y\"]\n", "3:45",
     "complex scalar cannot have a default"},
    // Outputs get their shapes after everything that is given.
    {"extent of an output", OP "parameters = [\"in T x\", \"out T y\", \"in T w[y.size]\"]\n", "3:44",
     "`y` is an output: its shape is computed"},
    {"shape of an output", OP "parameters = [\"in T x\", \"out T y\", \"in T w[y.shape]\"]\n", "3:44",
     "`y` is an output"},
    {"like an output", OP "parameters = [\"in T x\", \"out T y\", \"in T w like y\"]\n", "3:49", "`y` is an output"},
    {"product of an output", OP "parameters = [\"in T x\", \"out T y\", \"in T w[prod(y.shape, 0, 1)]\"]\n", "3:49",
     "`y` is an output"},
    {"default by an output", OP "parameters = [\"in T x\", \"out T y\", \"scalar int64 m = y.rank\"]\n", "3:54",
     "`y` is an output"},
    {"list by an output", OP "parameters = [\"in T x\", \"out T y\", \"scalar int64 m[y.rank] = 1\"]\n", "3:52",
     "`y` is an output"},
    {"optional output", OP "parameters = [\"in T x\", \"out optional T y\"]\n", "3:30",
     "only an input can be optional"},
    {"optional scalar", OP "parameters = [\"in T x\", \"scalar optional T a\", \"out T y\"]\n", "3:33",
     "needs a default"},
    {"extent of an optional input", OP "parameters = [\"in T x\", \"in optional T b[n]\", \"out T y\"]\n", "3:42",
     "`n` is unknown if b is not given"},
    {"like an optional input", OP "parameters = [\"in T x\", \"in optional T b\", \"out T y like b\"]\n", "3:58",
     "no shape can be taken from it"},
    {"extents of an optional input", OP "parameters = [\"in T x\", \"in optional T b\", \"out T y[b.shape]\"]\n",
     "3:53", "no shape can be taken from it"},
    {"leading extents of an optional input",
     OP "parameters = [\"in T x[n]\", \"in optional T b[..., n]\", \"out T y[...]\"]\n", "3:29",
     "`...` is unknown if b is not given"},
    {"type of an optional input", OP "parameters = [\"in float32 x\", \"in optional T b\", \"out T y\"]\n", "2:5",
     "the type `T` of f is undetermined"},
    {"shape of an optional input", OP "parameters = [\"in optional float32 b\", \"out float32 y\"]\n", "3:41",
     "the shape of `y` is unknown"},
    {"gradient that needs an optional input",
     OP
     "parameters = [\"in T x\", \"in optional T b\", \"out T y\"]\nkernel = \"k<T>\"\nsource = \"k.cu\"\ngradient = \"g\"\n[op.g]\nparameters = [\"in T b\", \"in T grad_y\", \"out T grad_x\"]\nelementwise = \"grad_x = b * grad_y\"\n",
     "6:12", "declare it optional here, too"},
    {"saved input", OP "parameters = [\"in saved T x\", \"out T y\"]\n", "3:19", "only an output can be saved"},
    {"gradient of a saved output",
     OP
     "parameters = [\"in T x\", \"out T y\", \"out saved T m like x\"]\nelementwise = \"y = x; m = x\"\ngradient = \"g\"\n[op.g]\nparameters = [\"in T grad_m\", \"out T grad_x\"]\nelementwise = \"grad_x = grad_m\"\n",
     "5:12", "outputs that are not saved"},
    // Names that some host cannot use.
    {"keyword of C++", OP "parameters = [\"in T for\", \"out T y\"]\n", "3:21", "`for` is a keyword of C"},
    {"keyword of Python", OP "parameters = [\"in T lambda\", \"out T y\"]\n", "3:21",
     "`lambda` is a keyword of Python"},
    {"keyword of Rust", OP "parameters = [\"in T match\", \"out T y\"]\n", "3:21", "`match` is a keyword of Rust"},
    {"keyword of Julia", OP "parameters = [\"in T end\", \"out T y\"]\n", "3:21", "`end` is a keyword of Julia"},
    {"argument of every call", OP "parameters = [\"in T stream\", \"out T y\"]\n", "3:21",
     "`stream` is an argument that calls have"},
    {"the object itself", OP "parameters = [\"in T x\", \"scalar T self\", \"out T y\"]\n", "3:35",
     "`self` is a keyword of Rust"},
    {"method of a package", "name = \"p\"\n[op.prepare]\nparameters = [\"inout float32 y\"]\nelementwise = \"y = 1\"\n",
     "2:5", "`prepare` is a method of packages"},
    {"operation that is a keyword",
     "name = \"p\"\n[op.import]\nparameters = [\"inout float32 y\"]\nelementwise = \"y = 1\"\n", "2:5",
     "`import` is a keyword"},
    {"package that is a keyword", "name = \"class\"\n", "1:8", "`class` is a keyword"},
    {"value that is a keyword", XY "let = [\"int = 1\"]\n", "4:9", "`int` is "},
    {"value that is a keyword of C++", XY "let = [\"while = 1\"]\n", "4:9", "`while` is a keyword of C"},
    {"list that is a keyword", XY "let = [\"switch[k < 3] = 1\"]\n", "4:9", "`switch` is a keyword of C"},
    {"extent that is a keyword", OP "parameters = [\"in T x[auto]\", \"out T y\"]\n", "3:23",
     "`auto` is a keyword of C"},
    {"tunable that is a keyword", KERNEL "tunables = { register = [1] }\n", "5:14", "`register` is a keyword of C"},
    // Texts that could reach terminals, and texts that the TOML parser would not survive.
    {"control character", "name = \"p\"\ndoc = \"\\u001b]0;title\\u0007\"\n", "2:7", "control character"},
    {"control character in a key", "name = \"p\"\n\"\\u001b[2J\" = 1\n", "2:1", "control character"},
    {"letter outside a string", "name = \"p\"\n\u00e9 = 1\n", "2:1", "non-ASCII letter outside a string"},
    {"letter behind one that is inside", "name = \"p\" # \u00e9\ndoc = \"\u00e9\\\"\" \ufef0\n", "2:13",
     "non-ASCII letter outside a string"},
    // Types.
    {"placeholder in small letters", OP "types = { t = \"floating\" }\nparameters = [\"in T x\", \"out T y\"]\n",
     "3:11", "begins with a capital letter"},
    {"unknown set", OP "types = { T = \"numbers\" }\n", "3:15", "neither a dtype"},
    {"dtype twice", OP "types = { T = [\"float32\", \"floating\"] }\n", "3:27", "twice"},
    {"not a dtype", OP "types = { T = [] }\n", "3:15", "may be nothing"},
    {"follows nothing", OP "types = { T = { from = \"S\" } }\n", "3:24", "declared before"},
    {"follows with another dtype", OP "types = { T = \"floating\", A = { from = \"T\", int32 = \"float32\" } }\n",
     "3:45", "not a dtype that T may be"},
    // Expressions.
    {"unknown name", XY "let = [\"n = z + 1\"]\n", "4:13", "no `z` here"},
    {"unknown fact", XY "let = [\"n = x.length\"]\n", "4:15", "no `length`"},
    {"unknown function", XY "let = [\"n = cube(3)\"]\n", "4:13", "no function `cube`"},
    {"an array as a number", XY "let = [\"n = x + 1\"]\n", "4:13", "an array"},
    {"chained", XY "require = [\"0 < x.rank < 3\"]\n", "4:24", "cannot be chained"},
    {"open bracket", XY "let = [\"n = (1 + 2\"]\n", "4:19", "where `)` should be"},
    {"nothing after +", XY "let = [\"n = 1 +\"]\n", "4:16", "the end"},
    {"overflow", XY "let = [\"n = 9223372036854775807 + 1\"]\n", "4:33", "does not fit in 64 bits",
     TENON_ERROR_OVERFLOW},
    {"literal overflow", XY "let = [\"n = 9223372036854775808\"]\n", "4:13", "does not fit in 64 bits"},
    {"product overflow", KERNEL "threads = \"4294967296 * 4294967296\"\n", "5:23", "does not fit in 64 bits",
     TENON_ERROR_OVERFLOW},
    {"division by zero", XY "let = [\"n = 1 / (2 - 2)\"]\n", "4:15", "is undefined"},
    {"a real that is too large", XY "let = [\"n = int(1e300)\"]\n", "4:13", "does not fit in a 64-bit integer",
     TENON_ERROR_OVERFLOW},
    {"nested too deep",
     XY
     "let = [\"n = ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))\"]\n",
     "4:", "nested more than 60 levels deep"},
    {"a type compared with a number", XY "require = [\"T == 3\"]\n", "4:13", "only with a quoted name"},
    {"a type compared with no dtype", XY "require = [\"T == 'float31'\"]\n", "4:18", "not a dtype"},
    {"sum without a counter", XY "let = [\"n = sum(3)\"]\n", "4:17", "a counter's name"},
    {"sum without a bound", XY "let = [\"n = sum(k, k)\"]\n", "4:18", "adds the values for k"},
    {"sum over a name that is taken", XY "let = [\"n = 3\", \"m = sum(n < 4, n)\"]\n", "4:26",
     "the name `n` is already used"},
    {"sum of an array", XY "let = [\"n = sum(k < 3, x)\"]\n", "4:24", "is an array"},
    {"sum to a real", XY "let = [\"n = sum(k < 1.5, k)\"]\n", "4:21", "an integer should be"},
    {"a counter outside of its sum", XY "let = [\"n = sum(k < 3, k) + k\"]\n", "4:29", "no `k` here"},
    {"sums three deep", XY "let = [\"n = sum(i < 2, sum(j < 2, sum(k < 2, i)))\"]\n", "4:35",
     "nested more than two levels deep"},
    {"list without a bound", XY "let = [\"n[k] = 1\"]\n", "4:12", "name[k < n] = value"},
    {"list of no type", XY "let = [\"floaty n[k < 3] = 1\"]\n", "4:9", "`floaty` is not a type"},
    {"list of halves", XY "let = [\"float16 n[k < 3] = 1\"]\n", "4:9", "integers, float32 or float64"},
    {"list of integers from reals", XY "let = [\"int32 n[k < 3] = 0.5 * k\"]\n", "4:26", "an integer should be"},
    {"type of a number", XY "let = [\"float32 n = 1\"]\n", "4:19", "only in front of a list"},
    {"list as a number", XY "let = [\"n[k < 3] = 1\", \"m = n\"]\n", "4:29", "`n` is a list"},
    {"list's counter outside of it", XY "let = [\"n[k < 3] = 1\", \"m = k\"]\n", "4:29", "no `k` here"},
    {"list's name is taken", XY "let = [\"x[k < 3] = 1\"]\n", "4:9", "used twice"},
    {"slice of what is no list", KERNEL "let = [\"n = 1\"]\narguments = [\"n[0 : 1]\"]\n", "6:16", " where "},
    {"slice without an end", KERNEL "let = [\"n[k < 3] = 1\"]\narguments = [\"n[0 : ]\"]\n", "6:21",
     "where a value should be"},
    {"text after a slice", KERNEL "let = [\"n[k < 3] = 1\"]\narguments = [\"n[0 : 2] + 1\"]\n", "6:24",
     "where the argument should end"},
    {"in a text of several lines", XY "let = [\"\"\"\n  n =\n    1 +* 2\"\"\"]\n", "6:8", "where a value should be"},
    // Steps and geometry.
    {"no such source", XY "source = \"none.cu\"\n", "2:5", "not a file of the package"},
    {"source outside", XY "source = \"../k.cu\"\n", "4:10", "must be a file of the package"},
    {"absolute source", XY "source = \"/etc/passwd\"\n", "4:10", "must be a file of the package"},
    {"kernel is a number", KERNEL "kernel = 3\n", "5:10", "must be the kernel's name"},
    {"open value in the kernel's name", KERNEL "kernel = \"f<{n>\"\n", "5:13", "has no closing }"},
    {"unknown value in the kernel's name", KERNEL "kernel = \"f<{n}>\"\n", "5:14", "no `n` here"},
    {"four axes", KERNEL "block = [1, 2, 3, 4]\n", "5:9", "one to three"},
    {"threads and grid", KERNEL "threads = \"x.size\"\ngrid = 3\n", "6:8", "write only one of them"},
    {"real threads", KERNEL "threads = \"x.size * 0.5\"\n", "5:12", "found a real number"},
    {"unknown argument", KERNEL "arguments = [\"x\", \"q\"]\n", "5:20", "no `q` here"},
    {"kernel and expression", KERNEL "kernel = \"f\"\nelementwise = \"y = x\"\n", "2:5", "more than one"},
    {"geometry of an expression", XY "elementwise = \"y = x\"\nblock = 128\n", "5:9", "is for a kernel"},
    {"reads nothing known", XY "elementwise = \"y = x\"\nread = [\"q\"]\n", "5:9", "no `q` to read"},
    {"writes an input", XY "elementwise = \"y = x\"\nwrite = [\"x\"]\n", "5:10", "is an input"},
    {"empty steps", XY "steps = []\n", "4:9", "list of tables"},
    {"unknown key of a step", XY "steps = [{ elementwise = \"y = x\", bloc = 3 }]\n", "4:35", "unknown key `bloc`"},
    {"for without a name", XY "steps = [{ elementwise = \"y = x\", for = \"3\" }]\n", "4:42", "a counter's name"},
    {"temporary without a shape", XY "temporaries = [\"T t\"]\nelementwise = \"y = x\"\n", "4:20",
     "a temporary needs a shape"},
    {"macro", KERNEL "defines = { \"A-B\" = 3 }\n", "5:13", "not a name for a macro"},
    // The rest of an operation.
    {"devices", XY "elementwise = \"y = x\"\ndevices = [\"tpu\"]\n", "5:12", "not a kind of device"},
    {"no device", XY "elementwise = \"y = x\"\ndevices = []\n", "5:11", "could never run"},
    {"compute", XY "elementwise = \"y = x\"\ncompute = \"new\"\n", "5:11", "lowest compute capability"},
    {"deterministic", XY "elementwise = \"y = x\"\ndeterministic = \"yes\"\n", "5:17", "true or false"},
    {"no tunable values", KERNEL "tunables = { tile = [] }\n", "5:21", "list of integers"},
    {"tunable's default", KERNEL "tunables = { tile = { values = [1, 2], default = 3 } }\n", "5:50",
     "not one of its values"},
    {"tuned for nothing", XY "elementwise = \"y = x\"\ntuned_for = [\"x\"]\n", "5:13", "it has no tunables"},
    {"tuned for an array", KERNEL "tunables = { tile = [1] }\ntuned_for = [\"x\"]\n", "6:14", "`x` is not one"},
    {"tunable in a shape",
     OP "parameters = [\"in T x\", \"out T y[tile]\"]\nsource = \"k.cu\"\ntunables = { tile = [1] }\n", "3:34",
     "no `tile` here"},
    {"requirement without that", XY "require = [{ message = \"no\" }]\n", "4:12", "no `that`"},
    {"gradient names nothing", XY "elementwise = \"y = x\"\ngradient = \"g\"\n", "5:12", "no such operation"},
    {"gradient's name", XY "elementwise = \"y = x\"\ngradient = \"a/b/c\"\n", "5:12", "not the name of an operation"},
    {"gradient takes what is not there",
     XY
     "elementwise = \"y = x\"\ngradient = \"g\"\n[op.g]\nparameters = [\"in T q\", \"out T grad_x\"]\nelementwise = \"grad_x = q\"\n",
     "5:12", "takes `q`"},
    {"gradient gives what is not there",
     XY
     "elementwise = \"y = x\"\ngradient = \"g\"\n[op.g]\nparameters = [\"in T grad_y\", \"out T z\"]\nelementwise = \"z = grad_y\"\n",
     "5:12", "has the output `z`"},
    // Tests.
    {"test without data", XY "elementwise = \"y = x\"\ntest = [{}]\n", "5:9", "no `given`"},
    {"test gives nothing for x", XY "elementwise = \"y = x\"\ntest = [{ given = {} }]\n", "5:9", "does not give `x`"},
    {"test gives what is not there", XY "elementwise = \"y = x\"\ntest = [{ given = { x = [1.0], q = 1 } }]\n", "5:36",
     "no input `q`"},
    {"test rule", XY "elementwise = \"y = x\"\ntest = [{ given = { x = \"random(3)\" } }]\n", "5:26",
     "no rule `random`"},
    {"test too large", XY "elementwise = \"y = x\"\ntest = [{ given = { x = \"normal(100000, 100000)\" } }]\n", "5:41",
     "too many elements"},
    {"complex number", XY "elementwise = \"y = x\"\ntest = [{ given = { x = [\"1+2j\"] } }]\n", "5:26",
     "a complex one is written \"1+2i\""},
    {"ragged list", XY "elementwise = \"y = x\"\ntest = [{ given = { x = [[1, 2], [3]] } }]\n", "5:34",
     "has 1 entries"},
    {"expects what is not there",
     XY "elementwise = \"y = x\"\ntest = [{ given = { x = [1.0] }, expect = { z = [1.0] } }]\n", "5:49",
     "no output `z`"},
    {"test of another type",
     XY "elementwise = \"y = x\"\ntest = [{ given = { x = [1.0] }, types = { T = \"int8\" } }]\n", "5:48",
     "T cannot be int8"},
    // Hashes.
    {"hash that is none", "name = \"p\"\nfiles = { \"k.cu\" = \"md5:3\" }\n", "2:20", "sha256:"},
    {"wrong hash",
     "name = \"p\"\nfiles = { \"k.cu\" = \"sha256:0000000000000000000000000000000000000000000000000000000000000000\" }\n[op.f]\nparameters = [\"inout float32 y\"]\nelementwise = \"y = 1\"\n",
     "2:11", "was changed after packing", TENON_ERROR_IO},
    {"hash of no file",
     "name = \"p\"\nfiles = { \"z.cu\" = \"sha256:0000000000000000000000000000000000000000000000000000000000000000\" }\n[op.f]\nparameters = [\"inout float32 y\"]\nelementwise = \"y = 1\"\n",
     "2:11", "is not a file of the package"},
};

std::string listed(tenon_context* context) {
  tenon_blob* blob = nullptr;
  EXPECT_OK(tenon_package_list(context, &blob));
  return text_of(blob);
}

void add_good(tenon_context* context, const Directory& place) {
  place.write("good/plugin.toml",
              "name = \"good\"\n[op.f]\nparameters = [\"in T x\", \"out T y\"]\nelementwise = \"y = x\"\n");
  tenon_package* package = nullptr;
  OK(tenon_package_load(context, (place / "good").c_str(), nullptr, &package));
  tenon_package_release(package);
}

}  // namespace

TEST(BrokenPackages, each_contract_is_refused_with_file_line_and_reason_and_the_registry_stays) {
  const ContextPtr context = new_context();
  const Directory place;
  add_good(context.get(), place);
  const std::string before = listed(context.get());
  place.write("p/k.cu", "__global__ void f(const float* x, float* y, int n) {}\n");
  for (const Broken& broken : kBroken) {
    SCOPED_TRACE(broken.what);
    place.write("p/plugin.toml", broken.text);
    tenon_package* package = reinterpret_cast<tenon_package*>(1);
    EXPECT_EQ(broken.status, tenon_package_load(context.get(), (place / "p").c_str(), nullptr, &package))
        << tenon_error_last_message();
    EXPECT_EQ(package, nullptr);
    const std::string message = tenon_error_last_message();
    EXPECT_EQ(message.rfind(place / "p" + "/plugin.toml:" + broken.place, 0), 0u)
        << message << "\nwanted " << broken.place;
    EXPECT_NE(message.find(broken.reason), std::string::npos) << message << "\nwanted " << broken.reason;
    EXPECT_EQ(before, listed(context.get()));
  }
}
