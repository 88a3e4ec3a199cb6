// backend/cpu/compile/unit_regions.cpp: finds the kernels of a unit that can run from barrier to barrier
// (shim/execution/tenon_regions.h), and compiles them.
#include "backend/cpu/compile/unit.hpp"

namespace tenon::cpu {
namespace {

constexpr size_t kMostAsked = 8;  // functions per text that are tried separately

}  // namespace

// Whether to search for kernels that can run from barrier to barrier.
bool Unit::may_split() const {
  return request_.mode == TENON_PROGRAM_MODE_FAST && number_ < 0 && !request_.kernels.empty() &&
         guess() != thread_loop && !spins() && !launches() && !has_cub() && !mentioned("TENON_PLAIN_BARRIERS") &&
         (mentioned("sync") || mentioned("cooperative_groups"));
}

// Finds the kernels that can be rewritten so. Only the compiler can tell whether other code in them, in functions that
// they call, waits, and whether the rewritten text is valid: it compiles all of them together, or else each one
// separately.
void Unit::find_regions() const {
  if (asked_regions_) return;
  asked_regions_ = true;
  try {
    if (!may_split() || expanded().empty()) return;
    region_text_ = std::make_unique<RegionText>(expanded());
    std::vector<bool> candidates(request_.kernels.size());
    for (size_t k = 0; k < candidates.size(); ++k)
      candidates[k] = region_text_->refused(function_of_kernel(request_.kernels[k])).empty();
    if (!any(candidates)) return;
    if (candidates.size() == 1) {  // the final compile decides
      regions_ = candidates;
      return;
    }
    if (try_regions(candidates)) return;
    const std::set<std::string> functions = functions_of(candidates);
    std::vector<bool> good(candidates.size());
    for (const std::string& function : functions) {
      std::vector<bool> alone(candidates.size());
      for (size_t k = 0; k < alone.size(); ++k) alone[k] = function_of_kernel(request_.kernels[k]) == function;
      if (functions.size() > 1 && functions.size() <= kMostAsked && try_regions(alone))
        for (size_t k = 0; k < alone.size(); ++k)
          if (has(regions_, k)) good[k] = true;
    }
    regions_ = any(good) ? good : std::vector<bool>();
  } catch (const Error& error) {
    regions_.clear();
    forgive(error);
  }
}

// Compiles them, and leaves out those that wait. False: the rewritten text does not compile.
bool Unit::try_regions(const std::vector<bool>& kernels) const {
  regions_ = kernels;
  std::vector<Waits> waits;
  try {
    // Whether code that waits remains does not depend on what makes loops fast, which takes most of the time.
    Ways how = ways(thread_loop);
    how.blocks.assign(how.blocks.size(), RegionText::Blocks::any);
    write_text(proved_text(frame_, region_text_->rewritten(functions_of(regions_)), how));
    waits = *compile(thread_loop, {"-w", "-O2", "-fno-unroll-loops", "-fno-tree-vectorize"}, probe_seconds()).waits;
  } catch (const Error& error) {
    regions_.clear();
    forgive(error);
    return false;
  }
  std::set<std::string> waiting;
  for (size_t k = 0; k < kernels.size(); ++k)
    if (kernels[k] && !waits[k].none()) waiting.insert(function_of_kernel(request_.kernels[k]));
  for (size_t k = 0; k < kernels.size(); ++k)
    regions_[k] = kernels[k] && !waiting.count(function_of_kernel(request_.kernels[k]));
  // The others were compiled as loops over their threads, so that this also tells what find_waitless would ask. Those
  // that were rewritten in vain wait for more than what remained.
  waits_ = std::move(waits);
  waitless_.clear();
  for (size_t k = 0; k < kernels.size(); ++k) {
    if (kernels[k] && !regions_[k]) waits_[k] = {true, guess() == scheduled_fibers};
    waitless_.push_back(!kernels[k] && waits_[k].none());
  }
  asked_waitless_ = true;
  if (!any(regions_)) regions_.clear();
  return true;
}

// Of a stencil's two loads of one element by neighbouring threads, the optimiser would make one load whose value the
// next thread takes over: then each waits for the thread before it, and none are run at once. Of a row of 16 threads
// that only copy it would make a call of memcpy, and of a store by each warp scatters: both cost more than they save.
std::vector<std::string> Unit::options_of_regions() const {
  if (!compiler_.is_clang()) return {};
  std::vector<std::string> out = {"-mllvm", "-enable-load-in-loop-pre=false", "-mllvm", "-disable-loop-idiom-memcpy"};
  if (compiler_.major >= 17) out.push_back("-mno-scatter");
  return out;
}

std::set<std::string> Unit::functions_of(const std::vector<bool>& kernels) const {
  std::set<std::string> out;
  for (size_t k = 0; k < kernels.size(); ++k)
    if (kernels[k]) out.insert(function_of_kernel(request_.kernels[k]));
  return out;
}

// Empty if there are no such kernels, or if they do not compile; in that case none run this way.
std::optional<Compiled> Unit::compile_regions(Execution mode) const {
  std::optional<Compiled> out;
  if (!any(regions_)) return out;
  try {
    write_text(proved_text(frame_, region_text_->rewritten(functions_of(regions_)), ways(mode)));
    out = compile(mode, options_of_regions(), 1e9, tests_masks());
    if (!out->log.empty()) out->log = log_as_given(mode);
  } catch (const Error& error) {
    forgive(error);
    regions_.clear();
    out.reset();
  }
  return out;
}

}  // namespace tenon::cpu
