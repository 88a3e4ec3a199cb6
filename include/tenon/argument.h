/* tenon/argument.h: tenon_arg: a typed value, an array or a pointer, as an argument of a kernel or a scalar of a
 * routine.
 *
 *   tenon_arg args[] = {TENON_ARRAY_ARG(x), TENON_F32_ARG(2.0f), TENON_I32_ARG(n)};
 *   tenon_arg half = TENON_F64_ARG(0.5);
 *   tenon_gemm(&half, a, b, NULL, NULL, NULL, &c);
 */
#ifndef TENON_ARGUMENT_H
#define TENON_ARGUMENT_H

#include <tenon/dtype.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tenon_array tenon_array;
typedef struct tenon_texture tenon_texture;

#define TENON_ARG_ARRAY 1u   /* value.array: for a pointer parameter; must be C-contiguous (else TENON_ARG_STRIDED) */
#define TENON_ARG_SCALAR 2u  /* dtype and value.*; for a kernel exactly the parameter's type */
#define TENON_ARG_POINTER 3u /* value.pointer: a raw address, which Tenon neither checks nor orders */
#define TENON_ARG_BYTES 4u   /* value.bytes points at size bytes: a struct by value, which the call copies */
#define TENON_ARG_STRIDED 5u /* as ARRAY, but with any strides: the kernel gets the address of the element at index 0 */
#define TENON_ARG_WEAK 6u    /* for the functions of compute.h: a number without a dtype of its own, given as TENON_BOOL
                                (value.u8), TENON_INT64, TENON_UINT64, TENON_FLOAT64 or TENON_COMPLEX128 */
#define TENON_ARG_TEXTURE 7u /* value.texture (texture.h): for a parameter of type cudaTextureObject_t */
#define TENON_ARG_SURFACE 8u /* value.texture: for a parameter of type cudaSurfaceObject_t */

/* One argument, a struct of 32 bytes that never grows. SCALAR uses `dtype` and `size` (in bytes; 0 means the size of
 * the dtype), BYTES uses `size`. A scalar is in the member of its dtype: bool in u8 (0 or 1), float16 and bfloat16 in
 * u16 (their bits), float8 in u8. Use the macros below, which are expressions and work in C99 and in C++11. */
typedef struct tenon_arg {
  TENON_ENUM(ARG) uint32_t kind;
  uint32_t dtype;
  uint64_t size;
  union {
    tenon_array* array;
    tenon_texture* texture;
    const void* pointer;
    const void* bytes;
    int8_t i8; int16_t i16; int32_t i32; int64_t i64;
    uint8_t u8; uint16_t u16; uint32_t u32; uint64_t u64;
    float f32; double f64;
    float c64[2]; double c128[2];
  } value;
} tenon_arg;

/* Helpers of the macros. */
static inline tenon_arg tenon_arg_blank(uint32_t kind, uint32_t dtype, uint64_t size) {
  tenon_arg made;
  made.kind = kind;
  made.dtype = dtype;
  made.size = size;
  made.value.c128[0] = 0;
  made.value.c128[1] = 0;
  return made;
}
#define TENON_ARG_MAKER(name, type, member, dtype)                        \
  static inline tenon_arg tenon_arg_of_##name(type value) {               \
    tenon_arg made = tenon_arg_blank(TENON_ARG_SCALAR, dtype, sizeof value); \
    made.value.member = value;                                            \
    return made;                                                          \
  }
TENON_ARG_MAKER(bool, uint8_t, u8, TENON_BOOL)
TENON_ARG_MAKER(i8, int8_t, i8, TENON_INT8)
TENON_ARG_MAKER(i16, int16_t, i16, TENON_INT16)
TENON_ARG_MAKER(i32, int32_t, i32, TENON_INT32)
TENON_ARG_MAKER(i64, int64_t, i64, TENON_INT64)
TENON_ARG_MAKER(u8, uint8_t, u8, TENON_UINT8)
TENON_ARG_MAKER(u16, uint16_t, u16, TENON_UINT16)
TENON_ARG_MAKER(u32, uint32_t, u32, TENON_UINT32)
TENON_ARG_MAKER(u64, uint64_t, u64, TENON_UINT64)
TENON_ARG_MAKER(f16, uint16_t, u16, TENON_FLOAT16)
TENON_ARG_MAKER(bf16, uint16_t, u16, TENON_BFLOAT16)
TENON_ARG_MAKER(f32, float, f32, TENON_FLOAT32)
TENON_ARG_MAKER(f64, double, f64, TENON_FLOAT64)
#undef TENON_ARG_MAKER
static inline tenon_arg tenon_arg_of_c64(float real, float imaginary) {
  tenon_arg made = tenon_arg_blank(TENON_ARG_SCALAR, TENON_COMPLEX64, 8);
  made.value.c64[0] = real;
  made.value.c64[1] = imaginary;
  return made;
}
static inline tenon_arg tenon_arg_of_c128(double real, double imaginary) {
  tenon_arg made = tenon_arg_blank(TENON_ARG_SCALAR, TENON_COMPLEX128, 16);
  made.value.c128[0] = real;
  made.value.c128[1] = imaginary;
  return made;
}
static inline tenon_arg tenon_arg_weakened(tenon_arg number) {
  number.kind = TENON_ARG_WEAK;
  return number;
}
static inline tenon_arg tenon_arg_of_array(uint32_t kind, tenon_array* array) {
  tenon_arg made = tenon_arg_blank(kind, 0, 0);
  made.value.array = array;
  return made;
}
static inline tenon_arg tenon_arg_of_texture(uint32_t kind, tenon_texture* texture) {
  tenon_arg made = tenon_arg_blank(kind, 0, 0);
  made.value.texture = texture;
  return made;
}
static inline tenon_arg tenon_arg_of_memory(uint32_t kind, const void* memory, uint64_t size) {
  tenon_arg made = tenon_arg_blank(kind, 0, size);
  made.value.pointer = memory;
  return made;
}

#define TENON_ARRAY_ARG(a) tenon_arg_of_array(TENON_ARG_ARRAY, (a))
#define TENON_STRIDED_ARG(a) tenon_arg_of_array(TENON_ARG_STRIDED, (a))
#define TENON_TEXTURE_ARG(t) tenon_arg_of_texture(TENON_ARG_TEXTURE, (t))
#define TENON_SURFACE_ARG(t) tenon_arg_of_texture(TENON_ARG_SURFACE, (t))
#define TENON_POINTER_ARG(p) tenon_arg_of_memory(TENON_ARG_POINTER, (p), 0)
#define TENON_BYTES_ARG(p, n) tenon_arg_of_memory(TENON_ARG_BYTES, (p), (n))
#define TENON_BOOL_ARG(v) tenon_arg_of_bool((uint8_t)((v) ? 1 : 0))
#define TENON_I8_ARG(v) tenon_arg_of_i8(v)
#define TENON_I16_ARG(v) tenon_arg_of_i16(v)
#define TENON_I32_ARG(v) tenon_arg_of_i32(v)
#define TENON_I64_ARG(v) tenon_arg_of_i64(v)
#define TENON_U8_ARG(v) tenon_arg_of_u8(v)
#define TENON_U16_ARG(v) tenon_arg_of_u16(v)
#define TENON_U32_ARG(v) tenon_arg_of_u32(v)
#define TENON_U64_ARG(v) tenon_arg_of_u64(v)
#define TENON_F16_ARG(bits) tenon_arg_of_f16(bits)   /* the number's 16 bits as an integer */
#define TENON_BF16_ARG(bits) tenon_arg_of_bf16(bits) /* likewise */
#define TENON_F32_ARG(v) tenon_arg_of_f32(v)
#define TENON_F64_ARG(v) tenon_arg_of_f64(v)
#define TENON_WEAK_I64_ARG(v) tenon_arg_weakened(tenon_arg_of_i64(v))
#define TENON_WEAK_F64_ARG(v) tenon_arg_weakened(tenon_arg_of_f64(v))
#define TENON_C64_ARG(re, im) tenon_arg_of_c64((re), (im))
#define TENON_C128_ARG(re, im) tenon_arg_of_c128((re), (im))

#ifdef __cplusplus
}
#endif
#endif
