/* tenon/dtype.h: element types.
 *
 *   uint32_t bits = 0;
 *   tenon_dtype_bits(TENON_BFLOAT16, &bits);                   16
 *   puts(tenon_dtype_name(TENON_BFLOAT16));                    "bfloat16"
 *
 * A dtype is one uint32_t: DLPack's type code in bits 0-7, bits per lane in bits 8-15, lanes in bits 16-31. Any DLPack
 * type can be stored, exchanged and passed to kernels; those marked * also support computation (copy with conversion,
 * fill, gemm, ...). Types of fewer than 8 bits are stored packed, element 0 in the lowest bits of byte 0.
 */
#ifndef TENON_DTYPE_H
#define TENON_DTYPE_H

#include <tenon/abi.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TENON_DTYPE(code, bits, lanes) \
  ((uint32_t)(code) | ((uint32_t)(bits) << 8) | ((uint32_t)(lanes) << 16))

#define TENON_BOOL 0x00010806u            /* * one byte, 0 or 1 */
#define TENON_INT8 0x00010800u            /* * */
#define TENON_INT16 0x00011000u           /* * */
#define TENON_INT32 0x00012000u           /* * */
#define TENON_INT64 0x00014000u           /* * */
#define TENON_UINT8 0x00010801u           /* * */
#define TENON_UINT16 0x00011001u          /* * */
#define TENON_UINT32 0x00012001u          /* * */
#define TENON_UINT64 0x00014001u          /* * */
#define TENON_FLOAT16 0x00011002u         /* * IEEE binary16 */
#define TENON_FLOAT32 0x00012002u         /* * */
#define TENON_FLOAT64 0x00014002u         /* * */
#define TENON_BFLOAT16 0x00011004u        /* * */
#define TENON_COMPLEX32 0x00012005u       /* two float16: copy with conversion, fill and Fourier transforms only */
#define TENON_COMPLEX64 0x00014005u       /* * two float32 */
#define TENON_COMPLEX128 0x00018005u      /* * two float64 */
#define TENON_FLOAT8_E3M4 0x00010807u
#define TENON_FLOAT8_E4M3 0x00010808u
#define TENON_FLOAT8_E4M3B11FNUZ 0x00010809u
#define TENON_FLOAT8_E4M3FN 0x0001080au
#define TENON_FLOAT8_E4M3FNUZ 0x0001080bu
#define TENON_FLOAT8_E5M2 0x0001080cu
#define TENON_FLOAT8_E5M2FNUZ 0x0001080du
#define TENON_FLOAT8_E8M0FNU 0x0001080eu
#define TENON_FLOAT6_E2M3FN 0x0001060fu
#define TENON_FLOAT6_E3M2FN 0x00010610u
#define TENON_FLOAT4_E2M1FN 0x00010411u

/* The name of a dtype as NumPy spells it ("float32", "complex64", "bfloat16", "float8_e4m3fn"; with lanes "float32x4").
 * "invalid" for a value that is not a dtype. Valid for the life of the process; never NULL. */
TENON_API const char* tenon_dtype_name(uint32_t dtype);

/* Bits of one element, lanes included. DTYPE: the value is not a dtype. */
TENON_API int32_t tenon_dtype_bits(uint32_t dtype, TENON_OUT uint32_t* out_bits);

#ifdef __cplusplus
}
#endif
#endif
