/* tenon/plugin.h: packages of kernels with a contract: named, checked operations for every host.
 *
 *   tenon_package_load(NULL, "elementwise", NULL, &package);   found by its name
 *   tenon_operation_find(NULL, "elementwise/relu", NULL, &relu);
 *   tenon_arg args[] = {TENON_ARRAY_ARG(x), TENON_ARRAY_ARG(y)};
 *   tenon_operation_call(relu, args, 2, NULL);
 *
 * A package is a directory, or one archive of it (an uncompressed tar file), with a plugin.toml and CUDA C. Its
 * contract says for each operation the parameters, shapes, geometry, preconditions, gradient and tests;
 * kernels/README.md in the source tree documents it completely. One generic call runs any of them, on every device; a
 * package needs no host code.
 *
 * A context has a registry of packages. A package is added whole or not at all. Two versions of a package may be loaded
 * side by side; the same version with other content may not. Loading compiles nothing. Packages and operations are
 * counted: what was unloaded or replaced goes on working for those who hold it, and for calls in flight.
 *
 * A range of versions is text: terms joined by commas, such as ">=1.2, <2"; "^1.2" and "1.2" (up to the next major
 * version, of 0.x the next minor one), "~1.2" (up to the next minor one), "=1.2.3"; "*", "" and NULL mean any. The
 * highest version that fits is taken; pre-releases only where a term names one.
 *
 * Files: packages are found by an explicit path, or by name in the directories of the context's plugin_path
 * (context.h), else of $TENON_PLUGIN_PATH, then in share/tenon/kernels beside the installed library; the current
 * directory is never searched. A file or directory that everybody can write, or that belongs to neither this user nor
 * root, is refused, and so is every symbolic link inside a package. A kernel is native code with the caller's rights:
 * load what you trust.
 */
#ifndef TENON_PLUGIN_H
#define TENON_PLUGIN_H

#include <tenon/kernel.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tenon_package tenon_package;
typedef struct tenon_operation tenon_operation;

#define TENON_PACKAGE_ANY_OWNER 1u /* files that others own or can write, or that lie in such directories, are taken
                                      too: for containers and
                                      shared mounts */
#define TENON_PACKAGE_SIGNED 2u    /* a signature by a trusted key is required */

typedef struct tenon_package_options {
  uint32_t struct_size;
  TENON_FLAGS(PACKAGE) uint32_t flags;       /* TENON_PACKAGE_* */
  TENON_NULLABLE const char* sha256 TENON_TEXT; /* the content hash it must have (64 hexadecimal digits); default:
                                                   any */
  TENON_NULLABLE TENON_LENGTH(trusted_key_count) const char* const* trusted_keys TENON_TEXT; /* public keys that are
                                                                                                trusted beside the
                                                                                                user's list */
  int32_t trusted_key_count;
  uint32_t reserved;
} tenon_package_options;

/* Loads a package from a directory or a tar file and adds it to the context's registry. The same content loaded before
 * is found again. A fault in the contract is INVALID_ARGUMENT, and the text begins with FILE:LINE:COLUMN. Further
 * statuses: NOT_FOUND (no such path), IO (unreadable, unsafe owner or mode, a symbolic link, a damaged archive, a
 * wrong hash), VERSION (it needs a newer Tenon; or this version is loaded already with other content), OUT_OF_MEMORY.
 * On failure the registry is as it was. OVERFLOW: a number that does not fit. */
TENON_API int32_t tenon_package_load(TENON_NULLABLE tenon_context* context, const char* path TENON_TEXT,
                                     TENON_NULLABLE const tenon_package_options* options,
                                     TENON_OUT TENON_OWNED tenon_package** out_package);
/* The same from the bytes of a tar file; they are copied. name: of the bytes, for messages. IO: a file that the
 * package names cannot be read. NOT_FOUND: a file that it names is not there. */
TENON_API int32_t tenon_package_load_memory(TENON_NULLABLE tenon_context* context,
                                            TENON_LENGTH(size) const void* bytes, uint64_t size,
                                            const char* name TENON_TEXT,
                                            TENON_NULLABLE const tenon_package_options* options,
                                            TENON_OUT TENON_OWNED tenon_package** out_package);
/* Reads and checks a package as tenon_package_load does and keeps nothing. out_report: its description, as
 * tenon_package_describe. NOT_FOUND: there is no such file or directory. */
TENON_API int32_t tenon_package_check(TENON_NULLABLE tenon_context* context, const char* path TENON_TEXT,
                                      TENON_NULLABLE const tenon_package_options* options,
                                      TENON_OUT TENON_OWNED tenon_blob** out_report);
/* A package by name and range of versions: of those loaded, else of the search path (then it is loaded). NOT_FOUND says
 * which versions there are and where was looked. */
TENON_API int32_t tenon_package_find(TENON_NULLABLE tenon_context* context, const char* name TENON_TEXT,
                                     TENON_NULLABLE const char* range TENON_TEXT,
                                     TENON_OUT TENON_OWNED tenon_package** out_package);
/* Every loaded package and every one on the search path, as JSON: a list of {name, version, hash, origin, loaded}; one
 * on the search path that cannot be loaded has {origin, fault} instead. */
TENON_API int32_t tenon_package_list(TENON_NULLABLE tenon_context* context,
                                     TENON_OUT TENON_OWNED tenon_blob** out_list);
/* Takes the package out of the registry: it is not found any more. Handles on it and its operations stay good.
 * NOT_FOUND: it is not there (any more). */
TENON_API int32_t tenon_package_unload(tenon_package* package);
/* Reads the package's path again. Content that did not change gives the same package; else the new one takes its place
 * in the registry, whatever its version, and handles on the old one keep the old one. On failure the old one stays.
 * UNSUPPORTED: it was loaded from memory. NOT_FOUND: it is not where it was any more. */
TENON_API int32_t tenon_package_reload(tenon_package* package, TENON_OUT TENON_OWNED tenon_package** out_package);
/* The whole contract as JSON text: name, version, hash (SHA-256 of the content), origin, doc, license, operations with
 * parameters, types, shapes, steps ...; kernels/README.md names every field. */
TENON_API int32_t tenon_package_describe(const tenon_package* package,
                                         TENON_OUT TENON_OWNED tenon_blob** out_description);
/* An operation of the package by name. NOT_FOUND lists those there are. */
TENON_API int32_t tenon_package_operation(tenon_package* package, const char* name TENON_TEXT,
                                          TENON_OUT TENON_OWNED tenon_operation** out_operation);
/* A file of the package as text, "blur.cu" or "plugin.toml". NOT_FOUND lists those there are. */
TENON_API int32_t tenon_package_file(const tenon_package* package, const char* path TENON_TEXT,
                                     TENON_OUT TENON_OWNED tenon_blob** out_text);
/* Takes one more reference. */
TENON_API int32_t tenon_package_retain(tenon_package* package);
/* Gives one reference back. */
TENON_API void tenon_package_release(TENON_NULLABLE tenon_package* package);

/* An operation by "package/name", and a range of versions of the package. Loads the package from the search path if
 * need be. NOT_FOUND: no package has it. */
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
#define TENON_OPERATION_GRADIENT 16u     /* names its gradient */

typedef struct tenon_operation_info {
  uint32_t struct_size;
  TENON_FLAGS(OPERATION) uint32_t flags;           /* TENON_OPERATION_* */
  int32_t parameter_count;  /* in the order of arguments */
  int32_t output_count;     /* of them, those with the role TENON_ROLE_OUT */
  int32_t tunable_count;
  int32_t test_count;
} tenon_operation_info;

/* Fills *out_info; its struct_size must be set by the caller. */
TENON_API int32_t tenon_operation_get_info(const tenon_operation* operation, TENON_OUT tenon_operation_info* out_info);

#define TENON_ROLE_IN 1     /* an array that is read */
#define TENON_ROLE_OUT 2    /* an array that is written */
#define TENON_ROLE_INOUT 3  /* an array that is read and written */
#define TENON_ROLE_SCALAR 4 /* a number, or a list of numbers */

#define TENON_OPERAND_HAS_DEFAULT 1u /* an argument of kind 0 (all zeros) stands for the default */
#define TENON_OPERAND_LIST 2u        /* takes TENON_ARG_BYTES: the numbers one after the other */
#define TENON_OPERAND_CHOICE 4u      /* an int32: the index of the choice */
#define TENON_OPERAND_OPTIONAL 8u    /* an array that may be left out: an argument of kind 0 (all zeros) */

typedef struct tenon_operation_parameter_info {
  uint32_t struct_size;
  TENON_ENUM(ROLE) int32_t role;          /* TENON_ROLE_* */
  TENON_FLAGS(OPERAND) uint32_t flags; /* TENON_OPERAND_* */
  uint32_t dtype;        /* 0: a placeholder decides */
  int32_t placeholder;   /* its number; -1: none. Parameters of one placeholder have one dtype */
  int32_t reserved;
  TENON_BORROWED(operation) const char* name TENON_TEXT; /* borrowed from the operation */
  TENON_BORROWED(operation) const char* doc TENON_TEXT; /* borrowed; "" for an operation without one */
} tenon_operation_parameter_info;

/* Parameter `index`. The info's struct_size must be set by the caller. */
TENON_API int32_t tenon_operation_get_parameter_info(const tenon_operation* operation, int32_t index,
                                                     TENON_OUT tenon_operation_parameter_info* out_info);
/* The operation that computes its vector-Jacobian product: it takes parameters of this one by name and grad_NAME of its
 * outputs, and gives grad_NAME of its inputs. NOT_FOUND: the operation has no gradient. */
TENON_API int32_t tenon_operation_gradient(const tenon_operation* operation,
                                           TENON_OUT TENON_OWNED tenon_operation** out_gradient);
/* The package it belongs to. */
TENON_API int32_t tenon_operation_package(const tenon_operation* operation,
                                          TENON_OUT TENON_OWNED tenon_package** out_package);
/* Takes one more reference. */
TENON_API int32_t tenon_operation_retain(tenon_operation* operation);
/* Gives one reference back. */
TENON_API void tenon_operation_release(TENON_NULLABLE tenon_operation* operation);

/* Runs the operation. args: one for each parameter, in the contract's order, outputs included: arrays
 * (TENON_ARG_ARRAY; STRIDED means the same here), scalars of exactly the parameter's dtype (TENON_ARG_SCALAR), lists
 * (TENON_ARG_BYTES); an entry of all zeros stands for a default, or leaves an optional array out. The first array
 * that is read says the device and the dtypes of placeholders. Everything is checked, and every step compiled, before
 * the first is launched; a kernel that is there costs a checked launch and some 0.3 us. Temporaries come from the
 * stream's pool. Errors name operation and parameter: INVALID_ARGUMENT (count, kind, a precondition of the contract,
 * geometry), DTYPE, SHAPE, LAYOUT, DEVICE, CONTEXT, READ_ONLY, OVERLAP, OVERFLOW (in an expression of the contract),
 * UNSUPPORTED (on this device), COMPILE, MISSING_LIBRARY, CANCELLED (while it compiled), OUT_OF_MEMORY, and what a
 * launch gives; a host function of the package may give any status, such as NOT_FOUND or NOT_FINITE. May be recorded
 * into a graph (graph.h). */
TENON_API int32_t tenon_operation_call(tenon_operation* operation,
                                       TENON_NULLABLE TENON_LENGTH(count) const tenon_arg* args, int32_t count,
                                       TENON_NULLABLE tenon_stream* stream);
/* A new C-ordered array for output `index` (0 is the first parameter with the role OUT) of a call with these
 * arguments, not set. args as for the call; the entries of outputs are not looked at. The memory belongs to the order
 * of `stream`. Statuses as for tenon_operation_call. DTYPE, SHAPE: the arguments do not fit the contract. LAYOUT: an
 * array that is not laid out as the contract says. */
TENON_API int32_t tenon_operation_output(tenon_operation* operation,
                                         TENON_NULLABLE TENON_LENGTH(count) const tenon_arg* args, int32_t count,
                                         int32_t index, TENON_NULLABLE tenon_stream* stream,
                                         TENON_OUT TENON_OWNED tenon_array** out_array);
/* Compiles and loads the kernels that a call with these arguments needs, and launches nothing. Entries of outputs are
 * not looked at. Expressions (elementwise, reduction, scan) compile at their first call of each layout. */
TENON_API int32_t tenon_operation_prepare(tenon_operation* operation,
                                          TENON_NULLABLE TENON_LENGTH(count) const tenon_arg* args, int32_t count);
/* Compiles, in parallel, the kernels of all operations of the package for the device: for every dtype that the
 * contracts allow, with the tunables as they are. They are found again in the cache of programs. Left out are
 * instances that depend on scalars or shapes, and expressions. The first failure is returned, after all were tried.
 * COMPILE: a kernel of the package does not compile. */
TENON_API int32_t tenon_package_prepare(tenon_package* package, tenon_device* device);
/* Sets a tunable of the operation for all later calls on this context; it has to be one of the contract's values.
 * Records of tuning (below) are then not looked at for this operation. NOT_FOUND: there is no such tunable. */
TENON_API int32_t tenon_operation_set_tunable(tenon_operation* operation, const char* name TENON_TEXT, int64_t value);
/* What a tunable is for calls without a record of tuning. NOT_FOUND: the operation has no tunable of that name. */
TENON_API int32_t tenon_operation_get_tunable(const tenon_operation* operation, const char* name TENON_TEXT,
                                              TENON_OUT int64_t* out_value);
/* Runs the operation's self-tests (kernels/README.md) on a device: against the expected values, or the CPU's results,
 * and its gradient against differences. Failing cases are no error of this call. out_report: JSON, {"operation",
 * "device", "passed", "failed", "cases": [{"name", "types", "passed", "what", "error", "tolerance"}]}. UNSUPPORTED: it
 * does not run on that device. */
TENON_API int32_t tenon_operation_test(tenon_operation* operation, tenon_device* device,
                                       TENON_OUT TENON_OWNED tenon_blob** out_report);

/* A call (kernel.h) of the operation: arguments checked, geometry evaluated, temporaries made, kernels compiled once;
 * then launched any number of times. stream: where temporaries are made. Statuses as for tenon_operation_call. */
TENON_API int32_t tenon_operation_bind(tenon_operation* operation,
                                       TENON_NULLABLE TENON_LENGTH(count) const tenon_arg* args, int32_t count,
                                       TENON_NULLABLE tenon_stream* stream,
                                       TENON_OUT TENON_OWNED tenon_call** out_call);

/* The package as one uncompressed tar file: checked as tenon_package_check does, and the same bytes for the same
 * content. Where the contract lists no hashes, those of all files are added to its end. Statuses as for
 * tenon_package_load. NOT_FOUND: there is no such directory. */
TENON_API int32_t tenon_package_pack(const char* path TENON_TEXT, TENON_NULLABLE const tenon_package_options* options,
                                     TENON_OUT TENON_OWNED tenon_blob** out_archive);

/* Measuring and tuning.
 *
 * What is measured are the contract's `bench` cases, else its tests, or arguments given here. Tuning tries the values
 * of the contract's tunables on the device and keeps the fastest for each case as a record: readable JSON, one file
 * PACKAGE.OPERATION.json in the context's tuning directory, which holds for this version and content of the package,
 * the product the device is, the dtypes, the shapes of the inputs and the scalars that the contract names (tuned_for).
 * Later calls, in every process, take the record of the same device and dtypes whose shapes and scalars are nearest;
 * where none is near, or the nearest one's values cannot be launched (logged as a warning, once), the defaults. They
 * are not looked at where a tunable was set by tenon_operation_set_tunable, and in a context with
 * TENON_CONTEXT_DETERMINISTIC. */
typedef struct tenon_measure_options {
  uint32_t struct_size;
  int32_t given_count;             /* of the two lists below; 0: the contract's cases */
  TENON_NULLABLE TENON_LENGTH(given_count) const char* const* given_names TENON_TEXT; /* inputs and scalars by name
                                                                                         ... */
  TENON_NULLABLE TENON_LENGTH(given_count) const char* const* given_values TENON_TEXT; /* ... and what they are:
                                                                                          "normal(1000, 1000)" and the
                                                                                          like, as in tests; a number; a
                                                                                          choice */
  TENON_NULLABLE const char* types TENON_TEXT; /* only with these dtypes: "T=float32, A=float64"; default: all that the
                                                  contract allows */
  double seconds;                  /* how long it may take in all; default: 1 for each case of a measurement, 30 for
                                      tuning */
} tenon_measure_options;

/* How long the operation takes on the device: bound, launched again and again. out_report: JSON, {"operation",
 * "device", "cases": [{"name", "types", "shapes", "tunables", "milliseconds" (the median), "fastest", "launches",
 * "bytes" (of all arrays once), "gigabytes_per_second"}]}. What fails is {"name", "types", "fault"}. UNSUPPORTED: it
 * does not run on that device. NOT_FOUND: there is nothing to measure: no cases, and none given. INVALID_ARGUMENT: what
 * is given is faulty. */
TENON_API int32_t tenon_operation_measure(tenon_operation* operation, tenon_device* device,
                                          TENON_NULLABLE const tenon_measure_options* options,
                                          TENON_OUT TENON_OWNED tenon_blob** out_report);
/* Searches the tunables' values on the device and writes the records. A value that fails, or changes the results beyond
 * the tests' tolerance, is never taken. out_report: JSON, {"operation", "device", "file", "cases": [{"name", "types",
 * "shapes", "tunables" (the best), "milliseconds", "default_milliseconds", "tried", "possible", "failed",
 * "recorded": false where the time was over before enough was tried}]}. NOT_FOUND: it has no tunables. IO: the
 * record cannot be written; else as for tenon_operation_measure. */
TENON_API int32_t tenon_operation_tune(tenon_operation* operation, tenon_device* device,
                                       TENON_NULLABLE const tenon_measure_options* options,
                                       TENON_OUT TENON_OWNED tenon_blob** out_report);

/* Signatures.
 *
 * A package may carry a detached ed25519 signature, the file plugin.sig, over its name, version and content hash.
 * libsodium checks and makes them; it is opened when it is needed. One that does not fit the content is always refused
 * (IO). Where signatures are required (TENON_PACKAGE_SIGNED, TENON_CONTEXT_SIGNED_PACKAGES), so is a package without
 * one, and one by a key that is neither in the options nor in the user's trust list: $TENON_TRUSTED_KEYS, else
 * $XDG_CONFIG_HOME/tenon/trusted_keys, else ~/.config/tenon/trusted_keys, with lines "ed25519 KEY NAME". Where they are
 * not required and libsodium is missing, a signed package is loaded, and its description says that nobody checked. Keys
 * are 64 hexadecimal digits in small letters, as text. */

/* Makes a secret key. Whoever has it can sign; keep it where only you can read it. MISSING_LIBRARY: no libsodium. */
TENON_API int32_t tenon_signing_key_create(TENON_OUT TENON_OWNED tenon_blob** out_secret);
/* The public key that belongs to a secret one: what others put into their trust list. INVALID_ARGUMENT: the bytes are
 * not a secret key. MISSING_LIBRARY: no libsodium. */
TENON_API int32_t tenon_signing_key_public(const char* secret TENON_TEXT,
                                           TENON_OUT TENON_OWNED tenon_blob** out_public);
/* Checks a package as tenon_package_check does and signs it: the text of the file plugin.sig, to be written beside its
 * plugin.toml. A signature that is there already is not looked at. Statuses as for tenon_package_load and
 * tenon_signing_key_public. NOT_FOUND: there is no such package. */
TENON_API int32_t tenon_package_sign(const char* path TENON_TEXT, const char* secret TENON_TEXT,
                                     TENON_NULLABLE const tenon_package_options* options,
                                     TENON_OUT TENON_OWNED tenon_blob** out_signature);

/* Packages of host code.
 *
 * Where a package needs code of the host, it is a shared object that exports
 *   const uint32_t tenon_plugin_level = TENON_TARGET_LEVEL;
 *   int32_t tenon_plugin_init(const tenon_api* api, tenon_registry* registry);
 * tenon_plugin_level is the oldest level that has what the plug-in needs: the library may be older than the headers it
 * was built with. The table has all rows of that level; TENON_HAS tells whether a later one is there. tenon_plugin_init
 * registers one contract and the functions that its steps name, `host = "name"` in place of a kernel; shapes, types,
 * preconditions, documentation and tests come from the contract, and callers see no difference. The object links no
 * libtenon: what it uses of Tenon is in the table. It is loaded by its absolute path only, and stays in the process for
 * good. Owner and mode of the file and of its directory, and the hash, are checked before any of its code runs, on the
 * bytes that are then opened from memory: an $ORIGIN in its run path is therefore not its directory. It is code with
 * the caller's rights: load what you trust. */

/* One call of a function. All pointers are borrowed for the call. */
typedef struct tenon_host_call {
  uint32_t struct_size;
  int32_t count;
  TENON_BORROWED(call) TENON_LENGTH(count) const tenon_arg* args; /* as for the operation: the step's inputs and
                                                                     scalars, then what it writes; defaults are filled
                                                                     in; an optional array that was left out has kind
                                                                     0 */
  TENON_BORROWED(call) tenon_stream* stream; /* what the work belongs on; on the CPU it is done when the function
                                                returns */
} tenon_host_call;

/* Does the work of one step. The arguments are checked: arrays are C-contiguous unless the contract says strided.
 * Returns TENON_OK or a status; the text of a failing call of Tenon's becomes part of the message, any other value its
 * native code. May run on several threads at once. Nothing may be thrown. */
typedef int32_t (*tenon_host_fn)(void* user, const tenon_host_call* call);

typedef struct tenon_host_function {
  uint32_t struct_size;
  uint32_t reserved;
  const char* name TENON_TEXT; /* what the contract's steps call it */
  tenon_host_fn function;
  TENON_NULLABLE void* user;
  TENON_NULLABLE tenon_destroy_fn destroy; /* called with user when nobody can call the function any more; not when
                                              registering it failed */
} tenon_host_function;

/* Registers the package: the text of its contract, and `count` functions, which are copied. All have the same
 * struct_size: that of the plug-in's headers. Once in a tenon_plugin_init. The contract is checked when that has
 * returned. INVALID_ARGUMENT: a second package, no function, two of one name, NULL; the object is then refused, with a
 * text that says which. */
typedef int32_t (*tenon_registry_add_fn)(void* user, const char* contract TENON_TEXT,
                                         TENON_LENGTH(count) const tenon_host_function* functions, int32_t count);

/* What tenon_plugin_init registers with; valid until it returns. */
typedef struct tenon_registry {
  uint32_t struct_size;
  uint32_t reserved;
  TENON_BORROWED(library) void* user; /* to be handed to add */
  tenon_registry_add_fn add;
} tenon_registry;

typedef int32_t (*tenon_plugin_init_fn)(const tenon_api* api, tenon_registry* registry);

/* Loads a package of host code from a shared object and adds it to the context's registry; the same object loaded
 * before is found again. The options' sha256 is that of the file. INVALID_ARGUMENT: the path is not absolute, the file
 * is not a plug-in (no tenon_plugin_init, no tenon_plugin_level), or what it registers or its contract is faulty.
 * NOT_FOUND: no such file. IO: unsafe owner or mode, it cannot be loaded, a wrong hash; signatures are required, and no
 * hash is given. VERSION: it needs a newer level than the library has, or another major version; or this version is
 * loaded already with other content. If tenon_plugin_init fails with a status of Tenon, that status is returned, with
 * the text of the failing call; VENDOR: with another value, which is the native code. On failure the registry is as it
 * was. */
TENON_API int32_t tenon_plugin_load(TENON_NULLABLE tenon_context* context, const char* path TENON_TEXT,
                                    TENON_NULLABLE const tenon_package_options* options,
                                    TENON_OUT TENON_OWNED tenon_package** out_package);

#ifdef __cplusplus
}
#endif
#endif
