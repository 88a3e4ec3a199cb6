// backend/cpu/text/regions/region_names.hpp: the variables of a kernel, and their relation to its barriers.
#pragma once
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>
#include "backend/cpu/text/tree/region_tree.hpp"

namespace tenon::cpu {

// A `uniform` variable has the same value for all threads of a block: its values are computed from such variables, and
// it only changes where all threads are. It is one variable of the block. A `repeated` variable is computed from
// uniform ones and threadIdx, and never changes: each region computes it again. The others belong to the thread: if
// there is a barrier in their scope, there is one of them per thread.
struct RegionVariable {
  enum Role { parameter, own, control, shared, constant };  // control: in the head of a loop
  Role role;
  std::string name;
  Span type;
  Declared declared;
  bool array = false, pointer = false, reference = false, fixed = false;  // fixed: declared const
  bool changes = false;   // seems to be changed where each thread runs for itself
  bool assigned = false;  // where all threads are, except in the head of its loop
  std::vector<Span> values;
  bool uniform = false, repeated = false;
  std::set<int> regions;    // in which it is named
  int first = 0, last = 0;  // the regions that its scope covers
  int guard = 0;            // how many guarded branches are around its declaration
  bool per_thread() const { return role <= control && !uniform; }
  bool outlives_region() const { return first < last; }
};

class RegionNames {
 public:
  // Throws NoRegions if the threads of a block might take different paths through the barriers.
  RegionNames(const Tokens& tokens, const KernelTree& tree);

  std::vector<RegionVariable> list;
  int at(size_t token) const { return used_[token - first_]; }  // the variable that a token names; -1: none
  std::vector<int> named(size_t token) const;                   // all that have its name, even where others hide them
  // The only variable with that name; -1: there is none, or there are several.
  int only(const std::string& name) const { return by_name_.count(name) == 1 ? by_name_.find(name)->second : -1; }
  // Whether it is the name of variables on which all threads agree, and of nothing else.
  bool all_uniform(const std::string& name) const {
    const auto [from, to] = by_name_.equal_range(name);
    return from != to && std::all_of(from, to, [this](const auto& one) { return list[size_t(one.second)].uniform; });
  }
  int of(const Declared& declared) const { return at(declared.name); }

  // Whether the expression only uses values that all threads agree on, and with `by_thread` also threadIdx.
  bool plain(Span span, bool by_thread) const;
  // Records what makes that true: names that must be constants or types, variables that must be numbers.
  void note(Span span);
  std::set<std::string> constants, types;
  std::set<int> numbers;

  // Branches that not all threads take: only operations of warps wait in them.
  bool guarded(const RegionStatement& s) const { return guards_.count(s.all.from) > 0; }
  // Whether all names in the expression are variables of the kernel, numbers or types.
  bool known(Span span) const;
  // Whether the kernel's text takes no address, has no reference and no lambda: then nothing holds on to a variable
  // that is not given to a function (which `changes` says).
  bool no_addresses() const { return no_addresses_; }
  // Whether the variable is a number of which nothing but this text can have the address: it is only used in operators
  // on numbers and given to functions that take values. Then a region may keep it in a register.
  bool only_value(int number) const;
  std::set<std::string> value_types;  // that is so if these types of the text are numbers
  // Whether it grows by the same amount from thread to thread: the compiler then knows that they access neighbours. A
  // remainder may do that within a warp, which is what `folds` says.
  bool in_steps(Span span) const;
  bool folds(Span span) const;
  // Whether it has an operation by which threads tell their warps or lanes apart: `/ 32`, `& 31`.
  bool of_warp(Span span) const;
  // Whether the expression is threadIdx.x (or .y, by `axis`), or a variable that is.
  bool thread_along(const char* axis, Span span) const;
  // Whether it is threadIdx.x modulo the size of a warp. operand: of a comparison.
  bool lane(Span span, bool operand = true) const;
  // For an integer that never changes and is a sum of threadIdx.x, .y and .z and of what all threads agree on, also the
  // number of the block: how often each of the three occurs. Else nothing.
  std::optional<std::array<unsigned, 3>> place_in_grid(int number) const;
  // The same for an expression, which need not contain what all threads agree on.
  std::optional<std::array<unsigned, 3>> places(Span span) const;
  // Whether every variable of a thread may live over a barrier, so that a region may end after any statement.
  bool may_part() const { return parts_; }

  // For `v = ...;`, `v += ...;`, `++v;` where all threads are: the variable; -1: it is something else.
  int assigned_by(const RegionStatement& statement) const;

 private:
  struct Shadow {
    std::string name;
    size_t end;
  };
  struct Condition {
    Span span;
    const RegionStatement* branch;  // not NULL: of an `if`
  };
  void read(const KernelTree& tree);
  bool only_numbers(const KernelTree& tree) const;
  Span lasting(size_t token) const;
  void find_template_numbers();
  bool find_exposed(const KernelTree& tree);
  bool note_type(size_t i);
  bool declares_reference(size_t i) const;
  bool gives_values(size_t call) const;
  bool split_by_guards();
  bool may_guard(const RegionStatement& statement) const;
  bool may_guard(const std::vector<RegionStatement>& statements) const;
  void visit(const std::vector<RegionStatement>& statements);
  void visit(const RegionStatement& statement);
  void declare(RegionVariable::Role role, const Declared& declared, Span type, bool constant = false);
  void heads(const RegionStatement& statement);
  void assign(Span span, bool in_head);
  void scan(Span span);
  void use(size_t i, int variable);
  bool may_change(size_t i, const RegionVariable& variable) const;
  bool builtin(const RegionVariable& variable) const;
  bool aggregate(const RegionVariable& variable) const;
  bool takes_values(size_t call) const;
  void shadows(size_t i, std::vector<Shadow>& out) const;
  void settle();
  void require(Span condition);
  bool of_threads(Span span) const;
  void keep_out(Span span) const;
  std::optional<std::array<unsigned, 3>> places(Span span, bool& of_block) const;
  bool is_sum_of_places(Span span, std::array<unsigned, 3>& counts, bool& of_block) const;
  bool walk(Span span, bool by_thread, RegionNames* notes) const;
  bool is_cast(size_t open, size_t close) const;
  bool operand_before(size_t i) const;

  const Tokens& t_;
  const size_t first_;
  std::vector<int> used_;
  std::vector<std::map<std::string, int>> scopes_;
  bool no_addresses_ = false, only_operators_ = false, parts_ = false;
  std::set<std::string_view> template_numbers_;  // the kernel's template has these parameters
  std::set<std::string_view> exposed_;           // names of what may have its address taken
  std::vector<Condition> conditions_;
  std::vector<Span> outside_;
  std::set<size_t> guards_;  // the first tokens of the branches
  int guard_ = 0;            // how many of them are around what is being read
  std::multimap<std::string, int, std::less<>> by_name_;
};

}  // namespace tenon::cpu
