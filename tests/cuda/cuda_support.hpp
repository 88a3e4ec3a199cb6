// tests/cuda/cuda_support.hpp: a CUDA device on the fake driver (fake_cuda/), for tests of the backend below the public
// interface.
#pragma once
#include <gtest/gtest.h>
#include <functional>
#include "backend/cuda/device.hpp"
#include "core/device/context.hpp"
#include "fake_cuda/control.hpp"

namespace tenon::cuda {
extern const Backend backend;
}

namespace fake {

using namespace tenon;

inline Ref<Context> make_context(Settings settings = {}) {
  return make<Context>(std::move(settings), std::span<const Backend>(&cuda::backend, 1), nullptr);
}

// Objects alive in the driver: all zero if everything was released.
inline std::string alive() {
  const FakeCuda& f = *fake_cuda();
  return format("contexts %ld streams %ld events %ld modules %ld pools %ld blocks %ld host %ld", f.contexts, f.streams,
                f.events, f.modules, f.pools, f.blocks, f.host_blocks);
}
inline const char* kNothing = "contexts 0 streams 0 events 0 modules 0 pools 0 blocks 0 host 0";

// The status thrown by `body`; 0 when it throws nothing.
inline int32_t status_of(const std::function<void()>& body, std::string* message = nullptr) {
  try {
    body();
  } catch (const Error& error) {
    if (message) *message = error.message;
    return error.status;
  }
  return TENON_OK;
}

class Cuda : public ::testing::Test {
 protected:
  void SetUp() override {
    FakeCuda& f = *fake_cuda();
    f.fail_at = 0;
    f.sticky = 0;
    f.lazy = true;
    f.misuses = f.races = 0;
    f.memory_limit = uint64_t(1) << 30;
  }
  void TearDown() override {
    fake_cuda()->sticky = 0;
    EXPECT_EQ(fake_cuda()->misuses, 0) << fake_cuda()->misuse;
    EXPECT_EQ(fake_cuda()->races, 0) << fake_cuda()->race;
  }
  FakeCuda& driver() { return *fake_cuda(); }
};

struct World {
  Ref<Context> context;
  cuda::CudaDevice& device;
  explicit World(Settings settings = {})
      : context(make_context(std::move(settings))),
        device(static_cast<cuda::CudaDevice&>(context->device(TENON_DEVICE_CUDA, 0))) {}
  Stream& stream() { return device.default_stream(); }
};

}  // namespace fake
