// api/cache.cpp: the cache of compiled programs: counters, entries, bundles.
#include "api/guard.hpp"
#include "kernel/cache/cache.hpp"

using namespace tenon;
using namespace tenon::api;

namespace {

// Runs `run` on the context's cache, and writes the result to the caller's struct.
template <class F> int32_t tallied(tenon_context* context, tenon_cache_tally* out_tally, F&& run,
                                   const char* function = __builtin_FUNCTION()) {
  return guard(
      [&] {
        check_info(out_tally, "out_tally");  // before anything is done
        info_to(out_tally, run(cache_of(context_or_default(context))), "out_tally");
      },
      function);
}

}  // namespace

int32_t tenon_cache_get_info(tenon_context* context, tenon_cache_info* out_info) {
  return guard([&] {
    Context& self = context_or_default(context);
    need(out_info, "out_info");
    info_to(out_info, cache_of(self).info(), "out_info");
  });
}
int32_t tenon_cache_list(tenon_context* context, tenon_blob** out_list) {
  return guard([&] {
    Out out(out_list, "out_list");
    out.set(make<Blob>(list_entries(cache_of(context_or_default(context)))));
  });
}
int32_t tenon_cache_verify(tenon_context* context, int32_t remove, tenon_cache_tally* out_tally) {
  return tallied(context, out_tally, [&](Cache& cache) { return verify_entries(cache, yes_or_no(remove, "remove")); });
}
int32_t tenon_cache_export(tenon_context* context, const char* path, tenon_cache_tally* out_tally) {
  return tallied(context, out_tally, [&](Cache& cache) { return export_entries(cache, &need(path, "path")); });
}
int32_t tenon_cache_import(tenon_context* context, const char* path, tenon_cache_tally* out_tally) {
  return tallied(context, out_tally, [&](Cache& cache) { return import_entries(cache, &need(path, "path")); });
}
int32_t tenon_cache_clear(tenon_context* context, double unused_seconds, uint64_t keep_bytes,
                          tenon_cache_tally* out_tally) {
  return tallied(context, out_tally, [&](Cache& cache) { return clear_entries(cache, unused_seconds, keep_bytes); });
}
