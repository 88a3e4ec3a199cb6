// backend/cpu/run/jump.cpp: jumping ahead in the sequences of XORWOW and MRG32k3a.
//
// A step of either generator is linear: of XORWOW (G. Marsaglia, "Xorshift RNGs", J. Stat. Software 8 (14), 2003) over
// the field of two elements, of MRG32k3a (P. L'Ecuyer, Operations Research 47 (1), 1999) modulo a prime. n steps of
// XORWOW are a polynomial of the step: x^n modulo its minimal polynomial (H. Haramoto et al., INFORMS J. Computing 20
// (3), 2008); n steps of MRG32k3a are the power n of a 3 x 3 matrix. Powers of two are kept; nothing is tabulated.
#include "backend/cpu/run/jump.hpp"
#include <array>
#include <cstddef>
#include <cstdint>
#include "backend/cpu/shim/language/tenon_abi.h"

namespace tenon::cpu {
namespace {

// --- XORWOW

constexpr int kBits = 160, kWords = 5, kPowers = 128 + 64;
using StateWords =
    std::array<uint32_t, kWords>;  // a state, or a polynomial of a degree under 160: bit i belongs to x^i

void step(StateWords& v) {
  const uint32_t t = v[0] ^ v[0] >> 2, last = v[4];
  v = {v[1], v[2], v[3], v[4], last ^ last << 4 ^ t ^ t << 1};
}
bool bit(const StateWords& w, int i) { return w[size_t(i / 32)] >> i % 32 & 1; }
void add(StateWords& to, const StateWords& by) {
  for (size_t i = 0; i < kWords; ++i) to[i] ^= by[i];
}

// The step's minimal polynomial, less its first term x^160, by the algorithm of Berlekamp and Massey from one bit of
// 320 states.
StateWords minimal_polynomial() {
  std::array<uint8_t, 2 * kBits> s{}, c{}, b{};
  StateWords v = {1, 2, 3, 4, 5};
  for (uint8_t& x : s) x = uint8_t(v[4] & 1), step(v);
  c[0] = b[0] = 1;
  int length = 0, since = 1;
  for (int n = 0; n < 2 * kBits; ++n, ++since) {
    unsigned wrong = s[size_t(n)];
    for (int i = 1; i <= length; ++i) wrong ^= unsigned(c[size_t(i)] & s[size_t(n - i)]);
    if (!wrong) continue;
    const auto before = c;
    for (int i = 0; i + since < 2 * kBits; ++i) c[size_t(i + since)] ^= b[size_t(i)];
    if (2 * length <= n) length = n + 1 - length, b = before, since = 0;
  }
  StateWords out{};  // c is the connection polynomial: its coefficients are those of the minimal one, reversed
  for (int i = 1; i <= kBits; ++i)
    if (c[size_t(i)]) out[size_t((kBits - i) / 32)] |= 1u << (kBits - i) % 32;
  return out;
}

struct Xorwow {
  StateWords modulus = minimal_polynomial();
  std::array<StateWords, kPowers> power;  // x^(2^k)

  Xorwow() {
    power[0] = {2};
    for (size_t k = 1; k < kPowers; ++k) power[k] = product(power[k - 1], power[k - 1]);
  }
  void times_x(StateWords& p) const {
    const bool carry = bit(p, kBits - 1);
    for (size_t i = kWords - 1; i > 0; --i) p[i] = p[i] << 1 | p[i - 1] >> 31;
    p[0] <<= 1;
    if (carry) add(p, modulus);
  }
  StateWords product(const StateWords& a, StateWords b) const {
    StateWords out{};
    for (int i = 0; i < kBits; ++i, times_x(b))
      if (bit(a, i)) add(out, b);
    return out;
  }
  void jump(StateWords& v, unsigned long long steps, int unit) const {
    StateWords p = {1};
    for (int k = unit; steps; steps >>= 1, ++k)
      if (steps & 1) p = product(power[size_t(k)], p);
    StateWords out{};
    for (int i = 0; i < kBits; ++i, step(v))
      if (bit(p, i)) add(out, v);
    v = out;
  }
};

// --- MRG32k3a

struct Mrg {
  using Matrix = std::array<std::array<uint32_t, 3>, 3>;
  uint64_t modulus;
  std::array<Matrix, kPowers> power;  // of the step, by 2^k

  Mrg(uint64_t m, Matrix one_step) : modulus(m) {
    power[0] = one_step;
    for (size_t k = 1; k < kPowers; ++k)
      for (size_t column = 0; column < 3; ++column) {
        uint32_t v[3] = {power[k - 1][0][column], power[k - 1][1][column], power[k - 1][2][column]};
        multiply(power[k - 1], v);
        for (size_t row = 0; row < 3; ++row) power[k][row][column] = v[row];
      }
  }
  void multiply(const Matrix& a, uint32_t* v) const {
    uint32_t out[3];
    for (size_t row = 0; row < 3; ++row) {
      uint64_t sum = 0;
      for (size_t i = 0; i < 3; ++i) sum += uint64_t(a[row][i]) * v[i] % modulus;
      out[row] = uint32_t(sum % modulus);
    }
    for (size_t i = 0; i < 3; ++i) v[i] = out[i];
  }
  void jump(uint32_t* v, unsigned long long steps, int unit) const {
    for (int k = unit; steps; steps >>= 1, ++k)
      if (steps & 1) multiply(power[size_t(k)], v);
  }
};
constexpr uint64_t kFirst = 4294967087, kSecond = 4294944443;  // L'Ecuyer's m1 and m2

}  // namespace

void jump_ahead(int generator, unsigned* state, unsigned long long steps, int unit) noexcept {
  if (generator == TENON_GENERATOR_XORWOW) {
    static const Xorwow xorwow;
    StateWords v = {state[0], state[1], state[2], state[3], state[4]};
    xorwow.jump(v, steps, unit);
    for (size_t i = 0; i < kWords; ++i) state[i] = v[i];
  } else {
    static const Mrg first(kFirst, {{{0, 1, 0}, {0, 0, 1}, {uint32_t(kFirst - 810728), 1403580, 0}}});
    static const Mrg second(kSecond, {{{0, 1, 0}, {0, 0, 1}, {uint32_t(kSecond - 1370589), 0, 527612}}});
    first.jump(state, steps, unit);
    second.jump(state + 3, steps, unit);
  }
}

}  // namespace tenon::cpu
