// tests/fake_cuda/blas/cublas.hpp: how a test steers and reads the fake cuBLAS and cuBLASLt, which multiply on the
// host.
#pragma once
#include <cstdint>

struct FakeCublas {
  static constexpr int kMost = 8;
  int offers = 3;                               // algorithms for a product that is possible; their numbers are 0, 1 ...
  int steps[kMost] = {3, 1, 2, 4, 4, 4, 4, 4};  // operations that a run of each enqueues on the stream: its duration
  bool keeps_nan[kMost] = {true, true, true, true, true, true, true, true};  // whether its ReLU does
  bool refuses = false;                                                      // fails when an offered algorithm is run
  int plain_steps = 8;                                                       // for a product by cuBLAS

  long asked = 0, runs = 0, plain_runs = 0, vector_runs = 0, list_runs = 0, grouped_runs = 0;
  long device_factors = 0;  // calls whose alpha and beta are on the device
  long objects = 0;         // descriptors alive
  int last_algorithm = -1;
  uint32_t last_epilogue = 0;
  const void* last_result = nullptr;
  long misuses = 0;
  char misuse[200] = {};
};

extern "C" FakeCublas* fake_cublas();
