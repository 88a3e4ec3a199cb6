/* tenon/cache.h: the cache of compiled programs: counters, contents, export and import.
 *
 *   tenon_cache_tally tally = {sizeof tally};
 *   tenon_cache_export(NULL, "programs.tenon", &tally);        on the machine that has compiled them
 *   tenon_cache_import(NULL, "programs.tenon", &tally);        on the one that has no compiler
 *
 * Every context has one, in the directory of its options (context.h); contexts of one directory, in this process or
 * others, share what is there. An entry is one program for one device and compiler, or an answer about a compiler that
 * need not be asked twice. Entries that are not whole, and those that another version of Tenon wrote, are never used:
 * such a program is compiled again. context: NULL is the process-default context. What follows may run while other
 * threads and processes compile.
 */
#ifndef TENON_CACHE_H
#define TENON_CACHE_H

#include <tenon/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Counted since the context was made, but for what is on disk now. */
typedef struct tenon_cache_info {
  uint32_t struct_size;
  TENON_ENUM(CACHE) int32_t mode;           /* TENON_CACHE_*, the environment's choice counted in */
  TENON_BORROWED(context) const char* directory TENON_TEXT; /* "" for a cache without one. Borrowed from the context */
  uint64_t limit_bytes;   /* that the entries may take */
  uint64_t entries;       /* on disk now, whoever put them there; 0 where nothing is kept on disk */
  uint64_t bytes;         /* that they take */
  uint64_t process_hits;  /* programs that were in the process */
  uint64_t disk_hits;     /* and on disk */
  uint64_t misses;        /* that were nowhere, or were to be compiled anew */
  uint64_t compiled;      /* and were compiled */
  uint64_t failed;        /* whose compile failed */
  uint64_t waits;         /* waits for another thread or process that was compiling the same */
  uint64_t damaged;       /* entries met that were not whole */
  uint64_t written;       /* entries put on disk */
  uint64_t not_written;   /* that could not be: a full disk, say */
  uint64_t evicted;       /* entries removed to keep the limit */
} tenon_cache_info;

/* What one of the calls below went over. */
typedef struct tenon_cache_tally {
  uint32_t struct_size;
  uint32_t reserved;
  uint64_t entries;  /* verify: looked at. export: written. import: added. clear: removed */
  uint64_t bytes;    /* that those take */
  uint64_t damaged;  /* verify: of them not whole. export: left out, as they are not whole */
  uint64_t kept;     /* import: there already. clear: still there */
} tenon_cache_tally;

/* Fills *out_info; its struct_size must be set by the caller. Looks at names and sizes of the entries and reads none.
 * */
TENON_API int32_t tenon_cache_get_info(TENON_NULLABLE tenon_context* context, TENON_OUT tenon_cache_info* out_info);
/* Every entry on disk, least recently used first, as JSON text: a list of {"key" (32 hexadecimal digits, the file's
 * name), "kind", "bytes", "used" (seconds since 1970)}. kind is "program", "answer", "foreign" (of another version of
 * Tenon) or "damaged" (not whole). A program has also "device" ("cpu", "cuda"), "name" (of the source), "kernels",
 * "globals", "options" (lists), "mode", "flags", "architecture" ("" is the device's own), "compiler" and
 * "source_bytes"; an answer has its "question". Reads all entries, and leaves the time of their last use as it is. */
TENON_API int32_t tenon_cache_list(TENON_NULLABLE tenon_context* context, TENON_OUT TENON_OWNED tenon_blob** out_list);
/* Reads every entry and computes its checksum again. remove 1: those that are not whole are removed; 0: they stay.
 * Entries of another version of Tenon count as whole. UNSUPPORTED: the context's cache is off, or cannot be used, or
 * (remove 1) is not writable; the text says why. Damaged entries are no error of this call. */
TENON_API int32_t tenon_cache_verify(TENON_NULLABLE tenon_context* context, TENON_YES_NO int32_t remove,
                                     TENON_OUT tenon_cache_tally* out_tally);
/* Writes every whole program on disk to the one file `path`, a bundle for tenon_cache_import: whole in place of what
 * was there, or not at all. It serves where the same compiler, headers and architecture are; it holds the programs'
 * sources too. IO: it cannot be written. UNSUPPORTED: as for verify. */
TENON_API int32_t tenon_cache_export(TENON_NULLABLE tenon_context* context, const char* path TENON_TEXT,
                                     TENON_OUT tenon_cache_tally* out_tally);
/* Puts all programs of a bundle into the cache on disk, but for those that are there already. They are code that will
 * run with the caller's rights: import what you trust. All of the file is read and its checksums are compared first; on
 * failure nothing was imported. NOT_FOUND: the file does not exist. INVALID_ARGUMENT: the file is not a bundle, or
 * damaged: the text says where. VERSION: another version of Tenon wrote it, with another form of entries. IO: it cannot
 * be read, or not be written into the cache. UNSUPPORTED: as for verify with remove 1; or the bundle is larger than
 * nine tenths of the cache's limit. */
TENON_API int32_t tenon_cache_import(TENON_NULLABLE tenon_context* context, const char* path TENON_TEXT,
                                     TENON_OUT tenon_cache_tally* out_tally);
/* Removes entries from disk: those not used for `unused_seconds` or longer (0: all), least recently used first, until
 * the rest takes `keep_bytes` or fewer (0: none needs to be kept). With 0 and 0 everything goes, also what the process
 * remembers of programs that nobody holds: the next one is compiled. Programs in use stay as they are.
 * INVALID_ARGUMENT: unused_seconds is negative or no number. UNSUPPORTED: as for verify with remove 1. */
TENON_API int32_t tenon_cache_clear(TENON_NULLABLE tenon_context* context, double unused_seconds, uint64_t keep_bytes,
                                    TENON_OUT tenon_cache_tally* out_tally);

#ifdef __cplusplus
}
#endif
#endif
