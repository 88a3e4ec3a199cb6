// backend/cuda/kernels/copy/array.cu: strided copy with conversion, fill and scaling, compiled by NVRTC on first use,
// one instance per combination of parameters. copy.cpp chooses the kernel and documents what each may assume.
namespace tenon {

using namespace work;

// ---- Vectors: several elements moved by one instruction ----

template <int Bytes> struct Word;
template <> struct Word<1> {
  using type = u8;
};
template <> struct Word<2> {
  using type = u16;
};
template <> struct Word<4> {
  using type = u32;
};
template <> struct Word<8> {
  using type = uint2;
};
template <> struct Word<16> {
  using type = uint4;
};

template <class T, int N> struct alignas(sizeof(T) * N) Pack {
  T v[N];
};

template <class T, int N> __device__ inline Pack<T, N> load(const void* p) {
  using W = typename Word<sizeof(T) * N>::type;
  W w = *static_cast<const W*>(p);
  Pack<T, N> out;
  memcpy(&out, &w, sizeof(w));
  return out;
}

template <class T, int N> __device__ inline void store(void* p, const Pack<T, N>& x) {
  using W = typename Word<sizeof(T) * N>::type;
  W w;
  memcpy(&w, &x, sizeof(w));
  *static_cast<W*>(p) = w;
}

// ---- Strided loops ----

__device__ inline u32 quotient(u32 n, const Axis& axis) { return u32((u64(n) * axis.magic) >> axis.shift); }

// Adds the offsets of index i over axes [first, rank) of the list.
template <int Rank> __device__ inline void locate(u32 i, const Axis* axes, u32 rank, u32 first, i64& to, i64& from) {
  if constexpr (Rank > 0) {
#pragma unroll
    for (u32 d = first; d < Rank; d++) {
      u32 q = d + 1 < Rank ? quotient(i, axes[d]) : 0;
      u32 c = i - q * axes[d].extent;
      to += c * axes[d].to;
      from += c * axes[d].from;
      i = q;
    }
  } else {
    for (u32 d = first; d < rank; d++) {
      u32 q = quotient(i, axes[d]);
      u32 c = i - q * axes[d].extent;
      to += c * axes[d].to;
      from += c * axes[d].from;
      i = q;
    }
  }
}

enum : int { kPerThread = 4 };

// One element after another along the destination's innermost axis; stores V elements at once (the destination is then
// contiguous and aligned there).
template <class To, class From, int V, int Rank> __global__ void __launch_bounds__(kThreads)
    elements(const __grid_constant__ Loop<Rank> p) {
  Pack<From, V> x[kPerThread];
  i64 to[kPerThread];
  u32 room[kPerThread];
  u32 first = blockIdx.x * (kThreads * kPerThread) + threadIdx.x;
#pragma unroll
  for (int k = 0; k < kPerThread; k++) {
    u32 i = first + k * kThreads;
    room[k] = 0;
    if (i >= p.count) continue;
    i64 from = 0;
    to[k] = 0;
    locate<Rank>(i, p.axes, p.rank, 0, to[k], from);
    room[k] = V;
    if constexpr (V == 1) {
      x[k] = load<From, 1>(p.from + from);
    } else {
      u32 row = Rank == 1 ? 0 : quotient(i, p.axes[0]);
      u32 left = p.inner - (i - row * p.axes[0].extent) * V;
      if (left < V) room[k] = left;
      if (p.vector_load && left >= V) {
        x[k] = load<From, V>(p.from + from);
      } else {
#pragma unroll
        for (int j = 0; j < V; j++)
          if (j < left) x[k].v[j] = load<From, 1>(p.from + from + j * p.step).v[0];
      }
    }
  }
#pragma unroll
  for (int k = 0; k < kPerThread; k++) {
    if (room[k] == 0) continue;
    Pack<To, V> y;
#pragma unroll
    for (int j = 0; j < V; j++) y.v[j] = Convert<To, From>::of(x[k].v[j]);
    if (room[k] == V) {
      store<To, V>(p.to + to[k], y);
    } else {
#pragma unroll
      for (int j = 0; j < V; j++)
        if (j < room[k]) store<To, 1>(p.to + to[k] + j * sizeof(To), Pack<To, 1>{y.v[j]});
    }
  }
}

// Sets every element to `value`.
template <class T, int V, int Rank> __global__ void __launch_bounds__(kThreads)
    fill(const __grid_constant__ Loop<Rank> p, const __grid_constant__ T value) {
  Pack<T, V> y;
#pragma unroll
  for (int j = 0; j < V; j++) y.v[j] = value;
  u32 first = blockIdx.x * (kThreads * kPerThread) + threadIdx.x;
#pragma unroll
  for (int k = 0; k < kPerThread; k++) {
    u32 i = first + k * kThreads;
    if (i >= p.count) continue;
    i64 to = 0, from = 0;
    locate<Rank>(i, p.axes, p.rank, 0, to, from);
    u32 left = V;
    if constexpr (V > 1) {
      u32 row = Rank == 1 ? 0 : quotient(i, p.axes[0]);
      left = p.inner - (i - row * p.axes[0].extent) * V;
    }
    if (left >= V) {
      store<T, V>(p.to + to, y);
    } else {
      for (u32 j = 0; j < left; j++) store<T, 1>(p.to + to + j * sizeof(T), Pack<T, 1>{value});
    }
  }
}

// Multiplies complex numbers by a real factor, in place.
template <class R, int V, int Rank> __global__ void __launch_bounds__(kThreads)
    scale(const __grid_constant__ Loop<Rank> p, const double factor) {
  using T = complex<R>;
  Pack<T, V> x[kPerThread];
  i64 to[kPerThread];
  u32 room[kPerThread];
  R f = R(factor);
  u32 first = blockIdx.x * (kThreads * kPerThread) + threadIdx.x;
#pragma unroll
  for (int k = 0; k < kPerThread; k++) {
    u32 i = first + k * kThreads;
    room[k] = 0;
    if (i >= p.count) continue;
    i64 from = 0;
    to[k] = 0;
    locate<Rank>(i, p.axes, p.rank, 0, to[k], from);
    room[k] = V;
    if constexpr (V > 1) {
      u32 row = Rank == 1 ? 0 : quotient(i, p.axes[0]);
      u32 left = p.inner - (i - row * p.axes[0].extent) * V;
      if (left < V) room[k] = left;
    }
    if (room[k] == V) {
      x[k] = load<T, V>(p.to + to[k]);
    } else {
      x[k].v[0] = load<T, 1>(p.to + to[k]).v[0];  // V is at most 2
    }
  }
#pragma unroll
  for (int k = 0; k < kPerThread; k++) {
    if (room[k] == 0) continue;
#pragma unroll
    for (int j = 0; j < V; j++) {
      x[k].v[j].re *= f;
      x[k].v[j].im *= f;
    }
    if (room[k] == V) {
      store<T, V>(p.to + to[k], x[k]);
    } else {
      store<T, 1>(p.to + to[k], Pack<T, 1>{x[k].v[0]});
    }
  }
}

// ---- Rows of bytes, contiguous on both sides, with any alignment ----

// Loads 16 bytes from any address; the aligned 16-byte blocks that contain them must be readable.
__device__ inline uint4 load_shifted(const char* p) {
  u32 shift = u32(u64(p)) & 15;
  const uint4* aligned = reinterpret_cast<const uint4*>(p - shift);
  uint4 a = aligned[0];
  if (shift == 0) return a;
  uint4 b = aligned[1];
  u32 w[8] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
  if (shift & 8) {
#pragma unroll
    for (int i = 0; i < 6; i++) w[i] = w[i + 2];
  }
  if (shift & 4) {
#pragma unroll
    for (int i = 0; i < 5; i++) w[i] = w[i + 1];
  }
  u32 bits = 8 * (shift & 3);
  return {__funnelshift_r(w[0], w[1], bits), __funnelshift_r(w[1], w[2], bits), __funnelshift_r(w[2], w[3], bits),
          __funnelshift_r(w[3], w[4], bits)};
}

// Writes bytes [begin, end) of x to the same positions of the aligned 16 bytes at p, in pieces as large as alignment
// allows.
__device__ inline void store_part(char* p, uint4 x, u32 begin, u32 end) {
  u64 low = u64(x.y) << 32 | x.x, high = u64(x.w) << 32 | x.z;
  u32 at = begin;
#pragma unroll
  for (u32 size = 1; size <= 8; size *= 2) {  // up to the next larger alignment
    if ((at & size) == 0 || at + size > end) continue;
    u64 bits = (at < 8 ? low : high) >> (8 * (at & 7));
    if (size == 1) *reinterpret_cast<u8*>(p + at) = u8(bits);
    if (size == 2) *reinterpret_cast<u16*>(p + at) = u16(bits);
    if (size == 4) *reinterpret_cast<u32*>(p + at) = u32(bits);
    if (size == 8) *reinterpret_cast<u64*>(p + at) = bits;
    at += size;
  }
#pragma unroll
  for (u32 size = 8; size >= 1; size /= 2) {  // and down to the end
    if ((at & (size - 1)) != 0 || at + size > end) continue;
    u64 bits = (at < 8 ? low : high) >> (8 * (at & 7));
    if (size == 1) *reinterpret_cast<u8*>(p + at) = u8(bits);
    if (size == 2) *reinterpret_cast<u16*>(p + at) = u16(bits);
    if (size == 4) *reinterpret_cast<u32*>(p + at) = u32(bits);
    if (size == 8) *reinterpret_cast<u64*>(p + at) = bits;
    at += size;
  }
}

__global__ void __launch_bounds__(kThreads) rows(const __grid_constant__ Rows p) {
  u32 i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= p.count) return;
  u32 row = quotient(i, p.chunks);
  u32 chunk = i - row * p.chunks.extent;
  i64 to_offset = 0, from_offset = 0;
  locate<0>(row, p.axes, p.rank, 0, to_offset, from_offset);
  char* to = p.to + to_offset;
  const char* from = p.from + from_offset;
  u32 shift = u32(u64(to)) & 15;
  char* place = to - shift + u64(chunk) * 16;  // 16 aligned bytes that contain a part of the row
  i64 first = place - to;                      // their offset in the row: negative before its start
  i64 left = i64(p.bytes) - first;
  if (left <= 0) return;
  u32 begin = chunk == 0 ? shift : 0;
  u32 end = left < 16 ? u32(left) : 16;
  if (begin >= end) return;
  const char* source = from + first;
  const char* aligned = source - (u64(source) & 15);
  if (aligned >= p.low && aligned + 32 <= p.high) {
    uint4 x = load_shifted(source);
    if (end - begin == 16) *reinterpret_cast<uint4*>(place) = x;
    else store_part(place, x, begin, end);
  } else {
    for (u32 b = begin; b < end; b++) place[b] = source[b];
  }
}

// ---- Transposition: consecutive elements run along y in the source, along x in the destination ----

enum : u32 { kGroup = 32 };  // tiles along y before the next x: a square of tiles is processed at a time

// The work of a block: its tile's corner, the size of the matrix from there on, and the addresses of the batch's
// matrix.
struct Corner {
  char* to;
  const char* from;
  u32 x0, y0, nx, ny;
};

template <int TX, int TY> __device__ inline Corner find_tile(const Tiles& p) {
  u32 batch = p.rank ? quotient(blockIdx.x, p.plane) : 0;
  u32 tile = blockIdx.x - batch * p.plane.extent;
  i64 to_offset = 0, from_offset = 0;
  locate<0>(batch, p.axes, p.rank, 0, to_offset, from_offset);
  u32 group = tile / (kGroup * p.tiles_x);
  u32 rest = tile - group * (kGroup * p.tiles_x);
  u32 height = p.tiles_y - group * kGroup;
  if (height > kGroup) height = kGroup;
  u32 tile_x = rest / height;
  u32 tile_y = group * kGroup + (rest - tile_x * height);
  u32 x0 = tile_x * TX, y0 = tile_y * TY;
  return {p.to + to_offset, p.from + from_offset, x0, y0, p.nx - x0, p.ny - y0};
}

template <bool Nested> __device__ inline i64 source_of(const Tiles& p, u32 x) {
  if constexpr (!Nested) return x * p.from_x;
  i64 ignored = 0, offset = 0;
  locate<0>(x, p.x, p.rank_x, 0, ignored, offset);
  return offset;
}

template <bool Nested> __device__ inline i64 target_of(const Tiles& p, u32 y) {
  if constexpr (!Nested) return y * p.to_y;
  i64 offset = 0, ignored = 0;
  locate<0>(y, p.y, p.rank_y, 0, offset, ignored);
  return offset;
}

// Columns [4 c, 4 c + 4) of K x K one-byte elements, or [2 c, 2 c + 2) of two-byte elements, as rows: by permuting the
// bytes of words.
template <class T, int K> __device__ inline void turn_words(const Pack<T, K>* in, Pack<T, K>* out, int c) {
  constexpr int kWords = K * sizeof(T) / 4, kIn = 4 / sizeof(T);
  u32 x[K], y[kIn][kWords];
#pragma unroll
  for (int i = 0; i < K; i++) {
    u32 row[kWords];
    memcpy(row, &in[i], sizeof(row));
    x[i] = row[c];
  }
#pragma unroll
  for (int w = 0; w < kWords; w++) {
    if constexpr (sizeof(T) == 2) {
      y[0][w] = __byte_perm(x[2 * w], x[2 * w + 1], 0x5410);
      y[1][w] = __byte_perm(x[2 * w], x[2 * w + 1], 0x7632);
    } else {
      u32 a = __byte_perm(x[4 * w], x[4 * w + 1], 0x5140), b = __byte_perm(x[4 * w + 2], x[4 * w + 3], 0x5140);
      u32 c = __byte_perm(x[4 * w], x[4 * w + 1], 0x7362), d = __byte_perm(x[4 * w + 2], x[4 * w + 3], 0x7362);
      y[0][w] = __byte_perm(a, b, 0x5410);
      y[1][w] = __byte_perm(a, b, 0x7632);
      y[2][w] = __byte_perm(c, d, 0x5410);
      y[3][w] = __byte_perm(c, d, 0x7632);
    }
  }
#pragma unroll
  for (int j = 0; j < kIn; j++) memcpy(&out[j], y[j], sizeof(y[j]));
}

// Blocks per multiprocessor: enough that some read while others write.
template <int Bytes, int K> constexpr int kTileBlocks = Bytes == 1 && K == 16  ? 3
                                                        : Bytes == 2 && K == 8 ? 4
                                                        : Bytes == 4 && K == 4 ? 6
                                                        : Bytes == 8 && K == 2 ? 8
                                                        : K == 1               ? 4
                                                                               : 1;

extern __shared__ __align__(16) char tile_memory[];  // TY * (TX * sizeof(To) + padding), see copy.cpp

// Moves TX x TY elements through shared memory. A thread reads K x K elements, K along y at once, transposes them in
// registers, and writes K along x at once. K > 1: both runs are contiguous and aligned. Row r of shared memory holds y
// = (r % BY) * K + r / BY; with the padding, neither side of the exchange has bank conflicts.
template <class To, class From, int K, int TX, int TY, bool Nested>
__global__ void __launch_bounds__(kThreads, kTileBlocks<sizeof(To) == sizeof(From) ? int(sizeof(To)) : 0, K>)
    tiles(const __grid_constant__ Tiles p) {
  constexpr int BX = TX / K, BY = TY / K;
  constexpr int kUnits = BX * BY / kThreads;
  constexpr int kPack = sizeof(To) * K;
  constexpr int kPad = kPack < 4 ? 4 : kPack;
  constexpr int kPitch = BX * kPack + kPad;
  static_assert(kUnits * kThreads == BX * BY, "whole units");
  Corner at = find_tile<TX, TY>(p);
  if (at.nx < TX || at.ny < TY) {  // at the edges: one element at a time
#pragma unroll 4
    for (u32 index = threadIdx.x; index < TX * TY; index += kThreads) {
      u32 y = index % TY, x = index / TY;
      if (x >= at.nx || y >= at.ny) continue;
      Pack<From, 1> in = load<From, 1>(at.from + source_of<Nested>(p, at.x0 + x) + (at.y0 + y) * p.from_y);
      store<To, 1>(tile_memory + (y % K * BY + y / K) * kPitch + x * sizeof(To),
                   Pack<To, 1>{Convert<To, From>::of(in.v[0])});
    }
    __syncthreads();
#pragma unroll 4
    for (u32 index = threadIdx.x; index < TX * TY; index += kThreads) {
      u32 x = index % TX, y = index / TX;
      if (x >= at.nx || y >= at.ny) continue;
      store<To, 1>(at.to + (at.x0 + x) * p.to_x + target_of<Nested>(p, at.y0 + y),
                   load<To, 1>(tile_memory + (y % K * BY + y / K) * kPitch + x * sizeof(To)));
    }
    return;
  }

  constexpr int kAtOnce = K > 1 || kUnits < 16 ? kUnits : 16;  // there are few whole packs
#pragma unroll 1
  for (int first = 0; first < kUnits; first += kAtOnce) {
    Pack<From, K> in[kAtOnce][K];
#pragma unroll
    for (int unit = 0; unit < kAtOnce; unit++) {
      u32 index = threadIdx.x + (first + unit) * kThreads;
      u32 y = index % BY * K, x = index / BY * K;
#pragma unroll
      for (int i = 0; i < K; i++)
        in[unit][i] = load<From, K>(at.from + source_of<Nested>(p, at.x0 + x + i) + (at.y0 + y) * p.from_y);
    }
#pragma unroll
    for (int unit = 0; unit < kAtOnce; unit++) {
      u32 index = threadIdx.x + (first + unit) * kThreads;
      u32 by = index % BY, bx = index / BY;
      char* place = tile_memory + by * kPitch + bx * kPack;
      if constexpr (K >= 4 && sizeof(To) <= 2 && Same<To, From>::value) {
        constexpr int kStep = 4 / sizeof(To);
#pragma unroll
        for (int c = 0; c < K / kStep; c++) {
          Pack<To, K> out[kStep];
          turn_words<To, K>(in[unit], out, c);
#pragma unroll
          for (int j = 0; j < kStep; j++) store<To, K>(place + (c * kStep + j) * BY * kPitch, out[j]);
        }
      } else {
#pragma unroll
        for (int j = 0; j < K; j++) {
          Pack<To, K> out;
#pragma unroll
          for (int i = 0; i < K; i++) out.v[i] = Convert<To, From>::of(in[unit][i].v[j]);
          store<To, K>(place + j * BY * kPitch, out);
        }
      }
    }
  }
  __syncthreads();
#pragma unroll 8
  for (int unit = 0; unit < kUnits * K; unit++) {
    u32 index = threadIdx.x + unit * kThreads;
    u32 x = index % BX * K, y = index / BX;
    store<To, K>(at.to + (at.x0 + x) * p.to_x + target_of<Nested>(p, at.y0 + y),
                 load<To, K>(tile_memory + (y % K * BY + y / K) * kPitch + index % BX * kPack));
  }
}

// Like tiles with K == 1, for a contiguous destination whose rows may begin anywhere: each row is written from the
// sector boundary (32 bytes) before its place in the tile on, so that no sector is written in two parts. That takes S
// more columns.
template <class To, class From, int TX, int TY, bool Nested> __global__ void __launch_bounds__(kThreads, 4)
    shifted_tiles(const __grid_constant__ Tiles p) {
  constexpr int S = 32 / sizeof(To), kColumns = TX + S;
  constexpr int kUnits = kColumns * TY / kThreads, kAtOnce = kUnits <= 24 ? kUnits : kUnits % 18 == 0 ? 18 : 16;
  constexpr int kPitch = kColumns * sizeof(To) + (sizeof(To) < 4 ? 4 : sizeof(To));
  static_assert(kUnits * kThreads == kColumns * TY && kUnits % kAtOnce == 0, "whole units");
  Corner at = find_tile<TX, TY>(p);
#pragma unroll 1
  for (int first = 0; first < kUnits; first += kAtOnce) {
    Pack<From, 1> in[kAtOnce];
#pragma unroll
    for (int unit = 0; unit < kAtOnce; unit++) {
      u32 index = threadIdx.x + (first + unit) * kThreads;
      u32 y = index % TY, column = at.x0 + index / TY;  // column - S is x
      if (column >= S && column - S < p.nx && y < at.ny)
        in[unit] = load<From, 1>(at.from + source_of<Nested>(p, column - S) + (at.y0 + y) * p.from_y);
    }
#pragma unroll
    for (int unit = 0; unit < kAtOnce; unit++) {
      u32 index = threadIdx.x + (first + unit) * kThreads;
      store<To, 1>(tile_memory + index % TY * kPitch + index / TY * sizeof(To),
                   Pack<To, 1>{Convert<To, From>::of(in[unit].v[0])});
    }
  }
  __syncthreads();
#pragma unroll 4
  for (int unit = 0; unit < TX * TY / kThreads; unit++) {
    u32 index = threadIdx.x + unit * kThreads;
    u32 x = index % TX, y = index / TX;
    if (y >= at.ny) continue;
    char* row = at.to + target_of<Nested>(p, at.y0 + y);
    u32 shift = u32(u64(row) / sizeof(To)) % S;  // start of the row after a boundary; tiles start at boundaries
    u32 column = at.x0 + x + S - shift;          // column - S is x
    if (column < S || column - S >= p.nx) continue;
    Pack<To, 1> out = load<To, 1>(tile_memory + y * kPitch + (x + S - shift) * sizeof(To));
    store<To, 1>(row + u64(column - S) * sizeof(To), out);
  }
}

// ---- Pixels of C small elements, and planes ----

// A block moves 4096 bytes of each plane. Shared memory holds the pixels, with one word skipped after every 32: reads
// of a plane, C elements apart, then have few bank conflicts.
__device__ inline u32 padded(u32 byte) { return byte + (byte >> 7) * 4; }

// The start of a block; returns its number of pixels.
template <class T, int C> __device__ inline u32 start_chunk(const Planes& p, bool split, char*& to, const char*& from) {
  u32 run = quotient(blockIdx.x, p.chunks);
  u32 first = (blockIdx.x - run * p.chunks.extent) * (4096 / sizeof(T));
  i64 to_offset = 0, from_offset = 0;
  locate<0>(run, p.axes, p.rank, 0, to_offset, from_offset);
  to = p.to + to_offset + u64(first) * (split ? sizeof(T) : C * sizeof(T));
  from = p.from + from_offset + u64(first) * (split ? C * sizeof(T) : sizeof(T));
  u32 left = p.count - first;
  return left < 4096 / sizeof(T) ? left : 4096 / sizeof(T);
}

// Pixels to planes.
template <class T, int C> __global__ void __launch_bounds__(kThreads) split(const __grid_constant__ Planes p) {
  constexpr int V = 4 / sizeof(T);
  __shared__ __align__(16) char shared[C * (4096 + 128)];
  char* to;
  const char* from;
  u32 count = start_chunk<T, C>(p, true, to, from), bytes = count * C * sizeof(T);
  Pack<u32, 4> in[C];
#pragma unroll
  for (int i = 0; i < C; i++) {
    u32 at = (i * kThreads + threadIdx.x) * 16;
    if (p.wide && at + 16 <= bytes) {
      in[i] = load<u32, 4>(from + at);
    } else {
      Pack<T, 16 / sizeof(T)> parts;
#pragma unroll
      for (int j = 0; j < 16 / sizeof(T); j++)
        if (at + j * sizeof(T) < bytes) parts.v[j] = load<T, 1>(from + at + j * sizeof(T)).v[0];
      memcpy(&in[i], &parts, 16);
    }
  }
#pragma unroll
  for (int i = 0; i < C; i++)
#pragma unroll
    for (int j = 0; j < 4; j++)
      store<u32, 1>(shared + padded((i * kThreads + threadIdx.x) * 16 + j * 4), Pack<u32, 1>{in[i].v[j]});
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 4 * C; i++) {
    u32 x = (i % 4 * kThreads + threadIdx.x) * V, y = i / 4;
    if (x >= count) continue;
    Pack<T, V> out;
#pragma unroll
    for (int j = 0; j < V; j++) out.v[j] = load<T, 1>(shared + padded(((x + j) * C + y) * sizeof(T))).v[0];
    char* place = to + y * p.step + x * sizeof(T);
    if (p.words && x + V <= count) {
      store<T, V>(place, out);
    } else {
#pragma unroll
      for (int j = 0; j < V; j++)
        if (x + j < count) store<T, 1>(place + j * sizeof(T), Pack<T, 1>{out.v[j]});
    }
  }
}

// Planes to pixels.
template <class T, int C> __global__ void __launch_bounds__(kThreads) join(const __grid_constant__ Planes p) {
  constexpr int V = 4 / sizeof(T);
  __shared__ __align__(16) char shared[C * (4096 + 128)];
  char* to;
  const char* from;
  u32 count = start_chunk<T, C>(p, false, to, from), bytes = count * C * sizeof(T);
  Pack<T, V> in[4 * C];
#pragma unroll
  for (int i = 0; i < 4 * C; i++) {
    u32 x = (i % 4 * kThreads + threadIdx.x) * V, y = i / 4;
    const char* place = from + y * p.step + x * sizeof(T);
    if (p.words && x + V <= count) {
      in[i] = load<T, V>(place);
    } else {
#pragma unroll
      for (int j = 0; j < V; j++)
        if (x + j < count) in[i].v[j] = load<T, 1>(place + j * sizeof(T)).v[0];
    }
  }
#pragma unroll
  for (int i = 0; i < 4 * C; i++) {
    u32 x = (i % 4 * kThreads + threadIdx.x) * V, y = i / 4;
#pragma unroll
    for (int j = 0; j < V; j++) store<T, 1>(shared + padded(((x + j) * C + y) * sizeof(T)), Pack<T, 1>{in[i].v[j]});
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < C; i++) {
    u32 at = (i * kThreads + threadIdx.x) * 16;
    if (at >= bytes) continue;
    Pack<u32, 4> out;
#pragma unroll
    for (int j = 0; j < 4; j++) out.v[j] = load<u32, 1>(shared + padded(at + j * 4)).v[0];
    if (p.wide && at + 16 <= bytes) {
      store<u32, 4>(to + at, out);
    } else {
      Pack<T, 16 / sizeof(T)> parts;
      memcpy(&parts, &out, 16);
#pragma unroll
      for (int j = 0; j < 16 / sizeof(T); j++)
        if (at + j * sizeof(T) < bytes) store<T, 1>(to + at + j * sizeof(T), Pack<T, 1>{parts.v[j]});
    }
  }
}

}  // namespace tenon
