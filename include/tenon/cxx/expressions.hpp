// tenon/cxx/expressions.hpp: operators and functions on arrays, fused: an expression is computed when its value is
// wanted, by one kernel.
//
//   tenon::dynamic_array y = a + b * sin(c);           // with exceptions; or evaluate(a + b * sin(c)).value()
//   evaluate(where(a > 0, a, 0.1 * a), stream, y);     // into an array that is there
//   const auto [s, d] = tenon::evaluate_all({a + b, a - b});  // two results of one kernel
//   const auto distance = sqrt(sum((a - b) * (a - b), {-1}));
//
// Operands are arrays, other expressions, and numbers; at least one of them must be an array or an expression. A plain
// number takes its dtype from the other operands, as in Python (float32 * 2.0 is float32); tenon::arg(2.0) is a number
// of exactly its own dtype. Arrays broadcast. dtypes, and bits as far as tenon_elementwise_compose promises, are those
// of the separate functions of compute.h. An expression shares the arrays' elements: what is written into them before
// it is evaluated counts.
//
// Numbers are arguments of the kernel, so another value needs no other kernel. A kernel is composed once per structure
// and kept by the process (at most 1024; forget_expressions releases them). As any elementwise kernel it takes at most
// 32 arrays and numbers, runs on a stream, and can be recorded into a graph.
//
// Errors: operators that are not defined for the operands' dtypes throw at once or, without exceptions, make the
// expression's evaluation fail. Reductions and scans are computed at once, fused with what leads to them.
#ifndef TENON_CXX_EXPRESSIONS_HPP
#define TENON_CXX_EXPRESSIONS_HPP

#include <tenon/cxx/functions.hpp>

#include <array>
#include <cmath>
#include <map>
#include <mutex>

namespace tenon {
inline namespace TENON_CXX_MODE {

namespace detail {

// A value of an expression: an array, a number, or a step on earlier values.
struct node {
  std::shared_ptr<node> operands[3];
  dynamic_array array;
  tenon_arg number{};  // kind 0: not a number; TENON_ARG_WEAK: of no dtype yet
  int32_t step = 0;    // TENON_STEP_*
  int32_t function = 0;
  uint32_t dtype = 0;

  node() = default;
  node(const node&) = delete;
  node& operator=(const node&) = delete;
  // Not by recursion, which long expressions would take too deep.
  ~node() {
    std::vector<std::shared_ptr<node>> pending;
    const auto take = [&](node& from) {
      for (auto& one : from.operands)
        if (one) pending.push_back(std::move(one));
    };
    take(*this);
    while (!pending.empty()) {
      const std::shared_ptr<node> last = std::move(pending.back());
      pending.pop_back();
      if (last.use_count() == 1) take(*last);
    }
  }
  bool is_weak() const noexcept { return number.kind == TENON_ARG_WEAK; }
};
using node_handle = std::shared_ptr<node>;

// What building an expression cannot do in the mode without exceptions, it leaves to evaluation.
inline void built(const tenon::error& failure, tenon::error& kept) {
#if TENON_EXCEPTIONS
  (void)kept;
  raise(failure);
#else
  if (kept.status() == status::ok) kept = failure;
#endif
}

struct expressions;

}  // namespace detail

// A computation on arrays that has not run. Copies are cheap and share it.
class expression {
 public:
  expression(const handle<tenon_array>& array) : node_(std::make_shared<detail::node>()) {
    node_->array = share<dynamic_array>(array.get());
    tenon_array_info info{};
    const int32_t code = detail::describe(array.get(), info);
    if (code != TENON_OK) detail::built(error::last(code), failure_);
    node_->dtype = info.dtype;
  }
  // A number with a dtype (tenon::arg) or without one (tenon::weak).
  expression(const tenon_arg& number) : node_(std::make_shared<detail::node>()) {
    if (number.kind != TENON_ARG_SCALAR && number.kind != TENON_ARG_WEAK)
      detail::built(error::of(status::invalid_argument, "an operand of an expression is an array or a number"),
                    failure_);
    node_->number = number;
    node_->dtype = node_->is_weak() ? 0 : number.dtype;
  }
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>> expression(T number)
      : expression(weak_number(number)) {}
  template <class T> expression(const std::complex<T>& number) : expression(weak(std::complex<double>(number))) {}

#if TENON_EXCEPTIONS
  // The value, by one kernel on the default stream (evaluate).
  operator dynamic_array() const;
  template <class T, int N> operator array<T, N>() const;
#endif

  // The dtype of the value; of a number without a dtype, 0.
  tenon::dtype dtype() const noexcept { return static_cast<tenon::dtype>(node_->dtype); }
  // What went wrong when the expression was built, without exceptions.
  const tenon::error& failure() const noexcept { return failure_; }

 private:
  friend struct detail::expressions;
  expression(detail::node_handle node, tenon::error failure) noexcept
      : node_(std::move(node)), failure_(std::move(failure)) {}
  template <class T> static tenon_arg weak_number(T number) noexcept {
    if constexpr (std::is_floating_point_v<T>) return weak(static_cast<double>(number));
    else return weak(number);
  }
  detail::node_handle node_;
  tenon::error failure_;
};

namespace detail {

template <class T> inline constexpr bool is_lazy = is_array<T> || std::is_same_v<T, expression>;
template <class T> struct is_complex : std::false_type {};
template <class T> struct is_complex<std::complex<T>> : std::true_type {};
template <class T> inline constexpr bool is_term =
    is_lazy<T> || std::is_arithmetic_v<T> || is_complex<T>::value || std::is_same_v<T, tenon_arg>;
// Operators and functions take part in overload resolution if an operand is an array or an expression.
template <class... T> using if_lazy = std::enable_if_t<(is_lazy<T> || ...) && (is_term<T> && ...)>;

inline tenon_arg typed(uint32_t dtype) noexcept {  // a zero
  return tenon_arg_blank(TENON_ARG_SCALAR, dtype, (dtype >> 8 & 0xff) / 8);
}
template <class T> tenon_arg typed(uint32_t dtype, T value) noexcept {
  tenon_arg made = typed(dtype);
  std::memcpy(&made.value, &value, sizeof value);
  return made;
}

// --- numbers without a dtype get one ---

inline double real_of(const tenon_arg& weak) noexcept {
  uint64_t bits = 0;
  double number = 0;
  std::memcpy(&bits, &weak.value, weak.dtype == TENON_BOOL ? 1 : 8);
  std::memcpy(&number, &weak.value, 8);
  if (weak.dtype == TENON_BOOL || weak.dtype == TENON_UINT64) return static_cast<double>(bits);
  return weak.dtype == TENON_INT64 ? static_cast<double>(static_cast<int64_t>(bits)) : number;
}

inline bool is_negative(const tenon_arg& weak) noexcept { return weak.dtype == TENON_INT64 && weak.value.i64 < 0; }

// The smallest (else the largest) number of an integer dtype, as its bits.
inline uint64_t end_of(uint32_t dtype, bool least) noexcept {
  const bool with_sign = (dtype & 0xff) == 0;
  const uint64_t most = ~uint64_t(0) >> (64 - (dtype >> 8 & 0xff) + (with_sign ? 1 : 0));
  return !least ? most : with_sign ? ~most : 0;
}

// An integer in an integer dtype; false if it does not fit.
inline bool integer_in(const tenon_arg& weak, uint32_t dtype, tenon_arg& out) noexcept {
  uint64_t bits = 0;
  std::memcpy(&bits, &weak.value, weak.dtype == TENON_BOOL ? 1 : 8);
  out = typed(dtype, bits);
  return is_negative(weak) ? (dtype & 0xff) == 0 && ~bits <= end_of(dtype, false) : bits <= end_of(dtype, false);
}

// The number in a dtype that can hold its kind; NaN of the 16-bit dtypes and so on are the business of a cast.
inline bool number_in(const tenon_arg& weak, uint32_t dtype, tenon_arg& out) noexcept {
  double parts[2] = {real_of(weak), 0};
  if (weak.dtype == TENON_COMPLEX128) std::memcpy(parts, &weak.value, 16);
  const bool integer = weak.dtype == TENON_BOOL || weak.dtype == TENON_INT64 || weak.dtype == TENON_UINT64;
  switch (dtype) {
    case TENON_BOOL: out = typed(dtype, uint8_t(parts[0] != 0 || parts[1] != 0)); return true;
    case TENON_FLOAT32: out = typed(dtype, static_cast<float>(parts[0])); return true;
    case TENON_FLOAT64: out = typed(dtype, parts[0]); return true;
    case TENON_COMPLEX64: {
      const std::array<float, 2> narrow{static_cast<float>(parts[0]), static_cast<float>(parts[1])};
      out = typed(dtype, narrow);
      return true;
    }
    case TENON_COMPLEX128: out = typed(dtype, std::array<double, 2>{parts[0], parts[1]}); return true;
    default: break;
  }
  if (integer) return integer_in(weak, dtype, out);
  out = weak;  // a bound of clip that its dtype cannot hold: the library says so
  out.kind = TENON_ARG_SCALAR;
  return true;
}

inline node_handle number_node(const tenon_arg& number) {
  auto made = std::make_shared<node>();
  made->number = number;
  made->dtype = number.dtype;
  return made;
}

// --- the kernel of some values ---

struct composition {
  std::vector<uint32_t> dtypes;
  std::vector<tenon_arg> args;
  std::vector<tenon_step> steps;
  std::vector<int32_t> outputs;
  std::vector<size_t> places;  // of each value: its output
  std::string key;             // the same for programs with the same kernel
};

inline int32_t length(std::size_t size) noexcept { return static_cast<int32_t>(size); }

// The nodes that lead to the root, operands first, without those of `numbers`.
inline void in_order(node* root, std::map<node*, int32_t>& numbers, std::vector<node*>& order) {
  std::vector<std::pair<node*, int>> path{{root, 0}};
  while (!path.empty()) {
    auto& [at, next] = path.back();
    if (numbers.count(at)) {
      path.pop_back();
    } else if (next < 3) {
      node* const operand = at->operands[next++].get();
      if (operand) path.emplace_back(operand, 0);
    } else {
      numbers[at] = -1;
      order.push_back(at);
      path.pop_back();
    }
  }
}

template <class T> void append(std::string& key, const T& value) {
  key.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// What builds and runs expressions; users need the functions below.
struct expressions {
  static expression step(int32_t kind, int32_t function, std::initializer_list<const expression*> operands,
                         uint32_t dtype = 0) {
    auto made = std::make_shared<node>();
    made->step = kind;
    made->function = function;
    made->dtype = dtype;
    tenon::error failure;
    std::size_t at = 0;
    for (const expression* one : operands) {
      if (one && one->failure_.status() != status::ok) failure = one->failure_;
      if (one) made->operands[at] = one->node_;
      ++at;
    }
    if (failure.status() == status::ok) give_dtypes(*made, failure);
    if (failure.status() == status::ok) find_dtype(*made, failure);
    return {std::move(made), std::move(failure)};
  }

  static composition made_of(list<const expression> values) {
    composition made;
    std::map<node*, int32_t> numbers;
    std::vector<node*> order;
    for (const expression& one : values) in_order(one.node_.get(), numbers, order);
    std::map<tenon_array*, int32_t> arrays;
    for (node* one : order) {
      if (one->step) continue;
      const auto known = one->array ? arrays.find(one->array.get()) : arrays.end();
      if (known != arrays.end()) {
        numbers[one] = known->second;
        continue;
      }
      numbers[one] = length(made.args.size());
      if (one->array) arrays[one->array.get()] = numbers[one];
      made.args.push_back(one->array ? tenon_arg_of_array(TENON_ARG_ARRAY, one->array.get()) : one->number);
      made.dtypes.push_back(one->dtype);
    }
    for (node* one : order) {
      if (!one->step) continue;
      numbers[one] = length(made.args.size() + made.steps.size());
      int32_t of[3];
      for (int k = 0; k < 3; ++k) of[k] = one->operands[k] ? numbers[one->operands[k].get()] : -1;
      made.steps.push_back(
          {one->step, one->function, of[0], of[1], of[2], one->step == TENON_STEP_CAST ? one->dtype : 0});
    }
    for (const expression& one : values) {
      const int32_t number = numbers[one.node_.get()];
      std::size_t at = 0;
      while (at < made.outputs.size() && made.outputs[at] != number) ++at;
      if (at == made.outputs.size()) made.outputs.push_back(number);
      made.places.push_back(at);
    }
    append(made.key, made.dtypes.size());
    for (uint32_t one : made.dtypes) append(made.key, one);
    for (int32_t one : made.outputs) append(made.key, one);
    for (const tenon_step& one : made.steps) append(made.key, one);
    return made;
  }

  // Runs the kernel of the values. results: as many as outputs; an array that receives the value, or null for a new
  // one.
  static int32_t run(const composition& made, tenon_stream* stream, tenon_array** results) {
    tenon_elementwise* kernel = nullptr;
    int32_t code = composed("", made, kernel, [&](tenon_elementwise** out) {
      return tenon_elementwise_compose(made.dtypes.data(), length(made.dtypes.size()), made.steps.data(),
                                       length(made.steps.size()), made.outputs.data(), length(made.outputs.size()),
                                       nullptr, out);
    });
    std::vector<tenon_arg> args = made.args;
    std::vector<dynamic_array> fresh(made.outputs.size());
    for (std::size_t k = 0; code == TENON_OK && k < fresh.size(); ++k) {
      tenon_array* array = results[k];
      if (!array) {
        code = tenon_elementwise_output(kernel, made.args.data(), length(made.args.size()), length(k), stream, &array);
        if (code == TENON_OK) fresh[k] = adopt<dynamic_array>(array);
      }
      args.push_back(tenon_arg_of_array(TENON_ARG_ARRAY, array));
    }
    if (code == TENON_OK) code = tenon_elementwise_call(kernel, args.data(), length(args.size()), stream);
    tenon_elementwise_release(kernel);
    for (std::size_t k = 0; code == TENON_OK && k < fresh.size(); ++k)
      if (!results[k]) results[k] = fresh[k].detach();
    return code;
  }

  static int32_t reduce(int32_t function, const expression& x, list<const int32_t> axes, bool keep,
                        tenon_stream* stream, tenon_array** result) {
    const composition made = made_of({&x, 1});
    tenon_reduction* kernel = nullptr;
    int32_t code = composed("reduce " + std::to_string(function), made, kernel, [&](tenon_reduction** out) {
      return tenon_reduction_compose(made.dtypes.data(), length(made.dtypes.size()), made.steps.data(),
                                     length(made.steps.size()), made.outputs[0], function, nullptr, out);
    });
    const int32_t inputs = length(made.args.size()), count = length(axes.size());
    const int32_t* const list = count ? axes.data() : nullptr;
    return delivered(
        code, made, result,
        [&](tenon_array** out) {
          return tenon_reduction_output(kernel, made.args.data(), inputs, list, count, keep ? 1 : 0, stream, out);
        },
        [&](const tenon_arg* args) { return tenon_reduction_call(kernel, args, inputs + 1, list, count, stream); },
        [&] { tenon_reduction_release(kernel); });
  }

  static int32_t scan(int32_t function, const expression& x, int32_t axis, bool exclusive, tenon_stream* stream,
                      tenon_array** result) {
    const composition made = made_of({&x, 1});
    tenon_scan* kernel = nullptr;
    const std::string kind = (exclusive ? "exclusive " : "scan ") + std::to_string(function);
    int32_t code = composed(kind, made, kernel, [&](tenon_scan** out) {
      return tenon_scan_compose(made.dtypes.data(), length(made.dtypes.size()), made.steps.data(),
                                length(made.steps.size()), made.outputs[0], function, exclusive ? 1 : 0, nullptr, out);
    });
    const int32_t inputs = length(made.args.size());
    return delivered(
        code, made, result,
        [&](tenon_array** out) { return tenon_scan_output(kernel, made.args.data(), inputs, stream, out); },
        [&](const tenon_arg* args) { return tenon_scan_call(kernel, args, inputs + 1, axis, stream); },
        [&] { tenon_scan_release(kernel); });
  }

  static const tenon::error* failure_of(list<const expression> values) noexcept {
    for (const expression& one : values)
      if (one.failure_.status() != status::ok) return &one.failure_;
    return nullptr;
  }

  static void forget() {
    memory_of_kernels& all = kept();
    const std::lock_guard<std::mutex> lock(all.mutex);
    all.elementwise.clear();
    all.reductions.clear();
    all.scans.clear();
  }

 private:
  // Makes the output if there is none, runs the kernel, and hands the output over.
  template <class Make, class Call, class Release> static int32_t delivered(int32_t code, const composition& made,
                                                                            tenon_array** result, Make&& make,
                                                                            Call&& call, Release&& release) {
    tenon_array* array = *result;
    dynamic_array fresh;
    if (code == TENON_OK && !array) {
      code = make(&array);
      if (code == TENON_OK) fresh = adopt<dynamic_array>(array);
    }
    std::vector<tenon_arg> args = made.args;
    args.push_back(tenon_arg_of_array(TENON_ARG_ARRAY, array));
    if (code == TENON_OK) code = call(args.data());
    release();
    if (code == TENON_OK && !*result) *result = fresh.detach();
    return code;
  }

  // --- dtypes ---

  // Numbers without a dtype get that which the separate function would give them.
  static void give_dtypes(node& made, tenon::error& failure) {
    node_handle* const all = made.operands;
    if (made.step == TENON_STEP_SELECT) {
      give(all[0], TENON_BOOL, failure);
      give_common(all + 1, 2, failure);
    } else if (made.step == TENON_STEP_CLIP) {
      give_common(all, 1, failure);
      for (int k = 1; k < 3; ++k) {
        if (!all[k]) continue;
        // A bound beyond the numbers of the dtype bounds nothing.
        if (is_beyond(*all[k], all[0]->dtype) && is_negative(all[k]->number) == (k == 1))
          all[k] = number_node(typed(all[0]->dtype, end_of(all[0]->dtype, k == 1)));
        give(all[k], all[0]->dtype, failure);
      }
    } else {
      if (made.step == TENON_STEP_BINARY) compare_within(made);
      give_common(all, made.step == TENON_STEP_BINARY ? 2 : 1, failure);
    }
  }

  // Is it an integer without a dtype that this integer dtype cannot hold?
  static bool is_beyond(const node& number, uint32_t dtype) noexcept {
    tenon_arg held{};
    return number.is_weak() && (number.number.dtype == TENON_INT64 || number.number.dtype == TENON_UINT64) &&
           (dtype & 0xff) <= 1 && (dtype >> 8 & 0xff) != 0 && !integer_in(number.number, dtype, held);
  }

  // A comparison with such a number has one result for all elements: the comparison with the dtype's smallest number
  // that has it takes its place.
  static void compare_within(node& made) {
    if (made.function < TENON_FN_EQUAL || made.function > TENON_FN_GREATER_EQUAL) return;
    for (int k = 0; k < 2; ++k) {
      const node& number = *made.operands[k];
      const uint32_t dtype = made.operands[1 - k]->dtype;
      if (!is_beyond(number, dtype)) continue;
      const bool less = made.function == TENON_FN_LESS || made.function == TENON_FN_LESS_EQUAL;
      const bool below = is_negative(number.number) == (k == 0);  // is the first operand below the second one?
      const bool holds = made.function == TENON_FN_NOT_EQUAL || (made.function != TENON_FN_EQUAL && less == below);
      made.function =
          k == 1 ? (holds ? TENON_FN_GREATER_EQUAL : TENON_FN_LESS) : (holds ? TENON_FN_LESS_EQUAL : TENON_FN_GREATER);
      made.operands[k] = number_node(typed(dtype, end_of(dtype, true)));
      return;
    }
  }

  static void give_common(node_handle* operands, int count, tenon::error& failure) {
    bool any = false;
    for (int k = 0; k < count; ++k) any = any || operands[k]->is_weak();
    if (!any) return;
    const uint32_t common = common_dtype(operands, count, failure);
    for (int k = 0; k < count && failure.status() == status::ok; ++k) give(operands[k], common, failure);
  }

  static uint32_t common_dtype(const node_handle* operands, int count, tenon::error& failure) {
    tenon_arg args[2] = {};
    for (int k = 0; k < count; ++k) args[k] = operands[k]->is_weak() ? operands[k]->number : typed(operands[k]->dtype);
    uint32_t found = 0;
    const int32_t code = tenon_result_type(args, count, &found);
    if (code != TENON_OK) built(error::last(code), failure);
    return found;
  }

  static void give(node_handle& operand, uint32_t dtype, tenon::error& failure) {
    if (!operand->is_weak()) return;
    const bool narrow = dtype == TENON_FLOAT16 || dtype == TENON_BFLOAT16;  // rounded once, by a cast
    tenon_arg number{};
    if (!number_in(operand->number, narrow ? uint32_t(TENON_FLOAT64) : dtype, number))
      return built(error::of(status::overflow, "a number of the expression does not fit into " +
                                                   std::string(tenon_dtype_name(dtype)) +
                                                   ", the dtype of the other operand: use tenon::arg for a number of "
                                                   "its own dtype, or convert the array"),
                   failure);
    const node_handle made = number_node(number);
    operand = made;
    if (!narrow) return;
    operand = std::make_shared<node>();
    operand->step = TENON_STEP_CAST;
    operand->dtype = dtype;
    operand->operands[0] = made;
  }

  static void find_dtype(node& made, tenon::error& failure) {
    if (made.step == TENON_STEP_CAST) return;
    if (made.step == TENON_STEP_CLIP) made.dtype = made.operands[0]->dtype;
    else if (made.step == TENON_STEP_SELECT) made.dtype = common_dtype(made.operands + 1, 2, failure);
    else {
      const int32_t code = ask_dtype(made);
      if (code != TENON_OK) built(error::last(code), failure);
    }
  }

  // The dtype of a function's result: that of its result for arrays without elements; asked for once.
  static int32_t ask_dtype(node& made) {
    const uint32_t y = made.operands[1] ? made.operands[1]->dtype : 0;
    const std::array<uint32_t, 3> key{static_cast<uint32_t>(made.function), made.operands[0]->dtype, y};
    memory_of_kernels& all = kept();
    {
      const std::lock_guard<std::mutex> lock(all.mutex);
      const auto known = all.dtypes.find(key);
      if (known != all.dtypes.end()) return made.dtype = known->second, TENON_OK;
    }
    tenon_device* device = nullptr;
    tenon_array *operands[2] = {}, *result = nullptr;
    int32_t code = tenon_context_device(nullptr, "cpu:0", &device);
    tenon_arg args[2] = {};
    const int64_t none = 0;
    for (int k = 0; k < 2 && code == TENON_OK && key[static_cast<std::size_t>(k) + 1]; ++k) {
      code = tenon_array_create(device, key[static_cast<std::size_t>(k) + 1], 1, &none, nullptr, &operands[k]);
      args[k] = tenon_arg_of_array(TENON_ARG_ARRAY, operands[k]);
    }
    if (code == TENON_OK)
      code = y ? tenon_binary(made.function, &args[0], &args[1], nullptr, nullptr, &result)
               : tenon_unary(made.function, &args[0], nullptr, nullptr, &result);
    tenon_array_info info{};
    if (code == TENON_OK) code = describe(result, info);
    for (tenon_array* one : {operands[0], operands[1], result}) tenon_array_release(one);
    tenon_device_release(device);
    if (code != TENON_OK) return code;
    made.dtype = info.dtype;
    const std::lock_guard<std::mutex> lock(all.mutex);
    all.dtypes[key] = info.dtype;
    return TENON_OK;
  }

  // --- kernels that were composed ---

  struct memory_of_kernels {
    std::mutex mutex;
    std::map<std::string, tenon::elementwise> elementwise;
    std::map<std::string, tenon::reduction> reductions;
    std::map<std::string, tenon::scan> scans;
    std::map<std::array<uint32_t, 3>, uint32_t> dtypes;

    auto& of(tenon_elementwise*) noexcept { return elementwise; }
    auto& of(tenon_reduction*) noexcept { return reductions; }
    auto& of(tenon_scan*) noexcept { return scans; }
  };
  // Never destroyed: threads may evaluate expressions until the process ends.
  static memory_of_kernels& kept() {
    static memory_of_kernels* const all = new memory_of_kernels;
    return *all;
  }

  // A reference to the kernel, made by compose(&kernel) unless it is kept.
  template <class K, class Compose>
  static int32_t composed(const std::string& kind, const composition& made, K*& kernel, Compose&& compose) {
    constexpr std::size_t most = 1024;
    memory_of_kernels& all = kept();
    const std::string key = kind + made.key;
    const std::lock_guard<std::mutex> lock(all.mutex);
    auto& kernels = all.of(kernel);
    using owner = typename std::decay_t<decltype(kernels)>::mapped_type;
    const auto known = kernels.find(key);
    if (known != kernels.end()) return kernel = owner(known->second).detach(), TENON_OK;
    const int32_t code = compose(&kernel);
    if (code != TENON_OK) return code;
    if (kernels.size() >= most) kernels.clear();
    kernels[key] = share<owner>(kernel);
    return TENON_OK;
  }
};

inline expression step_of(int32_t kind, fn function, const expression& x) {
  return expressions::step(kind, static_cast<int32_t>(function), {&x});
}
inline expression step_of(int32_t kind, fn function, const expression& x, const expression& y) {
  return expressions::step(kind, static_cast<int32_t>(function), {&x, &y});
}

}  // namespace detail

// --- evaluation ------------------------------------------------------------------------------------------------------

// The value of an expression, by one kernel; into an array that may be exactly one of the operands (shape and dtype
// must be those of the value), or a new one on the operands' device. Statuses: those of tenon_elementwise_compose and
// tenon_elementwise_call.
inline outcome<dynamic_array> evaluate(const expression& value, ref<tenon_stream> stream = {},
                                       const into& result = {}) {
  if (const error* failure = detail::expressions::failure_of({&value, 1}))
    return detail::refuse<dynamic_array>(*failure);
  tenon_array* array = result.get();
  const int32_t code = detail::expressions::run(detail::expressions::made_of({&value, 1}), stream.get(), &array);
  return detail::finish(code, [&] { return detail::written<dynamic_array>(array, result); });
}

// Several values by one kernel, which reads each operand once. All arrays broadcast to one shape, which all results
// have.
template <std::size_t N>
outcome<std::array<dynamic_array, N>> evaluate_all(const expression (&values)[N], ref<tenon_stream> stream = {}) {
  using arrays = std::array<dynamic_array, N>;
  if (const error* failure = detail::expressions::failure_of({values, N})) return detail::refuse<arrays>(*failure);
  const detail::composition made = detail::expressions::made_of({values, N});
  std::vector<tenon_array*> results(made.outputs.size());
  const int32_t code = detail::expressions::run(made, stream.get(), results.data());
  return detail::finish(code, [&] {
    arrays all;
    for (std::size_t k = 0; k < N; ++k) all[k] = share<dynamic_array>(results[made.places[k]]);
    for (tenon_array* one : results) tenon_array_release(one);
    return all;
  });
}

namespace detail {

// VAR, STD and LOGSUMEXP take several passes over their operand, which is computed first.
inline outcome<dynamic_array> reduced_from_memory(fn function, const expression& x, list<const int32_t> axes,
                                                  bool keep_axes, ref<tenon_stream> stream, const into& result) {
  tenon_array* operand = nullptr;
  int32_t code = expressions::run(expressions::made_of({&x, 1}), stream.get(), &operand);
  const tenon_arg arg = tenon_arg_of_array(TENON_ARG_ARRAY, operand);
  tenon_reduce_options options{};
  options.struct_size = sizeof options;
  options.axes = axes.empty() ? nullptr : axes.data();
  options.axis_count = length(axes.size());
  options.keep_axes = keep_axes ? 1 : 0;
  tenon_array* array = result.get();
  if (code == TENON_OK) code = tenon_reduce(static_cast<int32_t>(function), &arg, &options, stream.get(), &array);
  tenon_array_release(operand);
  return finish(code, [&] { return written<dynamic_array>(array, result); });
}

inline outcome<dynamic_array> reduced(fn function, const expression& x, list<const int32_t> axes, bool keep_axes,
                                      ref<tenon_stream> stream, const into& result) {
  if (const error* failure = expressions::failure_of({&x, 1})) return refuse<dynamic_array>(*failure);
  if (function == fn::var || function == fn::std || function == fn::logsumexp)
    return reduced_from_memory(function, x, axes, keep_axes, stream, result);
  tenon_array* array = result.get();
  const int32_t code = expressions::reduce(static_cast<int32_t>(function), x, axes, keep_axes, stream.get(), &array);
  return finish(code, [&] { return written<dynamic_array>(array, result); });
}

inline outcome<dynamic_array> scanned(fn function, const expression& x, int32_t axis, bool exclusive,
                                      ref<tenon_stream> stream, const into& result) {
  if (const error* failure = expressions::failure_of({&x, 1})) return refuse<dynamic_array>(*failure);
  tenon_array* array = result.get();
  const int32_t code = expressions::scan(static_cast<int32_t>(function), x, axis, exclusive, stream.get(), &array);
  return finish(code, [&] { return written<dynamic_array>(array, result); });
}

}  // namespace detail

// Releases the kernels that expressions were composed to; later evaluations compose them again.
inline void forget_expressions() { detail::expressions::forget(); }

#if TENON_EXCEPTIONS
inline expression::operator dynamic_array() const { return evaluate(*this); }
template <class T, int N> expression::operator array<T, N>() const { return evaluate(*this).template as<T, N>(); }
#endif

// --- operators and functions with names of their own -----------------------------------------------------------------

#define TENON_CXX_BINARY(sign, name)                                                                            \
  template <class X, class Y, class = detail::if_lazy<X, Y>> expression operator sign(const X& x, const Y& y) { \
    return detail::step_of(TENON_STEP_BINARY, fn::name, expression(x), expression(y));                          \
  }
TENON_CXX_BINARY(+, add)
TENON_CXX_BINARY(-, subtract)
TENON_CXX_BINARY(*, multiply)
TENON_CXX_BINARY(/, divide)
TENON_CXX_BINARY(%, remainder)
TENON_CXX_BINARY(==, equal)
TENON_CXX_BINARY(!=, not_equal)
TENON_CXX_BINARY(<, less)
TENON_CXX_BINARY(<=, less_equal)
TENON_CXX_BINARY(>, greater)
TENON_CXX_BINARY(>=, greater_equal)
TENON_CXX_BINARY(&, bitwise_and)
TENON_CXX_BINARY(|, bitwise_or)
TENON_CXX_BINARY(^, bitwise_xor)
TENON_CXX_BINARY(<<, bitwise_left_shift)
TENON_CXX_BINARY(>>, bitwise_right_shift)
#undef TENON_CXX_BINARY

#define TENON_CXX_UNARY(sign, name)                                                     \
  template <class X, class = detail::if_lazy<X>> expression operator sign(const X& x) { \
    return detail::step_of(TENON_STEP_UNARY, fn::name, expression(x));                  \
  }
TENON_CXX_UNARY(+, positive)
TENON_CXX_UNARY(-, negative)
TENON_CXX_UNARY(~, bitwise_invert)
#undef TENON_CXX_UNARY
// `!array` asks, as of every handle, whether there is none; logical_not(array) is the function of its elements.

// condition ? x : y for each element.
template <class C, class X, class Y, class = detail::if_lazy<C, X, Y>>
expression where(const C& condition, const X& x, const Y& y) {
  const expression c(condition), yes(x), no(y);
  return detail::expressions::step(TENON_STEP_SELECT, 0, {&c, &yes, &no});
}

// min(max(x, low), high), in x's dtype.
template <class X, class Low, class High, class = detail::if_lazy<X, Low, High>>
expression clip(const X& x, const Low& low, const High& high) {
  const expression value(x), least(low), most(high);
  return detail::expressions::step(TENON_STEP_CLIP, 0, {&value, &least, &most});
}

// x converted to a dtype (tenon_cast).
template <class X, class = detail::if_lazy<X>> expression astype(const X& x, dtype to) {
  const expression value(x);
  return detail::expressions::step(TENON_STEP_CAST, 0, {&value}, static_cast<uint32_t>(to));
}

}  // namespace TENON_CXX_MODE
}  // namespace tenon

#include <tenon/cxx/elementwise.hpp>
#endif
