// tests/plugin/contract_fuzz.cpp: contracts, expressions and archives made of anything: they are read, or refused with
// a sentence that says where; nothing else. Expressions are compared with an evaluation of their own.
//
// Built with -DTENON_FUZZER and clang's -fsanitize=fuzzer it is a libFuzzer target; as a test it runs seeded random
// input.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <random>
#include <string>

#include "core/error.hpp"
#include "plugin/contract/json.hpp"
#include "plugin/package/files.hpp"
#include "plugin/package/signing.hpp"

namespace {

using namespace tenon;
using namespace tenon::plugin;

[[noreturn]] void broken(const char* promise, const std::string& text) {
  std::fprintf(stderr, "a promise is broken: %s\n%s\n", promise, text.c_str());
  std::abort();
}

// A contract with a bit of everything, to be spoiled.
const std::string kSeed = R"toml(name = "p"
version = "1.2.3"
files = { "k.cu" = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" }
[op.blur]
doc = "blurs"
types = { T = "floating", A = { from = "T", float16 = "float32" } }
parameters = ["in T x[..., h, w]: the image", "scalar float64 sigma[*] = 1.5: of each axis", "scalar {reflect, wrap} mode = wrap", "out T y[..., h, w]"]
let = ["radius = int(4 * sigma[0] + 0.5)", "float32 taps[k < 2 * abs(radius) + 1] = exp(k - radius) / max(k < 3, k + 1.5)", "total = sum(k < 3, sum(i < k, i * k))", "n = clamp(radius, 0, 9) * ceil_div(h, 3) - -prod(x.shape, 0, -2)"]
require = ["mode == 'wrap' || n % 3 < 2 ? T.floating : x.rank", { that = "sigma.size == 2", message = "{sigma.size} sigmas" }]
temporaries = ["A t like x"]
tunables = { tile = [16, 32] }
source = "k.cu"
kernel = "blur<T, A, {tile}>"
arguments = ["x", "n > 0 ? y : t", "t", "radius", "x.shape", "taps[1 : min(radius, 4)]"]
grid = ["ceil_div(w, tile)", "ceil_div(h, tile)", "prod(x.shape, 0, -2)"]
block = ["tile", "tile"]
shared = "tile * tile * T.itemsize"
test = [{ given = { x = "uniform(2, 3) from -1 to 1", sigma = [1, 2] }, expect = { y = [[1, 2, 3], [4, 5, 6]] } }]
[op.sum]
parameters = ["in T x[..., n]", "out T y[...]"]
reduction = { axes = -1, reduce = "a + b" }
)toml";

void read(const std::string& text) {
  try {
    const Contract contract = read_contract("fuzz.toml", text);
    if (contract.operations.empty()) broken("a contract has an operation", text);
    for (const auto& operation : contract.operations) describe(*operation, contract.name).dump();
  } catch (const Error& error) {
    if (error.message.rfind("fuzz.toml:", 0) != 0) broken("a fault says its place: ", error.message + "\n" + text);
  }
}

void read_as_archive(const std::string& bytes) {
  try {
    if (!read_archive(bytes, "fuzz.tar").count("plugin.toml")) broken("an archive has a contract", bytes);
  } catch (const Error& error) {
    if (error.message.rfind("fuzz.tar", 0) != 0) broken("a fault says its file", error.message);
  }
}

// --- expressions and their values

struct Worth {
  std::string text;
  std::optional<int64_t> value;  // empty: an error
};

class Writer {
 public:
  explicit Writer(std::mt19937_64& random) : random_(random) {}
  Worth write(int depth) {
    const auto pick = [&](uint64_t n) { return random_() % n; };
    if (depth == 0 || pick(8) == 0) return leaf();
    if (level_ < 2 && pick(12) == 0) return repeated(depth);
    const Worth a = write(depth - 1), b = write(depth - 1);
    switch (pick(16)) {
      case 0: return both("(" + a.text + " + " + b.text + ")", a, b, [](__int128 x, __int128 y) { return fit(x + y); });
      case 1: return both("(" + a.text + " - " + b.text + ")", a, b, [](__int128 x, __int128 y) { return fit(x - y); });
      case 2: return both("(" + a.text + " * " + b.text + ")", a, b, [](__int128 x, __int128 y) { return fit(x * y); });
      case 3:
        return both("(" + a.text + " / " + b.text + ")", a, b,
                    [](__int128 x, __int128 y) { return y == 0 ? std::nullopt : fit(floored(x, y)); });
      case 4:
        return both("(" + a.text + " % " + b.text + ")", a, b,
                    [](__int128 x, __int128 y) { return y == 0 ? std::nullopt : fit(x - floored(x, y) * y); });
      case 5:
        return both("min(" + a.text + ", " + b.text + ")", a, b,
                    [](__int128 x, __int128 y) { return fit(x < y ? x : y); });
      case 6:
        return both("max(" + a.text + ", " + b.text + ")", a, b,
                    [](__int128 x, __int128 y) { return fit(x > y ? x : y); });
      case 7:
        return both("ceil_div(" + a.text + ", " + b.text + ")", a, b,
                    [](__int128 x, __int128 y) { return y <= 0 ? std::nullopt : fit(-floored(-x, y)); });
      case 8:
        return both("round_up(" + a.text + ", " + b.text + ")", a, b,
                    [](__int128 x, __int128 y) { return y <= 0 ? std::nullopt : fit(-floored(-x, y) * y); });
      case 9: return both("(" + a.text + " < " + b.text + ")", a, b, [](__int128 x, __int128 y) { return fit(x < y); });
      case 10:
        return both("(" + a.text + " == " + b.text + ")", a, b, [](__int128 x, __int128 y) { return fit(x == y); });
      case 11: return one("(-" + a.text + ")", a, [](__int128 x) { return fit(-x); });
      case 12: return one("abs(" + a.text + ")", a, [](__int128 x) { return fit(x < 0 ? -x : x); });
      case 13: return one("(!" + a.text + ")", a, [](__int128 x) { return fit(x == 0); });
      case 14: {
        Worth out{"(" + a.text + " && " + b.text + ")", std::nullopt};
        if (a.value && !*a.value) out.value = 0;
        else if (a.value && b.value) out.value = *b.value != 0;
        return out;
      }
      default: {
        const Worth c = write(depth - 1);
        Worth out{"(" + a.text + " ? " + b.text + " : " + c.text + ")", std::nullopt};
        if (a.value) out.value = *a.value ? b.value : c.value;
        return out;
      }
    }
  }

 private:
  static std::optional<int64_t> fit(__int128 value) {
    if (value < INT64_MIN || value > INT64_MAX) return std::nullopt;
    return int64_t(value);
  }
  static __int128 floored(__int128 x, __int128 y) { return x / y - ((x % y != 0) && ((x < 0) != (y < 0))); }
  template <class F> static Worth both(std::string text, const Worth& a, const Worth& b, F&& value) {
    Worth out{std::move(text), std::nullopt};
    if (a.value && b.value) out.value = value(*a.value, *b.value);
    return out;
  }
  template <class F> static Worth one(std::string text, const Worth& a, F&& value) {
    Worth out{std::move(text), std::nullopt};
    if (a.value) out.value = value(*a.value);
    return out;
  }
  // sum(k < n, k + b), and min and max of the same.
  Worth repeated(int depth) {
    const int64_t count = int64_t(random_() % 4);
    const std::string name = level_ ? "i" : "k";
    ++level_;
    const Worth b = write(depth - 1);
    --level_;
    static const char* const functions[] = {"sum", "min", "max"};
    const size_t how = random_() % 3;
    Worth out{
        std::string(functions[how]) + "(" + name + " < " + std::to_string(count) + ", " + name + " + " + b.text + ")",
        std::nullopt};
    if (count == 0 && how == 0) out.value = 0;
    if (count == 0 || !b.value) return out;
    __int128 sum = 0;
    for (int64_t k = 0; k < count; ++k) {
      const __int128 value = __int128(k) + *b.value;
      if (!fit(value)) return out;
      sum = k == 0 || how == 2 ? value : how == 1 ? sum : sum + value;
      if (!fit(sum)) return out;
    }
    out.value = fit(sum);
    return out;
  }
  // Names have the same values as the literals, so that both evaluation at load time and evaluation at the call are
  // tested.
  Worth leaf() {
    static const int64_t values[] = {0, 1, 2, 3, 7, 10, 255, 65536, int64_t(1) << 31, int64_t(1) << 62, INT64_MAX};
    const size_t which = random_() % std::size(values);
    if (random_() % 2) return {"n" + std::to_string(which), values[which]};
    return {std::to_string(values[which]), values[which]};
  }
  std::mt19937_64& random_;
  int level_ = 0;
};

void evaluate(std::mt19937_64& random) {
  static const int64_t values[] = {0, 1, 2, 3, 7, 10, 255, 65536, int64_t(1) << 31, int64_t(1) << 62, INT64_MAX};
  Names names;
  Frame frame{};
  for (size_t i = 0; i < std::size(values); ++i) {
    names.emplace("n" + std::to_string(i), Name{Name::What::number, int32_t(i)});
    frame.numbers[i].i = values[i];
  }
  const Worth worth = Writer(random).write(4);
  const Source source{"fuzz.toml", "\"" + worth.text + "\""};
  Value value;
  value.kind = Value::Kind::text;
  value.place = {1, 1};
  value.text = worth.text;
  try {
    const int64_t is = parse_whole(source, value, names, Expression::Kind::integer).integer(frame);
    if (!worth.value || *worth.value != is)
      broken("an expression is worth what it says", worth.text + " gave " + std::to_string(is));
  } catch (const Error& error) {
    // Constant parts are computed when the contract is read, even in a branch that would not be taken.
    const bool may_be_folded = worth.text.find('?') != std::string::npos ||
                               worth.text.find("&&") != std::string::npos ||
                               worth.text.find("sum(") != std::string::npos;
    if (worth.value && !may_be_folded)
      broken("an expression that has a value is not refused", worth.text + "\n" + error.message);
  }
}

// --- spoiling
// ------------------------------------------------------------------------------------------------------------

std::string spoiled(std::string text, std::mt19937_64& random) {
  static const char* const pieces[] = {"\"",   "{",      "}", "[", "]",   "x",    "9223372036854775807",
                                       "(",    ")",      "?", ":", "in ", "out ", "\n",
                                       "=",    "...",    "'", ",", "-",   "*",    "T",
                                       "\xff", "\\u0000"};
  for (uint64_t n = random() % 6 + 1; n > 0 && !text.empty(); --n) {
    const size_t at = random() % text.size();
    switch (random() % 5) {
      case 0: text.erase(at, random() % 8 + 1); break;
      case 1: text.insert(at, pieces[random() % std::size(pieces)]); break;
      case 2: text[at] = char(random()); break;
      case 3: text.insert(at, text.substr(random() % text.size(), random() % 40)); break;
      default: text.replace(at, 1, pieces[random() % std::size(pieces)]); break;
    }
  }
  return text;
}

std::string small_archive() {
  std::string block(512, '\0');
  std::memcpy(block.data(), "plugin.toml", 11);
  std::memcpy(block.data() + 124, "00000000010", 11);
  block[156] = '0';
  std::memcpy(block.data() + 257, "ustar\00000", 8);
  return block + std::string("name='p'").append(504, '\0') + std::string(1024, '\0');
}

void sum_up(std::string& archive) {
  if (archive.size() < 512) return;
  unsigned sum = 0;
  for (size_t i = 0; i < 512; ++i) sum += i >= 148 && i < 156 ? ' ' : static_cast<unsigned char>(archive[i]);
  char text[8];
  std::snprintf(text, sizeof text, "%06o", sum);
  std::memcpy(archive.data() + 148, text, 7);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  read(text);
  read_as_archive(text);
  return 0;
}

#ifndef TENON_FUZZER
#include <gtest/gtest.h>

namespace {

int runs() {
  const char* count = std::getenv("TENON_FUZZ_RUNS");
  return count ? std::atoi(count) : 3000;
}

}  // namespace

TEST(ContractFuzz, spoiled_contracts_are_read_or_refused_with_their_place) {
  EXPECT_EQ(read_contract("fuzz.toml", kSeed).operations.size(), 2u);
  for (int seed = 0; seed < runs(); ++seed) {
    std::mt19937_64 random(static_cast<unsigned>(seed));
    read(spoiled(kSeed, random));
  }
}

TEST(ContractFuzz, expressions_are_worth_what_they_say) {
  for (int seed = 0; seed < 20 * runs(); ++seed) {
    std::mt19937_64 random(static_cast<unsigned>(seed));
    evaluate(random);
  }
}

TEST(ContractFuzz, spoiled_archives_are_read_or_refused) {
  for (int seed = 0; seed < 10 * runs(); ++seed) {
    std::mt19937_64 random(static_cast<unsigned>(seed));
    std::string archive = small_archive();
    for (uint64_t n = random() % 4; n > 0; --n) archive[random() % 512] = char(random());
    if (random() % 4) sum_up(archive);
    if (random() % 8 == 0) archive.resize(random() % archive.size());
    read_as_archive(archive);
  }
}
#endif
