/* abi/python/core/exchange.hpp: arrays in and out by DLPack. */
#pragma once

#include "dlpack.hpp"
#include "framework_stream.hpp"
#include "handle.hpp"

namespace tenon_python {

/* An object of another library as an array that shares its memory, where that goes without a Python call: by the
 * exchange table of its class, or NumPy's arrays. An empty Ref without an exception: another way is needed
 * (tenon._dlpack knows it). */
Ref import_fast(PyObject* object);
/* The same as the library's handle, which is the caller's to release. resolved: PyTorch's dispatcher has made real what
 * is_neg() and is_conj() ask for. *out_gradient is set where the reason for NULL is that PyTorch wants a derivative.
 * lent: given where the array is used in one call only, which reads it and returns none of its memory, while the caller
 * keeps the object. A plain tensor on the CPU is then not kept by the array, and *lent is what it is; otherwise its
 * device_type is 0. */
tenon_array* import_array(PyObject* object, bool resolved, bool* out_gradient, Tensor* lent = nullptr);
/* Whether it is torch.Tensor itself, or Parameter, whose results are torch.Tensor: no class with rules of its own. */
bool is_plain_tensor(PyTypeObject* type);
/* The array as an object of the class, whose exchange table makes it; None where it has no table. */
PyObject* export_as(PyTypeObject* type, PyObject* array);
/* The same for a class of which is_plain_tensor is true, and an array that is the caller's to give: it is gone also on
 * failure. on_cpu: known to be there. */
PyObject* export_new(PyTypeObject* type, tenon_array* array, bool on_cpu = false);
/* The memory of a plain tensor for the time of one call, whose elements are C-contiguous and of which PyTorch wants no
 * derivative; nothing is made or kept. is_left_alone() has been asked. False, without an exception: another way is
 * needed. */
bool borrow(PyObject* object, Tensor* out);

/* The stream of a framework whose arrays come by its exchange table. */
class FrameworkStream : public WrappedStream {
 public:
  FrameworkStream() : WrappedStream(api) {}
  using WrappedStream::open;
  /* The current stream of the library of a plain tensor's class, on a CUDA device. */
  int32_t open(PyTypeObject* type, int32_t index);
};

/* Whether PyTorch computes forward-mode derivatives. True also where it does not tell. */
bool has_forward_level();
/* Whether a call on ordinary tensors needs nothing of PyTorch but its autograd: TorchFacts::dispatches_plainly(), and
 * no forward-mode derivatives other than those of tensors with tangents, which import_array and borrow do not take.
 * PyTorch is imported. */
bool is_plainly_dispatched();
/* Whether it is a tensor with memory of a class of which is_plain_tensor is true. False where PyTorch does not tell. */
bool is_ordinary_tensor(PyObject* object);
/* Whether PyTorch traces what its dispatcher is given: calls on its tensors then have to go there. */
bool is_traced();
/* Whether PyTorch leaves calls on its tensors to Tenon: it neither traces nor transforms them, and computes no
 * forward-mode derivatives, as above. False also where it does not tell. */
bool is_left_alone();
/* Whether the class can be a PyTorch tensor's: its writes are counted. */
bool counts_writes(PyTypeObject* type);

PyObject* dlpack_method(PyObject* self, PyObject* const* arguments, Py_ssize_t count, PyObject* names);
PyObject* dlpack_device_method(PyObject* self, PyObject* unused);
PyObject* torch_method(PyObject* self, PyObject* unused);

int add_exchange(PyObject* module);

}  // namespace tenon_python
