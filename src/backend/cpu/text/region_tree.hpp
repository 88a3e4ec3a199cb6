// backend/cpu/text/region_tree.hpp: a kernel's text as statements, seen from its barriers.
#pragma once
#include <string>
#include <vector>
#include "backend/cpu/text/tokens.hpp"

namespace tenon::cpu {

// Tokens [from, to).
struct Span {
  size_t from = 0, to = 0;
  bool empty() const { return from >= to; }
};

// Why a kernel's threads are not run by regions: in words, for people.
struct NoRegions {
  std::string why;
};

// One name of a declaration `type before name after init`.
struct Declared {
  Span before;  // *, &, const
  size_t name = 0;
  Span after;  // extents of an array
  Span init;   // with its =, or its brackets
};

// A call of an operation in which the lanes of a warp exchange values: `__shfl_xor_sync(mask, value, argument, width)`.
struct RegionExchange {
  size_t name = 0, end = 0;  // its tokens are [name, end)
  Span mask, value, argument, width;
};

// What has no barrier in it is `work`, declarations apart. What has one is taken apart down to it.
struct RegionStatement {
  enum Kind { work, declaration, outside, barrier, block, for_loop, while_loop, do_loop, branch, leave };
  Kind kind = work;
  Span all;
  Span type;                       // of a declaration, or of one in the head of a `for`
  std::vector<Declared> declared;  // outside: of shared and constant ones
  bool is_constant = false;        // constexpr
  Span head;                       // of a loop or branch, from its word to the bracket that closes
  Span start, condition, step;
  Span mask;                              // of a barrier of a warp
  Span group, function;                   // of a barrier that syncs a group, by a function or by the group's own
  std::vector<RegionExchange> exchanges;  // in work or a declaration
  std::vector<RegionStatement> body, otherwise;
};

struct KernelParameter {
  Span type;
  size_t name;
};

// The definition of `name` that the text has.
struct KernelTree {
  size_t open = 0, close = 0;  // the body's brackets
  std::vector<KernelParameter> parameters;
  std::vector<RegionStatement> statements;
};

// Throws NoRegions where the text has none or several, or one that is out of the question.
KernelTree read_kernel(const Tokens& tokens, const std::string& name);

bool is_type_word(const Tokens& tokens, size_t i);  // int, unsigned, ..., size_t and its kin
bool is_reserved(const Tokens& tokens, size_t i);   // a word of the language that names nothing
bool is_assignment(const Tokens& tokens, size_t i);

}  // namespace tenon::cpu
