// kernel/cache/entries.cpp: the entries that a cache has on disk: listed, verified, cleared.
#include <time.h>
#include "base/json.hpp"
#include "kernel/cache/cache.hpp"
#include "kernel/cache/key.hpp"

namespace tenon {
namespace {

using EntryKind = EntryFacts::Kind;

tenon_cache_tally empty_tally() {
  tenon_cache_tally tally{};
  tally.struct_size = sizeof tally;
  return tally;
}

// False also for an entry that another process removed in the meantime.
bool facts_of(Disk& disk, const Disk::Entry& entry, EntryFacts& out) {
  std::string bytes;
  if (!disk.look_at(entry.name, bytes)) return false;
  out = read_entry_facts(bytes);
  // An entry under a wrong name is never found.
  if ((out.kind == EntryKind::program || out.kind == EntryKind::answer) && out.key_hash != entry.name)
    out.kind = EntryKind::damaged;
  return true;
}

const char* kind_name(EntryKind kind) {
  switch (kind) {
    case EntryKind::program: return "program";
    case EntryKind::answer: return "answer";
    case EntryKind::foreign: return "foreign";
    case EntryKind::damaged: return "damaged";
  }
  return "";
}

const char* program_mode_name(int32_t mode) {
  return mode == TENON_PROGRAM_MODE_FAST    ? "fast"
         : mode == TENON_PROGRAM_MODE_DEBUG ? "debug"
         : mode == TENON_PROGRAM_MODE_CHECK ? "check"
                                            : "unknown";
}

// The first two lines of a device's compiler identity name the compiler.
std::string compiler_text(const std::string& identity) {
  const size_t line = identity.find('\n');
  if (line == std::string::npos) return identity;
  const size_t second = identity.find('\n', line + 1);
  return identity.substr(line + 1, second == std::string::npos ? second : second - line - 1) + " at " +
         identity.substr(0, line);
}

}  // namespace

Cache& cache_of(Context& context) { return dynamic_cast<Cache&>(context.images()); }

Disk& usable_disk(Cache& cache, bool to_write) {
  Disk& disk = cache.disk();
  TENON_REQUIRE(!cache.off(), TENON_ERROR_UNSUPPORTED,
                "the cache is turned off by the context's options or TENON_CACHE");
  TENON_REQUIRE(disk.writable() || !to_write, TENON_ERROR_UNSUPPORTED,
                "the cache at %s is made read-only by the context's options or TENON_CACHE", disk.directory().c_str());
  const bool open = disk.open();
  const std::string why = disk.why();  // "": it can be read but does not exist, so it is empty
  TENON_REQUIRE(open || why.empty(), TENON_ERROR_UNSUPPORTED, "the cache cannot be used: %s", why.c_str());
  return disk;
}

std::string list_entries(Cache& cache) {
  base::Json out = base::Json::array();
  if (!cache.off()) {
    for (const Disk::Entry& entry : cache.disk().entries()) {
      EntryFacts facts;
      if (!facts_of(cache.disk(), entry, facts)) continue;
      base::Json& row = out.emplace_back();
      row["key"] = entry.name;
      row["kind"] = kind_name(facts.kind);
      row["bytes"] = entry.bytes;
      row["used"] = 1e-9 * double(entry.used);
      if (facts.kind == EntryKind::answer) row["question"] = facts.question;
      if (facts.kind != EntryKind::program) continue;
      row["device"] = facts.device == TENON_DEVICE_CPU ? "cpu" : facts.device == TENON_DEVICE_CUDA ? "cuda" : "unknown";
      row["name"] = facts.name;
      row["kernels"] = facts.kernels;
      row["globals"] = facts.globals;
      row["options"] = facts.options;
      row["mode"] = program_mode_name(facts.mode);
      row["flags"] = facts.flags;
      row["architecture"] = facts.architecture;
      row["compiler"] = compiler_text(facts.compiler);
      row["source_bytes"] = facts.source_bytes;
    }
  }
  return out.dump();
}

tenon_cache_tally verify_entries(Cache& cache, bool remove) {
  Disk& disk = usable_disk(cache, remove);
  tenon_cache_tally tally = empty_tally();
  for (const Disk::Entry& entry : disk.entries()) {
    EntryFacts facts;
    if (!facts_of(disk, entry, facts)) continue;
    ++tally.entries;
    tally.bytes += entry.bytes;
    if (facts.kind != EntryKind::damaged) continue;
    ++tally.damaged;
    // Not if it was written again since it was checked.
    EntryFacts now;
    if (remove && facts_of(disk, entry, now) && now.kind == EntryKind::damaged) disk.remove(entry.name);
  }
  return tally;
}

tenon_cache_tally clear_entries(Cache& cache, double unused_seconds, uint64_t keep_bytes) {
  TENON_REQUIRE(unused_seconds >= 0, TENON_ERROR_INVALID_ARGUMENT,
                "unused_seconds is %g: it must be 0 (all entries) or a positive time", unused_seconds);
  Disk& disk = usable_disk(cache, true);
  tenon_cache_tally tally = empty_tally();
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  const double last = double(now.tv_sec) + 1e-9 * double(now.tv_nsec) - unused_seconds;
  const std::vector<Disk::Entry> all = disk.entries();
  uint64_t left = 0;
  for (const Disk::Entry& entry : all) left += entry.bytes;
  for (const Disk::Entry& entry : all) {
    const bool old = unused_seconds == 0 || 1e-9 * double(entry.used) <= last;
    if (old && (keep_bytes == 0 || left > keep_bytes) && disk.remove(entry.name)) {
      ++tally.entries;
      tally.bytes += entry.bytes;
      left -= entry.bytes;
    } else {
      ++tally.kept;
    }
  }
  if (unused_seconds == 0 && keep_bytes == 0) cache.forget();
  return tally;
}

}  // namespace tenon
