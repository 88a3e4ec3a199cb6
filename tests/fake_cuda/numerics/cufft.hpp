// tests/fake_cuda/numerics/cufft.hpp: how a test steers and reads the fake cuFFT, which transforms on the host by the
// definition.
#pragma once
#include <cstddef>

struct FakeCufft {
  int fail_at = 0;  // the fail_at-th call from now, of those that can, fails with fail_code; 0: none
  int fail_code = 5;
  size_t work_bytes = 4096;                   // of every plan
  long plans = 0;                             // alive
  long made = 0, executed = 0, captured = 0;  // plans; transforms enqueued on streams, and into captures
  int axes_to_real = 0;                       // of the last transform to real numbers
  const void* last_work = nullptr;
  long misuses = 0;
  char misuse[200] = {};
};

extern "C" FakeCufft* fake_cufft();
