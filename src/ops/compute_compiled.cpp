// ops/compute_compiled.cpp: elementwise functions, reductions and scans by generated kernels: the table's text,
// compiled on first use for the dtypes of a call. The objects belong to the context.
#include <tenon/functions.h>
#include <cstring>
#include <map>
#include <mutex>
#include "core/context.hpp"
#include "kernel/generate/generate.hpp"
#include "ops/compute.hpp"

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

std::string type(Dtype dtype) { return generate::cuda_type(dtype); }

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
  return "TENON_G_DEVICE " + type(result) + " " + name + "(" + operands + ") {\n  typedef " + type(compute) +
         " T;\n  typedef " + type(dtype_real(compute)) +
         " tenon_g_real;\n  (void)sizeof(T), (void)sizeof(tenon_g_real);\n  return (" + type(result) + ")(" +
         f.body_of(kind_of(compute)) + ");\n}\n";
}

Ref<Elementwise> make_elementwise(const Function& f, Dtype compute, Dtype out, std::span<const Dtype> in) {
  static const char* const names[] = {"x", "y", "z"};
  std::string declared, operands, values;
  for (size_t i = 0; i < in.size(); ++i) {
    const bool condition = f.code == functions::kSelect && i == 0;
    const Dtype as = condition ? Dtype(TENON_BOOL) : compute;
    const std::string comma = i ? ", " : "";
    declared += comma + dtype_name(in[i]) + " " + names[i];
    operands += comma + "const " + type(as) + " " + names[i];
    const bool complex_condition = condition && kind_of(in[i]) == 'c';
    values += comma + (complex_condition ? std::string(names[i]) + " != " + type(in[i]) + "(0)"
                                         : "(" + type(as) + ")" + names[i]);
  }
  return Elementwise::create(declared, dtype_name(out) + " r", "r = (" + type(out) + ")tenon_g_do(" + values + ");",
                             options_for(f.name, texts(compute) + body(f, "tenon_g_do", compute, operands)));
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
  const std::string t = type(value), sign = largest ? ">" : "<";
  return "struct tenon_g_best {\n  " + t +
         " value;\n  long long at;\n};\n"
         "TENON_G_DEVICE tenon_g_best tenon_g_one(" +
         t +
         " value, long long at) { tenon_g_best b; b.value = value; b.at = at; return b; }\n"
         "TENON_G_DEVICE tenon_g_best tenon_g_better(tenon_g_best a, tenon_g_best b) {\n"
         "  if (a.at < 0) return b;\n  if (b.at < 0) return a;\n"
         "  const bool nan_a = a.value != a.value, nan_b = b.value != b.value;\n"
         "  if (nan_a || nan_b) return nan_a && (!nan_b || a.at < b.at) ? a : b;\n"
         "  if (a.value == b.value) return a.at < b.at ? a : b;\n"
         "  return a.value " +
         sign + " b.value ? a : b;\n}\n";
}

std::string number_text(double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

Ref<Reduction> make_arg(const Function& f, const ReducePass& pass, const Mapped& x, Dtype out,
                        GeneratedOptions options) {
  const std::string t = type(pass.accumulator);
  ReductionText text;
  text.inputs = x.declared;
  text.output = dtype_name(out) + " r";
  text.map = "tenon_g_one((" + t + ")" + x.expression + ", i)";
  text.reduce = "tenon_g_better(a, b)";
  text.post = "a.at";
  text.identity = "tenon_g_one((" + t + ")0, -1)";
  text.has_identity = true;
  options.preamble = x.preamble + best_text(pass.accumulator, f.code == TENON_FN_ARGMAX);
  options.accumulator = "tenon_g_best";
  return Reduction::create(std::move(text), std::move(options));
}

// y: "", or an expression for the second operand of the pass' map.
Ref<Reduction> make_reduction(const Function& f, const ReducePass& pass, const Mapped& x, const std::string& y,
                              Dtype out, GeneratedOptions options) {
  const std::string t = type(pass.accumulator), m = type(pass.mapped);
  options.preamble = x.preamble;
  if (kind_of(pass.mapped) == 'c' && !x.complex_functions) options.preamble += functions::kComplexFunctionsText;
  std::string value = "(" + m + ")" + x.expression;
  if (pass.mapped == TENON_BOOL && kind_of(x.dtype) == 'c')
    value = "(" + x.expression + " != " + type(x.dtype) + "(0))";
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
  const std::string real = type(dtype_real(pass.accumulator));
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
      "TENON_G_DEVICE tenon_g_two tenon_g_moments(double d) { tenon_g_two a; a.sum = d; a.squares = d * d; return a; }\n"
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
  const std::string t = type(accumulator), identity = f.identity;
  ScanText text;
  text.inputs = x.declared;
  text.output = dtype_name(out) + " r";
  text.map = "(" + t + ")" + x.expression;
  text.combine = "tenon_g_pair(a, b)";
  text.identity = identity.substr(0, 3) == "(T)" ? "(" + t + ")" + identity.substr(3) : identity + "<" + t + ">()";
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
