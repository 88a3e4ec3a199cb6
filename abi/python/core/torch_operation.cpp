/* abi/python/core/torch_operation.cpp: operations in PyTorch's dispatcher and in its graph of derivatives: the common
 * case, which is a call on plain tensors. Everything else is handed to a function of tenon._torch_operations.
 *
 * What is registered there are Python callables, and no functions of the dispatcher's C interface ("stable ABI"): that
 * interface tells its functions neither the keys that are left to be done nor whether a tensor requires a gradient, has
 * no conversion for Scalar, and turns all errors into RuntimeError. Below autograd, abi/torch has kernels on that
 * interface for the operations that it can carry. */
#include "operation.hpp"

#include <structmember.h>

#include "direct.hpp"
#include "torch_facts.hpp"

#include <cstddef>

namespace tenon_python {

PyTypeObject* torch_kernel_type;

namespace {

PyTypeObject *torch_forward_type, *torch_backward_type;

// --- in PyTorch's dispatcher ---

/* The number that a DispatchKeySet is; 0 with an exception. The object is one of pybind11, which begins with a pointer
 * to what it wraps: that is read once it has agreed with Python for a few sets. */
unsigned long long raw_of(const TorchKernel& kernel, PyObject* keys) {
  constexpr int enough = 4;
  static std::atomic<PyTypeObject*> type{nullptr};
  static std::atomic<int> agreed{0}; /* sets; -1: one did not */
  auto place = reinterpret_cast<const void* const*>(keys + 1);
  if (agreed >= enough && Py_TYPE(keys) == type) return *static_cast<const unsigned long long*>(*place);
  Ref number(PyObject_CallFunctionObjArgs(kernel.raw_keys, keys, nullptr));
  unsigned long long raw = number ? PyLong_AsUnsignedLongLong(number.get()) : 0;
  if (PyErr_Occurred()) return 0;
  if (agreed >= 0 && agreed < enough && (!type || Py_TYPE(keys) == type)) {
    const void* word;
    static_assert(sizeof word == sizeof raw);
    bool equal = read_word(*place, &word) && reinterpret_cast<unsigned long long>(word) == raw;
    type = Py_TYPE(keys);
    int before = agreed;
    while (before >= 0 && !agreed.compare_exchange_weak(before, equal ? before + 1 : -1)) {
    }
  }
  return raw;
}

/* Whether the keys leave nothing to do but the operation. False also with an exception. */
bool is_plain(const TorchKernel& kernel, PyObject* keys) {
  unsigned long long raw = raw_of(kernel, keys);
  if (!raw) return false;
  for (unsigned long long one : *kernel.plain)
    if (one == raw) return true;
  return false;
}

PyObject* call_in_torch(PyObject* self, PyObject* arguments, PyObject* keywords) {
  const TorchKernel& kernel = *reinterpret_cast<TorchKernel*>(self);
  Plan* plan = reinterpret_cast<Operation*>(kernel.operation)->plan;
  bool plain = !kernel.raw_keys ||
               (PyTuple_Size(arguments) && is_plain(kernel, PyTuple_GetItem(arguments, 0)) && !has_forward_level());
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
  Ref others = behind_none(arguments, 1);  // None in place of the keys
  if (!others) return nullptr;
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
  PyObject* absent;               /* for each of `plain`: what is given instead if it was left out */
  int inputs;                     /* places from here on are outputs */
  bool resolved;                  /* as Arguments::resolved */
  bool direct;                    /* ctx.save_for_backward(...) does nothing but ctx.to_save = (...) */
};

PyObject *save_name, *saved_name, *state_name, *shape_name;

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

  Ref all(PyObject* places, PyObject* absent = nullptr) const {
    Py_ssize_t count = PyTuple_Size(places);
    Ref values(PyTuple_New(count));
    for (Py_ssize_t i = 0; values && i < count; i++) {
      PyObject* value = at(PyTuple_GetItem(places, i));
      if (absent && value == Py_None) value = PyTuple_GetItem(absent, i);
      PyTuple_SetItem(values.get(), i, Py_NewRef(value));
    }
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
  Ref kept = known.all(forward.kept), plain = known.all(forward.plain, forward.absent),
      shapes = known.shapes(forward.sized);
  if (!kept || !plain || !shapes) return false;
  if (forward.direct) {
    if (PyObject_SetAttr(ctx, saved_name, kept.get())) return false;
  } else {
    Ref save(PyObject_GetAttr(ctx, save_name));
    if (!save || !Ref(PyObject_CallObject(save.get(), kept.get()))) return false;
  }
  PyObject* given = PyTuple_GetItem(forward.given, PyTuple_Size(arguments) - 2);
  Ref state(given ? PyTuple_Pack(3, given, plain.get(), shapes.get()) : nullptr);
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
  for (PyObject* one : {forward->operation, forward->otherwise, forward->given, forward->kept, forward->plain,
                        forward->absent, forward->sized})
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

/* The backward function of such a node, as the method `apply` of its class: apply(ctx, gradients ...). Here is the case
 * of forward functions that ran here, of gradients that are plain tensors, and of a backward that is not recorded
 * itself. It calls the gradient without the dispatcher, which would have nothing to do. */
struct TorchBackward {
  PyObject_HEAD PyObject* operation; /* the gradient */
  PyObject* otherwise;               /* the same in Python */
  PyObject* given;                   /* as in TorchForward */
  PyObject* sources; /* for each parameter of the gradient: the place of its value among the numbers of the state, then
                        the saved tensors, then the gradients; -1: it has none */
  PyObject* found;   /* for each argument: the gradient's output that is its derivative; -1: it has none */
  Py_ssize_t numbers, tensors; /* how many the state and the saved tensors are */
  bool promotes;               /* within torch.autocast() the dispatcher converts its arguments */
};

PyObject *needed_name, *tensors_name, *unpacked_name, *contiguous_name, *sum_name;

/* Whether PyTorch has nothing to do with what is called now but to let it run. */
bool is_undisturbed(bool promotes) {
  static Function grad_mode(loaded("torch", "is_grad_enabled"));
  static Function autocast(loaded("torch._C", "_is_any_autocast_enabled"));
  if (!grad_mode || (promotes && !autocast)) return false;
  const TorchFacts* facts = TorchFacts::get();
  if (facts && facts->is_grad_enabled()) return false;
  if (is_plainly_dispatched()) return true;
  Ref enabled(facts ? Py_NewRef(Py_False) : grad_mode()), converts(promotes ? autocast() : Py_NewRef(Py_False));
  return enabled.get() == Py_False && converts.get() == Py_False && is_left_alone();
}

/* What one backward has at its places, and its results. */
struct Backward {
  const TorchBackward& backward;
  PyObject* arguments;
  Ref state, needed, saved;
  PyObject *given = nullptr, *numbers = nullptr, *shapes = nullptr;
  Ref gradients[Arguments::most];

  /* False: not the case that is done here, or (with an exception) it failed. */
  bool read() {
    PyObject* ctx = PyTuple_GetItem(arguments, 0);
    state = Ref(PyObject_GetAttr(ctx, state_name));
    if (!state || !PyTuple_CheckExact(state.get()) || PyTuple_Size(state.get()) != 3) return false;
    given = PyTuple_GetItem(state.get(), 0), numbers = PyTuple_GetItem(state.get(), 1);
    shapes = PyTuple_GetItem(state.get(), 2);
    if (!PyTuple_CheckExact(given) || PyTuple_Size(given) >= PyTuple_Size(backward.given) ||
        PyTuple_GetItem(backward.given, PyTuple_Size(given)) != given)
      return false;
    needed = Ref(PyObject_GetAttr(ctx, needed_name));
    if (!needed || !PyTuple_CheckExact(needed.get()) || PyTuple_Size(needed.get()) != PyTuple_Size(given) + 1)
      return false;
    for (Py_ssize_t i = 0; i < PyTuple_Size(given); i++)
      if (is_needed(i) && output_of(i) < 0) return false;
    saved = Ref(PyObject_GetAttr(ctx, tensors_name));
    return saved && PyTuple_CheckExact(numbers) && PyTuple_Size(numbers) == backward.numbers &&
           PyTuple_CheckExact(saved.get()) && PyTuple_Size(saved.get()) == backward.tensors && take_gradients();
  }

  bool take_gradients() {
    Py_ssize_t count = PyTuple_Size(arguments) - 1;
    if (count > Arguments::most) return false;
    for (Py_ssize_t i = 0; i < count; i++) {
      PyObject* gradient = PyTuple_GetItem(arguments, i + 1);
      if (!is_plain_tensor(Py_TYPE(gradient))) return false;
      gradients[i] = Ref(PyObject_CallMethodObjArgs(gradient, contiguous_name, nullptr));
      if (!gradients[i]) return false;
    }
    return true;
  }

  bool is_needed(Py_ssize_t argument) const { return PyTuple_GetItem(needed.get(), argument + 1) == Py_True; }
  Py_ssize_t output_of(Py_ssize_t argument) const {
    return PyLong_AsSsize_t(PyTuple_GetItem(backward.found, argument));
  }

  /* Borrowed; None where there is nothing. */
  PyObject* at(Py_ssize_t place) const {
    if (place < 0) return Py_None;
    if (place < backward.numbers) return PyTuple_GetItem(numbers, place);
    place -= backward.numbers;
    if (place < backward.tensors) return PyTuple_GetItem(saved.get(), place);
    return gradients[place - backward.tensors].get();
  }

  /* (None, the derivative by each argument or None ...), of what the gradient returned. */
  PyObject* results(PyObject* made) const {
    Py_ssize_t count = PyTuple_Size(given);
    Ref out(PyTuple_New(count + 1));
    if (!out) return nullptr;
    PyTuple_SetItem(out.get(), 0, Py_NewRef(Py_None));
    for (Py_ssize_t i = 0; i < count; i++) {
      PyObject* value = Py_None;
      if (is_needed(i)) value = PyTuple_CheckExact(made) ? PyTuple_GetItem(made, output_of(i)) : made;
      Ref one = value == Py_None ? Ref::borrowed(value) : as_input(value, PyTuple_GetItem(given, i));
      if (!one) return nullptr;
      PyTuple_SetItem(out.get(), i + 1, one.release());
    }
    return out.release();
  }

  /* Each element of a broadcast input contributed to several outputs. */
  Ref as_input(PyObject* value, PyObject* name) const {
    for (Py_ssize_t i = 0; i < PyList_Size(shapes); i++) {
      PyObject* row = PyList_GetItem(shapes, i);
      if (PyTuple_GetItem(row, 0) != name) continue;
      Ref shape(PyObject_GetAttr(value, shape_name));
      int equal = shape ? PyObject_RichCompareBool(shape.get(), PyTuple_GetItem(row, 1), Py_EQ) : -1;
      if (equal < 0) return Ref();
      if (!equal) return Ref(PyObject_CallMethodObjArgs(value, sum_name, PyTuple_GetItem(row, 1), nullptr));
    }
    return Ref::borrowed(value);
  }
};

PyObject* call_backward(PyObject* self, PyObject* arguments, PyObject* keywords) {
  const TorchBackward& backward = *reinterpret_cast<TorchBackward*>(self);
  Plan* plan = reinterpret_cast<Operation*>(backward.operation)->plan;
  if (plan && !keywords && PyTuple_Size(arguments) >= 1 && is_undisturbed(backward.promotes)) {
    Backward one{backward, arguments, {}, {}, {}};
    if (one.read()) {
      Call call(*plan);
      call.none_is_absent = true;
      for (size_t i = 0; i < plan->parameters.size(); i++)
        if (plan->parameters[i].role != Role::out)
          call.given[i] = one.at(PyLong_AsSsize_t(PyTuple_GetItem(backward.sources, static_cast<Py_ssize_t>(i))));
      if (call.is_complete() && call.take_arrays() && call.take_numbers()) {
        void* handle = handle_of(backward.operation);
        Ref made(handle ? call.run(handle) : nullptr);
        return made ? one.results(made.get()) : nullptr;
      }
    }
    // the hooks of saved tensors are called once: torch.utils.checkpoint refuses to give a tensor twice
    if (!PyErr_Occurred() && one.saved &&
        PyObject_SetAttr(PyTuple_GetItem(arguments, 0), unpacked_name, one.saved.get()))
      return nullptr;
  }
  if (PyErr_Occurred()) return nullptr;
  return PyObject_Call(backward.otherwise, arguments, keywords);
}

/* As a function in a class: bound to the node. */
PyObject* bind_backward(PyObject* self, PyObject* object, PyObject*) {
  static PyObject* method = [] {
    Ref types(PyImport_ImportModule("types"));
    return types ? PyObject_GetAttrString(types.get(), "MethodType") : nullptr;
  }();
  if (!object || object == Py_None) return Py_NewRef(self);
  return method ? PyObject_CallFunctionObjArgs(method, self, object, nullptr) : nullptr;
}

int traverse_backward(PyObject* self, visitproc visit, void* arg) {
  TorchBackward* backward = reinterpret_cast<TorchBackward*>(self);
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(backward->operation);
  Py_VISIT(backward->otherwise);
  return 0;
}

int clear_backward(PyObject* self) {
  Py_CLEAR(reinterpret_cast<TorchBackward*>(self)->otherwise);
  return 0;
}

void dealloc_backward(PyObject* self) {
  TorchBackward* backward = reinterpret_cast<TorchBackward*>(self);
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  for (PyObject* one : {backward->operation, backward->otherwise, backward->given, backward->sources, backward->found})
    Py_XDECREF(one);
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(as_object(type));
}

PyType_Slot backward_slots[] = {{Py_tp_call, reinterpret_cast<void*>(call_backward)},
                                {Py_tp_descr_get, reinterpret_cast<void*>(bind_backward)},
                                {Py_tp_traverse, reinterpret_cast<void*>(traverse_backward)},
                                {Py_tp_clear, reinterpret_cast<void*>(clear_backward)},
                                {Py_tp_dealloc, reinterpret_cast<void*>(dealloc_backward)},
                                {Py_tp_doc, const_cast<char*>("The backward function of an operation's node.")},
                                {}};
PyType_Spec backward_spec = {"tenon._core.TorchBackward", sizeof(TorchBackward), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                             backward_slots};

}  // namespace

Ref behind_none(PyObject* arguments, Py_ssize_t start) {
  Py_ssize_t count = PyTuple_Size(arguments) - start;
  Ref all(PyTuple_New(count + 1));
  if (!all) return all;
  PyTuple_SetItem(all.get(), 0, Py_NewRef(Py_None));
  for (Py_ssize_t i = 0; i < count; i++)
    PyTuple_SetItem(all.get(), i + 1, Py_NewRef(PyTuple_GetItem(arguments, start + i)));
  return all;
}

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

/* _forward(otherwise, resolved, inputs, given, kept, plain, absent, sized, direct): see TorchForward. */
PyObject* make_forward(PyObject* self, PyObject* arguments) {
  PyObject *otherwise, *given, *kept, *plain, *absent, *sized;
  int resolved, inputs, direct;
  if (!PyArg_ParseTuple(arguments, "OpiO!O!O!O!O!p", &otherwise, &resolved, &inputs, &PyTuple_Type, &given,
                        &PyTuple_Type, &kept, &PyTuple_Type, &plain, &PyTuple_Type, &absent, &PyTuple_Type, &sized,
                        &direct))
    return nullptr;
  Ref made(PyType_GenericAlloc(torch_forward_type, 0));
  if (!made) return nullptr;
  TorchForward* forward = reinterpret_cast<TorchForward*>(made.get());
  forward->operation = Py_NewRef(self);
  forward->otherwise = Py_NewRef(otherwise);
  forward->given = Py_NewRef(given);
  forward->kept = Py_NewRef(kept);
  forward->plain = Py_NewRef(plain);
  forward->absent = Py_NewRef(absent);
  forward->sized = Py_NewRef(sized);
  forward->inputs = inputs;
  forward->resolved = resolved != 0;
  forward->direct = direct != 0;
  return made.release();
}

/* _backward(otherwise, given, sources, found, numbers, tensors, promotes), of the gradient: see TorchBackward. */
PyObject* make_backward(PyObject* self, PyObject* arguments) {
  PyObject *otherwise, *given, *sources, *found;
  Py_ssize_t numbers, tensors;
  int promotes;
  if (!PyArg_ParseTuple(arguments, "OO!O!O!nnp", &otherwise, &PyTuple_Type, &given, &PyTuple_Type, &sources,
                        &PyTuple_Type, &found, &numbers, &tensors, &promotes))
    return nullptr;
  Ref made(PyType_GenericAlloc(torch_backward_type, 0));
  if (!made) return nullptr;
  TorchBackward* backward = reinterpret_cast<TorchBackward*>(made.get());
  backward->operation = Py_NewRef(self);
  backward->otherwise = Py_NewRef(otherwise);
  backward->given = Py_NewRef(given);
  backward->sources = Py_NewRef(sources);
  backward->found = Py_NewRef(found);
  backward->numbers = numbers, backward->tensors = tensors;
  backward->promotes = promotes != 0;
  return made.release();
}

int add_torch_types() {
  torch_kernel_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&torch_spec));
  torch_forward_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&forward_spec));
  torch_backward_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&backward_spec));
  needed_name = PyUnicode_InternFromString("needs_input_grad");
  tensors_name = PyUnicode_InternFromString("saved_tensors");
  unpacked_name = PyUnicode_InternFromString("unpacked");
  contiguous_name = PyUnicode_InternFromString("contiguous");
  sum_name = PyUnicode_InternFromString("sum_to_size");
  saved_name = PyUnicode_InternFromString("to_save");
  save_name = PyUnicode_InternFromString("save_for_backward");
  state_name = PyUnicode_InternFromString("state");
  shape_name = PyUnicode_InternFromString("shape");
  return torch_kernel_type && torch_forward_type && torch_backward_type ? add_torch_call_type() : -1;
}

}  // namespace tenon_python
