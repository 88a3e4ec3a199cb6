// kernel/cache/cache.hpp: the cache of programs from its owner's side: its counters, its entries on disk, bundles of
// them.
#pragma once
#include <tenon/cache.h>
#include "core/device/context.hpp"
#include "kernel/cache/disk.hpp"

namespace tenon {

// The type of every context's ImageStore.
class Cache : public ImageStore {
 public:
  virtual tenon_cache_info info() = 0;
  virtual Disk& disk() = 0;
  virtual bool off() const = 0;  // the disk is not used
  virtual void forget() = 0;     // drops the images kept for programs that no longer exist
};
Cache& cache_of(Context& context);

// The functions of tenon/cache.h.
std::string list_entries(Cache& cache);
tenon_cache_tally verify_entries(Cache& cache, bool remove);
tenon_cache_tally clear_entries(Cache& cache, double unused_seconds, uint64_t keep_bytes);
tenon_cache_tally export_entries(Cache& cache, const std::string& path);
tenon_cache_tally import_entries(Cache& cache, const std::string& path);

// The directory, for a call that reads or writes it; throws UNSUPPORTED if it cannot be used.
Disk& usable_disk(Cache& cache, bool to_write);

}  // namespace tenon
