/* tenon/cache.h: the cache of compiled programs: counters, contents, export and import.
 *
 *   tenon_cache_tally tally = {sizeof tally};
 *   tenon_cache_export(NULL, "programs.tenon", &tally);        on the machine that has compiled them
 *   tenon_cache_import(NULL, "programs.tenon", &tally);        on the one that has no compiler
 *
 * Every context has one, in the directory of its options (context.h); contexts with the same directory, in this process
 * or others, share its entries. An entry is one program for one device and compiler, or the stored result of a query
 * about a compiler ("answer"). Entries that are damaged or were written by another version of Tenon are never used:
 * such a program is compiled again. context: NULL is the process-default context. These functions may run while other
 * threads and processes compile.
 */
#ifndef TENON_CACHE_H
#define TENON_CACHE_H

#include <tenon/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The counters start when the context is created; the first fields describe the settings and what is on disk now. */
typedef struct tenon_cache_info {
  uint32_t struct_size;
  TENON_ENUM(CACHE) int32_t mode;           /* TENON_CACHE_*, after applying the environment variable */
  TENON_BORROWED(context) const char* directory TENON_TEXT; /* "" for a cache without a directory. Borrowed from the
                                                               context */
  uint64_t limit_bytes;   /* limit of the entries' size */
  uint64_t entries;       /* on disk now, written by any process; 0 if nothing is kept on disk */
  uint64_t bytes;         /* total size of these entries */
  uint64_t process_hits;  /* programs that were found in the process */
  uint64_t disk_hits;     /* programs that were found on disk */
  uint64_t misses;        /* programs that were not found, or had to be compiled again */
  uint64_t compiled;      /* programs that were compiled */
  uint64_t failed;        /* programs that failed to compile */
  uint64_t waits;         /* waits for another thread or process that was compiling the same program */
  uint64_t damaged;       /* damaged entries that were found */
  uint64_t written;       /* entries written to disk */
  uint64_t not_written;   /* entries that could not be written, for example because the disk was full */
  uint64_t evicted;       /* entries removed to stay within the limit */
} tenon_cache_info;

/* The entries that one of the calls below processed. */
typedef struct tenon_cache_tally {
  uint32_t struct_size;
  uint32_t reserved;
  uint64_t entries;  /* verify: checked. export: written. import: added. clear: removed */
  uint64_t bytes;    /* their size */
  uint64_t damaged;  /* verify: those of them that are damaged. export: left out because they are damaged */
  uint64_t kept;     /* import: present already. clear: not removed */
} tenon_cache_tally;

/* Fills *out_info; its struct_size must be set by the caller. Reads the names and sizes of the entries, not their
 * contents. */
TENON_API int32_t tenon_cache_get_info(TENON_NULLABLE tenon_context* context, TENON_OUT tenon_cache_info* out_info);
/* Every entry on disk, least recently used first, as JSON text: a list of {"key" (32 hexadecimal digits, the file's
 * name), "kind", "bytes", "used" (seconds since 1970)}. kind is "program", "answer", "foreign" (written by another
 * version of Tenon) or "damaged". A program also has "device" ("cpu", "cuda"), "name" (of the source), "kernels",
 * "globals", "options" (lists), "mode", "flags", "architecture" ("" is the device's own), "compiler" and
 * "source_bytes"; an answer has its "question". Reads all entries, without changing the time of their last use. */
TENON_API int32_t tenon_cache_list(TENON_NULLABLE tenon_context* context, TENON_OUT TENON_OWNED tenon_blob** out_list);
/* Reads every entry and compares its checksum. remove 1: damaged entries are removed; 0: they are kept. Entries of
 * another version of Tenon do not count as damaged. UNSUPPORTED: the context's cache is off, or cannot be used, or
 * (remove 1) is not writable; the text says why. The call succeeds even if it finds damaged entries. */
TENON_API int32_t tenon_cache_verify(TENON_NULLABLE tenon_context* context, TENON_YES_NO int32_t remove,
                                     TENON_OUT tenon_cache_tally* out_tally);
/* Writes every undamaged program on disk to a single file `path`, a bundle for tenon_cache_import. The file is replaced
 * as a whole, or left unchanged. The bundle is useful on machines with the same compiler, headers and architecture; it
 * contains the programs' sources too. IO: it cannot be written. UNSUPPORTED: as for verify. */
TENON_API int32_t tenon_cache_export(TENON_NULLABLE tenon_context* context, const char* path TENON_TEXT,
                                     TENON_OUT tenon_cache_tally* out_tally);
/* Adds all programs of a bundle to the cache on disk, except those that are present already. They are code that will
 * run with the caller's rights: import only what you trust. The whole file is read and its checksums are compared
 * first; on failure nothing is imported. NOT_FOUND: the file does not exist. INVALID_ARGUMENT: the file is not a
 * bundle, or is damaged: the text says where. VERSION: another version of Tenon wrote it, with another format of
 * entries. IO: the file cannot be read, or the cache cannot be written. UNSUPPORTED: as for verify with remove 1; or
 * the bundle is larger than nine tenths of the cache's limit. */
TENON_API int32_t tenon_cache_import(TENON_NULLABLE tenon_context* context, const char* path TENON_TEXT,
                                     TENON_OUT tenon_cache_tally* out_tally);
/* Removes entries from disk: those not used for `unused_seconds` or longer (0: all), least recently used first, until
 * the rest takes `keep_bytes` or fewer (0: all of them). With 0 and 0 all entries are removed, and also the programs
 * that the process keeps in memory without a reference to them: the next use compiles again. Programs in use are not
 * affected. INVALID_ARGUMENT: unused_seconds is negative or NaN. UNSUPPORTED: as for verify with remove 1. */
TENON_API int32_t tenon_cache_clear(TENON_NULLABLE tenon_context* context, double unused_seconds, uint64_t keep_bytes,
                                    TENON_OUT tenon_cache_tally* out_tally);

#ifdef __cplusplus
}
#endif
#endif
