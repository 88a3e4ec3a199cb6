// tests/fake_cuda/numerics/cusparse.hpp: how a test steers and reads the fake cuSPARSE, which multiplies on the host.
#pragma once

struct FakeCusparse {
  int fail_at = 0;  // the fail_at-th call from now returns fail_code; 0: none
  int fail_code = 6;
  long handles = 0, descriptors = 0;  // alive
  long vectors = 0, matrices = 0;     // products
  long misuses = 0;
  char misuse[200] = {};
};

extern "C" FakeCusparse* fake_cusparse();
