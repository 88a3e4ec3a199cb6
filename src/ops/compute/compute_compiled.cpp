// ops/compute/compute_compiled.cpp: elementwise functions, reductions and scans by generated kernels: the table's text,
// compiled on first use for the dtypes of a call. The objects belong to the context.
#include <tenon/functions.h>
#include <cstring>
#include <map>
#include <mutex>
#include "core/device/context.hpp"
#include "kernel/generate/generate.hpp"
#include "ops/compute/compute.hpp"

namespace tenon::ops {
namespace {

using functions::Function;
using functions::kind_of;

// What identifies a kernel: a code, a second one or flags, and dtypes.
typedef std::array<uint32_t, 10> Key;

class Kernels final : public Object {
 public:
  static Kernels& of(Context& context) {
    return static_cast<Kernels&>(context.attachment(Context::Attachment::functions,
                                                    []() -> Ref<Object> { return Ref<Kernels>::adopt(new Kernels); }));
  }
  template <class T, class Make> T& get(std::map<Key, Ref<T>> Kernels::* all, const Key& key, Make&& make) {
    std::lock_guard lock(mutex_);
    Ref<T>& kernel = (this->*all)[key];
    if (!kernel) kernel = make();
    return *kernel;
  }
  std::map<Key, Ref<Elementwise>> elementwise;
  std::map<Key, Ref<Reduction>> reductions;
  std::map<Key, Ref<Scan>> scans;

 private:
  Kernels() = default;
  std::mutex mutex_;
};

GeneratedOptions options_for(const std::string& name, const std::string& preamble) {
  GeneratedOptions out;
  out.name = name;
  out.preamble = preamble;
  out.options = {"-fmad=false"};  // products and sums are rounded separately, as in the CPU's own code
  out.of_context = true;
  return out;
}

std::string texts(Dtype compute) {
  return std::string(functions::kRealText) + (kind_of(compute) == 'c' ? functions::kComplexFunctionsText : "");
}

// A function of the preamble: result name(operands) with the row's body, computed in `compute`.
std::string body(const Function& f, const char* name, Dtype compute, const std::string& operands) {
  const Dtype result = functions::result_of(f, compute);
  return "TENON_G_DEVICE " + generate::type_text(result) + " " + name + "(" + operands + ") {\n  typedef " +
         generate::type_text(compute) + " T;\n  typedef " + generate::type_text(dtype_real(compute)) +
         " tenon_g_real;\n  (void)sizeof(T), (void)sizeof(tenon_g_real);\n  return (" + generate::type_text(result) +
         ")(" + f.body_of(kind_of(compute)) + ");\n}\n";
}

Ref<Elementwise> make_elementwise(const Function& f, Dtype compute, Dtype out, std::span<const Dtype> in) {
  static const char* const names[] = {"x", "y", "z"};
  std::string declared, operands, values;
  for (size_t i = 0; i < in.size(); ++i) {
    const bool condition = f.code == functions::kSelect && i == 0;
    const Dtype as = condition ? Dtype(TENON_BOOL) : compute;
    const std::string comma = i ? ", " : "";
    declared += comma + dtype_name(in[i]) + " " + names[i];
    operands += comma + "const " + generate::type_text(as) + " " + names[i];
    const bool complex_condition = condition && kind_of(in[i]) == 'c';
    values += comma + (complex_condition ? std::string(names[i]) + " != " + generate::type_text(in[i]) + "(0)"
                                         : "(" + generate::type_text(as) + ")" + names[i]);
  }
  const std::string function = body(f, "tenon_g_do", compute, operands);
  GeneratedOptions options = options_for(f.name, texts(compute) + function);
  options.heavy = generate::is_heavy(function);
  return Elementwise::create(declared, dtype_name(out) + " r",
                             "r = (" + generate::type_text(out) + ")tenon_g_do(" + values + ");", std::move(options));
}

CallArgument argument_of(const ComputeArg& arg) {
  if (arg.array) return CallArgument::of(*arg.array);
  CallArgument out{TENON_ARG_SCALAR, arg.dtype, dtype_bytes(arg.dtype), nullptr, {}};
  std::memcpy(&out.value, arg.number, sizeof out.value);
  return out;
}

}  // namespace

void elementwise_compiled(const Function& f, Dtype compute, std::span<const ComputeArg> args, Array& out,
                          Stream& stream) {
  const Dtype wide = functions::wide_of(compute);
  Key key{uint32_t(f.code), wide, out.dtype()};
  Dtype in[3];
  for (size_t i = 0; i < args.size(); ++i) key[3 + i] = in[i] = args[i].dtype;
  Elementwise& kernel = Kernels::of(stream.device().context()).get(&Kernels::elementwise, key, [&] {
    return make_elementwise(f, wide, out.dtype(), {in, args.size()});
  });
  CallArgument given[std::size(in) + 1];
  for (size_t i = 0; i < args.size(); ++i) given[i] = argument_of(args[i]);
  given[args.size()] = CallArgument::of(out);
  kernel.call(given, int32_t(args.size()) + 1, &stream);
}

namespace {

// The accumulator of argmax and argmin: a value and its index; -1 means none.
std::string best_text(Dtype value, bool largest) {
  const std::string t = generate::type_text(value);
  const std::string at_least = kind_of(value) != 'c' ? "a.value " + std::string(largest ? ">" : "<") + "= b.value"
                               : largest             ? "tenon_g_at_least(a.value, b.value)"
                                                     : "tenon_g_at_least(b.value, a.value)";
  return "#if TENON_G_WIDE\ntypedef long long tenon_g_place;\n#else\ntypedef int tenon_g_place;\n#endif\n"
         "struct tenon_g_best {\n  " +
         t +
         " value;\n  tenon_g_place at;\n};\n"
         "TENON_G_DEVICE tenon_g_best tenon_g_one(" +
         t +
         " value, long long at) { tenon_g_best b; b.value = value; b.at = (tenon_g_place)at; return b; }\n"
         "TENON_G_DEVICE tenon_g_best tenon_g_better(tenon_g_best a, tenon_g_best b) {\n"
         "  if (a.at < 0) return b;\n  if (b.at < 0) return a;\n"
         "  const bool nan_a = a.value != a.value, nan_b = b.value != b.value;\n"
         "  if (nan_a || nan_b) return nan_a && (!nan_b || a.at < b.at) ? a : b;\n"
         "  if (a.value == b.value) return a.at < b.at ? a : b;\n"
         "  return " +
         at_least +
         " ? a : b;\n}\n"
         // b is behind a: it wins if it is better or the first NaN.
         "TENON_G_DEVICE tenon_g_best tenon_g_next(tenon_g_best a, tenon_g_best b) {\n"
         "  const bool wins = (a.at < 0) | (!(" +
         at_least +
         ") & (a.value == a.value));\n"
         "  a.value = wins ? b.value : a.value;\n  a.at = wins ? b.at : a.at;\n  return a;\n}\n";
}

std::string number_text(double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

Ref<Reduction> make_arg(const Function& f, const ReducePass& pass, const Mapped& x, Dtype out,
                        GeneratedOptions options) {
  const std::string t = generate::type_text(pass.accumulator);
  ReductionText text;
  text.inputs = x.declared;
  text.output = dtype_name(out) + " r";
  text.map = "tenon_g_one((" + t + ")" + x.expression + ", i)";
  text.reduce = "tenon_g_better(a, b)";
  text.append = "tenon_g_next(a, b)";
  text.post = "a.at";
  text.identity = "tenon_g_one((" + t + ")0, -1)";
  text.has_identity = true;
  options.preamble = x.preamble;
  if (kind_of(pass.accumulator) == 'c' && !x.complex_functions) options.preamble += functions::kComplexFunctionsText;
  options.preamble += best_text(pass.accumulator, f.code == TENON_FN_ARGMAX);
  options.accumulator = "tenon_g_best";
  return Reduction::create(std::move(text), std::move(options));
}

// y: "", or an expression for the second operand of the pass' map.
Ref<Reduction> make_reduction(const Function& f, const ReducePass& pass, const Mapped& x, const std::string& y,
                              Dtype out, GeneratedOptions options) {
  const std::string t = generate::type_text(pass.accumulator), m = generate::type_text(pass.mapped);
  options.preamble = x.preamble;
  if (kind_of(pass.mapped) == 'c' && !x.complex_functions) options.preamble += functions::kComplexFunctionsText;
  std::string value = "(" + m + ")" + x.expression;
  if (pass.mapped == TENON_BOOL && kind_of(x.dtype) == 'c')
    value = "(" + x.expression + " != " + generate::type_text(x.dtype) + "(0))";
  if (pass.map) {
    const std::string parameters = "const " + m + " x" + (y.empty() ? "" : ", const " + m + " y");
    options.preamble += body(*functions::find(pass.map), "tenon_g_mapped", pass.mapped, parameters);
    value = "tenon_g_mapped(" + value + (y.empty() ? ")" : ", (" + m + ")" + y + ")");
  }
  options.preamble += body(f, "tenon_g_pair", pass.accumulator, "const " + t + " a, const " + t + " b");
  ReductionText text;
  text.inputs = x.declared;
  text.output = dtype_name(out) + " r";
  text.map = "(" + t + ")" + value;
  text.reduce = "tenon_g_pair(a, b)";
  const std::string real = generate::type_text(dtype_real(pass.accumulator));
  const std::string c = number_text(pass.finish.correction),
                    divisor = "(" + real + ")((double)n > " + c + " ? (double)n - " + c + " : 0.0)";
  text.post = !pass.finish.divide                ? "a"
              : kind_of(pass.accumulator) == 'c' ? t + "(a.real() / " + divisor + ", a.imag() / " + divisor + ")"
                                                 : "a / " + divisor;
  if (pass.finish.root) text.post = "sqrt(" + text.post + ")";
  const std::string identity = f.identity;
  text.has_identity = !identity.empty();
  if (text.has_identity) text.identity = identity.substr(0, 3) == "(T)" ? "(" + t + ")" + identity.substr(3) : identity;
  options.accumulator = dtype_name(pass.accumulator);
  return Reduction::create(std::move(text), std::move(options));
}

// One pass over the differences from y, which is an element of x: with n elements the sum of their squares is at most
// n + 1 times the result's, so that what cancels costs log2(n) of float64's 53 bits (Chan, Golub and LeVeque 1983).
Ref<Reduction> make_variance(const Function& f, const ReducePass& pass, Dtype x, Dtype y, Dtype out) {
  ReductionText text;
  text.inputs = dtype_name(x) + " x, " + dtype_name(y) + " y";
  text.output = dtype_name(out) + " r";
  text.map = "tenon_g_moments((double)x - (double)y)";
  text.reduce = "tenon_g_both(a, b)";
  text.identity = "tenon_g_moments(0)";
  text.has_identity = true;
  text.post = "tenon_g_variance(a, (double)n, " + number_text(pass.finish.correction) + ")";
  if (pass.finish.root) text.post = "sqrt(" + text.post + ")";
  GeneratedOptions options = options_for(
      f.name,
      "struct tenon_g_two {\n  double sum, squares;\n};\n"
      "TENON_G_DEVICE tenon_g_two tenon_g_moments(double d) { tenon_g_two a; a.sum = d; a.squares = d * d; return a; "
      "}\n"
      "TENON_G_DEVICE tenon_g_two tenon_g_both(tenon_g_two a, tenon_g_two b) {\n"
      "  a.sum += b.sum;\n  a.squares += b.squares;\n  return a;\n}\n"
      "TENON_G_DEVICE double tenon_g_variance(tenon_g_two a, double n, double correction) {\n"
      "  const double rest = a.squares - a.sum * (a.sum / n);\n"
      "  return (rest < 0 ? 0.0 : rest) / (n > correction ? n - correction : 0.0);\n}\n");
  options.accumulator = "tenon_g_two";
  return Reduction::create(std::move(text), std::move(options));
}

}  // namespace

Ref<Reduction> reduction_of(const Function& f, const ReducePass& pass, const Mapped& x, Dtype out,
                            GeneratedOptions options) {
  if (f.code == TENON_FN_ARGMAX || f.code == TENON_FN_ARGMIN) return make_arg(f, pass, x, out, std::move(options));
  return make_reduction(*functions::find(pass.function), pass, x, "", out, std::move(options));
}

Ref<Scan> scan_of(const Function& f, Dtype accumulator, const Mapped& x, Dtype out, bool exclusive,
                  GeneratedOptions options) {
  const std::string t = generate::type_text(accumulator), identity = f.identity;
  ScanText text;
  text.inputs = x.declared;
  text.output = dtype_name(out) + " r";
  text.map = "(" + t + ")" + x.expression;
  text.combine = "tenon_g_pair(a, b)";
  const std::string end = identity + "<" + generate::type_text(dtype_real(accumulator)) + ">()";  // of the numbers
  text.identity = identity.substr(0, 3) == "(T)" ? "(" + t + ")" + identity.substr(3)
                  : kind_of(accumulator) == 'c'  ? t + "(" + end + ", " + end + ")"
                                                 : end;
  text.exclusive = exclusive;
  options.preamble = x.preamble;
  if (kind_of(accumulator) == 'c' && !x.complex_functions) options.preamble += functions::kComplexFunctionsText;
  options.preamble += body(f, "tenon_g_pair", accumulator, "const " + t + " a, const " + t + " b");
  options.accumulator = dtype_name(accumulator);
  return Scan::create(std::move(text), std::move(options));
}

namespace {

// The array with one more axis, of extent 1.
Ref<Array> with_one_more(const Array& x) {
  std::vector<int64_t> shape(x.shape().begin(), x.shape().end()), strides(x.strides().begin(), x.strides().end());
  shape.push_back(1), strides.push_back(0);
  return x.with(Dims(Extents(shape)), Dims(Extents(strides)), 0, true);
}

}  // namespace

void reduce_compiled(const Function& f, const ReducePass& pass, const Array& x, const Array* y,
                     std::span<const int32_t> axes, Array& out, Stream& stream) {
  if (axes.empty() && x.rank() > 0) {  // for Reduction::call, no axes are all
    const Ref<Array> longer = with_one_more(x), second = y ? with_one_more(*y) : Ref<Array>();
    const int32_t last = x.rank();
    return reduce_compiled(f, pass, *longer, second.get(), {&last, 1}, out, stream);
  }
  const Finish& finish = pass.finish;
  const Dtype second = y ? y->dtype() : 0;
  Key key{uint32_t(f.code), uint32_t(pass.map) << 2 | uint32_t(finish.divide) << 1 | uint32_t(finish.root),
          pass.mapped,      pass.accumulator,
          x.dtype(),        second,
          out.dtype()};
  std::memcpy(&key[7], &finish.correction, sizeof finish.correction);
  Reduction& kernel = Kernels::of(stream.device().context()).get(&Kernels::reductions, key, [&] {
    if (f.code == TENON_FN_VAR || f.code == TENON_FN_STD) return make_variance(f, pass, x.dtype(), second, out.dtype());
    const Mapped element{x.dtype(), dtype_name(x.dtype()) + " x" + (y ? ", " + dtype_name(second) + " y" : ""), "x",
                         functions::kRealText, false};
    GeneratedOptions options = options_for(f.name, "");
    if (!y) return reduction_of(f, pass, element, out.dtype(), std::move(options));
    return make_reduction(f, pass, element, "y", out.dtype(), std::move(options));
  });
  CallArgument given[3] = {CallArgument::of(x)};
  int32_t count = 1;
  if (y) given[count++] = CallArgument::of(*y);
  given[count++] = CallArgument::of(out);
  kernel.call(given, count, axes.data(), int32_t(axes.size()), &stream);
}

namespace {

// Keys of kernels that are no function of the table.
enum Own : uint32_t { kAxpy = 0x10000, kScal, kNrm2 };

// A number in the dtype in which elements of that dtype are scaled.
CallArgument factor(std::complex<double> alpha, Dtype dtype) {
  CallArgument out{TENON_ARG_SCALAR, dtype, dtype_bytes(dtype), nullptr, {}};
  const std::array<float, 2> narrow{float(alpha.real()), float(alpha.imag())};
  const std::array<double, 2> wide{alpha.real(), alpha.imag()};
  const bool is_narrow = dtype_real(dtype) == TENON_FLOAT32;
  std::memcpy(&out.value, is_narrow ? static_cast<const void*>(narrow.data()) : wide.data(), dtype_bytes(dtype));
  return out;
}

// The text of alpha x + y, or without y of alpha x.
std::string scaled_text(Dtype dtype, bool adds) {
  const std::string t = generate::type_text(functions::wide_of(dtype));
  if (kind_of(dtype) != 'c') {
    const std::string x = "(" + t + ")x";
    return adds ? "fma(alpha, " + x + ", (" + t + ")y)" : "alpha * " + x;
  }
  return t + "(fma(alpha.real(), x.real(), " +
         (adds ? "fma(-alpha.imag(), x.imag(), y.real())" : "-alpha.imag() * x.imag()") +
         "), fma(alpha.real(), x.imag(), " +
         (adds ? "fma(alpha.imag(), x.real(), y.imag())" : "alpha.imag() * x.real()") + "))";
}

Elementwise& scaling(Own own, Dtype dtype, Context& context) {
  return Kernels::of(context).get(&Kernels::elementwise, Key{own, dtype}, [&] {
    const bool adds = own == kAxpy;
    const std::string name = dtype_name(dtype), alpha = dtype_name(functions::wide_of(dtype)) + " alpha",
                      result = adds ? "y" : "x";
    return Elementwise::create(adds ? alpha + ", " + name + " x" : alpha, "inout " + name + " " + result,
                               result + " = (" + generate::type_text(dtype) + ")(" + scaled_text(dtype, adds) + ");",
                               options_for(adds ? "axpy" : "scal", ""));
  });
}

// The squares of a number's parts, summed in three ranges; the constants are those of Algorithm 978.
const char kThreeSums[] =
    "struct tenon_g_squares {\n  double small, middle, big;\n};\n"
    "TENON_G_DEVICE tenon_g_squares tenon_g_square(tenon_g_squares a, double x) {\n"
    "  const double size = fabs(x);\n"
    "  if (size > 0x1p486) {\n    a.big += (x * 0x1p-538) * (x * 0x1p-538);\n"
    "  } else if (size < 0x1p-511) {\n    a.small += (x * 0x1p537) * (x * 0x1p537);\n"
    "  } else {\n    a.middle += x * x;\n  }\n  return a;\n}\n"
    "TENON_G_DEVICE tenon_g_squares tenon_g_none() { tenon_g_squares a; a.small = a.middle = a.big = 0; return a; }\n"
    "TENON_G_DEVICE tenon_g_squares tenon_g_all(tenon_g_squares a, tenon_g_squares b) {\n"
    "  a.small += b.small;\n  a.middle += b.middle;\n  a.big += b.big;\n  return a;\n}\n"
    "TENON_G_DEVICE double tenon_g_root(tenon_g_squares a) {\n"
    "  if (a.big > 0 || a.big != a.big) return sqrt(a.big + (a.middle * 0x1p-538) * 0x1p-538) * 0x1p538;\n"
    "  if (!(a.small > 0)) return sqrt(a.middle);\n"
    "  if (a.middle == 0) return sqrt(a.small) * 0x1p-537;\n"
    "  const double small = sqrt(a.small) * 0x1p-537, middle = sqrt(a.middle);\n"
    "  const double most = small > middle ? small : middle, least = small > middle ? middle : small;\n"
    "  return most * sqrt(1 + (least / most) * (least / most));\n}\n";

Ref<Reduction> make_nrm2(Dtype dtype) {
  const bool complex = kind_of(dtype) == 'c', wide = dtype_real(dtype) == TENON_FLOAT64;
  ReductionText text;
  text.inputs = dtype_name(dtype) + " x";
  text.output = dtype_name(dtype_real(dtype)) + " r";
  text.has_identity = true;
  if (!wide) {
    text.map = complex ? "(double)x.real() * (double)x.real() + (double)x.imag() * (double)x.imag()"
                       : "(double)(float)x * (double)(float)x";
    text.reduce = "a + b";
    text.identity = "0.0";
    text.post = "sqrt(a)";
  } else {
    text.map = complex ? "tenon_g_square(tenon_g_square(tenon_g_none(), x.real()), x.imag())"
                       : "tenon_g_square(tenon_g_none(), x)";
    text.reduce = "tenon_g_all(a, b)";
    text.identity = "tenon_g_none()";
    text.post = "tenon_g_root(a)";
  }
  GeneratedOptions options = options_for("nrm2", wide ? kThreeSums : "");
  options.accumulator = wide ? "tenon_g_squares" : "float64";
  return Reduction::create(std::move(text), std::move(options));
}

}  // namespace

void axpy_compiled(std::complex<double> alpha, const Array& x, Array& y, Stream& stream) {
  const CallArgument given[] = {factor(alpha, functions::wide_of(y.dtype())), CallArgument::of(x), CallArgument::of(y)};
  scaling(kAxpy, y.dtype(), stream.device().context()).call(given, 3, &stream);
}

void scal_compiled(std::complex<double> alpha, Array& x, Stream& stream) {
  const CallArgument given[] = {factor(alpha, functions::wide_of(x.dtype())), CallArgument::of(x)};
  scaling(kScal, x.dtype(), stream.device().context()).call(given, 2, &stream);
}

void nrm2_compiled(const Array& x, Array& out, Stream& stream) {
  Reduction& kernel = Kernels::of(stream.device().context()).get(&Kernels::reductions, Key{kNrm2, x.dtype()}, [&] {
    return make_nrm2(x.dtype());
  });
  const CallArgument given[] = {CallArgument::of(x), CallArgument::of(out)};
  const int32_t axis = x.rank() - 1;
  kernel.call(given, 2, &axis, 1, &stream);
}

void accumulate_compiled(const Function& f, Dtype accumulator, const Array& x, int32_t axis, bool exclusive, Array& out,
                         Stream& stream) {
  const Key key{uint32_t(f.code), uint32_t(exclusive), accumulator, x.dtype(), out.dtype()};
  Scan& kernel = Kernels::of(stream.device().context()).get(&Kernels::scans, key, [&] {
    const Mapped element{x.dtype(), dtype_name(x.dtype()) + " x", "x", functions::kRealText, false};
    return scan_of(f, accumulator, element, out.dtype(), exclusive, options_for(f.name, ""));
  });
  const CallArgument given[] = {CallArgument::of(x), CallArgument::of(out)};
  kernel.call(given, 2, axis, &stream);
}

}  // namespace tenon::ops
