/* tenon/abi.h: the macros that the other headers use: export, annotations, version.
 *
 * Every header under tenon/ is plain C99 and the single source of the contract: bindings, symbol list, version script,
 * function table and bad-input tests are derived from them by abi/generate.py. The annotations below expand to nothing
 * for a compiler and tell the generator what C cannot express.
 *
 * Rules for every function, which the comments do not repeat:
 * - A fallible function returns an int32_t status: TENON_OK (0) or a TENON_ERROR_* of status.h. Text and details of the
 *   failure are in the calling thread's error record (status.h); success and TENON_ERROR_NOT_READY leave that record
 *   alone.
 * - On failure the call consumes nothing, leaves objects unchanged, sets output handles to NULL and leaves other
 *   outputs untouched.
 * - An output marked TENON_INOUT is an array that the caller may provide ("the result is provided or made"). If *out is
 *   NULL on entry, the call makes a new C-ordered array there, which the caller releases. Otherwise the result is
 *   written into the array *out, and *out stays as it is. That array may have any strides, but must have exactly the
 *   dtype and the shape of the result (DTYPE, SHAPE), lie on the device of the work (DEVICE, CONTEXT), be writable
 *   (READ_ONLY), and share no memory with the inputs, with other outputs or with itself (OVERLAP) unless the function
 *   says that it may be exactly an input. After a failure *out has its old value. The elements of a provided array are
 *   unchanged too, unless the values themselves caused the failure (NOT_FINITE, SINGULAR, NOT_CONVERGED, OVERFLOW, or a
 *   device that failed): they are unspecified then. Parameters come in the order inputs, options, stream, outputs.
 * - A pointer parameter must not be NULL unless it is marked TENON_NULLABLE; NULL gives TENON_ERROR_INVALID_ARGUMENT.
 *   A handle that was released, or is of another kind, gives TENON_ERROR_INVALID_HANDLE where the library can detect
 *   it.
 * - TENON_OWNED outputs are new references: the caller releases them. Other returned pointers are borrowed: they live
 *   as long as the object that they were obtained from.
 * - tenon_X_release accepts NULL, may be called on any thread, in any order, even while the process exits, returns
 *   nothing and leaves the error record alone.
 * - Handles may be used from any thread. Two threads may use one handle at the same time unless its comment says
 *   otherwise. In a child of fork() inherited handles give TENON_ERROR_FORKED; a new context there may use the CPU.
 * - A struct that may grow starts with struct_size, which the caller sets to sizeof(the struct), also in a struct that
 *   receives results and in each element of an array of structs. Fields are only ever appended, at a new ABI level. The
 *   library accepts the sizes that the struct had at any level, and larger ones from a newer caller. Any other size is
 *   INVALID_ARGUMENT: it can only be a mistake, such as the size of a pointer.
 * - In a struct of options or inputs, zero in a field is its default, and NULL for the whole struct is all defaults. A
 *   field that the library does not know is VERSION unless it is zero; so is a reserved field. An option that the
 *   function does not have, or that cannot be combined with the others, is INVALID_ARGUMENT unless it is zero. The
 *   library reads the memory behind pointers in such a struct only during the call, or copies it, unless the field's
 *   comment says otherwise.
 * - A struct that receives results is filled as far as the caller's struct_size reaches; fields of a newer caller that
 *   this library does not know become zero. struct_size is not written. tenon_arg and the unions never change.
 * - A call that enqueues work takes a stream; NULL is the default stream of the device the work runs on. On the CPU
 *   device the work is complete when the call returns.
 * - A callback (destroy, a log function, a DLPack deleter) may call Tenon unless the comment on its type says
 *   otherwise, and does not change the error record of the call that runs it. It must not let an exception escape; one
 *   that escapes is dropped. The comment on the type states on which thread the callback runs, and whether such an
 *   exception is logged. A call that fails takes ownership of nothing: it runs no destroy.
 * - The comments do not repeat the statuses that any function may return: INVALID_ARGUMENT (NULL, a value that is not
 *   documented, a wrong struct_size), INVALID_HANDLE, FORKED, VERSION (a reserved or unknown field), OUT_OF_MEMORY;
 *   CONTEXT and DEVICE if it takes objects of two contexts or devices; and DEVICE_LOST or VENDOR if it uses a CUDA
 *   device.
 *   A comment names the other statuses that the function may return, and any particular meaning of these.
 * - Sizes are int64_t in elements and uint64_t in bytes. Constants are open: an unknown value is an error.
 * - Everything here is since ABI level 1.0 unless a comment says otherwise.
 */
#ifndef TENON_ABI_H
#define TENON_ABI_H

#include <stddef.h>
#include <stdint.h>

#define TENON_VERSION_MAJOR 1
#define TENON_VERSION_MINOR 1
#define TENON_VERSION_PATCH 0

/* Versions and levels are packed in the same way, so that they can be compared: (major << 16) | (minor << 8) | patch; a
 * level's patch is 0. */
#define TENON_PACK_VERSION(major, minor, patch) \
  (((uint32_t)(major) << 16) | ((uint32_t)(minor) << 8) | (uint32_t)(patch))

/* The ABI level of these headers. Within a major version functions, fields and constants are only added. */
#define TENON_ABI_LEVEL 0x00010100u

/* The oldest level that the program being compiled can run with. A program or plug-in that should also load where an
 * older Tenon is installed defines it before including these headers: struct tenon_api then has the rows of that level
 * only, so that the compiler rejects uses of newer ones; a plug-in passes it to the library as its tenon_plugin_level
 * (plugin.h). */
#if !defined(TENON_TARGET_LEVEL)
#define TENON_TARGET_LEVEL TENON_ABI_LEVEL
#elif TENON_TARGET_LEVEL > TENON_ABI_LEVEL || TENON_TARGET_LEVEL >> 16 != TENON_ABI_LEVEL >> 16
#error "TENON_TARGET_LEVEL must be a level of this major version that these headers know"
#endif

#if defined(TENON_GENERATOR) /* abi/generate.py reads the headers with clang */
#define TENON_ANNOTATE(text) __attribute__((annotate(text)))
#else
#define TENON_ANNOTATE(text)
#endif

/* A program may define TENON_API before including the headers, for example as nothing for a static library or a
 * generator. */
#if defined(TENON_API)
#elif defined(__GNUC__)
#define TENON_API __attribute__((visibility("default")))
#else
#define TENON_API
#endif

/* Annotations of parameters, and of the fields of structs. */
#define TENON_NULLABLE TENON_ANNOTATE("tenon:nullable")         /* NULL is allowed and documented */
#define TENON_OUT TENON_ANNOTATE("tenon:out")                   /* written by the call */
#define TENON_INOUT TENON_ANNOTATE("tenon:inout")               /* *out NULL: a new array, owned by the caller; else the
                                                                   array to write into */
#define TENON_OWNED TENON_ANNOTATE("tenon:owned")               /* the caller gets a reference and releases it */
#define TENON_CONSUMED TENON_ANNOTATE("tenon:consumed")         /* taken over on success, untouched on failure */
#define TENON_LENGTH(count) TENON_ANNOTATE("tenon:length=" #count) /* points at `count` elements (for void and char:
                                                                      bytes) */
#define TENON_TEXT TENON_ANNOTATE("tenon:text")                 /* UTF-8, NUL-terminated; with TENON_LENGTH: an array of
                                                                   texts */
#define TENON_ENUM(name) TENON_ANNOTATE("tenon:enum=" #name)    /* one of the constants TENON_name_*; for an output: its
                                                                   possible values */
#define TENON_FLAGS(name) TENON_ANNOTATE("tenon:flags=" #name)  /* any combination of the bits TENON_name_*; 0: none */
#define TENON_YES_NO TENON_ANNOTATE("tenon:yes_no")             /* 0 or 1 */
#define TENON_BORROWED(owner) TENON_ANNOTATE("tenon:borrowed=" #owner) /* written by the library; lives as long as that
                                                                          object */
#define TENON_ANY_HANDLE TENON_ANNOTATE("tenon:any_handle")     /* a handle of any kind */

#ifdef __cplusplus
extern "C" {
#endif

/* A sequence of bytes owned by the library: a log, a report, PTX, a cubin. Immutable. */
typedef struct tenon_blob tenon_blob;

/* The bytes of a blob, borrowed. A NUL byte follows the last one, so that text can be used as a C string. */
TENON_API int32_t tenon_blob_data(const tenon_blob* blob, TENON_OUT const void** out_data,
                                  TENON_OUT uint64_t* out_size);
/* Adds one reference. */
TENON_API int32_t tenon_blob_retain(const tenon_blob* blob);
/* Releases one reference. */
TENON_API void tenon_blob_release(TENON_NULLABLE tenon_blob* blob);

/* The version of the loaded library, in the format of TENON_PACK_VERSION. It may be newer than the headers. Compare it
 * with TENON_ABI_LEVEL: version 1.2.3 has everything of the levels 1.0 to 1.2. */
TENON_API uint32_t tenon_version(void);

/* The table of functions; api.h has its rows. */
typedef struct tenon_api tenon_api;

/* Every function as a table, for plug-ins and for programs that open the library at run time. level: the
 * TENON_TARGET_LEVEL that the caller was compiled with. A caller of a newer level of the same major version gets this
 * library's table, and checks TENON_HAS before it uses a row that an older library may lack. Returns NULL, with VERSION
 * in the error record, if the level belongs to another major version, whose rows this library does not have. The table
 * is static. */
TENON_API const tenon_api* tenon_get_api(uint32_t level);

/* Whether a table has a row: TENON_HAS(api, array_zeros). Only then may the row be used. */
#define TENON_HAS(api, row) ((api)->struct_size >= offsetof(tenon_api, row) + sizeof((api)->row))

/* How the library was built (version, compiler, options, backends), as JSON text: static, borrowed, never NULL. */
TENON_API const char* tenon_build_info(void);

#ifdef __cplusplus
}
#endif
#endif
