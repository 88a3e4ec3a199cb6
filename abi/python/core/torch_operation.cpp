/* abi/python/core/torch_operation.cpp: operations in PyTorch's dispatcher and in its graph of derivatives: the common
 * case, which is a call on plain tensors. Everything else is handed to a function of tenon._torch_operations.
 *
 * What is registered there are Python callables, and no functions of the dispatcher's C interface ("stable ABI"): that
 * interface tells its functions neither the keys that are left to be done nor whether a tensor requires a gradient, has
 * no conversion for Scalar, and turns all errors into RuntimeError. Below autograd, abi/torch has kernels on that
 * interface for the operations that it can carry. */
#include "operation.hpp"

#include <structmember.h>

#include <cstddef>

namespace tenon_python {

namespace {

PyTypeObject *torch_kernel_type, *torch_forward_type;

// --- in PyTorch's dispatcher ---

struct TorchKernel {
  PyObject_HEAD PyObject* operation;
  PyObject* otherwise; /* what calls go to that are not the common case; with None for keys that are plain */
  PyObject* raw_keys;  /* DispatchKeySet.raw_repr, or NULL: it gets no keys */
  PyObject* tracked; /* like otherwise, for plain calls without keywords that want a derivative; NULL: none is known */
  std::vector<unsigned long long>* plain; /* sets of keys that leave nothing to do but the operation */
};

/* Whether the keys, a DispatchKeySet, leave nothing to do but the operation. False also with an exception. */
bool is_plain(const TorchKernel& kernel, PyObject* keys) {
  Ref number(PyObject_CallFunctionObjArgs(kernel.raw_keys, keys, nullptr));
  unsigned long long raw = number ? PyLong_AsUnsignedLongLong(number.get()) : 0;
  if (PyErr_Occurred()) return false;
  for (unsigned long long one : *kernel.plain)
    if (one == raw) return true;
  return false;
}

PyObject* call_in_torch(PyObject* self, PyObject* arguments, PyObject* keywords) {
  const TorchKernel& kernel = *reinterpret_cast<TorchKernel*>(self);
  Plan* plan = reinterpret_cast<Operation*>(kernel.operation)->plan;
  bool plain = !kernel.raw_keys || (PyTuple_Size(arguments) && is_plain(kernel, PyTuple_GetItem(arguments, 0)));
  bool wants_gradient = false;
  if (plain && plan) {
    Call one(*plan);
    one.none_is_absent = one.taken.resolved = true;
    if (one.read(arguments, keywords, kernel.raw_keys ? 1 : 0) && one.take_arrays() && one.take_numbers()) {
      void* handle = handle_of(kernel.operation);
      return handle ? one.run(handle) : nullptr;
    }
    wants_gradient = one.taken.wants_gradient;
  }
  if (PyErr_Occurred()) return nullptr;
  if (!plain || !kernel.raw_keys) return PyObject_Call(kernel.otherwise, arguments, keywords);
  Py_ssize_t count = PyTuple_Size(arguments);
  Ref others(PyTuple_New(count));  // None in place of the keys
  if (!others) return nullptr;
  PyTuple_SetItem(others.get(), 0, Py_NewRef(Py_None));
  for (Py_ssize_t i = 1; i < count; i++) PyTuple_SetItem(others.get(), i, Py_NewRef(PyTuple_GetItem(arguments, i)));
  bool shortcut = wants_gradient && kernel.tracked && (!keywords || PyDict_Size(keywords) == 0);
  return PyObject_Call(shortcut ? kernel.tracked : kernel.otherwise, others.get(), keywords);
}

int traverse_in_torch(PyObject* self, visitproc visit, void* arg) {
  TorchKernel* kernel = reinterpret_cast<TorchKernel*>(self);
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(kernel->operation);
  Py_VISIT(kernel->otherwise);
  Py_VISIT(kernel->raw_keys);
  Py_VISIT(kernel->tracked);
  return 0;
}

int clear_in_torch(PyObject* self) {
  TorchKernel* kernel = reinterpret_cast<TorchKernel*>(self);
  Py_CLEAR(kernel->otherwise);
  Py_CLEAR(kernel->tracked);
  return 0;
}

void dealloc_in_torch(PyObject* self) {
  TorchKernel* kernel = reinterpret_cast<TorchKernel*>(self);
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  clear_in_torch(self);
  delete kernel->plain;
  Py_XDECREF(kernel->operation);
  Py_XDECREF(kernel->raw_keys);
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(as_object(type));
}

PyMemberDef torch_members[] = {{"tracked", T_OBJECT, offsetof(TorchKernel, tracked), 0, nullptr}, {}};
PyType_Slot torch_slots[] = {{Py_tp_call, reinterpret_cast<void*>(call_in_torch)},
                             {Py_tp_members, torch_members},
                             {Py_tp_traverse, reinterpret_cast<void*>(traverse_in_torch)},
                             {Py_tp_clear, reinterpret_cast<void*>(clear_in_torch)},
                             {Py_tp_dealloc, reinterpret_cast<void*>(dealloc_in_torch)},
                             {Py_tp_doc, const_cast<char*>("An operation as PyTorch's dispatcher calls it.")},
                             {}};
PyType_Spec torch_spec = {"tenon._core.TorchKernel", sizeof(TorchKernel), 0,
                          Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION, torch_slots};

// --- in PyTorch's graph of derivatives ---

/* The forward function of an autograd.Function: forward(ctx, how, arguments ...). */
struct TorchForward {
  PyObject_HEAD PyObject* operation;
  PyObject* otherwise;            /* the same in Python, for what is not the common case */
  PyObject* given;                /* a tuple: the names of so many arguments */
  PyObject *kept, *plain, *sized; /* places of what the backward function is given: tensors, numbers and shapes */
  int inputs;                     /* places from here on are outputs */
  bool resolved;                  /* as Arguments::resolved */
};

PyObject *save_name, *state_name, *shape_name;

/* What a call has at its places: arguments, None for those that were left out, and outputs. */
struct Known {
  PyObject* arguments;
  PyObject* made;
  Py_ssize_t inputs;

  PyObject* at(PyObject* place) const { /* borrowed */
    Py_ssize_t index = PyLong_AsSsize_t(place);
    if (index >= inputs) return PyTuple_CheckExact(made) ? PyTuple_GetItem(made, index - inputs) : made;
    return index + 2 < PyTuple_Size(arguments) ? PyTuple_GetItem(arguments, index + 2) : Py_None;
  }

  Ref all(PyObject* places) const {
    Py_ssize_t count = PyTuple_Size(places);
    Ref values(PyTuple_New(count));
    for (Py_ssize_t i = 0; values && i < count; i++)
      PyTuple_SetItem(values.get(), i, Py_NewRef(at(PyTuple_GetItem(places, i))));
    return values;
  }

  /* [(name, shape), ...] for rows of (name, place), without what was left out. */
  Ref shapes(PyObject* rows) const {
    Ref found(PyList_New(0));
    for (Py_ssize_t i = 0; found && i < PyTuple_Size(rows); i++) {
      PyObject *row = PyTuple_GetItem(rows, i), *value = at(PyTuple_GetItem(row, 1));
      if (value == Py_None) continue;
      Ref shape(PyObject_GetAttr(value, shape_name));
      Ref pair(shape ? PyTuple_Pack(2, PyTuple_GetItem(row, 0), shape.get()) : nullptr);
      if (!pair || PyList_Append(found.get(), pair.get())) return Ref();
    }
    return found;
  }
};

/* What the Python function of tenon._torch_operations does: saves the tensors, and keeps the rest as ctx.state. */
bool keep_for_backward(const TorchForward& forward, PyObject* arguments, PyObject* made) {
  PyObject* ctx = PyTuple_GetItem(arguments, 0);
  Known known{arguments, made, forward.inputs};
  Ref kept = known.all(forward.kept), plain = known.all(forward.plain), shapes = known.shapes(forward.sized);
  Ref save(kept && plain && shapes ? PyObject_GetAttr(ctx, save_name) : nullptr);
  Ref saved(save ? PyObject_CallObject(save.get(), kept.get()) : nullptr);
  PyObject* given = PyTuple_GetItem(forward.given, PyTuple_Size(arguments) - 2);
  Ref state(saved && given ? PyTuple_Pack(3, given, plain.get(), shapes.get()) : nullptr);
  return state && PyObject_SetAttr(ctx, state_name, state.get()) == 0;
}

PyObject* call_forward(PyObject* self, PyObject* arguments, PyObject* keywords) {
  const TorchForward& forward = *reinterpret_cast<TorchForward*>(self);
  Plan* plan = reinterpret_cast<Operation*>(forward.operation)->plan;
  if (plan && !keywords && PyTuple_Size(arguments) >= 2 && PyTuple_GetItem(arguments, 1) == Py_None) {
    Call one(*plan);
    one.none_is_absent = true;
    one.taken.resolved = forward.resolved;
    if (one.read(arguments, nullptr, 2) && one.take_arrays() && one.take_numbers()) {
      void* handle = handle_of(forward.operation);
      Ref made(handle ? one.run(handle) : nullptr);
      return made && keep_for_backward(forward, arguments, made.get()) ? made.release() : nullptr;
    }
  }
  return PyErr_Occurred() ? nullptr : PyObject_Call(forward.otherwise, arguments, keywords);
}

int traverse_forward(PyObject* self, visitproc visit, void* arg) {
  TorchForward* forward = reinterpret_cast<TorchForward*>(self);
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(forward->operation);
  Py_VISIT(forward->otherwise);
  return 0;
}

int clear_forward(PyObject* self) {
  Py_CLEAR(reinterpret_cast<TorchForward*>(self)->otherwise);
  return 0;
}

void dealloc_forward(PyObject* self) {
  TorchForward* forward = reinterpret_cast<TorchForward*>(self);
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  for (PyObject* one :
       {forward->operation, forward->otherwise, forward->given, forward->kept, forward->plain, forward->sized})
    Py_XDECREF(one);
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(as_object(type));
}

PyType_Slot forward_slots[] = {{Py_tp_call, reinterpret_cast<void*>(call_forward)},
                               {Py_tp_traverse, reinterpret_cast<void*>(traverse_forward)},
                               {Py_tp_clear, reinterpret_cast<void*>(clear_forward)},
                               {Py_tp_dealloc, reinterpret_cast<void*>(dealloc_forward)},
                               {Py_tp_doc, const_cast<char*>("The forward function of an operation's node.")},
                               {}};
PyType_Spec forward_spec = {"tenon._core.TorchForward", sizeof(TorchForward), 0,
                            Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION, forward_slots};

}  // namespace

/* _in_torch(otherwise, raw_keys, plain): see TorchKernel; raw_keys may be None. */
PyObject* in_torch(PyObject* self, PyObject* arguments) {
  PyObject *otherwise, *raw_keys, *plain;
  if (!PyArg_ParseTuple(arguments, "OOO!", &otherwise, &raw_keys, &PyTuple_Type, &plain)) return nullptr;
  Ref made(PyType_GenericAlloc(torch_kernel_type, 0));
  if (!made) return nullptr;
  TorchKernel* kernel = reinterpret_cast<TorchKernel*>(made.get());
  kernel->operation = Py_NewRef(self);
  kernel->otherwise = Py_NewRef(otherwise);
  kernel->raw_keys = raw_keys == Py_None ? nullptr : Py_NewRef(raw_keys);
  kernel->plain = new std::vector<unsigned long long>;
  for (Py_ssize_t i = 0; i < PyTuple_Size(plain); i++)
    kernel->plain->push_back(PyLong_AsUnsignedLongLong(PyTuple_GetItem(plain, i)));
  return PyErr_Occurred() ? nullptr : made.release();
}

/* _forward(otherwise, resolved, inputs, given, kept, plain, sized): see TorchForward. */
PyObject* make_forward(PyObject* self, PyObject* arguments) {
  PyObject *otherwise, *given, *kept, *plain, *sized;
  int resolved, inputs;
  if (!PyArg_ParseTuple(arguments, "OpiO!O!O!O!", &otherwise, &resolved, &inputs, &PyTuple_Type, &given, &PyTuple_Type,
                        &kept, &PyTuple_Type, &plain, &PyTuple_Type, &sized))
    return nullptr;
  Ref made(PyType_GenericAlloc(torch_forward_type, 0));
  if (!made) return nullptr;
  TorchForward* forward = reinterpret_cast<TorchForward*>(made.get());
  forward->operation = Py_NewRef(self);
  forward->otherwise = Py_NewRef(otherwise);
  forward->given = Py_NewRef(given);
  forward->kept = Py_NewRef(kept);
  forward->plain = Py_NewRef(plain);
  forward->sized = Py_NewRef(sized);
  forward->inputs = inputs;
  forward->resolved = resolved != 0;
  return made.release();
}

int add_torch_types() {
  torch_kernel_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&torch_spec));
  torch_forward_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&forward_spec));
  save_name = PyUnicode_InternFromString("save_for_backward");
  state_name = PyUnicode_InternFromString("state");
  shape_name = PyUnicode_InternFromString("shape");
  return torch_kernel_type && torch_forward_type ? 0 : -1;
}

}  // namespace tenon_python
