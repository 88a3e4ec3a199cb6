// backend/cpu/text/tree/region_tree.hpp: a kernel's text as a tree of statements, split at its barriers.
#pragma once
#include <set>
#include <string>
#include <vector>
#include "backend/cpu/text/tokens.hpp"

namespace tenon::cpu {

// Tokens [from, to).
struct Span {
  size_t from = 0, to = 0;
  bool empty() const { return from >= to; }
};

// The reason why a kernel's threads are not run by regions, in words for users.
struct NoRegions {
  std::string why;
};
[[noreturn]] inline void refuse(std::string why) { throw NoRegions{std::move(why)}; }

// One name of a declaration `type before name after init`.
struct Declared {
  Span before;  // *, &, const
  size_t name = 0;
  Span after;  // the extents of an array
  Span init;   // including its =, or its brackets
};

// A call of an operation by which the lanes of a warp exchange values: `__shfl_xor_sync(mask, value, argument, width)`,
// `tile.shfl_xor(value, argument)` or `cg::reduce(tile, value, argument)`.
struct RegionExchange {
  size_t begin = 0, name = 0, end = 0;  // its tokens are [begin, end)
  Span group, function;                 // the tile; the function's qualified name
  Span mask, value, argument, width;
  bool reduces() const { return !function.empty(); }
};

// Statements without a barrier are `work`, except declarations. Those with one are split down to the barrier.
struct RegionStatement {
  enum Kind { work, declaration, outside, barrier, block, for_loop, while_loop, do_loop, branch, leave };
  Kind kind = work;
  Span all;
  Span type;                       // of a declaration, or of one in the head of a `for`
  std::vector<Declared> declared;  // outside: shared and constant variables
  bool is_constant = false;        // constexpr
  Span head;                       // of a loop or branch, from its keyword to the closing bracket
  Span start, condition, step;
  Span mask;                              // of a barrier of a warp
  Span group, function;                   // of a barrier that syncs a group, by a function or by the group's member
  bool of_warp = false;                   // a barrier of a warp, or of a group that may be one of its tiles
  std::vector<RegionExchange> exchanges;  // in work or a declaration
  bool calls = false;                     // it calls a function that waits
  std::vector<RegionStatement> body, otherwise;
};

struct KernelParameter {
  Span type;
  size_t name;
};

// The definition of `name` in the text.
struct KernelTree {
  size_t open = 0, close = 0;  // the body's brackets
  std::vector<KernelParameter> parameters;
  std::vector<RegionStatement> statements;
};

// Throws NoRegions if the text has none or several, or one that cannot be split.
KernelTree read_kernel(const Tokens& tokens, const std::string& name);

// The statements of a function, also split down to calls of functions with these names. Throws NoRegions as above.
std::vector<RegionStatement> read_statements(const Tokens& tokens, Span body,
                                             const std::set<std::string, std::less<>>& waiting);

// Whether a barrier or an operation of a warp is named there.
bool region_waits(const Tokens& tokens, size_t i);

bool is_type_word(const Tokens& tokens, size_t i);  // int, unsigned, ..., size_t and related types
bool is_reserved(const Tokens& tokens, size_t i);   // a keyword that names nothing
bool is_assignment(const Tokens& tokens, size_t i);

}  // namespace tenon::cpu
