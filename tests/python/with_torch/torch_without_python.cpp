// tests/python/with_torch/torch_without_python.cpp: an operation of a package through PyTorch's dispatcher in a program
// without Python. test_torch_native.py compiles and runs it. Arguments: the directory of the package "elementwise".
#include <tenon_torch.h>
#include <torch/csrc/inductor/aoti_torch/c/shim.h>

#include <cstdio>
#include <cstring>
#include <string>

#define NEED(condition)                                                                                            \
  if (!(condition)) {                                                                                              \
    std::printf("line %d: %s: %s; %s\n", __LINE__, #condition, tenon_torch_message(), tenon_error_last_message()); \
    return 1;                                                                                                      \
  }

int main(int, char** arguments) {
  const tenon_api* api = tenon_get_api(TENON_ABI_LEVEL);
  const char* schema = "elementwise::softplus(Tensor x, float beta=1.) -> Tensor";
  tenon_package* package = nullptr;
  tenon_operation* softplus = nullptr;
  NEED(!tenon_package_load(nullptr, arguments[1], nullptr, &package));
  NEED(!tenon_package_operation(package, "softplus", &softplus));

  tenon_torch_kernel *kernel = nullptr, *second = nullptr;
  NEED(tenon_torch_register(nullptr, softplus, schema, 1, &kernel) == TENON_ERROR_INVALID_ARGUMENT);
  NEED(tenon_torch_register(api, softplus, schema, 1, &kernel) == TENON_OK);
  NEED(tenon_torch_register(api, softplus, schema, 1, &second) == TENON_ERROR_VENDOR);  // it is defined already
  NEED(std::string(tenon_torch_message()).find("is it defined already?") != std::string::npos);

  const int64_t sizes[] = {3}, strides[] = {1};
  AtenTensorHandle x = nullptr;
  NEED(!aoti_torch_empty_strided(1, sizes, strides, aoti_torch_dtype_float32(), aoti_torch_device_type_cpu(), 0, &x));
  float* data = nullptr;
  NEED(!aoti_torch_get_data_ptr(x, reinterpret_cast<void**>(&data)));
  data[0] = 0, data[1] = 1, data[2] = -1;

  double beta = 1;
  StableIValue stack[2] = {reinterpret_cast<StableIValue>(x), 0};  // the call takes the tensor
  std::memcpy(&stack[1], &beta, sizeof beta);
  NEED(!aoti_torch_call_dispatcher("elementwise::softplus", "", stack));
  AtenTensorHandle y = reinterpret_cast<AtenTensorHandle>(stack[0]);
  NEED(!aoti_torch_get_data_ptr(y, reinterpret_cast<void**>(&data)));
  std::printf("%.6f %.6f %.6f\n", data[0], data[1], data[2]);
  aoti_torch_delete_tensor_object(y);

  tenon_torch_release(kernel);
  NEED(tenon_torch_register(api, softplus, schema, 1, &kernel) == TENON_OK);  // the schema was removed as well
  tenon_torch_release(kernel);
  tenon_operation_release(softplus);
  tenon_package_release(package);
  return 0;
}
