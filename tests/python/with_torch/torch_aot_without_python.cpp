// tests/python/with_torch/torch_aot_without_python.cpp: a model that PyTorch's AOTInductor compiled, with an operation
// of a package in it, in a program without Python. test_torch_native.py compiles both. Arguments: the directory of the
// package "elementwise", the model's .pt2, the model's device.
#include <ATen/ops/from_blob.h>
#include <tenon_torch.h>
#include <torch/csrc/inductor/aoti_package/model_package_loader.h>

#include <cstdio>

int main(int, char** arguments) {
  tenon_package* package = nullptr;
  tenon_operation* softplus = nullptr;
  tenon_torch_kernel* kernel = nullptr;
  if (tenon_package_load(nullptr, arguments[1], nullptr, &package) ||
      tenon_package_operation(package, "softplus", &softplus) ||
      tenon_torch_register(tenon_get_api(TENON_ABI_LEVEL), softplus,
                           "elementwise::softplus(Tensor x, float beta=1.) -> Tensor", 1, &kernel)) {
    std::printf("%s; %s\n", tenon_torch_message(), tenon_error_last_message());
    return 1;
  }
  float numbers[] = {-1, 0, 1, 2};
  torch::inductor::AOTIModelPackageLoader model(arguments[2]);
  for (int turn = 0; turn < 2; turn++) {
    at::Tensor made = model.run({at::from_blob(numbers, {2, 2}).to(at::Device(arguments[3]))})[0].cpu().contiguous();
    for (int i = 0; i < 4; i++) std::printf("%.4f ", made.data_ptr<float>()[i]);
    numbers[0] = 3;  // the second turn is another result
  }
  tenon_torch_release(kernel);
  tenon_operation_release(softplus);
  tenon_package_release(package);
  return 0;
}
