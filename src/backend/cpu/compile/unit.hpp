// backend/cpu/compile/unit.hpp: one translation unit of a program, compiled for one execution mode.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>
#include "backend/cpu/compile/compiler/compiler.hpp"
#include "backend/cpu/text/loops.hpp"
#include "backend/cpu/compile/compiler/object.hpp"
#include "backend/cpu/compile/compiler/options.hpp"
#include "backend/cpu/compile/probe.hpp"
#include "backend/cpu/text/regions/regions.hpp"
#include "backend/cpu/compile/source/text.hpp"
#include "base/files.hpp"

namespace tenon::cpu {

enum Execution { thread_loop = 1, ring_fibers = 2, scheduled_fibers = 3 };

// The least mode that supports what waits so.
Execution needed_by(const Waits& waits);

// The compiler's result for a unit and a mode.
struct Compiled {
  std::string log;
  std::vector<ObjectSymbol> symbols;
  std::map<size_t, uint32_t> most_threads;  // for kernels with __launch_bounds__, by their numbers in the program
  uint64_t frame_bytes = 0;                 // the sum of all frames: no chain of calls without recursion is deeper

  bool has(const char* name, bool defined) const;
  std::optional<std::vector<Waits>> waits;  // of its kernels, if the object is the whole program
  Execution needed() const;                 // the least mode that supports it
};

// The compiler was killed: that allows no conclusion about the text, not even in an attempt.
struct CompilerKilled : Error {
  using Error::Error;
};

// Runs the compiler, or its linker, and returns its output, for the log. Throws the compiler's error, CANCELLED,
// MISSING_LIBRARY. Paths below `hidden` are not shown.
std::string run_compiler(const CompileRequest& request, const Compiler& compiler, const std::vector<std::string>& argv,
                         const std::string& hidden, double most_seconds = 1e9);

// For handlers that go on after a failed attempt: not after one that was cancelled.
void rethrow_if_cancelled(const CompileRequest& request);

class Unit {
 public:
  // The request is that of this one source. number: its index among several that are linked; -1: it is the only one.
  // `numbers`: its kernels' numbers in the whole program. cccl: the directory of CCCL's headers, for a text that uses
  // them, or "". sources, memory: as for kernel_compile.
  Unit(CompileRequest request, std::vector<size_t> numbers, int number, const Compiler& compiler,
       const std::string& cccl, const std::string& sources, ImageStore& memory);

  // Uses all words of the text, including comments: it is only a guess.
  Execution guess() const;
  // The same, except for kernels that are known not to wait.
  Execution least() const;
  // Leaves the result in object(). Grid-stride loops run in memory order if that is proven to be safe
  // (shim/execution/tenon_rows.h, tenon_sums.h).
  Compiled compile(Execution mode) const;
  const std::string& object() const { return object_; }
  const std::string& directory() const { return directory_.path(); }

 private:
  std::vector<std::string> arguments(Execution mode, const std::vector<std::string>& what) const;
  std::vector<std::string> options_of(Execution mode) const;
  std::string run_front_end(Execution mode, const std::vector<std::string>& more, const std::vector<std::string>& what,
                            double most_seconds) const;
  // masks: masked loads and stores test their masks.
  Compiled compile(Execution mode, const std::vector<std::string>& more, double most_seconds = 1e9,
                   bool masks = false) const;
  Compiled compile_plain(Execution mode) const;  // the text as given
  std::string compile_object(Execution mode, const std::vector<std::string>& more, double most_seconds, bool masks,
                             Compiled& out) const;  // returns the log
  std::string compile_module(const std::string& module, const std::vector<std::string>& options, double most_seconds,
                             bool masks) const;
  bool avoids_masks() const;
  bool tests_masks() const;
  std::optional<Compiled> compile_proved(Execution mode) const;
  std::optional<Compiled> compile_regions(Execution mode) const;
  Ways ways(Execution mode) const;
  bool has_loops() const;
  bool spins() const;
  bool others_wait() const;
  bool blocks_may_wait() const;
  void find_waitless() const;
  void find_regions() const;
  bool try_regions(const std::vector<bool>& kernels) const;
  bool may_split() const;
  std::vector<std::string> options_of_regions() const;
  std::set<std::string> functions_of(const std::vector<bool>& kernels) const;
  bool mentioned(const char* word) const;
  const std::string& expanded() const;
  std::string expand(const std::string& first) const;
  bool has_directories() const;
  bool has_cub() const;
  bool may_read_textures() const;
  bool has_ptx() const;
  bool may_launch() const;
  bool launches() const;  // whether kernels launch kernels
  std::string text(const Ways& ways) const;
  std::string log_as_given(Execution mode) const;
  bool may_change_loops() const;
  bool may_stride() const;
  bool may_run_beside() const;
  void prove(Execution mode) const;
  void forgive(const Error& error) const;
  double probe_seconds() const;
  Proof ask(const LoopText& loops, const char* about) const;
  std::vector<int> ask_beside(const LoopText& loops, const Proof& rows, const Proof& sums) const;
  std::string probed(const std::string& text, const char* about) const;
  int vector_functions() const;
  void write_text(const std::string& text) const { write(directory(), "main.cpp", text); }
  void write(const std::string& folder, const std::string& name, std::string_view text) const;

  const CompileRequest request_;
  const int number_;
  const Compiler& compiler_;
  ImageStore& memory_;
  const Options options_;
  const base::ScratchDirectory directory_;
  const std::string shim_, user_, text_, object_, frames_, cccl_;
  const std::string sources_;  // where a debugger finds the text; "": not stored
  mutable TextFrame frame_;    // its clusters are known when the text has been expanded
  struct Proved {
    LoopText loops;
    Proof rows, sums;
    std::vector<int> beside;  // of each kernel the last such loop; -1: none
  };
  mutable std::optional<bool> spins_, has_ptx_;
  mutable bool launches_ = false;
  mutable bool tried_ = false, asked_waitless_ = false, asked_regions_ = false;
  mutable std::vector<bool> waitless_;  // kernels that remain loops in the modes with fibers
  mutable std::vector<Waits> waits_;    // of the other kernels, where a probe told
  mutable std::vector<bool> regions_;   // kernels that run from barrier to barrier, in all modes
  mutable std::string expanded_;
  mutable std::unique_ptr<RegionText> region_text_;
  mutable std::optional<Proved> proved_;
};

}  // namespace tenon::cpu
