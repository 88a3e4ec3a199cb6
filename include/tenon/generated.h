/* tenon/generated.h: kernels made from expressions: elementwise, reduction and scan, on a GPU and on the CPU alike.
 *
 * An expression is CUDA C over named, typed parameters. The library writes the kernel around it: broadcasting, any
 * strides, vector accesses where the layout allows, threads and blocks. A kernel is compiled at the first call that
 * needs it (one per device, set of dtypes and class of layout) and kept in the object and in the cache of programs for
 * later calls.
 *
 * Parameters are declared as text, "type name" separated by commas: "float32 x, T y, T z". A type is
 * - a dtype: bool, int8 to int64, uint8 to uint64, float16, bfloat16, float32, float64, complex64, complex128; or its
 *   name in C: char, signed char, unsigned char, short, int, unsigned int, long long, float, double ... ;
 * - a placeholder, an identifier that starts with an upper-case letter, whose type each call determines: it is the
 *   dtype of the first array declared with it, else of the first scalar; every other argument declared with it must
 *   have the same dtype. In the expression the placeholder is the name of that type.
 * A keyword may precede the type. `raw`: the parameter is a pointer to the first element of a C-contiguous array, is
 * not broadcast and is indexed in the expression. `inout`, for an output: the expression can read the old value, which
 * stays if the expression assigns none. Without `inout` every element of an output must be assigned. `table`, for an
 * input x, since level 1.1: its first axis does not take part in broadcasting, and the expression reads x(k), the
 * element at index k of that axis; negative k count from the end. An index out of range reads 0 and makes the call fail
 * with INVALID_ARGUMENT, as it does in tenon_take: at once, for which the call waits for its work, or, with
 * TENON_CONTEXT_DEFERRED_ERRORS, at the next wait; on a recording stream it is not reported. At most 8 tables.
 * float16 and bfloat16 convert to float in arithmetic and back when assigned. complex64 and complex128 are
 * complex<float> and complex<double>: the operators, real, imag, conj, abs, norm, arg, exp, log, sqrt, sin, cos, pow.
 *
 * Arguments: inputs first, then outputs, as tenon_arg of kernel.h. An input is an array (TENON_ARG_ARRAY and
 * TENON_ARG_STRIDED mean the same here: any strides) or a scalar of exactly the parameter's dtype; an output is an
 * array. All arrays belong to one device (or are accessible from it), on which the work runs. An output may be exactly
 * an input; any other overlap of an output with another argument is refused, and so is an output that overlaps itself.
 * Errors name the parameter.
 *
 * The work runs on `stream`, after the work that other streams have enqueued on the same memory; the call does not wait
 * for it.
 *
 * Statuses of every _call: INVALID_ARGUMENT (count, kind), DTYPE, SHAPE, DEVICE, CONTEXT, READ_ONLY, OVERLAP, LAYOUT
 * (raw, not contiguous; misaligned), COMPILE (the log has the lines of your text), MISSING_LIBRARY, OUT_OF_MEMORY, and
 * the statuses of a launch. A call whose kernel is compiled takes as long as a checked launch. Objects may be used from
 * any thread; they keep the contexts that they were used with alive.
 */
#ifndef TENON_GENERATED_H
#define TENON_GENERATED_H

#include <tenon/kernel.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tenon_elementwise tenon_elementwise;
typedef struct tenon_reduction tenon_reduction;
typedef struct tenon_scan tenon_scan;

/* Options of all three. */
typedef struct tenon_generated_options {
  uint32_t struct_size;
  TENON_FLAGS(PROGRAM_FLAG) uint32_t flags;             /* TENON_PROGRAM_FLAG_FAST_MATH, TENON_PROGRAM_FLAG_NO_CACHE */
  TENON_NULLABLE const char* name TENON_TEXT; /* for messages; default "elementwise", "reduction", "scan" */
  TENON_NULLABLE const char* preamble TENON_TEXT; /* CUDA C placed before the kernel: functions, structs; it can use the
                                                     placeholders */
  TENON_NULLABLE TENON_LENGTH(option_count) const char* const* options TENON_TEXT; /* passed to the compiler */
  int32_t option_count;
  TENON_ENUM(PROGRAM_MODE) int32_t mode;               /* TENON_PROGRAM_MODE_FAST ... */
  TENON_NULLABLE const char* accumulator TENON_TEXT; /* reduction, scan: the type of the values combined, which may come
                                                        from the preamble; default: the output's type, float for 16-bit
                                                        types */
} tenon_generated_options;

/* An operation on every element. operation: statements that assign the outputs, such as "z = sqrt(x * x + y * y)".
 * In addition to the parameters it can use `i`, the element's number in C order of the shape (int64), `n`, the number
 * of elements, and the arrays `coord` (the element's index along each axis) and `shape`, both with `rank` entries. A
 * parameter with one of these names hides it. INVALID_ARGUMENT: an error in the declarations; the text gives the
 * place. */
TENON_API int32_t tenon_elementwise_create(const char* inputs TENON_TEXT, const char* outputs TENON_TEXT,
                                           const char* operation TENON_TEXT,
                                           TENON_NULLABLE const tenon_generated_options* options,
                                           TENON_OUT TENON_OWNED tenon_elementwise** out_elementwise);
/* What a step of a composition does. */
#define TENON_STEP_UNARY 1  /* function(x), as tenon_unary */
#define TENON_STEP_BINARY 2 /* function(x, y), as tenon_binary */
#define TENON_STEP_SELECT 3 /* x ? y : z, as tenon_select */
#define TENON_STEP_CLIP 4   /* min(max(x, y), z), as tenon_clip; y or z may be -1: no bound on that side */
#define TENON_STEP_CAST 5   /* x converted to dtype, as tenon_cast */
#define TENON_STEP_GATHER 6 /* x[y]: the element of input x at index y of its first axis. Since level 1.1. */

/* A step: an operation on values. Values are numbered: the inputs from 0, then the steps in their order. Operands are
 * numbers of earlier values; those that the kind does not have are -1, and so are function and dtype 0. */
typedef struct tenon_step {
  TENON_ENUM(STEP) int32_t kind;
  int32_t function; /* TENON_FN_* of UNARY and BINARY (functions.h), else 0 */
  int32_t x, y, z;  /* operands */
  uint32_t dtype;   /* of CAST, else 0 */
} tenon_step;

/* The operations of compute.h fused into one kernel: input_count inputs of these dtypes, steps on them, and
 * output_count outputs, each the number of a value. Steps that no output needs are dropped, and equal steps are
 * computed once. dtypes follow from the steps as from the separate operations, and every step is rounded to its own
 * dtype, with no multiply-add in the place of a product and a sum. +, -, *, / and sqrt of real numbers, comparisons,
 * integers, select, clip and casts give the bits of the separate operations. Other functions, and products, quotients
 * and roots of complex numbers, may differ from the CPU device's vectorised ones in the last places (functions.h); they
 * give the bits of TENON_APPLY_COMPILED.
 * GATHER makes x a table, which no other step may use as a value; y is an integer. take along an axis is a gather from
 * the array with that axis moved to the front and, in place of it, as many axes of extent 1 as the indices have.
 * Casts to float16 and bfloat16 take bool, integers of up to 16 bits, float16, bfloat16, float32 and float64.
 *
 * The result is called, recorded and released like any other elementwise kernel. Each input is an array or a scalar
 * of its dtype, as the call says: a scalar changes from call to call without a new kernel. All inputs take part in
 * the shape, those that no output needs included.
 *
 * options: name, flags, mode and options; with TENON_PROGRAM_FLAG_FAST_MATH the bits are not promised.
 * INVALID_ARGUMENT: no input, no output, more than 32 of both together, an operand that is not an earlier value, an
 * unknown function or kind, a field that the kind does not have, a value that is an output twice, a preamble or an
 * accumulator. DTYPE: an operation that is not defined for its operands' dtypes. Errors name the step. */
TENON_API int32_t tenon_elementwise_compose(TENON_LENGTH(input_count) const uint32_t* inputs, int32_t input_count,
                                            TENON_NULLABLE TENON_LENGTH(step_count) const tenon_step* steps,
                                            int32_t step_count, TENON_LENGTH(output_count) const int32_t* outputs,
                                            int32_t output_count,
                                            TENON_NULLABLE const tenon_generated_options* options,
                                            TENON_OUT TENON_OWNED tenon_elementwise** out_elementwise);
/* Computes the outputs. All arrays that are not raw broadcast to one shape by NumPy's rules; outputs must have exactly
 * that shape. With size 0 the call does nothing. The first call with a layout compiles: statuses as for
 * tenon_program_create. */
TENON_API int32_t tenon_elementwise_call(tenon_elementwise* elementwise, TENON_LENGTH(count) const tenon_arg* args,
                                         int32_t count,
                                         TENON_NULLABLE tenon_stream* stream);
/* A new C-ordered array for output `index` (from 0) of a call with these inputs, not initialised, of the shape that the
 * inputs broadcast to, on their device. count: the number of inputs only. INVALID_ARGUMENT: no input is an array, which
 * would determine the shape; DTYPE: no input determines the output's placeholder. */
TENON_API int32_t tenon_elementwise_output(tenon_elementwise* elementwise, TENON_LENGTH(count) const tenon_arg* args,
                                           int32_t count, int32_t index,
                                           TENON_NULLABLE tenon_stream* stream,
                                           TENON_OUT TENON_OWNED tenon_array** out_array);
/* Adds one reference. */
TENON_API int32_t tenon_elementwise_retain(const tenon_elementwise* elementwise);
/* Releases one reference. */
TENON_API void tenon_elementwise_release(TENON_NULLABLE tenon_elementwise* elementwise);

/* A reduction over axes. output: one parameter. map: an expression over the inputs ("": the first input), such as "x *
 * y"; it can use `i`, the number of the element within the reduced axes in C order, and `n`, the number of such
 * elements. reduce: an associative and commutative expression over `a` and `b`, such as "a + b" or "max(a, b)"; its
 * operands and result are accumulators. post: an expression over the accumulator `a` and `n` that computes the output
 * ("": a). identity: an expression for the neutral value ("0"; lowest<T>() and highest<T>() are the smallest and
 * largest values of a type, infinities included), or NULL: then a reduction over no elements is refused. The order of
 * the operations is not specified, but it is fixed: the same shapes, strides and device give the same bits every time.
 * Sums are computed in blocks and trees; their error grows with the logarithm of the count. */
TENON_API int32_t tenon_reduction_create(const char* inputs TENON_TEXT, const char* output TENON_TEXT,
                                         const char* map TENON_TEXT,
                                         const char* reduce TENON_TEXT, const char* post TENON_TEXT,
                                         TENON_NULLABLE const char* identity TENON_TEXT,
                                         TENON_NULLABLE const tenon_generated_options* options,
                                         TENON_OUT TENON_OWNED tenon_reduction** out_reduction);
/* Reduces over `axes` of the shape that the inputs broadcast to (negative: from the end; axis_count 0 with axes NULL:
 * all axes; no axis twice). The output, the last argument, has the extents of the other axes, with or without an extent
 * of 1 in the place of each reduced axis. It may not overlap an input. INVALID_ARGUMENT: there are no elements to
 * reduce, and no identity. */
TENON_API int32_t tenon_reduction_call(tenon_reduction* reduction, TENON_LENGTH(count) const tenon_arg* args,
                                       int32_t count,
                                       TENON_NULLABLE TENON_LENGTH(axis_count) const int32_t* axes, int32_t axis_count,
                                       TENON_NULLABLE tenon_stream* stream);
/* A new C-ordered array for the output of a call with these inputs and axes, not initialised. keep_axes: 1 keeps each
 * reduced axis, with extent 1. */
TENON_API int32_t tenon_reduction_output(tenon_reduction* reduction, TENON_LENGTH(count) const tenon_arg* args,
                                         int32_t count, TENON_NULLABLE TENON_LENGTH(axis_count) const int32_t* axes,
                                         int32_t axis_count, TENON_YES_NO int32_t keep_axes,
                                         TENON_NULLABLE tenon_stream* stream,
                                         TENON_OUT TENON_OWNED tenon_array** out_array);
/* A composition whose result is reduced: the steps of tenon_elementwise_compose for each element, and `value`, the
 * number of one of their values, combined over the axes of each call by a reduction of functions.h, TENON_FN_SUM to
 * TENON_FN_NORM but VAR and STD. The result is a reduction with one input for each of inputs, called as any other; its
 * dtypes are those of tenon_reduce. The steps have the bits that tenon_elementwise_compose promises. MAX, MIN, ALL,
 * ANY, ARGMAX, ARGMIN, COUNT_NONZERO and integers give the bits of tenon_reduce; sums and products of floating-point
 * numbers may be combined in another order, with the same bound on their error.
 *
 * options as for tenon_elementwise_compose. INVALID_ARGUMENT: as there; value is not the number of a value; function is
 * no reduction. DTYPE: the reduction is not defined for the value's dtype. UNSUPPORTED: VAR, STD and LOGSUMEXP, which
 * take several passes. */
TENON_API int32_t tenon_reduction_compose(TENON_LENGTH(input_count) const uint32_t* inputs, int32_t input_count,
                                          TENON_NULLABLE TENON_LENGTH(step_count) const tenon_step* steps,
                                          int32_t step_count, int32_t value, TENON_ENUM(FN) int32_t function,
                                          TENON_NULLABLE const tenon_generated_options* options,
                                          TENON_OUT TENON_OWNED tenon_reduction** out_reduction);
/* Adds one reference. */
TENON_API int32_t tenon_reduction_retain(const tenon_reduction* reduction);
/* Releases one reference. */
TENON_API void tenon_reduction_release(TENON_NULLABLE tenon_reduction* reduction);

/* A scan (prefix combination) along an axis. map: an expression over the inputs ("": the first input); it can use `i`,
 * the element's number along the axis, and `n`, the axis' extent. combine: an associative expression over `a`, the
 * combination of all previous elements, and `b`, such as "a + b"; it need not be commutative. identity: the neutral
 * value. exclusive: with 0, element k of the output combines the elements 0 to k; with 1, those before k (the first is
 * the identity). The order of operations is fixed, as in a reduction. */
TENON_API int32_t tenon_scan_create(const char* inputs TENON_TEXT, const char* output TENON_TEXT,
                                    const char* map TENON_TEXT, const char* combine TENON_TEXT,
                                    const char* identity TENON_TEXT, TENON_YES_NO int32_t exclusive,
                                    TENON_NULLABLE const tenon_generated_options* options,
                                    TENON_OUT TENON_OWNED tenon_scan** out_scan);
/* Scans along `axis` (negative: from the end). The output has the shape that the inputs broadcast to, and may be
 * exactly an input. */
TENON_API int32_t tenon_scan_call(tenon_scan* scan, TENON_LENGTH(count) const tenon_arg* args, int32_t count,
                                  int32_t axis,
                                  TENON_NULLABLE tenon_stream* stream);
/* A new C-ordered array for the output of a call with these inputs, not initialised. */
TENON_API int32_t tenon_scan_output(tenon_scan* scan, TENON_LENGTH(count) const tenon_arg* args, int32_t count,
                                    TENON_NULLABLE tenon_stream* stream, TENON_OUT TENON_OWNED tenon_array** out_array);
/* As tenon_reduction_compose, with a scan of functions.h, TENON_FN_CUMULATIVE_SUM to TENON_FN_CUMULATIVE_LOGSUMEXP; its
 * dtypes are those of tenon_accumulate. exclusive: as for tenon_scan_create. */
TENON_API int32_t tenon_scan_compose(TENON_LENGTH(input_count) const uint32_t* inputs, int32_t input_count,
                                     TENON_NULLABLE TENON_LENGTH(step_count) const tenon_step* steps,
                                     int32_t step_count, int32_t value, TENON_ENUM(FN) int32_t function,
                                     TENON_YES_NO int32_t exclusive,
                                     TENON_NULLABLE const tenon_generated_options* options,
                                     TENON_OUT TENON_OWNED tenon_scan** out_scan);
/* Adds one reference. */
TENON_API int32_t tenon_scan_retain(const tenon_scan* scan);
/* Releases one reference. */
TENON_API void tenon_scan_release(TENON_NULLABLE tenon_scan* scan);

#ifdef __cplusplus
}
#endif
#endif
