/* abi/python/core/torch_facts.hpp: what PyTorch's C++ library says of a tensor, without Python: a question costs a
 * hundredth of what the method of Python costs, which gives up the GIL to answer it.
 *
 * Neither PyTorch's exchange table nor its stable C functions answer these questions, so they are asked of functions of
 * its C++ libraries, found by name. Where one is missing, or the tensor is not where it is expected in its Python
 * object, or an answer differs from Python's for any of a few sample tensors, nothing of this is used. */
#pragma once

#include "python.hpp"

namespace tenon_python {

/* The word at an address that may be none: the kernel reads it, and says so. */
bool read_word(const void* address, const void** out);

class TorchFacts {
 public:
  /* NULL: not with this version of PyTorch. It must be imported. */
  static const TorchFacts* get();

  /* Of an object whose class is_plain_tensor. */
  bool requires_grad(PyObject* tensor) const { return requires_grad_(*static_cast<void* const*>(place(tensor))); }
  bool is_negative(PyObject* tensor) const { return is_negative_(place(tensor)); }
  bool is_conjugate(PyObject* tensor) const { return is_conjugate_(place(tensor)); }
  bool is_inference(PyObject* tensor) const { return is_inference_(place(tensor)); }
  /* Counts a write; not of an inference tensor, which has no counter. */
  void count_write(PyObject* tensor) const { bump_version_(place(tensor)); }
  bool is_grad_enabled() const { return is_grad_enabled_(); }

 private:
  bool find();
  bool is_right() const;

  /* An at::Tensor, which is a pointer to a TensorImpl, comes right after the head of the object. */
  static const void* place(PyObject* tensor) { return tensor + 1; }

  bool (*requires_grad_)(const void* implementation) = nullptr;
  bool (*is_negative_)(const void* tensor) = nullptr;
  bool (*is_conjugate_)(const void* tensor) = nullptr;
  bool (*is_inference_)(const void* tensor) = nullptr;
  void (*bump_version_)(const void* tensor) = nullptr;
  bool (*is_grad_enabled_)() = nullptr;
  const void* vtable_ = nullptr; /* what a TensorImpl of an ordinary tensor begins with */
};

PyObject* set_torch_facts(PyObject* module, PyObject* wanted);

}  // namespace tenon_python
