// shim/texture/tenon_texture.h: reads of textures and accesses of surfaces, as the CUDA C programming guide's appendix
// on texture fetching defines them. There are no mipmaps: a level of detail reads level 0.
#ifndef TENON_TEXTURE_SHIM_H
#define TENON_TEXTURE_SHIM_H
#if TENON_TEXTURES

typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero = 0, cudaBoundaryModeClamp = 1, cudaBoundaryModeTrap = 2 };

// The checked mode only checks the memory of arguments, so not that of textures; every access here is in bounds.
#if TENON_CHECK || TENON_SPINS
#define TENON_TEXEL static __attribute__((noinline, unused)) TENON_NOT_CHECKED
#else
#define TENON_TEXEL static inline __attribute__((unused))
#endif

// The result of a read before it is converted to the requested type: four 32-bit words, the bits of floats or integers.
struct tenon_texel {
  unsigned bits[4];
};

TENON_INLINE unsigned tenon_texel_bits(float value) {
  unsigned bits;
  __builtin_memcpy(&bits, &value, 4);
  return bits;
}
TENON_INLINE float tenon_texel_float(unsigned bits) {
  float value;
  __builtin_memcpy(&value, &bits, 4);
  return value;
}
// Computed from the bits, as in cuda_fp16.h, which the kernel need not include.
TENON_INLINE unsigned tenon_texel_half(unsigned half) {
  const unsigned magnitude = half & 0x7fffu, sign = (half & 0x8000u) << 16;
  if (magnitude >= 0x7c00u) return sign | 0x7f800000u | magnitude << 13;
  return sign | tenon_texel_bits(tenon_texel_float(magnitude << 13) * 5.192296858534828e33f);  // 2^112
}

#define TENON_TEXEL_AT(T) (*(const T __attribute__((may_alias))*)(at))
// Reads one channel. All texels of a read have one type, so the branches are well predicted.
TENON_TEXEL unsigned tenon_channel(const tenon_texels* t, const unsigned char* at) {
  if (t->format == TENON_TEXEL_F32) return TENON_TEXEL_AT(unsigned);
  switch (t->format) {
    case TENON_TEXEL_U8: return t->normalized_reads ? tenon_texel_bits((float)*at / 255.0f) : *at;
    case TENON_TEXEL_U16: {
      const unsigned short value = TENON_TEXEL_AT(unsigned short);
      return t->normalized_reads ? tenon_texel_bits((float)value / 65535.0f) : value;
    }
    case TENON_TEXEL_S8: {
      const signed char value = (signed char)*at;
      const float part = (float)value / 127.0f;
      return t->normalized_reads ? tenon_texel_bits(part < -1.0f ? -1.0f : part) : (unsigned)value;
    }
    case TENON_TEXEL_S16: {
      const short value = TENON_TEXEL_AT(short);
      const float part = (float)value / 32767.0f;
      return t->normalized_reads ? tenon_texel_bits(part < -1.0f ? -1.0f : part) : (unsigned)value;
    }
    case TENON_TEXEL_F16: return tenon_texel_half(TENON_TEXEL_AT(unsigned short));
    default: return TENON_TEXEL_AT(unsigned);
  }
}
#undef TENON_TEXEL_AT

TENON_INLINE const unsigned char* tenon_texel_address(const tenon_texels* t, int layer, int x, int y, int z) {
  return t->data + (unsigned long)layer * t->layer + (unsigned long)z * t->slice + (unsigned long)y * t->row +
         (unsigned long)x * t->texel_bytes;
}

// The texel at indices that may lie outside; those of an axis with a border are -1 then.
TENON_TEXEL tenon_texel tenon_texel_at(const tenon_texels* t, int layer, int x, int y, int z) {
  tenon_texel out = {{0, 0, 0, 0}};
  const bool inside = (x | y | z) >= 0;
  const unsigned char* at = inside ? tenon_texel_address(t, layer, x, y, z) : t->data;
  const unsigned step = t->texel_bytes / t->channels;
  for (unsigned c = 0; c < t->channels; ++c)
    out.bits[c] = inside ? tenon_channel(t, at + c * step) : tenon_texel_bits(t->border[c]);
  return out;
}

TENON_INLINE int tenon_texel_clamped(int i, int extent) { return i < 0 ? 0 : i >= extent ? extent - 1 : i; }

// The index for one that may be outside by 1, or by anything where the address mode is clamp or border; -1: the border.
TENON_INLINE int tenon_texel_index(int i, int extent, unsigned address) {
  if (i >= 0 && i < extent) return i;
  if (address == 3) return -1;
  if (address == 1) return i < 0 ? extent - 1 : 0;
  return tenon_texel_clamped(i, extent);
}

// The coordinate in texels. Wrapping and mirroring happen in normalized coordinates.
TENON_INLINE float tenon_texel_coordinate(const tenon_texels* t, float x, int extent, unsigned address) {
  constexpr float kFar = 1e9f;  // beyond every texture, and a number that an int can hold
  if (!(x == x)) return 0;
  if (t->normalized_coordinates) {
    if (address == 1 || address == 2) {
      x = x < -kFar ? -kFar : x > kFar ? kFar : x;
      const float whole = __builtin_floorf(x);
      x -= whole;
      if (address == 2 && whole - 2 * __builtin_floorf(whole / 2) != 0) x = 1 - x;
    }
    x *= (float)extent;
  }
  return x < -kFar ? -kFar : x > kFar ? kFar : x;
}

// Along one axis: the texels that a read uses, and the weight of the second one, a multiple of 1/256.
struct tenon_texel_pair {
  int first, second;
  float weight;
};
TENON_INLINE tenon_texel_pair tenon_texel_along(const tenon_texels* t, float given, int extent, unsigned address) {
  float x = tenon_texel_coordinate(t, given, extent, address);
  if (!t->linear) {
    const int i = tenon_texel_index((int)__builtin_floorf(x), extent, address);
    return {i, i, 0};
  }
  x -= 0.5f;
  const float whole = __builtin_floorf(x);
  const int i = (int)whole;
  return {tenon_texel_index(i, extent, address), tenon_texel_index(i + 1, extent, address),
          __builtin_floorf((x - whole) * 256 + 0.5f) / 256};
}

TENON_INLINE float tenon_texel_weight(const tenon_texel_pair& pair, unsigned second) {
  return second ? pair.weight : 1 - pair.weight;
}

// The number of dimensions is a constant, so that the loops over corners are unrolled.
template <unsigned dimensions>
TENON_TEXEL tenon_texel tenon_texel_sample(const tenon_texels* t, int layer, float x, float y, float z) {
  const tenon_texel_pair none = {0, 0, 0}, px = tenon_texel_along(t, x, t->width, t->address[0]),
                         py = dimensions > 1 ? tenon_texel_along(t, y, t->height, t->address[1]) : none,
                         pz = dimensions > 2 ? tenon_texel_along(t, z, t->depth, t->address[2]) : none;
  if (!t->linear) return tenon_texel_at(t, layer, px.first, py.first, pz.first);
  const unsigned step = t->texel_bytes / t->channels;
  tenon_texel out = {{0, 0, 0, 0}};
  for (unsigned c = 0; c < t->channels; ++c) {
    float sum = 0;
    for (unsigned corner = 0; corner < 1u << dimensions; ++corner) {
      const unsigned cx = corner & 1, cy = corner & 2, cz = corner & 4;
      const float weight = tenon_texel_weight(px, cx) * tenon_texel_weight(py, cy) * tenon_texel_weight(pz, cz);
      const int ix = cx ? px.second : px.first, iy = cy ? py.second : py.first, iz = cz ? pz.second : pz.first;
      sum += weight * tenon_texel_float((ix | iy | iz) < 0
                                            ? tenon_texel_bits(t->border[c])
                                            : tenon_channel(t, tenon_texel_address(t, layer, ix, iy, iz) + c * step));
    }
    out.bits[c] = tenon_texel_bits(sum);
  }
  return out;
}

// One channel of the four texels that a linear filter would use, counter-clockwise from the lower left.
TENON_TEXEL tenon_texel tenon_texel_gather(const tenon_texels* t, float x, float y, int channel) {
  const float fx = __builtin_floorf(tenon_texel_coordinate(t, x, t->width, t->address[0]) - 0.5f);
  const float fy = __builtin_floorf(tenon_texel_coordinate(t, y, t->height, t->address[1]) - 0.5f);
  const int x0 = tenon_texel_index((int)fx, t->width, t->address[0]),
            x1 = tenon_texel_index((int)fx + 1, t->width, t->address[0]),
            y0 = tenon_texel_index((int)fy, t->height, t->address[1]),
            y1 = tenon_texel_index((int)fy + 1, t->height, t->address[1]);
  const int c = channel & 3;
  return {{tenon_texel_at(t, 0, x0, y1, 0).bits[c], tenon_texel_at(t, 0, x1, y1, 0).bits[c],
           tenon_texel_at(t, 0, x1, y0, 0).bits[c], tenon_texel_at(t, 0, x0, y0, 0).bits[c]}};
}

// GPUs take the number of a layer as unsigned: a negative one is beyond the last.
TENON_INLINE int tenon_texel_layer_of(int layer, int layers) {
  return (unsigned)layer < (unsigned)layers ? layer : layers - 1;
}

// For a cube map: the face that the direction intersects, and the coordinates there.
TENON_TEXEL tenon_texel tenon_texel_cube(const tenon_texels* t, float x, float y, float z, int layer) {
  const float ax = __builtin_fabsf(x), ay = __builtin_fabsf(y), az = __builtin_fabsf(z);
  int face;
  float s, u, m;
  if (ax >= ay && ax >= az) face = x < 0, m = ax, s = x < 0 ? z : -z, u = -y;
  else if (ay >= az) face = 2 + (y < 0), m = ay, s = x, u = y < 0 ? -z : z;
  else face = 4 + (z < 0), m = az, s = z < 0 ? -x : x, u = -y;
  const int cube = tenon_texel_layer_of(layer, t->layers / 6);
  return tenon_texel_sample<2>(t, 6 * cube + face, (s / m + 1) / 2, (u / m + 1) / 2, 0);
}

template <unsigned dimensions>
TENON_TEXEL tenon_texel tenon_texel_layer(const tenon_texels* t, int layer, float x, float y) {
  return tenon_texel_sample<dimensions>(t, tenon_texel_layer_of(layer, t->layers), x, y, 0);
}

TENON_TEXEL tenon_texel tenon_texel_fetch(const tenon_texels* t, int x) {
  if (x < 0 || x >= t->width) return {{0, 0, 0, 0}};
  return tenon_texel_at(t, 0, x, 0, 0);
}

// The result types of reads.
template <class T> struct tenon_texel_type;
template <class T> TENON_INLINE T tenon_texel_number(unsigned bits) { return (T)bits; }
template <> TENON_MEMBER float tenon_texel_number<float>(unsigned bits) { return tenon_texel_float(bits); }
#define TENON_TEXEL_TYPE(T, name)                                                               \
  template <> struct tenon_texel_type<T> {                                                      \
    static TENON_MEMBER T of(const tenon_texel& t) { return tenon_texel_number<T>(t.bits[0]); } \
  };                                                                                            \
  TENON_TEXEL_VECTOR(T, name)
#define TENON_TEXEL_VECTOR(T, name)                                                                                 \
  template <> struct tenon_texel_type<name##1> {                                                                    \
    static TENON_MEMBER name##1 of(const tenon_texel& t) { return {tenon_texel_number<T>(t.bits[0])}; }             \
  };                                                                                                                \
  template <> struct tenon_texel_type<name##2> {                                                                    \
    static TENON_MEMBER name##2 of(const tenon_texel& t) {                                                          \
      return {tenon_texel_number<T>(t.bits[0]), tenon_texel_number<T>(t.bits[1])};                                  \
    }                                                                                                               \
  };                                                                                                                \
  template <> struct tenon_texel_type<name##4> {                                                                    \
    static TENON_MEMBER name##4 of(const tenon_texel& t) {                                                          \
      return {tenon_texel_number<T>(t.bits[0]), tenon_texel_number<T>(t.bits[1]), tenon_texel_number<T>(t.bits[2]), \
              tenon_texel_number<T>(t.bits[3])};                                                                    \
    }                                                                                                               \
  };
template <> struct tenon_texel_type<char> {
  static TENON_MEMBER char of(const tenon_texel& t) { return (char)t.bits[0]; }
};
TENON_TEXEL_TYPE(signed char, char)
TENON_TEXEL_TYPE(unsigned char, uchar)
TENON_TEXEL_TYPE(short, short)
TENON_TEXEL_TYPE(unsigned short, ushort)
TENON_TEXEL_TYPE(int, int)
TENON_TEXEL_TYPE(unsigned int, uint)
TENON_TEXEL_TYPE(float, float)
#undef TENON_TEXEL_TYPE
#undef TENON_TEXEL_VECTOR

TENON_INLINE const tenon_texels* tenon_texels_of(unsigned long long object, unsigned what, const char* trouble) {
  const tenon_texels* t = (const tenon_texels*)object;
  if (!t || t->what != what) tenon_fault(trouble, "", 0);
  return t;
}

#define TENON_READ(name, what, kind, read, ...)                                                               \
  template <class T> TENON_INLINE T name(cudaTextureObject_t object, __VA_ARGS__) {                           \
    const tenon_texels* t = tenon_texels_of(object, what, #name " of what is not a texture object of " kind); \
    return tenon_texel_type<T>::of(read);                                                                     \
  }                                                                                                           \
  template <class T> TENON_INLINE void name(T* to, cudaTextureObject_t object, __VA_ARGS__) {                 \
    const tenon_texels* t = tenon_texels_of(object, what, #name " of what is not a texture object of " kind); \
    *to = tenon_texel_type<T>::of(read);                                                                      \
  }
#define TENON_1D "1 dimension with memory of its own"
#define TENON_2D "2 dimensions"
#define TENON_3D "3 dimensions"
#define TENON_1D_LAYERS "1 dimension and layers"
#define TENON_2D_LAYERS "2 dimensions and layers"
#define TENON_CUBE_MAP "a cube map"
#define TENON_CUBE_LAYERS "a cube map with layers"
TENON_READ(tex1Dfetch, 1 | TENON_TEXELS_FETCH, "1 dimension that shares an array's memory", tenon_texel_fetch(t, x),
           int x)
TENON_READ(tex1D, 1, TENON_1D, (tenon_texel_sample<1>(t, 0, x, 0, 0)), float x)
TENON_READ(tex1DLod, 1, TENON_1D, (tenon_texel_sample<1>(t, 0, x, 0, 0)), float x, float)
TENON_READ(tex1DGrad, 1, TENON_1D, (tenon_texel_sample<1>(t, 0, x, 0, 0)), float x, float, float)
TENON_READ(tex2D, 2, TENON_2D, (tenon_texel_sample<2>(t, 0, x, y, 0)), float x, float y)
TENON_READ(tex2DLod, 2, TENON_2D, (tenon_texel_sample<2>(t, 0, x, y, 0)), float x, float y, float)
TENON_READ(tex2DGrad, 2, TENON_2D, (tenon_texel_sample<2>(t, 0, x, y, 0)), float x, float y, float2, float2)
TENON_READ(tex3D, 3, TENON_3D, (tenon_texel_sample<3>(t, 0, x, y, z)), float x, float y, float z)
TENON_READ(tex3DLod, 3, TENON_3D, (tenon_texel_sample<3>(t, 0, x, y, z)), float x, float y, float z, float)
TENON_READ(tex3DGrad, 3, TENON_3D, (tenon_texel_sample<3>(t, 0, x, y, z)), float x, float y, float z, float4, float4)
TENON_READ(tex1DLayered, 1 | TENON_TEXELS_LAYERED, TENON_1D_LAYERS, (tenon_texel_layer<1>(t, layer, x, 0)), float x,
           int layer)
TENON_READ(tex1DLayeredLod, 1 | TENON_TEXELS_LAYERED, TENON_1D_LAYERS, (tenon_texel_layer<1>(t, layer, x, 0)), float x,
           int layer, float)
TENON_READ(tex1DLayeredGrad, 1 | TENON_TEXELS_LAYERED, TENON_1D_LAYERS, (tenon_texel_layer<1>(t, layer, x, 0)), float x,
           int layer, float, float)
TENON_READ(tex2DLayered, 2 | TENON_TEXELS_LAYERED, TENON_2D_LAYERS, (tenon_texel_layer<2>(t, layer, x, y)), float x,
           float y, int layer)
TENON_READ(tex2DLayeredLod, 2 | TENON_TEXELS_LAYERED, TENON_2D_LAYERS, (tenon_texel_layer<2>(t, layer, x, y)), float x,
           float y, int layer, float)
TENON_READ(tex2DLayeredGrad, 2 | TENON_TEXELS_LAYERED, TENON_2D_LAYERS, (tenon_texel_layer<2>(t, layer, x, y)), float x,
           float y, int layer, float2, float2)
TENON_READ(texCubemap, 2 | TENON_TEXELS_CUBE, TENON_CUBE_MAP, tenon_texel_cube(t, x, y, z, 0), float x, float y,
           float z)
TENON_READ(texCubemapLod, 2 | TENON_TEXELS_CUBE, TENON_CUBE_MAP, tenon_texel_cube(t, x, y, z, 0), float x, float y,
           float z, float)
TENON_READ(texCubemapLayered, 2 | TENON_TEXELS_CUBE | TENON_TEXELS_LAYERED, TENON_CUBE_LAYERS,
           tenon_texel_cube(t, x, y, z, layer), float x, float y, float z, int layer)
TENON_READ(texCubemapLayeredLod, 2 | TENON_TEXELS_CUBE | TENON_TEXELS_LAYERED, TENON_CUBE_LAYERS,
           tenon_texel_cube(t, x, y, z, layer), float x, float y, float z, int layer, float)
#undef TENON_READ

template <class T> TENON_INLINE T tex2Dgather(cudaTextureObject_t object, float x, float y, int channel = 0) {
  const tenon_texels* t = tenon_texels_of(object, 2, "tex2Dgather of what is not a texture object of " TENON_2D);
  if (!t->gather) tenon_fault("tex2Dgather of a texture that was created without options.gather", "", 0);
  return tenon_texel_type<T>::of(tenon_texel_gather(t, x, y, channel));
}
template <class T> TENON_INLINE void tex2Dgather(T* to, cudaTextureObject_t object, float x, float y, int channel = 0) {
  *to = tex2Dgather<T>(object, x, y, channel);
}

// The address of `bytes` bytes of a surface, x in bytes; NULL: the access has no effect, and a read gives 0.
TENON_TEXEL unsigned char* tenon_surface_at(const tenon_texels* t, unsigned bytes, int x, int y, int z, int layer,
                                            cudaSurfaceBoundaryMode mode, const char* outside) {
  const int row = t->width * (int)t->texel_bytes, last = row - (int)bytes;
  if (x % (int)bytes != 0)
    tenon_fault("a surface's x, in bytes, is not a multiple of the size of what is accessed", "", 0);
  const bool inside =
      x >= 0 && x <= last && y >= 0 && y < t->height && z >= 0 && z < t->depth && layer >= 0 && layer < t->layers;
  if (!inside) {
    if (mode == cudaBoundaryModeTrap) tenon_fault(outside, "", 0);
    if (mode == cudaBoundaryModeZero || last < 0) return nullptr;
    x = x < 0 ? 0 : x > last ? last / (int)bytes * (int)bytes : x;
    y = tenon_texel_clamped(y, t->height);
    z = tenon_texel_clamped(z, t->depth);
    layer = tenon_texel_clamped(layer, t->layers);
  }
  return t->data + (unsigned long)layer * t->layer + (unsigned long)z * t->slice + (unsigned long)y * t->row +
         (unsigned long)x;
}

// Copies by volatile accesses of 1 byte, or of the whole: memcpy would be checked in the checked mode.
template <unsigned N> struct tenon_surface_word;
template <> struct tenon_surface_word<1> {
  typedef unsigned char type __attribute__((may_alias));
};
template <> struct tenon_surface_word<2> {
  typedef unsigned short type __attribute__((may_alias));
};
template <> struct tenon_surface_word<4> {
  typedef unsigned type __attribute__((may_alias));
};
template <> struct tenon_surface_word<8> {
  typedef unsigned long type __attribute__((may_alias));
};
template <> struct tenon_surface_word<16> {
  typedef unsigned type __attribute__((may_alias, vector_size(16)));
};

template <class T> TENON_TEXEL void tenon_surface_write(const tenon_texels* t, const T* from, int x, int y, int z,
                                                        int layer, cudaSurfaceBoundaryMode mode, const char* outside) {
  typedef typename tenon_surface_word<sizeof(T)>::type word;
  unsigned char* at = tenon_surface_at(t, sizeof(T), x, y, z, layer, mode, outside);
  word value;
  __builtin_memcpy(&value, from, sizeof value);
  if (at) *(word*)at = value;
}
template <class T> TENON_TEXEL void tenon_surface_read(const tenon_texels* t, T* to, int x, int y, int z, int layer,
                                                       cudaSurfaceBoundaryMode mode, const char* outside) {
  typedef typename tenon_surface_word<sizeof(T)>::type word;
  const unsigned char* at = tenon_surface_at(t, sizeof(T), x, y, z, layer, mode, outside);
  word value = {};
  if (at) value = *(const word*)at;
  __builtin_memcpy(to, &value, sizeof value);
}

#define TENON_SURFACE(name, what, kind, x, y, z, layer, ...)                                                           \
  template <class T> TENON_INLINE void name##write(T value, cudaSurfaceObject_t object, __VA_ARGS__,                   \
                                                   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {              \
    const tenon_texels* t =                                                                                            \
        tenon_texels_of(object, what | TENON_TEXELS_SURFACE, #name "write of what is not a surface object of " kind);  \
    tenon_surface_write(t, &value, x, y, z, layer, mode, #name "write outside of the surface (cudaBoundaryModeTrap)"); \
  }                                                                                                                    \
  template <class T> TENON_INLINE void name##read(T* to, cudaSurfaceObject_t object, __VA_ARGS__,                      \
                                                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {               \
    const tenon_texels* t =                                                                                            \
        tenon_texels_of(object, what | TENON_TEXELS_SURFACE, #name "read of what is not a surface object of " kind);   \
    tenon_surface_read(t, to, x, y, z, layer, mode, #name "read outside of the surface (cudaBoundaryModeTrap)");       \
  }                                                                                                                    \
  template <class T> TENON_INLINE T name##read(cudaSurfaceObject_t object, __VA_ARGS__,                                \
                                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                  \
    const tenon_texels* t =                                                                                            \
        tenon_texels_of(object, what | TENON_TEXELS_SURFACE, #name "read of what is not a surface object of " kind);   \
    T value;                                                                                                           \
    tenon_surface_read(t, &value, x, y, z, layer, mode, #name "read outside of the surface (cudaBoundaryModeTrap)");   \
    return value;                                                                                                      \
  }
TENON_SURFACE(surf1D, 1, "1 dimension", x, 0, 0, 0, int x)
TENON_SURFACE(surf2D, 2, TENON_2D, x, y, 0, 0, int x, int y)
TENON_SURFACE(surf3D, 3, TENON_3D, x, y, z, 0, int x, int y, int z)
TENON_SURFACE(surf1DLayered, 1 | TENON_TEXELS_LAYERED, TENON_1D_LAYERS, x, 0, 0, layer, int x, int layer)
TENON_SURFACE(surf2DLayered, 2 | TENON_TEXELS_LAYERED, TENON_2D_LAYERS, x, y, 0, layer, int x, int y, int layer)
TENON_SURFACE(surfCubemap, 2 | TENON_TEXELS_CUBE, TENON_CUBE_MAP, x, y, 0, face, int x, int y, int face)
TENON_SURFACE(surfCubemapLayered, 2 | TENON_TEXELS_CUBE | TENON_TEXELS_LAYERED, TENON_CUBE_LAYERS, x, y, 0, face, int x,
              int y, int face)
#undef TENON_SURFACE
#undef TENON_1D
#undef TENON_2D
#undef TENON_3D
#undef TENON_1D_LAYERS
#undef TENON_2D_LAYERS
#undef TENON_CUBE_MAP
#undef TENON_CUBE_LAYERS

#endif
#endif
