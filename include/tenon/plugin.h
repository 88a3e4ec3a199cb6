/* tenon/plugin.h: packages of kernels with a contract: named, checked operations for every host.
 *
 *   tenon_package_load(NULL, "elementwise", NULL, &package);   found by its name
 *   tenon_operation_find(NULL, "elementwise/relu", NULL, &relu);
 *   tenon_arg args[] = {TENON_ARRAY_ARG(x), TENON_ARRAY_ARG(y)};
 *   tenon_operation_call(relu, args, 2, NULL);
 *
 * A package is a directory, or an archive of one (an uncompressed tar file), with a plugin.toml and CUDA C. Its
 * contract describes the parameters, shapes, geometry, preconditions, gradient and tests of each operation;
 * kernels/README.md in the source tree documents it completely. One generic call runs every operation, on every device;
 * a package needs no host code.
 *
 * A context has a registry of packages. A package is added as a whole or not at all. Two versions of a package may be
 * loaded at the same time; the same version with different content may not. Loading compiles nothing. Packages and
 * operations are reference-counted: after one is unloaded or replaced, existing references and calls in flight continue
 * to work.
 *
 * A version range is text: terms joined by commas, such as ">=1.2, <2"; "^1.2" and "1.2" (up to the next major version,
 * for 0.x up to the next minor one), "~1.2" (up to the next minor one), "=1.2.3"; "*", "" and NULL mean any. The
 * highest version in the range is taken; pre-releases only if a term names one.
 *
 * Files: packages are found by an explicit path, or by name in the directories of the context's plugin_path
 * (context.h), else of $TENON_PLUGIN_PATH, then in share/tenon/kernels next to the installed library (in a build
 * directory: in kernels/ of the source tree); the current directory is never searched. A file or directory that is
 * world-writable, or that belongs to neither this user nor root, is refused, and so is every symbolic link inside a
 * package. A kernel is native code with the caller's rights: load only packages that you trust.
 */
#ifndef TENON_PLUGIN_H
#define TENON_PLUGIN_H

#include <tenon/kernel.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tenon_package tenon_package;
typedef struct tenon_operation tenon_operation;

#define TENON_PACKAGE_ANY_OWNER 1u /* accept files that others own or can write, or that lie in such directories: for
                                      containers and shared mounts */
#define TENON_PACKAGE_SIGNED 2u    /* a signature by a trusted key is required */

typedef struct tenon_package_options {
  uint32_t struct_size;
  TENON_FLAGS(PACKAGE) uint32_t flags;       /* TENON_PACKAGE_* */
  TENON_NULLABLE const char* sha256 TENON_TEXT; /* the content hash that the package must have (64 hexadecimal digits);
                                                   default: any */
  TENON_NULLABLE TENON_LENGTH(trusted_key_count) const char* const* trusted_keys TENON_TEXT; /* public keys that are
                                                                                                trusted in addition to
                                                                                                the user's list */
  int32_t trusted_key_count;
  uint32_t reserved;
} tenon_package_options;

/* Loads a package from a directory or a tar file and adds it to the context's registry. If the same content is loaded
 * already, that package is returned. An error in the contract is INVALID_ARGUMENT, and the text begins with
 * FILE:LINE:COLUMN. Further statuses: NOT_FOUND (no such path), IO (unreadable, unsafe owner or mode, a symbolic link,
 * a damaged archive, a wrong hash), VERSION (it needs a newer Tenon; or this version is loaded already with different
 * content), OUT_OF_MEMORY. On failure the registry is unchanged. OVERFLOW: a number that does not fit. */
TENON_API int32_t tenon_package_load(TENON_NULLABLE tenon_context* context, const char* path TENON_TEXT,
                                     TENON_NULLABLE const tenon_package_options* options,
                                     TENON_OUT TENON_OWNED tenon_package** out_package);
/* Loads a package from the bytes of a tar file, which are copied. name: a name for the bytes, for messages. IO: a file
 * that the package names cannot be read. NOT_FOUND: a file that it names does not exist. */
TENON_API int32_t tenon_package_load_memory(TENON_NULLABLE tenon_context* context,
                                            TENON_LENGTH(size) const void* bytes, uint64_t size,
                                            const char* name TENON_TEXT,
                                            TENON_NULLABLE const tenon_package_options* options,
                                            TENON_OUT TENON_OWNED tenon_package** out_package);
/* Reads and checks a package as tenon_package_load does, without adding it to the registry. out_report: its
 * description, as from tenon_package_describe. NOT_FOUND: there is no such file or directory. */
TENON_API int32_t tenon_package_check(TENON_NULLABLE tenon_context* context, const char* path TENON_TEXT,
                                      TENON_NULLABLE const tenon_package_options* options,
                                      TENON_OUT TENON_OWNED tenon_blob** out_report);
/* Finds a package by name and version range: among the loaded ones, else on the search path (it is then loaded).
 * NOT_FOUND: no such package; the message lists the existing versions and the places searched. */
TENON_API int32_t tenon_package_find(TENON_NULLABLE tenon_context* context, const char* name TENON_TEXT,
                                     TENON_NULLABLE const char* range TENON_TEXT,
                                     TENON_OUT TENON_OWNED tenon_package** out_package);
/* Every loaded package and every one on the search path, as JSON: a list of {name, version, hash, origin, loaded}; one
 * on the search path that cannot be loaded has {origin, fault} instead. */
TENON_API int32_t tenon_package_list(TENON_NULLABLE tenon_context* context,
                                     TENON_OUT TENON_OWNED tenon_blob** out_list);
/* Removes the package from the registry, so that it is no longer found. Handles of it and its operations stay valid.
 * NOT_FOUND: it is not in the registry. */
TENON_API int32_t tenon_package_unload(tenon_package* package);
/* Reads the package's path again. If the content is unchanged, returns the same package; else the new one replaces it
 * in the registry, whatever its version, and existing handles continue to refer to the old one. On failure the old one
 * stays. UNSUPPORTED: the package was loaded from memory. NOT_FOUND: its path no longer exists. */
TENON_API int32_t tenon_package_reload(tenon_package* package, TENON_OUT TENON_OWNED tenon_package** out_package);
/* The whole contract as JSON text: name, version, hash (SHA-256 of the content), origin, doc, license, operations with
 * parameters, types, shapes, steps ...; kernels/README.md describes every field. */
TENON_API int32_t tenon_package_describe(const tenon_package* package,
                                         TENON_OUT TENON_OWNED tenon_blob** out_description);
/* An operation of the package by name. NOT_FOUND: no such operation; the message lists those that exist. */
TENON_API int32_t tenon_package_operation(tenon_package* package, const char* name TENON_TEXT,
                                          TENON_OUT TENON_OWNED tenon_operation** out_operation);
/* A file of the package as text, such as "blur.cu" or "plugin.toml". NOT_FOUND: no such file; the message lists the
 * existing ones. */
TENON_API int32_t tenon_package_file(const tenon_package* package, const char* path TENON_TEXT,
                                     TENON_OUT TENON_OWNED tenon_blob** out_text);
/* Adds one reference. */
TENON_API int32_t tenon_package_retain(const tenon_package* package);
/* Releases one reference. */
TENON_API void tenon_package_release(TENON_NULLABLE tenon_package* package);

/* Finds an operation by "package/name" and a version range of the package. Loads the package from the search path if
 * necessary. NOT_FOUND: no package has it. */
TENON_API int32_t tenon_operation_find(TENON_NULLABLE tenon_context* context, const char* name TENON_TEXT,
                                       TENON_NULLABLE const char* range TENON_TEXT,
                                       TENON_OUT TENON_OWNED tenon_operation** out_operation);
/* The operation's part of the contract as JSON text, as in tenon_package_describe. */
TENON_API int32_t tenon_operation_describe(const tenon_operation* operation,
                                           TENON_OUT TENON_OWNED tenon_blob** out_description);

#define TENON_OPERATION_DETERMINISTIC 1u /* the same arguments give the same bits */
#define TENON_OPERATION_IN_PLACE 2u      /* an output may be exactly an input */
#define TENON_OPERATION_CPU 4u           /* runs on the CPU */
#define TENON_OPERATION_CUDA 8u          /* runs on CUDA devices */
#define TENON_OPERATION_GRADIENT 16u     /* has a gradient */

typedef struct tenon_operation_info {
  uint32_t struct_size;
  TENON_FLAGS(OPERATION) uint32_t flags;           /* TENON_OPERATION_* */
  int32_t parameter_count;  /* number of arguments */
  int32_t output_count;     /* number of parameters with the role TENON_ROLE_OUT */
  int32_t tunable_count;
  int32_t test_count;
} tenon_operation_info;

/* Fills *out_info; its struct_size must be set by the caller. */
TENON_API int32_t tenon_operation_get_info(const tenon_operation* operation, TENON_OUT tenon_operation_info* out_info);

#define TENON_ROLE_IN 1     /* an array that is read */
#define TENON_ROLE_OUT 2    /* an array that is written */
#define TENON_ROLE_INOUT 3  /* an array that is read and written */
#define TENON_ROLE_SCALAR 4 /* a number, or a list of numbers */

#define TENON_OPERAND_HAS_DEFAULT 1u /* an argument of kind 0 (all zeros) means the default */
#define TENON_OPERAND_LIST 2u        /* takes TENON_ARG_BYTES: consecutive numbers */
#define TENON_OPERAND_CHOICE 4u      /* an int32: the index of the choice */
#define TENON_OPERAND_OPTIONAL 8u    /* an array that may be left out: an argument of kind 0 (all zeros) */

typedef struct tenon_operation_parameter_info {
  uint32_t struct_size;
  TENON_ENUM(ROLE) int32_t role;          /* TENON_ROLE_* */
  TENON_FLAGS(OPERAND) uint32_t flags; /* TENON_OPERAND_* */
  uint32_t dtype;        /* 0: determined by the placeholder */
  int32_t placeholder;   /* number of the placeholder; -1: none. Parameters with the same placeholder have the same
                            dtype */
  int32_t reserved;
  TENON_BORROWED(operation) const char* name TENON_TEXT; /* borrowed from the operation */
  TENON_BORROWED(operation) const char* doc TENON_TEXT; /* borrowed from the operation; "" if there is none */
} tenon_operation_parameter_info;

/* Parameter `index`. The info's struct_size must be set by the caller. */
TENON_API int32_t tenon_operation_get_parameter_info(const tenon_operation* operation, int32_t index,
                                                     TENON_OUT tenon_operation_parameter_info* out_info);
/* The operation that computes this operation's vector-Jacobian product: it takes parameters of this one by name and
 * grad_NAME for its outputs, and returns grad_NAME for its inputs. NOT_FOUND: the operation has no gradient. */
TENON_API int32_t tenon_operation_gradient(const tenon_operation* operation,
                                           TENON_OUT TENON_OWNED tenon_operation** out_gradient);
/* The package that the operation belongs to. */
TENON_API int32_t tenon_operation_package(const tenon_operation* operation,
                                          TENON_OUT TENON_OWNED tenon_package** out_package);
/* Adds one reference. */
TENON_API int32_t tenon_operation_retain(const tenon_operation* operation);
/* Releases one reference. */
TENON_API void tenon_operation_release(TENON_NULLABLE tenon_operation* operation);

/* Runs the operation. args: one for each parameter, in the contract's order, outputs included: arrays
 * (TENON_ARG_ARRAY; STRIDED means the same here), scalars of exactly the parameter's dtype (TENON_ARG_SCALAR), lists
 * (TENON_ARG_BYTES); an entry of all zeros means the default, or leaves out an optional array. The first input array
 * determines the device and the dtypes of placeholders. Everything is checked, and every step compiled, before the
 * first step is launched; with compiled kernels the call takes a checked launch and about 0.3 us. Temporaries come from
 * the stream's pool. Errors name operation and parameter: INVALID_ARGUMENT (count, kind, a precondition of the
 * contract, geometry), DTYPE, SHAPE, LAYOUT, DEVICE, CONTEXT, READ_ONLY, OVERLAP, OVERFLOW (in an expression of the
 * contract), UNSUPPORTED (on this device), COMPILE, MISSING_LIBRARY, CANCELLED (while it compiled), OUT_OF_MEMORY, and
 * the statuses of a launch; a host function of the package may return any status, such as NOT_FOUND or NOT_FINITE. Can
 * be recorded into a graph (graph.h). */
TENON_API int32_t tenon_operation_call(tenon_operation* operation,
                                       TENON_NULLABLE TENON_LENGTH(count) const tenon_arg* args, int32_t count,
                                       TENON_NULLABLE tenon_stream* stream);
/* A new C-ordered array for output `index` (0 is the first parameter with the role OUT) of a call with these arguments,
 * not initialised. args as for the call; the entries of outputs are ignored. The memory is allocated in the order of
 * `stream`. Statuses as for tenon_operation_call. DTYPE, SHAPE: the arguments do not fit the contract. LAYOUT: an array
 * does not have the layout that the contract requires. */
TENON_API int32_t tenon_operation_output(tenon_operation* operation,
                                         TENON_NULLABLE TENON_LENGTH(count) const tenon_arg* args, int32_t count,
                                         int32_t index, TENON_NULLABLE tenon_stream* stream,
                                         TENON_OUT TENON_OWNED tenon_array** out_array);
/* Compiles and loads the kernels that a call with these arguments needs, and launches nothing. Entries of outputs are
 * ignored. Expressions (elementwise, reduction, scan) compile at the first call with each layout. */
TENON_API int32_t tenon_operation_prepare(tenon_operation* operation,
                                          TENON_NULLABLE TENON_LENGTH(count) const tenon_arg* args, int32_t count);
/* Compiles, in parallel, the kernels of all operations of the package for the device: for every dtype that the
 * contracts allow, with the current values of the tunables. Later calls find them in the cache of programs. Instances
 * that depend on scalars or shapes, and expressions, are not compiled. The first failure is returned, after all kernels
 * were tried. COMPILE: a kernel of the package does not compile. */
TENON_API int32_t tenon_package_prepare(tenon_package* package, tenon_device* device);
/* Sets a tunable of the operation for all later calls on this context; it must be one of the contract's values. Tuning
 * records (below) are then ignored for this operation. NOT_FOUND: there is no such tunable. */
TENON_API int32_t tenon_operation_set_tunable(tenon_operation* operation, const char* name TENON_TEXT, int64_t value);
/* The value of a tunable for calls without a tuning record. NOT_FOUND: the operation has no tunable of that name. */
TENON_API int32_t tenon_operation_get_tunable(const tenon_operation* operation, const char* name TENON_TEXT,
                                              TENON_OUT int64_t* out_value);
/* Runs the operation's self-tests (kernels/README.md) on a device: compares with the expected values, or the CPU's
 * results, and the gradient with finite differences. The call succeeds even if cases fail. out_report: JSON,
 * {"operation", "device", "passed", "failed", "cases": [{"name", "types", "passed", "what", "error", "tolerance"}]}.
 * UNSUPPORTED: it does not run on that device. */
TENON_API int32_t tenon_operation_test(tenon_operation* operation, tenon_device* device,
                                       TENON_OUT TENON_OWNED tenon_blob** out_report);

/* A call (kernel.h) of the operation: arguments are checked, geometry evaluated, temporaries made and kernels compiled
 * once; it can then be launched any number of times. stream: the stream on which temporaries are made. Statuses as for
 * tenon_operation_call. */
TENON_API int32_t tenon_operation_bind(tenon_operation* operation,
                                       TENON_NULLABLE TENON_LENGTH(count) const tenon_arg* args, int32_t count,
                                       TENON_NULLABLE tenon_stream* stream,
                                       TENON_OUT TENON_OWNED tenon_call** out_call);

/* The package as one uncompressed tar file. It is checked as by tenon_package_check, and the same content always gives
 * the same bytes. If the contract lists no hashes, those of all files are added at its end. Statuses as for
 * tenon_package_load. NOT_FOUND: there is no such directory. */
TENON_API int32_t tenon_package_pack(const char* path TENON_TEXT, TENON_NULLABLE const tenon_package_options* options,
                                     TENON_OUT TENON_OWNED tenon_blob** out_archive);

/* Measuring and tuning.
 *
 * The measured cases are the contract's `bench` cases, else its tests, or arguments passed here. Tuning tries the
 * values of the contract's tunables on the device and keeps the fastest for each case as a record: readable JSON, one
 * file PACKAGE.OPERATION.json in the context's tuning directory. A record applies to this version and content of the
 * package, the device's product, the dtypes, the shapes of the inputs and the scalars that the contract lists
 * (tuned_for). Later calls, in every process, use the record of the same device and dtypes whose shapes and scalars are
 * nearest; if none is near, or the nearest one's values cannot be launched (logged once, as a warning), the defaults.
 * Records are ignored if a tunable was set by tenon_operation_set_tunable, and in a context with
 * TENON_CONTEXT_DETERMINISTIC. */
typedef struct tenon_measure_options {
  uint32_t struct_size;
  int32_t given_count;             /* length of the two lists below; 0: the contract's cases */
  TENON_NULLABLE TENON_LENGTH(given_count) const char* const* given_names TENON_TEXT; /* names of inputs and scalars
                                                                                         ... */
  TENON_NULLABLE TENON_LENGTH(given_count) const char* const* given_values TENON_TEXT; /* ... and their values: such as
                                                                                          "normal(1000, 1000)", as in
                                                                                          tests; a number; a choice */
  TENON_NULLABLE const char* types TENON_TEXT; /* use only these dtypes: "T=float32, A=float64"; default: all that the
                                                  contract allows */
  double seconds;                  /* time limit in all; default: 1 for each case of a measurement, 30 for tuning */
} tenon_measure_options;

/* Measures how long the operation takes on the device: it is bound once and launched repeatedly. out_report: JSON,
 * {"operation", "device", "cases": [{"name", "types", "shapes", "tunables", "milliseconds" (the median), "fastest",
 * "launches", "bytes" (of all arrays once), "gigabytes_per_second"}]}. A case that fails is {"name", "types", "fault"}.
 * UNSUPPORTED: the operation does not run on that device. NOT_FOUND: there is nothing to measure: the contract has no
 * cases, and no arguments were passed. INVALID_ARGUMENT: the arguments passed are invalid. */
TENON_API int32_t tenon_operation_measure(tenon_operation* operation, tenon_device* device,
                                          TENON_NULLABLE const tenon_measure_options* options,
                                          TENON_OUT TENON_OWNED tenon_blob** out_report);
/* Tries values of the tunables on the device and writes the records. A value that fails, or changes the results beyond
 * the tests' tolerance, is never used. out_report: JSON, {"operation", "device", "file", "cases": [{"name", "types",
 * "shapes", "tunables" (the best), "milliseconds", "default_milliseconds", "tried", "possible", "failed", "recorded":
 * false if the time ran out before enough values were tried}]}. NOT_FOUND: the operation has no tunables. IO: the
 * record cannot be written; otherwise as for tenon_operation_measure. */
TENON_API int32_t tenon_operation_tune(tenon_operation* operation, tenon_device* device,
                                       TENON_NULLABLE const tenon_measure_options* options,
                                       TENON_OUT TENON_OWNED tenon_blob** out_report);

/* Signatures.
 *
 * A package may carry a detached ed25519 signature, the file plugin.sig, over its name, version and content hash.
 * libsodium, which is opened when needed, checks and makes signatures. A package whose signature does not match the
 * content is always refused (IO). If signatures are required (TENON_PACKAGE_SIGNED, TENON_CONTEXT_SIGNED_PACKAGES), a
 * package is also refused if it has no signature, or one by a key that is neither in the options nor in the user's
 * trust list: $TENON_TRUSTED_KEYS, else $XDG_CONFIG_HOME/tenon/trusted_keys, else ~/.config/tenon/trusted_keys, with
 * lines "ed25519 KEY NAME". If they are not required and libsodium is missing, a signed package is loaded, and its
 * description says that the signature was not checked. Keys are text: 64 hexadecimal digits in lower case. */

/* Makes a secret key. Anyone who has it can sign; store it where only you can read it. MISSING_LIBRARY: there is no
 * libsodium. */
TENON_API int32_t tenon_signing_key_create(TENON_OUT TENON_OWNED tenon_blob** out_secret);
/* The public key that belongs to a secret key; others add it to their trust list. INVALID_ARGUMENT: the text is not a
 * secret key. MISSING_LIBRARY: there is no libsodium. */
TENON_API int32_t tenon_signing_key_public(const char* secret TENON_TEXT,
                                           TENON_OUT TENON_OWNED tenon_blob** out_public);
/* Checks a package as tenon_package_check does and signs it. out_signature: the text of the file plugin.sig, to be
 * written next to its plugin.toml. An existing signature is ignored. Statuses as for tenon_package_load and
 * tenon_signing_key_public. NOT_FOUND: there is no such package. */
TENON_API int32_t tenon_package_sign(const char* path TENON_TEXT, const char* secret TENON_TEXT,
                                     TENON_NULLABLE const tenon_package_options* options,
                                     TENON_OUT TENON_OWNED tenon_blob** out_signature);

/* Packages of host code.
 *
 * A package that needs host code is a shared object that exports
 *   const uint32_t tenon_plugin_level = TENON_TARGET_LEVEL;
 *   int32_t tenon_plugin_init(const tenon_api* api, tenon_registry* registry);
 * tenon_plugin_level is the oldest level that has everything the plug-in needs: the library may be older than the
 * headers that the plug-in was built with. The table has all rows of that level; TENON_HAS tells whether it has a later
 * one. tenon_plugin_init registers one contract and the functions that its steps name, with `host = "name"` instead of
 * a kernel; shapes, types, preconditions, documentation and tests come from the contract, and callers see no
 * difference. The object does not link libtenon: it uses Tenon through the table. It is loaded by its absolute path
 * only, and stays in the process until it exits. Owner and mode of the file and of its directory, and the hash, are
 * checked before any of its code runs, on the bytes that are then opened from memory; therefore $ORIGIN in its run path
 * is not its directory. It is code with the caller's rights: load only what you trust. */

/* One call of a function. All pointers are borrowed for the call. */
typedef struct tenon_host_call {
  uint32_t struct_size;
  int32_t count;
  TENON_BORROWED(call) TENON_LENGTH(count) const tenon_arg* args; /* as for the operation: the step's inputs and
                                                                     scalars, then its outputs; defaults are filled in;
                                                                     an optional array that was left out has kind 0 */
  TENON_BORROWED(call) tenon_stream* stream; /* the stream for the work; on the CPU the work must be complete when the
                                                function returns */
} tenon_host_call;

/* Does the work of one step. The arguments have been checked: arrays are C-contiguous unless the contract says strided.
 * Returns TENON_OK or a status; the text of a failing call of Tenon becomes part of the message, any other value
 * becomes the native code. May run on several threads at the same time. It must not throw. */
typedef int32_t (*tenon_host_fn)(void* user, const tenon_host_call* call);

typedef struct tenon_host_function {
  uint32_t struct_size;
  uint32_t reserved;
  const char* name TENON_TEXT; /* its name in the contract's steps */
  tenon_host_fn function;
  TENON_NULLABLE void* user;
  TENON_NULLABLE tenon_destroy_fn destroy; /* called with user when the function can no longer be called; not if
                                              registering it failed */
} tenon_host_function;

/* Registers the package: the text of its contract, and `count` functions, which are copied. All have the same
 * struct_size: that of the plug-in's headers. tenon_plugin_init calls it once. The contract is checked after
 * tenon_plugin_init has returned. INVALID_ARGUMENT: a second package, no function, two functions of the same name,
 * NULL; the object is then refused, with a text that says why. */
typedef int32_t (*tenon_registry_add_fn)(void* user, const char* contract TENON_TEXT,
                                         TENON_LENGTH(count) const tenon_host_function* functions, int32_t count);

/* The registry that tenon_plugin_init uses; valid until it returns. */
typedef struct tenon_registry {
  uint32_t struct_size;
  uint32_t reserved;
  TENON_BORROWED(library) void* user; /* to be passed to add */
  tenon_registry_add_fn add;
} tenon_registry;

typedef int32_t (*tenon_plugin_init_fn)(const tenon_api* api, tenon_registry* registry);

/* Loads a package of host code from a shared object and adds it to the context's registry; if the same object is loaded
 * already, that package is returned. The options' sha256 is that of the file. INVALID_ARGUMENT: the path is not
 * absolute, the file is not a plug-in (no tenon_plugin_init, no tenon_plugin_level), or its registration or its
 * contract is invalid. NOT_FOUND: no such file. IO: unsafe owner or mode, it cannot be loaded, a wrong hash; signatures
 * are required, and no hash is given. VERSION: it needs a newer level than the library has, or another major version;
 * or this version is loaded already with different content. If tenon_plugin_init fails with a status of Tenon, that
 * status is returned, with the text of the failing call; VENDOR: it failed with another value, which is the native
 * code. On failure the registry is unchanged. */
TENON_API int32_t tenon_plugin_load(TENON_NULLABLE tenon_context* context, const char* path TENON_TEXT,
                                    TENON_NULLABLE const tenon_package_options* options,
                                    TENON_OUT TENON_OWNED tenon_package** out_package);

#ifdef __cplusplus
}
#endif
#endif
