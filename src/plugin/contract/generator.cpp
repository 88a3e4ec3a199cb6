// plugin/contract/generator.cpp: "uniform(3, 100) from -1 to 1": a rule, a shape, and for some rules a range.
#include "plugin/contract/generator.hpp"
#include <cmath>
#include <cstdlib>

namespace tenon::plugin {
namespace {

constexpr int64_t kMostElements = int64_t(1) << 26;

struct Rule {
  std::string kind;
  std::vector<int64_t> shape;
  double low = 0, high = 1;
  int64_t size = 1;
};

double signed_number(Lexer& lexer) {
  const bool minus = lexer.take_if("-");
  const Token token = lexer.take();
  if (token.kind != Token::Kind::integer && token.kind != Token::Kind::real)
    lexer.fault("a range must be written \"from -1 to 1\"");
  const double value = token.kind == Token::Kind::integer ? double(token.integer) : token.real;
  return minus ? -value : value;
}

Rule read_rule(const Source& source, const Value& value) {
  Lexer lexer(source, value);
  Rule out;
  const Place place = lexer.place();
  out.kind = lexer.expect_name("a rule such as normal(100, 7)");
  const bool ranged = out.kind == "uniform" || out.kind == "integers";
  if (!ranged && out.kind != "normal" && out.kind != "range" && out.kind != "zeros" && out.kind != "ones")
    fault(source, place, "there is no rule `%s`; use normal, uniform, integers, range, zeros or ones",
          out.kind.c_str());
  if (out.kind == "integers") out.high = 10;
  lexer.expect("(", "the shape must follow, as in normal(100, 7)");
  while (!lexer.is(")")) {
    const Token extent = lexer.peek();
    if (extent.kind != Token::Kind::integer) lexer.fault("found %s where an extent should be", lexer.found().c_str());
    if (__builtin_mul_overflow(out.size, extent.integer, &out.size) || out.size > kMostElements ||
        out.shape.size() == TENON_MAX_RANK)
      lexer.fault("the test has too many elements: at most 2^26 are allowed");
    lexer.take();
    out.shape.push_back(extent.integer);
    if (!lexer.take_if(",") && !lexer.is(")"))
      lexer.fault("found %s where a comma or ) should be", lexer.found().c_str());
  }
  lexer.take();
  if (ranged && lexer.is_name("from")) {
    lexer.take();
    out.low = signed_number(lexer);
    if (!lexer.is_name("to")) lexer.fault("a range must be written \"from -1 to 1\"");
    lexer.take();
    out.high = signed_number(lexer);
    if (!(out.low < out.high)) lexer.fault("the range is empty");
  }
  if (!lexer.at_end()) lexer.fault("found %s where the rule should end", lexer.found().c_str());
  return out;
}

// "1+2i", "-0.5i", "3"
void put_complex(const Source& source, const Value& value, Generated& out) {
  double parts[2] = {0, 0};
  const char* at = value.text.c_str();
  for (int i = 0; i < 2 && *at; ++i) {
    char* end = nullptr;
    const double number = std::strtod(at, &end);
    const bool imaginary = end != at && *end == 'i';
    if (end == at || (i == 1 && !imaginary) || (*end && !imaginary && *end != '+' && *end != '-')) break;
    parts[imaginary] = number;
    at = end + imaginary;
    if (imaginary) break;
  }
  if (*at || value.text.empty())
    fault(source, value.place, "\"%s\" is not a number: a complex one is written \"1+2i\"", value.text.c_str());
  out.imaginary.resize(out.values.size());
  out.values.push_back(parts[0]);
  out.imaginary.push_back(parts[1]);
}

void flatten(const Source& source, const Value& value, size_t depth, Generated& out) {
  if (value.kind == Value::Kind::text && depth == out.shape.size()) return put_complex(source, value, out);
  if (value.kind == Value::Kind::integer || value.kind == Value::Kind::real || value.kind == Value::Kind::boolean) {
    if (depth != out.shape.size()) fault(source, value.place, "the lists are not nested to the same depth here");
    out.values.push_back(value.kind == Value::Kind::real      ? value.real
                         : value.kind == Value::Kind::integer ? double(value.integer)
                                                              : double(value.boolean));
    return;
  }
  if (value.kind != Value::Kind::list)
    fault(source, value.place, "found %s where a number or a list should be", kind_name(value.kind));
  if (depth >= out.shape.size()) fault(source, value.place, "the lists are not nested to the same depth here");
  if (int64_t(value.items.size()) != out.shape[depth])
    fault(source, value.place, "this list has %zu entries, but the one before it has %lld", value.items.size(),
          static_cast<long long>(out.shape[depth]));
  for (const Value& item : value.items) flatten(source, item, depth + 1, out);
}

Generated from_lists(const Source& source, const Value& value) {
  Generated out;
  for (const Value* at = &value; at->kind == Value::Kind::list; at = &at->items[0]) {
    out.shape.push_back(int64_t(at->items.size()));
    if (at->items.empty()) break;
  }
  flatten(source, value, 0, out);
  if (!out.imaginary.empty()) out.imaginary.resize(out.values.size());
  return out;
}

// SplitMix64 of a counter: each element is independent, and the same on every machine.
uint64_t mixed(uint64_t seed, uint64_t i) {
  uint64_t z = seed * 0x9e3779b97f4a7c15u + (i + 1) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

double unit(uint64_t seed, uint64_t i) { return (double(mixed(seed, i) >> 11) + 0.5) * 0x1p-53; }

}  // namespace

void check_generator(const Source& source, const Value& value) {
  if (value.kind == Value::Kind::text) read_rule(source, value);
  else from_lists(source, value);
}

Generated generate_values(const Source& source, const Value& value, uint64_t seed) {
  if (value.kind != Value::Kind::text) return from_lists(source, value);
  const Rule rule = read_rule(source, value);
  Generated out;
  out.shape = rule.shape;
  out.values.resize(size_t(rule.size));
  for (uint64_t i = 0; i < out.values.size(); ++i) {
    double& to = out.values[i];
    if (rule.kind == "normal")
      to = std::sqrt(-2 * std::log(unit(seed, 2 * i))) * std::cos(6.283185307179586 * unit(seed, 2 * i + 1));
    else if (rule.kind == "uniform") to = rule.low + (rule.high - rule.low) * unit(seed, i);
    else if (rule.kind == "integers") to = std::floor(rule.low + (rule.high - rule.low) * unit(seed, i));
    else to = rule.kind == "range" ? double(i) : rule.kind == "ones";
  }
  return out;
}

}  // namespace tenon::plugin
