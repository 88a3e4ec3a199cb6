// tests/bench/native/operation.hpp: a package of one operation whose kernel does nothing, so that what calls of
// operations cost can be timed beside launches of kernels.
#pragma once
#include <stdlib.h>
#include <tenon/tenon.h>
#include <unistd.h>

#include <cstdio>
#include <string>

// The operation "trial/empty", which takes x, y and n like the kernel; NULL, with the reason in
// tenon_error_last_message.
inline tenon_operation* empty_operation() {
  static const char* const files[2][2] = {
      {"plugin.toml",
       "name = \"trial\"\n[op.empty]\nparameters = [\"in float32 x\", \"out float32 y\", \"scalar int32 n\"]\nthreads = 32\nblock = 32\narguments = [\"x\", \"y\", \"n\"]\n"},
      {"empty.cu", "extern \"C\" __global__ void empty(const float* x, float* y, int n) {}\n"}};
  char folder[] = "/tmp/tenon-bench-XXXXXX";
  if (!mkdtemp(folder)) return nullptr;
  for (const auto& file : files) {
    if (FILE* out = std::fopen((std::string(folder) + "/" + file[0]).c_str(), "w")) {
      std::fputs(file[1], out);
      std::fclose(out);
    }
  }
  tenon_package* package = nullptr;
  tenon_operation* operation = nullptr;
  if (tenon_package_load(nullptr, folder, nullptr, &package) == TENON_OK)
    tenon_package_operation(package, "empty", &operation);
  tenon_package_release(package);
  for (const auto& file : files) unlink((std::string(folder) + "/" + file[0]).c_str());
  rmdir(folder);
  return operation;
}
