// backend/cpu/kernel_region_names.hpp: the variables of a kernel, as its barriers see them.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>
#include "backend/cpu/kernel_region_tree.hpp"

namespace tenon::cpu {

// What all threads of a block agree on is `uniform`: its values are made of such, and it changes only where all threads are. It is one
// variable of the block. What is made of such and of threadIdx, and never changes, is `repeated` where it is needed. Others are of the
// thread: one of each thread where they live over a barrier.
struct RegionVariable {
  enum Role { parameter, own, control, shared, constant };  // control: of the head of a loop
  Role role;
  std::string name;
  Span type;
  Declared declared;
  bool array = false, pointer = false, reference = false, fixed = false;  // fixed: declared const
  bool changes = false;    // somewhere where threads are each for itself, or nobody knows
  bool assigned = false;   // where all threads are, but for the head of its loop
  bool escapes = false;    // something may know where it is
  std::vector<Span> values;
  bool uniform = false, repeated = false;
  bool forced = false;     // used again where threads ended
  std::set<int> regions;   // where it is mentioned
  int last = 0;            // of those that see it
  bool per_thread() const { return role <= control && !uniform; }
  bool crosses() const { return forced || regions.size() > 1 || (escapes && !regions.empty() && *regions.begin() < last); }
};

class RegionNames {
 public:
  // Throws NoRegions where the threads of a block may not take the same way through the barriers.
  RegionNames(const Tokens& tokens, const KernelTree& tree);

  std::vector<RegionVariable> list;
  int at(size_t token) const { return used_[token - first_]; }  // the variable that a token names; -1: none
  int of(const Declared& declared) const { return at(declared.name); }

  // Whether the expression is made of what all threads agree on, of threadIdx too where `by_thread`.
  bool plain(Span span, bool by_thread) const;
  // Notes what makes that so: names that have to be constants or types, variables that have to be numbers.
  void note(Span span);
  std::set<std::string> constants, types;
  std::set<int> numbers;

  // `v = ...;`, `v += ...;`, `++v;`, where all threads are: the variable; -1: it is something else.
  int assigned_by(const RegionStatement& statement) const;

 private:
  struct Shadow { std::string name; size_t end; };
  void visit(const std::vector<RegionStatement>& statements);
  void visit(const RegionStatement& statement);
  void declare(RegionVariable::Role role, const Declared& declared, Span type, bool constant = false);
  void heads(const RegionStatement& statement);
  void assign(Span span, bool in_head);
  void scan(Span span);
  void use(size_t i, int variable);
  enum class Does { reads, changes, shows };
  Does does(size_t i, const RegionVariable& variable) const;
  bool builtin(const RegionVariable& variable) const;
  size_t lambda_end(size_t i) const;
  bool takes_values(size_t call) const;
  void shadows(size_t i, std::vector<Shadow>& out) const;
  void settle();
  void require(Span condition);
  bool walk(Span span, bool by_thread, RegionNames* notes) const;
  bool is_cast(size_t open, size_t close) const;
  bool operand_before(size_t i) const;

  const Tokens& t_;
  const size_t first_;
  std::vector<int> used_;
  std::vector<std::map<std::string, int>> scopes_;
  std::vector<Span> conditions_;
};

}  // namespace tenon::cpu
