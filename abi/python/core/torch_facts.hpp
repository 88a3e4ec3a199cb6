/* abi/python/core/torch_facts.hpp: what PyTorch's C++ library says of a tensor, without Python: a question costs a
 * hundredth of what the method of Python costs, which gives up the GIL to answer it.
 *
 * Neither PyTorch's exchange table nor its stable C functions answer these questions, so they are asked of functions of
 * its C++ libraries, found by name. Where one is missing, or the tensor is not where it is expected in its Python
 * object, or an answer differs from Python's for any of a few sample tensors, nothing of this is used. */
#pragma once

#include <atomic>

#include "python.hpp"

namespace tenon_python {

/* The word at an address that may be none: the kernel reads it, and says so. */
bool read_word(const void* address, const void** out);

class TorchFacts {
 public:
  /* NULL: not with this version of PyTorch. It must be imported. */
  static const TorchFacts* get() {
    const TorchFacts* facts = in_use_.load(std::memory_order_acquire);
    return facts ? facts : found_out();
  }

  /* Of an object whose class is_plain_tensor. */
  bool requires_grad(PyObject* tensor) const { return requires_grad_(*static_cast<void* const*>(place(tensor))); }
  bool is_negative(PyObject* tensor) const { return is_negative_(place(tensor)); }
  bool is_conjugate(PyObject* tensor) const { return is_conjugate_(place(tensor)); }
  bool is_inference(PyObject* tensor) const { return is_inference_(place(tensor)); }
  /* Whether it has a forward-mode tangent; false also where PyTorch does not tell. */
  bool has_tangent(PyObject* tensor) const {
    return tangent_ && *tangent_(*static_cast<void* const*>(place(tensor)), 0, place(tensor)) != undefined_;
  }
  bool tells_tangents() const { return tangent_ != nullptr; }
  /* Counts a write; not of an inference tensor, which has no counter. */
  void count_write(PyObject* tensor) const { bump_version_(place(tensor)); }
  bool is_grad_enabled() const { return is_grad_enabled_(); }
  /* Whether it is a tensor with memory, and no wrapper that stands for one in a transformation. */
  bool is_ordinary(PyObject* tensor) const {
    return **static_cast<const void* const* const*>(place(tensor)) == vtable_;
  }
  /* Whether the dispatcher takes a call on ordinary tensors straight to autograd and from there to the device's
   * implementation: there is no mode, transformation, autocast, trace or profiler. False also where PyTorch does not
   * tell. */
  bool dispatches_plainly() const;

 private:
  static const TorchFacts* found_out();
  friend PyObject* set_torch_facts(PyObject* module, PyObject* wanted);
  static std::atomic<const TorchFacts*> in_use_; /* NULL: not yet, or not wanted, or not with this version */

  bool find_all();
  bool find();
  bool is_right() const;
  bool finds_modes();
  bool finds_tangents();

  /* An at::Tensor, which is a pointer to a TensorImpl, comes right after the head of the object. */
  static const void* place(PyObject* tensor) { return tensor + 1; }

  bool (*requires_grad_)(const void* implementation) = nullptr;
  bool (*is_negative_)(const void* tensor) = nullptr;
  bool (*is_conjugate_)(const void* tensor) = nullptr;
  bool (*is_inference_)(const void* tensor) = nullptr;
  void (*bump_version_)(const void* tensor) = nullptr;
  bool (*is_grad_enabled_)() = nullptr;
  /* The tangent of a level, of which PyTorch has one; an at::Tensor of `undefined_` if there is none. */
  const void* const* (*tangent_)(const void* implementation, uint64_t level, const void* tensor) = nullptr;
  const void* undefined_ = nullptr;
  /* Of dispatches_plainly(); NULL: it cannot tell. */
  void* core_ = nullptr; /* libc10.so, whose variable has another place on each thread */
  bool (*has_callbacks_)() = nullptr;
  bool (*has_function_mode_)() = nullptr;
  unsigned long long inference_[2] = {}; /* the variable within inference mode */
  const void* vtable_ = nullptr;         /* what a TensorImpl of an ordinary tensor begins with */
};

PyObject* set_torch_facts(PyObject* module, PyObject* wanted);

}  // namespace tenon_python
