// Random programs against the C API: bytes become calls on handles that are live, stale, of the wrong kind or NULL,
// with extents and strides from everyday to absurd, and DLPack tensors with each field wrong in turn. Nothing may
// crash, leak, or run a deleter other than once. With libFuzzer: clang++ -fsanitize=fuzzer,address,undefined
// -DTENON_FUZZER ...; without it, the test below feeds a fixed number of seeded random programs.
#include <tenon/tenon.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <random>
#include <vector>

#include "arguments.hpp"

namespace {

using test::into;
using test::number;

// Whole bytes from lanes smaller than a byte: torch's FP4 in pairs, FP6 in fours.
constexpr uint32_t kFloat4x2 = TENON_DTYPE(17, 4, 2), kFloat6x4 = TENON_DTYPE(15, 6, 4);

struct Tensor {
  void* data;
  int32_t type, id, ndim;
  uint8_t code, bits;
  uint16_t lanes;
  int64_t* shape;
  int64_t* strides;
  uint64_t offset;
};
struct Legacy {
  Tensor tensor;
  void* manager;
  void (*deleter)(Legacy*);
};
struct Versioned {
  uint32_t major, minor;
  void* manager;
  void (*deleter)(Versioned*);
  uint64_t flags;
  Tensor tensor;
};

[[noreturn]] void broken(const char* what) {
  std::fprintf(stderr, "promise broken: %s (last error: %s)\n", what, tenon_error_last_message());
  std::abort();
}

// The state to which a fuzzed tensor's deleter reports.
struct Producer {
  double memory[64];
  int64_t shape[8], strides[8];
  int deleted = 0;
  bool consumed = false;
  union {
    Legacy legacy;
    Versioned versioned;
  };
  Producer() : memory{}, shape{}, strides{}, versioned{} {}
};

class Program {
 public:
  Program(const uint8_t* data, size_t size) : data_(data), size_(size) {
    if (tenon_context_device(nullptr, "cpu:0", &device_)) broken("the CPU device is always there");
    for (int i = 0; i < 3; ++i) {
      const int64_t shape[] = {4, 3 + i};
      tenon_array* a = nullptr;
      if (tenon_array_zeros(device_, i == 2 ? TENON_COMPLEX64 : TENON_FLOAT32, 2, shape, nullptr, &a))
        broken("a small array");
      live_.push_back(a);
    }
  }
  ~Program() {
    for (tenon_array* a : live_) tenon_array_release(a);
    tenon_device_release(device_);
    for (Producer* p : producers_) {
      if (p->consumed && p->deleted != 1) broken("the deleter of a consumed tensor did not run once");
      if (!p->consumed && p->deleted != 0) broken("the deleter of a refused tensor ran");
      delete p;
    }
  }
  void run() {
    for (int step = 0; step < 40 && size_ > 0; ++step) call(byte() % 22);
  }

 private:
  uint8_t byte() { return size_ ? (--size_, *data_++) : 0; }
  int64_t extent() {
    static constexpr int64_t odd[] = {-1, INT64_MIN, INT64_MAX, int64_t(1) << 32, int64_t(1) << 62, 1000003, -7, 0};
    const uint8_t b = byte();
    return b < 240 ? b % 6 : odd[b % 8];
  }
  uint32_t dtype() {
    static constexpr uint32_t list[] = {TENON_BOOL,
                                        TENON_INT8,
                                        TENON_INT32,
                                        TENON_INT64,
                                        TENON_UINT16,
                                        TENON_FLOAT16,
                                        TENON_BFLOAT16,
                                        TENON_FLOAT32,
                                        TENON_FLOAT64,
                                        TENON_COMPLEX64,
                                        TENON_COMPLEX128,
                                        TENON_FLOAT4_E2M1FN,
                                        TENON_FLOAT8_E5M2,
                                        TENON_DTYPE(2, 32, 3),
                                        kFloat4x2,
                                        kFloat6x4,
                                        0,
                                        0xffffffff};
    return list[byte() % std::size(list)];
  }
  const tenon_array* any() {
    const uint8_t b = byte();
    if (b == 255) return nullptr;
    if (b == 254) return reinterpret_cast<const tenon_array*>(device_);
    if (b == 253 && !stale_.empty()) return stale_[byte() % stale_.size()];
    return live_[b % live_.size()];
  }
  tenon_array* writable() { return const_cast<tenon_array*>(any()); }
  void keep(int32_t status, tenon_array*& out) {  // by reference: it is read after the call that sets it
    if ((status == TENON_OK) != (out != nullptr)) broken("an output handle is set exactly on success");
    if (status != TENON_OK && !*tenon_error_last_message()) broken("a failure without a text");
    if (!out) return;
    if (live_.size() > 40) tenon_array_release(out);
    else live_.push_back(out);
  }
  void check(const tenon_array* a) {
    tenon_array_info i{};
    i.struct_size = sizeof(i);
    if (tenon_array_get_info(a, &i)) return;
    if (i.bytes > 1 << 16) return;
    std::vector<unsigned char> host(i.bytes + 1);
    if (tenon_array_to_host(a, host.data(), i.bytes, nullptr) && i.rank >= 0 && !(i.flags & 0x100)) {
      // Packed types with strides are refused by name; all others are readable.
      uint32_t bits = 0;
      tenon_dtype_bits(i.dtype, &bits);
      if (bits % 8 == 0) broken("an array that cannot be read");
    }
  }
  void import() {
    auto* p = new Producer;
    producers_.push_back(p);
    const bool legacy = byte() & 1;
    Tensor t{};
    t.ndim = byte() % 4;
    int64_t size = 1;
    for (int i = 0; i < t.ndim; ++i) size *= p->shape[i] = byte() % 4;
    for (int i = t.ndim; i-- > 0;)
      p->strides[i] = i + 1 == t.ndim ? 1 : p->strides[i + 1] * (p->shape[i + 1] ? p->shape[i + 1] : 1);
    t.data = p->memory;
    t.type = 1;
    t.code = 2;
    t.bits = 32;
    t.lanes = 1;
    t.shape = p->shape;
    t.strides = byte() & 1 ? p->strides : nullptr;
    switch (byte() % 24) {  // one field wrong, most of the time
      case 0: t.ndim = byte() & 1 ? -1 : 1000; break;
      case 1: t.shape = nullptr; break;
      case 2: t.data = nullptr; break;
      case 3: t.type = byte(); break;
      case 4: t.id = extent() & 0xffff; break;
      case 5: t.code = byte(); break;
      case 6: t.bits = byte(); break;
      case 7: t.lanes = byte() * 257; break;
      case 8: t.offset = uint64_t(extent()); break;
      case 9: p->shape[0] = INT64_MIN; break;
      case 10: p->shape[0] = p->shape[1] = int64_t(1) << 40; break;
      case 11: t.data = reinterpret_cast<char*>(p->memory) + 1; break;
      case 12:
        t.strides = p->strides;
        p->strides[0] = INT64_MIN;
        break;
      case 13:
        t.strides = p->strides;
        p->strides[0] = INT64_MAX;
        p->shape[0] = 3;
        break;
      default: break;
    }
    const bool can_read = t.type == 1 && t.data && t.bits == 32 && t.lanes == 1 && t.offset == 0 && size <= 64;
    tenon_array* out = nullptr;
    int32_t status;
    if (legacy) {
      p->legacy = {t, p, [](Legacy* self) { static_cast<Producer*>(self->manager)->deleted++; }};
      status =
          tenon_array_from_dlpack(nullptr, reinterpret_cast<DLManagedTensor*>(&p->legacy), byte() % 2, nullptr, &out);
    } else {
      p->versioned = {byte() % 8 ? 1u : byte(),
                      byte(),
                      p,
                      [](Versioned* self) { static_cast<Producer*>(self->manager)->deleted++; },
                      uint64_t(byte() % 8),
                      t};
      status = tenon_array_from_dlpack_versioned(nullptr, reinterpret_cast<DLManagedTensorVersioned*>(&p->versioned),
                                                 nullptr, &out);
    }
    p->consumed = status == TENON_OK;
    if ((status == TENON_OK) != (out != nullptr)) broken("an output handle is set exactly on success");
    // Absurd but self-consistent tensors are accepted without accessing the memory; only those that fit are read.
    bool fits = can_read && status == TENON_OK;
    tenon_array_info i{};
    i.struct_size = sizeof(i);
    if (fits && !tenon_array_get_info(out, &i)) {
      const char* first = static_cast<const char*>(i.data);
      const char* begin = reinterpret_cast<const char*>(p->memory);
      __int128 low = 0, high = 0;
      for (int k = 0; k < i.rank; ++k) (i.strides[k] < 0 ? low : high) += __int128(i.shape[k] - 1) * i.strides[k];
      fits = i.size == 0 ||
             (first - begin + low * 4 >= 0 && first - begin + (high + 1) * 4 <= __int128(sizeof(p->memory)));
    }
    if (fits) keep(status, out);
    else tenon_array_release(out);
  }
  void call(int which) {
    tenon_array* out = nullptr;
    int64_t a[8], b[8], c[8];
    int32_t axes[8];
    const int32_t rank = int32_t(byte() % 6) - (byte() == 255);
    for (int i = 0; i < 8; ++i) {
      a[i] = extent();
      b[i] = byte() % 8 ? extent() : INT64_MIN;
      c[i] = int64_t(byte() % 7) - 3;
      axes[i] = int32_t(byte() % 10) - 5;
    }
    switch (which) {
      case 0: {
        // Small, or so large that it must be refused; sizes in between would only take time.
        bool large = false, huge = false;
        for (int i = 0; i < rank; ++i) large |= a[i] > 5, huge |= a[i] < 0 || a[i] >= int64_t(1) << 62;
        if (!large || huge) keep(tenon_array_zeros(device_, dtype(), rank, a, nullptr, &out), out);
        break;
      }
      case 1: keep(tenon_array_reshape(any(), rank, a, &out), out); break;
      case 2: keep(tenon_array_transpose(any(), rank, byte() % 3 ? axes : nullptr, &out), out); break;
      case 3:
        keep(tenon_array_slice(any(), rank, a, byte() % 2 ? b : nullptr, byte() % 2 ? c : nullptr, &out), out);
        break;
      case 4: keep(tenon_array_index(any(), axes[0], a[0], &out), out); break;
      case 5: {
        int64_t size = 1;
        for (int i = 0; i < rank; ++i) size = a[i] < 0 || a[i] > 8 ? 0 : size * a[i];
        if (size < 5000) keep(tenon_array_broadcast(any(), rank, a, &out), out);
        break;
      }
      case 6: keep(tenon_array_view(any(), dtype(), &out), out); break;
      case 7: tenon_array_copy(writable(), any(), nullptr); break;
      case 8: tenon_array_fill(writable(), number(double(c[0]), double(c[1])), nullptr); break;
      case 9:
        small([&](const tenon_array* x) { keep(tenon_array_convert(x, dtype(), nullptr, nullptr, &out), out); });
        break;
      case 10: small([&](const tenon_array* x) { check(x); }); break;
      case 11:
      case 12: import(); break;
      case 13: {
        DLManagedTensorVersioned* t = nullptr;
        small([&](const tenon_array* x) {
          if (!tenon_array_to_dlpack_versioned(x, byte() % 3, nullptr, &t)) {
            auto* v = reinterpret_cast<Versioned*>(t);
            v->deleter(v);
          }
        });
        break;
      }
      case 14:
        small([&](const tenon_array* x) {
          tenon_array *u = nullptr, *s = nullptr, *vh = nullptr;
          tenon_svd_options o{sizeof(o), int32_t(byte() % 4)};
          const int32_t status = tenon_svd(x, &o, nullptr, &u, &s, &vh);
          if (status && (u || s || vh)) broken("outputs after a failure");
          tenon_array_release(u);
          tenon_array_release(s);
          tenon_array_release(vh);
        });
        break;
      case 15: tenon_gemm(nullptr, any(), any(), nullptr, nullptr, nullptr, into(writable())); break;
      case 16:
        small([&](const tenon_array* x) {
          tenon_fft_options o{sizeof(o), int32_t(byte() % 3), int32_t(byte() % 4), 0, 0};
          tenon_fft(x, byte() % 2 ? axes : nullptr, rank, &o, nullptr, into(const_cast<tenon_array*>(x)));
        });
        break;
      case 17:
        if (live_.size() > 1) {
          const size_t i = byte() % live_.size();
          stale_.push_back(live_[i]);
          tenon_array_release(live_[i]);
          live_.erase(live_.begin() + long(i));
        }
        break;
      case 18:
        tenon_array_retain(const_cast<tenon_array*>(live_[0]));
        tenon_array_release(live_[0]);
        break;
      case 20:
        small([&](const tenon_array* x) {
          tenon_array* second = nullptr;
          const int what = byte() % 12;
          int32_t status = TENON_OK;
          bool two = false;
          switch (what) {
            case 0: {
              const tenon_qr_options o{sizeof o, int32_t(byte() % 2) * 2, {}};
              status = tenon_qr(x, &o, nullptr, &second, &out), two = !status && second;
              break;
            }
            case 1: status = tenon_lu(x, nullptr, nullptr, &out, &second), two = true; break;
            case 2: status = tenon_slogdet(x, nullptr, nullptr, &out, &second), two = true; break;
            case 3: status = tenon_eig(x, nullptr, nullptr, &out, nullptr, &second), two = true; break;
            case 4: {
              const tenon_eigh_options o{sizeof o, int32_t(byte() % 3), int64_t(byte() % 4) - 1,
                                         int64_t(byte() % 4) - 1};
              status = tenon_eigh(x, byte() % 2 ? &o : nullptr, nullptr, &out, &second), two = true;
              break;
            }
            case 5: status = tenon_inverse(x, nullptr, nullptr, &out); break;
            case 6: {
              const tenon_rank_options o{sizeof o, 0, double(byte()) / 64 - 1};
              status = tenon_pinv(x, &o, nullptr, &out);
              break;
            }
            case 7:
            case 8: {
              const tenon_norm_options o{sizeof o, int32_t(byte() % 9) - 1, {}};
              status = what == 7 ? tenon_norm(x, &o, nullptr, &out) : tenon_cond(x, &o, nullptr, &out);
              break;
            }
            case 9: status = tenon_matrix_power(x, int64_t(byte() % 9) - 4, nullptr, nullptr, &out); break;
            case 10: status = tenon_expm(x, nullptr, nullptr, &out); break;
            default: {
              const tenon_cholesky_options o{sizeof o, int32_t(byte() % 3), {}};
              status = tenon_cholesky(x, &o, nullptr, &out);
            }
          }
          if (two && (status == TENON_OK) != (second != nullptr)) broken("two outputs are set together");
          if (status && second) broken("outputs after a failure");
          tenon_array_release(second);
          keep(status, out);
        });
        break;
      case 21:
        small([&](const tenon_array* x) {
          small([&](const tenon_array* y) {
            static const char* const texts[] = {
                "ij,jk->ik", "ij,kj", "...,...->...", "ii,i", "i...,...i->...", "ij,jk->", "", ",", "a.b,c"};
            const tenon_solve_options o{sizeof o, int32_t(byte() % 6) - 1, int32_t(byte() % 5) - 1,
                                        int32_t(byte() % 3)};
            switch (byte() % 4) {
              case 0: keep(tenon_solve(x, y, &o, nullptr, &out), out); break;
              case 1: keep(tenon_lstsq(x, y, nullptr, nullptr, &out, nullptr, nullptr), out); break;
              case 2: {
                tenon_blas_options products{};
                products.struct_size = sizeof products;
                products.conjugate = byte() % 3;
                keep(tenon_dot(x, y, &products, nullptr, &out), out);
                break;
              }
              default: {
                const tenon_array* operands[] = {x, y, x};
                keep(tenon_einsum(texts[byte() % 9], operands, 1 + byte() % 3, nullptr, nullptr, &out), out);
              }
            }
          });
        });
        break;
      default:
        small([&](const tenon_array* x) {
          DLManagedTensor* t = nullptr;
          if (!tenon_array_to_dlpack(x, 0, nullptr, &t)) {
            tenon_array* back = nullptr;
            const int32_t status = tenon_array_from_dlpack(nullptr, t, 0, nullptr, &back);
            if (status) broken("what was exported cannot be imported");
            keep(status, back);
          }
        });
    }
    // A stale slot may be in use again for another handle; the old names are then forgotten.
    if (stale_.size() > 16) stale_.clear();
    if (which != 17) stale_.clear();
  }
  template <class F> void small(F&& body) {
    const tenon_array* x = any();
    tenon_array_info i{};
    i.struct_size = sizeof(i);
    if (!x || tenon_array_get_info(x, &i) || i.size <= 5000) body(x);
  }

  const uint8_t* data_;
  size_t size_;
  tenon_device* device_ = nullptr;
  std::vector<tenon_array*> live_, stale_;
  std::vector<Producer*> producers_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Program(data, size).run();
  return 0;
}

#ifndef TENON_FUZZER
#include <gtest/gtest.h>

TEST(Fuzz, seeded_random_programs_break_no_promise) {
  const char* count = std::getenv("TENON_FUZZ_RUNS");
  const int runs = count ? std::atoi(count) : 3000;
  std::vector<uint8_t> bytes(2000);
  for (int seed = 0; seed < runs; ++seed) {
    std::mt19937_64 random(static_cast<unsigned>(seed));
    for (uint8_t& b : bytes) b = uint8_t(random());
    SCOPED_TRACE(seed);
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  }
}
#endif
