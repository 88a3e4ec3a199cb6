/* tenon/random.h: random numbers, bit-identical for every device, grid, number of threads and language.
 *
 * There is no stateful generator: a draw is a pure function of key, stream, offset and the element's number. Programs
 * keep a key and an offset, and add the tenon_random_blocks of each draw to the offset, or make keys with
 * tenon_random_split.
 *
 *   tenon_random_options options = {sizeof options};
 *   options.key = 42;
 *   tenon_array* order = NULL;
 *   tenon_random_permutation(device, 100, &options, NULL, &order);   the same order everywhere
 *
 * Specification. Everything below is part of the contract; the bits never change within a major version.
 *
 * Words. Philox 4x32 with 10 rounds (Salmon et al., Parallel Random Numbers: As Easy as 1, 2, 3, 2011; the multipliers
 * and key increments are those of Random123), with the key (low, high half of `key`). Counter number b has the four
 * words (low, high half of offset + b modulo 2^64, low, high half of `stream`) and gives four 32-bit words w0 to w3, or
 * two of 64 bits, w0 + 2^32 w1 and w2 + 2^32 w3. Elements are numbered in C order.
 *
 * Arithmetic. In float32 for float16, bfloat16 and float32, in float64 for float64 and for GAMMA to BINOMIAL; each
 * operation is rounded to nearest and none is contracted. log, sin, cos and exp are the series of
 * src/device/random.cuh, square roots are IEEE's. Results of float16 and bfloat16 are rounded once more, to nearest
 * even; integers saturate.
 *
 * Words of element i: integers and bits of up to 32 bits use word i mod 4 of counter i / 4, those of 64 bits use 64-bit
 * word i mod 2 of counter i / 2. float16, bfloat16 and float32 use the words of 32-bit integers, float64 those of
 * 64-bit integers.
 *
 * BITS         the word's low bits.
 * UNIFORM      a + (b - a) u, with u = (word >> (bits - d)) 2^-d, where d = 11, 8, 24, 53 for float16, bfloat16,
 *              float32, float64. In [a, b), but for b itself where rounding of the sum leads there; never 1 for the
 *              default a = 0, b = 1.
 * EXPONENTIAL  -log(v) b, with v in (0, 1]: of 32 bits (word >> 16) 2^-16 + ((word mod 2^16) + 1/2) 2^-32, of 64 bits
 *              ((word >> 11) + 1/2) 2^-53.
 * NORMAL       a + b r cos t (even i), a + b r sin t (odd i), with r = sqrt(-2 log v) of the word of the even one of
 *              the two elements and t = 2 pi word / 2^32 (2^64) of that of the odd one (Box and Muller 1958).
 * INTEGERS     low + the high part of word times count (Lemire, Fast Random Integer Generation in an Interval, 2019),
 *              by 32-bit words for dtypes of up to 32 bits. Without bias: words whose low part is below 2^32 (2^64) mod
 *              count are replaced by those in the same place of streams stream + 2^32, stream + 2 2^32 and so on.
 * BERNOULLI    b where word (of 32 bits, also for float64 and 64-bit integers) < a 2^32 rounded to nearest, else 0.
 *
 * The other distributions use rejection. Element i reads the 64-bit words of counter i, first those of `stream`, then
 * those of stream + 2^32, stream + 2 2^32 and so on, in order.
 *
 * GAMMA        shape a, scale b: Marsaglia and Tsang, A Simple Method for Generating Gamma Variables, 2000.
 * BETA         x / (x + y) of gamma variates x of shape a, then y of shape b, by their logarithms.
 * POISSON      mean a: products of uniform numbers below 10, else PTRS (Hoermann, The transformed rejection method for
 *              generating Poisson random variables, 1993).
 * BINOMIAL     a trials of probability b: sums of geometric numbers where a min(b, 1 - b) < 10, else BTRS (Hoermann,
 *              The generation of binomial random variates, 1993).
 * Both compare logarithms of probabilities that are computed as in Loader, Fast and Accurate Computation of Binomial
 * Probabilities, 2000, so that large parameters lose no digits.
 *
 * Statuses: DTYPE: the distribution does not support the dtype; SHAPE: a negative extent; OVERFLOW: more numbers than
 * an int64 can count.
 */
#ifndef TENON_RANDOM_H
#define TENON_RANDOM_H

#include <tenon/array.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TENON_RANDOM_UNIFORM 0     /* a, b: the ends; both 0: 0 and 1 */
#define TENON_RANDOM_NORMAL 1      /* a: mean, b: standard deviation; 0: 1 */
#define TENON_RANDOM_EXPONENTIAL 2 /* b: mean; 0: 1 */
#define TENON_RANDOM_BITS 3        /* all bits of an integer dtype */
#define TENON_RANDOM_INTEGERS 4    /* low, count; both 0: all numbers of the dtype */
#define TENON_RANDOM_BERNOULLI 5   /* a: the probability, b: the value for success; 0: 1. A dropout mask has a = 1 - p,
                                      b = 1 / (1 - p) */
#define TENON_RANDOM_GAMMA 6       /* a: shape, b: scale; 0: 1 */
#define TENON_RANDOM_BETA 7        /* a, b: both shapes */
#define TENON_RANDOM_POISSON 8     /* a: mean, up to 9.22e18; numbers above 2^53 are those of float64 */
#define TENON_RANDOM_BINOMIAL 9    /* a: trials, up to 2^53, b: probability */

typedef struct tenon_random_options {
  uint32_t struct_size;
  uint32_t reserved;
  uint64_t key;
  uint64_t offset;  /* the first counter */
  uint64_t stream;  /* below 2^32; with BITS any number. Draws of different streams share no counter */
  double a, b;      /* of the distribution */
  int64_t low;      /* INTEGERS: the smallest number; for uint64 its bits */
  uint64_t count;   /* INTEGERS: how many numbers to choose from; 0: 2^64, or all of a narrower dtype */
} tenon_random_options;

/* Random numbers of a distribution (TENON_RANDOM_*). dtype: UNIFORM, NORMAL, EXPONENTIAL, GAMMA, BETA: float16,
 * bfloat16, float32, float64; BITS, INTEGERS: any integer; POISSON, BINOMIAL: floating-point and integer dtypes;
 * BERNOULLI: those and bool. INVALID_ARGUMENT: a parameter outside of its domain; integers that the dtype cannot hold.
 * DTYPE: any other dtype. options NULL: key 0, offset 0. */
TENON_API int32_t tenon_random(tenon_device* device, uint32_t dtype, int32_t rank,
                               TENON_NULLABLE TENON_LENGTH(rank) const int64_t* shape,
                               TENON_ENUM(RANDOM) int32_t distribution,
                               TENON_NULLABLE const tenon_random_options* options, TENON_NULLABLE tenon_stream* stream,
                               TENON_INOUT tenon_array** out_numbers);
/* The number of counters that a draw of `count` elements uses, to be added to the offset for the next draw. */
TENON_API int32_t tenon_random_blocks(uint32_t dtype, int64_t count, TENON_ENUM(RANDOM) int32_t distribution,
                                      TENON_OUT uint64_t* out_blocks);
/* Keys for independent programs: key number i is the first 64-bit word of counter i, key `key`, stream
 * 0xffffffff73706c74. */
TENON_API int32_t tenon_random_split(uint64_t key, int64_t count, TENON_OUT TENON_LENGTH(count) uint64_t* out_keys);
/* The numbers 0 to n - 1 in random order, int64: the stable argsort of n uint64 BITS with the same options; it
 * therefore uses n / 2 counters, rounded up. (Equal sort keys, which occur with a probability of n^2 2^-65, stay in
 * order.) options: key, offset and stream are used. */
TENON_API int32_t tenon_random_permutation(tenon_device* device, int64_t n,
                                           TENON_NULLABLE const tenon_random_options* options,
                                           TENON_NULLABLE tenon_stream* stream, TENON_INOUT tenon_array** out_order);

#ifdef __cplusplus
}
#endif
#endif
