// plugin/expression/words.hpp: the words that expressions know: facts of arrays, types and devices, and functions.
#pragma once
#include <string>
#include "plugin/expression/code.hpp"

namespace tenon::plugin {

struct Word {
  const char* name;
  uint8_t value;
};
inline constexpr Word kFacts[] = {{"size", uint8_t(Fact::size)},
                                  {"rank", uint8_t(Fact::rank)},
                                  {"itemsize", uint8_t(Fact::itemsize)},
                                  {"bytes", uint8_t(Fact::bytes)},
                                  {"contiguous", uint8_t(Fact::contiguous)},
                                  {"given", uint8_t(Fact::given)}};
inline constexpr Word kTypeFacts[] = {{"itemsize", uint8_t(TypeFact::itemsize)},
                                      {"floating", uint8_t(TypeFact::floating)},
                                      {"complex", uint8_t(TypeFact::complex)}};
inline constexpr Word kDeviceFacts[] = {
    {"kind", uint8_t(DeviceFact::kind)},      {"multiprocessors", uint8_t(DeviceFact::multiprocessors)},
    {"warp", uint8_t(DeviceFact::warp)},      {"max_threads", uint8_t(DeviceFact::max_threads)},
    {"shared", uint8_t(DeviceFact::shared)},  {"shared_max", uint8_t(DeviceFact::shared_max)},
    {"compute", uint8_t(DeviceFact::compute)}};

// What a function takes: numbers of one kind; integers; a real (the result is real); a real (the result is an integer).
enum class Take : uint8_t { same, integers, real, whole };
struct Function {
  const char* name;
  int32_t least, most;
  Take take;
  Code code, real_code;
};
inline constexpr Function kFunctions[] = {
    {"min", 2, 16, Take::same, Code::minimum, Code::minimum_real},
    {"max", 2, 16, Take::same, Code::maximum, Code::maximum_real},
    {"abs", 1, 1, Take::same, Code::absolute, Code::absolute_real},
    {"ceil_div", 2, 2, Take::integers, Code::ceil_div, Code::ceil_div},
    {"round_up", 2, 2, Take::integers, Code::round_up, Code::round_up},
    {"power_of_two", 1, 1, Take::integers, Code::power_of_two, Code::power_of_two},
    {"int", 1, 1, Take::whole, Code::truncate, Code::truncate},
    {"floor", 1, 1, Take::whole, Code::floor, Code::floor},
    {"ceil", 1, 1, Take::whole, Code::ceil, Code::ceil},
    {"round", 1, 1, Take::whole, Code::round, Code::round},
    {"sqrt", 1, 1, Take::real, Code::sqrt, Code::sqrt},
    {"exp", 1, 1, Take::real, Code::exp, Code::exp},
    {"log", 1, 1, Take::real, Code::log, Code::log},
    {"log2", 1, 1, Take::real, Code::log2, Code::log2},
};
inline constexpr const char* kWords[] = {"clamp", "prod",   "real", "sum",     "device", "in",    "out",
                                         "inout", "scalar", "raw",  "strided", "packed", "saved", "like",
                                         "and",   "or",     "not",  "true",    "false"};

template <size_t N> const Word* find_word(const Word (&words)[N], const std::string& name) {
  for (const Word& word : words)
    if (name == word.name) return &word;
  return nullptr;
}

template <size_t N> std::string listed(const Word (&words)[N]) {
  std::string out;
  for (const Word& word : words) out += (out.empty() ? "" : ", ") + std::string(word.name);
  return out;
}

}  // namespace tenon::plugin
