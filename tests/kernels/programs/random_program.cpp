// tests/kernels/programs/random_program.cpp: what random kernels are made of: each piece of text with what it does.
#include "random_program.hpp"
#include <algorithm>
#include <cctype>
#include <cstring>
#include <iterator>

namespace test::programs {

std::string Kernel::declarations() {
  return R"(#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__device__ unsigned seen[8];
struct Cell {
  unsigned x, y[2][2];
  __device__ unsigned sum() const { return x + y[0][0] * 3 + y[0][1] * 5 + (y[1][0] ^ y[1][1]); }
  __device__ Cell& add(unsigned k) { x += k; y[k & 1][0] ^= x; return *this; }
};
class Number {
 public:
  __device__ explicit Number(unsigned v) : v_(v) {}
  __device__ Number operator*(const Number& other) const { return Number(v_ * other.v_ + 1); }
  __device__ Number& operator+=(const Number& other) { v_ += other.v_; return *this; }
  __device__ unsigned& operator[](int) { return v_; }
  __device__ operator unsigned() const { return v_ ^ 0x5a; }
 private:
  unsigned v_;
};
struct Base { unsigned v; };
struct Counted {
  unsigned v;
  __device__ explicit Counted(unsigned v) : v(v) {}
  __device__ Counted(const Counted& other) : v(other.v + 1) {}
};
struct Guard {
  unsigned* p;
  __device__ explicit Guard(unsigned* p) : p(p) {}
  __device__ ~Guard() { *p = *p * 3 + 1; }
};
template <unsigned K, class T> __device__ T mix(T a, T b) { return a * K + (b ^ K); }
template <class T> __device__ T over_warp(unsigned mask, T v) {
  for (int d = warpSize / 2; d > 0; d /= 2) v += __shfl_down_sync(mask, v, d);
  return v;
}
template <> __device__ int over_warp<int>(unsigned mask, int v) {
  const int all = __reduce_add_sync(mask, v);
  return all ^ 1;
}
template <class T> __device__ void exchange(T& a, T& b) { T c = a; a = b; b = c; }
__device__ void bump(unsigned* p, unsigned k) { *p += k; }
__device__ unsigned steps(unsigned a) {
  for (unsigned i = 0;; ++i) {
    if (i == 9) return a;
    if ((a & 7) == i) break;
    a = a * 5 + 1;
  }
  return a ^ 0x55;
}
#ifdef WITHOUT_RECURSION
__device__ unsigned digits(unsigned a) {
  unsigned steps = 0;
  for (; a >= 4; a /= 3) ++steps;
  return a + steps;
}
#else
__device__ unsigned digits(unsigned a) { return a < 4 ? a : digits(a / 3) + 1; }
#endif
__device__ void meet() { __syncthreads(); }
__device__ unsigned give(unsigned* s, unsigned t, unsigned from, unsigned v) {
  s[t] = v;
  __syncthreads();
  unsigned got = s[from];
  __syncthreads();
  return got;
}
)";
}

Kernel::Kernel(uint32_t seed, Kind kind, std::string name, uint32_t number)
    : random_(seed), kind_(kind), name_(std::move(name)) {
  same_in_grid_ = kind == Kind::grids;
  std::vector<Statement> body;
  const uint32_t v = words(1), w = words(1);
  body.push_back(
      {"unsigned v = (blockIdx.x * n + t) * 2654435761u, w = t ^ in[t % 777u] ^ seen[" + std::to_string(number) + "];",
       each([v, w, number](State& s, uint32_t t) {
         s.word(t, v) = t * 2654435761u;
         s.word(t, w) = s.within(t) ^ s.input[s.within(t) % kInput] ^ s.global[kGlobal + number];
       })});
  add([v] { return Place{"v", [v](State&, uint32_t) { return v; }}; }, "v");
  add([w] { return Place{"w", [w](State&, uint32_t) { return w; }}; }, "w");
  uniforms_ = {{"n", [](State& s, uint32_t) { return s.threads; }},
               {"p", [](State& s, uint32_t) { return s.parameter; }}};
  if (kind != Kind::grids) uniforms_.push_back({"blockIdx.x", [](State& s, uint32_t t) { return s.block_of(t); }});
  // Every word of shared memory has been written before a thread may end.
  const bool alone = kind == Kind::alone || kind == Kind::sums;
  if (!alone)
    body.push_back({"s[t] = s[n + t] = s[2 * n + t] = v;\n" + barrier(), each([v](State& s, uint32_t t) {
                      for (uint32_t i = 0; i < 3; ++i)
                        s.shared[s.block_of(t)][i * s.threads + s.within(t)] = s.word(t, v);
                    })});
  ends_ = (kind == Kind::barriers || alone) && draw(2);
  const int statements = 5 + int(draw(8));
  for (int i = 0; i < statements; ++i) body.push_back(alone || draw(5) < 2 ? own(3) : meeting(3));
  // All that is left in variables shows.
  for (size_t i = 2; i < variables_.size(); ++i) {
    const Expression x = variables_[i].place().read();
    body.push_back({"v = v * 31 + " + x.text + ";",
                    each([v, x](State& s, uint32_t t) { s.word(t, v) = s.word(t, v) * 31 + x.value(s, t); })});
  }
  body.push_back(
      {"out[(blockIdx.x * n + t) * 2] = v;\nout[(blockIdx.x * n + t) * 2 + 1] = w;\nif (blockIdx.x == 0 && t == 0) seen[" +
           std::to_string(number + 1) + "] = w;",
       each([v, w, number](State& s, uint32_t t) {
         s.out[t * 2] = s.word(t, v), s.out[t * 2 + 1] = s.word(t, w);
         if (t == 0) s.global[kGlobal + number + 1] = s.word(t, w);
       })});
  const Statement all = sequence(body);
  effect_ = all.effect;
  text_ = "extern \"C\" __global__ void " + name_ +
          "(unsigned* out, unsigned* g, const unsigned* in, unsigned p) {\n"
          "extern __shared__ unsigned s[];\n" +
          (alone ? "" : "cg::thread_block block = cg::this_thread_block();\n") +
          "const unsigned t = threadIdx.x + blockDim.x * threadIdx.y, n = blockDim.x * blockDim.y;\n" + all.text +
          "}\n";
}

std::vector<uint32_t> Kernel::run(uint32_t blocks, uint32_t threads, uint32_t width, uint32_t parameter,
                                  const std::vector<uint32_t>& input, std::vector<uint32_t>& global) const {
  State state(blocks, threads, width, parameter, input, global);
  effect_(state, Mask(state.all(), true));
  return state.out;
}

// --- putting statements together

Effect Kernel::each(std::function<void(State&, uint32_t)> one) {
  return [one = std::move(one)](State& s, const Mask& mask) {
    for (uint32_t t = 0; t < s.all(); ++t)
      if (mask[t]) one(s, t);
  };
}

Statement Kernel::sequence(const std::vector<Statement>& all) {
  Statement out;
  std::vector<Effect> effects;
  for (const Statement& one : all) out.text += one.text + "\n", effects.push_back(one.effect);
  out.effect = [effects](State& s, const Mask& mask) {
    for (const Effect& effect : effects) {
      Mask here = mask;
      for (uint32_t t = 0; t < s.all(); ++t) here[t] = here[t] && s.flow[t] == Flow::goes_on;
      effect(s, here);
    }
  };
  return out;
}

Statement Kernel::in_braces(const std::function<std::vector<Statement>()>& make) {
  ++depth_;
  const size_t uniforms = uniforms_.size();
  std::vector<Statement> all = make();
  // What the block leaves in some of its variables shows.
  for (int i = 0; i < 2; ++i) {
    const Variable& one = variables_[variables_.size() - 1 - draw(3) % variables_.size()];
    if (one.depth != depth_) continue;
    const Expression left = one.place().read();  // drawn first: the order of arguments is the compiler's
    all.push_back(assign(place(depth_ - 1), "^=", left));
  }
  const Statement inside = sequence(all);
  std::erase_if(variables_, [this](const Variable& one) { return one.depth >= depth_; });
  std::erase_if(readers_, [this](const Reader& one) { return one.depth >= depth_; });
  while (!pointer_depths_.empty() && pointer_depths_.back() >= depth_) pointer_depths_.pop_back(), pointers_.pop_back();
  uniforms_.resize(uniforms, Expression{});
  --depth_;
  return {"{\n" + inside.text + "}", inside.effect};
}

std::vector<Statement> Kernel::some(int least, int most, int depth, bool meets) {
  std::vector<Statement> out;
  const int count = least + int(draw(uint32_t(most - least + 1)));
  for (int i = 0; i < count; ++i) out.push_back(meets && draw(2) ? meeting(depth) : own(depth));
  return out;
}

static uint32_t apply(const std::string& op, uint32_t a, uint32_t b) {
  return op == "=" ? b : op == "+=" ? a + b : op == "^=" ? (a ^ b) : op == "*=" ? a * b : op == "-=" ? a - b : (a | b);
}

Statement Kernel::assign(const Place& to, const std::string& op, const Expression& from) {
  return {to.text + " " + op + " " + from.text + ";", each([to, op, from](State& s, uint32_t t) {
            const uint32_t value = from.value(s, t);
            uint32_t& word = s.word(t, to.address(s, t));
            word = apply(op, word, value);
          })};
}

// A declaration whose initialisers go to words.
Statement Kernel::declare(const std::string& text, std::vector<std::pair<uint32_t, Expression>> values) {
  return {text, each([values = std::move(values)](State& s, uint32_t t) {
            for (const auto& [word, from] : values) s.word(t, word) = from.value(s, t);
          })};
}

// --- expressions

Expression Kernel::constant(uint32_t value) const {
  return {std::to_string(value) + "u", [value](State&, uint32_t) { return value; }};
}

Expression Kernel::uniform() {
  const Expression a = uniforms_[draw(uint32_t(uniforms_.size()))];
  const uint32_t k = 1 + draw(9);
  return {"(" + a.text + " + " + std::to_string(k) + ")", [a, k](State& s, uint32_t t) { return a.value(s, t) + k; }};
}

Place Kernel::place(uint32_t outside) {
  for (int tries = 0; tries < 50; ++tries) {
    const Variable& one = variables_[draw(uint32_t(variables_.size()))];
    if (one.writable && one.depth <= outside) return one.place();
  }
  return variables_[0].place();
}

Expression Kernel::leaf() {
  switch (draw(reads_ ? 9 : 7)) {
    case 0: return constant(draw(100));
    case 1: return uniforms_[draw(uint32_t(uniforms_.size()))];
    case 2: return {"t", [](State& s, uint32_t t) { return s.within(t); }};
    case 3:
      if (!readers_.empty()) return readers_[draw(uint32_t(readers_.size()))].read();
      [[fallthrough]];
    case 7:
    case 8:
      if (reads_) {
        const uint32_t k = draw(70);
        return {"s[(t + " + std::to_string(k) + ") % n]",
                [k](State& s, uint32_t t) { return s.shared[s.block_of(t)][(s.within(t) + k) % s.threads]; }};
      }
      [[fallthrough]];
    default: return variables_[draw(uint32_t(variables_.size()))].place().read();
  }
}

Expression Kernel::index(uint32_t below) {
  if (draw(3) == 0) return constant(draw(below));
  const uint32_t k = 1 + 2 * draw(3);
  std::vector<Expression> from = {{"t", [](State& s, uint32_t t) { return s.within(t); }}};
  for (const Variable& one : variables_)
    if (!one.plain.empty()) from.push_back(one.place().read());
  const Expression a = from[draw(uint32_t(from.size()))];
  return {a.text + " * " + std::to_string(k) + " % " + std::to_string(below),
          [a, k, below](State& s, uint32_t t) { return a.value(s, t) * k % below; }};
}

Expression Kernel::binary(int depth) {
  const Expression a = expression(depth - 1), b = expression(depth - 1);
  struct Row {
    const char* text;  // A and B stand for the operands
    uint32_t (*value)(uint32_t, uint32_t);
  };
  static const Row rows[] = {
      {"(A + B)", [](uint32_t a, uint32_t b) { return a + b; }},
      {"(A - B)", [](uint32_t a, uint32_t b) { return a - b; }},
      {"(A * B)", [](uint32_t a, uint32_t b) { return a * b; }},
      {"(A ^ B)", [](uint32_t a, uint32_t b) { return a ^ b; }},
      {"(A & B)", [](uint32_t a, uint32_t b) { return a & b; }},
      {"(A / (B | 1))", [](uint32_t a, uint32_t b) { return a / (b | 1); }},
      {"(A % (B | 3))", [](uint32_t a, uint32_t b) { return a % (b | 3); }},
      {"(A << (B & 31))", [](uint32_t a, uint32_t b) { return a << (b & 31); }},
      {"(unsigned)((int)A >> (B & 31))", [](uint32_t a, uint32_t b) { return uint32_t(int32_t(a) >> (b & 31)); }},
      {"(A < B ? A : B + 1)", [](uint32_t a, uint32_t b) { return a < b ? a : b + 1; }},
      {"(unsigned)((int)A < (int)B)", [](uint32_t a, uint32_t b) { return uint32_t(int32_t(a) < int32_t(b)); }},
      {"(unsigned)((unsigned long long)A * B >> 32)",
       [](uint32_t a, uint32_t b) { return uint32_t(uint64_t(a) * b >> 32); }},
      {"(unsigned)((float)(A & 4095u) * 0.5f + (float)(B & 1023u))",  // exact, with a fused product too
       [](uint32_t a, uint32_t b) { return uint32_t(float(a & 4095u) * 0.5f + float(b & 1023u)); }},
      {"(A + (unsigned)(short)B)", [](uint32_t a, uint32_t b) { return a + uint32_t(int32_t(int16_t(b))); }},
      {"(unsigned)(A > 9 && B & 4)", [](uint32_t a, uint32_t b) { return uint32_t(a > 9 && b & 4); }},
      {"mix<7>(A, B)", [](uint32_t a, uint32_t b) { return a * 7 + (b ^ 7); }},
      {"min(A, B)", [](uint32_t a, uint32_t b) { return a < b ? a : b; }},
  };
  uint32_t which = draw(std::size(rows));
  if (kind_ == Kind::numbers && which == 15 && draw(8)) which = 0;  // a function of the text might take references
  const Row& row = rows[which];
  std::string text;
  for (const char* c = row.text; *c; ++c)
    if ((*c == 'A' || *c == 'B') && !std::isalnum(static_cast<unsigned char>(c[1])))
      text += *c == 'A' ? a.text : b.text;
    else text += *c;
  return {text, [a, b, value = row.value](State& s, uint32_t t) { return value(a.value(s, t), b.value(s, t)); }};
}

Expression Kernel::call(int depth) {
  const Expression a = expression(depth - 1);
  struct Row {
    const char* name;
    uint32_t (*value)(uint32_t);
  };
  static const Row rows[] = {
      {"(unsigned)__popc", [](uint32_t a) { return uint32_t(__builtin_popcount(a)); }},
      {"(unsigned)__clz", [](uint32_t a) { return uint32_t(a ? __builtin_clz(a) : 32); }},
      {"steps",
       [](uint32_t a) {
         for (uint32_t i = 0; i < 9; ++i) {
           if ((a & 7) == i) return a ^ 0x55;
           a = a * 5 + 1;
         }
         return a;
       }},
      {"digits",
       [](uint32_t a) {
         uint32_t steps = 0;
         for (; a >= 4; a /= 3) ++steps;
         return a + steps;
       }},
      {"~", [](uint32_t a) { return ~a; }},
  };
  uint32_t which = draw(std::size(rows));
  if (kind_ == Kind::numbers && (which == 2 || which == 3) && draw(8)) which = 0;
  const Row& row = rows[which];
  return {std::string(row.name) + "(" + a.text + ")",
          [a, value = row.value](State& s, uint32_t t) { return value(a.value(s, t)); }};
}

Expression Kernel::expression(int depth) {
  if (depth <= 0 || draw(4) == 0) return leaf();
  return draw(5) ? binary(depth) : call(depth);
}

Expression Kernel::condition() {
  const Expression a = expression(1);
  const uint32_t k = 2 + draw(4), rest = draw(k);
  return {a.text + " % " + std::to_string(k) + " == " + std::to_string(rest),
          [a, k, rest](State& s, uint32_t t) { return uint32_t(a.value(s, t) % k == rest); }};
}

// --- statements of a thread alone

Statement Kernel::own(int depth) {
  if (words_ > State::kWords - 64) return assignment();
  if (kind_ == Kind::sums && draw(24)) {
    switch (draw(8)) {
      case 0: return scalar();
      case 1: return assignment();
      case 2: return depth > 0 ? branch(depth - 1) : assignment();
      default: return sum();
    }
  }
  if (depth > 0) {
    switch (draw(12)) {
      case 0: return branch(depth - 1);
      case 1: return loop(depth - 1);
      case 2: return choice(depth - 1);
      case 3:
        if (kind_ == Kind::numbers) break;
        return guarded(depth - 1);
      case 4:
        if (ends_ && depth_ > 0) return returned();
        break;
      case 5:
        if (leaves_) return leave();
        break;
      default: break;
    }
  }
  if (kind_ == Kind::numbers && draw(40)) {
    switch (draw(8)) {
      case 0:
      case 1: return scalar();
      case 2: return depth_ == 0 ? stride() : scalar();
      case 3:
      case 4: return strided();
      case 5: return few();
      case 6: return atomic();
      default: return assignment();
    }
  }
  switch (draw(19)) {
    case 0: return scalar();
    case 1:
    case 2: return array();
    case 3:
    case 4: return cells();
    case 5: return number();
    case 6: return pointer();
    case 7: return row();
    case 8: return reference();
    case 9: return moved_pointer();
    case 10: return exchanged();
    case 11: return copying_lambda();
    case 12: return writing_lambda();
    case 13: return depth_ == 0 ? stride() : assignment();
    case 14: return atomic();
    case 15: return typed();
    default: return assignment();
  }
}

Statement Kernel::assignment() {
  static const char* const operators[] = {"=", "+=", "^=", "*=", "-=", "|="};
  const Place to = place();
  if (kind_ != Kind::numbers && draw(6) == 0) {
    const Expression from = expression();
    return {"bump(&" + to.text + ", " + from.text + ");", assign(to, "+=", from).effect};
  }
  const Expression from = expression();
  return assign(to, operators[draw(6)], from);
}

Statement Kernel::scalar() {
  const std::string name = fresh("x");
  const Expression from = expression();
  const uint32_t word = words(1);
  const bool fixed = draw(4) == 0;
  add([=] { return Place{name, [word](State&, uint32_t) { return word; }}; }, name, !fixed);
  return declare((fixed ? "const unsigned " : "unsigned ") + name + " = " + from.text + ";", {{word, from}});
}

// A variable whose type is defined with it or before it.
Statement Kernel::typed() {
  static const char* const forms[] = {
      "struct T@ { unsigned v; } @ = {FROM};",
      "struct { unsigned v; } @{FROM};",
      "union T@ { unsigned v; float f; } @{FROM};",
      "struct T@ { unsigned v; };\nstruct T@ @ = {FROM};",
      "class T@ final { public: unsigned v; } @[1]{{FROM}};",
      "enum T@ : unsigned { e@ } @{T@(FROM)};",
      "struct T@ : Base { } @{{FROM}};",
  };
  const uint32_t form = draw(std::size(forms));
  const std::string name = fresh("u");
  const Expression from = expression();
  const uint32_t word = words(1);
  std::string text;
  for (const char* c = forms[form]; *c; ++c) {
    const bool value = std::string_view(c).substr(0, 4) == "FROM";
    if (value) text += "(unsigned)(" + from.text + ")", c += 3;
    else if (*c == '@') text += name;
    else text += *c;
  }
  const std::string member = form == 4 ? name + "[0].v" : form == 5 ? "(unsigned)" + name : name + ".v";
  add([=] { return Place{member, [word](State&, uint32_t) { return word; }}; }, "", form != 5);
  return declare(text, {{word, from}});
}

// A word of an array whose indices are drawn.
Place Kernel::any_word(const std::string& text, uint32_t first, std::vector<uint32_t> extents) {
  std::string out = text;
  Value at = [first](State&, uint32_t) { return first; };
  uint32_t step = 1;
  for (uint32_t extent : extents) step *= extent;
  for (uint32_t extent : extents) {
    step /= extent;
    const Expression i = index(extent);
    out += "[" + i.text + "]";
    at = [at, i, step](State& s, uint32_t t) { return at(s, t) + i.value(s, t) * step; };
  }
  return {out, at};
}

Statement Kernel::array() {
  const std::string name = fresh("a");
  std::vector<uint32_t> extents;
  for (uint32_t i = 0, rank = 1 + draw(3); i < rank; ++i) extents.push_back(2 + draw(2));
  uint32_t count = 1;
  std::string declared = "unsigned " + name;
  for (uint32_t extent : extents) count *= extent, declared += "[" + std::to_string(extent) + "]";
  const uint32_t first = words(count);
  const Expression from = expression(1);
  std::string text = declared + ";\n";  // filled by loops, in the order of the words
  std::string element = name, offset;
  for (size_t i = 0; i < extents.size(); ++i) {
    const std::string j(1, char('i' + i)), bound = std::to_string(extents[i]);
    text += "for (unsigned " + j + " = 0; " + j + " < " + bound + "; ++" + j + ") ";
    element += "[" + j + "]";
    offset = offset.empty() ? j : "(" + offset + " * " + bound + " + " + j + ")";
  }
  text += element + " = " + from.text + " + " + offset + " * 3;";
  add([=, this] { return any_word(name, first, extents); });
  return {text, each([=](State& s, uint32_t t) {
            const uint32_t value = from.value(s, t);
            for (uint32_t i = 0; i < count; ++i) s.word(t, first + i) = value + i * 3;
          })};
}

// An array of structs, or a struct that is copied and has its functions called.
Statement Kernel::cells() {
  const std::string name = fresh("c");
  const uint32_t first = words(10), pick = draw(2);
  const Expression a = expression(1), b = expression(1), k = expression(1);
  const auto word = [=](State& s, uint32_t t, uint32_t i) -> uint32_t& { return s.word(t, first + i); };
  add([=] { return Place{name + "[0].x", [first](State&, uint32_t) { return first; }}; });
  add([=, this] { return any_word(name + "[1].y", first + 6, {2, 2}); });
  readers_.push_back({[=] {
                        return Expression{name + "[1].sum()", [=](State& s, uint32_t t) {
                                            return word(s, t, 5) + word(s, t, 6) * 3 + word(s, t, 7) * 5 +
                                                   (word(s, t, 8) ^ word(s, t, 9));
                                          }};
                      },
                      depth_});
  std::string text = "Cell " + name + "[2] = {{" + a.text + ", {{1u, " + b.text + "}, {3u, 4u}}}};\n";
  text += pick ? name + "[1] = " + name + "[0];\n"
               : "Cell& to_" + name + " = " + name + "[1];\nto_" + name + " = " + name + "[0];\n";
  text += name + "[1].add(" + k.text + ").add(2u);";
  return {text, each([=](State& s, uint32_t t) {
            const uint32_t values[] = {a.value(s, t), 1, b.value(s, t), 3, 4};
            for (uint32_t i = 0; i < 5; ++i) word(s, t, i) = word(s, t, 5 + i) = values[i];
            for (uint32_t add : {k.value(s, t), 2u}) {
              word(s, t, 5) += add;
              word(s, t, 6 + (add & 1) * 2) ^= word(s, t, 5);
            }
          })};
}

// Objects with constructors and operators, and one that changes when it is copied.
Statement Kernel::number() {
  const std::string name = fresh("m");
  const uint32_t word = words(1), copied = words(1);
  const Expression a = expression(1), b = expression(1);
  add([=] { return Place{name + "[0]", [word](State&, uint32_t) { return word; }}; });
  add([=] { return Place{"d" + name + ".v", [copied](State&, uint32_t) { return copied; }}; });
  readers_.push_back(
      {[=] { return Expression{"(unsigned)" + name, [word](State& s, uint32_t t) { return s.word(t, word) ^ 0x5a; }}; },
       depth_});
  return {"Number " + name + "(" + a.text + ");\n" + name + " += Number(" + b.text + ") * " + name + ";\nCounted o" +
              name + "(" + b.text + "), d" + name + " = o" + name + ";",
          each([=](State& s, uint32_t t) {
            const uint32_t first = a.value(s, t);
            s.word(t, word) = first;
            s.word(t, word) = first + (b.value(s, t) * first + 1);
            s.word(t, copied) = b.value(s, t) + 1;
          })};
}

Statement Kernel::pointer() {
  const std::string name = fresh("p");
  const uint32_t word = words(1);
  const Place one = place(depth_), other = place(depth_);
  const Expression which = condition();
  const bool two = draw(2);
  pointers_.push_back({name, word});
  pointer_depths_.push_back(depth_);
  add([=] { return Place{"*" + name, [word](State& s, uint32_t t) { return s.word(t, word); }}; });
  return {
      "unsigned* " + name + " = " + (two ? "(" + which.text + ") ? &" + one.text + " : " : "") + "&" + other.text + ";",
      each([=](State& s, uint32_t t) {
        s.word(t, word) = two && which.value(s, t) ? one.address(s, t) : other.address(s, t);
      })};
}

// A pointer to the rows of an array, and one to the elements of a row.
Statement Kernel::row() {
  const std::string name = fresh("r");
  const uint32_t first = words(6), chosen = words(1);
  const Expression from = expression(1), i = index(2);
  add([=, this] { return any_word(name, first, {2, 3}); });
  add([=, this] {
    const Expression j = index(3);
    return Place{"e" + name + "[" + j.text + "]",
                 [=](State& s, uint32_t t) { return s.word(t, chosen) + j.value(s, t); }};
  });
  return {"unsigned a" + name + "[2][3] = {{1u, " + from.text + ", 3u}, {4u}}, (*" + name + ")[3] = a" + name + ", *e" +
              name + " = " + name + "[" + i.text + "];",
          each([=](State& s, uint32_t t) {
            const uint32_t values[] = {1, from.value(s, t), 3, 4, 0, 0};
            for (uint32_t k = 0; k < 6; ++k) s.word(t, first + k) = values[k];
            s.word(t, chosen) = first + i.value(s, t) * 3;
          })};
}

Statement Kernel::reference() {
  const std::string name = fresh("f");
  const uint32_t word = words(1);
  const Place to = place(depth_);
  add([=] { return Place{name, [word](State& s, uint32_t t) { return s.word(t, word); }}; });
  return {"unsigned& " + name + " = " + to.text + ";",
          each([=](State& s, uint32_t t) { s.word(t, word) = to.address(s, t); })};
}

// A pointer is set, or two are exchanged.
Statement Kernel::moved_pointer() {
  if (pointers_.empty()) return pointer();
  const size_t i = draw(uint32_t(pointers_.size())), j = draw(uint32_t(pointers_.size()));
  const auto [name, word] = pointers_[i];
  if (pointer_depths_[i] == pointer_depths_[j] && i != j) {
    const auto [other, second] = pointers_[j];
    return {"exchange(" + name + ", " + other + ");", each([word = word, second = second](State& s, uint32_t t) {
              std::swap(s.word(t, word), s.word(t, second));
            })};
  }
  const Place to = place(pointer_depths_[i]);
  return {name + " = &" + to.text + ";",
          each([word = word, to](State& s, uint32_t t) { s.word(t, word) = to.address(s, t); })};
}

Statement Kernel::exchanged() {
  const Place a = place(), b = place();
  return {"exchange(" + a.text + ", " + b.text + ");", each([=](State& s, uint32_t t) {
            const uint32_t one = a.address(s, t), other = b.address(s, t);
            std::swap(s.word(t, one), s.word(t, other));
          })};
}

Statement Kernel::copying_lambda() {
  const std::string name = fresh("l");
  std::vector<const Variable*> plain;
  for (const Variable& one : variables_)
    if (!one.plain.empty()) plain.push_back(&one);
  const Place a = plain[draw(uint32_t(plain.size()))]->place(), b = plain[draw(uint32_t(plain.size()))]->place();
  const uint32_t one = words(1), other = words(1);
  readers_.push_back({[=, this] {
                        const Expression d = expression(0);
                        return Expression{name + "(" + d.text + ")", [=](State& s, uint32_t t) {
                                            return s.word(t, one) * d.value(s, t) + (s.word(t, other) ^ 9);
                                          }};
                      },
                      depth_});
  return {"auto " + name + " = [=](unsigned d) { return " + a.text + " * d + (" + b.text + " ^ 9); };",
          each([=](State& s, uint32_t t) {
            s.word(t, one) = s.word(t, a.address(s, t)), s.word(t, other) = s.word(t, b.address(s, t));
          })};
}

Statement Kernel::writing_lambda() {
  const std::string name = fresh("l");
  const Place changed = place(), to = place();
  const Expression inside = expression(1), a = expression(1);
  return {"auto " + name + " = [&](unsigned d) { " + changed.text + " += d; return d * 3 + " + inside.text +
              "; };\nconst unsigned y" + name + " = " + name + "(" + a.text + ");\n" + to.text + " = y" + name + ";",
          each([=](State& s, uint32_t t) {
            const uint32_t d = a.value(s, t);
            s.word(t, changed.address(s, t)) += d;
            const uint32_t y = d * 3 + inside.value(s, t);
            s.word(t, to.address(s, t)) = y;
          })};
}

Statement Kernel::guarded(int depth) {
  const Place to = place(depth_);
  const std::string name = fresh("guard");
  const uint32_t word = words(1);
  const Statement body = in_braces([&] { return some(1, 3, depth, false); });
  return {"{\nGuard " + name + "(&" + to.text + ");\n" + body.text + "\n}", [=](State& s, const Mask& mask) {
            for (uint32_t t = 0; t < s.all(); ++t)
              if (mask[t]) s.word(t, word) = to.address(s, t);
            body.effect(s, mask);
            for (uint32_t t = 0; t < s.all(); ++t)
              if (mask[t]) s.word(t, s.word(t, word)) = s.word(t, s.word(t, word)) * 3 + 1;
          }};
}

Statement Kernel::branch(int depth) {
  const Expression taken = condition();
  const Statement yes = in_braces([&] { return some(1, 3, depth, false); });
  const Statement no = in_braces([&] { return some(0, 2, depth, false); });
  return {"if (" + taken.text + ") " + yes.text + " else " + no.text, [=](State& s, const Mask& mask) {
            Mask first = mask, second = mask;
            for (uint32_t t = 0; t < s.all(); ++t)
              if (mask[t]) {
                const bool is = taken.value(s, t);
                first[t] = is, second[t] = !is;
              }
            yes.effect(s, first);
            no.effect(s, second);
          }};
}

// Runs a body while threads are left; `next` says whether a thread begins another turn.
static Effect turns(std::function<bool(State&, uint32_t, uint32_t turn)> next, Effect body) {
  return [=](State& s, const Mask& mask) {
    Mask in = mask;
    for (uint32_t turn = 0;; ++turn) {
      bool some = false;
      for (uint32_t t = 0; t < s.all(); ++t) some |= in[t] = in[t] && next(s, t, turn);
      if (!some) return;
      body(s, in);
      for (uint32_t t = 0; t < s.all(); ++t) {
        if (!in[t]) continue;
        in[t] = s.flow[t] == Flow::goes_on || s.flow[t] == Flow::continued;
        if (s.flow[t] != Flow::returned) s.flow[t] = Flow::goes_on;
      }
    }
  };
}

Statement Kernel::loop(int depth) {
  const std::string name = fresh("i");
  const uint32_t word = words(1), bound = words(1);
  const Expression a = expression(1);
  const bool outer = std::exchange(leaves_, true);
  const Statement body = in_braces([&] {
    add([=] { return Place{name, [word](State&, uint32_t) { return word; }}; }, name, false);
    return some(1, 3, depth, false);
  });
  leaves_ = outer;
  return {"for (unsigned " + name + " = 0, e" + name + " = (" + a.text + ") % 5; " + name + " < e" + name + "; ++" +
              name + ") " + body.text,
          [=](State& s, const Mask& mask) {
            for (uint32_t t = 0; t < s.all(); ++t)
              if (mask[t]) s.word(t, bound) = a.value(s, t) % 5;
            turns(
                [=](State& s, uint32_t t, uint32_t turn) {
                  s.word(t, word) = turn;
                  return turn < s.word(t, bound);
                },
                body.effect)(s, mask);
          }};
}

Statement Kernel::leave() {
  const bool ends = draw(2);
  const Expression when = condition();
  return {"if (" + when.text + (ends ? ") break;" : ") continue;"), each([=](State& s, uint32_t t) {
            if (when.value(s, t)) s.flow[t] = ends ? Flow::broke : Flow::continued;
          })};
}

// The thread ends; what it leaves shows.
Statement Kernel::returned() {
  const Expression when = condition(), a = expression(1);
  return {"if (" + when.text + ") {\nout[(blockIdx.x * n + t) * 2] = " + a.text + ";\nreturn;\n}",
          each([=](State& s, uint32_t t) {
            if (!when.value(s, t)) return;
            s.out[t * 2] = a.value(s, t);
            s.flow[t] = Flow::returned;
          })};
}

// A switch; two of its cases end with a break, one falls through.
Statement Kernel::choice(int depth) {
  const Expression a = expression(1);
  const bool outer = std::exchange(leaves_, false);  // a break would leave the switch
  std::vector<Statement> cases;
  for (int i = 0; i < 3; ++i) cases.push_back(in_braces([&] { return some(1, 2, depth, false); }));
  leaves_ = outer;
  const uint32_t kept = words(1);
  return {"switch ((" + a.text + ") % 4) {\ncase 0: " + cases[0].text + " break;\ncase 1: " + cases[1].text +
              "  // falls through\ndefault: " + cases[2].text + "\n}",
          [=](State& s, const Mask& mask) {
            for (uint32_t t = 0; t < s.all(); ++t)
              if (mask[t]) s.word(t, kept) = a.value(s, t) % 4;
            for (uint32_t i = 0; i < 3; ++i) {
              Mask here = mask;
              for (uint32_t t = 0; t < s.all(); ++t)
                here[t] =
                    mask[t] && s.flow[t] == Flow::goes_on && (i == 2 ? s.word(t, kept) != 0 : s.word(t, kept) == i);
              cases[i].effect(s, here);
            }
          }};
}

// A loop over the input in steps of the grid.
Statement Kernel::stride() {
  const std::string name = fresh("x");
  const uint32_t word = words(1);
  static const char* const operators[] = {"+=", "^=", "*="};
  const std::string op = operators[draw(3)];
  const uint32_t k = 1 + draw(9);
  add([=] { return Place{name, [word](State&, uint32_t) { return word; }}; }, name);
  return {"unsigned " + name + " = " + std::to_string(k) +
              ";\nfor (unsigned i = blockIdx.x * n + t; i < 777u; i += n * gridDim.x) " + name + " " + op +
              " in[i] * " + std::to_string(k) + ";",
          each([=](State& s, uint32_t t) {
            uint32_t& x = s.word(t, word) = k;
            for (uint32_t i = t; i < kInput; i += s.all()) x = apply(op, x, s.input[i] * k);
          })};
}

// A loop in which a thread adds what it reads: in a branch that all threads take, or that some do, in a loop of all
// threads, or behind the end of some. The sum is rounded, so that it tells the order of its terms.
Statement Kernel::sum() {
  const std::string name = fresh("f"), other = fresh("x"), base = fresh("b"), i = fresh("i");
  const uint32_t rounded = words(1), count = words(1), from = draw(3), by = 1 + draw(3), form = draw(6),
                 place_of = draw(3), around = draw(6), limit = draw(3), few = 20 + draw(60);
  const Expression start = expression(1);
  static const char* const bounds[] = {"p + 4u", "n % 50u + p", "41u"};
  const bool inclusive = draw(3) == 0;
  const auto end = [=](const State& s) {
    return (limit == 0 ? s.parameter + 4 : limit == 1 ? s.threads % 50 + s.parameter : 41) + inclusive;
  };
  const std::string element = place_of == 0   ? "in[(" + base + " + " + i + ") % 777u]"
                              : place_of == 1 ? "in[t % 256u + " + i + "]"
                                              : "r" + base + "[" + i + "]";
  std::string body;
  switch (form) {
    case 0: body = name + " += (float)(int)(" + element + " >> 8);"; break;
    case 1:
      body =
          "{\nconst int e = (int)(" + element + " >> 8);\n" + name + " += (float)e;\n" + other + " ^= (unsigned)e;\n}";
      break;
    case 2: body = "if (" + element + " & 1u) " + name + " += (float)(int)(" + element + " >> 8);"; break;
    case 3:
      body = "{\nint e = (int)(" + element + " >> 9);\nif (" + i + " % 2u == t % 2u) e = -e;\n" + name + " = " + name +
             " + (float)e;\n}";
      break;
    case 4:
      body = name + " = fmaxf(" + name + ", (float)(int)(" + element + " >> 8)), " + other + " += " + i + ";";
      break;
    default: body = other + " = " + other + " * 3u + " + element + ";"; break;
  }
  const std::string loop = "for (unsigned " + i + " = " + std::to_string(from) + "; " + i +
                           (inclusive ? " <= " : " < ") + bounds[limit] + "; " +
                           (by == 1 ? "++" + i : i + " += " + std::to_string(by)) + ") " + body;
  const std::string before = "unsigned " + other + " = 0;\nfloat " + name + " = 0.25f;\nconst unsigned " + base +
                             " = (" + start.text + ") % 300u;\n" +
                             (place_of == 2 ? "const unsigned* r" + base + " = in + " + base + ";\n" : "");
  std::string text;
  switch (around) {
    case 0: text = "if (t < " + std::to_string(few) + "u + p) {\n" + loop + "\n}"; break;
    case 1: text = "if (" + base + " % 3u == 1u) {\n" + loop + "\n}"; break;
    case 2:
      text = "for (unsigned a" + base + " = 0; a" + base + " < p % 4u; ++a" + base + ") {\n" + loop + "\n" + name +
             " += 0.5f;\n}";
      break;
    default: text = loop; break;
  }
  add([=] { return Place{other, [count](State&, uint32_t) { return count; }}; }, other);
  readers_.push_back({[=] {
                        return Expression{"__float_as_uint(" + name + ")",
                                          [rounded](State& s, uint32_t t) { return s.word(t, rounded); }};
                      },
                      depth_});
  return {
      before + text + "\nv = v * 31u + __float_as_uint(" + name + ");", each([=](State& s, uint32_t t) {
        float f = 0.25f;
        uint32_t x = 0;
        const uint32_t b = start.value(s, t) % 300, within = s.within(t);
        const auto run = [&] {
          for (uint32_t k = from; k < end(s); k += by) {
            const uint32_t read = s.input[place_of == 0 ? (b + k) % kInput : place_of == 1 ? within % 256 + k : b + k];
            int e = int(read >> 8);
            if (form == 0 || (form == 2 && read & 1)) f += float(e);
            if (form == 1) f += float(e), x ^= uint32_t(e);
            if (form == 3) e = int(read >> 9), f += float(k % 2 == within % 2 ? -e : e);
            if (form == 4) f = std::max(f, float(e)), x += k;
            if (form == 5) x = x * 3 + read;
          }
        };
        if (around == 2) {
          for (uint32_t a = 0; a < s.parameter % 4; ++a) run(), f += 0.5f;
        } else if ((around != 0 || within < few + s.parameter) && (around != 1 || b % 3 == 1)) {
          run();
        }
        uint32_t bits;
        std::memcpy(&bits, &f, sizeof bits);
        s.word(t, rounded) = bits;
        s.word(t, count) = x;
        uint32_t& v = s.word(t, 0);
        v = v * 31 + bits;
      })};
}

// A loop in which neighbouring threads, of the block or of a warp, read neighbouring words.
Statement Kernel::strided() {
  const std::string name = fresh("x"), i = fresh("i");
  const uint32_t word = words(1), counter = words(1);
  static const char* const operators[] = {"+=", "^=", "*="};
  const std::string op = operators[draw(3)];
  const uint32_t k = 1 + draw(9), from = draw(4), by = draw(4), form = draw(3), more = draw(3), shown = draw(3),
                 moved = draw(5), bound = 60 + draw(300);
  static const char* const starts[] = {"t % 32u", "t & 31u", "t", "blockIdx.x * n + t"};
  static const char* const steps[] = {"32", "n", "n * 2u", "(32u + p)"};
  const std::string start = starts[from], step = steps[by], end = std::to_string(bound) + "u + p",
                    own = std::to_string(k) + "u";
  std::string body = name + " " + op + " in[" + i + "] * " + own + ";";
  if (more == 1) body += "\nif (" + i + " + n < 777u) " + name + " += in[" + i + " + n];";
  if (more == 2) body += "\nfor (unsigned k = 0; k < 3u; ++k) " + name + " = " + name + " * 3u + (" + i + " ^ k);";
  std::string text = "unsigned " + name + " = " + own + ";\n";
  if (form == 0) {
    text += "for (unsigned " + i + " = " + start + "; " + i + " < " + end + "; " + i + " += " + step + ") {\n" + body +
            "\n}";
  } else {
    text += "unsigned " + i + " = " + start + ";\n";
    if (moved == 0) text += "if (" + name + " == " + own + ") " + i + " += w % 3u;\n";
    text += form == 1 ? "while (" + i + " < " + end + ") {\n" + body + "\n" + i + " += " + step + ";\n}"
                      : "for (; " + i + " < " + end + "; " + i + " += " + step + ") {\n" + body + "\n}";
    if (shown == 0) text += "\n" + name + " ^= " + i + " * 7u;";
  }
  const Expression w = variables_[1].place().read();
  add([=] { return Place{name, [word](State&, uint32_t) { return word; }}; }, name);
  return {text, each([=](State& s, uint32_t t) {
            uint32_t& x = s.word(t, word) = k;
            uint32_t& at = s.word(t, counter);
            at = from < 2 ? s.within(t) % 32 : from == 2 ? s.within(t) : t;
            if (form > 0 && moved == 0) at += w.value(s, t) % 3;
            for (; at < bound + s.parameter; at += by == 0   ? 32
                                                   : by == 1 ? s.threads
                                                   : by == 2 ? s.threads * 2
                                                             : 32 + s.parameter) {
              x = apply(op, x, s.input[at] * k);
              if (more == 1 && at + s.threads < kInput) x += s.input[at + s.threads];
              for (uint32_t j = 0; more == 2 && j < 3; ++j) x = x * 3 + (at ^ j);
            }
            if (form > 0 && shown == 0) x ^= at * 7;
          })};
}

// What only some threads do, of a row or of some rows.
Statement Kernel::few() {
  const uint32_t which = draw(6), k = draw(20);
  const Expression also = condition();
  const bool both = draw(3) == 0;
  const Place to = place();
  const Statement set = assign(to, draw(2) ? "+=" : "=", expression());
  static const char* const tests[] = {"threadIdx.x < K", "threadIdx.x == K",   "threadIdx.y < K", "threadIdx.y == K",
                                      "t < K",           "threadIdx.x < p + K"};
  std::string test = tests[which];
  test.replace(test.find('K'), 1, std::to_string(which == 2 || which == 3 ? k % 3 : k) + "u");
  if (both) test += " && " + also.text;
  return {"if (" + test + ") " + set.text, [=](State& s, const Mask& mask) {
            Mask taken = mask;
            for (uint32_t t = 0; t < s.all(); ++t) {
              const uint32_t x = s.within(t) % s.width, y = s.within(t) / s.width;
              const bool is = which == 0   ? x < k
                              : which == 1 ? x == k
                              : which == 2 ? y < k % 3
                              : which == 3 ? y == k % 3
                              : which == 4 ? s.within(t) < k
                                           : x < s.parameter + k;
              taken[t] = mask[t] && is && (!both || also.value(s, t));
            }
            set.effect(s, taken);
          }};
}

// Atomics on memory of all: each word has one operation, which commutes.
Statement Kernel::atomic() {
  const Expression a = expression(1), i = index(8);
  static const char* const names[] = {"atomicAdd", "atomicMax", "atomicXor"};
  const uint32_t which = draw(3);
  return {std::string(names[which]) + "(&g[" + std::to_string(which * 8) + " + " + i.text + "], " + a.text + ");",
          each([=](State& s, uint32_t t) {
            uint32_t& word = s.global[which * 8 + i.value(s, t)];
            const uint32_t value = a.value(s, t);
            word = which == 0 ? word + value : which == 1 ? std::max(word, value) : word ^ value;
          })};
}

// --- statements at which threads meet

std::string Kernel::barrier() {
  static const char* const forms[] = {"__syncthreads();", "__syncthreads();", "cg::sync(block);",
                                      "block.sync();",    "meet();",          "(void)__syncthreads_count(1);"};
  return forms[draw(std::size(forms) - (kind_ == Kind::numbers))];  // only fibers count
}

Statement Kernel::meeting(int depth) {
  const bool warps = kind_ == Kind::warps || kind_ == Kind::numbers, grids = kind_ == Kind::grids;
  if (warps && draw(6) == 0) return special();
  if (warps && draw(2)) return warp();
  if (grids && draw(3) == 0) return grid();
  if (depth > 0 && words_ < State::kWords - 64) {
    switch (draw(9)) {
      case 0: return common_branch(depth - 1);
      case 1:
      case 2: return common_loop(depth - 1);
      case 3:
        if (kind_ == Kind::numbers && draw(20)) break;  // such kernels use fibers
        return voted_branch(depth - 1);
      case 4: return buffers();
      case 5:
        if (kind_ == Kind::numbers) break;
        return registers();
      default: break;
    }
  }
  switch (draw(7)) {
    case 0: return shared_atomics();
    case 1:
      if (kind_ == Kind::numbers && draw(20)) return exchange(depth);
      return votes();
    case 2: return given();
    default: return exchange(depth);
  }
}

// Each thread writes a word of its own; behind a barrier all are read.
Statement Kernel::exchange(int depth) {
  const Expression a = expression();
  static const char* const forms[] = {"s[t]", "*(s + t)", "s[n - 1 - t]"};
  const uint32_t form = draw(3);
  std::vector<Statement> all = {{std::string(forms[form]) + " = " + a.text + ";", each([=](State& s, uint32_t t) {
                                   const uint32_t at = s.within(t), value = a.value(s, t);
                                   s.shared[s.block_of(t)][form == 2 ? s.threads - 1 - at : at] = value;
                                 })}};
  for (Statement& one : some(0, 1, depth - 1, false)) all.push_back(std::move(one));
  all.push_back({barrier(), each([](State&, uint32_t) {})});
  reads_ = true;
  all.push_back(assignment());
  for (Statement& one : some(0, 2, depth - 1, false)) all.push_back(std::move(one));
  reads_ = false;
  all.push_back({barrier(), each([](State&, uint32_t) {})});
  return sequence(all);
}

Statement Kernel::shared_atomics() {
  const Expression a = expression(1);
  const Place to = place();
  const uint32_t k = 1 + draw(5);
  const std::string first = barrier(), second = barrier(), third = barrier();
  return {"s[t] = 0;\n" + first + "\natomicAdd(&s[t * " + std::to_string(k) + " % n], " + a.text + ");\n" + second +
              "\n" + to.text + " ^= s[t];\n" + third,
          [=](State& s, const Mask& mask) {
            const auto all = [&](const std::function<void(std::vector<uint32_t>&, uint32_t)>& one) {
              for (uint32_t t = 0; t < s.all(); ++t)
                if (mask[t]) one(s.shared[s.block_of(t)], t);
            };
            all([&](auto& words, uint32_t t) { words[s.within(t)] = 0; });
            all([&](auto& words, uint32_t t) { words[s.within(t) * k % s.threads] += a.value(s, t); });
            all([&](auto& words, uint32_t t) { s.word(t, to.address(s, t)) ^= words[s.within(t)]; });
          }};
}

Statement Kernel::votes() {
  const Expression when = condition();
  const Place to = place();
  static const char* const names[] = {"__syncthreads_count", "__syncthreads_or", "__syncthreads_and"};
  const uint32_t which = draw(3);
  const std::string result = fresh("y");
  return {
      "const unsigned " + result + " = " + names[which] + "(" + when.text + ");\n" + to.text + " += " + result + ";",
      [=](State& s, const Mask& mask) {
        std::vector<uint32_t> votes(s.blocks), voters(s.blocks);
        for (uint32_t t = 0; t < s.all(); ++t)
          if (mask[t]) votes[s.block_of(t)] += when.value(s, t), ++voters[s.block_of(t)];
        for (uint32_t t = 0; t < s.all(); ++t) {
          const uint32_t b = s.block_of(t);
          if (mask[t])
            s.word(t, to.address(s, t)) += which == 0   ? votes[b]
                                           : which == 1 ? uint32_t(votes[b] != 0)
                                                        : uint32_t(votes[b] == voters[b]);
        }
      }};
}

Statement Kernel::common_branch(int depth) {
  const Expression a = uniform();
  const uint32_t k = 2 + draw(3);
  const bool outer = std::exchange(leaves_, false);
  const Statement yes = in_braces([&] { return some(1, 3, depth, true); });
  const Statement no = in_braces([&] { return some(0, 2, depth, true); });
  leaves_ = outer;
  return {"if (" + a.text + " % " + std::to_string(k) + " == 0) " + yes.text + " else " + no.text,
          [=](State& s, const Mask& mask) {
            Mask first = mask, second = mask;
            for (uint32_t t = 0; t < s.all(); ++t) {
              const bool is = a.value(s, t) % k == 0;
              first[t] = mask[t] && is, second[t] = mask[t] && !is;
            }
            yes.effect(s, first);
            no.effect(s, second);
          }};
}

// A branch that a vote decides.
Statement Kernel::voted_branch(int depth) {
  const Expression when = condition();
  const bool outer = std::exchange(leaves_, false);
  const Statement yes = in_braces([&] { return some(1, 3, depth, !same_in_grid_); });
  leaves_ = outer;
  return {"if (__syncthreads_or(" + when.text + ")) " + yes.text, [=](State& s, const Mask& mask) {
            std::vector<bool> taken(s.blocks);
            for (uint32_t t = 0; t < s.all(); ++t)
              if (mask[t] && when.value(s, t)) taken[s.block_of(t)] = true;
            Mask here = mask;
            for (uint32_t t = 0; t < s.all(); ++t) here[t] = mask[t] && taken[s.block_of(t)];
            yes.effect(s, here);
          }};
}

// for, while or do, with a break or continue that all threads take.
Statement Kernel::common_loop(int depth) {
  const std::string name = fresh("i");
  const uint32_t word = words(1), form = draw(3), count = 1 + draw(4), k = 2 + draw(3), way = draw(3);
  const Expression from = uniform();
  const bool outer = std::exchange(leaves_, false);
  const Statement body = in_braces([&] {
    const Expression turn = {name, [word](State& s, uint32_t t) { return s.word(t, word); }};
    uniforms_.push_back(turn);
    std::vector<Statement> all = some(1, 2, depth, true);
    if (way < 2)
      all.push_back({"if ((" + name + " + " + from.text + ") % " + std::to_string(k) + " == 1) " +
                         (way == 0 ? "break;" : "continue;"),
                     each([=](State& s, uint32_t t) {
                       if ((s.word(t, word) + from.value(s, t)) % k == 1)
                         s.flow[t] = way == 0 ? Flow::broke : Flow::continued;
                     })});
    for (Statement& one : some(0, 2, depth, true)) all.push_back(std::move(one));
    return all;
  });
  leaves_ = outer;
  const std::string bound = std::to_string(count), own = "unsigned " + name;
  // The variable counts at the beginning of a turn of a while or do loop, so that continue does not miss it.
  const std::string text =
      form == 0   ? "for (" + own + " = 1; " + name + " <= " + bound + "; ++" + name + ") " + body.text
      : form == 1 ? own + " = 0;\nwhile (" + name + "++ < " + bound + ") " + body.text
                  : own + " = 0;\ndo {\n++" + name + ";\n" + body.text.substr(2, body.text.size() - 3) + "} while (" +
                        name + " < " + bound + ");";
  return {text, [=](State& s, const Mask& mask) {
            turns(
                [=](State& s, uint32_t t, uint32_t turn) {
                  s.word(t, word) = turn + 1;
                  return turn < count;
                },
                body.effect)(s, mask);
          }};
}

// Two buffers in shared memory, used in turns with one barrier a turn.
Statement Kernel::buffers() {
  const std::string now = fresh("now"), turn = fresh("i"), wait = barrier(), last = barrier();
  const Expression a = expression(1);
  const Place to = place(depth_);
  const uint32_t k = 1 + draw(40);
  return {"unsigned " + now + " = 1;\nfor (int " + turn + " = 0; " + turn + " < 3; ++" + turn + ") {\ns[" + now +
              " * n + t] = " + a.text + ";\n" + wait + "\n" + to.text + " += s[" + now + " * n + (t + " +
              std::to_string(k) + ") % n];\n" + now + " = 3 - " + now + ";\n}\n" + last,
          [=](State& s, const Mask& mask) {
            for (uint32_t round = 0; round < 3; ++round) {
              const uint32_t first = (round % 2 ? 2 : 1) * s.threads;
              for (uint32_t t = 0; t < s.all(); ++t)
                if (mask[t]) s.shared[s.block_of(t)][first + s.within(t)] = a.value(s, t);
              for (uint32_t t = 0; t < s.all(); ++t)
                if (mask[t])
                  s.word(t, to.address(s, t)) += s.shared[s.block_of(t)][first + (s.within(t) + k) % s.threads];
            }
          }};
}

// Two buffers in registers, whose pointers are exchanged.
Statement Kernel::registers() {
  const std::string name = fresh("b"), wait = barrier(), last = barrier();
  const Expression x = expression(1), y = expression(1);
  const Place to = place();
  const uint32_t k = 1 + draw(20);
  const bool swaps = draw(2);
  const std::string a = name + "now", b = name + "next";
  return {"unsigned " + name + "[2][2] = {{" + x.text + ", " + y.text + "}}, *" + a + " = " + name + "[0], *" + b +
              " = " + name + "[1];\nfor (int i" + name + " = 0; i" + name + " < 3; ++i" + name + ") {\ns[t] = " + a +
              "[0];\n" + wait + "\n" + b + "[0] = " + a + "[1] + s[(t + " + std::to_string(k) + ") % n];\n" + b +
              "[1] = " + a + "[0] * 3;\n" + last + "\n" +
              (swaps ? "exchange(" + a + ", " + b + ");"
                     : "unsigned* c = " + a + ";\n" + a + " = " + b + ";\n" + b + " = c;") +
              "\n}\n" + to.text + " ^= " + a + "[0] + " + b + "[1];",
          [=](State& s, const Mask& mask) {
            std::vector<std::vector<uint32_t>> now(s.all()), next(s.all(), std::vector<uint32_t>(2));
            for (uint32_t t = 0; t < s.all(); ++t)
              if (mask[t]) now[t] = {x.value(s, t), y.value(s, t)};
            for (int round = 0; round < 3; ++round) {
              for (uint32_t t = 0; t < s.all(); ++t)
                if (mask[t]) s.shared[s.block_of(t)][s.within(t)] = now[t][0];
              for (uint32_t t = 0; t < s.all(); ++t)
                if (mask[t])
                  next[t] = {now[t][1] + s.shared[s.block_of(t)][(s.within(t) + k) % s.threads], now[t][0] * 3};
              std::swap(now, next);
            }
            for (uint32_t t = 0; t < s.all(); ++t)
              if (mask[t]) s.word(t, to.address(s, t)) ^= now[t][0] + next[t][1];
          }};
}

// A function of the text that waits.
Statement Kernel::given() {
  const Expression a = expression(1);
  const Place to = place();
  const uint32_t k = draw(40);
  const std::string result = fresh("y");
  return {"const unsigned " + result + " = give(s, t, (t + " + std::to_string(k) + ") % n, " + a.text + ");\n" +
              to.text + " += " + result + ";",
          [=](State& s, const Mask& mask) {
            for (uint32_t t = 0; t < s.all(); ++t)
              if (mask[t]) s.shared[s.block_of(t)][s.within(t)] = a.value(s, t);
            for (uint32_t t = 0; t < s.all(); ++t)
              if (mask[t]) s.word(t, to.address(s, t)) += s.shared[s.block_of(t)][(s.within(t) + k) % s.threads];
          }};
}

// Operations of whole warps: blocks have a multiple of 32 threads, and all take part.
Statement Kernel::warp() {
  const Expression a = expression(1);
  const Place to = place();
  const bool numbers = kind_ == Kind::numbers;
  const uint32_t k = draw(32), width = 1u << (1 + draw(5)), drawn = draw(14), which = numbers && drawn == 8 ? 3 : drawn;
  const std::string lane = std::to_string(k), size = std::to_string(width), x = fresh("y");
  const std::string made = "cg::tiled_partition<" + size + ">(block)", tile = numbers ? "tile" + x : made;
  std::string call;
  // From the values of the 32 lanes: what lane i gets.
  std::function<uint32_t(const uint32_t*, uint32_t)> lane_gets;
  const auto over = [width](const uint32_t* from, uint32_t i, uint32_t start, auto op) {  // the lanes of a tile
    uint32_t out = start;
    for (uint32_t j = i & ~(width - 1), end = j + width; j < end; ++j) out = op(out, from[j]);
    return out;
  };
  const auto across = [](const uint32_t* from, uint32_t start, auto op) {  // all lanes
    uint32_t out = start;
    for (uint32_t j = 0; j < 32; ++j) out = op(out, from[j]);
    return out;
  };
  const auto plus = [](uint32_t a, uint32_t b) { return a + b; };
  switch (which) {
    case 0:
      call = "__shfl_sync(~0u, A, " + lane + ", " + size + ")";
      lane_gets = [=](const uint32_t* from, uint32_t i) { return from[(i & ~(width - 1)) + (k & (width - 1))]; };
      break;
    case 1:
      call = "__shfl_up_sync(~0u, A, " + lane + ", " + size + ")";
      lane_gets = [=](const uint32_t* from, uint32_t i) { return from[(i & (width - 1)) >= k ? i - k : i]; };
      break;
    case 2:
      call = "__shfl_down_sync(~0u, A, " + lane + ", " + size + ")";
      lane_gets = [=](const uint32_t* from, uint32_t i) { return from[(i & (width - 1)) + k < width ? i + k : i]; };
      break;
    case 3:
      call = "__shfl_xor_sync(~0u, A, " + lane + ")";
      lane_gets = [=](const uint32_t* from, uint32_t i) { return from[i ^ k]; };
      break;
    case 4:
      call = "__ballot_sync(~0u, A & 4)";
      lane_gets = [](const uint32_t* from, uint32_t) {
        uint32_t out = 0;
        for (uint32_t j = 0; j < 32; ++j) out |= (from[j] >> 2 & 1) << j;
        return out;
      };
      break;
    case 5:
      call = "(unsigned)__any_sync(~0u, (A & 63) == 5)";
      lane_gets = [=](const uint32_t* from, uint32_t) {
        return across(from, 0, [](uint32_t a, uint32_t b) { return uint32_t(a || (b & 63) == 5); });
      };
      break;
    case 6:
      call = "__reduce_add_sync(~0u, A)";
      lane_gets = [=](const uint32_t* from, uint32_t) { return across(from, 0, plus); };
      break;
    case 7:
      call = "__reduce_max_sync(~0u, A)";
      lane_gets = [=](const uint32_t* from, uint32_t) {
        return across(from, 0, [](uint32_t a, uint32_t b) { return std::max(a, b); });
      };
      break;
    case 8:
      call = "__match_any_sync(~0u, A & 3)";
      lane_gets = [](const uint32_t* from, uint32_t i) {
        uint32_t out = 0;
        for (uint32_t j = 0; j < 32; ++j) out |= uint32_t((from[j] & 3) == (from[i] & 3)) << j;
        return out;
      };
      break;
    case 9:
      call = tile + ".shfl_xor(A, " + std::to_string(k & (width - 1)) + ")";
      lane_gets = [=](const uint32_t* from, uint32_t i) { return from[i ^ (k & (width - 1))]; };
      break;
    case 10:
      call = "cg::reduce(" + tile + ", A, cg::plus<unsigned>())";
      lane_gets = [=](const uint32_t* from, uint32_t i) { return over(from, i, 0, plus); };
      break;
    case 11:
      call = "(unsigned)" + tile + ".all(A & 1)";
      lane_gets = [=](const uint32_t* from, uint32_t i) {
        return over(from, i, 1, [](uint32_t a, uint32_t b) { return a & b & 1; });
      };
      break;
    case 12:
      call = tile + ".ballot(A & 8)";
      lane_gets = [=](const uint32_t* from, uint32_t i) {
        uint32_t out = 0;
        for (uint32_t j = 0, first = i & ~(width - 1); j < width; ++j) out |= (from[first + j] >> 3 & 1) << j;
        return out;
      };
      break;
    default: {  // a tree over a warp, as every tutorial has it
      const std::string d = fresh("d");
      const Effect tree = [=](State& s, const Mask& mask) {
        std::vector<uint32_t> values(s.all());
        for (uint32_t t = 0; t < s.all(); ++t)
          if (mask[t]) values[t] = a.value(s, t);
        for (uint32_t step = 16; step > 0; step /= 2) {
          const std::vector<uint32_t> before = values;
          for (uint32_t t = 0; t < s.all(); ++t)
            if (mask[t]) values[t] += before[t % 32 + step < 32 ? t + step : t];
        }
        for (uint32_t t = 0; t < s.all(); ++t)
          if (mask[t]) s.word(t, to.address(s, t)) ^= values[t];
      };
      return {"unsigned " + x + " = " + a.text + ";\nfor (int " + d + " = 16; " + d + " > 0; " + d + " /= 2) " + x +
                  " += __shfl_down_sync(0xffffffffu, " + x + ", " + d + ");\n" + to.text + " ^= " + x + ";",
              tree};
    }
  }
  const size_t operand = std::min(call.find(" A"), call.find("(A")) + 1;
  call.replace(operand, 1, "(" + a.text + ")");
  return {(numbers ? "cg::thread_block_tile<" + size + "> " + tile + " = " + made + ";\n" : "") + "const unsigned " +
              x + " = " + call + ";\n" + to.text + " += " + x + ";",
          [=](State& s, const Mask& mask) {
            std::vector<uint32_t> values(s.all());
            for (uint32_t t = 0; t < s.all(); ++t)
              if (mask[t]) values[t] = a.value(s, t);
            for (uint32_t t = 0; t < s.all(); ++t)
              if (mask[t]) s.word(t, to.address(s, t)) += lane_gets(&values[t / 32 * 32], t % 32);
          }};
}

// A template that waits, and its special case. No int is added: it could overflow.
Statement Kernel::special() {
  const Expression a = expression(1);
  const Place to = place();
  const bool is_int = draw(2), alone = draw(2);
  const std::string y = fresh("y"), type = is_int ? "int" : "unsigned";
  const std::string operand = "(" + type + ")(" + a.text + ")";
  return {type + " " + y + " = " + operand + ";\n" + y + (alone ? " = " : " ^= ") + "over_warp<" + type + ">(~0u, " +
              y + ");\n" + to.text + " ^= (unsigned)" + y + ";",
          [=](State& s, const Mask& mask) {
            std::vector<uint32_t> own(s.all()), values;
            for (uint32_t t = 0; t < s.all(); ++t)
              if (mask[t]) own[t] = a.value(s, t);
            values = own;
            for (uint32_t step = 16; step > 0; step /= 2) {
              const std::vector<uint32_t> before = values;
              for (uint32_t t = 0; t < s.all(); ++t)
                if (is_int ? true : mask[t])
                  values[t] +=
                      is_int ? before[t / 32 * 32 + (t % 32 ^ step)] : before[t % 32 + step < 32 ? t + step : t];
            }
            for (uint32_t t = 0; t < s.all(); ++t)
              if (mask[t]) s.word(t, to.address(s, t)) ^= (alone ? 0 : own[t]) ^ values[t] ^ is_int;
          }};
}

// All threads of a cooperative grid meet: words of `out`, which no thread reads otherwise.
Statement Kernel::grid() {
  const Expression a = expression(1);
  const Place to = place();
  const uint32_t k = 1 + draw(99);
  return {"out[(blockIdx.x * n + t) * 2] = " + a.text + ";\ncg::this_grid().sync();\n" + to.text +
              " += out[(blockIdx.x * n + t + " + std::to_string(k) +
              ") % (n * gridDim.x) * 2];\ncg::this_grid().sync();",
          [=](State& s, const Mask& mask) {
            for (uint32_t t = 0; t < s.all(); ++t)
              if (mask[t]) s.out[t * 2] = a.value(s, t);
            for (uint32_t t = 0; t < s.all(); ++t)
              if (mask[t]) s.word(t, to.address(s, t)) += s.out[(t + k) % s.all() * 2];
          }};
}

}  // namespace test::programs
