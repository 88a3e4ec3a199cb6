// tests/fake_cuda/numerics/cusolver.hpp: how a test steers and reads the fake cuSOLVER, which factors on the host.
#pragma once

struct FakeCusolver {
  // The fail_at-th call from now returns fail_code and does nothing; 0: none. for_ever: all later ones too.
  long calls = 0;
  long fail_at = 0;
  int fail_code = 1;
  bool for_ever = false;
  char failed_call[64] = {};
  // A routine whose name contains this sets `info` and has no result, as if it had not converged.
  const char* gives_up_in = nullptr;
  int info = 0;

  // Added to the least eigenvalue if only values are requested, from the lower triangle.
  double wrong_by = 0;
  long wrong = 0;                // the number of matrices for which that was done
  double error_sigma = 0;        // what gesvdp reports
  long batch_limit = 32000;      // of cusolverDnXsyevBatched
  long handles = 0, params = 0;  // alive
  long made = 0;                 // handles, so far
  char last_routine[64] = {};
  long misuses = 0;
  char misuse[200] = {};
};

extern "C" FakeCusolver* fake_cusolver();
