/* tenon/texture.h: textures and surfaces: memory that kernels read by coordinates, with filtering, and write by texel.
 *
 *   tenon_texture_options options = {sizeof options};
 *   options.filter = TENON_FILTER_LINEAR;
 *   tenon_texture* image = NULL;
 *   tenon_texture_create(pixels, &options, NULL, &image);          pixels: float32 of shape (height, width)
 *   tenon_arg args[] = {TENON_TEXTURE_ARG(image), TENON_ARRAY_ARG(out)};
 *
 *   __global__ void read(cudaTextureObject_t image, float* out) { out[0] = tex2D<float>(image, 3.25f, 1.5f); }
 *
 * Layout. A texture is made from an array in C order whose axes are, from the slowest to the fastest: the layer (if
 * layered), the face (6, if a cube map), depth, height, width (as many as there are dimensions), and the channels (1, 2
 * or 4, if options.channels is not 0). Texels are 8, 16 or 32-bit integers, float16 or float32. Kernels read float16
 * texels as float.
 *
 * Memory. The texture has memory of its own, to which tenon_texture_create and tenon_texture_update copy the source;
 * later changes of the source do not show. With options.share it reads the source's memory instead, and keeps that
 * alive. That is possible for 1 dimension, which kernels then read by tex1Dfetch only, and for 2 dimensions, where rows
 * may be apart (a pitch): without layers, faces, gathering and surface. On CUDA the address must then be a multiple of
 * 512 bytes (or what the device asks for), and the pitch one of 32; otherwise LAYOUT: nothing is copied instead.
 *
 * Order. A launch that gets a texture as an argument is ordered behind the copies into its memory and behind the
 * launches that write it as a surface, as for arrays; the texture may be released as soon as the launch has been
 * enqueued.
 *
 * Surfaces. With options.surface, kernels may also write the memory: the same handle as TENON_SURFACE_ARG is a
 * cudaSurfaceObject_t. A kernel that gets both should not read through the texture what it writes through the surface.
 *
 * Reads are those of the CUDA C programming guide's appendix on texture fetching: linear filtering uses weights of 9
 * bits with 8 bits of fraction. The number of a layer is unsigned: one that does not exist reads the last layer. On the
 * CPU device all objects behave the same, to the rounding of these weights; there are no mipmaps, so that tex2DLod and
 * tex2DGrad read level 0. The texture references of CUDA 11 are gone.
 */
#ifndef TENON_TEXTURE_H
#define TENON_TEXTURE_H

#include <tenon/argument.h>
#include <tenon/array.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a coordinate outside of the texture reads. WRAP and MIRROR need normalized coordinates. */
#define TENON_ADDRESS_CLAMP 0  /* the nearest texel */
#define TENON_ADDRESS_WRAP 1   /* the texture repeats */
#define TENON_ADDRESS_MIRROR 2 /* it repeats, every other time reversed */
#define TENON_ADDRESS_BORDER 3 /* options.border */

#define TENON_FILTER_POINT 0  /* the texel at the coordinate */
#define TENON_FILTER_LINEAR 1 /* interpolates between the nearest 2, 4 or 8 texels; for reads that give floats */

typedef struct tenon_texture_options {
  uint32_t struct_size;
  int32_t dimensions;                            /* 1 to 3; 0: the axes of the source that are nothing else */
  int32_t channels;                              /* 1, 2 or 4: the last axis of the source; 0: none, scalar texels */
  TENON_YES_NO int32_t layered;                  /* the first axis of the source counts layers; 1 or 2 dimensions */
  TENON_YES_NO int32_t cube;                     /* 2 dimensions; the axis before them has 6 faces, in CUDA's order */
  TENON_YES_NO int32_t normalized_coordinates;   /* from 0 to 1 over the extent; always so for cube maps */
  TENON_YES_NO int32_t normalized_reads;         /* integers of 8 and 16 bits as floats of [0, 1] or [-1, 1] */
  TENON_YES_NO int32_t surface;                  /* kernels may also write it */
  TENON_YES_NO int32_t gather;                   /* kernels may call tex2Dgather; 2 dimensions */
  TENON_YES_NO int32_t share;                    /* read the source's own memory */
  TENON_ENUM(FILTER) int32_t filter;
  TENON_ENUM(ADDRESS) int32_t address_x;         /* not for layers; cube maps take CLAMP only */
  TENON_ENUM(ADDRESS) int32_t address_y;
  TENON_ENUM(ADDRESS) int32_t address_z;
  float border[4];                               /* by channel, for BORDER; 0 where reads give integers */
} tenon_texture_options;

typedef struct tenon_texture_info {
  uint32_t struct_size;
  uint32_t dtype;                /* of a channel */
  int32_t dimensions;
  int32_t channels;              /* 1, 2 or 4 */
  TENON_YES_NO int32_t layered;
  TENON_YES_NO int32_t cube;
  TENON_YES_NO int32_t surface;
  TENON_YES_NO int32_t shared;   /* reads the memory of an array */
  int64_t width, height, depth;  /* in texels; 1 for dimensions that it does not have */
  int64_t layers;                /* layers times faces; 1 for neither */
  uint64_t texture_object;       /* what kernels get for TENON_TEXTURE_ARG; on CUDA a CUtexObject */
  uint64_t surface_object;       /* for TENON_SURFACE_ARG; 0: not a surface */
} tenon_texture_info;

/* A texture on the source's device, with the source's elements, copied in the order of the stream.
 * SHAPE: the source's axes are not those of the options, or an extent is 0 or over the limit of textures; DTYPE: texels
 * of that dtype do not exist, or cannot be read that way; LAYOUT: share, and the source's address, pitch or strides do
 * not allow it; UNSUPPORTED: the device has no textures, or the stream records a graph or is being captured. */
TENON_API int32_t tenon_texture_create(const tenon_array* source, TENON_NULLABLE const tenon_texture_options* options,
                                       TENON_NULLABLE tenon_stream* stream,
                                       TENON_OUT TENON_OWNED tenon_texture** out_texture);
/* Copies the array, of the dtype and shape that the first source had, into the texture's memory in the order of the
 * stream. INVALID_ARGUMENT: the texture shares an array's memory: write that; SHAPE, DTYPE: another shape or dtype;
 * UNSUPPORTED: the stream records a graph or is being captured. */
TENON_API int32_t tenon_texture_update(tenon_texture* texture, const tenon_array* source,
                                       TENON_NULLABLE tenon_stream* stream);
/* Copies the texture's memory into an array of the dtype and shape of its first source, in the order of the stream; the
 * result is provided or made. READ_ONLY, SHAPE, DTYPE, OVERLAP: of a provided array; UNSUPPORTED: the stream records a
 * graph or is being captured. */
TENON_API int32_t tenon_texture_read(const tenon_texture* texture, TENON_NULLABLE tenon_stream* stream,
                                     TENON_INOUT tenon_array** out_array);
/* What the texture is. */
TENON_API int32_t tenon_texture_get_info(const tenon_texture* texture, TENON_OUT tenon_texture_info* out_info);
/* The device of the texture, as a new reference. */
TENON_API int32_t tenon_texture_device(const tenon_texture* texture, TENON_OUT TENON_OWNED tenon_device** out_device);
/* Adds one reference. */
TENON_API int32_t tenon_texture_retain(const tenon_texture* texture);
/* Releases one reference. Work in flight continues. */
TENON_API void tenon_texture_release(TENON_NULLABLE tenon_texture* texture);

#ifdef __cplusplus
}
#endif
#endif
