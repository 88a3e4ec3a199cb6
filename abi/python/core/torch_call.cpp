/* abi/python/core/torch_call.cpp: what torch.ops.PACKAGE.OPERATION calls.
 *
 * PyTorch's own function matches the schema, converts all arguments, looks for the dispatcher's kernel, and converts
 * the arguments back for it, which costs more than most small operations. Here is the call that the dispatcher would do
 * nothing with but hand it on: ordinary tensors and numbers, while no mode, transformation, forward-mode derivative,
 * autocast, trace or profiler is active. Every other call is PyTorch's as a whole. */
#include "direct.hpp"
#include "operation.hpp"

namespace tenon_python {

namespace {

struct TorchCall {
  PyObject_HEAD PyObject* operation;
  PyObject* otherwise; /* PyTorch's function */
  PyObject* kernel;    /* a TorchKernel, which knows the node for derivatives */
};

PyTypeObject* torch_call_type;
PyObject *torch_out_name, *torch_stream_name;

/* Whether the arguments are what the schema takes as well: arrays are ordinary tensors. */
bool fits_schema(const Call& call, PyObject* keywords) {
  PyObject *name, *value;
  Py_ssize_t position = 0;
  while (keywords && PyDict_Next(keywords, &position, &name, &value))
    if (name == torch_out_name || name == torch_stream_name) return false;  // of tenon.ops alone
  for (size_t i = 0; i < call.plan.parameters.size(); i++) {
    Role role = call.plan.parameters[i].role;
    if (role != Role::scalar && call.given[i] && !is_ordinary_tensor(call.given[i])) return false;
  }
  return true;
}

PyObject* call_from_torch(PyObject* self, PyObject* arguments, PyObject* keywords) {
  const TorchCall& known = *reinterpret_cast<TorchCall*>(self);
  Plan* plan = reinterpret_cast<Operation*>(known.operation)->plan;
  if (plan && is_plainly_dispatched()) {
    Call one(*plan);
    one.none_is_absent = true;
    bool wants_gradient = false;
    if (one.read(arguments, keywords) && fits_schema(one, keywords)) {
      if (one.take_arrays() && one.take_numbers()) {
        void* handle = handle_of(known.operation);
        return handle ? one.run(handle) : nullptr;
      }
      wants_gradient = one.taken.wants_gradient;
    }
    // nothing has been launched: PyTorch resolves what has no memory (its zero tensors), or refuses it in its own words
    if (PyErr_Occurred()) {
      if (!PyErr_ExceptionMatches(PyExc_Exception)) return nullptr;
      PyErr_Clear();
    }
    PyObject* node = reinterpret_cast<TorchKernel*>(known.kernel)->tracked;
    if (wants_gradient && node && (!keywords || PyDict_Size(keywords) == 0) && !has_forward_level()) {
      Ref all = behind_none(arguments, 0);
      return all ? PyObject_CallObject(node, all.get()) : nullptr;
    }
  }
  return PyObject_Call(known.otherwise, arguments, keywords);
}

/* What PyTorch's function has is found here, too. */
PyObject* get_attribute(PyObject* self, PyObject* name) {
  PyObject* found = PyObject_GenericGetAttr(self, name);
  if (found || !PyErr_ExceptionMatches(PyExc_AttributeError)) return found;
  PyErr_Clear();
  return PyObject_GetAttr(reinterpret_cast<TorchCall*>(self)->otherwise, name);
}

/* PyTorch's objects for the operation are hashed by it. */
Py_hash_t hash(PyObject* self) { return PyObject_Hash(reinterpret_cast<TorchCall*>(self)->otherwise); }

int traverse(PyObject* self, visitproc visit, void* arg) {
  TorchCall* call = reinterpret_cast<TorchCall*>(self);
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(call->operation);
  Py_VISIT(call->otherwise);
  Py_VISIT(call->kernel);
  return 0;
}

void dealloc_torch(PyObject* self) {
  TorchCall* call = reinterpret_cast<TorchCall*>(self);
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  for (PyObject* one : {call->operation, call->otherwise, call->kernel}) Py_XDECREF(one);
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(as_object(type));
}

PyType_Slot torch_call_slots[] = {{Py_tp_call, reinterpret_cast<void*>(call_from_torch)},
                                  {Py_tp_getattro, reinterpret_cast<void*>(get_attribute)},
                                  {Py_tp_hash, reinterpret_cast<void*>(hash)},
                                  {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                                  {Py_tp_dealloc, reinterpret_cast<void*>(dealloc_torch)},
                                  {Py_tp_doc, const_cast<char*>("What torch.ops.PACKAGE.OPERATION calls.")},
                                  {}};
PyType_Spec torch_call_spec = {"tenon._core.TorchCall", sizeof(TorchCall), 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                               torch_call_slots};

}  // namespace

/* _called_from_torch(otherwise, kernel): see TorchCall; kernel: of _in_torch. */
PyObject* called_from_torch(PyObject* self, PyObject* arguments) {
  PyObject *otherwise, *kernel;
  if (!PyArg_ParseTuple(arguments, "OO!", &otherwise, torch_kernel_type, &kernel)) return nullptr;
  Ref made(PyType_GenericAlloc(torch_call_type, 0));
  if (!made) return nullptr;
  TorchCall* call = reinterpret_cast<TorchCall*>(made.get());
  call->operation = Py_NewRef(self);
  call->otherwise = Py_NewRef(otherwise);
  call->kernel = Py_NewRef(kernel);
  return made.release();
}

int add_torch_call_type() {
  torch_call_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&torch_call_spec));
  torch_out_name = PyUnicode_InternFromString("out");
  torch_stream_name = PyUnicode_InternFromString("stream");
  return torch_call_type ? 0 : -1;
}

}  // namespace tenon_python
