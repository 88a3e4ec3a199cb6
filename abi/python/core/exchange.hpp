/* abi/python/core/exchange.hpp: arrays in and out by DLPack. */
#pragma once

#include "dlpack.hpp"
#include "handle.hpp"

namespace tenon_python {

/* An object of another library as an array that shares its memory, where that goes without a Python call: by the
 * exchange table of its class, or NumPy's arrays. An empty Ref without an exception: another way is needed
 * (tenon._dlpack knows it). */
Ref import_fast(PyObject* object);
/* The same as the library's handle, which is the caller's to release. resolved: PyTorch's dispatcher has made real what
 * is_neg() and is_conj() ask for. *out_gradient is set where the reason for NULL is that PyTorch wants a derivative. */
tenon_array* import_array(PyObject* object, bool resolved, bool* out_gradient);
/* Whether it is torch.Tensor itself, or Parameter, whose results are torch.Tensor: no class with rules of its own. */
bool is_plain_tensor(PyTypeObject* type);
/* The array as an object of the class, whose exchange table makes it; None where it has no table. */
PyObject* export_as(PyTypeObject* type, PyObject* array);
/* The same for a class of which is_plain_tensor is true, and an array that is the caller's to give: it is gone also on
 * failure. */
PyObject* export_new(PyTypeObject* type, tenon_array* array);
/* Whether PyTorch traces what its dispatcher is given: calls on its tensors then have to go there. */
bool is_traced();
/* Whether the class can be a PyTorch tensor's: its writes are counted. */
bool counts_writes(PyTypeObject* type);

PyObject* dlpack_method(PyObject* self, PyObject* const* arguments, Py_ssize_t count, PyObject* names);
PyObject* dlpack_device_method(PyObject* self, PyObject* unused);
PyObject* torch_method(PyObject* self, PyObject* unused);

int add_exchange(PyObject* module);

}  // namespace tenon_python
